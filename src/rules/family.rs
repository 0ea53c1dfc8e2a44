//! Rankings with parameters, which order nothing until the parameters are known at the table. Clause 7.1.

use super::advice::all_of;
use super::kinds::KindId;
use super::lines::RankingDraft;
use super::pieces::PieceKind;
use super::place::Sort;
use super::resolve::Names;
use super::scope::unknown;
use super::weave::RuledRanking;
use crate::diagnostic::{Code, Diagnostic};
use crate::ranking::{Domain, OnePieceTable, Term, ValueId};
use crate::source::Span;
use crate::syntax::tree::{self, Name, ParameterDomain, TypeKind};

/// One parameter of a ranking: `led: suit`, `trump: maybe suit`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FamilyParameter {
    pub name: String,
    pub kind: KindId,
    /// It may be `none`, which fits no piece.
    pub maybe: bool,
    /// Names of the values that it may be, in the order of its kind.
    pub values: Vec<String>,
    pub span: Span,
}

/// A ranking with parameters in force: one ranking for every way to fill them. The order of the classes is the same in all.
#[derive(Clone, Debug)]
pub struct RankingFamily {
    pub name: String,
    /// Position of its pack in the rulebook.
    pub pack: usize,
    pub parameters: Vec<FamilyParameter>,
    /// The ranking with its parameters where values will stand.
    pub template: RuledRanking<Term>,
}

impl FamilyParameter {
    /// What the parameter may be.
    pub fn domain(&self) -> Domain {
        Domain { values: u8::try_from(self.values.len()).unwrap_or(u8::MAX), maybe: self.maybe }
    }
}

impl RankingFamily {
    pub(super) fn new(template: RuledRanking<Term>, parameters: Vec<FamilyParameter>) -> RankingFamily {
        RankingFamily { name: template.name.clone(), pack: template.pack, parameters, template }
    }

    /// The ranking under these arguments, in the order of the parameters. An argument that is missing is `none`; `none` fits no piece.
    pub fn instance(&self, arguments: &[Option<ValueId>]) -> RuledRanking {
        self.template.fill(arguments)
    }

    /// What each parameter may be.
    pub fn domains(&self) -> Vec<Domain> {
        self.parameters.iter().map(FamilyParameter::domain).collect()
    }

    /// How single pieces stand to each other under all arguments; `None` if it compares no single pieces. One that compares nothing else always
    /// has a table.
    pub fn one_piece_table(&self) -> Option<OnePieceTable> {
        self.template.model.one_piece_table(&self.domains())
    }

    /// ``"`led = v` and `trump = none`"``
    pub(super) fn describe(&self, arguments: &[Option<ValueId>]) -> String {
        let one = |(parameter, argument): (&FamilyParameter, &Option<ValueId>)| {
            let value = argument.and_then(|value| parameter.values.get(usize::from(value)));
            format!("{} = {}", parameter.name, value.map_or("none", String::as_str))
        };
        let each: Vec<String> = self.parameters.iter().zip(arguments).map(one).collect();
        all_of(each.iter().map(String::as_str))
    }

    /// The fault of asking for the ranking without saying what its parameters are.
    pub(super) fn not_alone(&self) -> Diagnostic {
        let parameters = all_of(self.parameters.iter().map(|parameter| parameter.name.as_str()));
        let verb = if self.parameters.len() == 1 { "is" } else { "are" };
        Diagnostic::without_place(Code::NoRanking, format!("`{}` orders nothing until its {parameters} {verb} known, at the table", self.name))
    }
}

/// Types of the language that are no kinds.
const BUILT_IN: [&str; 3] = ["number", "truth", "seat"];

/// The parameters of a ranking. `None` if one of them cannot be understood.
pub(super) fn parameters(
    ranking: &tree::Ranking,
    piece: &PieceKind,
    names: &Names<'_>,
    faults: &mut Vec<Diagnostic>,
) -> Option<Vec<FamilyParameter>> {
    let mut read: Vec<FamilyParameter> = Vec::new();
    let mut sound = true;
    for parameter in &ranking.parameters {
        let name = &parameter.name;
        if let Some(first) = read.iter().find(|other| other.name == name.it) {
            let fault = Diagnostic::new(Code::DuplicateName, format!("`{}` stands twice among the parameters", name.it), name.span);
            faults.push(fault.with_label(first.span, "here first"));
            sound = false;
            continue;
        }
        sound &= is_no_value(name, piece, names, faults);
        match kind_of(parameter, names, faults).and_then(|(kind, maybe)| Some((kind, names.kinds.get(kind)?, maybe))) {
            Some((id, kind, maybe)) => {
                let values = kind.names().map(str::to_owned).collect();
                read.push(FamilyParameter { name: name.it.clone(), kind: id, maybe, values, span: name.span });
            }
            None => sound = false,
        }
    }
    sound.then_some(read)
}

