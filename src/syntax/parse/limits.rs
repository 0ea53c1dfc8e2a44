//! What is refused before any parsing: texts, lines and numbers that are too large, brackets and words nested too deep (clause 11.1).
//!
//! All of it is one pass over the text, so a hostile text costs no more than a long one.

use crate::diagnostic::{Code, Diagnostic};
use crate::source::{FileId, Span};
use crate::syntax::scan::{Token, TokenKind, tokens};

/// A file may have 1 MiB.
pub const LARGEST_FILE: usize = 1 << 20;
/// A line may have 64 KiB.
pub const LONGEST_LINE: usize = 64 << 10;
/// Brackets may stand 64 deep.
pub const DEEPEST_BRACKETS: usize = 64;
/// So many words may stand in one statement that each hold what follows them, as `if`, `of` and `maybe` do.
pub const DEEPEST_WORDS: usize = 200;
/// More faults of one kind than this are not worth reading.
const MOST_NUMBERS: usize = 20;

/// What was found, and whether parsing may go on.
#[derive(Debug)]
pub(in crate::syntax) struct Checked {
    pub faults: Vec<Diagnostic>,
    pub may_parse: bool,
}

/// A rulebook, from byte `from` on.
pub(super) fn check(file: FileId, text: &str, from: usize) -> Checked {
    if let Some(fault) = too_large(file, text) {
        return Checked { faults: vec![fault], may_parse: false };
    }
    let mut scan = Scan { file, text, open: Vec::new(), words: 0, faults: Vec::new() };
    let mut after_close = false;
    for token in tokens(text, from).filter(|token| token.kind != TokenKind::Comment) {
        if let Some(fault) = scan.token(token, after_close) {
            scan.faults.push(fault);
            return Checked { faults: scan.faults, may_parse: false };
        }
        after_close = token.sign(text) == '}';
    }
    Checked { faults: scan.faults, may_parse: true }
}

/// A record or a hand: nothing nests there.
pub(in crate::syntax) fn check_lines(file: FileId, text: &str) -> Checked {
    if let Some(fault) = too_large(file, text) {
        return Checked { faults: vec![fault], may_parse: false };
    }
    let mut scan = Scan { file, text, open: Vec::new(), words: 0, faults: Vec::new() };
    for token in tokens(text, 0).filter(|token| token.kind == TokenKind::Number) {
        scan.number(token, Span::new(file, token.start, token.end));
    }
    Checked { faults: scan.faults, may_parse: true }
}

fn too_large(file: FileId, text: &str) -> Option<Diagnostic> {
    if text.len() > LARGEST_FILE {
        let message = format!("the file has {} bytes, and at most {LARGEST_FILE} (1 MiB) are read", text.len());
        return Some(Diagnostic::new(Code::TooLarge, message, Span::new(file, 0, 0)).with_help("split it into several files"));
    }
    let mut start = 0;
    for line in text.split('\n') {
        if line.len() > LONGEST_LINE {
            let message = format!("the line has {} bytes, and at most {LONGEST_LINE} (64 KiB) are read", line.len());
            return Some(Diagnostic::new(Code::TooLarge, message, Span::new(file, start, start)).with_help("break the line"));
        }
        start += line.len() + 1;
    }
    None
}

struct Scan<'t> {
    file: FileId,
    text: &'t str,
    /// For every open bracket the words that were counted before it.
    open: Vec<usize>,
    /// Words counted in all open statements.
    words: usize,
    faults: Vec<Diagnostic>,
}

