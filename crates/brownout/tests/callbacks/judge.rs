//! A naive judge of programs whose kernel calls callbacks: every power failure after a write to non-volatile memory, on
//! whole copies of a memory of a few words. Shares no code with the engine.
//!
//! The definition is that of the documentation: `main` sets up, and then the callbacks are called one after the other,
//! each in a round of its own, between the rounds of its loop; where `main` waits, they are called there, in its round.
//! An attempt is a boot after a failure; it is held against boots after failures at the quiet moments before and after
//! that, and has to agree with one of them at some moment between two rounds.

use std::collections::BTreeSet;

use crate::program::{DONE, KEPT, Program, Statement, VARIABLES, Value};

type Memory = [i16; VARIABLES];

/// How many moments between two rounds a boot has.
const MOMENTS: usize = 60;
/// Up to which of them power fails in the first boot.
const FAILING: usize = 16;

/// What happens in an execution.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Event {
    Read(usize),
    Wrote(usize),
    /// Between two rounds: what comes next.
    Quiet(usize),
}

/// An execution: what happened, and the memory after it.
type Boot = Vec<(Event, Memory)>;

/// What is to blame.
#[derive(Default, Debug)]
pub(crate) struct Blame {
    /// Variables after one of whose writes a failure does harm, and before which it does not.
    pub(crate) surely: BTreeSet<usize>,
    /// Variables after one of whose writes a failure does harm.
    pub(crate) at_all: BTreeSet<usize>,
}

/// What is to blame in a program.
pub(crate) fn blame(program: &Program) -> Blame {
    let mut blame = Blame::default();
    let first = boot(program, [0; VARIABLES]);
    let is_quiet = |(event, _): &&(Event, Memory)| matches!(event, Event::Quiet(_));
    let mut before = [0; VARIABLES];
    let mut quiet = before;
    let mut was_harm = false;
    let mut moments = 0;
    for (index, &(event, after)) in first.iter().enumerate() {
        match event {
            Event::Quiet(_) => {
                moments += 1;
                quiet = after;
                if moments > FAILING {
                    break;
                }
            }
            Event::Wrote(variable) if variable < KEPT => {
                let next = first[index..].iter().find(is_quiet);
                let next = next.map_or(after, |(_, memory)| *memory);
                let is_harm = |memory: Memory| {
                    let attempt = boot(program, memory);
                    let mut references = [quiet, next].into_iter();
                    !references.any(|memory| agree(&attempt, &boot(program, memory)))
                };
                was_harm = was_harm && is_harm(before);
                if is_harm(after) {
                    blame.at_all.insert(variable);
                    if !was_harm {
                        blame.surely.insert(variable);
                    }
                    was_harm = true;
                } else {
                    was_harm = false;
                }
            }
            Event::Wrote(_) | Event::Read(_) => {}
        }
        before = after;
    }
    blame
}

/// A boot with what non-volatile memory holds.
fn boot(program: &Program, kept: Memory) -> Boot {
    let mut memory = [0; VARIABLES];
    memory[..KEPT].copy_from_slice(&kept[..KEPT]);
    let mut boot = Boot::new();
    run(&program.set_up, &mut memory, &mut boot);
    // After the last callback there is a turn in which nobody is called.
    let turns = program.callbacks.len() + 1;
    let mut turn = 0;
    let mut moments = 0;
    while moments < MOMENTS {
        moments += 1;
        boot.push((Event::Quiet(if program.waits { 0 } else { turn }), memory));
        if program.waits {
            memory[DONE] = 0;
            boot.push((Event::Wrote(DONE), memory));
            while memory[DONE] == 0 {
                boot.push((Event::Read(DONE), memory));
                if let Some(callback) = program.callbacks.get(turn) {
                    run(callback, &mut memory, &mut boot);
                }
                turn = (turn + 1) % turns;
            }
            boot.push((Event::Read(DONE), memory));
            run(&program.round, &mut memory, &mut boot);
        } else {
            match program.callbacks.get(turn) {
                Some(callback) => run(callback, &mut memory, &mut boot),
                None => run(&program.round, &mut memory, &mut boot),
            }
            turn = (turn + 1) % turns;
        }
    }
    boot
}

fn run(statements: &[Statement], memory: &mut Memory, boot: &mut Boot) {
    for statement in statements {
        if let Some((variable, value)) = statement.only_if {
            boot.push((Event::Read(variable), *memory));
            if memory[variable] != value {
                continue;
            }
        }
        let value = match statement.value {
            Value::Constant(value) => value,
            Value::Sum(from, more) => {
                boot.push((Event::Read(from), *memory));
                memory[from].wrapping_add(more)
            }
        };
        memory[statement.to] = value;
        boot.push((Event::Wrote(statement.to), *memory));
    }
}

/// Whether two boots agree at some moment between two rounds: what differs is overwritten before it is read.
fn agree(attempt: &Boot, reference: &Boot) -> bool {
    let quiet = |boot: &Boot| -> Vec<usize> {
        let events = boot.iter().enumerate();
        let quiet = events.filter(|(_, (event, _))| matches!(event, Event::Quiet(_)));
        quiet.map(|(index, _)| index).collect()
    };
    // What comes close to the end is not followed far enough.
    let moments = quiet(attempt)
        .into_iter()
        .zip(quiet(reference))
        .take(MOMENTS - 12);
    let mut moments = moments.filter(|&(a, b)| attempt[a].0 == reference[b].0);
    moments.any(|(a, b)| {
        (0..VARIABLES).all(|variable| {
            let differs = attempt[a].1[variable] != reference[b].1[variable];
            !differs || !matters(variable, &reference[b..])
        })
    })
}

/// Whether it matters from here on what a variable holds.
fn matters(variable: usize, rest: &[(Event, Memory)]) -> bool {
    let accesses = [Event::Read(variable), Event::Wrote(variable)];
    let first = rest.iter().find(|(event, _)| accesses.contains(event));
    match first {
        Some((Event::Read(_), _)) => true,
        Some(_) => false,
        None => variable < KEPT,
    }
}
