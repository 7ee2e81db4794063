//! Which readings of inputs a value is made of: the sets that labels stand for.
//!
//! A set has one [`Part`] for each [`Subject`] that the analysis may have to judge. A part keeps
//! the oldest reading, and where agreement is judged the oldest one of a later power cycle as well.
//! That is enough to say whether anything in the value is older than the last commit, and whether
//! readings come from one power cycle; and it keeps a sum over a thousand readings as small as one
//! reading.
//!
//! **Invariant**: equal sets have equal labels, and [`Label::NONE`] is that of the empty set.
//! Labels that nothing carries any more are dropped, so that memory grows with what the program
//! holds, not with time.

use std::cmp::Ordering;

use brownout_explore::Context;
use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::inputs::labels::{Join, Label, Labels};

/// One reading of an input. Readings by one place in one power cycle are one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Reading {
    /// How many commits came before it. Older readings are smaller.
    pub(super) clock: u32,
    pub(super) input: u32,
    /// The operation of the user's code that read.
    pub(super) pc: u32,
    pub(super) calls: Context,
}

/// What is judged about the readings in a value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Subject {
    /// How old the readings of an input are.
    Age(u32),
    /// Whether the readings that count as one member of an agreement are of the power cycle of the
    /// other members.
    Agreement { number: u32, member: u32 },
    /// All readings in the value: those of a variable, once a variable holds the value that is a
    /// member of an agreement.
    Everything,
}

impl Subject {
    /// The number of the agreement, if it is about one.
    pub(super) fn agreement(self) -> Option<u32> {
        match self {
            Self::Agreement { number, .. } => Some(number),
            Self::Age(_) | Self::Everything => None,
        }
    }
}

/// The readings in a value that one subject is about.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Part {
    pub(super) subject: Subject,
    pub(super) oldest: Reading,
    /// The oldest one of a later power cycle, if there is one and the subject is not an age.
    pub(super) later: Option<Reading>,
}

impl Part {
    /// The part that a single reading is.
    pub(super) fn new(subject: Subject, reading: Reading) -> Self {
        Self {
            subject,
            oldest: reading,
            later: None,
        }
    }

    /// What two values have of one subject.
    fn join(&self, other: &Self) -> Self {
        let oldest = self.oldest.min(other.oldest);
        let later = match self.subject {
            Subject::Age(_) => None,
            Subject::Agreement { .. } | Subject::Everything => {
                let all = [
                    Some(self.oldest),
                    self.later,
                    Some(other.oldest),
                    other.later,
                ];
                let all = all.into_iter().flatten();
                all.filter(|reading| reading.clock > oldest.clock).min()
            }
        };
        Self {
            subject: self.subject,
            oldest,
            later,
        }
    }
}

/// Caches are emptied when they have grown to this many entries, and sets are looked through for
/// those still in use when there are more than this.
const MANY: usize = 1 << 14;
/// So many sets are told apart. Further ones are not known.
const MOST: usize = 1 << 22;

/// The sets of readings, by label.
#[derive(Clone, Debug)]
pub(super) struct Readings {
    /// Each set with the clock of its newest part.
    sets: IndexMap<Box<[Part]>, u32, FxBuildHasher>,
    /// A cache of joins.
    joins: FxHashMap<(Label, Label), Label>,
    /// How many sets make a sweep worthwhile.
    many: usize,
}

impl Readings {
    /// The empty set alone.
    pub(super) fn new() -> Self {
        let mut sets = IndexMap::default();
        sets.insert(Box::default(), 0);
        Self {
            sets,
            joins: FxHashMap::default(),
            many: MANY,
        }
    }

    /// The label of a set, whose parts are sorted by subject.
    pub(super) fn label(&mut self, parts: Vec<Part>) -> Label {
        match self.sets.get_index_of(parts.as_slice()) {
            Some(index) => Label(index as u32),
            None if self.sets.len() >= MOST => Label::NONE,
            None => {
                let newest = parts.iter().map(|part| part.oldest.clock).max();
                let set = parts.into_boxed_slice();
                Label(self.sets.insert_full(set, newest.unwrap_or(0)).0 as u32)
            }
        }
    }