/// Where a value is wanted, a parameter may stand as well: one name must not mean both.
fn is_no_value(name: &Name, piece: &PieceKind, names: &Names<'_>, faults: &mut Vec<Diagnostic>) -> bool {
    for attribute in &piece.attributes {
        let Some(kind) = names.kinds.get(attribute.kind) else { continue };
        if let Some(value) = kind.members.iter().find(|member| member.name == name.it) {
            let fault = Diagnostic::new(Code::DuplicateName, format!("`{}` is a value of `{}` already", name.it, attribute.name), name.span);
            faults.push(fault.with_label(value.span, "declared here").with_help("in a pattern nobody could tell which of the two is meant"));
            return false;
        }
    }
    true
}

/// The kind of a parameter, and whether it may be `none`.
fn kind_of(parameter: &tree::Parameter, names: &Names<'_>, faults: &mut Vec<Diagnostic>) -> Option<(KindId, bool)> {
    let written = match &parameter.domain {
        ParameterDomain::Type(written) => written,
        ParameterDomain::In(_) => {
            faults.push(no_kind(parameter.name.span));
            return None;
        }
    };
    let (named, maybe) = match &*written.it {
        TypeKind::Maybe(of) => (of, true),
        TypeKind::Named(_)
        | TypeKind::Set(_)
        | TypeKind::List(_)
        | TypeKind::Enum(_)
        | TypeKind::ClassOf(_)
        | TypeKind::RankingOf(_)
        | TypeKind::EntryOf(_)
        | TypeKind::HeadingOf(_)
        | TypeKind::Account
        | TypeKind::Range(..) => (written, false),
    };
    let TypeKind::Named(name) = &*named.it else {
        faults.push(no_kind(named.span));
        return None;
    };
    let kind = names.kinds.kind(name).or_else(|| names.kinds.order(name).map(|order| order.kind));
    if kind.is_none() {
        match names.scope.sort(name) {
            // What is wrong with its declaration has been said.
            Some(Sort::Kind | Sort::Scale) => {}
            None if !BUILT_IN.contains(&name.as_str()) => {
                let sorts = [Sort::Kind, Sort::Scale];
                faults.push(unknown(&Name::new(name.clone(), named.span), "a kind or a scale", names.scope.of_sorts(&sorts)));
            }
            Some(_) | None => faults.push(no_kind(named.span)),
        }
    }
    Some((kind?, maybe))
}

fn no_kind(place: Span) -> Diagnostic {
    Diagnostic::new(Code::TypeMismatch, "a parameter of a ranking is a value of a kind or a scale, or `maybe` one", place)
        .with_help("it stands in patterns, where values of pieces are wanted")
}

/// A ranking is made ready for every way to fill its parameters. Clause 11.2.
pub(super) fn too_many(draft: &RankingDraft) -> Option<Diagnostic> {
    let domains: Vec<Domain> = draft.parameters.iter().map(FamilyParameter::domain).collect();
    let combinations = Domain::combinations(&domains);
    (combinations > OnePieceTable::MOST).then(|| {
        let message =
            format!("the parameters of `{}` can be filled in {combinations} ways, and at most {} are tabled", draft.name.it, OnePieceTable::MOST);
        Diagnostic::new(Code::OutOfRange, message, draft.name.span).with_help("fewer parameters, or kinds with fewer values, make fewer ways")
    })
}

/// Parameters that no line of any layer names.
pub(super) fn unused(draft: &RankingDraft) -> Vec<Diagnostic> {
    let mut used = vec![false; draft.parameters.len()];
    draft.each_value(&mut |term| {
        if let Term::Parameter(at) = term
            && let Some(used) = used.get_mut(*at)
        {
            *used = true;
        }
    });
    let idle = draft.parameters.iter().zip(used).filter(|(_, used)| !used);
    let fault = |parameter: &FamilyParameter| {
        let message = format!("nothing in `{}` depends on `{}`", draft.name.it, parameter.name);
        Diagnostic::new(Code::UnusedParameter, message, parameter.span).with_help("take it out, or name it where a pattern wants a value")
    };
    idle.map(|(parameter, _)| fault(parameter)).collect()
}
