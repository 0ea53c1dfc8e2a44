//! A checked rulebook: nothing in it is unresolved, and its settings are folded.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::class_kinds;
use super::constant::Settings;
use super::draft::Draft;
use super::family::{FamilyParameter, RankingFamily};
use super::judge::{judge, judge_family};
use super::kinds::{Kind, KindId};
use super::lines::RankingDraft;
use super::notation::{Card, Notation};
use super::pieces::{PieceKind, deck};
use super::selection::LayerKind;
use super::settings::{Overrides, Setting, kind_of, settle};
use super::table::mapping::{TableMapping, folded};
use super::table::program::{Family, Program};
use super::table::settled::settled;
use super::weave::{RuledRanking, weave};
use crate::diagnostic::Diagnostic;
use crate::ranking::{Deck, Term};
use crate::source::Span;
use crate::syntax::tree::Implements;

/// A rulebook or a house with its amendments, under the settings in force.
#[derive(Clone, Debug)]
pub struct Rulebook {
    pub name: String,
    pub title: String,
    /// The rulebook at the bottom and the houses between, lowest first; the selected one last.
    pub chain: Vec<String>,
    /// Every layer, lowest first.
    pub layers: Vec<(String, LayerKind)>,
    pub settings: Vec<Setting>,
    /// One for each kind of piece.
    pub packs: Vec<Pack>,
    /// Those without parameters.
    pub rankings: Vec<RuledRanking>,
    /// Those with parameters, which order nothing until the parameters are known. Clause 7.1.
    pub families: Vec<RankingFamily>,
    /// What the engine runs; `None`: the rulebook says nothing of a table, or [`Rulebook::table_faults`] says why none can be opened.
    pub table: Option<Program>,
    /// How its table speaks the interfaces that it implements.
    pub table_mappings: Vec<TableMapping>,
    /// Constructs of its table that are specified and not built yet.
    pub table_faults: Vec<Diagnostic>,
    pub(super) values: Settings,
    pub(super) kinds: Vec<Kind>,
    /// Every parameter and the kind of its values, if they have one.
    pub(super) parameter_kinds: Vec<(String, Option<KindId>)>,
    pub(super) implements: Vec<Implements>,
}

/// The pieces of one kind: which are in use, and how they are written.
#[derive(Clone, Debug)]
pub struct Pack {
    pub piece: String,
    pub deck: Deck,
    pub notation: Notation,
}

impl Rulebook {
    /// The ranking of that name; without a name the only one. Rankings with parameters are not among them.
    pub fn ranking(&self, name: Option<&str>) -> Option<&RuledRanking> {
        match (name, self.rankings.as_slice()) {
            (Some(name), rankings) => rankings.iter().find(|ranking| ranking.name == name),
            (None, [only]) => Some(only),
            // Which of several stands first means nothing (clause 2.4).
            (None, _) => None,
        }
    }

    /// Every kind and the ways to write its members; a kind's number is its place here.
    pub fn kinds(&self) -> &[Kind] {
        &self.kinds
    }

    /// The ranking with parameters of that name.
    pub fn family(&self, name: &str) -> Option<&RankingFamily> {
        self.families.iter().find(|family| family.name == name)
    }

    /// What is wrong with its rankings under the settings in force: ragged keys, classes that nothing can have, and the like.
    pub fn faults(&self) -> Vec<Diagnostic> {
        self.rankings.iter().flat_map(judge).chain(self.families.iter().flat_map(judge_family)).collect()
    }

    /// Reads one card of the first kind of piece.
    ///
    /// # Errors
    /// `unreadable-card` or `not-in-pack`.
    pub fn read_card(&self, written: &str, span: Span) -> Result<Card, Box<Diagnostic>> {
        match self.packs.first() {
            Some(pack) => pack.notation.read(&pack.deck, written, span),
            None => Err(Box::new(Diagnostic::new(crate::diagnostic::Code::UnreadableCard, "this rulebook has no pieces", span))),
        }
    }
}

/// What a table needs of the rankings under the settings in force.
#[derive(Debug, Default)]
pub(super) struct Used {
    /// Those that expressions use, by position in the draft.
    pub families: BTreeMap<usize, Family>,
    /// How high the classes of each stand, by the name of their kind.
    pub heights: Vec<(String, Vec<u8>)>,
}

impl Used {
    fn note(&mut self, used: Option<usize>, draft: &RankingDraft, piece: &PieceKind, woven: &RuledRanking<Term>) {
        let heights = class_kinds::heights(draft, woven);
        if let Some(at) = used {
            let domains = draft.parameters.iter().map(FamilyParameter::domain).collect();
            let declared: Vec<(&str, u8)> = draft.declared.iter().map(|declared| declared.name.as_str()).zip(heights.iter().copied()).collect();
            let attributes = piece.attributes.iter().map(|attribute| attribute.kind).collect();
            self.families.insert(at, Family::new(woven.pack, domains, &declared, attributes, Arc::new(woven.model.clone())));
        }
        self.heights.push((class_kinds::name_of(&draft.name.it), heights));
    }
}

/// Folds a draft under its own settings, or under a situation that the checker tries. `None` if an error was found.
pub(super) fn fold(draft: &Draft, overrides: &Overrides, faults: &mut Vec<Diagnostic>) -> Option<Rulebook> {
    let before = faults.len();
    let (values, settings) = settle(draft, overrides, faults)?;
    let mut packs = Vec::new();
    for (index, piece) in draft.pieces.iter().enumerate() {
        let deck = deck(index, piece, &draft.pack, &draft.kinds, &values, faults);
        packs.push(Pack { piece: piece.name.clone(), deck, notation: Notation::of(piece, &draft.kinds) });
    }
    let (mut rankings, mut families, mut used) = (Vec::new(), Vec::new(), Used::default());
    for (at, ranking) in draft.rankings.iter().enumerate() {
        let (Some(piece), Some(pack)) = (draft.pieces.get(ranking.piece), packs.get(ranking.piece)) else { continue };
        let woven = weave(ranking, piece, &pack.deck, &values, faults);
        if let (Some(table), Some(woven)) = (&draft.table, &woven) {
            used.note(table.uses(at).then_some(at), ranking, piece, woven);
        }
        if ranking.parameters.is_empty() {
            rankings.extend(woven.map(|woven| woven.fill(&[])));
        } else {
            families.extend(woven.map(|woven| RankingFamily::new(woven, ranking.parameters.clone())));
        }
    }
    let program = draft.table.as_ref().map(|table| settled(table, &values, &packs, &used, faults));
    let table_mappings = draft.table.as_ref().zip(program.as_ref()).map(|(table, program)| folded(&table.mappings, &values, &program.orders));
    let table_faults = draft.table.as_ref().map(|table| table.incomplete.clone()).unwrap_or_default();
    if faults.get(before..).is_some_and(|found| found.iter().any(Diagnostic::is_error)) {
        return None;
    }
    Some(Rulebook {
        name: draft.name.clone(),
        title: draft.title.clone(),
        chain: draft.chain.clone(),
        layers: draft.layers.clone(),
        settings,
        packs,
        rankings,
        families,
        table: program.filter(|_| table_faults.is_empty()),
        table_mappings: table_mappings.unwrap_or_default(),
        table_faults,
        values,
        kinds: draft.kinds.kinds.clone(),
        parameter_kinds: draft.parameters.iter().map(|parameter| (parameter.name.clone(), kind_of(parameter.found))).collect(),
        implements: draft.implements.clone(),
    })
}
