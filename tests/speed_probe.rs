use hoyle::rules::{Catalog, Selection};
use std::time::Instant;
#[test]
fn probe() {
    let mut texts = Vec::new();
    for folder in ["spec/lib", "spec/poker"] {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            texts.push((path.display().to_string(), std::fs::read_to_string(&path).unwrap()));
        }
    }
    for _ in 0..3 {
        let start = Instant::now();
        let mut catalog = Catalog::new();
        for (name, text) in &texts { catalog.add(name.clone(), text.clone()); }
        let added = start.elapsed();
        let rulebook = catalog.load(&Selection::of("foster-draw")).unwrap();
        let loaded = start.elapsed();
        let again = Instant::now();
        catalog.load(&Selection::of("foster-draw")).unwrap();
        let again = again.elapsed();
        let compile = Instant::now();
        rulebook.rankings[0].model.compile().unwrap();
        let compile = compile.elapsed();
        let ranking = Instant::now();
        let faults = hoyle::rules::check(&catalog, &Selection::of("foster-draw"), None);
        let checked = ranking.elapsed();
        let all = Instant::now();
        let more = hoyle::rules::check_all(&catalog, None);
        let all = all.elapsed();
        eprintln!("headers {added:?} load {loaded:?} again {again:?} compile {compile:?} check {checked:?} ({}) all {all:?} ({})", faults.len(), more.len());
    }
}
