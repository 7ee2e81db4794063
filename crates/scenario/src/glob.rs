//! Patterns over names: `*` stands for any run of characters, `?` for exactly one.
//!
//! Path-aware glob crates give `/`, `{` and `[` a meaning that C symbols and section names have no
//! use for. **Invariant**: linear space, at most quadratic time, whatever the pattern.

/// Whether `name` as a whole matches `pattern`.
pub(crate) fn matches(pattern: &str, name: &str) -> bool {
    let pattern: Vec<char> = pattern.chars().collect();
    let name: Vec<char> = name.chars().collect();
    let (mut at_pattern, mut at_name) = (0, 0);
    // Where to resume when a match fails: after the last `*`, one character later than before.
    let mut resume: Option<(usize, usize)> = None;
    while at_name < name.len() {
        match pattern.get(at_pattern) {
            Some('*') => {
                resume = Some((at_pattern + 1, at_name));
                at_pattern += 1;
            }
            Some(&wanted) if wanted == '?' || wanted == name[at_name] => {
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
    pattern[at_pattern..].iter().all(|&rest| rest == '*')
}

#[cfg(test)]
mod tests {
    use super::matches;

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
        ];
        for (pattern, name, expected) in cases {
            assert_eq!(matches(pattern, name), expected, "{pattern:?} on {name:?}");
        }
    }

    #[test]
    fn hostile_patterns_end() {
        assert!(!matches(&"a*".repeat(200), &"a".repeat(199)));
        assert!(!matches(
            &format!("{}b", "*a".repeat(50)),
            &"a".repeat(5_000)
        ));
    }
}
