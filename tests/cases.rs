//! Case files: every mistake is found where it is, and the loader and the published schema say the same.
//!
//! A mistake is a file of `tests/cases-bad`, one mistake each: `# error: CODE at LINE:COLUMN` on its first lines, and `# beyond-schema: why` if
//! JSON Schema cannot see it. A new one touches no code.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may stop at any surprise")]

use std::fs;
use std::path::PathBuf;

use hoyle::cli::{self, Exit, Streams, World};
use hoyle::conformance::corpus::{Corpus, Loaded};
use hoyle::conformance::inventory::Inventory;
use hoyle::conformance::yaml;
use hoyle::embedded;
use hoyle::source::{FileId, Sources};
use jsonschema::Validator;
use proptest::prelude::*;

fn files(dir: &str) -> Vec<(String, String)> {
    let mut paths: Vec<PathBuf> = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    assert!(!paths.is_empty(), "{dir} is empty");
    paths.into_iter().map(|path| (path.display().to_string(), fs::read_to_string(&path).unwrap())).collect()
}

fn schema() -> Validator {
    let text = fs::read_to_string("conformance/schema/case.schema.json").unwrap();
    let schema = serde_json::from_str(&text).unwrap();
    assert!(jsonschema::meta::is_valid(&schema), "the schema is no schema");
    jsonschema::validator_for(&schema).unwrap()
}

/// What the schema has against a file; `None` if the file is no tree at all.
fn against_schema(schema: &Validator, text: &str) -> Option<Vec<String>> {
    let mut faults = Vec::new();
    let root = yaml::read(FileId(0), text, 0, &mut faults).ok()??;
    let tree = yaml::json(&root);
    Some(schema.iter_errors(&tree).map(|error| format!("{error} at {}", error.instance_path())).collect())
}

/// `CODE at LINE:COLUMN` for each fault of a file, as its first lines have it.
fn found(name: &str, text: &str, inventory: &Inventory) -> Vec<String> {
    let Loaded { corpus, faults } = Corpus::from_texts(vec![(name, text)], inventory);
    let place = |sources: &Sources, span: hoyle::source::Span| {
        let (line, column) = sources.line_column(span.file, span.start);
        format!("{line}:{column}")
    };
    faults.iter().map(|fault| format!("{} at {}", fault.code.text(), place(&corpus.sources, fault.labels[0].span))).collect()
}

#[test]
fn every_mistake_is_found_in_its_place() {
    let inventory = Inventory::embedded();
    for (name, text) in files("tests/cases-bad") {
        let expected: Vec<&str> = text.lines().map_while(|line| line.strip_prefix("# error: ")).collect();
        assert!(!expected.is_empty(), "{name} does not say what is wrong");
        assert_eq!(found(&name, &text, &inventory), expected, "{name}");
    }
}

#[test]
fn the_schema_sees_the_same_mistakes() {
    let schema = schema();
    for (name, text) in files("tests/cases-bad") {
        let beyond = text.lines().any(|line| line.starts_with("# beyond-schema: "));
        // A file with a mistake of syntax is read by parts, and its other mistakes are seen in spite of it.
        let Some(errors) = against_schema(&schema, &text) else { continue };
        assert_eq!(errors.is_empty(), beyond, "{name}: the schema says {errors:#?}");
    }
}

#[test]
fn messages_say_what_to_do() {
    let mut shown = String::new();
    for (name, _) in files("tests/cases-bad") {
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let mut streams = Streams { out: &mut out, err: &mut err, terminal: false, colour: false };
        let exit = cli::run(["hoyle", "test", "--cases", &name], &mut streams, &World::default());
        assert_eq!(exit, Exit::Usage, "{name}");
        shown.push_str(&String::from_utf8(err).unwrap());
    }
    insta::assert_snapshot!(shown);
}

#[test]
fn good_files_are_good_to_both() {
    let inventory = Inventory::embedded();
    let schema = schema();
    let embedded = embedded::texts(&embedded::CASES, "conformance/cases", "yaml");
    let all = files("tests/cases-good").into_iter().chain(embedded.into_iter().map(|(name, text)| (name, text.to_owned())));
    for (name, text) in all {
        assert_eq!(found(&name, &text, &inventory), Vec::<String>::new(), "{name}");
        assert_eq!(against_schema(&schema, &text), Some(Vec::new()), "{name}");
    }
}

#[test]
fn the_embedded_corpus_has_no_fault() {
    let Loaded { corpus, faults } = Corpus::embedded(&Inventory::embedded());
    let faults: Vec<String> = faults
        .iter()
        .map(|fault| {
            let (line, _) = corpus.sources.line_column(fault.labels[0].span.file, fault.labels[0].span.start);
            format!("{}:{line}: {}", corpus.sources.name(fault.labels[0].span.file), fault.message)
        })
        .collect();
    assert_eq!(faults, Vec::<String>::new());
}

#[test]
fn broken_and_hostile_files_end_in_faults() {
    let inventory = Inventory::embedded();
    let huge = "- a\n".repeat(300_000);
    let bomb = format!("- a: &a [x, x]\n  b: &b [{}]\n  c: [{}]\n", "*a, ".repeat(1000), "*b, ".repeat(1000));
    let deep = format!("- {}", "[".repeat(100_000));
    for text in [
        huge.as_str(),
        &bomb,
        &deep,
        "- {",
        "-",
        "- - - -",
        "\u{feff}- a",
        "%YAML 1.1\n---\n- a",
        "- ? a\n  : b",
        "- \"\\x\"",
        "\t- a",
        "- a\n b",
        "- {a: 1, a: 2}",
    ] {
        let loaded = Corpus::from_texts(vec![("hostile.yaml", text)], &inventory);
        assert!(loaded.faults.iter().any(hoyle::diagnostic::Diagnostic::is_error), "{}", text.chars().take(20).collect::<String>());
        assert!(loaded.corpus.cases.is_empty());
    }
    assert!(Corpus::from_texts(vec![("empty.yaml", "# nothing\n")], &inventory).faults.is_empty());
}

#[test]
fn the_examples_of_the_readme_are_good() {
    let text = fs::read_to_string("conformance/README.md").unwrap();
    let examples: Vec<&str> = text.split("```yaml\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert_eq!(examples.len(), 3);
    let schema = schema();
    let inventory = Inventory::embedded();
    for example in examples {
        assert_eq!(found("README.md", example, &inventory), Vec::<String>::new());
        assert_eq!(against_schema(&schema, example), Some(Vec::new()));
    }
}

proptest! {
    /// Whatever is done to a good file, the loader answers with cases and faults, each with its place inside the file.
    #[test]
    fn no_edit_of_a_file_upsets_the_loader(cuts in prop::collection::vec((any::<prop::sample::Index>(), 0_usize..4, "[-\\[\\]{}:,#&*!|>'\"%@`~ \na0é]{0,3}"), 1..6)) {
        let mut text: Vec<char> = fs::read_to_string("tests/cases-good/every-kind.yaml").unwrap().chars().collect();
        for (at, gone, new) in cuts {
            let at = at.index(text.len());
            let end = (at + gone).min(text.len());
            text.splice(at..end, new.chars());
        }
        let text: String = text.into_iter().collect();
        let (_, faults) = hoyle::conformance::load::file(FileId(0), &text);
        for span in faults.iter().flat_map(|fault| &fault.labels).map(|label| label.span) {
            prop_assert!(text.get(span.start as usize..span.end as usize).is_some(), "{:?}", span);
        }
    }
}
