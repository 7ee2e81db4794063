//! The result of a check in every format.

use std::collections::BTreeMap;
use std::io::IsTerminal;
use std::path::PathBuf;

use annotate_snippets::Renderer;
use brownout_diag::{Evidence, Finding, Replay};
use brownout_ir::readable;
use brownout_report::{Detail, Document, Entry, JsonFinding, Overview, Standing, Totals};
use brownout_trace::Checked;
use brownout_verdict::{Occasions, ProgramFault, Stories, Surroundings, occasions, stories};
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Map, Value, json};

use crate::cli::{CheckFormat, CheckOptions, Color, ProgramOptions, Setting};
use crate::console;
use crate::document;
use crate::error::Error;
use crate::examined::{Outcome, unchecked};

/// Prints the result; what is no result goes to stderr. `complaints` are about comments and baseline.
pub(crate) fn present(
    options: &CheckOptions,
    outcomes: &[Outcome],
    complaints: &[String],
) -> Result<(), Error> {
    console::result(options.output.as_deref(), |out| match options.format {
        CheckFormat::Human => {
            let mut texts = outcomes.iter().flat_map(|outcome| human(options, outcome));
            texts.try_for_each(|text| out.write_all(readable(&text).as_bytes()))
        }
        CheckFormat::Concise => {
            let lines = outcomes.iter().flat_map(|outcome| {
                let findings = told(outcome, options).into_iter();
                findings
                    .map(|finding| readable(&brownout_report::concise(finding)).into_owned() + "\n")
            });
            lines
                .into_iter()
                .try_for_each(|line| out.write_all(line.as_bytes()))
        }
        CheckFormat::Json => {
            serde_json::to_writer_pretty(&mut *out, &json(options, outcomes))?;
            out.write_all(b"\n")
        }
        CheckFormat::Sarif | CheckFormat::Html => {
            let all: Vec<Material<'_>> = outcomes
                .iter()
                .map(|outcome| Material {
                    outcome,
                    stories: stories(outcome, options.max_instructions),
                    occasions: match options.format {
                        CheckFormat::Html => occasions(outcome),
                        _ => Occasions::default(),
                    },
                    remarks: remarks(options, outcome, complaints),
                })
                .collect();
            let documents: Vec<Document<'_>> = all.iter().map(document).collect();
            let text = match options.format {
                CheckFormat::Html => readable(&brownout_report::html(&documents)).into_owned(),
                _ => format!("{:#}\n", brownout_report::sarif(&documents)),
            };
            out.write_all(text.as_bytes())
        }
    })?;
    if options.program.quiet {
        return Ok(());
    }
    complaints.iter().for_each(|text| console::line(text));
    for outcome in outcomes {
        match options.format {
            CheckFormat::Human => console::line(&summary(outcome, options)),
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

fn human(options: &CheckOptions, outcome: &Outcome) -> Vec<String> {
    let mut texts = findings(options, outcome, told(outcome, options));
    if options.program.verbose {
        texts.extend(tables(outcome));
    }
    texts
}

/// Findings as people read them. Those that one power failure shows are told together, unless everything
/// is told.
pub(crate) fn findings(
    options: &CheckOptions,
    outcome: &Outcome,
    all: Vec<&Finding>,
) -> Vec<String> {
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
    let witnesses = witnesses(&all);
    let mut blocks: Vec<(&Finding, Vec<&Finding>)> = Vec::new();
    for finding in all {
        let together = shown_by(&witnesses, finding);
        match (detail, together) {
            (Detail::Usual, [first, others @ ..]) => {
                if std::ptr::eq(*first, finding) {
                    blocks.push((finding, others.to_vec()));
                }
            }
            (Detail::Everything, _) | (_, []) => blocks.push((finding, Vec::new())),
        }
    }
    let blocks = blocks.into_iter().map(move |(finding, together)| {
        let text = brownout_report::human(
            finding,
            &together,
            &outcome.sources,
            &renderer,
            &arguments,
            detail,
        );
        text + "\n\n"
    });
    blocks.collect()
}

/// Confirmed findings by what replays them.
type Witnesses<'o> = BTreeMap<&'o Replay, Vec<&'o Finding>>;

fn witnesses<'o>(findings: &[&'o Finding]) -> Witnesses<'o> {
    let mut witnesses = Witnesses::new();
    for &finding in findings {
        // What cannot be told from its harmless neighbours stands alone.
        if let Some(replay) = &finding.replay {
            witnesses.entry(replay).or_default().push(finding);
        }
    }
    witnesses
}

