//! Pausing: a run in pieces is the same run, and memory at a pause is what it
//! is after exactly that many instructions.
//!
//! `now()` is at least the time asked for. It can be more: by instructions that
//! melt into the next operation (they only touch registers, so the state is
//! that of the time asked for as well), and inside a `Copy` or `Fill`, which
//! takes the time of a loop but happens at once.

use brownout_vm::{Machine, Observer, Stop};

use crate::generate::Choices;
use crate::record::Outside;
use crate::reference::Reference;
use crate::support::{Setup, for_programs, same, same_bytes, same_memory};

const LIMIT: u64 = 2_000;

/// Brings the reference to where the paused machine is and compares.
fn same_at_pause(
    machine: &Machine<'_>,
    reference: &mut Reference<'_>,
    until: u64,
) -> Result<(), String> {
    reference.run(until);
    same_memory(machine, reference).map_err(|reason| format!("pausing at {until}: {reason}"))?;
    // Whatever the machine is ahead touches registers only, unless one instruction took that long.
    let long = reference.time > until;
    while reference.time < machine.now() {
        reference.step();
        if reference.touched && !long {
            return Err(format!("pausing at {until}: now is {}", machine.now()));
        }
    }
    same("time", machine.now(), reference.time)
}

fn pieces(setup: &Setup, extra: &mut Choices) -> Result<(), String> {
    let image = setup.image();
    let mut whole = Machine::new(&image);
    let mut seen = Outside::default();
    let end = whole.run(&mut seen, LIMIT);
    let mut machine = Machine::new(&image);
    machine.keep_journal(extra.chance(2));
    let mut seen_in_pieces = Outside::default();
    let mut reference = setup.reference(&image);
    for _ in 0..6 {
        let until = machine.now() + extra.below(whole.now() / 3 + 2);
        if until >= LIMIT || machine.watch(&mut seen_in_pieces, until) != Stop::Paused {
            break;
        }
        if machine.now() < until {
            return Err(format!("paused at {}, before {until}", machine.now()));
        }
        same_at_pause(&machine, &mut reference, until)?;
    }
    same("end", machine.watch(&mut seen_in_pieces, LIMIT), end)?;
    same("time", machine.now(), whole.now())?;
    same("outside", seen_in_pieces, seen)?;
    same_bytes(machine.memory(), whole.memory(), |_| false)
}

#[test]
fn runs_in_pieces_are_the_same_run() {
    for_programs(800, 3, pieces);
}

fn everywhere(setup: &Setup, _: &mut Choices) -> Result<(), String> {
    let image = setup.image();
    let mut whole = Machine::new(&image);
    whole.advance(300);
    let mut reference = setup.reference(&image);
    let mut stepping = Machine::new(&image);
    for until in 0..whole.now() {
        let mut direct = Machine::new(&image);
        same("pause", direct.advance(until), Stop::Paused)?;
        same("pause", stepping.advance(until), Stop::Paused)?;
        same("time", stepping.now(), direct.now())?;
        same("place", stepping.pc(), direct.pc())?;
        same_bytes(stepping.memory(), direct.memory(), |_| false)?;
        if reference.time <= until {
            let mut ahead = reference.clone();
            same_at_pause(&direct, &mut ahead, until)?;
            reference.run(until);
        }
    }
    Ok(())
}

#[test]
fn pausing_at_every_instruction() {
    for_programs(150, 4, everywhere);
}

/// `step` always gets on, by at least one instruction.
#[test]
fn steps_get_on() {
    for_programs(150, 5, |setup, _| {
        let image = setup.image();
        let mut machine = Machine::new(&image);
        let mut whole = Machine::new(&image);
        let end = whole.advance(LIMIT);
        for _ in 0..LIMIT {
            let before = machine.now();
            if machine.step() != Stop::Paused {
                return same("time", machine.now(), whole.now());
            }
            if machine.now() <= before {
                return Err(format!("stuck at {before}"));
            }
        }
        same("end", Stop::Paused, end)
    });
}

/// Counts the operations of a step.
#[derive(Default)]
struct Operations {
    executed: Vec<u32>,
}

impl Observer for Operations {
    fn flow(&self) -> bool {
        true
    }

    fn execute(&mut self, pc: u32) {
        self.executed.push(pc);
    }
}

fn one_by_one(setup: &Setup, _: &mut Choices) -> Result<(), String> {
    let image = setup.image();
    let mut whole = Machine::new(&image);
    let mut all = Operations::default();
    let end = whole.watch(&mut all, LIMIT);
    let mut machine = Machine::new(&image);
    let mut seen = Operations::default();
    while machine.now() < whole.now()
        || (end != Stop::Paused && seen.executed.len() < all.executed.len())
    {
        let (pc, count) = (machine.pc(), seen.executed.len());
        let stop = machine.watch_operation(&mut seen);
        same("operation", &seen.executed[count..], &[pc])?;
        if stop != Stop::Paused {
            same("end", stop, end.clone())?;
            break;
        }
    }
    let shared = seen.executed.len().min(all.executed.len());
    same(
        "operations",
        &seen.executed[..shared],
        &all.executed[..shared],
    )?;
    same("time", machine.now(), whole.now())?;
    same_bytes(machine.memory(), whole.memory(), |_| false)
}

/// A run of single operations is the same run, and shows every operation.
#[test]
fn single_operations() {
    for_programs(150, 6, one_by_one);
}
