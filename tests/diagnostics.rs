//! One mistake a file: each file of `tests/diagnostics/` says in its first comments which codes must come, and where; a snapshot shows the text.
//!
//! Adding a file touches no code here: `# error: CODE` or `# warning: CODE`, with `at LINE:COLUMN` where the place matters, one line each, in
//! the order of the diagnostics.

mod diagnostics_support;

use diagnostics_support::{Differs, every_mistake, held_against};
use hoyle::source::Sources;
use hoyle::syntax::parse;

/// Everything that is wrong with a text as text.
fn differs(name: &str, text: &str) -> Differs {
    let mut sources = Sources::default();
    let file = sources.add(name, text);
    let (_tree, found) = parse::file(file, text);
    held_against(name, text, &found, &sources)
}

#[test]
fn every_mistake_is_answered_as_its_file_says() {
    every_mistake("tests/diagnostics", 25, differs);
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
