//! `brownout prove`: whether any power failure can show.
//!
//! `brownout_verify` proves; what it leaves open is searched for with the machinery of `check`,
//! which replays every failure it reports. Only such a replay is a counterexample.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use brownout_diag::{Evidence, Finding, Rule, Severity};
use brownout_flow::supergraph::Reason;
use brownout_flow::{Model, Setting};
use brownout_ir::{Callee, Func, Op, Service};
use brownout_scenario::Policy;
use brownout_solver::{Answer, Dumping, Limits, Process, Solver};
use brownout_verify::{Difference, Open, Outcome, Prover, Why};
use serde_json::{Value, json};

use crate::check::{self, plural};
use crate::cli::{CheckFormat, CheckOptions, ProveOptions};
use crate::console;
use crate::error::Error;
use crate::limits;
use crate::present;
use crate::ready::{self, Prepared};

mod question;

pub(crate) use question::{program, question, setting};

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
    let prepared = ready::prepare(&program_options, ready::Entry::Optional)?;
    if !options.check.program.quiet {
        console::note(&ready::assumptions(&prepared.scenario, &prepared.program));
    }
    if prepared.start.is_some()
        && prepared.scenario.power.policy == Policy::Restart
        && prepared.scenario.memory.is_assumed
    {
        return Err(Error::NothingNonvolatile);
    }
    let setting = setting(&prepared);
    let program = program(&prepared);
    let model = Model::new(&program, &setting);
    let outcome = {
        let mut solver = solver(options.solver.as_deref(), options.solver_time);
        let solver: &mut dyn Solver = &mut *solver;
        attempt(&prepared, &model, solver, options.dump_smt.as_deref())?
    };
    let words = Words::new(&prepared, &model, &outcome);
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

/// The functions whose stack objects are to stay memory: those that may be in progress at a checkpoint,
/// if some checkpoint does not restore all volatile state.
fn unpromoted(prepared: &Prepared) -> BTreeSet<Func> {
    match prepared.bindings.retained.is_empty() {
        true => BTreeSet::new(),
        false => in_progress_at_checkpoints(prepared),
    }
}

/// The functions that may be in progress when a checkpoint commits.
pub(crate) fn in_progress_at_checkpoints(prepared: &Prepared) -> BTreeSet<Func> {
    let Prepared {
        program, scenario, ..
    } = prepared;
    let commits = |func: Func| {
        let name = &program.functions[func].name;
        scenario.power.checkpoints.contains(name)
    };
    let mut found: BTreeSet<Func> = BTreeSet::new();
    loop {
        let before = found.len();
        for (func, function) in program.functions.iter() {
            let blocks = function.body.iter().flat_map(|body| body.blocks.values());
            let mut insts = blocks.flat_map(|block| &block.insts);
            let leads_there = insts.any(|inst| match &inst.op {
                Op::Service { service, .. } => *service == Service::CheckpointWith,
                Op::Call { callee, .. } => match callee {
                    Callee::Direct(callee) => commits(*callee) || found.contains(callee),
                    Callee::Indirect(_) => true,
                },
                _ => false,
            });
            if leads_there {
                found.insert(func);
            }
        }
        if found.len() == before {
            return found;
        }
    }
}

