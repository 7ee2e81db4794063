//! Floating-point evaluation. Single and double precision use the host's
//! arithmetic (IEEE, and bit-equal to a native build of the same program);
//! the other formats use the software implementation of `rustc_apfloat`.
//!
//! Elementary functions (`sin`, `pow`, …) of the unusual formats are computed
//! in double precision.

use rustc_apfloat::ieee::{Double, Half, Quad, Single, X87DoubleExtended};
use rustc_apfloat::{Float, FloatConvert, Round};

use super::Signedness;
use crate::ops::*;
use crate::types::FloatKind;

unsafe extern "C" {
    // Functions of C's mathematical library that Rust's standard library does not expose.
    safe fn exp10(x: f64) -> f64;
    safe fn exp10f(x: f32) -> f32;
    safe fn erf(x: f64) -> f64;
    safe fn erff(x: f32) -> f32;
    safe fn erfc(x: f64) -> f64;
    safe fn erfcf(x: f32) -> f32;
    safe fn tgamma(x: f64) -> f64;
    safe fn tgammaf(x: f32) -> f32;
    safe fn lgamma(x: f64) -> f64;
    safe fn lgammaf(x: f32) -> f32;
    safe fn remainder(x: f64, y: f64) -> f64;
    safe fn remainderf(x: f32, y: f32) -> f32;
    safe fn fdim(x: f64, y: f64) -> f64;
    safe fn fdimf(x: f32, y: f32) -> f32;
    safe fn asinh(x: f64) -> f64;
    safe fn asinhf(x: f32) -> f32;
    safe fn acosh(x: f64) -> f64;
    safe fn acoshf(x: f32) -> f32;
    safe fn atanh(x: f64) -> f64;
    safe fn atanhf(x: f32) -> f32;
}

/// Evaluation in a host format.
macro_rules! host {
    ($module:ident, $float:ty, $exp10:ident, $erf:ident, $erfc:ident, $tgamma:ident, $lgamma:ident,
     $remainder:ident, $fdim:ident, $asinh:ident, $acosh:ident, $atanh:ident) => {
        mod $module {
            use super::*;

            #[inline(always)]
            pub(super) fn binary(op: FloatBinary, a: $float, b: $float) -> $float {
                match op {
                    FloatBinary::Add => a + b,
                    FloatBinary::Sub => a - b,
                    FloatBinary::Mul => a * b,
                    FloatBinary::Div => a / b,
                    FloatBinary::Rem => a % b,
                    FloatBinary::MinNum => a.min(b),
                    FloatBinary::MaxNum => a.max(b),
                    FloatBinary::Minimum if a.is_nan() || b.is_nan() => <$float>::NAN,
                    FloatBinary::Minimum if a == b => {
                        if a.is_sign_negative() {
                            a
                        } else {
                            b
                        }
                    }
                    FloatBinary::Minimum => a.min(b),
                    FloatBinary::Maximum if a.is_nan() || b.is_nan() => <$float>::NAN,
                    FloatBinary::Maximum if a == b => {
                        if a.is_sign_negative() {
                            b
                        } else {
                            a
                        }
                    }
                    FloatBinary::Maximum => a.max(b),
                    FloatBinary::CopySign => a.copysign(b),
                    FloatBinary::Pow => a.powf(b),
                    FloatBinary::Atan2 => a.atan2(b),
                    FloatBinary::Hypot => a.hypot(b),
                    FloatBinary::Remainder => $remainder(a, b),
                    FloatBinary::Dim => $fdim(a, b),
                }
            }

            #[inline(always)]
            pub(super) fn unary(op: FloatUnary, a: $float) -> $float {
                match op {
                    FloatUnary::Neg => -a,
                    FloatUnary::Abs => a.abs(),
                    FloatUnary::Sqrt => a.sqrt(),
                    FloatUnary::Floor => a.floor(),
                    FloatUnary::Ceil => a.ceil(),
                    FloatUnary::Trunc => a.trunc(),
                    FloatUnary::Round => a.round(),
                    FloatUnary::RoundEven => a.round_ties_even(),
                    FloatUnary::Sin => a.sin(),
                    FloatUnary::Cos => a.cos(),
                    FloatUnary::Tan => a.tan(),
                    FloatUnary::Asin => a.asin(),
                    FloatUnary::Acos => a.acos(),
                    FloatUnary::Atan => a.atan(),
                    FloatUnary::Sinh => a.sinh(),
                    FloatUnary::Cosh => a.cosh(),
                    FloatUnary::Tanh => a.tanh(),
                    FloatUnary::Asinh => $asinh(a),
                    FloatUnary::Acosh => $acosh(a),
                    FloatUnary::Atanh => $atanh(a),
                    FloatUnary::Exp => a.exp(),
                    FloatUnary::Exp2 => a.exp2(),
                    FloatUnary::Exp10 => $exp10(a),
                    FloatUnary::ExpM1 => a.exp_m1(),
                    FloatUnary::Log => a.ln(),
                    FloatUnary::Log2 => a.log2(),
                    FloatUnary::Log10 => a.log10(),
                    FloatUnary::Log1P => a.ln_1p(),
                    FloatUnary::Cbrt => a.cbrt(),
                    FloatUnary::Erf => $erf(a),
                    FloatUnary::Erfc => $erfc(a),
                    FloatUnary::TGamma => $tgamma(a),
                    FloatUnary::LGamma => $lgamma(a),
                    FloatUnary::Canonicalize => a,
                }
            }

            #[inline(always)]
            pub(super) fn compare(op: FloatPredicate, a: $float, b: $float) -> bool {
                let unordered = a.is_nan() | b.is_nan();
                match op {
                    FloatPredicate::False => false,
                    FloatPredicate::OEq => a == b,
                    FloatPredicate::OGt => a > b,
                    FloatPredicate::OGe => a >= b,
                    FloatPredicate::OLt => a < b,
                    FloatPredicate::OLe => a <= b,
                    FloatPredicate::One => !unordered && a != b,
                    FloatPredicate::Ord => !unordered,
                    FloatPredicate::UEq => unordered || a == b,
                    FloatPredicate::UGt => unordered || a > b,
                    FloatPredicate::UGe => unordered || a >= b,
                    FloatPredicate::ULt => unordered || a < b,
                    FloatPredicate::ULe => unordered || a <= b,
                    FloatPredicate::UNe => a != b,
                    FloatPredicate::Uno => unordered,
                    FloatPredicate::True => true,
                }
            }
        }
    };
}
host!(
    single, f32, exp10f, erff, erfcf, tgammaf, lgammaf, remainderf, fdimf, asinhf, acoshf, atanhf
);
host!(
    double, f64, exp10, erf, erfc, tgamma, lgamma, remainder, fdim, asinh, acosh, atanh
);

