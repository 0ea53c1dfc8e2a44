//! What the rules of a table answer and what they leave open: events and rights against the procedures during which they can come, and questions.
//!
//! Judged conservatively, from `during` and from literals in conditions: a rule that is listed may answer, one that is not cannot.

use std::collections::{BTreeMap, BTreeSet};

pub use super::holes::{Hole, Said};
use super::holes::{at, definitions_at, hole, rule_at};
use super::kept::each_script;
use super::logic::{Reading, Ways};
use super::loose::reached;
use super::overlaps::perhaps;
use super::program::{Answer, DefinitionId, Expr, HookBy, HookId, LogSort, Node, ProcedureId, Program, QuestionId, Rule, RuleId, Type};
use super::walk::{everything, of_code, of_parameter, of_query, of_rule};
pub use super::whereabouts::Stop;
use super::whereabouts::{Whereabouts, whereabouts};

/// A table taken apart by what can be asked of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gaps {
    /// Events and rights, in the order of their declaration.
    pub rows: Vec<Row>,
    /// Questions that somebody asks or some rule answers.
    pub questions: Vec<AskedQuestion>,
    /// Rules that may answer together, and of which neither gives way. Two that no stop brings together are left out, though `check` warns of them.
    pub together: Vec<(RuleId, RuleId)>,
}

/// An event or a right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    pub hook: HookId,
    pub sort: LogSort,
    /// It has a body of its own, which does what follows from it: a right.
    pub body: bool,
    /// Rules, rights and guards look for it in the log.
    pub noted: bool,
    /// All rules on it, wherever they apply.
    pub rules: Vec<RuleId>,
    pub cells: Vec<Cell>,
}

/// What answers an event or a right at some stops.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    pub at: Vec<Stop>,
    /// Rules that may answer there.
    pub rules: Vec<RuleId>,
    /// Rules that may change or suspend an answer there.
    pub beside: Vec<RuleId>,
    /// What the conditions of the answering rules leave open; nothing is asked where there are none.
    pub hole: Hole,
}

/// A question, who asks it, and what answers it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AskedQuestion {
    pub question: QuestionId,
    pub procedures: Vec<ProcedureId>,
    pub by_rules: Vec<RuleId>,
    pub by_hooks: Vec<HookId>,
    pub rules: Vec<RuleId>,
    pub beside: Vec<RuleId>,
    /// It says itself what holds where no rule applies.
    pub otherwise: bool,
    pub hole: Hole,
}

impl Gaps {
    pub fn of(program: &Program) -> Gaps {
        let stops = whereabouts(program);
        let rows = rows(program, &stops);
        let together = perhaps(program).into_iter().filter(|pair| meet(program, &rows, *pair)).collect();
        Gaps { rows, questions: questions(program), together }
    }
}

/// Whether two rules can apply at one stop. Of questions nobody can tell where they are asked.
fn meet(program: &Program, rows: &[Row], (one, other): (RuleId, RuleId)) -> bool {
    let questions = |rule: RuleId| program.rules.get(rule).map_or(&[][..], |rule| rule.questions.as_slice());
    let common = questions(one).iter().any(|question| questions(other).contains(question));
    let at = |cell: &Cell, rule: RuleId| cell.rules.contains(&rule) || cell.beside.contains(&rule);
    common || rows.iter().flat_map(|row| &row.cells).any(|cell| at(cell, one) && at(cell, other))
}

/// Whether a rule answers for itself, and does not only change or suspend what another says.
fn answers(rule: &Rule) -> bool {
    rule.amends.is_empty() && !matches!(rule.answer, Answer::Nothing | Answer::Around { .. })
}

fn rows(program: &Program, stops: &[Whereabouts]) -> Vec<Row> {
    let sort = |name: usize| program.names.get(name).map(|name| (name.sort, name.kept));
    let hooks = program.hooks.iter().enumerate().filter_map(|(id, hook)| Some((id, hook, sort(hook.name)?)));
    let mut rows: Vec<Row> = hooks
        .filter(|(_, _, (sort, _))| matches!(sort, LogSort::Event | LogSort::Right))
        .map(|(hook, declared, (sort, noted))| Row {
            hook,
            sort,
            body: sort == LogSort::Right && declared.body.is_some(),
            noted,
            rules: declared.rules.clone(),
            cells: Vec::new(),
        })
        .collect();
    for stop in stops {
        let definitions = definitions_at(program, stop);
        let mut reading = Reading::of(program);
        reading.definitions = &definitions;
        for row in &mut rows {
            if let Some(cell) = cell(program, &reading, stop, row) {
                match row.cells.iter_mut().find(|known| (&known.rules, &known.beside, &known.hole) == (&cell.rules, &cell.beside, &cell.hole)) {
                    Some(known) => known.at.extend(cell.at),
                    None => row.cells.push(cell),
                }
            }
        }
    }
    rows
}

