//! Rulebooks as they stand: loaded, ranked, checked.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test that cannot go on shall stop")]

use hoyle::diagnostic::Code;
use hoyle::diagnostic::render;
use hoyle::rules::{Card, Catalog, Edits, Given, Hand, Mark, Rulebook, Selection, Why};
use hoyle::source::FileId;
use hoyle::source::Span;

fn catalog() -> Catalog {
    let mut catalog = Catalog::new();
    for folder in ["spec/lib", "spec/poker", "spec/nap", "spec/piquet", "spec/amendments", "spec/houses"] {
        let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.sort();
        for path in files {
            catalog.add(path.display().to_string(), std::fs::read_to_string(&path).unwrap());
        }
    }
    catalog
}

fn load(catalog: &Catalog, selection: &Selection) -> Rulebook {
    match catalog.load(selection) {
        Ok(rulebook) => rulebook,
        Err(faults) => panic!("{}", render::plain(&faults, catalog.sources())),
    }
}

fn hands(texts: &[&str]) -> Vec<Hand> {
    texts.iter().zip('a'..).map(|(text, label)| Hand { label: label.to_string(), text: (*text).to_owned(), file: FileId(0), start: 0 }).collect()
}

#[test]
fn the_three_books_load() {
    let catalog = catalog();
    for name in ["foster-draw", "hoffmann-draw", "berkeley-draw"] {
        let rulebook = load(&catalog, &Selection::of(name));
        assert_eq!(rulebook.rankings.len(), 1);
    }
}

#[test]
fn two_pairs_are_compared_and_the_reason_is_named() {
    let catalog = catalog();
    let rulebook = load(&catalog, &Selection::of("foster-draw"));
    let ranked = rulebook.rank(None, &hands(&["Ks Kh 4d 4c Qs", "Kd Kc 4s 4h Jd", "2c 3c 4c 5c 7c"][..]), true).unwrap();
    assert_eq!(ranked.order, vec![vec![2], vec![0], vec![1]]);
    assert_eq!(ranked.hands[0].keys, "kings and fours, then queen");
    let Why::Key { better, worse, .. } = &ranked.between[1].why else { panic!() };
    assert_eq!((better.as_str(), worse.as_str()), ("queen", "jack"));
    let Why::Class(edges) = &ranked.between[0].why else { panic!() };
    let way: Vec<String> = edges.iter().map(|edge| format!("{} beats {} ({})", edge.above, edge.below, edge.from.cites[0].id)).collect();
    insta::assert_debug_snapshot!(way);
}

/// The ids of the inventory, read without its loader.
fn statements() -> hoyle::rules::Statements {
    let mut ids = Vec::new();
    for entry in std::fs::read_dir("spec/texts").unwrap() {
        let text = std::fs::read_to_string(entry.unwrap().path()).unwrap();
        ids.extend(text.lines().filter_map(|line| line.strip_prefix("- id: ").map(|id| id.trim().to_owned())));
    }
    ids.into_iter().collect()
}

#[test]
fn the_books_of_the_specification_check_clean() {
    let catalog = catalog();
    let faults = hoyle::rules::check_all(&catalog, Some(&statements()));
    assert!(faults.is_empty(), "{}", render::plain(&faults, catalog.sources()));
}

/// A mistake in an interface is one mistake, and no rulebook is told that there is no such interface, or that it lacks something.
#[test]
fn an_interface_that_cannot_be_read_is_told_of_once() {
    let mut catalog = Catalog::new();
    catalog.add("interface.hoyle", "interface pairs \"Pairs\" {\n  param joker: ;\n  class pair, nothing;\n}\n");
    for name in ["one", "other"] {
        let book = r#"follows none; kind colour = red "r", blue "b"; scale n = one "1", two "2"; piece tile has n, colour; pieces one tile of each n, colour;
            ranking two of 2 tile by n { class pair: groups 2; class rest-of-all: anything; pair beats rest-of-all; ties otherwise by groups, singles; }
            implements pairs { param joker = only none; class pair, nothing = rest-of-all; }"#;
        catalog.add(format!("{name}.hoyle"), format!("rulebook {name} \"Tiles\" {book}\n"));
    }
    let faults = hoyle::rules::check_all(&catalog, None);
    let told: Vec<_> = faults.iter().map(|fault| (catalog.sources().name(fault.labels[0].span.file), fault.code.text())).collect();
    assert_eq!(told, [("interface.hoyle", "syntax")], "{}", render::plain(&faults, catalog.sources()));
    let faults = hoyle::rules::check(&catalog, &Selection::of("one"), None);
    assert_eq!(faults.len(), 1, "{}", render::plain(&faults, catalog.sources()));
}

