//! Locate (EWSN'21 §5.2, SEMANTICS §3.1): one continuous execution, every pair.
//!
//! **Property.** A pair is a read of a non-volatile byte and a later write of it
//! such that a power failure after the write makes the read see the later value.
//!
//! **Algorithm.** Shadow memory keeps, for every tracked byte, the distinct
//! readers that are still exposed; a write pairs with each of them. Readers are
//! places of the user's code: what the C library does counts for the line that
//! called it. The first few instances of every pair are kept for evaluation;
//! once they are known, a write by the same place costs one look. Memory grows
//! with the bytes touched and the pairs found, not with time.
//!
//! What every checkpoint saves cannot be stale, except before the first one has
//! committed: those bytes are watched in a shadow memory of their own, as long
//! as the start of the program can be where execution resumes.
//!
//! **False positives.** None of the definition: a pair located is a pair of the
//! execution. Whether it does harm is for `evaluate` to say.
//!
//! **False negatives.** Paths that were not executed.

use std::collections::BTreeMap;
use std::ops::{ControlFlow, Range};

use brownout_diag::Rule;
use brownout_ir::{Func, Id};
use brownout_vm::{Bounds, Image, Machine, Moment, Observer, SegmentKind, Stop};

use crate::blocks::{Block, Blocks, Use};
use crate::calls::{Calls, Context};
use crate::exposure::Exposure;
use crate::history::{History, Read, bytes};
use crate::objects::{Object, Objects, Part};
use crate::pairs::{Enough, Key, Occurrence, Pairs};
use crate::shadow::{Granule, Kind, Known, Owner, Reach, Reader, Shadow, Writer, granules};

/// One occurrence of a pair.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Instance {
    /// When the governing checkpoint committed; 0 is the start of the program.
    pub commit: u64,
    /// The checkpoint call before the producer; none before the first.
    pub checkpoint: Option<u32>,
    /// When the consumer read.
    pub consumed: u64,
    /// When the producer wrote.
    pub produced: u64,
    /// The calls in progress at the consumer.
    pub consumer_calls: Context,
    /// The calls in progress at the producer.
    pub producer_calls: Context,
}

/// A pair, as often as it occurs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hazard {
    /// Which rule it breaks.
    pub rule: Rule,
    /// The bytes concerned.
    pub part: Part,
    /// The operation that reads.
    pub consumer: u32,
    /// The operation that writes.
    pub producer: u32,
    /// Its first occurrences, in order; those that change something if any does.
    pub instances: Vec<Instance>,
    /// Whether every occurrence stored the very bytes that were read.
    pub silent: bool,
    /// The calls in which the producer was seen, in the order in which they came.
    pub paths: Vec<Context>,
}

/// What one execution shows.
#[derive(Debug)]
pub struct Located {
    /// All hazards, in a stable order.
    pub hazards: Vec<Hazard>,
    /// How the execution ended.
    pub stop: Stop,
    /// Instructions executed.
    pub instructions: u64,
    /// When checkpoints were called: the first ones, see [`Located::checkpoints`].
    pub commits: Vec<u64>,
    /// Checkpoint calls executed.
    pub checkpoints: u64,
    /// Allocations in non-volatile memory that a power failure can repeat: where, how often.
    pub allocations: Vec<Allocation>,
    /// The names of [`Context`]s: functions of the user, outermost first.
    pub call_paths: Vec<Vec<Func>>,
}

/// An operation of the user's code that allocates blocks which a power failure leaks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Allocation {
    /// The operation.
    pub pc: u32,
    /// Blocks it allocated.
    pub blocks: u64,
    /// The first occurrence: the commit before it, and when it was done.
    pub first: (u64, u64),
}

/// How many commits are listed.
const COMMITS: usize = 1 << 16;

/// How many instructions are executed between two looks at `interrupt`.
const SLICE: u64 = 5_000_000;

/// What is executed, and how it is looked at.
#[derive(Clone, Copy, Debug)]
pub struct Scope<'s> {
    /// When reads are exposed.
    pub exposure: Exposure,
    /// Offsets that every checkpoint saves.
    pub saved: &'s [Range<u32>],
    /// Operations in front of which one more checkpoint is imagined.
    pub extra: &'s [u32],
    /// Most instructions.
    pub limit: u64,
}

