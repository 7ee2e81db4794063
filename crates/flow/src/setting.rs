//! What the analysis is told about a program: where it begins, what its functions and objects
//! mean, where a device goes on after a power failure.

use std::collections::{BTreeMap, BTreeSet};

use brownout_ir::source::Place;
use brownout_ir::{Func, Global};

use crate::patience::Interrupt;
use crate::ranges::Readings;

/// The questions asked of one program.
#[derive(Clone, Debug)]
pub struct Setting {
    /// Where execution begins.
    pub entries: Entries,
    /// Functions that are not what their bodies say.
    pub roles: BTreeMap<Func, Role>,
    /// Device registers whose reads are inputs.
    pub input_registers: BTreeSet<Global>,
    /// Addresses of device registers whose volatile reads are inputs.
    pub input_addresses: BTreeSet<u64>,
    /// Which values inputs give, as far as somebody says it.
    pub readings: Readings,
    /// Whether every volatile read of memory outside the program is an input.
    pub device_inputs: bool,
    /// The globals in non-volatile memory.
    pub nonvolatile: BTreeSet<Global>,
    /// Whether the stack is non-volatile.
    pub stack: bool,
    /// Whether the heap is non-volatile.
    pub heap: bool,
    /// Whether memory that callers of a library pass counts as non-volatile.
    pub passed: bool,
    /// How many bytes a power failure leaves written or not as a whole; any number if nothing is given.
    pub atomic_write: Option<u32>,
    /// What every checkpoint saves.
    pub saved: Saved,
    /// Objects that are meant to change across power failures.
    pub aware: BTreeSet<Global>,
    /// Where execution goes on after a power failure.
    pub restart: Restart,
    /// What commits.
    pub commits: Commits,
    /// What the program's parts between two commits are called.
    pub boundaries: Boundaries,
    /// Functions that start with a commit, where a device goes on after a power failure.
    pub tasks: BTreeSet<Func>,
    /// What could not be translated, with where it is: a trap stands for it.
    pub gaps: BTreeMap<(Func, Option<Place>), String>,
    /// Whether an abort, a failed assertion or a trap is an end of the program like any other, so that what
    /// memory holds there counts. Otherwise code that only dies asks for nothing.
    pub deaths_are_ends: bool,
    /// Functions whose stack objects stay memory, because checkpoints that are executed meanwhile need
    /// not restore all of them.
    pub unpromoted: BTreeSet<Func>,
    /// Whether a branch that an earlier one has decided goes one way only. Findings are then told at the earlier
    /// branch: this is for who wants to know whether there are any.
    pub follows_decided: bool,
    /// How the analysis is ended before it has a result.
    pub interrupt: Interrupt,
}

/// What users call the places where execution goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Boundaries {
    /// Checkpoints.
    #[default]
    Checkpoints,
    /// Starts of tasks.
    Tasks,
}

/// Where execution begins.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Entries {
    /// A program: at one function, once. The others are called by somebody it does not know of:
    /// the hardware, or a library that dispatches tasks.
    Program(Func, Vec<Func>),
    /// A library: its users call these in any order, as often as they like.
    Library(Vec<Func>),
}

/// What a call of a function means, instead of its body.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Role {
    /// It commits.
    Checkpoint,
    /// It reads the surroundings, and may fill buffers.
    Input(Vec<Fill>),
    /// It changes nothing that the program can read.
    Silent,
    /// It computes something from its arguments and what they point to, and changes nothing.
    Pure,
}

/// A buffer that an input fills.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fill {
    /// The argument that points to it, or to where a pointer to it is.
    pub argument: u32,
    /// Where that pointer is: the bytes from each pointer on the way to the next one.
    pub members: Vec<i64>,
    /// How many bytes.
    pub length: Length,
}

/// How many bytes an input fills.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Length {
    /// So many times what an argument says.
    Argument(u32, i64),
    /// That many.
    Bytes(u32),
    /// As many as the input says.
    Result,
    /// As many as memory says that arguments point to.
    Unknown,
    /// Not even where: anything that pointers in what the argument points to lead to.
    Reachable,
}

/// What every checkpoint saves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Saved {
    /// All non-volatile memory.
    Everything,
    /// These globals.
    Globals(BTreeSet<Global>),
}

/// Where execution goes on after a power failure.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Restart {
    /// After the last checkpoint; at the start before the first.
    #[default]
    Boundary,
    /// At the entry of the function, as if every function were a task.
    Function,
    /// Right before an input.
    Input,
}

/// What commits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Commits {
    /// Every call of a checkpoint function.
    Always,
    /// Calls of checkpoint functions may (conditional policy).
    Perhaps,
    /// Anything may: a checkpoint can sit before every instruction (reactive policy).
    Anywhere,
    /// Nothing does: every reboot starts at the entry (restart policy).
    Never,
}

impl Entries {
    /// All functions where execution can begin, that of the program first.
    pub fn all(&self) -> Vec<Func> {
        match self {
            Self::Program(entry, others) => {
                let mut all = vec![*entry];
                all.extend(others);
                all
            }
            Self::Library(entries) => entries.clone(),
        }
    }
}

impl Fill {
    /// The arguments that say where it writes, and how far.
    pub fn places(&self) -> Vec<u32> {
        match self.length {
            Length::Argument(length, _) => vec![self.argument, length],
            Length::Bytes(_) | Length::Result | Length::Unknown | Length::Reachable => {
                vec![self.argument]
            }
        }
    }
}
