//! The pairs of an execution by their definition (SEMANTICS §3.1): a log of every
//! byte read and written, and for each byte all reads against all later writes.

mod heap;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::{ControlFlow, Range};

use brownout_diag::Rule;
use brownout_explore::{Exposure, Object, Objects};
use brownout_ir::{Func, Origin};
use brownout_vm::{Image, Machine, Moment, Observer, SegmentKind};

use crate::support::LONG;
use heap::{Block, Change, Use};

/// A place of the user's code for the consumer, one for the producer, and what they share.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Pair {
    pub(crate) rule: Rule,
    pub(crate) object: Object,
    pub(crate) consumer: u32,
    pub(crate) producer: u32,
    /// The checkpoint call before the producer, where regions begin at such calls.
    pub(crate) checkpoint: Option<u32>,
}

/// One occurrence.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Occurrence {
    pub(crate) consumed: u64,
    pub(crate) produced: u64,
    /// A checkpoint that governs it.
    pub(crate) commit: u64,
    /// Whether the byte was written as it was read.
    pub(crate) silent: bool,
}

/// An access to one byte.
#[derive(Clone, Copy, Debug)]
struct Access {
    /// Position in the log.
    order: usize,
    time: u64,
    pc: u32,
    write: bool,
    value: u8,
    /// On the stack: the activation, and whose frame it is.
    owner: Option<(u32, Option<(Func, i64)>)>,
    /// On the heap: the block, by number.
    block: Option<usize>,
    /// Whether the allocator makes it, for itself.
    hidden: bool,
}

/// A checkpoint call, or the start of the program.
#[derive(Clone, Debug)]
struct Call {
    /// The operation of the user's code; none for the start of the program.
    pc: Option<u32>,
    order: usize,
    time: u64,
    saves: Vec<Range<u32>>,
}

/// All pairs of the execution of `image`. Checkpoints save `saved`; before there is
/// one, `saved_at_start` counts as saved.
pub(crate) fn pairs(
    image: &Image,
    exposure: Exposure,
    saved: &[Range<u32>],
    saved_at_start: &[Range<u32>],
) -> BTreeMap<Pair, BTreeSet<Occurrence>> {
    let mut log = Log::of(image);
    log.calls[0].saves = saved_at_start.to_vec();
    let mut pairs: BTreeMap<Pair, BTreeSet<Occurrence>> = BTreeMap::new();
    let objects = Objects::new(image);
    for (&offset, accesses) in &log.bytes {
        let seen = accesses.iter().filter(|access| !access.hidden);
        let accesses: &[Access] = &seen.copied().collect::<Vec<_>>();
        for (index, read) in accesses
            .iter()
            .enumerate()
            .filter(|(_, access)| !access.write)
        {
            for write in accesses[index..].iter().filter(|access| access.write) {
                for commit in log.governing(exposure, saved, offset, accesses, read, write) {
                    let occurrence = Occurrence {
                        consumed: read.time,
                        produced: write.time,
                        commit,
                        silent: read.value == write.value,
                    };
                    let checkpoint = log.checkpoint(exposure, write.order);
                    if let Some(pair) = name(&objects, &log, offset, read, write, checkpoint) {
                        pairs.entry(pair).or_default().insert(occurrence);
                    }
                }
            }
        }
    }
    for (pair, occurrence) in log.map_changes(exposure) {
        pairs.entry(pair).or_default().insert(occurrence);
    }
    pairs
}

