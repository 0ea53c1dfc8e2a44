//! Random tables for the properties of the engine: rulebooks under random options, a play made of a few small numbers, and its record.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test that cannot go on shall stop")]

use std::fmt;
use std::sync::OnceLock;

use hoyle::engine::random::{Dice, Line};
use hoyle::engine::{
    Act, Choice, Game, Mode, Note, Order, Orders, Setup, State, Stop, Truth, Value, What, Words, act, alternatives, events, go_on, is_duty,
    leave_undone, look, name_of, offers, opening, rights, seats_of, start, waiting,
};
use hoyle::rules::table::program::{Domain, HookBy, LogSort, NameId, PieceId, SeatId, Type};
use hoyle::rules::{Catalog, Rulebook, Selection};
use hoyle::source::FileId;
use hoyle::syntax::record::record;
use hoyle::syntax::sheet::Sheet;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestRng, TestRunner};

// ---------------------------------------------------------------------------------------------- rulebooks

/// A rulebook under some options, ready to be played.
pub struct Table {
    pub rulebook: Rulebook,
    pub game: Game,
    /// What a record says of its rules.
    head: String,
}

impl Table {
    pub fn words(&self) -> Words<'_> {
        Words::new(&self.rulebook, &self.game.program)
    }

    pub fn load(selection: &Selection) -> Table {
        let mut catalog = Catalog::embedded();
        catalog.add("whist.hoyle", include_str!("../whist/whist.hoyle"));
        let rulebook = catalog.load(selection).unwrap_or_else(|faults| panic!("{selection:?}: {faults:?}"));
        let game = Game::new(rulebook.table.clone().unwrap());
        let choose = selection.choose.iter().map(|(option, branch)| format!("choose {option} = {branch}\n"));
        let set = selection.set.iter().map(|(name, value)| format!("set {name} = {value}\n"));
        let head = format!("rulebook {}\n", selection.name) + &choose.chain(set).collect::<String>();
        Table { rulebook, game, head }
    }

    pub fn is_whist(&self) -> bool {
        self.rulebook.name == "whist"
    }
}

const OPTIONS: [(&str, &[&str]); 7] = [
    ("form", &["ordinary", "purchase", "peep"]),
    ("pool-scheme", &["no-pool", "dealer-one", "dealer-three", "knaves-and-fives"]),
    ("failed-nap", &["unchanged", "doubled"]),
    ("all-pass", &["dealer-makes-one", "deal-is-void"]),
    ("wellingtons", &["barred", "allowed"]),
    ("miseries", &["barred", "allowed", "without-trumps"]),
    ("early-card", &["as-revoke", "ignored"]),
];
/// Napoleon as it stands in the book, and under options of its own each.
const NAPS: usize = 20;
/// So many numbers stand for whist.
const WHISTS: usize = 5;

/// The first is nap without options; then come options at random, and whist.
pub fn table(which: usize) -> &'static Table {
    static TABLES: [OnceLock<Table>; NAPS + 1] = [const { OnceLock::new() }; NAPS + 1];
    let which = which.min(NAPS);
    TABLES[which].get_or_init(|| {
        if which == NAPS {
            return Table::load(&Selection::of("whist"));
        }
        let mut selection = Selection::of("hoffmann-nap");
        let mut dice = Dice::new(u64::try_from(which).unwrap());
        if which > 0 {
            for (option, branches) in OPTIONS {
                selection.choose.push((option.to_owned(), (*dice.one_of(branches).unwrap()).to_owned()));
            }
            for (parameter, most) in [("stake", 9), ("price", 4), ("most-bought", 5), ("nap-won", 12)] {
                selection.set.push((parameter.to_owned(), (1 + dice.below(most)).to_string()));
            }
        }
        Table::load(&selection)
    })
}

// ---------------------------------------------------------------------------------------------- plans

/// One small choice.
#[derive(Clone, Copy, Debug)]
pub struct Pick {
    pub kind: Kind,
    pub number: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Duties by default, and at the first offer a regular act.
    Regular,
    /// Another way to do a duty, where there are several; the number says how many are passed before.
    Otherwise,
    /// Something irregular at the first offer.
    Irregular,
    /// Somebody acts out of his turn at the first offer.
    OutOfTurn,
    /// A duty goes wrong, or is left undone.
    Mishap,
    Right,
    Event,
}

