//! A program, made ready to be played: what can be worked out once is worked out here.

use super::reads::{AllReads, Reads, keep_conditions};
use super::value::Bits;
use crate::ranking::ValueId;
use crate::rules::table::program::{
    Answer, Code, Condition, Deed, Expr, HookId, LogSort, Node, ProcedureId, Program, Question, QuestionId, Rule, RuleId, Step,
};
use crate::rules::table::walk::{everything, of_query};

/// A rulebook's table, ready to be played.
#[derive(Clone, Debug)]
pub struct Game {
    pub program: Program,
    pub(super) questions: Vec<Decision>,
    pub(super) hooks: Vec<Decision>,
    /// Procedures that some script may void: only of these a snapshot is taken.
    pub(super) voidable: Vec<bool>,
    /// By kind of piece, attribute and value: the pieces that have it.
    masks: Vec<Vec<Vec<Bits>>>,
    /// What definitions and questions read.
    pub(super) reads: AllReads,
    /// What the conditions that are remembered read, by their number.
    pub(super) conditions: Vec<Reads>,
}

/// The rules on one question or hook, in the order in which they are decided.
#[derive(Clone, Debug, Default)]
pub(super) struct Decision {
    pub rules: Vec<Contender>,
    /// Which arguments the conditions of its rules read, as a mask: where those are the same, and nothing has changed, the same rules stand.
    /// `None`: the rules have something of their own besides, and are decided anew each time.
    pub reads: Option<u64>,
    /// Of a question: the only rule on it, where that has no condition.
    pub only: Option<RuleId>,
}

#[derive(Clone, Debug)]
pub(super) struct Contender {
    pub rule: RuleId,
    /// Positions in the decision of the rules that give way where this one stands.
    pub drops: Vec<usize>,
    /// Positions of the rules that it amends.
    pub amends: Vec<usize>,
}

impl Game {
    pub fn new(mut program: Program) -> Game {
        let reads = AllReads::of(&program);
        let conditions = keep_conditions(&mut program, &reads);
        let questions = program.questions.iter().map(|question: &Question| decision(&program, &question.rules)).collect();
        let hooks = program.hooks.iter().map(|hook| decision(&program, &hook.rules)).collect();
        let mut voidable = vec![false; program.procedures.len()];
        for code in scripts(&program) {
            for step in &code.steps {
                if let Step::Deed(Deed::Void { procedure, .. }) = step
                    && let Some(voidable) = voidable.get_mut(*procedure)
                {
                    *voidable = true;
                }
            }
        }
        let masks = masks(&program);
        Game { program, questions, hooks, voidable, masks, reads, conditions }
    }

    /// The pieces that have a value of an attribute, where there is one kind of piece.
    pub(super) fn with_value(&self, attribute: usize, value: ValueId) -> Option<Bits> {
        let [kind] = self.masks.as_slice() else { return None };
        kind.get(attribute)?.get(usize::from(value)).copied()
    }

    /// Every rule on a signal that applies runs; on an event, one answer must survive.
    pub(super) fn is_signal(&self, hook: HookId) -> bool {
        let name = self.program.hooks.get(hook).and_then(|hook| self.program.names.get(hook.name));
        name.is_some_and(|name| matches!(name.sort, LogSort::Signal | LogSort::Voided))
    }

    /// The question of that name.
    pub fn question(&self, name: &str) -> Option<QuestionId> {
        self.program.questions.iter().position(|question| question.name == name)
    }

    /// The procedure of that name.
    pub fn procedure(&self, name: &str) -> Option<ProcedureId> {
        self.program.procedures.iter().position(|procedure| procedure.name == name)
    }

    /// The event, right or signal of that name.
    pub fn hook(&self, name: &str) -> Option<HookId> {
        self.program.hooks.iter().position(|hook| self.program.names.get(hook.name).is_some_and(|log| log.name == name))
    }
}

fn decision(program: &Program, rules: &[RuleId]) -> Decision {
    let position = |rule: &RuleId| rules.iter().position(|other| other == rule);
    let contender = |id: &RuleId| {
        let rule: &Rule = program.rules.get(*id)?;
        let drops = rule.replaces.iter().chain(&rule.suspends).filter_map(position).collect();
        Some(Contender { rule: *id, drops, amends: rule.amends.iter().filter_map(position).collect() })
    };
    Decision { rules: rules.iter().filter_map(contender).collect(), reads: reads(program, rules), only: only(program, rules) }
}

/// The only rule, if it always answers.
fn only(program: &Program, rules: &[RuleId]) -> Option<RuleId> {
    let [only] = rules else { return None };
    let rule = program.rules.get(*only)?;
    (rule.conditions.is_empty() && rule.amends.is_empty() && matches!(rule.answer, Answer::Is(_))).then_some(*only)
}

/// The arguments that conditions read; see [`Decision::reads`].
fn reads(program: &Program, rules: &[RuleId]) -> Option<u64> {
    let mut mask = 0;
    for rule in rules.iter().filter_map(|rule| program.rules.get(*rule)) {
        if !rule.amends.is_empty() {
            return None;
        }
        for condition in &rule.conditions {
            let Condition::When(condition) = condition else { return None };
            mask |= slots_of(program, condition);
        }
    }
    (mask != u64::MAX).then_some(mask)
}

/// The slots that an expression reads, as a mask; all of them if there are too many to count.
#[expect(clippy::wildcard_enum_match_arm, reason = "nothing else reads a slot or asks the log")]
fn slots_of(program: &Program, expr: &Expr) -> u64 {
    let mut mask = 0;
    everything(expr, &mut |part| match &*part.node {
        Node::Local(slot) => mask |= 1u64.checked_shl(u32::from(*slot)).unwrap_or(u64::MAX),
        Node::Has(query) | Node::CountOf(query) | Node::First(query) | Node::Last(query) => {
            if let Some(query) = program.queries.get(*query) {
                of_query(query, &mut |part| mask |= slots_of(program, part));
            }
        }
        _ => {}
    });
    mask
}

fn masks(program: &Program) -> Vec<Vec<Vec<Bits>>> {
    let mut masks: Vec<Vec<Vec<Bits>>> = Vec::new();
    for (piece, id) in program.pieces.iter().zip(0..) {
        if masks.len() <= piece.kind {
            masks.resize(piece.kind + 1, Vec::new());
        }
        let Some(attributes) = masks.get_mut(piece.kind) else { continue };
        for (attribute, value) in piece.values.iter().enumerate() {
            if attributes.len() <= attribute {
                attributes.resize(attribute + 1, vec![Bits::EMPTY; 256]);
            }
            if let Some(mask) = attributes.get_mut(attribute).and_then(|values| values.get_mut(usize::from(*value))) {
                mask.insert(id);
            }
        }
    }
    masks
}

/// Every script of a program.
pub(super) fn scripts(program: &Program) -> impl Iterator<Item = &Code> {
    let procedures = program.procedures.iter().map(|procedure| &procedure.code);
    let bodies = program.hooks.iter().filter_map(|hook| hook.body.as_ref());
    let rules = program.rules.iter().flat_map(|rule| match &rule.answer {
        Answer::Does(code) => [Some(code), None],
        Answer::Around { before, after } => [before.as_ref(), after.as_ref()],
        Answer::Is(_) | Answer::Stands | Answer::Refuse | Answer::Nothing => [None, None],
    });
    procedures.chain(bodies).chain(rules.flatten())
}
