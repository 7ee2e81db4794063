//! Loops that a program never leaves.
//!
//! A machine that is where it was before, with the same in its registers and its memory, and without
//! inputs and outputs in between, will be there again and again.

use std::collections::{BTreeMap, BTreeSet};

use brownout_ir::Origin;
use brownout_scenario::ValueSource;

use crate::layout::SegmentKind;
use crate::machine::{Machine, Processor, Stop};
use crate::observer::{Moment, Observer, Register, Stream};

/// A loop in which nothing changes, or all that changes is again and again as it was.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Standstill {
    /// Some operation in it.
    pub pc: u32,
    /// Whether it changes variables, and changes them back: a main loop in which nothing new happens.
    pub works: bool,
    /// Whether it does no such work, and something is decided in it, always in the same way: then it
    /// waits for something.
    pub waits: bool,
    /// What it reads: offsets and sizes, the first few.
    pub reads: Vec<(u32, u32)>,
    /// Whether it sleeps, and interrupts end that.
    pub is_woken: bool,
    /// Inputs that it reads, by number.
    pub inputs: BTreeSet<u32>,
    /// After how many instructions the machine is in it.
    pub after: u64,
    /// How many instructions a round takes.
    pub round: u64,
}

impl Standstill {
    /// When all that happens in it has happened once, if it was found at some time.
    pub const fn is_seen_at(&self, found: u64) -> u64 {
        found.saturating_add(self.after).saturating_add(self.round)
    }
}

/// A state of a machine that later ones are held against.
#[derive(Clone, Debug)]
pub struct Anchor {
    processor: Processor,
    memory: Vec<u8>,
    environment: Vec<i64>,
    /// How often inputs were read, and after how many readings they give the same again.
    inputs: Vec<(u64, Option<u64>)>,
    /// What is asked about interrupts: one that has not come yet may still come.
    asked: (u64, u64),
    time: u64,
}

