//! Decoded programs: flat arrays of compact operations.
//!
//! An operation is 16 bytes. Its operands are slots of the current window of
//! registers, immediates, or places in the current stack frame; everything rare
//! goes through [`Op::Slow`] and a side table. Compare-and-branch and
//! address-and-access pairs of the IR are one operation.
//!
//! **Invariants** (established by `compile`, relied on by `exec` without checks):
//! slots are below the function's window plus its outgoing arguments; jump
//! targets are operations of the same function; the last operation of a
//! function is a terminator.

use brownout_ir::source::Place;
use brownout_ir::{
    CastOp, FloatBinary, FloatKind, FloatPredicate, FloatUnary, Func, IntBinary, IntPredicate,
    IntTernary, IntUnary, Service, Type, eval,
};

use crate::image::Binding;

/// A register of the current window.
pub(crate) type Slot = u16;

/// The families of operations, as a table for the macros that declare, choose and
/// execute them: `operation_table! { callback }` calls `callback!` with it.
///
/// * `sized`: operator, width, with two registers, with an immediate second, with an immediate first
/// * `plain`: the same for operators that do not care about the width
/// * `loads`, `stores`: operation, type, addressing mode
/// * `compares`: predicate, width, to a register (with immediate), as a branch (with immediate)
/// * `floats`: operator, format
macro_rules! operation_table {
    ($callback:ident) => {
        $callback! {
            sized: [
                (Add, 8, Add8, Add8Imm, Add8Rev) (Add, 16, Add16, Add16Imm, Add16Rev) (Add, 32, Add32, Add32Imm, Add32Rev) (Add, 64, Add64, Add64Imm, Add64Rev)
                (Sub, 8, Sub8, Sub8Imm, Sub8Rev) (Sub, 16, Sub16, Sub16Imm, Sub16Rev) (Sub, 32, Sub32, Sub32Imm, Sub32Rev) (Sub, 64, Sub64, Sub64Imm, Sub64Rev)
                (Mul, 8, Mul8, Mul8Imm, Mul8Rev) (Mul, 16, Mul16, Mul16Imm, Mul16Rev) (Mul, 32, Mul32, Mul32Imm, Mul32Rev) (Mul, 64, Mul64, Mul64Imm, Mul64Rev)
                (Shl, 8, Shl8, Shl8Imm, Shl8Rev) (Shl, 16, Shl16, Shl16Imm, Shl16Rev) (Shl, 32, Shl32, Shl32Imm, Shl32Rev) (Shl, 64, Shl64, Shl64Imm, Shl64Rev)
                (LShr, 8, LShr8, LShr8Imm, LShr8Rev) (LShr, 16, LShr16, LShr16Imm, LShr16Rev) (LShr, 32, LShr32, LShr32Imm, LShr32Rev) (LShr, 64, LShr64, LShr64Imm, LShr64Rev)
                (AShr, 8, AShr8, AShr8Imm, AShr8Rev) (AShr, 16, AShr16, AShr16Imm, AShr16Rev) (AShr, 32, AShr32, AShr32Imm, AShr32Rev) (AShr, 64, AShr64, AShr64Imm, AShr64Rev)
                (SDiv, 16, SDiv16, SDiv16Imm, SDiv16Rev) (SDiv, 32, SDiv32, SDiv32Imm, SDiv32Rev) (SDiv, 64, SDiv64, SDiv64Imm, SDiv64Rev)
                (SRem, 16, SRem16, SRem16Imm, SRem16Rev) (SRem, 32, SRem32, SRem32Imm, SRem32Rev) (SRem, 64, SRem64, SRem64Imm, SRem64Rev)
                (UDiv, 64, UDiv64, UDiv64Imm, UDiv64Rev)
                (URem, 64, URem64, URem64Imm, URem64Rev)
            ]
            plain: [(And, And64, And64Imm) (Or, Or64, Or64Imm) (Xor, Xor64, Xor64Imm)]
            loads: [
                (Load8Base, u8, Base) (Load16Base, u16, Base) (Load32Base, u32, Base) (Load64Base, u64, Base)
                (Load8Indexed, u8, Indexed) (Load16Indexed, u16, Indexed) (Load32Indexed, u32, Indexed) (Load64Indexed, u64, Indexed)
                (Load8Absolute, u8, Absolute) (Load16Absolute, u16, Absolute) (Load32Absolute, u32, Absolute) (Load64Absolute, u64, Absolute)
                (Load8AbsoluteIndexed, u8, AbsoluteIndexed) (Load16AbsoluteIndexed, u16, AbsoluteIndexed) (Load32AbsoluteIndexed, u32, AbsoluteIndexed) (Load64AbsoluteIndexed, u64, AbsoluteIndexed)
                (Load8Frame, u8, Frame) (Load16Frame, u16, Frame) (Load32Frame, u32, Frame) (Load64Frame, u64, Frame)
                (Load8FrameIndexed, u8, FrameIndexed) (Load16FrameIndexed, u16, FrameIndexed) (Load32FrameIndexed, u32, FrameIndexed) (Load64FrameIndexed, u64, FrameIndexed)
            ]
            stores: [
                (Store8Base, u8, Base) (Store16Base, u16, Base) (Store32Base, u32, Base) (Store64Base, u64, Base)
                (Store8Indexed, u8, Indexed) (Store16Indexed, u16, Indexed) (Store32Indexed, u32, Indexed) (Store64Indexed, u64, Indexed)
                (Store8Absolute, u8, Absolute) (Store16Absolute, u16, Absolute) (Store32Absolute, u32, Absolute) (Store64Absolute, u64, Absolute)
                (Store8AbsoluteIndexed, u8, AbsoluteIndexed) (Store16AbsoluteIndexed, u16, AbsoluteIndexed) (Store32AbsoluteIndexed, u32, AbsoluteIndexed) (Store64AbsoluteIndexed, u64, AbsoluteIndexed)
                (Store8Frame, u8, Frame) (Store16Frame, u16, Frame) (Store32Frame, u32, Frame) (Store64Frame, u64, Frame)
                (Store8FrameIndexed, u8, FrameIndexed) (Store16FrameIndexed, u16, FrameIndexed) (Store32FrameIndexed, u32, FrameIndexed) (Store64FrameIndexed, u64, FrameIndexed)
            ]
            compares: [
                (Eq, 64, CmpEq, CmpEqImm, BrEq, BrEqImm)
                (Ne, 64, CmpNe, CmpNeImm, BrNe, BrNeImm)
                (ULt, 64, CmpULt, CmpULtImm, BrULt, BrULtImm)
                (ULe, 64, CmpULe, CmpULeImm, BrULe, BrULeImm)
                (UGt, 64, CmpUGt, CmpUGtImm, BrUGt, BrUGtImm)
                (UGe, 64, CmpUGe, CmpUGeImm, BrUGe, BrUGeImm)
                (SLt, 8, CmpSLt8, CmpSLt8Imm, BrSLt8, BrSLt8Imm)
                (SLt, 16, CmpSLt16, CmpSLt16Imm, BrSLt16, BrSLt16Imm)
                (SLt, 32, CmpSLt32, CmpSLt32Imm, BrSLt32, BrSLt32Imm)
                (SLt, 64, CmpSLt64, CmpSLt64Imm, BrSLt64, BrSLt64Imm)
                (SLe, 8, CmpSLe8, CmpSLe8Imm, BrSLe8, BrSLe8Imm)
                (SLe, 16, CmpSLe16, CmpSLe16Imm, BrSLe16, BrSLe16Imm)
                (SLe, 32, CmpSLe32, CmpSLe32Imm, BrSLe32, BrSLe32Imm)
                (SLe, 64, CmpSLe64, CmpSLe64Imm, BrSLe64, BrSLe64Imm)
                (SGt, 8, CmpSGt8, CmpSGt8Imm, BrSGt8, BrSGt8Imm)
                (SGt, 16, CmpSGt16, CmpSGt16Imm, BrSGt16, BrSGt16Imm)
                (SGt, 32, CmpSGt32, CmpSGt32Imm, BrSGt32, BrSGt32Imm)
                (SGt, 64, CmpSGt64, CmpSGt64Imm, BrSGt64, BrSGt64Imm)
                (SGe, 8, CmpSGe8, CmpSGe8Imm, BrSGe8, BrSGe8Imm)
                (SGe, 16, CmpSGe16, CmpSGe16Imm, BrSGe16, BrSGe16Imm)
                (SGe, 32, CmpSGe32, CmpSGe32Imm, BrSGe32, BrSGe32Imm)
                (SGe, 64, CmpSGe64, CmpSGe64Imm, BrSGe64, BrSGe64Imm)
            ]
            floats: [
                (Add, Single, FAdd32) (Add, Double, FAdd64)
                (Sub, Single, FSub32) (Sub, Double, FSub64)
                (Mul, Single, FMul32) (Mul, Double, FMul64)
                (Div, Single, FDiv32) (Div, Double, FDiv64)
            ]
        }
    };
}
pub(crate) use operation_table;

