//! Locate (EWSN'21 §5.2, SEMANTICS §3.1): one continuous execution, every pair.
//!
//! **Property.** A pair is a read of a non-volatile byte and a later write of it
//! such that a power failure after the write makes the read see the later value.
//!
//! **Algorithm.** Shadow memory keeps, for every tracked byte, the distinct
//! readers that are still exposed; a write pairs with each of them. Readers are
//! places of the user's code: what the C library does counts for the line that
//! called it. The first few instances of every pair are kept for evaluation.
//! Memory grows with the bytes touched and the pairs found, not with time.
//!
//! **False positives.** None of the definition: a pair located is a pair of the
//! execution. Whether it does harm is for `evaluate` to say.
//!
//! **False negatives.** Paths that were not executed.

use std::collections::{BTreeMap, HashMap};
use std::ops::{ControlFlow, Range};

use brownout_diag::Rule;
use brownout_ir::{Func, Id};
use brownout_vm::{Bounds, Image, Machine, Moment, Observer, SegmentKind, Stop};

use crate::calls::Calls;
use crate::exposure::Exposure;
use crate::objects::{Object, Objects, Part};
use crate::shadow::{GRANULE, Granule, Reader, Shadow};

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
    /// Checkpoint calls executed.
    pub checkpoints: u64,
}

/// How many occurrences of a pair are kept.
const INSTANCES: usize = 16;

/// How many instructions are executed between two looks at `interrupt`.
const SLICE: u64 = 5_000_000;

