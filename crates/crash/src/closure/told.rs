//! What the closure of one workload came to.

use std::collections::BTreeMap;

use brownout_diag::CrashPoint;

use super::{Closed, Closure, FURTHER};
use crate::Shard;
use crate::atomic;
use crate::gather::Found;
use crate::report::{Assertion, Shortfall};
use crate::state::{Origin, StateId};

impl Closure<'_> {
    /// Whether this shard is the one that counts a state.
    fn counts(&self, id: StateId) -> bool {
        let is_first = |shard: Shard| shard.index == 0;
        let is_lower = u64::from(id) < self.lower;
        match is_lower {
            true => self.setting.request.shard.is_none_or(is_first),
            false => !self.borrowed.contains(&id),
        }
    }

    /// What was found, and how much was explored.
    pub(super) fn finish(mut self) -> Closed {
        let (found, first) = self.found();
        let is_again = self.again.is_some_and(|id| self.counts(id));
        let firsts = self.coverage.first_broken.into_iter().chain(first);
        self.coverage.first_broken = firsts.min();
        let coverage = &mut self.coverage;
        // The first state once more is no other one, for the shard that counts it.
        let is_again = u64::from(is_again);
        let counted = match self.setting.request.shard {
            Some(shard) if shard.index > 0 => self.states.len() - self.lower,
            _ => self.states.len(),
        };
        coverage.states = counted - self.borrowed.len() as u64;
        coverage.moved = self.states.moved();
        coverage.left = coverage.states.saturating_sub(coverage.booted);
        coverage.states = coverage.states.saturating_sub(is_again);
        coverage.booted = coverage.booted.saturating_sub(is_again);
        if self.undecided > 0
            && !(coverage.shortfalls.iter())
                .any(|shortfall| matches!(shortfall, Shortfall::Undecided { .. }))
        {
            coverage.shortfalls.push(Shortfall::Undecided {
                boots: self.undecided,
                limit: self.patience.limit,
            });
        }
        if self.sampled > 0 {
            coverage.shortfalls.push(Shortfall::Sampled {
                operations: self.sampled,
            });
        }
        let mut said = self.said.texts.iter();
        let is_silent = said.all(Vec::is_empty) && !self.flights.is_empty();
        if self.setting.request.atomic.is_some() && is_silent && self.broken.is_empty() {
            coverage.shortfalls.push(Shortfall::Silent);
        }
        coverage.complete = coverage.shortfalls.is_empty() && coverage.left == 0;
        coverage.closed &= coverage.complete;
        Closed {
            goal: self.goal,
            coverage: self.coverage,
            found,
            readings: self.readings,
        }
    }

    /// Everything that is broken, each with the failures that lead there, and which boot showed first that
    /// an operation is half done. What takes many more failures than the shortest way to the same
    /// counts for that.
    fn found(&self) -> (Vec<Found>, Option<u64>) {
        let mut found: Vec<Found> = Vec::new();
        // States come in the order of their failures.
        let mut shortest: BTreeMap<&Assertion, (u32, usize)> = BTreeMap::new();
        for (id, failures, assertion) in &self.broken {
            let &mut (fewest, first) = shortest
                .entry(assertion)
                .or_insert((*failures, found.len()));
            if *failures > fewest.saturating_add(FURTHER) {
                found[first].states += 1;
            } else {
                let origin = self.states.get(*id).origin.as_ref();
                found.push(self.found_at(origin, assertion.clone()));
            }
        }
        let Some(operations) = &self.setting.request.atomic else {
            return (found, None);
        };
        let mut first: Option<u64> = None;
        let mut told: BTreeMap<StateId, ()> = BTreeMap::new();
        for flight in &self.flights {
            let texts = (
                self.said.get(flight.child),
                self.said.get(flight.without),
                self.said.get(flight.with),
            );
            let (Some(says), Some(without), Some(with)) = texts else {
                continue;
            };
            let agrees = |other: &[u8]| atomic::agree(says, other, &self.goal);
            if agrees(without) || agrees(with) || !self.counts(flight.child) {
                continue;
            }
            if told.insert(flight.child, ()).is_some() {
                continue;
            }
            let shown = self.said.last([flight.child, flight.without, flight.with]);
            first = first.into_iter().chain(shown).min();
            let path = &self.paths.all()[flight.origin.path as usize];
            let texts = (says, without, with);
            let assertion = atomic::assertion(self.setting.image, operations, path, texts);
            found.push(self.found_at(Some(&flight.origin), assertion));
        }
        (found, first)
    }

    fn found_at(&self, origin: Option<&Origin>, assertion: Assertion) -> Found {
        let order = origin.map_or((0, 0, 0), |origin| {
            (origin.parent, origin.operation, origin.cut)
        });
        let mut points = Vec::new();
        let mut paths = Vec::new();
        let mut next = origin;
        while let Some(origin) = next {
            points.push(CrashPoint {
                operation: u64::from(origin.operation) + 1,
                extent: origin.extent.clone(),
                missing: origin.missing.clone(),
            });
            paths.push(self.paths.all()[origin.path as usize].clone());
            next = self.states.get(origin.parent).origin.as_ref();
        }
        points.reverse();
        paths.reverse();
        Found {
            assertion,
            points,
            paths,
            states: 1,
            order,
        }
    }
}
