//! What holds of every play, whatever is played: random records over random options of nap, and whist.
//!
//! A record that breaks a property is printed as a text which `hoyle play` accepts, as short as it can be made. Kept as a file in
//! `tests/records`, it is replayed for ever (`kept_records_hold`). `PROPTEST_CASES=2000 cargo test --test engine_properties` looks for new ones.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::wildcard_enum_match_arm,
    reason = "a test that cannot go on shall stop"
)]

mod engine_support;

use std::cell::Cell;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use engine_support::{Decks, Deed, Plan, Play, Table, all, out_of_turn, plans, renamed, table};
use hoyle::engine::random::Dice;
use hoyle::engine::replay::{Done, Played, replay};
use hoyle::engine::{
    Act, Choice, Mode, Note, Outcome, Refused, Ruling, State, Stop, Subject, Truth, UNSEEN, Value, What, act, answer, events, forward, go_on, look,
    offers, opening, rights, seats_of, start, view, waiting,
};
use hoyle::rules::Selection;
use hoyle::rules::table::program::{PieceId, RuleId, SeatId};
use hoyle::source::FileId;
use hoyle::syntax::record::record;
use hoyle::syntax::sheet::Sheet;
use proptest::prelude::*;

// ---------------------------------------------------------------------------------------------- what holds of one state

/// Counters and pieces are all there, each piece in one place.
fn conserved(table: &Table, state: &State) {
    assert_eq!(state.counters(), 0, "counters came from nothing");
    let pack = table.game.program.pieces.len();
    assert_eq!(state.pieces(), pack, "pieces were lost or made");
    let cells: usize = table.game.program.places.iter().map(|place| place.cells.count()).sum();
    let mut times = vec![0; 256];
    for piece in (0..cells).flat_map(|cell| state.order(cell)) {
        times[usize::from(*piece)] += 1;
    }
    assert!(times.iter().all(|times| *times < 2), "a piece lies in two places");
    assert!((pack..usize::from(UNSEEN)).all(|piece| times[piece] == 0), "a piece is not of the pack");
}

/// Somebody can go on, or play is over, or two rules differ that the book leaves undecided.
fn goes_on(table: &Table, state: &State) {
    match state.stop() {
        Stop::Over | Stop::Pause => {}
        Stop::Offer => {
            let found = offers(&table.game, state).unwrap();
            assert!(found.iter().any(|choice| choice.regular != Truth::No), "nobody can go on regularly");
        }
        Stop::NeedsRuling(unruled) => {
            let ruling = answer(&table.game, state, unruled.question, &unruled.arguments);
            assert!(ruling.is_ok_and(|ruling| matches!(ruling.outcome, Outcome::Conflict(_)) && is_announced(table, &ruling)), "{unruled:?}");
        }
        Stop::Stuck(fault) => panic!("stuck: {fault:?}"),
    }
}

/// Rules that differ were announced as undecided, two by two.
fn is_announced(table: &Table, ruling: &Ruling) -> bool {
    let Outcome::Conflict(values) = &ruling.outcome else { return true };
    let pair =
        |one: RuleId, other: RuleId| table.game.program.undecided.iter().any(|pair| [(one, other), (other, one)].contains(&(pair.one, pair.other)));
    let sides: Vec<(RuleId, &Value)> = ruling.by.iter().copied().zip(values).collect();
    let hook = matches!(ruling.subject, Subject::Hook(_));
    sides
        .iter()
        .enumerate()
        .all(|(at, (one, value))| sides[at + 1..].iter().all(|(other, differs)| (!hook && value == differs) || pair(*one, *other)))
}

fn some(found: &[Choice], most: usize) -> impl Iterator<Item = &Choice> {
    found.iter().step_by(found.len().div_ceil(most).max(1))
}

