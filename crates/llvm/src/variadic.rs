//! Variable arguments, where the target's `va_arg` looks for them.
//!
//! The caller lays them out in memory and passes one address. On most targets that is a list that `va_arg` walks
//! over. On x86_64 clang takes arguments apart as the System V ABI says, and neither the call nor `va_arg` shows
//! any more what belonged together: there the caller writes what would be in registers into the area to which
//! functions save registers (six of 8 bytes, then eight of 16), and the rest after it.

use brownout_ir::{CastOp, IntBinary, IntPredicate, Op, Operand, Service, Type};

use crate::call::{Area, ByValue};
use crate::error::Gap;
use crate::function::FunctionLowering;
use crate::instruction;
use crate::leaves;
use crate::raw::{self, TypeKind, Value};

/// A variable argument: a value, or the address of a structure that is passed as a copy.
pub(crate) type Argument<'m> = (Value<'m>, Option<ByValue<'m>>);

/// Something that is stored into the area of outgoing arguments.
type Stored = (i64, Type, Operand);

/// How many bytes of the save area the general registers take.
const GENERAL: u32 = 48;
/// How many bytes it has.
const SAVED: u32 = 176;

/// How much of the save area of x86_64 arguments have used up.
#[derive(Clone, Copy)]
pub(crate) struct Registers {
    /// Bytes of the general registers.
    general: u32,
    /// Where the next floating-point register is.
    floating: u32,
}

/// How x86_64 passes one scalar or vector.
enum Class {
    General,
    /// Two registers or none.
    Pair,
    Floating,
    Memory,
}

impl Class {
    fn of(ty: raw::Type<'_>) -> Self {
        match ty.kind() {
            TypeKind::LLVMIntegerTypeKind => match ty.int_bits() {
                0..=64 => Self::General,
                65..=128 => Self::Pair,
                _ => Self::Memory,
            },
            TypeKind::LLVMPointerTypeKind => Self::General,
            TypeKind::LLVMX86_FP80TypeKind => Self::Memory,
            _ => Self::Floating,
        }
    }
}

