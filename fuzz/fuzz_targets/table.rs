//! Any text as a record of nap, played in either mode: an answer, never a panic, and nothing lost on the table.

#![no_main]

use std::sync::LazyLock;

use hoyle::diagnostic::Diagnostic;
use hoyle::diagnostic::render::plain;
use hoyle::engine::replay::replay;
use hoyle::engine::{Game, Mode, Words};
use hoyle::rules::{Catalog, Rulebook, Selection};
use hoyle::source::Sources;
use hoyle::syntax::record::record;
use hoyle::syntax::sheet::Sheet;

static NAP: LazyLock<(Rulebook, Game)> = LazyLock::new(|| {
    let rulebook = Catalog::embedded().load(&Selection::of("hoffmann-nap")).expect("the specification checks");
    let game = Game::new(rulebook.table.clone().expect("it has a table"));
    (rulebook, game)
});

libfuzzer_sys::fuzz_target!(|text: &str| {
    let mut sources = Sources::default();
    let file = sources.add("fuzz", text);
    let (tree, mut faults) = record(file, text);
    let (sheet, more) = Sheet::of(&tree);
    faults.extend(more);
    if faults.iter().any(Diagnostic::is_error) {
        return;
    }
    let (rulebook, game) = &*NAP;
    let words = Words::new(rulebook, &game.program);
    for mode in [Mode::Prevent, Mode::Adjudicate] {
        let played = replay(game, &words, &sheet, mode);
        plain(&played.faults, &sources);
        for step in &played.steps {
            assert_eq!(step.state.pieces(), 52, "a card is lost or made");
        }
    }
});