#[test]
fn every_element_has_its_mutants() {
    let catalog = catalog();
    let mut lines = Vec::new();
    for element in hoyle::rules::elements(&catalog, "foster-draw") {
        let alive: Vec<String> =
            element.mutations.iter().filter(|m| hoyle::rules::mutant(&catalog, &element, m).is_some()).map(|m| format!("{m:?}")).collect();
        lines.push(format!("{}: {} (of {})", element.what, alive.join(" "), element.mutations.len()));
    }
    insta::assert_snapshot!(lines.join("\n"));
}

/// Fenced examples of the specification: what stands behind the fence, and the text.
fn examples() -> Vec<(String, String)> {
    let specification = std::fs::read_to_string("spec/language.md").unwrap();
    let parts: Vec<&str> = specification.split("\n```").collect();
    parts
        .iter()
        .skip(1)
        .step_by(2)
        .map(|part| part.split_once('\n').unwrap_or((part, "")))
        .map(|(head, text)| (head.trim().to_owned(), text.to_owned()))
        .collect()
}

#[test]
fn the_specification_is_answered_as_it_says() {
    let fixture = examples().into_iter().find(|(_, text)| text.contains("rulebook brag")).unwrap().1;
    let mut seen = 0;
    for (head, text) in examples() {
        let mut catalog = Catalog::new();
        let wanted = match head.split(' ').collect::<Vec<_>>().as_slice() {
            ["hoyle"] => None,
            ["hoyle", "in", "brag"] => {
                catalog.add("fixture", fixture.clone());
                None
            }
            ["hoyle-error", code] => Some((*code).to_owned()),
            _ => continue,
        };
        seen += 1;
        catalog.add(head.clone(), text);
        let faults = hoyle::rules::check_all(&catalog, None);
        let drawn = render::plain(&faults, catalog.sources());
        match wanted {
            None => assert!(faults.is_empty(), "{drawn}"),
            Some(code) => assert!(faults.iter().any(|fault| fault.code.text() == code), "{code} is wanted: {drawn}"),
        }
    }
    assert!(seen >= 5, "only {seen} examples");
}

/// The piece that a written card means, as the pack writes it, or the code of the refusal.
fn card(rulebook: &Rulebook, written: &str) -> String {
    let text = |piece: u8| rulebook.packs[0].deck.pieces[usize::from(piece)].text.clone();
    match rulebook.read_card(written, Span::default()) {
        Ok(Card::Unknown) => "?".to_owned(),
        Ok(Card::Held(held)) => held.called.map_or(text(held.piece), |called| format!("{}={}", text(held.piece), text(called))),
        Err(fault) => fault.code.text().to_owned(),
    }
}

#[test]
fn cards_are_written_in_many_ways() {
    let catalog = catalog();
    let plain = load(&catalog, &Selection::of("foster-draw"));
    for written in ["Ah", "ah", "AH", "A♥", "a♡", "ace of hearts", "Ace of Hearts", "the ace of hearts", " Ah ", "ace of the hearts", "A of h"] {
        assert_eq!(card(&plain, written), "Ah", "{written}");
    }
    assert_eq!(card(&plain, "10h"), "Th");
    assert_eq!(card(&plain, "knave of clubs"), "Jc");
    assert_eq!(card(&plain, "?"), "?");
    assert_eq!(card(&plain, "Jk"), "not-in-pack");
    for written in ["1h", "Ax", "", "h", "AhKh", "hearts of ace", "ace hearts", "Ah=", "0h"] {
        assert_eq!(card(&plain, written), "unreadable-card", "{written}");
    }
    let wild = load(&catalog, &Selection { choose: vec![("joker".to_owned(), "mistigris".to_owned())], ..Selection::of("foster-draw") });
    for written in ["Jk", "jk", "joker", "the joker", "mistigris"] {
        assert_eq!(card(&wild, written), "Jk", "{written}");
    }
    assert_eq!(card(&wild, "Jk=Kh"), "Jk=Kh");
    assert_eq!(card(&wild, "joker = king of hearts"), "Jk=Kh");
    assert_eq!(card(&wild, "Jk=Xh"), "unreadable-card");
}

