//! What values are made of: readings of inputs.

use crate::calls::Context;

/// One reading of an input. Readings by one place in one power cycle are one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, PartialOrd, Ord)]
pub(super) struct Reading {
    /// Commits before it.
    pub(super) clock: u32,
    pub(super) input: u32,
    /// The operation of the user's code.
    pub(super) pc: u32,
    pub(super) calls: Context,
}

/// What an input, or a variable that must be consistent with others, has contributed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
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
    /// Whether nothing has been said that was not said of the other.
    #[inline(always)]
    pub(super) fn is_within(self, other: Said) -> bool {
        (!self.age | other.age) & (!self.mixture | other.mixture)
    }

    pub(super) fn both(self, other: Said) -> Said {
        Said {
            age: self.age && other.age,
            mixture: self.mixture && other.mixture,
        }
    }
}
