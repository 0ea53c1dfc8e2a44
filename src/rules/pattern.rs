//! Patterns, keys and wild pieces of a ranking: names become positions in the model. Clauses 7.4 to 7.6 and 7.9.

use super::constant::{Type, Value, fold};
use super::family::FamilyParameter;
use super::kinds::Kinds;
use super::lines::Hole;
use super::pieces::PieceKind;
use super::resolve::Names;
use super::scope::unknown;
use super::selection::Layer;
use crate::diagnostic::{Code, Diagnostic};
use crate::ranking::{AttributeId, ClassId, Key, KeyWord, Pattern, Scale, ScaleId, Term, ValueId};
use crate::source::Span;
use crate::syntax::tree::{self, Declaration, Name, Number, PatternKind, SameCount, TieKey, ValuesCount, ValuesOf};

/// What names mean inside one ranking.
#[derive(Clone, Copy, Debug)]
pub(super) struct Inside<'a> {
    pub names: Names<'a>,
    pub layers: &'a [Layer<'a>],
    pub piece: &'a PieceKind,
    /// What may stand in the place of a value. Clause 7.1.
    pub parameters: &'a [FamilyParameter],
    /// Every scale on an attribute of the piece.
    pub scales: &'a [Scale],
    /// The scale that is meant where none is named.
    pub by: Option<ScaleId>,
    /// The largest hand.
    pub largest: u8,
    pub ranking: &'a Name,
}

/// Every scale on an attribute of the piece. One that names no attribute of this piece belongs to other pieces.
pub(super) fn scales_of(piece: &PieceKind, kinds: &Kinds) -> Vec<Scale> {
    let scale = |order: &super::kinds::Order| {
        let attribute = piece.attributes.iter().position(|attribute| attribute.kind == order.kind)?;
        Some(Scale { name: order.name.clone(), attribute, ascending: order.ascending.clone(), also_lowest: order.also_lowest.clone() })
    };
    kinds.orders.iter().filter_map(scale).collect()
}

/// What a `class` pattern means: nothing inside a class, a class of the ranking in a claim.
pub(super) type ClassNamed<'c> = Option<&'c dyn Fn(&Name) -> Option<ClassId>>;

