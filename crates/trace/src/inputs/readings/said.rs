//! What is left to say of a value when something has been said, and what its variable adds.

use std::ops::Range;

use super::super::holders::Holder;
use super::super::made::Made;
use super::super::part::Part;
use super::Readings;

impl Readings {
    /// What is left of a value when it has been said of its old parts that they are: of those by
    /// tagged inputs, or of `all`.
    #[inline(always)]
    pub(in crate::inputs) fn faded(&mut self, made: Made, all: bool) -> Made {
        let set = self.set(made);
        if set.faded != Made::OF_NOTHING && set.eldest != self.clock {
            return set.faded;
        }
        self.faded_closely(made, all)
    }

    #[inline(never)]
    fn faded_closely(&mut self, made: Made, all: bool) -> Made {
        let set = self.set(made);
        if !(all || set.kind.tagged) || set.eldest == self.clock {
            return made;
        }
        let (aspect, clock) = (self.aspect_of(set), self.clock);
        // The first bit is free: there are fewer parts than bits.
        let case = aspect.old << 1 | u32::from(all);
        let lately = self.fadings.recall(made.number(), case);
        if let Some(faded) = lately.filter(|_| aspect.is_exact()) {
            return faded;
        }
        self.draft(made);
        let topics = &self.topics;
        self.draft.retain(|part| {
            let said = topics.is_tagged(part.topic) || all && topics.is_age(part.topic);
            !said || part.oldest.clock == clock
        });
        let faded = self.renumber(made);
        self.fadings.remember(made.number(), case, faded);
        faded
    }

    /// The label of the parts in the draft, mostly those of `made`.
    fn renumber(&mut self, made: Made) -> Made {
        if self.draft.is_empty() {
            Made::OF_NOTHING
        } else if self.draft.iter().copied().eq(self.parts(made)) {
            made
        } else {
            self.number()
        }
    }

    /// A value that a variable holds from here on.
    #[inline(never)]
    pub(in crate::inputs) fn held_by(&mut self, made: Made, holder: Holder) -> Made {
        if self.topics.held().is_none() {
            return made;
        }
        if let Some(held) = self.holdings.recall(made.number(), holder.number()) {
            return held;
        }
        let held = self.topics.held();
        let Some(all) = self.parts(made).find(|part| Some(part.topic) == held) else {
            return made;
        };
        self.draft(made);
        for topic in self.topics.of_variable(holder) {
            self.draft.retain(|part| part.topic != topic);
            self.draft.push(Part { topic, ..all });
        }
        self.draft.sort_unstable_by_key(|part| part.topic);
        let held = self.renumber(made);
        self.holdings.remember(made.number(), holder.number(), held);
        held
    }

    /// Whether there are no parts of a value that might not agree.
    pub(in crate::inputs) fn is_alone(&self, made: Made) -> bool {
        self.set(made).kind.alone
    }

    /// Whether the parts of a value are known to agree.
    #[inline(always)]
    pub(in crate::inputs) fn is_even(&self, made: Made) -> bool {
        self.set(made).even
    }

    /// The parts of a value agree.
    pub(in crate::inputs) fn set_even(&mut self, made: Made) {
        self.sets[made.index()].even = true;
    }

    /// What is left of a value behind an operation that has said lately that its parts do not agree.
    #[inline]
    pub(in crate::inputs) fn parted_lately(&mut self, made: Made, used: u32) -> Option<Made> {
        self.partings.recall(made.number(), used)
    }

    /// This is left of a value behind that operation.
    pub(in crate::inputs) fn remember_parted(&mut self, made: Made, used: u32, parted: Made) {
        self.partings.remember(made.number(), used, parted);
    }

    /// What is left of a value when it has been said that the members of some sets do not agree.
    pub(in crate::inputs) fn parted(&mut self, made: Made, sets: &[Range<u32>]) -> Made {
        self.draft(made);
        let said = |part: &Part| sets.iter().any(|set| set.contains(&part.topic));
        self.draft.retain(|part| !said(part));
        self.renumber(made)
    }
}
