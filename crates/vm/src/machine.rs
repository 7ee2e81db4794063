//! The state of one execution.

use std::ops::Range;
use std::sync::Arc;

use brownout_ir::{Func, Id};

use crate::code::{FunctionCode, Op};
use crate::exec;
use crate::exit::Exit;
use crate::fault::{Access, Fault};
use crate::image::Image;
use crate::journal::Journal;
use crate::layout::{FIRST, USABLE};
use crate::observer::{Observer, Unobserved, Watched};
use crate::power::Checkpoint;
use crate::readings::Attempt;
use crate::ticks::WAITS;

/// Why a run came to rest.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stop {
    /// The time asked for was reached, or an observer asked for a pause.
    Paused,
    /// The program ended.
    Exited {
        /// The value it gave to `exit` or returned from its entry, as C's `int`.
        status: i32,
    },
    /// The program died.
    Faulted(Fault),
}

impl Stop {
    fn of(exit: Exit) -> Self {
        match exit {
            Exit::Limit | Exit::Paused => Self::Paused,
            Exit::Exited(status) => Self::Exited { status },
            Exit::Faulted(fault) => Self::Faulted(fault),
        }
    }
}

/// Readings of one input whose values an analysis chose.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Forced {
    /// How many readings came before the first of them.
    pub from: u64,
    /// What they and those after them give, until these are used up.
    pub values: Vec<u64>,
    /// What comes then.
    pub then: Afterwards,
}

/// What readings give once those that an analysis chose are used up.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Afterwards {
    /// What the scenario says.
    #[default]
    Scenario,
    /// The last value, for ever.
    Hold,
}

impl Forced {
    /// The value of reading number `index`, if it is one of these.
    fn value(&self, index: u64) -> Option<u64> {
        let index = usize::try_from(index.checked_sub(self.from)?).ok()?;
        let last = match self.then {
            Afterwards::Scenario => None,
            Afterwards::Hold => self.values.last(),
        };
        self.values.get(index).or(last).copied()
    }
}

/// Whether accesses outside live heap blocks are faults or do what hardware
/// does: go through.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bounds {
    /// Faults.
    Strict,
    /// As hardware does.
    Lenient,
}

/// An activation, as far as it is not in guest memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Frame {
    /// The function.
    pub(crate) function: u32,
    /// First register of the caller's window.
    pub(crate) caller_window: u32,
    /// Operation to go on with after the return.
    pub(crate) return_to: u32,
    /// The stack pointer before the call.
    pub(crate) caller_sp: u64,
    /// Where the return address and the saved frame pointer are.
    pub(crate) frame_pointer: u64,
    /// What the return address in guest memory must be.
    pub(crate) token: u64,
}

/// Registers and frames: what a power failure takes and a checkpoint saves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Processor {
    pub(crate) pc: u32,
    /// First register of the current window.
    pub(crate) window: u32,
    pub(crate) fp: u64,
    pub(crate) sp: u64,
    pub(crate) registers: Vec<u64>,
    pub(crate) frames: Vec<Frame>,
}

/// A machine in the middle of executing an [`Image`].
#[derive(Clone, Debug)]
pub struct Machine<'i> {
    pub(crate) image: &'i Image,
    pub(crate) memory: Vec<u8>,
    pub(crate) processor: Processor,
    /// Instructions executed, up to the last moment when time was counted.
    pub(crate) time: u64,
    pub(crate) journal: Journal,
    pub(crate) journaling: bool,
    pub(crate) bounds: Bounds,
    /// How often each input was read: environment, not device.
    pub(crate) inputs_read: Vec<u64>,
    /// How much later than inputs believe it is: an attempt that reads again what an earlier one
    /// has read does so at the same time.
    pub(crate) input_delay: u64,
    /// How often it was asked whether handlers come, and how often the program slept.
    pub(crate) interrupts_asked: u64,
    pub(crate) sleeps: u64,
    /// When periodic handlers came last.
    pub(crate) periods: Vec<u64>,
    /// How many ticks the program waited for when it did so last, in some of its waits.
    pub(crate) ticks_awaited: [u64; WAITS],
    /// What some readings give, whatever the scenario says; by input.
    pub(crate) forced: Arc<[Forced]>,
    /// The readings of the attempt in progress, if they are noted.
    pub(crate) attempt: Option<Box<Attempt>>,
    /// The values that describe the surroundings: environment, not device.
    pub(crate) environment: Vec<i64>,
    pub(crate) checkpoint: Option<Checkpoint>,
    /// Device registers that a power failure clears.
    pub(crate) cleared: Arc<[Range<u32>]>,
    pub(crate) stopped: Option<Stop>,
    /// The lowest the stack pointer has been.
    pub(crate) deepest: u64,
    /// Most bytes of heap in use at once, and now.
    pub(crate) heap_used: (u64, u64),
}

