//! Labels: numbers for sets of readings that say at a glance what these look like.
//!
//! **Invariant**: a lower number was given earlier, and none is given twice between two sweeps.

use super::shapes::Shape;

/// A set of readings, by number. From bit 0 on it says which shape the set has, if that is one of
/// the first, in bits 6 and 7 how it came to be, and from bit 8 on which set it is.
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

/// How a set came to be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Birth {
    /// It is one reading, of the power cycle in which it got its number. The oldest of such sets
    /// stands for all of the same shape.
    Single,
    /// All of it was read in the power cycle in which it got its number.
    New,
    /// Some of it was old already.
    Mixed,
}

impl Made {
    pub(super) const OF_NOTHING: Self = Self(0);
    /// So many sets have numbers.
    pub(super) const MOST: usize = 1 << (u32::BITS - Self::INDEX);
    const INDEX: u32 = 8;
    const SINGLE: u32 = 1 << 7;
    const MIXED: u32 = 1 << 6;
    const SHAPE: u32 = Look::NONE;

    #[inline(always)]
    pub(super) fn new(index: usize, shape: Shape, birth: Birth) -> Self {
        let shape = shape.number().min(Look::NONE);
        let birth = match birth {
            Birth::Single if shape != Look::NONE => Self::SINGLE,
            Birth::Single | Birth::New => 0,
            Birth::Mixed => Self::MIXED,
        };
        Self((index as u32) << Self::INDEX | birth | shape)
    }

    /// The same of another set that looks like this one, and came to be like it.
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

    /// How it came to be.
    pub(super) fn birth(self) -> Birth {
        if self.0 & Self::MIXED != 0 {
            Birth::Mixed
        } else if self.0 & Self::SINGLE != 0 {
            Birth::Single
        } else {
            Birth::New
        }
    }

    /// What tells one from others.
    #[inline(always)]
    pub(super) fn number(self) -> u32 {
        self.0
    }

    /// The label of a value made of both, if both are single readings by one place: the older one.
    #[inline(always)]
    pub(super) fn older_reading(self, other: Self) -> Option<Self> {
        let same = (self.0 ^ other.0) & (Self::SHAPE | Self::SINGLE) == 0;
        (same && self.0 & Self::SINGLE != 0).then(|| self.min(other))
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
