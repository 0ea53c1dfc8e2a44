//! `hoyle play`: a record played out, with the reason of everything that happened.

use std::io;

use clap::{Args, ValueEnum};
use serde_json::{Value, json};

use super::asked::{Asked, table};
use super::rank::heading;
use super::record::{read_record, same_rulebook, under};
use super::telling::Teller;
use super::{Exit, Streams, faults};
use crate::conformance::inventory::Inventory;
use crate::diagnostic::{Code, Diagnostic};
use crate::engine::happened::Happened;
use crate::engine::replay::{Deed, Item, Played, Step, replay};
use crate::engine::{self, Game, Words};
use crate::rules::Rulebook;

/// Play a record: what happened at each act, the rules on which it rests, and who may do what next.
#[derive(Debug, Args)]
pub(super) struct Play {
    #[command(flatten)]
    asked: Asked,
    /// A record: a file, `-` for standard input, or a case of kind play (`FILE.yaml:ID`) whose acts are the rulebook's own.
    #[arg(value_name = "RECORD")]
    record: String,
    /// Show the whole position behind this item (0: before the first).
    #[arg(long, value_name = "N")]
    at: Option<usize>,
    /// Tell only what happened from this item on.
    #[arg(long, value_name = "N", conflicts_with = "at")]
    from: Option<usize>,
    /// What happens with an act that is possible and not regular.
    #[arg(long, value_enum, default_value_t = Mode::Adjudicate)]
    mode: Mode,
    /// How to answer.
    #[arg(long, value_enum, default_value_t = Written::Human)]
    format: Written,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Mode {
    /// It is refused.
    Prevent,
    /// It stands, and is ruled on.
    Adjudicate,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Written {
    Human,
    Json,
}

impl Play {
    pub(super) fn run(&self, streams: &mut Streams<'_>) -> io::Result<Exit> {
        let (mut catalog, selection) = self.asked.selection();
        let sheet = match read_record(&mut catalog, &self.record) {
            Ok(sheet) => sheet,
            Err(found) => return faults::write(&found, catalog.sources(), streams),
        };
        let selection = selection.and_then(|selection| under(&self.asked, &catalog, &sheet, selection));
        let loaded = self.asked.load_from(&catalog, selection);
        let ready = loaded.and_then(|rulebook| same_rulebook(&sheet, &rulebook.chain).map(|()| rulebook));
        let ready = ready.and_then(|rulebook| Ok((Game::new(table(&rulebook)?.clone()), rulebook)));
        let (game, rulebook) = match ready {
            Ok(ready) => ready,
            Err(found) => return faults::write(&found, catalog.sources(), streams),
        };
        let words = Words::new(&rulebook, &game.program);
        let mode = match self.mode {
            Mode::Prevent => engine::Mode::Prevent,
            Mode::Adjudicate => engine::Mode::Adjudicate,
        };
        let mut played = replay(&game, &words, &sheet, mode);
        if let Some(at) = self.at.filter(|at| *at > sheet.items.len()) {
            let message = format!("the record has {} items, and none with the number {at}", sheet.items.len());
            played.faults.push(Diagnostic::without_place(Code::Usage, message));
        }
        let teller = Teller { game: &game, words, sources: catalog.sources(), inventory: Inventory::embedded(), told: Default::default() };
        match self.format {
            Written::Human => self.human(&teller, &rulebook, &played, streams)?,
            Written::Json => self.json(&teller, &rulebook, &played, streams)?,
        }
        streams.out.flush()?;
        faults::write(&played.faults, catalog.sources(), streams)
    }

    fn human(&self, teller: &Teller<'_>, rulebook: &Rulebook, played: &Played, streams: &mut Streams<'_>) -> io::Result<()> {
        let out = &mut *streams.out;
        let Some(last) = played.steps.last() else { return Ok(()) };
        if let Some(at) = self.at {
            if let Some(step) = played.steps.iter().find(|step| number(step) == Some(at)) {
                writeln!(out, "{}, behind item {at}\n", heading(rulebook))?;
                return teller.position(&step.state, out);
            }
            return Ok(());
        }
        writeln!(out, "{}\n", heading(rulebook))?;
        let from = self.from.unwrap_or(0);
        // What is done by default at the end stands behind the last item.
        for step in played.steps.iter().filter(|step| number(step).is_none_or(|number| number >= from)) {
            teller.step(number(step).filter(|number| *number > 0), step, out)?;
        }
        writeln!(out)?;
        teller.standing(&last.state, out)
    }

    fn json(&self, teller: &Teller<'_>, rulebook: &Rulebook, played: &Played, streams: &mut Streams<'_>) -> io::Result<()> {
        let steps: Vec<Value> = played.steps.iter().map(|step| step_object(teller, step)).collect();
        let end = played.steps.last().map(|step| teller.counters(&step.state).into_iter().collect::<std::collections::BTreeMap<_, _>>());
        let faults: Vec<Value> = played.faults.iter().map(|fault| json!({"code": fault.code.text(), "message": fault.message})).collect();
        let object = json!({"rulebook": rulebook.name, "steps": steps, "counters": end, "faults": faults});
        serde_json::to_writer_pretty(&mut *streams.out, &object)?;
        writeln!(streams.out)
    }
}

/// The number of a step's item; 0 at the opening.
fn number(step: &Step) -> Option<usize> {
    match step.what {
        Item::Opening => Some(0),
        Item::Number(number, _) => Some(number),
        Item::End => None,
    }
}

fn step_object(teller: &Teller<'_>, step: &Step) -> Value {
    let words = &teller.words;
    let happened = Happened::of_step(words, step);
    let logged =
        |all: &[crate::engine::happened::Logged]| -> Vec<String> { all.iter().map(|one| words.act(one.name, one.by, &one.arguments)).collect() };
    let by_default = step.before.iter().filter_map(|done| match &done.deed {
        Deed::Act { name, by, arguments } => Some(words.act(*name, *by, arguments)),
        Deed::Began | Deed::Undone { .. } | Deed::Paused | Deed::Agreed { .. } => None,
    });
    let moves: Vec<Value> = (happened.moves.iter())
        .map(|moved| json!({"pieces": words.pieces(&moved.pieces), "from": teller.place(moved.from), "to": teller.place(moved.to)}))
        .collect();
    let rulings: Vec<Value> = happened.rulings.iter().map(|ruling| teller.ruling_object(ruling)).collect();
    json!({
        "item": number(step),
        "by-default": by_default.collect::<Vec<_>>(),
        "acts": logged(&happened.acts),
        "signals": logged(&happened.signals),
        "breaches": logged(&happened.breaches),
        "refused": step.refused.as_ref().map(|refusal| words.act(refusal.name, refusal.by, &refusal.arguments)),
        "moves": moves,
        "rulings": rulings,
        "waiting": engine::waiting(teller.game, &step.state).map(|mask| engine::seats_of(mask).map(|seat| engine::letter(seat).to_string()).collect::<Vec<_>>()).unwrap_or_default(),
    })
}
