//! What is wrong with the meaning of a rulebook, one mistake a file: each file of `tests/diagnostics/rules/` says in its first comments which codes
//! must come, and where; a snapshot shows the text. Adding a file touches no code here.

mod diagnostics_support;

use diagnostics_support::{differs, every_mistake};

#[test]
fn every_mistake_is_answered_as_its_file_says() {
    every_mistake("tests/diagnostics/rules", 40, |name, text| differs(name, text, |_| true));
}

#[test]
fn the_runner_notices_what_is_wrong() {
    assert!(differs("another code", "# error: duplicate-name\nparam a = 1;\n", |_| true).1.is_some());
    assert!(differs("another place", "# error: missing-header at 2:2\nparam a = 1;\n", |_| true).1.is_some());
    assert!(differs("another severity", "# warning: missing-header\nparam a = 1;\n", |_| true).1.is_some());
    assert!(differs("nothing asked for", "param a = 1;\n", |_| true).1.is_some());
    assert_eq!(differs("as asked", "# error: missing-header at 2:1\nparam a = 1;\n", |_| true).1, None);
}
