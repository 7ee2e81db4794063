//! What failures of pairs are known to do: what is known is not looked at closely again.

use std::collections::BTreeSet;

use brownout_diag::Torn;
use rustc_hash::FxHashMap;

use super::{Difference, DifferenceKind, Trial};

/// Where power fails.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Manner {
    /// Between two instructions.
    Between,
    /// In the middle of a store.
    Inside,
}

impl Manner {
    pub(super) const fn of(torn: Option<Torn>) -> Self {
        match torn {
            None => Self::Between,
            Some(_) => Self::Inside,
        }
    }
}

/// A consumer, a producer, and where power fails.
type Key = (u32, u32, Manner);

/// What failures of pairs are known to do.
#[derive(Clone, Default)]
pub(super) struct Known(FxHashMap<Key, BTreeSet<DifferenceKind>>);

impl Known {
    pub(super) fn has(
        &self,
        manner: Manner,
        (consumer, producer): (u32, u32),
        kind: DifferenceKind,
    ) -> bool {
        let kinds = self.0.get(&(consumer, producer, manner));
        kinds.is_some_and(|kinds| kinds.contains(&kind))
    }

    pub(super) fn add(&mut self, manner: Manner, pairs: &[(u32, u32)], trial: &Trial) {
        for &(consumer, producer) in pairs {
            let kinds = trial.differences().iter().map(Difference::kind);
            self.0
                .entry((consumer, producer, manner))
                .or_default()
                .extend(kinds);
        }
    }
}
