//! `brownout run`: emulate only.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use brownout_device::{Entry, Ready};
use brownout_scenario::Scenario;
use brownout_trace::Endless;
use brownout_vm::{Image, Machine, Stop};
use serde_json::{Value, json};

use crate::cli::{Format, Rhythm, RunOptions};
use crate::console;
use crate::crash;
use crate::error::Error;
use crate::limits;
use crate::outages::{self, Outcome};
use crate::ready;
use crate::regression;
use crate::terminal::Terminal;
use brownout_verdict::{backtrace, rests, waits};

/// How many instructions are executed between two looks at the clock.
const SLICE: u64 = 20_000_000;

/// What is said when no power failure could be tried.
const NOTHING_TRIED: &str =
    "error: the program writes no non-volatile memory: there was no power failure to try";

/// How an execution ended.
enum End {
    Stopped(Stop),
    /// In a loop in which nothing new happens ever again.
    Endless(Endless),
    InstructionLimit,
    TimeLimit,
    /// By the clock or by the user.
    Interrupted,
}

pub(crate) fn run(options: &RunOptions) -> Result<ExitCode, Error> {
    if let Some(test) = regression::given(options) {
        return regression::run(test, options);
    }
    let begun = Instant::now();
    limits::time(options.time_limit, begun);
    limits::keyboard();
    let mut program_options = options.program.clone();
    program_options.settings.extend(options.device.settings());
    let mut prepared = ready::prepare(&program_options, Entry::Needed)?;
    if let Some(table) = &options.readings {
        let text = std::fs::read_to_string(table).map_err(|error| Error::File {
            path: table.clone(),
            error,
        })?;
        let wrong = |error: brownout_device::Error| Error::Inputs {
            path: table.clone(),
            problem: error.to_string(),
        };
        prepared = prepared.with_inputs(&text).map_err(wrong)?;
    }
    if let Some(rhythm) = options.failures.schedule {
        let is_crash = crash::has_flash(&prepared.scenario) && options.readings.is_none();
        match rhythm {
            rhythm if is_crash => return crash::schedule(options, rhythm),
            Rhythm::Exhaustive { .. } => return crash::schedule(options, rhythm),
            _ => {}
        }
    }
    let is_plain = !options.failures.any() && !options.compare && !options.taint;
    if is_plain && prepared.program.target.pointer_bytes() == 4 {
        brownout_device::enlarge(&mut prepared.scenario);
    }
    let Ready { scenario, image } = prepared.ready()?;
    if !options.program.quiet {
        ready::tell(&scenario, image.program());
    }
    if options.failures.schedule == Some(Rhythm::EveryWrite) {
        return after_every_write(options, &scenario, &image, begun);
    }
    let mut terminal = Terminal::new(options);
    let emulated = Instant::now();
    let is_checked = options.compare || options.taint || !scenario.invariants.is_empty();
    let ran = if options.failures.any() || is_checked {
        with_failures(options, &scenario, &image, &mut terminal, begun)?
    } else {
        continuously(options, &image, &mut terminal, begun)
    };
    let seconds = emulated.elapsed().as_secs_f64();
    let fault = message(&ran, options);
    match options.format {
        Format::Human => {
            terminal.finish(options)?;
            if !options.program.quiet {
                summary(&ran, &image, seconds);
            }
            if let Some(outcome) = &ran.outcome {
                let lines = outcome.lines();
                let wanted = lines
                    .iter()
                    .filter(|line| !options.program.quiet || line.starts_with("error"));
                wanted.for_each(|line| console::line(line));
            }
            if let Some(message) = &fault {
                console::line(&format!("error: {message}"));
                ran.backtrace.iter().for_each(|line| console::line(line));
            }
        }
        Format::Json => {
            let mut document = json!({
                "format": 1,
                "tool": { "name": "brownout", "version": env!("CARGO_PKG_VERSION") },
                "output": String::from_utf8_lossy(terminal.kept()),
                "exit_status": exit_status(&ran.end, &image),
                "fault": fault.as_ref().map(|message| json!({
                    "name": name(&ran), "message": message, "backtrace": ran.backtrace,
                })),
                "complete": is_complete(&ran.end),
                "stats": {
                    "instructions": ran.instructions,
                    "emulation_seconds": seconds,
                    "total_seconds": begun.elapsed().as_secs_f64(),
                    "stack_bytes": ran.memory_use.0,
                    "heap_bytes": ran.memory_use.1,
                },
            });
            if let Some(outcome) = &ran.outcome {
                outcome.json(&mut document);
            }
            console::result(options.output.as_deref(), |out| {
                writeln!(out, "{document:#}")
            })?;
        }
    }
    Ok(ExitCode::from(match (&ran.outcome, fault) {
        // A crash that only power failures bring about is what was looked for.
        (Some(outcome), _) if outcome.is_wrong() && !outcome.is_open() => 1,
        (_, Some(_)) => 2,
        (Some(outcome), None) if outcome.is_idle() && options.failures.schedule.is_some() => {
            console::line(NOTHING_TRIED);
            2
        }
        (_, None) => 0,
    }))
}

