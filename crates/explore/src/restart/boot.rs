//! Boots: what a device does after power failed at a quiet moment. Attempts are held against them.

use std::collections::BTreeMap;
use std::ops::{ControlFlow, Range};
use std::sync::Arc;

use brownout_ir::Func;
use brownout_vm::{Machine, Moment, Observer, Readings, SegmentKind, Stop, Stream};

use super::round::Round;
use super::{
    FIRST_VISITS, LEAST_BUDGET, LONGEST_LOOP, Pauses, RestartExplorer, SLICE, VISITS, visited,
};
use crate::emissions::Emission;

/// After so many instructions that come to no loop it is looked for the first time whether anything still happens.
const FIRST_SLICE: u64 = 1 << 10;
/// From this slice on longer loops are looked for than the shortest ones, in which most programs rest.
const FIRST_LONG_SLICE: u64 = 1 << 15;
const SHORT_LOOP: u32 = 64;

/// The state at a visit of a loop head.
pub(super) struct Visit {
    pub(super) head: u32,
    /// What memory holds that it did not hold when the boot began, in the order of the offsets.
    changed: Vec<(u32, u8)>,
    pub(super) registers: Vec<u64>,
    /// How many things the world had seen since the boot.
    pub(super) seen: usize,
    /// How often it had been asked for a reading.
    pub(super) asked: usize,
}

/// A boot that is not disturbed: what attempts are held against.
pub(super) struct Boot {
    /// What memory was when it began.
    pub(super) begun: Vec<u8>,
    pub(super) visits: Vec<Visit>,
    /// How many of them were wanted; fewer mean that it ends before, or takes too long.
    pub(super) wanted: usize,
    pub(super) emissions: Vec<Emission>,
    /// How it ended, and what memory was then; nothing if it was followed no further.
    pub(super) end: Option<(Stop, Vec<u8>)>,
    /// The loops in which it does nothing any more, by their first operations, if it has come to that.
    pub(super) stands_in: Vec<u32>,
    /// How often the world was asked for a reading.
    pub(super) asked: usize,
    pub(super) instructions: u64,
}

impl Boot {
    /// Whether it gets as far as it was followed, or comes to an end by itself.
    pub(super) fn goes_on(&self) -> bool {
        let ends = |(stop, _): &(Stop, Vec<u8>)| *stop != Stop::Paused;
        self.visits.len() >= self.wanted || self.end.as_ref().is_some_and(ends)
    }

    /// What it shows before it comes to its first loop.
    pub(super) fn set_up(&self) -> &[Emission] {
        let seen = self.visits.first().map_or(0, |visit| visit.seen);
        &self.emissions[..seen.min(self.emissions.len())]
    }

    /// Whether it stays in the loop that another execution has arrived at.
    pub(super) fn stays(&self, arrived: &Arrived) -> bool {
        let last = self.visits.last().map(|visit| visit.head);
        self.end.is_none() && matches!(arrived, Arrived::AtHead(head) if last == Some(*head))
    }

    /// The bytes of a machine that are others at a visit, and what they are there. Dead stack does not
    /// count.
    pub(super) fn differing(&self, visit: &Visit, machine: &Machine<'_>) -> Vec<(u32, u8)> {
        let memory = machine.memory();
        let mut bytes = differing(machine, &self.begun);
        let was = |offset: u32| {
            let changed = &visit.changed;
            let known = changed.binary_search_by_key(&offset, |&(offset, _)| offset);
            known.map_or(self.begun[offset as usize], |at| changed[at].1)
        };
        let changed = visit.changed.iter().map(|&(offset, _)| offset);
        bytes.extend(changed.filter(|&offset| !machine.is_dead_stack(offset)));
        bytes.sort_unstable();
        bytes.dedup();
        let bytes = bytes.into_iter().map(|offset| (offset, was(offset)));
        bytes
            .filter(|&(offset, byte)| memory[offset as usize] != byte)
            .collect()
    }
}

