//! Values: operands, arithmetic, addresses.

use brownout_ir::*;

use super::Types as _;
use super::function::{Builder, Object};

impl Builder<'_> {
    pub(super) fn bits(&self, ty: Type) -> u32 {
        ty.bits(&self.program.target)
    }

    /// A constant of that type.
    pub(super) fn constant(&mut self, ty: Type) -> Operand {
        if ty == Type::Ptr {
            let offset = self.choices.below(8) as i64;
            return match self.choices.below(4) {
                0 => Operand::Bits(0),
                1 => Operand::Func(self.parts.thrower),
                _ => {
                    match self.objects[self.choices.below(self.objects.len() as u64) as usize].base
                    {
                        Operand::Global(global, _) => Operand::Global(global, offset),
                        Operand::Slot(slot, _) => Operand::Slot(slot, offset),
                        other => other,
                    }
                }
            };
        }
        let mask = eval::wide::mask(self.bits(ty));
        let random = u128::from(self.choices.any()) << 64 | u128::from(self.choices.any());
        let small = self.choices.below(20).into();
        let one = u128::from(ty != Type::BOOL);
        let bits = self.choices.pick(&[
            0,
            1,
            small,
            small,
            mask,
            mask >> 1,
            mask - one,
            (mask >> 1) + one,
            random,
            random >> 70,
        ]);
        Operand::Bits(bits & mask)
    }

    /// An operand of that type: a value if there is one, most of the time.
    pub(super) fn operand(&mut self, ty: Type) -> Operand {
        let known: Vec<Value> = self
            .scope
            .iter()
            .copied()
            .filter(|&value| self.body.values[value] == ty)
            .collect();
        if known.is_empty() || self.choices.below(4) == 0 {
            return self.constant(ty);
        }
        // Recent ones more often.
        let back = self
            .choices
            .pick(&[1, 2, 3, u64::MAX])
            .min(known.len() as u64);
        let from = known.len() as u64 - back;
        known[(from + self.choices.below(back)) as usize].into()
    }

    /// Any value that there is; a constant of a random type otherwise.
    fn some_operand(&mut self) -> (Operand, Type) {
        if self.scope.is_empty() {
            let ty = self.choices.ty();
            return (self.constant(ty), ty);
        }
        let value = self.scope[self.choices.below(self.scope.len() as u64) as usize];
        (value.into(), self.body.values[value])
    }

    /// An instruction without effects.
    pub(super) fn pure(&mut self) {
        let op = match self.choices.below(14) {
            0..4 => self.int_binary(),
            4 => {
                let ty = self.choices.int_type();
                self.int_unary(ty)
            }
            5 => {
                let ty = self.choices.int_type();
                let (a, b, c) = (self.operand(ty), self.operand(ty), self.operand(ty));
                Op::IntTernary {
                    op: self.choices.pick(IntTernary::ALL),
                    ty,
                    a,
                    b,
                    c,
                }
            }
            6 | 12 | 13 => self.float(),
            7 => {
                let ty = self.choices.pick(&[
                    Type::Ptr,
                    Type::Int(16),
                    Type::Int(8),
                    Type::Int(32),
                    Type::Int(64),
                ]);
                self.compare(ty)
            }
            8 => {
                let ty = self.choices.int_type();
                self.compare(ty)
            }
            9 => {
                let ty = self.choices.ty();
                let (condition, a, b) =
                    (self.operand(Type::BOOL), self.operand(ty), self.operand(ty));
                Op::Select {
                    ty,
                    condition,
                    a,
                    b,
                }
            }
            _ => self.cast(),
        };
        self.emit(op);
    }

    fn int_binary(&mut self) -> Op {
        let ty = if self.choices.chance(12) {
            Type::Ptr
        } else {
            self.choices.int_type()
        };
        let op = self.choices.pick(IntBinary::ALL);
        let (a, mut b) = (self.operand(ty), self.operand(ty));
        let divides = matches!(
            op,
            IntBinary::UDiv | IntBinary::SDiv | IntBinary::URem | IntBinary::SRem
        );
        if divides && !self.choices.chance(100) {
            // Nearly never zero.
            b = self.emit(Op::IntBinary {
                op: IntBinary::Or,
                ty,
                a: b,
                b: Operand::Bits(1),
            })[0]
                .into();
        }
        Op::IntBinary { op, ty, a, b }
    }

    fn int_unary(&mut self, ty: Type) -> Op {
        let op = self.choices.pick(IntUnary::ALL);
        let whole = self.bits(ty).is_multiple_of(8);
        let op = if op == IntUnary::ByteSwap && !whole {
            IntUnary::PopCount
        } else {
            op
        };
        Op::IntUnary {
            op,
            ty,
            a: self.operand(ty),
        }
    }

    pub(super) fn compare(&mut self, ty: Type) -> Op {
        let (a, b) = (self.operand(ty), self.operand(ty));
        Op::IntCompare {
            op: self.choices.pick(IntPredicate::ALL),
            ty,
            a,
            b,
        }
    }

    fn float(&mut self) -> Op {
        let ty = self.choices.float_type();
        let (a, b) = (self.operand(ty), self.operand(ty));
        match self.choices.below(5) {
            0 => Op::FloatUnary {
                op: self.choices.pick(FloatUnary::ALL),
                ty,
                a,
            },
            1 => Op::FloatCompare {
                op: self.choices.pick(FloatPredicate::ALL),
                ty,
                a,
                b,
            },
            2 => {
                let c = self.operand(ty);
                Op::FloatFma { ty, a, b, c }
            }
            3 => Op::FloatBinary {
                op: self.choices.pick(FloatBinary::ALL),
                ty,
                a,
                b,
            },
            _ => {
                use FloatBinary::*;
                Op::FloatBinary {
                    op: self.choices.pick(&[Add, Sub, Mul, Div]),
                    ty,
                    a,
                    b,
                }
            }
        }
    }

    fn cast(&mut self) -> Op {
        let (a, from) = self.some_operand();
        let bits = self.bits(from);
        let int = self.choices.int_type();
        let float = self.choices.float_type();
        let (op, to) = match from {
            Type::Ptr => (CastOp::PtrToInt, int),
            Type::Int(_) => match self.choices.below(5) {
                0 => (
                    self.choices
                        .pick(&[CastOp::UIntToFloat, CastOp::SIntToFloat]),
                    float,
                ),
                1 => (CastOp::IntToPtr, Type::Ptr),
                _ if self.bits(int) > bits => {
                    (self.choices.pick(&[CastOp::ZExt, CastOp::SExt]), int)
                }
                _ if self.bits(int) < bits => (CastOp::Trunc, int),
                _ => match bits {
                    16 => (CastOp::Bitcast, Type::Float(FloatKind::Half)),
                    32 => (CastOp::Bitcast, Type::Float(FloatKind::Single)),
                    64 => (CastOp::Bitcast, Type::Float(FloatKind::Double)),
                    80 => (CastOp::Bitcast, Type::Float(FloatKind::Extended)),
                    128 => (CastOp::Bitcast, Type::Float(FloatKind::Quad)),
                    _ => (CastOp::UIntToFloat, float),
                },
            },
            Type::Float(_) => match self.choices.below(4) {
                0 => (
                    self.choices
                        .pick(&[CastOp::FloatToUInt, CastOp::FloatToSInt]),
                    int,
                ),
                1 if self.bits(float) > bits => (CastOp::FloatExt, float),
                1 | 2 if self.bits(float) < bits => (CastOp::FloatTrunc, float),
                _ => (CastOp::Bitcast, Type::Int(bits as u8)),
            },
        };
        Op::Cast { op, from, to, a }
    }

    /// A value of pointer width below `end`.
    pub(super) fn index(&mut self, end: u64) -> Operand {
        let ty = self.program.target.size_type();
        let a = self.operand(ty);
        let end = u128::from(end.max(1));
        if self.choices.chance(3) && end.is_power_of_two() {
            return self.emit(Op::IntBinary {
                op: IntBinary::And,
                ty,
                a,
                b: Operand::Bits(end - 1),
            })[0]
                .into();
        }
        self.emit(Op::IntBinary {
            op: IntBinary::URem,
            ty,
            a,
            b: Operand::Bits(end),
        })[0]
            .into()
    }

    /// An object with room for `size` bytes.
    pub(super) fn object(&mut self, size: u64, writable: bool) -> Object {
        let fitting: Vec<Object> = self
            .objects
            .iter()
            .copied()
            .filter(|object| object.size >= size && (object.writable || !writable))
            .collect();
        fitting[self.choices.below(fitting.len() as u64) as usize]
    }

    /// The address of `size` bytes somewhere in an object.
    pub(super) fn address(&mut self, size: u64, writable: bool) -> Operand {
        let object = self.object(size, writable);
        let room = object.size - size;
        let at = self.choices.below(room + 1);
        let scale = self.choices.pick(&[1, 2, 3, 4, 8]);
        let count = room / scale + 1;
        let slack = (room - scale * (count - 1)) as i64;
        let scale = scale as i64;
        let op = match self.choices.below(9) {
            0 | 1 => return self.shift(object.base, at as i64),
            2 => Op::Address {
                base: object.base,
                index: Operand::Bits(at.into()),
                scale: 1,
                offset: 0,
            },
            3 | 4 => Op::Address {
                base: object.base,
                index: self.index(count),
                scale,
                offset: slack,
            },
            5 => {
                let index = self.index(count);
                Op::Address {
                    base: object.base,
                    index,
                    scale: -scale,
                    offset: scale * (count as i64 - 1),
                }
            }
            6 => {
                // Around three corners: past the object, back with a negative offset.
                let base = self.shift(object.base, at as i64 + 16);
                Op::Address {
                    base,
                    index: Operand::Bits(0),
                    scale: 7,
                    offset: -16,
                }
            }
            7 => {
                let base = self.shift(object.base, 1);
                Op::Address {
                    base,
                    index: self.index(count),
                    scale,
                    offset: -1,
                }
            }
            _ => {
                let ty = self.program.target.size_type();
                let a = self.emit(Op::Cast {
                    op: CastOp::PtrToInt,
                    from: Type::Ptr,
                    to: ty,
                    a: object.base,
                })[0]
                    .into();
                let index = self.index(room + 1);
                let a = self.emit(Op::IntBinary {
                    op: IntBinary::Add,
                    ty,
                    a,
                    b: index,
                })[0]
                    .into();
                Op::Cast {
                    op: CastOp::IntToPtr,
                    from: ty,
                    to: Type::Ptr,
                    a,
                }
            }
        };
        let address = self.emit(op)[0];
        if self.choices.chance(3) {
            self.objects.push(Object {
                base: address.into(),
                size,
                writable: object.writable,
            });
        }
        address.into()
    }

    /// A pointer and a constant distance.
    fn shift(&mut self, base: Operand, by: i64) -> Operand {
        match base {
            Operand::Global(global, offset) => Operand::Global(global, offset + by),
            Operand::Slot(slot, offset) => Operand::Slot(slot, offset + by),
            _ if by == 0 => base,
            _ => self.emit(Op::Address {
                base,
                index: Operand::Bits(0),
                scale: 1,
                offset: by,
            })[0]
                .into(),
        }
    }
}
