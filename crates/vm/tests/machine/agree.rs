//! Property: on every program the machine does what the reference does: same
//! end, same time, same memory, same accesses, calls and outputs in the same
//! order at the same time; whether it is watched or not, journalled or not.

use std::collections::BTreeMap;

use brownout_ir::{Op, Terminator};
use brownout_vm::{Machine, Stop};

use crate::generate::Choices;
use crate::record::{Outside, Recorder, first_difference, outside};
use crate::support::{Setup, for_programs, same, same_memory};

/// Where long programs are cut.
const LIMIT: u64 = 5_000;

fn agrees(setup: &Setup, _: &mut Choices) -> Result<(), String> {
    let image = setup.image();
    let mut watched = Machine::new(&image);
    let mut recorder = Recorder::default();
    let stop = watched.run(&mut recorder, LIMIT);
    let mut reference = setup.reference(&image);
    reference.run(watched.now());
    if stop != Stop::Paused && reference.stop.is_none() {
        reference.step();
    }
    same(
        "end",
        &stop,
        reference.stop.as_ref().unwrap_or(&Stop::Paused),
    )?;
    same("time", watched.now(), reference.time)?;
    first_difference(&recorder.events, &reference.events).map_or(Ok(()), Err)?;
    same_memory(&watched, &reference)?;
    let functions: Vec<_> = watched
        .backtrace()
        .into_iter()
        .map(|(func, _)| func)
        .collect();
    same("backtrace", functions, reference.backtrace())?;

    let mut unwatched = Machine::new(&image);
    same("end unobserved", unwatched.advance(LIMIT), stop.clone())?;
    let mut journalled = Machine::new(&image);
    journalled.keep_journal(true);
    let mut seen = Outside::default();
    same("end journalled", journalled.run(&mut seen, LIMIT), stop)?;
    same("outside", seen.events, outside(&recorder.events))?;
    for other in [unwatched, journalled] {
        same("time unobserved", other.now(), watched.now())?;
        same("place unobserved", other.pc(), watched.pc())?;
        crate::support::same_bytes(other.memory(), watched.memory(), |_| false)?;
    }
    Ok(())
}

#[test]
fn machine_and_reference_agree() {
    for_programs(5_000, 1, agrees);
}

/// The property means little if the programs leave something out or all end at once.
#[test]
fn generated_programs_do_everything() {
    let words = std::cell::RefCell::new(BTreeMap::<String, u32>::new());
    let count = |word: &str| *words.borrow_mut().entry(word.to_owned()).or_default() += 1;
    for_programs(400, 2, |setup, _| {
        for body in setup
            .program
            .functions
            .values()
            .filter_map(|function| function.body.as_ref())
        {
            for block in body.blocks.values() {
                for inst in &block.insts {
                    let text = inst.op.to_string();
                    let mut parts = text.split([' ', '(']);
                    let word = parts.next().unwrap_or("");
                    match &inst.op {
                        Op::Service { service, .. } => count(service.name()),
                        Op::Load { ty, .. } | Op::Store { ty, .. } => {
                            count(&format!("{word} {ty}"))
                        }
                        _ => count(word),
                    }
                }
                count(match &block.terminator {
                    Terminator::Jump(_) => "jump",
                    Terminator::Branch { .. } => "branch",
                    Terminator::Switch { .. } => "switch",
                    Terminator::Computed { .. } => "computed",
                    Terminator::Return(_) => "return",
                    Terminator::Unreachable => "unreachable",
                });
            }
        }
        let image = setup.image();
        let mut machine = Machine::new(&image);
        count(match machine.advance(LIMIT) {
            Stop::Exited { .. } => "exited",
            Stop::Paused => "paused",
            Stop::Faulted(_) => "faulted",
        });
        count(match machine.now() {
            0..30 => "tiny",
            30..300 => "small",
            _ => "large",
        });
        Ok(())
    });
    let words = words.into_inner();
    let wanted = [
        "add",
        "sdiv",
        "popcount",
        "fshl",
        "fadd",
        "fma",
        "fneg",
        "icmp",
        "fcmp",
        "select",
        "address",
        "copy",
        "fill",
        "stack_alloc",
        "stack_restore",
        "call",
        "call_indirect",
        "setjmp",
        "longjmp",
        "write",
        "clock",
        "computed",
        "switch",
        "zext",
        "sext",
        "ptrtoint",
        "inttoptr",
        "fneg",
        "sitofp",
        "bitcast",
        "load i1",
        "load i24",
        "load i128",
        "load f80",
        "store i128",
        "store f80",
        "store f16",
        "store ptr",
        "store i65",
    ];
    for word in wanted {
        assert!(
            words.get(word).is_some_and(|&count| count >= 10),
            "{word}: {words:?}"
        );
    }
    assert!(
        words["exited"] > 250 && words["small"] > 100 && words["large"] > 30,
        "{words:?}"
    );
}
