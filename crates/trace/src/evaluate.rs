//! Evaluate (EWSN'21 §5.3, SEMANTICS §3.2): emulate the failure and compare.
//!
//! **Property.** For an occurrence of a hazard: run to the governing checkpoint,
//! on to the producer, let power fail right after it, restore, execute again to
//! the end of the window, and compare memory, position and output with the
//! continuous execution at the same point.
//!
//! **Algorithm.** One machine walks over the program once. At the start of each
//! window it marks, runs the window continuously and notes what changed, then
//! rolls back and emulates every test of that window from the mark. A test
//! costs its window, and its state never leaks into the next: both rest on the
//! undo journal. Tests are split over threads by windows; results do not depend
//! on how many there are.
//!
//! **False positives.** None: the difference was seen.
//!
//! **False negatives.** Occurrences beyond those located are not emulated; a
//! benign verdict says how many were.

use std::collections::BTreeMap;
use std::ops::{ControlFlow, Range};

use brownout_ir::Func;
use brownout_vm::{
    Bounds, CallStack, Fault, Image, Machine, Mark, Moment, Observer, SegmentKind, Stop, Stream,
};

use crate::exposure::Exposure;
use crate::locate::Instance;
use crate::objects::{Object, Objects, Part};

/// One failure to emulate.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Test {
    /// The occurrence.
    pub instance: Instance,
    /// Whose occurrence it is: a number of the caller's.
    pub hazard: usize,
}

/// Something that is not as in a continuous execution.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Difference {
    /// A scalar in memory.
    Value {
        /// What it belongs to.
        part: Part,
        /// Its bytes in the continuous execution.
        continuous: Vec<u8>,
        /// Its bytes after the failure.
        intermittent: Vec<u8>,
    },
    /// The two are at different places of the program.
    Path {
        /// The operation the continuous execution is at.
        continuous: u32,
        /// The operation the other one is at.
        intermittent: u32,
    },
    /// The text that was written.
    Output {
        /// By the continuous execution.
        continuous: Vec<u8>,
        /// By the last attempt.
        intermittent: Vec<u8>,
    },
    /// The program died.
    Crash {
        /// What of.
        fault: Fault,
        /// At which operation.
        pc: u32,
    },
    /// The window was not finished.
    NoProgress {
        /// Instructions after which it was given up.
        budget: u64,
    },
}

/// What a test showed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Evaluation {
    /// The test.
    pub test: Test,
    /// All differences; none means that the states converged.
    pub differences: Vec<Difference>,
    /// Instructions executed for it.
    pub instructions: u64,
}

/// How much longer than the continuous window an attempt may take.
const PATIENCE: u64 = 4;
/// The least an attempt may take: a 16-bit counter that missed its end comes round again.
const LEAST_BUDGET: u64 = 1_000_000;
/// Windows are not followed further than this.
const LONGEST_WINDOW: u64 = 20_000_000;

/// How many instructions an attempt at a region may take that takes `length` without a failure.
pub(crate) fn attempt_budget(length: u64) -> u64 {
    length.saturating_mul(PATIENCE).max(LEAST_BUDGET)
}

/// Emulates all `tests` on up to `jobs` threads; results in the order of the
/// tests, without those that came after `interrupt`.
pub fn evaluate(
    image: &Image,
    exposure: Exposure,
    saved: &[Range<u32>],
    tests: &[Test],
    failures: u32,
    jobs: usize,
    interrupt: &(dyn Fn() -> bool + Sync),
) -> Vec<Evaluation> {
    let mut sorted: Vec<(Window, Test)> = tests
        .iter()
        .map(|&test| (Window::of(exposure, test.instance), test))
        .collect();
    sorted.sort_by_key(|&(window, test)| (window, test));
    let parts = split(&sorted, jobs.max(1));
    let mut results: Vec<Evaluation> = std::thread::scope(|scope| {
        let threads: Vec<_> = parts
            .into_iter()
            .map(|part| {
                scope.spawn(move || Walker::new(image, saved, failures).walk(part, interrupt))
            })
            .collect();
        threads
            .into_iter()
            .flat_map(|thread| {
                thread
                    .join()
                    .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            })
            .collect()
    });
    results.sort_by_key(|result| (result.test.hazard, result.test.instance));
    results
}

