//! Piquet after Hoffmann at the table: the two hands that the book counts out, and scores whose order decides. Every figure is the book's, or is
//! worked out from it by hand; the engine's word is taken for none.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test that cannot go on shall stop")]

use hoyle::diagnostic::render::plain;
use hoyle::engine::replay::replay;
use hoyle::engine::{Game, Mode, State, Value, Words};
use hoyle::rules::{Catalog, Rulebook, Selection};
use hoyle::source::Sources;
use hoyle::syntax::record::record;
use hoyle::syntax::sheet::Sheet;

fn book(choices: &[(&str, &str)]) -> Rulebook {
    let catalog = Catalog::embedded();
    let choose = choices.iter().map(|(option, branch)| ((*option).to_owned(), (*branch).to_owned())).collect();
    catalog.load(&Selection { choose, ..Selection::of("hoffmann-piquet") }).unwrap_or_else(|faults| panic!("{faults:?}"))
}

/// A record that was played: how the table stood behind each item.
struct Table {
    game: Game,
    states: Vec<State>,
}

impl Table {
    fn of(choices: &[(&str, &str)], lines: &str) -> Table {
        let rulebook = book(choices);
        let game = Game::new(rulebook.table.clone().unwrap());
        let mut sources = Sources::default();
        let file = sources.add("a.record", lines);
        let (written, faults) = record(file, lines);
        assert_eq!(plain(&faults, &sources), "");
        let (sheet, faults) = Sheet::of(&written);
        assert_eq!(plain(&faults, &sources), "");
        let played = replay(&game, &Words::new(&rulebook, &game.program), &sheet, Mode::Adjudicate);
        assert_eq!(plain(&played.faults, &sources), "", "{lines}");
        Table { game, states: played.steps.into_iter().map(|step| step.state).collect() }
    }

    fn points_of(&self, state: &State, tally: &str) -> [i64; 2] {
        let tally = self.game.program.tallies.iter().find(|known| known.name == tally).unwrap();
        [0, 1].map(|seat| state.tally(tally.cells.first + seat))
    }

    /// What each says aloud behind the item; 0 is before the first.
    fn aloud(&self, item: usize) -> [i64; 2] {
        self.points_of(&self.states[item], "marks")
    }

    fn in_the_end(&self) -> [i64; 2] {
        self.points_of(self.states.last().unwrap(), "marks")
    }

    fn on_the_card(&self) -> [i64; 2] {
        self.points_of(self.states.last().unwrap(), "total")
    }

    fn winner(&self) -> Option<u8> {
        let fact = self.game.program.facts.iter().find(|known| known.name == "game-winner").unwrap();
        if let Value::Seat(seat) = self.states.last().unwrap().fact(fact.cells.first) { Some(*seat) } else { None }
    }
}

/// B deals. Both discard what is named last of what they are dealt, and draw what the stock has for them.
fn dealt(a: &str, b: &str, stock: &str, rest: &str) -> String {
    format!("start deal\ndealer B\ndeal A: {a}\ndeal B: {b}\nstock: {stock}\n{rest}")
}

#[test]
fn the_example_deal_has_every_running_score_of_the_book() {
    let table = Table::of(&[], include_str!("records/piquet-example.rec"));
    // Item, and what A and B say behind it.
    let printed = [
        (4, [6, 0]),
        (6, [21, 0]),
        (7, [24, 0]),
        (9, [24, 0]),
        (10, [25, 0]),
        (12, [25, 17]),
        (13, [25, 17]),
        (14, [26, 17]),
        (15, [26, 18]),
        (16, [26, 19]),
        (17, [26, 19]),
        (18, [26, 20]),
        (19, [26, 20]),
        (20, [26, 21]),
        (21, [26, 21]),
        (22, [26, 22]),
        (23, [26, 22]),
        (24, [26, 23]),
        (25, [27, 23]),
        (26, [28, 23]),
        (27, [28, 23]),
        (28, [29, 23]),
        (29, [29, 23]),
        (30, [30, 23]),
        (31, [30, 23]),
        (32, [31, 23]),
        (33, [31, 23]),
        (34, [32, 23]),
    ];
    for (item, says) in printed {
        assert_eq!(table.aloud(item), says, "behind item {item}");
    }
    assert_eq!(table.in_the_end(), [43, 23]);
    assert_eq!(table.on_the_card(), [43, 23]);
}

#[test]
fn the_great_hand_comes_to_170() {
    let table = Table::of(&[], include_str!("records/piquet-great-hand.rec"));
    assert_eq!(table.aloud(5), [3, 0], "the point");
    assert_eq!(table.aloud(10), [15, 0], "four tierces");
    assert_eq!(table.aloud(14), [57 + 60, 0], "three quatorzes, and the repique");
    assert_eq!(table.in_the_end(), [170, 0]);
    assert_eq!(table.on_the_card(), [170, 0]);
}

/// The dealer holds the book's repique hand: it counts before the card that elder has led.
#[test]
fn the_dealer_makes_a_repique_although_elder_has_led() {
    let table = Table::of(
        &[],
        &dealt(
            "Ks Qs 8s 7s Kd Qd 7d Kc 8c Tc 9h 7h",
            "Ah Kh Qh Jh Th As Ad Ac 9s 8d 7c Jc",
            "8h 9c Js Ts Jd Td 9d Qc",
            "A: discard 7h\nB: discard Jc\nA: call point 7s 8s Qs Ks\nB: answer point not-good\nA: call quatorze Kd Kc Ks\n\
             B: answer quatorze not-good\nA: play 7d\nB: call point Ah Kh Qh Jh Th\nB: call sequence Ah Kh Qh Jh Th\nB: call quatorze As Ah Ad Ac\n",
        ),
    );
    assert_eq!(table.in_the_end(), [1, 34 + 60]);
}

/// Point 7 and sequence 17; six winners make it 30.
const TWENTY_FOUR: (&str, &str, &str) = ("As Ks Qs Js Ts 9s 8s 7h 8h 7d 8d 7c", "Ah Kh Th Ad Kd Td Ac Jc 9c 8c 9d 9h", "Qh Jh 7s Qd Jd Kc Qc Tc");

fn twenty_four(rest: &str) -> Table {
    let (a, b, stock) = TWENTY_FOUR;
    let calls = "A: discard 7c\nB: discard 9h\nA: call point As Ks Qs Js Ts 9s 8s\nB: answer point good\n\
        A: call sequence As Ks Qs Js Ts 9s 8s\nB: answer sequence good\n";
    Table::of(&[], &dealt(a, b, stock, &(calls.to_owned() + rest)))
}

#[test]
fn elder_makes_a_pique_with_the_lead_that_comes_to_thirty() {
    let leads = "A: play As\nB: play 8c\nA: play Ks\nB: play 9c\nA: play Qs\nB: play Jc\nA: play Js\nB: play 9d\nA: play Ts\nB: play Td\n";
    // B keeps his three aces to himself, or counts them: they go before the play.
    let sunk = leads.replacen("B: play", "B: call-nothing quatorze\nB: play", 1);
    assert_eq!(twenty_four(&sunk).in_the_end(), [29, 0]);
    assert_eq!(twenty_four(&(sunk.clone() + "A: play 9s\n")).in_the_end(), [30 + 30, 0]);
    let counted = leads.replacen("B: play", "B: call quatorze Ah Ad Ac\nB: play", 1);
    assert_eq!(twenty_four(&(counted + "A: play 9s\n")).in_the_end(), [30, 3]);
}
