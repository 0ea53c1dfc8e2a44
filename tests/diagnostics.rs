//! One mistake a file: each file of `tests/diagnostics/` says in its first comments which codes must come, and where; a snapshot shows the text.
//!
//! Adding a file touches no code here: `# error: CODE` or `# warning: CODE`, with `at LINE:COLUMN` where the place matters, one line each, in
//! the order of the diagnostics.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on shall stop")]

use std::path::{Path, PathBuf};

use hoyle::diagnostic::render::plain;
use hoyle::diagnostic::{Diagnostic, Severity};
use hoyle::source::{FileId, Sources};
use hoyle::syntax::parse;

/// Everything that is wrong with a text. Later stages add themselves here; each is asked only when those before it found no error.
fn diagnose(file: FileId, text: &str) -> Vec<Diagnostic> {
    let (_tree, faults) = parse::file(file, text);
    faults
}

/// What a file's first comments ask for: severity, code, place.
fn wanted(text: &str) -> Vec<(Severity, String, Option<String>)> {
    let comments = text.lines().map_while(|line| line.strip_prefix("# "));
    let lines = comments.filter_map(|line| {
        let (severity, rest) = match line.split_once(": ")? {
            ("error", rest) => (Severity::Error, rest),
            ("warning", rest) => (Severity::Warning, rest),
            _ => return None,
        };
        let (code, place) = rest.split_once(" at ").map_or((rest, None), |(code, place)| (code, Some(place.to_owned())));
        Some((severity, code.to_owned(), place))
    });
    lines.collect()
}

fn files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/diagnostics");
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "hoyle"));
    paths.sort();
    paths
}

/// Whether the diagnostics are those that the file asks for; what differs if not.
fn differs(name: &str, text: &str) -> (String, Option<String>) {
    let mut sources = Sources::default();
    let file = sources.add(name, text);
    let found = diagnose(file, text);
    let drawn = plain(&found, &sources);
    let wanted = wanted(text);
    let place = |diagnostic: &Diagnostic| {
        let main = diagnostic.labels.first().map(|label| sources.line_column(file, label.span.start));
        main.map(|(line, column)| format!("{line}:{column}"))
    };
    let mut same = found.len() == wanted.len() && !wanted.is_empty();
    for (diagnostic, (severity, code, at)) in found.iter().zip(&wanted) {
        same &= diagnostic.severity == *severity && diagnostic.code.text() == code && (at.is_none() || *at == place(diagnostic));
    }
    let difference = (!same).then(|| format!("{name}: wanted {wanted:?}, found\n{drawn}"));
    (drawn, difference)
}

#[test]
fn every_mistake_is_answered_as_its_file_says() {
    let files = files();
    assert!(files.len() >= 25, "only {} files: is the folder there?", files.len());
    let mut differences = Vec::new();
    for path in files {
        let name = path.file_stem().unwrap().to_str().unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        let (drawn, difference) = differs(&format!("{name}.hoyle"), &text);
        differences.extend(difference);
        insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false, snapshot_path => "diagnostics" }, {
            insta::assert_snapshot!(name, drawn);
        });
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

#[test]
fn the_runner_notices_what_is_wrong() {
    assert!(differs("nothing", "# error: syntax\nparam a = 1;\n").1.is_some());
    assert!(differs("another code", "# error: reserved-word\nparam a = ;\n").1.is_some());
    assert!(differs("another place", "# error: syntax at 2:1\nparam a = ;\n").1.is_some());
    assert!(differs("another severity", "# warning: syntax at 2:11\nparam a = ;\n").1.is_some());
    assert!(differs("one more", "# error: syntax\nparam a = ;\nparam b = ;\n").1.is_some());
    assert!(differs("nothing asked for", "param a = 1;\n").1.is_some());
    assert_eq!(differs("as asked", "# error: syntax at 2:11\nparam a = ;\n").1, None);
}
