//! Values and acts as people write them, and what people wrote as values. Clauses 3.7 and 5.18.

use super::state::Arguments;
use super::value::{Value, seats_of};
use crate::diagnostic::{Code, Diagnostic};
use crate::rules::kinds::{Kind, KindId};
use crate::rules::table::program::{Index, NameId, PieceFace, PieceId, Program, SeatId, Type};
use crate::rules::{Card, Pack, Rulebook, advice};
use crate::source::Span;
use crate::syntax::record_tree::{Argument, Written};
use crate::syntax::tree::At;

/// How everything on a table is called and written.
#[derive(Clone, Copy, Debug)]
pub struct Words<'r> {
    pub program: &'r Program,
    pub(super) packs: &'r [Pack],
    kinds: &'r [Kind],
}

/// A written argument, before anybody has looked at the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Given {
    /// It is left out.
    Left,
    Value(Value),
    /// Pieces by kind and face; `None`: one that nobody has seen. Which of several like pieces it is, the table tells.
    Pieces {
        faces: Vec<Option<(usize, PieceFace)>>,
        many: bool,
    },
}

/// What may be left out of a list of arguments.
pub(super) type MayLeave<'a> = &'a dyn Fn(usize) -> bool;

/// A text can be read in so many ways at most.
const MOST_READINGS: usize = 64;

/// A letter for each seat.
pub fn letter(seat: SeatId) -> char {
    char::from(b'A'.saturating_add(seat.min(7)))
}

/// The seat of a letter.
pub fn seat_of(letter: char) -> Option<SeatId> {
    ('A'..='H').position(|other| other == letter).and_then(|at| SeatId::try_from(at).ok())
}

