//! Hooks into an execution.
//!
//! An observer is a type parameter of the interpreter, [`crate::Machine::run`]: what it does not
//! override costs nothing, and its own copy of the loop is compiled for it. Where that speed is
//! not needed, [`crate::Machine::watch`] serves all observers with the same code.

use std::ops::{ControlFlow, Range};

use brownout_ir::Func;

use crate::flash::FlashOperation;

/// When and where something happens.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Moment {
    /// Executed instructions, this one included.
    pub time: u64,
    /// The operation, which [`crate::Image::place`] turns into a source place.
    pub pc: u32,
}

/// Where program output goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stream {
    /// Standard output.
    Output,
    /// Standard error.
    Error,
}

/// A register by its number in the machine, whatever activation it belongs to. Arguments and
/// results of calls lie where caller and callee both find them.
pub type Register = u32;

/// Where a value from outside arrives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arrival {
    /// In a register: the result of an input function.
    Register(Register),
    /// In memory: a device register about to be read, or a buffer that a function fills.
    Memory {
        /// The first byte.
        offset: u32,
        /// How many.
        size: u32,
    },
}

/// Sees everything an execution does to the world outside its registers.
/// Memory is named by offset, see [`crate::Layout`].
#[allow(unused_variables, reason = "the defaults do nothing")]
pub trait Observer {
    /// Whether loads and stores are reported at all. Always the same.
    #[inline(always)]
    fn accesses(&self) -> bool {
        false
    }

    /// Whether the flow of data through registers is reported: [`Observer::execute`],
    /// [`Observer::derive`], [`Observer::loaded`], [`Observer::stored`], [`Observer::copied`],
    /// [`Observer::decide`]. Always the same.
    #[inline(always)]
    fn flow(&self) -> bool {
        false
    }

    /// The operation `pc` is about to be executed.
    #[inline(always)]
    fn execute(&mut self, pc: u32) {}

    /// `to` gets a value made of those in `from`; of none if it is a constant.
    #[inline(always)]
    fn derive(&mut self, to: Register, from: &[Register]) {}

    /// `to` was loaded with `size` bytes at `offset`, an address made of the registers `address`.
    #[inline(always)]
    fn loaded(&mut self, at: Moment, to: Register, offset: u32, size: u32, address: &[Register]) {}

    /// `size` bytes at `offset`, an address made of the registers `address`, were stored: the
    /// value of `from`, or a constant.
    #[inline(always)]
    fn stored(
        &mut self,
        at: Moment,
        from: Option<Register>,
        offset: u32,
        size: u32,
        address: &[Register],
    ) {
    }

    /// `size` bytes went from one place in memory to another; both may overlap. The registers
    /// `chosen` say which places, and how many bytes.
    fn copied(&mut self, at: Moment, to: u32, from: u32, size: u32, chosen: &[Register]) {}

    /// Where execution goes on depends on the registers `on`.
    #[inline(always)]
    fn decide(&mut self, at: Moment, on: &[Register]) {}

    /// A value of input number `index` arrives; comes after [`Observer::input`].
    fn arrive(&mut self, at: Moment, index: u32, place: Arrival) {}

    /// The arguments of the next [`Observer::output`] are in these registers, as far as they are
    /// not constants.
    fn spend(&mut self, at: Moment, arguments: &[Register]) {}

    /// `bytes` are read at `offset`.
    #[inline(always)]
    fn load(&mut self, at: Moment, offset: u32, bytes: &[u8]) {}

    /// `new` is about to be written at `offset`; `memory` is as before.
    #[inline(always)]
    fn store(&mut self, at: Moment, memory: &[u8], offset: u32, new: &[u8]) {}

