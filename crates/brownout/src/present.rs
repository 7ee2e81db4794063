//! The result of a check in every format.

use std::io::IsTerminal;
use std::path::PathBuf;

use annotate_snippets::Renderer;
use brownout_diag::Finding;
use brownout_report::{Detail, Document, Entry, Overview, Standing, Totals};
use brownout_trace::Checked;
use serde_json::{Value, json};

use crate::check::{self, Outcome};
use crate::cli::{CheckFormat, CheckOptions, Color, ProgramOptions, Setting};
use crate::console;
use crate::error::Error;
use crate::occasions::{self, Occasions};
use crate::stories::{self, Stories};

/// Prints the result; what is no result goes to stderr. `complaints` are about comments and baseline.
pub(crate) fn present(
    options: &CheckOptions,
    outcomes: &[Outcome],
    complaints: &[String],
) -> Result<(), Error> {
    let text = match options.format {
        CheckFormat::Human => outcomes
            .iter()
            .map(|outcome| human(options, outcome))
            .collect(),
        CheckFormat::Concise => outcomes
            .iter()
            .flat_map(|outcome| {
                let findings = shown(outcome, options);
                findings.map(|finding| brownout_report::concise(finding) + "\n")
            })
            .collect(),
        CheckFormat::Json => format!("{:#}\n", json(options, outcomes)),
        CheckFormat::Sarif | CheckFormat::Html => {
            let all: Vec<Material<'_>> = outcomes
                .iter()
                .map(|outcome| Material {
                    outcome,
                    stories: stories::of(outcome, options),
                    occasions: match options.format {
                        CheckFormat::Html => occasions::of(outcome),
                        _ => Occasions::default(),
                    },
                    remarks: remarks(options, outcome, complaints),
                })
                .collect();
            let documents: Vec<Document<'_>> = all.iter().map(document).collect();
            match options.format {
                CheckFormat::Html => brownout_report::html(&documents),
                _ => format!("{:#}\n", brownout_report::sarif(&documents)),
            }
        }
    };
    console::result(options.output.as_deref(), |out| {
        out.write_all(text.as_bytes())
    })?;
    if options.program.quiet {
        return Ok(());
    }
    complaints.iter().for_each(|text| console::line(text));
    for outcome in outcomes {
        match options.format {
            CheckFormat::Human => console::line(&summary(outcome)),
            // A line for each finding, and nothing else.
            CheckFormat::Concise => {}
            CheckFormat::Json | CheckFormat::Sarif | CheckFormat::Html => {
                let notes = outcome.scenario.notes.iter();
                notes.for_each(|text| console::note(text));
            }
        }
    }
    Ok(())
}

fn human(options: &CheckOptions, outcome: &Outcome) -> String {
    let renderer = if is_colored(options) {
        Renderer::styled()
    } else {
        Renderer::plain()
    };
    let detail = if options.program.verbose {
        Detail::Everything
    } else {
        Detail::Usual
    };
    let arguments = replay_arguments(options, outcome);
    shown(outcome, options)
        .map(|finding| {
            let text =
                brownout_report::human(finding, &outcome.sources, &renderer, &arguments, detail);
            text + "\n\n"
        })
        .chain(tables(outcome).filter(|_| options.program.verbose))
        .collect()
}

/// How inputs and outputs behave, a line for each.
fn tables(outcome: &Outcome) -> impl Iterator<Item = String> {
    let lines = outcome.surroundings.lines().into_iter();
    lines.map(|line| format!("note: {line}\n"))
}

/// The findings to print, silent ones last.
fn shown<'o>(
    outcome: &'o Outcome,
    options: &CheckOptions,
) -> impl Iterator<Item = &'o Finding> + use<'o> {
    let silent = if options.show_silent || options.program.verbose {
        outcome.checked.silent.as_slice()
    } else {
        &[]
    };
    outcome.counted().chain(silent)
}

fn summary(outcome: &Outcome) -> String {
    let Outcome {
        checked, judged, ..
    } = outcome;
    let count = |which: fn(&Standing) -> bool| {
        judged
            .standings
            .iter()
            .filter(|standing| which(standing))
            .count()
    };
    brownout_report::summary(&Totals {
        program: outcome.name.as_deref(),
        incomplete: !outcome.is_complete(),
        findings: outcome.counted().collect(),
        known: count(|standing| matches!(standing, Standing::Known)),
        allowed: count(|standing| matches!(standing, Standing::Allowed { .. })),
        untouched: judged.untouched,
        assumed: &outcome.scenario.notes,
        except: &outcome.except,
        unexecuted: &outcome.unexecuted,
        instructions: checked.instructions,
        checkpoints: checked.checkpoints,
        failures: checked.tests,
        emulated: checked.emulated,
    })
}

/// What there is to say about the check as a whole.
fn remarks(options: &CheckOptions, outcome: &Outcome, complaints: &[String]) -> Vec<String> {
    let scenario = &outcome.scenario;
    std::iter::once(scenario.assumptions())
        .chain(scenario.notes.iter().cloned())
        .chain(
            outcome
                .except
                .iter()
                .map(|text| format!("sound except: {text}")),
        )
        .chain(complaints.iter().cloned())
        .chain(check::unchecked(outcome, options))
        .collect()
}

/// What a document about an outcome is made from.
struct Material<'o> {
    outcome: &'o Outcome,
    stories: Stories,
    occasions: Occasions,
    remarks: Vec<String>,
}

