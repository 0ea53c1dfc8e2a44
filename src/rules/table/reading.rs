//! From declarations to signatures.

use std::collections::BTreeMap;

use super::super::kinds::{KindId, Kinds, headings_of};
use super::super::pieces::PieceKind;
use super::super::place::{Sort, describe};
use super::super::resolve::Names;
use super::super::scope::unknown;
use super::super::selection::Layer;
use super::program::{Cells, Index, Life, LogSort, ProcedureSort, Type};
use super::signatures::{AccountShape, Declared, DefinitionShape, FactShape, HookShape, HookWritten, LogShape, Meaning, PlaceShape, ProcedureShape};
use super::signatures::{Parameters, QuestionShape, RankingShape, RoleShape, Signatures, Source, Takes, TallyShape};
use super::sites::Walk;
use super::written::Types;
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;
use crate::syntax::tree::{self, Declaration, Name, RankingSize, Tags};

impl<'d> Signatures<'d> {
    /// Reads every layer. Enumerations in place are added to the kinds.
    pub fn read(layers: &'d [Layer<'d>], names: &Names<'_>, kinds: &mut Kinds, pieces: &[PieceKind], faults: &mut Vec<Diagnostic>) -> Signatures<'d> {
        let tallies = tally_names(layers);
        let types = Types { names, kinds, pieces, tallies: &tallies, faults };
        let found = Signatures { tally_names: tallies.clone(), ..Signatures::default() };
        let mut reader = Reader { types, found, cells: Counted::default() };
        for layer in layers {
            for declaration in &layer.declarations {
                reader.first(Speaking { layer, declaration: &declaration.it, span: declaration.span });
            }
        }
        reader.scripts(layers);
        for layer in layers {
            for declaration in &layer.declarations {
                reader.lives(Speaking { layer, declaration: &declaration.it, span: declaration.span });
            }
        }
        reader.found
    }
}

/// The tallies in the order in which they get their numbers.
fn tally_names<'d>(layers: &'d [Layer<'d>]) -> Vec<&'d str> {
    let declarations = layers.iter().flat_map(|layer| &layer.declarations);
    let tally =
        |declaration: &'d tree::At<Declaration>| if let Declaration::Tally(tally) = &declaration.it { Some(tally.name.it.as_str()) } else { None };
    declarations.filter_map(|declaration| tally(declaration)).collect()
}

/// A declaration of a layer.
#[derive(Clone, Copy)]
struct Speaking<'d> {
    layer: &'d Layer<'d>,
    declaration: &'d Declaration,
    span: Span,
}

impl<'d> Speaking<'d> {
    fn of<T>(self, name: &'d Name, tags: &'d Tags, it: T) -> Declared<'d, T> {
        Declared { name, layer: self.layer, span: self.span, tags, it }
    }
}

/// Cells handed out so far, by sort.
#[derive(Default)]
struct Counted {
    places: usize,
    accounts: usize,
    tallies: usize,
    facts: usize,
}

struct Reader<'r, 'd> {
    types: Types<'r>,
    found: Signatures<'d>,
    cells: Counted,
}

