//! The command as a process, in an empty directory, and what every answer of it must hold.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on shall stop")]

use std::path::Path;
use std::process::Output;

use assert_cmd::Command;
use tempfile::TempDir;

/// What a run of `hoyle` came to.
#[derive(Debug)]
pub struct Ran {
    pub code: i32,
    pub out: String,
    pub err: String,
}

/// An empty directory to run in.
pub fn table() -> TempDir {
    tempfile::tempdir().unwrap()
}

/// Runs `hoyle` in a directory, with this on its standard input.
pub fn hoyle_reading(dir: &Path, arguments: &[&str], input: &str) -> Ran {
    let mut command = Command::cargo_bin("hoyle").unwrap();
    let run = command.current_dir(dir).args(arguments).env_remove("RUST_BACKTRACE").env("COLUMNS", "100").write_stdin(input);
    let Output { status, stdout, stderr } = run.output().unwrap();
    let ran = Ran { code: status.code().unwrap(), out: String::from_utf8(stdout).unwrap(), err: String::from_utf8(stderr).unwrap() };
    speaks_to_card_players(arguments, &ran);
    ran
}

/// Runs `hoyle` in a directory.
pub fn hoyle(dir: &Path, arguments: &[&str]) -> Ran {
    hoyle_reading(dir, arguments, "")
}

/// Nothing of the program's inside shows in what it says.
fn speaks_to_card_players(arguments: &[&str], ran: &Ran) {
    assert!((0..=3).contains(&ran.code), "{arguments:?}: {ran:?}");
    // `:::` is how another file is shown below the main place.
    let said = format!("{}{}", ran.out, ran.err).replace(":::", "");
    for word in ["panicked", "RUST_BACKTRACE", "unwrap", "Some(", "None", "Ok(", "Err(", "::", "src/", "FileId", "Diagnostic", "\u{1b}["] {
        assert!(!said.contains(word), "`hoyle {}` says `{word}`:\n{said}", arguments.join(" "));
    }
}
