//! A device that executes a program, one operation at a time.
//!
//! A device is a value: it is copied as a whole whenever two futures of it are wanted. It knows
//! where its calls stand, what it has read at which place, and what the world has seen of it since
//! its attempt began.

use std::collections::BTreeMap;
use std::ops::{ControlFlow, Range};
use std::rc::Rc;

use brownout_ir::Func;
use brownout_vm::{Machine, Moment, Observer, Stop, Stream};

use crate::setting::Subject;

/// A place in an execution: the operations of the calls in progress, oldest first, and an operation.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place {
    pub(crate) path: Vec<u32>,
    pub(crate) pc: u32,
}

/// A reading of an input, by where and how often it was read there before, since the attempt began.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Reading {
    input: u32,
    place: Place,
    nth: u32,
}

impl Reading {
    /// What inputs give if, at every place, so many readings are over already: what they gave then or, if that was
    /// nothing, what comes next in their lists.
    pub(crate) fn later(
        readings: &BTreeMap<Self, u64>,
        by: u32,
        subject: &Subject,
    ) -> BTreeMap<Self, u64> {
        let mut later = BTreeMap::new();
        for (reading, &value) in readings {
            let at = |nth: u32| Self {
                nth,
                ..reading.clone()
            };
            later.extend(reading.nth.checked_sub(by).map(|nth| (at(nth), value)));
            let is_last = !readings.contains_key(&at(reading.nth + 1));
            let source = subject.image.bindings().inputs.get(reading.input as usize);
            for next in (reading.nth + 1..=reading.nth + by).filter(|_| is_last) {
                let value = source.and_then(|source| source.value_by_index(next.into(), u64::BITS));
                later.extend(next.checked_sub(by).map(at).zip(value));
            }
        }
        later
    }

    /// What inputs give if they first give once more what was kept, at each place.
    pub(crate) fn once_more(
        kept: &BTreeMap<Self, u64>,
        others: &BTreeMap<Self, u64>,
    ) -> BTreeMap<Self, u64> {
        let mut readings = BTreeMap::new();
        let mut counts: BTreeMap<(u32, &Place), u32> = BTreeMap::new();
        for (reading, &value) in kept {
            let count = counts.entry((reading.input, &reading.place)).or_default();
            let nth = *count;
            *count += 1;
            let reading = reading.clone();
            readings.insert(Self { nth, ..reading }, value);
        }
        for (reading, &value) in others {
            let place = (reading.input, &reading.place);
            let nth = reading.nth + counts.get(&place).copied().unwrap_or(0);
            let reading = reading.clone();
            readings.insert(Self { nth, ..reading }, value);
        }
        readings
    }
}

/// What inputs give an attempt, and what they have given it. Copies share their tables until one of them reads.
#[derive(Clone, Debug, Default)]
pub(crate) struct Readings {
    /// Values that are given because other executions got them there.
    known: Rc<BTreeMap<Reading, u64>>,
    /// How far the list of each input has been used up, for readings that nobody else made; without that, they give what
    /// the list gives for the how manieth reading it is at their place.
    pub(crate) next: Vec<u64>,
    /// What has been read.
    pub(crate) made: Rc<BTreeMap<Reading, u64>>,
    counts: Rc<BTreeMap<(u32, Place), u32>>,
}

impl Readings {
    /// Readings of an attempt that begins: these are known, and lists go on from there.
    pub(crate) fn new(known: impl Into<Rc<BTreeMap<Reading, u64>>>, next: Vec<u64>) -> Self {
        Self {
            known: known.into(),
            next,
            ..Self::default()
        }
    }

    fn read(&mut self, subject: &Subject, input: u32, place: Place, bits: u32) -> Option<u64> {
        let source = subject.image.bindings().inputs.get(input as usize)?;
        let counts = Rc::make_mut(&mut self.counts);
        let count = counts.entry((input, place.clone())).or_default();
        let nth = *count;
        *count += 1;
        let reading = Reading { input, place, nth };
        let value = match self.known.get(&reading) {
            Some(&value) => value,
            None => {
                let next = self.next.get_mut(input as usize);
                let index = next.map_or(nth.into(), |next| {
                    *next += 1;
                    *next - 1
                });
                source.value_by_index(index, bits)?
            }
        };
        Rc::make_mut(&mut self.made).insert(reading, value);
        Some(value)
    }
}

