//! Builds declarations; those of rankings and interfaces have files of their own.

use super::cursor::{Built, Context, Fault, Node, Parts};
use super::expressions::{domain, expr, type_name};
use super::grammar::Rule;
use super::rankings::{pattern, ranking, ranking_edit};
use super::statements::block;
use super::{interfaces, rules};
use crate::syntax::tree::{
    Account, Amendment, At, AttributeRange, Branch, Choice, Claim, Declaration, Event, Fact, Follows, House, Kind, KindMark, Measure, Member, Name,
    Number, Parameter, ParameterDomain, Pieces, PiecesWhich, Place, Right, Scale, ScaleOrder, ScaleShift, Seen, SeenBy, Tags, Tally, Type,
};

impl Parts<'_> {
    /// What the declaration says about where it comes from; nothing if it says nothing.
    pub fn tags(&mut self) -> Built<Tags> {
        let mut tags = Tags::default();
        let Some(mut parts) = self.inner(Rule::tags)? else {
            return Ok(tags);
        };
        while let Some(node) = parts.take() {
            let cites = node.as_rule() == Rule::cites;
            let mut part = parts.cx.parts(node)?;
            if cites {
                tags.cites.append(&mut part.each(Rule::statement_id, |cx, node| Ok(cx.name(&node)))?);
            } else {
                tags.inferred.push(part.text()?);
            }
        }
        Ok(tags)
    }

    /// The bracketed parameters that follow; none if there are no brackets.
    pub fn parameters(&mut self) -> Built<Vec<Parameter>> {
        let Some(mut parts) = self.inner(Rule::parameters)? else {
            return Ok(Vec::new());
        };
        parts.each(Rule::parameter, parameter)
    }

    fn life(&mut self) -> Built<Name> {
        self.within(Rule::life)?.name()
    }

    /// The types of `of seat, suit`.
    fn indexed(&mut self) -> Built<Vec<Type>> {
        let Some(mut parts) = self.inner(Rule::indexed)? else {
            return Ok(Vec::new());
        };
        parts.each(Rule::type_name, type_name)
    }
}

/// The tree of a node of `Rule::declaration`.
pub(super) fn declaration(cx: Context, node: Node<'_>) -> Built<At<Declaration>> {
    let mut outer = cx.parts(node)?;
    let span = outer.span;
    let inner = outer.any()?;
    let rule = inner.as_rule();
    let mut parts = outer.cx.parts(inner)?;
    let p = &mut parts;
    let built = match rule {
        Rule::library_header => Declaration::Library { name: p.name()?, title: p.maybe_text() },
        Rule::rulebook_header => Declaration::Rulebook { name: p.name()?, title: p.maybe_text(), follows: p.maybe(Rule::follows, follows)? },
        Rule::house => Declaration::House(house(p)?),
        Rule::amendment => Declaration::Amendment(amendment(p)?),
        Rule::interface => Declaration::Interface(interfaces::interface(p)?),
        Rule::implements => Declaration::Implements(interfaces::implements(p)?),
        Rule::uses => Declaration::Use(p.names()),
        Rule::kind_decl => Declaration::Kind(kind(p)?),
        Rule::scale_decl => Declaration::Scale(scale(p)?),
        Rule::piece_decl => Declaration::Piece { name: p.name()?, attributes: p.names(), tags: p.tags()? },
        Rule::pieces_decl => Declaration::Pieces(pieces(p)?),
        Rule::seats_decl => Declaration::Seats { least: p.number()?, most: p.maybe_number(), tags: p.tags()? },
        Rule::place_decl => Declaration::Place(place(p)?),
        Rule::account_decl => Declaration::Account(account(p)?),
        Rule::tally_decl => Declaration::Tally(tally(p)?),
        Rule::fact_decl => Declaration::Fact(fact(p)?),
        Rule::event_decl => Declaration::Event(event(p)?),
        Rule::right_decl => Declaration::Right(right(p)?),
        Rule::rule_decl => Declaration::Rule(rules::rule(p)?),
        Rule::claim_decl => Declaration::Claim(claim(p)?),
        Rule::ranking_decl => Declaration::Ranking(ranking(p)?),
        Rule::ranking_edit => ranking_edit(p)?,
        Rule::option_decl => Declaration::Choice(choice(p)?),
        _ => small(rule, p)?,
    };
    Ok(At::new(built, span))
}