/// Which rule, which object.
fn name(
    objects: &Objects<'_>,
    log: &Log<'_>,
    offset: u32,
    read: &Access,
    write: &Access,
    checkpoint: Option<u32>,
) -> Option<Pair> {
    // Another block at the same address: the change of the map is the pair.
    if read.block != write.block {
        return None;
    }
    let same = read.owner.map(|owner| owner.0) == write.owner.map(|owner| owner.0);
    let object = match (read.owner, objects.global(offset)) {
        (Some((_, Some((func, distance)))), _) => objects.local(func, distance).0,
        (Some((_, None)), _) => Object::Segment(SegmentKind::Stack),
        (None, Some((global, _))) => Object::Global(global),
        (None, None) => match read.block {
            Some(block) => Object::Block {
                allocated_at: log.blocks[block].allocated_at,
            },
            None => Object::Segment(SegmentKind::Heap),
        },
    };
    let linkage = matches!(object, Object::Linkage(_));
    let rule = if same && !linkage {
        Rule::WriteAfterRead
    } else {
        Rule::ActivationRecord
    };
    Some(Pair {
        rule,
        object,
        consumer: read.pc,
        producer: write.pc,
        checkpoint,
    })
}

struct Activation {
    number: u32,
    func: Func,
    frame: u32,
    low: u32,
    /// Where the user's code called the library that is at work.
    user: Option<u32>,
    /// Whether it keeps the heap's books.
    allocator: bool,
}

/// Records an execution.
struct Log<'i> {
    image: &'i Image,
    memory: Vec<u8>,
    tracked: Vec<Range<u32>>,
    stack: Range<u32>,
    bytes: BTreeMap<u32, Vec<Access>>,
    calls: Vec<Call>,
    activations: Vec<Activation>,
    entered: u32,
    order: usize,
    heap: Range<u32>,
    /// All there ever were, in order.
    blocks: Vec<Block>,
    uses: Vec<Use>,
    changes: Vec<Change>,
}

impl<'i> Log<'i> {
    fn of(image: &'i Image) -> Self {
        let mut machine = Machine::new(image);
        let segments = image.layout().segments().iter();
        let stack = segments
            .clone()
            .find(|segment| segment.kind == SegmentKind::Stack);
        let mut heaps = segments.clone();
        let heap = heaps.find(|segment| segment.kind == SegmentKind::Heap && segment.nonvolatile);
        let mut log = Self {
            image,
            memory: machine.memory().to_vec(),
            tracked: segments
                .filter(|segment| segment.nonvolatile && segment.kind != SegmentKind::Constants)
                .map(|segment| segment.offsets.clone())
                .collect(),
            stack: stack.map_or(0..0, |segment| segment.offsets.clone()),
            bytes: BTreeMap::new(),
            calls: vec![Call {
                pc: None,
                order: 0,
                time: 0,
                saves: Vec::new(),
            }],
            activations: Vec::new(),
            entered: 0,
            order: 1,
            heap: heap.map_or(0..0, |segment| segment.offsets.clone()),
            blocks: Vec::new(),
            uses: Vec::new(),
            changes: Vec::new(),
        };
        machine.watch(&mut log, LONG);
        log
    }

    /// The checkpoint call before a moment, where regions begin at such calls.
    fn checkpoint(&self, exposure: Exposure, order: usize) -> Option<u32> {
        match exposure {
            Exposure::Anywhere { .. } => None,
            Exposure::Region | Exposure::SinceCall { .. } => {
                let before = |call: &&Call| call.order < order;
                self.calls.iter().rev().find(before)?.pc
            }
        }
    }

    /// The checkpoints from which re-execution makes `read` see what `write` wrote.
    fn governing(
        &self,
        exposure: Exposure,
        saved: &[Range<u32>],
        offset: u32,
        accesses: &[Access],
        read: &Access,
        write: &Access,
    ) -> Vec<u64> {
        let always = saved.iter().any(|range| range.contains(&offset));
        let last = self
            .calls
            .iter()
            .rev()
            .find(|call| call.order < read.order)
            .map_or(0, |call| call.time);
        if let Exposure::Anywhere { depth } = exposure {
            return if !always && write.time <= read.time + depth {
                vec![last]
            } else {
                vec![]
            };
        }
        let governs = |(index, call): &(usize, &Call)| {
            let committed = *index > 0;
            let in_reach = match exposure {
                Exposure::Region => self
                    .calls
                    .get(index + 1)
                    .is_none_or(|next| next.order > write.order),
                // Once a checkpoint was called, one has committed.
                Exposure::SinceCall { depth } => {
                    let next = self.calls.get(1);
                    let is_left = !committed && next.is_some_and(|next| next.order < write.order);
                    write.time <= call.time + depth && !is_left
                }
                Exposure::Anywhere { .. } => false,
            };
            let exposed = !accesses
                .iter()
                .any(|access| access.write && (call.order..read.order).contains(&access.order));
            let kept =
                (always && committed) || call.saves.iter().any(|range| range.contains(&offset));
            call.order < read.order && in_reach && exposed && !kept
        };
        self.calls
            .iter()
            .enumerate()
            .filter(governs)
            .map(|(_, call)| call.time)
            .collect()
    }

