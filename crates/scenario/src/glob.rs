//! Patterns over names: `*` stands for any run of characters, `?` for exactly one, `[a-c_]` for one of some
//! and `[!a-c]` for one that is none of them. A bracket that is never closed means itself.
//!
//! Path-aware glob crates give `/` and `{` a meaning that C symbols and section names have no
//! use for. **Invariant**: linear space, at most quadratic time, whatever the pattern.

/// What a pattern asks for.
enum Part {
    Any,
    One,
    Exactly(char),
    /// One of these, ends included; or none of them.
    Class {
        ranges: Vec<(char, char)>,
        is_negated: bool,
    },
}

impl Part {
    /// Whether it stands for one character, and this is one that it stands for.
    fn is(&self, name: char) -> bool {
        match self {
            Self::Any => false,
            Self::One => true,
            Self::Exactly(wanted) => *wanted == name,
            Self::Class { ranges, is_negated } => {
                let mut ranges = ranges.iter();
                ranges.any(|&(low, high)| low <= name && name <= high) != *is_negated
            }
        }
    }
}

fn parts(pattern: &str) -> Vec<Part> {
    let text: Vec<char> = pattern.chars().collect();
    let mut parts = Vec::new();
    let mut at = 0;
    // Where no class ends after one place, none does after a later one.
    let mut is_open = true;
    while let Some(&next) = text.get(at) {
        at += 1;
        match next {
            '*' => parts.push(Part::Any),
            '?' => parts.push(Part::One),
            '[' if is_open => match class(&text[at..]) {
                Some((class, length)) => {
                    parts.push(class);
                    at += length;
                }
                None => {
                    is_open = false;
                    parts.push(Part::Exactly('['));
                }
            },
            _ => parts.push(Part::Exactly(next)),
        }
    }
    parts
}

/// The class that begins after its bracket, and how long it is with the other one.
fn class(text: &[char]) -> Option<(Part, usize)> {
    let is_negated = matches!(text.first(), Some('!' | '^'));
    let start = usize::from(is_negated);
    // A bracket in the first place is one of the characters.
    let length = text.get(start + 1..)?.iter().position(|&c| c == ']')? + 1;
    let members = &text[start..start + length];
    let mut ranges = Vec::new();
    let mut rest = members;
    while let [low, after @ ..] = rest {
        rest = match after {
            ['-', high, after @ ..] => {
                ranges.push((*low, *high));
                after
            }
            _ => {
                ranges.push((*low, *low));
                after
            }
        };
    }
    Some((Part::Class { ranges, is_negated }, start + length + 1))
}

/// Whether `name` as a whole matches `pattern`.
pub(crate) fn matches(pattern: &str, name: &str) -> bool {
    let pattern = parts(pattern);
    let name: Vec<char> = name.chars().collect();
    let (mut at_pattern, mut at_name) = (0, 0);
    // Where to resume when a match fails: after the last `*`, one character later than before.
    let mut resume: Option<(usize, usize)> = None;
    while at_name < name.len() {
        match pattern.get(at_pattern) {
            Some(Part::Any) => {
                resume = Some((at_pattern + 1, at_name));
                at_pattern += 1;
            }
            Some(part) if part.is(name[at_name]) => {
                at_pattern += 1;
                at_name += 1;
            }
            Some(_) | None => match resume {
                Some((after_star, start)) => {
                    resume = Some((after_star, start + 1));
                    at_pattern = after_star;
                    at_name = start + 1;
                }
                None => return false,
            },
        }
    }
    let mut rest = pattern[at_pattern..].iter();
    rest.all(|part| matches!(part, Part::Any))
}

/// Whether a path, or what comes after one of its folders, matches `pattern`.
pub(crate) fn matches_path(pattern: &str, path: &str) -> bool {
    let tails = path.match_indices('/').map(|(at, _)| &path[at + 1..]);
    let mut tails = std::iter::once(path).chain(tails);
    tails.any(|tail| matches(pattern, tail))
}

#[cfg(test)]
mod tests {
    use super::{matches, matches_path};

    #[test]
    fn patterns() {
        let cases = [
            ("checkpoint", "checkpoint", true),
            ("checkpoint", "checkpoints", false),
            ("*", "", true),
            ("", "", true),
            ("", "a", false),
            ("task_*", "task_", true),
            ("task_*", "task_sense", true),
            ("*_task", "sense_task", true),
            ("*_task", "sense_tasks", false),
            ("a*b*c", "aXbYbc", true),
            ("a*b*c", "aXbYb", false),
            ("?x", "µx", true),
            ("??", "a", false),
            ("***a", "bba", true),
            ("task[123]", "task2", true),
            ("task[123]", "task4", false),
            ("task[0-9]", "task7", true),
            ("task[0-9]", "taskx", false),
            ("task[!0-9]", "taskx", true),
            ("task[!0-9]", "task7", false),
            ("task[a-c_x]*", "task_1", true),
            ("task[a-c_x]*", "taskb", true),
            ("task[a-c_x]*", "taskd", false),
            ("[]]", "]", true),
            ("[a-]", "-", true),
            ("a[b", "a[b", true),
            ("a[b", "ab", false),
            ("[]", "[]", true),
            ("*[ab]", "xxa", true),
        ];
        for (pattern, name, expected) in cases {
            assert_eq!(matches(pattern, name), expected, "{pattern:?} on {name:?}");
        }
    }

    #[test]
    fn folders_in_front_can_be_left_out() {
        for path in [
            "libchain/chain.c",
            "/home/x/libchain/chain.c",
            "libchain/sub/x.c",
        ] {
            assert!(matches_path("libchain/*", path), "{path}");
        }
        assert!(!matches_path("libchain/*", "mylibchain/chain.c"));
        assert!(!matches_path("chain.c", "libchain/chain.h"));
    }

    #[test]
    fn hostile_patterns_end() {
        assert!(!matches(&"a*".repeat(200), &"a".repeat(199)));
        assert!(!matches(
            &format!("{}b", "*a".repeat(50)),
            &"a".repeat(5_000)
        ));
        assert!(!matches(&"[".repeat(20_000), "a"));
        assert!(!matches(&"[a".repeat(20_000), "a"));
    }
}