/// Cuts the work into stretches of whole windows.
fn split(sorted: &[(Window, Test)], jobs: usize) -> Vec<&[(Window, Test)]> {
    let mut parts = Vec::new();
    let mut rest = sorted;
    for left in (1..=jobs).rev() {
        let mut end = rest.len().div_ceil(left);
        while end > 0 && end < rest.len() && rest[end].0 == rest[end - 1].0 {
            end += 1;
        }
        let (part, others) = rest.split_at(end);
        parts.push(part);
        rest = others;
    }
    parts
}

/// Where a window starts and how far it reaches.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Window {
    /// From the commit at this time to the next.
    Region { commit: u64 },
    /// From this time, where a checkpoint may sit, for `length` instructions.
    Span { start: u64, length: u64 },
    /// From the checkpoint call at this time, for `length` instructions.
    Call { commit: u64, length: u64 },
}

impl Window {
    fn of(exposure: Exposure, instance: Instance) -> Self {
        match exposure {
            Exposure::Region => Self::Region {
                commit: instance.commit,
            },
            Exposure::Anywhere { depth } => Self::Span {
                start: instance.consumed.saturating_sub(1),
                length: depth + 1,
            },
            // The calls in between may not commit; the window is what energy allows.
            Exposure::SinceCall { depth } => Self::Call {
                commit: instance.commit,
                length: depth,
            },
        }
    }
}

/// The continuous execution of a window.
struct Reference {
    /// The last value of every byte it wrote.
    written: BTreeMap<u32, u8>,
    /// Its state of affairs at the end.
    end: End,
    /// The stack there.
    stack: CallStack,
    /// Which inputs were next at the start.
    inputs: Vec<u64>,
    /// The most instructions it could have taken.
    budget: u64,
    /// Those it took.
    length: u64,
}

/// How and where an attempt ended.
#[derive(Clone, PartialEq, Eq, Debug)]
struct End {
    stop: Stop,
    pc: u32,
    /// The calls in progress, innermost first.
    calls: Vec<(Func, u32)>,
    /// Whether it ended at a commit.
    committed: bool,
    output: Vec<u8>,
}

impl End {
    /// Whether it came to an end by itself.
    fn is_finished(&self) -> bool {
        self.stop != Stop::Paused || self.committed
    }
}

struct Walker<'i> {
    image: &'i Image,
    saved: Vec<Range<u32>>,
    failures: u32,
    machine: Machine<'i>,
    objects: Objects<'i>,
}

impl<'i> Walker<'i> {
    fn new(image: &'i Image, saved: &[Range<u32>], failures: u32) -> Self {
        let mut machine = Machine::new(image);
        machine.set_bounds(Bounds::Lenient);
        Self {
            image,
            saved: saved.to_vec(),
            failures: failures.max(1),
            machine,
            objects: Objects::new(image),
        }
    }

    fn walk(&mut self, part: &[(Window, Test)], interrupt: &dyn Fn() -> bool) -> Vec<Evaluation> {
        let mut results = Vec::new();
        for group in part.chunk_by(|a, b| a.0 == b.0) {
            if interrupt() {
                break;
            }
            let Some(&(window, _)) = group.first() else {
                continue;
            };
            let Some(saves) = self.go_to(window) else {
                continue;
            };
            // From here on everything can be undone.
            self.machine.forget();
            self.machine.keep_journal(true);
            self.machine.commit(&saves);
            let mark = self.machine.mark();
            let reference = self.reference(window, &mark);
            for &(_, test) in group {
                let (differences, instructions) = self.emulate(window, test, &reference);
                self.machine.rollback(&mark);
                results.push(Evaluation {
                    test,
                    differences,
                    instructions,
                });
            }
            self.machine.keep_journal(false);
            self.machine.forget();
        }
        results
    }

