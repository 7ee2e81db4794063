//! Power failures tried one by one: every attempt, every input of a few values, every place.
//!
//! Repeatable, as semantics §2 says it: the last attempt alone is a continuous execution. Both states
//! are carried from commit to commit; the continuous one and the one that power failures left must
//! make the same outputs, and hold the same at the end of the program. Where checkpoints need not commit,
//! whether one does is one more thing that the surroundings decide, like an input.

use std::collections::{BTreeMap, BTreeSet};

use crate::Surroundings;
use crate::toy::{
    ALL_VOLATILE, Expr, LOCALS, MEMORY, Output, Place, REGISTERS, Step, apply, saved,
};

/// What inputs give.
pub(crate) const VALUES: [u8; 3] = [0, 1, 3];

/// What volatile state may be that is not restored; it may be anything.
const LOST: [u8; 3] = [0, 2, 0xff];

/// A place where an input is read: the step, the input, and how often it has been read.
type Reading = (usize, usize, usize);

/// The number of the input that says whether a checkpoint commits, and what it gives then: yes, and no.
const SKIPS: usize = 3;
const COMMITS: [u8; 2] = [0, 1];

/// What stands for the exit status among outputs.
const STATUS: u8 = u8::MAX;

/// What a reading can give.
fn possible((_, input, _): Reading) -> &'static [u8] {
    match input {
        SKIPS => &COMMITS,
        _ => &VALUES,
    }
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct State {
    at: usize,
    locals: [u8; LOCALS],
    registers: [u8; REGISTERS],
    memory: [u8; MEMORY],
    /// What turns, what is set, what is marked, what is aimed at.
    world: [i64; 4],
}

#[derive(Clone, Default)]
struct Attempt {
    readings: BTreeMap<Reading, u8>,
    asked: BTreeMap<(usize, usize), usize>,
    said: Vec<(u8, u8)>,
    fired: bool,
}

enum End {
    Commit(State),
    Over(State),
    Died(State),
}

pub(crate) struct Search<'p> {
    pub(crate) steps: &'p [Step],
    /// Whether a word is written in one piece.
    pub(crate) whole_words: bool,
    /// Whether checkpoints need not commit. The first that a program comes to does: somewhere it must go on
    /// after a power failure.
    pub(crate) conditional: bool,
    /// How many attempts may be made.
    pub(crate) budget: usize,
    seen: BTreeSet<(State, State, (u8, u8))>,
}

impl<'p> Search<'p> {
    pub(crate) fn new(steps: &'p [Step], surroundings: Surroundings, budget: usize) -> Self {
        Self {
            steps,
            whole_words: surroundings.whole_words,
            conditional: surroundings.conditional,
            budget,
            seen: BTreeSet::new(),
        }
    }

    /// Whether some power failures show; none if the budget ended first.
    pub(crate) fn shows(&mut self, memory: [u8; MEMORY]) -> Option<bool> {
        let start = State {
            at: 0,
            locals: [0; LOCALS],
            registers: [0; REGISTERS],
            memory,
            world: [0; 4],
        };
        let mut open = vec![(start.clone(), start, (0, ALL_VOLATILE))];
        while let Some((clean, dirty, bits)) = open.pop() {
            if !self.seen.insert((clean.clone(), dirty.clone(), bits)) {
                continue;
            }
            let mut restarts = vec![(dirty.clone(), false)];
            let mut known: BTreeSet<(State, bool)> = restarts.iter().cloned().collect();
            // The closure of all failed attempts, as far as the budget goes.
            let mut next = 0;
            while next < restarts.len() && restarts.len() < 60 {
                let (from, fired) = restarts[next].clone();
                next += 1;
                for (left, now) in self.failures(&from, &dirty, bits)? {
                    let entry = (left, fired || now);
                    if known.insert(entry.clone()) {
                        restarts.push(entry);
                    }
                }
            }
            for (restart, fired) in restarts {
                for (attempt, end) in self.all_ways(&restart)? {
                    let again = fired && attempt.fired;
                    let mut shadow = Attempt {
                        readings: attempt.readings.clone(),
                        ..Attempt::default()
                    };
                    let reference = self.follow(&clean, &mut shadow, Missing::Zero);
                    let Some(Ok(reference)) = reference else {
                        continue;
                    };
                    if again || attempt.said != shadow.said {
                        return Some(true);
                    }
                    match (end, reference) {
                        (End::Over(a), End::Over(b)) | (End::Died(a), End::Died(b)) => {
                            if a.memory != b.memory || a.world != b.world {
                                return Some(true);
                            }
                        }
                        (End::Commit(a), End::Commit(b)) if a.at == b.at => {
                            if a.world != b.world {
                                return Some(true);
                            }
                            let Step::Checkpoint(saved, kept) = self.steps[a.at - 1] else {
                                continue;
                            };
                            // The worlds agree: what they are does not matter.
                            let plain = |state: State| State {
                                world: [0; 4],
                                ..state
                            };
                            open.push((plain(b), plain(a), (saved, kept)));
                        }
                        _ => return Some(true),
                    }
                }
            }
        }
        Some(false)
    }

