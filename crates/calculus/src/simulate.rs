//! §8: two systems run side by side.
//!
//! Both systems are deterministic once it is said what inputs give and when power fails. So they
//! simulate each other if, led along by the same choices from a related pair, they can both take each
//! step or both cannot, observe the same, and stay related. [`Simulation`] visits all pairs of all
//! schedules. A jump of the redo log (§8.2) is a step that the other side does not have.

use std::collections::BTreeSet;
use std::hash::Hash;

use crate::continuous::readings;
use crate::correct::Scope;
use crate::explore::{Choice, Next, Space};
use crate::print::{head, observations};
use crate::program::Program;
use crate::state::{Configuration, Location, Observation};
use crate::syntax::{Form, Value};
use crate::system::System;
use crate::writes::written;

/// Two configurations, and what the current attempt has written.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Side<A, B> {
    /// The one of the known system.
    pub known: Configuration<A>,
    /// The one of the other system.
    pub other: Configuration<B>,
    /// What has been written since the last checkpoint or reboot.
    pub written: BTreeSet<Location>,
    /// How often power has failed since the last checkpoint.
    pub failures: u8,
}

/// A pair of configurations of two systems.
type Both<A, B> = Side<<A as System>::Context, <B as System>::Context>;

/// Whether a pair is related.
pub type Relation<'a, A, B> =
    &'a dyn Fn(&Configuration<A>, &Configuration<B>, &BTreeSet<Location>) -> bool;

/// Two systems side by side.
pub struct Simulation<'a, A: System, B: System> {
    /// The known system, with the program as it sees it.
    pub known: (&'a A, &'a Program),
    /// The other system, with the program as it sees it.
    pub other: (&'a B, &'a Program),
    /// The relation.
    pub related: Relation<'a, A::Context, B::Context>,
    /// The schedules.
    pub scope: &'a Scope,
}

impl<A: System, B: System> Space for Simulation<'_, A, B> {
    type State = Side<A::Context, B::Context>;
    type Flaw = String;

    fn starts(&mut self) -> Vec<Self::State> {
        vec![Side {
            known: self.known.0.start(self.known.1),
            other: self.other.0.start(self.other.1),
            written: BTreeSet::new(),
            failures: 0,
        }]
    }

    fn next(&mut self, at: &Self::State) -> Next<Self::State, String> {
        if !(self.related)(&at.known, &at.other, &at.written) {
            return Err((None, format!("not related: {:?}\n{:?}", at.known, at.other)));
        }
        let command = &at.known.command;
        let mut next = Vec::new();
        if let Form::Goto(_) = command.form() {
            let Some((known, _)) = self.known.0.step(&at.known, Value::Number(0)) else {
                return Err((None, "stuck at a jump".to_owned()));
            };
            let moved = Side {
                known: known.timeless(),
                ..at.clone()
            };
            next.push((Choice::Step, moved));
        } else {
            for &reading in readings(command, &self.scope.domain) {
                let choice = Choice::step(command, reading);
                let stepped = self.step(at, reading);
                next.extend(
                    stepped
                        .map_err(|flaw| (Some(choice), flaw))?
                        .map(|to| (choice, to)),
                );
            }
        }
        let may_fail = self.scope.failures.is_none_or(|most| at.failures < most);
        if may_fail && !matches!(command.form(), Form::Reboot(_)) {
            let failed = Side {
                known: self.known.0.fail(&at.known, 1).timeless(),
                other: self.other.0.fail(&at.other, 1).timeless(),
                written: BTreeSet::new(),
                failures: at.failures + u8::from(self.scope.failures.is_some()),
            };
            next.push((Choice::Fail, failed));
        }
        Ok(next)
    }
}

impl<A: System, B: System> Simulation<'_, A, B> {
    /// Both take a step with the same reading, or none can.
    fn step(&self, at: &Both<A, B>, reading: Value) -> Result<Option<Both<A, B>>, String> {
        let known = self.known.0.step(&at.known, reading);
        let other = self.other.0.step(&at.other, reading);
        match (known, other) {
            (None, None) => Ok(None),
            (Some((known, expected)), Some((other, observed))) => {
                // Time does not count: a transition is one step, a jump and a checkpoint are two.
                let timeless = |list: Vec<Observation>| -> Vec<_> {
                    list.iter().map(|o| o.timeless()).collect()
                };
                let (expected, observed) = (timeless(expected), timeless(observed));
                if expected != observed {
                    return Err(format!(
                        "`{}` observes {} and {}",
                        head(&at.known.command),
                        observations(&expected),
                        observations(&observed)
                    ));
                }
                let began = expected
                    .iter()
                    .any(|one| matches!(one, Observation::Checkpoint | Observation::Reboot));
                let committed = expected.contains(&Observation::Checkpoint);
                let mut so_far = at.written.clone();
                so_far.extend(written(&at.known.command, &expected));
                Ok(Some(Side {
                    known: known.timeless(),
                    other: other.timeless(),
                    written: if began { BTreeSet::new() } else { so_far },
                    failures: if committed { 0 } else { at.failures },
                }))
            }
            (Some(_), None) | (None, Some(_)) => Err(format!(
                "only one of them can go on at `{}`",
                head(&at.known.command)
            )),
        }
    }
}
