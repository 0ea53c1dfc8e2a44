//! Compares hands and says why: what each hand is, and between neighbours which edge or key decided, with its citations.

use std::cmp::Ordering;

use super::cite::Provenance;
use super::notation::{Card, doubles};
use super::rulebook::Rulebook;
use super::weave::{BeatsEdge, RuledRanking};
use super::words::{describe_key, describe_value};
use crate::diagnostic::{Code, Diagnostic, Label};
use crate::ranking::{ClassId, Decider, Held, PieceId, Ranking, Refusal, Standing};
use crate::source::{FileId, Span};
use crate::syntax::record;

/// A hand as it is written. `file` and `start` say where its text stands, so that faults can be underlined.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hand {
    pub label: String,
    pub text: String,
    pub file: FileId,
    pub start: usize,
}

/// Hands in order, and why.
#[derive(Clone, Debug)]
pub struct Ranked {
    pub ranking: String,
    /// Positions of hands, best first; those in one list are level.
    pub order: Vec<Vec<usize>>,
    /// In the order in which the hands were given.
    pub hands: Vec<RankedHand>,
    /// What decided between each hand and the next one down, in the order of [`Ranked::order`], level hands among them.
    pub between: Vec<Between>,
}

#[derive(Clone, Debug)]
pub struct RankedHand {
    pub label: String,
    pub cards: Vec<Held>,
    pub class: ClassId,
    pub class_name: String,
    /// Where the class is declared.
    pub from: Option<Provenance>,
    /// What the keys see, in words: `kings and fours, then queen`.
    pub keys: String,
    /// What each wild piece stands for, both as they are written.
    pub meanings: Vec<(String, String)>,
    pub standing: Standing,
}

/// Two neighbours in the order.
#[derive(Clone, Debug)]
pub struct Between {
    pub better: usize,
    pub worse: usize,
    pub why: Why,
}

#[derive(Clone, Debug)]
pub enum Why {
    /// The edges that lead from the better class to the worse one.
    Class(Vec<BeatsEdge>),
    Key {
        /// The line that gives the class its keys.
        ties: Option<Provenance>,
        /// Position of the key in that line.
        key: usize,
        /// What the key is called: `groups`.
        name: String,
        /// The lower one wins.
        low: bool,
        /// The two values that were compared, in words.
        better: String,
        worse: String,
    },
    Level {
        ties: Option<Provenance>,
    },
}

impl Rulebook {
    /// Compares hands under a ranking; without a name under the rulebook's first. With `separate`, the hands need not come from one pack.
    ///
    /// # Errors
    /// Every fault of the written hands: `unreadable-card`, `not-in-pack`, `duplicate-card`, `wrong-size`, `not-named`.
    pub fn rank(&self, ranking: Option<&str>, hands: &[Hand], separate: bool) -> Result<Ranked, Vec<Diagnostic>> {
        let Some(ruled) = self.ranking(ranking) else { return Err(vec![self.no_ranking(ranking)]) };
        let mut faults = Vec::new();
        let read: Vec<Vec<(Held, Span)>> = hands.iter().map(|hand| self.hand(ruled, hand, &mut faults)).collect();
        let unread = !faults.is_empty();
        faults.extend(doubles(&ruled.model.deck, &read, separate));
        // A hand in which a card could not be read has a wrong number of cards for no other reason.
        if !unread {
            faults.extend(hands.iter().zip(&read).filter_map(|(hand, cards)| wrong_size(&ruled.model, hand, cards.len())));
        }
        if !faults.is_empty() {
            return Err(faults);
        }
        let mut standings = Vec::new();
        for (hand, cards) in hands.iter().zip(&read) {
            let held: Vec<Held> = cards.iter().map(|(held, _)| *held).collect();
            match ruled.model.stand(&held) {
                Ok(standing) => standings.push((held, standing)),
                Err(refusal) => faults.push(refused(&ruled.model, refusal, hand, cards)),
            }
        }
        if !faults.is_empty() {
            return Err(faults);
        }
        Ok(in_order(ruled, hands, standings))
    }