/// What is offered can be done: the regular in both modes alike, the irregular where it is not prevented.
fn applies(table: &Table, state: &State) {
    let game = &table.game;
    let mut found: Vec<Choice> = some(&offers(game, state).unwrap(), 6).cloned().collect();
    found.extend(some(&out_of_turn(table, state), 2).cloned());
    found.extend(some(&rights(game, state).unwrap(), 3).cloned());
    found.extend(some(&events(game, state).unwrap(), 3).cloned());
    for choice in found {
        let mut stands = state.clone();
        let done = act(game, &mut stands, &choice.act, None, Mode::Adjudicate, &mut Decks::default(), None);
        assert_eq!(done, Ok(()), "{choice:?}");
        conserved(table, &stands);
        let mut prevented = state.clone();
        let done = act(game, &mut prevented, &choice.act, None, Mode::Prevent, &mut Decks::default(), None);
        if choice.regular == Truth::No {
            assert!(matches!(done, Err(Refused::Irregular { .. })), "{choice:?}: {done:?}");
            assert_eq!(prevented, *state, "a refused act changes something: {choice:?}");
        } else {
            assert_eq!(done, Ok(()), "{choice:?}");
            assert_eq!(prevented, stands, "a regular act does otherwise where breaches are prevented: {choice:?}");
        }
    }
}

/// The fast path finds the same choices, and comes to the same states.
fn is_fast(table: &Table, state: &State) {
    let game = &table.game;
    let (slow, mut fast, mut same) = (offers(game, state).unwrap(), Vec::new(), state.clone());
    forward::choices(game, &mut same, &mut fast).unwrap();
    assert_eq!(slow, fast);
    assert_eq!(same, *state, "looking at choices changes something");
    for choice in some(&slow, 6) {
        let (mut one, mut other) = (state.clone(), same.clone());
        let mut decks = Decks::default();
        let _ = act(game, &mut one, &choice.act, None, Mode::Adjudicate, &mut decks, None);
        while go_on(game, &mut one, &mut decks, None).is_ok() {}
        forward::choose(game, &mut other, choice, &mut Decks::default());
        assert_eq!(one, other, "{choice:?}");
    }
    let (mut one, mut other) = (state.clone(), state.clone());
    let mut decks = Decks::default();
    while go_on(game, &mut one, &mut decks, None).is_ok() {}
    forward::forward(game, &mut other, &mut Decks::default());
    assert_eq!(one, other);
}

// ---------------------------------------------------------------------------------------------- the properties

#[test]
fn counters_and_pieces_are_conserved() {
    all(600, plans(true, 90), |plan| {
        let play = plan.play();
        play.states().for_each(|state| conserved(play.table, state));
    });
}

#[test]
fn play_never_sticks() {
    all(800, plans(true, 90), |plan| {
        let play = plan.play();
        play.states().for_each(|state| goes_on(play.table, state));
    });
}

#[test]
fn what_is_offered_can_be_done() {
    all(160, plans(true, 60), |plan| {
        let play = plan.play();
        play.states().for_each(|state| applies(play.table, state));
    });
}

#[test]
fn every_play_ends() {
    const MOST: usize = 2_500;
    all(240, plans(true, 60), |plan| {
        let play = plan.play();
        let game = &play.table.game;
        let mut state = play.state().clone();
        let (mut decks, mut found) = (play.decks.clone(), Vec::new());
        for number in 0.. {
            assert!(number < MOST, "{MOST} acts, and no end");
            // A sitting ends when somebody says so.
            if number == 0
                && let Some(rises) = events(game, &state).unwrap().iter().find(|event| event.act.arguments.is_empty())
                && play.table.words().name(game.program.hooks[hook_of(&rises.act)].name) == "table-rises"
            {
                act(game, &mut state, &rises.act, None, Mode::Adjudicate, &mut decks, None).unwrap();
            }
            forward::forward(game, &mut state, &mut decks);
            if !matches!(state.stop(), Stop::Offer) {
                assert!(matches!(state.stop(), Stop::Over | Stop::NeedsRuling(_)), "{:?}", state.stop());
                break;
            }
            forward::choices(game, &mut state, &mut found).unwrap();
            let choice = found.iter().find(|choice| choice.regular == Truth::Yes).unwrap().clone();
            forward::choose(game, &mut state, &choice, &mut decks);
        }
    });
}

