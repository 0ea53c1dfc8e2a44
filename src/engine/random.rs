//! A table at which everybody plays at random: for records to look at, for properties, for speed.
//!
//! The same seed gives the same play everywhere and for ever: the generator is ChaCha with 8 rounds, its key the seed in 8 bytes (the lowest
//! first) and 24 zeros; [`Dice::below`] takes its words of 32 bits one by one.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use super::complaints::name_of;
use super::game::Game;
use super::orders::{Order, Orders};
use super::replay::MOST_DEFAULTS;
use super::state::{Arguments, State, Stop};
use super::stops::{Choice, standing};
use super::trouble::Trouble;
use super::value::{Truth, UNSEEN, Value};
use super::words::{Words, letter};
use super::{Mode, Setup};
use crate::rules::table::program::{NameId, PieceId, SeatId};

/// Chance.
#[derive(Clone, Debug)]
pub struct Dice(ChaCha8Rng);

impl Dice {
    pub fn new(seed: u64) -> Dice {
        let mut key = [0; 32];
        for (byte, of) in key.iter_mut().zip(seed.to_le_bytes()) {
            *byte = of;
        }
        Dice(ChaCha8Rng::from_seed(key))
    }

    /// A number below `bound`, each as likely; 0 if there is none. Words of the generator that would favour the lower numbers are thrown away.
    pub fn below(&mut self, bound: u32) -> u32 {
        if bound < 2 {
            return 0;
        }
        let fair = u32::MAX - u32::MAX % bound;
        loop {
            let word = self.0.next_u32();
            if word < fair {
                return word % bound;
            }
        }
    }

    /// One of some things.
    pub fn one_of<'t, T>(&mut self, things: &'t [T]) -> Option<&'t T> {
        let bound = u32::try_from(things.len()).unwrap_or(u32::MAX);
        usize::try_from(self.below(bound)).ok().and_then(|at| things.get(at))
    }

    /// Fisher and Yates, from the last place down.
    pub fn shuffle<T>(&mut self, things: &mut [T]) {
        for last in (1..things.len()).rev() {
            let with = self.below(u32::try_from(last + 1).unwrap_or(u32::MAX));
            things.swap(last, usize::try_from(with).unwrap_or(last));
        }
    }
}

/// How a random table is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Manner {
    /// Of a hundred choices that could be irregular, so many are.
    pub irregular: u32,
    /// After so many acts the record breaks off.
    pub most: usize,
}

impl Default for Manner {
    fn default() -> Manner {
        Manner { irregular: 0, most: 2_000 }
    }
}

/// One line of a random record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// The pieces from the top.
    Order(Vec<PieceId>),
    /// An act, and the breach that it is.
    Act { name: NameId, by: Option<SeatId>, arguments: Arguments, breach: Option<NameId> },
}

/// A random record, and how the table stood in the end.
#[derive(Clone, Debug)]
pub struct Played {
    pub lines: Vec<Line>,
    pub state: State,
}

/// Shuffles whatever is arranged, and remembers how.
struct Shuffling<'d> {
    dice: &'d mut Dice,
    lines: Vec<Line>,
}

impl Orders for Shuffling<'_> {
    fn next(&mut self, pieces: &[PieceId]) -> Order {
        let mut pieces: Vec<PieceId> = pieces.iter().copied().filter(|piece| *piece < UNSEEN).collect();
        // However they lay before, the same dice give the same order.
        pieces.sort_unstable();
        self.dice.shuffle(&mut pieces);
        self.lines.push(Line::Order(pieces.clone()));
        Order::Deck(pieces.into_iter().map(Some).collect())
    }
}

/// Plays at random: every choice among the regular acts is as likely as another.
///
/// # Errors
/// Trouble in the rulebook while the choices of a stop are worked out.
pub fn play(game: &Game, setup: &Setup, dice: &mut Dice, manner: Manner) -> Result<Played, Trouble> {
    let mut choosing = Dice::new(u64::from(dice.below(u32::MAX)));
    let mut orders = Shuffling { dice, lines: Vec::new() };
    let state = super::start(game, setup, &mut orders, None);
    let mut table = Table { game, state, orders, dice: &mut choosing, manner, acts: 0, silent: Vec::new() };
    while table.acts < manner.most && table.silent.len() < MOST_DEFAULTS && table.go_on()? {}
    // What comes by itself behind the last act comes by itself in a replay.
    while table.silent.len() < MOST_DEFAULTS && table.by_itself()? {}
    Ok(Played { lines: table.orders.lines, state: table.state })
}

struct Table<'t, 'd> {
    game: &'t Game,
    state: State,
    orders: Shuffling<'d>,
    dice: &'t mut Dice,
    manner: Manner,
    acts: usize,
    /// Duties done by default since the last line: a replay does them by itself.
    silent: Vec<Line>,
}

