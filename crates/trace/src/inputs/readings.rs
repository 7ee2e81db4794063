//! Which readings a value is made of: the labels of the input analysis.
//!
//! A label stands for a set of *parts*, one for each topic that there may be something to say about:
//! the age of the readings of an input, and whether the members of a set agree. A part holds the
//! oldest reading in the value, and where agreement is asked for the oldest of a later power cycle
//! as well. That is enough to say whether anything in the value is older than the last commit, and
//! whether readings of several inputs come from one power cycle; and it keeps a sum over a thousand
//! readings as small as one reading. A topic of which all has been said is dropped.
//!
//! Every power cycle brings new readings and so new labels. What an analysis says about a value
//! depends on much less: on the *shape* of its set, the places of the readings without their
//! clocks, and on which of them are old. Shapes are few, however long a program runs.
//!
//! **Invariant**: number 0 is the empty set; equal shapes have equal numbers, but equal sets need
//! not, as long as what is made over and over in one power cycle keeps its number. Labels that
//! nothing holds any more are dropped, so that memory grows with what the program holds, not with
//! time.

mod join;
mod said;

use super::made::{Aspect, Made, Traits};
use super::memo::Memo;
use super::part::{Part, Parts, Reading};
use super::shapes::{Shape, Shapes};
use super::topics::{Kind, Topics};
use crate::calls::Context;
use crate::labels::Labels;

/// What a set consists of.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Extent {
    /// All that its reading is part of.
    #[default]
    Reading,
    /// The same without the age.
    Ageless,
    /// Parts from here to there.
    Parts(u32, u32),
}

/// A set.
#[derive(Clone, Copy, Debug, Default)]
struct Set {
    extent: Extent,
    /// If it is one.
    reading: Reading,
    shape: Shape,
    kind: Kind,
    /// The clocks of its oldest readings: the least and the greatest.
    eldest: u32,
    youngest: u32,
    /// Readings by the same places, all of them in later power cycles than this one, add nothing:
    /// if there is such a power cycle.
    settled: u32,
    /// Whether its parts are known to fit each other.
    even: bool,
    /// What is left of it when its age has been said, if that is known to be something.
    faded: Made,
}

impl Set {
    const UNSETTLED: u32 = u32::MAX;

    /// Its reading takes place again.
    #[inline(always)]
    fn read_again(&mut self, clock: u32) {
        self.reading.clock = clock;
        (self.eldest, self.youngest) = (clock, clock);
    }
}

/// The last reading of an input, and the label of what is made of it alone.
#[derive(Clone, Copy, Debug)]
struct Last {
    set: Set,
    made: Made,
    /// What will be left of it when its age has been said, if that is something.
    ageless: Option<Set>,
}

impl Last {
    /// Adds it, and behind it what will be left of it.
    #[inline(never)]
    fn add_both(&mut self, sets: &mut Vec<Set>) {
        self.set.faded = self.set.faded.numbered(sets.len() + 1);
        sets.push(self.set);
        if let Some(ageless) = &mut self.ageless {
            ageless.read_again(self.set.reading.clock);
            sets.push(*ageless);
        }
    }
}

/// More labels than this are looked through for those still in use: so few that they stay in the
/// cache, and so many that looking through all of memory for them does not matter.
const MANY: usize = 1 << 14;

/// All labels in use.
#[derive(Clone, Debug)]
pub(super) struct Readings {
    /// The parts of sets that are not just readings, one set behind the other.
    parts: Vec<Part>,
    sets: Vec<Set>,
    shapes: Shapes,
    /// Commits so far.
    clock: u32,
    /// Labels joined, by both.
    joins: Memo,
    /// Labels without what was said to be old, by what is old and what may be said.
    fadings: Memo,
    /// Labels without what was said not to agree, by the operation.
    partings: Memo,
    /// Labels of what a variable holds, by variable.
    holdings: Memo,
    /// By input.
    last: Vec<Option<Last>>,
    /// Whether there was a reading, by input.
    seen: Vec<bool>,
    topics: Topics,
    /// A set on its way.
    draft: Vec<Part>,
    /// How many labels make a sweep worth while.
    many: usize,
}

