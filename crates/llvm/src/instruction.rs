//! One LLVM instruction at a time. Everything works leaf by leaf, so that
//! scalars, vectors and aggregates share one path.

use brownout_ir::{
    CastOp, FloatBinary, FloatPredicate, FloatUnary, IntBinary, IntPredicate, Op, Operand, Type,
};

use crate::error::Gap;
use crate::function::FunctionLowering;
use crate::leaves;
use crate::raw::{self, Opcode, RealPredicate, RmwOp, TypeKind, Value};

impl<'m> FunctionLowering<'_, 'm> {
    /// Lowers an instruction that is not a terminator.
    pub(crate) fn instruction(&mut self, inst: Value<'m>) {
        use Opcode::*;
        if self.wide_instruction(inst) {
            return;
        }
        if let Some(op) = int_binary(inst.opcode()) {
            return self.binary(inst, |ty, a, b| Op::IntBinary { op, ty, a, b });
        }
        if let Some(op) = float_binary(inst.opcode()) {
            return self.binary(inst, |ty, a, b| Op::FloatBinary { op, ty, a, b });
        }
        if let Some(op) = cast_op(inst.opcode()) {
            return self.casts(inst, op);
        }
        match inst.opcode() {
            LLVMFNeg => self.unary(inst, |ty, a| Op::FloatUnary {
                op: FloatUnary::Neg,
                ty,
                a,
            }),
            LLVMFreeze | LLVMAddrSpaceCast => {
                let leaves = self.leaves_of(inst.operand(0));
                self.define(inst, leaves);
            }
            LLVMBitCast => self.bitcast(inst),
            LLVMICmp => {
                let op = int_predicate(inst.int_predicate());
                self.compare(inst, |ty, a, b| Op::IntCompare { op, ty, a, b });
            }
            LLVMFCmp => {
                let op = float_predicate(inst.real_predicate());
                self.compare(inst, |ty, a, b| Op::FloatCompare { op, ty, a, b });
            }
            LLVMSelect => self.select(inst),
            LLVMAlloca => self.alloca(inst),
            LLVMLoad => {
                let address = self.scalar_of(inst.operand(0));
                let leaves = self.load_leaves(inst.ty(), address, inst.is_volatile());
                self.define(inst, leaves);
            }
            LLVMStore => {
                let value = self.leaves_of(inst.operand(0));
                let address = self.scalar_of(inst.operand(1));
                self.store_leaves(inst.operand(0).ty(), address, &value, inst.is_volatile());
            }
            LLVMGetElementPtr => self.address(inst),
            LLVMExtractValue => {
                let whole = self.leaves_of(inst.operand(0));
                match leaves::member(self.lowering.layout, inst.operand(0).ty(), &inst.indices()) {
                    Ok(range) => self.define(inst, whole[range].to_vec()),
                    Err(gap) => self.gap(gap),
                }
            }
            LLVMInsertValue => {
                let mut whole = self.leaves_of(inst.operand(0));
                let part = self.leaves_of(inst.operand(1));
                match leaves::member(self.lowering.layout, inst.operand(0).ty(), &inst.indices()) {
                    Ok(range) => {
                        whole.splice(range, part);
                        self.define(inst, whole);
                    }
                    Err(gap) => self.gap(gap),
                }
            }
            LLVMExtractElement => self.extract_element(inst),
            LLVMInsertElement => self.insert_element(inst),
            LLVMShuffleVector => self.shuffle(inst),
            LLVMCall | LLVMInvoke => self.call(inst),
            LLVMVAArg => self.next_argument(inst),
            // One core: every access is atomic already.
            LLVMFence => {}
            LLVMAtomicRMW => self.read_modify_write(inst),
            LLVMAtomicCmpXchg => self.compare_exchange(inst),
            _ => self.gap(Gap::Instruction(name(inst))),
        }
    }

    fn binary(&mut self, inst: Value<'m>, op: impl Fn(Type, Operand, Operand) -> Op) {
        let (a, b) = (
            self.leaves_of(inst.operand(0)),
            self.leaves_of(inst.operand(1)),
        );
        let types = self.lowering.types(inst.ty());
        let results = types
            .iter()
            .zip(a.into_iter().zip(b))
            .map(|(&ty, (a, b))| self.emit(op(ty, a, b), ty))
            .collect();
        self.define(inst, results);
    }

    fn unary(&mut self, inst: Value<'m>, op: impl Fn(Type, Operand) -> Op) {
        let a = self.leaves_of(inst.operand(0));
        let types = self.lowering.types(inst.ty());
        let results = types
            .iter()
            .zip(a)
            .map(|(&ty, a)| self.emit(op(ty, a), ty))
            .collect();
        self.define(inst, results);
    }

    fn compare(&mut self, inst: Value<'m>, op: impl Fn(Type, Operand, Operand) -> Op) {
        let (a, b) = (
            self.leaves_of(inst.operand(0)),
            self.leaves_of(inst.operand(1)),
        );
        let types = self.lowering.types(inst.operand(0).ty());
        let results = types
            .iter()
            .zip(a.into_iter().zip(b))
            .map(|(&ty, (a, b))| self.emit(op(ty, a, b), Type::BOOL))
            .collect();
        self.define(inst, results);
    }

    fn casts(&mut self, inst: Value<'m>, op: CastOp) {
        let a = self.leaves_of(inst.operand(0));
        let from = self.lowering.types(inst.operand(0).ty());
        let to = self.lowering.types(inst.ty());
        let results = from
            .into_iter()
            .zip(to)
            .zip(a)
            .map(|((from, to), a)| match op {
                // A pointer and an integer of another width: two steps.
                CastOp::PtrToInt => {
                    let word = self.word();
                    let number = self.cast(CastOp::PtrToInt, from, word, a);
                    self.resize(number, word, to)
                }
                CastOp::IntToPtr => {
                    let word = self.word();
                    let number = self.resize(a, from, word);
                    match number {
                        Operand::Bits(_) => number,
                        _ => self.cast(CastOp::IntToPtr, word, to, number),
                    }
                }
                _ => self.cast(op, from, to, a),
            })
            .collect();
        self.define(inst, results);
    }

    fn select(&mut self, inst: Value<'m>) {
        let conditions = self.leaves_of(inst.operand(0));
        let (a, b) = (
            self.leaves_of(inst.operand(1)),
            self.leaves_of(inst.operand(2)),
        );
        let types = self.lowering.types(inst.ty());
        let vector = inst.operand(0).ty().kind() == TypeKind::LLVMVectorTypeKind;
        let results = types
            .iter()
            .zip(a.into_iter().zip(b))
            .enumerate()
            .map(|(index, (&ty, (a, b)))| {
                let condition = conditions
                    .get(if vector { index } else { 0 })
                    .copied()
                    .unwrap_or(Operand::Bits(0));
                self.emit(
                    Op::Select {
                        ty,
                        condition,
                        a,
                        b,
                    },
                    ty,
                )
            })
            .collect();
        self.define(inst, results);
    }

    fn alloca(&mut self, inst: Value<'m>) {
        let ty = inst.allocated_type();
        let size = self.lowering.layout.size(ty);
        let align = inst.alignment().max(1);
        let count = inst.operand(0);
        let fixed = match self.scalar_of(count) {
            Operand::Bits(count) => u64::try_from(count)
                .ok()
                .and_then(|count| count.checked_mul(size)),
            _ => None,
        };
        // Only the entry block runs once per activation: elsewhere every execution makes a new object.
        let in_entry = self.body.blocks.is_empty();
        if let (true, Some(size)) = (in_entry, fixed.and_then(|size| u32::try_from(size).ok())) {
            let slot = self.new_slot(size, align);
            return self.define(inst, vec![Operand::Slot(slot, 0)]);
        }
        let word = self.word();
        let from = leaves::scalar(count.ty()).unwrap_or(word);
        let count = self.scalar_of(count);
        let count = self.resize(count, from, word);
        let size = self.int_binary(IntBinary::Mul, word, count, Operand::Bits(size.into()));
        let pointer = self.emit(Op::StackAlloc { size, align }, Type::Ptr);
        self.define(inst, vec![pointer]);
    }

    /// Loads every leaf of a type.
    pub(crate) fn load_leaves(
        &mut self,
        ty: raw::Type<'m>,
        address: Operand,
        volatile: bool,
    ) -> Vec<Operand> {
        if let Some(width) = leaves::packed_bits(ty) {
            return self.load_packed(ty, width, address);
        }
        let leaves = self.lowering.leaves(ty);
        leaves
            .into_iter()
            .map(|leaf| {
                let address = self.offset(address, leaf.offset as i64);
                self.emit(
                    Op::Load {
                        ty: leaf.ty,
                        address,
                        volatile,
                    },
                    leaf.ty,
                )
            })
            .collect()
    }

    /// Stores every leaf of a type.
    pub(crate) fn store_leaves(
        &mut self,
        ty: raw::Type<'m>,
        address: Operand,
        values: &[Operand],
        volatile: bool,
    ) {
        if let Some(width) = leaves::packed_bits(ty) {
            return self.store_packed(width, address, values);
        }
        for (leaf, &value) in self.lowering.leaves(ty).into_iter().zip(values) {
            let address = self.offset(address, leaf.offset as i64);
            self.effect(Op::Store {
                ty: leaf.ty,
                address,
                value,
                volatile,
            });
        }
    }

    /// `getelementptr`: constant parts are folded, every variable index is one instruction.
    fn address(&mut self, inst: Value<'m>) {
        if inst.ty().kind() == TypeKind::LLVMVectorTypeKind {
            return self.gap(Gap::Instruction("getelementptr of vectors".to_owned()));
        }
        let mut base = self.scalar_of(inst.operand(0));
        let mut ty = inst.gep_source();
        let mut constant: i64 = 0;
        let mut variable = Vec::new();
        for position in 1..inst.operand_count() {
            let index = inst.operand(position);
            if position > 1 && ty.kind() == TypeKind::LLVMStructTypeKind {
                let Operand::Bits(field) = self.scalar_of(index) else {
                    continue;
                };
                constant += self.lowering.layout.field_offset(ty, field as u32) as i64;
                let fields = ty.fields();
                ty = fields[(field as usize).min(fields.len().saturating_sub(1))];
                continue;
            }
            if position > 1 {
                ty = ty.element();
            }
            let scale = self.lowering.layout.size(ty) as i64;
            let from = leaves::scalar(index.ty()).unwrap_or(Type::Int(64));
            match self.as_word(index, from) {
                Operand::Bits(bits) => {
                    let word = self.bits(self.word());
                    let index = brownout_ir::eval::wide::signed(word, bits) as i64;
                    constant = constant.wrapping_add(index.wrapping_mul(scale));
                }
                index => variable.push((index, scale)),
            }
        }
        let Some((last, rest)) = variable.split_last() else {
            let pointer = self.offset(base, constant);
            return self.define(inst, vec![pointer]);
        };
        for &(index, scale) in rest {
            base = self.emit(
                Op::Address {
                    base,
                    index,
                    scale,
                    offset: 0,
                },
                Type::Ptr,
            );
        }
        let &(index, scale) = last;
        let (base, offset) = match base {
            Operand::Global(..) | Operand::Slot(..) => (self.offset(base, constant), 0),
            _ => (base, constant),
        };
        let pointer = self.emit(
            Op::Address {
                base,
                index,
                scale,
                offset,
            },
            Type::Ptr,
        );
        self.define(inst, vec![pointer]);
    }

    fn read_modify_write(&mut self, inst: Value<'m>) {
        let Some(ty) = leaves::scalar(inst.ty()) else {
            return self.gap(Gap::Type(inst.ty().print()));
        };
        let address = self.scalar_of(inst.operand(0));
        let value = self.scalar_of(inst.operand(1));
        let volatile = inst.is_volatile();
        let old = self.emit(
            Op::Load {
                ty,
                address,
                volatile,
            },
            ty,
        );
        let int = |op| Op::IntBinary {
            op,
            ty,
            a: old,
            b: value,
        };
        let float = |op| Op::FloatBinary {
            op,
            ty,
            a: old,
            b: value,
        };
        let new = match inst.rmw_op() {
            RmwOp::LLVMAtomicRMWBinOpXchg => value,
            RmwOp::LLVMAtomicRMWBinOpAdd => self.emit(int(IntBinary::Add), ty),
            RmwOp::LLVMAtomicRMWBinOpSub => self.emit(int(IntBinary::Sub), ty),
            RmwOp::LLVMAtomicRMWBinOpAnd => self.emit(int(IntBinary::And), ty),
            RmwOp::LLVMAtomicRMWBinOpOr => self.emit(int(IntBinary::Or), ty),
            RmwOp::LLVMAtomicRMWBinOpXor => self.emit(int(IntBinary::Xor), ty),
            RmwOp::LLVMAtomicRMWBinOpMax => self.emit(int(IntBinary::SMax), ty),
            RmwOp::LLVMAtomicRMWBinOpMin => self.emit(int(IntBinary::SMin), ty),
            RmwOp::LLVMAtomicRMWBinOpUMax => self.emit(int(IntBinary::UMax), ty),
            RmwOp::LLVMAtomicRMWBinOpUMin => self.emit(int(IntBinary::UMin), ty),
            RmwOp::LLVMAtomicRMWBinOpUSubSat => self.emit(int(IntBinary::USubSat), ty),
            RmwOp::LLVMAtomicRMWBinOpFAdd => self.emit(float(FloatBinary::Add), ty),
            RmwOp::LLVMAtomicRMWBinOpFSub => self.emit(float(FloatBinary::Sub), ty),
            RmwOp::LLVMAtomicRMWBinOpFMax => self.emit(float(FloatBinary::MaxNum), ty),
            RmwOp::LLVMAtomicRMWBinOpFMin => self.emit(float(FloatBinary::MinNum), ty),
            RmwOp::LLVMAtomicRMWBinOpNand => {
                let both = self.emit(int(IntBinary::And), ty);
                let ones = u128::MAX >> (128 - self.bits(ty));
                self.int_binary(IntBinary::Xor, ty, both, Operand::Bits(ones))
            }
            _ => return self.gap(Gap::Instruction("atomicrmw of an unusual kind".to_owned())),
        };
        self.effect(Op::Store {
            ty,
            address,
            value: new,
            volatile,
        });
        self.define(inst, vec![old]);
    }

    /// Writes back what it read when the comparison fails: a silent store.
    fn compare_exchange(&mut self, inst: Value<'m>) {
        let Some(ty) = leaves::scalar(inst.operand(1).ty()) else {
            return self.gap(Gap::Type(inst.operand(1).ty().print()));
        };
        let address = self.scalar_of(inst.operand(0));
        let (expected, new) = (
            self.scalar_of(inst.operand(1)),
            self.scalar_of(inst.operand(2)),
        );
        let volatile = inst.is_volatile();
        let old = self.emit(
            Op::Load {
                ty,
                address,
                volatile,
            },
            ty,
        );
        let equal = self.emit(
            Op::IntCompare {
                op: IntPredicate::Eq,
                ty,
                a: old,
                b: expected,
            },
            Type::BOOL,
        );
        let value = self.emit(
            Op::Select {
                ty,
                condition: equal,
                a: new,
                b: old,
            },
            ty,
        );
        self.effect(Op::Store {
            ty,
            address,
            value,
            volatile,
        });
        self.define(inst, vec![old, equal]);
    }
}

