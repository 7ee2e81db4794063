//! Doing the outputs of one region again: the failures, and what they show.

use brownout_explore::{Midway, attempt_budget, restart};
use brownout_scenario::{Recovery, Surroundings};
use brownout_vm::Stop;

use super::attempt::Emitted;
use super::{BUDGET, CANDIDATES, OUTPUTS, Region, Repeated, Stage, Strike, Walk};

/// The outputs of a region, if they are not too many; else the first ones of each place.
fn first_of_each_place(emitted: &[Emitted]) -> Vec<Emitted> {
    let mut order: Vec<usize> = (0..emitted.len()).collect();
    order.sort_by_key(|&index| emitted[index].nth);
    let places = emitted.iter().filter(|emitted| emitted.nth == 0).count();
    order.truncate(places.max(OUTPUTS));
    order.sort_unstable();
    let chosen = order.into_iter().map(|index| emitted[index].clone());
    chosen.collect()
}

impl<'i> Walk<'i> {
    /// Lets power fail around every output of a region.
    pub(super) fn repeat_all(
        &mut self,
        region: &Region<'i>,
        emitted: &[Emitted],
        interrupt: &dyn Fn() -> bool,
    ) {
        let some = &first_of_each_place(emitted);
        for index in 0..some.len() {
            if self.instructions > BUDGET || interrupt() {
                self.complete = false;
                return;
            }
            self.repeat(region, some, index, Strike::Before);
            self.repeat(region, some, index, Strike::After);
            for &stage in Stage::of(self.takes(some[index].output)) {
                self.repeat(region, some, index, Strike::During(stage));
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
        if let Strike::During(stage) = strike {
            failure = first.at + stage.instructions(self.takes(first.output));
            let midway = Midway::at(self.image, (first.output, first.at), failure);
            if let Some(midway) = midway {
                let environment = midway.environment(&before, &after);
                self.machine.set_environment(&environment);
            }
        }
        let environment = self.machine.environment().to_vec();
        self.machine.fail_power();
        self.machine.replay_inputs(&region.inputs);
        self.machine.set_environment(&environment);

        let second = self.second_attempt(region, first);
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
        self.judge(repeated);
        self.instructions += self.machine.now().saturating_sub(region.start);
    }

    /// Runs to the same output of the second attempt, the same place as often, or to the end of the
    /// region; gives that output.
    fn second_attempt(&mut self, region: &Region<'i>, first: &Emitted) -> Option<Emitted> {
        let again = self.machine.mark();
        let begun = self.machine.now();
        let mut recorder = region.recorder.clone();
        if region.commits == Some(0) {
            recorder.start_again();
        }
        let end = begun + attempt_budget(region.length);
        // As far as the first attempt took, and then further and further.
        let mut until = begun + region.length;
        loop {
            let stop = self.machine.watch(&mut recorder, until.min(end));
            let found = recorder.emitted.iter().any(|other| other.is_same(first));
            if found || recorder.is_over() || stop != Stop::Paused || until >= end {
                break;
            }
            until += (until - begun).max(1000);
        }
        let emitted = recorder.emitted;
        let second = emitted.iter().find(|other| other.is_same(first)).cloned();
        if let Some(second) = &second {
            self.instructions += self.machine.now() - begun;
            self.machine.rollback(&again);
            let end = second.at + self.takes(second.output);
            self.machine.advance(end);
        }
        second
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

    fn judge(&mut self, repeated: Repeated) {
        let site = repeated.first.site();
        if repeated.strike == Strike::Before {
            return;
        }
        let known = self.verdicts.get(&site);
        let is_known = known.is_some_and(|verdict| verdict.first_again.is_some());
        if repeated.second.is_some() && !is_known && self.is_made_again(&repeated) {
            let verdict = self.verdicts.entry(site).or_default();
            verdict.first_again = Some(repeated.clone());
        }
        // Under `restart` the boot may go on with the next one instead.
        let second = repeated.second.as_ref();
        let is_another = second.is_none_or(|second| second.signed != repeated.first.signed);
        if !self.is_described(site.0) || (self.recovery == Recovery::Restart && is_another) {
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

    /// Whether what the second attempt makes is the same output once more. Under `restart` it may as well
    /// be the next one.
    fn is_made_again(&mut self, repeated: &Repeated) -> bool {
        if self.recovery != Recovery::Restart {
            return true;
        }
        let candidates = self.candidates.entry(repeated.first.site()).or_default();
        if *candidates >= CANDIDATES {
            return false;
        }
        *candidates += 1;
        let failure = repeated.start + repeated.distance;
        let output = repeated.first.output;
        restart::repeats(self.image, (failure, output), self.limit)
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
