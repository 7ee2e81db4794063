//! What an input reads: a function of how often and when it is read, and of the environment.
//!
//! **Invariant**: no state. The same source, moment and environment give the same value in every
//! run, in every thread and on every attempt of a region, so that any read can be repeated or
//! skipped. What a script changes is in the environment, which is its caller's.

use std::sync::Arc;

use crate::script::{Script, ScriptError};
use crate::trace::Trace;

/// The moment of a reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reading {
    /// How often the input was read before.
    pub index: u64,
    /// Instructions executed.
    pub time: u64,
    /// The width of the result.
    pub bits: u32,
}

/// The values that describe the surroundings, as they are now.
#[derive(Debug)]
pub struct Surroundings<'e> {
    /// What they are called, sorted.
    pub names: &'e [String],
    /// What they are.
    pub values: &'e mut [i64],
}

/// Why an input gives no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoValue {
    /// Its trace is over, and the scenario wants the execution to end then.
    Ended,
    /// Its script failed.
    Script(ScriptError),
}

/// Where the values of an input come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ValueSource {
    /// These values, over and over. Empty reads as zero.
    Cycle(Vec<i64>),
    /// These values, and then what the trace says.
    Trace(Arc<Trace>),
    /// What a script gives.
    Script(Arc<Script>),
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
    /// A time that never goes back, in steps of a moment up to hours.
    Clock,
    /// In about every second reading a value that the program asks for, else that of another source.
    Probing {
        /// What the program compares the input with; at least one value.
        asked: Arc<[u64]>,
        /// Chooses which readings these are, and which value each is.
        seed: u64,
        /// Gives the other readings.
        otherwise: Box<ValueSource>,
    },
}

/// How far a clock goes on from one reading to the next, one of these by chance: in milliseconds, a moment up to an hour.
const CLOCK_STEPS: [u64; 8] = [1, 1, 1, 21, 1_009, 1_009, 61_001, 3_600_011];
/// So many steps are within one stretch of the clock, which is longer than they can take together.
const CLOCK_STRETCH: (u64, u64) = (16, 60_000_000);

/// The time at a reading of a clock.
fn clock(index: u64) -> u64 {
    let (steps, time) = CLOCK_STRETCH;
    let first = index - index % steps;
    let chosen = (first..index).map(|step| splitmix64(0, step) % CLOCK_STEPS.len() as u64);
    let begun = (index / steps).wrapping_mul(time);
    chosen.fold(begun, |time, step| {
        time.wrapping_add(CLOCK_STEPS[step as usize])
    })
}

impl ValueSource {
    /// The value of a reading, cut to its width.
    pub fn value(
        &self,
        reading: Reading,
        surroundings: &mut Surroundings<'_>,
    ) -> Result<u64, NoValue> {
        let value = match self {
            ValueSource::Trace(trace) => {
                let value = trace.value(reading.index, reading.time);
                value.ok_or(NoValue::Ended)? as u64
            }
            ValueSource::Script(script) => {
                let locals = [
                    ("index", reading.index as i64),
                    ("time", reading.time as i64),
                ];
                let Surroundings { names, values } = surroundings;
                script
                    .value(names, values, &locals)
                    .map_err(NoValue::Script)? as u64
            }
            _ => {
                return Ok(self
                    .value_by_index(reading.index, reading.bits)
                    .unwrap_or(0));
            }
        };
        Ok(cut(value, reading.bits))
    }

