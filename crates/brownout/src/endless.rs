//! Programs that never end, for users.

use brownout_trace::{Awaited, Endless};

/// That the program has come to its end, if it has.
pub(crate) fn rests(endless: &Endless) -> Option<String> {
    let nothing_left = endless.waits.is_none();
    nothing_left.then(|| {
        format!(
            "the program ends in a loop{} that does nothing",
            place(endless)
        )
    })
}

/// What it waits for, if it does.
pub(crate) fn waits(endless: &Endless) -> Option<String> {
    let (what, remedy) = match endless.waits.as_ref()? {
        Awaited::Register(name) => (
            format!("`{name}`"),
            format!(" (describe it: `[[input]]` with `register = \"{name}\"`)"),
        ),
        Awaited::Variable(name) => (
            format!("`{name}`"),
            " (interrupts are not emulated)".to_owned(),
        ),
        Awaited::Nameless => ("a heap block".to_owned(), String::new()),
    };
    let place = place(endless);
    Some(format!(
        "the program waits{place} for {what}, which nothing changes{remedy}; the rest was not checked"
    ))
}

fn place(endless: &Endless) -> String {
    let place = endless.place.as_ref();
    place.map_or_else(String::new, |place| {
        format!(" at {}:{}", place.file, place.line)
    })
}