/// An execution that has ended.
struct Ran {
    end: End,
    instructions: u64,
    /// Most bytes of stack and of heap.
    memory_use: (u64, u64),
    /// Where it was in the end.
    backtrace: Vec<String>,
    /// What power failures did.
    outcome: Option<Outcome>,
}

/// Without power failures.
fn continuously(
    options: &RunOptions,
    image: &Image,
    terminal: &mut Terminal,
    begun: Instant,
) -> Ran {
    let mut machine = Machine::new(image);
    let end = execute(&mut machine, image, terminal, options, begun);
    Ran {
        end,
        instructions: machine.now(),
        memory_use: machine.memory_use(),
        backtrace: backtrace(&machine, image),
        outcome: None,
    }
}

fn with_failures(
    options: &RunOptions,
    scenario: &Scenario,
    image: &Image,
    terminal: &mut Terminal,
    begun: Instant,
) -> Result<Ran, Error> {
    let outcome = outages::run(options, scenario, image, terminal, begun)?;
    Ok(Ran {
        end: match &outcome.stop {
            Stop::Paused if outcome.instructions >= options.max_instructions => {
                End::InstructionLimit
            }
            Stop::Paused => End::Interrupted,
            stop => End::Stopped(stop.clone()),
        },
        instructions: outcome.instructions,
        memory_use: outcome.memory_use,
        backtrace: outcome.backtrace.clone(),
        outcome: Some(outcome),
    })
}

/// `--schedule every-write`.
fn after_every_write(
    options: &RunOptions,
    scenario: &Scenario,
    image: &Image,
    begun: Instant,
) -> Result<ExitCode, Error> {
    let (every, lines) = outages::every_write(options, scenario, image, begun);
    console::result(options.output.as_deref(), |out| match options.format {
        Format::Human => lines.iter().try_for_each(|line| writeln!(out, "{line}")),
        Format::Json => writeln!(out, "{:#}", outages::every_write_json(&every)),
    })?;
    match (every.interrupted, every.executions) {
        (true, 0) => console::line(
            "error: stopped before the program came to its end: nothing was compared (`--max-instructions`, `--time-limit`)",
        ),
        (true, _) => console::line("error: stopped before every execution came to its end"),
        (false, 0) => console::line(NOTHING_TRIED),
        (false, _) => {}
    }
    Ok(ExitCode::from(
        match (
            every.interrupted || every.executions == 0,
            every.harmful.is_empty(),
        ) {
            (true, _) => 2,
            (false, false) => 1,
            (false, true) => 0,
        },
    ))
}

