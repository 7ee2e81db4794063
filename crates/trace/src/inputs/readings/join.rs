//! What values are made of that are made of others.

use std::cmp::Ordering;

use super::super::made::Made;
use super::super::part::Part;
use super::Readings;
use crate::labels::Join;

impl Readings {
    /// Puts two sets together in the draft.
    fn merge(&mut self, one: Made, other: Made) {
        let mut draft = std::mem::take(&mut self.draft);
        draft.clear();
        let (mut one, mut other) = (self.parts(one).peekable(), self.parts(other).peekable());
        while let (Some(a), Some(b)) = (one.peek(), other.peek()) {
            let order = a.topic.cmp(&b.topic);
            draft.push(match order {
                Ordering::Less => *a,
                Ordering::Greater => *b,
                Ordering::Equal => self.both(a, b),
            });
            if order.is_le() {
                one.next();
            }
            if order.is_ge() {
                other.next();
            }
        }
        draft.extend(one);
        draft.extend(other);
        self.draft = draft;
    }

    /// What two values have of one topic.
    #[inline(always)]
    fn both(&self, one: &Part, other: &Part) -> Part {
        if self.topics.is_age(one.topic) {
            one.older(other)
        } else {
            one.both(other)
        }
    }

    /// Whether a value made of both is as `one`: it has an old part of everything in `other`.
    #[inline(always)]
    fn absorbs(&self, one: Made, other: Made) -> bool {
        let mut mine = self.parts(one);
        self.parts(other).all(|other| {
            let same = mine.find(|part| part.topic >= other.topic);
            same.is_some_and(|part| part.topic == other.topic && self.covers(&part, &other))
        })
    }

    /// Whether [`Readings::both`] is as `one`.
    #[inline(always)]
    fn covers(&self, one: &Part, other: &Part) -> bool {
        let older = one.oldest.clock <= other.oldest.clock;
        older && (self.topics.is_age(one.topic) || one.both(other).later.clock == one.later.clock)
    }

    /// The label of a value made of both, which is not known in passing.
    #[inline(never)]
    fn join_closely(&mut self, one: Made, other: Made) -> Made {
        // What came first is mostly older.
        let (first, second) = (one.min(other), one.max(other));
        let (a, b) = (self.set(first), self.set(second));
        // Readings of the same places, all of them before all of the others. That is not remembered:
        // new readings come again and again, and would displace what is.
        let settled = if a.kind.ages { a.youngest } else { a.settled };
        if a.shape == b.shape && settled < b.eldest {
            return first;
        }
        self.join_anew(one, other)
    }

    #[inline(never)]
    fn join_anew(&mut self, one: Made, other: Made) -> Made {
        if let Some(made) = self.joins.recall(one.number(), other.number()) {
            return made;
        }
        let made = self.join_sets(one.min(other), one.max(other));
        self.joins.remember(one.number(), other.number(), made);
        made
    }

    #[inline(never)]
    fn join_sets(&mut self, one: Made, other: Made) -> Made {
        if self.absorbs(one, other) {
            one
        } else if self.absorbs(other, one) {
            other
        } else {
            self.merge(one, other);
            self.number()
        }
    }
}

impl Join<Made> for Readings {
    #[inline(always)]
    fn join(&mut self, one: Made, other: Made) -> Made {
        if let Some(unmoved) = one.unmoved_by(other) {
            return unmoved;
        }
        match self.joins.result(one.number(), other.number()) {
            Some(made) => made,
            None => self.join_closely(one, other),
        }
    }
}
