//! Every operator of the IR as a term.
//!
//! `ir::eval` is the one meaning of every operator; what is written here is held against it, operator
//! by operator and width by width (`tests/operators.rs`). Floating-point operators are uninterpreted
//! functions of the bits of their operands: equal operands give equal results, and nothing else is
//! known.

use std::collections::BTreeMap;

use brownout_ir::{
    CastOp, FloatBinary, FloatPredicate, FloatUnary, IntBinary, IntPredicate, IntTernary, IntUnary,
    Type,
};
use brownout_solver::{Binary, Function, Term, Terms};

/// An operator without a meaning here.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Opaque {
    /// Of two floats.
    Binary(FloatBinary),
    /// Of one float.
    Unary(FloatUnary),
    /// `a * b + c` with one rounding.
    MultiplyAdd,
    /// A comparison of floats.
    Compare(FloatPredicate),
    /// A conversion from or to floats.
    Cast(CastOp),
}

/// The uninterpreted functions that stand for opaque operators, by operator and widths.
#[derive(Default, Debug)]
pub struct Operators {
    functions: BTreeMap<(Opaque, Vec<u32>, u32), Function>,
}

/// A result, and the condition under which there is one (none: always).
pub type Partial = (Term, Option<Term>);

impl Operators {
    /// An operator that nothing is known of but that equal operands give equal results.
    pub fn opaque(&mut self, terms: &mut Terms, op: Opaque, operands: &[Term], width: u32) -> Term {
        let widths: Vec<u32> = operands.iter().map(|term| terms.width(*term)).collect();
        let key = (op, widths, width);
        let function = match self.functions.get(&key) {
            Some(known) => *known,
            None => {
                let new = terms.function(&key.1, width);
                self.functions.insert(key, new);
                new
            }
        };
        terms.apply(function, operands)
    }

    /// A conversion from a type of `from_bits` to one of `to_bits`.
    pub fn cast(&mut self, terms: &mut Terms, op: CastOp, to: (Type, u32), a: Term) -> Term {
        let (_, bits) = to;
        let from = terms.width(a);
        match op {
            CastOp::ZExt
            | CastOp::Trunc
            | CastOp::Bitcast
            | CastOp::PtrToInt
            | CastOp::IntToPtr => resize(terms, a, from, bits),
            CastOp::SExt if bits >= from => terms.sign_extend(a, bits),
            CastOp::SExt => terms.extract(a, 0, bits),
            CastOp::FloatToUInt
            | CastOp::FloatToSInt
            | CastOp::UIntToFloat
            | CastOp::SIntToFloat
            | CastOp::FloatExt
            | CastOp::FloatTrunc => self.opaque(terms, Opaque::Cast(op), &[a], bits),
        }
    }
}

/// Cut, or widened with zeros.
pub fn resize(terms: &mut Terms, a: Term, from: u32, to: u32) -> Term {
    if to <= from {
        terms.extract(a, 0, to)
    } else {
        terms.zero_extend(a, to)
    }
}

