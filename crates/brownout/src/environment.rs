//! The world outside in `check`: inputs, outputs and peripherals, beside the memory rules.

use std::time::Instant;

use brownout_diag::{Effect, Finding, InputBehaviour, OutputBehaviour, Rule};
use brownout_scenario::Scenario;
use brownout_vm::Image;
use serde_json::Value;

use crate::check::saved;
use crate::cli::CheckOptions;
use crate::console;

/// What the analyses of the environment have found.
#[derive(Default)]
pub(crate) struct Surroundings {
    pub(crate) findings: Vec<Finding>,
    pub(crate) inputs: Vec<InputBehaviour>,
    pub(crate) outputs: Vec<OutputBehaviour>,
    /// Emulated power failures, and the instructions they took.
    pub(crate) tests: u64,
    pub(crate) emulated: u64,
    /// What following inputs took.
    input_instructions: u64,
    input_seconds: f64,
}

/// Runs the analyses that the scenario has something to say about and the user wants. `memory` is
/// what the memory rules have found.
pub(crate) fn check(
    image: &Image,
    scenario: &Scenario,
    options: &CheckOptions,
    limit: u64,
    memory: &[Finding],
    interrupt: &(dyn Fn() -> bool + Sync),
) -> Surroundings {
    let wanted = |rule: Rule| {
        (options.only.is_empty() || options.only.contains(&rule)) && !options.skip.contains(&rule)
    };
    let mut found = Surroundings::default();
    if wanted(Rule::StaleInput) && !scenario.inputs.is_empty() && !interrupt() {
        let begun = Instant::now();
        let checked = brownout_trace::check_inputs(image, scenario, limit, interrupt);
        found.input_seconds = begun.elapsed().as_secs_f64();
        found.input_instructions = checked.instructions;
        found.findings.extend(checked.findings);
        found.inputs = checked.behaviours;
    }
    if wanted(Rule::OutputSemantics) && !scenario.outputs.is_empty() && !interrupt() {
        let saved = saved(image, scenario);
        let checked = brownout_trace::check_outputs(image, scenario, &saved, limit, interrupt);
        found.findings.extend(checked.findings);
        // What a memory anomaly does to an output is that finding's effect.
        let told = |finding: &Finding| wanted(finding.rule) && changes_outputs(finding);
        if !memory.iter().any(told) {
            found.findings.extend(checked.falsified);
        }
        found.outputs = checked.behaviours;
        found.tests = checked.tests;
        found.emulated = checked.instructions;
        if !checked.complete && !options.program.quiet {
            console::note("some outputs were not repeated: too many, or regions too long");
        }
    }
    let asked = brownout_trace::has_peripherals(scenario);
    if wanted(Rule::PeripheralState) && asked && !interrupt() {
        let saved = saved(image, scenario);
        let lost = brownout_trace::check_peripherals(image, scenario, &saved, limit, interrupt);
        found.findings.extend(lost);
    }
    found
}

/// Whether an emulated failure changes what a program puts out.
fn changes_outputs(finding: &Finding) -> bool {
    let witnesses = finding
        .pairs
        .iter()
        .filter_map(|pair| pair.witness.as_ref());
    let of_pairs = witnesses.flat_map(|witness| &witness.effects);
    let mut effects = finding.effects.iter().chain(of_pairs);
    effects.any(|effect| matches!(effect, Effect::Output { .. }))
}

impl Surroundings {
    /// The tables, a line for each input and output.
    pub(crate) fn lines(&self) -> Vec<String> {
        let inputs = self.inputs.iter().map(brownout_report::input_line);
        let outputs = self.outputs.iter().map(brownout_report::output_line);
        inputs.chain(outputs).collect()
    }

    /// Adds the tables to a JSON document, where there are any.
    pub(crate) fn describe(&self, document: &mut Value) {
        let inputs: Value = self
            .inputs
            .iter()
            .map(brownout_report::input_json)
            .collect();
        let outputs: Value = self
            .outputs
            .iter()
            .map(brownout_report::output_json)
            .collect();
        for (name, table) in [("inputs", inputs), ("outputs", outputs)] {
            if table.as_array().is_some_and(|rows| !rows.is_empty()) {
                document[name] = table;
            }
        }
        if self.input_instructions > 0 {
            document["stats"]["input_instructions"] = self.input_instructions.into();
            document["stats"]["input_seconds"] = self.input_seconds.into();
        }
    }
}
