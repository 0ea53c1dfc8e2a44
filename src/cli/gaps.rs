//! `hoyle gaps`: what a rulebook answers and what it leaves open, for whoever writes house rules or disputes.

use std::io::{self, Write};

use clap::{Args, ValueEnum};
use serde_json::{Value, json};

use super::asked::{Asked, table};
use super::rank::{heading, sources};
use super::{Exit, Streams, faults};
use crate::conformance::inventory::Inventory;
use crate::rules::advice::all_of;
use crate::rules::table::gaps::{AskedQuestion, Cell, Gaps, Hole, Row, Said, Stop};
use crate::rules::table::program::{LogSort, Program, RuleId};
use crate::rules::{Mark, Provenance, Rulebook};
use crate::source::{Sources, Span};

/// Columns of the page.
const WIDTH: usize = 120;

/// Show what a rulebook answers and what it leaves open: every event and right against the procedures in which it can come, and every question.
#[derive(Debug, Args)]
pub(super) struct AskGaps {
    #[command(flatten)]
    asked: Asked,
    /// How to report.
    #[arg(long, value_enum, default_value_t = Written::Human)]
    format: Written,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Written {
    Human,
    Json,
}

impl AskGaps {
    pub(super) fn run(&self, streams: &mut Streams<'_>) -> io::Result<Exit> {
        let (catalog, loaded) = self.asked.load();
        let ready = loaded.and_then(|rulebook| Ok((table(&rulebook)?.clone(), rulebook)));
        let (program, rulebook) = match ready {
            Ok(ready) => ready,
            Err(found) => return faults::write(&found, catalog.sources(), streams),
        };
        let gaps = Gaps::of(&program);
        let page = Page { program: &program, sources: catalog.sources(), inventory: Inventory::embedded(), entries: Vec::new() }.of(&gaps);
        match self.format {
            Written::Human => page.human(&rulebook, &gaps, streams.out)?,
            Written::Json => {
                serde_json::to_writer_pretty(&mut *streams.out, &page.json(&rulebook, &gaps))?;
                writeln!(streams.out)?;
            }
        }
        Ok(Exit::Good)
    }
}

/// How something stands, the most open first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Standing {
    Silent,
    MaybeSilent,
    Inferred,
    House,
    Text,
    /// The question says itself what holds, and no rule says otherwise.
    Otherwise,
    /// An event or a right of which nothing comes by itself: it stands in the log, and somebody looks for it there.
    Noted,
}

impl Standing {
    const ALL: [Standing; 7] =
        [Standing::Silent, Standing::MaybeSilent, Standing::Inferred, Standing::House, Standing::Text, Standing::Otherwise, Standing::Noted];

    fn of(mark: Mark) -> Standing {
        match mark {
            Mark::Text => Standing::Text,
            Mark::Inferred => Standing::Inferred,
            Mark::House => Standing::House,
        }
    }

    /// For programs.
    fn word(self) -> &'static str {
        match self {
            Standing::Silent => "silent",
            Standing::MaybeSilent => "may-be-silent",
            Standing::Inferred => "inferred",
            Standing::House => "house",
            Standing::Text => "text",
            Standing::Otherwise => "otherwise",
            Standing::Noted => "noted",
        }
    }

    /// In the line of totals.
    fn counted(self) -> &'static str {
        match self {
            Standing::Silent => "silent",
            Standing::MaybeSilent => "perhaps silent",
            Standing::Inferred => "by inference",
            Standing::House => "by the house or a library",
            Standing::Text => "by the text",
            Standing::Otherwise => "by what the question says itself",
            Standing::Noted => "only noted",
        }
    }
}

/// One thing that can be asked, at some stops.
struct Entry {
    standing: Standing,
    /// `event`, `right`, `question`
    sort: &'static str,
    name: String,
    /// Names of procedures and phases in which it can come, or that ask it.
    at: Vec<String>,
    /// Where it is declared.
    from: Provenance,
    rules: Vec<RuleId>,
    beside: Vec<RuleId>,
    hole: Hole,
    /// Rules that answer it elsewhere.
    elsewhere: Vec<RuleId>,
    otherwise: bool,
}

struct Page<'p> {
    program: &'p Program,
    sources: &'p Sources,
    inventory: Inventory,
    entries: Vec<Entry>,
}

