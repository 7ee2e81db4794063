//! Why the interpreter was left.

use crate::fault::Fault;

/// Why.
pub(crate) enum Exit {
    /// Time is up.
    Limit,
    /// An observer wants to look.
    Paused,
    /// The program ended.
    Exited(i32),
    /// The program died.
    Faulted(Fault),
}

impl Exit {
    /// The end that a fault is: one that the scenario asked for is none.
    pub(crate) fn of(fault: Fault) -> Self {
        match fault {
            Fault::InputEnded => Self::Exited(0),
            fault => Self::Faulted(fault),
        }
    }
}
