//! Outputs under power failures (EWSN'21 §4.2, VMCAI'18 §5.3, SEMANTICS §3.4): what does doing it
//! again do?
//!
//! **Property.** An output is *absolute* if the environment is the same after it was repeated by a
//! power failure, and *relative* if not. That must be what its tag says. The repetition has the
//! same arguments, and it happens.
//!
//! **Algorithm.** One machine walks over the program, region by region. In each it notes the
//! outputs, rolls back, and for each of them runs the region again up to right behind it (and, if
//! the output takes time, into the middle of it: then the environment is half way), lets power fail
//! and runs to the same output of the second attempt: the same place as often. Only the values that
//! the output changes are compared: what other outputs do is their affair. An output that is not
//! made again has not been repeated, so it changes nothing. Both attempts read the same inputs.
//! Under the reactive policy the checkpoint sits right before the output.
//!
//! With a failure right before it, an output that is then not made at all is *lost*.
//!
//! Two outputs of a region do not *commute* if the environment depends on their order.
//!
//! **False positives.** None: the difference was seen.
//!
//! **False negatives.** What lies behind the budget; outputs whose effect nobody describes. Under
//! the conditional policy every call is taken to commit.

mod attempt;
mod wording;

use std::collections::BTreeMap;
use std::ops::Range;

use brownout_diag::{Finding, OutputBehaviour, Repetition};
use brownout_scenario::{Policy, Scenario, Surroundings};
use brownout_vm::{Bounds, Image, Machine, Mark, Stop};

use self::attempt::{Emitted, Recorder};
use crate::evaluate::{LONGEST_WINDOW, attempt_budget};

/// What repeated outputs show.
#[derive(Debug)]
pub struct OutputsChecked {
    /// Outputs that behave in another way than their tags say, and pairs that do not commute.
    pub findings: Vec<Finding>,
    /// Outputs that a failure changes, loses or adds: what memory anomalies do, too.
    pub falsified: Vec<Finding>,
    /// How every output with a described effect behaves, by its place.
    pub behaviours: Vec<OutputBehaviour>,
    /// Power failures emulated.
    pub tests: u64,
    /// Instructions executed for them.
    pub instructions: u64,
    /// Whether every output of every region was repeated.
    pub complete: bool,
}

/// Instructions that are spent on repeating outputs.
const BUDGET: u64 = 50_000_000;
/// How many outputs of one region are repeated, and paired with each other.
const OUTPUTS: usize = 64;

/// Repeats the outputs of one execution of at most `limit` instructions.
pub fn check_outputs(
    image: &Image,
    scenario: &Scenario,
    saved: &[Range<u32>],
    limit: u64,
    interrupt: &dyn Fn() -> bool,
) -> OutputsChecked {
    let mut walk = Walk::new(image, saved);
    match scenario.power.policy {
        Policy::Static | Policy::Conditional { .. } | Policy::Tasks => {
            walk.regions(limit, interrupt);
        }
        Policy::Reactive { depth } => walk.single_outputs(depth, limit, interrupt),
    }
    OutputsChecked {
        findings: wording::findings(image, scenario, &walk),
        falsified: wording::falsified(image, &walk),
        behaviours: wording::behaviours(image, &walk),
        tests: walk.tests,
        instructions: walk.instructions,
        complete: walk.complete,
    }
}

/// An output of the program: which one, and the operation of the user's code that makes it.
type Site = (u32, u32);

/// What was seen of the outputs at one place.
#[derive(Clone, Debug, Default)]
struct Verdict {
    /// Repetitions that changed nothing, and that did.
    absolute: u64,
    relative: u64,
    /// The first repetition that changed something, and the first that did not.
    first_relative: Option<Repeated>,
    first_absolute: Option<Repeated>,
}

/// One output that was repeated.
#[derive(Clone, Debug)]
struct Repeated {
    /// Checkpoint calls before it; none under the reactive policy.
    commits: Option<u64>,
    /// The last of them, or the start of the program.
    checkpoint: Option<u32>,
    /// Instructions from there to the failure, and of the whole execution to the checkpoint.
    distance: u64,
    start: u64,
    /// When power failed.
    strike: Strike,
    first: Emitted,
    second: Option<Emitted>,
    /// Values of the environment after the first attempt and after the second: name, both values.
    changed: Vec<(usize, i64, i64)>,
}

