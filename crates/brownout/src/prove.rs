//! `brownout prove`: whether any power failure can show.
//!
//! `brownout_verify` proves; what it leaves open is searched for with the machinery of `check`,
//! which replays every failure it reports. Only such a replay is a counterexample.

use std::fmt::Write as _;
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use brownout_device::Prepared;
use brownout_diag::{Finding, plural};
use brownout_flow::{Interrupt, Setting};
use brownout_scenario::Recovery;
use brownout_solver::{Answer, Dumping, Limits, Process, Solver};
use brownout_verdict as verdict;
use brownout_verify::Outcome;
use serde_json::{Value, json};

use crate::check;
use crate::cli::{CheckFormat, CheckOptions, ProveOptions};
use crate::console;
use crate::error::Error;
use crate::limits;
use crate::present;
use crate::ready;

/// How long the solver may take for one question, if the user does not say.
const MILLISECONDS: u64 = 20_000;

/// What was found out about a program.
enum Verdict {
    Proved,
    /// What `check` found, and which of it are counterexamples.
    Counterexample(Box<check::Outcome>, Vec<Finding>),
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
        return Err(brownout_device::Error::NothingNonvolatile.into());
    }
    // The proof has all the time that there is.
    let setting = Setting {
        interrupt: Interrupt(limits::is_up),
        ..verdict::prove::setting(&prepared)
    };
    let outcome = {
        let mut solver = solver(options.solver.as_deref(), options.solver_time);
        let solver: &mut dyn Solver = &mut *solver;
        attempt(&prepared, &setting, solver, options.dump_smt.as_deref())?
    };
    let words = Words {
        scenario: check::scenario_json(&prepared.scenario),
        reason: verdict::prove::reasons(&prepared, &setting, &outcome)?,
    };
    let verdict = match outcome.is_proved() {
        true => Verdict::Proved,
        false => search(options, prepared, &outcome, &words)?,
    };
    print(options, &outcome, &words, &verdict, begun)?;
    Ok(ExitCode::from(match verdict {
        Verdict::Proved => 0,
        Verdict::Counterexample(..) => 1,
        Verdict::Unknown(_) => 2,
    }))
}

/// Proves, and writes down what the solver is asked if that is wanted.
fn attempt(
    prepared: &Prepared,
    setting: &Setting,
    solver: &mut dyn Solver,
    folder: Option<&Path>,
) -> Result<Outcome, Error> {
    let Some(folder) = folder else {
        return Ok(verdict::prove::prove(prepared, setting, solver)?);
    };
    std::fs::create_dir_all(folder).map_err(|source| Error::File {
        path: folder.to_owned(),
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
        verdict::prove::prove(prepared, setting, &mut dumping)?
    };
    match failed {
        Some(error) => Err(error),
        None => Ok(outcome),
    }
}

/// Solvers that are asked if the user names none, those that do best first.
const SOLVERS: [&[&str]; 3] = [
    &["bitwuzla", "--lang", "smt2", "-"],
    &["z3", "-in"],
    &["cvc5", "--lang", "smt2", "--incremental"],
];

/// The solver that was asked for, else the embedded one, else the first one that is installed.
pub(crate) fn solver(command: Option<&str>, milliseconds: Option<u64>) -> Box<dyn Solver> {
    let time = Duration::from_millis(milliseconds.unwrap_or(MILLISECONDS));
    let limits = Limits {
        time,
        ..Limits::default()
    };
    #[cfg(feature = "embedded-solver")]
    if command.is_none() {
        return Box::new(brownout_solver::Embedded::new(limits).until(limits::is_up));
    }
    let words = match command {
        Some(command) => shlex::split(command).unwrap_or_else(|| vec![command.to_owned()]),
        None => {
            let path = std::env::var_os("PATH").unwrap_or_default();
            let is_installed =
                |name: &str| std::env::split_paths(&path).any(|folder| folder.join(name).is_file());
            let mut installed = SOLVERS.iter().filter(|words| is_installed(words[0]));
            let chosen = installed.next().unwrap_or(&SOLVERS[1]);
            chosen.iter().map(|word| (*word).to_owned()).collect()
        }
    };
    Box::new(Process::new(words, limits).until(limits::is_up))
}

/// Looks for a failure that really shows, with the numbers of the solver's examples first.
fn search(
    options: &ProveOptions,
    prepared: Prepared,
    proof: &Outcome,
    words: &Words,
) -> Result<Verdict, Error> {
    let examples = proof.open.iter().flat_map(|open| &open.example);
    let check_options = CheckOptions {
        suggested: Some(examples.copied().collect()),
        ..options.check.clone()
    };
    let outcome = check::searched(&check_options, prepared)?;
    let harm = verdict::prove::counterexamples(outcome.counted());
    Ok(match harm.is_empty() {
        true => Verdict::Unknown(words.reason.clone()),
        false => Verdict::Counterexample(Box::new(outcome), harm),
    })
}

/// What is said about an outcome.
struct Words {
    scenario: Value,
    /// Why nothing was proved.
    reason: String,
}

fn print(
    options: &ProveOptions,
    outcome: &Outcome,
    words: &Words,
    verdict: &Verdict,
    begun: Instant,
) -> Result<(), Error> {
    let text = match options.check.format {
        CheckFormat::Json => {
            let mut text = document(outcome, words, verdict).to_string();
            text.push('\n');
            text
        }
        _ => human(options, outcome, verdict, begun),
    };
    console::result(options.check.output.as_deref(), |out| {
        out.write_all(text.as_bytes())
    })
}

fn document(outcome: &Outcome, words: &Words, verdict: &Verdict) -> Value {
    let (name, reason, findings) = match verdict {
        Verdict::Proved => ("proved", Value::Null, vec![]),
        Verdict::Counterexample(_, findings) => {
            let findings = findings.iter().map(brownout_report::json_finding).collect();
            ("counterexample", Value::Null, findings)
        }
        Verdict::Unknown(reason) => ("unknown", reason.as_str().into(), vec![]),
    };
    json!({
        "format": 1,
        "tool": { "name": "brownout", "version": env!("CARGO_PKG_VERSION") },
        "scenario": words.scenario,
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
    })
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
