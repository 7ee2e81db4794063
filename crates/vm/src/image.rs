//! A program ready to run: decoded, placed in memory, bound to its environment.

use std::collections::BTreeMap;

use brownout_ir::source::Place;
use brownout_ir::{Func, Id, Program};
use brownout_scenario::ValueSource;

use crate::code::Code;
use crate::compile;
use crate::layout::{DoesNotFit, Layout, MemoryPlan};

/// What a function means that the program does not define, or that the scenario takes over.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Binding {
    /// Commits a checkpoint.
    Checkpoint,
    /// Reads input number `0`.
    Input(u32),
    /// Makes output number `0`.
    Output(u32),
    /// Does nothing and gives zero.
    Ignore,
}

/// Everything outside the program that its execution depends on.
#[derive(Clone, Debug, Default)]
pub struct Bindings {
    /// What bound functions do.
    pub functions: BTreeMap<Func, Binding>,
    /// The values of inputs, by number.
    pub inputs: Vec<ValueSource>,
    /// What outputs are called, by number.
    pub outputs: Vec<String>,
    /// Registers that are inputs: offset range in the device segment is looked up by address.
    pub input_registers: BTreeMap<brownout_ir::Global, u32>,
    /// Registers that are outputs.
    pub output_registers: BTreeMap<brownout_ir::Global, u32>,
}

/// Why a program cannot be made ready.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ImageError {
    /// It does not fit into memory.
    Memory(DoesNotFit),
    /// A function has more live values than registers can be numbered.
    FunctionTooLarge(String),
}

impl std::fmt::Display for ImageError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Memory(error) => error.fmt(f),
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
#[derive(Debug)]
pub struct Image {
    pub(crate) program: Program,
    pub(crate) layout: Layout,
    pub(crate) code: Code,
    pub(crate) bindings: Bindings,
    pub(crate) start: Func,
    /// Register inputs and outputs by offset: start, end, number.
    pub(crate) input_ranges: Vec<(u32, u32, u32)>,
    pub(crate) output_ranges: Vec<(u32, u32, u32)>,
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
        let layout = Layout::new(&program, plan).map_err(ImageError::Memory)?;
        let bound = |func: Func| bindings.functions.contains_key(&func);
        let wanted = brownout_ir::reach::reachable(&program, &[start]);
        let code = compile::compile(&program, &layout, &wanted, &bound).map_err(|error| {
            ImageError::FunctionTooLarge(program.functions[error.function].name.clone())
        })?;
        let ranges = |registers: &BTreeMap<brownout_ir::Global, u32>| {
            registers
                .iter()
                .map(|(&global, &number)| {
                    let offset = (layout.global(global) - layout.base) as u32;
                    (
                        offset,
                        offset + program.globals[global].size.max(1) as u32,
                        number,
                    )
                })
                .collect()
        };
        let (input_ranges, output_ranges) = (
            ranges(&bindings.input_registers),
            ranges(&bindings.output_registers),
        );
        Ok(Self {
            program,
            layout,
            code,
            bindings,
            start,
            input_ranges,
            output_ranges,
        })
    }

    /// An output as a line of text.
    pub fn output_text(&self, number: u32, args: &[u64]) -> String {
        let args: Vec<String> = args.iter().map(u64::to_string).collect();
        match self.bindings.outputs.get(number as usize) {
            Some(name) => format!("{name}({})\n", args.join(", ")),
            None => format!("output {number} ({})\n", args.join(", ")),
        }
    }

    /// The program.
    pub fn program(&self) -> &Program {
        &self.program
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

    /// The source place of an operation.
    pub fn place(&self, pc: u32) -> Option<Place> {
        self.code.places.get(pc as usize).copied().flatten()
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
