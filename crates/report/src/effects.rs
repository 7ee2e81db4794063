//! Effects in words.

use brownout_diag::{Effect, Outlet, When};

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
            format!(
                "leaves `{}` = {intermittent}{when}; a continuous run has {continuous}",
                object.name
            )
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
                } if *output == Outlet::Text => {
                    let (intermittent, continuous) = excerpts(intermittent, continuous);
                    format!("outputs {intermittent}; a continuous run outputs {continuous}")
                }
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
            format!("makes no progress (given up after {budget} instructions)")
        }
    }
}

/// How much of a text is shown, from the first line on that differs.
const SHOWN: usize = 100;

/// Two texts in quotes; of long ones what is around the first difference.
fn excerpts(one: &str, other: &str) -> (String, String) {
    if one.len().max(other.len()) <= SHOWN {
        let quoted = |text: &str| match text {
            "" => "nothing".to_owned(),
            text => format!("{text:?}"),
        };
        return (quoted(one), quoted(other));
    }
    let lines = one.split_inclusive('\n').zip(other.split_inclusive('\n'));
    let same = lines.take_while(|(one, other)| one == other);
    let begun: usize = same.map(|(line, _)| line.len()).sum();
    let excerpt = |text: &str| {
        let rest = &text[begun..];
        let shown: String = rest.chars().take(SHOWN).collect();
        let dots = |cut: bool| if cut { "…" } else { "" };
        match (rest.is_empty(), begun) {
            (true, 0) => "nothing".to_owned(),
            (true, _) => "nothing more".to_owned(),
            (false, _) => format!(
                "{}{shown:?}{}",
                dots(begun > 0),
                dots(shown.len() < rest.len())
            ),
        }
    };
    (excerpt(one), excerpt(other))
}

#[cfg(test)]
mod tests {
    use super::excerpts;

    #[test]
    fn long_texts_are_shown_where_they_differ() {
        let short = excerpts("one\n", "two\n");
        assert_eq!(short, ("\"one\\n\"".to_owned(), "\"two\\n\"".to_owned()));
        let many = "beat\n".repeat(40);
        let fewer = "beat\n".repeat(39);
        let (one, other) = excerpts(&many, &fewer);
        assert_eq!(
            (one.as_str(), other.as_str()),
            ("…\"beat\\n\"", "nothing more")
        );
        let (one, other) = excerpts(&format!("{many}late\n"), &format!("{many}{many}"));
        assert_eq!(one, "…\"late\\n\"");
        assert!(other.ends_with('…') && other.len() < 160, "{other}");
        assert_eq!(excerpts(&many, "").1, "nothing");
    }
}
