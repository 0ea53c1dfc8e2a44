//! Rules: what they answer, under which conditions, with what. Clauses 6.1 to 6.5.

use super::code::{Home, Making, Script};
use super::locals::Locals;
use super::program::{self, Answer, Code as Steps, Condition, HookId, QuestionId, Rule, Slot, Step, Type};
use super::program::{Deed, NameId, Node};
use super::signatures::{Meaning, Parameters};
use crate::diagnostic::{Code, Diagnostic};
use crate::rules::cite::Provenance;
use crate::rules::place::Sort;
use crate::rules::selection::Layer;
use crate::source::Span;
use crate::syntax::tree::{self, Block, EdgeWord, Expr, Name, Statement, StatementKind};

/// What a rule is on.
#[derive(Debug, Default)]
struct Subjects {
    questions: Vec<QuestionId>,
    hooks: Vec<HookId>,
    parameters: Parameters,
    answer: Option<Type>,
    logged: Vec<NameId>,
}

impl<'d> Making<'d> {
    /// A rule without its edges; `None`: the fault has been told.
    pub fn rule(&mut self, layer: &'d Layer<'d>, rule: &'d tree::Rule, from: Provenance) -> Option<Rule> {
        let subjects = self.subjects(rule)?;
        let mut locals = Locals::of(&subjects.parameters);
        let has = |word: EdgeWord| rule.edges.iter().any(|edge| edge.word == word);
        match &subjects.answer {
            Some(answer) if has(EdgeWord::Amends) => locals.set_it(answer.clone()),
            Some(_) => {}
            None => locals.set_it(Type::Entry(subjects.logged.clone())),
        }
        let count = condition_count(&rule.body.it, subjects.answer.is_some());
        let (first, rest) = rule.body.it.split_at_checked(count)?;
        let (conditions, lets) = self.conditions(first, &mut locals);
        let before = self.sources.len();
        let answer = if has(EdgeWord::Suspends) {
            self.nothing(rest);
            Answer::Nothing
        } else if let Some(answer) = &subjects.answer {
            self.value(rule, rest, answer, &mut locals)?
        } else if has(EdgeWord::Amends) {
            self.around(layer, rule, rest, &mut locals, &lets)
        } else {
            self.deeds(layer, rule, rest, &mut locals, &lets)
        };
        let statements = self.sources.get(before..).unwrap_or_default().to_vec();
        Some(Rule {
            name: rule.name.it.clone(),
            questions: subjects.questions,
            hooks: subjects.hooks,
            slots: locals.slots(),
            conditions,
            answer,
            replaces: Vec::new(),
            suspends: Vec::new(),
            amends: Vec::new(),
            from,
            statements,
        })
    }

    fn subjects(&mut self, rule: &tree::Rule) -> Option<Subjects> {
        let mut subjects = Subjects::default();
        let mut first: Option<&Name> = None;
        let mut sound = true;
        for on in &rule.on {
            let parameters = match self.compiler.signatures.meaning(&on.it) {
                Some(Meaning::Question(id)) => {
                    let question = self.compiler.signatures.questions.get(id)?;
                    subjects.questions.push(id);
                    subjects.answer = Some(question.it.answer.clone());
                    question.it.parameters.clone()
                }
                Some(Meaning::Hook(id)) => {
                    let hook = self.compiler.signatures.hooks.get(id)?;
                    subjects.hooks.push(id);
                    subjects.logged.push(hook.it.log);
                    hook.it.parameters.clone()
                }
                Some(_) | None => {
                    let sorts = [Sort::Question, Sort::Event, Sort::Right, Sort::Signal];
                    self.compiler.faults.push(self.compiler.names.scope.missing(on, &sorts, "a question, an event, a right or a signal"));
                    sound = false;
                    continue;
                }
            };
            match first {
                None => subjects.parameters = parameters,
                Some(first) if subjects.parameters != parameters => {
                    let message = format!("`{}` and `{}` do not take the same, and one rule answers both", first.it, on.it);
                    let fault = Diagnostic::new(Code::TypeMismatch, message, on.span);
                    self.compiler.faults.push(fault.with_help("write a rule for each, or give both the same parameters by the same names"));
                    sound = false;
                }
                Some(_) => {}
            }
            first.get_or_insert(on);
        }
        if !subjects.questions.is_empty() && !subjects.hooks.is_empty() {
            let fault = Diagnostic::new(Code::WrongKind, "a rule is on questions, or on what happens, and not on both", rule.name.span);
            self.compiler.faults.push(fault.with_help("a question is answered with `is V;`, and what happens with deeds"));
            sound = false;
        }
        sound.then_some(subjects)
    }

    fn conditions(&mut self, statements: &[Statement], locals: &mut Locals) -> (Vec<Condition>, Vec<Slot>) {
        let (mut made, mut lets) = (Vec::new(), Vec::new());
        for statement in statements {
            if let StatementKind::Let { name, value } = &statement.it {
                if let Some(account) = self.compiler.account_behind(value, locals) {
                    let place = account.span;
                    let slot = locals.declare(&name.it, Type::Number);
                    let which = locals.fresh();
                    locals.pair(&name.it, Some(which));
                    lets.push(slot);
                    made.push(Condition::Let(which, account));
                    let local = program::Expr { node: Box::new(Node::Local(which)), span: place };
                    made.push(Condition::Let(slot, program::Expr { node: Box::new(Node::Held(local)), span: place }));
                    continue;
                }
                let read = self.compiler.expression(value, None, locals);
                let kind = read.as_ref().map_or(Type::BROKEN, |(_, kind)| kind.clone());
                let slot = locals.declare(&name.it, kind);
                lets.push(slot);
                made.extend(read.map(|(value, _)| Condition::Let(slot, value)));
            } else if let StatementKind::When(when) = &statement.it {
                made.extend(self.compiler.condition(when, locals).map(Condition::When));
            }
        }
        (made, lets)
    }

