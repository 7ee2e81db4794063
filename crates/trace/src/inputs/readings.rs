//! Which readings a value is made of: the labels of the input analysis.
//!
//! A label stands for a set of *parts*, one for each input that the value depends on: the oldest
//! reading of that input in it, and where consistency is asked for the newest as well. That is
//! enough to say whether anything in the value is older than the last commit, and whether readings
//! of several inputs come from one power cycle; and it keeps a sum over a thousand readings as small
//! as one reading.
//!
//! Every power cycle brings new readings and so new labels. What an analysis says about a value
//! depends on much less: on the *shape* of its set, the places of the readings without their
//! clocks, and on which of them are old. Shapes are few, however long a program runs.
//!
//! **Invariant**: number 0 is the empty set; equal shapes have equal numbers, but equal sets need
//! not, as long as what is made over and over in one power cycle keeps its number. Labels that
//! nothing holds any more are dropped, so that memory grows with what the program holds, not with
//! time.

use std::cmp::Ordering;

use rustc_hash::FxHashMap;

use super::memo::Memo;
use super::shapes::{Shape, Shapes};
use crate::calls::Context;
use crate::labels::{Join, Labels};

/// A set of readings, by number.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub(super) struct Made(u32);

impl Made {
    pub(super) const OF_NOTHING: Self = Self(0);
}

/// What a set looks like at some moment: its shape, and which of its parts are older than the last
/// commit, a bit for each.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Aspect {
    shape: Shape,
    old: u32,
}

impl Aspect {
    const NONE_OLD: u32 = 0;
    const ALL_OLD: u32 = u32::MAX;
    /// Some of so many that there are not enough bits.
    const SOME_OLD: u32 = 1 << 31;

    /// Whether it says all that can be said.
    pub(super) fn is_exact(self) -> bool {
        self.old != Self::SOME_OLD
    }

    /// What tells one from others.
    #[inline(always)]
    pub(super) fn bits(self) -> u64 {
        u64::from(self.shape.number()) << 32 | u64::from(self.old)
    }
}

/// One reading of an input. Readings by one place in one power cycle are one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub(super) struct Reading {
    /// Commits before it.
    pub(super) clock: u32,
    pub(super) input: u32,
    /// The operation of the user's code.
    pub(super) pc: u32,
    pub(super) calls: Context,
}

/// What an input, or a variable that must be consistent with others, has contributed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Part {
    pub(super) source: u32,
    pub(super) oldest: Reading,
    /// The oldest again, unless the source must be consistent with others.
    pub(super) newest: Reading,
    /// What has been said about it already.
    pub(super) said: Said,
}

/// What has been said about a part of a value, so that what is made of it says no more.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Default)]
pub(super) struct Said {
    /// That it is old, or that it may be.
    pub(super) age: bool,
    /// That it does not fit others.
    pub(super) mixture: bool,
}

impl Said {
    fn both(self, other: Said) -> Said {
        Said {
            age: self.age && other.age,
            mixture: self.mixture && other.mixture,
        }
    }
}

/// A set.
#[derive(Clone, Copy, Debug, Default)]
struct Set {
    /// Where its parts begin and end.
    parts: (u32, u32),
    shape: Shape,
    /// The clocks of its oldest readings: the least and the greatest.
    eldest: u32,
    youngest: u32,
    /// Whether its parts are known to fit each other.
    even: bool,
}

/// More labels than this are looked through for those still in use: so few that they stay in the
/// cache, and so many that looking through all of memory for them does not matter.
const MANY: usize = 1 << 13;

/// All labels in use.
#[derive(Clone, Debug)]
pub(super) struct Readings {
    /// The parts of all sets, one set behind the other.
    parts: Vec<Part>,
    sets: Vec<Set>,
    shapes: Shapes,
    /// Labels joined, and labels of which all that is old has been said.
    joins: Memo,
    tellings: Memo,
    /// The last reading by input.
    singles: Vec<Made>,
    /// The sources, by number, whose newest readings matter.
    consistent: Vec<bool>,
    /// A set on its way.
    draft: Vec<Part>,
    /// How many labels make a sweep worth while.
    many: usize,
}

impl Readings {
    /// No readings yet. `consistent` says of every source by its number whether its newest readings
    /// matter.
    pub(super) fn new(consistent: Vec<bool>) -> Self {
        Self {
            parts: Vec::new(),
            sets: vec![Set::default()],
            shapes: Shapes::new(),
            joins: Memo::new(),
            tellings: Memo::new(),
            singles: Vec::new(),
            consistent,
            draft: Vec::new(),
            many: MANY,
        }
    }

