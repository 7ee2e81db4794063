//! `brownout prove`: whether any power failure can show.
//!
//! `brownout_verify` proves. What its sets leave open is emulated before a solver is asked, because a program that
//! is wrong shows that at once, and what the solver leaves open is searched for; both with the machinery of `check`,
//! which replays every failure it reports. Only such a replay is a counterexample.

use std::fmt::Write as _;
use std::process::ExitCode;
use std::time::Instant;

use brownout_device::Prepared;
use brownout_diag::{Finding, plural};
use brownout_flow::{Interrupt, Setting};
use brownout_scenario::Recovery;
use brownout_solver::{Answer, Dumping, Solver};
use brownout_verdict::{self as verdict, Effort};
use brownout_verify::Outcome;
use serde_json::{Value, json};

use crate::cli::{CheckFormat, CheckOptions, ProveOptions};
use crate::console;
use crate::document;
use crate::error::Error;
use crate::examined::{self, searched, tell};
use crate::limits;
use crate::present;
use crate::ready;
use crate::solvers;

/// How many instructions of a program are emulated before a solver is asked: the first rounds of its loops.
const GLANCE: u64 = 50_000;

/// The part of the time limit that this may take.
const GLANCE_TIME: f64 = 0.25;

/// What was found out about a program.
enum Verdict {
    Proved,
    /// What `check` found, and which of it are counterexamples.
    Counterexample(Box<examined::Outcome>, Vec<Finding>),
    /// Why nobody knows.
    Unknown(String),
}

pub(crate) fn prove(options: &ProveOptions) -> Result<ExitCode, Error> {
    let begun = Instant::now();
    limits::keyboard();
    limits::time(options.check.time_limit, begun);
    let mut program_options = options.check.program.clone();
    program_options
        .settings
        .extend(options.check.device.settings());
    let prepared = ready::prepare(&program_options, brownout_device::Entry::Optional)?;
    if !options.check.program.quiet {
        console::note(&brownout_device::assumptions(
            &prepared.scenario,
            &prepared.program,
        ));
    }
    if prepared.start.is_some()
        && prepared.scenario.power.policy.recovery() == Recovery::Restart
        && prepared.scenario.memory.is_assumed
    {
        return Err(
            brownout_device::Error::NothingNonvolatile(prepared.scenario.memory.doubts).into(),
        );
    }
    // The proof has all the time that there is.
    let setting = Setting {
        interrupt: Interrupt(limits::is_up),
        ..verdict::prove::setting(&prepared)
    };
    let mut seen = None;
    let outcome = attempt(options, &prepared, &setting, || {
        seen = glance(options, &prepared);
        seen.is_none()
    })?;
    let scenario = document::scenario(&prepared.scenario);
    let verdict = match (outcome.is_proved(), seen) {
        (true, _) => Verdict::Proved,
        (false, Some(counterexample)) => counterexample,
        (false, None) => search(options, prepared, &setting, &outcome)?,
    };
    print(options, &outcome, scenario, &verdict, begun)?;
    Ok(ExitCode::from(match verdict {
        Verdict::Proved => 0,
        Verdict::Counterexample(..) => 1,
        Verdict::Unknown(_) => 2,
    }))
}

/// Proves, and writes down what the solver is asked if that is wanted. If one is needed, `is_worth_it` tells whether
/// it is asked at all.
fn attempt(
    options: &ProveOptions,
    prepared: &Prepared,
    setting: &Setting,
    is_worth_it: impl FnOnce() -> bool,
) -> Result<Outcome, Error> {
    let mut solver = solvers::solver(options.solver.as_deref(), options.solver_time);
    let solver: &mut dyn Solver = &mut *solver;
    let Some(folder) = &options.dump_smt else {
        let solver = || is_worth_it().then_some(solver);
        return Ok(verdict::prove::prove(prepared, setting, solver)?);
    };
    std::fs::create_dir_all(folder).map_err(|source| Error::File {
        path: folder.clone(),
        error: source,
    })?;
    let (mut count, mut failed) = (0, None);
    let outcome = {
        let mut told = |text: &str, _: &Answer| {
            count += 1;
            let path = folder.join(format!("{count:04}.smt2"));
            if let Err(source) = std::fs::write(&path, text) {
                failed = Some(Error::File {
                    path,
                    error: source,
                });
            }
        };
        let mut dumping = Dumping::new(solver, &mut told);
        let solver = || is_worth_it().then_some(&mut dumping as &mut dyn Solver);
        verdict::prove::prove(prepared, setting, solver)?
    };
    match failed {
        Some(error) => Err(error),
        None => Ok(outcome),
    }
}

