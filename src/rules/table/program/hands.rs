//! Groups, runs, and what rankings say of hands. Clauses 3.12 and 7.12.

use std::sync::{Arc, OnceLock};

use super::*;
use crate::ranking::{Comparer, Domain as RankingDomain, Ranking, Term};

/// What is asked of pieces that lie together.
#[derive(Clone, Debug)]
pub enum HandNode {
    /// `groups of S by attr at least n`: a list of sets, in the order of the values.
    Groups { of: Expr, attribute: usize, least: Option<Expr> },
    /// `run of S by scale within attr at least n`: a list of sets, by the value of `within` and then from the lowest.
    Runs {
        of: Expr,
        attribute: usize,
        /// The values from the lowest up; those that also stand lowest come twice.
        ladder: Vec<ValueId>,
        within: Option<usize>,
        least: Option<Expr>,
    },
    /// `keys(h, R, n)`
    Keys { of: Expr, ranks: Ranks, most: Option<Expr> },
    /// `class-of(h, R)`
    ClassOf { of: Expr, ranks: Ranks },
    /// `h reaches CLASS of V`; the kind of V, or `None`: it is a number.
    Reaches { of: Expr, family: FamilyId, class: Expr, key: Option<(Expr, Option<KindId>)> },
    /// `compare(a, b)`: 0 below, 1 level, 2 above.
    Compared(Expr, Expr),
    /// `best of L under R`, where L holds hands, or pieces and R is not known before play.
    Best {
        of: Expr,
        ranks: Ranks,
        of_one: bool,
        /// L is a list, and so is what comes of it.
        list: bool,
    },
    /// `highest x in S where C by E along R`
    Extreme { highest: bool, binder: Binder, by: Expr, ranks: Ranks },
}

/// What stands where a ranking is wanted.
#[derive(Clone, Debug)]
pub enum Ranks {
    /// A ranking by its name, with arguments for its parameters.
    Named(FamilyId, Vec<Expr>),
    /// A value of [`Type::Ranking`].
    Of(Expr),
}

/// A ranking that expressions use: how high each piece stands, and how hands compare, for each combination of arguments.
#[derive(Clone, Debug)]
pub struct Family {
    pub name: String,
    /// The kind of piece.
    pub kind: usize,
    pub domains: Vec<RankingDomain>,
    /// Of each class in force its number among the declared ones: the member of its `class of R`.
    pub classes: Vec<ValueId>,
    /// How high each declared class stands.
    pub heights: Vec<u8>,
    /// The kind of each attribute of its pieces.
    pub attributes: Vec<KindId>,
    model: Arc<Ranking<Term>>,
    /// Worked out when it is first asked for: most tables that are checked are never played.
    strengths: OnceLock<Vec<u16>>,
    /// One for each combination, and copies of the program share them.
    comparers: Arc<OnceLock<Vec<OnceLock<Comparer>>>>,
}

impl Family {
    /// `declared`: every class that some line declares, and how high it stands.
    pub fn new(kind: usize, domains: Vec<RankingDomain>, declared: &[(&str, u8)], attributes: Vec<KindId>, model: Arc<Ranking<Term>>) -> Family {
        let number = |name: &str| declared.iter().position(|(other, _)| *other == name).and_then(|at| ValueId::try_from(at).ok());
        Family {
            name: model.name.clone(),
            kind,
            domains,
            classes: model.classes.iter().map(|class| number(&class.name).unwrap_or(ValueId::MAX)).collect(),
            heights: declared.iter().map(|(_, height)| *height).collect(),
            attributes,
            model,
            strengths: OnceLock::new(),
            comparers: Arc::default(),
        }
    }

    /// Combination by combination (the last argument turns fastest, `none` comes last), in the order of the pieces: equal numbers are level,
    /// higher is better; 0: of no class.
    pub fn strengths(&self, pieces: &[TablePiece]) -> &[u16] {
        self.strengths.get_or_init(|| {
            let Some(table) = self.model.one_piece_table(&self.domains) else { return Vec::new() };
            let strength = |combination: usize, piece: &TablePiece| {
                let face = u8::try_from(piece.face).ok().filter(|_| piece.kind == self.kind);
                face.map_or(0, |face| table.strength_at(combination, face))
            };
            (0..table.combinations()).flat_map(|combination| pieces.iter().map(move |piece| strength(combination, piece))).collect()
        })
    }

    /// How hands compare under the combination of this number; `None`: there is no such combination.
    pub fn comparer(&self, combination: usize) -> Option<&Comparer> {
        let all = self.comparers.get_or_init(|| (0..RankingDomain::combinations(&self.domains)).map(|_| OnceLock::new()).collect());
        let fill = || Comparer::new(self.model.fill(&RankingDomain::arguments(&self.domains, combination)));
        Some(all.get(combination)?.get_or_init(fill))
    }

    /// How high a class stands that is in force, by its position.
    pub fn height(&self, class: usize) -> Option<u8> {
        self.heights.get(usize::from(*self.classes.get(class)?)).copied()
    }

    /// Where a declared class stands among those in force.
    pub fn in_force(&self, declared: ValueId) -> Option<usize> {
        self.classes.iter().position(|class| *class == declared)
    }
}
