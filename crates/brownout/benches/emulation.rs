//! How fast programs are emulated: `cargo bench -p brownout`.
//!
//! Every kernel in `benches/kernels` is built natively with `clang -O1` and
//! emulated from the IR of the same level: plainly, then with an observer that
//! records every load and store in a shadow map. Ratios are what counts;
//! absolute times depend on the machine.
//!
//! Emulation is measured in processor time: on a shared machine the clock on
//! the wall can make the slower of two runs look faster. Native runs are a few
//! milliseconds, so the shortest of many is taken, less the time that an empty
//! program needs. The table goes to standard output and
//! to `performance.md` in the build folder. A kernel with the wrong output
//! fails the run, a figure that misses its goal only warns.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "this is a command line program"
)]

mod support;

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use brownout_testkit::{Case, Error, Outcome, Scratch, Tool, cases, compare, execute, native};
use brownout_vm::{Image, Machine, MemoryPlan, Moment, Observer, Stop, Stream};
use support::{processor_time, thousands};

/// Natively a kernel takes well below a second.
const NATIVE_LIMIT: Duration = Duration::from_secs(60);

/// The goals: slowdown against native on the geometric mean and of the worst kernel, instructions
/// per second, slowdown of observed against plain emulation, start-up.
const MEAN_SLOWDOWN: f64 = 30.0;
const WORST_SLOWDOWN: f64 = 60.0;
const RATE: f64 = 100e6;
const OBSERVED_SLOWDOWN: f64 = 2.5;
const START: Duration = Duration::from_millis(150);

/// The figures of one kernel.
struct Figures {
    name: String,
    native: Duration,
    instructions: u64,
    plain: Duration,
    observed: Duration,
}

impl Figures {
    fn rate(&self) -> f64 {
        self.instructions as f64 / self.plain.as_secs_f64()
    }

    fn slowdown(&self) -> f64 {
        self.plain.as_secs_f64() / self.native.as_secs_f64()
    }

    fn observed_slowdown(&self) -> f64 {
        self.observed.as_secs_f64() / self.plain.as_secs_f64()
    }
}

fn main() -> ExitCode {
    match measure() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn measure() -> Result<(), Error> {
    let scratch = Scratch::new(Path::new(env!("CARGO_TARGET_TMPDIR")))?;
    let kernels = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/kernels");
    // `cargo bench NAME` measures some kernels only.
    let wanted: Vec<String> = std::env::args()
        .skip(1)
        .filter(|argument| !argument.starts_with('-'))
        .collect();
    let nothing = scratch.file("nothing.c", "int main(void) { return 0; }")?;
    native::build(
        &[nothing],
        &["-O1".to_owned()],
        &scratch.path().join("nothing"),
    )?;
    let (empty, _) = time_native(&scratch.path().join("nothing"))?;
    let mut figures = Vec::new();
    for case in cases(&kernels)? {
        if wanted.is_empty() || wanted.iter().any(|name| case.name.contains(name.as_str())) {
            eprintln!("{} …", case.name);
            figures.push(kernel(&case, &scratch, empty)?);
        }
    }
    let start = start_up(&scratch)?;
    let table = table(&figures, start);
    print!("{table}");
    warn(&figures, start);
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("performance.md");
    std::fs::write(&path, table).map_err(|error| Error::file(&path, error))?;
    eprintln!("written to {}", path.display());
    Ok(())
}

/// Measures one kernel, natively and emulated.
fn kernel(case: &Case, scratch: &Scratch, empty: Duration) -> Result<Figures, Error> {
    let program = scratch.path().join(&case.name);
    let flags = ["-w", "-O1"].map(str::to_owned);
    native::build(&case.sources, &flags, &program)?;
    let (native, expected) = time_native(&program)?;
    let native = native.saturating_sub(empty).max(Duration::from_micros(1));
    let image = image(&case.sources)?;
    let mut instructions = 0;
    let mut check = |machine: &Machine<'_>, stop: &Stop, output: &[u8]| {
        instructions = machine.now();
        let found = outcome(stop, output)?;
        compare(&expected, &found)
    };
    // In turns, so that a disturbance of the machine does not hit one kind only.
    let (mut plain, mut observed) = (Duration::MAX, Duration::MAX);
    for _ in 0..7 {
        let mut printer = Printer::default();
        let mut machine = Machine::new(&image);
        let begun = processor_time()?;
        let stop = machine.run(&mut printer, u64::MAX);
        plain = plain.min(processor_time()?.saturating_sub(begun));
        check(&machine, &stop, &printer.output)?;

        let mut machine = Machine::new(&image);
        let mut shadow = Shadow::new(machine.memory().len());
        let begun = processor_time()?;
        let stop = machine.run(&mut shadow, u64::MAX);
        observed = observed.min(processor_time()?.saturating_sub(begun));
        check(&machine, &stop, &shadow.output)?;
        // What is recorded must not be optimised away.
        std::hint::black_box((&shadow.read, &shadow.written));
    }
    Ok(Figures {
        name: case.name.clone(),
        native,
        instructions,
        plain,
        observed,
    })
}

