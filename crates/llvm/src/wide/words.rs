//! Numbers as lists of 64-bit words, lowest first: sums, products, shifts, comparisons.
//!
//! **Invariant:** everything is exact modulo two to the power of all bits of the list; whoever
//! needs the carry makes the lists longer first ([`FunctionLowering::words_extended`]).

use brownout_ir::{CastOp, IntBinary, IntPredicate, Op, Operand, Type};

use super::{LIMB, WORD};
use crate::function::FunctionLowering;

/// A number, lowest word first.
pub(super) type Words = Vec<Operand>;

const DOUBLE: Type = Type::Int(128);

impl FunctionLowering<'_, '_> {
    /// Zero, or all ones if the number is negative.
    fn words_sign(&mut self, words: &[Operand]) -> Operand {
        let top = words.last().copied().unwrap_or(Operand::Bits(0));
        self.int_binary(IntBinary::AShr, WORD, top, Operand::Bits(63))
    }

    /// The lowest `bits` bits of a number, extended to `count` words.
    pub(super) fn words_extended(
        &mut self,
        words: &[Operand],
        bits: u32,
        extend: CastOp,
        count: usize,
    ) -> Words {
        let used = bits.div_ceil(LIMB) as usize;
        let mut result = words[..used.min(words.len())].to_vec();
        if let (Some(top), rest @ 1..) = (result.last_mut(), bits % LIMB) {
            let ty = Type::Int(rest as u8);
            let cut = self.resize(*top, WORD, ty);
            *top = self.cast(extend, ty, WORD, cut);
        }
        let fill = match extend {
            CastOp::SExt => self.words_sign(&result),
            _ => Operand::Bits(0),
        };
        result.resize(count, fill);
        result
    }

    /// `a + b` or `a - b`.
    pub(super) fn words_sum(&mut self, op: IntBinary, a: &[Operand], b: &[Operand]) -> Words {
        let overflow = match op {
            IntBinary::Sub => IntBinary::USubOverflow,
            _ => IntBinary::UAddOverflow,
        };
        let mut carry = Operand::Bits(0);
        let mut sum = Vec::with_capacity(a.len());
        for (&a, &b) in a.iter().zip(b) {
            let first = self.int_binary(op, WORD, a, b);
            let over_first = self.word_overflows(overflow, a, b);
            let extra = self.cast(CastOp::ZExt, Type::BOOL, WORD, carry);
            let second = self.int_binary(op, WORD, first, extra);
            let over_second = self.word_overflows(overflow, first, extra);
            carry = self.int_binary(IntBinary::Or, Type::BOOL, over_first, over_second);
            sum.push(second);
        }
        sum
    }

    fn word_overflows(&mut self, op: IntBinary, a: Operand, b: Operand) -> Operand {
        let ty = WORD;
        self.emit(Op::IntBinary { op, ty, a, b }, Type::BOOL)
    }

    /// `a * b`, as on paper.
    pub(super) fn words_product(&mut self, a: &[Operand], b: &[Operand]) -> Words {
        let count = a.len();
        let mut product = vec![Operand::Bits(0); count];
        for (row, &a) in a.iter().enumerate() {
            let a = self.cast(CastOp::ZExt, WORD, DOUBLE, a);
            let mut carry = Operand::Bits(0);
            for (&b, place) in b.iter().zip(row..count) {
                let b = self.cast(CastOp::ZExt, WORD, DOUBLE, b);
                let before = self.cast(CastOp::ZExt, WORD, DOUBLE, product[place]);
                // The largest product and two more words are the largest double word.
                let once = self.int_binary(IntBinary::Mul, DOUBLE, a, b);
                let twice = self.int_binary(IntBinary::Add, DOUBLE, once, before);
                let whole = self.int_binary(IntBinary::Add, DOUBLE, twice, carry);
                product[place] = self.resize(whole, DOUBLE, WORD);
                carry = self.int_binary(IntBinary::LShr, DOUBLE, whole, Operand::Bits(64));
            }
        }
        product
    }

