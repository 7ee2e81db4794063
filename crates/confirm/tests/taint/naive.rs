//! Taint by the book: executes a random program statement by statement and keeps two bits for every
//! variable.
//!
//! Shares nothing with the observer: no machine, no hooks, no post-dominators. A branch ends where
//! its statement does; one with a `return` or a checkpoint under it lasts to the end.

use std::collections::BTreeSet;

use crate::program::{ELEMENTS, LOCALS, Place, Program, SCALARS, Statement, Value, WORDS};

/// A value, and whether it depends on an input.
type Tainted = (u16, bool);

/// A variable: what it holds, and the two bits.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Variable {
    pub(crate) value: u16,
    pub(crate) tainted: bool,
    fresh: bool,
}

/// Why an execution stops.
#[derive(PartialEq)]
pub(crate) enum Stop {
    /// The program is at its end.
    Ended,
    /// The power failure.
    Failed,
    /// It takes too long.
    Endless,
}

/// A program without nesting.
enum Step<'p> {
    Do(&'p Statement),
    /// Goes to one of some places, by the low bits of a value or by comparing it; where its ways
    /// meet, unless that is the end.
    Switch(Value, Vec<usize>, Option<usize>),
    If(Value, u16, usize, Option<usize>),
    /// Leaves a loop once the counter has reached a limit.
    Loop(usize, Limit, usize, Option<usize>),
    /// Counts.
    Next(usize),
    Zero(usize),
    Jump(usize),
    End,
}

#[derive(Clone, Copy)]
enum Limit {
    Constant(u16),
    Local(usize),
}

#[derive(Clone)]
struct Checkpoint {
    number: Option<usize>,
    at: usize,
    words: [u16; WORDS],
    locals: [Variable; LOCALS],
}

/// An execution, attempt by attempt.
pub(crate) struct Naive<'p> {
    steps: Vec<Step<'p>>,
    inputs: &'p [u16],
    read: usize,
    pub(crate) words: [Variable; WORDS],
    locals: [Variable; LOCALS],
    at: usize,
    /// Where the tainted branches end that this is under.
    under: BTreeSet<usize>,
    /// What checkpoints save.
    saved: &'p dyn Fn(Option<usize>) -> BTreeSet<usize>,
    checkpoint: Checkpoint,
    /// The checkpoints passed.
    pub(crate) commits: Vec<usize>,
    /// How many loads of each word were hits.
    pub(crate) hits: [u64; WORDS],
    executed: usize,
}

fn flatten<'p>(block: &'p [Statement], steps: &mut Vec<Step<'p>>) {
    for statement in block {
        let begin = steps.len();
        match statement {
            Statement::If(value, limit, then, otherwise) => {
                steps.push(Step::End);
                flatten(then, steps);
                let over = steps.len();
                steps.push(Step::End);
                flatten(otherwise, steps);
                let meet = steps.len();
                steps[over] = Step::Jump(meet);
                steps[begin] = Step::If(*value, *limit, over + 1, meeting(statement, meet));
            }
            Statement::Switch(value, arms) => {
                steps.push(Step::End);
                let (mut starts, mut ends) = (vec![], vec![]);
                for arm in arms {
                    starts.push(steps.len());
                    flatten(arm, steps);
                    ends.push(steps.len());
                    steps.push(Step::End);
                }
                let meet = steps.len();
                ends.into_iter()
                    .for_each(|end| steps[end] = Step::Jump(meet));
                steps[begin] = Step::Switch(*value, starts, meeting(statement, meet));
            }
            Statement::Count(counter, _, body) | Statement::CountTo(counter, _, body) => {
                let limit = match statement {
                    Statement::Count(_, limit, _) => Limit::Constant(*limit),
                    Statement::CountTo(_, limit, _) => Limit::Local(*limit),
                    _ => continue,
                };
                steps.extend([Step::Zero(*counter), Step::End]);
                flatten(body, steps);
                steps.extend([Step::Next(*counter), Step::Jump(begin + 1)]);
                let meet = steps.len();
                steps[begin + 1] = Step::Loop(*counter, limit, meet, meeting(statement, meet));
            }
            Statement::Return => steps.push(Step::End),
            plain => steps.push(Step::Do(plain)),
        }
    }
}

