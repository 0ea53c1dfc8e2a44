//! What is wrong, where, and what to do about it.
//!
//! A [`Diagnostic`] carries facts: a stable [`Code`], one sentence in a card player's words, places, advice. Wording of the sentence is the
//! business of whoever found the fault; caret, colour and JSON are the business of [`render`] alone.

pub mod codes;
pub mod render;

use crate::source::Span;
pub use codes::Code;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    Error,
    Warning,
}

/// A place, and what is to be seen there (may be empty for the main place).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    pub span: Span,
    pub text: String,
}

/// One fault. Build it with [`Diagnostic::new`] and the `with_…` methods.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    pub code: Code,
    pub severity: Severity,
    /// One sentence, lower case, no final period, the user's words in backticks.
    pub message: String,
    /// The main place first; empty when there is none (a missing file, say).
    pub labels: Vec<Label>,
    /// What to do.
    pub help: Vec<String>,
}

impl Diagnostic {
    /// An error or a warning, as the table of codes says, at its main place.
    pub fn new(code: Code, message: impl Into<String>, span: Span) -> Diagnostic {
        Diagnostic::without_place(code, message).with_label(span, "")
    }

    pub fn without_place(code: Code, message: impl Into<String>) -> Diagnostic {
        Diagnostic { code, severity: code.severity(), message: message.into(), labels: Vec::new(), help: Vec::new() }
    }

    #[must_use]
    pub fn with_label(mut self, span: Span, text: impl Into<String>) -> Diagnostic {
        self.labels.push(Label { span, text: text.into() });
        self
    }

    /// Says what is to be seen at the main place.
    #[must_use]
    pub fn saying(mut self, text: impl Into<String>) -> Diagnostic {
        if let Some(label) = self.labels.first_mut() {
            label.text = text.into();
        }
        self
    }

    #[must_use]
    pub fn with_help(mut self, text: impl Into<String>) -> Diagnostic {
        self.help.push(text.into());
        self
    }

    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}
