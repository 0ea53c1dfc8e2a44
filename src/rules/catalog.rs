//! Every unit that is known, by name: libraries, rulebooks, houses, amendments, interfaces.
//!
//! Files are scanned for headers when they are added and parsed when something in them is needed, once.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

use super::advice::did_you_mean;
use super::headers::{Header, Space, UnitKind, headers};
use super::mutants::StandIn;
use super::place::misplaced;
use crate::diagnostic::{Code, Diagnostic};
use crate::embedded;
use crate::source::{FileId, Sources, Span};
use crate::syntax::parse;
use crate::syntax::tree::{At, Declaration, File, Follows, InterfaceItem, Name, Tags, Text};

/// All files, their headers, and what of them has been parsed so far.
#[derive(Clone, Debug, Default)]
pub struct Catalog {
    sources: Arc<Sources>,
    files: Vec<Arc<Entry>>,
    /// Where a name is declared: file (position in `files`) and place of the name, in the order of the files.
    index: BTreeMap<(Space, String), Vec<(usize, Header)>>,
    /// Settings that a mutant overrides; none otherwise.
    pub(super) stand_ins: Vec<StandIn>,
}

#[derive(Debug)]
struct Entry {
    id: FileId,
    parsed: OnceLock<Parsed>,
}

/// A parsed file, cut into units.
#[derive(Clone, Debug, Default)]
pub struct Parsed {
    pub units: Vec<Unit>,
    /// What is wrong with the text, or with the arrangement of its declarations.
    pub faults: Vec<Diagnostic>,
}

/// A header and the declarations that belong to it.
#[derive(Clone, Debug)]
pub struct Unit {
    pub name: Name,
    pub title: Option<Text>,
    pub body: UnitBody,
    /// The whole header; of a unit with braces, all of it.
    pub span: Span,
    pub declarations: Vec<At<Declaration>>,
}

#[derive(Clone, Debug)]
pub enum UnitBody {
    Library,
    Rulebook { follows: Option<Follows> },
    House { base: Name, with: Vec<Name>, tags: Tags },
    Amendment { base: Option<Name>, tags: Tags },
    Interface { items: Vec<At<InterfaceItem>> },
}

impl Unit {
    pub fn kind(&self) -> UnitKind {
        match self.body {
            UnitBody::Library => UnitKind::Library,
            UnitBody::Rulebook { .. } => UnitKind::Rulebook,
            UnitBody::House { .. } => UnitKind::House,
            UnitBody::Amendment { .. } => UnitKind::Amendment,
            UnitBody::Interface { .. } => UnitKind::Interface,
        }
    }
}

impl Catalog {
    pub fn new() -> Catalog {
        Catalog::default()
    }

    /// The specification that this crate carries.
    pub fn embedded() -> Catalog {
        let mut catalog = Catalog::new();
        for (name, text) in embedded::texts(&embedded::SPEC, "spec", "hoyle") {
            catalog.add(name, text);
        }
        catalog
    }

