//! A baseline: the findings that are known already, in a file that is kept with the source.
//!
//! A finding is known if the baseline has its fingerprint with a severity that is as bad.

use std::collections::BTreeMap;
use std::path::Path;

use brownout_diag::{Finding, Severity};
use serde_json::{Value, json};

use crate::error::Error;

/// Fingerprints with the severity they were written with.
pub(crate) struct Baseline(BTreeMap<String, Severity>);

impl Baseline {
    pub(crate) fn read(path: &Path) -> Result<Self, Error> {
        let text = std::fs::read_to_string(path).map_err(|error| Error::File {
            path: path.to_owned(),
            error,
        })?;
        Self::parse(&text).ok_or_else(|| Error::NoBaseline {
            path: path.to_owned(),
        })
    }

    fn parse(text: &str) -> Option<Self> {
        let document: Value = serde_json::from_str(text).ok()?;
        if document["format"] != 1 {
            return None;
        }
        let entry = |finding: &Value| {
            let severity = match finding["severity"].as_str()? {
                "error" => Severity::Error,
                "warning" => Severity::Warning,
                "note" => Severity::Note,
                _ => return None,
            };
            Some((finding["fingerprint"].as_str()?.to_owned(), severity))
        };
        let known = document["known"].as_array()?.iter().map(entry);
        known.collect::<Option<_>>().map(Self)
    }

    /// Whether a finding is in it.
    pub(crate) fn has(&self, fingerprint: &str, finding: &Finding) -> bool {
        let known = self.0.get(fingerprint);
        known.is_some_and(|&severity| severity <= finding.severity)
    }

    /// How many of its entries are not among these.
    pub(crate) fn gone(&self, fingerprints: &[String]) -> usize {
        let found = |fingerprint: &&String| !fingerprints.contains(fingerprint);
        self.0.keys().filter(found).count()
    }
}

/// The text of a baseline with these findings; the places are for whoever reads it.
pub(crate) fn text<'f>(findings: impl Iterator<Item = (&'f str, &'f Finding)>) -> String {
    let mut known: Vec<(&str, Value)> = findings
        .map(|(fingerprint, finding)| {
            let place = finding.producer.as_ref().or(finding.consumer.as_ref());
            let entry = json!({
                "fingerprint": fingerprint,
                "rule": finding.rule.name(),
                "severity": finding.severity.name(),
                "object": finding.object.as_ref().map(|object| &object.name),
                "function": place.map(|place| &place.function),
                "message": finding.message,
            });
            (fingerprint, entry)
        })
        .collect();
    known.sort_by(|a, b| a.0.cmp(b.0));
    // Programs that share a file share its findings.
    known.dedup_by(|a, b| a.0 == b.0);
    let known: Vec<Value> = known.into_iter().map(|(_, entry)| entry).collect();
    format!("{:#}\n", json!({ "format": 1, "known": known }))
}

#[cfg(test)]
mod tests {
    use brownout_diag::{Evidence, Finding, Rule, Severity};

    use super::{Baseline, text};

    #[test]
    fn what_is_written_is_known() {
        let mut finding = Finding::new(Rule::WriteAfterRead, Evidence::Confirmed, "`n`");
        finding.severity = Severity::Note;
        let baseline = Baseline::parse(&text([("ab:1", &finding)].into_iter()));
        let Some(baseline) = baseline else {
            panic!("cannot be read");
        };
        assert!(baseline.has("ab:1", &finding));
        assert!(!baseline.has("ab:2", &finding));
        finding.severity = Severity::Error;
        assert!(!baseline.has("ab:1", &finding), "it was a note only");
        assert_eq!(baseline.gone(&["ab:2".to_owned()]), 1);
    }

    #[test]
    fn anything_else_is_refused() {
        for text in [
            "",
            "{}",
            "[]",
            r#"{"format":2,"known":[]}"#,
            r#"{"format":1,"known":[{}]}"#,
        ] {
            assert!(Baseline::parse(text).is_none(), "{text}");
        }
    }
}
