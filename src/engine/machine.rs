//! Scripts, step by step, from one stop to the next. Clauses 5.1, 5.8, 5.9 and 5.11.

use std::sync::Arc;

use super::eval::{Eval, Found, next_seat};
use super::game::Game;
use super::memo::Memo;
use super::reads;
use super::ruling::Ruling;
use super::state::{Arguments, Call, Closed, Frame, Mark, Script, Snapshot, State, Stop};
use super::trace::Note;
use super::trouble::{Fault, FaultKind, Trouble};
use super::value::{Holder, Truth, Value, seats_of};
use super::{MOST_EXPRESSIONS, MOST_FRAMES, MOST_STEPS, Orders};
use crate::rules::table::program::{
    Answer, Around, Code, Expr, Life, LogSort, NameId, Node, Offer, ProcedureId, ProcedureSort, SeatId, Slot, Step, Walk,
};
use crate::rules::table::walk::everything;
use crate::source::Span;

/// A state while it is being moved on.
pub(super) struct Machine<'m> {
    pub game: &'m Game,
    pub state: &'m mut State,
    /// The state's locals, taken out while expressions are worked out over the rest of it.
    pub locals: Vec<Value>,
    /// The state's memory, taken out as well.
    pub memo: Memo,
    pub orders: &'m mut dyn Orders,
    /// What happens, if somebody wants to know.
    pub notes: Option<&'m mut Vec<Note>>,
    /// Duties are done by default and pauses passed, without a stop at either.
    by_default: bool,
    /// Expressions that may still be worked out before the next stop.
    left: u32,
}

/// Whether the machine goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flow {
    On,
    Stop,
}

