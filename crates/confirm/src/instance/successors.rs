//! The states that a program can go on to.

use std::hash::Hasher;
use std::ops::ControlFlow;
use std::sync::Arc;

use brownout_diag::ResumePoint;
use brownout_vm::{Moment, Observer, Parked};
use rustc_hash::{FxHashSet, FxHasher};

use super::{Explorer, Instance, PATIENCE, VARIED, fingerprint};
use crate::tour::{AtCheckpoints, Tour};
use brownout_scenario::Exposure;

/// How many states to go on from one leads to.
const SUCCESSORS: usize = 48;
/// How many calls with their arguments are.
const CALLS: usize = 400;
/// A call that goes the way of another one is tried after what takes so many more changes.
const SAME_WAY: usize = 3;

impl<'s, 'i> Explorer<'s, 'i> {
    /// The states to go on from after a tour, at whose end the machine is.
    pub(super) fn succeed(
        &mut self,
        tour: &Tour<'s>,
        deviations: usize,
        known: &mut FxHashSet<u64>,
    ) {
        let deviations = self.instance.deviations + deviations;
        let mut committed = tour.committed.clone();
        if matches!(self.setting.exposure, Exposure::SinceCall { .. }) {
            // The next checkpoint may commit, too.
            let start = self.start.clone();
            self.machine.rollback(&start);
            self.force(&tour.reads);
            let begun = self.machine.now();
            let mut further = Tour::new(self.nonvolatile, AtCheckpoints::Stop, begun);
            let until = begun.saturating_add(self.patience);
            self.machine.watch(&mut further, until);
            committed = further.committed;
        }
        let next = match (self.setting.exposure, self.instance.resume) {
            (Exposure::Region | Exposure::SinceCall { .. }, ResumePoint::Commit(number)) => {
                let Some((time, saves)) = &committed else {
                    return;
                };
                let fingerprint = fingerprint(&self.machine);
                if !known.insert(fingerprint) {
                    return;
                }
                // A call that was chosen is made after the next commit; where no call is in progress
                // otherwise, one is chosen, and nothing is written.
                let is_call = self.is_choosing();
                let is_over = self.machine.backtrace().is_empty();
                let saves = self.setting.saved.iter().chain(saves).cloned();
                let before = tour.times.iter().take_while(|&&read| read <= *time);
                let mut history = self.instance.history.clone();
                for read in &tour.reads[..before.count()] {
                    history[read.input as usize].push(read.value);
                }
                Instance {
                    machine: self.parked(),
                    pc: self.machine.pc(),
                    fingerprint,
                    saves: saves.collect(),
                    resume: ResumePoint::Commit(number + 1),
                    time: *time,
                    history,
                    deviations: match is_call && !self.goes_a_new_way() {
                        true => deviations + SAME_WAY,
                        false => deviations,
                    },
                    resumes: self.setting.invented.is_empty() || is_call || !is_over,
                }
            }
            (Exposure::Anywhere { .. }, _) if !self.instance.resumes => {
                self.before_readings(tour, deviations, known);
                return;
            }
            _ => return,
        };
        self.push(next);
    }

    fn push(&mut self, next: Instance<'i>) {
        let most = if self.is_choosing() {
            CALLS
        } else {
            SUCCESSORS
        };
        if self.behind.successors.len() >= most {
            self.behind.left_out = true;
            return;
        }
        self.behind.successors.push(next);
    }

    /// The machine as it is, for later.
    fn parked(&mut self) -> Parked<'i> {
        self.machine.force_inputs(Arc::default());
        self.machine.park(self.beginning)
    }

    /// Whether a call that was just chosen goes a way that none that was chosen here has gone. Executes it.
    fn goes_a_new_way(&mut self) -> bool {
        let begun = self.machine.now();
        let mut way = Way::default();
        self.machine.watch(&mut way, begun.saturating_add(PATIENCE));
        self.behind.executions += 1;
        self.behind.instructions += self.machine.now() - begun;
        self.ways.insert(way.0.finish())
    }

    /// A device that commits anywhere may do so right before it reads something.
    fn before_readings(&mut self, tour: &Tour<'s>, deviations: usize, known: &mut FxHashSet<u64>) {
        let start = self.start.clone();
        self.machine.rollback(&start);
        self.force(&tour.reads);
        let begun = self.machine.now();
        let readings = tour.reads.iter().zip(&tour.times).enumerate();
        for (index, (read, &time)) in readings.take(VARIED) {
            if self.setting.invented.contains(&read.input) {
                continue;
            }
            self.machine.advance(time.saturating_sub(1));
            let fingerprint = fingerprint(&self.machine);
            if !known.insert(fingerprint) {
                continue;
            }
            let mut history = self.instance.history.clone();
            for read in &tour.reads[..index] {
                history[read.input as usize].push(read.value);
            }
            let next = Instance {
                machine: self.machine.park(self.beginning),
                pc: self.machine.pc(),
                fingerprint,
                saves: self.setting.saved.to_vec(),
                resume: ResumePoint::Instruction(time.saturating_sub(1)),
                time: time.saturating_sub(1),
                history,
                deviations,
                resumes: true,
            };
            self.push(next);
        }
        self.behind.instructions += self.machine.now() - begun;
    }
}

/// The operations of an execution up to the next commit.
#[derive(Default)]
struct Way(FxHasher);

impl Observer for Way {
    fn flow(&self) -> bool {
        true
    }

    fn execute(&mut self, pc: u32) {
        self.0.write_u32(pc);
    }

    fn checkpoint(&mut self, _: Moment, _: &[(u32, u32)]) -> ControlFlow<()> {
        ControlFlow::Break(())
    }
}