/// Proves, and writes down what the solver is asked if that is wanted.
fn attempt(
    prepared: &Prepared,
    model: &Model<'_>,
    solver: &mut dyn Solver,
    folder: Option<&Path>,
) -> Result<Outcome, Error> {
    let regions = brownout_flow::regions(model);
    let question = question(prepared, model.setting);
    let prover = Prover::new(model, &question, &regions);
    let Some(folder) = folder else {
        return Ok(prover.prove(Some(solver)));
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
        prover.prove(Some(&mut dumping))
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
    let harm = outcome.counted().filter(|finding| {
        finding.severity == Severity::Error
            && finding.evidence == Evidence::Confirmed
            && finding.replay.is_some()
            && is_about_repetition(finding.rule)
    });
    let mut harm: Vec<Finding> = harm.cloned().collect();
    harm.sort_by(|a, b| a.identity().cmp(&b.identity()));
    // The first of each region is enough.
    let mut regions = BTreeSet::new();
    harm.retain(|finding| regions.insert(finding.related.clone()));
    Ok(match harm.is_empty() {
        true => Verdict::Unknown(words.reason.clone()),
        false => Verdict::Counterexample(Box::new(outcome), harm),
    })
}

/// Whether a rule is about what repeating a region does; ages of readings and settings of peripherals
/// are assumptions of the proof.
fn is_about_repetition(rule: Rule) -> bool {
    !matches!(
        rule,
        Rule::StaleInput | Rule::PeripheralState | Rule::HeapLeak
    )
}

/// The starts of regions in which nothing that static analysis suspects of a program can happen.
pub(crate) fn refuted(prepared: &Prepared, suspected: &Model<'_>) -> BTreeSet<Reason> {
    // A proof takes more for an input than a suspicion does.
    let setting = Setting {
        device_inputs: true,
        unpromoted: unpromoted(prepared),
        ..suspected.setting.clone()
    };
    let model = Model::new(&prepared.program, &setting);
    if model.contexts.instances.len() != suspected.contexts.instances.len() {
        return BTreeSet::new();
    }
    let regions = brownout_flow::regions(&model);
    let question = question(prepared, &setting);
    let prover = Prover::new(&model, &question, &regions);
    let mut solver = solver(None, None);
    let proved = regions.iter().filter(|region| {
        let contents = prover.contents(region);
        let proved = prover.region(region, &contents, Some(&mut *solver));
        proved.open.is_none()
    });
    proved.map(|region| region.start.reason).collect()
}

/// What is said about an outcome.
struct Words {
    scenario: Value,
    /// Why nothing was proved.
    reason: String,
}

impl Words {
    fn new(prepared: &Prepared, model: &Model<'_>, outcome: &Outcome) -> Self {
        // What holds of the whole program is said once.
        let mut said = BTreeSet::new();
        let new = outcome.open.iter().filter(|open| match &open.why {
            Why::Unsupported(what) => said.insert(what),
            Why::Shows | Why::Limit(_) | Why::NoSolver => true,
        });
        let reasons: Vec<String> = new.map(|open| reason(model, open)).collect();
        Self {
            scenario: check::scenario_json(&prepared.scenario),
            reason: reasons.join("; "),
        }
    }
}

/// Why an obligation is open, in words.
pub(crate) fn reason(model: &Model<'_>, open: &Open) -> String {
    let place = match open.start {
        Reason::Checkpoint(site) => model.source_place(site),
        Reason::Entry | Reason::Function(_) | Reason::Input(_) => None,
    };
    let mut text = match (&open.start, place) {
        (Reason::Checkpoint(_), Some(place)) => {
            format!("after the checkpoint at {}:{}", place.file, place.line)
        }
        (Reason::Function(instance), _) => {
            format!(
                "in `{}`",
                model.program.functions[model.func(*instance)].name
            )
        }
        _ => "from the start of the program".to_owned(),
    };
    let about = match listed(model, &open.cells) {
        names if names.is_empty() => String::new(),
        names => format!(" ({names})"),
    };
    let _ = match &open.why {
        Why::Shows => {
            let failure = open.failure.and_then(|site| model.source_place(site));
            let at = failure.map_or_else(String::new, |place| format!(" at line {}", place.line));
            let shown = shown(model, &open.shown).map_or_else(String::new, |it| format!(": {it}"));
            write!(
                text,
                ": not repeatable when power fails{at}{shown}; but no execution was found that shows harm"
            )
        }
        Why::Limit(why) => write!(text, "{about}: the solver gave up: {why}"),
        Why::NoSolver => write!(text, "{about}: there is no solver"),
        Why::Unsupported(what) => write!(text, "{about}: {what}: not supported by the proof"),
    };
    text
}

/// The first names of some cells.
fn listed(model: &Model<'_>, cells: &[u32]) -> String {
    let names: BTreeSet<String> = cells.iter().map(|cell| model.object(*cell).name).collect();
    let names = names.iter().take(3).map(|name| format!("`{name}`"));
    names.collect::<Vec<_>>().join(", ")
}

/// What differs in the solver's example: what is in memory first, because users have a name for it.
fn shown(model: &Model<'_>, shown: &[Difference]) -> Option<String> {
    let cells = shown.iter().filter_map(|difference| match difference {
        Difference::Cell(cell) => Some(*cell),
        _ => None,
    });
    let cells: Vec<u32> = cells.collect();
    if !cells.is_empty() {
        return Some(format!("{} can differ", listed(model, &cells)));
    }
    let text = match shown.first()? {
        Difference::Cell(_) => return None,
        Difference::Register => "a value in a register can differ",
        Difference::Output => "outputs can differ",
        Difference::Way => "another checkpoint can come next",
        Difference::Fault => "the next attempt can fault",
        Difference::Loop => "a loop of unknown length can find something else",
    };
    Some(text.to_owned())
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