impl<'d> Reader<'_, 'd> {
    fn mean(&mut self, name: &'d Name, meaning: Meaning) {
        // The same name twice is complained about by the scope; the first one counts.
        self.found.meanings.entry(&name.it).or_insert(meaning);
    }

    /// Everything whose signature needs no other.
    fn first(&mut self, at: Speaking<'d>) {
        self.vocabulary(at);
        let declaration = at.declaration;
        if let Declaration::Place(place) = declaration {
            self.place(at, place);
        } else if let Declaration::Account(account) = declaration {
            self.account(at, account);
        } else if let Declaration::Role { name, kind, initial, tags } = declaration {
            let kind = kind.as_ref().map_or(Some(Type::Seat), |kind| self.types.read(kind)).unwrap_or(Type::BROKEN);
            self.mean(name, Meaning::Role(self.found.roles.len()));
            self.found.roles.push(at.of(name, tags, RoleShape { kind, first: initial.as_ref() }));
        } else if let Declaration::Event(event) = declaration {
            self.hook(at, &event.name, &event.tags, &event.parameters, HookWritten::Event(event));
        } else if let Declaration::Right(right) = declaration {
            self.hook(at, &right.name, &right.tags, &right.parameters, HookWritten::Right(right));
        } else if let Declaration::Signal { name, parameters, tags } = declaration {
            self.hook(at, name, tags, parameters, HookWritten::Signal(parameters));
        } else if let Declaration::Breach { name, parameters, tags } = declaration {
            let parameters = self.types.parameters(parameters);
            self.log(at.of(name, tags, LogSort::Breach), Takes::Declared(parameters));
        } else if let Declaration::Action { name, parameters, tags, body } = declaration {
            self.procedure(at.of(name, tags, ()), parameters, body, ProcedureSort::Action);
        } else if let Declaration::Procedure { name, parameters, tags, body } = declaration {
            self.procedure(at.of(name, tags, ()), parameters, body, ProcedureSort::Procedure);
        }
    }

    /// Kinds, questions, definitions, rankings.
    fn vocabulary(&mut self, at: Speaking<'d>) {
        let declaration = at.declaration;
        if let Some((name, Sort::Kind | Sort::Scale)) = describe(declaration).name {
            if let Some(kind) = self.kind(&name.it) {
                self.mean(name, Meaning::Kind(kind));
            }
        } else if let Declaration::Question { name, parameters, answer, otherwise, tags } = declaration {
            let parameters = self.types.parameters(parameters);
            let answer = self.types.read(answer).unwrap_or(Type::BROKEN);
            self.mean(name, Meaning::Question(self.found.questions.len()));
            self.found.questions.push(at.of(name, tags, QuestionShape { parameters, answer, otherwise: otherwise.as_ref() }));
        } else if let Declaration::Def { name, parameters, value, tags } = declaration {
            let parameters = self.types.parameters(parameters);
            self.mean(name, Meaning::Definition(self.found.definitions.len()));
            self.found.definitions.push(at.of(name, tags, DefinitionShape { parameters, value }));
        } else if let Declaration::Ranking(ranking) = declaration {
            self.ranking(at, ranking);
        }
    }

    fn kind(&self, name: &str) -> Option<KindId> {
        self.types.kinds.kind(name).or_else(|| self.types.kinds.order(name).map(|order| order.kind))
    }

    fn place(&mut self, at: Speaking<'d>, place: &'d tree::Place) {
        if place.amends {
            match self.found.places.iter_mut().find(|known| known.name.it == place.name.it) {
                Some(known) => known.it.seen = place.seen.as_ref(),
                None => self.types.faults.push(self.types.names.scope.missing(&place.name, &[Sort::Place], "a place")),
            }
            return;
        }
        let indices = self.indices(&place.of);
        let cells = laid_behind(&mut self.cells.places, indices, 0);
        self.mean(&place.name, Meaning::Place(self.found.places.len()));
        self.found.places.push(at.of(&place.name, &place.tags, PlaceShape { cells, at_start: place.at_start, seen: place.seen.as_ref() }));
    }

    fn account(&mut self, at: Speaking<'d>, account: &'d tree::Account) {
        let joint = account.shares_by.is_some();
        let indices = match &account.shares_by {
            None => self.indices(&account.of),
            Some(by) => {
                let read = self.types.read(by);
                if read.is_some_and(|read| read != Type::Seat) {
                    let fault = Diagnostic::new(Code::TypeMismatch, "the shares of an account are those of seats", by.span);
                    self.types.faults.push(fault.with_help(format!("write `account {} by seat;`", account.name.it)));
                }
                vec![Index::Seat]
            }
        };
        // Behind the shares of the seats lies nobody's.
        let cells = laid_behind(&mut self.cells.accounts, indices, usize::from(joint));
        self.mean(&account.name, Meaning::Account(self.found.accounts.len()));
        self.found.accounts.push(at.of(&account.name, &account.tags, AccountShape { cells, joint, may_owe: account.may_owe }));
    }

    /// What a family is indexed by: seats, or a kind.
    fn indices(&mut self, of: &'d [tree::Type]) -> Vec<Index> {
        let mut indices = Vec::new();
        for written in of {
            let Some(read) = self.types.read(written) else { continue };
            if read == Type::Seat {
                indices.push(Index::Seat);
            } else if let Type::Member(kind) = read {
                indices.push(Index::Kind(kind, self.types.kinds.get(kind).map_or(0, |kind| kind.members.len())));
            } else {
                let message = format!("{} cannot say which of a family is meant", read.describe(self.types.kinds, self.types.pieces));
                let fault = Diagnostic::new(Code::TypeMismatch, message, written.span);
                self.types.faults.push(fault.with_help("there is one for each seat, or for each value of a kind"));
            }
        }
        indices
    }

    fn hook(&mut self, at: Speaking<'d>, name: &'d Name, tags: &'d Tags, parameters: &'d [tree::Parameter], written: HookWritten<'d>) {
        let sort = match written {
            HookWritten::Event(_) => LogSort::Event,
            HookWritten::Right(_) => LogSort::Right,
            HookWritten::Signal(_) => LogSort::Signal,
            HookWritten::Voided => LogSort::Voided,
        };
        let parameters = self.types.parameters(parameters);
        let log = self.log(at.of(name, tags, sort), Takes::Declared(parameters.clone()));
        self.mean(name, Meaning::Hook(self.found.hooks.len()));
        self.found.hooks.push(at.of(name, tags, HookShape { log, parameters, written }));
    }

    fn log(&mut self, at: Declared<'d, LogSort>, takes: Takes<'d>) -> usize {
        let from = Some(Source { layer: at.layer, span: at.span, tags: at.tags });
        self.found.names.push(LogShape { name: at.name.it.clone(), sort: at.it, span: Some(at.name.span), from, takes });
        self.found.names.len() - 1
    }

    fn procedure(&mut self, at: Declared<'d, ()>, written: &'d [tree::Parameter], body: &'d tree::Block, sort: ProcedureSort) {
        let parameters = self.types.parameters(written);
        self.mean(at.name, Meaning::Procedure(self.found.procedures.len()));
        let it = ProcedureShape { sort, parameters, body, outcomes: vec!["ended".to_owned(), "voided".to_owned()] };
        self.found.procedures.push(Declared { name: at.name, layer: at.layer, span: at.span, tags: at.tags, it });
    }

    fn ranking(&mut self, at: Speaking<'d>, ranking: &'d tree::Ranking) {
        let Some(piece) = self.types.pieces.iter().position(|piece| piece.name == ranking.piece.it) else { return };
        // What is wrong with its parameters is said where rankings are read.
        let before = self.types.faults.len();
        let parameters = self.types.parameters(&ranking.parameters);
        self.types.faults.truncate(before);
        let of_one = match &ranking.size {
            RankingSize::Between(least, None) => least.it == 1,
            RankingSize::Between(_, Some(_)) | RankingSize::Any => false,
        };
        self.mean(&ranking.name, Meaning::Ranking(self.found.rankings.len()));
        self.found.rankings.push(at.of(&ranking.name, &ranking.tags, RankingShape { parameters, of_one, piece }));
    }
}

