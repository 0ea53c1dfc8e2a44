//! `hoyle mutate`, tried on a rulebook whose mutants can be counted by hand.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may stop at any surprise")]

use hoyle::cli::{self, Exit, Streams, World};
use hoyle::conformance::{Implementation, Reference, books_of};
use hoyle::rules::Catalog;
use serde_json::Value;

fn catalog() -> Catalog {
    let mut catalog = Catalog::new();
    catalog.add("small.hoyle", std::fs::read_to_string("tests/mutate/small.hoyle").unwrap());
    catalog
}

fn reference() -> Box<dyn Implementation> {
    Box::new(Reference::new(catalog()))
}

/// Runs `hoyle mutate` on the small rulebook with these cases and these judgements.
fn mutate(cases: &str, judged: &str, arguments: &[&str]) -> (Exit, String, String) {
    mutate_in(&World { reference, books: || books_of(catalog()), ..World::default() }, cases, judged, arguments)
}

fn mutate_in(world: &World, cases: &str, judged: &str, arguments: &[&str]) -> (Exit, String, String) {
    let dir = tempfile::tempdir().unwrap();
    let (cases_file, judged_file) = (dir.path().join("cases.yaml"), dir.path().join("judged.yaml"));
    std::fs::write(&cases_file, cases).unwrap();
    std::fs::write(&judged_file, judged).unwrap();
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let mut streams = Streams { out: &mut out, err: &mut err, terminal: false, colour: false };
    let files = ["--cases", cases_file.to_str().unwrap(), "--equivalent", judged_file.to_str().unwrap()];
    let exit = cli::run([&["hoyle", "mutate"], arguments, &files].concat(), &mut streams, world);
    (exit, String::from_utf8(out).unwrap(), String::from_utf8(err).unwrap().replace(dir.path().to_str().unwrap(), "DIR"))
}

fn cases() -> String {
    std::fs::read_to_string("tests/mutate/cases.yaml").unwrap()
}

fn fates(out: &str) -> Vec<(String, String)> {
    let object: Value = serde_json::from_str(out).unwrap();
    let mutants = object["books"].as_array().unwrap().iter().flat_map(|book| book["mutants"].as_array().unwrap());
    mutants.map(|mutant| (mutant["name"].as_str().unwrap().to_owned(), mutant["fate"].as_str().unwrap().to_owned())).collect()
}

fn survivors(cases: &str) -> Vec<String> {
    let (exit, out, err) = mutate(cases, "", &["--thorough", "--format", "json"]);
    assert_eq!((exit, err.as_str()), (Exit::Good, ""));
    fates(&out).into_iter().filter(|(_, fate)| fate != "killed").map(|(name, _)| name).collect()
}

/// Worked out by hand: each of these makes one of the six answers another one.
const ALL: &[&str] = &[
    "flip option rate to costly",
    "drop rule few",
    "turn `rate = cheap` to `rate <> cheap` in rule few",
    "turn `held > 2` to `held >= 2` in rule few",
    "drop rule dear",
    "turn `rate = costly` to `rate <> costly` in rule dear",
    "turn `held > 2` to `held >= 2` in rule dear",
    "drop rule none-for-ten",
    "drop `replaces few` of rule none-for-ten",
    "turn round `replaces few` of rule none-for-ten",
    "drop `replaces dear` of rule none-for-ten",
    "turn round `replaces dear` of rule none-for-ten",
    "turn `held = 10` to `held <> 10` in rule none-for-ten",
];

/// And these, which only a thorough run makes.
const THOROUGH: &[&str] = &[
    "play branch costly of rate as cheap",
    "turn `0` to `1` in question due",
    "drop condition `held > 2` in rule few",
    "turn `2` to `3` in `held > 2` in rule few",
    "drop condition `held > 2` in rule dear",
    "turn `2` to `3` in `held > 2` in rule dear",
    "turn `2` to `3` in `held * 2` in rule dear",
    "drop condition `held = 10` in rule none-for-ten",
    "turn `10` to `11` in `held = 10` in rule none-for-ten",
    "turn `0` to `1` in rule none-for-ten",
];

