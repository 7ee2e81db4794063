//! Effects in words.

use brownout_diag::{Effect, When};

/// One effect, as the end of a sentence that begins with the failure.
pub fn describe(effect: &Effect) -> String {
    match effect {
        Effect::Value {
            object,
            continuous,
            intermittent,
            when,
        } => {
            let when = match when {
                When::NextCheckpoint => " at the next checkpoint",
                When::ProgramEnd => " at the end of the program",
                When::Elsewhere => "",
            };
            format!("leaves `{object}` = {intermittent}{when}; a continuous run has {continuous}")
        }
        Effect::Path {
            continuous,
            intermittent,
            ..
        } => {
            let at = |place: &Option<brownout_diag::SourcePlace>| {
                place
                    .as_ref()
                    .map_or_else(|| "elsewhere".to_owned(), |place| format!("at {place}"))
            };
            format!(
                "takes another path: it is {}; a continuous run is {}",
                at(intermittent),
                at(continuous)
            )
        }
        Effect::Output { output, change } => {
            use brownout_diag::OutputChange::{Added, Changed, Lost};
            match change {
                Added { intermittent } => format!("adds the output `{output}({intermittent})`"),
                Lost { continuous } => format!("loses the output `{output}({continuous})`"),
                Changed {
                    continuous,
                    intermittent,
                } if output == "text" => format!(
                    "outputs the text {intermittent:?}; a continuous run outputs {continuous:?}"
                ),
                Changed {
                    continuous,
                    intermittent,
                } => format!(
                    "makes the output `{output}({intermittent})`; a continuous run makes `{output}({continuous})`"
                ),
            }
        }
        Effect::Crash { crash, place } => match place {
            Some(place) => format!("crashes ({crash}) at {place}"),
            None => format!("crashes ({crash})"),
        },
        Effect::Invariant { expression } => format!("breaks what has to hold: {expression}"),
        Effect::NoProgress { budget } => {
            format!("never reaches the next checkpoint (given up after {budget} instructions)")
        }
    }
}
