//! `brownout check`: find everything.

use std::io::IsTerminal;
use std::ops::Range;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use annotate_snippets::Renderer;
use brownout_diag::{Finding, Rule, Severity};
use brownout_ir::{Global, Program};
use brownout_report::Sources;
use brownout_scenario::{Saves, Scenario};
use brownout_trace::{Checked, Exposure, Object, Request};
use brownout_vm::{Image, Stop, Unobserved};
use serde_json::{Value, json};

use crate::brute_force;
use crate::cli::{CheckFormat, CheckOptions, Color, ProgramOptions};
use crate::console;
use crate::environment::{self, Surroundings};
use crate::error::Error;
use crate::ready::{self, Prepared, Ready};
use crate::static_check::{self, Static};

pub(crate) fn check(options: &CheckOptions) -> Result<ExitCode, Error> {
    let begun = Instant::now();
    let mut program_options = options.program.clone();
    program_options.settings.extend(options.device.settings());
    if options.only_static {
        return check_statically(options, &program_options, begun);
    }
    let prepared = ready::prepare(&program_options, ready::Entry::Needed)?;
    let analysed = analyse(&prepared, options);
    let Ready { scenario, image } = prepared.ready()?;
    if !options.program.quiet {
        console::note(&scenario.assumptions());
        scenario.notes.iter().for_each(|text| console::note(text));
    }
    if options.brute_force {
        return brute_force::run(options, &scenario, &image);
    }
    let request = Request {
        exposure: Exposure::from(scenario.power.policy),
        saved: saved(&image, &scenario),
        atomic_write: scenario.memory.atomic_write,
        aware: aware(image.program(), &scenario),
        evaluate: !options.no_evaluate,
        failures: options.failures,
        jobs: options
            .jobs
            .unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from)),
        limit: options.max_instructions,
    };
    let emulated = Instant::now();
    let interrupt = interrupt(options.time_limit, begun);
    let mut checked = brownout_trace::check(&image, &request, &interrupt, &mut Unobserved);
    let surroundings =
        environment::check(&image, &scenario, options, &checked.findings, &interrupt);
    checked.add(
        &surroundings.findings,
        surroundings.tests,
        surroundings.emulated,
    );
    checked.interrupted |= interrupt();
    let seconds = emulated.elapsed().as_secs_f64();
    static_check::merge(&mut checked.findings, analysed.findings);
    let sources = sources(image.program());
    print(
        options,
        checked,
        &surroundings,
        &scenario,
        &sources,
        seconds,
        begun,
    )
}

/// `--static`: all paths, without running any.
fn check_statically(
    options: &CheckOptions,
    program_options: &ProgramOptions,
    begun: Instant,
) -> Result<ExitCode, Error> {
    let prepared = ready::prepare(program_options, ready::Entry::Optional)?;
    let scenario = &prepared.scenario;
    let analysed = analyse(&prepared, options);
    if !options.program.quiet {
        console::note(&scenario.assumptions());
        scenario.notes.iter().for_each(|text| console::note(text));
        for assumption in &analysed.assumptions {
            console::note(&format!("sound except: {assumption}"));
        }
    }
    let checked = Checked {
        findings: analysed.findings,
        silent: Vec::new(),
        stop: Stop::Exited { status: 0 },
        instructions: 0,
        emulated: 0,
        tests: 0,
        checkpoints: 0,
        interrupted: false,
    };
    let sources = sources(&prepared.program);
    let nothing = Surroundings::default();
    print(options, checked, &nothing, scenario, &sources, 0.0, begun)
}

/// Asks static analysis.
fn analyse(prepared: &Prepared, options: &CheckOptions) -> Static {
    let setting = static_check::setting(prepared, options.restart_at);
    static_check::analyse(&prepared.program, &setting)
}

/// Prints what was found; the exit code.
fn print(
    options: &CheckOptions,
    mut checked: Checked,
    surroundings: &Surroundings,
    scenario: &Scenario,
    sources: &Sources,
    seconds: f64,
    begun: Instant,
) -> Result<ExitCode, Error> {
    choose(&mut checked.findings, &options.only, &options.skip);
    if let Stop::Faulted(fault) = &checked.stop {
        console::line(&format!(
            "error: the program dies even without a power failure: {fault}; it is checked up to there"
        ));
    }
    let complete = matches!(checked.stop, Stop::Exited { .. }) && !checked.interrupted;
    match options.format {
        CheckFormat::Human => {
            let renderer = if colored(options.program.color) {
                Renderer::styled()
            } else {
                Renderer::plain()
            };
            let arguments = replay_arguments(options);
            console::result(options.output.as_deref(), |out| {
                for finding in shown(&checked, options) {
                    writeln!(
                        out,
                        "{}\n",
                        brownout_report::human(finding, sources, &renderer, &arguments)
                    )?;
                }
                for line in surroundings.lines() {
                    writeln!(out, "note: {line}")?;
                }
                Ok(())
            })?;
            if !options.program.quiet {
                console::line(&summary(&checked));
            }
        }
        CheckFormat::Concise => console::result(options.output.as_deref(), |out| {
            for finding in shown(&checked, options) {
                writeln!(out, "{}", brownout_report::concise(finding))?;
            }
            for line in surroundings.lines() {
                writeln!(out, "note: {line}")?;
            }
            Ok(())
        })?,
        CheckFormat::Json => {
            let mut document = document(&checked, options, scenario, complete, seconds, begun);
            surroundings.describe(&mut document);
            console::result(options.output.as_deref(), |out| {
                writeln!(out, "{document:#}")
            })?;
        }
    }
    Ok(finish(&checked, options))
}

