//! Who watches over an analysis: is told how far it has come, and may stop it.
//!
//! **Invariant:** what an analysis finds does not depend on who watches, unless it is stopped.

use brownout_vm::{Machine, Observer, Stop};

/// Who watches is asked every so many instructions.
const SLICE: u64 = 5_000_000;

/// A part of the work.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// One continuous execution, counted in instructions.
    Locating,
    /// Occurrences of pairs, each with its failure.
    Evaluating,
    /// Windows, each with all failures that can matter.
    Exploring,
    /// Further continuous executions, counted in instructions: what would mend the findings.
    Mending,
    /// Failures of brute force.
    BruteForce,
}

/// A monitor. Any function that says when to stop is one.
pub trait Monitor: Sync {
    /// Whether to leave out the rest.
    fn is_interrupted(&self) -> bool;

    /// A part of the work begins; `total` is how much there is to do, if that is known.
    fn begin(&self, _stage: Stage, _total: Option<u64>) {}

    /// So much of it was done.
    fn advance(&self, _steps: u64) {}

    /// The work is over: what shows how far it has come is not needed any more.
    fn end(&self) {}
}

impl<F: Fn() -> bool + Sync> Monitor for F {
    fn is_interrupted(&self) -> bool {
        self()
    }
}

/// Executes until the given time, the end, or a pause that the observer asks for; nothing if interrupted.
pub fn watch(
    machine: &mut Machine<'_>,
    observer: &mut dyn Observer,
    until: u64,
    monitor: &dyn Monitor,
) -> Option<Stop> {
    while !monitor.is_interrupted() {
        let slice = machine.now().saturating_add(SLICE).min(until);
        let stop = machine.watch(observer, slice);
        if stop != Stop::Paused || machine.now() < slice || slice >= until {
            return Some(stop);
        }
    }
    None
}