/// When power fails, as an output sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Strike {
    Before,
    During,
    After,
}

/// What a failure did to an output other than repeating it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Falsified {
    Arguments,
    Lost,
    Extra,
}

struct Walk<'i> {
    image: &'i Image,
    machine: Machine<'i>,
    saved: &'i [Range<u32>],
    verdicts: BTreeMap<Site, Verdict>,
    falsified: BTreeMap<(Site, Falsified), Repeated>,
    /// Pairs that do not commute, with the region's first values: both orders.
    disordered: BTreeMap<(Site, Site), (usize, i64, i64)>,
    tests: u64,
    instructions: u64,
    complete: bool,
    commits: u64,
}

/// A region: where it begins, and what it needs to begin again.
struct Region<'i> {
    mark: Mark,
    recorder: Recorder<'i>,
    inputs: Vec<u64>,
    commits: Option<u64>,
    checkpoint: Option<u32>,
    start: u64,
    length: u64,
}

impl<'i> Walk<'i> {
    fn new(image: &'i Image, saved: &'i [Range<u32>]) -> Self {
        let mut machine = Machine::new(image);
        machine.set_bounds(Bounds::Lenient);
        Self {
            image,
            machine,
            saved,
            verdicts: BTreeMap::new(),
            falsified: BTreeMap::new(),
            disordered: BTreeMap::new(),
            tests: 0,
            instructions: 0,
            complete: true,
            commits: 0,
        }
    }

    /// Every region between two commits.
    fn regions(&mut self, limit: u64, interrupt: &dyn Fn() -> bool) {
        let mut recorder = Recorder::new(self.image);
        let mut checkpoint = None;
        loop {
            self.machine.forget();
            self.machine.keep_journal(true);
            if self.commits > 0 {
                let mut saves = self.saved.to_vec();
                saves.append(&mut recorder.saves);
                self.machine.commit(&saves);
            }
            recorder.begin();
            let mut region = Region {
                mark: self.machine.mark(),
                recorder: recorder.clone(),
                inputs: self.machine.inputs_read(),
                commits: Some(self.commits),
                checkpoint,
                start: self.machine.now(),
                length: 0,
            };
            let stop = self.run_region(&mut recorder, limit, interrupt);
            let Some(stop) = stop else {
                self.complete = false;
                return;
            };
            region.length = self.machine.now() - region.start;
            let emitted = std::mem::take(&mut recorder.emitted);
            if !emitted.is_empty() && region.length <= LONGEST_WINDOW {
                self.repeat_all(&region, &emitted, interrupt);
                // Back to the end of the region, as if nothing had happened.
                self.machine.rollback(&region.mark);
                recorder = region.recorder.clone();
                self.run_region(&mut recorder, limit, interrupt);
            } else if !emitted.is_empty() {
                self.complete = false;
            }
            if stop != Stop::Paused || self.machine.now() >= limit {
                return;
            }
            self.commits += 1;
            checkpoint = recorder.checkpoint_pc;
        }
    }

    /// Runs to the next commit or the end; `None` when interrupted.
    fn run_region(
        &mut self,
        recorder: &mut Recorder<'i>,
        limit: u64,
        interrupt: &dyn Fn() -> bool,
    ) -> Option<Stop> {
        const SLICE: u64 = 5_000_000;
        let start = self.machine.now();
        let begun = recorder.checkpoints;
        loop {
            let until = self.machine.now().saturating_add(SLICE).min(limit);
            let stop = self.machine.watch(recorder, until);
            let over = recorder.checkpoints != begun || until >= limit || stop != Stop::Paused;
            if over {
                return Some(stop);
            }
            if interrupt() {
                return None;
            }
            if self.machine.now() - start > LONGEST_WINDOW {
                // Too long to be done again: its journal need not be kept.
                self.machine.forget();
                self.machine.keep_journal(false);
            }
        }
    }

