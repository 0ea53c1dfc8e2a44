//! Reads the part of YAML that cases and inventories are written in, into a tree with a place on every node.
//!
//! The only file that names the YAML parser. Structs derived with serde would stop at their first fault; from a tree with places the typed reading
//! ([`super::read`]) reports all of them. Anchors, aliases and tags are refused, keys are unique, sizes are bounded: a tree is never larger than
//! its text.

use serde_yaml::granit_parser::{ErrorKind, Event, Options, Parser, ScalarStyle, ScanError, Span as YamlSpan};

use crate::diagnostic::{Code, Diagnostic};
use crate::source::{FileId, Span};

/// Files are limited as rulebooks are.
const LARGEST: usize = 1024 * 1024;
/// Brackets and indentation together.
const DEEPEST: usize = 64;

/// A value and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    pub span: Span,
    pub value: Value,
}

impl Node {
    /// The value of a key, if this is a map that has it.
    pub fn get(&self, key: &str) -> Option<&Node> {
        let Value::Map(entries) = &self.value else { return None };
        entries.iter().find(|entry| entry.key.text == key).map(|entry| &entry.value)
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    Scalar(Scalar),
    List(Vec<Node>),
    Map(Vec<Entry>),
    /// Stands where something was refused and reported already.
    Broken,
}

/// A key, or a value that is neither list nor map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scalar {
    pub text: String,
    /// Written without quotes, so that a reader of another YAML may take it for a number or a truth.
    pub plain: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    pub key: Scalar,
    pub key_span: Span,
    pub value: Node,
}

/// What some reader of YAML 1.1 or 1.2 makes of a scalar without quotes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plain {
    Text,
    Null,
    Truth,
    /// Decimal digits that every reader takes for the same number.
    Integer,
    /// `1e3`, `1:30`, `0x10`, `010`, `1_000`, `.5`: a number to some.
    Number,
    Date,
    /// `<<` and `=`.
    Merge,
}

/// The items of a file that is a list. Faults are added to `faults`; a syntax error in one item does not hide the others.
pub fn items(file: FileId, text: &str, what: &str, faults: &mut Vec<Diagnostic>) -> Vec<Node> {
    if text.len() > LARGEST {
        faults.push(Diagnostic::new(Code::TooLarge, "a file is larger than 1 MiB", Span::new(file, 0, 0)));
        return Vec::new();
    }
    let mut whole = Vec::new();
    match read(file, text, 0, &mut whole) {
        Ok(root) => {
            faults.append(&mut whole);
            root.map_or_else(Vec::new, |root| list_of(root, what, faults))
        }
        Err(_) => chunks(text).into_iter().flat_map(|(from, chunk)| chunk_items(file, from, chunk, what, faults)).collect(),
    }
}

fn chunk_items(file: FileId, from: usize, chunk: &str, what: &str, faults: &mut Vec<Diagnostic>) -> Vec<Node> {
    match read(file, chunk, from, faults) {
        Ok(root) => root.map_or_else(Vec::new, |root| list_of(root, what, faults)),
        Err(fault) => {
            faults.push(*fault);
            Vec::new()
        }
    }
}

fn list_of(root: Node, what: &str, faults: &mut Vec<Diagnostic>) -> Vec<Node> {
    let Value::List(items) = root.value else {
        // Where the list should begin; its first sign may be of several bytes.
        let place = Span { end: root.span.start, ..root.span };
        faults.push(Diagnostic::new(Code::BadCase, format!("the file is not a list of {what}"), place).with_help("begin each with `- `"));
        return Vec::new();
    };
    items
}

/// The text cut where a line begins with `- `, and where each part begins. Comments before the first go with it.
pub fn chunks(text: &str) -> Vec<(usize, &str)> {
    let mut starts: Vec<usize> = text.match_indices("\n- ").map(|(at, _)| at + 1).collect();
    if text.starts_with("- ") {
        starts.insert(0, 0);
    } else if let Some(first) = starts.first_mut() {
        *first = 0;
    } else {
        starts.push(0);
    }
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    starts.iter().zip(ends).filter_map(|(&start, end)| text.get(start..end).map(|part| (start, part))).collect()
}

