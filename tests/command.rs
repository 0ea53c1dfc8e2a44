//! The command itself, as a process.

#![allow(clippy::unwrap_used, reason = "a test may stop at any surprise")]

use std::io::Read;
use std::process::{Command, Stdio};

use assert_cmd::cargo::cargo_bin;

#[test]
fn a_reader_that_goes_away_is_no_crash() {
    let mut child = Command::new(cargo_bin!("hoyle")).args(["cover", "--open"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut some = [0; 10];
    let mut out = child.stdout.take().unwrap();
    out.read_exact(&mut some).unwrap();
    drop(out);
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), String::from_utf8(output.stderr).unwrap().as_str()), (Some(0), ""));
}

#[test]
fn exit_codes_reach_the_shell() {
    let code = |arguments: &[&str]| Command::new(cargo_bin!("hoyle")).args(arguments).output().unwrap().status.code();
    assert_eq!(code(&["--version"]), Some(0));
    assert_eq!(code(&["test", "no-such-case"]), Some(2));
    assert_eq!(code(&["test", "--cases", "/no/such/file"]), Some(3));
    assert_eq!(code(&["test", "--cases", "tests/cases-good"]), Some(1), "their answers are made up");
}