    /// Outputs with a checkpoint right before them.
    fn single_outputs(&mut self, depth: u64, limit: u64, interrupt: &dyn Fn() -> bool) {
        let mut recorder = Recorder::new(self.image);
        recorder.stops_at_checkpoints = false;
        recorder.begin();
        let mut all = Machine::new(self.image);
        all.set_bounds(Bounds::Lenient);
        all.run(&mut recorder, limit);
        let mut passing = Recorder::new(self.image);
        passing.stops_at_checkpoints = false;
        let mut seen: BTreeMap<Site, usize> = BTreeMap::new();
        for emitted in recorder.emitted {
            let count = seen.entry(emitted.site()).or_default();
            *count += 1;
            if *count > OUTPUTS || interrupt() {
                self.complete &= !interrupt();
                continue;
            }
            let start = emitted.at.saturating_sub(1);
            self.machine.watch(&mut passing, start);
            self.machine.forget();
            self.machine.commit(self.saved);
            passing.begin();
            let region = Region {
                mark: self.machine.mark(),
                recorder: passing.clone(),
                inputs: self.machine.inputs_read(),
                commits: None,
                checkpoint: None,
                start: self.machine.now(),
                length: depth,
            };
            let first = Emitted { nth: 0, ..emitted };
            self.repeat(&region, std::slice::from_ref(&first), 0, Strike::After);
            if self.takes(first.output) > 0 {
                self.repeat(&region, std::slice::from_ref(&first), 0, Strike::During);
            }
            self.machine.rollback(&region.mark);
            self.machine.forget();
            self.machine.keep_journal(false);
        }
    }

    fn repeat_all(
        &mut self,
        region: &Region<'i>,
        emitted: &[Emitted],
        interrupt: &dyn Fn() -> bool,
    ) {
        if emitted.len() > OUTPUTS {
            self.complete = false;
        }
        let some = &emitted[..emitted.len().min(OUTPUTS)];
        for index in 0..some.len() {
            if self.instructions > BUDGET || interrupt() {
                self.complete = false;
                return;
            }
            self.repeat(region, some, index, Strike::Before);
            self.repeat(region, some, index, Strike::After);
            if self.takes(some[index].output) > 0 {
                self.repeat(region, some, index, Strike::During);
            }
        }
        self.machine.rollback(&region.mark);
        self.commute(some);
    }

    fn takes(&self, output: u32) -> u64 {
        let binding = self.image.bindings().outputs.get(output as usize);
        binding.map_or(0, |binding| binding.takes)
    }

    /// Lets power fail around an output, and does it again.
    fn repeat(&mut self, region: &Region<'i>, emitted: &[Emitted], index: usize, strike: Strike) {
        let first = &emitted[index];
        self.machine.rollback(&region.mark);
        self.machine.advance(first.at.saturating_sub(1));
        let before = self.machine.environment().to_vec();
        let mut failure = self.machine.now();
        if strike != Strike::Before {
            self.machine.advance(first.at + self.takes(first.output));
            failure = self.machine.now();
        }
        let after = self.machine.environment().to_vec();
        if strike == Strike::During {
            // Whatever takes time is half done half way.
            let half = |(&old, &new): (&i64, &i64)| old.wrapping_add(new.wrapping_sub(old) / 2);
            let environment: Vec<i64> = before.iter().zip(&after).map(half).collect();
            self.machine.set_environment(&environment);
            failure = first.at + self.takes(first.output) / 2;
        }
        let environment = self.machine.environment().to_vec();
        self.machine.fail_power();
        self.machine.replay_inputs(&region.inputs);
        self.machine.set_environment(&environment);

        let (again, second) = self.second_attempt(region, first);
        self.tests += 1;
        let repeated = Repeated {
            commits: region.commits,
            checkpoint: region.checkpoint,
            distance: failure.saturating_sub(region.start),
            start: region.start,
            strike,
            first: first.clone(),
            second,
            changed: self.differences(first.output, &before, &after),
        };
        self.judge(repeated, &emitted[..=index], &again);
        self.instructions += self.machine.now().saturating_sub(region.start);
    }

    /// Runs to the same output of the second attempt, the same place as often, or to the end of the
    /// region; gives all outputs of the attempt, and the same one.
    fn second_attempt(
        &mut self,
        region: &Region<'i>,
        first: &Emitted,
    ) -> (Vec<Emitted>, Option<Emitted>) {
        let again = self.machine.mark();
        let begun = self.machine.now();
        let mut recorder = region.recorder.clone();
        if region.commits == Some(0) {
            recorder = Recorder::new(self.image);
        }
        let until = begun + attempt_budget(region.length);
        self.machine.watch(&mut recorder, until);
        let emitted = recorder.emitted;
        let second = emitted.iter().find(|other| other.is_same(first)).cloned();
        if let Some(second) = &second {
            self.instructions += self.machine.now() - begun;
            self.machine.rollback(&again);
            let end = second.at + self.takes(second.output);
            self.machine.advance(end);
        }
        (emitted, second)
    }

