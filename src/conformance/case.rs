//! What a case is, after its file has been read. The keys and their meaning: `conformance/README.md`.
//!
//! A case is built only by [`super::load`], so every value here has passed the schema; whether ids are unique and cited statements exist is a
//! matter of the whole [corpus](super::corpus).

use std::collections::BTreeMap;

use super::read::words;
use crate::source::Span;

/// A piece of a file, with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    pub text: String,
    pub span: Span,
}

words! {
    /// How much of an engine a case needs.
    pub enum Kind {
        /// Hands against one another: needs no table.
        Compare "compare",
        /// A deal played act by act.
        Play "play",
        /// A position given, a result asked.
        Reckon "reckon",
    }
}

words! {
    /// How strongly the books put what the case asks.
    pub enum Level {
        Must "must",
        Should "should",
        /// Only under the parameters, amendments or edits that the case names.
        House "house",
        /// The authors differ: the case holds the reading of each.
        Disputed "disputed",
    }
}

words! {
    /// How the expectation was worked out; never by the engine.
    pub enum Derived {
        ByHand "by-hand",
        ByScript "by-script",
    }
}

words! {
    /// Whether the case counts.
    pub enum Status {
        /// Confirmed against the statements that it cites.
        Accepted "accepted",
        /// Written down, not yet confirmed; shown and not counted.
        Proposed "proposed",
    }
}

/// A value of one parameter of an interface.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ParamValue {
    /// `joker: wild`
    One(String),
    /// `eccentric: [blaze, tiger]`, and `[]`
    Many(Vec<String>),
    /// `players: 3`
    Number(i64),
}

/// Parameters by name.
pub type Params = BTreeMap<String, ParamValue>;

/// One case of the corpus.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// `draw-poker-q7m2`: the interface, and four signs without meaning. Permanent.
    pub id: Text,
    /// Ids that the case had before.
    pub was: Vec<Text>,
    pub title: Option<String>,
    /// The rulebooks that the case speaks of, at least one; each gives a verdict.
    pub rules: Vec<Text>,
    /// Amendments laid on each of them.
    pub with: Vec<String>,
    /// Edits in the language itself, laid on top.
    pub house: Option<String>,
    pub params: Params,
    /// Ids of statements of the inventory, at least one.
    pub cites: Vec<Text>,
    pub level: Level,
    /// Features and observables without which the case cannot be run.
    pub requires: Vec<String>,
    /// The mistake that the case catches.
    pub why: Text,
    pub derived: Derived,
    pub status: Status,
    pub origin: Option<Origin>,
    /// Values of parameters under which the expectation must not hold: they show that the case depends on its own.
    pub discriminates: BTreeMap<String, Vec<ParamValue>>,
    pub body: Body,
}

impl Case {
    pub fn kind(&self) -> Kind {
        match self.body {
            Body::Compare(_) => Kind::Compare,
            Body::Play(_) => Kind::Play,
            Body::Reckon(_) => Kind::Reckon,
        }
    }

    /// The name of the interface that the case speaks: its id without the last sign group.
    pub fn interface(&self) -> &str {
        self.id.text.rsplit_once('-').map_or("", |(interface, _)| interface)
    }
}

/// `origin: {found: ENGINE, ours: …, theirs: …}`: the case was found by running another engine, and both answers then.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    pub found: String,
    pub ours: String,
    pub theirs: String,
}

/// What is asked, by kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Body {
    Compare(Compare),
    Play(Box<Play>),
    Reckon(Reckon),
}

/// What is expected: one answer, or one for each reading where authors differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expected<E> {
    One(E),
    Readings(Vec<Reading<E>>),
}

/// A lawful answer and its source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading<E> {
    /// The rulebooks that read it so, at least one.
    pub rules: Vec<String>,
    /// Parameters laid over those of the case.
    pub params: Params,
    pub cites: Vec<Text>,
    pub expect: E,
}

/// `kind: compare`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compare {
    /// Cards by the name of the hand, as written.
    pub hands: BTreeMap<String, String>,
    /// The hands need not come from one pack.
    pub separate: bool,
    pub expected: Expected<Expect>,
}

/// The answer to a comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expect {
    Answer(Answer),
    /// The question is turned down, with any of these codes: `{refused: duplicate-card}`.
    Refused(Vec<String>),
    Ruling(Ruling),
}

