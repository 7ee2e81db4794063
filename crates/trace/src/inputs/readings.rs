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

use super::made::{Aspect, Birth, Made};
use super::memo::Memo;
use super::part::{Part, Reading, Said};
use super::shapes::{Shape, Shapes};
use crate::calls::Context;
use crate::labels::{Join, Labels};

/// A set.
#[derive(Clone, Copy, Debug, Default)]
struct Set {
    /// Its only part, or the first.
    first: Part,
    /// Where all parts begin and end, if there are several.
    parts: (u32, u32),
    shape: Shape,
    /// The clocks of its oldest readings: the least and the greatest.
    eldest: u32,
    youngest: u32,
    /// Whether its parts are known to fit each other.
    even: bool,
}

/// A reading, and the label of what is made of it alone.
#[derive(Clone, Copy, Debug)]
struct Single {
    set: Set,
    made: Made,
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
    /// Commits so far.
    clock: u32,
    /// Labels joined, and labels of which all that is old has been said.
    joins: Memo,
    tellings: Memo,
    /// The last reading of each input.
    singles: Vec<Option<Single>>,
    /// Whether there was one.
    seen: Vec<bool>,
    /// When labels were swept last.
    swept: Option<u32>,
    /// The sources, by number, whose newest readings matter; empty if there are none.
    consistent: Vec<bool>,
    /// A set on its way.
    draft: Vec<Part>,
    /// How many labels make a sweep worth while.
    many: usize,
}

impl Readings {
    /// No readings yet. `consistent` says of every source by its number whether its newest readings
    /// matter.
    pub(super) fn new(mut consistent: Vec<bool>) -> Self {
        if !consistent.contains(&true) {
            consistent.clear();
        }
        let mut sets = Vec::with_capacity(MANY + 2);
        sets.push(Set::default());
        Self {
            parts: Vec::new(),
            sets,
            shapes: Shapes::new(),
            clock: 0,
            joins: Memo::new(),
            tellings: Memo::new(),
            singles: Vec::new(),
            seen: Vec::new(),
            swept: None,
            consistent,
            draft: Vec::new(),
            many: MANY,
        }
    }

    /// Commits so far.
    #[inline(always)]
    pub(super) fn clock(&self) -> u32 {
        self.clock
    }

    /// A power cycle ends: all labels below the one that this gives are of what is old from here on.
    #[inline(always)]
    pub(super) fn commit(&mut self) -> Made {
        self.clock = self.clock.wrapping_add(1);
        Made::from_index_on(self.sets.len())
    }

    /// The label of a reading of an input by the operation `pc`, now. There must be room for it.
    #[inline(always)]
    pub(super) fn single(&mut self, input: u32, pc: u32, calls: Context) -> Made {
        // Mostly it is one place that reads an input.
        if let Some(Some(last)) = self.singles.get_mut(input as usize)
            && last.set.first.oldest.pc == pc
            && last.set.first.oldest.calls == calls
        {
            if last.set.eldest != self.clock {
                last.set.first.oldest.clock = self.clock;
                last.set.first.newest.clock = self.clock;
                (last.set.eldest, last.set.youngest) = (self.clock, self.clock);
                last.made = last.made.numbered(self.sets.len());
                self.sets.extend_from_slice(std::slice::from_ref(&last.set));
            }
            return last.made;
        }
        self.single_elsewhere(Reading {
            clock: self.clock,
            input,
            pc,
            calls,
        })
    }

    #[inline(never)]
    fn single_elsewhere(&mut self, reading: Reading) -> Made {
        let input = reading.input as usize;
        if self.seen.len() <= input {
            self.seen.resize(input + 1, false);
        }
        self.seen[input] = true;
        if self.singles.len() <= input {
            self.singles.resize(input + 1, None);
        }
        self.draft.clear();
        self.draft.push(Part {
            source: reading.input,
            oldest: reading,
            newest: reading,
            said: Said::default(),
        });
        // Of readings of one power cycle, the first need not be the one that stands for all.
        let last = self.singles[input].map(|last| last.set.eldest);
        let first = last.or(self.swept) != Some(reading.clock);
        let birth = if first && self.consistent.is_empty() {
            Birth::Single
        } else {
            Birth::New
        };
        let set = self.drafted();
        let made = self.add(set, birth);
        self.singles[input] = (made != Made::OF_NOTHING).then_some(Single { set, made });
        made
    }

    #[inline(always)]
    fn set(&self, made: Made) -> &Set {
        &self.sets[made.index()]
    }

    /// Whether an input was read.
    pub(super) fn has_seen(&self, input: u32) -> bool {
        self.seen.get(input as usize) == Some(&true)
    }

    /// The parts of a value, by source.
    #[inline]
    pub(super) fn parts(&self, made: Made) -> &[Part] {
        match made {
            Made::OF_NOTHING => &[],
            made => self.parts_of(self.set(made)),
        }
    }

    #[inline]
    fn parts_of<'s>(&'s self, set: &'s Set) -> &'s [Part] {
        match set.parts {
            (0, 0) => std::slice::from_ref(&set.first),
            (start, end) => &self.parts[start as usize..end as usize],
        }
    }

