//! The only printer of diagnostics: plain, coloured, or as JSON.

use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Renderer, Snippet};
use serde::Serialize;

use super::{Diagnostic, Label, Severity};
use crate::source::{FileId, Sources, Span};

/// Lines longer than this are cut where nothing is underlined.
const WIDTH: usize = 120;

/// For a file, a pipe, a test.
pub fn plain(diagnostics: &[Diagnostic], sources: &Sources) -> String {
    drawn(&Renderer::plain().term_width(WIDTH), diagnostics, sources)
}

/// For a terminal.
pub fn colour(diagnostics: &[Diagnostic], sources: &Sources) -> String {
    drawn(&Renderer::styled().term_width(WIDTH), diagnostics, sources)
}

/// For a program: one array, an object for each diagnostic. Lines and columns count from 1, columns in characters; `end` is behind the last one.
pub fn json(diagnostics: &[Diagnostic], sources: &Sources) -> String {
    let all: Vec<Json<'_>> = diagnostics.iter().map(|diagnostic| Json::new(diagnostic, sources)).collect();
    // INVARIANT: strings, numbers and lists of them can always be written as JSON.
    let mut text = serde_json::to_string_pretty(&all).unwrap_or_default();
    text.push('\n');
    text
}

fn drawn(renderer: &Renderer, diagnostics: &[Diagnostic], sources: &Sources) -> String {
    let mut text = String::new();
    for diagnostic in diagnostics {
        if !text.is_empty() {
            text.push('\n');
        }
        text.push_str(&renderer.render(&[group(diagnostic, sources)]));
        text.push('\n');
    }
    text
}

/// One diagnostic as the drawing library wants it: `error[code]: message`, a piece of every file that has a label, the help.
fn group<'d>(diagnostic: &'d Diagnostic, sources: &'d Sources) -> Group<'d> {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let mut group = Group::with_title(level.primary_title(diagnostic.message.as_str()).id(diagnostic.code.text()));
    let mut files: Vec<FileId> = Vec::new();
    for label in &diagnostic.labels {
        if !files.contains(&label.span.file) {
            files.push(label.span.file);
        }
    }
    for file in files {
        group = group.element(snippet(diagnostic, file, sources));
    }
    group.elements(diagnostic.help.iter().map(|help| Level::HELP.message(help.as_str())))
}

/// The lines of one file from its first label to its last; the library leaves out those between that have none.
fn snippet<'d>(diagnostic: &'d Diagnostic, file: FileId, sources: &'d Sources) -> Snippet<'d, Annotation<'d>> {
    let text = sources.text(file);
    let here = || diagnostic.labels.iter().enumerate().filter(|(_, label)| label.span.file == file);
    let first = here().map(|(_, label)| clamped(text, label.span).0).min().unwrap_or(0);
    let last = here().map(|(_, label)| clamped(text, label.span).1).max().unwrap_or(0);
    let start = text.get(..first).and_then(|before| before.rfind('\n')).map_or(0, |end| end + 1);
    let end = text.get(last..).and_then(|rest| rest.find('\n')).map_or(text.len(), |length| last + length);
    let line = text.get(..start).map_or(1, |before| before.matches('\n').count() + 1);
    let annotations = here().map(|(index, label)| {
        // The main place is drawn with `^`, the others with `-`.
        let kind = if index == 0 { AnnotationKind::Primary } else { AnnotationKind::Context };
        let (from, to) = clamped(text, label.span);
        let said = (!label.text.is_empty()).then_some(label.text.as_str());
        kind.span(from - start..to - start).label(said)
    });
    Snippet::source(text.get(start..end).unwrap_or("")).line_start(line).path(sources.name(file)).annotations(annotations)
}

/// A span within the text and on the borders of characters, whatever was asked for.
fn clamped(text: &str, span: Span) -> (usize, usize) {
    let start = border(text, span.start as usize);
    (start, border(text, span.end as usize).max(start))
}

fn border(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

#[derive(Serialize)]
struct Json<'d> {
    code: &'static str,
    severity: &'static str,
    message: &'d str,
    /// The main place; absent when there is none.
    #[serde(flatten)]
    place: Option<Place<'d>>,
    /// The other places and what is to be seen there; the main one too if something is said of it.
    labels: Vec<JsonLabel<'d>>,
    help: &'d [String],
}

