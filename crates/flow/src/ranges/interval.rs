//! Intervals of unsigned numbers, and what operators make of them.
//!
//! Every function keeps all values that can occur; where an interval cannot say them, it says nothing.

use brownout_ir::{IntBinary, IntPredicate, eval};

/// All values from `low` to `high`, unsigned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Range {
    /// The least.
    pub low: u64,
    /// The greatest.
    pub high: u64,
}

impl Range {
    /// One value.
    pub const fn exactly(value: u64) -> Self {
        Self {
            low: value,
            high: value,
        }
    }

    /// Everything that fits in so many bits.
    pub const fn of_width(bits: u32) -> Self {
        let high = if bits >= 64 {
            u64::MAX
        } else {
            (1 << bits) - 1
        };
        Self { low: 0, high }
    }

    /// All numbers of so many bits between two signed ones; nothing where these are no interval of unsigned ones.
    pub fn between(low: i64, high: i64, bits: u32) -> Option<Self> {
        let all = Self::of_width(bits);
        let fits = match (low, high) {
            (0.., 0..) => high as u64 <= all.high,
            (..0, ..0) => low.unsigned_abs() <= all.high / 2 + 1,
            _ => false,
        };
        (fits && low <= high).then_some(Self {
            low: low as u64 & all.high,
            high: high as u64 & all.high,
        })
    }

    /// The only value, if there is one.
    pub fn single(self) -> Option<u64> {
        (self.low == self.high).then_some(self.low)
    }

    pub(super) fn join(self, other: Self) -> Self {
        Self {
            low: self.low.min(other.low),
            high: self.high.max(other.high),
        }
    }

    pub(super) fn meet(self, other: Self) -> Option<Self> {
        let met = Self {
            low: self.low.max(other.low),
            high: self.high.min(other.high),
        };
        (met.low <= met.high).then_some(met)
    }
}

/// What the result of an operation can be, if that is less than everything.
pub(super) fn binary(op: IntBinary, bits: u32, a: Range, b: Range) -> Option<Range> {
    if let (Some(a), Some(b)) = (a.single(), b.single()) {
        return eval::narrow::binary(op, bits, a, b)
            .ok()
            .map(Range::exactly);
    }
    let max = Range::of_width(bits).high;
    let within = |low: Option<u64>, high: Option<u64>| {
        let (low, high) = (low?, high?);
        (high <= max).then_some(Range { low, high })
    };
    match op {
        IntBinary::Add => within(a.low.checked_add(b.low), a.high.checked_add(b.high)),
        IntBinary::Sub => within(a.low.checked_sub(b.high), a.high.checked_sub(b.low)),
        IntBinary::Mul => within(a.low.checked_mul(b.low), a.high.checked_mul(b.high)),
        IntBinary::And => Some(Range {
            low: 0,
            high: a.high.min(b.high),
        }),
        IntBinary::Or | IntBinary::Xor => {
            let both = a.high | b.high;
            let ones = 64 - both.leading_zeros();
            Some(Range::of_width(ones))
        }
        IntBinary::UDiv => b.low.checked_sub(1).map(|_| Range {
            low: a.low / b.high,
            high: a.high / b.low,
        }),
        IntBinary::URem => b.high.checked_sub(1).map(|most| Range {
            low: 0,
            high: a.high.min(most),
        }),
        IntBinary::LShr => {
            let by = b.single().filter(|by| *by < 64)?;
            Some(Range {
                low: a.low >> by,
                high: a.high >> by,
            })
        }
        IntBinary::Shl => {
            let by = b.single().filter(|by| *by < 64)?;
            within(a.low.checked_mul(1 << by), a.high.checked_mul(1 << by))
        }
        IntBinary::UMin => Some(Range {
            low: a.low.min(b.low),
            high: a.high.min(b.high),
        }),
        IntBinary::UMax => Some(Range {
            low: a.low.max(b.low),
            high: a.high.max(b.high),
        }),
        // Numbers that are not negative do not care about signs.
        _ if a.high.max(b.high) <= max / 2 => {
            let unsigned = match op {
                IntBinary::SMin => IntBinary::UMin,
                IntBinary::SMax => IntBinary::UMax,
                IntBinary::SDiv => IntBinary::UDiv,
                IntBinary::SRem => IntBinary::URem,
                IntBinary::AShr => IntBinary::LShr,
                _ => return None,
            };
            binary(unsigned, bits, a, b)
        }
        _ => None,
    }
}

