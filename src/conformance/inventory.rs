//! The inventory: every statement of the books, paraphrased, with id and place.
//!
//! Reading all 1,138 entries takes 8 ms, longer than a command may need to start, and most commands only ask whether an id exists. So loading is a
//! scan for the lines that begin an entry (0.6 ms); the entry itself is read when its text is asked for (0.01 ms).

use std::path::Path;

use super::read::Reader;
use super::yaml::{self, Node};
use crate::diagnostic::{Code, Diagnostic};
use crate::embedded;
use crate::source::{FileId, Sources, Span};

const KEYS: &[&str] = &["id", "where", "kind", "force", "says", "silent", "tension", "choice", "check", "exact", "verdict", "reading"];

/// What a book says in one place, in our words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// `foster.rank.order`: the book, the section, the statement.
    pub id: String,
    pub place: Place,
    /// `ranking`, `procedure`, `advice` …
    pub kind: String,
    /// How the text puts it: `must`, `usual`, `claim` …
    pub force: String,
    pub says: String,
    /// What the text leaves open.
    pub silent: Option<String>,
    /// What it stands against elsewhere.
    pub tension: Option<String>,
    pub choice: Option<Choice>,
    /// An example that can be checked.
    pub check: Option<String>,
    /// The exact value of a figure that the text gives.
    pub exact: Option<String>,
    /// Whether the printed figure agrees with it.
    pub verdict: Option<String>,
    /// The reading under which it was counted.
    pub reading: Option<String>,
}

/// Where a statement stands in its book.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    pub file: String,
    pub heading: String,
    pub para: Option<i64>,
    pub page: Option<i64>,
}

/// A point on which the text, or the table, has a choice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    pub point: String,
    pub option: String,
    pub default: bool,
    pub decider: Option<String>,
    pub alternatives: Vec<String>,
}

impl Statement {
    /// `Foster`: the first part of the id, as a name.
    pub fn book(&self) -> String {
        let book = self.id.split('.').next().unwrap_or("");
        let mut signs = book.chars();
        signs.next().map_or_else(String::new, |first| first.to_uppercase().chain(signs).collect())
    }

    /// `Foster, Rank of the Hands, para 12`; `Hoffmann, POKER, p. 120`
    pub fn cited(&self) -> String {
        let para = self.place.para.map(|para| format!(", para {para}"));
        let page = self.place.page.map(|page| format!(", p. {page}"));
        format!("{}, {}{}{}", self.book(), self.place.heading, para.unwrap_or_default(), page.unwrap_or_default())
    }
}

/// All statements, by id.
#[derive(Clone, Debug, Default)]
pub struct Inventory {
    sources: Sources,
    files: Vec<FileId>,
    /// Sorted by id.
    index: Vec<Entry>,
}

/// Where the entry of a statement stands.
#[derive(Clone, Debug)]
struct Entry {
    id: String,
    span: Span,
}

impl Inventory {
    /// The inventory of this crate. `tests/conformance.rs` holds it free of faults.
    pub fn embedded() -> Inventory {
        let texts = embedded::SPEC.get_dir("texts").map_or_else(Vec::new, |dir| embedded::texts(dir, "spec", "yaml"));
        Inventory::from_texts(texts)
    }

    /// Every `*.yaml` of a directory, and the faults of those files.
    ///
    /// # Errors
    /// The directory, or a file of it, cannot be read.
    pub fn from_dir(dir: &Path) -> Result<(Inventory, Vec<Diagnostic>), Box<Diagnostic>> {
        let fault = |path: &Path, error: std::io::Error| {
            Box::new(Diagnostic::without_place(Code::CannotRead, format!("`{}` cannot be read: {error}", path.display())))
        };
        let mut paths = Vec::new();
        for entry in std::fs::read_dir(dir).map_err(|error| fault(dir, error))? {
            paths.push(entry.map_err(|error| fault(dir, error))?.path());
        }
        paths.retain(|path| path.extension().is_some_and(|extension| extension == "yaml"));
        paths.sort();
        let mut texts = Vec::new();
        for path in paths {
            let text = std::fs::read_to_string(&path).map_err(|error| fault(&path, error))?;
            texts.push((path.display().to_string(), text));
        }
        let inventory = Inventory::from_texts(texts);
        let (_, faults) = inventory.statements();
        Ok((inventory, faults))
    }

    /// Names and texts of files. Entries are found by the lines `- id: …` that begin them; faults are [`Inventory::statements`]' business.
    pub fn from_texts(texts: Vec<(impl Into<String>, impl Into<String>)>) -> Inventory {
        let mut inventory = Inventory::default();
        for (name, text) in texts {
            let file = inventory.sources.add(name, text);
            inventory.files.push(file);
            let entries = yaml::chunks(inventory.sources.text(file));
            inventory.index.extend(entries.into_iter().filter_map(|(from, chunk)| entry(file, from, chunk)));
        }
        inventory.index.sort_by(|one, other| one.id.cmp(&other.id));
        inventory
    }

    /// The files, for printing faults.
    pub fn sources(&self) -> &Sources {
        &self.sources
    }

