//! What was written: names are text, nothing is resolved, every node knows its place.
//!
//! Two trees are equal when they say the same; spans do not count, so `parse(print(tree)) == tree` is the formatter's law.
//! The doc comment of a variant shows the source text that it stands for.

mod interfaces;
mod rankings;
mod types;
mod statements;
mod expressions;

pub use self::expressions::*;
pub use self::interfaces::*;
pub use self::rankings::*;
pub use self::statements::*;
pub use self::types::*;
use crate::source::Span;

/// A node and the place where it was written. Equality ignores the place.
#[derive(Clone, Debug, Default)]
pub struct At<T> {
    pub it: T,
    pub span: Span,
}

impl<T: PartialEq> PartialEq for At<T> {
    fn eq(&self, other: &Self) -> bool {
        self.it == other.it
    }
}

impl<T: Eq> Eq for At<T> {}

impl<T> At<T> {
    pub fn new(it: T, span: Span) -> At<T> {
        At { it, span }
    }
}

pub type Name = At<String>;
/// A text in quotes, without them.
pub type Text = At<String>;
pub type Number = At<i64>;

/// A whole file: declarations in the order in which they stand.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct File {
    pub declarations: Vec<At<Declaration>>,
}

/// Where a declaration comes from: `cites a, b inferred "why"`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tags {
    pub cites: Vec<Name>,
    pub inferred: Vec<Text>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Declaration {
    /// `library cards "…";`
    Library {
        name: Name,
        title: Option<Text>,
    },
    /// `rulebook foster-draw "…" follows foster;` (`follows none`: no book)
    Rulebook {
        name: Name,
        title: Option<Text>,
        follows: Option<Follows>,
    },
    House(House),
    Amendment(Amendment),
    Interface(Interface),
    Implements(Implements),
    /// `use cards, vying;`
    Use(Vec<Name>),
    Kind(Kind),
    Scale(Scale),
    /// `piece card has rank, suit;`
    Piece {
        name: Name,
        attributes: Vec<Name>,
        tags: Tags,
    },
    Pieces(Pieces),
    /// `param limit: number = 50 cites …;`
    Param {
        name: Name,
        kind: Option<Type>,
        value: Expr,
        tags: Tags,
    },
    Choice(Choice),
    /// `seats 2 to 7 cites …;`
    Seats {
        least: Number,
        most: Option<Number>,
        tags: Tags,
    },
    Place(Place),
    Account(Account),
    Tally(Tally),
    /// `role dealer: maybe seat = none;`
    Role {
        name: Name,
        kind: Option<Type>,
        initial: Option<Expr>,
        tags: Tags,
    },
    Fact(Fact),
    /// `question may-open(p: seat) -> truth otherwise no;`
    Question {
        name: Name,
        parameters: Vec<Parameter>,
        answer: Type,
        otherwise: Option<Expr>,
        tags: Tags,
    },
    Event(Event),
    Right(Right),
    /// `signal played(c: card, p: seat);`
    Signal {
        name: Name,
        parameters: Vec<Parameter>,
        tags: Tags,
    },
    /// `breach revoke(p: seat, c: card);`
    Breach {
        name: Name,
        parameters: Vec<Parameter>,
        tags: Tags,
    },
    /// `def owed(p: seat) = level - put(p);`
    Def {
        name: Name,
        parameters: Vec<Parameter>,
        value: Expr,
        tags: Tags,
    },
    /// `action stake(p: seat, n: number) { … }`: a script without stops
    Action {
        name: Name,
        parameters: Vec<Parameter>,
        tags: Tags,
        body: Block,
    },
    /// `procedure deal cites … { … }`
    Procedure {
        name: Name,
        parameters: Vec<Parameter>,
        tags: Tags,
        body: Block,
    },
    /// `void deal restores places, accounts;`
    VoidRestores {
        procedure: Name,
        restores: Vec<Name>,
        tags: Tags,
    },
    Rule(Rule),
    /// `adopt must-follow, winner-leads cites …;`
    Adopt {
        names: Vec<Name>,
        tags: Tags,
    },
    /// `remark "…" cites …;`
    Remark {
        text: Option<Text>,
        tags: Tags,
    },
    /// `advise form = purchase and count(seats) > 4 "four at most is better" cites …;`
    Advise {
        when: Expr,
        text: Text,
        tags: Tags,
    },
    Claim(Claim),
    /// `undecided a against b "why";`
    Undecided {
        one: Name,
        other: Name,
        why: Text,
        tags: Tags,
    },
    Ranking(Ranking),
    /// `set limit = 20 replaces southern;` in a house or an amendment
    Set {
        name: Name,
        value: Expr,
        replaces: Vec<Name>,
        tags: Tags,
    },
    /// `choose false-early = make-good;` in a house or an amendment
    Choose {
        option: Name,
        branch: Name,
        replaces: Vec<Name>,
        tags: Tags,
    },
    /// `in ranking poker { … }` in a house or an amendment
    RankingEdit {
        ranking: Name,
        items: Vec<At<RankingItem>>,
    },
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Follows {
    Nothing,
    Book(Name),
}

/// `house rose-lane "agreed 3 May" on foster-draw with southern { … }`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct House {
    pub name: Name,
    pub title: Option<Text>,
    pub base: Name,
    pub with: Vec<Name>,
    pub tags: Tags,
    pub edits: Vec<At<Declaration>>,
}

/// `amendment southern "…" on foster-draw { … }`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Amendment {
    pub name: Name,
    pub title: Option<Text>,
    pub base: Option<Name>,
    pub tags: Tags,
    pub edits: Vec<At<Declaration>>,
}

