//! The inputs that comparisons ask for, behind arithmetic.
//!
//! **Algorithm.** From both operands of every comparison with something constant, and of every
//! switch, values flow backwards: through operators with a constant operand (`inverse`),
//! casts, variables in memory, block parameters, calls and returns, to wherever something comes from
//! outside. What arrives there makes the comparison come out equal, or just not so.
//!
//! **Invariant**: this only suggests values. A variable counts as constant if its initial value or
//! all that is stored to it is.

mod inverse;

use std::collections::{BTreeMap, BTreeSet};

use brownout_ir::eval::wide;
use brownout_ir::{
    Block, Body, Callee, FloatBinary, FloatKind, Func, Global, Id, Inst, Op, Operand, Origin,
    Program, Slot, Terminator, Type, Value,
};

use self::inverse::Side;

/// How many operators and moves lie between an input and a comparison.
const DEPTH: usize = 40;
/// How many values are traced back at once.
const WANTED: usize = 8;
/// How many of them are tried.
const ARRIVING: usize = 4;
/// Steps for one value that is asked for, and in all: variables that are made from themselves lead round in circles.
const STEPS: usize = 1_000;
const ALL_STEPS: usize = 1_000_000;
/// How many steps are taken to see what an operand always is.
const CONSTANT_STEPS: usize = 1_000;
/// How many stores, call sites and returns a value may come from.
const SOURCES: usize = 8;

/// A value that some comparison asks for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Asked {
    /// The input that is compared.
    pub of: Outside,
    /// The value that it is compared with.
    pub value: u64,
}

/// Where something comes from outside.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Outside {
    /// What a function returns.
    Result(Func),
    /// A variable that the program does not write.
    Variable(Global),
    /// Other memory, an argument, or what a pointer to a function leads to.
    Elsewhere,
}

/// A variable.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    Slot(Func, Slot, i64),
    Global(Global, i64),
}

/// What a value is.
#[derive(Clone, Copy)]
enum Definition<'p> {
    /// A result of an instruction.
    Result(&'p Inst, usize),
    /// A parameter of a block.
    Parameter(Block, usize),
}

/// The values that comparisons in some functions ask for, each once, in the order of the program. What
/// `is_outside` names comes from outside although it may have a body.
pub fn asked(
    program: &Program,
    counts: &dyn Fn(Func) -> bool,
    is_outside: &dyn Fn(Func) -> bool,
) -> Vec<Asked> {
    let mut tracer = Tracer::new(program, is_outside);
    for (func, function) in program.functions.iter() {
        let Some(body) = &function.body else { continue };
        if function.origin != Origin::User || !counts(func) {
            continue;
        }
        for block in body.blocks.values() {
            for inst in &block.insts {
                tracer.comparison(func, &inst.op);
            }
            if let Terminator::Switch {
                ty, value, cases, ..
            } = &block.terminator
            {
                for (case, _) in cases {
                    tracer.wish(func, *ty, *value, *case);
                }
            }
        }
    }
    tracer.found
}

struct Tracer<'p> {
    program: &'p Program,
    is_outside: &'p dyn Fn(Func) -> bool,
    definitions: Vec<Vec<Option<Definition<'p>>>>,
    stores: BTreeMap<Place, Vec<(Func, Operand)>>,
    calls: BTreeMap<Func, Vec<(Func, &'p [Operand])>>,
    /// Steps that were taken for this value, and for the others before it.
    steps: usize,
    steps_before: usize,
    found: Vec<Asked>,
    seen: BTreeSet<Asked>,
}

impl<'p> Tracer<'p> {
    fn new(program: &'p Program, is_outside: &'p dyn Fn(Func) -> bool) -> Self {
        let mut tracer = Self {
            program,
            is_outside,
            definitions: Vec::new(),
            stores: BTreeMap::new(),
            calls: BTreeMap::new(),
            steps: 0,
            steps_before: 0,
            found: Vec::new(),
            seen: BTreeSet::new(),
        };
        for (func, function) in program.functions.iter() {
            let body = function.body.as_ref();
            let definitions = body.map_or_else(Vec::new, |body| tracer.index(func, body));
            tracer.definitions.push(definitions);
        }
        tracer
    }

