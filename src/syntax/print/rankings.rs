//! Prints rankings, their items and patterns.

use super::Printer;
use super::follow::Follow;
use crate::source::Span;
use crate::syntax::tree::{
    At, KeyWord, Name, Number, Pattern, PatternKind, Ranking, RankingItem, RankingSize, SameCount, StandsFor, TieKey, TiesScope, ValuesCount,
    ValuesOf, WildWhich,
};

impl Printer<'_> {
    pub(super) fn ranking(&mut self, ranking: &Ranking, whole: Span) {
        self.name_behind("ranking ", &ranking.name);
        self.parameters(&ranking.parameters);
        self.put(" of ");
        match &ranking.size {
            RankingSize::Any => self.put("any"),
            RankingSize::Between(least, most) => self.between(least, most.as_ref()),
        }
        self.put(" ");
        self.name(&ranking.piece);
        if let Some(by) = &ranking.by {
            self.name_behind(" by ", by);
        }
        self.tags_before_brace(&ranking.tags);
        self.braces(&ranking.items, whole, Self::ranking_item);
    }

    /// `2` or `2 to 7`
    pub(super) fn between(&mut self, least: &Number, most: Option<&Number>) {
        self.number(least);
        if let Some(most) = most {
            self.put(" to ");
            self.number(most);
        }
    }

    pub(super) fn ranking_item(&mut self, item: &At<RankingItem>) {
        self.hanging(|printer| printer.ranking_item_kind(item));
    }

    fn ranking_item_kind(&mut self, item: &At<RankingItem>) {
        match &item.it {
            RankingItem::Under { when, items } => {
                self.put("under ");
                self.expr(when);
                self.braces(items, item.span, Self::ranking_item);
                return;
            }
            RankingItem::Class { replaces, name, under, pattern, tags } => {
                self.put(if *replaces { "replace class " } else { "class " });
                self.name(name);
                if let Some(under) = under {
                    self.word("under");
                    self.expr_before(under, Follow::COLON);
                }
                self.put(":");
                self.fill();
                self.pattern(pattern);
                self.tags(tags);
            }
            RankingItem::DropClass { name, tags } => {
                self.name_behind("drop class ", name);
                self.tags(tags);
            }
            RankingItem::DropEdge { above, below, tags } => {
                self.name_behind("drop ", above);
                self.name_behind(" beats ", below);
                self.tags(tags);
            }
            RankingItem::Beats { classes, under, tags } => {
                self.beats(classes);
                self.expr_behind("under", under.as_ref());
                self.tags(tags);
            }
            RankingItem::Ties { replaces, scope, keys, under, tags } => {
                self.put(if *replaces { "replace ties " } else { "ties " });
                self.ties(scope, keys);
                self.expr_behind("under", under.as_ref());
                self.tags(tags);
            }
            RankingItem::Wild { replaces, which, stands_for, into, may_double, under, tags } => {
                self.put(if *replaces { "replace wild " } else { "wild " });
                self.wild(which, stands_for);
                self.names_behind("in", into);
                self.put(if *may_double { ", may double" } else { "" });
                self.expr_behind("under", under.as_ref());
                self.tags(tags);
            }
            RankingItem::WildNamed { replaces, which, under, tags } => {
                self.put(if *replaces { "replace wild " } else { "wild " });
                self.wild_which(which);
                self.put(" named by holder");
                self.expr_behind("under", under.as_ref());
                self.tags(tags);
            }
        }
        self.put(";");
    }

    fn beats(&mut self, classes: &[Name]) {
        for (index, class) in classes.iter().enumerate() {
            if index > 0 {
                self.comments_before(class.span);
                self.word("beats");
            }
            self.name(class);
        }
    }

    fn ties(&mut self, scope: &TiesScope, keys: &[At<TieKey>]) {
        match scope {
            TiesScope::In(classes) => {
                self.put("in ");
                self.names(classes);
            }
            TiesScope::Otherwise => self.put("otherwise"),
        }
        self.word("by");
        self.list(keys, |printer, key| {
            printer.comments_before(key.span);
            printer.tie_key(&key.it);
        });
    }

    fn tie_key(&mut self, key: &TieKey) {
        match &key.word {
            KeyWord::Groups => self.put("groups"),
            KeyWord::Singles => self.put("singles"),
            KeyWord::Every(attribute) => self.name_behind("every ", attribute),
            KeyWord::Wild => self.put("wild"),
            KeyWord::Count => self.put("count"),
            KeyWord::Top => self.put("top"),
            KeyWord::TopOfRun => self.put("top of run"),
            KeyWord::Sum { function, attribute } => {
                self.name_behind("sum of ", function);
                self.name_behind("(", attribute);
                self.put(")");
            }
        }
        self.along(key.along.as_ref());
        self.put(if key.wild_up { " wild up" } else { "" });
        self.put(if key.low { " low" } else { "" });
    }

    fn along(&mut self, along: Option<&Name>) {
        if let Some(along) = along {
            self.name_behind(" along ", along);
        }
    }

    fn wild(&mut self, which: &WildWhich, stands_for: &StandsFor) {
        self.wild_which(which);
        self.put(" stands for ");
        match stands_for {
            StandsFor::Anything => self.put("anything"),
            StandsFor::Values(values) => self.values_of(values),
        }
    }

    fn wild_which(&mut self, which: &WildWhich) {
        match which {
            WildWhich::Named(name) => self.name(name),
            WildWhich::Values(values) => self.values_of(values),
        }
    }

    fn values_of(&mut self, values: &ValuesOf) {
        self.name(&values.attribute);
        self.put(" in ");
        self.braced_names(&values.values);
    }

    fn braced_names(&mut self, names: &[Name]) {
        self.put("{ ");
        self.names(names);
        self.put(" }");
    }

    /// One value as itself, several in braces.
    fn value_set(&mut self, values: &[Name]) {
        match values {
            [value] => self.name(value),
            values => self.braced_names(values),
        }
    }

    // -------------------------------------------------------------------------------------------- patterns

    pub(super) fn pattern(&mut self, pattern: &Pattern) {
        self.comments_before(pattern.span);
        match &*pattern.it {
            PatternKind::Or(patterns) => self.patterns(patterns, "or"),
            PatternKind::And(patterns) => self.patterns(patterns, "and"),
            PatternKind::Not(inner) => {
                self.put("not ");
                let atom = !matches!(&*inner.it, PatternKind::Not(_));
                if atom { self.inner_pattern(inner, true) } else { self.bracketed_pattern(inner) }
            }
            PatternKind::Anything => self.put("anything"),
            PatternKind::Groups { sizes, by } => self.groups(sizes, by.as_ref()),
            PatternKind::Run { length, step, around, top, along } => {
                self.put("run of ");
                self.number(length);
                if let Some(step) = step {
                    self.put(" by ");
                    self.number(step);
                }
                self.put(if *around { " around" } else { "" });
                if let Some(top) = top {
                    self.name_behind(" to ", top);
                }
                self.along(along.as_ref());
            }
            PatternKind::Top { values, along } => {
                self.put("top ");
                self.value_set(values);
                self.along(along.as_ref());
            }
            PatternKind::Bottom { values, along } => {
                self.put("bottom ");
                self.value_set(values);
                self.along(along.as_ref());
            }
            PatternKind::Class(name) => self.name_behind("class ", name),
            PatternKind::Natural => self.put("natural"),
            PatternKind::Holds(values) => {
                self.put("holds ");
                self.value_set(values);
            }
            PatternKind::Same { count, attribute } => {
                if let SameCount::AtLeast(least) = count {
                    self.number(least);
                    self.put(" ");
                }
                self.name_behind("same ", attribute);
            }
            PatternKind::Values { count, of } => {
                match count {
                    ValuesCount::Every => self.put("every"),
                    ValuesCount::Any => self.put("any"),
                    ValuesCount::AtLeast(least) => self.number(least),
                }
                self.put(" ");
                self.values_of(of);
            }
        }
    }

    fn patterns(&mut self, patterns: &[Pattern], word: &str) {
        for (index, pattern) in patterns.iter().enumerate() {
            if index > 0 {
                self.comments_before(pattern.span);
                self.word(word);
            }
            self.inner_pattern(pattern, word == "and");
        }
    }

    /// A part of a longer pattern; `closely` if alternatives and conjunctions both need brackets there.
    fn inner_pattern(&mut self, pattern: &Pattern, closely: bool) {
        let kind = &*pattern.it;
        let is_or = matches!(kind, PatternKind::Or(_));
        let is_and = matches!(kind, PatternKind::And(_));
        if is_or || (closely && is_and) {
            self.bracketed_pattern(pattern);
        } else {
            self.pattern(pattern);
        }
    }

    fn bracketed_pattern(&mut self, pattern: &Pattern) {
        self.comments_before(pattern.span);
        self.put("(");
        self.pattern(pattern);
        self.put(")");
    }

    fn groups(&mut self, sizes: &[Number], by: Option<&Name>) {
        self.put(if sizes.is_empty() { "no groups" } else { "groups " });
        for (index, size) in sizes.iter().enumerate() {
            self.put(if index > 0 { " + " } else { "" });
            self.number(size);
        }
        if let Some(by) = by {
            self.name_behind(" by ", by);
        }
    }
}