/// Looks for a failure that really shows, as far as that takes no time worth speaking of.
fn glance(options: &ProveOptions, prepared: &Prepared) -> Option<Verdict> {
    let options = CheckOptions {
        effort: Effort::Slight,
        max_instructions: options.check.max_instructions.min(GLANCE),
        time_limit: options.check.time_limit.map(|limit| limit * GLANCE_TIME),
        ..options.check.clone()
    };
    // What cannot be executed can still be proved.
    let outcome = searched(&options, prepared.clone()).ok()?;
    let harm = verdict::prove::counterexamples(outcome.counted());
    if harm.is_empty() {
        return None;
    }
    tell(&options, &outcome);
    Some(Verdict::Counterexample(Box::new(outcome), harm))
}

/// Looks for a failure that really shows, with the numbers of the solver's examples first.
fn search(
    options: &ProveOptions,
    prepared: Prepared,
    setting: &Setting,
    proof: &Outcome,
) -> Result<Verdict, Error> {
    let reason = verdict::prove::reasons(&prepared, setting, proof)?;
    let examples = proof.open.iter().flat_map(|open| &open.example);
    let check_options = CheckOptions {
        suggested: Some(examples.copied().collect()),
        ..options.check.clone()
    };
    let outcome = searched(&check_options, prepared)?;
    tell(&check_options, &outcome);
    let harm = verdict::prove::counterexamples(outcome.counted());
    Ok(match harm.is_empty() {
        true => Verdict::Unknown(reason),
        false => Verdict::Counterexample(Box::new(outcome), harm),
    })
}

fn print(
    options: &ProveOptions,
    outcome: &Outcome,
    scenario: Value,
    verdict: &Verdict,
    begun: Instant,
) -> Result<(), Error> {
    let text = match options.check.format {
        CheckFormat::Json => {
            let mut text = document(outcome, scenario, verdict).to_string();
            text.push('\n');
            text
        }
        _ => human(options, outcome, verdict, begun),
    };
    console::result(options.check.output.as_deref(), |out| {
        out.write_all(text.as_bytes())
    })
}

fn document(outcome: &Outcome, scenario: Value, verdict: &Verdict) -> Value {
    let (name, reason, findings) = match verdict {
        Verdict::Proved => ("proved", Value::Null, vec![]),
        Verdict::Counterexample(_, findings) => {
            let findings = findings.iter().map(brownout_report::json_finding).collect();
            ("counterexample", Value::Null, findings)
        }
        Verdict::Unknown(reason) => ("unknown", reason.as_str().into(), vec![]),
    };
    document::of(json!({
        "scenario": scenario,
        "verdict": name,
        "reason": reason,
        "assumptions": outcome.assumptions,
        "regions": outcome.regions,
        "obligations": {
            "total": outcome.obligations.total,
            "dataflow": outcome.obligations.dataflow,
            "solver": outcome.obligations.solver,
        },
        "findings": findings,
    }))
}

fn human(options: &ProveOptions, outcome: &Outcome, verdict: &Verdict, begun: Instant) -> String {
    let files: Vec<String> = options
        .check
        .program
        .inputs
        .iter()
        .map(|path| path.display().to_string())
        .collect();
    let files = files.join(", ");
    let mut text = match verdict {
        Verdict::Proved => format!("proved: {files} behaves as if power never failed\n"),
        Verdict::Counterexample(searched, findings) => {
            let shown = present::findings(&options.check, searched, findings.iter().collect());
            let shown = shown.concat();
            format!("{shown}counterexample: power failures change what {files} does\n")
        }
        Verdict::Unknown(reason) => format!("unknown: {reason}\n"),
    };
    let obligations = &outcome.obligations;
    let _ = writeln!(
        text,
        "  {}, {}, {} ({} by dataflow, {} by the solver), {:.1} s",
        plural(outcome.checkpoints as u64, "checkpoint"),
        plural(outcome.regions as u64, "region"),
        plural(obligations.total as u64, "obligation"),
        obligations.dataflow,
        obligations.solver,
        begun.elapsed().as_secs_f64(),
    );
    for assumption in &outcome.assumptions {
        let _ = writeln!(text, "  assumes: {assumption}");
    }
    text
}
