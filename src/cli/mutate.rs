//! `hoyle mutate`: the share of small mistakes in a rulebook that some case notices, and those that none does.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use indicatif::ProgressBar;
use rayon::ThreadPoolBuilder;
use serde_json::{Value, json};

use super::{Exit, Streams, World, faults};
use crate::conformance::corpus::{Corpus, Loaded};
use crate::conformance::inventory::Inventory;
use crate::conformance::mutate::{Books, Fate, Judgement, Mutants, Plan, Scored, Tried, judgements, score};
use crate::conformance::read::suggest;
use crate::diagnostic::{Code, Diagnostic};
use crate::embedded;
use crate::source::Sources;

/// Make small mistakes in the rulebooks and show which of them no case notices.
///
/// Each rule is dropped (an adopted one, a class, a wild or a ties line too), each option flipped, each edge dropped and turned round, each
/// comparison put off by one or turned round. What fails the check, or comes to the same, is left out; the score is the share of the others that make
/// an accepted case fail. What is marked `inferred` is not the book's: it stands outside the score, and survivors of it are listed apart.
#[derive(Debug, Args)]
pub(super) struct Mutate {
    /// A rulebook, or the beginning of the ids of the statements that the changed lines cite: `foster`, `foster.joker`.
    #[arg(value_name = "BOOK", default_value = "")]
    book: String,
    /// Only mutants with this in their names.
    #[arg(long, value_name = "PATTERN")]
    only: Option<String>,
    /// Make all other mistakes as well, with a score of their own: deeds, acts, single conditions, keys, rights and procedures dropped, numbers one
    /// off, `and` and `or` exchanged, branches and parameters ignored, neighbours of a scale swapped, places seen by others.
    #[arg(long)]
    thorough: bool,
    /// How to report.
    #[arg(long, value_enum, default_value_t = Written::Human)]
    format: Written,
    /// Write the report to a file.
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// End with 1 if the score of a rulebook is below this many percent.
    #[arg(long, value_name = "PERCENT", value_parser = clap::value_parser!(u16).range(0..=100))]
    at_least: Option<u16>,
    /// How many mutants to try at once; as many as there are processors without it.
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u16).range(1..))]
    jobs: Option<u16>,
    /// Show every mutant with what became of it, not the survivors alone.
    #[arg(long)]
    all: bool,
    /// Read cases from files or directories instead of those built in.
    #[arg(long, value_name = "PATH", num_args = 1..)]
    cases: Vec<PathBuf>,
    /// Read the survivors that somebody has judged from this file instead of the one built in.
    #[arg(long, value_name = "FILE")]
    equivalent: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Written {
    Human,
    Json,
}

/// A rulebook, its mutants, and which are meant.
struct Wanted {
    rulebook: String,
    mutants: Box<dyn Mutants>,
    /// Positions of those that the score is of, and of those of the thorough one; none where they are not asked for.
    positions: [Vec<usize>; 2],
}

impl Wanted {
    fn is_empty(&self) -> bool {
        self.positions.iter().all(Vec::is_empty)
    }
}

impl Mutate {
    pub(super) fn run(&self, streams: &mut Streams<'_>, world: &World) -> io::Result<Exit> {
        let inventory = Inventory::embedded();
        let Loaded { corpus, faults } =
            if self.cases.is_empty() { Corpus::embedded(&inventory) } else { Corpus::from_paths(&self.cases, &inventory) };
        let broken = faults::write(&faults, &corpus.sources, streams)?;
        let (judged, sources) = match self.judged(streams)? {
            Ok(judged) => judged,
            Err(exit) => return Ok(exit),
        };
        let books = (world.books)();
        let plans = match self.plans(books.as_ref()) {
            Ok(plans) => plans,
            Err(fault) => return faults::write(&[*fault], &Sources::default(), streams),
        };
        let scored = self.scored(&plans, &corpus, &judged, streams, world);
        let found = self.write(&scored, &inventory, streams)?;
        // Of what was not tried nothing can be said.
        let stale = if self.only.is_none() { stale(&judged, &scored, &plans) } else { Vec::new() };
        faults::write(&stale, &sources, streams)?;
        let low = |scored: &Scored| self.at_least.is_some_and(|least| scored.score().is_some_and(|score| score < usize::from(least) * 10));
        Ok(match (broken, found) {
            (Exit::Good, Exit::Good) if scored.iter().any(low) => Exit::Differs,
            (Exit::Good, found) => found,
            (broken, _) => broken,
        })
    }

