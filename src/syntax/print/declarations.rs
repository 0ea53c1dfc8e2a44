//! Prints declarations.

use super::Printer;
use super::expressions::comma_between;
use super::follow::leftmost;
use crate::source::Span;
use crate::syntax::tree::{
    Account, Amendment, At, AttributeRange, Choice, Claim, Declaration, Edge, EdgeTarget, EdgeWord, Event, Expr, ExprKind, Fact, Follows, House,
    Kind, KindMark, Measure, Member, Name, Parameter, Pieces, PiecesWhich, Place, Right, Rule, Scale, ScaleOrder, ScaleShift, Seen, SeenBy, Tally,
    Type,
};

impl Printer<'_> {
    pub(super) fn declaration(&mut self, declaration: &At<Declaration>) {
        self.hanging(|printer| printer.declaration_kind(&declaration.it, declaration.span));
    }

    fn declaration_kind(&mut self, declaration: &Declaration, whole: Span) {
        match declaration {
            Declaration::House(house) => return self.house(house, whole),
            Declaration::Amendment(amendment) => return self.amendment(amendment, whole),
            Declaration::Interface(interface) => return self.interface(interface, whole),
            Declaration::Implements(implements) => return self.implements(implements, whole),
            Declaration::Choice(choice) => return self.choice(choice, whole),
            Declaration::Rule(rule) => return self.rule(rule),
            Declaration::Ranking(ranking) => return self.ranking(ranking, whole),
            Declaration::RankingEdit { ranking, items } => {
                self.name_behind("in ranking ", ranking);
                return self.braces(items, whole, Self::ranking_item);
            }
            Declaration::Action { name, parameters, tags, body } => {
                self.head("action ", name, parameters);
                self.tags_before_brace(tags);
                return self.block(body);
            }
            Declaration::Procedure { name, parameters, tags, body } => {
                self.head("procedure ", name, parameters);
                self.tags_before_brace(tags);
                return self.block(body);
            }
            Declaration::Event(event) => {
                if self.event(event) {
                    return;
                }
            }
            Declaration::Right(right) => {
                if self.right(right) {
                    return;
                }
            }
            Declaration::Kind(kind) => self.kind_declaration(kind),
            Declaration::Scale(scale) => self.scale(scale),
            Declaration::Pieces(pieces) => self.pieces(pieces),
            Declaration::Place(place) => self.place(place),
            Declaration::Account(account) => self.account(account),
            Declaration::Tally(tally) => self.tally(tally),
            Declaration::Fact(fact) => self.fact(fact),
            Declaration::Claim(claim) => self.claim(claim),
            Declaration::Library { name, title } => {
                self.name_behind("library ", name);
                self.title(title.as_ref());
            }
            Declaration::Rulebook { name, title, follows } => {
                self.name_behind("rulebook ", name);
                self.title(title.as_ref());
                self.follows(follows.as_ref());
            }
            Declaration::Use(names) => {
                self.put("use ");
                self.names(names);
            }
            Declaration::Piece { name, attributes, tags } => {
                self.name_behind("piece ", name);
                self.names_behind("has", attributes);
                self.tags(tags);
            }
            Declaration::Param { name, kind, value, tags } => {
                self.typed("param ", name, kind.as_ref());
                self.put(" = ");
                self.expr(value);
                self.tags(tags);
            }
            Declaration::Seats { least, most, tags } => {
                self.put("seats ");
                self.between(least, most.as_ref());
                self.tags(tags);
            }
            Declaration::Role { name, kind, initial, tags } => {
                self.typed("role ", name, kind.as_ref());
                self.initial(initial.as_ref());
                self.tags(tags);
            }
            Declaration::Question { name, parameters, answer, otherwise, tags } => {
                self.head("question ", name, parameters);
                self.put(" -> ");
                self.type_name(answer);
                self.expr_behind("otherwise", otherwise.as_ref());
                self.tags(tags);
            }
            Declaration::Signal { name, parameters, tags } => {
                self.head("signal ", name, parameters);
                self.tags(tags);
            }
            Declaration::Breach { name, parameters, tags } => {
                self.head("breach ", name, parameters);
                self.tags(tags);
            }
            Declaration::Def { name, parameters, value, tags } => {
                self.head("def ", name, parameters);
                self.put(" =");
                self.fill();
                self.expr(value);
                self.tags(tags);
            }
            Declaration::VoidRestores { procedure, restores, tags } => {
                self.name_behind("void ", procedure);
                self.names_behind("restores", restores);
                self.tags(tags);
            }
            Declaration::Adopt { names, tags } => {
                self.put("adopt ");
                self.names(names);
                self.tags(tags);
            }
            Declaration::Remark { text, tags } => {
                self.put("remark");
                self.title(text.as_ref());
                self.tags(tags);
            }
            Declaration::Advise { when, text, tags } => {
                self.put("advise ");
                self.expr(when);
                self.title(Some(text));
                self.tags(tags);
            }
            Declaration::Undecided { one, other, why, tags } => {
                self.name_behind("undecided ", one);
                self.name_behind(" against ", other);
                self.title(Some(why));
                self.tags(tags);
            }
            Declaration::Set { name, value, replaces, tags } => {
                self.name_behind("set ", name);
                self.put(" = ");
                self.expr(value);
                self.names_behind("replaces", replaces);
                self.tags(tags);
            }
            Declaration::Choose { option, branch, replaces, tags } => {
                self.name_behind("choose ", option);
                self.name_behind(" = ", branch);
                self.names_behind("replaces", replaces);
                self.tags(tags);
            }
        }
        self.put(";");
    }

    /// `word name(parameters)`
    fn head(&mut self, word: &str, name: &Name, parameters: &[Parameter]) {
        self.name_behind(word, name);
        self.parameters(parameters);
    }

    pub(super) fn parameters(&mut self, parameters: &[Parameter]) {
        if parameters.is_empty() {
            return;
        }
        let follow = comma_between(parameters.len());
        self.in_brackets(parameters, |printer, parameter| printer.parameter(parameter, follow));
    }

    /// `word name: type`
    fn typed(&mut self, word: &str, name: &Name, kind: Option<&Type>) {
        self.name_behind(word, name);
        if let Some(kind) = kind {
            self.put(": ");
            self.type_name(kind);
        }
    }

    fn initial(&mut self, initial: Option<&Expr>) {
        if let Some(initial) = initial {
            self.put(" = ");
            self.expr(initial);
        }
    }

    fn follows(&mut self, follows: Option<&Follows>) {
        match follows {
            Some(Follows::Nothing) => {
                self.fill();
                self.put("follows none");
            }
            Some(Follows::Book(book)) => {
                self.word("follows");
                self.name(book);
            }
            None => {}
        }
    }

    fn house(&mut self, house: &House, whole: Span) {
        self.name_behind("house ", &house.name);
        self.title(house.title.as_ref());
        self.word("on");
        self.name(&house.base);
        self.names_behind("with", &house.with);
        self.tags_before_brace(&house.tags);
        self.braces(&house.edits, whole, Self::declaration);
    }

    fn amendment(&mut self, amendment: &Amendment, whole: Span) {
        self.name_behind("amendment ", &amendment.name);
        self.title(amendment.title.as_ref());
        if let Some(base) = &amendment.base {
            self.word("on");
            self.name(base);
        }
        self.tags_before_brace(&amendment.tags);
        self.braces(&amendment.edits, whole, Self::declaration);
    }

    fn kind_declaration(&mut self, kind: &Kind) {
        self.put(match kind.mark {
            KindMark::Closed => "",
            KindMark::Open => "open ",
            KindMark::Extend => "extend ",
        });
        self.name_behind("kind ", &kind.name);
        if !kind.members.is_empty() {
            self.put(" =");
            self.fill();
            self.list(&kind.members, Self::member);
        }
        self.tags(&kind.tags);
    }

    fn member(&mut self, member: &Member) {
        self.name(&member.name);
        for written in &member.written {
            self.put(" ");
            self.quoted(written);
        }
    }

    fn scale(&mut self, scale: &Scale) {
        self.name_behind("scale ", &scale.name);
        self.put(" =");
        self.fill();
        match &scale.order {
            ScaleOrder::Members { members, also_lowest } => {
                self.list(members, Self::member);
                for value in also_lowest {
                    self.put(",");
                    self.fill();
                    self.name(value);
                    self.put(" also lowest");
                }
            }
            ScaleOrder::Derived { from, value, shift } => {
                self.name(from);
                self.name_behind(" with ", value);
                self.put(match shift {
                    ScaleShift::Lowest => " lowest",
                    ScaleShift::Highest => " highest",
                    ScaleShift::AlsoLowest => " also lowest",
                });
            }
        }
        self.tags(&scale.tags);
    }

    fn pieces(&mut self, pieces: &Pieces) {
        self.put("pieces ");
        if pieces.count.it == 1 {
            self.leaf("one", pieces.count.span);
        } else {
            self.number(&pieces.count);
        }
        match &pieces.which {
            PiecesWhich::Each(ranges) => {
                self.name_behind(" ", &pieces.piece);
                self.put(" of each ");
                self.list(ranges, Self::attribute_range);
            }
            PiecesWhich::Blank(member) => {
                self.name_behind(" blank ", &pieces.piece);
                self.put(" called ");
                self.member(member);
            }
        }
        self.expr_behind("under", pieces.under.as_ref());
        self.tags(&pieces.tags);
    }

    fn attribute_range(&mut self, range: &AttributeRange) {
        self.name(&range.attribute);
        if let Some((from, to)) = &range.range {
            self.name_behind(" from ", from);
            self.name_behind(" to ", to);
        }
    }

    fn choice(&mut self, choice: &Choice, whole: Span) {
        self.name_behind("option ", &choice.name);
        self.name_behind(" = ", &choice.default);
        self.title(choice.title.as_ref());
        self.tags_before_brace(&choice.tags);
        self.put(" ");
        self.bare_braces(
            &choice.branches,
            |branch| branch.name.span,
            whole,
            |printer, branch| {
                printer.hanging(|printer| {
                    printer.name(&branch.name);
                    printer.title(branch.title.as_ref());
                    printer.put(if branch.open { " open" } else { "" });
                    printer.tags(&branch.tags);
                    printer.put(";");
                });
            },
        );
    }

    fn of_types(&mut self, types: &[Type]) {
        if !types.is_empty() {
            self.put(" of ");
            self.list(types, Self::type_name);
        }
    }

    fn place(&mut self, place: &Place) {
        self.name_behind(if place.amends { "amend place " } else { "place " }, &place.name);
        self.of_types(&place.of);
        self.put(if place.at_start { ", at start" } else { "" });
        self.seen(place.seen.as_ref());
        self.tags(&place.tags);
    }

    fn seen(&mut self, seen: Option<&Seen>) {
        let Some(Seen { by, when }) = seen else { return };
        self.put(",");
        self.word("seen by");
        match by {
            SeenBy::Owner => self.put("owner"),
            SeenBy::All => self.put("all"),
            SeenBy::Nobody => self.put("nobody"),
            // These words alone say something else here.
            SeenBy::Seats(seats) if matches!(leftmost(seats), ExprKind::Owner | ExprKind::Nobody) => self.bracketed(seats),
            SeenBy::Seats(seats) => self.expr(seats),
        }
        self.expr_behind("if", when.as_ref());
    }

    fn account(&mut self, account: &Account) {
        self.name_behind("account ", &account.name);
        self.of_types(&account.of);
        if let Some(shares) = &account.shares_by {
            self.put(" by ");
            self.type_name(shares);
        }
        self.put(if account.may_owe { ", may owe" } else { "" });
        self.tags(&account.tags);
    }

    fn tally(&mut self, tally: &Tally) {
        self.name_behind("tally ", &tally.name);
        self.of_types(&tally.of);
        self.name_behind(" per ", &tally.life);
        self.names_behind("under", &tally.headings);
        self.tags(&tally.tags);
    }

    fn fact(&mut self, fact: &Fact) {
        self.name_behind("fact ", &fact.name);
        self.of_types(&fact.of);
        self.put(": ");
        self.type_name(&fact.kind);
        self.initial(fact.initial.as_ref());
        self.name_behind(" per ", &fact.life);
        self.seen(fact.seen.as_ref());
        self.tags(&fact.tags);
    }

    /// Whether the event ended with a block and needs no `;`.
    fn event(&mut self, event: &Event) -> bool {
        self.head("event ", &event.name, &event.parameters);
        if let Some(by) = &event.by {
            self.name_behind(" by ", by);
        }
        self.names_behind("during", &event.during);
        self.expr_behind("possible when", event.possible.as_ref());
        self.tags_before_brace(&event.tags);
        if let Some(supposes) = &event.supposes {
            self.comments_before(supposes.span);
            self.word("supposes");
            self.bare_block(supposes);
        }
        event.supposes.is_some()
    }

    /// Whether the right ended with a block and needs no `;`.
    fn right(&mut self, right: &Right) -> bool {
        self.head("right ", &right.name, &right.parameters);
        self.expr_behind("of", Some(&right.of));
        self.names_behind("during", &right.during);
        self.expr_behind("while", right.holds.as_ref());
        self.tags_before_brace(&right.tags);
        if let Some(body) = &right.body {
            self.block(body);
        }
        right.body.is_some()
    }

    fn rule(&mut self, rule: &Rule) {
        self.name_behind(if rule.stock { "stock rule " } else { "rule " }, &rule.name);
        self.names_behind("on", &rule.on);
        for edge in &rule.edges {
            self.edge(edge);
        }
        self.expr_behind("under", rule.under.as_ref());
        self.tags_before_brace(&rule.tags);
        self.block(&rule.body);
    }

    fn edge(&mut self, edge: &Edge) {
        if let Some(first) = edge.targets.first() {
            self.comments_before(first.span);
        }
        self.word(match edge.word {
            EdgeWord::Replaces => "replaces",
            EdgeWord::Suspends => "suspends",
            EdgeWord::Amends => "amends",
            EdgeWord::YieldsTo => "yields to",
        });
        self.list(&edge.targets, |printer, target| match &target.it {
            EdgeTarget::Rule(name) => printer.name(name),
            EdgeTarget::EveryRuleOn(question) => {
                printer.comments_before(target.span);
                printer.name_behind("every rule on ", question);
            }
        });
    }

    fn claim(&mut self, claim: &Claim) {
        self.name_behind("claim ", &claim.statement);
        self.put(": ");
        self.between(&claim.figure.0, claim.figure.1.as_ref());
        match &claim.measure {
            Measure::Against(pattern) => {
                self.word("against");
                self.pattern(pattern);
            }
            Measure::Proportion(one, other) => {
                self.word("for");
                self.pattern(one);
                self.word("to");
                self.pattern(other);
            }
            Measure::Count(pattern) => {
                self.word("of");
                self.pattern(pattern);
            }
        }
        if let Some(ranking) = &claim.ranking {
            self.word("in ranking");
            self.name(ranking);
        }
        self.expr_behind("under", claim.under.as_ref());
        if let Some(reading) = &claim.reading {
            self.word("reading");
            self.quoted(reading);
        }
    }
}
