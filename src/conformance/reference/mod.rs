//! Our own engine, as an implementation among others.

mod acts;
mod elements;
mod mutated;
mod facts;
mod reckon;
mod rulings;
mod table;
mod values;

pub use elements::elements;
pub use mutated::{books, books_of};

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::case::Kind;
use super::implementation::{
    CompareAsk, Description, FEATURES, Implementation, OpenAsk, Opened, ParamValue, ReckonAsk, Reckoned, Reply, Reported, Under,
};
use crate::diagnostic::Diagnostic;
use crate::engine::Game;
use crate::rules::catalog::UnitBody;
use crate::rules::{Catalog, Edits, Given, Hand, Prepared, Ranked, Rulebook, Selection, UnitKind};
use crate::source::FileId;
use crate::syntax::tree::{At, InterfaceItem, InterfaceValues};

/// What the interface of a game compares: `ranking hands of 5 card;`.
const COMPARED: &str = "hands";

/// The engine of this crate.
pub fn reference() -> Box<dyn Implementation> {
    Box::new(Reference::embedded())
}

/// Our engine: rulebooks of one catalog, loaded once for each setting that the cases ask for.
pub struct Reference {
    catalog: Catalog,
    loaded: Mutex<BTreeMap<Key, Loaded>>,
    /// Rulebooks under their own settings: the words of an interface are looked up in them.
    plain: Mutex<BTreeMap<PlainKey, Plain>>,
}

/// Everything of a question that decides which rules it is put to.
type Key = (String, Vec<String>, Option<String>, Vec<(String, String)>);

/// The same without parameters.
type PlainKey = (String, Vec<String>, Option<String>);

/// A rulebook under its own settings, and what others are laid on.
type Plain = Result<(Arc<Prepared>, Arc<Book>), Reply>;

/// What stays of a rulebook that could not be had is the reply.
type Loaded = Result<Arc<Book>, Reply>;

/// A rulebook and its table, made ready.
struct Book {
    rulebook: Arc<Rulebook>,
    game: Option<Game>,
}

impl Book {
    fn new(rulebook: Rulebook) -> Arc<Book> {
        let game = rulebook.table.clone().map(Game::new);
        Arc::new(Book { rulebook: Arc::new(rulebook), game })
    }
}

impl Reference {
    /// The engine of this crate, with the rulebooks and interfaces of a catalog.
    pub fn new(catalog: Catalog) -> Reference {
        Reference { catalog, loaded: Mutex::new(BTreeMap::new()), plain: Mutex::new(BTreeMap::new()) }
    }

    /// The same, one of the rulebooks being loaded already.
    pub fn with_loaded(catalog: Catalog, prepared: Arc<Prepared>, rulebook: Rulebook) -> Reference {
        let key = (rulebook.name.clone(), Vec::new(), None);
        let plain = BTreeMap::from([(key, Ok((prepared, Book::new(rulebook))))]);
        Reference { catalog, loaded: Mutex::new(BTreeMap::new()), plain: Mutex::new(plain) }
    }

    /// The engine of this crate.
    pub fn embedded() -> Reference {
        Reference::new(Catalog::embedded())
    }

    /// The hands in order, with everything that decided, in the rulebook's own words.
    ///
    /// # Errors
    /// The reply that [`compare`](Implementation::compare) gives in place of an answer.
    pub fn ranked(&self, ask: &CompareAsk) -> Result<(Arc<Rulebook>, Ranked), Reply> {
        let under =
            Under { game: ask.game.clone(), rules: ask.rules.clone(), with: ask.with.clone(), house: ask.house.clone(), params: ask.params.clone() };
        let rulebook = Arc::clone(&self.book(&under)?.rulebook);
        let Some(ranking) = rulebook.interface_ranking(&ask.game, COMPARED) else {
            return Err(Reply::Unsupported { feature: format!("{}: {COMPARED}", ask.game) });
        };
        let hand = |(label, text): (&String, &String)| Hand { label: label.clone(), text: text.clone(), ..Hand::default() };
        let hands: Vec<Hand> = ask.hands.iter().map(hand).collect();
        let ranked = rulebook.rank(Some(ranking), &hands, ask.separate).map_err(|faults| match faults.first() {
            Some(fault) => Reply::Refused { code: fault.code.text().to_owned(), text: fault.message.clone() },
            None => Reply::Error { text: "the hands were refused without a reason".to_owned() },
        })?;
        Ok((rulebook, ranked))
    }

