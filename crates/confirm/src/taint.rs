//! Dynamic taint (IBIS-D, OOPSLA'19 §5; SEMANTICS §3.6): who reads what an input of an attempt that
//! failed has left behind?
//!
//! **Property.** A byte is *tainted* if it was written depending on an input since the last commit,
//! and *fresh* if that happened since the last reboot. A load of a byte that is tainted and not
//! fresh is a [`Hit`]: the input may have given something else this time, and then this attempt
//! would not have written the byte, or not that.
//!
//! **Algorithm.** An observer of an execution in which power fails. It pauses the machine after
//! checkpoints; whoever runs that commits and lets power fail, and says so here. What an input gives is tainted. A write depends on an input if the value, the
//! address or the length do, or if it is executed under a branch on something tainted: from there
//! to where the ways of the branch meet, through all calls in between. Any other write clears. A
//! commit clears everything: what a checkpoint restores is never tainted, neither registers nor
//! volatile memory, nor what is saved in addition.
//!
//! **False positives.** A hit is not yet harm: the value may be the same, or nobody may mind. A
//! value may depend on an input only formally, as in `x - x`.
//!
//! **False negatives.** What an input keeps from being written is not tainted: neither variables
//! that the way not taken would have changed, nor values that keep their register where ways meet.
//! Executions, inputs and failures that were not tried.

mod control;
mod labels;

use std::ops::{ControlFlow, Range};

use brownout_ir::{Func, Global};
use brownout_vm::{Arrival, Image, Moment, Observer, Register, Witness};
use rustc_hash::FxHashMap;

use self::control::Control;
use self::labels::{Label, Labels};
use crate::tour::contains;

/// A load of what an input of a failed attempt left behind.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hit {
    /// The operation that loads: the user's, on whose behalf the library may be at work.
    pub load: u32,
    /// The first byte that was found stale.
    pub offset: u32,
    /// The variable it belongs to; none on the stack and in the heap.
    pub global: Option<Global>,
    /// The operation that wrote it, likewise the user's.
    pub write: u32,
    /// The operation that read an input that the write depends on, and the number of the input.
    /// None if the program has too many such operations to tell them apart.
    pub input: Option<(u32, u32)>,
    /// How often this happened.
    pub count: u64,
}

/// How many writes to memory depended on inputs.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct TaintedWrites {
    /// By their value, their address or their length alone.
    pub by_data: u64,
    /// By a branch that they were executed under.
    pub by_control: u64,
}

/// An input that stands for all those that have no number of their own.
const OTHERS: u8 = u8::MAX;

/// Follows inputs through an execution that begins at power-on.
#[derive(Clone, Debug)]
pub struct Taint<'i> {
    labels: Labels,
    control: Control<'i>,
    /// Whether anything has become tainted since the last commit.
    tainted: bool,
    /// By byte: the operation that tainted it.
    writers: Vec<u32>,
    writes: TaintedWrites,
    image: &'i Image,
    /// What the last checkpoint saved of non-volatile memory.
    saved: Vec<Range<u32>>,
    /// What a checkpoint that waits to be committed saves.
    waiting: Option<Vec<Range<u32>>>,
    /// The operations that read inputs, by number, and the inputs.
    inputs: Vec<(u32, u32)>,
    hits: Vec<Hit>,
    /// Hits by the operation that loads and the variable or byte it loads.
    known: FxHashMap<(u32, Result<Global, u32>), usize>,
    /// Where globals begin and end.
    globals: Vec<(Range<u32>, Global)>,
}

impl<'i> Taint<'i> {
    /// For an execution of `image` that has not begun.
    pub fn new(image: &'i Image) -> Self {
        let segments = image.layout().segments();
        let ends = segments.iter().map(|segment| segment.offsets.end);
        let bytes = ends.max().unwrap_or(0) as usize;
        Self {
            labels: Labels::new(bytes),
            control: Control::new(image),
            tainted: false,
            writers: vec![0; bytes],
            writes: TaintedWrites::default(),
            image,
            saved: Vec::new(),
            waiting: None,
            inputs: Vec::new(),
            hits: Vec::new(),
            known: FxHashMap::default(),
            globals: globals(image),
        }
    }