/// Runs `$body` with `$F` bound to the software type of `kind`.
macro_rules! with_software_type {
    ($kind:expr, $F:ident => $body:expr) => {
        match $kind {
            FloatKind::Half => {
                type $F = Half;
                $body
            }
            FloatKind::Single => {
                type $F = Single;
                $body
            }
            FloatKind::Double => {
                type $F = Double;
                $body
            }
            FloatKind::Extended => {
                type $F = X87DoubleExtended;
                $body
            }
            FloatKind::Quad => {
                type $F = Quad;
                $body
            }
        }
    };
}

/// Operators of two operands, on bits.
#[inline(always)]
pub fn float_binary(op: FloatBinary, kind: FloatKind, a: u128, b: u128) -> u128 {
    match kind {
        FloatKind::Single => single::binary(op, f32::from_bits(a as u32), f32::from_bits(b as u32))
            .to_bits()
            .into(),
        FloatKind::Double => double::binary(op, f64::from_bits(a as u64), f64::from_bits(b as u64))
            .to_bits()
            .into(),
        FloatKind::Half | FloatKind::Extended | FloatKind::Quad => software_binary(op, kind, a, b),
    }
}

fn software_binary(op: FloatBinary, kind: FloatKind, a: u128, b: u128) -> u128 {
    with_software_type!(kind, F => {
        let (x, y) = (F::from_bits(a), F::from_bits(b));
        match op {
            FloatBinary::Add => (x + y).value.to_bits(),
            FloatBinary::Sub => (x - y).value.to_bits(),
            FloatBinary::Mul => (x * y).value.to_bits(),
            FloatBinary::Div => (x / y).value.to_bits(),
            FloatBinary::Rem => x.c_fmod(y).value.to_bits(),
            FloatBinary::Remainder => x.ieee_rem(y).value.to_bits(),
            FloatBinary::MinNum => x.min(y).to_bits(),
            FloatBinary::MaxNum => x.max(y).to_bits(),
            FloatBinary::Minimum => x.minimum(y).to_bits(),
            FloatBinary::Maximum => x.maximum(y).to_bits(),
            FloatBinary::CopySign => x.copy_sign(y).to_bits(),
            FloatBinary::Dim if x <= y => 0,
            FloatBinary::Dim => (x - y).value.to_bits(),
            FloatBinary::Pow | FloatBinary::Atan2 | FloatBinary::Hypot => {
                through_double(kind, |bits| float_binary(op, FloatKind::Double, bits, to_double(kind, b)), a)
            }
        }
    })
}

