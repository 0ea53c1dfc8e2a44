//! The command line: what was asked, and where the answer goes. No rules are in here.
//!
//! One file for each subcommand. Output goes to the writers that are passed in, so a test sees what a user sees.

mod faults;
mod test;
mod cover;
mod mutate;
mod asked;
mod check;
mod fmt;
mod list;
mod gaps;
mod rank;
mod odds;
mod record;
mod telling;
mod position;
mod play;
mod deal;

use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::conformance::cover::Elements;
use crate::conformance::mutate::Books;
use crate::conformance::{Implementation, books, elements, reference};

/// The rules of the card table, made executable.
#[derive(Debug, Parser)]
#[command(name = "hoyle", version, arg_required_else_help = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Check(check::Check),
    Fmt(fmt::Fmt),
    List(list::List),
    Gaps(gaps::AskGaps),
    Rank(rank::Rank),
    Odds(odds::Odds),
    Play(play::Play),
    Deal(deal::Deal),
    Test(test::Test),
    Cover(cover::Cover),
    Mutate(mutate::Mutate),
}

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// All is as expected.
    Good,
    /// Something differs from what was expected.
    Differs,
    /// The command, or a file that it names, cannot be understood; or nothing was run.
    Usage,
    /// A file cannot be read or written, and the like.
    Infrastructure,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(match exit {
            Exit::Good => 0_u8,
            Exit::Differs => 1,
            Exit::Usage => 2,
            Exit::Infrastructure => 3,
        })
    }
}

/// Where a command writes.
pub struct Streams<'s> {
    pub out: &'s mut dyn Write,
    pub err: &'s mut dyn Write,
    /// Somebody is watching `err`: progress may be shown.
    pub terminal: bool,
    /// Complaints may be coloured.
    pub colour: bool,
}

impl std::fmt::Debug for Streams<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Streams").field("terminal", &self.terminal).finish_non_exhaustive()
    }
}

/// What commands are run on. Tests put fakes here.
#[derive(Clone, Copy, Debug)]
pub struct World {
    pub reference: fn() -> Box<dyn Implementation>,
    pub elements: fn() -> Box<dyn Elements>,
    pub books: fn() -> Box<dyn Books>,
}

impl Default for World {
    fn default() -> World {
        World { reference, elements, books }
    }
}

/// Runs one command. `arguments` begins with the name of the program.
pub fn run<A: Into<OsString> + Clone>(arguments: impl IntoIterator<Item = A>, streams: &mut Streams<'_>, world: &World) -> Exit {
    let result = match Arguments::try_parse_from(arguments) {
        Ok(arguments) => match arguments.command {
            Command::Check(check) => check.run(streams),
            Command::Fmt(fmt) => fmt.run(streams),
            Command::List(list) => list.run(streams),
            Command::Gaps(gaps) => gaps.run(streams),
            Command::Rank(rank) => rank.run(streams),
            Command::Odds(odds) => odds.run(streams),
            Command::Play(play) => play.run(streams),
            Command::Deal(deal) => deal.run(streams),
            Command::Test(test) => test.run(streams, world),
            Command::Cover(cover) => cover.run(streams, world),
            Command::Mutate(mutate) => mutate.run(streams, world),
        },
        Err(error) => usage(&error, streams),
    };
    ended(result, streams)
}

/// What clap has to say: help and version are answers, anything else is a misunderstanding.
fn usage(error: &clap::Error, streams: &mut Streams<'_>) -> io::Result<Exit> {
    let text = error.render();
    if error.use_stderr() {
        write!(streams.err, "{text}")?;
        return Ok(Exit::Usage);
    }
    write!(streams.out, "{text}")?;
    Ok(Exit::Good)
}

/// A reader that has seen enough (`hoyle test | head`) is no fault; any other trouble with writing is.
fn ended(result: io::Result<Exit>, streams: &mut Streams<'_>) -> Exit {
    let exit = result.as_ref().ok().copied().unwrap_or(Exit::Good);
    match result.and_then(|_| streams.out.flush()) {
        Ok(()) => exit,
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => exit,
        Err(error) => {
            // If this cannot be written either, the exit code still tells.
            let _ = writeln!(streams.err, "error[cannot-write]: the output cannot be written: {error}");
            Exit::Infrastructure
        }
    }
}