/// What answers at one stop; nothing if it cannot come there.
fn cell(program: &Program, reading: &Reading<'_>, stop: &Whereabouts, row: &Row) -> Option<Cell> {
    let hook = program.hooks.get(row.hook)?;
    if !hook.during.is_empty() && stop.during(&hook.during) == Some(false) {
        return None;
    }
    let guard = hook.possible.as_ref().map(|guard| {
        let mut guard = guard.clone();
        at(&mut guard, stop);
        guard
    });
    let held = guard.as_ref().map_or_else(Ways::always, |guard| Ways::of_condition(guard, reading));
    if held.is_impossible(reading) {
        return None;
    }
    let here = |id: &RuleId| Some((*id, rule_at(program.rules.get(*id)?, stop)));
    let all: Vec<(RuleId, Rule)> =
        row.rules.iter().filter_map(here).filter(|(_, rule)| Ways::of(rule, reading).can_hold_with(&held, reading)).collect();
    let ids = |answering: bool| all.iter().filter(|(_, rule)| answers(rule) == answering).map(|(id, _)| *id).collect::<Vec<RuleId>>();
    let answering: Vec<Rule> = all.iter().filter(|(_, rule)| answers(rule)).map(|(_, rule)| rule.clone()).collect();
    let parameters: Vec<Type> = hook.parameters.iter().map(|parameter| parameter.kind.clone()).collect();
    let hole = if answering.is_empty() { Hole::None } else { hole(program, reading, &answering, guard.as_ref(), &parameters) };
    Some(Cell { at: vec![stop.stop], rules: ids(true), beside: ids(false), hole })
}

fn questions(program: &Program) -> Vec<AskedQuestion> {
    let asking = Asking::of(program);
    let reading = Reading::of(program);
    let mut found = Vec::new();
    for (id, question) in program.questions.iter().enumerate() {
        let of = |answering: bool| {
            let rules = question.rules.iter().filter(|rule| program.rules.get(**rule).is_some_and(|rule| answers(rule) == answering));
            rules.copied().collect::<Vec<RuleId>>()
        };
        let (rules, beside) = (of(true), of(false));
        let answering: Vec<Rule> = rules.iter().filter_map(|rule| program.rules.get(*rule)).cloned().collect();
        let parameters: Vec<Type> = question.parameters.iter().map(|(_, kind)| kind.clone()).collect();
        let otherwise = question.otherwise.is_some();
        let hole = if otherwise || rules.is_empty() { Hole::None } else { hole(program, &reading, &answering, None, &parameters) };
        let asked = AskedQuestion {
            question: id,
            procedures: asking.procedures.get(&id).into_iter().flatten().copied().collect(),
            by_rules: asking.rules.get(&id).into_iter().flatten().copied().collect(),
            by_hooks: asking.hooks.get(&id).into_iter().flatten().copied().collect(),
            rules,
            beside,
            otherwise,
            hole,
        };
        let is_asked = !(asked.procedures.is_empty() && asked.by_rules.is_empty() && asked.by_hooks.is_empty());
        if is_asked || !asked.rules.is_empty() {
            found.push(asked);
        }
    }
    found
}

/// Who asks which question, straight out or by way of definitions and of what is asked of the log.
#[derive(Default)]
struct Asking {
    procedures: BTreeMap<QuestionId, BTreeSet<ProcedureId>>,
    rules: BTreeMap<QuestionId, BTreeSet<RuleId>>,
    hooks: BTreeMap<QuestionId, BTreeSet<HookId>>,
}

impl Asking {
    fn of(program: &Program) -> Asking {
        let mut asking = Asking::default();
        let reached = reached(program);
        each_script(program, &mut |home, code| {
            let Some(home) = home.filter(|home| reached.contains(home)) else { return };
            let mut asked = Asked::of(program);
            of_code(code, &mut |expr| asked.expression(expr));
            asked.questions.into_iter().for_each(|question| _ = asking.procedures.entry(question).or_default().insert(home));
        });
        for (id, rule) in program.rules.iter().enumerate() {
            let mut asked = Asked::of(program);
            of_rule(rule, &mut |expr| asked.expression(expr));
            asked.questions.into_iter().for_each(|question| _ = asking.rules.entry(question).or_default().insert(id));
        }
        for (id, hook) in program.hooks.iter().enumerate() {
            let mut asked = Asked::of(program);
            hook.possible.iter().for_each(|expr| asked.expression(expr));
            if let HookBy::Of(of) = &hook.by {
                asked.expression(of);
            }
            hook.parameters.iter().for_each(|parameter| of_parameter(parameter, &mut |expr| asked.expression(expr)));
            hook.body.iter().for_each(|body| of_code(body, &mut |expr| asked.expression(expr)));
            asked.questions.into_iter().for_each(|question| _ = asking.hooks.entry(question).or_default().insert(id));
        }
        asking
    }
}

/// The questions that expressions ask.
struct Asked<'p> {
    program: &'p Program,
    questions: BTreeSet<QuestionId>,
    definitions: BTreeSet<DefinitionId>,
    queries: BTreeSet<usize>,
}

impl<'p> Asked<'p> {
    fn of(program: &'p Program) -> Asked<'p> {
        Asked { program, questions: BTreeSet::new(), definitions: BTreeSet::new(), queries: BTreeSet::new() }
    }

    fn expression(&mut self, expr: &Expr) {
        everything(expr, &mut |part| {
            if let Node::Ask(id, _) = &*part.node {
                self.questions.insert(*id);
            } else if let Node::Call(id, _) = &*part.node {
                if self.definitions.insert(*id)
                    && let Some(definition) = self.program.definitions.get(*id)
                {
                    self.expression(&definition.value);
                }
            } else if let Node::Has(id) | Node::CountOf(id) | Node::First(id) | Node::Last(id) = &*part.node
                && self.queries.insert(*id)
                && let Some(query) = self.program.queries.get(*id)
            {
                of_query(query, &mut |expr| self.expression(expr));
            }
        });
    }
}
