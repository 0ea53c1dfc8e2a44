//! Picks the cases that a command line asks for.

use super::case::Case;
use super::corpus::{Corpus, cites};
use crate::diagnostic::{Code, Diagnostic};

/// The cases that any of `patterns` matches, in the order of the corpus; all of them without a pattern.
///
/// A pattern is a glob (`*`, `?`) on the whole of, or else a part of, an id, a title, a file or a rulebook; a kind; or the beginning of the id of a
/// cited statement.
///
/// # Errors
/// A pattern that matches no case, or a corpus without any: a run that proves nothing must not look green.
pub fn select<'c>(corpus: &'c Corpus, patterns: &[String]) -> Result<Vec<&'c Case>, Vec<Diagnostic>> {
    if corpus.cases.is_empty() {
        return Err(vec![Diagnostic::without_place(Code::NoCases, "the corpus holds no case")]);
    }
    let idle = patterns.iter().filter(|pattern| !corpus.cases.iter().any(|case| matches(corpus, case, pattern)));
    let faults: Vec<Diagnostic> = idle.map(|pattern| no_match(pattern)).collect();
    if !faults.is_empty() {
        return Err(faults);
    }
    let wanted = |case: &&Case| patterns.is_empty() || patterns.iter().any(|pattern| matches(corpus, case, pattern));
    Ok(corpus.cases.iter().filter(wanted).collect())
}

fn no_match(pattern: &str) -> Diagnostic {
    Diagnostic::without_place(Code::NoCases, format!("no case matches `{pattern}`"))
        .with_help("a filter is a part of, or a glob on, an id, a title, a file or a rulebook; a kind; or the beginning of a cited statement's id")
}

fn matches(corpus: &Corpus, case: &Case, pattern: &str) -> bool {
    let ids = std::iter::once(&case.id).chain(&case.was).map(|id| id.text.as_str());
    let rules = case.rules.iter().map(|book| book.text.as_str());
    let mut parts = ids.chain(case.title.as_deref()).chain(rules).chain([corpus.place(case).0]);
    let cites = || cites(case).into_iter().map(|cite| cite.text.as_str());
    if pattern.contains(['*', '?']) {
        return parts.any(|part| glob(pattern, part)) || cites().any(|cite| glob(pattern, cite));
    }
    parts.any(|part| part.contains(pattern)) || case.kind().text() == pattern || cites().any(|cite| cite.starts_with(pattern))
}

/// `*` stands for any signs, `?` for one.
fn glob(pattern: &str, text: &str) -> bool {
    let pattern: Vec<char> = pattern.chars().collect();
    let text: Vec<char> = text.chars().collect();
    let (mut p, mut t) = (0, 0);
    // After the last `*`: where the pattern goes on, and how much of the text it has swallowed.
    let mut star: Option<(usize, usize)> = None;
    while let Some(&sign) = text.get(t) {
        match (pattern.get(p), star) {
            (Some('*'), _) => {
                star = Some((p + 1, t));
                p += 1;
            }
            (Some(&wanted), _) if wanted == '?' || wanted == sign => {
                p += 1;
                t += 1;
            }
            (_, Some((after, swallowed))) => {
                star = Some((after, swallowed + 1));
                p = after;
                t = swallowed + 1;
            }
            (_, None) => return false,
        }
    }
    pattern.iter().skip(p).all(|&sign| sign == '*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn globs_match_the_whole_text() {
        for (pattern, text, expected) in [
            ("draw-*", "draw-poker-q7m2", true),
            ("*-q7m2", "draw-poker-q7m2", true),
            ("draw-poker-q?m2", "draw-poker-q7m2", true),
            ("draw", "draw-poker", false),
            ("*", "", true),
            ("a*b*c", "a-b-b-c", true),
            ("a*b*c", "a-b-b", false),
            ("?", "", false),
        ] {
            assert_eq!(glob(pattern, text), expected, "{pattern} on {text}");
        }
    }
}