/// Operators of one operand, on bits.
#[inline(always)]
pub fn float_unary(op: FloatUnary, kind: FloatKind, a: u128) -> u128 {
    match kind {
        FloatKind::Single => single::unary(op, f32::from_bits(a as u32)).to_bits().into(),
        FloatKind::Double => double::unary(op, f64::from_bits(a as u64)).to_bits().into(),
        FloatKind::Half | FloatKind::Extended | FloatKind::Quad => software_unary(op, kind, a),
    }
}

fn software_unary(op: FloatUnary, kind: FloatKind, a: u128) -> u128 {
    with_software_type!(kind, F => {
        let x = F::from_bits(a);
        match op {
            FloatUnary::Neg => (-x).to_bits(),
            FloatUnary::Abs => x.abs().to_bits(),
            FloatUnary::Floor => x.round_to_integral(Round::TowardNegative).value.to_bits(),
            FloatUnary::Ceil => x.round_to_integral(Round::TowardPositive).value.to_bits(),
            FloatUnary::Trunc => x.round_to_integral(Round::TowardZero).value.to_bits(),
            FloatUnary::Round => x.round_to_integral(Round::NearestTiesToAway).value.to_bits(),
            FloatUnary::RoundEven => x.round_to_integral(Round::NearestTiesToEven).value.to_bits(),
            FloatUnary::Canonicalize => a,
            _ => through_double(kind, |bits| float_unary(op, FloatKind::Double, bits), a),
        }
    })
}

/// `a * b + c` with one rounding, on bits.
pub fn float_fma(kind: FloatKind, a: u128, b: u128, c: u128) -> u128 {
    match kind {
        FloatKind::Single => f32::from_bits(a as u32)
            .mul_add(f32::from_bits(b as u32), f32::from_bits(c as u32))
            .to_bits()
            .into(),
        FloatKind::Double => f64::from_bits(a as u64)
            .mul_add(f64::from_bits(b as u64), f64::from_bits(c as u64))
            .to_bits()
            .into(),
        FloatKind::Half | FloatKind::Extended | FloatKind::Quad => with_software_type!(kind, F => {
            F::from_bits(a).mul_add(F::from_bits(b), F::from_bits(c)).value.to_bits()
        }),
    }
}

/// Comparisons, on bits.
#[inline(always)]
pub fn float_compare(op: FloatPredicate, kind: FloatKind, a: u128, b: u128) -> bool {
    match kind {
        FloatKind::Single => {
            single::compare(op, f32::from_bits(a as u32), f32::from_bits(b as u32))
        }
        FloatKind::Double => {
            double::compare(op, f64::from_bits(a as u64), f64::from_bits(b as u64))
        }
        FloatKind::Half | FloatKind::Extended | FloatKind::Quad => with_software_type!(kind, F => {
            use std::cmp::Ordering::{Equal, Greater, Less};
            let order = F::from_bits(a).partial_cmp(&F::from_bits(b));
            match op {
                FloatPredicate::False => false,
                FloatPredicate::OEq => order == Some(Equal),
                FloatPredicate::OGt => order == Some(Greater),
                FloatPredicate::OGe => matches!(order, Some(Greater | Equal)),
                FloatPredicate::OLt => order == Some(Less),
                FloatPredicate::OLe => matches!(order, Some(Less | Equal)),
                FloatPredicate::One => matches!(order, Some(Less | Greater)),
                FloatPredicate::Ord => order.is_some(),
                FloatPredicate::UEq => matches!(order, None | Some(Equal)),
                FloatPredicate::UGt => matches!(order, None | Some(Greater)),
                FloatPredicate::UGe => matches!(order, None | Some(Greater | Equal)),
                FloatPredicate::ULt => matches!(order, None | Some(Less)),
                FloatPredicate::ULe => matches!(order, None | Some(Less | Equal)),
                FloatPredicate::UNe => order != Some(Equal),
                FloatPredicate::Uno => order.is_none(),
                FloatPredicate::True => true,
            }
        }),
    }
}

