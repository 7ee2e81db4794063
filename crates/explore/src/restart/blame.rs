//! Who is to blame: what a failure does that the failure right before a write does not.

use super::round::Writing;
use crate::{Difference, Outcome, Trial};

/// What a failure comes to.
pub(super) struct Judged {
    /// Held against the reference that it comes closest to.
    pub(super) trial: Trial,
    /// When the quiet moment of that one is.
    pub(super) time: u64,
    /// Held against each of them; nothing if it agrees with one before it has come to its end.
    pub(super) against: Vec<Outcome>,
}

impl Judged {
    /// What is left of it without what another failure of the round does as well. Of a round that is half
    /// done already, a write adds to what differs from the round not done: it does harm of its own if it
    /// adds to what differs from every reference. What is wrong already, and only gets another wrong value
    /// from what is written elsewhere, is not added.
    pub(super) fn without(&self, other: &Self, writing: &Writing) -> Outcome {
        // Who agrees with one reference does no harm, whatever differs from the others.
        if other.trial.outcome == Outcome::Converged {
            return self.trial.outcome.clone();
        }
        let own = |outcome: &Outcome, other: &Outcome| {
            let own = outcome.clone().without(other);
            without_what_was_wrong(own, other, writing)
        };
        let mut pairs = self.against.iter().zip(&other.against);
        let adds_nothing = |(outcome, other): (&Outcome, &Outcome)| {
            matches!(outcome, Outcome::Differs(_)) && own(outcome, other) == Outcome::Converged
        };
        if pairs.any(adds_nothing) {
            return Outcome::Converged;
        }
        let closest = self.against.iter().zip(&other.against);
        let closest = closest.rev().find(|(one, _)| **one == self.trial.outcome);
        match closest {
            Some((one, other)) => own(one, other),
            None => own(&self.trial.outcome, &other.trial.outcome),
        }
    }
}

/// What is left without objects that were wrong before a write, and that it does not write.
fn without_what_was_wrong(outcome: Outcome, before: &Outcome, writing: &Writing) -> Outcome {
    let (Outcome::Differs(mut own), Outcome::Differs(before)) = (outcome.clone(), before) else {
        return outcome;
    };
    own.retain(|one| match one {
        Difference::Value {
            offset, continuous, ..
        } => {
            let is_written = (*offset..*offset + continuous.len() as u32).contains(&writing.offset);
            let is_same = |other: &Difference| matches!(other, Difference::Value { offset: at, .. } if at == offset);
            is_written || !before.iter().any(is_same)
        }
        _ => true,
    });
    match own.is_empty() {
        true => Outcome::Converged,
        false => Outcome::Differs(own),
    }
}
