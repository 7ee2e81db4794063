//! Beyond the paper: a region and its attempts, the ground that *repeatable* and *harmless* share.
//!
//! Both look at one region at a time. They hold the attempt that arrives at the next checkpoint, or at
//! the end, against an execution without failures from the state in which the region began, and they
//! compare what is there on arrival: not, as Definition 1 does, every single read on the way. They
//! differ in one thing only, the inputs of the execution that the attempt is held against
//! ([`Readings`]).
//!
//! A commit is not state of its own: where a harmless attempt arrives at another place than the execution
//! it is held against (one of them has a checkpoint that the other goes round), both go on, with the
//! same inputs at the same places, and are compared at the end of the program. A repeatable attempt
//! arrives at the same place.
//!
//! A location that differs on arrival is followed: if every way on writes it before it reads it, it is
//! no difference; if some way reads it, or ends with it and it is non-volatile, it is one.

use std::collections::BTreeMap;

use crate::basic::{Basic, Context};
use crate::continuous::{continuous_step, ends_region, readings};
use crate::correct::{Difference, Scope, commits, differences};
use crate::explore::{Choice, Next, Space};
use crate::program::Program;
use crate::state::{Configuration, Location};
use crate::syntax::{Form, Value};
use crate::system::{System, asks};
use crate::writes::Accesses;

/// What inputs gave, by the place that asked. Without loops, a place asks once per attempt.
pub type Places = BTreeMap<u32, Value>;

/// Which inputs the execution gets that an attempt is held against.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Readings {
    /// Those of the attempt, all of them and no others: *repeatable*.
    OfLastAttempt,
    /// At each place what the attempt got there; else anything, and it has to make no difference:
    /// *unaffected*.
    OfNoFailedAttempt,
    /// At each place what the attempt got there; else what the latest failed attempt got that asked
    /// there; else anything: *harmless*.
    OfAnyAttempt,
}

/// A region that is being executed.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Attempt {
    /// The attempt.
    pub now: Configuration<Context>,
    /// The state in which the region began.
    pub start: Configuration<()>,
    /// What the attempt has read.
    pub current: Places,
    /// What failed attempts have read, the latest of them at each place.
    pub earlier: Places,
    /// How often power has failed in this region.
    pub failures: u8,
}

/// Why an attempt is not what it should be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Harm {
    /// It arrives somewhere else, or has read elsewhere.
    Path,
    /// It arrives with other values, and some way on shows them.
    Values(Vec<Difference>),
    /// No rule applies, though the program has not terminated.
    Stuck,
}

/// The attempts of a program under checkpoints.
#[derive(Debug)]
pub struct Attempts<'a> {
    /// The program.
    pub program: &'a Program,
    /// The executions.
    pub scope: &'a Scope,
    /// What attempts are held against.
    pub readings: Readings,
}

impl Space for Attempts<'_> {
    type State = Attempt;
    type Flaw = Harm;

    fn starts(&mut self) -> Vec<Attempt> {
        let now = Basic.start(self.program);
        vec![Attempt {
            start: now.erased(),
            now,
            current: Places::new(),
            earlier: Places::new(),
            failures: 0,
        }]
    }

    fn next(&mut self, at: &Attempt) -> Next<Attempt, Harm> {
        let command = &at.now.command;
        if ends_region(command) {
            self.arrive(at).map_err(|harm| (None, harm))?;
        }
        let mut next = Vec::new();
        for &reading in readings(command, &self.scope.domain) {
            if command.is_skip() {
                break;
            }
            let Some((now, _)) = Basic.step(&at.now, reading) else {
                return Err((None, Harm::Stuck));
            };
            let mut after = at.after(now.timeless(), reading);
            if self.readings != Readings::OfAnyAttempt {
                after.earlier.clear();
            }
            next.push((Choice::step(command, reading), after));
        }
        let may_fail = self.scope.failures.is_none_or(|most| at.failures < most);
        if may_fail && !matches!(command.form(), Form::Reboot(_)) {
            let failed = Attempt {
                now: Basic.fail(&at.now, 1).timeless(),
                failures: at.failures + u8::from(self.scope.failures.is_some()),
                ..at.clone()
            };
            next.push((Choice::Fail, failed));
        }
        Ok(next)
    }
}

impl Attempt {
    /// The same after a step.
    fn after(&self, now: Configuration<Context>, reading: Value) -> Self {
        let command = &self.now.command;
        let mut after = Self {
            now,
            ..self.clone()
        };
        if matches!(command.form(), Form::Reboot(_)) {
            after.earlier.append(&mut after.current);
        } else if commits(command) {
            after.start = after.now.erased();
            after.current.clear();
            after.earlier.clear();
            after.failures = 0;
        } else if asks(command) {
            after.current.insert(command.point(), reading);
        }
        after
    }
}

