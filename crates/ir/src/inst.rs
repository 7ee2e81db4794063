//! Instructions, terminators and their operands.

use crate::ops::*;
use crate::program::{Block, Func, Global, Slot, Value};
use crate::source::Place;
use crate::types::{Target, Type};

/// What an instruction works on. Constants are operands, not instructions:
/// they take no time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operand {
    /// The result of an instruction or a block parameter.
    Value(Value),
    /// A constant, as the bits of the type the context asks for.
    Bits(u128),
    /// The address of a global plus an offset.
    Global(Global, i64),
    /// The address of a stack object of this activation plus an offset.
    Slot(Slot, i64),
    /// The address of a function.
    Func(Func),
    /// The address of a block (computed goto).
    BlockAddress(Func, Block),
}

impl Operand {
    /// The value, if it is one.
    pub const fn value(self) -> Option<Value> {
        match self {
            Self::Value(value) => Some(value),
            _ => None,
        }
    }
}

impl From<Value> for Operand {
    fn from(value: Value) -> Self {
        Self::Value(value)
    }
}

/// One instruction: an operation, the values it defines, where it comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Inst {
    /// What it does.
    pub op: Op,
    /// The values it defines. Only calls and services define none or several.
    pub results: Vec<Value>,
    /// Its source place, if known.
    pub place: Option<Place>,
}

impl Inst {
    /// The address of a volatile access, if it is one.
    pub const fn volatile_address(&self) -> Option<Operand> {
        match self.op {
            Op::Load {
                address, volatile, ..
            }
            | Op::Store {
                address, volatile, ..
            } if volatile => Some(address),
            _ => None,
        }
    }
}

/// What an instruction does. Field names follow the operators they belong to.
#[allow(missing_docs, reason = "the variant documents its fields")]
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Op {
    /// Integer arithmetic; `ty` is the type of the operands.
    IntBinary {
        op: IntBinary,
        ty: Type,
        a: Operand,
        b: Operand,
    },
    /// Integer arithmetic on one operand.
    IntUnary { op: IntUnary, ty: Type, a: Operand },
    /// Funnel shifts.
    IntTernary {
        op: IntTernary,
        ty: Type,
        a: Operand,
        b: Operand,
        c: Operand,
    },
    /// Floating-point arithmetic.
    FloatBinary {
        op: FloatBinary,
        ty: Type,
        a: Operand,
        b: Operand,
    },
    /// Floating-point functions of one operand.
    FloatUnary {
        op: FloatUnary,
        ty: Type,
        a: Operand,
    },
    /// `a * b + c` with one rounding.
    FloatFma {
        ty: Type,
        a: Operand,
        b: Operand,
        c: Operand,
    },
    /// Integer or pointer comparison; gives `i1`.
    IntCompare {
        op: IntPredicate,
        ty: Type,
        a: Operand,
        b: Operand,
    },
    /// Floating-point comparison; gives `i1`.
    FloatCompare {
        op: FloatPredicate,
        ty: Type,
        a: Operand,
        b: Operand,
    },
    /// Conversion.
    Cast {
        op: CastOp,
        from: Type,
        to: Type,
        a: Operand,
    },
    /// `condition ? a : b`.
    Select {
        ty: Type,
        condition: Operand,
        a: Operand,
        b: Operand,
    },
    /// `base + index * scale + offset`, with an index of pointer width.
    Address {
        base: Operand,
        index: Operand,
        scale: i64,
        offset: i64,
    },
    /// Reads memory.
    Load {
        ty: Type,
        address: Operand,
        volatile: bool,
    },
    /// Writes memory.
    Store {
        ty: Type,
        address: Operand,
        value: Operand,
        volatile: bool,
    },
    /// Copies `length` bytes; the two may overlap.
    Copy {
        to: Operand,
        from: Operand,
        length: Operand,
    },
    /// Sets `length` bytes.
    Fill {
        to: Operand,
        byte: Operand,
        length: Operand,
    },
    /// Grows the stack by `size` bytes; gives the address.
    StackAlloc { size: Operand, align: u32 },
    /// The current stack pointer.
    StackSave,
    /// Gives back what was allocated since the matching save.
    StackRestore { pointer: Operand },
    /// Calls a function. `signature` is the caller's view of a computed callee.
    Call {
        callee: Callee,
        args: Vec<Operand>,
        arg_types: Vec<Type>,
        result_types: Vec<Type>,
    },
    /// Asks the machine for something no instruction can do.
    Service {
        service: Service,
        args: Vec<Operand>,
    },
}

/// Whom a call calls.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Callee {
    /// A known function. Argument and result types match its signature.
    Direct(Func),
    /// Whatever the address says when the call is executed.
    Indirect(Operand),
}

impl Callee {
    /// The function that it names, also if the call has other types than the function.
    pub const fn named(self) -> Option<Func> {
        match self {
            Self::Direct(func) | Self::Indirect(Operand::Func(func)) => Some(func),
            Self::Indirect(_) => None,
        }
    }
}

/// What only the machine can do. The C library in the guest is built on these.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Service {
    /// `(stream, address, length)`: program output.
    Write,
    /// `(status)`: ends the program.
    Exit,
    /// `()`: ends the program abnormally.
    Abort,
    /// `(expression, file, line, function)`: a failed assertion.
    AssertFail,
    /// `()`: address of the heap segment.
    HeapStart,
    /// `()`: size of the heap segment.
    HeapSize,
    /// `(address, size)`: the block may be used from now on.
    HeapAllocated,
    /// `(address)`: the block may not be used any more.
    HeapFreed,
    /// `(address)`: the program frees something that is no block in use.
    BadFree,
    /// `(buffer)`: saves where execution is; gives 0 now and the value of the jump later.
    SetJump,
    /// `(buffer, value)`: goes back to a saved place.
    LongJump,
    /// `(level)`: the frame address of this activation (0) or 0.
    FrameAddress,
    /// `(level)`: the return address of this activation (0) or 0.
    ReturnAddress,
    /// `()`: executed instructions so far.
    Clock,
    /// `()`: sleeps; gives the handlers that come then, one per byte, or 0 if there are none.
    AwaitInterrupt,
    /// `(saved list, count)`: commits, saving `count` (address, size) pairs as well.
    CheckpointWith,
    /// `()`: a debugger trap in the program.
    Trap,
}

