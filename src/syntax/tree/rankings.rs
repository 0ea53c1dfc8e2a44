//! Rankings: classes, edges, keys, wild pieces, patterns.

use super::*;

/// `ranking in-trick(led: suit) of 1 card by rank cites … { … }`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ranking {
    pub name: Name,
    pub parameters: Vec<Parameter>,
    pub size: RankingSize,
    pub piece: Name,
    pub by: Option<Name>,
    pub tags: Tags,
    pub items: Vec<At<RankingItem>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RankingSize {
    /// `of any card`
    Any,
    /// `of 5 card`, `of 1 to 5 card`
    Between(Number, Option<Number>),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RankingItem {
    /// `under eccentric-rank = customary { … }`
    Under { when: Expr, items: Vec<At<RankingItem>> },
    /// `replace class flush under …: same suit cites …;`
    Class { replaces: bool, name: Name, under: Option<Expr>, pattern: Pattern, tags: Tags },
    /// `drop class blaze;`
    DropClass { name: Name, tags: Tags },
    /// `drop flush beats straight;`
    DropEdge { above: Name, below: Name, tags: Tags },
    /// `flush beats straight beats threes under … cites …;`
    Beats { classes: Vec<Name>, under: Option<Expr>, tags: Tags },
    /// `replace ties in flush, straight by top of run, wild low under …;` (`ties otherwise by …`: every class without keys of its own)
    Ties { replaces: bool, scope: TiesScope, keys: Vec<At<TieKey>>, under: Option<Expr>, tags: Tags },
    /// `replace wild joker stands for anything in straight, flush, may double under …;`
    Wild { replaces: bool, which: WildWhich, stands_for: StandsFor, into: Vec<Name>, may_double: bool, under: Option<Expr>, tags: Tags },
    /// `wild joker named by holder under …;`
    WildNamed { replaces: bool, which: WildWhich, under: Option<Expr>, tags: Tags },
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TiesScope {
    In(Vec<Name>),
    Otherwise,
}

/// `groups along cut-rank wild up low`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TieKey {
    pub word: KeyWord,
    pub along: Option<Name>,
    /// `wild up`: a wild piece counts just above the natural piece that it stands for.
    pub wild_up: bool,
    /// `low`: the lower value wins.
    pub low: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeyWord {
    /// `groups`: the values of groups of two or more, larger groups first, then higher values
    Groups,
    /// `singles`: the values that stand alone, highest first
    Singles,
    /// `every rank`: the value of every piece, highest first
    Every(Name),
    /// `wild`: how many wild pieces the hand holds
    Wild,
    /// `count`: how many pieces the hand holds
    Count,
    /// `top`: its highest value
    Top,
    /// `top of run`: the top of the run that the class asks for
    TopOfRun,
    /// `sum of pips(rank)`
    Sum { function: Name, attribute: Name },
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WildWhich {
    /// `joker`: a blank piece by its name
    Named(Name),
    /// `rank in { two }`
    Values(ValuesOf),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StandsFor {
    Anything,
    Values(ValuesOf),
}

/// `rank in { jack, queen, king }`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValuesOf {
    pub attribute: Name,
    pub values: Vec<Name>,
}

pub type Pattern = At<Box<PatternKind>>;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PatternKind {
    /// `a or b`
    Or(Vec<Pattern>),
    /// `a and b`
    And(Vec<Pattern>),
    /// `not a`
    Not(Pattern),
    /// `anything`
    Anything,
    /// `no groups by rank` (sizes empty) or `groups 3 + 2 by rank`
    Groups { sizes: Vec<Number>, by: Option<Name> },
    /// `run of 5 by 2 around to ace along rank`
    Run { length: Number, step: Option<Number>, around: bool, top: Option<Name>, along: Option<Name> },
    /// `top seven along rank`, `top { king, ace }`
    Top { values: Vec<Name>, along: Option<Name> },
    /// `bottom two`
    Bottom { values: Vec<Name>, along: Option<Name> },
    /// `class straight`
    Class(Name),
    /// `natural`: no wild piece
    Natural,
    /// `holds { nine, five, two }`
    Holds(Vec<Name>),
    /// `same suit`, `all same suit`, `4 same suit`
    Same { count: SameCount, attribute: Name },
    /// `every rank in { … }`, `any rank in { … }`, `3 rank in { … }`
    Values { count: ValuesCount, of: ValuesOf },
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SameCount {
    All,
    AtLeast(Number),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ValuesCount {
    Every,
    Any,
    AtLeast(Number),
}