    /// Adds a file. It is scanned for headers, and parsed when something in it is needed.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<String>) -> FileId {
        let text = text.into();
        let found = headers(&text);
        let id = Arc::make_mut(&mut self.sources).add(name, text);
        for header in found {
            self.index.entry((header.kind.space(), header.name.clone())).or_default().push((self.files.len(), header));
        }
        self.files.push(Arc::new(Entry { id, parsed: OnceLock::new() }));
        id
    }

    /// Every text, for printing diagnostics.
    pub fn sources(&self) -> &Sources {
        &self.sources
    }

    /// Adds a text that is no file of the catalog (inline edits, an argument), so that diagnostics about it can be printed.
    pub fn add_text(&mut self, name: impl Into<String>, text: impl Into<String>) -> FileId {
        Arc::make_mut(&mut self.sources).add(name, text)
    }

    /// Names of all units of a kind, in alphabetical order.
    pub fn names(&self, kind: UnitKind) -> Vec<&str> {
        let of_kind = self.index.iter().filter(|((space, _), _)| *space == kind.space());
        of_kind.filter(|(_, places)| places.iter().any(|(_, header)| header.kind == kind)).map(|((_, name), _)| name.as_str()).collect()
    }

    /// What the rulebooks of this catalog follow: the prefixes of statement ids.
    pub fn books(&self) -> BTreeSet<&str> {
        self.index.values().flatten().map(|(_, header)| header.follows.as_str()).filter(|follows| !follows.is_empty()).collect()
    }

    /// Every file, parsed.
    pub fn parsed(&self) -> impl Iterator<Item = (FileId, &Parsed)> {
        self.files.iter().map(|entry| (entry.id, self.parse(entry)))
    }

    /// A unit by name, from the first file that declares it. Parses that file.
    pub fn unit(&self, kind: UnitKind, name: &str) -> Option<&Unit> {
        let places = self.index.get(&(kind.space(), name.to_owned()))?;
        let (file, _) = places.iter().find(|(_, header)| header.kind == kind)?;
        let parsed = self.parse(self.files.get(*file)?);
        parsed.units.iter().find(|unit| unit.kind() == kind && unit.name.it == name)
    }

    /// What is wrong with the text of the file in which a unit stands.
    pub fn faults_of_file(&self, file: FileId) -> &[Diagnostic] {
        self.files.iter().find(|entry| entry.id == file).map_or(&[], |entry| self.parse(entry).faults.as_slice())
    }

    /// The file whose header declares a name, even if it cannot be parsed.
    pub fn file_of(&self, kind: UnitKind, name: &str) -> Option<FileId> {
        let places = self.index.get(&(kind.space(), name.to_owned()))?;
        let (file, _) = places.iter().find(|(_, header)| header.kind == kind)?;
        self.files.get(*file).map(|entry| entry.id)
    }

    /// Names declared by more than one unit. Clause 2.10.
    pub fn duplicates(&self) -> Vec<Diagnostic> {
        let mut faults = Vec::new();
        for places in self.index.values() {
            let Some(((file, first), rest)) = places.split_first() else { continue };
            for (other, again) in rest {
                let message = format!("`{}` is declared twice", again.name);
                faults.push(
                    Diagnostic::new(Code::DuplicateName, message, self.span_of(*other, again))
                        .with_label(self.span_of(*file, first), format!("the {} of that name", first.kind.word())),
                );
            }
        }
        faults
    }

    /// No unit has this name: says so, with the names that are near, and what the name is if it is another kind of thing.
    pub fn unknown(&self, kind: UnitKind, name: &str, span: Option<Span>) -> Diagnostic {
        let other = [UnitKind::Library, UnitKind::Rulebook, UnitKind::House, UnitKind::Amendment, UnitKind::Interface]
            .into_iter()
            .find(|other| *other != kind && self.file_of(*other, name).is_some());
        let (code, message) = match other {
            Some(other) => (Code::WrongKind, format!("`{name}` is {}, and {} is wanted here", with_article(other), with_article(kind))),
            // Wherever a rulebook is wanted, a house on one will do.
            None if kind == UnitKind::Rulebook => (Code::UnknownName, format!("there is no rulebook and no house `{name}`")),
            None => (Code::UnknownName, format!("there is no {} `{name}`", kind.word())),
        };
        let fault = match span {
            Some(span) => Diagnostic::new(code, message, span),
            None => Diagnostic::without_place(code, message),
        };
        let mut names = self.names(kind);
        if kind == UnitKind::Rulebook {
            names.extend(self.names(UnitKind::House));
        }
        match (other, did_you_mean(name, names.iter().copied())) {
            (Some(_), _) => fault,
            (None, Some(advice)) => fault.with_help(advice),
            (None, None) if !names.is_empty() && names.len() <= 12 => fault.with_help(format!("there is {}", super::advice::all_of(names))),
            (None, None) => fault,
        }
    }

    /// This catalog with one file's tree changed; everything else is shared.
    #[must_use]
    pub fn patched(&self, file: FileId, change: impl FnOnce(&mut Parsed)) -> Catalog {
        let mut patched = self.clone();
        for entry in &mut patched.files {
            if entry.id == file {
                let mut parsed = self.parse(entry).clone();
                change(&mut parsed);
                *entry = Arc::new(Entry { id: file, parsed: OnceLock::from(parsed) });
                break;
            }
        }
        patched
    }

    /// This catalog with a setting overridden in every rulebook that has it.
    #[must_use]
    pub(super) fn with_stand_in(&self, stand_in: StandIn) -> Catalog {
        let mut catalog = self.clone();
        catalog.stand_ins.push(stand_in);
        catalog
    }

    fn span_of(&self, file: usize, header: &Header) -> Span {
        Span::new(self.files.get(file).map_or(FileId(0), |entry| entry.id), header.start, header.end)
    }

    fn parse<'c>(&self, entry: &'c Entry) -> &'c Parsed {
        entry.parsed.get_or_init(|| {
            let (tree, mut faults) = parse::file(entry.id, self.sources.text(entry.id));
            let mut parsed = units(tree);
            faults.append(&mut parsed.faults);
            Parsed { units: parsed.units, faults }
        })
    }
}

