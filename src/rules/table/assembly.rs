//! A table from all layers, with parameters and options still in it.

use super::code::Making;
use super::compiler::{Compiler, FamilyUse};
use super::edges::{RuleDraft, edges, undecided};
use super::kept;
use super::loose::loose_ends;
use super::mapping::{Interfaces, TableMapping, mappings};
use super::procedures::Adopted;
use super::program::{KindTable, OrderTable, Program, Undecided, Under};
use crate::diagnostic::{Code, Diagnostic};
use crate::rules::cite::{Citing, Provenance};
use crate::rules::constant::Constant;
use crate::rules::kinds::Kinds;
use crate::rules::pieces::PieceKind;
use crate::rules::place::{Sort, describe};
use crate::rules::resolve::Names;
use crate::rules::selection::{Layer, LayerKind};
use crate::syntax::tree::{self, Declaration};

/// What a rulebook says of its table, whatever the settings are.
#[derive(Clone, Debug)]
pub(in crate::rules) struct TableDraft {
    pub program: Program,
    /// For each rule of the program the conditions under which it is there.
    pub under: Vec<Under>,
    /// Rankings of one piece that expressions use, in the order of their numbers.
    pub families: Vec<FamilyUse>,
    /// How it speaks the interfaces that it implements.
    pub mappings: Vec<TableMapping>,
    /// Why no table can be opened.
    pub incomplete: Vec<Diagnostic>,
    /// Those of the rulebook, with the enumerations that stand in place.
    pub kinds: Kinds,
}

impl TableDraft {
    /// Whether some expression asks the ranking at this position of the draft.
    pub fn uses(&self, ranking: usize) -> bool {
        self.families.iter().any(|family| family.ranking == ranking)
    }
}

/// Whether any layer speaks of a table.
fn has_table(layers: &[Layer<'_>]) -> bool {
    let speaks = |declaration: &Declaration| {
        let sort = describe(declaration).name.map(|(_, sort)| sort);
        matches!(declaration, Declaration::Seats { .. } | Declaration::VoidRestores { .. } | Declaration::Adopt { .. })
            || matches!(
                sort,
                Some(
                    Sort::Place
                        | Sort::Account
                        | Sort::Tally
                        | Sort::Role
                        | Sort::Fact
                        | Sort::Question
                        | Sort::Event
                        | Sort::Right
                        | Sort::Signal
                        | Sort::Breach
                        | Sort::Action
                        | Sort::Procedure
                        | Sort::Rule
                )
            )
    };
    layers.iter().flat_map(|layer| &layer.declarations).any(|declaration| speaks(&declaration.it))
}

/// Compiles whatever the layers say of a table; nothing if they say nothing.
pub(in crate::rules) fn table<'d>(
    layers: &'d [Layer<'d>],
    names: Names<'d>,
    pieces: &'d [PieceKind],
    citing: Citing<'d>,
    interfaces: &Interfaces<'_>,
    faults: &mut Vec<Diagnostic>,
) -> Option<TableDraft> {
    if !has_table(layers) {
        return None;
    }
    let mut making = Making::new(Compiler::new(layers, names, pieces, citing));
    let adopted = making.adopted(layers);
    let mut program = Program { procedures: making.procedures(), ..Program::default() };
    making.place_phases(&mut program.procedures);
    making.lines(layers, &adopted, &mut program);
    let parts = making.compiler.declared();
    (program.places, program.accounts, program.tallies) = (parts.places, parts.accounts, parts.tallies);
    (program.roles, program.facts, program.questions) = (parts.roles, parts.facts, parts.questions);
    program.hooks = making.hooks();
    let (mut drafts, under) = making.rules(layers, &adopted);
    edges(&mut drafts, &mut making.compiler);
    program.undecided = making.undecided(layers, &drafts);
    program.rules = drafts.into_iter().map(|draft| draft.rule).collect();
    making.compiler.check_acts();
    program.names = making.compiler.log_names();
    program.roots = making.roots();
    making.rings();
    making.never_open(&program.procedures);
    making.unadopted(layers, &adopted);
    let declarations = layers.iter().flat_map(|layer| &layer.declarations);
    let implements: Vec<&tree::Implements> = declarations
        .filter_map(|declaration| if let Declaration::Implements(implements) = &declaration.it { Some(implements) } else { None })
        .collect();
    let mappings = mappings(&mut making.compiler, &program, &implements, interfaces);
    program.definitions = making.compiler.all_definitions().unwrap_or_default();
    let Making { compiler, sources, .. } = making;
    let Compiler { kinds, queries, families, faults: mut found, incomplete, .. } = compiler;
    program.sources = sources;
    program.queries = queries;
    kept::note(&mut program);
    program.kinds = kind_tables(&kinds);
    program.orders = order_tables(&kinds);
    // With a part missing nobody can tell what is asked for.
    if found.is_empty() && incomplete.is_empty() {
        loose_ends(&program, layers, &mut found);
    }
    faults.append(&mut found);
    Some(TableDraft { program, under, families, mappings, incomplete, kinds })
}