macro_rules! declare {
    (
        sized: [$(($sop:ident, $sbits:literal, $sized:ident, $sized_imm:ident, $sized_rev:ident))*]
        plain: [$(($pop:ident, $plain:ident, $plain_imm:ident))*]
        loads: [$(($load:ident, $lty:ident, $lmode:ident))*]
        stores: [$(($store:ident, $sty:ident, $smode:ident))*]
        compares: [$(($cop:ident, $cbits:literal, $cmp:ident, $cmp_imm:ident, $br:ident, $br_imm:ident))*]
        floats: [$(($fop:ident, $fkind:ident, $float:ident))*]
    ) => {
        /// One operation.
        #[derive(Clone, Copy, Debug)]
        #[repr(u16)]
        pub(crate) enum Op {
            $($sized { dst: Slot, a: Slot, b: Slot },
              $sized_imm { dst: Slot, a: Slot, imm: u64 },
              $sized_rev { dst: Slot, a: Slot, imm: u64 },)*
            $($plain { dst: Slot, a: Slot, b: Slot },
              $plain_imm { dst: Slot, a: Slot, imm: u64 },)*
            $($load { dst: Slot, at: Packed },)*
            $($store { src: Slot, at: Packed },)*
            $($cmp { dst: Slot, a: Slot, b: Slot },
              $cmp_imm { dst: Slot, a: Slot, imm: u64 },
              $br { a: Slot, b: Slot, then: u32, cost: u32 },
              $br_imm { a: Slot, imm: i32, then: u32, cost: u32 },)*
            $($float { dst: Slot, a: Slot, b: Slot },)*
            /// `dst = imm`
            Const { dst: Slot, imm: u64 },
            Move { dst: Slot, a: Slot },
            /// `dst = fp + offset`
            FrameAddress { dst: Slot, offset: i32 },
            /// `dst = base + index * scale + offset`
            Address { dst: Slot, base: Slot, index: Slot, offset: i32, scale: i32 },
            /// `dst = a`, sign-extended from 64 - `shift` bits
            SignExtend { dst: Slot, a: Slot, shift: u8, mask: u64 },
            Select { dst: Slot, condition: Slot, a: Slot, b: Slot },
            SelectImm { dst: Slot, condition: Slot, a: Slot, imm: u64 },
            SelectRev { dst: Slot, condition: Slot, a: Slot, imm: u64 },
            FloatCompare { dst: Slot, a: Slot, b: Slot, op: FloatPredicate, kind: FloatKind },
            Jump { then: u32, cost: u32 },
            Switch { a: Slot, table: u32, cost: u32 },
            Call { function: u32, site: u32, cost: u32 },
            CallIndirect { target: Slot, call: u32, site: u32, cost: u32 },
            Return { cost: u32 },
            /// A call of a function that commits.
            Checkpoint,
            /// The head of a loop that observers are told of; takes no time.
            LoopHead,
            /// A place between two instructions where a handler may come; takes no time.
            InterruptPoint,
            /// `dst` = the next value of an input
            Input { dst: Slot, bits: u8, input: u32 },
            /// Everything else: an entry of the side table.
            Slow { index: u32 },
        }
    };
}
operation_table! { declare }

