//! Calls: arguments in memory, inline assembly, machine services.

use brownout_ir::{Callee, CastOp, FloatBinary, FloatKind, FloatUnary, Op, Operand, Service, Type};

use crate::constant::is_absent;
use crate::csr;
use crate::error::Gap;
use crate::function::FunctionLowering;
use crate::leaves;
use crate::module::resolve_alias;
use crate::raw::{self, TypeKind, Value, ValueKind};
use crate::variadic::Registers;

/// Prefix of the functions the machine provides to the C library.
const SERVICE_PREFIX: &str = "__brownout_";

/// A structure that is passed as a copy in memory.
#[derive(Clone, Copy)]
pub(crate) struct ByValue<'m> {
    pub(crate) ty: raw::Type<'m>,
    /// The call knows of alignments that the type does not show (`aligned(32)`).
    pub(crate) align: u32,
}

/// An argument laid out in the outgoing area.
pub(crate) struct Area {
    pub(crate) size: u32,
    pub(crate) align: u32,
}

impl Area {
    pub(crate) fn reserve(&mut self, size: u64, align: u32) -> i64 {
        let at = self.size.next_multiple_of(align.max(1));
        self.align = self.align.max(align);
        self.size = at.saturating_add(u32::try_from(size).unwrap_or(u32::MAX / 2));
        at.into()
    }
}

