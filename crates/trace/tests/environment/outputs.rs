//! What repeating an output does, against executing every region again (EWSN'21 "Layman"): every
//! position of the last commit that the policy allows, every output as far as the region reaches, one
//! power failure behind it and one before it, each in a machine of its own, step by step.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::ops::ControlFlow;

use brownout_diag::Repetition;
use brownout_scenario::ValueSource;
use brownout_trace::check_outputs;
use brownout_vm::{Bounds, Image, Machine, Moment, Observer, Stop};

use crate::support::{INPUTS, LONG, OUTPUTS, for_lists, image, scenario, statements, text};

/// An effect: which of three values changes, and how.
#[derive(Clone, Copy)]
struct Change {
    value: usize,
    operator: &'static str,
}

/// The policies.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Policy {
    Static,
    Conditional { depth: u64 },
    Reactive { depth: u64 },
}

/// Where the last commit was.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Position {
    /// Nowhere: the program starts again.
    Start,
    /// Behind that many calls.
    Call(u64),
    /// After that many instructions.
    Time(u64),
}

/// What an attempt has done so far. Every output is made once, so that its number is its place.
#[derive(Default)]
struct Attempt {
    calls: u64,
    made: BTreeMap<u32, Vec<u64>>,
}

impl Observer for Attempt {
    fn output(&mut self, _: Moment, index: u32, args: &[u64]) {
        self.made.insert(index, args.to_vec());
    }

    fn checkpoint(&mut self, _: Moment, _: &[(u32, u32)]) -> ControlFlow<()> {
        self.calls += 1;
        ControlFlow::Break(())
    }
}

/// One instruction; whether there are more.
fn step(machine: &mut Machine<'_>, attempt: &mut Attempt) -> bool {
    let now = machine.now();
    machine.run(attempt, now + 1) == Stop::Paused
}

/// A machine that has just committed at a position, and that has executed so many steps since; `None`
/// if the program does not get there.
fn machine_at(image: &Image, position: Position, steps: u64) -> Option<(Machine<'_>, Vec<u64>)> {
    let mut machine = Machine::new(image);
    machine.set_bounds(Bounds::Lenient);
    machine.keep_journal(true);
    let mut attempt = Attempt::default();
    while match position {
        Position::Start => false,
        Position::Call(calls) => attempt.calls < calls,
        Position::Time(time) => machine.now() < time,
    } {
        if !step(&mut machine, &mut attempt) {
            return None;
        }
    }
    if position != Position::Start {
        machine.commit(&[]);
    }
    let inputs = machine.inputs_read();
    for _ in 0..steps {
        step(&mut machine, &mut Attempt::default());
    }
    Some((machine, inputs))
}

/// What the oracle has seen of an output.
#[derive(Clone, Copy, Default)]
struct Seen {
    absolute: bool,
    relative: bool,
    other_arguments: bool,
}

/// Every region that begins at a position again, for each of its outputs.
fn repeat_region(
    image: &Image,
    changes: &[Change],
    position: Position,
    depth: Option<u64>,
    seen: &mut BTreeMap<u32, Seen>,
) -> bool {
    let Some((mut machine, _)) = machine_at(image, position, 0) else {
        return false;
    };
    let start = machine.now();
    let mut first = Attempt::default();
    let mut steps = 0;
    loop {
        let known = first.made.len();
        let more = step(&mut machine, &mut first);
        steps += 1;
        if depth.is_none() && first.calls > 0 {
            break;
        }
        let inside = depth.is_none_or(|depth| machine.now() <= start + depth);
        if first.made.len() > known && inside {
            let all: BTreeSet<u32> = first.made.keys().copied().collect();
            let output = *all.iter().max().expect("one was made");
            let after = machine.environment().to_vec();
            for (steps, behind) in [(steps - 1, false), (steps, true)] {
                let (again, args) = second_attempt(image, position, steps, output);
                let seen = seen.entry(output).or_default();
                seen.other_arguments |= args != first.made[&output];
                let value = changes[output as usize].value;
                seen.absolute |= behind && again[value] == after[value];
                seen.relative |= behind && again[value] != after[value];
            }
        }
        if !more || !inside {
            break;
        }
    }
    true
}

/// Power fails after so many steps, and the region is executed again up to an output: the
/// environment then, and the arguments.
fn second_attempt(
    image: &Image,
    position: Position,
    steps: u64,
    output: u32,
) -> (Vec<i64>, Vec<u64>) {
    let (mut machine, inputs) = machine_at(image, position, steps).expect("it got there before");
    // The same is read again, but nothing outside is undone.
    let environment = machine.environment().to_vec();
    machine.fail_power();
    machine.replay_inputs(&inputs);
    machine.set_environment(&environment);
    let mut second = Attempt::default();
    while !second.made.contains_key(&output) {
        assert!(
            step(&mut machine, &mut second),
            "{output} is not made again"
        );
    }
    (machine.environment().to_vec(), second.made[&output].clone())
}