    fn book(&self, ask: &Under) -> Loaded {
        let params = ask.params.iter().map(|(name, value)| (name.clone(), value.to_string())).collect();
        let key = (ask.rules.clone(), ask.with.clone(), ask.house.clone(), params);
        let known = self.loaded.lock().unwrap_or_else(PoisonError::into_inner).get(&key).cloned();
        // Two cases may load the same rules at once; they get the same.
        known.unwrap_or_else(|| {
            let loaded = self.load(ask);
            self.loaded.lock().unwrap_or_else(PoisonError::into_inner).insert(key, loaded.clone());
            loaded
        })
    }

    /// A parameter that the interface does not have is a slip of the pen, and not something that a book lacks.
    fn known(&self, ask: &Under) -> Result<(), Reply> {
        let Some(UnitBody::Interface { items }) = self.catalog.unit(UnitKind::Interface, &ask.game).map(|unit| &unit.body) else { return Ok(()) };
        for (name, given) in &ask.params {
            let declared = items.iter().find_map(|item| {
                let InterfaceItem::Param { name: param, values, .. } = &item.it else { return None };
                (param.it == *name).then_some(values)
            });
            let Some(values) = declared else {
                return Err(Reply::Error { text: format!("the interface `{}` has no parameter `{name}`", ask.game) });
            };
            let (InterfaceValues::OneOf(known) | InterfaceValues::SetOf(known)) = values else { continue };
            let words: Vec<&str> = match given {
                ParamValue::One(word) => vec![word],
                ParamValue::Many(words) => words.iter().map(String::as_str).collect(),
                ParamValue::Number(_) => Vec::new(),
            };
            if let Some(word) = words.into_iter().find(|word| !known.iter().any(|known| known.it == *word)) {
                let all: Vec<&str> = known.iter().map(|known| known.it.as_str()).collect();
                return Err(Reply::Error { text: format!("`{name}` has no value `{word}`; it has {}", all.join(", ")) });
            }
        }
        Ok(())
    }

    /// The items of an interface.
    fn interface(&self, game: &str) -> &[At<InterfaceItem>] {
        match self.catalog.unit(UnitKind::Interface, game).map(|unit| &unit.body) {
            Some(UnitBody::Interface { items }) => items,
            Some(UnitBody::Library | UnitBody::Rulebook { .. } | UnitBody::House { .. } | UnitBody::Amendment { .. }) | None => &[],
        }
    }

    fn plain(&self, ask: &Under, selection: &Selection) -> Plain {
        let key = (ask.rules.clone(), ask.with.clone(), ask.house.clone());
        let known = self.plain.lock().unwrap_or_else(PoisonError::into_inner).get(&key).cloned();
        known.unwrap_or_else(|| {
            let prepared = self.catalog.prepare(selection).map(Arc::new);
            let loaded = prepared.and_then(|prepared| {
                let rulebook = prepared.rulebook(&[], &[])?;
                Ok((prepared, Book::new(rulebook)))
            });
            let loaded = loaded.map_err(|faults| failed(&faults));
            self.plain.lock().unwrap_or_else(PoisonError::into_inner).insert(key, loaded.clone());
            loaded
        })
    }