/// Where the ways of a statement meet, if they all do.
fn meeting(statement: &Statement, behind: usize) -> Option<usize> {
    (!can_end(statement)).then_some(behind)
}

fn can_end(statement: &Statement) -> bool {
    let any = |block: &[Statement]| block.iter().any(can_end);
    match statement {
        Statement::Return | Statement::Checkpoint(_) => true,
        Statement::If(_, _, then, otherwise) => any(then) || any(otherwise),
        Statement::Switch(_, arms) => arms.iter().any(|arm| any(arm)),
        Statement::Count(_, _, body) | Statement::CountTo(_, _, body) => any(body),
        _ => false,
    }
}

impl<'p> Naive<'p> {
    pub(crate) fn new(
        program: &'p Program,
        inputs: &'p [u16],
        saved: &'p dyn Fn(Option<usize>) -> BTreeSet<usize>,
    ) -> Self {
        let mut steps = Vec::new();
        flatten(&program.statements, &mut steps);
        steps.push(Step::End);
        let variable = |value| Variable {
            value,
            ..Variable::default()
        };
        Self {
            steps,
            inputs,
            read: 0,
            words: program.memory.map(variable),
            locals: [Variable::default(); LOCALS],
            at: 0,
            under: BTreeSet::new(),
            saved,
            checkpoint: Checkpoint {
                number: None,
                at: 0,
                words: program.memory,
                locals: [Variable::default(); LOCALS],
            },
            commits: Vec::new(),
            hits: [0; WORDS],
            executed: 0,
        }
    }

    /// Power fails, and the last checkpoint is restored.
    pub(crate) fn fail(&mut self) {
        for word in (self.saved)(self.checkpoint.number) {
            self.words[word] = Variable {
                value: self.checkpoint.words[word],
                ..Variable::default()
            };
        }
        self.words.iter_mut().for_each(|word| word.fresh = false);
        self.locals = self.checkpoint.locals;
        self.at = self.checkpoint.at;
        self.under.clear();
    }

    /// Executes until the end, or until that many words have been stored.
    pub(crate) fn run(&mut self, mut stores: usize) -> Stop {
        while stores > 0 {
            self.executed += 1;
            if self.executed > 3_000 {
                return Stop::Endless;
            }
            self.under.remove(&self.at);
            let at = self.at;
            self.at += 1;
            // Taken out for a moment: the step is executed by what holds it.
            let steps = std::mem::take(&mut self.steps);
            let next = match &steps[at] {
                Step::Do(statement) => self.execute(statement, &mut stores),
                Step::If(value, limit, otherwise, meet) => {
                    let (value, tainted) = self.value(*value);
                    self.branch(tainted, *meet);
                    if value >= *limit {
                        self.at = *otherwise;
                    }
                    true
                }
                Step::Switch(value, starts, meet) => {
                    let (value, tainted) = self.value(*value);
                    self.branch(tainted, *meet);
                    self.at = starts[usize::from(value & 3).min(starts.len() - 1)];
                    true
                }
                Step::Loop(counter, limit, behind, meet) => {
                    let (count, mut tainted) = self.read(Place::Local(*counter));
                    let limit = match limit {
                        Limit::Constant(limit) => *limit,
                        Limit::Local(local) => {
                            let (limit, with) = self.read(Place::Local(*local));
                            tainted |= with;
                            limit & 3
                        }
                    };
                    self.branch(tainted, *meet);
                    if count >= limit {
                        self.at = *behind;
                    }
                    true
                }
                Step::Next(counter) => {
                    let (count, tainted) = self.read(Place::Local(*counter));
                    self.write(Place::Local(*counter), (count.wrapping_add(1), tainted));
                    true
                }
                Step::Zero(counter) => {
                    self.write(Place::Local(*counter), (0, false));
                    true
                }
                Step::Jump(to) => {
                    self.at = *to;
                    true
                }
                Step::End => false,
            };
            self.steps = steps;
            if !next {
                return if stores == 0 {
                    Stop::Failed
                } else {
                    Stop::Ended
                };
            }
        }
        Stop::Failed
    }

    fn branch(&mut self, tainted: bool, meet: Option<usize>) {
        if tainted {
            self.under.insert(meet.unwrap_or(usize::MAX));
        }
    }

