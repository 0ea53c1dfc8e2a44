//! Rulebooks as they stand: loaded, ranked, checked.

use hoyle::diagnostic::render;
use hoyle::rules::{Catalog, Hand, Rulebook, Selection, Why};
use hoyle::source::FileId;

fn catalog() -> Catalog {
    let mut catalog = Catalog::new();
    for folder in ["spec/lib", "spec/poker"] {
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