    /// Notes where values come from.
    fn index(&mut self, func: Func, body: &'p Body) -> Vec<Option<Definition<'p>>> {
        let mut definitions = vec![None; body.values.iter().count()];
        for (block, data) in body.blocks.iter() {
            for (index, value) in data.params.iter().enumerate() {
                definitions[value.index()] = Some(Definition::Parameter(block, index));
            }
            for inst in &data.insts {
                for (index, value) in inst.results.iter().enumerate() {
                    definitions[value.index()] = Some(Definition::Result(inst, index));
                }
                match &inst.op {
                    Op::Store { address, value, .. } => {
                        if let Some(place) = place(func, *address) {
                            self.stores.entry(place).or_default().push((func, *value));
                        }
                    }
                    Op::Call {
                        callee: Callee::Direct(callee),
                        args,
                        ..
                    } => {
                        self.calls.entry(*callee).or_default().push((func, args));
                    }
                    _ => {}
                }
            }
        }
        definitions
    }

    fn definition(&self, func: Func, value: Value) -> Option<Definition<'p>> {
        *self.definitions.get(func.index())?.get(value.index())?
    }

    fn bits(&self, ty: Type) -> u32 {
        ty.bits(&self.program.target)
    }

    fn comparison(&mut self, func: Func, op: &Op) {
        match op {
            Op::IntCompare { ty, a, b, .. } => {
                for (operand, other) in [(*a, *b), (*b, *a)] {
                    for constant in self.constants(func, other) {
                        self.wish(func, *ty, operand, constant);
                    }
                }
            }
            Op::FloatCompare { ty, a, b, .. } => {
                for (operand, other) in [(*a, *b), (*b, *a)] {
                    let constants = self.constants(func, other);
                    self.begin();
                    self.trace(func, operand, *ty, &constants, 0);
                }
            }
            _ => {}
        }
    }

    /// Something should be `value`, or next to it.
    fn wish(&mut self, func: Func, ty: Type, operand: Operand, value: u128) {
        let mask = wide::mask(self.bits(ty));
        for near in [value, value.wrapping_add(1), value.wrapping_sub(1)] {
            self.begin();
            self.trace(func, operand, ty, &[near & mask], 0);
        }
    }

    /// The next value is followed.
    fn begin(&mut self) {
        self.steps_before += std::mem::take(&mut self.steps);
    }

    /// What an operand always is, as far as that can be seen.
    fn constants(&self, func: Func, operand: Operand) -> Vec<u128> {
        self.constants_within(func, operand, 0, &mut 0)
    }

    /// The same at some depth, after so many steps: variables may be stored to each other in circles.
    fn constants_within(
        &self,
        func: Func,
        operand: Operand,
        depth: usize,
        steps: &mut usize,
    ) -> Vec<u128> {
        *steps += 1;
        let value = match operand {
            Operand::Bits(bits) => return vec![bits],
            Operand::Value(value) if depth < DEPTH && *steps < CONSTANT_STEPS => value,
            _ => return Vec::new(),
        };
        match self.definition(func, value) {
            Some(Definition::Result(inst, _)) => match &inst.op {
                Op::Cast { op, from, to, a } => {
                    let (from_bits, to_bits) = (self.bits(*from), self.bits(*to));
                    let inner = self
                        .constants_within(func, *a, depth + 1, steps)
                        .into_iter();
                    inner
                        .map(|a| brownout_ir::eval::cast(*op, *from, from_bits, *to, to_bits, a))
                        .collect()
                }
                Op::Load { ty, address, .. } => {
                    let Some(place) = place(func, *address) else {
                        return Vec::new();
                    };
                    let initial = self.initial(place, *ty);
                    let stores = self.stores.get(&place).map_or(&[][..], Vec::as_slice);
                    let stored = stores.iter().map(|&(func, value)| match value {
                        Operand::Bits(bits) => vec![bits],
                        value => match place {
                            Place::Slot(..) => self.constants_within(func, value, depth + 1, steps),
                            Place::Global(..) => Vec::new(),
                        },
                    });
                    let stored: Vec<Vec<u128>> = stored.take(SOURCES).collect();
                    let is_constant = stored.iter().all(|values| !values.is_empty());
                    match (initial, is_constant) {
                        (Some(initial), _) => vec![initial],
                        (None, true) => stored.concat(),
                        (None, false) => Vec::new(),
                    }
                }
                _ => Vec::new(),
            },
            Some(Definition::Parameter(..)) | None => Vec::new(),
        }
    }

