//! Reads rulebooks, house rules and single values into [`tree`](super::tree).
//!
//! Only this module (and `super::record`, for its own small grammar) names the parser library. A text is first held against the [`limits`], then
//! read declaration by declaration, so that one mistake costs one declaration and a file reports all its mistakes.

#![expect(clippy::wildcard_enum_match_arm, reason = "the parser library's enum has a variant for every line of the grammar")]

mod cursor;
mod declarations;
mod deeds;
mod errors;
mod expressions;
mod interfaces;
pub mod limits;
mod rankings;
mod recover;
mod rules;
mod slips;
mod statements;
#[cfg(test)]
mod tests;
mod words;

use pest::Parser as _;

use self::cursor::{Built, Context, Fault, Node};
pub(super) use self::errors::{list, quoted};
use self::grammar::{Grammar, Rule};
pub(super) use self::slips::nearest;
use super::scan::{Token, TokenKind, tokens};
use super::tree::{At, Declaration, Expr, File};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::{FileId, Span};

/// What the parser library makes of `grammar/hoyle.pest`.
mod grammar {
    #![allow(missing_docs, missing_debug_implementations, clippy::all, clippy::pedantic, clippy::restriction)]

    #[derive(pest_derive::Parser)]
    #[grammar = "../grammar/hoyle.pest"]
    pub(super) struct Grammar;
}

/// After so many faults in one text the rest of it is not read.
const MOST_FAULTS: usize = 50;

/// Reads a whole file. What could be read is in the tree, whatever else is wrong.
pub fn file(file: FileId, text: &str) -> (File, Vec<Diagnostic>) {
    let (declarations, faults) = edits(file, text);
    (File { declarations }, faults)
}

/// Reads a list of declarations: a file's, or the edits that a case writes inline.
pub fn edits(file: FileId, text: &str) -> (Vec<At<Declaration>>, Vec<Diagnostic>) {
    let checked = limits::check(file, text, 0);
    let mut reader = Reader { file, text, faults: checked.faults };
    let declarations = if checked.may_parse { reader.file() } else { Vec::new() };
    (declarations, reader.faults)
}

/// Reads one expression, such as the value of `--set limit=20`.
pub fn expression(file: FileId, text: &str) -> (Option<Expr>, Vec<Diagnostic>) {
    expression_from(file, text, start(text))
}

/// Reads an expression that is a part of a longer text.
pub(super) fn expression_within(file: FileId, text: &str, span: Span) -> (Option<Expr>, Vec<Diagnostic>) {
    expression_from(file, text.get(..span.end as usize).unwrap_or(""), span.start as usize)
}

fn expression_from(file: FileId, text: &str, base: usize) -> (Option<Expr>, Vec<Diagnostic>) {
    let checked = limits::check(file, text, base);
    let mut faults = checked.faults;
    if !checked.may_parse {
        return (None, faults);
    }
    let parsed = Grammar::parse(Rule::whole_expression, text.get(base..).unwrap_or(""));
    let built = match parsed {
        Ok(mut pairs) => pairs.next().map(|node| {
            let cx = Context { file, base, depth: 0 };
            cx.parts(node).and_then(|mut parts| parts.expr())
        }),
        Err(error) => {
            faults.push(errors::explain(file, text, base, &error).0);
            None
        }
    };
    (kept(built, &mut faults), faults)
}

/// What was built, if anything was; why not goes to `faults`.
fn kept<T>(built: Option<Built<T>>, faults: &mut Vec<Diagnostic>) -> Option<T> {
    match built? {
        Ok(built) => Some(built),
        Err(Fault::TooDeep(span)) => {
            // The whole of it would fill the screen: its beginning is enough.
            let fault = Diagnostic::new(Code::TooDeep, "too many parts in one expression", Span { end: span.start, ..span });
            faults.push(fault.with_help("name a part of it with `def` or `let`"));
            None
        }
        Err(Fault::Odd(span)) => {
            let fault = Diagnostic::new(Code::Syntax, "this is correct, and hoyle cannot read it: a fault of this program", span);
            faults.push(fault.with_help("please report it, with this text"));
            None
        }
    }
}

/// Where the first thing stands: some editors write a byte order mark before it.
fn start(text: &str) -> usize {
    if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 }
}

struct Reader<'t> {
    file: FileId,
    text: &'t str,
    faults: Vec<Diagnostic>,
}

