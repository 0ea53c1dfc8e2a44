//! Small mistakes within a declaration: a comparison that is off, `or` for `and`, a number that is one too high, a condition or a deed left out.

use super::mutants::{Mutation, Part};
use super::surgery::Cut;
use super::tree_walk::{Site, Walk};
use crate::source::Span;
use crate::syntax::print;
use crate::syntax::tree::{
    At, BinaryWord, Block, Declaration, Does, EachOver, Edge, EdgeTarget, EdgeWord, Expr, ExprKind, RankingItem, Statement, StatementKind, Tags,
};

/// What can be done at one place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// The comparison at this position of a chain becomes its neighbour: `<` and `<=`, `=` and `<>`, `in` and `not in`, `is` and `is not`.
    Compare(usize),
    /// `and` and `or`, `any` and `every`.
    Logic,
    /// One more.
    Number,
    /// `yes` and `no`.
    Truth,
    /// `highest` and `lowest`.
    Extreme,
    /// Without this one of the conditions that `and` joins.
    Without(usize),
    /// It is out of reach.
    Drop,
}

/// Something that can be done, and where.
#[derive(Clone, Debug)]
pub(super) struct Slip {
    pub site: usize,
    pub change: Change,
    /// ``turn `a < b` to `a <= b` ``
    pub words: String,
    pub span: Span,
    /// What stands behind the statements around it, the outermost first; not behind its declaration.
    pub tags: Vec<Tags>,
}

/// Every slip that a declaration can have.
pub(super) fn slips(declaration: &Declaration) -> Vec<Slip> {
    let mut found: Vec<Slip> = Vec::new();
    let mut tagged: Vec<(Span, Tags)> = Vec::new();
    let mut see = |at: usize, site: Site<'_>, around: &str| {
        let (span, tags) = match &site {
            Site::Expression { expr, .. } => (expr.span, None),
            Site::Statement(statement) => (statement.span, super::table_mutants::tags_of(&statement.it)),
            Site::Alternative { alternative, .. } => (alternative.span, Some(&alternative.it.tags)),
        };
        tagged.extend(tags.map(|tags| (span, tags.clone())));
        let within = |outer: &Span| outer.file == span.file && outer.start <= span.start && span.end <= outer.end;
        let tags: Vec<Tags> = tagged.iter().filter(|(outer, _)| within(outer)).map(|(_, tags)| tags.clone()).collect();
        let here = changes(&site, around).into_iter();
        found.extend(here.map(|(change, words)| Slip { site: at, change, words, span, tags: tags.clone() }));
    };
    walk(&mut declaration.clone(), &mut Walk::new(true, &mut see));
    found
}

/// Every part of a declaration that can hold a slip. What only speaks of rules (mappings, claims, remarks) cannot.
fn walk(declaration: &mut Declaration, walk: &mut Walk<'_>) {
    match declaration {
        Declaration::Rule(rule) => {
            walk.roots(&mut rule.under);
            walk.block(&mut rule.body);
        }
        Declaration::Procedure { parameters, body, .. } | Declaration::Action { parameters, body, .. } => {
            walk.parameters(parameters);
            walk.block(body);
        }
        Declaration::Def { value, .. } | Declaration::Param { value, .. } => walk.root(value),
        Declaration::Question { otherwise, .. } => walk.roots(otherwise),
        Declaration::Event(event) => {
            walk.parameters(&mut event.parameters);
            event.possible.iter_mut().for_each(|possible| walk.condition(possible));
            event.supposes.iter_mut().for_each(|body| walk.block(body));
        }
        Declaration::Right(right) => {
            walk.parameters(&mut right.parameters);
            walk.root(&mut right.of);
            right.holds.iter_mut().for_each(|holds| walk.condition(holds));
            right.body.iter_mut().for_each(|body| walk.block(body));
        }
        Declaration::Place(place) => place.seen.iter_mut().for_each(|seen| walk.sight(seen)),
        Declaration::Role { initial, .. } => walk.roots(initial),
        Declaration::Fact(fact) => {
            walk.roots(&mut fact.initial);
            fact.seen.iter_mut().for_each(|seen| walk.sight(seen));
        }
        Declaration::Pieces(pieces) => walk.roots(&mut pieces.under),
        Declaration::Ranking(ranking) => {
            walk.parameters(&mut ranking.parameters);
            items(&mut ranking.items, walk);
        }
        Declaration::RankingEdit { items: edits, .. } => items(edits, walk),
        Declaration::Library { .. }
        | Declaration::Rulebook { .. }
        | Declaration::House(_)
        | Declaration::Amendment(_)
        | Declaration::Interface(_)
        | Declaration::Implements(_)
        | Declaration::Use(_)
        | Declaration::Kind(_)
        | Declaration::Scale(_)
        | Declaration::Piece { .. }
        | Declaration::Choice(_)
        | Declaration::Seats { .. }
        | Declaration::Account(_)
        | Declaration::Tally(_)
        | Declaration::Signal { .. }
        | Declaration::Breach { .. }
        | Declaration::VoidRestores { .. }
        | Declaration::Adopt { .. }
        | Declaration::Remark { .. }
        | Declaration::Advise { .. }
        | Declaration::Claim(_)
        | Declaration::Undecided { .. }
        | Declaration::Set { .. }
        | Declaration::Choose { .. } => {}
    }
}

