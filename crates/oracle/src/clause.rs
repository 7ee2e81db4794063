//! The clauses of the definition of "harmless" (semantics §1 and §2), one by one.
//!
//! Leaving one out gives a judge that is wrong about some program of the table: that is how the
//! table is known to speak of every clause.

/// A clause that a judge can be asked to leave out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Clause {
    /// Executions are compared at quiet moments, not after an equal number of instructions.
    QuietMoments,
    /// `restart`: a failure may look like one at the quiet moment before it.
    MomentBefore,
    /// `restart`: a failure may look like one at the quiet moment after it.
    MomentAfter,
    /// `restart`: visits of the head of the outermost loop are quiet, not only entry and end.
    LoopHeads,
    /// `restart`: a loop that is left, and that only computes, has no quiet moments. (Nor has one that only waits, which
    /// decides about no row.)
    Computations,
    /// `restart`: what comes before the loop that a program stays in is one piece of work, whatever it takes in.
    SetUp,
    /// `restart`: recovery may take some rounds.
    LaterVisits,
    /// `restart`: rounds of other loops on the way of a boot after a failure are no part of that way.
    OtherRounds,
    /// `restart`: from the boot on, attempt and reference get the same inputs.
    SameInputsFromBoot,
    /// `restart`: what a round had not asked for when power failed is anything.
    OtherReadings,
    /// `restart`: what a round outputs need not be output if the next boot outputs it again because of what the round has read
    /// then: an answer that did not come.
    SentAgain,
    /// With commits: work that is not repeated, or recovery, may have commits of its own.
    LaterCommits,
    /// Live registers are state.
    Registers,
    /// A byte that differs and is overwritten first is no difference.
    OverwrittenFirst,
    /// A byte of non-volatile memory that differs and that nothing touches any more is one.
    Untouched,
    /// `restart`: at the end, what is left of the boot that was cut may be overwritten by the next ones before it is read.
    LeftOver,
    /// The stack is not compared at the end.
    NoStackAtEnd,
    /// What `[compare]` leaves out is not compared.
    Ignored,
    /// Intermittence-aware objects are not compared.
    Aware,
    /// What flows from intermittence-aware objects is not compared.
    AwareFlows,
    /// The continuous execution gets the readings of the last attempt.
    InputsByPlace,
    /// Where the last attempt did not ask, it gets the readings of the failed one.
    ReadingsOfFailed,
    /// `restart`: of those, what was read after an earlier write may be lost: power failed before its result was kept.
    LostReading,
    /// `restart`: what the boot that failed had not read yet, it would have read as the next one does.
    RestReadsAlike,
    /// How far a list of values has been used up is not state.
    ListsAreNoState,
    /// The last attempt may repeat outputs.
    OutputsRepeat,
    /// The last attempt may leave out what has been output before.
    OutputsLeftOut,
    /// `restart`: what a boot shows because of the round that was cut, the round need not have shown.
    ShownInstead,
    /// No output may be lost.
    OutputsLost,
    /// No output may have other arguments, or come where there is none.
    OutputsUnexpected,
    /// A failed attempt is held against the continuous execution with its own readings.
    OwnReadings,
    /// What must happen at most once must not be repeated.
    AtMostOnce,
    /// Stores that are wider than the platform's atomic write may be torn.
    TornStores,
    /// A checkpoint restores what it saved of non-volatile memory.
    Saved,
    /// `tasks`: a reboot loses plain globals.
    TasksLoseVolatile,
    /// `conditional`: any of the checkpoints that were passed may be the one that committed.
    AnyCheckpoint,
    /// An effect belongs to the write without which it would not be there.
    Cause,
}

impl Clause {
    /// All of them.
    pub const ALL: [Self; 37] = [
        Self::QuietMoments,
        Self::MomentBefore,
        Self::MomentAfter,
        Self::LoopHeads,
        Self::Computations,
        Self::SetUp,
        Self::LaterVisits,
        Self::OtherRounds,
        Self::SameInputsFromBoot,
        Self::OtherReadings,
        Self::SentAgain,
        Self::LaterCommits,
        Self::Registers,
        Self::OverwrittenFirst,
        Self::Untouched,
        Self::LeftOver,
        Self::NoStackAtEnd,
        Self::Ignored,
        Self::Aware,
        Self::AwareFlows,
        Self::InputsByPlace,
        Self::ReadingsOfFailed,
        Self::LostReading,
        Self::RestReadsAlike,
        Self::ListsAreNoState,
        Self::OutputsRepeat,
        Self::OutputsLeftOut,
        Self::ShownInstead,
        Self::OutputsLost,
        Self::OutputsUnexpected,
        Self::OwnReadings,
        Self::AtMostOnce,
        Self::TornStores,
        Self::Saved,
        Self::TasksLoseVolatile,
        Self::AnyCheckpoint,
        Self::Cause,
    ];
}
