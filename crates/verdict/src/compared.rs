//! What is compared after a power failure and what checkpoints save: the scenario in the terms of memory.

use std::ops::Range;

use brownout_explore::{Object, Tags};
use brownout_ir::{Global, Program};
use brownout_scenario::{Counts, Saves, Scenario, Semantics};
use brownout_vm::Image;

/// The variables that are meant to change across power failures.
pub(crate) fn aware(program: &Program, scenario: &Scenario) -> Vec<Object> {
    let aware = scenario
        .variables
        .iter()
        .filter(|variable| variable.intermittence_aware);
    aware
        .filter_map(|variable| Object::named(program, &variable.name))
        .collect()
}

/// What outputs mean to the world.
pub fn tags(scenario: &Scenario) -> Tags {
    let optional = match scenario.compare.outputs {
        Counts::No => (0..)
            .zip(&scenario.outputs)
            .map(|(number, _)| number)
            .collect(),
        Counts::Yes => tagged(scenario, Semantics::AtMostOnce),
    };
    Tags {
        optional,
        absolute: tagged(scenario, Semantics::Absolute),
        relative: tagged(scenario, Semantics::Relative),
    }
}

/// The outputs that must not be made twice, by number.
pub fn once(scenario: &Scenario) -> Vec<u32> {
    tagged(scenario, Semantics::AtMostOnce)
}

fn tagged(scenario: &Scenario, semantics: Semantics) -> Vec<u32> {
    let outputs = (0..).zip(&scenario.outputs);
    outputs
        .filter(|(_, output)| output.semantics == Some(semantics))
        .map(|(number, _)| number)
        .collect()
}

/// The offsets whose contents may differ after a power failure.
pub fn ignored(image: &Image, scenario: &Scenario) -> Vec<Range<u32>> {
    let globals = image.program().globals.iter();
    let ignored = globals.filter(|(_, data)| {
        let is_ghost = scenario.memory.ghosts.contains(&data.name);
        is_ghost || scenario.compare.ignored.contains(&data.name)
    });
    let ignored = ignored.map(|(global, _)| extent(image, global));
    ignored
        .chain(padding(image))
        .chain(meant(image, scenario))
        .chain(image.input_registers())
        .collect()
}

/// How many stretches of padding are left out of comparisons.
const PADDINGS: usize = 4096;

/// The offsets of bytes of variables that belong to no member: what they hold is left to chance.
fn padding(image: &Image) -> impl Iterator<Item = Range<u32>> {
    let program = image.program();
    let globals = program.globals.iter();
    let paddings = globals.flat_map(move |(global, data)| {
        let found = data.ty.map(|ty| program.source.padding(ty, PADDINGS));
        let mut found = found.unwrap_or_default();
        found.retain(|bytes| bytes.end <= data.size);
        let start = offset(image, global);
        let shifted = move |bytes: Range<u64>| start + bytes.start as u32..start + bytes.end as u32;
        found.into_iter().map(shifted)
    });
    paddings.take(PADDINGS)
}

/// The offsets of what is meant to change across power failures.
pub fn meant(image: &Image, scenario: &Scenario) -> Vec<Range<u32>> {
    let aware = aware(image.program(), scenario).into_iter();
    let globals = aware.filter_map(|object| match object {
        Object::Global(global) => Some(extent(image, global)),
        _ => None,
    });
    globals.collect()
}

/// The offsets of a global.
pub fn extent(image: &Image, global: Global) -> Range<u32> {
    let start = offset(image, global);
    start..start + image.program().globals[global].size as u32
}

/// Where a global is.
pub fn offset(image: &Image, global: Global) -> u32 {
    image.layout().offset_of(global)
}

/// The offsets that every checkpoint saves.
pub fn saved(image: &Image, scenario: &Scenario) -> Vec<Range<u32>> {
    let globals = image.program().globals.iter();
    match &scenario.power.saves {
        Saves::Everything => std::iter::once(0..u32::MAX).collect(),
        Saves::Symbols(names) => globals
            .filter(|(_, data)| names.contains(&data.name))
            .map(|(global, _)| extent(image, global))
            .collect(),
    }
}