/// A whole play in a few small numbers.
#[derive(Clone)]
pub struct Plan {
    pub which: usize,
    pub seats: usize,
    pub dealer: usize,
    pub opening: usize,
    pub seed: u64,
    /// Duties done by default are written down where the record needs them, and nowhere else.
    pub terse: bool,
    pub picks: Vec<Pick>,
}

pub fn picks(irregular: bool, most: usize) -> impl Strategy<Value = Vec<Pick>> {
    let kinds = if irregular {
        prop_oneof![
            70 => Just(Kind::Regular),
            4 => Just(Kind::Otherwise),
            6 => Just(Kind::Irregular),
            3 => Just(Kind::OutOfTurn),
            2 => Just(Kind::Mishap),
            6 => Just(Kind::Right),
            3 => Just(Kind::Event),
        ]
        .boxed()
    } else {
        prop_oneof![80 => Just(Kind::Regular), 5 => Just(Kind::Otherwise), 5 => Just(Kind::Right), 1 => Just(Kind::Event)].boxed()
    };
    // Small numbers are common: the first of the choices is often the one that leads on.
    let numbers = prop_oneof![1 => 0..8_usize, 3 => 0..4096_usize];
    prop::collection::vec((kinds, numbers).prop_map(|(kind, number)| Pick { kind, number }), 0..most)
}

pub fn plans(irregular: bool, most: usize) -> impl Strategy<Value = Plan> {
    let head = (0..NAPS + WHISTS, 2..7_usize, 0..6_usize, 0..4_usize, 0..65_536_u64, any::<bool>());
    (head, picks(irregular, most)).prop_map(|((which, seats, dealer, opening, seed, terse), picks)| {
        let which = which.min(NAPS);
        Plan { which, seats: if which == NAPS { 4 } else { seats }, dealer, opening, seed, terse, picks }
    })
}

/// Told when a property fails: the record, ready to be kept.
impl fmt::Debug for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Ok(text) = std::panic::catch_unwind(|| self.play().text()) else { return write!(f, "{:?} {:?}", self.head(), self.picks) };
        writeln!(f, "this record (keep it: a file tests/records/WHAT-IT-SHOWS.rec is replayed for ever):\n\n{text}")?;
        write!(f, "{:?} terse {}", self.picks, self.terse)
    }
}

/// Whether to look for new records: the environment says how many. Otherwise the same ones are tried each time.
pub fn runner(cases: u32) -> TestRunner {
    let asked = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok());
    let config =
        Config { cases: asked.unwrap_or(cases), failure_persistence: None, max_shrink_iters: 600, max_shrink_time: 15_000, ..Config::default() };
    match asked {
        Some(_) => TestRunner::new(config),
        None => TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha)),
    }
}

/// Tries a property on so many plans.
pub fn all<S: Strategy>(cases: u32, strategy: S, property: impl Fn(S::Value)) {
    let tried = runner(cases).run(&strategy, |plan| {
        property(plan);
        Ok::<(), TestCaseError>(())
    });
    if let Err(error) = tried {
        panic!("{error}");
    }
}

// ---------------------------------------------------------------------------------------------- playing

/// Orders of the pack by a seed; the same pieces are asked for in the same order, however they lay before.
#[derive(Clone, Debug, Default)]
pub struct Decks {
    pub seed: u64,
    pub given: Vec<Vec<PieceId>>,
    /// Two pieces that change places in the order of that number.
    pub swap: Option<(usize, PieceId, PieceId)>,
}

impl Orders for Decks {
    fn next(&mut self, pieces: &[PieceId]) -> Order {
        let mut pieces: Vec<PieceId> = pieces.to_vec();
        pieces.sort_unstable();
        let number = self.given.len();
        Dice::new(self.seed + 100_000 * u64::try_from(number).unwrap()).shuffle(&mut pieces);
        if let Some((at, a, b)) = self.swap
            && at == number
        {
            for piece in &mut pieces {
                *piece = renamed(*piece, a, b);
            }
        }
        self.given.push(pieces.clone());
        Order::Deck(pieces.into_iter().map(Some).collect())
    }
}

