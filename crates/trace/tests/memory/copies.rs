//! Power failures on full copies of the machine: what the undo log must agree with.

use std::cell::Cell;
use std::num::NonZeroU32;
use std::ops::{ControlFlow, Range};

use brownout_diag::ReplayId;
use brownout_ir::Origin;
use brownout_trace::{Difference, Exposure, Objects, ReplayError, Seen, Setting, evaluate};
use brownout_vm::{Bounds, Image, Machine, Moment, Observer, SegmentKind, Stop, Stream};

use crate::evaluate::{Point, setting, test_of};
use crate::generate::Taste;
use crate::pairs::windows;
use crate::replay::{commits, id_of, replayed};
use crate::support::{Case, LONG, Plan, for_programs, same};

/// A checkpoint: the whole machine, and what of non-volatile memory is restored.
pub(crate) struct Position<'i> {
    pub(crate) machine: Machine<'i>,
    saves: Vec<Range<u32>>,
}

/// Pauses at checkpoints and keeps output.
#[derive(Default)]
struct Watch {
    /// Pause at the checkpoint of this time.
    wanted: Option<u64>,
    /// Pause at any.
    any: bool,
    saves: Option<Vec<Range<u32>>>,
    output: Vec<u8>,
}

impl Observer for Watch {
    fn checkpoint(&mut self, at: Moment, saves: &[(u32, u32)]) -> ControlFlow<()> {
        if self.any || self.wanted == Some(at.time) {
            self.saves = Some(
                saves
                    .iter()
                    .map(|&(offset, size)| offset..offset + size)
                    .collect(),
            );
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }

    fn write(&mut self, _: Moment, _: Stream, bytes: &[u8]) {
        self.output.extend_from_slice(bytes);
    }

    fn output(&mut self, _: Moment, index: u32, args: &[u64]) {
        // Outputs of the generated programs take an `int` of 16 bits.
        let args: Vec<String> = args.iter().map(|&arg| (arg as i16).to_string()).collect();
        self.output
            .extend_from_slice(format!("output {index} ({})\n", args.join(", ")).as_bytes());
    }
}

/// The machine at a checkpoint position.
pub(crate) fn position<'i>(
    image: &'i Image,
    exposure: Exposure,
    saved: &[Range<u32>],
    at: u64,
) -> Position<'i> {
    let mut machine = Machine::new(image);
    machine.set_bounds(Bounds::Lenient);
    if let Exposure::Anywhere { .. } = exposure {
        machine.watch(&mut Watch::default(), at);
        return Position {
            machine,
            saves: saved.to_vec(),
        };
    }
    if at == 0 {
        return Position {
            machine,
            saves: Vec::new(),
        };
    }
    let mut watch = Watch {
        wanted: Some(at),
        ..Watch::default()
    };
    machine.watch(&mut watch, LONG);
    let saves = watch
        .saves
        .expect("a checkpoint there")
        .into_iter()
        .chain(saved.iter().cloned());
    Position {
        machine,
        saves: saves.collect(),
    }
}

/// When the window at a position ends, unless a checkpoint ends it.
pub(crate) fn until(exposure: Exposure, at: u64) -> Option<u64> {
    match exposure {
        Exposure::Region => None,
        Exposure::Anywhere { depth } => Some(at + depth + 1),
        Exposure::SinceCall { depth } => Some(at + depth),
    }
}

impl<'i> Position<'i> {
    /// The machine after `failed` lost power.
    pub(crate) fn restore(&self, image: &Image, failed: &Machine<'_>) -> Machine<'i> {
        let mut machine = self.machine.clone();
        for segment in image
            .layout()
            .segments()
            .iter()
            .filter(|segment| segment.nonvolatile)
        {
            for offset in segment
                .offsets
                .clone()
                .filter(|offset| !self.saves.iter().any(|range| range.contains(offset)))
            {
                machine.set_memory(offset, &[failed.memory()[offset as usize]]);
            }
        }
        machine
    }
}

/// An attempt: the machine, how it came to rest, whether at a commit, and what it wrote.
struct End<'i> {
    machine: Machine<'i>,
    stop: Stop,
    committed: bool,
    output: Vec<u8>,
}

