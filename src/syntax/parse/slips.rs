//! Frequent slips, and what to write instead.

use super::errors::{Stop, is_reserved, quoted};
use super::recover::DECLARATION_WORDS;
use super::words::Expected;
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;
use crate::syntax::scan::{Token, TokenKind};

/// Slips that need a sentence of their own rather than "expected …".
pub(super) fn whole(stop: &Stop<'_>) -> Option<Diagnostic> {
    let found = stop.found;
    if let Some(token) = found.filter(|token| token.kind == TokenKind::UnclosedText) {
        let fault = Diagnostic::new(Code::Syntax, "the text in quotes does not end on its line", stop.span(token));
        return Some(fault.with_help("close it with `\"` before the line ends"));
    }
    if found.is_none()
        && let Some(open) = stop.open.last()
    {
        return Some(unclosed(stop, *open));
    }
    if let Some(sign) = wrong_sign(stop) {
        return Some(sign);
    }
    let token = found?;
    let word = token.text(stop.text);
    if token.kind == TokenKind::Word && stop.expects("a name") {
        return odd_name(stop, token, word);
    }
    if token.kind == TokenKind::Number && stop.before_text() == "." {
        let span = stop.before.map_or(stop.span(token), |point| stop.span(point).to(stop.span(token)));
        return Some(Diagnostic::new(Code::Syntax, "numbers have no fractions", span).with_help("write a whole number"));
    }
    if token.kind == TokenKind::Number && !word.bytes().all(|byte| byte.is_ascii_digit()) {
        let fault = Diagnostic::new(Code::Syntax, format!("{} is neither a number nor a name", quoted(word)), stop.span(token));
        return Some(fault.with_help("a name begins with a letter; a number has digits only"));
    }
    None
}

/// A bracket that nothing closes.
fn unclosed(stop: &Stop<'_>, open: Token) -> Diagnostic {
    let sign = open.text(stop.text);
    let end = stop.before.map_or(open.end, |token| token.end);
    Diagnostic::new(Code::Syntax, format!("`{sign}` is never closed"), stop.span(open))
        .saying("opened here")
        .with_label(Span::new(stop.file, end, end), "the text ends here")
}

/// Names in capitals, with underscores, with two hyphens.
fn odd_name(stop: &Stop<'_>, token: Token, word: &str) -> Option<Diagnostic> {
    let proper = proper_name(word);
    if proper == word || is_reserved(word) {
        return None;
    }
    let message = format!("{} is no name: names are lower-case letters and digits, joined by single hyphens", quoted(word));
    let fault = Diagnostic::new(Code::Syntax, message, stop.span(token));
    Some(if proper.is_empty() || proper.len() > 40 { fault } else { fault.with_help(format!("write `{proper}`")) })
}

/// The name that a misspelt one was perhaps meant to be.
fn proper_name(word: &str) -> String {
    if word.starts_with(|first: char| first.is_ascii_lowercase()) && !word.contains('_') && !word.contains("--") && !word.ends_with('-') {
        return word.to_owned();
    }
    let parts: Vec<String> = word.split(['-', '_']).filter(|part| !part.is_empty()).map(str::to_ascii_lowercase).collect();
    parts.join("-")
}

/// Signs of other languages, and quotation marks of word processors.
fn wrong_sign(stop: &Stop<'_>) -> Option<Diagnostic> {
    let token = stop.found?;
    let place = stop.text.get(token.start..).unwrap_or("");
    let (length, help) = match token.sign(stop.text) {
        // The first of the two has been read as a sign of its own.
        '=' if is_second(stop, token) => return Some(doubled(stop, token, "write `=` to compare")),
        '/' if is_second(stop, token) => return Some(doubled(stop, token, "a comment begins with `#` and ends with its line")),
        '=' if place.starts_with("==") => (2, "write `=`"),
        '!' if place.starts_with("!=") => (2, "write `<>` for \"differs from\""),
        '!' => (1, "write `not`"),
        '&' if place.starts_with("&&") => (2, "write `and`"),
        '&' => (1, "write `and`"),
        '|' if place.starts_with("||") => (2, "write `or`"),
        '≠' => ('≠'.len_utf8(), "write `<>`"),
        '≤' => ('≤'.len_utf8(), "write `<=`"),
        '≥' => ('≥'.len_utf8(), "write `>=`"),
        '×' => ('×'.len_utf8(), "write `*`"),
        '–' | '—' | '−' => ('–'.len_utf8(), "write the plain hyphen `-`"),
        '“' | '”' | '„' | '«' | '»' | '‘' | '’' => (token.end - token.start, "write the straight quotation mark `\"`"),
        '\'' => (1, "texts stand in double quotes: `\"…\"`"),
        '/' if place.starts_with("//") || place.starts_with("/*") => (2, "a comment begins with `#` and ends with its line"),
        '%' => (1, "write `mod` for the remainder"),
        '\u{a0}' => ('\u{a0}'.len_utf8(), "this is a space that does not break; write a plain space"),
        _ => return None,
    };
    let sign = place.get(..length).unwrap_or("");
    let message = format!("{} is no sign of the language", quoted(sign));
    Some(Diagnostic::new(Code::Syntax, message, Span::new(stop.file, token.start, token.start + length)).with_help(help))
}

