//! The commands that read and write files and reports: `hoyle fmt` and `hoyle test`, as in `cli.rs`.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test that cannot go on shall stop")]

mod cli_asking;
mod cli_support;

use std::fs;
use std::process::{Command, Stdio};

use assert_cmd::cargo::cargo_bin;
use cli_asking::{Wrong, all_wrong, good, json};
use cli_support::{hoyle, hoyle_reading, table};

// ---------------------------------------------------------------------------------------------- fmt

const LOOSE: &str = "library  ours   \"nothing yet\" ;   # kept\n\n\nkind colour=red,black;\n";
const TIGHT: &str = "library ours \"nothing yet\";  # kept\n\nkind colour = red, black;\n";

#[test]
fn fmt_says_what_it_would_change_and_then_changes_it() {
    let dir = table();
    let path = dir.path().join("ours.hoyle");
    fs::write(&path, LOOSE).unwrap();
    let asked = hoyle(dir.path(), &["fmt", "--check", "."]);
    assert_eq!((asked.code, asked.out.as_str()), (1, "1 file, 1 not formatted\n"));
    assert!(
        asked.err.contains("error[not-formatted]") && asked.err.contains("ours.hoyle:1:1") && asked.err.contains("run `hoyle fmt"),
        "{}",
        asked.err
    );
    assert_eq!(fs::read_to_string(&path).unwrap(), LOOSE, "`--check` changes nothing");
    let done = hoyle(dir.path(), &["fmt", "ours.hoyle"]);
    assert_eq!((done.code, done.out.as_str(), done.err.as_str()), (0, "formatted: ours.hoyle\n1 file, 1 changed\n", ""));
    assert_eq!(fs::read_to_string(&path).unwrap(), TIGHT);
    // Once is enough, and nothing is left lying about.
    let again = hoyle(dir.path(), &["fmt", "ours.hoyle"]);
    assert_eq!((again.code, again.out.as_str()), (0, "1 file, 0 changed\n"));
    assert_eq!(hoyle(dir.path(), &["fmt", "--check", "ours.hoyle"]).code, 0);
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
}

#[test]
fn fmt_names_the_first_line_that_differs() {
    let dir = table();
    fs::write(dir.path().join("ours.hoyle"), "library ours \"nothing yet\";\n\nkind colour = red, black;\nkind  size = large;\n").unwrap();
    let ran = hoyle(dir.path(), &["fmt", "--check", "ours.hoyle"]);
    assert!(ran.code == 1 && ran.err.contains("ours.hoyle:4:1"), "{ran:?}");
}

#[test]
fn fmt_reads_standard_input() {
    let dir = table();
    let ran = hoyle_reading(dir.path(), &["fmt", "-"], LOOSE);
    assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (0, TIGHT, ""));
    let again = hoyle_reading(dir.path(), &["fmt", "-"], &ran.out);
    assert_eq!((again.code, again.out.as_str()), (0, TIGHT));
    let asked = hoyle_reading(dir.path(), &["fmt", "--check", "-"], LOOSE);
    assert!(asked.code == 1 && asked.out.is_empty() && asked.err.contains("standard input:1:1"), "{asked:?}");
    assert_eq!(hoyle_reading(dir.path(), &["fmt", "--check", "-"], TIGHT).code, 0);
    let wrong = hoyle_reading(dir.path(), &["fmt", "-"], "library ours\n");
    assert!(wrong.code == 1 && wrong.out.is_empty() && wrong.err.contains("error[syntax]"), "{wrong:?}");
}

#[test]
fn fmt_leaves_alone_what_it_cannot_read_or_write() {
    let dir = table();
    let bad = "library  ours   \"nothing yet\" ;\nkind = ;\n";
    fs::write(dir.path().join("bad.hoyle"), bad).unwrap();
    fs::write(dir.path().join("good.hoyle"), LOOSE).unwrap();
    // A fault in one file does not keep another from being formatted.
    let ran = hoyle(dir.path(), &["fmt", "."]);
    assert!(ran.code == 1 && ran.err.contains("error[syntax]") && ran.out == "formatted: ./good.hoyle\n2 files, 1 changed\n", "{ran:?}");
    assert_eq!(fs::read_to_string(dir.path().join("bad.hoyle")).unwrap(), bad);
    let nowhere = hoyle(dir.path(), &["fmt", "nowhere.hoyle"]);
    assert!(nowhere.code == 3 && nowhere.err.contains("error[cannot-read]"), "{nowhere:?}");
}

