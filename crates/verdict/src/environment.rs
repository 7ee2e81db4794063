//! The world outside in `check`: inputs, outputs and peripherals, beside the memory rules.

use std::time::Instant;

use brownout_diag::{Finding, InputBehaviour, OutputBehaviour, Rule};
use brownout_scenario::Scenario;
use brownout_vm::Image;

use crate::compared::saved;
use crate::options::Options;

/// What the analyses of the environment have found.
#[derive(Default)]
pub struct Surroundings {
    /// What is wrong.
    pub findings: Vec<Finding>,
    /// How inputs behave.
    pub inputs: Vec<InputBehaviour>,
    /// How outputs behave.
    pub outputs: Vec<OutputBehaviour>,
    /// Emulated power failures.
    pub tests: u64,
    /// The instructions they took.
    pub emulated: u64,
    /// The instructions that following inputs took.
    pub input_instructions: u64,
    /// And the time.
    pub input_seconds: f64,
    /// What else is worth saying.
    pub notes: Vec<String>,
}

/// Runs the analyses that the scenario has something to say about and the user wants. `memory` is
/// what the memory rules have found.
pub(crate) fn check(
    image: &Image,
    scenario: &Scenario,
    options: &Options<'_>,
    limit: u64,
    interrupt: &(dyn Fn() -> bool + Sync),
) -> Surroundings {
    let wanted = |rule: Rule| options.looks_for(rule);
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
        found.outputs = checked.behaviours;
        found.tests = checked.tests;
        found.emulated = checked.instructions;
        if !checked.complete {
            let note = "some outputs were not repeated: too many, or regions too long";
            found.notes.push(note.to_owned());
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
