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

/// What a value has of one topic.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Part {
    pub(super) topic: u32,
    pub(super) oldest: Reading,
    /// The oldest one of a later power cycle, if the topic is about more than age and there is one;
    /// otherwise the oldest again.
    pub(super) later: Reading,
}

impl Part {
    /// What a single reading has.
    pub(super) fn new(topic: u32, reading: Reading) -> Self {
        Self {
            topic,
            oldest: reading,
            later: reading,
        }
    }

    /// What two values have of one topic, of which nothing but the age counts.
    #[inline(always)]
    pub(super) fn older(&self, other: &Self) -> Self {
        Self::new(self.topic, self.oldest.min(other.oldest))
    }

    /// What two values have of one topic.
    pub(super) fn both(&self, other: &Self) -> Self {
        let oldest = self.oldest.min(other.oldest);
        let all = [self.oldest, self.later, other.oldest, other.later];
        let later = all
            .into_iter()
            .filter(|reading| reading.clock > oldest.clock);
        Self {
            topic: self.topic,
            oldest,
            later: later.min().unwrap_or(oldest),
        }
    }
}
