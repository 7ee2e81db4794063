//! Where regions begin, and how far they reach (SEMANTICS §1).
//!
//! * `static`, `tasks`: from the start and from every commit to the next.
//! * `conditional`: from the start and from every call that may commit; later calls may or may not,
//!   so the region reaches as far as the charge lasts.
//! * `reactive`: from anywhere, as far as the charge lasts. What a region does to the environment
//!   depends on which outputs and inputs lie in it: it is enough to begin right before each of them.

use std::collections::BTreeMap;

use brownout_explore::{Calls, LONGEST_REGION, follow_calls};
use brownout_vm::{Image, Machine, Moment, Observer, Stop};

use super::attempt::Recorder;
use super::{OUTPUTS, Region, Walk};

/// How many instructions are executed between two looks at `interrupt`.
const SLICE: u64 = 5_000_000;

/// How far a region reaches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Reach {
    /// To the next call that commits.
    NextCommit,
    /// So many instructions.
    Depth(u64),
}

impl<'i> Walk<'i> {
    /// The region that begins here, with a commit if there are any.
    fn region(&mut self, recorder: &mut Recorder<'i>, commits: Option<u64>) -> Region<'i> {
        self.machine.forget();
        self.machine.keep_journal(true);
        if commits != Some(0) {
            let mut saves = self.saved.to_vec();
            saves.append(&mut recorder.saves);
            self.machine.commit(&saves);
        }
        recorder.begin();
        Region {
            mark: self.machine.mark(),
            recorder: recorder.clone(),
            inputs: self.machine.inputs_read(),
            commits,
            checkpoint: recorder.checkpoint_pc,
            start: match commits {
                // Instructions without an operation of their own may have passed since.
                Some(1..) => recorder.committed_at,
                Some(0) | None => self.machine.now(),
            },
            length: 0,
        }
    }

    /// Every region that begins with a call of a checkpoint function, or the start.
    pub(super) fn calls(&mut self, reach: Reach, limit: u64, interrupt: &dyn Fn() -> bool) {
        let mut recorder = Recorder::new(self.image);
        loop {
            let commits = Some(self.commits);
            let mut region = self.region(&mut recorder, commits);
            // Before any checkpoint was passed, nothing has committed; once one was, one has.
            let ends_at_call = reach == Reach::NextCommit || commits == Some(0);
            if let Reach::Depth(depth) = reach
                && !ends_at_call
            {
                self.ahead(&mut region, depth, limit, interrupt);
            }
            let stop = self.run_to_next_call(&mut recorder, limit, interrupt);
            let Some(stop) = stop else {
                self.complete = false;
                return;
            };
            let emitted = std::mem::take(&mut recorder.emitted);
            if ends_at_call && !emitted.is_empty() {
                region.length = self.machine.now() - region.start;
                if region.length <= LONGEST_REGION {
                    self.repeat_all(&region, &emitted, interrupt);
                    // Back to the end of the region, as if nothing had happened.
                    self.machine.rollback(&region.mark);
                    recorder = region.recorder.clone();
                    self.run_to_next_call(&mut recorder, limit, interrupt);
                } else {
                    self.complete = false;
                }
            }
            if stop != Stop::Paused || self.machine.now() >= limit {
                return;
            }
            self.commits += 1;
        }
    }

    /// Repeats the outputs of a region that reaches `depth` instructions far, whatever commits
    /// there are in it, and comes back to its start.
    fn ahead(
        &mut self,
        region: &mut Region<'i>,
        depth: u64,
        limit: u64,
        interrupt: &dyn Fn() -> bool,
    ) {
        region.recorder.stops_at_checkpoints = false;
        region.recorder.passes = false;
        let mut ahead = region.recorder.clone();
        let until = region.start.saturating_add(depth).min(limit);
        self.machine.watch(&mut ahead, until);
        region.length = self.machine.now() - region.start;
        if !ahead.emitted.is_empty() {
            self.repeat_all(region, &ahead.emitted, interrupt);
        }
        self.machine.rollback(&region.mark);
    }

    /// Runs to the next call that commits or the end; `None` when interrupted.
    fn run_to_next_call(
        &mut self,
        recorder: &mut Recorder<'i>,
        limit: u64,
        interrupt: &dyn Fn() -> bool,
    ) -> Option<Stop> {
        let start = self.machine.now();
        loop {
            let until = self.machine.now().saturating_add(SLICE).min(limit);
            let stop = self.machine.watch(recorder, until);
            let over = recorder.is_over() || until >= limit || stop != Stop::Paused;
            if over {
                return Some(stop);
            }
            if interrupt() {
                return None;
            }
            if self.machine.now() - start > LONGEST_REGION {
                // Too long to be done again: its journal need not be kept.
                self.machine.forget();
                self.machine.keep_journal(false);
            }
        }
    }

    /// Regions that begin right before outputs and inputs.
    pub(super) fn events(&mut self, depth: u64, limit: u64, interrupt: &dyn Fn() -> bool) {
        let Some(positions) = positions(self.image, limit, interrupt) else {
            self.complete = false;
            return;
        };
        let mut passing = Recorder::new(self.image);
        passing.stops_at_checkpoints = false;
        passing.passes = true;
        for position in positions {
            self.machine.watch(&mut passing, position);
            let mut region = self.region(&mut passing, None);
            self.ahead(&mut region, depth, limit, interrupt);
            self.machine.forget();
            self.machine.keep_journal(false);
            if interrupt() {
                self.complete = false;
                return;
            }
        }
    }
}

/// The moments right before outputs and inputs, in order: of those at one place the first few.
/// `None` when interrupted.
fn positions(image: &Image, limit: u64, interrupt: &dyn Fn() -> bool) -> Option<Vec<u64>> {
    let mut events = Events {
        calls: Calls::new(image),
        seen: BTreeMap::new(),
        positions: Vec::new(),
    };
    let mut machine = Machine::new(image);
    machine.set_bounds(brownout_vm::Bounds::Lenient);
    loop {
        let until = machine.now().saturating_add(SLICE).min(limit);
        let stop = machine.watch(&mut events, until);
        if stop != Stop::Paused || until >= limit {
            break;
        }
        if interrupt() {
            return None;
        }
    }
    events.positions.dedup();
    Some(events.positions)
}

/// Notes when outputs and inputs happen.
struct Events<'i> {
    calls: Calls<'i>,
    /// How often at each place.
    seen: BTreeMap<(Direction, u32, u32), usize>,
    positions: Vec<u64>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Direction {
    In,
    Out,
}

impl Events<'_> {
    fn note(&mut self, at: Moment, direction: Direction, number: u32) {
        let place = (direction, number, self.calls.blame(at.pc));
        let count = self.seen.entry(place).or_default();
        *count += 1;
        if *count <= OUTPUTS {
            self.positions.push(at.time.saturating_sub(1));
        }
    }
}

impl Observer for Events<'_> {
    fn input(&mut self, at: Moment, index: u32, _: u64) {
        self.note(at, Direction::In, index);
    }

    fn output(&mut self, at: Moment, index: u32, _: &[u64]) {
        self.note(at, Direction::Out, index);
    }

    follow_calls!();
}