    /// The judgements and their file.
    fn judged(&self, streams: &mut Streams<'_>) -> io::Result<Result<(Vec<Judgement>, Sources), Exit>> {
        let (name, text) = match &self.equivalent {
            None => (embedded::JUDGEMENTS.0.to_owned(), embedded::JUDGEMENTS.1.to_owned()),
            Some(path) => match std::fs::read_to_string(path) {
                Ok(text) => (path.display().to_string(), text),
                Err(error) => {
                    let fault = Diagnostic::without_place(Code::CannotRead, format!("`{}` cannot be read: {error}", path.display()));
                    return faults::write(&[fault], &Sources::default(), streams).map(Err);
                }
            },
        };
        let (judged, sources, faults) = judgements(&name, &text);
        let exit = faults::write(&faults, &sources, streams)?;
        Ok(if exit == Exit::Good { Ok((judged, sources)) } else { Err(exit) })
    }

    /// Which mutants of which rulebooks are meant.
    fn plans(&self, books: &dyn Books) -> Result<Vec<Wanted>, Box<Diagnostic>> {
        let rulebooks = books.rulebooks();
        let is_rulebook = rulebooks.contains(&self.book);
        let mut plans = Vec::new();
        for rulebook in rulebooks.iter().filter(|rulebook| !is_rulebook || **rulebook == self.book) {
            let mutants = books.mutants(rulebook);
            let speaks = |cites: &[String]| is_rulebook || self.book.is_empty() || cites.iter().any(|cite| cite.starts_with(&self.book));
            let all = mutants.all().iter().enumerate();
            let wanted = all.filter(|(_, mutant)| speaks(&mutant.cites) && (self.thorough || !mutant.thorough));
            let (rest, families): (Vec<_>, Vec<_>) = wanted.partition(|(_, mutant)| mutant.thorough);
            let positions = [families, rest].map(|found| found.into_iter().map(|(at, _)| at).collect());
            let wanted = Wanted { rulebook: rulebook.clone(), positions, mutants };
            if is_rulebook || !wanted.is_empty() {
                plans.push(wanted);
            }
        }
        if plans.is_empty() && !self.book.is_empty() {
            let fault =
                Diagnostic::without_place(Code::UnknownName, format!("there is no rulebook `{}`, and no statement's id begins so", self.book));
            let names: Vec<&str> = rulebooks.iter().map(String::as_str).collect();
            return Err(Box::new(match suggest(&self.book, names.iter().copied()) {
                Some(near) => fault.with_help(format!("did you mean `{near}`?")),
                None => fault.with_help(format!("the rulebooks are {}", crate::conformance::read::list(&names))),
            }));
        }
        if let Some(pattern) = &self.only {
            for Wanted { mutants, positions, .. } in &mut plans {
                let named = |at: &usize| mutants.all().get(*at).is_some_and(|mutant| mutant.name.contains(pattern.as_str()));
                positions.iter_mut().for_each(|positions| positions.retain(named));
            }
            plans.retain(|wanted| !wanted.is_empty());
            if plans.is_empty() {
                let fault = Diagnostic::without_place(Code::UnknownName, format!("no mutant has `{pattern}` in its name"));
                return Err(Box::new(fault.with_help("`hoyle mutate --thorough --all` shows the names of all")));
            }
        }
        Ok(plans)
    }

