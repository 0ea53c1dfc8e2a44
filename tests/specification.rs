//! The page `spec/language.md` is held to what it says: every fenced example is answered as its head promises, and every clause that anything
//! names is there.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test that cannot go on shall stop")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use hoyle::conformance::inventory::Inventory;
use hoyle::diagnostic::render::plain;
use hoyle::diagnostic::{Code, Diagnostic};
use hoyle::rules::{Catalog, Statements, UnitKind, check_all};
use hoyle::source::Sources;
use hoyle::syntax::parse;
use hoyle::syntax::print::print;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn page() -> String {
    fs::read_to_string(root().join("spec/language.md")).unwrap()
}

/// A fenced block: the line of its head, the head, the text.
#[derive(Debug)]
struct Example<'p> {
    line: usize,
    head: &'p str,
    text: String,
}

/// Every fenced block of a page.
fn examples(page: &str) -> Vec<Example<'_>> {
    let mut found: Vec<Example<'_>> = Vec::new();
    let mut inside = false;
    for (number, line) in page.lines().enumerate() {
        match (line.strip_prefix("```"), inside) {
            (Some(head), false) => {
                found.push(Example { line: number + 1, head, text: String::new() });
                inside = true;
            }
            (Some(_), true) => inside = false,
            (None, true) => {
                let example = found.last_mut().unwrap();
                example.text.push_str(line);
                example.text.push('\n');
            }
            (None, false) => {}
        }
    }
    assert!(!inside, "a fence is not closed");
    found
}

/// The example, or the fixture, that declares a rulebook.
fn rulebook(page: &str, name: &str) -> Option<String> {
    let declares = |text: &str| {
        let mut catalog = Catalog::new();
        catalog.add("example", text);
        catalog.names(UnitKind::Rulebook).contains(&name)
    };
    let own = examples(page).into_iter().find(|example| example.head == "hoyle" && declares(&example.text)).map(|example| example.text);
    own.or_else(|| fs::read_to_string(root().join(format!("tests/spec/{name}.hoyle"))).ok())
}

/// Everything that `check` says of these files and nothing else.
fn checked(files: &[(&str, &str)]) -> (Vec<Diagnostic>, String) {
    let inventory = Inventory::embedded();
    let statements: Statements = inventory.ids().collect();
    let mut catalog = Catalog::new();
    for (name, text) in files {
        catalog.add(*name, *text);
    }
    let faults = check_all(&catalog, Some(&statements));
    let drawn = plain(&faults, catalog.sources());
    (faults, drawn)
}

fn errors(faults: &[Diagnostic]) -> BTreeSet<&'static str> {
    faults.iter().filter(|fault| fault.is_error()).map(|fault| fault.code.text()).collect()
}

/// What is wrong with an example, as its head sees it.
fn wrong(page: &str, example: &Example<'_>) -> Option<String> {
    let text = example.text.as_str();
    let words: Vec<&str> = example.head.split(' ').collect();
    match words.as_slice() {
        ["hoyle"] => {
            let (faults, drawn) = checked(&[("example", text)]);
            if errors(&faults).is_empty() { reprinted(text).err() } else { Some(drawn) }
        }
        ["hoyle", "in", name] => {
            let Some(base) = rulebook(page, name) else { return Some(format!("there is no rulebook `{name}`")) };
            let (faults, drawn) = checked(&[("example", text), (name, &base)]);
            if errors(&faults).is_empty() { reprinted(text).err() } else { Some(drawn) }
        }
        ["hoyle-parse"] => reprinted(text).err(),
        ["hoyle-error", code] => {
            if !Code::ALL.iter().any(|known| known.text() == *code) {
                return Some(format!("there is no code `{code}`"));
            }
            let (faults, drawn) = checked(&[("example", text)]);
            (errors(&faults) != BTreeSet::from([*code])).then(|| format!("this should be `{code}`:\n{drawn}"))
        }
        _ => Some(format!("nobody knows what `{}` means", example.head)),
    }
}

