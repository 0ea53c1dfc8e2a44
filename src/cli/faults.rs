//! Prints faults, in plain text.

use std::io::{self, Write};

use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::source::{Sources, Span};

use super::Exit;

/// Writes each fault with its place underlined, and says how a command with such faults ends: [`Exit::Good`] if they are only warnings.
pub(super) fn write(faults: &[Diagnostic], sources: &Sources, err: &mut dyn Write) -> io::Result<Exit> {
    for fault in faults {
        let severity = match fault.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        writeln!(err, "{severity}[{}]: {}", fault.code.text(), fault.message)?;
        for label in &fault.labels {
            place(label.span, &label.text, sources, err)?;
        }
        for help in &fault.help {
            writeln!(err, "  = help: {help}")?;
        }
        writeln!(err)?;
    }
    let broken = |fault: &&Diagnostic| matches!(fault.code, Code::CannotRead | Code::CannotWrite);
    Ok(match (faults.iter().any(|fault| broken(&fault)), faults.iter().any(Diagnostic::is_error)) {
        (true, _) => Exit::Infrastructure,
        (false, true) => Exit::Usage,
        (false, false) => Exit::Good,
    })
}

/// File, line and column, the line, and what is meant in it.
fn place(span: Span, text: &str, sources: &Sources, err: &mut dyn Write) -> io::Result<()> {
    let (line, column) = sources.line_column(span.file, span.start);
    let shown = sources.text(span.file).lines().nth(line - 1).unwrap_or("");
    let room = shown.chars().count().saturating_sub(column - 1);
    let width = sources.snippet(span).lines().next().unwrap_or("").chars().count().clamp(1, room.max(1));
    let number = line.to_string();
    let margin = " ".repeat(number.len());
    writeln!(err, "{margin}--> {}:{line}:{column}", sources.name(span.file))?;
    writeln!(err, "{number} | {shown}")?;
    let line = format!("{margin} | {}{} {text}", " ".repeat(column - 1), "^".repeat(width));
    writeln!(err, "{}", line.trim_end())
}
