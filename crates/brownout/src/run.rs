//! `brownout run`: emulate only.

use std::io::{self, Write};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use brownout_vm::{Image, Machine, Moment, Observer, Stop, Stream};
use serde_json::{Value, json};

use crate::cli::{Format, RunOptions};
use crate::console;
use crate::error::Error;
use crate::ready::{self, Ready};

/// How many instructions are executed between two looks at the clock.
const SLICE: u64 = 20_000_000;

/// How an execution ended.
enum End {
    Stopped(Stop),
    InstructionLimit,
    TimeLimit,
}

pub(crate) fn run(options: &RunOptions) -> Result<ExitCode, Error> {
    let begun = Instant::now();
    let Ready { scenario, image } = ready::ready(&options.program)?;
    if !options.program.quiet {
        ready::tell(&scenario, image.program());
    }
    let mut machine = Machine::new(&image);
    let mut terminal = Terminal::new(options);
    let emulated = Instant::now();
    let end = execute(&mut machine, &mut terminal, options, begun);
    let seconds = emulated.elapsed().as_secs_f64();
    let fault = message(&end, options);
    match options.format {
        Format::Human => {
            terminal.finish(options)?;
            if !options.program.quiet {
                summary(&machine, &image, &end, seconds);
            }
            if let Some(message) = &fault {
                console::line(&format!("error: {message}"));
                backtrace(&machine, &image)
                    .iter()
                    .for_each(|line| console::line(line));
            }
        }
        Format::Json => {
            let document = json!({
                "format": 1,
                "tool": { "name": "brownout", "version": env!("CARGO_PKG_VERSION") },
                "output": String::from_utf8_lossy(&terminal.kept),
                "exit_status": exit_status(&end, &image),
                "fault": fault.as_ref().map(|message| json!({
                    "name": name(&end), "message": message, "backtrace": backtrace(&machine, &image),
                })),
                "complete": matches!(end, End::Stopped(_)),
                "stats": {
                    "instructions": machine.now(),
                    "emulation_seconds": seconds,
                    "total_seconds": begun.elapsed().as_secs_f64(),
                    "stack_bytes": machine.memory_use().0,
                    "heap_bytes": machine.memory_use().1,
                },
            });
            console::result(options.output.as_deref(), |out| {
                writeln!(out, "{document:#}")
            })?;
        }
    }
    Ok(if fault.is_none() {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(2)
    })
}

fn execute(
    machine: &mut Machine<'_>,
    terminal: &mut Terminal,
    options: &RunOptions,
    begun: Instant,
) -> End {
    let deadline = options
        .time_limit
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    loop {
        let now = machine.now();
        if now >= options.max_instructions {
            return End::InstructionLimit;
        }
        if deadline.is_some_and(|limit| begun.elapsed() >= limit) {
            return End::TimeLimit;
        }
        let until = if deadline.is_some() {
            now.saturating_add(SLICE)
        } else {
            u64::MAX
        };
        match machine.watch(terminal, until.min(options.max_instructions)) {
            Stop::Paused => {}
            stop => return End::Stopped(stop),
        }
    }
}

/// What went wrong, if anything.
fn message(end: &End, options: &RunOptions) -> Option<String> {
    match end {
        End::Stopped(Stop::Exited { .. } | Stop::Paused) => None,
        End::Stopped(Stop::Faulted(fault)) => Some(fault.to_string()),
        End::InstructionLimit => Some(format!(
            "the limit of {} was reached (`--max-instructions`)",
            counted(options.max_instructions, "instruction")
        )),
        End::TimeLimit => Some("the time limit was reached (`--time-limit`)".to_owned()),
    }
}

/// What went wrong, in one word for programs.
fn name(end: &End) -> Option<&'static str> {
    match end {
        End::Stopped(Stop::Exited { .. } | Stop::Paused) => None,
        End::Stopped(Stop::Faulted(fault)) => Some(fault.name()),
        End::InstructionLimit => Some("instruction-limit"),
        End::TimeLimit => Some("time-limit"),
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

fn summary(machine: &Machine<'_>, image: &Image, end: &End, seconds: f64) {
    let instructions = machine.now();
    let rate = instructions as f64 / seconds.max(1e-9) / 1e6;
    let status = match exit_status(end, image) {
        Value::Null => "stopped".to_owned(),
        status => format!("exit status {status}"),
    };
    let (stack, heap) = machine.memory_use();
    console::line(&format!(
        "{status}; {} in {seconds:.3} s ({rate:.0} M/s); stack {}, heap {}",
        counted(instructions, "instruction"),
        counted(stack, "byte"),
        counted(heap, "byte"),
    ));
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

/// Where the program was, innermost call first; inlined calls are calls.
fn backtrace(machine: &Machine<'_>, image: &Image) -> Vec<String> {
    let program = image.program();
    let mut lines = Vec::new();
    for (func, pc) in machine.backtrace().into_iter().take(50) {
        let function = &program.functions[func];
        let mut place = image.place(pc).or(function.place);
        if place.is_none() {
            lines.push(format!("  in `{}`", function.name));
        }
        while let Some(at) = place {
            let data = &program.source.places[at];
            lines.push(format!(
                "  --> {} in `{}`",
                ready::describe(&program.source, at),
                data.function
            ));
            place = data.inlined_at;
        }
    }
    lines
}

/// Passes the program's output on.
struct Terminal {
    /// Kept instead of printed.
    kept: Vec<u8>,
    keep: bool,
    pending: Vec<u8>,
    /// The first failure to write.
    error: Option<io::Error>,
}

impl Terminal {
    fn new(options: &RunOptions) -> Self {
        let keep = options.format == Format::Json || options.output.is_some();
        Self {
            kept: Vec::new(),
            keep,
            pending: Vec::new(),
            error: None,
        }
    }

    fn flush(&mut self) {
        let mut out = io::stdout().lock();
        let written = out.write_all(&self.pending).and_then(|()| out.flush());
        self.pending.clear();
        // A reader that is gone does not stop the program; a full disk is told at the end.
        if let Err(error) = written
            && error.kind() != io::ErrorKind::BrokenPipe
        {
            self.error.get_or_insert(error);
        }
    }

    fn finish(&mut self, options: &RunOptions) -> Result<(), Error> {
        self.flush();
        if let Some(error) = self.error.take() {
            return Err(Error::File {
                path: "stdout".into(),
                error,
            });
        }
        match &options.output {
            Some(path) => console::result(Some(path), |out| out.write_all(&self.kept)),
            None => Ok(()),
        }
    }
}

impl Observer for Terminal {
    fn write(&mut self, _: Moment, stream: Stream, bytes: &[u8]) {
        match stream {
            Stream::Output if self.keep => self.kept.extend_from_slice(bytes),
            Stream::Output => {
                self.pending.extend_from_slice(bytes);
                if self.pending.len() > 1 << 13 || bytes.contains(&b'\n') {
                    self.flush();
                }
            }
            Stream::Error => {
                self.flush();
                let _ = io::stderr().lock().write_all(bytes);
            }
        }
    }
}
