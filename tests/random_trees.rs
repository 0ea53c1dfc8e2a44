//! Random expressions and patterns: what is printed reads back as the same tree, brackets and all.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on shall stop")]

use hoyle::diagnostic::render::plain;
use hoyle::source::{Sources, Span};
use hoyle::syntax::parse;
use hoyle::syntax::print::{expression, print};
use hoyle::syntax::tree::*;
use proptest::prelude::*;

/// A small stream of choices: `proptest` shrinks the bytes, and so the tree.
struct Choices<'b> {
    bytes: &'b [u8],
    at: usize,
}

fn at<T>(it: T) -> At<T> {
    At::new(it, Span::default())
}

fn boxed(kind: ExprKind) -> Expr {
    at(Box::new(kind))
}

impl Choices<'_> {
    fn below(&mut self, count: u8) -> u8 {
        let byte = self.bytes.get(self.at).copied().unwrap_or(0);
        self.at += 1;
        byte % count
    }

    fn flag(&mut self) -> bool {
        self.below(2) == 1
    }

    fn one<T: Copy>(&mut self, of: &[T]) -> T {
        of[usize::from(self.below(u8::try_from(of.len()).unwrap()))]
    }

    fn maybe<T>(&mut self, make: impl FnOnce(&mut Self) -> T) -> Option<T> {
        self.flag().then(|| make(self))
    }

    fn some<T>(&mut self, least: u8, mut make: impl FnMut(&mut Self) -> T) -> Vec<T> {
        let count = least + self.below(3);
        (0..count).map(|_| make(self)).collect()
    }

    fn name(&mut self) -> Name {
        let name = self.one(&["a", "b-c", "in-play", "x1", "dealer"]);
        at(name.to_owned())
    }

    fn number(&mut self) -> Number {
        at(i64::from(self.below(9)))
    }

    fn arguments(&mut self, depth: u8) -> Option<Vec<Argument>> {
        self.maybe(|c| c.some(0, |c| if c.below(4) == 0 { Argument::All } else { Argument::Value(c.expr(depth)) }))
    }

    fn binder(&mut self, depth: u8) -> Binder {
        Binder { name: self.name(), of: self.expr(depth), filter: self.maybe(|c| c.expr(depth)) }
    }

    fn pattern_of_log(&mut self, depth: u8) -> LogPattern {
        let by = |c: &mut Self| LogBy { not: c.flag(), seat: c.expr(depth) };
        LogPattern { names: self.some(1, Self::name), arguments: self.arguments(depth), by: self.maybe(by) }
    }

    fn mark(&mut self, depth: u8) -> LogMark {
        match self.below(3) {
            0 => LogMark::Start(self.name()),
            1 => LogMark::End(self.name()),
            _ => LogMark::Entry(boxed(self.log(depth))),
        }
    }

    fn log(&mut self, depth: u8) -> ExprKind {
        let below = depth.saturating_sub(1);
        let since = if depth > 0 { self.maybe(|c| c.mark(below)) } else { None };
        let word = self.one(&[LogWord::Has, LogWord::First, LogWord::Last]);
        ExprKind::Log { word, unsettled: self.flag(), pattern: self.pattern_of_log(below), since }
    }

    fn domain(&mut self, depth: u8) -> Domain {
        Domain { from: self.expr(depth), to: self.maybe(|c| c.expr(depth)) }
    }

    fn row(&mut self, depth: u8) -> TableRow {
        TableRow { keys: self.some(0, |c| TableKey { value: c.expr(depth), or_up: c.flag() }), value: self.expr(depth) }
    }

    fn expr(&mut self, depth: u8) -> Expr {
        let kind = if depth == 0 { self.leaf() } else { self.node(depth - 1) };
        boxed(kind)
    }

    fn leaf(&mut self) -> ExprKind {
        match self.below(9) {
            0 => ExprKind::Number(self.number().it),
            1 => ExprKind::Text("it's # no comment".to_owned()),
            2 => ExprKind::Truth(self.flag()),
            3 => ExprKind::None,
            4 => ExprKind::Nobody,
            5 => ExprKind::Seats,
            6 => ExprKind::Owner,
            7 => ExprKind::Hole,
            _ => ExprKind::Name { name: self.name(), arguments: None },
        }
    }

    fn node(&mut self, d: u8) -> ExprKind {
        const WORDS: &[BinaryWord] = &[
            BinaryWord::Or,
            BinaryWord::And,
            BinaryWord::Equal,
            BinaryWord::Less,
            BinaryWord::AtLeast,
            BinaryWord::In,
            BinaryWord::NotIn,
            BinaryWord::Add,
            BinaryWord::Subtract,
            BinaryWord::Without,
            BinaryWord::Together,
            BinaryWord::Multiply,
            BinaryWord::Divide,
            BinaryWord::Mod,
        ];
        const COMPARED: &[BinaryWord] = &[BinaryWord::Equal, BinaryWord::Unequal, BinaryWord::Less, BinaryWord::AtMost, BinaryWord::Greater];
        match self.below(32) {
            0 => self.leaf(),
            1 => ExprKind::Name { name: self.name(), arguments: self.arguments(d) },
            2 => ExprKind::Field { of: self.expr(d), field: self.name() },
            3 => ExprKind::Reckoned { of: self.expr(d), through: self.flag(), entry: self.expr(d) },
            4 => ExprKind::If { when: self.expr(d), then: self.expr(d), otherwise: self.expr(d) },
            5..=11 => ExprKind::Binary { word: self.one(WORDS), left: self.expr(d), right: self.expr(d) },
            12 => ExprKind::Chain { first: self.expr(d), rest: self.some(2, |c| (c.one(COMPARED), c.expr(d))) },
            13 => ExprKind::Not(self.expr(d)),
            14 => ExprKind::Minus(self.expr(d)),
            15 => {
                let what = [IsWhat::Known, IsWhat::Empty, IsWhat::None, IsWhat::Nobody, IsWhat::Even, IsWhat::Odd];
                ExprKind::Is { of: self.expr(d), not: self.flag(), what: self.one(&what) }
            }
            16 => ExprKind::Reaches { of: self.expr(d), class: self.name(), key: self.maybe(|c| c.expr(d)) },
            17 => ExprKind::Quantified { every: self.flag(), binder: self.binder(d), body: self.maybe(|c| c.expr(d)) },
            18 => ExprKind::Those(self.binder(d)),
            19 => ExprKind::Count(self.expr(d)),
            20 => ExprKind::CountOf { pattern: self.pattern_of_log(d), since: self.maybe(|c| c.mark(d)) },
            21 => ExprKind::Sum { of: self.expr(d), binder: self.binder(d) },
            22 => {
                let of = if self.flag() { ExtremeOf::Set(self.expr(d)) } else { ExtremeOf::Binder { binder: self.binder(d), by: self.expr(d) } };
                ExprKind::Extreme { highest: self.flag(), of, along: self.maybe(Self::name) }
            }
            23 => ExprKind::Best { of: self.expr(d), ranking: self.name(), arguments: self.arguments(d) },
            24 => ExprKind::Only(self.expr(d)),
            25 => self.log(d),
            26 => ExprKind::During(self.some(1, Self::name)),
            27 => {
                ExprKind::EndOf { end: self.one(&[SequenceEnd::First, SequenceEnd::Last, SequenceEnd::Top, SequenceEnd::Bottom]), of: self.expr(d) }
            }
            28 => ExprKind::Cycle { of: self.some(1, |c| c.expr(d)), at: self.expr(d) },
            29 => {
                let (within, least) = (self.maybe(Self::name), self.maybe(|c| c.expr(d)));
                ExprKind::Grouped { runs: self.flag(), of: self.expr(d), by: self.name(), within, least }
            }
            30 => match self.below(3) {
                0 => ExprKind::Set(self.some(0, |c| c.expr(d))),
                1 => ExprKind::List(self.some(0, |c| c.domain(d))),
                _ => ExprKind::Table { of: self.expr(d), rows: self.some(1, |c| c.row(d)) },
            },
            _ => ExprKind::Beside { left: self.flag(), of: self.expr(d), among: self.maybe(|c| c.expr(d)) },
        }
    }

    fn pattern(&mut self, depth: u8) -> Pattern {
        let d = depth.saturating_sub(1);
        let names = |c: &mut Self| c.some(1, Self::name);
        let kind = match if depth == 0 { 4 + self.below(9) } else { self.below(13) } {
            0 => PatternKind::Or(self.some(2, |c| c.pattern(d))),
            1 => PatternKind::And(self.some(2, |c| c.pattern(d))),
            2 | 3 => PatternKind::Not(self.pattern(d)),
            4 => PatternKind::Anything,
            5 => PatternKind::Groups { sizes: self.some(0, Self::number), by: self.maybe(Self::name) },
            6 => PatternKind::Run {
                length: self.number(),
                step: self.maybe(Self::number),
                around: self.flag(),
                top: self.maybe(Self::name),
                along: self.maybe(Self::name),
            },
            7 => PatternKind::Top { values: names(self), along: self.maybe(Self::name) },
            8 => PatternKind::Bottom { values: names(self), along: self.maybe(Self::name) },
            9 => PatternKind::Class(self.name()),
            10 => PatternKind::Holds(names(self)),
            11 => {
                let count = self.maybe(Self::number).map_or(SameCount::All, SameCount::AtLeast);
                PatternKind::Same { count, attribute: self.name() }
            }
            _ => {
                let count = match self.below(3) {
                    0 => ValuesCount::Every,
                    1 => ValuesCount::Any,
                    _ => ValuesCount::AtLeast(self.number()),
                };
                PatternKind::Values { count, of: ValuesOf { attribute: self.name(), values: names(self) } }
            }
        };
        at(Box::new(kind))
    }

    fn domain_parameter(&mut self, d: u8) -> Parameter {
        let range = |c: &mut Self| ParameterDomain::Type(at(Box::new(TypeKind::Range(c.number(), c.expr(d)))));
        Parameter { name: self.name(), domain: if self.flag() { ParameterDomain::In(self.domain(d)) } else { range(self) } }
    }

    /// Statements in which something stands behind an expression.
    fn statement(&mut self, d: u8) -> Statement {
        let none = Tags::default();
        let body = || at(Vec::new());
        let end = self.one(&[PlaceEnd::Top, PlaceEnd::Bottom]);
        let deed = |deed| StatementKind::Do { deed, tags: Tags::default() };
        at(match self.below(16) {
            0 => {
                let over = match self.below(3) {
                    0 => EachOver::Slice { name: self.name(), of: self.expr(d), among: self.expr(d) },
                    1 => EachOver::Around { name: self.name(), from: self.expr(d) },
                    _ => EachOver::Of { name: self.name(), domain: self.domain(d) },
                };
                let (filter, until) = (self.maybe(|c| c.expr(d)), self.maybe(|c| c.expr(d)));
                StatementKind::Each { over, filter, until, once: self.flag(), tags: none, body: body() }
            }
            1 => StatementKind::Share { amount: self.expr(d), among: self.expr(d), to: self.expr(d), rest: self.expr(d), tags: none },
            2 => StatementKind::Close { headings: self.some(1, |c| c.expr(d)), tally: self.name(), tags: none },
            3 => deed(Deed::Lift { count: self.maybe(|c| c.expr(d)), of: self.expr(d) }),
            4 => deed(Deed::Move {
                what: Moved::These(self.some(1, |c| c.expr(d))),
                from: self.maybe(|c| c.expr(d)),
                to: Destination::Place(self.expr(d)),
            }),
            5 => {
                let count = self.maybe(|c| c.expr(d)).map_or(MovedCount::One, MovedCount::Number);
                deed(Deed::Move {
                    what: Moved::End { end, count, of: self.expr(d) },
                    from: self.maybe(|c| c.expr(d)),
                    to: Destination::End(end, self.expr(d)),
                })
            }
            6 => deed(Deed::Move {
                what: Moved::Every { piece: self.name(), filter: self.maybe(|c| c.expr(d)) },
                from: None,
                to: Destination::Place(self.expr(d)),
            }),
            7 => deed(Deed::Show { what: MovedPart::These(self.expr(d)), to: KnownTo::Seats(self.expr(d)) }),
            8 => deed(Deed::Mark {
                what: MovedPart::End { end, count: self.maybe(|c| c.expr(d)), of: self.expr(d) },
                to: KnownTo::Seats(self.expr(d)),
            }),
            9 => deed(Deed::Pay { amount: self.maybe(|c| c.expr(d)), from: self.expr(d), to: self.expr(d) }),
            10 => deed(Deed::Score { amount: self.expr(d), to: self.expr(d), under: self.maybe(|c| c.expr(d)), after: self.maybe(|c| c.expr(d)) }),
            11 => StatementKind::If { when: self.expr(d), then: body(), otherwise: None },
            12 => {
                let times = self.maybe(|c| Times { up_to: c.flag(), count: c.expr(d) });
                let (until, holds) = (self.maybe(|c| c.expr(d)), self.maybe(|c| c.expr(d)));
                StatementKind::Repeat { times, until, holds, tags: none, body: body(), after: self.maybe(|c| c.expr(d)) }
            }
            13 => {
                let to = if self.flag() {
                    OfferTo::Seat(self.expr(d))
                } else {
                    OfferTo::Each { name: self.name(), of: self.expr(d), any_order: self.flag() }
                };
                StatementKind::Offer { to, breach: self.maybe(Self::name), tags: none, alternatives: vec![at(self.alternative(d))] }
            }
            14 => StatementKind::Settle(self.expr(d)),
            _ => deed(Deed::Assign { target: self.name(), arguments: self.arguments(d), word: AssignWord::Add, value: self.expr(d) }),
        })
    }

    fn alternative(&mut self, d: u8) -> Alternative {
        let parameter = |c: &mut Self| if c.flag() { ActParameter::Parameter(c.domain_parameter(d)) } else { ActParameter::Fixed(c.expr(d)) };
        Alternative {
            irregular: self.flag(),
            act: self.name(),
            parameters: self.maybe(|c| c.some(0, parameter)),
            when: self.maybe(|c| c.expr(d)),
            heard: self.maybe(|c| c.expr(d)),
            regular: self.maybe(|c| c.expr(d)),
            breach: self.maybe(Self::name),
            does: Does::Deed(at(Deed::Stands)),
            tags: Tags::default(),
        }
    }

    /// Declarations in which something stands behind an expression or a pattern.
    fn declaration(&mut self, d: u8) -> Declaration {
        let none = Tags::default();
        let number = |c: &mut Self| at(Box::new(TypeKind::Range(c.number(), c.expr(d))));
        match self.below(8) {
            0 => Declaration::Param { name: self.name(), kind: self.maybe(number), value: self.expr(d), tags: none },
            1 => Declaration::Question {
                name: self.name(),
                parameters: self.some(0, |c| c.domain_parameter(d)),
                answer: number(self),
                otherwise: self.maybe(|c| c.expr(d)),
                tags: none,
            },
            2 => {
                let by = if self.flag() { SeenBy::Seats(self.expr(d)) } else { SeenBy::Owner };
                let seen = Seen { by, when: self.maybe(|c| c.expr(d)) };
                let initial = self.maybe(|c| c.expr(d));
                Declaration::Fact(Fact {
                    name: self.name(),
                    of: vec![number(self)],
                    kind: number(self),
                    initial,
                    life: self.name(),
                    seen: Some(seen),
                    tags: none,
                })
            }
            3 => Declaration::Right(Right {
                name: self.name(),
                parameters: Vec::new(),
                of: self.expr(d),
                during: vec![self.name()],
                holds: self.maybe(|c| c.expr(d)),
                tags: none,
                body: None,
            }),
            4 => Declaration::Advise { when: self.expr(d), text: at("why".to_owned()), tags: none },
            5 => {
                let measure = match self.below(3) {
                    0 => Measure::Against(self.pattern(d)),
                    1 => Measure::Proportion(self.pattern(d), self.pattern(d)),
                    _ => Measure::Count(self.pattern(d)),
                };
                let figure = (self.number(), self.maybe(Self::number));
                Declaration::Claim(Claim {
                    statement: self.name(),
                    figure,
                    measure,
                    ranking: self.maybe(Self::name),
                    under: self.maybe(|c| c.expr(d)),
                    reading: None,
                })
            }
            6 => {
                let class = RankingItem::Class {
                    replaces: self.flag(),
                    name: self.name(),
                    under: self.maybe(|c| c.expr(d)),
                    pattern: self.pattern(3),
                    tags: none,
                };
                Declaration::RankingEdit { ranking: self.name(), items: vec![at(RankingItem::Under { when: self.expr(d), items: vec![at(class)] })] }
            }
            _ => Declaration::Action { name: self.name(), parameters: Vec::new(), tags: none, body: at(vec![self.statement(d)]) },
        }
    }
}