/// How long a native program takes, and what it does.
fn time_native(program: &Path) -> Result<(Duration, Outcome), Error> {
    let outcome = native::run(program, NATIVE_LIMIT)?;
    let time = best_of(20, || {
        let begun = Instant::now();
        native::run(program, NATIVE_LIMIT)?;
        Ok(begun.elapsed())
    })?;
    Ok((time, outcome))
}

/// The shortest of a few measurements.
fn best_of(
    times: u32,
    mut once: impl FnMut() -> Result<Duration, Error>,
) -> Result<Duration, Error> {
    let mut best = once()?;
    for _ in 1..times {
        best = best.min(once()?);
    }
    Ok(best)
}

/// The program that `brownout run --target x86_64 … -- -O1` would run.
fn image(sources: &[PathBuf]) -> Result<Image, Error> {
    support::image(sources, &|_| MemoryPlan::default())
}

fn outcome(stop: &Stop, output: &[u8]) -> Result<Outcome, Error> {
    match stop {
        Stop::Exited { status } => Ok(Outcome {
            output: String::from_utf8_lossy(output).into_owned(),
            status: i64::from(status & 0xff),
        }),
        Stop::Faulted(fault) => Err(Error::Fault {
            message: fault.to_string(),
        }),
        Stop::Paused => Err(Error::Fault {
            message: "paused".to_owned(),
        }),
    }
}

/// Keeps what the program prints.
#[derive(Default)]
struct Printer {
    output: Vec<u8>,
}

impl Observer for Printer {
    fn write(&mut self, _: Moment, stream: Stream, bytes: &[u8]) {
        if stream == Stream::Output {
            self.output.extend_from_slice(bytes);
        }
    }
}

/// Remembers for every byte of memory when it was last read and written.
struct Shadow {
    output: Vec<u8>,
    read: Vec<u64>,
    written: Vec<u64>,
}

impl Shadow {
    fn new(size: usize) -> Self {
        Self {
            output: Vec::new(),
            read: vec![0; size],
            written: vec![0; size],
        }
    }
}

impl Observer for Shadow {
    #[inline(always)]
    fn accesses(&self) -> bool {
        true
    }

    #[inline(always)]
    fn load(&mut self, at: Moment, offset: u32, bytes: &[u8]) {
        let start = offset as usize;
        if let Some(times) = self.read.get_mut(start..start + bytes.len()) {
            times.fill(at.time);
        }
    }

    #[inline(always)]
    fn store(&mut self, at: Moment, _: &[u8], offset: u32, new: &[u8]) {
        let start = offset as usize;
        if let Some(bytes) = self.written.get_mut(start..start + new.len()) {
            bytes.fill(at.time);
        }
    }

    fn write(&mut self, _: Moment, stream: Stream, bytes: &[u8]) {
        if stream == Stream::Output {
            self.output.extend_from_slice(bytes);
        }
    }
}