impl Machine<'_> {
    /// Whether the program is in a loop that it never leaves, of at most `longest` operations. The
    /// machine stays as it is.
    pub fn standstill(&mut self, longest: u32) -> Option<Standstill> {
        self.look(longest, World::Unknown)
    }

    /// The same for somebody who takes what the scenario says of inputs for all there is, and to whom
    /// outputs are nothing but what they change in the environment.
    pub fn repetition(&mut self, longest: u32) -> Option<Standstill> {
        self.look(longest, World::Known)
    }

    /// The state that the machine is in. Some inputs may give what nobody knows.
    pub fn anchor(&self, is_unknown: impl Fn(u32) -> bool) -> Anchor {
        let periods = self.periods(World::Known);
        let periods = (0..)
            .zip(periods)
            .map(|(input, period)| match is_unknown(input) {
                true => None,
                false => period,
            });
        Anchor {
            processor: self.processor.clone(),
            memory: self.memory.clone(),
            environment: self.environment().to_vec(),
            inputs: self.inputs_read.iter().copied().zip(periods).collect(),
            asked: (self.interrupts_asked, self.sleeps),
            time: self.now(),
        }
    }

    /// If everything is as it was then, so that what happened since will happen again and again: how
    /// many instructions that takes.
    pub fn round_since(&self, anchor: &Anchor) -> Option<u64> {
        let comes_again = |(&now, &(then, period)): (&u64, &(u64, Option<u64>))| {
            now == then || period.is_some_and(|period| (now - then).is_multiple_of(period))
        };
        let is_same = self.processor == anchor.processor
            && (self.interrupts_asked, self.sleeps) == anchor.asked
            && self.inputs_read.iter().zip(&anchor.inputs).all(comes_again)
            && self.environment() == anchor.environment
            && self.memory == anchor.memory;
        let round = self.now() - anchor.time;
        (is_same && round > 0).then_some(round)
    }

    /// After how many readings inputs give the same again, from now on, if that is known.
    fn periods(&self, world: World) -> Vec<Option<u64>> {
        let holds = self.holds_inputs();
        let inputs = self.image.bindings.inputs.iter().zip(&self.inputs_read);
        let period = |(source, &read): (&ValueSource, &u64)| match world {
            _ if holds => Some(1),
            World::Unknown => None,
            World::Known => source.period(read),
        };
        inputs.map(period).collect()
    }

    fn look(&mut self, longest: u32, world: World) -> Option<Standstill> {
        let journaling = std::mem::replace(&mut self.journaling, true);
        let mark = self.mark();
        let found = self.circle(longest, world);
        self.rollback(&mark);
        self.journaling = journaling;
        if !journaling {
            self.journal.clear();
        }
        found
    }

    /// Compares with a state that is left further and further behind (Brent 1980).
    fn circle(&mut self, longest: u32, world: World) -> Option<Standstill> {
        let start = self.now();
        let mut anchored = start;
        let new = |machine: &Self| Seen {
            periods: machine.periods(world),
            outputs_count: world == World::Unknown,
            ..Seen::default()
        };
        let mut seen = new(self);
        let mut anchor: (Processor, usize) = (self.processor.clone(), self.journal.position());
        let mut environment = self.environment().to_vec();
        let (mut distance, mut most) = (0, 1);
        let asked = self.interrupts_asked;
        // In a sleep all handlers come in turn. One that nothing ends is a loop, too, if everything is as it
        // was whichever of them has come.
        let handlers = self.image.bindings.interrupts.as_ref();
        let handlers = handlers.map_or(0, |interrupts| interrupts.asleep.len() as u64);
        let (mut sleeps, mut unchanged) = (self.sleeps, 0);
        for _ in 0..2 * u64::from(longest) {
            let stop = self.watch(&mut seen, self.now() + 1);
            // An interrupt that has not come yet may still come.
            let is_interruptible = self.interrupts_asked != asked;
            if stop != Stop::Paused || seen.is_outside || is_interruptible {
                return None;
            }
            distance += 1;
            let is_same = seen.differing == 0 && self.processor == anchor.0;
            let is_same = is_same && seen.is_in_step() && self.environment() == environment;
            let is_same = is_same && self.is_unchanged_since(anchor.1);
            unchanged += u64::from(is_same);
            let slept = self.sleeps - sleeps;
            if is_same && (slept == 0 || slept >= handlers && slept == unchanged) {
                seen.execute(self.processor.pc);
                let works = self.changes_variables(&seen);
                // Nobody waits for what he writes himself.
                let mut reads = std::mem::take(&mut seen.reads);
                reads.retain(|&(offset, _)| !self.is_written_by_user(&seen, offset));
                return Some(Standstill {
                    pc: self.user_operation(),
                    works,
                    waits: seen.waits() && !works,
                    reads,
                    is_woken: slept > 0,
                    inputs: seen.inputs.into_keys().collect(),
                    after: anchored - start,
                    round: self.now() - anchored,
                });
            }
            if distance == most {
                (distance, most) = (0, 2 * most);
                seen = new(self);
                (sleeps, unchanged) = (self.sleeps, 0);
                anchored = self.now();
                anchor.0.clone_from(&self.processor);
                anchor.1 = self.journal.position();
                environment.clear();
                environment.extend_from_slice(self.environment());
            }
        }
        None
    }

    /// Whether the user's code changes what is not on the stack in a stretch of execution.
    fn changes_variables(&self, seen: &Seen) -> bool {
        seen.stored.iter().any(|(&(offset, pc), &changes)| {
            let segment = self.image.layout().segment(offset);
            let is_variable = segment.is_some_and(|segment| segment.kind != SegmentKind::Stack);
            changes && is_variable && self.is_of_user(pc)
        })
    }

    /// Whether the user's code stores something to a byte.
    fn is_written_by_user(&self, seen: &Seen, offset: u32) -> bool {
        let mut stored = seen.stored.range((offset, 0)..=(offset, u32::MAX));
        stored.any(|(&(_, pc), _)| self.is_of_user(pc))
    }

    fn is_of_user(&self, pc: u32) -> bool {
        let func = self.image.function(pc);
        func.is_some_and(|func| self.image.program.functions[func].origin == Origin::User)
    }

    /// The operation of the user's code that is executed, whatever the library does for it.
    fn user_operation(&self) -> u32 {
        let functions = &self.image.program.functions;
        let calls = self.backtrace();
        let mut calls = calls.iter();
        let user = calls.find(|(func, _)| functions[*func].origin == Origin::User);
        user.map_or(self.processor.pc, |&(_, pc)| pc)
    }

    /// Whether memory holds what it held then.
    fn is_unchanged_since(&self, journal: usize) -> bool {
        let before = self.journal.before(journal, |_| true);
        // The oldest of several comes last.
        let before: BTreeMap<u32, u8> = before.into_iter().collect();
        let mut before = before.into_iter();
        before.all(|(offset, old)| self.memory[offset as usize] == old)
    }
}

