//! From the IR to [`Code`].
//!
//! Three things make the result fast: values that are only another name (zero
//! extensions, casts of pointers) cost nothing; comparisons melt into branches
//! and address arithmetic into loads and stores; block parameters share
//! registers with their arguments. None of it changes what can be observed:
//! every IR instruction still counts as one unit of time.

mod allocate;
mod emit;
mod liveness;
mod moves;
mod select;
mod values;

pub(crate) use values::{operands, terminator_operands};

use std::collections::{BTreeMap, BTreeSet};

use brownout_ir::{Block, Func, Id, Operand, Program, Type};

use crate::code::{Code, FunctionCode};
use crate::image::{Binding, Bindings};
use crate::layout::Layout;

/// What cannot be decoded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TooLarge {
    /// The function with too many live values.
    pub(crate) function: Func,
}

/// Everything decoding reads.
pub(crate) struct Context<'p> {
    pub(crate) program: &'p Program,
    pub(crate) layout: &'p Layout,
    /// Functions that the scenario replaces, body or not.
    pub(crate) bound: &'p BTreeMap<Func, Binding>,
    /// Heads of loops that observers are told of.
    pub(crate) loop_heads: &'p BTreeSet<(Func, Block)>,
    /// Where handlers may come.
    pub(crate) interrupt_points: &'p BTreeSet<(Func, Block, u32)>,
    /// Whether every value has a register that is its own: a checkpoint restores some of them.
    pub(crate) own_registers: bool,
    signatures: BTreeMap<(Vec<Type>, Vec<Type>), u32>,
}

/// Decodes the functions in `wanted`.
pub(crate) fn compile(
    program: &Program,
    layout: &Layout,
    wanted: &[bool],
    bindings: &Bindings,
) -> Result<Code, TooLarge> {
    let nowhere = BTreeSet::new();
    let interrupts = bindings.interrupts.as_ref();
    let mut context = Context {
        program,
        layout,
        bound: &bindings.functions,
        loop_heads: &bindings.loop_heads,
        interrupt_points: interrupts.map_or(&nowhere, |interrupts| &interrupts.points),
        own_registers: !bindings.retained.is_empty(),
        signatures: BTreeMap::new(),
    };
    let mut code = Code::default();
    for (func, function) in program.functions.iter() {
        let decoded = match &function.body {
            Some(body) if wanted[func.index()] && !bindings.functions.contains_key(&func) => {
                Some(emit::function(&mut context, &mut code, func, body)?)
            }
            _ => None,
        };
        code.functions.push(decoded);
    }
    code.longest_stretch = code.ticks.iter().copied().max().unwrap_or(0) + 1;
    Ok(code)
}

impl Context<'_> {
    /// The number of a signature.
    fn signature(&mut self, params: &[Type], results: &[Type]) -> u32 {
        let next = self.signatures.len() as u32;
        *self
            .signatures
            .entry((params.to_vec(), results.to_vec()))
            .or_insert(next)
    }

    /// The value of an operand that is known before the program runs.
    fn constant(&self, operand: Operand) -> Option<u128> {
        let address = |at: u64| Some(u128::from(at & self.layout.address_mask()));
        match operand {
            Operand::Bits(bits) => Some(bits),
            Operand::Global(global, offset) => {
                address(self.layout.global(global).wrapping_add(offset as u64))
            }
            Operand::Func(func) => address(self.layout.function(func)),
            Operand::BlockAddress(func, block) => address(self.layout.block(func, block)),
            Operand::Value(_) | Operand::Slot(..) => None,
        }
    }

    fn bits(&self, ty: Type) -> u32 {
        ty.bits(&self.program.target)
    }

    fn is_wide(&self, ty: Type) -> bool {
        self.bits(ty) > 64
    }

    /// Registers that values of these types take.
    fn slots(&self, types: &[Type]) -> u16 {
        types
            .iter()
            .map(|&ty| 1 + u16::from(self.is_wide(ty)))
            .sum()
    }
}

/// Where stack objects lie: offsets from the frame pointer, total size, alignment.
fn frame(program: &Program, body: &brownout_ir::Body) -> (Vec<i32>, u32, u32) {
    let pointer = program.target.pointer_bytes();
    let mut offsets = Vec::with_capacity(body.slots.len());
    let (mut size, mut frame_align) = (0u32, pointer);
    for slot in body.slots.values() {
        let align = slot.align.max(1);
        frame_align = frame_align.max(align);
        size = size.saturating_add(slot.size).next_multiple_of(align);
        offsets.push(-(size as i32));
    }
    (offsets, size.next_multiple_of(pointer), frame_align)
}

/// Block order is the IR's own.
fn successor_blocks(body: &brownout_ir::Body, block: Block) -> Vec<Block> {
    body.blocks[block]
        .terminator
        .edges()
        .into_iter()
        .map(|edge| edge.block)
        .collect()
}

pub(crate) type Decoded = FunctionCode;
