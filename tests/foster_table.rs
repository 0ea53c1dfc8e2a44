//! Foster's table, played: what the book's own examples come to. Every figure is worked out by hand from the book.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test that cannot go on shall stop")]

use hoyle::engine::random::{Dice, Manner, play, roles};
use hoyle::engine::replay::replay;
use hoyle::engine::{Game, Mode, Note, State, Stop, Words, opening};
use hoyle::rules::{Catalog, Rulebook, Selection};
use hoyle::source::{FileId, Sources};
use hoyle::syntax::record::record;
use hoyle::syntax::sheet::Sheet;

fn foster(settings: &[(&str, &str)]) -> Rulebook {
    let mut selection = Selection::of("foster-draw");
    selection.choose = settings.iter().map(|(option, branch)| ((*option).to_owned(), (*branch).to_owned())).collect();
    Catalog::embedded().load(&selection).unwrap_or_else(|faults| panic!("{faults:?}"))
}

struct Table {
    game: Game,
    state: State,
    notes: Vec<Note>,
    faults: String,
}

/// E deals; everybody has 400 counters unless `head` says otherwise.
fn table(settings: &[(&str, &str)], head: &str, items: &str) -> Table {
    let rulebook = foster(settings);
    let game = Game::new(rulebook.table.clone().unwrap());
    let stacks: String = ('A'..='E').map(|seat| format!("given stack {seat} = 400\n")).filter(|_| !head.contains("given stack")).collect();
    let lines = format!("seats {}\nstart pool\n{stacks}{head}\n{items}", if head.contains("seats") { "" } else { "5" });
    let lines = lines.replace("seats \n", "");
    let lines = if lines.contains("dealer ") { lines } else { lines.replace("start pool", "start pool\ndealer E") };
    let mut sources = Sources::default();
    let file = sources.add("a.record", &lines);
    let (written, faults) = record(file, &lines);
    assert!(faults.is_empty(), "{faults:?}\n{lines}");
    let (sheet, faults) = Sheet::of(&written);
    assert!(faults.is_empty(), "{faults:?}\n{lines}");
    let words = Words::new(&rulebook, &game.program);
    let played = replay(&game, &words, &sheet, Mode::Adjudicate);
    let state = played.steps.last().map(|step| step.state.clone()).unwrap();
    let done = played.steps.iter().flat_map(|step| step.before.iter().chain(&step.done));
    let notes = done.flat_map(|done| done.notes.iter().cloned()).collect();
    Table { notes, faults: played.faults.iter().map(|fault| format!("{}: {}\n", fault.code.text(), fault.message)).collect(), state, game }
}

impl Table {
    /// The counters of all seats, and what lies in the pool.
    fn counters(&self, seats: usize) -> (Vec<i64>, i64) {
        assert_eq!(self.faults, "");
        let cells = |name: &str| self.game.program.accounts.iter().find(|account| account.name == name).unwrap().cells.first;
        let (stack, pot) = (cells("stack"), cells("pot"));
        ((0..seats).map(|at| self.state.account(stack + at)).collect(), (0..9).map(|at| self.state.account(pot + at)).sum())
    }

    fn over(&self) -> bool {
        *self.state.stop() == Stop::Over
    }
}

const ALL_IN_FOR_TWO: &str = "B: see\nC: see\nD: see\nE: see\nA: see\n";
const NO_CARDS: &str = "A: ask 0\nB: ask 0\nC: ask 0\nD: ask 0\nE: ask 0\n";
const JACK: &str = "given jacks-due = 1\ndeal A: Kd Ks 9h 7c 3d\ndeal B: 2c 3c 4d 6h 8h\ndeal D: 8s 8c 6d 5d 2s\ndeal E: Qs Qh 7d 4c 2h\n";
const HONEST: &str = "deal C: Js Jd 9c 5h 3s\nstock: Jh 9d 9s\n";
const FALSE: &str = "deal C: Ts Td 9c 5h 3s\n";
const BELIEVED: &str = "A: pass\nB: pass\nC: raise 10 ! raise\nD: see\nE: throw-in\nA: see\nB: throw-in\n";