    /// The label of a single reading.
    pub(super) fn single(&mut self, reading: Reading) -> Made {
        let input = reading.input as usize;
        if self.singles.len() <= input {
            self.singles.resize(input + 1, Made::OF_NOTHING);
        }
        let last = self.singles[input];
        let known = self.parts(last).first().map(|part| part.oldest);
        if known == Some(reading) {
            return last;
        }
        let part = Part {
            source: reading.input,
            oldest: reading,
            newest: reading,
            said: Said::default(),
        };
        // Mostly it is one place that reads an input.
        let shape = match known {
            Some(known) if known.pc == reading.pc => self.set(last).shape,
            _ => self.shapes.of(&[part]),
        };
        let start = self.parts.len() as u32;
        self.parts.push(part);
        let made = self.add(Set {
            parts: (start, start + 1),
            shape,
            eldest: reading.clock,
            youngest: reading.clock,
            even: true,
        });
        self.singles[input] = made;
        made
    }

    #[inline(always)]
    fn set(&self, made: Made) -> &Set {
        &self.sets[made.0 as usize]
    }

    /// The parts of a value, by source.
    #[inline]
    pub(super) fn parts(&self, made: Made) -> &[Part] {
        let (start, end) = self.set(made).parts;
        &self.parts[start as usize..end as usize]
    }

    /// What a value looks like at `clock`, now.
    #[inline(always)]
    pub(super) fn aspect(&self, made: Made, clock: u32) -> Aspect {
        let set = self.set(made);
        let old = if set.youngest != clock {
            Aspect::ALL_OLD
        } else if set.eldest == clock {
            Aspect::NONE_OLD
        } else {
            self.some_old(made, clock)
        };
        Aspect {
            shape: set.shape,
            old,
        }
    }

    #[inline(never)]
    fn some_old(&self, made: Made, clock: u32) -> u32 {
        let parts = self.parts(made);
        if parts.len() > 31 {
            return Aspect::SOME_OLD;
        }
        parts.iter().zip(0u32..).fold(0, |bits, (part, index)| {
            bits | u32::from(part.oldest.clock != clock) << index
        })
    }

    /// The label of the parts in the draft, which are sorted by source.
    fn number(&mut self) -> Made {
        if self.draft.is_empty() {
            return Made::OF_NOTHING;
        }
        let shape = self.shapes.of(&self.draft);
        let (mut eldest, mut youngest) = (u32::MAX, 0);
        for part in &self.draft {
            eldest = eldest.min(part.oldest.clock);
            youngest = youngest.max(part.oldest.clock);
        }
        let start = self.parts.len() as u32;
        self.parts.extend_from_slice(&self.draft);
        self.add(Set {
            parts: (start, self.parts.len() as u32),
            shape,
            eldest,
            youngest,
            even: false,
        })
    }

    fn add(&mut self, set: Set) -> Made {
        let made = Made(self.sets.len() as u32);
        self.sets.push(set);
        made
    }

    /// Copies the parts of a set to the draft.
    fn draft(&mut self, made: Made) {
        let (start, end) = self.set(made).parts;
        self.draft.clear();
        let parts = &self.parts[start as usize..end as usize];
        self.draft.extend_from_slice(parts);
    }

    /// A value of which has been said that its parts before `clock` are old.
    pub(super) fn told(&mut self, made: Made, aspect: Aspect, clock: u32) -> Made {
        let lately = self.tellings.result(made.0, aspect.old);
        if let Some(told) = lately.filter(|_| aspect.is_exact()) {
            return Made(told);
        }
        let told = self.changed(made, |part| {
            part.said.age |= part.oldest.clock != clock;
        });
        self.tellings.remember(made.0, aspect.old, told.0);
        told
    }

    /// A value with every part changed.
    pub(super) fn changed(&mut self, made: Made, change: impl Fn(&mut Part)) -> Made {
        self.draft(made);
        self.draft.iter_mut().for_each(change);
        self.renumber(made)
    }

    /// The label of the parts in the draft, mostly those of `made`.
    fn renumber(&mut self, made: Made) -> Made {
        if self.draft == self.parts(made) {
            made
        } else {
            self.number()
        }
    }

    /// A value that is now also one of the variable that stands for `source`.
    pub(super) fn held_by(&mut self, made: Made, source: u32) -> Made {
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
        self.renumber(made)
    }

    /// Whether the parts of a value are known to fit each other.
    pub(super) fn is_even(&self, made: Made) -> bool {
        self.set(made).even
    }

    /// The parts of a value fit each other.
    pub(super) fn set_even(&mut self, made: Made) {
        self.sets[made.0 as usize].even = true;
    }

    /// Whether it is time for a [`Readings::sweep`].
    #[inline]
    pub(super) fn are_many(&self) -> bool {
        self.sets.len() > self.many
    }

