//! What is to be explored of the states that power failures can leave: a program and its scenario as a
//! request to `brownout_crash`.

use std::collections::BTreeSet;
use std::fmt;

use brownout_crash::{Choices, Memo, Operations, Request};
use brownout_device::{Error, Prepared, Ready};
use brownout_scenario::{Oracle, Order, Recovery, Scenario, ValueSource};
use brownout_vm::Image;

/// Stack and heap of targets with more than 64 KiB of memory, unless the scenario says more: every
/// boot starts with fresh ones.
const STACK: u32 = 64 << 10;
const HEAP: u32 = 256 << 10;

/// Why there is nothing to explore.
#[derive(Debug)]
pub enum Refusal {
    /// The program cannot be executed, or nothing of it survives.
    Device(Error),
    /// A line of `[explore]` where there is no code.
    NoLine {
        /// The key.
        key: &'static str,
        /// The line.
        at: String,
    },
    /// Something that cannot be explored yet.
    Cannot {
        /// What.
        what: String,
    },
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Device(error) => error.fmt(f),
            Self::NoLine { key, at } => write!(f, "`{key}`: there is no code at `{at}`"),
            Self::Cannot { what } => write!(f, "`crash` does not support {what}"),
        }
    }
}

impl std::error::Error for Refusal {}

/// A program that boots from its entry, and what is to be explored of it in so many instructions a boot
/// and so many bytes of memory.
///
/// # Errors
/// If nothing survives a boot, or the scenario asks for what cannot be explored.
pub fn request(
    mut prepared: Prepared,
    instructions: u64,
    memory: u64,
) -> Result<(Ready, Request), Refusal> {
    if prepared.scenario.memory.is_assumed {
        return Err(Refusal::Device(Error::NothingNonvolatile(
            prepared.scenario.memory.doubts,
        )));
    }
    let explore = prepared.scenario.explore.clone();
    let reorders = |part: &brownout_scenario::Flash| part.order == Order::UntilSync;
    let is_atomic = explore.oracle == Oracle::Atomic;
    if is_atomic && prepared.scenario.flash.iter().any(reorders) {
        return Err(Refusal::Cannot {
            what: "`oracle = \"atomic\"` with parts that reorder operations (`order = \"until-sync\"`)"
                .to_owned(),
        });
    }
    if prepared.program.target.pointer_bits > 16 {
        let memory = &mut prepared.scenario.memory;
        memory.stack_size.get_or_insert(STACK);
        if uses_heap(&prepared.program) {
            memory.heap_size.get_or_insert(HEAP);
        }
    }
    let keys = [
        ("explore.from", &explore.from),
        ("explore.until", &explore.until),
    ];
    for (key, at) in keys {
        let Some(at) = at else { continue };
        let is_there = |file: &str, line: u32| brownout_device::is_at(at, file, line);
        if brownout_crash::mark(&mut prepared.program, &is_there) == 0 {
            let at = at.clone();
            return Err(Refusal::NoLine { key, at });
        }
    }
    brownout_crash::mark_assertions(&mut prepared.program);
    let ready = prepared.ready().map_err(Refusal::Device)?;
    let image = &ready.image;
    let operations = |at: &Option<String>| {
        let at = at.as_ref()?;
        let is_there = |file: &str, line: u32| brownout_device::is_at(at, file, line);
        Some(brownout_crash::operations(image, &is_there))
    };
    let scenario = &ready.scenario;
    let ghosts = image.program().globals.iter();
    let ghosts = ghosts.filter(|(_, data)| scenario.memory.ghosts.contains(&data.name));
    let request = Request {
        failures: explore.failures,
        tears: scenario
            .flash
            .iter()
            .map(|part| (part.tear, part.erase_tear))
            .collect(),
        atomic_write: scenario.memory.atomic_write,
        orders: scenario.flash.iter().map(|part| part.order).collect(),
        choices: choices(scenario, explore.workload)?,
        atomic: is_atomic.then(|| atomic(image, &explore.operations)),
        listens: false,
        shard: None,
        ghosts: ghosts.map(|(ghost, _)| ghost).collect(),
        from: operations(&explore.from),
        until: operations(&explore.until),
        instructions,
        memory,
        jobs: 1,
        memo: Memo::On,
    };
    debug_assert_eq!(scenario.power.policy.recovery(), Recovery::Restart);
    Ok((ready, request))
}

/// The calls that must be done or not done.
fn atomic(image: &Image, names: &[String]) -> Operations {
    let functions = names
        .iter()
        .filter_map(|name| image.program().function(name));
    match names.is_empty() {
        true => Operations::Calls,
        false => Operations::Of(functions.collect()),
    }
}

/// More values of an input than so many are not varied.
const MOST_VALUES: usize = 256;

/// What inputs give in workloads that vary so many readings of each.
fn choices(scenario: &Scenario, length: u32) -> Result<Choices, Refusal> {
    let cannot = |what: String| Err(Refusal::Cannot { what });
    if length == 0 {
        return Ok(Choices::default());
    }
    let mut all = Vec::new();
    for input in &scenario.inputs {
        let mut values: Vec<u64> = match &input.values {
            ValueSource::Cycle(values) => values.iter().map(|&value| value as u64).collect(),
            ValueSource::Range { low, high, .. } => {
                let values = (*low..=*high).take(MOST_VALUES + 1);
                values.map(|value| value as u64).collect()
            }
            ValueSource::Trace(_)
            | ValueSource::Script(_)
            | ValueSource::Constant(_)
            | ValueSource::Random { .. }
            | ValueSource::Clock
            | ValueSource::Probing { .. } => Vec::new(),
        };
        let mut seen = BTreeSet::new();
        values.retain(|value| seen.insert(*value));
        if values.len() > MOST_VALUES {
            return cannot(format!(
                "workloads of more than {MOST_VALUES} values (`{}`)",
                input.source.name()
            ));
        }
        all.push(values);
    }
    let choices = Choices {
        values: all,
        length,
    };
    match (choices.is_empty(), choices.count()) {
        (true, _) => cannot("workloads: no input has `values` or a `range`".to_owned()),
        (false, None) => cannot(format!("so many workloads (`explore.workload = {length}`)")),
        (false, Some(_)) => Ok(choices),
    }
}

/// Whether a program asks for memory from the heap.
fn uses_heap(program: &brownout_ir::Program) -> bool {
    let bodies = program
        .functions
        .values()
        .filter_map(|function| function.body.as_ref());
    let mut insts = bodies
        .flat_map(|body| body.blocks.values())
        .flat_map(|block| &block.insts);
    insts.any(|inst| {
        matches!(
            &inst.op,
            brownout_ir::Op::Service {
                service: brownout_ir::Service::HeapStart,
                ..
            }
        )
    })
}