/// Conversion between formats, on bits.
#[inline(always)]
pub fn float_to_float(from: FloatKind, to: FloatKind, a: u128) -> u128 {
    match (from, to) {
        (FloatKind::Single, FloatKind::Double) => {
            f64::from(f32::from_bits(a as u32)).to_bits().into()
        }
        (FloatKind::Double, FloatKind::Single) => {
            (f64::from_bits(a as u64) as f32).to_bits().into()
        }
        _ => software_convert(from, to, a),
    }
}

fn software_convert(from: FloatKind, to: FloatKind, a: u128) -> u128 {
    // `FloatConvert` is implemented pairwise, which a generic over one side cannot say.
    macro_rules! to {
        ($source:ty) => {{
            let mut exact = false;
            let x = <$source>::from_bits(a);
            match to {
                FloatKind::Half => FloatConvert::<Half>::convert(x, &mut exact).value.to_bits(),
                FloatKind::Single => FloatConvert::<Single>::convert(x, &mut exact)
                    .value
                    .to_bits(),
                FloatKind::Double => FloatConvert::<Double>::convert(x, &mut exact)
                    .value
                    .to_bits(),
                FloatKind::Extended => FloatConvert::<X87DoubleExtended>::convert(x, &mut exact)
                    .value
                    .to_bits(),
                FloatKind::Quad => FloatConvert::<Quad>::convert(x, &mut exact).value.to_bits(),
            }
        }};
    }
    match from {
        FloatKind::Half => to!(Half),
        FloatKind::Single => to!(Single),
        FloatKind::Double => to!(Double),
        FloatKind::Extended => to!(X87DoubleExtended),
        FloatKind::Quad => to!(Quad),
    }
}

/// Float to integer, truncating; what does not fit saturates.
#[inline(always)]
pub fn float_to_int(kind: FloatKind, signed: Signedness, bits: u32, a: u128) -> u128 {
    if bits <= 64 {
        let value = match kind {
            FloatKind::Single => Some(f64::from(f32::from_bits(a as u32))),
            FloatKind::Double => Some(f64::from_bits(a as u64)),
            FloatKind::Half | FloatKind::Extended | FloatKind::Quad => None,
        };
        if let Some(value) = value {
            return match signed {
                Signedness::Unsigned => u128::from((value as u64).min(super::narrow::mask(bits))),
                Signedness::Signed => {
                    let (low, high) = (i64::MIN >> (64 - bits), i64::MAX >> (64 - bits));
                    u128::from(super::narrow::unsigned(
                        bits,
                        (value as i64).clamp(low, high),
                    ))
                }
            };
        }
    }
    with_software_type!(kind, F => {
        let mut exact = false;
        let x = F::from_bits(a);
        match signed {
            Signedness::Unsigned => x.to_u128_r(bits as usize, Round::TowardZero, &mut exact).value,
            Signedness::Signed => {
                // The library does not know signed integers of one bit: saturate here.
                let (low, high) = (i128::MIN >> (128 - bits), i128::MAX >> (128 - bits));
                let value = x.to_i128_r(128, Round::TowardZero, &mut exact).value;
                super::wide::unsigned(bits, value.clamp(low, high))
            }
        }
    })
}

/// Integer to float, rounding to nearest.
#[inline(always)]
pub fn int_to_float(kind: FloatKind, signed: Signedness, bits: u32, a: u128) -> u128 {
    match (kind, signed) {
        (FloatKind::Single, Signedness::Unsigned) => (a as f32).to_bits().into(),
        (FloatKind::Double, Signedness::Unsigned) => (a as f64).to_bits().into(),
        (FloatKind::Single, Signedness::Signed) => {
            (super::wide::signed(bits, a) as f32).to_bits().into()
        }
        (FloatKind::Double, Signedness::Signed) => {
            (super::wide::signed(bits, a) as f64).to_bits().into()
        }
        _ => with_software_type!(kind, F => match signed {
            Signedness::Unsigned => F::from_u128(a).value.to_bits(),
            Signedness::Signed => F::from_i128(super::wide::signed(bits, a)).value.to_bits(),
        }),
    }
}

fn to_double(kind: FloatKind, a: u128) -> u128 {
    float_to_float(kind, FloatKind::Double, a)
}

fn through_double(kind: FloatKind, function: impl Fn(u128) -> u128, a: u128) -> u128 {
    float_to_float(FloatKind::Double, kind, function(to_double(kind, a)))
}
