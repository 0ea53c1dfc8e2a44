//! Our own engine, as an implementation among others.

use super::case::Kind;
use super::cover::{Element, Elements};
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

/// The rulebooks of this crate, for [`cover`](super::cover).
pub fn elements() -> Box<dyn Elements> {
    Box::new(Absent)
}

impl Elements for Absent {
    fn citing(&self) -> Vec<Element> {
        Vec::new()
    }

    fn without(&self, _: &Element) -> Option<Box<dyn Implementation>> {
        None
    }
}
