//! Loops without end: when an execution is long enough.
//!
//! Most firmware goes round in a loop that it never leaves. Such an execution is *long enough* when
//! it does nothing new: for many rounds, and for many instructions, no place, no pair, no output and
//! no path that was not there before. How many grows with how long it took to the last new thing.
//!
//! **Invariant:** more patience sees a longer beginning of the same execution.
//!
//! **False negatives.** What happens for the first time after a longer wait than that: the result
//! says how many rounds were executed.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::Arc;

use brownout_vm::{Image, Loops, Moment, Observer};
use rustc_hash::FxHashMap;

/// A loop that was ended because nothing new happened in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rounds {
    /// Its head.
    pub head: u32,
    /// How often it was executed.
    pub executed: u64,
    /// The last round in which something happened for the first time.
    pub last_news: u64,
    /// Instructions after which rounds only repeat what was there before: enough of them are inside to
    /// see what a power failure does.
    pub varied: u64,
    /// Whether some path leaves it: then what comes after it was not executed.
    pub can_end: bool,
}

/// How long nothing new has to happen, at least.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Patience {
    /// For so many rounds, and for twice as many as it took to the last new thing.
    pub rounds: u64,
    /// For so many instructions, and for twice as many as it took to the last new thing: a counter that
    /// makes something happen every few thousand rounds has come round by then.
    pub instructions: u64,
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            rounds: LEAST_ROUNDS,
            instructions: MANY_INSTRUCTIONS,
        }
    }
}

impl Patience {
    /// So many times as much of it.
    #[must_use]
    pub const fn times(self, factor: u64) -> Self {
        Self {
            rounds: self.rounds.saturating_mul(factor),
            instructions: self.instructions.saturating_mul(factor),
        }
    }
}

/// After so many rounds without anything new, power failures in another one teach nothing.
const LEAST_ROUNDS: u64 = 64;
/// So many times as many in a loop that could end.
const MUCH_LONGER: u64 = 16;
/// So many rounds are enough however few instructions they take: all values of 16 bits.
const MANY_ROUNDS: u64 = 1 << 16;
/// So many instructions are enough however few rounds they are.
const MANY_INSTRUCTIONS: u64 = 4_000_000;
/// How much longer a loop is given that could end, or in which a counter is going to carry by then.
const HOPE: u64 = 10;

/// The rounds of all outermost loops of an execution.
#[derive(Clone, Debug, Default)]
pub struct RoundCounter {
    patience: Patience,
    /// Heads of loops that no path leaves.
    endless: BTreeSet<u32>,
    loops: FxHashMap<u32, Counted>,
}

/// The rounds of one loop.
#[derive(Clone, Copy, Debug, Default)]
struct Counted {
    executed: u64,
    last_news: u64,
    /// How many things were known at the last visit of the head.
    things: u64,
    /// When the last round with something new was over.
    news_at: u64,
    /// When [`LEAST_ROUNDS`] more were.
    varied: u64,
}

impl RoundCounter {
    /// No rounds yet.
    pub fn new(image: &Image, loops: &Loops, patience: Patience) -> Self {
        Self {
            patience,
            endless: loops.endless(image),
            loops: FxHashMap::default(),
        }
    }

    /// The head of a loop is visited, and so many things are known by now: places, pairs, outputs,
    /// paths. What is to be said of the loop if nothing new has happened for long enough, which is longer
    /// where something new is expected after some more rounds.
    pub fn visit(
        &mut self,
        head: u32,
        time: u64,
        things: u64,
        expected: Option<u64>,
    ) -> Option<Rounds> {
        let endless = self.endless.contains(&head);
        let counted = self.loops.entry(head).or_default();
        counted.executed += 1;
        if counted.things != things {
            counted.things = things;
            counted.last_news = counted.executed;
            counted.news_at = time;
        }
        let quiet = counted.executed - counted.last_news;
        if quiet <= LEAST_ROUNDS {
            counted.varied = time;
        }
        let longer = self.patience.times(HOPE);
        let is_expected = expected.is_some_and(|rounds| {
            let instructions = (time / counted.executed).saturating_mul(rounds);
            time.saturating_add(instructions) <= counted.news_at + longer.instructions
        });
        let patience = match endless && !is_expected {
            true => self.patience,
            false => longer,
        };
        let rounds = patience.rounds.max(2 * counted.last_news);
        let instructions = patience.instructions.max(2 * counted.news_at);
        let are_many = endless && !is_expected && quiet >= MANY_ROUNDS.max(rounds);
        let is_long = time - counted.news_at >= instructions || are_many;
        let is_long_enough = is_long && quiet >= rounds;
        is_long_enough.then_some(Rounds {
            head,
            executed: counted.executed,
            last_news: counted.last_news,
            varied: counted.varied,
            can_end: !endless,
        })
    }