    /// Whether it was executed to its end.
    fn execute(&mut self, statement: &Statement, stores: &mut usize) -> bool {
        match statement {
            Statement::Assign(place, value) | Statement::Set(place, value) => {
                let value = self.value(*value);
                self.store(*place, value, stores)
            }
            Statement::Input(place) => {
                let value = self.inputs[self.read % self.inputs.len()];
                self.read += 1;
                self.store(*place, (value, true), stores)
            }
            Statement::Maybe(place, condition, value) => {
                let (condition, value) = (self.value(*condition), self.value(*value));
                // Where it would be written is known before it is decided.
                let chosen = self.chosen(*place);
                let value = (value.0, value.1 | condition.1 | chosen);
                condition.0 == 0 || self.store(*place, value, stores)
            }
            Statement::CopyPair => (0..2).all(|index| {
                let value = self.read(Place::Scalar(index));
                self.store(Place::Element(index), value, stores)
            }),
            Statement::Clear => {
                (0..ELEMENTS).all(|index| self.store(Place::Element(index), (7, false), stores))
            }
            Statement::Checkpoint(number) => {
                self.commit(*number);
                true
            }
            _ => true,
        }
    }

    fn commit(&mut self, number: usize) {
        for variable in self.words.iter_mut().chain(&mut self.locals) {
            variable.tainted = false;
        }
        self.under.clear();
        self.commits.push(number);
        self.checkpoint = Checkpoint {
            number: Some(number),
            at: self.at,
            words: self.words.map(|word| word.value),
            locals: self.locals,
        };
    }

    /// The word of a place.
    fn word(&self, place: Place) -> Option<usize> {
        let local = |local: usize| usize::from(self.locals[local].value);
        match place {
            Place::Scalar(scalar) => Some(scalar),
            Place::Element(element) => Some(SCALARS + element),
            Place::Indexed(index) => Some(SCALARS + (local(index) & 3)),
            Place::Crossed(row, column) => {
                Some(SCALARS + 2 * (local(row) & 1) + (local(column) & 1))
            }
            Place::Local(_) => None,
        }
    }

    /// Whether an input has chosen the place.
    fn chosen(&self, place: Place) -> bool {
        match place {
            Place::Indexed(index) => self.locals[index].tainted,
            Place::Crossed(row, column) => self.locals[row].tainted | self.locals[column].tainted,
            Place::Scalar(_) | Place::Element(_) | Place::Local(_) => false,
        }
    }

    fn read(&mut self, place: Place) -> Tainted {
        let chosen = self.chosen(place);
        let variable = match (self.word(place), place) {
            (Some(word), _) => {
                let variable = self.words[word];
                self.hits[word] += u64::from(variable.tainted && !variable.fresh);
                variable
            }
            (None, Place::Local(local)) => self.locals[local],
            (None, _) => Variable::default(),
        };
        (variable.value, variable.tainted | chosen)
    }

    fn value(&mut self, value: Value) -> Tainted {
        match value {
            Value::Constant(constant) => (constant, false),
            Value::Of(place) => self.read(place),
            Value::Plus(place, by) => {
                let (value, tainted) = self.read(place);
                (value.wrapping_add(by), tainted)
            }
            Value::Sum(a, b) => {
                let (a, b) = (self.read(a), self.read(b));
                (a.0.wrapping_add(b.0), a.1 | b.1)
            }
            Value::And(place, mask) => {
                let (value, tainted) = self.read(place);
                (value & mask, tainted)
            }
        }
    }

    fn write(&mut self, place: Place, (value, tainted): Tainted) {
        let tainted = tainted | self.chosen(place) | !self.under.is_empty();
        let variable = Variable {
            value,
            tainted,
            fresh: tainted,
        };
        match (self.word(place), place) {
            (Some(word), _) => self.words[word] = variable,
            (None, Place::Local(local)) => self.locals[local] = variable,
            (None, _) => {}
        }
    }

    /// A write; whether power lasts.
    fn store(&mut self, place: Place, value: Tainted, stores: &mut usize) -> bool {
        self.write(place, value);
        *stores -= usize::from(self.word(place).is_some());
        *stores > 0
    }
}
