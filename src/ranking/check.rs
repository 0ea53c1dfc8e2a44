//! What is wrong with a ranking, or looks wrong, found by judging its hands. Clause 7.8.

use std::collections::BTreeSet;

use super::hands::choose;
use super::key::collect_runs;
use super::lens::{Lens, Slow};
use super::model::{ClassId, Deck, Held, KeyWord, PieceId, Ranking};
use super::naive::Standing;
use super::single::Singles;
use super::spread::Spread;
use super::survey::{Case, Survey};
use super::table::Table;

/// How many hands are looked at when they cannot be seen through a lens.
const SAMPLE: u64 = 2_000;
/// How many hands of each size, and of which sizes, where every size is compared.
const SAMPLE_OF_ANY: u64 = 60;
const SIZES: [u8; 7] = [1, 2, 3, 4, 5, 8, 12];
/// Hands with more wild pieces than this are left out of a sample: each has thousands of readings.
const MOST_WILD_IN_SAMPLE: usize = 1;

/// Something about a ranking that a player would call a mistake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RankingFault {
    /// The keys of these hands of one class are lists of different length where they should be compared.
    Ragged { class: ClassId, hands: [Vec<PieceId>; 2] },
    /// No hand is ever of this class: natural hands that fit it are of these better ones; none: no natural hand fits it.
    NeverApplies { class: ClassId, taken_by: Vec<ClassId> },
    /// These hands of one class have different values, and are level all the same.
    Level { class: ClassId, hands: [Vec<PieceId>; 2] },
    /// The class is compared by the top of a run, and asks for no run.
    NoRun { class: ClassId },
    /// No class fits this hand.
    NoClass { hand: Vec<PieceId> },
}

/// What judging a ranking's hands has shown.
#[derive(Clone, Debug)]
pub struct Checked {
    pub faults: Vec<RankingFault>,
    /// All hands have been looked at. Otherwise some faults may not have been found.
    pub complete: bool,
    /// The table, or why there is none.
    pub table: Result<Table, Slow>,
}

impl Ranking {
    /// What is wrong with the ranking.
    #[must_use]
    pub fn faults(&self) -> Vec<RankingFault> {
        self.check().faults
    }

    /// Looks for faults and compiles the table on the way: both judge all hands.
    #[must_use]
    pub fn check(&self) -> Checked {
        if self.is_of_any() {
            return self.check_any();
        }
        let mut found = Found { ranking: self, ragged: Vec::new(), level: Vec::new(), without: None, applied: vec![false; self.classes.len()] };
        let (mut surveys, mut singles, mut complete) = (Vec::new(), None, true);
        let mut slow = None;
        // Largest hands first: they make the best examples.
        for size in self.sizes.clone().rev() {
            match Survey::new(self, size) {
                Ok(survey) => {
                    found.look_through(&survey);
                    surveys.push(survey);
                }
                Err(reason) => {
                    if size == 1 {
                        let all = Singles::new(self);
                        found.look_at_each(&all);
                        complete &= all.complete;
                        singles = Some(all);
                    } else {
                        found.look_at_some(size);
                        complete = false;
                    }
                    slow = slow.or(Some(reason));
                }
            }
        }
        let table = match (surveys.first().filter(|s| s.lens.size == *self.sizes.end()), slow) {
            (Some(survey), _) => Table::from_survey(self, survey),
            (None, reason) => Err(reason.unwrap_or(Slow::HandSize(*self.sizes.end()))),
        };
        let mut faults = self.classes_without_run();
        if complete {
            faults.extend(found.never_applied(&surveys, singles.as_ref()));
        }
        faults.append(&mut found.ragged);
        faults.append(&mut found.level);
        faults.extend(found.without.map(|hand| RankingFault::NoClass { hand }));
        Checked { faults, complete, table }
    }

    /// Looks at some hands of some sizes, all together: hands of different sizes are compared too.
    fn check_any(&self) -> Checked {
        let mut found = Found { ranking: self, ragged: Vec::new(), level: Vec::new(), without: None, applied: vec![false; self.classes.len()] };
        let met: Vec<(Standing, Vec<PieceId>)> = SIZES.iter().flat_map(|size| found.some(*size, SAMPLE_OF_ANY)).collect();
        found.look_for_ragged(met);
        let mut faults = self.classes_without_run();
        faults.append(&mut found.ragged);
        faults.extend(found.without.map(|hand| RankingFault::NoClass { hand }));
        Checked { faults, complete: false, table: Err(Slow::HandSize(*self.sizes.end())) }
    }

    fn classes_without_run(&self) -> Vec<RankingFault> {
        let lacks = |class: &super::model::Class| {
            let mut runs = Vec::new();
            collect_runs(&class.pattern, &mut runs);
            runs.is_empty() && class.keys.iter().any(|k| k.word == KeyWord::TopOfRun)
        };
        self.classes.iter().enumerate().filter(|(_, c)| lacks(c)).map(|(class, _)| RankingFault::NoRun { class }).collect()
    }
}

