//! Readings by place: an attempt is given what another execution got at the same place (SEMANTICS
//! §2), whatever either of them read before.
//!
//! A place is an operation, the calls that lead to it, and how often the attempt has asked there. A
//! reading at a place that the other execution never came to is what the scenario gives next.

use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};
use std::ops::RangeInclusive;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHasher};

use crate::machine::Machine;

/// Where and for the how manieth time an attempt reads an input.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ReadingPlace {
    /// The operation and the calls that lead to it, as a number.
    path: u64,
    /// The input; those that say which handlers come are beyond all others.
    pub input: u32,
    /// How often the attempt had read it there before.
    pub nth: u32,
}

impl ReadingPlace {
    /// The same, so many readings earlier; nothing if there are not so many.
    pub fn earlier(self, by: u32) -> Option<Self> {
        let nth = self.nth.checked_sub(by)?;
        Some(Self { nth, ..self })
    }

    /// The same, so many readings later.
    #[must_use]
    pub fn later(self, by: u32) -> Self {
        let nth = self.nth.saturating_add(by);
        Self { nth, ..self }
    }

    /// All readings of the same there.
    pub fn all_there(self) -> RangeInclusive<Self> {
        Self { nth: 0, ..self }..=Self {
            nth: u32::MAX,
            ..self
        }
    }
}

/// What readings gave, by place.
pub type Readings = BTreeMap<ReadingPlace, u64>;

/// What a reading gives at a place that is not listed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Otherwise {
    /// What the scenario gives next.
    #[default]
    Next,
    /// What the scenario gives for the how manieth reading it is at that place: the same in every
    /// execution that comes there as often.
    ByPlace,
}

/// What inputs give in an attempt that gets other readings than it was given, or than the scenario has for it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OtherReadings {
    /// What they would give so many readings later.
    Later(u32),
    /// Always this value, or the one that is nearest to it of those that they can give.
    Always(i64),
}

/// The readings of one attempt.
#[derive(Clone, Debug, Default)]
pub(crate) struct Attempt {
    otherwise: Otherwise,
    /// What readings give at the places listed.
    given: Arc<Readings>,
    /// What inputs give instead of all that.
    others: Option<OtherReadings>,
    /// Whether handlers come only where `given` says.
    interrupts_given: bool,
    /// Whether none comes, and sleeps end by themselves.
    is_left_alone: bool,
    /// How often each place was asked at.
    asked: FxHashMap<(u64, u32), u32>,
    /// What the readings gave.
    got: Readings,
    /// The handlers that came between instructions, in order.
    pub(crate) interrupts: Vec<(ReadingPlace, u64)>,
}

impl Attempt {
    /// An attempt in which no handler comes.
    pub(crate) fn without_handlers() -> Self {
        Self {
            interrupts_given: true,
            is_left_alone: true,
            ..Self::default()
        }
    }
}