impl Attempts<'_> {
    /// Holds an attempt that has arrived against every execution it has to agree with.
    fn arrive(&self, at: &Attempt) -> Result<(), Harm> {
        let mut references = Vec::new();
        self.continuous(&at.start, at, &Places::new(), &mut references)?;
        let arrived = at.now.erased();
        references.iter().try_for_each(|reference| {
            // Every end is the same place.
            let both_end = reference.command.is_skip() && arrived.command.is_skip();
            if !both_end && reference.command != arrived.command {
                return match self.readings {
                    Readings::OfLastAttempt => Err(Harm::Path),
                    Readings::OfNoFailedAttempt | Readings::OfAnyAttempt => {
                        self.end_alike(at, &arrived, reference, &at.current)
                    }
                };
            }
            let mut different = differences(&arrived.nonvolatile, &reference.nonvolatile);
            different.extend(differences(&arrived.volatile, &reference.volatile));
            different.retain(|one| shows(&arrived, one.location, &self.scope.domain));
            if different.is_empty() {
                Ok(())
            } else {
                Err(Harm::Values(different))
            }
        })
    }

    /// Goes on to the end of the program from two places, with every input, and compares what is
    /// non-volatile there.
    fn end_alike(
        &self,
        at: &Attempt,
        arrived: &Configuration<()>,
        reference: &Configuration<()>,
        asked: &Places,
    ) -> Result<(), Harm> {
        let (from, leading) = if arrived.command.is_skip() {
            (reference, false)
        } else {
            (arrived, true)
        };
        if from.command.is_skip() {
            let different = differences(&arrived.nonvolatile, &reference.nonvolatile);
            return if different.is_empty() {
                Ok(())
            } else {
                Err(Harm::Values(different))
            };
        }
        let place = from.command.point();
        let known = asked
            .get(&place)
            .or_else(|| at.earlier.get(&place))
            .filter(|_| asks(&from.command) && !leading);
        let given = match known {
            Some(value) => std::slice::from_ref(value),
            None => readings(&from.command, &self.scope.domain),
        };
        given.iter().try_for_each(|&reading| {
            let (to, _) = continuous_step(from, reading).ok_or(Harm::Stuck)?;
            let mut asked = asked.clone();
            if asks(&from.command) {
                asked.insert(place, reading);
            }
            if leading {
                self.end_alike(at, &to, reference, &asked)
            } else {
                self.end_alike(at, arrived, &to, &asked)
            }
        })
    }

    /// The executions without failures from the start of the region to its end.
    fn continuous(
        &self,
        from: &Configuration<()>,
        at: &Attempt,
        asked: &Places,
        references: &mut Vec<Configuration<()>>,
    ) -> Result<(), Harm> {
        if ends_region(&from.command) {
            if self.readings == Readings::OfLastAttempt && *asked != at.current {
                return Err(Harm::Path);
            }
            references.push(from.clone());
            return Ok(());
        }
        let place = from.command.point();
        let given: Vec<Value> = if asks(&from.command) {
            match (at.current.get(&place), self.readings) {
                (Some(value), _) => vec![*value],
                (None, Readings::OfLastAttempt) => return Err(Harm::Path),
                (None, Readings::OfNoFailedAttempt | Readings::OfAnyAttempt) => {
                    match at.earlier.get(&place) {
                        Some(value) => vec![*value],
                        None => self.scope.domain.clone(),
                    }
                }
            }
        } else {
            vec![Value::Number(0)]
        };
        for reading in given {
            let (to, _) = continuous_step(from, reading).ok_or(Harm::Stuck)?;
            let mut asked = asked.clone();
            if asks(&from.command) {
                asked.insert(place, reading);
            }
            self.continuous(&to, at, &asked, references)?;
        }
        Ok(())
    }
}

/// Whether some way on reads a location before it writes it, or ends with it, non-volatile and not
/// written.
pub fn shows(from: &Configuration<()>, location: Location, domain: &[Value]) -> bool {
    if from.command.is_skip() {
        return from.nonvolatile.contains(location);
    }
    readings(&from.command, domain).iter().any(|&reading| {
        let Some((to, observed)) = continuous_step(from, reading) else {
            return true;
        };
        let mut accesses = Accesses::default();
        accesses.step(from, &observed);
        accesses.first_read.contains(&location)
            || (!accesses.written.contains(&location) && shows(&to, location, domain))
    })
}
