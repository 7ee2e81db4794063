//! Intrinsics that work element by element, and those that fold elements into one.

use brownout_ir::{CastOp, FloatBinary, IntBinary, Op, Operand, Type};

use crate::error::Gap;
use crate::function::FunctionLowering;
use crate::leaves;
use crate::raw::Value;

impl<'m> FunctionLowering<'_, 'm> {
    pub(super) fn each1(&mut self, inst: Value<'m>, op: impl Fn(Type, Operand) -> Op) {
        let a = self.leaves_of(inst.operand(0));
        let types = self.lowering.types(inst.ty());
        let results = types
            .into_iter()
            .zip(a)
            .map(|(ty, a)| self.emit(op(ty, a), ty))
            .collect();
        self.define(inst, results);
    }

    pub(super) fn each2(&mut self, inst: Value<'m>, op: impl Fn(Type, Operand, Operand) -> Op) {
        let (a, b) = (
            self.leaves_of(inst.operand(0)),
            self.leaves_of(inst.operand(1)),
        );
        let types = self.lowering.types(inst.ty());
        let pairs = a.into_iter().zip(b);
        let results = types
            .into_iter()
            .zip(pairs)
            .map(|(ty, (a, b))| self.emit(op(ty, a, b), ty))
            .collect();
        self.define(inst, results);
    }

    pub(super) fn each3(
        &mut self,
        inst: Value<'m>,
        op: impl Fn(Type, Operand, Operand, Operand) -> Op,
    ) {
        let (a, b) = (
            self.leaves_of(inst.operand(0)),
            self.leaves_of(inst.operand(1)),
        );
        let c = self.leaves_of(inst.operand(2));
        let types = self.lowering.types(inst.ty());
        let mut results = Vec::new();
        for (index, ty) in types.into_iter().enumerate() {
            results.push(self.emit(op(ty, a[index], b[index], c[index]), ty));
        }
        self.define(inst, results);
    }

    /// `a * b + c`, rounded twice: none of the targets fuses by itself.
    pub(super) fn multiply_add(&mut self, inst: Value<'m>) {
        let (a, b) = (
            self.leaves_of(inst.operand(0)),
            self.leaves_of(inst.operand(1)),
        );
        let c = self.leaves_of(inst.operand(2));
        let types = self.lowering.types(inst.ty());
        let mut results = Vec::new();
        for (index, ty) in types.into_iter().enumerate() {
            let product = self.emit(
                Op::FloatBinary {
                    op: FloatBinary::Mul,
                    ty,
                    a: a[index],
                    b: b[index],
                },
                ty,
            );
            results.push(self.emit(
                Op::FloatBinary {
                    op: FloatBinary::Add,
                    ty,
                    a: product,
                    b: c[index],
                },
                ty,
            ));
        }
        self.define(inst, results);
    }

    pub(super) fn convert(&mut self, inst: Value<'m>, op: CastOp) {
        let a = self.leaves_of(inst.operand(0));
        let from = self.lowering.types(inst.operand(0).ty());
        let to = self.lowering.types(inst.ty());
        // LLVM's verifier lets a vector become a scalar.
        if from.len() != to.len() {
            return self.gap(Gap::Type(inst.ty().print()));
        }
        let results = from
            .into_iter()
            .zip(to)
            .zip(a)
            .map(|((from, to), a)| self.cast(op, from, to, a))
            .collect();
        self.define(inst, results);
    }

    /// `{value, overflow}`: all values first, then all bits.
    pub(super) fn with_overflow(&mut self, inst: Value<'m>, value: IntBinary, overflow: IntBinary) {
        let (a, b) = (
            self.leaves_of(inst.operand(0)),
            self.leaves_of(inst.operand(1)),
        );
        let types = self.lowering.types(inst.operand(0).ty());
        let mut results = Vec::new();
        for (index, &ty) in types.iter().enumerate() {
            results.push(self.int_binary(value, ty, a[index], b[index]));
        }
        for (index, &ty) in types.iter().enumerate() {
            results.push(self.emit(
                Op::IntBinary {
                    op: overflow,
                    ty,
                    a: a[index],
                    b: b[index],
                },
                Type::BOOL,
            ));
        }
        self.define(inst, results);
    }

    pub(super) fn reduce(&mut self, inst: Value<'m>, kind: &str) {
        let Some(ty) = leaves::scalar(inst.ty()) else {
            return self.gap(Gap::Type(inst.ty().print()));
        };
        let int = |op| move |ty, a, b| Op::IntBinary { op, ty, a, b };
        let float = |op| move |ty, a, b| Op::FloatBinary { op, ty, a, b };
        type Combine = Box<dyn Fn(Type, Operand, Operand) -> Op>;
        let combine: Combine = match kind {
            "add" => Box::new(int(IntBinary::Add)),
            "mul" => Box::new(int(IntBinary::Mul)),
            "and" => Box::new(int(IntBinary::And)),
            "or" => Box::new(int(IntBinary::Or)),
            "xor" => Box::new(int(IntBinary::Xor)),
            "smax" => Box::new(int(IntBinary::SMax)),
            "smin" => Box::new(int(IntBinary::SMin)),
            "umax" => Box::new(int(IntBinary::UMax)),
            "umin" => Box::new(int(IntBinary::UMin)),
            "fadd" => Box::new(float(FloatBinary::Add)),
            "fmul" => Box::new(float(FloatBinary::Mul)),
            "fmax" => Box::new(float(FloatBinary::MaxNum)),
            "fmin" => Box::new(float(FloatBinary::MinNum)),
            _ => return self.gap(Gap::Intrinsic(format!("llvm.vector.reduce.{kind}"))),
        };
        // Ordered float reductions have a start value in front.
        let ordered = matches!(kind, "fadd" | "fmul");
        let elements = self.leaves_of(inst.operand(usize::from(ordered)));
        let mut elements = elements.into_iter();
        let start = if ordered {
            Some(self.scalar_of(inst.operand(0)))
        } else {
            elements.next()
        };
        let mut result = start.unwrap_or(Operand::Bits(0));
        for element in elements {
            result = self.emit(combine(ty, result, element), ty);
        }
        self.define(inst, vec![result]);
    }

    /// `-1`, `0` or `1`.
    pub(super) fn three_way(&mut self, inst: Value<'m>, stem: &str) {
        use brownout_ir::IntPredicate::{SGt, SLt, UGt, ULt};
        let (less, greater) = if stem == "scmp" {
            (SLt, SGt)
        } else {
            (ULt, UGt)
        };
        let (a, b) = (
            self.leaves_of(inst.operand(0)),
            self.leaves_of(inst.operand(1)),
        );
        let operands = self.lowering.types(inst.operand(0).ty());
        let types = self.lowering.types(inst.ty());
        let mut results = Vec::new();
        for (index, &ty) in types.iter().enumerate() {
            let (ot, a, b) = (operands[index], a[index], b[index]);
            let is_greater = self.emit(
                Op::IntCompare {
                    op: greater,
                    ty: ot,
                    a,
                    b,
                },
                Type::BOOL,
            );
            let is_less = self.emit(
                Op::IntCompare {
                    op: less,
                    ty: ot,
                    a,
                    b,
                },
                Type::BOOL,
            );
            let up = self.cast(CastOp::ZExt, Type::BOOL, ty, is_greater);
            let down = self.cast(CastOp::ZExt, Type::BOOL, ty, is_less);
            results.push(self.int_binary(IntBinary::Sub, ty, up, down));
        }
        self.define(inst, results);
    }
}
