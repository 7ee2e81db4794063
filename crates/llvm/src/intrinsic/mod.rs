//! LLVM intrinsics. Names end in type suffixes (`llvm.umax.v4i32`), which the
//! operands already tell: only the stem decides.

mod arm;
mod elements;
mod floats;
mod names;
mod pointers;

use brownout_ir::{CastOp, FloatUnary, IntTernary, Op, Operand, Service, Type};

use self::names::{float_binary, float_unary, int_binary, int_unary, stem, with_overflow};
use crate::error::Gap;
use crate::function::FunctionLowering;
use crate::leaves;
use crate::module::annotation_text;
use crate::raw::{TypeKind, Value};
use crate::wide;

/// Intrinsics that only talk to the optimiser or the debugger.
const IGNORED: &[&str] = &[
    "lifetime.start",
    "lifetime.end",
    "dbg",
    "assume",
    "experimental.noalias.scope.decl",
    "donothing",
    "prefetch",
    "sideeffect",
    "va_end",
    "invariant.end",
    "pseudoprobe",
    "fake.use",
    "stackprotector",
    "clear_cache",
    "codeview",
];

/// Intrinsics whose result is their first argument.
const TRANSPARENT: &[&str] = &[
    "expect",
    "expect.with.probability",
    "launder.invariant.group",
    "strip.invariant.group",
    "ssa.copy",
    "annotation",
    "preserve.array.access.index",
    "threadlocal.address",
    "arithmetic.fence",
    "ptr.annotation",
];

