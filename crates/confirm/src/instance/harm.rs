//! Whether a last attempt did harm, and whose.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use brownout_diag::{ReplayId, ReplayInputs};
use rustc_hash::FxHashMap;

use super::left::{Failed, Left, Remains};
use super::seen::seen;
use super::{Candidate, End, Explorer};
use crate::search::BlamedWrite;
use crate::tour::{Reading, Tour, contains, follows};

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

/// What goes wrong even if all attempts read the same.
pub(super) struct Innate {
    /// Where.
    offsets: BTreeSet<u32>,
    /// The first reading that nobody chose.
    beyond: Option<Reading>,
}

/// What there is to go wrong if the checkpoint saves a target.
pub(super) struct Mended<'s, 'i> {
    explorer: Box<Explorer<'s, 'i>>,
    left: Left,
    /// With how many failures that was explored so far.
    failures: usize,
}

impl<'s, 'i> Explorer<'s, 'i> {
    /// Compares a last attempt, at whose end the machine is, with the continuous execution.
    pub(super) fn compare(&mut self, remains: &Remains, tour: &Tour<'_>, end: &End) {
        if remains.readings() + tour.reads.len() > TOLD {
            self.behind.left_out = true;
            return;
        }
        let written = self.written();
        let reference = self.reference(&tour.reads);
        let differing = self.differences(&reference, remains, &written, end);
        let key = (remains.state(), tour.reads.clone());
        self.differing.insert(key, Arc::new(differing.clone()));
        if differing.is_empty() {
            return;
        }
        let targets = self.setting.targets;
        let wanted: Vec<usize> = (0..targets.len())
            .filter(|&number| !self.done[number] && !self.has_enough(number))
            .filter(|&number| {
                let mut all = remains.touched().chain(differing.iter().copied());
                all.any(|offset| contains(&targets[number].offsets, offset))
            })
            .collect();
        if wanted.is_empty() {
            return;
        }
        let (innate, others): (Vec<usize>, Vec<usize>) =
            (wanted.into_iter()).partition(|&number| targets[number].innate);
        let attempt = (&tour.reads[..], &written, end);
        self.propose(&innate, differing.clone(), remains, attempt, true);
        self.propose(&others, differing, remains, attempt, false);
    }

    /// Looks which targets an attempt does harm to, and proposes it as a witness for them.
    fn propose(
        &mut self,
        wanted: &[usize],
        differing: BTreeSet<u32>,
        remains: &Remains,
        (reads, written, end): (&[Reading], &BTreeMap<u32, u8>, &End),
        is_innate_harm: bool,
    ) {
        let targets = self.setting.targets;
        let mut blamed = Vec::new();
        for &number in wanted {
            match self.blame(&targets[number].blame, remains, reads) {
                Some(write) => blamed.push((number, write)),
                None => self.rejected[number] += 1,
            }
        }
        if blamed.is_empty() {
            return;
        }
        let failures = remains.failed.len();
        let caused = self.caused(differing, remains, (reads, written, end), is_innate_harm);
        // What is innate with several failures may have taken too long to find out.
        let is_unsure = failures > 1 && self.is_spent();
        self.behind.left_out |= is_unsure;
        if caused.is_empty() || is_unsure {
            return;
        }
        let hidden = self.hidden(&caused);
        let futures = match hidden.is_empty() {
            true => Vec::new(),
            false => self.futures(&hidden, reads),
        };
        for (number, write) in blamed {
            let (caused, later) = seen(&caused, &hidden, &futures, &targets[number]);
            // Other calls may see it yet.
            self.behind.left_out |= !hidden.is_empty();
            if caused.is_empty() {
                continue;
            }
            let is_direct =
                (caused.iter()).any(|&offset| contains(&targets[number].offsets, offset));
            let is_harmed = is_direct
                || self.is_cause(number, remains, reads, &caused)
                || failures > 1 && self.is_cure(number, failures, reads, &caused);
            if !is_harmed {
                continue;
            }
            self.found[number] += 1;
            let told: Vec<Reading> = reads.iter().chain(&later).copied().collect();
            let candidate = Candidate {
                target: number,
                id: self.id(remains, &told),
                write: write.map(|(operation, before)| BlamedWrite {
                    operation,
                    before: self.id(&before, &told),
                }),
            };
            self.behind.candidates.push(candidate);
        }
    }

