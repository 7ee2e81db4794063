//! A program that is checked again with interrupts at the places where it matters whether one comes.

use brownout_diag::{Event, Related, ReplayInterrupt};
use brownout_explore::{Monitor, Patience, Recovery};
use brownout_trace::{Checked, Request};
use brownout_vm::{Elsewhere, Image, InterruptSchedule, Unobserved};

use crate::circumstances;

/// At so many places interrupts are tried; at more, that is said.
const PLACES: usize = 64;

/// No handler comes: none has number 0.
const NOWHERE: InterruptSchedule = InterruptSchedule::At {
    pc: 0,
    handler: 0,
    elsewhere: Elsewhere::Absent,
};

/// How long nothing new has to happen in such an execution: all but the interrupt is known already.
const PATIENCE: Patience = Patience {
    rounds: 16,
    instructions: 1 << 16,
};

/// Checks again with interrupts at the places where it matters whether one comes, and adds what that
/// shows. What was left out, if there are too many.
pub(crate) fn at_every_place(
    image: &Image,
    request: &Request,
    checked: &mut Checked,
    monitor: &dyn Monitor,
) -> Option<String> {
    let varied = checked
        .rounds
        .map_or(checked.instructions, |rounds| rounds.varied);
    let places = brownout_trace::interrupt_places(image, varied);
    let request = &Request {
        patience: PATIENCE,
        ..request.clone()
    };
    // That a handler comes again may hide what a power failure does.
    let come_anywhere = image.bindings().interrupts.as_ref();
    let come_anywhere = come_anywhere.is_some_and(|interrupts| {
        !interrupts.anywhere.is_empty() && interrupts.periodic.is_empty()
    });
    if come_anywhere && !monitor.is_interrupted() {
        let more = at_place(image, request, NOWHERE, monitor);
        add(image, NOWHERE, checked, more);
    }
    for &schedule in places.iter().take(PLACES) {
        if monitor.is_interrupted() {
            break;
        }
        let more = at_place(image, request, schedule, monitor);
        // A program that waits for other handlers gets nowhere without them.
        let is_idle = more.endless.is_some();
        add(image, schedule, checked, more);
        if is_idle
            && let InterruptSchedule::At {
                pc,
                handler,
                elsewhere: Elsewhere::Absent,
            } = schedule
        {
            let schedule = InterruptSchedule::At {
                pc,
                handler,
                elsewhere: Elsewhere::NowAndThen,
            };
            let more = at_place(image, request, schedule, monitor);
            add(image, schedule, checked, more);
        }
    }
    let count = places.len();
    let is_cut_short = count > PLACES;
    checked.interrupted |= is_cut_short;
    is_cut_short.then(|| {
        format!(
            "interrupts were tried at {PLACES} of {count} places where they share data with the program; the others were not checked"
        )
    })
}

/// Checks with interrupts as one schedule says.
fn at_place(
    image: &Image,
    request: &Request,
    schedule: InterruptSchedule,
    monitor: &dyn Monitor,
) -> Checked {
    let image = &image.with_interrupts(schedule);
    match request.recovery {
        Recovery::Checkpoint | Recovery::Task => {
            brownout_trace::check(image, request, monitor, &mut Unobserved)
        }
        Recovery::Restart => {
            brownout_trace::check_restarts(image, request, monitor, &mut Unobserved)
        }
    }
}

/// Adds what such a check shows, and says which handler runs where.
fn add(image: &Image, schedule: InterruptSchedule, checked: &mut Checked, mut more: Checked) {
    let InterruptSchedule::At {
        pc,
        handler,
        elsewhere,
    } = schedule
    else {
        return;
    };
    let interrupts = image.bindings().interrupts.as_ref();
    let func = interrupts.and_then(|all| all.handlers.get(usize::from(handler).checked_sub(1)?));
    let name = func.map(|&func| image.program().functions[func].name.as_str());
    if let (Some(name), Some(place)) = (name, brownout_trace::place(image, pc)) {
        for finding in &mut more.findings {
            finding.related.push(Related {
                event: Event::Other(format!("interrupt `{name}` comes before this")),
                place: place.clone(),
            });
        }
    }
    let interrupt = ReplayInterrupt {
        handler,
        operation: pc,
        with_others: elsewhere == Elsewhere::NowAndThen,
    };
    circumstances::add(checked, more, &|id| id.interrupt = Some(interrupt));
}
