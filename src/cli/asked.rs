//! Which rules were asked for: a rulebook or a house, by name or as a file, and what is laid on it.

use std::path::Path;

use clap::Args;

use super::check::add_embedded;
use crate::diagnostic::{Code, Diagnostic};
use crate::rules::table::program::Program;
use crate::rules::{Catalog, Rulebook, Selection, UnitKind};

/// The largest file that is read: clause 1.1.
const MOST_BYTES: u64 = 1 << 20;

/// The arguments that every command on one rulebook has.
#[derive(Clone, Debug, Args)]
pub(super) struct Asked {
    /// A rulebook or a house: its name (`foster-draw`), a file that holds it (`our-house.hoyle`), or one of several in a file (`houses.hoyle:late`).
    #[arg(value_name = "RULEBOOK")]
    pub rulebook: String,
    /// A house on that rulebook: its name, or a file that holds it.
    #[arg(long, value_name = "HOUSE")]
    pub(super) house: Option<String>,
    /// An amendment to lay on it: its name, or a file that holds it; several are laid in order.
    #[arg(long, value_name = "AMENDMENT")]
    with: Vec<String>,
    /// A parameter: `--set limit=20`.
    #[arg(long, value_name = "P=V")]
    set: Vec<String>,
    /// An option: `--choose joker=mistigris`.
    #[arg(long, value_name = "O=B")]
    choose: Vec<String>,
}

impl Asked {
    /// Files and the built-in specification in one catalog, the arguments as a selection.
    pub fn selection(&self) -> (Catalog, Result<Selection, Vec<Diagnostic>>) {
        let mut catalog = Catalog::new();
        let mut faults = Vec::new();
        let base = unit(&mut catalog, &self.rulebook, &[UnitKind::House, UnitKind::Rulebook], &mut faults);
        let house = self.house.as_ref().and_then(|house| unit(&mut catalog, house, &[UnitKind::House], &mut faults));
        let with: Vec<String> = self.with.iter().filter_map(|name| unit(&mut catalog, name, &[UnitKind::Amendment], &mut faults)).collect();
        let set = pairs(&self.set, "--set", "limit=20", &mut faults);
        let choose = pairs(&self.choose, "--choose", "joker=out", &mut faults);
        add_embedded(&mut catalog);
        let selection = match (base, faults.is_empty()) {
            (Some(base), true) => Ok(Selection { name: house.unwrap_or(base), with, edits: Vec::new(), set, choose }),
            (Some(_) | None, _) => Err(faults),
        };
        (catalog, selection)
    }

    /// What a record says of the rules on which it was played, beside the rulebook or the house itself. What stands in a file has no name there.
    pub fn in_record(&self) -> impl Iterator<Item = String> {
        let with = self.with.iter().filter(|name| !is_file(name)).map(|name| format!("with {name}"));
        let pair = |word: &str, pair: &str| pair.split_once('=').map(|(name, value)| format!("{word} {} = {}", name.trim(), value.trim()));
        let set = self.set.iter().filter_map(move |text| pair("set", text));
        with.chain(set).chain(self.choose.iter().filter_map(move |text| pair("choose", text)))
    }

    /// The rulebook that was asked for, and the catalog that its faults point into.
    pub fn load(&self) -> (Catalog, Result<Rulebook, Vec<Diagnostic>>) {
        let (catalog, selection) = self.selection();
        let rulebook = self.load_from(&catalog, selection);
        (catalog, rulebook)
    }

    /// The rulebook of a selection that may have been added to.
    pub fn load_from(&self, catalog: &Catalog, selection: Result<Selection, Vec<Diagnostic>>) -> Result<Rulebook, Vec<Diagnostic>> {
        selection.and_then(|selection| catalog.load(&selection)).and_then(|rulebook| self.on_its_base(rulebook)).and_then(sound)
    }

    /// A house that was asked for on a rulebook must stand on it.
    fn on_its_base(&self, rulebook: Rulebook) -> Result<Rulebook, Vec<Diagnostic>> {
        if self.house.is_none() || is_file(&self.rulebook) || rulebook.chain.contains(&self.rulebook) {
            return Ok(rulebook);
        }
        let base = rulebook.chain.first().map_or("", String::as_str);
        let message = format!("the house `{}` stands on `{base}`, not on `{}`", rulebook.name, self.rulebook);
        Err(vec![Diagnostic::without_place(Code::WrongBase, message).with_help(format!("ask for `{base}`, or for the house alone"))])
    }
}

/// A rulebook with an error is not used (part 12).
fn sound(rulebook: Rulebook) -> Result<Rulebook, Vec<Diagnostic>> {
    let faults: Vec<Diagnostic> = rulebook.faults().into_iter().filter(Diagnostic::is_error).collect();
    if faults.is_empty() { Ok(rulebook) } else { Err(faults) }
}