/// The bytes of a machine that are others in `before`, apart from constants and dead stack.
pub(super) fn differing(machine: &Machine<'_>, before: &[u8]) -> Vec<u32> {
    const CHUNKS: [usize; 2] = [1 << 12, 1 << 6];
    let memory = machine.memory();
    let mut bytes = Vec::new();
    for segment in machine.image().layout().segments() {
        let Range { mut start, end } = segment.offsets;
        match segment.kind {
            SegmentKind::HeapMap | SegmentKind::Constants => continue,
            SegmentKind::Stack => start = machine.live_stack().start.clamp(start, end),
            _ => {}
        }
        // Most of memory is equal: large pieces are compared before small ones.
        let large = unequal(memory, before, start as usize..end as usize, CHUNKS[0]);
        let small = large.flat_map(|large| unequal(memory, before, large, CHUNKS[1]));
        let others = small
            .flatten()
            .filter(|&at| memory[at] != before[at])
            .map(|at| at as u32);
        bytes.extend(others);
    }
    bytes
}

/// The pieces of a range that are not equal in both.
fn unequal(
    one: &[u8],
    other: &[u8],
    range: Range<usize>,
    size: usize,
) -> impl Iterator<Item = Range<usize>> {
    let end = range.end;
    let pieces = range
        .step_by(size)
        .map(move |start| start..(start + size).min(end));
    pieces.filter(|piece| one[piece.clone()] != other[piece.clone()])
}

/// A quiet moment, and what a boot after a failure there does.
pub(super) struct Reference<'i> {
    pub(super) machine: Machine<'i>,
    pub(super) boot: Boot,
    /// When that is.
    pub(super) time: u64,
    /// What the boot finds in what is not compared, if not what it would find by itself.
    contents: Vec<(u32, u8)>,
    /// What it reads.
    pub(super) readings: Arc<Readings>,
    /// How many of the first of these are those that were kept when power failed.
    pub(super) kept: usize,
    /// How many of the last things that the world sees before it boots made in set-up, for each such boot.
    pub(super) set_ups: Vec<usize>,
}

/// Where a boot came.
pub(super) enum Arrived {
    /// To the head of an outermost loop.
    AtHead(u32),
    /// To its end; paused if it does nothing any more.
    Stopped(Stop),
    /// Nowhere within its budget.
    Nowhere,
}

