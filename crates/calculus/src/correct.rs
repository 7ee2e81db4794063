//! Definition 1: a program can be correctly intermittently executed.
//!
//! *For all terminated `(τ, ∅, N, V, c) ⇒O1* Σ` there are O2, τ2 and σ with `(τ2, N, V, c) →O2* σ`,
//! `τ2 ≥ τ`, `O1 ≤cm O2` and `σ = Σ⁻`.*
//!
//! It is here twice. [`corresponds`] is the definition as it is written: one execution, its
//! observations, and a search for the continuous execution that explains them. [`Correctness`] decides
//! it for all executions at once: O2 is what the last attempts observed, and continuous execution is
//! deterministic once its inputs are known, so the one candidate can be led along with each attempt
//! from checkpoint to checkpoint. It must observe the same at every step, because any attempt may turn
//! out to be the last one, and end in the same memories. A test holds the two against each other.
//!
//! **Time.** As printed, continuous execution never pauses. Then a program with inputs in two regions
//! is never correct: after a failure between them its inputs are further apart than any continuous
//! execution can have them. §11.2 says that continuous executions may pause; that is the reading here
//! ([`Pauses::Anywhere`]), and it leaves only the order of times. [`Pauses::Never`] is the other one,
//! for the test that shows this.

use crate::basic::{Basic, Context};
use crate::continuous::{Continuous, continuous_step, readings};
use crate::explore::{Choice, Next, Outcome, Space, explore};
use crate::observation::every_region_matches;
use crate::program::Program;
use crate::state::{Configuration, Location, Memory, Observation};
use crate::syntax::{Command, Form, Instruction, Value};
use crate::system::System;

/// Over which executions a definition is decided.
#[derive(Clone, Debug)]
pub struct Scope {
    /// The values that inputs can have.
    pub domain: Vec<Value>,
    /// How often power may fail in one region; any number of times if nothing is said.
    pub failures: Option<u8>,
    /// How many states are visited at most.
    pub states: usize,
}

impl Default for Scope {
    fn default() -> Self {
        Self {
            domain: vec![Value::Number(0), Value::Number(3)],
            failures: None,
            states: 200_000,
        }
    }
}

/// A value that differs at the end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Difference {
    /// Where.
    pub location: Location,
    /// Its value after the intermittent execution.
    pub intermittent: Option<Value>,
    /// Its value after the continuous one.
    pub continuous: Option<Value>,
}

/// All differences between two memories.
pub fn differences(intermittent: &Memory, continuous: &Memory) -> Vec<Difference> {
    intermittent
        .differing(continuous)
        .into_iter()
        .map(|location| Difference {
            location,
            intermittent: intermittent.get(location),
            continuous: continuous.get(location),
        })
        .collect()
}

/// Why a program is not correct.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Flaw {
    /// An attempt that may be the last one observes something else.
    Observes {
        /// What the attempt observed.
        intermittent: Vec<Observation>,
        /// What the continuous execution observes there.
        continuous: Vec<Observation>,
    },
    /// Both end, in different memories.
    Ends(Vec<Difference>),
    /// No rule applies, though the program has not terminated.
    Stuck,
}

/// An attempt, and the continuous execution that has to explain it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Pair {
    /// The intermittent execution.
    pub intermittent: Configuration<Context>,
    /// The continuous execution, at the same point.
    pub continuous: Configuration<()>,
    /// The continuous execution at the last checkpoint.
    pub origin: Configuration<()>,
    /// How often power has failed since then, if that is counted.
    pub failures: u8,
}

/// Definition 1 as a space of pairs.
#[derive(Debug)]
pub struct Correctness<'a, S = Basic> {
    /// The intermittent system: the basic one, unless a mistake is made on purpose.
    pub system: S,
    /// The program.
    pub program: &'a Program,
    /// The executions.
    pub scope: &'a Scope,
}

impl<S: System<Context = Context>> Space for Correctness<'_, S> {
    type State = Pair;
    type Flaw = Flaw;

    fn starts(&mut self) -> Vec<Pair> {
        let continuous = Continuous.start(self.program);
        vec![Pair {
            intermittent: self.system.start(self.program),
            origin: continuous.clone(),
            continuous,
            failures: 0,
        }]
    }

    fn next(&mut self, pair: &Pair) -> Next<Pair, Flaw> {
        let command = &pair.intermittent.command;
        let mut next = Vec::new();
        if command.is_skip() {
            // σ = Σ⁻
            let mut different =
                differences(&pair.intermittent.nonvolatile, &pair.continuous.nonvolatile);
            different.extend(differences(
                &pair.intermittent.volatile,
                &pair.continuous.volatile,
            ));
            if !different.is_empty() {
                return Err((None, Flaw::Ends(different)));
            }
        }
        for &reading in readings(command, &self.scope.domain) {
            if command.is_skip() {
                break;
            }
            let choice = Choice::step(command, reading);
            let pair = self.step(pair, reading);
            next.push((choice, pair.map_err(|flaw| (Some(choice), flaw))?));
        }
        let may_fail = self.scope.failures.is_none_or(|most| pair.failures < most);
        if may_fail && !matches!(command.form(), Form::Reboot(_)) {
            next.push((
                Choice::Fail,
                Pair {
                    intermittent: self.system.fail(&pair.intermittent, 1).timeless(),
                    failures: pair.failures + u8::from(self.scope.failures.is_some()),
                    ..pair.clone()
                },
            ));
        }
        Ok(next)
    }
}

