//! The program of a table: what a rulebook says of places, counters, procedures, acts and rules, with every name a number.
//!
//! It is built once for a draft, with parameters and options still in it, and folded under settings into the program that runs
//! ([`Program`] in a [`Rulebook`](super::super::Rulebook) holds no [`Node::Parameter`] and no [`Node::Option`]). The engine reads nothing else.
//!
//! Numbers stand for positions in the lists of [`Program`]. A *cell* is one place, account, tally or fact of an indexed family: `hand of seat`
//! has eight cells, one for each seat from A to H; a family of two indices counts the last one fastest.

mod hands;
mod nodes;
mod scripts;

pub use self::hands::*;
pub use self::nodes::*;
pub use self::scripts::*;
use super::super::cite::Provenance;
use super::super::constant::{Constant, OptionId, ParameterId};
use super::super::kinds::KindId;
use crate::ranking::ValueId;
use crate::source::Span;

pub type PlaceId = usize;
pub type AccountId = usize;
pub type TallyId = usize;
pub type RoleId = usize;
pub type FactId = usize;
pub type DefinitionId = usize;
pub type QuestionId = usize;
pub type RuleId = usize;
pub type HookId = usize;
pub type ProcedureId = usize;
pub type OfferId = usize;
/// Position in [`Program::names`]: whatever can stand in the log.
pub type NameId = usize;
/// Position in [`Program::queries`].
pub type QueryId = usize;
/// Position in [`Program::families`] of the rankings that the program uses.
pub type FamilyId = usize;
/// Position of a piece among [`Program::pieces`]; at most [`MOST_PIECES`].
pub type PieceId = u8;
/// A seat: 0 is A.
pub type SeatId = u8;
/// A local variable of a frame.
pub type Slot = u16;
/// A step of a script.
pub type Target = usize;

/// Pieces on one table. Clause 11.2.
pub const MOST_PIECES: usize = 127;
/// Seats at one table. Clause 11.3.
pub const MOST_SEATS: usize = 8;

/// What an expression is. Clause 3.1 to 3.9.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    Number,
    Truth,
    Member(KindId),
    Seat,
    /// A piece, by its kind of piece.
    Piece(usize),
    Maybe(Box<Type>),
    Set(Box<Type>),
    List(Box<Type>),
    /// `none`: it fits every `maybe`.
    None,
    /// `{ }` or `[ ]`: it fits every set and list.
    Nothing,
    /// An entry of the log: one of these names.
    Entry(Vec<NameId>),
    /// `entry of marks`
    Entered(TallyId),
    /// An account, or a slice of one. Where a number is wanted it is what lies there. Clause 4.6.
    Account,
    /// A ranking without parameters, of hands or of single pieces of this kind of piece. Its value is a member: the number of the ranking among
    /// [`Program::families`].
    Ranking {
        piece: usize,
        of_one: bool,
    },
    /// A text, for readers.
    Text,
}

/// Everything that a table needs, folded under settings.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// Least and most seats; `None`: the rulebook says nothing of seats, and no table can be opened.
    pub seats: Option<(u8, u8, Provenance)>,
    /// Every piece in use, each copy for itself, in the order of the declarations. A piece of a pack's deck is named by kind and position there.
    pub pieces: Vec<TablePiece>,
    /// Names of the values of every kind, for printing; kinds as in the rulebook.
    pub kinds: Vec<KindTable>,
    pub orders: Vec<OrderTable>,
    pub places: Vec<Place>,
    pub accounts: Vec<Account>,
    pub tallies: Vec<Tally>,
    pub roles: Vec<Role>,
    pub facts: Vec<Fact>,
    /// Acts, events, rights, signals, breaches, and `voided`.
    pub names: Vec<LogName>,
    pub queries: Vec<Query>,
    pub definitions: Vec<Definition>,
    pub questions: Vec<Question>,
    /// Rules in force. Those that a setting shuts out are not here.
    pub rules: Vec<Rule>,
    /// Events, rights and signals.
    pub hooks: Vec<Hook>,
    /// Procedures, phases and actions.
    pub procedures: Vec<Procedure>,
    /// Rankings that expressions use, with their tables.
    pub families: Vec<Family>,
    /// Procedures that no other calls; play starts with one of them. Clause 5.15.
    pub roots: Vec<ProcedureId>,
    /// What the book leaves open.
    pub undecided: Vec<Undecided>,
    /// What statements of scripts cite, by the number that their steps carry.
    pub sources: Vec<Provenance>,
}