/// A text as it is printed, if it can be read and means the same then.
fn reprinted(text: &str) -> Result<String, String> {
    let read = |text: &str| {
        let mut sources = Sources::default();
        let file = sources.add("example", text);
        let (tree, faults) = parse::file(file, text);
        if faults.is_empty() { Ok(tree) } else { Err(plain(&faults, &sources)) }
    };
    let tree = read(text)?;
    let printed = print(&tree, text);
    if read(&printed)? == tree { Ok(printed) } else { Err(format!("this is printed as something else:\n{printed}")) }
}

#[test]
fn every_example_is_answered_as_its_head_says() {
    let page = page();
    let examples = examples(&page);
    let heads: BTreeSet<&str> = examples.iter().map(|example| example.head.split(' ').next().unwrap()).collect();
    assert!(examples.len() >= 5 && heads.contains("hoyle") && heads.contains("hoyle-error"), "are the examples gone? {heads:?}");
    let wrong: Vec<String> = examples.iter().filter_map(|example| Some(format!("line {}: {}", example.line, wrong(&page, example)?))).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn an_example_that_breaks_its_promise_is_noticed() {
    let page = page();
    let broken = |head: &str, text: &str| wrong(&page, &Example { line: 1, head, text: text.to_owned() }).is_some();
    assert!(broken("hoyle", "param a = 1;\n"), "no header");
    assert!(broken("hoyle", "rulebook small follows none;\nuse cards;\n"), "the library is not its own");
    assert!(broken("hoyle in brag", "house h on brag { in ranking brag { class odd: anything; } }\n"), "a class that no edge orders");
    assert!(!broken("hoyle in brag", "house h on brag { }\n"));
    assert!(broken("hoyle in no-such-rulebook", "house h on brag { }\n"));
    assert!(broken("hoyle-parse", "rule x on\n"));
    assert!(!broken("hoyle-parse", "rule x on y { refuse; }\n"));
    assert!(broken("hoyle-error missing-header", "library a \"b\";\n"), "no error at all");
    assert!(broken("hoyle-error syntax", "param a = 1;\n"), "another code");
    assert!(broken("hoyle-error missing-header", "param a = 1;\nparam b = ;\n"), "one code too many");
    assert!(broken("hoyle-error no-such-code", "param a = 1;\n"));
    assert!(broken("rust", "fn main() {}\n"));
}

/// Number of each clause, with its line; what is wrong with the numbering.
fn clauses(page: &str) -> (BTreeMap<(u32, u32), usize>, Vec<String>) {
    let mut found = BTreeMap::new();
    let mut wrong = Vec::new();
    let (mut part, mut last) = (0, 0);
    for (number, line) in page.lines().enumerate().map(|(at, line)| (at + 1, line)) {
        if let Some(title) = line.strip_prefix("## ") {
            let next = title.split('.').next().and_then(|n| n.parse().ok());
            if next != Some(part + 1) {
                wrong.push(format!("line {number}: part {} should come here", part + 1));
            }
            (part, last) = (next.unwrap_or(part), 0);
        } else if let Some(clause) = leading_clause(line) {
            if clause != (part, last + 1) {
                wrong.push(format!("line {number}: clause {}.{} stands where {part}.{} is due", clause.0, clause.1, last + 1));
            }
            if found.insert(clause, number).is_some() {
                wrong.push(format!("line {number}: clause {}.{} is there twice", clause.0, clause.1));
            }
            last = clause.1;
        }
    }
    (found, wrong)
}

/// `3.14 **Constant** …`, also within bold type.
fn leading_clause(line: &str) -> Option<(u32, u32)> {
    number(line.trim_start_matches('*').split(' ').next()?)
}

/// `3.14`
fn number(word: &str) -> Option<(u32, u32)> {
    let (part, clause) = word.split_once('.')?;
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if digits(part) && digits(clause) { Some((part.parse().ok()?, clause.parse().ok()?)) } else { None }
}

#[test]
fn clauses_are_numbered_one_after_another() {
    let (found, wrong) = clauses(&page());
    assert!(found.len() > 90, "only {} clauses", found.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    for bad in ["## 1. A\n1.2 b\n", "## 1. A\n1.1 b\n1.1 c\n", "## 1. A\n2.1 b\n", "## 2. A\n", "## 1. A\n1.1 a\n1.3 b\n"] {
        assert!(!clauses(bad).1.is_empty(), "{bad}");
    }
}

/// Clauses that a text names: `clause 2.9`, `Clauses 7.1 to 7.3, 7.5 and 8.7`, and those alone in brackets, `(7.5)`, if `brackets`.
fn named(text: &str, brackets: bool) -> Vec<(u32, u32)> {
    let mut found = Vec::new();
    let words: Vec<&str> = text.split_whitespace().collect();
    for (at, word) in words.iter().enumerate() {
        if ["clause", "clauses"].contains(&word.trim_start_matches(|c: char| !c.is_alphabetic()).to_lowercase().as_str()) {
            for word in &words[at + 1..] {
                let bare = word.trim_end_matches(|c: char| !c.is_ascii_digit());
                match number(bare) {
                    Some(clause) => found.push(clause),
                    None if ["and", "to", "or"].contains(word) => continue,
                    None => break,
                }
                if !["", ","].contains(&&word[bare.len()..]) {
                    break;
                }
            }
        }
    }
    if brackets {
        found.extend(text.split('(').skip(1).filter_map(|rest| number(rest.split(')').next()?)));
    }
    found
}

fn files(dir: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(dir) else { return };
    for path in entries.map(|entry| entry.unwrap().path()) {
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|extension| ["rs", "pest", "hoyle", "snap", "md"].iter().any(|known| extension == *known)) {
            found.push(path);
        }
    }
}

#[test]
fn every_clause_that_is_named_is_there() {
    let page = page();
    let (clauses, _) = clauses(&page);
    let mut paths = Vec::new();
    for folder in ["src", "tests", "spec", "grammar", "benches", "conformance", "fuzz/fuzz_targets"] {
        files(&root().join(folder), &mut paths);
    }
    paths.sort();
    let mut count = 0;
    let mut missing = Vec::new();
    // What is said here about clauses that are not there is an example.
    for path in paths.iter().filter(|path| !path.ends_with("specification.rs")) {
        let text = fs::read_to_string(path).unwrap();
        for clause in named(&text, path.ends_with("language.md")) {
            count += 1;
            if !clauses.contains_key(&clause) {
                missing.push(format!("{} names clause {}.{}", path.strip_prefix(root()).unwrap().display(), clause.0, clause.1));
            }
        }
    }
    assert!(count > 60, "only {count} mentions found");
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}

#[test]
fn mentions_of_clauses_are_found() {
    assert_eq!(named("as clause 2.9 says (7.5)", false), [(2, 9)]);
    assert_eq!(named("//! Clauses 7.1 to 7.3, 7.5 and 8.7.\n8.8 more", false), [(7, 1), (7, 3), (7, 5), (8, 7)]);
    assert_eq!(named("(clause 11.1), 3.4", false), [(11, 1)]);
    assert_eq!(named("(7.5) and (x) and (1.5 ms)", true), [(7, 5)]);
    assert_eq!(named("a clause of its own, 1.5", false), []);
}

#[test]
fn the_table_of_parts_names_every_part() {
    let page = page();
    let parts = page.lines().filter(|line| line.starts_with("## ")).count();
    let table: Vec<&str> =
        page.split("## 13. ").nth(1).unwrap().split("\n## ").next().unwrap().lines().filter(|line| line.starts_with("| ")).collect();
    let said: String = table.iter().map(|row| row.split('|').nth(1).unwrap()).collect::<Vec<&str>>().join(" ");
    let named: BTreeSet<usize> = said.split(|c: char| !c.is_ascii_digit()).filter_map(|word| word.parse().ok()).collect();
    assert_eq!(named, (1..=parts - 2).collect(), "parts 1 to 12 are built or not, 13 and 14 are lists");
}
