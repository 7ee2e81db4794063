//! Random valid bodies. The shape of the graph comes first; with its dominators
//! known, every block knows which values it may use.

use super::{Choices, type_of_object};
use brownout_ir::verify::Dominators;
use brownout_ir::*;

/// Makes the body of one function.
pub(super) struct FunctionBuilder<'a> {
    choices: &'a mut Choices,
    program: &'a Program,
    id: Func,
    /// How many blocks each function has.
    blocks: &'a [usize],
    body: Body,
    /// The values that may be used where we are.
    usable: Vec<Value>,
}

impl<'a> FunctionBuilder<'a> {
    pub(super) fn build(
        choices: &'a mut Choices,
        program: &'a Program,
        id: Func,
        blocks: &'a [usize],
    ) -> Body {
        let usable = Vec::new();
        let mut builder = Self {
            choices,
            program,
            id,
            blocks,
            body: Body::default(),
            usable,
        };
        builder.slots();
        builder.skeleton();
        let dominators = Dominators::new(&builder.body);
        let above = |block: &Block| dominators.immediate(*block);
        let depth = |block: &Block| std::iter::successors(above(block), above).count();
        // Dominators come before what they dominate, unreachable blocks last.
        let mut order: Vec<Block> = builder.body.blocks.ids().collect();
        order.sort_by_key(|block| (!dominators.is_reachable(*block), depth(block)));
        let mut defined = vec![Vec::new(); order.len()];
        for block in order {
            builder.usable = match above(&block) {
                Some(above) => defined[above.index()].clone(),
                None => defined.concat(),
            };
            builder.fill(block);
            defined[block.index()] = std::mem::take(&mut builder.usable);
        }
        builder.body
    }

    fn slots(&mut self) {
        for _ in 0..self.choices.below(3) {
            let size = self.choices.any() as u32;
            let slot = SlotData {
                size,
                align: self.choices.align(),
                name: self.choices.chance().then(|| self.choices.text()),
                ty: type_of_object(self.choices, self.program, size.into()),
                place: self.place(),
                annotations: self.choices.texts(),
            };
            self.body.slots.push(slot);
        }
        for number in 0..self.choices.below(2) as u32 {
            let parameter = ParameterData {
                name: self.choices.chance().then(|| self.choices.text()),
                ty: type_of_object(self.choices, self.program, u64::MAX),
            };
            self.body.parameters.insert(number, parameter);
        }
    }

    /// All blocks with their parameters and jumps, without arguments.
    fn skeleton(&mut self) {
        let count = self.blocks[self.id.index()];
        let mut edges = vec![Vec::new(); count];
        for to in 1..count {
            // One in eight is unreachable, or nearly so.
            if self.choices.below(8) != 7 {
                edges[self.choices.below(to)].push(to);
            }
            if self.choices.chance() {
                edges[self.choices.below(count)].push(to);
            }
        }
        for (block, targets) in edges.into_iter().enumerate() {
            let types = match block {
                0 => self.program.functions[self.id].params.clone(),
                _ => self.choices.types(),
            };
            let params = types
                .into_iter()
                .map(|ty| self.body.values.push(ty))
                .collect();
            let jumps = targets.into_iter().map(|block| Edge {
                block: Id::from_index(block),
                args: vec![],
            });
            let terminator = Terminator::Computed {
                address: Operand::Bits(0),
                targets: jumps.collect(),
            };
            let place = self.place();
            self.body.blocks.push(BlockData {
                params,
                insts: vec![],
                terminator,
                place,
            });
        }
    }

