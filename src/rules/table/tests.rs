//! The rulebooks of the specification and of the dry runs: everything in them has a signature, and every expression a type.

use std::path::Path;

use super::super::Catalog;
use super::super::cite::Citing;
use super::super::draft::{Parameters, options};
use super::super::kinds::Kinds;
use super::super::pieces::{pack_lines, piece_kinds};
use super::super::resolve::Names;
use super::super::scope::Scope;
use super::super::selection::{Selection, Stack, stack};
use super::compiler::Compiler;
use super::locals::Locals;
use super::program::Type;
use crate::diagnostic::Diagnostic;
use crate::diagnostic::render::plain;
use crate::syntax::tree::{Declaration, Rule, StatementKind};

/// Reads a rulebook and does something with the compiler of its table; gives what is wrong and what is not built.
fn with<T>(files: &[&str], text: &str, name: &str, then: impl FnOnce(&mut Compiler<'_>, &Stack<'_>) -> T) -> (T, String, String) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut catalog = Catalog::new();
    for file in files {
        catalog.add(*file, std::fs::read_to_string(root.join(file)).unwrap());
    }
    catalog.add("text", text);
    let mut faults: Vec<Diagnostic> = Vec::new();
    let stack = stack(&catalog, &Selection::of(name), &[], &mut faults);
    assert!(stack.is_some(), "{}", plain(&faults, catalog.sources()));
    let stack = stack.unwrap();
    let books = catalog.books();
    let citing = Citing { books: &books };
    let scope = Scope::of(&stack.layers, &mut faults);
    let mut kinds = Kinds::of(&stack.layers, &scope, &mut faults);
    let (_, options) = options(&stack, &citing, &mut kinds, &mut faults);
    let (_, parameters) = Parameters::read(&stack, &citing, &scope, &mut kinds, &options, &mut faults);
    let names = Names { scope: &scope, kinds: &kinds, parameters: &parameters, options: &options, local: None };
    let mut pieces = piece_kinds(&stack.layers, &kinds, &names, &mut faults);
    pack_lines(&stack.layers, &kinds, &names, &citing, &mut pieces, &mut faults);
    let mut compiler = Compiler::new(&stack.layers, names, &pieces, citing);
    let done = then(&mut compiler, &stack);
    faults.append(&mut compiler.faults);
    (done, plain(&faults, catalog.sources()), plain(&compiler.incomplete, catalog.sources()))
}

/// Compiles definitions, acts, and the answers of all rules on questions.
fn everything(compiler: &mut Compiler<'_>, stack: &Stack<'_>) {
    compiler.all_definitions();
    compiler.check_acts();
    for declaration in stack.layers.iter().flat_map(|layer| &layer.declarations) {
        if let Declaration::Rule(rule) = &declaration.it {
            rule_on_question(compiler, rule);
        }
    }
    compiler.declared();
}

fn rule_on_question(compiler: &mut Compiler<'_>, rule: &Rule) {
    let on = rule.on.first().unwrap();
    let Some(question) = compiler.signatures.questions.iter().find(|question| question.name.it == on.it) else { return };
    let (answer, mut locals) = (question.it.answer.clone(), Locals::of(&question.it.parameters));
    for statement in &rule.body.it {
        if let StatementKind::When(when) = &statement.it {
            compiler.condition(when, &mut locals);
        } else if let StatementKind::Is(value) = &statement.it {
            compiler.expected(value, &answer, &mut locals);
        } else if let StatementKind::Let { name, value } = &statement.it {
            let kind = compiler.expression(value, None, &mut locals).map_or(Type::BROKEN, |(_, kind)| kind);
            locals.declare(&name.it, kind);
        }
    }
}

fn clean(files: &[&str], name: &str) {
    let ((), faults, incomplete) = with(files, "", name, everything);
    assert_eq!(faults, "", "{name}");
    assert_eq!(incomplete, "", "{name}");
}

const LIBRARIES: [&str; 4] =
    ["spec/lib/cards.hoyle", "tests/dry-runs/lib-dealing.hoyle", "tests/dry-runs/lib-tricks.hoyle", "tests/dry-runs/lib-declarations.hoyle"];

#[test]
fn the_fixtures_compile() {
    clean(&["tests/spec/whist-fixture.hoyle"], "whist-fixture");
    clean(&["tests/spec/nap-revoke.hoyle"], "nap-revoke");
}

#[test]
fn a_rulebook_on_libraries_compiles() {
    let files: Vec<&str> = LIBRARIES.into_iter().chain(["tests/dry-runs/hoffmann-nap.hoyle"]).collect();
    clean(&files, "hoffmann-nap");
}
