//! Kinds and scales: finite sets of values, their orders, and how they are written. Clauses 3.2 to 3.4.

use std::collections::BTreeMap;

use super::place::Sort;
use super::scope::{Scope, unknown};
use super::selection::Layer;
use crate::diagnostic::{Code, Diagnostic};
use crate::ranking::ValueId;
use crate::source::Span;
use crate::syntax::tree::{Declaration, KindMark, Member, Name, Scale, ScaleOrder, ScaleShift};

/// Position in [`Kinds::kinds`].
pub type KindId = usize;

/// A finite set of values. The branches of an option and an enumeration in place are kinds as well.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kind {
    /// Empty for an enumeration in place.
    pub name: String,
    pub sort: KindSort,
    pub members: Vec<Value>,
    pub span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KindSort {
    /// Without order.
    Plain,
    /// In ascending order.
    Ordered,
    /// The branches of an option.
    Branches,
    /// The classes of a ranking, in an order that the settings decide.
    Classes,
}

/// A member of a kind and the texts that stand for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Value {
    pub name: String,
    pub written: Vec<String>,
    pub span: Span,
}

/// An order on the members of a kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Order {
    pub name: String,
    pub kind: KindId,
    pub ascending: Vec<ValueId>,
    pub also_lowest: Vec<ValueId>,
}

impl KindSort {
    /// Whether the values have a space of their own, found only by what is wanted there. Clause 2.5.
    pub fn is_apart(self) -> bool {
        matches!(self, KindSort::Branches | KindSort::Classes)
    }
}

impl Kind {
    pub fn find(&self, name: &str) -> Option<ValueId> {
        let index = self.members.iter().position(|member| member.name == name)?;
        ValueId::try_from(index).ok()
    }

    /// What a name must be that stands for a member, as messages say it.
    pub(super) fn wanted(&self) -> String {
        match self.sort {
            KindSort::Classes => format!("a {}`", self.name.replacen("class of ", "class of `", 1)),
            KindSort::Plain | KindSort::Ordered | KindSort::Branches if self.name.is_empty() => "one of the listed values".to_owned(),
            KindSort::Plain | KindSort::Ordered | KindSort::Branches => format!("a value of `{}`", self.name),
        }
    }

    pub fn name_of(&self, value: ValueId) -> &str {
        self.members.get(usize::from(value)).map_or("", |member| member.name.as_str())
    }

    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.members.iter().map(|member| member.name.as_str())
    }
}

/// All kinds and scales of a rulebook.
#[derive(Clone, Debug, Default)]
pub(super) struct Kinds {
    pub kinds: Vec<Kind>,
    pub orders: Vec<Order>,
}

/// How the scale of a tally's headings is called: a name that nobody can write.
pub(super) fn headings_of(tally: &str) -> String {
    format!("{HEADINGS}{tally}")
}

/// What stands in front of a tally's name in the name of its headings.
pub(super) const HEADINGS: &str = "heading of ";

/// No kind has more values than this. Clause 11.2.
const MOST_VALUES: usize = 255;

