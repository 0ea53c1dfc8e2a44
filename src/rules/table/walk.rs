//! Every expression below an expression, a step or a declaration: the one list of them that folding and the checks go by.

use super::program::{Answer, Code, Condition, Deed, Domain, HandNode, LogMark, Node, Offer, OfferTo, Parameter, Query, Ranks, Seen, SeenBy, Step};
use super::program::{Expr, Rule};

/// The same list twice: once to look, once to change.
macro_rules! children {
    ($node:ident, $hand:ident, $ranks:ident, $step:ident, $deed:ident, $offer:ident, $parameter:ident, $query:ident, $seen:ident, $code:ident, $rule:ident, $($change:tt)*) => {
        /// Calls `see` for each expression directly below.
        pub fn $node(node: &$($change)* Node, see: &mut dyn FnMut(&$($change)* Expr)) {
            match node {
                Node::Literal(_)
                | Node::Parameter(_)
                | Node::Option(_)
                | Node::Local(_)
                | Node::Seats
                | Node::Role(_)
                | Node::Kind(_)
                | Node::Has(_)
                | Node::CountOf(_)
                | Node::First(_)
                | Node::Last(_)
                | Node::During(_)
                | Node::Outcome(_)
                | Node::It => {}
                Node::TallyAt { tally: _, indices, through: _, entry } => {
                    for index in indices {
                        see(index);
                    }
                    see(entry);
                }
                Node::Fact(_, all) | Node::Place(_, all) | Node::Account(_, all) | Node::Cell(_, all) | Node::Tally(_, all) | Node::Call(_, all) | Node::Ask(_, all)
                | Node::And(all) | Node::Or(all) | Node::Set(all) => {
                    for one in all {
                        see(one);
                    }
                }
                Node::Attribute(of, _)
                | Node::Argument(of, _)
                | Node::EnteredPart(of, _)
                | Node::By(of)
                | Node::Mover(of)
                | Node::Held(of)
                | Node::Slice { of, main: _ }
                | Node::SeatNumber(of)
                | Node::Not(of)
                | Node::Minus(of)
                | Node::IsKnown(of)
                | Node::IsNone(of)
                | Node::IsEmpty(of)
                | Node::IsOdd(of)
                | Node::Count(of)
                | Node::Only(of)
                | Node::FirstOf(of)
                | Node::LastOf(of)
                | Node::Kept(_, of) => see(of),
                Node::Ends { of, count, bottom: _ } => {
                    see(of);
                    see(count);
                }
                Node::Left { right: _, of, among } => {
                    see(of);
                    if let Some(among) = among {
                        see(among);
                    }
                }
                Node::If(when, then, otherwise) => {
                    see(when);
                    see(then);
                    see(otherwise);
                }
                Node::Arithmetic(_, left, right)
                | Node::In(left, right)
                | Node::Together(left, right)
                | Node::Without(left, right)
                | Node::Lengthened { left, right, .. } => {
                    see(left);
                    see(right);
                }
                Node::Compare(first, rest, _) => {
                    see(first);
                    for (_, next) in rest {
                        see(next);
                    }
                }
                Node::List(items) => {
                    for (from, to) in items {
                        see(from);
                        if let Some(to) = to {
                            see(to);
                        }
                    }
                }
                Node::Sum { of, binder } => {
                    see(&$($change)* binder.of);
                    if let Some(filter) = &$($change)* binder.filter {
                        see(filter);
                    }
                    see(of);
                }
                Node::Any(binder, body) | Node::Every(binder, body) => {
                    see(&$($change)* binder.of);
                    if let Some(filter) = &$($change)* binder.filter {
                        see(filter);
                    }
                    if let Some(body) = body {
                        see(body);
                    }
                }
                Node::Those(binder) => {
                    see(&$($change)* binder.of);
                    if let Some(filter) = &$($change)* binder.filter {
                        see(filter);
                    }
                }
                Node::Extreme { highest: _, binder, by, order: _ } => {
                    see(&$($change)* binder.of);
                    if let Some(filter) = &$($change)* binder.filter {
                        see(filter);
                    }
                    see(by);
                }
                Node::Best { of, family: _, arguments } => {
                    see(of);
                    for argument in arguments {
                        see(argument);
                    }
                }
                Node::Hand(hand) => $hand(hand, see),
                Node::Cycle(all, at) => {
                    for one in all {
                        see(one);
                    }
                    see(at);
                }
                Node::Table { of, rows, otherwise, order: _ } => {
                    see(of);
                    for row in rows {
                        for (key, _) in &$($change)* row.keys {
                            see(key);
                        }
                        see(&$($change)* row.value);
                    }
                    if let Some(otherwise) = otherwise {
                        see(otherwise);
                    }
                }
            }
        }

        /// Calls `see` for each expression of what is asked of hands.
        pub fn $hand(hand: &$($change)* HandNode, see: &mut dyn FnMut(&$($change)* Expr)) {
            match hand {
                HandNode::Groups { of, attribute: _, least } | HandNode::Runs { of, attribute: _, ladder: _, within: _, least } => {
                    see(of);
                    if let Some(least) = least {
                        see(least);
                    }
                }
                HandNode::Keys { of, ranks, most } => {
                    see(of);
                    $ranks(ranks, see);
                    if let Some(most) = most {
                        see(most);
                    }
                }
                HandNode::ClassOf { of, ranks } | HandNode::Best { of, ranks, of_one: _, list: _ } => {
                    see(of);
                    $ranks(ranks, see);
                }
                HandNode::Reaches { of, family: _, class, key } => {
                    see(of);
                    see(class);
                    if let Some((key, _)) = key {
                        see(key);
                    }
                }
                HandNode::Compared(one, other) => {
                    see(one);
                    see(other);
                }
                HandNode::Extreme { highest: _, binder, by, ranks } => {
                    see(&$($change)* binder.of);
                    if let Some(filter) = &$($change)* binder.filter {
                        see(filter);
                    }
                    see(by);
                    $ranks(ranks, see);
                }
            }
        }

        fn $ranks(ranks: &$($change)* Ranks, see: &mut dyn FnMut(&$($change)* Expr)) {
            match ranks {
                Ranks::Named(_, arguments) => {
                    for argument in arguments {
                        see(argument);
                    }
                }
                Ranks::Of(of) => see(of),
            }
        }

        /// Calls `see` for each expression of a step.
        pub fn $step(step: &$($change)* Step, see: &mut dyn FnMut(&$($change)* Expr)) {
            match step {
                Step::Let(_, value) | Step::Unless(value, _) | Step::CountStart(_, value) | Step::WalkStart { walk: _, of: value } => see(value),
                Step::Goto(_) | Step::CountNext(..) | Step::Pause | Step::Phase(_) | Step::SliceDone(_) | Step::CutDone(_) => {}
                Step::AroundStart { around: _, from: of } | Step::Cut { walk: _, account: _, among: of } => see(of),
                Step::AroundNext(around) => {
                    if let Some(until) = &$($change)* around.until {
                        see(until);
                    }
                    if let Some(filter) = &$($change)* around.filter {
                        see(filter);
                    }
                }
                Step::WalkNext(walk) => {
                    if let Some(until) = &$($change)* walk.until {
                        see(until);
                    }
                    if let Some(filter) = &$($change)* walk.filter {
                        see(filter);
                    }
                }
                Step::Offer(offer) => $offer(offer, see),
                Step::Deed(deed) => $deed(deed, see),
                Step::Call(_, arguments) => {
                    for argument in arguments {
                        see(argument);
                    }
                }
            }
        }

        /// Calls `see` for each expression of an offer or a duty.
        pub fn $offer(offer: &$($change)* Offer, see: &mut dyn FnMut(&$($change)* Expr)) {
            match &$($change)* offer.to {
                OfferTo::Nobody => {}
                OfferTo::Seat(seat) => see(seat),
                OfferTo::Each { seat: _, of, any_order: _, done: _ } => see(of),
            }
            for alternative in &$($change)* offer.alternatives {
                for parameter in &$($change)* alternative.parameters {
                    $parameter(parameter, see);
                }
                if let Some(when) = &$($change)* alternative.when {
                    see(when);
                }
                if let Some(heard) = &$($change)* alternative.heard {
                    see(heard);
                }
                if let Some(regular) = &$($change)* alternative.regular {
                    see(regular);
                }
            }
        }

        /// Calls `see` for each expression of the domain of an argument.
        pub fn $parameter(parameter: &$($change)* Parameter, see: &mut dyn FnMut(&$($change)* Expr)) {
            match &$($change)* parameter.domain {
                Domain::All => {}
                Domain::In(of) | Domain::Fixed(of) => see(of),
                Domain::Range(from, to) => {
                    see(from);
                    see(to);
                }
                Domain::Subsets(of, least, most) => {
                    see(of);
                    see(least);
                    see(most);
                }
            }
        }

        /// Calls `see` for each expression of a deed.
        pub fn $deed(deed: &$($change)* Deed, see: &mut dyn FnMut(&$($change)* Expr)) {
            match deed {
                Deed::End { .. } | Deed::Void { .. } | Deed::Stands | Deed::Refuse => {}
                Deed::Pay { amount, from, to } => {
                    if let Some(amount) = amount {
                        see(amount);
                    }
                    see(from);
                    see(to);
                }
                Deed::Share { of, among, to: _, rest } => {
                    see(of);
                    see(among);
                    see(rest);
                }
                Deed::Move { what, from, to, bottom: _ } => {
                    see(what);
                    if let Some(from) = from {
                        for index in &$($change)* from.indices {
                            see(index);
                        }
                    }
                    for index in &$($change)* to.indices {
                        see(index);
                    }
                }
                Deed::MoveEnd { bottom: _, count, of, to, to_bottom: _ } => {
                    see(count);
                    for index in &$($change)* of.indices {
                        see(index);
                    }
                    for index in &$($change)* to.indices {
                        see(index);
                    }
                }
                Deed::MoveEvery { kind: _, slot: _, filter, to, bottom: _ } => {
                    if let Some(filter) = filter {
                        see(filter);
                    }
                    for index in &$($change)* to.indices {
                        see(index);
                    }
                }
                Deed::Mark { what, to, shown: _ } => {
                    see(what);
                    if let Some(to) = to {
                        see(to);
                    }
                }
                Deed::Arrange(place) => {
                    for index in &$($change)* place.indices {
                        see(index);
                    }
                }
                Deed::Lift { count, of } => {
                    if let Some(count) = count {
                        see(count);
                    }
                    for index in &$($change)* of.indices {
                        see(index);
                    }
                }
                Deed::Announce { hook: _, arguments } => {
                    for argument in arguments {
                        see(argument);
                    }
                }
                Deed::Score { amount, tally: _, indices, under, after } => {
                    for index in indices {
                        see(index);
                    }
                    see(amount);
                    for one in under.into_iter().chain(after) {
                        see(one);
                    }
                }
                Deed::Close { tally: _, headings } => {
                    for heading in headings {
                        see(heading);
                    }
                }
                Deed::SetFact { fact: _, indices, change: _, value } => {
                    for index in indices {
                        see(index);
                    }
                    see(value);
                }
                Deed::SetRole { role: _, value } | Deed::SetLocal { slot: _, change: _, value } | Deed::Settle(value) => see(value),
            }
        }

        /// Calls `see` for each expression of a question put to the log.
        pub fn $query(query: &$($change)* Query, see: &mut dyn FnMut(&$($change)* Expr)) {
            for argument in &$($change)* query.arguments {
                if let Some(argument) = argument {
                    see(argument);
                }
            }
            if let Some((_, by)) = &$($change)* query.by {
                see(by);
            }
            match &$($change)* query.since {
                Some(LogMark::Entry(entry)) => see(entry),
                Some(LogMark::Start(_) | LogMark::End(_)) | None => {}
            }
        }

        /// Calls `see` for each expression that says who sees something.
        pub fn $seen(seen: &$($change)* Seen, see: &mut dyn FnMut(&$($change)* Expr)) {
            match &$($change)* seen.by {
                SeenBy::Nobody | SeenBy::All | SeenBy::Owner => {}
                SeenBy::Seats(seats) => see(seats),
            }
            if let Some(when) = &$($change)* seen.when {
                see(when);
            }
        }

        /// Calls `see` for each expression of a script.
        pub fn $code(code: &$($change)* Code, see: &mut dyn FnMut(&$($change)* Expr)) {
            for step in &$($change)* code.steps {
                $step(step, see);
            }
        }

        /// Calls `see` for each expression of a rule: its conditions, then its answer.
        pub fn $rule(rule: &$($change)* Rule, see: &mut dyn FnMut(&$($change)* Expr)) {
            for condition in &$($change)* rule.conditions {
                match condition {
                    Condition::Let(_, value) | Condition::When(value) => see(value),
                }
            }
            match &$($change)* rule.answer {
                Answer::Is(value) => see(value),
                Answer::Does(code) => $code(code, see),
                Answer::Stands | Answer::Refuse | Answer::Nothing => {}
                Answer::Around { before, after } => {
                    for code in before.into_iter().chain(after) {
                        $code(code, see);
                    }
                }
            }
        }
    };
}

children!(below, of_hand, of_ranks, of_step, of_deed, of_offer, of_parameter, of_query, of_seen, of_code, of_rule,);
children!(
    below_mut,
    of_hand_mut,
    of_ranks_mut,
    of_step_mut,
    of_deed_mut,
    of_offer_mut,
    of_parameter_mut,
    of_query_mut,
    of_seen_mut,
    of_code_mut,
    of_rule_mut,
    mut
);

/// Calls `see` for an expression and everything below it, from the top down.
pub fn everything(expr: &Expr, see: &mut dyn FnMut(&Expr)) {
    see(expr);
    below(&expr.node, &mut |part| everything(part, see));
}