fn hook_of(act: &Act) -> usize {
    match act.what {
        What::Hook(hook) => hook,
        What::Alternative(_) => panic!("no event"),
    }
}

fn read(text: &str) -> Sheet {
    let (written, faults) = record(FileId(0), text);
    assert_eq!(faults, [], "\n{text}");
    let (sheet, faults) = Sheet::of(&written);
    assert_eq!(faults, [], "\n{text}");
    sheet
}

fn notes(played: &Played) -> Vec<&Note> {
    played.steps.iter().flat_map(|step| step.before.iter().chain(&step.done)).flat_map(|done: &Done| &done.notes).collect()
}

fn is_dead(state: &State) -> bool {
    matches!(state.stop(), Stop::NeedsRuling(_) | Stop::Stuck(_))
}

#[test]
fn a_record_replays_to_the_same_end_and_the_same_rulings() {
    all(600, plans(true, 80), |plan| {
        let play = plan.play();
        let text = play.text();
        let again = replay(&play.table.game, &play.table.words(), &read(&text), Mode::Adjudicate);
        let errors: Vec<_> = again.faults.iter().filter(|fault| fault.is_error()).collect();
        if is_dead(play.state()) {
            assert_eq!(errors.len(), 1, "{errors:?}");
            return;
        }
        assert!(errors.is_empty(), "{errors:?}");
        assert_eq!(again.steps.last().unwrap().state, *play.state());
        assert_eq!(notes(&again), play.all_notes().collect::<Vec<_>>());
    });
}

#[test]
fn both_modes_agree_where_nothing_is_irregular() {
    all(400, plans(false, 80), |plan| {
        let play = plan.play();
        let game = &play.table.game;
        let mut decks = Decks { seed: plan.seed, ..Decks::default() };
        let mut state = start(game, &play.setup, &mut decks, None);
        for step in &play.steps {
            let mut notes = Vec::new();
            match &step.deed {
                Deed::Act(done, breach) => {
                    assert_eq!(*breach, None);
                    assert_eq!(act(game, &mut state, done, None, Mode::Prevent, &mut decks, Some(&mut notes)), Ok(()));
                }
                Deed::Default => assert_eq!(go_on(game, &mut state, &mut decks, Some(&mut notes)), Ok(())),
                Deed::Undone(..) => panic!("a duty was left undone"),
            }
            assert_eq!(state, step.state);
            assert_eq!(notes, step.notes);
        }
        let sheet = read(&play.text());
        let [one, other] = [Mode::Prevent, Mode::Adjudicate].map(|mode| replay(game, &play.table.words(), &sheet, mode));
        assert_eq!(notes(&one), notes(&other));
        assert_eq!(one.steps.last().unwrap().state, other.steps.last().unwrap().state);
    });
}

#[test]
fn rules_differ_only_where_the_book_leaves_it_open() {
    all(800, plans(true, 90), |plan| {
        let play = plan.play();
        for note in play.all_notes() {
            if let Note::Ruling(ruling) = note {
                assert!(is_announced(play.table, ruling), "{ruling:?}");
            }
        }
    });
}

#[test]
fn the_fast_path_is_the_same_path() {
    all(160, plans(true, 60), |plan| {
        let play = plan.play();
        play.states().for_each(|state| is_fast(play.table, state));
    });
}

// ---------------------------------------------------------------------------------------------- views

/// Pieces that a seat has seen at a stop.
fn seen(table: &Table, state: &State, seat: SeatId) -> Vec<PieceId> {
    view(&table.game, state, seat).unwrap().places.into_iter().flatten().flatten().collect()
}

/// A piece that an act names is heard of by all. What is bought is not: only how much.
fn is_heard(step: &engine_support::Step, piece: PieceId) -> bool {
    match &step.deed {
        Deed::Act(done, _) => done.arguments.contains(&Value::Piece(piece)),
        Deed::Default | Deed::Undone(..) => false,
    }
}

