//! Where to go on after an error, so that one reading reports many.

use crate::syntax::scan::{Token, TokenKind, tokens};

/// The words with which a declaration may begin.
pub(super) const DECLARATION_WORDS: &[&str] = &[
    "account",
    "action",
    "adopt",
    "advise",
    "amend",
    "amendment",
    "breach",
    "choose",
    "claim",
    "def",
    "event",
    "extend",
    "fact",
    "house",
    "implements",
    "in",
    "interface",
    "kind",
    "library",
    "open",
    "option",
    "param",
    "piece",
    "pieces",
    "place",
    "procedure",
    "question",
    "ranking",
    "remark",
    "right",
    "role",
    "rule",
    "rulebook",
    "scale",
    "seats",
    "set",
    "signal",
    "stock",
    "tally",
    "undecided",
    "use",
    "void",
];

/// The next byte at which a declaration plausibly begins, or a `}` of what surrounds them stands; the end of the text if there is none.
///
/// `from` is where the failed declaration begins and `at` the place of the error. A declaration begins behind a `;` or `}` that ends one,
/// or with its word on a line that is indented no deeper than the failed one: then brackets left open do not hide it.
pub(super) fn next_declaration(text: &str, from: usize, at: usize) -> usize {
    let indent = column(text, from);
    let mut depth = 0_usize;
    let mut ended = false;
    for token in tokens(text, from).filter(|token| token.kind != TokenKind::Comment) {
        let later = token.start > from;
        let sign = token.sign(text);
        if later && ended && depth == 0 && (token.start >= at || sign == '}') && may_begin(text, token) {
            return token.start;
        }
        if later && token.start >= at && is_declaration_word(text, token) && begins_line(text, token.start) && column(text, token.start) <= indent {
            return token.start;
        }
        match sign {
            '(' | '[' | '{' => depth += 1,
            '}' if depth == 0 => return token.start,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        ended = depth == 0 && matches!(sign, ';' | '}');
    }
    text.len()
}

/// Behind the end of one declaration anything begins the next, or is reported as beginning none.
fn may_begin(text: &str, token: Token) -> bool {
    is_declaration_word(text, token) || token.sign(text) == '}' || begins_line(text, token.start)
}

pub(super) fn is_declaration_word(text: &str, token: Token) -> bool {
    token.kind == TokenKind::Word && DECLARATION_WORDS.contains(&token.text(text))
}

fn line_start(text: &str, at: usize) -> usize {
    text.get(..at).and_then(|before| before.rfind('\n')).map_or(0, |end| end + 1)
}

fn column(text: &str, at: usize) -> usize {
    at - line_start(text, at)
}

fn begins_line(text: &str, at: usize) -> bool {
    text.get(line_start(text, at)..at).is_some_and(|before| before.bytes().all(|byte| byte == b' ' || byte == b'\t'))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What stands where reading goes on after an error at the first `!`.
    fn rest(text: &str) -> &str {
        let at = text.find('!').unwrap();
        &text[next_declaration(text, 0, at)..]
    }

    #[test]
    fn reading_goes_on_at_the_next_declaration() {
        assert_eq!(rest("param a ! 1; param b = 2;"), "param b = 2;");
        assert_eq!(rest("rule a ! { when b; pay c; } rule d"), "rule d");
        assert_eq!(rest("rule a on b { ! ;\n\nrule d"), "rule d");
        assert_eq!(rest("param a = 1\n!param b"), "");
        assert_eq!(rest("param a ! 1\n# param c\nparam b"), "param b");
        assert_eq!(rest("param a ! 1 } x"), "} x");
        assert_eq!(rest("rule a ! \"; rule b\" x"), "");
    }
}