const _: () = assert!(size_of::<Op>() == 16);

/// The operands of an address, whichever mode the operation's name says.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(crate) struct Packed {
    /// Base register.
    pub(crate) base: Slot,
    /// Index register.
    pub(crate) index: Slot,
    /// Scale of the index.
    pub(crate) scale: u16,
    /// Offset, or the address of an absolute access.
    pub(crate) offset: u32,
}

/// Where a rare operation finds an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    /// A register, or two in a row for values over 64 bits.
    Slot(Slot),
    /// A constant.
    Bits(u128),
    /// `fp + offset`
    Frame(i32),
}

/// A rare operation.
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "named after the IR's instructions")]
pub(crate) enum Slow {
    IntBinary {
        op: IntBinary,
        bits: u32,
        dst: Slot,
        a: Source,
        b: Source,
    },
    IntUnary {
        op: IntUnary,
        bits: u32,
        dst: Slot,
        a: Source,
    },
    IntTernary {
        op: IntTernary,
        bits: u32,
        dst: Slot,
        a: Source,
        b: Source,
        c: Source,
    },
    IntCompare {
        op: IntPredicate,
        bits: u32,
        dst: Slot,
        a: Source,
        b: Source,
    },
    FloatBinary {
        op: FloatBinary,
        kind: FloatKind,
        dst: Slot,
        a: Source,
        b: Source,
    },
    FloatUnary {
        op: FloatUnary,
        kind: FloatKind,
        dst: Slot,
        a: Source,
    },
    FloatFma {
        kind: FloatKind,
        dst: Slot,
        a: Source,
        b: Source,
        c: Source,
    },
    FloatCompare {
        op: FloatPredicate,
        kind: FloatKind,
        dst: Slot,
        a: Source,
        b: Source,
    },
    Cast {
        op: CastOp,
        from: Type,
        from_bits: u32,
        to: Type,
        to_bits: u32,
        dst: Slot,
        a: Source,
    },
    WideSelect {
        dst: Slot,
        condition: Source,
        a: Source,
        b: Source,
    },
    Load {
        bits: u32,
        dst: Slot,
        address: Source,
    },
    Store {
        bits: u32,
        address: Source,
        value: Source,
    },
    Copy {
        to: Source,
        from: Source,
        length: Source,
    },
    Fill {
        to: Source,
        byte: Source,
        length: Source,
    },
    StackAlloc {
        dst: Slot,
        size: Source,
        align: u32,
    },
    StackSave {
        dst: Slot,
    },
    StackRestore {
        pointer: Source,
    },
    Service {
        service: Service,
        dst: Option<Slot>,
        args: Vec<Source>,
    },
    /// A function that the scenario binds, unless there is an operation for it.
    External {
        function: Func,
        binding: Option<Binding>,
        args: Vec<(Source, u32)>,
        dst: Vec<(Slot, u32)>,
    },
    /// A computed jump: block addresses and where they lead.
    Computed {
        address: Source,
        targets: Vec<(u64, u32)>,
        cost: u32,
    },
    Unreachable,
}

