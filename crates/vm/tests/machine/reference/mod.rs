//! The reference: an interpreter that walks the IR and keeps values in a hash
//! map. No decoding, no registers, no journal: one instruction after another.
//!
//! It shares the memory map with the machine (through the public `Layout`) and
//! the arithmetic (`ir::eval`); everything else is written a second time. Two
//! words of a `setjmp` buffer are the decoder's own (which operation, which
//! register); the reference keeps others there and calls them *opaque*.

mod memory;
mod operation;
mod service;

use std::collections::{BTreeSet, HashMap};

use brownout_ir::*;
use brownout_vm::{Bindings, Bounds, Fault, Layout, SegmentKind, Stop};

use crate::record::Event;

/// One activation.
#[derive(Clone, Debug)]
pub(crate) struct Activation {
    function: Func,
    values: HashMap<Value, u128>,
    block: Block,
    /// The next instruction; one past the last for the terminator.
    index: usize,
    frame_pointer: u64,
    caller_sp: u64,
    token: u64,
}

/// What a power failure takes.
#[derive(Clone, Debug)]
pub(crate) struct Processor {
    frames: Vec<Activation>,
    fp: u64,
    sp: u64,
}

/// An execution of the IR itself.
#[derive(Clone)]
pub(crate) struct Reference<'a> {
    program: &'a Program,
    layout: &'a Layout,
    bindings: &'a Bindings,
    base: u64,
    start: Func,
    pub(crate) memory: Vec<u8>,
    /// Offsets whose bytes only the decoder knows.
    pub(crate) opaque: BTreeSet<u32>,
    pub(crate) processor: Processor,
    /// Instructions executed.
    pub(crate) time: u64,
    pub(crate) stop: Option<Stop>,
    pub(crate) events: Vec<Event>,
    pub(crate) bounds: Bounds,
    inputs_read: Vec<u64>,
    /// The number of every call that can have a frame.
    sites: HashMap<(Func, Block, usize), u64>,
    /// Where each executed `setjmp` was.
    jumps: Vec<(Func, Block, usize)>,
    /// Whether the last step touched memory or the environment.
    pub(crate) touched: bool,
}

/// What comes after an instruction.
enum Next {
    Instruction,
    /// Control is already elsewhere.
    Moved,
    Exit(i32),
}

impl<'a> Reference<'a> {
    pub(crate) fn new(
        program: &'a Program,
        start: Func,
        layout: &'a Layout,
        bindings: &'a Bindings,
    ) -> Self {
        let stack = layout
            .segments()
            .iter()
            .find(|segment| segment.kind == SegmentKind::Stack)
            .unwrap();
        let base = stack.address - u64::from(stack.offsets.start);
        let mut reference = Self {
            program,
            layout,
            bindings,
            base,
            start,
            memory: memory::initial(program, layout, base),
            opaque: BTreeSet::new(),
            processor: Processor {
                frames: vec![],
                fp: 0,
                sp: 0,
            },
            time: 0,
            stop: None,
            events: vec![],
            bounds: Bounds::Strict,
            inputs_read: vec![0; bindings.inputs.len()],
            sites: sites(program, start, bindings),
            jumps: vec![],
            touched: false,
        };
        reference.reset();
        reference
    }

    /// The processor at power-on.
    pub(crate) fn reset(&mut self) {
        let stack = self.segment(SegmentKind::Stack);
        let top = self.base + u64::from(stack.end);
        let first = Activation {
            function: self.start,
            values: HashMap::new(),
            block: Block::from_index(0),
            index: 0,
            frame_pointer: top,
            caller_sp: top,
            token: 0,
        };
        self.processor = Processor {
            frames: vec![first],
            fp: top,
            sp: top,
        };
    }

    /// Goes on until `time` instructions were executed or the program stops.
    pub(crate) fn run(&mut self, until: u64) {
        while self.stop.is_none() && self.time < until {
            self.step();
        }
    }

    /// The functions in progress, innermost first, without the start function.
    pub(crate) fn backtrace(&self) -> Vec<Func> {
        self.processor.frames[1..]
            .iter()
            .rev()
            .map(|frame| frame.function)
            .collect()
    }

