//! Fixes as changes of source text, where the text shows how.
//!
//! **Invariant:** an edit is given only if the text at its place is what it takes it for: a call of
//! brownout's own checkpoint to save something in, or the start of a statement to put a call before.

use std::ops::Range;

use brownout_diag::{Event, Finding, Fix, SourcePlace};

use crate::source::{self, Sources};

/// A piece of a file and what to put there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edit {
    /// What it does, in words.
    pub description: String,
    /// The file.
    pub file: String,
    /// The bytes that go.
    pub range: Range<usize>,
    /// The text that comes.
    pub text: String,
}

/// The edits that mend a finding, one for each fix that can be written down.
pub fn edits(finding: &Finding, sources: &Sources) -> Vec<Edit> {
    let edit = |fix: &Fix| match fix {
        Fix::Save {
            object,
            checkpoint: Some(place),
        } => save(object, place, sources),
        Fix::Save {
            checkpoint: None, ..
        } => None,
        Fix::Checkpoint { before } => checkpoint(finding, before, sources),
    };
    finding.fixes.iter().filter_map(edit).collect()
}

/// `brownout_checkpoint()` becomes `brownout_checkpoint_with(&object, sizeof object)`.
fn save(object: &str, place: &SourcePlace, sources: &Sources) -> Option<Edit> {
    if !mentions(sources.get(&place.file)?, object) {
        return None;
    }
    let (range, call) = source::underlined(sources, place)?;
    let pair = format!("&{object}, sizeof {object}");
    let text = match call.strip_prefix("brownout_checkpoint_with(") {
        Some(_) => format!("{}, {pair})", call.strip_suffix(')')?),
        None if call == "brownout_checkpoint()" && is_declared(sources) => {
            format!("brownout_checkpoint_with({pair})")
        }
        None => return None,
    };
    Some(Edit {
        description: format!("save `{object}` in this checkpoint"),
        file: place.file.clone(),
        range,
        text,
    })
}

/// Whether a program includes the header that has `brownout_checkpoint_with`: old C calls what it does
/// not declare.
fn is_declared(sources: &Sources) -> bool {
    sources.values().any(|text| text.contains("brownout.h"))
}

/// Whether a text has a word, which a name of C is; paths such as `main::x` never are.
fn mentions(text: &str, word: &str) -> bool {
    text.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_')
        .any(|candidate| candidate == word)
}

/// The same call as the last checkpoint, on a line of its own before the statement.
fn checkpoint(finding: &Finding, before: &SourcePlace, sources: &Sources) -> Option<Edit> {
    let last = finding
        .related
        .iter()
        .find(|related| related.event == Event::LastCheckpoint)?;
    let (_, call) = source::underlined(sources, &last.place)?;
    if !call.ends_with(')') {
        return None;
    }
    let text = sources.get(&before.file)?;
    let (range, _) = source::underlined(sources, before)?;
    let start = source::row_start(text, range.start);
    if !starts_statement(&text[..start]) {
        return None;
    }
    let row = &text[start..];
    let indent = &row[..row.len() - row.trim_start().len()];
    Some(Edit {
        description: "put a checkpoint before this statement".to_owned(),
        file: before.file.clone(),
        range: start..start,
        text: format!("{indent}{call};\n"),
    })
}

/// Whether code that ends like this is followed by a new statement.
fn starts_statement(before: &str) -> bool {
    let mut lines = before.lines().rev();
    let code = lines.find_map(|line| {
        let code = line.split("//").next().unwrap_or_default().trim_end();
        (!code.is_empty()).then_some(code)
    });
    code.is_some_and(|code| code.ends_with([';', '{', '}']))
}

#[cfg(test)]
mod tests {
    use brownout_diag::{Event, Evidence, Finding, Fix, Related, Rule, SourcePlace};

    use super::{Sources, edits};

    fn place(line: u32, column: u32) -> SourcePlace {
        SourcePlace {
            file: "a.c".into(),
            line,
            column,
            ..SourcePlace::default()
        }
    }

    /// The text after each of the edits alone.
    fn edited(text: &str, fix: Fix) -> Vec<String> {
        let sources = Sources::from([("a.c".to_owned(), text.to_owned())]);
        let mut finding = Finding::new(Rule::WriteAfterRead, Evidence::Confirmed, "`n`");
        finding.related.push(Related {
            event: Event::LastCheckpoint,
            place: place(2, 1),
        });
        finding.fixes.push(fix);
        let apply = |edit: super::Edit| {
            let mut text = text.to_owned();
            text.replace_range(edit.range, &edit.text);
            text
        };
        edits(&finding, &sources).into_iter().map(apply).collect()
    }

    fn save(object: &str) -> Fix {
        Fix::Save {
            object: object.into(),
            checkpoint: Some(place(2, 1)),
        }
    }

    #[test]
    fn saving_extends_the_call() {
        assert_eq!(
            edited("int n; // brownout.h\nbrownout_checkpoint();\n", save("n")),
            ["int n; // brownout.h\nbrownout_checkpoint_with(&n, sizeof n);\n"]
        );
        assert_eq!(
            edited(
                "int n, m;\nbrownout_checkpoint_with(&m, sizeof m);\n",
                save("n")
            ),
            ["int n, m;\nbrownout_checkpoint_with(&m, sizeof m, &n, sizeof n);\n"]
        );
    }

    #[test]
    fn nothing_is_guessed() {
        assert!(edited("int n;\ncheckpoint();\n", save("n")).is_empty());
        assert!(edited("int n;\nbrownout_checkpoint();\n", save("n")).is_empty());
        assert!(
            edited(
                "int count; // brownout.h\nbrownout_checkpoint();\n",
                save("n")
            )
            .is_empty()
        );
        assert!(
            edited(
                "int n; // brownout.h\nbrownout_checkpoint();\n",
                save("main::n")
            )
            .is_empty()
        );
    }

    #[test]
    fn a_checkpoint_goes_before_a_statement_only() {
        let before = Fix::Checkpoint {
            before: place(4, 5),
        };
        assert_eq!(
            edited(
                "{\ncommit(3);\n  i = n; // read\n    n = 1;\n",
                before.clone()
            ),
            ["{\ncommit(3);\n  i = n; // read\n    commit(3);\n    n = 1;\n"]
        );
        assert!(edited("{\ncommit(3);\n  if (n)\n    n = 1;\n", before).is_empty());
    }
}