    fn fill(&mut self, block: Block) {
        self.usable.extend(&self.body.blocks[block].params);
        for _ in 0..self.choices.below(8) {
            let op = self.op();
            let types: Vec<Type> = (0..op.result_count(self.target()))
                .map_while(|index| op.result_type(index, self.target()))
                .collect();
            let results: Vec<Value> = types
                .into_iter()
                .map(|ty| self.body.values.push(ty))
                .collect();
            self.usable.extend(&results);
            let place = self.place();
            self.body.blocks[block]
                .insts
                .push(Inst { op, results, place });
        }
        let edges: Vec<Edge> = self.body.blocks[block]
            .terminator
            .edges()
            .into_iter()
            .cloned()
            .collect();
        let mut edges: Vec<Edge> = edges
            .into_iter()
            .map(|edge| self.edge(edge.block))
            .collect();
        let terminator = match edges.len() {
            0 if self.choices.chance() => Terminator::Unreachable,
            0 => {
                let results = &self.program.functions[self.id].results;
                Terminator::Return(results.iter().map(|ty| self.operand(*ty)).collect())
            }
            1 => Terminator::Jump(edges.remove(0)),
            2 if self.choices.chance() => {
                let condition = self.operand(Type::BOOL);
                Terminator::Branch {
                    condition,
                    otherwise: edges.remove(1),
                    then: edges.remove(0),
                }
            }
            _ if self.choices.chance() => {
                edges.sort_by_key(|edge| edge.block);
                edges.dedup_by_key(|edge| edge.block);
                Terminator::Computed {
                    address: self.operand(Type::Ptr),
                    targets: edges,
                }
            }
            _ => {
                let default = edges.remove(0);
                // Cases descend, to see that their order is kept.
                let ty = Type::Int(8 + self.choices.below(120) as u8);
                let cases = (0..edges.len() as u128).rev().zip(edges).collect();
                Terminator::Switch {
                    ty,
                    value: self.operand(ty),
                    cases,
                    default,
                }
            }
        };
        self.body.blocks[block].terminator = terminator;
    }

