//! Random programs: they are programs, the judge decides most of them, and it does not matter
//! whether power fails everywhere or only where that can make a difference.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "this is a test"
)]

#[path = "table/compile.rs"]
mod compile;

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

/// The first failures of a list in which power fails once more after each.
#[test]
fn a_second_failure_does_not_change_what_the_first_one_does() {
    let (mut cases, mut second) = (0, 0);
    for seed in 3000.. {
        let case = generate(seed);
        let subject = Subject::new(&case.program, &case.setting).expect("a subject");
        let once = judge(&subject, &case.options);
        // Every failure after every failure: small programs only.
        if once.len() > 40 {
            continue;
        }
        let options = Options {
            failures: 2,
            ..case.options.clone()
        };
        let twice = judge(&subject, &options);
        let verdicts = |judged: &[Judged]| -> Vec<Verdict> {
            let first = judged.iter().filter(|judged| judged.failure.number == 1);
            first.map(|judged| judged.verdict.clone()).collect()
        };
        assert_eq!(verdicts(&once), verdicts(&twice), "{seed}\n{}", case.c);
        second += twice.len() - once.len();
        cases += 1;
        if cases == 20 {
            break;
        }
    }
    assert!(second > 200, "{second}");
}

/// What clang makes of a program is judged like what the generator makes of it. Depths count
/// instructions, of which there are not as many.
#[test]
fn c_and_intermediate_representation_are_judged_alike() {
    let mut cases = 0;
    for seed in 2000.. {
        let case = generate(seed);
        if !matches!(
            case.setting.policy,
            Policy::Static | Policy::Tasks | Policy::Restart
        ) {
            continue;
        }
        let base = std::env::temp_dir();
        let scratch = brownout_testkit::Scratch::new(&base).expect("a folder");
        let file = scratch.file("case.c", &case.c).expect("a file");
        for level in ["-O0", "-O1"] {
            let program = compile::compile(&file, level);
            let subject = Subject::new(&program, &case.setting).expect("a subject");
            let judged = judge(&subject, &case.options);
            // Optimised code has other writes.
            if level == "-O0" {
                let ours = case.judge().expect("a subject");
                assert_eq!(blames(&ours), blames(&judged), "{seed}\n{}", case.c);
            }
        }
        cases += 1;
        if cases == 25 {
            break;
        }
    }
}

/// A setting can be given to the tool as its configuration.
#[test]
fn settings_are_configurations() {
    for seed in 0..200 {
        let text = generate(seed).setting.toml();
        // What the configuration does not know yet is left out.
        let lines = text.lines().filter(|line| {
            let unknown = [
                "policy = \"restart\"",
                "semantics = \"at-most-once\"",
                "ignore = ",
                "atomic-write = \"any\"",
            ];
            !unknown.iter().any(|unknown| line.starts_with(unknown)) && *line != "[compare]"
        });
        let text: String = lines.map(|line| format!("{line}\n")).collect();
        if let Err(errors) = brownout_scenario::Config::parse(&text) {
            panic!("{seed}: {errors:?}\n{text}");
        }
    }
}