    /// A suspension gives no answer of its own.
    fn nothing(&mut self, rest: &[Statement]) {
        if let Some(statement) = rest.first() {
            let fault = Diagnostic::new(Code::WrongKind, "a rule that suspends another gives no answer of its own", statement.span);
            self.compiler.faults.push(fault.with_help("leave only its conditions, or write `replaces`"));
        }
    }

    /// `is V;`, the last statement of a rule on a question.
    fn value(&mut self, rule: &tree::Rule, rest: &[Statement], answer: &Type, locals: &mut Locals) -> Option<Answer> {
        let is = rest.first().and_then(|statement| if let StatementKind::Is(value) = &statement.it { Some(value) } else { None });
        let Some(value) = is else {
            let place = rest.first().map_or(rule.name.span, |statement| statement.span);
            let fault = Diagnostic::new(Code::WrongKind, "a rule on a question answers it with a value", place);
            self.compiler.faults.push(fault.with_help("behind its conditions stands `is V;` and nothing else"));
            return None;
        };
        if let Some(more) = rest.get(1) {
            let fault = Diagnostic::new(Code::NeverReached, "nothing comes to this statement", more.span);
            self.compiler.faults.push(fault.with_help("`is V;` is the last statement of a rule"));
        }
        self.compiler.expected(value, answer, locals).map(Answer::Is)
    }

    /// `before { … }` and `after { … }`
    fn around(&mut self, layer: &'d Layer<'d>, rule: &'d tree::Rule, rest: &'d [Statement], locals: &mut Locals, lets: &[Slot]) -> Answer {
        let (mut before, mut after) = (None, None);
        for statement in rest {
            let (block, place): (&'d Block, &mut Option<Steps>) = if let StatementKind::Before(block) = &statement.it {
                (block, &mut before)
            } else if let StatementKind::After(block) = &statement.it {
                (block, &mut after)
            } else {
                let fault = Diagnostic::new(Code::WrongKind, "what a rule adds to another stands in `before { … }` or `after { … }`", statement.span);
                self.compiler.faults.push(fault.with_help("if it takes the place of the other, write `replaces`"));
                continue;
            };
            if place.is_some() {
                self.compiler.faults.push(Diagnostic::new(Code::DuplicateName, "this stands twice in one rule", statement.span));
            }
            *place = Some(self.script(layer, Home::Ruling, locals, lets, &block.it));
        }
        if rest.is_empty() {
            let fault = Diagnostic::new(Code::WrongKind, "this rule adds nothing to the one that it amends", rule.name.span);
            self.compiler.faults.push(fault.with_help("write `before { … }` or `after { … }`"));
        }
        Answer::Around { before, after }
    }

    fn deeds(&mut self, layer: &'d Layer<'d>, rule: &'d tree::Rule, rest: &'d [Statement], locals: &mut Locals, lets: &[Slot]) -> Answer {
        if rest.is_empty() {
            let fault = Diagnostic::new(Code::WrongKind, "this rule gives no answer", rule.name.span);
            self.compiler.faults.push(fault.with_help("write deeds, or `stands;` if nothing comes of it, or `refuse;` if it is not allowed"));
        }
        let code = self.script(layer, Home::Ruling, locals, lets, rest);
        match code.steps.as_slice() {
            [Step::Deed(Deed::Stands)] => Answer::Stands,
            [Step::Deed(Deed::Refuse)] => Answer::Refuse,
            _ => Answer::Does(code),
        }
    }

    /// A script in a frame that goes on from `locals`.
    pub fn script(&mut self, layer: &'d Layer<'d>, home: Home, locals: &mut Locals, lets: &[Slot], statements: &'d [Statement]) -> Steps {
        let frame = std::mem::take(locals);
        let (code, frame) = Script::new(self, layer, home, frame).with_writable(lets.iter().copied()).read(statements);
        *locals = frame;
        code
    }

    /// A truth in a frame of its own, as an expression of no rule.
    pub fn condition_of(&mut self, expr: Option<&Expr>, locals: &mut Locals) -> Option<super::program::Expr> {
        expr.and_then(|expr| self.compiler.condition(expr, locals))
    }

    pub fn cite(&self, layer: &Layer<'_>, span: Span, tags: &tree::Tags) -> Provenance {
        self.compiler.citing.provenance(layer, span, tags)
    }
}

/// How many statements are conditions. What `let` names behind the last `when` belongs to the deeds.
fn condition_count(statements: &[Statement], on_question: bool) -> usize {
    let condition = |statement: &Statement| matches!(statement.it, StatementKind::When(_) | StatementKind::Let { .. });
    let count = statements.iter().take_while(|statement| condition(statement)).count();
    if on_question {
        return count;
    }
    statements.iter().take(count).rposition(|statement| matches!(statement.it, StatementKind::When(_))).map_or(0, |last| last + 1)
}