/// A small rulebook with an option, a parameter, an amendment and houses.
const LAYERS: &str = r#"
library few; kind colour = red "r", blue "b"; scale n = one "1", two "2", three "3"; piece tile has n, colour;
rulebook base "The base" follows old; use few;
pieces one tile of each n, colour cites pack;
param most: 1 to 9 = 3 cites most;
param twice = most * 2 cites most;
option play = plain { plain cites p; coloured cites p; }
ranking two of 2 tile by n {
  class pair: groups 2 cites pair;
  class alike under play = coloured and twice > 5: same colour cites alike;
  class rest-of-all: anything inferred "what is left";
  pair beats alike beats rest-of-all cites order;
  pair beats rest-of-all cites order;
  ties otherwise by groups, singles cites ties;
}
amendment colours on base { choose play = coloured; }
amendment low-hands on base cites lowest-wins { set most = 2; in ranking two { replace ties in rest-of-all by every n low; } }
house red-lion "agreed" on base with colours { in ranking two { drop pair beats alike; alike beats pair; } }
house lion-low on red-lion with low-hands { choose play = plain replaces colours; }
house quarrel on base with colours { choose play = plain; }
"#;

fn layers() -> Catalog {
    let mut catalog = Catalog::new();
    catalog.add("layers.hoyle", LAYERS);
    catalog
}

fn classes(rulebook: &Rulebook) -> Vec<&str> {
    rulebook.rankings[0].model.classes.iter().map(|class| class.name.as_str()).collect()
}

fn value<'r>(rulebook: &'r Rulebook, name: &str) -> &'r str {
    &rulebook.settings.iter().find(|setting| setting.name == name).unwrap().value
}

#[test]
fn layers_lie_on_one_another() {
    let catalog = layers();
    let base = load(&catalog, &Selection::of("base"));
    assert_eq!((classes(&base), value(&base, "twice")), (vec!["pair", "rest-of-all"], "6"));
    let house = load(&catalog, &Selection::of("red-lion"));
    assert_eq!(classes(&house), ["alike", "pair", "rest-of-all"]);
    assert_eq!(house.chain, ["base", "red-lion"]);
    let names: Vec<&str> = house.layers.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["few", "base", "colours", "red-lion"]);
    // A house on a house; what it sets works through what is computed from it.
    let low = load(&catalog, &Selection::of("lion-low"));
    assert_eq!((classes(&low), value(&low, "play"), value(&low, "most"), value(&low, "twice")), (vec!["pair", "rest-of-all"], "plain", "2", "4"));
    assert!(low.rankings[0].model.classes[1].keys[0].low);
    assert_eq!(catalog.load(&Selection::of("quarrel")).unwrap_err()[0].code, Code::Overlap);
}

#[test]
fn what_is_asked_for_lies_above_everything() {
    let catalog = layers();
    let pairs = |list: &[(&str, &str)]| list.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect::<Vec<_>>();
    let asked = Selection { set: pairs(&[("most", "9")]), choose: pairs(&[("play", "plain")]), ..Selection::of("red-lion") };
    let rulebook = load(&catalog, &asked);
    assert_eq!((value(&rulebook, "most"), value(&rulebook, "play")), ("9", "plain"));
    let high = Selection { set: pairs(&[("most", "10")]), ..Selection::of("base") };
    assert_eq!(catalog.load(&high).unwrap_err()[0].code, Code::OutOfRange);
    let text = "in ranking two { replace class pair: groups 2 and not same colour; }".to_owned();
    let edited = Selection {
        edits: vec![Edits { layer: "inline".to_owned(), file: FileId(9), text }],
        with: vec!["low-hands".to_owned()],
        ..Selection::of("base")
    };
    let rulebook = load(&catalog, &edited);
    assert_eq!(rulebook.layers.last().unwrap().0, "inline");
    // An amendment that is laid already is not laid twice.
    let twice = Selection { with: vec!["colours".to_owned()], ..Selection::of("red-lion") };
    assert_eq!(load(&catalog, &twice).layers.len(), 4);
}

