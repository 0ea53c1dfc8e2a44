//! `hoyle fmt`: rulebooks in their canonical layout.

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use clap::Args;

use super::asked::read;
use super::check::{rulebook_files, several};
use super::{Exit, Streams, faults};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::{FileId, Sources, Span};
use crate::syntax::{parse, print};

/// Lay rulebooks out anew: same meaning, comments kept.
#[derive(Debug, Args)]
pub(super) struct Fmt {
    /// Files, or directories with `.hoyle` files; `-` reads standard input and writes standard output.
    #[arg(value_name = "PATH", required = true, num_args = 1..)]
    paths: Vec<PathBuf>,
    /// Change nothing; name the files that would change.
    #[arg(long)]
    check: bool,
}

/// What became of one file.
enum Done {
    Same,
    Changed,
    /// It is laid out otherwise, and nobody asked for it to be changed.
    Differs(Diagnostic),
    Faulty(Vec<Diagnostic>),
}

impl Fmt {
    pub(super) fn run(&self, streams: &mut Streams<'_>) -> io::Result<Exit> {
        let mut sources = Sources::default();
        if self.paths.iter().any(|path| path.as_os_str() == "-") {
            return self.standard_input(&mut sources, streams);
        }
        let mut found = Vec::new();
        let files = rulebook_files(&self.paths, &mut found);
        let mut changed = 0;
        for file in &files {
            match self.one(file, &mut sources) {
                Done::Same => {}
                Done::Changed => {
                    changed += 1;
                    writeln!(streams.out, "formatted: {}", file.display())?;
                }
                Done::Differs(fault) => {
                    changed += 1;
                    found.push(fault);
                }
                Done::Faulty(faults) => found.extend(faults),
            }
        }
        let exit = faults::write(&found, &sources, streams)?;
        writeln!(streams.out, "{}, {} {}", several(files.len(), "file"), changed, if self.check { "not formatted" } else { "changed" })?;
        // Files that are not formatted, or that cannot be understood, differ from what they should be.
        Ok(if exit == Exit::Usage { Exit::Differs } else { exit })
    }

    fn one(&self, path: &Path, sources: &mut Sources) -> Done {
        let text = match read(path) {
            Ok(text) => text,
            Err(fault) => return Done::Faulty(vec![*fault]),
        };
        let file = sources.add(path.display().to_string(), text.clone());
        let formatted = match formatted(file, &text) {
            Ok(formatted) => formatted,
            Err(faults) => return Done::Faulty(faults),
        };
        if formatted == text {
            return Done::Same;
        }
        if self.check {
            let fault = Diagnostic::new(Code::NotFormatted, "this line is laid out otherwise", first_difference(file, &text, &formatted));
            return Done::Differs(fault.with_help(format!("run `hoyle fmt {}`", path.display())));
        }
        match replace(path, &formatted) {
            Ok(()) => Done::Changed,
            Err(error) => {
                Done::Faulty(vec![Diagnostic::without_place(Code::CannotWrite, format!("`{}` cannot be written: {error}", path.display()))])
            }
        }
    }

    fn standard_input(&self, sources: &mut Sources, streams: &mut Streams<'_>) -> io::Result<Exit> {
        let mut text = String::new();
        if let Err(error) = io::stdin().read_to_string(&mut text) {
            let fault = Diagnostic::without_place(Code::CannotRead, format!("standard input cannot be read: {error}"));
            return faults::write(&[fault], sources, streams);
        }
        let file = sources.add("standard input", text.clone());
        match formatted(file, &text) {
            Ok(formatted) if self.check && formatted != text => {
                let fault = Diagnostic::new(Code::NotFormatted, "this line is laid out otherwise", first_difference(file, &text, &formatted));
                faults::write(&[fault], sources, streams)?;
                Ok(Exit::Differs)
            }
            Ok(formatted) => {
                if !self.check {
                    write!(streams.out, "{formatted}")?;
                }
                Ok(Exit::Good)
            }
            Err(found) => {
                faults::write(&found, sources, streams)?;
                Ok(Exit::Differs)
            }
        }
    }
}

/// The canonical layout, or why the text cannot be read.
fn formatted(file: FileId, text: &str) -> Result<String, Vec<Diagnostic>> {
    let (tree, found) = parse::file(file, text);
    if found.iter().any(Diagnostic::is_error) { Err(found) } else { Ok(print::print(&tree, text)) }
}

/// The first line of `text` that stands otherwise in `formatted`.
fn first_difference(file: FileId, text: &str, formatted: &str) -> Span {
    let mut start = 0;
    let mut others = formatted.split_inclusive('\n');
    for line in text.split_inclusive('\n') {
        if others.next() != Some(line) {
            return Span::new(file, start, start + line.trim_end().len());
        }
        start += line.len();
    }
    Span::new(file, start, start)
}

/// All of the new text or none of it: written beside the file and moved over it.
fn replace(path: &Path, text: &str) -> io::Result<()> {
    // A link stays a link: the file behind it is written.
    let path = &std::fs::canonicalize(path)?;
    if std::fs::metadata(path)?.permissions().readonly() {
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, "it may only be read"));
    }
    let mut beside = path.as_os_str().to_owned();
    beside.push(".hoyle-fmt");
    let beside = PathBuf::from(beside);
    let written = std::fs::write(&beside, text)
        .and_then(|()| std::fs::set_permissions(&beside, std::fs::metadata(path)?.permissions()))
        .and_then(|()| std::fs::rename(&beside, path));
    if written.is_err() {
        // The file itself is untouched; what lies beside it is of no use to anybody.
        let _ = std::fs::remove_file(&beside);
    }
    written
}
