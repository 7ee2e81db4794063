//! `brownout replay`: one power failure, step by step.

use std::num::NonZeroU32;
use std::ops::Range;
use std::process::ExitCode;

use brownout_device::Ready;
use brownout_diag::{CrashId, ReplayId};
use brownout_explore::Exposure;
use brownout_ir::names::NameProblem;
use brownout_ir::{Origin, Program};
use brownout_scenario::Scenario;
use brownout_trace::{Recovery, ReplayError, ReplayRequest, Replayed};
use brownout_vm::{Elsewhere, Image, InterruptSchedule};
use serde_json::json;

use crate::check;
use crate::cli::{Format, ReplayOptions};
use crate::console;
use crate::crash;
use crate::error::Error;
use crate::ready;
use crate::regression;

pub(crate) fn replay(options: &ReplayOptions) -> Result<ExitCode, Error> {
    if let Ok(id) = options.id.parse::<CrashId>() {
        return crash::replay(options, &id);
    }
    let id: ReplayId = options.id.parse().map_err(|error| Error::ReplayId {
        id: options.id.clone(),
        error,
    })?;
    let mut program_options = options.program.clone();
    program_options.settings.extend(options.device.settings());
    let Ready { scenario, image } = ready::ready_or_in_motion(&program_options)?;
    if !options.program.quiet {
        ready::tell(&scenario, image.program());
    }
    let replays = Replays::new(&image, &scenario, options.max_instructions);
    let replayed = replays.replay(&id, &options.values);
    let replayed = replayed.map_err(|error| Error::Replay {
        nearest: nearest(image.program(), &error),
        error,
    })?;
    let story = &replayed.story;
    if let Some(path) = &options.export {
        if story.effects.is_empty() {
            return Err(Error::Harmless { id: Box::new(id) });
        }
        regression::export(path, &id, &story.effects, options)?;
        if !options.program.quiet {
            console::note(&format!(
                "`brownout run {}` fails while the bug exists",
                path.display()
            ));
        }
        return Ok(ExitCode::SUCCESS);
    }
    let text = match options.format {
        Format::Human => brownout_ir::readable(&brownout_report::replay(
            story,
            &check::sources(image.program()),
        ))
        .into_owned(),
        Format::Json => {
            let document = json!({
                "format": 1,
                "tool": { "name": "brownout", "version": env!("CARGO_PKG_VERSION") },
                "scenario": check::scenario_json(&scenario),
                "replay": brownout_report::json_replay(story),
            });
            format!("{document:#}\n")
        }
    };
    console::result(options.output.as_deref(), |out| {
        out.write_all(text.as_bytes())
    })?;
    Ok(ExitCode::from(u8::from(!story.effects.is_empty())))
}

/// All that replays of one program need.
pub(crate) struct Replays<'r> {
    image: &'r Image,
    scenario: &'r Scenario,
    saved: Vec<Range<u32>>,
    inputs: Vec<String>,
    outputs: Vec<String>,
    limit: u64,
}

impl<'r> Replays<'r> {
    pub(crate) fn new(image: &'r Image, scenario: &'r Scenario, limit: u64) -> Self {
        let (inputs, outputs) = surroundings(scenario);
        Self {
            image,
            scenario,
            saved: check::saved(image, scenario),
            inputs,
            outputs,
            limit,
        }
    }

    /// Replays one failure, and shows these objects or those concerned.
    pub(crate) fn replay(&self, id: &ReplayId, names: &[String]) -> Result<Replayed, ReplayError> {
        let Self {
            image,
            scenario,
            limit,
            ..
        } = *self;
        let interrupted = id.interrupt.map(|interrupt| {
            image.with_interrupts(InterruptSchedule::At {
                pc: interrupt.operation,
                handler: interrupt.handler,
                elsewhere: match interrupt.with_others {
                    true => Elsewhere::NowAndThen,
                    false => Elsewhere::Absent,
                },
            })
        });
        let image = interrupted.as_ref().unwrap_or(image);
        let booted = match id.boot {
            Some(number) => Some(self.boot(image, number)?),
            None => None,
        };
        let image = booted.as_ref().unwrap_or(image);
        let registers = match id.resets_registers {
            true => brownout_trace::device_registers(image, scenario, id, limit),
            false => Vec::new(),
        };
        let request = ReplayRequest {
            id: id.clone(),
            exposure: Exposure::from(scenario.power.policy),
            saved: &self.saved,
            names,
            inputs: &self.inputs,
            outputs: &self.outputs,
            registers: &registers,
            limit,
            ignored: &check::ignored(image, scenario),
            meant: &check::meant(image, scenario),
            tags: &check::tags(scenario),
            once: &check::once(scenario),
            recovery: Recovery::from(scenario.power.policy),
        };
        brownout_trace::replay(image, &request)
    }
}

impl Replays<'_> {
    /// The program as a later boot finds it.
    fn boot(&self, image: &Image, number: NonZeroU32) -> Result<Image, ReplayError> {
        let begins_anew = Recovery::from(self.scenario.power.policy) == Recovery::Restart;
        let booted = begins_anew.then(|| brownout_trace::boot(image, number, self.limit));
        booted.flatten().ok_or(ReplayError::NoSuchBoot { number })
    }
}

/// What inputs and outputs are called, by number.
pub(crate) fn surroundings(scenario: &Scenario) -> (Vec<String>, Vec<String>) {
    (
        scenario
            .inputs
            .iter()
            .map(|input| input.source.name().to_owned())
            .collect(),
        scenario
            .outputs
            .iter()
            .map(|output| output.source.name().to_owned())
            .collect(),
    )
}

/// A variable whose name is close to the one that does not exist.
fn nearest(program: &Program, error: &ReplayError) -> Option<String> {
    let ReplayError::Name {
        name,
        problem: NameProblem::Unknown,
    } = error
    else {
        return None;
    };
    let globals = program
        .globals
        .values()
        .filter(|global| global.origin == Origin::User && !global.constant)
        .map(|global| global.variable.as_ref().unwrap_or(&global.name).clone());
    let locals = program
        .functions
        .values()
        .filter(|function| function.origin == Origin::User)
        .filter_map(|function| Some((function, function.body.as_ref()?)))
        .flat_map(|(function, body)| {
            let names = body.slots.values().filter_map(|slot| slot.name.as_ref());
            names.map(|name| format!("{}::{name}", function.name))
        });
    let candidates: Vec<String> = globals.chain(locals).collect();
    let candidates = candidates.iter().map(String::as_str);
    brownout_scenario::nearest(name, candidates).map(str::to_owned)
}