    /// The fault of a ranking that cannot be asked for: see [`Rulebook::ranking`].
    pub fn no_ranking(&self, wanted: Option<&str>) -> Diagnostic {
        let names: Vec<&str> = self.rankings.iter().map(|ranking| ranking.name.as_str()).collect();
        let only = self.families.first().filter(|_| names.is_empty() && self.families.len() == 1);
        if let Some(family) = wanted.map_or(only, |wanted| self.family(wanted)) {
            let fault = family.not_alone();
            return if names.is_empty() { fault } else { fault.with_help(format!("without parameters there is {}", super::advice::all_of(names))) };
        }
        let message = match wanted {
            Some(wanted) => format!("`{}` has no ranking `{wanted}`", self.name),
            None if names.is_empty() && !self.families.is_empty() => {
                let families = super::advice::all_of(self.families.iter().map(|family| family.name.as_str()));
                format!("every ranking of `{}` has parameters, and orders nothing without them: {families}", self.name)
            }
            None if names.is_empty() => format!("`{}` has no ranking", self.name),
            None => format!("`{}` has several rankings, and it must be said which is meant", self.name),
        };
        let fault = Diagnostic::without_place(Code::NoRanking, message);
        if names.is_empty() { fault } else { fault.with_help(format!("there is {}", super::advice::all_of(names))) }
    }

    /// The cards that can be read.
    fn hand(&self, ruled: &RuledRanking, hand: &Hand, faults: &mut Vec<Diagnostic>) -> Vec<(Held, Span)> {
        let Some(pack) = self.packs.get(ruled.pack) else { return Vec::new() };
        let mut cards = Vec::new();
        let (written, unread) = record::hand(hand.file, &hand.text);
        // Whatever is no card at all is refused as a card that cannot be read.
        faults.extend(unread.into_iter().map(|fault| Diagnostic { code: Code::UnreadableCard, labels: moved(fault.labels, hand.start), ..fault }));
        for card in written.map(|hand| hand.cards).unwrap_or_default() {
            let span = shifted(card.span, hand.start);
            match pack.notation.read(&pack.deck, &card.it.to_string(), span) {
                // Only a wild piece that its holder must name is what he calls it; elsewhere his word counts for nothing. Clause 7.10.
                Ok(Card::Held(held)) => cards.push((Held { called: held.called.filter(|_| ruled.model.must_be_named(held.piece)), ..held }, span)),
                Ok(Card::Unknown) => {
                    let fault = Diagnostic::new(Code::UnreadableCard, "nobody has seen this card, so the hand cannot be compared", span);
                    faults.push(fault.with_help("write every card of the hand"));
                }
                Err(fault) => faults.push(*fault),
            }
        }
        cards
    }
}

/// A place in a hand's text is a place in the text that holds the hand.
fn shifted(span: Span, by: usize) -> Span {
    Span::new(span.file, span.start as usize + by, span.end as usize + by)
}

fn moved(labels: Vec<Label>, by: usize) -> Vec<Label> {
    labels.into_iter().map(|label| Label { span: shifted(label.span, by), ..label }).collect()
}

fn wrong_size(model: &Ranking, hand: &Hand, count: usize) -> Option<Diagnostic> {
    if u8::try_from(count).is_ok_and(|size| model.sizes.contains(&size)) {
        return None;
    }
    let (least, most) = (model.sizes.start(), model.sizes.end());
    let wanted = if least == most { format!("{least}") } else { format!("{least} to {most}") };
    let cards = if count == 1 { "1 card".to_owned() } else { format!("{count} cards") };
    let message = format!("`{}` has {cards}, and `{}` compares hands of {wanted}", hand.label, model.name);
    Some(Diagnostic::new(Code::WrongSize, message, Span::new(hand.file, hand.start, hand.start + hand.text.len())))
}

