//! Labels: numbers for sets of readings that say at a glance what these look like.
//!
//! **Invariant**: a lower number was given earlier, and none is given twice between two sweeps.

use super::shapes::Shape;

/// A set of readings, by number. From bit 0 on it says which shape the set has, if that is one of
/// the first, in bits 6 and 7 what is special about it, and from bit 8 on which set it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Hash)]
pub(super) struct Made(u32);

impl From<u32> for Made {
    #[inline(always)]
    fn from(number: u32) -> Self {
        Self(number)
    }
}

impl From<Made> for u32 {
    #[inline(always)]
    fn from(made: Made) -> Self {
        made.0
    }
}

/// What is special about a set.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Traits {
    /// Some of it was older than the power cycle in which it got its number.
    pub(super) mixed: bool,
    /// What was read after it, by the same places, adds nothing to it.
    pub(super) settled: bool,
}

impl Made {
    pub(super) const OF_NOTHING: Self = Self(0);
    /// So many sets have numbers.
    pub(super) const MOST: usize = 1 << (u32::BITS - Self::INDEX);
    const INDEX: u32 = 8;
    const SETTLED: u32 = 1 << 7;
    const MIXED: u32 = 1 << 6;
    const SHAPE: u32 = Look::NONE;

    #[inline(always)]
    pub(super) fn new(index: usize, shape: Shape, traits: Traits) -> Self {
        let shape = shape.number().min(Look::NONE);
        let mixed = if traits.mixed { Self::MIXED } else { 0 };
        let settled = match traits.settled && shape != Look::NONE {
            true => Self::SETTLED,
            false => 0,
        };
        Self((index as u32) << Self::INDEX | settled | mixed | shape)
    }

    /// The same of another set that looks like this one and has the same traits.
    #[inline(always)]
    pub(super) fn numbered(self, index: usize) -> Self {
        Self((index as u32) << Self::INDEX | self.0 & ((1 << Self::INDEX) - 1))
    }

    /// The lowest number that a set from `index` on can have.
    #[inline(always)]
    pub(super) fn from_index_on(index: usize) -> Self {
        Self((index as u32) << Self::INDEX)
    }

    /// Which set it is.
    #[inline(always)]
    pub(super) fn index(self) -> usize {
        (self.0 >> Self::INDEX) as usize
    }

    /// Whether some of it was older than the power cycle in which it got its number.
    pub(super) fn is_mixed(self) -> bool {
        self.0 & Self::MIXED != 0
    }

    /// What tells one from others.
    #[inline(always)]
    pub(super) fn number(self) -> u32 {
        self.0
    }

    /// The label of a value made of both, if one is settled and the other was read after it by the
    /// same places.
    #[inline(always)]
    pub(super) fn unmoved_by(self, other: Self) -> Option<Self> {
        if (self.0 ^ other.0) & Self::SHAPE != 0 {
            return None;
        }
        let (first, second) = match self < other {
            true => (self, other),
            false => (other, self),
        };
        (first.0 & Self::SETTLED != 0 && second.0 & Self::MIXED == 0).then_some(first)
    }

    /// What the set looks like once all of it is old.
    #[inline(always)]
    pub(super) fn old_look(self) -> Look {
        Look(self.0)
    }

    /// What the set looks like in the power cycle in which it got its number.
    #[inline(always)]
    pub(super) fn new_look(self) -> Look {
        match self.0 & Self::MIXED {
            0 => Look(self.0 | Look::NEW),
            _ => Look(Look::NONE),
        }
    }
}

/// What a set looks like whose shape is one of the first and whose parts are all old or all new: a
/// bit of a word. The others have none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Look(u32);

impl Look {
    /// What has no bit of its own.
    const NONE: u32 = 31;
    const NEW: u32 = 32;

    /// Which one.
    #[inline(always)]
    pub(super) fn bit(self) -> u32 {
        self.0 & (2 * Self::NEW - 1)
    }

    /// Whether it has one.
    pub(super) fn has_bit(self) -> bool {
        self.0 & Self::NONE != Self::NONE
    }
}

/// What a set looks like at some moment: its shape, and which of its parts are older than the last
/// commit, a bit for each.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Aspect {
    pub(super) shape: Shape,
    pub(super) old: u32,
}

impl Aspect {
    pub(super) const NONE_OLD: u32 = 0;
    pub(super) const ALL_OLD: u32 = u32::MAX;
    /// Some of so many that there are not enough bits.
    pub(super) const SOME_OLD: u32 = 1 << 31;

    /// Whether it says all that can be said.
    pub(super) fn is_exact(self) -> bool {
        self.old != Self::SOME_OLD
    }

    /// What tells one from others.
    pub(super) fn bits(self) -> u64 {
        u64::from(self.shape.number()) << 32 | u64::from(self.old)
    }
}
