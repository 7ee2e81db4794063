//! Boots that follow one another.
//!
//! A program that comes to its end, or does nothing any more, starts again when power comes back, and finds what
//! it has left in non-volatile memory: a device that works once per boot and sleeps without power in between. What
//! only its fifth boot does is executed by nobody who looks at the first.

use std::num::NonZeroU32;

use brownout_explore::Monitor;
use brownout_vm::{Bounds, Image, Machine, Moment, Observer, Stop};

/// Boots are executed until so many of them, and as many again as before the last new thing, did nothing new.
const QUIET: u32 = 16;
/// But no more than these, and no more instructions in all, unless they are the first few.
const MOST: u32 = 1 << 12;
const INSTRUCTIONS: u64 = 20_000_000;
const FEW: u32 = 3;
/// Loops of up to so many operations in which nothing changes are recognised.
const LONGEST_LOOP: u32 = 1 << 14;

/// What the boots of a program come to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Boots {
    /// How many were executed, one after the other.
    pub executed: u32,
    /// The last one that did something new.
    pub last_new: u32,
    /// The boot that ends in a fault, if one does.
    pub faulty: Option<NonZeroU32>,
    /// Whether there are more, which may do something new.
    pub are_more: bool,
}

/// Executes the boots of a program that ends, and tells those after the first that do something new, the second,
/// those next to them, and the one that does not end: their number, and the program as they find it.
pub fn follow_boots(
    image: &Image,
    limit: u64,
    monitor: &dyn Monitor,
    tell: &mut dyn FnMut(NonZeroU32, &Image),
) -> Boots {
    let mut machine = Machine::new(image);
    machine.set_bounds(Bounds::Lenient);
    let mut accesses = Accesses {
        seen: vec![false; image.operations()],
        is_new: false,
    };
    let mut boots = Boots::default();
    loop {
        let begun = machine.clone();
        accesses.is_new = false;
        let end = run_to_end(&mut machine, &mut accesses, limit);
        boots.executed += 1;
        let follows_new = boots.last_new + 1 == boots.executed;
        if let Some(number) = NonZeroU32::new(boots.executed).filter(|number| number.get() > 1)
            && (accesses.is_new || follows_new || end == End::Nowhere)
        {
            tell(number, &image.booted_after(&begun));
        }
        if accesses.is_new {
            boots.last_new = boots.executed;
        }
        if end == End::Faulted {
            boots.faulty = NonZeroU32::new(boots.executed);
        }
        machine.fail_power();
        let is_quiet = boots.executed > 2 * boots.last_new + QUIET;
        if end != End::Ended || is_quiet || !begun.boots_otherwise(&machine) {
            return boots;
        }
        let is_long = machine.now() >= INSTRUCTIONS && boots.executed >= FEW;
        if is_long || boots.executed >= MOST || monitor.is_interrupted() {
            boots.are_more = true;
            return boots;
        }
    }
}

/// The program as its boot of a number finds it, if it comes to that many.
pub fn boot(image: &Image, number: NonZeroU32, limit: u64) -> Option<Image> {
    let mut machine = Machine::new(image);
    machine.set_bounds(Bounds::Lenient);
    for _ in 1..number.get() {
        if run_to_end(&mut machine, &mut brownout_vm::Unobserved, limit) != End::Ended {
            return None;
        }
        machine.fail_power();
    }
    Some(image.booted_after(&machine))
}

/// How a boot goes on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    /// To its end, or to where it does nothing any more.
    Ended,
    Faulted,
    /// It has not come to an end within the limit.
    Nowhere,
}

/// Runs a boot to its end. That the first one comes to it within the limit is known; later ones may not come to
/// any, and are given up sooner.
fn run_to_end(machine: &mut Machine<'_>, observer: &mut dyn Observer, limit: u64) -> End {
    let so_far = machine.now();
    let patience = match so_far {
        0 => limit,
        so_far => limit.min(INSTRUCTIONS.max(2 * so_far)),
    };
    let until = so_far.saturating_add(patience);
    loop {
        let slice = machine.now().saturating_add(SLICE).min(until);
        match machine.watch(observer, slice) {
            Stop::Exited { .. } => return End::Ended,
            Stop::Faulted(_) => return End::Faulted,
            Stop::Paused if machine.standstill(LONGEST_LOOP).is_some() => return End::Ended,
            Stop::Paused if machine.now() >= until => return End::Nowhere,
            Stop::Paused => {}
        }
    }
}

/// How many instructions are executed between two looks around.
const SLICE: u64 = 1 << 18;

/// Sees which operations access memory.
struct Accesses {
    seen: Vec<bool>,
    /// Whether one did for the first time.
    is_new: bool,
}

impl Accesses {
    fn see(&mut self, pc: u32) {
        if let Some(seen) = self.seen.get_mut(pc as usize) {
            self.is_new |= !*seen;
            *seen = true;
        }
    }
}

impl Observer for Accesses {
    fn accesses(&self) -> bool {
        true
    }

    fn load(&mut self, at: Moment, _: u32, _: &[u8]) {
        self.see(at.pc);
    }

    fn store(&mut self, at: Moment, _: &[u8], _: u32, _: &[u8]) {
        self.see(at.pc);
    }
}