/// One piece.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TablePiece {
    /// Position of its kind of piece, and of the piece in the deck of that kind.
    pub kind: usize,
    pub face: PieceFace,
    /// `Ah`
    pub text: String,
    /// By attribute of its kind of piece; empty for a blank.
    pub values: Vec<ValueId>,
}

/// Position of a different piece in its deck; copies share it.
pub type PieceFace = usize;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KindTable {
    pub name: String,
    pub members: Vec<String>,
    /// Shortest way to write each member; its name if it has none.
    pub written: Vec<String>,
}

/// An order on a kind: for each value its place from the lowest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrderTable {
    pub name: String,
    pub kind: KindId,
    pub heights: Vec<u8>,
}

/// What a family is indexed by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cells {
    /// Position of the first cell among all cells of its sort (places, accounts, tallies, facts each count for themselves).
    pub first: usize,
    /// One for each index: seats count 8.
    pub indices: Vec<Index>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Index {
    Seat,
    /// A kind and the number of its members.
    Kind(KindId, usize),
}

impl Cells {
    pub fn count(&self) -> usize {
        self.indices.iter().map(|index| index.size()).product()
    }
}

impl Index {
    pub fn size(self) -> usize {
        match self {
            Index::Seat => MOST_SEATS,
            Index::Kind(_, members) => members,
        }
    }
}

/// `place hand of seat, seen by owner;` Clause 4.2.
#[derive(Clone, Debug)]
pub struct Place {
    pub name: String,
    pub cells: Cells,
    pub at_start: bool,
    pub seen: Seen,
    pub from: Provenance,
}

/// Who sees something. The condition's frame has the owner in slot 0.
#[derive(Clone, Debug)]
pub struct Seen {
    pub by: SeenBy,
    pub when: Option<Expr>,
    /// Slots of the frame in which `by` and `when` are worked out.
    pub slots: Slot,
}

#[derive(Clone, Debug)]
pub enum SeenBy {
    Nobody,
    All,
    Owner,
    /// A seat or a set of seats.
    Seats(Expr),
}

/// `account stack of seat, may owe;` Clause 4.6.
#[derive(Clone, Debug)]
pub struct Account {
    pub name: String,
    pub cells: Cells,
    /// Joint: its cells are one share for each seat and the last, nobody's.
    pub joint: bool,
    pub may_owe: bool,
    pub from: Provenance,
}

/// `tally points of side per game under in-point, in-play;` Clause 4.7.
#[derive(Clone, Debug)]
pub struct Tally {
    pub name: String,
    pub cells: Cells,
    pub life: Life,
    /// The scale of its headings, if it has any.
    pub headings: Option<KindId>,
    /// The signal that is raised for each of its entries. Without one nobody can see an entry, and none are kept.
    pub reckoned: Option<HookId>,
    pub from: Provenance,
}

/// The procedure that a life is named after; `Evening` is the whole record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Life {
    Evening,
    Of(ProcedureId),
}

/// `role dealer;` Clause 4.8. Unknown until it is given or written, unless it has a first value.
#[derive(Clone, Debug)]
pub struct Role {
    pub name: String,
    pub kind: Type,
    pub first: Option<Expr>,
    pub from: Provenance,
}

/// `fact won of seat: number = 0 per play;` Clause 4.9.
#[derive(Clone, Debug)]
pub struct Fact {
    pub name: String,
    pub cells: Cells,
    pub kind: Type,
    /// The first value of every cell; without one it is unknown.
    pub first: Option<Expr>,
    pub life: Life,
    /// `None`: all know it.
    pub seen: Option<Seen>,
    pub from: Provenance,
}

