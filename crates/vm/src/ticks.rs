//! Waiting for ticks: `while (ms - start < 500);`, where a handler does nothing but `ms++`.
//!
//! A device spends most of its time in such loops, an emulator need not. Which handlers come, and when, is an input
//! (SEMANTICS §1): one that only counts may come as often as it takes to end the loop, all between two rounds of it.
//!
//! **Algorithm.** Where such a handler is about to come in such a loop, the loop is executed on trial, with the counter
//! as it would be after one tick, two, four and so on, until the loop ends; between the last two numbers the least that ends
//! it is found by bisection. The counter then goes on by one tick less, and the handler comes for the last one.
//!
//! **Invariant:** what happens is what would happen if the handler came that often, one time after the other.

use std::collections::{BTreeMap, BTreeSet};

use brownout_ir::{
    Block, Callee, Func, Global, Inst, IntBinary, Op, Operand, Origin, Program, Terminator, Type,
    Value,
};

use crate::awaited::Awaited;
use crate::image::Image;
use crate::interrupts::Interrupts;
use crate::layout::SegmentKind;
use crate::loops::{block_of, is_end_of_sleep};
use crate::machine::{Machine, Stop};
use crate::observer::{Moment, Observer, Stream};
use crate::readings::Attempt;

/// No loop is looked at for longer than this, in operations.
const ROUND: u32 = 4096;

/// For so many waits it is kept in mind how long they took.
pub(crate) const WAITS: usize = 8;

/// Nobody waits for more ticks than this: five hours of milliseconds.
const MOST: u64 = 1 << 24;

/// Handlers that only count, and the loops that wait for them.
#[derive(Clone, Debug, Default)]
pub struct Ticks {
    /// What handlers count, by their numbers.
    counters: BTreeMap<u8, Vec<Counter>>,
    /// The blocks of loops that only wait for that.
    waits: BTreeMap<Func, Vec<BTreeSet<Block>>>,
}

/// A number that every tick changes in the same way.
#[derive(Clone, Copy, Debug)]
struct Counter {
    global: Global,
    /// Where in it.
    start: i64,
    bytes: u32,
    step: u64,
}

impl Ticks {
    /// Such handlers and loops of a program, if handler 1 is the first.
    pub fn new(program: &Program, handlers: &[Func]) -> Self {
        let handlers = (1..=u8::MAX).zip(handlers);
        let counters = handlers.filter_map(|(number, &handler)| {
            let mut counted = Vec::new();
            let only = counts(program, handler, &mut counted, 0) && !counted.is_empty();
            only.then_some((number, handler, counted))
        });
        let counters: Vec<_> = counters.collect();
        let awaited = Awaited::new(program, counters.iter().map(|&(_, handler, _)| handler));
        let functions = program.functions.iter();
        let users = functions.filter(|(_, function)| function.origin == Origin::User);
        let waits = users.map(|(func, _)| {
            let waits = awaited.of(program, func).into_iter();
            (func, waits.map(|wait| wait.members).collect::<Vec<_>>())
        });
        Self {
            waits: waits.filter(|(_, waits)| !waits.is_empty()).collect(),
            counters: counters
                .into_iter()
                .map(|(number, _, counted)| (number, counted))
                .collect(),
        }
    }
}

