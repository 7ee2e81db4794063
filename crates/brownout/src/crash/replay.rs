//! `brownout replay b1.op22.8/b2.op1`: the boots of one finding of `crash`, told.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use brownout_crash::{Assertion, End, Followed, FollowedBoot, NoSuchFailure, Recorded};
use brownout_diag::{CrashId, plural};
use brownout_explore::Monitor;
use brownout_vm::Image;
use serde_json::{Value, json};

use super::{Watched, prepare, words};
use crate::cli::{Format, ProgramOptions, ReplayOptions, RunOptions, Setting};
use crate::console;
use crate::document;
use crate::error::Error;
use crate::failure_test;
use crate::progress::Progress;
use crate::ready;

pub(crate) fn replay(options: &ReplayOptions, id: &CrashId) -> Result<ExitCode, Error> {
    let settings = options.device.settings();
    let (ready, request) = prepare(&options.program, &settings, options.max_instructions)?;
    if !options.program.quiet {
        ready::tell(&ready.scenario, ready.image.program());
    }
    let progress = Progress::new(None, options.program.quiet, Instant::now());
    let watched = Watched::new(&progress);
    let followed = brownout_crash::replay(&ready.image, &request, id, &watched);
    progress.end();
    let followed = followed.map_err(|NoSuchFailure { boot, operations }| Error::NoSuchFailure {
        id: id.to_string(),
        boot,
        operations,
    })?;
    if let Some(path) = &options.export {
        let broken = followed.boots.last().and_then(|boot| boot.broken.as_ref());
        let Some(broken) = broken else {
            return Err(Error::HarmlessCrash { id: id.to_string() });
        };
        return export(path, &id.to_string(), broken, &options.program, &settings);
    }
    let text = match options.format {
        Format::Human => human(&ready.image, &followed),
        Format::Json => {
            let document = document::of(json!({
                "scenario": document::scenario(&ready.scenario),
                "replay": { "id": id.to_string(), "boots": boots(&followed) },
            }));
            format!("{document:#}\n")
        }
    };
    console::result(options.output.as_deref(), |out| {
        out.write_all(text.as_bytes())
    })?;
    let last = followed.boots.last();
    Ok(ExitCode::from(match last {
        Some(FollowedBoot {
            broken: Some(_), ..
        }) => 1,
        Some(FollowedBoot {
            end: End::Undecided,
            ..
        })
        | None => 2,
        Some(_) => 0,
    }))
}

/// Writes a test that fails while these power failures break this.
pub(super) fn export(
    path: &Path,
    id: &str,
    broken: &Assertion,
    program: &ProgramOptions,
    device: &[Setting],
) -> Result<ExitCode, Error> {
    let breaks = BTreeSet::from([key(broken)]);
    failure_test::write(path, id, breaks, program, device)?;
    if !program.quiet {
        console::note(&format!(
            "`brownout run {}` fails while the bug exists",
            path.display()
        ));
    }
    Ok(ExitCode::SUCCESS)
}

/// What tells one broken assertion from another, whatever the line is.
fn key(assertion: &Assertion) -> String {
    match assertion.is_stated() {
        true => assertion.text.replace('`', ""),
        false => assertion.name.to_owned(),
    }
}

