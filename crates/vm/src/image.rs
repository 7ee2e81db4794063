//! A program ready to run: decoded, placed in memory, bound to its environment.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

use brownout_ir::source::Place;
use brownout_ir::{Block, Func, Global, Id, Program, Retained};
use brownout_scenario::{Effect, Expression, Fill, Occasion, ValueSource};

use crate::code::{Code, Op, Slow};
use crate::compile;
use crate::flash::{FlashBinding, FlashPart};
use crate::interrupts::Interrupts;
use crate::layout::{DoesNotFit, Layout, MemoryPlan};
use crate::live::Liveness;
use crate::machine::Machine;

/// What a function means that the program does not define, or that the scenario takes over.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Binding {
    /// Commits a checkpoint.
    Checkpoint,
    /// Reads input number `0`.
    Input(u32),
    /// Fills a buffer with input number `0`, and returns the next value of another one, if any.
    Fill(u32, Fill, Option<u32>),
    /// Makes output number `0`.
    Output(u32),
    /// Does nothing and gives zero.
    Ignore,
    /// Reads or changes a flash part.
    Flash(Box<FlashBinding>),
}

/// Everything outside the program that its execution depends on.
#[derive(Clone, Debug, Default)]
pub struct Bindings {
    /// What bound functions do.
    pub functions: BTreeMap<Func, Binding>,
    /// The values of inputs, by number.
    pub inputs: Vec<ValueSource>,
    /// What inputs are called, by number.
    pub input_names: Vec<String>,
    /// What outputs are called and do, by number.
    pub outputs: Vec<OutputBinding>,
    /// Registers that are inputs.
    pub input_registers: Vec<DeviceRegister>,
    /// Registers that are outputs; the parts of one may be several.
    pub output_registers: Vec<DeviceRegister>,
    /// The values that describe the surroundings.
    pub environment: EnvironmentPlan,
    /// What has to hold.
    pub invariants: Vec<Invariant>,
    /// Flash parts, by number.
    pub parts: Vec<FlashPart>,
    /// Heads of loops that observers are told of.
    pub loop_heads: BTreeSet<(Func, Block)>,
    /// What a reboot does once something has committed.
    pub reboot: Reboot,
    /// How interrupts reach the program, if there are any.
    pub interrupts: Option<Interrupts>,
    /// What checkpoints restore of volatile state, by their places; all others restore all of it.
    pub retained: BTreeMap<Place, Arc<Retained>>,
    /// What device registers hold after a reset; zero if nothing is said.
    pub resets: Vec<ResetValue>,
    /// Memory that was made up for pointers of callers: whoever passes one says no more than it has.
    pub invented: Vec<Global>,
}

/// What a reboot does once something has committed (SEMANTICS §1).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Reboot {
    /// The checkpoint is restored, volatile memory with it.
    #[default]
    Restore,
    /// The task begins again, with volatile variables as start-up code leaves them.
    Task,
}

/// What has to hold, in terms of memory.
#[derive(Clone, Debug)]
pub struct Invariant {
    /// As the user wrote it.
    pub text: String,
    /// What it says.
    pub expression: Expression,
    /// Its variables, in the order of their names.
    pub variables: Vec<Variable>,
    /// When it has to hold; none means always.
    pub at: Option<Occasion>,
}

/// An integer in memory.
#[derive(Clone, Copy, Debug)]
pub struct Variable {
    /// The global it is in.
    pub global: Global,
    /// Where in it, in bytes.
    pub start: u64,
    /// Its first bit there.
    pub shift: u32,
    /// How many bits it has, up to 64.
    pub bits: u32,
    /// Whether it has a sign.
    pub signed: bool,
}

impl Bindings {
    /// The addresses of registers without names.
    fn addresses(&self) -> Vec<u64> {
        let registers = self.input_registers.iter().chain(&self.output_registers);
        registers
            .filter_map(|register| match register.place {
                RegisterPlace::Global(_) => None,
                RegisterPlace::Address(address) => Some(address),
            })
            .collect()
    }
}

/// An output.
#[derive(Clone, Debug, Default)]
pub struct OutputBinding {
    /// What it is called.
    pub name: String,
    /// How it changes the environment.
    pub effect: Effect,
    /// Instructions it takes.
    pub takes: u64,
}

