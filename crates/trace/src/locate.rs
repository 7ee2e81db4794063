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
use crate::shadow::{Reader, Shadow};

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

/// Runs `image` once, for at most `limit` instructions, and locates all pairs.
/// Bytes in `saved` are in every checkpoint and never stale. Everything else
/// the program does is passed on to `also`.
pub fn locate<O: Observer>(
    image: &Image,
    exposure: Exposure,
    saved: &[Range<u32>],
    limit: u64,
    also: &mut O,
) -> Located {
    let mut machine = Machine::new(image);
    machine.set_bounds(Bounds::Strict);
    let mut observer = Locate::new(image, exposure, saved, also);
    let stop = machine.run(&mut observer, limit);
    let checkpoints = observer.checkpoints;
    Located { hazards: observer.hazards(), stop, instructions: machine.now(), checkpoints }
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
    epoch: u32,
    commit: u64,
    checkpoint: Option<u32>,
    checkpoints: u64,
    found: HashMap<Key, Found>,
    also: &'o mut O,
}

/// Heap blocks in use, and what became of those before them.
#[derive(Default, Debug)]
struct Blocks {
    /// By first offset.
    live: BTreeMap<u32, Block>,
    /// Uses of blocks that were given back, still exposed, by first offset.
    gone: BTreeMap<u32, Block>,
}

#[derive(Clone, Debug)]
struct Block {
    size: u32,
    allocated_at: u32,
    /// The region it was allocated in.
    epoch: u32,
    uses: Vec<Reader>,
}

impl<'i, 'o, O: Observer> Locate<'i, 'o, O> {
    fn new(image: &'i Image, exposure: Exposure, saved: &[Range<u32>], also: &'o mut O) -> Self {
        let segment = |kind: SegmentKind| {
            let found = image.layout().segments().iter().find(|segment| segment.kind == kind && segment.nonvolatile);
            found.map_or(0..0, |segment| segment.offsets.clone())
        };
        Self {
            exposure,
            objects: Objects::new(image),
            calls: Calls::new(image),
            shadow: Shadow::new(image, saved),
            stack: segment(SegmentKind::Stack),
            heap: segment(SegmentKind::Heap),
            blocks: Blocks::default(),
            // Cells start at zero, which must mean an earlier region.
            epoch: 1,
            commit: 0,
            checkpoint: None,
            checkpoints: 0,
            found: HashMap::new(),
            also,
        }
    }

    /// Whether a read still matters to a write now.
    #[inline]
    fn in_reach(exposure: Exposure, reader: &Reader, now: u64) -> bool {
        match exposure {
            Exposure::Region => true,
            Exposure::Anywhere { depth } => now <= reader.time + depth,
            Exposure::SinceCall { depth } => now <= reader.commit + depth,
        }
    }

    fn read(&mut self, at: Moment, pc: u32, offset: u32) {
        let on_stack = self.stack.contains(&offset);
        let (owner, func, distance) = match on_stack {
            false => (0, 0, 0),
            true => match self.calls.owner(offset) {
                (number, Some(activation)) => {
                    (number, activation.func.index() as u32 + 1, offset as i32 - activation.frame as i32)
                }
                (number, None) => (number, 0, 0),
            },
        };
        let (epoch, exposure, commit) = (self.epoch, self.exposure, self.commit);
        let Some(cell) = self.shadow.cell(offset) else { return };
        if cell.epoch != epoch {
            cell.epoch = epoch;
            cell.written = false;
            if exposure == Exposure::Region {
                cell.readers.clear();
            }
        }
        if cell.written && !matches!(exposure, Exposure::Anywhere { .. }) {
            return;
        }
        for reader in &mut cell.readers {
            if reader.pc == pc && reader.owner == owner {
                reader.time = at.time;
                reader.commit = commit;
                reader.fresh = true;
                return;
            }
        }
        if cell.readers.len() >= 8 {
            cell.readers.retain(|reader| Self::in_reach(exposure, reader, at.time));
        }
        let reader =
            Reader { pc, owner, func, distance, time: at.time, commit, settled: u32::MAX, value: 0, fresh: true };
        cell.readers.push(reader);
    }

    fn write(&mut self, at: Moment, pc: u32, offset: u32, old: u8, new: u8) {
        let on_stack = self.stack.contains(&offset);
        let owner = if on_stack { self.calls.owner(offset).0 } else { 0 };
        let (epoch, exposure) = (self.epoch, self.exposure);
        let Some(cell) = self.shadow.cell(offset) else { return };
        if cell.epoch != epoch {
            cell.epoch = epoch;
            cell.written = false;
            if exposure == Exposure::Region {
                cell.readers.clear();
            }
        }
        cell.written = true;
        if cell.readers.is_empty() {
            return;
        }
        for reader in &mut cell.readers {
            if reader.fresh {
                reader.value = old;
                reader.fresh = false;
            }
            if reader.settled == pc || !Self::in_reach(exposure, reader, at.time) {
                continue;
            }
            let same = reader.owner == owner;
            let (object, inside) = if !on_stack {
                match self.objects.global(offset) {
                    Some((global, inside)) => (Object::Global(global), inside),
                    None => heap_object(&self.blocks, offset),
                }
            } else if reader.func == 0 {
                (Object::Segment(SegmentKind::Stack), 0)
            } else {
                self.objects.local(Func::from_index(reader.func as usize - 1), reader.distance.into())
            };
            let rule = match object {
                Object::Linkage(_) => Rule::ActivationRecord,
                _ if same => Rule::WriteAfterRead,
                _ => Rule::ActivationRecord,
            };
            let key = Key { rule, object, consumer: reader.pc, producer: pc };
            let instance = Instance {
                commit: reader.commit,
                checkpoint: self.checkpoint,
                consumed: reader.time,
                produced: at.time,
            };
            let silent = reader.value == new;
            if record(&mut self.found, key, inside, instance, silent) {
                reader.settled = pc;
            }
        }
    }