/// The result of a comparison, if it is the same for all values.
pub(super) fn compare(op: IntPredicate, bits: u32, a: Range, b: Range) -> Option<bool> {
    let half = Range::of_width(bits).high / 2;
    let positive = a.high <= half && b.high <= half;
    let decided = |always: bool, never: bool| match (always, never) {
        (true, _) => Some(true),
        (_, true) => Some(false),
        _ => None,
    };
    match op {
        IntPredicate::Eq => decided(
            a.single().is_some() && a.single() == b.single(),
            a.high < b.low || b.high < a.low,
        ),
        IntPredicate::Ne => compare(IntPredicate::Eq, bits, a, b).map(|equal| !equal),
        IntPredicate::ULt => decided(a.high < b.low, a.low >= b.high),
        IntPredicate::ULe => decided(a.high <= b.low, a.low > b.high),
        IntPredicate::UGt => compare(IntPredicate::ULt, bits, b, a),
        IntPredicate::UGe => compare(IntPredicate::ULe, bits, b, a),
        _ => {
            if let (Some(a), Some(b)) = (a.single(), b.single()) {
                return Some(eval::narrow::compare(op, bits, a, b));
            }
            let unsigned = match op {
                IntPredicate::SLt => IntPredicate::ULt,
                IntPredicate::SLe => IntPredicate::ULe,
                IntPredicate::SGt => IntPredicate::UGt,
                _ => IntPredicate::UGe,
            };
            compare(unsigned, bits, a, b).filter(|_| positive)
        }
    }
}

/// What a value can be if `value op limit` holds for some number in `limit`.
pub(super) fn constrained(
    op: IntPredicate,
    limit: Range,
    bits: u32,
    known: Range,
) -> Option<Range> {
    let max = Range::of_width(bits).high;
    let half = max / 2;
    let up_to = |high: Option<u64>| {
        Some(Range {
            low: 0,
            high: high?,
        })
    };
    let from = |low: Option<u64>, high: u64| {
        let low = low.filter(|low| *low <= high)?;
        Some(Range { low, high })
    };
    // Signed: an interval of unsigned values only where no sign gets in the way.
    let is_positive = known.high <= half;
    let is_limit_positive = limit.high <= half;
    match op {
        IntPredicate::Eq => Some(limit),
        IntPredicate::Ne => match limit.single()? {
            only if only == known.low => from(only.checked_add(1), max),
            only if only == known.high => up_to(only.checked_sub(1)),
            _ => None,
        },
        IntPredicate::ULt => up_to(limit.high.checked_sub(1)),
        IntPredicate::ULe => up_to(Some(limit.high)),
        IntPredicate::UGt => from(limit.low.checked_add(1), max),
        IntPredicate::UGe => from(Some(limit.low), max),
        IntPredicate::SLt if is_positive && is_limit_positive => up_to(limit.high.checked_sub(1)),
        // Something that is not negative is less than a number: at least not the greatest.
        IntPredicate::SLt if is_positive => up_to(half.checked_sub(1)),
        IntPredicate::SLe if is_positive && is_limit_positive => up_to(Some(limit.high)),
        IntPredicate::SGt if is_limit_positive => from(limit.low.checked_add(1), half),
        IntPredicate::SGe if is_limit_positive => from(Some(limit.low), half),
        _ => None,
    }
}
