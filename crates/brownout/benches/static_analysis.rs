//! How the cost of static analysis grows with the size of a program.
//!
//! Generated drivers of 1,000 to 50,000 lines: functions that read registers of a device, decide
//! on what they read, change the state of the driver through pointers and call each other.
//! Prints a table of ratios for `docs/PERFORMANCE.md`; times are those of the analysis alone, after
//! the program has been read.

#![allow(
    clippy::print_stdout,
    clippy::expect_used,
    reason = "a benchmark prints, and ends where something is wrong"
)]

use std::fmt::Write;
use std::path::Path;
use std::process::Command;

/// How many runs each program gets; the best counts.
const RUNS: usize = 3;

fn main() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    println!("| lines | analysis, ms | ms for 1,000 lines | peak memory, MB | findings |");
    println!("|---:|---:|---:|---:|---:|");
    for lines in [1_000, 2_000, 5_000, 10_000, 20_000, 50_000] {
        let text = driver(lines);
        let count = text.lines().count();
        let path = folder.join(format!("driver{lines}.c"));
        std::fs::write(&path, text).expect("a file to write to");
        let runs: Vec<(f64, usize)> = (0..RUNS).map(|_| analyse(&path)).collect();
        let best = runs
            .iter()
            .map(|(seconds, _)| *seconds)
            .fold(f64::MAX, f64::min);
        let memory = peak(&path);
        println!(
            "| {count} | {:.0} | {:.1} | {memory} | {} |",
            best * 1e3,
            best * 1e6 / count as f64,
            runs[0].1
        );
    }
}

fn check(path: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_brownout"));
    command.args([
        "check", "--static", "--format", "json", "-q", "--target", "riscv32",
    ]);
    command.arg(path);
    command
}

/// Seconds of the analysis, and how many findings there are.
fn analyse(path: &Path) -> (f64, usize) {
    let output = check(path).output().expect("the tool runs");
    let document: serde_json::Value =
        serde_json::from_slice(&output.stdout).expect("a report on stdout");
    let seconds = document["stats"]["analysis_seconds"]
        .as_f64()
        .expect("a time");
    (seconds, document["findings"].as_array().map_or(0, Vec::len))
}

/// Peak memory of a run in megabytes, as the kernel saw it.
fn peak(path: &Path) -> String {
    let tool = check(path);
    let mut command = Command::new("/usr/bin/time");
    command
        .args(["-f", "%M"])
        .arg(tool.get_program())
        .args(tool.get_args());
    let output = command.output().ok();
    let text = output.map(|output| String::from_utf8_lossy(&output.stderr).into_owned());
    let kilobytes = text.and_then(|text| text.lines().last()?.trim().parse::<u64>().ok());
    kilobytes.map_or_else(
        || "?".to_owned(),
        |kilobytes| (kilobytes / 1024).to_string(),
    )
}

/// A driver of about so many lines.
fn driver(lines: usize) -> String {
    let mut text = String::from(
        "#include <brownout.h>\n\
         int bus_read(int reg) BROWNOUT_INPUT;\n\
         void bus_write(int reg, int value) BROWNOUT_OUTPUT(absolute);\n\
         struct device { int mode; int range; int raw[6]; int errors; };\n",
    );
    let functions = lines / 25;
    for index in 0..functions {
        let previous = index.saturating_sub(1) / 10 * 10;
        let called = if index % 10 == 0 {
            String::new()
        } else {
            format!("    if (level > {index}) total{index} += step{previous}(device, level - 1);\n")
        };
        let _ = write!(
            text,
            "static struct device device{index};\n\
             static int total{index};\n\
             static int limit{index} = {index};\n\
             int step{index}(struct device *device, int level) {{\n\
             \x20   int status = bus_read({index});\n\
             \x20   if (status & 1) {{\n\
             \x20       device->mode = level;\n\
             \x20       device->errors = 0;\n\
             \x20   }} else if (status & 2) {{\n\
             \x20       device->errors = device->errors + 1;\n\
             \x20       return -1;\n\
             \x20   }}\n\
             \x20   for (int i = 0; i < 6; i++) {{\n\
             \x20       device->raw[i] = bus_read(i);\n\
             \x20   }}\n\
             \x20   device{index}.range = status >> 4;\n\
             \x20   switch (device{index}.range & 3) {{\n\
             \x20   case 0: total{index} = 0; break;\n\
             \x20   case 1: total{index} = limit{index}; break;\n\
             \x20   default: bus_write({index}, level); break;\n\
             \x20   }}\n\
             {called}\
             \x20   return total{index} + level;\n\
             }}\n"
        );
    }
    text.push_str("int main(void) {\n    for (;;) {\n        brownout_checkpoint();\n");
    for index in (0..functions).filter(|index| index % 10 == 9) {
        let _ = writeln!(text, "        step{index}(&device{index}, {index});");
    }
    text.push_str("    }\n}\n");
    text
}