/// The declarations that need no struct of their own.
fn small(rule: Rule, p: &mut Parts<'_>) -> Built<Declaration> {
    Ok(match rule {
        Rule::param_decl => Declaration::Param { name: p.name()?, kind: p.maybe_type()?, value: p.expr()?, tags: p.tags()? },
        Rule::role_decl => Declaration::Role { name: p.name()?, kind: p.maybe_type()?, initial: p.expr_in(Rule::initial)?, tags: p.tags()? },
        Rule::question_decl => Declaration::Question {
            name: p.name()?,
            parameters: p.parameters()?,
            answer: p.type_name()?,
            otherwise: p.expr_in(Rule::otherwise)?,
            tags: p.tags()?,
        },
        Rule::signal_decl => Declaration::Signal { name: p.name()?, parameters: p.parameters()?, tags: p.tags()? },
        Rule::breach_decl => Declaration::Breach { name: p.name()?, parameters: p.parameters()?, tags: p.tags()? },
        Rule::def_decl => Declaration::Def { name: p.name()?, parameters: p.parameters()?, value: p.expr()?, tags: p.tags()? },
        Rule::action_decl => Declaration::Action { name: p.name()?, parameters: p.parameters()?, tags: p.tags()?, body: p.one(Rule::block, block)? },
        Rule::procedure_decl => {
            Declaration::Procedure { name: p.name()?, parameters: p.parameters()?, tags: p.tags()?, body: p.one(Rule::block, block)? }
        }
        Rule::void_decl => Declaration::VoidRestores { procedure: p.name()?, restores: p.names(), tags: p.tags()? },
        Rule::adopt_decl => Declaration::Adopt { names: p.names(), tags: p.tags()? },
        Rule::remark_decl => Declaration::Remark { text: p.maybe_text(), tags: p.tags()? },
        Rule::advise_decl => Declaration::Advise { when: p.expr()?, text: p.text()?, tags: p.tags()? },
        Rule::undecided_decl => Declaration::Undecided { one: p.name()?, other: p.name()?, why: p.text()?, tags: p.tags()? },
        Rule::set_edit => Declaration::Set { name: p.name()?, value: p.expr()?, replaces: p.names_in(Rule::replaces_layer)?, tags: p.tags()? },
        Rule::choose_edit => {
            Declaration::Choose { option: p.name()?, branch: p.name()?, replaces: p.names_in(Rule::replaces_layer)?, tags: p.tags()? }
        }
        _ => return Err(Fault::Odd(p.span)),
    })
}

fn follows(cx: Context, node: Node<'_>) -> Built<Follows> {
    Ok(match cx.parts(node)?.take() {
        Some(book) => Follows::Book(cx.name(&book)),
        None => Follows::Nothing,
    })
}

fn house(p: &mut Parts<'_>) -> Built<House> {
    let head = house_head(&mut p.within(Rule::house_head)?)?;
    Ok(House { edits: p.within(Rule::edits)?.each(Rule::declaration, declaration)?, ..head })
}

/// A house without its edits.
pub(super) fn house_head(p: &mut Parts<'_>) -> Built<House> {
    Ok(House { name: p.name()?, title: p.maybe_text(), base: p.name()?, with: p.names_in(Rule::house_with)?, tags: p.tags()?, edits: Vec::new() })
}

fn amendment(p: &mut Parts<'_>) -> Built<Amendment> {
    let head = amendment_head(&mut p.within(Rule::amendment_head)?)?;
    Ok(Amendment { edits: p.within(Rule::edits)?.each(Rule::declaration, declaration)?, ..head })
}

