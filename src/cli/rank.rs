//! `hoyle rank`: hands in order, and why.

use std::io;

use clap::{Args, ValueEnum};
use serde_json::{Value, json};

use super::asked::Asked;
use super::{Exit, Streams, faults};
use crate::conformance::inventory::Inventory;
use crate::rules::{Between, Hand, Provenance, Ranked, Rulebook, Why};

/// Put hands in order under a rulebook or a house, and say why.
#[derive(Debug, Args)]
pub(super) struct Rank {
    #[command(flatten)]
    asked: Asked,
    /// Hands, each in quotes: `"Ah Kh Qh Jh Th"`, `"10s 9s 8s 7s Jk"`, `"ace of hearts, …"`; `Jk=Kh` is a joker called the king of hearts.
    #[arg(value_name = "HAND", required = true, num_args = 1..)]
    hands: Vec<String>,
    /// Which ranking, if the rulebook has several.
    #[arg(long, value_name = "RANKING")]
    ranking: Option<String>,
    /// The hands need not come from one pack.
    #[arg(long)]
    separate: bool,
    /// How to answer.
    #[arg(long, value_enum, default_value_t = Written::Human)]
    format: Written,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Written {
    Human,
    Json,
}

impl Rank {
    pub(super) fn run(&self, streams: &mut Streams<'_>) -> io::Result<Exit> {
        let (mut catalog, loaded) = self.asked.load();
        let rulebook = match loaded {
            Ok(rulebook) => rulebook,
            Err(found) => return faults::write(&found, catalog.sources(), streams),
        };
        let hands: Vec<Hand> = (self.hands.iter().enumerate())
            .map(|(at, text)| {
                let label = format!("hand {}", at + 1);
                Hand { file: catalog.add_text(label.clone(), text.clone()), label, text: text.clone(), start: 0 }
            })
            .collect();
        let ranked = match rulebook.rank(self.ranking.as_deref(), &hands, self.separate) {
            Ok(ranked) => ranked,
            Err(found) => return faults::write(&found, catalog.sources(), streams),
        };
        match self.format {
            Written::Human => human(&rulebook, &ranked, streams)?,
            Written::Json => json_report(&rulebook, &ranked, streams)?,
        }
        Ok(Exit::Good)
    }
}

/// How wide reasons are.
pub(super) const WIDTH: usize = 130;

/// The settings that are not the book's own, in words: `joker = mistigris, limit = 20`.
pub(super) fn settings(rulebook: &Rulebook) -> String {
    let changed = rulebook.settings.iter().filter(|setting| !setting.is_default);
    changed.map(|setting| format!("{} = {}", setting.name, setting.value)).collect::<Vec<_>>().join(", ")
}

/// `foster-draw, joker = mistigris: Draw poker, after Foster`
pub(super) fn heading(rulebook: &Rulebook) -> String {
    let settings = settings(rulebook);
    let comma = if settings.is_empty() { "" } else { ", " };
    format!("{}{comma}{settings}: {}", rulebook.name, rulebook.title)
}

fn human(rulebook: &Rulebook, ranked: &Ranked, streams: &mut Streams<'_>) -> io::Result<()> {
    let inventory = Inventory::embedded();
    let out = &mut streams.out;
    writeln!(out, "{}\n", heading(rulebook))?;
    let cards = |hand: usize| ranked.hands.get(hand).map_or(String::new(), |hand| written(rulebook, hand));
    let width = (0..ranked.hands.len()).map(|hand| cards(hand).chars().count()).max().unwrap_or(0);
    let mut place = 1;
    for hands in &ranked.order {
        for hand in hands {
            let Some(ranked_hand) = ranked.hands.get(*hand) else { continue };
            let keys = if ranked_hand.keys.is_empty() { String::new() } else { format!(": {}", ranked_hand.keys) };
            write!(out, "{place:>3}. {:<width$}  {}{keys}", cards(*hand), ranked_hand.class_name)?;
            for (wild, meaning) in &ranked_hand.meanings {
                write!(out, "; {wild} stands for {meaning}")?;
            }
            writeln!(out)?;
            let next = ranked.between.iter().find(|between| between.better == *hand);
            if let Some(between) = next {
                reason(between, ranked, &inventory, *out)?;
            }
        }
        place += hands.len();
    }
    Ok(())
}

/// The cards as the pack writes them, and what the holder called them.
fn written(rulebook: &Rulebook, hand: &crate::rules::RankedHand) -> String {
    let text = |piece: crate::ranking::PieceId| {
        rulebook.packs.iter().find_map(|pack| pack.deck.pieces.get(usize::from(piece))).map_or("", |piece| piece.text.as_str())
    };
    let cards = hand.cards.iter().map(|held| match held.called {
        Some(called) => format!("{}={}", text(held.piece), text(called)),
        None => text(held.piece).to_owned(),
    });
    cards.collect::<Vec<_>>().join(" ")
}

/// Why one hand beats the next, and every sentence of a book that this rests on.
fn reason(between: &Between, ranked: &Ranked, inventory: &Inventory, out: &mut dyn io::Write) -> io::Result<()> {
    let class = || ranked.hands.get(between.better).map_or("", |hand| hand.class_name.as_str());
    let (words, from): (String, Vec<&Provenance>) = match &between.why {
        Why::Class(edges) => {
            let first = edges.first().map_or("", |edge| edge.above.as_str());
            let chain: String = edges.iter().map(|edge| format!(" beats {}", edge.below)).collect();
            (format!("{first}{chain}"), edges.iter().map(|edge| &edge.from).collect())
        }
        Why::Key { ties, name, low, better, worse, .. } => {
            let low = if *low { ", where the lower wins" } else { "" };
            (format!("by {name} in {}{low}: {better} against {worse}", class()), ties.iter().collect())
        }
        // Nothing decided, so no sentence did: the line that was tried is named, not quoted.
        Why::Level { ties } => {
            let line = ties.as_ref().map_or(String::new(), |from| format!(" ({})", named(from)));
            (format!("level: every key of {} is equal{line}", class()), Vec::new())
        }
    };
    writeln!(out, "       {words}")?;
    let mut said: Vec<String> = Vec::new();
    for from in from {
        for line in sources(from, inventory) {
            if !said.contains(&line) {
                said.push(line);
            }
        }
    }
    for line in said {
        let options = textwrap::Options::new(WIDTH).initial_indent("         ").subsequent_indent("           ").break_words(false);
        writeln!(out, "{}", textwrap::fill(&line, options))?;
    }
    Ok(())
}

/// `text foster.rank.order, foster.rank.full`
fn named(from: &Provenance) -> String {
    let cites: Vec<&str> = from.cites.iter().map(|citation| citation.id.as_str()).collect();
    let cites = if cites.is_empty() { from.layer.clone() } else { cites.join(", ") };
    format!("{} {cites}", from.mark.word())
}

/// `[text] foster.rank.order (Foster, Rank of the Hands, para 1): what it says`, a line for each statement; our reason first where there is one.
pub(super) fn sources(from: &Provenance, inventory: &Inventory) -> Vec<String> {
    let mark = from.mark.word();
    let mut lines: Vec<String> = from.inferred.iter().map(|why| format!("[{mark}] {why}")).collect();
    if from.cites.is_empty() && from.inferred.is_empty() {
        lines.push(format!("[{mark}] {}", from.layer));
    }
    for citation in &from.cites {
        // What an inference cites is the sentence nearest to the gap.
        let word = if from.inferred.is_empty() { format!("[{mark}] ") } else { "beside ".to_owned() };
        lines.push(match inventory.statement(&citation.id) {
            Some(statement) => {
                format!("{word}{} ({}): {}", citation.id, statement.cited(), statement.says.split_whitespace().collect::<Vec<_>>().join(" "))
            }
            None => format!("{word}{}", citation.id),
        });
    }
    lines
}

fn json_report(rulebook: &Rulebook, ranked: &Ranked, streams: &mut Streams<'_>) -> io::Result<()> {
    let hands: Vec<Value> = (ranked.hands.iter())
        .map(|hand| {
            let meanings: Vec<Value> = hand.meanings.iter().map(|(wild, meaning)| json!({"card": wild, "stands-for": meaning})).collect();
            json!({"hand": written(rulebook, hand), "class": hand.class_name, "keys": hand.keys, "meanings": meanings})
        })
        .collect();
    let order: Vec<Vec<usize>> = ranked.order.iter().map(|level| level.iter().map(|hand| hand + 1).collect()).collect();
    let between: Vec<Value> =
        ranked.between.iter().map(|between| json!({"better": between.better + 1, "worse": between.worse + 1, "why": why(&between.why)})).collect();
    let object = json!({
        "rulebook": rulebook.name,
        "settings": rulebook.settings.iter().map(|setting| (setting.name.clone(), Value::from(setting.value.clone()))).collect::<serde_json::Map<_, _>>(),
        "ranking": ranked.ranking,
        "hands": hands,
        "order": order,
        "between": between,
    });
    serde_json::to_writer_pretty(&mut *streams.out, &object)?;
    writeln!(streams.out)
}

fn why(why: &Why) -> Value {
    let from = |from: &Provenance| {
        let cites: Vec<&str> = from.cites.iter().map(|citation| citation.id.as_str()).collect();
        json!({"cites": cites, "inferred": from.inferred, "mark": from.mark.word(), "layer": from.layer})
    };
    match why {
        Why::Class(edges) => {
            let edges: Vec<Value> = edges.iter().map(|edge| json!({"above": edge.above, "below": edge.below, "from": from(&edge.from)})).collect();
            json!({"by": "class", "edges": edges})
        }
        Why::Key { ties, name, low, better, worse, .. } => {
            json!({"by": "key", "key": name, "lower-wins": low, "better": better, "worse": worse, "from": ties.as_ref().map(from)})
        }
        Why::Level { ties } => json!({"by": "level", "from": ties.as_ref().map(from)}),
    }
}