struct Found<'a> {
    ranking: &'a Ranking,
    ragged: Vec<RankingFault>,
    level: Vec<RankingFault>,
    /// A hand that no class fits.
    without: Option<Vec<PieceId>>,
    applied: Vec<bool>,
}

/// One standing and where it was met.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Met {
    standing: u128,
    case: usize,
    alike: bool,
}

impl Found<'_> {
    /// Looks at all hands of one size.
    fn look_through(&mut self, survey: &Survey) {
        let deck = &self.ranking.deck;
        let hand = |met: Met| survey.cases.get(met.case).map_or_else(Vec::new, |c| example(deck, &survey.lens, c, met.alike));
        let mut met = Vec::new();
        for (case, c) in survey.cases.iter().enumerate() {
            let states = [(c.mixed, c.mixed_ways, false), (c.alike, c.alike_ways, true)];
            for (standing, _, alike) in states.into_iter().filter(|(_, ways, _)| *ways > 0) {
                met.push(Met { standing, case, alike });
            }
        }
        met.sort_unstable();
        if self.without.is_none() {
            self.without = met.first().filter(|m| m.standing == 0).map(|m| hand(*m));
        }
        let mut last_natural: Option<Met> = None;
        for (i, this) in met.iter().enumerate() {
            let Some(class) = survey.judge.class(this.standing) else { continue };
            if let Some(applied) = self.applied.get_mut(class) {
                *applied = true;
            }
            let before = i.checked_sub(1).and_then(|b| met.get(b)).filter(|b| survey.judge.class(b.standing) == Some(class));
            if let Some(before) = before.filter(|b| b.standing != this.standing && survey.judge.ragged(b.standing, this.standing)) {
                add_once(&mut self.ragged, RankingFault::Ragged { class, hands: [hand(*before), hand(*this)] });
            }
            if survey.cases.get(this.case).is_some_and(|c| c.symbols.iter().all(|s| !survey.is_wild(s))) {
                if let Some(other) = last_natural.filter(|o| o.standing == this.standing && o.case != this.case) {
                    add_once(&mut self.level, RankingFault::Level { class, hands: [hand(other), hand(*this)] });
                }
                last_natural = Some(*this);
            }
        }
    }

    /// Looks at some hands of one size.
    fn look_at_some(&mut self, size: u8) {
        let met = self.some(size, SAMPLE);
        self.look_for_ragged(met);
    }

    /// Some hands of one size, evenly spread over all of them, and how they stand.
    fn some(&mut self, size: u8, sample: u64) -> Vec<(Standing, Vec<PieceId>)> {
        let pack: Vec<PieceId> = self.ranking.deck.ids().flat_map(|p| std::iter::repeat_n(p, usize::from(self.ranking.deck.copies(p)))).collect();
        let total = choose(pack.len() as u64, u64::from(size));
        let step = (total / sample).max(1);
        let mut met: Vec<(Standing, Vec<PieceId>)> = Vec::new();
        for number in (0..sample.min(total)).map(|n| n * step) {
            let hand = numbered_hand(&pack, size, number);
            if hand.iter().filter(|p| self.ranking.is_wild(**p)).count() > MOST_WILD_IN_SAMPLE {
                continue;
            }
            let held: Vec<Held> = hand.iter().map(|piece| Held { piece: *piece, called: None }).collect();
            match self.ranking.stand(&held) {
                Ok(standing) => met.push((standing, hand)),
                Err(super::naive::Refusal::NoClass) => self.without = self.without.take().or(Some(hand)),
                Err(_) => {}
            }
        }
        met
    }

    /// Looks at all hands of one piece.
    fn look_at_each(&mut self, singles: &Singles) {
        for (standing, _) in &singles.hands {
            if let Some(applied) = self.applied.get_mut(standing.class) {
                *applied = true;
            }
        }
        if self.without.is_none() {
            self.without = singles.without.map(|piece| vec![piece]);
        }
        self.look_for_ragged(singles.hands.clone());
        for (class, hands) in singles.level(self.ranking) {
            add_once(&mut self.level, RankingFault::Level { class, hands });
        }
    }

    /// Compares the keys of neighbours.
    fn look_for_ragged(&mut self, mut met: Vec<(Standing, Vec<PieceId>)>) {
        met.sort_by(|(a, _), (b, _)| a.compare(b).0);
        for ((one, hand), (other, other_hand)) in met.iter().zip(met.iter().skip(1)) {
            let differ = one.keys.iter().zip(&other.keys).find(|(a, b)| a != b);
            if one.class == other.class && differ.is_some_and(|(a, b)| a.len() != b.len()) {
                add_once(&mut self.ragged, RankingFault::Ragged { class: one.class, hands: [hand.clone(), other_hand.clone()] });
            }
        }
    }

    /// Classes that no hand has, and which classes have the natural hands that fit them.
    fn never_applied(&self, surveys: &[Survey], singles: Option<&Singles>) -> Vec<RankingFault> {
        let idle = self.applied.iter().enumerate().filter(|(_, applied)| !**applied);
        let mut idle: Vec<(ClassId, BTreeSet<ClassId>)> = idle.map(|(class, _)| (class, BTreeSet::new())).collect();
        if idle.is_empty() {
            return Vec::new();
        }
        for survey in surveys {
            for case in survey.cases.iter().filter(|c| c.symbols.iter().all(|s| !survey.is_wild(s))) {
                let mut spread = Spread::new();
                case.symbols.iter().for_each(|s| spread.add(s));
                for (alike, ways, standing) in [(false, case.mixed_ways, case.mixed), (true, case.alike_ways, case.alike)] {
                    let Some(taker) = survey.judge.class(standing).filter(|_| ways > 0) else { continue };
                    spread.alike = alike;
                    let fitting = survey.judge.fitting(&spread);
                    for (_, takers) in idle.iter_mut().filter(|(class, _)| *class != taker && fitting >> *class & 1 == 1) {
                        takers.insert(taker);
                    }
                }
            }
        }
        for (class, takers) in &mut idle {
            takers.extend(singles.iter().flat_map(|singles| singles.takers(self.ranking, *class)));
        }
        idle.into_iter().map(|(class, takers)| RankingFault::NeverApplies { class, taken_by: takers.into_iter().collect() }).collect()
    }
}

