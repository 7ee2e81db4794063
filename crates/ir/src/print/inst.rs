//! Operations, terminators and operands as text. They need nothing of the
//! program around them, so each simply is `Display`.

use std::fmt::{self, Display, Formatter};

use super::spelling::{List, Number, Offset, Results, separator};
use crate::inst::{Callee, Edge, Op, Operand, Terminator};
use crate::program::Symbol;

impl Display for Operand {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Value(value) => write!(f, "{value}"),
            Self::Bits(bits) => write!(f, "{}", Number(bits)),
            Self::Global(global, offset) => write!(f, "{global}{}", Offset(offset)),
            Self::Slot(slot, offset) => write!(f, "{slot}{}", Offset(offset)),
            Self::Func(function) => write!(f, "{function}"),
            Self::BlockAddress(function, block) => write!(f, "{function}:{block}"),
        }
    }
}

impl Display for Symbol {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Global(global) => write!(f, "{global}"),
            Self::Func(function) => write!(f, "{function}"),
            Self::Block(function, block) => write!(f, "{function}:{block}"),
        }
    }
}

impl Display for Edge {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.block)?;
        if self.args.is_empty() {
            return Ok(());
        }
        write!(f, "({})", List(&self.args))
    }
}

impl Display for Op {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::IntBinary { op, ty, a, b } => write!(f, "{op} {ty} {a}, {b}"),
            Self::IntUnary { op, ty, a } => write!(f, "{op} {ty} {a}"),
            Self::IntTernary { op, ty, a, b, c } => write!(f, "{op} {ty} {a}, {b}, {c}"),
            Self::FloatBinary { op, ty, a, b } => write!(f, "{op} {ty} {a}, {b}"),
            Self::FloatUnary { op, ty, a } => write!(f, "{op} {ty} {a}"),
            Self::FloatFma { ty, a, b, c } => write!(f, "fma {ty} {a}, {b}, {c}"),
            Self::IntCompare { op, ty, a, b } => write!(f, "icmp {op} {ty} {a}, {b}"),
            Self::FloatCompare { op, ty, a, b } => write!(f, "fcmp {op} {ty} {a}, {b}"),
            Self::Cast { op, from, to, a } => write!(f, "{op} {from} {a} to {to}"),
            Self::Select {
                ty,
                condition,
                a,
                b,
            } => {
                write!(f, "select {ty} {condition}, {a}, {b}")
            }
            Self::Address {
                base,
                index,
                scale,
                offset,
            } => {
                write!(f, "address {base}, {index} * {scale}")?;
                match offset {
                    0 => Ok(()),
                    1.. => write!(f, " + {offset}"),
                    ..0 => write!(f, " - {}", offset.unsigned_abs()),
                }
            }
            Self::Load {
                ty,
                address,
                volatile,
            } => write!(f, "load {}{ty} {address}", volatility(*volatile)),
            Self::Store {
                ty,
                address,
                value,
                volatile,
            } => write!(
                f,
                "store {}{ty} {value} to {address}",
                volatility(*volatile)
            ),
            Self::Copy { to, from, length } => write!(f, "copy {to} from {from} length {length}"),
            Self::Fill { to, byte, length } => write!(f, "fill {to} with {byte} length {length}"),
            Self::StackAlloc { size, align } => write!(f, "stack_alloc {size} align {align}"),
            Self::StackSave => f.write_str("stack_save"),
            Self::StackRestore { pointer } => write!(f, "stack_restore {pointer}"),
            Self::Call {
                callee,
                args,
                arg_types,
                result_types,
            } => {
                match callee {
                    Callee::Direct(function) => write!(f, "call {function}(")?,
                    Callee::Indirect(address) => write!(f, "call_indirect {address}(")?,
                }
                for (index, (arg, ty)) in args.iter().zip(arg_types).enumerate() {
                    write!(f, "{}{ty} {arg}", separator(index))?;
                }
                write!(f, "){}", Results(result_types))
            }
            Self::Service { service, args } => {
                write!(f, "service {}({})", service.name(), List(args))
            }
        }
    }
}

impl Display for Terminator {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Jump(edge) => write!(f, "jump {edge}"),
            Self::Branch {
                condition,
                then,
                otherwise,
            } => write!(f, "branch {condition}, {then}, {otherwise}"),
            Self::Switch {
                ty,
                value,
                cases,
                default,
            } => {
                write!(f, "switch {ty} {value} [")?;
                for (index, (case, edge)) in cases.iter().enumerate() {
                    write!(f, "{}{}: {edge}", separator(index), Number(*case))?;
                }
                write!(f, "] else {default}")
            }
            Self::Computed { address, targets } => {
                write!(f, "computed {address} [{}]", List(targets))
            }
            Self::Return(values) if values.is_empty() => f.write_str("return"),
            Self::Return(values) => write!(f, "return {}", List(values)),
            Self::Unreachable => f.write_str("unreachable"),
        }
    }
}

const fn volatility(volatile: bool) -> &'static str {
    if volatile { "volatile " } else { "" }
}
