//! Device registers that a program only reads, and bits of them that it waits for.
//!
//! `while (!(UCB0IFG & UCTXIFG0));` goes on when the hardware sets the bit, `while (UCB0CTLW0 & UCTXSTP);` when it clears
//! it, although the program writes both registers itself. A program waits for a register in a loop that does not write
//! it, if a branch that leaves the loop depends on what was read there.

use std::collections::{BTreeMap, BTreeSet};

use brownout_flow::promote::{Accesses, promote};
use brownout_ir::{
    Block, Body, Callee, Func, Global, Id, Inst, IntBinary, Op, Operand, Origin, Program,
    Terminator, Value, components,
};
use brownout_vm::loop_bodies;

/// Readings are followed over so many operations.
const DEPTH: u32 = 24;
/// Addresses are followed over so many values.
const MOST: usize = 1000;
/// The widest register that is followed, in bytes.
const WIDEST: u64 = 8;

/// A device register, as the program names it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Register {
    Global(Global),
    Address(u64),
}

impl Register {
    /// Its name, as configurations have it.
    pub(crate) fn name(self, program: &Program) -> String {
        match self {
            Self::Global(global) => program.globals[global].name.clone(),
            Self::Address(address) => format!("{address:#06x}"),
        }
    }
}

/// What a program does with device registers.
#[derive(Default)]
pub(crate) struct Registers {
    /// Those that it waits for, with the bits that decide.
    pub(crate) polled: BTreeMap<Register, u64>,
    /// Those at fixed addresses that it does nothing but read.
    pub(crate) read_addresses: Vec<u64>,
}

/// Looks at what a program does with device registers.
pub(crate) fn registers(program: &Program) -> Registers {
    let mut found = Registers::default();
    let is_of_device = |inst: &Inst| match inst.op {
        Op::Load {
            address: Operand::Global(global, _),
            volatile: true,
            ..
        } => program.globals[global].init.is_none(),
        Op::Load {
            address: Operand::Bits(_) | Operand::Value(_),
            volatile: true,
            ..
        } => true,
        _ => false,
    };
    if !program.user_instructions().any(is_of_device) {
        return found;
    }
    let search = Search::new(program);
    let done = search.done();
    for (&func, code) in &search.codes {
        let blocks = code.body.blocks.values().map(|data| {
            let mut all = Done::default();
            for inst in &data.insts {
                all.add(&search.done_by(func, inst, &done));
            }
            all
        });
        let blocks: Vec<Done> = blocks.collect();
        for &register in done.get(&func).iter().flat_map(|done| &done.reads) {
            let bits = search.waited_for(func, code, register, &blocks);
            if bits != 0 {
                *found.polled.entry(register).or_default() |= bits;
            }
        }
    }
    let asked = search
        .codes
        .values()
        .flat_map(|code| flags_asked_for(program, &code.body));
    for flags in asked {
        found.polled.entry(Register::Global(flags)).or_insert(PORT);
    }
    let mut all = Done::default();
    done.values().for_each(|done| all.add(done));
    let read = all.reads.difference(&all.writes);
    let addresses = read.filter_map(|register| match register {
        Register::Address(address) => Some(*address),
        Register::Global(_) => None,
    });
    found.read_addresses = addresses.collect();
    found
}

/// The bits of a port.
const PORT: u64 = 0xff;

/// The flags of ports, `P1IFG`, that a function asks for: the hardware sets them, although the program clears them itself.
/// What only clears them has no use for what it reads.
fn flags_asked_for(program: &Program, body: &Body) -> Vec<Global> {
    let is_of_port = |global: Global| {
        let name = &program.globals[global].name;
        let number = name
            .strip_prefix('P')
            .and_then(|name| name.strip_suffix("IFG"));
        number.is_some_and(|number| number.parse::<u8>().is_ok())
    };
    let insts = || body.blocks.values().flat_map(|block| &block.insts);
    let read = insts().filter_map(|inst| match inst.op {
        Op::Load {
            address: Operand::Global(global, _),
            volatile: true,
            ..
        } if is_of_port(global) => Some((global, inst.results.first().copied()?)),
        _ => None,
    });
    let is_asked = |&(global, value): &(Global, Value)| {
        let mut made = BTreeSet::from([value]);
        for inst in insts() {
            let mut uses = false;
            inst.op.visit_operands(&program.target, |operand, _| {
                uses |= operand.value().is_some_and(|value| made.contains(&value));
            });
            match inst.op {
                _ if !uses => {}
                Op::IntBinary { .. } | Op::IntUnary { .. } | Op::Cast { .. } => {
                    made.extend(&inst.results);
                }
                Op::Store {
                    address: Operand::Global(to, _),
                    ..
                } if to == global => {}
                _ => return true,
            }
        }
        let mut decides = false;
        for block in body.blocks.values() {
            block.terminator.visit_operands(|operand| {
                decides |= operand.value().is_some_and(|value| made.contains(&value));
            });
        }
        decides
    };
    let asked = read.filter(is_asked).map(|(global, _)| global);
    asked.collect()
}

