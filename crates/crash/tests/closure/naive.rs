//! The specification, read naively: a store is executed by walking over its steps, and at every
//! operation power fails in every way, again and again, up to the number of failures. Shares
//! nothing with the explorer: no machine, no states that are recognised while exploring.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use brownout_scenario::{EraseTear, Order, Programming, Tear};

use crate::store::{BLOCK, Condition, FLASH, Number, Step, Store, WORDS};

/// What survives.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Kept {
    flash: [u8; FLASH],
    words: [u32; WORDS],
    ghost: u32,
}

/// What is broken.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Broken {
    Assertion(u32),
    /// The flash part is misused.
    Misuse,
    /// An operation of the program is neither done nor not done.
    Half,
    /// A boot never ends, or goes round in another loop than the undisturbed one.
    Endless,
    /// A boot ends, and the undisturbed one never does.
    OtherEnd,
}

/// How a boot ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Ending {
    Ended,
    /// A loop has come to a state for the second time.
    Settled(u32),
    Broken(Broken),
    /// A loop goes on and on without coming to a state again: nobody waits for that.
    TooLong,
}

/// More rounds of a loop than so many are too many.
const ROUNDS: usize = 40;

/// What breaks a boot that ends like this, where the undisturbed one ends like that.
fn judge(goal: Ending, ending: Ending) -> Option<Broken> {
    match (goal, ending) {
        (_, Ending::Broken(broken)) => Some(broken),
        // One that breaks by itself is nothing to hold others against.
        (Ending::Broken(_), _) => None,
        (Ending::Settled(goal), Ending::Settled(other)) if goal == other => None,
        (_, Ending::Settled(_)) => Some(Broken::Endless),
        (Ending::Settled(_), Ending::Ended) => Some(Broken::OtherEnd),
        (_, Ending::Ended | Ending::TooLong) => None,
    }
}

/// What there is to find under one workload.
#[derive(Default, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    /// The fewest failures that break it, and the states that do.
    pub(crate) broken: BTreeMap<Broken, (u32, BTreeSet<Kept>)>,
    pub(crate) states: BTreeSet<Kept>,
    /// Most readings of a boot.
    readings: usize,
    /// Whether some boot could not be decided.
    pub(crate) is_too_long: bool,
    /// Boots, equal ones counted.
    boots: u64,
}

/// An operation that may be missing.
#[derive(Clone)]
struct Flying {
    start: usize,
    old: Vec<u8>,
}

struct Boot<'b> {
    store: &'b Store,
    workload: &'b [u32],
    kept: Kept,
    /// What power failures can leave, each with the operation of the program it is inside of.
    left: Vec<(Kept, usize)>,
    /// What there was before and after each operation of the program.
    quiet: Vec<(Kept, Kept)>,
    depth: u32,
    flying: Vec<Flying>,
    said: Vec<u32>,
    readings: usize,
    fails: bool,
}

impl<'b> Boot<'b> {
    fn new(store: &'b Store, workload: &'b [u32], kept: &Kept, is_first: bool) -> Self {
        Self {
            store,
            workload,
            kept: kept.clone(),
            left: Vec::new(),
            quiet: Vec::new(),
            depth: 0,
            flying: Vec::new(),
            said: Vec::new(),
            readings: 0,
            fails: !is_first || !has_from(&store.steps),
        }
    }

    fn number(&mut self, number: &Number) -> u32 {
        match number {
            Number::Constant(value) => *value,
            Number::Flash(at) => self.kept.flash[*at].into(),
            Number::Word(index) => self.kept.words[*index],
            Number::Ghost => self.kept.ghost,
            Number::Reading => {
                let nth = self.readings;
                self.readings += 1;
                let rest = self.store.rest[nth % self.store.rest.len()];
                self.workload.get(nth).copied().unwrap_or(rest)
            }
            Number::Sum(a, b) => self.number(a).wrapping_add(self.number(b)),
        }
    }

    fn holds(&mut self, condition: &Condition) -> bool {
        match condition {
            Condition::Equal(a, b) => self.number(a) == self.number(b),
            Condition::Less(a, b) => self.number(a) < self.number(b),
        }
    }

