//! What answers a case: our engine, a foreign one behind the wire, a fake of the tests.

use std::collections::BTreeMap;
use std::fmt;

pub use super::case::{Answer, Kind, ParamValue, Params};

/// Whatever can be put to the corpus.
///
/// `Sync`, because cases run in parallel. An implementation that panics is caught by the [runner](super::runner) and gets the verdict `error`.
pub trait Implementation: Sync {
    fn describe(&self) -> Description;

    /// Compares hands. Must depend on nothing but `ask`.
    fn compare(&self, ask: &CompareAsk) -> Reply;
}

/// Who answers, and what it can be asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Description {
    pub name: String,
    pub version: String,
    /// Cases of other kinds are `unsupported` without being asked.
    pub kinds: Vec<Kind>,
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