/// One example a class is enough.
fn add_once(faults: &mut Vec<RankingFault>, fault: RankingFault) {
    let class_of = |f: &RankingFault| match f {
        RankingFault::Ragged { class, .. } | RankingFault::Level { class, .. } => Some(*class),
        RankingFault::NeverApplies { .. } | RankingFault::NoRun { .. } | RankingFault::NoClass { .. } => None,
    };
    if !faults.iter().any(|f| class_of(f) == class_of(&fault)) {
        faults.push(fault);
    }
}

/// A real hand that looks like the case.
fn example(deck: &Deck, lens: &Lens, case: &Case, alike: bool) -> Vec<PieceId> {
    let columns = if alike { 0..lens.column_count() } else { 0..0 };
    let of_one_column = columns.filter_map(|c| pick(deck, lens, case, |_, column| column == c)).next();
    of_one_column.unwrap_or_else(|| {
        // Any will do but those that are all alike: let one piece after another be of another column than the first.
        let plain = pick(deck, lens, case, |_, _| true).unwrap_or_default();
        let naturals = case.symbols.iter().filter(|s| *s < lens.values).count();
        let column = |hand: &[PieceId]| hand.first().and_then(|p| lens.columns.get(usize::from(*p))).copied();
        let mixed = |hand: &[PieceId]| hand.iter().take(naturals).any(|p| lens.columns.get(usize::from(*p)).copied() != column(hand));
        if alike || naturals < 2 || mixed(&plain) {
            return plain;
        }
        let other = (0..naturals).filter_map(|at| pick(deck, lens, case, |i, c| i != at || Some(c) != column(&plain))).find(|h| mixed(h));
        other.unwrap_or(plain)
    })
}

/// Pieces with the symbols of a case, natural ones from columns that their positions take.
fn pick(deck: &Deck, lens: &Lens, case: &Case, takes: impl Fn(usize, usize) -> bool) -> Option<Vec<PieceId>> {
    let mut hand: Vec<PieceId> = Vec::new();
    for (at, symbol) in case.symbols.iter().enumerate() {
        let free = |p: PieceId| hand.iter().filter(|h| **h == p).count() < usize::from(deck.copies(p));
        let fits = |p: PieceId| {
            let i = usize::from(p);
            lens.symbols.get(i) == Some(&symbol) && (symbol >= lens.values || lens.columns.get(i).is_some_and(|c| takes(at, *c)))
        };
        let piece = deck.ids().find(|p| fits(*p) && free(*p))?;
        hand.push(piece);
    }
    Some(hand)
}

/// The hand with this number among all hands of the pack.
fn numbered_hand(pack: &[PieceId], size: u8, number: u64) -> Vec<PieceId> {
    let (mut left, mut number, mut hand) = (u64::from(size), number, Vec::new());
    for (at, piece) in pack.iter().enumerate() {
        let with = left.checked_sub(1).map_or(0, |rest| choose((pack.len() - at - 1) as u64, rest));
        if number < with {
            hand.push(*piece);
            left -= 1;
        } else {
            number -= with;
        }
    }
    hand
}
