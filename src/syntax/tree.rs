//! What was written: names are text, nothing is resolved, every node knows its place.
//!
//! Two trees are equal when they say the same; spans do not count, so `parse(print(tree)) == tree` is the formatter's law.
//! The doc comment of a variant shows the source text that it stands for.

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

// ------------------------------------------------------------------------------------------------ interfaces

/// `interface draw-poker "…" { … }`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interface {
    pub name: Name,
    pub title: Option<Text>,
    pub items: Vec<At<InterfaceItem>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InterfaceItem {
    /// `param joker: none-in-pack, wild, bug "…";` `param eccentric: set of blaze, tiger;` `param limit: 1 to 100;`
    Param { name: Name, values: InterfaceValues, title: Option<Text> },
    /// `class straight, triplets;`
    Classes(Vec<Name>),
    /// `ranking hands of 5 card;`
    Compare { name: Name, least: Number, most: Option<Number>, piece: Name },
    /// `shows pool: number;`
    Shows { name: Name, parameters: Vec<Parameter>, kind: Type },
    /// `offer better(n: number);`
    Act { name: Name, parameters: Vec<Parameter> },
    /// `event exposed(c: card, p: seat);`
    Event { name: Name, parameters: Vec<Parameter> },
    /// `question pots(paid: list of number) -> number;`
    Position { name: Name, parameters: Vec<Parameter>, answer: Type },
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InterfaceValues {
    OneOf(Vec<Name>),
    SetOf(Vec<Name>),
    Between(Number, Number),
}

/// `implements draw-poker { … }`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Implements {
    pub interface: Name,
    pub mappings: Vec<At<Mapping>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mapping {
    /// `param joker = option joker { none-in-pack: out, wild: mistigris };`
    ParamOption { name: Name, option: Name, values: Option<Vec<(Name, Name)>> },
    /// `param eccentric = param admitted { skip-straight: skip };`
    ParamParam { name: Name, param: Name, values: Option<Vec<(Name, Name)>> },
    /// `param eccentric = { blaze: blaze = played else off, tiger: tiger = played else off };`: each member of a set chooses a branch, or its absence does
    ParamChoices { name: Name, choices: Vec<MemberChoice> },
    /// `param ace = only low;`: this book knows no other value
    ParamFixed { name: Name, value: Name },
    /// `class straight, triplets = threes;`
    Classes(Vec<(Name, Option<Name>)>),
    /// `ranking hands = poker;`
    Compare(Name, Option<Name>),
    /// `shows pool = held by pool;`
    Shows { name: Name, parameters: Vec<Parameter>, value: Expr },
    /// `offer raise(n: number) = better(n);`
    Act { name: Name, parameters: Vec<Parameter>, value: Expr },
    /// `event exposed(c: card, p: seat) = turned-up(c, p);`
    Event { name: Name, parameters: Vec<Parameter>, value: Expr },
    /// `question pots { pool(p) = paid(p); }`
    Position { name: Name, items: Vec<PositionItem> },
}

/// `blaze: blaze = played else off`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemberChoice {
    pub member: Name,
    pub option: Name,
    pub branch: Name,
    pub otherwise: Name,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionItem {
    pub name: Name,
    pub arguments: Option<Vec<Argument>>,
    pub value: Expr,
}

// ------------------------------------------------------------------------------------------------ rankings

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

// ------------------------------------------------------------------------------------------------ types

pub type Type = At<Box<TypeKind>>;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TypeKind {
    /// `number`, `seat`, `card`, `suit`
    Named(String),
    /// `maybe seat`
    Maybe(Type),
    /// `set of card`
    Set(Type),
    /// `list of seat`
    List(Type),
    /// `{ ordinary, jack }`
    Enum(Vec<Name>),
    /// `class of poker`
    ClassOf(Name),
    /// `ranking of set of card`
    RankingOf(Type),
    /// `entry of marks`
    EntryOf(Name),
    /// `heading of marks`
    HeadingOf(Name),
    /// `account`: where counters lie
    Account,
    /// `1 to limit`
    Range(Number, Expr),
}

// ------------------------------------------------------------------------------------------------ statements

pub type Block = At<Vec<Statement>>;
pub type Statement = At<StatementKind>;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StatementKind {
    /// `{ … }`
    Block(Block),
    /// `let n = 5;`
    Let { name: Name, value: Expr },
    /// `when C;`
    When(Expr),
    /// `is V;`
    Is(Expr),
    /// `before { … }`
    Before(Block),
    /// `after { … }`
    After(Block),
    /// `if C { … } else { … }`
    If { when: Expr, then: Block, otherwise: Option<Box<Statement>> },
    /// `each p from first where C until U once cites … { … }`
    Each { over: EachOver, filter: Option<Expr>, until: Option<Expr>, once: bool, tags: Tags, body: Block },
    /// `repeat up to 5 times until U while C { … } until V;`
    Repeat { times: Option<Times>, until: Option<Expr>, holds: Option<Expr>, tags: Tags, body: Block, after: Option<Expr> },
    /// `offer p else out-of-turn { | … }`
    Offer { to: OfferTo, breach: Option<Name>, tags: Tags, alternatives: Vec<At<Alternative>> },
    /// `duty dealer { | … }`
    Duty { by: DutyBy, tags: Tags, alternatives: Vec<At<Alternative>> },
    /// `duty dealer deals-to(p) => …;`
    SingleDuty { by: DutyBy, alternative: Box<At<Alternative>> },
    /// `pause;`
    Pause(Tags),
    /// `phase dealing cites … { … }`
    Phase { name: Name, tags: Tags, body: Block },
    /// `share E among S to A, rest to B;`
    Share { amount: Expr, among: Expr, to: Expr, rest: Expr, tags: Tags },
    /// `close in-blank of marks;`
    Close { headings: Vec<Expr>, tally: Name, tags: Tags },
    /// `settle it;`
    Settle(Expr),
    /// `again;`
    Again,
    /// A deed with its tags: `pay 1 from stack(p) to pool cites …;`
    Do { deed: Deed, tags: Tags },
}

/// What may stand behind `=>` of an alternative, and as a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Deed {
    /// `pay all from a to b` (`amount` none = all)
    Pay { amount: Option<Expr>, from: Expr, to: Expr },
    /// `move top 5 of pack from p to hand(q)`
    Move { what: Moved, from: Option<Expr>, to: Destination },
    /// `score 1 to marks(p) under in-play after e`
    Score { amount: Expr, to: Expr, under: Option<Expr>, after: Option<Expr> },
    /// `mark c known to all`
    Mark { what: MovedPart, to: KnownTo },
    /// `show hand(p) to all`
    Show { what: MovedPart, to: KnownTo },
    /// `arrange pack`
    Arrange(Expr),
    /// `lift some of pack` (`count` none = some)
    Lift { count: Option<Expr>, of: Expr },
    /// `announce trick-won(p, n)`
    Announce { signal: Name, arguments: Option<Vec<Argument>> },
    /// `end hand with unopened`
    End { procedure: Name, outcome: Option<Name> },
    /// `void deal for misdeal, again`
    Void { procedure: Name, cause: Option<Name>, again: bool },
    /// `stands`
    Stands,
    /// `refuse`
    Refuse,
    /// `won(w) += 1`
    Assign { target: Name, arguments: Option<Vec<Argument>>, word: AssignWord, value: Expr },
    /// `stake(p, 5)`
    Call { name: Name, arguments: Vec<Argument> },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AssignWord {
    Becomes,
    Add,
    Subtract,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlaceEnd {
    Top,
    Bottom,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Moved {
    /// `every card where C`
    Every { piece: Name, filter: Option<Expr> },
    /// `top 5 of pack`; the count may be left out (one) or be `some` (any number: the record says)
    End { end: PlaceEnd, count: MovedCount, of: Expr },
    /// `hand(p), served(p)`
    These(Vec<Expr>),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MovedCount {
    One,
    Some,
    Number(Expr),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Destination {
    /// `top of pack`, `bottom of pack`
    End(PlaceEnd, Expr),
    Place(Expr),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MovedPart {
    /// `top 2 of stock`
    End {
        end: PlaceEnd,
        count: Option<Expr>,
        of: Expr,
    },
    These(Expr),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KnownTo {
    All,
    Seats(Expr),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EachOver {
    /// `slice s of pool among staying`
    Slice { name: Name, of: Expr, among: Expr },
    /// `p from first`: seats, round the table
    Around { name: Name, from: Expr },
    /// `i in item`, `i in 1 to 5`
    Of { name: Name, domain: Domain },
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Times {
    pub up_to: bool,
    pub count: Expr,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OfferTo {
    Seat(Expr),
    /// `each p in seats in any order`
    Each {
        name: Name,
        of: Expr,
        any_order: bool,
    },
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DutyBy {
    Nobody,
    /// `each p in seats in any order`
    Each {
        name: Name,
        of: Expr,
        any_order: bool,
    },
    Seat {
        name: Name,
        arguments: Option<Vec<Argument>>,
    },
}

/// `| irregular play(c in hand(p)) when C heard E regular Q else revoke => deed cites …;`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alternative {
    pub irregular: bool,
    pub act: Name,
    pub parameters: Option<Vec<ActParameter>>,
    pub when: Option<Expr>,
    pub heard: Option<Expr>,
    pub regular: Option<Expr>,
    pub breach: Option<Name>,
    pub does: Does,
    pub tags: Tags,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ActParameter {
    Parameter(Parameter),
    /// An argument that is fixed: `deal-to(p)`.
    Fixed(Expr),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Does {
    Block(Block),
    Deed(At<Deed>),
}

// ------------------------------------------------------------------------------------------------ expressions

pub type Expr = At<Box<ExprKind>>;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExprKind {
    /// `12`
    Number(i64),
    /// `"text"`
    Text(String),
    /// `yes`, `no`
    Truth(bool),
    /// `none`
    None,
    /// `nobody`
    Nobody,
    /// `seats`: all of them
    Seats,
    /// `owner`: whose place it is, behind `seen by`
    Owner,
    /// `_` in a log pattern
    Hole,
    /// `dealer`, `hand(p)`
    Name { name: Name, arguments: Option<Vec<Argument>> },
    /// `last deal-several(p, _).n`
    Field { of: Expr, field: Name },
    /// `if C then A else B`
    If { when: Expr, then: Expr, otherwise: Expr },
    /// `a and b`, `a + b`, `a <= b`, `x in S`
    Binary { word: BinaryWord, left: Expr, right: Expr },
    /// `a < b <= c`: a chain of comparisons, each pair of neighbours
    Chain { first: Expr, rest: Vec<(BinaryWord, Expr)> },
    /// `not a`
    Not(Expr),
    /// `-a`
    Minus(Expr),
    /// `x is not known`
    Is { of: Expr, not: bool, what: IsWhat },
    /// `hand(p) reaches one-pair of jack`
    Reaches { of: Expr, class: Name, key: Option<Expr> },
    /// `any x in S where C: B`, `every x in S where C: B`
    Quantified { every: bool, binder: Binder, body: Option<Expr> },
    /// `those x in S where C`
    Those(Binder),
    /// `count(S)`
    Count(Expr),
    /// `count of exposed(_, p) since start of deal`
    CountOf { pattern: LogPattern, since: Option<LogMark> },
    /// `sum of E for x in S where C`
    Sum { of: Expr, binder: Binder },
    /// `highest q in S where C by E along rank` (a set), `lowest E along rank` over a set
    Extreme { highest: bool, of: ExtremeOf, along: Option<Name> },
    /// `best of L under R(args)`
    Best { of: Expr, ranking: Name, arguments: Option<Vec<Argument>> },
    /// `the only of S`
    Only(Expr),
    /// `has revoke(_, _) by p since start of play`, `first …`, `last unsettled …`
    Log { word: LogWord, unsettled: bool, pattern: LogPattern, since: Option<LogMark> },
    /// `during dealing, play`
    During(Vec<Name>),
    /// `first of trick`, `top of pack`
    EndOf { end: SequenceEnd, of: Expr },
    /// `left of dealer among staying`, `right of p`
    Beside { left: bool, of: Expr, among: Option<Expr> },
    /// `marks(p) before e`, `marks(p) through e`: a tally as it stood in the reckoning
    Reckoned { of: Expr, through: bool, entry: Expr },
    /// `cycle(jack, queen, king) at failed`
    Cycle { of: Vec<Expr>, at: Expr },
    /// `groups of h by rank at least 3`, `run of h by rank within suit at least 3`
    Grouped { runs: bool, of: Expr, by: Name, within: Option<Name>, least: Option<Expr> },
    /// `{ a, b }`
    Set(Vec<Expr>),
    /// `[ a, b, 1 to 5 ]`
    List(Vec<Domain>),
    /// `table r { ace: 11; ten or up: 10; else: 0; }`
    Table { of: Expr, rows: Vec<TableRow> },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinaryWord {
    Or,
    And,
    Equal,
    Unequal,
    Less,
    AtMost,
    Greater,
    AtLeast,
    In,
    NotIn,
    Add,
    Subtract,
    /// `S without T`
    Without,
    /// `S together T`
    Together,
    Multiply,
    Divide,
    Mod,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IsWhat {
    Known,
    Empty,
    None,
    Nobody,
    Even,
    Odd,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogWord {
    Has,
    First,
    Last,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SequenceEnd {
    First,
    Last,
    Top,
    Bottom,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Argument {
    All,
    Value(Expr),
}

/// `x in S where C`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Binder {
    pub name: Name,
    pub of: Expr,
    pub filter: Option<Expr>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExtremeOf {
    Binder { binder: Binder, by: Expr },
    Set(Expr),
}

/// `(see | better)(q, _) by not p`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogPattern {
    pub names: Vec<Name>,
    pub arguments: Option<Vec<Argument>>,
    pub by: Option<LogBy>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogBy {
    pub not: bool,
    pub seat: Expr,
}

/// `since start of hand`, `since end of dealing`, `since last better(p, _)`
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LogMark {
    Start(Name),
    End(Name),
    Entry(Expr),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableRow {
    /// Empty for `else`.
    pub keys: Vec<TableKey>,
    pub value: Expr,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableKey {
    pub value: Expr,
    /// `threes or up`
    pub or_up: bool,
}