/// Runs `image` once, or until `interrupt` says so, and locates all pairs.
/// Everything else the program does is passed on to `also`.
pub fn locate<O: Observer>(
    image: &Image,
    scope: Scope<'_>,
    interrupt: &dyn Fn() -> bool,
    also: &mut O,
) -> Located {
    let limit = scope.limit;
    let mut machine = Machine::new(image);
    machine.set_bounds(Bounds::Strict);
    let mut observer = Locate::new(image, scope, also);
    let stop = loop {
        let until = machine.now().saturating_add(SLICE).min(limit);
        match machine.run(&mut observer, until) {
            Stop::Paused if until < limit && !interrupt() => {}
            stop => break stop,
        }
    };
    Located {
        hazards: observer.pairs.hazards(),
        stop,
        instructions: machine.now(),
        commits: observer.commits,
        checkpoints: observer.checkpoints,
        allocations: observer.blocks.allocations(),
        call_paths: observer.calls.paths(),
    }
}

struct Locate<'i, 'o, O> {
    exposure: Exposure,
    objects: Objects<'i>,
    calls: Calls<'i>,
    /// The bytes that no checkpoint need save.
    shadow: Shadow,
    /// The bytes that every checkpoint saves, while the program may still start again.
    initial: Option<Shadow>,
    stack: Range<u32>,
    heap: Range<u32>,
    /// Whether every checkpoint saves the heap.
    heap_is_saved: bool,
    blocks: Blocks,
    /// Blocks whose place in the map is changing, with the line that does it.
    map_changes: Vec<(u32, Block)>,
    epoch: u32,
    commit: u64,
    checkpoint: Option<u32>,
    checkpoints: u64,
    commits: Vec<u64>,
    pairs: Pairs,
    /// Operations in front of which one more checkpoint is imagined.
    extra: Vec<u32>,
    also: &'o mut O,
}

impl<'i, 'o, O: Observer> Locate<'i, 'o, O> {
    fn new(image: &'i Image, scope: Scope<'_>, also: &'o mut O) -> Self {
        let Scope {
            exposure, saved, ..
        } = scope;
        let segment = |kind: SegmentKind| {
            let found = image
                .layout()
                .segments()
                .iter()
                .find(|segment| segment.kind == kind && segment.nonvolatile);
            found.map_or(0..0, |segment| segment.offsets.clone())
        };
        let heap = segment(SegmentKind::Heap);
        let initial = match exposure {
            // A checkpoint may sit before the very first instruction.
            Exposure::Anywhere { .. } => None,
            Exposure::Region | Exposure::SinceCall { .. } => Some(Shadow::only(image, saved)),
        };
        Self {
            exposure,
            objects: Objects::new(image),
            calls: Calls::new(image),
            shadow: Shadow::without(image, saved),
            initial: initial.filter(|shadow| !shadow.is_empty()),
            stack: segment(SegmentKind::Stack),
            heap_is_saved: saved
                .iter()
                .any(|range| range.start <= heap.start && heap.end <= range.end),
            heap,
            blocks: Blocks::default(),
            map_changes: Vec::new(),
            // Cells start at zero, which must mean an earlier region.
            epoch: 1,
            commit: 0,
            checkpoint: None,
            checkpoints: 0,
            commits: Vec::new(),
            pairs: Pairs::default(),
            extra: scope.extra.to_vec(),
            also,
        }
    }

    /// Who owns the byte at `offset` of the granule at `base`.
    #[inline]
    fn owner(&self, offset: u32, base: u32) -> Owner {
        let mut owner = Owner {
            number: 0,
            func: 0,
            distance: 0,
            kind: Kind::Fixed,
        };
        if self.stack.contains(&offset) {
            let (number, activation) = self.calls.owner(offset);
            (owner.number, owner.kind) = (number, Kind::Stack);
            if let Some(activation) = activation {
                owner.func = activation.func.index() as u32 + 1;
                owner.distance = base as i32 - activation.frame as i32;
            }
        } else if self.heap.contains(&offset) {
            (owner.number, owner.kind) = (self.blocks.at(offset), Kind::Heap);
        }
        owner
    }

