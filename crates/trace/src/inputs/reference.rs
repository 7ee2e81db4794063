//! Labels against sets of readings that are kept as they are.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;

use super::holders::Holder;
use super::made::Made;
use super::part::{Part, Reading};
use super::readings::Readings;
use super::sights::{Attention, Sights};
use super::topics::{Member, Topics};
use crate::calls::Context;
use crate::labels::{Join, Labels};

/// All readings, by topic.
type Naive = BTreeMap<u32, BTreeSet<Reading>>;

const CELLS: u32 = 6;
const INPUTS: u32 = 4;

#[derive(Clone, Debug)]
enum Step {
    Read {
        input: u32,
        pc: u32,
        to: u32,
    },
    Join {
        one: u32,
        other: u32,
        to: u32,
    },
    /// All that is old has been said of a value that a tagged variable held, or that none did.
    Fade {
        cell: u32,
        all: bool,
    },
    Commit,
    Sweep,
}

fn step() -> impl Strategy<Value = Step> {
    let cell = || 0..CELLS;
    prop_oneof![
        4 => (0..INPUTS, 10..13u32, cell()).prop_map(|(input, pc, to)| Step::Read { input, pc, to }),
        6 => (cell(), cell(), cell()).prop_map(|(one, other, to)| Step::Join { one, other, to }),
        1 => (cell(), any::<bool>()).prop_map(|(cell, all)| Step::Fade { cell, all }),
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
}

impl Pair {
    fn new(sets: &[Vec<Member>]) -> Self {
        let tagged = (0..INPUTS).map(|input| input % 2 == 0).collect();
        Self {
            readings: Readings::new(Topics::new(tagged, sets)),
            sights: Sights::new(1, Attention::Nothing),
            labels: Labels::new(CELLS as usize),
            naive: vec![Naive::new(); CELLS as usize],
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
                let topics = self.readings.topics().of_input(input).iter();
                self.naive[to as usize] = topics
                    .map(|&topic| (topic, BTreeSet::from([reading])))
                    .collect();
            }
            Step::Join { one, other, to } => {
                let labels = (self.label(one), self.label(other));
                let made = match labels {
                    (made, Made::OF_NOTHING) | (Made::OF_NOTHING, made) => made,
                    (one, other) => self.readings.join(one, other),
                };
                self.labels.set_bytes(to, 1, made);
                let mut both = self.naive[one as usize].clone();
                for (&topic, readings) in &self.naive[other as usize] {
                    both.entry(topic).or_default().extend(readings);
                }
                self.naive[to as usize] = both;
            }
            Step::Fade { cell, all } => {
                let made = self.label(cell);
                let faded = self.readings.faded(made, all);
                self.labels.set_bytes(cell, 1, faded);
                let clock = self.readings.clock();
                self.naive[cell as usize].retain(|&topic, readings| {
                    let said = topic < INPUTS && (all || topic % 2 == 0);
                    let old = readings.iter().any(|reading| reading.clock < clock);
                    !(said && old)
                });
            }
            Step::Commit => {
                let old = self.readings.commit();
                self.sights.commit(old);
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
            let parts: Vec<Part> = self.readings.parts(made).collect();
            let topics: Vec<u32> = parts.iter().map(|part| part.topic).collect();
            prop_assert_eq!(topics, naive.keys().copied().collect::<Vec<u32>>());
            for (part, readings) in parts.iter().zip(naive.values()) {
                // Of readings of one power cycle, any one may stand for all.
                prop_assert!(readings.contains(&part.oldest) && readings.contains(&part.later));
                let clocks = || readings.iter().map(|reading| reading.clock);
                let oldest = clocks().min();
                prop_assert_eq!(Some(part.oldest.clock), oldest);
                let later = clocks().filter(|&clock| Some(clock) > oldest).min();
                let later = later.filter(|_| part.topic >= INPUTS);
                prop_assert_eq!(Some(part.later.clock), later.or(oldest));
            }
            let look = self.sights.look(made);
            if made == Made::OF_NOTHING || !look.has_bit() {
                continue;
            }
            let old = parts.iter().filter(|part| part.oldest.clock != clock);
            prop_assert_eq!(old.count(), if look.bit() < 32 { parts.len() } else { 0 });
            let shape: Vec<(u32, u32)> = parts
                .iter()
                .map(|part| (part.topic, part.oldest.pc))
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
        sets in prop_oneof![
            Just(vec![]),
            Just(vec![vec![Member::Input(1), Member::Input(2)]]),
            Just(vec![
                vec![Member::Input(0), Member::Input(1)],
                vec![Member::Input(1), Member::Variable(Holder::new(0))],
            ]),
        ],
        steps in proptest::collection::vec(step(), 1..60),
    ) {
        let mut pair = Pair::new(&sets);
        for step in &steps {
            pair.take(step);
            pair.agree()?;
        }
    }
}
