//! Every small mistake that somebody could have made in a rulebook, by name, and whether what it leads to is a rulebook at all.
//!
//! Elements that are taken away or turned round are those of [`super::mutants`]; slips within them are those of [`super::operators`].

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Write as _};
use std::sync::Arc;

use super::catalog::Catalog;
use super::cite::Citing;
use super::draft::Draft;
use super::load::Prepared;
use super::mutants::{Element, Finder, Mutation, Part, operated};
use super::operators::{Change, Slip, edge_word, slips};
use super::place::{Sort, describe};
use super::rulebook::{Rulebook, fold};
use super::selection::{Layer, LayerKind, Selection, Stack, stack};
use super::settings::Overrides;
use super::situations::{leaves_open, situations};
use crate::diagnostic::Diagnostic;
use crate::source::Span;
use crate::syntax::print;
use crate::syntax::tree::{At, Choice, Declaration, EdgeTarget, RankingItem, Rule, ScaleOrder, Tags};

/// A rulebook with one mistake in it.
#[derive(Clone, Debug)]
pub struct Mutant {
    /// What was done, and to what; the same as long as that stands in the rulebook: ``turn `d > one` to `d >= one` in rule must-go-higher``.
    pub name: String,
    pub span: Span,
    /// Full ids of the statements that the changed element cites.
    pub cites: Vec<String>,
    /// What it changes is marked `inferred`: ours, so that no expectation can come from the book.
    pub inferred: bool,
    /// It is none of the four families that a score is of: a rule dropped, an option, an edge, a comparison the other way.
    pub thorough: bool,
    element: Element,
    mutation: Mutation,
}

/// Who stands behind an element.
#[derive(Clone, Debug, Default)]
struct Origin {
    cites: Vec<String>,
    inferred: bool,
}

/// What a mutant is, before any case has spoken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It is no rulebook: the checker finds an error under one of the settings that it covers.
    Invalid,
    /// It says the same of its table, and orders hands as the original does under every setting that the checker covers.
    Equivalent,
    Sound,
}

/// Every mutant of a rulebook, in the order of its layers: what a library says is mutated where the rulebook uses it.
pub fn mutants(catalog: &Catalog, rulebook: &str) -> Vec<Mutant> {
    let mut faults = Vec::new();
    let Some(stack) = stack(catalog, &Selection::of(rulebook), &[], &mut faults) else { return Vec::new() };
    let books = catalog.books();
    let listing = Listing { citing: Citing { books: &books }, rulebook, adopted: adopted(&stack, &Citing { books: &books }), found: Vec::new() };
    listing.all(catalog, &stack)
}

/// For each stock rule or procedure that is adopted, what stands behind the line that adopts it.
fn adopted(stack: &Stack<'_>, citing: &Citing<'_>) -> BTreeMap<String, Origin> {
    let mut adopted = BTreeMap::new();
    for layer in &stack.layers {
        for declaration in &layer.declarations {
            if let Declaration::Adopt { names, tags } = &declaration.it {
                adopted.extend(names.iter().map(|name| (name.it.clone(), origin(citing, layer, name.span, tags))));
            }
        }
    }
    adopted
}

fn origin(citing: &Citing<'_>, layer: &Layer<'_>, span: Span, tags: &Tags) -> Origin {
    let from = citing.provenance(layer, span, tags);
    Origin { cites: from.cites.into_iter().map(|citation| citation.id).collect(), inferred: !from.inferred.is_empty() }
}

struct Listing<'l> {
    citing: Citing<'l>,
    rulebook: &'l str,
    adopted: BTreeMap<String, Origin>,
    found: Vec<Mutant>,
}

