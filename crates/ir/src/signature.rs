//! What every operation takes and gives: the one place that knows the types of
//! operands and results. Printer, parser and verifier are all built on it.

use crate::inst::{Callee, Op, Operand, Terminator};
use crate::ops::IntBinary;
use crate::types::{Target, Type};

impl IntBinary {
    /// The type of its result on operands of type `ty`.
    pub const fn result(self, ty: Type) -> Type {
        match self {
            Self::UAddOverflow
            | Self::SAddOverflow
            | Self::USubOverflow
            | Self::SSubOverflow
            | Self::UMulOverflow
            | Self::SMulOverflow => Type::BOOL,
            Self::Add
            | Self::Sub
            | Self::Mul
            | Self::UDiv
            | Self::SDiv
            | Self::URem
            | Self::SRem
            | Self::And
            | Self::Or
            | Self::Xor
            | Self::Shl
            | Self::LShr
            | Self::AShr
            | Self::UMin
            | Self::UMax
            | Self::SMin
            | Self::SMax
            | Self::UAddSat
            | Self::SAddSat
            | Self::USubSat
            | Self::SSubSat
            | Self::UShlSat
            | Self::SShlSat => ty,
        }
    }
}

impl Op {
    /// Calls `visit` with every operand, in order, and the type it must have.
    pub fn visit_operands(&self, target: &Target, mut visit: impl FnMut(Operand, Type)) {
        let size = target.size_type();
        match self {
            Self::IntBinary { ty, a, b, .. }
            | Self::FloatBinary { ty, a, b, .. }
            | Self::IntCompare { ty, a, b, .. }
            | Self::FloatCompare { ty, a, b, .. } => {
                visit(*a, *ty);
                visit(*b, *ty);
            }
            Self::IntUnary { ty, a, .. } | Self::FloatUnary { ty, a, .. } => visit(*a, *ty),
            Self::IntTernary { ty, a, b, c, .. } | Self::FloatFma { ty, a, b, c } => {
                visit(*a, *ty);
                visit(*b, *ty);
                visit(*c, *ty);
            }
            Self::Cast { from, a, .. } => visit(*a, *from),
            Self::Select {
                ty,
                condition,
                a,
                b,
            } => {
                visit(*condition, Type::BOOL);
                visit(*a, *ty);
                visit(*b, *ty);
            }
            Self::Address { base, index, .. } => {
                visit(*base, Type::Ptr);
                visit(*index, size);
            }
            Self::Load { address, .. } => visit(*address, Type::Ptr),
            Self::Store {
                ty, address, value, ..
            } => {
                visit(*value, *ty);
                visit(*address, Type::Ptr);
            }
            Self::Copy { to, from, length } => {
                visit(*to, Type::Ptr);
                visit(*from, Type::Ptr);
                visit(*length, size);
            }
            Self::Fill { to, byte, length } => {
                visit(*to, Type::Ptr);
                visit(*byte, Type::Int(8));
                visit(*length, size);
            }
            Self::StackAlloc { size: bytes, .. } => visit(*bytes, size),
            Self::StackSave => {}
            Self::StackRestore { pointer } => visit(*pointer, Type::Ptr),
            Self::Call {
                callee,
                args,
                arg_types,
                ..
            } => {
                match callee {
                    Callee::Indirect(address) => visit(*address, Type::Ptr),
                    Callee::Direct(_) => {}
                }
                for (arg, ty) in args.iter().zip(arg_types) {
                    visit(*arg, *ty);
                }
            }
            Self::Service { service, args } => {
                for (arg, ty) in args.iter().zip(service.parameters(target)) {
                    visit(*arg, ty);
                }
            }
        }
    }