    /// Drops what nothing holds any more. All shapes get new numbers.
    pub(super) fn sweep(&mut self, labels: &mut Labels<Made>) {
        let consistent = std::mem::take(&mut self.consistent);
        let old = std::mem::replace(self, Self::new(consistent));
        let mut new: FxHashMap<Made, Made> = FxHashMap::default();
        labels.replace(|label| {
            *new.entry(label).or_insert_with(|| {
                self.draft.clear();
                self.draft.extend_from_slice(old.parts(label));
                self.number()
            })
        });
        self.many = MANY.max(2 * self.sets.len()).max(labels.len() / 32);
    }

    /// Puts two sets together in the draft.
    fn merge(&mut self, one: Made, other: Made) {
        let ((mut a, a_end), (mut b, b_end)) = (self.set(one).parts, self.set(other).parts);
        self.draft.clear();
        while a < a_end && b < b_end {
            let (one, other) = (&self.parts[a as usize], &self.parts[b as usize]);
            let part = match one.source.cmp(&other.source) {
                Ordering::Less => *one,
                Ordering::Greater => *other,
                Ordering::Equal => self.both(one, other),
            };
            a += u32::from(part.source == one.source);
            b += u32::from(part.source == other.source);
            self.draft.push(part);
        }
        let rest = if a < a_end { a..a_end } else { b..b_end };
        let rest = &self.parts[rest.start as usize..rest.end as usize];
        self.draft.extend_from_slice(rest);
    }

    /// What two values have of one source.
    fn both(&self, one: &Part, other: &Part) -> Part {
        let oldest = one.oldest.min(other.oldest);
        let spans = self.consistent.get(one.source as usize);
        Part {
            source: one.source,
            oldest,
            newest: match spans {
                Some(true) => one.newest.max(other.newest),
                _ => oldest,
            },
            said: one.said.both(other.said),
        }
    }

    /// Whether a value made of both is as `one`: it has an old part of everything in `other`.
    fn absorbs(&self, one: Made, other: Made) -> bool {
        let mut mine = self.parts(one).iter();
        let mut others = self.parts(other).iter();
        others.all(|other| {
            let same = mine.find(|part| part.source >= other.source);
            same.is_some_and(|part| part.source == other.source && self.both(part, other) == *part)
        })
    }

    #[inline(never)]
    fn join_sets(&mut self, one: Made, other: Made) -> Made {
        let made = if self.absorbs(one, other) {
            one
        } else if self.absorbs(other, one) {
            other
        } else {
            self.merge(one, other);
            self.number()
        };
        self.joins.remember(one.0, other.0, made.0);
        made
    }
}

impl Join<Made> for Readings {
    #[inline(always)]
    fn join(&mut self, one: Made, other: Made) -> Made {
        let (low, high) = (one.0.min(other.0), one.0.max(other.0));
        match self.joins.result(low, high) {
            Some(made) => Made(made),
            None => self.join_sets(Made(low), Made(high)),
        }
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
        let mut readings = Readings::new(vec![true; 4]);
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
        let mut readings = Readings::new(vec![true; 4]);
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

    #[test]
    fn aspects_forget_clocks_but_not_which_parts_are_old() {
        let mut readings = Readings::new(Vec::new());
        let early = readings.single(reading(0, 1));
        let late = readings.single(reading(0, 2));
        assert_ne!(early, late);
        assert_eq!(readings.aspect(early, 3), readings.aspect(late, 3));
        assert_ne!(readings.aspect(early, 2), readings.aspect(late, 2));
        // The oldest reading is all that counts: nothing new is made of it.
        assert_eq!(readings.join(late, early), early);
        let other = readings.single(reading(1, 2));
        let both = readings.join(early, other);
        let partly = readings.aspect(both, 2);
        assert_ne!(partly, readings.aspect(both, 3));
        let told = readings.told(both, partly, 2);
        let said: Vec<bool> = readings
            .parts(told)
            .iter()
            .map(|part| part.said.age)
            .collect();
        assert_eq!(said, [true, false]);
        assert_eq!(readings.told(both, partly, 2), told);
        assert_ne!(readings.aspect(told, 2), partly);
    }

    #[test]
    fn more_parts_than_bits_are_looked_at_every_time() {
        let mut readings = Readings::new(Vec::new());
        let mut all = Made::OF_NOTHING;
        for input in 0..40 {
            let one = readings.single(reading(input, input % 2));
            all = readings.join(all, one);
        }
        assert_eq!(readings.parts(all).len(), 40);
        assert!(!readings.aspect(all, 1).is_exact());
        assert!(readings.aspect(all, 2).is_exact());
    }
}