    /// An operation of a flash part is about to begin; `memory` is as before. The store that it is
    /// comes next.
    fn flash(&mut self, at: Moment, memory: &[u8], operation: &FlashOperation<'_>) {}

    /// A function was entered; its frame pointer is at `frame`.
    #[inline(always)]
    fn call(&mut self, at: Moment, function: Func, frame: u32) {}

    /// A function is left.
    #[inline(always)]
    fn ret(&mut self, at: Moment, function: Func) {}

    /// `alloca` or the end of its scope moved the stack pointer to `pointer`.
    fn stack(&mut self, at: Moment, pointer: u32) {}

    /// `longjmp` left all calls but the `depth` oldest.
    fn unwind(&mut self, at: Moment, depth: usize) {}

    /// A heap block became usable.
    fn allocate(&mut self, at: Moment, offset: u32, size: u32) {}

    /// A heap block is given back.
    fn free(&mut self, at: Moment, offset: u32) {}

    /// A checkpoint function was called, with the memory it saves in addition.
    /// `Break` pauses the machine right after the call.
    fn checkpoint(&mut self, at: Moment, saves: &[(u32, u32)]) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    /// The head of a loop of [`crate::Bindings::loop_heads`] is passed. `Break` pauses the machine
    /// right after it.
    fn loop_head(&mut self, at: Moment) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    /// An interrupt may come here: interrupts are enabled.
    #[inline(always)]
    fn interruptible(&mut self, at: Moment) {}

    /// What input number `index` gives now, if the observer decides that: the scenario does else.
    /// The value is cut to `bits`; it counts as a reading like any other.
    #[inline(always)]
    fn answer(&mut self, at: Moment, index: u32, bits: u32) -> Option<u64> {
        None
    }

    /// Input number `index` gave `value`.
    fn input(&mut self, at: Moment, index: u32, value: u64) {}

    /// Output number `index` was made.
    fn output(&mut self, at: Moment, index: u32, args: &[u64]) {}

    /// The program wrote text.
    fn write(&mut self, at: Moment, stream: Stream, bytes: &[u8]) {}
}

/// Sees an execution in which power fails.
#[allow(unused_variables, reason = "the defaults do nothing")]
pub trait Witness: Observer {
    /// A checkpoint committed that saves these offsets of non-volatile memory.
    fn committed(&mut self, saved: &[Range<u32>]) {}

    /// Power failed and came back, and the last checkpoint was restored.
    fn restarted(&mut self) {}
}

/// Looks away.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unobserved;

impl Observer for Unobserved {}

impl Witness for Unobserved {}

/// An observer whose type is not known. With `RARE` it is one that sees neither accesses nor flow.
pub(crate) struct Watched<'o, const RARE: bool> {
    observer: &'o mut dyn Observer,
    accesses: bool,
    flow: bool,
}

impl<'o, const RARE: bool> Watched<'o, RARE> {
    pub(crate) fn new(observer: &'o mut dyn Observer) -> Self {
        Self {
            accesses: observer.accesses(),
            flow: observer.flow(),
            observer,
        }
    }
}

/// Two observers of one execution; what they see, `first` sees first.
pub struct Both<'o> {
    /// One.
    pub first: &'o mut dyn Observer,
    /// The other.
    pub second: &'o mut dyn Observer,
}

