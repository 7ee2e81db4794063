//! What repeating outputs does, and how old readings get, in code without a `main`.
//!
//! These rules are about an execution as it is (EWSN'21 §4), not about inputs that a search chooses: every
//! function is called twice, one after the other, with a commit before each call, and the analyses that look
//! at programs with a `main` look at that.
//!
//! **False negatives.** Outputs that these calls do not come to are not judged; that is said of those that have
//! a tag ([`unjudged`]).

use std::collections::BTreeSet;

use brownout_device::{Calls, Error, Invention, Prepared, Told};
use brownout_diag::{InputValues, Replay, ReplayId, ReplayInputs, Rule};
use brownout_ir::{Callee, Op, Program};
use brownout_scenario::{Scenario, Source};
use brownout_vm::{Image, Machine, Moment, Observer};

use crate::environment::{self, Surroundings};
use crate::options::Options;

/// Most instructions that the calls may take together.
const LIMIT: u64 = 1_000_000;

/// Whether the scenario says anything that these rules are about.
fn is_asked(scenario: &Scenario) -> bool {
    let mut outputs = scenario.outputs.iter();
    let inputs = scenario.inputs.iter().map(|input| input.model);
    let mut models = inputs.chain(scenario.variables.iter().map(|variable| variable.model));
    outputs.any(|output| output.semantics.is_some())
        || models.any(|model| model.is_some())
        || brownout_trace::has_peripherals(scenario)
}

/// Looks at outputs and inputs of a library while its functions are called in turn; with the outputs that are
/// made then.
pub(crate) fn check(
    prepared: &Prepared,
    told: &Told,
    options: &Options<'_>,
    interrupt: &(dyn Fn() -> bool + Sync),
) -> Result<(Surroundings, BTreeSet<String>), Error> {
    if !is_asked(&prepared.scenario) {
        return Ok((Surroundings::default(), BTreeSet::new()));
    }
    let library = prepared.clone().in_motion(told, Calls::InTurn)?;
    let (image, scenario) = (&library.ready.image, &library.ready.scenario);
    let limit = options.max_instructions.min(LIMIT);
    let mut found = environment::check(image, scenario, options, limit, interrupt);
    // What was made up to call functions is nobody's business.
    let is_real = |name: &String| {
        let mut inputs = library.invention.harness.inputs.iter();
        !inputs.any(|input| input.name == *name)
            && !library.invention.harness.outputs.contains(name)
    };
    found.inputs.retain(|input| is_real(&input.input));
    found.outputs.retain(|output| is_real(&output.output));
    for finding in &mut found.findings {
        if let Some(Replay::Failure(id)) = &mut finding.replay {
            add_calls(id, image, &library.invention);
        }
    }
    let mut made = Made::default();
    Machine::new(image).watch(&mut made, limit);
    let names = made.0.iter().filter_map(|&number| {
        let output = scenario.outputs.get(number as usize)?;
        Some(output.source.name().to_owned())
    });
    Ok((found, names.collect()))
}

/// The outputs that an execution makes, by number.
#[derive(Default)]
struct Made(BTreeSet<u32>);

impl Observer for Made {
    fn output(&mut self, _: Moment, index: u32, _: &[u64]) {
        self.0.insert(index);
    }
}

/// Adds the calls that were made to a replay: whoever replays it makes none by itself.
fn add_calls(id: &mut ReplayId, image: &Image, invention: &Invention) {
    if id.inputs.is_some() {
        return;
    }
    let inputs = image.bindings().inputs.len() as u32;
    let values = (0..inputs).map(|number| InputValues {
        from: 0,
        values: invention.in_turn(number),
    });
    let values: Vec<InputValues> = values.collect();
    id.inputs = Some(ReplayInputs {
        first: values.clone(),
        between: Vec::new(),
        again: values,
    });
}

/// Outputs with a tag that the code calls and that could not be judged.
pub(crate) fn unjudged(
    program: &Program,
    scenario: &Scenario,
    made: &BTreeSet<String>,
    options: &Options<'_>,
) -> Option<String> {
    if !options.looks_for(Rule::OutputSemantics) {
        return None;
    }
    let is_called = |name: &str| {
        let func = program.function(name);
        program.user_instructions().any(|inst| {
            matches!(inst.op, Op::Call { callee: Callee::Direct(callee), .. } if Some(callee) == func)
        })
    };
    let tagged = scenario
        .outputs
        .iter()
        .filter(|output| output.semantics.is_some());
    let names = tagged.filter_map(|output| match &output.source {
        Source::Function(name) if is_called(name) => Some(name),
        _ => None,
    });
    let names: Vec<String> = names
        .filter(|name| !made.contains(*name))
        .map(|name| format!("`{name}`"))
        .collect();
    (!names.is_empty()).then(|| {
        format!(
            "what repeating {} does was not looked at: no call of a function came to it\nhelp: say in brownout.toml which calls do ([[harness]])",
            names.join(", ")
        )
    })
}
