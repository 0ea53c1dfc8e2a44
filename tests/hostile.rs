//! Texts that were written to hurt a parser: it must answer soon, and must not panic.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on shall stop")]

use std::time::{Duration, Instant};

use hoyle::diagnostic::{Code, Diagnostic};
use hoyle::source::FileId;
use hoyle::syntax::parse::{expression, file, limits};

/// Generous, for slow machines and busy ones; all of these take milliseconds on an idle one.
const SOON: Duration = Duration::from_secs(5);

fn soon(what: &str, text: &str) -> Vec<Diagnostic> {
    let begin = Instant::now();
    let (_, faults) = file(FileId(0), text);
    let (_, more) = expression(FileId(0), text);
    let taken = begin.elapsed();
    assert!(taken < SOON, "{what}: {taken:?}");
    assert!(faults.iter().chain(&more).all(|fault| { fault.labels.first().is_some_and(|main| main.span.end as usize <= text.len()) }));
    faults
}

/// A text of about `size` bytes, in lines of lawful length.
fn much(piece: &str, size: usize) -> String {
    let line: String = piece.repeat(1000 / piece.len() + 1) + "\n";
    line.repeat(size / line.len())
}

#[test]
fn repeated_pieces_of_syntax() {
    let pieces = [
        "(",
        ")",
        "{",
        "}",
        "[",
        "]",
        "\"",
        "#",
        ";",
        ",",
        "x;",
        "a beats ",
        "not not not ",
        "if if if ",
        "if a then ",
        "maybe ",
        "- ",
        "a + ",
        "a.b",
        "_",
        "param ",
        "param a = 1; ",
        "param a = ",
        "rule a on b { ",
        "house a on b { ",
        "house a on b { } ",
        "rule a on b { if c { ",
        "each p in q ",
        "first of ",
        "last a since ",
        "any x in ",
        "highest x in (",
        "{ (",
        "f(",
        "[f(",
        "table ",
        "class a: ",
        "not (",
        "9",
        "99999999999999999999 ",
        "cites a, ",
        "inferred \"x\" ",
        "é",
        "“",
        "\u{0}",
        "in ranking a { under b { ",
        "house a on b { in ranking c {",
        "a and ",
        "a < ",
        "a is known ",
        "a in ",
        "| a => ",
        ":= ",
        "=> ",
        "param a = 1 ",
    ];
    for piece in pieces {
        soon(piece, &much(piece, limits::LARGEST_FILE));
        let some = much(piece, limits::LARGEST_FILE / 8);
        soon(piece, &format!("param a = {some}"));
        soon(piece, &format!("rule a on b {{ {some}"));
        soon(piece, &format!("ranking a of 5 card {{ class b: {some}"));
        soon(piece, &format!("house a on b {{ {some}"));
    }
}

#[test]
fn deep_but_lawful_brackets_are_read_at_once() {
    let deep = |open: &str, close: &str| format!("{}x{}", open.repeat(limits::DEEPEST_BRACKETS), close.repeat(limits::DEEPEST_BRACKETS));
    let shapes = [
        ("(", ")"),
        ("{", "}"),
        ("[", "]"),
        ("f(", ")"),
        ("a + (", ") + b"),
        ("not (", ")"),
        ("-(", ").n"),
        ("f(1, ", ", 2)"),
        ("count(", ")"),
        ("(a) in (", ")"),
        ("any x in (", ")"),
        ("every x in (", ") where y: z"),
        ("highest q in (", ") by r along s"),
        ("lowest (", ")"),
        ("table (", ") { a: b; }"),
        ("if (", ") then a else b"),
        ("sum of (", ") for x in y"),
        ("best of (", ") under r"),
        ("has a(", ")"),
        ("last a(", ") by not p since start of deal"),
        ("cycle(", ") at n"),
        ("run of (", ") by rank"),
        ("left of (", ") among s"),
        ("a before (", ")"),
    ];
    for (open, close) in shapes {
        let text = format!("def a = {};", deep(open, close));
        let begin = Instant::now();
        let (tree, faults) = file(FileId(0), &text);
        assert!(begin.elapsed() < Duration::from_millis(500), "{open}: {:?}", begin.elapsed());
        assert_eq!(faults, [], "{open}");
        assert_eq!(tree.declarations.len(), 1, "{open}");
        // The same with something missing at the very inside, where backtracking would show.
        soon(open, &text.replace('x', "x x"));
        soon(open, &text.replace('x', ""));
    }
    let pattern = format!("ranking a of 5 card {{ class b: {}; }}", "(".repeat(63) + "natural" + &")".repeat(63));
    assert_eq!(soon("pattern", &pattern), []);
    soon("pattern", &pattern.replace("natural", "natural natural"));
    let blocks = format!("rule a on b {}{}", "{".repeat(64), "}".repeat(64));
    assert_eq!(soon("blocks", &blocks), []);
    let ifs = format!("rule a on b {}{}", "{ if x ".repeat(60), "{} }".repeat(60));
    soon("ifs", &ifs);
    let unders = format!("ranking a of 5 card {{ {} {} }}", "under x {".repeat(63), "}".repeat(63));
    assert_eq!(soon("under", &unders), []);
    let houses = format!("{} {}", "house a on b {".repeat(64), "}".repeat(64));
    assert_eq!(soon("houses", &houses), []);
    soon("houses", &houses.replace("{ }", "{ ? }"));
}