fn exchanged(value: &Value, a: PieceId, b: PieceId) -> Value {
    match value {
        Value::Piece(piece) => Value::Piece(renamed(*piece, a, b)),
        Value::Pieces(pieces) => Value::Pieces(pieces.iter().map(|piece| renamed(piece, a, b)).collect()),
        Value::List(items) => Value::list(items.iter().map(|item| exchanged(item, a, b)).collect()),
        other => other.clone(),
    }
}

/// What a seat is told: his view, what is offered to him, and what he may claim.
fn told(table: &Table, state: &State, seat: SeatId) -> (hoyle::engine::View, u8, Vec<Choice>, Vec<Choice>) {
    let game = &table.game;
    let his = |choices: Vec<Choice>| choices.into_iter().filter(|choice| choice.act.by == Some(seat)).collect();
    (view(game, state, seat).unwrap(), waiting(game, state).unwrap(), his(offers(game, state).unwrap()), his(rights(game, state).unwrap()))
}

/// Plays the same with two pieces exchanged in the last order of the pack, and compares what a seat is told. `false`: the others could not act so.
fn twin(plan: &Plan, play: &Play, since: usize, seat: SeatId, (a, b): (PieceId, PieceId)) -> bool {
    let (table, game) = (play.table, &play.table.game);
    let order = play.decks.given.len() - 1;
    let mut decks = Decks { seed: plan.seed, swap: Some((order, a, b)), ..Decks::default() };
    let mut state = start(game, &play.setup, &mut decks, None);
    for (at, step) in play.steps.iter().enumerate() {
        let before = if at == 0 { &play.first } else { &play.steps[at - 1].state };
        match &step.deed {
            Deed::Default => {
                if go_on(game, &mut state, &mut decks, None).is_err() {
                    return false;
                }
            }
            Deed::Undone(by, breach) => {
                if hoyle::engine::leave_undone(game, &mut state, *by, *breach, &mut decks, None).is_err() {
                    return false;
                }
            }
            Deed::Act(done, breach) => {
                let exchange = at > since;
                let arguments = done.arguments.iter().map(|value| if exchange { exchanged(value, a, b) } else { value.clone() }).collect();
                let done = Act { arguments, ..done.clone() };
                if let What::Alternative(position) = done.what {
                    let regular = look(game, &state, done.by, position, &done.arguments).unwrap();
                    let was = look(
                        game,
                        before,
                        done.by,
                        position,
                        &match &step.deed {
                            Deed::Act(was, _) => was.arguments.clone(),
                            Deed::Default | Deed::Undone(..) => Default::default(),
                        },
                    );
                    if regular != was.unwrap() {
                        return false;
                    }
                }
                if act(game, &mut state, &done, *breach, Mode::Adjudicate, &mut decks, None).is_err() {
                    return false;
                }
            }
        }
        if at >= since && !is_dead(&step.state) {
            let (one, other) = (told(table, &step.state, seat), told(table, &state, seat));
            let words = table.words();
            let what = format!("{} can tell {} from {} at step {at}", hoyle::engine::letter(seat), words.piece(a), words.piece(b));
            assert_eq!(one.0, other.0, "{what}");
            assert_eq!((one.1, one.2, one.3), (other.1, other.2, other.3), "{what}");
        }
    }
    true
}

#[test]
fn no_view_shows_what_its_seat_may_not_know() {
    let (tried, held) = (Cell::new(0), Cell::new(0));
    all(240, plans(true, 50), |plan| {
        let play = plan.play();
        let orders = play.decks.given.len();
        // Where the last order came in; the twin differs from there on.
        let Some(since) = play.steps.iter().position(|step| step.orders == orders).filter(|_| orders > 0) else { return };
        let mut dice = Dice::new(plan.seed);
        for seat in seats_of(play.first.seated()) {
            let mut hidden = play.decks.given[orders - 1].clone();
            for state in play.states().skip(since + 1) {
                let seen = seen(play.table, state, seat);
                hidden.retain(|piece| !seen.contains(piece));
            }
            for step in &play.steps[since + 1..] {
                hidden.retain(|piece| !is_heard(step, *piece));
            }
            for _ in 0..3 {
                dice.shuffle(&mut hidden);
                if let [a, b, ..] = hidden[..] {
                    tried.set(tried.get() + 1);
                    held.set(held.get() + i32::from(twin(&plan, &play, since, seat, (a, b))));
                }
            }
        }
    });
    assert!(held.get() * 3 > tried.get(), "{} twins of {} could be played", held.get(), tried.get());
}