impl<'i> RestartExplorer<'_, 'i> {
    /// What a boot after a failure here does, for so many visits.
    pub(super) fn reference(&mut self, machine: &Machine<'i>, visits: usize) -> Reference<'i> {
        let time = machine.now();
        let mut quiet = machine.clone();
        quiet.forget();
        let contents = self.meant_contents(&quiet);
        let readings = Arc::clone(&self.first_boot.readings);
        let boot = self.boot(&quiet, &contents, &readings, visits);
        Reference {
            machine: quiet,
            boot,
            time,
            contents,
            readings,
            kept: 0,
            set_ups: Vec::new(),
        }
    }

    /// What a boot after a failure does where handlers have run at a quiet moment, and what the world
    /// saw of these; nothing if they do not return.
    pub(super) fn reference_after(
        &mut self,
        quiet: &Machine<'i>,
        handlers: &[u64],
    ) -> Option<(Reference<'i>, Vec<Emission>)> {
        let time = quiet.now();
        let mut machine = quiet.clone();
        let mut world = World::default();
        if !machine.run_handlers(handlers, &mut world, LEAST_BUDGET) {
            return None;
        }
        self.spent += machine.now() - time;
        let reference = self.reference(&machine, FIRST_VISITS);
        Some((Reference { time, ..reference }, world.emissions))
    }

    /// What is in memory that is meant to change.
    pub(super) fn meant_contents(&self, machine: &Machine<'i>) -> Vec<(u32, u8)> {
        let memory = machine.memory();
        let kept = |offset: &u32| {
            let segment = self.image.layout().segment(*offset);
            segment.is_some_and(|segment| segment.nonvolatile)
        };
        let meant = self.setting.meant.iter().flat_map(Clone::clone);
        meant
            .filter(kept)
            .map(|offset| (offset, memory[offset as usize]))
            .collect()
    }

    /// Lets a reference find the same as the attempt in what is meant to change.
    pub(super) fn give(&mut self, reference: &mut Reference<'i>, contents: &[(u32, u8)]) {
        if reference.contents != contents {
            reference.contents = contents.to_vec();
            self.boot_again(reference, reference.boot.wanted);
        }
    }

    /// Lets a reference read something else, so many of which were kept.
    pub(super) fn boot_with(
        &mut self,
        reference: &mut Reference<'i>,
        (readings, kept): (&Arc<Readings>, usize),
    ) {
        if !Arc::ptr_eq(&reference.readings, readings) {
            reference.readings = Arc::clone(readings);
            reference.kept = kept;
            self.boot_again(reference, reference.boot.wanted);
        }
    }

    /// Follows a reference for so many visits.
    pub(super) fn extend(&mut self, reference: &mut Reference<'i>, visits: usize) {
        if reference.boot.wanted < visits && reference.boot.end.is_none() {
            self.boot_again(reference, visits);
        }
    }

    fn boot_again(&mut self, reference: &mut Reference<'i>, visits: usize) {
        let Reference {
            machine,
            contents,
            readings,
            ..
        } = &*reference;
        reference.boot = self.boot(machine, contents, readings, visits);
    }

    pub(super) fn boot(
        &mut self,
        quiet: &Machine<'i>,
        contents: &[(u32, u8)],
        readings: &Arc<Readings>,
        visits: usize,
    ) -> Boot {
        let mut machine = begin(quiet, contents, readings);
        let begun = machine.now();
        let mut boot = Boot {
            begun: machine.memory().to_vec(),
            visits: Vec::new(),
            wanted: visits,
            emissions: Vec::new(),
            end: None,
            stands_in: Vec::new(),
            asked: 0,
            instructions: 0,
        };
        let mut world = World::default();
        while boot.visits.len() < visits {
            // Many visits are worth it as long as they are short.
            let until = match boot.visits.len() < VISITS {
                true => begun + LEAST_BUDGET * VISITS as u64,
                false => begun + LEAST_BUDGET,
            };
            if machine.now() >= until {
                break;
            }
            match self.to_head(&mut machine, &mut world, until) {
                Arrived::AtHead(head) => boot.visits.push(Visit {
                    head,
                    changed: differing(&machine, &boot.begun)
                        .into_iter()
                        .map(|offset| (offset, machine.memory()[offset as usize]))
                        .collect(),
                    registers: machine.live_registers(),
                    seen: world.emissions.len(),
                    asked: asked(&machine),
                }),
                Arrived::Stopped(stop) => {
                    if stop == Stop::Paused {
                        boot.stands_in = self.loops.all_around(&machine);
                    }
                    boot.end = Some((stop, machine.memory().to_vec()));
                    break;
                }
                Arrived::Nowhere => break,
            }
        }
        boot.instructions = machine.now() - begun;
        boot.asked = asked(&machine);
        boot.emissions = world.emissions;
        self.spent += boot.instructions;
        boot
    }

    /// Whether a machine that has just passed the head of a loop is at a quiet moment.
    pub(super) fn is_quiet(&self, machine: &Machine<'i>) -> bool {
        self.first_boot.is_quiet(visited(machine)) && self.loops.is_outermost(machine)
    }

    /// Whether a machine is in a round of a loop whose visits are known to be quiet.
    pub(super) fn is_in_round(&self, machine: &Machine<'i>) -> bool {
        let around = self.loops.around(machine);
        around.is_some_and(|head| self.first_boot.acting.contains(&head))
    }

    /// Runs to the next quiet visit of the head of a loop.
    pub(super) fn to_head(
        &self,
        machine: &mut Machine<'i>,
        observer: &mut impl Pauses,
        until: u64,
    ) -> Arrived {
        // Who does nothing any more mostly does so soon.
        let mut slice = FIRST_SLICE;
        let mut look_at = machine.now().saturating_add(slice);
        loop {
            let stop = machine.watch(observer, look_at.min(until));
            if stop != Stop::Paused {
                return Arrived::Stopped(stop);
            }
            if observer.passes_head() && self.is_quiet(machine) {
                return Arrived::AtHead(visited(machine));
            }
            if machine.now() >= until {
                return Arrived::Nowhere;
            }
            if machine.now() >= look_at {
                let longest = match slice < FIRST_LONG_SLICE {
                    true => SHORT_LOOP,
                    false => LONGEST_LOOP,
                };
                if machine.standstill(longest).is_some() {
                    // A program that does nothing any more is at its end.
                    return Arrived::Stopped(Stop::Paused);
                }
                slice = (2 * slice).min(SLICE);
                look_at = machine.now().saturating_add(slice);
            }
        }
    }
}