/// Whether the same sign stands directly before this one.
fn is_second(stop: &Stop<'_>, token: Token) -> bool {
    stop.before.is_some_and(|before| before.end == token.start) && stop.before_text() == token.text(stop.text)
}

fn doubled(stop: &Stop<'_>, token: Token, help: &str) -> Diagnostic {
    let span = Span::new(stop.file, token.start - (token.end - token.start), token.end);
    let sign = token.text(stop.text);
    Diagnostic::new(Code::Syntax, format!("`{sign}{sign}` is no sign of the language"), span).with_help(help)
}

/// Advice that goes with the sentence about what was expected.
pub(super) fn helps(stop: &Stop<'_>) -> Vec<String> {
    let found = stop.found_text();
    let mut helps = Vec::new();
    if found == ":" && stop.expects("`=`") {
        helps.push("write `=` here".to_owned());
    } else if found == "=" && (stop.expects("`:`") || stop.expects("`:=`")) {
        helps.push(if stop.expects("`:`") { "write `:` here" } else { "write `:=` to give a fact another value" }.to_owned());
    } else if found == "=" && stop.expects("`=>`") {
        helps.push("write `=>` before what the act does".to_owned());
    } else if let Some(figure) = FIGURES.iter().position(|word| *word == found).filter(|_| stop.expects("a number")) {
        helps.push(format!("write the number in figures: `{figure}`"));
    } else if let Some(word) = meant_word(stop) {
        helps.push(format!("did you mean `{word}`?"));
    }
    helps
}

const FIGURES: &[&str] = &["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];

/// The word of the language that a name at or before the place was perhaps meant to be.
fn meant_word(stop: &Stop<'_>) -> Option<String> {
    let expected: Vec<&str> = stop.expected.iter().filter_map(Expected::word).collect();
    let found = stop.found.filter(|token| token.kind == TokenKind::Word).map_or("", |token| token.text(stop.text));
    if let Some(word) = nearest(found, &expected) {
        return Some(word);
    }
    if !stop.begins {
        return None;
    }
    let before = stop.before_text();
    if is_reserved(before) {
        return None;
    }
    nearest(before, ITEM_WORDS)
}

/// The listed word that is nearest to a misspelt one, if any is near.
pub(in crate::syntax) fn nearest(word: &str, listed: &[&str]) -> Option<String> {
    if word.len() < 2 || word.len() > 20 || listed.contains(&word) {
        return None;
    }
    let near = listed.iter().map(|listed| (strsim::damerau_levenshtein(word, listed), *listed));
    let (distance, best) = near.min()?;
    let allowed = if word.len() > 4 { 2 } else { 1 };
    (distance <= allowed && distance < best.len().saturating_sub(1)).then(|| best.to_owned())
}

/// Words with which statements and the items of rankings and interfaces begin.
const ITEM_WORDS: &[&str] = &[
    "after", "announce", "arrange", "before", "class", "close", "drop", "duty", "each", "end", "event", "if", "is", "let", "lift", "mark", "move",
    "offer", "param", "pause", "pay", "phase", "question", "ranking", "repeat", "replace", "score", "settle", "share", "show", "shows", "ties",
    "under", "void", "when", "wild",
];

/// The fault of something that begins no declaration at a place where one must begin.
pub(super) fn no_declaration(file: crate::source::FileId, text: &str, token: Token) -> Diagnostic {
    let word = token.text(text);
    let span = Span::new(file, token.start, token.end);
    if word == ";" {
        let fault = Diagnostic::new(Code::Syntax, "this `;` ends nothing", span);
        return fault.with_help("a declaration ends with one `;` or with its `}`, never with both");
    }
    let fault = Diagnostic::new(Code::Syntax, format!("expected a declaration, found {}", quoted(word)), span);
    if token.kind != TokenKind::Word {
        return fault;
    }
    if let Some((_, home)) = HOMES.iter().find(|(words, _)| words.contains(&word)) {
        return fault.with_help(format!("`{word}` stands inside {home}"));
    }
    if let Some(meant) = nearest(word, DECLARATION_WORDS) {
        return fault.with_help(format!("did you mean `{meant}`?"));
    }
    match nearest(word, &["class", "ties", "let", "when", "each", "offer", "pay", "move"]) {
        Some(meant) => fault.with_help(format!("did you mean `{meant}`? it stands inside a declaration, not on its own")),
        None => fault,
    }
}

/// Where words belong that begin no declaration.
const HOMES: &[(&[&str], &str)] = &[
    (&["class", "ties", "wild", "drop", "replace", "under", "beats"], "`ranking … { … }` or `in ranking … { … }`"),
    (
        &[
            "let", "when", "is", "before", "after", "if", "each", "repeat", "offer", "duty", "pause", "phase", "pay", "move", "score", "mark",
            "show", "share", "close", "settle", "announce", "lift", "arrange", "again", "end", "stands", "refuse",
        ],
        "the braces of a rule, a procedure or an action",
    ),
    (&["cites", "inferred"], "a declaration, before its `;` or `{`"),
    (&["shows"], "`interface … { … }` or `implements … { … }`"),
];
