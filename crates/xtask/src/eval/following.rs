//! `cargo xtask eval following`: what following inputs takes, with and without tags, in instructions
//! of the host as valgrind counts them. They do not depend on how busy the host is.

use std::fmt::Write;
use std::path::Path;
use std::process::{Command, ExitCode};
use std::time::Duration;

use brownout_testkit::{Error, Tool, execute};

use super::sensing::Sensing;

const LIMIT: Duration = Duration::from_secs(600);

/// The functions whose instructions count, with all that they call.
const LOCATE: &str = "brownout_trace::hazards::locate::locate";
const FOLLOW: &str = "brownout_trace::inputs::check_inputs";

/// What is said about the inputs of a line.
type Say = fn(&mut Sensing);

pub(super) fn run(tool: &Tool, folder: &Path) -> Result<ExitCode, Error> {
    let mut text = String::from("what,1 input,2 inputs,3 inputs,4 inputs\n");
    let lines: [(&str, Say); 9] = [
        ("locate", |_| {}),
        ("follow", |_| {}),
        ("follow four readings a round", |sensing| {
            sensing.spread = true;
        }),
        ("follow tagged inputs", |sensing| sensing.tagged = true),
        ("follow a tagged variable", |sensing| {
            sensing.variable = true;
        }),
        ("follow a consistent set", |sensing| {
            sensing.consistent = true;
        }),
        ("follow a consistent set of tagged inputs", |sensing| {
            (sensing.consistent, sensing.tagged) = (true, true);
        }),
        ("follow a set four readings a round", |sensing| {
            (sensing.consistent, sensing.spread) = (true, true);
        }),
        (
            "follow a set of tagged inputs four readings a round",
            |sensing| {
                (sensing.consistent, sensing.tagged, sensing.spread) = (true, true, true);
            },
        ),
    ];
    for (name, say) in lines {
        let (rule, function) = match name {
            "locate" => ("war", LOCATE),
            _ => ("stale-input", FOLLOW),
        };
        println!("{name} …");
        text.push_str(name);
        for inputs in 1..=4 {
            let mut sensing = Sensing::of(inputs);
            say(&mut sensing);
            let check = sensing.check(tool, &["--only", rule, "--no-evaluate", "--jobs", "1"]);
            let _ = write!(text, ",{}", instructions(&check, function, folder)?);
        }
        text.push('\n');
    }
    super::write(folder, "following.csv", text)?;
    Ok(ExitCode::SUCCESS)
}

/// What a function of the tool takes in one execution.
fn instructions(check: &Command, function: &str, folder: &Path) -> Result<u64, Error> {
    let profile = folder.join("following.profile");
    let mut command = Command::new("valgrind");
    command.arg("--tool=callgrind");
    command.arg(format!("--callgrind-out-file={}", profile.display()));
    command.arg(check.get_program()).args(check.get_args());
    execute(&mut command, LIMIT)?;
    let mut annotate = Command::new("callgrind_annotate");
    annotate.args(["--inclusive=yes", "--threshold=100"]);
    let ended = execute(annotate.arg(&profile), LIMIT)?;
    let _ = std::fs::remove_file(&profile);
    let listing = String::from_utf8_lossy(&ended.stdout);
    // `12,345 (6.78%)  file:function [object]`
    let counts = listing.lines().filter(|line| names(line, function));
    let counts = counts.filter_map(|line| {
        let count = line.split_whitespace().next()?.replace(',', "");
        count.parse::<u64>().ok()
    });
    counts.max().ok_or_else(|| Error::Failed {
        command: format!("{annotate:?}").replace('"', ""),
        message: format!("{function} is not in the profile: {}", ended.stderr),
    })
}

/// Whether a line is about a function, and not about another one whose name begins like it.
fn names(line: &str, function: &str) -> bool {
    let behind = line.split_once(function).map(|(_, behind)| behind);
    behind.is_some_and(|behind| !behind.starts_with([':', '_']))
}
