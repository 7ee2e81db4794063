//! Peripherals under power failures: registers that a restore does not bring back.
//!
//! **Property.** Device registers are volatile and no checkpoint saves them. One that was written
//! before the last commit, and is relied upon after it without being written again, has lost what
//! was written if power fails in between.
//!
//! **Algorithm.** One continuous execution. Every watched register remembers the commit clock of its
//! last write. It is relied upon by a read of it, unless reads give an input, and by a call of a
//! function that the scenario says uses its peripheral. Under the reactive policy a commit may lie
//! between any two instructions. Then the failure is emulated ([`loss`]): right before the register
//! is relied upon, with all watched registers zero. What it holds then, if that is something else, is
//! the effect; after a real reset it may hold anything.
//!
//! **False positives.** A register whose value after a reset is the one that was written; code that
//! sets registers up again in the restore itself, which the emulator does not execute.
//!
//! **False negatives.** Paths that were not executed.

mod loss;

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::ops::{ControlFlow, Range};

use brownout_diag::{
    Effect, Evidence, Finding, ObjectRef, Related, ReplayId, ResumePoint, Rule, When,
};
use brownout_ir::{Func, Global};
use brownout_scenario::{Scenario, Source, fixed_address};
use brownout_vm::{Bounds, Image, Machine, Moment, Observer, SegmentKind, Stop};

use crate::calls::Calls;
use crate::exposure::Exposure;
use crate::objects::Objects;
use crate::wording;

/// How many instructions are executed between two looks at `interrupt`.
const SLICE: u64 = 5_000_000;

/// Whether the scenario asks for this analysis.
pub fn has_peripherals(scenario: &Scenario) -> bool {
    !scenario.peripherals.is_empty() || scenario.mmio.is_some()
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

/// A register that is watched.
struct Register {
    name: String,
    offsets: Range<u32>,
    /// Whether reading it relies on what was written.
    keeps: bool,
    written: Option<Written>,
}

/// A write of a register.
#[derive(Clone, Copy)]
struct Written {
    pc: u32,
    clock: u32,
    time: u64,
}

/// A peripheral: its registers by index, and who uses it.
struct Peripheral {
    name: String,
    registers: Vec<usize>,
    functions: Vec<Func>,
}

/// A register, where it was written, where it is relied upon.
type Key = (usize, u32, u32);

/// A register that is lost.
struct Lost {
    /// The last checkpoint before it is relied upon.
    checkpoint: Option<u32>,
    /// The peripheral that a function uses.
    peripheral: Option<String>,
    /// The commit between: how many checkpoints were called up to it, if one of them makes it, and
    /// when.
    resume: ResumePoint,
    committed: u64,
    /// When power fails after it, and when the register is relied upon.
    fails: u64,
    relied: u64,
    /// What it holds then without a failure and with one, once that was tried.
    values: Option<(u64, u64)>,
}

struct Watch<'i> {
    image: &'i Image,
    calls: Calls<'i>,
    registers: Vec<Register>,
    /// All registers lie in here.
    span: Range<u32>,
    /// Inputs at fixed addresses, by offset, if other registers there are watched once they are
    /// written.
    inputs_in_windows: Option<Vec<u32>>,
    peripherals: Vec<Peripheral>,
    exposure: Exposure,
    clock: u32,
    checkpoint: Option<u32>,
    /// When it was called.
    committed: u64,
    lost: BTreeMap<Key, Lost>,
}

impl<'i> Watch<'i> {
    fn new(image: &'i Image, scenario: &Scenario) -> Self {
        let program = image.program();
        let objects = Objects::new(image);
        let is_input = |name: &str| {
            let mut inputs = scenario.inputs.iter();
            inputs.any(|input| match &input.source {
                Source::Register(other) | Source::Address { name: other, .. } => other == name,
                Source::Function(_) | Source::Result { .. } => false,
            })
        };
        let declared = |name: &str| {
            let mut peripherals = scenario.peripherals.iter();
            peripherals.any(|peripheral| peripheral.registers.iter().any(|other| other == name))
        };
        let mut registers = Vec::new();
        let mut numbers: BTreeMap<&str, usize> = BTreeMap::new();
        for (global, data) in program.globals.iter() {
            let external = scenario.mmio.is_some() && data.init.is_none();
            if !external && !declared(&data.name) {
                continue;
            }
            let Some(offset) = objects.offset_of(global) else {
                continue;
            };
            numbers.insert(&data.name, registers.len());
            registers.push(Register {
                name: data.name.clone(),
                offsets: offset..offset + size(image, global),
                keeps: !is_input(&data.name),
                written: None,
            });
        }
        let declared = scenario.peripherals.iter();
        for name in declared.flat_map(|peripheral| &peripheral.registers) {
            let offset =
                fixed_address(name).and_then(|address| image.layout().fixed_offset(address));
            let (Some(offset), false) = (offset, numbers.contains_key(name.as_str())) else {
                continue;
            };
            numbers.insert(name, registers.len());
            registers.push(Register {
                name: name.clone(),
                offsets: offset..offset + 1,
                keeps: !is_input(name),
                written: None,
            });
        }
        let peripherals = scenario.peripherals.iter().map(|peripheral| Peripheral {
            name: peripheral.name.clone(),
            registers: (peripheral.registers.iter())
                .filter_map(|name| numbers.get(name.as_str()).copied())
                .collect(),
            functions: (peripheral.used_by.iter())
                .filter_map(|name| program.function(name))
                .collect(),
        });
        let starts = registers.iter().map(|register| register.offsets.start);
        let ends = registers.iter().map(|register| register.offsets.end);
        let inputs = scenario.inputs.iter();
        let inputs = inputs.filter_map(|input| match input.source {
            Source::Address { address, .. } => image.layout().fixed_offset(address),
            _ => None,
        });
        Self {
            image,
            calls: Calls::new(image),
            inputs_in_windows: scenario.mmio.is_some().then(|| inputs.collect()),
            span: starts.min().unwrap_or(0)..ends.max().unwrap_or(0),
            peripherals: peripherals.collect(),
            registers,
            exposure: Exposure::from(scenario.power.policy),
            clock: 0,
            checkpoint: None,
            committed: 0,
            lost: BTreeMap::new(),
        }
    }

