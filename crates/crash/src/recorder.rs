//! Records what a boot does to non-volatile memory, and what it read of it before.
//!
//! **Invariant**: a byte is recorded as read exactly if it was read before it was written.

use std::ops::ControlFlow;

use brownout_ir::Func;
use brownout_scenario::{FlashAction, Programming, Reprogram, Surroundings};
use brownout_vm::{FlashOperation, Image, Moment, Observer, Stream};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::boot::{End, Interest, Patience, Recording};
use crate::calls::{Path, Paths};
use crate::nonvolatile::{Nature, Nonvolatile};
use crate::operation::{Cuts, Kind, Operation};
use crate::state::Outside;
use crate::workload::{Reading, Workload};
use crate::{Memo, Request};

/// A loop that was passed so often may be one without end.
const MANY: u32 = 1024;

/// And one that was passed so often in a boot that takes so many times longer than the undisturbed one.
const FEW: u32 = 32;
const LONGER: u64 = 4;

/// Instructions of a round of a loop that is too long to be looked for again and again.
const LONG: u64 = 4_096;

/// A boot that has taken this part of the time it may take has little to lose.
const LATE: u64 = 4;

/// What a recorder has to know of the boot.
#[derive(Clone, Copy)]
pub(crate) struct Circumstances<'r> {
    pub(crate) image: &'r Image,
    pub(crate) request: &'r Request,
    pub(crate) nonvolatile: &'r Nonvolatile,
    pub(crate) workload: &'r Workload,
    pub(crate) interest: Interest,
    pub(crate) patience: Patience,
}

/// Records what a boot does.
pub(crate) struct Recorder<'r> {
    image: &'r Image,
    request: &'r Request,
    nonvolatile: &'r Nonvolatile,
    workload: &'r Workload,
    cuts: Cuts<'r>,
    interest: Interest,
    memo: Memo,
    from: Option<&'r [u32]>,
    until: Option<&'r [u32]>,
    patience: Patience,
    /// The calls in progress, and which of all calls each is.
    calls: Vec<(Func, u32)>,
    serials: Vec<u32>,
    called: u32,
    paths: Paths,
    /// The number of the path of the last operation at this place, while the calls are the same.
    path: Option<(u32, u32)>,
    operations: Vec<Operation>,
    flights: Vec<u32>,
    syncs: Vec<(u32, u32)>,
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
    /// How often inputs were read, and the readings that workloads vary.
    asked: Vec<u32>,
    readings: Vec<Reading>,
    /// What the program said, if somebody judges that.
    text: Option<Vec<u8>>,
    /// How much it had said before each operation.
    said: Vec<u32>,
    /// The first plain store into a flash part.
    bypass: Option<u32>,
    /// The marks that were passed.
    passed: FxHashSet<u32>,
    pub(crate) has_arrived: bool,
    /// Whether it asks to look for a loop in which nothing changes.
    pub(crate) asks: bool,
    /// Whether a long round of a loop is over, and how many were in a boot that takes long.
    pub(crate) has_come_round: bool,
    pub(crate) rounds: u32,
    /// How often heads of loops were passed, and when last.
    heads: FxHashMap<u32, (u32, u64)>,
}

impl<'r> Recorder<'r> {
    pub(crate) fn new(of: Circumstances<'r>, environment: Outside) -> Self {
        let pages = match of.request.memo {
            Memo::On => of.nonvolatile.pages() as usize,
            Memo::Off => 0,
        };
        Self {
            image: of.image,
            request: of.request,
            nonvolatile: of.nonvolatile,
            workload: of.workload,
            cuts: Cuts::new(of.image, of.request, of.nonvolatile),
            interest: of.interest,
            memo: of.request.memo,
            from: of.request.from.as_deref(),
            until: of.request.until.as_deref(),
            patience: of.patience,
            calls: Vec::new(),
            serials: Vec::new(),
            called: 0,
            paths: Paths::default(),
            path: None,
            operations: Vec::new(),
            flights: Vec::new(),
            syncs: Vec::new(),
            bytes: Vec::new(),
            touched: vec![0; pages],
            reads: Vec::new(),
            read: Vec::new(),
            environment,
            outside: Vec::new(),
            is_flash: false,
            before: None,
            asked: vec![0; of.image.bindings().inputs.len()],
            readings: Vec::new(),
            text: (of.request.atomic.is_some() || of.request.listens).then(Vec::new),
            said: Vec::new(),
            bypass: None,
            passed: FxHashSet::default(),
            has_arrived: false,
            asks: false,
            has_come_round: false,
            rounds: 0,
            heads: FxHashMap::default(),
        }
    }

