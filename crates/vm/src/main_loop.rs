//! The loop that a program stays in, if optimising compilers have made two loops of it.
//!
//! `for (;;) { …; if (!latched && event()) latched = true; }` becomes a loop inside another: once `latched` is set, the program
//! goes round in the inner one for ever. Then its rounds are those of the program.

use std::ops::ControlFlow;

use crate::image::{Image, ImageError};
use crate::layout::MemoryPlan;
use crate::loops::Loops;
use crate::machine::{Bounds, Machine, Stop};
use crate::observer::{Moment, Observer};
use brownout_ir::{Block, Func};

/// A program that comes to no head of an outermost loop for so many instructions may stay in a loop inside.
const LONG: u64 = 2_000_000;
/// It is looked for within so many.
const FIRST: u64 = 4_000_000;
/// And it does if it comes to none for so many.
const FOR_EVER: u64 = 40_000_000;
/// A loop of at most so many operations in which nothing happens any more is no work.
const LONGEST_IDLE: u32 = 1 << 12;

/// The image or, if the program stays in a loop inside, the one that pauses at the head of that in place of the one around it.
/// It executes the beginning of the program to find that out.
pub fn with_rounds_of_inner_loop(image: Image, plan: &MemoryPlan) -> Result<Image, ImageError> {
    let Some((func, outer, inner)) = inner_loop(&image) else {
        return Ok(image);
    };
    let mut bindings = image.bindings().clone();
    bindings.loop_heads.remove(&(func, outer));
    bindings.loop_heads.insert((func, inner));
    let program = image.program().clone();
    Image::new(program, image.start(), plan, bindings)
}

/// The function in which the program stays in a loop inside an outermost one, with the heads of that one and of the one inside.
fn inner_loop(image: &Image) -> Option<(Func, Block, Block)> {
    let loops = Loops::of(image);
    let mut machine = Machine::new(image);
    machine.set_bounds(Bounds::Lenient);
    let last = follow(&mut machine, &loops, FIRST)?;
    if machine.now() - last < LONG || machine.standstill(LONGEST_IDLE).is_some() {
        return None;
    }
    let found = loops.inner_head(&machine)?;
    let is_left = follow(&mut machine, &loops, FOR_EVER)? > 0;
    (!is_left && loops.inner_head(&machine) == Some(found)).then_some(found)
}

/// Executes so far, if the program does not end before; when it was last at the head of an outermost loop; 0 if it was at none.
fn follow(machine: &mut Machine<'_>, loops: &Loops, until: u64) -> Option<u64> {
    let mut last = 0;
    let mut heads = Heads::default();
    while machine.now() < until {
        match machine.watch(&mut heads, until) {
            Stop::Paused => {}
            Stop::Exited { .. } | Stop::Faulted(_) => return None,
        }
        if std::mem::take(&mut heads.is_passed) && loops.is_outermost(machine) {
            last = machine.now();
        }
    }
    Some(last)
}

/// Pauses at the heads of loops.
#[derive(Default)]
struct Heads {
    is_passed: bool,
}

impl Observer for Heads {
    fn loop_head(&mut self, _: Moment) -> ControlFlow<()> {
        self.is_passed = true;
        ControlFlow::Break(())
    }
}