    /// Whether the machine was paused after a checkpoint function, and the non-volatile memory
    /// that it wants to be saved.
    pub fn take_checkpoint(&mut self) -> Option<Vec<Range<u32>>> {
        self.waiting.take()
    }

    /// What was found so far, first come, first.
    pub fn hits(&self) -> &[Hit] {
        &self.hits
    }

    /// How many writes depended on inputs so far.
    pub fn tainted_writes(&self) -> TaintedWrites {
        self.writes
    }

    /// Whether a byte is tainted, fresh or not.
    pub fn is_tainted(&self, offset: u32) -> bool {
        let label = self.labels.byte(offset);
        self.labels.is_fresh(label) || self.labels.is_stale(label) && !self.is_restored(offset)
    }

    /// Whether a reboot brings back what a byte was at the last commit.
    fn is_restored(&self, offset: u32) -> bool {
        let segment = self.image.layout().segment(offset);
        segment.is_some_and(|segment| !segment.nonvolatile) || contains(&self.saved, offset)
    }

    /// The label of bytes that are loaded and do not all have the same fresh one.
    #[inline(never)]
    fn look(&mut self, at: Moment, offset: u32, size: u32) -> Label {
        let mut label = Label::NONE;
        let mut last = None;
        for offset in offset..offset.saturating_add(size) {
            let mut byte = self.labels.byte(offset);
            if self.labels.is_stale(byte) && self.is_restored(offset) {
                byte = Label::NONE;
                self.labels.clear(offset, 1);
            } else if self.labels.is_stale(byte) {
                // The bytes of a variable are loaded together.
                let global = self.global(offset);
                if last != Some(global) {
                    self.hit(at, offset, global, byte);
                    last = Some(global);
                }
                byte = self.labels.now(byte.input());
            }
            label = label.max(byte);
        }
        label
    }

    fn hit(&mut self, at: Moment, offset: u32, global: Option<Global>, label: Label) {
        let load = self.control.blame(at.pc);
        let object = global.ok_or(offset);
        let (hits, writers) = (&mut self.hits, &self.writers);
        let index = *self.known.entry((load, object)).or_insert_with(|| {
            hits.push(Hit {
                load,
                offset,
                global,
                write: writers.get(offset as usize).copied().unwrap_or(0),
                input: self.inputs.get(usize::from(label.input())).copied(),
                count: 0,
            });
            hits.len() - 1
        });
        self.hits[index].count += 1;
    }

    /// The variable that a byte belongs to.
    fn global(&self, offset: u32) -> Option<Global> {
        let behind = self
            .globals
            .partition_point(|(range, _)| range.start <= offset);
        let (range, global) = self.globals.get(behind.checked_sub(1)?)?;
        range.contains(&offset).then_some(*global)
    }

    /// Bytes are written, depending on an input.
    #[inline(always)]
    fn write(&mut self, at: Moment, offset: u32, size: u32, label: Label) {
        self.labels.fill(offset, size, label);
        let pc = self.control.blame(at.pc);
        let (start, end) = (offset as usize, offset as usize + size as usize);
        if let Some(writers) = self.writers.get_mut(start..end) {
            writers.fill(pc);
        }
    }

    /// The number of an operation that reads an input.
    fn input(&mut self, pc: u32, input: u32) -> u8 {
        let reading = (self.control.blame(pc), input);
        let known = self.inputs.iter().position(|&known| known == reading);
        let index = known.unwrap_or(self.inputs.len());
        if index == self.inputs.len() && index < usize::from(OTHERS) {
            self.inputs.push(reading);
        }
        u8::try_from(index).unwrap_or(OTHERS)
    }
}

/// The globals of a program by offset.
fn globals(image: &Image) -> Vec<(Range<u32>, Global)> {
    let layout = image.layout();
    let globals = image.program().globals.iter();
    let mut found: Vec<(Range<u32>, Global)> = globals
        .map(|(global, data)| {
            let start = layout.offset_of(global);
            (start..start.saturating_add(data.size as u32), global)
        })
        .collect();
    found.sort_by_key(|(range, _)| range.start);
    found
}