/// The same hooks for everything that passes them on.
macro_rules! hooks {
    ($forward:ident) => {
        $forward! {
            fn execute(&mut self, pc: u32);
            fn derive(&mut self, to: Register, from: &[Register]);
            fn loaded(&mut self, at: Moment, to: Register, offset: u32, size: u32, address: &[Register]);
            fn stored(&mut self, at: Moment, from: Option<Register>, offset: u32, size: u32, address: &[Register]);
            fn copied(&mut self, at: Moment, to: u32, from: u32, size: u32, chosen: &[Register]);
            fn decide(&mut self, at: Moment, on: &[Register]);
            fn arrive(&mut self, at: Moment, index: u32, place: Arrival);
            fn spend(&mut self, at: Moment, arguments: &[Register]);
            fn load(&mut self, at: Moment, offset: u32, bytes: &[u8]);
            fn store(&mut self, at: Moment, memory: &[u8], offset: u32, new: &[u8]);
            fn flash(&mut self, at: Moment, memory: &[u8], operation: &FlashOperation<'_>);
            fn call(&mut self, at: Moment, function: Func, frame: u32);
            fn ret(&mut self, at: Moment, function: Func);
            fn stack(&mut self, at: Moment, pointer: u32);
            fn unwind(&mut self, at: Moment, depth: usize);
            fn allocate(&mut self, at: Moment, offset: u32, size: u32);
            fn free(&mut self, at: Moment, offset: u32);
            fn interruptible(&mut self, at: Moment);
            fn input(&mut self, at: Moment, index: u32, value: u64);
            fn output(&mut self, at: Moment, index: u32, args: &[u64]);
            fn write(&mut self, at: Moment, stream: Stream, bytes: &[u8]);
        }
    };
}

macro_rules! to_one {
    ($(fn $name:ident(&mut self $(, $argument:ident: $type:ty)*);)*) => {
        $(fn $name(&mut self $(, $argument: $type)*) {
            self.observer.$name($($argument),*);
        })*
    };
}

macro_rules! to_both {
    ($(fn $name:ident(&mut self $(, $argument:ident: $type:ty)*);)*) => {
        $(fn $name(&mut self $(, $argument: $type)*) {
            self.first.$name($($argument),*);
            self.second.$name($($argument),*);
        })*
    };
}

macro_rules! to_inside {
    ($(fn $name:ident(&mut self $(, $argument:ident: $type:ty)*);)*) => {
        $(#[inline(always)]
        fn $name(&mut self $(, $argument: $type)*) {
            (**self).$name($($argument),*);
        })*
    };
}

/// For observers with many fields: the interpreter keeps one pointer to all of them, rather than one
/// to each, for which it has no registers.
impl<O: Observer> Observer for Box<O> {
    #[inline(always)]
    fn accesses(&self) -> bool {
        (**self).accesses()
    }

    #[inline(always)]
    fn flow(&self) -> bool {
        (**self).flow()
    }

    hooks!(to_inside);

    #[inline(always)]
    fn answer(&mut self, at: Moment, index: u32, bits: u32) -> Option<u64> {
        (**self).answer(at, index, bits)
    }

    #[inline(always)]
    fn checkpoint(&mut self, at: Moment, saves: &[(u32, u32)]) -> ControlFlow<()> {
        (**self).checkpoint(at, saves)
    }

    fn loop_head(&mut self, at: Moment) -> ControlFlow<()> {
        (**self).loop_head(at)
    }
}

impl<const RARE: bool> Observer for Watched<'_, RARE> {
    #[inline(always)]
    fn accesses(&self) -> bool {
        !RARE && self.accesses
    }

    #[inline(always)]
    fn flow(&self) -> bool {
        !RARE && self.flow
    }

    hooks!(to_one);

    fn answer(&mut self, at: Moment, index: u32, bits: u32) -> Option<u64> {
        self.observer.answer(at, index, bits)
    }

    fn checkpoint(&mut self, at: Moment, saves: &[(u32, u32)]) -> ControlFlow<()> {
        self.observer.checkpoint(at, saves)
    }

    fn loop_head(&mut self, at: Moment) -> ControlFlow<()> {
        self.observer.loop_head(at)
    }
}

impl Observer for Both<'_> {
    fn accesses(&self) -> bool {
        self.first.accesses() || self.second.accesses()
    }

    fn flow(&self) -> bool {
        self.first.flow() || self.second.flow()
    }

    hooks!(to_both);

    fn answer(&mut self, at: Moment, index: u32, bits: u32) -> Option<u64> {
        let first = self.first.answer(at, index, bits);
        let second = self.second.answer(at, index, bits);
        first.or(second)
    }

    fn checkpoint(&mut self, at: Moment, saves: &[(u32, u32)]) -> ControlFlow<()> {
        let first = self.first.checkpoint(at, saves);
        let second = self.second.checkpoint(at, saves);
        if first.is_break() { first } else { second }
    }

    fn loop_head(&mut self, at: Moment) -> ControlFlow<()> {
        let first = self.first.loop_head(at);
        let second = self.second.loop_head(at);
        if first.is_break() { first } else { second }
    }
}
