//! A program, made ready to be played: what can be worked out once is worked out here.

use crate::rules::table::program::{Answer, Code, Deed, HookId, ProcedureId, Program, Question, QuestionId, Rule, RuleId, Step};

/// A rulebook's table, ready to be played.
#[derive(Clone, Debug)]
pub struct Game {
    pub program: Program,
    pub(super) questions: Vec<Decision>,
    pub(super) hooks: Vec<Decision>,
    /// Procedures that some script may void: only of these a snapshot is taken.
    pub(super) voidable: Vec<bool>,
}

/// The rules on one question or hook, in the order in which they are decided.
#[derive(Clone, Debug, Default)]
pub(super) struct Decision {
    pub rules: Vec<Contender>,
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
    pub fn new(program: Program) -> Game {
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
        Game { program, questions, hooks, voidable }
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
    Decision { rules: rules.iter().filter_map(contender).collect() }
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
