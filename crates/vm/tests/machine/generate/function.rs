//! Random bodies, built like a compiler would: structured control flow, one
//! block after the other, then the blocks are shuffled.

use brownout_ir::*;

use super::{Choices, Parts};

/// Memory that an access may touch.
#[derive(Clone, Copy, Debug)]
pub(super) struct Object {
    pub(super) base: Operand,
    pub(super) size: u64,
    pub(super) writable: bool,
}

/// Makes the body of one function.
pub(super) struct Builder<'a> {
    pub(super) choices: &'a mut Choices,
    pub(super) program: &'a Program,
    pub(super) parts: &'a Parts,
    pub(super) func: Func,
    pub(super) body: Body,
    /// Where instructions go.
    pub(super) block: Block,
    /// The values that may be used here.
    pub(super) scope: Vec<Value>,
    /// The objects that may be used here.
    pub(super) objects: Vec<Object>,
    /// How many control structures we are in.
    pub(super) depth: u32,
    /// Whether the buffer for `setjmp` is in use.
    pub(super) jumping: bool,
}

impl<'a> Builder<'a> {
    pub(super) fn build(
        choices: &'a mut Choices,
        program: &'a Program,
        parts: &'a Parts,
        func: Func,
    ) -> Body {
        let mut builder = Self {
            choices,
            program,
            parts,
            func,
            body: Body::default(),
            block: Block::from_index(0),
            scope: vec![],
            objects: vec![],
            depth: 0,
            jumping: false,
        };
        let params = program.functions[func].params.clone();
        let (entry, params) = builder.new_block(&params);
        builder.block = entry;
        builder.scope.extend(params);
        builder.find_objects();
        builder.prepare_heap();
        builder.statements(16);
        builder.statements(8);
        builder.finish();
        builder.shuffle();
        builder.body
    }

    fn find_objects(&mut self) {
        let globals = &self.program.globals;
        let object = |global: Global, writable| {
            let size = globals[global].size;
            Object {
                base: Operand::Global(global, 0),
                size,
                writable,
            }
        };
        self.objects.extend(
            self.parts
                .variables
                .iter()
                .map(|&global| object(global, true)),
        );
        self.objects.extend(
            self.parts
                .constants
                .iter()
                .map(|&global| object(global, false)),
        );
        self.objects.push(object(self.parts.registers[0], true));
        for _ in 0..self.choices.below(4) {
            let size = 1 + self.choices.below(40) as u32;
            let align = 1 << self.choices.below(5);
            let slot = SlotData {
                size,
                align,
                name: None,
                ty: None,
                place: None,
                annotations: vec![],
            };
            let slot = self.body.slots.push(slot);
            self.objects.push(Object {
                base: Operand::Slot(slot, 0),
                size: size.into(),
                writable: true,
            });
        }
    }

    /// Two blocks next to each other; the entry marks them as usable.
    fn prepare_heap(&mut self) {
        let is_entry = self.func.index() == 0;
        if !is_entry && self.choices.chance(2) {
            return;
        }
        let first = self.service(Service::HeapStart, vec![]).unwrap();
        let address = Op::Address {
            base: first.into(),
            index: Operand::Bits(0),
            scale: 1,
            offset: 64,
        };
        let second = self.emit(address)[0];
        for (block, size) in [(first, 64), (second, 40)] {
            if is_entry {
                self.service(
                    Service::HeapAllocated,
                    vec![block.into(), Operand::Bits(size)],
                );
            }
            self.objects.push(Object {
                base: block.into(),
                size: size as u64,
                writable: true,
            });
        }
    }

    /// Appends an instruction; its results can be used from now on.
    pub(super) fn emit(&mut self, op: Op) -> Vec<Value> {
        let target = &self.program.target;
        let types: Vec<Type> = (0..op.result_count(target))
            .filter_map(|index| op.result_type(index, target))
            .collect();
        let results: Vec<Value> = types
            .into_iter()
            .map(|ty| self.body.values.push(ty))
            .collect();
        self.scope.extend(&results);
        self.body.blocks[self.block].insts.push(Inst {
            op,
            results: results.clone(),
            place: None,
        });
        results
    }

    pub(super) fn service(&mut self, service: Service, args: Vec<Operand>) -> Option<Value> {
        self.emit(Op::Service { service, args }).first().copied()
    }

