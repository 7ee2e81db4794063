//! One program that was checked, for `check` and `prove`: what was found, and which of it counts.

use std::ops::Deref;
use std::time::Instant;

use brownout_device::Prepared;
use brownout_diag::{Evidence, Finding, Severity};
use brownout_flow::Restart;
use brownout_report::Sources;
use brownout_verdict::{self as verdict, Options};

use crate::cli::CheckOptions;
use crate::console;
use crate::error::Error;
use crate::judge::{Judge, Judged};
use crate::limits;
use crate::progress::Progress;
use crate::solvers;
use crate::sources;

/// A program that was checked, and which of its findings count.
pub(crate) struct Outcome {
    pub(crate) verdict: verdict::Outcome,
    pub(crate) sources: Sources,
    pub(crate) judged: Judged,
    pub(crate) total_seconds: f64,
}

impl Deref for Outcome {
    type Target = verdict::Outcome;

    fn deref(&self) -> &Self::Target {
        &self.verdict
    }
}

/// Checks one program.
pub(crate) fn examine(
    options: &CheckOptions,
    prepared: Prepared,
    judge: &mut Judge<'_>,
    progress: &Progress,
) -> Result<Outcome, Error> {
    let sources = sources::read(&prepared.program);
    let solver = || solvers::solver(None, None);
    let wanted = Options {
        only: options.only.clone(),
        skip: options.skip.clone(),
        failures: options.failures,
        jobs: options.jobs,
        max_instructions: options.max_instructions,
        evaluate: !options.no_evaluate,
        only_static: options.only_static,
        restart_at: options.restart_at.map(Restart::from),
        refute: options.prove.then_some(&solver),
        effort: options.effort,
        suggested: options.suggested.clone(),
    };
    let mut verdict = verdict::check(prepared, &wanted, progress)?;
    let judged = judge.judge(&mut verdict.checked, &sources);
    Ok(Outcome {
        verdict,
        sources,
        judged,
        total_seconds: progress.begun().elapsed().as_secs_f64(),
    })
}

/// Tells what is worth saying beside findings.
pub(crate) fn tell(options: &CheckOptions, verdict: &verdict::Outcome) {
    if options.program.quiet {
        return;
    }
    let refuted = &verdict.refuted;
    if !refuted.is_empty() {
        let count = brownout_diag::plural(refuted.len() as u64, "suspicion");
        console::note(&format!("{count} refuted: no power failure can show there"));
        for finding in refuted.iter().filter(|_| options.program.verbose) {
            let place = finding.producer.as_ref().or(finding.consumer.as_ref());
            let place = place.map_or_else(String::new, |place| format!(" at {place}"));
            let (evidence, message) = (finding.evidence, &finding.message);
            console::note(&format!("{evidence}: {message}{place}"));
        }
    }
    verdict.notes.iter().for_each(|text| console::note(text));
}

/// Checks a program of which something is not proved, and tells nothing yet: what it finds has been replayed.
pub(crate) fn searched(options: &CheckOptions, prepared: Prepared) -> Result<Outcome, Error> {
    let mut judge = Judge::new(options)?;
    let progress = Progress::new(options.time_limit, options.program.quiet, Instant::now());
    examine(options, prepared, &mut judge, &progress)
}

impl Outcome {
    /// All findings with what was judged of them, and the sources that they are in.
    pub(crate) fn judged(&self) -> (&[Finding], &Judged, &Sources) {
        (&self.checked.findings, &self.judged, &self.sources)
    }

    /// The findings that count.
    pub(crate) fn counted(&self) -> impl Iterator<Item = &Finding> {
        let findings = self.checked.findings.iter().zip(&self.judged.standings);
        findings
            .filter(|(_, standing)| standing.counts())
            .map(|(finding, _)| finding)
    }

    /// Whether power failures were emulated for a finding, and did not settle it.
    pub(crate) fn is_undecided(&self) -> bool {
        self.counted().any(|finding| {
            finding.severity == Severity::Warning
                && finding.evidence == Evidence::Located
                && !finding.pairs.is_empty()
        })
    }

    pub(crate) fn has_errors(&self) -> bool {
        self.counted()
            .any(|finding| finding.severity == Severity::Error)
    }
}

/// What was not checked, and why.
pub(crate) fn unchecked(outcome: &Outcome, options: &CheckOptions) -> Option<String> {
    if outcome.death.is_some() || !outcome.checked.interrupted {
        return outcome.unchecked(options.max_instructions);
    }
    let is_late = |limit: f64| outcome.total_seconds >= limit;
    let by = match (limits::is_full(), options.time_limit) {
        (true, _) => " by `--memory-limit`".to_owned(),
        (false, Some(limit)) if is_late(limit) => " by `--time-limit`".to_owned(),
        _ if limits::is_pressed() => String::new(),
        _ => format!(
            " after {} instructions of emulated power failures,",
            outcome.checked.emulated
        ),
    };
    Some(format!(
        "stopped{by} before everything was checked; this is what was found so far"
    ))
}
