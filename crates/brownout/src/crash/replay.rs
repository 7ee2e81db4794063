//! `brownout replay b1.op22.8/b2.op1`: the boots of one finding of `crash`, told.

use std::process::ExitCode;
use std::time::Instant;

use brownout_crash::{End, Followed, FollowedBoot, Kind, NoSuchFailure, Recorded};
use brownout_diag::CrashId;
use serde_json::{Value, json};

use super::{Watched, prepare, words};
use crate::check::{self, plural};
use crate::cli::{Format, ReplayOptions};
use crate::console;
use crate::error::Error;
use crate::progress::Progress;
use crate::ready;

/// How many operations before a power failure are shown, and how many bytes of one.
const SHOWN: usize = 6;
const BYTES: usize = 16;

pub(crate) fn replay(options: &ReplayOptions, id: &CrashId) -> Result<ExitCode, Error> {
    let settings = options.device.settings();
    let (ready, request) = prepare(&options.program, &settings, options.max_instructions)?;
    if !options.program.quiet {
        ready::tell(&ready.scenario, ready.image.program());
    }
    let progress = Progress::new(None, options.program.quiet, Instant::now());
    let watched = Watched {
        progress: &progress,
        drawn: std::sync::Mutex::new(Instant::now()),
    };
    let followed = brownout_crash::replay(&ready.image, &request, id, &watched);
    progress.end();
    let followed = followed.map_err(|NoSuchFailure { boot, operations }| Error::NoSuchFailure {
        id: id.to_string(),
        boot,
        operations,
    })?;
    let text = match options.format {
        Format::Human => human(&followed),
        Format::Json => {
            let document = json!({
                "format": 1,
                "tool": { "name": "brownout", "version": env!("CARGO_PKG_VERSION") },
                "scenario": check::scenario_json(&ready.scenario),
                "replay": { "id": id.to_string(), "boots": boots(&followed) },
            });
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

fn human(followed: &Followed) -> String {
    let mut text = String::new();
    for (boot, number) in followed.boots.iter().zip(1..) {
        text += &format!("boot {number}\n");
        let skipped = boot.operations.len().saturating_sub(SHOWN);
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
                    text += &format!("    leaves {}\n", bytes(left));
                }
            }
            None => text += &format!("  {}\n", ending(boot)),
        }
    }
    text
}

fn line(operation: &Recorded) -> String {
    let place = match &operation.object {
        Some((name, 0)) => name.clone(),
        Some((name, inside)) => format!("{name}+{inside:#x}"),
        None => format!("{:#x}", operation.address),
    };
    let way = words::way(operation.place.as_ref());
    let change = match operation.kind {
        Kind::Output => String::new(),
        Kind::Erase => format!("{place}, {} bytes", operation.new.len()),
        Kind::Store | Kind::Copy | Kind::Ghost | Kind::Program => {
            format!(
                "{place}: {} -> {}",
                bytes(&operation.old),
                bytes(&operation.new)
            )
        }
    };
    format!(
        "  {:>4} {} {change}   {way}\n",
        operation.number,
        operation.kind.name()
    )
}

/// Bytes as people read them, the first few.
fn bytes(bytes: &[u8]) -> String {
    let shown: Vec<String> = bytes
        .iter()
        .take(BYTES)
        .map(|byte| format!("{byte:02x}"))
        .collect();
    match bytes.len() > BYTES {
        true => format!("{} … ({} bytes)", shown.join(" "), bytes.len()),
        false => shown.join(" "),
    }
}

fn ending(boot: &FollowedBoot) -> String {
    if let Some(broken) = &boot.broken {
        let way = words::way(broken.place.as_ref());
        return match broken.is_stated() {
            true => format!("{} does not hold   {way}", broken.text),
            false => format!("{}   {way}", broken.text),
        };
    }
    match &boot.end {
        End::Exited { status } => format!("comes to its end, exit status {status}"),
        End::Arrived => "comes to where a boot is done".to_owned(),
        End::Settled(_) => "settles in the loop that the undisturbed program settles in".to_owned(),
        End::Died(assertion) => assertion.text.clone(),
        End::Undecided => "does not come to an end within the limit".to_owned(),
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