    pub fn contains(&self, id: &str) -> bool {
        self.find(id).is_some()
    }

    /// All ids, in order.
    pub fn ids(&self) -> impl Iterator<Item = &str> {
        self.index.iter().map(|entry| entry.id.as_str())
    }

    fn find(&self, id: &str) -> Option<&Entry> {
        let at = self.index.binary_search_by(|entry| entry.id.as_str().cmp(id)).ok()?;
        self.index.get(at)
    }

    /// One statement, read now; `None` if there is none of that id, or its entry has a fault.
    pub fn statement(&self, id: &str) -> Option<Statement> {
        let span = self.find(id)?.span;
        let mut reader = Reader::default();
        let root = yaml::read(span.file, self.sources.snippet(span), span.start as usize, &mut reader.faults).ok()??;
        let yaml::Value::List(items) = &root.value else { return None };
        let statement = statement(&mut reader, items.first()?);
        statement.filter(|_| reader.faults.is_empty())
    }

    /// Every statement in the order of the files, and every fault.
    pub fn statements(&self) -> (Vec<Statement>, Vec<Diagnostic>) {
        let mut statements = Vec::new();
        let mut reader = Reader::default();
        for &file in &self.files {
            for item in yaml::items(file, self.sources.text(file), "statements", &mut reader.faults) {
                let read = statement(&mut reader, &item);
                if let Some(read) = read {
                    self.once(&mut reader, &read, &item);
                    statements.push(read);
                }
            }
        }
        (statements, reader.faults)
    }

    /// The id is not that of another entry, and the scan saw it.
    fn once(&self, reader: &mut Reader, statement: &Statement, item: &Node) {
        let place = Span { end: item.span.start, ..item.span };
        let from = self.index.partition_point(|entry| entry.id < statement.id);
        match self.index.iter().skip(from).take_while(|entry| entry.id == statement.id).count() {
            0 => reader.bad(place, format!("the entry of `{}` does not begin with `- id:`", statement.id)),
            1 => {}
            _ => reader.bad(place, format!("two statements have the id `{}`", statement.id)),
        }
    }
}

fn entry(file: FileId, from: usize, chunk: &str) -> Option<Entry> {
    let line = if chunk.starts_with("- ") { chunk } else { chunk.get(chunk.find("\n- ")? + 1..)? };
    let id = line.strip_prefix("- id:")?.lines().next()?;
    let id = id.split(" #").next()?.trim().trim_matches(['"', '\'']);
    Some(Entry { id: id.to_owned(), span: Span::new(file, from, from + chunk.len()) })
}

fn statement(reader: &mut Reader, node: &Node) -> Option<Statement> {
    let fields = reader.fields(node, "a statement", KEYS)?;
    let mut need = |key: &str| reader.need(&fields, key, "the statement").and_then(|node| reader.text(node, &format!("`{key}`")));
    let (id, kind, force, says) = (need("id"), need("kind"), need("force"), need("says"));
    let mut text = |key: &str| fields.get(key).and_then(|node| reader.text(node, &format!("`{key}`"))).map(|text| text.text);
    let (silent, tension, check) = (text("silent"), text("tension"), text("check"));
    let (exact, verdict, reading) = (text("exact"), text("verdict"), text("reading"));
    let place = reader.need(&fields, "where", "the statement").and_then(|node| place(reader, node));
    let choice = fields.get("choice").and_then(|node| choice(reader, node));
    let (id, kind, force, says) = (id?.text, kind?.text, force?.text, says?.text);
    Some(Statement { id, place: place?, kind, force, says, silent, tension, choice, check, exact, verdict, reading })
}

fn place(reader: &mut Reader, node: &Node) -> Option<Place> {
    let fields = reader.fields(node, "`where`", &["file", "heading", "para", "page"])?;
    let file = reader.need(&fields, "file", "`where`").and_then(|node| reader.text(node, "`file`"));
    let heading = reader.need(&fields, "heading", "`where`").and_then(|node| reader.text(node, "`heading`"));
    let para = fields.get("para").and_then(|node| reader.integer(node, "`para`"));
    let page = fields.get("page").and_then(|node| reader.integer(node, "`page`"));
    Some(Place { file: file?.text, heading: heading?.text, para, page })
}

fn choice(reader: &mut Reader, node: &Node) -> Option<Choice> {
    let fields = reader.fields(node, "`choice`", &["point", "option", "default", "decider", "alternatives"])?;
    let mut text = |key: &str| fields.get(key).and_then(|node| reader.text(node, &format!("`{key}`"))).map(|text| text.text);
    let (point, option, decider) = (text("point"), text("option"), text("decider"));
    let default = fields.get("default").and_then(|node| reader.truth(node, "`default`"));
    let alternatives = fields.get("alternatives").map_or_else(Vec::new, |node| reader.texts(node, "`alternatives`"));
    let alternatives = alternatives.into_iter().map(|text| text.text).collect();
    Some(Choice { point: point?, option: option?, default: default?, decider, alternatives })
}
