//! The borders inside the house: who may import whom, where no game word may stand, and what must be kept equal.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops where it cannot go on")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use hoyle::diagnostic::{Code, Severity};

/// Each may import only what stands before it.
const ORDER: [&str; 9] = ["embedded", "source", "diagnostic", "syntax", "ranking", "rules", "engine", "conformance", "cli"];

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn files(dir: &Path, extension: &str, found: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(dir) else { return };
    for entry in entries.map(Result::unwrap) {
        let path = entry.path();
        if path.is_dir() {
            files(&path, extension, found);
        } else if path.extension().is_some_and(|ext| ext == extension) {
            found.push(path);
        }
    }
}

fn sources() -> Vec<(String, String)> {
    let mut found = Vec::new();
    files(&root().join("src"), "rs", &mut found);
    found.sort();
    assert!(found.len() > 30, "the sources were not found");
    found.into_iter().map(|path| (path.strip_prefix(root()).unwrap().display().to_string(), fs::read_to_string(&path).unwrap())).collect()
}

/// The module below `src/` that a file belongs to.
fn module(file: &str) -> &str {
    file.trim_start_matches("src/").split(['/', '.']).next().unwrap()
}

/// What stands before the tests of a file.
fn without_tests(text: &str) -> &str {
    text.split("#[cfg(test)]").next().unwrap()
}

#[test]
fn modules_import_only_what_stands_left_of_them() {
    for (file, text) in sources() {
        let Some(here) = ORDER.iter().position(|name| *name == module(&file)) else { continue };
        for used in text.split("crate::").skip(1) {
            let name: String = used.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
            if let Some(there) = ORDER.iter().position(|known| *known == name) {
                assert!(there <= here, "{file} imports `{name}`, which stands to the right of `{}`", ORDER[here]);
            }
        }
    }
}

#[test]
fn the_engine_knows_no_game() {
    let list = fs::read_to_string(root().join("tests/game-words.txt")).unwrap();
    let words: BTreeSet<&str> = list.lines().filter(|line| !line.starts_with('#')).flat_map(str::split_whitespace).collect();
    assert!(words.len() > 50);
    let mut found = Vec::new();
    for (file, text) in
        sources().into_iter().filter(|(file, _)| ["engine", "rules", "ranking"].contains(&module(file)) && !file.ends_with("/tests.rs"))
    {
        for (number, line) in without_tests(&text).lines().enumerate() {
            // Examples in comments and in tests may come from a game; code may not.
            let lower = line.split("//").next().unwrap().to_lowercase();
            for word in lower.split(|c: char| !c.is_alphanumeric()).filter(|word| words.contains(word)) {
                found.push(format!("{file}:{}: {word}", number + 1));
            }
        }
    }
    assert!(found.is_empty(), "game words in the engine:\n{}", found.join("\n"));
}

#[test]
fn nothing_is_left_over() {
    let left = ["todo!", "unimplemented!", "dbg!", "FIXME", "XXX"];
    for (file, text) in sources() {
        for word in left {
            assert!(!text.contains(word), "{file} contains {word}");
        }
    }
}

#[test]
fn one_directory_knows_the_parser_library() {
    for (file, text) in sources() {
        let may = file.starts_with("src/syntax/parse") || file == "src/syntax/record.rs" || file.starts_with("src/syntax/record/");
        let names = without_tests(&text)
            .lines()
            .any(|line| !line.trim_start().starts_with("//") && (line.contains("pest::") || line.contains("pest_derive")));
        assert!(may || !names, "{file} names the parser library");
    }
}

/// What stands in the specification between `<!-- NAME` and the next heading.
fn section<'s>(specification: &'s str, name: &str) -> &'s str {
    let start = specification.find(&format!("<!-- {name}")).unwrap_or_else(|| panic!("the specification has no `{name}`"));
    let rest = &specification[start..];
    let start = rest.find("-->").unwrap() + 3;
    rest[start..].split("\n## ").next().unwrap()
}

#[test]
fn codes_are_those_of_the_specification() {
    let specification = fs::read_to_string(root().join("spec/language.md")).unwrap();
    let wanted: Vec<String> = (Code::ALL.iter())
        .map(|code| {
            let severity = match code.severity() {
                Severity::Error => "error",
                Severity::Warning => "warning",
            };
            format!("| `{}` | {severity} | {} |", code.text(), code.meaning())
        })
        .collect();
    let found: Vec<&str> = section(&specification, "codes").lines().filter(|line| line.starts_with("| `")).collect();
    assert_eq!(found, wanted, "the table should be\n{}", wanted.join("\n"));
}

#[test]
fn reserved_words_are_those_of_the_grammar() {
    let specification = fs::read_to_string(root().join("spec/language.md")).unwrap();
    let grammar = fs::read_to_string(root().join("grammar/hoyle.pest")).unwrap();
    let start = grammar.find("\nkeyword = ").unwrap();
    let rule = grammar[start..].split('}').next().unwrap();
    let words: BTreeSet<&str> = rule.split('"').skip(1).step_by(2).filter(|word| word.len() > 1).collect();
    let listed: BTreeSet<&str> = section(&specification, "words").split('`').skip(1).step_by(2).collect();
    let missing: Vec<_> = words.difference(&listed).collect();
    let extra: Vec<_> = listed.difference(&words).collect();
    assert!(missing.is_empty() && extra.is_empty(), "missing in the specification: {missing:?}, not in the grammar: {extra:?}");
}

#[test]
fn no_file_grows_beyond_what_a_reader_can_hold() {
    for (file, text) in sources() {
        let lines = text.lines().count();
        assert!(lines <= 600, "{file} has {lines} lines");
    }
}
