//! Edits of a ranking that meet nothing. Clause 8.7.

use super::cite::Provenance;
use super::lines::{Line, RankingDraft, ReadingDraft, Ties, WildPiece};
use crate::diagnostic::{Code, Diagnostic};

/// Every `replace` and `drop` must meet a line, whatever the settings are. Clause 8.7.
pub(super) fn dangling(draft: &RankingDraft, faults: &mut Vec<Diagnostic>) {
    for edit in draft.classes.iter().filter(|line| line.replaces) {
        if !draft.classes.iter().any(|line| line.it.0 == edit.it.0 && line.is_met_by(edit)) {
            let name = draft.name_of(edit.it.0);
            let message = format!("there is no class `{name}` to replace");
            faults.push(
                Diagnostic::new(Code::DanglingReplace, message, edit.from.span)
                    .with_help(format!("a new class is declared without `replace`: `class {name}: …;`")),
            );
        }
    }
    for edit in &draft.dropped_classes {
        if !draft.classes.iter().any(|line| line.it.0 == edit.it && line.is_met_by(edit)) {
            faults.push(Diagnostic::new(Code::DanglingReplace, format!("there is no class `{}` to drop", draft.name_of(edit.it)), edit.from.span));
        }
    }
    for edit in draft.ties.iter().filter(|line| line.replaces) {
        let serves = |line: &&Line<Ties>| line.it.class == edit.it.class || (edit.it.class.is_some() && line.it.class.is_none());
        if !draft.ties.iter().filter(serves).any(|line| line.is_met_by(edit)) {
            let what = edit.it.class.map_or("the other classes".to_owned(), |class| format!("`{}`", draft.name_of(class)));
            let fault = Diagnostic::new(Code::DanglingReplace, format!("there are no keys of {what} to replace"), edit.from.span);
            faults.push(fault.with_help("take out `replace`"));
        }
    }
    let nothing = |from: &Provenance| {
        Diagnostic::new(Code::DanglingReplace, "nothing is said of this wild piece that could be replaced", from.span).with_help("take out `replace`")
    };
    let readings = draft.readings.iter().filter(|line| line.replaces);
    let dangles = |edit: &&Line<ReadingDraft>| !draft.readings.iter().any(|line| line.it.wild == edit.it.wild && line.is_met_by(edit));
    faults.extend(readings.filter(dangles).map(|edit| nothing(&edit.from)));
    let named = draft.named.iter().filter(|line| line.replaces);
    let dangles = |edit: &&Line<WildPiece>| !draft.named.iter().any(|line| line.it == edit.it && line.is_met_by(edit));
    faults.extend(named.filter(dangles).map(|edit| nothing(&edit.from)));
    for edit in &draft.dropped_edges {
        let (above, below) = edit.it;
        if draft.edges.iter().any(|edge| edge.it == edit.it && edge.is_met_by(edit)) {
            continue;
        }
        let message = format!("no line says that `{}` beats `{}`", draft.name_of(above), draft.name_of(below));
        let mut fault = Diagnostic::new(Code::DanglingReplace, message, edit.from.span);
        if let Some(turned) = draft.edges.iter().find(|edge| edge.it == (below, above)) {
            fault = fault.with_label(turned.from.span, "it is said the other way round");
        } else {
            let near: Vec<String> = draft
                .edges
                .iter()
                .filter(|edge| edge.it.0 == above)
                .map(|edge| format!("`{} beats {}`", draft.name_of(above), draft.name_of(edge.it.1)))
                .collect();
            if !near.is_empty() {
                fault = fault.with_help(format!("what is said is {}; only an edge that is written down can be dropped", near.join(", ")));
            }
        }
        faults.push(fault);
    }
}