    /// The bytes of `mask` in the granule at `base` are read.
    #[inline]
    fn read(&mut self, at: Moment, pc: u32, base: u32, mask: u8, value: u64) {
        let tracked = mask & self.shadow.tracked(base);
        if tracked != 0 {
            let granule = self.shadow.granule(base);
            granule.enter(self.epoch, self.exposure);
            let mut rest = tracked;
            while rest != 0 {
                // Mostly one call governs all bytes.
                let (together, governing) = self.shadow.granule(base).governing(rest);
                let read = self.read_now(at, governing.unwrap_or(self.commit));
                self.note(Area::Usual, pc, base, together, value, read);
                rest &= !together;
            }
        }
        if let Some(initial) = &self.initial {
            let tracked = mask & initial.tracked(base);
            if tracked != 0 {
                let read = self.read_now(at, 0);
                self.note(Area::Initial, pc, base, tracked, value, read);
            }
        }
    }

    #[inline]
    fn read_now(&self, at: Moment, commit: u64) -> Read {
        Read {
            time: at.time,
            commit,
            calls: self.calls.context(),
        }
    }

    #[inline]
    fn note(&mut self, area: Area, pc: u32, base: u32, mask: u8, value: u64, read: Read) {
        let owner = self.owner(base + mask.trailing_zeros(), base);
        let exposure = self.exposure;
        let Some(granule) = self.granule(area, base) else {
            return;
        };
        let exposed = match exposure {
            Exposure::Anywhere { .. } => mask,
            Exposure::Region | Exposure::SinceCall { .. } => mask & !granule.written,
        };
        if exposed == 0 {
            return;
        }
        let now = read.time;
        let reach = Reach { exposure, now };
        granule.note(pc, owner, exposed, read, value & spread(exposed), reach);
    }

    #[inline]
    fn granule(&mut self, area: Area, base: u32) -> Option<&mut Granule> {
        match area {
            Area::Usual => Some(self.shadow.granule(base)),
            Area::Initial => self.initial.as_mut().map(|initial| initial.granule(base)),
        }
    }

    /// The bytes of `mask` in the granule at `base` become those of `new`.
    #[inline]
    fn write(&mut self, at: Moment, pc: u32, base: u32, mask: u8, new: u64) {
        let tracked = mask & self.shadow.tracked(base);
        if tracked != 0 {
            let granule = self.shadow.granule(base);
            granule.enter(self.epoch, self.exposure);
            self.pair(Area::Usual, at, pc, base, tracked, new);
        }
        if let Some(initial) = &self.initial {
            let tracked = mask & initial.tracked(base);
            if tracked != 0 {
                self.pair(Area::Initial, at, pc, base, tracked, new);
            }
        }
    }

    /// Pairs a write with all readers.
    fn pair(&mut self, area: Area, at: Moment, pc: u32, base: u32, mask: u8, new: u64) {
        let owner = self.owner(base + mask.trailing_zeros(), base);
        let exposure = self.exposure;
        let producer_calls = self.calls.context();
        let granule = match (area, &mut self.initial) {
            (Area::Usual, _) => self.shadow.granule(base),
            (Area::Initial, Some(initial)) => initial.granule(base),
            (Area::Initial, None) => return,
        };
        granule.written |= mask;
        let writer = Writer {
            pc,
            mask,
            calls: producer_calls,
        };
        let now = at.time;
        let mut write = Write {
            writer,
            owner,
            base,
            now,
            value: new,
            checkpoint: self.checkpoint,
            objects: &self.objects,
            blocks: &self.blocks,
            pairs: &mut self.pairs,
            reach: Reach { exposure, now },
        };
        for readers in &mut granule.readers {
            let common = readers.mask & mask;
            if common == 0 {
                continue;
            }
            readers.meet_writer(writer, |reader, known| write.pair(reader, common, known));
        }
    }

    /// The call in the user's code that changed the map is over: whoever used the blocks
    /// before finds others.
    fn settle_map(&mut self, at: Moment) {
        for (pc, block) in std::mem::take(&mut self.map_changes) {
            self.map_change(at, pc, &block);
        }
    }

