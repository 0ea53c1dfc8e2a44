//! Why each case comes out as it does, in snapshots: a change of reasoning shows, even where the answer stays. Whether an answer is right is
//! decided by the expectations of the cases alone (`hoyle test`), never here.

use std::collections::BTreeMap;
use std::fmt::Write;

use hoyle::conformance::Reference;
use hoyle::conformance::case::Body;
use hoyle::conformance::corpus::Corpus;
use hoyle::conformance::implementation::Reply;
use hoyle::conformance::inventory::Inventory;
use hoyle::conformance::runner::question;
use hoyle::rules::{Provenance, Ranked, Why};

fn from(provenance: &Provenance) -> String {
    let cites: Vec<&str> = provenance.cites.iter().map(|citation| citation.id.as_str()).collect();
    format!("{} {}", provenance.mark.word(), cites.join(", ")).trim_end().to_owned()
}

fn derivation(ranked: &Ranked) -> String {
    let mut text = String::new();
    for hand in &ranked.hands {
        let meanings: String = hand.meanings.iter().map(|(wild, meaning)| format!("; {wild} = {meaning}")).collect();
        let _ = writeln!(text, "  {}: {}, {}{meanings}", hand.label, hand.class_name, hand.keys);
    }
    for between in &ranked.between {
        let label = |hand: usize| ranked.hands.get(hand).map_or("", |hand| hand.label.as_str());
        let why = match &between.why {
            Why::Class(edges) => {
                edges.iter().map(|edge| format!("{} beats {} ({})", edge.above, edge.below, from(&edge.from))).collect::<Vec<_>>().join("; ")
            }
            Why::Key { ties, name, better, worse, .. } => {
                format!("by {name}, {better} against {worse} ({})", ties.as_ref().map_or(String::new(), from))
            }
            Why::Level { ties } => format!("level ({})", ties.as_ref().map_or(String::new(), from)),
        };
        let _ = writeln!(text, "  {} > {}: {why}", label(between.better), label(between.worse));
    }
    text
}

#[test]
fn derivations_are_as_they_were() {
    let loaded = Corpus::embedded(&Inventory::embedded());
    let reference = Reference::embedded();
    let mut files: BTreeMap<String, String> = BTreeMap::new();
    for case in &loaded.corpus.cases {
        let Body::Compare(compare) = &case.body else { continue };
        let file = loaded.corpus.sources.name(case.id.span.file).rsplit('/').next().unwrap_or("").to_owned();
        for rulebook in &case.rules {
            let shown = match reference.ranked(&question(case, compare, &rulebook.text)) {
                Ok((_, ranked)) => derivation(&ranked),
                Err(Reply::Refused { code, text }) => format!("  refused: {code}: {text}\n"),
                Err(other) => format!("  {other:?}\n"),
            };
            let _ = writeln!(files.entry(file.clone()).or_default(), "{} with {}\n{shown}", case.id.text, rulebook.text);
        }
    }
    assert!(files.len() > 10);
    for (file, text) in files {
        insta::assert_snapshot!(file, text);
    }
}