/// An amendment without its edits.
pub(super) fn amendment_head(p: &mut Parts<'_>) -> Built<Amendment> {
    Ok(Amendment { name: p.name()?, title: p.maybe_text(), base: p.name_in(Rule::amends_base)?, tags: p.tags()?, edits: Vec::new() })
}

fn kind(p: &mut Parts<'_>) -> Built<Kind> {
    let mark = if p.mark(Rule::open_mark) {
        KindMark::Open
    } else if p.mark(Rule::extend_mark) {
        KindMark::Extend
    } else {
        KindMark::Closed
    };
    Ok(Kind { mark, name: p.name()?, members: p.each(Rule::member, member)?, tags: p.tags()? })
}

fn member(cx: Context, node: Node<'_>) -> Built<Member> {
    let mut p = cx.parts(node)?;
    Ok(Member { name: p.name()?, written: std::iter::from_fn(|| p.maybe_text()).collect() })
}

fn scale(p: &mut Parts<'_>) -> Built<Scale> {
    let name = p.name()?;
    let order = match p.inner(Rule::scale_derived)? {
        Some(mut d) => ScaleOrder::Derived { from: d.name()?, value: d.name()?, shift: d.one(Rule::scale_shift, scale_shift)? },
        None => scale_members(&mut p.within(Rule::scale_members)?)?,
    };
    Ok(Scale { name, order, tags: p.tags()? })
}

fn scale_shift(cx: Context, node: Node<'_>) -> Built<ScaleShift> {
    let p = cx.parts(node)?;
    Ok(match p.word {
        "also" => ScaleShift::AlsoLowest,
        "lowest" => ScaleShift::Lowest,
        "highest" => ScaleShift::Highest,
        _ => return Err(Fault::Odd(p.span)),
    })
}

/// `ace also lowest` may stand between members; the tree keeps the two lists apart.
fn scale_members(p: &mut Parts<'_>) -> Built<ScaleOrder> {
    let mut members = Vec::new();
    let mut also_lowest = Vec::new();
    while let Some(node) = p.take() {
        if node.as_rule() == Rule::scale_also_low {
            also_lowest.push(p.cx.parts(node)?.name()?);
        } else {
            members.push(member(p.cx, node)?);
        }
    }
    Ok(ScaleOrder::Members { members, also_lowest })
}

fn pieces(p: &mut Parts<'_>) -> Built<Pieces> {
    let mut count = p.within(Rule::piece_count)?;
    let count = count.maybe_number().unwrap_or_else(|| Number::new(1, count.span));
    let (piece, which) = match p.inner(Rule::blank_pieces)? {
        Some(mut blank) => (blank.name()?, PiecesWhich::Blank(blank.one(Rule::member, member)?)),
        None => {
            let mut each = p.within(Rule::each_pieces)?;
            (each.name()?, PiecesWhich::Each(each.each(Rule::attribute_range, attribute_range)?))
        }
    };
    Ok(Pieces { count, piece, which, under: p.expr_in(Rule::under)?, tags: p.tags()? })
}

fn attribute_range(cx: Context, node: Node<'_>) -> Built<AttributeRange> {
    let mut p = cx.parts(node)?;
    Ok(AttributeRange { attribute: p.name()?, range: p.maybe_name().zip(p.maybe_name()) })
}

fn choice(p: &mut Parts<'_>) -> Built<Choice> {
    Ok(Choice {
        name: p.name()?,
        default: p.name()?,
        title: p.maybe_text(),
        tags: p.tags()?,
        branches: p.each(Rule::branch, |cx, node| {
            let mut p = cx.parts(node)?;
            Ok(Branch { name: p.name()?, title: p.maybe_text(), open: p.mark(Rule::open_mark), tags: p.tags()? })
        })?,
    })
}

fn place(p: &mut Parts<'_>) -> Built<Place> {
    Ok(Place {
        amends: p.mark(Rule::amend_mark),
        name: p.name()?,
        of: p.indexed()?,
        at_start: p.mark(Rule::at_start),
        seen: p.maybe(Rule::seen, seen)?,
        tags: p.tags()?,
    })
}