/// Bytes behind the end of memory, so that an access that starts inside never ends outside.
pub(crate) const SLACK: usize = 32;

impl<'i> Machine<'i> {
    /// A machine at power-on.
    pub fn new(image: &'i Image) -> Self {
        let mut machine = Self {
            image,
            memory: vec![0; image.layout.size as usize + SLACK],
            processor: Processor {
                pc: 0,
                window: 0,
                fp: 0,
                sp: 0,
                registers: Vec::new(),
                frames: Vec::new(),
            },
            time: 0,
            journal: Journal::default(),
            journaling: false,
            bounds: Bounds::Strict,
            inputs_read: (0..image.bindings.inputs.len())
                .map(|input| image.read_before.get(input).copied().unwrap_or(0))
                .collect(),
            input_delay: 0,
            interrupts_asked: 0,
            sleeps: image.slept_before,
            periods: Vec::new(),
            ticks_awaited: [0; WAITS],
            forced: Arc::default(),
            attempt: None,
            environment: image.bindings.environment.initial.clone(),
            checkpoint: None,
            cleared: Arc::default(),
            stopped: None,
            deepest: 0,
            heap_used: (0, 0),
        };
        machine.initialise_globals(|_| true);
        machine.reset_registers();
        for (offset, bytes) in &image.contents {
            let start = *offset as usize;
            machine.memory[start..start + bytes.len()].copy_from_slice(bytes);
        }
        machine.initialise_parts();
        machine.reset_processor();
        machine
    }

    /// Puts into flash parts what they hold at the start: an image, else what the object is
    /// initialised with, else nothing but erased bytes.
    fn initialise_parts(&mut self) {
        let image = self.image;
        for part in &image.bindings.parts {
            let data = &image.program.globals[part.global];
            let start = image.layout.offset_of(part.global) as usize;
            let object = &mut self.memory[start..start + data.size as usize];
            let initialised = data.init.as_ref().is_some_and(|init| {
                !init.relocations.is_empty() || init.bytes.iter().any(|&byte| byte != 0)
            });
            if !initialised || part.image.is_some() {
                object.fill(part.erased);
            }
            if let Some(contents) = &part.image {
                let length = contents.len().min(object.len());
                object[..length].copy_from_slice(&contents[..length]);
            }
        }
    }

    /// Sets the globals selected by `wanted` (by offset) to their initial contents.
    pub(crate) fn initialise_globals(&mut self, wanted: impl Fn(u32) -> bool) {
        let image = self.image;
        for (global, data) in image.program.globals.iter() {
            let Some(init) = &data.init else { continue };
            let offset = image.layout.offset_of(global);
            if !wanted(offset) {
                continue;
            }
            let start = offset as usize;
            let mut bytes = vec![0; data.size as usize];
            bytes[..init.bytes.len()].copy_from_slice(&init.bytes);
            for relocation in &init.relocations {
                let minus = relocation
                    .minus
                    .map_or(0, |symbol| image.layout.symbol(symbol));
                let value = image
                    .layout
                    .symbol(relocation.symbol)
                    .wrapping_sub(minus)
                    .wrapping_add(relocation.addend as u64);
                let at = relocation.offset as usize;
                let width = usize::from(relocation.bytes);
                bytes[at..at + width].copy_from_slice(&value.to_le_bytes()[..width]);
            }
            if self.journaling {
                self.journal.record(&self.memory, offset, data.size as u32);
            }
            self.memory[start..start + bytes.len()].copy_from_slice(&bytes);
        }
    }

