//! Why a failure cannot be replayed.

use std::fmt;
use std::num::NonZeroU32;

use brownout_diag::{ReplayId, ResumePoint};

/// Why there is no replay.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ReplayError {
    /// The id belongs to another kind of policy.
    WrongPolicy {
        /// The id.
        id: Box<ReplayId>,
    },
    /// The program does not execute that many checkpoints.
    NoSuchCheckpoint {
        /// The one asked for.
        number: u64,
        /// How many it executes.
        executed: u64,
    },
    /// The program does not come to the end of that many boots, or goes on from a checkpoint.
    NoSuchBoot {
        /// The one asked for.
        number: NonZeroU32,
    },
    /// The program does not execute that many instructions.
    PastTheEnd {
        /// Those asked for.
        instructions: u64,
        /// Those it executes.
        executed: u64,
    },
    /// The checkpoint was not reached within the limit.
    LimitReached {
        /// Instructions.
        limit: u64,
    },
    /// The stretch of execution is over before power fails.
    FailureTooLate {
        /// Instructions asked for.
        distance: u64,
        /// Instructions there are.
        length: u64,
    },
    /// An attempt whose inputs are its own comes to its end before power fails.
    GotThrough {
        /// The id.
        id: Box<ReplayId>,
        /// Its number, from 1.
        attempt: u32,
    },
    /// The last instruction does not store enough to be torn like this.
    NotTorn {
        /// The id.
        id: Box<ReplayId>,
        /// Bytes of non-volatile memory that it stores.
        size: u32,
    },
    /// Under `restart` power fails more than twice.
    TooOften {
        /// The id.
        id: Box<ReplayId>,
    },
    /// Device registers are to be reset, and there are none.
    NoRegisters {
        /// The id.
        id: Box<ReplayId>,
    },
    /// A name that means no object.
    Name {
        /// The name as it was given.
        name: String,
        /// What is wrong with it.
        problem: NameProblem,
    },
}

/// Why a name means no object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NameProblem {
    /// It is not a name with fields and indices.
    NotAName,
    /// There is no such variable in memory.
    Unknown,
    /// There is no such function.
    NoFunction,
    /// Several functions have such a variable.
    Ambiguous {
        /// The names to choose from.
        candidates: Vec<String>,
    },
    /// A structure does not have this member.
    NoMember {
        /// The member.
        member: String,
    },
    /// An array does not have this element.
    NoElement {
        /// The index.
        index: u64,
        /// How many it has.
        count: u64,
    },
    /// A member or element of something that has none, or whose type is not known.
    NoParts,
    /// No integer in a global.
    NoInteger,
}

impl fmt::Display for ReplayError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::WrongPolicy { id } => match id.resume {
                ResumePoint::Instruction(_) => write!(
                    formatter,
                    "`{id}` has its checkpoint between two instructions: only policy `reactive` does that"
                ),
                ResumePoint::Commit(_) => write!(
                    formatter,
                    "`{id}` resumes from a checkpoint call: under policy `reactive` ids start with `i`"
                ),
            },
            Self::NoSuchCheckpoint { number, executed } => write!(
                formatter,
                "there is no checkpoint {number}: the program executes {executed}"
            ),
            Self::NoSuchBoot { number } => write!(
                formatter,
                "there is no boot {number}: `:n` is for programs under policy `restart` that end in every boot"
            ),
            Self::PastTheEnd {
                instructions,
                executed,
            } => write!(
                formatter,
                "there is no instruction {instructions}: the program executes {executed}"
            ),
            Self::LimitReached { limit } => write!(
                formatter,
                "the checkpoint was not reached within {limit} instructions"
            ),
            Self::FailureTooLate { distance, length } => write!(
                formatter,
                "power cannot fail {distance} instructions after the checkpoint: what it can repeat is over after \
                 {length}"
            ),
            Self::GotThrough { id, attempt } => write!(
                formatter,
                "attempt {attempt} of `{id}` comes to its end before power fails"
            ),
            Self::NotTorn { id, size } => write!(
                formatter,
                "`{id}` tears the store before the failure; that instruction writes {size} bytes of non-volatile memory"
            ),
            Self::TooOften { id } => write!(
                formatter,
                "`{id}` lets power fail more than twice; where every reboot starts at the entry, it fails once or twice"
            ),
            Self::NoRegisters { id } => write!(
                formatter,
                "`{id}` resets device registers; no `[[peripheral]]` names any, and `mmio` is not set"
            ),
            Self::Name { name, problem } => write!(formatter, "`{name}`: {problem}"),
        }
    }
}

impl fmt::Display for NameProblem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAName => formatter.write_str(
                "not the name of an object; names look like `count`, `cal.x`, `buf[3]` or `function::local`",
            ),
            Self::Unknown => formatter.write_str("no such variable in memory"),
            Self::NoFunction => formatter.write_str("no such function in the program"),
            Self::Ambiguous { candidates } => {
                let list: Vec<String> = candidates
                    .iter()
                    .map(|candidate| format!("`{candidate}`"))
                    .collect();
                write!(
                    formatter,
                    "several variables have this name: {}",
                    list.join(", ")
                )
            }
            Self::NoMember { member } => write!(formatter, "there is no member `{member}`"),
            Self::NoElement { index, count } => {
                write!(formatter, "there is no element {index} of {count}")
            }
            Self::NoInteger => formatter.write_str("not an integer in a global"),
            Self::NoParts => {
                formatter.write_str("what stands before the last `.` or `[` has no parts")
            }
        }
    }
}

impl std::error::Error for ReplayError {}