    /// The same if it depends on nothing but how often the input was read before.
    #[inline]
    pub fn value_by_index(&self, index: u64, bits: u32) -> Option<u64> {
        let value = match self {
            ValueSource::Cycle(values) => match values.len() as u64 {
                0 => 0,
                length => values[(index % length) as usize] as u64,
            },
            ValueSource::Range { low, high, seed } => {
                let random = splitmix64(*seed, index);
                let last = if high < low { 0 } else { high.abs_diff(*low) };
                let chosen = match last.checked_add(1) {
                    Some(width) => ((u128::from(random) * u128::from(width)) >> 64) as u64,
                    // All 2^64 values.
                    None => random,
                };
                low.wrapping_add(chosen as i64) as u64
            }
            ValueSource::Constant(value) => *value as u64,
            ValueSource::Random { seed } => splitmix64(*seed, index),
            ValueSource::Clock => clock(index),
            ValueSource::Probing {
                asked,
                seed,
                otherwise,
            } => {
                let choice = splitmix64(!*seed, index);
                match choice & 1 {
                    0 => return otherwise.value_by_index(index, bits),
                    _ => asked[((choice >> 1) % asked.len() as u64) as usize],
                }
            }
            ValueSource::Trace(_) | ValueSource::Script(_) => return None,
        };
        Some(cut(value, bits))
    }

    /// Of the values that it may give in any order, the one nearest to another; nothing if their order is known.
    pub fn nearest(&self, value: i64, bits: u32) -> Option<u64> {
        let value = match self {
            ValueSource::Range { low, high, .. } => value.clamp(*low, *low.max(high)),
            ValueSource::Random { .. } => value,
            ValueSource::Probing { otherwise, .. } => return otherwise.nearest(value, bits),
            ValueSource::Cycle(_)
            | ValueSource::Trace(_)
            | ValueSource::Script(_)
            | ValueSource::Constant(_)
            | ValueSource::Clock => return None,
        };
        Some(cut(value as u64, bits))
    }

    /// After how many readings it gives the same again and again, from reading number `index` on;
    /// nothing if it does not, or if that depends on more than how often it was read.
    pub fn period(&self, index: u64) -> Option<u64> {
        match self {
            ValueSource::Cycle(values) => Some(values.len().max(1) as u64),
            ValueSource::Range { low, high, .. } => (high <= low).then_some(1),
            ValueSource::Constant(_) => Some(1),
            ValueSource::Trace(trace) => trace.period(index),
            ValueSource::Random { .. }
            | ValueSource::Clock
            | ValueSource::Probing { .. }
            | ValueSource::Script(_) => None,
        }
    }
}

/// The low bits of a value.
#[inline(always)]
fn cut(value: u64, bits: u32) -> u64 {
    match bits {
        0..=63 => value & ((1 << bits) - 1),
        64.. => value,
    }
}

