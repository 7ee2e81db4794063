//! A program without end that reads an input a few times only, when it starts, is checked with other readings, too:
//! one boot shows what one setting of a switch does.
//!
//! **False negatives.** Readings that none of the few further executions gets.

use brownout_explore::Monitor;
use brownout_scenario::ValueSource;
use brownout_trace::{Checked, Request, check_restarts};
use brownout_vm::{Image, Machine, Observer, Stop, Unobserved};

use crate::circumstances;

/// An input that is read more often has shown what it gives.
const FEW: u64 = 4;
/// Within so many instructions.
const BEGINNING: u64 = 1_000_000;
/// So many further executions begin with later readings, and fewer if that takes more instructions than this.
const EXECUTIONS: u32 = 6;
const INSTRUCTIONS: u64 = 40_000_000;

/// Checks a program, of which the first readings are `checked`, with later ones, and adds what that shows. What it does without
/// failures goes to `also`.
pub(crate) fn check(
    image: &Image,
    request: &Request,
    checked: &mut Checked,
    monitor: &dyn Monitor,
    also: &mut dyn Observer,
) {
    if matches!(checked.stop, Stop::Exited { .. }) || !reads_seldom(image, checked.instructions) {
        return;
    }
    let mut spent = 0;
    for later in 1..=EXECUTIONS {
        if spent >= INSTRUCTIONS || monitor.is_interrupted() {
            return;
        }
        let more = check_restarts(&image.reading_later(later), request, monitor, also);
        spent += more.instructions + more.emulated;
        circumstances::add(checked, more, &format!(":s{later}"));
    }
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
        ValueSource::Constant(_) | ValueSource::Trace(_) | ValueSource::Script(_) => false,
    }
}