impl<'m> FunctionLowering<'_, 'm> {
    pub(crate) fn call(&mut self, inst: Value<'m>) {
        let called = inst.called_value();
        if called.value_kind() == ValueKind::LLVMInlineAsmValueKind {
            return self.assembly(inst, called);
        }
        let function = resolve_alias(called);
        if function.value_kind() != ValueKind::LLVMFunctionValueKind {
            return self.plain_call(inst, None);
        }
        if function.is_intrinsic() {
            return self.intrinsic(inst, &function.name());
        }
        if function.is_declaration() && self.service_call(inst, &function.name()) {
            return;
        }
        self.plain_call(inst, Some(function));
    }

    fn plain_call(&mut self, inst: Value<'m>, function: Option<Value<'m>>) {
        // The callee's own type decides how arguments travel; without one, the caller's view does.
        let signature = function.map_or_else(|| inst.called_type(), Value::global_type);
        let fixed = if signature.is_variadic() {
            signature.params().len()
        } else {
            usize::MAX
        };
        let mut area = Area { size: 0, align: 1 };
        let (mut args, mut arg_types) = (Vec::new(), Vec::new());
        let mut variable = Vec::new();
        for (index, argument) in inst.arguments().into_iter().enumerate() {
            let ty = inst.argument_type_attribute(index, "byval");
            let by_value = ty.map(|ty| {
                let natural = self.lowering.layout.align(ty);
                let align = inst.argument_alignment(index).unwrap_or(natural);
                ByValue { ty, align }
            });
            if index >= fixed {
                variable.push((argument, by_value));
            } else if let Some(by_value) = by_value {
                args.push(self.copy_argument(argument, by_value, &mut area));
                arg_types.push(Type::Ptr);
            } else {
                args.extend(self.leaves_of(argument));
                arg_types.extend(self.lowering.types(argument.ty()));
            }
        }
        if signature.is_variadic() {
            let registers = Registers::after(&signature.params(), |index| {
                inst.argument_type_attribute(index, "byval").is_some()
            });
            args.push(self.variable_arguments(registers, &variable, &mut area));
            arg_types.push(Type::Ptr);
        }
        let result_types = self.lowering.types(inst.ty());
        let present = function.filter(|&function| !is_absent(function));
        let callee = match present.and_then(|function| self.lowering.func(function)) {
            Some(func) => {
                let known = &self.lowering.program.functions[func];
                if known.params == arg_types && known.results == result_types {
                    Callee::Direct(func)
                } else {
                    // A call that does not fit the definition (old-style C): sorted out when it happens.
                    Callee::Indirect(Operand::Func(func))
                }
            }
            None => Callee::Indirect(self.scalar_of(inst.called_value())),
        };
        let op = Op::Call {
            callee,
            args,
            arg_types,
            result_types: result_types.clone(),
        };
        let results = self.emit_many(op, &result_types);
        self.define(inst, results);
    }

    /// The address `offset` bytes into the outgoing area, which grows to hold `area`.
    pub(crate) fn outgoing(&mut self, area: &Area, offset: i64) -> Operand {
        let slot = match self.outgoing {
            Some(slot) => slot,
            None => {
                let slot = self.new_slot(0, 1);
                self.outgoing = Some(slot);
                slot
            }
        };
        let data = &mut self.body.slots[slot];
        data.size = data.size.max(area.size);
        data.align = data.align.max(area.align);
        Operand::Slot(slot, offset)
    }

    pub(crate) fn copy_argument(
        &mut self,
        argument: Value<'m>,
        by_value: ByValue<'m>,
        area: &mut Area,
    ) -> Operand {
        let size = self.lowering.layout.size(by_value.ty);
        let offset = area.reserve(size, by_value.align);
        let to = self.outgoing(area, offset);
        let from = self.scalar_of(argument);
        self.effect(Op::Copy {
            to,
            from,
            length: Operand::Bits(size.into()),
        });
        to
    }

    /// Functions the machine itself provides.
    fn service_call(&mut self, inst: Value<'m>, name: &str) -> bool {
        let service = match name {
            name if SET_JUMP.contains(&name) => Service::SetJump,
            name if LONG_JUMP.contains(&name) => Service::LongJump,
            "alloca" => return self.stack_memory(inst),
            "brownout_checkpoint_with" => return self.checkpoint_with_pairs(inst),
            name if is_rust_panic(name) => {
                self.effect(Op::Service {
                    service: Service::Abort,
                    args: vec![],
                });
                return true;
            }
            _ => match name.strip_prefix(SERVICE_PREFIX) {
                Some("copy") => {
                    let args = self.scalar_arguments(inst);
                    if let &[to, from, length] = args.as_slice() {
                        self.effect(Op::Copy { to, from, length });
                    }
                    return true;
                }
                Some("fill") => {
                    let args = self.scalar_arguments(inst);
                    if let &[to, byte, length] = args.as_slice() {
                        let int = self.lowering.program.int();
                        let byte = self.resize(byte, int, Type::Int(8));
                        self.effect(Op::Fill { to, byte, length });
                    }
                    return true;
                }
                Some("checkpoint_with") => return self.checkpoint_with(inst),
                Some(rest) => match Service::from_name(rest) {
                    Some(service) => service,
                    None => return self.mathematics(inst, rest),
                },
                None => return false,
            },
        };
        let target = self.lowering.program.target.clone();
        let expected = service.parameters(&target).len();
        let mut args = self.scalar_arguments(inst);
        args.truncate(expected);
        self.service(inst, service, args);
        true
    }

    /// `alloca` by name, which freestanding clang takes for a function like any other.
    fn stack_memory(&mut self, inst: Value<'m>) -> bool {
        let &[size] = inst.arguments().as_slice() else {
            return false;
        };
        let (Some(from @ Type::Int(_)), Some(to)) =
            (leaves::scalar(size.ty()), leaves::scalar(inst.ty()))
        else {
            return false;
        };
        let (size, word) = (self.scalar_of(size), self.word());
        let size = self.resize(size, from, word);
        let align = u32::from(self.lowering.layout.pointer_bits()) / 4;
        let pointer = self.emit(Op::StackAlloc { size, align }, Type::Ptr);
        let result = match to {
            Type::Ptr => pointer,
            // Nobody declared it.
            _ if to == word => self.cast(CastOp::PtrToInt, Type::Ptr, word, pointer),
            _ => return false,
        };
        self.define(inst, vec![result]);
        true
    }

    pub(crate) fn service(&mut self, inst: Value<'m>, service: Service, args: Vec<Operand>) {
        let target = self.lowering.program.target.clone();
        let wanted = self.lowering.types(inst.ty());
        let results: Vec<Type> = service.result(&target).into_iter().collect();
        let given = self.emit_many(Op::Service { service, args }, &results);
        if results == wanted {
            self.define(inst, given);
        }
    }

    pub(crate) fn scalar_arguments(&mut self, inst: Value<'m>) -> Vec<Operand> {
        inst.arguments()
            .into_iter()
            .map(|argument| self.scalar_of(argument))
            .collect()
    }

    /// `__brownout_sinf` and its like.
    fn mathematics(&mut self, inst: Value<'m>, name: &str) -> bool {
        let Some(ty @ Type::Float(kind)) = leaves::scalar(inst.ty()) else {
            return false;
        };
        let name = match kind {
            FloatKind::Single => name.strip_suffix('f').unwrap_or(name),
            _ => name,
        };
        let args = self.scalar_arguments(inst);
        let op = match *args.as_slice() {
            [a] => unary_function(name).map(|op| Op::FloatUnary { op, ty, a }),
            [a, b] => binary_function(name).map(|op| Op::FloatBinary { op, ty, a, b }),
            [a, b, c] => (name == "fma").then_some(Op::FloatFma { ty, a, b, c }),
            _ => None,
        };
        let Some(op) = op else { return false };
        let result = self.emit(op, ty);
        self.define(inst, vec![result]);
        true
    }

    fn assembly(&mut self, inst: Value<'m>, assembly: Value<'m>) {
        let text = assembly.asm_text();
        if let Some(leaves) = self.status_assembly(inst, assembly, &text) {
            return self.define(inst, leaves);
        }
        if !is_harmless(&text) {
            let types = self.lowering.types(inst.ty());
            self.gap(Gap::InlineAssembly(text));
            return self.define(inst, vec![Operand::Bits(0); types.len()]);
        }
        if let Some(leaves) = self.interrupt_assembly(inst, &text) {
            return self.define(inst, leaves);
        }
        let leaves = self.passed_through(inst, assembly);
        self.define(inst, leaves);
    }

    /// The results of assembly that changes no register: what is tied to an input, or in the same register,
    /// passes through (`asm("" : "+r"(x))` hides a value from the optimiser).
    fn passed_through(&mut self, inst: Value<'m>, assembly: Value<'m>) -> Vec<Operand> {
        let constraints = assembly.asm_constraints();
        let all: Vec<&str> = constraints.split(',').collect();
        let is_result = |constraint: &str| constraint.starts_with('=') && !constraint.contains('*');
        let inputs: Vec<(&str, Value<'m>)> = all
            .iter()
            .filter(|constraint| !constraint.starts_with('~') && !is_result(constraint))
            .copied()
            .zip(inst.arguments())
            .collect();
        let types = match inst.ty().kind() {
            TypeKind::LLVMStructTypeKind => inst.ty().fields(),
            _ => vec![inst.ty()],
        };
        let results = all.iter().enumerate().filter(|(_, one)| is_result(one));
        let mut leaves = Vec::new();
        for ((position, result), ty) in results.zip(types) {
            let tied = inputs.iter().find(|(input, _)| {
                input.parse() == Ok(position)
                    || register(input).is_some_and(|name| register(result) == Some(name))
            });
            let count = leaves.len() + self.lowering.types(ty).len();
            if let Some(&(_, argument)) = tied {
                leaves.extend(self.leaves_of(argument));
            }
            leaves.resize(count, Operand::Bits(0));
        }
        leaves.resize(self.lowering.types(inst.ty()).len(), Operand::Bits(0));
        leaves
    }
}