impl<'i> Reference<'i> {
    /// The same, if these boots made the last things that the world saw before it in set-up.
    pub(super) fn after_set_ups(self, set_ups: Vec<usize>) -> Self {
        Self { set_ups, ..self }
    }

    /// Its boot, from the beginning.
    pub(super) fn begin(&self) -> Machine<'i> {
        begin(&self.machine, &self.contents, &self.readings)
    }
}

/// How often a boot has asked for a reading.
pub(super) fn asked(machine: &Machine<'_>) -> usize {
    machine.readings().map_or(0, BTreeMap::len)
}

/// Power fails at a quiet moment, and a boot begins.
fn begin<'i>(quiet: &Machine<'i>, contents: &[(u32, u8)], readings: &Arc<Readings>) -> Machine<'i> {
    let mut machine = quiet.clone();
    machine.fail_power();
    for &(offset, byte) in contents {
        machine.set_memory(offset, &[byte]);
    }
    machine.begin_boot(Arc::clone(readings));
    machine
}

/// A reference whose power fails after a round, and all that the world is to see since the round began.
pub(super) struct After<'i> {
    pub(super) reference: Reference<'i>,
    pub(super) emissions: Vec<Emission>,
}

/// The entry as a quiet moment, and what the world has seen between it and a later moment.
pub(super) struct Entry<'i> {
    pub(super) reference: Reference<'i>,
    pub(super) emissions: Vec<Emission>,
}

/// What a boot after a power failure in a round is held against.
pub(super) struct References<'r, 'i> {
    /// The boot after a failure at the quiet moment before the round.
    pub(super) before: &'r mut Reference<'i>,
    /// The one at the quiet moment after it, if there is one.
    pub(super) after: Option<&'r mut After<'i>>,
    /// The one at the entry, as long as the program is in no loop, and if the round does not begin there.
    pub(super) entry: Option<&'r mut Entry<'i>>,
    /// The loop head that a boot comes to when it has recovered.
    pub(super) goal: Option<u32>,
    /// What the round had read when power failed, and at its last writes before that, the latest first.
    pub(super) kept: Vec<Kept>,
}

/// What a round had read when it wrote something.
#[derive(Clone)]
pub(super) struct Kept {
    /// The first write that may have kept it.
    pub(super) since: u64,
    pub(super) readings: Readings,
}

impl Kept {
    /// A round that begins here has read nothing.
    pub(super) fn at_beginning(machine: &Machine<'_>) -> Self {
        Self {
            since: machine.now(),
            readings: Readings::new(),
        }
    }
}

/// What a round had read is known at so many of its last writes.
const MOST_KEPT: usize = 4;

/// Keeps in mind what a round has read at a write.
pub(super) fn note_kept(kept: &mut Vec<Kept>, machine: &Machine<'_>, readings: Readings) {
    if kept.first().is_none_or(|kept| kept.readings != readings) {
        let since = machine.now();
        kept.insert(0, Kept { since, readings });
        kept.truncate(MOST_KEPT);
    }
}

/// A reference, what the world is to see of the round, and what it has seen since the reference's quiet moment.
pub(super) type Sides<'r, 'i> = Vec<(&'r mut Reference<'i>, &'r [Emission], &'r [Emission])>;