#[test]
fn what_nests_without_brackets_is_limited_too() {
    for piece in [
        "not ",
        "- ",
        "if a then b else ",
        "maybe ",
        "first of ",
        "any x in ",
        "last a since ",
        "the only of ",
        "highest ",
        "table ",
        "sum of ",
        "f + ",
        "a < ",
        "x and ",
        "y or ",
    ] {
        for count in [10, 100, 150, 199, 1000, 5000] {
            let many = much(piece, piece.len() * count);
            let text = format!("def a = {many}x;\nparam a: {many}x = 1;");
            let faults = soon(piece, &text);
            assert!(faults.iter().all(|fault| matches!(fault.code, Code::Syntax | Code::TooDeep | Code::ReservedWord)), "{faults:?}");
        }
    }
    let codes = |text: &str| -> Vec<Code> { soon("", text).iter().map(|fault| fault.code).collect() };
    assert_eq!(codes(&format!("def a = {}1;", "1 + ".repeat(190))), []);
    assert_eq!(codes(&format!("def a = {}1;", "1 + ".repeat(500))), [Code::TooDeep]);
    assert_eq!(codes(&format!("def a = {}1;", "- ".repeat(5000))), [Code::TooDeep]);
    assert_eq!(codes(&format!("def a = x{};", ".y".repeat(5000))), [Code::TooDeep]);
    assert_eq!(codes(&format!("def a = x{};", " is known".repeat(5000))), [Code::TooDeep]);
    assert_eq!(codes(&format!("def a = {}x;", "if a then b else ".repeat(201))), [Code::TooDeep]);
    assert_eq!(codes(&format!("rule a on b {{ if c {{ }} {} }}", "else if c { }".repeat(190))), []);
    assert_eq!(codes(&format!("rule a on b {{ if c {{ }} {} }}", "else if c { }".repeat(900))), [Code::TooDeep]);
}

#[test]
fn random_bytes_and_mixtures() {
    let words = [
        "param", "rule", "house", "on", "in", "ranking", "class", "beats", "{", "}", "(", ")", "[", "]", ";", ",", ":", "=", "=>", "if", "then",
        "else", "not", "and", "of", "first", "any", "x", "y", "12", "\"t\"", "\"", "# c\n", "\n", "by", "to", "|", "offer", "each", "cites", "a.b",
        "-", "+", "is", "known", "seats",
    ];
    let mut seed = 0x2545_f491_4f6c_dd1d_u64;
    let mut next = move |below: usize| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        usize::try_from(seed >> 33).unwrap() % below
    };
    for _ in 0..20 {
        let bytes: Vec<u8> = (0..60_000).map(|_| u8::try_from(next(256)).unwrap()).collect();
        soon("bytes", &String::from_utf8_lossy(&bytes));
        let mixture: Vec<&str> = (0..20_000).map(|_| words[next(words.len())]).collect();
        soon("mixture", &mixture.join(" "));
    }
}

#[test]
fn what_is_too_large_is_not_read() {
    let codes = |text: &str| -> Vec<Code> { soon("large", text).iter().map(|fault| fault.code).collect() };
    let begin = Instant::now();
    assert_eq!(codes(&"param a = 1;\n".repeat(800_000)), [Code::TooLarge]);
    assert_eq!(codes(&"x".repeat(10_000_000)), [Code::TooLarge]);
    assert_eq!(codes(&format!("# {}", "x".repeat(70_000))), [Code::TooLarge]);
    assert!(begin.elapsed() < Duration::from_secs(2), "{:?}", begin.elapsed());
    assert_eq!(codes("param a = 9223372036854775808;\nparam b = 9223372036854775807;"), [Code::NumberTooLarge]);
}