    /// Whether rounds of a loop are like those before them: nobody learns anything from a failure in
    /// one more. A loop that could end is given longer.
    pub fn is_repetitive(&self, head: u32) -> bool {
        let counted = self.loops.get(&head).copied().unwrap_or_default();
        let rounds = self.patience.rounds.min(LEAST_ROUNDS);
        let rounds = match self.endless.contains(&head) {
            true => rounds,
            false => rounds * MUCH_LONGER,
        };
        counted.executed - counted.last_news >= rounds
    }

    /// Whether it is time to look if anything changes at all in a loop: now and then, less and less often.
    pub fn is_quiet_for_a_power_of_two(&self, head: u32) -> bool {
        let counted = self.loops.get(&head).copied().unwrap_or_default();
        let quiet = counted.executed - counted.last_news;
        quiet >= LEAST_ROUNDS && quiet.is_power_of_two()
    }

    /// The loop turned out not to be an outermost one here: another loop goes on around it.
    pub fn start_over(&mut self, head: u32) {
        self.loops.remove(&head);
    }
}

/// The rounds of a region in loops that no path leaves. A region of many of them has no end.
#[derive(Clone, Debug)]
pub(crate) struct RegionRounds<'i> {
    image: &'i Image,
    /// When the region began; nothing if any number of rounds is wanted.
    begun: Option<u64>,
    executed: FxHashMap<u32, u64>,
    /// Heads of loops that no path leaves, once somebody had to know.
    endless: Option<BTreeSet<u32>>,
    /// The head of the loop that has been executed often enough.
    head: Option<u32>,
}

impl<'i> RegionRounds<'i> {
    pub(crate) fn new(image: &'i Image, begun: u64) -> Self {
        Self {
            begun: Some(begun),
            ..Self::any_number(image)
        }
    }

    pub(crate) fn any_number(image: &'i Image) -> Self {
        Self {
            image,
            begun: None,
            executed: FxHashMap::default(),
            endless: None,
            head: None,
        }
    }

    /// The head of a loop is visited; breaks after enough rounds of one that no path leaves.
    pub(crate) fn visit(&mut self, at: Moment) -> ControlFlow<()> {
        let Some(begun) = self.begun else {
            return ControlFlow::Continue(());
        };
        let executed = self.executed.entry(at.pc).or_default();
        *executed += 1;
        let is_long = at.time - begun >= MANY_INSTRUCTIONS && *executed >= LEAST_ROUNDS;
        if !is_long && *executed < MANY_ROUNDS {
            return ControlFlow::Continue(());
        }
        let image = self.image;
        let endless = self
            .endless
            .get_or_insert_with(|| Loops::of(image).endless(image));
        // Nobody knows when a loop ends that some path leaves.
        if !endless.contains(&at.pc) {
            return ControlFlow::Continue(());
        }
        self.head = Some(at.pc);
        ControlFlow::Break(())
    }

    /// The head of the loop in which it broke.
    pub(crate) const fn head(&self) -> Option<u32> {
        self.head
    }
}

/// Breaks at the next visit of the head of a loop.
#[derive(Debug, Default)]
pub(crate) struct NextHead {
    /// Of one of these loops, if not of any.
    pub(crate) of: Option<Arc<BTreeSet<u32>>>,
    pub(crate) found: Option<u32>,
}

impl Observer for NextHead {
    fn loop_head(&mut self, at: Moment) -> ControlFlow<()> {
        if self
            .of
            .as_ref()
            .is_some_and(|heads| !heads.contains(&at.pc))
        {
            return ControlFlow::Continue(());
        }
        self.found = Some(at.pc);
        ControlFlow::Break(())
    }
}

/// Breaks at every visit of the head of a loop.
#[derive(Debug)]
pub(crate) struct AtHead {
    pub(crate) head: u32,
    pub(crate) is_there: bool,
}

impl AtHead {
    pub(crate) const fn new(head: u32) -> Self {
        Self {
            head,
            is_there: false,
        }
    }
}

impl Observer for AtHead {
    fn loop_head(&mut self, at: Moment) -> ControlFlow<()> {
        self.is_there = at.pc == self.head;
        match self.is_there {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }
}