fn reads_back(file: &File) {
    let printed = print(file, "");
    let mut sources = Sources::default();
    let id = sources.add("printed", printed.as_str());
    let (again, faults) = parse::file(id, &printed);
    assert!(faults.is_empty(), "{}", plain(&faults, &sources));
    assert_eq!(&again, file, "{printed}");
    assert_eq!(print(&again, &printed), printed);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn expressions_read_back(bytes in prop::collection::vec(any::<u8>(), 1..80), depth in 1_u8..5) {
        let value = Choices { bytes: &bytes, at: 0 }.expr(depth);
        let printed = expression(&value);
        let mut sources = Sources::default();
        let id = sources.add("printed", printed.as_str());
        let (again, faults) = parse::expression(id, &printed);
        prop_assert!(faults.is_empty(), "{}", plain(&faults, &sources));
        prop_assert_eq!(again, Some(value), "{}", printed);
    }

    #[test]
    fn declarations_read_back(bytes in prop::collection::vec(any::<u8>(), 1..120), depth in 1_u8..4) {
        let declaration = Choices { bytes: &bytes, at: 0 }.declaration(depth);
        reads_back(&File { declarations: vec![at(declaration)] });
    }

    #[test]
    fn any_text_gives_an_answer(text in "\\PC{0,200}") {
        let mut sources = Sources::default();
        let id = sources.add("any", text.as_str());
        let (_, faults) = parse::file(id, &text);
        let (_, more) = parse::expression(id, &text);
        plain(&faults, &sources);
        plain(&more, &sources);
    }
}
