//! `brownout check`: find everything.

use std::ops::Deref;
use std::process::ExitCode;
use std::time::Instant;

use brownout_device::Prepared;
use brownout_diag::{Evidence, Finding, Severity};
use brownout_flow::Restart;
use brownout_ir::Program;
use brownout_report::Sources;
use brownout_scenario::{Recovery, Scenario};
use brownout_verdict::{self as verdict, Options, ProgramFault};
use serde_json::{Value, json};

use crate::brute_force;
use crate::cli::{CheckFormat, CheckOptions};
use crate::console;
use crate::error::Error;
use crate::judge::{Judge, Judged};
use crate::limits;
use crate::present;
use crate::progress::Progress;
use crate::prove;
use crate::ready;

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

pub(crate) fn check(options: &CheckOptions) -> Result<ExitCode, Error> {
    let begun = Instant::now();
    let mut program_options = options.program.clone();
    program_options.settings.extend(options.device.settings());
    let mut judge = Judge::new(options)?;
    let progress = Progress::new(options.time_limit, options.program.quiet, begun);
    if options.brute_force {
        let ready = ready::ready(&program_options)?;
        if !options.program.quiet {
            console::note(&brownout_device::assumptions(
                &ready.scenario,
                ready.image.program(),
            ));
        }
        return brute_force::run(options, &ready.scenario, &ready.image, &progress);
    }
    let mut outcomes = Vec::new();
    for prepared in ready::prepare_all(&program_options, brownout_device::Entry::Optional)? {
        if !options.program.quiet && options.format != CheckFormat::Concise {
            let assumptions = brownout_device::assumptions(&prepared.scenario, &prepared.program);
            console::note(&format!("{}{assumptions}", prepared.title.prefix()));
        }
        let outcome = examine(options, prepared, &mut judge, &progress)?;
        tell(options, &outcome);
        outcomes.push(outcome);
    }
    judge.write_baseline(&outcomes)?;
    present::present(options, &outcomes, &judge.remarks())?;
    let mut has_errors = outcomes.iter().any(Outcome::has_errors);
    let mut is_settled = !outcomes.iter().any(Outcome::is_undecided);
    for outcome in &outcomes {
        for (expression, id) in &outcome.breakable {
            console::line(&format!(
                "error: a power failure breaks {expression}, see `brownout replay {id}`"
            ));
            has_errors = true;
        }
        for broken in &outcome.broken {
            let place = broken.place.as_ref();
            let place = place.map_or_else(String::new, |place| {
                format!(" at {}:{}", place.file, place.line)
            });
            console::line(&format!(
                "error: {} does not hold{place}, even without a power failure",
                broken.expression
            ));
            is_settled = false;
        }
        if outcome.is_unfinished {
            let why = limits::why_half_up();
            console::line(&format!(
                "error: {why}: what other paths than the executed ones do was not checked"
            ));
            is_settled = false;
        }
        // The summary names these lines.
        is_settled &= outcome.unwritten.is_empty();
        for unknown in &outcome.unknown {
            console::line(&format!("error: {unknown}"));
            is_settled = false;
        }
        if let Some(overrun) = &outcome.overrun {
            print_fault("warning", overrun);
        }
        let several = options.failures.is_some_and(|failures| failures > 1);
        if several && outcome.scenario.power.policy.recovery() == Recovery::Restart {
            console::line(
                "error: under policy `restart` power fails once per execution; more than that (`--failures`) was not checked",
            );
            is_settled = false;
        }
        if let Some(text) = unchecked(outcome, options) {
            console::line(&format!("error: {}{text}", outcome.title.prefix()));
            let places = outcome.death.iter().flat_map(|death| &death.backtrace);
            places.for_each(|line| console::line(line));
            is_settled = false;
        }
    }
    Ok(ExitCode::from(match (has_errors, is_settled) {
        (true, _) => 1,
        (false, false) => 2,
        (false, true) => 0,
    }))
}

/// Checks one program.
fn examine(
    options: &CheckOptions,
    prepared: Prepared,
    judge: &mut Judge<'_>,
    progress: &Progress,
) -> Result<Outcome, Error> {
    let sources = sources(&prepared.program);
    let solver = || prove::solver(None, None);
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
    /// The findings that count.
    pub(crate) fn counted(&self) -> impl Iterator<Item = &Finding> {
        let findings = self.checked.findings.iter().zip(&self.judged.standings);
        findings
            .filter(|(_, standing)| standing.counts())
            .map(|(finding, _)| finding)
    }

    /// Whether power failures were emulated for a finding, and did not settle it.
    fn is_undecided(&self) -> bool {
        self.counted().any(|finding| {
            finding.severity == Severity::Warning
                && finding.evidence == Evidence::Located
                && !finding.pairs.is_empty()
        })
    }

    fn has_errors(&self) -> bool {
        self.counted()
            .any(|finding| finding.severity == Severity::Error)
    }
}

/// Says what the program does wrong by itself, with its place.
fn print_fault(severity: &str, fault: &ProgramFault) {
    console::line(&format!("{severity}: {}", fault.message));
    fault.backtrace.iter().for_each(|line| console::line(line));
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

/// The texts of the source files that can still be read.
pub(crate) fn sources(program: &Program) -> Sources {
    program
        .source
        .files
        .values()
        .filter_map(|name| Some((name.clone(), shown(&std::fs::read(name).ok()?))))
        .collect()
}

/// A source as it is shown. Compilers count bytes: what is no UTF-8, as in comments of old files, is one
/// question mark for each, so that columns stay what they are.
fn shown(bytes: &[u8]) -> String {
    let chunks = bytes.utf8_chunks();
    let texts =
        chunks.flat_map(|chunk| [chunk.valid().to_owned(), "?".repeat(chunk.invalid().len())]);
    texts.collect()
}

/// The assumptions in force, for documents.
pub(crate) fn scenario_json(scenario: &Scenario) -> Value {
    json!({
        "policy": scenario.power.policy.name(),
        "nonvolatile": scenario.memory.nonvolatile,
        "execution_depth": scenario.power.policy.execution_depth(),
        "target": scenario.target,
    })
}
