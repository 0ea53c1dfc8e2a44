//! Reads hands, acts and table records: `grammar/record.pest`, line by line.
//!
//! Like `parse`, it holds the text against the limits first, reports every line that is wrong, and names the parser library nowhere else.

#![expect(clippy::wildcard_enum_match_arm, reason = "the parser library's enum has a variant for every line of the grammar")]

use pest::Parser as _;
use pest::error::{ErrorVariant, InputLocation};
use pest::iterators::{Pair, Pairs};

use self::grammar::{Grammar, Rule};
use super::parse::{self, limits};
use super::record_tree::{Act, Agreement, Argument, By, Given, Hand, Line, Record, Seat, Step, Written, WrittenCard};
use super::scan::is_blank;
use super::tree::{At, Name, Number};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::{FileId, Span};

/// What the parser library makes of `grammar/record.pest`.
mod grammar {
    #![allow(missing_docs, missing_debug_implementations, clippy::all, clippy::pedantic, clippy::restriction)]

    #[derive(pest_derive::Parser)]
    #[grammar = "../grammar/record.pest"]
    pub(super) struct Grammar;
}

/// What stands behind a name.
type Arguments = Vec<At<Argument>>;

/// After so many faults in one record the rest of it is not read.
const MOST_FAULTS: usize = 50;

/// Reads cards: `Ah, A♥ the ace of hearts ? Jk=Kh`. Line breaks separate like blanks.
pub fn hand(file: FileId, text: &str) -> (Option<Hand>, Vec<Diagnostic>) {
    whole(file, text, Rule::hand, |reader, node| reader.hand(node.into_inner().next()?))
}

/// Reads one act, `A: play 5d ! revoke after 12`, or agreement, `agree who-deals = B`.
pub fn step(file: FileId, text: &str) -> (Option<Step>, Vec<Diagnostic>) {
    whole(file, text, Rule::step, |reader, node| reader.step(node.into_inner().next()?))
}

/// Reads a record: a header line or an act on each line; `#` begins a comment.
pub fn record(file: FileId, text: &str) -> (Record, Vec<Diagnostic>) {
    let mut record = Record::default();
    let checked = limits::check_lines(file, text);
    let mut faults = checked.faults;
    if !checked.may_parse {
        return (record, faults);
    }
    let mut start = 0;
    for line in text.split('\n') {
        let from = start + line.bytes().take_while(|&byte| is_blank(byte)).count();
        let end = start + without_comment(line).trim_end().len();
        start += line.len() + 1;
        if from >= end {
            continue;
        }
        if faults.len() >= MOST_FAULTS {
            break;
        }
        record.lines.extend(read_line(file, text, from, end, &mut faults));
    }
    (record, faults)
}

/// A line up to its comment. Inside a word `#` is no comment, but it is nothing else either.
fn without_comment(line: &str) -> &str {
    line.split('#').next().unwrap_or("")
}

fn read_line(file: FileId, text: &str, from: usize, end: usize, faults: &mut Vec<Diagnostic>) -> Option<At<Line>> {
    let reader = Reader { file, text, base: from };
    let node = reader.parse(Rule::line, end).map_err(|fault| faults.push(*fault)).ok()?;
    let node = node.into_inner().next()?;
    let span = reader.span(&node);
    Some(At::new(reader.line(node, faults)?, span))
}

/// Reads a text that is one thing.
fn whole<T>(file: FileId, text: &str, rule: Rule, build: impl Fn(&Reader<'_>, Pair<'_, Rule>) -> Option<T>) -> (Option<T>, Vec<Diagnostic>) {
    let mut checked = limits::check_lines(file, text);
    if !checked.may_parse {
        return (None, checked.faults);
    }
    let reader = Reader { file, text, base: 0 };
    match reader.parse(rule, text.len()) {
        Ok(node) => (build(&reader, node), checked.faults),
        Err(fault) => {
            checked.faults.push(*fault);
            (None, checked.faults)
        }
    }
}