    /// The boot may be left as it is now, where something is being done at some bytes of the part.
    fn leave(&mut self, at: Option<Range<usize>>) {
        if !self.fails {
            return;
        }
        let inside = self.quiet.len();
        for missing in 0..1u32 << self.flying.len() {
            let is_missing = |index: usize| missing >> index & 1 == 1;
            let blocks = |range: &Range<usize>| range.start / BLOCK..=(range.end - 1) / BLOCK;
            let meet = |one: &Range<usize>, other: &Range<usize>| {
                blocks(one).any(|block| blocks(other).contains(&block))
            };
            let range = |index: usize| {
                let Flying { start, old } = &self.flying[index];
                *start..*start + old.len()
            };
            // What comes later in a block is missing, too.
            let mut later = (0..self.flying.len())
                .flat_map(|one| (one..self.flying.len()).map(move |other| (one, other)));
            let is_possible = later.all(|(one, other)| {
                !is_missing(one) || !meet(&range(one), &range(other)) || is_missing(other)
            });
            let is_needed = (0..self.flying.len()).any(|index| {
                let meets = at.as_ref().is_some_and(|at| meet(at, &range(index)));
                is_missing(index) && meets
            });
            if !is_possible || is_needed {
                continue;
            }
            let mut kept = self.kept.clone();
            for (index, flying) in self.flying.iter().enumerate().rev() {
                if is_missing(index) {
                    let range = flying.start..flying.start + flying.old.len();
                    kept.flash[range].copy_from_slice(&flying.old);
                }
            }
            self.left.push((kept, inside));
        }
    }

    /// Does something that is an operation of the program unless it is part of one.
    fn operation(
        &mut self,
        does: impl FnOnce(&mut Self) -> Result<(), Ending>,
    ) -> Result<(), Ending> {
        let before = self.kept.clone();
        self.depth += 1;
        does(self)?;
        self.depth -= 1;
        if self.depth == 0 {
            self.quiet.push((before, self.kept.clone()));
        }
        Ok(())
    }

    fn run(&mut self, steps: &[Step]) -> Result<(), Ending> {
        for step in steps {
            match step {
                Step::If(condition, then, otherwise) => {
                    let steps = if self.holds(condition) {
                        then
                    } else {
                        otherwise
                    };
                    self.run(steps)?;
                }
                Step::While(number, condition, steps) => {
                    let mut seen = BTreeSet::new();
                    while self.holds(condition) {
                        let given = self.readings.min(self.workload.len());
                        let next = self.readings % self.store.rest.len();
                        if !seen.insert((self.kept.clone(), given, next)) {
                            return Err(Ending::Settled(*number));
                        }
                        if seen.len() > ROUNDS {
                            return Err(Ending::TooLong);
                        }
                        self.run(steps)?;
                    }
                }
                Step::Assert(number, condition) => {
                    if !self.holds(condition) {
                        return Err(Ending::Broken(Broken::Assertion(*number)));
                    }
                }
                Step::Note(number) => {
                    let number = self.number(number);
                    self.operation(|boot| {
                        boot.kept.ghost = number;
                        boot.leave(None);
                        Ok(())
                    })?;
                }
                Step::Store(index, number) => {
                    let value = self.number(number);
                    self.operation(|boot| {
                        boot.write(*index, value);
                        Ok(())
                    })?;
                }
                Step::Program(at, data) => self.operation(|boot| boot.program(*at, data))?,
                Step::Erase(at) => self.operation(|boot| {
                    boot.erase(*at);
                    Ok(())
                })?,
                Step::Sync => self.flying.clear(),
                Step::Say(number) => {
                    let number = self.number(number);
                    self.said.push(number);
                }
                Step::Call(steps) => self.operation(|boot| boot.run(steps))?,
                Step::From => {
                    if !self.fails {
                        self.fails = true;
                        self.leave(None);
                    }
                }
            }
        }
        Ok(())
    }

    /// Parts of a word are written in any order.
    fn write(&mut self, index: usize, value: u32) {
        let (old, new) = (self.kept.words[index].to_le_bytes(), value.to_le_bytes());
        let size = self.store.atomic.unwrap_or(4) as usize;
        let parts = 4 / size;
        for chosen in 0..1u32 << parts {
            let mut bytes = old;
            for part in (0..parts).filter(|part| chosen >> part & 1 == 1) {
                let range = part * size..(part + 1) * size;
                bytes[range.clone()].copy_from_slice(&new[range]);
            }
            self.kept.words[index] = u32::from_le_bytes(bytes);
            self.leave(None);
        }
        self.kept.words[index] = value;
    }

