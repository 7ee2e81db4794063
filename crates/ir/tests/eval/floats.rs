//! Floating point, against the host's and against wider formats.

use crate::words;
use brownout_ir::eval::*;
use brownout_ir::*;
use proptest::prelude::*;

const KINDS: [FloatKind; 5] = [
    FloatKind::Half,
    FloatKind::Single,
    FloatKind::Double,
    FloatKind::Extended,
    FloatKind::Quad,
];

fn is_nan(kind: FloatKind, bits: u128) -> bool {
    float_compare(FloatPredicate::Uno, kind, bits, bits)
}

/// Equal bits, or both not a number.
fn same(kind: FloatKind, a: u128, b: u128) -> bool {
    a == b || is_nan(kind, a) && is_nan(kind, b)
}

fn exact(op: FloatBinary) -> bool {
    matches!(
        op,
        FloatBinary::Add | FloatBinary::Sub | FloatBinary::Mul | FloatBinary::Div
    )
}

/// Any bits, but often an ordinary number.
fn doubles() -> impl Strategy<Value = f64> {
    prop_oneof![
        prop::num::f64::ANY,
        -1000.0..1000.0,
        (-1000_i32..1000).prop_map(|number| f64::from(number) / 2.0),
        Just(0.0),
        Just(-0.0),
        Just(f64::INFINITY),
        Just(f64::MIN_POSITIVE / 4.0),
    ]
}