#[test]
fn every_part_knows_where_it_comes_from() {
    let catalog = layers();
    let rulebook = load(&catalog, &Selection { with: vec!["low-hands".to_owned()], ..Selection::of("red-lion") });
    let ranking = &rulebook.rankings[0];
    let said: Vec<(Mark, &str, String)> = ranking
        .edges
        .iter()
        .map(|edge| {
            (edge.from.mark, edge.from.layer.as_str(), edge.from.cites.iter().map(|citation| citation.id.clone()).collect::<Vec<_>>().join(" "))
        })
        .collect();
    assert!(said.contains(&(Mark::Text, "base", "old.order".to_owned())));
    assert!(said.contains(&(Mark::House, "red-lion", String::new())));
    assert_eq!(ranking.classes.last().unwrap().mark, Mark::Inferred);
    // An amendment that cites speaks for its elements.
    let ties = ranking.ties.last().unwrap().as_ref().unwrap();
    assert_eq!((ties.mark, ties.layer.as_str(), ties.cites[0].id.as_str()), (Mark::Text, "low-hands", "old.lowest-wins"));
    let way: Vec<&str> = ranking.path(0, 1).iter().map(|edge| edge.below.as_str()).collect();
    assert_eq!(way, ["rest-of-all"]);
}

#[test]
fn interfaces_are_mapped_on_each_book() {
    let catalog = catalog();
    let mapped = |book: &str, params: &[(&str, Given)]| {
        let params = params.iter().map(|(name, given)| ((*name).to_owned(), given.clone())).collect();
        load(&catalog, &Selection::of(book))
            .map_params("draw-poker", &params)
            .map(|mapped| format!("{:?} {:?}", mapped.set, mapped.choose))
            .map_err(|no| no.feature)
    };
    let one = |word: &str| Given::One(word.to_owned());
    let many = |words: &[&str]| Given::Many(words.iter().map(|word| (*word).to_owned()).collect());
    assert_eq!(mapped("foster-draw", &[("joker", one("wild"))]).unwrap(), r#"[] [("joker", "mistigris")]"#);
    assert_eq!(mapped("foster-draw", &[("eccentric", many(&["blaze", "skip-straight"]))]).unwrap(), r#"[("admitted", "{ blaze, skip }")] []"#);
    assert_eq!(mapped("foster-draw", &[("joker", one("bug"))]).unwrap_err(), "joker: bug");
    assert_eq!(mapped("hoffmann-draw", &[("joker", one("none"))]).unwrap(), "[] []");
    assert_eq!(mapped("hoffmann-draw", &[("joker", one("wild"))]).unwrap_err(), "joker: wild");
    assert_eq!(mapped("hoffmann-draw", &[("eccentric", many(&[]))]).unwrap(), "[] []");
    assert_eq!(mapped("hoffmann-draw", &[("eccentric", many(&["blaze"]))]).unwrap_err(), "eccentric: blaze");
    assert_eq!(mapped("berkeley-draw", &[("eccentric", many(&["blaze"]))]).unwrap(), r#"[] [("blaze", "played"), ("skip-straight", "off")]"#);
    assert_eq!(mapped("berkeley-draw", &[("eccentric", many(&["tiger"]))]).unwrap_err(), "eccentric: tiger");
}

#[test]
fn the_books_figures_are_recomputed() {
    let catalog = catalog();
    let mut lines = Vec::new();
    for book in ["foster-draw", "hoffmann-draw", "berkeley-draw"] {
        for figure in catalog.figures(&Selection::of(book)).unwrap() {
            let printed = figure.printed.1.map_or(figure.printed.0.to_string(), |to| format!("{} to {to}", figure.printed.0));
            lines.push(format!("{}: {printed} {:?} {}", figure.from.cites[0].id, figure.exact, figure.agreement.word()));
        }
    }
    insta::assert_snapshot!(lines.join("\n"));
}
