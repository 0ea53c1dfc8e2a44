//! What the grammar promises, held on the samples of `tests/samples/`.

use std::collections::BTreeSet;
use std::path::Path;

use pest::Parser as _;

use super::errors::is_reserved;
use super::grammar::{Grammar, Rule};
use super::{edits, expression, file};
use crate::diagnostic::Code;
use crate::source::FileId;
use crate::syntax::scan::{TokenKind, tokens};
use crate::syntax::tree::{Declaration, ExprKind};

/// Rules that give no node, or stand only for a single value given on the command line.
const WITHOUT_NODE: &[&str] =
    &["EOI", "WHITESPACE", "COMMENT", "to_line_end", "wordchar", "word_text", "id_word", "keyword", "closing", "whole_expression"];

fn samples() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/samples");
    let paths = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    paths.map(|path| (path.display().to_string(), std::fs::read_to_string(&path).unwrap())).collect()
}

#[test]
fn every_rule_of_the_grammar_is_met_in_a_sample() {
    let mut met = BTreeSet::new();
    for (name, text) in samples() {
        assert_eq!(file(FileId(0), &text).1, [], "{name}");
        let mut at = 0;
        while let Some(token) = tokens(&text, at).find(|token| token.kind != TokenKind::Comment) {
            let pairs = Grammar::parse(Rule::declaration, &text[token.start..]).unwrap();
            at = token.start + pairs.as_str().len();
            met.extend(pairs.flatten().map(|pair| format!("{:?}", pair.as_rule())));
        }
    }
    let missing: Vec<String> = Rule::all_rules().iter().map(|rule| format!("{rule:?}")).filter(|rule| !met.contains(rule)).collect();
    let missing: Vec<&String> = missing.iter().filter(|rule| !WITHOUT_NODE.contains(&rule.as_str())).collect();
    assert!(missing.is_empty(), "no sample has {missing:?}");
}

/// The words of the grammar that may be names all the same: each stands where no name can.
const NOT_RESERVED: &[&str] = &["least", "one"];

#[test]
fn words_of_the_language_are_reserved_and_longer_words_are_not() {
    for rule in Rule::all_rules() {
        let name = format!("{rule:?}");
        let Some(word) = name.strip_prefix("k_") else { continue };
        assert_eq!(is_reserved(word), !NOT_RESERVED.contains(&word), "{word}");
        for longer in [format!("{word}x"), format!("{word}-1"), format!("a-{word}"), format!("{word}0")] {
            let names = |text: &str| Grammar::parse(Rule::name, text).is_ok_and(|pairs| pairs.as_str() == text);
            assert!(names(&longer) || is_reserved(&longer), "{longer} is no name");
        }
    }
}

#[test]
fn one_mistake_costs_one_declaration() {
    let text = "param a = 1;\nparam b = ;\nparam c = 3;\nrule d on e { when ; is 1; }\nparam f = 6\nparam g = 7;\n";
    let (tree, faults) = file(FileId(0), text);
    let names: Vec<String> = tree
        .declarations
        .iter()
        .filter_map(|declaration| match &declaration.it {
            Declaration::Param { name, .. } => Some(name.it.clone()),
            _ => None,
        })
        .collect();
    assert_eq!(names, ["a", "c", "g"]);
    assert_eq!(faults.len(), 3);
}

#[test]
fn what_is_right_in_a_broken_house_is_read() {
    let text = "house a on b {\n  set c = ;\n  set d = 4;\n}\nparam e = 5;";
    let (tree, faults) = file(FileId(0), text);
    assert_eq!(faults.len(), 1);
    let Some(Declaration::House(house)) = tree.declarations.first().map(|first| &first.it) else { panic!("no house") };
    assert_eq!((house.edits.len(), tree.declarations.len()), (1, 2));
}

#[test]
fn a_byte_order_mark_and_carriage_returns_mean_nothing() {
    let (tree, faults) = file(FileId(0), "\u{feff}param a = 1; # c\r\nparam b = 2;\r\n");
    assert_eq!((tree.declarations.len(), faults), (2, vec![]));
    assert_eq!(edits(FileId(0), " # nothing").0.len(), 0);
}

#[test]
fn single_values_are_read_to_their_end() {
    let (value, faults) = expression(FileId(0), " 20 ");
    assert_eq!((value.map(|value| *value.it), faults), (Some(ExprKind::Number(20)), vec![]));
    for wrong in ["20 21", "", "20;", "(20"] {
        let (value, faults) = expression(FileId(0), wrong);
        assert!(value.is_none() && faults.first().is_some_and(|fault| fault.code == Code::Syntax), "{wrong}: {faults:?}");
    }
}

#[test]
fn operators_nest_as_the_specification_says() {
    let nested = [
        ("a or b and not c = d + e * -f.g", "(a or (b and (not (c = (d + (e * (-(f.g))))))))"),
        ("a - b - c", "((a - b) - c)"),
        ("a * b mod c / d", "(((a * b) mod c) / d)"),
        ("a without b together c", "((a without b) together c)"),
        ("a < b <= c", "(a < b <= c)"),
        ("a < b is known", "((a < b) is known)"),
        ("not a or b", "((not a) or b)"),
        ("a and b or c and d", "((a and b) or (c and d))"),
    ];
    for (text, meant) in nested {
        assert_eq!(bracketed(text), meant, "{text}");
    }
}

/// The expression with a pair of brackets for every node that has parts.
fn bracketed(text: &str) -> String {
    fn draw(kind: &ExprKind) -> String {
        let word = |word| {
            let one = ExprKind::Name { name: Default::default(), arguments: None };
            let both = ExprKind::Binary { word, left: boxed(one.clone()), right: boxed(one) };
            crate::syntax::print::expression(&boxed(both)).trim().to_owned()
        };
        match kind {
            ExprKind::Binary { word: between, left, right } => format!("({} {} {})", draw(&left.it), word(*between), draw(&right.it)),
            ExprKind::Not(inner) => format!("(not {})", draw(&inner.it)),
            ExprKind::Minus(inner) => format!("(-{})", draw(&inner.it)),
            ExprKind::Field { of, field } => format!("({}.{})", draw(&of.it), field.it),
            ExprKind::Is { of, .. } => format!("({} is known)", draw(&of.it)),
            ExprKind::Chain { first, rest } => {
                let rest: Vec<String> = rest.iter().map(|(between, right)| format!(" {} {}", word(*between), draw(&right.it))).collect();
                format!("({}{})", draw(&first.it), rest.concat())
            }
            ExprKind::Name { name, .. } => name.it.clone(),
            other => panic!("not drawn: {other:?}"),
        }
    }
    fn boxed(kind: ExprKind) -> crate::syntax::tree::Expr {
        crate::syntax::tree::At::new(Box::new(kind), crate::source::Span::default())
    }
    let (value, faults) = expression(FileId(0), text);
    assert_eq!(faults, [], "{text}");
    draw(&value.unwrap().it)
}