impl<'m> FunctionLowering<'_, 'm> {
    pub(crate) fn intrinsic(&mut self, inst: Value<'m>, name: &str) {
        let stem = stem(name);
        if IGNORED
            .iter()
            .any(|known| stem == *known || stem.starts_with(&format!("{known}.")))
        {
            return;
        }
        if TRANSPARENT.contains(&stem) {
            let leaves = self.leaves_of(inst.operand(0));
            return self.define(inst, leaves);
        }
        // Limbs are no numbers of their own: nothing below is meant for them.
        let arguments = inst.arguments();
        let mut types = arguments.iter().map(|argument| argument.ty());
        if wide::is_inside(inst.ty()) || types.any(wide::is_inside) {
            return self.wide_intrinsic(inst, stem, name);
        }
        if let Some(rest) = stem.strip_prefix("arm.") {
            return self.arm(inst, rest, name);
        }
        if let Some(op) = int_binary(stem) {
            return self.each2(inst, |ty, a, b| Op::IntBinary { op, ty, a, b });
        }
        if let Some(op) = float_binary(stem) {
            return self.each2(inst, |ty, a, b| Op::FloatBinary { op, ty, a, b });
        }
        if let Some(op) = float_unary(stem) {
            return self.each1(inst, |ty, a| Op::FloatUnary { op, ty, a });
        }
        if let Some(op) = int_unary(stem) {
            return self.each1(inst, |ty, a| Op::IntUnary { op, ty, a });
        }
        if let Some((value, overflow)) = with_overflow(stem) {
            return self.with_overflow(inst, value, overflow);
        }
        if let Some(kind) = stem.strip_prefix("vector.reduce.") {
            return self.reduce(inst, kind);
        }
        self.other(inst, stem, name);
    }

    fn other(&mut self, inst: Value<'m>, stem: &str, name: &str) {
        let word = self.word();
        match stem {
            "memcpy" | "memmove" | "memcpy.inline" => {
                let (to, from) = (
                    self.scalar_of(inst.operand(0)),
                    self.scalar_of(inst.operand(1)),
                );
                let length = self.length(inst, 2);
                self.effect(Op::Copy { to, from, length });
            }
            "memset" | "memset.inline" => {
                let (to, byte) = (
                    self.scalar_of(inst.operand(0)),
                    self.scalar_of(inst.operand(1)),
                );
                let length = self.length(inst, 2);
                self.effect(Op::Fill { to, byte, length });
            }
            "fshl" | "fshr" => {
                let op = if stem == "fshl" {
                    IntTernary::FunnelLeft
                } else {
                    IntTernary::FunnelRight
                };
                self.each3(inst, |ty, a, b, c| Op::IntTernary { op, ty, a, b, c });
            }
            "fma" => self.each3(inst, |ty, a, b, c| Op::FloatFma { ty, a, b, c }),
            "fmuladd" => self.multiply_add(inst),
            "powi" => self.power(inst),
            "ldexp" => self.load_exponent(inst),
            "fptoui.sat" => self.convert(inst, CastOp::FloatToUInt),
            "fptosi.sat" => self.convert(inst, CastOp::FloatToSInt),
            "lround" | "llround" => self.round_to_integer(inst, FloatUnary::Round, name),
            "lrint" | "llrint" => self.round_to_integer(inst, FloatUnary::RoundEven, name),
            "is.fpclass" => self.classify(inst),
            "ptrmask" if inst.ty().kind() != TypeKind::LLVMVectorTypeKind => {
                self.mask_pointer(inst)
            }
            "eh.sjlj.setjmp" | "eh.sjlj.longjmp" => self.jump(inst, stem),
            "va_start" => {
                let list = self.scalar_of(inst.operand(0));
                self.start_arguments(list);
            }
            "va_copy" => {
                let (to, from) = (
                    self.scalar_of(inst.operand(0)),
                    self.scalar_of(inst.operand(1)),
                );
                self.copy_arguments(to, from);
            }
            "stacksave" => {
                let pointer = self.emit(Op::StackSave, Type::Ptr);
                self.define(inst, vec![pointer]);
            }
            "stackrestore" => {
                let pointer = self.scalar_of(inst.operand(0));
                self.effect(Op::StackRestore { pointer });
            }
            "frameaddress" | "returnaddress" => {
                let level = self.scalar_of(inst.operand(0));
                let level_ty = leaves::scalar(inst.operand(0).ty()).unwrap_or(Type::Int(32));
                let int = self.lowering.program.int();
                let level = self.resize(level, level_ty, int);
                let service = if stem == "frameaddress" {
                    Service::FrameAddress
                } else {
                    Service::ReturnAddress
                };
                self.service(inst, service, vec![level]);
            }
            "readcyclecounter" | "readsteadycounter" => self.service(inst, Service::Clock, vec![]),
            "trap" | "ubsantrap" | "debugtrap" => self.effect(Op::Service {
                service: Service::Trap,
                args: vec![],
            }),
            // What the optimiser would answer when it knows nothing.
            "objectsize" => {
                let minimum = matches!(self.scalar_of(inst.operand(1)), Operand::Bits(1));
                let ty = leaves::scalar(inst.ty()).unwrap_or(word);
                let ones = u128::MAX >> (128 - self.bits(ty));
                self.define(inst, vec![Operand::Bits(if minimum { 0 } else { ones })]);
            }
            "is.constant" | "allow.runtime.check" | "allow.ubsan.check" => {
                self.define(inst, vec![Operand::Bits(0)])
            }
            "invariant.start" => {
                let types = self.lowering.types(inst.ty());
                self.define(inst, vec![Operand::Bits(0); types.len()]);
            }
            "get.rounding" => self.define(inst, vec![Operand::Bits(1)]),
            "var.annotation" => {
                if let (Operand::Slot(slot, 0), Some(text)) = (
                    self.scalar_of(inst.operand(0)),
                    annotation_text(inst.operand(1)),
                ) {
                    self.body.slots[slot].annotations.push(text);
                }
            }
            "load.relative" => self.load_relative(inst),
            "eh.typeid.for" => self.define(inst, vec![Operand::Bits(0)]),
            "vscale" => self.define(inst, vec![Operand::Bits(1)]),
            "scmp" | "ucmp" => self.three_way(inst, stem),
            "sincos" | "modf" | "frexp" => self.two_results(inst, stem),
            _ => {
                let types = self.lowering.types(inst.ty());
                self.gap(Gap::Intrinsic(name.to_owned()));
                self.define(inst, vec![Operand::Bits(0); types.len()]);
            }
        }
    }
    /// `__builtin_setjmp` and `__builtin_longjmp`, which always gives 1.
    fn jump(&mut self, inst: Value<'m>, stem: &str) {
        let buffer = self.scalar_of(inst.operand(0));
        match stem {
            "eh.sjlj.setjmp" => {
                let int = self.lowering.program.int();
                let service = Service::SetJump;
                let args = vec![buffer];
                let result = self.emit(Op::Service { service, args }, int);
                let ty = leaves::scalar(inst.ty()).unwrap_or(int);
                let result = self.resize(result, int, ty);
                self.define(inst, vec![result]);
            }
            _ => self.effect(Op::Service {
                service: Service::LongJump,
                args: vec![buffer, Operand::Bits(1)],
            }),
        }
    }
}