    /// Those of the differences that are there whatever the continuous execution reads where the
    /// attempt read nothing any more, and are not there when the attempts before read the same. Where that is
    /// harm as well, all attempts are in one world, and the continuous execution gets there what the attempts
    /// that failed got, or what the scenario says.
    fn caused(
        &mut self,
        differing: BTreeSet<u32>,
        remains: &Remains,
        (reads, written, end): (&[Reading], &BTreeMap<u32, u8>, &End),
        is_innate_harm: bool,
    ) -> BTreeSet<u32> {
        let failures = remains.failed.len();
        let mut caused = differing;
        if is_innate_harm {
            let matched = remains.and_failed_readings(reads);
            let reference = self.reference(&matched);
            let others = self.differences(&reference, remains, written, end);
            caused.retain(|offset| others.contains(offset));
            return caused;
        }
        let mut waiting = VecDeque::from([reads.to_vec()]);
        let mut count = 0;
        while let Some(fixed) = waiting.pop_front() {
            count += 1;
            if caused.is_empty() || count > CONTINUATIONS {
                break;
            }
            let reference = self.reference(&fixed);
            let others = self.differences(&reference, remains, written, end);
            caused.retain(|offset| others.contains(offset));
            if caused.is_empty() {
                break;
            }
            let innate = self.innate(&fixed, failures);
            caused.retain(|offset| !innate.offsets.contains(offset));
            let beyond = reference.beyond.or(innate.beyond);
            let domains = &self.setting.domains;
            if let Some(read) = beyond {
                let values = domains[read.input as usize].values.iter();
                waiting.extend(values.map(|&value| {
                    let next = Reading { value, ..read };
                    fixed.iter().copied().chain([next]).collect()
                }));
            }
        }
        caused
    }

    /// Whether differences elsewhere would not be there, had the target been put back after the last
    /// failure.
    fn is_cause(
        &mut self,
        number: usize,
        remains: &Remains,
        again: &[Reading],
        caused: &BTreeSet<u32>,
    ) -> bool {
        let targets = self.setting.targets;
        let touched: Vec<u32> = (remains.offsets())
            .filter(|&offset| contains(&targets[number].offsets, offset))
            .collect();
        if touched.is_empty() {
            return false;
        }
        let key = (remains.state_without(&touched), again.to_vec());
        if let Some(known) = self.differing.get(&key) {
            return caused.is_disjoint(known);
        }
        let reference = self.reference(again);
        std::mem::swap(&mut self.machine, &mut self.calm);
        let start = self.start.clone();
        self.machine.rollback(&start);
        self.fail_like(remains);
        let before = self.machine.bytes_at(&start, &touched);
        for (&offset, byte) in touched.iter().zip(before) {
            self.machine.tear(offset, &[byte]);
        }
        self.force(again);
        let (_, end) = self.run();
        let written = self.written();
        let still = self.differences(&reference, remains, &written, &end);
        std::mem::swap(&mut self.machine, &mut self.calm);
        let is_cause = caused.is_disjoint(&still);
        self.differing.insert(key, Arc::new(still));
        is_cause
    }

    /// Whether nothing that up to so many failures leave behind makes these differences if the
    /// checkpoint saves the target.
    fn is_cure(
        &mut self,
        number: usize,
        failures: usize,
        again: &[Reading],
        caused: &BTreeSet<u32>,
    ) -> bool {
        let reference = self.reference(again);
        let Some(mut mended) = self.mend(number, failures) else {
            return false;
        };
        let explorer = &mut mended.explorer;
        let left = &mended.left;
        let is_cure = (1..=failures)
            .flat_map(|failures| left.after(failures))
            .all(|remains| {
                let known = self.differing.entry((remains.state(), again.to_vec()));
                let still = known
                    .or_insert_with(|| Arc::new(explorer.attempt(remains, again, &reference).1));
                caused.is_disjoint(still)
            });
        self.behind.executions = mended.explorer.behind.executions;
        self.behind.instructions = mended.explorer.behind.instructions;
        self.mended.insert(number, mended);
        is_cure
    }

    /// What up to so many failures leave behind if the checkpoint saves a target; nothing if that
    /// takes too long to find out.
    fn mend(&mut self, number: usize, failures: usize) -> Option<Mended<'s, 'i>> {
        let targets = self.setting.targets;
        let mut mended = self.mended.remove(&number).unwrap_or_else(|| Mended {
            explorer: Box::new(Explorer::with_saves(
                self.setting,
                self.nonvolatile,
                (self.instance, self.beginning),
                self.done,
                &targets[number].offsets,
            )),
            left: Left::default(),
            failures: 0,
        });
        let explorer = &mut mended.explorer;
        explorer.quarters = self.quarters;
        explorer.behind.executions = self.behind.executions;
        explorer.behind.instructions = self.behind.instructions;
        for failures in mended.failures..failures {
            let before: Vec<Remains> = match failures {
                0 => vec![Remains::default()],
                _ => mended.left.after(failures).cloned().collect(),
            };
            for remains in before {
                let start = explorer.start.clone();
                explorer.machine.rollback(&start);
                explorer.fail_like(&remains);
                let again = explorer.machine.mark();
                explorer.sequences(&again, &mut |explorer, tour, _, _| {
                    explorer.collect(&remains, tour, &mut mended.left);
                });
            }
            mended.failures = failures + 1;
        }
        self.behind.executions = explorer.behind.executions;
        self.behind.instructions = explorer.behind.instructions;
        self.behind.left_out |= explorer.is_spent();
        (!explorer.is_spent()).then_some(mended)
    }

