//! Uses that were seen and need no second look.
//!
//! What is to be said about a use depends on what its data looks like, on where it is used and on
//! the tagged variable that holds it. Mostly no variable is tagged, data looks like one of a few,
//! and it is used by the user's code itself: such a use is one bit of its operation.
//!
//! **Invariant**: what is said to be known was remembered and not forgotten since; what was
//! remembered may get lost.

use super::made::{Aspect, Look, Made};

/// Any use.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Sight(u64, u64);

impl Sight {
    const SLOTS: usize = 1 << 10;

    fn new(aspect: Aspect, used: u32, variable: Option<u32>) -> Self {
        let variable = variable.map_or(0, |index| index + 1);
        Self(aspect.bits(), u64::from(used) << 32 | u64::from(variable))
    }

    fn slot(self) -> usize {
        let hash = (self.1 >> 32) as u32 + (self.0 >> 32) as u32 * 0x55;
        hash as usize % Self::SLOTS
    }
}

/// What was seen.
#[derive(Clone, Debug)]
pub(super) struct Sights {
    /// By operation, a bit for every [`Look`]: data that no tagged variable holds.
    seen: Vec<u64>,
    /// The same, while an operation does not stand for itself.
    aside: Vec<u64>,
    /// Labels below this one are of what is old.
    old: Made,
    /// The same, or nothing if uses have to be looked at for other reasons.
    passing: Made,
    /// What has no bit, lately.
    others: Box<[Sight; Sight::SLOTS]>,
}

impl Sights {
    pub(super) fn new(operations: usize) -> Self {
        Self {
            seen: vec![0; operations],
            aside: Vec::new(),
            old: Made::OF_NOTHING,
            passing: Made::OF_NOTHING,
            others: Box::new([Sight::default(); Sight::SLOTS]),
        }
    }

    /// Forgets everything, because labels have changed: those below `old` are of what is old.
    pub(super) fn clear(&mut self, old: Made) {
        self.seen.fill(0);
        self.aside.fill(0);
        (self.old, self.passing) = (old, Made::OF_NOTHING);
        self.others.fill(Sight::default());
    }

    /// Labels below this one are of what is old.
    pub(super) fn old(&self) -> Made {
        self.old
    }

    /// Whether operations stand for themselves, or for others: then nothing is known in passing.
    #[inline]
    pub(super) fn put_aside(&mut self, aside: bool) {
        if aside != self.seen.is_empty() {
            std::mem::swap(&mut self.seen, &mut self.aside);
        }
    }

    /// A power cycle ends: all labels below this one are of what is old from here on. What is seen
    /// in passing is below `passing`.
    #[inline(always)]
    pub(super) fn commit(&mut self, old: Made, passing: Made) {
        (self.old, self.passing) = (old, passing);
    }

    /// Whether an operation is known to have seen data like this, and all of it is old.
    #[inline(always)]
    pub(super) fn knows_in_passing(&self, made: Made, pc: u32) -> bool {
        made < self.passing && self.has_seen(made.old_look(), pc)
    }

    /// What data looks like now, if it looks like one of a few.
    pub(super) fn look(&self, made: Made) -> Look {
        if made < self.old {
            made.old_look()
        } else {
            made.new_look()
        }
    }

    /// Whether an operation is known to have seen data that looks like this.
    #[inline(always)]
    pub(super) fn has_seen(&self, look: Look, pc: u32) -> bool {
        let seen = self.seen.get(pc as usize);
        seen.is_some_and(|seen| seen >> look.bit() & 1 != 0)
    }

    /// Whether a use is known; then also in passing, if it can be.
    pub(super) fn knows(
        &mut self,
        looks: (Aspect, Look),
        used: u32,
        variable: Option<u32>,
    ) -> bool {
        let sight = Sight::new(looks.0, used, variable);
        let known = self.others[sight.slot()] == sight;
        if known {
            self.remember(looks, used, variable);
        }
        known
    }

    /// A use is known from here on.
    pub(super) fn remember(
        &mut self,
        (aspect, look): (Aspect, Look),
        used: u32,
        variable: Option<u32>,
    ) {
        if variable.is_none()
            && look.has_bit()
            && let Some(seen) = self.seen.get_mut(used as usize)
        {
            *seen |= 1 << look.bit();
        } else if aspect.is_exact() {
            let sight = Sight::new(aspect, used, variable);
            self.others[sight.slot()] = sight;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::made::{Birth, Made};
    use super::super::shapes::Shape;
    use super::{Aspect, Sights};

    #[test]
    fn what_is_put_aside_is_not_known_in_passing() {
        let mut sights = Sights::new(8);
        let made = Made::new(1, Shape::default(), Birth::New);
        assert!(!sights.knows_in_passing(made, 5));
        let looks = (Aspect::default(), sights.look(made));
        sights.remember(looks, 5, None);
        assert!(sights.has_seen(sights.look(made), 5) && !sights.knows_in_passing(made, 5));
        // What is new looks different from what is old.
        let old = Made::from_index_on(2);
        sights.commit(old, old);
        assert!(!sights.has_seen(sights.look(made), 5) && !sights.knows_in_passing(made, 5));
        let looks = (Aspect::default(), sights.look(made));
        sights.remember(looks, 5, None);
        assert!(sights.knows_in_passing(made, 5) && !sights.knows_in_passing(made, 4));
        for _ in 0..2 {
            sights.put_aside(true);
            assert!(!sights.knows_in_passing(made, 5));
        }
        sights.remember(looks, 6, None);
        assert!(sights.knows(looks, 6, None));
        sights.put_aside(false);
        assert!(sights.knows_in_passing(made, 5) && !sights.knows_in_passing(made, 6));
        assert!(sights.knows(looks, 6, None) && sights.knows_in_passing(made, 6));
        sights.clear(old);
        sights.commit(old, old);
        assert!(!sights.knows_in_passing(made, 5) && !sights.knows(looks, 6, None));
    }
}
