//! Any text gets a verdict, and one that only tightens when a write is added.

#![no_main]

use libfuzzer_sys::fuzz_target;
use planwright_shell::{Context, Verdict, directories, judge, neutralised, parts, raw_words};

fuzz_target!(|text: &str| {
    let context = Context::default();
    let verdict = judge(text, &context);
    if let Verdict::Mutating(reason) | Verdict::Unknown(reason) = &verdict {
        assert_eq!(text.get(reason.span.clone()), Some(reason.word.as_str()));
    }
    let _ = (directories(text), neutralised(text), raw_words(text));
    if parts(text).is_ok() && !text.ends_with('\\') {
        let more = judge(&format!("{text}\nrm x"), &context);
        assert!(more != Verdict::ReadOnly, "a write after a line end was not seen");
    }
});