fn singles() -> impl Strategy<Value = f32> {
    prop_oneof![
        prop::num::f32::ANY,
        doubles().prop_map(|number| number as f32)
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn single_and_double_are_the_host_s(a in doubles(), b in doubles(), c in singles(), d in singles()) {
        let double = [a + b, a - b, a * b, a / b, a % b, a.copysign(b), a.powf(b), a.atan2(b), a.hypot(b)];
        let single = [c + d, c - d, c * d, c / d, c % d, c.copysign(d), c.powf(d), c.atan2(d), c.hypot(d)];
        use FloatBinary::*;
        for (index, op) in [Add, Sub, Mul, Div, Rem, CopySign, Pow, Atan2, Hypot].into_iter().enumerate() {
            let found = float_binary(op, FloatKind::Double, a.to_bits().into(), b.to_bits().into());
            prop_assert!(same(FloatKind::Double, found, double[index].to_bits().into()), "{} {} {}", op, a, b);
            let found = float_binary(op, FloatKind::Single, c.to_bits().into(), d.to_bits().into());
            prop_assert!(same(FloatKind::Single, found, single[index].to_bits().into()), "{} {} {}", op, c, d);
        }
    }

    /// A format with more than twice the digits gives the same rounded result.
    #[test]
    fn wider_formats_agree(a in doubles(), b in doubles()) {
        use FloatKind::*;
        let (a, b) = (u128::from(a.to_bits()), u128::from(b.to_bits()));
        for (kind, wider) in [(Half, Single), (Half, Double), (Half, Quad), (Single, Extended), (Single, Quad), (Double, Quad)] {
            let narrow = |bits| if kind == Double { bits } else { float_to_float(Double, kind, bits) };
            let (a, b) = (narrow(a), narrow(b));
            let (wa, wb) = (float_to_float(kind, wider, a), float_to_float(kind, wider, b));
            prop_assert!(same(kind, float_to_float(wider, kind, wa), a));
            for op in FloatBinary::ALL.iter().copied().filter(|op| exact(*op)) {
                let found = float_binary(op, kind, a, b);
                let expected = float_to_float(wider, kind, float_binary(op, wider, wa, wb));
                prop_assert!(same(kind, found, expected), "{} {:?} {:?} {:#x} {:#x}", op, kind, wider, a, b);
            }
            for op in [FloatUnary::Neg, FloatUnary::Abs, FloatUnary::Floor, FloatUnary::Ceil, FloatUnary::Trunc, FloatUnary::Round, FloatUnary::RoundEven] {
                let found = float_unary(op, kind, a);
                let expected = float_to_float(wider, kind, float_unary(op, wider, wa));
                prop_assert!(same(kind, found, expected), "{} {:?} {:?} {:#x}", op, kind, wider, a);
            }
            for &op in FloatPredicate::ALL {
                prop_assert_eq!(float_compare(op, kind, a, b), float_compare(op, wider, wa, wb), "{}", op);
            }
        }
    }

    #[test]
    fn predicates_are_the_host_s(a in doubles(), b in doubles()) {
        let (wa, wb) = (a.to_bits().into(), b.to_bits().into());
        for &op in FloatPredicate::ALL {
            let unordered = a.partial_cmp(&b).is_none();
            let expected = match op {
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
            };
            prop_assert_eq!(float_compare(op, FloatKind::Double, wa, wb), expected, "{} {} {}", op, a, b);
        }
    }

    #[test]
    fn minimum_and_maximum_see_signs_and_nan(a in doubles(), b in doubles()) {
        use FloatKind::*;
        let (wa, wb) = (u128::from(a.to_bits()), u128::from(b.to_bits()));
        for kind in [Double, Extended, Quad] {
            let widen = |bits| if kind == Double { bits } else { float_to_float(Double, kind, bits) };
            let (wa, wb) = (widen(wa), widen(wb));
            let either = |op| float_binary(op, kind, wa, wb);
            let nan = a.is_nan() || b.is_nan();
            prop_assert_eq!(is_nan(kind, either(FloatBinary::Minimum)), nan);
            prop_assert_eq!(is_nan(kind, either(FloatBinary::Maximum)), nan);
            prop_assert_eq!(is_nan(kind, either(FloatBinary::MinNum)), a.is_nan() && b.is_nan());
            prop_assert_eq!(is_nan(kind, either(FloatBinary::MaxNum)), a.is_nan() && b.is_nan());
            if !nan {
                // The order that tells the zeros apart.
                let (least, most) = if a.total_cmp(&b).is_le() { (wa, wb) } else { (wb, wa) };
                prop_assert_eq!(either(FloatBinary::Minimum), least);
                prop_assert_eq!(either(FloatBinary::Maximum), most);
            }
        }
    }

    #[test]
    fn conversions_to_integers_truncate_and_saturate(a in doubles()) {
        use FloatKind::*;
        let bits = u128::from(a.to_bits());
        for width in 1..=128_u32 {
            let (low, high) = (i128::MIN >> (128 - width), i128::MAX >> (128 - width));
            let signed = wide::unsigned(width, (a as i128).clamp(low, high));
            let unsigned = (a as u128).min(wide::mask(width));
            for kind in [Double, Extended, Quad] {
                let x = if kind == Double { bits } else { float_to_float(Double, kind, bits) };
                let to = Type::Int(width as u8);
                let cast = |op| cast(op, Type::Float(kind), kind.bits(), to, width, x);
                prop_assert_eq!(cast(CastOp::FloatToSInt), signed, "{} {:?} i{}", a, kind, width);
                prop_assert_eq!(cast(CastOp::FloatToUInt), unsigned, "{} {:?} i{}", a, kind, width);
            }
        }
    }

    #[test]
    fn integers_round_trip_where_they_fit(a in words()) {
        use FloatKind::*;
        for (kind, digits) in [(Half, 11), (Single, 24), (Double, 53), (Extended, 64), (Quad, 113)] {
            for bits in 1..=digits {
                let a = a & wide::mask(bits);
                for signed in [Signedness::Signed, Signedness::Unsigned] {
                    let float = int_to_float(kind, signed, bits, a);
                    prop_assert_eq!(float_to_int(kind, signed, bits, float), a, "{:?} {:?} i{}", kind, signed, bits);
                }
            }
        }
    }

    /// Every operator has a result that fits its type, on any bits.
    #[test]
    fn float_operators_are_total(a in words(), b in words(), c in words()) {
        for kind in KINDS {
            let mask = wide::mask(kind.bits());
            let [a, b, c] = [a, b, c].map(|word| word & mask);
            for &op in FloatBinary::ALL {
                prop_assert!(float_binary(op, kind, a, b) <= mask, "{} {:?}", op, kind);
            }
            for &op in FloatUnary::ALL {
                prop_assert!(float_unary(op, kind, a) <= mask, "{} {:?}", op, kind);
            }
            prop_assert!(float_fma(kind, a, b, c) <= mask);
            for other in KINDS {
                prop_assert!(float_to_float(kind, other, a) <= wide::mask(other.bits()));
            }
            for bits in [1, 7, 8, 16, 31, 32, 63, 64, 65, 127, 128] {
                for signed in [Signedness::Signed, Signedness::Unsigned] {
                    prop_assert!(float_to_int(kind, signed, bits, a) <= wide::mask(bits));
                    prop_assert!(int_to_float(kind, signed, bits, c & wide::mask(bits)) <= mask);
                }
            }
        }
    }
}

fn from_int(kind: FloatKind, number: i128) -> u128 {
    int_to_float(kind, Signedness::Signed, 128, number as u128)
}

#[test]
fn known_results() {
    use FloatKind::*;
    let third = |kind| float_binary(FloatBinary::Div, kind, from_int(kind, 1), from_int(kind, 3));
    assert_eq!(third(Half), 0x3555);
    assert_eq!(third(Single), 0x3eaa_aaab);
    assert_eq!(third(Double), 0x3fd5_5555_5555_5555);
    assert_eq!(third(Extended), 0x3ffd_aaaa_aaaa_aaaa_aaab);
    assert_eq!(third(Quad), 0x3ffd_5555_5555_5555_5555_5555_5555_5555);
    for kind in KINDS {
        let number = |number| from_int(kind, number);
        assert_eq!(
            float_binary(FloatBinary::Mul, kind, number(6), number(-7)),
            number(-42)
        );
        assert_eq!(
            float_binary(FloatBinary::Rem, kind, number(-7), number(4)),
            number(-3)
        );
        assert_eq!(
            float_binary(FloatBinary::Remainder, kind, number(7), number(4)),
            number(-1)
        );
        assert_eq!(
            float_binary(FloatBinary::Dim, kind, number(7), number(4)),
            number(3)
        );
        assert_eq!(
            float_binary(FloatBinary::Dim, kind, number(4), number(7)),
            0
        );
        assert_eq!(
            float_binary(FloatBinary::Pow, kind, number(3), number(4)),
            number(81)
        );
        assert_eq!(
            float_binary(FloatBinary::Hypot, kind, number(3), number(4)),
            number(5)
        );
        assert_eq!(float_unary(FloatUnary::Sqrt, kind, number(144)), number(12));
        assert_eq!(float_unary(FloatUnary::Exp2, kind, number(5)), number(32));
        assert_eq!(float_fma(kind, number(3), number(4), number(-5)), number(7));
        let half = float_binary(FloatBinary::Div, kind, number(5), number(2));
        assert_eq!(float_unary(FloatUnary::Floor, kind, half), number(2));
        assert_eq!(float_unary(FloatUnary::Ceil, kind, half), number(3));
        assert_eq!(float_unary(FloatUnary::Trunc, kind, half), number(2));
        assert_eq!(float_unary(FloatUnary::Round, kind, half), number(3));
        assert_eq!(float_unary(FloatUnary::RoundEven, kind, half), number(2));
    }
}

#[test]
fn one_rounding_in_fma() {
    use FloatKind::*;
    // (1 + e) * (1 - e) - 1 = -e², which a rounded product loses.
    for (kind, digits) in [
        (Half, 11),
        (Single, 24),
        (Double, 53),
        (Extended, 64),
        (Quad, 113),
    ] {
        let number = |number| from_int(kind, number);
        let power = |exponent: u32| {
            let base = number(2);
            (0..exponent).fold(number(1), |product, _| {
                float_binary(FloatBinary::Mul, kind, product, base)
            })
        };
        let e = float_binary(FloatBinary::Div, kind, number(1), power(digits / 2 + 1));
        let above = float_binary(FloatBinary::Add, kind, number(1), e);
        let below = float_binary(FloatBinary::Sub, kind, number(1), e);
        let square = float_binary(FloatBinary::Mul, kind, e, e);
        assert_eq!(
            float_fma(kind, above, below, number(-1)),
            float_unary(FloatUnary::Neg, kind, square),
            "{kind:?}"
        );
    }
}

#[test]
fn casts_saturate() {
    let to = |kind, op, bits: u8, number| {
        cast(
            op,
            Type::Float(kind),
            kind.bits(),
            Type::Int(bits),
            u32::from(bits),
            number,
        )
    };
    for kind in KINDS {
        let nan = float_binary(FloatBinary::Div, kind, 0, 0);
        let infinity = float_binary(FloatBinary::Div, kind, from_int(kind, 1), 0);
        let minus_infinity = float_unary(FloatUnary::Neg, kind, infinity);
        assert!(is_nan(kind, nan));
        for bits in [1, 8, 16, 32, 64, 65, 128] {
            let mask = wide::mask(u32::from(bits));
            assert_eq!(to(kind, CastOp::FloatToSInt, bits, nan), 0);
            assert_eq!(to(kind, CastOp::FloatToUInt, bits, nan), 0);
            assert_eq!(to(kind, CastOp::FloatToSInt, bits, infinity), mask >> 1);
            assert_eq!(to(kind, CastOp::FloatToUInt, bits, infinity), mask);
            assert_eq!(
                to(kind, CastOp::FloatToSInt, bits, minus_infinity),
                mask ^ mask >> 1
            );
            assert_eq!(to(kind, CastOp::FloatToUInt, bits, minus_infinity), 0);
        }
        let thousand = from_int(kind, 1000);
        assert_eq!(to(kind, CastOp::FloatToSInt, 8, thousand), 127);
        assert_eq!(to(kind, CastOp::FloatToSInt, 16, thousand), 1000);
        assert_eq!(to(kind, CastOp::FloatToUInt, 8, thousand), 255);
        let minus_thousand = from_int(kind, -1000);
        assert_eq!(to(kind, CastOp::FloatToSInt, 8, minus_thousand), 128);
        assert_eq!(to(kind, CastOp::FloatToUInt, 8, minus_thousand), 0);
    }
}
