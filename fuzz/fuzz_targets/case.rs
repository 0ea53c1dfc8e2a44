//! Any text at all, read as a file of cases: faults, never a crash, and every place lies inside the text.

#![no_main]

use hoyle::conformance::load;
use hoyle::source::FileId;

libfuzzer_sys::fuzz_target!(|text: &str| {
    let (_, faults) = load::file(FileId(0), text);
    for span in faults.iter().flat_map(|fault| &fault.labels).map(|label| label.span) {
        assert!(text.get(span.start as usize..span.end as usize).is_some(), "{span:?}");
    }
});