/// `an amendment`
pub(super) fn with_article(kind: UnitKind) -> String {
    let article = if matches!(kind, UnitKind::Amendment | UnitKind::Interface) { "an" } else { "a" };
    format!("{article} {}", kind.word())
}

/// Cuts a file into units. Clauses 2.2 and 2.11.
fn units(file: File) -> Parsed {
    let mut parsed = Parsed::default();
    // Where declarations go: the unit whose header was read last and has no braces.
    let mut open: Option<usize> = None;
    let mut homeless = false;
    for declaration in file.declarations {
        let span = declaration.span;
        match opens(declaration) {
            Opened::Unit(unit) => {
                let braces = !matches!(unit.body, UnitBody::Library | UnitBody::Rulebook { .. });
                if !braces {
                    open = Some(parsed.units.len());
                }
                for edit in &unit.declarations {
                    parsed.faults.extend(misplaced(&edit.it, edit.span, unit.kind()));
                }
                parsed.units.push(*unit);
            }
            Opened::Other(declaration) => match open.and_then(|index| parsed.units.get_mut(index)) {
                Some(unit) => {
                    parsed.faults.extend(misplaced(&declaration.it, span, unit.kind()));
                    unit.declarations.push(*declaration);
                }
                None if !homeless => {
                    // One fault is enough: every declaration up to the first header has the same.
                    homeless = true;
                    parsed.faults.push(
                        Diagnostic::new(Code::MissingHeader, "a declaration stands before any header", span)
                            .with_help("begin the file with `rulebook NAME \"title\" follows none;` or `library NAME \"title\";`"),
                    );
                }
                None => {}
            },
        }
    }
    parsed
}

enum Opened {
    Unit(Box<Unit>),
    Other(Box<At<Declaration>>),
}

fn opens(declaration: At<Declaration>) -> Opened {
    let span = declaration.span;
    let unit = |name, title, body, declarations| Opened::Unit(Box::new(Unit { name, title, body, span, declarations }));
    if let Declaration::Library { name, title } = declaration.it {
        unit(name, title, UnitBody::Library, Vec::new())
    } else if let Declaration::Rulebook { name, title, follows } = declaration.it {
        unit(name, title, UnitBody::Rulebook { follows }, Vec::new())
    } else if let Declaration::House(house) = declaration.it {
        unit(house.name, house.title, UnitBody::House { base: house.base, with: house.with, tags: house.tags }, house.edits)
    } else if let Declaration::Amendment(amendment) = declaration.it {
        unit(amendment.name, amendment.title, UnitBody::Amendment { base: amendment.base, tags: amendment.tags }, amendment.edits)
    } else if let Declaration::Interface(interface) = declaration.it {
        unit(interface.name, interface.title, UnitBody::Interface { items: interface.items }, Vec::new())
    } else {
        Opened::Other(Box::new(declaration))
    }
}
