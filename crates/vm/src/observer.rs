//! Hooks into an execution.
//!
//! An observer is a type parameter of the interpreter: what it does not
//! override costs nothing.

use std::ops::ControlFlow;

use brownout_ir::Func;

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

/// Sees everything an execution does to the world outside its registers.
/// Memory is named by offset, see [`crate::Layout`].
#[allow(unused_variables, reason = "the defaults do nothing")]
pub trait Observer {
    /// Whether loads and stores are reported at all.
    const ACCESSES: bool = false;

    /// `size` bytes of `memory` at `offset` are read.
    #[inline(always)]
    fn load(&mut self, at: Moment, memory: &[u8], offset: u32, size: u32) {}

    /// `new` is about to be written at `offset`; `memory` is as before.
    #[inline(always)]
    fn store(&mut self, at: Moment, memory: &[u8], offset: u32, new: &[u8]) {}

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
    /// `Break` pauses the machine right behind the call.
    fn checkpoint(&mut self, at: Moment, saves: &[(u32, u32)]) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    /// Input number `index` gave `value`.
    fn input(&mut self, at: Moment, index: u32, value: u64) {}

    /// Output number `index` was made.
    fn output(&mut self, at: Moment, index: u32, args: &[u64]) {}

    /// The program wrote text.
    fn write(&mut self, at: Moment, stream: Stream, bytes: &[u8]) {}
}

/// Looks away.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unobserved;

impl Observer for Unobserved {}
