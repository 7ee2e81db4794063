//! One state in which a program commits, and every power failure behind it.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::hash::{Hash, Hasher};
use std::ops::Range;
use std::sync::Arc;

use brownout_diag::{InputValues, ReplayId, ReplayInputs, ResumePoint};
use brownout_ir::Func;
use brownout_vm::{Forced, Machine, Mark, Stop};
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};

use crate::search::{Mode, Setting};
use crate::tour::{AtCheckpoints, Reading, Tour, contains};

/// How many sequences of values are tried from one state.
const SEQUENCES: usize = 400;
/// How many states that failures leave behind are started from.
const STATES: usize = 400;
/// How many states to go on from one leads to.
const SUCCESSORS: usize = 48;
/// Executions behind one commit.
const EXECUTIONS: u64 = 6_000;
/// Instructions behind one commit.
const INSTRUCTIONS: u64 = 30_000_000;
/// Instructions that any tour may take.
const PATIENCE: u64 = 10_000;
/// Instructions from one commit to the next, at most, as the scenario has it.
const REGION: u64 = 300_000;
/// How much longer than that it may take with other inputs.
const LONGER: u64 = 4;
/// How many readings in a row can be the same.
const STEADY: usize = 200;
/// How many zeros follow a text.
const TERMINATORS: usize = 64;
/// How many ways a continuous execution is followed that reads more than the last attempt.
const CONTINUATIONS: usize = 120;
/// How many readings a replay tells: more nobody would read.
const TOLD: usize = 600;
/// How many readings of a tour are varied.
const VARIED: usize = 64;
/// Candidates for one target from one commit.
const CANDIDATES: usize = 3;
/// Stands for a difference in path or output, among offsets.
const CONDUCT: u32 = u32::MAX;

/// A state of the program in which it commits.
pub(crate) struct Instance<'i> {
    /// Right behind the commit.
    pub(crate) machine: Machine<'i>,
    /// What the checkpoint saves.
    pub(crate) saves: Vec<Range<u32>>,
    pub(crate) resume: ResumePoint,
    /// When it commits.
    pub(crate) time: u64,
    /// What inputs have given since the program began, by input.
    pub(crate) history: Vec<Vec<u64>>,
    /// How many of these are not what the scenario says.
    pub(crate) deviations: usize,
    /// Whether power can fail behind it; at a place that is only passed it cannot.
    pub(crate) resumes: bool,
}

/// A failure that does harm to a target.
pub(crate) struct Candidate {
    pub(crate) target: usize,
    pub(crate) id: ReplayId,
}

/// What was found behind a commit.
#[derive(Default)]
pub(crate) struct Behind<'i> {
    pub(crate) candidates: Vec<Candidate>,
    pub(crate) successors: Vec<Instance<'i>>,
    pub(crate) executions: u64,
    pub(crate) instructions: u64,
    /// Instructions after which power could fail.
    pub(crate) points: u64,
    /// What they come down to.
    pub(crate) classes: u64,
    /// Whether something was left out.
    pub(crate) left_out: bool,
}

/// How a tour ended.
#[derive(Clone, PartialEq, Eq)]
struct End {
    stop: Stop,
    committed: bool,
    place: (u32, Vec<(Func, u32)>),
    outputs: Vec<u64>,
}

/// The continuous execution with certain inputs.
struct Reference {
    written: BTreeMap<u32, u8>,
    /// The first reading that nobody chose.
    beyond: Option<Reading>,
    end: End,
}

/// Values to try.
#[derive(Default)]
struct Sequence {
    /// What inputs give first; then what the scenario says.
    prefix: Vec<Reading>,
    /// They follow a pattern instead.
    pattern: Option<Pattern>,
    /// How many readings are not what the scenario says.
    deviations: usize,
}

/// Many values at once.
#[derive(Clone, Copy)]
enum Pattern {
    /// The candidate of this rank, for a long time.
    Steady(usize),
    /// The bytes of this text, then zeros.
    Text(usize),
}