/// Where a device register is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RegisterPlace {
    /// An object of the program.
    Global(Global),
    /// An address: accesses that begin there.
    Address(u64),
}

/// A device register through which data goes in or out.
#[derive(Clone, Copy, Debug)]
pub struct DeviceRegister {
    /// The register.
    pub place: RegisterPlace,
    /// The input or output, by number.
    pub number: u32,
    /// The bits that are concerned.
    pub mask: u64,
}

/// What a device register holds after a reset.
#[derive(Clone, Copy, Debug)]
pub struct ResetValue {
    /// The register.
    pub place: RegisterPlace,
    /// How many bytes it has.
    pub width: u32,
    /// What it holds.
    pub value: u64,
}

/// The values that describe the surroundings: what they are called, sorted, and are at first.
#[derive(Clone, Debug, Default)]
pub struct EnvironmentPlan {
    /// What they are called, sorted.
    pub names: Vec<String>,
    /// What they are at first.
    pub initial: Vec<i64>,
}

/// Why a program cannot be made ready.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ImageError {
    /// It does not fit into memory.
    Memory(DoesNotFit),
    /// A function has more live values than registers can be numbered.
    FunctionTooLarge(String),
    /// A device register is said to be where variables are, or where nothing can be.
    RegisterInMemory(u64),
}

impl std::fmt::Display for ImageError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Memory(error) => error.fmt(f),
            Self::RegisterInMemory(address) => {
                write!(
                    f,
                    "a device register cannot be at {address:#x}: the emulator keeps variables there, or nothing"
                )
            }
            Self::FunctionTooLarge(name) => {
                write!(
                    f,
                    "function `{name}` is too large: more than 65,000 values are live at once"
                )
            }
        }
    }
}

impl std::error::Error for ImageError {}

/// A program ready to run.
#[derive(Clone, Debug)]
pub struct Image {
    pub(crate) program: Program,
    pub(crate) layout: Layout,
    pub(crate) code: Code,
    pub(crate) bindings: Bindings,
    pub(crate) start: Func,
    /// Register inputs and outputs by offset.
    pub(crate) input_ranges: Vec<RegisterRange>,
    pub(crate) output_ranges: Vec<RegisterRange>,
    /// What bytes of device registers hold after a reset, by offset; others hold zero.
    pub(crate) resets: BTreeMap<u32, u8>,
    /// What memory holds at first besides initial values of variables, by offset.
    pub(crate) contents: Vec<(u32, Vec<u8>)>,
    /// How often each input was read before the first boot; never, if there is no entry.
    pub(crate) read_before: Vec<u64>,
    /// How often the program had slept before its first boot: whose turn it is to end a sleep.
    pub(crate) slept_before: u64,
    pub(crate) live: Liveness,
}

/// The bytes of a device register.
#[derive(Clone, Debug)]
pub(crate) struct RegisterRange {
    pub(crate) offsets: Range<u32>,
    pub(crate) number: u32,
    pub(crate) mask: u64,
}