struct Reader<'t> {
    file: FileId,
    text: &'t str,
    /// Where the parsed piece begins.
    base: usize,
}

/// The functions that build answer nothing where the grammar does not allow for it: the line is then left out, and a test holds that none is.
impl<'t> Reader<'t> {
    fn parse(&self, rule: Rule, end: usize) -> Result<Pair<'t, Rule>, Box<Diagnostic>> {
        let piece = self.text.get(self.base..end).unwrap_or("");
        match Grammar::parse(rule, piece) {
            Ok(mut pairs) => pairs.next().ok_or_else(|| Box::new(self.unreadable(self.base, end, &[]))),
            Err(error) => {
                let (InputLocation::Pos(at) | InputLocation::Span((at, _))) = error.location;
                let rules = match &error.variant {
                    ErrorVariant::ParsingError { positives, .. } => positives.as_slice(),
                    ErrorVariant::CustomError { .. } => &[],
                };
                Err(Box::new(self.unreadable(self.base + at, end, rules)))
            }
        }
    }

    /// `expected …, found …` at a byte of the piece that ends at `end`.
    fn unreadable(&self, at: usize, end: usize, rules: &[Rule]) -> Diagnostic {
        let mut phrases: Vec<&str> = rules.iter().map(|rule| phrase(*rule)).filter(|phrase| !phrase.is_empty()).collect();
        phrases.sort_unstable();
        phrases.dedup();
        let wanted = parse::list(&phrases);
        let rest = self.text.get(at..end).unwrap_or("");
        let found = rest.split([' ', '\t', ',']).next().unwrap_or("");
        let found = if found.is_empty() { rest.get(..rest.chars().next().map_or(0, char::len_utf8)).unwrap_or("") } else { found };
        let span = Span::new(self.file, at, at + found.len());
        let fault = if found.is_empty() {
            let end = self.text.get(..at).map_or(at, |before| before.trim_end().len());
            Diagnostic::new(Code::Syntax, format!("expected {wanted}"), Span::new(self.file, end, end)).saying("missing here")
        } else {
            Diagnostic::new(Code::Syntax, format!("expected {wanted}, found {}", parse::quoted(found)), span)
        };
        match help(found, &phrases) {
            Some(help) => fault.with_help(help),
            None => fault,
        }
    }

    fn span(&self, node: &Pair<'_, Rule>) -> Span {
        // What might have gone on behind a node leaves the white space before it to the node.
        let span = node.as_span();
        Span::new(self.file, self.base + span.start(), self.base + span.start() + span.as_str().trim_end().len())
    }

    fn name(&self, node: &Pair<'_, Rule>) -> Name {
        At::new(node.as_str().to_owned(), self.span(node))
    }

    fn number(&self, node: &Pair<'_, Rule>) -> Number {
        // A number that does not fit has been reported.
        At::new(node.as_str().parse().unwrap_or(i64::MAX), self.span(node))
    }

    fn seat(&self, node: &Pair<'_, Rule>) -> Option<At<Seat>> {
        Some(At::new(Seat(node.as_str().chars().next()?), self.span(node)))
    }

    fn hand(&self, cards: Pair<'_, Rule>) -> Option<Hand> {
        let cards = meaning(cards).map(|card| Some(At::new(self.card(card.clone())?, self.span(&card))));
        Some(Hand { cards: cards.collect::<Option<_>>()? })
    }

    fn card(&self, node: Pair<'_, Rule>) -> Option<WrittenCard> {
        let mut parts = meaning(node);
        let first = parts.next()?;
        let written = if first.as_rule() == Rule::unknown { Written::Unknown } else { written(first)? };
        let called = match parts.next() {
            Some(called) => Some(written_in(called)?),
            None => None,
        };
        Some(WrittenCard { written, called })
    }

    fn argument(&self, node: Pair<'_, Rule>) -> Option<At<Argument>> {
        let span = self.span(&node);
        let inner = meaning(node).next()?;
        let argument = match inner.as_rule() {
            Rule::number => Argument::Number(self.number(&inner).it),
            Rule::against => Argument::Against(self.seat(&meaning(inner).next()?)?.it),
            _ => Argument::Written(self.card(inner)?),
        };
        Some(At::new(argument, span))
    }

    fn step(&self, node: Pair<'_, Rule>) -> Option<Step> {
        let is_agreement = node.as_rule() == Rule::agree;
        let mut parts = meaning(node);
        if is_agreement {
            let question = self.name(&parts.next()?);
            let (arguments, value) = self.equation(parts)?;
            return Some(Step::Agree(Agreement { question, arguments, value }));
        }
        let by = parts.next()?;
        let by_span = self.span(&by);
        let seat = meaning(by).next().and_then(|seat| self.seat(&seat)).map_or(By::Table, |seat| By::Seat(seat.it));
        let mut act = Act { by: At::new(seat, by_span), act: self.name(&parts.next()?), arguments: Vec::new(), breach: None, after: None };
        for part in parts {
            match part.as_rule() {
                Rule::breach => act.breach = Some(self.name(&meaning(part).next()?)),
                Rule::after => act.after = Some(self.number(&meaning(part).next()?)),
                _ => act.arguments.push(self.argument(part)?),
            }
        }
        Some(Step::Act(act))
    }

    /// `north-south = 3`: what stands before and behind the sign.
    fn equation(&self, parts: impl Iterator<Item = Pair<'t, Rule>>) -> Option<(Arguments, Arguments)> {
        let (mut index, mut value) = (Vec::new(), Vec::new());
        for part in parts {
            if part.as_rule() != Rule::index {
                value.push(self.argument(part)?);
                continue;
            }
            let span = self.span(&part);
            let argument = match part.as_str().trim().parse() {
                Ok(number) => Argument::Number(number),
                Err(_) => Argument::Written(WrittenCard { written: written_in(part)?, called: None }),
            };
            index.push(At::new(argument, span));
        }
        Some((index, value))
    }

    fn line(&self, node: Pair<'t, Rule>, faults: &mut Vec<Diagnostic>) -> Option<Line> {
        let rule = node.as_rule();
        if matches!(rule, Rule::agree | Rule::act) {
            return self.step(node).map(Line::Step);
        }
        let mut parts = meaning(node);
        let first = parts.next()?;
        Some(match rule {
            Rule::rulebook => Line::Rulebook(self.name(&first)),
            Rule::house => Line::House(self.name(&first)),
            Rule::with => Line::With(self.name(&first)),
            Rule::set => {
                let value = self.span(&parts.next()?);
                let (value, mut more) = parse::expression_within(self.file, self.text, value);
                faults.append(&mut more);
                Line::Set { name: self.name(&first), value: value? }
            }
            Rule::choose => Line::Choose { option: self.name(&first), branch: self.name(&parts.next()?) },
            Rule::start => {
                let arguments = parts.map(|argument| self.argument(argument)).collect::<Option<_>>()?;
                Line::Start { procedure: self.name(&first), arguments }
            }
            Rule::dealer => Line::Dealer(self.seat(&first)?),
            Rule::role => Line::Role { role: self.name(&first), seat: self.seat(&parts.next()?)? },
            Rule::given => {
                let (index, value) = self.equation(parts)?;
                Line::Given(Given { name: self.name(&first), index, value })
            }
            Rule::seats => Line::Seats(self.number(&first)),
            Rule::deal => Line::Deal { seat: self.seat(&first)?, cards: self.hand(parts.next()?)? },
            Rule::deck => Line::Deck(self.hand(first)?),
            Rule::stock => Line::Stock(self.hand(first)?),
            _ => return None,
        })
    }
}

