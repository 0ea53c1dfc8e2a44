//! One surviving answer. Clauses 6.2 to 6.7.

use smallvec::SmallVec;

use super::{Eval, Found};
use crate::engine::game::{Contender, Decision};
use crate::engine::reads::Reads;
use crate::engine::ruling::{GaveWay, Missed, Ruling, Subject};
use crate::engine::state::Arguments;
use crate::engine::trouble::{Trouble, Unruled, Why};
use crate::engine::value::{Truth, Value};
use crate::rules::table::program::{Answer, Condition, Expr, Question, QuestionId, Rule, RuleId};
use crate::source::Span;

/// A rule that applies and did not give way.
#[derive(Clone, Debug)]
pub(in crate::engine) struct Standing {
    pub rule: RuleId,
    /// Position in the decision.
    pub at: usize,
    /// Of a question: its answer.
    pub value: Value,
    /// Of an event, right or signal: the locals of its script.
    pub locals: Vec<Value>,
}

/// What is left when every edge has acted.
#[derive(Clone, Debug, Default)]
pub(in crate::engine) struct Verdict {
    pub standing: SmallVec<[Standing; 2]>,
    /// Amendments of what stands, in order.
    pub amending: SmallVec<[Standing; 1]>,
    /// A rule of which nobody can say whether it applies, and the condition.
    pub unknown: Option<(RuleId, Span)>,
    /// A suspension took something away.
    pub suspended: bool,
}

/// Positions of the rules that give way in a decision.
type Dropped = SmallVec<[usize; 8]>;

/// Details for a ruling; gathered only if somebody wants them.
#[derive(Debug, Default)]
pub(in crate::engine) struct Details {
    pub gave_way: Vec<GaveWay>,
    pub missed: Vec<Missed>,
}

impl<'e> Eval<'e> {
    /// The value of a question for a procedure or another question.
    pub(super) fn ask(&mut self, question: QuestionId, arguments: &[Expr], span: Span) -> Found<Value> {
        let Some(asked) = self.game.program.questions.get(question) else { return Ok(Value::Unknown) };
        let given = self.given(arguments)?;
        let reads = self.game.reads.questions.get(question).filter(|_| self.notes.is_none());
        let stamp = reads.map(|reads| self.memo.stamp(reads));
        if let Some(value) = stamp.and_then(|stamp| self.memo.question(question, &given, stamp)) {
            return Ok(value.clone());
        }
        let base = self.enter(&given, 0);
        let value = match if stamp.is_some() { self.plain_answer(question) } else { None } {
            Some(plain) => match self.value(plain) {
                // What the table agreed, and what is missing, is looked for in the ordinary way.
                Ok(Value::Unknown) => self.answered(question, asked, arguments.len(), span),
                settled => settled,
            },
            None => self.answered(question, asked, arguments.len(), span),
        };
        self.leave(base);
        if let (Ok(value), Some(stamp)) = (&value, stamp)
            && *value != Value::Unknown
        {
            self.memo.keep_question(question, given, stamp, value);
        }
        value
    }

