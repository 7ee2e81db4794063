//! `brownout run` with power failures: when they come, and what they did.

mod taint;

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use brownout_confirm::Taint;
use brownout_diag::{SourcePlace, plural};
use brownout_scenario::{Counts, Scenario, Supply};
use brownout_trace::{
    Broken, Compared, Comparison, EveryWrite, Failed, Line, Outages, Rhythm, Schedule,
};
use brownout_vm::{Image, Stop, Unobserved, Witness};
use serde_json::{Value, json};

use crate::cli::{self, AtLine, FailureOptions, RunOptions};
use crate::config;
use crate::document;
use crate::error::Error;
use crate::progress::Progress;
use crate::terminal::Terminal;

/// How many power failures are told.
const TOLD: usize = 10;

/// What an execution with power failures came to.
pub(crate) struct Outcome {
    /// How it ended; paused if a limit was reached.
    pub(crate) stop: Stop,
    /// Instructions of the execution itself.
    pub(crate) instructions: u64,
    /// Most bytes of stack and of heap.
    pub(crate) memory_use: (u64, u64),
    pub(crate) backtrace: Vec<String>,
    failures: Vec<Failed>,
    failed: u64,
    stuck: bool,
    commits: u64,
    lost: u64,
    broken: Vec<Broken>,
    comparison: Option<Comparison>,
    taint: Option<taint::Report>,
}

/// Executes the program with the power failures that the options ask for.
pub(crate) fn run(
    options: &RunOptions,
    scenario: &Scenario,
    image: &Image,
    terminal: &mut Terminal,
    begun: Instant,
) -> Result<Outcome, Error> {
    let saved = brownout_verdict::compared::saved(image, scenario);
    let progress = Progress::new(options.time_limit, true, begun);
    let outages = Outages {
        exposure: scenario.power.policy.exposure(),
        saved: &saved,
        schedule: schedule(&options.failures, image, options)?,
        limit: options.max_instructions,
        compared: compared(image, scenario),
    };
    let mut taint = options.taint.then(|| Taint::new(image));
    let witness: &mut dyn Witness = match &mut taint {
        Some(taint) => taint,
        None => &mut Unobserved,
    };
    let ran = brownout_trace::intermittent(image, outages, terminal, witness, &progress);
    let finished = ran.stop != Stop::Paused;
    let comparison =
        (options.compare && finished).then(|| ran.compare(options.max_instructions, &progress));
    Ok(Outcome {
        instructions: ran.machine.now(),
        memory_use: ran.machine.memory_use(),
        backtrace: brownout_verdict::backtrace(&ran.machine, image),
        stop: ran.stop,
        failures: ran.failures,
        failed: ran.failed,
        stuck: ran.stuck,
        commits: ran.commits,
        lost: ran.lost,
        broken: ran.broken,
        comparison,
        taint: taint.map(|taint| taint::Report::new(&taint, image)),
    })
}

impl Outcome {
    /// Whether something is wrong: it differs from what it was compared with, or breaks what has to
    /// hold.
    pub(crate) fn is_wrong(&self) -> bool {
        let comparison = self.comparison.as_ref();
        let differs = comparison.is_some_and(|comparison| !comparison.effects.is_empty());
        differs || self.stuck || !self.broken.is_empty()
    }

    /// Whether power never failed.
    pub(crate) fn is_idle(&self) -> bool {
        self.failed == 0
    }

    /// Whether power failed too often for any progress.
    pub(crate) fn is_stuck(&self) -> bool {
        self.stuck
    }

    /// Whether the continuous execution that it is compared with did not come to an end.
    pub(crate) fn is_open(&self) -> bool {
        let comparison = self.comparison.as_ref();
        comparison.is_some_and(|comparison| comparison.stop == Stop::Paused)
    }

