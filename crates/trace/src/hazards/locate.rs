//! Locate (EWSN'21 §5.2, SEMANTICS §3.1): one continuous execution, every pair.
//!
//! **Property.** A pair is a read of a non-volatile byte and a later write of it
//! such that a power failure after the write makes the read see the later value.
//!
//! **Algorithm.** Reads are kept as long as they are exposed, those of the same
//! bytes linked; a write pairs with each of them. Readers are places of the
//! user's code: what the C library does counts for the line that called it. The
//! first few instances of every pair are kept for evaluation; once they are
//! known, a write by the same place looks only at what is new. Memory grows with
//! the bytes touched and the pairs found, not with time.
//!
//! What every checkpoint saves cannot be stale, except before the first one has
//! committed: those bytes are watched in a shadow memory of their own, as long
//! as the start of the program can be where execution resumes.
//!
//! **False positives.** None of the definition: a pair located is a pair of the
//! execution. Whether it does harm is for `evaluate` to say.
//!
//! **False negatives.** Paths that were not executed.

mod accesses;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::{ControlFlow, Range};

use brownout_diag::Rule;
use brownout_explore::{
    Calls, CheckpointCall, Context, Exposure, Instance, Monitor, Object, Objects, Part, Patience,
    RoundCounter, Rounds, user_operation,
};
use brownout_ir::Func;
use brownout_vm::{Bounds, Image, Loops, Machine, Moment, Observer, SegmentKind, Standstill, Stop};
use rustc_hash::FxHashMap;

use self::accesses::number;
use crate::endless::{FIRST_LOOK, longest_loop};
use crate::hazards::blocks::{Block, Blocks, Use};
use crate::hazards::known::Memory;
use crate::hazards::pairing::Findings;
use crate::hazards::pairs::{Occurrence, Pairs, Site};
use crate::hazards::reads::{Reach, Read, Window};
use crate::hazards::shadow::{Shadow, granules};

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
    /// The checkpoint call before the producer, where regions begin at such calls; none before the
    /// first one.
    pub checkpoint: Option<u32>,
    /// Its first occurrences, in order; those that change something if any does.
    pub instances: Vec<Instance>,
    /// Whether every occurrence stored the very bytes that were read.
    pub silent: bool,
    /// The calls in which the producer was seen, in the order in which they came.
    pub paths: Vec<Context>,
}

/// Pairs of one producer whose occurrences are not kept: only that there are such pairs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Overwrites {
    /// Which rule they break.
    pub rule: Rule,
    /// What is read and overwritten.
    pub object: Object,
    /// The operation that writes.
    pub producer: u32,
    /// The checkpoint call before it, as of a [`Hazard`].
    pub checkpoint: Option<u32>,
    /// The operations that read before.
    pub readers: Vec<Reader>,
}

impl Overwrites {
    /// What one of the readers reads.
    pub fn part(&self, reader: &Reader) -> Part {
        Part {
            object: self.object,
            start: reader.bytes.start.into(),
            end: reader.bytes.end.into(),
        }
    }
}

/// An operation that reads what is overwritten later.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reader {
    /// The operation that reads.
    pub consumer: u32,
    /// The bytes of the object.
    pub bytes: Range<u32>,
    /// Whether every occurrence stored the very bytes that were read.
    pub silent: bool,
}

/// What one execution shows.
#[derive(Debug)]
pub struct Located {
    /// The pairs with their occurrences, in a stable order: all, unless there are very many.
    pub hazards: Vec<Hazard>,
    /// All other pairs, in a stable order.
    pub further: Vec<Overwrites>,
    /// How the execution ended.
    pub stop: Stop,
    /// The loop that it was found not to leave, and ended in for that reason.
    pub standstill: Option<Standstill>,
    /// The loop in which nothing new happened any more, if it was ended for that reason.
    pub rounds: Option<Rounds>,
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

/// For how many pairs the occurrences are kept; for some more if many places overwrite.
pub const DETAILED: usize = 1 << 13;

/// How many commits are listed.
const COMMITS: usize = 1 << 21;

/// How many instructions are executed between two looks at `interrupt`.
pub(crate) const SLICE: u64 = 5_000_000;

/// What is executed, and how it is looked at.
#[derive(Clone, Copy, Debug)]
pub struct Scope<'s> {
    /// When reads are exposed.
    pub exposure: Exposure,
    /// Offsets that every checkpoint saves.
    pub saved: &'s [Range<u32>],
    /// A line of code before which one more checkpoint is imagined.
    pub extra: Option<CodeLine>,
    /// Most instructions.
    pub limit: u64,
    /// How long a loop is executed in which nothing new happens.
    pub patience: Patience,
    /// For how many pairs the occurrences are kept, as far as places that overwrite have to share:
    /// usually [`DETAILED`].
    pub detailed: usize,
}

