//! Integers of more than 128 bits, as C's long rows of bit-fields make them:
//! lists of 64-bit limbs, the last one as narrow as the type leaves it.
//!
//! What bit-fields need is here: memory, logic, shifts by constants, sums,
//! comparisons, conversions. The rest (products, quotients, shifts by
//! variables) is unsupported.

use brownout_ir::{CastOp, IntBinary, IntPredicate, Op, Operand, Type};

use crate::error::Gap;
use crate::function::FunctionLowering;
use crate::raw::{self, Opcode, TypeKind, Value};

/// Bits of a limb.
const LIMB: u32 = 64;
const WORD: Type = Type::Int(64);

/// The width of an integer type that no single value can hold.
pub(crate) fn width(ty: raw::Type<'_>) -> Option<u32> {
    (ty.kind() == TypeKind::LLVMIntegerTypeKind)
        .then(|| ty.int_bits())
        .filter(|bits| *bits > 128)
}

/// The types of the limbs, lowest first.
pub(crate) fn limb_types(bits: u32) -> Vec<Type> {
    let full = (bits / LIMB) as usize;
    let rest = bits % LIMB;
    let mut types = vec![WORD; full];
    if rest > 0 {
        types.push(Type::Int(rest as u8));
    }
    types
}

/// The limbs of a constant, from its decimal text.
pub(crate) fn limbs_of(value: Value<'_>, bits: u32) -> Vec<u64> {
    let count = bits.div_ceil(LIMB) as usize;
    let mut limbs = vec![0u64; count];
    if value.is_undefined() || value.is_null() {
        return limbs;
    }
    let text = value.print();
    let digits = text.rsplit(' ').next().unwrap_or_default();
    let (negative, digits) = digits
        .strip_prefix('-')
        .map_or((false, digits), |rest| (true, rest));
    for digit in digits.bytes().filter(u8::is_ascii_digit) {
        let mut carry = u128::from(digit - b'0');
        for limb in &mut limbs {
            let product = u128::from(*limb) * 10 + carry;
            *limb = product as u64;
            carry = product >> 64;
        }
    }
    if negative {
        let mut carry = true;
        for limb in &mut limbs {
            let (sum, overflow) = (!*limb).overflowing_add(u64::from(carry));
            (*limb, carry) = (sum, overflow);
        }
    }
    if let (Some(last), rest @ 1..) = (limbs.last_mut(), bits % LIMB) {
        *last &= u64::MAX >> (LIMB - rest);
    }
    limbs
}