    /// An operation of the part is done.
    fn done(&mut self, start: usize, old: &[u8]) {
        if self.store.order == Order::UntilSync {
            self.flying.push(Flying {
                start,
                old: old.to_vec(),
            });
        }
    }

    fn program(&mut self, at: usize, data: &[u8]) -> Result<(), Ending> {
        let old = self.kept.flash;
        if !self.store.reprogram && old[at..at + data.len()].iter().any(|&byte| byte != 0xff) {
            return Err(Ending::Broken(Broken::Misuse));
        }
        let unit = self.store.unit;
        let units = data.len() / unit;
        for chosen in 0..1u32 << units {
            let is_first = (0..=units).any(|first| chosen == (1 << first) - 1);
            let allowed = match self.store.tear {
                Tear::None => chosen == 0 || chosen == (1 << units) - 1,
                Tear::Prefix => is_first,
                Tear::AnyUnit | Tear::Bits => true,
            };
            if !allowed {
                continue;
            }
            self.kept.flash = old;
            for (index, byte) in data.iter().enumerate() {
                if chosen >> (index / unit) & 1 == 1 {
                    match self.store.programming {
                        Programming::And => self.kept.flash[at + index] &= byte,
                        Programming::Overwrite => self.kept.flash[at + index] = *byte,
                    }
                }
            }
            self.leave(Some(at..at + data.len()));
        }
        if self.store.tear == Tear::Bits {
            let whole = self.kept.flash;
            for first in (at..at + data.len()).step_by(unit) {
                self.tear_bits(first, at..at + data.len(), (&old, &whole));
            }
            self.kept.flash = whole;
        }
        self.done(at, &old[at..at + data.len()]);
        Ok(())
    }

    /// The units before this one are programmed, and of its bits any are.
    fn tear_bits(
        &mut self,
        first: usize,
        range: Range<usize>,
        (old, whole): (&[u8; FLASH], &[u8; FLASH]),
    ) {
        let bits = first * 8..(first + self.store.unit) * 8;
        let changes = |bit: &usize| (old[bit / 8] ^ whole[bit / 8]) >> (bit % 8) & 1 == 1;
        let changing: Vec<usize> = bits.filter(changes).collect();
        for chosen in 0..1u32 << changing.len() {
            self.kept.flash = *old;
            self.kept.flash[range.start..first].copy_from_slice(&whole[range.start..first]);
            for (_, bit) in (changing.iter().enumerate()).filter(|(n, _)| chosen >> n & 1 == 1) {
                self.kept.flash[bit / 8] ^= 1 << (bit % 8);
            }
            self.leave(Some(range.clone()));
        }
    }

    fn erase(&mut self, at: usize) {
        let old = self.kept.flash;
        if self.store.erase_tear == EraseTear::Garbage {
            // The last units are erased, every second one, or every second bit.
            let units = BLOCK / self.store.unit;
            for first in 1..units {
                let is_quarter = |quarter: usize| (quarter * units).div_ceil(4) == first;
                if (1..4).any(is_quarter) {
                    self.kept.flash = old;
                    self.kept.flash[at + first * self.store.unit..at + BLOCK].fill(0xff);
                    self.leave(Some(at..at + BLOCK));
                }
            }
            for is_by_unit in [true, false] {
                for turn in 0..2 {
                    for (index, byte) in old[at..at + BLOCK].iter().enumerate() {
                        let erased = match is_by_unit {
                            true if index / self.store.unit % 2 == turn => 0xff,
                            true => 0,
                            false => 0x55 << turn,
                        };
                        self.kept.flash[at + index] = byte | erased;
                    }
                    self.leave(Some(at..at + BLOCK));
                }
            }
            self.kept.flash = old;
        }
        for quarter in 0..=4 {
            let inside = quarter > 0 && quarter < 4;
            if inside && self.store.erase_tear == EraseTear::None {
                continue;
            }
            let done = at..at + quarter * BLOCK / 4;
            self.kept.flash[done].fill(0xff);
            self.leave(Some(at..at + BLOCK));
        }
        self.done(at, &old[at..at + BLOCK]);
    }
}

