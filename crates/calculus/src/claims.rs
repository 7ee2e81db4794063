//! The claims of the paper, each as a question about one program.
//!
//! Tests ask them of thousands of random programs, `cargo xtask model --sweep` of as many as one likes.
//! A program that says no is shrunk before it is shown.

use std::fmt;

use crate::attempts::Harm;
use crate::basic::Basic;
use crate::collect::{Mended, Printed, Taint, collect_all, rewritten};
use crate::correct::{Correctness, Pauses, Scope, correct, corresponds, executions, replay};
use crate::explore::{Choice, Outcome, explore};
use crate::generate::{SHORT, SMALL, Shape, TINY, generate};
use crate::harmless::{self, repeatable, unaffected};
use crate::idempotent::Idempotent;
use crate::memories::Invariants;
use crate::program::Program;
use crate::redo::Redo;
use crate::rejection::accepted;
use crate::shrink::shrink;
use crate::simulate::Simulation;
use crate::syntax::Name;
use crate::system::System;
use crate::undo::Undo;
use crate::{idempotent, redo, rio, tasks, undo, war};

/// What a claim says of one program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// It holds.
    Holds,
    /// Its premises do not hold.
    Vacuous,
    /// It does not hold, and why.
    Fails(String),
}

/// A claim, and the programs that it is asked of.
#[derive(Clone, Copy)]
pub struct Claim {
    /// Where the paper, or our own documentation, makes it.
    pub name: &'static str,
    /// The kind of programs.
    pub shape: Shape,
    /// The claim.
    pub ask: fn(&Program) -> Answer,
}

/// What came of asking.
#[derive(Clone, Copy, Default, Debug)]
pub struct Count {
    /// How many programs.
    pub programs: u64,
    /// For how many the premises hold, and the claim does.
    pub hold: u64,
}

/// A program for which a claim does not hold.
#[derive(Clone, Debug)]
pub struct Counterexample {
    /// The claim.
    pub claim: &'static str,
    /// The number of the program.
    pub seed: u64,
    /// The program, shrunk.
    pub program: Program,
    /// Why.
    pub reason: String,
}

impl fmt::Display for Counterexample {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            claim,
            seed,
            program,
            reason,
        } = self;
        write!(
            f,
            "{claim} does not hold (program {seed}, shrunk)\n\n{program}\n{reason}"
        )
    }
}

impl Claim {
    /// Asks about the programs with these numbers.
    ///
    /// # Errors
    /// The first program that says no.
    pub fn sweep(&self, seeds: std::ops::Range<u64>) -> Result<Count, Box<Counterexample>> {
        let mut count = Count::default();
        for seed in seeds {
            let program = generate(seed, self.shape);
            count.programs += 1;
            match (self.ask)(&program) {
                Answer::Holds => count.hold += 1,
                Answer::Vacuous => {}
                Answer::Fails(_) => return Err(Box::new(self.shrunk(seed, &program))),
            }
        }
        Ok(count)
    }

    fn shrunk(&self, seed: u64, program: &Program) -> Counterexample {
        let fails = |program: &Program| matches!((self.ask)(program), Answer::Fails(_));
        let program = shrink(program, &fails);
        let reason = match (self.ask)(&program) {
            Answer::Fails(reason) => reason,
            Answer::Holds | Answer::Vacuous => String::new(),
        };
        Counterexample {
            claim: self.name,
            seed,
            program,
            reason,
        }
    }
}

/// All claims.
pub const CLAIMS: &[Claim] = &[
    Claim {
        name: "Definition 1 is decided by visiting pairs",
        shape: TINY,
        ask: definition_1,
    },
    Claim {
        name: "Theorem 4",
        shape: SMALL,
        ask: theorem_4,
    },
    Claim {
        name: "Theorem 4, one element fewer",
        shape: SMALL,
        ask: one_element_fewer,
    },
    Claim {
        name: "Definitions 2 and 3 are invariants",
        shape: SMALL,
        ask: invariants,
    },
    Claim {
        name: "Lemma 5",
        shape: SMALL,
        ask: lemma_5,
    },
    Claim {
        name: "§8: undo logging simulates checkpoints",
        shape: SMALL,
        ask: |program| undo(&Undo, program),
    },
    Claim {
        name: "§8.1: redo logging simulates checkpoints",
        shape: SMALL,
        ask: |program| redo(&Redo::default(), program),
    },
    Claim {
        name: "§8: idempotent regions simulate checkpoints",
        shape: SMALL,
        ask: |program| idempotent(&Idempotent, program),
    },
    Claim {
        name: "§8.2: tasks simulate redo logging",
        shape: SMALL,
        ask: |program| tasks(&tasks::split(program).1, program),
    },
    Claim {
        name: "Definition 1 implies repeatable, that unaffected, and that harmless",
        shape: SHORT,
        ask: chain,
    },
];

/// Programs that the checks accept, made of this one: itself, and with what collection adds.
fn accepted_versions(program: &Program) -> Vec<Program> {
    let (collected, _) = collect_all(program);
    [program.clone(), collected]
        .into_iter()
        .filter(|version| accepted(version).is_ok())
        .collect()
}

