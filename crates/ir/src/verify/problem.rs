//! What can be wrong with a program, and where.

use std::error::Error;
use std::fmt;

use crate::inst::Operand;
use crate::program::{Block, Func, Global, Slot, Value};
use crate::source::{File, Place, TypeId};
use crate::types::Type;

/// A broken invariant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VerifyError {
    /// Where.
    pub site: Site,
    /// Which.
    pub problem: Problem,
}

/// A part of a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Site {
    /// The program itself.
    Program,
    /// A source place.
    Place(Place),
    /// A source type.
    Type(TypeId),
    /// A global.
    Global(Global),
    /// A function as a whole.
    Function(Func),
    /// A stack object.
    Slot(Func, Slot),
    /// A block as a whole.
    Block(Func, Block),
    /// An instruction, counted from 0.
    Inst(Func, Block, usize),
    /// The end of a block.
    Terminator(Func, Block),
}

/// Which invariant is broken.
#[derive(Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the message documents the variant")]
pub enum Problem {
    PointerWidth(u8),
    NoSuchFunction(Func),
    NoSuchGlobal(Global),
    NoSuchSlot(Slot),
    NoSuchBlock(Block),
    NoSuchBlockIn(Func, Block),
    NoSuchValue(Value),
    NoSuchFile(File),
    NoSuchPlace(Place),
    NoSuchType(TypeId),
    MemberOutside,
    TypeTooLarge,
    InliningCycle,
    HookTakesArguments(Func),
    IntegerWidth(u8),
    Alignment(u32),
    InitializerTooLong {
        bytes: usize,
        size: u64,
    },
    InitializersTooLong,
    RelocationWidth(u8),
    RelocationOutside {
        offset: u64,
    },
    RelocationsOverlap {
        offset: u64,
    },
    VariadicWithoutArea,
    NoEntry,
    EntryParameters,
    EntryHasPredecessor(Block),
    DefinedTwice(Value),
    NeverDefined(Value),
    NotDominated(Value),
    OperandType {
        operand: Operand,
        expected: Type,
        found: Type,
    },
    ConstantTooWide {
        bits: u128,
        ty: Type,
    },
    AddressAs {
        operand: Operand,
        expected: Type,
    },
    ResultCount {
        expected: usize,
        found: usize,
    },
    ResultType {
        value: Value,
        expected: Type,
        found: Type,
    },
    OperatorType {
        operator: &'static str,
        ty: Type,
    },
    ByteSwapWidth(Type),
    CastTypes {
        operator: &'static str,
        from: Type,
        to: Type,
    },
    ArgumentCount {
        expected: usize,
        found: usize,
    },
    ArgumentTypesCount {
        types: usize,
        arguments: usize,
    },
    CallSignature(Func),
    EdgeArguments {
        block: Block,
        expected: usize,
        found: usize,
    },
    ReturnCount {
        expected: usize,
        found: usize,
    },
    SwitchType(Type),
    CaseTooWide {
        case: u128,
        ty: Type,
    },
    CaseTwice(u128),
    ComputedTwice(Block),
}

impl Error for VerifyError {}

impl fmt::Display for VerifyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.site, self.problem)
    }
}