#[test]
fn the_ante_that_is_raised_twice_is_twelve_for_everybody() {
    let played = table(&[], "", "B: see\nC: raise 5\nD: see\nE: raise 5\nA: see\nB: see\nC: see\nD: see\n");
    assert_eq!(played.counters(5), (vec![388; 5], 60));
}

#[test]
fn nobody_met_the_raise_of_the_ante() {
    let played = table(&[], "", "B: see\nC: raise 20\nD: throw-in\nE: throw-in\nA: throw-in\nB: throw-in\n");
    assert_eq!(played.counters(5), (vec![399, 398, 403, 400, 400], 0));
    assert!(played.over());
}

#[test]
fn nobody_came_in_and_the_blind_waits() {
    let thrown = "B: throw-in\nC: throw-in\nD: throw-in\nE: throw-in\n";
    let played = table(&[], "", thrown);
    assert_eq!(played.counters(5), (vec![399, 400, 400, 400, 400], 1));
    let played = table(&[("all-pass", "off")], "", thrown);
    assert_eq!(played.counters(5), (vec![400; 5], 0));
}

/// Four straddles, and sixteen is the last under a limit of fifty.
#[test]
fn straddling_ends_at_sixteen() {
    let chain = "B: straddle\nC: straddle\nD: straddle\nE: straddle\nF: straddle\n";
    let six = "seats 6\ndealer F\ngiven stack A = 100\ngiven stack B = 100\ngiven stack C = 100\ngiven stack D = 100\ngiven stack E = 100\ngiven stack F = 100\n";
    let played = table(&[], six, &format!("{chain}F: see\n"));
    assert_eq!(played.counters(6), (vec![99, 98, 96, 92, 84, 68], 63));
    let played = table(&[("straddle-cap", "quarter-limit")], six, &format!("{chain}E: see\n"));
    assert_eq!(played.counters(6), (vec![99, 98, 96, 92, 84, 100], 31));
}

/// The book's long example: sixteen antes, and 205 each of A and D; three fours beat three deuces, and B has laid down three sixes.
#[test]
fn the_long_example_of_betting() {
    let head = "deal A: 4s 4h 4d Kc 9s\ndeal B: 6s 6h 6d Jc 3h\ndeal C: 7c 8c 9c Td Qd\ndeal D: 2s 2h 2d Qc 8s\n";
    let items = "B: straddle\nC: see\nD: see\nE: throw-in\nA: see\nB: see\nA: ask 0\nB: ask 0\nC: ask 0\nD: ask 0\n\
        B: raise 5\nC: throw-in\nD: raise 50\nA: raise 50\nB: see\nD: raise 50\nA: raise 50\nB: throw-in\nD: see\n";
    assert_eq!(table(&[], head, items).counters(5), (vec![722, 291, 396, 191, 400], 0));
}

#[test]
fn a_tie_divides_and_the_odd_counter_waits() {
    let head = "deal B: Ts Tc Ad 7h 5s\ndeal C: Th Td Ac 7s 5c\ndeal D: 9s 9d Ks Qd Jh\n";
    let items = "B: see\nC: see\nD: see\nE: see\nA: throw-in\nB: ask 0\nC: ask 0\nD: ask 0\nE: ask 0\nB: raise 18\nC: see\nD: see\nE: throw-in\n";
    // 1 + 4 * 2 + 3 * 18 = 63
    assert_eq!(table(&[], head, items).counters(5), (vec![399, 411, 411, 380, 398], 1));
}

#[test]
fn without_a_bet_the_last_holder_takes_the_antes() {
    let items = format!("{ALL_IN_FOR_TWO}{NO_CARDS}B: throw-in\nC: throw-in\nD: throw-in\nE: throw-in\n");
    assert_eq!(table(&[], "", &items).counters(5), (vec![408, 398, 398, 398, 398], 0));
    let age_out = "B: see\nC: see\nD: throw-in\nE: see\nA: throw-in\nB: ask 0\nC: ask 0\nE: ask 0\nB: throw-in\nC: throw-in\n";
    assert_eq!(table(&[], "", age_out).counters(5), (vec![399, 398, 398, 400, 405], 0));
}