pub fn renamed(piece: PieceId, a: PieceId, b: PieceId) -> PieceId {
    match piece {
        _ if piece == a => b,
        _ if piece == b => a,
        other => other,
    }
}

/// What was done at one stop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Deed {
    /// A duty by default, or a pause.
    Default,
    Act(Act, Option<NameId>),
    Undone(Option<SeatId>, NameId),
}

pub struct Step {
    pub deed: Deed,
    pub notes: Vec<Note>,
    /// How the table stood behind it.
    pub state: State,
    /// Orders that were asked for up to there.
    pub orders: usize,
}

pub struct Play {
    pub table: &'static Table,
    pub setup: Setup,
    pub head: String,
    pub lines: Vec<String>,
    pub first: State,
    /// What happened on the way to the first stop.
    pub notes: Vec<Note>,
    pub steps: Vec<Step>,
    pub decks: Decks,
    terse: bool,
    silent: Vec<String>,
    /// A pause was passed since the last line.
    paused: bool,
}

/// Duties and pauses in a row, before something is thought to turn in circles.
const MOST_IN_A_ROW: usize = 500;

impl Plan {
    pub fn table(&self) -> &'static Table {
        table(self.which)
    }

    /// What the record says before the first act.
    fn head(&self) -> String {
        let table = self.table();
        let dealer = format!("dealer {}\n", ['A', 'B', 'C', 'D', 'E', 'F'][self.dealer % self.seats]);
        let opening = match (self.opening, table.is_whist()) {
            (3, true) => format!("start rubber\n{dealer}"),
            (_, true) => format!("start deal\n{dealer}"),
            (0 | 1, false) => format!("start round\n{dealer}"),
            (2, false) => dealer,
            (_, false) => String::new(),
        };
        format!("{}seats {}\n{opening}", table.head, self.seats)
    }

    pub fn play(&self) -> Play {
        let table = self.table();
        let head = self.head();
        let (sheet, faults) = Sheet::of(&record(FileId(0), &head).0);
        assert_eq!(faults, []);
        let (setup, _) = opening(&table.words(), &sheet).unwrap();
        let mut decks = Decks { seed: self.seed, ..Decks::default() };
        let mut notes = Vec::new();
        let first = start(&table.game, &setup, &mut decks, Some(&mut notes));
        let (terse, lines, steps, silent) = (self.terse, Vec::new(), Vec::new(), Vec::new());
        let mut play = Play { table, setup, head, lines, first, notes, steps, decks, terse, silent, paused: false };
        for pick in &self.picks {
            if !play.pick(*pick) {
                break;
            }
        }
        for _ in 0..MOST_IN_A_ROW {
            if !play.by_default() {
                break;
            }
        }
        play
    }
}

impl Play {
    pub fn text(&self) -> String {
        let words = self.table.words();
        let orders = self.decks.given.iter().map(|order| Line::Order(order.clone()).in_words(&words));
        self.head.clone() + &orders.chain(self.lines.iter().cloned()).map(|line| line + "\n").collect::<String>()
    }

    pub fn state(&self) -> &State {
        self.steps.last().map_or(&self.first, |step| &step.state)
    }

    /// Every state, from the first stop on.
    pub fn states(&self) -> impl Iterator<Item = &State> {
        std::iter::once(&self.first).chain(self.steps.iter().map(|step| &step.state))
    }

    pub fn all_notes(&self) -> impl Iterator<Item = &Note> {
        self.notes.iter().chain(self.steps.iter().flat_map(|step| &step.notes))
    }

    fn push(&mut self, deed: Deed, notes: Vec<Note>, state: State) {
        self.steps.push(Step { deed, notes, state, orders: self.decks.given.len() });
    }

