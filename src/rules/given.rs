//! Settings that come as plain words: `--set P=V`, `--choose O=B`, the parameters of a case.
//!
//! They stand in no file, so their faults quote them and have no place.

use super::cite::{Mark, Provenance};
use super::draft::{ChooseLine, SetLine, choose_line, set_line};
use super::resolve::Names;
use crate::diagnostic::Diagnostic;
use crate::source::{FileId, Span};
use crate::syntax::tree::{Expr, ExprKind, Name};

/// A file that there is not.
const NOWHERE: FileId = FileId(u32::MAX);

/// Settings in plain words.
#[derive(Clone, Copy, Debug)]
pub(super) struct Asked<'a> {
    /// `P = V`
    pub set: &'a [(String, String)],
    /// `O = B`
    pub choose: &'a [(String, String)],
    /// One above all others.
    pub layer: usize,
}

/// Adds what is asked for to the settings of the layers.
pub(super) fn asked(asked: Asked<'_>, names: &Names<'_>, sets: &mut Vec<SetLine>, chooses: &mut Vec<ChooseLine>, faults: &mut Vec<Diagnostic>) {
    let layer = asked.layer;
    let span = Span::new(NOWHERE, 0, 0);
    let from = || Provenance { span, cites: Vec::new(), inferred: Vec::new(), mark: Mark::House, layer: "asked".to_owned() };
    for (name, value) in asked.set {
        let mut found = Vec::new();
        if let Some((parameter, value)) = set_line(&Name::new(name.trim().to_owned(), span), &expression(value, span), names, &mut found) {
            sets.push(SetLine { parameter, value, layer, replaces: Vec::new(), from: from() });
        }
        faults.extend(found.into_iter().map(|fault| placeless(fault, name, value)));
    }
    for (name, value) in asked.choose {
        let mut found = Vec::new();
        if let Some((option, branch)) =
            choose_line(&Name::new(name.trim().to_owned(), span), &Name::new(value.trim().to_owned(), span), names, &mut found)
        {
            chooses.push(ChooseLine { option, branch, layer, replaces: Vec::new(), from: from() });
        }
        faults.extend(found.into_iter().map(|fault| placeless(fault, name, value)));
    }
}

/// Whether a span stands in no file.
pub(super) fn is_nowhere(span: Span) -> bool {
    span.file == NOWHERE
}

fn placeless(mut fault: Diagnostic, name: &str, value: &str) -> Diagnostic {
    fault.labels.retain(|label| !is_nowhere(label.span));
    fault.message = format!("`{} = {}`: {}", name.trim(), value.trim(), fault.message);
    fault
}

/// A number, `yes` or `no`, a name, or a set of names. Anything else is taken as a name, which nothing will declare.
fn expression(text: &str, span: Span) -> Expr {
    let text = text.trim();
    let kind = if let Some(inner) = text.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) {
        ExprKind::Set(inner.split(',').map(str::trim).filter(|item| !item.is_empty()).map(|item| expression(item, span)).collect())
    } else if let Ok(number) = text.parse::<i64>() {
        ExprKind::Number(number)
    } else if text == "yes" || text == "no" {
        ExprKind::Truth(text == "yes")
    } else {
        ExprKind::Name { name: Name::new(text.to_owned(), span), arguments: None }
    };
    Expr::new(Box::new(kind), span)
}