fn items(items: &mut [At<RankingItem>], walk: &mut Walk<'_>) {
    for item in items {
        match &mut item.it {
            RankingItem::Under { when, items: inner } => {
                walk.root(when);
                self::items(inner, walk);
            }
            RankingItem::Class { under, .. }
            | RankingItem::Beats { under, .. }
            | RankingItem::Ties { under, .. }
            | RankingItem::Wild { under, .. }
            | RankingItem::WildNamed { under, .. } => walk.roots(under),
            RankingItem::DropClass { .. } | RankingItem::DropEdge { .. } => {}
        }
    }
}

/// What can be done at a place, in words.
fn changes(site: &Site<'_>, around: &str) -> Vec<(Change, String)> {
    match site {
        Site::Expression { expr, condition } => {
            let conditions = if *condition { joined(expr) } else { Vec::new() };
            let without = conditions.iter().enumerate().map(|(at, part)| (Change::Without(at), format!("drop condition `{}`", text(part))));
            let turned = all_of(expr).into_iter().filter_map(|change| {
                let mut turned = Expr::clone(expr);
                make_there(&mut turned, &change).then(|| (change.clone(), turning(expr, &turned, &change, around)))
            });
            without.chain(turned).collect()
        }
        Site::Statement(statement) => deed_of(statement).map(|deed| (Change::Drop, format!("drop `{deed}`"))).into_iter().collect(),
        Site::Alternative { alternative, several } if *several => vec![(Change::Drop, format!("drop act `{}`", alternative.it.act.it))],
        Site::Alternative { alternative, .. } => match &alternative.it.does {
            Does::Deed(deed) if !matches!(deed.it, crate::syntax::tree::Deed::Stands) => {
                vec![(Change::Drop, format!("drop `{}`", print::deed(&deed.it)))]
            }
            Does::Deed(_) | Does::Block(_) => Vec::new(),
        },
    }
}

/// ``turn `a < b` to `a <= b` ``; of what is long the word that changes, of a number what stands around it.
fn turning(expr: &Expr, turned: &Expr, change: &Change, around: &str) -> String {
    let (before, after) = (print::expression(expr), print::expression(turned));
    if before.chars().count() > 60 {
        let beginning: String = before.chars().take(57).collect();
        let (from, to) = (word(expr, &before, &after), word(turned, &after, &before));
        return format!("turn `{from}` to `{to}` in `{beginning}...`");
    }
    let is_small = matches!(change, Change::Number | Change::Truth);
    if is_small && !around.is_empty() && around != before {
        return format!("turn `{before}` to `{after}` in `{around}`");
    }
    format!("turn `{before}` to `{after}`")
}

/// The word of an expression that a change puts another for.
fn word(expr: &Expr, text: &str, other: &str) -> String {
    let it = &*expr.it;
    let known = if let ExprKind::Binary { word, .. } = it {
        match word {
            BinaryWord::And => Some("and"),
            BinaryWord::Or => Some("or"),
            BinaryWord::In => Some("in"),
            BinaryWord::NotIn => Some("not in"),
            BinaryWord::Equal | BinaryWord::Unequal | BinaryWord::Less | BinaryWord::AtMost | BinaryWord::Greater | BinaryWord::AtLeast => None,
            BinaryWord::Add | BinaryWord::Subtract | BinaryWord::Without | BinaryWord::Together => None,
            BinaryWord::Multiply | BinaryWord::Divide | BinaryWord::Mod => None,
        }
    } else if let ExprKind::Quantified { every, .. } = it {
        Some(if *every { "every" } else { "any" })
    } else if let ExprKind::Extreme { highest, .. } = it {
        Some(if *highest { "highest" } else { "lowest" })
    } else if let ExprKind::Is { not, .. } = it {
        Some(if *not { "is not" } else { "is" })
    } else {
        None
    };
    // Operands are as they were, so the first word that differs is the comparison.
    let differs = || text.split(' ').zip(other.split(' ')).find(|(one, other)| one != other).map_or("", |(one, _)| one);
    known.unwrap_or_else(differs).to_owned()
}

