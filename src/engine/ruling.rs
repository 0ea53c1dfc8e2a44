//! What a question or an event is answered. Clause 6.2.

use super::eval::{Eval, Found, Verdict};
use super::trouble::Why;
use super::value::Value;
use crate::rules::table::program::{Answer, HookId, NameId, QuestionId, RuleId, SeatId};
use crate::source::Span;

/// One of the five rulings, with its reasons.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ruling {
    pub subject: Subject,
    pub arguments: Vec<Value>,
    pub outcome: Outcome,
    /// The rules that gave the answer; amendments last. In a conflict, those that disagree.
    pub by: Vec<RuleId>,
    pub gave_way: Vec<GaveWay>,
    /// The rules that do not apply, and the first condition that each missed.
    pub missed: Vec<Missed>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    Question(QuestionId),
    /// An event, a right or a signal.
    Hook(HookId),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// A question's value.
    Value(Value),
    /// A question's `otherwise`: no rule applied.
    Otherwise(Value),
    /// What the table agreed, where the book has no answer.
    Agreed(Value),
    /// Deeds were done.
    Done,
    /// Nothing comes of it.
    Stands,
    /// It is not allowed.
    Refused,
    /// No rule applies.
    Silent,
    /// Rules apply that differ, and none gives way. The values of a question, rule by rule.
    Conflict(Vec<Value>),
    /// A choice is left.
    Open { to: Option<SeatId>, among: Vec<NameId> },
    /// The record lacks something: where it was asked for.
    Unknown(Span),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GaveWay {
    pub rule: RuleId,
    /// The rule that stands.
    pub to: RuleId,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Missed {
    pub rule: RuleId,
    pub condition: Span,
}

impl Eval<'_> {
    /// What a decision comes to. The arguments are the first locals of the frame.
    pub(super) fn outcome_of(&mut self, subject: Subject, arguments: &[Value], verdict: &Verdict) -> Found<Outcome> {
        match subject {
            Subject::Question(question) => {
                let Some(asked) = self.game.program.questions.get(question) else { return Ok(Outcome::Silent) };
                Ok(match self.value_of(verdict, asked)? {
                    Ok(value) if verdict.standing.is_empty() => Outcome::Otherwise(value),
                    Ok(value) => Outcome::Value(value),
                    Err(why) => {
                        let agreed = self.state.agreed.iter().rev().find(|(of, with, _)| *of == question && (with.is_empty() || *with == arguments));
                        match (agreed, why) {
                            (Some((_, _, value)), _) => Outcome::Agreed(value.clone()),
                            (None, Why::Silent) => Outcome::Silent,
                            (None, Why::Conflict) => Outcome::Conflict(verdict.standing.iter().map(|standing| standing.value.clone()).collect()),
                            (None, Why::Unknown) => Outcome::Unknown(self.missing.unwrap_or(asked.from.span)),
                        }
                    }
                })
            }
            Subject::Hook(hook) => Ok(self.hook_outcome(hook, verdict)),
        }
    }

    fn hook_outcome(&mut self, hook: HookId, verdict: &Verdict) -> Outcome {
        if let Some((_, span)) = verdict.unknown {
            return Outcome::Unknown(self.missing.unwrap_or(span));
        }
        let answer = |rule: RuleId| self.game.program.rules.get(rule).map(|rule| &rule.answer);
        let answers: Vec<Option<&Answer>> = verdict.standing.iter().map(|standing| answer(standing.rule)).collect();
        match answers.as_slice() {
            [] if verdict.suspended => Outcome::Stands,
            [] => Outcome::Silent,
            all if all.iter().all(|answer| matches!(answer, Some(Answer::Stands))) => Outcome::Stands,
            all if all.iter().all(|answer| matches!(answer, Some(Answer::Refuse))) => Outcome::Refused,
            [_] => Outcome::Done,
            // Every rule on a signal that applies runs. Clause 5.12.
            [..] if self.game.is_signal(hook) => Outcome::Done,
            all => Outcome::Conflict(vec![Value::None; all.len()]),
        }
    }
}