    /// A duty, or a pause; `false`: somebody must choose, or play is over.
    pub fn by_default(&mut self) -> bool {
        let game = &self.table.game;
        let (mut state, mut notes) = (self.state().clone(), Vec::new());
        let pause = *state.stop() == Stop::Pause;
        let done = hoyle::engine::default(game, &state).unwrap();
        if go_on(game, &mut state, &mut self.decks, Some(&mut notes)).is_err() {
            return false;
        }
        if let Some(choice) = done {
            let line = hoyle::engine::done_in_words(game, &self.table.words(), self.state(), &choice.act);
            self.silent.push(line);
            if !self.terse {
                self.write_silent();
            }
        }
        self.paused |= pause;
        self.push(Deed::Default, notes, state);
        true
    }

    fn write_silent(&mut self) {
        if !self.silent.is_empty() {
            self.paused = false;
        }
        self.lines.append(&mut self.silent);
    }

    /// Goes on to the first offer.
    fn to_the_offer(&mut self) -> bool {
        for _ in 0..MOST_IN_A_ROW {
            if *self.state().stop() == Stop::Offer && !is_duty(&self.table.game, self.state()) {
                return true;
            }
            if !self.by_default() {
                return false;
            }
        }
        panic!("{MOST_IN_A_ROW} duties in a row:\n{}", self.text())
    }

    /// Passes some duties and pauses, and stays before the first offer at the latest.
    fn pass(&mut self, number: usize) {
        for _ in 0..number {
            let stop = *self.state().stop() == Stop::Pause || is_duty(&self.table.game, self.state());
            if !stop || !self.by_default() {
                return;
            }
        }
    }

    fn pick(&mut self, pick: Pick) -> bool {
        let game = &self.table.game;
        let number = pick.number;
        let found = match pick.kind {
            Kind::Regular => return self.to_the_offer() && self.regular(number),
            Kind::Irregular => {
                if !self.to_the_offer() {
                    return false;
                }
                of_truth(offers(game, self.state()).unwrap(), Truth::No)
            }
            Kind::OutOfTurn => {
                if !self.to_the_offer() {
                    return false;
                }
                out_of_turn(self.table, self.state())
            }
            Kind::Otherwise | Kind::Mishap => {
                self.pass(number / 64);
                if !is_duty(game, self.state()) {
                    return true;
                }
                if pick.kind == Kind::Mishap && number.is_multiple_of(3) && self.undone(number) {
                    return true;
                }
                let truth = if pick.kind == Kind::Mishap { Truth::No } else { Truth::Yes };
                of_truth(offers(game, self.state()).unwrap(), truth)
            }
            Kind::Right => {
                self.pass(number / 64 % 8);
                rights(game, self.state()).unwrap()
            }
            Kind::Event => {
                self.pass(number / 64);
                let mut found = events(game, self.state()).unwrap();
                found.extend(numbered(self.table, self.state(), number));
                found
            }
        };
        if !found.is_empty() {
            let choice = found[number % found.len()].clone();
            self.take(&choice);
        }
        true
    }

    fn regular(&mut self, number: usize) -> bool {
        let found = of_truth(offers(&self.table.game, self.state()).unwrap(), Truth::Yes);
        if found.is_empty() {
            return false;
        }
        let choice = found[number % found.len()].clone();
        self.take(&choice)
    }

    /// Does an act and writes it down, if a record can say it here.
    pub fn take(&mut self, choice: &Choice) -> bool {
        let game = &self.table.game;
        let name = name_of(game, self.state(), &choice.act).unwrap();
        let breach = (choice.regular == Truth::No).then_some(choice.breach.unwrap_or(name));
        let (mut state, mut notes) = (self.state().clone(), Vec::new());
        let plain = matches!(choice.act.what, What::Alternative(_)) && choice.regular == Truth::Yes;
        if !plain || is_duty(game, &state) {
            self.write_silent();
            // What is passed without a word, and can bear the same act, would bear it.
            if self.paused && matches!(choice.act.what, What::Hook(_)) {
                return true;
            }
        }
        let mut orders = self.decks.clone();
        match act(game, &mut state, &choice.act, breach, Mode::Adjudicate, &mut orders, Some(&mut notes)) {
            Ok(()) => {}
            Err(refused) => panic!("{choice:?} is offered and {refused:?}:\n{}", self.text()),
        }
        let mark = breach.map(|breach| format!(" ! {}", self.table.words().name(breach))).unwrap_or_default();
        let line = Line::Act { name, by: choice.act.by, arguments: choice.act.arguments.clone(), breach: None }.in_words(&self.table.words()) + &mark;
        self.decks = orders;
        self.silent.clear();
        self.lines.push(line);
        self.paused = false;
        self.push(Deed::Act(choice.act.clone(), breach), notes, state);
        true
    }