    fn map_change(&mut self, at: Moment, pc: u32, block: &Block) {
        if !self.heap_matters() {
            return;
        }
        let now = at.time;
        let exposure = self.exposure;
        let reach = Reach { exposure, now };
        for used in &block.uses {
            let in_region = exposure != Exposure::Region || used.epoch == self.epoch;
            if !in_region || !reach.covers(used.read) {
                continue;
            }
            let key = Key {
                rule: Rule::MemoryMap,
                object: Object::Block {
                    allocated_at: block.allocated_at,
                },
                consumer: used.pc,
                producer: pc,
            };
            let instance = Instance {
                commit: used.read.commit,
                checkpoint: self.checkpoint,
                consumed: used.read.time,
                produced: now,
                consumer_calls: used.read.calls,
                producer_calls: self.calls.context(),
            };
            let whole = 0..u64::from(block.size.max(1));
            self.pairs.record(key, whole, instance, Occurrence::Loud);
        }
    }

    /// A new region begins.
    fn commit(&mut self, at: Moment) {
        self.epoch += 1;
        self.commit = at.time;
        match self.exposure {
            Exposure::Region => {
                self.blocks.forget_gone();
                self.initial = None;
            }
            Exposure::SinceCall { depth } if at.time > depth => self.initial = None,
            Exposure::SinceCall { .. } | Exposure::Anywhere { .. } => {}
        }
    }

    /// The checkpoint that was just called saves these stretches; the one before it was at `before`.
    fn save(&mut self, before: u64, saves: &[(u32, u32)]) {
        let mut masks: BTreeMap<u32, u8> = BTreeMap::new();
        for &(offset, size) in saves {
            for (base, mask, _) in granules(offset, size) {
                *masks.entry(base).or_default() |= mask;
            }
        }
        for (base, mask) in masks {
            let mask = mask & self.shadow.tracked(base);
            let granule = self.shadow.granule(base);
            match self.exposure {
                Exposure::Region => granule.save(self.epoch, mask),
                Exposure::SinceCall { .. } => granule.pass_over(self.epoch, before, mask),
                // Checkpoints are anywhere, and do not know what a call wants saved.
                Exposure::Anywhere { .. } => {}
            }
        }
    }

    /// Whether the heap's map can be stale.
    fn heap_matters(&self) -> bool {
        !self.heap_is_saved || self.initial.is_some()
    }
}

/// Which shadow memory is meant.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Area {
    /// Of the bytes that are not in every checkpoint.
    Usual,
    /// Of those that are, before there is one.
    Initial,
}

/// The bits of a value that the bytes of a mask have.
#[inline]
const fn spread(mask: u8) -> u64 {
    // One copy of the mask per byte, each with its own bit kept, then made whole.
    let bits = (mask as u64).wrapping_mul(0x0101_0101_0101_0101) & 0x8040_2010_0804_0201;
    let tops = (bits.wrapping_add(0x7f7f_7f7f_7f7f_7f7f) | bits) & 0x8080_8080_8080_8080;
    (tops >> 7).wrapping_mul(0xff)
}

/// A write that is being paired with readers.
struct Write<'a, 'i> {
    writer: Writer,
    owner: Owner,
    base: u32,
    now: u64,
    value: u64,
    checkpoint: Option<u32>,
    objects: &'a Objects<'i>,
    blocks: &'a Blocks,
    pairs: &'a mut Pairs,
    reach: Reach,
}

impl Write<'_, '_> {
    /// Pairs the write with one reader of the bytes of `common`, as far as something is to be
    /// learnt from that, and gives what is known then.
    #[inline]
    fn pair(&mut self, reader: &Reader, common: u8, mut known: Known) -> Known {
        let same = reader.owner == self.owner.number;
        // Another block at the same address is another object; the map's change is the hazard.
        if self.owner.kind == Kind::Heap && !same {
            return known;
        }
        let whose = if same { Whose::Same } else { Whose::Other };
        known = self.reads(reader, &reader.own, whose, common, known);
        if let Some(older) = &reader.older {
            known = self.reads(reader, older, Whose::Other, common, known);
        }
        known
    }

