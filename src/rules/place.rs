//! What each declaration is: the one list of them that all other files here go by.

use super::headers::UnitKind;
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;
use crate::syntax::tree::{Declaration, KindMark, Name, Tags};

/// The things that share one space of names. Clause 2.5.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sort {
    Kind,
    Scale,
    Piece,
    Parameter,
    Option,
    Place,
    Account,
    Tally,
    Role,
    Fact,
    Question,
    Event,
    Right,
    Signal,
    Breach,
    Definition,
    Action,
    Procedure,
    Rule,
    Ranking,
}

impl Sort {
    /// `an option`
    pub fn word(self) -> &'static str {
        match self {
            Sort::Kind => "a kind",
            Sort::Scale => "a scale",
            Sort::Piece => "a piece",
            Sort::Parameter => "a parameter",
            Sort::Option => "an option",
            Sort::Place => "a place",
            Sort::Account => "an account",
            Sort::Tally => "a tally",
            Sort::Role => "a role",
            Sort::Fact => "a fact",
            Sort::Question => "a question",
            Sort::Event => "an event",
            Sort::Right => "a right",
            Sort::Signal => "a signal",
            Sort::Breach => "a breach",
            Sort::Definition => "a definition",
            Sort::Action => "an action",
            Sort::Procedure => "a procedure",
            Sort::Rule => "a rule",
            Sort::Ranking => "a ranking",
        }
    }
}

/// What a declaration is, for everybody who must not forget one.
#[derive(Debug)]
pub(super) struct About<'d> {
    /// `rules`: what messages call several of them.
    pub many: &'static str,
    /// The name that it adds to the rulebook's space, and as what.
    pub name: Option<(&'d Name, Sort)>,
    /// Its tags, and whether clause 2.9 asks for some.
    pub tags: Option<(&'d Tags, bool)>,
    pub home: Home,
}

/// Where a declaration may stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Home {
    /// In libraries, rulebooks, houses and amendments.
    Anywhere,
    /// Wherever a book, not a library, speaks.
    Rulebook,
    /// In houses and amendments.
    Edits,
    /// Outside everything.
    File,
}

const fn about<'d>(many: &'static str, name: Option<(&'d Name, Sort)>, tags: Option<(&'d Tags, bool)>, home: Home) -> About<'d> {
    About { many, name, tags, home }
}

