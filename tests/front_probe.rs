use hoyle::source::FileId;
#[test]
fn probe() {
    for path in std::env::var("PROBE").unwrap().split(' ') {
        let text = std::fs::read_to_string(path).unwrap();
        let begin = std::time::Instant::now();
        let mut n = 0;
        let mut result = hoyle::syntax::parse::file(FileId(0), &text);
        while begin.elapsed().as_millis() < 300 {
            n += 1;
            result = hoyle::syntax::parse::file(FileId(0), &text);
        }
        println!(
            "{path}: {} lines {} bytes, {} declarations, {:.3} ms",
            text.lines().count(),
            text.len(),
            result.0.declarations.len(),
            begin.elapsed().as_secs_f64() * 1000.0 / n as f64
        );
        for fault in result.1 {
            let s = fault.labels[0].span;
            println!(
                "  {:?} {} at {:?} {:?} {:?}",
                fault.code,
                fault.message,
                s,
                text.get(s.start as usize..(s.end as usize).min(s.start as usize + 30)),
                fault.help
            );
        }
    }
}