impl<'r> Words<'r> {
    /// The words of a rulebook for its own program, or for a copy of it.
    pub fn new(rulebook: &'r Rulebook, program: &'r Program) -> Words<'r> {
        Words { program, packs: &rulebook.packs, kinds: rulebook.kinds() }
    }

    pub fn name(&self, name: NameId) -> &'r str {
        self.program.names.get(name).map_or("", |name| name.name.as_str())
    }

    /// `5d`, `?`
    pub fn piece(&self, piece: PieceId) -> &'r str {
        self.program.pieces.get(usize::from(piece)).map_or("?", |piece| piece.text.as_str())
    }

    pub fn pieces(&self, pieces: &[PieceId]) -> String {
        pieces.iter().map(|piece| self.piece(*piece)).collect::<Vec<_>>().join(" ")
    }

    pub fn member(&self, kind: KindId, member: u8) -> &'r str {
        let named = self.program.kinds.get(kind).and_then(|kind| kind.members.get(usize::from(member)));
        named.map_or("?", String::as_str)
    }

    /// A value in words: `three`, `5d`, `{ A, C }`, `none`.
    pub fn value(&self, value: &Value, kind: &Type) -> String {
        match value {
            Value::Seats(_) | Value::Pieces(_) | Value::Members(_) => format!("{{ {} }}", self.members(value, kind, ", ")).replace("{  }", "{ }"),
            Value::List(_) => format!("[ {} ]", self.members(value, kind, ", ")).replace("[  ]", "[ ]"),
            Value::Unknown => "unknown".to_owned(),
            Value::None
            | Value::Number(_)
            | Value::Truth(_)
            | Value::Member(_)
            | Value::Seat(_)
            | Value::Piece(_)
            | Value::Entry(..)
            | Value::Entered(..)
            | Value::Text(_)
            | Value::Account(_) => self.one(value, kind),
        }
    }

    fn one(&self, value: &Value, kind: &Type) -> String {
        match (value, kind) {
            (value, Type::Maybe(of)) => self.one(value, of),
            (Value::Member(member), Type::Member(kind)) => self.member(*kind, *member).to_owned(),
            (Value::Member(ranking), Type::Ranking { .. }) => {
                self.program.families.get(usize::from(*ranking)).map_or("?", |family| family.name.as_str()).to_owned()
            }
            (Value::Member(member), _) => format!("{member}"),
            (Value::None, _) => "none".to_owned(),
            (Value::Number(number), _) => number.to_string(),
            (Value::Truth(truth), _) => if *truth { "yes" } else { "no" }.to_owned(),
            (Value::Seat(seat), _) => letter(*seat).to_string(),
            (Value::Piece(piece), _) => self.piece(*piece).to_owned(),
            (Value::Text(text), _) => text.to_string(),
            (Value::Entry(name, _), _) => self.name(*name).to_owned(),
            (Value::Account(holder), _) => super::counters::account_in_words(self.program, *holder),
            (Value::Entered(tally, _), _) => self.program.tallies.get(*tally).map_or("?", |tally| tally.name.as_str()).to_owned(),
            (Value::Unknown, _) => "?".to_owned(),
            (Value::Pieces(_) | Value::Seats(_) | Value::Members(_) | Value::List(_), _) => self.members(value, kind, " "),
        }
    }

    fn members(&self, value: &Value, kind: &Type, between: &str) -> String {
        let inner = kind.member_or_self();
        super::eval::members(value).iter().map(|member| self.one(member, inner)).collect::<Vec<_>>().join(between)
    }

    /// An act, an event or a breach as a record has it: `A: play 5d`, `table: exposed Ah B`.
    pub fn act(&self, name: NameId, by: Option<SeatId>, arguments: &[Value]) -> String {
        let own = self.own_seat(name).filter(|own| by.is_some_and(|by| arguments.get(*own) == Some(&Value::Seat(by))));
        let by = by.map_or("table".to_owned(), |by| letter(by).to_string());
        format!("{by}: {}{}", self.name(name), self.all_but(own, name, arguments))
    }

    /// The argument of an event or a right that is the seat which acts: it need not be written.
    fn own_seat(&self, name: NameId) -> Option<usize> {
        let hook = self.program.hooks.iter().find(|hook| hook.name == name)?;
        let slot = super::fill::seat_that_acts(&hook.by)?;
        hook.parameters.iter().position(|parameter| parameter.slot == slot)
    }

    /// ` 5d A`, with a blank in front of each.
    pub fn arguments(&self, name: NameId, arguments: &[Value]) -> String {
        self.all_but(None, name, arguments)
    }

    fn all_but(&self, left_out: Option<usize>, name: NameId, arguments: &[Value]) -> String {
        let types = self.program.names.get(name).map_or(&[][..], |name| name.arguments.as_slice());
        let of = |at: usize| types.get(at).map_or(&Type::Text, |(_, kind)| kind);
        let words = arguments.iter().enumerate().filter(|(at, _)| Some(*at) != left_out).map(|(at, value)| self.one(value, of(at)));
        words.filter(|word| !word.is_empty()).map(|word| format!(" {word}")).collect()
    }

    /// A cell of a family by its name: `won of A`, `points of north-south`, `pack`.
    pub fn cell(&self, name: &str, indices: &[Index], mut offset: usize) -> String {
        let mut words = Vec::new();
        for index in indices.iter().rev() {
            let at = u8::try_from(offset % index.size().max(1)).unwrap_or(0);
            offset /= index.size().max(1);
            words.push(match index {
                Index::Seat => letter(at).to_string(),
                Index::Kind(kind, _) => self.member(*kind, at).to_owned(),
            });
        }
        words.reverse();
        if words.is_empty() { name.to_owned() } else { format!("{name} of {}", words.join(", ")) }
    }

    /// The pieces with a face, each copy for itself.
    pub(super) fn copies(&self, kind: usize, face: PieceFace) -> impl Iterator<Item = PieceId> {
        let of = self.program.pieces.iter().zip(0u8..).filter(move |(piece, _)| piece.kind == kind && piece.face == face);
        of.map(|(_, piece)| piece)
    }

    /// Reads a card of one kind of piece: kind and face.
    pub(super) fn card(&self, kind: usize, written: &str, span: Span) -> Result<Option<(usize, PieceFace)>, Box<Diagnostic>> {
        let Some(pack) = self.packs.get(kind) else {
            return Err(Box::new(Diagnostic::new(Code::UnreadableCard, "this rulebook has no pieces", span)));
        };
        Ok(match pack.notation.read(&pack.deck, written, span)? {
            Card::Held(held) => Some((kind, PieceFace::from(held.piece))),
            Card::Unknown => None,
        })
    }

    /// Reads a card of whatever kind it is.
    pub(super) fn any_card(&self, written: &str, span: Span) -> Result<Option<(usize, PieceFace)>, Box<Diagnostic>> {
        let mut first = None;
        for kind in 0..self.packs.len().max(1) {
            match self.card(kind, written, span) {
                Ok(read) => return Ok(read),
                Err(fault) => first = first.or(Some(fault)),
            }
        }
        Err(first.unwrap_or_else(|| Box::new(Diagnostic::new(Code::UnreadableCard, format!("`{written}` is no piece"), span))))
    }

    /// Every way to read arguments as values of these types. `seated`: the seats in use.
    ///
    /// # Errors
    /// None is found: what is wrong with the argument that comes first of those that nothing fits.
    pub(super) fn read(
        &self,
        wanted: &[(&str, &Type)],
        may_leave: MayLeave<'_>,
        seated: u8,
        written: &[At<Argument>],
        end: Span,
    ) -> Result<Vec<Vec<Given>>, Box<Diagnostic>> {
        let mut reading = Reading { words: self, wanted, may_leave, seated, written, end, found: Vec::new(), worst: None };
        reading.from(0, 0, &mut Vec::new());
        match (reading.found.is_empty(), reading.worst) {
            (false, _) => Ok(reading.found),
            (true, Some((_, fault))) => Err(fault),
            (true, None) => Err(Box::new(Diagnostic::new(Code::TypeMismatch, "these arguments cannot be read", end))),
        }
    }
}