fn refused(model: &Ranking, refusal: Refusal, hand: &Hand, cards: &[(Held, Span)]) -> Diagnostic {
    let whole = Span::new(hand.file, hand.start, hand.start + hand.text.len());
    let place = |position: usize| cards.get(position).map_or(whole, |(_, span)| *span);
    let text = |piece: PieceId| model.deck.pieces.get(usize::from(piece)).map_or("", |piece| piece.text.as_str());
    let written = |position: usize| cards.get(position).map_or("", |(held, _)| text(held.piece));
    let example = || model.deck.pieces.iter().rev().find(|piece| !piece.values.is_empty()).map_or("", |piece| piece.text.as_str());
    match refusal {
        Refusal::WrongSize => Diagnostic::new(Code::WrongSize, "the hand is of a size that is not compared", whole),
        Refusal::TooManyCopies(piece) => Diagnostic::new(Code::DuplicateCard, format!("the pack holds fewer `{}`", text(piece)), whole),
        Refusal::NotNamed(position) => {
            let piece = written(position);
            Diagnostic::new(Code::NotNamed, format!("the holder must say what `{piece}` stands for"), place(position))
                .with_help(format!("write it behind the card: `{piece}={}`", example()))
        }
        Refusal::CalledNotAllowed(position) => {
            Diagnostic::new(Code::NotNamed, format!("`{}` may not stand for what its holder calls it", written(position)), place(position))
        }
        Refusal::NoClass => Diagnostic::new(Code::NoRanking, format!("no class of `{}` fits the hand", model.name), whole)
            .with_help("a class `anything` below all others takes what is left"),
    }
}

fn in_order(ruled: &RuledRanking, hands: &[Hand], standings: Vec<(Vec<Held>, Standing)>) -> Ranked {
    let model = &ruled.model;
    let text = |piece: PieceId| model.deck.pieces.get(usize::from(piece)).map_or(String::new(), |piece| piece.text.clone());
    let ranked: Vec<RankedHand> = hands
        .iter()
        .zip(standings)
        .map(|(hand, (cards, standing))| RankedHand {
            label: hand.label.clone(),
            class: standing.class,
            class_name: model.classes.get(standing.class).map_or(String::new(), |class| class.name.clone()),
            from: ruled.classes.get(standing.class).cloned(),
            keys: describe_key(model, &cards, &standing),
            meanings: standing.meanings.iter().filter_map(|(at, meaning)| Some((text(cards.get(*at)?.piece), text(*meaning)))).collect(),
            cards,
            standing,
        })
        .collect();
    let mut sorted: Vec<usize> = (0..ranked.len()).collect();
    let compare = |a: &usize, b: &usize| match (ranked.get(*a), ranked.get(*b)) {
        (Some(a), Some(b)) => b.standing.compare(&a.standing).0,
        (None, _) | (_, None) => Ordering::Equal,
    };
    sorted.sort_by(compare);
    let mut order: Vec<Vec<usize>> = Vec::new();
    for hand in &sorted {
        match order.last_mut() {
            Some(level) if level.last().is_some_and(|other| compare(other, hand) == Ordering::Equal) => level.push(*hand),
            Some(_) | None => order.push(vec![*hand]),
        }
    }
    let pairs = sorted.iter().zip(sorted.iter().skip(1));
    let between = pairs
        .filter_map(|(better, worse)| Some(Between { better: *better, worse: *worse, why: why(ruled, ranked.get(*better)?, ranked.get(*worse)?) }));
    Ranked { ranking: ruled.name.clone(), order, between: between.collect(), hands: ranked }
}

fn why(ruled: &RuledRanking, better: &RankedHand, worse: &RankedHand) -> Why {
    let ties = ruled.ties.get(better.class).cloned().flatten();
    match better.standing.compare(&worse.standing).1 {
        Decider::Class => Why::Class(ruled.path(better.class, worse.class).into_iter().cloned().collect()),
        Decider::Level => Why::Level { ties },
        Decider::Key { key, position } => {
            let class = ruled.model.classes.get(better.class);
            let of = class.and_then(|class| class.keys.get(key));
            let value = |hand: &RankedHand| {
                let number = hand.standing.keys.get(key).and_then(|numbers| numbers.get(position)).copied();
                describe_value(&ruled.model, better.class, key, number)
            };
            Why::Key {
                ties,
                key,
                name: of.map_or(String::new(), |of| super::words::key_name(&ruled.model, of)),
                low: of.is_some_and(|of| of.low),
                better: value(better),
                worse: value(worse),
            }
        }
    }
}