impl Located {
    /// Whether nothing new comes after what was executed.
    pub(crate) fn is_whole(&self) -> bool {
        let repeats = self.rounds.is_some_and(|rounds| !rounds.can_end);
        self.stop != Stop::Paused || self.standstill.is_some() || repeats
    }

    /// The instructions after which nothing is executed that was not executed before.
    pub(crate) fn varied(&self) -> u64 {
        self.rounds
            .map_or(self.instructions, |rounds| rounds.varied)
    }
}

/// A line of a function.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct CodeLine {
    /// The function.
    pub func: Func,
    /// The line in its file.
    pub line: u32,
}

impl CodeLine {
    /// Where an operation is.
    pub fn of(image: &Image, pc: u32) -> Option<Self> {
        let place = image.program().source.places.get(image.place(pc)?)?;
        Some(Self {
            func: image.function(pc)?,
            line: place.line,
        })
    }
}

/// Runs `image` once, or until `interrupt` says so, and locates all pairs.
/// Everything else the program does is passed on to `also`.
pub fn locate(
    image: &Image,
    scope: Scope<'_>,
    interrupt: &dyn Fn() -> bool,
    also: &mut dyn Observer,
) -> Located {
    let limit = scope.limit;
    let mut machine = Machine::new(image);
    machine.set_bounds(Bounds::Strict);
    let loops = Loops::of(image);
    let mut observer = Locate::new(image, scope, also);
    observer.rounds = RoundCounter::new(image, &loops, scope.patience);
    let mut standstill: Option<Standstill> = None;
    // When a loop that the program stays in has been executed once.
    let mut seen_at = u64::MAX;
    let mut rounds = None;
    let mut look = FIRST_LOOK;
    let stop = loop {
        let until = machine.now().saturating_add(SLICE).min(limit);
        let until = until.min(look).min(seen_at);
        let stop = machine.run(&mut observer, until);
        if let Some(long) = observer.long.take() {
            if loops.is_outermost(&machine) {
                // A loop in which nothing changes at all is told as that.
                standstill = machine.standstill(longest_loop(machine.now()));
                if standstill.is_some() {
                    seen_at = machine.now();
                    break Stop::Paused;
                }
                rounds = Some(Rounds {
                    head: user_operation(image, &machine),
                    ..long
                });
                break Stop::Paused;
            }
            observer.rounds.start_over(long.head);
            continue;
        }
        match stop {
            Stop::Paused if until == seen_at => break Stop::Paused,
            Stop::Paused if until == look => {
                look = look.saturating_mul(2);
                standstill = machine.standstill(longest_loop(until));
                if let Some(standstill) = &standstill {
                    seen_at = standstill.is_seen_at(until);
                    look = u64::MAX;
                }
                if interrupt() {
                    break Stop::Paused;
                }
            }
            Stop::Paused if until < limit && !interrupt() => {}
            stop => break stop,
        }
    };
    // What was not executed to its end may have something new in it.
    let standstill = standstill.filter(|_| machine.now() >= seen_at);
    let (hazards, further) = observer.findings.pairs.into_hazards();
    Located {
        hazards,
        further,
        stop,
        standstill,
        rounds,
        instructions: machine.now(),
        commits: observer.commits,
        checkpoints: observer.checkpoints,
        allocations: observer.findings.blocks.allocations(),
        call_paths: observer.calls.paths(),
    }
}

/// Whether to stop, asked once per slice of an execution.
pub(crate) fn in_slices(monitor: &dyn Monitor) -> bool {
    monitor.advance(SLICE);
    monitor.is_interrupted()
}

