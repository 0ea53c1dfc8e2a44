//! Rebuilds when a file is added below an embedded directory: `include_dir!` sees changes of the files it knows, not new ones.

fn main() {
    println!("cargo::rerun-if-changed=spec");
    println!("cargo::rerun-if-changed=conformance/cases");
}
