//! The states that a program can go on to.

use brownout_diag::ResumePoint;
use rustc_hash::FxHashSet;

use super::{Explorer, Instance, VARIED, fingerprint};
use crate::search::Mode;
use crate::tour::{AtCheckpoints, Tour};

/// How many states to go on from one leads to.
const SUCCESSORS: usize = 48;

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
        if matches!(self.setting.mode, Mode::Calls { .. }) {
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
        let next = match (self.setting.mode, self.instance.resume) {
            (Mode::Regions | Mode::Calls { .. }, ResumePoint::Commit(number)) => {
                let Some((time, saves)) = &committed else {
                    return;
                };
                if !known.insert(fingerprint(&self.machine)) {
                    return;
                }
                let saves = self.setting.saved.iter().chain(saves).cloned();
                let before = tour.times.iter().take_while(|&&read| read <= *time);
                let mut history = self.instance.history.clone();
                for read in &tour.reads[..before.count()] {
                    history[read.input as usize].push(read.value);
                }
                Instance {
                    machine: self.machine.clone(),
                    saves: saves.collect(),
                    resume: ResumePoint::Commit(number + 1),
                    time: *time,
                    history,
                    deviations,
                    resumes: true,
                }
            }
            (Mode::Anywhere { .. }, _) if !self.instance.resumes => {
                self.before_readings(tour, deviations, known);
                return;
            }
            _ => return,
        };
        self.push(next);
    }

    fn push(&mut self, mut next: Instance<'i>) {
        if self.behind.successors.len() >= SUCCESSORS {
            self.behind.left_out = true;
            return;
        }
        next.machine.forget();
        next.machine.keep_journal(false);
        self.behind.successors.push(next);
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
            if !known.insert(fingerprint(&self.machine)) {
                continue;
            }
            let mut history = self.instance.history.clone();
            for read in &tour.reads[..index] {
                history[read.input as usize].push(read.value);
            }
            let next = Instance {
                machine: self.machine.clone(),
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