/// What a failure leaves behind.
struct Remains {
    /// Sequence of the first attempt.
    reads: Vec<Reading>,
    failure: u64,
    /// The non-volatile bytes that are not as at the commit.
    offsets: Vec<u32>,
}

pub(crate) struct Explorer<'s, 'i> {
    setting: &'s Setting<'s>,
    nonvolatile: &'s [Range<u32>],
    instance: &'s Instance<'i>,
    /// Targets that need no more candidates.
    done: &'s [bool],
    machine: Machine<'i>,
    /// Another one, for continuous executions in the middle of failing ones.
    calm: Machine<'i>,
    /// The commit, in both of them.
    start: Mark,
    outside: Vec<u64>,
    references: FxHashMap<Vec<Reading>, Arc<Reference>>,
    /// Offsets that differ with the same inputs before and after the failure.
    innate: FxHashMap<Vec<Reading>, Arc<BTreeSet<u32>>>,
    found: Vec<usize>,
    behind: Behind<'i>,
    /// How many instructions a tour may take.
    patience: u64,
    /// How many the longest took that came to an end.
    longest: u64,
    /// The part of the budget that may be spent so far, as a divisor.
    share: u64,
}

impl<'s, 'i> Explorer<'s, 'i> {
    pub(crate) fn new(
        setting: &'s Setting<'s>,
        nonvolatile: &'s [Range<u32>],
        instance: &'s Instance<'i>,
        done: &'s [bool],
    ) -> Self {
        let mut machine = instance.machine.clone();
        machine.forget();
        machine.keep_journal(true);
        machine.commit(&instance.saves);
        let start = machine.mark();
        Self {
            setting,
            nonvolatile,
            instance,
            done,
            outside: machine.inputs_read(),
            calm: machine.clone(),
            machine,
            start,
            references: FxHashMap::default(),
            innate: FxHashMap::default(),
            found: vec![0; setting.targets.len()],
            behind: Behind::default(),
            patience: REGION,
            longest: 0,
            share: 4,
        }
    }

