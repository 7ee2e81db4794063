//! Limits hold in every phase: time, memory and Ctrl-C end a command with exit code 2 and one message,
//! and nothing that it started is left.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use brownout_testkit::{Ended, Scratch, execute};

use crate::{assert_no_crash, program, scratch};

const TOOL: &str = env!("CARGO_BIN_EXE_brownout");
const LIMIT: Duration = Duration::from_secs(60);

const COUNTER: &str = "#include <brownout.h>\nint count;\nint main(void) {\n  brownout_checkpoint();\n  count = count + 1;\n  brownout_checkpoint();\n  return 0;\n}\n";

fn sh(script: &str) -> Command {
    let mut command = Command::new("/bin/sh");
    command.args(["-c", script]);
    command
}

/// The tool must end with exit code 2 and one error, which has this in it.
#[track_caller]
fn one_error(ended: &Ended, part: &str) {
    assert_no_crash(ended);
    assert_eq!(ended.status, Some(2), "{}", ended.stderr);
    let errors = ended
        .stderr
        .lines()
        .filter(|line| line.starts_with("error"));
    assert_eq!(errors.count(), 1, "{}", ended.stderr);
    assert!(ended.stderr.contains(part), "{}", ended.stderr);
}

/// A pipe that nobody writes to: whoever reads it waits.
fn silent(scratch: &Scratch, name: &str) -> PathBuf {
    let path = scratch.path().join(name);
    let ended = execute(Command::new("mkfifo").arg(&path), LIMIT).unwrap();
    assert_eq!(ended.status, Some(0), "{}", ended.stderr);
    path
}

fn signal(name: &str, pid: u32) {
    let mut command = sh(&format!("kill -{name} {pid}"));
    assert_eq!(execute(&mut command, LIMIT).unwrap().status, Some(0));
}

