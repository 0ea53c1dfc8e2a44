//! Turns "expected one of these rules at this byte" into a sentence for somebody who plays cards.

use pest::Parser as _;
use pest::error::{Error, ErrorVariant, InputLocation};

use super::grammar::{Grammar, Rule};
use super::recover::DECLARATION_WORDS;
use super::slips;
use super::words::{Expected, Weight, expected};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::{FileId, Span};
use crate::syntax::scan::{Token, TokenKind, tokens};

/// No message lists more alternatives.
const MOST_ALTERNATIVES: usize = 6;

/// Where parsing stopped.
pub(super) struct Stop<'t> {
    pub file: FileId,
    pub text: &'t str,
    /// The byte at which the failed piece begins.
    pub from: usize,
    /// The last token before the place, within the piece.
    pub before: Option<Token>,
    /// Whether that token begins something: nothing, `;`, `{` or `}` stands before it.
    pub begins: bool,
    /// The token at the place; none at the end of the text.
    pub found: Option<Token>,
    /// Brackets that stand open there.
    pub open: Vec<Token>,
    pub expected: Vec<Expected>,
}

impl Stop<'_> {
    pub fn found_text(&self) -> &str {
        self.found.map_or("", |token| token.text(self.text))
    }

    pub fn before_text(&self) -> &str {
        self.before.map_or("", |token| token.text(self.text))
    }

    pub fn expects(&self, phrase: &str) -> bool {
        self.expected.iter().any(|expected| expected.phrase == phrase)
    }

    pub fn span(&self, token: Token) -> Span {
        Span::new(self.file, token.start, token.end)
    }

    /// Whether something ends between the two tokens: their line, or the text.
    fn line_ends(&self) -> bool {
        let (Some(before), Some(found)) = (self.before, self.found) else {
            return self.found.is_none();
        };
        self.text.get(before.end..found.start).is_some_and(|between| between.contains('\n'))
    }
}

/// Whether `word` is a word of the language, which no name may be.
pub(super) fn is_reserved(word: &str) -> bool {
    let whole = |pairs: pest::iterators::Pairs<'_, Rule>| pairs.as_str().len() == word.len();
    Grammar::parse(Rule::keyword, word).is_ok_and(whole)
}

/// The diagnostic for an error of the parser library; `base` is where the text that it parsed begins, and the second result the byte of the error.
pub(super) fn explain(file: FileId, text: &str, base: usize, error: &Error<Rule>) -> (Diagnostic, usize) {
    let at = base
        + match error.location {
            InputLocation::Pos(at) => at,
            InputLocation::Span((start, _)) => start,
        };
    let rules = match &error.variant {
        ErrorVariant::ParsingError { positives, .. } => positives.as_slice(),
        // The only other error is the guard of the stack.
        ErrorVariant::CustomError { .. } => {
            let fault = Diagnostic::new(Code::TooDeep, "too many parts in one expression", Span::new(file, at, at));
            return (fault.with_help("name a part of it with `def` or `let`"), at);
        }
    };
    let stop = stop(file, text, base, at, rules);
    (sentence(&stop), at)
}

fn stop<'t>(file: FileId, text: &'t str, from: usize, at: usize, rules: &[Rule]) -> Stop<'t> {
    let mut all: Vec<Expected> = rules.iter().flat_map(|rule| expected(*rule)).collect();
    all.sort();
    all.dedup_by(|one, other| one.phrase == other.phrase);
    let mut stop = Stop { file, text, from, before: None, begins: false, found: None, open: Vec::new(), expected: all };
    for token in tokens(text, from).filter(|token| token.kind != TokenKind::Comment) {
        if token.end > at {
            // The place may lie inside a token of the scan: `a_b` is one word here and none in the grammar.
            stop.found = Some(token);
            break;
        }
        match token.sign(text) {
            '(' | '[' | '{' => stop.open.push(token),
            ')' | ']' | '}' => drop(stop.open.pop()),
            _ => {}
        }
        stop.begins = stop.before.is_none_or(|before| matches!(before.sign(text), ';' | '{' | '}'));
        stop.before = Some(token);
    }
    stop
}