    /// Tries everything that can happen between this commit and the next one.
    pub(crate) fn explore(mut self) -> Behind<'i> {
        let start = self.start.clone();
        let mut remains: Vec<Remains> = Vec::new();
        let mut known = FxHashMap::default();
        let mut successors = FxHashSet::default();
        self.sequences(&start, &mut |explorer, tour, _, deviations| {
            explorer.succeed(tour, deviations, &mut successors);
            if explorer.instance.resumes {
                explorer.collect(tour, &mut known, &mut remains);
            }
        });
        self.share = 1;
        // What touches a target comes first, and what is easy to tell.
        let targets = &self.setting.targets;
        let open = |offset: u32| {
            let mut targets = targets.iter().zip(self.done);
            targets.any(|(target, done)| !done && contains(&target.offsets, offset))
        };
        remains.sort_by_key(|remains| {
            let touches = remains.offsets.iter().any(|&offset| open(offset));
            (!touches, remains.reads.len())
        });
        self.behind.left_out |= remains.len() > STATES;
        for left in remains.iter().take(STATES) {
            if self.is_spent() || self.is_done() {
                self.behind.left_out |= self.is_spent();
                break;
            }
            self.start_again(left);
        }
        self.behind
    }

    fn is_spent(&self) -> bool {
        self.behind.executions >= EXECUTIONS / self.share
            || self.behind.instructions >= INSTRUCTIONS / self.share
    }

    /// Whether every target has enough candidates.
    fn is_done(&self) -> bool {
        let mut targets = self.found.iter().zip(self.done);
        targets.all(|(found, done)| *done || *found >= CANDIDATES)
    }

    /// Makes inputs give these values from the commit on.
    fn force(&mut self, reads: &[Reading]) {
        let values = self.values(reads, &|history| history.len() as u64);
        let forced = values.into_iter().map(|input| Forced {
            from: input.from,
            values: input.values,
        });
        self.machine.force_inputs(forced.collect());
    }

    /// Makes every input follow a pattern, as far as its domain allows.
    fn force_pattern(&mut self, pattern: Pattern) {
        let domains = self.setting.domains.iter();
        let forced = domains
            .zip(&self.instance.history)
            .map(|(domain, history)| {
                let mut values = match pattern {
                    Pattern::Steady(rank) => {
                        vec![domain.values[rank % domain.values.len()]; STEADY]
                    }
                    Pattern::Text(_) if domain.complete => Vec::new(),
                    Pattern::Text(number) => {
                        let text = self.setting.texts[number].iter();
                        text.map(|&byte| u64::from(byte))
                            .chain([0; TERMINATORS])
                            .collect()
                    }
                };
                // Whoever waits for something else gets it in the end.
                let others = domain.values.iter().copied().cycle();
                values.extend(others.take(STEADY));
                Forced {
                    from: history.len() as u64,
                    values,
                }
            });
        self.machine.force_inputs(forced.collect());
    }

    fn values(&self, reads: &[Reading], from: &dyn Fn(&Vec<u64>) -> u64) -> Vec<InputValues> {
        let mut values: Vec<InputValues> = self
            .instance
            .history
            .iter()
            .map(|history| InputValues {
                from: from(history),
                values: history[from(history) as usize..].to_vec(),
            })
            .collect();
        for read in reads {
            values[read.input as usize].values.push(read.value);
        }
        values
    }

    /// Runs to the next commit, or as long as anyone wants to wait.
    fn run(&mut self) -> (Tour<'s>, End) {
        let budget = self.patience;
        let (at_checkpoints, budget) = match self.setting.mode {
            Mode::Regions => (AtCheckpoints::Stop, budget),
            Mode::Anywhere { .. } if !self.instance.resumes => (AtCheckpoints::Pass, budget),
            Mode::Anywhere { depth } | Mode::Calls { depth } => {
                (AtCheckpoints::Pass, depth.min(budget))
            }
        };
        let mut tour = Tour::new(self.nonvolatile, at_checkpoints);
        let begun = self.machine.now();
        let stop = self.machine.watch(&mut tour, begun.saturating_add(budget));
        self.behind.executions += 1;
        self.behind.instructions += self.machine.now() - begun;
        let end = End {
            stop,
            committed: tour.committed.is_some(),
            place: (self.machine.pc(), self.machine.backtrace()),
            outputs: std::mem::take(&mut tour.outputs),
        };
        (tour, end)
    }

    /// Runs from `from` with every sequence of candidates, those that differ least from what the
    /// scenario says first, and shows each to `visit` with the machine at its end.
    fn sequences(&mut self, from: &Mark, visit: &mut dyn FnMut(&mut Self, &Tour<'s>, &End, usize)) {
        let mut seen: FxHashSet<Vec<Reading>> = FxHashSet::default();
        let mut waiting: VecDeque<Sequence> = VecDeque::from([Sequence::default()]);
        // Inputs that always give the same decide loops; texts are what commands are made of.
        let ranks = self
            .setting
            .domains
            .iter()
            .map(|domain| domain.values.len());
        let steady = (0..ranks.max().unwrap_or(0)).map(Pattern::Steady);
        let texts = (0..self.setting.texts.len()).map(Pattern::Text);
        waiting.extend(steady.chain(texts).map(|pattern| Sequence {
            pattern: Some(pattern),
            deviations: 1,
            ..Sequence::default()
        }));
        let mut count = 0;
        while let Some(sequence) = waiting.pop_front() {
            if count >= SEQUENCES || self.is_spent() {
                self.behind.left_out = true;
                break;
            }
            self.machine.rollback(from);
            match sequence.pattern {
                None => self.force(&sequence.prefix),
                Some(pattern) => self.force_pattern(pattern),
            }
            let begun = self.machine.now();
            let (tour, end) = self.run();
            // Most regions are short: what loops for ever is not worth waiting for.
            let is_over = end.committed || end.stop != Stop::Paused;
            let length = if is_over {
                self.machine.now() - begun
            } else {
                0
            };
            self.longest = self.longest.max(length);
            self.patience = (self.longest * LONGER + PATIENCE).min(REGION);
            if sequence.pattern.is_none() {
                self.branch(&tour, &sequence, &mut waiting);
            }
            if !seen.insert(tour.reads.clone()) {
                continue;
            }
            count += 1;
            // Time that ran out is not a commit: who knows what comes.
            self.behind.left_out |= end.stop == Stop::Paused
                && tour.committed.is_none()
                && self.setting.mode == Mode::Regions;
            visit(self, &tour, &end, sequence.deviations);
            if self.setting.is_interrupted() {
                self.behind.left_out = true;
                break;
            }
        }
    }

    /// Queues the sequences that differ from this one in one more reading.
    fn branch(&mut self, tour: &Tour<'_>, sequence: &Sequence, waiting: &mut VecDeque<Sequence>) {
        let domains = &self.setting.domains;
        let fixed = sequence.prefix.len().min(tour.reads.len());
        let end = tour.reads.len().min(VARIED);
        self.behind.left_out |= end < tour.reads.len();
        let open = &tour.reads[fixed.min(end)..end];
        let most = open
            .iter()
            .map(|read| domains[read.input as usize].values.len());
        let most = most.max().unwrap_or(0);
        for rank in 0..most {
            for (index, read) in open.iter().enumerate() {
                let domain = &domains[read.input as usize];
                self.behind.left_out |= !domain.complete;
                let Some(&value) = domain.values.get(rank) else {
                    continue;
                };
                if value == read.value {
                    continue;
                }
                if waiting.len() > 4 * SEQUENCES {
                    self.behind.left_out = true;
                    return;
                }
                let mut prefix = tour.reads[..fixed + index].to_vec();
                prefix.push(Reading { value, ..*read });
                waiting.push_back(Sequence {
                    prefix,
                    pattern: None,
                    deviations: sequence.deviations + 1,
                });
            }
        }
    }

    /// Notes what failures in a tour leave behind, as far as that is new.
    fn collect(
        &mut self,
        tour: &Tour<'_>,
        known: &mut FxHashMap<u64, usize>,
        remains: &mut Vec<Remains>,
    ) {
        self.behind.points += self.machine.now().saturating_sub(self.instance.time);
        let saves = &self.instance.saves;
        let mut bytes: BTreeMap<u32, (u8, u8)> = BTreeMap::new();
        for same in tour.changes.chunk_by(|one, other| one.time == other.time) {
            let Some(first) = same.first() else { continue };
            self.behind.classes += 1;
            for change in same {
                for (index, (&old, &new)) in change.old.iter().zip(&change.new).enumerate() {
                    let offset = change.offset + index as u32;
                    if !contains(saves, offset) {
                        bytes.entry(offset).or_insert((old, old)).1 = new;
                    }
                }
            }
            let left = || bytes.iter().filter(|(_, (then, now))| then != now);
            let mut hasher = FxHasher::default();
            for (offset, (_, now)) in left() {
                (offset, now).hash(&mut hasher);
            }
            if left().next().is_none() {
                continue;
            }
            let before = tour
                .times
                .iter()
                .take_while(|&&time| time <= first.time)
                .count();
            let new = Remains {
                reads: tour.reads[..before].to_vec(),
                failure: first.time,
                offsets: left().map(|(&offset, _)| offset).collect(),
            };
            // Of the ways to the same state the one that reads least is told.
            match known.entry(hasher.finish()) {
                Entry::Vacant(place) => {
                    place.insert(remains.len());
                    remains.push(new);
                }
                Entry::Occupied(place) => {
                    let old = &mut remains[*place.get()];
                    if new.reads.len() < old.reads.len() {
                        *old = new;
                    }
                }
            }
        }
    }

    /// Lets power fail in the first attempt and tries all second ones.
    fn start_again(&mut self, remains: &Remains) {
        let start = self.start.clone();
        self.machine.rollback(&start);
        self.force(&remains.reads);
        self.fail_at(remains.failure);
        let again = self.machine.mark();
        self.sequences(&again, &mut |explorer, tour, end, _| {
            if !explorer.is_done() {
                explorer.compare(remains, tour, end);
            }
        });
    }

    /// Runs on to the failure and restores the checkpoint.
    fn fail_at(&mut self, failure: u64) {
        let begun = self.machine.now();
        self.machine.advance(failure);
        self.behind.executions += 1;
        self.behind.instructions += self.machine.now() - begun;
        self.machine.fail_power();
        let outside = self.outside.clone();
        self.machine.replay_inputs(&outside);
    }

    /// Compares a last attempt, at whose end the machine is, with the continuous execution.
    fn compare(&mut self, remains: &Remains, tour: &Tour<'_>, end: &End) {
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

    /// The states to go on from after a tour, at whose end the machine is.
    fn succeed(&mut self, tour: &Tour<'s>, deviations: usize, known: &mut FxHashSet<u64>) {
        let deviations = self.instance.deviations + deviations;
        let mut committed = tour.committed.clone();
        if matches!(self.setting.mode, Mode::Calls { .. }) {
            // The next checkpoint may commit, too.
            let start = self.start.clone();
            self.machine.rollback(&start);
            self.force(&tour.reads);
            let mut further = Tour::new(self.nonvolatile, AtCheckpoints::Stop);
            let until = self.machine.now().saturating_add(self.patience);
            self.machine.watch(&mut further, until);
            committed = further.committed;
        }
        let next = match (self.setting.mode, self.instance.resume) {
            (Mode::Regions | Mode::Calls { .. }, ResumePoint::Commit(number)) => {
                let Some((time, saves)) = &committed else {
                    return;
                };
                if !known.insert(fingerprint(&self.machine)) {
                    return;
                }
                let saves = self.setting.saved.iter().chain(saves).cloned();
                let before = tour.times.iter().take_while(|&&read| read <= *time);
                let mut history = self.instance.history.clone();
                for read in &tour.reads[..before.count()] {
                    history[read.input as usize].push(read.value);
                }
                Instance {
                    machine: self.machine.clone(),
                    saves: saves.collect(),
                    resume: ResumePoint::Commit(number + 1),
                    time: *time,
                    history,
                    deviations,
                    resumes: true,
                }
            }
            (Mode::Anywhere { .. }, _) if !self.instance.resumes => {
                self.before_readings(tour, deviations, known);
                return;
            }
            _ => return,
        };
        self.push(next);
    }

    fn push(&mut self, mut next: Instance<'i>) {
        if self.behind.successors.len() >= SUCCESSORS {
            self.behind.left_out = true;
            return;
        }
        next.machine.forget();
        next.machine.keep_journal(false);
        self.behind.successors.push(next);
    }

    /// A device that commits anywhere may do so right before it reads something.
    fn before_readings(&mut self, tour: &Tour<'s>, deviations: usize, known: &mut FxHashSet<u64>) {
        let start = self.start.clone();
        self.machine.rollback(&start);
        self.force(&tour.reads);
        let begun = self.machine.now();
        let readings = tour.reads.iter().zip(&tour.times).enumerate();
        for (index, (read, &time)) in readings.take(VARIED) {
            if self.setting.invented.contains(&read.input) {
                continue;
            }
            self.machine.advance(time.saturating_sub(1));
            if !known.insert(fingerprint(&self.machine)) {
                continue;
            }
            let mut history = self.instance.history.clone();
            for read in &tour.reads[..index] {
                history[read.input as usize].push(read.value);
            }
            let next = Instance {
                machine: self.machine.clone(),
                saves: self.setting.saved.to_vec(),
                resume: ResumePoint::Instruction(time.saturating_sub(1)),
                time: time.saturating_sub(1),
                history,
                deviations,
                resumes: true,
            };
            self.push(next);
        }
        self.behind.instructions += self.machine.now() - begun;
    }
}

/// What tells states apart.
pub(crate) fn fingerprint(machine: &Machine<'_>) -> u64 {
    let mut hasher = FxHasher::default();
    machine.memory().hash(&mut hasher);
    machine.pc().hash(&mut hasher);
    machine.backtrace().hash(&mut hasher);
    hasher.finish()
}
