//! Which findings count: those that touch changed lines, that no comment allows and no baseline has.

use brownout_diag::{Finding, Rule};
use brownout_report::{Sources, Standing};
use brownout_trace::Checked;

use crate::allow::Comments;
use crate::baseline::{self, Acquaintance, Baseline};
use crate::changed::Changed;
use crate::cli::CheckOptions;
use crate::console;
use crate::error::Error;

/// What the user said about which findings count.
pub(crate) struct Judge<'o> {
    options: &'o CheckOptions,
    baseline: Option<Baseline>,
    changed: Option<Changed>,
    comments: Comments,
    /// Everything found so far, also in other programs.
    seen: Vec<String>,
    /// Whether a program was not checked as a whole.
    incomplete: bool,
}

/// Which findings count.
pub(crate) struct Judged {
    /// One for each finding.
    pub(crate) standings: Vec<Standing>,
    /// One for each finding.
    pub(crate) fingerprints: Vec<String>,
    /// How many findings touch no changed line; they are gone.
    pub(crate) untouched: usize,
}

impl<'o> Judge<'o> {
    pub(crate) fn new(options: &'o CheckOptions) -> Result<Self, Error> {
        let baseline = options
            .baseline
            .as_deref()
            .map(Baseline::read)
            .transpose()?;
        let program = &options.program;
        let changed = match (
            &options.only_changed,
            program.inputs.first().or(program.project.as_ref()),
        ) {
            (Some(revision), Some(input)) => Some(Changed::since(revision, input)?),
            _ => None,
        };
        Ok(Self {
            options,
            baseline,
            changed,
            comments: Comments::default(),
            seen: Vec::new(),
            incomplete: false,
        })
    }

    /// Judges findings; those that touch no changed line are dropped.
    pub(crate) fn judge(&mut self, checked: &mut Checked, sources: &Sources) -> Judged {
        // Numbered before anything is dropped: the fingerprints are the same with every option.
        let mut fingerprints = brownout_report::fingerprints(&checked.findings, sources);
        self.seen.extend(fingerprints.iter().cloned());
        self.comments.read(sources);
        let mut standings = Vec::with_capacity(fingerprints.len());
        for (finding, fingerprint) in checked.findings.iter_mut().zip(&fingerprints) {
            standings.push(self.standing(finding, fingerprint, sources));
        }
        let touched: Vec<bool> = checked
            .findings
            .iter()
            .map(|finding| {
                self.changed
                    .as_ref()
                    .is_none_or(|changed| changed.touches(finding))
            })
            .collect();
        retain(&mut checked.findings, &touched);
        retain(&mut standings, &touched);
        retain(&mut fingerprints, &touched);
        let ended = matches!(checked.stop, Some(brownout_vm::Stop::Exited { .. }) | None);
        self.incomplete |= checked.interrupted || !ended;
        Judged {
            standings,
            fingerprints,
            untouched: touched.iter().filter(|touched| !**touched).count(),
        }
    }

    /// Whether a finding counts. Of one that is known but for some pairs, a new one is shown.
    fn standing(
        &mut self,
        finding: &mut Finding,
        fingerprint: &str,
        sources: &Sources,
    ) -> Standing {
        if let Some(reason) = self.comments.reason(finding) {
            return Standing::Allowed { reason };
        }
        let Some(baseline) = &self.baseline else {
            return match self.options.write_baseline {
                Some(_) => Standing::Known,
                None => Standing::Open,
            };
        };
        match baseline.knows(fingerprint, finding, sources) {
            Acquaintance::Full => Standing::Known,
            Acquaintance::None => Standing::New,
            Acquaintance::ButFor(count) => {
                baseline.lead_with_new(fingerprint, finding, sources);
                let pairs = brownout_diag::plural(count, "pair");
                finding.notes.push(format!(
                    "known from the baseline, but for {pairs} of a read and a write"
                ));
                Standing::Updated
            }
        }
    }

    /// What is wrong with comments and baseline, when all programs were judged.
    pub(crate) fn remarks(&self) -> Vec<String> {
        let options = self.options;
        let is_chosen = |rule: Rule| {
            let is_named = options.only.is_empty() || options.only.contains(&rule);
            is_named && !options.skip.contains(&rule)
        };
        let looked_for = |rule: Rule| !self.incomplete && is_chosen(rule);
        let mut remarks = self.comments.complaints(looked_for);
        let gone = self
            .baseline
            .as_ref()
            .map(|baseline| baseline.gone(&self.seen));
        if let Some(gone @ 1..) = gone {
            let entries = brownout_diag::plural(gone as u64, "finding");
            remarks.push(format!(
                "note: {entries} of the baseline are gone: write it again with `--write-baseline`"
            ));
        }
        remarks
    }

    /// Writes the baseline, if that was asked for: all findings but those that a comment allows.
    pub(crate) fn write_baseline<'p>(
        &self,
        programs: impl Iterator<Item = (&'p [Finding], &'p Judged, &'p Sources)>,
    ) -> Result<(), Error> {
        let Some(path) = &self.options.write_baseline else {
            return Ok(());
        };
        let known = programs.flat_map(|(findings, judged, sources)| {
            let findings = findings.iter().zip(&judged.fingerprints);
            findings
                .zip(&judged.standings)
                .filter(|(_, standing)| !matches!(standing, Standing::Allowed { .. }))
                .map(move |((finding, fingerprint), _)| baseline::Known {
                    fingerprint,
                    finding,
                    sources,
                })
        });
        let text = baseline::text(known);
        console::result(Some(path), |out| out.write_all(text.as_bytes()))
    }
}

/// Keeps the items that are marked.
fn retain<T>(items: &mut Vec<T>, marked: &[bool]) {
    let mut marked = marked.iter();
    items.retain(|_| marked.next().copied().unwrap_or(true));
}
