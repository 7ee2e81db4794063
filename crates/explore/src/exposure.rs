//! Which reads a power failure can repeat: the checkpoint policy as the
//! locating analysis sees it (SEMANTICS §3.1).

use brownout_scenario::Policy;

/// When a read and a later write of the same byte are a pair.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exposure {
    /// In one region, and nothing wrote the byte before the read in it.
    Region,
    /// Within this many instructions: a checkpoint may sit right before the read.
    Anywhere {
        /// The execution depth.
        depth: u64,
    },
    /// Nothing wrote the byte between the last checkpoint call and the read, and
    /// the write comes within this many instructions of that call.
    SinceCall {
        /// The execution depth.
        depth: u64,
    },
}

impl From<Policy> for Exposure {
    fn from(policy: Policy) -> Self {
        match policy {
            // Under `restart` all of the execution is one region.
            Policy::Static | Policy::Tasks | Policy::Restart => Self::Region,
            Policy::Conditional { depth } => Self::SinceCall { depth },
            Policy::Reactive { depth } => Self::Anywhere { depth },
        }
    }
}

/// Where execution goes on after a power failure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Recovery {
    /// At the last checkpoint.
    Checkpoint,
    /// At the entry: nothing ever commits.
    Restart,
}

impl From<Policy> for Recovery {
    fn from(policy: Policy) -> Self {
        match policy {
            Policy::Restart => Self::Restart,
            Policy::Static
            | Policy::Conditional { .. }
            | Policy::Reactive { .. }
            | Policy::Tasks => Self::Checkpoint,
        }
    }
}