/// From the start of the process to its end, for a file of 2,000 lines whose `main` returns at once.
fn start_up(scratch: &Scratch) -> Result<Duration, Error> {
    let mut text = String::from("#include <stdio.h>\n#include <string.h>\n");
    // 142 functions of 14 lines each.
    for n in 0..142 {
        let _ = write!(
            text,
            "static int table_{n}[8] = {{{n}, 1, 2, 3, 4, 5, 6, 7}};\n\
             int work_{n}(int a, const char *text) {{\n  int sum = a;\n  for (int i = 0; i < 8; i++) {{\n    \
             if (table_{n}[i] & a)\n      sum += table_{n}[i] * {n};\n    else\n      sum ^= i << (a & 7);\n  }}\n  \
             if (text)\n    sum += (int)strlen(text);\n  printf(\"%d\\n\", sum);\n  return sum;\n}}\n"
        );
    }
    while text.lines().count() < 1999 {
        text.push_str("// …\n");
    }
    text.push_str(
        "int main(int argc, char **argv) { return argc > 1 ? work_1(argc, argv[0]) : 0; }\n",
    );
    let source = scratch.file("start.c", text)?;
    let tool = Tool::new(env!("CARGO_BIN_EXE_brownout"));
    best_of(5, || {
        let begun = Instant::now();
        let ended = execute(tool.command(["run", "-q"]).arg(&source), NATIVE_LIMIT)?;
        let elapsed = begun.elapsed();
        match ended.status {
            Some(0) => Ok(elapsed),
            _ => Err(Error::Failed {
                command: "brownout run start.c".to_owned(),
                message: ended.stderr,
            }),
        }
    })
}

fn mean(figures: &[Figures], of: impl Fn(&Figures) -> f64) -> f64 {
    (figures.iter().map(|figure| of(figure).ln()).sum::<f64>() / figures.len().max(1) as f64).exp()
}

/// The table of the documentation.
fn table(figures: &[Figures], start: Duration) -> String {
    let mut table = String::from(
        "| kernel | IR instructions | native, ms | plain, ms | M instructions/s | plain / native | observed / plain |\n\
         |---|---:|---:|---:|---:|---:|---:|\n",
    );
    for figure in figures {
        let milliseconds = |duration: Duration| duration.as_secs_f64() * 1e3;
        let _ = writeln!(
            table,
            "| {} | {} | {:.1} | {:.0} | {:.0} | {:.1} | {:.2} |",
            figure.name,
            thousands(figure.instructions),
            milliseconds(figure.native),
            milliseconds(figure.plain),
            figure.rate() / 1e6,
            figure.slowdown(),
            figure.observed_slowdown(),
        );
    }
    let _ = writeln!(
        table,
        "| **geometric mean** | | | | **{:.0}** | **{:.1}** | **{:.2}** |\n\n\
         Start-up, a C file of 2,000 lines from process start to exit, clang included: {} ms.",
        mean(figures, Figures::rate) / 1e6,
        mean(figures, Figures::slowdown),
        mean(figures, Figures::observed_slowdown),
        start.as_millis()
    );
    table
}

/// Tells which goals are missed.
fn warn(figures: &[Figures], start: Duration) {
    let check = |what: &str, figure: f64, goal: f64, good: bool| {
        if !good {
            eprintln!("warning: {what} is {figure:.2}, the goal is {goal:.2}");
        }
    };
    let slowdown = mean(figures, Figures::slowdown);
    check(
        "plain / native",
        slowdown,
        MEAN_SLOWDOWN,
        slowdown <= MEAN_SLOWDOWN,
    );
    let observed = mean(figures, Figures::observed_slowdown);
    check(
        "observed / plain",
        observed,
        OBSERVED_SLOWDOWN,
        observed <= OBSERVED_SLOWDOWN,
    );
    let rate = mean(figures, Figures::rate);
    check("M instructions/s", rate / 1e6, RATE / 1e6, rate >= RATE);
    for figure in figures {
        let worst = figure.slowdown();
        check(
            &format!("plain / native of {}", figure.name),
            worst,
            WORST_SLOWDOWN,
            worst <= WORST_SLOWDOWN,
        );
    }
    check(
        "start-up in ms",
        start.as_secs_f64() * 1e3,
        START.as_secs_f64() * 1e3,
        start <= START,
    );
}