/// Executes a test: its power failures, and if they do no harm any more, all of as many, because
/// they may only have moved.
pub(crate) fn test(
    path: &Path,
    id: &CrashId,
    breaks: &[String],
    program: &ProgramOptions,
    options: &RunOptions,
) -> Result<ExitCode, Error> {
    let (ready, mut request) = prepare(program, &[], options.max_instructions)?;
    if !program.quiet {
        ready::tell(&ready.scenario, ready.image.program());
    }
    let progress = Progress::new(options.time_limit, program.quiet, Instant::now());
    let watched = Watched::new(&progress);
    let is_wanted = |broken: &Assertion| breaks.is_empty() || breaks.contains(&key(broken));
    let followed = brownout_crash::replay(&ready.image, &request, id, &watched);
    let last = followed.ok().and_then(|mut followed| followed.boots.pop());
    let mut found = last
        .and_then(|boot| boot.broken)
        .filter(is_wanted)
        .map(|broken| (id.to_string(), broken));
    let mut is_complete = true;
    if found.is_none() {
        request.failures = Some(id.points.len() as u32);
        let explored = brownout_crash::explore(&ready.image, &request, None, &watched);
        is_complete = explored.coverage.complete;
        let mut violations = explored.violations.into_iter();
        found = violations
            .find(|violation| is_wanted(&violation.assertion))
            .map(|violation| (violation.id.to_string(), violation.assertion));
    }
    progress.end();
    console::result(options.output.as_deref(), |out| match options.format {
        Format::Json => {
            let (id, broken) = found.clone().unzip();
            let document = document::of(json!({
                "passed": found.is_none() && is_complete,
                "replay": id,
                "broken": broken.map(|broken| broken.text),
            }));
            writeln!(out, "{document:#}")
        }
        Format::Human => match &found {
            Some((id, broken)) => {
                writeln!(out, "{}: fails, power failures {id}", path.display())?;
                writeln!(out, "  {}", broken.text)
            }
            None if is_complete => writeln!(out, "{}: passes", path.display()),
            None => writeln!(out, "{}: not all states were booted", path.display()),
        },
    })?;
    Ok(ExitCode::from(match (found.is_some(), is_complete) {
        (true, _) => 1,
        (false, false) => 2,
        (false, true) => 0,
    }))
}

fn human(image: &Image, followed: &Followed) -> String {
    let mut text = String::new();
    if !followed.workload.is_empty() {
        text += &format!("workload: {}\n", words::workload(image, &followed.workload));
    }
    for (boot, number) in followed.boots.iter().zip(1..) {
        text += &format!("boot {number}\n");
        let skipped = boot.operations.len().saturating_sub(words::OPERATIONS);
        if skipped > 0 {
            text += &format!("  {} before\n", plural(skipped as u64, "operation"));
        }
        for operation in &boot.operations[skipped..] {
            text += &line(operation);
        }
        match &boot.failure {
            Some(failure) => {
                text += &format!("  power fails {}\n", words::strike(failure, number));
                if let Some(left) = boot.operations.last().and_then(|last| last.left.as_ref()) {
                    text += &format!("    leaves {}\n", words::bytes(left));
                }
            }
            None => text += &format!("  {}\n", ending(boot)),
        }
    }
    text
}

fn line(operation: &Recorded) -> String {
    let way = words::way(operation.place.as_ref());
    format!(
        "  {:>4} {}   {way}\n",
        operation.number,
        words::operation(operation)
    )
}

fn ending(boot: &FollowedBoot) -> String {
    let ending = words::ending(boot);
    match &boot.broken {
        Some(broken) => format!("{ending}   {}", words::way(broken.place.as_ref())),
        None => ending,
    }
}

fn boots(followed: &Followed) -> Vec<Value> {
    let operation = |operation: &Recorded| {
        json!({
            "number": operation.number,
            "kind": operation.kind.name(),
            "address": operation.address,
            "object": operation.object.as_ref().map(|(name, _)| name),
            "offset": operation.object.as_ref().map(|(_, inside)| inside),
            "old": bytes_of(&operation.old),
            "new": bytes_of(&operation.new),
            "left": operation.left.as_ref().map(|left| bytes_of(left)),
            "place": operation.place.as_ref().map(brownout_report::json_place),
        })
    };
    let boots = followed.boots.iter();
    boots
        .map(|boot| {
            json!({
                "operations": boot.operations.iter().map(operation).collect::<Vec<_>>(),
                "fails": boot.failure.is_some(),
                "broken": boot.broken.as_ref().map(|broken| broken.text.clone()),
            })
        })
        .collect()
}

fn bytes_of(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