    pub(super) fn new_block(&mut self, params: &[Type]) -> (Block, Vec<Value>) {
        let params: Vec<Value> = params.iter().map(|&ty| self.body.values.push(ty)).collect();
        let data = BlockData {
            params: params.clone(),
            insts: vec![],
            terminator: Terminator::Unreachable,
            place: None,
        };
        (self.body.blocks.push(data), params)
    }

    /// Ends the current block and goes on in `next`.
    pub(super) fn terminate(&mut self, terminator: Terminator, next: Block) {
        self.body.blocks[self.block].terminator = terminator;
        self.block = next;
    }

    /// Makes `inside` happen, after which what it defined is out of scope.
    pub(super) fn scoped(&mut self, inside: impl FnOnce(&mut Self)) {
        let (values, objects) = (self.scope.len(), self.objects.len());
        self.depth += 1;
        inside(self);
        self.depth -= 1;
        self.scope.truncate(values);
        self.objects.truncate(objects);
    }

    fn finish(&mut self) {
        if self.func.index() == 0 {
            // What was computed must end up somewhere.
            let (global, size) = (
                self.parts.variables[0],
                self.program.globals[self.parts.variables[0]].size,
            );
            self.service(
                Service::Write,
                vec![
                    Operand::Bits(1),
                    Operand::Global(global, 0),
                    Operand::Bits(size.into()),
                ],
            );
        }
        let results = self.program.functions[self.func].results.clone();
        let results = results.into_iter().map(|ty| self.operand(ty)).collect();
        self.body.blocks[self.block].terminator = Terminator::Return(results);
    }

    /// Puts the blocks behind the entry in random order.
    fn shuffle(&mut self) {
        let count = self.body.blocks.len();
        let mut place: Vec<usize> = (0..count).collect();
        for index in (2..count).rev() {
            let other = 1 + self.choices.below(index as u64) as usize;
            // Without choices the order stays as it is.
            if !self.choices.is_empty() {
                place.swap(index, other);
            }
        }
        let moved = |block: Block| Block::from_index(place[block.index()]);
        let mut blocks: Vec<Option<BlockData>> = vec![None; count];
        for (block, data) in self.body.blocks.iter() {
            let mut data = data.clone();
            edges_mut(&mut data.terminator)
                .into_iter()
                .for_each(|edge| edge.block = moved(edge.block));
            for inst in &mut data.insts {
                if let Op::Select { a, b, .. } = &mut inst.op {
                    for operand in [a, b] {
                        if let Operand::BlockAddress(_, block) = operand {
                            *block = moved(*block);
                        }
                    }
                }
            }
            blocks[moved(block).index()] = Some(data);
        }
        self.body.blocks = blocks.into_iter().flatten().collect();
    }
}

fn edges_mut(terminator: &mut Terminator) -> Vec<&mut Edge> {
    match terminator {
        Terminator::Jump(edge) => vec![edge],
        Terminator::Branch {
            then, otherwise, ..
        } => vec![then, otherwise],
        Terminator::Switch { cases, default, .. } => cases
            .iter_mut()
            .map(|(_, edge)| edge)
            .chain([default])
            .collect(),
        Terminator::Computed { targets, .. } => targets.iter_mut().collect(),
        Terminator::Return(_) | Terminator::Unreachable => vec![],
    }
}

/// `throw(depth, buffer, value)`: calls itself `depth` times, then jumps.
pub(super) fn thrower(program: &Program, thrower: Func) -> Body {
    let int = program.target.int();
    let text = format!(
        "target \"t\" pointer {}\nfunction fn0 \"throw\" (i16, ptr, {int}) {{\nslot s0 size 6 align 2\n\
         b0(v0: i16, v1: ptr, v2: {int}):\n store i16 v0 to s0\n v3 = icmp eq i16 v0, 0\n branch v3, b2, b1\n\
         b1:\n v4 = sub i16 v0, 1\n call fn0(i16 v4, ptr v1, {int} v2)\n return\n\
         b2:\n service longjmp(v1, v2)\n unreachable\n}}",
        program.target.pointer_bits
    );
    let mut body = parse(&text).unwrap().functions[Func::from_index(0)]
        .body
        .clone()
        .unwrap();
    if let Op::Call { callee, .. } = &mut body.blocks[Block::from_index(1)].insts[1].op {
        *callee = Callee::Direct(thrower);
    }
    body
}
