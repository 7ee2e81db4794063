//! Marks and roll-backs against clones of the whole machine.

use brownout_vm::{Machine, Mark, Stop};

use crate::generate::Choices;
use crate::record::Recorder;
use crate::support::{Setup, for_programs, same, same_bytes};

const LIMIT: u64 = 3_000;

/// What can be seen of a machine without running it.
fn look_alike(ours: &Machine<'_>, theirs: &Machine<'_>) -> Result<(), String> {
    same("time", ours.now(), theirs.now())?;
    same("place", ours.pc(), theirs.pc())?;
    same("backtrace", ours.backtrace(), theirs.backtrace())?;
    same("use", ours.memory_use(), theirs.memory_use())?;
    same_bytes(ours.memory(), theirs.memory(), |_| false)
}

/// Whether two machines look alike and go on alike, also after a power failure.
fn behave_alike(ours: &Machine<'_>, theirs: &Machine<'_>) -> Result<(), String> {
    look_alike(ours, theirs)?;
    let (mut ours, mut theirs) = (ours.clone(), theirs.clone());
    for _ in 0..2 {
        let (mut seen, mut expected) = (Recorder::default(), Recorder::default());
        let limit = ours.now() + LIMIT;
        same(
            "end",
            ours.run(&mut seen, limit),
            theirs.run(&mut expected, limit),
        )?;
        same("events", seen.events, expected.events)?;
        look_alike(&ours, &theirs)?;
        ours.fail_power();
        theirs.fail_power();
        look_alike(&ours, &theirs)?;
    }
    Ok(())
}

/// The journal knows every byte that changed, and what it was.
fn written_since(machine: &Machine<'_>, mark: &Mark, clone: &Machine<'_>) -> Result<(), String> {
    let offsets = machine.written_since(mark);
    let old: Vec<u8> = offsets
        .iter()
        .map(|&offset| clone.memory()[offset as usize])
        .collect();
    same("old bytes", machine.bytes_at(mark, &offsets), old)?;
    same_bytes(machine.memory(), clone.memory(), |offset| {
        offsets.binary_search(&offset).is_ok()
    })
}

/// One random life of a machine, with a clone at every mark.
fn life(setup: &Setup, extra: &mut Choices) -> Result<(), String> {
    let image = setup.image();
    let mut machine = Machine::new(&image);
    machine.keep_journal(true);
    let mut marks: Vec<(Mark, Machine<'_>)> = vec![];
    let size = machine.memory().len() as u64;
    for _ in 0..12 {
        match extra.below(8) {
            0 | 1 => {
                let until = machine.now() + extra.below(120);
                machine.advance(until);
            }
            2 => {
                let until = machine.now() + LIMIT;
                if machine.watch(&mut Recorder::default(), until) == Stop::Paused {
                    machine.step();
                }
            }
            3 | 4 => marks.push((machine.mark(), machine.clone())),
            5 if !marks.is_empty() => {
                let keep = 1 + extra.below(marks.len() as u64) as usize;
                marks.truncate(keep);
                let (mark, clone) = &marks[keep - 1];
                written_since(&machine, mark, clone)?;
                machine.rollback(mark);
                behave_alike(&machine, clone)?;
            }
            6 => {
                let start = extra.below(size - 1) as u32;
                let end = start + extra.below(size.min(60)) as u32;
                let saves = start..end.min(size as u32);
                machine.commit(std::slice::from_ref(&saves));
            }
            _ => machine.fail_power(),
        }
    }
    while let Some((mark, clone)) = marks.pop() {
        machine.rollback(&mark);
        behave_alike(&machine, &clone)?;
    }
    Ok(())
}

#[test]
fn rolling_back_is_going_back_to_a_clone() {
    for_programs(1_500, 6, life);
}