#[cfg(unix)]
#[test]
fn fmt_changes_all_of_a_file_or_nothing() {
    use std::os::unix::fs::PermissionsExt;
    let dir = table();
    let shut = dir.path().join("shut");
    fs::create_dir(&shut).unwrap();
    fs::write(shut.join("ours.hoyle"), LOOSE).unwrap();
    fs::set_permissions(&shut, fs::Permissions::from_mode(0o555)).unwrap();
    // Whoever may write everywhere is not held by that; a directory in the way of the new text holds everybody.
    if fs::write(shut.join("may-write"), "").is_ok() {
        fs::create_dir(shut.join("ours.hoyle.hoyle-fmt")).unwrap();
    }
    let ran = hoyle(dir.path(), &["fmt", "shut/ours.hoyle"]);
    fs::set_permissions(&shut, fs::Permissions::from_mode(0o755)).unwrap();
    assert!(ran.code == 3 && ran.err.contains("error[cannot-write]: `shut/ours.hoyle`") && ran.out == "1 file, 0 changed\n", "{ran:?}");
    assert_eq!(fs::read_to_string(shut.join("ours.hoyle")).unwrap(), LOOSE);
}

#[cfg(unix)]
#[test]
fn fmt_keeps_the_permissions_of_a_file() {
    use std::os::unix::fs::PermissionsExt;
    let dir = table();
    let path = dir.path().join("ours.hoyle");
    fs::write(&path, LOOSE).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
    assert_eq!(hoyle(dir.path(), &["fmt", "ours.hoyle"]).code, 0);
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
}

// ---------------------------------------------------------------------------------------------- test

#[test]
fn the_corpus_passes_and_a_filter_chooses_from_it() {
    let passed = |arguments: &[&str]| -> u64 {
        let out = good(&[&["test"], arguments].concat());
        let last = out.lines().last().unwrap().to_owned();
        let count = last.split(" passed").next().unwrap().parse().unwrap_or_else(|_| panic!("{out}"));
        assert!(last.contains(", 0 failed"), "{out}");
        count
    };
    let all = passed(&[]);
    let some = passed(&["berkeley-draw"]);
    let more = passed(&["berkeley-draw", "hoffmann-draw"]);
    assert!(0 < some && some < more && more < all, "{some} {more} {all}");
    all_wrong(&[Wrong { asked: &["test", "no-such-case"], code: 2, says: &["error[no-cases]", "`no-such-case`"] }]);
}

#[test]
fn a_run_is_reported_for_machines() {
    let report = json(&good(&["test", "hoffmann-draw", "--format", "json"]));
    let cases = report["cases"].as_array().unwrap();
    assert!(!cases.is_empty() && cases.iter().all(|case| case["verdict"] == "pass" && case["id"].is_string()), "{report}");
    let junit = good(&["test", "hoffmann-draw", "--format", "junit"]);
    let names = well_formed(&junit);
    assert_eq!(names.iter().filter(|name| *name == "testcase").count(), cases.len());
    assert_eq!(names.first().map(String::as_str), Some("testsuites"));
    let dir = table();
    let ran = hoyle(dir.path(), &["test", "hoffmann-draw", "--format", "junit", "--output", "report.xml"]);
    assert_eq!((ran.code, ran.out.as_str()), (0, ""));
    assert_eq!(well_formed(&fs::read_to_string(dir.path().join("report.xml")).unwrap()), names);
    let shut = hoyle(dir.path(), &["test", "hoffmann-draw", "--output", "no/such/place.txt"]);
    assert!(shut.code == 3 && shut.err.contains("error[cannot-write]: `no/such/place.txt`"), "{shut:?}");
}

/// Names of all elements, in order, of a text that must be well-formed XML.
fn well_formed(text: &str) -> Vec<String> {
    let mut open: Vec<&str> = Vec::new();
    let mut names = Vec::new();
    let mut parts = text.split('<');
    assert_eq!(parts.next(), Some(""), "something stands before the first element");
    for part in parts {
        let (tag, after) = part.split_once('>').unwrap_or_else(|| panic!("an element is not closed: {part}"));
        if !tag.starts_with('?') {
            let name = tag.trim_start_matches('/').split([' ', '/', '\n']).next().unwrap();
            assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
            if tag.starts_with('/') {
                assert_eq!(open.pop(), Some(name));
            } else {
                assert!(!open.is_empty() || names.is_empty(), "a second root: {name}");
                names.push(name.to_owned());
                if !tag.ends_with('/') {
                    open.push(name);
                }
            }
        }
        assert!(!open.is_empty() || after.trim().is_empty(), "text outside all elements: {after}");
        let entities = after.split('&').skip(1).chain(tag.split('&').skip(1));
        entities.for_each(|rest| assert!(rest.split_once(';').is_some_and(|(name, _)| name.len() <= 8), "a bare `&`: {rest}"));
    }
    assert_eq!(open, Vec::<&str>::new());
    names
}

#[test]
fn a_reader_who_has_seen_enough_is_no_crash() {
    // Nobody reads at all, and nobody reads behind the first line.
    for arguments in [
        &["test"][..],
        &["test", "--format", "json"],
        &["odds", "foster-draw"],
        &["check", "--format", "json"],
        &["rank", "foster-draw", "Ah Kh Qh Jh Th"],
    ] {
        let mut child = Command::new(cargo_bin!("hoyle")).args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!((output.status.code(), String::from_utf8(output.stderr).unwrap().as_str()), (Some(0), ""), "{arguments:?}");
    }
}
