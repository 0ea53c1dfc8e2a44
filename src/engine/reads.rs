//! What an expression looks at in a state. What was worked out holds until one of those parts changes, and not only until anything does.

use smallvec::SmallVec;

use crate::rules::table::program::{Answer, Binder, Condition, DefinitionId, Expr, FactId, LogMark, NameId, Node, Program, QueryId, QuestionId};
use crate::rules::table::walk::{below, everything, of_query};

/// A part of a state that changes apart from the others.
pub(super) type Part = u16;

/// Where the pieces lie, and who moved them there.
pub(super) const PILES: Part = 1;
pub(super) const ACCOUNTS: Part = 2;
pub(super) const TALLIES: Part = 3;
pub(super) const ROLES: Part = 4;
/// Which procedures are open, when each began and ended, and how.
pub(super) const MARKS: Part = 5;
const FIRST_FACT: Part = 6;

/// The parts that something reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Reads {
    /// Nobody can say which.
    All,
    These(SmallVec<[Part; 6]>),
}

impl Default for Reads {
    fn default() -> Reads {
        Reads::These(SmallVec::new())
    }
}

impl Reads {
    fn add(&mut self, part: Option<Part>) {
        match (part, &mut *self) {
            (None, _) => *self = Reads::All,
            (Some(part), Reads::These(parts)) if !parts.contains(&part) => parts.push(part),
            (Some(_), _) => {}
        }
    }

    fn join(&mut self, other: &Reads) {
        match other {
            Reads::All => *self = Reads::All,
            Reads::These(parts) => parts.iter().for_each(|part| self.add(Some(*part))),
        }
    }
}

pub(super) fn fact(fact: FactId) -> Option<Part> {
    Part::try_from(fact).ok()?.checked_add(FIRST_FACT)
}

/// Entries of one name.
pub(super) fn log(program: &Program, name: NameId) -> Option<Part> {
    fact(program.facts.len().checked_add(name)?)
}

/// What the definitions and the questions of a program read, by their numbers.
#[derive(Clone, Debug, Default)]
pub(super) struct AllReads {
    pub definitions: Vec<Reads>,
    pub questions: Vec<Reads>,
}

/// A definition or a question that an expression needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Needs {
    Definition(DefinitionId),
    Question(QuestionId),
}

impl AllReads {
    pub fn of(program: &Program) -> AllReads {
        let mut all =
            AllReads { definitions: vec![Reads::default(); program.definitions.len()], questions: vec![Reads::default(); program.questions.len()] };
        // They may ask one another in circles: whatever any of them reads comes round until nothing is new.
        loop {
            let mut grown = false;
            for definition in 0..program.definitions.len() {
                let mut reads = Reads::default();
                if let Some(called) = program.definitions.get(definition) {
                    all.expression(program, &called.value, &mut reads);
                }
                grown |= grow(all.definitions.get_mut(definition), reads);
            }
            for question in 0..program.questions.len() {
                let reads = all.question(program, question);
                grown |= grow(all.questions.get_mut(question), reads);
            }
            if !grown {
                return all;
            }
        }
    }

    fn question(&self, program: &Program, question: QuestionId) -> Reads {
        let mut reads = Reads::default();
        let Some(asked) = program.questions.get(question) else { return Reads::All };
        let mut read = |expr: &Expr| self.expression(program, expr, &mut reads);
        asked.otherwise.iter().for_each(&mut read);
        for rule in asked.rules.iter().filter_map(|rule| program.rules.get(*rule)) {
            for condition in &rule.conditions {
                let (Condition::Let(_, value) | Condition::When(value)) = condition;
                read(value);
            }
            if let Answer::Is(value) = &rule.answer {
                read(value);
            }
        }
        reads
    }

    /// Adds what an expression reads.
    pub fn expression(&self, program: &Program, expr: &Expr, reads: &mut Reads) {
        everything(expr, &mut |part| {
            if let Some(needs) = own(program, part, reads) {
                let known = match needs {
                    Needs::Definition(definition) => self.definitions.get(definition),
                    Needs::Question(question) => self.questions.get(question),
                };
                reads.join(known.unwrap_or(&Reads::All));
            }
            if let Some(query) = query(&part.node).and_then(|query| program.queries.get(query)) {
                query.names.iter().for_each(|name| reads.add(log(program, *name)));
                if matches!(query.since, Some(LogMark::Start(_) | LogMark::End(_))) {
                    reads.add(Some(MARKS));
                }
                of_query(query, &mut |part| self.expression(program, part, reads));
            }
        });
    }
}

fn grow(known: Option<&mut Reads>, reads: Reads) -> bool {
    let Some(known) = known else { return false };
    let before = known.clone();
    known.join(&reads);
    *known != before
}

fn query(node: &Node) -> Option<QueryId> {
    if let Node::Has(query) | Node::CountOf(query) | Node::First(query) | Node::Last(query) = node { Some(*query) } else { None }
}

