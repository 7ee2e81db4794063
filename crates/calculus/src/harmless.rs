//! Beyond the paper: what the tool means by correct, beside Definition 1.
//!
//! * *Repeatable*: the last attempt alone is a continuous execution. It has the same inputs at the same
//!   places and arrives with the same state. Nothing of earlier attempts shows. Unlike Definition 1 it
//!   does not observe reads: `flags := flags | 4` is repeatable.
//! * *Unaffected*, what `prove` proves: the same, but that an input is asked is not observed. The last
//!   attempt may ask less than the continuous execution does, if what it did not ask makes no difference,
//!   whatever the answer.
//! * *Harmless*, what `check` judges: the failure looks as if it had struck at a quiet moment. With
//!   checkpoints, quiet is the checkpoint: the last attempt arrives with the state of a continuous
//!   execution that may have read what a failed attempt did. `if done = 0 then { cal := IN(); done := 1 }`
//!   is harmless; it is not repeatable.
//! * *Harmless under restart*, where nothing commits and every boot starts at the entry
//!   ([`harmless_restart`]): quiet are the entry and the end of the program. A failed boot counts as not
//!   done or as done; the boots after it run alike, on the same inputs. `count := count + 1` is harmless
//!   under restart, and a transfer from one variable to another is not.
//!
//! Definition 1 implies repeatable, that implies unaffected, and that harmless: claims of their own. Outputs, torn
//! stores and interrupts are not in this language; `docs/model.md` says what becomes of them.

use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use crate::attempts::{Attempts, Harm, Places, Readings};
use crate::continuous::{continuous_step, readings};
use crate::correct::{Scope, differences};
use crate::explore::{Choice, Next, Outcome, Space, explore};
use crate::generate::Random;
use crate::program::Program;
use crate::state::{Configuration, Memory};
use crate::syntax::{Command, Form, Instruction, Value};
use crate::system::asks;

/// Whether the last attempt alone is always a continuous execution.
pub fn repeatable(program: &Program, scope: &Scope) -> Outcome<Harm> {
    let mut attempts = Attempts {
        program,
        scope,
        readings: Readings::OfLastAttempt,
    };
    explore(&mut attempts, scope.states)
}

/// Whether nothing of failed attempts shows: repeatable, but for whether an input is asked that no
/// difference depends on.
pub fn unaffected(program: &Program, scope: &Scope) -> Outcome<Harm> {
    let mut attempts = Attempts {
        program,
        scope,
        readings: Readings::OfNoFailedAttempt,
    };
    explore(&mut attempts, scope.states)
}

/// What a memory may hold where nothing is known of it: half of them values around the constants of
/// programs, others far enough away to pass these by what programs add and subtract.
const NEAR: std::ops::RangeInclusive<i16> = -2..=5;
const FAR: std::ops::RangeInclusive<i16> = -40..=40;
/// And some where sums overflow.
const ALL: std::ops::RangeInclusive<i16> = i16::MIN..=i16::MAX;

/// Whether a program is repeatable from its start and from each of its checkpoints, whatever memory
/// holds there: what a proof region by region is about, which knows nothing of the regions before.
/// Memories are drawn at random, `samples` for each start; an execution that is not repeatable is one
/// for certain.
pub fn repeatable_anywhere(
    program: &Program,
    scope: &Scope,
    samples: u64,
    random: &mut Random,
) -> Outcome<Harm> {
    let mut starts = vec![program.command()];
    starts.extend(program.command().from_checkpoints());
    let mut visited = 0;
    for (number, start) in starts.into_iter().enumerate() {
        for _ in 0..samples {
            let mut one =
                Program::new(program.nonvolatile.clone(), program.volatile.clone(), start);
            one.nonvolatile = anything(&one.nonvolatile, random);
            // A program sets its volatile variables when it starts.
            if number > 0 {
                one.volatile = anything(&one.volatile, random);
            }
            match repeatable(&one, scope) {
                Outcome::Holds(states) => visited += states,
                other => return other,
            }
        }
    }
    Outcome::Holds(visited)
}

/// A memory with the same locations and any values.
fn anything(memory: &Memory, random: &mut Random) -> Memory {
    let mut any = memory.clone();
    let range = [NEAR, NEAR, FAR, ALL][random.below(4)].clone();
    for (location, _) in memory.iter() {
        let value = range
            .start()
            .wrapping_add(random.below(range.clone().count()) as i16);
        any.set(location, Value::Number(value));
    }
    any
}

/// Whether a failure always looks as if it had struck at the checkpoint.
pub fn harmless(program: &Program, scope: &Scope) -> Outcome<Harm> {
    let mut attempts = Attempts {
        program,
        scope,
        readings: Readings::OfAnyAttempt,
    };
    explore(&mut attempts, scope.states)
}

/// The program under the policy `restart`: its checkpoints do nothing.
pub fn without_checkpoints(program: &Program) -> Program {
    program.rewritten(skipping(program.command()))
}

