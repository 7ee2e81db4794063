//! Differences between two devices, followed to their next access (semantics §2, *State*).
//!
//! As long as nothing that differs is read, both devices do the same: it is enough to watch one.

use std::collections::{BTreeMap, BTreeSet};

use brownout_vm::{Arrival, Machine, Moment, Observer, Register, SegmentKind, Stop};

use crate::clause::Clause;
use crate::device::Device;
use crate::judge::Options;
use crate::verdict::{Effect, Why};

/// What a comparison of two devices says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Comparison {
    /// They will never differ in anything that counts.
    Agree,
    /// They differ.
    Differ(Vec<Effect>),
    /// The instructions did not suffice.
    Undecided(Why),
}

/// What differs between two devices.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Differences {
    bytes: BTreeSet<u32>,
    registers: BTreeSet<u32>,
}

/// Whether an attempt is in the state of the continuous execution, both at the same visit of the
/// same place, or both at their end.
pub(crate) fn compare(
    attempt: &Device<'_>,
    continuous: &Device<'_>,
    options: &Options,
) -> Comparison {
    let has_ended = continuous.stop.is_some();
    if !has_ended {
        let is_same_stack = attempt.machine.call_stack() == continuous.machine.call_stack();
        if !attempt.is_at(&continuous.place()) || !is_same_stack {
            return Comparison::Differ(vec![Effect::Path]);
        }
    }
    if options.lacks(Clause::ListsAreNoState) && attempt.readings.next != continuous.readings.next {
        let registers = |next: &[u64]| next.iter().map(|&next| next as u8).collect();
        return Comparison::Differ(vec![Effect::Value {
            object: "list".to_owned(),
            at: 0,
            continuous: registers(&continuous.readings.next),
            intermittent: registers(&attempt.readings.next),
        }]);
    }
    let differences = differences(attempt, continuous, options);
    if has_ended {
        return at_end(&differences, attempt, continuous, options);
    }
    if differences == Differences::default() {
        return Comparison::Agree;
    }
    let subject = continuous.subject;
    let followed = follow(continuous, &differences, options);
    let mut effects = BTreeSet::new();
    let mut undecided = None;
    for (&offset, fate) in &followed.bytes {
        let counts = subject.survives[offset as usize] && !options.lacks(Clause::Untouched);
        let is_stack = kind(continuous, offset) == Some(SegmentKind::Stack);
        let is_difference = match fate {
            Fate::Read => true,
            Fate::Overwritten => options.lacks(Clause::OverwrittenFirst),
            Fate::Untouched => match followed.end {
                End::Program => counts && !is_stack,
                End::NothingNew => counts,
                End::Instructions => {
                    if counts {
                        undecided.get_or_insert(Why::Untouched(subject.name_of(offset)));
                    }
                    false
                }
            },
        };
        if !is_difference {
            continue;
        }
        if matches!(
            kind(continuous, offset),
            Some(SegmentKind::Heap | SegmentKind::HeapMap)
        ) {
            undecided = Some(Why::Heap);
            continue;
        }
        effects.insert(value(attempt, continuous, offset));
    }
    if followed.registers.values().any(|fate| *fate == Fate::Read) {
        effects.insert(Effect::Value {
            object: "locals".to_owned(),
            at: 0,
            continuous: Vec::new(),
            intermittent: Vec::new(),
        });
    }
    match (effects.is_empty(), undecided) {
        (false, _) => Comparison::Differ(effects.into_iter().collect()),
        (true, Some(why)) => Comparison::Undecided(why),
        (true, None) => Comparison::Agree,
    }
}

/// The bytes that differ between two devices at their end, and count there.
pub(crate) fn differing_at_end(
    attempt: &Device<'_>,
    continuous: &Device<'_>,
    options: &Options,
) -> Vec<u32> {
    kept_at_end(
        &differences(attempt, continuous, options),
        continuous,
        options,
    )
}

/// Of what differs at the end what counts: all non-volatile memory that is no stack.
fn kept_at_end(differences: &Differences, device: &Device<'_>, options: &Options) -> Vec<u32> {
    let bytes = differences.bytes.iter().copied();
    let kept = bytes.filter(|&offset| {
        let is_stack = kind(device, offset) == Some(SegmentKind::Stack);
        device.subject.survives[offset as usize]
            && !options.lacks(Clause::Untouched)
            && (!is_stack || options.lacks(Clause::NoStackAtEnd))
    });
    kept.collect()
}