fn text(expr: &Expr) -> String {
    let text = print::expression(expr);
    if text.chars().count() <= 100 { text } else { text.chars().take(97).chain("...".chars()).collect() }
}

/// What can be tried on an expression itself, whether or not it comes to anything.
fn all_of(expr: &Expr) -> Vec<Change> {
    if let ExprKind::Chain { rest, .. } = &*expr.it {
        return (0..rest.len()).map(Change::Compare).collect();
    }
    let tries = [Change::Logic, Change::Compare(0), Change::Number, Change::Truth, Change::Extreme];
    tries.into_iter().filter(|change| make_there(&mut expr.clone(), change)).collect()
}

/// The conditions that `and` joins.
fn joined(expr: &Expr) -> Vec<&Expr> {
    if let ExprKind::Binary { word: BinaryWord::And, left, right } = &*expr.it { [joined(left), joined(right)].concat() } else { vec![expr] }
}

/// What a statement does, if it does something and is not only the order in which other statements do.
fn deed_of(statement: &Statement) -> Option<String> {
    Some(match &statement.it {
        StatementKind::Do { deed, .. } => print::deed(deed),
        StatementKind::Share { .. } => "share".to_owned(),
        StatementKind::Close { tally, .. } => format!("close of {}", tally.it),
        StatementKind::Settle(of) => format!("settle {}", print::expression(of)),
        StatementKind::Again => "again".to_owned(),
        StatementKind::Pause(_) => "pause".to_owned(),
        StatementKind::Duty { .. } => "duty".to_owned(),
        StatementKind::SingleDuty { alternative, .. } => format!("duty {}", alternative.it.act.it),
        StatementKind::Offer { .. } => "offer".to_owned(),
        // What these hold is dropped piece by piece; as a whole only what the book speaks of.
        StatementKind::Phase { name, tags, .. } if !tags.cites.is_empty() => format!("phase {}", name.it),
        StatementKind::Each { over: EachOver::Slice { name, .. } | EachOver::Around { name, .. } | EachOver::Of { name, .. }, tags, .. }
            if !tags.cites.is_empty() =>
        {
            format!("each {}", name.it)
        }
        StatementKind::Repeat { tags, .. } if !tags.cites.is_empty() => "repeat".to_owned(),
        StatementKind::Phase { .. }
        | StatementKind::Each { .. }
        | StatementKind::Repeat { .. }
        | StatementKind::Block(_)
        | StatementKind::Let { .. }
        | StatementKind::When(_)
        | StatementKind::Is(_)
        | StatementKind::Before(_)
        | StatementKind::After(_)
        | StatementKind::If { .. } => return None,
    })
}

/// Whether the cut was made here.
pub(super) fn operate(declarations: &mut [At<Declaration>], cut: &Cut<'_>) -> bool {
    match (cut.part, cut.mutation) {
        (Part::RuleEdge { edge, target }, mutation) => on_edge(declarations, cut.line, (*edge, *target), mutation),
        (Part::Site(site), Mutation::Slip(change)) => {
            let Some(declaration) = declarations.iter_mut().find(|declaration| declaration.span == cut.line) else { return false };
            let mut done = false;
            let mut see = |at: usize, place: Site<'_>, _: &str| {
                if at == *site {
                    done = make(place, change);
                }
            };
            walk(&mut declaration.it, &mut Walk::new(false, &mut see));
            done
        }
        _ => false,
    }
}

fn make(site: Site<'_>, change: &Change) -> bool {
    match site {
        Site::Expression { expr, .. } => make_there(expr, change),
        Site::Statement(statement) => {
            let span = statement.span;
            let then: Block = At::new(vec![statement.clone()], span);
            statement.it = StatementKind::If { when: super::table_surgery::never(span), then, otherwise: None };
            true
        }
        Site::Alternative { alternative, several: true } => {
            alternative.it.when = Some(super::table_surgery::never(alternative.span));
            true
        }
        // The act can still be done, and nothing comes of it.
        Site::Alternative { alternative, several: false } => {
            if let Does::Deed(deed) = &mut alternative.it.does {
                deed.it = crate::syntax::tree::Deed::Stands;
            }
            true
        }
    }
}