impl Image {
    /// Makes a program ready to start at `start`, a function without parameters.
    /// Only what can be reached from there is decoded.
    ///
    /// # Errors
    /// If it is too large for the target or for the machine.
    pub fn new(
        program: Program,
        start: Func,
        plan: &MemoryPlan,
        bindings: Bindings,
    ) -> Result<Self, ImageError> {
        let layout = Layout::with_addresses(&program, plan, &bindings.addresses())
            .map_err(ImageError::Memory)?;
        let handle = bindings.interrupts.as_ref();
        let handle = handle.map(|interrupts| interrupts.handle);
        let roots: Vec<Func> = std::iter::once(start).chain(handle).collect();
        let wanted = brownout_ir::reach::reachable(&program, &roots);
        let code = compile::compile(&program, &layout, &wanted, &bindings).map_err(|error| {
            ImageError::FunctionTooLarge(program.functions[error.function].name.clone())
        })?;
        let ranges = |registers: &[DeviceRegister]| {
            let range = |register: &DeviceRegister| {
                let (offset, size) = match register.place {
                    RegisterPlace::Global(global) => (
                        layout.offset_of(global),
                        program.globals[global].size.max(1) as u32,
                    ),
                    RegisterPlace::Address(address) => (
                        layout
                            .fixed_offset(address)
                            .ok_or(ImageError::RegisterInMemory(address))?,
                        1,
                    ),
                };
                Ok(RegisterRange {
                    offsets: offset..offset + size,
                    number: register.number,
                    mask: register.mask,
                })
            };
            let ranges: Result<Vec<_>, ImageError> = registers.iter().map(range).collect();
            ranges
        };
        let input_ranges = ranges(&bindings.input_registers)?;
        let output_ranges = ranges(&bindings.output_registers)?;
        let mut resets = BTreeMap::new();
        for register in &bindings.resets {
            let Some(offset) = layout.register(register.place) else {
                continue;
            };
            let bytes = register.value.to_le_bytes();
            let bytes = bytes.into_iter().take(register.width as usize);
            resets.extend((offset..).zip(bytes).filter(|&(_, byte)| byte != 0));
        }
        let contents = plan.contents.iter().filter_map(|(address, bytes)| {
            let (offset, length) = layout.run_at(*address)?;
            let length = bytes.len().min(length as usize);
            Some((offset, bytes[..length].to_vec()))
        });
        let contents = contents.collect();
        Ok(Self {
            live: Liveness::new(code.functions.len()),
            program,
            layout,
            code,
            bindings,
            start,
            input_ranges,
            output_ranges,
            resets,
            contents,
            read_before: Vec::new(),
            slept_before: 0,
        })
    }

    /// The same program as a boot finds it after power failed where a machine is now: non-volatile memory and
    /// the surroundings are as they are there, and inputs go on.
    #[must_use]
    pub fn booted_after(&self, machine: &Machine<'_>) -> Self {
        let mut image = self.clone();
        let bytes =
            |range: Range<u32>| machine.memory()[range.start as usize..range.end as usize].to_vec();
        let kept = self.layout.segments().iter();
        let kept = kept.filter(|segment| segment.nonvolatile);
        image
            .contents
            .extend(kept.map(|segment| (segment.offsets.start, bytes(segment.offsets.clone()))));
        for part in &mut image.bindings.parts {
            let start = self.layout.offset_of(part.global);
            let size = self.program.globals[part.global].size as u32;
            part.image = Some(bytes(start..start + size));
        }
        (image.bindings.environment.initial).clone_from(&machine.environment);
        image.read_before.clone_from(&machine.inputs_read);
        image.slept_before = machine.sleeps;
        image
    }

    /// The same image, but inputs begin with what they give after so many readings; traces and scripts, which know
    /// the time, begin as they are.
    #[must_use]
    pub fn reading_later(&self, readings: u32) -> Self {
        let mut image = self.clone();
        let inputs = self.bindings.inputs.iter();
        let before = inputs.map(|source| match source {
            ValueSource::Trace(_) | ValueSource::Script(_) => 0,
            ValueSource::Cycle(_)
            | ValueSource::Range { .. }
            | ValueSource::Constant(_)
            | ValueSource::Random { .. }
            | ValueSource::Clock
            | ValueSource::Probing { .. } => readings.into(),
        });
        image.read_before = before.collect();
        image
    }

    /// What a byte of a device register holds after a reset.
    pub fn after_reset(&self, offset: u32) -> u8 {
        self.resets.get(&offset).copied().unwrap_or(0)
    }

    /// Where device registers hold what was read from outside last.
    pub fn input_registers(&self) -> impl Iterator<Item = Range<u32>> {
        let word = u32::from(self.layout.pointer_bits / 8);
        let ranges = self.input_ranges.iter();
        let whole = ranges.filter(|range| range.mask == u64::MAX);
        // One that is known by its address is as wide as what is read there.
        whole.map(move |range| match &range.offsets {
            offsets if offsets.len() == 1 => offsets.start..offsets.start + word,
            offsets => offsets.clone(),
        })
    }

    /// Whether the device register at an offset is an input or an output.
    pub fn describes(&self, offset: u32) -> bool {
        let mut ranges = self.input_ranges.iter().chain(&self.output_ranges);
        ranges.any(|range| range.offsets.contains(&offset))
    }

