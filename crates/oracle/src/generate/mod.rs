//! Random programs with their circumstances, for holding an engine against the judge.
//!
//! A case is a function of its seed. Programs are made of what intermittent programs are made of:
//! counters, flags, logs, messages that are remembered, two-step updates, recovery, readings that
//! decide; half of them in the right order, half not. Each comes as C and as intermediate
//! representation, which says the same, so that thousands of cases need no compiler.

mod choose;
mod lower;
mod sketch;
mod write;

use brownout_ir::Program;
use brownout_scenario::splitmix64;
use brownout_testkit::Choices;

use crate::judge::{Options, Repetition, judge};
use crate::setting::{Setting, Subject, Unjudgeable};
use crate::verdict::{Failure, Judged, Verdict};

/// A random program and what it is judged under.
#[derive(Clone, Debug)]
pub struct Case {
    /// The program.
    pub program: Program,
    /// The same program as C, with annotations.
    pub c: String,
    /// When power may fail, what survives, what comes from outside.
    pub setting: Setting,
    /// What inputs give after a power failure, and how often power fails.
    pub options: Options,
}

/// How many numbers a case is made of.
const CHOICES: u64 = 400;

/// The case of a seed.
pub fn generate(seed: u64) -> Case {
    let choices = (0..CHOICES).map(|index| splitmix64(seed, index)).collect();
    of_choices(&mut Choices::new(choices))
}

/// The case of a list of choices: fewer and smaller numbers make a smaller program, which is how a
/// failing case is made small.
pub fn of_choices(choices: &mut Choices) -> Case {
    let (mut sketch, setting, repetition) = choose::choose(choices);
    let c = write::write(&mut sketch, &setting);
    Case {
        program: lower::lower(&sketch, &setting),
        c,
        setting,
        options: Options {
            repetition,
            instructions: 6_000,
            rounds: 12,
            failing_rounds: 4,
            ..Options::default()
        },
    }
}

impl Case {
    /// Judges every failure.
    ///
    /// # Errors
    /// Never for a case of the generator; if the program was replaced by one that does not fit.
    pub fn judge(&self) -> Result<Vec<Judged>, Unjudgeable> {
        let subject = Subject::new(&self.program, &self.setting)?;
        Ok(judge(&subject, &self.options))
    }

    /// Whether inputs give something new after a power failure.
    pub fn is_fresh(&self) -> bool {
        self.options.repetition == Repetition::Fresh
    }
}

/// Judges every failure of a case: failures and what they do.
///
/// # Errors
/// See [`Case::judge`].
pub fn verdicts(case: &Case) -> Result<Vec<(Failure, Verdict)>, Unjudgeable> {
    let judged = case.judge()?.into_iter();
    Ok(judged
        .map(|judged| (judged.failure, judged.verdict))
        .collect())
}