    /// Puts into device registers what they hold after a reset, unless that is nothing.
    pub(crate) fn reset_registers(&mut self) {
        let image = self.image;
        for (&offset, &byte) in &image.resets {
            self.overwrite(offset, byte);
        }
    }

    /// Registers and frames as they are when the device starts.
    pub(crate) fn reset_processor(&mut self) {
        let layout = &self.image.layout;
        let top = layout.base + u64::from(layout.stack.end);
        let entry = self
            .function_code(self.image.start.index())
            .map_or(0, |function| function.entry);
        let room = self
            .function_code(self.image.start.index())
            .map_or(0, |f| f.window + f.outgoing);
        self.processor.registers.clear();
        self.processor.registers.resize(room as usize + 1024, 0);
        self.processor.frames.clear();
        // The first frame has no caller: it never returns.
        self.processor.frames.push(Frame {
            function: self.image.start.index() as u32,
            caller_window: 0,
            return_to: 0,
            caller_sp: top,
            frame_pointer: top,
            token: 0,
        });
        self.processor.pc = entry;
        self.processor.window = 0;
        self.processor.fp = top;
        let frame = self
            .function_code(self.image.start.index())
            .map_or(0, |f| f.frame_bytes);
        self.processor.sp = top - u64::from(frame);
        self.deepest = if self.deepest == 0 {
            self.processor.sp
        } else {
            self.deepest
        };
    }