// ---------------------------------------------------------------------------------------------- jack pots
#[test]
fn the_opener_who_is_not_called_shows_his_openers() {
    let items = "A: pass\nB: pass\nC: raise 10\nD: see\nE: throw-in\nA: throw-in\nB: throw-in\nC: ask 3 9c 5h 3s\nD: ask 0\nC: raise 5\nD: throw-in\nC: prove Js Jd\n";
    // 25 + 10 + 10 + 5
    assert_eq!(table(&[], &format!("{JACK}{HONEST}"), items).counters(5), (vec![395, 395, 430, 385, 395], 0));
}

/// He breaks his jacks to draw to a flush, and proves with the jack that lies under the pool.
#[test]
fn the_opener_who_splits_proves_from_under_the_pool() {
    let head = format!("{JACK}deal C: Js Jh 9s 5s 3s Tc\n").replace("8s 8c", "8d 8c");
    let items = "A: pass\nB: pass\nC: raise 10\nD: see\nE: throw-in\nA: throw-in\nB: throw-in\nC: ask 1 Jh\nD: ask 0\nC: raise 5\nD: throw-in\nC: prove Js Jh\n";
    assert_eq!(table(&[], &head, items).counters(5), (vec![395, 395, 430, 385, 395], 0));
    // One jack proves nothing.
    let short = items.replace("prove Js Jh", "prove Js");
    assert!(table(&[], &head, &short).faults.starts_with("irregular-act"));
}

#[test]
fn who_opens_without_openers_does_what_is_not_in_order() {
    let played = table(&[], &format!("{JACK}{FALSE}"), "A: pass\nB: pass\nC: raise 10\n");
    assert!(played.faults.starts_with("irregular-act"), "{}", played.faults);
}

/// Who came in stays in: D and A play for 25 and 30.
#[test]
fn a_false_opener_who_owns_up_before_the_draw() {
    let head = format!("{JACK}{FALSE}");
    let stay = format!("{BELIEVED}C: owns-up\nA: ask 0\nD: ask 0\nD: raise 5\nA: throw-in\n");
    assert_eq!(table(&[], &head, &stay).counters(5), (vec![385, 395, 385, 440, 395], 0));
    // The first way: D takes his ten back, A has opened with his; 25, C's ten and A's lie in the pool.
    let withdraw = format!("{BELIEVED}C: owns-up\nD: take-back\n");
    assert_eq!(table(&[("false-early", "they-withdraw")], &head, &withdraw).counters(5), (vec![385, 395, 385, 395, 395], 45));
    // The third: all take back 40, C puts up 40 beside his own 15.
    let good = format!("{BELIEVED}C: owns-up\n");
    assert_eq!(table(&[("false-early", "make-good")], &head, &good).counters(5), (vec![400, 400, 345, 400, 400], 55));
}

#[test]
fn a_false_opener_whom_nobody_believed() {
    let items = "A: pass\nB: pass\nC: raise 10 ! raise\nC: owns-up\n";
    // His ten stays, and it is dealt again.
    let played = table(&[], &format!("{JACK}{FALSE}"), items);
    assert_eq!(played.counters(5), (vec![395, 395, 385, 395, 395], 35));
    assert!(!played.over());
}

#[test]
fn a_false_opener_who_owns_up_after_the_draw() {
    let items = format!("{BELIEVED}A: ask 0\nC: ask 0\nD: ask 0\nC: owns-up\n");
    assert_eq!(table(&[], &format!("{JACK}{FALSE}"), &items).counters(5), (vec![400, 400, 345, 400, 400], 55));
}

#[test]
fn a_false_opener_at_the_call_and_without_one() {
    let head = format!("{JACK}{FALSE}");
    let bet = "A: pass\nB: pass\nC: raise 10 ! raise\nD: see\nE: throw-in\nA: throw-in\nB: throw-in\nC: ask 0\nD: ask 0\nC: raise 5\n";
    // Tens beat eights, and cannot win; he antes for all in the next.
    let played = table(&[], &head, &format!("{bet}D: see\n"));
    assert_eq!(played.counters(5), (vec![395, 395, 380, 435, 395], 0));
    // Not called: as if it had been found after the draw. 20 and 15 go back, and he puts them up.
    let played = table(&[], &head, &format!("{bet}D: throw-in\n"));
    assert_eq!(played.counters(5), (vec![400, 400, 350, 400, 400], 50));
    assert!(!played.over());
}