/// At the end the exit status counts, and all non-volatile memory that is no stack.
fn at_end(
    differences: &Differences,
    attempt: &Device<'_>,
    continuous: &Device<'_>,
    options: &Options,
) -> Comparison {
    let mut effects = BTreeSet::new();
    if let (
        Some(Stop::Exited { status: continuous }),
        Some(Stop::Exited {
            status: intermittent,
        }),
    ) = (&continuous.stop, &attempt.stop)
        && continuous != intermittent
    {
        effects.insert(Effect::Status {
            continuous: *continuous,
            intermittent: *intermittent,
        });
    }
    for offset in kept_at_end(differences, continuous, options) {
        if kind(continuous, offset) == Some(SegmentKind::Heap) {
            return Comparison::Undecided(Why::Heap);
        }
        effects.insert(value(attempt, continuous, offset));
    }
    match effects.is_empty() {
        true => Comparison::Agree,
        false => Comparison::Differ(effects.into_iter().collect()),
    }
}

fn kind(device: &Device<'_>, offset: u32) -> Option<SegmentKind> {
    let segment = device.subject.image.layout().segment(offset);
    segment.map(|segment| segment.kind)
}

/// The object that a byte belongs to, as both devices have it.
fn value(attempt: &Device<'_>, continuous: &Device<'_>, offset: u32) -> Effect {
    let subject = continuous.subject;
    let extent = subject.extent_of(offset);
    let bytes = |machine: &Machine<'_>| {
        machine.memory()[extent.start as usize..extent.end as usize].to_vec()
    };
    Effect::Value {
        object: subject.name_of(offset),
        at: extent.start,
        continuous: bytes(&continuous.machine),
        intermittent: bytes(&attempt.machine),
    }
}

/// Everything that differs, apart from what is not compared.
fn differences(attempt: &Device<'_>, continuous: &Device<'_>, options: &Options) -> Differences {
    let subject = continuous.subject;
    let (ours, theirs) = (attempt.machine.memory(), continuous.machine.memory());
    let is_left_out = |offset: usize| {
        subject.ignored[offset] && !options.lacks(Clause::Ignored)
            || subject.aware[offset] && !options.lacks(Clause::Aware)
    };
    let bytes = (0..ours.len().min(theirs.len()))
        .filter(|&offset| ours[offset] != theirs[offset] && !is_left_out(offset))
        .map(|offset| offset as u32);
    let bytes = bytes.collect();
    let mut registers = BTreeSet::new();
    if !options.lacks(Clause::Registers) {
        let (ours, theirs) = (attempt.machine.registers(), continuous.machine.registers());
        let most = ours.len().max(theirs.len());
        let at = |registers: &[u64], number: usize| registers.get(number).copied();
        let differing = (0..most).filter(|&number| at(ours, number) != at(theirs, number));
        registers.extend(differing.map(|number| number as u32));
    }
    Differences { bytes, registers }
}

/// What happens to a difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    Read,
    Overwritten,
    Untouched,
}

/// Why following ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    /// The program did.
    Program,
    /// From here on it does what it has done before.
    NothingNew,
    /// The instructions were used up.
    Instructions,
}

struct Followed {
    bytes: BTreeMap<u32, Fate>,
    registers: BTreeMap<u32, Fate>,
    end: End,
}