impl<'m> FunctionLowering<'_, 'm> {
    /// An instruction on wide integers; whether it was one.
    pub(crate) fn wide_instruction(&mut self, inst: Value<'m>) -> bool {
        if inst.operand_count() == 0 {
            return false;
        }
        let (from, to) = (width(inst.operand(0).ty()), width(inst.ty()));
        match (inst.opcode(), from, to) {
            (Opcode::LLVMAdd | Opcode::LLVMSub, Some(bits), _) => self.wide_sum(inst, bits),
            (Opcode::LLVMShl | Opcode::LLVMLShr | Opcode::LLVMAShr, Some(bits), _) => {
                self.wide_shift(inst, bits)
            }
            (Opcode::LLVMICmp, Some(bits), _) => self.wide_compare(inst, bits),
            (Opcode::LLVMTrunc | Opcode::LLVMZExt | Opcode::LLVMSExt, _, _)
                if from.is_some() || to.is_some() =>
            {
                self.wide_resize(inst);
            }
            (
                Opcode::LLVMMul
                | Opcode::LLVMUDiv
                | Opcode::LLVMSDiv
                | Opcode::LLVMURem
                | Opcode::LLVMSRem,
                Some(_),
                _,
            ) => {
                self.gap(Gap::Type(inst.ty().print()));
            }
            _ => return false,
        }
        true
    }

    /// Limbs as full words, the last one extended by zeros or its sign.
    fn full_limbs(&mut self, limbs: &[Operand], bits: u32, extend: CastOp) -> Vec<Operand> {
        let types = limb_types(bits);
        limbs
            .iter()
            .zip(types)
            .map(|(&limb, ty)| self.cast(extend, ty, WORD, limb))
            .collect()
    }

    /// Full words cut back to the limbs of `bits` bits.
    fn cut(&mut self, limbs: Vec<Operand>, bits: u32) -> Vec<Operand> {
        let types = limb_types(bits);
        limbs
            .into_iter()
            .zip(types)
            .map(|(limb, ty)| self.resize(limb, WORD, ty))
            .collect()
    }

    fn wide_sum(&mut self, inst: Value<'m>, bits: u32) {
        let subtract = inst.opcode() == Opcode::LLVMSub;
        let (a, b) = (
            self.leaves_of(inst.operand(0)),
            self.leaves_of(inst.operand(1)),
        );
        let (a, b) = (
            self.full_limbs(&a, bits, CastOp::ZExt),
            self.full_limbs(&b, bits, CastOp::ZExt),
        );
        let (op, overflow) = if subtract {
            (IntBinary::Sub, IntBinary::USubOverflow)
        } else {
            (IntBinary::Add, IntBinary::UAddOverflow)
        };
        let mut carry = Operand::Bits(0);
        let mut limbs = Vec::new();
        for (a, b) in a.into_iter().zip(b) {
            let first = self.int_binary(op, WORD, a, b);
            let over_first = self.emit(
                Op::IntBinary {
                    op: overflow,
                    ty: WORD,
                    a,
                    b,
                },
                Type::BOOL,
            );
            let extra = self.cast(CastOp::ZExt, Type::BOOL, WORD, carry);
            let second = self.int_binary(op, WORD, first, extra);
            let over_second = self.emit(
                Op::IntBinary {
                    op: overflow,
                    ty: WORD,
                    a: first,
                    b: extra,
                },
                Type::BOOL,
            );
            carry = self.int_binary(IntBinary::Or, Type::BOOL, over_first, over_second);
            limbs.push(second);
        }
        let limbs = self.cut(limbs, bits);
        self.define(inst, limbs);
    }

    fn wide_shift(&mut self, inst: Value<'m>, bits: u32) {
        let count = match self.leaves_of(inst.operand(1)).as_slice() {
            [Operand::Bits(low), rest @ ..]
                if rest.iter().all(|limb| *limb == Operand::Bits(0)) =>
            {
                *low
            }
            _ => {
                return self.gap(Gap::Instruction(
                    "shift of a wide integer by a variable".to_owned(),
                ));
            }
        };
        let count = u32::try_from(count).unwrap_or(bits).min(bits);
        let left = inst.opcode() == Opcode::LLVMShl;
        let arithmetic = inst.opcode() == Opcode::LLVMAShr;
        let extend = if arithmetic {
            CastOp::SExt
        } else {
            CastOp::ZExt
        };
        let source = self.leaves_of(inst.operand(0));
        let limbs = self.full_limbs(&source, bits, extend);
        // What comes in from beyond the top: copies of the sign, or nothing.
        let fill = match limbs.last() {
            Some(&top) if arithmetic => {
                self.int_binary(IntBinary::AShr, WORD, top, Operand::Bits(63))
            }
            _ => Operand::Bits(0),
        };
        let (words, rest) = ((count / LIMB) as usize, count % LIMB);
        let at = |index: Option<usize>| match index {
            Some(index) => limbs.get(index).copied().unwrap_or(fill),
            None => Operand::Bits(0),
        };
        let mut result = Vec::new();
        for index in 0..limbs.len() {
            // The two source limbs that this one is made of.
            let (high, low) = if left {
                (
                    at(index.checked_sub(words)),
                    at(index.checked_sub(words + 1)),
                )
            } else {
                (at(Some(index + words + 1)), at(Some(index + words)))
            };
            let limb = match (rest, left) {
                (0, true) => high,
                (0, false) => low,
                (rest, left) => {
                    let up = if left { rest } else { LIMB - rest };
                    let a = self.int_binary(IntBinary::Shl, WORD, high, Operand::Bits(up.into()));
                    let b = self.int_binary(
                        IntBinary::LShr,
                        WORD,
                        low,
                        Operand::Bits((LIMB - up).into()),
                    );
                    self.int_binary(IntBinary::Or, WORD, a, b)
                }
            };
            result.push(limb);
        }
        let result = self.cut(result, bits);
        self.define(inst, result);
    }

    fn wide_compare(&mut self, inst: Value<'m>, bits: u32) {
        use raw::IntPredicate::*;
        let predicate = inst.int_predicate();
        let signed = matches!(predicate, LLVMIntSGT | LLVMIntSGE | LLVMIntSLT | LLVMIntSLE);
        let extend = if signed { CastOp::SExt } else { CastOp::ZExt };
        let (a, b) = (
            self.leaves_of(inst.operand(0)),
            self.leaves_of(inst.operand(1)),
        );
        let (a, b) = (
            self.full_limbs(&a, bits, extend),
            self.full_limbs(&b, bits, extend),
        );
        let last = a.len() - 1;
        // From the lowest limb up: a higher limb that differs decides.
        let (mut less, mut equal) = (Operand::Bits(0), Operand::Bits(1));
        for (index, (a, b)) in a.into_iter().zip(b).enumerate() {
            let op = if signed && index == last {
                IntPredicate::SLt
            } else {
                IntPredicate::ULt
            };
            let here_less = self.emit(Op::IntCompare { op, ty: WORD, a, b }, Type::BOOL);
            let here_equal = self.emit(
                Op::IntCompare {
                    op: IntPredicate::Eq,
                    ty: WORD,
                    a,
                    b,
                },
                Type::BOOL,
            );
            let kept = self.int_binary(IntBinary::And, Type::BOOL, here_equal, less);
            less = self.int_binary(IntBinary::Or, Type::BOOL, here_less, kept);
            equal = self.int_binary(IntBinary::And, Type::BOOL, equal, here_equal);
        }
        let not =
            |this: &mut Self, a| this.int_binary(IntBinary::Xor, Type::BOOL, a, Operand::Bits(1));
        let or = |this: &mut Self, a, b| this.int_binary(IntBinary::Or, Type::BOOL, a, b);
        let result = match predicate {
            LLVMIntEQ => equal,
            LLVMIntNE => not(self, equal),
            LLVMIntULT | LLVMIntSLT => less,
            LLVMIntULE | LLVMIntSLE => or(self, less, equal),
            LLVMIntUGE | LLVMIntSGE => not(self, less),
            LLVMIntUGT | LLVMIntSGT => {
                let at_most = or(self, less, equal);
                not(self, at_most)
            }
        };
        self.define(inst, vec![result]);
    }

    fn wide_resize(&mut self, inst: Value<'m>) {
        let (from, to) = (inst.operand(0).ty().int_bits(), inst.ty().int_bits());
        let extend = if inst.opcode() == Opcode::LLVMSExt {
            CastOp::SExt
        } else {
            CastOp::ZExt
        };
        let source = self.leaves_of(inst.operand(0));
        // Up to 128 bits are one value: take it apart first.
        let mut limbs = if from > 128 {
            self.full_limbs(&source, from, extend)
        } else {
            let (ty, value) = (
                Type::Int(from as u8),
                source.first().copied().unwrap_or(Operand::Bits(0)),
            );
            if from <= LIMB {
                vec![self.cast(extend, ty, WORD, value)]
            } else {
                let whole = self.cast(extend, ty, Type::Int(128), value);
                let high =
                    self.int_binary(IntBinary::LShr, Type::Int(128), whole, Operand::Bits(64));
                vec![
                    self.resize(whole, Type::Int(128), WORD),
                    self.resize(high, Type::Int(128), WORD),
                ]
            }
        };
        let fill = match limbs.last() {
            Some(&top) if extend == CastOp::SExt => {
                self.int_binary(IntBinary::AShr, WORD, top, Operand::Bits(63))
            }
            _ => Operand::Bits(0),
        };
        limbs.resize(to.div_ceil(LIMB) as usize, fill);
        let result = if to > 128 {
            self.cut(limbs, to)
        } else if to <= LIMB {
            vec![self.resize(limbs[0], WORD, Type::Int(to as u8))]
        } else {
            let wide = Type::Int(128);
            let low = self.cast(CastOp::ZExt, WORD, wide, limbs[0]);
            let high = self.cast(CastOp::ZExt, WORD, wide, limbs[1]);
            let high = self.int_binary(IntBinary::Shl, wide, high, Operand::Bits(64));
            let whole = self.int_binary(IntBinary::Or, wide, low, high);
            vec![self.resize(whole, wide, Type::Int(to as u8))]
        };
        self.define(inst, result);
    }
}