    /// All that power failures in one attempt leave.
    fn failures(
        &mut self,
        from: &State,
        start: &State,
        (saves, keeps): (u8, u8),
    ) -> Option<Vec<(State, bool)>> {
        let mut found = BTreeSet::new();
        let patterns: &[u8] = match keeps {
            ALL_VOLATILE => &[0],
            _ => &LOST,
        };
        let mut open = vec![Attempt::default()];
        while let Some(mut attempt) = open.pop() {
            self.budget = self.budget.checked_sub(1)?;
            // Power can fail before anything is written.
            let mut left = vec![(from.memory, from.world, false)];
            let tried = attempt.readings.clone();
            match self.watched(from, &mut attempt, Missing::Ask, &mut left) {
                None => continue,
                Some(Err(reading)) => {
                    for &value in possible(reading) {
                        let mut readings = tried.clone();
                        readings.insert(reading, value);
                        open.push(Attempt {
                            readings,
                            ..Attempt::default()
                        });
                    }
                }
                Some(Ok(_)) => {}
            }
            for (memory, world, fired) in left {
                let kept = saved(saves);
                let mut restored = start.clone();
                for byte in 0..MEMORY {
                    // What is saved is what the checkpoint found.
                    restored.memory[byte] = if kept[byte] {
                        start.memory[byte]
                    } else {
                        memory[byte]
                    };
                }
                restored.world = world;
                for pattern in patterns {
                    let mut restored = restored.clone();
                    let volatile = restored.locals.iter_mut().chain(&mut restored.registers);
                    for (element, value) in volatile.enumerate() {
                        if keeps & 1 << element == 0 {
                            *value = *pattern;
                        }
                    }
                    found.insert((restored, fired));
                }
            }
        }
        Some(found.into_iter().collect())
    }

    /// All attempts from a state that get to the next commit or the end.
    fn all_ways(&mut self, from: &State) -> Option<Vec<(Attempt, End)>> {
        let mut found = Vec::new();
        let mut open = vec![Attempt::default()];
        while let Some(mut attempt) = open.pop() {
            self.budget = self.budget.checked_sub(1)?;
            let tried = attempt.readings.clone();
            match self.follow(from, &mut attempt, Missing::Ask) {
                None => {}
                Some(Err(reading)) => {
                    for &value in possible(reading) {
                        let mut readings = tried.clone();
                        readings.insert(reading, value);
                        open.push(Attempt {
                            readings,
                            ..Attempt::default()
                        });
                    }
                }
                Some(Ok(end)) => found.push((attempt, end)),
            }
        }
        Some(found)
    }

    fn follow(
        &self,
        from: &State,
        attempt: &mut Attempt,
        missing: Missing,
    ) -> Option<Result<End, Reading>> {
        self.watched(from, attempt, missing, &mut Vec::new())
    }

