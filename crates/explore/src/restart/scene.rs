//! One power failure, exactly as it is asked for.

use std::sync::Arc;

use brownout_vm::{Bounds, Machine, Unobserved};

use super::blame::Judged;
use super::boot::{After, Entry, Kept, Reference, References, note_kept};
use super::round::Round;
use super::{Beginning, FIRST_VISITS, RestartExplorer};
use crate::calls::Calls;
use crate::stores::{self, Tear};
use crate::{Emulated, Miss, PowerFailure};

/// A moment at which power fails, and what that is held against.
pub(super) struct Scene<'i> {
    pub(super) machine: Machine<'i>,
    pub(super) round: Round<'i>,
    pub(super) before: Reference<'i>,
    pub(super) after: Option<After<'i>>,
    pub(super) entry: Option<Entry<'i>>,
    /// The head of the loop that boots are on their way to, if there is one.
    pub(super) goal: Option<u32>,
    /// What the round had read at its last writes and then, the latest first.
    pub(super) kept: Vec<Kept>,
}

impl<'i> RestartExplorer<'_, 'i> {
    pub(super) fn emulate(&mut self, failure: PowerFailure, limit: u64) -> Result<Emulated, Miss> {
        // Whoever replays a tear says where it is.
        let mut scene = self.approach(failure.failure, failure.torn.map(|_| 1), limit)?;
        let seen = scene.round.seen_at(failure.failure);
        let mut writings = scene.round.writings.iter();
        let writing = writings.find(|writing| writing.time == failure.failure);
        let tear = match failure.torn {
            None => None,
            Some(torn) => {
                let stores = writing.map_or(&[][..], |writing| &writing.stores);
                let size = stores::size(stores);
                Some(Tear::new(stores, torn).ok_or(Miss::NotTorn(size))?)
            }
        };
        let Judged { trial, time, .. } = match failure.again {
            Some(again) => self.emulate_again(&mut scene, (seen, tear.as_ref(), again)),
            None => {
                let Scene {
                    machine,
                    round,
                    before,
                    after,
                    entry,
                    goal,
                    kept,
                } = &mut scene;
                let references = &mut References {
                    before,
                    after: after.as_mut(),
                    entry: entry.as_mut(),
                    goal: *goal,
                    kept: std::mem::take(kept),
                };
                self.fail(machine, round, seen, tear.as_ref(), references)
            }
        };
        Ok(Emulated {
            trial,
            tear,
            readings: Arc::clone(&self.judged_with),
            read: Vec::new(),
            quiet: Some(time),
        })
    }

    /// Runs to a moment, with the references for a failure there.
    pub(super) fn approach(
        &mut self,
        time: u64,
        atomic_write: Option<u32>,
        limit: u64,
    ) -> Result<Scene<'i>, Miss> {
        let mut machine = Machine::new(self.image);
        machine.set_bounds(Bounds::Lenient);
        self.shown.clear();
        let mut beginning = Beginning::default();
        let mut entry = self.entry(&machine);
        let mut calls = Calls::new(self.image);
        loop {
            let before = self.reference(&machine, FIRST_VISITS);
            let mut round = Round::new(calls, atomic_write);
            machine.forget();
            machine.keep_journal(true);
            self.note_readings(&mut machine);
            let start = machine.mark();
            let never = || false;
            let stop = self.run_round(&mut machine, &mut Unobserved, &mut round, limit, &never);
            if machine.now() < time {
                if stop.is_some() {
                    return Err(Miss::TooLate(machine.now()));
                }
                self.pass(&round);
                entry.pass(&round);
                beginning = beginning.next(&machine, &round);
                calls = round.calls;
                continue;
            }
            let is_of_a_loop = stop.is_none() && beginning.is_of_loop_at(&machine, &round);
            let is_at_entry = beginning.head.is_none();
            let after = self.after(&machine, stop.as_ref(), &round, beginning);
            machine.rollback(&start);
            let mut kept = vec![Kept::at_beginning(&machine)];
            let writes = round.writings.iter().map(|writing| writing.time);
            for moment in writes.filter(|&write| write < time).chain([time]) {
                machine.advance(moment);
                let readings = self.read_in_round(&machine);
                note_kept(&mut kept, &machine, readings);
            }
            return Ok(Scene {
                machine,
                round,
                before,
                after,
                entry: (!is_of_a_loop && !is_at_entry).then_some(entry),
                goal: self.goal(beginning.head.filter(|_| is_of_a_loop)),
                kept,
            });
        }
    }
}
