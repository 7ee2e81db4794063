//! A program that reads an input a few times only, when it starts, is checked with other readings, too: one execution shows
//! what one setting of a switch does.
//!
//! Under `restart` only executions tell anything; else static analysis looks at all readings, but not for what happens to a
//! stack and a heap in non-volatile memory, to peripherals, and to the world outside.
//!
//! **False negatives.** Readings that none of the few further executions gets.

use std::num::NonZeroU32;

use brownout_diag::{ReplayId, Rule};
use brownout_explore::Monitor;
use brownout_scenario::{Recovery, ValueSource};
use brownout_trace::{Checked, Request, check_restarts};
use brownout_vm::{Image, Machine, SegmentKind, Stop, Unobserved};

use crate::circumstances;
use crate::coverage::Coverage;
use crate::environment::Surroundings;

/// An input that is read more often has shown what it gives.
const FEW: u64 = 4;
/// Within so many instructions.
const BEGINNING: u64 = 1_000_000;
/// So many further executions begin with later readings, and fewer if that takes more instructions than this.
const EXECUTIONS: u32 = 6;
const INSTRUCTIONS: u64 = 40_000_000;

/// Checks a program, of which the first readings are `checked`, with later ones, and adds what that shows. What it does without
/// failures goes to `also`. Under policies with checkpoints these are only the rules that static analysis knows nothing
/// of, and outputs.
pub(crate) fn check(
    image: &Image,
    request: &Request,
    surroundings: &dyn Fn(&Image) -> Surroundings,
    checked: &mut Checked,
    monitor: &dyn Monitor,
    also: &mut Coverage,
) {
    let ends = matches!(checked.stop, Some(Stop::Exited { .. }));
    // A program that ends is booted again and again under `restart`.
    let is_wanted = request.recovery != Recovery::Restart || !ends;
    if !is_wanted || !reads_seldom(image, checked.instructions) {
        return;
    }
    let mut spent = 0;
    for later in 1..=EXECUTIONS {
        if spent >= INSTRUCTIONS || monitor.is_interrupted() {
            return;
        }
        let image = image.reading_later(later);
        let under = |id: &mut ReplayId| id.skipped = NonZeroU32::new(later);
        let more = match request.recovery {
            Recovery::Restart => Some(check_restarts(&image, request, monitor, also)),
            Recovery::Checkpoint | Recovery::Task => reuses_memory(&image).then(|| {
                let mut more = brownout_trace::check(&image, request, monitor, &mut Unobserved);
                let rules = [Rule::MemoryMap, Rule::ActivationRecord];
                more.findings
                    .retain(|finding| rules.contains(&finding.rule));
                more
            }),
        };
        if let Some(more) = more {
            spent += more.instructions + more.emulated;
            circumstances::add(checked, more, &under);
        }
        if request.recovery != Recovery::Restart {
            let mut others = Coverage::new(&image);
            Machine::new(&image).watch(&mut others, BEGINNING);
            also.add_made(others);
        }
        let around = surroundings(&image);
        spent += around.emulated + around.input_instructions;
        checked.add(&[], around.tests, around.emulated);
        circumstances::add_findings(checked, around.findings, &under);
    }
}

/// Whether non-volatile memory is handed out again while the program runs.
fn reuses_memory(image: &Image) -> bool {
    let kinds = [SegmentKind::Heap, SegmentKind::Stack];
    let mut segments = image.layout().segments().iter();
    segments.any(|segment| segment.nonvolatile && kinds.contains(&segment.kind))
}

/// Whether an input that may give something else is read a few times only.
fn reads_seldom(image: &Image, instructions: u64) -> bool {
    let mut machine = Machine::new(image);
    machine.watch(&mut Unobserved, instructions.min(BEGINNING));
    let read = machine.inputs_read();
    let inputs = image.bindings().inputs.iter().zip(read);
    inputs
        .filter(|(source, _)| is_open(source))
        .any(|(_, read)| (1..=FEW).contains(&read))
}

fn is_open(source: &ValueSource) -> bool {
    match source {
        ValueSource::Cycle(values) => values.len() > 1,
        ValueSource::Range { low, high, .. } => low < high,
        ValueSource::Random { .. } | ValueSource::Probing { .. } => true,
        ValueSource::Constant(_)
        | ValueSource::Clock
        | ValueSource::Trace(_)
        | ValueSource::Script(_) => false,
    }
}
