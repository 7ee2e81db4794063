//! Choosing the operation of a family.

use brownout_ir::{FloatBinary, FloatKind, IntBinary, IntPredicate};

use crate::code::{Op, Packed, Slot, operation_table};

/// The second operand of an operation, or the first when reversed.
#[derive(Clone, Copy, Debug)]
pub(super) enum Form {
    Registers(Slot, Slot),
    Immediate(Slot, u64),
    Reversed(u64, Slot),
}

/// An addressing mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    Base,
    Indexed,
    Absolute,
    AbsoluteIndexed,
    Frame,
    FrameIndexed,
}

macro_rules! select {
    (
        sized: [$(($sop:ident, $sbits:literal, $sized:ident, $sized_imm:ident, $sized_rev:ident))*]
        plain: [$(($pop:ident, $plain:ident, $plain_imm:ident))*]
        loads: [$(($load:ident, $lty:ident, $lmode:ident))*]
        stores: [$(($store:ident, $sty:ident, $smode:ident))*]
        compares: [$(($cop:ident, $cbits:literal, $cmp:ident, $cmp_imm:ident, $br:ident, $br_imm:ident))*]
        floats: [$(($fop:ident, $fkind:ident, $float:ident))*]
    ) => {
        /// Arithmetic; none if the family has no member of that width.
        pub(super) fn binary(op: IntBinary, bits: u32, dst: Slot, form: Form) -> Option<Op> {
            Some(match (op, bits, form) {
                $((IntBinary::$sop, $sbits, Form::Registers(a, b)) => Op::$sized { dst, a, b },
                  (IntBinary::$sop, $sbits, Form::Immediate(a, imm)) => Op::$sized_imm { dst, a, imm },
                  (IntBinary::$sop, $sbits, Form::Reversed(imm, a)) => Op::$sized_rev { dst, a, imm },)*
                $((IntBinary::$pop, _, Form::Registers(a, b)) => Op::$plain { dst, a, b },
                  (IntBinary::$pop, _, Form::Immediate(a, imm) | Form::Reversed(imm, a)) => Op::$plain_imm { dst, a, imm },)*
                _ => return None,
            })
        }

        /// A load of `bits` bits.
        pub(super) fn load(bits: u32, mode: Mode, dst: Slot, at: Packed) -> Option<Op> {
            Some(match (bits, mode) {
                $(($lty::BITS, Mode::$lmode) => Op::$load { dst, at },)*
                _ => return None,
            })
        }

        /// A store of `bits` bits.
        pub(super) fn store(bits: u32, mode: Mode, src: Slot, at: Packed) -> Option<Op> {
            Some(match (bits, mode) {
                $(($sty::BITS, Mode::$smode) => Op::$store { src, at },)*
                _ => return None,
            })
        }

        /// A comparison into a register.
        pub(super) fn compare(op: IntPredicate, bits: u32, dst: Slot, form: Form) -> Option<Op> {
            Some(match (op, compare_width(op, bits), form) {
                $((IntPredicate::$cop, $cbits, Form::Registers(a, b)) => Op::$cmp { dst, a, b },
                  (IntPredicate::$cop, $cbits, Form::Immediate(a, imm)) => Op::$cmp_imm { dst, a, imm },)*
                _ => return None,
            })
        }

        /// A comparison that branches.
        pub(super) fn branch(op: IntPredicate, bits: u32, a: Slot, b: BranchOperand, then: u32, cost: u32) -> Option<Op> {
            Some(match (op, compare_width(op, bits), b) {
                $((IntPredicate::$cop, $cbits, BranchOperand::Register(b)) => Op::$br { a, b, then, cost },
                  (IntPredicate::$cop, $cbits, BranchOperand::Immediate(imm)) => Op::$br_imm { a, imm, then, cost },)*
                _ => return None,
            })
        }

        /// Where a branch or jump goes.
        pub(super) fn target(op: &mut Op) -> Option<&mut u32> {
            match op {
                $(Op::$br { then, .. } | Op::$br_imm { then, .. } => Some(then),)*
                Op::Jump { then, .. } => Some(then),
                _ => None,
            }
        }

        /// Floating-point arithmetic.
        pub(super) fn float(op: FloatBinary, kind: FloatKind, dst: Slot, a: Slot, b: Slot) -> Option<Op> {
            Some(match (op, kind) {
                $((FloatBinary::$fop, FloatKind::$fkind) => Op::$float { dst, a, b },)*
                _ => return None,
            })
        }
    };
}
operation_table! { select }

/// What a branch compares with.
#[derive(Clone, Copy, Debug)]
pub(super) enum BranchOperand {
    Register(Slot),
    Immediate(i32),
}

/// Unsigned comparisons of zero-extended values are the same at every width.
const fn compare_width(op: IntPredicate, bits: u32) -> u32 {
    if op.is_signed() { bits } else { 64 }
}
