//! A coarse reading of a text into words, numbers, signs, texts in quotes and comments.
//!
//! It knows no grammar. The limits are checked on it before any parsing, errors are placed with it, and the formatter finds comments with it.
//! It never fails and takes time in proportion to the text.

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// Letters, digits, `-` and `_`, beginning with a letter or `_`.
    Word,
    /// Digits, and whatever word characters follow them.
    Number,
    /// `"…"`, with both quotes.
    Text,
    /// `"…` to the end of its line.
    UnclosedText,
    /// `# …`, without the end of the line.
    Comment,
    /// One character that is none of these.
    Sign,
}

/// One token and the bytes that it covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    pub kind: TokenKind,
    pub start: usize,
    pub end: usize,
}

impl Token {
    /// The token's own characters.
    pub fn text(self, text: &str) -> &str {
        text.get(self.start..self.end).unwrap_or("")
    }

    /// The first character of a sign, and `\0` of anything else.
    pub fn sign(self, text: &str) -> char {
        if self.kind != TokenKind::Sign {
            return '\0';
        }
        self.text(text).chars().next().unwrap_or('\0')
    }
}

/// The tokens of `text` from byte `from` on, comments among them, white space left out.
pub fn tokens(text: &str, from: usize) -> Tokens<'_> {
    Tokens { text, at: from }
}

/// See [`tokens`].
#[derive(Clone, Debug)]
pub struct Tokens<'t> {
    text: &'t str,
    at: usize,
}

impl Iterator for Tokens<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        let rest = self.text.get(self.at..)?;
        let blank = rest.bytes().take_while(|&byte| is_blank(byte)).count();
        let start = self.at + blank;
        let rest = rest.get(blank..)?;
        let first = rest.chars().next()?;
        let bytes = rest.as_bytes();
        let (kind, length) = match first {
            '#' => (TokenKind::Comment, run(bytes, |byte| byte != b'\n')),
            '"' => text_in_quotes(bytes),
            '0'..='9' => (TokenKind::Number, run(bytes, is_word)),
            'a'..='z' | 'A'..='Z' | '_' => (TokenKind::Word, run(bytes, is_word)),
            _ => (TokenKind::Sign, first.len_utf8()),
        };
        let end = start + length;
        self.at = end;
        Some(Token { kind, start, end: trimmed(self.text, kind, start, end) })
    }
}

/// A comment does not keep the carriage return or the blanks before the end of its line.
fn trimmed(text: &str, kind: TokenKind, start: usize, end: usize) -> usize {
    if kind != TokenKind::Comment {
        return end;
    }
    start + text.get(start..end).map_or(0, |comment| comment.trim_end_matches([' ', '\t', '\r']).len())
}

fn text_in_quotes(bytes: &[u8]) -> (TokenKind, usize) {
    let inside = run(bytes.get(1..).unwrap_or(&[]), |byte| byte != b'"' && byte != b'\n');
    match bytes.get(1 + inside) {
        Some(b'"') => (TokenKind::Text, inside + 2),
        _ => (TokenKind::UnclosedText, inside + 1),
    }
}

fn run(bytes: &[u8], belongs: impl Fn(u8) -> bool) -> usize {
    bytes.iter().take_while(|&&byte| belongs(byte)).count()
}

/// The white space of the grammar.
pub fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r')
}

/// A character that may stand inside a word.
pub fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_'
}

/// The place of the next token that is no comment: `text.len()` if there is none.
pub fn next_code(text: &str, from: usize) -> usize {
    tokens(text, from).find(|token| token.kind != TokenKind::Comment).map_or(text.len(), |token| token.start)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<(TokenKind, &str)> {
        tokens(text, 0).map(|token| (token.kind, token.text(text))).collect()
    }

    #[test]
    fn strings_hide_comments_and_comments_hide_strings() {
        use TokenKind::*;
        let expected = vec![(Word, "a-b"), (Text, "\"# no\""), (Sign, ";"), (Comment, "# \"yes")];
        assert_eq!(kinds("a-b \"# no\"; # \"yes  \r\n"), expected);
        assert_eq!(kinds("\"open\n12x"), vec![(UnclosedText, "\"open"), (Number, "12x")]);
        assert_eq!(kinds("“é"), vec![(Sign, "“"), (Sign, "é")]);
    }

    #[test]
    fn the_next_code_stands_behind_comments() {
        assert_eq!(next_code("  # one\n # two\n x", 0), 16);
        assert_eq!(next_code("# one", 0), 5);
    }
}
