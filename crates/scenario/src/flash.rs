//! Flash parts and what is explored of their power failures (semantics §5).
//!
//! A part is an object of the program that only operations change: functions of the program (or
//! those of `brownout.h`) program stretches of it and erase blocks of it. What an interrupted
//! operation leaves is said by its tear.
//!
//! **Invariant**: addresses, data and lengths are expressions over the arguments of the function
//! (`arg0`, `arg1`, …) and what these point to (`arg0->base`), and over nothing else.

use crate::argument::ArgumentExpression;
use crate::error::Place;

/// A flash part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flash {
    /// The object that stands for it.
    pub object: String,
    /// Bytes that are erased at once; all of the object if nobody said it.
    pub erase_block: Option<u32>,
    /// Operations on so many bytes stay in order: an erase block, or the smallest unit of a part that is not
    /// erased. All of the object if nobody said it.
    pub order_block: Option<u32>,
    /// Bytes that are programmed at once.
    pub program_unit: u32,
    /// What an erased byte holds.
    pub erased: u8,
    /// What programming does to what was there.
    pub programming: Programming,
    /// Whether what is not erased may be programmed.
    pub reprogram: Reprogram,
    /// What an interrupted program operation leaves.
    pub tear: Tear,
    /// What an interrupted erase operation leaves.
    pub erase_tear: EraseTear,
    /// Which operations may be missing while later ones are done.
    pub order: Order,
    /// The contents at the start, when they are given.
    pub image: Option<Vec<u8>>,
    /// The functions that read and change it.
    pub functions: Vec<FlashFunction>,
}

/// A function that reads or changes a flash part, in place of its own body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FlashFunction {
    /// Its name.
    pub name: String,
    /// What it does.
    pub action: FlashAction,
    /// Where: an offset in the object, or a pointer into it.
    pub address: Option<ArgumentExpression>,
    /// A pointer to what is programmed, or to where what is read goes.
    pub data: Option<ArgumentExpression>,
    /// What is programmed itself, where it is passed instead of a pointer to it.
    pub value: Option<ArgumentExpression>,
    /// How many bytes.
    pub length: Option<ArgumentExpression>,
    /// What it returns.
    pub returns: ArgumentExpression,
    /// Where the configuration names it.
    pub place: Place,
}

/// What a function does to a flash part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FlashAction {
    /// Writes data.
    Program,
    /// Erases blocks.
    Erase,
    /// Reads data.
    Read,
    /// Waits until everything before it is done.
    Sync,
}

impl FlashAction {
    /// The key of `[[flash]]` that names a function which does this.
    pub fn key(self) -> &'static str {
        match self {
            Self::Program => "program-function",
            Self::Erase => "erase-function",
            Self::Read => "read-function",
            Self::Sync => "sync-function",
        }
    }
}

/// What programming does to what was there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Programming {
    /// It moves bits away from what an erased byte holds, and never back.
    And,
    /// It replaces it.
    Overwrite,
}

/// Whether what is not erased may be programmed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reprogram {
    /// It is a mistake of the program.
    Error,
    /// It is as `program` says.
    Allow,
}

/// What an interrupted program operation leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tear {
    /// All or nothing.
    None,
    /// Some first units.
    Prefix,
    /// Any of the units.
    AnyUnit,
    /// Any of the units, and one of which any bits are done.
    Bits,
}

/// What an interrupted erase operation leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EraseTear {
    /// All or nothing, block by block.
    None,
    /// Some first quarters of a block are erased.
    Prefix,
    /// Besides, old and erased contents side by side, and bytes that are neither.
    Garbage,
}

/// Which operations may be missing while later ones are done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// None: each begins when the one before it is done.
    Strict,
    /// Any since the last call of the function that waits for them.
    UntilSync,
}

/// What is explored of power failures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explore {
    /// How many power failures in a row; nothing means any number.
    pub failures: Option<u32>,
    /// `file:line` from which on power fails.
    pub from: Option<String>,
    /// `file:line` where a boot is done.
    pub until: Option<String>,
    /// How many readings of each input are varied.
    pub workload: u32,
    /// Whether operations of the program must be done or not done.
    pub oracle: Oracle,
    /// Functions whose calls are operations of the program; nothing: calls from the entry.
    pub operations: Vec<String>,
}

/// What judges boots beside what the program says itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Oracle {
    /// Nothing.
    #[default]
    None,
    /// After a failure inside an operation of the program, the next boot says what it says without
    /// or with it.
    Atomic,
}

impl Default for Explore {
    fn default() -> Self {
        Self {
            failures: Some(2),
            from: None,
            until: None,
            workload: 0,
            oracle: Oracle::None,
            operations: Vec::new(),
        }
    }
}