#[test]
fn the_free_ride() {
    let head = "given jacks-due = 1\ngiven pays-next-jack = C\n";
    assert_eq!(table(&[], head, "A: pass\n").counters(5), (vec![400, 400, 375, 400, 400], 25));
}

#[test]
fn throwing_a_hand_down_in_a_jack_pot_costs_five_until_it_is_open() {
    let head = format!("{JACK}{HONEST}");
    assert_eq!(table(&[], &head, "A: throw-in ! throw-in\nB: pass\n").counters(5), (vec![390, 395, 395, 395, 395], 30));
    assert_eq!(table(&[], &head, "A: pass\nB: pass\nC: raise 10\nD: throw-in\n").counters(5), (vec![395, 395, 385, 395, 395], 35));
}

// ---------------------------------------------------------------------------------------------- table stakes
const SIGHT: &str = "seats 3\ndealer C\ngiven stack A = 102\ngiven stack B = 42\ngiven stack C = 102\n";

fn sight(b: &str, a: &str) -> (Vec<i64>, i64) {
    let head = format!("{SIGHT}deal A: {a}\ndeal B: {b}\ndeal C: Ts Th Td 8c 4s\n");
    let items = "B: see\nC: see\nA: see\nA: ask 0\nB: ask 0\nC: ask 0\nB: raise 20\nC: raise 60\nA: see\nB: sight\n";
    table(&[("stakes", "table-stakes")], &head, items).counters(3)
}

/// Six antes and three times forty are B's to win; twice forty lie beside.
#[test]
fn a_sight_is_called() {
    assert_eq!(sight("Js Jh Jd 7c 2c", "5s 5h 5d 9c 3s"), (vec![20, 126, 100], 0));
    assert_eq!(sight("9h 9d Ac Kd 3h", "5s 5h 5d 9c 3s"), (vec![20, 0, 226], 0));
}

#[test]
fn no_sight_in_limit_play() {
    let played = table(&[], SIGHT, "B: raise 38\nC: raise 50\nA: throw-in\nB: sight\n");
    assert!(played.faults.starts_with("irregular-act"), "{}", played.faults);
}

// ---------------------------------------------------------------------------------------------- faults of the deal
/// How often the cards were dealt for a pool in which nothing more happened.
fn deals(items: &str) -> usize {
    let played = table(&[], "deal C: 7h 9c\n", items);
    assert_eq!(played.faults, "");
    1 + played.notes.iter().filter(|note| matches!(note, Note::Voided { .. })).count()
}

#[test]
fn what_makes_a_fresh_deal() {
    assert_eq!(deals("table: turned-up 7h C\n"), 1);
    assert_eq!(deals("table: turned-up 7h C\ntable: turned-up 9c C\n"), 2);
    assert_eq!(deals("C: shows-himself 7h\nC: shows-himself 9c\n"), 1);
    assert_eq!(deals("table: found-faced Kd\n"), 2);
    assert_eq!(deals("E: deal-several B 2 ! deal-several\ntable: several-noticed B\n"), 1);
    assert_eq!(deals("E: deal-several B 2 ! deal-several\nE: deal-to C\ntable: several-noticed B\n"), 2);
    assert_eq!(deals("table: wrong-number-of-hands 6\n"), 2);
    assert_eq!(deals("C: counts-cards 4\nC: fresh-deal\n"), 2);
    assert_eq!(deals("C: counts-cards 4\nC: supply\n"), 1);
    assert_eq!(deals("C: counts-cards 6\nC: give-up\n"), 1);
}

#[test]
fn who_counts_too_late_is_out_and_his_counters_stay() {
    let played = table(&[], "", "B: see\nC: see\nC: counts-cards 6\nD: throw-in\nE: throw-in\nA: throw-in\n");
    // B is the last with a hand: his two, C's two, and the blind.
    assert_eq!(played.counters(5), (vec![399, 403, 398, 400, 400], 0));
    let played = table(&[], "", "C: touches\nC: counts-cards 6\nB: see\nD: throw-in\nE: throw-in\nA: throw-in\n");
    assert_eq!(played.counters(5), (vec![399, 401, 400, 400, 400], 0));
}