/// Whether a function does nothing but count, always the same, and acknowledge that to the hardware; what it counts.
fn counts(program: &Program, func: Func, counters: &mut Vec<Counter>, depth: u32) -> bool {
    let Some(body) = &program.functions[func].body else {
        return false;
    };
    let bits = |value: Value| match body.values.get(value) {
        Some(&Type::Int(bits)) => bits,
        _ => 0,
    };
    // Values of variables, by how much they were changed, and how many bits of them are left.
    let mut known: BTreeMap<Value, (Global, i64, u64, u8)> = BTreeMap::new();
    let mut only_counts = |inst: &Inst| match inst.op {
        Op::Load {
            address: Operand::Global(global, start),
            ..
        } => {
            let results = inst.results.iter();
            known.extend(results.map(|&result| (result, (global, start, 0, bits(result)))));
            true
        }
        Op::Load { .. } => true,
        Op::Cast { a, .. } => {
            let value = a.value().and_then(|value| known.get(&value).copied());
            if let (Some((global, start, step, left)), Some(&result)) =
                (value, inst.results.first())
            {
                known.insert(result, (global, start, step, left.min(bits(result))));
            }
            true
        }
        Op::IntBinary { op, a, b, .. } => {
            let value = a.value().and_then(|value| known.get(&value).copied());
            let by = match (op, b) {
                (IntBinary::Add, Operand::Bits(by)) => Some(by as u64),
                (IntBinary::Sub, Operand::Bits(by)) => Some((by as u64).wrapping_neg()),
                _ => None,
            };
            let stepped = value.zip(by).map(|((global, start, step, left), by)| {
                (global, start, step.wrapping_add(by), left)
            });
            known.extend(inst.results.first().copied().zip(stepped));
            true
        }
        Op::Store {
            address: Operand::Global(global, start),
            value,
            ty: Type::Int(width),
            ..
        } => {
            let mut others = counters.iter();
            let is_counted = others.any(|counter| counter.global == global);
            let stored = value.value().and_then(|value| known.get(&value).copied());
            match stored {
                _ if is_counted => false,
                // A register of the hardware.
                _ if program.globals[global].init.is_none() => true,
                // What is wider than what was counted goes round before it is full.
                Some((its, at, step, left)) if (its, at) == (global, start) && left >= width => {
                    counters.push(Counter {
                        global,
                        start,
                        bytes: u32::from(width).div_ceil(8),
                        step,
                    });
                    true
                }
                _ => false,
            }
        }
        Op::Store {
            address: Operand::Bits(_),
            ..
        } => true,
        Op::Call {
            callee: Callee::Direct(callee),
            ..
        } if is_end_of_sleep(program, callee) => true,
        Op::Call {
            callee: Callee::Direct(callee),
            ref args,
            ..
        } if args.is_empty() && depth < 4 => counts(program, callee, counters, depth + 1),
        _ => false,
    };
    body.blocks.values().all(|data| {
        let goes_on = matches!(data.terminator, Terminator::Jump(_) | Terminator::Return(_));
        goes_on && data.insts.iter().all(&mut only_counts)
    })
}

