//! Programs that never end, for users.

use brownout_explore::Rounds;
use brownout_trace::{Awaited, Checked, Endless};
use brownout_vm::{Image, Stop};

use crate::coverage::Coverage;

/// Why an execution was not checked to its end, if it was not; the limit is the one on its instructions.
pub(crate) fn unfinished(checked: &Checked, image: &Image, limit: u64) -> Option<String> {
    if let Some(endless) = &checked.endless {
        return waits(endless).map(|waits| format!("{waits}; the rest was not checked"));
    }
    match &checked.stop {
        Some(Stop::Exited { .. }) | None => None,
        Some(Stop::Paused) if let Some(rounds) = checked.rounds => stays(image, rounds),
        Some(Stop::Paused) => Some(format!(
            "the limit of {limit} instructions was reached (`--max-instructions`); the rest was not checked"
        )),
        Some(Stop::Faulted(fault)) => Some(format!(
            "the program dies even without a power failure: {fault}; it is checked up to there"
        )),
    }
}

/// A program that asks for a variable which nothing changes any more waits for nothing if all of it was executed before: a
/// log that is full has been otherwise.
pub(crate) fn settle(checked: &mut Checked, coverage: &Coverage, image: &Image) {
    if let Some(endless) = &mut checked.endless
        && matches!(
            endless.waits,
            Some(Awaited::Variable(_) | Awaited::Nameless)
        )
        && coverage.is_everything(image)
    {
        endless.waits = None;
    }
}

/// That a loop without end does nothing new any more.
pub(crate) fn repeats(image: &Image, rounds: Rounds) -> Option<String> {
    let news = match rounds.last_news {
        0 | 1 => "the first".to_owned(),
        number => format!("the {}", ordinal(number)),
    };
    (!rounds.can_end).then(|| {
        format!(
            "main loop{} executed {} times; nothing new after {news}",
            head(image, rounds),
            rounds.executed
        )
    })
}

/// That a loop which could end does not, and does nothing new any more.
fn stays(image: &Image, rounds: Rounds) -> Option<String> {
    rounds.can_end.then(|| {
        format!(
            "the loop{} was executed {} times, the last {} without anything new, and did not end; what comes after it was not checked",
            head(image, rounds),
            rounds.executed,
            rounds.executed - rounds.last_news
        )
    })
}

fn head(image: &Image, rounds: Rounds) -> String {
    let place = brownout_trace::place(image, rounds.head);
    place.map_or_else(String::new, |place| {
        format!(" ({}:{})", place.file, place.line)
    })
}

/// `14th`.
pub(crate) fn ordinal(number: u64) -> String {
    let suffix = match (number % 100, number % 10) {
        (11..=13, _) => "th",
        (_, 1) => "st",
        (_, 2) => "nd",
        (_, 3) => "rd",
        _ => "th",
    };
    format!("{number}{suffix}")
}

/// That the program has come to its end, if it has.
pub fn rests(endless: &Endless) -> Option<String> {
    let place = place(endless);
    let nothing_left = endless.waits.is_none();
    nothing_left.then(|| match endless.works {
        true => format!("the program goes round{place}, and comes back to where it has been"),
        false => format!("the program ends in a loop{place} that does nothing"),
    })
}

/// What the program waits for in its loop, if it does.
pub fn waits(endless: &Endless) -> Option<String> {
    let (what, remedy) = match endless.waits.as_ref()? {
        Awaited::Register(name) => (
            format!("`{name}`"),
            format!(" (describe it: `[[input]]` with `register = \"{name}\"`)"),
        ),
        Awaited::Variable(name) => (
            format!("`{name}`"),
            " (no interrupt handler that runs does)".to_owned(),
        ),
        Awaited::Interrupt => {
            let place = place(endless);
            return Some(format!(
                "the program sleeps{place} while no interrupt is enabled that would wake it"
            ));
        }
        Awaited::Nameless => ("a heap block".to_owned(), String::new()),
    };
    let place = place(endless);
    Some(format!(
        "the program waits{place} for {what}, which nothing changes{remedy}"
    ))
}

fn place(endless: &Endless) -> String {
    let place = endless.place.as_ref();
    place.map_or_else(String::new, |place| {
        format!(" at {}:{}", place.file, place.line)
    })
}