    fn scored(&self, plans: &[Wanted], corpus: &Corpus, judged: &[Judgement], streams: &Streams<'_>, world: &World) -> Vec<Scored> {
        let all = plans.iter().flat_map(|wanted| &wanted.positions).map(|positions| positions.len() as u64).sum();
        let bar = if streams.terminal { ProgressBar::new(all) } else { ProgressBar::hidden() };
        let base = (world.reference)();
        let work = || -> Vec<Scored> {
            let one = |wanted: &Wanted, thorough: bool, positions: &[usize]| {
                let plan = Plan { rulebook: &wanted.rulebook, thorough, wanted: positions.to_vec() };
                score(&plan, wanted.mutants.as_ref(), corpus, base.as_ref(), judged, &|| bar.inc(1))
            };
            let both = |wanted: &Wanted| {
                let [families, rest] = &wanted.positions;
                let rest = self.thorough.then(|| one(wanted, true, rest));
                std::iter::once(one(wanted, false, families)).chain(rest).collect::<Vec<Scored>>()
            };
            plans.iter().flat_map(both).collect()
        };
        let pool = self.jobs.map(|jobs| ThreadPoolBuilder::new().num_threads(usize::from(jobs)).build());
        // Without threads of its own the work is done all the same.
        let scored = match pool {
            Some(Ok(pool)) => pool.install(work),
            Some(Err(_)) | None => work(),
        };
        bar.finish_and_clear();
        scored
    }

    fn write(&self, scored: &[Scored], inventory: &Inventory, streams: &mut Streams<'_>) -> io::Result<Exit> {
        let report = |out: &mut dyn Write| match self.format {
            Written::Human => self.human(scored, inventory, out),
            Written::Json => self.json(scored, out),
        };
        let Some(path) = &self.output else { return report(&mut *streams.out).map(|()| Exit::Good) };
        let write = || {
            let mut file = BufWriter::new(File::create(path)?);
            report(&mut file)?;
            file.flush()
        };
        let Err(error) = write() else { return Ok(Exit::Good) };
        let fault = Diagnostic::without_place(Code::CannotWrite, format!("`{}` cannot be written: {error}", path.display()));
        faults::write(&[fault], &Sources::default(), streams)
    }

    fn human(&self, scored: &[Scored], inventory: &Inventory, out: &mut dyn Write) -> io::Result<()> {
        let width = scored.iter().map(|scored| title(scored).chars().count()).max().unwrap_or(0).max("rulebook".len());
        writeln!(out, "{:<width$}  cases  killed  survived  inferred  invalid  equivalent    score", "rulebook")?;
        for book in scored {
            write!(out, "{:<width$}  {:>5}  {:>6}  {:>8}  {:>8}  ", title(book), book.cases, book.killed(), book.survived(), book.inferred())?;
            writeln!(out, "{:>7}  {:>10}  {:>7}", book.invalid(), book.equivalent(), percent(book))?;
        }
        for book in scored.iter().filter(|book| book.failing > 0 && !book.thorough) {
            writeln!(out, "{}: accepted cases that do not pass as it is, and were not asked: {}", book.rulebook, book.failing)?;
        }
        for book in scored {
            let listed = |tried: &&Tried| self.all || matches!(tried.fate, Fate::Survived | Fate::Judged(_));
            let (ours, of_book): (Vec<&Tried>, Vec<&Tried>) = book.tried.iter().filter(listed).partition(|tried| tried.mutant.inferred);
            for (heading, listed) in [("", of_book), (", inferred", ours)] {
                if !listed.is_empty() {
                    writeln!(out, "\n{}{heading}", title(book))?;
                }
                listed.into_iter().try_for_each(|tried| tell(tried, inventory, out))?;
            }
        }
        Ok(())
    }

