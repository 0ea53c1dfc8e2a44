//! Events, rights and signals: their rules decide, and the scripts of those that stand run one behind the other. Clauses 5.5, 5.12 and 6.3 to 6.5.

use super::eval::{Details, Found, Standing};
use super::machine::{Flow, Machine};
use super::ruling::{Outcome, Subject};
use super::state::{Arguments, Frame, Part, Script, Waiting};
use super::trace::Note;
use super::trouble::FaultKind;
use super::value::Value;
use super::{MOST_FRAMES, machine};
use crate::rules::table::program::{Answer, Hook, HookId, SeatId};

/// Steps of a frame that rules on a hook.
const BODY: usize = 0;
const DECIDE: usize = 1;
const SCRIPTS: usize = 2;

impl Machine<'_> {
    /// Logs it and lays its ruling on top of whatever is open.
    pub fn raise(&mut self, hook: HookId, by: Option<SeatId>, arguments: Arguments, interrupts: bool) -> Found<()> {
        let game = self.game;
        let Some(raised) = game.program.hooks.get(hook) else { return Ok(()) };
        self.log(raised.name, by, arguments.clone());
        // A signal that nobody answers is only logged.
        if !interrupts && raised.rules.is_empty() && raised.body.is_none() {
            return Ok(());
        }
        if self.state.frames.len() >= MOST_FRAMES {
            return machine::fault(FaultKind::TooDeep, raised.from.span);
        }
        let base = self.locals.len();
        self.locals.extend(arguments);
        let wanted = base + usize::from(raised.slots).max(raised.parameters.len());
        self.locals.resize(wanted.max(self.locals.len()), Value::Unknown);
        let step = if raised.body.is_some() { BODY } else { DECIDE };
        self.state.frames.push(Frame {
            script: Script::Hook(hook),
            step,
            base,
            top: base,
            interrupts,
            call: None,
            queue: Vec::new(),
            aside: None,
            again: None,
            closed: Vec::new(),
        });
        Ok(())
    }

    pub fn hook_step(&mut self, hook: HookId, at: usize) -> Found<Flow> {
        let game = self.game;
        let Some(raised) = game.program.hooks.get(hook) else { return Ok(Flow::On) };
        match at {
            BODY => {
                self.goto(DECIDE);
                let base = self.state.frames.last().map_or(0, |frame| frame.base);
                let slots = raised.body.as_ref().map_or(0, |body| usize::from(body.slots));
                let mut locals = self.locals.get(base..base + raised.parameters.len()).unwrap_or(&[]).to_vec();
                locals.resize(slots.max(locals.len()), Value::Unknown);
                self.open(Script::Body(hook), locals);
            }
            DECIDE => {
                let queue = self.decide_hook(hook, raised)?;
                if let Some(frame) = self.state.frames.last_mut() {
                    frame.queue = queue;
                    frame.step = SCRIPTS;
                }
            }
            _ => match self.state.frames.last_mut().and_then(|frame| (!frame.queue.is_empty()).then(|| frame.queue.remove(0))) {
                Some(Waiting { script, locals }) => self.open(script, locals),
                None => {
                    let again = self.state.frames.last_mut().and_then(|frame| frame.again.take());
                    self.finish(0)?;
                    if let Some(again) = again {
                        let (procedure, arguments) = *again;
                        self.call(procedure, arguments)?;
                    }
                    self.reckon_on(hook)?;
                }
            },
        }
        Ok(Flow::On)
    }

    fn open(&mut self, script: Script, locals: Vec<Value>) {
        let base = self.locals.len();
        let slots = machine::code(self.game, script).map_or(0, |code| usize::from(code.slots));
        let length = locals.len().max(slots);
        self.locals.extend(locals);
        self.locals.resize(base + length, Value::Unknown);
        self.state.frames.push(Frame {
            script,
            step: 0,
            base,
            top: base,
            interrupts: false,
            call: None,
            queue: Vec::new(),
            aside: None,
            again: None,
            closed: Vec::new(),
        });
    }

    /// The scripts that run, in order: amendments before, the deeds, amendments after.
    fn decide_hook(&mut self, hook: HookId, raised: &Hook) -> Found<Vec<Waiting>> {
        let game = self.game;
        let base = self.state.frames.last().map_or(0, |frame| frame.base);
        let arguments = raised.parameters.len();
        let Some(decision) = game.hooks.get(hook) else { return Ok(Vec::new()) };
        let tracing = self.notes.is_some();
        let given = self.locals.get(base..base + arguments).unwrap_or(&[]).to_vec();
        let (verdict, ruling) = self.eval(base, |eval| {
            // A decision works in a frame of its own, for its rules' locals stand behind the arguments.
            let start = eval.locals.len();
            eval.locals.extend(given.iter().cloned());
            let base = std::mem::replace(&mut eval.base, start);
            let mut details = Details::default();
            let verdict = eval.decide(decision, arguments, true, tracing.then_some(&mut details))?;
            let ruling = eval.ruling_of(Subject::Hook(hook), given, &verdict, details)?;
            eval.leave(base);
            Ok((verdict, ruling))
        })?;
        if let Outcome::Unknown(span) = ruling.outcome {
            return machine::fault(FaultKind::Unknown, span);
        }
        let conflict = matches!(ruling.outcome, Outcome::Conflict(_));
        self.note(|| Note::Ruling(ruling));
        // Two rules that differ: nobody can say what follows, so nothing does.
        if conflict {
            return Ok(Vec::new());
        }
        let script = |standing: &Standing, part: Part| Waiting { script: Script::Rule(standing.rule, part), locals: standing.locals.clone() };
        let around = |standing: &&Standing, part: Part| {
            let rule = game.program.rules.get(standing.rule);
            rule.is_some_and(|rule| match (&rule.answer, part) {
                (Answer::Around { before, .. }, Part::Before) => before.is_some(),
                (Answer::Around { after, .. }, Part::After) => after.is_some(),
                (Answer::Does(_), Part::Deed) => true,
                (Answer::Is(_) | Answer::Stands | Answer::Refuse | Answer::Nothing | Answer::Does(_) | Answer::Around { .. }, _) => false,
            })
        };
        let before = verdict.amending.iter().filter(|standing| around(standing, Part::Before)).map(|standing| script(standing, Part::Before));
        let deeds = verdict.standing.iter().filter(|standing| around(standing, Part::Deed)).map(|standing| script(standing, Part::Deed));
        let after = verdict.amending.iter().filter(|standing| around(standing, Part::After)).map(|standing| script(standing, Part::After));
        Ok(before.chain(deeds).chain(after).collect())
    }
}
