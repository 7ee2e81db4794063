//! LLVM intrinsics. Names end in type suffixes (`llvm.umax.v4i32`), which the
//! operands already tell: only the stem decides.

use brownout_ir::{
    CastOp, FloatBinary, FloatUnary, IntBinary, IntTernary, IntUnary, Op, Operand, Service, Type,
};

use crate::error::Gap;
use crate::function::FunctionLowering;
use crate::leaves;
use crate::module::annotation_text;
use crate::raw::Value;

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
            "powi" => {
                let from = leaves::scalar(inst.operand(1).ty()).unwrap_or(Type::Int(32));
                let power = self.scalar_of(inst.operand(1));
                let bases = self.leaves_of(inst.operand(0));
                let types = self.lowering.types(inst.ty());
                let results = bases
                    .into_iter()
                    .zip(types)
                    .map(|(a, ty)| {
                        let b = self.cast(CastOp::SIntToFloat, from, ty, power);
                        self.emit(
                            Op::FloatBinary {
                                op: FloatBinary::Pow,
                                ty,
                                a,
                                b,
                            },
                            ty,
                        )
                    })
                    .collect();
                self.define(inst, results);
            }
            "ldexp" => self.load_exponent(inst),
            "fptoui.sat" => self.convert(inst, CastOp::FloatToUInt),
            "fptosi.sat" => self.convert(inst, CastOp::FloatToSInt),
            "lround" | "llround" | "lrint" | "llrint" => {
                let op = if stem.ends_with("round") {
                    FloatUnary::Round
                } else {
                    FloatUnary::RoundEven
                };
                let (Some(from), Some(to)) = (
                    leaves::scalar(inst.operand(0).ty()),
                    leaves::scalar(inst.ty()),
                ) else {
                    return self.gap(Gap::Intrinsic(name.to_owned()));
                };
                let a = self.scalar_of(inst.operand(0));
                let rounded = self.emit(Op::FloatUnary { op, ty: from, a }, from);
                let result = self.cast(CastOp::FloatToSInt, from, to, rounded);
                self.define(inst, vec![result]);
            }
            "is.fpclass" => self.classify(inst),
            "ptrmask" => {
                let mask_ty = leaves::scalar(inst.operand(1).ty()).unwrap_or(word);
                let a = self.scalar_of(inst.operand(0));
                let mask = self.scalar_of(inst.operand(1));
                let mask = self.resize(mask, mask_ty, word);
                let number = self.cast(CastOp::PtrToInt, Type::Ptr, word, a);
                let masked = self.int_binary(IntBinary::And, word, number, mask);
                let result = self.cast(CastOp::IntToPtr, word, Type::Ptr, masked);
                self.define(inst, vec![result]);
            }
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
            "load.relative" => {
                let base = self.scalar_of(inst.operand(0));
                let from = leaves::scalar(inst.operand(1).ty()).unwrap_or(word);
                let index = self.as_word(inst.operand(1), from);
                let entry = self.emit(
                    Op::Address {
                        base,
                        index,
                        scale: 1,
                        offset: 0,
                    },
                    Type::Ptr,
                );
                let distance = self.load(Type::Int(32), entry);
                let index = match self.bits(word) {
                    32 => distance,
                    16 => self.cast(CastOp::Trunc, Type::Int(32), word, distance),
                    _ => self.cast(CastOp::SExt, Type::Int(32), word, distance),
                };
                let pointer = self.emit(
                    Op::Address {
                        base,
                        index,
                        scale: 1,
                        offset: 0,
                    },
                    Type::Ptr,
                );
                self.define(inst, vec![pointer]);
            }
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

    fn length(&mut self, inst: Value<'m>, operand: usize) -> Operand {
        let word = self.word();
        let from = leaves::scalar(inst.operand(operand).ty()).unwrap_or(word);
        let a = self.scalar_of(inst.operand(operand));
        self.resize(a, from, word)
    }

    fn each1(&mut self, inst: Value<'m>, op: impl Fn(Type, Operand) -> Op) {
        let a = self.leaves_of(inst.operand(0));
        let types = self.lowering.types(inst.ty());
        let results = types
            .into_iter()
            .zip(a)
            .map(|(ty, a)| self.emit(op(ty, a), ty))
            .collect();
        self.define(inst, results);
    }

    fn each2(&mut self, inst: Value<'m>, op: impl Fn(Type, Operand, Operand) -> Op) {
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

    fn each3(&mut self, inst: Value<'m>, op: impl Fn(Type, Operand, Operand, Operand) -> Op) {
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
    fn multiply_add(&mut self, inst: Value<'m>) {
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

    fn convert(&mut self, inst: Value<'m>, op: CastOp) {
        let a = self.leaves_of(inst.operand(0));
        let from = self.lowering.types(inst.operand(0).ty());
        let to = self.lowering.types(inst.ty());
        let results = from
            .into_iter()
            .zip(to)
            .zip(a)
            .map(|((from, to), a)| self.cast(op, from, to, a))
            .collect();
        self.define(inst, results);
    }

    /// `{value, overflow}`: all values first, then all bits.
    fn with_overflow(&mut self, inst: Value<'m>, value: IntBinary, overflow: IntBinary) {
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

    fn reduce(&mut self, inst: Value<'m>, kind: &str) {
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
    fn three_way(&mut self, inst: Value<'m>, stem: &str) {
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

    /// `a * 2^b` through two steps, so that neither factor overflows on its own.
    fn load_exponent(&mut self, inst: Value<'m>) {
        let (Some(ty), Some(from)) = (
            leaves::scalar(inst.ty()),
            leaves::scalar(inst.operand(1).ty()),
        ) else {
            return self.gap(Gap::Type(inst.ty().print()));
        };
        let (a, power) = (
            self.scalar_of(inst.operand(0)),
            self.scalar_of(inst.operand(1)),
        );
        let half = self.int_binary(IntBinary::SDiv, from, power, Operand::Bits(2));
        let rest = self.int_binary(IntBinary::Sub, from, power, half);
        let mut result = a;
        for exponent in [half, rest] {
            let exponent = self.cast(CastOp::SIntToFloat, from, ty, exponent);
            let factor = self.emit(
                Op::FloatUnary {
                    op: FloatUnary::Exp2,
                    ty,
                    a: exponent,
                },
                ty,
            );
            result = self.emit(
                Op::FloatBinary {
                    op: FloatBinary::Mul,
                    ty,
                    a: result,
                    b: factor,
                },
                ty,
            );
        }
        self.define(inst, vec![result]);
    }

    fn two_results(&mut self, inst: Value<'m>, stem: &str) {
        let types = self.lowering.types(inst.ty());
        let (&[ty, _], a) = (types.as_slice(), self.scalar_of(inst.operand(0))) else {
            return self.gap(Gap::Intrinsic(stem.to_owned()));
        };
        let function = |op| Op::FloatUnary { op, ty, a };
        match stem {
            "sincos" => {
                let sine = self.emit(function(FloatUnary::Sin), ty);
                let cosine = self.emit(function(FloatUnary::Cos), ty);
                self.define(inst, vec![sine, cosine]);
            }
            "modf" => {
                let whole = self.emit(function(FloatUnary::Trunc), ty);
                let difference = self.emit(
                    Op::FloatBinary {
                        op: FloatBinary::Sub,
                        ty,
                        a,
                        b: whole,
                    },
                    ty,
                );
                // Nothing is left of an infinity or a whole number, but its sign is.
                let op = brownout_ir::FloatPredicate::OEq;
                let condition = self.emit(
                    Op::FloatCompare {
                        op,
                        ty,
                        a,
                        b: whole,
                    },
                    Type::BOOL,
                );
                let rest = self.emit(
                    Op::Select {
                        ty,
                        condition,
                        a: Operand::Bits(0),
                        b: difference,
                    },
                    ty,
                );
                let rest = self.emit(
                    Op::FloatBinary {
                        op: FloatBinary::CopySign,
                        ty,
                        a: rest,
                        b: a,
                    },
                    ty,
                );
                self.define(inst, vec![rest, whole]);
            }
            _ => self.gap(Gap::Intrinsic(format!("llvm.{stem}"))),
        }
    }

    /// `llvm.is.fpclass`: a mask of classes, tested on the bits.
    fn classify(&mut self, inst: Value<'m>) {
        use brownout_ir::IntPredicate::{Eq, Ne, UGt, ULt};
        let (Some(Type::Float(kind)), Operand::Bits(mask)) = (
            leaves::scalar(inst.operand(0).ty()),
            self.scalar_of(inst.operand(1)),
        ) else {
            return self.gap(Gap::Intrinsic("llvm.is.fpclass of vectors".to_owned()));
        };
        use brownout_ir::FloatKind;
        let (width, mantissa) = match kind {
            FloatKind::Half => (16u8, 10u32),
            FloatKind::Single => (32, 23),
            FloatKind::Double => (64, 52),
            FloatKind::Extended => (80, 63),
            FloatKind::Quad => (128, 112),
        };
        let ty = Type::Int(width);
        let a = self.scalar_of(inst.operand(0));
        let bits = self.cast(CastOp::Bitcast, Type::Float(kind), ty, a);
        let sign_bit = 1u128 << (width - 1);
        // The x87 format has an explicit leading one.
        let explicit = if kind == FloatKind::Extended {
            1u128 << 63
        } else {
            0
        };
        let infinity = ((sign_bit - 1) >> mantissa << mantissa) | explicit;
        let smallest_normal = (1u128 << if explicit != 0 { 64 } else { mantissa }) | explicit;
        let quiet = 1u128 << (mantissa - 1);
        let magnitude = self.int_binary(IntBinary::And, ty, bits, Operand::Bits(sign_bit - 1));
        let sign = self.int_binary(IntBinary::And, ty, bits, Operand::Bits(sign_bit));
        let compare = |this: &mut Self, op, a, b| {
            this.emit(
                Op::IntCompare {
                    op,
                    ty,
                    a,
                    b: Operand::Bits(b),
                },
                Type::BOOL,
            )
        };
        let negative = compare(self, Ne, sign, 0);
        let positive = compare(self, Eq, sign, 0);
        let not_number = compare(self, UGt, magnitude, infinity);
        let quiet_bit = self.int_binary(IntBinary::And, ty, bits, Operand::Bits(quiet));
        let is_quiet = compare(self, Ne, quiet_bit, 0);
        let is_signalling = compare(self, Eq, quiet_bit, 0);
        let infinite = compare(self, Eq, magnitude, infinity);
        let below_infinity = compare(self, ULt, magnitude, infinity);
        let at_least_normal = compare(self, UGt, magnitude, smallest_normal - 1);
        let zero = compare(self, Eq, magnitude, 0);
        let not_zero = compare(self, Ne, magnitude, 0);
        let below_normal = compare(self, ULt, magnitude, smallest_normal);
        let both = |this: &mut Self, a, b| this.int_binary(IntBinary::And, Type::BOOL, a, b);
        let normal = both(self, below_infinity, at_least_normal);
        let subnormal = both(self, not_zero, below_normal);
        let tests = [
            (0x001, not_number, is_signalling),
            (0x002, not_number, is_quiet),
            (0x004, infinite, negative),
            (0x008, normal, negative),
            (0x010, subnormal, negative),
            (0x020, zero, negative),
            (0x040, zero, positive),
            (0x080, subnormal, positive),
            (0x100, normal, positive),
            (0x200, infinite, positive),
        ];
        let mut result = Operand::Bits(0);
        for (bit, a, b) in tests {
            if mask & bit != 0 {
                let found = both(self, a, b);
                result = self.int_binary(IntBinary::Or, Type::BOOL, result, found);
            }
        }
        self.define(inst, vec![result]);
    }
}

/// `llvm.umax.v4i32` → `umax`; stems with dots in them are kept whole.
fn stem(name: &str) -> &str {
    let name = name.strip_prefix("llvm.").unwrap_or(name);
    let is_type = |part: &str| {
        let digits = part.trim_start_matches(|c: char| c.is_ascii_lowercase());
        let letters = &part[..part.len() - digits.len()];
        match letters {
            "i" | "f" | "p" | "bf" => {
                !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
            }
            "v" => digits.starts_with(|c: char| c.is_ascii_digit()),
            "sl" | "s" => digits.starts_with('_'),
            "isvoid" => true,
            _ => false,
        }
    };
    let mut end = name.len();
    while let Some(dot) = name[..end].rfind('.') {
        if !is_type(&name[dot + 1..end]) {
            break;
        }
        end = dot;
    }
    &name[..end]
}

fn int_binary(stem: &str) -> Option<IntBinary> {
    Some(match stem {
        "umin" => IntBinary::UMin,
        "umax" => IntBinary::UMax,
        "smin" => IntBinary::SMin,
        "smax" => IntBinary::SMax,
        "uadd.sat" => IntBinary::UAddSat,
        "sadd.sat" => IntBinary::SAddSat,
        "usub.sat" => IntBinary::USubSat,
        "ssub.sat" => IntBinary::SSubSat,
        "ushl.sat" => IntBinary::UShlSat,
        "sshl.sat" => IntBinary::SShlSat,
        _ => return None,
    })
}

fn int_unary(stem: &str) -> Option<IntUnary> {
    Some(match stem {
        "ctpop" => IntUnary::PopCount,
        "ctlz" => IntUnary::LeadingZeros,
        "cttz" => IntUnary::TrailingZeros,
        "bswap" => IntUnary::ByteSwap,
        "bitreverse" => IntUnary::BitReverse,
        "abs" => IntUnary::Abs,
        _ => return None,
    })
}

fn float_binary(stem: &str) -> Option<FloatBinary> {
    Some(match stem {
        "minnum" | "minimumnum" => FloatBinary::MinNum,
        "maxnum" | "maximumnum" => FloatBinary::MaxNum,
        "minimum" => FloatBinary::Minimum,
        "maximum" => FloatBinary::Maximum,
        "copysign" => FloatBinary::CopySign,
        "pow" => FloatBinary::Pow,
        "atan2" => FloatBinary::Atan2,
        _ => return None,
    })
}

fn float_unary(stem: &str) -> Option<FloatUnary> {
    Some(match stem {
        "trunc" => FloatUnary::Trunc,
        "nearbyint" | "roundeven" | "rint" => FloatUnary::RoundEven,
        "sqrt" | "fabs" | "floor" | "ceil" | "round" | "sin" | "cos" | "tan" | "asin" | "acos"
        | "atan" | "sinh" | "cosh" | "tanh" | "exp" | "exp2" | "exp10" | "log" | "log2"
        | "log10" | "canonicalize" => FloatUnary::from_name(stem)?,
        _ => return None,
    })
}

fn with_overflow(stem: &str) -> Option<(IntBinary, IntBinary)> {
    Some(match stem {
        "sadd.with.overflow" => (IntBinary::Add, IntBinary::SAddOverflow),
        "uadd.with.overflow" => (IntBinary::Add, IntBinary::UAddOverflow),
        "ssub.with.overflow" => (IntBinary::Sub, IntBinary::SSubOverflow),
        "usub.with.overflow" => (IntBinary::Sub, IntBinary::USubOverflow),
        "smul.with.overflow" => (IntBinary::Mul, IntBinary::SMulOverflow),
        "umul.with.overflow" => (IntBinary::Mul, IntBinary::UMulOverflow),
        _ => return None,
    })
}