    fn load(&self, ask: &Under) -> Loaded {
        let mut selection = Selection { with: ask.with.clone(), ..Selection::of(&ask.rules) };
        if let Some(text) = &ask.house {
            selection.edits.push(Edits { layer: "the case's own edits".to_owned(), file: FileId::default(), text: text.clone() });
        }
        let (prepared, book) = self.plain(ask, &selection)?;
        let plain = &book.rulebook;
        if !plain.implements(&ask.game) {
            return Err(Reply::Unsupported { feature: ask.game.clone() });
        }
        self.known(ask)?;
        let given: BTreeMap<String, Given> = ask.params.iter().map(|(name, value)| (name.clone(), value_of(value))).collect();
        let mapped = plain.map_params(&ask.game, &given).map_err(|unsupported| Reply::Unsupported { feature: unsupported.feature })?;
        if mapped.set.is_empty() && mapped.choose.is_empty() {
            return Ok(book);
        }
        prepared.rulebook(&mapped.set, &mapped.choose).map(Book::new).map_err(|faults| failed(&faults))
    }
}

impl std::fmt::Debug for Reference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Reference").finish_non_exhaustive()
    }
}

impl Implementation for Reference {
    fn describe(&self) -> Description {
        let features = FEATURES.iter().map(|feature| (*feature).to_owned()).collect();
        Description {
            name: "hoyle".to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            kinds: vec![Kind::Compare, Kind::Play, Kind::Reckon],
            features,
        }
    }

    fn compare(&self, ask: &CompareAsk) -> Reply {
        match self.ranked(ask) {
            Ok((rulebook, ranked)) => Reply::Answer(reported(&rulebook, &ask.game, &ranked)),
            Err(reply) => reply,
        }
    }

    fn reckon(&self, ask: &ReckonAsk) -> Reckoned {
        match self.book(&ask.under) {
            Ok(book) => reckon::reckon(self, &book, ask),
            Err(Reply::Unsupported { feature }) => Reckoned::Unsupported { feature },
            Err(reply) => Reckoned::Error { text: failure(&reply) },
        }
    }

    fn open(&self, ask: &OpenAsk, play: &mut dyn FnMut(Opened<'_>)) {
        match self.book(&ask.under) {
            Ok(book) => table::open(self, &book, ask, play),
            Err(Reply::Unsupported { feature }) => play(Opened::Unsupported { feature }),
            Err(reply) => play(Opened::Error { text: failure(&reply) }),
        }
    }
}

fn failure(reply: &Reply) -> String {
    match reply {
        Reply::Error { text } | Reply::Refused { text, .. } => text.clone(),
        Reply::Unsupported { feature } => feature.clone(),
        Reply::Answer(_) => String::new(),
    }
}

fn value_of(value: &ParamValue) -> Given {
    match value {
        ParamValue::One(word) => Given::One(word.clone()),
        ParamValue::Many(words) => Given::Many(words.clone()),
        ParamValue::Number(number) => Given::Number(*number),
    }
}

fn failed(faults: &[Diagnostic]) -> Reply {
    let texts: Vec<String> =
        faults.iter().filter(|fault| fault.is_error()).map(|fault| format!("{}: {}", fault.code.text(), fault.message)).collect();
    Reply::Error { text: texts.join("; ") }
}

/// In the words of the interface; a class that the book does not map keeps its own name.
fn reported(rulebook: &Rulebook, game: &str, ranked: &Ranked) -> Reported {
    let label = |hand: &usize| ranked.hands.get(*hand).map(|hand| hand.label.clone());
    let mut answer = Reported { order: ranked.order.iter().map(|level| level.iter().filter_map(label).collect()).collect(), ..Reported::default() };
    for hand in &ranked.hands {
        let class = rulebook.interface_class(game, &hand.class_name).unwrap_or(&hand.class_name);
        answer.classes.insert(hand.label.clone(), class.to_owned());
        if !hand.meanings.is_empty() {
            answer.as_meanings.insert(hand.label.clone(), hand.meanings.iter().cloned().collect());
        }
    }
    answer
}
