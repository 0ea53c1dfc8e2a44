//! Expressions.

use super::*;

pub type Expr = At<Box<ExprKind>>;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExprKind {
    /// `12`
    Number(i64),
    /// `"text"`
    Text(String),
    /// `yes`, `no`
    Truth(bool),
    /// `none`
    None,
    /// `nobody`
    Nobody,
    /// `seats`: all of them
    Seats,
    /// `owner`: whose place it is, behind `seen by`
    Owner,
    /// `_` in a log pattern
    Hole,
    /// `dealer`, `hand(p)`
    Name { name: Name, arguments: Option<Vec<Argument>> },
    /// `last deal-several(p, _).n`
    Field { of: Expr, field: Name },
    /// `if C then A else B`
    If { when: Expr, then: Expr, otherwise: Expr },
    /// `a and b`, `a + b`, `a <= b`, `x in S`
    Binary { word: BinaryWord, left: Expr, right: Expr },
    /// `a < b <= c`: a chain of comparisons, each pair of neighbours
    Chain { first: Expr, rest: Vec<(BinaryWord, Expr)> },
    /// `not a`
    Not(Expr),
    /// `-a`
    Minus(Expr),
    /// `x is not known`
    Is { of: Expr, not: bool, what: IsWhat },
    /// `hand(p) reaches one-pair of jack`
    Reaches { of: Expr, class: Name, key: Option<Expr> },
    /// `any x in S where C: B`, `every x in S where C: B`
    Quantified { every: bool, binder: Binder, body: Option<Expr> },
    /// `those x in S where C`
    Those(Binder),
    /// `count(S)`
    Count(Expr),
    /// `count of exposed(_, p) since start of deal`
    CountOf { pattern: LogPattern, since: Option<LogMark> },
    /// `sum of E for x in S where C`
    Sum { of: Expr, binder: Binder },
    /// `highest q in S where C by E along rank` (a set), `lowest E along rank` over a set
    Extreme { highest: bool, of: ExtremeOf, along: Option<Name> },
    /// `best of L under R(args)`
    Best { of: Expr, ranking: Name, arguments: Option<Vec<Argument>> },
    /// `the only of S`
    Only(Expr),
    /// `has revoke(_, _) by p since start of play`, `first …`, `last unsettled …`
    Log { word: LogWord, unsettled: bool, pattern: LogPattern, since: Option<LogMark> },
    /// `during dealing, play`
    During(Vec<Name>),
    /// `first of trick`, `top of pack`
    EndOf { end: SequenceEnd, of: Expr },
    /// `left of dealer among staying`, `right of p`
    Beside { left: bool, of: Expr, among: Option<Expr> },
    /// `marks(p) before e`, `marks(p) through e`: a tally as it stood in the reckoning
    Reckoned { of: Expr, through: bool, entry: Expr },
    /// `cycle(jack, queen, king) at failed`
    Cycle { of: Vec<Expr>, at: Expr },
    /// `groups of h by rank at least 3`, `run of h by rank within suit at least 3`
    Grouped { runs: bool, of: Expr, by: Name, within: Option<Name>, least: Option<Expr> },
    /// `{ a, b }`
    Set(Vec<Expr>),
    /// `[ a, b, 1 to 5 ]`
    List(Vec<Domain>),
    /// `table r { ace: 11; ten or up: 10; else: 0; }`
    Table { of: Expr, rows: Vec<TableRow> },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinaryWord {
    Or,
    And,
    Equal,
    Unequal,
    Less,
    AtMost,
    Greater,
    AtLeast,
    In,
    NotIn,
    Add,
    Subtract,
    /// `S without T`
    Without,
    /// `S together T`
    Together,
    Multiply,
    Divide,
    Mod,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IsWhat {
    Known,
    Empty,
    None,
    Nobody,
    Even,
    Odd,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogWord {
    Has,
    First,
    Last,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SequenceEnd {
    First,
    Last,
    Top,
    Bottom,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Argument {
    All,
    Value(Expr),
}

/// `x in S where C`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Binder {
    pub name: Name,
    pub of: Expr,
    pub filter: Option<Expr>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExtremeOf {
    Binder { binder: Binder, by: Expr },
    Set(Expr),
}

/// `(see | better)(q, _) by not p`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogPattern {
    pub names: Vec<Name>,
    pub arguments: Option<Vec<Argument>>,
    pub by: Option<LogBy>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogBy {
    pub not: bool,
    pub seat: Expr,
}

/// `since start of hand`, `since end of dealing`, `since last better(p, _)`
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LogMark {
    Start(Name),
    End(Name),
    Entry(Expr),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableRow {
    /// Empty for `else`.
    pub keys: Vec<TableKey>,
    pub value: Expr,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableKey {
    pub value: Expr,
    /// `threes or up`
    pub or_up: bool,
}
