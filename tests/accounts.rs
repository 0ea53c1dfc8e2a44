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
    helps: String,
}

/// Plays a record with a rulebook, and some more declarations laid on it.
fn table(book: &str, more: &str, lines: &str) -> Table {
    let name = book.split("rulebook ").nth(1).unwrap().split(' ').next().unwrap();
    let mut catalog = Catalog::embedded();
    catalog.add("book.hoyle", book);
    let mut selection = Selection::of(name);
    if !more.is_empty() {
        catalog.add("more.hoyle", format!("amendment more on {name} {{ {more} }}"));
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
    let helps = played.faults.iter().flat_map(|fault| fault.help.clone()).collect();
    Table { helps, faults: played.faults.iter().map(|fault| format!("{}: {}\n", fault.code.text(), fault.message)).collect(), state, game }
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

    fn facts(&self, name: &str, count: usize) -> Vec<i64> {
        let fact = self.game.program.facts.iter().find(|fact| fact.name == name).unwrap();
        let state = self.state.as_ref().unwrap();
        (0..count).map(|at| state.fact(fact.cells.first + at).number().unwrap()).collect()
    }

    fn nobodys(&self, name: &str) -> i64 {
        self.cell(name, 8)
    }
}

/// What each of the first seats put in, who of them still plays, and who wins against all others: lines of a record.
fn put_in(shares: &[i64], playing: &str, winning: &str) -> String {
    let count = shares.len();
    let seats = shares.iter().zip('A'..);
    let shares = seats.map(|(share, seat)| format!("given pool {seat} = {share}\n"));
    let yes = |fact: &'static str, seats: &str| seats.chars().map(move |seat| format!("given {fact} {seat} = yes\n")).collect::<String>();
    format!("seats {count}\n") + &shares.collect::<String>() + &yes("in-it", playing) + &yes("wins", winning)
}

fn pots(shares: &[i64], playing: &str, winning: &str) -> Table {
    let table = table(POTS, "", &put_in(shares, playing, winning));
    assert_eq!(table.faults, "");
    table
}

#[test]
fn three_heights_are_three_slices() {
    // 10 from each of four to A and C, who tie; then 20 from each of three, and 30 from each of two, to C alone.
    let table = pots(&[10, 30, 60, 60], "ABCD", "AC");
    assert_eq!(table.cells("stack", 4), [20, 0, 140, 0]);
    assert_eq!((table.cells("pool", 4), table.nobodys("pool"), table.cell("odd-ones", 0)), (vec![0; 4], 0, 0));
    assert_eq!(table.facts("claims", 4), [40, 100, 160, 160]);
    assert_eq!((table.facts("turns", 1), table.facts("mains", 1)), (vec![3], vec![1]));
}

#[test]
fn what_does_not_divide_goes_where_the_odd_ones_go() {
    // 40 among three are 13 each and one over; 60 among B and C; 60 to C.
    let table = pots(&[10, 30, 60, 60], "ABCD", "ABC");
    assert_eq!(table.cells("stack", 4), [13, 43, 103, 0]);
    assert_eq!(table.cell("odd-ones", 0), 1);
}

#[test]
fn equal_shares_are_one_slice() {
    let table = pots(&[20, 20, 20], "ABC", "B");
    assert_eq!(table.cells("stack", 3), [0, 60, 0]);
    assert_eq!((table.facts("turns", 1), table.facts("mains", 1)), (vec![1], vec![1]));
}

#[test]
fn who_has_given_up_leaves_what_lies_below_the_heights() {
    // A stopped at 10, B at 30; C put in 20 and went. The lowest slice is 10 of each and the 5 of nobody: 35, for A and B. The next is
    // 20 of B and 10 of C, for B alone.
    let table = table(POTS, "", &(put_in(&[10, 30, 20], "AB", "AB") + "given pool nobody = 5\n"));
    assert_eq!(table.faults, "");
    assert_eq!(table.cells("stack", 3), [17, 47, 0]);
    assert_eq!((table.cells("pool", 3), table.nobodys("pool"), table.cell("odd-ones", 0)), (vec![0; 3], 0, 1));
}

#[test]
fn what_nobody_called_comes_back() {
    // The 40 that A put in above B's 60 are a slice that A alone can claim.
    let table = pots(&[100, 60], "AB", "B");
    assert_eq!(table.cells("stack", 2), [40, 120]);
}

#[test]
fn above_the_greatest_height_a_share_stays_its_owners() {
    // A put in 50 and has gone; B stays with 30. The 20 above are in no slice.
    let table = pots(&[50, 30], "B", "");
    assert_eq!(table.cells("stack", 2), [0, 60]);
    assert_eq!((table.cells("pool", 2), table.nobodys("pool")), (vec![20, 0], 0));
}

#[test]
fn what_a_turn_leaves_is_nobodys() {
    // Nobody wins the lowest slice, 10 of each; B and C share nothing of the next either; C alone has the last 30.
    let table = pots(&[10, 30, 60], "ABC", "");
    assert_eq!(table.cells("stack", 3), [0, 0, 30]);
    assert_eq!((table.cells("pool", 3), table.nobodys("pool")), (vec![0, 0, 0], 70));
}

#[test]
fn without_seats_nothing_is_cut() {
    let table = table(POTS, "", &(put_in(&[10, 20], "", "A") + "given pool nobody = 5\n"));
    assert_eq!(table.faults, "");
    assert_eq!((table.cells("pool", 2), table.nobodys("pool")), (vec![10, 20], 5));
    assert_eq!(table.facts("turns", 1), [0]);
}

#[test]
fn what_is_nobodys_can_be_claimed_by_seats_that_put_in_nothing() {
    // C has gone and keeps his 7; the 12 of nobody are for A and B.
    let table = table(POTS, "", &(put_in(&[0, 0, 7], "AB", "A") + "given pool nobody = 12\n"));
    assert_eq!(table.faults, "");
    assert_eq!(table.cells("stack", 3), [12, 0, 0]);
    assert_eq!((table.cells("pool", 3), table.nobodys("pool")), (vec![0, 0, 7], 0));
    assert_eq!((table.facts("turns", 1), table.facts("mains", 1)), (vec![1], vec![1]));
    let nothing = pots(&[0, 0, 7], "AB", "A");
    assert_eq!(nothing.facts("turns", 1), [0]);
}

#[test]
fn a_rule_may_take_from_a_slice_before_it_is_shared() {
    // 3 of the lowest slice (40) and 3 of each other (60, 60) go aside: 37 to A and C, 57 and 57 to C.
    let more = "account aside; rule tax on sharing { pay 3 from s to aside; }";
    let table = table(POTS, more, &put_in(&[10, 30, 60, 60], "ABCD", "AC"));
    assert_eq!(table.faults, "");
    assert_eq!(table.cell("aside", 0), 9);
    assert_eq!(table.cells("stack", 4), [18, 0, 132, 0]);
    assert_eq!(table.cell("odd-ones", 0), 1);
}

#[test]
fn what_is_paid_out_of_a_share_comes_out_of_the_highest_slice() {
    // A takes 25 of his 60 back while the lowest slice (10 of each) is open: the 30 of the highest shrink to 5.
    let more = "rule back on sharing { when s.main; pay 25 from pool(elder) to stack(elder); } role elder;";
    let table = table(POTS, more, &("role elder A\n".to_owned() + &put_in(&[60, 30, 10], "ABC", "C")));
    assert_eq!(table.faults, "");
    // 30 to C; of the second slice nobody wins 40; the last, 5, is A's own.
    assert_eq!(table.cells("stack", 3), [30, 0, 30]);
    assert_eq!(table.nobodys("pool"), 40);
}

#[test]
fn a_share_that_owes_counts_as_none() {
    // The table lets shares be owed: A is 4 behind, and has no claim. B put in 10.
    let book = POTS
        .replace("account pool by seat;", "account pool by seat, may owe;")
        .replace("procedure divide {", "procedure divide { pay 4 from pool(elder) to odd-ones;");
    let book = book + "role elder;\n";
    let table = table(&book, "", &("role elder A\n".to_owned() + &put_in(&[0, 10], "AB", "AB")));
    assert_eq!(table.faults, "");
    assert_eq!((table.cells("stack", 2), table.cells("pool", 2), table.nobodys("pool")), (vec![0, 10], vec![-4, 0], 0));
    assert_eq!(table.facts("claims", 2), [0, 10]);
}

/// A table with one procedure of these statements.
fn script(declarations: &str, statements: &str, lines: &str) -> Table {
    let book = format!(
        "rulebook tiny \"a few counters\" follows none;\nseats 2 to 4;\naccount stack of seat;\naccount pool by seat;\naccount kitty;\nrole elder;\n\
         fact told: number = 0 per evening;\n{declarations}\nprocedure whole {{ {statements} }}\n"
    );
    table(&book, "", &("role elder A\n".to_owned() + lines))
}

#[test]
fn nothing_can_be_shared_among_nobody() {
    let table = script("", "share pool among { } to stack, rest to kitty;", "seats 2\ngiven pool = 5\n");
    assert!(
        table.faults.starts_with("impossible-deed:") && table.faults.contains("no seats") && table.faults.contains("`whole`"),
        "{}",
        table.faults
    );
    assert_eq!(table.nobodys("pool"), 5);
}

#[test]
fn any_account_can_be_shared() {
    let table = script("", "share kitty among seats to stack, rest to pool(elder);", "seats 3\ngiven kitty = 11\n");
    assert_eq!(table.faults, "");
    assert_eq!((table.cells("stack", 3), table.cell("kitty", 0), table.cells("pool", 1)), (vec![3, 3, 3], 0, vec![2]));
    // The whole of a joint account: every share, nobody's first.
    let table = script("", "share pool among seats to stack, rest to kitty;", "seats 2\ngiven pool A = 4\ngiven pool B = 2\ngiven pool = 5\n");
    assert_eq!(table.faults, "");
    assert_eq!((table.cells("stack", 2), table.cell("kitty", 0)), (vec![5, 5], 1));
    assert_eq!((table.cells("pool", 2), table.nobodys("pool")), (vec![0, 0], 0));
}

#[test]
fn where_all_divides_nobody_is_asked_where_the_rest_goes() {
    let silent = "question odd-one(n: number) -> account; rule of-three on odd-one { when n = 3; is kitty; }";
    let even = script(silent, "share pool among seats to stack, rest to odd-one(2);", "seats 2\ngiven pool = 6\n");
    assert_eq!((even.faults.as_str(), even.cells("stack", 2)), ("", vec![3, 3]));
    let uneven = script(silent, "share pool among seats to stack, rest to odd-one(2);", "seats 2\ngiven pool = 7\n");
    assert!(uneven.faults.starts_with("needs-ruling:"), "{}", uneven.faults);
    let agreed = script(silent, "share pool among seats to stack, rest to odd-one(2);", "seats 2\ngiven pool = 7\nagree odd-one 2 = stack B\n");
    assert_eq!((agreed.faults.as_str(), agreed.cells("stack", 2)), ("", vec![3, 4]));
    let agreed = script(silent, "share pool among seats to stack, rest to odd-one(2);", "seats 2\ngiven pool = 7\nagree odd-one 2 = pool nobody\n");
    assert_eq!((agreed.faults.as_str(), agreed.nobodys("pool")), ("", 1));
}

#[test]
fn an_account_is_a_value() {
    let declarations = "question treasurer(p: seat) -> account otherwise stack(p);
        rule first-of-all on treasurer { when p = elder; is kitty; }
        def purse(p: seat) = if p = elder then treasurer(p) else stack(p);
        signal fee(giver: account, n: number);
        rule fee-paid on fee { let most = giver; pay table most { 0, 1: most; else: n; } from giver to pool; }
        action lend(giver: account, taker: account, n: number) { pay n from giver to taker; told += taker; }";
    // The kitty holds 9. A's purse is the kitty, B's his stack.
    let statements = "let source = if told = 0 then kitty else stack(elder);
        pay 2 from source to stack(elder);          # kitty 7, A 2
        let earlier = kitty;                          # what lay there then: 7
        lend(purse(elder), stack(left of elder), 3); # kitty 4, B 3; told 3
        announce fee(purse(left of elder), 2);       # B 1, pool 2
        announce fee(purse(left of elder), 2);       # he has only 1: B 0, pool 3
        told += 100 * earlier + 1000 * purse(elder);  # 3 + 700 + 4000
        pay all from source to stack(elder);         # still the kitty: A 6";
    let statements: String = statements.lines().map(|line| line.split('#').next().unwrap().trim()).collect();
    let table = script(declarations, &statements, "seats 2\ngiven kitty = 9\n");
    assert_eq!(table.faults, "");
    assert_eq!((table.cell("kitty", 0), table.cells("stack", 2), table.nobodys("pool")), (0, vec![6, 0], 3));
    assert_eq!(table.facts("told", 1), [4703]);
}

#[test]
fn a_slice_is_gone_with_its_loop() {
    let statements = "let last-one = kitty; each slice s of pool among seats { remember(s); } pay 1 from kept to kitty;";
    let declarations = "fact kept: account = kitty per evening; action remember(s: account) { kept := s; }";
    let table = script(declarations, statements, "seats 2\ngiven pool A = 4\n");
    assert!(table.faults.starts_with("impossible-deed:") && table.faults.contains("slice"), "{}", table.faults);
    // What it held is nobody's: no turn of the loop paid it out.
    assert_eq!((table.cells("pool", 2), table.nobodys("pool")), (vec![0, 0], 4));
    let table = script(declarations, "told := count(kept.claimants);", "seats 2\n");
    assert!(table.faults.contains("a slice is wanted"), "{}", table.faults);
}

#[test]
fn who_leaves_the_loop_leaves_the_shares_as_they_are() {
    let declarations =
        "procedure inner { each slice s of pool among seats { if not s.main { end inner; } share s among s.claimants to stack, rest to kitty; } }";
    // 5 of each are shared; then the loop is left, and B's other 4 are still his share.
    let table = script(declarations, "inner(); each slice t of pool among seats { told := t; }", "seats 2\ngiven pool A = 5\ngiven pool B = 9\n");
    assert_eq!(table.faults, "");
    assert_eq!(table.facts("told", 1), [4]);
    assert_eq!((table.cells("stack", 2), table.cells("pool", 2), table.nobodys("pool")), (vec![5, 5], vec![0, 0], 4));
}

#[test]
fn a_void_brings_slices_back_with_their_accounts() {
    let declarations = "fact spoiled: truth = yes per evening;
        void pays-out restores accounts;
        procedure pays-out(s: account) { pay 2 from s to kitty; if spoiled { spoiled := no; void pays-out, again; } }
        procedure loses(s: account) { pay 1 from s to kitty; void loses; }";
    let statements = "each slice s of pool among seats { pays-out(s); loses(s); told := s; share s among s.claimants to stack, rest to kitty; }";
    // 6 in the slice: 2 are paid, come back, and are paid once more; the 1 is not brought back, for nothing says so. 3 are left: 1 each, 1 over.
    let table = script(declarations, statements, "seats 2\ngiven pool A = 3\ngiven pool B = 3\n");
    assert_eq!(table.faults, "");
    assert_eq!(table.facts("told", 1), [3]);
    assert_eq!((table.cells("stack", 2), table.cell("kitty", 0), table.cells("pool", 2)), (vec![1, 1], 4, vec![0, 0]));
}

#[test]
fn rules_on_what_is_voided_run_between_the_restoring_and_the_new_call() {
    // The kitty pays 5 to A, then the deal is void: 5 come back (told 100 * 8), the rule pays 1 to B, and the deal begins again with 7.
    let declarations = "void deal restores accounts;
        question spoilt -> truth; rule one-time on spoilt { is told = 0; }
        procedure deal(n: number) { told += kitty; pay n from kitty to stack(elder); if told = 8 { void deal for bad-count, again; } }
        procedure other { void other; }
        rule count-it on voided { when what = deal and cause = bad-count and not during deal; told += 100 * kitty; }
        rule pay-it on voided { when what = deal; pay 1 from kitty to stack(left of elder); }
        rule not-this on voided { when what = other and cause = bad-count; told += 10000; }
        rule but-this on voided { when what = other and cause is none; told += 1000000; }";
    let table = script(declarations, "deal(5); other();", "seats 2\ngiven kitty = 8\n");
    assert_eq!(table.faults, "");
    assert_eq!((table.cell("kitty", 0), table.cells("stack", 2)), (2, vec![5, 1]));
    assert_eq!(table.facts("told", 1), [1_000_000 + 800 + 8 + 7]);
}

#[test]
fn a_rule_on_what_is_voided_may_stop() {
    let declarations = "procedure deal { if told = 0 { void deal, again; } told += 10; }
        rule somebody-says on voided { offer elder { | say(n in 1 to 5) => told += n; } }";
    let table = script(declarations, "deal();", "seats 2\nA: say 3\n");
    assert_eq!(table.faults, "");
    assert_eq!(table.facts("told", 1), [13]);
    let waits = script(declarations, "deal();", "seats 2\n");
    assert_eq!(waits.facts("told", 1), [0]);
}

const CARDS: &str = "rulebook hands \"three cards\" follows none;
kind suit = red \"r\";
scale rank = two \"2\", three \"3\", four \"4\", five \"5\", six \"6\", seven \"7\";
piece card has rank, suit;
pieces one card of each rank, suit;
seats 2;
place pack, at start;
place hand of seat, seen by owner;
role elder;
fact told: number = 0 per evening;
breach too-soon;
question lucky(p: seat) -> truth otherwise no;
rule elder-is on lucky { when p = elder; is yes; }
procedure whole {
  arrange pack;
  show top 2 of pack to elder;
  mark bottom 1 of pack known to left of elder;
  each p in seats { move top 1 of pack to hand(p); }
  offer elder { | say(n in 1 to 5) => told += n; | irregular wait => told += 1; }
}
";

#[test]
fn what_an_order_gives_and_nobody_gets_is_told() {
    let whole = table(CARDS, "", "role elder A\ndeal A: 2r\ndeal B: 3r\n");
    assert_eq!(whole.faults, "");
    let more = table(CARDS, "", "role elder A\ndeal A: 2r\ndeal B: 3r 4r\n");
    assert_eq!(more.faults, "unused-order: B came to fewer pieces than this order gives\n");
}

#[test]
fn an_agreement_where_the_book_answers_is_refused() {
    let wrong = table(CARDS, "", "role elder A\nagree lucky A = no\n");
    assert_eq!(wrong.faults, "bad-record: `lucky` has an answer here, yes, by `elder-is`: nothing can be agreed on it\n");
    let otherwise = table(CARDS, "", "role elder A\nagree lucky B = yes\n");
    assert_eq!(otherwise.faults, "bad-record: `lucky` has an answer here, no, by its `otherwise`: nothing can be agreed on it\n");
}

#[test]
fn an_unknown_act_is_answered_with_acts_first() {
    let wrong = table(CARDS, "", "role elder A\nA: zzzzzz\n");
    assert_eq!(wrong.faults, "unknown-name: the rulebook knows no act `zzzzzz`\n");
    assert!(wrong.helps.starts_with("there is `say`"), "{}", wrong.helps);
    let wrong = table(CARDS, "", "role elder A\nA: say 3 ! zzzzzz\n");
    assert!(wrong.helps.starts_with("there is `too-soon`"), "{}", wrong.helps);
}

#[test]
fn several_pieces_are_shown_at_once() {
    let table = table(CARDS, "", "role elder A\ndeck: 2r 3r 4r 5r 6r 7r\n");
    assert_eq!(table.faults, "");
    let program = &table.game.program;
    let state = table.state.as_ref().unwrap();
    let known = |seat: u8| -> Vec<String> {
        let view = hoyle::engine::view(&table.game, state, seat).unwrap();
        let all = program.pieces.iter().zip(0u8..).filter(|(_, piece)| view.places.iter().flatten().any(|seen| *seen == Some(*piece)));
        all.map(|(piece, _)| piece.text.clone()).collect()
    };
    // A saw 2r and 3r on top, of which 2r is his own now and 3r is in B's hand; B saw the lowest, 7r, and has 3r.
    assert_eq!(known(0), ["2r", "3r"]);
    assert_eq!(known(1), ["3r", "7r"]);
}

const TRICKS: &str = "rulebook two-tricks \"two tricks of three\" follows none;
use tricks;
pieces one card of each rank from two to four, suit;
seats 3;
rule left-of-dealer on eldest { is left of dealer; }
adopt must-follow, free-to-lead-or-discard, best-card-takes, winner-leads;
rule no-trumps on trumps { is none; }
rule turn-of-the-others on out-of-turn-played { stands; }
procedure whole { arrange pack; repeat 2 times { each p in seats { move top of pack to hand(p); } } play(left of dealer, 2); }
event out-of-turn-played(p: seat) possible when has out-of-turn by p or has revoke by p;
";

#[test]
fn who_has_played_to_a_trick_plays_no_second_card_to_it() {
    // B leads, C follows; A is awaited. C's other card could only be a second one.
    let start = "dealer A\ndeal A: 2c 2d\ndeal B: 3c 3d\ndeal C: 4c 4d\nB: play 3c\nC: play 4c\n";
    let second = table(TRICKS, "", &(start.to_owned() + "C: play 4d ! out-of-turn\n"));
    assert!(second.faults.starts_with("needs-a-move: "), "{}", second.faults);
    // In the next one B plays before A, which is out of turn and possible: he has not played to it.
    let whole = table(TRICKS, "", &(start.to_owned() + "A: play 2c\nC: play 4d\nB: play 3d ! out-of-turn\nA: play 2d\n"));
    assert_eq!(whole.faults, "");
}

#[test]
fn counters_are_neither_lost_nor_made() {
    // Shares, seats that stay and winners are taken from one number after another; what was put in lies somewhere in the end, and nothing is owed.
    for number in 0..300_i64 {
        let digit = |place: u32| number * 7919 / 3_i64.pow(place) % 3;
        let shares: Vec<i64> = (0..4).map(|seat| digit(seat) * 7 + digit(seat + 1)).collect();
        let chosen = |from: u32| "ABCD".chars().zip(from..).filter(|(_, place)| digit(*place) != 0).map(|(seat, _)| seat).collect::<String>();
        let tax = if number % 2 == 0 { "account aside; rule tax on sharing { when s > 4; pay 5 from s to aside; }" } else { "" };
        let table = table(POTS, tax, &(put_in(&shares, &chosen(1), &chosen(4)) + &format!("given pool nobody = {}\n", number % 5)));
        assert_eq!(table.faults, "", "{number}");
        let state = table.state.as_ref().unwrap();
        assert_eq!(state.counters(), shares.iter().sum::<i64>() + number % 5, "{number}");
        let cells = table.game.program.accounts.iter().map(|account| account.cells.count() + usize::from(account.joint)).sum::<usize>();
        assert!((0..cells).all(|cell| state.account(cell) >= 0), "{number}");
    }
}
