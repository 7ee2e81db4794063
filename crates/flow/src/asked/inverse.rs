//! Operators backwards: which operands give a result.
//!
//! **Invariant**: every operand that is returned gives the result, by [`brownout_ir::eval`], but for
//! factors of products, which come nearest to it. Where many do, the ends of their ranges stand for
//! all: a quotient is given by a range, and some product is near its end.

use brownout_ir::eval::wide;
use brownout_ir::{CastOp, IntBinary, Type};

/// Which operand is asked for; the other one is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Side {
    Left,
    Right,
}

/// The operands with which `op` gives `result`, the other one being `known`.
pub(super) fn binary(op: IntBinary, side: Side, bits: u32, known: u128, result: u128) -> Vec<u128> {
    let mut operands = match side {
        Side::Left => left(op, bits, known, result),
        Side::Right => right(op, bits, known, result),
    };
    for operand in &mut operands {
        *operand &= wide::mask(bits);
    }
    let near = match op {
        IntBinary::Mul => factors(bits, known, result),
        _ => Vec::new(),
    };
    operands.retain(|&operand| {
        let (a, b) = match side {
            Side::Left => (operand, known),
            Side::Right => (known, operand),
        };
        wide::binary(op, bits, a, b) == Ok(result)
    });
    near.into_iter().chain(operands).collect()
}

/// The two factors whose products with `k` are next to `y`, if nothing overflows.
fn factors(bits: u32, k: u128, y: u128) -> Vec<u128> {
    let (k, y) = (wide::signed(bits, k), wide::signed(bits, y));
    let Some(whole) = y.checked_div(k) else {
        return Vec::new();
    };
    let next = whole + (y - whole * k).signum() * k.signum();
    let mut factors = vec![wide::unsigned(bits, whole), wide::unsigned(bits, next)];
    factors.dedup();
    factors
}

/// Guesses at `x` in `x op k == y`.
fn left(op: IntBinary, bits: u32, k: u128, y: u128) -> Vec<u128> {
    use IntBinary as I;
    let signed = |value: u128| wide::signed(bits, value);
    let shifted = || u32::try_from(k).ok().filter(|&by| by < bits);
    match op {
        I::Add | I::UAddSat | I::SAddSat => vec![y.wrapping_sub(k), y],
        I::Sub | I::USubSat | I::SSubSat => vec![y.wrapping_add(k), y],
        I::Xor => vec![y ^ k],
        I::And => vec![y, y | !k],
        I::Or => vec![y, y & !k],
        I::Mul => product(bits, k, y),
        I::UDiv => {
            let least = y.wrapping_mul(k);
            vec![least, least.wrapping_add(k).wrapping_sub(1)]
        }
        I::SDiv => {
            let product = signed(y).wrapping_mul(signed(k));
            let rest = signed(k).wrapping_abs() - 1;
            let ends = [
                product,
                product.wrapping_add(rest),
                product.wrapping_sub(rest),
            ];
            ends.map(|end| end as u128).to_vec()
        }
        I::URem => vec![y, y.wrapping_add(k)],
        I::SRem => vec![y, y.wrapping_add(k), y.wrapping_sub(k)],
        I::Shl | I::UShlSat | I::SShlSat => {
            shifted().map_or(vec![y], |by| vec![y >> by, (signed(y) >> by) as u128])
        }
        I::LShr | I::AShr => shifted().map_or(vec![y], |by| {
            let least = y << by;
            vec![least, least | ((1 << by) - 1)]
        }),
        I::UMin | I::UMax | I::SMin | I::SMax => vec![y],
        I::UAddOverflow
        | I::SAddOverflow
        | I::USubOverflow
        | I::SSubOverflow
        | I::UMulOverflow
        | I::SMulOverflow => Vec::new(),
    }
}

/// Guesses at `x` in `k op x == y`.
fn right(op: IntBinary, bits: u32, k: u128, y: u128) -> Vec<u128> {
    use IntBinary as I;
    match op {
        I::Sub | I::USubSat | I::SSubSat => vec![k.wrapping_sub(y)],
        I::UDiv | I::SDiv => {
            let most = k.checked_div(y);
            let least = k.checked_div(y.wrapping_add(1)).map(|below| below + 1);
            most.into_iter().chain(least).collect()
        }
        I::Shl | I::LShr | I::AShr => (0..u128::from(bits)).collect(),
        I::Add
        | I::Mul
        | I::And
        | I::Or
        | I::Xor
        | I::UMin
        | I::UMax
        | I::SMin
        | I::SMax
        | I::UAddSat
        | I::SAddSat => left(op, bits, k, y),
        I::URem
        | I::SRem
        | I::UShlSat
        | I::SShlSat
        | I::UAddOverflow
        | I::SAddOverflow
        | I::USubOverflow
        | I::SSubOverflow
        | I::UMulOverflow
        | I::SMulOverflow => Vec::new(),
    }
}

