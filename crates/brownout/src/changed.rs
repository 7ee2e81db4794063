//! The lines that changed since a revision, as git tells.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::process::Command;

use brownout_diag::{Finding, SourcePlace};

use crate::error::Error;

/// Changed lines by file; a file without a list is new as a whole.
pub(crate) struct Changed {
    files: BTreeMap<PathBuf, Option<Vec<RangeInclusive<u32>>>>,
}

impl Changed {
    /// What changed in the repository of `input` since `revision`, committed or not.
    pub(crate) fn since(revision: &str, input: &Path) -> Result<Self, Error> {
        let folder = match input.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        };
        let git = |arguments: &[&str]| git(folder, arguments);
        let root = PathBuf::from(git(&["rev-parse", "--show-toplevel"])?.trim_end());
        let commit = format!("{revision}^{{commit}}");
        let commit = git(&["rev-parse", "--verify", "--end-of-options", &commit]);
        // Git's own words ("needed a single revision") name nothing.
        let commit = commit.map_err(|error| match error {
            Error::Git { .. } => Error::Git {
                message: format!("there is no revision `{revision}`"),
            },
            other => other,
        })?;
        let diff = git(&[
            "-c",
            "core.quotepath=off",
            "diff",
            "--unified=0",
            "--no-color",
            "--no-ext-diff",
            "--dst-prefix=b/",
            commit.trim_end(),
            "--",
        ])?;
        let mut files = parse(&diff, &root);
        let new = git(&[
            "ls-files",
            "--others",
            "--exclude-standard",
            "--full-name",
            "-z",
        ])?;
        for path in new.split_terminator('\0') {
            files.insert(root.join(path), None);
        }
        Ok(Self { files })
    }

    /// Whether a finding has a place on a changed line, or a change between the two places of one of
    /// its pairs.
    pub(crate) fn touches(&self, finding: &Finding) -> bool {
        let mut known = Files::default();
        let shown = [&finding.consumer, &finding.producer, &finding.branch];
        let related = finding.related.iter().map(|related| &related.place);
        let others = related.chain(&finding.inputs).chain(&finding.taint);
        let mut on_lines = shown.into_iter().flatten().chain(others);
        on_lines.any(|place| self.any_in(&mut known, place, &(place.line..=place.line)))
            || self.touches_pair(
                &mut known,
                finding.consumer.as_ref(),
                finding.producer.as_ref(),
            )
            || finding.pairs.iter().any(|pair| {
                self.touches_pair(
                    &mut known,
                    pair.consumer.as_deref(),
                    pair.producer.as_deref(),
                )
            })
    }

    fn touches_pair(
        &self,
        known: &mut Files,
        consumer: Option<&SourcePlace>,
        producer: Option<&SourcePlace>,
    ) -> bool {
        let both = [consumer, producer];
        if let (Some(a), Some(b)) = (consumer, producer)
            && (&a.file, &a.function) == (&b.file, &b.function)
        {
            return self.any_in(known, a, &(a.line.min(b.line)..=a.line.max(b.line)));
        }
        let mut places = both.into_iter().flatten();
        places.any(|place| self.any_in(known, place, &(place.line..=place.line)))
    }

    fn any_in(&self, known: &mut Files, place: &SourcePlace, lines: &RangeInclusive<u32>) -> bool {
        if !known.contains_key(&place.file) {
            let path = Path::new(&place.file).canonicalize().ok();
            known.insert(place.file.clone(), path);
        }
        let Some(Some(path)) = known.get(&place.file) else {
            return false;
        };
        match self.files.get(path) {
            None => false,
            Some(None) => true,
            Some(Some(ranges)) => ranges
                .iter()
                .any(|range| range.start() <= lines.end() && lines.start() <= range.end()),
        }
    }
}

/// The files of a finding where they really are.
type Files = BTreeMap<String, Option<PathBuf>>;

fn git(folder: &Path, arguments: &[&str]) -> Result<String, Error> {
    let output = Command::new("git")
        .arg("-C")
        .arg(folder)
        .args(arguments)
        .output()
        .map_err(|error| Error::File {
            path: "git".into(),
            error,
        })?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let message = String::from_utf8_lossy(&output.stderr);
    let message = message.lines().next().unwrap_or("git failed");
    Err(Error::Git {
        message: message.trim_start_matches("fatal: ").to_owned(),
    })
}

fn parse(diff: &str, root: &Path) -> BTreeMap<PathBuf, Option<Vec<RangeInclusive<u32>>>> {
    let mut files: BTreeMap<PathBuf, Option<Vec<RangeInclusive<u32>>>> = BTreeMap::new();
    let mut current = None;
    for line in diff.lines() {
        if let Some(path) = line.strip_prefix("+++ ") {
            current = path
                .strip_prefix("b/")
                .map(|path| root.join(path.trim_end_matches('\t')));
        } else if let (Some(range), Some(path)) = (hunk(line), &current) {
            let ranges = files
                .entry(path.clone())
                .or_insert_with(|| Some(Vec::new()));
            ranges.get_or_insert_default().push(range);
        }
    }
    files
}

/// The lines of the new file that `@@ -a,b +c,d @@` speaks of. Where lines only went away, these are
/// their neighbours.
fn hunk(line: &str) -> Option<RangeInclusive<u32>> {
    let new = line.strip_prefix("@@ -")?.split_once(" +")?.1;
    let new = new.split_once(" @@")?.0;
    let (start, count) = match new.split_once(',') {
        Some((start, count)) => (start.parse().ok()?, count.parse().ok()?),
        None => (new.parse().ok()?, 1u32),
    };
    Some(match count {
        0 => start..=start + 1,
        count => start..=start + (count - 1),
    })
}

#[cfg(test)]
mod tests {
    use super::hunk;

    #[test]
    fn hunks_name_lines_of_the_new_file() {
        let cases = [
            ("@@ -1 +1 @@ int main", Some(1..=1)),
            ("@@ -1,0 +2,3 @@", Some(2..=4)),
            ("@@ -5,2 +4,0 @@", Some(4..=5)),
            ("+@@ -1 +1 @@", None),
            ("@@ -1 +x @@", None),
        ];
        for (line, expected) in cases {
            assert_eq!(hunk(line), expected, "{line}");
        }
    }
}