impl Listing<'_> {
    fn all(mut self, catalog: &Catalog, stack: &Stack<'_>) -> Vec<Mutant> {
        let used = self.used(catalog, stack);
        let (below, above): (Vec<&Layer<'_>>, Vec<&Layer<'_>>) = stack.layers.iter().partition(|layer| layer.kind == LayerKind::Library);
        for layer in above.into_iter().chain(below) {
            for declaration in &layer.declarations {
                let mine = layer.kind != LayerKind::Library || describe(&declaration.it).name.is_some_and(|(name, _)| used.contains(&name.it));
                if mine {
                    self.declaration(layer, declaration);
                }
            }
        }
        let mut times: BTreeMap<String, usize> = BTreeMap::new();
        for mutant in &mut self.found {
            let time = times.entry(mutant.name.clone()).or_insert(0);
            *time += 1;
            if *time > 1 {
                write!(mutant.name, " ({time})").unwrap_or_default();
            }
        }
        self.found
    }

    /// Names of what the rulebook uses of its libraries, by way of others too. A word that only looks like a name does no harm.
    fn used(&self, catalog: &Catalog, stack: &Stack<'_>) -> BTreeSet<String> {
        let words = |declaration: &At<Declaration>| -> Vec<String> {
            let text = catalog.sources().snippet(declaration.span);
            let code = text.lines().map(|line| line.split('#').next().unwrap_or(""));
            code.flat_map(|line| line.split(|sign: char| !(sign.is_alphanumeric() || sign == '-'))).map(str::to_owned).collect()
        };
        let mut open: Vec<String> = Vec::new();
        let mut of_libraries: BTreeMap<&str, Vec<&At<Declaration>>> = BTreeMap::new();
        for layer in &stack.layers {
            for declaration in &layer.declarations {
                let Some((name, _)) = describe(&declaration.it).name.filter(|_| layer.kind == LayerKind::Library) else {
                    if layer.kind != LayerKind::Library {
                        open.extend(words(declaration));
                    }
                    continue;
                };
                if let Declaration::Rule(rule) = &declaration.it {
                    if rule.stock && !self.adopted.contains_key(&rule.name.it) {
                        continue;
                    }
                    // A rule that needs no adopting answers its question unasked.
                    if !rule.stock {
                        open.push(name.it.clone());
                    }
                }
                of_libraries.entry(&name.it).or_default().push(declaration);
            }
        }
        let mut used = BTreeSet::new();
        while let Some(word) = open.pop() {
            if let Some(declarations) = of_libraries.get(word.as_str())
                && used.insert(word)
            {
                open.extend(declarations.iter().flat_map(|declaration| words(declaration)));
            }
        }
        used
    }

    fn add(&mut self, name: String, span: Span, from: Origin, (line, part): (Span, Part), mutation: Mutation) {
        let element = Element::new(name.clone(), span, from.cites.clone(), self.rulebook, (line, part));
        let thorough = !matches!(mutation, Mutation::Drop | Mutation::Swap | Mutation::Default(_) | Mutation::Slip(Change::Compare(_)));
        self.push(name, from, thorough, (element, mutation));
    }

    fn push(&mut self, name: String, from: Origin, thorough: bool, (element, mutation): (Element, Mutation)) {
        let Origin { cites, inferred } = from;
        self.found.push(Mutant { name, span: element.span, cites, inferred, thorough, element, mutation });
    }

    fn declaration(&mut self, layer: &Layer<'_>, declaration: &At<Declaration>) {
        let line = declaration.span;
        let of = if layer.kind == LayerKind::Library { format!(" of library {}", layer.name) } else { String::new() };
        let about = describe(&declaration.it);
        let holder = match about.name {
            Some((name, sort)) => format!("{} {}{of}", noun(sort), name.it),
            None => format!("{}{of}", about.many),
        };
        let own = match about.name.and_then(|(name, _)| self.adopted.get(&name.it)).filter(|_| layer.kind == LayerKind::Library) {
            Some(adopted) => adopted.clone(),
            None => about.tags.map(|(tags, _)| origin(&self.citing, layer, line, tags)).unwrap_or_default(),
        };
        self.elements(layer, declaration, &of, &own);
        if let Declaration::Rule(rule) = &declaration.it {
            self.edges(layer, rule, (line, &holder, &own));
        }
        if let Declaration::Choice(choice) = &declaration.it {
            self.defaults(layer, choice, line, &own);
        }
        let in_ranking = lines(&declaration.it);
        for Slip { site, change, words, span, tags } in slips(&declaration.it) {
            let inside = |outer: &Span| outer.start <= span.start && span.end <= outer.end;
            let of_items = in_ranking.iter().filter(|line| inside(&line.span)).map(|line| &line.tags);
            let around: Vec<&Tags> = of_items.chain(&tags).collect();
            let cited = around.iter().flat_map(|tags| &tags.cites).map(|name| self.citing.full(&layer.prefix, name));
            let cites = unique(cited.chain(own.cites.iter().cloned()).collect());
            // The nearest that says where it comes from speaks for it.
            let nearest = around.iter().rev().find(|tags| !tags.cites.is_empty() || !tags.inferred.is_empty());
            let from = Origin { cites, inferred: nearest.map_or(own.inferred, |tags| !tags.inferred.is_empty()) };
            self.add(format!("{words} in {holder}"), span, from, (line, Part::Site(site)), Mutation::Slip(change));
        }
    }

    /// What can be taken away or turned round as a whole.
    fn elements(&mut self, layer: &Layer<'_>, declaration: &At<Declaration>, of: &str, own: &Origin) {
        let lines = lines(&declaration.it);
        let is_stock = matches!(&declaration.it, Declaration::Rule(rule) if rule.stock);
        for element in Finder::of(self.citing, self.rulebook, layer, declaration) {
            // Statements and acts are slips, with names; a stock rule is dropped by the line that adopts it.
            let whole = element.is_whole();
            let under = lines.iter().find(|line| line.span == element.line()).map_or("", |line| line.under.as_str());
            let what = format!("{}{under}", element.what.replace('`', ""));
            let of_element = Origin { cites: element.cites.clone(), inferred: element.inferred };
            for mutation in element.mutations.iter().filter(|mutation| whole && !(is_stock && **mutation == Mutation::Drop)) {
                // A rule's conditions are dropped one by one; the default of an option is flipped.
                let is_default =
                    matches!((&declaration.it, mutation), (Declaration::Choice(choice), Mutation::PlayAs(other)) if choice.default.it != *other);
                if *mutation == Mutation::Contradict || is_default {
                    continue;
                }
                let name = match (&declaration.it, mutation) {
                    (Declaration::Scale(scale), Mutation::SwapKeys(at)) => format!("swap {} of {what}{of}", neighbours(&scale.order, *at)),
                    _ => format!("{}{of}", named(&what, mutation)),
                };
                let from = if element.cites.is_empty() && !element.inferred { own } else { &of_element };
                // A rule, a line of a ranking, an edge; of all else only what other functions list.
                let of_rules = matches!(&declaration.it, Declaration::Rule(_) | Declaration::Adopt { .. } | Declaration::Ranking(_));
                let thorough = !(of_rules && matches!(mutation, Mutation::Drop | Mutation::Swap));
                self.push(name, from.clone(), thorough, (element.clone(), mutation.clone()));
            }
            let several = element.mutations.iter().filter(|mutation| matches!(mutation, Mutation::TurnKey(_))).count();
            for mutation in (0..several).filter(|_| several > 1).map(Mutation::DropKey) {
                let name = format!("{}{of}", named(&what, &mutation));
                self.push(name, of_element.clone(), true, (element.clone(), mutation));
            }
        }
    }

    fn edges(&mut self, layer: &Layer<'_>, rule: &Rule, (line, holder, own): (Span, &str, &Origin)) {
        let is_rule_here = |name: &str| layer.declarations.iter().any(|other| matches!(&other.it, Declaration::Rule(other) if other.name.it == name));
        for (at, edge) in rule.edges.iter().enumerate() {
            for (number, target) in edge.targets.iter().enumerate() {
                let (to, turns) = match &target.it {
                    EdgeTarget::Rule(name) => (name.it.clone(), is_rule_here(&name.it)),
                    EdgeTarget::EveryRuleOn(question) => (format!("every rule on {}", question.it), false),
                };
                let word = edge_word(edge.word);
                let part = || (line, Part::RuleEdge { edge: at, target: number });
                self.add(format!("drop `{word} {to}` of {holder}"), target.span, own.clone(), part(), Mutation::Drop);
                if turns {
                    self.add(format!("turn round `{word} {to}` of {holder}"), target.span, own.clone(), part(), Mutation::Swap);
                }
            }
        }
    }

    fn defaults(&mut self, layer: &Layer<'_>, choice: &Choice, line: Span, own: &Origin) {
        let of = |name: &str| -> Origin {
            let branch = choice.branches.iter().find(|branch| branch.name.it == name);
            branch.map(|branch| origin(&self.citing, layer, branch.name.span, &branch.tags)).unwrap_or_default()
        };
        let default = of(&choice.default.it);
        // Who has it so where nobody chooses: whoever stands behind the branch, else whoever stands behind the option.
        let inferred = if default.cites.is_empty() && !default.inferred { own.inferred } else { default.inferred };
        let others = choice.branches.iter().filter(|branch| branch.name.it != choice.default.it && !branch.open);
        let flips: Vec<(String, Vec<String>)> = others
            .map(|branch| (branch.name.it.clone(), unique([own.cites.clone(), default.cites.clone(), of(&branch.name.it).cites].concat())))
            .collect();
        for (branch, cites) in flips {
            let name = format!("flip option {} to {branch}", choice.name.it);
            self.add(name, choice.default.span, Origin { cites, inferred }, (line, Part::Table(line)), Mutation::Default(branch));
        }
    }
}