/// What is done to memory, by an instruction, a block or a function with those that it calls.
#[derive(Clone, Default, PartialEq, Eq)]
struct Done {
    reads: BTreeSet<Register>,
    writes: BTreeSet<Register>,
    /// Whether something that is no register is written, or nobody knows.
    writes_memory: bool,
}

impl Done {
    fn add(&mut self, other: &Self) {
        self.reads.extend(&other.reads);
        self.writes.extend(&other.writes);
        self.writes_memory |= other.writes_memory;
    }
}

/// A function with its local variables as values.
struct Code {
    body: Body,
    definitions: BTreeMap<Value, Definition>,
    /// The arguments of all calls that are known, with who calls.
    callers: Vec<(Func, Vec<Operand>)>,
}

/// Where a value comes from.
#[derive(Clone, Copy)]
enum Definition {
    Inst(Block, usize),
    Param(Block, usize),
}

struct Search<'p> {
    program: &'p Program,
    codes: BTreeMap<Func, Code>,
}

/// What an address may be, and what was looked at.
#[derive(Default)]
struct Numbers {
    found: BTreeSet<u64>,
    seen: BTreeSet<(Func, Value, i64)>,
}

/// What was found of one loop, and what was looked at.
#[derive(Default)]
struct Tested {
    bits: BTreeMap<Register, u64>,
    seen: BTreeSet<(Func, Value, u64)>,
}

impl<'p> Search<'p> {
    fn new(program: &'p Program) -> Self {
        let functions = program.functions.iter();
        let users = functions.filter(|(_, function)| function.origin == Origin::User);
        let bodies = users.filter_map(|(func, function)| Some((func, function.body.as_ref()?)));
        let mut codes: BTreeMap<Func, Code> = bodies
            .map(|(func, body)| {
                let body = promote(body, &program.target, Accesses::Drop);
                let definitions = definitions(&body);
                let callers = Vec::new();
                (
                    func,
                    Code {
                        body,
                        definitions,
                        callers,
                    },
                )
            })
            .collect();
        let mut calls = Vec::new();
        for (&caller, code) in &codes {
            for inst in code.body.blocks.values().flat_map(|data| &data.insts) {
                if let Op::Call {
                    callee: Callee::Direct(callee),
                    args,
                    ..
                } = &inst.op
                {
                    calls.push((*callee, caller, args.clone()));
                }
            }
        }
        for (callee, caller, args) in calls {
            if let Some(code) = codes.get_mut(&callee) {
                code.callers.push((caller, args));
            }
        }
        Self { program, codes }
    }

    /// What functions do.
    fn done(&self) -> BTreeMap<Func, Done> {
        let mut done: BTreeMap<Func, Done> = BTreeMap::new();
        loop {
            let mut is_stable = true;
            for (&func, code) in &self.codes {
                let mut all = Done::default();
                for inst in code.body.blocks.values().flat_map(|data| &data.insts) {
                    all.add(&self.done_by(func, inst, &done));
                }
                let known = done.entry(func).or_default();
                is_stable &= *known == all;
                *known = all;
            }
            if is_stable {
                return done;
            }
        }
    }

    fn done_by(&self, func: Func, inst: &Inst, done: &BTreeMap<Func, Done>) -> Done {
        let mut this = Done::default();
        match &inst.op {
            Op::Load {
                address,
                volatile: true,
                ..
            } => this.reads = self.registers(func, *address).into_iter().collect(),
            Op::Store { address, .. } => {
                this.writes = self.registers(func, *address).into_iter().collect();
                this.writes_memory =
                    this.writes.is_empty() && !matches!(address, Operand::Slot(..));
            }
            Op::Copy { .. } | Op::Fill { .. } | Op::Service { .. } => this.writes_memory = true,
            Op::Call {
                callee: Callee::Direct(callee),
                ..
            } => match done.get(callee) {
                Some(done) => this = done.clone(),
                // The library's functions; of those that nobody defines nothing is known to be written.
                None => {
                    this.writes_memory = self.program.functions[*callee].body.is_some()
                        && !self.codes.contains_key(callee)
                }
            },
            Op::Call { .. } => this.writes_memory = true,
            _ => {}
        }
        this
    }