    /// Runs to the start of a window; what its checkpoint saves, or nothing if the program ends before.
    fn go_to(&mut self, window: Window) -> Option<Vec<Range<u32>>> {
        let saves = match window {
            // Nothing has committed yet: the program starts again, and nothing is put back. A checkpoint
            // here that saves nothing is the same, and costs what was written instead of what exists.
            Window::Region { commit: 0 } | Window::Call { commit: 0, .. } => {
                return Some(Vec::new());
            }
            Window::Region { commit } | Window::Call { commit, .. } => {
                let mut watch = Watch {
                    wanted: Some(commit),
                    ..Watch::default()
                };
                match self.machine.run(&mut watch, u64::MAX) {
                    Stop::Paused => watch.saves,
                    Stop::Exited { .. } | Stop::Faulted(_) => return None,
                }
            }
            Window::Span { start, .. } => match self.machine.run(&mut Watch::default(), start) {
                Stop::Paused => Vec::new(),
                Stop::Exited { .. } | Stop::Faulted(_) => return None,
            },
        };
        Some(self.saved.iter().cloned().chain(saves).collect())
    }

    /// Runs on for `budget` instructions, but not out of the region.
    fn advance(&mut self, window: Window, budget: u64) -> End {
        let mut watch = Watch {
            any: matches!(window, Window::Region { .. }),
            keep: true,
            ..Watch::default()
        };
        let until = self.machine.now().saturating_add(budget);
        let stop = self.machine.run(&mut watch, until);
        End {
            stop,
            pc: self.machine.pc(),
            calls: self.machine.backtrace(),
            committed: watch.paused,
            output: watch.output,
        }
    }

    fn reference(&mut self, window: Window, mark: &Mark) -> Reference {
        let start = self.machine.now();
        let inputs = self.machine.inputs_read().to_vec();
        let budget = match window {
            Window::Region { .. } => LONGEST_WINDOW,
            // Instructions without an operation of their own may have passed already.
            Window::Span {
                start: from,
                length,
            }
            | Window::Call {
                commit: from,
                length,
            } => (from + length).saturating_sub(start),
        };
        let end = self.advance(window, budget);
        let stack = self.machine.call_stack();
        let length = self.machine.now() - start;
        let written = self
            .machine
            .written_since(mark)
            .into_iter()
            .map(|offset| (offset, self.machine.memory()[offset as usize]))
            .collect();
        self.machine.rollback(mark);
        Reference {
            written,
            end,
            stack,
            inputs,
            budget,
            length,
        }
    }

    fn emulate(
        &mut self,
        window: Window,
        test: Test,
        reference: &Reference,
    ) -> (Vec<Difference>, u64) {
        let mark = self.machine.mark();
        let mut spent = 0;
        // Once, then twice in a row, and so on: each may do harm that the others do not.
        for failures in 1..=self.failures {
            if failures > 1 {
                self.machine.rollback(&mark);
            }
            let (differences, instructions) =
                self.attempt(window, test, reference, failures, &mark);
            spent += instructions;
            if !differences.is_empty() {
                return (differences, spent);
            }
        }
        (Vec::new(), spent)
    }

    /// Runs to the producer and fails, as often as asked, then compares.
    fn attempt(
        &mut self,
        window: Window,
        test: Test,
        reference: &Reference,
        failures: u32,
        mark: &Mark,
    ) -> (Vec<Difference>, u64) {
        let start = self.machine.now();
        let distance = test.instance.produced.saturating_sub(start);
        for _ in 0..failures {
            // To the producer, and the failure right after it.
            let end = self.advance(window, distance);
            if end.is_finished() {
                // This attempt gets through before power can fail again.
                let differences = self.differences(window, reference, &end, mark);
                return (differences, self.machine.now() - start);
            }
            self.machine.fail_power();
            // The attempt that counts reads what the continuous execution reads (OOPSLA'20, Def. 1).
            self.machine.replay_inputs(&reference.inputs);
        }
        let budget = match window {
            Window::Region { .. } => attempt_budget(reference.length),
            Window::Span { .. } | Window::Call { .. } => reference.budget,
        };
        let end = self.advance(window, budget);
        let differences = self.differences(window, reference, &end, mark);
        (differences, self.machine.now() - start)
    }

