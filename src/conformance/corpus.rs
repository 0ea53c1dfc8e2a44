//! All cases together: where they come from, and what no single file can see.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::case::{Body, Case, Expected, Text};
use super::inventory::Inventory;
use super::load;
use super::read::suggest;
use crate::diagnostic::{Code, Diagnostic};
use crate::embedded;
use crate::source::{FileId, Sources};

/// Version of the cases: MAJOR the format, MINOR more cases, PATCH a wrong case mended.
pub const VERSION: &str = "0.1.0";
/// Version of the schema of case files.
pub const SCHEMA: u32 = 1;

/// Cases in the order of their files, and the files.
#[derive(Clone, Debug, Default)]
pub struct Corpus {
    pub sources: Sources,
    pub cases: Vec<Case>,
    /// Changes with any name or byte of a file.
    pub digest: String,
}

/// A corpus, and what was left out of it: a case with a fault is not run, and does not keep the others from running.
#[derive(Clone, Debug, Default)]
pub struct Loaded {
    pub corpus: Corpus,
    pub faults: Vec<Diagnostic>,
}

impl Corpus {
    /// The cases of this crate.
    pub fn embedded(inventory: &Inventory) -> Loaded {
        Corpus::from_texts(embedded::texts(&embedded::CASES, "conformance/cases", "yaml"), inventory)
    }

    /// Files, and the `*.yaml` below directories. What cannot be read is a fault among the others.
    pub fn from_paths(paths: &[PathBuf], inventory: &Inventory) -> Loaded {
        let mut files = Vec::new();
        let mut faults = Vec::new();
        for path in paths {
            gather(path, true, &mut files, &mut faults);
        }
        files.sort();
        files.dedup();
        let mut texts = Vec::new();
        for path in files {
            match std::fs::read(&path).map(String::from_utf8) {
                Ok(Ok(text)) => texts.push((path.display().to_string(), text)),
                Ok(Err(_)) => faults.push(Diagnostic::without_place(Code::NotUtf8, format!("`{}` is not UTF-8 text", path.display()))),
                Err(error) => faults.push(cannot_read(&path, &error)),
            }
        }
        let mut loaded = Corpus::from_texts(texts, inventory);
        faults.append(&mut loaded.faults);
        Loaded { faults, ..loaded }
    }

    /// Names and texts of files.
    pub fn from_texts(texts: Vec<(impl Into<String>, impl Into<String>)>, inventory: &Inventory) -> Loaded {
        let mut sources = Sources::default();
        let files: Vec<FileId> = texts.into_iter().map(|(name, text)| sources.add(name, text)).collect();
        let read: Vec<(Vec<Case>, Vec<Diagnostic>)> = files.par_iter().map(|&file| load::file(file, sources.text(file))).collect();
        let mut cases = Vec::new();
        let mut faults = Vec::new();
        for (mut some, mut wrong) in read {
            cases.append(&mut some);
            faults.append(&mut wrong);
        }
        let mut out = BTreeSet::new();
        for (case, fault) in whole(&cases, inventory) {
            out.insert(case);
            faults.push(fault);
        }
        let mut at = 0..;
        cases.retain(|_| at.next().is_none_or(|at| !out.contains(&at)));
        let digest = digest(&sources, &files);
        Loaded { corpus: Corpus { sources, cases, digest }, faults }
    }

    /// Name and line of the file where a case stands.
    pub fn place(&self, case: &Case) -> (&str, usize) {
        let span = case.id.span;
        (self.sources.name(span.file), self.sources.line_column(span.file, span.start).0)
    }
}

fn cannot_read(path: &Path, error: &std::io::Error) -> Diagnostic {
    Diagnostic::without_place(Code::CannotRead, format!("`{}` cannot be read: {error}", path.display()))
}