    /// Replaces every operand by what `change` makes of it.
    pub fn change_operands(&mut self, mut change: impl FnMut(&mut Operand)) {
        match self {
            Self::IntBinary { a, b, .. }
            | Self::FloatBinary { a, b, .. }
            | Self::IntCompare { a, b, .. }
            | Self::FloatCompare { a, b, .. } => [a, b].into_iter().for_each(change),
            Self::IntUnary { a, .. } | Self::FloatUnary { a, .. } | Self::Cast { a, .. } => {
                change(a);
            }
            Self::IntTernary { a, b, c, .. } | Self::FloatFma { a, b, c, .. } => {
                [a, b, c].into_iter().for_each(change);
            }
            Self::Select {
                condition, a, b, ..
            } => [condition, a, b].into_iter().for_each(change),
            Self::Address { base, index, .. } => [base, index].into_iter().for_each(change),
            Self::Load { address, .. } => change(address),
            Self::Store { address, value, .. } => [value, address].into_iter().for_each(change),
            Self::Copy { to, from, length } => [to, from, length].into_iter().for_each(change),
            Self::Fill { to, byte, length } => [to, byte, length].into_iter().for_each(change),
            Self::StackAlloc { size, .. } => change(size),
            Self::StackSave => {}
            Self::StackRestore { pointer } => change(pointer),
            Self::Call { callee, args, .. } => {
                if let Callee::Indirect(address) = callee {
                    change(address);
                }
                args.iter_mut().for_each(change);
            }
            Self::Service { args, .. } => args.iter_mut().for_each(change),
        }
    }

    /// How many values it defines.
    pub fn result_count(&self, target: &Target) -> usize {
        match self {
            Self::Call { result_types, .. } => result_types.len(),
            _ => usize::from(self.result_type(0, target).is_some()),
        }
    }

    /// The type of the `index`-th value it defines.
    pub fn result_type(&self, index: usize, target: &Target) -> Option<Type> {
        let only = match self {
            Self::IntBinary { op, ty, .. } => Some(op.result(*ty)),
            Self::IntUnary { ty, .. }
            | Self::IntTernary { ty, .. }
            | Self::FloatBinary { ty, .. }
            | Self::FloatUnary { ty, .. }
            | Self::FloatFma { ty, .. }
            | Self::Select { ty, .. }
            | Self::Load { ty, .. } => Some(*ty),
            Self::IntCompare { .. } | Self::FloatCompare { .. } => Some(Type::BOOL),
            Self::Cast { to, .. } => Some(*to),
            Self::Address { .. } | Self::StackAlloc { .. } | Self::StackSave => Some(Type::Ptr),
            Self::Store { .. }
            | Self::Copy { .. }
            | Self::Fill { .. }
            | Self::StackRestore { .. } => None,
            Self::Call { result_types, .. } => return result_types.get(index).copied(),
            Self::Service { service, .. } => service.result(target),
        };
        only.filter(|_| index == 0)
    }
}

impl Terminator {
    /// Calls `visit` with every operand, in order. Their types depend on the
    /// function and on the blocks jumped to.
    pub fn visit_operands(&self, mut visit: impl FnMut(Operand)) {
        match self {
            Self::Jump(_) | Self::Unreachable => {}
            Self::Branch { condition, .. } => visit(*condition),
            Self::Switch { value, .. } => visit(*value),
            Self::Computed { address, .. } => visit(*address),
            Self::Return(values) => values.iter().copied().for_each(&mut visit),
        }
        for edge in self.edges() {
            edge.args.iter().copied().for_each(&mut visit);
        }
    }

    /// Replaces every operand by what `change` makes of it.
    pub fn change_operands(&mut self, mut change: impl FnMut(&mut Operand)) {
        match self {
            Self::Jump(_) | Self::Unreachable => {}
            Self::Branch { condition, .. } => change(condition),
            Self::Switch { value, .. } => change(value),
            Self::Computed { address, .. } => change(address),
            Self::Return(values) => values.iter_mut().for_each(&mut change),
        }
        for edge in self.edges_mut() {
            edge.args.iter_mut().for_each(&mut change);
        }
    }
}
