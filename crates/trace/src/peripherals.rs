//! Peripherals under power failures: registers that a restore does not bring back.
//!
//! **Property.** Device registers are volatile and no checkpoint saves them. One that was written
//! before the last commit, and is relied upon after it without being written again, has lost what
//! was written if power fails in between.
//!
//! **Algorithm.** One continuous execution. Every watched register remembers the commit clock of its
//! last write. It is relied upon by a read of it, unless reads give an input; by a call of a function
//! that the scenario says uses its peripheral; by an access of a register that the chip says needs it;
//! and by a sleep, if it lets a handler come. Under the reactive policy a commit may lie between any two
//! instructions. Then the failure is emulated ([`loss`]): right before the register is relied upon, with
//! all watched registers as a reset leaves them. What it holds then, if that is something else, is the
//! effect. A read that is part of setting the register up again (`P1DIR |= 1`), and everything else that
//! relies on it before the region sets it up again, is judged after that.
//!
//! **False positives.** Code that sets registers up again in the restore itself, which the emulator does
//! not execute; and without a chip, a register whose value after a reset is the one that was written.
//!
//! **False negatives.** Paths that were not executed. With a chip and nothing else that names registers,
//! those of which the chip does not say what they hold after a reset.

mod loss;
mod registers;
mod wording;

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::ops::{ControlFlow, Range};

use brownout_diag::{Finding, ReplayId, ResumePoint};
use brownout_explore::{Calls, Exposure};
use brownout_ir::Func;
use brownout_scenario::{Recovery, Scenario};
use brownout_vm::{Bounds, Image, Machine, Moment, Observer, Stop};

use registers::{Registers, Written};

/// How many instructions are executed between two looks at `interrupt`.
const SLICE: u64 = 5_000_000;

/// Whether the scenario asks for this analysis.
pub fn has_peripherals(scenario: &Scenario) -> bool {
    let is_known = |chip: &&brownout_scenario::Chip| {
        let mut registers = chip.registers.iter();
        registers.any(|register| chip.is_relied_upon(register))
    };
    let of_chip = scenario.memory.chip.as_ref().is_some_and(is_known);
    !scenario.peripherals.is_empty() || scenario.mmio.is_some() || of_chip
}

/// Finds registers that are relied upon after a commit, in one execution of at most `limit`
/// instructions.
pub fn check_peripherals(
    image: &Image,
    scenario: &Scenario,
    saved: &[Range<u32>],
    limit: u64,
    interrupt: &dyn Fn() -> bool,
) -> Vec<Finding> {
    let mut watch = Watch::new(image, scenario);
    watch.execute(limit, &|_, _| interrupt());
    loss::emulate(&mut watch, saved, interrupt);
    watch.findings()
}

/// The offsets of the registers that a power failure clears: those that are declared, and those that
/// an execution of at most `limit` instructions has written by then.
pub fn device_registers(
    image: &Image,
    scenario: &Scenario,
    failure: &ReplayId,
    limit: u64,
) -> Vec<Range<u32>> {
    let mut watch = Watch::new(image, scenario);
    let distance = failure.distances().max().unwrap_or_default();
    watch.execute(limit, &|watch, now| match failure.resume {
        ResumePoint::Instruction(time) => now >= time.saturating_add(distance),
        ResumePoint::Commit(number) => match u64::from(watch.clock).cmp(&number) {
            Ordering::Less => false,
            Ordering::Equal => now >= watch.committed.saturating_add(distance),
            Ordering::Greater => true,
        },
    });
    watch.offsets()
}

/// A peripheral: its registers by index, and who uses it.
struct Peripheral {
    name: String,
    registers: Vec<usize>,
    functions: Vec<Func>,
}

/// Bits that let a handler come.
struct Awaited {
    handler: String,
    register: usize,
    mask: u64,
    /// Registers without which it does not come.
    needs: Vec<usize>,
}

/// A register, where it was written, where it is relied upon.
type Key = (usize, u32, u32);

/// So many times that a register is relied upon at one place are judged.
const OCCASIONS: usize = 4;

/// A register that is lost.
struct Lost {
    /// The last checkpoint before it is relied upon.
    checkpoint: Option<u32>,
    /// Who relies on it.
    user: User,
    /// The commit between: how many checkpoints were called up to it, if one of them makes it, and
    /// when.
    resume: ResumePoint,
    committed: u64,
    /// When power fails after it, and when the register is relied upon.
    fails: u64,
    relied: u64,
    /// When the region has set it up again, if it does.
    renewed: Option<u64>,
    /// What it holds then without a failure and with one, once that was tried.
    values: Option<(u64, u64)>,
}

