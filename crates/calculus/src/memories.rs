//! §6.3: Definitions 2 and 3, how memories may differ while they are bound to become the same again.
//!
//! [`Invariants`] visits the pairs of [`Correctness`] and asks for both definitions in each of them:
//! Definition 2 between the memory of the attempt at any point and that of the continuous execution at
//! the start of the region (solid lines of Fig. 7), Definition 3 at equal points (dashed lines).

use std::collections::{BTreeSet, HashMap};

use crate::basic::Context;
use crate::correct::{Correctness, Pair};
use crate::explore::{Choice, Next, Space};
use crate::state::{Configuration, Location, Memory};
use crate::syntax::{Form, Value};
use crate::system::System;
use crate::writes::{must_first_write, must_write, written};

/// Definition 2, `N_ckpt, N, V, c ⊢ N_int ∼ N_cont`: where they differ is saved, or is written before
/// it is read on every way from the start of the region. What violates it.
pub fn related_to_start(
    saved: &Memory,
    must_first_write: &BTreeSet<Location>,
    intermittent: &Memory,
    continuous: &Memory,
) -> Vec<Location> {
    let mut differing = intermittent.differing(continuous);
    differing.retain(|at| !saved.contains(*at) && !must_first_write.contains(at));
    differing
}

/// Definition 3, `τ, N, V, c, c', I ⊢ N_int ∼ N_cont`: where they differ has not been written since the
/// start of the attempt, and will be on every way, before it is read. What violates it.
pub fn related_at_same_point(
    must_first_write: &BTreeSet<Location>,
    must_write: &BTreeSet<Location>,
    written: &BTreeSet<Location>,
    intermittent: &Memory,
    continuous: &Memory,
) -> Vec<Location> {
    let mut differing = intermittent.differing(continuous);
    differing.retain(|at| {
        !must_first_write.contains(at) || !must_write.contains(at) || written.contains(at)
    });
    differing
}

/// A pair, with what Definition 3 needs to know of the attempt.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Related {
    /// The pair.
    pub pair: Pair,
    /// N of the intermittent execution when the attempt began.
    pub restored: Memory,
    /// `Wt(T)` of the attempt.
    pub written: BTreeSet<Location>,
}

/// Which invariant does not hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Broken {
    /// Definition 2, for these locations.
    Definition2(Vec<Location>),
    /// Definition 3, for these locations.
    Definition3(Vec<Location>),
    /// Definition 1 itself.
    Definition1(crate::correct::Flaw),
}

/// Definitions 2 and 3 as a space.
#[derive(Debug)]
pub struct Invariants<'a, S> {
    /// The pairs.
    pub pairs: Correctness<'a, S>,
    /// MFstWt: a cache.
    pub first_writes: HashMap<Configuration<()>, BTreeSet<Location>>,
    /// MstWt: a cache.
    pub writes: HashMap<Configuration<()>, BTreeSet<Location>>,
}

impl<'a, S> Invariants<'a, S> {
    /// The invariants of these pairs.
    pub fn new(pairs: Correctness<'a, S>) -> Self {
        Self {
            pairs,
            first_writes: HashMap::new(),
            writes: HashMap::new(),
        }
    }
}

impl<S: System<Context = Context>> Space for Invariants<'_, S> {
    type State = Related;
    type Flaw = Broken;

    fn starts(&mut self) -> Vec<Related> {
        let starts = self.pairs.starts().into_iter();
        starts
            .map(|pair| Related {
                restored: pair.intermittent.nonvolatile.clone(),
                written: BTreeSet::new(),
                pair,
            })
            .collect()
    }

    fn next(&mut self, state: &Related) -> Next<Related, Broken> {
        self.check(state).map_err(|broken| (None, broken))?;
        let next = self.pairs.next(&state.pair);
        let next = next.map_err(|(choice, flaw)| (choice, Broken::Definition1(flaw)))?;
        Ok(next
            .into_iter()
            .map(|(choice, pair)| (choice, self.follow(state, choice, pair)))
            .collect())
    }
}

impl<S: System<Context = Context>> Invariants<'_, S> {
    fn check(&mut self, state: &Related) -> Result<(), Broken> {
        let Pair {
            intermittent,
            continuous,
            origin,
            ..
        } = &state.pair;
        if intermittent.nonvolatile != origin.nonvolatile {
            let first = self.first_write(origin.clone());
            let violating = related_to_start(
                &intermittent.context.nonvolatile,
                &first,
                &intermittent.nonvolatile,
                &origin.nonvolatile,
            );
            if !violating.is_empty() {
                return Err(Broken::Definition2(violating));
            }
        }
        let running = !matches!(intermittent.command.form(), Form::Reboot(_));
        if running && intermittent.nonvolatile != continuous.nonvolatile {
            let start = Configuration {
                nonvolatile: state.restored.clone(),
                ..origin.clone()
            };
            let violating = related_at_same_point(
                &self.first_write(start),
                &self.write(intermittent.erased()),
                &state.written,
                &intermittent.nonvolatile,
                &continuous.nonvolatile,
            );
            if !violating.is_empty() {
                return Err(Broken::Definition3(violating));
            }
        }
        Ok(())
    }

    fn write(&mut self, from: Configuration<()>) -> BTreeSet<Location> {
        let domain = &self.pairs.scope.domain;
        self.writes
            .entry(from)
            .or_insert_with_key(|from| must_write(from, domain))
            .clone()
    }

    fn first_write(&mut self, start: Configuration<()>) -> BTreeSet<Location> {
        let domain = &self.pairs.scope.domain;
        self.first_writes
            .entry(start)
            .or_insert_with_key(|start| must_first_write(start, domain))
            .clone()
    }

    /// The state after a choice.
    fn follow(&self, from: &Related, choice: Choice, pair: Pair) -> Related {
        let before = &from.pair.intermittent;
        let began = matches!(before.command.form(), Form::Reboot(_))
            || crate::correct::commits(&before.command);
        if began {
            return Related {
                restored: pair.intermittent.nonvolatile.clone(),
                written: BTreeSet::new(),
                pair,
            };
        }
        let mut next = Related {
            pair,
            ..from.clone()
        };
        let reading = match choice {
            Choice::Fail => return next,
            Choice::Step => Value::Number(0),
            Choice::Read(reading) => reading,
        };
        if let Some((_, observed)) = self.pairs.system.step(before, reading) {
            next.written.extend(written(&before.command, &observed));
        }
        next
    }
}