impl Kinds {
    pub fn of(layers: &[Layer<'_>], scope: &Scope, faults: &mut Vec<Diagnostic>) -> Kinds {
        let mut kinds = Kinds::default();
        let mut derived: Vec<&Scale> = Vec::new();
        let mut open: BTreeMap<&str, bool> = BTreeMap::new();
        for declaration in layers.iter().flat_map(|layer| &layer.declarations) {
            if let Declaration::Kind(kind) = &declaration.it {
                if kind.mark != KindMark::Extend {
                    open.insert(kind.name.it.as_str(), kind.mark == KindMark::Open);
                    kinds.add(&kind.name, KindSort::Plain, &kind.members, faults);
                }
            } else if let Declaration::Scale(scale) = &declaration.it {
                match &scale.order {
                    ScaleOrder::Members { members, also_lowest } => kinds.scale(&scale.name, members, also_lowest, faults),
                    ScaleOrder::Derived { .. } => derived.push(scale),
                }
            } else if let Declaration::Tally(tally) = &declaration.it
                && !tally.headings.is_empty()
            {
                // An earlier heading is the lesser. Clause 4.7.
                let members: Vec<Member> = tally.headings.iter().map(|name| Member { name: name.clone(), written: Vec::new() }).collect();
                kinds.scale(&Name::new(headings_of(&tally.name.it), tally.name.span), &members, &[], faults);
            }
        }
        kinds.extend(layers, scope, &open, faults);
        kinds.derive(derived, scope, faults);
        kinds
    }

    pub fn kind(&self, name: &str) -> Option<KindId> {
        self.kinds.iter().position(|kind| kind.name == name && kind.sort != KindSort::Branches)
    }

    pub fn order(&self, name: &str) -> Option<&Order> {
        self.orders.iter().find(|order| order.name == name)
    }

    pub fn get(&self, kind: KindId) -> Option<&Kind> {
        self.kinds.get(kind)
    }

    /// A kind without a name, or the branches of an option.
    pub fn add_enumeration(&mut self, name: &Name, sort: KindSort, members: &[Name], faults: &mut Vec<Diagnostic>) -> KindId {
        let members: Vec<Member> = members.iter().map(|name| Member { name: name.clone(), written: Vec::new() }).collect();
        self.add(name, sort, &members, faults);
        self.kinds.len() - 1
    }

    fn add(&mut self, name: &Name, sort: KindSort, members: &[Member], faults: &mut Vec<Diagnostic>) {
        let mut kind = Kind { name: name.it.clone(), sort, members: Vec::new(), span: name.span };
        add_members(&mut kind, members, faults);
        self.kinds.push(kind);
    }

    fn scale(&mut self, name: &Name, members: &[Member], also_lowest: &[Name], faults: &mut Vec<Diagnostic>) {
        self.add(name, KindSort::Ordered, members, faults);
        let Some(kind) = self.kinds.last() else { return };
        let ascending = (0..kind.members.len()).filter_map(|index| ValueId::try_from(index).ok()).collect();
        let mut low = Vec::new();
        for value in also_lowest {
            match kind.find(&value.it) {
                Some(value) => low.push(value),
                None => faults.push(unknown(value, "a value of this scale", kind.names())),
            }
        }
        self.orders.push(Order { name: name.it.clone(), kind: self.kinds.len() - 1, ascending, also_lowest: low });
    }

    fn extend(&mut self, layers: &[Layer<'_>], scope: &Scope, open: &BTreeMap<&str, bool>, faults: &mut Vec<Diagnostic>) {
        for declaration in layers.iter().flat_map(|layer| &layer.declarations) {
            let Declaration::Kind(kind) = &declaration.it else { continue };
            if kind.mark != KindMark::Extend {
                continue;
            }
            match (open.get(kind.name.it.as_str()), self.kinds.iter_mut().find(|other| other.name == kind.name.it)) {
                (Some(true), Some(extended)) => add_members(extended, &kind.members, faults),
                (Some(false), Some(closed)) => faults.push(
                    Diagnostic::new(Code::WrongKind, format!("the kind `{}` is closed", kind.name.it), kind.name.span)
                        .with_label(closed.span, "declared here")
                        .with_help(format!("`open kind {};` can be extended", kind.name.it)),
                ),
                (None, _) | (_, None) => faults.push(scope.missing(&kind.name, &[Sort::Kind], "an open kind")),
            }
        }
    }

    /// Scales that are made from scales, which may be made from scales themselves.
    fn derive(&mut self, mut waiting: Vec<&Scale>, scope: &Scope, faults: &mut Vec<Diagnostic>) {
        loop {
            let before = waiting.len();
            let names: Vec<&str> = waiting.iter().map(|scale| scale.name.it.as_str()).collect();
            let (ready, later): (Vec<&Scale>, Vec<&Scale>) = waiting.iter().partition(|scale| match &scale.order {
                ScaleOrder::Derived { from, .. } => !names.contains(&from.it.as_str()),
                ScaleOrder::Members { .. } => true,
            });
            for scale in ready {
                self.derive_one(scale, scope, faults);
            }
            if later.len() == before {
                for scale in later {
                    let fault = Diagnostic::new(Code::UseCycle, format!("the scale `{}` is made from itself", scale.name.it), scale.name.span);
                    faults.push(fault.with_help("a scale lists its values, or is made from one that does"));
                }
                return;
            }
            waiting = later;
        }
    }

    fn derive_one(&mut self, scale: &Scale, scope: &Scope, faults: &mut Vec<Diagnostic>) {
        let ScaleOrder::Derived { from, value, shift } = &scale.order else { return };
        let Some(base) = self.order(&from.it).cloned() else {
            // A scale that is declared and has no order has been complained about already.
            if scope.sort(&from.it) != Some(Sort::Scale) {
                faults.push(scope.missing(from, &[Sort::Scale], "a scale"));
            }
            return;
        };
        let Some(kind) = self.get(base.kind) else { return };
        let Some(moved) = kind.find(&value.it) else {
            faults.push(unknown(value, &format!("a value of `{}`", from.it), kind.names()));
            return;
        };
        let mut order = Order { name: scale.name.it.clone(), ..base };
        let others = || order.ascending.iter().copied().filter(|other| *other != moved);
        match shift {
            ScaleShift::Lowest => order.ascending = std::iter::once(moved).chain(others()).collect(),
            ScaleShift::Highest => order.ascending = others().chain(std::iter::once(moved)).collect(),
            ScaleShift::AlsoLowest if order.also_lowest.contains(&moved) => {}
            ScaleShift::AlsoLowest => order.also_lowest.push(moved),
        }
        // What stands lowest, or highest and nowhere else, no longer stands at both ends.
        if *shift != ScaleShift::AlsoLowest {
            order.also_lowest.retain(|other| *other != moved);
        }
        self.orders.push(order);
    }
}

/// Adds members; names and texts must differ within the kind, upper and lower case counting as the same.
fn add_members(kind: &mut Kind, members: &[Member], faults: &mut Vec<Diagnostic>) {
    for member in members {
        if let Some(first) = kind.members.iter().find(|other| other.name == member.name.it) {
            let message = format!("`{}` stands twice among the values", member.name.it);
            faults.push(Diagnostic::new(Code::DuplicateName, message, member.name.span).with_label(first.span, "here first"));
            continue;
        }
        let mut written: Vec<String> = Vec::new();
        for text in &member.written {
            if text.it.is_empty() || text.it.contains(|c: char| c.is_whitespace() || matches!(c, ',' | '=' | '?')) {
                let message = format!("\"{}\" cannot be written on a card", text.it);
                faults.push(
                    Diagnostic::new(Code::OutOfRange, message, text.span)
                        .with_help("a way to write a value is not empty and holds no blank, comma, `=` or `?`"),
                );
                continue;
            }
            let same = |other: &String| other.to_lowercase() == text.it.to_lowercase();
            match kind.members.iter().find(|other| other.written.iter().any(same) || same(&other.name)) {
                Some(other) => {
                    let message = format!("\"{}\" is a way to write `{}` already", text.it, other.name);
                    faults.push(Diagnostic::new(Code::DuplicateName, message, text.span).with_label(other.span, "declared here"));
                }
                None if written.iter().any(same) => {
                    faults.push(Diagnostic::new(Code::DuplicateName, format!("\"{}\" stands here twice", text.it), text.span));
                }
                None => written.push(text.it.clone()),
            }
        }
        if kind.members.len() == MOST_VALUES {
            faults.push(Diagnostic::new(Code::OutOfRange, format!("more than {MOST_VALUES} values"), member.name.span));
            return;
        }
        kind.members.push(Value { name: member.name.it.clone(), written, span: member.name.span });
    }
}