/// Something that can stand in the log.
#[derive(Clone, Debug)]
pub struct LogName {
    pub name: String,
    pub sort: LogSort,
    /// Names and types of its arguments.
    pub arguments: Vec<(String, Type)>,
    /// Some query reads it: only then is it kept in the state. Clause 5.16.
    pub kept: bool,
    /// How long: entries from before the start of the newest instance of this procedure are never asked for again. `Evening`: kept for good.
    pub kept_per: Life,
    pub from: Option<Provenance>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogSort {
    Act,
    Event,
    Right,
    Signal,
    Breach,
    /// `voided(what, cause)`, which the engine writes itself.
    Voided,
}

/// `def owed(p: seat) = level - put(p);` Its arguments are the first slots.
#[derive(Clone, Debug)]
pub struct Definition {
    pub name: String,
    pub parameters: Vec<(String, Type)>,
    pub value: Expr,
    pub answer: Type,
    pub slots: Slot,
    pub from: Provenance,
}

/// `question may-open(p: seat) -> truth otherwise no;`
#[derive(Clone, Debug)]
pub struct Question {
    pub name: String,
    pub parameters: Vec<(String, Type)>,
    pub answer: Type,
    pub otherwise: Option<Expr>,
    /// Its rules in force, in the order in which they must be decided: a rule stands behind everything that can make it give way.
    pub rules: Vec<RuleId>,
    pub from: Provenance,
}

/// An event, a right or a signal, and the rules on it.
#[derive(Clone, Debug)]
pub struct Hook {
    pub name: NameId,
    /// Rules in force on it, in the order in which they must be decided.
    pub rules: Vec<RuleId>,
    /// Procedures during which it can come; empty: always.
    pub during: Vec<ProcedureId>,
    /// The argument that names who reports an event, or the seat whose right it is.
    pub by: HookBy,
    /// `possible when`, `while`: arguments are the first slots.
    pub possible: Option<Expr>,
    /// The body of a right, or what an event supposes.
    pub body: Option<Code>,
    pub slots: Slot,
    /// Domains of its arguments, as for an act.
    pub parameters: Vec<Parameter>,
    pub from: Provenance,
}

#[derive(Clone, Debug)]
pub enum HookBy {
    /// Anybody, or the table.
    Anybody,
    /// The seat in this slot: it is the first argument or another, and need not be written in a record.
    Slot(Slot),
    /// `right … of E`: seats that have it.
    Of(Expr),
}

/// A rule in force.
#[derive(Clone, Debug)]
pub struct Rule {
    pub name: String,
    /// Questions that it answers.
    pub questions: Vec<QuestionId>,
    pub hooks: Vec<HookId>,
    /// Arguments of the question or hook are the first slots.
    pub slots: Slot,
    /// `let` and `when` in their order.
    pub conditions: Vec<Condition>,
    pub answer: Answer,
    /// Rules that give way where this one stands, and those that it suspends; edges of `yields to` are turned round.
    pub replaces: Vec<RuleId>,
    pub suspends: Vec<RuleId>,
    pub amends: Vec<RuleId>,
    pub from: Provenance,
    /// What its statements cite besides.
    pub statements: Vec<Provenance>,
}

/// `undecided A against B "why";` Clause 6.6.
#[derive(Clone, Debug)]
pub struct Undecided {
    pub one: RuleId,
    pub other: RuleId,
    pub why: String,
    pub from: Provenance,
}

#[derive(Clone, Debug)]
pub enum Condition {
    Let(Slot, Expr),
    When(Expr),
}

#[derive(Clone, Debug)]
pub enum Answer {
    /// `is V;`
    Is(Expr),
    /// Deeds.
    Does(Code),
    Stands,
    Refuse,
    /// Of a suspension: it has no answer of its own.
    Nothing,
    /// Of an amendment on an event. For a question an amendment has `Is`, with `it` in it.
    Around {
        before: Option<Code>,
        after: Option<Code>,
    },
}

/// A procedure, a phase (a procedure that shares its caller's slots) or an action (which never stops).
#[derive(Clone, Debug)]
pub struct Procedure {
    pub name: String,
    pub sort: ProcedureSort,
    pub parameters: Vec<(String, Type)>,
    pub code: Code,
    /// What comes back when it is voided.
    pub restores: Restores,
    /// Names of the outcomes that `end P with O` gives it; the first is `ended`, the second `voided`.
    pub outcomes: Vec<String>,
    /// Facts and tallies that live as long as one instance of it.
    pub facts: Vec<FactId>,
    pub tallies: Vec<TallyId>,
    pub from: Provenance,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProcedureSort {
    Procedure,
    Phase,
    Action,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Restores {
    pub places: bool,
    pub accounts: bool,
    pub from: Option<Provenance>,
}

/// Whether a declaration is there under the settings: all must hold. Kept beside a rule in the draft.
pub type Under = Vec<Constant>;