// ---------------------------------------------------------------------------------------------- whist

/// Cells of a place, a tally, by name.
fn place(table: &Table, name: &str) -> std::ops::Range<usize> {
    let place = table.game.program.places.iter().find(|place| place.name == name).unwrap();
    place.cells.first..place.cells.first + place.cells.count()
}

#[test]
fn a_thousand_deals_of_whist_score_their_odd_tricks() {
    let table = table(usize::MAX);
    let game = &table.game;
    let taken = place(table, "taken");
    let points = game.program.tallies.iter().find(|tally| tally.name == "points").unwrap().cells.first;
    let counting = game.procedure("counting").unwrap();
    let mut dice = Dice::new(1_000);
    let mut moved = 0;
    for deal in 0..1_000_u64 {
        let head = format!("start deal\ndealer {}\n", ['A', 'B', 'C', 'D'][usize::try_from(deal % 4).unwrap()]);
        let (setup, _) = opening(&table.words(), &read(&head)).unwrap();
        let mut decks = Decks { seed: deal, ..Decks::default() };
        let mut state = start(game, &setup, &mut decks, None);
        while !state.open().any(|open| open == counting) {
            if hoyle::engine::is_duty(game, &state) {
                go_on(game, &mut state, &mut decks, None).unwrap();
                continue;
            }
            let mut found = offers(game, &state).unwrap();
            found.retain(|choice| choice.regular == Truth::Yes);
            let choice = dice.one_of(&found).unwrap().clone();
            act(game, &mut state, &choice.act, None, Mode::Adjudicate, &mut decks, None).unwrap();
        }
        let tricks = |seat: usize| i64::try_from(state.order(taken.start + seat).len() / 4).unwrap();
        let sides = [tricks(0) + tricks(2), tricks(1) + tricks(3)];
        assert_eq!(sides[0] + sides[1], 13, "deal {deal}");
        assert_eq!([state.tally(points), state.tally(points + 1)], [0, 0], "deal {deal}");
        forward::forward(game, &mut state, &mut decks);
        assert_eq!(*state.stop(), Stop::Over);
        let odd = sides.map(|tricks| (tricks - 6).max(0));
        assert_eq!([state.tally(points), state.tally(points + 1)], odd, "deal {deal}");
        conserved(table, &state);
        moved += odd[0] + odd[1];
    }
    assert!(moved > 1_000, "each deal has an odd trick at least");
}

// ---------------------------------------------------------------------------------------------- hostile records

/// Generous, for busy machines.
const SOON: Duration = Duration::from_secs(10);

/// Reads and plays whatever is written.
fn hear(table: &Table, text: &str) {
    let began = Instant::now();
    let (written, _) = record(FileId(0), text);
    let (sheet, _) = Sheet::of(&written);
    for mode in [Mode::Prevent, Mode::Adjudicate] {
        let played = replay(&table.game, &table.words(), &sheet, mode);
        for step in &played.steps {
            assert_eq!(step.state.counters(), played.steps[0].state.counters(), "counters came from nothing");
            assert_eq!(step.state.pieces(), table.game.program.pieces.len(), "pieces were lost or made");
        }
        if let Some(step) = played.steps.last() {
            let _ = hoyle::engine::replay::standing(&table.game, &step.state);
            for seat in seats_of(step.state.seated()) {
                let _ = view(&table.game, &step.state, seat);
            }
        }
    }
    assert!(began.elapsed() < SOON, "{:?}", began.elapsed());
}