    /// Executes to the next commit or the end; notes what a power failure leaves after each write.
    fn watched(
        &self,
        from: &State,
        attempt: &mut Attempt,
        missing: Missing,
        left: &mut Vec<([u8; MEMORY], [i64; 4], bool)>,
    ) -> Option<Result<End, Reading>> {
        let mut state = from.clone();
        if state.at == 0 {
            state.registers.copy_from_slice(&state.memory[..REGISTERS]);
        }
        for _ in 0..400 {
            let at = state.at;
            let mut machine = Machine {
                at,
                attempt,
                missing,
            };
            let step = &self.steps[at];
            state.at += 1;
            let outcome = match step {
                Step::Set(place, value) => {
                    machine.set(&mut state, place, value, self.whole_words, left)
                }
                Step::JumpUnless(condition, to) => machine.eval(&state, condition).map(|value| {
                    if value == 0 {
                        state.at = *to;
                    }
                }),
                Step::Jump(to) => {
                    state.at = *to;
                    Ok(())
                }
                Step::Checkpoint(..) if self.conditional && from.at > 0 => {
                    match machine.read(SKIPS) {
                        Ok(0) => return Some(Ok(End::Commit(state))),
                        Ok(_) => Ok(()),
                        Err(reading) => Err(reading),
                    }
                }
                Step::Checkpoint(..) => return Some(Ok(End::Commit(state))),
                Step::Output(output, value) => match machine.eval(&state, value) {
                    Ok(value) => {
                        emit(*output, value, &mut state, attempt);
                        left.push((state.memory, state.world, attempt.fired));
                        Ok(())
                    }
                    Err(reading) => Err(reading),
                },
                Step::End => return Some(Ok(End::Over(state))),
                Step::Exit(value) => match machine.eval(&state, value) {
                    Ok(value) => {
                        attempt.said.push((STATUS, value));
                        return Some(Ok(End::Over(state)));
                    }
                    Err(reading) => Err(reading),
                },
                Step::Abort => return Some(Ok(End::Died(state))),
            };
            if let Err(reading) = outcome {
                return Some(Err(reading));
            }
        }
        None
    }
}

/// What an input gives that nobody has a value for.
#[derive(Clone, Copy)]
enum Missing {
    Ask,
    Zero,
}

struct Machine<'a> {
    at: usize,
    attempt: &'a mut Attempt,
    missing: Missing,
}

impl Machine<'_> {
    /// What an input gives.
    fn read(&mut self, input: usize) -> Result<u8, Reading> {
        let asked = self.attempt.asked.entry((self.at, input)).or_default();
        let reading = (self.at, input, *asked);
        *asked += 1;
        match (self.attempt.readings.get(&reading), self.missing) {
            (Some(value), _) => Ok(*value),
            (None, Missing::Zero) => Ok(0),
            (None, Missing::Ask) => Err(reading),
        }
    }

    fn eval(&mut self, state: &State, expr: &Expr) -> Result<u8, Reading> {
        Ok(match expr {
            Expr::Number(number) => *number,
            Expr::Byte(index) => state.memory[*index],
            Expr::Word => state.memory[3] ^ state.memory[4],
            Expr::Element(index) => {
                let index = self.eval(state, index)?;
                state.memory[5 + usize::from(index & 3)]
            }
            // Counters that were lost may be anything: then the program leaves the array, and is not proved.
            Expr::Walked(counter) => state.memory[5 + usize::from(state.locals[*counter] & 3)],
            Expr::Local(index) => state.locals[*index],
            Expr::Register(index) => state.registers[*index],
            Expr::Input(input) => self.read(*input)?,
            Expr::Binary(operator, a, b) => {
                let a = self.eval(state, a)?;
                let b = self.eval(state, b)?;
                apply(*operator, a, b)
            }
        })
    }

    fn set(
        &mut self,
        state: &mut State,
        place: &Place,
        value: &Expr,
        whole_words: bool,
        left: &mut Vec<([u8; MEMORY], [i64; 4], bool)>,
    ) -> Result<(), Reading> {
        let value = self.eval(state, value)?;
        let index = match place {
            Place::Local(index) => {
                state.locals[*index] = value;
                return Ok(());
            }
            Place::Byte(index) => *index,
            Place::Word => {
                if !whole_words {
                    for torn in [3, 4] {
                        let mut memory = state.memory;
                        memory[torn] = value;
                        left.push((memory, state.world, self.attempt.fired));
                    }
                }
                state.memory[4] = value;
                3
            }
            Place::Element(index) => 5 + usize::from(self.eval(state, index)? & 3),
            Place::Walked(counter) => 5 + usize::from(state.locals[*counter] & 3),
        };
        state.memory[index] = value;
        left.push((state.memory, state.world, self.attempt.fired));
        Ok(())
    }
}

fn emit(output: Output, value: u8, state: &mut State, attempt: &mut Attempt) {
    let number = i64::from(value);
    match output {
        Output::Repeatable => {}
        Output::Adds => state.world[0] += number,
        Output::Assigns => state.world[1] = number,
        Output::Ors => state.world[2] |= number,
        Output::Absolute => state.world[3] = number + 1,
        Output::Once => {
            attempt.fired = true;
            return;
        }
    }
    attempt.said.push((output as u8, value));
}