impl Readings {
    /// No readings yet.
    pub(super) fn new(topics: Topics) -> Self {
        let mut sets = Vec::with_capacity(MANY + 2);
        sets.push(Set {
            extent: Extent::Parts(0, 0),
            even: true,
            ..Set::default()
        });
        Self {
            parts: Vec::new(),
            sets,
            shapes: Shapes::new(),
            clock: 0,
            joins: Memo::new(),
            fadings: Memo::new(),
            partings: Memo::new(),
            holdings: Memo::new(),
            last: Vec::new(),
            seen: Vec::new(),
            topics,
            draft: Vec::new(),
            many: MANY,
        }
    }

    /// What may have to be said.
    pub(super) fn topics(&self) -> &Topics {
        &self.topics
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
        if let Some(Some(last)) = self.last.get_mut(input as usize)
            && last.set.reading.pc == pc
            && last.set.reading.calls == calls
        {
            if last.set.eldest != self.clock {
                last.set.read_again(self.clock);
                last.made = last.made.numbered(self.sets.len());
                match last.ageless {
                    Some(_) => last.add_both(&mut self.sets),
                    None => self.sets.push(last.set),
                }
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
            self.last.resize(input + 1, None);
        }
        self.seen[input] = true;
        self.draft.clear();
        let topics = self.topics.of_input(reading.input);
        self.draft.extend(Parts::of_reading(topics, &reading));
        let mut set = self.drafted(Extent::Reading, reading);
        let ageless = (self.draft.len() > 1 && set.kind.tagged).then(|| {
            self.draft.remove(0);
            self.drafted(Extent::Ageless, reading)
        });
        let made = self.add(set, false);
        if let Some(ageless) = ageless {
            set.faded = self.add(ageless, false);
            self.sets[made.index()].faded = set.faded;
        }
        self.last[input] = (!self.is_full()).then_some(Last { set, made, ageless });
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

    /// The parts of a value, by topic.
    #[inline]
    pub(super) fn parts(&self, made: Made) -> Parts<'_> {
        self.parts_of(self.set(made))
    }

    #[inline]
    fn parts_of<'s>(&'s self, set: &'s Set) -> Parts<'s> {
        let of_reading = |from| {
            let topics = self.topics.of_input(set.reading.input);
            Parts::of_reading(topics.get(from..).unwrap_or_default(), &set.reading)
        };
        match set.extent {
            Extent::Reading => of_reading(0),
            Extent::Ageless => of_reading(1),
            Extent::Parts(start, end) => Parts::kept(&self.parts[start as usize..end as usize]),
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
        parts.zip(0u32..).fold(0, |bits, (part, index)| {
            bits | u32::from(part.oldest.clock != self.clock) << index
        })
    }

    /// The label of the parts in the draft, which are sorted by topic.
    fn number(&mut self) -> Made {
        let extent = self.keep_draft();
        let set = self.drafted(extent, Reading::default());
        self.add(set, set.eldest != self.clock)
    }

    fn keep_draft(&mut self) -> Extent {
        let start = self.parts.len();
        self.parts.extend_from_slice(&self.draft);
        Extent::Parts(start as u32, self.parts.len() as u32)
    }

    /// The set of the parts in the draft.
    fn drafted(&mut self, extent: Extent, reading: Reading) -> Set {
        let clocks = || self.draft.iter().map(|part| part.oldest.clock);
        let shape = self.shapes.of(&self.draft, &self.topics);
        let settled = self.draft.iter().map(|part| {
            let is_settled = part.oldest.clock != part.later.clock;
            match is_settled || self.topics.is_age(part.topic) {
                true => part.later.clock,
                false => Set::UNSETTLED,
            }
        });
        Set {
            extent,
            reading,
            shape,
            kind: self.shapes.kind(shape),
            eldest: clocks().min().unwrap_or(0),
            youngest: clocks().max().unwrap_or(0),
            settled: settled.max().unwrap_or(0),
            faded: Made::OF_NOTHING,
            even: self.shapes.kind(shape).alone,
        }
    }

    fn add(&mut self, set: Set, mixed: bool) -> Made {
        if self.is_full() {
            return Made::OF_NOTHING;
        }
        let settled = set.settled != Set::UNSETTLED;
        let made = Made::new(self.sets.len(), set.shape, Traits { mixed, settled });
        self.sets.push(set);
        made
    }

    /// Copies the parts of a set to the draft.
    fn draft(&mut self, made: Made) {
        let mut draft = std::mem::take(&mut self.draft);
        draft.clear();
        draft.extend(self.parts(made));
        self.draft = draft;
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
        let new = Self::new(self.topics.clone());
        let before = std::mem::replace(self, new);
        self.clock = before.clock;
        self.seen.clone_from(&before.seen);
        self.last.resize(before.seen.len(), None);
        let mut held = vec![Made::OF_NOTHING; before.sets.len()];
        labels.replace(|label| {
            held[label.index()] = label;
            label
        });
        let mut boundary = Made::from_index_on(1);
        for label in held.iter_mut().filter(|label| **label != Made::OF_NOTHING) {
            self.draft.clear();
            self.draft.extend(before.parts(*label));
            let set = before.set(*label);
            let extent = match set.extent {
                Extent::Parts(..) => self.keep_draft(),
                reading => reading,
            };
            let set = self.drafted(extent, set.reading);
            let is_old = *label < old;
            *label = self.add(set, label.is_mixed());
            if is_old {
                boundary = Made::from_index_on(self.sets.len());
            }
        }
        labels.replace(|label| held[label.index()]);
        let many = MANY.max(2 * self.sets.len()).max(labels.len() / 32);
        // A reading may need two numbers.
        self.many = many.min(Made::MOST - 2);
        boundary
    }
}

#[cfg(test)]
mod tests {
    use super::super::topics::{Member, Topics};
    use super::{Made, Reading, Readings};
    use crate::calls::Context;
    use crate::labels::{Join, Labels};

    /// Four inputs that must agree.
    fn one_set() -> Topics {
        Topics::new(vec![false; 4], &[(0..4).map(Member::Input).collect()])
    }

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
    fn joining_keeps_the_oldest_of_two_power_cycles() {
        let mut readings = Readings::new(one_set());
        let mut sum = Made::OF_NOTHING;
        for clock in [4, 2, 9, 5] {
            let one = read(&mut readings, reading(1, clock));
            sum = readings.join(sum, one);
        }
        let other = read(&mut readings, reading(0, 3));
        sum = readings.join(sum, other);
        let clocks = readings
            .parts(sum)
            .map(|part| (part.topic, part.oldest.clock, part.later.clock));
        let clocks: Vec<(u32, u32, u32)> = clocks.collect();
        assert_eq!(clocks, [(0, 3, 3), (1, 2, 2), (4, 3, 3), (5, 2, 4)]);
        assert_eq!(readings.join(other, sum), sum);
    }

    #[test]
    fn sweeping_keeps_what_is_held() {
        let mut readings = Readings::new(one_set());
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
        let held = labels.of(&[9], &mut readings);
        let oldest = |made| readings.parts(made).next().map(|part| part.oldest);
        assert_eq!(oldest(byte), Some(reading(0, 99)));
        assert_eq!(oldest(held), Some(reading(3, 5)));
    }

    #[test]
    fn aspects_forget_clocks_but_not_which_parts_are_old() {
        let mut readings = Readings::new(Topics::new(vec![false; 40], &[]));
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
        readings.clock = 3;
        assert_ne!(readings.aspect(both), partly);
    }

    #[test]
    fn what_was_said_fades() {
        let mut readings = Readings::new(Topics::new(vec![true, true, false], &[]));
        let mut all = Made::OF_NOTHING;
        for (input, clock) in [(0, 1), (2, 1), (1, 2)] {
            let one = read(&mut readings, reading(input, clock));
            all = readings.join(all, one);
        }
        let topics = |readings: &Readings, made| -> Vec<u32> {
            readings.parts(made).map(|part| part.topic).collect()
        };
        let fresh = read(&mut readings, reading(1, 2));
        assert_eq!(readings.faded(fresh, true), fresh);
        // Input 1 was read in this power cycle, and input 2 is not tagged.
        let faded = readings.faded(all, false);
        assert_eq!(topics(&readings, faded), [1, 2]);
        assert_eq!(readings.faded(all, false), faded);
        let faded = readings.faded(all, true);
        assert_eq!(topics(&readings, faded), [1]);
        readings.clock = 3;
        let faded = readings.faded(all, false);
        assert_eq!(topics(&readings, faded), [2]);
        assert_eq!(readings.faded(all, true), Made::OF_NOTHING);
    }

    #[test]
    fn more_parts_than_bits_are_looked_at_every_time() {
        let mut readings = Readings::new(Topics::new(vec![false; 40], &[]));
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