/// Mutates a text: lines and words change places, are lost, come twice, or become others.
fn mutated(text: &str, mutations: &[(u8, u16, u16)]) -> String {
    const STRANGE: [&str; 16] = [
        "?",
        "0",
        "-1",
        "9999999999999999999",
        "A",
        "H",
        "Ah",
        "!",
        "!revoke",
        "after 1",
        "against B",
        "deck:",
        "deal A:",
        "given stack A = 3",
        "",
        "é",
    ];
    let mut lines: Vec<Vec<String>> = text.lines().map(|line| line.split(' ').map(str::to_owned).collect()).collect();
    for (how, one, other) in mutations {
        let (one, other) = (usize::from(*one), usize::from(*other));
        let (from, to) = (one % lines.len(), other % lines.len());
        let (word, with) = (one / lines.len() % lines[from].len().max(1), other / lines.len() % lines[to].len().max(1));
        match how % 7 {
            0 => lines.swap(from, to),
            1 if lines.len() > 1 => drop(lines.remove(from)),
            2 => {
                let line = lines[from].clone();
                lines.insert(to, line);
            }
            3 | 1 => {
                if let (Some(a), Some(b)) = (lines[from].get(word).cloned(), lines[to].get(with).cloned()) {
                    lines[from][word] = b;
                    if let Some(word) = lines[to].get_mut(with) {
                        *word = a;
                    }
                }
            }
            4 => lines[from].insert(word, STRANGE[other % STRANGE.len()].to_owned()),
            5 => {
                if word < lines[from].len() {
                    lines[from].remove(word);
                }
            }
            _ => {
                if let Some(word) = lines[from].get_mut(word) {
                    *word = STRANGE[other % STRANGE.len()].to_owned();
                }
            }
        }
    }
    lines.iter().map(|line| line.join(" ") + "\n").collect()
}

#[test]
fn no_record_makes_it_panic_or_hang() {
    let mutations = prop::collection::vec(any::<(u8, u16, u16)>(), 1..8);
    all(800, (plans(true, 30), mutations), |(plan, mutations)| {
        let text = mutated(&plan.play().text(), &mutations);
        let heard = std::panic::catch_unwind(|| hear(plan.table(), &text));
        assert!(heard.is_ok(), "this text:\n\n{text}");
    });
}

// ---------------------------------------------------------------------------------------------- kept records

/// The rules that a record names.
fn under(sheet: &Sheet) -> Selection {
    let rules = &sheet.rules;
    let name = rules.house.as_ref().or(rules.rulebook.as_ref()).map(|name| name.it.clone());
    Selection {
        with: rules.with.iter().map(|name| name.it.clone()).collect(),
        set: rules.set.iter().map(|(name, value)| (name.it.clone(), hoyle::syntax::print::expression(value))).collect(),
        choose: rules.choose.iter().map(|(option, branch)| (option.it.clone(), branch.it.clone())).collect(),
        ..Selection::of(name.unwrap())
    }
}

/// Records that broke a property once. They hold all of them now, and what a line `# ends: …` says.
#[test]
fn kept_records_hold() {
    let mut files: Vec<_> =
        fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/records")).unwrap().map(|file| file.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "rec"));
    files.sort();
    assert!(!files.is_empty());
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        let held = std::panic::catch_unwind(|| kept(&text));
        assert!(held.is_ok(), "{name} does not hold");
    }
}

fn kept(text: &str) {
    let sheet = read(text);
    let table = Table::load(&under(&sheet));
    hear(&table, text);
    let played = replay(&table.game, &table.words(), &sheet, Mode::Adjudicate);
    let faults: Vec<&str> = played.faults.iter().map(|fault| fault.code.text()).collect();
    let wanted: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("# ends: ")).collect();
    assert_eq!(faults, wanted, "{:?}", played.faults);
    for step in &played.steps {
        conserved(&table, &step.state);
        goes_on(&table, &step.state);
        applies(&table, &step.state);
        is_fast(&table, &step.state);
    }
    for note in notes(&played) {
        if let Note::Ruling(ruling) = note {
            assert!(is_announced(&table, ruling), "{ruling:?}");
        }
    }
}
