//! One boot of one state: what it does to non-volatile memory, and how it ends.
//!
//! A boot starts at the entry, with volatile memory as start-up code leaves it, and is executed
//! without failure. It ends where the program ends, dies, settles in a loop in which nothing
//! changes, comes to the place where a boot is done, or when a limit is reached.
//!
//! **Invariant**: what is recorded depends on the state alone, and of its memory only on the bytes
//! that are recorded as read: another state that has these boots alike.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use brownout_ir::Func;
use brownout_scenario::{FlashAction, Occasion, Programming, Reprogram, Surroundings};
use brownout_vm::{FlashOperation, Image, Machine, Moment, Observer, Stop};
use rustc_hash::FxHashMap;

use crate::calls::{Path, Paths};
use crate::nonvolatile::{Nature, Nonvolatile};
use crate::operation::{Cuts, Kind, Operation};
use crate::places;
use crate::report::Assertion;
use crate::state::{Outside, State, States};
use crate::{Memo, Monitor, Request};

/// A loop in which nothing changes: its operations.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Settled(pub(crate) BTreeSet<u32>);

/// How a boot ends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum End {
    /// The program ends.
    Exited {
        /// Its status.
        status: i32,
    },
    /// It comes to the place where a boot is done.
    Arrived,
    /// It stays in a loop.
    Settled(Settled),
    /// It dies.
    Died(Box<Assertion>),
    /// A limit was reached before any of this.
    Undecided,
}

/// What one boot did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Recording {
    pub(crate) operations: Vec<Operation>,
    /// What operations leave, one after the other.
    pub(crate) bytes: Vec<u8>,
    /// The calls that led to operations, by the numbers that operations have.
    pub(crate) paths: Vec<Path>,
    /// Bytes that it read before it wrote them: where, and how many, one after the other.
    pub(crate) reads: Vec<(u32, u32)>,
    /// What these bytes held.
    pub(crate) read: Vec<u8>,
    /// What is outside after operations that change it.
    pub(crate) outside: Vec<Outside>,
    /// How many operations came before the place where failures begin.
    pub(crate) before: u32,
    pub(crate) end: End,
    /// What has to hold at the end and does not, by number.
    pub(crate) broken: Vec<u32>,
    pub(crate) instructions: u64,
}

impl Recording {
    /// What an operation leaves.
    pub(crate) fn new_bytes(&self, operation: &Operation) -> &[u8] {
        &self.bytes[operation.new.start as usize..operation.new.end as usize]
    }
}

/// Boots states, one after the other.
pub(crate) struct Booter<'b> {
    image: &'b Image,
    request: &'b Request,
    nonvolatile: &'b Nonvolatile,
    /// The device at its first power-on.
    fresh: &'b Machine<'b>,
    machine: Machine<'b>,
}

/// How many instructions are executed before the first look for a loop without end.
const FIRST_SLICE: u64 = 200_000;

/// Between two looks at the monitor.
const LONGEST_SLICE: u64 = 20_000_000;

/// A loop that was passed so often may be one without end.
const MANY: u32 = 1024;

/// Operations of the longest loop that is recognised; and of one that is looked for often.
const LONG_LOOP: u32 = 4096;
const SHORT_LOOP: u32 = 32;

impl<'b> Booter<'b> {
    pub(crate) fn new(
        image: &'b Image,
        request: &'b Request,
        nonvolatile: &'b Nonvolatile,
        fresh: &'b Machine<'b>,
    ) -> Self {
        Self {
            image,
            request,
            nonvolatile,
            fresh,
            machine: fresh.clone(),
        }
    }

    /// Boots a state, with a limit on its instructions.
    pub(crate) fn boot(
        &mut self,
        states: &States,
        state: &State,
        limit: u64,
        monitor: &dyn Monitor,
    ) -> Recording {
        self.machine.become_like(self.fresh);
        for &(page, contents) in &state.pages {
            let offsets = self.nonvolatile.offsets(page);
            let length = offsets.len();
            let bytes = &states.page(contents)[..length];
            self.machine.tear(offsets.start, bytes);
        }
        self.machine
            .set_environment(states.outside_of(state.outside));
        self.execute(limit, monitor)
    }

    fn execute(&mut self, limit: u64, monitor: &dyn Monitor) -> Recording {
        let mut recorder = Box::new(Recorder::new(self, limit));
        let mut slice = FIRST_SLICE;
        let end = loop {
            let now = self.machine.now();
            if now >= limit || monitor.is_interrupted() {
                break End::Undecided;
            }
            let until = now.saturating_add(slice).min(limit);
            match self.machine.run(&mut recorder, until) {
                Stop::Exited { status } => break End::Exited { status },
                Stop::Faulted(fault) => {
                    let mut trace = self.machine.backtrace();
                    trace.reverse();
                    let place = places::frames(self.image, &trace);
                    break End::Died(Box::new(Assertion::of_fault(&fault, place)));
                }
                Stop::Paused if recorder.has_arrived => break End::Arrived,
                Stop::Paused => {}
            }
            let longest = match std::mem::take(&mut recorder.asks) {
                true => SHORT_LOOP,
                false => {
                    slice = (2 * slice).min(LONGEST_SLICE);
                    LONG_LOOP
                }
            };
            if self.machine.standstill(longest).is_some() {
                break End::Settled(self.settled(longest));
            }
        };
        let broken = match end {
            End::Exited { .. } | End::Arrived | End::Settled(_) => {
                recorder.note_invariants(self.machine.memory());
                self.machine.broken(Occasion::Exit)
            }
            End::Died(_) | End::Undecided => Vec::new(),
        };
        recorder.finish(end, broken, self.machine.now())
    }