    /// The values that an output changes and that are not as after the first attempt.
    fn differences(&self, output: u32, before: &[i64], after: &[i64]) -> Vec<(usize, i64, i64)> {
        let bindings = self.image.bindings();
        let effect = bindings
            .outputs
            .get(output as usize)
            .map(|binding| &binding.effect);
        let names = effect.and_then(|effect| effect.changed());
        let now = self.machine.environment().iter();
        after
            .iter()
            .zip(now)
            .enumerate()
            .filter(|&(index, _)| match &names {
                Some(names) => {
                    let name = bindings.environment.names[index].as_str();
                    names.contains(&name)
                }
                None => before[index] != after[index],
            })
            .filter(|(_, (first, second))| first != second)
            .map(|(index, (&first, &second))| (index, first, second))
            .collect()
    }

    fn judge(&mut self, repeated: Repeated, before: &[Emitted], again: &[Emitted]) {
        let site = repeated.first.site();
        let falsified = match &repeated.second {
            None if repeated.strike == Strike::Before => Some((site, Falsified::Lost)),
            None => None,
            Some(second) if second.args != repeated.first.args => {
                Some((site, Falsified::Arguments))
            }
            Some(second) => {
                // Outputs in front of it that the first attempt did not make.
                let mut earlier = again.iter().filter(|other| other.at < second.at);
                let extra = earlier.find(|other| !before.iter().any(|known| known.is_same(other)));
                extra.map(|extra| (extra.site(), Falsified::Extra))
            }
        };
        if let Some(key) = falsified {
            let known = self.falsified.entry(key);
            known.or_insert_with(|| repeated.clone());
        }
        if repeated.strike == Strike::Before || !self.is_described(site.0) {
            return;
        }
        let verdict = self.verdicts.entry(site).or_default();
        if repeated.changed.is_empty() {
            verdict.absolute += 1;
            verdict.first_absolute.get_or_insert(repeated);
        } else {
            verdict.relative += 1;
            verdict.first_relative.get_or_insert(repeated);
        }
    }

    /// Whether somebody has said what an output does.
    fn is_described(&self, output: u32) -> bool {
        let binding = self.image.bindings().outputs.get(output as usize);
        binding.is_some_and(|binding| !binding.effect.is_empty())
    }

    /// Pairs of outputs of one region whose order matters.
    fn commute(&mut self, emitted: &[Emitted]) {
        let bindings = self.image.bindings();
        let start = self.machine.environment().to_vec();
        let apply = |values: &mut Vec<i64>, emitted: &Emitted| {
            let effect = &bindings.outputs[emitted.output as usize].effect;
            let mut surroundings = Surroundings {
                names: &bindings.environment.names,
                values,
            };
            effect.apply(&emitted.signed, &mut surroundings).is_ok()
        };
        for (index, second) in emitted.iter().enumerate() {
            for first in &emitted[..index] {
                let pair = (first.site(), second.site());
                let known = self.disordered.contains_key(&pair);
                let described = self.is_described(first.output) && self.is_described(second.output);
                if known || !described || first.site() == second.site() {
                    continue;
                }
                let (mut one, mut other) = (start.clone(), start.clone());
                let done = apply(&mut one, first)
                    && apply(&mut one, second)
                    && apply(&mut other, second)
                    && apply(&mut other, first);
                let differs = one.iter().zip(&other).position(|(one, other)| one != other);
                if let (true, Some(value)) = (done, differs) {
                    let difference = (value, one[value], other[value]);
                    self.disordered.insert(pair, difference);
                }
            }
        }
    }
}

impl Verdict {
    fn repetition(&self) -> Repetition {
        match (self.absolute, self.relative) {
            (_, 0) => Repetition::Absolute,
            (0, _) => Repetition::Relative,
            (_, _) => Repetition::Varies,
        }
    }
}
