//! Intrinsics on wide integers.

use brownout_ir::{CastOp, IntBinary, IntPredicate, IntUnary, Op, Operand, Type};

use super::words::Words;
use super::{LIMB, MOST_FACTORS, WORD};
use crate::error::Gap;
use crate::function::FunctionLowering;
use crate::leaves;
use crate::raw::Value;

/// How an operation with two operands is computed exactly.
struct Exact {
    op: IntBinary,
    extend: CastOp,
}

impl Exact {
    /// Of the stem of an intrinsic that tells overflow, or saturates.
    fn of(stem: &str) -> Option<Self> {
        let extend = match stem.as_bytes().first()? {
            b's' => CastOp::SExt,
            b'u' => CastOp::ZExt,
            _ => return None,
        };
        let op = match stem.get(1..4)? {
            "add" => IntBinary::Add,
            "sub" => IntBinary::Sub,
            "mul" => IntBinary::Mul,
            _ => return None,
        };
        Some(Self { op, extend })
    }
}

impl<'m> FunctionLowering<'_, 'm> {
    /// An intrinsic that has to do with integers of more than 128 bits. `name` is its full name.
    pub(crate) fn wide_intrinsic(&mut self, inst: Value<'m>, stem: &str, name: &str) {
        let result = super::width(inst.operand(0).ty()).and_then(|bits| match stem {
            "umin" | "umax" | "smin" | "smax" => Some(self.wide_extreme(inst, stem, bits)),
            "abs" => Some(self.wide_magnitude(inst, bits)),
            "ctpop" => Some(self.wide_population(inst, bits)),
            "ctlz" | "cttz" => Some(self.wide_zeros(inst, stem, bits)),
            "bswap" => Some(self.wide_reversed(inst, IntUnary::ByteSwap, bits)),
            "bitreverse" => Some(self.wide_reversed(inst, IntUnary::BitReverse, bits)),
            "fshl" | "fshr" => self.wide_funnel(inst, stem, bits),
            "ucmp" | "scmp" => self.wide_three_way(inst, stem, bits),
            _ if stem.ends_with(".with.overflow") => self.wide_overflowing(inst, stem, bits),
            "uadd.sat" | "sadd.sat" | "usub.sat" | "ssub.sat" => {
                self.wide_saturated(inst, stem, bits)
            }
            _ => None,
        });
        match result {
            Some(leaves) => self.define(inst, leaves),
            None => self.gap(Gap::Intrinsic(name.to_owned())),
        }
    }

    fn wide_extreme(&mut self, inst: Value<'m>, stem: &str, bits: u32) -> Vec<Operand> {
        let extend = match stem.starts_with('s') {
            true => CastOp::SExt,
            false => CastOp::ZExt,
        };
        let a = self.wide_words(inst.operand(0), bits, extend);
        let b = self.wide_words(inst.operand(1), bits, extend);
        let (less, _) = self.words_compared(&a, &b, extend);
        let chosen = match stem.ends_with("min") {
            true => self.words_chosen(less, &a, &b),
            false => self.words_chosen(less, &b, &a),
        };
        self.wide_limbs(chosen, bits)
    }

    fn wide_magnitude(&mut self, inst: Value<'m>, bits: u32) -> Vec<Operand> {
        let a = self.wide_words(inst.operand(0), bits, CastOp::SExt);
        let zero = vec![Operand::Bits(0); a.len()];
        let negated = self.words_sum(IntBinary::Sub, &zero, &a);
        let (negative, _) = self.words_compared(&a, &zero, CastOp::SExt);
        let chosen = self.words_chosen(negative, &negated, &a);
        self.wide_limbs(chosen, bits)
    }

    /// A small number as a wide one.
    fn wide_small(&mut self, number: Operand, bits: u32) -> Vec<Operand> {
        let mut words: Words = vec![Operand::Bits(0); bits.div_ceil(LIMB) as usize];
        if let Some(lowest) = words.first_mut() {
            *lowest = number;
        }
        self.wide_limbs(words, bits)
    }

    fn wide_population(&mut self, inst: Value<'m>, bits: u32) -> Vec<Operand> {
        let mut sum = Operand::Bits(0);
        for a in self.wide_words(inst.operand(0), bits, CastOp::ZExt) {
            let count = self.word_unary(IntUnary::PopCount, a);
            sum = self.int_binary(IntBinary::Add, WORD, sum, count);
        }
        self.wide_small(sum, bits)
    }

    /// Leading or trailing zeros: those of the first word that has a one, and all words before it.
    fn wide_zeros(&mut self, inst: Value<'m>, stem: &str, bits: u32) -> Vec<Operand> {
        let mut words = self.wide_words(inst.operand(0), bits, CastOp::ZExt);
        let unused = words.len() as u32 * LIMB - bits;
        let op = match stem {
            "ctlz" => {
                // Zeros above the number do not count.
                words = self.words_shifted(IntBinary::Shl, &words, unused);
                IntUnary::LeadingZeros
            }
            _ => {
                words.reverse();
                IntUnary::TrailingZeros
            }
        };
        let mut zeros = Operand::Bits(0);
        for (index, word) in words.into_iter().enumerate() {
            let here = self.word_unary(op, word);
            let more = self.int_binary(IntBinary::Add, WORD, zeros, Operand::Bits(64));
            let condition = self.word_compared(IntPredicate::Eq, word, Operand::Bits(0));
            let (a, b, ty) = (more, here, WORD);
            zeros = match index {
                0 => here,
                _ => self.emit(
                    Op::Select {
                        ty,
                        condition,
                        a,
                        b,
                    },
                    ty,
                ),
            };
        }
        // All zero: as many as there are bits.
        let zeros = self.int_binary(IntBinary::UMin, WORD, zeros, Operand::Bits(bits.into()));
        self.wide_small(zeros, bits)
    }

    fn word_unary(&mut self, op: IntUnary, a: Operand) -> Operand {
        let ty = WORD;
        self.emit(Op::IntUnary { op, ty, a }, ty)
    }

    fn wide_reversed(&mut self, inst: Value<'m>, op: IntUnary, bits: u32) -> Vec<Operand> {
        let words = self.wide_words(inst.operand(0), bits, CastOp::ZExt);
        let unused = words.len() as u32 * LIMB - bits;
        let mut reversed = Vec::with_capacity(words.len());
        for word in words.into_iter().rev() {
            reversed.push(self.word_unary(op, word));
        }
        let result = self.words_shifted(IntBinary::LShr, &reversed, unused);
        self.wide_limbs(result, bits)
    }

    /// Funnel shifts by constants.
    fn wide_funnel(&mut self, inst: Value<'m>, stem: &str, bits: u32) -> Option<Vec<Operand>> {
        let count = self.wide_words(inst.operand(2), bits, CastOp::ZExt);
        let &[Operand::Bits(count), ref rest @ ..] = count.as_slice() else {
            return None;
        };
        if rest.iter().any(|word| *word != Operand::Bits(0)) {
            return None;
        }
        let count = u32::try_from(count % u128::from(bits)).ok()?;
        let (up, down) = match stem {
            "fshl" => (count, bits - count),
            _ => (bits - count, count),
        };
        let a = self.wide_words(inst.operand(0), bits, CastOp::ZExt);
        let b = self.wide_words(inst.operand(1), bits, CastOp::ZExt);
        let a = self.words_shifted(IntBinary::Shl, &a, up);
        let b = self.words_shifted(IntBinary::LShr, &b, down);
        let mut words = Vec::with_capacity(a.len());
        for (a, b) in a.into_iter().zip(b) {
            words.push(self.int_binary(IntBinary::Or, WORD, a, b));
        }
        Some(self.wide_limbs(words, bits))
    }

    fn wide_three_way(&mut self, inst: Value<'m>, stem: &str, bits: u32) -> Option<Vec<Operand>> {
        let ty = leaves::scalar(inst.ty())?;
        let extend = match stem {
            "scmp" => CastOp::SExt,
            _ => CastOp::ZExt,
        };
        let a = self.wide_words(inst.operand(0), bits, extend);
        let b = self.wide_words(inst.operand(1), bits, extend);
        let (less, _) = self.words_compared(&a, &b, extend);
        let (greater, _) = self.words_compared(&b, &a, extend);
        let up = self.cast(CastOp::ZExt, Type::BOOL, ty, greater);
        let down = self.cast(CastOp::ZExt, Type::BOOL, ty, less);
        Some(vec![self.int_binary(IntBinary::Sub, ty, up, down)])
    }

    /// The exact result, in as many words as it takes.
    fn wide_exact(&mut self, inst: Value<'m>, exact: &Exact, bits: u32) -> Option<Words> {
        let a = self.wide_words(inst.operand(0), bits, exact.extend);
        let b = self.wide_words(inst.operand(1), bits, exact.extend);
        let needed = match exact.op {
            IntBinary::Mul => bits.checked_mul(2)?,
            _ => bits + 1,
        };
        let count = needed.div_ceil(LIMB) as usize;
        let a = self.words_extended(&a, bits, exact.extend, count);
        let b = self.words_extended(&b, bits, exact.extend, count);
        match exact.op {
            IntBinary::Mul if count > MOST_FACTORS => None,
            IntBinary::Mul => Some(self.words_product(&a, &b)),
            op => Some(self.words_sum(op, &a, &b)),
        }
    }

    /// Whether a number is more than its lowest `bits` bits say.
    fn wide_exceeds(&mut self, words: &[Operand], bits: u32, extend: CastOp) -> Operand {
        let kept = self.words_extended(words, bits, extend, words.len());
        let (_, equal) = self.words_compared(words, &kept, extend);
        self.int_binary(IntBinary::Xor, Type::BOOL, equal, Operand::Bits(1))
    }

    fn wide_overflowing(&mut self, inst: Value<'m>, stem: &str, bits: u32) -> Option<Vec<Operand>> {
        let exact = Exact::of(stem)?;
        let result = self.wide_exact(inst, &exact, bits)?;
        let exceeds = self.wide_exceeds(&result, bits, exact.extend);
        let mut leaves = self.wide_limbs(result, bits);
        leaves.push(exceeds);
        Some(leaves)
    }

    fn wide_saturated(&mut self, inst: Value<'m>, stem: &str, bits: u32) -> Option<Vec<Operand>> {
        let exact = Exact::of(stem)?;
        let result = self.wide_exact(inst, &exact, bits)?;
        let exceeds = self.wide_exceeds(&result, bits, exact.extend);
        let zero = vec![Operand::Bits(0); result.len()];
        let ones = vec![Operand::Bits(u64::MAX.into()); result.len()];
        let limit = match (exact.extend, exact.op) {
            (CastOp::SExt, _) => {
                let unused = result.len() as u32 * LIMB - bits + 1;
                let largest = self.words_shifted(IntBinary::LShr, &ones, unused);
                let smallest = self.words_sum(IntBinary::Sub, &ones, &largest);
                let (negative, _) = self.words_compared(&result, &zero, CastOp::SExt);
                self.words_chosen(negative, &smallest, &largest)
            }
            (_, IntBinary::Sub) => zero,
            _ => ones,
        };
        let chosen = self.words_chosen(exceeds, &limit, &result);
        Some(self.wide_limbs(chosen, bits))
    }
}
