//! hoyle: the rules of the card table, made executable.
//!
//! Rules and house rules are written in a small language (`spec/language.md`). A rulebook goes through the stages in which the modules stand
//! below; each may import only what stands before it, and `tests/tidy.rs` holds them to that.
//!
//! | module | holds |
//! |---|---|
//! | [`embedded`] | the specification and the corpus, carried inside the binary |
//! | [`source`] | texts, and places in them |
//! | [`diagnostic`] | what is wrong, where, and what to do; the only printer |
//! | [`syntax`] | what was written: trees of text, their parser, their formatter |
//! | [`ranking`] | orders of sets of pieces: patterns, keys, wild pieces, the compiled table, exact counts |
//! | [`rules`] | what it means: names resolved, houses laid on rulebooks, options folded, everything checked |
//! | [`engine`] | a table in play: states, offers, acts, rulings |
//! | [`conformance`] | cases, the inventory of the books' statements, runs, reports, coverage |
//! | [`cli`] | the command line |
//!
//! None of `ranking`, `rules` and `engine` knows a game: what a flush is, or that there are suits at all, is said by the library and the rulebooks.
//!
//! ```
//! use hoyle::rules::{Catalog, Hand, Selection};
//!
//! let catalog = Catalog::embedded();
//! let foster = catalog.load(&Selection::of("foster-draw")).expect("the specification checks");
//! let hand = |text: &str| Hand { label: text.to_owned(), text: text.to_owned(), ..Hand::default() };
//! let ranked = foster.rank(None, &[hand("As Kd Qc Jh 9d"), hand("2h 2c 3d 4s 5h")], false).expect("both hands are readable");
//!
//! assert_eq!(ranked.order, [[1], [0]]); // any pair beats any hand without one
//! assert_eq!(ranked.hands[1].class_name, "one-pair");
//!
//! // The same ranking as a table, for programs that compare millions of hands.
//! let model = &foster.ranking(None).expect("it has one").model;
//! let table = model.compile().expect("it looks at one attribute and at `same`");
//! assert_eq!(table.counts().iter().sum::<u64>(), 2_598_960);
//! ```

pub mod embedded;
pub mod source;
pub mod diagnostic;
pub mod syntax;
pub mod ranking;
pub mod rules;
pub mod engine;
pub mod conformance;
pub mod cli;
