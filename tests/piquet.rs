//! Piquet after Hoffmann at the table: the two hands that the book counts out, and scores whose order decides. Every figure is the book's, or is
//! worked out from it by hand; the engine's word is taken for none.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test that cannot go on shall stop")]

use hoyle::diagnostic::render::plain;
use hoyle::engine::random::{Dice, Manner, play};
use hoyle::engine::replay::replay;
use hoyle::engine::{Game, Mode, State, Stop, Value, Words, opening};
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

/// Elder is dealt ten and lower, aces apart; everything that he calls is good.
#[test]
fn carte_blanche_counts_towards_its_holders_repique() {
    let hand = |told: &str| {
        let calls = "A: discard Ad\nB: discard 7c\nA: call point As Ts 9s 8s 7s\nB: answer point good\nA: call sequence Ts 9s 8s 7s\n\
            B: answer sequence good\nA: count-also sequence Th 9h 8h 7h\nA: call quatorze Ts Th Td Tc\nB: answer quatorze good\n";
        let (a, b) = ("As Ts 9s 8s 7s Th 9h 8h 7h Td Tc Ad", "Ks Qs Js Ah Kh Qh 9d 8d 7d 9c 8c 7c");
        Table::of(&[], &dealt(a, b, "Ac Kd Qd Jd Kc Qc Jc Jh", &(told.to_owned() + calls)))
    };
    assert_eq!(hand("A: carte-blanche\n").in_the_end(), [10 + 5 + 4 + 4 + 14 + 60, 0]);
    assert_eq!(hand("").in_the_end(), [27, 0]);
}

/// The book's hand of 34 against a carte blanche.
#[test]
fn the_dealers_carte_blanche_bars_elders_repique() {
    let calls = "A: discard Js\nB: discard 7s\nA: call point Ah Kh Qh Jh Th\nB: answer point good\nA: call sequence Ah Kh Qh Jh Th\n\
        B: answer sequence good\nA: sink sequence Ac Kc Qc\nA: call quatorze As Ah Ad Ac\nB: answer quatorze good\nA: sink quatorze Kh Kd Kc\n";
    let hand = |told: &str| {
        let (a, b) = ("Ah Kh Qh Jh Th As Ad Ac Kd Jd Kc Js", "Ts 9s 8s 7s 9h 8h 7h Td 9d 8d 7d 9c");
        Table::of(&[], &dealt(a, b, "Qc Ks Qs Qd Jc Tc 8c 7c", &(told.to_owned() + calls)))
    };
    assert_eq!(hand("B: carte-blanche\n").in_the_end(), [34, 10]);
    assert_eq!(hand("").in_the_end(), [94, 0]);
}

/// Elder wants 3 and has a good trio, which he called first; the dealer wants 6 and has a point of six: the point is reckoned before.
#[test]
fn whoever_is_first_by_the_order_of_reckoning_has_the_game() {
    let (a, b) = ("As Ah Ad Kc Kd 9s 8s 9h 8h 7d 9d Ts", "Ac Qc Jc Tc 9c 8c Ks Js Jh Th 7h Td");
    let lines = dealt(
        a,
        b,
        "7c Qs Kh Qh Qd Jd 8d 7s",
        "A: discard Ts\nB: discard Td\nA: call point Ad Kd 9d 7d\nB: answer point not-good\nA: call quatorze As Ah Ad\nB: answer quatorze good\n\
         A: play 9s\nB: call point Ac Qc Jc Tc 9c 8c\n",
    );
    let table = Table::of(&[("form", "hundred")], &("given total A = 97\ngiven total B = 94\n".to_owned() + &lines));
    assert_eq!(table.in_the_end(), [3 + 1, 6]);
    assert_eq!(table.on_the_card(), [97, 100]);
    assert_eq!(table.winner(), Some(1));
}

#[test]
fn deals_and_games_play_out() {
    for (choices, starts) in [
        (&[][..], "deal"),
        (&[("sinking", "barred"), ("packets", "threes")], "deal"),
        (&[("form", "rubicon")], "game"),
        (&[("form", "hundred"), ("proof", "suit-named")], "game"),
        (&[("form", "hundred-and-one"), ("packs", "one")], "game"),
    ] {
        let rulebook = book(choices);
        let game = Game::new(rulebook.table.clone().unwrap());
        let words = Words::new(&rulebook, &game.program);
        let head = format!("start {starts}\ndealer B\n");
        let (written, _) = record(hoyle::source::FileId(0), &head);
        let (setup, _) = opening(&words, &Sheet::of(&written).0).unwrap();
        for seed in 0..2 {
            let played = play(&game, &setup, &mut Dice::new(seed), Manner { irregular: 0, most: 2_000 }).unwrap();
            assert!(matches!(played.state.stop(), Stop::Over), "{choices:?} {seed}: {:?}", played.state.stop());
            let table = Table { game: Game::new(rulebook.table.clone().unwrap()), states: vec![played.state] };
            let reached = table.on_the_card().into_iter().max().unwrap();
            match choices.first() {
                Some(("form", "hundred")) => assert!(reached >= 100 && table.winner().is_some()),
                Some(("form", "hundred-and-one")) => assert!(reached >= 101 && table.winner().is_some()),
                _ => {}
            }
        }
    }
}
