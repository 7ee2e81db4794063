//! Effects of a write of its own (SEMANTICS §2, *Cause*): what a failure right after it does that one right before it
//! does not, and that lasts.
//!
//! Both failures are compared with the continuous execution at the same places. Where registers differ after one of
//! them, more may differ at the next place than at the first one: then the other failure is looked at there, too.

use super::attempt::Failing;
use super::explorer::Explorer;
use super::exposed::Writing;
use super::reference::KnownRegion;
use super::{Outcome, Trial};

/// In regions of more instructions effects are not followed to places where they may have healed.
const LONG: u64 = 2_000;

/// Whether what differs in a region is followed to places where it may have healed. A commit is final.
pub(super) fn can_wait(known: &KnownRegion) -> bool {
    !known.region.ends_at_commit() && known.courses[0].end().length <= LONG
}

impl Explorer<'_> {
    /// What a failure right after the write at `time` does that one right before it does not: the
    /// effects that are this write's own (SEMANTICS §2, cause).
    pub(super) fn own_trial(
        &mut self,
        known: &mut KnownRegion,
        writings: &[Writing],
        time: u64,
    ) -> Trial {
        let failing = |failure: u64, failures: u32| Failing {
            failure,
            failures: failures..=failures,
            further: &[],
            tear: None,
        };
        let after = Failing {
            failures: 1..=self.failures,
            ..failing(time, 1)
        };
        // Right before this write memory is as right after the one before it, if that can matter.
        let call = writings
            .iter()
            .take_while(|writing| writing.time <= time)
            .last()
            .and_then(|writing| writing.call);
        let earlier = writings
            .iter()
            .take_while(|writing| writing.time < time)
            .filter(|writing| writing.call.is_none() || writing.call != call);
        let matters = earlier.clone().any(|writing| !writing.pairs.is_empty());
        let before = earlier.last().filter(|_| matters);
        // The machine goes forward only: the earlier failure comes first.
        let once = before.and_then(|before| self.fail(known, &failing(before.time, 1)));
        let at_start = match once {
            None => self.at_start(known).0,
            Some(_) => Trial::too_late(),
        };
        let Some((mut trial, _)) = self.fail(known, &after) else {
            return Trial::too_late();
        };
        let mut inherited = once.map_or_else(Trial::too_late, |(trial, _)| trial);
        if let Some(before) = before {
            let again = failing(before.time, trial.failures);
            if trial.failures > 1 {
                self.machine.rollback(&known.mark);
                let again = self.fail(known, &again);
                inherited = again.map_or_else(Trial::too_late, |(trial, _)| trial);
            }
            inherited = self.as_late(known, &again, (inherited, &trial.outcome));
        }
        let written = writings.iter().find(|writing| writing.time == time);
        let written = written.map_or(u32::MAX, |writing| writing.offset);
        trial.outcome = trial.without(&[&at_start, &inherited], written);
        let others = [&at_start.outcome, &inherited.outcome];
        self.lasting(known, &after, trial, &others)
    }

    /// What an earlier failure comes to if it is looked at as late as the last one was, which came to `last`.
    pub(super) fn as_late(
        &mut self,
        known: &mut KnownRegion,
        failing: &Failing<'_>,
        (earlier, last): (Trial, &Outcome),
    ) -> Trial {
        let added = std::mem::take(&mut self.added);
        if added.is_empty() || earlier.outcome == Outcome::Converged {
            return earlier;
        }
        self.looks_later = true;
        let late = self.fail(known, failing);
        self.looks_later = false;
        let mut late = late.map_or(earlier, |(trial, _)| trial);
        late.outcome.also_differs_as(last, &added);
        late
    }

    /// What is left of the effects of a failure at later places that both executions come to, apart from what
    /// other failures have done as well. Following them takes several times as long, so it is done only for
    /// what would be told, and in regions that are not long.
    pub(super) fn lasting(
        &mut self,
        known: &mut KnownRegion,
        failing: &Failing<'_>,
        mut own: Trial,
        others: &[&Outcome],
    ) -> Trial {
        if !can_wait(known) || !own.outcome.may_heal() {
            return own;
        }
        let failing = Failing {
            failures: own.failures..=own.failures,
            ..failing.clone()
        };
        self.is_patient = true;
        let patient = self.fail(known, &failing);
        self.is_patient = false;
        match patient.map(|(later, _)| later.outcome) {
            Some(Outcome::Converged) => own.outcome = Outcome::Converged,
            Some(later @ Outcome::Differs(_)) => {
                own.outcome = own.outcome.what_lasts(&later, others);
            }
            Some(Outcome::Undecided(_)) | None => {}
        }
        own
    }
}