/// An output that the world has seen.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Output {
    /// The function; text that the program writes is called `text`.
    pub name: String,
    /// Its arguments, or the bytes of the text.
    pub args: Vec<u64>,
}

/// A store to non-volatile memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Store {
    pub(crate) offset: u32,
    pub(crate) old: Vec<u8>,
    pub(crate) new: Vec<u8>,
}

/// What one operation did that matters to anybody else.
#[derive(Clone, Debug, Default)]
pub(crate) struct Step {
    /// Where it was executed.
    pub(crate) pc: u32,
    pub(crate) stores: Vec<Store>,
    /// Whether it loaded from non-volatile memory.
    pub(crate) is_load: bool,
    pub(crate) is_output: bool,
    pub(crate) is_input: bool,
    /// It called a checkpoint, which saves these offsets as well.
    pub(crate) checkpoint: Option<Vec<Range<u32>>>,
}

/// A device.
#[derive(Clone, Debug)]
pub(crate) struct Device<'s> {
    pub(crate) subject: &'s Subject,
    pub(crate) machine: Machine<'s>,
    /// The operations of the calls in progress, oldest first.
    pub(crate) path: Vec<u32>,
    pub(crate) readings: Readings,
    /// What the world has seen since the attempt began.
    pub(crate) outputs: Vec<Output>,
    /// How it ended.
    pub(crate) stop: Option<Stop>,
    /// Instructions executed when the attempt began.
    pub(crate) began: u64,
}

impl<'s> Device<'s> {
    /// A device at power-on.
    pub(crate) fn new(subject: &'s Subject) -> Self {
        let inputs = subject.image.bindings().inputs.len();
        Self {
            subject,
            machine: Machine::new(&subject.image),
            path: Vec::new(),
            readings: Readings::new(BTreeMap::new(), vec![0; inputs]),
            outputs: Vec::new(),
            stop: None,
            began: 0,
        }
    }

    /// The place of the operation that comes next.
    pub(crate) fn place(&self) -> Place {
        Place {
            path: self.path.clone(),
            pc: self.machine.pc(),
        }
    }

    /// Whether that is the place of the operation that comes next.
    pub(crate) fn is_at(&self, place: &Place) -> bool {
        self.machine.pc() == place.pc && self.path == place.path
    }

    /// Instructions executed since the attempt began.
    pub(crate) fn elapsed(&self) -> u64 {
        self.machine.now().saturating_sub(self.began)
    }

    /// Executes one operation, and with a jump the moves on its way.
    pub(crate) fn step(&mut self) -> Step {
        let mut step = Step {
            pc: self.machine.pc(),
            ..Step::default()
        };
        let mut watching = Watching {
            subject: self.subject,
            path: &mut self.path,
            readings: &mut self.readings,
            outputs: &mut self.outputs,
            step: &mut step,
        };
        loop {
            let stop = self.machine.watch_operation(&mut watching);
            if stop != Stop::Paused {
                self.stop = Some(stop);
                break;
            }
            if !(self.subject.loops).is_between_blocks(self.machine.pc()) {
                break;
            }
        }
        step
    }

    /// What an input gives at a place.
    pub(crate) fn answer(&mut self, path: &[u32], pc: u32, input: u32, bits: u32) -> Option<u64> {
        let path = path.to_vec();
        let place = Place { path, pc };
        self.readings.read(self.subject, input, place, bits)
    }

    /// From here on a new attempt is counted: what was read and output before is somebody else's.
    pub(crate) fn begin_attempt(&mut self, readings: Readings) {
        self.readings = readings;
        self.outputs.clear();
        self.began = self.machine.now();
    }

