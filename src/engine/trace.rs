//! What happens, for readers: the trace. It can be switched off, and nothing depends on it. Clause 5.16.

use super::ruling::Ruling;
use super::state::Arguments;
use crate::rules::table::program::{NameId, PieceId, ProcedureId, SeatId};

/// One thing that happened between two stops.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Note {
    /// An act, an event, a right, a signal or a breach.
    Logged {
        name: NameId,
        by: Option<SeatId>,
        arguments: Arguments,
        breach: bool,
    },
    /// A question was read, or an event ruled on.
    Ruling(Ruling),
    /// A statement that cites something was carried out: a position in the program's sources.
    Statement(usize),
    /// Pieces went from one place cell to another.
    Moved {
        pieces: Vec<PieceId>,
        from: usize,
        to: usize,
    },
    /// Counters went from one account cell to another.
    Paid {
        amount: i64,
        from: usize,
        to: usize,
    },
    /// Points were made.
    Scored {
        amount: i64,
        cell: usize,
    },
    /// Pieces became known to these seats.
    Shown {
        pieces: Vec<PieceId>,
        to: u8,
    },
    Began(ProcedureId),
    /// With the outcome's number.
    Ended(ProcedureId, usize),
    Voided {
        procedure: ProcedureId,
        cause: Option<String>,
        again: bool,
    },
    /// A duty was done by default, or left: the act, and who did it.
    ByDefault,
}
