//! What brute force takes, before it starts.

use std::ops::ControlFlow;

use brownout_explore::Exposure;
use brownout_vm::{Bounds, Image, Machine, Moment, Observer, Stop};

/// EWSN'21 eq. 5: the instructions that brute force executes for a program of
/// `instructions` whose checkpoints may be anywhere and whose power may fail
/// anywhere after them, (Σᵢ (Σⱼ (j − i)) + 1) − 1, saturating.
///
/// The scope of the inner sum is ours to guess. This is the reading with the one
/// instruction that leads to the next position counted once per position; with
/// one per failure it would be n²/2 more, of n³/6.
pub fn layman_cost(instructions: u64) -> u128 {
    let n = u128::from(instructions);
    if n == 0 {
        return 0;
    }
    // n(n+1)(n+2)/6, dividing where it is exact.
    let pairs = n * (n + 1) / 2;
    let (a, b) = if pairs.is_multiple_of(3) {
        (pairs / 3, n + 2)
    } else {
        (pairs, n.div_ceil(3))
    };
    a.saturating_mul(b).saturating_add(n - 1)
}

/// How many instructions are executed between two questions whether to stop.
const SLICE: u64 = 10_000_000;

/// What brute force would take.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Cost {
    /// Failures to emulate.
    pub executions: u128,
    /// Instructions to execute, if every attempt takes as long as the continuous execution.
    pub instructions: u128,
}

/// What [`crate::brute_force`] would take, from one continuous execution of at most `limit`
/// instructions. Instructions that are executed together make it a little less. None if that was stopped.
pub fn brute_force_cost(
    image: &Image,
    exposure: Exposure,
    limit: u64,
    stop: &dyn Fn() -> bool,
) -> Option<Cost> {
    let mut machine = Machine::new(image);
    machine.set_bounds(Bounds::Lenient);
    let mut calls = Calls(vec![0]);
    loop {
        let until = machine.now().saturating_add(SLICE).min(limit);
        let is_over = machine.watch(&mut calls, until) != Stop::Paused || until == limit;
        if is_over {
            break;
        }
        if stop() {
            return None;
        }
    }
    let (calls, end) = (calls.0, machine.now());
    let mut cost = Cost::default();
    // A window: the continuous execution, the one that fails on its way, one attempt per failure.
    let mut add = |windows: u64, length: u64| {
        let (windows, length) = (u128::from(windows), u128::from(length));
        cost.executions += windows * length;
        cost.instructions = cost
            .instructions
            .saturating_add(windows * length * (length + 2));
    };
    match exposure {
        Exposure::Region => {
            for (index, call) in calls.iter().enumerate() {
                add(1, calls.get(index + 1).unwrap_or(&end) - call);
            }
        }
        Exposure::SinceCall { depth } => {
            for call in calls {
                add(1, depth.min(end - call));
            }
        }
        Exposure::Anywhere { depth } => {
            let depth = depth.saturating_add(1);
            add(end.saturating_sub(depth), depth);
            // Those that the end of the program cuts short.
            for length in 1..=depth.min(end) {
                add(1, length);
            }
        }
    }
    Some(cost)
}

/// Notes when checkpoints are called.
struct Calls(Vec<u64>);

impl Observer for Calls {
    fn checkpoint(&mut self, at: Moment, _: &[(u32, u32)]) -> ControlFlow<()> {
        self.0.push(at.time);
        ControlFlow::Continue(())
    }
}

#[cfg(test)]
mod tests {
    use super::layman_cost;

    /// The sum as it stands in the paper.
    fn sum(n: u128) -> u128 {
        (0..n)
            .map(|i| (i + 1..=n).map(|j| j - i).sum::<u128>() + 1)
            .sum::<u128>()
            - 1
    }

    #[test]
    fn the_closed_form_is_the_sum() {
        assert_eq!(layman_cost(0), 0);
        for n in 1..200 {
            assert_eq!(layman_cost(n), sum(n.into()), "{n}");
        }
        assert!(layman_cost(u64::MAX) > 1 << 127);
    }
}