/// What LLVM calls an instruction.
pub(crate) fn name(inst: Value<'_>) -> String {
    let text = inst.print();
    let name = text.trim().split(" = ").last().unwrap_or_default();
    name.split(' ').next().unwrap_or_default().to_owned()
}

fn int_binary(opcode: Opcode) -> Option<IntBinary> {
    Some(match opcode {
        Opcode::LLVMAdd => IntBinary::Add,
        Opcode::LLVMSub => IntBinary::Sub,
        Opcode::LLVMMul => IntBinary::Mul,
        Opcode::LLVMUDiv => IntBinary::UDiv,
        Opcode::LLVMSDiv => IntBinary::SDiv,
        Opcode::LLVMURem => IntBinary::URem,
        Opcode::LLVMSRem => IntBinary::SRem,
        Opcode::LLVMShl => IntBinary::Shl,
        Opcode::LLVMLShr => IntBinary::LShr,
        Opcode::LLVMAShr => IntBinary::AShr,
        Opcode::LLVMAnd => IntBinary::And,
        Opcode::LLVMOr => IntBinary::Or,
        Opcode::LLVMXor => IntBinary::Xor,
        _ => return None,
    })
}

fn float_binary(opcode: Opcode) -> Option<FloatBinary> {
    Some(match opcode {
        Opcode::LLVMFAdd => FloatBinary::Add,
        Opcode::LLVMFSub => FloatBinary::Sub,
        Opcode::LLVMFMul => FloatBinary::Mul,
        Opcode::LLVMFDiv => FloatBinary::Div,
        Opcode::LLVMFRem => FloatBinary::Rem,
        _ => return None,
    })
}

