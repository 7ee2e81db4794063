//! Which readings a value is made of: the labels of the input analysis.
//!
//! A label stands for a set of *parts*, one for each input that the value depends on: the oldest
//! and the newest reading of that input in it. That is enough to say whether anything in the value
//! is older than the last commit, and whether readings of several inputs come from one power cycle;
//! and it keeps a sum over a thousand readings as small as one reading.
//!
//! **Invariant**: equal sets have equal numbers; number 0 is the empty set. Labels that nothing
//! holds any more are dropped, so that memory grows with what the program holds, not with time.

use rustc_hash::FxHashMap;

use crate::calls::Context;
use crate::labels::{Join, Labels};

/// A set of readings, by number.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub(crate) struct Made(u32);

impl Made {
    pub(crate) const OF_NOTHING: Self = Self(0);
}

/// One reading of an input. Readings by one place in one power cycle are one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord, Hash)]
pub(crate) struct Reading {
    /// Commits before it.
    pub(crate) clock: u32,
    pub(crate) input: u32,
    /// The operation of the user's code.
    pub(crate) pc: u32,
    pub(crate) calls: Context,
}

/// What an input, or a variable that must be consistent with others, has contributed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub(crate) struct Part {
    pub(crate) source: u32,
    pub(crate) oldest: Reading,
    pub(crate) newest: Reading,
    /// What has been said about it already.
    pub(crate) said: Said,
}

/// What has been said about a part of a value, so that what is made of it says no more.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Default)]
pub(crate) struct Said {
    /// That it is old, or that it may be.
    pub(crate) age: bool,
    /// That it does not fit others.
    pub(crate) mixture: bool,
}

impl Said {
    fn both(self, other: Said) -> Said {
        Said {
            age: self.age && other.age,
            mixture: self.mixture && other.mixture,
        }
    }
}

/// More labels than this are looked through for those still in use.
const MANY: usize = 1 << 18;

/// All labels in use.
#[derive(Clone, Debug)]
pub(crate) struct Readings {
    sets: Vec<Box<[Part]>>,
    numbers: FxHashMap<Box<[Part]>, Made>,
    joins: FxHashMap<(Made, Made), Made>,
    /// How many labels make a sweep worth while.
    many: usize,
}

impl Readings {
    pub(crate) fn new() -> Self {
        Self {
            sets: vec![Box::default()],
            numbers: FxHashMap::from_iter([(Box::default(), Made::OF_NOTHING)]),
            joins: FxHashMap::default(),
            many: MANY,
        }
    }

    /// The label of a single reading.
    pub(crate) fn single(&mut self, reading: Reading) -> Made {
        self.number(Box::new([Part {
            source: reading.input,
            oldest: reading,
            newest: reading,
            said: Said::default(),
        }]))
    }

    /// The parts of a value, by source.
    pub(crate) fn parts(&self, made: Made) -> &[Part] {
        self.sets.get(made.0 as usize).map_or(&[], |parts| parts)
    }

    /// The label of those parts, which are sorted by source.
    pub(crate) fn number(&mut self, parts: Box<[Part]>) -> Made {
        if let Some(&made) = self.numbers.get(&parts) {
            return made;
        }
        let made = Made(self.sets.len() as u32);
        self.sets.push(parts.clone());
        self.numbers.insert(parts, made);
        made
    }

    /// A value with every part changed.
    pub(crate) fn changed(&mut self, made: Made, change: impl Fn(&mut Part)) -> Made {
        let mut parts: Box<[Part]> = self.parts(made).into();
        parts.iter_mut().for_each(change);
        self.number(parts)
    }

    /// A value that is now also one of the variable that stands for `source`.
    pub(crate) fn held_by(&mut self, made: Made, source: u32) -> Made {
        let parts = self.parts(made);
        let oldest = parts.iter().map(|part| part.oldest).min();
        let newest = parts.iter().map(|part| part.newest).max();
        let (Some(oldest), Some(newest)) = (oldest, newest) else {
            return made;
        };
        let mut parts: Vec<Part> = parts.to_vec();
        parts.retain(|part| part.source != source);
        parts.push(Part {
            source,
            oldest,
            newest,
            said: Said::default(),
        });
        parts.sort_unstable_by_key(|part| part.source);
        self.number(parts.into())
    }

    /// Whether it is time for a [`Readings::sweep`].
    pub(crate) fn are_many(&self) -> bool {
        self.sets.len() > self.many
    }

    /// Drops what nothing holds any more.
    pub(crate) fn sweep(&mut self, labels: &mut Labels<Made>) {
        let old = std::mem::replace(self, Self::new());
        let mut new: FxHashMap<Made, Made> = FxHashMap::default();
        for label in labels.all_mut() {
            if *label != Made::OF_NOTHING {
                *label = *new
                    .entry(*label)
                    .or_insert_with(|| self.number(old.parts(*label).into()));
            }
        }
        self.many = MANY.max(2 * self.sets.len());
    }
}

impl Join<Made> for Readings {
    fn join(&mut self, one: Made, other: Made) -> Made {
        let pair = if one.0 <= other.0 {
            (one, other)
        } else {
            (other, one)
        };
        if let Some(&made) = self.joins.get(&pair) {
            return made;
        }
        let mut parts: Vec<Part> = self.parts(one).to_vec();
        for part in self.parts(other) {
            match parts.iter_mut().find(|known| known.source == part.source) {
                Some(known) => {
                    known.oldest = known.oldest.min(part.oldest);
                    known.newest = known.newest.max(part.newest);
                    known.said = known.said.both(part.said);
                }
                None => parts.push(*part),
            }
        }
        parts.sort_unstable_by_key(|part| part.source);
        let made = self.number(parts.into());
        self.joins.insert(pair, made);
        made
    }
}

#[cfg(test)]
mod tests {
    use super::{Made, Reading, Readings};
    use crate::calls::Context;
    use crate::labels::{Join, Labels};

    fn reading(input: u32, clock: u32) -> Reading {
        Reading {
            clock,
            input,
            pc: 7,
            calls: Context::OUTSIDE,
        }
    }

    #[test]
    fn joining_keeps_the_oldest_and_the_newest() {
        let mut readings = Readings::new();
        let mut sum = Made::OF_NOTHING;
        for clock in [4, 2, 9, 5] {
            let one = readings.single(reading(1, clock));
            sum = readings.join(sum, one);
        }
        let other = readings.single(reading(0, 3));
        sum = readings.join(sum, other);
        let parts = readings.parts(sum);
        assert_eq!(parts.len(), 2);
        assert_eq!((parts[0].oldest.clock, parts[0].newest.clock), (3, 3));
        assert_eq!((parts[1].oldest.clock, parts[1].newest.clock), (2, 9));
        assert_eq!(readings.join(other, sum), sum);
    }

    #[test]
    fn sweeping_keeps_what_is_held() {
        let mut readings = Readings::new();
        let mut labels = Labels::new(8);
        for clock in 0..100 {
            let made = readings.single(reading(0, clock));
            labels.set_bytes(2, 2, made);
        }
        let held = readings.single(reading(3, 5));
        labels.set(9, held);
        readings.sweep(&mut labels);
        assert_eq!(readings.sets.len(), 3);
        let byte = labels.bytes(2, 1, &mut readings);
        assert_eq!(readings.parts(byte)[0].oldest, reading(0, 99));
        let held = labels.of(&[9], &mut readings);
        assert_eq!(readings.parts(held)[0].oldest, reading(3, 5));
    }
}
