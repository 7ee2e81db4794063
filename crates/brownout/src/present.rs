//! The result of a check in every format.

use std::io::IsTerminal;

use annotate_snippets::Renderer;
use brownout_diag::Finding;
use brownout_report::{Detail, Document, Entry, Standing, Totals};
use serde_json::{Value, json};

use crate::check::{self, Outcome};
use crate::cli::{CheckFormat, CheckOptions, Color};
use crate::console;
use crate::error::Error;
use crate::stories::{self, Stories};

/// Prints the result; what is no result goes to stderr.
pub(crate) fn present(options: &CheckOptions, outcome: &Outcome) -> Result<(), Error> {
    let text = match options.format {
        CheckFormat::Human => human(options, outcome),
        CheckFormat::Concise => shown(outcome, options)
            .map(|finding| brownout_report::concise(finding) + "\n")
            .collect(),
        CheckFormat::Json => format!("{:#}\n", json(options, outcome)),
        CheckFormat::Sarif => {
            let stories = stories::of(outcome, options);
            let remarks = remarks(options, outcome);
            let log = brownout_report::sarif(&document(outcome, &stories, &remarks));
            format!("{log:#}\n")
        }
    };
    console::result(options.output.as_deref(), |out| {
        out.write_all(text.as_bytes())
    })?;
    if options.program.quiet {
        return Ok(());
    }
    outcome
        .judged
        .remarks
        .iter()
        .for_each(|text| console::line(text));
    match options.format {
        CheckFormat::Human => console::line(&summary(outcome)),
        CheckFormat::Concise | CheckFormat::Json | CheckFormat::Sarif => {
            let notes = outcome.scenario.notes.iter();
            notes.for_each(|text| console::note(text));
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
    let arguments = replay_arguments(options);
    shown(outcome, options)
        .map(|finding| {
            let text =
                brownout_report::human(finding, &outcome.sources, &renderer, &arguments, detail);
            text + "\n\n"
        })
        .collect()
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
fn remarks(options: &CheckOptions, outcome: &Outcome) -> Vec<String> {
    let scenario = &outcome.scenario;
    std::iter::once(scenario.assumptions())
        .chain(scenario.notes.iter().cloned())
        .chain(
            outcome
                .except
                .iter()
                .map(|text| format!("sound except: {text}")),
        )
        .chain(outcome.judged.remarks.iter().cloned())
        .chain(check::unchecked(&outcome.checked, options))
        .collect()
}

fn document<'d>(outcome: &'d Outcome, stories: &'d Stories, remarks: &'d [String]) -> Document<'d> {
    let judged = &outcome.judged;
    let standings = judged.standings.iter().zip(&judged.fingerprints);
    let entries = outcome.checked.findings.iter().zip(standings);
    Document {
        version: env!("CARGO_PKG_VERSION"),
        complete: outcome.is_complete(),
        remarks,
        sources: &outcome.sources,
        entries: entries
            .map(|(finding, (standing, fingerprint))| Entry {
                finding,
                fingerprint: fingerprint.clone(),
                story: stories.get(finding),
                standing: standing.clone(),
            })
            .collect(),
    }
}

fn json(options: &CheckOptions, outcome: &Outcome) -> Value {
    let checked = &outcome.checked;
    let findings = shown(outcome, options).map(brownout_report::json_finding);
    json!({
        "format": 1,
        "tool": { "name": "brownout", "version": env!("CARGO_PKG_VERSION") },
        "scenario": check::scenario_json(&outcome.scenario),
        "complete": outcome.is_complete(),
        "findings": findings.collect::<Vec<_>>(),
        "stats": {
            "instructions": checked.instructions,
            "checkpoints": checked.checkpoints,
            "emulated_failures": checked.tests,
            "emulated_instructions": checked.emulated,
            "emulation_seconds": outcome.emulation_seconds,
            "total_seconds": outcome.total_seconds,
        },
    })
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