    /// What is not as in the continuous execution.
    fn differences(
        &self,
        window: Window,
        reference: &Reference,
        end: &End,
        mark: &Mark,
    ) -> Vec<Difference> {
        if let Stop::Faulted(fault) = &end.stop
            && end.stop != reference.end.stop
        {
            let fault = fault.clone();
            return vec![Difference::Crash { fault, pc: end.pc }];
        }
        let region = matches!(window, Window::Region { .. });
        if region && !end.is_finished() && reference.end.is_finished() {
            let budget = attempt_budget(reference.length);
            return vec![Difference::NoProgress { budget }];
        }
        let mut differences = Vec::new();
        if end.output != reference.end.output {
            differences.push(Difference::Output {
                continuous: reference.end.output.clone(),
                intermittent: end.output.clone(),
            });
        }
        let place = |end: &End| (end.pc, end.calls.clone());
        // Ending with another status is an output; ending elsewhere is another path.
        match (&reference.end.stop, &end.stop) {
            (
                Stop::Exited { status: continuous },
                Stop::Exited {
                    status: intermittent,
                },
            ) => {
                if continuous != intermittent {
                    differences.push(Difference::Output {
                        continuous: format!("exit status {continuous}").into_bytes(),
                        intermittent: format!("exit status {intermittent}").into_bytes(),
                    });
                }
            }
            (continuous, intermittent)
                if continuous == intermittent && place(end) == place(&reference.end) => {}
            _ => differences.push(Difference::Path {
                continuous: reference.end.pc,
                intermittent: end.pc,
            }),
        }
        self.compare_memory(mark, reference, &mut differences);
        differences
    }

    fn compare_memory(
        &self,
        mark: &Mark,
        reference: &Reference,
        differences: &mut Vec<Difference>,
    ) {
        let layout = self.image.layout();
        let mut offsets: Vec<u32> = self.machine.written_since(mark);
        offsets.extend(reference.written.keys());
        offsets.sort_unstable();
        offsets.dedup();
        let original = self.machine.bytes_at(mark, &offsets);
        let memory = self.machine.memory();
        let stack = self.machine.call_stack();
        let continuous = |offset: u32| match (
            reference.written.get(&offset),
            offsets.binary_search(&offset),
        ) {
            (Some(&byte), _) => byte,
            (None, Ok(index)) => original[index],
            (None, Err(_)) => memory[offset as usize],
        };
        let mut seen: Option<(u32, u32)> = None;
        for &offset in &offsets {
            if continuous(offset) == memory[offset as usize] {
                continue;
            }
            let frame = stack.owner(offset);
            let hidden = match layout.segment(offset).map(|segment| segment.kind) {
                Some(SegmentKind::HeapMap) => true,
                // A stack object is different only if it lives in both executions.
                Some(SegmentKind::Stack) => {
                    frame.is_none() || frame != reference.stack.owner(offset)
                }
                _ => false,
            };
            if hidden {
                continue;
            }
            if seen.is_some_and(|(start, end)| (start..end).contains(&offset)) {
                continue;
            }
            let part = self.objects.scalar(offset, frame);
            let inside = match part.object {
                Object::Segment(_) => 0,
                _ => self
                    .objects
                    .inside(offset, frame)
                    .saturating_sub(part.start) as u32,
            };
            let start = offset - inside.min(offset);
            let end = start + (part.end - part.start) as u32;
            seen = Some((start, end));
            differences.push(Difference::Value {
                part,
                continuous: (start..end).map(continuous).collect(),
                intermittent: memory[start as usize..end as usize].to_vec(),
            });
        }
    }
}

/// Pauses at checkpoints and keeps output.
#[derive(Default)]
struct Watch {
    /// Pause at the checkpoint of this time.
    wanted: Option<u64>,
    /// Pause at any checkpoint.
    any: bool,
    /// Whether it did.
    paused: bool,
    keep: bool,
    saves: Vec<Range<u32>>,
    output: Vec<u8>,
}

impl Observer for Watch {
    fn checkpoint(&mut self, at: Moment, saves: &[(u32, u32)]) -> ControlFlow<()> {
        if self.any || self.wanted == Some(at.time) {
            self.paused = true;
            self.saves = saves
                .iter()
                .map(|&(offset, size)| offset..offset + size)
                .collect();
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }

    fn write(&mut self, _: Moment, _: Stream, bytes: &[u8]) {
        if self.keep {
            self.output.extend_from_slice(bytes);
        }
    }

    fn output(&mut self, _: Moment, index: u32, args: &[u64]) {
        if self.keep {
            self.output
                .extend_from_slice(format!("<output {index} {args:?}>\n").as_bytes());
        }
    }
}