    fn target(&self) -> &'a Target {
        &self.program.target
    }

    fn place(&mut self) -> Option<source::Place> {
        self.choices.id(self.program.source.places.len())
    }

    fn edge(&mut self, block: Block) -> Edge {
        let params = &self.body.blocks[block].params;
        let types: Vec<Type> = params
            .iter()
            .map(|param| self.body.values[*param])
            .collect();
        Edge {
            block,
            args: types.into_iter().map(|ty| self.operand(ty)).collect(),
        }
    }

    fn operand(&mut self, ty: Type) -> Operand {
        let values: Vec<Value> = self
            .usable
            .iter()
            .copied()
            .filter(|v| self.body.values[*v] == ty)
            .collect();
        if !values.is_empty() && self.choices.below(4) != 0 {
            return self.choices.pick(&values).into();
        }
        let choices = &mut *self.choices;
        if ty == Type::Ptr {
            let offset = choices.signed();
            let function = choices.below(self.blocks.len());
            let blocks = self.blocks[function];
            match choices.below(5) {
                0 if !self.program.globals.is_empty() => {
                    return Operand::Global(
                        Id::from_index(choices.below(self.program.globals.len())),
                        offset,
                    );
                }
                1 if !self.body.slots.is_empty() => {
                    return Operand::Slot(
                        Id::from_index(choices.below(self.body.slots.len())),
                        offset,
                    );
                }
                2 => return Operand::Func(Id::from_index(function)),
                3 if blocks > 0 => {
                    return Operand::BlockAddress(
                        Id::from_index(function),
                        Id::from_index(choices.below(blocks)),
                    );
                }
                _ => {}
            }
        }
        let wide = u128::from(choices.any()) << 64 | u128::from(choices.any());
        let small = choices.below(10) as u128;
        let bits = choices.pick(&[0, u128::MAX, small, small, wide]);
        Operand::Bits(bits & u128::MAX >> (128 - ty.bits(&self.program.target)))
    }

    fn op(&mut self) -> Op {
        let size = self.target().size_type();
        match self.choices.below(21) {
            0 => {
                let op = self.choices.pick(IntBinary::ALL);
                let ty = if self.choices.chance() {
                    Type::Ptr
                } else {
                    self.choices.int()
                };
                Op::IntBinary {
                    op,
                    ty,
                    a: self.operand(ty),
                    b: self.operand(ty),
                }
            }
            1 => {
                let op = self.choices.pick(IntUnary::ALL);
                let ty = if op == IntUnary::ByteSwap {
                    Type::Int(24)
                } else {
                    self.choices.int()
                };
                Op::IntUnary {
                    op,
                    ty,
                    a: self.operand(ty),
                }
            }
            2 => {
                let (op, ty) = (self.choices.pick(IntTernary::ALL), self.choices.int());
                Op::IntTernary {
                    op,
                    ty,
                    a: self.operand(ty),
                    b: self.operand(ty),
                    c: self.operand(ty),
                }
            }
            3 => {
                let (op, ty) = (self.choices.pick(FloatBinary::ALL), self.choices.float());
                Op::FloatBinary {
                    op,
                    ty,
                    a: self.operand(ty),
                    b: self.operand(ty),
                }
            }
            4 => {
                let (op, ty) = (self.choices.pick(FloatUnary::ALL), self.choices.float());
                Op::FloatUnary {
                    op,
                    ty,
                    a: self.operand(ty),
                }
            }
            5 => {
                let ty = self.choices.float();
                Op::FloatFma {
                    ty,
                    a: self.operand(ty),
                    b: self.operand(ty),
                    c: self.operand(ty),
                }
            }
            6 => {
                let (op, ty) = (self.choices.pick(IntPredicate::ALL), self.choices.int());
                Op::IntCompare {
                    op,
                    ty,
                    a: self.operand(ty),
                    b: self.operand(ty),
                }
            }
            7 => {
                let (op, ty) = (self.choices.pick(FloatPredicate::ALL), self.choices.float());
                Op::FloatCompare {
                    op,
                    ty,
                    a: self.operand(ty),
                    b: self.operand(ty),
                }
            }
            8 => self.cast(),
            9 => {
                let ty = self.choices.ty();
                let condition = self.operand(Type::BOOL);
                Op::Select {
                    ty,
                    condition,
                    a: self.operand(ty),
                    b: self.operand(ty),
                }
            }
            10 => {
                let (scale, offset) = (self.choices.signed(), self.choices.signed());
                Op::Address {
                    base: self.operand(Type::Ptr),
                    index: self.operand(size),
                    scale,
                    offset,
                }
            }
            11 => {
                let (ty, volatile) = (self.choices.ty(), self.choices.chance());
                Op::Load {
                    ty,
                    address: self.operand(Type::Ptr),
                    volatile,
                }
            }
            12 => {
                let (ty, volatile) = (self.choices.ty(), self.choices.chance());
                Op::Store {
                    ty,
                    address: self.operand(Type::Ptr),
                    value: self.operand(ty),
                    volatile,
                }
            }
            13 => Op::Copy {
                to: self.operand(Type::Ptr),
                from: self.operand(Type::Ptr),
                length: self.operand(size),
            },
            14 => Op::Fill {
                to: self.operand(Type::Ptr),
                byte: self.operand(Type::Int(8)),
                length: self.operand(size),
            },
            15 => Op::StackAlloc {
                size: self.operand(size),
                align: self.choices.align(),
            },
            16 => Op::StackSave,
            17 => Op::StackRestore {
                pointer: self.operand(Type::Ptr),
            },
            18 => {
                let callee: Func = Id::from_index(self.choices.below(self.program.functions.len()));
                let function = &self.program.functions[callee];
                self.call(
                    Callee::Direct(callee),
                    function.params.clone(),
                    function.results.clone(),
                )
            }
            19 => {
                let callee = Callee::Indirect(self.operand(Type::Ptr));
                let (params, results) = (self.choices.types(), self.choices.types());
                self.call(callee, params, results)
            }
            _ => {
                let service = self.choices.pick(Service::ALL);
                let types = service.parameters(self.target());
                Op::Service {
                    service,
                    args: types.into_iter().map(|ty| self.operand(ty)).collect(),
                }
            }
        }
    }

    fn call(&mut self, callee: Callee, arg_types: Vec<Type>, result_types: Vec<Type>) -> Op {
        let args = arg_types.iter().map(|ty| self.operand(*ty)).collect();
        Op::Call {
            callee,
            args,
            arg_types,
            result_types,
        }
    }

    fn cast(&mut self) -> Op {
        use FloatKind::{Double, Single};
        let op = self.choices.pick(CastOp::ALL);
        let narrow = 1 + self.choices.below(64) as u8;
        let (narrow, wide) = (
            Type::Int(narrow),
            Type::Int(narrow + 1 + self.choices.below(64) as u8),
        );
        let (from, to) = match op {
            CastOp::ZExt | CastOp::SExt => (narrow, wide),
            CastOp::Trunc => (wide, narrow),
            CastOp::FloatToUInt | CastOp::FloatToSInt => (self.choices.float(), wide),
            CastOp::UIntToFloat | CastOp::SIntToFloat => (narrow, self.choices.float()),
            CastOp::FloatExt => (Type::Float(Single), Type::Float(Double)),
            CastOp::FloatTrunc => (Type::Float(Double), Type::Float(Single)),
            CastOp::Bitcast => (Type::Int(64), Type::Float(Double)),
            CastOp::PtrToInt => (Type::Ptr, wide),
            CastOp::IntToPtr => (narrow, Type::Ptr),
        };
        Op::Cast {
            op,
            from,
            to,
            a: self.operand(from),
        }
    }
}
