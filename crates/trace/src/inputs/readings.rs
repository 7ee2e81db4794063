//! Which readings a value is made of: the labels of the input analysis.
//!
//! A label stands for a set of *parts*, one for each input that the value depends on: the oldest
//! and the newest reading of that input in it. That is enough to say whether anything in the value
//! is older than the last commit, and whether readings of several inputs come from one power cycle;
//! and it keeps a sum over a thousand readings as small as one reading.
//!
//! **Invariant**: equal sets have equal numbers; number 0 is the empty set. Labels that nothing
//! holds any more are dropped, so that memory grows with what the program holds, not with time.

use std::hash::{Hash, Hasher};

use rustc_hash::{FxHashMap, FxHasher};

use crate::calls::Context;
use crate::labels::{Join, Labels};

/// A set of readings, by number.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub(crate) struct Made(u32);

impl Made {
    pub(crate) const OF_NOTHING: Self = Self(0);

    /// What tells labels apart.
    pub(crate) fn number(self) -> u32 {
        self.0
    }
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

/// More labels than this are looked through for those still in use: so few that they stay in the
/// cache, and so many that looking through all of memory for them does not matter.
const MANY: usize = 1 << 13;

/// All labels in use.
#[derive(Clone, Debug)]
pub(crate) struct Readings {
    /// The parts of all sets, one set behind the other.
    parts: Vec<Part>,
    /// Where the parts of a set begin and end.
    sets: Vec<(u32, u32)>,
    /// Sets by a hash of their parts, or by the next number that was free.
    numbers: FxHashMap<u64, Made>,
    joins: FxHashMap<(Made, Made), Made>,
    /// A set on its way.
    draft: Vec<Part>,
    /// How many labels make a sweep worth while.
    many: usize,
}

impl Readings {
    pub(crate) fn new() -> Self {
        Self {
            parts: Vec::new(),
            sets: vec![(0, 0)],
            numbers: FxHashMap::default(),
            joins: FxHashMap::default(),
            draft: Vec::new(),
            many: MANY,
        }
    }

    /// The label of a single reading.
    pub(crate) fn single(&mut self, reading: Reading) -> Made {
        self.draft.clear();
        self.draft.push(Part {
            source: reading.input,
            oldest: reading,
            newest: reading,
            said: Said::default(),
        });
        self.number()
    }

    /// The parts of a value, by source.
    pub(crate) fn parts(&self, made: Made) -> &[Part] {
        let set = self.sets.get(made.0 as usize);
        set.map_or(&[], |&(start, end)| {
            &self.parts[start as usize..end as usize]
        })
    }

    /// The label of the parts in the draft, which are sorted by source.
    fn number(&mut self) -> Made {
        if self.draft.is_empty() {
            return Made::OF_NOTHING;
        }
        let mut hasher = FxHasher::default();
        self.draft.hash(&mut hasher);
        let mut hash = hasher.finish();
        while let Some(&made) = self.numbers.get(&hash) {
            if self.parts(made) == self.draft {
                return made;
            }
            hash = hash.wrapping_add(1);
        }
        let made = Made(self.sets.len() as u32);
        let start = self.parts.len() as u32;
        self.parts.extend_from_slice(&self.draft);
        self.sets.push((start, self.parts.len() as u32));
        self.numbers.insert(hash, made);
        made
    }

    /// Copies the parts of a set to the draft.
    fn draft(&mut self, made: Made) {
        let (start, end) = self.sets.get(made.0 as usize).copied().unwrap_or_default();
        self.draft.clear();
        let parts = &self.parts[start as usize..end as usize];
        self.draft.extend_from_slice(parts);
    }

    /// A value with every part changed.
    pub(crate) fn changed(&mut self, made: Made, change: impl Fn(&mut Part)) -> Made {
        self.draft(made);
        self.draft.iter_mut().for_each(change);
        self.number()
    }

    /// A value that is now also one of the variable that stands for `source`.
    pub(crate) fn held_by(&mut self, made: Made, source: u32) -> Made {
        let parts = self.parts(made);
        let oldest = parts.iter().map(|part| part.oldest).min();
        let newest = parts.iter().map(|part| part.newest).max();
        let (Some(oldest), Some(newest)) = (oldest, newest) else {
            return made;
        };
        self.draft(made);
        self.draft.retain(|part| part.source != source);
        self.draft.push(Part {
            source,
            oldest,
            newest,
            said: Said::default(),
        });
        self.draft.sort_unstable_by_key(|part| part.source);
        self.number()
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
                *label = *new.entry(*label).or_insert_with(|| {
                    self.draft.clear();
                    self.draft.extend_from_slice(old.parts(*label));
                    self.number()
                });
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
        self.draft(one);
        let (start, end) = self.sets.get(other.0 as usize).copied().unwrap_or_default();
        for part in &self.parts[start as usize..end as usize] {
            let mut known = self.draft.iter_mut();
            match known.find(|known| known.source == part.source) {
                Some(known) => {
                    known.oldest = known.oldest.min(part.oldest);
                    known.newest = known.newest.max(part.newest);
                    known.said = known.said.both(part.said);
                }
                None => self.draft.push(*part),
            }
        }
        self.draft.sort_unstable_by_key(|part| part.source);
        let made = self.number();
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
