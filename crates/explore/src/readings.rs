//! What inputs give when an analysis chooses it: one thing before a power failure, another after
//! it, as the world may have it.

use std::sync::Arc;

use brownout_diag::{InputValues, ReplayInputs};
use brownout_vm::{Afterwards, Forced};

/// Which values an execution reads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Turn {
    /// It is the attempt of this number, from 0, and is going to fail.
    Failing(u32),
    /// It comes after the last failure, or never fails.
    Last,
}

/// The values of all turns.
#[derive(Clone, Debug)]
pub struct Readings {
    /// Of attempts that fail; those beyond read what the last one reads.
    failing: Vec<Arc<[Forced]>>,
    last: Arc<[Forced]>,
}

impl Readings {
    /// What a replay gives its inputs.
    pub fn new(inputs: &ReplayInputs) -> Self {
        let failing = [&inputs.first].into_iter().chain(&inputs.between);
        Self {
            failing: failing.map(|inputs| forced(inputs)).collect(),
            last: forced(&inputs.again),
        }
    }

    /// What a machine is told in a turn.
    pub fn of(&self, turn: Turn) -> Arc<[Forced]> {
        let values = match turn {
            Turn::Failing(number) => self.failing.get(number as usize),
            Turn::Last => None,
        };
        values.unwrap_or(&self.last).clone()
    }
}

/// What is chosen last, for ever.
pub(crate) fn held(inputs: &[Forced]) -> Arc<[Forced]> {
    let inputs = inputs.iter().map(|input| Forced {
        from: input.from,
        values: match input.values.is_empty() {
            true => vec![0],
            false => input.values.clone(),
        },
        then: Afterwards::Hold,
    });
    inputs.collect()
}

fn forced(inputs: &[InputValues]) -> Arc<[Forced]> {
    let inputs = inputs.iter().map(|input| Forced {
        from: input.from,
        values: input.values.clone(),
        then: Afterwards::Scenario,
    });
    inputs.collect()
}