/// One document; `from` is where `text` begins in its file. `None` for a text without any value.
///
/// # Errors
/// The text is not YAML, or nested too deep. What can be read past goes to `faults` instead.
pub fn read(file: FileId, text: &str, from: usize, faults: &mut Vec<Diagnostic>) -> Result<Option<Node>, Box<Diagnostic>> {
    let mut options = Options::default();
    options.strict_indentation = true;
    options.disallow_directives = true;
    options.emit_unresolved_aliases = true;
    options.emit_anchor_events = true;
    options.flow_nesting_limit = DEEPEST;
    options.block_nesting_limit = DEEPEST;
    options.set_emit_comments(false);
    let mut tree = Tree { file, from, open: Vec::new(), root: None, faults };
    for event in Parser::new_from_str_with_options(text, options) {
        let (event, span) = event.map_err(|error| Box::new(scan_fault(file, from, text, &error)))?;
        tree.take(event, &span);
    }
    Ok(tree.root)
}

fn scan_fault(file: FileId, from: usize, text: &str, error: &ScanError) -> Diagnostic {
    let at = error.marker().byte_offset().unwrap_or(text.len()).min(text.trim_end().len());
    let end = text.get(at..).and_then(|rest| rest.chars().next()).map_or(at, |sign| at + sign.len_utf8());
    let span = Span::new(file, from + at, from + end);
    if *error.kind() == ErrorKind::RecursionLimitExceeded {
        return Diagnostic::new(Code::TooDeep, "brackets or lines are nested deeper than 64", span);
    }
    Diagnostic::new(Code::BadCase, format!("this is not YAML: {}", error.info()), span)
        .with_help("quote a text that holds `: `, ` #`, a bracket, or begins with a sign of YAML's own")
}

/// A list or map whose end has not come yet.
struct Open {
    start: usize,
    end: usize,
    broken: bool,
    content: Content,
}

enum Content {
    List(Vec<Node>),
    Map { entries: Vec<Entry>, key: Option<(Scalar, Span)> },
}

struct Tree<'f> {
    file: FileId,
    from: usize,
    open: Vec<Open>,
    root: Option<Node>,
    faults: &'f mut Vec<Diagnostic>,
}

