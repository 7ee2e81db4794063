//! The one intermediate representation every question is asked of.
//!
//! A [`Program`] is a set of functions and globals over a flat, byte-addressed
//! memory. Values are in SSA form; control flow joins through block parameters;
//! every load, store, call and stack object is explicit. [`eval`] is the only
//! definition of what an operator computes.
//!
//! **Invariant:** this crate does not know where programs come from (LLVM,
//! machine code, text) nor what is done with them.

pub mod allocation;
mod components;
pub mod entity;
pub mod eval;
pub mod gifts;
mod inst;
pub mod names;
mod ops;
mod parse;
pub mod pointers;
mod print;
mod program;
pub mod prototype;
pub mod reach;
mod readable;
pub mod results;
mod retained;
mod signature;
pub mod source;
mod targets;
mod types;
pub mod variables;
pub mod verify;

pub use components::components;
pub use entity::{Arena, Id};
pub use inst::{Callee, Edge, Inst, Op, Operand, Service, Terminator};
pub use ops::{
    CastOp, FloatBinary, FloatPredicate, FloatUnary, IntBinary, IntPredicate, IntTernary, IntUnary,
};
pub use parse::{ParseError, ParseProblem, parse};
pub use print::print_function;
pub use program::{
    BEHIND, Block, BlockData, Body, Func, Function, Global, GlobalData, Initializer, Origin,
    ParameterData, Program, Relocation, Slot, SlotData, Symbol, Value,
};
pub use readable::{readable, spellings};
pub use retained::Retained;
pub use targets::{KnownTarget, TARGETS, known_target};
pub use types::{FloatKind, Target, Type};
