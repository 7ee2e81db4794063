//! `brownout check --brute-force`: every checkpoint position, every failure point
//! (EWSN'21 §6.1). The oracle that the analyses are measured against, and what
//! they save: its cost is known before it starts, and what would take too long is
//! refused.

use std::process::ExitCode;
use std::time::Instant;

use brownout_diag::plural;
use brownout_explore::{Monitor, Object, Objects, Part, Stage};
use brownout_scenario::Scenario;
use brownout_trace::{BruteForce, Cost, Limits, brute_force, brute_force_cost, layman_cost};
use brownout_vm::{Image, Machine, Stop};
use serde_json::{Value, json};

use crate::cli::{CheckFormat, CheckOptions};
use crate::console;
use crate::document;
use crate::error::Error;
use crate::progress::Progress;
use brownout_verdict::compared::saved;

/// Seconds that it may take if the user names no limit.
const PATIENCE: f64 = 60.0;
/// Instructions that are emulated in a second, and bytes copied, about.
const INSTRUCTIONS: f64 = 5e7;
const BYTES: f64 = 2e9;

/// Instructions that are executed between two looks at the clock.
const SLICE: u64 = 20_000_000;

pub(crate) fn run(
    options: &CheckOptions,
    scenario: &Scenario,
    image: &Image,
    progress: &Progress,
) -> Result<ExitCode, Error> {
    let begun = Instant::now();
    let format = match options.format {
        CheckFormat::Human | CheckFormat::Concise | CheckFormat::Json => None,
        CheckFormat::Sarif => Some("sarif"),
        CheckFormat::Html => Some("html"),
    };
    if let Some(format) = format {
        return Err(Error::NotInFormat {
            format,
            option: "--brute-force",
        });
    }
    let exposure = scenario.power.policy.exposure();
    let mut machine = Machine::new(image);
    let stop = loop {
        let until = machine.now().saturating_add(SLICE);
        match machine.advance(until.min(options.max_instructions)) {
            Stop::Paused if until < options.max_instructions => {}
            stop => break Some(stop),
        }
        if progress.is_interrupted() {
            break None;
        }
    };
    let bounded = !matches!(stop, Some(Stop::Paused));
    let cost = stop.and_then(|_| {
        brute_force_cost(image, exposure, options.max_instructions, &|| {
            progress.is_interrupted()
        })
    });
    let Some(cost) = cost else {
        return Err(Error::Unanalysed {
            reason: "stopped before it was known how long brute force would take",
        });
    };
    let expected = Expected {
        cost,
        layman: layman_cost(machine.now()),
        // Each failure copies the machine about four times.
        seconds: cost.instructions as f64 / INSTRUCTIONS
            + cost.executions as f64 * 4.0 * machine.memory().len() as f64 / BYTES,
    };
    let limit = options.time_limit.unwrap_or(PATIENCE);
    if expected.seconds > limit || !bounded {
        let document = json!({ "refused": true, "expected": expected.json() });
        print(options, scenario, &document, &expected.text("would take"))?;
        console::line(&format!(
            "error: brute force would take about {:.0} seconds, more than {limit} (`--time-limit`); it was not started",
            expected.seconds
        ));
        return Ok(ExitCode::from(2));
    }
    let limits = Limits {
        continuous: options.max_instructions,
        emulated: u64::MAX,
    };
    progress.begin(
        Stage::BruteForce,
        u64::try_from(expected.cost.executions).ok(),
    );
    let saved = saved(image, scenario);
    let found = brute_force(image, exposure, &saved, limits, progress);
    progress.end();
    let seconds = begun.elapsed().as_secs_f64();
    let objects = names(image, &found);
    let crashes: Vec<String> = found
        .crashes
        .iter()
        .map(|(fault, _)| fault.to_string())
        .collect();
    let document = json!({
        "refused": false,
        "complete": found.complete,
        "executions": found.executions,
        "instructions": found.instructions,
        "seconds": seconds,
        "expected": expected.json(),
        "objects": objects,
        "crashes": crashes,
        "harmful": found.attempts.len(),
    });
    let mut text = format!(
        "brute force: {}, {}, {} of them with an effect\n",
        plural(found.executions, "power failure"),
        plural(found.instructions, "instruction"),
        found.attempts.len()
    );
    for object in &objects {
        text.push_str(&format!("differs: {object}\n"));
    }
    for crash in &crashes {
        text.push_str(&format!("crash: {crash}\n"));
    }
    text.push_str(&expected.text("had to take at most"));
    print(options, scenario, &document, &text)?;
    if !found.complete {
        console::line("error: stopped before every power failure was tried");
    }
    Ok(match (found.complete, found.attempts.is_empty()) {
        (false, _) => ExitCode::from(2),
        (true, true) => ExitCode::SUCCESS,
        (true, false) => ExitCode::from(1),
    })
}

/// What it takes, known beforehand.
struct Expected {
    cost: Cost,
    /// EWSN'21 eq. 5, checkpoints and failures being anywhere.
    layman: u128,
    seconds: f64,
}

impl Expected {
    fn text(&self, verb: &str) -> String {
        format!(
            "brute force {verb} {} and {}; without a policy (EWSN'21 eq. 5) {}\n",
            plural(self.cost.executions, "power failure"),
            plural(self.cost.instructions, "instruction"),
            plural(self.layman, "instruction"),
        )
    }

    fn json(&self) -> Value {
        // Larger than JSON numbers are safe: as text.
        json!({
            "executions": self.cost.executions.to_string(),
            "instructions": self.cost.instructions.to_string(),
            "layman_instructions": self.layman.to_string(),
        })
    }
}

fn names(image: &Image, found: &BruteForce) -> Vec<String> {
    let objects = Objects::new(image);
    let whole = |&object: &Object| {
        let end = objects.size(object).unwrap_or(0);
        objects.name(Part {
            object,
            start: 0,
            end,
        })
    };
    let mut names: Vec<String> = found.differing.iter().map(whole).collect();
    names.sort();
    names.dedup();
    names
}

fn print(
    options: &CheckOptions,
    scenario: &Scenario,
    document: &Value,
    text: &str,
) -> Result<(), Error> {
    console::result(options.output.as_deref(), |out| match options.format {
        CheckFormat::Human | CheckFormat::Concise => write!(out, "{text}"),
        // The others were refused.
        CheckFormat::Json | CheckFormat::Sarif | CheckFormat::Html => {
            let document = document::of(json!({
                "scenario": document::scenario(scenario),
                "brute_force": document,
            }));
            writeln!(out, "{document:#}")
        }
    })
}
