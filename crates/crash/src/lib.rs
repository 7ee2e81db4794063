//! Crash consistency: every state that power failures can leave, booted (semantics §5).
//!
//! **Property**: after any number of power failures up to the one asked for, every boot comes to
//! where the undisturbed program comes, without a failed assertion, a broken invariant, a fault or
//! a boot without end.
//!
//! **Algorithm**: a *state* is what survives a power failure: non-volatile memory, ghosts, the
//! environment. Each distinct state is booted once, without failure (`boot`). Every operation
//! of that boot on non-volatile memory (`operation`) gives the states that a failure before,
//! inside and after it leaves. New ones are kept (`state`) and booted in turn, breadth first
//! (`closure`): the level of a state is the number of failures that it takes, so the first
//! violation of an assertion is a shortest one. Equal states are recognised by comparing them.
//!
//! **False positives**: tears that the part in question cannot have (`tear`, `erase-tear`).
//! **False negatives**: none for what the scenario describes, if [`Coverage::complete`] says so;
//! what it leaves out (interrupts, other inputs) was not executed.
//!
//! **Invariant**: prints nothing, reads no files, knows no clock: whoever calls it watches over it
//! ([`Monitor`]). The result does not depend on the number of threads.

mod assertions;
mod atomic;
mod boot;
mod calls;
mod closure;
mod gather;
mod marks;
mod memo;
mod nonvolatile;
mod operation;
mod places;
mod recorder;
mod replay;
mod report;
mod schedule;
mod scratch;
mod state;
mod unsynced;
mod workload;

pub use assertions::{Position, mark_assertions, unexecuted};
pub use atomic::Operations;
pub use boot::{End, Settled};
pub use gather::{Gathered, Group, Order as FoundOrder, conclude, explore, gather};
pub use marks::{mark, operations};
pub use operation::{Kind, mixture};
pub use replay::{Followed, FollowedBoot, NoSuchFailure, PartContents, Recorded, replay};
pub use report::{Assertion, Coverage, Explored, Failure, Shortfall, Violation};
pub use schedule::{Rhythm, Scheduled, schedule};
pub use workload::Choices;

use brownout_ir::Global;
use brownout_scenario::{EraseTear, Order, Tear};

/// What to explore.
#[derive(Clone, Debug)]
pub struct Request {
    /// How many power failures in a row; nothing means any number.
    pub failures: Option<u32>,
    /// What interrupted operations of flash parts leave, part by part.
    pub tears: Vec<(Tear, EraseTear)>,
    /// Whether operations of flash parts stay in order, part by part.
    pub orders: Vec<Order>,
    /// What inputs give: every combination of these.
    pub choices: Choices,
    /// Which calls are operations that must be done or not done, if somebody asks for that.
    pub atomic: Option<Operations>,
    /// Whether what programs print is kept.
    pub listens: bool,
    /// Which share of the states to boot; nothing: all of them.
    pub shard: Option<Shard>,
    /// How many bytes a store to other non-volatile memory writes at once; nothing: all of them.
    pub atomic_write: Option<u32>,
    /// The notebook of the test: survives, and is never torn.
    pub ghosts: Vec<Global>,
    /// Whether a place of the program is where failures begin, by operation.
    pub from: Option<Vec<u32>>,
    /// Whether a place of the program is where a boot is done, by operation.
    pub until: Option<Vec<u32>>,
    /// Most instructions of one boot.
    pub instructions: u64,
    /// Most bytes that states may take.
    pub memory: u64,
    /// How many threads to use.
    pub jobs: usize,
    /// Whether boots that would read what another has read are derived from it.
    pub memo: Memo,
}

/// A share of the states that take as many failures as were asked for. Those that take fewer are
/// booted by every shard, and told by the first one; so are those that others are held against for what
/// they say, and told by the one that they belong to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shard {
    /// Which one, from 0.
    pub index: u32,
    /// How many there are.
    pub count: u32,
}

/// Where states go that memory has no room for.
pub trait Overflow: Sync {
    /// Keeps some bytes; where they are. Nothing if there is no room either.
    fn write(&self, bytes: &[u8]) -> Option<u64>;

    /// Gives bytes back. Whether that went well.
    fn read(&self, at: u64, bytes: &mut [u8]) -> bool;
}

/// Whether boots are derived from others that read the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Memo {
    /// They are.
    On,
    /// Every state is booted.
    Off,
}

/// Watches over an exploration.
pub trait Monitor: Sync {
    /// Whether to stop and give what was found so far.
    fn is_interrupted(&self) -> bool;

    /// So many states are known, so many of them were booted, at this number of failures.
    fn advance(&self, states: u64, booted: u64, failures: u32);
}