impl<'t> Reader<'t> {
    fn file(&mut self) -> Vec<At<Declaration>> {
        let mut declarations = Vec::new();
        let mut at = start(self.text);
        while let Some(close) = self.declarations(at, &mut declarations) {
            self.faults.push(Diagnostic::new(Code::Syntax, "this `}` closes nothing", self.span(close)));
            at = close.end;
        }
        declarations
    }

    /// Reads declarations up to a `}` that none of them owns, which is returned, or to the end of the text.
    fn declarations(&mut self, mut at: usize, into: &mut Vec<At<Declaration>>) -> Option<Token> {
        loop {
            let token = tokens(self.text, at).find(|token| token.kind != TokenKind::Comment)?;
            if self.faults.len() >= MOST_FAULTS {
                return None;
            }
            if token.sign(self.text) == '}' {
                return Some(token);
            }
            let (declaration, end) = self.declaration(token);
            into.extend(declaration);
            at = end;
        }
    }

    /// Reads the declaration that begins with `token`; the second result is where to go on, always further on.
    fn declaration(&mut self, token: Token) -> (Option<At<Declaration>>, usize) {
        let from = token.start;
        if !recover::is_declaration_word(self.text, token) {
            self.faults.push(slips::no_declaration(self.file, self.text, token));
            return (None, recover::next_declaration(self.text, from, token.end));
        }
        let error = match self.parse(Rule::declaration, from) {
            Ok(node) => {
                let end = from + node.as_span().end();
                return (kept(Some(declarations::declaration(self.context(from), node)), &mut self.faults), end);
            }
            Err(error) => error,
        };
        let inside = match token.text(self.text) {
            "house" => self.house(from),
            "amendment" => self.amendment(from),
            _ => None,
        };
        inside.unwrap_or_else(|| {
            let (fault, at) = errors::explain(self.file, self.text, from, &error);
            self.faults.push(fault);
            (None, recover::next_declaration(self.text, from, at))
        })
    }

    /// A house in which something is wrong behind its `{`.
    fn house(&mut self, from: usize) -> Option<(Option<At<Declaration>>, usize)> {
        let node = self.parse(Rule::house_head, from).ok()?;
        let head_end = from + node.as_span().end();
        let mut head = self.context(from).parts(node).and_then(|mut parts| declarations::house_head(&mut parts)).ok()?;
        let end = self.body(head_end, &mut head.edits);
        Some((Some(At::new(Declaration::House(head), Span::new(self.file, from, end))), end))
    }

    /// An amendment in which something is wrong behind its `{`.
    fn amendment(&mut self, from: usize) -> Option<(Option<At<Declaration>>, usize)> {
        let node = self.parse(Rule::amendment_head, from).ok()?;
        let head_end = from + node.as_span().end();
        let mut head = self.context(from).parts(node).and_then(|mut parts| declarations::amendment_head(&mut parts)).ok()?;
        let end = self.body(head_end, &mut head.edits);
        Some((Some(At::new(Declaration::Amendment(head), Span::new(self.file, from, end))), end))
    }

    /// The declarations behind a `{` that ends at `at`, and where they end.
    fn body(&mut self, at: usize, edits: &mut Vec<At<Declaration>>) -> usize {
        if let Some(close) = self.declarations(at, edits) {
            return close.end;
        }
        if self.faults.len() < MOST_FAULTS {
            let open = Span::new(self.file, at - 1, at);
            let end = Span::new(self.file, self.text.trim_end().len(), self.text.trim_end().len());
            let fault = Diagnostic::new(Code::Syntax, "`{` is never closed", open).saying("opened here");
            self.faults.push(fault.with_label(end, "the text ends here"));
        }
        self.text.len()
    }

    fn parse(&self, rule: Rule, from: usize) -> Result<Node<'t>, Box<pest::error::Error<Rule>>> {
        let text = self.text.get(from..).unwrap_or("");
        let mut pairs = Grammar::parse(rule, text).map_err(Box::new)?;
        // INVARIANT: a rule that is not silent gives exactly one node.
        pairs.next().ok_or_else(|| {
            let message = "no node".to_owned();
            Box::new(pest::error::Error::new_from_pos(pest::error::ErrorVariant::CustomError { message }, pest::Position::from_start(text)))
        })
    }

    fn context(&self, base: usize) -> Context {
        Context { file: self.file, base, depth: 0 }
    }

    fn span(&self, token: Token) -> Span {
        Span::new(self.file, token.start, token.end)
    }
}
