//! What a document about a whole check is made from.

use brownout_diag::{Finding, SourcePlace, Story};

use crate::source::Sources;

/// A check with all that a document says about it.
#[derive(Clone, Debug)]
pub struct Document<'d> {
    /// The program, if it is one of several.
    pub program: Option<&'d str>,
    /// The version of the tool.
    pub version: &'d str,
    /// Whether everything was checked that was to be checked.
    pub complete: bool,
    /// What was assumed, and what there is to say about the check as a whole.
    pub remarks: &'d [String],
    /// The sources that can be read.
    pub sources: &'d Sources,
    /// The run as a whole.
    pub overview: Overview,
    /// The findings, in their order.
    pub entries: Vec<Entry<'d>>,
}

/// The continuous execution, in figures.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Overview {
    /// Instructions executed; none if nothing was executed.
    pub instructions: u64,
    /// Power failures emulated.
    pub failures: u64,
    /// When checkpoints committed.
    pub commits: Vec<u64>,
    /// How many instructions the device executes on one charge, when that is known.
    pub depth: Option<u64>,
}

/// A finding and what belongs to it.
#[derive(Clone, Debug)]
pub struct Entry<'d> {
    /// The finding.
    pub finding: &'d Finding,
    /// What it is known by.
    pub fingerprint: String,
    /// When its place was executed first, counted in instructions; nothing if it was not.
    pub first_executed: Option<u64>,
    /// The failure that confirms it, step by step.
    pub story: Option<&'d Story>,
    /// What each boot does, if the finding is about boots.
    pub boots: &'d [Boot],
    /// Whether it counts.
    pub standing: Standing,
}

/// What one boot does: its last operations, how it ends, and what that leaves in flash parts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Boot {
    /// Which boot, and how it ended.
    pub title: String,
    /// How many operations come before those that are told.
    pub skipped: u64,
    /// The last operations.
    pub operations: Vec<BootStep>,
    /// The power failure that ends it, or what it breaks.
    pub end: BootStep,
    /// The parts.
    pub parts: Vec<FlashContents>,
}

/// One thing that happens in a boot.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BootStep {
    /// What happens.
    pub text: String,
    /// Where, with the calls that led there.
    pub place: Option<SourcePlace>,
}

/// A flash part before and after a boot.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FlashContents {
    /// What it is called.
    pub name: String,
    /// Bytes of a block.
    pub block: u32,
    /// What an erased byte holds.
    pub erased: u8,
    /// What it held when the boot began.
    pub before: Vec<u8>,
    /// What it held when the boot was over.
    pub after: Vec<u8>,
}

/// Whether a finding counts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Standing {
    /// It does.
    Open,
    /// It does, and a baseline does not have it.
    New,
    /// It does: a baseline has it, but not all of its pairs.
    Updated,
    /// A baseline has it.
    Known,
    /// A comment in the source allows it.
    Allowed {
        /// The reason given there.
        reason: String,
    },
}

impl Standing {
    /// Whether it counts.
    pub fn counts(&self) -> bool {
        match self {
            Standing::Open | Standing::New | Standing::Updated => true,
            Standing::Known | Standing::Allowed { .. } => false,
        }
    }
}