impl Machine<'_> {
    /// These handlers are about to come. If that is one that only counts, and the program waits for it, all
    /// ticks but the last one of those that it waits for have come.
    pub(crate) fn skip_ticks(&mut self, interrupts: &Interrupts, handlers: u64) {
        let Some(ticks) = &interrupts.ticks else {
            return;
        };
        let number = u8::try_from(handlers).ok();
        let number = number.filter(|number| {
            interrupts.asleep.contains(number) || interrupts.anywhere.contains(number)
        });
        let Some(counters) = number.and_then(|number| ticks.counters.get(&number)) else {
            return;
        };
        let places = counters
            .iter()
            .map(|counter| Some((self.image.volatile_place(counter)?, *counter)));
        let counted: Option<Vec<_>> = places.collect();
        if let (Some(counted), Some(wait)) = (counted, self.wait_in_progress(ticks))
            && let Some(times) = self.ticks_awaited(&counted, &wait)
        {
            self.count(&counted, times - 1);
        }
    }

    /// The loop that the program waits in: how many calls are in progress there, and its blocks.
    fn wait_in_progress<'t>(&self, ticks: &'t Ticks) -> Option<Wait<'t>> {
        let calls = self.backtrace();
        let depths = (1..=self.depth()).rev();
        depths.zip(calls).find_map(|(depth, (func, pc))| {
            let block = block_of(self.image, func, pc)?;
            let waits = ticks.waits.get(&func)?;
            let members = waits.iter().find(|members| members.contains(&block))?;
            Some(Wait {
                depth,
                func,
                members,
            })
        })
    }

    /// After how many ticks a loop ends, if it does not end anyway.
    fn ticks_awaited(&mut self, counted: &[(u32, Counter)], wait: &Wait<'_>) -> Option<u64> {
        // The upper half is the better mixed one.
        let which = (self.path_to(self.processor.pc) >> 32) as usize % WAITS;
        let last = self.ticks_awaited[which];
        let journaling = std::mem::replace(&mut self.journaling, true);
        // Nobody comes while the loop is tried.
        let attempt = self.attempt.replace(Box::new(Attempt::without_handlers()));
        let mark = self.mark();
        let mut ends = |times: u64| {
            self.count(counted, times);
            let ends = self.leaves(wait);
            self.rollback(&mark);
            ends
        };
        let mut search = || {
            // A program mostly waits as long as it did there before.
            if last > 0 && ends(last)? && !ends(last - 1)? {
                return Some(last);
            }
            if ends(0)? {
                return None;
            }
            let mut most = 1;
            while !ends(most)? {
                most *= 2;
                if most > MOST {
                    return None;
                }
            }
            let mut least = most / 2;
            while most - least > 1 {
                let middle = least.midpoint(most);
                match ends(middle)? {
                    true => most = middle,
                    false => least = middle,
                }
            }
            Some(most)
        };
        let found = search();
        self.ticks_awaited[which] = found.unwrap_or(0);
        self.attempt = attempt;
        self.journaling = journaling;
        if !journaling {
            self.journal.clear();
        }
        found
    }

    /// Whether execution leaves a loop before it comes to where it is again. Nothing if it does neither soon, or does something
    /// that the world sees.
    fn leaves(&mut self, wait: &Wait<'_>) -> Option<bool> {
        let (here, depth) = (self.processor.pc, self.depth());
        let mut world = World::default();
        for _ in 0..ROUND {
            let stop = self.watch_operation(&mut world);
            if stop != Stop::Paused || world.is_concerned {
                return None;
            }
            if self.processor.pc == here && self.depth() == depth {
                return Some(false);
            }
            if self.depth() < wait.depth {
                return Some(true);
            }
            let block = block_of(self.image, wait.func, self.processor.pc);
            let is_inside = block.is_some_and(|block| wait.members.contains(&block));
            if self.depth() == wait.depth && !is_inside {
                return Some(true);
            }
        }
        None
    }

    /// Lets counters go on as so many ticks would.
    fn count(&mut self, counted: &[(u32, Counter)], times: u64) {
        for &(offset, counter) in counted {
            let bytes = (0..counter.bytes).map(|byte| self.memory[(offset + byte) as usize]);
            let mut value = [0; 8];
            for (to, byte) in value.iter_mut().zip(bytes) {
                *to = byte;
            }
            let by = counter.step.wrapping_mul(times);
            let value = u64::from_le_bytes(value).wrapping_add(by).to_le_bytes();
            for (offset, byte) in (offset..).zip(value).take(counter.bytes as usize) {
                self.overwrite(offset, byte);
            }
        }
    }
}

impl Image {
    /// Where a counter is, if it is in volatile memory.
    fn volatile_place(&self, counter: &Counter) -> Option<u32> {
        let start = u32::try_from(counter.start).ok()?;
        let offset = self.layout.offset_of(counter.global).checked_add(start)?;
        let segment = self.layout.segment(offset)?;
        let is_counter = !segment.nonvolatile && segment.kind != SegmentKind::Registers;
        let is_whole = counter.bytes <= 8 && offset + counter.bytes <= segment.offsets.end;
        (is_counter && is_whole).then_some(offset)
    }
}

/// A loop that waits, in an execution.
struct Wait<'t> {
    /// How many calls are in progress in the function that has it.
    depth: usize,
    func: Func,
    members: &'t BTreeSet<Block>,
}

/// Whether the world is asked or told something.
#[derive(Default)]
struct World {
    is_concerned: bool,
}

impl Observer for World {
    fn input(&mut self, _: Moment, _: u32, _: u64) {
        self.is_concerned = true;
    }

    fn output(&mut self, _: Moment, _: u32, _: &[u64]) {
        self.is_concerned = true;
    }

    fn write(&mut self, _: Moment, _: Stream, _: &[u8]) {
        self.is_concerned = true;
    }
}
