//! Locals that nobody reads any more: whatever they hold, the execution goes on alike.

use std::cell::Cell;
use std::ops::Range;

use brownout_ir::Id;
use brownout_vm::{Image, Machine, Stop};

use crate::generate::Choices;
use crate::record::Outside;
use crate::support::{Setup, for_programs, image, same};

const LIMIT: u64 = 2_000;

/// Where the dead locals of a machine are.
fn dead(machine: &Machine<'_>) -> Vec<u32> {
    let stack = machine.live_stack();
    stack.filter(|&at| machine.is_dead_local(at)).collect()
}

/// Where the locals of the entry function are: nobody else gets their memory after it has returned, and finds there what
/// they left.
fn locals_of_entry(image: &Image) -> Range<u32> {
    let mut machine = Machine::new(image);
    while machine
        .backtrace()
        .iter()
        .all(|&(func, _)| func.index() != 0)
        && machine.advance(machine.now() + 1) == Stop::Paused
    {}
    machine.live_stack()
}

/// Pauses somewhere, changes what is dead, and compares; how many bytes that were.
fn changed(setup: &Setup, extra: &mut Choices) -> Result<usize, String> {
    let image = setup.image();
    let mut whole = Machine::new(&image);
    whole.advance(LIMIT);
    let mut machine = Machine::new(&image);
    if machine.advance(extra.below(whole.now() + 1)) != Stop::Paused {
        return Ok(0);
    }
    let mut other = machine.clone();
    let mut dead = dead(&machine);
    let entry = locals_of_entry(&image);
    dead.retain(|at| entry.contains(at));
    for &at in &dead {
        let byte = machine.memory()[at as usize];
        other.set_memory(at, &[!byte]);
    }
    let (mut seen, mut seen_by_other) = (Outside::default(), Outside::default());
    let end = machine.watch(&mut seen, LIMIT);
    same("end", other.watch(&mut seen_by_other, LIMIT), end)?;
    same("time", other.now(), machine.now())?;
    same("outside", seen_by_other, seen)?;
    Ok(dead.len())
}

#[test]
fn what_dead_locals_hold_does_not_matter() {
    let bytes = Cell::new(0);
    for_programs(2_000, 17, |setup, extra| {
        bytes.set(bytes.get() + changed(setup, extra)?);
        Ok(())
    });
    assert!(bytes.get() > 1_000, "{} bytes were dead", bytes.get());
}

#[test]
fn a_local_is_dead_where_no_path_leads_to_a_load() {
    // The first is read before the loop only, the second in it, and the address of the third is known to others.
    let text = "target \"t\" pointer 16\nglobal g0 \"g\" size 2 align 2 = {}\nglobal g1 \"p\" size 2 align 2 = {}\n\
        function fn0 \"main\" () {\n slot s0 size 2 align 2\n slot s1 size 2 align 2\n slot s2 size 2 align 2\n\
        b0:\n store i16 7 to s0\n store i16 8 to s1\n store ptr s2 to g1\n v0 = load i16 s0\n store i16 v0 to g0\n jump b1\n\
        b1:\n v1 = load i16 s1\n store i16 v1 to g0\n jump b1\n}";
    let image = image(text);
    let mut machine = Machine::new(&image);
    machine.advance(1);
    assert!(dead(&machine).is_empty(), "everything is still read");
    machine.advance(20);
    let stack = machine.memory();
    let dead = dead(&machine);
    let contents: Vec<u8> = dead.iter().map(|&at| stack[at as usize]).collect();
    assert_eq!(contents, [7, 0], "the first local");
}
