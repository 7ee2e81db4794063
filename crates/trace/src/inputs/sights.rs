//! Uses that were seen and need no second look.
//!
//! What is to be said about a use depends on what its data looks like, on where it is used and on
//! the tagged variable that holds it; and so does what there is left to say of the data. Mostly data
//! looks like one of a few, it is used by the user's code itself, an operation uses what one variable
//! holds, and of its data there is as much to say as before, or nothing any more: such a use is one
//! bit of its operation.
//!
//! **Invariant**: what is said to be known was remembered and not forgotten since; what was
//! remembered may get lost.

use super::holders::Holder;
use super::made::{Aspect, Look, Made};

/// Any use.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Sight(u64, u64);

impl Sight {
    const SLOTS: usize = 1 << 10;

    fn new(aspect: Aspect, used: u32, holder: Option<Holder>) -> Self {
        let holder = holder.map_or(0, Holder::number);
        Self(aspect.bits(), u64::from(used) << 32 | u64::from(holder))
    }

    fn slot(self) -> usize {
        let hash = (self.1 >> 32) as u32 + (self.0 >> 32) as u32 * 0x55;
        hash as usize % Self::SLOTS
    }
}

/// What is left to say of data behind a use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Rest {
    /// As much as before.
    All,
    /// As much as before, and its parts may not agree with each other.
    Disputed,
    /// Less than before.
    Less,
    Nothing,
}

/// What is left of data that an operation has seen, a bit for every [`Look`].
#[derive(Clone, Copy, Debug, Default)]
struct Seen {
    all: u64,
    less: u64,
    nothing: u64,
}

impl Seen {
    #[inline(always)]
    fn rest(&self, look: Look) -> Option<Rest> {
        let bit = 1 << look.bit();
        if self.nothing & bit != 0 {
            Some(Rest::Nothing)
        } else if self.all & bit != 0 {
            Some(Rest::All)
        } else {
            (self.less & bit != 0).then_some(Rest::Less)
        }
    }

    fn expect(&mut self, rest: Rest, look: Look) {
        let bits = match rest {
            Rest::All | Rest::Disputed => &mut self.all,
            Rest::Less => &mut self.less,
            Rest::Nothing => &mut self.nothing,
        };
        *bits |= 1 << look.bit();
    }
}

/// What an operation has seen that is not usual.
#[derive(Clone, Copy, Debug, Default)]
struct Unusual {
    /// Data that no tagged variable holds.
    free: Seen,
    /// Data that this tagged variable holds.
    held: Seen,
    holder: Option<Holder>,
}

/// Where the variable matters that holds data.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Attention {
    Nothing,
    /// What is loaded from it is most-recent or long-term.
    Loads,
    /// And what is stored to it must agree with others.
    Stores,
}

/// What was seen.
#[derive(Clone, Debug)]
pub(super) struct Sights {
    /// By operation, a bit for every [`Look`]: data that no tagged variable holds, and of which there
    /// is as much left to say as before.
    seen: Vec<u64>,
    /// By operation: other data. Empty as long as there is none.
    unusual: Vec<Unusual>,
    /// The same, while an operation does not stand for itself.
    aside: (Vec<u64>, Vec<Unusual>),
    /// Labels below this one are of what is old.
    old: Made,
    /// The same, or nothing if it matters where data is stored.
    passing: Made,
    /// The same, or nothing if it matters where data is loaded from.
    passing_anywhere: Made,
    attention: Attention,
    /// What has no bit, lately.
    others: Box<[Sight; Sight::SLOTS]>,
}

impl Sights {
    pub(super) fn new(operations: usize, attention: Attention) -> Self {
        Self {
            seen: vec![0; operations],
            unusual: Vec::new(),
            aside: (Vec::new(), Vec::new()),
            old: Made::OF_NOTHING,
            passing: Made::OF_NOTHING,
            passing_anywhere: Made::OF_NOTHING,
            attention,
            others: Box::new([Sight::default(); Sight::SLOTS]),
        }
    }

