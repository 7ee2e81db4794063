//! Main loops without end: stopping when nothing new happens misses nothing that an execution ten times
//! as long shows, on random superloops in which something happens every so many rounds.
//!
//! Patience is a fortieth of what the tool has, and so are the periods.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "this is a test"
)]

#[path = "table/compile.rs"]
mod compile;

use std::collections::BTreeSet;
use std::fmt::Write;

use brownout_diag::Evidence;
use brownout_ir::Program;
use brownout_scenario::splitmix64;
use brownout_testkit::{Choices, Scratch};
use brownout_trace::{Checked, Exposure, Patience, Recovery, Request, check, check_restarts};
use brownout_vm::{Binding, Bindings, Image, Loops, MemoryPlan, Unobserved};

/// The longest time between two rounds in which the same happens.
const LONGEST_PERIOD: u64 = 1_000;
const PATIENCE: Patience = Patience {
    rounds: 64,
    instructions: 100_000,
};
const KEPT: [&str; 3] = ["n0", "n1", "n2"];

/// Something that a round does.
fn statement(choices: &mut Choices) -> String {
    let to = choices.pick(&["n0", "n1", "n2", "v0"]);
    let from = choices.pick(&["n0", "n1", "n2", "v0"]);
    match choices.below(4) {
        0 => format!("{to} = {};", choices.below(4)),
        1 => format!("{to} = {from} + 1;"),
        _ => format!("{to}++;"),
    }
}

/// A superloop; some of it happens every so many rounds, and some of that not every time.
fn superloop(choices: &mut Choices, recovery: Recovery) -> String {
    let mut text = String::from(
        "volatile int n0, n1, n2, v0;\nint t0, t1, t2;\nvoid checkpoint(void);\nint main(void) {\n    while (1) {\n",
    );
    if recovery == Recovery::Checkpoint {
        text.push_str("        checkpoint();\n");
    }
    // Writing to a string never fails.
    let _ = writeln!(text, "        {}", statement(choices));
    for timer in 0..1 + choices.below(2) {
        let longest = choices.pick(&[4, 60, LONGEST_PERIOD]);
        let period = 2 + choices.below(longest - 1);
        let _ = writeln!(text, "        if (++t{timer} >= {period}) {{");
        let _ = writeln!(text, "            t{timer} = 0;");
        let _ = writeln!(text, "            {}", statement(choices));
        if choices.chance(3) {
            let _ = writeln!(
                text,
                "            if (++t2 >= 3) {{\n                t2 = 0;\n                {}\n            }}",
                statement(choices)
            );
        } else {
            let _ = writeln!(text, "            {}", statement(choices));
        }
        text.push_str("        }\n");
    }
    text.push_str("    }\n}\n");
    text
}

fn image(program: &Program, recovery: Recovery) -> Image {
    let mut program = program.clone();
    let main = program.function("main").expect("a main");
    let start = brownout_vm::add_start(&mut program, main);
    let mut bindings = Bindings::default();
    if let Some(func) = program.function("checkpoint") {
        bindings.functions.insert(
            func,
            match recovery {
                Recovery::Restart => Binding::Ignore,
                Recovery::Checkpoint => Binding::Checkpoint,
            },
        );
    }
    bindings.loop_heads = Loops::new(&program, start).heads().clone();
    let kept = program.globals.iter();
    let kept = kept.filter(|(_, data)| KEPT.contains(&data.name.as_str()));
    let plan = MemoryPlan {
        stack_size: Some(256),
        heap_size: Some(0),
        nonvolatile: kept.map(|(global, _)| global).collect(),
        ..MemoryPlan::default()
    };
    Image::new(program, start, &plan, bindings).expect("an image")
}

fn checked(image: &Image, recovery: Recovery, patience: Patience) -> Checked {
    let request = Request {
        exposure: Exposure::Region,
        saved: Vec::new(),
        aware: Vec::new(),
        atomic_write: None,
        evaluate: true,
        failures: 1,
        jobs: 1,
        limit: 50_000_000,
        ignored: Vec::new(),
        meant: Vec::new(),
        optional: Vec::new(),
        recovery,
        patience,
    };
    match recovery {
        Recovery::Checkpoint => check(image, &request, &|| false, &mut Unobserved),
        Recovery::Restart => check_restarts(image, &request, &|| false, &mut Unobserved),
    }
}

/// The objects and places that are confirmed.
fn confirmed(checked: &Checked) -> BTreeSet<(String, Option<u32>)> {
    let findings = checked.findings.iter();
    let findings = findings.filter(|finding| finding.evidence == Evidence::Confirmed);
    findings
        .filter_map(|finding| {
            let line = finding.producer.as_ref().map(|place| place.line);
            Some((finding.object.as_ref()?.name.clone(), line))
        })
        .collect()
}

fn hold(recovery: Recovery, cases: u64) {
    let base = std::env::temp_dir();
    let scratch = Scratch::new(&base).expect("a folder");
    let (mut found, mut late) = (0, 0);
    for seed in 0..cases {
        let choices = (0..64).map(|index| splitmix64(seed + 77, index)).collect();
        let c = superloop(&mut Choices::new(choices), recovery);
        let file = scratch.file("loop.c", &c).expect("a file");
        let image = image(&compile::compile(&file, "-O1"), recovery);
        let short = checked(&image, recovery, PATIENCE);
        let rounds = short.rounds.expect("a loop without end");
        late += u64::from(rounds.last_news > 100);
        let long = checked(&image, recovery, PATIENCE.times(10));
        let more = long.rounds.expect("a loop without end").executed;
        assert!(more > 4 * rounds.executed, "{more} {}", rounds.executed);
        let (short, long) = (confirmed(&short), confirmed(&long));
        found += long.len();
        assert!(
            short.is_superset(&long),
            "{seed}: {short:?} {long:?} {rounds:?}\n{c}"
        );
    }
    assert!(found as u64 > cases / 2, "{found} in {cases}");
    assert!(late > cases / 8, "{late} of {cases}");
}

#[test]
fn with_checkpoints() {
    hold(Recovery::Checkpoint, 60);
}

#[test]
fn without_checkpoints() {
    hold(Recovery::Restart, 60);
}