    /// Pairs the write with reads for one owner.
    #[inline]
    fn reads(
        &mut self,
        reader: &Reader,
        history: &History,
        whose: Whose,
        common: u8,
        known: Known,
    ) -> Known {
        let (loud_known, silent_known) = match whose {
            Whose::Same => (Known::LOUD_SAME, Known::SILENT_SAME),
            Whose::Other => (Known::LOUD_OTHER, Known::SILENT_OTHER),
        };
        if known.has(loud_known) || !self.reach.covers(history.latest()) {
            return known;
        }
        let silent = history.is_always(self.value, spread(common))
            || (history.differing(self.value, common) == 0
                && bytes(common).all(|byte| !self.reach.covers(history.other(byte))));
        if silent && known.has(silent_known) {
            return known;
        }
        let enough = self.record(reader, history, whose, common);
        let mut more = known;
        if enough.loud {
            more = more.with(loud_known);
            // There are no other owners of what always belongs to the same object.
            if self.owner.kind == Kind::Fixed {
                more = more.with(Known::LOUD_OTHER);
            }
        }
        if silent && enough.silent {
            more = more.with(silent_known);
        }
        more
    }

    /// Records the pairs with the reads for one owner; whether enough loud and silent ones are known
    /// for every byte.
    fn record(&mut self, reader: &Reader, history: &History, whose: Whose, common: u8) -> Enough {
        let mut enough = Enough::ALL;
        let differing = history.differing(self.value, common);
        // Bytes of one object that were read together are recorded together.
        let mut stretch: Option<(Key, Range<u64>, Instance, Occurrence)> = None;
        for byte in bytes(common) {
            let (object, inside) = self.object(reader, byte as u32);
            let rule = match (object, whose) {
                (Object::Linkage(_), _) | (_, Whose::Other) => Rule::ActivationRecord,
                (_, Whose::Same) => Rule::WriteAfterRead,
            };
            let key = Key {
                rule,
                object,
                consumer: reader.pc,
                producer: self.writer.pc,
            };
            let other = history.other(byte);
            let (read, occurrence) = if differing >> byte & 1 != 0 {
                (history.latest(), Occurrence::Loud)
            } else if self.reach.covers(other) {
                (other, Occurrence::Loud)
            } else {
                (history.latest(), Occurrence::Silent)
            };
            let instance = Instance {
                commit: read.commit,
                checkpoint: self.checkpoint,
                consumed: read.time,
                produced: self.now,
                consumer_calls: read.calls,
                producer_calls: self.writer.calls,
            };
            match &mut stretch {
                Some((known, range, earlier, kind))
                    if (*known, *earlier, *kind) == (key, instance, occurrence)
                        && range.end == inside =>
                {
                    range.end += 1;
                }
                stretch => {
                    let next = (key, inside..inside + 1, instance, occurrence);
                    if let Some((key, range, instance, kind)) = stretch.replace(next) {
                        enough = enough.and(self.pairs.record(key, range, instance, kind));
                    }
                }
            }
        }
        if let Some((key, range, instance, kind)) = stretch {
            enough = enough.and(self.pairs.record(key, range, instance, kind));
        }
        enough
    }

    /// The object of a byte of the granule, and the byte in it.
    fn object(&self, reader: &Reader, byte: u32) -> (Object, u64) {
        match self.owner.kind {
            Kind::Fixed => match self.objects.global(self.base + byte) {
                Some((global, inside)) => (Object::Global(global), inside),
                None => (Object::Segment(SegmentKind::Globals), 0),
            },
            Kind::Heap => self.blocks.object(self.base + byte),
            Kind::Stack if reader.func == 0 => (Object::Segment(SegmentKind::Stack), 0),
            Kind::Stack => self.objects.local(
                Func::from_index(reader.func as usize - 1),
                i64::from(reader.distance) + i64::from(byte),
            ),
        }
    }
}

/// For whom something was read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Whose {
    /// For whom it is written.
    Same,
    /// For an earlier owner.
    Other,
}

/// Up to eight bytes as a number, the first lowest.
#[inline]
fn number(bytes: &[u8]) -> u64 {
    let mut all = [0; 8];
    all[..bytes.len()].copy_from_slice(bytes);
    u64::from_le_bytes(all)
}

