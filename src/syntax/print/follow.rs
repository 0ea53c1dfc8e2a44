//! What stands behind an expression, and which expressions would read it as a part of themselves.

use std::ops::BitOr;

use crate::syntax::tree::{Expr, ExprKind, ExtremeOf, LogMark, LogPattern};

/// A set of kinds of things that may stand directly behind an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Follow(u8);

impl Follow {
    pub const NOTHING: Follow = Follow(0);
    /// `+`, `mod`, `.field`, `before e`
    pub const ARITHMETIC: Follow = Follow(1);
    /// `<`, `in`, `is`
    pub const COMPARISON: Follow = Follow(2);
    /// `and`, `or`
    pub const LOGIC: Follow = Follow(4);
    pub const COLON: Follow = Follow(8);
    pub const COMMA: Follow = Follow(16);
    /// A word with which a part of some expression begins: `where`, `by`, `of`, `along`, `since`, `among`, `within`, `at`
    pub const WORDS: Follow = Follow(32);

    /// Whether an expression would read on into what follows it. Parts at its right end are asked on their own.
    pub fn would_be_swallowed_by(self, kind: &ExprKind) -> bool {
        self.0 & swallows(kind).0 != 0
    }
}

impl BitOr for Follow {
    type Output = Follow;

    fn bitor(self, other: Follow) -> Follow {
        Follow(self.0 | other.0)
    }
}

const TEST: Follow = Follow(Follow::ARITHMETIC.0 | Follow::COMPARISON.0 | Follow::LOGIC.0);

fn swallows(kind: &ExprKind) -> Follow {
    let words = |missing: bool| if missing { Follow::WORDS } else { Follow::NOTHING };
    match kind {
        ExprKind::If { .. } => TEST,
        ExprKind::Quantified { body: Some(_), .. } => TEST,
        ExprKind::Quantified { binder, body: None, .. } if binder.filter.is_some() => TEST | Follow::COLON,
        ExprKind::Quantified { .. } => Follow::ARITHMETIC | Follow::COLON | Follow::WORDS,
        ExprKind::Those(binder) | ExprKind::Sum { binder, .. } => {
            if binder.filter.is_some() {
                TEST
            } else {
                Follow::ARITHMETIC | Follow::WORDS
            }
        }
        ExprKind::Extreme { along: Some(_), .. } => Follow::NOTHING,
        ExprKind::Extreme { of: ExtremeOf::Binder { .. }, .. } => Follow::ARITHMETIC | Follow::WORDS,
        // `highest x` before `in` would begin `highest x in S by E`.
        ExprKind::Extreme { of: ExtremeOf::Set(_), .. } => Follow::ARITHMETIC | Follow::COMPARISON | Follow::WORDS,
        ExprKind::Only(_) | ExprKind::EndOf { .. } | ExprKind::Cycle { .. } => Follow::ARITHMETIC,
        ExprKind::Beside { among, .. } => Follow::ARITHMETIC | words(among.is_none()),
        ExprKind::Grouped { least: Some(_), .. } => Follow::ARITHMETIC,
        ExprKind::Grouped { .. } => Follow::WORDS,
        ExprKind::Log { pattern, since, .. } | ExprKind::CountOf { pattern, since } => log(pattern, since.as_ref()),
        ExprKind::During(_) => Follow::COMMA,
        ExprKind::Reaches { key, .. } => words(key.is_none()),
        ExprKind::Number(_) | ExprKind::Text(_) | ExprKind::Truth(_) | ExprKind::None | ExprKind::Nobody | ExprKind::Seats => Follow::NOTHING,
        ExprKind::Owner | ExprKind::Hole | ExprKind::Name { .. } | ExprKind::Field { .. } | ExprKind::Reckoned { .. } => Follow::NOTHING,
        ExprKind::Binary { .. } | ExprKind::Chain { .. } | ExprKind::Not(_) | ExprKind::Minus(_) | ExprKind::Is { .. } => Follow::NOTHING,
        ExprKind::Count(_) | ExprKind::Best { .. } | ExprKind::Set(_) | ExprKind::List(_) | ExprKind::Table { .. } => Follow::NOTHING,
    }
}

/// `deal by p` reads on with `+`, `deal` with `by` and `since`; a mark in time is a query itself and cannot stand in brackets.
fn log(pattern: &LogPattern, since: Option<&LogMark>) -> Follow {
    match since {
        Some(LogMark::Start(_) | LogMark::End(_)) => Follow::NOTHING,
        Some(LogMark::Entry(query)) => swallows(&query.it),
        None if pattern.by.is_some() => Follow::ARITHMETIC | Follow::WORDS,
        None => Follow::WORDS,
    }
}

/// What stands at the very left of an expression when it is printed.
pub(super) fn leftmost(expr: &Expr) -> &ExprKind {
    match &*expr.it {
        ExprKind::Binary { left, .. } => leftmost(left),
        ExprKind::Chain { first, .. } => leftmost(first),
        ExprKind::Is { of, .. } | ExprKind::Reaches { of, .. } | ExprKind::Field { of, .. } | ExprKind::Reckoned { of, .. } => leftmost(of),
        kind @ (ExprKind::Number(_) | ExprKind::Text(_) | ExprKind::Truth(_) | ExprKind::None | ExprKind::Nobody | ExprKind::Seats) => kind,
        kind @ (ExprKind::Owner | ExprKind::Hole | ExprKind::Name { .. } | ExprKind::If { .. } | ExprKind::Not(_) | ExprKind::Minus(_)) => kind,
        kind @ (ExprKind::Quantified { .. } | ExprKind::Those(_) | ExprKind::Count(_) | ExprKind::CountOf { .. } | ExprKind::Sum { .. }) => kind,
        kind @ (ExprKind::Extreme { .. } | ExprKind::Best { .. } | ExprKind::Only(_) | ExprKind::Log { .. } | ExprKind::During(_)) => kind,
        kind @ (ExprKind::EndOf { .. } | ExprKind::Beside { .. } | ExprKind::Cycle { .. } | ExprKind::Grouped { .. }) => kind,
        kind @ (ExprKind::Set(_) | ExprKind::List(_) | ExprKind::Table { .. }) => kind,
    }
}