/// What an expression reads by itself, without those below it; the definition or question that it needs.
#[expect(clippy::wildcard_enum_match_arm, reason = "of whatever is not listed here nobody can say what it reads")]
fn own(program: &Program, expr: &Expr, reads: &mut Reads) -> Option<Needs> {
    match &*expr.node {
        Node::Fact(of, _) => reads.add(fact(*of)),
        Node::Place(..) | Node::Mover(_) | Node::Attribute(..) => reads.add(Some(PILES)),
        Node::Account(..) | Node::Held(_) | Node::Slice { .. } => reads.add(Some(ACCOUNTS)),
        Node::Tally(..) => reads.add(Some(TALLIES)),
        Node::Role(_) => reads.add(Some(ROLES)),
        Node::During(_) | Node::Outcome(_) => reads.add(Some(MARKS)),
        Node::Argument(_, names) => names.iter().for_each(|(name, _)| reads.add(log(program, *name))),
        Node::Call(definition, _) => return Some(Needs::Definition(*definition)),
        Node::Ask(question, _) => return Some(Needs::Question(*question)),
        // An entry of any name.
        Node::By(_) => reads.add(None),
        Node::Literal(_)
        | Node::Cell(..)
        | Node::Ends { .. }
        | Node::Local(_)
        | Node::Seats
        | Node::Kind(_)
        | Node::SeatNumber(_)
        | Node::Left { .. }
        | Node::If(..)
        | Node::And(_)
        | Node::Or(_)
        | Node::Not(_)
        | Node::Minus(_)
        | Node::Arithmetic(..)
        | Node::Compare(..)
        | Node::In(..)
        | Node::IsKnown(_)
        | Node::IsNone(_)
        | Node::IsEmpty(_)
        | Node::IsOdd(_)
        | Node::Set(_)
        | Node::List(_)
        | Node::Together(..)
        | Node::Without(..)
        | Node::Lengthened { .. }
        | Node::Count(_)
        | Node::Sum { .. }
        | Node::Any(..)
        | Node::Every(..)
        | Node::Those(_)
        | Node::Extreme { .. }
        | Node::Best { .. }
        | Node::Only(_)
        | Node::FirstOf(_)
        | Node::LastOf(_)
        | Node::Cycle(..)
        | Node::Has(_)
        | Node::CountOf(_)
        | Node::First(_)
        | Node::Last(_)
        | Node::Table { .. }
        | Node::Kept(..) => {}
        _ => reads.add(None),
    }
    None
}

/// Marks the conditions that speak of the state alone and cost something to work out: they are remembered, by their number. Returns what each reads.
pub(super) fn keep_conditions(program: &mut Program, all: &AllReads) -> Vec<Reads> {
    let mut kept = Vec::new();
    let mut rules = std::mem::take(&mut program.rules);
    for rule in &mut rules {
        for condition in &mut rule.conditions {
            if let Condition::When(condition) = condition {
                keep(program, all, condition, &mut kept);
            }
        }
    }
    program.rules = rules;
    kept
}

fn keep(program: &Program, all: &AllReads, condition: &mut Expr, kept: &mut Vec<Reads>) {
    if let Node::And(parts) = &mut *condition.node {
        parts.iter_mut().for_each(|part| keep(program, all, part, kept));
        return;
    }
    // A position is laid with a program that was made ready before.
    if let Node::Kept(_, bare) = &mut *condition.node {
        let bare = std::mem::replace(bare, Expr { node: Box::new(Node::It), span: condition.span });
        *condition = bare;
    }
    if !is_costly(condition) || !speaks_of_the_state_alone(program, condition) {
        return;
    }
    let mut reads = Reads::default();
    all.expression(program, condition, &mut reads);
    let bare = std::mem::replace(&mut *condition.node, Node::It);
    *condition.node = Node::Kept(kept.len(), Expr { node: Box::new(bare), span: condition.span });
    kept.push(reads);
}

fn is_costly(condition: &Expr) -> bool {
    let mut costly = false;
    everything(condition, &mut |part| {
        costly |= matches!(&*part.node, Node::Call(..) | Node::Ask(..) | Node::Has(_) | Node::CountOf(_) | Node::First(_) | Node::Last(_));
        costly |= matches!(&*part.node, Node::Any(..) | Node::Every(..) | Node::Those(_) | Node::Sum { .. } | Node::Extreme { .. });
    });
    costly
}

/// Whether no argument, no local of a script and no answer that is being amended comes into it.
fn speaks_of_the_state_alone(program: &Program, condition: &Expr) -> bool {
    let mut own = SmallVec::<[_; 4]>::new();
    let mut alone = true;
    look(program, condition, &mut own, &mut alone);
    alone
}

#[expect(clippy::wildcard_enum_match_arm, reason = "nothing else has a variable of its own")]
fn look(program: &Program, expr: &Expr, own: &mut SmallVec<[u16; 4]>, alone: &mut bool) {
    let binder: Option<&Binder> = match &*expr.node {
        Node::Any(binder, _) | Node::Every(binder, _) | Node::Those(binder) | Node::Sum { binder, .. } | Node::Extreme { binder, .. } => Some(binder),
        Node::Local(slot) if !own.contains(slot) => {
            *alone = false;
            None
        }
        Node::It => {
            *alone = false;
            None
        }
        _ => None,
    };
    if let Some(query) = query(&expr.node).and_then(|query| program.queries.get(query)) {
        of_query(query, &mut |part| look(program, part, own, alone));
    }
    if let Some(binder) = binder {
        look(program, &binder.of, own, alone);
        own.push(binder.slot);
    }
    below(&expr.node, &mut |part| look(program, part, own, alone));
    if binder.is_some() {
        own.pop();
    }
}