    pub(crate) fn function_code(&self, index: usize) -> Option<&'i FunctionCode> {
        self.image
            .code
            .functions
            .get(index)
            .and_then(Option::as_ref)
    }

    /// Starts or stops keeping the undo log that [`Machine::rollback`] and power failures need.
    pub fn keep_journal(&mut self, keep: bool) {
        self.journaling = keep;
    }

    /// Makes readings of inputs, in their order, give these values; others give what the scenario
    /// says. Stays so through power failures and roll-backs.
    pub fn force_inputs(&mut self, values: Arc<[Forced]>) {
        self.forced = values;
    }

    /// Whether everything that can still be read is known and stays as it is.
    pub(crate) fn holds_inputs(&self) -> bool {
        let inputs = self.forced.iter().zip(&self.inputs_read);
        let held = |(forced, &read): (&Forced, &u64)| {
            let used_up = read >= forced.from + forced.values.len().saturating_sub(1) as u64;
            forced.then == Afterwards::Hold && used_up && !forced.values.is_empty()
        };
        self.forced.len() == self.inputs_read.len() && inputs.into_iter().all(held)
    }

    /// The forced value of the next reading of an input, cut to its width.
    pub(crate) fn forced_value(&self, input: u32, bits: u32) -> Option<u64> {
        let index = self.inputs_read[input as usize];
        let value = self.forced.get(input as usize)?.value(index)?;
        Some(match bits {
            0..=63 => value & ((1 << bits) - 1),
            64.. => value,
        })
    }

    /// Chooses how accesses outside live heap blocks behave.
    pub fn set_bounds(&mut self, bounds: Bounds) {
        self.bounds = bounds;
    }

    /// Runs until the program stops, an observer pauses it, or `until`
    /// instructions have been executed in all.
    ///
    /// Instructions that only touch registers may be executed together with the
    /// one behind them: [`Machine::now`] can be a few of them past `until`, in a
    /// state that differs in registers only. A copy or fill that began before
    /// `until` is finished, however long it takes.
    pub fn run<O: Observer>(&mut self, observer: &mut O, until: u64) -> Stop {
        if let Some(stop) = &self.stopped {
            return stop.clone();
        }
        let stretch = u64::from(self.image.code.longest_stretch);
        let stop = loop {
            if self.now() >= until {
                break Stop::Paused;
            }
            // Far from the end time is looked at once per block, close to it before every operation.
            let coarse = until.saturating_sub(stretch);
            let stop = if self.time < coarse {
                exec::run::<O, false, false>(self, observer, coarse)
            } else {
                self.run_finely(observer, until)
            };
            match stop {
                Exit::Limit => {}
                stop => break Stop::of(stop),
            }
        };
        if stop != Stop::Paused {
            self.stopped = Some(stop.clone());
        }
        stop
    }

    /// Executes exactly one operation, also one that takes no time: every place that execution
    /// comes to can be seen.
    pub fn watch_operation(&mut self, observer: &mut dyn Observer) -> Stop {
        if let Some(stop) = &self.stopped {
            return stop.clone();
        }
        let mut watched = Watched::<false>::new(observer);
        let stop = Stop::of(exec::run::<_, false, true>(self, &mut watched, u64::MAX));
        if stop != Stop::Paused {
            self.stopped = Some(stop.clone());
        }
        stop
    }

    /// The last instructions before `until`: few, so one copy of the loop serves all observers.
    fn run_finely(&mut self, observer: &mut dyn Observer, until: u64) -> Exit {
        exec::run::<_, true, false>(self, &mut Watched::<false>::new(observer), until)
    }

    /// Like [`Machine::run`], with one copy of the interpreter for all observers: little code, but
    /// every event costs a call.
    pub fn watch(&mut self, observer: &mut dyn Observer, until: u64) -> Stop {
        if observer.accesses() || observer.flow() {
            self.run(&mut Watched::<false>::new(observer), until)
        } else {
            self.run(&mut Watched::<true>::new(observer), until)
        }
    }

    /// Like [`Machine::run`], with nobody looking.
    pub fn advance(&mut self, until: u64) -> Stop {
        self.run(&mut Unobserved, until)
    }

    /// Executes one operation.
    pub fn step(&mut self) -> Stop {
        let now = self.now();
        self.advance(now + 1)
    }

    /// Instructions executed so far.
    pub fn now(&self) -> u64 {
        self.time
            + u64::from(
                self.image
                    .code
                    .ticks
                    .get(self.processor.pc as usize)
                    .map_or(0, |tick| tick.saturating_sub(1)),
            )
    }

    /// How often each input was read.
    pub fn reading_counts(&self) -> &[u64] {
        &self.inputs_read
    }

    /// Makes the surroundings believe that inputs were read so often.
    pub fn set_reading_counts(&mut self, counts: &[u64]) {
        self.inputs_read.copy_from_slice(counts);
    }

    /// What it executes.
    pub fn image(&self) -> &'i Image {
        self.image
    }

    /// The values that describe the surroundings, in the order of their names.
    pub fn environment(&self) -> &[i64] {
        &self.environment
    }

    /// Makes the surroundings as an analysis wants them.
    pub fn set_environment(&mut self, values: &[i64]) {
        self.environment.copy_from_slice(values);
    }

    /// The operation to be executed next.
    pub fn pc(&self) -> u32 {
        self.processor.pc
    }

    /// Goes past the head of a loop that execution has come to: that takes no time.
    pub fn pass_loop_head(&mut self) {
        let next = self.image.code.ops.get(self.processor.pc as usize);
        if matches!(next, Some(Op::LoopHead)) {
            self.processor.pc += 1;
        }
    }

    /// The registers of all calls in progress, and perhaps some that nobody uses any more.
    pub fn registers(&self) -> &[u64] {
        &self.processor.registers
    }

    /// All of memory, by offset.
    pub fn memory(&self) -> &[u8] {
        &self.memory[..self.image.layout.size as usize]
    }

    /// The calls in progress, innermost first: function and operation. A first call that the stack
    /// has no room for counts as begun.
    pub fn backtrace(&self) -> Vec<(Func, u32)> {
        let mut at = self.processor.pc;
        let mut trace = Vec::new();
        for frame in self.processor.frames.iter().rev() {
            trace.push((Func::from_index(frame.function as usize), at));
            at = frame.return_to.saturating_sub(1);
        }
        // The generated start function is not the user's.
        trace.pop();
        if trace.is_empty() && self.stopped == Some(Stop::Faulted(Fault::StackOverflow)) {
            trace.extend(self.callee());
        }
        trace
    }

    /// The function that the next operation calls by its name, and its first operation.
    fn callee(&self) -> Option<(Func, u32)> {
        let op = self.image.code.ops.get(self.processor.pc as usize)?;
        let &Op::Call { function, .. } = op else {
            return None;
        };
        let code = self.function_code(function as usize)?;
        Some((Func::from_index(function as usize), code.entry))
    }

    /// How many calls are in progress.
    pub fn depth(&self) -> usize {
        self.processor.frames.len()
    }

    /// The activation that owns a byte of the stack: its function, and how far the byte
    /// lies from its frame pointer.
    pub fn frame_at(&self, offset: u32) -> Option<(Func, i64)> {
        let layout = &self.image.layout;
        if !layout.stack.contains(&offset) {
            return None;
        }
        let address = layout.base + u64::from(offset);
        let linkage = 2 * u64::from(layout.pointer_bits / 8);
        let frame = self
            .processor
            .frames
            .iter()
            .rev()
            .find(|frame| address < frame.frame_pointer + linkage)?;
        Some((
            Func::from_index(frame.function as usize),
            address as i64 - frame.frame_pointer as i64,
        ))
    }

    /// Most bytes of stack and of heap that were in use at once.
    pub fn memory_use(&self) -> (u64, u64) {
        let layout = &self.image.layout;
        let top = layout.base + u64::from(layout.stack.end);
        (top.saturating_sub(self.deepest), self.heap_used.0)
    }

    /// The offset of an access that the fast path does not serve.
    #[inline(never)]
    pub(crate) fn resolve(&self, address: u64, size: u32, access: Access) -> Result<u32, Fault> {
        let layout = &self.image.layout;
        let offset = address.wrapping_sub(layout.base);
        let end = offset.wrapping_add(size.into());
        if end > u64::from(layout.registers.end) || offset > end {
            let null = if layout.pointer_bits == 16 {
                16
            } else {
                0x1000
            };
            return match layout.window_offset(address, size) {
                Some(offset) => Ok(offset),
                None if address < null => Err(Fault::NullAccess {
                    address,
                    size,
                    access,
                }),
                None => Err(Fault::Unmapped {
                    address,
                    size,
                    access,
                }),
            };
        }
        let offset = offset as u32;
        if access == Access::Write && offset < layout.constants_end {
            return Err(Fault::ReadOnly { address });
        }
        if layout.heap.contains(&offset)
            && self.bounds == Bounds::Strict
            && !self.usable(offset, size)
        {
            return Err(Fault::OutsideBlock {
                address,
                size,
                access,
            });
        }
        if end > layout.piece_end(offset).into() {
            return Err(Fault::Unmapped {
                address,
                size,
                access,
            });
        }
        Ok(offset)
    }

    fn usable(&self, offset: u32, size: u32) -> bool {
        let layout = &self.image.layout;
        let start = (layout.heap_map + (offset - layout.heap.start)) as usize;
        let end = (start + size as usize).min(self.memory.len());
        let all = self.memory[start..end]
            .iter()
            .all(|&mark| mark == FIRST || mark == USABLE);
        // The allocator's own book-keeping lies between the blocks.
        all || self.in_allocator()
    }

    fn in_allocator(&self) -> bool {
        let Some(frame) = self.processor.frames.last() else {
            return false;
        };
        let function = &self.image.program.functions[Func::from_index(frame.function as usize)];
        function.origin == brownout_ir::Origin::Library && is_allocator(&function.name)
    }
}

/// Whether a library function keeps the heap's books, going by its name.
pub fn is_allocator(name: &str) -> bool {
    name.starts_with("heap_") || name.starts_with("__brownout_heap_")
}