impl<'m> Machine<'m> {
    /// Does something with a state; whatever trouble comes becomes its stop.
    pub fn run(
        game: &'m Game,
        state: &'m mut State,
        orders: &'m mut dyn Orders,
        notes: Option<&'m mut Vec<Note>>,
        begin: impl FnOnce(&mut Machine<'m>) -> Found<()>,
    ) {
        Self::run_until(game, state, orders, notes, false, begin);
    }

    /// As [`run`](Self::run), and where duties and pauses are to be done `by_default`, on to where somebody must choose.
    pub fn run_until(
        game: &'m Game,
        state: &'m mut State,
        orders: &'m mut dyn Orders,
        notes: Option<&'m mut Vec<Note>>,
        by_default: bool,
        begin: impl FnOnce(&mut Machine<'m>) -> Found<()>,
    ) {
        let (locals, memo) = (std::mem::take(&mut state.locals), std::mem::take(&mut state.memo));
        let mut machine = Machine { game, state, locals, memo, orders, notes, by_default, left: MOST_EXPRESSIONS };
        let result = begin(&mut machine).and_then(|()| machine.go());
        match result {
            Ok(()) => {}
            Err(Trouble::Fault(mut fault)) => {
                fault.within = machine.within();
                machine.state.stop = Stop::Stuck(fault);
            }
            Err(Trouble::Unruled(unruled)) => machine.state.stop = Stop::NeedsRuling(unruled),
        }
        machine.state.locals = machine.locals;
        machine.state.memo = machine.memo;
    }

    /// The script at work, for a fault.
    fn within(&self) -> String {
        let program = &self.game.program;
        let name = self.state.frames.last().map(|frame| match frame.script {
            Script::Procedure(id) => program.procedures.get(id).map(|procedure| procedure.name.as_str()),
            Script::Rule(id, _) => program.rules.get(id).map(|rule| rule.name.as_str()),
            Script::Hook(id) | Script::Body(id) => program.hooks.get(id).and_then(|hook| program.names.get(hook.name)).map(|name| name.name.as_str()),
        });
        name.flatten().unwrap_or("play").to_owned()
    }

    pub fn note(&mut self, note: impl FnOnce() -> Note) {
        if let Some(notes) = &mut self.notes {
            notes.push(note());
        }
    }

    /// Works something out in a frame.
    pub fn eval<T>(&mut self, base: usize, work: impl FnOnce(&mut Eval<'_>) -> Found<T>) -> Found<T> {
        let length = self.locals.len();
        let mut eval = Eval::new(self.game, self.state, &mut self.locals, &mut self.memo, base);
        eval.notes = self.notes.is_some().then(Vec::new);
        eval.left = self.left;
        let result = work(&mut eval);
        self.left = eval.left;
        let rulings: Vec<Ruling> = eval.notes.take().unwrap_or_default();
        self.locals.truncate(length);
        if let Some(notes) = &mut self.notes {
            notes.extend(rulings.into_iter().map(Note::Ruling));
        }
        result
    }

    pub fn value(&mut self, base: usize, expr: &Expr) -> Found<Value> {
        self.eval(base, |eval| eval.value(expr))
    }

    /// A condition on which the script's way depends.
    pub fn holds(&mut self, base: usize, expr: &Expr) -> Found<bool> {
        match self.eval(base, |eval| Ok((eval.truth(expr)?, eval.missing)))? {
            (Truth::Yes, _) => Ok(true),
            (Truth::No, _) => Ok(false),
            (Truth::Unknown, missing) => fault(FaultKind::Unknown, missing.unwrap_or(expr.span)),
        }
    }

    pub fn set(&mut self, base: usize, slot: Slot, value: Value) {
        if let Some(local) = self.locals.get_mut(base + usize::from(slot)) {
            *local = value;
        }
    }

    fn get(&self, base: usize, slot: Slot) -> Value {
        self.locals.get(base + usize::from(slot)).cloned().unwrap_or(Value::Unknown)
    }

    /// Runs until somebody must choose.
    fn go(&mut self) -> Found<()> {
        for _ in 0..MOST_STEPS {
            if self.step()? == Flow::Stop {
                return Ok(());
            }
        }
        fault(FaultKind::Runaway, self.here())
    }

    /// Where the innermost script stands.
    fn here(&self) -> Span {
        let frame = self.state.frames.last();
        let code = frame.and_then(|frame| code(self.game, frame.script));
        let span = frame.zip(code).and_then(|(frame, code)| code.spans.get(frame.step).or(code.spans.last()));
        span.copied().unwrap_or_default()
    }

    fn step(&mut self) -> Found<Flow> {
        let Some(frame) = self.state.frames.last_mut() else {
            self.state.stop = Stop::Over;
            return Ok(Flow::Stop);
        };
        let (script, at, base) = (frame.script, frame.step, frame.base);
        let aside = frame.aside.as_ref().map(|(offer, _)| *offer);
        if let Script::Hook(hook) = script {
            return self.hook_step(hook, at);
        }
        let game = self.game;
        if let Some(offered) = aside
            && self.back_in_turn(script, offered, at, base)?
        {
            return Ok(Flow::On);
        }
        let Some((step, source)) = code(game, script).and_then(|code| Some((code.steps.get(at)?, code.sources.get(at).copied().flatten()))) else {
            self.finish(0)?;
            return Ok(Flow::On);
        };
        if let Some(source) = source {
            self.note(|| Note::Statement(source));
        }
        match step {
            Step::Let(slot, value) => {
                if self.state.arranged.is_some_and(|cell| looks_at(game, value, cell)) {
                    self.look_at_order()?;
                }
                let value = self.value(base, value)?;
                self.set(base, *slot, value);
                self.goto(at + 1);
            }
            Step::Unless(condition, target) => {
                let to = if self.holds(base, condition)? { at + 1 } else { *target };
                self.goto(to);
            }
            Step::Goto(target) => self.goto(*target),
            Step::AroundStart { around, from } => {
                let first = self.value(base, from)?;
                self.set(base, around.state, Value::Seats(0));
                self.set(base, around.state + 1, first);
                self.goto(at + 1);
            }
            Step::AroundNext(around) => {
                let to = if self.next_chair(base, around)? { at + 1 } else { around.exit };
                self.goto(to);
            }
            Step::WalkStart { walk, of } => {
                let items = self.eval(base, |eval| Ok(eval.items(of)?.map(super::eval::Items::walked)))?;
                let Some(items) = items else { return fault(FaultKind::Unknown, of.span) };
                self.set(base, walk.state, items);
                self.set(base, walk.state + 1, Value::Number(0));
                self.goto(at + 1);
            }
            Step::WalkNext(walk) => {
                let to = if self.next_item(base, walk)? { at + 1 } else { walk.exit };
                self.goto(to);
            }
            Step::Cut { walk, account, among } => {
                let slices = self.cut(base, *account, among)?;
                self.set(base, walk.state, Value::list(slices));
                self.set(base, walk.state + 1, Value::Number(0));
                self.goto(at + 1);
            }
            Step::SliceDone(slot) => {
                if let Some(Holder::Slice(slice)) = self.get(base, *slot).holder() {
                    self.slice_done(slice)?;
                }
                self.goto(at + 1);
            }
            Step::CutDone(slot) => {
                self.cut_done(&self.get(base, *slot));
                self.goto(at + 1);
            }
            Step::CountStart(slot, count) => {
                let value = self.value(base, count)?;
                if value == Value::Unknown {
                    return fault(FaultKind::Unknown, count.span);
                }
                self.set(base, *slot, value);
                self.goto(at + 1);
            }
            Step::CountNext(slot, target) => {
                let left = self.get(base, *slot).number().unwrap_or(0);
                if left > 0 {
                    self.set(base, *slot, Value::Number(left - 1));
                }
                self.goto(if left > 0 { at + 1 } else { *target });
            }
            Step::Offer(offer) => {
                if self.by_default && offer.duty && self.does_by_default(base, offer)? {
                    return Ok(Flow::On);
                }
                if self.somebody_can(base, offer)? {
                    self.state.stop = Stop::Offer;
                    return Ok(Flow::Stop);
                }
                self.goto(offer.next);
            }
            Step::Pause if self.by_default => self.goto(at + 1),
            Step::Pause => {
                self.state.stop = Stop::Pause;
                return Ok(Flow::Stop);
            }
            Step::Deed(deed) => self.deed(base, at, deed)?,
            Step::Call(procedure, arguments) => {
                let mut given = Arguments::new();
                for argument in arguments {
                    given.push(self.value(base, argument)?);
                }
                self.goto(at + 1);
                self.call(*procedure, given)?;
            }
            Step::Phase(procedure) => {
                self.goto(at + 1);
                self.call(*procedure, Arguments::new())?;
            }
        }
        Ok(Flow::On)
    }

    /// Does a duty by default, if there is an act of it that is regular. Clause 5.4.
    fn does_by_default(&mut self, base: usize, offer: &Offer) -> Found<bool> {
        // Trouble is met again, and told, where the duty is a stop.
        let Ok(Some((act, alternative))) = self.eval(base, |eval| eval.first_regular(offer)) else { return Ok(false) };
        self.take(base, offer, alternative, &act, None)?;
        // What counts is a stretch without anything done.
        self.left = MOST_EXPRESSIONS;
        Ok(true)
    }

    /// What somebody did out of his turn is done: whose turn it was is asked again, as after an event. Clauses 5.2 and 5.11.
    fn back_in_turn(&mut self, script: Script, offered: usize, at: usize, base: usize) -> Found<bool> {
        let game = self.game;
        let Some(Step::Offer(offer)) = code(game, script).and_then(|code| code.steps.get(offered)) else { return Ok(false) };
        if at != offer.next {
            return Ok(false);
        }
        let aside = self.state.frames.last_mut().and_then(|frame| frame.aside.take());
        if let (Some((_, turn)), Some((_, slot))) = (aside, offer.breach) {
            self.set(base, slot, turn);
        }
        self.goto(offered);
        self.ask_anew()?;
        Ok(true)
    }

    pub fn goto(&mut self, target: usize) {
        if let Some(frame) = self.state.frames.last_mut() {
            frame.step = target;
        }
    }

    /// `each p from S where C until U`: whether there is another chair to visit. Clause 5.8.
    fn next_chair(&mut self, base: usize, around: &Around) -> Found<bool> {
        let seated = self.state.seated;
        let begin = self.get(base, around.state + 1);
        let mut chair = match begin.seat() {
            Some(first) if seated >> first & 1 == 1 => Some(first),
            Some(first) => next_seat(first, seated, false),
            // Not the first turn: the next one is at the left of the last one visited.
            None if begin == Value::Truth(true) => self.get(base, around.seat).seat().and_then(|last| next_seat(last, seated, false)),
            None if begin == Value::None => return fault(FaultKind::Nobody, self.here()),
            None => return fault(FaultKind::Unknown, self.here()),
        };
        for _ in 0..seated.count_ones() {
            let Some(seat) = chair else { return Ok(false) };
            if let Some(until) = &around.until
                && self.holds(base, until)?
            {
                return Ok(false);
            }
            let visited = self.get(base, around.state).mask().unwrap_or(0);
            let old = self.get(base, around.seat);
            self.set(base, around.seat, Value::Seat(seat));
            let again = around.once && visited >> seat & 1 == 1;
            let filter = match &around.filter {
                Some(filter) if !again => self.holds(base, filter),
                Some(_) | None => Ok(true),
            };
            match filter {
                // Whoever answers what is missing finds the loop where it was.
                Err(trouble) => {
                    self.set(base, around.seat, old);
                    return Err(trouble);
                }
                Ok(true) if !again => {
                    self.set(base, around.state, Value::Seats(visited | 1 << seat));
                    self.set(base, around.state + 1, Value::Truth(true));
                    return Ok(true);
                }
                Ok(_) => {}
            }
            chair = next_seat(seat, seated, false);
        }
        Ok(false)
    }

    fn next_item(&mut self, base: usize, walk: &Walk) -> Found<bool> {
        let (items, Value::Number(mut at)) = (self.get(base, walk.state), self.get(base, walk.state + 1)) else { return Ok(false) };
        let item = |at: i64| match (&items, usize::try_from(at).ok()?) {
            (Value::Seats(mask), at) => seats_of(*mask).nth(at).map(Value::Seat),
            (Value::List(items), at) => items.get(at).cloned(),
            (_, _) => None,
        };
        while let Some(item) = item(at) {
            if let Some(until) = &walk.until
                && self.holds(base, until)?
            {
                return Ok(false);
            }
            at += 1;
            self.set(base, walk.item, item);
            let wanted = match &walk.filter {
                Some(filter) => self.holds(base, filter)?,
                None => true,
            };
            self.set(base, walk.state + 1, Value::Number(at));
            if wanted {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Opens a procedure, a phase or an action. The caller stands behind the call already.
    pub fn call(&mut self, procedure: ProcedureId, arguments: Arguments) -> Found<()> {
        let game = self.game;
        let Some(called) = game.program.procedures.get(procedure) else { return Ok(()) };
        if self.state.frames.len() >= MOST_FRAMES {
            return fault(FaultKind::TooDeep, self.here());
        }
        let length = self.locals.len();
        let before = self.state.mark(procedure);
        let voidable = game.voidable.get(procedure).copied().unwrap_or(false);
        let back = self.state.frames.last().map_or(0, |frame| frame.step);
        let snapshot = voidable.then(|| {
            let locals = self.state.frames.last().map_or(&[][..], |frame| self.locals.get(frame.base..).unwrap_or(&[])).to_vec();
            Arc::new(Snapshot {
                piles: called.restores.places.then(|| self.state.piles.clone()),
                accounts: called.restores.accounts.then(|| self.state.accounts.clone()),
                cuts: self.state.cuts.clone(),
                locals,
                marks: self.state.marks.clone(),
            })
        });
        let call = snapshot.map(|snapshot| Box::new(Call { arguments: arguments.clone(), back, snapshot }));
        let base = match called.sort {
            ProcedureSort::Phase => self.state.frames.last().map_or(length, |frame| frame.base),
            ProcedureSort::Procedure | ProcedureSort::Action => {
                self.locals.extend(arguments);
                self.locals.resize(length + usize::from(called.code.slots), Value::Unknown);
                length
            }
        };
        let interrupts = false;
        self.state.frames.push(Frame {
            script: Script::Procedure(procedure),
            step: 0,
            base,
            top: length,
            interrupts,
            call,
            queue: Vec::new(),
            aside: None,
            again: None,
            closed: Vec::new(),
        });
        if called.sort != ProcedureSort::Action {
            self.begin(procedure, before)?;
        }
        Ok(())
    }

    /// An instance begins: what lives as long as it is set to its first value. Clause 4.9.
    fn begin(&mut self, procedure: ProcedureId, before: Mark) -> Found<()> {
        let game = self.game;
        let Some(called) = game.program.procedures.get(procedure) else { return Ok(()) };
        self.note(|| Note::Began(procedure));
        let voidable = game.voidable.get(procedure).copied().unwrap_or(false);
        for (name, entries) in game.program.names.iter().zip(&mut self.state.log) {
            if name.kept_per == Life::Of(procedure) && !entries.is_empty() {
                // A void may bring the last instance back.
                let from = if voidable { before.start.unwrap_or(0) } else { u32::MAX };
                entries.retain(|entry| entry.serial >= from);
            }
        }
        let start = Some(self.state.serial);
        if let Some(mark) = self.state.marks.get_mut(procedure) {
            *mark = Mark { start, end: None, open: mark.open + 1 };
        }
        self.memo.changed_in(Some(reads::MARKS));
        for fact in &called.facts {
            self.reset_fact(*fact)?;
        }
        for tally in &called.tallies {
            self.reset_tally(*tally);
        }
        Ok(())
    }

    pub fn reset_fact(&mut self, fact: usize) -> Found<()> {
        let game = self.game;
        let Some(declared) = game.program.facts.get(fact) else { return Ok(()) };
        let first = match &declared.first {
            Some(Expr { node, .. }) if let Node::Literal(literal) = &**node => Value::from(literal),
            Some(first) => self.value(self.locals.len(), first)?,
            None => Value::Unknown,
        };
        if let Some(cells) = self.state.facts.get_mut(declared.cells.first..declared.cells.first + declared.cells.count()) {
            cells.fill(first);
        }
        self.memo.changed_in(reads::fact(fact));
        Ok(())
    }

    /// The innermost script has come to its end, with this outcome if it is a procedure.
    pub fn finish(&mut self, outcome: usize) -> Found<()> {
        let Some(frame) = self.state.frames.pop() else { return Ok(()) };
        self.locals.truncate(frame.top);
        self.forget_cuts();
        if let Script::Procedure(procedure) = frame.script {
            self.ended(procedure);
            let action = self.game.program.procedures.get(procedure).is_none_or(|called| called.sort == ProcedureSort::Action);
            if let Some(caller) = self.state.frames.last_mut().filter(|_| !action) {
                caller.closed.retain(|closed| closed.procedure != procedure);
                caller.closed.push(Closed { procedure, outcome, call: frame.call });
            }
            self.memo.changed_in(Some(reads::MARKS));
            if !action {
                self.note(|| Note::Ended(procedure, outcome));
            }
        }
        if frame.interrupts { self.ask_anew() } else { Ok(()) }
    }

    pub fn ended(&mut self, procedure: ProcedureId) {
        let end = Some(self.state.serial);
        let action = self.game.program.procedures.get(procedure).is_none_or(|called| called.sort == ProcedureSort::Action);
        if let Some(mark) = self.state.marks.get_mut(procedure).filter(|_| !action) {
            mark.end = end;
            mark.open = mark.open.saturating_sub(1);
        }
        self.memo.changed_in(Some(reads::MARKS));
    }

    /// The loops around the stop that was interrupted, from the outside in. Clause 5.11.
    pub fn ask_anew(&mut self) -> Found<()> {
        let game = self.game;
        let Some(frame) = self.state.frames.last() else { return Ok(()) };
        let (base, at) = (frame.base, frame.step);
        let Some(code) = code(game, frame.script) else { return Ok(()) };
        let Some(Step::Offer(offer)) = code.steps.get(at) else { return Ok(()) };
        for target in &offer.loops {
            let (until, filter, exit) = match code.steps.get(*target) {
                Some(Step::AroundNext(around)) => (&around.until, &around.filter, around.exit),
                Some(Step::WalkNext(walk)) => (&walk.until, &walk.filter, walk.exit),
                Some(_) | None => continue,
            };
            if let Some(until) = until
                && self.holds(base, until)?
            {
                self.goto(exit);
                return Ok(());
            }
            if let Some(filter) = filter
                && !self.holds(base, filter)?
            {
                self.goto(*target);
                return Ok(());
            }
        }
        Ok(())
    }

    /// Writes an entry into the log. Clause 5.13.
    pub fn log(&mut self, name: NameId, by: Option<SeatId>, arguments: Arguments) -> u32 {
        let serial = self.state.serial;
        self.state.serial += 1;
        if self.notes.is_some() {
            let breach = self.game.program.names.get(name).is_some_and(|name| name.sort == LogSort::Breach);
            let arguments = arguments.clone();
            self.note(|| Note::Logged { name, by, arguments, breach });
        }
        if self.game.program.names.get(name).is_some_and(|name| name.kept)
            && let Some(entries) = self.state.log.get_mut(name)
        {
            entries.push(super::state::Entry { serial, by, arguments, settled: false });
            self.memo.changed_in(reads::log(&self.game.program, name));
        }
        serial
    }
}

/// Whether an expression looks at the pieces of the place that has this cell.
#[expect(clippy::wildcard_enum_match_arm, reason = "nothing else names a place or a definition")]
fn looks_at(game: &Game, expr: &Expr, cell: usize) -> bool {
    let mut looks = false;
    everything(expr, &mut |part| match &*part.node {
        Node::Place(place, _) => {
            let cells = game.program.places.get(*place).map(|place| place.cells.first..place.cells.first + place.cells.count());
            looks |= cells.is_some_and(|cells| cells.contains(&cell));
        }
        Node::Call(definition, _) => looks |= game.program.definitions.get(*definition).is_some_and(|called| looks_at(game, &called.value, cell)),
        _ => {}
    });
    looks
}

pub(super) fn fault<T>(what: FaultKind, span: Span) -> Found<T> {
    Err(Trouble::Fault(Box::new(Fault { what, span, within: String::new() })))
}

/// The steps of a script.
pub(super) fn code(game: &Game, script: Script) -> Option<&Code> {
    let program = &game.program;
    match script {
        Script::Procedure(procedure) => program.procedures.get(procedure).map(|procedure| &procedure.code),
        Script::Body(hook) => program.hooks.get(hook).and_then(|hook| hook.body.as_ref()),
        Script::Hook(_) => None,
        Script::Rule(rule, part) => match (&program.rules.get(rule)?.answer, part) {
            (Answer::Does(code), super::state::Part::Deed) => Some(code),
            (Answer::Around { before, .. }, super::state::Part::Before) => before.as_ref(),
            (Answer::Around { after, .. }, super::state::Part::After) => after.as_ref(),
            (Answer::Is(_) | Answer::Stands | Answer::Refuse | Answer::Nothing | Answer::Does(_) | Answer::Around { .. }, _) => None,
        },
    }
}