#[test]
fn every_mistake_in_a_small_rulebook_is_noticed() {
    let killed = |names: &[&str]| -> Vec<(String, String)> { names.iter().map(|name| ((*name).to_owned(), "killed".to_owned())).collect() };
    let arguments = ["small", "--format", "json", "--at-least", "100", "--jobs", "1"];
    for thorough in [false, true] {
        let more = if thorough { &["--thorough"][..] } else { &[] };
        let (exit, out, err) = mutate(&cases(), "", &[&arguments, more].concat());
        assert_eq!((exit, err.as_str()), (Exit::Good, ""));
        let all = if thorough { [ALL, THOROUGH].concat() } else { ALL.to_vec() };
        assert_eq!(fates(&out), killed(&all));
        let object: Value = serde_json::from_str(&out).unwrap();
        let books = object["books"].as_array().unwrap();
        assert_eq!(books.len(), usize::from(thorough) + 1);
        for (book, (is_thorough, names)) in books.iter().zip([(false, ALL), (true, THOROUGH)]) {
            let number = |key: &str| book[key].as_u64().unwrap();
            let found = (number("cases"), number("killed"), number("survived"), number("inferred"), number("invalid"), number("failing"));
            assert_eq!(found, (3, names.len() as u64, 0, 0, 0, 0));
            assert_eq!((book["thorough"].as_bool(), book["percent"].as_f64()), (Some(is_thorough), Some(100.0)));
        }
    }
}

#[test]
fn without_a_case_survives_what_it_alone_noticed() {
    let all = cases();
    let parts: Vec<&str> = all.split("\n\n").collect();
    assert_eq!(parts.len(), 3);
    let without_ten = [parts[0], parts[2]].join("\n\n");
    assert_eq!(survivors(&without_ten), ["drop `replaces few` of rule none-for-ten", "turn round `replaces few` of rule none-for-ten"]);
    let rows = |row: &str| all.lines().filter(|line| !line.contains(row)).map(|line| format!("{line}\n")).collect::<String>();
    // Both rows of two go, and nobody asks for nothing below three.
    let without_two = survivors(&rows("    two:"));
    let wanted = [ALL[3], ALL[6], THOROUGH[1], THOROUGH[2], THOROUGH[4]];
    assert_eq!(without_two, wanted);
    let proposed = all.replacen("status: accepted\n  position: due\n  given", "status: proposed\n  position: due\n  given", 1);
    assert_eq!(survivors(&proposed).len(), 2, "a proposed case does not count");
}

#[test]
fn survivors_are_told_with_their_place_and_the_score_is_held_to() {
    let all = cases();
    let parts: Vec<&str> = all.split("\n\n").collect();
    let some = [parts[0], parts[2]].join("\n\n");
    let judged = "- rulebook: small\n  mutant: \"drop `replaces few` of rule none-for-ten\"\n  reason: It is tried.\n\
                  - rulebook: small\n  mutant: drop rule few\n  reason: It is not true.\n\
                  - rulebook: small\n  mutant: drop rule fewer\n  reason: There is none.\n\
                  - rulebook: small\n  mutant: \"turn `0` to `1` in question due\"\n  reason: Only a thorough run makes it.\n";
    let (exit, out, err) = mutate(&some, judged, &["--at-least", "92"]);
    assert_eq!(exit, Exit::Differs);
    insta::assert_snapshot!(format!("{out}\n{err}"));
    let (exit, _, _) = mutate(&some, judged, &["--at-least", "91"]);
    assert_eq!(exit, Exit::Good);
}

/// The small rulebook, with one rule that is marked as ours.
fn ours() -> Catalog {
    let small = std::fs::read_to_string("tests/mutate/small.hoyle").unwrap();
    let mut catalog = Catalog::new();
    catalog.add("small.hoyle", small.replacen("replaces few, dear {", "replaces few, dear inferred \"nobody pays twice\" {", 1));
    catalog
}

/// Nobody asks for ten, so that whatever is said of it survives; the word `inferred` says whose it is.
#[test]
fn what_is_inferred_stands_outside_the_score() {
    let all = cases();
    let parts: Vec<&str> = all.split("\n\n").collect();
    let without_ten: String =
        [parts[0], parts[2]].join("\n\n").lines().filter(|line| !line.contains("ten:")).map(|line| format!("{line}\n")).collect();
    let (exit, _, _) = mutate(&without_ten, "", &["--at-least", "100"]);
    assert_eq!(exit, Exit::Differs);
    let world = World { reference: || Box::new(Reference::new(ours())), books: || books_of(ours()), ..World::default() };
    let (exit, out, err) = mutate_in(&world, &without_ten, "", &["--at-least", "100"]);
    assert_eq!((exit, err.as_str()), (Exit::Good, ""), "{out}");
    insta::assert_snapshot!(out);
}