fn kind_tables(kinds: &Kinds) -> Vec<KindTable> {
    let table = |kind: &crate::rules::kinds::Kind| KindTable {
        name: kind.name.clone(),
        members: kind.names().map(str::to_owned).collect(),
        written: kind
            .members
            .iter()
            .map(|member| member.written.iter().min_by_key(|text| text.chars().count()).unwrap_or(&member.name).clone())
            .collect(),
    };
    kinds.kinds.iter().map(table).collect()
}

fn order_tables(kinds: &Kinds) -> Vec<OrderTable> {
    let table = |order: &crate::rules::kinds::Order| {
        let members = kinds.get(order.kind).map_or(0, |kind| kind.members.len());
        let height =
            |value: usize| order.ascending.iter().position(|other| usize::from(*other) == value).and_then(|height| u8::try_from(height).ok());
        OrderTable { name: order.name.clone(), kind: order.kind, heights: (0..members).map(|value| height(value).unwrap_or(0)).collect() }
    };
    kinds.orders.iter().map(table).collect()
}

impl<'d> Making<'d> {
    /// What `adopt` lines name, each with what its line says of it.
    fn adopted(&mut self, layers: &'d [Layer<'d>]) -> Adopted {
        let mut found = Adopted::new();
        for layer in layers {
            for declaration in &layer.declarations {
                let Declaration::Adopt { names, tags } = &declaration.it else { continue };
                for name in names {
                    match self.compiler.names.scope.sort(&name.it) {
                        Some(Sort::Rule | Sort::Procedure) => found.push((name.it.clone(), self.cite(layer, name.span, tags), name.span)),
                        Some(_) | None => {
                            let fault = self.compiler.names.scope.missing(name, &[Sort::Rule, Sort::Procedure], "a stock rule or a procedure");
                            self.compiler.faults.push(fault);
                        }
                    }
                }
            }
        }
        found
    }

    /// Seats, what a voided procedure restores, and who cites for a library's procedure.
    fn lines(&mut self, layers: &'d [Layer<'d>], adopted: &Adopted, program: &mut Program) {
        for layer in layers {
            for declaration in &layer.declarations {
                if let Declaration::Seats { least, most, tags } = &declaration.it {
                    let from = self.cite(layer, declaration.span, tags);
                    self.seats(least, most.as_ref(), from, program);
                } else if let Declaration::VoidRestores { procedure, restores, tags } = &declaration.it {
                    let from = self.cite(layer, declaration.span, tags);
                    self.restores(procedure, restores, from, &mut program.procedures);
                }
            }
        }
        for (name, from, _) in adopted {
            if let Some(procedure) = program.procedures.iter_mut().find(|procedure| procedure.name == *name) {
                procedure.from = from.clone();
            }
        }
    }

    /// An upper layer may say anew how many can sit.
    fn seats(&mut self, least: &tree::Number, most: Option<&tree::Number>, from: Provenance, program: &mut Program) {
        let most = most.unwrap_or(least);
        let number = |number: &tree::Number| u8::try_from(number.it).ok().filter(|number| (1..=8).contains(number));
        let (Some(fewest), Some(all)) = (number(least), number(most)) else {
            let place = least.span.to(most.span);
            self.compiler.faults.push(Diagnostic::new(Code::OutOfRange, "a table has 1 to 8 seats", place));
            return;
        };
        if fewest > all {
            let place = least.span.to(most.span);
            let fault = Diagnostic::new(Code::OutOfRange, format!("{fewest} is more than {all}"), place);
            self.compiler.faults.push(fault.with_help(format!("write `seats {all} to {fewest};`")));
            return;
        }
        if let Some((_, _, other)) = &program.seats
            && other.layer == from.layer
        {
            let fault = Diagnostic::new(Code::Overlap, "two lines say how many may sit", from.span);
            self.compiler.faults.push(fault.with_label(other.span, "the other line").with_help("take out one of them"));
        }
        program.seats = Some((fewest, all, from));
    }

    /// Every rule that is in force under some settings, and the conditions of each.
    fn rules(&mut self, layers: &'d [Layer<'d>], adopted: &Adopted) -> (Vec<RuleDraft<'d>>, Vec<Vec<Constant>>) {
        let (mut drafts, mut under) = (Vec::new(), Vec::new());
        let library_alone = layers.iter().all(|layer| layer.kind == LayerKind::Library);
        for (index, layer) in layers.iter().enumerate() {
            for declaration in &layer.declarations {
                let Declaration::Rule(rule) = &declaration.it else { continue };
                let adopting = adopted.iter().find(|(name, ..)| *name == rule.name.it);
                let from = match adopting {
                    Some((_, _, place)) if !rule.stock => {
                        let message = format!("the rule `{}` is in force without being adopted", rule.name.it);
                        let fault = Diagnostic::new(Code::WrongKind, message, *place).with_label(rule.name.span, "it is no stock rule");
                        self.compiler.faults.push(fault.with_help("take it out of the `adopt` line"));
                        continue;
                    }
                    Some((_, from, _)) => from.clone(),
                    None if rule.stock && !library_alone => continue,
                    None => self.cite(layer, declaration.span, &rule.tags),
                };
                let when = match &rule.under {
                    Some(when) => self.constant(when),
                    None => Some(Vec::new()),
                };
                if let (Some(made), Some(when)) = (self.rule(layer, rule, from), when) {
                    drafts.push(RuleDraft { rule: made, written: rule, layer: index });
                    under.push(when);
                }
            }
        }
        (drafts, under)
    }

    fn constant(&mut self, when: &tree::Expr) -> Option<Vec<Constant>> {
        self.compiler.names.condition(when, &mut self.compiler.faults).map(|when| vec![when])
    }

    fn undecided(&mut self, layers: &'d [Layer<'d>], drafts: &[RuleDraft<'_>]) -> Vec<Undecided> {
        let mut found = Vec::new();
        for layer in layers {
            for declaration in &layer.declarations {
                let Declaration::Undecided { one, other, why, tags } = &declaration.it else { continue };
                let from = self.cite(layer, declaration.span, tags);
                let pair = undecided(one, other, drafts, &mut self.compiler);
                found.extend(pair.map(|(one, other)| Undecided { one, other, why: why.it.clone(), from }));
            }
        }
        found
    }

    /// Stock rules that nobody adopts are read, so that what is wrong with them is told, and not kept.
    fn unadopted(&mut self, layers: &'d [Layer<'d>], adopted: &Adopted) {
        if layers.iter().all(|layer| layer.kind == LayerKind::Library) {
            return;
        }
        // Definitions are kept, whoever needs them first: what they ask for must not be taken out again.
        self.compiler.need_definitions();
        let (queries, families, sources, calls) = (self.compiler.queries.len(), self.compiler.families.len(), self.sources.len(), self.calls.len());
        for layer in layers {
            for declaration in &layer.declarations {
                if let Declaration::Rule(rule) = &declaration.it
                    && rule.stock
                    && !adopted.iter().any(|(name, ..)| *name == rule.name.it)
                {
                    let from = self.cite(layer, declaration.span, &rule.tags);
                    self.rule(layer, rule, from);
                }
            }
        }
        self.compiler.queries.truncate(queries);
        self.compiler.families.truncate(families);
        self.sources.truncate(sources);
        self.calls.truncate(calls);
    }
}
