//! Verdicts: what a power failure does, and which write is to blame.

use crate::device::Output;

/// A power failure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// Number of the region, from 0; under `reactive` the number of the checkpoint's position.
    pub region: u32,
    /// Which failure of its region it is, from 1.
    pub number: u32,
    /// Instructions executed when power fails, in the attempt that it ends.
    pub time: u64,
    /// The source line of the instruction right before it; 0 if there is none.
    pub line: u32,
    /// What the instruction right before it did.
    pub last: Last,
}

/// What an instruction did that matters to a failure right after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Last {
    /// It wrote non-volatile memory.
    Write(Write),
    /// It made an output.
    Output,
    /// It read an input.
    Input,
    /// Nothing, or there is none.
    Nothing,
}

impl Failure {
    /// The write right before the failure, or around it.
    pub fn write(&self) -> Option<&Write> {
        match &self.last {
            Last::Write(write) => Some(write),
            Last::Output | Last::Input | Last::Nothing => None,
        }
    }
}

/// A write of non-volatile memory right before, or around, a power failure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Write {
    /// The object that is written.
    pub object: String,
    /// Where it begins, by offset in memory.
    pub offset: u32,
    /// How many bytes it has.
    pub size: u32,
    /// Which of the units that are written at once were written; none if all were.
    pub torn: Option<Vec<bool>>,
}

/// Something that a failure leaves wrong.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Effect {
    /// An object differs.
    Value {
        /// Its name; `locals` for stack and registers.
        object: String,
        /// Where in memory the part of it is that differs.
        at: u32,
        /// What the continuous execution has in it.
        continuous: Vec<u8>,
        /// What it holds after the failure.
        intermittent: Vec<u8>,
    },
    /// The program ends with another exit status.
    Status {
        /// That of the continuous execution.
        continuous: i32,
        /// That after the failure.
        intermittent: i32,
    },
    /// Execution arrives elsewhere.
    Path,
    /// The program dies.
    Crash,
    /// The program gets nowhere any more.
    NoProgress,
    /// The world never sees an output.
    Lost(Output),
    /// The world sees an output that does not belong there.
    Unexpected(Output),
    /// Outputs come in another order.
    Reordered,
    /// An output that must not be repeated is.
    Repeated(Output),
}

impl Effect {
    /// What it is about: the object, the output, or what happens to the execution.
    pub fn subject(&self) -> String {
        match self {
            Self::Value { object, .. } => object.clone(),
            Self::Status { .. } => "exit status".to_owned(),
            Self::Path => "path".to_owned(),
            Self::Crash => "crash".to_owned(),
            Self::NoProgress => "no-progress".to_owned(),
            Self::Lost(output) | Self::Unexpected(output) | Self::Repeated(output) => {
                output.name.clone()
            }
            Self::Reordered => "outputs".to_owned(),
        }
    }

    /// Whether it is about locals.
    pub(crate) fn is_in_locals(&self) -> bool {
        self.subject() == "locals"
    }

    /// Whether it is about what is in registers, which have no bytes in memory.
    pub(crate) fn is_in_registers(&self) -> bool {
        self.is_in_locals()
            && matches!(self, Self::Value { continuous, .. } if continuous.is_empty())
    }
}

/// Why something is not decided.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Why {
    /// An execution did not arrive where it is compared within the instructions that it got.
    Instructions,
    /// This object differs, and nothing reads or overwrites it within the instructions given.
    Untouched(String),
    /// The heap differs, and heaps are not compared here.
    Heap,
    /// The program dies without a power failure.
    Dies,
}

/// What a failure does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It looks as if it had struck at a quiet moment.
    Harmless,
    /// It does not.
    Harm(Vec<Effect>),
    /// It could not be found out.
    Undecided(Why),
}

/// A failure with its verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judged {
    /// The failure.
    pub failure: Failure,
    /// What it does.
    pub verdict: Verdict,
    /// What differs from each execution that it is held against, if it does harm: under `restart`
    /// there are several.
    pub against: Vec<Vec<Effect>>,
    /// The failure right before the write that this one follows, or is in: its number in the list.
    pub before: Option<usize>,
}

/// What is to blame on a write.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Blame {
    /// The line of the write.
    pub line: u32,
    /// The object that is written.
    pub object: String,
    /// Whether power failed in the middle of it.
    pub torn: bool,
    /// What is wrong because of it.
    pub effect: String,
}

/// The effects of each write of its own (semantics §2, Cause): those of a failure right after it
/// that a failure right before it has not. Sorted, each once.
pub fn causes(judged: &[Judged]) -> Vec<Blame> {
    let mut blames: Vec<Blame> = judged
        .iter()
        .flat_map(|after| {
            let write = after.failure.write();
            let effects = own_effects(judged, after);
            effects.into_iter().filter_map(move |effect| {
                Some(Blame {
                    line: after.failure.line,
                    object: write?.object.clone(),
                    torn: write?.torn.is_some(),
                    effect: effect.subject(),
                })
            })
        })
        .collect();
    blames.sort();
    blames.dedup();
    blames
}

/// The effects of a failure right after a write or an output that a failure right before that has
/// not. If it is not known what that one does, there are none.
pub fn own_effects<'j>(judged: &'j [Judged], after: &'j Judged) -> Vec<&'j Effect> {
    let (Verdict::Harm(effects), Last::Write(_) | Last::Output) =
        (&after.verdict, &after.failure.last)
    else {
        return Vec::new();
    };
    let write = after.failure.write();
    let before = after.before.and_then(|before| judged.get(before));
    let own = |after: &'j [Effect], before: &[Effect]| -> Vec<&'j Effect> {
        after
            .iter()
            .filter(|effect| !before.contains(effect))
            .collect()
    };
    let before = match before.map(|before| (&before.verdict, &before.against)) {
        None | Some((Verdict::Harmless, _)) => return own(effects, &[]),
        Some((Verdict::Harm(_), before)) => before,
        Some((Verdict::Undecided(_), _)) => return Vec::new(),
    };
    // Of a round that is half done already, a write adds to what differs from the round not done.
    // It is to blame if it adds to what differs from every execution. What is wrong already, and only
    // gets another wrong value from what is written elsewhere, is not added.
    let is_restart = after.against.len() > 1;
    let own = |after: &'j [Effect], before: &[Effect]| -> Vec<&'j Effect> {
        let mut own = own(after, before);
        own.retain(|effect| !is_restart || !is_wrong_already(effect, before, write));
        own
    };
    let pairs = || after.against.iter().rev().zip(before.iter().rev());
    if pairs().any(|(after, before)| own(after, before).is_empty()) {
        return Vec::new();
    }
    let mut found = pairs().filter(|(after, _)| *after == effects);
    found
        .next()
        .map_or_else(Vec::new, |(after, before)| own(after, before))
}

/// Whether an effect is about what was wrong before a write, in an object that it does not write.
fn is_wrong_already(effect: &Effect, before: &[Effect], write: Option<&Write>) -> bool {
    let Effect::Value { object, at, .. } = effect else {
        return false;
    };
    let is_written = write.is_some_and(|write| write.object == *object);
    let is_same = |other: &Effect| matches!(other, Effect::Value { at: place, .. } if place == at);
    !is_written && before.iter().any(is_same)
}