/// A file that was named is taken whatever it is called; below a directory only `*.yaml`.
fn gather(path: &Path, named: bool, files: &mut Vec<PathBuf>, faults: &mut Vec<Diagnostic>) {
    if !path.is_dir() {
        if named || path.extension().is_some_and(|extension| extension == "yaml") {
            files.push(path.to_owned());
        }
        return;
    }
    match std::fs::read_dir(path) {
        Ok(entries) => {
            for entry in entries.flatten() {
                // A symbolic link to a directory could lead round in a circle.
                let link = entry.file_type().is_ok_and(|kind| kind.is_symlink()) && entry.path().is_dir();
                if !link {
                    gather(&entry.path(), false, files, faults);
                }
            }
        }
        Err(error) => faults.push(cannot_read(path, &error)),
    }
}

/// FNV-1a over names and texts: tells one corpus from another, proves nothing.
fn digest(sources: &Sources, files: &[FileId]) -> String {
    let parts = files.iter().flat_map(|&file| [sources.name(file), "\0", sources.text(file), "\0"]);
    let hash = parts.flat_map(str::bytes).fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3));
    format!("fnv1a64:{hash:016x}")
}

/// Faults that show only when all cases are seen, each with the position of the case that it spoils.
fn whole(cases: &[Case], inventory: &Inventory) -> Vec<(usize, Diagnostic)> {
    let mut faults = Vec::new();
    let mut ids: BTreeMap<&str, &Text> = BTreeMap::new();
    let mut whys: BTreeMap<String, &Text> = BTreeMap::new();
    for (at, case) in cases.iter().enumerate() {
        for id in std::iter::once(&case.id).chain(&case.was) {
            if let Some(before) = ids.insert(&id.text, id) {
                let fault = Diagnostic::new(Code::DuplicateCase, format!("two cases have the id `{}`", id.text), id.span);
                faults.push((at, fault.with_label(before.span, "first here").with_help("an id is never used again, not even one under `was`")));
            }
        }
        let why = case.why.text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
        if let Some(before) = whys.insert(why, &case.why) {
            let fault = Diagnostic::new(Code::BadCase, "two cases have the same `why`", case.why.span);
            faults.push((at, fault.with_label(before.span, "first here").with_help("say which mistake this case catches that the other does not")));
        }
        faults.extend(cites(case).into_iter().filter(|cite| !inventory.contains(&cite.text)).map(|cite| (at, unknown(cite, inventory))));
    }
    faults
}

fn unknown(cite: &Text, inventory: &Inventory) -> Diagnostic {
    let fault = Diagnostic::new(Code::UnknownStatement, format!("the inventory has no statement `{}`", cite.text), cite.span);
    match suggest(&cite.text, inventory.ids()) {
        Some(near) => fault.with_help(format!("did you mean `{near}`?")),
        None => fault.with_help("the statements are in `spec/texts/*.yaml`"),
    }
}

/// Every statement that a case cites, those of its readings too; each place of an id counts.
pub fn cites(case: &Case) -> Vec<&Text> {
    case.cites.iter().chain(reading_cites(case, |_| true)).collect()
}

/// The statements that speak of one of its rulebooks: those of its readings, or of the whole case where there are none.
pub fn cites_of<'c>(case: &'c Case, rulebook: &str) -> Vec<&'c Text> {
    let read = reading_cites(case, |books| books.iter().any(|book| book == rulebook));
    if read.is_empty() { case.cites.iter().collect() } else { read }
}

fn reading_cites(case: &Case, wanted: impl Fn(&[String]) -> bool) -> Vec<&Text> {
    match &case.body {
        Body::Compare(compare) => of_readings(Some(&compare.expected), wanted),
        Body::Play(play) => of_readings(play.expected.as_ref(), wanted),
        Body::Reckon(reckon) => of_readings(reckon.expected.as_ref(), wanted),
    }
}

fn of_readings<E>(expected: Option<&Expected<E>>, wanted: impl Fn(&[String]) -> bool) -> Vec<&Text> {
    match expected {
        Some(Expected::Readings(readings)) => readings.iter().filter(|reading| wanted(&reading.rules)).flat_map(|reading| &reading.cites).collect(),
        Some(Expected::One(_)) | None => Vec::new(),
    }
}