struct Locate<'i, 'o> {
    exposure: Exposure,
    findings: Findings<'i>,
    calls: Calls<'i>,
    /// The bytes that no checkpoint need save.
    shadow: Shadow,
    /// The bytes that every checkpoint saves, while the program may still start again.
    initial: Option<Box<Shadow>>,
    stack: Range<u32>,
    heap: Range<u32>,
    /// Whether every checkpoint saves the heap.
    heap_is_saved: bool,
    /// Blocks whose place in the map is changing, with the line that does it.
    map_changes: Vec<(u32, Block)>,
    epoch: u32,
    commit: u64,
    /// For how long reads matter, roughly.
    window: Window,
    checkpoint: Option<u32>,
    /// The last checkpoint call, where regions begin at such calls.
    region: Option<CheckpointCall>,
    checkpoints: u64,
    commits: Vec<u64>,
    /// A line before which one more checkpoint is imagined, and on which line of its function the
    /// execution was before.
    extra: Option<(CodeLine, u32)>,
    /// The operations that accessed memory.
    accessed: Vec<bool>,
    /// How many operations accessed memory.
    places: u64,
    /// The operations that the world has seen something of.
    emitters: BTreeSet<u32>,
    /// How often loops were executed.
    rounds: RoundCounter,
    /// A loop in which nothing new has happened for long enough.
    long: Option<Rounds>,
    also: &'o mut dyn Observer,
}

