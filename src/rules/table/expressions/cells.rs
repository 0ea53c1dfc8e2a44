//! One of a family: a place, an account, a tally or a fact with its indices.

use super::super::compiler::{Compiler, made};
use super::super::locals::Locals;
use super::super::program::{AccountId, Cells, Expr, FactId, Index, Node, PlaceCell, RoleId, TallyId, Type};
use super::super::signatures::Meaning;
use crate::diagnostic::{Code, Diagnostic};
use crate::syntax::tree::{self, Argument, ExprKind, Name};

/// `hand(p)`: a name and what stands behind it in parentheses.
type Called<'e> = (&'e Name, Option<&'e [Argument]>);

/// What can be written by `:=`, besides locals.
#[derive(Clone, Debug)]
pub(in crate::rules) enum Writable {
    Fact(FactId, Vec<Expr>, Type),
    Role(RoleId, Type),
}

fn called(expr: &tree::Expr) -> Option<Called<'_>> {
    if let ExprKind::Name { name, arguments } = &*expr.it { Some((name, arguments.as_deref())) } else { None }
}

impl Compiler<'_> {
    /// `hand(p)`, `pack`
    pub fn place_cell(&mut self, expr: &tree::Expr, locals: &mut Locals) -> Option<PlaceCell> {
        let (name, arguments) = self.cell_name(expr, "a place")?;
        let Some(Meaning::Place(place)) = self.signatures.meaning(&name.it) else { return self.no_place(name, locals) };
        let cells = self.signatures.places.get(place)?.it.cells.clone();
        Some(PlaceCell { place, indices: self.indices(name, arguments, &cells, locals)? })
    }

    /// `stack(p)`; of a joint account `pool(p)`, `pool(nobody)` for nobody's share, and `pool` for the whole; a slice, or whatever else is an account.
    pub fn account_cell(&mut self, expr: &tree::Expr, locals: &mut Locals) -> Option<Expr> {
        if let Some((name, _)) = called(expr)
            && !self.is_account(expr, locals)
        {
            return self.no_account(name, locals);
        }
        self.expected(expr, &Type::Account, locals)
    }

    /// `pool` in `each slice s of pool`: a joint account, whole.
    pub fn joint_account(&mut self, expr: &tree::Expr, locals: &Locals) -> Option<AccountId> {
        let (name, arguments) = self.cell_name(expr, "a joint account")?;
        let Some(Meaning::Account(account)) = self.signatures.meaning(&name.it) else { return self.no_account(name, locals) };
        let shape = self.signatures.accounts.get(account)?;
        let (joint, place) = (shape.it.joint, shape.name.span);
        if !joint || arguments.is_some() {
            let fault = Diagnostic::new(Code::WrongKind, "only a joint account, and the whole of it, is cut into slices", expr.span);
            let help =
                if joint { format!("write `{}` alone", name.it) } else { format!("`account {} by seat;` keeps a share for each seat", name.it) };
            self.faults.push(fault.with_label(place, "declared here").with_help(help));
            return None;
        }
        Some(account)
    }

    /// `stack` in `share … to stack`: a family with one account for each seat, by its name alone.
    pub fn accounts_by_seat(&mut self, expr: &tree::Expr, locals: &Locals) -> Option<AccountId> {
        let (name, arguments) = self.cell_name(expr, "accounts by seat")?;
        let Some(Meaning::Account(account)) = self.signatures.meaning(&name.it) else { return self.no_account(name, locals) };
        let shape = self.signatures.accounts.get(account)?;
        let place = shape.name.span;
        if shape.it.cells.indices != [Index::Seat] || arguments.is_some() {
            let message = "what is shared goes to accounts of which there is one for each seat";
            let fault = Diagnostic::new(Code::WrongKind, message, expr.span).with_label(place, "declared here");
            self.faults.push(fault.with_help("write the name of such a family alone: `account stack of seat;`, and `share … to stack, …`"));
            return None;
        }
        Some(account)
    }

    /// `points(s)`
    pub fn tally_cell(&mut self, expr: &tree::Expr, locals: &mut Locals) -> Option<(TallyId, Vec<Expr>)> {
        let (name, arguments) = self.cell_name(expr, "a tally")?;
        let Some(Meaning::Tally(tally)) = self.signatures.meaning(&name.it) else { return self.no_cell(name, "a tally") };
        let cells = self.signatures.tallies.get(tally)?.it.cells.clone();
        Some((tally, self.indices(name, arguments, &cells, locals)?))
    }

    /// What stands in front of `:=`, `+=` or `-=` and is no local.
    pub fn writable(&mut self, name: &Name, arguments: Option<&[Argument]>, locals: &mut Locals) -> Option<Writable> {
        match self.signatures.meaning(&name.it) {
            Some(Meaning::Fact(fact)) => {
                let shape = self.signatures.facts.get(fact)?.it.clone();
                Some(Writable::Fact(fact, self.indices(name, arguments, &shape.cells, locals)?, shape.kind))
            }
            Some(Meaning::Role(role)) => {
                let kind = self.signatures.roles.get(role)?.it.kind.clone();
                self.no_arguments(name, arguments)?;
                Some(Writable::Role(role, kind))
            }
            Some(
                Meaning::Place(_)
                | Meaning::Account(_)
                | Meaning::Tally(_)
                | Meaning::Question(_)
                | Meaning::Hook(_)
                | Meaning::Definition(_)
                | Meaning::Procedure(_)
                | Meaning::Ranking(_)
                | Meaning::Kind(_),
            )
            | None => self.no_cell(name, "a fact, a role or a name of `let`"),
        }
    }

    /// No definition, no question and no local is a place.
    fn no_place<T>(&mut self, name: &Name, locals: &Locals) -> Option<T> {
        if matches!(self.signatures.meaning(&name.it), Some(Meaning::Definition(_) | Meaning::Question(_))) {
            let message = format!("`{}` comes to no place, and one is wanted here", name.it);
            self.fault(Code::WrongKind, message, name.span);
            return None;
        }
        self.no_local(name, locals)?;
        self.no_cell(name, "a place")
    }

    fn no_account<T>(&mut self, name: &Name, locals: &Locals) -> Option<T> {
        if let Some(Meaning::Definition(_) | Meaning::Question(_)) = self.signatures.meaning(&name.it) {
            let message = format!("`{}` comes to no account, and one is wanted here", name.it);
            self.fault(Code::WrongKind, message, name.span);
            return None;
        }
        self.no_local(name, locals)?;
        self.no_cell(name, "an account")
    }

    /// `None`: a local, of which the fault is told, now or before.
    fn no_local(&mut self, name: &Name, locals: &Locals) -> Option<()> {
        match locals.find(&name.it).map(|local| &local.kind) {
            Some(kind) if kind.is_broken() => None,
            Some(kind) => {
                let message = format!("`{}` is {}, and a name of the table is wanted here", name.it, self.describe(kind));
                self.fault(Code::WrongKind, message, name.span);
                None
            }
            None => Some(()),
        }
    }

    fn cell_name<'e>(&mut self, expr: &'e tree::Expr, wanted: &str) -> Option<Called<'e>> {
        let found = called(expr);
        if found.is_none() {
            self.fault(Code::TypeMismatch, format!("{wanted} is wanted here, by its name"), expr.span);
        }
        found
    }

    fn no_cell<T>(&mut self, name: &Name, wanted: &str) -> Option<T> {
        use super::super::super::place::Sort;
        let sorts = match wanted {
            "a place" => &[Sort::Place][..],
            "an account" => &[Sort::Account],
            "a tally" => &[Sort::Tally],
            _ => &[Sort::Fact, Sort::Role],
        };
        let fault = self.names.scope.missing(name, sorts, wanted);
        self.faults.push(fault);
        None
    }

    /// The indices of one of a family: as many as it has, of their types.
    pub fn indices(&mut self, name: &Name, arguments: Option<&[Argument]>, cells: &Cells, locals: &mut Locals) -> Option<Vec<Expr>> {
        let written = arguments.unwrap_or_default();
        let kinds: Vec<Type> = cells
            .indices
            .iter()
            .map(|index| match index {
                Index::Seat => Type::Seat,
                Index::Kind(kind, _) => Type::Member(*kind),
            })
            .collect();
        if written.len() != kinds.len() {
            let fault = self.wrong_count(name, written.len(), &kinds);
            self.faults.push(fault);
            return None;
        }
        self.values(name, written, &kinds, locals)
    }

    /// Arguments of these types. Each is read, also behind one that is wrong.
    pub(super) fn values(&mut self, name: &Name, written: &[Argument], kinds: &[Type], locals: &mut Locals) -> Option<Vec<Expr>> {
        let mut values = Vec::new();
        for (argument, kind) in written.iter().zip(kinds) {
            values.push(match argument {
                Argument::Value(value) => self.expected(value, kind, locals),
                Argument::All if *kind == Type::Seat.set() => Some(made(Node::Seats, name.span)),
                Argument::All => {
                    let message = format!("`all` stands where {} is wanted", self.describe(kind));
                    self.fault(Code::TypeMismatch, message, name.span);
                    None
                }
            });
        }
        values.into_iter().collect()
    }

    fn wrong_count(&self, name: &Name, written: usize, kinds: &[Type]) -> Diagnostic {
        let wanted: Vec<String> = kinds.iter().map(|kind| self.describe(kind)).collect();
        let fault = match kinds {
            [] => Diagnostic::new(Code::TypeMismatch, format!("there is only one `{}`", name.it), name.span),
            [one] if written == 0 => Diagnostic::new(
                Code::TypeMismatch,
                format!("there is one `{}` for each value: {} is wanted behind it", name.it, self.describe(one)),
                name.span,
            ),
            _ => {
                let written = super::super::acts::arguments(written);
                Diagnostic::new(Code::TypeMismatch, format!("`{}` has {written} here, and wants {}", name.it, wanted.join(" and ")), name.span)
            }
        };
        match kinds {
            [] => fault.with_help(format!("write `{}` alone", name.it)),
            [Type::Seat] => fault.with_help(format!("write `{}(p)`, where p is a seat", name.it)),
            _ => fault,
        }
    }

    /// `dealer()` where nothing may stand in parentheses.
    pub(super) fn no_arguments(&mut self, name: &Name, arguments: Option<&[Argument]>) -> Option<()> {
        if arguments.is_some() {
            let fault = Diagnostic::new(Code::TypeMismatch, format!("`{}` takes nothing in parentheses", name.it), name.span);
            self.faults.push(fault.with_help(format!("write `{}` alone", name.it)));
            return None;
        }
        Some(())
    }
}
