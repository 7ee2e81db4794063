//! Labels against sets of readings that are kept as they are.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::made::Made;
use super::part::Reading;
use super::readings::Readings;
use super::sights::Sights;
use crate::calls::Context;
use crate::labels::{Join, Labels};

/// By input: the oldest reading and the newest.
type Naive = BTreeMap<u32, (Reading, Reading)>;

const CELLS: u32 = 6;

#[derive(Clone, Debug)]
enum Step {
    Read { input: u32, pc: u32, to: u32 },
    Join { one: u32, other: u32, to: u32 },
    Commit,
    Sweep,
}

fn step() -> impl Strategy<Value = Step> {
    let cell = || 0..CELLS;
    prop_oneof![
        4 => (0..4u32, 10..13u32, cell()).prop_map(|(input, pc, to)| Step::Read { input, pc, to }),
        6 => (cell(), cell(), cell()).prop_map(|(one, other, to)| Step::Join { one, other, to }),
        3 => Just(Step::Commit),
        1 => Just(Step::Sweep),
    ]
}

/// Both, side by side.
struct Pair {
    readings: Readings,
    sights: Sights,
    labels: Labels<Made>,
    naive: Vec<Naive>,
    consistent: bool,
}

impl Pair {
    fn new(consistent: bool) -> Self {
        Self {
            readings: Readings::new(vec![consistent; 4]),
            sights: Sights::new(1),
            labels: Labels::new(CELLS as usize),
            naive: vec![Naive::new(); CELLS as usize],
            consistent,
        }
    }

    fn label(&mut self, cell: u32) -> Made {
        self.labels.bytes(cell, 1, &mut self.readings)
    }

    fn take(&mut self, step: &Step) {
        match *step {
            Step::Read { input, pc, to } => {
                let calls = Context::OUTSIDE;
                let made = self.readings.single(input, pc, calls);
                self.labels.set_bytes(to, 1, made);
                let clock = self.readings.clock();
                let reading = Reading {
                    clock,
                    input,
                    pc,
                    calls,
                };
                self.naive[to as usize] = Naive::from([(input, (reading, reading))]);
            }
            Step::Join { one, other, to } => {
                let labels = (self.label(one), self.label(other));
                let made = match labels {
                    (made, Made::OF_NOTHING) | (Made::OF_NOTHING, made) => made,
                    (one, other) => self.readings.join(one, other),
                };
                self.labels.set_bytes(to, 1, made);
                let mut both = self.naive[one as usize].clone();
                for (&input, &(oldest, newest)) in &self.naive[other as usize] {
                    let known = both.entry(input).or_insert((oldest, newest));
                    known.0 = known.0.min(oldest);
                    known.1 = known.1.max(newest);
                }
                self.naive[to as usize] = both;
            }
            Step::Commit => {
                let old = self.readings.commit();
                self.sights.commit(old, old);
            }
            Step::Sweep => {
                let old = self.readings.sweep(&mut self.labels, self.sights.old());
                self.sights.clear(old);
            }
        }
    }

    /// What labels say is what the sets say.
    fn agree(&mut self) -> Result<(), TestCaseError> {
        let clock = self.readings.clock();
        let mut looks: BTreeMap<u32, Vec<(u32, u32)>> = BTreeMap::new();
        for cell in 0..CELLS {
            let made = self.label(cell);
            let naive = &self.naive[cell as usize];
            let parts: Vec<(u32, Reading)> = self
                .readings
                .parts(made)
                .iter()
                .map(|part| (part.source, part.oldest))
                .collect();
            let expected: Vec<(u32, Reading)> = naive
                .iter()
                .map(|(&input, known)| (input, known.0))
                .collect();
            prop_assert_eq!(&parts, &expected);
            if self.consistent {
                let newest = self.readings.parts(made).iter().map(|part| part.newest);
                prop_assert!(newest.eq(naive.values().map(|known| known.1)));
            }
            let look = self.sights.look(made);
            if made == Made::OF_NOTHING || !look.has_bit() {
                continue;
            }
            let is_old = |(_, reading): &(u32, Reading)| reading.clock != clock;
            let old = parts.iter().filter(|part| is_old(part)).count();
            prop_assert_eq!(old, if look.bit() < 32 { parts.len() } else { 0 });
            let shape: Vec<(u32, u32)> = parts
                .iter()
                .map(|&(source, reading)| (source, reading.pc))
                .collect();
            let known = looks.entry(look.bit()).or_insert_with(|| shape.clone());
            prop_assert_eq!(&*known, &shape);
        }
        Ok(())
    }
}

proptest! {
    #[test]
    fn labels_say_what_sets_say(
        consistent in any::<bool>(),
        steps in proptest::collection::vec(step(), 1..60),
    ) {
        let mut pair = Pair::new(consistent);
        for step in &steps {
            pair.take(step);
            pair.agree()?;
        }
    }
}
