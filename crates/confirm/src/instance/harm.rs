//! Whether a last attempt did harm, and whose.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use brownout_diag::{ReplayId, ReplayInputs};

use super::{CANDIDATES, Candidate, End, Explorer, Remains};
use crate::tour::{Reading, Tour, contains};

/// How many ways a continuous execution is followed that reads more than the last attempt.
const CONTINUATIONS: usize = 120;
/// How many readings a replay tells: more nobody would read.
const TOLD: usize = 600;
/// Stands for a difference in path or output, among offsets.
const CONDUCT: u32 = u32::MAX;

/// The continuous execution with certain inputs.
pub(super) struct Reference {
    written: BTreeMap<u32, u8>,
    /// The first reading that nobody chose.
    beyond: Option<Reading>,
    end: End,
}

impl Explorer<'_, '_> {
    /// Compares a last attempt, at whose end the machine is, with the continuous execution.
    pub(super) fn compare(&mut self, remains: &Remains, tour: &Tour<'_>, end: &End) {
        let written = self.written();

        let reference = self.reference(&tour.reads);
        let differing = self.differences(&reference, &written, end);
        let told = remains.reads.len() + tour.reads.len();
        if differing.is_empty() || told > TOLD {
            return;
        }
        let targets = self.setting.targets;
        let wanted: Vec<usize> = (0..targets.len())
            .filter(|&number| !self.done[number] && self.found[number] < CANDIDATES)
            .filter(|&number| {
                let left = remains.offsets.iter();
                let mut all = left.chain(&differing);
                all.any(|&offset| contains(&targets[number].offsets, offset))
            })
            .collect();
        if wanted.is_empty() {
            return;
        }
        let caused = self.caused(differing, &tour.reads, &written, end);
        for number in wanted {
            let is_direct =
                (caused.iter()).any(|&offset| contains(&targets[number].offsets, offset));
            if is_direct
                || !caused.is_empty() && self.is_cause(number, remains, &tour.reads, &caused)
            {
                self.found[number] += 1;
                let id = self.id(remains, &tour.reads);
                self.behind
                    .candidates
                    .push(Candidate { target: number, id });
            }
        }
    }

    /// Those of the differences that are there whatever the continuous execution reads where the
    /// attempt read nothing any more, and are not there when the first attempt reads the same.
    fn caused(
        &mut self,
        differing: BTreeSet<u32>,
        reads: &[Reading],
        written: &BTreeMap<u32, u8>,
        end: &End,
    ) -> BTreeSet<u32> {
        let innate = self.innate(reads);
        let mut caused: BTreeSet<u32> = differing.difference(&innate).copied().collect();
        let mut waiting = VecDeque::from([reads.to_vec()]);
        let mut count = 0;
        while let Some(fixed) = waiting.pop_front() {
            count += 1;
            if caused.is_empty() || count > CONTINUATIONS {
                break;
            }
            let reference = self.reference(&fixed);
            if count > 1 {
                let innate = self.innate(&fixed);
                let others = self.differences(&reference, written, end);
                caused.retain(|offset| others.contains(offset) && !innate.contains(offset));
            }
            let domains = &self.setting.domains;
            if let Some(read) = reference.beyond {
                let values = domains[read.input as usize].values.iter();
                waiting.extend(values.map(|&value| {
                    let next = Reading { value, ..read };
                    fixed.iter().copied().chain([next]).collect()
                }));
            }
        }
        caused
    }

    /// Whether differences elsewhere would not be there, had the first attempt left the target alone.
    fn is_cause(
        &mut self,
        number: usize,
        remains: &Remains,
        again: &[Reading],
        caused: &BTreeSet<u32>,
    ) -> bool {
        let targets = self.setting.targets;
        let touched: Vec<u32> = (remains.offsets.iter().copied())
            .filter(|&offset| contains(&targets[number].offsets, offset))
            .collect();
        if touched.is_empty() {
            return false;
        }
        let reference = self.reference(again);
        std::mem::swap(&mut self.machine, &mut self.calm);
        let start = self.start.clone();
        self.machine.rollback(&start);
        self.force(&remains.reads);
        self.fail_at(remains.failure);
        let before = self.machine.bytes_at(&start, &touched);
        for (&offset, byte) in touched.iter().zip(before) {
            self.machine.tear(offset, &[byte]);
        }
        self.force(again);
        let (_, end) = self.run();
        let written = self.written();
        let still = self.differences(&reference, &written, &end);
        std::mem::swap(&mut self.machine, &mut self.calm);
        caused.is_disjoint(&still)
    }

