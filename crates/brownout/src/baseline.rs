//! A baseline: the findings that are known already, in a file that is kept with the source.
//!
//! A finding is known if the baseline has its fingerprint with a severity that is as bad, and all
//! of the pairs that make it so.

use std::collections::BTreeMap;
use std::path::Path;

use brownout_diag::{Evidence, Finding, Severity};
use brownout_report::{PairPrints, Sources};
use serde_json::{Value, json};

use crate::error::Error;

/// The version of the file: fingerprints of other versions are others.
const FORMAT: u32 = 2;

/// Fingerprints of findings.
pub(crate) struct Baseline(BTreeMap<String, Entry>);

/// What is known of a finding.
struct Entry {
    /// The severity that it was written with.
    severity: Severity,
    /// Its pairs.
    pairs: PairPrints,
}

/// How a baseline knows a finding.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Acquaintance {
    /// It does not, or only as something less bad.
    None,
    /// It does, but for so many pairs.
    ButFor(u32),
    /// It does.
    Full,
}

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
        if document["format"] != FORMAT {
            return None;
        }
        let entry = |finding: &Value| {
            let severity = match finding["severity"].as_str()? {
                "error" => Severity::Error,
                "warning" => Severity::Warning,
                "note" => Severity::Note,
                _ => return None,
            };
            let pairs = finding["pairs"].as_object()?.iter();
            let pairs = pairs.map(|(print, count)| {
                let count = u32::try_from(count.as_u64()?).ok()?;
                Some((print.clone(), count))
            });
            let entry = Entry {
                severity,
                pairs: pairs.collect::<Option<_>>()?,
            };
            Some((finding["fingerprint"].as_str()?.to_owned(), entry))
        };
        let known = document["known"].as_array()?.iter().map(entry);
        known.collect::<Option<_>>().map(Self)
    }

    /// How well it knows a finding.
    pub(crate) fn knows(
        &self,
        fingerprint: &str,
        finding: &Finding,
        sources: &Sources,
    ) -> Acquaintance {
        let known = self.0.get(fingerprint);
        let Some(known) = known.filter(|known| known.severity <= finding.severity) else {
            return Acquaintance::None;
        };
        let worst = |evidence: Evidence| evidence == finding.evidence;
        let pairs = brownout_report::pair_prints(finding, sources, worst);
        let new = pairs.iter().map(|(print, count)| {
            let known = known.pairs.get(print).copied().unwrap_or(0);
            count.saturating_sub(known)
        });
        match new.sum() {
            0 => Acquaintance::Full,
            count => Acquaintance::ButFor(count),
        }
    }

    /// Puts a pair first that it does not have, and shows that one.
    pub(crate) fn lead_with_new(
        &self,
        fingerprint: &str,
        finding: &mut Finding,
        sources: &Sources,
    ) {
        let Some(known) = self.0.get(fingerprint) else {
            return;
        };
        let mut left = known.pairs.clone();
        let prints = brownout_report::prints_of_pairs(finding, sources);
        let is_new = |(index, print): &(usize, String)| {
            let count = left.entry(print.clone()).or_default();
            let is_known = *count > 0;
            *count = count.saturating_sub(1);
            !is_known && finding.pairs[*index].evidence == finding.evidence
        };
        let found = prints.into_iter().enumerate().find(is_new);
        if let Some((index, _)) = found {
            finding.lead_with(index);
        }
    }

    /// How many of its entries are not among these.
    pub(crate) fn gone(&self, fingerprints: &[String]) -> usize {
        let found = |fingerprint: &&String| !fingerprints.contains(fingerprint);
        self.0.keys().filter(found).count()
    }
}

/// A finding to be known from now on.
pub(crate) struct Known<'f> {
    pub(crate) fingerprint: &'f str,
    pub(crate) finding: &'f Finding,
    pub(crate) sources: &'f Sources,
}

