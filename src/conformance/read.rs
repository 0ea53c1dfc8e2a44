//! Reads typed values from a tree, reporting every fault with its place and what to do.

use super::case::Text;
use super::yaml::{self, Entry, Node, Plain, Scalar, Value};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;

/// An enum whose variants are words of the schema.
macro_rules! words {
    ($(#[$meta:meta])* pub enum $name:ident { $($(#[$inner:meta])* $variant:ident $text:literal,)* }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name { $($(#[$inner])* $variant,)* }

        impl $name {
            /// Every value with its word.
            pub const ALL: &[($name, &str)] = &[$(($name::$variant, $text),)*];

            /// The word that files and reports use.
            pub fn text(self) -> &'static str {
                match self {
                    $($name::$variant => $text,)*
                }
            }
        }
    };
}
pub(super) use words;

/// Collects faults while values are read.
#[derive(Debug, Default)]
pub struct Reader {
    pub faults: Vec<Diagnostic>,
}

/// The entries of a map, by key.
#[derive(Clone, Copy, Debug)]
pub struct Fields<'n> {
    /// Where a missing key is reported: the first key of the map, or the map.
    pub place: Span,
    entries: &'n [Entry],
}

impl<'n> Fields<'n> {
    pub fn get(&self, key: &str) -> Option<&'n Node> {
        self.entries.iter().find(|entry| entry.key.text == key).map(|entry| &entry.value)
    }

    pub fn entry(&self, key: &str) -> Option<&'n Entry> {
        self.entries.iter().find(|entry| entry.key.text == key)
    }

    pub fn entries(&self) -> &'n [Entry] {
        self.entries
    }
}

impl Reader {
    pub fn push(&mut self, fault: Diagnostic) {
        self.faults.push(fault);
    }

    /// A fault of the schema without advice.
    pub fn bad(&mut self, span: Span, message: impl Into<String>) {
        self.push(Diagnostic::new(Code::BadCase, message, span));
    }