    /// What was written since the commit and can still be read, with the values it has now.
    fn written(&self) -> BTreeMap<u32, u8> {
        let memory = self.machine.memory();
        let offsets = self.machine.written_since(&self.start).into_iter();
        offsets
            .filter(|&offset| !self.machine.is_dead_stack(offset))
            .map(|offset| (offset, memory[offset as usize]))
            .collect()
    }

    /// The continuous execution that reads the same.
    fn reference(&mut self, reads: &[Reading]) -> Arc<Reference> {
        if let Some(known) = self.references.get(reads) {
            return known.clone();
        }
        std::mem::swap(&mut self.machine, &mut self.calm);
        let start = self.start.clone();
        self.machine.rollback(&start);
        self.force(reads);
        let (tour, end) = self.run();
        let given = |input: u32| reads.iter().filter(|read| read.input == input).count();
        let beyond = tour.reads.iter().enumerate().find(|(index, read)| {
            let earlier = tour.reads[..*index].iter();
            earlier.filter(|other| other.input == read.input).count() >= given(read.input)
        });
        let reference = Arc::new(Reference {
            written: self.written(),
            beyond: beyond.map(|(_, read)| *read),
            end,
        });
        std::mem::swap(&mut self.machine, &mut self.calm);
        self.references.insert(reads.to_vec(), reference.clone());
        reference
    }

    /// The offsets at which an attempt and the continuous execution differ.
    fn differences(
        &self,
        reference: &Reference,
        written: &BTreeMap<u32, u8>,
        end: &End,
    ) -> BTreeSet<u32> {
        // What neither wrote is as it was.
        let both: BTreeSet<u32> = written
            .keys()
            .chain(reference.written.keys())
            .copied()
            .collect();
        let both: Vec<u32> = both.into_iter().collect();
        let before = self.machine.bytes_at(&self.start, &both);
        let is_same_end = *end == reference.end;
        let mut differing: BTreeSet<u32> = both
            .iter()
            .zip(before)
            .filter(|&(offset, before)| {
                let one = written.get(offset).copied().unwrap_or(before);
                let other = reference.written.get(offset).copied().unwrap_or(before);
                // Elsewhere, other things are in use.
                let is_there = is_same_end || contains(self.nonvolatile, *offset);
                one != other && is_there
            })
            .map(|(&offset, _)| offset)
            .collect();
        if !is_same_end {
            differing.insert(CONDUCT);
        }
        differing
    }

    /// What differs even if the first attempt reads what the last one reads.
    fn innate(&mut self, reads: &[Reading]) -> Arc<BTreeSet<u32>> {
        if let Some(known) = self.innate.get(reads) {
            return known.clone();
        }
        let reference = self.reference(reads);
        std::mem::swap(&mut self.machine, &mut self.calm);
        let start = self.start.clone();
        self.machine.rollback(&start);
        self.force(reads);
        let (tour, _) = self.run();
        let mut times: Vec<u64> = tour.changes.iter().map(|change| change.time).collect();
        times.dedup();
        let mut all = BTreeSet::new();
        for time in times {
            self.machine.rollback(&start);
            self.force(reads);
            self.fail_at(time);
            let (_, end) = self.run();
            let written = self.written();
            all.extend(self.differences(&reference, &written, &end));
        }
        std::mem::swap(&mut self.machine, &mut self.calm);
        let all = Arc::new(all);
        self.innate.insert(reads.to_vec(), all.clone());
        all
    }

    fn id(&self, remains: &Remains, again: &[Reading]) -> ReplayId {
        // What the scenario says need not be said again.
        let from = |history: &Vec<u64>| match self.instance.deviations {
            0 => history.len() as u64,
            _ => 0,
        };
        let mut inputs = ReplayInputs {
            first: self.values(&remains.reads, &from),
            again: self.values(again, &from),
        };
        for values in [&mut inputs.first, &mut inputs.again] {
            for input in values.iter_mut().filter(|input| input.values.is_empty()) {
                input.from = 0;
            }
            while values.last().is_some_and(|input| input.values.is_empty()) {
                values.pop();
            }
        }
        ReplayId {
            inputs: Some(inputs),
            ..ReplayId::new(
                self.instance.resume,
                remains.failure.saturating_sub(self.instance.time),
            )
        }
    }
}
