//! What inputs give that nobody has given values to: whatever their type holds, and often what the program
//! compares them with. A command that is one number of 65,536 would else never come.

use std::collections::BTreeSet;

use brownout_flow::asked::{Asked, Outside, asked};
use brownout_ir::Program;
use brownout_scenario::{Input, Scenario, Source, ValueSource};

/// So many values are asked of one input.
const MOST: usize = 64;

/// Where the values of every input come from.
pub(crate) fn sources(program: &Program, scenario: &Scenario) -> Vec<ValueSource> {
    // A function that fills buffers may fail or succeed, and which of it 0 is nobody said.
    let has_entry = !scenario.entry.is_empty();
    let is_open = |input: &Input| {
        let is_unsaid = has_entry && matches!(input.source, Source::Result { .. });
        let is_any = matches!(
            input.values,
            ValueSource::Random { .. } | ValueSource::Range { .. }
        );
        is_any || is_unsaid
    };
    if !scenario.inputs.iter().any(is_open) {
        let given = scenario.inputs.iter().map(|input| input.values.clone());
        return given.collect();
    }
    let functions: BTreeSet<_> = (scenario.inputs.iter())
        .filter_map(|input| match &input.source {
            Source::Function(name) => program.function(name),
            _ => None,
        })
        .collect();
    let asked = asked(program, &|_| true, &|func| functions.contains(&func));
    let inputs = scenario.inputs.iter().enumerate();
    let sources = inputs.map(|(number, input)| {
        let values = (asked.iter())
            .filter(|asked| is_of(program, input, asked))
            .map(|asked| asked.value)
            .filter(|&value| is_possible(&input.values, value));
        let mut seen = BTreeSet::new();
        let asked: Vec<u64> = values
            .filter(|&value| seen.insert(value))
            .take(MOST)
            .collect();
        match is_open(input) && !asked.is_empty() {
            false => input.values.clone(),
            true => ValueSource::Probing {
                asked: asked.into(),
                seed: number as u64,
                otherwise: Box::new(input.values.clone()),
            },
        }
    });
    sources.collect()
}

/// Whether a value is asked of an input, as far as that can be told.
fn is_of(program: &Program, input: &Input, asked: &Asked) -> bool {
    match (&input.source, asked.of) {
        (_, Outside::Elsewhere) => input.fills.is_some(),
        (Source::Function(name) | Source::Result { function: name, .. }, Outside::Result(func)) => {
            input.fills.is_none() && program.functions[func].name == *name
        }
        (Source::Register(name), Outside::Variable(global)) => {
            program.globals[global].name == *name
        }
        _ => false,
    }
}

/// Whether a source may give a value.
fn is_possible(source: &ValueSource, value: u64) -> bool {
    match source {
        ValueSource::Range { low, high, .. } => (*low..=*high).contains(&value.cast_signed()),
        _ => true,
    }
}
