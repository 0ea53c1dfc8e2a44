//! `hoyle deal`: a record at random, which `hoyle play` replays to the same end.

use std::io;

use clap::{Args, ValueEnum};
use serde_json::json;

use super::asked::{Asked, table};
use super::rank::settings;
use super::telling::Teller;
use super::{Exit, Streams, faults};
use crate::conformance::inventory::Inventory;
use crate::diagnostic::{Code, Diagnostic};
use crate::engine::random::{Dice, Manner, Played, play, roles};
use crate::engine::{Game, Setup, Words, opening};
use crate::rules::Rulebook;
use crate::source::{FileId, Span};
use crate::syntax::sheet::Sheet;
use crate::syntax::tree::{At, Name};

/// Deal and play at random, and print the record.
#[derive(Debug, Args)]
pub(super) struct Deal {
    #[command(flatten)]
    asked: Asked,
    /// The same number gives the same record everywhere.
    #[arg(long, value_name = "N")]
    seed: u64,
    /// How many sit, where the rulebook leaves it open.
    #[arg(long, value_name = "N")]
    seats: Option<u8>,
    /// The procedure that play starts with, where there are several.
    #[arg(long, value_name = "PROCEDURE")]
    start: Option<String>,
    /// Of a hundred choices that could be irregular, so many are.
    #[arg(long, value_name = "PERCENT", default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=100))]
    irregular: u32,
    /// After so many acts the record breaks off.
    #[arg(long, value_name = "ACTS", default_value_t = 2000)]
    most: usize,
    /// How to answer.
    #[arg(long, value_enum, default_value_t = Written::Text)]
    format: Written,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Written {
    Text,
    Json,
}

impl Deal {
    pub(super) fn run(&self, streams: &mut Streams<'_>) -> io::Result<Exit> {
        let (catalog, loaded) = self.asked.load();
        let ready = loaded.and_then(|rulebook| Ok((Game::new(table(&rulebook)?.clone()), rulebook)));
        let (game, rulebook) = match ready {
            Ok(ready) => ready,
            Err(found) => return faults::write(&found, catalog.sources(), streams),
        };
        let words = Words::new(&rulebook, &game.program);
        let mut setup = match opening(&words, &self.sheet()) {
            Ok((setup, _)) => setup,
            Err(found) => return faults::write(&placeless(found), catalog.sources(), streams),
        };
        let mut dice = Dice::new(self.seed);
        let roles = roles(&words, setup.seats, &mut dice);
        setup.roles = roles.iter().map(|(role, _, value)| (*role, value.clone())).collect();
        let manner = Manner { irregular: self.irregular, most: self.most };
        let played = match play(&game, &setup, &mut dice, manner) {
            Ok(played) => played,
            Err(_) => {
                let fault = Diagnostic::without_place(Code::ImpossibleDeed, "the rulebook asks for what cannot be, so nothing can be chosen");
                return faults::write(&[fault], catalog.sources(), streams);
            }
        };
        let mut lines = self.header(&rulebook, &setup);
        lines.extend(roles.into_iter().map(|(_, line, _)| line));
        lines.extend(played.lines.iter().map(|line| line.in_words(&words)));
        let teller = Teller { game: &game, words, sources: catalog.sources(), inventory: Inventory::embedded(), told: Default::default() };
        self.write(&teller, &rulebook, &lines, &played, streams)?;
        Ok(Exit::Good)
    }

    /// What the record says before the first act.
    fn sheet(&self) -> Sheet {
        let nowhere = Span::new(FileId(u32::MAX), 0, 0);
        let seats = self.seats.map(|seats| At::new(i64::from(seats), nowhere));
        let start = self.start.as_ref().map(|start| (Name::new(start.clone(), nowhere), Vec::new()));
        Sheet { seats, start, ..Sheet::default() }
    }

    fn header(&self, rulebook: &Rulebook, setup: &Setup) -> Vec<String> {
        let changed = settings(rulebook);
        let under = if changed.is_empty() { String::new() } else { format!(" ({changed})") };
        let irregular = if self.irregular > 0 { format!(" --irregular {}", self.irregular) } else { String::new() };
        let mut lines = vec![
            format!("# hoyle deal {} --seed {}{irregular}{under}", rulebook.name, self.seed),
            format!("rulebook {}", rulebook.chain.first().unwrap_or(&rulebook.name)),
        ];
        lines.extend(self.asked.in_record());
        lines.push(format!("seats {}", setup.seats));
        lines.extend(self.start.as_ref().map(|start| format!("start {start}")));
        lines
    }

    fn write(&self, teller: &Teller<'_>, rulebook: &Rulebook, lines: &[String], played: &Played, streams: &mut Streams<'_>) -> io::Result<()> {
        let out = &mut *streams.out;
        if let Written::Json = self.format {
            let end: std::collections::BTreeMap<String, i64> = teller.counters(&played.state).into_iter().collect();
            let object = json!({"rulebook": rulebook.name, "seed": self.seed, "record": lines, "counters": end});
            serde_json::to_writer_pretty(&mut *out, &object)?;
            return writeln!(out);
        }
        for line in lines {
            writeln!(out, "{line}")?;
        }
        let mut end = Vec::new();
        teller.standing(&played.state, &mut end)?;
        String::from_utf8_lossy(&end).lines().try_for_each(|line| writeln!(out, "# {line}"))
    }
}

/// Places that are in no file.
fn placeless(mut faults: Vec<Diagnostic>) -> Vec<Diagnostic> {
    for fault in &mut faults {
        fault.labels.clear();
        // The advice speaks of a record; here it is an argument.
        for help in &mut fault.help {
            *help = help.replace("add a line such as `seats ", "say `--seats ").replace("` at its beginning", "`");
            *help = help.replace("say which at the beginning of the record: `start ", "say which: `--start ");
        }
        fault.message = fault.message.replace("the record does not say how many sit", "it is not said how many sit");
    }
    faults
}
