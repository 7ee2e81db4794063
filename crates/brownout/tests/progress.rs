//! Progress is drawn on a terminal, and nowhere else.

#![allow(clippy::unwrap_used, reason = "tests")]

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use brownout_testkit::{Ended, Scratch, execute};

const LIMIT: Duration = Duration::from_secs(120);

/// Never ends: the time limit does.
const ENDLESS: &str = "\
int count;
int main(void)
{
    for (;;)
        count = count + 1;
}
";

/// Short, with many failures to try.
const SHORT: &str = "\
int count;
int main(void)
{
    for (int i = 0; i < 40; i++)
        count = count + 1;
    return 0;
}
";

/// Runs the tool with stderr on a pseudo terminal, or on a pipe.
fn check(program: &str, arguments: &str, terminal: bool) -> Ended {
    let scratch = Scratch::new(Path::new(env!("CARGO_TARGET_TMPDIR"))).unwrap();
    scratch.file("program.c", program).unwrap();
    let tool = env!("CARGO_BIN_EXE_brownout");
    let line = format!("'{tool}' check {arguments} program.c");
    let mut command = if terminal {
        let mut command = Command::new("script");
        command.args(["-qec", &line, "/dev/null"]);
        command
    } else {
        let mut command = Command::new("sh");
        command.args(["-c", &line]);
        command
    };
    command
        .env("TERM", "xterm")
        .current_dir(scratch.path())
        .env_remove("NO_COLOR");
    execute(&mut command, LIMIT).unwrap()
}

/// Everything that was printed.
fn text(ended: &Ended) -> String {
    format!("{}{}", String::from_utf8_lossy(&ended.stdout), ended.stderr)
}

/// How long exploring takes depends on the machine: what takes less than a second shows nothing.
#[test]
fn a_terminal_shows_how_far_it_is() {
    let begun = Instant::now();
    let ended = check(
        ENDLESS,
        "--time-limit 4 --format concise --policy reactive --jobs 1",
        true,
    );
    let seconds = begun.elapsed().as_secs_f64();
    let printed = text(&ended);
    // A loop without end is located at once, so what takes long is exploring.
    let is_shown = printed.contains("exploring [");
    assert!(!is_shown || seconds > 1.0, "{seconds} s: {printed}");
    assert!(is_shown || seconds < 2.5, "{seconds} s: {printed}");
    if is_shown {
        assert!(printed.contains(" windows, "), "{printed}");
        assert!(printed.contains("/s"), "{printed}");
    }
    // What was found by then may be an error.
    assert!(matches!(ended.status, Some(1 | 2)), "{printed}");
}

#[test]
fn a_bar_says_how_much_is_left() {
    let arguments = "--brute-force --policy reactive --time-limit 15 --nv globals,stack";
    let printed = text(&check(SHORT, arguments, true));
    assert!(printed.contains("brute force ["), "{printed}");
    assert!(printed.contains(" left"), "{printed}");
}

#[test]
fn nobody_sees_it_elsewhere() {
    for (arguments, terminal) in [
        ("--time-limit 3 --format concise", false),
        ("-q --time-limit 3 --format concise", true),
    ] {
        let printed = text(&check(ENDLESS, arguments, terminal));
        assert!(!printed.contains("locating"), "{arguments}: {printed}");
    }
    // Short work: the very bytes that a pipe gets, but for the ends of lines.
    let quick = "int count;\nint main(void)\n{\n    count = count + 1;\n    return 0;\n}\n";
    let piped = text(&check(quick, "--color never", false));
    let shown = text(&check(quick, "--color never", true)).replace("\r\n", "\n");
    for line in piped.lines() {
        assert!(shown.contains(line), "{line}\n{shown}");
    }
    assert_eq!(shown.lines().count(), piped.lines().count(), "{shown}");
}

/// A library that gives the search more to try than it has time for.
const LIBRARY: &str = "#include <brownout.h>\nint sense(void) BROWNOUT_INPUT;\nstatic int done, sum;\nvoid take(int a, int b)\n{\n    if (!done) {\n        int x = a;\n        for (int i = 0; i < 500; i++)\n            x = x * 3 + b;\n        sum = sense() + x;\n        done = a | 1;\n    }\n}\nint get(int by) { return sum * by; }\n";

/// How long compiling takes depends on the machine: some limit strikes while executions are searched.
#[test]
fn a_search_that_a_limit_ends_says_so_and_keeps_what_was_found() {
    let mut all = String::new();
    for limit in ["0.5", "1", "1.5", "2", "3"] {
        let arguments = format!("--jobs 1 --time-limit {limit}");
        let printed = text(&check(LIBRARY, &arguments, false));
        if printed.contains("before everything was checked")
            && printed.contains("`done` may be read, then overwritten")
        {
            return;
        }
        all.push_str(&printed);
    }
    panic!("{all}");
}
