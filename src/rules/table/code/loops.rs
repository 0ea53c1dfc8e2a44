//! Loops: round the table, over a list, a number of times. Clauses 5.8 and 5.9.

use super::super::program::{Around, Expr, Node, Step, Type, Walk};
use super::Script;
use super::statements::yes;
use crate::diagnostic::Code;
use crate::source::Span;
use crate::syntax::tree::{self, Block, Domain, EachOver, Name, Tags, Times};

impl<'d> Script<'_, 'd> {
    pub(super) fn each(
        &mut self,
        over: &'d EachOver,
        filter: Option<&'d tree::Expr>,
        until: Option<&'d tree::Expr>,
        once: bool,
        (span, tags): (Span, &'d Tags),
        body: &'d Block,
    ) {
        let source = self.source(span, tags);
        match over {
            EachOver::Slice { name, of, among } => {
                if once {
                    self.wrong(Code::WrongKind, "every slice comes once anyhow", span, "`once` belongs to a loop round the table: `each p from …`");
                }
                let account = self.making.compiler.joint_account(of, &self.locals);
                let among = self.expected(among, &Type::Seat.set());
                let item = self.declare(name, Type::Account);
                let state = self.pair();
                let (until, filter) = (until.and_then(|until| self.truth(until)), filter.and_then(|filter| self.truth(filter)));
                let walk = Walk { item, state, until, filter, exit: 0 };
                let (Some(account), Some(among)) = (account, among) else { return self.block(body) };
                let start = self.emit(Step::Cut { walk: walk.clone(), account, among }, span, source);
                let next = self.emit(Step::WalkNext(walk), span, source);
                self.loops.push(next);
                self.block(body);
                self.loops.pop();
                self.emit(Step::SliceDone(item), span, None);
                self.jump(next, span);
                self.land(start);
                self.land(next);
                self.emit(Step::CutDone(state), span, None);
            }
            EachOver::Around { name, from } => {
                let from = self.expected(from, &Type::Seat);
                let seat = self.declare(name, Type::Seat);
                let state = self.pair();
                let (until, filter) = (until.and_then(|until| self.truth(until)), filter.and_then(|filter| self.truth(filter)));
                let around = Around { seat, state, until, filter, once, exit: 0 };
                let Some(from) = from else { return self.block(body) };
                let start = self.emit(Step::AroundStart { around: around.clone(), from }, span, source);
                let next = self.emit(Step::AroundNext(around), span, source);
                self.turn(start, next, body, span);
            }
            EachOver::Of { name, domain } => {
                if once {
                    let help = "`once` belongs to a loop round the table: `each p from …`";
                    self.wrong(Code::WrongKind, "a list is walked once anyhow", span, help);
                }
                let read = self.walked(domain);
                let kind = read.as_ref().map_or(Type::BROKEN, |(_, kind)| kind.clone());
                let item = self.declare(name, kind);
                let state = self.pair();
                let (until, filter) = (until.and_then(|until| self.truth(until)), filter.and_then(|filter| self.truth(filter)));
                let walk = Walk { item, state, until, filter, exit: 0 };
                let Some((of, _)) = read else { return self.block(body) };
                let start = self.emit(Step::WalkStart { walk: walk.clone(), of }, span, source);
                let next = self.emit(Step::WalkNext(walk), span, source);
                self.turn(start, next, body, span);
            }
        }
    }

    fn turn(&mut self, start: usize, next: usize, body: &'d Block, span: Span) {
        self.loops.push(next);
        self.block(body);
        self.loops.pop();
        self.jump(next, span);
        self.land(start);
        self.land(next);
    }

    /// `hand(p)`, `suit`, `1 to 5`, and the type of what they hold.
    fn walked(&mut self, domain: &'d Domain) -> Option<(Expr, Type)> {
        let Some(to) = &domain.to else { return self.making.compiler.collection(&domain.from, &mut self.locals) };
        let (from, end) = (self.number(&domain.from), self.number(to));
        let (from, end) = (from?, end?);
        let span = from.span.to(end.span);
        Some((Expr { node: Box::new(Node::List(vec![(from, Some(end))])), span }, Type::Number))
    }

    pub(super) fn repeat(
        &mut self,
        times: Option<&'d Times>,
        [until, holds, after]: [Option<&'d tree::Expr>; 3],
        (span, tags): (Span, &'d Tags),
        body: &'d Block,
    ) {
        let source = self.source(span, tags);
        let mut exits = Vec::new();
        let counter = times.map(|times| {
            let count = self.number(&times.count);
            let slot = self.locals.fresh();
            if let Some(count) = count {
                self.emit(Step::CountStart(slot, count), span, source);
            }
            slot
        });
        let again = self.here();
        if let Some(slot) = counter {
            exits.push(self.emit(Step::CountNext(slot, 0), span, None));
        }
        if let Some(until) = until.and_then(|until| self.truth(until)) {
            let place = until.span;
            let not = Expr { node: Box::new(Node::Not(until)), span: place };
            exits.push(self.emit(Step::Unless(not, 0), place, None));
        }
        if let Some(holds) = holds.and_then(|holds| self.truth(holds)) {
            let place = holds.span;
            exits.push(self.emit(Step::Unless(holds, 0), place, None));
        }
        if times.is_none() && !self.making.holds_stop(&body.it) {
            let help = "write how often at most: `repeat up to N times …`, or let somebody choose inside";
            self.wrong(Code::Runaway, "nothing stops this: nobody is waited for inside, and there is no bound", span, help);
        }
        self.block(body);
        match after {
            Some(after) => {
                let after = self.truth(after).unwrap_or_else(|| yes(span));
                let place = after.span;
                self.emit(Step::Unless(after, again), place, None);
            }
            None => self.jump(again, span),
        }
        for exit in exits {
            self.land(exit);
        }
    }

    /// A loop's own name, kept from being written.
    pub(super) fn is_written(&self, name: &Name) -> bool {
        self.locals.find(&name.it).is_some_and(|local| self.writable.contains(&local.slot))
    }
}