/// Waits for a process to end, for a while.
fn ended(mut child: Child) -> Ended {
    let since = Instant::now();
    while child.try_wait().unwrap().is_none() && since.elapsed() < LIMIT {
        std::thread::sleep(Duration::from_millis(10));
    }
    // It has ended, or has to.
    let _ = child.kill();
    let output = child.wait_with_output().unwrap();
    Ended {
        status: output.status.code(),
        signal: None,
        stdout: output.stdout,
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

fn started(arguments: &[&str], input: &Path, clang: &str) -> Child {
    let mut command = Command::new(TOOL);
    command
        .args(arguments)
        .arg(input)
        .env("BROWNOUT_CLANG", clang);
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command.spawn().unwrap()
}

#[test]
fn memory_is_limited_while_compiling() {
    let scratch = scratch();
    let source = program(&scratch, COUNTER);
    for command in ["check", "run", "prove", "fix", "crash"] {
        for limit in ["1", "20M"] {
            let mut tool = Command::new(TOOL);
            tool.args([command, "--memory-limit", limit]).arg(&source);
            one_error(&execute(&mut tool, LIMIT).unwrap(), "`--memory-limit`");
        }
    }
}

#[test]
fn compilers_have_no_more_memory_than_the_tool() {
    let scratch = scratch();
    let source = program(&scratch, COUNTER);
    let text = "#!/bin/sh\nsleep 0.5\nulimit -d >&2\nexit 1\n";
    let fake = scratch.file("clang", text).unwrap();
    execute(Command::new("chmod").arg("+x").arg(&fake), LIMIT).unwrap();
    let child = started(
        &["check", "--memory-limit", "300M"],
        &source,
        fake.to_str().unwrap(),
    );
    one_error(&ended(child), "307200\n");
}

#[test]
fn having_no_more_memory_is_one_message() {
    let scratch = scratch();
    let source = program(&scratch, COUNTER);
    let mut failed = 0;
    // From too little to begin with to not quite enough for a machine with as much memory.
    for kilobytes in [232_000, 246_000, 250_000, 270_000, 300_000, 400_000] {
        let mut command = sh(&format!(
            "ulimit -v {kilobytes}; exec {TOOL} check -q --target x86_64 --set memory.stack-size=75497472 \"$0\""
        ));
        let ended = execute(command.arg(&source), LIMIT).unwrap();
        // The system itself may fail to load the program.
        if ended.status != Some(127) {
            one_error(&ended, "error: ");
            failed += 1;
        }
    }
    assert!(failed > 2, "{failed}");
}

#[test]
fn having_no_threads_is_one_message() {
    let scratch = scratch();
    let source = program(&scratch, COUNTER);
    let mut command = Command::new(TOOL);
    command
        .arg("check")
        .arg(&source)
        .env("RUST_MIN_STACK", "99999999999999");
    let ended = execute(&mut command, LIMIT).unwrap();
    one_error(&ended, "no thread can be started");
}

#[test]
fn interrupts_hold_while_compiling() {
    // Ctrl-C reaches the compiler as well, and this may be before the command hears of it.
    for is_told_first in [false, true] {
        let scratch = scratch();
        let source = program(&scratch, COUNTER);
        let note = scratch.path().join("started");
        let text = format!("#!/bin/sh\necho $$ > {}\nexec sleep 60\n", note.display());
        let fake = scratch.file("clang", text).unwrap();
        execute(Command::new("chmod").arg("+x").arg(&fake), LIMIT).unwrap();
        let child = started(&["check"], &source, fake.to_str().unwrap());
        let since = Instant::now();
        let compiler = loop {
            let text = std::fs::read_to_string(&note).unwrap_or_default();
            if let Ok(pid) = text.trim().parse::<u32>() {
                break pid;
            }
            assert!(since.elapsed() < LIMIT);
            std::thread::sleep(Duration::from_millis(10));
        };
        if is_told_first {
            signal("INT", compiler);
            std::thread::sleep(Duration::from_millis(100));
        }
        signal("INT", child.id());
        let since = Instant::now();
        one_error(&ended(child), "stopped before the program was compiled");
        assert!(since.elapsed() < Duration::from_secs(20));
        assert!(!Path::new(&format!("/proc/{compiler}")).exists());
    }
}

#[test]
fn interrupts_hold_while_files_are_read_and_lifted() {
    let scratch = scratch();
    let module = silent(&scratch, "slow.ll");
    let child = started(&["check"], &module, "clang-22");
    std::thread::sleep(Duration::from_millis(800));
    signal("INT", child.id());
    one_error(&ended(child), "stopped before");
}

/// The children of a process, whichever of its threads started them.
fn children(pid: u32) -> Vec<PathBuf> {
    let threads = std::fs::read_dir(format!("/proc/{pid}/task"));
    let mut found = Vec::new();
    for thread in threads.into_iter().flatten().flatten() {
        let text = std::fs::read_to_string(thread.path().join("children")).unwrap_or_default();
        let numbers = text.split_whitespace();
        found.extend(numbers.map(|child| Path::new("/proc").join(child)));
    }
    found
}

/// A compiler and a solver are gone when somebody kills the command.
#[test]
fn children_die_with_the_command() {
    let scratch = scratch();
    silent(&scratch, "slow.h");
    let includes = scratch.path().join("includes.c");
    std::fs::write(
        &includes,
        "#include \"slow.h\"\nint main(void) { return 0; }\n",
    )
    .unwrap();
    let flags = "#include <brownout.h>\nBROWNOUT_NV int flags;\nint main(void) {\n  brownout_checkpoint();\n  flags |= 4;\n  return 0;\n}\n";
    let source = program(&scratch, flags);
    let solver = ["prove", "--solver", "sleep 1000", "--solver-time", "900000"];
    for (words, input, name) in [
        (&["check"][..], &includes, "clang"),
        (&solver, &source, "sleep"),
    ] {
        let mut tool = Command::new(TOOL);
        let tool = tool.args(words).arg(input).stderr(Stdio::null());
        let mut tool = tool.spawn().unwrap();
        let is_it = |child: &PathBuf| {
            let comm = std::fs::read_to_string(child.join("comm")).unwrap_or_default();
            comm.starts_with(name)
        };
        let since = Instant::now();
        let child = loop {
            assert!(since.elapsed() < LIMIT, "no child `{name}`");
            match children(tool.id()).into_iter().find(is_it) {
                Some(child) => break child,
                None => std::thread::sleep(Duration::from_millis(10)),
            }
        };
        tool.kill().unwrap();
        tool.wait().unwrap();
        let since = Instant::now();
        while child.exists() && since.elapsed() < LIMIT {
            std::thread::sleep(Duration::from_millis(10));
        }
        assert!(!child.exists(), "`{name}` is left: {}", child.display());
    }
}

/// A program that does not come to its end for minutes.
const LONG: &str = "int count;\nint main(void) {\n  for (volatile unsigned long i = 0; i < 4000000000; i++)\n    count = count + 1;\n  return 0;\n}\n";
const MANY: &str = "--max-instructions=100000000000";

#[test]
fn an_execution_that_is_interrupted_tells_what_it_has_done() {
    let scratch = scratch();
    let source = program(&scratch, LONG);
    let child = started(&["run", MANY], &source, "clang-22");
    std::thread::sleep(Duration::from_secs(3));
    signal("INT", child.id());
    let ended = ended(child);
    one_error(&ended, "stopped before");
    // A busy machine may still have been compiling.
    let is_compiled = !ended.stderr.contains("was compiled");
    let is_told = ended.stderr.contains(" instructions in ");
    assert_eq!(is_compiled, is_told, "{}", ended.stderr);
}

#[test]
fn brute_force_is_estimated_within_the_limit() {
    let scratch = scratch();
    let source = program(&scratch, LONG);
    let mut tool = Command::new(TOOL);
    tool.args([
        "check",
        "--brute-force",
        "--time-limit",
        "1",
        "--nv",
        "globals",
        MANY,
    ]);
    one_error(&execute(tool.arg(&source), LIMIT).unwrap(), "stopped ");
}

#[test]
fn a_repair_takes_no_longer_than_it_may() {
    let scratch = scratch();
    let source = program(&scratch, &circle(400));
    let mut tool = Command::new(TOOL);
    tool.args(["fix", "--target", "x86_64", "--time-limit", "2"]);
    one_error(
        &execute(tool.arg(&source), LIMIT).unwrap(),
        "static analysis was stopped by half of `--time-limit`",
    );
}

#[test]
fn jobs_are_bounded_by_the_work() {
    let scratch = scratch();
    let source = program(&scratch, COUNTER);
    let mut command = Command::new(TOOL);
    command
        .args(["check", "-q", "--jobs", "1000000"])
        .arg(&source);
    let ended = execute(&mut command, LIMIT).unwrap();
    assert_no_crash(&ended);
    assert_eq!(ended.status, Some(1), "{}", ended.stderr);
}

/// Functions that call each other in a circle: what static analysis knows of them takes gigabytes.
fn circle(functions: usize) -> String {
    let mut text =
        "#include <brownout.h>\nint sense(void) BROWNOUT_INPUT;\nint count;\n".to_owned();
    for index in 0..functions {
        text += &format!("int f{index}(int, int *); int g{index}, a{index}[8], *q{index};\n");
    }
    for index in 0..functions {
        text += &format!("int f{index}(int d, int *p) {{\n  int s = 0;\n  if (d <= 0) return 0;\n");
        for step in 0..6 {
            let to = (index * 31 + step * 17 + 1) % functions;
            text += &format!(
                "  g{to} += d; a{to}[d & 7] = g{index} + *p; q{index} = p;\n  if (g{to} > {step}) s += f{to}(d - 1, {step} & 1 ? q{to} : &g{index});\n"
            );
        }
        text += "  if (sense() > 3) { count = s; brownout_checkpoint(); }\n  return s;\n}\n";
    }
    text + "int main(void) {\n  brownout_checkpoint();\n  count = count + 1;\n  brownout_checkpoint();\n  return f0(0, &g0);\n}\n"
}

#[test]
fn static_analysis_leaves_time_and_memory_for_executions() {
    let scratch = scratch();
    let source = program(&scratch, &circle(400));
    for limit in [["--time-limit", "8"], ["--memory-limit", "240M"]] {
        let mut tool = Command::new(TOOL);
        tool.args(["check", "--target", "x86_64", "--format", "json"]);
        tool.args(limit).arg(&source);
        let found = execute(&mut tool, LIMIT).unwrap();
        assert_no_crash(&found);
        assert_eq!(found.status, Some(1), "{}", found.stderr);
        let why = format!("static analysis was stopped by half of `{}`", limit[0]);
        assert!(found.stderr.contains(&why), "{}", found.stderr);
        let document: serde_json::Value = serde_json::from_slice(&found.stdout).unwrap();
        assert_eq!(document["complete"], false);
        assert_eq!(document["findings"][0]["evidence"], "confirmed");
    }
}