/// Who relies on a register.
#[derive(Clone, PartialEq, Eq)]
enum User {
    /// A read of it.
    Read,
    /// Something that is used, by name: a peripheral, or another register.
    Used(String),
    /// A sleep in which this handler is awaited.
    Sleep(String),
}

struct Watch<'i> {
    image: &'i Image,
    calls: Calls<'i>,
    registers: Registers<'i>,
    peripherals: Vec<Peripheral>,
    /// What sleeps wait for, once the registers are known.
    awaited: Vec<Awaited>,
    exposure: Exposure,
    /// Whether what is written before the first commit is written again after every failure.
    sets_up_again: bool,
    clock: u32,
    checkpoint: Option<u32>,
    /// When it was called.
    committed: u64,
    lost: BTreeMap<Key, Vec<Lost>>,
    /// Those of the current region.
    current: Vec<Key>,
}

impl<'i> Watch<'i> {
    fn new(image: &'i Image, scenario: &Scenario) -> Self {
        let program = image.program();
        let registers = Registers::new(image, scenario);
        let peripherals = scenario.peripherals.iter().map(|peripheral| Peripheral {
            name: peripheral.name.clone(),
            registers: (peripheral.registers.iter())
                .filter_map(|name| registers.named(name))
                .collect(),
            functions: (peripheral.used_by.iter())
                .filter_map(|name| program.function(name))
                .collect(),
        });
        let awaited = scenario.interrupts.iter().flat_map(|interrupt| {
            let bits = interrupt.enables.iter();
            bits.filter_map(|bits| {
                Some(Awaited {
                    handler: interrupt.function.clone(),
                    register: registers.named(&bits.register)?,
                    mask: bits.mask,
                    needs: (bits.needs.iter())
                        .filter_map(|name| registers.named(name))
                        .collect(),
                })
            })
        });
        Self {
            image,
            calls: Calls::new(image),
            peripherals: peripherals.collect(),
            awaited: awaited.collect(),
            registers,
            exposure: scenario.power.policy.exposure(),
            // Every reboot runs what comes before the first task.
            sets_up_again: scenario.power.policy.recovery() == Recovery::Task,
            clock: 0,
            checkpoint: None,
            committed: 0,
            lost: BTreeMap::new(),
            current: Vec::new(),
        }
    }

    /// Somebody needs what was written to a register.
    fn rely(&mut self, at: Moment, register: usize, user: User) {
        let Some(written) = self.registers.written(register) else {
            return;
        };
        if self.sets_up_again && written.clock == 0 {
            return;
        }
        let before = at.time.saturating_sub(1);
        // A failure as late as the charge of the device allows.
        let (resume, committed, fails) = match self.exposure {
            Exposure::Anywhere { depth } if before > written.time => {
                let committed = written.time.max(before.saturating_sub(depth));
                (ResumePoint::Instruction(committed), committed, before)
            }
            Exposure::Anywhere { .. } => return,
            _ if self.clock == written.clock => return,
            Exposure::Region => (self.resume(), self.committed, before),
            Exposure::SinceCall { depth } => {
                let fails = before.min(self.committed.saturating_add(depth));
                (self.resume(), self.committed, fails)
            }
        };
        let key = (register, written.pc, self.calls.blame(at.pc));
        let occasions = self.lost.entry(key).or_default();
        if occasions.len() < OCCASIONS && !self.current.contains(&key) {
            self.current.push(key);
            occasions.push(Lost {
                checkpoint: self.checkpoint,
                user,
                resume,
                committed,
                fails,
                relied: at.time,
                renewed: None,
                values: None,
            });
        }
    }

    /// A register is written, which sets it up again for those who relied on it before in this region:
    /// for a read only if it is part of that.
    fn renew(&mut self, at: Moment, register: usize) {
        let line = |pc: u32| {
            let place = self.image.place(pc);
            let place = place.and_then(|place| self.image.program().source.places.get(place));
            place.map(|place| (place.file, place.line))
        };
        let here = self.calls.blame(at.pc);
        for key in self.current.iter().filter(|key| key.0 == register) {
            let last = self.lost.get_mut(key).and_then(|lost| lost.last_mut());
            if let Some(lost) = last
                && (lost.user != User::Read || line(key.2) == line(here))
            {
                lost.renewed = Some(at.time);
            }
        }
    }

    /// The last checkpoint.
    fn resume(&self) -> ResumePoint {
        ResumePoint::Commit(u64::from(self.clock))
    }

