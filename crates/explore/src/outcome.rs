//! What an attempt after a power failure comes to: nothing, differences, or nobody knows.

use std::hash::{Hash, Hasher};

use brownout_vm::Fault;
use rustc_hash::FxHasher;

use crate::objects::{Object, Part};

/// Something that is not as in a continuous execution.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Difference {
    /// A scalar in memory.
    Value {
        /// What it belongs to.
        part: Part,
        /// Where its first byte is.
        offset: u32,
        /// Its bytes in the continuous execution.
        continuous: Vec<u8>,
        /// Its bytes after the failure.
        intermittent: Vec<u8>,
    },
    /// The two are at different places of the program.
    Path {
        /// The operation the continuous execution is at.
        continuous: u32,
        /// The operation the other one is at.
        intermittent: u32,
    },
    /// The text that was written.
    Output {
        /// By the continuous execution.
        continuous: Vec<u8>,
        /// By the last attempt.
        intermittent: Vec<u8>,
        /// What of that does not belong there.
        unexpected: Vec<Vec<u8>>,
        /// What the world never sees. If neither is anything, only the order is another one.
        lost: Vec<Vec<u8>>,
    },
    /// An output that the world never sees.
    Lost {
        /// Which one.
        output: u32,
        /// Its arguments.
        args: Vec<u64>,
    },
    /// The program died.
    Crash {
        /// What of.
        fault: Fault,
        /// At which operation of the user's code.
        pc: u32,
    },
    /// What has to hold does not.
    Broken {
        /// Which invariant.
        invariant: u32,
    },
    /// The window was not finished.
    NoProgress {
        /// Instructions after which it was given up.
        budget: u64,
    },
}

impl Difference {
    /// Two executions end with different exit statuses.
    pub fn exit_status(continuous: i32, intermittent: i32) -> Self {
        let text = |status: i32| format!("exit status {status}").into_bytes();
        Self::Output {
            continuous: text(continuous),
            intermittent: text(intermittent),
            unexpected: vec![text(intermittent)],
            lost: Vec::new(),
        }
    }

    /// Whether the execution goes no further.
    fn is_end(&self) -> bool {
        matches!(self, Self::Crash { .. } | Self::NoProgress { .. })
    }

    /// Whether another failure does this as well: of outputs, whether all is wrong there that is wrong here.
    fn is_in(&self, other: &Self) -> bool {
        let Self::Output {
            unexpected, lost, ..
        } = self
        else {
            return self == other;
        };
        let Self::Output {
            unexpected: too,
            lost: lost_too,
            ..
        } = other
        else {
            return false;
        };
        match unexpected.is_empty() && lost.is_empty() {
            true => too.is_empty() && lost_too.is_empty(),
            false => {
                unexpected.iter().all(|one| too.contains(one))
                    && lost.iter().all(|one| lost_too.contains(one))
            }
        }
    }

    /// What makes two differences the same effect, whatever the values are.
    pub fn kind(&self) -> DifferenceKind {
        match self {
            // Bytes without a name are one effect.
            Self::Value { part, .. } if matches!(part.object, Object::Segment(_)) => {
                DifferenceKind::Value(part.object, 0)
            }
            Self::Value { part, .. } => DifferenceKind::Value(part.object, part.start),
            Self::Path { .. } => DifferenceKind::Path,
            Self::Output { .. } => DifferenceKind::Output,
            Self::Lost { output, .. } => DifferenceKind::Lost(*output),
            Self::Crash { fault, pc } => DifferenceKind::Crash(*pc, fingerprint(fault)),
            Self::Broken { invariant } => DifferenceKind::Broken(*invariant),
            Self::NoProgress { .. } => DifferenceKind::NoProgress,
        }
    }
}

/// What tells faults apart.
fn fingerprint(fault: &Fault) -> u64 {
    let mut hasher = FxHasher::default();
    format!("{fault:?}").hash(&mut hasher);
    hasher.finish()
}

/// What a difference is about.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum DifferenceKind {
    /// An invariant, by its number.
    Broken(u32),
    /// An object, from this byte on.
    Value(Object, u64),
    /// Where the program is.
    Path,
    /// The text that was written.
    Output,
    /// An output, by its number.
    Lost(u32),
    /// Where, and what of.
    Crash(u32, u64),
    /// That the window was not finished.
    NoProgress,
}

/// What an attempt after a power failure comes to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// Nothing of the failure shows.
    Converged,
    /// These things are not as without it.
    Differs(Vec<Difference>),
    /// It was not settled.
    Undecided(Undecided),
}

/// Why a failure was not settled.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Undecided {
    /// The attempt did not come to the next checkpoint within so many instructions.
    Budget {
        /// The instructions.
        budget: u64,
    },
    /// Registers differ, and nothing that was executed shows whether that matters.
    Registers,
    /// Memory differs that the execution had not accessed again when it was followed no further.
    Unread,
    /// The attempt takes another path, and no place was found that both come to equally often.
    NoMeeting,
    /// What a failure right before the write does is not settled.
    Before,
}

impl Outcome {
    /// What differs.
    pub fn differences(&self) -> &[Difference] {
        match self {
            Self::Differs(differences) => differences,
            Self::Converged | Self::Undecided(_) => &[],
        }
    }

    /// Whether nothing differs but values in memory, which may be overwritten, or the way to a place, which
    /// may be left.
    pub(crate) fn may_heal(&self) -> bool {
        let Self::Differs(differences) = self else {
            return false;
        };
        let mut differences = differences.iter();
        differences.all(|one| matches!(one, Difference::Value { .. } | Difference::Path { .. }))
    }