/// Definition 1 as it is written, for each execution with at most two power failures, against
/// [`correct`].
pub fn definition_1(program: &Program) -> Answer {
    let scope = Scope::default();
    let explains = |failures| {
        executions(program, &scope.domain, failures)
            .iter()
            .all(|execution| corresponds(program, execution, &scope.domain, Pauses::Anywhere))
    };
    match correct(program, &scope) {
        Outcome::Holds(_) if explains(2) => Answer::Holds,
        Outcome::Holds(_) => Answer::Fails("an execution is not explained".to_owned()),
        Outcome::Fails(schedule, flaw) => {
            let failures = schedule.iter().filter(|&&one| one == Choice::Fail).count();
            match u8::try_from(failures) {
                Ok(failures @ 0..=2) if explains(failures) => {
                    Answer::Fails(format!("every execution is explained, but {flaw:?}"))
                }
                Ok(0..=2) => Answer::Holds,
                Ok(_) | Err(_) => Answer::Vacuous,
            }
        }
        Outcome::Undecided => Answer::Fails("too many states".to_owned()),
    }
}

/// What the checks accept is correct.
pub fn theorem_4(program: &Program) -> Answer {
    let versions = accepted_versions(program);
    for version in &versions {
        let outcome = correct(version, &Scope::default());
        if !outcome.holds() {
            return Answer::Fails(format!("accepted:\n{version}\n{outcome:?}"));
        }
    }
    if versions.is_empty() {
        Answer::Vacuous
    } else {
        Answer::Holds
    }
}

/// A program that is like this one, but does not save `name` at `point`.
fn saving_less(program: &Program, point: u32, name: Name) -> Program {
    program.saving(&|at, saved| {
        let mut saved = saved.clone();
        if at == point {
            saved.remove(&name);
        }
        saved
    })
}

/// What checkpoints save, one at a time.
fn elements(program: &Program) -> Vec<(u32, Name)> {
    let checkpoints = program.command().checkpoints();
    checkpoints
        .into_iter()
        .flat_map(|(point, saved)| saved.iter().map(move |name| (point, *name)))
        .collect()
}

/// The program with one element of what one checkpoint saves taken out, in every way.
pub fn one_less(program: &Program) -> Vec<Program> {
    elements(program)
        .into_iter()
        .map(|(point, name)| saving_less(program, point, name))
        .collect()
}

/// The program with elements taken out, one after the other, as long as it stays correct.
pub fn minimal(program: &Program, scope: &Scope) -> Program {
    elements(program)
        .into_iter()
        .fold(program.clone(), |program, (point, name)| {
            let less = saving_less(&program, point, name);
            if correct(&less, scope).holds() {
                less
            } else {
                program
            }
        })
}

/// Collection finds no more than the checks ask for; and from a set that is minimal for Definition 1 no
/// element can be taken without an execution that nothing explains.
pub fn one_element_fewer(program: &Program) -> Answer {
    let (collected, start) = collect_all(program);
    if !start.is_empty() {
        return Answer::Vacuous;
    }
    for less in one_less(&collected) {
        if accepted(&less).is_ok() {
            return Answer::Fails(format!("accepted with one element fewer:\n{less}"));
        }
    }
    let scope = Scope::default();
    let minimal = minimal(&collected, &scope);
    for less in one_less(&minimal) {
        let Outcome::Fails(schedule, _) = correct(&less, &scope) else {
            return Answer::Fails(format!("correct with one element fewer:\n{less}"));
        };
        if is_explained(&less, &schedule, &scope) {
            return Answer::Fails(format!("explained: {schedule:?} of\n{less}"));
        }
    }
    if elements(&minimal).is_empty() {
        Answer::Vacuous
    } else {
        Answer::Holds
    }
}

/// Whether some continuous execution explains a schedule, continued in every way without failures, as
/// Definition 1 is written.
pub fn is_explained(program: &Program, schedule: &[Choice], scope: &Scope) -> bool {
    let steps = replay(program, schedule);
    let Some((last, _)) = steps.last() else {
        return false;
    };
    let observed = steps.iter().flat_map(|(_, observed)| observed.clone());
    let sofar = crate::correct::Execution {
        schedule: schedule.to_vec(),
        observed: observed.collect(),
        last: last.clone(),
    };
    let mut continued = Vec::new();
    crate::correct::extend(&sofar, &scope.domain, 0, &mut continued);
    continued
        .iter()
        .all(|execution| corresponds(program, execution, &scope.domain, Pauses::Anywhere))
}

/// Definitions 2 and 3 hold at every step of every execution of an accepted program.
pub fn invariants(program: &Program) -> Answer {
    let versions = accepted_versions(program);
    let scope = Scope::default();
    for version in &versions {
        let mut space = Invariants::new(Correctness {
            system: Basic,
            program: version,
            scope: &scope,
        });
        let outcome = explore(&mut space, scope.states);
        if !outcome.holds() {
            return Answer::Fails(format!("{version}\n{outcome:?}"));
        }
    }
    if versions.is_empty() {
        Answer::Vacuous
    } else {
        Answer::Holds
    }
}