    /// Another attempt with these inputs after failures: what it does, and how that differs from
    /// the continuous execution.
    fn attempt(
        &mut self,
        remains: &Remains,
        reads: &[Reading],
        reference: &Reference,
    ) -> (Tour<'s>, BTreeSet<u32>) {
        let start = self.start.clone();
        self.machine.rollback(&start);
        self.fail_like(remains);
        self.force(reads);
        let (tour, end) = self.run();
        let written = self.written();
        let differing = self.differences(reference, remains, &written, &end);
        (tour, differing)
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
        // A call that does not return tells nothing.
        self.behind.left_out |= !self.setting.invented.is_empty() && !end.is_over();
        let reference = Arc::new(Reference {
            written: self.written(),
            beyond: beyond(reads, &tour),
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
        remains: &Remains,
        written: &BTreeMap<u32, u8>,
        end: &End,
    ) -> BTreeSet<u32> {
        // Of a call that does not return, its caller sees nothing.
        if !self.setting.invented.is_empty() && !reference.end.is_over() {
            return BTreeSet::new();
        }
        // What neither wrote is as it was.
        let both: BTreeSet<u32> = written
            .keys()
            .chain(reference.written.keys())
            .copied()
            .collect();
        let both: Vec<u32> = both.into_iter().collect();
        let before = self.machine.bytes_at(&self.start, &both);
        let is_same_end = end.is_at(&reference.end)
            && follows(
                &reference.end.outputs,
                &remains.seen(),
                &end.outputs,
                &self.setting.optional,
            );
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

    /// What differs even if all attempts read what the last one reads, with up to so many failures.
    fn innate(&mut self, reads: &[Reading], failures: usize) -> Arc<Innate> {
        let key = (reads.to_vec(), failures);
        if let Some(known) = self.innate.get(&key) {
            return known.clone();
        }
        let reference = self.reference(reads);
        std::mem::swap(&mut self.machine, &mut self.calm);
        let mut innate = Innate {
            offsets: BTreeSet::new(),
            beyond: None,
        };
        let mut left = Left::default();
        let mut waiting = vec![Remains::default()];
        for failures in 1..=failures + 1 {
            if waiting.is_empty() || failures > 2 && self.is_spent() {
                break;
            }
            for remains in &waiting {
                let (tour, differing) = self.attempt(remains, reads, &reference);
                innate.offsets.extend(differing);
                innate.beyond = innate.beyond.or_else(|| beyond(reads, &tour));
                self.collect(remains, &tour, &mut left);
            }
            waiting = left.after(failures).cloned().collect();
        }
        std::mem::swap(&mut self.machine, &mut self.calm);
        let innate = Arc::new(innate);
        self.innate.insert(key, innate.clone());
        innate
    }

    fn id(&self, remains: &Remains, again: &[Reading]) -> ReplayId {
        // What the scenario says need not be said again.
        let from = |history: &Vec<u64>| match self.instance.deviations {
            0 => history.len() as u64,
            _ => 0,
        };
        let told = |reads: &[Reading]| {
            let mut values = self.values(reads, &from);
            for input in values.iter_mut().filter(|input| input.values.is_empty()) {
                input.from = 0;
            }
            while values.last().is_some_and(|input| input.values.is_empty()) {
                values.pop();
            }
            values
        };
        let mut failed = remains.failed.iter();
        let first = failed.next();
        let (reads, distance) = first.map_or((&[][..], 0), |first| (first.reads(), first.distance));
        let further: Vec<&Failed> = failed.collect();
        let inputs = ReplayInputs {
            first: told(reads),
            between: further
                .iter()
                .map(|attempt| told(attempt.reads()))
                .collect(),
            again: told(again),
        };
        ReplayId {
            further: further.iter().map(|attempt| attempt.distance).collect(),
            torn: first.and_then(|first| Some(first.tear.as_ref()?.torn)),
            inputs: Some(inputs),
            ..ReplayId::new(self.instance.resume, distance)
        }
    }
}

/// The first reading of a tour that nobody chose.
fn beyond(chosen: &[Reading], tour: &Tour<'_>) -> Option<Reading> {
    let mut given: FxHashMap<u32, usize> = FxHashMap::default();
    for read in chosen {
        *given.entry(read.input).or_default() += 1;
    }
    let mut reads = tour.reads.iter();
    let beyond = reads.find(|read| {
        let given = given.entry(read.input).or_default();
        let is_given = *given > 0;
        *given = given.saturating_sub(1);
        !is_given
    });
    beyond.copied()
}
