//! Boots that follow one another.
//!
//! A program that comes to its end, or does nothing any more, starts again when power comes back, and finds what
//! it has left in non-volatile memory: a device that works once per boot and sleeps without power in between. What
//! only its fifth boot does is executed by nobody who looks at the first.

use std::collections::BTreeSet;
use std::num::NonZeroU32;
use std::ops::ControlFlow;

use brownout_explore::{Calls, DividedCounters, Monitor, Objects, Parts, follow_calls};
use brownout_vm::{Bounds, Image, Loops, Machine, Moment, Observer, Stop};

/// Boots are executed until so many of them, and as many again as before the last new thing, did nothing new.
const QUIET: u32 = 16;
/// What only some boots count is known after so many.
const SELDOM: u32 = 1 << 8;
/// But no more than these, and no more instructions in all, unless they are the first few.
const MOST: u32 = 1 << 12;
const INSTRUCTIONS: u64 = 20_000_000;
const FEW: u32 = 3;
/// Of a program that stays in a loop, so many boots show whether something is counted.
const AT_LOOP: u32 = 8;
/// Loops of up to so many operations in which nothing changes are recognised.
const LONGEST_LOOP: u32 = 1 << 14;
/// A program that has come to no end after so many instructions stays in a loop.
const LONGEST_TO_END: u64 = 100_000_000;

/// Where power fails, so that another boot begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BootsTo {
    /// Where the program ends, or does nothing any more.
    End,
    /// Where it comes to a loop that no path leaves: what comes before it is done at every boot.
    Loop,
}

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
    /// The operations that count boots in parts, and no carry of which was executed.
    pub uncarried: Vec<u32>,
}

/// Executes the boots of a program, each up to a limit of instructions, and tells those after the first that do something
/// new, and what they find. Of a program that ends, also the second, those next to them, and the one that does not end.
pub fn follow_boots(
    image: &Image,
    to: BootsTo,
    (limit, atomic_write): (u64, Option<u32>),
    monitor: &dyn Monitor,
    tell: &mut dyn FnMut(NonZeroU32, &Image),
) -> Boots {
    let mut machine = Machine::new(image);
    machine.set_bounds(Bounds::Lenient);
    let mut boot = BootObserver::new(image, to, atomic_write);
    let mut boots = Boots::default();
    loop {
        let begun = machine.clone();
        boot.begin();
        let end = run_to_end(&mut machine, &mut boot, limit);
        boot.end();
        boots.executed += 1;
        let is_told = match to {
            BootsTo::End => {
                let follows_new = boots.last_new + 1 == boots.executed;
                boot.is_new || follows_new || end == End::Nowhere
            }
            // What the second boot does, one after a failure does, too.
            BootsTo::Loop => boot.is_new && boots.executed > 2,
        };
        if let Some(number) = NonZeroU32::new(boots.executed).filter(|number| number.get() > 1)
            && is_told
        {
            tell(number, &image.booted_after(&begun));
        }
        if boot.is_new {
            boots.last_new = boots.executed;
        }
        if end == End::Faulted {
            boots.faulty = NonZeroU32::new(boots.executed);
        }
        machine.fail_power();
        let is_quiet = match to {
            BootsTo::End => boots.executed > 2 * boots.last_new + QUIET,
            BootsTo::Loop => boots.executed >= AT_LOOP,
        };
        if end != End::Ended || !begun.boots_otherwise(&machine) {
            return boots;
        }
        let may_count = to == BootsTo::End && boots.executed < SELDOM && boot.counters.may_count();
        if is_quiet && !may_count && boot.uncarried.is_empty() {
            return boots;
        }
        let is_long = machine.now() >= INSTRUCTIONS && boots.executed >= FEW;
        if is_long || boots.executed >= MOST || monitor.is_interrupted() {
            boots.are_more = !is_quiet && to == BootsTo::End;
            boots.uncarried = boot.uncarried.into_iter().collect();
            return boots;
        }
    }
}

