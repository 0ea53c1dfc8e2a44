//! `hoyle odds`: how many hands are of each class, exactly, and the books' own figures recomputed.

use std::io;

use clap::{Args, ValueEnum};
use serde_json::{Value, json};

use super::asked::Asked;
use super::rank::heading;
use super::{Exit, Streams, faults};
use crate::conformance::inventory::Inventory;
use crate::diagnostic::{Code, Diagnostic};
use crate::ranking::{Counted, TooMany};
use crate::rules::{Agreement, Exact, Figure, Rulebook, RuledRanking};

/// Count the hands of every class exactly, and give the odds against being dealt one.
#[derive(Debug, Args)]
pub(super) struct Odds {
    #[command(flatten)]
    asked: Asked,
    /// Which ranking, if the rulebook has several.
    #[arg(long, value_name = "RANKING")]
    ranking: Option<String>,
    /// Recompute the figures that the book prints.
    #[arg(long)]
    claims: bool,
    /// How to answer.
    #[arg(long, value_enum, default_value_t = Written::Human)]
    format: Written,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Written {
    Human,
    Json,
}

impl Odds {
    pub(super) fn run(&self, streams: &mut Streams<'_>) -> io::Result<Exit> {
        if self.claims {
            return self.claims(streams);
        }
        let (catalog, loaded) = self.asked.load();
        let rulebook = match loaded {
            Ok(rulebook) => rulebook,
            Err(found) => return faults::write(&found, catalog.sources(), streams),
        };
        let Some(ruled) = rulebook.ranking(self.ranking.as_deref()) else {
            let fault = rulebook.no_ranking(self.ranking.as_deref());
            return faults::write(&[fault], catalog.sources(), streams);
        };
        if streams.terminal && ruled.model.compile().is_err() {
            writeln!(streams.err, "every hand is looked at one by one, which may take a minute")?;
        }
        let classes = match ruled.model.count_classes() {
            Ok(classes) => classes,
            Err(TooMany(hands)) => {
                let fault = Diagnostic::without_place(
                    Code::OutOfRange,
                    format!("`{}` would have to read its hands in {hands} ways, one by one, and that is too many", rulebook.name),
                );
                return faults::write(
                    &[fault.with_help("`hoyle check` names what makes a ranking slow; one that is not slow is counted in a moment")],
                    catalog.sources(),
                    streams,
                );
            }
        };
        match self.format {
            Written::Human => human(&rulebook, ruled, &classes, streams)?,
            Written::Json => report(&rulebook, ruled, &classes, streams)?,
        }
        Ok(Exit::Good)
    }
}

impl Odds {
    /// The book's figures beside the exact ones.
    fn claims(&self, streams: &mut Streams<'_>) -> io::Result<Exit> {
        let (catalog, selection) = self.asked.selection();
        let figures = match selection.and_then(|selection| catalog.figures(&selection)) {
            Ok(figures) => figures,
            Err(found) => return faults::write(&found, catalog.sources(), streams),
        };
        match self.format {
            Written::Human if figures.is_empty() => writeln!(streams.out, "`{}` declares no claim", self.asked.rulebook)?,
            Written::Human => claims_table(&figures, streams)?,
            Written::Json => {
                let rows: Vec<Value> = figures.iter().map(claim_row).collect();
                serde_json::to_writer_pretty(&mut *streams.out, &rows)?;
                writeln!(streams.out)?;
            }
        }
        Ok(Exit::Good)
    }
}

fn printed(figure: &Figure) -> String {
    match figure.printed {
        (count, None) => count.to_string(),
        (of, Some(to)) => format!("{of} to {to}"),
    }
}

fn exact(exact: Exact) -> String {
    match exact {
        Exact::Against { without, with } => format!("{} ({with} hands)", ratio(without, with)),
        Exact::Proportion { one, other } => format!("{} ({one} to {other} hands)", ratio(one, other)),
        Exact::Count { hands, of } => format!("{hands} of {of}"),
    }
}

fn statement(figure: &Figure) -> &str {
    figure.from.cites.first().map_or("", |citation| citation.id.as_str())
}

fn claims_table(figures: &[Figure], streams: &mut Streams<'_>) -> io::Result<()> {
    let inventory = Inventory::embedded();
    let heads = ["statement", "the book", "exactly", ""];
    let mut rows: Vec<[String; 4]> = vec![heads.map(str::to_owned)];
    rows.extend(
        figures.iter().map(|figure| [statement(figure).to_owned(), printed(figure), exact(figure.exact), figure.agreement.word().to_owned()]),
    );
    let width = |column: usize| rows.iter().filter_map(|row| row.get(column)).map(|text| text.chars().count()).max().unwrap_or(0);
    let (first, second, third) = (width(0), width(1), width(2));
    for (number, [id, book, exact, agreement]) in rows.iter().enumerate() {
        let line = format!("{id:<first$}  {book:<second$}  {exact:<third$}  {agreement}");
        writeln!(streams.out, "{}", line.trim_end())?;
        let Some(figure) = number.checked_sub(1).and_then(|at| figures.get(at)) else { continue };
        if !figure.under.is_empty() {
            writeln!(streams.out, "    under {}", figure.under)?;
        }
        if let Some(reading) = &figure.reading {
            writeln!(streams.out, "    read as: {reading}")?;
        }
        if figure.agreement == Agreement::Disagrees
            && let Some(known) = inventory.statement(id).and_then(|statement| statement.reading)
        {
            writeln!(streams.out, "    on the book's number: {}", known.split_whitespace().collect::<Vec<_>>().join(" "))?;
        }
    }
    let count = |agreement: Agreement| figures.iter().filter(|figure| figure.agreement == agreement).count();
    let (agree, round, differ) = (count(Agreement::Agrees), count(Agreement::Rounding), count(Agreement::Disagrees));
    writeln!(streams.out, "\n{agree} agree, {round} by rounding, {differ} disagree")
}

fn claim_row(figure: &Figure) -> Value {
    let exact = match figure.exact {
        Exact::Against { without, with } => json!({"without": without, "with": with}),
        Exact::Proportion { one, other } => json!({"one": one, "other": other}),
        Exact::Count { hands, of } => json!({"hands": hands, "of": of}),
    };
    json!({
        "statement": statement(figure),
        "printed": printed(figure),
        "exact": exact,
        "agreement": figure.agreement.word(),
        "reading": figure.reading,
        "under": figure.under,
    })
}

/// `4164 to 1`, `1.37 to 1`, `never`: hands without to hands with, rounded to two places, and exact where it says `exactly`.
pub(super) fn against(counted: Counted) -> String {
    ratio(counted.of.saturating_sub(counted.fitting), counted.fitting)
}

/// `12 to 1 exactly`, `3.94 to 1`
pub(super) fn ratio(of: u64, to: u64) -> String {
    match (u128::from(of), u128::from(to)) {
        (_, 0) => "never".to_owned(),
        (of, to) if of % to == 0 => format!("{} to 1 exactly", of / to),
        (of, to) => {
            // Rounded to the nearest hundredth, in whole numbers.
            let hundredths = (of * 200 + to) / (to * 2);
            format!("{}.{:02} to 1", hundredths / 100, hundredths % 100)
        }
    }
}

fn human(rulebook: &Rulebook, ruled: &RuledRanking, classes: &[Counted], streams: &mut Streams<'_>) -> io::Result<()> {
    let out = &mut streams.out;
    let model = &ruled.model;
    let size = model.sizes.end();
    let total = classes.first().map_or(0, |counted| counted.of);
    writeln!(out, "{}\n", heading(rulebook))?;
    writeln!(out, "{total} hands of {size} out of {} pieces\n", model.deck.total())?;
    let width = model.classes.iter().map(|class| class.name.chars().count()).max().unwrap_or(0).max("class".len());
    writeln!(out, "{:<width$}  {:>10}  odds against", "class", "hands")?;
    for (class, counted) in model.classes.iter().zip(classes) {
        writeln!(out, "{:<width$}  {:>10}  {}", class.name, counted.fitting, against(*counted))?;
    }
    let ranked: u64 = classes.iter().map(|counted| counted.fitting).sum();
    if ranked < total {
        writeln!(out, "{:<width$}  {:>10}", "(no class)", total - ranked)?;
    }
    Ok(())
}

fn report(rulebook: &Rulebook, ruled: &RuledRanking, classes: &[Counted], streams: &mut Streams<'_>) -> io::Result<()> {
    let model = &ruled.model;
    let rows: Vec<Value> = model.classes.iter().zip(classes).map(|(class, counted)| json!({"class": class.name, "hands": counted.fitting})).collect();
    let object = json!({
        "rulebook": rulebook.name,
        "settings": rulebook.settings.iter().map(|setting| (setting.name.clone(), Value::from(setting.value.clone()))).collect::<serde_json::Map<_, _>>(),
        "ranking": ruled.name,
        "pieces": model.deck.total(),
        "size": model.sizes.end(),
        "hands": classes.first().map_or(0, |counted| counted.of),
        "classes": rows,
    });
    serde_json::to_writer_pretty(&mut *streams.out, &object)?;
    writeln!(streams.out)
}