/// Cells behind all that were handed out before.
fn laid_behind(counted: &mut usize, indices: Vec<Index>, more: usize) -> Cells {
    let cells = Cells { first: *counted, indices };
    *counted += cells.count() + more;
    cells
}

/// What is found inside scripts, and what lives as long as a procedure.
impl<'d> Reader<'_, 'd> {
    fn scripts(&mut self, layers: &'d [Layer<'d>]) {
        let mut walk = Walk::default();
        for layer in layers {
            for declaration in &layer.declarations {
                self.script(&declaration.it, &mut walk);
                for phase in walk.phases.drain(..) {
                    self.phase(layer, &phase);
                }
            }
        }
        self.acts(walk.sites);
        for (procedure, outcomes) in walk.outcomes {
            // A procedure that is not there is complained about where it is ended.
            let Some(known) = self.found.procedures.iter_mut().find(|known| known.name.it == procedure) else { continue };
            for outcome in outcomes {
                if !known.it.outcomes.contains(&outcome.it) {
                    known.it.outcomes.push(outcome.it.clone());
                }
            }
        }
        self.found.voids = walk.voids;
        self.voided(layers);
    }

    fn script(&self, declaration: &'d Declaration, walk: &mut Walk<'d>) {
        let typed = |parameters: &Parameters, written: &'d [tree::Parameter]| -> Vec<(&'d str, Type)> {
            written.iter().zip(parameters).map(|(name, (_, kind))| (name.name.it.as_str(), kind.clone())).collect()
        };
        let hook = |name: &Name| self.found.hooks.iter().find(|hook| hook.name.it == name.it).map(|hook| &hook.it.parameters);
        if let Declaration::Procedure { name, parameters, body, .. } | Declaration::Action { name, parameters, body, .. } = declaration {
            if let Some(known) = self.found.procedures.iter().find(|known| known.name.it == name.it) {
                walk.script(typed(&known.it.parameters, parameters), body);
            }
        } else if let Declaration::Event(event) = declaration {
            if let (Some(body), Some(known)) = (&event.supposes, hook(&event.name)) {
                walk.script(typed(known, &event.parameters), body);
            }
        } else if let Declaration::Right(right) = declaration {
            if let (Some(body), Some(known)) = (&right.body, hook(&right.name)) {
                walk.script(typed(known, &right.parameters), body);
            }
        } else if let Declaration::Rule(rule) = declaration {
            let of_hook = rule.on.iter().find_map(|on| self.found.hooks.iter().find(|hook| hook.name.it == on.it));
            let scope = of_hook.map(|hook| match hook.it.written {
                HookWritten::Event(event) => typed(&hook.it.parameters, &event.parameters),
                HookWritten::Right(right) => typed(&hook.it.parameters, &right.parameters),
                HookWritten::Signal(written) => typed(&hook.it.parameters, written),
                HookWritten::Voided => Vec::new(),
            });
            walk.script(scope.unwrap_or_default(), &rule.body);
        }
    }

    /// `voided(what, cause)`: what can be voided and the causes given for it are kinds without names. Rules can be on it. Clause 5.10.
    fn voided(&mut self, layers: &'d [Layer<'d>]) {
        if let Some(other) = self.found.names.iter().find(|known| known.name == VOIDED) {
            let message = "the log keeps this name for what is voided";
            let fault = Diagnostic::new(Code::DuplicateName, message, other.span.unwrap_or_default());
            self.types.faults.push(fault.with_help("give it another name"));
            return;
        }
        let mut kind = |names: &std::collections::BTreeSet<String>| {
            let members: Vec<Name> = names.iter().map(|name| Name::new(name.clone(), Span::default())).collect();
            // Where nothing is ever voided, or no cause given, nothing can be named.
            if members.is_empty() { Type::Text } else { Type::Member(self.types.enumeration(&members, Span::default())) }
        };
        let what = kind(&self.found.voids.procedures);
        let cause = kind(&self.found.voids.causes).maybe();
        let parameters = vec![("what".to_owned(), what), ("cause".to_owned(), cause)];
        let takes = Takes::Declared(parameters.clone());
        self.found.names.push(LogShape { name: VOIDED.to_owned(), sort: LogSort::Voided, span: None, from: None, takes });
        let log = self.found.names.len() - 1;
        for layer in layers {
            for declaration in &layer.declarations {
                let Declaration::Rule(rule) = &declaration.it else { continue };
                let Some(name) = rule.on.iter().find(|on| on.it == VOIDED) else { continue };
                if !self.found.meanings.contains_key(VOIDED) {
                    self.mean(name, Meaning::Hook(self.found.hooks.len()));
                    let it = HookShape { log, parameters: parameters.clone(), written: HookWritten::Voided };
                    self.found.hooks.push(Declared { name, layer, span: name.span, tags: &NO_TAGS, it });
                }
            }
        }
    }

    /// A phase is a procedure for `during`, `since` and `per`, so it shares their space.
    fn phase(&mut self, layer: &'d Layer<'d>, phase: &super::sites::Phase<'d>) {
        if let Some(first) = self.found.procedures.iter().find(|known| known.name.it == phase.name.it) {
            let message = format!("`{}` is the name of another procedure or phase", phase.name.it);
            self.types.faults.push(Diagnostic::new(Code::DuplicateName, message, phase.name.span).with_label(first.name.span, "here first"));
            return;
        }
        let outcomes = vec!["ended".to_owned(), "voided".to_owned()];
        let it = ProcedureShape { sort: ProcedureSort::Phase, parameters: Vec::new(), body: phase.body, outcomes };
        self.found.procedures.push(Declared { name: phase.name, layer, span: phase.span, tags: phase.tags, it });
    }

    fn acts(&mut self, sites: Vec<super::sites::Site<'d>>) {
        let mut acts: BTreeMap<&'d str, Vec<super::sites::Site<'d>>> = BTreeMap::new();
        for site in sites {
            acts.entry(&site.act.it).or_default().push(site);
        }
        for (name, sites) in acts {
            let span = sites.first().map(|site| site.act.span);
            if let Some(known) = self.found.names.iter().find(|known| known.name == name) {
                let message = format!("the log could not tell the act `{name}` from what is declared under the same name");
                let fault = Diagnostic::new(Code::DuplicateName, message, span.unwrap_or_default());
                self.types.faults.push(match known.span {
                    Some(place) => fault.with_label(place, "declared here"),
                    None => fault,
                });
                continue;
            }
            self.found.names.push(LogShape { name: name.to_owned(), sort: LogSort::Act, span, from: None, takes: Takes::Offered(sites) });
        }
    }

    /// Tallies and facts, which are named after procedures.
    fn lives(&mut self, at: Speaking<'d>) {
        if let Declaration::Tally(tally) = at.declaration {
            let indices = self.indices(&tally.of);
            let cells = laid_behind(&mut self.cells.tallies, indices, 0);
            let life = self.life(&tally.life);
            let headings = if tally.headings.is_empty() { None } else { self.types.kinds.kind(&headings_of(&tally.name.it)) };
            self.mean(&tally.name, Meaning::Tally(self.found.tallies.len()));
            self.found.tallies.push(at.of(&tally.name, &tally.tags, TallyShape { cells, life, headings }));
        } else if let Declaration::Fact(fact) = at.declaration {
            let indices = self.indices(&fact.of);
            let cells = laid_behind(&mut self.cells.facts, indices, 0);
            let kind = self.types.read(&fact.kind).unwrap_or(Type::BROKEN);
            let life = self.life(&fact.life);
            let it = FactShape { cells, kind, first: fact.initial.as_ref(), life, seen: fact.seen.as_ref() };
            self.mean(&fact.name, Meaning::Fact(self.found.facts.len()));
            self.found.facts.push(at.of(&fact.name, &fact.tags, it));
        }
    }

    fn life(&mut self, name: &Name) -> Life {
        match self.found.procedure(&name.it) {
            Some(procedure) => Life::Of(procedure),
            None => {
                if name.it != EVENING {
                    let procedures = self.found.procedures.iter().map(|known| known.name.it.as_str()).chain([EVENING]);
                    self.types.faults.push(unknown(name, "a procedure, a phase or `evening`", procedures));
                }
                Life::Evening
            }
        }
    }
}

/// What the log calls it when something is voided.
const VOIDED: &str = "voided";

static NO_TAGS: Tags = Tags { cites: Vec::new(), inferred: Vec::new() };

/// The life of the whole record, unless a procedure has that name. Clause 5.15.
pub(in crate::rules) const EVENING: &str = "evening";
