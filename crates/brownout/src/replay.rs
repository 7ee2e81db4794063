//! `brownout replay`: one power failure, step by step.

use std::process::ExitCode;

use brownout_device::Ready;
use brownout_diag::{CrashId, ReplayId};
use brownout_ir::names::NameProblem;
use brownout_ir::{Origin, Program};
use brownout_trace::ReplayError;
use brownout_verdict::Replays;
use serde_json::json;

use crate::cli::{Format, ReplayOptions};
use crate::console;
use crate::crash;
use crate::document;
use crate::error::Error;
use crate::ready;
use crate::regression;
use crate::sources;

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
            &sources::read(image.program()),
        ))
        .into_owned(),
        Format::Json => {
            let document = document::of(json!({
                "scenario": document::scenario(&scenario),
                "replay": brownout_report::json_replay(story),
            }));
            format!("{document:#}\n")
        }
    };
    console::result(options.output.as_deref(), |out| {
        out.write_all(text.as_bytes())
    })?;
    Ok(ExitCode::from(u8::from(!story.effects.is_empty())))
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