#[test]
fn the_nearest_that_says_where_it_comes_from_speaks_for_a_line() {
    let mut catalog = Catalog::new();
    let rulebook = "rulebook ops \"operators\" follows none;\nseats 2;\n\
                    procedure act cites hoffmann.nap.follow-suit {\n  if 1 = 2 { again; }\n  each p in seats inferred \"ours\" {\n    \
                    if 2 = 3 { again; }\n    each q in seats cites hoffmann.nap.follow-suit { if 3 = 4 { again; } }\n  }\n}\n\
                    option rate = cheap { cheap cites hoffmann.nap.follow-suit; costly inferred \"ours\"; }\n\
                    option wait = long { long inferred \"ours\"; short cites hoffmann.nap.follow-suit; }\n";
    catalog.add("ops.hoyle", rulebook);
    let mutants = hoyle::rules::mutation::mutants(&catalog, "ops").into_iter().filter(|mutant| !mutant.thorough);
    let told: Vec<(String, bool)> = mutants.map(|mutant| (mutant.name, mutant.inferred)).collect();
    let wanted = [
        ("turn `1 = 2` to `1 <> 2` in procedure act", false),
        ("turn `2 = 3` to `2 <> 3` in procedure act", true),
        ("turn `3 = 4` to `3 <> 4` in procedure act", false),
        ("flip option rate to costly", false),
        ("flip option wait to short", true),
    ];
    assert_eq!(told, wanted.map(|(name, inferred)| (name.to_owned(), inferred)));
}

#[test]
fn what_cannot_be_asked_is_told() {
    for (arguments, judged, says) in [
        (&["smal"][..], "", "did you mean `small`?"),
        (&["--only", "no such mutant"], "", "no mutant has `no such mutant` in its name"),
        (&["--at-least", "101"], "", "101 is not in 0..=100"),
        (&[], "- mutant: drop rule few\n", "a judgement has no `rulebook`"),
        (&[], "- rulebok: small\n", "did you mean `rulebook`?"),
    ] {
        let (exit, out, err) = mutate(&cases(), judged, arguments);
        assert_eq!((exit, out.as_str()), (Exit::Usage, ""), "{arguments:?}");
        assert!(err.contains(says), "{err}");
    }
}

/// The names of all mutants of a rulebook.
fn names(text: &str) -> Vec<String> {
    let mut catalog = Catalog::new();
    catalog.add("ops.hoyle", text);
    catalog.add("lib.hoyle", LIBRARY);
    hoyle::rules::mutation::mutants(&catalog, "ops").into_iter().map(|mutant| mutant.name).collect()
}

const LIBRARY: &str = "library lib \"a library\";
account box of seat, may owe;
question pays(p: seat) -> truth;
def nothing = 0;
def unused = 7;
procedure sitting { each p in seats { duty p go => pay 1 from box(p) to box(p); } }
procedure nowhere { pause; }
stock rule all-pay on pays { is yes; }
stock rule none-pays on pays { is no; }
";

fn of_body(body: &str) -> Vec<String> {
    names(&format!("rulebook ops \"operators\" follows none;\nuse lib;\nseats 2;\n{body}\n"))
}

#[test]
fn every_operator_has_its_mutants() {
    let def = |value: &str| of_body(&format!("def one = {value};"));
    assert_eq!(
        def("1 < 2"),
        [
            "turn `1 < 2` to `1 <= 2` in definition one",
            "turn `1` to `2` in `1 < 2` in definition one",
            "turn `2` to `3` in `1 < 2` in definition one"
        ]
    );
    let turned = |value: &str| def(value).into_iter().next().unwrap();
    for (from, to) in [
        ("1 <= 2", "1 < 2"),
        ("1 > 2", "1 >= 2"),
        ("1 >= 2", "1 > 2"),
        ("1 = 2", "1 <> 2"),
        ("1 <> 2", "1 = 2"),
        ("1 in { 2 }", "1 not in { 2 }"),
        ("1 = 1 and 2 = 2", "1 = 1 or 2 = 2"),
        ("1 = 1 or 2 = 2", "1 = 1 and 2 = 2"),
        ("any q in seats: q = q", "every q in seats: q = q"),
        ("seats is empty", "seats is not empty"),
        ("highest q in seats by 1", "lowest q in seats by 1"),
        ("yes", "no"),
        ("5", "6"),
    ] {
        assert_eq!(turned(from), format!("turn `{from}` to `{to}` in definition one"));
    }
    let long = ["1 = 1"; 12].join(" or ");
    assert_eq!(turned(&long), format!("turn `or` to `and` in `{}...` in definition one", &long[..57]));
    let long = format!("{} < 2", ["1"; 20].join(" + "));
    assert_eq!(turned(&long), format!("turn `<` to `<=` in `{}...` in definition one", &long[..57]));
    assert_eq!(turned("1 < 2 <= 3"), "turn `1 < 2 <= 3` to `1 <= 2 <= 3` in definition one");
    assert_eq!(
        of_body("procedure act { each p in seats { duty p go => stands; pause; } if 1 = 2 { again; } }"),
        [
            "drop procedure act",
            "drop `duty go` in procedure act",
            "drop `pause` in procedure act",
            "turn `1 = 2` to `1 <> 2` in procedure act",
            "turn `1` to `2` in `1 = 2` in procedure act",
            "turn `2` to `3` in `1 = 2` in procedure act",
            "drop `again` in procedure act",
        ]
    );
    assert_eq!(
        of_body("procedure act { offer the only of seats { | go when yes => stands; | stay => stands; } }"),
        [
            "drop procedure act",
            "drop `offer` in procedure act",
            "drop act `go` in procedure act",
            "drop condition `yes` in procedure act",
            "turn `yes` to `no` in procedure act",
            "drop act `stay` in procedure act"
        ]
    );
    let conditions = of_body("question q(p: seat) -> number;\nrule r on q { when p = p and 1 = 1 and 2 = 2; is 3; }");
    let dropped: Vec<&String> = conditions.iter().filter(|name| name.starts_with("drop condition")).collect();
    assert_eq!(dropped, ["drop condition `p = p` in rule r", "drop condition `1 = 1` in rule r", "drop condition `2 = 2` in rule r"]);
}