    /// What a value looks like now.
    pub(super) fn aspect(&self, made: Made) -> Aspect {
        self.aspect_of(self.set(made))
    }

    #[inline]
    fn aspect_of(&self, set: &Set) -> Aspect {
        let old = if set.youngest != self.clock {
            Aspect::ALL_OLD
        } else if set.eldest == self.clock {
            Aspect::NONE_OLD
        } else {
            self.some_old(set)
        };
        Aspect {
            shape: set.shape,
            old,
        }
    }

    fn some_old(&self, set: &Set) -> u32 {
        let parts = self.parts_of(set);
        if parts.len() > 31 {
            return Aspect::SOME_OLD;
        }
        parts.iter().zip(0u32..).fold(0, |bits, (part, index)| {
            bits | u32::from(part.oldest.clock != self.clock) << index
        })
    }

    /// The label of the parts in the draft, which are sorted by source.
    fn number(&mut self) -> Made {
        let set = self.drafted();
        let birth = if set.eldest == self.clock {
            Birth::New
        } else {
            Birth::Mixed
        };
        self.add(set, birth)
    }

    /// The set of the parts in the draft.
    fn drafted(&mut self) -> Set {
        let clocks = || self.draft.iter().map(|part| part.oldest.clock);
        let mut set = Set {
            first: self.draft.first().copied().unwrap_or_default(),
            parts: (0, 0),
            shape: self.shapes.of(&self.draft),
            eldest: clocks().min().unwrap_or(0),
            youngest: clocks().max().unwrap_or(0),
            even: self.draft.len() == 1,
        };
        if self.draft.len() > 1 {
            let start = self.parts.len() as u32;
            self.parts.extend_from_slice(&self.draft);
            set.parts = (start, self.parts.len() as u32);
        }
        set
    }

    fn add(&mut self, set: Set, birth: Birth) -> Made {
        if self.is_full() {
            return Made::OF_NOTHING;
        }
        let made = Made::new(self.sets.len(), set.shape, birth);
        self.sets.push(set);
        made
    }

    /// Copies the parts of a set to the draft.
    fn draft(&mut self, made: Made) {
        let mut draft = std::mem::take(&mut self.draft);
        draft.clear();
        draft.extend_from_slice(self.parts(made));
        self.draft = draft;
    }

    /// A value of which has been said that its old parts are.
    pub(super) fn told(&mut self, made: Made) -> Made {
        let (aspect, clock) = (self.aspect(made), self.clock);
        let lately = self.tellings.result(made.number(), aspect.old);
        if let Some(told) = lately.filter(|_| aspect.is_exact()) {
            return told;
        }
        let told = self.changed(made, |part| {
            part.said.age |= part.oldest.clock != clock;
        });
        self.tellings.remember(made.number(), aspect.old, told);
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
        self.sets[made.index()].even = true;
    }

    /// Whether it is time for a [`Readings::sweep`].
    #[inline]
    pub(super) fn are_many(&self) -> bool {
        self.sets.len() > self.many
    }

    /// Whether there are no numbers left, because that many labels are in use: what is made then is
    /// made of nothing.
    pub(super) fn is_full(&self) -> bool {
        self.sets.len() >= Made::MOST
    }

    /// Drops what nothing holds any more. Whatever has a number gets a new one; labels stay in their
    /// order. Those below `old` are below the one that this gives.
    pub(super) fn sweep(&mut self, labels: &mut Labels<Made>, old: Made) -> Made {
        let consistent = std::mem::take(&mut self.consistent);
        let before = std::mem::replace(self, Self::new(consistent));
        self.clock = before.clock;
        self.swept = Some(before.clock);
        self.seen.clone_from(&before.seen);
        let mut held = vec![Made::OF_NOTHING; before.sets.len()];
        labels.replace(|label| {
            held[label.index()] = label;
            label
        });
        let mut boundary = Made::from_index_on(1);
        for label in held.iter_mut().filter(|label| **label != Made::OF_NOTHING) {
            self.draft.clear();
            self.draft.extend_from_slice(before.parts(*label));
            let set = self.drafted();
            let is_old = *label < old;
            *label = self.add(set, label.birth());
            if is_old {
                boundary = Made::from_index_on(self.sets.len());
            }
        }
        labels.replace(|label| held[label.index()]);
        let many = MANY.max(2 * self.sets.len()).max(labels.len() / 32);
        self.many = many.min(Made::MOST - 1);
        boundary
    }