/// Executes until every difference has been accessed, or nothing more can come.
fn follow(device: &Device<'_>, differences: &Differences, options: &Options) -> Followed {
    let mut device = device.clone();
    let untouched = |numbers: &BTreeSet<u32>| -> BTreeMap<u32, Fate> {
        numbers
            .iter()
            .map(|&number| (number, Fate::Untouched))
            .collect()
    };
    let mut following = Following {
        bytes: untouched(&differences.bytes),
        registers: untouched(&differences.registers),
        pending: differences.bytes.len() + differences.registers.len(),
        path: std::mem::take(&mut device.path),
        device: Box::new(device.clone()),
        is_outside: false,
    };
    let until = device.machine.now() + options.instructions;
    // A state that is left further and further in the past, to see whether it comes again.
    let (mut anchor, mut distance, mut most) = (device.machine.clone(), 0u64, 1u64);
    let end = loop {
        if following.pending == 0 || device.machine.now() >= until {
            break End::Instructions;
        }
        match device.machine.watch_operation(&mut following) {
            Stop::Paused => {}
            Stop::Exited { .. } | Stop::Faulted(_) => break End::Program,
        }
        distance += 1;
        let machine = &device.machine;
        if machine.pc() == anchor.pc()
            && !following.is_outside
            && machine.registers() == anchor.registers()
            && machine.memory() == anchor.memory()
        {
            break End::NothingNew;
        }
        if distance == most {
            (distance, most) = (0, 2 * most);
            anchor = device.machine.clone();
            following.is_outside = false;
        }
    };
    Followed {
        bytes: following.bytes,
        registers: following.registers,
        end,
    }
}

/// Watches differences.
struct Following<'s> {
    bytes: BTreeMap<u32, Fate>,
    registers: BTreeMap<u32, Fate>,
    /// How many of them nothing has touched.
    pending: usize,
    /// Calls in progress, for inputs.
    path: Vec<u32>,
    /// Knows what inputs give.
    device: Box<Device<'s>>,
    /// Whether the world outside was asked for something, which may be new every time.
    is_outside: bool,
}

impl Following<'_> {
    fn touch(fates: &mut BTreeMap<u32, Fate>, pending: &mut usize, number: u32, becomes: Fate) {
        if let Some(fate) = fates.get_mut(&number)
            && *fate == Fate::Untouched
        {
            *fate = becomes;
            *pending -= 1;
        }
    }

    fn byte(&mut self, offset: u32, becomes: Fate) {
        Self::touch(&mut self.bytes, &mut self.pending, offset, becomes);
    }

    fn reads(&mut self, registers: &[Register]) {
        for &register in registers {
            Self::touch(&mut self.registers, &mut self.pending, register, Fate::Read);
        }
    }

    fn overwrites(&mut self, register: Register) {
        let becomes = Fate::Overwritten;
        Self::touch(&mut self.registers, &mut self.pending, register, becomes);
    }
}

impl Observer for Following<'_> {
    fn accesses(&self) -> bool {
        true
    }

    fn flow(&self) -> bool {
        true
    }

    fn derive(&mut self, to: Register, from: &[Register]) {
        self.reads(from);
        self.overwrites(to);
    }

    fn loaded(&mut self, _: Moment, to: Register, _: u32, _: u32, address: &[Register]) {
        self.reads(address);
        self.overwrites(to);
    }

    fn stored(&mut self, _: Moment, from: Option<Register>, _: u32, _: u32, address: &[Register]) {
        self.reads(address);
        self.reads(from.as_slice());
    }

    fn copied(&mut self, _: Moment, _: u32, _: u32, _: u32, chosen: &[Register]) {
        self.reads(chosen);
    }

    fn decide(&mut self, _: Moment, on: &[Register]) {
        self.reads(on);
    }

    fn spend(&mut self, _: Moment, arguments: &[Register]) {
        self.reads(arguments);
    }

    fn arrive(&mut self, _: Moment, _: u32, place: Arrival) {
        if let Arrival::Register(register) = place {
            self.overwrites(register);
        }
    }

    fn load(&mut self, _: Moment, offset: u32, bytes: &[u8]) {
        for offset in offset..offset + bytes.len() as u32 {
            self.byte(offset, Fate::Read);
        }
    }

    fn store(&mut self, _: Moment, _: &[u8], offset: u32, new: &[u8]) {
        for offset in offset..offset + new.len() as u32 {
            self.byte(offset, Fate::Overwritten);
        }
    }

    fn call(&mut self, at: Moment, _: brownout_ir::Func, _: u32) {
        self.path.push(at.pc);
    }

    fn ret(&mut self, _: Moment, _: brownout_ir::Func) {
        self.path.pop();
    }

    fn unwind(&mut self, _: Moment, depth: usize) {
        self.path.truncate(depth.saturating_sub(1));
    }

    fn answer(&mut self, at: Moment, index: u32, bits: u32) -> Option<u64> {
        self.is_outside = true;
        self.device.answer(&self.path, at.pc, index, bits)
    }
}
