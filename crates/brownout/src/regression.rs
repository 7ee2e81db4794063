//! Power failures as tests: `brownout replay ID --export test.toml` writes one, `brownout run
//! test.toml` executes it, and it fails while the bug exists.
//!
//! A test names the failure, the program, and what goes wrong. If the failure does no harm any more
//! it may only have moved, so the other failures after the same checkpoint are tried, too.

use std::path::Path;
use std::process::ExitCode;

use brownout_device::Ready;
use brownout_diag::{CrashId, Effect, ReplayId, plural};
use brownout_trace::ReplayError;
use serde_json::json;

use crate::cli::{Format, ReplayOptions, RunOptions};
use crate::console;
use crate::crash;
use crate::document;
use crate::error::Error;
use crate::failure_test::{self, program, read};
use crate::ready;
use brownout_verdict::Replays;

/// The test that `run` was given instead of a program.
pub(crate) fn given(options: &RunOptions) -> Option<&Path> {
    match &options.program.inputs[..] {
        [only]
            if only
                .extension()
                .is_some_and(|extension| extension == "toml") =>
        {
            Some(only)
        }
        _ => None,
    }
}

/// Writes a test for a failure with these effects.
pub(crate) fn export(
    path: &Path,
    id: &ReplayId,
    effects: &[Effect],
    options: &ReplayOptions,
) -> Result<(), Error> {
    let breaks = effects.iter().map(key).collect();
    let device = options.device.settings();
    failure_test::write(path, &id.to_string(), breaks, &options.program, &device)
}

/// Executes a test.
pub(crate) fn run(path: &Path, options: &RunOptions) -> Result<ExitCode, Error> {
    let test = read(path)?;
    if let Ok(id) = test.id.parse::<CrashId>() {
        let program = program(&test, path, options)?;
        return crash::test(path, &id, &test.breaks, &program, options);
    }
    let id: ReplayId = test.id.parse().map_err(|error| Error::ReplayId {
        id: test.id.clone(),
        error,
    })?;
    let Ready { scenario, image } = ready::ready_or_in_motion(&program(&test, path, options)?)?;
    if !options.program.quiet {
        ready::tell(&scenario, image.program());
    }
    let replays = Replays::new(&image, &scenario, options.max_instructions);
    let effects = |id: &ReplayId| {
        match replays.replay(id, &[]) {
            Ok(replayed) => Ok(replayed.story.effects),
            // There is no such failure any more; there may be others.
            Err(ReplayError::FailureTooLate { .. } | ReplayError::NotTorn { .. }) => Ok(Vec::new()),
            Err(error) => Err(Error::Replay {
                error,
                nearest: None,
            }),
        }
    };
    let is_wanted = |effect: &Effect| test.breaks.is_empty() || test.breaks.contains(&key(effect));
    let mut tried = 0;
    let mut found = None;
    let others = brownout_trace::neighbours(&image, &id, options.max_instructions);
    for id in std::iter::once(id.clone()).chain(others) {
        tried += 1;
        let mut effects = effects(&id)?;
        effects.retain(is_wanted);
        if !effects.is_empty() {
            found = Some((id, effects));
            break;
        }
    }
    let fails = found.is_some();
    console::result(options.output.as_deref(), |out| match options.format {
        Format::Json => {
            let (id, effects) = found.unzip();
            let effects = effects.unwrap_or_default();
            let document = document::of(json!({
                "passed": !fails,
                "replay": id.map(|id| id.to_string()),
                "effects": effects.iter().map(brownout_report::json_effect).collect::<Vec<_>>(),
                "failures": tried,
            }));
            writeln!(out, "{document:#}")
        }
        Format::Human => match &found {
            Some((id, effects)) => {
                writeln!(out, "{}: fails, power failure {id}", path.display())?;
                effects.iter().try_for_each(|effect| {
                    writeln!(out, "  it {}", brownout_report::effect_line(effect))
                })
            }
            None => writeln!(
                out,
                "{}: passes, {} tried",
                path.display(),
                plural(tried as u64, "power failure")
            ),
        },
    })?;
    Ok(ExitCode::from(u8::from(fails)))
}

/// What tells one effect from another, whatever the values are.
fn key(effect: &Effect) -> String {
    match effect {
        Effect::Value { object, .. } => object.name.clone(),
        Effect::Output { output, .. } => format!("output {output}"),
        Effect::Invariant { expression } => expression.clone(),
        Effect::Path { .. } | Effect::Crash { .. } | Effect::NoProgress { .. } => {
            effect.kind().to_owned()
        }
    }
}