/// `two and three`
fn neighbours(order: &ScaleOrder, at: usize) -> String {
    let ScaleOrder::Members { members, .. } = order else { return String::new() };
    let names: Vec<&str> = members.iter().skip(at).take(2).map(|member| member.name.it.as_str()).collect();
    names.join(" and ")
}

fn unique(ids: Vec<String>) -> Vec<String> {
    let mut seen = BTreeSet::new();
    ids.into_iter().filter(|id| seen.insert(id.clone())).collect()
}

/// `rule`, of `a rule`
fn noun(sort: Sort) -> &'static str {
    let word = sort.word();
    word.split_once(' ').map_or(word, |(_, noun)| noun)
}

/// A line of a ranking.
struct Line {
    span: Span,
    tags: Tags,
    /// ` under a = b and c = d`; nothing if it holds always.
    under: String,
}

/// The lines of a ranking, those within others too.
fn lines(declaration: &Declaration) -> Vec<Line> {
    fn below(items: &[At<RankingItem>], above: &[String], found: &mut Vec<Line>) {
        for item in items {
            let (own, tags) = match &item.it {
                RankingItem::Under { when, items } => {
                    let inner = [above, &[print::expression(when)]].concat();
                    below(items, &inner, found);
                    continue;
                }
                RankingItem::DropClass { tags, .. } | RankingItem::DropEdge { tags, .. } => (None, tags),
                RankingItem::Class { under, tags, .. }
                | RankingItem::Beats { under, tags, .. }
                | RankingItem::Ties { under, tags, .. }
                | RankingItem::Wild { under, tags, .. }
                | RankingItem::WildNamed { under, tags, .. } => (under.as_ref(), tags),
            };
            let all: Vec<String> = above.iter().cloned().chain(own.map(print::expression)).collect();
            let under = if all.is_empty() { String::new() } else { format!(" under {}", all.join(" and ")) };
            found.push(Line { span: item.span, tags: tags.clone(), under });
        }
    }
    let mut found = Vec::new();
    if let Declaration::Ranking(ranking) = declaration {
        below(&ranking.items, &[], &mut found);
    }
    found
}