impl Slow {
    /// Whether a result takes two registers.
    pub(crate) const fn is_wide(bits: u32) -> bool {
        bits > 64
    }
}

/// How many bits of a value of that width each of its registers holds.
pub(crate) fn words(bits: u32) -> impl Iterator<Item = u32> {
    [bits.min(64), bits.saturating_sub(64)]
        .into_iter()
        .filter(|&bits| bits > 0)
}

/// A jump table.
#[derive(Clone, Debug)]
pub(crate) enum SwitchTable {
    /// `targets[value - low]`
    Dense {
        low: u64,
        targets: Vec<u32>,
        default: u32,
    },
    /// Sorted by value.
    Sparse {
        cases: Vec<(u64, u32)>,
        default: u32,
    },
    /// Values over 64 bits.
    Wide {
        cases: Vec<(u128, u32)>,
        default: u32,
    },
}

impl SwitchTable {
    /// Where a value leads; `high` are its bits from 64 on.
    #[inline(always)]
    pub(crate) fn target(&self, value: u64, high: impl FnOnce() -> u64) -> u32 {
        match self {
            Self::Dense {
                low,
                targets,
                default,
            } => {
                let target = targets.get(value.wrapping_sub(*low) as usize);
                target.copied().unwrap_or(*default)
            }
            Self::Sparse { cases, default } => cases
                .binary_search_by_key(&value, |case| case.0)
                .map_or(*default, |index| cases[index].1),
            Self::Wide { cases, default } => {
                let value = u128::from(value) | u128::from(high()) << 64;
                let case = cases.iter().find(|case| case.0 == value);
                case.map_or(*default, |case| case.1)
            }
        }
    }
}