    /// Forgets everything, because labels have changed: those below `old` are of what is old.
    pub(super) fn clear(&mut self, old: Made) {
        self.seen.fill(0);
        self.unusual.clear();
        self.aside.0.fill(0);
        self.aside.1.clear();
        self.old = old;
        (self.passing, self.passing_anywhere) = (Made::OF_NOTHING, Made::OF_NOTHING);
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
            std::mem::swap(&mut self.seen, &mut self.aside.0);
            std::mem::swap(&mut self.unusual, &mut self.aside.1);
        }
    }

    /// A power cycle ends: all labels below this one are of what is old from here on.
    #[inline(always)]
    pub(super) fn commit(&mut self, old: Made) {
        self.old = old;
        if self.attention != Attention::Stores {
            self.passing = old;
        }
        if self.attention == Attention::Nothing {
            self.passing_anywhere = old;
        }
    }

    /// Whether an operation is known to have seen data like this that no variable holds, and all of
    /// it is old.
    #[inline(always)]
    pub(super) fn knows_in_passing(&self, made: Made, pc: u32) -> bool {
        made < self.passing && self.has_seen(made.old_look(), pc)
    }

    /// The same, whatever holds it.
    #[inline(always)]
    pub(super) fn knows_in_passing_anywhere(&self, made: Made, pc: u32) -> bool {
        made < self.passing_anywhere && self.has_seen(made.old_look(), pc)
    }

    /// Whether an operation is known to have seen data like this, all of it old, in a variable, and
    /// there is nothing left to say of it.
    #[inline(always)]
    pub(super) fn drops_in_passing(&self, made: Made, pc: u32, holder: Holder) -> bool {
        let unusual = self.unusual.get(pc as usize);
        let drops = |unusual: &Unusual| {
            unusual.holder == Some(holder) && unusual.held.nothing >> made.old_look().bit() & 1 != 0
        };
        made < self.old && unusual.is_some_and(drops)
    }

    /// Whether all of some data is old.
    pub(super) fn is_old(&self, made: Made) -> bool {
        made < self.old
    }

    /// What data looks like now, if it looks like one of a few.
    #[inline(always)]
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

    /// What is left to say, if an operation is known to have seen data that looks like this.
    #[inline]
    pub(super) fn rest(&self, look: Look, pc: u32, holder: Option<Holder>) -> Option<Rest> {
        if holder.is_none() && self.has_seen(look, pc) {
            return Some(Rest::All);
        }
        let unusual = self.unusual.get(pc as usize)?;
        match holder {
            None => unusual.free.rest(look),
            _ if holder == unusual.holder => unusual.held.rest(look),
            Some(_) => None,
        }
    }

    /// What is left to say of data that looks like this is known from here on.
    pub(super) fn expect(&mut self, rest: Rest, look: Look, used: u32, holder: Option<Holder>) {
        let operations = self.seen.len();
        let Some(seen) = self.seen.get_mut(used as usize).filter(|_| look.has_bit()) else {
            return;
        };
        if (holder, rest) == (None, Rest::All) {
            *seen |= 1 << look.bit();
            return;
        }
        self.unusual.resize(operations, Unusual::default());
        let unusual = &mut self.unusual[used as usize];
        if holder.is_none() {
            return unusual.free.expect(rest, look);
        }
        if holder != unusual.holder {
            (unusual.holder, unusual.held) = (holder, Seen::default());
        }
        unusual.held.expect(rest, look);
    }

    /// Whether a use is known.
    pub(super) fn knows(&self, aspect: Aspect, used: u32, holder: Option<Holder>) -> bool {
        let sight = Sight::new(aspect, used, holder);
        self.others[sight.slot()] == sight
    }

    /// A use is known from here on.
    pub(super) fn remember(&mut self, aspect: Aspect, used: u32, holder: Option<Holder>) {
        if aspect.is_exact() {
            let sight = Sight::new(aspect, used, holder);
            self.others[sight.slot()] = sight;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::made::{Made, Traits};
    use super::super::shapes::Shape;
    use super::{Aspect, Attention, Holder, Rest, Sights};

    #[test]
    fn what_is_put_aside_is_not_known_in_passing() {
        let mut sights = Sights::new(8, Attention::Nothing);
        let made = Made::new(1, Shape::default(), Traits::default());
        assert!(!sights.knows_in_passing(made, 5));
        let see = |sights: &mut Sights, pc| {
            let look = sights.look(made);
            sights.expect(Rest::All, look, pc, None);
        };
        let rest = |sights: &Sights, pc| sights.rest(sights.look(made), pc, None);
        see(&mut sights, 5);
        assert_eq!(rest(&sights, 5), Some(Rest::All));
        assert!(!sights.knows_in_passing(made, 5));
        // What is new looks different from what is old.
        let old = Made::from_index_on(2);
        sights.commit(old);
        assert_eq!(rest(&sights, 5), None);
        see(&mut sights, 5);
        assert!(sights.knows_in_passing(made, 5) && !sights.knows_in_passing(made, 4));
        for _ in 0..2 {
            sights.put_aside(true);
            assert!(!sights.knows_in_passing(made, 5));
        }
        see(&mut sights, 6);
        sights.remember(Aspect::default(), 6, None);
        assert!(sights.knows(Aspect::default(), 6, None));
        sights.put_aside(false);
        assert!(sights.knows_in_passing(made, 5) && !sights.knows_in_passing(made, 6));
        assert!(sights.knows(Aspect::default(), 6, None));
        sights.clear(old);
        sights.commit(old);
        assert!(!sights.knows_in_passing(made, 5) && !sights.knows(Aspect::default(), 6, None));
    }

    #[test]
    fn what_is_left_depends_on_the_variable() {
        let mut sights = Sights::new(8, Attention::Nothing);
        let look = Made::new(1, Shape::default(), Traits::default()).new_look();
        let [first, second] = [0, 1].map(|index| Some(Holder::new(index)));
        let cases = [
            (None, Rest::Nothing),
            (first, Rest::Less),
            (second, Rest::Nothing),
        ];
        for (holder, rest) in cases {
            assert_eq!(sights.rest(look, 3, holder), None);
            sights.expect(rest, look, 3, holder);
            assert_eq!(sights.rest(look, 3, holder), Some(rest));
            assert_eq!(sights.rest(look, 2, holder), None);
        }
        // The last variable is the one that is known.
        assert_eq!(sights.rest(look, 3, first), None);
        assert_eq!(sights.rest(look, 3, None), Some(Rest::Nothing));
        sights.put_aside(true);
        assert_eq!(sights.rest(look, 3, None), None);
    }
}
