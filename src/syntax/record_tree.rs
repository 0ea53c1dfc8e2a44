//! What was written about cards: hands, acts at a table, whole records. Nothing is known here of any card, seat in use or act.
//!
//! As in [`tree`](super::tree), equality ignores places, and what [`Display`] prints reads back as the same.

use std::fmt::{self, Display, Formatter};

use super::tree::{At, Expr, Name, Number};

/// Cards as somebody wrote them: `Ah, A♥ the ace of hearts ? Jk=Kh`
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hand {
    pub cards: Vec<At<WrittenCard>>,
}

/// `Jk=Kh`: a card and what its holder calls it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenCard {
    pub written: Written,
    pub called: Option<Written>,
}

/// One card.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Written {
    /// `Ah`, `A♥`, `10h`
    Compact(String),
    /// `ace of hearts`, `the ace of hearts`
    Phrase(String, String),
    /// `?`
    Unknown,
}

/// A seat, `A` to `H`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Seat(pub char);

/// Who acts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum By {
    Seat(Seat),
    /// `table`: nobody in particular
    Table,
}

/// Something behind the name of an act.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Argument {
    /// `5`
    Number(i64),
    /// `three`, `B`, `5d`, `the ace of hearts`: a word, a seat or a card, which only the act can tell
    Written(WrittenCard),
    /// `against A`
    Against(Seat),
}

/// `A: play 5d ! revoke after 12`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Act {
    pub by: At<By>,
    pub act: Name,
    pub arguments: Vec<At<Argument>>,
    /// `! revoke`: it was irregular.
    pub breach: Option<Name>,
    /// `after 12`: behind the item of that number.
    pub after: Option<Number>,
}

/// `agree who-deals = B`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Agreement {
    pub question: Name,
    /// `agree pays A B = 3`; without them it holds whatever they are.
    pub arguments: Vec<At<Argument>>,
    pub value: Vec<At<Argument>>,
}

/// `given stack A = 12`: what an account, a tally or a fact holds when play starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Given {
    pub name: Name,
    pub index: Vec<At<Argument>>,
    pub value: Vec<At<Argument>>,
}

/// What may happen at a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    Act(Act),
    Agree(Agreement),
}

/// One line of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// `rulebook foster-draw`
    Rulebook(Name),
    /// `house rose-lane`
    House(Name),
    /// `with southern`
    With(Name),
    /// `set limit = 20`
    Set {
        name: Name,
        value: Expr,
    },
    /// `choose joker = out`
    Choose {
        option: Name,
        branch: Name,
    },
    /// `start play A`
    Start {
        procedure: Name,
        arguments: Vec<At<Argument>>,
    },
    /// `dealer A`
    Dealer(At<Seat>),
    /// `role banker A`
    Role {
        role: Name,
        seat: At<Seat>,
    },
    /// `seats 4`
    Seats(Number),
    Given(Given),
    /// `deal A: Ts 6s Ac Kd 5d`
    Deal {
        seat: At<Seat>,
        cards: Hand,
    },
    /// `deck: As Kd …`
    Deck(Hand),
    /// `stock: As Kd …`
    Stock(Hand),
    Step(Step),
}

/// A whole record: its lines in their order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Record {
    pub lines: Vec<At<Line>>,
}

impl Display for Written {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Written::Compact(word) => f.write_str(word),
            Written::Phrase(value, suit) => write!(f, "{value} of {suit}"),
            Written::Unknown => f.write_str("?"),
        }
    }
}

impl Display for WrittenCard {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.written.fmt(f)?;
        match &self.called {
            Some(called) => write!(f, "={called}"),
            None => Ok(()),
        }
    }
}

/// Phrases are set off by commas, for `ace of hearts king of hearts` is hard to read.
impl Display for Hand {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let is_phrase = |written: &Written| matches!(written, Written::Phrase(..));
        let words = self.cards.iter().any(|card| is_phrase(&card.it.written) || card.it.called.as_ref().is_some_and(is_phrase));
        for (index, card) in self.cards.iter().enumerate() {
            if index > 0 {
                f.write_str(if words { ", " } else { " " })?;
            }
            card.it.fmt(f)?;
        }
        Ok(())
    }
}

impl Display for Seat {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Display for By {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            By::Seat(seat) => seat.fmt(f),
            By::Table => f.write_str("table"),
        }
    }
}

impl Display for Argument {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Argument::Number(number) => number.fmt(f),
            Argument::Written(card) => card.fmt(f),
            Argument::Against(seat) => write!(f, "against {seat}"),
        }
    }
}

fn arguments(f: &mut Formatter<'_>, arguments: &[At<Argument>]) -> fmt::Result {
    for argument in arguments {
        write!(f, " {}", argument.it)?;
    }
    Ok(())
}

impl Display for Act {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.by.it, self.act.it)?;
        arguments(f, &self.arguments)?;
        if let Some(breach) = &self.breach {
            write!(f, " ! {}", breach.it)?;
        }
        match &self.after {
            Some(after) => write!(f, " after {}", after.it),
            None => Ok(()),
        }
    }
}

impl Display for Step {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Step::Act(act) => act.fmt(f),
            Step::Agree(Agreement { question, arguments: with, value }) => {
                write!(f, "agree {}", question.it)?;
                arguments(f, with)?;
                f.write_str(" =")?;
                arguments(f, value)
            }
        }
    }
}

/// A blank, unless nothing follows it.
fn before(cards: &Hand) -> &'static str {
    if cards.cards.is_empty() { "" } else { " " }
}

impl Display for Line {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Line::Rulebook(name) => write!(f, "rulebook {}", name.it),
            Line::House(name) => write!(f, "house {}", name.it),
            Line::With(name) => write!(f, "with {}", name.it),
            Line::Set { name, value } => write!(f, "set {} = {}", name.it, super::print::expression(value)),
            Line::Choose { option, branch } => write!(f, "choose {} = {}", option.it, branch.it),
            Line::Start { procedure, arguments: given } => {
                write!(f, "start {}", procedure.it)?;
                arguments(f, given)
            }
            Line::Role { role, seat } => write!(f, "role {} {}", role.it, seat.it),
            Line::Given(Given { name, index, value }) => {
                write!(f, "given {}", name.it)?;
                arguments(f, index)?;
                f.write_str(" =")?;
                arguments(f, value)
            }
            Line::Dealer(seat) => write!(f, "dealer {}", seat.it),
            Line::Seats(number) => write!(f, "seats {}", number.it),
            Line::Deal { seat, cards } => write!(f, "deal {}:{}{cards}", seat.it, before(cards)),
            Line::Deck(cards) => write!(f, "deck:{}{cards}", before(cards)),
            Line::Stock(cards) => write!(f, "stock:{}{cards}", before(cards)),
            Line::Step(step) => step.fmt(f),
        }
    }
}

impl Display for Record {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.lines.iter().try_for_each(|line| writeln!(f, "{}", line.it))
    }
}