impl<'i, 'o> Locate<'i, 'o> {
    fn new(image: &'i Image, scope: Scope<'_>, also: &'o mut dyn Observer) -> Self {
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
            Exposure::Region | Exposure::SinceCall { .. } => Shadow::only(image, saved),
        };
        Self {
            exposure,
            findings: Findings {
                objects: Objects::new(image),
                blocks: Blocks::default(),
                pairs: Pairs::new(scope.detailed),
                places: FxHashMap::default(),
                memory: Memory::new(),
                news: Vec::new(),
            },
            calls: Calls::new(image),
            shadow: Shadow::without(image, saved),
            initial: initial.map(Box::new),
            stack: segment(SegmentKind::Stack),
            heap_is_saved: saved
                .iter()
                .any(|range| range.start <= heap.start && heap.end <= range.end),
            heap,
            map_changes: Vec::new(),
            // Cells start at zero, which must mean an earlier region.
            epoch: 1,
            commit: 0,
            window: match exposure {
                Exposure::Region => Window::region(1),
                Exposure::Anywhere { depth } | Exposure::SinceCall { depth } => {
                    Window::at(0, depth)
                }
            },
            checkpoint: None,
            region: None,
            checkpoints: 0,
            commits: Vec::new(),
            extra: scope.extra.map(|line| (line, 0)),
            accessed: vec![false; image.operations()],
            places: 0,
            emitters: BTreeSet::new(),
            rounds: RoundCounter::default(),
            long: None,
            also,
        }
    }

    /// How many things are known: places, pairs, call paths, outputs.
    fn things(&self) -> u64 {
        let seen = self.calls.seen() + self.emitters.len();
        self.places + self.findings.pairs.kept() + seen as u64
    }

    /// Which reads matter to a write now.
    #[inline(always)]
    fn reach(&self, now: u64) -> Reach {
        Reach {
            exposure: self.exposure,
            commit: self.commit,
            now,
        }
    }

    /// The call in the user's code that changed the map is over: whoever used the blocks
    /// before finds others.
    #[cold]
    #[inline(never)]
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
        let reach = self.reach(now);
        for used in &block.uses {
            if !reach.covers(used.read) {
                continue;
            }
            let site = Site {
                rule: Rule::MemoryMap,
                object: Object::Block {
                    allocated_at: block.allocated_at,
                },
                producer: pc,
                checkpoint: self.region,
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
            self.findings
                .pairs
                .record(site, used.pc, whole, instance, Occurrence::Loud);
        }
    }

    /// Begins a new region.
    fn commit(&mut self, at: Moment) {
        self.epoch += 1;
        let is_later = at.time != std::mem::replace(&mut self.commit, at.time);
        match self.exposure {
            Exposure::Region => {
                // Of two at the same time, what is between them is in both regions.
                if is_later {
                    self.window = Window::region(self.epoch.into());
                    self.shadow.forget_reads();
                }
                self.findings.blocks.forget_gone();
                self.initial = None;
            }
            Exposure::SinceCall { .. } => self.initial = None,
            Exposure::Anywhere { .. } => {}
        }
    }

    /// Begins the next window.
    #[cold]
    #[inline(never)]
    fn next_window(&mut self, now: u64) {
        if let Exposure::Anywhere { depth } | Exposure::SinceCall { depth } = self.exposure {
            self.window = Window::at(now, depth);
        }
    }

    /// The operation may be the first of a line before which there is to be a checkpoint. A line that
    /// is come back to from below does not begin anew: it may be the head of a loop.
    #[cold]
    #[inline(never)]
    fn imagine_checkpoint(&mut self, at: Moment) {
        let here = CodeLine::of(self.calls.image(), self.calls.blame(at.pc));
        let (Some((wanted, before)), Some(here)) = (self.extra, here) else {
            return;
        };
        if here.func == wanted.func {
            self.extra = Some((wanted, here.line));
            if here == wanted && before < wanted.line {
                self.commit(at);
            }
        }
    }

    /// The checkpoint that was just called saves these stretches; the one before it was at `before`.
    fn save(&mut self, before: u64, saves: &[(u32, u32)]) {
        if saves.is_empty() {
            return;
        }
        let mut masks: BTreeMap<u32, u8> = BTreeMap::new();
        for &(offset, size) in saves {
            for (base, mask, _) in granules(offset, size) {
                *masks.entry(base).or_default() |= mask;
            }
        }
        for (base, mask) in masks {
            let cell = self.shadow.find(base);
            let mask = mask & self.shadow.cell(cell).tracked;
            match self.exposure {
                Exposure::Region => self.shadow.write(cell, self.epoch, mask),
                Exposure::SinceCall { .. } => self.shadow.pass_over(base, self.epoch, before, mask),
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

impl Observer for Locate<'_, '_> {
    #[inline(always)]
    fn accesses(&self) -> bool {
        true
    }

    #[inline(always)]
    fn load(&mut self, at: Moment, offset: u32, bytes: &[u8]) {
        match bytes.len() {
            1 => self.load_number::<1>(at, offset, number(bytes)),
            2 => self.load_number::<2>(at, offset, number(bytes)),
            4 => self.load_number::<4>(at, offset, number(bytes)),
            8 => self.load_number::<8>(at, offset, number(bytes)),
            _ => self.load_bytes(at, offset, bytes),
        }
    }

    #[inline(always)]
    fn store(&mut self, at: Moment, _: &[u8], offset: u32, new: &[u8]) {
        match new.len() {
            1 => self.store_number::<1>(at, offset, number(new)),
            2 => self.store_number::<2>(at, offset, number(new)),
            4 => self.store_number::<4>(at, offset, number(new)),
            8 => self.store_number::<8>(at, offset, number(new)),
            _ => self.store_bytes(at, offset, new),
        }
    }

    fn call(&mut self, at: Moment, function: Func, frame: u32) {
        self.calls.enter(at.pc, function, frame);
        if let Some((wanted, before)) = &mut self.extra
            && wanted.func == function
        {
            *before = 0;
        }
        self.also.call(at, function, frame);
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
        for block in self.findings.blocks.take_gone(offset..offset + size) {
            self.map_changes.push((pc, block));
        }
        self.findings
            .blocks
            .allocate(offset, size, pc, self.epoch, (self.commit, at.time));
    }

    fn free(&mut self, at: Moment, offset: u32) {
        let pc = self.calls.blame(at.pc);
        let used = self.use_now(at, pc);
        let exposed_at_once = matches!(self.exposure, Exposure::Anywhere { .. });
        if let Some(block) = self.findings.blocks.free(offset, used, exposed_at_once) {
            self.map_changes.push((pc, block));
        }
    }

    fn checkpoint(&mut self, at: Moment, saves: &[(u32, u32)]) -> ControlFlow<()> {
        let before = self.commit;
        self.commit(at);
        let call = self.calls.blame(at.pc);
        self.checkpoint = Some(call);
        self.region = match self.exposure {
            Exposure::Region | Exposure::SinceCall { .. } => Some(CheckpointCall::at(call)),
            Exposure::Anywhere { .. } => None,
        };
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
        self.emitters.insert(at.pc);
        self.also.output(at, index, args);
    }

    fn loop_head(&mut self, at: Moment) -> ControlFlow<()> {
        let things = self.things();
        self.long = self.rounds.visit(at.pc, at.time, things, None);
        match self.long {
            Some(_) => ControlFlow::Break(()),
            None => ControlFlow::Continue(()),
        }
    }

    fn write(&mut self, at: Moment, stream: brownout_vm::Stream, bytes: &[u8]) {
        self.emitters.insert(self.calls.blame(at.pc));
        self.also.write(at, stream, bytes);
    }
}

impl Locate<'_, '_> {
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
    #[inline(never)]
    fn use_block(&mut self, at: Moment, pc: u32, offset: u32) {
        let used = self.use_now(at, pc);
        let exposed_at_once = matches!(self.exposure, Exposure::Anywhere { .. });
        self.findings.blocks.touch(offset, used, exposed_at_once);
    }
}
