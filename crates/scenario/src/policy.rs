//! The checkpoint policies (semantics §1), and the two decisions that each of them is: when a commit may come
//! between two instructions, and where a reboot goes on. Everybody else decides by these two.

/// When a checkpoint commits. Depths are execution depths, in instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Policy {
    /// Every call of a checkpoint function commits.
    Static,
    /// Every such call may or may not commit.
    Conditional {
        /// How far the device runs after a checkpoint.
        depth: u64,
    },
    /// A checkpoint may commit before any instruction.
    Reactive {
        /// How far the device runs after a checkpoint.
        depth: u64,
    },
    /// Nothing ever commits: every reboot starts at the entry.
    Restart,
    /// A task transition commits; on reboot the current task restarts.
    Tasks,
}

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

/// Where execution goes on after a power failure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Recovery {
    /// At the last checkpoint, with all that was volatile as it was there.
    Checkpoint,
    /// At the beginning of the current task, with volatile memory as start-up code leaves it.
    Task,
    /// At the entry: nothing ever commits.
    Restart,
}

impl Policy {
    /// The name in the configuration.
    pub fn name(self) -> &'static str {
        match self {
            Policy::Static => "static",
            Policy::Conditional { .. } => "conditional",
            Policy::Reactive { .. } => "reactive",
            Policy::Restart => "restart",
            Policy::Tasks => "tasks",
        }
    }

    /// The execution depth, where the policy has one.
    pub fn execution_depth(self) -> Option<u64> {
        match self {
            Policy::Conditional { depth } | Policy::Reactive { depth } => Some(depth),
            Policy::Static | Policy::Restart | Policy::Tasks => None,
        }
    }

    /// Which reads a power failure can repeat.
    pub const fn exposure(self) -> Exposure {
        match self {
            // Under `restart` all of the execution is one region.
            Policy::Static | Policy::Tasks | Policy::Restart => Exposure::Region,
            Policy::Conditional { depth } => Exposure::SinceCall { depth },
            Policy::Reactive { depth } => Exposure::Anywhere { depth },
        }
    }

    /// Where execution goes on after a power failure.
    pub const fn recovery(self) -> Recovery {
        match self {
            Policy::Static | Policy::Conditional { .. } | Policy::Reactive { .. } => {
                Recovery::Checkpoint
            }
            Policy::Tasks => Recovery::Task,
            Policy::Restart => Recovery::Restart,
        }
    }
}