impl<O: Observer> Observer for Locate<'_, '_, O> {
    const ACCESSES: bool = true;

    #[inline]
    fn load(&mut self, at: Moment, memory: &[u8], offset: u32, size: u32) {
        if self.calls.is_hidden() {
            return;
        }
        let pc = self.calls.blame(at.pc);
        if self.heap.contains(&offset) {
            self.use_block(at, pc, offset);
        }
        for (base, mask, _) in granules(offset, size) {
            let first = (base + mask.trailing_zeros()) as usize;
            let bytes = &memory[first..first + mask.count_ones() as usize];
            let value = number(bytes) << (8 * mask.trailing_zeros());
            self.read(at, pc, base, mask, value);
        }
    }

    #[inline]
    fn store(&mut self, at: Moment, _: &[u8], offset: u32, new: &[u8]) {
        if self.calls.is_hidden() {
            return;
        }
        let pc = self.calls.blame(at.pc);
        if self.extra.contains(&pc) {
            self.commit(at);
        }
        if self.heap.contains(&offset) {
            self.use_block(at, pc, offset);
        }
        for (base, mask, from) in granules(offset, new.len() as u32) {
            let bytes = &new[from..from + mask.count_ones() as usize];
            let value = number(bytes) << (8 * mask.trailing_zeros());
            self.write(at, pc, base, mask, value);
        }
    }

    fn call(&mut self, at: Moment, function: Func, frame: u32) {
        self.calls.enter(at.pc, function, frame);
    }

    fn ret(&mut self, at: Moment, _: Func) {
        self.calls.leave();
        if !self.map_changes.is_empty() && !self.calls.in_library() {
            self.settle_map(at);
        }
    }

    fn stack(&mut self, _: Moment, pointer: u32) {
        self.calls.move_stack(pointer);
    }

    fn unwind(&mut self, _: Moment, depth: usize) {
        self.calls.unwind(depth);
    }

    fn allocate(&mut self, at: Moment, offset: u32, size: u32) {
        if !self.heap.contains(&offset) || !self.heap_matters() {
            return;
        }
        let pc = self.calls.blame(at.pc);
        // Bytes of blocks that were given back are handed out again.
        for block in self.blocks.take_gone(offset..offset + size) {
            self.map_changes.push((pc, block));
        }
        self.blocks
            .allocate(offset, size, pc, self.epoch, (self.commit, at.time));
    }

    fn free(&mut self, at: Moment, offset: u32) {
        let pc = self.calls.blame(at.pc);
        let used = self.use_now(at, pc);
        let exposed_at_once = matches!(self.exposure, Exposure::Anywhere { .. });
        if let Some(block) = self.blocks.free(offset, used, exposed_at_once) {
            self.map_changes.push((pc, block));
        }
    }

    fn checkpoint(&mut self, at: Moment, saves: &[(u32, u32)]) -> ControlFlow<()> {
        let before = self.commit;
        self.commit(at);
        self.checkpoint = Some(self.calls.blame(at.pc));
        self.checkpoints += 1;
        if self.commits.len() < COMMITS {
            self.commits.push(at.time);
        }
        self.save(before, saves);
        self.also.checkpoint(at, saves)
    }

    fn input(&mut self, at: Moment, index: u32, value: u64) {
        self.also.input(at, index, value);
    }

    fn output(&mut self, at: Moment, index: u32, args: &[u64]) {
        self.also.output(at, index, args);
    }

    fn write(&mut self, at: Moment, stream: brownout_vm::Stream, bytes: &[u8]) {
        self.also.write(at, stream, bytes);
    }
}

impl<O: Observer> Locate<'_, '_, O> {
    fn use_now(&self, at: Moment, pc: u32) -> Use {
        Use {
            pc,
            epoch: self.epoch,
            read: Read {
                time: at.time,
                commit: self.commit,
                calls: self.calls.context(),
            },
        }
    }

    /// A use of the heap block at `offset`.
    fn use_block(&mut self, at: Moment, pc: u32, offset: u32) {
        let used = self.use_now(at, pc);
        let exposed_at_once = matches!(self.exposure, Exposure::Anywhere { .. });
        self.blocks.touch(offset, used, exposed_at_once);
    }
}