    /// What a global holds at first.
    fn initial(&self, place: Place, ty: Type) -> Option<u128> {
        let Place::Global(global, offset) = place else {
            return None;
        };
        let data = &self.program.globals[global];
        let init = data
            .init
            .as_ref()
            .filter(|init| init.relocations.is_empty())?;
        let (start, size) = (
            usize::try_from(offset).ok()?,
            self.bits(ty).div_ceil(8) as usize,
        );
        if start + size > data.size as usize || size > 16 {
            return None;
        }
        let mut bytes = [0; 16];
        let there = init.bytes.iter().skip(start).take(size);
        for (to, from) in bytes.iter_mut().zip(there) {
            *to = *from;
        }
        Some(u128::from_le_bytes(bytes))
    }

    /// Follows wanted values back to where something comes from outside; whether there is such a
    /// place.
    fn trace(
        &mut self,
        func: Func,
        operand: Operand,
        ty: Type,
        wanted: &[u128],
        depth: usize,
    ) -> bool {
        let Operand::Value(value) = operand else {
            return false;
        };
        self.steps += 1;
        let is_tired = self.steps > STEPS || self.steps_before > ALL_STEPS;
        if wanted.is_empty() || depth >= DEPTH || is_tired {
            return false;
        }
        match self.definition(func, value) {
            Some(Definition::Result(inst, index)) => {
                self.through(func, inst, index, ty, wanted, depth + 1)
            }
            Some(Definition::Parameter(block, index)) => {
                let sources = self.incoming(func, block, index);
                if sources.is_empty() {
                    return self.arrive(Outside::Elsewhere, ty, wanted);
                }
                self.any(&sources, ty, wanted, depth + 1)
            }
            None => false,
        }
    }

    /// All operands that a parameter of a block may be; none if others outside choose it.
    fn incoming(&self, func: Func, block: Block, index: usize) -> Vec<(Func, Operand)> {
        let Some(body) = &self.program.functions[func].body else {
            return Vec::new();
        };
        if block == body.entry() {
            let calls = self.calls.get(&func).map_or(&[][..], Vec::as_slice);
            let args = calls
                .iter()
                .filter_map(|&(func, args)| Some((func, *args.get(index)?)));
            return args.collect();
        }
        let edges = body
            .blocks
            .values()
            .flat_map(|data| data.terminator.edges());
        edges
            .filter(|edge| edge.block == block)
            .filter_map(|edge| Some((func, *edge.args.get(index)?)))
            .collect()
    }

    fn any(
        &mut self,
        sources: &[(Func, Operand)],
        ty: Type,
        wanted: &[u128],
        depth: usize,
    ) -> bool {
        let mut arrived = false;
        for &(func, operand) in sources.iter().take(SOURCES) {
            arrived |= self.trace(func, operand, ty, wanted, depth);
        }
        arrived
    }

