//! What an input reads: a pure function of how often it was read before.
//!
//! **Invariant**: no state. The same source, index and width give the same value in every run, in
//! every thread and on every attempt of a region, so that any read can be repeated or skipped.

/// Where the values of an input come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ValueSource {
    /// These values, over and over. Also what a trace file becomes. Empty reads as zero.
    Cycle(Vec<i64>),
    /// Pseudo-random within bounds, both included.
    Range {
        /// The smallest value.
        low: i64,
        /// The largest value.
        high: i64,
        /// Chooses the sequence.
        seed: u64,
    },
    /// Always the same value.
    Constant(i64),
    /// Pseudo-random over the whole type.
    Random {
        /// Chooses the sequence.
        seed: u64,
    },
}

impl ValueSource {
    /// The value of read number `index` (from 0), cut to the low `bits` bits.
    pub fn value(&self, index: u64, bits: u32) -> u64 {
        let value = match self {
            ValueSource::Cycle(values) => match values.len() as u64 {
                0 => 0,
                length => values[(index % length) as usize] as u64,
            },
            ValueSource::Range { low, high, seed } => {
                // At most 2^64 values, so that the width needs one bit more than a u64.
                let width = (i128::from(*high) - i128::from(*low) + 1).max(1) as u128;
                let chosen = (u128::from(splitmix64(*seed, index)) * width) >> 64;
                low.wrapping_add(chosen as i64) as u64
            }
            ValueSource::Constant(value) => *value as u64,
            ValueSource::Random { seed } => splitmix64(*seed, index),
        };
        match bits {
            0 => 0,
            1..=63 => value & ((1 << bits) - 1),
            64.. => value,
        }
    }
}

/// Output number `index` of the SplitMix64 generator (Steele, Lea, Flood 2014) started at `seed`.
fn splitmix64(seed: u64, index: u64) -> u64 {
    let step = index.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mut mixed = seed.wrapping_add(step);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

/// The values of a trace file: the last comma-separated field of every line.
///
/// Blank lines and lines that begin with `#` are skipped, and so is a first line without a number
/// (a heading). Numbers are decimal or `0x` hexadecimal. The error is the line, from 1, that is
/// neither.
pub(crate) fn parse_trace(text: &str) -> Result<Vec<i64>, u32> {
    let mut values = Vec::new();
    let mut heading_allowed = true;
    for (line, number) in text.trim_start_matches('\u{feff}').lines().zip(1u32..) {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let field = line.rsplit(',').next().unwrap_or(line).trim();
        match parse_number(field) {
            Some(value) => values.push(value),
            None if heading_allowed => {}
            None => return Err(number),
        }
        heading_allowed = false;
    }
    Ok(values)
}

fn parse_number(text: &str) -> Option<i64> {
    match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(digits) => i64::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::{ValueSource, parse_trace};

    #[test]
    fn values_by_index() {
        let cycle = ValueSource::Cycle(vec![21, -1, 40]);
        let cases = [
            (&cycle, 0, 16, 21),
            (&cycle, 1, 16, 0xffff),
            (&cycle, 1, 64, u64::MAX),
            (&cycle, 5, 16, 40),
            (&cycle, u64::MAX, 16, 21),
            (&cycle, 1, 0, 0),
            (&ValueSource::Cycle(Vec::new()), 3, 16, 0),
            (&ValueSource::Constant(-2), 9, 8, 0xfe),
            (&ValueSource::Constant(5), 9, 200, 5),
        ];
        for (source, index, bits, expected) in cases {
            assert_eq!(
                source.value(index, bits),
                expected,
                "{source:?} {index} {bits}"
            );
        }
    }

    #[test]
    fn random_is_splitmix64() {
        // The published reference outputs for seed 0.
        let source = ValueSource::Random { seed: 0 };
        assert_eq!(source.value(0, 64), 0xe220_a839_7b1d_cdaf);
        assert_eq!(source.value(1, 64), 0x6e78_9e6a_a1b9_65f4);
        assert_eq!(source.value(2, 64), 0x06c4_5d18_8009_454f);
        assert_eq!(source.value(0, 8), 0xaf);
        assert_ne!(
            source.value(0, 64),
            ValueSource::Random { seed: 1 }.value(0, 64)
        );
    }

    #[test]
    fn range_stays_inside_and_reaches_its_ends() {
        let source = ValueSource::Range {
            low: -2,
            high: 2,
            seed: 7,
        };
        let seen: std::collections::BTreeSet<i64> = (0..200)
            .map(|index| source.value(index, 64) as i64)
            .collect();
        assert_eq!(seen.into_iter().collect::<Vec<_>>(), [-2, -1, 0, 1, 2]);
        let extremes = [(i64::MIN, i64::MAX), (i64::MAX, i64::MAX), (5, -5)];
        for (low, high) in extremes {
            for index in [0, 1, u64::MAX] {
                ValueSource::Range { low, high, seed: 1 }.value(index, 64);
            }
        }
    }

    #[test]
    fn traces() {
        let cases: [(&str, Result<&[i64], u32>); 7] = [
            ("21\n22\n40\n", Ok(&[21, 22, 40])),
            ("time,value\n0,21\n1, 0x16\n", Ok(&[21, 22])),
            ("# room\n\n-5\r\n+6", Ok(&[-5, 6])),
            ("\u{feff}7", Ok(&[7])),
            ("", Ok(&[])),
            ("value\n1\nwarm\n", Err(3)),
            ("1\n99999999999999999999", Err(2)),
        ];
        for (text, expected) in cases {
            assert_eq!(
                parse_trace(text).as_deref().map_err(|line| *line),
                expected,
                "{text:?}"
            );
        }
    }
}