fn run(mut machine: Machine<'_>, exposure: Exposure, until: u64) -> End<'_> {
    let mut watch = Watch {
        any: exposure == Exposure::Region,
        ..Watch::default()
    };
    let stop = machine.watch(&mut watch, until);
    End {
        machine,
        stop,
        committed: watch.saves.is_some(),
        output: watch.output,
    }
}

/// All differences that `failures` failures at a point make.
fn differences(
    case: &Case,
    exposure: Exposure,
    (at, failure): Point,
    failures: u32,
) -> Vec<Difference> {
    let position = position(&case.image, exposure, &case.saved, at);
    let end = until(exposure, at).unwrap_or(LONG);
    let reference = run(position.machine.clone(), exposure, end);
    let mut machine = position.machine.clone();
    for _ in 0..failures {
        let attempt = run(machine, exposure, failure);
        if attempt.stop != Stop::Paused || attempt.committed {
            return compare(case, &reference, &attempt);
        }
        machine = position.restore(&case.image, &attempt.machine);
    }
    compare(case, &reference, &run(machine, exposure, end))
}

/// The operation of the user's code that a machine is at.
fn user_operation(case: &Case, machine: &Machine<'_>) -> u32 {
    let functions = &case.image.program().functions;
    let calls = machine.backtrace().into_iter();
    let mut users = calls.filter(|(func, _)| functions[*func].origin == Origin::User);
    users.next().map_or(machine.pc(), |(_, pc)| pc)
}

fn compare(case: &Case, reference: &End<'_>, attempt: &End<'_>) -> Vec<Difference> {
    let (one, other) = (&reference.machine, &attempt.machine);
    if let Stop::Faulted(fault) = &attempt.stop
        && attempt.stop != reference.stop
    {
        return vec![Difference::Crash {
            fault: fault.clone(),
            pc: user_operation(case, other),
        }];
    }
    let mut differences = Vec::new();
    if reference.output != attempt.output {
        let (continuous, intermittent) = (reference.output.clone(), attempt.output.clone());
        differences.push(Difference::Output {
            continuous,
            intermittent,
        });
    }
    match (&reference.stop, &attempt.stop) {
        (Stop::Exited { status: a }, Stop::Exited { status: b }) if a == b => {}
        (Stop::Exited { status: a }, Stop::Exited { status: b }) => {
            let text = |status: &i32| format!("exit status {status}").into_bytes();
            differences.push(Difference::Output {
                continuous: text(a),
                intermittent: text(b),
            });
        }
        _ => {
            let place =
                |end: &End<'_>| (end.stop.clone(), end.machine.pc(), end.machine.backtrace());
            if place(reference) != place(attempt) {
                differences.push(Difference::Path {
                    continuous: one.pc(),
                    intermittent: other.pc(),
                });
            }
        }
    }
    let objects = Objects::new(&case.image);
    let (stack, other_stack) = (one.call_stack(), other.call_stack());
    let mut parts = Vec::new();
    for (offset, (a, b)) in (0u32..).zip(one.memory().iter().zip(other.memory())) {
        let kind = case
            .image
            .layout()
            .segment(offset)
            .map(|segment| segment.kind);
        let owner = stack.owner(offset);
        let dead = kind == Some(SegmentKind::Stack)
            && (owner.is_none() || owner != other_stack.owner(offset));
        if a == b || dead || kind == Some(SegmentKind::HeapMap) {
            continue;
        }
        let part = objects.scalar(offset, owner);
        // A scalar is reported once, with all its bytes.
        let first = (0..=offset)
            .rev()
            .take_while(|&at| objects.scalar(at, stack.owner(at)) == part)
            .last();
        let first = first.unwrap_or(offset) as usize;
        let bytes = first..first + (part.end - part.start) as usize;
        if parts.last() != Some(&(part, bytes.clone())) {
            parts.push((part, bytes.clone()));
            differences.push(Difference::Value {
                part,
                offset: first as u32,
                continuous: one.memory()[bytes.clone()].to_vec(),
                intermittent: other.memory()[bytes].to_vec(),
            });
        }
    }
    differences
}

fn agree(case: &Case, exposure: Exposure, failures: u32) -> Result<(), String> {
    let points = windows(&case.image, exposure, &case.saved)
        .into_iter()
        .flat_map(|window| {
            window
                .producers
                .into_iter()
                .map(move |producer| (window.position, producer))
        });
    let points: Vec<Point> = points.take(40).collect();
    let tests: Vec<_> = points
        .iter()
        .map(|&point| test_of(exposure, point))
        .collect();
    let setting = Setting {
        failures,
        jobs: 2,
        ..setting(exposure, &case.saved)
    };
    let results = evaluate(&case.image, setting, &tests, &|| false);
    same("tests", results.len(), tests.len())?;
    for result in results {
        // Brute force knows the other points, here it is values that are compared.
        if result.damage.seen != Seen::AtItsEnd {
            continue;
        }
        let index = tests
            .iter()
            .position(|test| *test == result.test)
            .ok_or("a test nobody asked for")?;
        // The fewest failures that do harm.
        let each =
            (1..=failures).map(|failures| differences(case, exposure, points[index], failures));
        let expected = each
            .into_iter()
            .find(|differences| !differences.is_empty())
            .unwrap_or_default();
        same(
            &format!("{exposure:?}, {failures} failures at {:?}", points[index]),
            result.damage.differences,
            expected,
        )?;
    }
    Ok(())
}

/// Evaluate's differences, values and all, are those of full copies, for one failure and several.
#[test]
fn the_undo_log_is_as_good_as_full_copies() {
    let taste = Taste {
        statements: 12,
        saving_checkpoints: true,
        inputs: true,
        heap: false,
    };
    for_programs(
        Plan {
            programs: 900,
            seed: 51,
            taste,
            longest: 250,
            saves: true,
        },
        |case, extra| {
            let failures = 1 + extra.below(3) as u32;
            let depth = extra.pick(&[10, 20, 60]);
            let exposure = extra.pick(&[
                Exposure::Region,
                Exposure::Anywhere { depth },
                Exposure::SinceCall { depth },
            ]);
            agree(case, exposure, failures)
        },
    );
}

/// The stores of one instruction, and memory before them.
#[derive(Default)]
struct Stores {
    time: u64,
    before: Vec<u8>,
    /// Offsets and values, byte by byte.
    bytes: Vec<(u32, u8)>,
    /// Where a store that changes nothing of this is none.
    kept: Vec<Range<u32>>,
}

impl Observer for Stores {
    #[inline(always)]
    fn accesses(&self) -> bool {
        true
    }

    fn store(&mut self, at: Moment, memory: &[u8], offset: u32, new: &[u8]) {
        let end = offset + new.len() as u32;
        let kept = |offset: u32| self.kept.iter().any(|range| range.contains(&offset));
        if at.time != self.time || !(offset..end).any(kept) {
            return;
        }
        if self.before.is_empty() {
            self.before = memory.to_vec();
        }
        self.bytes.extend((offset..).zip(new.iter().copied()));
    }
}

/// All differences that a failure makes which tears the instruction before it after `written` bytes;
/// none if it cannot be torn there.
fn torn(
    case: &Case,
    exposure: Exposure,
    (at, failure): Point,
    written: usize,
) -> Option<Vec<Difference>> {
    let position = position(&case.image, exposure, &case.saved, at);
    let end = until(exposure, at).unwrap_or(LONG);
    let reference = run(position.machine.clone(), exposure, end);
    let segments = case.image.layout().segments().iter();
    let kept = segments.filter(|segment| segment.nonvolatile);
    let mut stores = Stores {
        time: failure,
        kept: kept
            .flat_map(|segment| segment.offsets.clone())
            .filter(|offset| !position.saves.iter().any(|range| range.contains(offset)))
            .map(|offset| offset..offset + 1)
            .collect(),
        ..Stores::default()
    };
    let mut machine = position.machine.clone();
    machine.watch(&mut stores, failure);
    if written == 0 || written >= stores.bytes.len() {
        return None;
    }
    // What was there before, and over it what came first.
    for &(offset, _) in &stores.bytes {
        machine.set_memory(offset, &[stores.before[offset as usize]]);
    }
    for &(offset, value) in &stores.bytes[..written] {
        machine.set_memory(offset, &[value]);
    }
    let restored = position.restore(&case.image, &machine);
    Some(compare(case, &reference, &run(restored, exposure, end)))
}

/// A replayed torn store does what it does on full copies.
#[test]
fn torn_stores_are_as_on_full_copies() {
    let (done, harmful) = (Cell::new(0), Cell::new(0));
    let taste = Taste {
        statements: 12,
        saving_checkpoints: true,
        inputs: true,
        heap: false,
    };
    for_programs(
        Plan {
            programs: 400,
            seed: 53,
            taste,
            longest: 250,
            saves: true,
        },
        |case, extra| {
            let depth = extra.pick(&[10, 20, 60]);
            let exposure = extra.pick(&[
                Exposure::Region,
                Exposure::Anywhere { depth },
                Exposure::SinceCall { depth },
            ]);
            let commits = commits(&case.image);
            let windows = windows(&case.image, exposure, &case.saved).into_iter();
            let points = windows.flat_map(|window| {
                let writes = window.writes.into_iter();
                writes.map(move |write| (window.position, write))
            });
            for point in points.take(30) {
                for written in 1..4 {
                    let id = ReplayId {
                        torn: NonZeroU32::new(written),
                        ..id_of(exposure, &commits, point)
                    };
                    let expected = torn(case, exposure, point, written as usize);
                    match (replayed(case, exposure, id.clone(), &[]), expected) {
                        (Err(ReplayError::NotTorn { .. }), None) => {}
                        (Ok(ours), Some(expected)) => {
                            if ours.damage.seen != Seen::AtItsEnd {
                                continue;
                            }
                            done.set(done.get() + 1);
                            harmful.set(harmful.get() + u32::from(!expected.is_empty()));
                            same(&id.to_string(), ours.damage.differences, expected)?;
                        }
                        (ours, expected) => {
                            return Err(format!("{id}: {ours:?}, expected {expected:?}"));
                        }
                    }
                }
            }
            Ok(())
        },
    );
    assert!(
        done.get() > 1_000 && harmful.get() > 100,
        "{done:?} {harmful:?}"
    );
}
