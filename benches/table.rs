//! How many decisions and how many deals a second the tables take, trace off, on one core.
//!
//! A random play-out of whist and nap: ask for the acts, choose a regular one with equal chances, do it, until the procedure is over; then again. Of
//! piquet and draw poker, where hundreds of acts are in order at many an offer: draw one that is regular, and do it. A decision is an
//! offer that was answered; the dealing between two of them counts in the time. Each line is printed for people and then as JSON for
//! `benches/peers/run.sh`, which lays it beside OpenSpiel and programs written by hand. The report says how far each is from the bar; the process fails below a floor.
//!
//! `HOYLE_BENCH_SECONDS` is the time for each game; `HOYLE_BENCH_DECISIONS` stops after so many decisions instead, for counting instructions.
#![allow(
    clippy::print_stdout,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::panic,
    clippy::cast_precision_loss,
    reason = "a bench prints, and stops when something is wrong"
)]

use std::env;
use std::fs;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use hoyle::engine::{Arguments, Cell, Choice, Game, Order, Orders, Setup, State, Stop, Truth, Value, forward, start};
use hoyle::rules::{Catalog, Rulebook, Selection};

/// Decisions a second that every game is to reach; the report says which does not yet.
const BAR: f64 = 300_000.0;
/// Below this something has gone wrong, whatever else the machine is doing.
const FLOOR: f64 = 40_000.0;

fn main() {
    let seconds = env::var("HOYLE_BENCH_SECONDS").ok().and_then(|text| text.parse().ok()).unwrap_or(2.0);
    // Under a tool that counts instructions the clock means nothing.
    let seconds = if env::var("HOYLE_BENCH_DECISIONS").is_ok() { 86_400.0 } else { seconds };
    let most = env::var("HOYLE_BENCH_DECISIONS").ok().and_then(|text| text.parse().ok()).unwrap_or(u64::MAX);
    let only = env::var("HOYLE_BENCH_GAME").ok();
    let mut catalog = Catalog::embedded();
    for (name, text) in [("whist", include_str!("../tests/whist/whist.hoyle")), ("whist-fixture", include_str!("../tests/spec/whist-fixture.hoyle"))]
    {
        catalog.add(format!("{name}.hoyle"), text);
    }
    let mut missed = false;
    let mut lines = Vec::new();
    for (game, rulebook, procedure, seats) in [
        ("whist (the play alone, one file)", "whist-fixture", "game", 4),
        ("whist", "whist", "game", 4),
        ("nap(players=3)", "hoffmann-nap", "round", 3),
        ("nap(players=5)", "hoffmann-nap", "round", 5),
        ("piquet", "hoffmann-piquet", "deal", 2),
        ("draw-poker(players=5)", "foster-draw", "pool", 5),
    ] {
        let drawn = matches!(procedure, "deal" | "pool");
        if only.as_ref().is_some_and(|only| only != game) {
            continue;
        }
        let began = Instant::now();
        let loaded = catalog.load(&Selection::of(rulebook)).unwrap_or_else(|faults| panic!("{rulebook}: {faults:?}"));
        let table = table(loaded);
        let loading = began.elapsed();
        let measured = play_outs(&table, procedure, seats, drawn, Duration::from_secs_f64(seconds), most);
        let rate = measured.decisions as f64 / measured.time.as_secs_f64();
        let deals = measured.games as f64 / measured.time.as_secs_f64();
        missed |= rate < FLOOR && most == u64::MAX;
        println!(
            "{game:<34} {rate:>8.0} decisions/s ({:.2} of the bar)  {deals:>7.0} deals/s  {:>5.1} decisions a deal; loaded in {:.1} ms",
            rate / BAR,
            measured.decisions as f64 / measured.games as f64,
            loading.as_secs_f64() * 1e3,
        );
        lines.push(format!("{{\"peer\": \"hoyle\", \"game\": \"{game}\", \"decisions_per_second\": {rate:.0}, \"deals_per_second\": {deals:.0}}}"));
    }
    println!("bar: {BAR:.0} decisions/s");
    lines.iter().for_each(|line| println!("{line}"));
    assert!(!missed, "a game plays less than {FLOOR:.0} decisions a second");
}

