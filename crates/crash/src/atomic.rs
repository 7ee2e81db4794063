//! The judge that needs no assertion: an operation of the program is done or not done (Witcher's
//! idea).
//!
//! An *operation* here is what the program does for its user: a call from its entry function, or a
//! call of a function that the user names. When power fails inside one, the next boot must say what
//! it says after a failure right before the operation, or what it says after a failure right after
//! it. What a boot says is all it prints and all its outputs, from its start to its end.
//!
//! **False positives**: programs that tell more than what is stored, such as that they recover; and
//! operations that are not meant to be done or not done.
//! **False negatives**: what a boot does not say.

use std::collections::BTreeSet;
use std::ops::Range;

use brownout_ir::Func;
use brownout_vm::Image;

use crate::boot::{End, Recording};
use crate::calls::Path;
use crate::places;
use crate::report::Assertion;

/// The calls that are operations.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Operations {
    /// Those from the entry function.
    Calls,
    /// Those of these functions.
    Of(BTreeSet<Func>),
}

impl Operations {
    /// Which of the calls in progress, outermost first, is the operation.
    pub(crate) fn depth(&self, calls: &[(Func, u32)]) -> Option<usize> {
        match self {
            Self::Calls => (calls.len() > 1).then_some(1),
            Self::Of(functions) => {
                let mut calls = calls.iter();
                calls.position(|(function, _)| functions.contains(function))
            }
        }
    }
}

/// For each operation on non-volatile memory, those that belong to the same operation of the
/// program.
pub(crate) fn spans(recording: &Recording) -> Vec<Range<u32>> {
    let mut spans: Vec<Range<u32>> = Vec::with_capacity(recording.flights.len());
    let mut start = 0;
    for (number, &flight) in recording.flights.iter().enumerate() {
        let next = recording.flights.get(number + 1);
        // Outside of calls each is an operation of its own.
        if flight == 0 || next != Some(&flight) {
            let end = number as u32 + 1;
            spans.resize(end as usize, start..end);
            start = end;
        }
    }
    spans
}

/// What a boot says that came to an end.
pub(crate) fn said(recording: &Recording) -> Option<&[u8]> {
    match recording.end {
        End::Exited { .. } | End::Arrived | End::Settled(_) => recording.text.as_deref(),
        End::Died(_) | End::Undecided => None,
    }
}

/// Whether two boots say the same. A program that settles in a loop may go on talking.
pub(crate) fn agree(one: &[u8], other: &[u8], goal: &End) -> bool {
    match goal {
        End::Settled(_) => one.starts_with(other) || other.starts_with(one),
        End::Exited { .. } | End::Arrived | End::Died(_) | End::Undecided => one == other,
    }
}

/// What is broken if a boot says neither.
pub(crate) fn assertion(
    image: &Image,
    operations: &Operations,
    path: &Path,
    (says, without, with): (&[u8], &[u8], &[u8]),
) -> Assertion {
    let program = image.program();
    let depth = operations.depth(&path.calls);
    let called = depth.and_then(|depth| path.calls.get(depth));
    let caller = depth.and_then(|depth| path.calls.get(depth.checked_sub(1)?));
    let name = called.map(|(function, _)| &program.functions[*function].name);
    let place = called.zip(caller);
    let place = place.and_then(|((_, pc), (caller, _))| places::frames(image, &[(*caller, *pc)]));
    let subject = name.map_or_else(|| "a change".to_owned(), |name| format!("`{name}`"));
    let line = first_difference(says, [without, with]);
    let told = [says, without, with].map(|text| at_line(text, line));
    Assertion {
        name: NAME,
        text: format!(
            "{subject} half done: the next boot says {} where it says {} without it and {} with it",
            told[0], told[1], told[2]
        ),
        place,
    }
}

/// The name of what is broken.
pub(crate) const NAME: &str = "not-atomic";

/// The first line that differs from both others.
fn first_difference(says: &[u8], others: [&[u8]; 2]) -> usize {
    let lines = |text: &[u8]| -> Vec<Vec<u8>> {
        let lines = text.split(|&byte| byte == b'\n');
        lines.map(<[u8]>::to_vec).collect()
    };
    let (says, others) = (lines(says), others.map(lines));
    let longest = says.len().max(others[0].len()).max(others[1].len());
    let differs = |line: &usize| {
        others
            .iter()
            .any(|other| other.get(*line) != says.get(*line))
    };
    (0..longest).find(differs).unwrap_or(0)
}

fn at_line(text: &[u8], line: usize) -> String {
    let mut lines = text.split(|&byte| byte == b'\n');
    match lines.nth(line) {
        Some(line) if !line.is_empty() => format!("`{}`", String::from_utf8_lossy(line)),
        Some(_) | None => "nothing".to_owned(),
    }
}