impl<'i> References<'_, 'i> {
    /// What an attempt is held against, if the world has seen `made` since the quiet moment before. As if power had
    /// failed after the round, it has to see all of it, in the end.
    pub(super) fn sides<'s>(
        &'s mut self,
        made: &'s [Emission],
        made_since_entry: &'s [Emission],
    ) -> Sides<'s, 'i> {
        let mut sides: Sides<'s, 'i> = vec![(&mut *self.before, &[][..], made)];
        if let Some(After {
            reference,
            emissions,
        }) = self.after.as_deref_mut()
        {
            sides.push((reference, emissions.as_slice(), made));
        }
        if let Some(entry) = self.entry.as_deref_mut() {
            sides.push((&mut entry.reference, &[], made_since_entry));
        }
        sides
    }

    /// All of them, with what the world is to see of the round.
    pub(super) fn list(&self) -> Vec<(&Reference<'i>, &[Emission])> {
        let mut list = vec![(&*self.before, &[][..])];
        let after = self.after.as_deref();
        list.extend(after.map(|after| (&after.reference, after.emissions.as_slice())));
        let entry = self.entry.as_deref();
        list.extend(entry.map(|entry| (&entry.reference, &[][..])));
        list
    }
}

/// What the world has seen since the entry is kept up to so many things: programs that show more are in
/// a loop.
const MOST_SEEN: usize = 1 << 12;

impl Entry<'_> {
    /// A round is over.
    pub(super) fn pass(&mut self, round: &Round<'_>) {
        if self.emissions.len() < MOST_SEEN {
            self.emissions.extend_from_slice(&round.emissions);
        }
    }
}

/// Keeps what the world sees.
#[derive(Default)]
pub(super) struct World {
    pub(super) emissions: Vec<Emission>,
    pub(super) passes_head: bool,
    readings: usize,
    /// How many calls were made since the last time that somebody asked, and have not returned.
    depth: i64,
    /// Whether the function that was at work then has returned.
    has_left: bool,
    /// Where stores leave what was there, if somebody wants to know.
    pub(super) rewritten: Option<Vec<Range<u32>>>,
}

impl World {
    /// One that notes where stores leave what was there.
    pub(super) fn noting_rewritten() -> Self {
        Self {
            rewritten: Some(Vec::new()),
            ..Self::default()
        }
    }

    /// Whether the function that was at work when this was asked last has returned since.
    pub(super) fn has_left(&mut self) -> bool {
        self.depth = 0;
        std::mem::take(&mut self.has_left)
    }

    /// Whether the program has read an input.
    pub(super) fn has_read(&self) -> bool {
        self.readings > 0
    }

    /// How often the program has read an input or shown something.
    pub(super) fn contacts(&self) -> usize {
        self.readings + self.emissions.len()
    }
}

impl Observer for World {
    fn accesses(&self) -> bool {
        self.rewritten.is_some()
    }

    fn store(&mut self, _: Moment, memory: &[u8], offset: u32, new: &[u8]) {
        let stored = offset..offset + new.len() as u32;
        let old = memory.get(stored.start as usize..stored.end as usize);
        if let Some(rewritten) = &mut self.rewritten
            && old == Some(new)
        {
            rewritten.push(stored);
        }
    }

    fn loop_head(&mut self, _: Moment) -> ControlFlow<()> {
        self.passes_head = true;
        ControlFlow::Break(())
    }

    fn call(&mut self, _: Moment, _: Func, _: u32) {
        self.depth += 1;
    }

    fn ret(&mut self, _: Moment, _: Func) {
        self.depth -= 1;
        self.has_left |= self.depth < 0;
    }

    fn unwind(&mut self, _: Moment, _: usize) {
        self.has_left = true;
    }

    fn input(&mut self, _: Moment, _: u32, _: u64) {
        self.readings += 1;
    }

    fn write(&mut self, _: Moment, _: Stream, bytes: &[u8]) {
        self.emissions.push(Emission::Text(bytes.to_vec()));
    }

    fn output(&mut self, _: Moment, index: u32, args: &[u64]) {
        let args = args.to_vec();
        self.emissions.push(Emission::Output { index, args });
    }
}

impl Pauses for World {
    fn passes_head(&mut self) -> bool {
        std::mem::take(&mut self.passes_head)
    }
}
