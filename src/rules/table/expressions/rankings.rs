//! What rankings say of hands, and rankings as values. Clauses 3.9, 3.12 and 7.12.

use super::super::super::class_kinds;
use super::super::super::kinds::{KindId, KindSort};
use super::super::super::place::Sort;
use super::super::super::scope::unknown;
use super::super::compiler::{Compiler, Typed, made};
use super::super::locals::Locals;
use super::super::program::{Binder, Expr, HandNode, Literal, Node, Ranks, Type};
use super::super::signatures::Meaning;
use super::super::written::Types;
use crate::diagnostic::{Code, Diagnostic};
use crate::ranking::ValueId;
use crate::source::Span;
use crate::syntax::tree::{self, Argument, ExprKind, Name};

/// A ranking where one is wanted, and what it orders.
pub(super) struct Ranked {
    pub ranks: Ranks,
    pub piece: usize,
    pub of_one: bool,
    /// Position among the signatures, if it is named.
    id: Option<usize>,
    span: Span,
}

impl Compiler<'_> {
    /// A ranking by its name, or whatever gives one.
    pub(super) fn ranks(&mut self, name: &Name, arguments: Option<&[Argument]>, locals: &mut Locals) -> Option<Ranked> {
        if locals.find(&name.it).is_none()
            && let Some(Meaning::Ranking(id)) = self.signatures.meaning(&name.it)
        {
            let shape = self.signatures.rankings.get(id)?.it.clone();
            // `none` fits no piece (7.1), so it may stand for every value.
            let parameters = shape.parameters.into_iter().map(|(name, kind)| (name, kind.maybe())).collect();
            let arguments = self.arguments(name, arguments, &parameters, locals)?;
            let family = self.family(id, name);
            return Some(Ranked { ranks: Ranks::Named(family, arguments), piece: shape.piece, of_one: shape.of_one, id: Some(id), span: name.span });
        }
        let values =
            matches!(self.signatures.meaning(&name.it), Some(Meaning::Question(_) | Meaning::Definition(_) | Meaning::Fact(_) | Meaning::Role(_)));
        if locals.find(&name.it).is_none() && !values {
            let fault = self.names.scope.missing(name, &[Sort::Ranking], "a ranking");
            self.faults.push(fault);
            return None;
        }
        let (value, found) = match arguments {
            Some(arguments) => self.call(name, arguments, None, name.span, locals)?,
            None => self.name(name, None, locals)?,
        };
        self.ranking_value(value, &found)
    }

    fn ranking_value(&mut self, value: Expr, found: &Type) -> Option<Ranked> {
        let span = value.span;
        if let Type::Ranking { piece, of_one } = found.sure() {
            return Some(Ranked { ranks: Ranks::Of(value), piece: *piece, of_one: *of_one, id: None, span });
        }
        if !found.is_broken() {
            let message = format!("{} stands where a ranking is wanted", self.describe(found));
            self.fault(Code::TypeMismatch, message, span);
        }
        None
    }

    /// The second argument of `keys` and `class-of`.
    fn ranks_argument(&mut self, written: &tree::Expr, locals: &mut Locals) -> Option<Ranked> {
        if let ExprKind::Name { name, arguments } = &*written.it {
            return self.ranks(name, arguments.as_deref(), locals);
        }
        let (value, found) = self.expression(written, None, locals)?;
        self.ranking_value(value, &found)
    }

    /// A ranking that stands where a value does.
    pub(super) fn ranking_name(&mut self, id: usize, name: &Name) -> Typed {
        let shape = self.signatures.rankings.get(id)?.it.clone();
        if !shape.parameters.is_empty() {
            let fault = Diagnostic::new(Code::TypeMismatch, format!("`{}` orders nothing until its parameters are known", name.it), name.span);
            self.faults.push(fault.with_help("only a ranking without parameters is a value"));
            return None;
        }
        let family = self.family(id, name);
        let Ok(number) = ValueId::try_from(family) else {
            self.fault(Code::OutOfRange, "at most 256 rankings can be values at one table", name.span);
            return None;
        };
        Some((made(Node::Literal(Literal::Member(number)), name.span), Type::Ranking { piece: shape.piece, of_one: shape.of_one }))
    }

    /// That a ranking orders hands, and not single pieces.
    fn of_hands(&mut self, ranked: &Ranked) -> Option<()> {
        if ranked.of_one {
            self.fault(Code::TypeMismatch, "this ranking orders single pieces, and a hand is compared here", ranked.span);
            return None;
        }
        Some(())
    }

    /// A hand and the ranking that is asked about it: the first two arguments of a function.
    fn asked(&mut self, name: &Name, arguments: &[Argument], most: usize, locals: &mut Locals) -> Option<(Expr, Ranked)> {
        let (Some(Argument::Value(of)), Some(Argument::Value(ranking)), true) = (arguments.first(), arguments.get(1), arguments.len() <= most) else {
            let fault = Diagnostic::new(Code::TypeMismatch, format!("`{}` wants a hand and a ranking", name.it), name.span);
            self.faults.push(fault.with_help(format!("write `{}(HAND, RANKING{})`", name.it, if most > 2 { ", HOW-MANY" } else { "" })));
            return None;
        };
        let ranked = self.ranks_argument(ranking, locals)?;
        self.of_hands(&ranked)?;
        let (of, _) = self.hand(of, Some(ranked.piece), locals)?;
        Some((of, ranked))
    }

    /// `keys(h, R, n)`
    pub(super) fn keys(&mut self, name: &Name, arguments: &[Argument], span: Span, locals: &mut Locals) -> Typed {
        let asked = self.asked(name, arguments, 3, locals);
        let most = match arguments.get(2) {
            Some(Argument::Value(most)) => self.expected(most, &Type::Number, locals).map(Some),
            Some(Argument::All) | None => Some(None),
        };
        let (of, Ranked { ranks, .. }) = asked?;
        Some((made(Node::Hand(HandNode::Keys { of, ranks, most: most? }), span), Type::Number.list()))
    }

    /// `class-of(h, R)`: none, if the hand is not ranked.
    pub(super) fn class_of(&mut self, name: &Name, arguments: &[Argument], span: Span, locals: &mut Locals) -> Typed {
        let (of, ranked) = self.asked(name, arguments, 2, locals)?;
        let Some(kind) = ranked.id.and_then(|id| self.class_kind(id)) else {
            let fault = Diagnostic::new(Code::TypeMismatch, "nobody can tell beforehand of which ranking the class is", ranked.span);
            self.faults.push(fault.with_help("name the ranking itself"));
            return None;
        };
        Some((made(Node::Hand(HandNode::ClassOf { of, ranks: ranked.ranks }), span), Type::Member(kind).maybe()))
    }

    fn class_kind(&self, ranking: usize) -> Option<KindId> {
        class_kinds::find(&self.kinds, &self.signatures.rankings.get(ranking)?.name.it)
    }

    /// `compare(a, b)`
    pub(super) fn compared_keys(&mut self, name: &Name, arguments: &[Argument], span: Span, locals: &mut Locals) -> Typed {
        let mut values = self.exactly(name, arguments, &[Type::Number.list(), Type::Number.list()], locals)?.into_iter();
        let words = ["below", "level", "above"].map(|word| Name::new(word.to_owned(), span));
        let Compiler { names, kinds, pieces, faults, signatures, .. } = self;
        let kind = Types { names, kinds, pieces, tallies: &signatures.tally_names, faults }.enumeration(&words, span);
        Some((made(Node::Hand(HandNode::Compared(values.next()?, values.next()?)), span), Type::Member(kind)))
    }

    /// `h reaches CLASS of V`; in the place of the class something that is one may stand.
    pub(super) fn reaches(&mut self, of: &tree::Expr, class: &Name, key: Option<&tree::Expr>, span: Span, locals: &mut Locals) -> Typed {
        let (value, kind) = self.reached_class(class, locals)?;
        let ranking = self
            .kinds
            .get(kind)
            .and_then(|kind| self.signatures.rankings.iter().position(|ranking| class_kinds::name_of(&ranking.name.it) == kind.name))?;
        let shape = self.signatures.rankings.get(ranking)?;
        let (name, piece, of_one, open) = (shape.name, shape.it.piece, shape.it.of_one, !shape.it.parameters.is_empty());
        if of_one || open {
            let why = if of_one { "orders single pieces, and a hand is compared here" } else { "orders nothing until its parameters are known" };
            let fault = Diagnostic::new(Code::TypeMismatch, format!("`{}` {why}", name.it), class.span);
            self.faults.push(if of_one { fault } else { fault.with_help(format!("write `class-of(…, {}(…)) >= {}`", name.it, class.it)) });
            return None;
        }
        let hand = self.hand(of, Some(piece), locals);
        let key = match key {
            Some(key) => Some(self.reached_key(key, &value, piece, locals)?),
            None => None,
        };
        let family = self.family(ranking, name);
        Some((made(Node::Hand(HandNode::Reaches { of: hand?.0, family, class: value, key }), span), Type::Truth))
    }

    /// A class by its name, or whatever has one for its value. The kind is that of the classes of its ranking.
    fn reached_class(&mut self, name: &Name, locals: &mut Locals) -> Option<(Expr, KindId)> {
        let kinds = || self.kinds.kinds.iter().enumerate().filter(|(_, kind)| kind.sort == KindSort::Classes);
        if locals.find(&name.it).is_none() {
            let found: Vec<(KindId, ValueId)> = kinds().filter_map(|(id, kind)| Some((id, kind.find(&name.it)?))).collect();
            match found.as_slice() {
                [(kind, class)] => return Some((made(Node::Literal(Literal::Member(*class)), name.span), *kind)),
                [_, ..] => {
                    let message = format!("several rankings have a class `{}`", name.it);
                    let fault = Diagnostic::new(Code::TypeMismatch, message, name.span);
                    self.faults.push(fault.with_help(format!("write `class-of(…, RANKING) >= {}`, which says whose class is meant", name.it)));
                    return None;
                }
                [] => {}
            }
            let known = self.names.parameters.contains_key(&name.it) || self.signatures.meaning(&name.it).is_some();
            if !known {
                let fault = unknown(name, "a class of a ranking", kinds().flat_map(|(_, kind)| kind.names()));
                self.faults.push(fault);
                return None;
            }
        }
        let (value, found) = self.name(name, None, locals)?;
        if let Type::Member(kind) = found.sure()
            && self.kinds.get(*kind).is_some_and(|kind| kind.sort == KindSort::Classes)
        {
            return Some((value, *kind));
        }
        if !found.is_broken() {
            let message = format!("{} stands where a class of a ranking is wanted", self.describe(&found));
            self.fault(Code::TypeMismatch, message, name.span);
        }
        None
    }

    /// The V of `reaches CLASS of V`: a number, or a value of an attribute. Whether the class is compared by it hangs on the settings.
    fn reached_key(&mut self, key: &tree::Expr, class: &Expr, piece: usize, locals: &mut Locals) -> Option<(Expr, Option<KindId>)> {
        if !matches!(&*class.node, Node::Literal(_) | Node::Parameter(_)) {
            let fault = Diagnostic::new(Code::TypeMismatch, "nobody can tell beforehand by what the class is compared", class.span);
            self.faults.push(fault.with_help("name the class itself before `of`, or a parameter"));
            return None;
        }
        let attributes: Vec<KindId> = self.pieces.get(piece)?.attributes.iter().map(|attribute| attribute.kind).collect();
        // A bare name is a value of whichever attribute has it.
        let wanted = if let ExprKind::Name { name, arguments: None } = &*key.it
            && !self.stands_alone(key, locals)
        {
            attributes.iter().find(|kind| self.kinds.get(**kind).is_some_and(|kind| kind.find(&name.it).is_some())).map(|kind| Type::Member(*kind))
        } else {
            None
        };
        let (value, found) = self.expression(key, wanted.as_ref(), locals)?;
        if *found.sure() == Type::Number {
            return Some((value, None));
        }
        if let Type::Member(kind) = found.sure()
            && attributes.contains(kind)
        {
            return Some((value, Some(*kind)));
        }
        if !found.is_broken() {
            let message = format!("{} stands where a key of the class is wanted", self.describe(&found));
            let fault = Diagnostic::new(Code::TypeMismatch, message, key.span);
            self.faults.push(fault.with_help("the first key of a class is a value of the pieces, or a number"));
        }
        None
    }

    /// `best of L under R`, where R orders hands or is a value.
    pub(super) fn best_under(&mut self, of: &tree::Expr, ranked: Ranked, span: Span, locals: &mut Locals) -> Typed {
        let (value, found) = self.expression(of, None, locals)?;
        let member = self.member_type(of.span, &found)?;
        let inner = if ranked.of_one { Some(&member) } else { member.member() };
        if !inner.is_some_and(|inner| inner.fits(&Type::Piece(ranked.piece))) && !member.is_broken() && found != Type::Nothing {
            let wanted = if ranked.of_one { Type::Piece(ranked.piece) } else { Type::Piece(ranked.piece).set() };
            let message = format!("{} stands where the ranking wants {}", self.describe(&found), self.describe(&wanted.set()));
            self.fault(Code::TypeMismatch, message, of.span);
            return None;
        }
        let list = matches!(found.sure(), Type::List(_)) && !ranked.of_one;
        let kind = if list { member.list() } else { member.set() };
        Some((made(Node::Hand(HandNode::Best { of: value, ranks: ranked.ranks, of_one: ranked.of_one, list }), span), kind))
    }

    /// Whether what stands behind `along` is a ranking, or something that may give one.
    pub(super) fn goes_along_a_ranking(&self, along: &Name, locals: &Locals) -> bool {
        self.kinds.order(&along.it).is_none()
            && (locals.find(&along.it).is_some() || self.signatures.meaning(&along.it).is_some_and(|meaning| !matches!(meaning, Meaning::Kind(_))))
    }

    /// `highest x in S by E along R`; without a binder x is the hand itself.
    pub(super) fn extreme_along(&mut self, highest: bool, of: &tree::ExtremeOf, along: &Name, span: Span, locals: &mut Locals) -> Typed {
        let ranked = self.ranks(along, None, locals)?;
        self.of_hands(&ranked)?;
        let (binder, member, by) = match of {
            tree::ExtremeOf::Binder { binder, by } => {
                self.bound(binder, locals, |compiler, locals| Some(compiler.hand(by, Some(ranked.piece), locals)?.0))?
            }
            tree::ExtremeOf::Set(of) => {
                let (value, member) = self.collection(of, locals)?;
                if !member.member().is_some_and(|inner| inner.fits(&Type::Piece(ranked.piece))) && !member.is_broken() {
                    let fault = self.mismatch(of.span, &member, &Type::Piece(ranked.piece).set());
                    self.faults.push(fault);
                    return None;
                }
                let slot = locals.fresh();
                (Binder { slot, of: value, filter: None }, member, made(Node::Local(slot), of.span))
            }
        };
        Some((made(Node::Hand(HandNode::Extreme { highest, binder, by, ranks: ranked.ranks }), span), member.set()))
    }
}
