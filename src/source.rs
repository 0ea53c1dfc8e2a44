//! Source files and places in them.
//!
//! A [`Span`] is three small numbers, so every node of every tree carries one and nothing carries a lifetime.

use std::fmt;

/// One file (or piece of text: a command-line argument, a case's inline edits) that was read.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct FileId(pub u32);

/// A half-open range of bytes `start..end` in one file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Span {
    pub file: FileId,
    pub start: u32,
    pub end: u32,
}

impl Span {
    /// The range `start..end` of `file`, in bytes.
    pub fn new(file: FileId, start: usize, end: usize) -> Span {
        Span { file, start: clamp(start), end: clamp(end) }
    }

    /// The smallest span that covers both; `self` if they lie in different files.
    pub fn to(self, other: Span) -> Span {
        if self.file != other.file {
            return self;
        }
        Span { file: self.file, start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

/// Files are limited far below 4 GiB (specification, clause 11.1), so clamping never moves a place.
fn clamp(offset: usize) -> u32 {
    u32::try_from(offset).unwrap_or(u32::MAX)
}

impl fmt::Debug for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}..{}", self.file.0, self.start, self.end)
    }
}

/// A text with the name that messages give it.
#[derive(Clone, Debug)]
pub struct Source {
    /// What the reader calls it: a path as given, `spec/poker/foster.hoyle` for an embedded file, `--set` for an argument.
    pub name: String,
    pub text: String,
}

/// Every text read so far. Files are only ever added, so a [`FileId`] stays good.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    files: Vec<Source>,
}

impl Sources {
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<String>) -> FileId {
        let id = FileId(clamp(self.files.len()));
        self.files.push(Source { name: name.into(), text: text.into() });
        id
    }

    pub fn get(&self, file: FileId) -> Option<&Source> {
        self.files.get(file.0 as usize)
    }

    pub fn text(&self, file: FileId) -> &str {
        self.get(file).map_or("", |source| source.text.as_str())
    }

    pub fn name(&self, file: FileId) -> &str {
        self.get(file).map_or("", |source| source.name.as_str())
    }

    /// The text that a span covers; empty if it lies outside its file.
    pub fn snippet(&self, span: Span) -> &str {
        self.text(span.file).get(span.start as usize..span.end as usize).unwrap_or("")
    }

    /// Line and column of a byte offset, both from 1, the column in characters.
    pub fn line_column(&self, file: FileId, offset: u32) -> (usize, usize) {
        let text = self.text(file);
        let mut end = (offset as usize).min(text.len());
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        let before = text.get(..end).unwrap_or("");
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
        (line, column)
    }
}
