//! Effects: how an execution with a power failure differed from the continuous one.
//!
//! Semantics §3.2. Values are already rendered, because only the machine that compared them knows
//! their types.

use std::fmt;

use crate::{Named, SourcePlace};

/// One difference between the intermittent and the continuous execution.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Effect {
    /// An object holds another value.
    Value {
        /// The object, such as `cal.x` or `buf[3]`.
        object: Named,
        /// Its value in the continuous execution.
        continuous: String,
        /// Its value after the power failure.
        intermittent: String,
        /// When it has them.
        when: When,
    },
    /// Another path was taken.
    Path {
        /// The first branch that went the other way.
        branch: SourcePlace,
        /// Where the continuous execution went, when known.
        continuous: Option<SourcePlace>,
        /// Where the intermittent execution went, when known.
        intermittent: Option<SourcePlace>,
    },
    /// An output was added, lost or changed.
    Output {
        /// What it was made by.
        output: Outlet,
        /// What happened to it, with what was emitted.
        change: OutputChange,
    },
    /// The program crashed.
    Crash {
        /// What kind of crash it was.
        crash: Crash,
        /// Where it happened, when known.
        place: Option<SourcePlace>,
    },
    /// A condition of the user's does not hold.
    Invariant {
        /// The condition.
        expression: String,
    },
    /// The re-execution did not reach the comparison point.
    NoProgress {
        /// How many instructions it was given.
        budget: u64,
    },
}

/// What makes outputs.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Outlet {
    /// The text that the program prints.
    Text,
    /// An output function or register.
    Named(String),
}

impl fmt::Display for Outlet {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(match self {
            Outlet::Text => "text",
            Outlet::Named(name) => name,
        })
    }
}

/// When two executions were compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum When {
    /// At the checkpoint that both reach next.
    NextCheckpoint,
    /// When the program ends.
    ProgramEnd,
    /// Somewhere between.
    Elsewhere,
}

/// What a power failure did to an output.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum OutputChange {
    /// Emitted only after the power failure.
    Added {
        /// The arguments emitted.
        intermittent: String,
    },
    /// Emitted only by the continuous execution.
    Lost {
        /// The arguments emitted.
        continuous: String,
    },
    /// Emitted with other arguments, or leaving the environment in another state.
    Changed {
        /// What the continuous execution emitted.
        continuous: String,
        /// What was emitted after the power failure.
        intermittent: String,
    },
}

/// How a program can crash.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Crash {
    /// A memory access outside of every live object.
    BadAccess,
    /// An assertion of the program failed, or it aborted.
    FailedAssertion,
    /// A return or indirect call to something that is no code.
    WildJump,
    /// An arithmetic trap, such as a division by zero.
    Trap,
    /// The stack grew beyond its segment.
    StackOverflow,
}

impl Effect {
    /// The `kind` of the effect in the JSON document.
    pub fn kind(&self) -> &'static str {
        match self {
            Effect::Value { .. } => "value",
            Effect::Path { .. } => "path",
            Effect::Output { .. } => "output",
            Effect::Crash { .. } => "crash",
            Effect::Invariant { .. } => "invariant",
            Effect::NoProgress { .. } => "no-progress",
        }
    }
}

impl OutputChange {
    /// The stable name of the change.
    pub fn name(&self) -> &'static str {
        match self {
            OutputChange::Added { .. } => "added",
            OutputChange::Lost { .. } => "lost",
            OutputChange::Changed { .. } => "changed",
        }
    }
}

impl Crash {
    /// The stable name of the crash.
    pub fn name(self) -> &'static str {
        match self {
            Crash::BadAccess => "bad-access",
            Crash::FailedAssertion => "failed-assertion",
            Crash::WildJump => "wild-jump",
            Crash::Trap => "trap",
            Crash::StackOverflow => "stack-overflow",
        }
    }
}

impl fmt::Display for Crash {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name())
    }
}