impl Inside<'_> {
    fn kinds(&self) -> &Kinds {
        self.names.kinds
    }

    pub fn attribute(&self, name: &Name, faults: &mut Vec<Diagnostic>) -> Option<AttributeId> {
        let found = self.piece.attributes.iter().position(|attribute| attribute.name == name.it);
        if found.is_none() {
            let names = self.piece.attributes.iter().map(|attribute| attribute.name.as_str());
            let fault = unknown(name, &format!("an attribute of `{}`", self.piece.name), names);
            faults.push(match self.scales.iter().find(|scale| scale.name == name.it).and_then(|scale| self.piece.attributes.get(scale.attribute)) {
                Some(attribute) => {
                    let help = format!("the attribute that it orders is `{}`", attribute.name);
                    Diagnostic::new(Code::WrongKind, format!("`{}` is a scale, and an attribute is wanted here", name.it), name.span).with_help(help)
                }
                None => fault,
            });
        }
        found
    }

    /// The scale that is named, or the ranking's own.
    fn scale(&self, along: Option<&Name>, at: Span, faults: &mut Vec<Diagnostic>) -> Option<ScaleId> {
        let Some(name) = along else {
            if self.by.is_none() {
                let fault = Diagnostic::new(Code::WrongKind, "no scale is named, and the ranking has none of its own", at);
                faults.push(
                    fault.with_label(self.ranking.span, "the ranking").with_help("write `along SCALE` here, or `by SCALE` behind the ranking's size"),
                );
            }
            return self.by;
        };
        let found = self.scales.iter().position(|scale| scale.name == name.it);
        if found.is_none() {
            let declared_elsewhere = self.kinds().order(&name.it).is_some();
            let names = self.scales.iter().map(|scale| scale.name.as_str());
            faults.push(if declared_elsewhere {
                Diagnostic::new(Code::WrongKind, format!("`{}` orders nothing that `{}` has", name.it, self.piece.name), name.span)
            } else if self.names.scope.sort(&name.it).is_some() {
                self.names.scope.missing(name, &[super::place::Sort::Scale], "a scale")
            } else {
                unknown(name, "a scale", names)
            });
        }
        found
    }

    fn values(&self, attribute: AttributeId, names: &[Name], faults: &mut Vec<Diagnostic>) -> Option<Vec<Term>> {
        let mut values: Vec<Term> = Vec::new();
        let mut sound = true;
        for name in names {
            match self.term(attribute, name, faults) {
                Some(value) if values.contains(&value) => {
                    faults.push(Diagnostic::new(Code::DuplicateName, format!("`{}` stands here twice", name.it), name.span));
                }
                Some(value) => values.push(value),
                None => sound = false,
            }
        }
        sound.then_some(values)
    }

    /// A value of an attribute, or a parameter in its place. No parameter is called like a value.
    fn term(&self, attribute: AttributeId, name: &Name, faults: &mut Vec<Diagnostic>) -> Option<Term> {
        let attribute = self.piece.attributes.get(attribute)?;
        let kind = self.kinds().get(attribute.kind)?;
        let Some(at) = self.parameters.iter().position(|parameter| parameter.name == name.it) else {
            let found = kind.find(&name.it);
            if found.is_none() {
                let fitting = self.parameters.iter().filter(|parameter| parameter.kind == attribute.kind).map(|parameter| parameter.name.as_str());
                faults.push(unknown(name, &format!("a value of `{}`", attribute.name), kind.names().chain(fitting)));
            }
            return found.map(Term::Value);
        };
        let parameter = self.parameters.get(at)?;
        if parameter.kind != attribute.kind {
            let found = Type::Member(parameter.kind).describe(&self.kinds().kinds);
            let message = format!("`{}` is {found}, and a value of `{}` is wanted here", name.it, attribute.name);
            faults.push(Diagnostic::new(Code::TypeMismatch, message, name.span).with_label(parameter.span, "the parameter"));
            return None;
        }
        Some(Term::Parameter(at))
    }

    pub fn values_of(&self, of: &ValuesOf, faults: &mut Vec<Diagnostic>) -> Option<(AttributeId, Vec<Term>)> {
        let attribute = self.attribute(&of.attribute, faults)?;
        Some((attribute, self.values(attribute, &of.values, faults)?))
    }

    fn on_scale(&self, names: &[Name], along: Option<&Name>, at: Span, faults: &mut Vec<Diagnostic>) -> Option<(ScaleId, Vec<Term>)> {
        let scale = self.scale(along, at, faults)?;
        let attribute = self.scales.get(scale)?.attribute;
        Some((scale, self.values(attribute, names, faults)?))
    }

    /// A number of pieces of one hand.
    fn count(&self, number: &Number, least: u8, faults: &mut Vec<Diagnostic>) -> Option<u8> {
        let found = u8::try_from(number.it).ok().filter(|count| (least..=self.largest).contains(count));
        if found.is_none() {
            let message = if number.it < i64::from(least) {
                format!("at least {least} pieces must be asked for, and not {}", number.it)
            } else {
                format!("{} pieces are asked for, and a hand has at most {}", number.it, self.largest)
            };
            faults.push(Diagnostic::new(Code::OutOfRange, message, number.span));
        }
        found
    }

    pub fn pattern(&self, pattern: &tree::Pattern, classes: ClassNamed<'_>, faults: &mut Vec<Diagnostic>) -> Option<Pattern<Term>> {
        let at = pattern.span;
        match &*pattern.it {
            PatternKind::Or(parts) => Some(Pattern::Any(self.parts(parts, classes, faults)?)),
            PatternKind::And(parts) => Some(Pattern::All(self.parts(parts, classes, faults)?)),
            PatternKind::Not(of) => Some(Pattern::Not(Box::new(self.pattern(of, classes, faults)?))),
            PatternKind::Anything => Some(Pattern::Anything),
            PatternKind::Natural => Some(Pattern::Natural),
            PatternKind::Groups { sizes, by } => self.groups(sizes, by.as_ref(), at, faults),
            PatternKind::Run { length, step, around, top, along } => {
                let length = self.count(length, 2, faults);
                let scale = self.scale(along.as_ref(), at, faults)?;
                let of = self.scales.get(scale)?;
                let step = match step {
                    Some(step) => self.step(step, of.ascending.len(), faults),
                    None => Some(1),
                };
                let top = match top {
                    Some(top) => Some(self.values(of.attribute, std::slice::from_ref(top), faults)?.first().copied()?),
                    None => None,
                };
                Some(Pattern::Run { scale, length: length?, step: step?, around: *around, top })
            }
            PatternKind::Top { values, along } => {
                let (scale, values) = self.on_scale(values, along.as_ref(), at, faults)?;
                Some(Pattern::Top { scale, values })
            }
            PatternKind::Bottom { values, along } => {
                let (scale, values) = self.on_scale(values, along.as_ref(), at, faults)?;
                Some(Pattern::Bottom { scale, values })
            }
            PatternKind::Holds(values) => {
                let (scale, values) = self.on_scale(values, None, at, faults)?;
                Some(Pattern::Holds { attribute: self.scales.get(scale)?.attribute, values })
            }
            PatternKind::Same { count, attribute } => {
                let attribute = self.attribute(attribute, faults);
                let at_least = match count {
                    SameCount::All => None,
                    SameCount::AtLeast(number) => Some(self.count(number, 1, faults)?),
                };
                Some(Pattern::Same { attribute: attribute?, at_least })
            }
            PatternKind::Values { count, of } => {
                let of = self.values_of(of, faults);
                let at_least = match count {
                    ValuesCount::Every => None,
                    ValuesCount::Any => Some(1),
                    ValuesCount::AtLeast(number) => Some(self.count(number, 1, faults)?),
                };
                let (attribute, values) = of?;
                Some(Pattern::Values { attribute, at_least, values })
            }
            PatternKind::Class(name) => match classes {
                Some(find) => find(name).map(Pattern::Class),
                None => {
                    let fault = Diagnostic::new(Code::WrongKind, "a class cannot ask whether a hand is of a class", at);
                    faults.push(fault.with_help("only claims ask so; repeat the pattern of the other class instead"));
                    None
                }
            },
        }
    }

    fn parts(&self, parts: &[tree::Pattern], classes: ClassNamed<'_>, faults: &mut Vec<Diagnostic>) -> Option<Vec<Pattern<Term>>> {
        let read: Vec<Option<Pattern<Term>>> = parts.iter().map(|part| self.pattern(part, classes, faults)).collect();
        read.into_iter().collect()
    }

    fn groups(&self, sizes: &[Number], by: Option<&Name>, at: Span, faults: &mut Vec<Diagnostic>) -> Option<Pattern<Term>> {
        let attribute = match by {
            Some(name) => self.attribute(name, faults),
            None => self.scale(None, at, faults).and_then(|scale| self.scales.get(scale)).map(|scale| scale.attribute),
        };
        let read: Vec<Option<u8>> = sizes.iter().map(|size| self.count(size, 2, faults)).collect();
        let mut read: Vec<u8> = read.into_iter().collect::<Option<_>>()?;
        let total: usize = read.iter().map(|size| usize::from(*size)).sum();
        if total > usize::from(self.largest) {
            faults.push(Diagnostic::new(Code::OutOfRange, format!("these groups need {total} pieces, and a hand has at most {}", self.largest), at));
            return None;
        }
        read.sort_unstable_by(|a, b| b.cmp(a));
        Some(Pattern::Groups { attribute: attribute?, sizes: read })
    }

    fn step(&self, step: &Number, values: usize, faults: &mut Vec<Diagnostic>) -> Option<u8> {
        let found = u8::try_from(step.it).ok().filter(|found| *found >= 1 && usize::from(*found) < values);
        if found.is_none() {
            faults.push(Diagnostic::new(Code::OutOfRange, format!("`{}` is no step on a scale of {values} values", step.it), step.span));
        }
        found
    }

    /// A key; what it sums may have no points for some values.
    pub fn key(&self, key: &tree::At<TieKey>, holes: &mut Vec<Hole>, faults: &mut Vec<Diagnostic>) -> Option<Key> {
        let along = key.it.along.as_ref();
        let word = match &key.it.word {
            tree::KeyWord::Groups => KeyWord::Groups(self.scale(along, key.span, faults)?),
            tree::KeyWord::Singles => KeyWord::Singles(self.scale(along, key.span, faults)?),
            tree::KeyWord::Top => KeyWord::Top(self.scale(along, key.span, faults)?),
            tree::KeyWord::Every(attribute) => KeyWord::Every(self.every(attribute, along, faults)?),
            tree::KeyWord::Wild => self.no_scale(KeyWord::Wild, along, faults)?,
            tree::KeyWord::Count => self.no_scale(KeyWord::Count, along, faults)?,
            tree::KeyWord::TopOfRun => self.no_scale(KeyWord::TopOfRun, along, faults)?,
            tree::KeyWord::Sum { function, attribute } => self.sum(function, attribute, holes, faults)?,
        };
        Some(Key { word, wild_up: key.it.wild_up, low: key.it.low })
    }

    fn no_scale(&self, word: KeyWord, along: Option<&Name>, faults: &mut Vec<Diagnostic>) -> Option<KeyWord> {
        let Some(along) = along else { return Some(word) };
        let fault = Diagnostic::new(Code::WrongKind, "this key looks at no scale", along.span);
        faults.push(fault.with_help("take out `along`; `top of run` goes by the scale of the run that the class asks for"));
        None
    }

    /// `every rank`: along the scale that is named, else the ranking's if it orders that attribute, else the attribute's own.
    fn every(&self, name: &Name, along: Option<&Name>, faults: &mut Vec<Diagnostic>) -> Option<ScaleId> {
        let attribute = self.attribute(name, faults)?;
        let orders = |scale: &ScaleId| self.scales.get(*scale).is_some_and(|scale| scale.attribute == attribute);
        if along.is_some() {
            let scale = self.scale(along, name.span, faults)?;
            if !orders(&scale) {
                let message = format!("the scale does not order `{}`", name.it);
                faults.push(Diagnostic::new(Code::WrongKind, message, along.map_or(name.span, |along| along.span)));
                return None;
            }
            return Some(scale);
        }
        let own = || self.scales.iter().position(|scale| scale.name == name.it);
        let found = self.by.filter(orders).or_else(own);
        if found.is_none() {
            let message = format!("the values of `{}` have no order", name.it);
            faults.push(Diagnostic::new(Code::WrongKind, message, name.span).with_help("a key compares the values of a scale"));
        }
        found
    }

    /// `sum of pips(rank)`: the definition is worked out for each value.
    fn sum(&self, function: &Name, attribute: &Name, holes: &mut Vec<Hole>, faults: &mut Vec<Diagnostic>) -> Option<KeyWord> {
        let id = self.attribute(attribute, faults);
        let definition = self.layers.iter().flat_map(|layer| &layer.declarations).find_map(|declaration| {
            let Declaration::Def { name, parameters, value, .. } = &declaration.it else { return None };
            (name.it == function.it).then_some((parameters, value))
        });
        let Some((parameters, value)) = definition else {
            faults.push(self.names.scope.missing(function, &[super::place::Sort::Definition], "a definition"));
            return None;
        };
        let [parameter] = parameters.as_slice() else {
            let fault = Diagnostic::new(Code::TypeMismatch, format!("`{}` must take one value", function.it), function.span);
            faults.push(fault.with_help(format!("write `def {}(r: {}) = …;`", function.it, attribute.it)));
            return None;
        };
        let kind = self.piece.attributes.get(id?)?.kind;
        let names = Names { local: Some((parameter.name.it.as_str(), kind)), ..self.names };
        let points = names.constant(value, Type::Number, faults)?;
        let mut free = true;
        points.walk(&mut |part| free &= !matches!(&*part.node, super::constant::Node::Parameter(_) | super::constant::Node::Option(_)));
        if !free {
            let fault = Diagnostic::new(Code::NotConstant, "points cannot depend on parameters or options", value.span);
            faults.push(fault.with_label(function.span, "summed here").with_help("write two keys, each under its condition"));
            return None;
        }
        let mut sums = Vec::new();
        for value in (0..ValueId::MAX).take(self.kinds().get(kind)?.members.len()) {
            match fold(&points, &super::constant::Settings::default(), Some(value)) {
                Ok(Value::Number(number)) => sums.push(number),
                Ok(Value::Truth(_) | Value::Member(_) | Value::Set(_)) => return None,
                // Perhaps no piece has it.
                Err(fault) => {
                    sums.push(0);
                    holes.push(Hole { attribute: id?, value, fault: Box::new(fault.with_label(function.span, "summed here")) });
                }
            }
        }
        Some(KeyWord::Sum { attribute: id?, points: sums })
    }
}