    /// A use of the heap block at `offset`.
    fn use_block(&mut self, at: Moment, pc: u32, offset: u32) {
        let (epoch, commit, exposure) = (self.epoch, self.commit, self.exposure);
        let Some((_, block)) = self.blocks.live.range_mut(..=offset).next_back() else { return };
        let anywhere = matches!(exposure, Exposure::Anywhere { .. });
        // A block allocated in this region is allocated again when the region is.
        if block.epoch == epoch && !anywhere {
            return;
        }
        match block.uses.iter_mut().find(|reader| reader.pc == pc) {
            Some(reader) => (reader.time, reader.commit) = (at.time, commit),
            None => block.uses.push(Reader { pc, time: at.time, commit, owner: epoch, ..Reader::default() }),
        }
    }

    /// The map changes at `pc`: whoever used the block finds another one.
    fn map_change(&mut self, at: Moment, pc: u32, block: &Block) {
        for reader in &block.uses {
            let current = self.exposure != Exposure::Region || reader.owner == self.epoch;
            if current && Self::in_reach(self.exposure, reader, at.time) {
                let object = Object::Block { allocated_at: block.allocated_at };
                let key = Key { rule: Rule::MemoryMap, object, consumer: reader.pc, producer: pc };
                let instance = Instance {
                commit: reader.commit,
                checkpoint: self.checkpoint,
                consumed: reader.time,
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
                part: Part { object: key.object, start: found.start, end: found.end },
                consumer: key.consumer,
                producer: key.producer,
                silent: found.loud.is_empty(),
                instances: if found.loud.is_empty() { found.silent } else { found.loud },
            })
            .collect()
    }
}

impl Found {
    fn first(&self) -> Option<Instance> {
        self.loud.first().or(self.silent.first()).copied()
    }
}

/// Notes an occurrence; whether enough are known.
fn record(found: &mut HashMap<Key, Found>, key: Key, inside: u64, instance: Instance, silent: bool) -> bool {
    let entry = found
        .entry(key)
        .or_insert_with(|| Found { start: inside, end: inside + 1, loud: Vec::new(), silent: Vec::new() });
    entry.start = entry.start.min(inside);
    entry.end = entry.end.max(inside + 1);
    let list = if silent { &mut entry.silent } else { &mut entry.loud };
    if list.len() < INSTANCES && list.last() != Some(&instance) {
        list.push(instance);
    }
    entry.loud.len() >= INSTANCES
}

fn heap_object(blocks: &Blocks, offset: u32) -> (Object, u64) {
    match blocks.live.range(..=offset).next_back() {
        Some((start, block)) if offset < start + block.size => {
            (Object::Block { allocated_at: block.allocated_at }, u64::from(offset - start))
        }
        _ => (Object::Segment(SegmentKind::Heap), 0),
    }
}

impl<O: Observer> Observer for Locate<'_, '_, O> {
    const ACCESSES: bool = true;

    #[inline]
    fn load(&mut self, at: Moment, offset: u32, size: u32) {
        if !self.shadow.touches(offset, size) || self.calls.in_allocator() {
            return;
        }
        let pc = self.calls.blame(at.pc);
        if self.heap.contains(&offset) {
            self.use_block(at, pc, offset);
        }
        for byte in offset..offset + size {
            self.read(at, pc, byte);
        }
    }

    #[inline]
    fn store(&mut self, at: Moment, memory: &[u8], offset: u32, new: &[u8]) {
        if !self.shadow.touches(offset, new.len() as u32) || self.calls.in_allocator() {
            return;
        }
        let pc = self.calls.blame(at.pc);
        if self.heap.contains(&offset) {
            self.use_block(at, pc, offset);
        }
        for (index, &new) in new.iter().enumerate() {
            let byte = offset + index as u32;
            self.write(at, pc, byte, memory[byte as usize], new);
        }
    }

    fn call(&mut self, at: Moment, function: Func, frame: u32) {
        self.calls.enter(at.pc, function, frame);
    }

    fn ret(&mut self, _: Moment, _: Func) {
        self.calls.leave();
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
                self.map_change(at, pc, &block);
            }
        }
        let block = Block { size, allocated_at: pc, epoch: self.epoch, uses: Vec::new() };
        self.blocks.live.insert(offset, block);
    }

    fn free(&mut self, at: Moment, offset: u32) {
        if let Some(mut block) = self.blocks.live.remove(&offset) {
            let pc = self.calls.blame(at.pc);
            self.map_change(at, pc, &block);
            // Giving a block back is a use of it, too.
            if block.epoch != self.epoch || matches!(self.exposure, Exposure::Anywhere { .. }) {
                let commit = self.commit;
                block.uses.push(Reader { pc, time: at.time, commit, owner: self.epoch, ..Reader::default() });
                self.blocks.gone.insert(offset, block);
            }
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
        for &(offset, size) in saves {
            for byte in offset..offset + size {
                if let Some(cell) = self.shadow.cell(byte) {
                    cell.epoch = self.epoch;
                    cell.written = true;
                    cell.readers.clear();
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
