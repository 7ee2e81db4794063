//! What failures of pairs are known to do: what is known is not looked at closely again.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use super::{Damage, Difference, DifferenceKind};

/// What failures of pairs are known to do.
#[derive(Clone, Default)]
pub(super) struct Known(FxHashMap<(u32, u32), BTreeSet<DifferenceKind>>);

impl Known {
    pub(super) fn has(&self, pair: (u32, u32), kind: DifferenceKind) -> bool {
        self.0.get(&pair).is_some_and(|kinds| kinds.contains(&kind))
    }

    pub(super) fn add(&mut self, pairs: &[(u32, u32)], damage: &Damage) {
        for &pair in pairs {
            let kinds = damage.differences.iter().map(Difference::kind);
            self.0.entry(pair).or_default().extend(kinds);
        }
    }
}