/// An integer operator of two operands.
pub fn int_binary(terms: &mut Terms, op: IntBinary, a: Term, b: Term) -> Partial {
    let width = terms.width(a);
    let plain = |term: Term| (term, None);
    match op {
        IntBinary::Add => plain(terms.add(a, b)),
        IntBinary::Sub => plain(terms.sub(a, b)),
        IntBinary::Mul => plain(terms.binary(Binary::Mul, a, b)),
        IntBinary::UDiv => divided(terms, Binary::UDiv, a, b),
        IntBinary::SDiv => divided(terms, Binary::SDiv, a, b),
        IntBinary::URem => divided(terms, Binary::URem, a, b),
        IntBinary::SRem => divided(terms, Binary::SRem, a, b),
        IntBinary::And => plain(terms.and(a, b)),
        IntBinary::Or => plain(terms.or(a, b)),
        IntBinary::Xor => plain(terms.binary(Binary::Xor, a, b)),
        IntBinary::Shl => plain(terms.binary(Binary::Shl, a, b)),
        IntBinary::LShr => plain(terms.binary(Binary::LShr, a, b)),
        IntBinary::AShr => plain(terms.binary(Binary::AShr, a, b)),
        IntBinary::UMin => plain(smaller(terms, Binary::ULess, a, b, a, b)),
        IntBinary::UMax => plain(smaller(terms, Binary::ULess, a, b, b, a)),
        IntBinary::SMin => plain(smaller(terms, Binary::SLess, a, b, a, b)),
        IntBinary::SMax => plain(smaller(terms, Binary::SLess, a, b, b, a)),
        IntBinary::UAddSat => {
            let (sum, over) = (terms.add(a, b), unsigned_add_overflow(terms, a, b));
            let all = terms.constant(width, u128::MAX);
            plain(terms.choice(over, all, sum))
        }
        IntBinary::USubSat => {
            let (rest, under) = (terms.sub(a, b), terms.binary(Binary::ULess, a, b));
            let zero = terms.constant(width, 0);
            plain(terms.choice(under, zero, rest))
        }
        IntBinary::SAddSat => {
            let (sum, over) = (terms.add(a, b), signed_add_overflow(terms, a, b));
            let limit = limit(terms, a);
            plain(terms.choice(over, limit, sum))
        }
        IntBinary::SSubSat => {
            let (rest, over) = (terms.sub(a, b), signed_sub_overflow(terms, a, b));
            let limit = limit(terms, a);
            plain(terms.choice(over, limit, rest))
        }
        IntBinary::UShlSat => {
            let shifted = terms.binary(Binary::Shl, a, b);
            let back = terms.binary(Binary::LShr, shifted, b);
            let all = terms.constant(width, u128::MAX);
            plain(saturated(terms, a, b, shifted, back, all))
        }
        IntBinary::SShlSat => {
            let shifted = terms.binary(Binary::Shl, a, b);
            let back = terms.binary(Binary::AShr, shifted, b);
            let limit = limit(terms, a);
            plain(saturated(terms, a, b, shifted, back, limit))
        }
        IntBinary::UAddOverflow => plain(unsigned_add_overflow(terms, a, b)),
        IntBinary::SAddOverflow => plain(signed_add_overflow(terms, a, b)),
        IntBinary::USubOverflow => plain(terms.binary(Binary::ULess, a, b)),
        IntBinary::SSubOverflow => plain(signed_sub_overflow(terms, a, b)),
        IntBinary::UMulOverflow => {
            let (x, y) = (
                terms.zero_extend(a, 2 * width),
                terms.zero_extend(b, 2 * width),
            );
            let product = terms.binary(Binary::Mul, x, y);
            let high = terms.extract(product, width, width);
            let zero = terms.constant(width, 0);
            plain(terms.differ(high, zero))
        }
        IntBinary::SMulOverflow => {
            let (x, y) = (
                terms.sign_extend(a, 2 * width),
                terms.sign_extend(b, 2 * width),
            );
            let product = terms.binary(Binary::Mul, x, y);
            let low = terms.extract(product, 0, width);
            let exact = terms.sign_extend(low, 2 * width);
            plain(terms.differ(exact, product))
        }
    }
}

/// A division has a result unless it is by zero.
fn divided(terms: &mut Terms, op: Binary, a: Term, b: Term) -> Partial {
    let zero = terms.constant(terms.width(b), 0);
    let defined = terms.differ(b, zero);
    (terms.binary(op, a, b), Some(defined))
}

/// `then` if `a` is less than `b`, else `otherwise`.
fn smaller(terms: &mut Terms, less: Binary, a: Term, b: Term, then: Term, otherwise: Term) -> Term {
    let less = terms.binary(less, a, b);
    terms.choice(less, then, otherwise)
}

fn sign(terms: &mut Terms, a: Term) -> Term {
    let width = terms.width(a);
    terms.extract(a, width - 1, 1)
}

/// The number furthest from zero on the side of `a`.
fn limit(terms: &mut Terms, a: Term) -> Term {
    let width = terms.width(a);
    let least = terms.constant(width, 1 << (width - 1));
    let greatest = terms.constant(width, (1 << (width - 1)) - 1);
    let negative = sign(terms, a);
    terms.choice(negative, least, greatest)
}

/// A shift to the left that keeps to `limit` where it would lose bits.
fn saturated(terms: &mut Terms, a: Term, b: Term, shifted: Term, back: Term, limit: Term) -> Term {
    let width = terms.width(a);
    let zero = terms.constant(width, 0);
    let none = terms.equal(a, zero);
    let kept = terms.equal(back, a);
    let bits = terms.constant(width, u128::from(width));
    let enough = terms.binary(Binary::ULess, b, bits);
    let kept = terms.and(kept, enough);
    let full = terms.choice(none, zero, limit);
    terms.choice(kept, shifted, full)
}

fn unsigned_add_overflow(terms: &mut Terms, a: Term, b: Term) -> Term {
    let sum = terms.add(a, b);
    terms.binary(Binary::ULess, sum, a)
}