fn named(what: &str, mutation: &Mutation) -> String {
    match mutation {
        Mutation::Drop => format!("drop {what}"),
        Mutation::Swap => format!("turn round {what}"),
        Mutation::TurnKey(key) => format!("turn round key {} of {what}", key + 1),
        Mutation::SwapKeys(key) => format!("swap keys {} and {} of {what}", key + 1, key + 2),
        Mutation::DropKey(key) => format!("drop key {} of {what}", key + 1),
        Mutation::NoDouble => format!("no doubling in {what}"),
        Mutation::PlayAs(other) => format!("play {what} as {other}"),
        Mutation::Ignore => format!("ignore {what}"),
        Mutation::FewerSeats => format!("one fewer of {what} at most"),
        Mutation::MoreSeats => format!("one more of {what} at least"),
        Mutation::Uncover => format!("turn round who sees {what}"),
        Mutation::Contradict | Mutation::Default(_) | Mutation::Slip(_) => what.to_owned(),
    }
}

/// A rulebook as it is, under every setting that the checker covers: what mutants are held against.
#[derive(Debug)]
pub struct Original {
    rulebook: String,
    /// What it says of its table.
    table: u64,
    /// The default first, each with the order of hands.
    under: Vec<(Overrides, u64)>,
}

/// A rulebook with a mistake in it, loaded.
#[derive(Clone, Debug)]
pub struct Mutated {
    /// Where it stands among the others.
    pub catalog: Catalog,
    pub prepared: Arc<Prepared>,
    /// Under its own settings.
    pub default: Rulebook,
}