/// Arguments being matched with parameters, with every way tried.
struct Reading<'a, 'r> {
    words: &'a Words<'r>,
    wanted: &'a [(&'a str, &'a Type)],
    may_leave: MayLeave<'a>,
    seated: u8,
    written: &'a [At<Argument>],
    /// Where a missing argument is missed.
    end: Span,
    found: Vec<Vec<Given>>,
    /// The fault that stands farthest to the right.
    worst: Option<(usize, Box<Diagnostic>)>,
}

impl Reading<'_, '_> {
    fn from(&mut self, parameter: usize, argument: usize, given: &mut Vec<Given>) {
        if self.found.len() >= MOST_READINGS {
            return;
        }
        let Some((name, kind)) = self.wanted.get(parameter).copied() else {
            match self.written.get(argument) {
                None => self.found.push(given.clone()),
                Some(extra) => {
                    let fault = Diagnostic::new(Code::TypeMismatch, format!("`{}` is one thing too many here", extra.it), extra.span);
                    self.fault(argument, fault);
                }
            }
            return;
        };
        match kind {
            Type::Account => self.account(parameter, argument, given),
            Type::Set(of) | Type::List(of) => self.several(parameter, argument, (kind, of), given),
            Type::Number
            | Type::Truth
            | Type::Member(_)
            | Type::Seat
            | Type::Piece(_)
            | Type::Maybe(_)
            | Type::None
            | Type::Nothing
            | Type::Entry(_)
            | Type::Ranking { .. }
            | Type::Entered(_)
            | Type::Text => match self.written.get(argument) {
                Some(written) => match self.one(kind, written) {
                    Ok(value) => {
                        given.push(value);
                        self.from(parameter + 1, argument + 1, given);
                        given.pop();
                    }
                    Err(fault) => self.fault(argument, *fault),
                },
                None if (self.may_leave)(parameter) => {}
                None => {
                    let fault = Diagnostic::new(Code::TypeMismatch, format!("{} is missing: `{name}`", self.a(kind)), self.end);
                    self.fault(argument, fault.saying("missing behind this"));
                }
            },
        }
        if (self.may_leave)(parameter) {
            given.push(Given::Left);
            self.from(parameter + 1, argument, given);
            given.pop();
        }
    }