impl Tree<'_> {
    fn take(&mut self, event: Event<'_>, yaml: &YamlSpan) {
        let start = self.from + yaml.start.byte_offset().unwrap_or(0);
        let end = self.from + yaml.end.byte_offset().unwrap_or(0);
        let span = Span::new(self.file, start, end.max(start));
        let refused = self.refuse_extras(&event, yaml, span);
        if event.is_alias() {
            self.place(Node { span, value: Value::Broken });
        } else if let Event::Scalar(text, style, _, _) = event {
            let plain = style == ScalarStyle::Plain;
            // An absent value is reported as `~` of no width.
            let text = if plain && span.start == span.end { String::new() } else { text.into_owned() };
            let value = if refused { Value::Broken } else { Value::Scalar(Scalar { text, plain }) };
            self.place(Node { span: self.trimmed(span, yaml), value });
        } else if matches!(event, Event::SequenceStart(..)) {
            self.open.push(Open { start, end, broken: refused, content: Content::List(Vec::new()) });
        } else if matches!(event, Event::MappingStart(..)) {
            self.open.push(Open { start, end, broken: refused, content: Content::Map { entries: Vec::new(), key: None } });
        } else if matches!(event, Event::SequenceEnd | Event::MappingEnd) {
            self.close(start, end);
        } else if matches!(event, Event::DocumentStart(..)) && self.root.is_some() {
            self.faults.push(Diagnostic::new(Code::BadCase, "the file holds more than one document", span).with_help("take out the `---`"));
        }
    }

    /// Block scalars end after their last line break; a place is better without it.
    fn trimmed(&self, span: Span, yaml: &YamlSpan) -> Span {
        if yaml.start.line() == yaml.end.line() { span } else { Span { end: span.end.saturating_sub(1).max(span.start), ..span } }
    }

    /// Anchors, aliases and tags: they mean different things to different readers. True if one was there.
    fn refuse_extras(&mut self, event: &Event<'_>, yaml: &YamlSpan, span: Span) -> bool {
        let tag = yaml.tag_span().and_then(|tag| tag.byte_range());
        let tag = tag.map_or(span, |range| Span::new(self.file, self.from + range.start, self.from + range.end));
        let found =
            [(event.is_alias(), "an alias", span), (matches!(event, Event::Anchor(..)), "an anchor", span), (event.tag().is_some(), "a tag", tag)];
        for (_, what, place) in found.into_iter().filter(|(is, ..)| *is) {
            self.faults.push(Diagnostic::new(Code::BadCase, format!("{what} is not allowed here"), place).with_help("write the value out"));
        }
        found.iter().any(|(is, ..)| *is) || event.anchor_id().is_some()
    }

    fn close(&mut self, start: usize, end: usize) {
        let Some(open) = self.open.pop() else { return };
        // The end of a block collection has no width and stands after the blank lines that follow; its last child says where it ends.
        let end = if end > start { end } else { open.end };
        let value = match open.content {
            Content::List(items) => Value::List(items),
            Content::Map { entries, .. } => Value::Map(entries),
        };
        let value = if open.broken { Value::Broken } else { value };
        self.place(Node { span: Span::new(self.file, open.start, end), value });
    }

    fn place(&mut self, node: Node) {
        let Some(open) = self.open.last_mut() else {
            self.root.get_or_insert(node);
            return;
        };
        open.end = open.end.max(node.span.end as usize);
        match &mut open.content {
            Content::List(items) => items.push(node),
            Content::Map { entries, key } => match key.take() {
                None => *key = Some(as_key(node, self.faults)),
                Some((name, key_span)) => {
                    let before = entries.iter().find(|entry| entry.key.text == name.text).map(|entry| entry.key_span);
                    if let Some(before) = before.filter(|_| !name.text.is_empty()) {
                        self.faults.push(twice(&name.text, key_span, before));
                    } else {
                        entries.push(Entry { key: name, key_span, value: node });
                    }
                }
            },
        }
    }
}

fn twice(name: &str, here: Span, before: Span) -> Diagnostic {
    Diagnostic::new(Code::BadCase, format!("the key `{name}` stands twice"), here).with_label(before, "first here")
}

fn as_key(node: Node, faults: &mut Vec<Diagnostic>) -> (Scalar, Span) {
    match node.value {
        Value::Scalar(key) => (key, node.span),
        Value::Broken => (Scalar { text: String::new(), plain: false }, node.span),
        Value::List(_) | Value::Map(_) => {
            faults.push(Diagnostic::new(Code::BadCase, "a key must be a plain name", node.span));
            (Scalar { text: String::new(), plain: false }, node.span)
        }
    }
}

/// What readers of YAML 1.1 and 1.2 make of `text` written without quotes; the suspicious answer where they differ.
pub fn plain(text: &str) -> Plain {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Plain::Null,
        "y" | "Y" | "n" | "N" | "yes" | "Yes" | "YES" | "no" | "No" | "NO" | "true" | "True" | "TRUE" | "false" | "False" | "FALSE" | "on" | "On"
        | "ON" | "off" | "Off" | "OFF" => Plain::Truth,
        "<<" | "=" => Plain::Merge,
        _ => number(text),
    }
}

fn number(text: &str) -> Plain {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    if digits(unsigned) && !text.starts_with('+') && (unsigned == "0" || !unsigned.starts_with('0')) && text != "-0" {
        return Plain::Integer;
    }
    let bytes = unsigned.as_bytes();
    let dated = |at: usize| bytes.get(at) == Some(&b'-') && unsigned.get(..at).is_some_and(digits);
    if dated(4) && bytes.get(5).is_some_and(u8::is_ascii_digit) {
        return Plain::Date;
    }
    let prefixed = unsigned.strip_prefix("0x").is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'_'))
        || unsigned.strip_prefix(['0']).and_then(|rest| rest.strip_prefix(['b', 'o'])).is_some_and(|rest| loose(rest, &[]));
    let named = matches!(unsigned, ".inf" | ".Inf" | ".INF" | ".nan" | ".NaN" | ".NAN");
    let sixties = loose(unsigned, b":.") && unsigned.starts_with(|first: char| first.is_ascii_digit());
    if prefixed || named || sixties || scientific(unsigned) { Plain::Number } else { Plain::Text }
}

