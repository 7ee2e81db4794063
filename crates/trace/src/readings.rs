//! What inputs give when an analysis chooses it: one thing before the power failure, another after
//! it, as the world may have it.

use std::sync::Arc;

use brownout_diag::{InputValues, ReplayInputs};
use brownout_vm::Forced;

/// Which values an execution reads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Turn {
    /// It is going to fail.
    First,
    /// It comes after the failure, or never fails.
    Again,
}

/// The values of both turns.
#[derive(Clone, Debug)]
pub(crate) struct Readings {
    first: Arc<[Forced]>,
    again: Arc<[Forced]>,
}

impl Readings {
    pub(crate) fn new(inputs: &ReplayInputs) -> Self {
        Self {
            first: forced(&inputs.first),
            again: forced(&inputs.again),
        }
    }

    /// What a machine is told in a turn.
    pub(crate) fn of(&self, turn: Turn) -> Arc<[Forced]> {
        match turn {
            Turn::First => self.first.clone(),
            Turn::Again => self.again.clone(),
        }
    }
}

fn forced(inputs: &[InputValues]) -> Arc<[Forced]> {
    let inputs = inputs.iter().map(|input| Forced {
        from: input.from,
        values: input.values.clone(),
    });
    inputs.collect()
}