/// The oracle.
fn repetitions(image: &Image, changes: &[Change], policy: Policy) -> BTreeMap<u32, Seen> {
    let mut seen = BTreeMap::new();
    let mut all = |positions: &mut dyn Iterator<Item = Position>, depth| {
        for position in positions {
            if !repeat_region(image, changes, position, depth, &mut seen) {
                break;
            }
        }
    };
    let calls = &mut std::iter::once(Position::Start).chain((1..).map(Position::Call));
    match policy {
        Policy::Static => all(calls, None),
        Policy::Conditional { depth } => {
            // Once a checkpoint was passed, one has committed.
            all(&mut calls.take(1), None);
            all(calls, Some(depth));
        }
        Policy::Reactive { depth } => all(&mut (0..).map(Position::Time), Some(depth)),
    }
    seen
}

fn configuration(policy: Policy, changes: &[Change]) -> String {
    let mut config = String::from("[power]\ncheckpoints = ['checkpoint']\n");
    let _ = match policy {
        Policy::Static => writeln!(config, "policy = 'static'"),
        Policy::Conditional { depth } => {
            writeln!(config, "policy = 'conditional'\nexecution-depth = {depth}")
        }
        Policy::Reactive { depth } => {
            writeln!(config, "policy = 'reactive'\nexecution-depth = {depth}")
        }
    };
    config.push_str("[environment]\na = 0\nb = 3\nc = 5\n");
    for (output, change) in changes.iter().enumerate() {
        let name = ["a", "b", "c"][change.value];
        let effect = format!("{name} {} arg0", change.operator);
        let _ = writeln!(
            config,
            "[[output]]\nfunction = 'out{output}'\neffect = '{effect}'"
        );
    }
    config
}

/// Compares verdicts on so many programs; gives how often outputs were absolute, relative, both
/// and made with other arguments.
fn compare(cases: u32, seed: u8, policy: fn(u64) -> Policy, kept: usize) -> [u32; 4] {
    let counts = Cell::new([0; 4]);
    for_lists(cases, seed, |list| {
        let policy = policy(10 + (list[0] >> 32) % 60);
        let changes: Vec<Change> = (0..OUTPUTS)
            .map(|output| {
                let choice = list[output % list.len()] >> 40;
                Change {
                    value: (choice % 3) as usize,
                    operator: ["=", "+=", "|=", "^="][(choice / 3 % 4) as usize],
                }
            })
            .collect();
        let config = configuration(policy, &changes);
        let scenario = scenario(&config);
        let values = vec![ValueSource::Cycle(vec![5, 9, 2, 14]); INPUTS];
        let image = image(&text(&statements(list)), &scenario, values, kept);
        let checked = check_outputs(&image, &scenario, &[], LONG, &|| false);
        let ours: BTreeMap<u32, Repetition> = checked
            .behaviours
            .iter()
            .map(|row| (row.output[3..].parse().expect("outN"), row.repetition))
            .collect();
        let seen = repetitions(&image, &changes, policy);
        let theirs: BTreeMap<u32, Repetition> = seen
            .iter()
            .map(|(&output, seen)| {
                let repetition = match (seen.absolute, seen.relative) {
                    (true, false) => Repetition::Absolute,
                    (false, true) => Repetition::Relative,
                    _ => Repetition::Varies,
                };
                (output, repetition)
            })
            .collect();
        if !checked.complete || ours != theirs {
            return Err(format!("{ours:?}, expected {theirs:?}\n{config}"));
        }
        let mut all = counts.get();
        for seen in seen.values() {
            all[usize::from(seen.relative) + usize::from(seen.relative && seen.absolute)] += 1;
            all[3] += u32::from(seen.other_arguments);
        }
        counts.set(all);
        Ok(())
    });
    counts.get()
}

#[test]
fn verdicts_are_those_of_executing_every_region_again() {
    let [absolute, relative, _, other] = compare(500, 23, |_| Policy::Static, 2);
    assert!(
        absolute > 100 && relative > 100 && other > 20,
        "{absolute} {relative} {other}"
    );
}

#[test]
fn every_call_may_commit_or_not_under_conditional() {
    let [absolute, relative, both, other] =
        compare(300, 29, |depth| Policy::Conditional { depth }, 2);
    assert!(
        absolute > 50 && relative > 50 && both > 20 && other > 20,
        "{absolute} {relative} {both} {other}"
    );
}

#[test]
fn a_commit_may_sit_anywhere_under_reactive() {
    // Where non-volatile memory changes between two attempts, the memory rules look closer.
    let [absolute, relative, both, other] = compare(150, 31, |depth| Policy::Reactive { depth }, 0);
    assert!(
        absolute > 50 && relative > 50 && both > 20 && other == 0,
        "{absolute} {relative} {both} {other}"
    );
}