/// `kind suit = clubs "c" "♣", diamonds "d";` or `open kind item;` or `extend kind item = point;`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kind {
    pub name: Name,
    pub mark: KindMark,
    pub members: Vec<Member>,
    pub tags: Tags,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KindMark {
    Closed,
    Open,
    Extend,
}

/// A value and the ways in which it is written on a card: `ten "T" "10"`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    pub name: Name,
    pub written: Vec<Text>,
}

/// `scale rank = two "2", …, ace "A", ace also lowest;` or `scale cut-rank = rank with ace lowest;`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scale {
    pub name: Name,
    pub order: ScaleOrder,
    pub tags: Tags,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ScaleOrder {
    /// Ascending members; those named in `also_lowest` stand below the first as well.
    Members { members: Vec<Member>, also_lowest: Vec<Name> },
    /// The same values in another order: `rank with ace lowest`.
    Derived { from: Name, value: Name, shift: ScaleShift },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScaleShift {
    Lowest,
    Highest,
    AlsoLowest,
}

/// `pieces one card of each suit, rank from seven to ace;` or `pieces one blank card called joker "Jk" under joker = wild;`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pieces {
    pub count: Number,
    pub piece: Name,
    pub which: PiecesWhich,
    pub under: Option<Expr>,
    pub tags: Tags,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PiecesWhich {
    Each(Vec<AttributeRange>),
    Blank(Member),
}

/// `rank from seven to ace`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AttributeRange {
    pub attribute: Name,
    pub range: Option<(Name, Name)>,
}

/// `option joker = out "…" cites … { out "…" cites …; wild "…" cites …; }`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    pub name: Name,
    pub default: Name,
    pub title: Option<Text>,
    pub tags: Tags,
    pub branches: Vec<Branch>,
}

/// `house-list "as the table says" open cites …;`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branch {
    pub name: Name,
    pub title: Option<Text>,
    /// `open`: the house that chooses it has something to say itself.
    pub open: bool,
    pub tags: Tags,
}

/// `place hand of seat, seen by owner if looked(owner);` (`amend place …` changes who sees it)
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    pub name: Name,
    pub amends: bool,
    pub of: Vec<Type>,
    /// `, at start`: the pieces lie here when play begins.
    pub at_start: bool,
    pub seen: Option<Seen>,
    pub tags: Tags,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen {
    pub by: SeenBy,
    pub when: Option<Expr>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SeenBy {
    Owner,
    All,
    Nobody,
    Seats(Expr),
}

/// `account stack of seat, may owe;` `account pool by seat;`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Account {
    pub name: Name,
    pub of: Vec<Type>,
    pub shares_by: Option<Type>,
    pub may_owe: bool,
    pub tags: Tags,
}

/// `tally marks of seat per deal under in-blank, in-play;`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tally {
    pub name: Name,
    pub of: Vec<Type>,
    pub life: Name,
    pub headings: Vec<Name>,
    pub tags: Tags,
}

/// `fact won of seat: number = 0 per play, seen by all;`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    pub name: Name,
    pub of: Vec<Type>,
    pub kind: Type,
    pub initial: Option<Expr>,
    pub life: Name,
    pub seen: Option<Seen>,
    pub tags: Tags,
}

/// `p: seat` or `n in 1 to 5`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    pub name: Name,
    pub domain: ParameterDomain,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParameterDomain {
    Type(Type),
    In(Domain),
}

/// `hand(p)` or `1 to limit`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Domain {
    pub from: Expr,
    pub to: Option<Expr>,
}

/// `event exposed(c: card, p: seat) by p during dealing possible when … supposes { … }`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    pub name: Name,
    pub parameters: Vec<Parameter>,
    pub by: Option<Name>,
    pub during: Vec<Name>,
    pub possible: Option<Expr>,
    pub tags: Tags,
    pub supposes: Option<Block>,
}

/// `right claims-revoke(by: seat) of by during play while … { … }`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Right {
    pub name: Name,
    pub parameters: Vec<Parameter>,
    pub of: Expr,
    pub during: Vec<Name>,
    pub holds: Option<Expr>,
    pub tags: Tags,
    pub body: Option<Block>,
}

/// `stock rule must-follow on may-play replaces every rule on x under o = b cites … { … }`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    pub stock: bool,
    pub name: Name,
    pub on: Vec<Name>,
    pub edges: Vec<Edge>,
    pub under: Option<Expr>,
    pub tags: Tags,
    pub body: Block,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    pub word: EdgeWord,
    pub targets: Vec<At<EdgeTarget>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EdgeWord {
    Replaces,
    Suspends,
    Amends,
    YieldsTo,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EdgeTarget {
    Rule(Name),
    /// `every rule on false-opening`
    EveryRuleOn(Name),
}

/// `claim foster.odds.fours: 4164 to 1 against class fours in ranking poker under … reading "…";`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    pub statement: Name,
    /// The figure as printed: `4164 to 1` is (4164, Some(1)), `624` is (624, None).
    pub figure: (Number, Option<Number>),
    pub measure: Measure,
    pub ranking: Option<Name>,
    pub under: Option<Expr>,
    pub reading: Option<Text>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Measure {
    /// `against P`: hands without P to hands with P
    Against(Pattern),
    /// `for P to Q`: hands with P to hands with Q
    Proportion(Pattern, Pattern),
    /// `of P`: the number of hands with P
    Count(Pattern),
}