    /// What happened, in lines for people.
    pub(crate) fn lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        if !self.failures.is_empty() || self.commits > 0 {
            lines.push(format!(
                "{}, {}; {} undone",
                plural(self.failed, "power failure"),
                plural(self.commits, "commit"),
                plural(self.lost, "instruction"),
            ));
        }
        for failed in self.failures.iter().take(TOLD) {
            lines.push(format!("  {}", told(failed)));
        }
        if self.failed > TOLD as u64 {
            lines.push(format!("  … and {} more", self.failed - TOLD as u64));
        }
        if self.stuck {
            lines.push("error: power fails again and again before the next commit: the program makes no progress".to_owned());
        }
        lines.extend(self.taint.iter().flat_map(taint::Report::lines));
        for broken in &self.broken {
            lines.push(format!(
                "error: {} does not hold at {}, after {}",
                broken.expression,
                at(&broken.place),
                plural(broken.time, "instruction"),
            ));
        }
        match &self.comparison {
            Some(comparison) if comparison.effects.is_empty() => {
                lines.push("a continuous run that reads the same does the same".to_owned())
            }
            Some(comparison) => lines.extend(effects(comparison, "error: ")),
            None => {}
        }
        lines
    }

    /// What happened, for programs.
    pub(crate) fn json(&self, document: &mut Value) {
        document["failures"] = self.failures.iter().map(failed_json).collect();
        document["stats"]["power_failures"] = self.failed.into();
        document["stuck"] = self.stuck.into();
        document["stats"]["commits"] = self.commits.into();
        document["stats"]["undone_instructions"] = self.lost.into();
        let broken = self.broken.iter().map(|broken| {
            json!({
                "expression": broken.expression,
                "instructions": broken.time,
                "place": broken.place.as_ref().map(brownout_report::json_place),
            })
        });
        document["broken"] = broken.collect();
        if let Some(taint) = &self.taint {
            document["taint"] = taint.json();
        }
        if let Some(comparison) = &self.comparison {
            document["comparison"] = comparison_json(comparison);
        }
    }
}

/// What counts in a comparison.
fn compared(image: &Image, scenario: &Scenario) -> Arc<Compared> {
    Arc::new(Compared {
        ignored: brownout_verdict::compared::ignored(image, scenario),
        without_outputs: scenario.compare.outputs == Counts::No,
    })
}

/// Lets power fail after every write, each time in an execution of its own.
pub(crate) fn every_write(
    options: &RunOptions,
    scenario: &Scenario,
    image: &Image,
    begun: Instant,
) -> (EveryWrite, Vec<String>) {
    let saved = brownout_verdict::compared::saved(image, scenario);
    let progress = Progress::new(options.time_limit, options.program.quiet, begun);
    let outages = Outages {
        exposure: scenario.power.policy.exposure(),
        saved: &saved,
        schedule: Schedule::default(),
        limit: options.max_instructions,
        compared: compared(image, scenario),
    };
    let atomic = scenario.memory.atomic_write;
    let every = brownout_trace::every_write(image, &outages, atomic, &progress);
    let place = match every.torn {
        0 => "after",
        _ => "after or inside",
    };
    let nothing = every.executions == 0 && every.interrupted;
    let first = match nothing {
        true => "no power failure was tried".to_owned(),
        false => format!(
            "{} of {} {place} a write to non-volatile memory make a difference",
            every.harmful.len(),
            plural(every.executions, "power failure"),
        ),
    };
    let mut lines = vec![first];
    for (failed, comparison) in every.harmful.iter().take(TOLD) {
        lines.push(format!("error: {}", told(failed)));
        lines.extend(effects(comparison, "  "));
    }
    if every.harmful.len() > TOLD {
        lines.push(format!("… and {} more", every.harmful.len() - TOLD));
    }
    (every, lines)
}

/// The same for programs.
pub(crate) fn every_write_json(every: &EveryWrite) -> Value {
    let harmful = every.harmful.iter().map(|(failed, comparison)| {
        let mut value = failed_json(failed);
        value["comparison"] = comparison_json(comparison);
        value
    });
    document::of(json!({
        "executions": every.executions,
        "torn": every.torn,
        "harmful": harmful.collect::<Value>(),
        "complete": !every.interrupted,
        "stats": { "instructions": every.instructions },
    }))
}