/// The register that a constraint names, `={rdi}` or `{rdi}`.
fn register(constraint: &str) -> Option<&str> {
    let (_, name) = constraint.split_once('{')?;
    name.strip_suffix('}')
}

impl<'m> FunctionLowering<'_, 'm> {
    /// Instructions about control and status registers, if there are some and nothing else that matters.
    fn status_assembly(
        &mut self,
        inst: Value<'m>,
        assembly: Value<'m>,
        text: &str,
    ) -> Option<Vec<Operand>> {
        let steps: Vec<Option<csr::Access>> = statements(text)
            .filter(|statement| !is_harmless(statement))
            .map(|statement| csr::access(&statement))
            .collect();
        let steps: Vec<csr::Access> = steps.into_iter().collect::<Option<_>>()?;
        if steps.is_empty() {
            return None;
        }
        let func = self.lowering.program.function(csr::FUNCTION)?;
        let function = &self.lowering.program.functions[func];
        let (arg_types, result_types) = (function.params.clone(), function.results.clone());
        let constraints = assembly.asm_constraints();
        let outputs = constraints.split(',').filter(|one| one.starts_with('='));
        let outputs = outputs.count();
        let arguments = inst.arguments();
        let results = self.lowering.types(inst.ty());
        let mut leaves = vec![Operand::Bits(0); results.len()];
        // Registers are numbers of the library; what the program puts in or gets may be an address.
        let &[word] = &result_types[..] else {
            return None;
        };
        for step in steps {
            let value = match step.value {
                csr::Given::Number(number) => Operand::Bits(number.into()),
                csr::Given::Operand(index) => {
                    let argument = *arguments.get(index.checked_sub(outputs)?)?;
                    let value = self.scalar_of(argument);
                    match self.lowering.types(argument.ty()).first() {
                        Some(&Type::Ptr) => self.cast(CastOp::PtrToInt, Type::Ptr, word, value),
                        _ => value,
                    }
                }
            };
            let call = Op::Call {
                callee: Callee::Direct(func),
                args: vec![
                    Operand::Bits(step.number.into()),
                    Operand::Bits(step.how as u128),
                    value,
                ],
                arg_types: arg_types.clone(),
                result_types: result_types.clone(),
            };
            let old = self.emit_many(call, &result_types);
            if let Some(to) = step.to {
                let old = *old.first()?;
                *leaves.get_mut(to)? = match results.get(to) {
                    Some(&Type::Ptr) => self.cast(CastOp::IntToPtr, word, Type::Ptr, old),
                    _ => old,
                };
            }
        }
        Some(leaves)
    }

    /// Instructions about interrupts and sleep, in a program that has handlers: what the library does
    /// for them, and their results.
    fn interrupt_assembly(&mut self, inst: Value<'m>, text: &str) -> Option<Vec<Operand>> {
        let mut results = None;
        for statement in statements(text) {
            let Some(name) = interrupt_function(&statement) else {
                continue;
            };
            let func = self.lowering.program.function(name)?;
            let function = &self.lowering.program.functions[func];
            let (arg_types, result_types) = (function.params.clone(), function.results.clone());
            let mut args = Vec::new();
            for argument in inst.arguments() {
                args.extend(self.leaves_of(argument));
            }
            args.resize(arg_types.len(), Operand::Bits(0));
            let call = Op::Call {
                callee: Callee::Direct(func),
                args,
                arg_types,
                result_types: result_types.clone(),
            };
            results = Some(self.emit_many(call, &result_types));
        }
        let mut results = results?;
        let types = self.lowering.types(inst.ty());
        results.resize(types.len(), Operand::Bits(0));
        Some(results)
    }
}