    fn json(&self, scored: &[Scored], out: &mut dyn Write) -> io::Result<()> {
        let mutant = |tried: &Tried| {
            let mut object = json!({
                "name": tried.mutant.name,
                "place": tried.mutant.place,
                "cites": tried.mutant.cites,
                "inferred": tried.mutant.inferred,
                "fate": word(&tried.fate),
            });
            if let (Fate::Judged(reason), Some(map)) = (&tried.fate, object.as_object_mut()) {
                map.insert("reason".to_owned(), json!(reason.trim()));
            }
            object
        };
        let book = |scored: &Scored| {
            json!({
                "rulebook": scored.rulebook,
                "thorough": scored.thorough,
                "cases": scored.cases,
                "failing": scored.failing,
                "killed": scored.killed(),
                "survived": scored.survived(),
                "inferred": scored.inferred(),
                "invalid": scored.invalid(),
                "equivalent": scored.equivalent(),
                "percent": scored.score().map(|tenths| tenths as f64 / 10.0),
                "mutants": scored.tried.iter().map(mutant).collect::<Vec<Value>>(),
            })
        };
        serde_json::to_writer_pretty(&mut *out, &json!({ "books": scored.iter().map(book).collect::<Vec<Value>>() }))?;
        writeln!(out)
    }
}

/// `foster-draw`, `foster-draw (thorough)`
fn title(scored: &Scored) -> String {
    if scored.thorough { format!("{} (thorough)", scored.rulebook) } else { scored.rulebook.clone() }
}

fn tell(tried: &Tried, inventory: &Inventory, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "  {} {} ({})", word(&tried.fate), tried.mutant.name, tried.mutant.place)?;
    match &tried.fate {
        Fate::Judged(reason) => writeln!(out, "    {}", reason.trim()),
        Fate::Survived => cited(&tried.mutant.cites, inventory, out),
        Fate::Killed | Fate::Invalid | Fate::Equivalent => Ok(()),
    }
}

fn word(fate: &Fate) -> &'static str {
    match fate {
        Fate::Killed => "killed",
        Fate::Survived => "survived",
        Fate::Invalid => "invalid",
        Fate::Equivalent => "equivalent",
        Fate::Judged(_) => "judged",
    }
}

/// `91.3 %`
fn percent(scored: &Scored) -> String {
    scored.score().map_or("-".to_owned(), |tenths| format!("{}.{} %", tenths / 10, tenths % 10))
}

/// The statements that a case would have to speak of.
fn cited(cites: &[String], inventory: &Inventory, out: &mut dyn Write) -> io::Result<()> {
    for cite in cites {
        match inventory.statement(cite) {
            Some(statement) => writeln!(out, "    {cite} ({})", statement.cited())?,
            None => writeln!(out, "    {cite}")?,
        }
    }
    Ok(())
}

/// Judgements of mutants that were killed, that say nothing anyhow, or that do not exist.
fn stale(judged: &[Judgement], scored: &[Scored], plans: &[Wanted]) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for judgement in judged {
        let of_book = |rulebook: &str| rulebook == judgement.rulebook.text;
        let Some(plan) = plans.iter().find(|plan| of_book(&plan.rulebook)) else { continue };
        let mut tried = scored.iter().filter(|scored| of_book(&scored.rulebook)).flat_map(|scored| &scored.tried);
        let tried = tried.find(|tried| tried.mutant.name == judgement.mutant.text);
        if tried.is_none() && plan.mutants.all().iter().any(|mutant| mutant.name == judgement.mutant.text) {
            continue;
        }
        let message = match tried.map(|tried| &tried.fate) {
            Some(Fate::Judged(_) | Fate::Survived) => continue,
            Some(Fate::Killed) => "a case tells this mutant from the original",
            Some(Fate::Invalid) => "this mutant is no rulebook",
            Some(Fate::Equivalent) => "this mutant comes to the same as the original anyhow",
            None => "no mutant of the rulebook has this name",
        };
        found.push(Diagnostic::new(Code::UnusedJudgement, message, judgement.mutant.span).with_help("take out the judgement"));
    }
    found
}
