//! Integers, against arithmetic that is exact because it is wide enough.

use crate::words;
use brownout_ir::eval::*;
use brownout_ir::*;
use proptest::prelude::*;

/// Integer operators by exact arithmetic on few bits.
mod reference {
    use brownout_ir::*;

    fn signed(bits: u32, a: i32) -> i32 {
        if a >> (bits - 1) & 1 == 1 {
            a - (1 << bits)
        } else {
            a
        }
    }

    /// None for division by zero; else the result, zero-extended.
    pub(crate) fn binary(op: IntBinary, bits: u32, a: i32, b: i32) -> Option<i32> {
        let (sa, sb) = (signed(bits, a), signed(bits, b));
        let top = (1 << bits) - 1;
        let (low, high) = (-(1 << (bits - 1)), (1 << (bits - 1)) - 1);
        let outside = |x: i32| i32::from(!(low..=high).contains(&x));
        // Shifting further than this changes nothing more.
        let count = b.min(16);
        let exact = match op {
            IntBinary::Add => a + b,
            IntBinary::Sub => a - b,
            IntBinary::Mul => a * b,
            IntBinary::UDiv => a.checked_div(b)?,
            IntBinary::URem => a.checked_rem(b)?,
            IntBinary::SDiv => sa.checked_div(sb)?,
            IntBinary::SRem => sa.checked_rem(sb)?,
            IntBinary::And => a & b,
            IntBinary::Or => a | b,
            IntBinary::Xor => a ^ b,
            IntBinary::Shl => a << count,
            IntBinary::LShr => a >> count,
            IntBinary::AShr => sa >> count,
            IntBinary::UMin => a.min(b),
            IntBinary::UMax => a.max(b),
            IntBinary::SMin => sa.min(sb),
            IntBinary::SMax => sa.max(sb),
            IntBinary::UAddSat => (a + b).min(top),
            IntBinary::USubSat => (a - b).max(0),
            IntBinary::SAddSat => (sa + sb).clamp(low, high),
            IntBinary::SSubSat => (sa - sb).clamp(low, high),
            IntBinary::UShlSat => (a << count).min(top),
            IntBinary::SShlSat => (sa << count).clamp(low, high),
            IntBinary::UAddOverflow => i32::from(a + b > top),
            IntBinary::USubOverflow => i32::from(a < b),
            IntBinary::UMulOverflow => i32::from(a * b > top),
            IntBinary::SAddOverflow => outside(sa + sb),
            IntBinary::SSubOverflow => outside(sa - sb),
            IntBinary::SMulOverflow => outside(sa * sb),
        };
        Some(exact & top)
    }

    pub(crate) fn unary(op: IntUnary, bits: u32, a: i32) -> i32 {
        let bit = |index: u32| a >> index & 1;
        match op {
            IntUnary::PopCount => (0..bits).map(bit).sum(),
            IntUnary::LeadingZeros => {
                (0..bits).rev().take_while(|index| bit(*index) == 0).count() as i32
            }
            IntUnary::TrailingZeros => {
                (0..bits).take_while(|index| bit(*index) == 0).count() as i32
            }
            // Only ever asked on one byte.
            IntUnary::ByteSwap => a,
            IntUnary::BitReverse => (0..bits)
                .map(|index| bit(index) << (bits - 1 - index))
                .sum(),
            IntUnary::Abs => signed(bits, a).abs() & ((1 << bits) - 1),
        }
    }

    pub(crate) fn ternary(op: IntTernary, bits: u32, a: i32, b: i32, c: i32) -> i32 {
        let (both, count) = (a << bits | b, c % bits as i32);
        let top = (1 << bits) - 1;
        match op {
            IntTernary::FunnelLeft => both << count >> bits & top,
            IntTernary::FunnelRight => both >> count & top,
        }
    }

