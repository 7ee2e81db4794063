//! Which findings count: those that touch changed lines, that no comment allows and no baseline has.

use brownout_diag::Rule;
use brownout_report::{Sources, Standing};
use brownout_trace::Checked;

use crate::allow::Comments;
use crate::baseline::{self, Baseline};
use crate::changed::Changed;
use crate::check::{self, Outcome};
use crate::cli::CheckOptions;
use crate::console;
use crate::error::Error;

/// What the user said about which findings count.
pub(crate) struct Judge<'o> {
    options: &'o CheckOptions,
    baseline: Option<Baseline>,
    changed: Option<Changed>,
}

/// Which findings count.
pub(crate) struct Judged {
    /// One for each finding.
    pub(crate) standings: Vec<Standing>,
    /// One for each finding.
    pub(crate) fingerprints: Vec<String>,
    /// How many findings touch no changed line; they are gone.
    pub(crate) untouched: usize,
    /// What is wrong with comments and baseline.
    pub(crate) remarks: Vec<String>,
}

impl<'o> Judge<'o> {
    pub(crate) fn new(options: &'o CheckOptions) -> Result<Self, Error> {
        let baseline = options
            .baseline
            .as_deref()
            .map(Baseline::read)
            .transpose()?;
        let changed = match (&options.only_changed, options.program.inputs.first()) {
            (Some(revision), Some(input)) => Some(Changed::since(revision, input)?),
            _ => None,
        };
        Ok(Self {
            options,
            baseline,
            changed,
        })
    }

    /// Judges findings; those that touch no changed line are dropped.
    pub(crate) fn judge(&self, checked: &mut Checked, sources: &Sources) -> Judged {
        // Numbered before anything is dropped: the fingerprints are the same with every option.
        let mut fingerprints = brownout_report::fingerprints(&checked.findings, sources);
        let gone = self
            .baseline
            .as_ref()
            .map(|baseline| baseline.gone(&fingerprints));
        let mut comments = Comments::read(sources);
        let mut standings: Vec<Standing> = checked
            .findings
            .iter()
            .zip(&fingerprints)
            .map(|(finding, fingerprint)| match comments.reason(finding) {
                Some(reason) => Standing::Allowed { reason },
                None => match &self.baseline {
                    Some(baseline) if baseline.has(fingerprint, finding) => Standing::Known,
                    Some(_) => Standing::New,
                    None if self.options.write_baseline.is_some() => Standing::Known,
                    None => Standing::Open,
                },
            })
            .collect();
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
        let options = self.options;
        let is_complete =
            !checked.interrupted && matches!(checked.stop, brownout_vm::Stop::Exited { .. });
        let looked_for =
            |rule: Rule| is_complete && check::is_chosen(rule, &options.only, &options.skip);
        let mut remarks = comments.complaints(looked_for);
        if let Some(gone @ 1..) = gone {
            let entries = check::plural(gone as u64, "finding");
            remarks.push(format!(
                "note: {entries} of the baseline are gone: write it again with `--write-baseline`"
            ));
        }
        Judged {
            standings,
            fingerprints,
            untouched: touched.iter().filter(|touched| !**touched).count(),
            remarks,
        }
    }

    /// Writes the baseline, if that was asked for: all findings but those that a comment allows.
    pub(crate) fn write_baseline(&self, outcome: &Outcome) -> Result<(), Error> {
        let Some(path) = &self.options.write_baseline else {
            return Ok(());
        };
        let judged = &outcome.judged;
        let known = outcome
            .checked
            .findings
            .iter()
            .zip(&judged.fingerprints)
            .zip(&judged.standings)
            .filter(|(_, standing)| !matches!(standing, Standing::Allowed { .. }))
            .map(|((finding, fingerprint), _)| (fingerprint.as_str(), finding));
        let text = baseline::text(known);
        console::result(Some(path), |out| out.write_all(text.as_bytes()))
    }
}

/// Keeps the items that are marked.
fn retain<T>(items: &mut Vec<T>, marked: &[bool]) {
    let mut marked = marked.iter();
    items.retain(|_| marked.next().copied().unwrap_or(true));
}