/// The text of a baseline with these findings; the places are for whoever reads it.
pub(crate) fn text<'f>(findings: impl Iterator<Item = Known<'f>>) -> String {
    let does_harm = |evidence: Evidence| !matches!(evidence, Evidence::Benign | Evidence::Refuted);
    let mut known: Vec<(&str, Value)> = findings
        .map(|known| {
            let Known {
                fingerprint,
                finding,
                sources,
            } = known;
            let place = finding.producer.as_ref().or(finding.consumer.as_ref());
            let is_harmless = !does_harm(finding.evidence);
            let wanted = |evidence: Evidence| is_harmless || does_harm(evidence);
            let entry = json!({
                "fingerprint": fingerprint,
                "rule": finding.rule.name(),
                "severity": finding.severity.name(),
                "object": finding.object.as_ref().map(|object| &object.name),
                "function": place.map(|place| &place.function),
                "message": finding.message,
                "pairs": brownout_report::pair_prints(finding, sources, wanted),
            });
            (fingerprint, entry)
        })
        .collect();
    known.sort_by(|a, b| a.0.cmp(b.0));
    // Programs that share a file share its findings.
    known.dedup_by(|a, b| a.0 == b.0);
    let known: Vec<Value> = known.into_iter().map(|(_, entry)| entry).collect();
    format!("{:#}\n", json!({ "format": FORMAT, "known": known }))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use brownout_diag::{Evidence, Finding, Named, ObjectId, Pair, Rule, Severity, SourcePlace};
    use brownout_report::Sources;

    use super::{Acquaintance, Baseline, Known, text};

    fn pair(function: &str) -> Pair {
        Pair {
            object: Arc::new(Named::whole("n", ObjectId::Variable("n".into()))),
            consumer: None,
            producer: Some(Arc::new(SourcePlace {
                file: "a.c".into(),
                function: function.into(),
                ..SourcePlace::default()
            })),
            evidence: Evidence::Confirmed,
            witness: None,
        }
    }

    fn written(finding: &Finding) -> Baseline {
        let known = Known {
            fingerprint: "ab:1",
            finding,
            sources: &Sources::new(),
        };
        let Some(baseline) = Baseline::parse(&text([known].into_iter())) else {
            panic!("cannot be read");
        };
        baseline
    }

    #[test]
    fn what_is_written_is_known() {
        let mut finding = Finding::new(Rule::WriteAfterRead, Evidence::Confirmed, "`n`");
        finding.severity = Severity::Note;
        let baseline = written(&finding);
        let knows =
            |print: &str, finding: &Finding| baseline.knows(print, finding, &Sources::new());
        assert_eq!(knows("ab:1", &finding), Acquaintance::Full);
        assert_eq!(knows("ab:2", &finding), Acquaintance::None);
        finding.severity = Severity::Error;
        assert_eq!(knows("ab:1", &finding), Acquaintance::None, "it was a note");
        assert_eq!(baseline.gone(&["ab:2".to_owned()]), 1);
    }

    #[test]
    fn a_new_pair_is_told() {
        let mut finding = Finding::new(Rule::WriteAfterRead, Evidence::Confirmed, "`n`");
        finding.pairs = vec![pair("main")];
        let baseline = written(&finding);
        let sources = Sources::new();
        let knows = |finding: &Finding| baseline.knows("ab:1", finding, &sources);
        assert_eq!(knows(&finding), Acquaintance::Full);
        // The same text once more, and something else.
        finding.pairs.push(pair("main"));
        assert_eq!(knows(&finding), Acquaintance::ButFor(1));
        finding.pairs[1] = pair("other");
        assert_eq!(knows(&finding), Acquaintance::ButFor(1));
        baseline.lead_with_new("ab:1", &mut finding, &sources);
        assert_eq!(
            finding.producer.map(|place| place.function).as_deref(),
            Some("other")
        );
        // One that does no harm is not worth a word.
        finding.pairs[0].evidence = Evidence::Benign;
        finding.producer = None;
        assert_eq!(knows(&finding), Acquaintance::Full);
    }

    #[test]
    fn anything_else_is_refused() {
        for text in [
            "",
            "{}",
            "[]",
            r#"{"format":1,"known":[]}"#,
            r#"{"format":2,"known":[{}]}"#,
        ] {
            assert!(Baseline::parse(text).is_none(), "{text}");
        }
    }
}
