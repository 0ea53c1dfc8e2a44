//! From written expressions to constants: names, types, and what is known only at the table. Clauses 3.10, 3.14, 8.3.

use std::collections::BTreeMap;

use super::advice::did_you_mean;
use super::constant::{Constant, Node, OptionId, ParameterId, Row, Type, Value};
use super::kinds::{KindId, KindSort, Kinds};
use super::place::Sort;
use super::scope::{Scope, unknown};
use crate::diagnostic::{Code, Diagnostic};
use crate::ranking::ValueId;
use crate::source::Span;
use crate::syntax::tree::{BinaryWord, Expr, ExprKind, IsWhat, Name, TableRow};

/// What a name in a constant can mean.
#[derive(Clone, Copy, Debug)]
pub(super) struct Names<'a> {
    pub scope: &'a Scope,
    pub kinds: &'a Kinds,
    /// A parameter whose type could not be found was complained about already.
    pub parameters: &'a BTreeMap<String, (ParameterId, Option<Type>)>,
    pub options: &'a BTreeMap<String, (OptionId, KindId)>,
    /// The parameter of the definition that is being read.
    pub local: Option<(&'a str, KindId)>,
}

type Typed = Option<(Constant, Type)>;

impl Names<'_> {
    /// A constant of the wanted type.
    pub fn constant(&self, expr: &Expr, wanted: Type, faults: &mut Vec<Diagnostic>) -> Option<Constant> {
        let (constant, found) = self.read(expr, Some(wanted), faults)?;
        if found.fits(wanted) {
            return Some(constant);
        }
        faults.push(self.mismatch(expr.span, found, wanted));
        None
    }

    /// A truth, as `under` takes it.
    pub fn condition(&self, expr: &Expr, faults: &mut Vec<Diagnostic>) -> Option<Constant> {
        self.constant(expr, Type::Truth, faults)
    }

    /// A constant of any type; `wanted` helps to understand names, and is not enforced.
    pub fn read(&self, expr: &Expr, wanted: Option<Type>, faults: &mut Vec<Diagnostic>) -> Typed {
        let made = |node, found| Some((Constant::new(node, expr.span), found));
        match &*expr.it {
            ExprKind::Number(number) => made(Node::Literal(Value::Number(*number), Type::Number), Type::Number),
            ExprKind::Truth(truth) => made(Node::Literal(Value::Truth(*truth), Type::Truth), Type::Truth),
            ExprKind::Text(_) => {
                faults.push(
                    Diagnostic::new(Code::TypeMismatch, "a text never decides anything", expr.span).with_help("texts are for readers (clause 1.6)"),
                );
                None
            }
            ExprKind::Name { name, arguments: None } => self.name(name, wanted, faults),
            ExprKind::Name { name, arguments: Some(_) } => {
                faults.push(not_constant(expr.span, &format!("`{}(…)`", name.it)));
                None
            }
            ExprKind::If { when, then, otherwise } => {
                let when = self.condition(when, faults);
                let then = self.read(then, wanted, faults);
                let wanted = then.as_ref().map(|(_, found)| *found).or(wanted);
                let otherwise = self.like(otherwise, wanted, faults);
                let (then, found) = then?;
                made(Node::If(when?, then, otherwise?), found)
            }
            ExprKind::Binary { word, left, right } => self.binary(expr.span, *word, left, right, faults),
            ExprKind::Chain { first, rest } => self.chain(expr.span, first, rest, faults),
            ExprKind::Not(of) => made(Node::Not(self.condition(of, faults)?), Type::Truth),
            ExprKind::Minus(of) => made(Node::Minus(self.constant(of, Type::Number, faults)?), Type::Number),
            ExprKind::Is { of, not, what } => self.is(expr, of, *not, *what, faults),
            ExprKind::Count(of) => {
                let (set, found) = self.read(of, None, faults)?;
                self.must_be_set(of.span, found, faults)?;
                made(Node::Count(set), Type::Number)
            }
            ExprKind::Set(items) => self.set(expr.span, items, wanted, faults),
            ExprKind::Table { of, rows } => self.table(expr.span, of, rows, wanted, faults),
            ExprKind::None
            | ExprKind::Nobody
            | ExprKind::Seats
            | ExprKind::Hole
            | ExprKind::Field { .. }
            | ExprKind::Reaches { .. }
            | ExprKind::Quantified { .. }
            | ExprKind::Those(_)
            | ExprKind::CountOf { .. }
            | ExprKind::Sum { .. }
            | ExprKind::Extreme { .. }
            | ExprKind::Best { .. }
            | ExprKind::Only(_)
            | ExprKind::Log { .. }
            | ExprKind::During(_)
            | ExprKind::EndOf { .. }
            | ExprKind::Cycle { .. }
            | ExprKind::Grouped { .. }
            | ExprKind::Owner
            | ExprKind::Beside { .. }
            | ExprKind::Reckoned { .. }
            | ExprKind::List(_) => {
                faults.push(not_constant(expr.span, "this"));
                None
            }
        }
    }

    /// A name alone: what is wanted there decides first, so that a branch may be called like an option.
    fn name(&self, name: &Name, wanted: Option<Type>, faults: &mut Vec<Diagnostic>) -> Typed {
        let made = |node, found| Some((Constant::new(node, name.span), found));
        if let Some(Type::Member(kind)) = wanted
            && let Some(value) = self.kinds.get(kind).and_then(|kind| kind.find(&name.it))
        {
            return made(Node::Literal(Value::Member(value), Type::Member(kind)), Type::Member(kind));
        }
        if let Some((local, kind)) = self.local
            && local == name.it
        {
            return made(Node::Local, Type::Member(kind));
        }
        if let Some((id, found)) = self.parameters.get(&name.it) {
            return made(Node::Parameter(*id), (*found)?);
        }
        if let Some((id, kind)) = self.options.get(&name.it) {
            return made(Node::Option(*id), Type::Member(*kind));
        }
        if let Some(sort) = self.scope.sort(&name.it) {
            let fault = not_constant(name.span, &format!("`{}`", name.it));
            faults.push(match self.scope.span(&name.it) {
                Some(place) => fault.with_label(place, format!("{}, declared here", sort.word())),
                None => fault,
            });
            return None;
        }
        if let Some(Type::Member(kind)) = wanted {
            faults.push(self.no_member(name, kind));
            return None;
        }
        self.member_of_any(name, faults)
    }

    pub fn no_member(&self, name: &Name, kind: KindId) -> Diagnostic {
        let Some(kind) = self.kinds.get(kind) else { return unknown(name, "a value", []) };
        if kind.sort == KindSort::Branches {
            let fault = Diagnostic::new(Code::UnknownBranch, format!("the option `{}` has no branch `{}`", kind.name, name.it), name.span);
            let fault = fault.with_label(kind.span, "the option");
            return match did_you_mean(&name.it, kind.names()) {
                Some(advice) => fault.with_help(advice),
                None => fault.with_help(format!("its branches are {}", super::advice::all_of(kind.names()))),
            };
        }
        unknown(name, &kind.wanted(), kind.names())
    }

    /// A value whose kind nobody says: it must be a value of one kind only.
    fn member_of_any(&self, name: &Name, faults: &mut Vec<Diagnostic>) -> Typed {
        let plain = || self.kinds.kinds.iter().enumerate().filter(|(_, kind)| !kind.sort.is_apart());
        let found: Vec<(KindId, ValueId)> = plain().filter_map(|(id, kind)| Some((id, kind.find(&name.it)?))).collect();
        match found.as_slice() {
            [(kind, value)] => {
                let node = Node::Literal(Value::Member(*value), Type::Member(*kind));
                Some((Constant::new(node, name.span), Type::Member(*kind)))
            }
            [] => {
                let names = self.scope.of_sorts(&[Sort::Parameter, Sort::Option]).chain(plain().flat_map(|(_, kind)| kind.names()));
                faults.push(unknown(name, "a parameter, an option or a value", names));
                None
            }
            several => {
                let kinds = several.iter().filter_map(|(kind, _)| self.kinds.get(*kind)).map(|kind| kind.name.as_str());
                let message = format!("`{}` is a value of {}", name.it, super::advice::all_of(kinds));
                faults.push(Diagnostic::new(Code::TypeMismatch, message, name.span).with_help("write the type, as in `param NAME: KIND = VALUE;`"));
                None
            }
        }
    }

    /// Whether an expression has a type without help: a bare name of a value has none.
    fn stands_alone(&self, expr: &Expr) -> bool {
        if let ExprKind::Name { name, arguments: None } = &*expr.it {
            return self.parameters.contains_key(&name.it)
                || self.options.contains_key(&name.it)
                || self.local.is_some_and(|(local, _)| local == name.it);
        }
        if let ExprKind::Set(items) = &*expr.it {
            return items.iter().any(|item| self.stands_alone(item));
        }
        true
    }

    /// A constant of the type that something else has; any type if that is not known.
    fn like(&self, expr: &Expr, wanted: Option<Type>, faults: &mut Vec<Diagnostic>) -> Option<Constant> {
        match wanted {
            Some(wanted) => self.constant(expr, wanted, faults),
            None => self.read(expr, None, faults).map(|(constant, _)| constant),
        }
    }

    fn binary(&self, span: Span, word: BinaryWord, left: &Expr, right: &Expr, faults: &mut Vec<Diagnostic>) -> Typed {
        let made = |a, b, found| Some((Constant::new(Node::Binary(word, a, b), span), found));
        match word {
            BinaryWord::And | BinaryWord::Or => {
                let (a, b) = (self.condition(left, faults), self.condition(right, faults));
                made(a?, b?, Type::Truth)
            }
            BinaryWord::Add | BinaryWord::Subtract | BinaryWord::Multiply | BinaryWord::Divide | BinaryWord::Mod => {
                let (a, b) = (self.constant(left, Type::Number, faults), self.constant(right, Type::Number, faults));
                made(a?, b?, Type::Number)
            }
            BinaryWord::Equal | BinaryWord::Unequal | BinaryWord::Less | BinaryWord::AtMost | BinaryWord::Greater | BinaryWord::AtLeast => {
                let (a, b, found) = self.pair(left, right, faults)?;
                if !matches!(word, BinaryWord::Equal | BinaryWord::Unequal) {
                    self.must_be_ordered(span, found, faults)?;
                }
                made(a, b, Type::Truth)
            }
            BinaryWord::In | BinaryWord::NotIn => {
                let (a, b) = self.membership(left, right, faults)?;
                made(a, b, Type::Truth)
            }
            BinaryWord::Without | BinaryWord::Together => {
                let (a, b, found) = self.pair(left, right, faults)?;
                self.must_be_set(left.span, found, faults)?;
                made(a, b, found)
            }
        }
    }

    /// Two constants of one type: whichever has a type of its own gives it to the other.
    fn pair(&self, left: &Expr, right: &Expr, faults: &mut Vec<Diagnostic>) -> Option<(Constant, Constant, Type)> {
        if self.stands_alone(left) || !self.stands_alone(right) {
            let (a, found) = self.read(left, None, faults)?;
            Some((a, self.constant(right, found, faults)?, found))
        } else {
            let (b, found) = self.read(right, None, faults)?;
            Some((self.constant(left, found, faults)?, b, found))
        }
    }

    fn membership(&self, left: &Expr, right: &Expr, faults: &mut Vec<Diagnostic>) -> Option<(Constant, Constant)> {
        if self.stands_alone(right) {
            let (set, found) = self.read(right, None, faults)?;
            return match found {
                Type::Set(kind) => Some((self.constant(left, Type::Member(kind), faults)?, set)),
                Type::EmptySet => Some((self.read(left, None, faults)?.0, set)),
                Type::Number | Type::Truth | Type::Member(_) => {
                    self.must_be_set(right.span, found, faults)?;
                    None
                }
            };
        }
        let (member, found) = self.read(left, None, faults)?;
        match found {
            Type::Member(kind) => Some((member, self.constant(right, Type::Set(kind), faults)?)),
            Type::Number | Type::Truth | Type::Set(_) | Type::EmptySet => {
                let message = format!("{} stands where a value of a kind is wanted", found.describe(&self.kinds.kinds));
                faults.push(Diagnostic::new(Code::TypeMismatch, message, left.span));
                None
            }
        }
    }

    fn chain(&self, span: Span, first: &Expr, rest: &[(BinaryWord, Expr)], faults: &mut Vec<Diagnostic>) -> Typed {
        let all = || std::iter::once(first).chain(rest.iter().map(|(_, expr)| expr));
        let typed = all().find(|expr| self.stands_alone(expr)).unwrap_or(first);
        let (_, found) = self.read(typed, None, faults)?;
        self.must_be_ordered(span, found, faults)?;
        let first = self.constant(first, found, faults)?;
        let rest: Option<Vec<_>> = rest.iter().map(|(word, expr)| Some((*word, self.constant(expr, found, faults)?))).collect();
        Some((Constant::new(Node::Chain(first, rest?), span), Type::Truth))
    }

    fn is(&self, expr: &Expr, of: &Expr, not: bool, what: IsWhat, faults: &mut Vec<Diagnostic>) -> Typed {
        let node = match what {
            IsWhat::Empty => {
                let (set, found) = self.read(of, None, faults)?;
                self.must_be_set(of.span, found, faults)?;
                Node::Empty(set)
            }
            IsWhat::Even => Node::Not(Constant::new(Node::Odd(self.constant(of, Type::Number, faults)?), expr.span)),
            IsWhat::Odd => Node::Odd(self.constant(of, Type::Number, faults)?),
            IsWhat::Known | IsWhat::None | IsWhat::Nobody => {
                faults.push(not_constant(expr.span, "this"));
                return None;
            }
        };
        let constant = Constant::new(node, expr.span);
        let constant = if not { Constant::new(Node::Not(constant), expr.span) } else { constant };
        Some((constant, Type::Truth))
    }

    fn set(&self, span: Span, items: &[Expr], wanted: Option<Type>, faults: &mut Vec<Diagnostic>) -> Typed {
        let mut member = match wanted {
            Some(Type::Set(kind)) => Some(Type::Member(kind)),
            Some(Type::Number | Type::Truth | Type::Member(_) | Type::EmptySet) | None => None,
        };
        let mut constants = Vec::new();
        let mut sound = true;
        for item in items {
            let read = match member {
                Some(member) => self.constant(item, member, faults),
                None => self.read(item, None, faults).map(|(constant, found)| {
                    member = Some(found);
                    constant
                }),
            };
            sound &= read.is_some();
            constants.extend(read);
        }
        let found = match member {
            Some(Type::Member(kind)) => Type::Set(kind),
            None => Type::EmptySet,
            Some(found @ (Type::Number | Type::Truth | Type::Set(_) | Type::EmptySet)) => {
                let message = format!("a set holds values of a kind, and not {}", found.describe(&self.kinds.kinds));
                faults.push(Diagnostic::new(Code::TypeMismatch, message, span));
                return None;
            }
        };
        sound.then(|| (Constant::new(Node::Set(constants), span), found))
    }

    fn table(&self, span: Span, of: &Expr, rows: &[TableRow], wanted: Option<Type>, faults: &mut Vec<Diagnostic>) -> Typed {
        let (of, looked_up) = self.read(of, None, faults)?;
        let mut found = wanted;
        let mut resolved = Vec::new();
        let mut otherwise = None;
        for row in rows {
            let mut keys = Vec::new();
            for key in &row.keys {
                if key.or_up {
                    self.must_be_ordered(key.value.span, looked_up, faults)?;
                }
                keys.push((self.constant(&key.value, looked_up, faults)?, key.or_up));
            }
            let value = match found {
                Some(found) => self.constant(&row.value, found, faults)?,
                None => {
                    let (value, first) = self.read(&row.value, None, faults)?;
                    found = Some(first);
                    value
                }
            };
            if keys.is_empty() { otherwise = Some(value) } else { resolved.push(Row { keys, value }) }
        }
        Some((Constant::new(Node::Table(of, resolved, otherwise), span), found?))
    }

    fn must_be_set(&self, span: Span, found: Type, faults: &mut Vec<Diagnostic>) -> Option<()> {
        if matches!(found, Type::Set(_) | Type::EmptySet) {
            return Some(());
        }
        faults.push(Diagnostic::new(Code::TypeMismatch, format!("{} stands where a set is wanted", found.describe(&self.kinds.kinds)), span));
        None
    }

    fn must_be_ordered(&self, span: Span, found: Type, faults: &mut Vec<Diagnostic>) -> Option<()> {
        let ordered = match found {
            Type::Number => true,
            Type::Member(kind) => self.kinds.get(kind).is_some_and(|kind| kind.sort == KindSort::Ordered),
            Type::Truth | Type::Set(_) | Type::EmptySet => false,
        };
        if ordered {
            return Some(());
        }
        if let Type::Member(kind) = found
            && self.kinds.get(kind).is_some_and(|kind| kind.sort == KindSort::Classes)
        {
            let fault = Diagnostic::new(Code::NotConstant, "the order of classes hangs on the settings, and no setting can hang on it", span);
            faults.push(fault.with_help("compare classes by `=`, or put the comparison into a rule"));
            return None;
        }
        let message = format!("{} has no order", found.describe(&self.kinds.kinds));
        faults.push(Diagnostic::new(Code::TypeMismatch, message, span).with_help("numbers and the values of a scale can be compared so"));
        None
    }

    pub fn mismatch(&self, span: Span, found: Type, wanted: Type) -> Diagnostic {
        let message = format!("{} stands where {} is wanted", found.describe(&self.kinds.kinds), wanted.describe(&self.kinds.kinds));
        let fault = Diagnostic::new(Code::TypeMismatch, message, span);
        match (found, wanted) {
            (Type::Member(_), Type::Set(_)) => fault.with_help("write a set in braces, also of one value: `{ … }`"),
            _ => fault,
        }
    }
}

fn not_constant(span: Span, what: &str) -> Diagnostic {
    Diagnostic::new(Code::NotConstant, format!("{what} is known only at the table, and this must be known when the rulebook is loaded"), span)
        .with_help("numbers, values, parameters and options are constant")
}