/// Output number `index` of the SplitMix64 generator (Steele, Lea, Flood 2014) started at `seed`.
#[inline]
pub fn splitmix64(seed: u64, index: u64) -> u64 {
    let step = index.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mut mixed = seed.wrapping_add(step);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

#[cfg(test)]
mod tests {
    use super::{NoValue, Reading, Surroundings, ValueSource};
    use crate::script::Script;
    use std::sync::Arc;

    #[test]
    fn clocks_never_go_back() {
        let time = |index| ValueSource::Clock.value_by_index(index, 64).unwrap();
        for index in 0..10_000 {
            assert!(time(index) < time(index + 1), "{index}");
        }
        assert_eq!(time(0), 0);
    }

    #[test]
    fn sources_give_the_same_again_after_their_period() {
        use crate::trace::{AtEnd, Trace};
        let trace = |values: &[i64], at_end| {
            let trace = Trace::of_values(values.to_vec(), at_end);
            ValueSource::Trace(Arc::new(trace))
        };
        let cases = [
            (ValueSource::Constant(7), 0, Some(1)),
            (ValueSource::Cycle(vec![1, 2, 3]), 1, Some(3)),
            (ValueSource::Cycle(vec![]), 0, Some(1)),
            (trace(&[1, 2, 3], AtEnd::Repeat), 0, Some(3)),
            (trace(&[1, 2, 3], AtEnd::Hold), 1, None),
            (trace(&[1, 2, 3], AtEnd::Hold), 2, Some(1)),
            (trace(&[1, 2, 3], AtEnd::Stop), 2, None),
            (ValueSource::Random { seed: 1 }, 0, None),
        ];
        for (source, index, period) in cases {
            assert_eq!(source.period(index), period, "{source:?} from {index}");
            for reading in (index..index + 9).take_while(|_| period.is_some()) {
                let later = reading + period.unwrap_or(0);
                assert_eq!(value(&source, reading, 8), value(&source, later, 8));
            }
        }
    }

    /// The value of a source that does not look at its surroundings.
    fn value(source: &ValueSource, index: u64, bits: u32) -> u64 {
        let reading = Reading {
            index,
            time: 0,
            bits,
        };
        let mut none = Surroundings {
            names: &[],
            values: &mut [],
        };
        source.value(reading, &mut none).expect("a value")
    }

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
                value(source, index, bits),
                expected,
                "{source:?} {index} {bits}"
            );
        }
    }

    #[test]
    fn probing_gives_what_is_asked_for_in_every_second_reading() {
        let probing = ValueSource::Probing {
            asked: [0xbeef, 7].into(),
            seed: 0,
            otherwise: Box::new(ValueSource::Constant(1)),
        };
        let mut counts = std::collections::BTreeMap::new();
        for index in 0..1000 {
            *counts.entry(value(&probing, index, 16)).or_insert(0) += 1;
        }
        assert_eq!(counts.keys().copied().collect::<Vec<_>>(), [1, 7, 0xbeef]);
        assert!((400..600).contains(&counts[&1]), "{counts:?}");
        assert!((200..300).contains(&counts[&7]), "{counts:?}");
    }

    #[test]
    fn random_is_splitmix64() {
        // The published reference outputs for seed 0.
        let source = ValueSource::Random { seed: 0 };
        assert_eq!(value(&source, 0, 64), 0xe220_a839_7b1d_cdaf);
        assert_eq!(value(&source, 1, 64), 0x6e78_9e6a_a1b9_65f4);
        assert_eq!(value(&source, 2, 64), 0x06c4_5d18_8009_454f);
        assert_eq!(value(&source, 0, 8), 0xaf);
        assert_ne!(
            value(&source, 0, 64),
            value(&ValueSource::Random { seed: 1 }, 0, 64)
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
            .map(|index| value(&source, index, 64) as i64)
            .collect();
        assert_eq!(seen.into_iter().collect::<Vec<_>>(), [-2, -1, 0, 1, 2]);
        // The same in wider arithmetic.
        for (low, high) in [
            (0, 1023),
            (-7, 0),
            (i64::MIN, i64::MAX - 1),
            (i64::MIN, i64::MAX),
        ] {
            let source = ValueSource::Range { low, high, seed: 3 };
            let width = (i128::from(high) - i128::from(low) + 1) as u128;
            for index in 0..50 {
                let chosen = (u128::from(super::splitmix64(3, index)) * width) >> 64;
                let expected = i128::from(low) + chosen as i128;
                assert_eq!(i128::from(value(&source, index, 64) as i64), expected);
            }
        }
        let extremes = [(i64::MIN, i64::MAX), (i64::MAX, i64::MAX), (5, -5)];
        for (low, high) in extremes {
            for index in [0, 1, u64::MAX] {
                value(&ValueSource::Range { low, high, seed: 1 }, index, 64);
            }
        }
    }

    fn script(text: &str) -> Result<ValueSource, String> {
        Script::compile(
            None,
            text,
            ["heat", "level"].into_iter(),
            &["index", "time"],
        )
        .map(|script| ValueSource::Script(Arc::new(script)))
        .map_err(|error| error.to_string())
    }

    #[test]
    fn scripts_see_and_change_the_surroundings() {
        let source = script("heat += index; if time > 5 { heat * 2 } else { level }");
        let names = ["heat".to_owned(), "level".to_owned()];
        let mut values = [10, 3];
        let mut read = |index, time| {
            let reading = Reading {
                index,
                time,
                bits: 16,
            };
            let mut surroundings = Surroundings {
                names: &names,
                values: &mut values,
            };
            source
                .as_ref()
                .map(|source| source.value(reading, &mut surroundings))
        };
        assert_eq!(read(1, 0), Ok(Ok(3)));
        assert_eq!(read(2, 6), Ok(Ok(26)));
        assert_eq!(values, [13, 3]);
    }

    /// Each script with the value that it gives, and what it leaves of `heat` and `level`.
    #[test]
    fn what_scripts_do() {
        let cases = [
            ("let a = heat; heat = level; level = a; a", 10, [3, 10]),
            (
                "let n = 5; let f = 1; while n > 1 { f *= n; n -= 1; } f",
                120,
                [10, 3],
            ),
            (
                "if heat < 10 { 1 } else if level == 3 { 2 } else { 3 }",
                2,
                [10, 3],
            ),
            (
                "heat <<= 2; heat >>= 1; heat ^= 1; heat |= 8; heat &= 0x1d; heat",
                29,
                [29, 3],
            ),
            ("heat /= level;; heat - 4 // three\n", -1, [3, 3]),
            (
                "level == 3 && 0 == 1 / heat || heat / (level - level)",
                1,
                [10, 3],
            ),
            ("heat = -heat; if !heat { 1 } else { heat }", -10, [-10, 3]),
        ];
        for (text, expected, left) in cases {
            let source = script(text).expect(text);
            let mut values = [10, 3];
            let mut surroundings = Surroundings {
                names: &["heat".to_owned(), "level".to_owned()],
                values: &mut values,
            };
            let reading = Reading {
                index: 0,
                time: 0,
                bits: 64,
            };
            let value = source.value(reading, &mut surroundings);
            assert_eq!(value, Ok(expected as u64), "{text}");
            assert_eq!(values, left, "{text}");
        }
    }

    #[test]
    fn long_scripts_are_refused_or_read_quickly() {
        let deep = |open: &str, close: &str| format!("{}{}", open.repeat(9000), close.repeat(9000));
        let texts = [
            deep("if 1 {", "}"),
            deep("(", ")"),
            "if 1 {} else ".repeat(5000),
            "1+".repeat(30_000),
            "x".repeat(1 << 17),
        ];
        for text in texts {
            assert!(script(&text).is_err(), "{}", &text[..20]);
        }
        let many: String = (0..3000).map(|n| format!("let v{n} = {n};\n")).collect();
        assert!(script(&many).is_ok());
    }

    #[test]
    fn scripts_that_fail() {
        let unclear = [
            ("1 +", "script, line 1: "),
            ("let a = 1;\nb", "script, line 2: "),
            ("eval(1)", "script, line 1: "),
            (
                "if heat > 0 { 1 } else { 2",
                "script, line 1: the script ends",
            ),
            (
                "let heat = 1",
                "script, line 1: the script has the variable",
            ),
            ("1 = 2", "script, line 1: "),
            ("\n\n)", "script, line 3: "),
        ];
        for (text, start) in unclear {
            let error = script(text).expect_err(text);
            assert!(error.starts_with(start), "{error}");
        }
        let failing = [
            (
                "let a = 0;\nwhile 1 { a += 1; }",
                "script, line 2: it does not end",
            ),
            ("heat = 3;", "script: an input needs a value"),
            ("if heat > 5 { 7 }", "script: an input needs a value"),
            ("\n1 / (heat - 1)", "script, line 2: it divides by zero"),
            ("heat %= level - 2; 1", "script, line 1: it divides by zero"),
        ];
        for (text, start) in failing {
            let source = script(text).expect("it is understood");
            let reading = Reading {
                index: 0,
                time: 0,
                bits: 16,
            };
            let mut surroundings = Surroundings {
                names: &["heat".to_owned(), "level".to_owned()],
                values: &mut [1, 2],
            };
            match source.value(reading, &mut surroundings) {
                Err(NoValue::Script(error)) => {
                    let error = error.to_string();
                    assert!(error.starts_with(start), "{text}: {error}");
                }
                other => panic!("{text}: {other:?}"),
            }
        }
    }
}
