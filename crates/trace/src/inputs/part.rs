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

impl Reading {
    /// The older one, and this one if both are of one power cycle.
    #[inline(always)]
    fn or_older(self, other: Self) -> Self {
        if other.clock < self.clock {
            other
        } else {
            self
        }
    }
}

/// What a value has of one topic. Of readings of one power cycle, one stands for all.
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
        Self::new(self.topic, self.oldest.or_older(other.oldest))
    }

    /// What two values have of one topic.
    pub(super) fn both(&self, other: &Self) -> Self {
        let oldest = self.oldest.or_older(other.oldest);
        let all = [self.later, self.oldest, other.oldest, other.later];
        let later = all
            .into_iter()
            .filter(|reading| reading.clock > oldest.clock);
        Self {
            topic: self.topic,
            oldest,
            later: later.reduce(Reading::or_older).unwrap_or(oldest),
        }
    }
}

/// The parts of a value, by topic: what a single reading has, or what is kept one by one.
#[derive(Clone, Debug)]
pub(super) struct Parts<'r> {
    topics: &'r [u32],
    reading: &'r Reading,
    others: &'r [Part],
}

impl<'r> Parts<'r> {
    /// What a reading has of these topics.
    pub(super) fn of_reading(topics: &'r [u32], reading: &'r Reading) -> Self {
        let others = &[];
        Self {
            topics,
            reading,
            others,
        }
    }

    /// These.
    pub(super) fn kept(others: &'r [Part]) -> Self {
        const NO_READING: &Reading = &Reading {
            clock: 0,
            input: 0,
            pc: 0,
            calls: Context::OUTSIDE,
        };
        Self {
            topics: &[],
            reading: NO_READING,
            others,
        }
    }
}

impl Iterator for Parts<'_> {
    type Item = Part;

    fn next(&mut self) -> Option<Part> {
        if let [topic, further @ ..] = self.topics {
            self.topics = further;
            return Some(Part::new(*topic, *self.reading));
        }
        let (part, further) = self.others.split_first()?;
        self.others = further;
        Some(*part)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let length = self.topics.len() + self.others.len();
        (length, Some(length))
    }
}

impl ExactSizeIterator for Parts<'_> {}
