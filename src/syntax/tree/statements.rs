//! Statements and what they do.

use super::*;

pub type Block = At<Vec<Statement>>;
pub type Statement = At<StatementKind>;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StatementKind {
    /// `{ … }`
    Block(Block),
    /// `let n = 5;`
    Let { name: Name, value: Expr },
    /// `when C;`
    When(Expr),
    /// `is V;`
    Is(Expr),
    /// `before { … }`
    Before(Block),
    /// `after { … }`
    After(Block),
    /// `if C { … } else { … }`
    If { when: Expr, then: Block, otherwise: Option<Box<Statement>> },
    /// `each p from first where C until U once cites … { … }`
    Each { over: EachOver, filter: Option<Expr>, until: Option<Expr>, once: bool, tags: Tags, body: Block },
    /// `repeat up to 5 times until U while C { … } until V;`
    Repeat { times: Option<Times>, until: Option<Expr>, holds: Option<Expr>, tags: Tags, body: Block, after: Option<Expr> },
    /// `offer p else out-of-turn { | … }`
    Offer { to: OfferTo, breach: Option<Name>, tags: Tags, alternatives: Vec<At<Alternative>> },
    /// `duty dealer { | … }`
    Duty { by: DutyBy, tags: Tags, alternatives: Vec<At<Alternative>> },
    /// `duty dealer deals-to(p) => …;`
    SingleDuty { by: DutyBy, alternative: Box<At<Alternative>> },
    /// `pause;`
    Pause(Tags),
    /// `phase dealing cites … { … }`
    Phase { name: Name, tags: Tags, body: Block },
    /// `share E among S to A, rest to B;`
    Share { amount: Expr, among: Expr, to: Expr, rest: Expr, tags: Tags },
    /// `close in-blank of marks;`
    Close { headings: Vec<Expr>, tally: Name, tags: Tags },
    /// `settle it;`
    Settle(Expr),
    /// `again;`
    Again,
    /// A deed with its tags: `pay 1 from stack(p) to pool cites …;`
    Do { deed: Deed, tags: Tags },
}

/// What may stand behind `=>` of an alternative, and as a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Deed {
    /// `pay all from a to b` (`amount` none = all)
    Pay { amount: Option<Expr>, from: Expr, to: Expr },
    /// `move top 5 of pack from p to hand(q)`
    Move { what: Moved, from: Option<Expr>, to: Destination },
    /// `score 1 to marks(p) under in-play after e`
    Score { amount: Expr, to: Expr, under: Option<Expr>, after: Option<Expr> },
    /// `mark c known to all`
    Mark { what: MovedPart, to: KnownTo },
    /// `show hand(p) to all`
    Show { what: MovedPart, to: KnownTo },
    /// `arrange pack`
    Arrange(Expr),
    /// `lift some of pack` (`count` none = some)
    Lift { count: Option<Expr>, of: Expr },
    /// `announce trick-won(p, n)`
    Announce { signal: Name, arguments: Option<Vec<Argument>> },
    /// `end hand with unopened`
    End { procedure: Name, outcome: Option<Name> },
    /// `void deal for misdeal, again`
    Void { procedure: Name, cause: Option<Name>, again: bool },
    /// `stands`
    Stands,
    /// `refuse`
    Refuse,
    /// `won(w) += 1`
    Assign { target: Name, arguments: Option<Vec<Argument>>, word: AssignWord, value: Expr },
    /// `stake(p, 5)`
    Call { name: Name, arguments: Vec<Argument> },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AssignWord {
    Becomes,
    Add,
    Subtract,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlaceEnd {
    Top,
    Bottom,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Moved {
    /// `every card where C`
    Every { piece: Name, filter: Option<Expr> },
    /// `top 5 of pack`; the count may be left out (one) or be `some` (any number: the record says)
    End { end: PlaceEnd, count: MovedCount, of: Expr },
    /// `hand(p), served(p)`
    These(Vec<Expr>),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MovedCount {
    One,
    Some,
    Number(Expr),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Destination {
    /// `top of pack`, `bottom of pack`
    End(PlaceEnd, Expr),
    Place(Expr),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MovedPart {
    /// `top 2 of stock`
    End {
        end: PlaceEnd,
        count: Option<Expr>,
        of: Expr,
    },
    These(Expr),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KnownTo {
    All,
    Seats(Expr),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EachOver {
    /// `slice s of pool among staying`
    Slice { name: Name, of: Expr, among: Expr },
    /// `p from first`: seats, round the table
    Around { name: Name, from: Expr },
    /// `i in item`, `i in 1 to 5`
    Of { name: Name, domain: Domain },
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Times {
    pub up_to: bool,
    pub count: Expr,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OfferTo {
    Seat(Expr),
    /// `each p in seats in any order`
    Each {
        name: Name,
        of: Expr,
        any_order: bool,
    },
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DutyBy {
    Nobody,
    /// `each p in seats in any order`
    Each {
        name: Name,
        of: Expr,
        any_order: bool,
    },
    Seat {
        name: Name,
        arguments: Option<Vec<Argument>>,
    },
}

/// `| irregular play(c in hand(p)) when C heard E regular Q else revoke => deed cites …;`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alternative {
    pub irregular: bool,
    pub act: Name,
    pub parameters: Option<Vec<ActParameter>>,
    pub when: Option<Expr>,
    pub heard: Option<Expr>,
    pub regular: Option<Expr>,
    pub breach: Option<Name>,
    pub does: Does,
    pub tags: Tags,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ActParameter {
    Parameter(Parameter),
    /// An argument that is fixed: `deal-to(p)`.
    Fixed(Expr),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Does {
    Block(Block),
    Deed(At<Deed>),
}
