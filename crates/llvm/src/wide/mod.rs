//! Integers of more than 128 bits, as C's long rows of bit-fields and `_BitInt` make them:
//! lists of 64-bit limbs, the last one as narrow as the type leaves it.
//!
//! [`words`] computes with lists of full 64-bit words; this file and [`intrinsics`] turn
//! instructions and intrinsics into that. What is not written here (quotients, conversions from and
//! to floating point, switches) is unsupported and named with its place: nothing is ever applied to
//! single limbs as if they were numbers of their own.

mod intrinsics;
mod words;

use brownout_ir::{CastOp, IntBinary, Operand, Type};

use self::words::Words;
use crate::error::Gap;
use crate::function::FunctionLowering;
use crate::raw::{self, Opcode, TypeKind, Value};

/// Bits of a limb.
const LIMB: u32 = 64;
const WORD: Type = Type::Int(64);

/// Products of more limbs than this would be code of unreasonable size.
const MOST_FACTORS: usize = 64;

/// The width of an integer type that no single value can hold.
pub(crate) fn width(ty: raw::Type<'_>) -> Option<u32> {
    (ty.kind() == TypeKind::LLVMIntegerTypeKind)
        .then(|| ty.int_bits())
        .filter(|bits| *bits > 128)
}

/// Whether a type is or contains such an integer.
pub(crate) fn is_inside(ty: raw::Type<'_>) -> bool {
    match ty.kind() {
        TypeKind::LLVMStructTypeKind => ty.fields().into_iter().any(is_inside),
        TypeKind::LLVMArrayTypeKind | TypeKind::LLVMVectorTypeKind => is_inside(ty.element()),
        _ => width(ty).is_some(),
    }
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
    /// An instruction on wide integers; whether it was one that needs more than its limbs moved.
    pub(crate) fn wide_instruction(&mut self, inst: Value<'m>) -> bool {
        use Opcode::*;
        let moves_limbs = matches!(
            inst.opcode(),
            LLVMAlloca
                | LLVMLoad
                | LLVMStore
                | LLVMSelect
                | LLVMFreeze
                | LLVMAnd
                | LLVMOr
                | LLVMXor
                | LLVMExtractValue
                | LLVMInsertValue
                | LLVMCall
                | LLVMInvoke
                | LLVMVAArg
                | LLVMBitCast
                // An index is as good as its lowest bits.
                | LLVMGetElementPtr
        );
        if moves_limbs || inst.operand_count() == 0 {
            return false;
        }
        let (from, to) = (width(inst.operand(0).ty()), width(inst.ty()));
        match (inst.opcode(), from, to) {
            (LLVMAdd | LLVMSub | LLVMMul, Some(bits), _) => self.wide_arithmetic(inst, bits),
            (LLVMShl | LLVMLShr | LLVMAShr, Some(bits), _) => self.wide_shift(inst, bits),
            (LLVMICmp, Some(bits), _) => self.wide_compare(inst, bits),
            (LLVMTrunc | LLVMZExt | LLVMSExt, Some(_), _)
            | (LLVMTrunc | LLVMZExt | LLVMSExt, _, Some(_)) => self.wide_resize(inst),
            _ if is_inside(inst.ty()) || inst.operands().any(|operand| is_inside(operand.ty())) => {
                let opcode = crate::instruction::name(inst);
                self.gap(Gap::Instruction(format!(
                    "{opcode} of integers over 128 bits"
                )));
            }
            _ => return false,
        }
        true
    }

    /// The value of an operand, as full words.
    fn wide_words(&mut self, value: Value<'m>, bits: u32, extend: CastOp) -> Words {
        let limbs = self.leaves_of(value);
        let types = limb_types(bits);
        let mut words = Vec::with_capacity(limbs.len());
        for (limb, ty) in limbs.into_iter().zip(types) {
            words.push(self.cast(extend, ty, WORD, limb));
        }
        words
    }

    /// The lowest `bits` bits of a number, as the limbs of a value.
    fn wide_limbs(&mut self, words: Words, bits: u32) -> Vec<Operand> {
        let types = limb_types(bits);
        words
            .into_iter()
            .zip(types)
            .map(|(word, ty)| self.resize(word, WORD, ty))
            .collect()
    }

    fn wide_arithmetic(&mut self, inst: Value<'m>, bits: u32) {
        let a = self.wide_words(inst.operand(0), bits, CastOp::ZExt);
        let b = self.wide_words(inst.operand(1), bits, CastOp::ZExt);
        let result = match inst.opcode() {
            Opcode::LLVMMul if a.len() > MOST_FACTORS => {
                return self.gap(Gap::Type(inst.ty().print()));
            }
            Opcode::LLVMMul => self.words_product(&a, &b),
            Opcode::LLVMSub => self.words_sum(IntBinary::Sub, &a, &b),
            _ => self.words_sum(IntBinary::Add, &a, &b),
        };
        let limbs = self.wide_limbs(result, bits);
        self.define(inst, limbs);
    }

    fn wide_shift(&mut self, inst: Value<'m>, bits: u32) {
        let op = match inst.opcode() {
            Opcode::LLVMShl => IntBinary::Shl,
            Opcode::LLVMAShr => IntBinary::AShr,
            _ => IntBinary::LShr,
        };
        let extend = match op {
            IntBinary::AShr => CastOp::SExt,
            _ => CastOp::ZExt,
        };
        let words = self.wide_words(inst.operand(0), bits, extend);
        let count = self.wide_words(inst.operand(1), bits, CastOp::ZExt);
        let result = match count.as_slice() {
            [Operand::Bits(low), rest @ ..]
                if rest.iter().all(|limb| *limb == Operand::Bits(0)) =>
            {
                let count = u32::try_from(*low).unwrap_or(bits).min(bits);
                self.words_shifted(op, &words, count)
            }
            // More than the width is undefined: the lowest word says it all.
            &[low, ..] => self.words_shifted_by(op, words, low, bits),
            [] => return,
        };
        let limbs = self.wide_limbs(result, bits);
        self.define(inst, limbs);
    }

    fn wide_compare(&mut self, inst: Value<'m>, bits: u32) {
        use raw::IntPredicate::*;
        let predicate = inst.int_predicate();
        let signed = matches!(predicate, LLVMIntSGT | LLVMIntSGE | LLVMIntSLT | LLVMIntSLE);
        let extend = if signed { CastOp::SExt } else { CastOp::ZExt };
        let a = self.wide_words(inst.operand(0), bits, extend);
        let b = self.wide_words(inst.operand(1), bits, extend);
        let (less, equal) = self.words_compared(&a, &b, extend);
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
        // Up to 128 bits are one value: take it apart first.
        let mut limbs = if from > 128 {
            self.wide_words(inst.operand(0), from, extend)
        } else {
            let (ty, value) = (Type::Int(from as u8), self.scalar_of(inst.operand(0)));
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
            self.wide_limbs(limbs, to)
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