    /// The operations of the loop that the machine is in; it is not looked at any more.
    fn settled(&mut self, longest: u32) -> Settled {
        struct Executed(BTreeSet<u32>);
        impl Observer for Executed {
            fn flow(&self) -> bool {
                true
            }
            fn execute(&mut self, pc: u32) {
                self.0.insert(pc);
            }
        }
        let mut executed = Executed(BTreeSet::new());
        for _ in 0..longest {
            if self.machine.watch_operation(&mut executed) != Stop::Paused {
                break;
            }
        }
        Settled(executed.0)
    }
}

/// Records what a boot does.
struct Recorder<'r> {
    image: &'r Image,
    nonvolatile: &'r Nonvolatile,
    cuts: Cuts<'r>,
    memo: Memo,
    from: Option<&'r [u32]>,
    until: Option<&'r [u32]>,
    limit: u64,
    /// The calls in progress.
    calls: Vec<(Func, u32)>,
    paths: Paths,
    /// The number of the path of the last operation at this place, while the calls are the same.
    path: Option<(u32, u32)>,
    operations: Vec<Operation>,
    bytes: Vec<u8>,
    /// Bytes that were read or written, by page.
    touched: Vec<u64>,
    reads: Vec<(u32, u32)>,
    read: Vec<u8>,
    /// The environment now, and after the operations that changed it.
    environment: Outside,
    outside: Vec<Outside>,
    /// Whether the next store belongs to an operation that is recorded already.
    is_flash: bool,
    before: Option<u32>,
    has_arrived: bool,
    /// Whether it asks to look for a loop in which nothing changes.
    asks: bool,
    /// How often heads of loops were passed.
    heads: FxHashMap<u32, u32>,
}

impl<'r> Recorder<'r> {
    fn new(booter: &Booter<'r>, limit: u64) -> Self {
        let pages = match booter.request.memo {
            Memo::On => booter.nonvolatile.pages() as usize,
            Memo::Off => 0,
        };
        Self {
            image: booter.image,
            nonvolatile: booter.nonvolatile,
            cuts: Cuts::new(booter.image, booter.request, booter.nonvolatile),
            memo: booter.request.memo,
            from: booter.request.from.as_deref(),
            until: booter.request.until.as_deref(),
            limit,
            calls: Vec::new(),
            paths: Paths::default(),
            path: None,
            operations: Vec::new(),
            bytes: Vec::new(),
            touched: vec![0; pages],
            reads: Vec::new(),
            read: Vec::new(),
            environment: booter.machine.environment().to_vec(),
            outside: Vec::new(),
            is_flash: false,
            before: None,
            has_arrived: false,
            asks: false,
            heads: FxHashMap::default(),
        }
    }

    fn record(&mut self, at: Moment, kind: Kind, offset: u32, new: &[u8]) {
        let path = match self.path {
            Some((pc, path)) if pc == at.pc => path,
            _ => {
                let path = self.paths.number(Path {
                    calls: self.calls.clone(),
                    pc: at.pc,
                });
                self.path = Some((at.pc, path));
                path
            }
        };
        let start = self.bytes.len() as u32;
        self.bytes.extend_from_slice(new);
        let end = self.bytes.len() as u32;
        self.operations.push(Operation {
            kind,
            offset,
            new: start..end,
            path,
            outside: None,
        });
    }

    /// Notes bytes that are read and were not touched before.
    fn note(&mut self, offset: u32, bytes: &[u8]) {
        for (at, &byte) in (offset..).zip(bytes) {
            if self.touch(at) {
                match self.reads.last_mut() {
                    Some((start, length)) if *start + *length == at => *length += 1,
                    _ => self.reads.push((at, 1)),
                }
                self.read.push(byte);
            }
        }
    }

    /// What has to hold at the end is read there.
    fn note_invariants(&mut self, memory: &[u8]) {
        if self.memo == Memo::Off {
            return;
        }
        let layout = self.image.layout();
        let variables = self.image.bindings().invariants.iter();
        for variable in variables.flat_map(|invariant| &invariant.variables) {
            let base = layout.segments().first().map_or(0, |segment| {
                segment.address - u64::from(segment.offsets.start)
            });
            let start = (layout.global(variable.global) + variable.start - base) as u32;
            let width = (variable.shift + variable.bits).div_ceil(8);
            let bytes = memory.get(start as usize..(start + width) as usize);
            self.note(start, bytes.unwrap_or_default());
        }
    }

