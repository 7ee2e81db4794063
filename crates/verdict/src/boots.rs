//! Programs are checked in later boots, too: each finds what the one before it has left. Of a program that stays in a loop,
//! power fails where it comes to that.

use brownout_explore::Monitor;
use brownout_trace::{Boots, BootsTo, Checked, Request, check_restarts, follow_boots};
use brownout_vm::{Image, Stop};

use crate::circumstances;
use crate::coverage::Coverage;
use crate::endless::{self, ordinal};
use crate::faults::{self, ProgramFault};

/// So many boots are checked, and fewer if that takes more instructions than this.
const CHECKED: u32 = 32;
/// Of a program that stays in a loop, which is executed each time, so many.
const CHECKED_AT_LOOP: u32 = 4;
const INSTRUCTIONS: u64 = 100_000_000;

/// The boots of a program, one after the other.
#[derive(Default)]
pub(crate) struct Later {
    followed: Boots,
    /// Why some of them were not checked to their end.
    unfinished: Vec<String>,
    /// What the one dies of that does.
    pub(crate) death: Option<ProgramFault>,
}

/// Checks the later boots of a program of which the first one is `checked`, and adds what that shows. What they do
/// without failures is covered.
pub(crate) fn check(
    image: &Image,
    request: &Request,
    checked: &mut Checked,
    monitor: &dyn Monitor,
    coverage: &mut Coverage,
) -> Later {
    let rests = (checked.endless.as_ref()).is_some_and(|endless| endless.waits.is_none());
    let to = match rests || matches!(checked.stop, Some(Stop::Exited { .. })) {
        true => BootsTo::End,
        false if checked.rounds.is_some() => BootsTo::Loop,
        false => return Later::default(),
    };
    let most = match to {
        BootsTo::End => CHECKED,
        BootsTo::Loop => CHECKED_AT_LOOP,
    };
    let mut unfinished = Vec::new();
    let (mut told, mut spent) = (0, 0);
    let extent = (request.limit, request.atomic_write);
    let mut followed = follow_boots(image, to, extent, monitor, &mut |number, image| {
        let is_enough = told == most || spent >= INSTRUCTIONS;
        if is_enough || monitor.is_interrupted() {
            // What comes before a loop was checked in the first boot, as far as failures lead there.
            checked.interrupted |= to == BootsTo::End || monitor.is_interrupted();
            return;
        }
        told += 1;
        let mut more = check_restarts(image, request, monitor, coverage);
        endless::settle(&mut more, coverage, image);
        spent += more.emulated;
        // That a boot ends in a fault, or that the check was stopped, is told once.
        if !matches!(more.stop, Some(Stop::Faulted(_))) && !more.interrupted {
            let reason = endless::unfinished(&more, image, request.limit);
            unfinished.extend(reason.map(|reason| format!("boot {number}: {reason}")));
        }
        circumstances::add(checked, more, &|id| id.boot = Some(number));
    });
    checked.uncarried.extend(&followed.uncarried);
    let death = followed.faulty.and_then(|number| {
        let image = brownout_trace::boot(image, number, request.limit)?;
        let (fault, mut death) = faults::how(&image, request.limit)?;
        death.message = format!(
            "boot {number} ends in a fault, without any power failure in it: {fault}; what comes after that was not checked"
        );
        Some(death)
    });
    if death.is_some() {
        // It is told with its fault.
        followed.faulty = None;
    }
    Later {
        followed,
        unfinished,
        death,
    }
}

impl Later {
    /// What is to be said of the boots that were executed.
    pub(crate) fn tell(&self) -> Option<String> {
        let Boots {
            executed, last_new, ..
        } = self.followed;
        (last_new > 1 && !self.followed.are_more).then(|| {
            format!("{executed} boots were executed, each with what the one before it has left; nothing new after the {}", ordinal(last_new.into()))
        })
    }

    /// The last boot that was executed, if those after it may do something new.
    pub(crate) fn last(&self) -> Option<u32> {
        self.followed.are_more.then_some(self.followed.executed)
    }

    /// What was not checked, and why.
    pub(crate) fn unchecked(self) -> Vec<String> {
        let fault = self.followed.faulty.map(|number| {
            format!("boot {number} ends in a fault, without any power failure in it: what comes after that was not checked")
        });
        self.unfinished.into_iter().chain(fault).collect()
    }
}
