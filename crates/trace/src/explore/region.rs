//! Windows: where a checkpoint is, and how far its executions are followed.

use crate::exposure::Exposure;
use crate::locate::Instance;

/// Windows are not followed further than this.
pub(crate) const LONGEST_WINDOW: u64 = 20_000_000;

/// Where a window starts and how far it reaches.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Window {
    /// From the commit at this time to the next.
    Region { commit: u64 },
    /// From this time, where a checkpoint may sit, for `length` instructions.
    Span { start: u64, length: u64 },
    /// From the checkpoint call at this time, for `length` instructions.
    Call { commit: u64, length: u64 },
}

impl Window {
    /// The window of an occurrence.
    pub(super) fn of(exposure: Exposure, instance: Instance) -> Self {
        Self::at(
            exposure,
            match exposure {
                Exposure::Anywhere { .. } => instance.consumed.saturating_sub(1),
                Exposure::Region | Exposure::SinceCall { .. } => instance.commit,
            },
        )
    }

    /// The window of a checkpoint at `position`.
    pub(super) fn at(exposure: Exposure, position: u64) -> Self {
        match exposure {
            Exposure::Region => Self::Region { commit: position },
            Exposure::Anywhere { depth } => Self::Span {
                start: position,
                length: depth + 1,
            },
            // The calls in between may not commit; the window is what energy allows.
            Exposure::SinceCall { depth } => Self::Call {
                commit: position,
                length: depth,
            },
        }
    }

    /// When its checkpoint commits.
    pub(super) const fn position(self) -> u64 {
        match self {
            Self::Region { commit } | Self::Call { commit, .. } => commit,
            Self::Span { start, .. } => start,
        }
    }

    /// Whether a commit ends it.
    pub(super) const fn is_region(self) -> bool {
        matches!(self, Self::Region { .. })
    }

    /// The instructions that may be executed in it from `now` on.
    pub(super) fn budget(self, now: u64) -> u64 {
        match self {
            Self::Region { .. } => LONGEST_WINDOW,
            // Instructions without an operation of their own may have passed already.
            Self::Span {
                start: from,
                length,
            }
            | Self::Call {
                commit: from,
                length,
            } => (from + length).saturating_sub(now),
        }
    }
}