    /// Drops what no longer differs later on; whether something is left.
    pub(crate) fn drop_healed(&mut self, later: &Self) -> bool {
        let Self::Differs(differences) = self else {
            return false;
        };
        let later: Vec<DifferenceKind> = later.kinds().collect();
        differences.retain(|one| later.contains(&one.kind()));
        !differences.is_empty()
    }

    /// What still differs later on. If that is nothing but what others do as well, this has healed; if it is
    /// something else, that may come from this.
    pub(crate) fn what_lasts(self, later: &Self, others: &[&Self]) -> Self {
        let mut lasting = self.clone();
        if lasting.drop_healed(later) {
            return lasting;
        }
        let is_known = |kind| {
            others
                .iter()
                .any(|other| other.kinds().any(|one| one == kind))
        };
        match later.kinds().all(is_known) {
            true => Self::Converged,
            false => self,
        }
    }

    /// Adds what differs later on in other things; what these are.
    pub(crate) fn add_others(&mut self, later: &Self) -> Vec<DifferenceKind> {
        let known: Vec<DifferenceKind> = self.kinds().collect();
        let others = later.differences().iter();
        let others = others.filter(|one| !known.contains(&one.kind()));
        let others: Vec<Difference> = others.cloned().collect();
        let kinds = others.iter().map(Difference::kind).collect();
        if let Self::Differs(differences) = self {
            differences.extend(others);
        }
        kinds
    }

    /// Where both differ in one of these things, this differs as the other one does, too.
    pub(crate) fn also_differs_as(&mut self, other: &Self, things: &[DifferenceKind]) {
        let known: Vec<DifferenceKind> = self.kinds().collect();
        let is_of_both = |kind| things.contains(&kind) && known.contains(&kind);
        let same = other.differences().iter();
        let same = same.filter(|one| is_of_both(one.kind())).cloned();
        if let Self::Differs(differences) = self {
            differences.extend(same);
        }
    }

    /// What is left without objects that were wrong before a write, and that it does not write.
    pub(crate) fn without_what_was_wrong(mut self, before: &Self, written: u32) -> Self {
        let (Self::Differs(own), Self::Differs(before)) = (&mut self, before) else {
            return self;
        };
        own.retain(|one| match one {
            Difference::Value {
                offset, continuous, ..
            } => {
                let is_written = (*offset..*offset + continuous.len() as u32).contains(&written);
                let is_same = |other: &Difference| matches!(other, Difference::Value { offset: at, .. } if at == offset);
                is_written || !before.iter().any(is_same)
            }
            _ => true,
        });
        match own.is_empty() {
            true => Self::Converged,
            false => self,
        }
    }

    fn kinds(&self) -> impl Iterator<Item = DifferenceKind> + '_ {
        self.differences().iter().map(Difference::kind)
    }

    /// What both say: nothing if one of them says nothing, and open if one is.
    pub fn in_common(self, other: Self) -> Self {
        match (self, other) {
            (Self::Converged, _) | (_, Self::Converged) => Self::Converged,
            (Self::Undecided(why), _) | (_, Self::Undecided(why)) => Self::Undecided(why),
            (Self::Differs(mut these), Self::Differs(others)) => {
                these.retain(|one| others.contains(one));
                match these.is_empty() {
                    true => Self::Converged,
                    false => Self::Differs(these),
                }
            }
        }
    }

    /// What is left of it without what another failure does as well.
    pub fn without(self, other: &Self) -> Self {
        match (self, other) {
            (Self::Differs(_), Self::Undecided(_)) => Self::Undecided(Undecided::Before),
            (Self::Differs(own), Self::Differs(others)) => {
                // An attempt that does not get far shows nothing of what it would have come to.
                let is_cut_short = others.iter().any(Difference::is_end);
                let own = own
                    .into_iter()
                    .filter(|one| one.is_end() || !is_cut_short)
                    .filter(|one| !others.iter().any(|other| one.is_in(other)));
                let own: Vec<Difference> = own.collect();
                match own.is_empty() {
                    true => Self::Converged,
                    false => Self::Differs(own),
                }
            }
            (own, _) => own,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Difference, Outcome};

    fn shown(text: &str, unexpected: &[&str], lost: &[&str]) -> Outcome {
        let bytes = |texts: &[&str]| texts.iter().map(|text| text.as_bytes().to_vec()).collect();
        Outcome::Differs(vec![Difference::Output {
            continuous: b"abc".to_vec(),
            intermittent: text.as_bytes().to_vec(),
            unexpected: bytes(unexpected),
            lost: bytes(lost),
        }])
    }

    #[test]
    fn a_write_is_to_blame_for_what_it_adds_to_what_is_wrong() {
        let before = shown("bcd", &["d"], &["a"]);
        // What was wrong before is wrong in another way, or less is.
        assert_eq!(
            shown("abcd", &["d"], &[]).without(&before),
            Outcome::Converged
        );
        assert_eq!(
            shown("bdc", &["d"], &["a"]).without(&before),
            Outcome::Converged
        );
        // Something else is lost, something else comes, or only the order is wrong.
        for own in [
            shown("cd", &["d"], &["a", "b"]),
            shown("bcde", &["d", "e"], &["a"]),
            shown("acb", &[], &[]),
        ] {
            assert_eq!(own.clone().without(&before), own);
        }
    }
}