    /// The bits of a register that a function waits for: those that decide whether it leaves a loop that does not write
    /// the register.
    fn waited_for(&self, func: Func, code: &Code, register: Register, blocks: &[Done]) -> u64 {
        let mut tested = Tested::default();
        let does_write = |block: &Block| blocks[block.index()].writes.contains(&register);
        for members in loop_bodies(&code.body).values() {
            if !members.iter().any(does_write) {
                self.test_exits(func, code, members, &mut tested);
            }
        }
        // The compiler makes one loop of a loop that waits and one around it that begins with it.
        for members in idle_circles(&code.body, blocks) {
            if !is_counted(code, &members) {
                self.test_exits(func, code, &members, &mut tested);
            }
        }
        tested.bits.get(&register).copied().unwrap_or(0)
    }

    /// Follows what decides whether execution leaves some blocks.
    fn test_exits(&self, func: Func, code: &Code, members: &BTreeSet<Block>, tested: &mut Tested) {
        for &block in members {
            let terminator = &code.body.blocks[block].terminator;
            let edges = terminator.edges();
            let stays = edges.iter().any(|edge| members.contains(&edge.block));
            let leaves = edges.iter().any(|edge| !members.contains(&edge.block));
            if stays && leaves {
                terminator.visit_operands(|operand| {
                    self.test(func, operand, u64::MAX, Some(members), DEPTH, tested);
                });
            }
        }
    }

    /// Follows some bits of a value, as far as it was computed in these blocks, to the registers that they were read from.
    fn test(
        &self,
        func: Func,
        operand: Operand,
        bits: u64,
        members: Option<&BTreeSet<Block>>,
        depth: u32,
        tested: &mut Tested,
    ) {
        let is_inside = |block: Block| members.is_none_or(|members| members.contains(&block));
        let (Operand::Value(value), Some(code)) = (operand, self.codes.get(&func)) else {
            return;
        };
        if depth == 0 || bits == 0 || !tested.seen.insert((func, value, bits)) {
            return;
        }
        let depth = depth - 1;
        let (block, index) = match code.definitions.get(&value) {
            Some(Definition::Inst(block, index)) if is_inside(*block) => (*block, *index),
            Some(Definition::Param(block, index)) if is_inside(*block) => {
                for (_, data) in code.body.blocks.iter().filter(|(from, _)| is_inside(*from)) {
                    let edges = data.terminator.edges().into_iter();
                    for edge in edges.filter(|edge| edge.block == *block) {
                        if let Some(&arg) = edge.args.get(*index) {
                            self.test(func, arg, bits, members, depth, tested);
                        }
                        // Which way it comes here decides, too.
                        data.terminator.visit_operands(|operand| {
                            self.test(func, operand, u64::MAX, members, depth, tested);
                        });
                    }
                }
                return;
            }
            _ => return,
        };
        let inst = &code.body.blocks[block].insts[index];
        let mut test = |operand, bits| self.test(func, operand, bits, members, depth, tested);
        match &inst.op {
            Op::Load {
                address,
                volatile: true,
                ty,
            } => {
                let width = ty.bits(&self.program.target);
                let width = u64::MAX
                    .checked_shr(64u32.saturating_sub(width))
                    .unwrap_or(0);
                for register in self.registers(func, *address) {
                    *tested.bits.entry(register).or_default() |= bits & width;
                }
            }
            Op::Load { .. } => {}
            Op::IntBinary {
                op: IntBinary::And,
                a,
                b,
                ..
            } => match (a, b) {
                (value, Operand::Bits(mask)) | (Operand::Bits(mask), value) => {
                    test(*value, bits & *mask as u64);
                }
                (a, b) => {
                    test(*a, bits);
                    test(*b, bits);
                }
            },
            Op::IntBinary {
                op: IntBinary::Or | IntBinary::Xor,
                a,
                b,
                ..
            } => {
                test(*a, bits);
                test(*b, bits);
            }
            Op::IntBinary {
                op: IntBinary::LShr,
                a,
                b: Operand::Bits(by),
                ..
            } => test(*a, bits.checked_shl(*by as u32).unwrap_or(0)),
            Op::Cast { a, .. } => test(*a, bits),
            Op::Select {
                condition, a, b, ..
            } => {
                test(*condition, u64::MAX);
                test(*a, bits);
                test(*b, bits);
            }
            Op::Call {
                callee: Callee::Direct(callee),
                ..
            } => {
                let body = self.codes.get(callee).map(|code| &code.body);
                for data in body.into_iter().flat_map(|body| body.blocks.values()) {
                    if let Terminator::Return(values) = &data.terminator {
                        for &value in values {
                            self.test(*callee, value, bits, None, depth, tested);
                        }
                    }
                }
            }
            op => op.visit_operands(&self.program.target, |operand, _| test(operand, u64::MAX)),
        }
    }

