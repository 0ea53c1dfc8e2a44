//! `hoyle list`: what there is to ask for, and what a table may choose.

use std::io;

use clap::Args;

use super::check::add_embedded;
use super::{Exit, Streams, faults};
use crate::rules::catalog::UnitBody;
use crate::rules::{Catalog, UnitKind};
use crate::syntax::print;
use crate::syntax::tree::{Declaration, Text};

/// List rulebooks, houses and amendments; of one rulebook, its parameters, options and rankings.
#[derive(Debug, Args)]
pub(super) struct List {
    /// A rulebook; all that is built in without one.
    #[arg(value_name = "RULEBOOK")]
    rulebook: Option<String>,
}

impl List {
    pub(super) fn run(&self, streams: &mut Streams<'_>) -> io::Result<Exit> {
        let mut catalog = Catalog::new();
        add_embedded(&mut catalog);
        match &self.rulebook {
            None => everything(&catalog, streams)?,
            Some(name) if catalog.unit(UnitKind::Rulebook, name).is_some() => one(&catalog, name, streams)?,
            Some(name) => return faults::write(&[catalog.unknown(UnitKind::Rulebook, name, None)], catalog.sources(), streams),
        }
        Ok(Exit::Good)
    }
}

fn title(title: Option<&Text>) -> &str {
    title.map_or("", |title| title.it.as_str())
}

fn everything(catalog: &Catalog, streams: &mut Streams<'_>) -> io::Result<()> {
    let out = &mut streams.out;
    for (kind, heading) in [(UnitKind::Rulebook, "rulebooks"), (UnitKind::Amendment, "amendments (--with NAME)"), (UnitKind::House, "houses")] {
        writeln!(out, "{heading}")?;
        for unit in catalog.names(kind).into_iter().filter_map(|name| catalog.unit(kind, name)) {
            let on = match &unit.body {
                UnitBody::House { base, .. } | UnitBody::Amendment { base: Some(base), .. } => format!(" (on {})", base.it),
                UnitBody::Library | UnitBody::Rulebook { .. } | UnitBody::Amendment { base: None, .. } | UnitBody::Interface { .. } => String::new(),
            };
            writeln!(out, "  {:<16} {}{on}", unit.name.it, title(unit.title.as_ref()))?;
        }
        writeln!(out)?;
    }
    writeln!(out, "`hoyle list RULEBOOK` says what a table may choose")
}

fn one(catalog: &Catalog, name: &str, streams: &mut Streams<'_>) -> io::Result<()> {
    let out = &mut streams.out;
    let Some(unit) = catalog.unit(UnitKind::Rulebook, name) else { return Ok(()) };
    writeln!(out, "{name}: {}", title(unit.title.as_ref()))?;
    for declaration in &unit.declarations {
        if let Declaration::Param { name, kind, value, .. } = &declaration.it {
            let kind = kind.as_ref().map_or(String::new(), |kind| format!(": {}", catalog.sources().snippet(kind.span)));
            writeln!(out, "\nparameter {}{kind}", name.it)?;
            writeln!(out, "  --set {}=…  {} is the book's own", name.it, print::expression(value))?;
        } else if let Declaration::Choice(choice) = &declaration.it {
            writeln!(out, "\noption {}: {}", choice.name.it, title(choice.title.as_ref()))?;
            let width = choice.branches.iter().map(|branch| branch.name.it.len()).max().unwrap_or(0);
            for branch in &choice.branches {
                let usual = if branch.name.it == choice.default.it { " (the book's own)" } else { "" };
                writeln!(out, "  --choose {}={:<width$}  {}{usual}", choice.name.it, branch.name.it, title(branch.title.as_ref()))?;
            }
        } else if let Declaration::Ranking(ranking) = &declaration.it {
            writeln!(out, "\nranking {}", ranking.name.it)?;
        }
    }
    Ok(())
}
