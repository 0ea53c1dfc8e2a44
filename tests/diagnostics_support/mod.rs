//! Reads files of one mistake each, checks them in whatever way they are for, and holds what is found against what their first comments ask for.
//!
//! Comments: `# error: CODE` or `# warning: CODE`, with `at LINE:COLUMN` where the place matters, in the order of the diagnostics;
//! `# statements: a.b, a.c` is the inventory; `# ask: NAME with AMENDMENT set P=V choose O=B` loads instead of checking, and `# hand: …` lines are
//! ranked then. The library `cards` is at hand.

#![allow(dead_code, reason = "each test uses a part of it")]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test that cannot go on shall stop")]

use std::path::{Path, PathBuf};

use hoyle::diagnostic::render::plain;
use hoyle::diagnostic::{Diagnostic, Severity};
use hoyle::rules::{Catalog, Hand, Selection, Statements, check_all};
use hoyle::source::Sources;

/// What is drawn, and how it differs from what the file asks for.
pub type Differs = (String, Option<String>);

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_path_buf()
}

/// The rest of every first comment that begins with a word and a colon.
fn comments<'t>(text: &'t str, word: &str) -> Vec<&'t str> {
    text.lines().map_while(|line| line.strip_prefix("# ")).filter_map(|line| line.strip_prefix(word)?.strip_prefix(':')).map(str::trim).collect()
}

/// Severity, code, place.
fn wanted(text: &str) -> Vec<(Severity, String, Option<String>)> {
    let lines = text.lines().map_while(|line| line.strip_prefix("# "));
    let read = lines.filter_map(|line| {
        let (severity, rest) = match line.split_once(": ")? {
            ("error", rest) => (Severity::Error, rest),
            ("warning", rest) => (Severity::Warning, rest),
            _ => return None,
        };
        let (code, place) = rest.split_once(" at ").map_or((rest, None), |(code, place)| (code, Some(place.to_owned())));
        Some((severity, code.to_owned(), place))
    });
    read.collect()
}

/// `NAME with AMENDMENT set P=V choose O=B`
fn selection(asked: &str) -> Selection {
    let words: Vec<&str> = asked.split(' ').collect();
    let mut selection = Selection::of(words[0]);
    for pair in words[1..].chunks(2) {
        let both = || pair[1].split_once('=').map(|(name, value)| (name.to_owned(), value.to_owned())).unwrap();
        match pair[0] {
            "with" => selection.with.push(pair[1].to_owned()),
            "set" => selection.set.push(both()),
            "choose" => selection.choose.push(both()),
            other => panic!("what is `{other}`?"),
        }
    }
    selection
}

fn diagnose(catalog: &mut Catalog, text: &str) -> Vec<Diagnostic> {
    let statements = comments(text, "statements");
    let known: Option<Statements> = (!statements.is_empty()).then(|| statements.iter().flat_map(|list| list.split(", ")).collect());
    let asked = comments(text, "ask");
    let Some(asked) = asked.first() else { return check_all(catalog, known.as_ref()) };
    let rulebook = match catalog.load(&selection(asked)) {
        Ok(rulebook) => rulebook,
        Err(faults) => return faults,
    };
    let hands: Vec<Hand> = comments(text, "hand")
        .into_iter()
        .zip('a'..)
        .map(|(hand, label)| Hand {
            label: label.to_string(),
            text: hand.to_owned(),
            file: catalog.add_text(format!("hand {label}"), hand),
            start: 0,
        })
        .collect();
    rulebook.rank(None, &hands, false).err().unwrap_or_default()
}

/// What is drawn of the diagnostics that count, and how it differs from what the file asks for.
pub fn differs(name: &str, text: &str, counts: fn(&Diagnostic) -> bool) -> Differs {
    let mut catalog = Catalog::new();
    catalog.add(name, text);
    catalog.add("cards.hoyle", std::fs::read_to_string(root().join("spec/lib/cards.hoyle")).unwrap());
    let mut found = diagnose(&mut catalog, text);
    found.retain(counts);
    held_against(name, text, &found, catalog.sources())
}

/// The same for diagnostics that were found already.
pub fn held_against(name: &str, text: &str, found: &[Diagnostic], sources: &Sources) -> Differs {
    let drawn = plain(found, sources);
    let wanted = wanted(text);
    let place = |diagnostic: &Diagnostic| {
        let main = diagnostic.labels.first().map(|label| sources.line_column(label.span.file, label.span.start));
        main.map(|(line, column)| format!("{line}:{column}"))
    };
    let mut same = found.len() == wanted.len() && !wanted.is_empty();
    for (diagnostic, (severity, code, at)) in found.iter().zip(&wanted) {
        same &= diagnostic.severity == *severity && diagnostic.code.text() == code && (at.is_none() || *at == place(diagnostic));
    }
    let difference = (!same).then(|| format!("{name}: wanted {wanted:?}, found\n{drawn}"));
    (drawn, difference)
}

/// Every file of a folder; a snapshot beside it shows the text.
pub fn every_mistake(folder: &str, least: usize, differs: fn(&str, &str) -> Differs) {
    let mut paths: Vec<PathBuf> = std::fs::read_dir(root().join(folder)).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "hoyle"));
    paths.sort();
    assert!(paths.len() >= least, "only {} files: is the folder there?", paths.len());
    let mut differences = Vec::new();
    for path in paths {
        let name = path.file_stem().unwrap().to_str().unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        let (drawn, difference) = differs(&format!("{name}.hoyle"), &text);
        differences.extend(difference);
        insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false, snapshot_path => root().join(folder) }, {
            insta::assert_snapshot!(name, drawn);
        });
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}
