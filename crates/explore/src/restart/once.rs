//! Outputs that may be made at most once: whether a power failure makes them again.
//!
//! After a boot the next output of a place is not the last one once more. It is if the world has seen
//! more of them, sooner or later, than it sees of every execution that the failure looks like: whose power
//! fails at a quiet moment, and that comes to the same state.

use std::sync::Arc;

use super::boot::{Boot, Reference, References};
use super::scene::Scene;
use super::{RestartExplorer, VISITS};
use crate::Outcome;
use crate::emissions::Emission;

impl RestartExplorer<'_, '_> {
    /// Whether power failing at a moment makes an output once more.
    pub(super) fn repeats(&mut self, failure: u64, output: u32, limit: u64) -> bool {
        let Ok(scene) = self.approach(failure, None, limit) else {
            return false;
        };
        let Scene {
            mut machine,
            round,
            before,
            after,
            entry,
            kept,
            ..
        } = scene;
        let count = |emissions: &[Emission]| {
            let is_it = |emission: &&Emission| match emission {
                Emission::Output { index, .. } => *index == output,
                Emission::Text(_) => false,
            };
            emissions.iter().filter(is_it).count()
        };
        let seen = round.seen_at(failure);
        let made = count(&round.emissions[..seen]);
        let readings = Arc::clone(&self.first_boot.readings);
        let attempt = self.boot(&machine, &[], &readings, VISITS);
        // References, how often it was made since, and how often it should have been.
        let mut references: Vec<(Reference<'_>, usize, usize)> = vec![(before, made, 0)];
        references.extend(after.map(|after| {
            let expected = count(&after.emissions);
            (after.reference, made, expected)
        }));
        references.extend(entry.map(|entry| {
            let made = made + count(&entry.emissions);
            (entry.reference, made, 0)
        }));
        let (mut is_more, mut is_alike) = (false, false);
        for (mut reference, made, expected) in references {
            self.extend(&mut reference, VISITS);
            let (one, other) = seen_together(&attempt, &reference.boot);
            let made = made + count(&attempt.emissions[..one]);
            let expected = expected + count(&reference.boot.emissions[..other]);
            if made > expected {
                is_more = true;
            } else {
                let alone = &mut References {
                    before: &mut reference,
                    after: None,
                    entry: None,
                    goal: None,
                    kept: kept.clone(),
                };
                let judged = self.fail(&mut machine, &round, seen, None, alone);
                is_alike |= judged.trial.outcome == Outcome::Converged;
            }
        }
        is_more && !is_alike
    }
}

/// How much the world has seen of two boots where both end, or at the last visit that both have.
fn seen_together(one: &Boot, other: &Boot) -> (usize, usize) {
    let all = |boot: &Boot| boot.emissions.len();
    let both = one.visits.len().min(other.visits.len());
    match both.checked_sub(1) {
        _ if one.end.is_some() && other.end.is_some() => (all(one), all(other)),
        Some(last) => (one.visits[last].seen, other.visits[last].seen),
        None => (all(one), all(other)),
    }
}