    /// Executes the program, with nothing failing. Whether to stop is asked now and then.
    fn execute(&mut self, limit: u64, stop: &dyn Fn(&Self, u64) -> bool) {
        let mut machine = Machine::new(self.image);
        machine.set_bounds(Bounds::Strict);
        loop {
            let until = machine.now().saturating_add(SLICE).min(limit);
            match machine.watch(self, until) {
                Stop::Paused if until < limit && !stop(self, until) => {}
                _ => break,
            }
        }
    }

    fn offsets(&self) -> Vec<Range<u32>> {
        self.registers.offsets()
    }

    /// A function is called that may use peripherals.
    fn enter(&mut self, at: Moment, function: Func) {
        for index in 0..self.peripherals.len() {
            if !self.peripherals[index].functions.contains(&function) {
                continue;
            }
            let name = self.peripherals[index].name.clone();
            for register in self.peripherals[index].registers.clone() {
                self.rely(at, register, User::Used(name.clone()));
            }
        }
        if Some(function) == self.sleep() {
            self.fall_asleep(at);
        }
    }

    /// The function of the library in which a program sleeps.
    fn sleep(&self) -> Option<Func> {
        let interrupts = self.image.bindings().interrupts.as_ref()?;
        interrupts.sleep
    }

    /// The program sleeps until a handler comes that registers let come.
    fn fall_asleep(&mut self, at: Moment) {
        for index in 0..self.awaited.len() {
            let awaited = &self.awaited[index];
            let written = self.registers.written(awaited.register);
            if written.is_none_or(|written| written.value & awaited.mask == 0) {
                continue;
            }
            let user = User::Sleep(awaited.handler.clone());
            let mut relied = awaited.needs.clone();
            relied.push(awaited.register);
            for register in relied {
                self.rely(at, register, user.clone());
            }
        }
    }

    /// A register is read or written, which needs others.
    fn use_register(&mut self, at: Moment, offset: u32) {
        for (needed, user) in self.registers.needed_at(offset) {
            self.rely(at, needed, User::Used(user));
        }
    }

    /// The same for a function that the scenario binds.
    fn enter_bound(&mut self, at: Moment, is: impl Fn(&brownout_vm::Binding) -> bool) {
        let image = self.image;
        let functions = image.bindings().functions.iter();
        let called: Vec<Func> = functions
            .filter(|(_, binding)| is(binding))
            .map(|(&func, _)| func)
            .collect();
        for func in called {
            self.enter(at, func);
        }
    }
}

impl Observer for Watch<'_> {
    #[inline(always)]
    fn accesses(&self) -> bool {
        true
    }

    fn load(&mut self, at: Moment, offset: u32, _: &[u8]) {
        if !self.registers.are_near(offset) {
            return;
        }
        self.use_register(at, offset);
        if let Some(register) = self.registers.at(offset)
            && self.registers.keeps(register)
        {
            self.rely(at, register, User::Read);
        }
    }

    fn store(&mut self, at: Moment, _: &[u8], offset: u32, new: &[u8]) {
        let register = match self.registers.are_near(offset) {
            true => {
                self.use_register(at, offset);
                self.registers.at(offset)
            }
            false => None,
        };
        if let Some(register) = register.or_else(|| self.registers.discover(offset)) {
            self.renew(at, register);
            let written = Written {
                pc: self.calls.blame(at.pc),
                clock: self.clock,
                time: at.time,
                value: 0,
            };
            self.registers.write(register, written, offset, new);
        }
    }

    fn call(&mut self, at: Moment, function: Func, frame: u32) {
        self.enter(at, function);
        self.calls.enter(at.pc, function, frame);
    }

    fn ret(&mut self, _: Moment, _: Func) {
        self.calls.leave();
    }

    fn stack(&mut self, _: Moment, pointer: u32) {
        self.calls.move_stack(pointer);
    }

    fn unwind(&mut self, _: Moment, depth: usize) {
        self.calls.unwind(depth);
    }

    fn input(&mut self, at: Moment, index: u32, _: u64) {
        use brownout_vm::Binding::{Fill, Input};
        self.enter_bound(
            at,
            |binding| matches!(binding, Input(number) | Fill(number, ..) if *number == index),
        );
    }

    fn output(&mut self, at: Moment, index: u32, _: &[u64]) {
        use brownout_vm::Binding::Output;
        self.enter_bound(
            at,
            |binding| matches!(binding, Output(number) if *number == index),
        );
    }

    fn checkpoint(&mut self, at: Moment, _: &[(u32, u32)]) -> ControlFlow<()> {
        self.clock += 1;
        self.current.clear();
        self.checkpoint = Some(self.calls.blame(at.pc));
        self.committed = at.time;
        ControlFlow::Continue(())
    }
}
