//! What a program does wrong without any power failure, with its place.

use std::collections::BTreeSet;

use brownout_device::unknown::listed;
use brownout_device::{Prepared, memory_plan, refuse_what_cannot_run};
use brownout_vm::{Fault, Image, Machine, Stop};

/// How far stores are watched: wrong ones in loops show early.
const WATCHED: u64 = 5_000_000;

/// So many calls are told of the innermost ones, and so many of the outermost: those between are a recursion.
const INNERMOST: usize = 8;
const OUTERMOST: usize = 4;

/// Where the program was, innermost call first; inlined calls are calls.
pub fn backtrace(machine: &Machine<'_>, image: &Image) -> Vec<String> {
    let program = image.program();
    let mut lines = Vec::new();
    let calls = machine.backtrace();
    let left_out = calls.len().saturating_sub(INNERMOST + OUTERMOST);
    for (index, &(func, pc)) in calls.iter().enumerate() {
        if index == INNERMOST && left_out > 0 {
            lines.push(format!("  … {left_out} more calls"));
        }
        if (INNERMOST..INNERMOST + left_out).contains(&index) {
            continue;
        }
        let function = &program.functions[func];
        let mut place = image.place(pc).or(function.place);
        if place.is_none() {
            lines.push(format!("  in `{}`", function.name));
        }
        while let Some(at) = place {
            let data = &program.source.places[at];
            lines.push(format!(
                "  --> {} in `{}`",
                brownout_device::describe(&program.source, at),
                data.function
            ));
            place = data.inlined_at;
        }
    }
    lines
}

/// Something that the program does wrong.
pub struct ProgramFault {
    /// A name for programs to go by.
    pub name: &'static str,
    /// In words.
    pub message: String,
    /// Where, innermost call first.
    pub backtrace: Vec<String>,
}

impl ProgramFault {
    /// The same, of a program that has read what nobody describes: that may be why.
    pub(crate) fn after_reading(mut self, undescribed: &BTreeSet<String>) -> Self {
        let names: Vec<String> = undescribed.iter().map(|name| format!("`{name}`")).collect();
        if !names.is_empty() {
            let are = match names.len() {
                1 => "which is",
                _ => "which are",
            };
            let names = listed(&names);
            self.message += &format!("; it may be because of {names}, {are} taken to be 0");
        }
        self
    }
}

/// How a program dies that is known to die after so many instructions at most.
pub(crate) fn death(image: &Image, limit: u64) -> Option<ProgramFault> {
    let (fault, mut death) = how(image, limit)?;
    death.message = format!(
        "the program dies even without a power failure: {fault}; it is checked up to there"
    );
    Some(death)
}

/// What a program dies of, and where.
pub(crate) fn how(image: &Image, limit: u64) -> Option<(Fault, ProgramFault)> {
    let mut machine = Machine::new(image);
    match machine.advance(limit.saturating_add(1)) {
        Stop::Faulted(fault) => {
            let death = ProgramFault {
                name: fault.name(),
                message: fault.to_string(),
                backtrace: backtrace(&machine, image),
            };
            Some((fault, death))
        }
        Stop::Exited { .. } | Stop::Paused => None,
    }
}

/// The first store next to the object it is meant for.
pub(crate) fn overrun(
    prepared: &Prepared,
    limit: u64,
    stop: &dyn Fn() -> bool,
) -> Option<ProgramFault> {
    let (image, gap) = with_gaps(prepared)?;
    let limit = limit.min(WATCHED);
    let found = brownout_trace::find_overrun(&image, &prepared.program, gap, limit, stop)?;
    let mut machine = Machine::new(&image);
    machine.advance(found.moment.time);
    let mut lines = backtrace(&machine, &image);
    // The machine stands after the store; the first line is about the store itself.
    let place = image.place(found.moment.pc);
    if let (Some(first), Some(place)) = (lines.first_mut(), place) {
        let source = &image.program().source;
        let function = &source.places[place].function;
        *first = format!(
            "  --> {} in `{function}`",
            brownout_device::describe(source, place)
        );
    }
    Some(ProgramFault {
        name: "out-of-bounds",
        message: format!("{found}, even without a power failure"),
        backtrace: lines,
    })
}

/// The program with gaps between its objects, as large as there is room for them, and how many
/// bytes these have.
fn with_gaps(prepared: &Prepared) -> Option<(Image, u32)> {
    let start = prepared.start?;
    let mut executed = prepared.clone();
    executed.add_transitions();
    let Prepared {
        program, bindings, ..
    } = &executed;
    refuse_what_cannot_run(program, start, bindings, &prepared.gaps).ok()?;
    let plan = memory_plan(program, &prepared.scenario);
    brownout_trace::GAPS.into_iter().find_map(|gap| {
        let program = brownout_trace::with_gaps(program, gap);
        let image = Image::new(program, start, &plan, bindings.clone());
        Some((image.ok()?, gap))
    })
}
