//! Finds the headers of a file without parsing it, so that a command parses only the files that it needs.

use crate::syntax::scan::{TokenKind, tokens};

/// What a header begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum UnitKind {
    Library,
    Rulebook,
    House,
    Amendment,
    Interface,
}

impl UnitKind {
    /// The word of the language.
    pub fn word(self) -> &'static str {
        match self {
            UnitKind::Library => "library",
            UnitKind::Rulebook => "rulebook",
            UnitKind::House => "house",
            UnitKind::Amendment => "amendment",
            UnitKind::Interface => "interface",
        }
    }

    fn of(word: &str) -> Option<UnitKind> {
        [UnitKind::Library, UnitKind::Rulebook, UnitKind::House, UnitKind::Amendment, UnitKind::Interface]
            .into_iter()
            .find(|kind| kind.word() == word)
    }

    /// Names are unique within a space: whatever can be a layer shares one, for `replaces` names layers. Clause 2.10.
    pub fn space(self) -> Space {
        match self {
            UnitKind::Library => Space::Libraries,
            UnitKind::Rulebook | UnitKind::House | UnitKind::Amendment => Space::Layers,
            UnitKind::Interface => Space::Interfaces,
        }
    }
}

/// See [`UnitKind::space`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Space {
    Libraries,
    Layers,
    Interfaces,
}

/// The beginning of a unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    pub kind: UnitKind,
    pub name: String,
    /// Bytes of the name.
    pub start: usize,
    pub end: usize,
    /// What stands behind `follows`; empty for `none` and for units that follow nothing.
    pub follows: String,
}

/// Every header outside braces, in order. A text that is no file of the language has whatever headers it seems to have.
pub fn headers(text: &str) -> Vec<Header> {
    let mut found: Vec<Header> = Vec::new();
    let mut depth = 0_usize;
    // A header stands where a declaration may begin; behind its word comes its name.
    let mut begins = true;
    let mut wanted: Option<UnitKind> = None;
    let mut follows = false;
    for token in tokens(text, 0).filter(|token| token.kind != TokenKind::Comment) {
        let began = std::mem::replace(&mut begins, false);
        match token.kind {
            TokenKind::Word if depth == 0 => {
                let word = token.text(text);
                if let Some(kind) = wanted.take() {
                    found.push(Header { kind, name: word.to_owned(), start: token.start, end: token.end, follows: String::new() });
                } else if began {
                    wanted = UnitKind::of(word);
                } else if follows && word != "none" {
                    let rest = text.get(token.start..).unwrap_or("");
                    let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '-' || c == '.')).unwrap_or(rest.len());
                    if let (Some(header), Some(id)) = (found.last_mut(), rest.get(..end)) {
                        header.follows = id.to_owned();
                    }
                }
                follows = word == "follows";
            }
            TokenKind::Sign => {
                let sign = token.sign(text);
                depth = match sign {
                    '{' => depth + 1,
                    '}' => depth.saturating_sub(1),
                    _ => depth,
                };
                begins = depth == 0 && matches!(sign, ';' | '}');
            }
            TokenKind::Word | TokenKind::Number | TokenKind::Text | TokenKind::UnclosedText | TokenKind::Comment => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_are_found_outside_braces_comments_and_texts() {
        let text = "# library no;\nlibrary cards \"rulebook x;\";\nkind k = house;\nrulebook small follows old.book;\nuse cards;\nparam p = { house };\n\
            house corner on small { option library = a { a; } }\ninterface talk { }";
        let names: Vec<(UnitKind, String, String)> = headers(text).into_iter().map(|h| (h.kind, h.name, h.follows)).collect();
        let expected = [
            (UnitKind::Library, "cards", ""),
            (UnitKind::Rulebook, "small", "old.book"),
            (UnitKind::House, "corner", ""),
            (UnitKind::Interface, "talk", ""),
        ];
        assert_eq!(names, expected.map(|(kind, name, follows)| (kind, name.to_owned(), follows.to_owned())));
    }
}