    /// The registers that an address may be of.
    fn registers(&self, func: Func, address: Operand) -> Vec<Register> {
        let program = self.program;
        match address {
            Operand::Global(global, 0) => {
                let data = &program.globals[global];
                let is_register =
                    data.origin == Origin::User && data.init.is_none() && data.size <= WIDEST;
                is_register
                    .then_some(Register::Global(global))
                    .into_iter()
                    .collect()
            }
            _ => {
                let mut numbers = Numbers::default();
                self.numbers(func, address, 0, &mut numbers);
                let numbers = numbers.found.into_iter();
                let devices =
                    numbers.filter(|&number| brownout_vm::is_device_address(program, number));
                devices.map(Register::Address).collect()
            }
        }
    }

    /// The numbers that an address with an offset may be, also one that callers pass.
    fn numbers(&self, func: Func, address: Operand, offset: i64, numbers: &mut Numbers) {
        let value = match address {
            Operand::Bits(bits) => {
                let number = u64::try_from(bits).ok();
                let number = number.map(|number| number.wrapping_add_signed(offset));
                numbers.found.extend(number);
                return;
            }
            Operand::Value(value) if numbers.seen.len() < MOST => value,
            _ => return,
        };
        let Some(code) = self.codes.get(&func) else {
            return;
        };
        if !numbers.seen.insert((func, value, offset)) {
            return;
        }
        match code.definitions.get(&value) {
            Some(&Definition::Inst(block, index)) => {
                match code.body.blocks[block].insts[index].op {
                    Op::Address {
                        base,
                        index: Operand::Bits(index),
                        scale,
                        offset: more,
                    } => {
                        let more = (index as i64).wrapping_mul(scale).wrapping_add(more);
                        self.numbers(func, base, offset.wrapping_add(more), numbers);
                    }
                    Op::Cast { a, .. } => self.numbers(func, a, offset, numbers),
                    _ => {}
                }
            }
            Some(&Definition::Param(block, index)) if block == code.body.entry() => {
                for (caller, args) in &code.callers {
                    if let Some(&arg) = args.get(index) {
                        self.numbers(*caller, arg, offset, numbers);
                    }
                }
            }
            _ => {}
        }
    }
}

/// The blocks between which execution can go round without writing anything.
fn idle_circles(body: &Body, blocks: &[Done]) -> Vec<BTreeSet<Block>> {
    let idle = |block: Block| {
        let done = &blocks[block.index()];
        !done.writes_memory && done.writes.is_empty()
    };
    let successors: Vec<Vec<u32>> = body
        .blocks
        .iter()
        .map(|(block, data)| {
            let edges = data.terminator.edges().into_iter();
            let edges = edges.filter(|edge| idle(block) && idle(edge.block));
            edges.map(|edge| edge.block.index() as u32).collect()
        })
        .collect();
    let mut circles: BTreeMap<u32, BTreeSet<Block>> = BTreeMap::new();
    for (block, component) in body.blocks.ids().zip(components(&successors)) {
        circles.entry(component).or_default().insert(block);
    }
    circles.into_values().collect()
}

/// Whether something else changes from round to round of some blocks than what is read.
fn is_counted(code: &Code, members: &BTreeSet<Block>) -> bool {
    let is_computed = |arg: &Operand| {
        let Some(Definition::Inst(block, index)) =
            arg.value().and_then(|value| code.definitions.get(&value))
        else {
            return false;
        };
        let op = &code.body.blocks[*block].insts[*index].op;
        members.contains(block) && !matches!(op, Op::Load { volatile: true, .. })
    };
    let edges = members
        .iter()
        .flat_map(|&block| code.body.blocks[block].terminator.edges());
    let mut inner = edges.filter(|edge| members.contains(&edge.block));
    inner.any(|edge| edge.args.iter().any(is_computed))
}

/// Where the values of a body come from.
fn definitions(body: &Body) -> BTreeMap<Value, Definition> {
    let mut definitions = BTreeMap::new();
    for (block, data) in body.blocks.iter() {
        for (index, &param) in data.params.iter().enumerate() {
            definitions.insert(param, Definition::Param(block, index));
        }
        for (index, inst) in data.insts.iter().enumerate() {
            for &result in &inst.results {
                definitions.insert(result, Definition::Inst(block, index));
            }
        }
    }
    definitions
}