    /// Puts two sets together in the draft.
    fn merge(&mut self, one: Made, other: Made) {
        let mut draft = std::mem::take(&mut self.draft);
        draft.clear();
        let (mut one, mut other) = (self.parts(one), self.parts(other));
        while let ([a, further @ ..], [b, others @ ..]) = (one, other) {
            draft.push(match a.source.cmp(&b.source) {
                Ordering::Less => *a,
                Ordering::Greater => *b,
                Ordering::Equal => self.both(a, b),
            });
            if a.source <= b.source {
                one = further;
            }
            if b.source <= a.source {
                other = others;
            }
        }
        draft.extend_from_slice(one);
        draft.extend_from_slice(other);
        self.draft = draft;
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
    #[inline(always)]
    fn absorbs(&self, one: Made, other: Made) -> bool {
        let (mine, others) = (self.parts(one), self.parts(other));
        let mut index = 0;
        for other in others {
            while mine
                .get(index)
                .is_some_and(|part| part.source < other.source)
            {
                index += 1;
            }
            match mine.get(index) {
                Some(part) if part.source == other.source && self.covers(part, other) => {}
                _ => return false,
            }
        }
        true
    }

    /// Whether [`Readings::both`] is as `one`.
    #[inline(always)]
    fn covers(&self, one: &Part, other: &Part) -> bool {
        let as_old = one.oldest.clock < other.oldest.clock || one.oldest <= other.oldest;
        let spans = self.consistent.get(one.source as usize) == Some(&true);
        as_old && one.said.is_within(other.said) && (!spans || one.newest >= other.newest)
    }

    /// The label of a value made of both, which was not made lately.
    #[inline(never)]
    fn join_anew(&mut self, one: Made, other: Made) -> Made {
        // What came first is mostly older.
        let (first, second) = (one.min(other), one.max(other));
        let (a, b) = (self.set(first), self.set(second));
        // Readings of the same places, all of them before all of the others.
        let before = self.consistent.is_empty() && a.shape == b.shape && a.youngest < b.eldest;
        let made = if before {
            first
        } else {
            self.join_sets(first, second)
        };
        self.joins.remember(one.number(), other.number(), made);
        made
    }

    #[inline(never)]
    fn join_sets(&mut self, one: Made, other: Made) -> Made {
        if self.absorbs(one, other) {
            one
        } else if self.absorbs(other, one) {
            other
        } else {
            self.merge(one, other);
            self.number()
        }
    }
}

impl Join<Made> for Readings {
    #[inline(always)]
    fn join(&mut self, one: Made, other: Made) -> Made {
        if let Some(older) = one.older_reading(other) {
            return older;
        }
        match self.joins.result(one.number(), other.number()) {
            Some(made) => made,
            None => self.join_anew(one, other),
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

    fn read(readings: &mut Readings, reading: Reading) -> Made {
        readings.clock = reading.clock;
        readings.single(reading.input, reading.pc, reading.calls)
    }

    #[test]
    fn joining_keeps_the_oldest_and_the_newest() {
        let mut readings = Readings::new(vec![true; 4]);
        let mut sum = Made::OF_NOTHING;
        for clock in [4, 2, 9, 5] {
            let one = read(&mut readings, reading(1, clock));
            sum = readings.join(sum, one);
        }
        let other = read(&mut readings, reading(0, 3));
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
            let made = read(&mut readings, reading(0, clock));
            labels.set_bytes(2, 2, made);
        }
        let held = read(&mut readings, reading(3, 5));
        labels.set(9, held);
        readings.sweep(&mut labels, Made::OF_NOTHING);
        assert_eq!(readings.sets.len(), 3);
        let byte = labels.bytes(2, 1, &mut readings);
        assert_eq!(readings.parts(byte)[0].oldest, reading(0, 99));
        let held = labels.of(&[9], &mut readings);
        assert_eq!(readings.parts(held)[0].oldest, reading(3, 5));
    }

    #[test]
    fn aspects_forget_clocks_but_not_which_parts_are_old() {
        let mut readings = Readings::new(Vec::new());
        let early = read(&mut readings, reading(0, 1));
        let late = read(&mut readings, reading(0, 2));
        assert_ne!(early, late);
        readings.clock = 3;
        assert_eq!(readings.aspect(early), readings.aspect(late));
        readings.clock = 2;
        assert_ne!(readings.aspect(early), readings.aspect(late));
        // The oldest reading is all that counts: nothing new is made of it.
        assert_eq!(readings.join(late, early), early);
        let other = read(&mut readings, reading(1, 2));
        let both = readings.join(early, other);
        let partly = readings.aspect(both);
        let told = readings.told(both);
        let said: Vec<bool> = readings
            .parts(told)
            .iter()
            .map(|part| part.said.age)
            .collect();
        assert_eq!(said, [true, false]);
        assert_eq!(readings.told(both), told);
        assert_ne!(readings.aspect(told), partly);
        readings.clock = 3;
        assert_ne!(readings.aspect(both), partly);
    }

    #[test]
    fn more_parts_than_bits_are_looked_at_every_time() {
        let mut readings = Readings::new(Vec::new());
        let mut all = Made::OF_NOTHING;
        for input in 0..40 {
            let one = read(&mut readings, reading(input, input % 2));
            all = readings.join(all, one);
        }
        assert_eq!(readings.parts(all).len(), 40);
        readings.clock = 1;
        assert!(!readings.aspect(all).is_exact());
        readings.clock = 2;
        assert!(readings.aspect(all).is_exact());
    }
}