impl Scan<'_> {
    /// Takes note of a token; a fault that is returned ends the scan.
    fn token(&mut self, token: Token, after_close: bool) -> Option<Diagnostic> {
        let span = Span::new(self.file, token.start, token.end);
        match token.kind {
            TokenKind::Number => self.number(token, span),
            TokenKind::Word => {
                let word = token.text(self.text);
                if after_close && !CONTINUES.contains(&word) {
                    self.statement_ends();
                }
                if NESTS.contains(&word) {
                    self.words += 1;
                }
                if self.words > DEEPEST_WORDS {
                    let message = format!("more than {DEEPEST_WORDS} words such as `{word}` stand inside one another");
                    return Some(Diagnostic::new(Code::TooDeep, message, span).with_help("name a part of it with `def` or `let`"));
                }
            }
            TokenKind::Sign => return self.sign(token.sign(self.text), span),
            TokenKind::Text | TokenKind::UnclosedText | TokenKind::Comment => {}
        }
        None
    }

    fn sign(&mut self, sign: char, span: Span) -> Option<Diagnostic> {
        match sign {
            '(' | '[' | '{' => {
                self.open.push(self.words);
                if self.open.len() > DEEPEST_BRACKETS {
                    let message = format!("brackets are nested deeper than {DEEPEST_BRACKETS}");
                    return Some(Diagnostic::new(Code::TooDeep, message, span).with_help("name a part of it with `def` or `let`"));
                }
            }
            // What stood in the brackets holds nothing of what follows them.
            ')' | ']' | '}' => self.words = self.open.pop().unwrap_or(0),
            ';' => self.statement_ends(),
            _ => {}
        }
        None
    }

    /// Words counted outside the innermost open bracket.
    fn outside(&self) -> usize {
        self.open.last().copied().unwrap_or(0)
    }

    fn statement_ends(&mut self) {
        self.words = self.outside();
    }

    fn number(&mut self, token: Token, span: Span) {
        let digits = token.text(self.text);
        let fits = !digits.bytes().all(|byte| byte.is_ascii_digit()) || digits.parse::<i64>().is_ok();
        if !fits && self.faults.len() < MOST_NUMBERS {
            let message = if digits.len() <= 40 { format!("the number `{digits}` is too large") } else { "the number is too large".to_owned() };
            self.faults.push(Diagnostic::new(Code::NumberTooLarge, message, span).with_help(format!("the largest number is {}", i64::MAX)));
        }
    }
}

/// Words that hold what follows them, at least one for every way in which something without brackets can hold another of its kind.
const NESTS: &[&str] = &["if", "maybe", "of", "since", "highest", "lowest", "in", "by", "table", "where", "cycle", "among"];

/// Words that may follow a `}` in the middle of a statement. Any other word begins a new one.
const CONTINUES: &[&str] = &[
    "along", "among", "and", "at", "by", "else", "for", "from", "in", "is", "mod", "not", "of", "or", "reaches", "since", "then", "to", "together",
    "under", "until", "up", "where", "within", "without",
];

#[cfg(test)]
mod tests {
    use super::*;

    fn codes(text: &str) -> Vec<Code> {
        check(FileId(0), text, 0).faults.iter().map(|fault| fault.code).collect()
    }

    #[test]
    fn brackets_count_outside_texts_and_comments() {
        let deep = |n: usize| format!("{}x{}", "(".repeat(n), ")".repeat(n));
        assert_eq!(codes(&deep(64)), vec![]);
        assert_eq!(codes(&deep(65)), vec![Code::TooDeep]);
        assert_eq!(codes(&format!("\"{}\" # {}", deep(65), deep(65))), vec![]);
        assert_eq!(codes(&"(".repeat(1 << 20)), vec![Code::TooLarge]);
    }

    #[test]
    fn words_count_within_one_statement() {
        assert_eq!(codes(&"maybe ".repeat(201)), vec![Code::TooDeep]);
        assert_eq!(codes(&"param a = first of b;\n".repeat(1000)), vec![]);
        assert_eq!(codes(&"each p in seats { }\n".repeat(1000)), vec![]);
        assert_eq!(codes(&format!("if a {{ }} {}", "else if a { }\n".repeat(300))), vec![Code::TooDeep]);
    }

    #[test]
    fn numbers_and_lines_have_limits() {
        assert_eq!(codes("9223372036854775807 9223372036854775808 a-99999999999999999999"), vec![Code::NumberTooLarge]);
        assert_eq!(codes(&"x".repeat(LONGEST_LINE + 1)), vec![Code::TooLarge]);
        assert_eq!(codes(&"x\n".repeat(LARGEST_FILE)), vec![Code::TooLarge]);
    }
}