fn skipping(command: &Command) -> Command {
    let form = match command.form() {
        Form::Sequence(Instruction::Checkpoint(_), rest) => {
            Form::Sequence(Instruction::Skip, skipping(rest))
        }
        Form::Sequence(instruction, rest) => Form::Sequence(instruction.clone(), skipping(rest)),
        Form::Branch(condition, yes, no) => {
            Form::Branch(condition.clone(), skipping(yes), skipping(no))
        }
        form @ (Form::Skip | Form::Reboot(_) | Form::Goto(_) | Form::ToTask(_)) => form.clone(),
    };
    Command::at(command.point(), form)
}

/// Whether a failure always looks as if it had struck at the entry or the end of the program, for a
/// program that starts again at every boot.
pub fn harmless_restart(program: &Program, scope: &Scope) -> Outcome<Harm> {
    let program = without_checkpoints(program);
    let mut boots = Boots {
        program: &program,
        scope,
        ends: HashMap::new(),
    };
    explore(&mut boots, scope.states)
}

/// A boot that is being executed.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Boot {
    now: Configuration<()>,
    /// What it has read.
    current: Places,
    /// What non-volatile memory may have held at this boot, had every failure before it struck at a
    /// quiet moment.
    quiet: Rc<BTreeSet<Memory>>,
    failures: u8,
}

struct Boots<'a> {
    program: &'a Program,
    scope: &'a Scope,
    /// In what memories a boot can end that starts with one and gets some inputs: a cache.
    ends: HashMap<(Memory, Places), Rc<BTreeSet<Memory>>>,
}

impl Space for Boots<'_> {
    type State = Boot;
    type Flaw = Harm;

    fn starts(&mut self) -> Vec<Boot> {
        let now = self.program.start(());
        vec![Boot {
            quiet: Rc::new(BTreeSet::from([now.nonvolatile.clone()])),
            now,
            current: Places::new(),
            failures: 0,
        }]
    }

    fn next(&mut self, at: &Boot) -> Next<Boot, Harm> {
        let command = &at.now.command;
        if command.is_skip() {
            self.arrive(at).map_err(|harm| (None, harm))?;
        }
        let mut next = Vec::new();
        for &reading in readings(command, &self.scope.domain) {
            if command.is_skip() {
                break;
            }
            let Some((now, _)) = continuous_step(&at.now, reading) else {
                return Err((None, Harm::Stuck));
            };
            let mut after = Boot {
                now: now.timeless(),
                ..at.clone()
            };
            if asks(command) {
                after.current.insert(command.point(), reading);
            }
            next.push((Choice::step(command, reading), after));
        }
        // Without commits, failures are always counted: memory need not come to rest.
        if at.failures < self.scope.failures.unwrap_or(3) {
            next.push((Choice::Fail, self.fail(at)));
        }
        Ok(next)
    }
}

impl Boots<'_> {
    /// The boot after a failure: it may have been not done, or done, with the inputs it has read and
    /// any others.
    fn fail(&mut self, at: &Boot) -> Boot {
        let mut quiet = BTreeSet::clone(&at.quiet);
        for before in at.quiet.iter() {
            quiet.extend(self.ends(before, &at.current).iter().cloned());
        }
        let mut now = self.program.start(());
        now.nonvolatile = at.now.nonvolatile.clone();
        Boot {
            now,
            current: Places::new(),
            quiet: Rc::new(quiet),
            failures: at.failures + 1,
        }
    }

    /// The memories in which a boot ends that starts with this one and gets these inputs, and any where
    /// there is none.
    fn ends(&mut self, before: &Memory, given: &Places) -> Rc<BTreeSet<Memory>> {
        let (program, domain) = (self.program, &self.scope.domain);
        let key = (before.clone(), given.clone());
        let ends = self.ends.entry(key).or_insert_with(|| {
            let mut start = program.start(());
            start.nonvolatile = before.clone();
            let mut ends = BTreeSet::new();
            add_ends(&start, given, domain, &mut ends);
            Rc::new(ends)
        });
        Rc::clone(ends)
    }

    /// A boot has come to its end: some quiet start leads to the same memory, whatever inputs give that
    /// this boot has not asked for.
    fn arrive(&mut self, at: &Boot) -> Result<(), Harm> {
        let mut nearest = None;
        for before in at.quiet.iter() {
            let ends = self.ends(before, &at.current);
            let Some(other) = ends.iter().find(|end| **end != at.now.nonvolatile) else {
                return Ok(());
            };
            nearest.get_or_insert_with(|| other.clone());
        }
        let nearest = nearest.unwrap_or_default();
        Err(Harm::Values(differences(&at.now.nonvolatile, &nearest)))
    }
}

fn add_ends(
    from: &Configuration<()>,
    given: &Places,
    domain: &[Value],
    ends: &mut BTreeSet<Memory>,
) {
    if from.command.is_skip() {
        ends.insert(from.nonvolatile.clone());
        return;
    }
    let here = given
        .get(&from.command.point())
        .filter(|_| asks(&from.command));
    let values = match here {
        Some(value) => std::slice::from_ref(value),
        None => readings(&from.command, domain),
    };
    for &reading in values {
        if let Some((to, _)) = continuous_step(from, reading) {
            add_ends(&to, given, domain, ends);
        }
    }
}
