//! Questions put to the log. Clause 5.13.

use smallvec::SmallVec;

use super::{Eval, Found};
use crate::engine::state::Entry;
use crate::engine::value::{Truth, Value};
use crate::rules::table::program::{LogMark, NameId, Query, QueryId};

/// A pattern with everything in it worked out.
struct Pattern {
    arguments: SmallVec<[Option<Value>; 4]>,
    by: Option<(bool, Value)>,
    unsettled: bool,
    /// Entries from this number on.
    from: u32,
}

impl<'e> Eval<'e> {
    /// The first or the last entry that fits.
    pub fn find(&mut self, query: QueryId, first: bool) -> Found<Option<(NameId, u32)>> {
        let Some((asked, pattern)) = self.pattern(query)? else { return Ok(None) };
        let mut found: Option<(NameId, u32)> = None;
        for name in &asked.names {
            let entries = self.state.log.get(*name).map_or(&[][..], Vec::as_slice);
            let start = entries.partition_point(|entry| entry.serial < pattern.from);
            let entries = entries.get(start..).unwrap_or(&[]);
            let fits = |entry: &&Entry| self.fits(entry, &pattern);
            let entry = if first { entries.iter().find(fits) } else { entries.iter().rev().find(fits) };
            let better = |serial: u32| found.is_none_or(|(_, other)| if first { serial < other } else { serial > other });
            if let Some(entry) = entry.filter(|entry| better(entry.serial)) {
                found = Some((*name, entry.serial));
            }
        }
        Ok(found)
    }

    pub(super) fn count_of(&mut self, query: QueryId) -> Found<Option<i64>> {
        let Some((asked, pattern)) = self.pattern(query)? else { return Ok(Some(0)) };
        let mut count = 0;
        for name in &asked.names {
            let entries = self.state.log.get(*name).map_or(&[][..], Vec::as_slice);
            let start = entries.partition_point(|entry| entry.serial < pattern.from);
            count += entries.iter().skip(start).filter(|entry| self.fits(entry, &pattern)).count();
        }
        Ok(i64::try_from(count).ok())
    }

    fn fits(&self, entry: &Entry, pattern: &Pattern) -> bool {
        let arguments = pattern
            .arguments
            .iter()
            .zip(&entry.arguments)
            .all(|(wanted, given)| wanted.as_ref().is_none_or(|wanted| self.same(wanted, given) == Truth::Yes));
        let by = pattern.by.as_ref().is_none_or(|(not, wanted)| {
            let by = entry.by.map_or(Value::None, Value::Seat);
            let among = match wanted.mask() {
                Some(mask) => entry.by.is_some_and(|seat| mask >> seat & 1 == 1),
                None => *wanted == by,
            };
            among != *not
        });
        arguments && by && !(pattern.unsettled && entry.settled)
    }

    /// `None`: the window is empty, for what it begins with has never been.
    fn pattern(&mut self, query: QueryId) -> Found<Option<(&'e Query, Pattern)>> {
        let game = self.game;
        let Some(asked) = game.program.queries.get(query) else { return Ok(None) };
        let from = match &asked.since {
            None => Some(0),
            Some(LogMark::Start(procedure)) => self.state.mark(*procedure).start,
            Some(LogMark::End(procedure)) => self.state.mark(*procedure).end,
            Some(LogMark::Entry(entry)) => self.value(entry)?.entry().map(|(_, serial)| serial + 1),
        };
        let Some(from) = from else { return Ok(None) };
        let mut arguments = SmallVec::new();
        for argument in &asked.arguments {
            arguments.push(match argument {
                Some(argument) => Some(self.value(argument)?),
                None => None,
            });
        }
        let by = match &asked.by {
            Some((not, seat)) => Some((*not, self.value(seat)?)),
            None => None,
        };
        Ok(Some((asked, Pattern { arguments, by, unsettled: asked.unsettled, from })))
    }
}
