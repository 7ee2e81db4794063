//! What benchmarks share: programs to measure, and a clock.

use std::path::PathBuf;
use std::time::Duration;

use brownout_ir::Program;
use brownout_testkit::{Error, Tool, execute};
use brownout_vm::{Bindings, Image, MemoryPlan, add_start};

/// The time that clang may take.
const LIMIT: Duration = Duration::from_secs(60);

/// The program that `brownout run --target x86_64 … -- -O1` would run, with the memory of a plan.
pub(crate) fn image(
    sources: &[PathBuf],
    plan: &dyn Fn(&mut Program) -> MemoryPlan,
) -> Result<Image, Error> {
    let tool = Tool::new(env!("CARGO_BIN_EXE_brownout"));
    let mut command = tool.command(["dump", "ir", "--target", "x86_64"]);
    let ended = execute(command.args(sources).args(["--", "-w", "-O1"]), LIMIT)?;
    let failed = |message: String| Error::Failed {
        command: format!("{command:?}").replace('"', ""),
        message,
    };
    if ended.status != Some(0) {
        return Err(failed(ended.stderr));
    }
    let text = String::from_utf8_lossy(&ended.stdout);
    let mut program = brownout_ir::parse(&text).map_err(|error| failed(error.to_string()))?;
    let entry = program
        .function("main")
        .ok_or_else(|| failed("no function `main`".to_owned()))?;
    let plan = plan(&mut program);
    let start = add_start(&mut program, entry);
    Image::new(program, start, &plan, Bindings::default())
        .map_err(|error| failed(error.to_string()))
}

/// How long this thread has been on a processor.
pub(crate) fn processor_time() -> Result<Duration, Error> {
    const PATH: &str = "/proc/thread-self/schedstat";
    let text = std::fs::read_to_string(PATH).map_err(|error| Error::file(PATH, error))?;
    let nanoseconds = text
        .split_whitespace()
        .next()
        .and_then(|field| field.parse().ok());
    nanoseconds
        .map(Duration::from_nanos)
        .ok_or_else(|| Error::file(PATH, std::io::Error::from(std::io::ErrorKind::InvalidData)))
}

/// A number that can be read.
pub(crate) fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
