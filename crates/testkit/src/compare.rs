//! What a program did, and whether two runs did the same.

use std::fmt::Write;

use crate::error::Error;

/// What a program did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// What it printed.
    pub output: String,
    /// What it returned.
    pub status: i64,
}

/// Whether `found` is what was `expected`.
///
/// # Errors
/// If not: the error tells the first difference.
pub fn compare(expected: &Outcome, found: &Outcome) -> Result<(), Error> {
    if expected == found {
        return Ok(());
    }
    let mut difference = String::new();
    if expected.output == found.output {
        let _ = write!(
            difference,
            "exit status {} instead of {}",
            found.status, expected.status
        );
    } else {
        let (mut wanted, mut given) = (expected.output.split('\n'), found.output.split('\n'));
        let mut line = 1;
        loop {
            match (wanted.next(), given.next()) {
                (left, right) if left == right => line += 1,
                (left, right) => {
                    let show = |text: Option<&str>| {
                        text.map_or("(the end)".to_owned(), |text| format!("{text:?}"))
                    };
                    let _ = write!(
                        difference,
                        "output differs in line {line}\n  expected {}\n  found    {}",
                        show(left),
                        show(right)
                    );
                    break;
                }
            }
        }
    }
    Err(Error::Differs { difference })
}

#[cfg(test)]
mod tests {
    use super::{Outcome, compare};

    fn difference(expected: (&str, i64), found: (&str, i64)) -> String {
        let outcome = |(output, status): (&str, i64)| Outcome {
            output: output.to_owned(),
            status,
        };
        compare(&outcome(expected), &outcome(found))
            .map_or_else(|error| error.to_string(), |()| String::new())
    }

    #[test]
    fn equal_runs_do_not_differ() {
        assert_eq!(difference(("a\n", 0), ("a\n", 0)), "");
    }

    #[test]
    fn the_first_differing_line_is_told() {
        assert_eq!(
            difference(("a\nb\n", 0), ("a\nc\n", 0)),
            "output differs in line 2\n  expected \"b\"\n  found    \"c\""
        );
        assert_eq!(
            difference(("a\n", 0), ("a", 0)),
            "output differs in line 2\n  expected \"\"\n  found    (the end)"
        );
    }

    #[test]
    fn the_status_counts() {
        assert_eq!(difference(("a", 0), ("a", 1)), "exit status 1 instead of 0");
    }
}