impl<S: System<Context = Context>> Correctness<'_, S> {
    /// Both take a step with the same reading.
    fn step(&self, pair: &Pair, reading: Value) -> Result<Pair, Flaw> {
        let stepped = self.system.step(&pair.intermittent, reading);
        let (intermittent, mut observed) = stepped.ok_or(Flaw::Stuck)?;
        let intermittent = intermittent.timeless();
        if matches!(pair.intermittent.command.form(), Form::Reboot(_)) {
            // I-RB-IND: what was observed before does not count.
            return Ok(Pair {
                intermittent,
                continuous: pair.origin.clone(),
                ..pair.clone()
            });
        }
        let stepped = continuous_step(&pair.continuous, reading);
        let (continuous, expected) = stepped.ok_or(Flaw::Stuck)?;
        let continuous = continuous.timeless();
        let committed = commits(&pair.intermittent.command);
        observed.retain(|observation| *observation != Observation::Checkpoint);
        if observed != expected {
            return Err(Flaw::Observes {
                intermittent: observed,
                continuous: expected,
            });
        }
        Ok(Pair {
            // CP-IND: from here on the next region counts.
            origin: if committed {
                continuous.clone()
            } else {
                pair.origin.clone()
            },
            failures: if committed { 0 } else { pair.failures },
            intermittent,
            continuous,
        })
    }
}

/// Whether the next step is a checkpoint.
pub fn commits(command: &Command) -> bool {
    matches!(
        command.form(),
        Form::Sequence(Instruction::Checkpoint(_), _)
    )
}

/// Decides Definition 1 for the executions in scope.
pub fn correct(program: &Program, scope: &Scope) -> Outcome<Flaw> {
    let mut space = Correctness {
        system: Basic,
        program,
        scope,
    };
    explore(&mut space, scope.states)
}

/// Whether continuous executions may pause.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pauses {
    /// Before any step, for any time (§11.2).
    Anywhere,
    /// Nowhere (Definition 1 as printed).
    Never,
}

/// A terminated execution: `(τ, κ, N, V, c) ⇒O* Σ`.
#[derive(Clone, Debug)]
pub struct Execution {
    /// The choices made.
    pub schedule: Vec<Choice>,
    /// O1
    pub observed: Vec<Observation>,
    /// Σ
    pub last: Configuration<Context>,
}

/// Every terminated execution with at most this many power failures, each for one tick.
pub fn executions(program: &Program, domain: &[Value], failures: u8) -> Vec<Execution> {
    let start = Execution {
        schedule: Vec::new(),
        observed: Vec::new(),
        last: Basic.start(program),
    };
    let mut terminated = Vec::new();
    extend(&start, domain, failures, &mut terminated);
    terminated
}

/// Every terminated execution that goes on from here with at most this many failures.
pub fn extend(sofar: &Execution, domain: &[Value], failures: u8, terminated: &mut Vec<Execution>) {
    let command = &sofar.last.command;
    if command.is_skip() {
        terminated.push(sofar.clone());
    }
    for &reading in readings(command, domain) {
        if let Some((last, observed)) = Basic.step(&sofar.last, reading) {
            let mut longer = sofar.clone();
            longer.schedule.push(Choice::step(command, reading));
            longer.observed.extend(observed);
            longer.last = last;
            extend(&longer, domain, failures, terminated);
        }
    }
    if failures > 0 && !matches!(command.form(), Form::Reboot(_)) {
        let mut longer = sofar.clone();
        longer.schedule.push(Choice::Fail);
        longer.last = Basic.fail(&sofar.last, 1);
        extend(&longer, domain, failures - 1, terminated);
    }
}

/// Whether some continuous execution explains a terminated one: the body of Definition 1.
pub fn corresponds(
    program: &Program,
    execution: &Execution,
    domain: &[Value],
    pauses: Pauses,
) -> bool {
    let timeless = |observed: &[Observation]| -> Vec<Observation> {
        observed.iter().map(|one| one.timeless()).collect()
    };
    match pauses {
        Pauses::Anywhere => {
            let target = execution.last.erased().timeless();
            let observed = timeless(&execution.observed);
            let start = Continuous.start(program);
            explained(&start, &[], domain, &|last, expected| {
                last.clone().timeless() == target
                    && every_region_matches(&observed, &timeless(expected))
            })
        }
        Pauses::Never => (0..=execution.last.time).any(|later| {
            let mut start = Continuous.start(program);
            start.time = later;
            explained(&start, &[], domain, &|last, expected| {
                *last == execution.last.erased()
                    && every_region_matches(&execution.observed, expected)
            })
        }),
    }
}

/// Whether some continuous execution from here ends as it should.
fn explained(
    from: &Configuration<()>,
    observed: &[Observation],
    domain: &[Value],
    as_it_should: &dyn Fn(&Configuration<()>, &[Observation]) -> bool,
) -> bool {
    if from.command.is_skip() {
        return as_it_should(from, observed);
    }
    readings(&from.command, domain).iter().any(|&reading| {
        continuous_step(from, reading).is_some_and(|(to, more)| {
            explained(&to, &[observed, &more].concat(), domain, as_it_should)
        })
    })
}

/// Replays choices from the start of a program: every configuration on the way, with what was
/// observed in front of it. Ends early where a choice cannot be made.
pub fn replay(
    program: &Program,
    schedule: &[Choice],
) -> Vec<(Configuration<Context>, Vec<Observation>)> {
    let mut steps = vec![(Basic.start(program), Vec::new())];
    for choice in schedule {
        let Some((at, _)) = steps.last() else { break };
        let next = match choice {
            Choice::Fail => Some((Basic.fail(at, 1), Vec::new())),
            Choice::Step => Basic.step(at, Value::Number(0)),
            Choice::Read(reading) => Basic.step(at, *reading),
        };
        let Some(next) = next else { break };
        steps.push(next);
    }
    steps
}