    /// Leaves a duty undone, if that can be.
    fn undone(&mut self, number: usize) -> bool {
        let game = &self.table.game;
        let left = alternatives(game, self.state()).iter().find_map(|alternative| {
            let left = alternative.breach.filter(|_| alternative.regular.is_none() && !alternative.irregular);
            left.map(|breach| (alternative.act, breach))
        });
        let Some((name, breach)) = left else { return false };
        let seats: Vec<SeatId> = seats_of(waiting(game, self.state()).unwrap()).collect();
        let by = (!seats.is_empty()).then(|| seats[number / 3 % seats.len()]);
        let (mut state, mut notes) = (self.state().clone(), Vec::new());
        leave_undone(game, &mut state, by, breach, &mut self.decks, Some(&mut notes)).unwrap();
        self.write_silent();
        let words = self.table.words();
        self.lines.push(format!("{} ! {}", words.act(name, by, &[]), words.name(breach)));
        self.paused = false;
        self.push(Deed::Undone(by, breach), notes, state);
        true
    }
}

fn of_truth(mut choices: Vec<Choice>, truth: Truth) -> Vec<Choice> {
    choices.retain(|choice| choice.regular == truth);
    choices
}

/// Acts with one piece by seats that are not waited for.
pub fn out_of_turn(table: &Table, state: &State) -> Vec<Choice> {
    let mut found = Vec::new();
    let waited = waiting(&table.game, state).unwrap();
    for seat in seats_of(state.seated() & !waited) {
        for (position, alternative) in alternatives(&table.game, state).iter().enumerate() {
            let [parameter] = alternative.parameters.as_slice() else { continue };
            if !matches!(parameter.kind, Type::Piece(_)) {
                continue;
            }
            for piece in (0..table.game.program.pieces.len()).map(|piece| PieceId::try_from(piece).unwrap()) {
                let arguments = [Value::Piece(piece)];
                let (possible, regular, breach) = look(&table.game, state, Some(seat), position, &arguments).unwrap();
                if possible == Truth::Yes {
                    assert_eq!(regular, Truth::No, "an act out of turn is regular");
                    let act = Act { by: Some(seat), what: What::Alternative(position), arguments: arguments.into_iter().collect() };
                    found.push(Choice { act, regular, breach });
                }
            }
        }
    }
    found
}

/// Events and rights that want a number: it cannot be counted up, so one is taken.
pub fn numbered(table: &Table, state: &State, number: usize) -> Vec<Choice> {
    let mut found = Vec::new();
    for (hook, declared) in table.game.program.hooks.iter().enumerate() {
        let from_outside = matches!(table.game.program.names[declared.name].sort, LogSort::Event | LogSort::Right);
        let wants = |kind: &Type| declared.parameters.iter().any(|of| of.kind == *kind && matches!(of.domain, Domain::All));
        if !from_outside || !wants(&Type::Number) || !matches!(state.stop(), Stop::Offer | Stop::Pause) {
            continue;
        }
        let seats: Vec<SeatId> = seats_of(state.seated()).collect();
        let seat = seats[number / 8 % seats.len()];
        let mut by = None;
        let mut arguments = hoyle::engine::Arguments::new();
        for parameter in &declared.parameters {
            if matches!(declared.by, HookBy::Slot(slot) if slot == parameter.slot) {
                by = Some(seat);
            }
            arguments.push(if parameter.kind == Type::Number { Value::Number(i64::try_from(number % 8).unwrap()) } else { Value::Seat(seat) });
        }
        let done = Act { by, what: What::Hook(hook), arguments };
        let mut same = state.clone();
        if act(&table.game, &mut same, &done, None, Mode::Adjudicate, &mut Decks::default(), None).is_ok() {
            found.push(Choice { act: done, regular: Truth::Yes, breach: None });
        }
    }
    found
}