/// What is known of the world around the device.
#[derive(Clone, Copy, PartialEq, Eq)]
enum World {
    /// It may change with everything that it is asked and told.
    Unknown,
    /// What the scenario says of it is all there is.
    Known,
}

/// What happens in a stretch of execution.
#[derive(Default)]
struct Seen {
    /// Whether it concerns the world outside, which may change.
    is_outside: bool,
    /// After how many readings inputs give the same again; others concern the world outside.
    periods: Vec<Option<u64>>,
    /// Whether outputs concern it.
    outputs_count: bool,
    /// The operation that decided last, until it is known how.
    decision: Option<u32>,
    /// Where operations that decide go on, if that is always the same.
    decisions: BTreeMap<u32, Option<u32>>,
    reads: Vec<(u32, u32)>,
    /// How often inputs were read.
    inputs: BTreeMap<u32, u64>,
    /// What bytes that were stored to held first.
    first: BTreeMap<u32, u8>,
    /// How many of them hold something else.
    differing: u32,
    /// Bytes that were stored to, by which operations, and whether these changed them.
    stored: BTreeMap<(u32, u32), bool>,
}

impl Seen {
    /// More than this nobody wants to know.
    const READS: usize = 16;

    /// Whether inputs will give what they gave.
    fn is_in_step(&self) -> bool {
        let mut inputs = self.inputs.iter();
        inputs.all(|(&input, count)| {
            self.period(input)
                .is_some_and(|period| count.is_multiple_of(period))
        })
    }

    fn period(&self, input: u32) -> Option<u64> {
        self.periods.get(input as usize).copied().flatten()
    }

    fn waits(&self) -> bool {
        self.decisions.values().any(Option::is_some)
    }
}

impl Observer for Seen {
    fn accesses(&self) -> bool {
        true
    }

    fn flow(&self) -> bool {
        true
    }

    fn execute(&mut self, pc: u32) {
        if let Some(decision) = self.decision.take() {
            let next = self.decisions.entry(decision).or_insert(Some(pc));
            *next = next.filter(|&next| next == pc);
        }
    }

    fn decide(&mut self, at: Moment, _: &[Register]) {
        self.decision = Some(at.pc);
    }

    fn load(&mut self, _: Moment, offset: u32, bytes: &[u8]) {
        let read = (offset, bytes.len() as u32);
        if self.reads.len() < Self::READS && !self.reads.contains(&read) {
            self.reads.push(read);
        }
    }

    fn store(&mut self, at: Moment, memory: &[u8], offset: u32, new: &[u8]) {
        for (offset, &new) in (offset..).zip(new) {
            let old = memory.get(offset as usize).copied().unwrap_or_default();
            let first = *self.first.entry(offset).or_insert(old);
            *self.stored.entry((offset, at.pc)).or_insert(false) |= new != old;
            self.differing += u32::from(new != first);
            self.differing -= u32::from(old != first);
        }
    }

    fn input(&mut self, _: Moment, index: u32, _: u64) {
        *self.inputs.entry(index).or_insert(0) += 1;
        self.is_outside |= self.period(index).is_none();
    }

    fn output(&mut self, _: Moment, _: u32, _: &[u64]) {
        self.is_outside |= self.outputs_count;
    }

    fn write(&mut self, _: Moment, _: Stream, _: &[u8]) {
        self.is_outside |= self.outputs_count;
    }
}