fn signed_add_overflow(terms: &mut Terms, a: Term, b: Term) -> Term {
    let sum = terms.add(a, b);
    let (a, b, sum) = (sign(terms, a), sign(terms, b), sign(terms, sum));
    let alike = terms.equal(a, b);
    let turned = terms.differ(sum, a);
    terms.and(alike, turned)
}

fn signed_sub_overflow(terms: &mut Terms, a: Term, b: Term) -> Term {
    let rest = terms.sub(a, b);
    let (a, b, rest) = (sign(terms, a), sign(terms, b), sign(terms, rest));
    let apart = terms.differ(a, b);
    let turned = terms.differ(rest, a);
    terms.and(apart, turned)
}

/// An integer operator of one operand.
pub fn int_unary(terms: &mut Terms, op: IntUnary, a: Term) -> Term {
    let width = terms.width(a);
    let zero = terms.constant(width, 0);
    match op {
        IntUnary::PopCount => {
            let mut sum = zero;
            for bit in 0..width {
                let bit = terms.extract(a, bit, 1);
                let bit = terms.zero_extend(bit, width);
                sum = terms.add(sum, bit);
            }
            sum
        }
        IntUnary::LeadingZeros => {
            let mut count = terms.constant(width, u128::from(width));
            for bit in 0..width {
                let set = terms.extract(a, bit, 1);
                let here = terms.constant(width, u128::from(width - 1 - bit));
                count = terms.choice(set, here, count);
            }
            count
        }
        IntUnary::TrailingZeros => {
            let mut count = terms.constant(width, u128::from(width));
            for bit in (0..width).rev() {
                let set = terms.extract(a, bit, 1);
                let here = terms.constant(width, u128::from(bit));
                count = terms.choice(set, here, count);
            }
            count
        }
        IntUnary::ByteSwap => reversed(terms, a, 8),
        IntUnary::BitReverse => reversed(terms, a, 1),
        IntUnary::Abs => {
            let negative = sign(terms, a);
            let minus = terms.negate(a);
            terms.choice(negative, minus, a)
        }
    }
}

/// The pieces of a term in the other order.
fn reversed(terms: &mut Terms, a: Term, piece: u32) -> Term {
    let width = terms.width(a);
    let mut all = terms.extract(a, 0, piece.min(width));
    let mut at = piece;
    while at < width {
        let next = terms.extract(a, at, piece.min(width - at));
        all = terms.concat(all, next);
        at += piece;
    }
    all
}

/// A double-width shift.
pub fn int_ternary(terms: &mut Terms, op: IntTernary, a: Term, b: Term, c: Term) -> Term {
    let width = terms.width(a);
    // One bit is shifted by nothing.
    if width == 1 {
        return match op {
            IntTernary::FunnelLeft => a,
            IntTernary::FunnelRight => b,
        };
    }
    let bits = terms.constant(width, u128::from(width));
    let count = match width.is_power_of_two() {
        true => {
            let low = terms.constant(width, u128::from(width - 1));
            terms.and(c, low)
        }
        false => terms.binary(Binary::URem, c, bits),
    };
    let rest = terms.sub(bits, count);
    let zero = terms.constant(width, 0);
    let none = terms.equal(count, zero);
    let (high, low, unshifted) = match op {
        IntTernary::FunnelLeft => (count, rest, a),
        IntTernary::FunnelRight => (rest, count, b),
    };
    let high = terms.binary(Binary::Shl, a, high);
    let low = terms.binary(Binary::LShr, b, low);
    let both = terms.or(high, low);
    terms.choice(none, unshifted, both)
}

/// A comparison.
pub fn int_compare(terms: &mut Terms, op: IntPredicate, a: Term, b: Term) -> Term {
    match op {
        IntPredicate::Eq => terms.equal(a, b),
        IntPredicate::Ne => terms.differ(a, b),
        IntPredicate::ULt => terms.binary(Binary::ULess, a, b),
        IntPredicate::UGt => terms.binary(Binary::ULess, b, a),
        IntPredicate::ULe => inverted(terms, Binary::ULess, b, a),
        IntPredicate::UGe => inverted(terms, Binary::ULess, a, b),
        IntPredicate::SLt => terms.binary(Binary::SLess, a, b),
        IntPredicate::SGt => terms.binary(Binary::SLess, b, a),
        IntPredicate::SLe => inverted(terms, Binary::SLess, b, a),
        IntPredicate::SGe => inverted(terms, Binary::SLess, a, b),
    }
}

fn inverted(terms: &mut Terms, less: Binary, a: Term, b: Term) -> Term {
    let less = terms.binary(less, a, b);
    terms.not(less)
}