/// The findings that the witness of one of them shows, itself among them.
fn shown_by<'w, 'o>(witnesses: &'w Witnesses<'o>, finding: &Finding) -> &'w [&'o Finding] {
    let replay = finding.replay.as_ref();
    let together = replay.and_then(|replay| witnesses.get(replay));
    together.map_or(&[], Vec::as_slice)
}

/// How inputs and outputs behave, a line for each.
fn tables(outcome: &Outcome) -> impl Iterator<Item = String> {
    let lines = surroundings_lines(&outcome.surroundings).into_iter();
    lines.map(|line| format!("note: {line}\n"))
}

/// The findings for machines, silent ones last.
fn shown<'o>(
    outcome: &'o Outcome,
    options: &CheckOptions,
) -> impl Iterator<Item = &'o Finding> + use<'o> {
    let silent = if shows_silent(options) {
        outcome.checked.silent.as_slice()
    } else {
        &[]
    };
    outcome.counted().chain(silent)
}

fn shows_silent(options: &CheckOptions) -> bool {
    options.show_silent || options.program.verbose
}

/// The findings for people: those that do no harm only if they want to know everything.
fn told<'o>(outcome: &'o Outcome, options: &CheckOptions) -> Vec<&'o Finding> {
    let is_told = |finding: &&Finding| options.program.verbose || !is_benign(finding);
    shown(outcome, options).filter(is_told).collect()
}

fn is_benign(finding: &Finding) -> bool {
    matches!(finding.evidence, Evidence::Benign | Evidence::Refuted)
}

fn summary(outcome: &Outcome, options: &CheckOptions) -> String {
    let (checked, judged) = (&outcome.checked, &outcome.judged);
    let count = |which: fn(&Standing) -> bool| {
        judged
            .standings
            .iter()
            .filter(|standing| which(standing))
            .count()
    };
    brownout_report::summary(&Totals {
        program: outcome.title.text.as_deref(),
        incomplete: !outcome.is_complete(),
        findings: outcome.counted().collect(),
        known: count(|standing| matches!(standing, Standing::Known)),
        allowed: count(|standing| matches!(standing, Standing::Allowed { .. })),
        untouched: judged.untouched,
        benign: match options.program.verbose {
            true => 0,
            false => outcome
                .counted()
                .filter(|finding| is_benign(finding))
                .count(),
        },
        silent: match shows_silent(options) {
            true => 0,
            false => checked.silent.len(),
        },
        assumed: &outcome.scenario.notes,
        except: &outcome.except,
        unexecuted: &outcome.unexecuted,
        unwritten: &outcome.unwritten,
        last_boot: outcome.last_boot,
        faults: Some(&outcome.faults),
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
        .chain(unchecked(outcome, options))
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
        program: outcome.title.text.as_deref(),
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
                boots: &[],
                standing: standing.clone(),
            })
            .collect(),
    }
}

/// One document, to be written.
struct Report<'o> {
    /// All but the findings.
    fields: Map<String, Value>,
    findings: Vec<JsonFinding<'o>>,
}

impl Serialize for Report<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for (name, value) in &self.fields {
            match name.as_str() {
                FINDINGS => map.serialize_entry(name, &self.findings)?,
                _ => map.serialize_entry(name, value)?,
            }
        }
        map.end()
    }
}

/// Where the findings are.
const FINDINGS: &str = "findings";

