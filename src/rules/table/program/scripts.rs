//! Scripts of a program: steps, loops, stops and deeds. Clauses 4.2 to 4.9 and 5.1 to 5.12.

use super::*;

/// A script, cut into numbered steps. It ends behind its last step.
#[derive(Clone, Debug, Default)]
pub struct Code {
    pub steps: Vec<Step>,
    /// Where each step was written.
    pub spans: Vec<Span>,
    /// For each step, what its statement cites: a position in [`Program::sources`].
    pub sources: Vec<Option<usize>>,
    pub slots: Slot,
}

#[derive(Clone, Debug)]
pub enum Step {
    Let(Slot, Expr),
    /// Goes on at the target if the condition is not so.
    Unless(Expr, Target),
    Goto(Target),
    /// `each p from S …`: the seat to begin with goes into `state`; the loop itself is the next step.
    AroundStart {
        around: Around,
        from: Expr,
    },
    /// Finds the next chair, or leaves the loop.
    AroundNext(Around),
    /// `each x in L …`: the list goes into a slot of the loop.
    WalkStart {
        walk: Walk,
        of: Expr,
    },
    WalkNext(Walk),
    /// `each slice s of pool among S`: cuts the account; its slices are walked as a list. Clause 4.6.
    Cut {
        walk: Walk,
        account: AccountId,
        among: Expr,
    },
    /// A turn of such a loop has ended: what is left of the slice in this slot is nobody's.
    SliceDone(Slot),
    /// The loop has ended: nothing is a slice any more. The slot is that of the list.
    CutDone(Slot),
    /// `repeat n times`: the number goes into the slot.
    CountStart(Slot, Expr),
    /// Leaves for the target when the number in the slot is used up, else takes one away.
    CountNext(Slot, Target),
    /// An offer or a duty; the deed of the alternative chosen begins at its own target and ends with a `Goto`.
    Offer(Box<Offer>),
    /// Only events and rights may come.
    Pause,
    Deed(Deed),
    Call(ProcedureId, Vec<Expr>),
    /// A phase begins: its own script, with the slots of this one.
    Phase(ProcedureId),
}

/// A loop round the table. `p` is the chair visited; the next one is at its left. Clause 5.8.
#[derive(Clone, Debug)]
pub struct Around {
    pub seat: Slot,
    /// Holds the set of chairs visited, or skipped since the last visit. The engine keeps its own data in this slot and the next.
    pub state: Slot,
    pub until: Option<Expr>,
    pub filter: Option<Expr>,
    pub once: bool,
    pub exit: Target,
}

/// A loop over a finite list.
#[derive(Clone, Debug)]
pub struct Walk {
    pub item: Slot,
    /// The list in this slot, the position in the next.
    pub state: Slot,
    pub until: Option<Expr>,
    pub filter: Option<Expr>,
    pub exit: Target,
}

/// A stop where somebody chooses, or has a duty.
#[derive(Clone, Debug)]
pub struct Offer {
    pub id: OfferId,
    pub duty: bool,
    pub to: OfferTo,
    /// `offer p else B`: somebody else's act is possible, and B. The slot is that of `p`.
    pub breach: Option<(NameId, Slot)>,
    pub alternatives: Vec<Alternative>,
    /// `AroundNext` and `WalkNext` steps of the loops of this script around the stop, from the outside in. Clause 5.11.
    pub loops: Vec<Target>,
    /// Where the script goes on.
    pub next: Target,
}

#[derive(Clone, Debug)]
pub enum OfferTo {
    Nobody,
    Seat(Expr),
    /// `each p in S [in any order]`: until each has acted. The set of those who have stands in `done`.
    Each {
        seat: Slot,
        of: Expr,
        any_order: bool,
        done: Slot,
    },
}

/// `| play(c in hand(p)) when C heard E regular Q else revoke => …`
#[derive(Clone, Debug)]
pub struct Alternative {
    pub act: NameId,
    pub parameters: Vec<Parameter>,
    pub when: Option<Expr>,
    pub heard: Option<Expr>,
    pub regular: Option<Expr>,
    pub breach: Option<NameId>,
    /// `irregular` in front: it is never regular.
    pub irregular: bool,
    /// Where its deed begins.
    pub does: Target,
    pub from: Provenance,
}

/// An argument of an act, an event or a right.
#[derive(Clone, Debug)]
pub struct Parameter {
    pub name: String,
    pub kind: Type,
    pub slot: Slot,
    pub domain: Domain,
}

#[derive(Clone, Debug)]
pub enum Domain {
    /// Every value of its type: seats in use, members, pieces in use, any number (which must be written).
    All,
    /// A set, a list, the pieces of a place.
    In(Expr),
    Range(Expr, Expr),
    /// Subsets of a set of pieces with a to b members.
    Subsets(Expr, Expr, Expr),
    /// A fixed argument.
    Fixed(Expr),
}

/// What a statement does.
#[derive(Clone, Debug)]
pub enum Deed {
    /// `None`: all.
    Pay {
        amount: Option<Expr>,
        from: Expr,
        to: Expr,
    },
    /// `share X among S to A, rest to B`: to the cells of a family by seat. B is asked where something is left over.
    Share {
        of: Expr,
        among: Expr,
        to: AccountId,
        rest: Expr,
    },
    /// Pieces that an expression names (a piece, a set, a place), in its order, from wherever they lie.
    Move {
        what: Expr,
        from: Option<PlaceCell>,
        to: PlaceCell,
        bottom: bool,
    },
    /// `move top n of X`
    MoveEnd {
        bottom: bool,
        count: Expr,
        of: PlaceCell,
        to: PlaceCell,
        to_bottom: bool,
    },
    /// `move every card where C to X`: every piece of this kind, in the order of the places.
    MoveEvery {
        kind: usize,
        slot: Slot,
        filter: Option<Expr>,
        to: PlaceCell,
        bottom: bool,
    },
    Score {
        amount: Expr,
        tally: TallyId,
        indices: Vec<Expr>,
        under: Option<Expr>,
        /// Behind this entry of the same tally, under its heading.
        after: Option<Expr>,
    },
    /// `close in-point of marks`
    Close {
        tally: TallyId,
        headings: Vec<Expr>,
    },
    /// `mark c known to p`; `None`: to all. `show` is the same, and stands in the log for all.
    Mark {
        what: Expr,
        to: Option<Expr>,
        shown: bool,
    },
    Arrange(PlaceCell),
    /// `None`: some.
    Lift {
        count: Option<Expr>,
        of: PlaceCell,
    },
    Announce {
        hook: HookId,
        arguments: Vec<Expr>,
    },
    End {
        procedure: ProcedureId,
        outcome: usize,
    },
    Void {
        procedure: ProcedureId,
        cause: Option<String>,
        again: bool,
    },
    Stands,
    Refuse,
    SetFact {
        fact: FactId,
        indices: Vec<Expr>,
        change: Change,
        value: Expr,
    },
    SetRole {
        role: RoleId,
        value: Expr,
    },
    SetLocal {
        slot: Slot,
        change: Change,
        value: Expr,
    },
    /// `settle last unsettled …`
    Settle(Expr),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    Becomes,
    Add,
    Subtract,
}

#[derive(Clone, Debug)]
pub struct PlaceCell {
    pub place: PlaceId,
    pub indices: Vec<Expr>,
}
