//! Why a failure cannot be replayed.

use std::fmt;
use std::num::NonZeroU32;

use brownout_diag::{ReplayId, ResumePoint};
use brownout_ir::names::NameProblem;

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

impl std::error::Error for ReplayError {}