    /// What a question comes to where nothing needs deciding: it has no rule, and says itself what holds then, or one that always answers.
    fn plain_answer(&mut self, question: QuestionId) -> Option<&'e Expr> {
        let game = self.game;
        let decision = game.questions.get(question)?;
        if decision.rules.is_empty() {
            return game.program.questions.get(question)?.otherwise.as_ref();
        }
        let rule = game.program.rules.get(decision.only?)?;
        let Answer::Is(value) = &rule.answer else { return None };
        let wanted = self.base + usize::from(rule.slots);
        if self.locals.len() < wanted {
            self.locals.resize(wanted, Value::Unknown);
        }
        Some(value)
    }

    /// What the rules decide, with the arguments on top of the locals.
    fn answered(&mut self, question: QuestionId, asked: &Question, arguments: usize, span: Span) -> Found<Value> {
        let game = self.game;
        let Some(decision) = game.questions.get(question) else { return Ok(Value::Unknown) };
        let before = self.missing;
        if let Some(value) = self.answered_before(question, decision, arguments)? {
            return Ok(value);
        }
        let verdict = if self.notes.is_some() {
            let mut details = Details::default();
            let verdict = self.decide(decision, arguments, false, Some(&mut details))?;
            let given = self.locals.get(self.base..self.base + arguments).unwrap_or(&[]).to_vec();
            let ruling = self.ruling_of(Subject::Question(question), given, &verdict, details)?;
            if let Some(notes) = &mut self.notes {
                notes.push(ruling);
            }
            verdict
        } else {
            self.decide(decision, arguments, false, None)?
        };
        self.remember(question, decision, arguments, &verdict);
        match self.value_of(&verdict, asked)? {
            Ok(value) => {
                // What is settled does not rest on what is missing.
                self.missing = before;
                Ok(value)
            }
            Err(why) => self.unruled(question, arguments, why, span),
        }
    }

    /// The answer, if the question was put before with the same arguments where conditions look at them: then the same rules stand, and only their
    /// answers are worked out.
    fn answered_before(&mut self, question: QuestionId, decision: &Decision, arguments: usize) -> Found<Option<Value>> {
        let Some(reads) = decision.reads.filter(|_| self.notes.is_none()) else { return Ok(None) };
        let given = self.locals.get(self.base..self.base + arguments).unwrap_or(&[]);
        let stamp = self.stamp_of(question);
        let Some(rules) = self.memo.standing(question, given, reads, stamp) else { return Ok(None) };
        let mut answer: Option<Value> = None;
        for rule in rules.iter().filter_map(|rule| self.game.program.rules.get(*rule)) {
            let Answer::Is(value) = &rule.answer else { return Ok(None) };
            let wanted = self.base + usize::from(rule.slots).max(arguments);
            if self.locals.len() < wanted {
                self.locals.resize(wanted, Value::Unknown);
            }
            let value = self.value(value)?;
            if value == Value::Unknown || answer.as_ref().is_some_and(|answer| self.same(answer, &value) != Truth::Yes) {
                return Ok(None);
            }
            answer = Some(value);
        }
        Ok(answer)
    }

    fn remember(&mut self, question: QuestionId, decision: &Decision, arguments: usize, verdict: &Verdict) {
        let plain = verdict.unknown.is_none() && !verdict.suspended && verdict.amending.is_empty() && !verdict.standing.is_empty();
        if decision.reads.is_none() || !plain || self.notes.is_some() {
            return;
        }
        let given = self.locals.get(self.base..self.base + arguments).unwrap_or(&[]);
        let rules = verdict.standing.iter().map(|standing| standing.rule).collect();
        let stamp = self.stamp_of(question);
        self.memo.keep_standing(question, Arguments::from(given), stamp, rules);
    }

    fn stamp_of(&self, question: QuestionId) -> u64 {
        self.memo.stamp(self.game.reads.questions.get(question).unwrap_or(&Reads::All))
    }

    fn unruled(&mut self, question: QuestionId, arguments: usize, why: Why, span: Span) -> Found<Value> {
        let given = self.locals.get(self.base..self.base + arguments).unwrap_or(&[]).to_vec();
        let agreed = self.state.agreed.iter().rev().find(|(of, with, _)| *of == question && (with.is_empty() || *with == given));
        if let Some((_, _, value)) = agreed {
            return Ok(value.clone());
        }
        if why == Why::Unknown {
            return Ok(self.unknown(span));
        }
        Err(Trouble::Unruled(Box::new(Unruled { question, arguments: given, why, span })))
    }

    /// The one value that the standing rules give, or why there is none.
    pub(in crate::engine) fn value_of(&mut self, verdict: &Verdict, asked: &Question) -> Found<Result<Value, Why>> {
        if let Some((_, span)) = verdict.unknown {
            self.missing.get_or_insert(span);
            return Ok(Err(Why::Unknown));
        }
        let mut standing = verdict.standing.iter();
        let Some(first) = standing.next() else {
            return Ok(match &asked.otherwise {
                Some(otherwise) => Ok(self.value(otherwise)?),
                None => Err(Why::Silent),
            });
        };
        if !standing.all(|other| self.same(&other.value, &first.value) == Truth::Yes) {
            return Ok(Err(Why::Conflict));
        }
        let amended = verdict.amending.last().unwrap_or(first);
        Ok(if amended.value == Value::Unknown { Err(Why::Unknown) } else { Ok(amended.value.clone()) })
    }

    /// Finds the rules that stand. The arguments are the locals from the frame's base on; above them each rule has its own.
    pub(in crate::engine) fn decide(
        &mut self,
        decision: &Decision,
        arguments: usize,
        scripts: bool,
        mut details: Option<&mut Details>,
    ) -> Found<Verdict> {
        let mut verdict = Verdict::default();
        let mut dropped = Dropped::new();
        let game = self.game;
        for (at, contender) in decision.rules.iter().enumerate() {
            if !contender.amends.is_empty() {
                continue;
            }
            self.contend(at, contender, decision, arguments, scripts, &mut dropped, &mut verdict, details.as_deref_mut())?;
        }
        for (at, contender) in decision.rules.iter().enumerate().filter(|(_, contender)| !contender.amends.is_empty()) {
            let target = verdict.standing.iter().chain(&verdict.amending).find(|standing| contender.amends.contains(&standing.at));
            let Some(target) = target.map(|standing| standing.value.clone()) else { continue };
            let before = verdict.standing.len();
            self.it = verdict.amending.last().map_or(target, |amended| amended.value.clone());
            self.contend(at, contender, decision, arguments, scripts, &mut dropped, &mut verdict, details.as_deref_mut())?;
            if verdict.standing.len() > before {
                verdict.amending.extend(verdict.standing.pop());
            }
        }
        // An amendment may have replaced what stood before it.
        verdict.standing.retain(|standing| !dropped.contains(&standing.at));
        verdict.suspended = verdict.standing.iter().any(|standing| is_suspension(game.program.rules.get(standing.rule)));
        verdict.standing.retain(|standing| !is_suspension(game.program.rules.get(standing.rule)));
        Ok(verdict)
    }

    #[expect(clippy::too_many_arguments, reason = "one rule's turn, in the midst of a decision")]
    fn contend(
        &mut self,
        at: usize,
        contender: &Contender,
        decision: &Decision,
        arguments: usize,
        scripts: bool,
        dropped: &mut Dropped,
        verdict: &mut Verdict,
        details: Option<&mut Details>,
    ) -> Found<()> {
        let game = self.game;
        let Some(rule) = game.program.rules.get(contender.rule) else { return Ok(()) };
        if dropped.contains(&at) {
            if let Some(details) = details {
                self.note_way(rule, contender, decision, arguments, verdict, details)?;
            }
            return Ok(());
        }
        let (applies, failed) = self.applies(rule, arguments)?;
        match applies {
            Truth::Yes => {
                dropped.extend_from_slice(&contender.drops);
                let value = match &rule.answer {
                    Answer::Is(value) if !scripts => self.value(value)?,
                    Answer::Is(_) | Answer::Does(_) | Answer::Stands | Answer::Refuse | Answer::Nothing | Answer::Around { .. } => Value::None,
                };
                let own = self.base..self.base + usize::from(rule.slots).max(arguments);
                let locals = if scripts { self.locals.get(own).unwrap_or(&[]).to_vec() } else { Vec::new() };
                verdict.standing.push(Standing { rule: contender.rule, at, value, locals });
            }
            Truth::Unknown => {
                verdict.unknown.get_or_insert((contender.rule, failed.unwrap_or(rule.from.span)));
            }
            Truth::No => {
                if let (Some(details), Some(condition)) = (details, failed) {
                    details.missed.push(Missed { rule: contender.rule, condition });
                }
            }
        }
        Ok(())
    }

    /// Whether all its conditions hold, and the first that does not. Leaves the rule's locals in place.
    fn applies(&mut self, rule: &Rule, arguments: usize) -> Found<(Truth, Option<Span>)> {
        // What another rule has left in the locals behind the arguments is written before it is read.
        let wanted = self.base + usize::from(rule.slots).max(arguments);
        if self.locals.len() < wanted {
            self.locals.resize(wanted, Value::Unknown);
        }
        let mut applies = (Truth::Yes, None);
        for condition in &rule.conditions {
            match condition {
                Condition::Let(slot, value) => {
                    let value = self.value(value)?;
                    self.set_local(*slot, value);
                }
                Condition::When(condition) => match self.truth(condition)? {
                    Truth::Yes => {}
                    Truth::No => return Ok((Truth::No, Some(condition.span))),
                    Truth::Unknown => {
                        if applies.0 == Truth::Yes {
                            applies = (Truth::Unknown, Some(condition.span));
                        }
                    }
                },
            }
        }
        Ok(applies)
    }

    /// A rule that was dropped is named among those that gave way, if it would have applied.
    fn note_way(
        &mut self,
        rule: &Rule,
        contender: &Contender,
        decision: &Decision,
        arguments: usize,
        verdict: &Verdict,
        details: &mut Details,
    ) -> Found<()> {
        let (applies, failed) = self.applies(rule, arguments)?;
        let dropper = verdict.standing.iter().find(|standing| {
            let position = decision.rules.iter().position(|other| other.rule == contender.rule);
            decision.rules.get(standing.at).is_some_and(|other| position.is_some_and(|position| other.drops.contains(&position)))
        });
        match (applies, dropper, failed) {
            (Truth::No, _, Some(condition)) => details.missed.push(Missed { rule: contender.rule, condition }),
            (_, Some(dropper), _) => details.gave_way.push(GaveWay { rule: contender.rule, to: dropper.rule }),
            (_, None, _) => {}
        }
        Ok(())
    }

    /// The ruling on a question, with everything that was gathered.
    pub(in crate::engine) fn ruling_of(&mut self, subject: Subject, arguments: Vec<Value>, verdict: &Verdict, details: Details) -> Found<Ruling> {
        let outcome = self.outcome_of(subject, &arguments, verdict)?;
        let by = verdict.standing.iter().chain(&verdict.amending).map(|standing| standing.rule).collect();
        let Details { gave_way, missed } = details;
        Ok(Ruling { subject, arguments, outcome, by, gave_way, missed })
    }
}

fn is_suspension(rule: Option<&Rule>) -> bool {
    rule.is_some_and(|rule| matches!(rule.answer, Answer::Nothing))
}