/// The program as its boot of a number finds it, if it comes to that many.
pub fn boot(image: &Image, number: NonZeroU32, limit: u64) -> Option<Image> {
    let to = |to: BootsTo, limit: u64| {
        let mut machine = Machine::new(image);
        machine.set_bounds(Bounds::Lenient);
        let mut boot = BootObserver::new(image, to, None);
        for _ in 1..number.get() {
            if run_to_end(&mut machine, &mut boot, limit) != End::Ended {
                return None;
            }
            machine.fail_power();
        }
        Some(image.booted_after(&machine))
    };
    to(BootsTo::End, limit.min(LONGEST_TO_END)).or_else(|| to(BootsTo::Loop, limit))
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
fn run_to_end(machine: &mut Machine<'_>, boot: &mut BootObserver<'_>, limit: u64) -> End {
    let so_far = machine.now();
    let patience = match so_far {
        0 => limit,
        so_far => limit.min(INSTRUCTIONS.max(2 * so_far)),
    };
    let until = so_far.saturating_add(patience);
    loop {
        let slice = machine.now().saturating_add(SLICE).min(until);
        match machine.watch(boot, slice) {
            Stop::Exited { .. } => return End::Ended,
            Stop::Faulted(_) => return End::Faulted,
            Stop::Paused if std::mem::take(&mut boot.is_at_loop) => {
                if boot.loops.is_outermost(machine) {
                    return End::Ended;
                }
            }
            Stop::Paused => {
                if let Some(standstill) = machine.standstill(LONGEST_LOOP) {
                    // All of it is seen; power is switched off where that was found.
                    let seen_at = standstill.is_seen_at(machine.now());
                    machine.clone().watch(boot, seen_at);
                    return End::Ended;
                }
                if machine.now() >= until {
                    return End::Nowhere;
                }
            }
        }
    }
}

/// How many instructions are executed between two looks around.
const SLICE: u64 = 1 << 18;

/// Sees which operations access memory, and which of them count from boot to boot.
struct BootObserver<'i> {
    calls: Calls<'i>,
    objects: Objects<'i>,
    loops: Loops,
    /// The heads of the loops at which power fails.
    heads: BTreeSet<u32>,
    /// Whether it has just come to one of them.
    is_at_loop: bool,
    seen: Vec<bool>,
    /// Those that have stored something else than was there.
    changed: Vec<bool>,
    /// Whether one did for the first time, or a counter has carried for the first time.
    is_new: bool,
    /// How many bytes are written at once.
    unit: u32,
    parts: Parts,
    counters: DividedCounters,
    /// The operations that count in parts, and of which no carry was executed.
    uncarried: BTreeSet<u32>,
}

impl<'i> BootObserver<'i> {
    fn new(image: &'i Image, to: BootsTo, atomic_write: Option<u32>) -> Self {
        let loops = Loops::of(image);
        let heads = match to {
            BootsTo::End => BTreeSet::new(),
            BootsTo::Loop => loops.endless(image),
        };
        Self {
            calls: Calls::new(image),
            objects: Objects::new(image),
            loops,
            heads,
            is_at_loop: false,
            seen: vec![false; image.operations()],
            changed: vec![false; image.operations()],
            is_new: false,
            unit: atomic_write.unwrap_or(u32::MAX),
            parts: Parts::default(),
            counters: DividedCounters::default(),
            uncarried: BTreeSet::new(),
        }
    }

    fn begin(&mut self) {
        self.is_new = false;
        self.calls = Calls::new(self.calls.image());
        self.parts = Parts::default();
    }

    /// Looks at what the boot has counted.
    fn end(&mut self) {
        let image = self.calls.image();
        self.is_new |= self.counters.pass(image, &self.objects, &self.parts);
        self.uncarried = self.counters.uncarried().collect();
    }
}

/// Notes that an operation did something; whether that is new.
fn is_first(done: &mut [bool], pc: u32) -> bool {
    let done = done.get_mut(pc as usize);
    done.is_some_and(|done| !std::mem::replace(done, true))
}

impl Observer for BootObserver<'_> {
    fn accesses(&self) -> bool {
        true
    }

    fn load(&mut self, at: Moment, offset: u32, bytes: &[u8]) {
        self.is_new |= is_first(&mut self.seen, at.pc);
        self.parts.load(self.calls.image(), (at.pc, offset), bytes);
    }

    fn store(&mut self, at: Moment, memory: &[u8], offset: u32, new: &[u8]) {
        self.is_new |= is_first(&mut self.seen, at.pc);
        if !self.calls.image().layout().outlasts_calls(offset) {
            return;
        }
        let old = &memory[offset as usize..][..new.len()];
        if old != new {
            self.is_new |= is_first(&mut self.changed, at.pc);
        }
        let place = (at.pc, offset);
        self.parts.store(&self.calls, place, (old, new), self.unit);
    }

    fn loop_head(&mut self, at: Moment) -> ControlFlow<()> {
        self.is_at_loop = self.heads.contains(&at.pc);
        match self.is_at_loop {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }

    follow_calls!();
}
