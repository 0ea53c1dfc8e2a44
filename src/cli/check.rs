//! `hoyle check`: every fault of rulebooks and houses at once.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::asked::read;
use super::{Exit, Streams};
use crate::conformance::inventory::Inventory;
use crate::diagnostic::{Code, Diagnostic, Severity, render};
use crate::embedded;
use crate::rules::{Catalog, Statements, UnitKind, check_all};
use crate::source::FileId;

/// Find everything that is wrong with rulebooks, amendments and houses: names, types, citations, order of classes, tie keys, overlaps.
#[derive(Debug, Args)]
pub(super) struct Check {
    /// Files, or directories with `.hoyle` files; the built-in specification without any.
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// A warning is as bad as an error.
    #[arg(long)]
    strict: bool,
    /// How to answer.
    #[arg(long, value_enum, default_value_t = Written::Human)]
    format: Written,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Written {
    Human,
    Json,
}

impl Check {
    pub(super) fn run(&self, streams: &mut Streams<'_>) -> io::Result<Exit> {
        let mut catalog = Catalog::new();
        let mut found = Vec::new();
        let given = gather(&self.paths, &mut catalog, &mut found);
        let unreadable = !found.is_empty();
        add_embedded(&mut catalog);
        let statements: Statements = Inventory::embedded().ids().collect();
        found.extend(check_all(&catalog, Some(&statements)));
        // The built-in specification has no fault of its own, so whatever is found comes of the given files, wherever it shows.
        let files = if self.paths.is_empty() { catalog.parsed().count() } else { given.len() };
        let errors = found.iter().filter(|fault| fault.is_error()).count();
        let warnings = found.iter().filter(|fault| fault.severity == Severity::Warning).count();
        match self.format {
            Written::Json => write!(streams.out, "{}", render::json(&found, catalog.sources()))?,
            Written::Human => {
                // Here the faults are the answer, not a complaint about the question.
                let drawn = if streams.colour { render::colour(&found, catalog.sources()) } else { render::plain(&found, catalog.sources()) };
                write!(streams.out, "{drawn}{}", if drawn.is_empty() { "" } else { "\n" })?;
                writeln!(streams.out, "{}, {}, {}", several(files, "file"), several(errors, "error"), several(warnings, "warning"))?;
            }
        }
        Ok(match (unreadable, errors > 0 || (self.strict && warnings > 0)) {
            (true, _) => Exit::Infrastructure,
            (false, true) => Exit::Differs,
            (false, false) => Exit::Good,
        })
    }
}

/// `1 file`, `2 files`
pub(super) fn several(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// Every `.hoyle` file that the paths mean, into the catalog.
fn gather(paths: &[PathBuf], catalog: &mut Catalog, found: &mut Vec<Diagnostic>) -> BTreeSet<FileId> {
    let mut given = BTreeSet::new();
    for file in rulebook_files(paths, found) {
        match read(&file) {
            Ok(text) => {
                given.insert(catalog.add(file.display().to_string(), text));
            }
            Err(fault) => found.push(*fault),
        }
    }
    given
}

/// Files as they are named; of directories, every `.hoyle` file below them, in order of name.
pub(super) fn rulebook_files(paths: &[PathBuf], found: &mut Vec<Diagnostic>) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for path in paths {
        let before = files.len();
        if let Err(error) = collect(path, &mut files) {
            found.push(Diagnostic::without_place(Code::CannotRead, format!("`{}` cannot be read: {error}", path.display())));
        } else if files.len() == before {
            found.push(Diagnostic::without_place(Code::CannotRead, format!("`{}` holds no `.hoyle` file", path.display())));
        }
    }
    files
}

/// Links to directories below are not followed: they may lead back.
fn collect(path: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    if !path.is_dir() {
        files.push(path.to_owned());
        return Ok(());
    }
    let mut entries: Vec<PathBuf> = std::fs::read_dir(path)?.map(|entry| entry.map(|entry| entry.path())).collect::<io::Result<_>>()?;
    entries.sort();
    for entry in entries {
        if entry.is_dir() && !entry.is_symlink() {
            collect(&entry, files)?;
        } else if entry.is_file() && entry.extension().is_some_and(|extension| extension == "hoyle") {
            files.push(entry);
        }
    }
    Ok(())
}

/// The built-in files, but for those that declare something which a given file declares as well: a copy under work stands for the original.
pub(super) fn add_embedded(catalog: &mut Catalog) {
    let mine = names(catalog);
    for (name, text) in embedded::texts(&embedded::SPEC, "spec", "hoyle") {
        let mut alone = Catalog::new();
        alone.add(name.clone(), text);
        if names(&alone).is_disjoint(&mine) {
            catalog.add(name, text);
        }
    }
}

fn names(catalog: &Catalog) -> BTreeSet<(&'static str, String)> {
    let kinds = [UnitKind::Library, UnitKind::Rulebook, UnitKind::House, UnitKind::Amendment, UnitKind::Interface];
    kinds.into_iter().flat_map(|kind| catalog.names(kind).into_iter().map(move |name| (kind.word(), name.to_owned()))).collect()
}