    /// The set that a label stands for, sorted by subject.
    pub(super) fn parts(&self, label: Label) -> &[Part] {
        let set = self.sets.get_index(label.0 as usize);
        set.map_or(&[], |(parts, _)| parts)
    }

    /// Whether all parts of a set are older than the power cycle of that clock.
    pub(super) fn are_old(&self, label: Label, clock: u32) -> bool {
        let set = self.sets.get_index(label.0 as usize);
        set.is_none_or(|(_, newest)| *newest < clock)
    }

    /// The label without the parts that are not to be kept.
    pub(super) fn retain(&mut self, label: Label, keep: impl Fn(&Part) -> bool) -> Label {
        let parts = self.parts(label);
        if parts.iter().all(&keep) {
            return label;
        }
        let kept = parts.iter().copied().filter(keep).collect();
        self.label(kept)
    }

    /// Whether it is time for a [`Readings::sweep`].
    #[inline(always)]
    pub(super) fn are_many(&self) -> bool {
        self.sets.len() > self.many
    }

    /// Drops the sets that no label of the machine stands for, and gives the others new labels.
    pub(super) fn sweep(&mut self, labels: &mut Labels) {
        let before = std::mem::replace(self, Self::new());
        let mut renamed: FxHashMap<Label, Label> = FxHashMap::default();
        labels.replace(|label| {
            let rename = || self.label(before.parts(label).to_vec());
            *renamed.entry(label).or_insert_with(rename)
        });
        // Looking through all of memory must not happen for a handful of sets.
        self.many = MANY.max(2 * self.sets.len()).max(labels.len() / 32);
    }

    #[inline(never)]
    fn join_sets(&mut self, one: Label, other: Label) -> Label {
        let (mut one, mut other) = (self.parts(one), self.parts(other));
        let mut parts = Vec::with_capacity(one.len() + other.len());
        while let ([a, further_a @ ..], [b, further_b @ ..]) = (one, other) {
            let order = a.subject.cmp(&b.subject);
            parts.push(match order {
                Ordering::Less => *a,
                Ordering::Greater => *b,
                Ordering::Equal => a.join(b),
            });
            if order.is_le() {
                one = further_a;
            }
            if order.is_ge() {
                other = further_b;
            }
        }
        parts.extend_from_slice(one);
        parts.extend_from_slice(other);
        self.label(parts)
    }
}

impl Join for Readings {
    #[inline(never)]
    fn join(&mut self, one: Label, other: Label) -> Label {
        let key = (one.min(other), one.max(other));
        if let Some(&label) = self.joins.get(&key) {
            return label;
        }
        let label = self.join_sets(one, other);
        if self.joins.len() >= MANY {
            self.joins.clear();
        }
        self.joins.insert(key, label);
        label
    }
}

#[cfg(test)]
mod tests {
    use super::{Part, Reading, Readings, Subject};
    use crate::inputs::labels::{Label, Labels};
    use brownout_explore::Context;

    #[test]
    fn sweeping_keeps_what_is_carried() {
        let mut readings = Readings::new();
        let mut labels = Labels::new(8);
        let read = |readings: &mut Readings, clock| {
            let reading = Reading {
                clock,
                input: 0,
                pc: 7,
                calls: Context::OUTSIDE,
            };
            readings.label(vec![Part::new(Subject::Age(0), reading)])
        };
        for clock in 0..100 {
            let label = read(&mut readings, clock);
            labels.set_bytes(2, 2, label);
        }
        let carried = read(&mut readings, 5);
        labels.set(9, carried);
        readings.sweep(&mut labels);
        assert_eq!(readings.sets.len(), 3);
        let clock = |label: Label| readings.parts(label)[0].oldest.clock;
        let [byte, register] = {
            let mut join = readings.clone();
            [labels.bytes(2, 2, &mut join), labels.of(&[9], &mut join)]
        };
        assert_eq!((clock(byte), clock(register)), (99, 5));
    }
}
