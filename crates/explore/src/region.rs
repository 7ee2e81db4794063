//! Regions: where a checkpoint is, and how far its executions go.

use crate::calls::Context;
use brownout_scenario::Exposure;

/// Regions are not followed further than this.
pub const LONGEST_REGION: u64 = 20_000_000;

/// One occurrence of a pair.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Instance {
    /// When the governing checkpoint committed; 0 is the start of the program.
    pub commit: u64,
    /// The checkpoint call before the producer; none before the first.
    pub checkpoint: Option<u32>,
    /// When the consumer read.
    pub consumed: u64,
    /// When the producer wrote.
    pub produced: u64,
    /// The calls in progress at the consumer.
    pub consumer_calls: Context,
    /// The calls in progress at the producer.
    pub producer_calls: Context,
}

/// Where a region begins and what ends it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Region {
    /// From the commit at this time to the next.
    ToCommit { commit: u64 },
    /// From this time, where a checkpoint may sit, for `length` instructions.
    Anywhere { start: u64, length: u64 },
    /// From the checkpoint call at this time, for `length` instructions: the calls in between did
    /// not commit.
    SinceCall { commit: u64, length: u64 },
}

impl Region {
    /// The region of an occurrence of a pair.
    pub(super) fn of(exposure: Exposure, instance: Instance) -> Self {
        Self::at(
            exposure,
            match exposure {
                Exposure::Anywhere { .. } => instance.consumed.saturating_sub(1),
                Exposure::Region | Exposure::SinceCall { .. } => instance.commit,
            },
        )
    }

    /// The region of a checkpoint at `position`.
    pub(super) fn at(exposure: Exposure, position: u64) -> Self {
        match exposure {
            Exposure::Region => Self::ToCommit { commit: position },
            Exposure::Anywhere { depth } => Self::Anywhere {
                start: position,
                length: depth + 1,
            },
            // Before any checkpoint was passed, nothing has committed; once one was, one has.
            Exposure::SinceCall { .. } if position == 0 => Self::ToCommit { commit: 0 },
            // The calls in between may not commit; the region is what energy allows.
            Exposure::SinceCall { depth } => Self::SinceCall {
                commit: position,
                length: depth,
            },
        }
    }

    /// When its checkpoint commits.
    pub(super) const fn position(self) -> u64 {
        match self {
            Self::ToCommit { commit } | Self::SinceCall { commit, .. } => commit,
            Self::Anywhere { start, .. } => start,
        }
    }

    /// Whether a commit ends it.
    pub(super) const fn ends_at_commit(self) -> bool {
        matches!(self, Self::ToCommit { .. })
    }

    /// The instructions that may be executed in it from `now` on.
    pub(super) fn budget(self, now: u64) -> u64 {
        match self {
            Self::ToCommit { .. } => LONGEST_REGION,
            // Instructions without an operation of their own may have passed already.
            Self::Anywhere {
                start: from,
                length,
            }
            | Self::SinceCall {
                commit: from,
                length,
            } => (from + length).saturating_sub(now),
        }
    }
}