    fn blame(&self, pc: u32) -> u32 {
        self.activations
            .last()
            .and_then(|activation| activation.user)
            .unwrap_or(pc)
    }

    fn access(&mut self, at: Moment, offset: u32, value: u8, write: bool) {
        let hidden = self.in_allocator();
        let block = self
            .block_at(offset)
            .filter(|_| self.heap.contains(&offset));
        if let Some(block) = block.filter(|_| !hidden) {
            self.note_use(block, at);
        }
        if !self.tracked.iter().any(|range| range.contains(&offset)) {
            return;
        }
        let linkage = 2 * self.image.program().target.pointer_bytes();
        let owner = self.stack.contains(&offset).then(|| {
            let mut all = self.activations.iter();
            let owner = all
                .find(|activation| (activation.low..activation.frame + linkage).contains(&offset));
            match owner {
                Some(owner) => (
                    owner.number,
                    Some((owner.func, i64::from(offset) - i64::from(owner.frame))),
                ),
                // The call that is being made.
                None => (self.entered + 1, None),
            }
        });
        let access = Access {
            order: self.order,
            time: at.time,
            pc: self.blame(at.pc),
            write,
            value,
            owner,
            block,
            hidden,
        };
        self.bytes.entry(offset).or_default().push(access);
    }
}

impl Observer for Log<'_> {
    #[inline(always)]
    fn accesses(&self) -> bool {
        true
    }

    fn load(&mut self, at: Moment, offset: u32, bytes: &[u8]) {
        self.order += 1;
        for byte in offset..offset + bytes.len() as u32 {
            self.access(at, byte, self.memory[byte as usize], false);
        }
    }

    fn store(&mut self, at: Moment, _: &[u8], offset: u32, new: &[u8]) {
        self.order += 1;
        for (byte, &value) in (offset..).zip(new) {
            self.access(at, byte, value, true);
            self.memory[byte as usize] = value;
        }
    }

    fn call(&mut self, at: Moment, func: Func, frame: u32) {
        let function = &self.image.program().functions[func];
        let user = match function.origin {
            Origin::User => None,
            Origin::Library => Some(self.blame(at.pc)),
        };
        self.entered += 1;
        let low = frame - self.image.frame_bytes(func);
        self.activations.push(Activation {
            number: self.entered,
            func,
            frame,
            low,
            user,
            allocator: function.name.starts_with("heap_"),
        });
    }

    fn ret(&mut self, at: Moment, _: Func) {
        self.activations.pop();
        self.settle(at);
    }

    fn allocate(&mut self, at: Moment, offset: u32, size: u32) {
        self.order += 1;
        self.hand_out(at, offset, size);
    }

    fn free(&mut self, at: Moment, offset: u32) {
        self.order += 1;
        self.give_back(at, offset);
    }

    fn stack(&mut self, _: Moment, pointer: u32) {
        self.activations
            .last_mut()
            .expect("a function that grows the stack")
            .low = pointer;
    }

    fn checkpoint(&mut self, at: Moment, saves: &[(u32, u32)]) -> ControlFlow<()> {
        self.order += 1;
        let saves = saves
            .iter()
            .map(|&(offset, size)| offset..offset + size)
            .collect();
        self.calls.push(Call {
            pc: Some(self.blame(at.pc)),
            order: self.order,
            time: at.time,
            saves,
        });
        ControlFlow::Continue(())
    }
}