    /// A number shifted by a constant.
    pub(super) fn words_shifted(&mut self, op: IntBinary, words: &[Operand], count: u32) -> Words {
        let left = op == IntBinary::Shl;
        // What comes in from beyond the top: copies of the sign, or nothing.
        let fill = match op {
            IntBinary::AShr => self.words_sign(words),
            _ => Operand::Bits(0),
        };
        let (whole, rest) = ((count / LIMB) as usize, count % LIMB);
        let at = |index: Option<usize>| match index {
            Some(index) => words.get(index).copied().unwrap_or(fill),
            None => Operand::Bits(0),
        };
        let mut result = Vec::with_capacity(words.len());
        for index in 0..words.len() {
            // The two words that this one is made of.
            let (high, low) = match left {
                true => (
                    at(index.checked_sub(whole)),
                    at(index.checked_sub(whole + 1)),
                ),
                false => (at(Some(index + whole + 1)), at(Some(index + whole))),
            };
            result.push(match (rest, left) {
                (0, true) => high,
                (0, false) => low,
                (rest, left) => {
                    let up = if left { rest } else { LIMB - rest };
                    let down = LIMB - up;
                    let a = self.int_binary(IntBinary::Shl, WORD, high, Operand::Bits(up.into()));
                    let b = self.int_binary(IntBinary::LShr, WORD, low, Operand::Bits(down.into()));
                    self.int_binary(IntBinary::Or, WORD, a, b)
                }
            });
        }
        result
    }

    /// A number of `bits` bits shifted by a variable below `bits`: once for every bit of the count.
    pub(super) fn words_shifted_by(
        &mut self,
        op: IntBinary,
        words: Words,
        count: Operand,
        bits: u32,
    ) -> Words {
        let mut result = words;
        for bit in 0..u32::BITS - (bits - 1).leading_zeros() {
            let shifted = self.words_shifted(op, &result, 1 << bit);
            let bit = self.int_binary(IntBinary::LShr, WORD, count, Operand::Bits(bit.into()));
            let condition = self.resize(bit, WORD, Type::BOOL);
            result = self.words_chosen(condition, &shifted, &result);
        }
        result
    }

    /// `condition ? a : b`.
    pub(super) fn words_chosen(
        &mut self,
        condition: Operand,
        a: &[Operand],
        b: &[Operand],
    ) -> Words {
        let mut chosen = Vec::with_capacity(a.len());
        for (&a, &b) in a.iter().zip(b) {
            let ty = WORD;
            let select = Op::Select {
                ty,
                condition,
                a,
                b,
            };
            chosen.push(self.emit(select, ty));
        }
        chosen
    }

    /// Whether `a < b`, and whether `a = b`; the sign counts if numbers are extended by it.
    pub(super) fn words_compared(
        &mut self,
        a: &[Operand],
        b: &[Operand],
        extend: CastOp,
    ) -> (Operand, Operand) {
        let last = a.len().saturating_sub(1);
        // From the lowest word up: a higher one that differs decides.
        let (mut less, mut equal) = (Operand::Bits(0), Operand::Bits(1));
        for (index, (&a, &b)) in a.iter().zip(b).enumerate() {
            let op = if extend == CastOp::SExt && index == last {
                IntPredicate::SLt
            } else {
                IntPredicate::ULt
            };
            let here_less = self.word_compared(op, a, b);
            let here_equal = self.word_compared(IntPredicate::Eq, a, b);
            let kept = self.int_binary(IntBinary::And, Type::BOOL, here_equal, less);
            less = self.int_binary(IntBinary::Or, Type::BOOL, here_less, kept);
            equal = self.int_binary(IntBinary::And, Type::BOOL, equal, here_equal);
        }
        (less, equal)
    }

    pub(super) fn word_compared(&mut self, op: IntPredicate, a: Operand, b: Operand) -> Operand {
        let ty = WORD;
        self.emit(Op::IntCompare { op, ty, a, b }, Type::BOOL)
    }
}
