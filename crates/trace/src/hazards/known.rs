//! A cache of the pairs of which enough is known.
//!
//! Pairs of two places are kept for a stretch of bytes each: an array that is walked has one entry.
//! An entry that is lost is found in [`crate::hazards::pairs`] again.

use std::ops::Range;

use brownout_explore::{CheckpointCall, Context};

/// Which owner (activation, heap block) bytes had when they were read.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) enum Whose {
    /// The one that they have when they are written.
    #[default]
    Same,
    /// An earlier one.
    Other,
}

/// Two places, and where the bytes are that both access.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Couple {
    pub(crate) consumer: u32,
    pub(crate) producer: u32,
    /// The calls in progress at the producer.
    pub(crate) calls: Context,
    /// The checkpoint call before it, where regions begin at such calls.
    pub(crate) region: Option<CheckpointCall>,
    pub(crate) whose: Whose,
    /// The memory in which bytes have fixed positions: all globals, the frames of one function, or one heap block.
    pub(crate) domain: u32,
}

/// An entry: what is known of a couple.
#[derive(Clone, Debug, Default)]
pub(crate) struct Known {
    couple: Couple,
    /// Bytes for which no more pairs are needed, whatever value is stored.
    pub(crate) loud: Range<i64>,
    /// Bytes for which no more pairs are needed that store the value which was read.
    pub(crate) silent: Range<i64>,
}

/// The bytes of the granule at `position` that lie in `range`.
#[inline(always)]
pub(crate) fn within(range: &Range<i64>, position: i64) -> u8 {
    if range.start <= position && position + 8 <= range.end {
        return 0xff;
    }
    let below = |end: i64| (1u32 << (end - position).clamp(0, 8)) - 1;
    (below(range.end) & !below(range.start)) as u8
}

/// How many couples the cache has.
const COUPLES: usize = if cfg!(debug_assertions) {
    1 << 6
} else {
    1 << 12
};
/// How many neighbouring bytes share an entry.
const CHUNK: i64 = 1 << 9;

/// The cache.
#[derive(Debug)]
pub(crate) struct Memory {
    known: Vec<Known>,
    /// How often an entry was made or widened.
    additions: u32,
}

impl Memory {
    pub(crate) fn new() -> Self {
        Self {
            known: vec![Known::default(); COUPLES],
            additions: 0,
        }
    }

    #[inline(always)]
    fn slot(couple: &Couple, position: i64) -> usize {
        let mixed = couple.consumer.wrapping_mul(0x9e37_79b1)
            ^ couple.producer.wrapping_mul(0x85eb_ca6b)
            ^ ((position / CHUNK) as u32 ^ couple.domain ^ (couple.whose as u32) << 8)
                .wrapping_mul(0xc2b2_ae35);
        (mixed >> 16) as usize % COUPLES
    }

    /// A number that changes when more is known.
    pub(crate) const fn knowledge(&self) -> u32 {
        self.additions
    }

    /// What is known of the couple around a position.
    #[inline(always)]
    pub(crate) fn of(&self, couple: &Couple, position: i64) -> Option<&Known> {
        let known = &self.known[Self::slot(couple, position)];
        (known.couple == *couple).then_some(known)
    }

    /// Remembers for the bytes around `position` that nothing is to be learnt of some more.
    pub(crate) fn add(
        &mut self,
        couple: &Couple,
        position: i64,
        loud: Option<Range<i64>>,
        silent: Option<Range<i64>>,
    ) {
        self.additions = self.additions.wrapping_add(1);
        let known = &mut self.known[Self::slot(couple, position)];
        if known.couple != *couple {
            *known = Known {
                couple: *couple,
                ..Known::default()
            };
        }
        if let Some(range) = loud {
            join(&mut known.loud, range);
        }
        if let Some(range) = silent {
            join(&mut known.silent, range);
        }
    }
}

/// Makes `known` one with `range` if they touch; else the newer one is the more useful.
fn join(known: &mut Range<i64>, range: Range<i64>) {
    if range.start <= known.end && known.start <= range.end && !known.is_empty() {
        *known = known.start.min(range.start)..known.end.max(range.end);
    } else {
        *known = range;
    }
}
