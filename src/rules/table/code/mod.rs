//! Scripts, cut into numbered steps. Clauses 5.1 to 5.12.

mod calls;
mod deeds;
mod loops;
mod offers;
mod statements;
mod tallies;

use super::super::cite::Provenance;
use super::super::selection::Layer;
use super::compiler::Compiler;
use super::locals::Locals;
use super::program::{Code, Expr, OfferId, ProcedureId, Slot, Step, Target, Type};
use super::written::not_yet;
use crate::diagnostic::{self, Diagnostic};
use crate::source::Span;
use crate::syntax::tree::{self, Block, Name, Tags};

/// What is made for the whole program while its scripts are read.
#[derive(Debug)]
pub(in crate::rules) struct Making<'d> {
    pub compiler: Compiler<'d>,
    /// What statements cite, by the number that their steps carry.
    pub sources: Vec<Provenance>,
    /// Phases met on the way, with their scripts.
    pub phases: Vec<(ProcedureId, Code)>,
    pub offers: OfferId,
    /// Who calls whom, and where.
    pub calls: Vec<Call>,
}

/// One procedure, phase or action named in the script of another. Of a rule or a right there is no caller.
#[derive(Clone, Copy, Debug)]
pub(in crate::rules) struct Call {
    pub by: Option<ProcedureId>,
    pub to: ProcedureId,
    pub span: Span,
}

/// What a script belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::rules) enum Home {
    Procedure(ProcedureId),
    Action(ProcedureId),
    /// The deeds of a rule or of a right.
    Ruling,
    /// What an event supposes.
    Supposing,
}

impl<'d> Making<'d> {
    pub fn new(compiler: Compiler<'d>) -> Making<'d> {
        Making { compiler, sources: Vec::new(), phases: Vec::new(), offers: 0, calls: Vec::new() }
    }
}

impl Home {
    fn procedure(self) -> Option<ProcedureId> {
        match self {
            Home::Procedure(id) | Home::Action(id) => Some(id),
            Home::Ruling | Home::Supposing => None,
        }
    }
}

/// A script while it is being cut.
#[derive(Debug)]
pub(in crate::rules) struct Script<'s, 'd> {
    making: &'s mut Making<'d>,
    layer: &'d Layer<'d>,
    home: Home,
    locals: Locals,
    code: Code,
    /// Where each loop round the table or over a list is asked again, from the outside in.
    loops: Vec<Target>,
    /// Slots of `let`: what a statement may write.
    writable: Vec<Slot>,
}

impl<'s, 'd> Script<'s, 'd> {
    /// A script in a frame that is laid out so far.
    pub fn new(making: &'s mut Making<'d>, layer: &'d Layer<'d>, home: Home, locals: Locals) -> Script<'s, 'd> {
        Script { making, layer, home, locals, code: Code::default(), loops: Vec::new(), writable: Vec::new() }
    }

    /// Slots of earlier `let`s that this script may write.
    pub fn with_writable(mut self, slots: impl IntoIterator<Item = Slot>) -> Script<'s, 'd> {
        self.writable.extend(slots);
        self
    }

    /// A whole script and the frame behind it.
    pub fn read(mut self, statements: &'d [tree::Statement]) -> (Code, Locals) {
        self.statements(statements);
        self.code.slots = self.locals.slots();
        (self.code, self.locals)
    }

    fn fault(&mut self, fault: Diagnostic) {
        self.making.compiler.faults.push(fault);
    }

    fn wrong(&mut self, code: diagnostic::Code, message: impl Into<String>, span: Span, help: &str) {
        self.fault(Diagnostic::new(code, message, span).with_help(help));
    }

    /// Something that is specified and that no rulebook has asked for.
    fn not_yet(&mut self, what: &str, span: Span) {
        self.making.compiler.incomplete.push(not_yet(what, span));
    }

    fn emit(&mut self, step: Step, span: Span, source: Option<usize>) -> Target {
        self.code.steps.push(step);
        self.code.spans.push(span);
        self.code.sources.push(source);
        self.code.steps.len() - 1
    }

    /// The step that comes next.
    fn here(&self) -> Target {
        self.code.steps.len()
    }

    /// Lets a step that waits for its target go on here.
    fn land(&mut self, step: Target) {
        let here = self.here();
        match self.code.steps.get_mut(step) {
            Some(Step::Unless(_, target) | Step::Goto(target) | Step::CountNext(_, target)) => *target = here,
            Some(Step::AroundNext(around)) => around.exit = here,
            Some(Step::WalkNext(walk)) => walk.exit = here,
            Some(Step::AroundStart { around, .. }) => around.exit = here,
            Some(Step::WalkStart { walk, .. } | Step::Cut { walk, .. }) => walk.exit = here,
            Some(
                Step::Let(..)
                | Step::CountStart(..)
                | Step::Offer(_)
                | Step::Pause
                | Step::Deed(_)
                | Step::Call(..)
                | Step::Phase(_)
                | Step::SliceDone(_)
                | Step::CutDone(_),
            )
            | None => {}
        }
    }

    /// The number of what a statement cites, if it cites or infers anything.
    fn source(&mut self, span: Span, tags: &Tags) -> Option<usize> {
        if tags.cites.is_empty() && tags.inferred.is_empty() {
            return None;
        }
        self.making.sources.push(self.making.compiler.citing.provenance(self.layer, span, tags));
        Some(self.making.sources.len() - 1)
    }

    fn provenance(&self, span: Span, tags: &Tags) -> Provenance {
        self.making.compiler.citing.provenance(self.layer, span, tags)
    }

    fn any(&mut self, expr: &tree::Expr) -> Option<(Expr, Type)> {
        self.making.compiler.expression(expr, None, &mut self.locals)
    }

    fn expected(&mut self, expr: &tree::Expr, wanted: &Type) -> Option<Expr> {
        self.making.compiler.expected(expr, wanted, &mut self.locals)
    }

    fn truth(&mut self, expr: &tree::Expr) -> Option<Expr> {
        self.expected(expr, &Type::Truth)
    }

    fn number(&mut self, expr: &tree::Expr) -> Option<Expr> {
        self.expected(expr, &Type::Number)
    }

    fn declare(&mut self, name: &Name, kind: Type) -> Slot {
        self.locals.declare(&name.it, kind)
    }

    /// Two slots next to each other that nothing can name.
    fn pair(&mut self) -> Slot {
        let first = self.locals.fresh();
        self.locals.fresh();
        first
    }

    /// Names that a block declares are gone behind it.
    fn scoped<T>(&mut self, body: impl FnOnce(&mut Self) -> T) -> T {
        let writable = self.writable.len();
        self.locals.push();
        let made = body(self);
        self.locals.pop();
        self.writable.truncate(writable);
        made
    }

    fn block(&mut self, block: &'d Block) {
        self.scoped(|script| script.statements(&block.it));
    }
}
