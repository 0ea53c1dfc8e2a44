//! Counters: joint accounts that are cut and shared, accounts as values, and what a void does to both. Every figure is worked out by hand.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test that cannot go on shall stop")]

use hoyle::diagnostic::render::plain;
use hoyle::engine::replay::replay;
use hoyle::engine::{Game, Mode, State, Words};
use hoyle::rules::{Catalog, Selection};
use hoyle::source::Sources;
use hoyle::syntax::record::record;
use hoyle::syntax::sheet::Sheet;

const POTS: &str = include_str!("accounts/pots.hoyle");

/// What a table holds in the end, in words, or the faults.
struct Table {
    game: Game,
    state: Option<State>,
    faults: String,
}

/// Plays a record with a rulebook, and some more declarations laid on it.
fn table(book: &str, more: &str, lines: &str) -> Table {
    let name = book.split("rulebook ").nth(1).unwrap().split(' ').next().unwrap();
    let mut catalog = Catalog::embedded();
    catalog.add("book.hoyle", book);
    let mut selection = Selection::of(name);
    if !more.is_empty() {
        catalog.add("more.hoyle", &format!("amendment more on {name} {{ {more} }}"));
        selection.with.push("more".to_owned());
    }
    let rulebook = catalog.load(&selection).unwrap_or_else(|faults| panic!("{}", plain(&faults, catalog.sources())));
    let game = Game::new(rulebook.table.clone().unwrap());
    let mut sources = Sources::default();
    let file = sources.add("a.record", lines);
    let (written, faults) = record(file, lines);
    assert_eq!(plain(&faults, &sources), "");
    let (sheet, faults) = Sheet::of(&written);
    assert_eq!(plain(&faults, &sources), "");
    let words = Words::new(&rulebook, &game.program);
    let played = replay(&game, &words, &sheet, Mode::Adjudicate);
    let state = played.steps.last().map(|step| step.state.clone());
    Table { faults: played.faults.iter().map(|fault| format!("{}: {}\n", fault.code.text(), fault.message)).collect(), state, game }
}

impl Table {
    fn cell(&self, name: &str, at: usize) -> i64 {
        let account = self.game.program.accounts.iter().find(|account| account.name == name).unwrap();
        self.state.as_ref().unwrap().account(account.cells.first + at)
    }

    /// One for each seat.
    fn cells(&self, name: &str, seats: usize) -> Vec<i64> {
        (0..seats).map(|at| self.cell(name, at)).collect()
    }

    fn nobodys(&self, name: &str) -> i64 {
        self.cell(name, 8)
    }
}

#[test]
fn x() {
    let t = table(
        POTS,
        "",
        "seats 3\ngiven pool A = 10\ngiven pool B = 30\ngiven pool C = 60\ngiven in-it A = yes\ngiven in-it B = yes\ngiven in-it C = yes\ngiven wins A = yes\ngiven wins B = yes\n",
    );
    println!("{}", t.faults);
    println!("{:?} {:?} {}", t.cells("stack", 3), t.cells("pool", 3), t.nobodys("pool"));
}
