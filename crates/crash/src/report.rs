//! What an exploration found, as plain data.

use std::collections::BTreeSet;

use brownout_diag::{CrashId, Extent, SourcePlace};
use brownout_vm::{Assertion as Asserted, Fault, Image, Named};

use crate::boot::End;
use crate::operation::Kind;

/// What identifies an assertion: its name, its text and its position.
pub(crate) type Key = (&'static str, Option<String>, Option<(String, u32, u32)>);

/// What a boot breaks.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Assertion {
    /// A name for programs to go by: `failed-assertion`, `invariant`, `exit-status`, `endless-boot`,
    /// `not-atomic` or that of a fault.
    pub name: &'static str,
    /// What is broken, as the end of "power failures break …" or "power failures lead to …".
    pub text: String,
    /// Where, when that is known.
    pub place: Option<SourcePlace>,
}

impl Assertion {
    /// That a fault of this program does not happen.
    pub(crate) fn of_fault(image: &Image, fault: &Fault, place: Option<SourcePlace>) -> Self {
        let text = match fault {
            Fault::AssertionFailed {
                assertion: Asserted::Written { expression, .. },
            } => format!("`assert({expression})`"),
            fault => Named { fault, image }.to_string(),
        };
        Self {
            name: fault.name(),
            text,
            place,
        }
    }

    /// Whether two are the same: messages about faults name addresses, which may differ.
    pub fn is_same(&self, other: &Self) -> bool {
        self.key() == other.key()
    }

    /// What makes two the same.
    pub(crate) fn key(&self) -> Key {
        let place = self.place.as_ref();
        let position = place.map(|place| (place.file.clone(), place.line, place.column));
        let text = (self.is_stated() || position.is_none()).then(|| self.text.clone());
        (self.name, text, position)
    }

    /// Whether it is something that the program or the scenario says, rather than a fault.
    pub fn is_stated(&self) -> bool {
        matches!(self.name, "failed-assertion" | "invariant")
    }
}

/// A power failure on the way to a violation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    /// The operation of its boot, from 1.
    pub operation: u64,
    /// What kind it is of.
    pub kind: Kind,
    /// How many there were of this kind in the boot, this one included.
    pub of_kind: u64,
    /// How much of it was done.
    pub extent: Extent,
    /// Operations of the boot before it that were not done, from 1.
    pub missing: Vec<u64>,
    /// How many bytes it has.
    pub size: u32,
    /// Where, with the calls that led there.
    pub place: Option<SourcePlace>,
}

/// An assertion that power failures break, along one combination of call paths.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Violation {
    /// What is broken.
    pub assertion: Assertion,
    /// The failures of a shortest way there, boot by boot.
    pub failures: Vec<Failure>,
    /// What inputs give on the way there, where workloads vary that: the input by number, and its
    /// readings.
    pub workload: Vec<(u32, Vec<u64>)>,
    /// The same as an id.
    pub id: CrashId,
    /// How many states break it along these paths.
    pub states: u64,
    /// How many states break it in all.
    pub all_states: u64,
    /// The fewest failures that break it.
    pub fewest: u32,
}

/// Why an exploration is not complete.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Shortfall {
    /// Somebody stopped it, or its time was over.
    Interrupted,
    /// States took more memory than they may.
    Memory,
    /// So many boots did not come to an end within the limit.
    Undecided {
        /// How many.
        boots: u64,
        /// Instructions that each had.
        limit: u64,
    },
    /// The program outputs nothing by which an operation could be seen to be done or not done.
    Silent,
    /// Operations can be torn in more ways than were tried.
    Sampled {
        /// How many.
        operations: u64,
    },
}

/// How much was explored.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Coverage {
    /// How many failures in a row were asked for; nothing means any number.
    pub failures: Option<u32>,
    /// States that were found.
    pub states: u64,
    /// States whose boot is known: executed or derived.
    pub booted: u64,
    /// Boots that were derived from others that read the same.
    pub derived: u64,
    /// Failures whose state was known already.
    pub repeated: u64,
    /// States that were not booted.
    pub left: u64,
    /// Whether every state of up to the failures asked for was booted.
    pub complete: bool,
    /// Whether there are no further states, whatever the number of failures.
    pub closed: bool,
    /// The most failures of a state.
    pub deepest: u32,
    /// Operations of the undisturbed boot.
    pub operations: u64,
    /// Instructions executed.
    pub instructions: u64,
    /// How many workloads were explored, if inputs are varied.
    pub workloads: Option<u64>,
    /// How many states were kept out of memory.
    pub moved: u64,
    /// How many states had been booted when the first violation was found.
    pub first_broken: Option<u64>,
    /// Where the undisturbed boot changes a flash part by a plain store, first.
    pub bypass: Option<SourcePlace>,
    /// The marks of the program that some boot passed, by operation of the machine.
    pub passed: BTreeSet<u32>,
    /// Why it is not complete.
    pub shortfalls: Vec<Shortfall>,
}

/// What an exploration found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Explored {
    /// How the undisturbed program ends.
    pub undisturbed: End,
    /// What is broken, by the number of failures.
    pub violations: Vec<Violation>,
    /// How much was explored.
    pub coverage: Coverage,
}