/// Runs `image` once, for at most `limit` instructions or until `interrupt`
/// says so, and locates all pairs. Bytes in `saved` are in every checkpoint and
/// never stale. Everything else the program does is passed on to `also`.
pub fn locate<O: Observer>(
    image: &Image,
    exposure: Exposure,
    saved: &[Range<u32>],
    limit: u64,
    interrupt: &dyn Fn() -> bool,
    also: &mut O,
) -> Located {
    let mut machine = Machine::new(image);
    machine.set_bounds(Bounds::Strict);
    let mut observer = Locate::new(image, exposure, saved, also);
    let stop = loop {
        let until = machine.now().saturating_add(SLICE).min(limit);
        match machine.run(&mut observer, until) {
            Stop::Paused if until < limit && !interrupt() => {}
            stop => break stop,
        }
    };
    let checkpoints = observer.checkpoints;
    Located {
        hazards: observer.hazards(),
        stop,
        instructions: machine.now(),
        checkpoints,
    }
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
struct Key {
    rule: Rule,
    object: Object,
    consumer: u32,
    producer: u32,
}

#[derive(Clone, Debug)]
struct Found {
    start: u64,
    end: u64,
    loud: Vec<Instance>,
    silent: Vec<Instance>,
}

struct Locate<'i, 'o, O> {
    exposure: Exposure,
    objects: Objects<'i>,
    calls: Calls<'i>,
    shadow: Shadow,
    stack: Range<u32>,
    heap: Range<u32>,
    blocks: Blocks,
    /// Blocks whose place in the map is changing, with the line that does it.
    map_changes: Vec<(u32, Block)>,
    epoch: u32,
    commit: u64,
    checkpoint: Option<u32>,
    checkpoints: u64,
    found: HashMap<Key, Found>,
    settled: SettledPairs,
    also: &'o mut O,
}

/// Heap blocks in use, and what became of those before them.
#[derive(Default, Debug)]
struct Blocks {
    /// By first offset.
    live: BTreeMap<u32, Block>,
    /// Uses of blocks that were given back, still exposed, by first offset.
    gone: BTreeMap<u32, Block>,
    /// How many there have been.
    number: u32,
}

impl Blocks {
    /// The number of the live block at an offset; 0 for none.
    fn at(&self, offset: u32) -> u32 {
        match self.live.range(..=offset).next_back() {
            Some((start, block)) if offset < start + block.size => block.number,
            _ => 0,
        }
    }
}

#[derive(Clone, Debug)]
struct Block {
    size: u32,
    number: u32,
    allocated_at: u32,
    /// The region it was allocated in.
    epoch: u32,
    uses: Vec<Use>,
}

/// The last use of a block by a place of the user's code.
#[derive(Clone, Copy, Debug)]
struct Use {
    pc: u32,
    time: u64,
    commit: u64,
    epoch: u32,
}

impl<'i, 'o, O: Observer> Locate<'i, 'o, O> {
    fn new(image: &'i Image, exposure: Exposure, saved: &[Range<u32>], also: &'o mut O) -> Self {
        let segment = |kind: SegmentKind| {
            let found = image
                .layout()
                .segments()
                .iter()
                .find(|segment| segment.kind == kind && segment.nonvolatile);
            let offsets = found.map_or(0..0, |segment| segment.offsets.clone());
            let covered = saved
                .iter()
                .any(|range| range.start <= offsets.start && offsets.end <= range.end);
            if covered { 0..0 } else { offsets }
        };
        Self {
            exposure,
            objects: Objects::new(image),
            calls: Calls::new(image),
            shadow: Shadow::new(image, saved),
            stack: segment(SegmentKind::Stack),
            heap: segment(SegmentKind::Heap),
            blocks: Blocks::default(),
            map_changes: Vec::new(),
            // Cells start at zero, which must mean an earlier region.
            epoch: 1,
            commit: 0,
            checkpoint: None,
            checkpoints: 0,
            found: HashMap::new(),
            settled: SettledPairs(vec![None; SettledPairs::SLOTS].into()),
            also,
        }
    }

    /// Whether a read at `time` still matters to a write now.
    #[inline]
    fn in_reach(exposure: Exposure, reader: &Reader, time: u64, now: u64) -> bool {
        match exposure {
            Exposure::Region => true,
            Exposure::Anywhere { depth } => now <= time + depth,
            Exposure::SinceCall { depth } => now <= reader.commit + depth,
        }
    }

    /// Who owns the stack bytes of the granule at `base`: activation, function plus one, distance.
    #[inline]
    fn owner(&self, offset: u32, base: u32) -> (u32, u32, i32) {
        if self.heap.contains(&offset) {
            return (self.blocks.at(offset), 0, 0);
        }
        if !self.stack.contains(&offset) {
            return (0, 0, 0);
        }
        match self.calls.owner(offset) {
            (number, Some(activation)) => (
                number,
                activation.func.index() as u32 + 1,
                base as i32 - activation.frame as i32,
            ),
            (number, None) => (number, 0, 0),
        }
    }

    /// The bytes of `mask` in the granule at `base` are read. Gives those that were dealt
    /// with: where tracking begins or ends inside a granule, the others are a second step.
    fn read(&mut self, at: Moment, pc: u32, base: u32, mask: u8) -> u8 {
        let offset = base + mask.trailing_zeros();
        let (owner, func, distance) = self.owner(offset, base);
        let (epoch, exposure, commit) = (self.epoch, self.exposure, self.commit);
        let Some((granule, tracked)) = self.shadow.granule(offset) else {
            return lowest(mask);
        };
        granule.enter(epoch, exposure);
        let exposed = match exposure {
            Exposure::Anywhere { .. } => mask & tracked,
            Exposure::Region | Exposure::SinceCall { .. } => mask & tracked & !granule.written,
        };
        if exposed == 0 {
            return tracked;
        }
        for reader in &mut granule.readers {
            if reader.pc == pc
                && reader.mask == exposed
                && reader.func == func
                && reader.distance == distance
            {
                if reader.owner != owner {
                    (reader.before, reader.owner) = (reader.time, owner);
                }
                reader.time = at.time;
                reader.commit = commit;
                reader.fresh = exposed;
                return tracked;
            }
        }
        if granule.readers.len() >= 8 {
            granule
                .readers
                .retain(|reader| Self::in_reach(exposure, reader, reader.time, at.time));
        }
        granule.readers.push(Reader {
            pc,
            owner,
            func,
            distance,
            time: at.time,
            commit,
            before: 0,
            values: [0; 8],
            mask: exposed,
            fresh: exposed,
        });
        tracked
    }

    /// The bytes of `mask` in the granule at `base` change from `old` to `new`; gives as `read` does.
    fn write(
        &mut self,
        at: Moment,
        pc: u32,
        base: u32,
        mask: u8,
        old: [u8; 8],
        new: [u8; 8],
    ) -> u8 {
        let offset = base + mask.trailing_zeros();
        let (owner, _, _) = self.owner(offset, base);
        let (on_stack, on_heap) = (self.stack.contains(&offset), self.heap.contains(&offset));
        let (epoch, exposure) = (self.epoch, self.exposure);
        let Some((granule, tracked)) = self.shadow.granule(offset) else {
            return lowest(mask);
        };
        granule.enter(epoch, exposure);
        let mask = mask & tracked;
        granule.written |= mask;
        for reader in &mut granule.readers {
            let common = reader.mask & mask;
            if common == 0 {
                continue;
            }
            let stale = reader.fresh & mask;
            if stale != 0 {
                for (byte, value) in reader.values.iter_mut().enumerate() {
                    if stale >> byte & 1 != 0 {
                        *value = old[byte];
                    }
                }
                reader.fresh &= !mask;
            }
            let same = reader.owner == owner;
            // Another block at the same address is another object; the map's change is the hazard.
            if on_heap && !same {
                continue;
            }
            let pairs = [
                (reader.time, same),
                // An earlier activation's read is another pair, if it is not the one above.
                (if same && on_stack { reader.before } else { 0 }, false),
            ];
            let changed = (0..8)
                .filter(|&byte| reader.values[byte] != new[byte])
                .fold(0, |mask, byte| mask | 1u8 << byte);
            let loud = common & changed != 0;
            for (time, same) in pairs {
                if time == 0 || !Self::in_reach(exposure, reader, time, at.time) {
                    continue;
                }
                let settled = Settled {
                    consumer: reader.pc,
                    producer: pc,
                    place: if on_stack {
                        (reader.func, reader.distance)
                    } else {
                        (0, base as i32)
                    },
                    mask: common,
                    same,
                    loud,
                };
                if self.settled.contains(&settled) {
                    continue;
                }
                let instance = Instance {
                    commit: reader.commit,
                    checkpoint: self.checkpoint,
                    consumed: time,
                    produced: at.time,
                };
                let concerned = if loud { common & changed } else { common };
                let mut enough = true;
                for byte in (0..GRANULE).filter(|byte| concerned >> byte & 1 != 0) {
                    let (object, inside) = if !on_stack {
                        match self.objects.global(base + byte) {
                            Some((global, inside)) => (Object::Global(global), inside),
                            None => heap_object(&self.blocks, base + byte),
                        }
                    } else if reader.func == 0 {
                        (Object::Segment(SegmentKind::Stack), 0)
                    } else {
                        let distance = i64::from(reader.distance) + i64::from(byte);
                        self.objects
                            .local(Func::from_index(reader.func as usize - 1), distance)
                    };
                    let rule = match object {
                        Object::Linkage(_) => Rule::ActivationRecord,
                        _ if same => Rule::WriteAfterRead,
                        _ => Rule::ActivationRecord,
                    };
                    let key = Key {
                        rule,
                        object,
                        consumer: reader.pc,
                        producer: pc,
                    };
                    // Blocks come and go at one address: about them there is always more to learn.
                    enough &= record(&mut self.found, key, inside, instance, !loud)
                        && !matches!(object, Object::Block { .. });
                }
                if enough {
                    self.settled.insert(settled);
                }
            }
        }
        tracked
    }

    /// A use of the heap block at `offset`.
    fn use_block(&mut self, at: Moment, pc: u32, offset: u32) {
        let (epoch, commit, exposure) = (self.epoch, self.commit, self.exposure);
        let Some((_, block)) = self.blocks.live.range_mut(..=offset).next_back() else {
            return;
        };
        let anywhere = matches!(exposure, Exposure::Anywhere { .. });
        // A block allocated in this region is allocated again when the region is.
        if block.epoch == epoch && !anywhere {
            return;
        }
        let latest = Use {
            pc,
            time: at.time,
            commit,
            epoch,
        };
        match block.uses.iter_mut().find(|earlier| earlier.pc == pc) {
            Some(earlier) => *earlier = latest,
            None => block.uses.push(latest),
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
        for used in &block.uses {
            let in_reach = match self.exposure {
                Exposure::Region => used.epoch == self.epoch,
                Exposure::Anywhere { depth } => at.time <= used.time + depth,
                Exposure::SinceCall { depth } => at.time <= used.commit + depth,
            };
            if in_reach {
                let object = Object::Block {
                    allocated_at: block.allocated_at,
                };
                let key = Key {
                    rule: Rule::MemoryMap,
                    object,
                    consumer: used.pc,
                    producer: pc,
                };
                let instance = Instance {
                    commit: used.commit,
                    checkpoint: self.checkpoint,
                    consumed: used.time,
                    produced: at.time,
                };
                record(&mut self.found, key, 0, instance, false);
                if let Some(found) = self.found.get_mut(&key) {
                    found.end = found.end.max(block.size.into());
                }
            }
        }
    }

    fn hazards(self) -> Vec<Hazard> {
        let mut all: Vec<(Key, Found)> = self.found.into_iter().collect();
        all.sort_by_key(|(key, found)| (found.first(), *key));
        all.into_iter()
            .map(|(key, found)| Hazard {
                rule: key.rule,
                part: Part {
                    object: key.object,
                    start: found.start,
                    end: found.end,
                },
                consumer: key.consumer,
                producer: key.producer,
                silent: found.loud.is_empty(),
                instances: if found.loud.is_empty() {
                    found.silent
                } else {
                    found.loud
                },
            })
            .collect()
    }
}

impl Found {
    fn first(&self) -> Option<Instance> {
        self.loud.first().or(self.silent.first()).copied()
    }
}

/// The granules of a stretch: offset, mask, and how many bytes of the stretch came before.
#[inline]
fn granules(offset: u32, size: u32) -> impl Iterator<Item = (u32, u8, usize)> {
    let mut at = offset;
    let end = offset + size;
    std::iter::from_fn(move || {
        if at >= end {
            return None;
        }
        let base = at & !(GRANULE - 1);
        let count = (base + GRANULE).min(end) - at;
        let mask = ((1u16 << count) - 1) << (at - base);
        let before = (at - offset) as usize;
        at += count;
        Some((base, mask as u8, before))
    })
}

/// The lowest byte of a mask alone.
const fn lowest(mask: u8) -> u8 {
    mask & mask.wrapping_neg()
}

impl Granule {
    /// Forgets what an earlier region knew.
    #[inline]
    fn enter(&mut self, epoch: u32, exposure: Exposure) {
        if self.epoch != epoch {
            self.epoch = epoch;
            self.written = 0;
            if exposure == Exposure::Region {
                self.readers.clear();
            }
        }
    }
}

/// Notes an occurrence; whether enough are known.
fn record(
    found: &mut HashMap<Key, Found>,
    key: Key,
    inside: u64,
    instance: Instance,
    silent: bool,
) -> bool {
    let entry = found.entry(key).or_insert_with(|| Found {
        start: inside,
        end: inside + 1,
        loud: Vec::new(),
        silent: Vec::new(),
    });
    entry.start = entry.start.min(inside);
    entry.end = entry.end.max(inside + 1);
    let list = if silent {
        &mut entry.silent
    } else {
        &mut entry.loud
    };
    if list.len() < INSTANCES && list.last() != Some(&instance) {
        list.push(instance);
    }
    list.len() >= INSTANCES
}

/// A pair of accesses that nothing more is to be learnt about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Settled {
    consumer: u32,
    producer: u32,
    /// Function and distance on the stack, else where.
    place: (u32, i32),
    mask: u8,
    same: bool,
    loud: bool,
}

/// Remembers recent settled pairs; forgetting one only costs time.
#[derive(Debug)]
struct SettledPairs(Box<[Option<Settled>]>);

impl SettledPairs {
    const SLOTS: usize = 1 << 14;

    fn slot(pair: &Settled) -> usize {
        let mut hash = u64::from(pair.consumer) << 32 | u64::from(pair.producer);
        hash ^=
            (u64::from(pair.place.0) << 40) ^ ((pair.place.1 as u64) << 8) ^ u64::from(pair.mask);
        hash ^= u64::from(pair.same) << 62 | u64::from(pair.loud) << 63;
        (hash.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 50) as usize % Self::SLOTS
    }

    #[inline]
    fn contains(&self, pair: &Settled) -> bool {
        self.0[Self::slot(pair)] == Some(*pair)
    }

    fn insert(&mut self, pair: Settled) {
        self.0[Self::slot(&pair)] = Some(pair);
    }
}

fn heap_object(blocks: &Blocks, offset: u32) -> (Object, u64) {
    match blocks.live.range(..=offset).next_back() {
        Some((start, block)) if offset < start + block.size => (
            Object::Block {
                allocated_at: block.allocated_at,
            },
            u64::from(offset - start),
        ),
        _ => (Object::Segment(SegmentKind::Heap), 0),
    }
}

impl<O: Observer> Observer for Locate<'_, '_, O> {
    const ACCESSES: bool = true;

    #[inline]
    fn load(&mut self, at: Moment, offset: u32, size: u32) {
        if !self.shadow.touches(offset, size) || self.calls.in_allocator() || self.calls.outside() {
            return;
        }
        let pc = self.calls.blame(at.pc);
        if self.heap.contains(&offset) {
            self.use_block(at, pc, offset);
        }
        for (base, mask, _) in granules(offset, size) {
            let mut rest = mask;
            while rest != 0 {
                rest &= !self.read(at, pc, base, rest);
            }
        }
    }

    #[inline]
    fn store(&mut self, at: Moment, memory: &[u8], offset: u32, new: &[u8]) {
        if !self.shadow.touches(offset, new.len() as u32)
            || self.calls.in_allocator()
            || self.calls.outside()
        {
            return;
        }
        let pc = self.calls.blame(at.pc);
        if self.heap.contains(&offset) {
            self.use_block(at, pc, offset);
        }
        for (base, mask, from) in granules(offset, new.len() as u32) {
            let (mut before, mut after) = ([0; 8], [0; 8]);
            let first = mask.trailing_zeros() as usize;
            let count = mask.count_ones() as usize;
            let at_offset = base as usize + first;
            before[first..first + count].copy_from_slice(&memory[at_offset..at_offset + count]);
            after[first..first + count].copy_from_slice(&new[from..from + count]);
            let mut rest = mask;
            while rest != 0 {
                rest &= !self.write(at, pc, base, rest, before, after);
            }
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
        if !self.heap.contains(&offset) {
            return;
        }
        let pc = self.calls.blame(at.pc);
        // Bytes of blocks that were given back are handed out again.
        let overlapping: Vec<u32> = self
            .blocks
            .gone
            .range(..offset + size)
            .filter(|(start, block)| *start + block.size > offset)
            .map(|(start, _)| *start)
            .collect();
        for start in overlapping {
            if let Some(block) = self.blocks.gone.remove(&start) {
                self.map_changes.push((pc, block));
            }
        }
        self.blocks.number += 1;
        let number = self.blocks.number;
        let block = Block {
            size,
            number,
            allocated_at: pc,
            epoch: self.epoch,
            uses: Vec::new(),
        };
        self.blocks.live.insert(offset, block);
    }

    fn free(&mut self, at: Moment, offset: u32) {
        if let Some(mut block) = self.blocks.live.remove(&offset) {
            let pc = self.calls.blame(at.pc);
            // Giving a block back is a use of it, too: done twice, it is a double free.
            if block.epoch != self.epoch || matches!(self.exposure, Exposure::Anywhere { .. }) {
                let used = Use {
                    pc,
                    time: at.time,
                    commit: self.commit,
                    epoch: self.epoch,
                };
                block.uses.retain(|earlier| earlier.pc != pc);
                block.uses.push(used);
                self.blocks.gone.insert(offset, block.clone());
            }
            self.map_changes.push((pc, block));
        }
    }

    fn checkpoint(&mut self, at: Moment, saves: &[(u32, u32)]) -> ControlFlow<()> {
        self.epoch += 1;
        self.commit = at.time;
        self.checkpoint = Some(self.calls.blame(at.pc));
        self.checkpoints += 1;
        if self.exposure == Exposure::Region {
            self.blocks.gone.clear();
        }
        // What the checkpoint saves is as good as written.
        let (epoch, exposure) = (self.epoch, self.exposure);
        for &(offset, size) in saves {
            for (base, mask, _) in granules(offset, size) {
                for byte in (0..GRANULE).filter(|byte| mask >> byte & 1 != 0) {
                    if let Some((granule, _)) = self.shadow.granule(base + byte) {
                        granule.enter(epoch, exposure);
                        granule.written |= 1 << byte;
                    }
                }
            }
        }
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
