//! The specification, read naively: a store is executed by walking over its steps, and at every
//! operation power fails in every way, again and again, up to the number of failures. Shares
//! nothing with the explorer: no machine, no states that are recognised while exploring.

use std::collections::{BTreeMap, BTreeSet};

use brownout_scenario::{EraseTear, Tear};

use crate::store::{BLOCK, Condition, FLASH, Number, Step, Store, WORDS};

/// What survives.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Kept {
    flash: [u8; FLASH],
    words: [u32; WORDS],
    ghost: u32,
}

/// What is broken: an assertion, or the flash part is misused.
pub(crate) type Broken = Option<u32>;

/// What there is to find.
#[derive(Default, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    /// The fewest failures that break it, and the states that do.
    pub(crate) broken: BTreeMap<Broken, (u32, BTreeSet<Kept>)>,
    pub(crate) states: BTreeSet<Kept>,
}

struct Boot<'b> {
    store: &'b Store,
    kept: Kept,
    /// What power failures can leave.
    left: Vec<Kept>,
}

impl Boot<'_> {
    fn number(&self, number: &Number) -> u32 {
        match number {
            Number::Constant(value) => *value,
            Number::Flash(at) => self.kept.flash[*at].into(),
            Number::Word(index) => self.kept.words[*index],
            Number::Ghost => self.kept.ghost,
            Number::Sum(a, b) => self.number(a).wrapping_add(self.number(b)),
        }
    }

    fn holds(&self, condition: &Condition) -> bool {
        match condition {
            Condition::Equal(a, b) => self.number(a) == self.number(b),
            Condition::Less(a, b) => self.number(a) < self.number(b),
        }
    }

    /// The boot may be left as it is now.
    fn leave(&mut self) {
        self.left.push(self.kept.clone());
    }

    fn run(&mut self, steps: &[Step]) -> Result<(), Broken> {
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
                Step::Assert(number, condition) => {
                    if !self.holds(condition) {
                        return Err(Some(*number));
                    }
                }
                Step::Note(number) => {
                    self.kept.ghost = self.number(number);
                    self.leave();
                }
                Step::Store(index, number) => self.write(*index, self.number(number)),
                Step::Program(at, data) => self.program(*at, data)?,
                Step::Erase(at) => self.erase(*at),
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
            self.leave();
        }
        self.kept.words[index] = value;
    }

    fn program(&mut self, at: usize, data: &[u8]) -> Result<(), Broken> {
        let old = self.kept.flash;
        if !self.store.reprogram && old[at..at + data.len()].iter().any(|&byte| byte != 0xff) {
            return Err(None);
        }
        let unit = self.store.unit;
        let units = data.len() / unit;
        for chosen in 0..1u32 << units {
            let is_first = (0..=units).any(|first| chosen == (1 << first) - 1);
            let allowed = match self.store.tear {
                Tear::None => chosen == 0 || chosen == (1 << units) - 1,
                Tear::Prefix => is_first,
                Tear::AnyUnit => true,
                Tear::Bits => unreachable!("not generated"),
            };
            if !allowed {
                continue;
            }
            self.kept.flash = old;
            for (index, byte) in data.iter().enumerate() {
                if chosen >> (index / unit) & 1 == 1 {
                    self.kept.flash[at + index] &= byte;
                }
            }
            self.leave();
        }
        Ok(())
    }

    fn erase(&mut self, at: usize) {
        for quarter in 0..=4 {
            let inside = quarter > 0 && quarter < 4;
            if inside && self.store.erase_tear == EraseTear::None {
                continue;
            }
            let done = at..at + quarter * BLOCK / 4;
            self.kept.flash[done].fill(0xff);
            self.leave();
        }
    }
}

/// Boots a state, and everything that failures of its boot leave.
fn boot(store: &Store, kept: &Kept, failures: u32, found: &mut Found) {
    found.states.insert(kept.clone());
    let mut boot_of_it = Boot {
        store,
        kept: kept.clone(),
        left: Vec::new(),
    };
    if let Err(broken) = boot_of_it.run(&store.steps) {
        let entry = found.broken.entry(broken);
        let (fewest, states) = entry.or_insert((failures, BTreeSet::new()));
        *fewest = failures.min(*fewest);
        states.insert(kept.clone());
    }
    if failures < store.failures {
        for left in boot_of_it.left {
            boot(store, &left, failures + 1, found);
        }
    }
}

/// How many states the failures of the undisturbed boot leave, equal ones counted.
pub(crate) fn width(store: &Store) -> u64 {
    let mut boot = Boot {
        store,
        kept: first(),
        left: Vec::new(),
    };
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

/// Everything there is to find.
pub(crate) fn explore(store: &Store) -> Found {
    let mut found = Found::default();
    boot(store, &first(), 0, &mut found);
    found
}