impl Witness for Taint<'_> {
    fn committed(&mut self, saved: &[Range<u32>]) {
        self.labels.commit();
        self.control.commit();
        self.tainted = false;
        self.saved.clear();
        self.saved.extend_from_slice(saved);
        self.waiting = None;
    }

    fn restarted(&mut self) {
        self.labels.reboot();
        self.control.reboot();
        self.waiting = None;
    }
}

impl Observer for Taint<'_> {
    #[inline(always)]
    fn flow(&self) -> bool {
        true
    }

    #[inline(always)]
    fn execute(&mut self, pc: u32) {
        self.control.execute(pc);
    }

    #[inline(always)]
    fn derive(&mut self, to: Register, from: &[Register]) {
        if self.tainted {
            let label = self.labels.of(from).max(self.control.label);
            self.labels.set(to, label);
        }
    }

    #[inline(always)]
    fn loaded(&mut self, at: Moment, to: Register, offset: u32, size: u32, address: &[Register]) {
        if !self.tainted {
            return;
        }
        let found = match self.labels.common(offset, size) {
            Some(label) if !self.labels.is_stale(label) => label,
            _ => self.look(at, offset, size),
        };
        let chosen = self.labels.of(address).max(self.control.label);
        self.labels.set(to, found.max(chosen));
    }

    #[inline(always)]
    fn stored(
        &mut self,
        at: Moment,
        from: Option<Register>,
        offset: u32,
        size: u32,
        address: &[Register],
    ) {
        if !self.tainted {
            return;
        }
        let value = from.map_or(Label::NONE, |from| self.labels.of(&[from]));
        let data = value.max(self.labels.of(address));
        if self.control.label != Label::NONE {
            self.writes.by_control += 1;
            self.write(at, offset, size, data.max(self.control.label));
        } else if self.labels.is_fresh(data) {
            self.writes.by_data += 1;
            self.write(at, offset, size, data);
        } else {
            self.labels.clear(offset, size);
        }
    }

    fn copied(&mut self, at: Moment, to: u32, from: u32, size: u32, chosen: &[Register]) {
        if !self.tainted {
            return;
        }
        let found = self.look(at, from, size);
        let chosen = self.labels.of(chosen);
        if self.control.label != Label::NONE {
            self.writes.by_control += 1;
        } else if self.labels.is_fresh(found.max(chosen)) {
            self.writes.by_data += 1;
        }
        // Each byte keeps what it has.
        self.labels.copy(to, from, size);
        for offset in to..to.saturating_add(size) {
            let mut byte = self.labels.byte(offset);
            if self.labels.is_stale(byte) {
                byte = self.labels.now(byte.input());
            }
            byte = byte.max(chosen).max(self.control.label);
            if self.labels.is_fresh(byte) {
                self.write(at, offset, 1, byte);
            } else {
                self.labels.clear(offset, 1);
            }
        }
    }

    #[inline(always)]
    fn decide(&mut self, at: Moment, on: &[Register]) {
        if self.tainted {
            let label = self.labels.of(on);
            if self.labels.is_fresh(label) && self.control.label == Label::NONE {
                self.control.branch(at.pc, label);
            }
        }
    }

    fn arrive(&mut self, at: Moment, index: u32, place: Arrival) {
        self.tainted = true;
        let input = self.input(at.pc, index);
        let label = self.labels.now(input);
        match place {
            Arrival::Register(register) => self.labels.set(register, label),
            Arrival::Memory { offset, size } => {
                self.writes.by_data += 1;
                self.write(at, offset, size, label);
            }
        }
    }

    fn checkpoint(&mut self, _: Moment, saves: &[(u32, u32)]) -> ControlFlow<()> {
        let saves = saves.iter().map(|&(offset, size)| offset..offset + size);
        self.waiting = Some(saves.collect());
        ControlFlow::Break(())
    }

    fn call(&mut self, at: Moment, function: Func, _: u32) {
        self.control.call(at.pc, function);
    }

    fn ret(&mut self, _: Moment, _: Func) {
        self.control.ret();
    }

    fn unwind(&mut self, _: Moment, depth: usize) {
        self.control.unwind(depth);
    }
}