    fn register_at(&self, offset: u32) -> Option<usize> {
        if !self.span.contains(&offset) {
            return None;
        }
        let mut registers = self.registers.iter();
        registers.position(|register| register.offsets.contains(&offset))
    }

    /// A register at an address, whose name is that, is written for the first time.
    fn discover(&mut self, offset: u32) -> Option<usize> {
        let inputs = self.inputs_in_windows.as_ref()?;
        let layout = self.image.layout();
        layout
            .segment(offset)
            .filter(|segment| segment.kind == SegmentKind::Window)?;
        self.registers.push(Register {
            name: format!("{:#06x}", layout.address(offset)),
            offsets: offset..offset + 1,
            keeps: !inputs.contains(&offset),
            written: None,
        });
        self.span.start = match self.span.is_empty() {
            true => offset,
            false => self.span.start.min(offset),
        };
        Some(self.registers.len() - 1)
    }

    /// Somebody needs what was written to a register.
    fn rely(&mut self, at: Moment, register: usize, peripheral: Option<&str>) {
        let Some(written) = self.registers[register].written else {
            return;
        };
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
        self.lost.entry(key).or_insert_with(|| Lost {
            checkpoint: self.checkpoint,
            peripheral: peripheral.map(str::to_owned),
            resume,
            committed,
            fails,
            relied: at.time,
            values: None,
        });
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
        let registers = self.registers.iter();
        registers.map(|register| register.offsets.clone()).collect()
    }

    /// A function is called that may use peripherals.
    fn enter(&mut self, at: Moment, function: Func) {
        for index in 0..self.peripherals.len() {
            if !self.peripherals[index].functions.contains(&function) {
                continue;
            }
            let name = self.peripherals[index].name.clone();
            for register in self.peripherals[index].registers.clone() {
                self.rely(at, register, Some(&name));
            }
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

    fn findings(&self) -> Vec<Finding> {
        let finding = |(&(register, written, relied), lost): (&Key, &Lost)| {
            let register = &self.registers[register];
            let name = &register.name;
            let user = match &lost.peripheral {
                Some(peripheral) => format!("`{peripheral}` is used"),
                None => "it is read".to_owned(),
            };
            let message = format!(
                "`{name}` was written before the last checkpoint, and is lost if power fails before {user}"
            );
            let mut finding = Finding::new(Rule::PeripheralState, Evidence::Located, message);
            match lost.values {
                Some((kept, reset)) if kept != reset => {
                    finding.evidence = Evidence::Confirmed;
                    finding.effects.push(Effect::Value {
                        object: name.clone(),
                        continuous: format!("{kept:#x}"),
                        intermittent: format!("{reset:#x}"),
                        when: When::Elsewhere,
                    });
                    let id = ReplayId {
                        resets_registers: true,
                        ..ReplayId::new(lost.resume, lost.fails - lost.committed)
                    };
                    finding.replay = Some(id.to_string());
                }
                // Whether a reset sets it to that is the device's affair.
                Some((kept, _)) => finding.notes.push(format!(
                    "it holds {kept:#x}: nothing is lost if that is its value after a reset"
                )),
                None => {}
            }
            finding.object = Some(ObjectRef {
                name: name.clone(),
                symbol: String::new(),
                segment: "registers".to_owned(),
                offset: 0,
                size: u64::from(register.offsets.end - register.offsets.start),
            });
            finding.consumer = wording::place(self.image, relied);
            finding.producer = wording::place(self.image, written);
            if let Some(place) = lost
                .checkpoint
                .and_then(|pc| wording::place(self.image, pc))
            {
                finding.related.push(Related {
                    label: "last checkpoint".to_owned(),
                    place,
                });
            }
            finding.help = vec![format!("write `{name}` again after the checkpoint")];
            finding
        };
        self.lost.iter().map(finding).collect()
    }
}

fn size(image: &Image, global: Global) -> u32 {
    image.program().globals[global].size.max(1) as u32
}

impl Observer for Watch<'_> {
    #[inline(always)]
    fn accesses(&self) -> bool {
        true
    }

    fn load(&mut self, at: Moment, offset: u32, _: &[u8]) {
        if let Some(register) = self.register_at(offset)
            && self.registers[register].keeps
        {
            self.rely(at, register, None);
        }
    }

    fn store(&mut self, at: Moment, _: &[u8], offset: u32, new: &[u8]) {
        let register = self.register_at(offset);
        if let Some(register) = register.or_else(|| self.discover(offset)) {
            // How wide a register at an address is, the accesses tell.
            let offsets = &mut self.registers[register].offsets;
            offsets.end = offsets.end.max(offset + new.len() as u32);
            self.span.end = self.span.end.max(offsets.end);
            let written = Written {
                pc: self.calls.blame(at.pc),
                clock: self.clock,
                time: at.time,
            };
            self.registers[register].written = Some(written);
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
        self.checkpoint = Some(self.calls.blame(at.pc));
        self.committed = at.time;
        ControlFlow::Continue(())
    }
}