/// Time that this process has had a processor, where the system tells it; else the time that has passed. Other work on the machine then counts less.
fn busy() -> Duration {
    static BEGAN: LazyLock<Instant> = LazyLock::new(Instant::now);
    let told = fs::read_to_string("/proc/self/schedstat").ok();
    let spent = told.and_then(|text| text.split(' ').next()?.parse().ok()).map(Duration::from_nanos);
    spent.unwrap_or_else(|| BEGAN.elapsed())
}

fn table(rulebook: Rulebook) -> Game {
    Game::new(rulebook.table.unwrap_or_else(|| panic!("{} has no table: {:?}", rulebook.name, rulebook.table_faults)))
}

struct Measured {
    decisions: u64,
    games: u64,
    time: Duration,
}

fn play_outs(table: &Game, procedure: &str, seats: u8, drawn: bool, limit: Duration, most: u64) -> Measured {
    let mut chance = Chance(0x9E37_79B9_7F4A_7C15);
    let procedure = table.procedure(procedure).unwrap();
    let roles = (0..table.program.roles.len()).map(|role| (role, Value::Seat(0))).collect();
    // Counters to play with, where they are not made by playing.
    let stacks = table.program.accounts.iter().filter(|account| drawn && account.name == "stack").map(|account| account.cells.first);
    let held = stacks.flat_map(|first| (0..usize::from(seats)).map(move |seat| (Cell::Account(first + seat), Value::Number(200)))).collect();
    let setup = Setup { seats, procedure, arguments: Arguments::new(), roles, held };
    let mut choices: Vec<Choice> = Vec::new();
    let (mut decisions, mut games) = (0, 0);
    let began = busy();
    // Asking for the time is itself some work.
    while (games % 64 != 0 || busy().saturating_sub(began) < limit) && decisions < most {
        let mut state = start(table, &setup, &mut chance, None);
        decisions += if drawn { draw_out(table, &mut state, &mut chance) } else { play_out(table, &mut state, &mut chance, &mut choices) };
        games += 1;
    }
    Measured { decisions, games, time: busy().saturating_sub(began) }
}

fn play_out(table: &Game, state: &mut State, chance: &mut Chance, choices: &mut Vec<Choice>) -> u64 {
    let mut decisions = 0;
    loop {
        forward::forward(table, state, chance);
        if *state.stop() == Stop::Over {
            return decisions;
        }
        assert_eq!(*state.stop(), Stop::Offer);
        forward::choices(table, state, choices).unwrap();
        choices.retain(|choice| choice.regular == Truth::Yes);
        let choice = &choices[chance.below(choices.len())];
        forward::choose(table, state, choice, chance);
        decisions += 1;
    }
}

fn draw_out(table: &Game, state: &mut State, chance: &mut Chance) -> u64 {
    let mut decisions = 0;
    forward::forward(table, state, chance);
    while *state.stop() != Stop::Over {
        assert_eq!(*state.stop(), Stop::Offer);
        let choice = forward::pick(table, state, &mut |limit| chance.below(limit)).unwrap().unwrap();
        forward::choose(table, state, &choice, chance);
        decisions += 1;
    }
    decisions
}

/// xorshift64*, and orders drawn from it.
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    fn below(&mut self, limit: usize) -> usize {
        usize::try_from((u128::from(self.next()) * limit as u128) >> 64).unwrap()
    }
}

impl Orders for Chance {
    fn next(&mut self, pieces: &[u8]) -> Order {
        let mut order: Vec<Option<u8>> = pieces.iter().copied().map(Some).collect();
        for at in (1..order.len()).rev() {
            order.swap(at, self.below(at + 1));
        }
        Order::Deck(order)
    }
}
