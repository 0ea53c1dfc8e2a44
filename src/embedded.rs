//! Files that the binary carries: it needs no installation and no network.

use include_dir::{Dir, include_dir};

/// `spec/`: the library, the rulebooks, the inventory of the books' statements.
pub static SPEC: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/spec");

/// `conformance/cases/`
pub static CASES: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/conformance/cases");

/// `conformance/equivalent-mutants.yaml`, with its name.
pub static JUDGEMENTS: (&str, &str) =
    ("conformance/equivalent-mutants.yaml", include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/conformance/equivalent-mutants.yaml")));

/// Name (below `root`) and text of every UTF-8 file of `dir` that ends so, in order of name.
pub fn texts(dir: &Dir<'static>, root: &str, extension: &str) -> Vec<(String, &'static str)> {
    let mut texts = Vec::new();
    collect(dir, root, extension, &mut texts);
    texts.sort();
    texts
}

fn collect(dir: &Dir<'static>, root: &str, extension: &str, texts: &mut Vec<(String, &'static str)>) {
    for file in dir.files() {
        let wanted = file.path().extension().is_some_and(|found| found == extension);
        if let Some(text) = file.contents_utf8().filter(|_| wanted) {
            texts.push((format!("{root}/{}", file.path().display()), text));
        }
    }
    for inner in dir.dirs() {
        collect(inner, root, extension, texts);
    }
}