/// What collection rewrites, the check accepts; the same for WAR variables.
pub fn lemma_5(program: &Program) -> Answer {
    let bare = program.without_saves();
    let rules = Mended {
        volatile: bare.volatile.names(),
        taint: Taint::Followed,
    };
    let (rewritten_program, start) = rewritten(&rules, &bare);
    if let Err(rejection) = rio::check_from(&rewritten_program, &start) {
        return Answer::Fails(format!("{rejection}\n{rewritten_program}"));
    }
    let (rewritten_program, start) = war::collect(&bare);
    if let Err(rejection) = war::check_from(&rewritten_program, &start) {
        return Answer::Fails(format!("{rejection}\n{rewritten_program}"));
    }
    Answer::Holds
}

/// Lemma 5 for the rules as printed: it does not hold.
pub fn lemma_5_as_printed(program: &Program) -> Answer {
    let bare = program.without_saves();
    let rules = Printed {
        volatile: bare.volatile.names(),
    };
    let (rewritten, start) = rewritten(&rules, &bare);
    match rio::check_from(&rewritten, &start) {
        Ok(()) => Answer::Holds,
        Err(rejection) => Answer::Fails(format!("{rejection}\n{rewritten}")),
    }
}

/// The schedules of §8: the programs need not be correct, so failures have to be bounded.
fn bounded() -> Scope {
    Scope {
        failures: Some(3),
        ..Scope::default()
    }
}

/// What a simulation says of a claim.
fn simulated<A: System, B: System>(mut simulation: Simulation<'_, A, B>) -> Answer {
    match explore(&mut simulation, Scope::default().states) {
        Outcome::Holds(_) => Answer::Holds,
        Outcome::Fails(schedule, flaw) => Answer::Fails(format!("{schedule:?}: {flaw}")),
        Outcome::Undecided => Answer::Fails("too many states".to_owned()),
    }
}

/// A system that logs what it has to undo, and the basic one.
pub fn undo(system: &impl System<Context = undo::Context>, program: &Program) -> Answer {
    simulated(Simulation {
        known: (&Basic, program),
        other: (system, program),
        related: &|basic, undo, _| undo::related(basic, undo),
        scope: &bounded(),
    })
}

/// A system that logs what it has to do again, and the basic one.
pub fn redo(system: &impl System<Context = redo::Context>, program: &Program) -> Answer {
    simulated(Simulation {
        known: (&Basic, program),
        other: (system, program),
        related: &|basic, redo, _| redo::related(basic, redo),
        scope: &bounded(),
    })
}

/// A system that saves nothing non-volatile, and the basic one, for a program that is cut accordingly;
/// which the checks accept.
pub fn idempotent(
    system: &impl System<Context = idempotent::Context>,
    program: &Program,
) -> Answer {
    let placed = idempotent::placed(program);
    if let Err(rejection) = accepted(&placed) {
        return Answer::Fails(format!("{rejection}\n{placed}"));
    }
    simulated(Simulation {
        known: (&Basic, &placed),
        other: (system, &placed),
        related: &|basic, idempotent, _| idempotent::related(basic, idempotent),
        scope: &bounded(),
    })
}

/// A system of tasks, and redo logging for the translation of the tasks that a program splits into.
pub fn tasks(system: &impl System<Context = tasks::Context>, program: &Program) -> Answer {
    let (program, tasks) = tasks::split(program);
    let code = tasks::translated(&tasks);
    let Some(first) = tasks.map.get(&tasks.first) else {
        return Answer::Fails("there is no first task".to_owned());
    };
    let first = tasks::translated_command(&first.command);
    simulated(Simulation {
        known: (&code, &program.rewritten(first)),
        other: (system, &program),
        related: &|redo, task, written| tasks::related(&tasks, &code, redo, task, written),
        scope: &bounded(),
    })
}

/// Definition 1 implies repeatable, that implies unaffected, and that harmless: under checkpoints, and under restart.
pub fn chain(program: &Program) -> Answer {
    let restarting = harmless::without_checkpoints(program);
    match implied(program, harmless::harmless) {
        Answer::Holds | Answer::Vacuous => implied(&restarting, harmless::harmless_restart),
        Answer::Fails(reason) => Answer::Fails(reason),
    }
}

fn implied(program: &Program, harmless: fn(&Program, &Scope) -> Outcome<Harm>) -> Answer {
    let scope = Scope {
        failures: Some(2),
        ..Scope::default()
    };
    let repeatable = repeatable(program, &scope);
    let unaffected = unaffected(program, &scope);
    if unaffected.holds() {
        let harmless = harmless(program, &scope);
        if !harmless.holds() {
            return Answer::Fails(format!("unaffected, but not {harmless:?}"));
        }
    }
    if !repeatable.holds() {
        let correct = correct(program, &scope);
        if !correct.fails() {
            return Answer::Fails(format!("correct: {correct:?}, but not {repeatable:?}"));
        }
        return Answer::Vacuous;
    }
    if !unaffected.holds() {
        return Answer::Fails(format!("repeatable, but not {unaffected:?}"));
    }
    Answer::Holds
}