/// What the library calls what an instruction does, if it is about interrupts or sleep.
fn interrupt_function(statement: &str) -> Option<&'static str> {
    let words: Vec<&str> = statement
        .split([' ', ','])
        .filter(|word| !word.is_empty())
        .collect();
    Some(match words[..] {
        ["eint" | "sti"] | ["cpsie", "i" | "if"] => "__brownout_enable",
        ["bis" | "bis.w", "#8", "sr" | "r2"] => "__brownout_enable",
        ["dint" | "cli"] | ["cpsid", "i" | "if"] => "__brownout_disable",
        ["dint", "{", "nop"] | ["bic" | "bic.w", "#8", "sr" | "r2"] => "__brownout_disable",
        ["wfi" | "wfe" | "hlt"] => "__brownout_wait",
        ["mrs", _, "primask"] => "__brownout_mask",
        ["msr", "primask", _] => "__brownout_set_mask",
        _ => return None,
    })
}

const SET_JUMP: [&str; 5] = [
    "setjmp",
    "_setjmp",
    "__sigsetjmp",
    "sigsetjmp",
    "__builtin_setjmp",
];
const LONG_JUMP: [&str; 3] = ["longjmp", "_longjmp", "siglongjmp"];

/// Whether the machine does itself what a function of this name does that has no body.
pub(crate) fn is_of_machine(name: &str) -> bool {
    SET_JUMP.contains(&name) || LONG_JUMP.contains(&name) || is_rust_panic(name)
}