    /// The members of a set stand one after the other; as many as fit.
    fn several(&mut self, parameter: usize, argument: usize, (kind, of): (&Type, &Type), given: &mut Vec<Given>) {
        let mut values = Vec::new();
        for (at, written) in self.written.iter().enumerate().skip(argument) {
            match self.one(of, written) {
                Ok(value) => values.push(value),
                Err(fault) => {
                    self.fault(at, *fault);
                    break;
                }
            }
        }
        for count in (0..=values.len()).rev() {
            let taken = values.get(..count).unwrap_or(&[]);
            given.push(together(taken, kind));
            self.from(parameter + 1, argument + count, given);
            given.pop();
        }
    }

    /// An account: its name, and behind it which of a family, or whose share.
    fn account(&mut self, parameter: usize, argument: usize, given: &mut Vec<Given>) {
        let read = self.written.get(argument).map_or_else(Vec::new, |first| {
            let behind = self.written.get(argument + 1..).unwrap_or(&[]);
            self.words.read_account(&first.it.to_string(), behind.iter().map(|word| word.it.to_string()))
        });
        if read.is_empty() {
            match self.written.get(argument) {
                Some(wrong) => {
                    let fault = Diagnostic::new(Code::TypeMismatch, format!("`{}` is not {}", wrong.it, self.a(&Type::Account)), wrong.span);
                    self.fault(argument, fault.with_help("write its name, and behind it the seat or the value that it is of"));
                }
                None if (self.may_leave)(parameter) => {}
                None => {
                    let fault = Diagnostic::new(Code::TypeMismatch, "an account is missing", self.end);
                    self.fault(argument, fault.saying("missing behind this"));
                }
            }
        }
        for (holder, used) in read {
            given.push(Given::Value(Value::Account(holder)));
            self.from(parameter + 1, argument + used, given);
            given.pop();
        }
    }

    fn fault(&mut self, at: usize, fault: Diagnostic) {
        if self.worst.as_ref().is_none_or(|(worst, _)| at > *worst) {
            self.worst = Some((at, Box::new(fault)));
        }
    }

    fn one(&self, kind: &Type, written: &At<Argument>) -> Result<Given, Box<Diagnostic>> {
        let text = match &written.it {
            Argument::Number(number) => number.to_string(),
            Argument::Against(seat) => seat.to_string(),
            Argument::Written(card) => card.written.to_string(),
        };
        let wrong = |help: Option<String>| {
            let fault = Diagnostic::new(Code::TypeMismatch, format!("`{}` is not {}", written.it, self.a(kind)), written.span);
            Box::new(match help {
                Some(help) => fault.with_help(help),
                None => fault,
            })
        };
        match kind {
            Type::Maybe(of) => {
                if text == "none" || text == "nobody" {
                    Ok(Given::Value(Value::None))
                } else {
                    self.one(of, written)
                }
            }
            Type::Number => match &written.it {
                Argument::Number(number) => Ok(Given::Value(Value::Number(*number))),
                Argument::Written(_) | Argument::Against(_) => Err(wrong(None)),
            },
            Type::Truth => match text.as_str() {
                "yes" => Ok(Given::Value(Value::Truth(true))),
                "no" => Ok(Given::Value(Value::Truth(false))),
                _ => Err(wrong(Some("write `yes` or `no`".to_owned()))),
            },
            Type::Member(of) => self.words.read_member(*of, &text).map(|member| Given::Value(Value::Member(member))).ok_or_else(|| {
                let names = self.words.program.kinds.get(*of).map_or(&[][..], |kind| kind.members.as_slice());
                wrong(
                    advice::did_you_mean(&text, names.iter().map(String::as_str))
                        .or_else(|| (names.len() <= 13).then(|| format!("there is {}", advice::all_of(names.iter().map(String::as_str))))),
                )
            }),
            Type::Seat => {
                let mut letters = text.chars();
                match (letters.next().and_then(seat_of), letters.next()) {
                    (Some(seat), None) if self.seated >> seat & 1 == 1 => Ok(Given::Value(Value::Seat(seat))),
                    (Some(_), None) => Err(Box::new(nobody_sits(&text, self.seated, written.span))),
                    _ => Err(wrong(None)),
                }
            }
            Type::Piece(of) => {
                if let Argument::Written(card) = &written.it
                    && card.written == Written::Unknown
                {
                    return Ok(Given::Pieces { faces: vec![None], many: false });
                }
                Ok(Given::Pieces { faces: vec![self.words.card(*of, &text, written.span)?], many: false })
            }
            Type::Set(_)
            | Type::List(_)
            | Type::None
            | Type::Nothing
            | Type::Entry(_)
            | Type::Entered(_)
            | Type::Account
            | Type::Ranking { .. }
            | Type::Text => Err(wrong(None)),
        }
    }