/// When power fails.
fn schedule(
    failures: &FailureOptions,
    image: &Image,
    options: &RunOptions,
) -> Result<Schedule, Error> {
    let lines = failures.fail_at.iter().map(|at| line(image, at));
    let mut after = failures.fail_after.clone();
    after.sort_unstable();
    let rhythm = match (failures.schedule, &failures.power) {
        (_, Some(path)) => Some(Rhythm::Supply(Box::new(supply(path, options)?))),
        (Some(cli::Rhythm::Linear), _) => Some(Rhythm::linear()),
        (Some(cli::Rhythm::Log), _) => Some(Rhythm::log()),
        (Some(cli::Rhythm::Random { seed }), _) => Some(Rhythm::random(seed)),
        (Some(cli::Rhythm::EveryWrite | cli::Rhythm::Exhaustive { .. }) | None, None) => None,
    };
    Ok(Schedule {
        at: lines.collect::<Result<_, _>>()?,
        after,
        rhythm,
    })
}

fn supply(path: &Path, options: &RunOptions) -> Result<Supply, Error> {
    let loaded = config::load(&options.program)?;
    let energy = loaded
        .config
        .energy()
        .map_err(|errors| loaded.error(errors))?
        .ok_or(Error::NoEnergy)?;
    let text = std::fs::read_to_string(path).map_err(|error| Error::File {
        path: path.to_owned(),
        error,
    })?;
    Supply::new(&text, energy).map_err(|problem| Error::Supply {
        path: path.to_owned(),
        problem,
    })
}

/// The operations of a line, inlined ones included.
fn line(image: &Image, at: &AtLine) -> Result<Line, Error> {
    let source = &image.program().source;
    let mut nearest: Vec<u32> = Vec::new();
    let mut is_there = |pc: u32| {
        let mut place = image.place(pc).and_then(|place| source.places.get(place));
        let mut there = false;
        while let Some(data) = place {
            let file = source.files.get(data.file).map_or("", String::as_str);
            if Path::new(file).ends_with(&at.file) {
                there |= data.line == at.line;
                nearest.push(data.line);
            }
            place = data.inlined_at.and_then(|outer| source.places.get(outer));
        }
        there
    };
    let operations: Vec<bool> = (0..image.operations() as u32).map(&mut is_there).collect();
    if operations.contains(&true) {
        return Ok(Line {
            operations,
            times: at.times,
        });
    }
    nearest.sort_by_key(|line| (line.abs_diff(at.line), *line));
    nearest.dedup();
    nearest.retain(|&line| line > 0);
    nearest.truncate(2);
    nearest.sort_unstable();
    Err(Error::NoCode {
        at: format!("{}:{}", at.file, at.line),
        nearest,
    })
}

fn at(place: &Option<SourcePlace>) -> String {
    match place {
        Some(place) => format!("{}:{}", place.file, place.line),
        None => "the end".to_owned(),
    }
}

/// A power failure in words.
fn told(failed: &Failed) -> String {
    let resumed = match &failed.resumed {
        Some(_) => format!("went on at {}", at(&failed.resumed)),
        None => "started again".to_owned(),
    };
    let torn = failed.torn.map_or_else(String::new, |torn| {
        format!(", {} of {} bytes written,", torn.bytes, torn.of)
    });
    format!(
        "power failed at {} after {}{torn} and the program {resumed}",
        at(&failed.place),
        plural(failed.time, "instruction"),
    )
}

fn effects(comparison: &Comparison, prefix: &str) -> Vec<String> {
    let mut lines: Vec<String> = comparison
        .effects
        .iter()
        .map(|effect| format!("{prefix}it {}", brownout_report::effect_line(effect)))
        .collect();
    if comparison.more > 0 {
        lines.push(format!("{prefix}… and {} more", comparison.more));
    }
    lines
}

fn failed_json(failed: &Failed) -> Value {
    let mut value = json!({
        "instructions": failed.time,
        "place": failed.place.as_ref().map(brownout_report::json_place),
        "resumed": failed.resumed.as_ref().map(brownout_report::json_place),
    });
    if let Some(torn) = failed.torn {
        value["torn"] = json!({ "bytes": torn.bytes, "of": torn.of });
    }
    value
}

fn comparison_json(comparison: &Comparison) -> Value {
    json!({
        "same": comparison.effects.is_empty(),
        "complete": comparison.stop != Stop::Paused,
        "effects": comparison.effects.iter().map(brownout_report::json_effect).collect::<Value>(),
        "more": comparison.more,
        "instructions": comparison.instructions,
    })
}