/// A computed call as the caller sees it.
#[derive(Clone, Debug)]
pub(crate) struct IndirectCall {
    /// Equal numbers, equal signatures.
    pub(crate) signature: u32,
    /// Registers of the arguments, for callees that want more.
    pub(crate) arg_slots: u16,
    /// Widths of the arguments, for callees without a body.
    pub(crate) arg_bits: Vec<u32>,
    /// Widths of the results, likewise.
    pub(crate) result_bits: Vec<u32>,
    /// Whether the last argument can be the address of variable arguments.
    pub(crate) ends_in_pointer: bool,
}

/// A decoded function.
#[derive(Clone, Debug)]
pub(crate) struct FunctionCode {
    /// First operation.
    pub(crate) entry: u32,
    /// One past the last operation.
    pub(crate) end: u32,
    /// The first operation of every block, in ascending order, and one past the last one's.
    pub(crate) blocks: Vec<u32>,
    /// Registers of an activation.
    pub(crate) window: u32,
    /// Registers needed behind the window for arguments and results of calls.
    pub(crate) outgoing: u32,
    /// Bytes of stack objects below the frame pointer.
    pub(crate) frame_bytes: u32,
    /// Alignment of the frame.
    pub(crate) frame_align: u32,
    /// Byte offset from the frame pointer of every stack object.
    pub(crate) slot_offsets: Vec<i32>,
    /// The register of every value, if each has one of its own.
    pub(crate) registers: Vec<Option<u32>>,
    /// Equal numbers, equal signatures.
    pub(crate) signature: u32,
    /// Widths of the parameters.
    pub(crate) param_bits: Vec<u32>,
}

/// A decoded program.
#[derive(Clone, Debug, Default)]
pub(crate) struct Code {
    pub(crate) ops: Vec<Op>,
    /// For every operation: IR instructions since the last cost was counted, it included. As many
    /// as there are operations.
    pub(crate) ticks: Vec<u32>,
    pub(crate) places: Vec<Option<Place>>,
    pub(crate) slow: Vec<Slow>,
    pub(crate) switches: Vec<SwitchTable>,
    pub(crate) calls: Vec<IndirectCall>,
    /// By function; none for those without a body.
    pub(crate) functions: Vec<Option<FunctionCode>>,
    /// The most instructions between two moments when time is counted.
    pub(crate) longest_stretch: u32,
    /// Return sites: the operation after each call.
    pub(crate) sites: Vec<u32>,
}

/// The constant of a comparing branch, as wide as its operand.
#[inline(always)]
pub(crate) const fn immediate(op: IntPredicate, bits: u32, imm: i32) -> u64 {
    use IntPredicate::{SGe, SGt, SLe, SLt};
    match op {
        SLt | SLe | SGt | SGe => eval::narrow::unsigned(bits, imm as i64),
        _ => imm as u32 as u64,
    }
}