#[test]
fn names_stay_apart_and_libraries_are_mutated_where_they_are_used() {
    assert_eq!(
        of_body("def one = 1 = 1;"),
        [
            "turn `1 = 1` to `1 <> 1` in definition one",
            "turn `1` to `2` in `1 = 1` in definition one",
            "turn `1` to `2` in `1 = 1` in definition one (2)"
        ]
    );
    assert_eq!(
        of_body("adopt all-pay;\nprocedure act { sitting(); }"),
        [
            "drop adopt all-pay",
            "drop procedure act",
            "drop `sitting()` in procedure act",
            "drop may owe of box of library lib",
            "drop procedure sitting of library lib",
            "drop `duty go` in procedure sitting of library lib",
            "drop `pay 1 from box(p) to box(p)` in procedure sitting of library lib",
            "turn `1` to `2` in `pay 1 from box(p) to box(p)` in procedure sitting of library lib",
            "turn `yes` to `no` in rule all-pay of library lib",
        ]
    );
}

#[test]
fn what_fails_the_check_or_changes_nothing_is_left_out() {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let mut streams = Streams { out: &mut out, err: &mut err, terminal: false, colour: false };
    let arguments = ["hoyle", "mutate", "hoffmann-draw", "--only", "full beats flush", "--format", "json"];
    assert_eq!(cli::run(arguments, &mut streams, &World::default()), Exit::Good);
    let wanted = [("drop full beats flush", "invalid"), ("turn round full beats flush", "killed")];
    let fates = fates(&String::from_utf8(out).unwrap());
    assert_eq!(fates.iter().map(|(name, fate)| (name.as_str(), fate.as_str())).collect::<Vec<_>>(), wanted);
    assert!(err.is_empty());

    // With a blaze between them, triplets beat two pairs by way of it; the edge is told and decides nothing.
    let mut catalog = Catalog::embedded();
    let standing = |catalog: &Catalog, rulebook: &str, name: &str| {
        let original = hoyle::rules::mutation::Original::of(catalog, rulebook).unwrap();
        let mutants = hoyle::rules::mutation::mutants(catalog, rulebook);
        let mutant = mutants.iter().find(|mutant| mutant.name == name).unwrap();
        original.mutated(catalog, mutant).map(|mutated| format!("{:?}", original.standing(&mutated.prepared)))
    };
    assert_eq!(standing(&catalog, "berkeley-draw", "drop triplets beats two-pairs").as_deref(), Some("Equivalent"));
    assert_eq!(standing(&catalog, "berkeley-draw", "drop flush beats sequence"), None);
    // No case can set it but by an edit, and the checker tries no other value; it is a parameter all the same.
    assert_eq!(standing(&catalog, "hoffmann-nap", "ignore parameter most-bought").as_deref(), Some("Sound"));
    // Sound as it is, and in error where the option is chosen.
    let text = "rulebook ops \"operators\" follows none;\nkind suit = clubs \"c\", spades \"s\";\npiece card has suit;\npieces one card of each suit;\n\
                option ranks = plain { plain; more; }\nranking hands of 1 card {\n  class black: any suit in { clubs };\n  class other: anything;\n  \
                class pike under ranks = more: any suit in { spades };\n  black beats other;\n  pike beats black;\n}\n";
    catalog.add("ops.hoyle", text);
    assert_eq!(standing(&catalog, "ops", "drop pike beats black").as_deref(), Some("Invalid"));
    assert_eq!(standing(&catalog, "ops", "turn round pike beats black").as_deref(), Some("Sound"));
}
