//! What the tests of the commands ask in common.

#![allow(clippy::panic, reason = "a test that cannot go on shall stop")]

use serde_json::Value;

use crate::cli_support::{Ran, hoyle, table};

/// A run that must end so and say this on standard error.
#[derive(Debug)]
pub struct Wrong<'a> {
    pub asked: &'a [&'a str],
    pub code: i32,
    pub says: &'a [&'a str],
}

/// Every one of these runs ends as it says, and answers nothing besides.
pub fn all_wrong(wrong: &[Wrong<'_>]) {
    let dir = table();
    for Wrong { asked, code, says } in wrong {
        let ran = hoyle(dir.path(), asked);
        assert_eq!((ran.code, ran.out.as_str()), (*code, ""), "{asked:?}: {}", ran.err);
        for word in *says {
            assert!(ran.err.contains(word), "{asked:?} does not say `{word}`:\n{}", ran.err);
        }
    }
}

/// What a run answers that ends well.
pub fn good(arguments: &[&str]) -> String {
    let dir = table();
    let Ran { code, out, err } = hoyle(dir.path(), arguments);
    assert_eq!((code, err.as_str()), (0, ""), "{arguments:?}");
    out
}

pub fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}:\n{text}"))
}
