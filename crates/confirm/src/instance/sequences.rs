//! The sequences of values that are tried from a state.

use std::collections::BTreeMap;

use brownout_vm::{Forced, Mark, Stop};
use rustc_hash::FxHashSet;

use super::{End, Explorer, PATIENCE, REGION, VARIED};
use crate::tour::{Reading, Tour};
use brownout_scenario::Exposure;

/// How many sequences of values are tried from one state.
const SEQUENCES: usize = 400;
/// How many readings in a row can be the same.
const STEADY: usize = 200;
/// How many zeros follow a text.
const TERMINATORS: usize = 64;
/// How many times as long as the longest tour so far another one may take.
const LONGER: u64 = 4;
/// With how many ranks of arguments each call is tried, all of them at once.
const ALIKE: usize = 12;

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
    /// The same, each input with another rank than those before it: differences of arguments are not zero.
    Spread(usize),
    /// The bytes of this text, then zeros.
    Text(usize),
}

/// Sequences that wait, the next one first: by how much they differ from what the scenario says where calls
/// are chosen, so that all functions get their turn; elsewhere as they come.
#[derive(Default)]
struct Waiting {
    sequences: BTreeMap<(usize, usize, usize), Sequence>,
    count: usize,
}

impl Waiting {
    fn push(&mut self, priority: (usize, usize), sequence: Sequence) {
        self.count += 1;
        let key = (priority.0, priority.1, self.count);
        self.sequences.insert(key, sequence);
    }

    fn pop(&mut self) -> Option<Sequence> {
        self.sequences.pop_first().map(|(_, sequence)| sequence)
    }

    fn len(&self) -> usize {
        self.sequences.len()
    }
}

impl<'s> Explorer<'s, '_> {
    /// Whether nothing but a call and its arguments is chosen here.
    pub(super) fn is_choosing(&self) -> bool {
        let commits = matches!(
            self.setting.exposure,
            Exposure::Region | Exposure::SinceCall { .. }
        );
        commits && !self.setting.invented.is_empty() && !self.instance.resumes
    }

    /// Makes every input give what is fixed, and then follow a pattern, as far as its domain allows.
    fn force_pattern(&mut self, fixed: &[Reading], pattern: Pattern) {
        let domains = self.setting.domains.iter();
        let forced =
            domains
                .zip(&self.instance.history)
                .zip(0..)
                .map(|((domain, history), number)| {
                    let own = fixed.iter().filter(|read| read.input == number);
                    let mut values: Vec<u64> = own.map(|read| read.value).collect();
                    if self.setting.answers.contains(&number) {
                        // What outputs return is chosen one by one: most of it is failure.
                        return Forced {
                            from: history.len() as u64,
                            values,
                            ..Forced::default()
                        };
                    }
                    values.extend(match pattern {
                        Pattern::Steady(rank) => {
                            vec![domain.values[rank % domain.values.len()]; STEADY]
                        }
                        Pattern::Spread(rank) => {
                            let rank = rank + number as usize;
                            vec![domain.values[rank % domain.values.len()]; STEADY]
                        }
                        Pattern::Text(_) if domain.complete => Vec::new(),
                        Pattern::Text(number) => {
                            let text = self.setting.texts[number].iter();
                            text.map(|&byte| u64::from(byte))
                                .chain([0; TERMINATORS])
                                .collect()
                        }
                    });
                    // Whoever waits for something else gets it in the end.
                    let others = domain.values.iter().copied().cycle();
                    values.extend(others.take(STEADY));
                    Forced {
                        from: history.len() as u64,
                        values,
                        ..Forced::default()
                    }
                });
        self.machine.force_inputs(forced.collect());
    }

    /// Runs from `from` with every sequence of candidates, those that differ least from what the
    /// scenario says first, and shows each to `visit` with the machine at its end.
    pub(super) fn sequences(
        &mut self,
        from: &Mark,
        visit: &mut dyn FnMut(&mut Self, &Tour<'s>, &End, usize),
    ) {
        let mut seen: FxHashSet<Vec<Reading>> = FxHashSet::default();
        let mut waiting = Waiting::default();
        waiting.push((0, 0), Sequence::default());
        if !self.is_choosing() {
            self.patterns(&mut waiting);
        }
        let mut count = 0;
        while let Some(sequence) = waiting.pop() {
            if count >= SEQUENCES || self.is_spent() {
                self.behind.left_out = true;
                break;
            }
            self.machine.rollback(from);
            match sequence.pattern {
                None => self.force(&sequence.prefix),
                Some(pattern) => self.force_pattern(&sequence.prefix, pattern),
            }
            let begun = self.machine.now();
            let (tour, end) = self.run();
            // Most regions are short: what loops for ever is not worth waiting for.
            let length = if end.is_over() {
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
                && self.setting.exposure == Exposure::Region;
            visit(self, &tour, &end, sequence.deviations);
            if self.setting.is_interrupted() {
                self.behind.left_out = true;
                break;
            }
        }
    }

    /// Inputs that always give the same decide loops; texts are what commands are made of.
    fn patterns(&self, waiting: &mut Waiting) {
        let domains = self.setting.domains.iter().enumerate();
        // What is called is chosen elsewhere.
        let domains = domains.filter(|(number, _)| {
            !self.instance.resumes || !self.setting.invented.contains(&(*number as u32))
        });
        let ranks = domains.map(|(_, domain)| domain.values.len());
        let steady = (0..ranks.max().unwrap_or(0)).map(Pattern::Steady);
        let texts = (0..self.setting.texts.len()).map(Pattern::Text);
        for pattern in steady.chain(texts) {
            let sequence = Sequence {
                pattern: Some(pattern),
                deviations: 1,
                ..Sequence::default()
            };
            waiting.push((0, 0), sequence);
        }
    }

    /// Queues the sequences that differ from this one in one more reading; where a call was chosen, all of its
    /// arguments together, too.
    fn branch(&mut self, tour: &Tour<'_>, sequence: &Sequence, waiting: &mut Waiting) {
        let deviations = sequence.deviations + 1;
        let is_choosing = self.is_choosing();
        let last = sequence.prefix.last();
        let is_answer = last.is_some_and(|read| self.setting.answers.contains(&read.input));
        let is_before_arguments = sequence.deviations == 1 || is_answer;
        if is_choosing && is_before_arguments && tour.reads.len() > sequence.prefix.len() + 1 {
            for rank in 0..ALIKE {
                for pattern in [Pattern::Steady(rank), Pattern::Spread(rank)] {
                    let together = Sequence {
                        prefix: sequence.prefix.clone(),
                        pattern: Some(pattern),
                        deviations,
                    };
                    waiting.push((deviations, rank), together);
                }
            }
        }
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
                let priority = if is_choosing {
                    (deviations, rank)
                } else {
                    (0, 0)
                };
                let next = Sequence {
                    prefix,
                    pattern: None,
                    deviations,
                };
                waiting.push(priority, next);
            }
        }
    }
}