impl Table<'_, '_> {
    /// One stop; `false`: nobody can go on.
    fn go_on(&mut self) -> Result<bool, Trouble> {
        match self.state.stop {
            Stop::Over | Stop::NeedsRuling(_) | Stop::Stuck(_) => return Ok(false),
            Stop::Pause => return self.by_itself(),
            Stop::Offer => {}
        }
        let choices = super::offers(self.game, &self.state)?;
        let regular: Vec<&Choice> = choices.iter().filter(|choice| choice.regular == Truth::Yes).collect();
        let irregular: Vec<&Choice> = choices.iter().filter(|choice| choice.regular == Truth::No).collect();
        let duty = super::is_duty(self.game, &self.state);
        if !irregular.is_empty() && self.dice.below(100) < self.manner.irregular {
            return Ok(self.dice.one_of(&irregular).copied().is_some_and(|choice| self.take(choice)));
        }
        // A right is asked for only where a replay looks first.
        if self.manner.irregular > 0 && self.silent.is_empty() && !duty && self.dice.below(100) < self.manner.irregular {
            let rights = super::rights(self.game, &self.state)?;
            if let Some(right) = self.dice.one_of(&rights).cloned() {
                return Ok(self.take(&right));
            }
        }
        // Who does his duty first, where each has the same, is left to the default.
        let alike = |one: &&Choice, other: &&Choice| one.act.what == other.act.what && one.act.arguments == other.act.arguments;
        let one_duty = duty && regular.first().is_some_and(|first| regular.iter().all(|other| alike(first, other)));
        match regular.as_slice() {
            [] => Ok(false),
            [..] if one_duty => self.by_default(),
            several => Ok(self.dice.one_of(several).copied().is_some_and(|choice| self.take(choice))),
        }
    }

    /// A pause, or a duty.
    fn by_itself(&mut self) -> Result<bool, Trouble> {
        match self.state.stop {
            Stop::Pause => Ok(super::go_on(self.game, &mut self.state, &mut self.orders, None).is_ok()),
            Stop::Offer => self.by_default(),
            Stop::Over | Stop::NeedsRuling(_) | Stop::Stuck(_) => Ok(false),
        }
    }

    fn by_default(&mut self) -> Result<bool, Trouble> {
        let Some(choice) = super::default(self.game, &self.state)? else { return Ok(false) };
        let line = self.line(&choice, None);
        self.silent.extend(line);
        Ok(super::go_on(self.game, &mut self.state, &mut self.orders, None).is_ok())
    }

    fn line(&self, choice: &Choice, breach: Option<NameId>) -> Option<Line> {
        let name = name_of(self.game, &self.state, &choice.act)?;
        Some(Line::Act { name, by: choice.act.by, arguments: choice.act.arguments.clone(), breach })
    }

    /// Does an act and writes it down. Where it could be taken for one of an earlier duty, the duties before it are written down as well.
    fn take(&mut self, choice: &Choice) -> bool {
        let irregular = choice.regular == Truth::No;
        let breach = irregular.then(|| choice.breach.or_else(|| name_of(self.game, &self.state, &choice.act))).flatten();
        let Some(line) = self.line(choice, breach) else { return false };
        let silent = std::mem::take(&mut self.silent);
        if standing(self.game, &self.state).is_some_and(|(offer, _)| offer.duty) {
            self.orders.lines.extend(silent);
        }
        self.orders.lines.push(line);
        self.acts += 1;
        super::act(self.game, &mut self.state, &choice.act, breach, Mode::Adjudicate, &mut self.orders, None).is_ok()
    }
}

impl Line {
    /// As a record has it.
    pub fn in_words(&self, words: &Words<'_>) -> String {
        match self {
            Line::Order(pieces) => format!("deck: {}", words.pieces(pieces)),
            Line::Act { name, by, arguments, breach } => {
                let mark = breach.map(|breach| format!(" ! {}", words.name(breach))).unwrap_or_default();
                format!("{}{mark}", words.act(*name, *by, arguments))
            }
        }
    }
}

/// Seats for the roles that have no first value: who holds them is chance as well.
pub fn roles(words: &Words<'_>, seats: u8, dice: &mut Dice) -> Vec<(usize, String, Value)> {
    let roles = words.program.roles.iter().enumerate().filter(|(_, role)| role.first.is_none());
    let mut given = Vec::new();
    for (at, role) in roles {
        let seat = SeatId::try_from(dice.below(u32::from(seats))).unwrap_or(0);
        given.push((at, format!("role {} {}", role.name, letter(seat)), Value::Seat(seat)));
    }
    given
}