impl Original {
    /// `None` if the rulebook does not load.
    pub fn of(catalog: &Catalog, rulebook: &str) -> Option<Original> {
        let draft = catalog.draft(&Selection::of(rulebook), &mut Vec::new())?;
        let default = fold(&draft, &Overrides::default(), &mut Vec::new())?;
        let mut under = vec![(Overrides::default(), order(&default))];
        for overrides in situations(&draft, &default.values) {
            // Where a house has something to say there is nothing to compare.
            if let Some(rulebook) = fold(&draft, &overrides, &mut Vec::new()) {
                let order = order(&rulebook);
                under.push((overrides, order));
            }
        }
        Some(Original { rulebook: rulebook.to_owned(), table: table(&draft), under })
    }

    /// The rulebook with a mistake in it; `None` if it is no rulebook as it stands.
    pub fn mutated(&self, catalog: &Catalog, mutant: &Mutant) -> Option<Mutated> {
        let catalog = operated(catalog, &mutant.element, &mutant.mutation)?;
        let prepared = Arc::new(catalog.prepare(&Selection::of(&self.rulebook)).ok()?);
        let default = prepared.rulebook(&[], &[]).ok()?;
        let (_, original) = self.under.first()?;
        let judged = order(&default) == *original || !default.faults().iter().any(Diagnostic::is_error);
        judged.then_some(Mutated { catalog, prepared, default })
    }

    /// What the checker would say of a mutant, and whether anything changed.
    pub fn standing(&self, mutated: &Prepared) -> Standing {
        let draft = &mutated.draft;
        let mut standing = if table(draft) == self.table { Standing::Equivalent } else { Standing::Sound };
        for (overrides, original) in &self.under {
            let Some(rulebook) = fold(draft, overrides, &mut Vec::new()) else {
                if leaves_to_house(draft, overrides) {
                    continue;
                }
                return Standing::Invalid;
            };
            if standing == Standing::Equivalent && order(&rulebook) != *original {
                standing = Standing::Sound;
            }
        }
        standing
    }
}

fn leaves_to_house(draft: &Draft, overrides: &Overrides) -> bool {
    let settled = super::settings::settle(draft, overrides, &mut Vec::new());
    settled.is_some_and(|(values, _)| leaves_open(draft, &values))
}

/// What rulebooks order hands by, as a number. Which edges lead to an order is told with an answer, and decides none.
fn order(rulebook: &Rulebook) -> u64 {
    let rankings: Vec<_> = rulebook.rankings.iter().map(|ranking| (&ranking.name, ranking.pack, &ranking.model)).collect();
    let families: Vec<_> = rulebook.families.iter().map(|family| (&family.name, family.pack, &family.parameters, &family.template.model)).collect();
    printed(format_args!("{:?}{rankings:?}{families:?}", rulebook.packs))
}

/// What is said of the table and of what can be chosen, before settings are laid on it, as a number. Under settings more would come to the same,
/// but the checker does not try every value of a parameter.
fn table(draft: &Draft) -> u64 {
    printed(format_args!("{:?}{:?}{:?}{:?}{:?}", draft.table, draft.options, draft.parameters, draft.implements, draft.stand_ins))
}

/// FNV-1a over what would be printed.
fn printed(what: fmt::Arguments<'_>) -> u64 {
    struct Hash(u64);
    impl fmt::Write for Hash {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            self.0 = text.bytes().fold(self.0, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3));
            Ok(())
        }
    }
    let mut hash = Hash(0xcbf2_9ce4_8422_2325);
    hash.write_fmt(what).unwrap_or_default();
    hash.0
}