    /// Executes one instruction.
    pub(crate) fn step(&mut self) {
        self.touched = false;
        match self.instruction() {
            Ok(Next::Instruction) => {
                self.frame().index += 1;
                self.time += 1;
            }
            Ok(Next::Moved) => self.time += 1,
            Ok(Next::Exit(status)) => self.stop = Some(Stop::Exited { status }),
            Err(fault) => self.stop = Some(Stop::Faulted(fault)),
        }
    }

    fn frame(&mut self) -> &mut Activation {
        self.processor.frames.last_mut().unwrap()
    }

    fn here(&self) -> (Func, Block, usize) {
        let frame = self.processor.frames.last().unwrap();
        (frame.function, frame.block, frame.index)
    }

    fn body(&self) -> &'a Body {
        self.program.functions[self.here().0].body.as_ref().unwrap()
    }

    fn instruction(&mut self) -> Result<Next, Fault> {
        let (_, block, index) = self.here();
        let data = &self.body().blocks[block];
        match data.insts.get(index) {
            Some(inst) => self.operation(inst),
            None => self.terminator(&data.terminator),
        }
    }

    /// The value of an operand.
    fn get(&self, operand: Operand) -> u128 {
        let address = |at: u64| u128::from(at & self.mask());
        match operand {
            Operand::Value(value) => self.processor.frames.last().unwrap().values[&value],
            Operand::Bits(bits) => bits,
            Operand::Global(global, offset) => {
                address(self.layout.global(global).wrapping_add(offset as u64))
            }
            Operand::Slot(slot, offset) => {
                let at = self.slot_offset(slot).wrapping_add(offset);
                address(self.processor.fp.wrapping_add(at as u64))
            }
            Operand::Func(func) => address(self.layout.function(func)),
            Operand::BlockAddress(func, block) => address(self.layout.block(func, block)),
        }
    }

    fn get64(&self, operand: Operand) -> u64 {
        self.get(operand) as u64
    }

    fn set(&mut self, value: Value, bits: u128) {
        self.frame().values.insert(value, bits);
    }

    fn mask(&self) -> u64 {
        u64::MAX >> (64 - self.program.target.pointer_bits)
    }

    fn word(&self) -> u32 {
        self.program.target.pointer_bytes()
    }

    fn bits(&self, ty: Type) -> u32 {
        ty.bits(&self.program.target)
    }

    /// Stack objects follow each other downwards from the frame pointer.
    fn slot_offset(&self, slot: Slot) -> i64 {
        let mut offset = 0i64;
        for (id, data) in self.body().slots.iter() {
            offset = -(-offset + i64::from(data.size))
                .next_multiple_of_i64(i64::from(data.align.max(1)));
            if id == slot {
                return offset;
            }
        }
        panic!("no such slot")
    }

    fn jump(&mut self, edge: &Edge) {
        let args: Vec<u128> = edge.args.iter().map(|&arg| self.get(arg)).collect();
        let params = &self.body().blocks[edge.block].params;
        for (&param, arg) in params.iter().zip(args) {
            self.set(param, arg);
        }
        let frame = self.frame();
        frame.block = edge.block;
        frame.index = 0;
    }

    fn terminator(&mut self, terminator: &Terminator) -> Result<Next, Fault> {
        match terminator {
            Terminator::Jump(edge) => self.jump(edge),
            Terminator::Branch {
                condition,
                then,
                otherwise,
            } => {
                let edge = if self.get(*condition) != 0 {
                    then
                } else {
                    otherwise
                };
                self.jump(edge);
            }
            Terminator::Switch {
                value,
                cases,
                default,
                ..
            } => {
                let value = self.get(*value);
                let edge = cases
                    .iter()
                    .find(|(case, _)| *case == value)
                    .map_or(default, |(_, edge)| edge);
                self.jump(edge);
            }
            Terminator::Computed { address, targets } => {
                let address = self.get64(*address);
                let function = self.here().0;
                let edge = targets
                    .iter()
                    .find(|edge| self.layout.block(function, edge.block) == address);
                match edge {
                    Some(edge) => self.jump(edge),
                    None => return Err(Fault::WildJump { address }),
                }
            }
            Terminator::Return(values) => self.leave(values)?,
            Terminator::Unreachable => return Err(Fault::Unreachable),
        }
        Ok(Next::Moved)
    }

    fn leave(&mut self, values: &[Operand]) -> Result<(), Fault> {
        let values: Vec<u128> = values.iter().map(|&value| self.get(value)).collect();
        let word = self.word();
        let fp = self.processor.fp;
        let found = self.read_word(fp.wrapping_add(word.into()) & self.mask())?;
        let saved = self.read_word(fp)?;
        let frame = self.processor.frames.last().unwrap();
        if found != frame.token {
            return Err(Fault::WildReturn { found });
        }
        let (function, caller_sp) = (frame.function, frame.caller_sp);
        self.events.push(Event::Return {
            time: self.time + 1,
            function,
        });
        self.processor.frames.pop();
        self.processor.fp = saved;
        self.processor.sp = caller_sp;
        self.give(&values);
        self.frame().index += 1;
        Ok(())
    }

    /// Hands the results of a call to the caller, as wide as it thinks they are.
    fn give(&mut self, values: &[u128]) {
        let (_, block, index) = self.here();
        let body = self.body();
        for (&result, &value) in body.blocks[block].insts[index].results.iter().zip(values) {
            let mask = eval::wide::mask(self.bits(body.values[result]));
            self.set(result, value & mask);
        }
    }

    /// Enters `function`.
    fn enter(&mut self, function: Func, args: &[u128]) -> Result<(), Fault> {
        let body = self.program.functions[function].body.as_ref().unwrap();
        let word = u64::from(self.word());
        let (mut size, mut align) = (0u64, word);
        for slot in body.slots.values() {
            align = align.max(slot.align.into());
            size = (size + u64::from(slot.size)).next_multiple_of(slot.align.max(1).into());
        }
        let caller_sp = self.processor.sp;
        let frame_pointer = caller_sp.wrapping_sub(2 * word) & !(align - 1);
        let sp = frame_pointer.wrapping_sub(size.next_multiple_of(word));
        if sp < self.base + u64::from(self.segment(SegmentKind::Stack).start) || sp > caller_sp {
            return Err(Fault::StackOverflow);
        }
        let token = (self.sites[&self.here()] * 2 + 2) & self.mask();
        self.write_word(frame_pointer + word, token)?;
        self.write_word(frame_pointer, self.processor.fp)?;
        let frame = (frame_pointer - self.base) as u32;
        self.events.push(Event::Call {
            time: self.time + 1,
            function,
            frame,
        });
        let mut values = HashMap::new();
        for (index, &param) in body.blocks[body.entry()].params.iter().enumerate() {
            let mask = eval::wide::mask(self.bits(body.values[param]));
            values.insert(param, args.get(index).copied().unwrap_or(0) & mask);
        }
        self.processor.frames.push(Activation {
            function,
            values,
            block: body.entry(),
            index: 0,
            frame_pointer,
            caller_sp,
            token,
        });
        self.processor.fp = frame_pointer;
        self.processor.sp = sp;
        Ok(())
    }
}