fn make_there(expr: &mut Expr, change: &Change) -> bool {
    let span = expr.span;
    if let Change::Without(without) = change {
        let parts = joined(expr).into_iter().enumerate().filter(|(at, _)| at != without).map(|(_, part)| part.clone());
        let and = |left: Expr, right: Expr| At::new(Box::new(ExprKind::Binary { word: BinaryWord::And, left, right }), span);
        *expr = parts.reduce(and).unwrap_or_else(|| At::new(Box::new(ExprKind::Truth(true)), span));
        return true;
    }
    match (&mut *expr.it, change) {
        (ExprKind::Binary { word: word @ (BinaryWord::And | BinaryWord::Or), .. }, Change::Logic) => {
            *word = if *word == BinaryWord::And { BinaryWord::Or } else { BinaryWord::And };
            true
        }
        (ExprKind::Quantified { every, .. }, Change::Logic) => {
            *every = !*every;
            true
        }
        (ExprKind::Binary { word, .. }, Change::Compare(_)) => neighbour(*word).map(|other| *word = other).is_some(),
        (ExprKind::Chain { rest, .. }, Change::Compare(at)) => {
            let Some((word, _)) = rest.get_mut(*at) else { return false };
            neighbour(*word).map(|other| *word = other).is_some()
        }
        (ExprKind::Is { not, .. }, Change::Compare(_)) => {
            *not = !*not;
            true
        }
        (ExprKind::Number(number), Change::Number) => number.checked_add(1).map(|more| *number = more).is_some(),
        (ExprKind::Truth(truth), Change::Truth) => {
            *truth = !*truth;
            true
        }
        (ExprKind::Extreme { highest, .. }, Change::Extreme) => {
            *highest = !*highest;
            true
        }
        _ => false,
    }
}

fn neighbour(word: BinaryWord) -> Option<BinaryWord> {
    Some(match word {
        BinaryWord::Less => BinaryWord::AtMost,
        BinaryWord::AtMost => BinaryWord::Less,
        BinaryWord::Greater => BinaryWord::AtLeast,
        BinaryWord::AtLeast => BinaryWord::Greater,
        BinaryWord::Equal => BinaryWord::Unequal,
        BinaryWord::Unequal => BinaryWord::Equal,
        BinaryWord::In => BinaryWord::NotIn,
        BinaryWord::NotIn => BinaryWord::In,
        BinaryWord::Or
        | BinaryWord::And
        | BinaryWord::Add
        | BinaryWord::Subtract
        | BinaryWord::Without
        | BinaryWord::Together
        | BinaryWord::Multiply
        | BinaryWord::Divide
        | BinaryWord::Mod => return None,
    })
}

/// `replaces`
pub(super) fn edge_word(word: EdgeWord) -> &'static str {
    match word {
        EdgeWord::Replaces => "replaces",
        EdgeWord::Suspends => "suspends",
        EdgeWord::Amends => "amends",
        EdgeWord::YieldsTo => "yields to",
    }
}

/// An edge is not there, or goes from its target to its rule.
fn on_edge(declarations: &mut [At<Declaration>], line: Span, (edge, target): (usize, usize), mutation: &Mutation) -> bool {
    let found = declarations.iter_mut().find(|declaration| declaration.span == line);
    let Some(Declaration::Rule(rule)) = found.map(|declaration| &mut declaration.it) else { return false };
    let from = rule.name.clone();
    let Some(edge) = rule.edges.get_mut(edge).filter(|edge| target < edge.targets.len()) else { return false };
    let (word, target) = (edge.word, edge.targets.remove(target));
    rule.edges.retain(|edge| !edge.targets.is_empty());
    if *mutation == Mutation::Drop {
        return true;
    }
    let EdgeTarget::Rule(name) = &target.it else { return false };
    let turned = Edge { word, targets: vec![At::new(EdgeTarget::Rule(from), target.span)] };
    let other = declarations.iter_mut().find_map(|declaration| {
        let Declaration::Rule(rule) = &mut declaration.it else { return None };
        (rule.name.it == name.it).then_some(rule)
    });
    other.map(|other| other.edges.push(turned)).is_some()
}