/// `x` in `x * k == y`: odd numbers have inverses, the power of two in `k` is shifted out.
fn product(bits: u32, k: u128, y: u128) -> Vec<u128> {
    if k == 0 {
        return vec![0];
    }
    let power = k.trailing_zeros();
    let odd = k >> power;
    // Newton's iteration doubles the number of correct bits: 1, 2, 4, … 128.
    let inverse = (0..7).fold(1_u128, |inverse, _| {
        inverse.wrapping_mul(2_u128.wrapping_sub(odd.wrapping_mul(inverse)))
    });
    let width = bits.saturating_sub(power).max(1);
    let least = (y >> power).wrapping_mul(inverse) & wide::mask(width);
    vec![least, wide::signed(width, least) as u128]
}

/// What is cast to `result`; for numbers between whole ones those next to it.
pub(super) fn cast(op: CastOp, from: (Type, u32), to: (Type, u32), result: u128) -> Vec<u128> {
    let ((from, from_bits), (to, to_bits)) = (from, to);
    let mask = wide::mask(from_bits);
    match op {
        CastOp::ZExt | CastOp::SExt | CastOp::Trunc | CastOp::Bitcast => {
            let signed = wide::signed(to_bits, result) as u128;
            let mut operands = vec![signed & mask, result & mask];
            operands.dedup();
            operands.retain(|&operand| {
                brownout_ir::eval::cast(op, from, from_bits, to, to_bits, operand) == result
            });
            operands
        }
        CastOp::SIntToFloat | CastOp::UIntToFloat => {
            let back = match op {
                CastOp::SIntToFloat => CastOp::FloatToSInt,
                _ => CastOp::FloatToUInt,
            };
            let whole = brownout_ir::eval::cast(back, to, to_bits, from, from_bits, result);
            let near = [whole, whole.wrapping_add(1), whole.wrapping_sub(1)];
            near.map(|near| near & mask).to_vec()
        }
        CastOp::FloatExt => {
            let op = CastOp::FloatTrunc;
            vec![brownout_ir::eval::cast(
                op, to, to_bits, from, from_bits, result,
            )]
        }
        CastOp::FloatTrunc => {
            let op = CastOp::FloatExt;
            vec![brownout_ir::eval::cast(
                op, to, to_bits, from, from_bits, result,
            )]
        }
        CastOp::FloatToSInt => {
            let op = CastOp::SIntToFloat;
            vec![brownout_ir::eval::cast(
                op, to, to_bits, from, from_bits, result,
            )]
        }
        CastOp::FloatToUInt => {
            let op = CastOp::UIntToFloat;
            vec![brownout_ir::eval::cast(
                op, to, to_bits, from, from_bits, result,
            )]
        }
        CastOp::PtrToInt | CastOp::IntToPtr => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use brownout_ir::IntBinary;
    use brownout_ir::eval::wide;

    use super::{Side, binary};

    /// Operators whose every result can be traced back to some operand.
    const ALL: &[IntBinary] = &[
        IntBinary::Add,
        IntBinary::Sub,
        IntBinary::Mul,
        IntBinary::And,
        IntBinary::Or,
        IntBinary::Xor,
        IntBinary::UDiv,
        IntBinary::SDiv,
        IntBinary::URem,
        IntBinary::Shl,
        IntBinary::LShr,
        IntBinary::AShr,
    ];

    /// Where any operand of eight bits gives a result, one is found.
    #[test]
    fn results_have_operands() {
        let bits = 8;
        for &op in ALL {
            for known in 0..256_u128 {
                let results = (0..256).filter_map(|x| wide::binary(op, bits, x, known).ok());
                let results: std::collections::BTreeSet<u128> = results.collect();
                for result in results {
                    let operands = binary(op, Side::Left, bits, known, result);
                    let gives = |&x: &u128| wide::binary(op, bits, x, known) == Ok(result);
                    let is_exact = op == IntBinary::Mul || operands.iter().all(gives);
                    assert!(
                        operands.iter().any(gives) && is_exact,
                        "{op:?} {known} gives {result}: {operands:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_range_has_a_factor() {
        // Some `x * 7` is in 6572..=6575, whose ends are no such products.
        let ends = binary(IntBinary::SDiv, Side::Left, 16, 4, 1643);
        assert_eq!(ends, [6572, 6575]);
        let factors = ends
            .iter()
            .map(|&end| binary(IntBinary::Mul, Side::Left, 16, 7, end));
        assert!(factors.flatten().any(|factor| factor == 939));
    }

    #[test]
    fn so_they_have_on_the_other_side() {
        let bits = 8;
        for op in [IntBinary::Sub, IntBinary::Shl, IntBinary::UDiv] {
            for known in 0..256_u128 {
                for x in 0..256_u128 {
                    let Ok(result) = wide::binary(op, bits, known, x) else {
                        continue;
                    };
                    // A quotient of nothing, and shifts that leave nothing, have more than are tried.
                    let operands = binary(op, Side::Right, bits, known, result);
                    assert!(!operands.is_empty() || result == 0, "{op:?} {known} {x}");
                }
            }
        }
    }
}
