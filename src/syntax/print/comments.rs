//! The comments of a text, handed out in their order; empty lines; what stood on one line.

use crate::source::Span;
use crate::syntax::scan::{TokenKind, tokens};

/// One comment, from its `#` to the last character that is not blank.
#[derive(Clone, Copy, Debug)]
pub(super) struct Comment<'t> {
    pub text: &'t str,
    pub start: usize,
    /// Nothing stands before it on its line.
    pub own_line: bool,
}

#[derive(Debug)]
pub(super) struct Comments<'t> {
    all: Vec<Comment<'t>>,
    next: usize,
}

impl<'t> Comments<'t> {
    pub fn of(text: &'t str) -> Comments<'t> {
        let mut all = Vec::new();
        let mut last_end = 0;
        for token in tokens(text, 0) {
            if token.kind == TokenKind::Comment {
                let own_line = last_end == 0 || text.get(last_end..token.start).is_some_and(|between| between.contains('\n'));
                all.push(Comment { text: token.text(text), start: token.start, own_line });
            }
            last_end = token.end;
        }
        Comments { all, next: 0 }
    }

    /// The next comment that has not been handed out, if it begins before `at`.
    pub fn next_before(&mut self, at: usize) -> Option<Comment<'t>> {
        let comment = self.all.get(self.next).filter(|comment| comment.start < at)?;
        self.next += 1;
        Some(*comment)
    }

    pub fn has_before(&self, at: usize) -> bool {
        self.all.get(self.next).is_some_and(|comment| comment.start < at)
    }
}

/// Whether an empty line stands directly before `at`.
pub(super) fn blank_line_before(text: &str, at: usize) -> bool {
    text.get(..at).is_some_and(|before| {
        let blanks = before.bytes().rev().take_while(|byte| crate::syntax::scan::is_blank(*byte));
        blanks.filter(|byte| *byte == b'\n').nth(1).is_some()
    })
}

/// Whether the items from the first to the last stand on the line of the brace before them.
pub(super) fn on_one_line(text: &str, first: Option<Span>, last: Option<Span>) -> bool {
    let (Some(first), Some(last)) = (first, last) else { return false };
    let (start, end) = (first.start as usize, last.end as usize);
    let before = text.get(..start).unwrap_or("");
    let gap = before.len() - before.trim_end().len();
    !text.get(start - gap.min(start)..end).is_some_and(|piece| piece.contains('\n'))
}
