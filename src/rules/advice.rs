//! "Did you mean …": names near to one that nothing declares.

use std::collections::BTreeSet;

/// How many names are worth offering.
const MOST: usize = 3;

/// The names nearest to `wanted`, best first, and none that is too far to be a slip of the pen.
pub fn nearest<'n>(wanted: &str, among: impl IntoIterator<Item = &'n str>) -> Vec<&'n str> {
    let wanted_lower = wanted.to_lowercase();
    let names: BTreeSet<&str> = among.into_iter().filter(|name| *name != wanted).collect();
    let mut found: Vec<(usize, &str)> = names.into_iter().filter_map(|name| Some((distance(&wanted_lower, name)?, name))).collect();
    found.sort_unstable();
    let best = found.first().map_or(0, |(distance, _)| *distance);
    found.into_iter().filter(|(distance, _)| *distance <= best + 1).map(|(_, name)| name).take(MOST).collect()
}

/// Letters that differ; a name that holds the other as a whole word is a near one as well.
fn distance(wanted: &str, name: &str) -> Option<usize> {
    let name = name.to_lowercase();
    let letters = strsim::osa_distance(wanted, &name);
    let length = wanted.chars().count().max(name.chars().count());
    if letters <= (length / 3).max(1) {
        return Some(letters);
    }
    let words = |text: &str| text.split(['-', '.']).map(str::to_owned).collect::<BTreeSet<_>>();
    let (a, b) = (words(wanted), words(&name));
    (a.is_subset(&b) || b.is_subset(&a)).then_some(2)
}

/// `did you mean "a" or "b"?`, if anything is near.
pub fn did_you_mean<'n>(wanted: &str, among: impl IntoIterator<Item = &'n str>) -> Option<String> {
    let near = nearest(wanted, among);
    (!near.is_empty()).then(|| format!("did you mean {}?", either(near)))
}

/// `a`, `b` and `c`, each in backticks.
pub fn all_of<'n>(names: impl IntoIterator<Item = &'n str>) -> String {
    join(names, "and")
}

/// `a`, `b` or `c`, each in backticks.
pub fn either<'n>(names: impl IntoIterator<Item = &'n str>) -> String {
    join(names, "or")
}

fn join<'n>(names: impl IntoIterator<Item = &'n str>, word: &str) -> String {
    let quoted: Vec<String> = names.into_iter().map(|name| format!("`{name}`")).collect();
    match quoted.split_last() {
        None => String::new(),
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} {word} {last}", rest.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_is_near_and_a_stranger_is_not() {
        assert_eq!(nearest("hegihts", ["heights", "depths"]), ["heights"]);
        assert_eq!(nearest("rank", ["colour", "suit"]), Vec::<&str>::new());
        assert_eq!(nearest("rank-order", ["rank.order", "rank"]), ["rank.order", "rank"]);
    }

    #[test]
    fn lists_read_as_sentences() {
        assert_eq!(either(["a"]), "`a`");
        assert_eq!(all_of(["a", "b", "c"]), "`a`, `b` and `c`");
    }
}