fn execute(
    machine: &mut Machine<'_>,
    image: &Image,
    terminal: &mut Terminal,
    options: &RunOptions,
    begun: Instant,
) -> End {
    let deadline = options
        .time_limit
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    let mut look = brownout_trace::FIRST_LOOK;
    loop {
        let now = machine.now();
        if now >= options.max_instructions {
            return End::InstructionLimit;
        }
        if deadline.is_some_and(|limit| begun.elapsed() >= limit) {
            return End::TimeLimit;
        }
        if limits::is_pressed() {
            return End::Interrupted;
        }
        let until = now
            .saturating_add(SLICE)
            .min(look)
            .min(options.max_instructions);
        match machine.watch(terminal, until) {
            Stop::Paused if until == look => {
                look = look.saturating_mul(2);
                if let Some(endless) = brownout_trace::endless(image, machine) {
                    return End::Endless(endless);
                }
            }
            Stop::Paused => {}
            stop => return End::Stopped(stop),
        }
    }
}

/// What went wrong, if anything.
fn message(ran: &Ran, options: &RunOptions) -> Option<String> {
    if ran.outcome.as_ref().is_some_and(Outcome::is_open) {
        return Some(
            "the continuous run did not come to an end: nothing to compare with".to_owned(),
        );
    }
    if ran.outcome.as_ref().is_some_and(Outcome::is_stuck) {
        return None;
    }
    match &ran.end {
        End::Stopped(Stop::Exited { .. } | Stop::Paused) => None,
        End::Stopped(Stop::Faulted(fault)) => Some(fault.to_string()),
        End::Endless(endless) => waits(endless),
        End::InstructionLimit => Some(format!(
            "the limit of {} was reached (`--max-instructions`)",
            counted(options.max_instructions, "instruction")
        )),
        End::TimeLimit => Some("the time limit was reached (`--time-limit`)".to_owned()),
        End::Interrupted => Some("stopped before the program came to its end".to_owned()),
    }
}

/// What went wrong, in one word for programs.
fn name(ran: &Ran) -> Option<&'static str> {
    match &ran.end {
        End::Stopped(Stop::Exited { .. } | Stop::Paused) => None,
        End::Stopped(Stop::Faulted(fault)) => Some(fault.name()),
        End::Endless(endless) => endless.waits.is_some().then_some("waits"),
        End::InstructionLimit => Some("instruction-limit"),
        End::TimeLimit => Some("time-limit"),
        End::Interrupted => Some("interrupted"),
    }
}

/// Whether everything was executed that there is to execute.
fn is_complete(end: &End) -> bool {
    match end {
        End::Stopped(_) => true,
        End::Endless(endless) => endless.waits.is_none(),
        End::InstructionLimit | End::TimeLimit | End::Interrupted => false,
    }
}

/// What a process of the target's system would report.
fn exit_status(end: &End, image: &Image) -> Value {
    let hosted = matches!(image.program().target.name.as_str(), "x86_64" | "i386");
    match end {
        End::Stopped(Stop::Exited { status }) if hosted => (status & 0xff).into(),
        End::Stopped(Stop::Exited { status }) => (*status).into(),
        _ => Value::Null,
    }
}

fn summary(ran: &Ran, image: &Image, seconds: f64) {
    let instructions = ran.instructions;
    let rate = instructions as f64 / seconds.max(1e-9) / 1e6;
    let status = match exit_status(&ran.end, image) {
        Value::Null => "stopped".to_owned(),
        status => format!("exit status {status}"),
    };
    let (stack, heap) = ran.memory_use;
    console::line(&format!(
        "{status}; {} in {seconds:.3} s ({rate:.0} M/s); stack {}, heap {}",
        counted(instructions, "instruction"),
        counted(stack, "byte"),
        counted(heap, "byte"),
    ));
    if let End::Endless(endless) = &ran.end
        && let Some(rests) = rests(endless)
    {
        console::line(&format!("note: {rests}"));
    }
    let program = image.program();
    let registers: Vec<&str> = program
        .globals
        .values()
        .filter(|global| global.init.is_none())
        .map(|global| global.name.as_str())
        .collect();
    if !registers.is_empty() {
        console::line(&format!("device registers: {}", registers.join(", ")));
    }
    if program.undefined_values > 0 {
        console::line(&format!(
            "undefined values read as zero: {} in the code",
            program.undefined_values
        ));
    }
}

/// How many of something.
fn counted(count: u64, what: &str) -> String {
    match count {
        1 => format!("1 {what}"),
        count => format!("{count} {what}s"),
    }
}
