//! Random programs: they are programs, the judge decides most of them, and it does not matter
//! whether power fails everywhere or only where that can make a difference.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "this is a test"
)]

use std::collections::BTreeSet;

use brownout_oracle::{Judged, Options, Policy, Subject, Verdict, generate, judge, own_effects};

/// What writes are to blame for: lines, objects and effects.
fn blames(judged: &[Judged]) -> BTreeSet<(u32, String, String)> {
    let blames = judged.iter().flat_map(|after| {
        let effects = own_effects(judged, after).into_iter();
        effects.map(|effect| {
            let object = after.failure.write().map(|write| write.object.clone());
            let line = after.failure.line;
            (line, object.unwrap_or_default(), effect.subject())
        })
    });
    blames.collect()
}

#[test]
fn most_random_programs_are_decided() {
    let (mut failures, mut harm, mut undecided) = (0, 0, 0);
    let mut harmful = 0;
    const CASES: u64 = 400;
    for seed in 0..CASES {
        let case = generate(seed);
        if let Err(problems) = brownout_ir::verify::verify(&case.program) {
            panic!("{seed}: {}\n{}", problems[0], case.program);
        }
        let judged = case
            .judge()
            .unwrap_or_else(|error| panic!("{seed}: {error}"));
        let is_harm = |judged: &Judged| matches!(judged.verdict, Verdict::Harm(_));
        harmful += u64::from(judged.iter().any(is_harm));
        failures += judged.len();
        harm += judged.iter().filter(|judged| is_harm(judged)).count();
        let is_undecided = |judged: &&Judged| matches!(judged.verdict, Verdict::Undecided(_));
        undecided += judged.iter().filter(is_undecided).count();
    }
    let figures = format!(
        "{failures} failures, {harm} do harm, {undecided} undecided; {harmful} of {CASES} programs harmful"
    );
    assert!(undecided * 10 < failures, "{figures}");
    assert!(
        harm * 10 > failures && harm * 10 < 9 * failures,
        "{figures}"
    );
    assert!((CASES / 4..CASES).contains(&harmful), "{figures}");
}

#[test]
fn failing_after_every_instruction_blames_the_same_writes() {
    for seed in 1000..1060 {
        let case = generate(seed);
        if matches!(case.setting.policy, Policy::Reactive { .. }) {
            continue;
        }
        let subject = Subject::new(&case.program, &case.setting).expect("a subject");
        let some = judge(&subject, &case.options);
        let options = Options {
            every_instruction: true,
            ..case.options.clone()
        };
        let all = judge(&subject, &options);
        assert_eq!(blames(&some), blames(&all), "{seed}\n{}", case.c);
    }
}