    /// `a seat`
    fn a(&self, kind: &Type) -> String {
        match kind {
            Type::Number => "a number".to_owned(),
            Type::Truth => "`yes` or `no`".to_owned(),
            Type::Member(kind) => {
                let name = self.words.program.kinds.get(*kind).map_or("", |kind| kind.name.as_str());
                if name.is_empty() { "a word that may stand here".to_owned() } else { format!("a {name}") }
            }
            Type::Seat => "a seat".to_owned(),
            Type::Piece(kind) => format!("a {}", self.words.packs.get(*kind).map_or("piece", |pack| pack.piece.as_str())),
            Type::Maybe(of) => format!("{} or `none`", self.a(of)),
            Type::Account => "an account".to_owned(),
            Type::Set(_) | Type::List(_) | Type::None | Type::Nothing | Type::Entry(_) | Type::Entered(_) | Type::Ranking { .. } | Type::Text => {
                "anything that a record can say".to_owned()
            }
        }
    }
}

impl Words<'_> {
    /// A member by its name, or by one of its texts.
    pub fn read_member(&self, kind: KindId, text: &str) -> Option<u8> {
        let text = text.to_lowercase();
        let is = |kind: &&Kind| -> Option<usize> {
            let by_name = kind.members.iter().position(|member| member.name == text);
            by_name.or_else(|| kind.members.iter().position(|member| member.written.iter().any(|way| way.to_lowercase() == text)))
        };
        self.kinds.get(kind).as_ref().and_then(is).and_then(|member| u8::try_from(member).ok())
    }
}

/// Nobody sits at that seat.
pub(super) fn nobody_sits(seat: &str, seated: u8, span: Span) -> Diagnostic {
    let last = seats_of(seated).last().map_or('A', letter);
    Diagnostic::new(Code::BadRecord, format!("nobody sits at `{seat}`"), span).with_help(format!("the seats are `A` to `{last}`"))
}

/// Values as one set or list.
fn together(values: &[Given], kind: &Type) -> Given {
    let mut faces = Vec::new();
    let mut plain = Vec::new();
    for value in values {
        match value {
            Given::Pieces { faces: one, .. } => faces.extend(one.iter().copied()),
            Given::Value(value) => plain.push(value.clone()),
            Given::Left => {}
        }
    }
    if plain.is_empty() {
        return Given::Pieces { faces, many: true };
    }
    Given::Value(if matches!(kind, Type::List(_)) { Value::list(plain) } else { super::eval::set_from(plain) })
}

/// Arguments with nothing left open, where there is no table to ask: pieces are the first copy of their face.
pub(super) fn settled(words: &Words<'_>, given: &[Given]) -> Option<Arguments> {
    let piece = |face: &Option<(usize, PieceFace)>| face.and_then(|(kind, face)| words.copies(kind, face).next());
    let many = |faces: &[Option<(usize, PieceFace)>]| super::eval::set_from(faces.iter().filter_map(piece).map(Value::Piece).collect());
    let value = |given: &Given| match given {
        Given::Left => None,
        Given::Value(value) => Some(value.clone()),
        Given::Pieces { faces, many: true } => Some(many(faces)),
        Given::Pieces { faces, many: false } => Some(faces.first().and_then(piece).map_or(Value::Unknown, Value::Piece)),
    };
    given.iter().map(value).collect()
}
