//! A record from wherever it comes: a file, standard input, a case; and the rules that it names. Clause 5.17.

use std::io::Read;
use std::path::Path;

use super::asked::{Asked, read};
use crate::conformance::record::{find, in_words};
use crate::diagnostic::{Code, Diagnostic};
use crate::rules::{Catalog, Selection, UnitKind};
use crate::syntax::record::record;
use crate::syntax::sheet::Sheet;

/// Reads a record into the catalog's texts.
///
/// # Errors
/// It cannot be read, or lines of it cannot.
pub(super) fn read_record(catalog: &mut Catalog, from: &str) -> Result<Sheet, Vec<Diagnostic>> {
    if let Some((path, id)) = yaml(from) {
        let text = read(Path::new(path)).map_err(|fault| vec![*fault])?;
        let file = catalog.add_text(path, text.clone());
        let found = find(file, &text, id)?;
        let written = catalog.add_text(format!("{path}, as a record"), in_words(&found));
        return parsed(catalog, written);
    }
    let (name, text) = if from == "-" {
        ("standard input".to_owned(), standard_input().map_err(|fault| vec![*fault])?)
    } else {
        (from.to_owned(), read(Path::new(from)).map_err(|fault| vec![*fault])?)
    };
    let file = catalog.add_text(name, text);
    parsed(catalog, file)
}

fn parsed(catalog: &Catalog, file: crate::source::FileId) -> Result<Sheet, Vec<Diagnostic>> {
    let (record, mut faults) = record(file, catalog.sources().text(file));
    let (sheet, more) = Sheet::of(&record);
    faults.extend(more);
    if faults.iter().any(Diagnostic::is_error) { Err(faults) } else { Ok(sheet) }
}

/// `cases.yaml`, or one case of it: `cases.yaml:nap-k4t9`
fn yaml(from: &str) -> Option<(&str, Option<&str>)> {
    let is_file = |path: &str| path.ends_with(".yaml") || path.ends_with(".yml");
    if is_file(from) {
        return Some((from, None));
    }
    from.rsplit_once(':').filter(|(path, _)| is_file(path)).map(|(path, id)| (path, Some(id)))
}

fn standard_input() -> Result<String, Box<Diagnostic>> {
    let mut bytes = Vec::new();
    if let Err(error) = std::io::stdin().read_to_end(&mut bytes) {
        return Err(Box::new(Diagnostic::without_place(Code::CannotRead, format!("standard input cannot be read: {error}"))));
    }
    String::from_utf8(bytes).map_err(|_| Box::new(Diagnostic::without_place(Code::NotUtf8, "standard input is not UTF-8 text")))
}

/// Lays what the record says of its rules under what the command line asks for.
///
/// # Errors
/// The record was played under another rulebook.
pub(super) fn under(asked: &Asked, catalog: &Catalog, sheet: &Sheet, mut selection: Selection) -> Result<Selection, Vec<Diagnostic>> {
    let rules = &sheet.rules;
    if let Some(house) = &rules.house
        && asked.house.is_none()
    {
        if catalog.file_of(UnitKind::House, &house.it).is_none() {
            return Err(vec![Diagnostic::new(Code::UnknownName, format!("there is no house `{}`", house.it), house.span)]);
        }
        selection.name.clone_from(&house.it);
    }
    let with = rules.with.iter().map(|name| name.it.clone());
    selection.with = with.filter(|name| !selection.with.contains(name)).chain(selection.with.iter().cloned()).collect();
    let set = rules.set.iter().map(|(name, value)| (name.it.clone(), crate::syntax::print::expression(value)));
    selection.set = set.filter(|(name, _)| !has(&selection.set, name)).chain(selection.set.iter().cloned()).collect();
    let choose = rules.choose.iter().map(|(option, branch)| (option.it.clone(), branch.it.clone()));
    selection.choose = choose.filter(|(option, _)| !has(&selection.choose, option)).chain(selection.choose.iter().cloned()).collect();
    Ok(selection)
}

fn has(pairs: &[(String, String)], name: &str) -> bool {
    pairs.iter().any(|(other, _)| other == name)
}

/// The record names the rulebook that it is played under, or none.
pub(super) fn same_rulebook(sheet: &Sheet, chain: &[String]) -> Result<(), Vec<Diagnostic>> {
    match &sheet.rules.rulebook {
        Some(name) if !chain.contains(&name.it) => {
            let here = chain.last().map_or("", String::as_str);
            let message = format!("the record is one of `{}`, and `{here}` was asked for", name.it);
            Err(vec![Diagnostic::new(Code::WrongBase, message, name.span).with_help(format!("play it under `{}`, or take the line out", name.it))])
        }
        Some(_) | None => Ok(()),
    }
}