    /// Through the instruction that makes a value.
    fn through(
        &mut self,
        func: Func,
        inst: &'p Inst,
        index: usize,
        ty: Type,
        wanted: &[u128],
        depth: usize,
    ) -> bool {
        match &inst.op {
            Op::IntBinary { op, ty, a, b } => {
                let mut arrived = false;
                let bits = self.bits(*ty);
                for (operand, other, side) in [(*a, *b, Side::Left), (*b, *a, Side::Right)] {
                    for known in self.constants(func, other) {
                        // Whether any bit is set is asked by comparing with 0.
                        let is_mask = *op == brownout_ir::IntBinary::And;
                        let all = wanted.iter().copied().chain(is_mask.then_some(known));
                        let back = all.flat_map(|y| inverse::binary(*op, side, bits, known, y));
                        arrived |= self.trace(func, operand, *ty, &few(back), depth);
                    }
                }
                arrived
            }
            Op::FloatBinary {
                op,
                ty: Type::Float(kind),
                a,
                b,
            } => {
                let mut arrived = false;
                for (operand, other, side) in [(*a, *b, Side::Left), (*b, *a, Side::Right)] {
                    for known in self.constants(func, other) {
                        let back = wanted
                            .iter()
                            .filter_map(|&y| float(*op, *kind, side, known, y));
                        arrived |= self.trace(func, operand, ty, &few(back), depth);
                    }
                }
                arrived
            }
            Op::Cast { op, from, to, a } => {
                let (source, result) = ((*from, self.bits(*from)), (*to, self.bits(*to)));
                let back = wanted
                    .iter()
                    .flat_map(|&y| inverse::cast(*op, source, result, y));
                self.trace(func, *a, *from, &few(back), depth)
            }
            Op::Select { a, b, .. } => self.any(&[(func, *a), (func, *b)], ty, wanted, depth),
            Op::Load { address, .. } => {
                let place = place(func, *address);
                let stores = place.and_then(|place| self.stores.get(&place));
                let stores = stores.cloned().unwrap_or_default();
                let outside = match place {
                    Some(Place::Global(global, _)) => Outside::Variable(global),
                    _ => Outside::Elsewhere,
                };
                self.any(&stores, ty, wanted, depth) || self.arrive(outside, ty, wanted)
            }
            Op::Call {
                callee: Callee::Direct(callee),
                ..
            } => {
                let program = self.program;
                let body = program.functions[*callee].body.as_ref();
                let Some(body) = body.filter(|_| !(self.is_outside)(*callee)) else {
                    return self.arrive(Outside::Result(*callee), ty, wanted);
                };
                let returns = body
                    .blocks
                    .values()
                    .filter_map(|block| match &block.terminator {
                        Terminator::Return(results) => Some((*callee, *results.get(index)?)),
                        _ => None,
                    });
                let returns: Vec<(Func, Operand)> = returns.collect();
                self.any(&returns, ty, wanted, depth)
            }
            Op::Call { .. } => self.arrive(Outside::Elsewhere, ty, wanted),
            _ => false,
        }
    }

    /// Here something comes from outside.
    fn arrive(&mut self, of: Outside, ty: Type, wanted: &[u128]) -> bool {
        let bits = self.bits(ty);
        if !matches!(ty, Type::Int(_)) || bits > u64::BITS {
            return false;
        }
        for &value in wanted.iter().take(ARRIVING) {
            let value = wide::signed(bits, value) as i64 as u64;
            let asked = Asked { of, value };
            if self.seen.insert(asked) {
                self.found.push(asked);
            }
        }
        true
    }
}

/// What a float operator gives `y` with.
fn float(op: FloatBinary, kind: FloatKind, side: Side, known: u128, y: u128) -> Option<u128> {
    let back =
        |op: FloatBinary, a: u128, b: u128| Some(brownout_ir::eval::float_binary(op, kind, a, b));
    match (op, side) {
        (FloatBinary::Add, _) => back(FloatBinary::Sub, y, known),
        (FloatBinary::Mul, _) => back(FloatBinary::Div, y, known),
        (FloatBinary::Sub, Side::Left) => back(FloatBinary::Add, y, known),
        (FloatBinary::Sub, Side::Right) => back(FloatBinary::Sub, known, y),
        (FloatBinary::Div, Side::Left) => back(FloatBinary::Mul, y, known),
        (FloatBinary::Div, Side::Right) => back(FloatBinary::Div, known, y),
        _ => None,
    }
}

fn place(func: Func, address: Operand) -> Option<Place> {
    match address {
        Operand::Slot(slot, offset) => Some(Place::Slot(func, slot, offset)),
        Operand::Global(global, offset) => Some(Place::Global(global, offset)),
        _ => None,
    }
}

/// The first of them, each once.
fn few(values: impl Iterator<Item = u128>) -> Vec<u128> {
    let mut few: Vec<u128> = Vec::new();
    for value in values {
        if few.len() < WANTED && !few.contains(&value) {
            few.push(value);
        }
    }
    few
}