    /// The device as it is after power failed in `failed` and came back: this one, which is in the
    /// state of its checkpoint or at power-on, with the non-volatile memory of the other, except
    /// `saved`.
    pub(crate) fn restored(&self, failed: &Self, saved: &[Range<u32>]) -> Self {
        let mut device = self.clone();
        let memory = failed.machine.memory();
        for (offset, &survives) in (0..).zip(&self.subject.survives) {
            let is_saved = || saved.iter().any(|range| range.contains(&offset));
            if survives
                && device.machine.memory()[offset as usize] != memory[offset as usize]
                && !is_saved()
            {
                let byte = memory[offset as usize];
                device.machine.set_memory(offset, &[byte]);
            }
        }
        device
    }

    /// Makes the marked bytes as they are in another device.
    pub(crate) fn take_over(&mut self, marked: &[bool], other: &Self) {
        for (offset, &is_marked) in (0..).zip(marked) {
            if is_marked {
                let byte = other.machine.memory()[offset as usize];
                self.machine.set_memory(offset, &[byte]);
            }
        }
    }

    /// Puts back what a store has overwritten, except the units that power lasted for.
    pub(crate) fn tear(&mut self, store: &Store, unit: u32, written: &[bool]) {
        let first = store.offset / unit;
        for (offset, &old) in (store.offset..).zip(&store.old) {
            if !written[(offset / unit - first) as usize] {
                self.machine.set_memory(offset, &[old]);
            }
        }
    }
}

/// Sees what one operation does.
struct Watching<'w> {
    subject: &'w Subject,
    path: &'w mut Vec<u32>,
    readings: &'w mut Readings,
    outputs: &'w mut Vec<Output>,
    step: &'w mut Step,
}

impl Observer for Watching<'_> {
    fn accesses(&self) -> bool {
        true
    }

    fn load(&mut self, _: Moment, offset: u32, _: &[u8]) {
        self.step.is_load |= self.subject.survives[offset as usize];
    }

    fn store(&mut self, _: Moment, memory: &[u8], offset: u32, new: &[u8]) {
        if self.subject.survives[offset as usize] {
            let start = offset as usize;
            self.step.stores.push(Store {
                offset,
                old: memory[start..start + new.len()].to_vec(),
                new: new.to_vec(),
            });
        }
    }

    fn call(&mut self, at: Moment, _: Func, _: u32) {
        self.path.push(at.pc);
    }

    fn ret(&mut self, _: Moment, _: Func) {
        self.path.pop();
    }

    fn unwind(&mut self, _: Moment, depth: usize) {
        self.path.truncate(depth.saturating_sub(1));
    }

    fn checkpoint(&mut self, _: Moment, saves: &[(u32, u32)]) -> ControlFlow<()> {
        let ranges = saves.iter().map(|&(offset, size)| offset..offset + size);
        self.step.checkpoint = Some(ranges.collect());
        ControlFlow::Break(())
    }

    fn answer(&mut self, at: Moment, index: u32, bits: u32) -> Option<u64> {
        let place = Place {
            path: self.path.clone(),
            pc: at.pc,
        };
        self.readings.read(self.subject, index, place, bits)
    }

    fn input(&mut self, _: Moment, _: u32, _: u64) {
        self.step.is_input = true;
    }

    fn output(&mut self, _: Moment, index: u32, args: &[u64]) {
        let outputs = &self.subject.setting.outputs;
        let name = outputs.get(index as usize).map(|(name, _)| name.clone());
        self.outputs.push(Output {
            name: name.unwrap_or_default(),
            args: args.to_vec(),
        });
        self.step.is_output = true;
    }

    fn write(&mut self, _: Moment, _: Stream, bytes: &[u8]) {
        // Text has no borders: what counts is its characters.
        self.outputs.extend(bytes.iter().map(|&byte| Output {
            name: "text".to_owned(),
            args: vec![byte.into()],
        }));
        self.step.is_output = true;
    }
}