impl<'p> Page<'p> {
    fn of(mut self, gaps: &Gaps) -> Page<'p> {
        for row in &gaps.rows {
            self.row(row);
        }
        for asked in &gaps.questions {
            self.question(asked);
        }
        self
    }

    fn row(&mut self, row: &Row) {
        let Some(hook) = self.program.hooks.get(row.hook) else { return };
        let name = self.program.names.get(hook.name).map_or(String::new(), |name| name.name.clone());
        for cell in &row.cells {
            let elsewhere = row.rules.iter().filter(|rule| cell.rules.is_empty() && !cell.beside.contains(rule)).copied().collect();
            self.entries.push(Entry {
                standing: self.standing_of(row, cell, &hook.from),
                sort: if row.sort == LogSort::Right { "right" } else { "event" },
                name: name.clone(),
                at: self.stops(&cell.at),
                from: hook.from.clone(),
                rules: cell.rules.clone(),
                beside: cell.beside.clone(),
                hole: cell.hole.clone(),
                elsewhere,
                otherwise: false,
            });
        }
    }

    fn standing_of(&self, row: &Row, cell: &Cell, from: &Provenance) -> Standing {
        match (cell.rules.is_empty(), row.body, &cell.hole) {
            (true, true, _) => Standing::of(from.mark),
            (true, false, _) if row.noted => Standing::Noted,
            (true, false, _) => Standing::Silent,
            (false, false, Hole::When(_) | Hole::Untold) if !row.noted => Standing::MaybeSilent,
            (false, ..) => self.marked(&cell.rules),
        }
    }

    /// Whatever one of the rules rests on least.
    fn marked(&self, rules: &[RuleId]) -> Standing {
        let marks = rules.iter().filter_map(|rule| self.program.rules.get(*rule)).map(|rule| Standing::of(rule.from.mark));
        marks.min().unwrap_or(Standing::Silent)
    }

    fn question(&mut self, asked: &AskedQuestion) {
        let Some(question) = self.program.questions.get(asked.question) else { return };
        let standing = match (asked.rules.is_empty(), &asked.hole) {
            (true, _) if asked.otherwise => Standing::Otherwise,
            (true, _) => Standing::Silent,
            (false, Hole::None) => self.marked(&asked.rules),
            (false, Hole::When(_) | Hole::Untold) => Standing::MaybeSilent,
        };
        let stops = asked.procedures.iter().map(|id| Stop::Procedure(*id));
        let stops = stops.chain(asked.by_hooks.iter().map(|id| Stop::Right(*id))).chain(asked.by_rules.iter().map(|id| Stop::Rule(*id)));
        let at = self.stops(&stops.collect::<Vec<Stop>>());
        self.entries.push(Entry {
            standing,
            sort: "question",
            name: question.name.clone(),
            at,
            from: question.from.clone(),
            rules: asked.rules.clone(),
            beside: asked.beside.clone(),
            hole: asked.hole.clone(),
            elsewhere: Vec::new(),
            otherwise: asked.otherwise,
        });
    }

    /// Procedures and phases, events and rights, then rules, the first of which says that they are rules.
    fn stops(&self, stops: &[Stop]) -> Vec<String> {
        let mut rules = stops.iter().filter(|stop| matches!(stop, Stop::Rule(_))).count();
        let word = if rules == 1 { "the rule " } else { "the rules " };
        let name = |stop: &Stop| match stop {
            Stop::Procedure(id) => self.program.procedures.get(*id).map_or(String::new(), |procedure| procedure.name.clone()),
            Stop::Rule(id) => {
                let first = std::mem::take(&mut rules) > 0;
                format!("{}{}", if first { word } else { "" }, self.rule_name(*id))
            }
            Stop::Right(id) => {
                let name = self.program.hooks.get(*id).and_then(|hook| self.program.names.get(hook.name));
                format!("`{}`", name.map_or("", |name| name.name.as_str()))
            }
        };
        stops.iter().map(name).collect()
    }

    fn rule_name(&self, rule: RuleId) -> &str {
        self.program.rules.get(rule).map_or("", |rule| rule.name.as_str())
    }

    fn place(&self, span: Span) -> String {
        let (line, _) = self.sources.line_column(span.file, span.start);
        format!("{}:{line}", self.sources.name(span.file))
    }

    fn quoted(&self, said: &Said) -> String {
        let text = self.sources.snippet(said.span).split_whitespace().collect::<Vec<_>>().join(" ");
        format!("{}`{text}`", if said.so { "" } else { "not " })
    }

    /// What an inferred rule answers: `event exposed, question eldest`.
    fn answered_by(&self, rule: RuleId) -> String {
        let mut all: Vec<String> = Vec::new();
        let of_rule = self.entries.iter().filter(|entry| entry.rules.contains(&rule) || entry.beside.contains(&rule));
        for entry in of_rule.map(|entry| format!("{} {}", entry.sort, entry.name)) {
            if !all.contains(&entry) {
                all.push(entry);
            }
        }
        all.join(", ")
    }

    /// Rules that we inferred and that answer something here.
    fn inferences(&self) -> Vec<(RuleId, String)> {
        let rules = self.program.rules.iter().enumerate().filter(|(_, rule)| rule.from.mark == Mark::Inferred);
        rules.map(|(id, _)| (id, self.answered_by(id))).filter(|(_, what)| !what.is_empty()).collect()
    }

    fn human(&self, rulebook: &Rulebook, gaps: &Gaps, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{}\n\nWhat it leaves open stands first, what it answers behind.\n", heading(rulebook))?;
        self.open(Standing::Silent, "left open: nobody answers", out)?;
        self.open(Standing::MaybeSilent, "left open: perhaps nobody answers", out)?;
        if !self.program.undecided.is_empty() {
            writeln!(out, "left open: the book does not decide ({})", self.program.undecided.len())?;
        }
        for pair in &self.program.undecided {
            writeln!(out, "  {} against {}", self.rule_name(pair.one), self.rule_name(pair.other))?;
            filled(&pair.why, 4, out)?;
            writeln!(out, "    {}", self.place(pair.from.span))?;
        }
        if !self.program.undecided.is_empty() {
            writeln!(out)?;
        }
        self.together(gaps, out)?;
        let inferences = self.inferences();
        if !inferences.is_empty() {
            writeln!(out, "decided by inference ({})", inferences.len())?;
            for (rule, what) in &inferences {
                let Some(declared) = self.program.rules.get(*rule) else { continue };
                writeln!(out, "  {}: {what}", declared.name)?;
                self.cited(&declared.from, 4, out)?;
            }
            writeln!(out)?;
        }
        self.answered(out)?;
        self.totals(gaps, inferences.len(), out)
    }

    fn together(&self, gaps: &Gaps, out: &mut dyn Write) -> io::Result<()> {
        if !gaps.together.is_empty() {
            writeln!(out, "left open: two rules may answer, and neither gives way ({})", gaps.together.len())?;
        }
        for (one, other) in &gaps.together {
            writeln!(out, "  {} and {}", self.rule_name(*one), self.rule_name(*other))?;
            for rule in [one, other].into_iter().filter_map(|rule| self.program.rules.get(*rule)) {
                writeln!(out, "    {}", self.place(rule.from.span))?;
            }
        }
        if !gaps.together.is_empty() {
            writeln!(out)?;
        }
        Ok(())
    }

    /// Everything that stands so, each with what is missing.
    fn open(&self, standing: Standing, title: &str, out: &mut dyn Write) -> io::Result<()> {
        let entries: Vec<&Entry> = self.entries.iter().filter(|entry| entry.standing == standing).collect();
        if entries.is_empty() {
            return Ok(());
        }
        writeln!(out, "{title} ({})", entries.len())?;
        for entry in entries {
            filled(&self.what(entry), 2, out)?;
            match &entry.hole {
                Hole::When(said) if !said.is_empty() => {
                    filled(&format!("no rule where {}", said.iter().map(|said| self.quoted(said)).collect::<Vec<_>>().join(", and ")), 4, out)?;
                }
                Hole::Untold => writeln!(out, "    its rules have too many conditions to tell")?,
                Hole::When(_) | Hole::None => {}
            }
            self.rules(entry, out)?;
            if !entry.elsewhere.is_empty() {
                filled(&format!("elsewhere it is answered by {}", all_of(entry.elsewhere.iter().map(|rule| self.rule_name(*rule)))), 4, out)?;
            }
            writeln!(out, "    {}", self.place(entry.from.span))?;
        }
        writeln!(out)
    }

    fn what(&self, entry: &Entry) -> String {
        let at = entry.at.join(", ");
        match (entry.sort, at.is_empty()) {
            (_, true) => format!("{} {}", entry.sort, entry.name),
            ("question", false) => format!("question {}, asked by {at}", entry.name),
            (sort, false) => format!("{sort} {} during {at}", entry.name),
        }
    }

    fn answered(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "answered")?;
        for entry in self.entries.iter().filter(|entry| entry.standing > Standing::MaybeSilent) {
            filled(&self.what(entry), 2, out)?;
            match entry.standing {
                Standing::Noted => writeln!(out, "    stands in the log, where others look for it")?,
                Standing::Otherwise => writeln!(out, "    says itself what holds; {}", self.place(entry.from.span))?,
                Standing::Silent | Standing::MaybeSilent | Standing::Inferred | Standing::House | Standing::Text => {
                    if entry.rules.is_empty() {
                        filled(&format!("says itself what comes of it {}", self.rests_on(&entry.from)), 4, out)?;
                    }
                }
            }
            self.rules(entry, out)?;
            if entry.otherwise && !entry.rules.is_empty() {
                writeln!(out, "    otherwise what the question says itself")?;
            }
        }
        writeln!(out)
    }

    /// `[text] hoffmann.nap.deal; nap.hoyle:12`
    fn rests_on(&self, from: &Provenance) -> String {
        let ids: Vec<&str> = from.cites.iter().map(|citation| citation.id.as_str()).collect();
        let ids = if ids.is_empty() { from.layer.clone() } else { ids.join(", ") };
        format!("[{}] {ids}; {}", from.mark.word(), self.place(from.span))
    }

    /// The rules that answer, then those that change or suspend an answer.
    fn rules(&self, entry: &Entry, out: &mut dyn Write) -> io::Result<()> {
        let all = entry.rules.iter().map(|rule| ("", rule)).chain(entry.beside.iter().map(|rule| ("changed or suspended by ", rule)));
        for (word, rule) in all {
            if let Some(rule) = self.program.rules.get(*rule) {
                filled(&format!("{word}{} {}", rule.name, self.rests_on(&rule.from)), 4, out)?;
            }
        }
        Ok(())
    }

    /// Reasons and sentences, and the place.
    fn cited(&self, from: &Provenance, indent: usize, out: &mut dyn Write) -> io::Result<()> {
        for line in sources(from, &self.inventory) {
            filled(&line, indent, out)?;
        }
        writeln!(out, "{:indent$}{}", "", self.place(from.span))
    }

    fn totals(&self, gaps: &Gaps, inferences: usize, out: &mut dyn Write) -> io::Result<()> {
        let counted = |standing: &Standing| (*standing, self.count(*standing));
        let words: Vec<String> = Standing::ALL
            .iter()
            .map(counted)
            .filter(|(_, count)| *count > 0)
            .map(|(standing, count)| format!("{count} {}", standing.counted()))
            .collect();
        filled(&format!("{} cases: {}", self.entries.len(), words.join(", ")), 0, out)?;
        writeln!(
            out,
            "{} undecided, {} that may answer together, {} inferred",
            counted_words(self.program.undecided.len(), "pair of rules", "pairs of rules"),
            counted_words(gaps.together.len(), "pair", "pairs"),
            counted_words(inferences, "rule", "rules"),
        )
    }

    fn count(&self, standing: Standing) -> usize {
        self.entries.iter().filter(|entry| entry.standing == standing).count()
    }

    fn json(&self, rulebook: &Rulebook, gaps: &Gaps) -> Value {
        let rule = |id: &RuleId| {
            self.program.rules.get(*id).map(|rule| {
                let mut object = self.provenance(&rule.from);
                object.insert("rule".to_owned(), json!(rule.name));
                Value::Object(object)
            })
        };
        let hole = |hole: &Hole| match hole {
            Hole::None => Value::Null,
            Hole::Untold => json!("untold"),
            Hole::When(said) => json!(said.iter().map(|said| self.quoted(said)).collect::<Vec<_>>()),
        };
        let entry = |entry: &Entry| {
            json!({
                "standing": entry.standing.word(), "sort": entry.sort, "name": entry.name, "at": entry.at,
                "place": self.place(entry.from.span), "otherwise": entry.otherwise, "no-rule-where": hole(&entry.hole),
                "rules": entry.rules.iter().filter_map(rule).collect::<Vec<_>>(),
                "beside": entry.beside.iter().filter_map(rule).collect::<Vec<_>>(),
            })
        };
        let undecided = self.program.undecided.iter().map(|pair| {
            json!({"one": self.rule_name(pair.one), "other": self.rule_name(pair.other), "why": pair.why, "place": self.place(pair.from.span)})
        });
        let together = gaps.together.iter().map(|(one, other)| json!({"one": self.rule_name(*one), "other": self.rule_name(*other)}));
        let totals = Standing::ALL.iter().map(|standing| (standing.word().to_owned(), json!(self.count(*standing)))).collect();
        json!({
            "rulebook": rulebook.name,
            "entries": self.entries.iter().map(entry).collect::<Vec<_>>(),
            "undecided": undecided.collect::<Vec<_>>(),
            "together": together.collect::<Vec<_>>(),
            "totals": Value::Object(totals),
        })
    }

    fn provenance(&self, from: &Provenance) -> serde_json::Map<String, Value> {
        let object = json!({
            "mark": from.mark.word(), "place": self.place(from.span), "inferred": from.inferred,
            "cites": from.cites.iter().map(|citation| citation.id.as_str()).collect::<Vec<_>>(),
        });
        if let Value::Object(object) = object { object } else { serde_json::Map::new() }
    }
}

fn filled(text: &str, indent: usize, out: &mut dyn Write) -> io::Result<()> {
    let (first, more) = (" ".repeat(indent), " ".repeat(indent + 2));
    let options = textwrap::Options::new(WIDTH).initial_indent(&first).subsequent_indent(&more).break_words(false);
    // The hyphens of names are no places to break a line.
    let options = options.word_splitter(textwrap::WordSplitter::NoHyphenation).word_separator(textwrap::WordSeparator::AsciiSpace);
    writeln!(out, "{}", textwrap::fill(text, options))
}

fn counted_words(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}
