//! Statements: accesses, calls, control flow.

use brownout_ir::*;

use super::Types as _;
use super::function::{Builder, Object};

impl Builder<'_> {
    /// Up to `count` statements.
    pub(super) fn statements(&mut self, count: u64) {
        for _ in 0..1 + self.choices.below(count) {
            if self.choices.is_empty() {
                return;
            }
            self.statement();
        }
    }

    fn statement(&mut self) {
        let nest = self.depth < 3;
        match self.choices.below(34) {
            0..8 => self.pure(),
            8..12 => self.load(),
            12..17 => self.store(),
            17 => self.copy(),
            18 => self.fill(),
            19 => self.simple_service(),
            20 => self.external(),
            21 => self.register(),
            22..25 => self.call(),
            25 | 26 if nest => self.branch(),
            27 | 28 if nest => self.repeat(),
            29 if nest => self.switch(),
            30 if nest => self.computed(),
            31 if nest && !self.jumping => self.set_jump(),
            32 if nest => self.dynamic_stack(),
            33 if nest => self.recurse(),
            _ => self.pure(),
        }
    }

    fn load(&mut self) {
        let ty = self.choices.ty();
        let address = self.address(ty.bytes(&self.program.target).into(), false);
        let volatile = self.choices.chance(8);
        self.emit(Op::Load {
            ty,
            address,
            volatile,
        });
    }

    fn store(&mut self) {
        let ty = self.choices.ty();
        let value = self.operand(ty);
        let address = self.address(ty.bytes(&self.program.target).into(), true);
        self.emit(Op::Store {
            ty,
            address,
            value,
            volatile: false,
        });
    }

    fn copy(&mut self) {
        let size = 1 + self.choices.below(16);
        let (to, from) = (self.address(size, true), self.address(size, false));
        let length = self.length(size);
        self.emit(Op::Copy { to, from, length });
    }

    fn fill(&mut self) {
        let size = 1 + self.choices.below(16);
        let to = self.address(size, true);
        let byte = self.operand(Type::Int(8));
        let length = self.length(size);
        self.emit(Op::Fill { to, byte, length });
    }

    /// At most `size`.
    fn length(&mut self, size: u64) -> Operand {
        if self.choices.chance(2) {
            self.index(size + 1)
        } else {
            Operand::Bits(size.into())
        }
    }

    fn simple_service(&mut self) {
        match self.choices.below(6) {
            0 | 1 => {
                let size = self.choices.below(9);
                let address = self.address(size, false);
                let stream = 1 + u128::from(self.choices.below(2));
                self.service(
                    Service::Write,
                    vec![Operand::Bits(stream), address, Operand::Bits(size.into())],
                );
            }
            2 => _ = self.service(Service::Clock, vec![]),
            3 => _ = self.service(Service::HeapSize, vec![]),
            4 => {
                let level = self.choices.below(2).into();
                self.service(Service::FrameAddress, vec![Operand::Bits(level)]);
            }
            _ => {
                let level = self.choices.below(2).into();
                self.service(Service::ReturnAddress, vec![Operand::Bits(level)]);
            }
        }
    }

    fn external(&mut self) {
        let parts = self.parts;
        let func = self
            .choices
            .pick(&[parts.input, parts.output, parts.checkpoint, parts.ignored]);
        let indirectly = self.choices.chance(3);
        let callee = if indirectly {
            Callee::Indirect(Operand::Func(func))
        } else {
            Callee::Direct(func)
        };
        self.call_of(func, callee, None);
    }

    /// Device registers: reads of inputs, writes of outputs.
    fn register(&mut self) {
        let ty = self
            .choices
            .pick(&[Type::Int(16), Type::Int(8), Type::Int(32), Type::Int(128)]);
        if self.choices.chance(2) {
            let address = Operand::Global(self.parts.registers[1], 0);
            self.emit(Op::Load {
                ty,
                address,
                volatile: true,
            });
        } else {
            let value = self.operand(ty);
            let address = Operand::Global(self.parts.registers[2], 0);
            self.emit(Op::Store {
                ty,
                address,
                value,
                volatile: true,
            });
        }
    }

    /// A call of a function behind this one.
    fn call(&mut self) {
        let count = self.parts.functions as u64;
        let first = self.func.index() as u64 + 1;
        if first >= count {
            return self.pure();
        }
        let func = Func::from_index((first + self.choices.below(count - first)) as usize);
        let fuel = Some(Operand::Bits(self.choices.below(3).into()));
        match self.choices.below(4) {
            0 => {
                // One of two with the same signature, through a pointer.
                let signature = |func: Func| {
                    let function = &self.program.functions[func];
                    (function.params.clone(), function.results.clone())
                };
                let same: Vec<Func> = (first..count)
                    .map(|index| Func::from_index(index as usize))
                    .filter(|&other| signature(other) == signature(func))
                    .collect();
                let other = self.choices.pick(&same);
                let condition = self.operand(Type::BOOL);
                let (a, b) = (Operand::Func(func), Operand::Func(other));
                let pointer = self.emit(Op::Select {
                    ty: Type::Ptr,
                    condition,
                    a,
                    b,
                })[0];
                self.call_of(func, Callee::Indirect(pointer.into()), fuel);
            }
            1 => {
                let last = Func::from_index(count as usize - 1);
                let pointer = self.emit(Op::Load {
                    ty: Type::Ptr,
                    address: Operand::Global(self.parts.table, 0),
                    volatile: false,
                })[0];
                self.call_of(last, Callee::Indirect(pointer.into()), fuel);
            }
            _ => self.call_of(func, Callee::Direct(func), fuel),
        }
    }

    fn call_of(&mut self, like: Func, callee: Callee, first: Option<Operand>) {
        let function = &self.program.functions[like];
        let (arg_types, result_types) = (function.params.clone(), function.results.clone());
        let mut args: Vec<Operand> = arg_types.iter().map(|&ty| self.operand(ty)).collect();
        if let (Some(first), Some(arg)) = (first, args.first_mut()) {
            *arg = first;
        }
        self.emit(Op::Call {
            callee,
            args,
            arg_types,
            result_types,
        });
    }

    /// If there is fuel left, calls itself with less of it.
    fn recurse(&mut self) {
        if self.func.index() == 0 {
            return self.pure();
        }
        let entry = &self.body.blocks[Block::from_index(0)];
        let (fuel, ty): (Operand, Type) = (entry.params[0].into(), Type::Int(16));
        // Fuel is a number of calls only for callers that respect it.
        let few = self.emit(Op::IntCompare {
            op: IntPredicate::ULt,
            ty,
            a: fuel,
            b: Operand::Bits(4),
        })[0];
        let some = self.emit(Op::IntCompare {
            op: IntPredicate::Ne,
            ty,
            a: fuel,
            b: Operand::Bits(0),
        })[0];
        let both = IntBinary::And;
        let condition = self.emit(Op::IntBinary {
            op: both,
            ty: Type::BOOL,
            a: few.into(),
            b: some.into(),
        })[0];
        self.either(condition.into(), |builder| {
            let less = builder.emit(Op::IntBinary {
                op: IntBinary::Sub,
                ty,
                a: fuel,
                b: Operand::Bits(1),
            })[0];
            builder.call_of(
                builder.func,
                Callee::Direct(builder.func),
                Some(less.into()),
            );
        });
    }

    fn branch(&mut self) {
        let condition = if self.choices.chance(3) {
            self.operand(Type::BOOL)
        } else {
            let ty = self.choices.int_type();
            let op = self.compare(ty);
            self.emit(op)[0].into()
        };
        self.either(condition, |builder| builder.statements(4));
    }

    /// `then` on one side, perhaps something on the other, and a join.
    fn either(&mut self, condition: Operand, then: impl FnOnce(&mut Self)) {
        let types = self.choices.types(4);
        let (join, params) = self.new_block(&types);
        let (yes, _) = self.new_block(&[]);
        let has_other = self.choices.chance(2);
        let no = if has_other {
            self.new_block(&[]).0
        } else {
            join
        };
        let args = if has_other { vec![] } else { self.args(&types) };
        let (then_edge, otherwise) = (
            Edge {
                block: yes,
                args: vec![],
            },
            Edge { block: no, args },
        );
        let flip = self.choices.chance(2);
        let (first, second) = if flip {
            (otherwise, then_edge)
        } else {
            (then_edge, otherwise)
        };
        self.terminate(
            Terminator::Branch {
                condition,
                then: first,
                otherwise: second,
            },
            yes,
        );
        self.scoped(|builder| {
            then(builder);
            let args = builder.args(&types);
            builder.terminate(
                Terminator::Jump(Edge { block: join, args }),
                if has_other { no } else { join },
            );
        });
        if has_other {
            self.scoped(|builder| {
                builder.statements(3);
                let args = builder.args(&types);
                builder.terminate(Terminator::Jump(Edge { block: join, args }), join);
            });
        }
        self.scope.extend(params);
    }

    pub(super) fn args(&mut self, types: &[Type]) -> Vec<Operand> {
        types.iter().map(|&ty| self.operand(ty)).collect()
    }

    /// A loop whose parameters change places.
    fn repeat(&mut self) {
        let ty = self.choices.pick(&[
            Type::Int(16),
            Type::Int(8),
            Type::Int(32),
            Type::Int(64),
            Type::Int(128),
            Type::Int(24),
        ]);
        let mut types = vec![ty];
        let carried = self.choices.ty();
        types.extend((0..self.choices.below(4)).map(|_| carried));
        types.extend(self.choices.types(2));
        let end = Operand::Bits(self.choices.below(5).into());
        let (header, params) = self.new_block(&types);
        let (inside, _) = self.new_block(&[]);
        let after_types = self.choices.types(2);
        let (after, after_params) = self.new_block(&after_types);
        let mut args = self.args(&types);
        args[0] = Operand::Bits(0);
        self.terminate(
            Terminator::Jump(Edge {
                block: header,
                args,
            }),
            header,
        );
        self.scoped(|builder| {
            builder.scope.extend(&params);
            let counter: Operand = params[0].into();
            if builder.choices.chance(3) {
                builder.pure();
            }
            let op =
                builder
                    .choices
                    .pick(&[IntPredicate::ULt, IntPredicate::SLt, IntPredicate::Ne]);
            let again = builder.emit(Op::IntCompare {
                op,
                ty,
                a: counter,
                b: end,
            })[0];
            let args = builder.args(&after_types);
            let (then, otherwise) = (
                Edge {
                    block: inside,
                    args: vec![],
                },
                Edge { block: after, args },
            );
            builder.terminate(
                Terminator::Branch {
                    condition: again.into(),
                    then,
                    otherwise,
                },
                inside,
            );
            builder.statements(4);
            if builder.choices.chance(4) {
                // `break`
                let (on, _) = builder.new_block(&[]);
                let condition = builder.operand(Type::BOOL);
                let args = builder.args(&after_types);
                let (then, otherwise) = (
                    Edge { block: after, args },
                    Edge {
                        block: on,
                        args: vec![],
                    },
                );
                builder.terminate(
                    Terminator::Branch {
                        condition,
                        then,
                        otherwise,
                    },
                    on,
                );
            }
            let next = builder.emit(Op::IntBinary {
                op: IntBinary::Add,
                ty,
                a: counter,
                b: Operand::Bits(1),
            })[0];
            let mut args = builder.rotated(&params, &types);
            args[0] = next.into();
            builder.terminate(
                Terminator::Jump(Edge {
                    block: header,
                    args,
                }),
                after,
            );
        });
        self.scope.extend(after_params);
    }

    /// Arguments for the next round: mostly other parameters of the same type.
    fn rotated(&mut self, params: &[Value], types: &[Type]) -> Vec<Operand> {
        let shift = self.choices.below(4) as usize;
        let mut args = vec![];
        for (index, &ty) in types.iter().enumerate() {
            let same: Vec<Value> = params[1..]
                .iter()
                .copied()
                .filter(|&param| self.body.values[param] == ty)
                .collect();
            let arg = match self.choices.below(4) {
                0 => self.operand(ty),
                _ if same.is_empty() => self.operand(ty),
                _ => same[(index + shift) % same.len()].into(),
            };
            args.push(arg);
        }
        args
    }

    fn switch(&mut self) {
        let ty = self.choices.pick(&[
            Type::Int(16),
            Type::Int(8),
            Type::Int(32),
            Type::Int(64),
            Type::Int(128),
        ]);
        let mask = eval::wide::mask(self.bits(ty));
        let mut value = self.operand(ty);
        if self.choices.chance(2) {
            value = self.emit(Op::IntBinary {
                op: IntBinary::And,
                ty,
                a: value,
                b: Operand::Bits(7),
            })[0]
                .into();
        }
        let types = self.choices.types(2);
        let (join, params) = self.new_block(&types);
        let (spread, start) = (
            self.choices.pick(&[1, 1, 2, 40]),
            self.choices.pick(&[0, 3, mask - 6, mask / 2]),
        );
        let mut cases: Vec<(u128, Edge)> = vec![];
        let mut bodies = vec![];
        let shared = self.new_block(&types).0;
        for index in 0..1 + self.choices.below(6) {
            let case = start.wrapping_add(u128::from(index) * spread) & mask;
            if cases.iter().any(|(other, _)| *other == case) {
                continue;
            }
            let edge = if self.choices.chance(2) {
                let block = self.new_block(&[]).0;
                bodies.push(block);
                Edge {
                    block,
                    args: vec![],
                }
            } else {
                // Several cases, other arguments.
                Edge {
                    block: self.choices.pick(&[shared, join]),
                    args: self.args(&types),
                }
            };
            cases.push((case, edge));
        }
        let default = Edge {
            block: shared,
            args: self.args(&types),
        };
        self.terminate(
            Terminator::Switch {
                ty,
                value,
                cases,
                default,
            },
            shared,
        );
        let shared_params = self.body.blocks[shared].params.clone();
        self.scoped(|builder| {
            builder.scope.extend(shared_params);
            builder.leave_to(join, &types);
        });
        for block in bodies {
            self.block = block;
            self.scoped(|builder| builder.leave_to(join, &types));
        }
        self.block = join;
        self.scope.extend(params);
    }

    fn leave_to(&mut self, join: Block, types: &[Type]) {
        self.statements(2);
        let args = self.args(types);
        self.terminate(Terminator::Jump(Edge { block: join, args }), join);
    }

    /// `goto *pointer`
    fn computed(&mut self) {
        let types = self.choices.types(3);
        let (join, params) = self.new_block(&types);
        let ((first, _), (second, second_params)) = (self.new_block(&[]), self.new_block(&types));
        let condition = self.operand(Type::BOOL);
        let (a, b) = (
            Operand::BlockAddress(self.func, first),
            Operand::BlockAddress(self.func, second),
        );
        let address = self.emit(Op::Select {
            ty: Type::Ptr,
            condition,
            a,
            b,
        })[0];
        // Its number is not for the program to see: blocks are shuffled.
        self.scope.pop();
        let args = self.args(&types);
        let targets = vec![
            Edge {
                block: first,
                args: vec![],
            },
            Edge {
                block: second,
                args,
            },
        ];
        self.terminate(
            Terminator::Computed {
                address: address.into(),
                targets,
            },
            first,
        );
        self.scoped(|builder| builder.leave_to(join, &types));
        self.block = second;
        self.scoped(|builder| {
            builder.scope.extend(second_params);
            builder.leave_to(join, &types);
        });
        self.block = join;
        self.scope.extend(params);
    }

    /// `if (!setjmp(buffer)) { …; longjmp(buffer, 3); }`
    fn set_jump(&mut self) {
        let buffer = Operand::Global(self.parts.buffers[self.func.index()], 0);
        let int = self.program.target.int();
        let jumped = self.service(Service::SetJump, vec![buffer]).unwrap();
        let first = Op::IntCompare {
            op: IntPredicate::Eq,
            ty: int,
            a: jumped.into(),
            b: Operand::Bits(0),
        };
        let first = self.emit(first)[0];
        // A buffer serves one `setjmp` at a time: otherwise jumps could go round and round.
        self.jumping = true;
        self.either(first.into(), |builder| {
            builder.statements(3);
            let value = builder.operand(int);
            match builder.choices.below(3) {
                0 => {}
                1 => _ = builder.service(Service::LongJump, vec![buffer, value]),
                _ => {
                    let depth = Operand::Bits(builder.choices.below(3).into());
                    builder.emit(Op::Call {
                        callee: Callee::Direct(builder.parts.thrower),
                        args: vec![depth, buffer, value],
                        arg_types: vec![Type::Int(16), Type::Ptr, int],
                        result_types: vec![],
                    });
                }
            }
        });
        self.jumping = false;
    }

    /// `{ char array[n]; … }`
    fn dynamic_stack(&mut self) {
        let saved = self.emit(Op::StackSave)[0];
        let least = 16;
        let more = self.index(24);
        let ty = self.program.target.size_type();
        let size = self.emit(Op::IntBinary {
            op: IntBinary::Add,
            ty,
            a: more,
            b: Operand::Bits(least),
        })[0];
        let align = 1 << self.choices.below(6);
        let base = self.emit(Op::StackAlloc {
            size: size.into(),
            align,
        })[0]
            .into();
        let objects = self.objects.len();
        self.objects.push(Object {
            base,
            size: least as u64,
            writable: true,
        });
        self.depth += 1;
        self.statements(5);
        self.depth -= 1;
        self.objects.truncate(objects);
        self.emit(Op::StackRestore {
            pointer: saved.into(),
        });
    }
}
