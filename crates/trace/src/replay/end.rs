//! The ends of two executions, compared: full machines, byte by byte.
//!
//! The same comparison as [`crate::evaluate`] makes on the undo log
//! (SEMANTICS §3.2); a property test holds the two together.

use brownout_vm::{Image, Machine, SegmentKind, Stop};

use super::record::Execution;
use crate::evaluate::Difference;
use crate::objects::{Object, Objects};

/// What the last attempt was given.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Allowance {
    /// To get to the next checkpoint within so many instructions.
    Region { budget: u64 },
    /// As many instructions as the device's energy allows.
    Window,
}

/// What is not as in the continuous execution.
pub(crate) fn differences(
    image: &Image,
    continuous: &Execution<'_, '_>,
    intermittent: &Execution<'_, '_>,
    allowance: Allowance,
) -> Vec<Difference> {
    let (one, other) = (&continuous.machine, &intermittent.machine);
    let stop = |execution: &Execution<'_, '_>| execution.ended().cloned().unwrap_or(Stop::Paused);
    let (stop, other_stop) = (stop(continuous), stop(intermittent));
    if let Stop::Faulted(fault) = &other_stop
        && stop != other_stop
    {
        return vec![Difference::Crash {
            fault: fault.clone(),
            pc: other.pc(),
        }];
    }
    if let Allowance::Region { budget } = allowance
        && continuous.is_finished()
        && !intermittent.is_finished()
    {
        return vec![Difference::NoProgress { budget }];
    }
    let mut differences = Vec::new();
    if continuous.recorder.output != intermittent.recorder.output {
        differences.push(Difference::Output {
            continuous: continuous.recorder.output.clone(),
            intermittent: intermittent.recorder.output.clone(),
        });
    }
    match (stop, other_stop) {
        (Stop::Exited { status }, Stop::Exited { status: other }) => {
            let text = |status: i32| format!("exit status {status}").into_bytes();
            if status != other {
                differences.push(Difference::Output {
                    continuous: text(status),
                    intermittent: text(other),
                });
            }
        }
        (stop, other_stop) => {
            let same = stop == other_stop
                && one.pc() == other.pc()
                && one.backtrace() == other.backtrace();
            if !same {
                differences.push(Difference::Path {
                    continuous: one.pc(),
                    intermittent: other.pc(),
                });
            }
        }
    }
    compare_memory(image, one, other, &mut differences);
    differences
}

/// How much of memory is looked at at once.
const PAGE: usize = 4096;

fn compare_memory(
    image: &Image,
    one: &Machine<'_>,
    other: &Machine<'_>,
    differences: &mut Vec<Difference>,
) {
    let objects = Objects::new(image);
    let (stack, other_stack) = (one.call_stack(), other.call_stack());
    let pages = one.memory().chunks(PAGE).zip(other.memory().chunks(PAGE));
    // The end of the last scalar reported.
    let mut reported = 0;
    for (number, (page, other_page)) in pages.enumerate() {
        if page == other_page {
            continue;
        }
        for (index, _) in page
            .iter()
            .zip(other_page)
            .enumerate()
            .filter(|(_, (a, b))| a != b)
        {
            let offset = (number * PAGE + index) as u32;
            let owner = other_stack.owner(offset);
            let hidden = match image.layout().segment(offset).map(|segment| segment.kind) {
                Some(SegmentKind::HeapMap) => true,
                // A stack object is different only if it lives in both executions.
                Some(SegmentKind::Stack) => owner.is_none() || owner != stack.owner(offset),
                _ => false,
            };
            if hidden || offset < reported {
                continue;
            }
            let part = objects.scalar(offset, owner);
            let inside = match part.object {
                Object::Segment(_) => 0,
                _ => objects.inside(offset, owner).saturating_sub(part.start) as u32,
            };
            let start = offset - inside.min(offset);
            reported = start + (part.end - part.start) as u32;
            let bytes = start as usize..reported as usize;
            let taken =
                |machine: &Machine<'_>| machine.memory().get(bytes.clone()).unwrap_or(&[]).to_vec();
            differences.push(Difference::Value {
                part,
                continuous: taken(one),
                intermittent: taken(other),
            });
        }
    }
}