fn sentence(stop: &Stop<'_>) -> Diagnostic {
    if let Some(slip) = slips::whole(stop) {
        return slip;
    }
    let found = stop.found_text();
    let names_wanted = stop.expects("a name") || stop.expects("the name of an act");
    if names_wanted && !stop.line_ends() && is_reserved(found) {
        return reserved(stop, found);
    }
    // The next statement or declaration has begun, or everything ends: nothing is wrong with what was found.
    let ends = stop.line_ends() || (stop.expects("`;`") && (found == "}" || DECLARATION_WORDS.contains(&found)));
    let mut fault = if ends && firm(stop) { missing(stop) } else { unexpected(stop) };
    if let Some(open) = stop.open.last().filter(|open| is_forgotten(stop, **open)) {
        fault = fault.with_label(stop.span(*open), "this is still open");
    }
    for help in slips::helps(stop) {
        fault = fault.with_help(help);
    }
    fault
}

/// Whether the innermost open bracket is perhaps what is wrong: another one is closed, or the next declaration begins inside it.
fn is_forgotten(stop: &Stop<'_>, open: Token) -> bool {
    let found = stop.found_text();
    let closer = match open.sign(stop.text) {
        '(' => ")",
        '[' => "]",
        _ => "}",
    };
    let between = stop.text.get(open.start..stop.found.map_or(stop.text.len(), |token| token.start)).unwrap_or("");
    let begins = DECLARATION_WORDS.contains(&found) && stop.expects("`}`") && between.contains('\n');
    begins || (matches!(found, ")" | "]" | "}") && found != closer)
}

fn firm(stop: &Stop<'_>) -> bool {
    stop.expected.iter().any(|expected| expected.weight == Weight::Firm)
}

fn reserved(stop: &Stop<'_>, word: &str) -> Diagnostic {
    let message = format!("`{word}` is a word of the language and cannot be a name");
    let span = stop.found.map_or_else(Span::default, |token| stop.span(token));
    // `choose sinking = no;`: nobody gives a name here, but takes one that is there.
    let line = stop.found.and_then(|token| stop.text.get(..token.start)).and_then(|text| text.rsplit(['\n', ';', '{', '}']).next());
    let help = if line.is_some_and(|line| line.trim_start().starts_with("choose ")) {
        "an option is chosen by one of its branches, `choose OPTION = BRANCH;`: `hoyle list RULEBOOK` names them".to_owned()
    } else {
        format!("choose another name, such as `the-{word}` or `{word}-1`")
    };
    Diagnostic::new(Code::ReservedWord, message, span).with_help(help)
}

/// Something is missing before the line ends: the place is behind the last token.
fn missing(stop: &Stop<'_>) -> Diagnostic {
    let end = stop.before.map_or(stop.from, |token| token.end);
    let wanted = alternatives(&stop.expected);
    let message = match stop.found {
        None if !stop.open.is_empty() => format!("expected {wanted}, and the text ends"),
        _ => format!("expected {wanted}"),
    };
    Diagnostic::new(Code::Syntax, message, Span::new(stop.file, end, end)).saying("missing here")
}

fn unexpected(stop: &Stop<'_>) -> Diagnostic {
    let wanted = alternatives(&stop.expected);
    match stop.found {
        None => {
            let end = stop.before.map_or(stop.from, |token| token.end);
            Diagnostic::new(Code::Syntax, format!("expected {wanted}, and the text ends"), Span::new(stop.file, end, end))
        }
        Some(token) => Diagnostic::new(Code::Syntax, format!("expected {wanted}, found {}", quoted(stop.found_text())), stop.span(token)),
    }
}

/// Text of the writer's, cut short if it is long.
pub(in crate::syntax) fn quoted(text: &str) -> String {
    let mut short: String = text.chars().take(32).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    format!("`{short}`")
}

/// `a`, `a or b`, `a, b or c`; if there are too many, those without which nothing can go on.
fn alternatives(all: &[Expected]) -> String {
    let way = all.iter().filter(|expected| expected.weight != Weight::Loose);
    let mut chosen: Vec<&str> = way.map(|expected| expected.phrase.as_str()).collect();
    if chosen.len() > MOST_ALTERNATIVES {
        let firm: Vec<&str> = all.iter().filter(|expected| expected.weight == Weight::Firm).map(|expected| expected.phrase.as_str()).collect();
        chosen = if firm.is_empty() { vec!["something else"] } else { firm };
    }
    if chosen.is_empty() {
        chosen = all.iter().map(|expected| expected.phrase.as_str()).collect();
    }
    list(&chosen)
}

/// `a`, `a or b`, `a, b or c`
pub(in crate::syntax) fn list(phrases: &[&str]) -> String {
    match phrases {
        [] => "something else".to_owned(),
        [one] => (*one).to_owned(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}