/// The arguments of `replay` that mean the same program and device.
fn replay_arguments(options: &CheckOptions) -> String {
    let program = &options.program;
    let mut words: Vec<String> = program
        .inputs
        .iter()
        .map(|path| path.display().to_string())
        .collect();
    let option = |name: &str, value: &Option<String>| {
        value.as_ref().map(|value| format!("--{name} {value}"))
    };
    let config = program
        .config
        .as_ref()
        .map(|path| path.display().to_string());
    words.extend(option("config", &config));
    words.extend(option("target", &program.target));
    words.extend(option("entry", &program.entry));
    let settings = options.device.settings();
    words.extend(
        program
            .settings
            .iter()
            .chain(&settings)
            .map(|setting| setting.option.clone()),
    );
    if !program.clang.is_empty() {
        words.push("--".to_owned());
        words.extend(program.clang.iter().cloned());
    }
    words.join(" ")
}

/// The variables that are meant to change across power failures.
fn aware(program: &Program, scenario: &Scenario) -> Vec<Object> {
    let aware = scenario
        .variables
        .iter()
        .filter(|variable| variable.intermittence_aware);
    aware
        .filter_map(|variable| Object::named(program, &variable.name))
        .collect()
}

/// Whether to stop: the time limit is over, or the user pressed Ctrl-C.
fn interrupt(limit: Option<f64>, begun: Instant) -> impl Fn() -> bool + Sync {
    static PRESSED: AtomicBool = AtomicBool::new(false);
    // Without the handler Ctrl-C ends the process as usual: nothing is lost but the partial result.
    let _ = ctrlc::set_handler(|| PRESSED.store(true, Ordering::Relaxed));
    let limit = limit.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    move || PRESSED.load(Ordering::Relaxed) || limit.is_some_and(|limit| begun.elapsed() >= limit)
}

/// What stops the check from being the whole truth, and the exit code.
fn finish(checked: &Checked, options: &CheckOptions) -> ExitCode {
    let errors = checked
        .findings
        .iter()
        .any(|finding| finding.severity == Severity::Error);
    if checked.interrupted {
        console::line(
            "error: stopped before everything was checked; this is what was found so far",
        );
        return ExitCode::from(2);
    }
    match &checked.stop {
        Stop::Exited { .. } => ExitCode::from(u8::from(errors)),
        Stop::Paused => {
            console::line(&format!(
                "error: the limit of {} instructions was reached (`--max-instructions`); the rest was not checked",
                options.max_instructions
            ));
            ExitCode::from(2)
        }
        // Said at the start.
        Stop::Faulted(_) => ExitCode::from(2),
    }
}

/// The findings to print, silent ones last.
fn shown<'c>(checked: &'c Checked, options: &CheckOptions) -> impl Iterator<Item = &'c Finding> {
    let silent = if options.show_silent {
        checked.silent.as_slice()
    } else {
        &[]
    };
    checked.findings.iter().chain(silent)
}

fn choose(findings: &mut Vec<Finding>, only: &[Rule], skip: &[Rule]) {
    findings.retain(|finding| {
        (only.is_empty() || only.contains(&finding.rule)) && !skip.contains(&finding.rule)
    });
}

/// The offsets that every checkpoint saves.
pub(crate) fn saved(image: &Image, scenario: &Scenario) -> Vec<Range<u32>> {
    let program = image.program();
    let base = image.layout().segments().first().map_or(0, |segment| {
        segment.address - u64::from(segment.offsets.start)
    });
    let range = |global: Global| {
        let start = (image.layout().global(global) - base) as u32;
        start..start + program.globals[global].size as u32
    };
    match &scenario.power.saves {
        Saves::Everything => std::iter::once(0..u32::MAX).collect(),
        Saves::Symbols(names) => program
            .globals
            .iter()
            .filter(|(_, data)| names.contains(&data.name))
            .map(|(global, _)| range(global))
            .collect(),
    }
}

/// The texts of the source files that can still be read.
pub(crate) fn sources(program: &Program) -> Sources {
    program
        .source
        .files
        .values()
        .filter_map(|name| Some((name.clone(), std::fs::read_to_string(name).ok()?)))
        .collect()
}

fn colored(color: Color) -> bool {
    match color {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => {
            std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
                && std::io::stdout().is_terminal()
        }
    }
}

fn summary(checked: &Checked) -> String {
    let count = |severity: Severity| {
        checked
            .findings
            .iter()
            .filter(|finding| finding.severity == severity)
            .count()
    };
    format!(
        "{}, {}; {}, {} emulated ({})",
        plural(count(Severity::Error) as u64, "error"),
        plural(count(Severity::Note) as u64, "note"),
        plural(checked.instructions, "instruction"),
        plural(checked.tests, "power failure"),
        plural(checked.emulated, "instruction"),
    )
}

/// So many of something.
pub(crate) fn plural(count: impl Into<u128>, word: &str) -> String {
    match count.into() {
        1 => format!("1 {word}"),
        count => format!("{count} {word}s"),
    }
}

fn document(
    checked: &Checked,
    options: &CheckOptions,
    scenario: &Scenario,
    complete: bool,
    seconds: f64,
    begun: Instant,
) -> Value {
    json!({
        "format": 1,
        "tool": { "name": "brownout", "version": env!("CARGO_PKG_VERSION") },
        "scenario": scenario_json(scenario),
        "complete": complete,
        "findings": shown(checked, options).map(brownout_report::json_finding).collect::<Vec<_>>(),
        "stats": {
            "instructions": checked.instructions,
            "checkpoints": checked.checkpoints,
            "emulated_failures": checked.tests,
            "emulated_instructions": checked.emulated,
            "emulation_seconds": seconds,
            "total_seconds": begun.elapsed().as_secs_f64(),
        },
    })
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