    /// An output as a line of text.
    pub fn output_text(&self, number: u32, args: &[u64]) -> String {
        let args = self.output_arguments(number, args);
        let args: Vec<String> = args.iter().map(i64::to_string).collect();
        match self.bindings.outputs.get(number as usize) {
            Some(output) => format!("{}({})\n", output.name, args.join(", ")),
            None => format!("output {number} ({})\n", args.join(", ")),
        }
    }

    /// The function where execution starts.
    pub const fn start(&self) -> Func {
        self.start
    }

    /// The program.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// What the program is bound to.
    pub fn bindings(&self) -> &Bindings {
        &self.bindings
    }

    /// The memory map.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Bytes of the stack objects of an activation of `func`.
    pub fn frame_bytes(&self, func: Func) -> u32 {
        self.code.functions[func.index()]
            .as_ref()
            .map_or(0, |function| function.frame_bytes)
    }

    /// Where the stack objects of `func` start, relative to its frame pointer.
    pub fn frame_slots(&self, func: Func) -> &[i32] {
        self.code.functions[func.index()]
            .as_ref()
            .map_or(&[], |function| &function.slot_offsets)
    }

    /// The arguments of an output as C means them, as far as their widths are known.
    pub fn output_arguments(&self, number: u32, args: &[u64]) -> Vec<i64> {
        let mut functions = self.bindings.functions.iter();
        let bound = functions
            .find(|(_, binding)| matches!(binding, Binding::Output(output) if *output == number));
        self.arguments_of(bound.map(|(&func, _)| func), args)
    }

    /// Arguments of a function as C means them: those narrower than `int` as it is declared, others
    /// with a sign, as far as their widths are known.
    pub(crate) fn arguments_of(&self, func: Option<Func>, args: &[u64]) -> Vec<i64> {
        let function = func.map(|func| &self.program.functions[func]);
        let target = &self.program.target;
        let int = target.int().bits(target);
        let meant = |(index, &arg): (usize, &u64)| {
            let Some(function) = function else {
                return arg as i64;
            };
            let bits = function.params.get(index).map_or(64, |ty| ty.bits(target));
            if (int..64).contains(&bits) || function.signed.contains(&(index as u32)) {
                brownout_ir::eval::narrow::signed(bits, arg)
            } else {
                arg as i64
            }
        };
        args.iter().enumerate().map(meant).collect()
    }

    /// How many operations there are: their numbers are below.
    pub fn operations(&self) -> usize {
        self.code.ops.len()
    }

    /// The global object that an address is in, and where in it.
    pub fn object_at(&self, address: u64) -> Option<(Global, u64)> {
        let mut globals = self.program.globals.iter();
        globals.find_map(|(global, data)| {
            let inside = address.checked_sub(self.layout.global(global))?;
            (inside < data.size).then_some((global, inside))
        })
    }

    /// The source place of an operation.
    pub fn place(&self, pc: u32) -> Option<Place> {
        self.code.places.get(pc as usize).copied().flatten()
    }

    /// Where the blocks of `func` begin, in the order of the blocks, which is that of their
    /// operations, and where the last one ends; nothing if it is not decoded.
    pub fn blocks(&self, func: Func) -> &[u32] {
        self.code.functions[func.index()]
            .as_ref()
            .map_or(&[], |function| &function.blocks)
    }

    /// Whether an operation copies or fills a stretch of memory, in the order of the addresses,
    /// rather than storing one value.
    pub fn is_block(&self, pc: u32) -> bool {
        match self.code.ops.get(pc as usize) {
            Some(&Op::Slow { index }) => matches!(
                self.code.slow.get(index as usize),
                Some(Slow::Copy { .. } | Slow::Fill { .. } | Slow::External { .. })
            ),
            _ => false,
        }
    }

    /// The operation after a call through a pointer.
    pub fn behind_computed_call(&self, pc: u32) -> Option<u32> {
        match self.code.ops.get(pc as usize)? {
            Op::CallIndirect { site, .. } => self.code.sites.get(*site as usize).copied(),
            _ => None,
        }
    }

    /// The function an operation belongs to.
    pub fn function(&self, pc: u32) -> Option<Func> {
        let index = self.code.functions.iter().position(|function| {
            function
                .as_ref()
                .is_some_and(|function| (function.entry..function.end).contains(&pc))
        })?;
        Some(Func::from_index(index))
    }
}
