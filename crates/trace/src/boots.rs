//! Boots that follow one another.
//!
//! A program that comes to its end, or does nothing any more, starts again when power comes back, and finds what
//! it has left in non-volatile memory: a device that works once per boot and sleeps without power in between. What
//! only its fifth boot does is executed by nobody who looks at the first.

use std::collections::BTreeMap;
use std::num::NonZeroU32;

use brownout_explore::restart::carries;
use brownout_explore::{Monitor, Objects};
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
    /// The operations that count boots in parts, and no carry of which was executed.
    pub uncarried: Vec<u32>,
}

/// Executes the boots of a program that ends, each up to a limit of instructions, and tells those after the first that do something new, the second,
/// those next to them, and the one that does not end: their number, and the program as they find it.
pub fn follow_boots(
    image: &Image,
    (limit, atomic_write): (u64, Option<u32>),
    monitor: &dyn Monitor,
    tell: &mut dyn FnMut(NonZeroU32, &Image),
) -> Boots {
    let mut machine = Machine::new(image);
    machine.set_bounds(Bounds::Lenient);
    let mut accesses = Accesses {
        image,
        objects: Objects::new(image),
        seen: vec![false; image.operations()],
        changed: vec![false; image.operations()],
        is_new: false,
        atomic_write,
        stored: BTreeMap::new(),
        stored_before: BTreeMap::new(),
        counters: BTreeMap::new(),
    };
    let mut boots = Boots::default();
    loop {
        let begun = machine.clone();
        accesses.begin_boot();
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
        if end != End::Ended || !begun.boots_otherwise(&machine) {
            return boots;
        }
        let uncarried = accesses.uncarried();
        if is_quiet && uncarried.is_empty() {
            return boots;
        }
        let is_long = machine.now() >= INSTRUCTIONS && boots.executed >= FEW;
        if is_long || boots.executed >= MOST || monitor.is_interrupted() {
            boots.are_more = !is_quiet;
            boots.uncarried = uncarried;
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
            Stop::Paused => {
                if let Some(standstill) = machine.standstill(LONGEST_LOOP) {
                    // All of it is seen; power is switched off where that was found.
                    let seen_at = standstill.is_seen_at(machine.now());
                    machine.clone().watch(observer, seen_at);
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
struct Accesses<'i> {
    image: &'i Image,
    objects: Objects<'i>,
    seen: Vec<bool>,
    /// Those that have stored something else than was there.
    changed: Vec<bool>,
    /// Whether one did for the first time, or a counter has carried for the first time.
    is_new: bool,
    atomic_write: Option<u32>,
    /// What operations have stored last that write more than is written at once: in this boot, and in the one before.
    stored: BTreeMap<u32, (u32, Vec<u8>)>,
    stored_before: BTreeMap<u32, (u32, Vec<u8>)>,
    /// Those that go on from what they stored in the boot before, and whether a carry has left the first part.
    counters: BTreeMap<u32, bool>,
}

impl Accesses<'_> {
    fn begin_boot(&mut self) {
        self.is_new = false;
        self.stored_before = std::mem::take(&mut self.stored);
    }

    /// The counters of which no carry was executed.
    fn uncarried(&self) -> Vec<u32> {
        let uncarried = self.counters.iter().filter(|(_, carried)| !**carried);
        uncarried.map(|(&counter, _)| counter).collect()
    }

    /// Looks at a store as at a step of a counter.
    fn count(&mut self, pc: u32, offset: u32, old: &[u8], new: &[u8]) {
        let unit = self.atomic_write.filter(|&unit| unit < 8);
        let is_wide = unit.is_some_and(|unit| {
            (unit as usize + 1..=8).contains(&new.len())
                && self.objects.has_number_wider_than(unit, offset)
        });
        if !is_wide || old == new || !self.image.layout().outlasts_calls(offset) {
            return;
        }
        let changes = carries(old, new);
        let is_first = !self.stored.contains_key(&pc);
        let goes_on = is_first && self.stored_before.get(&pc) == Some(&(offset, old.to_vec()));
        if goes_on && changes != 0 {
            self.counters.entry(pc).or_insert(false);
        }
        if let Some(carried) = self.counters.get_mut(&pc)
            && unit.is_some_and(|unit| changes >> unit != 0)
        {
            self.is_new |= !*carried;
            *carried = true;
        }
        self.stored.insert(pc, (offset, new.to_vec()));
    }
}

/// Notes that an operation did something; whether that is new.
fn is_first(done: &mut [bool], pc: u32) -> bool {
    let done = done.get_mut(pc as usize);
    done.is_some_and(|done| !std::mem::replace(done, true))
}

impl Observer for Accesses<'_> {
    fn accesses(&self) -> bool {
        true
    }

    fn load(&mut self, at: Moment, _: u32, _: &[u8]) {
        self.is_new |= is_first(&mut self.seen, at.pc);
    }

    fn store(&mut self, at: Moment, memory: &[u8], offset: u32, new: &[u8]) {
        self.is_new |= is_first(&mut self.seen, at.pc);
        let old = &memory[offset as usize..][..new.len()];
        if old != new && self.image.layout().outlasts_calls(offset) {
            self.is_new |= is_first(&mut self.changed, at.pc);
        }
        self.count(at.pc, offset, old, new);
    }
}
