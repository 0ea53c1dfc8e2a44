//! What README.md shows is what happens: every `$ hoyle …` in a ```text or ```console block is run, in an empty directory, and must answer what
//! stands below it.
//!
//! A ```hoyle or ```text block whose first line is `# FILE: name.hoyle` is written there first, without that line. The answer is standard output, then standard
//! error, up to the next line that begins with `$ ` or the end of the block; blank lines at its end do not count. `$ cargo …` lines are run by
//! `.ci/run`.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on shall stop")]

mod cli_support;

use std::fs;
use std::path::Path;

use cli_support::{Ran, hoyle, table};

/// A command that the page shows, with its line and what should come of it.
#[derive(Debug)]
struct Shown {
    line: usize,
    command: String,
    answer: String,
}

/// What a page shows: files with their texts, commands with their answers.
#[derive(Debug, Default)]
struct Page {
    files: Vec<(String, String)>,
    commands: Vec<Shown>,
}

fn read(text: &str) -> Page {
    let mut page = Page::default();
    let mut lines = text.lines().enumerate();
    while let Some((_, line)) = lines.next() {
        let Some(head) = line.strip_prefix("```") else { continue };
        let block: Vec<(usize, &str)> = lines.by_ref().take_while(|(_, line)| !line.starts_with("```")).collect();
        match head.trim() {
            "hoyle" => page.files.extend(file(&block)),
            "text" if block.first().is_some_and(|(_, first)| first.starts_with("# FILE: ")) => page.files.extend(file(&block)),
            "text" | "console" => commands(&block, &mut page.commands),
            _ => {}
        }
    }
    page
}

/// Name and text of a block that is a file.
fn file(block: &[(usize, &str)]) -> Option<(String, String)> {
    let ((_, first), rest) = block.split_first()?;
    let name = first.strip_prefix("# FILE: ")?.trim();
    Some((name.to_owned(), rest.iter().map(|(_, line)| format!("{line}\n")).collect()))
}

fn commands(block: &[(usize, &str)], found: &mut Vec<Shown>) {
    let mut open: Option<Shown> = None;
    for (number, line) in block {
        if let Some(command) = line.strip_prefix("$ ") {
            found.extend(open.take());
            open = Some(Shown { line: number + 1, command: command.trim().to_owned(), answer: String::new() });
        } else if let Some(shown) = &mut open {
            shown.answer.push_str(line);
            shown.answer.push('\n');
        }
    }
    found.extend(open);
}

/// The words of a command line, as a shell cuts it: quotes hold words together.
fn words(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for sign in command.chars() {
        match (sign, quote) {
            ('"' | '\'', None) => {
                quote = Some(sign);
                word.get_or_insert_default();
            }
            (_, Some(open)) if sign == open => quote = None,
            (' ', None) => words.extend(word.take()),
            _ => word.get_or_insert_default().push(sign),
        }
    }
    assert!(quote.is_none(), "a quote is not closed: {command}");
    words.extend(word);
    words
}

/// Number of commands that were run, and how their answers differ from those shown.
fn run(page: &Page, dir: &Path) -> (usize, Vec<String>) {
    for (name, text) in &page.files {
        let path = dir.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let mut count = 0;
    let mut differ = Vec::new();
    for Shown { line, command, answer } in &page.commands {
        let words = words(command);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let Some((&"hoyle", arguments)) = words.split_first() else {
            // `.ci/run` runs these; anything else would not be run by anybody.
            if words.first() != Some(&"cargo") {
                differ.push(format!("line {line}: nobody runs `{command}`"));
            }
            continue;
        };
        count += 1;
        if arguments.iter().any(|word| ["|", ">", "<", "&&", ";"].contains(word)) {
            differ.push(format!("line {line}: `{command}` needs a shell, and the test has none"));
            continue;
        }
        let Ran { out, err, .. } = hoyle(dir, arguments);
        let said = format!("{out}{err}");
        // An editor may take blanks from the ends of lines.
        let bare = |text: &str| text.lines().map(str::trim_end).collect::<Vec<_>>().join("\n").trim_end().to_owned();
        if bare(&said) != bare(answer) {
            differ.push(format!("line {line}: `{command}` answers\n{said}\nand README.md shows\n{answer}"));
        }
    }
    (count, differ)
}

#[test]
fn every_command_answers_what_is_shown() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("README.md cannot be read: {error}"));
    let dir = table();
    let (count, differ) = run(&read(&text), dir.path());
    assert!(count > 0, "README.md shows no command");
    assert!(differ.is_empty(), "{}", differ.join("\n"));
}

const SMALL: &str = r#"# A page

```hoyle
# FILE: ours.hoyle
house ours "with a joker" on foster-draw {
  choose joker = mistigris;
}
```

```console
$ cargo test
whatever
$ hoyle check ours.hoyle
1 file, 0 errors, 0 warnings
$ hoyle rank ours.hoyle "Jk 9c 9d 2s 3h"
ours, joker = mistigris: with a joker

  1. Jk 9c 9d 2s 3h  threes: three nines, then three, two, then one wild; Jk stands for 9c
```

```text
$ hoyle odds bridg

error[unknown-name]: there is no rulebook and no house `bridg`
```

```sh
$ hoyle this is not run
```
"#;

#[test]
fn a_page_is_run_and_its_mistakes_are_found() {
    let dir = table();
    let page = read(SMALL);
    assert_eq!(page.files.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ["ours.hoyle"]);
    let (count, differ) = run(&page, dir.path());
    assert_eq!((count, differ.len()), (3, 1), "{differ:#?}");
    assert!(differ.concat().starts_with("line 22: `hoyle odds bridg` answers\nerror[unknown-name]"), "{differ:#?}");
    let fails = |text: &str| !run(&read(text), dir.path()).1.is_empty();
    assert!(!fails("```text\n$ hoyle check ours.hoyle\n1 file, 0 errors, 0 warnings\n```\n"));
    assert!(fails("```text\n$ hoyle check ours.hoyle\n```\n"), "an answer that is left out");
    assert!(fails("```text\n$ hoyle check | head\n```\n"), "a pipe");
    assert!(fails("```text\n$ ls\n```\n"), "a command that nobody runs");
}

#[test]
fn command_lines_are_cut_as_a_shell_cuts_them() {
    assert_eq!(
        words(r#"hoyle rank foster-draw "Ah Kh" 'Qs  Js' --set=a="{ b }" """#),
        ["hoyle", "rank", "foster-draw", "Ah Kh", "Qs  Js", "--set=a={ b }", ""]
    );
}