fn document<'d>(material: &'d Material<'_>) -> Document<'d> {
    let Material {
        outcome,
        stories,
        occasions,
        remarks,
    } = material;
    let judged = &outcome.judged;
    let standings = judged.standings.iter().zip(&judged.fingerprints);
    let entries = outcome.checked.findings.iter().zip(standings);
    Document {
        program: outcome.name.as_deref(),
        version: env!("CARGO_PKG_VERSION"),
        complete: outcome.is_complete(),
        remarks,
        sources: &outcome.sources,
        overview: Overview {
            instructions: outcome.checked.instructions,
            failures: outcome.checked.tests,
            commits: outcome.commits.clone(),
            depth: outcome.scenario.power.policy.execution_depth(),
        },
        entries: entries
            .map(|(finding, (standing, fingerprint))| Entry {
                finding,
                fingerprint: fingerprint.clone(),
                first_executed: occasions.of(finding),
                story: stories.get(finding),
                standing: standing.clone(),
            })
            .collect(),
    }
}

/// One document. With several programs, each finding says which one it is in, and there is a list
/// of them.
fn json(options: &CheckOptions, outcomes: &[Outcome]) -> Value {
    let findings = outcomes.iter().flat_map(|outcome| {
        shown(outcome, options).map(|finding| {
            let mut value = brownout_report::json_finding(finding);
            if let Some(name) = &outcome.name {
                value["program"] = name.clone().into();
            }
            value
        })
    });
    let sum = |figure: fn(&Checked) -> u64| -> u64 {
        outcomes
            .iter()
            .map(|outcome| figure(&outcome.checked))
            .sum()
    };
    let analysis: f64 = outcomes
        .iter()
        .map(|outcome| outcome.analysis_seconds)
        .sum();
    let emulation: f64 = outcomes
        .iter()
        .map(|outcome| outcome.emulation_seconds)
        .sum();
    let scenarios: Vec<Value> = outcomes
        .iter()
        .map(|outcome| check::scenario_json(&outcome.scenario))
        .collect();
    let mut document = json!({
        "format": 1,
        "tool": { "name": "brownout", "version": env!("CARGO_PKG_VERSION") },
        "scenario": scenarios.first(),
        "complete": outcomes.iter().all(Outcome::is_complete),
        "findings": findings.collect::<Vec<_>>(),
        "stats": {
            "instructions": sum(|checked| checked.instructions),
            "checkpoints": sum(|checked| checked.checkpoints),
            "emulated_failures": sum(|checked| checked.tests),
            "emulated_instructions": sum(|checked| checked.emulated),
            "analysis_seconds": analysis,
            "emulation_seconds": emulation,
            "total_seconds": outcomes.last().map(|outcome| outcome.total_seconds),
        },
    });
    let faults = outcomes
        .iter()
        .flat_map(|outcome| outcome.death.iter().chain(&outcome.overrun));
    let faults: Vec<Value> = faults.map(|fault| fault.json()).collect();
    if !faults.is_empty() {
        document["faults"] = faults.into();
    }
    // Tables are about one program; with several, the first one's are shown.
    if let Some(outcome) = outcomes.first() {
        outcome.surroundings.describe(&mut document);
    }
    if outcomes.len() > 1 {
        let programs = outcomes.iter().zip(&scenarios).map(|(outcome, scenario)| {
            json!({
                "name": outcome.name,
                "scenario": scenario,
                "complete": outcome.is_complete(),
                "instructions": outcome.checked.instructions,
            })
        });
        document["programs"] = programs.collect();
    }
    document
}

/// The arguments of `replay` that mean the same program and device, as a shell takes them.
fn replay_arguments(options: &CheckOptions, outcome: &Outcome) -> String {
    let device = options.device.settings();
    arguments(&options.program, outcome.name.as_ref(), &device)
}

/// The arguments that mean a program, with settings beyond those that it has.
pub(crate) fn arguments(
    program: &ProgramOptions,
    name: Option<&String>,
    settings: &[Setting],
) -> String {
    let mut words: Vec<String> = program
        .inputs
        .iter()
        .map(|path| path.display().to_string())
        .collect();
    let path = |path: &Option<PathBuf>| path.as_ref().map(|path| path.display().to_string());
    let given = [
        ("-p", path(&program.project)),
        ("--program", name.cloned()),
        ("--config", path(&program.config)),
        ("--target", program.target.clone()),
        ("--entry", program.entry.clone()),
    ];
    for (option, value) in given {
        words.extend(
            value
                .into_iter()
                .flat_map(|value| [option.to_owned(), value]),
        );
    }
    for setting in program.settings.iter().chain(settings) {
        words.extend([setting.option.clone(), setting.value.clone()]);
    }
    if !program.clang.is_empty() {
        words.push("--".to_owned());
        words.extend(program.clang.iter().cloned());
    }
    // No word of a command line has a zero in it, which is all that cannot be quoted.
    let words = words.iter().map(String::as_str);
    shlex::try_join(words.clone()).unwrap_or_else(|_| words.collect::<Vec<&str>>().join(" "))
}

/// Colours are for terminals, never for files.
fn is_colored(options: &CheckOptions) -> bool {
    match options.program.color {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => {
            options.output.is_none()
                && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
                && std::io::stdout().is_terminal()
        }
    }
}
