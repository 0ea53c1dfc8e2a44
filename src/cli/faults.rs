//! Prints faults.

use std::io;

use crate::diagnostic::{Code, Diagnostic, render};
use crate::source::Sources;

use super::{Exit, Streams};

/// Writes each fault with its place underlined, and says how a command with such faults ends: [`Exit::Good`] if they are only warnings.
pub(super) fn write(faults: &[Diagnostic], sources: &Sources, streams: &mut Streams<'_>) -> io::Result<Exit> {
    if faults.is_empty() {
        return Ok(Exit::Good);
    }
    let text = if streams.colour { render::colour(faults, sources) } else { render::plain(faults, sources) };
    write!(streams.err, "{text}")?;
    let broken = faults.iter().any(|fault| matches!(fault.code, Code::CannotRead | Code::CannotWrite));
    Ok(match (broken, faults.iter().any(Diagnostic::is_error)) {
        (true, _) => Exit::Infrastructure,
        (false, true) => Exit::Usage,
        (false, false) => Exit::Good,
    })
}