impl Registers {
    /// What is left after parameters of these types, some of which travel as copies in memory.
    pub(crate) fn after(types: &[raw::Type<'_>], is_copy: impl Fn(usize) -> bool) -> Self {
        let mut registers = Self {
            general: 0,
            floating: GENERAL,
        };
        for (index, &ty) in types.iter().enumerate() {
            if !is_copy(index) {
                registers.pass(ty);
            }
        }
        registers
    }

    fn pass(&mut self, ty: raw::Type<'_>) {
        match parts(ty) {
            Some(parts) => parts.into_iter().for_each(|part| self.pass(part)),
            None => {
                self.take(&Class::of(ty));
            }
        }
    }

    /// Where in the save area a value is; none if it is in memory.
    fn take(&mut self, class: &Class) -> Option<u32> {
        let (next, size, end) = match class {
            Class::General => (&mut self.general, 8, GENERAL),
            Class::Pair => (&mut self.general, 16, GENERAL),
            Class::Floating => (&mut self.floating, 16, SAVED),
            Class::Memory => return None,
        };
        let at = *next;
        (at + size <= end).then(|| {
            *next = at + size;
            at
        })
    }
}

/// The fields or elements of an aggregate, each of which is passed by itself.
fn parts(ty: raw::Type<'_>) -> Option<Vec<raw::Type<'_>>> {
    match ty.kind() {
        TypeKind::LLVMStructTypeKind => Some(ty.fields()),
        TypeKind::LLVMArrayTypeKind => {
            let count = usize::try_from(ty.array_length()).unwrap_or(0);
            Some(vec![ty.element(); count])
        }
        _ => None,
    }
}

impl<'m> FunctionLowering<'_, 'm> {
    /// A checkpoint that saves the objects of a list of pointers and sizes, of which the first argument says how many there are.
    pub(crate) fn checkpoint_with(&mut self, inst: Value<'m>) -> bool {
        let arguments = inst.arguments();
        let Some((&count, pairs)) = arguments.split_first() else {
            return false;
        };
        let count = self.scalar_of(count);
        let mut area = Area { size: 0, align: 1 };
        let pairs: Vec<_> = pairs.iter().map(|&value| (value, None)).collect();
        let list = self.argument_list(&pairs, &mut area);
        self.service(inst, Service::CheckpointWith, vec![list, count]);
        true
    }

    /// What `brownout.h` makes of `brownout_checkpoint_with(pointer, size, …)`, for programs that declare it themselves.
    pub(crate) fn checkpoint_with_pairs(&mut self, inst: Value<'m>) -> bool {
        let arguments = inst.arguments();
        let slot = self.lowering.program.target.pointer_bytes();
        // `unsigned long` has four bytes on the smallest targets.
        let size_bytes = slot.max(4);
        let size_type = Type::Int(self.lowering.program.target.pointer_bits.max(32));
        let mut area = Area {
            size: 0,
            align: slot,
        };
        let mut stores = Vec::new();
        for pair in arguments.chunks(2) {
            let &[pointer, size] = pair else {
                return false;
            };
            let (Some(Type::Ptr), Some(from @ Type::Int(_))) =
                (leaves::scalar(pointer.ty()), leaves::scalar(size.ty()))
            else {
                return false;
            };
            let pointer = self.scalar_of(pointer);
            stores.push((area.reserve(slot.into(), slot), Type::Ptr, pointer));
            let size = self.scalar_of(size);
            let size = self.resize(size, from, size_type);
            stores.push((area.reserve(size_bytes.into(), slot), size_type, size));
        }
        self.store_outgoing(stores, &area);
        let list = self.outgoing(&area, 0);
        let count = Operand::Bits((arguments.len() / 2) as u128);
        self.service(inst, Service::CheckpointWith, vec![list, count]);
        true
    }

    fn has_register_area(&self) -> bool {
        self.lowering.program.target.name == "x86_64"
    }

    /// Lays out variable arguments, after fixed ones that have taken registers.
    pub(crate) fn variable_arguments(
        &mut self,
        registers: Registers,
        arguments: &[Argument<'m>],
        area: &mut Area,
    ) -> Operand {
        match self.has_register_area() {
            _ if arguments.is_empty() => Operand::Bits(0),
            true => self.register_area(registers, arguments, area),
            false => self.argument_list(arguments, area),
        }
    }

    /// The area to which a function saves registers, and after it the arguments that are in memory.
    fn register_area(
        &mut self,
        mut registers: Registers,
        arguments: &[Argument<'m>],
        area: &mut Area,
    ) -> Operand {
        let start = area.reserve(SAVED.into(), 16);
        let mut stores = Vec::new();
        for &(argument, by_value) in arguments {
            if let Some(by_value) = by_value {
                self.copy_in_list(argument, by_value, area);
                continue;
            }
            let mut types = vec![argument.ty()];
            while let Some(at) = types.iter().position(|&ty| parts(ty).is_some()) {
                let parts = parts(types[at]).unwrap_or_default();
                types.splice(at..=at, parts);
            }
            let mut values = self.leaves_of(argument).into_iter();
            for ty in types {
                let register = registers.take(&Class::of(ty));
                let at = match register {
                    Some(register) => start + i64::from(register),
                    None => {
                        let size = self.lowering.layout.size(ty).next_multiple_of(8);
                        area.reserve(size, self.lowering.layout.align(ty).max(8))
                    }
                };
                let leaves = self.lowering.leaves(ty);
                let parts = leaves.into_iter().zip(values.by_ref());
                stores.extend(parts.map(|(leaf, value)| match leaf.ty {
                    // Writing half of a register clears the rest of it: `%ld` shows an `int` that is not negative.
                    Type::Int(..64) if register.is_some() => (
                        at,
                        Type::Int(64),
                        self.resize(value, leaf.ty, Type::Int(64)),
                    ),
                    ty => (at + leaf.offset as i64, ty, value),
                }));
            }
        }
        self.store_outgoing(stores, area);
        self.outgoing(area, start)
    }

    /// Lays out variable arguments one after the other.
    pub(crate) fn argument_list(&mut self, arguments: &[Argument<'m>], area: &mut Area) -> Operand {
        if arguments.is_empty() {
            return Operand::Bits(0);
        }
        let slot = self.lowering.program.target.pointer_bytes();
        let mut stores: Vec<Stored> = Vec::new();
        // Copies that are passed by address come first, so that the list itself is contiguous: structures on
        // msp430, numbers of more than two words on riscv32.
        let target = self.lowering.program.target.name.as_str();
        let (structures, wide) = (target == "msp430", target == "riscv32");
        let mut copies = Vec::new();
        for &(argument, by_value) in arguments {
            let size = self.lowering.layout.size(argument.ty());
            copies.push(match by_value {
                Some(by_value) if structures => Some(self.copy_argument(argument, by_value, area)),
                None if wide && size > u64::from(2 * slot) => {
                    let at = area.reserve(size, self.lowering.layout.align(argument.ty()));
                    let values = self.leaves_of(argument);
                    let leaves = self.lowering.leaves(argument.ty()).into_iter();
                    let parts = leaves.zip(values);
                    stores.extend(
                        parts.map(|(leaf, value)| (at + leaf.offset as i64, leaf.ty, value)),
                    );
                    Some(self.outgoing(area, at))
                }
                _ => None,
            });
        }
        let start = area.reserve(0, 16.max(slot).min(if slot == 2 { 2 } else { 16 }));
        for (&(argument, by_value), copy) in arguments.iter().zip(copies) {
            if let Some(copy) = copy {
                let at = area.reserve(slot.into(), slot);
                stores.push((at, Type::Ptr, copy));
            } else if let Some(by_value) = by_value {
                self.copy_in_list(argument, by_value, area);
            } else {
                let align = self.lowering.layout.align(argument.ty()).max(slot);
                let size = self
                    .lowering
                    .layout
                    .size(argument.ty())
                    .next_multiple_of(slot.into());
                let at = area.reserve(size, align);
                let values = self.leaves_of(argument);
                for (leaf, value) in self.lowering.leaves(argument.ty()).into_iter().zip(values) {
                    stores.push((at + leaf.offset as i64, leaf.ty, value));
                }
            }
        }
        self.store_outgoing(stores, area);
        self.outgoing(area, start)
    }

    /// Copies a structure to the end of the list.
    fn copy_in_list(&mut self, argument: Value<'m>, by_value: ByValue<'m>, area: &mut Area) {
        let ByValue { ty, align } = by_value;
        let slot = self.lowering.program.target.pointer_bytes();
        let length = self.lowering.layout.size(ty);
        let at = area.reserve(length.next_multiple_of(slot.into()), align.max(slot));
        let to = self.outgoing(area, at);
        let from = self.scalar_of(argument);
        let length = Operand::Bits(length.into());
        self.effect(Op::Copy { to, from, length });
    }

    pub(crate) fn store_outgoing(&mut self, stores: Vec<Stored>, area: &Area) {
        for (at, ty, value) in stores {
            let address = self.outgoing(area, at);
            self.store(ty, address, value);
        }
    }

    /// The pointer inside a `va_list` that walks over the arguments in memory.
    fn list_pointer(&mut self, list: Operand) -> Operand {
        match self.has_register_area() {
            true => self.offset(list, 8),
            false => list,
        }
    }

    pub(crate) fn start_arguments(&mut self, list: Operand) {
        let none = Registers::after(&[], |_| false);
        let (area, registers) = self.variable_arguments.unwrap_or((Operand::Bits(0), none));
        if !self.has_register_area() {
            return self.store(Type::Ptr, list, area);
        }
        self.store(Type::Int(32), list, Operand::Bits(registers.general.into()));
        let floating = self.offset(list, 4);
        let next = Operand::Bits(registers.floating.into());
        self.store(Type::Int(32), floating, next);
        let pointer = self.list_pointer(list);
        let memory = self.offset(area, SAVED.into());
        self.store(Type::Ptr, pointer, memory);
        let saved = self.offset(list, 16);
        self.store(Type::Ptr, saved, area);
    }

    pub(crate) fn copy_arguments(&mut self, to: Operand, from: Operand) {
        let length = match self.has_register_area() {
            true => 24,
            false => self.lowering.program.target.pointer_bytes(),
        };
        self.effect(Op::Copy {
            to,
            from,
            length: Operand::Bits(length.into()),
        });
    }

    /// The `va_arg` instruction, which clang uses on some targets only.
    pub(crate) fn next_argument(&mut self, inst: Value<'m>) {
        let ty = inst.ty();
        let list = self.scalar_of(inst.operand(0));
        if self.has_register_area() && parts(ty).is_some() {
            let count = self.lowering.types(ty).len();
            self.gap(Gap::Instruction(instruction::name(inst)));
            return self.define(inst, vec![Operand::Bits(0); count]);
        }
        let class = match self.has_register_area() {
            true => Class::of(ty),
            false => Class::Memory,
        };
        let pointer = self.list_pointer(list);
        let first = self.load(Type::Ptr, pointer);
        let slot = self.lowering.program.target.pointer_bytes();
        let align = self.lowering.layout.align(ty);
        let mut at = match align > slot {
            true => self.aligned(first, align),
            false => first,
        };
        let size = self.lowering.layout.size(ty).next_multiple_of(slot.into());
        let mut next = self.offset(at, size as i64);
        let registers = match class {
            Class::General => Some((list, 8, GENERAL)),
            Class::Pair => Some((list, 16, GENERAL)),
            Class::Floating => Some((self.offset(list, 4), 16, SAVED)),
            Class::Memory => None,
        };
        if let Some((used, size, end)) = registers {
            let (is_saved, register) = self.next_register(list, used, size, end);
            next = self.chosen(Type::Ptr, is_saved, first, next);
            at = self.chosen(Type::Ptr, is_saved, register, at);
        }
        self.store(Type::Ptr, pointer, next);
        let values = self.load_leaves(ty, at, false);
        self.define(inst, values);
    }

    fn aligned(&mut self, at: Operand, align: u32) -> Operand {
        let word = self.word();
        let number = self.cast(CastOp::PtrToInt, Type::Ptr, word, at);
        let gap = Operand::Bits((align - 1).into());
        let up = self.int_binary(IntBinary::Add, word, number, gap);
        let mask = (u128::MAX >> (128 - self.bits(word))) & !u128::from(align - 1);
        let aligned = self.int_binary(IntBinary::And, word, up, Operand::Bits(mask));
        self.cast(CastOp::IntToPtr, word, Type::Ptr, aligned)
    }

    fn chosen(&mut self, ty: Type, condition: Operand, a: Operand, b: Operand) -> Operand {
        let op = Op::Select {
            ty,
            condition,
            a,
            b,
        };
        self.emit(op, ty)
    }

    /// Whether the next argument is in a register, and where that is saved; `used` says how many are used up.
    fn next_register(
        &mut self,
        list: Operand,
        used: Operand,
        size: u32,
        end: u32,
    ) -> (Operand, Operand) {
        let word = Type::Int(32);
        let taken = self.load(word, used);
        let is_saved = self.emit(
            Op::IntCompare {
                op: IntPredicate::ULe,
                ty: word,
                a: taken,
                b: Operand::Bits((end - size).into()),
            },
            Type::BOOL,
        );
        let after = self.int_binary(IntBinary::Add, word, taken, Operand::Bits(size.into()));
        let after = self.chosen(word, is_saved, after, taken);
        self.store(word, used, after);
        let saved = self.offset(list, 16);
        let base = self.load(Type::Ptr, saved);
        let index = self.resize(taken, word, Type::Int(64));
        let op = Op::Address {
            base,
            index,
            scale: 1,
            offset: 0,
        };
        (is_saved, self.emit(op, Type::Ptr))
    }
}