    pub(crate) fn compare(op: IntPredicate, bits: u32, a: i32, b: i32) -> bool {
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

#[test]
fn narrow_is_right_for_all_operands_of_up_to_8_bits() {
    for bits in 1..=8 {
        for a in 0..1_i32 << bits {
            for op in IntUnary::ALL
                .iter()
                .copied()
                .filter(|op| swappable(*op, bits))
            {
                assert_eq!(
                    narrow::unary(op, bits, a as u64) as i32,
                    reference::unary(op, bits, a),
                    "{op} i{bits} {a}"
                );
            }
            for b in 0..1_i32 << bits {
                let (wa, wb) = (a as u64, b as u64);
                for &op in IntBinary::ALL {
                    let found = narrow::binary(op, bits, wa, wb)
                        .ok()
                        .map(|result| result as i32);
                    assert_eq!(
                        found,
                        reference::binary(op, bits, a, b),
                        "{op} i{bits} {a}, {b}"
                    );
                }
                for &op in IntPredicate::ALL {
                    let found = narrow::compare(op, bits, wa, wb);
                    assert_eq!(
                        found,
                        reference::compare(op, bits, a, b),
                        "{op} i{bits} {a}, {b}"
                    );
                }
            }
        }
    }
}

#[test]
fn funnel_shifts_are_right_for_all_operands_of_up_to_6_bits() {
    for bits in 1..=6 {
        let all = || 0..1_i32 << bits;
        for (a, b) in all().flat_map(|a| all().map(move |b| (a, b))) {
            for (c, &op) in all().flat_map(|c| IntTernary::ALL.iter().map(move |op| (c, op))) {
                let found = narrow::ternary(op, bits, a as u64, b as u64, c as u64);
                assert_eq!(
                    found as i32,
                    reference::ternary(op, bits, a, b, c),
                    "{op} i{bits} {a}, {b}, {c}"
                );
            }
        }
    }
}

#[test]
fn predicates_are_negated_and_swapped_for_all_operands_of_4_bits() {
    for &op in IntPredicate::ALL {
        let pairs = || (0..16_u64).flat_map(|a| (0..16).map(move |b| (a, b)));
        for (a, b) in pairs() {
            let holds = narrow::compare(op, 4, a, b);
            assert_eq!(
                narrow::compare(op.negated(), 4, a, b),
                !holds,
                "{op} {a}, {b}"
            );
            assert_eq!(
                narrow::compare(op.swapped(), 4, b, a),
                holds,
                "{op} {a}, {b}"
            );
        }
        // The same bits are other numbers with a sign than as the low bits of a wider word.
        let narrow_differs = |(a, b)| narrow::compare(op, 4, a, b) != narrow::compare(op, 8, a, b);
        assert_eq!(op.is_signed(), pairs().any(narrow_differs), "{op}");
    }
}

fn swappable(op: IntUnary, bits: u32) -> bool {
    op != IntUnary::ByteSwap || bits.is_multiple_of(8)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn narrow_and_wide_agree(a in words(), b in words(), c in words()) {
        for bits in 1..=64 {
            let [a, b, c] = [a, b, c].map(|word| word as u64 & narrow::mask(bits));
            let [wa, wb, wc] = [a, b, c].map(u128::from);
            for &op in IntBinary::ALL {
                let found = narrow::binary(op, bits, a, b).map(u128::from);
                prop_assert_eq!(found, wide::binary(op, bits, wa, wb), "{} i{} {}, {}", op, bits, a, b);
            }
            for op in IntUnary::ALL.iter().copied().filter(|op| swappable(*op, bits)) {
                let found = u128::from(narrow::unary(op, bits, a));
                prop_assert_eq!(found, wide::unary(op, bits, wa), "{} i{} {}", op, bits, a);
            }
            for &op in IntTernary::ALL {
                let found = u128::from(narrow::ternary(op, bits, a, b, c));
                prop_assert_eq!(found, wide::ternary(op, bits, wa, wb, wc), "{} i{} {}, {}, {}", op, bits, a, b, c);
            }
            for &op in IntPredicate::ALL {
                let found = narrow::compare(op, bits, a, b);
                prop_assert_eq!(found, wide::compare(op, bits, wa, wb), "{} i{} {}, {}", op, bits, a, b);
            }
        }
    }

    /// What holds at any width, where no wider arithmetic is at hand.
    #[test]
    fn wide_operators_are_consistent(a in words(), b in words(), c in words()) {
        for bits in 1..=128 {
            let [a, b, c] = [a, b, c].map(|word| word & wide::mask(bits));
            let binary = |op, a, b| wide::binary(op, bits, a, b);
            for &op in IntBinary::ALL {
                let zero_division = matches!(op, IntBinary::UDiv | IntBinary::SDiv | IntBinary::URem | IntBinary::SRem);
                match binary(op, a, b) {
                    Ok(result) => prop_assert!(result <= wide::mask(bits), "{} i{}", op, bits),
                    Err(DivisionByZero) => prop_assert!(zero_division && b == 0),
                }
            }
            let value = |op, a, b| binary(op, a, b).unwrap_or(0);
            for (quotient, remainder) in [(IntBinary::UDiv, IntBinary::URem), (IntBinary::SDiv, IntBinary::SRem)] {
                let product = value(IntBinary::Mul, value(quotient, a, b), b);
                let expected = if b == 0 { 0 } else { a };
                prop_assert_eq!(value(IntBinary::Add, product, value(remainder, a, b)), expected);
            }
            let (sum, difference) = (value(IntBinary::Add, a, b), value(IntBinary::Sub, a, b));
            prop_assert_eq!(value(IntBinary::UAddOverflow, a, b) == 1, sum < a);
            prop_assert_eq!(value(IntBinary::USubOverflow, a, b) == 1, difference > a);
            prop_assert_eq!(value(IntBinary::UAddOverflow, a, b) == 0, value(IntBinary::UAddSat, a, b) == sum && sum >= a);
            let product = value(IntBinary::Mul, a, b);
            let fits = b == 0 || value(IntBinary::UDiv, product, b) == a;
            prop_assert_eq!(value(IntBinary::UMulOverflow, a, b) == 0, fits);
            let reversed = wide::unary(IntUnary::BitReverse, bits, a);
            prop_assert_eq!(wide::unary(IntUnary::BitReverse, bits, reversed), a);
            let zeros = wide::unary(IntUnary::TrailingZeros, bits, reversed);
            prop_assert_eq!(wide::unary(IntUnary::LeadingZeros, bits, a), zeros);
            let left = wide::ternary(IntTernary::FunnelLeft, bits, a, b, c);
            let back = (u128::from(bits) - c % u128::from(bits)) % u128::from(bits);
            let right = wide::ternary(IntTernary::FunnelRight, bits, a, b, back);
            // Shifting by nothing gives the other word.
            prop_assert_eq!(left, if back == 0 { a } else { right });
            prop_assert_eq!(resize(Signedness::Signed, bits, 128, a) as i128, wide::signed(bits, a));
            prop_assert_eq!(resize(Signedness::Unsigned, 128, bits, resize(Signedness::Signed, bits, 128, a)), a);
        }
    }
}

#[test]
fn integer_casts() {
    let int = |op, from: u8, to: u8, a| {
        cast(
            op,
            Type::Int(from),
            u32::from(from),
            Type::Int(to),
            u32::from(to),
            a,
        )
    };
    assert_eq!(int(CastOp::ZExt, 8, 16, 0xff), 0xff);
    assert_eq!(int(CastOp::SExt, 8, 16, 0xff), 0xffff);
    assert_eq!(int(CastOp::SExt, 1, 128, 1), u128::MAX);
    assert_eq!(int(CastOp::Trunc, 16, 8, 0x1234), 0x34);
    assert_eq!(
        cast(CastOp::PtrToInt, Type::Ptr, 16, Type::Int(32), 32, 0xfffe),
        0xfffe
    );
    assert_eq!(
        cast(CastOp::IntToPtr, Type::Int(32), 32, Type::Ptr, 16, 0x1_fffe),
        0xfffe
    );
    let single = Type::Float(FloatKind::Single);
    assert_eq!(
        cast(CastOp::Bitcast, single, 32, Type::Int(32), 32, 0x3f80_0000),
        0x3f80_0000
    );
    assert_eq!(
        cast(CastOp::UIntToFloat, Type::Int(8), 8, single, 32, 0xff),
        u128::from(255_f32.to_bits())
    );
    assert_eq!(
        cast(CastOp::SIntToFloat, Type::Int(8), 8, single, 32, 0xff),
        u128::from((-1_f32).to_bits())
    );
}
