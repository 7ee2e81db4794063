//! What every operator computes: the only definition of arithmetic.
//!
//! Integers are kept zero-extended in `u64` ([`narrow`], up to 64 bits) or
//! `u128` ([`wide`], up to 128 bits). Everything is inlined with constant
//! operator and width, so an interpreter that dispatches on them pays for the
//! one operation only.
//!
//! Where C and LLVM leave a result undefined we choose, once and here: shifts
//! by too much give zero (or the sign), `INT_MIN / -1` wraps, conversions of
//! floats that do not fit saturate.

mod float;

pub use float::{float_binary, float_compare, float_fma, float_unary};
pub use float::{float_to_float, float_to_int, int_to_float};

use crate::ops::*;

/// Why an operator has no result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DivisionByZero;

/// Integer evaluation on a machine word type.
macro_rules! integers {
    ($(#[$meta:meta])* $module:ident, $word:ty, $signed:ty) => {
        $(#[$meta])*
        pub mod $module {
            use super::*;

            const WORD: u32 = <$word>::BITS;

            /// The low `bits` bits set.
            #[inline(always)]
            pub const fn mask(bits: u32) -> $word {
                <$word>::MAX >> (WORD - bits)
            }

            /// Zero-extended to sign-extended.
            #[inline(always)]
            pub const fn signed(bits: u32, a: $word) -> $signed {
                ((a << (WORD - bits)) as $signed) >> (WORD - bits)
            }

            /// Sign-extended to zero-extended.
            #[inline(always)]
            pub const fn unsigned(bits: u32, a: $signed) -> $word {
                a as $word & mask(bits)
            }

            #[inline(always)]
            const fn signed_min(bits: u32) -> $signed {
                <$signed>::MIN >> (WORD - bits)
            }

            #[inline(always)]
            const fn signed_max(bits: u32) -> $signed {
                <$signed>::MAX >> (WORD - bits)
            }

            /// Operators of two operands.
            #[inline(always)]
            pub fn binary(op: IntBinary, bits: u32, a: $word, b: $word) -> Result<$word, DivisionByZero> {
                let (sa, sb) = (signed(bits, a), signed(bits, b));
                Ok(match op {
                    IntBinary::Add => a.wrapping_add(b) & mask(bits),
                    IntBinary::Sub => a.wrapping_sub(b) & mask(bits),
                    IntBinary::Mul => a.wrapping_mul(b) & mask(bits),
                    IntBinary::UDiv => a.checked_div(b).ok_or(DivisionByZero)?,
                    IntBinary::URem => a.checked_rem(b).ok_or(DivisionByZero)?,
                    IntBinary::SDiv if b == 0 => return Err(DivisionByZero),
                    IntBinary::SDiv => unsigned(bits, sa.wrapping_div(sb)),
                    IntBinary::SRem if b == 0 => return Err(DivisionByZero),
                    IntBinary::SRem => unsigned(bits, sa.wrapping_rem(sb)),
                    IntBinary::And => a & b,
                    IntBinary::Or => a | b,
                    IntBinary::Xor => a ^ b,
                    IntBinary::Shl => if b < bits as $word { (a << b) & mask(bits) } else { 0 },
                    IntBinary::LShr => if b < bits as $word { a >> b } else { 0 },
                    IntBinary::AShr => unsigned(bits, sa >> b.min(bits as $word - 1)),
                    IntBinary::UMin => a.min(b),
                    IntBinary::UMax => a.max(b),
                    IntBinary::SMin => unsigned(bits, sa.min(sb)),
                    IntBinary::SMax => unsigned(bits, sa.max(sb)),
                    IntBinary::UAddSat => a.checked_add(b).map_or(mask(bits), |sum| sum.min(mask(bits))),
                    IntBinary::USubSat => a.saturating_sub(b),
                    IntBinary::SAddSat => clamp(bits, sa.saturating_add(sb)),
                    IntBinary::SSubSat => clamp(bits, sa.saturating_sub(sb)),
                    IntBinary::UShlSat => {
                        let shifted = if b < bits as $word { (a << b) & mask(bits) } else { 0 };
                        if b < bits as $word && shifted >> b == a { shifted } else if a == 0 { 0 } else { mask(bits) }
                    }
                    IntBinary::SShlSat => {
                        let shifted = if b < bits as $word { signed(bits, (a << b) & mask(bits)) } else { 0 };
                        if b < bits as $word && shifted >> b == sa {
                            unsigned(bits, shifted)
                        } else if sa == 0 {
                            0
                        } else if sa < 0 {
                            unsigned(bits, signed_min(bits))
                        } else {
                            unsigned(bits, signed_max(bits))
                        }
                    }
                    IntBinary::UAddOverflow => a.checked_add(b).is_none_or(|sum| sum > mask(bits)) as $word,
                    IntBinary::USubOverflow => (a < b) as $word,
                    IntBinary::UMulOverflow => a.checked_mul(b).is_none_or(|product| product > mask(bits)) as $word,
                    IntBinary::SAddOverflow => sa.checked_add(sb).is_none_or(|sum| outside(bits, sum)) as $word,
                    IntBinary::SSubOverflow => sa.checked_sub(sb).is_none_or(|difference| outside(bits, difference)) as $word,
                    IntBinary::SMulOverflow => sa.checked_mul(sb).is_none_or(|product| outside(bits, product)) as $word,
                })
            }

            #[inline(always)]
            fn clamp(bits: u32, a: $signed) -> $word {
                unsigned(bits, a.clamp(signed_min(bits), signed_max(bits)))
            }

            #[inline(always)]
            fn outside(bits: u32, a: $signed) -> bool {
                a < signed_min(bits) || a > signed_max(bits)
            }

            /// Operators of one operand.
            #[inline(always)]
            pub fn unary(op: IntUnary, bits: u32, a: $word) -> $word {
                match op {
                    IntUnary::PopCount => a.count_ones() as $word,
                    IntUnary::LeadingZeros => (a.leading_zeros() - (WORD - bits)) as $word,
                    IntUnary::TrailingZeros => a.trailing_zeros().min(bits) as $word,
                    IntUnary::ByteSwap => a.swap_bytes() >> (WORD - bits),
                    IntUnary::BitReverse => a.reverse_bits() >> (WORD - bits),
                    IntUnary::Abs => unsigned(bits, signed(bits, a).wrapping_abs()),
                }
            }

            /// Operators of three operands.
            #[inline(always)]
            pub fn ternary(op: IntTernary, bits: u32, a: $word, b: $word, c: $word) -> $word {
                let count = (c % bits as $word) as u32;
                match op {
                    IntTernary::FunnelLeft if count == 0 => a,
                    IntTernary::FunnelLeft => ((a << count) | (b >> (bits - count))) & mask(bits),
                    IntTernary::FunnelRight if count == 0 => b,
                    IntTernary::FunnelRight => ((a << (bits - count)) | (b >> count)) & mask(bits),
                }
            }

            /// Comparisons.
            #[inline(always)]
            pub fn compare(op: IntPredicate, bits: u32, a: $word, b: $word) -> bool {
                let (sa, sb) = (signed(bits, a), signed(bits, b));
                match op {
                    IntPredicate::Eq => a == b,
                    IntPredicate::Ne => a != b,
                    IntPredicate::ULt => a < b,
                    IntPredicate::ULe => a <= b,
                    IntPredicate::UGt => a > b,
                    IntPredicate::UGe => a >= b,
                    IntPredicate::SLt => sa < sb,
                    IntPredicate::SLe => sa <= sb,
                    IntPredicate::SGt => sa > sb,
                    IntPredicate::SGe => sa >= sb,
                }
            }
        }
    };
}

integers! {
    /// Integers of up to 64 bits.
    narrow, u64, i64
}
integers! {
    /// Integers of up to 128 bits.
    wide, u128, i128
}

/// Conversions between integers and between equal bits; floats go through
/// [`int_to_float`], [`float_to_int`] and [`float_to_float`].
#[inline(always)]
pub fn resize(signed: Signedness, from: u32, to: u32, a: u128) -> u128 {
    match signed {
        Signedness::Unsigned => a & wide::mask(to),
        Signedness::Signed => wide::unsigned(to, wide::signed(from, a)),
    }
}

/// Whether the top bit of an integer is a sign.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Signedness {
    /// It is not.
    Unsigned,
    /// It is.
    Signed,
}

/// Any conversion, on the bits of the two types.
pub fn cast(
    op: CastOp,
    from: crate::Type,
    from_bits: u32,
    to: crate::Type,
    to_bits: u32,
    a: u128,
) -> u128 {
    use crate::Type;
    match (op, from, to) {
        (
            CastOp::ZExt | CastOp::Trunc | CastOp::Bitcast | CastOp::PtrToInt | CastOp::IntToPtr,
            _,
            _,
        ) => resize(Signedness::Unsigned, from_bits, to_bits, a),
        (CastOp::SExt, _, _) => resize(Signedness::Signed, from_bits, to_bits, a),
        (CastOp::FloatToUInt, Type::Float(kind), _) => {
            float_to_int(kind, Signedness::Unsigned, to_bits, a)
        }
        (CastOp::FloatToSInt, Type::Float(kind), _) => {
            float_to_int(kind, Signedness::Signed, to_bits, a)
        }
        (CastOp::UIntToFloat, _, Type::Float(kind)) => {
            int_to_float(kind, Signedness::Unsigned, from_bits, a)
        }
        (CastOp::SIntToFloat, _, Type::Float(kind)) => {
            int_to_float(kind, Signedness::Signed, from_bits, a)
        }
        (CastOp::FloatExt | CastOp::FloatTrunc, Type::Float(source), Type::Float(result)) => {
            float_to_float(source, result, a)
        }
        // The verifier rejects every other combination of types.
        (
            CastOp::FloatToUInt
            | CastOp::FloatToSInt
            | CastOp::UIntToFloat
            | CastOp::SIntToFloat
            | CastOp::FloatExt
            | CastOp::FloatTrunc,
            _,
            _,
        ) => resize(Signedness::Unsigned, from_bits, to_bits, a),
    }
}