/// The last with a hand finds that it is foul: the pool is nobody's, and waits.
#[test]
fn nobody_is_left_to_take_the_pool() {
    let played = table(&[("all-pass", "off")], "", "B: throw-in\nC: throw-in\nD: throw-in\nE: throw-in\nA: throw-in\n");
    assert_eq!(played.counters(5), (vec![399, 400, 400, 400, 400], 1));
    assert!(played.over());
}

// ---------------------------------------------------------------------------------------------- the draw
#[test]
fn a_card_exposed_in_the_draw_is_replaced_last() {
    let head = "deal B: 2c 3c 4d 6h 8h Th Td\ndeal C: 9h 9s 5c 5d 7c Ks\n";
    let items = format!("{ALL_IN_FOR_TWO}A: ask 0\nB: ask 1 2c\ntable: turned-up Th B\nC: ask 1 7c\nD: ask 0\nE: ask 0\nB: throw-in\n");
    let played = table(&[], head, &items);
    assert_eq!(played.counters(5).1, 10);
    // C has drawn the king; B's second card is the next of the rest.
    let places = &played.game.program.places;
    let discards = places.iter().find(|place| place.name == "discards").unwrap().cells.first;
    assert_eq!(played.state.order(discards).len(), 3);
}

// ---------------------------------------------------------------------------------------------- chance
/// Whatever is chosen, play goes on, and counters are neither made nor lost.
#[test]
fn chance_plays_pool_after_pool() {
    let settings: [&[(&str, &str)]; 6] = [
        &[],
        &[("stakes", "table-stakes"), ("discard-timing", "all-first")],
        &[("false-early", "they-withdraw"), ("bucks", "played"), ("kitty-scheme", "sliding"), ("jack-passing", "allowed")],
        &[("false-early", "make-good"), ("openers", "progressive"), ("fatten", "one-each"), ("two-in", "all-contribute")],
        &[("showing", "loser-may-throw-down"), ("refusing-show", "refund-antes"), ("after-misdeal", "jack"), ("two-in", "age-pays")],
        &[
            ("joker", "mistigris"),
            ("bobtail", "opens-too"),
            ("high-hands", "whole-round"),
            ("ante-size", "dealer-chooses"),
            ("raised-out", "openers-only"),
        ],
    ];
    for (round, settings) in settings.iter().enumerate() {
        let mut selection = Selection::of("foster-draw");
        selection.choose = settings.iter().map(|(option, branch)| ((*option).to_owned(), (*branch).to_owned())).collect();
        selection.set = vec![("limit".to_owned(), "3".to_owned())];
        let rulebook = Catalog::embedded().load(&selection).unwrap_or_else(|faults| panic!("{faults:?}"));
        let game = Game::new(rulebook.table.clone().unwrap());
        let words = Words::new(&rulebook, &game.program);
        for seed in 0..3 {
            let (written, _) = record(FileId(0), "seats 5\nstart sitting\n");
            let (mut setup, _) = opening(&words, &Sheet::of(&written).0).unwrap();
            let mut dice = Dice::new(100 * u64::try_from(round).unwrap() + seed);
            setup.roles = roles(&words, setup.seats, &mut dice).into_iter().map(|(role, _, value)| (role, value)).collect();
            let manner = Manner { irregular: 10 * u32::try_from(seed).unwrap(), most: 150 };
            let played = play(&game, &setup, &mut dice, manner).unwrap();
            assert!(!matches!(played.state.stop(), Stop::NeedsRuling(_) | Stop::Stuck(_)), "{settings:?}, seed {seed}: {:?}", played.state.stop());
            let cells = game.program.accounts.iter().map(|account| account.cells.first).max().unwrap() + 9;
            let all: i64 = (0..cells).map(|cell| played.state.account(cell)).sum();
            assert_eq!(all, 0, "the bank owes what the others hold: {settings:?}, seed {seed}");
        }
    }
}
