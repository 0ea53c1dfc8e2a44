//! The command `hoyle`. What it does is in [`hoyle::cli`].

use std::io::{BufWriter, IsTerminal, Write, stderr, stdout};
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut out = BufWriter::new(stdout().lock());
    let mut err = stderr();
    let terminal = stderr().is_terminal();
    // Only where nothing that is written goes into a file or a pipe. https://no-color.org
    let colour = terminal && stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    let mut streams = hoyle::cli::Streams { out: &mut out, err: &mut err, terminal, colour };
    let exit = hoyle::cli::run(std::env::args_os(), &mut streams, &hoyle::cli::World::default());
    // Already flushed, or the reader has gone.
    let _ = out.flush();
    exit.into()
}
