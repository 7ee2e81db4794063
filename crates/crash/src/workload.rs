//! Workloads: what inputs give a program that takes its operations from them.
//!
//! The first readings of an input in a boot give each of its values in turn, all combinations of
//! them (bounded exhaustive workloads, as ACE has them for file systems). Every boot of one
//! exploration reads the same. Only readings that some boot really makes are varied: explorations
//! are told apart by the readings in the order in which these come up, and the last one that has a
//! value left is changed first.
//!
//! **Invariant**: two workloads of one walk differ in a reading that both explorations make, and
//! every combination of values that some exploration reads is one of them.

use brownout_scenario::splitmix64;

/// What inputs can give.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Choices {
    /// The values of each input, by number; none if it gives what the scenario says.
    pub values: Vec<Vec<u64>>,
    /// How many readings of each input are varied.
    pub length: u32,
}

impl Choices {
    /// Whether there is anything to choose.
    pub fn is_empty(&self) -> bool {
        self.length == 0 || self.values.iter().all(Vec::is_empty)
    }

    /// Readings and how many values each has, in the order in which numbers count them.
    fn digits(&self) -> impl Iterator<Item = (Reading, u64)> {
        let inputs = self.values.iter().zip(0..);
        let inputs: Vec<(u32, u64)> = inputs
            .filter(|(values, _)| !values.is_empty())
            .map(|(values, input)| (input, values.len() as u64))
            .collect();
        (0..self.length).flat_map(move |nth| {
            let inputs = inputs.clone().into_iter();
            inputs.map(move |(input, count)| (Reading { input, nth }, count))
        })
    }

    /// How many workloads there can be; nothing if that is no number.
    pub fn count(&self) -> Option<u64> {
        let mut digits = self.digits();
        digits.try_fold(1u64, |count, (_, values)| count.checked_mul(values))
    }

    /// What the workload of a number gives, reading by reading: for every input that is varied its
    /// number and its values.
    pub fn told(&self, number: u64) -> Option<Vec<(u32, Vec<u64>)>> {
        let workload = Workload::of_number(self, number)?;
        let inputs = self.values.iter().zip(0..);
        let inputs = inputs.filter(|(values, _)| !values.is_empty());
        let given = inputs.map(|(values, input)| {
            let chosen = &workload.chosen[input as usize];
            let values = chosen.iter().map(|&choice| values[choice as usize]);
            (input, values.collect())
        });
        Some(given.collect())
    }
}

/// A reading of a boot: the n-th of an input, from 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Reading {
    pub(crate) input: u32,
    pub(crate) nth: u32,
}

/// What readings give.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Workload {
    /// Which value, by input and reading; nothing for inputs that are not varied.
    chosen: Vec<Vec<u32>>,
}

impl Workload {
    /// The first one: every reading gives the first value.
    pub(crate) fn first(choices: &Choices) -> Self {
        let length = choices.length as usize;
        let chosen = choices.values.iter().map(|values| match values.is_empty() {
            true => Vec::new(),
            false => vec![0; length],
        });
        Self {
            chosen: chosen.collect(),
        }
    }

    /// The one that has this number, from 1 on.
    pub(crate) fn of_number(choices: &Choices, number: u64) -> Option<Self> {
        let mut rest = number.checked_sub(1)?;
        let mut workload = Self::first(choices);
        for (reading, count) in choices.digits() {
            workload.chosen[reading.input as usize][reading.nth as usize] = (rest % count) as u32;
            rest /= count;
        }
        (rest == 0).then_some(workload)
    }

    /// Its number, from 1 on.
    pub(crate) fn number(&self, choices: &Choices) -> u64 {
        let (mut number, mut weight) = (1u64, 1u64);
        for (reading, count) in choices.digits() {
            let choice = self.chosen[reading.input as usize][reading.nth as usize];
            number = number.wrapping_add(weight.wrapping_mul(choice.into()));
            weight = weight.wrapping_mul(count);
        }
        number
    }

    /// Which of so many shares it belongs to, by what these readings give.
    pub(crate) fn share(&self, readings: &[Reading], shares: u32) -> u32 {
        let given = readings.iter().map(|reading| {
            let chosen = self.chosen.get(reading.input as usize);
            let choice = chosen.and_then(|chosen| chosen.get(reading.nth as usize));
            u64::from(choice.copied().unwrap_or(0))
        });
        let sum = given.fold(0, splitmix64);
        (sum % u64::from(shares.max(1))) as u32
    }

    /// What a reading gives, if it is varied.
    pub(crate) fn value(&self, choices: &Choices, reading: Reading) -> Option<u64> {
        let chosen = self.chosen.get(reading.input as usize)?;
        let choice = *chosen.get(reading.nth as usize)?;
        choices.values[reading.input as usize]
            .get(choice as usize)
            .copied()
    }
}

/// All workloads, one after the other.
pub(crate) struct Walk<'w> {
    choices: &'w Choices,
    /// Readings with what they give, in the order in which the explorations came to them.
    path: Vec<(Reading, u32)>,
}

impl<'w> Walk<'w> {
    pub(crate) fn new(choices: &'w Choices) -> Self {
        Self {
            choices,
            path: Vec::new(),
        }
    }

    /// The workload that is next to be explored.
    pub(crate) fn workload(&self) -> Workload {
        let mut workload = Workload::first(self.choices);
        for &(reading, choice) in &self.path {
            workload.chosen[reading.input as usize][reading.nth as usize] = choice;
        }
        workload
    }

    /// Goes on to the next one, after an exploration that made these readings. Whether there is one.
    pub(crate) fn advance(&mut self, readings: &[Reading]) -> bool {
        for &reading in readings {
            if !self.path.iter().any(|(known, _)| *known == reading) {
                self.path.push((reading, 0));
            }
        }
        while let Some((reading, choice)) = self.path.pop() {
            let count = self.choices.values[reading.input as usize].len() as u32;
            if choice + 1 < count {
                self.path.push((reading, choice + 1));
                return true;
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::{Choices, Reading, Walk, Workload};

    #[test]
    fn numbers_and_workloads_are_the_same() {
        let choices = Choices {
            values: vec![vec![5, 6, 7], vec![], vec![1, 2]],
            length: 2,
        };
        assert_eq!(choices.count(), Some(36));
        for number in 1..=36 {
            let workload = Workload::of_number(&choices, number).unwrap();
            assert_eq!(workload.number(&choices), number);
        }
        assert_eq!(Workload::of_number(&choices, 0), None);
        assert_eq!(Workload::of_number(&choices, 37), None);
        let told = choices.told(2 + 6 * 2).unwrap();
        assert_eq!(told, [(0, vec![6, 7]), (2, vec![1, 1])]);
    }

    #[test]
    fn only_readings_that_are_made_are_varied() {
        // The second reading is made only if the first one gives 6.
        let choices = Choices {
            values: vec![vec![5, 6, 7]],
            length: 3,
        };
        let mut walk = Walk::new(&choices);
        let mut numbers = Vec::new();
        loop {
            let workload = walk.workload();
            numbers.push(workload.number(&choices));
            let first = Reading { input: 0, nth: 0 };
            let mut readings = vec![first];
            if workload.value(&choices, first) == Some(6) {
                readings.push(Reading { input: 0, nth: 1 });
            }
            if !walk.advance(&readings) {
                break;
            }
        }
        assert_eq!(numbers, [1, 2, 5, 8, 3]);
    }
}