/// Calls that leave a return address are numbered in the order of the program.
fn sites(
    program: &Program,
    start: Func,
    bindings: &Bindings,
) -> HashMap<(Func, Block, usize), u64> {
    let wanted = reach::reachable(program, &[start]);
    let mut sites = HashMap::new();
    for (func, function) in program.functions.iter() {
        let Some(body) = function.body.as_ref() else {
            continue;
        };
        if !wanted[func.index()] || bindings.functions.contains_key(&func) {
            continue;
        }
        for (block, data) in body.blocks.iter() {
            for (index, inst) in data.insts.iter().enumerate() {
                let framed = match inst.op {
                    Op::Call {
                        callee: Callee::Direct(callee),
                        ..
                    } => {
                        program.functions[callee].body.is_some()
                            && !bindings.functions.contains_key(&callee)
                    }
                    Op::Call {
                        callee: Callee::Indirect(_),
                        ..
                    } => true,
                    _ => false,
                };
                if framed {
                    sites.insert((func, block, index), sites.len() as u64);
                }
            }
        }
    }
    sites
}

trait NextMultiple {
    fn next_multiple_of_i64(self, of: i64) -> i64;
}

impl NextMultiple for i64 {
    fn next_multiple_of_i64(self, of: i64) -> i64 {
        (self + of - 1) / of * of
    }
}