pub(super) fn describe(declaration: &Declaration) -> About<'_> {
    use Declaration as D;
    use Home::{Anywhere, Edits, File, Rulebook};
    match declaration {
        D::Library { .. } => about("libraries", None, None, File),
        D::Rulebook { .. } => about("rulebooks", None, None, File),
        D::House(_) => about("houses", None, None, File),
        D::Amendment(_) => about("amendments", None, None, File),
        D::Interface(_) => about("interfaces", None, None, File),
        D::Implements(_) => about("mappings", None, None, Rulebook),
        D::Use(_) => about("uses", None, None, Anywhere),
        D::Kind(d) => {
            let name = (d.mark != KindMark::Extend).then_some((&d.name, Sort::Kind));
            about("kinds", name, Some((&d.tags, false)), Anywhere)
        }
        D::Scale(d) => about("scales", Some((&d.name, Sort::Scale)), Some((&d.tags, false)), Anywhere),
        D::Piece { name, tags, .. } => about("pieces", Some((name, Sort::Piece)), Some((tags, false)), Anywhere),
        D::Pieces(d) => about("packs", None, Some((&d.tags, true)), Anywhere),
        D::Param { name, tags, .. } => about("parameters", Some((name, Sort::Parameter)), Some((tags, true)), Anywhere),
        D::Choice(d) => about("options", Some((&d.name, Sort::Option)), Some((&d.tags, false)), Anywhere),
        D::Seats { tags, .. } => about("seats", None, Some((tags, true)), Rulebook),
        // `amend place` changes a place that is declared elsewhere.
        D::Place(d) => about("places", (!d.amends).then_some((&d.name, Sort::Place)), Some((&d.tags, true)), Anywhere),
        D::Account(d) => about("accounts", Some((&d.name, Sort::Account)), Some((&d.tags, true)), Anywhere),
        D::Tally(d) => about("tallies", Some((&d.name, Sort::Tally)), Some((&d.tags, true)), Anywhere),
        D::Role { name, tags, .. } => about("roles", Some((name, Sort::Role)), Some((tags, true)), Anywhere),
        D::Fact(d) => about("facts", Some((&d.name, Sort::Fact)), Some((&d.tags, true)), Anywhere),
        D::Question { name, tags, .. } => about("questions", Some((name, Sort::Question)), Some((tags, false)), Anywhere),
        D::Event(d) => about("events", Some((&d.name, Sort::Event)), Some((&d.tags, false)), Anywhere),
        D::Right(d) => about("rights", Some((&d.name, Sort::Right)), Some((&d.tags, true)), Anywhere),
        D::Signal { name, tags, .. } => about("signals", Some((name, Sort::Signal)), Some((tags, false)), Anywhere),
        D::Breach { name, tags, .. } => about("breaches", Some((name, Sort::Breach)), Some((tags, false)), Anywhere),
        D::Def { name, tags, .. } => about("definitions", Some((name, Sort::Definition)), Some((tags, false)), Anywhere),
        D::Action { name, tags, .. } => about("actions", Some((name, Sort::Action)), Some((tags, false)), Anywhere),
        D::Procedure { name, tags, .. } => about("procedures", Some((name, Sort::Procedure)), Some((tags, true)), Anywhere),
        D::VoidRestores { tags, .. } => about("`void … restores` lines", None, Some((tags, false)), Anywhere),
        // A stock rule binds nobody until it is adopted.
        D::Rule(d) => about("rules", Some((&d.name, Sort::Rule)), Some((&d.tags, !d.stock)), Anywhere),
        D::Adopt { tags, .. } => about("adopted rules", None, Some((tags, true)), Rulebook),
        D::Remark { tags, .. } => about("remarks", None, Some((tags, false)), Rulebook),
        D::Advise { tags, .. } => about("pieces of advice", None, Some((tags, false)), Rulebook),
        D::Claim(_) => about("claims", None, None, Rulebook),
        D::Undecided { tags, .. } => about("`undecided` lines", None, Some((tags, false)), Rulebook),
        // What a ranking's own tags say is said of its lines (2.9 counts those).
        D::Ranking(d) => about("rankings", Some((&d.name, Sort::Ranking)), Some((&d.tags, false)), Anywhere),
        D::Set { tags, .. } => about("settings", None, Some((tags, false)), Edits),
        D::Choose { tags, .. } => about("choices", None, Some((tags, false)), Edits),
        D::RankingEdit { .. } => about("edits of a ranking", None, None, Edits),
    }
}

/// A fault, if the declaration may not stand in such a unit. Clause 2.11.
pub(super) fn misplaced(declaration: &Declaration, span: Span, unit: UnitKind) -> Option<Diagnostic> {
    let about = describe(declaration);
    let allowed = match (about.home, unit) {
        (_, UnitKind::Interface) | (Home::File, _) | (Home::Rulebook | Home::Edits, UnitKind::Library) | (Home::Edits, UnitKind::Rulebook) => false,
        (Home::Anywhere, UnitKind::Library | UnitKind::Rulebook | UnitKind::House | UnitKind::Amendment)
        | (Home::Rulebook, UnitKind::Rulebook | UnitKind::House | UnitKind::Amendment)
        | (Home::Edits, UnitKind::House | UnitKind::Amendment) => true,
    };
    if allowed {
        return None;
    }
    let where_to = match about.home {
        Home::File => "write it outside all braces",
        Home::Edits if unit == UnitKind::Rulebook => {
            "a rulebook says so where it declares the thing; only a house or an amendment changes what another layer says"
        }
        Home::Edits => "it belongs to a house or an amendment",
        Home::Rulebook | Home::Anywhere => "it belongs to a rulebook",
    };
    let message = format!("{} cannot stand in {}", about.many, super::catalog::with_article(unit));
    Some(Diagnostic::new(Code::MisplacedDeclaration, message, span).with_help(where_to))
}