/// What is meant as a file, and not as a name.
fn is_file(text: &str) -> bool {
    text.ends_with(".hoyle") || text.contains(".hoyle:") || text.contains(['/', '\\'])
}

/// Name of the unit that an argument means; a file is read and must hold exactly one unit of the first kind that it holds at all.
fn unit(catalog: &mut Catalog, text: &str, kinds: &[UnitKind], faults: &mut Vec<Diagnostic>) -> Option<String> {
    if !is_file(text) {
        return Some(text.to_owned());
    }
    // `table.hoyle:late` is the unit `late` of that file.
    let (text, wanted) = match text.rsplit_once(".hoyle:") {
        Some((path, name)) => (format!("{path}.hoyle"), Some(name.to_owned())),
        None => (text.to_owned(), None),
    };
    let text = text.as_str();
    let file = match read(Path::new(text)) {
        Ok(content) => catalog.add(text, content),
        Err(fault) => {
            faults.push(*fault);
            return None;
        }
    };
    let of_kind = |kind: &UnitKind| -> Vec<String> {
        let names = catalog.names(*kind).into_iter().filter(|name| catalog.file_of(*kind, name) == Some(file));
        names.map(str::to_owned).collect()
    };
    let words: Vec<&str> = kinds.iter().map(|kind| kind.word()).collect();
    let found = kinds.iter().map(of_kind).find(|names| !names.is_empty()).unwrap_or_default();
    if let Some(wanted) = wanted {
        return Some(wanted);
    }
    match found.as_slice() {
        [name] => Some(name.clone()),
        [] => {
            faults.push(Diagnostic::without_place(Code::UnknownName, format!("`{text}` holds no {}", words.join(" and no "))));
            None
        }
        several => {
            let fault = Diagnostic::without_place(Code::Usage, format!("`{text}` holds {}", several.join(", ")));
            let example = several.last().map_or("", String::as_str);
            faults.push(fault.with_help(format!("name the one you mean behind the file: `{text}:{example}`")));
            None
        }
    }
}

/// The program of a rulebook's table.
pub(super) fn table(rulebook: &Rulebook) -> Result<&Program, Vec<Diagnostic>> {
    match &rulebook.table {
        Some(table) => Ok(table),
        None if rulebook.table_faults.is_empty() => {
            let fault = Diagnostic::without_place(Code::NoTable, format!("`{}` says nothing of a table", rulebook.name));
            Err(vec![fault.with_help("nothing of it can be played; `hoyle rank` puts hands in order")])
        }
        None => {
            let fault = Diagnostic::without_place(Code::NoTable, format!("the table of `{}` cannot be played yet", rulebook.name));
            Err(rulebook.table_faults.iter().cloned().chain([fault]).collect())
        }
    }
}

/// A rulebook's file as text, without the mark that some editors put before it.
pub(super) fn read(path: &Path) -> Result<String, Box<Diagnostic>> {
    let fault = |why: &str| Box::new(Diagnostic::without_place(Code::CannotRead, format!("`{}` cannot be read: {why}", path.display())));
    let about = std::fs::metadata(path).map_err(|error| fault(&error.to_string()))?;
    if !about.is_file() {
        return Err(fault("it is not a file"));
    }
    // Whatever is that large is refused (clause 1.1), and not worth reading.
    if about.len() > MOST_BYTES {
        let fault =
            Diagnostic::without_place(Code::TooLarge, format!("`{}` has {} bytes, and a file may have {MOST_BYTES}", path.display(), about.len()));
        return Err(Box::new(fault.with_help("split it into several files")));
    }
    let bytes = std::fs::read(path).map_err(|error| fault(&error.to_string()))?;
    let text = String::from_utf8(bytes).map_err(|_| {
        let fault = Diagnostic::without_place(Code::NotUtf8, format!("`{}` is not UTF-8 text", path.display()));
        Box::new(fault.with_help("save it as UTF-8"))
    })?;
    Ok(text.strip_prefix('\u{feff}').map_or(text.clone(), str::to_owned))
}

/// `NAME=VALUE`
fn pairs(texts: &[String], flag: &str, example: &str, faults: &mut Vec<Diagnostic>) -> Vec<(String, String)> {
    let mut pairs = Vec::new();
    for text in texts {
        match text.split_once('=') {
            Some((name, value)) if !name.trim().is_empty() && !value.trim().is_empty() => {
                pairs.push((name.trim().to_owned(), value.trim().to_owned()))
            }
            Some(_) | None => {
                let fault = Diagnostic::without_place(Code::Usage, format!("`{flag} {text}` is not of the form NAME=VALUE"));
                faults.push(fault.with_help(format!("write, for instance, `{flag} {example}`")));
            }
        }
    }
    pairs
}
