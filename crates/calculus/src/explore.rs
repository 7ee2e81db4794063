//! Every schedule of power failures and every input, by visiting states instead of executions.
//!
//! Executions that meet in the same state go on alike, so each state is looked at once, in the order
//! of the number of steps that lead to it; the first flaw is one of a shortest schedule. Where the
//! number of failures per region is not bounded, the states are still finitely many for every
//! program without a flaw: an attempt does nothing that an attempt from the same memory has not done.

use std::collections::HashSet;
use std::hash::Hash;
use std::rc::Rc;

use crate::syntax::{Command, Value};
use crate::system::asks;

/// What happens next, where that is not determined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Choice {
    /// A step that asks for nothing.
    Step,
    /// A step that asks for an input and gets this.
    Read(Value),
    /// Power fails.
    Fail,
}

impl Choice {
    /// A step of this command, which gets `reading` if it asks.
    pub fn step(command: &Command, reading: Value) -> Self {
        if asks(command) {
            Self::Read(reading)
        } else {
            Self::Step
        }
    }
}

/// The states that follow a state, each with the choice that leads to it; or what is wrong with the
/// state, or with a choice in it.
pub type Next<State, Flaw> = Result<Vec<(Choice, State)>, (Option<Choice>, Flaw)>;

/// A state that was reached, with the number of the one before it and the choice made there.
type Reached<State> = (Rc<State>, Option<(usize, Choice)>);

/// States, and how they follow each other.
pub trait Space {
    /// A state; equal states have equal futures.
    type State: Eq + Hash;
    /// What must not be.
    type Flaw;

    /// The states at the start.
    fn starts(&mut self) -> Vec<Self::State>;

    /// The states that follow.
    ///
    /// # Errors
    /// What is wrong with this state, or with a choice in it.
    fn next(&mut self, state: &Self::State) -> Next<Self::State, Self::Flaw>;
}

/// How a search ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome<Flaw> {
    /// Every state was visited, so many, and none has a flaw.
    Holds(usize),
    /// These choices lead to a flaw.
    Fails(Vec<Choice>, Flaw),
    /// There are more states than could be visited.
    Undecided,
}

impl<Flaw> Outcome<Flaw> {
    /// Whether every state was visited and none has a flaw.
    pub fn holds(&self) -> bool {
        matches!(self, Self::Holds(_))
    }

    /// Whether there is a flaw.
    pub fn fails(&self) -> bool {
        matches!(self, Self::Fails(..))
    }
}

/// Visits all states, up to a number of them.
pub fn explore<S: Space>(space: &mut S, most: usize) -> Outcome<S::Flaw> {
    let mut seen = HashSet::new();
    let mut queue: Vec<Reached<S::State>> = Vec::new();
    for start in space.starts() {
        let start = Rc::new(start);
        if seen.insert(Rc::clone(&start)) {
            queue.push((start, None));
        }
    }
    let mut at = 0;
    while at < queue.len() {
        if at == most {
            return Outcome::Undecided;
        }
        let state = Rc::clone(&queue[at].0);
        match space.next(&state) {
            Err((choice, flaw)) => {
                let mut schedule: Vec<Choice> = choice.into_iter().collect();
                let mut step = queue[at].1;
                while let Some((before, choice)) = step {
                    schedule.push(choice);
                    step = queue[before].1;
                }
                schedule.reverse();
                return Outcome::Fails(schedule, flaw);
            }
            Ok(following) => {
                for (choice, state) in following {
                    let state = Rc::new(state);
                    if seen.insert(Rc::clone(&state)) {
                        queue.push((state, Some((at, choice))));
                    }
                }
            }
        }
        at += 1;
    }
    Outcome::Holds(queue.len())
}
