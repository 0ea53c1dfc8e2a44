//! What answers a case: our engine, a foreign one behind the wire, a fake of the tests.

use std::collections::BTreeMap;
use std::fmt;

pub use super::case::{Answer, CardOrder, Data, Kind, ParamValue, Params, Ruling};
pub use crate::engine::Mode;
use crate::syntax::record_tree::Act;

/// Whatever can be put to the corpus.
///
/// `Sync`, because cases run in parallel. An implementation that panics is caught by the [runner](super::runner) and gets the verdict `error`.
pub trait Implementation: Sync {
    fn describe(&self) -> Description;

    /// Compares hands. Must depend on nothing but `ask`.
    fn compare(&self, ask: &CompareAsk) -> Reply;

    /// Works out a position. Must depend on nothing but `ask`.
    fn reckon(&self, ask: &ReckonAsk) -> Reckoned {
        Reckoned::Unsupported { feature: format!("reckon {}", ask.position) }
    }

    /// Opens a table, hands it over to be played at act by act, and closes it.
    fn open(&self, _: &OpenAsk, play: &mut dyn FnMut(Opened<'_>)) {
        play(Opened::Unsupported { feature: "play".to_owned() });
    }
}

/// A table at which a case is played.
pub trait Table {
    /// Does one act of the interface, with whatever must be done by itself before it.
    fn act(&mut self, ask: &ActAsk<'_>) -> Acted;

    /// The record has ended: does what nobody has to choose, up to the next choice.
    fn end(&mut self) -> Acted;

    /// What a seat sees, as a text: two tables that look the same to it give the same text. `None`: it cannot be told.
    fn view(&mut self, seat: &str) -> Option<String>;
}

/// Who answers, and what it can be asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Description {
    pub name: String,
    pub version: String,
    /// Cases of other kinds are `unsupported` without being asked.
    pub kinds: Vec<Kind>,
    /// What it can do beyond the least, of [`FEATURES`]. A case that requires another is `unsupported` without being asked.
    pub features: Vec<String>,
}

/// Every feature that a case may require.
pub const FEATURES: &[&str] =
    &["deal.hands", "deal.deck", "irregularity.prevent", "irregularity.adjudicate", "refusal.class", "view", "legal", "ruling"];

/// Which rules a question is put to.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Under {
    /// The interface: `nap`.
    pub game: String,
    /// The rulebook: `hoffmann-nap`. A foreign engine goes by `game` and `params`.
    pub rules: String,
    pub with: Vec<String>,
    /// Edits in the language, to be laid on top.
    pub house: Option<String>,
    /// A parameter that is not named has the rulebook's default.
    pub params: Params,
}

/// A position of the interface to be worked out.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct ReckonAsk {
    pub under: Under,
    pub position: String,
    pub given: BTreeMap<String, Data>,
}

/// The answer to a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reckoned {
    /// By name: the answer under the name of the position, and `ruling` for what the rules make of the question.
    Answer {
        facts: BTreeMap<String, Data>,
        /// Why, for reports.
        reasons: Vec<String>,
    },
    Unsupported {
        feature: String,
    },
    Error {
        text: String,
    },
}

/// A table to be opened.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct OpenAsk {
    pub under: Under,
    pub mode: Mode,
    /// How many sit, from A to the left.
    pub seats: u8,
    /// The procedure that play starts with, if the case names one.
    pub procedure: Option<String>,
    /// Seats by role.
    pub roles: BTreeMap<String, String>,
    pub given: BTreeMap<String, Data>,
    /// How the cards lie, for every time that they are shuffled.
    pub orders: Vec<CardOrder>,
    /// Facts that the case asks for, the same at every step.
    pub want: Vec<String>,
}

/// A table, or why there is none.
#[expect(missing_debug_implementations, reason = "a table is whatever answers")]
pub enum Opened<'t> {
    Table {
        table: &'t mut dyn Table,
        /// Facts that are wanted and that it cannot report.
        lacks: Vec<String>,
    },
    Unsupported {
        feature: String,
    },
    Error {
        text: String,
    },
}

/// One act.
#[derive(Clone, Copy, Debug)]
pub struct ActAsk<'a> {
    /// Counted from 1.
    pub step: usize,
    /// As the case has it: `A: play 5d ! revoke`.
    pub text: &'a str,
    pub act: &'a Act,
}

/// What came of an act.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Acted {
    Shown(Shown),
    Unsupported { feature: String },
    Error { text: String },
}

/// The table behind an act.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Shown {
    pub facts: BTreeMap<String, Data>,
    /// The act was refused, and nothing has changed.
    pub refused: Option<Refused>,
    /// What the rules made of it; the reference alone says.
    pub ruling: Option<Ruling>,
    /// The rulings of the step, for reports.
    pub reasons: Vec<String>,
}

/// Why an act was refused.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Refused {
    /// What it may be called: the class of the interface, the breach, the rules and questions that forbid it.
    pub classes: Vec<String>,
    pub text: String,
    /// A rule refused what was done: an engine that adjudicates has let it be tried, and nothing came of it.
    pub by_rule: bool,
    /// Every class that the interface maps for this rulebook: where none of those expected is among them, classes are not compared.
    pub known: Vec<String>,
}

/// Hands to compare, and under which rules.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct CompareAsk {
    /// The interface: `draw-poker`.
    pub game: String,
    /// The rulebook: `foster-draw`. A foreign engine, which knows no rulebooks, goes by `game` and `params`.
    pub rules: String,
    pub with: Vec<String>,
    /// Edits in the language, to be laid on top.
    pub house: Option<String>,
    /// A parameter that is not named has the rulebook's default.
    pub params: Params,
    /// Cards by the name of the hand.
    pub hands: BTreeMap<String, String>,
    /// The hands need not come from one pack: a card may stand in several. Otherwise the same card twice is to be refused as `duplicate-card`.
    pub separate: bool,
}

/// What comes back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    Answer(Reported),
    /// The question is turned down as the rules have it: `duplicate-card`.
    Refused {
        code: String,
        text: String,
    },
    /// The engine, or the rulebook, has no such thing.
    Unsupported {
        feature: String,
    },
    /// The engine failed.
    Error {
        text: String,
    },
}

/// The answer of an engine.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Reported {
    /// Best first; an inner list is a tie.
    pub order: Vec<Vec<String>>,
    /// Class by hand.
    pub classes: BTreeMap<String, String>,
    /// By hand: what each wild piece stands for.
    pub as_meanings: BTreeMap<String, BTreeMap<String, String>>,
}

impl fmt::Display for ParamValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParamValue::One(word) => f.write_str(word),
            ParamValue::Many(words) => write!(f, "[{}]", words.join(", ")),
            ParamValue::Number(number) => write!(f, "{number}"),
        }
    }
}
