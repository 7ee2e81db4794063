//! Programs that end are checked in later boots, too: each finds what the one before it has left.

use brownout_explore::Monitor;
use brownout_trace::{Boots, Checked, Request, check_restarts, follow_boots};
use brownout_vm::{Image, Observer, Stop};

use crate::circumstances;
use crate::endless::ordinal;

/// So many boots are checked, and fewer if that takes more instructions than this.
const CHECKED: u32 = 32;
const INSTRUCTIONS: u64 = 100_000_000;

/// Checks the later boots of a program of which the first one is `checked`, and adds what that shows. What they do
/// without failures goes to `also`.
pub(crate) fn check(
    image: &Image,
    request: &Request,
    checked: &mut Checked,
    monitor: &dyn Monitor,
    also: &mut dyn Observer,
) -> Boots {
    let rests = (checked.endless.as_ref()).is_some_and(|endless| endless.waits.is_none());
    let ends = rests || matches!(checked.stop, Stop::Exited { .. });
    if !ends {
        return Boots::default();
    }
    let (mut told, mut spent) = (0, 0);
    follow_boots(image, request.limit, monitor, &mut |number, image| {
        if told == CHECKED || spent >= INSTRUCTIONS || monitor.is_interrupted() {
            checked.interrupted = true;
            return;
        }
        told += 1;
        let more = check_restarts(image, request, monitor, also);
        spent += more.emulated;
        circumstances::add(checked, more, &format!(":n{number}"));
    })
}

/// What is to be said of the boots that were executed.
pub(crate) fn tell(boots: &Boots) -> Option<String> {
    let Boots {
        executed, last_new, ..
    } = boots;
    (*last_new > 1).then(|| {
        format!("the program ends: {executed} boots were executed, one after the other; nothing new after the {}", ordinal((*last_new).into()))
    })
}

/// That one of them ends in a fault, if it does.
pub(crate) fn fault(boots: &Boots) -> Option<String> {
    let number = boots.faulty?;
    Some(format!(
        "boot {number} ends in a fault, without any power failure in it: what comes after that was not checked"
    ))
}