fn seen(cx: Context, node: Node<'_>) -> Built<Seen> {
    let mut p = cx.parts(node)?;
    let mut by = p.within(Rule::seen_by)?;
    let by = match by.take() {
        Some(seats) => SeenBy::Seats(expr(by.cx, seats)?),
        None if by.word == "owner" => SeenBy::Owner,
        None if by.word == "all" => SeenBy::All,
        None => SeenBy::Nobody,
    };
    Ok(Seen { by, when: p.maybe(Rule::expression, expr)? })
}

fn account(p: &mut Parts<'_>) -> Built<Account> {
    Ok(Account {
        name: p.name()?,
        of: p.indexed()?,
        shares_by: p.inner(Rule::shares)?.map(|mut shares| shares.type_name()).transpose()?,
        may_owe: p.mark(Rule::may_owe),
        tags: p.tags()?,
    })
}

fn tally(p: &mut Parts<'_>) -> Built<Tally> {
    Ok(Tally { name: p.name()?, of: p.indexed()?, life: p.life()?, headings: p.names_in(Rule::headings)?, tags: p.tags()? })
}

fn fact(p: &mut Parts<'_>) -> Built<Fact> {
    Ok(Fact {
        name: p.name()?,
        of: p.indexed()?,
        kind: p.type_name()?,
        initial: p.expr_in(Rule::initial)?,
        life: p.life()?,
        seen: p.maybe(Rule::seen, seen)?,
        tags: p.tags()?,
    })
}

pub(super) fn parameter(cx: Context, node: Node<'_>) -> Built<Parameter> {
    let mut p = cx.parts(node)?;
    let name = p.name()?;
    let domain = match p.maybe_type()? {
        Some(kind) => ParameterDomain::Type(kind),
        None => ParameterDomain::In(p.within(Rule::parameter_domain)?.one(Rule::domain, domain)?),
    };
    Ok(Parameter { name, domain })
}

fn event(p: &mut Parts<'_>) -> Built<Event> {
    Ok(Event {
        name: p.name()?,
        parameters: p.parameters()?,
        by: p.name_in(Rule::acts_by)?,
        during: p.names_in(Rule::during)?,
        possible: p.expr_in(Rule::possible)?,
        tags: p.tags()?,
        supposes: p.inner(Rule::supposes)?.map(|mut supposes| supposes.one(Rule::block, block)).transpose()?,
    })
}

fn right(p: &mut Parts<'_>) -> Built<Right> {
    Ok(Right {
        name: p.name()?,
        parameters: p.parameters()?,
        of: p.expr()?,
        during: p.names_in(Rule::during)?,
        holds: p.expr_in(Rule::while_holds)?,
        tags: p.tags()?,
        body: p.maybe(Rule::block, block)?,
    })
}

fn claim(p: &mut Parts<'_>) -> Built<Claim> {
    let statement = p.one(Rule::statement_id, |cx, node| Ok(cx.name(&node)))?;
    let mut figure = p.within(Rule::figure)?;
    let figure = (figure.number()?, figure.maybe_number());
    let measure = if let Some(mut against) = p.inner(Rule::claim_against)? {
        Measure::Against(against.one(Rule::pattern, pattern)?)
    } else if let Some(mut proportion) = p.inner(Rule::claim_proportion)? {
        Measure::Proportion(proportion.one(Rule::pattern, pattern)?, proportion.one(Rule::pattern, pattern)?)
    } else {
        Measure::Count(p.within(Rule::claim_count)?.one(Rule::pattern, pattern)?)
    };
    Ok(Claim {
        statement,
        figure,
        measure,
        ranking: p.name_in(Rule::in_ranking)?,
        under: p.expr_in(Rule::under)?,
        reading: p.inner(Rule::claim_reading)?.map(|mut reading| reading.text()).transpose()?,
    })
}