    fn record(&mut self, at: Moment, kind: Kind, offset: u32, new: &[u8]) {
        if self.interest == Interest::End {
            return;
        }
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
        if let Some(text) = &self.text {
            self.said.push(text.len() as u32);
        }
        if let Some(operations) = &self.request.atomic {
            let depth = operations.depth(&self.calls);
            let call = depth.and_then(|depth| self.serials.get(depth));
            self.flights.push(call.copied().unwrap_or(0));
        }
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
    pub(crate) fn note_invariants(&mut self, memory: &[u8]) {
        if self.memo == Memo::Off {
            return;
        }
        let layout = self.image.layout();
        let variables = self.image.bindings().invariants.iter();
        for variable in variables.flat_map(|invariant| &invariant.variables) {
            let start = layout.offset_of(variable.global) + variable.start as u32;
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

    /// Whether a boot that has taken so many instructions takes much longer than the undisturbed one.
    pub(crate) fn is_slow(&self, instructions: u64) -> bool {
        instructions > self.patience.usual.saturating_mul(LONGER)
    }

    /// Whether workloads say what the next reading of an input gives.
    pub(crate) fn is_varied(&self, input: u32) -> bool {
        let choices = &self.request.choices;
        let values = choices.values.get(input as usize);
        let made = self.asked.get(input as usize).copied().unwrap_or(0);
        values.is_some_and(|values| !values.is_empty()) && made < choices.length
    }

    pub(crate) fn finish(self, end: End, broken: Vec<u32>, instructions: u64) -> Recording {
        let before = match self.from {
            Some(_) => self.before.unwrap_or(u32::MAX),
            None => 0,
        };
        let operations = self.request.atomic.as_ref();
        let unfinished = match end {
            End::Settled(_) => operations.and_then(|operations| operations.depth(&self.calls)),
            End::Exited { .. } | End::Arrived | End::Died(_) | End::Undecided => None,
        };
        let unfinished = unfinished.and_then(|depth| self.serials.get(depth).copied());
        Recording {
            operations: self.operations,
            flights: self.flights,
            syncs: self.syncs,
            readings: self.readings,
            text: self.text,
            said: self.said,
            bypass: self.bypass,
            passed: self.passed.into_iter().collect(),
            bytes: self.bytes,
            paths: self.paths.all().to_vec(),
            reads: self.reads,
            read: self.read,
            outside: self.outside,
            before,
            end,
            broken,
            instructions,
            unfinished,
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
        if let (FlashAction::Sync, Some(part)) = (operation.action, operation.part) {
            self.syncs.push((self.operations.len() as u32, part));
        }
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

    fn answer(&mut self, _: Moment, input: u32, _: u32) -> Option<u64> {
        let nth = self.asked.get_mut(input as usize)?;
        let reading = Reading { input, nth: *nth };
        *nth += 1;
        let value = self.workload.value(&self.request.choices, reading)?;
        self.readings.push(reading);
        Some(value)
    }

    fn write(&mut self, _: Moment, stream: Stream, bytes: &[u8]) {
        if let (Some(text), Stream::Output) = (&mut self.text, stream) {
            text.extend_from_slice(bytes);
        }
    }

    fn output(&mut self, at: Moment, index: u32, args: &[u64]) {
        if let Some(text) = &mut self.text {
            text.extend_from_slice(self.image.output_text(index, args).as_bytes());
        }
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
        if is_done && self.environment != before && self.interest == Interest::All {
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
        self.called += 1;
        self.serials.push(self.called);
        self.path = None;
    }

    #[inline(always)]
    fn ret(&mut self, _: Moment, _: Func) {
        self.calls.pop();
        self.serials.pop();
        self.path = None;
    }

    fn unwind(&mut self, _: Moment, depth: usize) {
        self.calls.truncate(depth.saturating_sub(1));
        self.serials.truncate(depth.saturating_sub(1));
        self.path = None;
    }

    fn checkpoint(&mut self, at: Moment, _: &[(u32, u32)]) -> ControlFlow<()> {
        let is_at = |places: Option<&[u32]>| places.is_some_and(|places| places.contains(&at.pc));
        if is_at(self.from) && self.before.is_none() {
            self.before = Some(self.operations.len() as u32);
        }
        self.passed.insert(at.pc);
        self.has_arrived |= is_at(self.until);
        match self.has_arrived {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }

    fn loop_head(&mut self, at: Moment) -> ControlFlow<()> {
        let (visits, last) = self.heads.entry(at.pc).or_insert((0, at.time));
        *visits += 1;
        let round = at.time - std::mem::replace(last, at.time);
        let visits = *visits;
        let is_slow = self.is_slow(at.time);
        if at.time >= self.patience.limit || visits < MANY && !is_slow {
            return ControlFlow::Continue(());
        }
        self.asks = visits >= FEW && visits.is_power_of_two();
        // Optimised loops may be one with those inside of them: then rounds are short and many.
        let is_late = at.time >= self.patience.limit / LATE;
        self.has_come_round = is_slow && (round >= LONG || is_late);
        self.rounds += u32::from(self.has_come_round);
        match self.asks || self.has_come_round {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
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
            let is_first = self.bypass.is_none() && self.interest == Interest::All;
            if is_first && matches!(self.nonvolatile.nature(offset), Nature::Part(_)) {
                self.bypass = Some(self.operations.len() as u32);
            }
            self.record(at, kind, offset, new);
        }
    }
}