impl Service {
    /// Every service.
    pub const ALL: &'static [Self] = &[
        Self::Write,
        Self::Exit,
        Self::Abort,
        Self::AssertFail,
        Self::HeapStart,
        Self::HeapSize,
        Self::HeapAllocated,
        Self::HeapFreed,
        Self::BadFree,
        Self::SetJump,
        Self::LongJump,
        Self::FrameAddress,
        Self::ReturnAddress,
        Self::Clock,
        Self::AwaitInterrupt,
        Self::CheckpointWith,
        Self::Trap,
    ];

    /// The spelling in the text format.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Write => "write",
            Self::Exit => "exit",
            Self::Abort => "abort",
            Self::AssertFail => "assert_fail",
            Self::HeapStart => "heap_start",
            Self::HeapSize => "heap_size",
            Self::HeapAllocated => "heap_allocated",
            Self::HeapFreed => "heap_freed",
            Self::BadFree => "bad_free",
            Self::SetJump => "setjmp",
            Self::LongJump => "longjmp",
            Self::FrameAddress => "frame_address",
            Self::ReturnAddress => "return_address",
            Self::Clock => "clock",
            Self::AwaitInterrupt => "await_interrupt",
            Self::CheckpointWith => "checkpoint_with",
            Self::Trap => "trap",
        }
    }

    /// The service with that spelling.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL
            .iter()
            .copied()
            .find(|service| service.name() == name)
    }

    /// The types of its arguments.
    pub fn parameters(self, target: &Target) -> Vec<Type> {
        let (int, size) = (target.int(), target.size_type());
        match self {
            Self::Write => vec![int, Type::Ptr, size],
            Self::Exit | Self::FrameAddress | Self::ReturnAddress => vec![int],
            Self::AssertFail => vec![Type::Ptr, Type::Ptr, int, Type::Ptr],
            Self::HeapAllocated => vec![Type::Ptr, size],
            Self::HeapFreed | Self::BadFree | Self::SetJump => vec![Type::Ptr],
            Self::LongJump | Self::CheckpointWith => vec![Type::Ptr, int],
            Self::Abort
            | Self::HeapStart
            | Self::HeapSize
            | Self::Clock
            | Self::AwaitInterrupt
            | Self::Trap => vec![],
        }
    }

    /// The type of its result, if it has one.
    pub const fn result(self, target: &Target) -> Option<Type> {
        match self {
            Self::HeapStart | Self::FrameAddress | Self::ReturnAddress => Some(Type::Ptr),
            Self::HeapSize => Some(target.size_type()),
            Self::SetJump => Some(target.int()),
            Self::Clock | Self::AwaitInterrupt => Some(Type::Int(64)),
            Self::Write
            | Self::Exit
            | Self::Abort
            | Self::AssertFail
            | Self::HeapAllocated
            | Self::HeapFreed
            | Self::BadFree
            | Self::LongJump
            | Self::CheckpointWith
            | Self::Trap => None,
        }
    }
}

/// A jump to a block with the arguments for its parameters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edge {
    /// Where to.
    pub block: Block,
    /// One argument for each parameter of the block.
    pub args: Vec<Operand>,
}

#[allow(missing_docs, reason = "the variant documents its fields")]
/// How a block ends. A terminator is an instruction and takes time like one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Terminator {
    /// Unconditional.
    Jump(Edge),
    /// On an `i1`.
    Branch {
        condition: Operand,
        then: Edge,
        otherwise: Edge,
    },
    /// On an integer.
    Switch {
        ty: Type,
        value: Operand,
        cases: Vec<(u128, Edge)>,
        default: Edge,
    },
    /// To a block address; `targets` has an edge to every block it may name.
    Computed {
        address: Operand,
        targets: Vec<Edge>,
    },
    /// Back to the caller.
    Return(Vec<Operand>),
    /// Never executed in a correct program.
    Unreachable,
}

impl Terminator {
    /// The edges to other blocks, in order.
    pub fn edges(&self) -> Vec<&Edge> {
        match self {
            Self::Jump(edge) => vec![edge],
            Self::Branch {
                then, otherwise, ..
            } => vec![then, otherwise],
            Self::Switch { cases, default, .. } => cases
                .iter()
                .map(|(_, edge)| edge)
                .chain([default])
                .collect(),
            Self::Computed { targets, .. } => targets.iter().collect(),
            Self::Return(_) | Self::Unreachable => vec![],
        }
    }

    /// The edges to other blocks, in order, to be changed.
    pub fn edges_mut(&mut self) -> Vec<&mut Edge> {
        match self {
            Self::Jump(edge) => vec![edge],
            Self::Branch {
                then, otherwise, ..
            } => vec![then, otherwise],
            Self::Switch { cases, default, .. } => cases
                .iter_mut()
                .map(|(_, edge)| edge)
                .chain([default])
                .collect(),
            Self::Computed { targets, .. } => targets.iter_mut().collect(),
            Self::Return(_) | Self::Unreachable => vec![],
        }
    }
}