/// Whether this is where Rust's `core` ends a program: a panic that only formats its message.
fn is_rust_panic(name: &str) -> bool {
    let mangled = name.starts_with("_ZN") || name.starts_with("_R");
    let ends = [
        "9panicking",
        "13unwrap_failed",
        "13expect_failed",
        "_fail",
        "panic_already",
    ];
    mangled && name.contains("4core") && ends.iter().any(|end| name.contains(end))
}

/// Whether assembly does nothing that a program could see: barriers, `nop`,
/// waiting, interrupts on and off (nothing interrupts the machine), labels.
fn is_harmless(text: &str) -> bool {
    const KNOWN: &[&str] = &[
        "nop",
        "eint",
        "dint",
        "dint { nop",
        "cpsid i",
        "cpsie i",
        "cpsid f",
        "cpsie f",
        "cpsid if",
        "cpsie if",
        "sti",
        "cli",
        "wfi",
        "wfe",
        "sev",
        "dmb",
        "dsb",
        "isb",
        "mfence",
        "lfence",
        "sfence",
        "fence",
        "pause",
        "yield",
        "clrc",
        "fence.i",
        "ebreak.nop",
        "hlt",
        "bis.w #8, sr",
        "bic.w #8, sr",
        "bis #8, sr",
        "bic #8, sr",
        "bis #8,r2",
        "bic #8,r2",
        "bis.w #8,r2",
        "bic.w #8,r2",
    ];
    statements(text).all(|statement| {
        let first = statement.split(' ').next().unwrap_or_default();
        statement.is_empty()
            || statement.starts_with('#')
            || statement.starts_with("/*")
            || KNOWN.contains(&statement.as_str())
            || matches!(first, "dmb" | "dsb" | "isb" | "fence" | "nop" | "clrex")
            || matches!(first, ".global" | ".globl" | ".weak" | ".type" | ".size")
            || (first == statement && statement.ends_with(':'))
            || is_status(&statement)
    })
}

/// The instructions of some assembly in small letters, without comments.
fn statements(text: &str) -> impl Iterator<Item = String> {
    let without_comments = text.split('\n').map(|line| {
        let line = line.split("//").next().unwrap_or_default();
        line.split('@').next().unwrap_or_default()
    });
    without_comments
        .flat_map(|line| line.split(';').map(str::to_owned).collect::<Vec<_>>())
        .map(|statement| {
            let words: Vec<&str> = statement.split_whitespace().collect();
            words.join(" ").to_lowercase()
        })
}

/// Reads and writes of a Cortex-M's registers about interrupts and stacks: `mrs $0, primask`. They
/// read as zero.
fn is_status(statement: &str) -> bool {
    const REGISTERS: &[&str] = &[
        "primask",
        "basepri",
        "basepri_max",
        "faultmask",
        "control",
        "ipsr",
        "apsr",
        "xpsr",
        "msp",
        "psp",
    ];
    let mut words = statement.split([' ', ',']).filter(|word| !word.is_empty());
    match (words.next(), words.next(), words.next()) {
        (Some("mrs"), Some(_), Some(register)) | (Some("msr"), Some(register), Some(_)) => {
            REGISTERS.contains(&register)
        }
        _ => false,
    }
}

fn unary_function(name: &str) -> Option<FloatUnary> {
    Some(match name {
        "trunc" => FloatUnary::Trunc,
        "nearbyint" | "roundeven" => FloatUnary::RoundEven,
        _ => FloatUnary::from_name(name)?,
    })
}

fn binary_function(name: &str) -> Option<FloatBinary> {
    Some(match name {
        "fmod" => FloatBinary::Rem,
        "fmin" => FloatBinary::MinNum,
        "fmax" => FloatBinary::MaxNum,
        _ => FloatBinary::from_name(name)?,
    })
}