    /// A map with any keys.
    pub fn map<'n>(&mut self, node: &'n Node, what: &str) -> Option<Fields<'n>> {
        let Value::Map(entries) = &node.value else {
            self.wrong(node, what, "a map, `key: value`");
            return None;
        };
        for entry in entries {
            self.key_is_text(entry);
        }
        let place = entries.first().map_or(node.span, |entry| entry.key_span);
        Some(Fields { place, entries })
    }

    /// A map with some of the `known` keys and no others.
    pub fn fields<'n>(&mut self, node: &'n Node, what: &str, known: &[&str]) -> Option<Fields<'n>> {
        let fields = self.map(node, what)?;
        for entry in fields.entries {
            if !known.contains(&entry.key.text.as_str()) && !entry.key.text.is_empty() {
                self.unknown_key(entry, what, known);
            }
        }
        Some(fields)
    }

    pub fn unknown_key(&mut self, entry: &Entry, what: &str, known: &[&str]) {
        let fault = Diagnostic::new(Code::BadCase, format!("unknown key `{}` in {what}", entry.key.text), entry.key_span);
        self.push(match suggest(&entry.key.text, known.iter().copied()) {
            Some(near) => fault.with_help(format!("did you mean `{near}`?")),
            None => fault.with_help(format!("the keys here are {}", list(known))),
        });
    }

    /// The value of a key that must be there.
    pub fn need<'n>(&mut self, fields: &Fields<'n>, key: &str, what: &str) -> Option<&'n Node> {
        let found = fields.get(key);
        if found.is_none() {
            self.bad(fields.place, format!("{what} has no `{key}`"));
        }
        found
    }

    /// A key must be a text to every reader.
    fn key_is_text(&mut self, entry: &Entry) {
        if entry.key.plain && plain_trouble(&entry.key.text).is_some() {
            self.ask_quotes(&entry.key.text, entry.key_span);
        }
    }

    /// A text, not empty.
    pub fn text(&mut self, node: &Node, what: &str) -> Option<Text> {
        let Value::Scalar(scalar) = &node.value else {
            self.wrong(node, what, "a text");
            return None;
        };
        if scalar.plain && yaml::plain(&scalar.text) == Plain::Null {
            self.bad(node.span, format!("{what} is empty"));
            return None;
        }
        if scalar.plain && plain_trouble(&scalar.text).is_some() {
            self.ask_quotes(&scalar.text, node.span);
            return None;
        }
        if scalar.text.trim().is_empty() {
            self.bad(node.span, format!("{what} is empty"));
            return None;
        }
        Some(Text { text: scalar.text.clone(), span: node.span })
    }

    fn ask_quotes(&mut self, text: &str, span: Span) {
        let taken = plain_trouble(text).unwrap_or("something else");
        let message = format!("some readers of YAML take `{text}` for {taken}, and a text is wanted");
        self.push(Diagnostic::new(Code::BadCase, message, span).with_help(format!("write \"{text}\", with quotes")));
    }

    /// A number in plain decimal digits.
    pub fn integer(&mut self, node: &Node, what: &str) -> Option<i64> {
        let Value::Scalar(Scalar { text, plain: true }) = &node.value else {
            self.wrong(node, what, "a whole number without quotes");
            return None;
        };
        match yaml::plain(text) {
            Plain::Integer => {
                let number = text.parse().ok();
                if number.is_none() {
                    self.push(Diagnostic::new(Code::NumberTooLarge, format!("the number `{text}` does not fit in 64 bits"), node.span));
                }
                number
            }
            Plain::Text | Plain::Null | Plain::Truth | Plain::Number | Plain::Date | Plain::Merge => {
                let fault = Diagnostic::new(Code::BadCase, format!("{what} must be a whole number, and is `{text}`"), node.span);
                self.push(fault.with_help("write it in decimal digits, `-12`"));
                None
            }
        }
    }

    /// `true` or `false`.
    pub fn truth(&mut self, node: &Node, what: &str) -> Option<bool> {
        match &node.value {
            Value::Scalar(Scalar { text, plain: true }) if text == "true" => Some(true),
            Value::Scalar(Scalar { text, plain: true }) if text == "false" => Some(false),
            Value::Scalar(_) | Value::List(_) | Value::Map(_) | Value::Broken => {
                self.wrong(node, what, "`true` or `false`");
                None
            }
        }
    }

    /// A text or a whole number.
    pub fn text_or_integer<T>(&mut self, node: &Node, what: &str, text: fn(String) -> T, number: fn(i64) -> T) -> Option<T> {
        match &node.value {
            Value::Scalar(scalar) if scalar.plain && yaml::plain(&scalar.text) == Plain::Integer => self.integer(node, what).map(number),
            Value::Scalar(scalar) if scalar.plain && yaml::plain(&scalar.text) == Plain::Number => {
                let message = format!("{what} is `{}`, a number that is not whole, or not to every reader of YAML", scalar.text);
                let help = format!("write a whole number in decimal digits, or a text, \"{}\", with quotes", scalar.text);
                self.push(Diagnostic::new(Code::BadCase, message, node.span).with_help(help));
                None
            }
            Value::Scalar(_) | Value::List(_) | Value::Map(_) | Value::Broken => self.text(node, what).map(|found| text(found.text)),
        }
    }

    pub fn list<'n>(&mut self, node: &'n Node, what: &str) -> Option<&'n [Node]> {
        let Value::List(items) = &node.value else {
            self.wrong(node, what, "a list, `[…]`");
            return None;
        };
        Some(items)
    }

    /// A list of texts. Faulty items are reported and left out.
    pub fn texts(&mut self, node: &Node, what: &str) -> Vec<Text> {
        let items = self.list(node, what).unwrap_or_default();
        items.iter().filter_map(|item| self.text(item, &format!("an item of {what}"))).collect()
    }

    /// One text, or a list of them.
    pub fn one_or_more(&mut self, node: &Node, what: &str) -> Vec<Text> {
        if matches!(node.value, Value::List(_)) {
            let texts = self.texts(node, what);
            if matches!(&node.value, Value::List(items) if items.is_empty()) {
                self.bad(node.span, format!("{what} is empty"));
            }
            return texts;
        }
        self.text(node, what).into_iter().collect()
    }

    /// One of the words of an enum.
    pub fn word<T: Clone>(&mut self, node: &Node, what: &str, all: &[(T, &str)]) -> Option<T> {
        let word = self.text(node, what)?;
        let found = all.iter().find(|(_, text)| *text == word.text).map(|(value, _)| value.clone());
        if found.is_none() {
            let words: Vec<&str> = all.iter().map(|(_, text)| *text).collect();
            let fault = Diagnostic::new(Code::BadCase, format!("{what} cannot be `{}`", word.text), word.span);
            self.push(match suggest(&word.text, words.iter().copied()) {
                Some(near) => fault.with_help(format!("did you mean `{near}`?")),
                None => fault.with_help(format!("write one of {}", list(&words))),
            });
        }
        found
    }

    /// Something of the wrong shape, unless it was reported already.
    pub fn wrong(&mut self, node: &Node, what: &str, wanted: &str) {
        let found = match &node.value {
            Value::Broken => return,
            Value::Scalar(scalar) if scalar.text.is_empty() => "empty",
            Value::Scalar(Scalar { plain: false, .. }) => "a text in quotes",
            Value::Scalar(_) => "a single value",
            Value::List(_) => "a list",
            Value::Map(_) => "a map",
        };
        self.bad(first_line(node), format!("{what} must be {wanted}, and is {found}"));
    }
}

/// What a reader might take a scalar without quotes for.
fn plain_trouble(text: &str) -> Option<&'static str> {
    match yaml::plain(text) {
        Plain::Text => None,
        Plain::Null => Some("nothing at all"),
        Plain::Truth => Some("a truth"),
        Plain::Integer | Plain::Number => Some("a number"),
        Plain::Date => Some("a date"),
        Plain::Merge => Some("a command"),
    }
}

/// A place of many lines underlines half a screen; the beginning of it is enough.
fn first_line(node: &Node) -> Span {
    match &node.value {
        Value::Map(entries) => entries.first().map_or(node.span, |entry| entry.key_span),
        Value::List(items) => items.first().map_or(node.span, first_line),
        Value::Scalar(_) | Value::Broken => node.span,
    }
}

/// `` `a`, `b` and `c` ``
pub fn list(words: &[&str]) -> String {
    let quoted: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    match quoted.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        Some((last, _)) => last.clone(),
        None => String::new(),
    }
}

/// The candidate that `word` was probably meant to be.
pub fn suggest<'w>(word: &str, candidates: impl Iterator<Item = &'w str>) -> Option<&'w str> {
    let allowed = (word.chars().count() / 3).max(1);
    candidates
        .map(|candidate| (strsim::damerau_levenshtein(word, candidate), candidate))
        .filter(|(far, _)| *far <= allowed)
        .min()
        .map(|(_, near)| near)
}