/// Only what is given is compared.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Answer {
    /// Best first; an inner list is a tie. Names every hand of the case.
    pub order: Option<Vec<Vec<String>>>,
    /// Class by hand.
    pub classes: BTreeMap<String, String>,
    /// By hand: what each wild piece stands for.
    pub meanings: BTreeMap<String, BTreeMap<String, String>>,
}

/// `ruling:` What the rules themselves make of the question; the reference alone is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ruling {
    Value,
    Silent,
    Conflict,
    /// `open: {to: A, among: [misdeal, stay]}`
    Open {
        to: String,
        among: Vec<String>,
    },
    /// `unknown: {fact: who-dealt}`
    Unknown {
        fact: String,
    },
}

/// Plain data that a case puts in: a stack, a roll of scores.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Data {
    Text(String),
    Number(i64),
    List(Vec<Data>),
    Map(BTreeMap<String, Data>),
}

/// One expected value, by the comparator that judges it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Check {
    Text(String),
    Number(i64),
    /// A bare list, or `{seq: […]}`: the same values in the same order.
    Seq(Vec<Check>),
    /// `{set: […]}`: the same values in any order.
    Set(Vec<Check>),
    /// `{order: [[a], [b, c]]}`: best first, an inner list is a tie.
    Order(Vec<Vec<String>>),
    /// `{any-of: […]}`
    AnyOf(Vec<Check>),
    /// Only the keys given are compared.
    Map(BTreeMap<String, Check>),
}

/// Expected facts by name.
pub type Facts = BTreeMap<String, Check>;

/// `kind: play`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Play {
    pub start: Option<Start>,
    /// What outlives the procedure that is started: stacks, a jack due, the buck.
    pub given: BTreeMap<String, Data>,
    /// How the cards lie: in the order of the times that they are shuffled. The first one stands in the case itself, the others under `redeals`.
    pub orders: Vec<CardOrder>,
    pub steps: Vec<Step>,
    pub view: Vec<View>,
    /// Facts at the end.
    pub expected: Option<Expected<Facts>>,
}

/// How the cards lie after one shuffle.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct CardOrder {
    /// The faces of the slots that a hand received, by seat.
    pub deal: BTreeMap<String, String>,
    /// The whole order of the pack, instead of `deal`.
    pub deck: Option<String>,
    /// The cards left after `deal`, in order.
    pub stock: Option<String>,
}

impl CardOrder {
    /// The lines of a record that say so. Clause 5.17.
    pub fn lines(&self) -> Vec<String> {
        let mut lines: Vec<String> = self.deck.iter().map(|deck| format!("deck: {deck}")).collect();
        lines.extend(self.deal.iter().map(|(seat, cards)| format!("deal {seat}: {cards}")));
        // `stock` ends an order, so that the next one is not taken for a part of it.
        lines.extend(self.stock.iter().map(|stock| format!("stock: {stock}")));
        if self.stock.is_none() && !self.deal.is_empty() {
            lines.push("stock: ?".to_owned());
        }
        lines
    }
}

/// `start: PROCEDURE`, or `start: {dealer: A}`, or both as `{procedure: …, dealer: …}`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Start {
    pub procedure: Option<String>,
    pub roles: BTreeMap<String, String>,
}

/// One line of the record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// `BY: act arguments [! breach] [after N]`, read by the grammar of records.
    pub act: Text,
    pub then: Then,
}

/// What holds after a step.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Then {
    pub outcome: Outcome,
    /// What an engine shows that prevents an irregularity; its case ends here.
    pub prevent: Option<Outcome>,
    /// What an engine shows that lets it happen and adjudicates.
    pub adjudicate: Option<Outcome>,
}

#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Outcome {
    /// The step is refused, with any of these codes; empty: it is not.
    pub refused: Vec<String>,
    pub ruling: Option<Ruling>,
    pub facts: Facts,
}

/// A seat must see the same whatever others hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    /// After how many steps.
    pub after: i64,
    pub seat: String,
    /// By seat: cards that may be changed for cards of the pool.
    pub vary: BTreeMap<String, Vec<String>>,
    pub pool: Vec<String>,
}

/// `kind: reckon`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reckon {
    /// The name of a position of the interface.
    pub position: String,
    pub given: BTreeMap<String, Data>,
    /// One verdict a row.
    pub table: Vec<Row>,
    /// For a case without a table.
    pub expected: Option<Expected<Facts>>,
}

/// A row of a table; its id is the case's id, a dot, and its key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    pub key: Text,
    /// Laid over `given`.
    pub given: BTreeMap<String, Data>,
    pub expect: Facts,
}