/// Digits, `_` and the signs of `more`, at least one of them a digit.
fn loose(text: &str, more: &[u8]) -> bool {
    text.bytes().any(|byte| byte.is_ascii_digit()) && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'_' || more.contains(&byte))
}

/// `.5`, `1.`, `1e3`, `1.5E-7`
fn scientific(text: &str) -> bool {
    let begins = text.starts_with(|first: char| first.is_ascii_digit() || first == '.');
    let (mantissa, exponent) = text.split_once(['e', 'E']).map_or((text, "0"), |(mantissa, exponent)| (mantissa, exponent));
    begins && loose(mantissa, b".") && loose(exponent.strip_prefix(['+', '-']).unwrap_or(exponent), &[])
}

/// The value as JSON, for the published schema: scalars without quotes become what YAML 1.1 makes of them.
pub fn json(node: &Node) -> serde_json::Value {
    match &node.value {
        Value::Broken => serde_json::Value::Null,
        Value::List(items) => items.iter().map(json).collect(),
        Value::Map(entries) => entries.iter().map(|entry| (entry.key.text.clone(), json(&entry.value))).collect(),
        Value::Scalar(Scalar { text, plain: false }) => serde_json::Value::from(text.as_str()),
        Value::Scalar(Scalar { text, plain: true }) => match plain(text) {
            Plain::Text => serde_json::Value::from(text.as_str()),
            Plain::Null | Plain::Merge => serde_json::Value::Null,
            Plain::Truth => serde_json::Value::Bool(true),
            Plain::Integer => text.parse::<i64>().map_or(serde_json::Value::Null, serde_json::Value::from),
            Plain::Number | Plain::Date => serde_json::Value::from(0.5),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_begins_with_a_sign_of_several_bytes_is_underlined_whole() {
        let (_, faults) = crate::conformance::load::file(FileId(0), "# eaches: [a]\n \u{613}x\n");
        let whole = |span: Span| "# eaches: [a]\n \u{613}x\n".get(span.start as usize..span.end as usize).is_some();
        assert!(!faults.is_empty() && faults.iter().flat_map(|fault| &fault.labels).all(|label| whole(label.span)));
    }

    #[test]
    fn scalars_that_readers_disagree_about_are_known() {
        let cases = [
            ("no", Plain::Truth),
            ("Y", Plain::Truth),
            ("~", Plain::Null),
            ("10", Plain::Integer),
            ("-3", Plain::Integer),
            ("0", Plain::Integer),
            ("010", Plain::Number),
            ("1:30", Plain::Number),
            ("1e3", Plain::Number),
            ("1_000", Plain::Number),
            (".5", Plain::Number),
            ("0x1F", Plain::Number),
            ("0o17", Plain::Number),
            ("-.inf", Plain::Number),
            ("+1", Plain::Number),
            ("1.2.3", Plain::Number),
            ("2001-12-14", Plain::Date),
            ("<<", Plain::Merge),
            ("2c", Plain::Text),
            ("Ah Jh", Plain::Text),
            ("five-high", Plain::Text),
            ("-", Plain::Text),
            ("none", Plain::Text),
            ("e3", Plain::Text),
            ("...", Plain::Text),
        ];
        for (text, expected) in cases {
            assert_eq!(plain(text), expected, "{text}");
        }
    }

    #[test]
    fn a_text_is_cut_at_items() {
        let text = "# head\n- a: 1\n\n- b: 2\n";
        assert_eq!(chunks(text), [(0, "# head\n- a: 1\n\n"), (15, "- b: 2\n")]);
        assert_eq!(chunks(""), [(0, "")]);
    }
}