#[derive(Serialize)]
struct JsonLabel<'d> {
    #[serde(flatten)]
    place: Place<'d>,
    text: &'d str,
}

#[derive(Serialize)]
struct Place<'d> {
    file: &'d str,
    line: usize,
    column: usize,
    end: End,
}

#[derive(Serialize)]
struct End {
    line: usize,
    column: usize,
}

impl<'d> Json<'d> {
    fn new(diagnostic: &'d Diagnostic, sources: &'d Sources) -> Json<'d> {
        let label = |label: &'d Label| JsonLabel { place: Place::new(label.span, sources), text: &label.text };
        Json {
            code: diagnostic.code.text(),
            severity: match diagnostic.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
            },
            message: &diagnostic.message,
            place: diagnostic.labels.first().map(|main| Place::new(main.span, sources)),
            labels: diagnostic.labels.iter().map(label).collect(),
            help: &diagnostic.help,
        }
    }
}

impl<'d> Place<'d> {
    fn new(span: Span, sources: &'d Sources) -> Place<'d> {
        let (line, column) = sources.line_column(span.file, span.start);
        let (end_line, end_column) = sources.line_column(span.file, span.end);
        Place { file: sources.name(span.file), line, column, end: End { line: end_line, column: end_column } }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Code;

    fn two_files() -> (Sources, FileId, FileId) {
        let mut sources = Sources::default();
        let one = sources.add("one.hoyle", "ranking poker of 5 card {\n\tclass straight: run of 5; # ♥♥ 中文\n}\n");
        let other = sources.add("other.hoyle", "first line\nsecond line\n");
        (sources, one, other)
    }

    #[test]
    fn places_labels_and_help_are_drawn() {
        let (sources, one, other) = two_files();
        let fault = Diagnostic::new(Code::UnorderedClasses, "nothing orders `straight` and `threes`", Span::new(one, 33, 41))
            .saying("this class")
            .with_label(Span::new(one, 8, 13), "in this ranking")
            .with_label(Span::new(other, 11, 17), "and this one")
            .with_help("write `straight beats threes;` or the reverse");
        let warning = Diagnostic::without_place(Code::Uncited, "nothing is cited");
        insta::assert_snapshot!(plain(&[fault, warning], &sources));
    }

    #[test]
    fn tabs_wide_characters_and_long_lines_keep_the_caret_in_place() {
        let mut sources = Sources::default();
        let long = format!("{}wrong{}", "left ".repeat(60), " right".repeat(60));
        let file = sources.add("long.hoyle", format!("\t♥中文 x\n{long}\nlast"));
        let wide = Diagnostic::new(Code::Syntax, "wide", Span::new(file, 11, 12));
        let cut = Diagnostic::new(Code::Syntax, "cut", Span::new(file, 13 + 300, 13 + 305));
        let end = Diagnostic::new(Code::Syntax, "end", Span::new(file, 99_999, 99_999)).saying("missing here");
        insta::assert_snapshot!(plain(&[wide, cut, end], &sources));
    }

    #[test]
    fn json_is_an_array_of_objects() {
        let (sources, one, _) = two_files();
        let fault = Diagnostic::new(Code::Syntax, "say \"no\"", Span::new(one, 33, 41)).saying("here").with_help("do not");
        let bare = Diagnostic::without_place(Code::NoCases, "no case");
        insta::assert_snapshot!(json(&[fault, bare], &sources));
    }

    #[test]
    fn any_span_can_be_drawn() {
        let (sources, one, _) = two_files();
        for start in 0..80 {
            for end in [0, start, start + 1, 200] {
                let fault = Diagnostic::new(Code::Syntax, "x", Span::new(one, start, end)).saying("here");
                assert!(plain(std::slice::from_ref(&fault), &sources).contains("error[syntax]: x"));
                assert!(colour(std::slice::from_ref(&fault), &sources).contains("error"));
                assert!(json(&[fault], &sources).starts_with('['));
            }
        }
        let nowhere = Diagnostic::new(Code::Syntax, "x", Span::new(FileId(9), 3, 4));
        assert!(plain(&[nowhere], &sources).contains("error[syntax]: x"));
    }
}
