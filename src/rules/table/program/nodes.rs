//! Expressions of a program, and questions put to its log. Clauses 3.10 to 3.13 and 5.13.

use super::*;

/// A question put to the log; the arguments of its pattern are worked out where it stands. Clause 5.13.
#[derive(Clone, Debug)]
pub struct Query {
    pub names: Vec<NameId>,
    /// By position of the argument; `None`: `_`, anything. Shorter than the arguments: the rest is free.
    pub arguments: Vec<Option<Expr>>,
    pub by: Option<(bool, Expr)>,
    pub unsettled: bool,
    pub since: Option<LogMark>,
}

#[derive(Clone, Debug)]
pub enum LogMark {
    Start(ProcedureId),
    End(ProcedureId),
    /// Behind this entry; nothing matches if there is none.
    Entry(Expr),
}

/// An expression and where it was written.
#[derive(Clone, Debug)]
pub struct Expr {
    pub node: Box<Node>,
    pub span: Span,
}

/// A value that is known before play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Literal {
    None,
    Number(i64),
    Truth(bool),
    Member(ValueId),
    Seat(SeatId),
    /// Members of one kind, in its order.
    Members(Vec<ValueId>),
    /// `{ }`, `[ ]`
    Nothing,
    Text(String),
}

/// What an expression does. Unknown parts make the whole unknown, unless the rest settles it (6.7).
#[derive(Clone, Debug)]
pub enum Node {
    Literal(Literal),
    /// Only before folding.
    Parameter(ParameterId),
    /// Only before folding: the branch chosen.
    Option(OptionId),
    /// A parameter, a `let`, a loop's or a binder's variable.
    Local(Slot),
    /// `seats`
    Seats,
    Role(RoleId),
    /// A fact with its indices.
    Fact(FactId, Vec<Expr>),
    /// The pieces of a place, in their order.
    Place(PlaceId, Vec<Expr>),
    /// What an account holds; of a joint one the whole, or with one index a share (`none`: nobody's).
    Account(AccountId, Vec<Expr>),
    /// Points made, reckoned or not.
    Tally(TallyId, Vec<Expr>),
    /// An account itself, not what it holds: one of a family, a share of a joint one, or (no index) the whole of it. Clause 4.6.
    Cell(AccountId, Vec<Expr>),
    /// What an account that is a value holds.
    Held(Expr),
    /// `s.claimants`, and (`main`) `s.main`: of a slice alone.
    Slice {
        of: Expr,
        main: bool,
    },
    /// `top n of X`, the uppermost first; `bottom n of X`, the lowest first. Only where pieces are shown.
    Ends {
        of: Expr,
        count: Expr,
        bottom: bool,
    },
    /// `marks(p) before e`, `marks(p) through e`: what was reckoned by then.
    TallyAt {
        tally: TallyId,
        indices: Vec<Expr>,
        through: bool,
        entry: Expr,
    },
    /// `e.points`, `e.head`, `e.seat` of an entry of a tally.
    EnteredPart(Expr, EnteredPart),
    /// A definition called: its arguments become the first slots of a frame of its own.
    Call(DefinitionId, Vec<Expr>),
    /// A question asked.
    Ask(QuestionId, Vec<Expr>),
    /// An attribute of a piece, by position.
    Attribute(Expr, usize),
    /// An argument of a log entry, by the name of the argument for each name that the entry may have.
    Argument(Expr, Vec<(NameId, usize)>),
    /// The seat that acted (`.by` of an entry).
    By(Expr),
    /// Who moved a piece where it lies.
    Mover(Expr),
    /// 1 for A.
    SeatNumber(Expr),
    Left {
        right: bool,
        of: Expr,
        among: Option<Expr>,
    },
    If(Expr, Expr, Expr),
    And(Vec<Expr>),
    Or(Vec<Expr>),
    Not(Expr),
    Minus(Expr),
    Arithmetic(Arithmetic, Expr, Expr),
    /// Neighbours of a chain, each pair; the order is of numbers, or of values on this scale (position among the orders; `None`: as they are numbered).
    Compare(Expr, Vec<(Comparison, Expr)>, Option<usize>),
    /// `x in S`
    In(Expr, Expr),
    /// `x is known`: whether the value is not unknown; never itself unknown.
    IsKnown(Expr),
    IsNone(Expr),
    IsEmpty(Expr),
    IsOdd(Expr),
    /// `{ a, b }`
    Set(Vec<Expr>),
    /// `[ a, 1 to 5 ]`
    List(Vec<(Expr, Option<Expr>)>),
    /// All members of a kind.
    Kind(KindId),
    /// `S together T`, `S without T`
    Together(Expr, Expr),
    Without(Expr, Expr),
    /// The same of a list that holds no pieces: it keeps its order.
    Lengthened {
        left: Expr,
        right: Expr,
        together: bool,
    },
    Count(Expr),
    /// `sum of E for x in S where C`
    Sum {
        of: Expr,
        binder: Binder,
    },
    /// `any x in S where C: B`
    Any(Binder, Option<Expr>),
    /// `every x in S where C: B`
    Every(Binder, Option<Expr>),
    /// `those x in S where C`
    Those(Binder),
    /// All that tie for highest or lowest; the order as for `Compare`.
    Extreme {
        highest: bool,
        binder: Binder,
        by: Expr,
        order: Option<usize>,
    },
    /// `best of L under R(args)`, for pieces and a ranking of one piece.
    Best {
        of: Expr,
        family: FamilyId,
        arguments: Vec<Expr>,
    },
    /// Groups, runs, and what rankings say of hands.
    Hand(HandNode),
    Only(Expr),
    FirstOf(Expr),
    LastOf(Expr),
    Cycle(Vec<Expr>, Expr),
    /// `has P since M`
    Has(QueryId),
    CountOf(QueryId),
    First(QueryId),
    Last(QueryId),
    /// One of these procedures is open.
    During(Vec<ProcedureId>),
    /// `outcome(P)`: the outcome of the last P that the calling instance has seen end, as a number (see [`Procedure::outcomes`]), or none.
    Outcome(ProcedureId),
    /// The first row whose keys fit. `true` behind a key: that value or a higher one, by this order.
    Table {
        of: Expr,
        rows: Vec<Row>,
        otherwise: Option<Expr>,
        order: Option<usize>,
    },
    /// `it`: the answer that an amendment changes.
    It,
    /// A condition that speaks of the state alone, by its number: what it came to is remembered. Only in a program that has been made ready for play.
    Kept(usize, Expr),
}

/// A part of an entry of a tally. Clause 4.7.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EnteredPart {
    Points,
    Head,
    /// The index at this position: whose points they are.
    Index(usize),
}

#[derive(Clone, Debug)]
pub struct Row {
    pub keys: Vec<(Expr, bool)>,
    pub value: Expr,
}

/// `x in S where C`
#[derive(Clone, Debug)]
pub struct Binder {
    pub slot: Slot,
    pub of: Expr,
    pub filter: Option<Expr>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arithmetic {
    Add,
    Subtract,
    Multiply,
    Divide,
    Mod,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    Equal,
    Unequal,
    Less,
    AtMost,
    Greater,
    AtLeast,
}