fn cast_op(opcode: Opcode) -> Option<CastOp> {
    Some(match opcode {
        Opcode::LLVMTrunc => CastOp::Trunc,
        Opcode::LLVMZExt => CastOp::ZExt,
        Opcode::LLVMSExt => CastOp::SExt,
        Opcode::LLVMFPToUI => CastOp::FloatToUInt,
        Opcode::LLVMFPToSI => CastOp::FloatToSInt,
        Opcode::LLVMUIToFP => CastOp::UIntToFloat,
        Opcode::LLVMSIToFP => CastOp::SIntToFloat,
        Opcode::LLVMFPTrunc => CastOp::FloatTrunc,
        Opcode::LLVMFPExt => CastOp::FloatExt,
        Opcode::LLVMPtrToInt | Opcode::LLVMPtrToAddr => CastOp::PtrToInt,
        Opcode::LLVMIntToPtr => CastOp::IntToPtr,
        _ => return None,
    })
}

fn int_predicate(predicate: raw::IntPredicate) -> IntPredicate {
    use raw::IntPredicate::*;
    match predicate {
        LLVMIntEQ => IntPredicate::Eq,
        LLVMIntNE => IntPredicate::Ne,
        LLVMIntUGT => IntPredicate::UGt,
        LLVMIntUGE => IntPredicate::UGe,
        LLVMIntULT => IntPredicate::ULt,
        LLVMIntULE => IntPredicate::ULe,
        LLVMIntSGT => IntPredicate::SGt,
        LLVMIntSGE => IntPredicate::SGe,
        LLVMIntSLT => IntPredicate::SLt,
        LLVMIntSLE => IntPredicate::SLe,
    }
}

fn float_predicate(predicate: RealPredicate) -> FloatPredicate {
    use RealPredicate::*;
    match predicate {
        LLVMRealPredicateFalse => FloatPredicate::False,
        LLVMRealOEQ => FloatPredicate::OEq,
        LLVMRealOGT => FloatPredicate::OGt,
        LLVMRealOGE => FloatPredicate::OGe,
        LLVMRealOLT => FloatPredicate::OLt,
        LLVMRealOLE => FloatPredicate::OLe,
        LLVMRealONE => FloatPredicate::One,
        LLVMRealORD => FloatPredicate::Ord,
        LLVMRealUNO => FloatPredicate::Uno,
        LLVMRealUEQ => FloatPredicate::UEq,
        LLVMRealUGT => FloatPredicate::UGt,
        LLVMRealUGE => FloatPredicate::UGe,
        LLVMRealULT => FloatPredicate::ULt,
        LLVMRealULE => FloatPredicate::ULe,
        LLVMRealUNE => FloatPredicate::UNe,
        LLVMRealPredicateTrue => FloatPredicate::True,
    }
}
