//! The story of one power failure, step by step, as `brownout replay` tells it: attempts at a
//! stretch of the program, all but the last of them ended by a failure.
//!
//! Values are already rendered, because only the machine that executed them knows their types.
//!
//! **Invariant**: a continuous value is given exactly where it is not the same as the intermittent
//! one, so whoever prints a story shows it whenever it is there.

use crate::{Crash, Effect, ReplayId, SourcePlace, Torn};

/// What happened in an execution with a power failure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Story {
    /// Which failure it is.
    pub id: ReplayId,
    /// Where the checkpoint is, when it has a place.
    pub checkpoint: Option<SourcePlace>,
    /// The watched objects at the checkpoint.
    pub values: Vec<Watched>,
    /// The attempts, in order.
    pub attempts: Vec<Attempt>,
    /// How the end differs from the continuous execution.
    pub effects: Vec<Effect>,
}

/// One attempt to get to the next checkpoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// What happened, in order.
    pub steps: Vec<Step>,
    /// How many further steps are not in the list.
    pub left_out: u64,
    /// How it ended.
    pub ending: Ending,
    /// Where it ended.
    pub place: Option<SourcePlace>,
    /// The watched objects at the end; after a failure, those that execution resumes with.
    pub values: Vec<Watched>,
}

/// Something that happened, once or several times in a loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// What.
    pub action: Action,
    /// Where, when known.
    pub place: Option<SourcePlace>,
    /// The watched objects after it, the last time it happened.
    pub values: Vec<Watched>,
    /// The last time it happened, when it happened again in a loop.
    pub again: Option<Again>,
}

/// The same step, later.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Again {
    /// How many more times.
    pub times: u64,
    /// How many steps the loop has that it belongs to.
    pub cycle: usize,
    /// The last of them.
    pub last: Action,
}

/// What a step does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// An object is read.
    Read {
        /// Its path.
        object: String,
        /// What was read.
        value: Compared,
    },
    /// An object is written.
    Write {
        /// Its path.
        object: String,
        /// What was written.
        value: Compared,
    },
    /// An input gives a value.
    Input {
        /// The function or register.
        input: String,
        /// What it gave.
        value: Compared,
    },
    /// An output is made.
    Output {
        /// The function or register.
        output: String,
        /// Its arguments.
        arguments: Compared,
    },
    /// Text is printed.
    Text {
        /// The text.
        text: Compared,
    },
    /// A checkpoint function is called and does not commit.
    PassedCheckpoint,
    /// A checkpoint commits, and execution is followed further.
    Commit,
    /// The first operation after which the continuous execution is elsewhere.
    Departure {
        /// Where the continuous execution goes on.
        continuous: Option<SourcePlace>,
        /// Where this one goes on.
        intermittent: Option<SourcePlace>,
    },
}

/// A value, and that of the continuous execution at the same point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compared {
    /// The value.
    pub intermittent: String,
    /// The other one.
    pub continuous: Continuous,
}

/// What the continuous execution has where this one has a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Continuous {
    /// The same.
    Same,
    /// Another one.
    Other(String),
    /// It is elsewhere: there is nothing to compare with.
    Elsewhere,
}

/// A watched object and its value; none when the object does not exist at that moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Watched {
    /// Its path.
    pub object: String,
    /// Its value.
    pub value: Option<Compared>,
    /// Whether its value survives a power failure.
    pub retention: Retention,
}

/// What a power failure does to an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Retention {
    /// It keeps its value.
    Kept,
    /// The checkpoint puts back the value it had there.
    Restored,
    /// It is a device register, and zero.
    Lost,
}

/// How an attempt ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Power failed.
    PowerFailure {
        /// In the middle of something.
        amid: Option<Amid>,
    },
    /// It reached the next checkpoint.
    Committed,
    /// The program ended.
    Exited {
        /// With this status.
        status: Compared,
    },
    /// The program died.
    Crashed {
        /// How.
        crash: Crash,
        /// In words.
        message: String,
        /// Whether the continuous execution dies of the same.
        also_continuous: AlsoContinuous,
    },
    /// It got as far as the energy of the device reaches.
    WindowOver,
    /// It is where the continuous execution is, after as many visits, at another time.
    Met,
    /// It was followed beyond the next checkpoint or the energy of the device, where only registers
    /// differed.
    Followed,
    /// It did not get to the next checkpoint.
    GivenUp {
        /// After this many instructions.
        budget: u64,
    },
}

/// What power failed in the middle of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Amid {
    /// A store.
    Store {
        /// The bytes that were written.
        torn: Torn,
        /// Bytes that were to be written.
        size: u32,
    },
    /// An output that takes time.
    Output {
        /// Instructions that have passed.
        done: u64,
        /// Instructions that it takes.
        takes: u64,
    },
}

/// Whether something happens without a power failure as well.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AlsoContinuous {
    /// It does.
    Yes,
    /// It is the failure's doing.
    No,
}

impl Compared {
    /// Whether the continuous execution is known to have another value.
    pub fn differs(&self) -> bool {
        matches!(self.continuous, Continuous::Other(_))
    }
}