    /// Whether this is the first time that a byte of non-volatile memory is touched.
    fn touch(&mut self, offset: u32) -> bool {
        let Some((page, inside)) = self.nonvolatile.page(offset) else {
            return false;
        };
        let touched = &mut self.touched[page as usize];
        let is_first = *touched >> inside & 1 == 0;
        *touched |= 1 << inside;
        is_first
    }

    fn finish(self, end: End, broken: Vec<u32>, instructions: u64) -> Recording {
        let before = match self.from {
            Some(_) => self.before.unwrap_or(u32::MAX),
            None => 0,
        };
        Recording {
            operations: self.operations,
            bytes: self.bytes,
            paths: self.paths.all().to_vec(),
            reads: self.reads,
            read: self.read,
            outside: self.outside,
            before,
            end,
            broken,
            instructions,
        }
    }
}

impl Observer for Recorder<'_> {
    #[inline(always)]
    fn accesses(&self) -> bool {
        true
    }

    #[inline(always)]
    fn load(&mut self, _: Moment, offset: u32, bytes: &[u8]) {
        if self.memo == Memo::On && self.nonvolatile.touches(offset, bytes.len()) {
            self.note(offset, bytes);
        }
    }

    #[inline(always)]
    fn store(&mut self, at: Moment, _: &[u8], offset: u32, new: &[u8]) {
        if self.nonvolatile.touches(offset, new.len()) {
            self.store_slowly(at, offset, new);
        }
    }

    fn flash(&mut self, at: Moment, memory: &[u8], operation: &FlashOperation<'_>) {
        let Some(kind) = Cuts::kind_of(operation.action) else {
            return;
        };
        if !self.nonvolatile.contains(operation.offset) {
            return;
        }
        // What programming leaves depends on what was there.
        if let (Memo::On, FlashAction::Program, Nature::Part(part)) = (
            self.memo,
            operation.action,
            self.nonvolatile.nature(operation.offset),
        ) && self
            .image
            .bindings()
            .parts
            .get(part as usize)
            .is_none_or(|part| {
                part.programming == Programming::And || part.reprogram == Reprogram::Error
            })
        {
            let start = operation.offset as usize;
            let old = memory[start..start + operation.new.len()].to_vec();
            self.note(operation.offset, &old);
        }
        self.record(at, kind, operation.offset, operation.new);
        self.is_flash = true;
    }

    fn output(&mut self, at: Moment, index: u32, args: &[u64]) {
        let bindings = self.image.bindings();
        let Some(output) = bindings.outputs.get(index as usize) else {
            return;
        };
        if output.effect.is_empty() {
            return;
        }
        let before = self.environment.clone();
        let args = self.image.output_arguments(index, args);
        let mut surroundings = Surroundings {
            names: &bindings.environment.names,
            values: &mut self.environment,
        };
        // An effect that fails is a fault of the machine, which ends the boot.
        let is_done = output.effect.apply(&args, &mut surroundings).is_ok();
        if is_done && self.environment != before {
            self.record(at, Kind::Output, 0, &[]);
            self.outside.push(self.environment.clone());
            if let Some(operation) = self.operations.last_mut() {
                operation.outside = Some(self.outside.len() as u32 - 1);
            }
        }
    }

    #[inline(always)]
    fn call(&mut self, at: Moment, function: Func, _: u32) {
        self.calls.push((function, at.pc));
        self.path = None;
    }

    #[inline(always)]
    fn ret(&mut self, _: Moment, _: Func) {
        self.calls.pop();
        self.path = None;
    }

    fn unwind(&mut self, _: Moment, depth: usize) {
        self.calls.truncate(depth.saturating_sub(1));
        self.path = None;
    }

    fn checkpoint(&mut self, at: Moment, _: &[(u32, u32)]) -> ControlFlow<()> {
        let is_at = |places: Option<&[u32]>| places.is_some_and(|places| places.contains(&at.pc));
        if is_at(self.from) && self.before.is_none() {
            self.before = Some(self.operations.len() as u32);
        }
        self.has_arrived |= is_at(self.until);
        match self.has_arrived {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }

    fn loop_head(&mut self, at: Moment) -> ControlFlow<()> {
        let visits = self.heads.entry(at.pc).or_insert(0);
        *visits += 1;
        if *visits >= MANY && visits.is_power_of_two() && at.time < self.limit {
            self.asks = true;
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }
}

impl Recorder<'_> {
    #[inline(never)]
    fn store_slowly(&mut self, at: Moment, offset: u32, new: &[u8]) {
        if self.memo == Memo::On {
            for at in offset..offset + new.len() as u32 {
                self.touch(at);
            }
        }
        if !std::mem::take(&mut self.is_flash) {
            // A store may run over the edge of what survives.
            let is_kept = |index: &usize| self.nonvolatile.contains(offset + *index as u32);
            let first = (0..new.len()).find(is_kept).unwrap_or(0);
            let last = (first..new.len()).rev().find(is_kept).unwrap_or(first);
            let (offset, new) = (offset + first as u32, &new[first..=last]);
            let kind = self.cuts.kind(offset, self.image.is_block(at.pc));
            self.record(at, kind, offset, new);
        }
    }
}
