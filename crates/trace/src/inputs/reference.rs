//! Labels against sets that keep every reading.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;

use brownout_explore::Context;

use super::readings::{Part, Reading, Readings, Subject};
use crate::inputs::labels::{Join, Label, Labels};

/// All readings in a value, by subject.
type Kept = BTreeMap<Subject, BTreeSet<Reading>>;

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
    /// What is old and of an even input, or of any, is dropped.
    Drop {
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
        1 => (cell(), any::<bool>()).prop_map(|(cell, all)| Step::Drop { cell, all }),
        3 => Just(Step::Commit),
        1 => Just(Step::Sweep),
    ]
}

/// What is judged about every input: its age, its membership in up to two agreements, and all.
fn subjects(input: u32, agreements: u32) -> Vec<Subject> {
    let mut subjects = vec![Subject::Age(input)];
    for number in 0..agreements.min(input) {
        subjects.push(Subject::Agreement {
            number,
            member: input,
        });
    }
    if agreements > 1 {
        subjects.push(Subject::Everything);
    }
    subjects
}

/// The labels and the sets that they stand for, side by side.
struct Both {
    agreements: u32,
    clock: u32,
    readings: Readings,
    labels: Labels,
    kept: Vec<Kept>,
}

impl Both {
    fn label(&mut self, cell: u32) -> Label {
        self.labels.bytes(cell, 1, &mut self.readings)
    }

    fn take(&mut self, step: &Step) {
        match *step {
            Step::Read { input, pc, to } => {
                let reading = Reading {
                    clock: self.clock,
                    input,
                    pc,
                    calls: Context::OUTSIDE,
                };
                let subjects = subjects(input, self.agreements);
                let parts = subjects.iter().map(|&subject| Part::new(subject, reading));
                let label = self.readings.label(parts.collect());
                self.labels.set_bytes(to, 1, label);
                let kept = subjects
                    .iter()
                    .map(|&subject| (subject, BTreeSet::from([reading])));
                self.kept[to as usize] = kept.collect();
            }
            Step::Join { one, other, to } => {
                let (a, b) = (self.label(one), self.label(other));
                let label = self.readings.joined(a, b);
                assert_eq!(self.readings.joined(b, a), label);
                self.labels.set_bytes(to, 1, label);
                let mut both = self.kept[one as usize].clone();
                for (&subject, readings) in &self.kept[other as usize] {
                    both.entry(subject).or_default().extend(readings);
                }
                self.kept[to as usize] = both;
            }
            Step::Drop { cell, all } => {
                let (label, clock) = (self.label(cell), self.clock);
                let dropped = |subject: Subject, oldest: u32| match subject {
                    Subject::Age(input) => oldest < clock && (all || input % 2 == 0),
                    Subject::Agreement { .. } | Subject::Everything => false,
                };
                let label = self
                    .readings
                    .retain(label, |part| !dropped(part.subject, part.oldest.clock));
                self.labels.set_bytes(cell, 1, label);
                self.kept[cell as usize].retain(|&subject, readings| {
                    let oldest = readings.iter().map(|reading| reading.clock).min();
                    !dropped(subject, oldest.unwrap_or(clock))
                });
            }
            Step::Commit => self.clock += 1,
            Step::Sweep => self.readings.sweep(&mut self.labels),
        }
    }

    /// The labels say what the sets say, and equal ones are equal.
    fn agree(&mut self) -> Result<(), TestCaseError> {
        let mut labels: BTreeMap<Label, Vec<Part>> = BTreeMap::new();
        for cell in 0..CELLS {
            let label = self.label(cell);
            let kept = self.kept[cell as usize].iter();
            let parts: Vec<Part> = kept.filter_map(|kept| part(kept.0, kept.1)).collect();
            prop_assert_eq!(self.readings.parts(label), &parts[..]);
            labels.insert(label, parts);
        }
        let different: BTreeSet<String> =
            labels.values().map(|parts| format!("{parts:?}")).collect();
        prop_assert_eq!(different.len(), labels.len());
        Ok(())
    }
}

/// What a label has to say of all these readings.
fn part(subject: &Subject, readings: &BTreeSet<Reading>) -> Option<Part> {
    let oldest = *readings.first()?;
    let mut later = readings
        .iter()
        .filter(|reading| reading.clock > oldest.clock);
    Some(Part {
        subject: *subject,
        oldest,
        later: match subject {
            Subject::Age(_) => None,
            Subject::Agreement { .. } | Subject::Everything => later.next().copied(),
        },
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn labels_say_what_sets_say(
        agreements in 0..3u32,
        steps in proptest::collection::vec(step(), 1..60),
    ) {
        let mut both = Both {
            agreements,
            clock: 0,
            readings: Readings::new(),
            labels: Labels::new(CELLS as usize),
            kept: vec![Kept::new(); CELLS as usize],
        };
        for step in &steps {
            both.take(step);
            both.agree()?;
        }
    }
}