fn has_from(steps: &[Step]) -> bool {
    steps.iter().any(|step| matches!(step, Step::From))
}

/// What is explored, and how its undisturbed boot ends.
struct Case<'c> {
    store: &'c Store,
    workload: &'c [u32],
    goal: Ending,
}

impl Case<'_> {
    /// What the boot of a state says, if it breaks nothing.
    fn said(&self, kept: &Kept) -> Option<Vec<u32>> {
        let mut boot = Boot::new(self.store, self.workload, kept, false);
        let ending = boot.run(&self.store.steps).err().unwrap_or(Ending::Ended);
        judge(self.goal, ending).is_none().then_some(boot.said)
    }

    /// Whether two boots say the same. Where boots go on for ever, they may come to say more.
    fn agree(&self, one: &[u32], other: &[u32]) -> bool {
        match self.goal {
            Ending::Settled(_) => one.starts_with(other) || other.starts_with(one),
            Ending::Ended | Ending::Broken(_) | Ending::TooLong => one == other,
        }
    }

    /// Boots a state, and everything that failures of its boot leave.
    fn boot(&self, kept: &Kept, failures: u32, found: &mut Found) {
        found.states.insert(kept.clone());
        found.boots += 1;
        let mut booted = Boot::new(self.store, self.workload, kept, failures == 0);
        let ending = booted.run(&self.store.steps).err().unwrap_or(Ending::Ended);
        found.readings = booted.readings.max(found.readings);
        found.is_too_long |= ending == Ending::TooLong || found.boots > MOST_BOOTS;
        if found.is_too_long {
            return;
        }
        if let Some(broken) = judge(self.goal, ending) {
            note(found, broken, failures, kept);
        }
        if failures >= self.store.failures {
            return;
        }
        for (left, inside) in &booted.left {
            if let Some((before, after)) = booted.quiet.get(*inside)
                && self.store.is_atomic
                && !matches!(ending, Ending::Broken(_))
                && let [Some(says), Some(without), Some(with)] =
                    [left, before, after].map(|kept| self.said(kept))
                && !self.agree(&says, &without)
                && !self.agree(&says, &with)
            {
                note(found, Broken::Half, failures + 1, left);
            }
            self.boot(left, failures + 1, found);
        }
    }
}

/// Naive recursion takes no more boots than this.
const MOST_BOOTS: u64 = 20_000;

fn note(found: &mut Found, broken: Broken, failures: u32, kept: &Kept) {
    let entry = found.broken.entry(broken);
    let (fewest, states) = entry.or_insert((failures, BTreeSet::new()));
    *fewest = failures.min(*fewest);
    states.insert(kept.clone());
}

/// How many states the failures of the undisturbed boot leave, equal ones counted.
pub(crate) fn width(store: &Store) -> u64 {
    let mut boot = Boot::new(store, &[], &first(), false);
    let _ = boot.run(&store.steps);
    boot.left.len() as u64
}

fn first() -> Kept {
    Kept {
        flash: [0xff; FLASH],
        words: [0; WORDS],
        ghost: 0,
    }
}

/// Everything there is to find, by workload: those that differ only in what is never read are one.
pub(crate) fn explore(store: &Store) -> BTreeMap<Vec<u32>, Found> {
    let mut workloads: Vec<Vec<u32>> = vec![Vec::new()];
    for _ in 0..store.readings {
        workloads = (workloads.iter())
            .flat_map(|workload| {
                (0..store.values as u32).map(|value| [&workload[..], &[value]].concat())
            })
            .collect();
    }
    let mut all = BTreeMap::new();
    for workload in workloads {
        let mut found = Found::default();
        let mut undisturbed = Boot::new(store, &workload, &first(), true);
        let goal = undisturbed.run(&store.steps).err().unwrap_or(Ending::Ended);
        let case = Case {
            store,
            workload: &workload,
            goal,
        };
        case.boot(&first(), 0, &mut found);
        let read = &workload[..found.readings.min(workload.len())];
        all.insert(read.to_vec(), found);
    }
    all
}