/// The parts of a node, words and signs left out. They stand together in the grammar.
fn meaning<'t>(node: Pair<'t, Rule>) -> impl Iterator<Item = Pair<'t, Rule>> {
    let pairs: Pairs<'t, Rule> = node.into_inner();
    pairs.filter(|part| !(Rule::k_of..=Rule::p_breach).contains(&part.as_rule()))
}

fn written_in(called: Pair<'_, Rule>) -> Option<Written> {
    written(meaning(called).next()?)
}

fn written(node: Pair<'_, Rule>) -> Option<Written> {
    let inner = meaning(node).next()?;
    if inner.as_rule() == Rule::compact {
        return Some(Written::Compact(inner.as_str().to_owned()));
    }
    let mut words = meaning(inner).map(|word| word.as_str().to_owned());
    Some(Written::Phrase(words.next()?, words.next()?))
}

fn phrase(rule: Rule) -> &'static str {
    match rule {
        Rule::EOI => "the end of the line",
        Rule::compact | Rule::plain | Rule::unknown | Rule::hand | Rule::cards | Rule::card | Rule::written | Rule::phrase => "a card",
        Rule::called | Rule::p_equals => "`=`",
        Rule::name => "a name",
        Rule::rest => "a value",
        Rule::number => "a number",
        Rule::seat => "a seat, `A` to `H`",
        Rule::by | Rule::act => "a seat, `A` to `H`, or `table`",
        Rule::step | Rule::line => "an act such as `A: pass`",
        Rule::argument | Rule::against => "a card, a number or a word",
        Rule::breach | Rule::p_breach => "`!`",
        Rule::after | Rule::k_after => "`after`",
        Rule::p_colon => "`:`",
        Rule::p_comma => "`,`",
        Rule::k_of => "`of`",
        Rule::k_the => "",
        Rule::k_against => "`against`",
        Rule::k_table => "`table`",
        Rule::agree | Rule::k_agree => "`agree`",
        Rule::rulebook | Rule::k_rulebook => "`rulebook`",
        Rule::house | Rule::k_house => "`house`",
        Rule::with | Rule::k_with => "`with`",
        Rule::set | Rule::k_set => "`set`",
        Rule::choose | Rule::k_choose => "`choose`",
        Rule::dealer | Rule::k_dealer => "`dealer`",
        Rule::seats | Rule::k_seats => "`seats`",
        Rule::deal | Rule::k_deal => "`deal`",
        Rule::deck | Rule::k_deck => "`deck`",
        Rule::stock | Rule::k_stock => "`stock`",
        Rule::start | Rule::k_start => "`start`",
        Rule::role | Rule::k_role => "`role`",
        Rule::given | Rule::k_given => "`given`",
        Rule::index => "a seat or a word",
        Rule::WHITESPACE | Rule::cardchar | Rule::wordchar => "",
    }
}

const HEADERS: &[&str] =
    &["rulebook", "house", "with", "set", "choose", "start", "dealer", "role", "seats", "given", "deal", "deck", "stock", "agree", "table"];

fn help(found: &str, phrases: &[&str]) -> Option<String> {
    let word = found.trim_end_matches(':');
    let acts = phrases.contains(&"an act such as `A: pass`");
    if word.len() == 1 && (acts || phrases.iter().any(|phrase| phrase.starts_with("a seat"))) {
        let seat = word.to_ascii_uppercase();
        let is_seat = ("A"..="H").contains(&seat.as_str());
        return Some(if is_seat { format!("seats are capital letters: `{seat}`") } else { "the seats are `A` to `H`".to_owned() });
    }
    if acts && let Some(meant) = parse::nearest(word, HEADERS) {
        return Some(format!("did you mean `{meant}`?"));
    }
    if phrases.contains(&"a name") && found.starts_with(|first: char| first.is_ascii_uppercase()) {
        return Some(format!("names are in lower case: `{}`", found.to_ascii_lowercase()));
    }
    None
}

#[cfg(test)]
mod tests;
