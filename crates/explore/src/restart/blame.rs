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
    /// Whether it agrees only if the round that was cut reads something else after the failure.
    pub(super) reads_otherwise: bool,
    /// Whether it agrees with a boot that stays for ever where an undisturbed program without end never comes.
    pub(super) is_dead_end: bool,
}

impl Judged {
    /// The same, if nothing must end where it does.
    pub(super) fn dead(mut self) -> Self {
        let budget = self.trial.intermittent.instructions;
        self.trial.outcome = Outcome::Differs(vec![Difference::NoProgress { budget }]);
        self.against = vec![self.trial.outcome.clone()];
        self
    }

    /// Whether it agrees with one of the references that second failures are held against, too.
    pub(super) fn is_like_references(&self) -> bool {
        self.trial.outcome == Outcome::Converged && !self.reads_otherwise
    }

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
            own.without_what_was_wrong(other, writing.offset)
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