impl Machine<'_> {
    /// An attempt begins: from here on readings are noted by place, and those at the places of
    /// `given` give what it says. Stays so through power failures.
    pub fn begin_readings(&mut self, given: Arc<Readings>) {
        self.attempt = Some(Box::new(Attempt {
            given,
            ..Attempt::default()
        }));
    }

    /// A boot begins: from here on what a reading gives depends on its place alone, so that all boots
    /// read the same wherever they ask the same: what `given` says or, where that says nothing, what
    /// the scenario gives for the how manieth reading it is there.
    pub fn begin_boot(&mut self, given: Arc<Readings>) {
        self.attempt = Some(Box::new(Attempt {
            otherwise: Otherwise::ByPlace,
            given,
            ..Attempt::default()
        }));
    }

    /// From here on handlers come where the readings that the attempt was given say, and nowhere else.
    pub fn give_interrupts(&mut self) {
        if let Some(attempt) = &mut self.attempt {
            attempt.interrupts_given = true;
        }
    }

    /// From here on inputs give something else, whatever the attempt was given.
    pub fn read_otherwise(&mut self, others: OtherReadings) {
        if let Some(attempt) = &mut self.attempt {
            attempt.others = Some(others);
        }
    }

    /// Whether handlers come only where the attempt was told that they do.
    pub(crate) fn are_interrupts_given(&self) -> bool {
        let attempt = self.attempt.as_ref();
        attempt.is_some_and(|attempt| attempt.interrupts_given)
    }

    /// Whether no handler comes, and sleeps end by themselves.
    pub(crate) fn is_left_alone(&self) -> bool {
        let attempt = self.attempt.as_ref();
        attempt.is_some_and(|attempt| attempt.is_left_alone)
    }

    /// Whether what is read depends on the place alone.
    pub(crate) fn reads_by_place(&self) -> bool {
        let attempt = self.attempt.as_ref();
        attempt.is_some_and(|attempt| attempt.otherwise == Otherwise::ByPlace)
    }

    /// The number of a reading, from which the scenario makes its value.
    pub(crate) fn reading_number(&self, place: ReadingPlace) -> u64 {
        let attempt = self.attempt.as_ref();
        let number = match attempt.map(|attempt| attempt.otherwise) {
            Some(Otherwise::ByPlace) => place.nth.into(),
            Some(Otherwise::Next) | None => self.inputs_read[place.input as usize],
        };
        match attempt.and_then(|attempt| attempt.others) {
            Some(OtherReadings::Later(by)) => number + u64::from(by),
            Some(OtherReadings::Always(_)) | None => number,
        }
    }

    /// What an input gives at a place if it always gives the same there.
    pub(crate) fn steady_reading(&self, input: u32, bits: u32) -> Option<u64> {
        let attempt = self.attempt.as_ref()?;
        let Some(OtherReadings::Always(value)) = attempt.others else {
            return None;
        };
        let source = self.image.bindings().inputs.get(input as usize)?;
        source.nearest(value, bits)
    }

    /// Ends that: inputs give what the scenario says. What the readings since the beginning gave.
    pub fn end_readings(&mut self) -> Readings {
        self.attempt
            .take()
            .map(|attempt| attempt.got)
            .unwrap_or_default()
    }

    /// What the readings since the beginning of the attempt gave.
    pub fn readings(&self) -> Option<&Readings> {
        self.attempt.as_ref().map(|attempt| &attempt.got)
    }

    /// An operation and the calls that lead to it, as a number.
    pub(crate) fn path_to(&self, pc: u32) -> u64 {
        let mut hasher = FxHasher::default();
        pc.hash(&mut hasher);
        for frame in &self.processor.frames {
            (frame.function, frame.return_to).hash(&mut hasher);
        }
        hasher.finish()
    }

    /// Where an attempt that notes its readings is about to read an input, at operation `pc`.
    pub(crate) fn reading_place(&mut self, input: u32, pc: u32) -> Option<ReadingPlace> {
        self.attempt.as_ref()?;
        let path = self.path_to(pc);
        let asked = self
            .attempt
            .as_mut()?
            .asked
            .entry((path, input))
            .or_default();
        let nth = *asked;
        *asked += 1;
        Some(ReadingPlace { path, input, nth })
    }

    /// What the attempt is given at a place.
    pub(crate) fn given(&self, place: ReadingPlace) -> Option<u64> {
        let attempt = self.attempt.as_ref()?;
        let is_other = attempt.others.is_some() && !place.is_of_handlers();
        attempt.given.get(&place).copied().filter(|_| !is_other)
    }

    /// Notes which handlers came at a place.
    pub(crate) fn note_interrupt(&mut self, place: ReadingPlace, handlers: u64) {
        self.note_reading(place, handlers);
        if let Some(attempt) = &mut self.attempt {
            attempt.interrupts.push((place, handlers));
        }
    }

    /// Notes what a reading gave.
    pub(crate) fn note_reading(&mut self, place: ReadingPlace, value: u64) {
        if let Some(attempt) = &mut self.attempt {
            attempt.got.insert(place, value);
        }
    }
}