impl fmt::Display for Site {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Program => f.write_str("program"),
            Self::Place(place) => write!(f, "{place}"),
            Self::Type(ty) => write!(f, "{ty}"),
            Self::Global(global) => write!(f, "{global}"),
            Self::Function(function) => write!(f, "{function}"),
            Self::Slot(function, slot) => write!(f, "{function} {slot}"),
            Self::Block(function, block) => write!(f, "{function} {block}"),
            Self::Inst(function, block, index) => {
                write!(f, "{function} {block} instruction {index}")
            }
            Self::Terminator(function, block) => write!(f, "{function} {block} terminator"),
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::PointerWidth(bits) => {
                write!(f, "pointers of {bits} bits, not of 16, 32 or 64")
            }
            Self::NoSuchFunction(id) => write!(f, "no function `{id}`"),
            Self::NoSuchGlobal(id) => write!(f, "no global `{id}`"),
            Self::NoSuchSlot(id) => write!(f, "no slot `{id}`"),
            Self::NoSuchBlock(id) => write!(f, "no block `{id}`"),
            Self::NoSuchBlockIn(function, id) => write!(f, "no block `{id}` in `{function}`"),
            Self::NoSuchValue(id) => write!(f, "no value `{id}`"),
            Self::NoSuchFile(id) => write!(f, "no file `{id}`"),
            Self::NoSuchPlace(id) => write!(f, "no place `{id}`"),
            Self::NoSuchType(id) => write!(f, "no source type `{id}`"),
            Self::MemberOutside => f.write_str("a member or element lies outside its type"),
            Self::TypeTooLarge => f.write_str("the source type is larger than the object"),
            Self::InliningCycle => f.write_str("inlined into itself"),
            Self::HookTakesArguments(function) => {
                write!(f, "constructor or destructor `{function}` takes arguments")
            }
            Self::IntegerWidth(bits) => write!(f, "integer of {bits} bits, not of 1 to 128"),
            Self::Alignment(align) => write!(f, "alignment {align} is not a power of two"),
            Self::InitializerTooLong { bytes, size } => {
                let bytes = counted(*bytes, "byte");
                write!(f, "initialiser of {bytes} in an object of {size}")
            }
            Self::InitializersTooLong => write!(
                f,
                "initialisers of more than {} bytes together",
                super::MAX_INITIALIZER_BYTES
            ),
            Self::RelocationWidth(bytes) => write!(f, "relocation of {}", counted(*bytes, "byte")),
            Self::RelocationOutside { offset } => {
                write!(f, "relocation at {offset} reaches past the end")
            }
            Self::RelocationsOverlap { offset } => {
                write!(f, "relocation at {offset} overlaps another")
            }
            Self::VariadicWithoutArea => {
                f.write_str("variadic, but the last parameter is not `ptr`")
            }
            Self::NoEntry => f.write_str("body without blocks"),
            Self::EntryParameters => {
                f.write_str("parameters of the entry block differ from those of the function")
            }
            Self::EntryHasPredecessor(block) => write!(f, "`{block}` jumps to the entry block"),
            Self::DefinedTwice(value) => write!(f, "`{value}` is defined twice"),
            Self::NeverDefined(value) => write!(f, "`{value}` is never defined"),
            Self::NotDominated(value) => {
                write!(f, "the definition of `{value}` does not dominate this use")
            }
            Self::OperandType {
                operand,
                expected,
                found,
            } => write!(f, "`{operand}` is `{found}`, not `{expected}`"),
            Self::ConstantTooWide { bits, ty } => {
                write!(f, "constant {bits:#x} does not fit in `{ty}`")
            }
            Self::AddressAs { operand, expected } => {
                write!(f, "address `{operand}` is `ptr`, not `{expected}`")
            }
            Self::ResultCount { expected, found } => {
                write!(f, "defines {}, not {expected}", counted(*found, "value"))
            }
            Self::ResultType {
                value,
                expected,
                found,
            } => write!(f, "result `{value}` is `{found}`, not `{expected}`"),
            Self::OperatorType { operator, ty } => write!(f, "`{operator}` on `{ty}`"),
            Self::ByteSwapWidth(ty) => write!(f, "`bswap` on `{ty}`, which is not whole bytes"),
            Self::CastTypes { operator, from, to } => {
                write!(f, "`{operator}` from `{from}` to `{to}`")
            }
            Self::ArgumentCount { expected, found } => {
                write!(f, "{}, not {expected}", counted(*found, "argument"))
            }
            Self::ArgumentTypesCount { types, arguments } => {
                let types = counted(*types, "argument type");
                write!(f, "{types} for {}", counted(*arguments, "argument"))
            }
            Self::CallSignature(function) => {
                write!(f, "call does not match the signature of `{function}`")
            }
            Self::EdgeArguments {
                block,
                expected,
                found,
            } => write!(
                f,
                "{} for `{block}`, which has {}",
                counted(*found, "argument"),
                counted(*expected, "parameter")
            ),
            Self::ReturnCount { expected, found } => {
                write!(f, "returns {}, not {expected}", counted(*found, "value"))
            }
            Self::SwitchType(ty) => write!(f, "switch on `{ty}`"),
            Self::CaseTooWide { case, ty } => write!(f, "case {case:#x} does not fit in `{ty}`"),
            Self::CaseTwice(case) => write!(f, "case {case:#x} occurs twice"),
            Self::ComputedTwice(block) => {
                write!(
                    f,
                    "computed target `{block}` occurs with different arguments"
                )
            }
        }
    }
}

fn counted(count: impl fmt::Display, what: &str) -> String {
    let count = count.to_string();
    let plural = if count == "1" { "" } else { "s" };
    format!("{count} {what}{plural}")
}