/// One document. With several programs, each finding says which one it is in, and there is a list
/// of them.
fn json<'o>(options: &CheckOptions, outcomes: &'o [Outcome]) -> Report<'o> {
    let findings = outcomes.iter().flat_map(|outcome| {
        let all: Vec<&Finding> = shown(outcome, options).collect();
        let witnesses = witnesses(&all);
        let finding = move |finding: &'o Finding| {
            let mut value = brownout_report::json_finding(finding);
            if let Some(name) = &outcome.title.text {
                value.put("program", name.as_str().into());
            }
            let together = shown_by(&witnesses, finding).iter();
            let others = together.filter(|other| !std::ptr::eq(**other, finding));
            let others: Vec<Value> = others.map(|other| brief(other)).collect();
            if !others.is_empty() {
                value.put("together", others.into());
            }
            value
        };
        all.into_iter().map(finding)
    });
    let findings = findings.collect();
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
        .map(|outcome| document::scenario(&outcome.scenario))
        .collect();
    let mut document = document::of(json!({
        "scenario": scenarios.first(),
        "complete": outcomes.iter().all(|outcome| outcome.is_complete()),
        FINDINGS: null,
        "stats": {
            "instructions": sum(|checked| checked.instructions),
            "checkpoints": sum(|checked| checked.checkpoints),
            "emulated_failures": sum(|checked| checked.tests),
            "emulated_instructions": sum(|checked| checked.emulated),
            "analysis_seconds": analysis,
            "emulation_seconds": emulation,
            "total_seconds": outcomes.last().map(|outcome| outcome.total_seconds),
        },
    }));
    let faults = outcomes
        .iter()
        .flat_map(|outcome| outcome.death.iter().chain(&outcome.overrun));
    let faults: Vec<Value> = faults.map(fault_json).collect();
    if !faults.is_empty() {
        document["faults"] = faults.into();
    }
    // Tables are about one program; with several, the first one's are shown.
    if let Some(outcome) = outcomes.first() {
        describe_surroundings(&outcome.surroundings, &mut document);
    }
    if outcomes.len() > 1 {
        let programs = outcomes.iter().zip(&scenarios).map(|(outcome, scenario)| {
            json!({
                "name": outcome.title.text,
                "scenario": scenario,
                "complete": outcome.is_complete(),
                "instructions": outcome.checked.instructions,
            })
        });
        document["programs"] = programs.collect();
    }
    let fields = match document {
        Value::Object(fields) => fields,
        _ => Map::new(),
    };
    Report { fields, findings }
}

/// What tells a finding from others of the same document.
fn brief(finding: &Finding) -> Value {
    let place = finding.primary().map(brownout_report::json_place);
    json!({
        "rule": finding.rule.name(),
        "object": finding.object.as_ref().map(|object| &object.name),
        "place": place,
    })
}

/// The arguments of `replay` that mean the same program and device, as a shell takes them.
fn replay_arguments(options: &CheckOptions, outcome: &Outcome) -> String {
    let device = options.device.settings();
    let mut program = options.program.clone();
    if let Some(task) = &outcome.title.task {
        program.entry = Some(task.clone());
    }
    arguments(&program, outcome.title.program.as_ref(), &device)
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

/// The tables, a line for each input and output.
fn surroundings_lines(found: &Surroundings) -> Vec<String> {
    let inputs = found.inputs.iter().map(brownout_report::input_line);
    let outputs = found.outputs.iter().map(brownout_report::output_line);
    inputs.chain(outputs).collect()
}

/// Adds the tables to a JSON document, where there are any.
fn describe_surroundings(found: &Surroundings, document: &mut Value) {
    let inputs: Value = found
        .inputs
        .iter()
        .map(brownout_report::input_json)
        .collect();
    let outputs: Value = found
        .outputs
        .iter()
        .map(brownout_report::output_json)
        .collect();
    for (name, table) in [("inputs", inputs), ("outputs", outputs)] {
        if table.as_array().is_some_and(|rows| !rows.is_empty()) {
            document[name] = table;
        }
    }
    if found.input_instructions > 0 {
        document["stats"]["input_instructions"] = found.input_instructions.into();
        document["stats"]["input_seconds"] = found.input_seconds.into();
    }
}

/// What the program does wrong by itself.
fn fault_json(fault: &ProgramFault) -> Value {
    json!({ "name": fault.name, "message": fault.message, "backtrace": fault.backtrace })
}
