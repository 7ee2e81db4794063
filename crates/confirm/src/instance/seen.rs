//! Who sees what power failures leave wrong in code without a `main`.
//!
//! What callers can reach (exported variables, memory that they pass, results) they see at once. A variable
//! that only the library's own functions can read shows in a later call that reads it before it writes it,
//! and otherwise never: it is scratch memory between two calls (SEMANTICS §2: a byte that differs is followed
//! to its next access).
//!
//! **Algorithm.** From the end of the last attempt every function is called once more, with a few values for
//! its arguments and inputs. The calls become part of the witness, so that whoever replays it sees the same.
//!
//! **False negatives.** What only several further calls, or other arguments, would read.

use std::collections::BTreeSet;
use std::sync::Arc;

use brownout_vm::{Forced, Moment, Observer};

use super::Explorer;
use crate::search::Target;
use crate::tour::{Reading, contains};

/// How many calls are tried.
const CALLS: usize = 64;
/// How many ranks of values they get.
const RANKS: usize = 4;
/// How often an input gives the same.
const STEADY: usize = 32;

/// A call after the last attempt.
pub(super) struct Future {
    /// What it and its arguments are, and what it reads.
    readings: Vec<Reading>,
    /// What is wrong and read before it is written.
    reads: BTreeSet<u32>,
}

impl Explorer<'_, '_> {
    /// Those of the differences that only the program's own functions can read.
    pub(super) fn hidden(&self, differing: &BTreeSet<u32>) -> BTreeSet<u32> {
        let private = &self.setting.private;
        let hidden = differing.iter().copied();
        hidden.filter(|&offset| contains(private, offset)).collect()
    }

    /// The calls that can come after the last attempt, at whose end the machine is, and that read something of
    /// this first.
    pub(super) fn futures(&mut self, hidden: &BTreeSet<u32>, reads: &[Reading]) -> Vec<Future> {
        let mut futures = Vec::new();
        let Some(&choice) = self.setting.invented.first() else {
            return futures;
        };
        let end = self.machine.mark();
        let domain = self.setting.domains[choice as usize].values.clone();
        let ranks = (0..=RANKS).map(|rank| rank.checked_sub(1));
        let calls = ranks.flat_map(|rank| domain.iter().map(move |&value| (rank, value)));
        for (rank, value) in calls.take(CALLS) {
            let call = Reading {
                input: choice,
                value,
            };
            self.force_call(reads, call, rank);
            let begun = self.machine.now();
            let mut reader = Reader {
                hidden,
                settled: BTreeSet::new(),
                reads: BTreeSet::new(),
                readings: Vec::new(),
            };
            let until = begun.saturating_add(self.patience);
            self.machine.watch(&mut reader, until);
            self.behind.executions += 1;
            self.behind.instructions += self.machine.now() - begun;
            if !reader.reads.is_empty() {
                futures.push(Future {
                    readings: reader.readings,
                    reads: reader.reads,
                });
            }
            self.machine.rollback(&end);
        }
        futures
    }

    /// Makes inputs give what the last attempt read, then what makes this call and no other.
    fn force_call(&mut self, reads: &[Reading], call: Reading, rank: Option<usize>) {
        let fixed: Vec<Reading> = reads.iter().copied().chain([call]).collect();
        let values = self.values(&fixed, &|history| history.len() as u64);
        let inputs = values.into_iter().zip(&self.setting.domains).zip(0..);
        let forced = inputs.map(|((mut input, domain), number)| {
            if let Some(rank) = rank
                && number != call.input
            {
                let value = domain.values[rank % domain.values.len()];
                input.values.extend([value; STEADY]);
            }
            Forced {
                from: input.from,
                values: input.values,
                ..Forced::default()
            }
        });
        let forced: Arc<[Forced]> = forced.collect();
        self.machine.force_inputs(forced);
    }
}

/// What somebody sees of the differences, and the call that shows it, if it takes one: best what belongs to
/// the target.
pub(super) fn seen(
    caused: &BTreeSet<u32>,
    hidden: &BTreeSet<u32>,
    futures: &[Future],
    target: &Target,
) -> (BTreeSet<u32>, Vec<Reading>) {
    let open: BTreeSet<u32> = caused.difference(hidden).copied().collect();
    let is_own = |offset: &u32| contains(&target.offsets, *offset);
    let reads_some = |future: &&Future| future.reads.iter().any(|offset| caused.contains(offset));
    let own = |future: &&Future| {
        let mut reads = future.reads.iter();
        reads.any(|offset| is_own(offset) && caused.contains(offset))
    };
    let found = match open.iter().any(is_own) {
        true => None,
        false => {
            let any = || futures.iter().find(reads_some).filter(|_| open.is_empty());
            futures.iter().find(own).or_else(any)
        }
    };
    let Some(future) = found else {
        return (open, Vec::new());
    };
    let shown = future.reads.intersection(caused).copied();
    (
        open.into_iter().chain(shown).collect(),
        future.readings.clone(),
    )
}

/// Looks what is read before it is written.
struct Reader<'r> {
    hidden: &'r BTreeSet<u32>,
    settled: BTreeSet<u32>,
    reads: BTreeSet<u32>,
    readings: Vec<Reading>,
}

impl Reader<'_> {
    fn access(&mut self, offset: u32, length: usize, is_read: bool) {
        for &offset in self.hidden.range(offset..offset + length as u32) {
            if self.settled.insert(offset) && is_read {
                self.reads.insert(offset);
            }
        }
    }
}

impl Observer for Reader<'_> {
    fn accesses(&self) -> bool {
        true
    }

    fn load(&mut self, _: Moment, offset: u32, bytes: &[u8]) {
        self.access(offset, bytes.len(), true);
    }

    fn store(&mut self, _: Moment, _: &[u8], offset: u32, new: &[u8]) {
        self.access(offset, new.len(), false);
    }

    fn input(&mut self, _: Moment, input: u32, value: u64) {
        self.readings.push(Reading { input, value });
    }
}
