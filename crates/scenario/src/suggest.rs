//! The nearest right name for a wrong one.
//!
//! **Invariant**: deterministic; of equally near candidates the first in order wins.

/// Longer names are not worth a quadratic comparison.
const LONGEST: usize = 80;

/// The candidate that `wrong` was most likely meant to be, if any is near enough.
pub fn nearest<'a>(wrong: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    near(wrong, candidates).into_iter().next()
}

/// The candidates that `wrong` may have been meant to be, the nearest first.
///
/// Near enough is one edit per three characters of the longer name, at least one; a candidate that
/// differs only in case or in `-` against `_` always is, and one that begins like it is one edit away.
pub(crate) fn near<'a>(wrong: &str, candidates: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    if wrong.is_empty() || wrong.len() > LONGEST {
        return Vec::new();
    }
    let folded = fold(wrong);
    let mut near: Vec<(usize, &str)> = candidates
        .into_iter()
        .filter(|candidate| candidate.len() <= LONGEST)
        .filter_map(|candidate| {
            let candidate_folded = fold(candidate);
            let begins_so = folded.len() > 1 && candidate_folded.starts_with(&folded);
            let distance = match strsim::osa_distance(&folded, &candidate_folded) {
                distance if begins_so => distance.min(1),
                distance => distance,
            };
            let longer = wrong.chars().count().max(candidate.chars().count());
            (distance <= (longer / 3).max(1) && distance < longer).then_some((distance, candidate))
        })
        .collect();
    near.sort_by_key(|&(distance, _)| distance);
    near.into_iter().map(|(_, candidate)| candidate).collect()
}

fn fold(name: &str) -> String {
    name.to_lowercase().replace('_', "-")
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn names() {
        let candidates = ["static", "conditional", "reactive", "tasks", "a"];
        let cases = [
            ("statik", Some("static")),
            ("STATIC", Some("static")),
            ("task", Some("tasks")),
            ("reactvie", Some("reactive")),
            ("cond", Some("conditional")),
            ("hibernus", None),
            ("b", None),
            ("", None),
        ];
        for (wrong, expected) in cases {
            assert_eq!(nearest(wrong, candidates), expected, "{wrong}");
        }
        assert_eq!(
            nearest("atomic_write", ["atomic-write"]),
            Some("atomic-write")
        );
        assert_eq!(nearest(&"x".repeat(1 << 20), candidates), None);
    }
}
