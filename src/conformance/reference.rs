//! Our own engine, as an implementation among others.

use super::case::Kind;
use super::implementation::{CompareAsk, Description, Implementation, Reply};

/// The engine of this crate.
pub fn reference() -> Box<dyn Implementation> {
    Box::new(Absent)
}

/// Stands where the engine will be built in.
struct Absent;

impl Implementation for Absent {
    fn describe(&self) -> Description {
        Description { name: "hoyle".to_owned(), version: env!("CARGO_PKG_VERSION").to_owned(), kinds: vec![Kind::Compare] }
    }

    fn compare(&self, _: &CompareAsk) -> Reply {
        Reply::Error { text: "no reference engine is built in yet".to_owned() }
    }
}
