//! What an exploration found, in words.

use std::collections::BTreeSet;

use brownout_crash::{
    Coverage, End, Explored, Failure, FollowedBoot, Kind, Recorded, Shortfall, Violation,
};
use brownout_diag::{Event, Evidence, Extent, Finding, Related, Replay, Rule, SourcePlace, plural};
use brownout_report::{Boot, BootStep, FlashContents};
use brownout_vm::Image;
use serde_json::{Value, json};

use crate::cli::ProgramOptions;

/// How many findings people are shown; machines get all.
const SHOWN: usize = 10;
/// How many assertions are named that were not executed.
const PLACES: usize = 4;
/// Where programs start.
const MAIN: &str = "main";
/// How many other ways to break the same are named.
const WAYS: usize = 3;

/// A number with commas between its thousands.
pub(super) fn number(value: u64) -> String {
    let digits = value.to_string();
    let groups = digits.as_bytes().rchunks(3).rev();
    let groups: Vec<&str> = groups
        .map(|group| std::str::from_utf8(group).unwrap_or(""))
        .collect();
    groups.join(",")
}

/// The one line that stands for a violation.
fn message(violation: &Violation) -> String {
    let assertion = &violation.assertion;
    let text = &assertion.text;
    match (violation.failures.len() as u64, assertion.is_stated()) {
        (0, true) => format!("{text} does not hold, even without a power failure"),
        (0, false) => format!("without any power failure: {text}"),
        (1, true) => format!("1 power failure breaks {text}"),
        (failures, true) => format!("{failures} power failures break {text}"),
        (1, false) => format!("1 power failure leads to {}", noun(text)),
        (failures, false) => format!("{failures} power failures lead to {}", noun(text)),
    }
}

/// A message about a fault as the end of "leads to".
fn noun(text: &str) -> String {
    match text.strip_prefix("the program called ") {
        Some(called) => format!("a call of {called}"),
        None => text.to_owned(),
    }
}

/// Assertions that no boot came to, those in the file where the program starts first.
pub(super) fn unexecuted(image: &Image, passed: &BTreeSet<u32>) -> Option<String> {
    let program = image.program();
    let source = &program.source;
    let main = program
        .function(MAIN)
        .and_then(|main| program.functions[main].place);
    let main = main.and_then(|place| source.files.get(source.places.get(place)?.file));
    let mut places = brownout_crash::unexecuted(image, passed);
    places.sort_by_key(|(file, ..)| Some(file) != main);
    let mut told: Vec<String> = places
        .iter()
        .take(PLACES)
        .map(|(file, line, _)| format!("{file}:{line}"))
        .collect();
    match places.len().saturating_sub(PLACES) as u64 {
        0 => {}
        more => told.push(plural(more, "other place")),
    }
    let last = told.pop()?;
    let places = match told.is_empty() {
        true => last,
        false => format!("{} and {last}", told.join(", ")),
    };
    Some(format!(
        "`assert` at {places} was executed in none of the boots: it says nothing"
    ))
}

/// That the undisturbed program comes to no end, and where it stays instead.
pub(super) fn stays(place: Option<&SourcePlace>) -> String {
    let at = place.filter(|place| place.line > 0);
    let at = at.map_or_else(String::new, |at| format!(" at {}:{}", at.file, at.line));
    format!(
        "the undisturbed program does not return: it stays in a loop{at} in which nothing changes"
    )
}

/// What is said when no power failure could be tried.
pub(super) const NOTHING_TRIED: &str =
    "error: the program changes no non-volatile memory: there was no power failure to try";

/// What inputs give: `next_op gives 2, 0, 1`.
pub(super) fn workload(image: &Image, workload: &[(u32, Vec<u64>)]) -> String {
    let names = &image.bindings().input_names;
    let inputs = workload.iter().map(|(input, values)| {
        let name = names
            .get(*input as usize)
            .map_or("an input", String::as_str);
        let values: Vec<String> = values
            .iter()
            .map(|&value| (value as i64).to_string())
            .collect();
        format!("`{name}` gives {}", values.join(", "))
    });
    inputs.collect::<Vec<_>>().join("; ")
}

/// Where a failure strikes: `inside program 22 of boot 1, 8 of 16 bytes`.
pub(super) fn strike(failure: &Failure, boot: usize) -> String {
    let missing: Vec<String> = failure.missing.iter().map(u64::to_string).collect();
    let without = match missing.is_empty() {
        true => String::new(),
        false => format!(", {} not done", missing.join(", ")),
    };
    done(failure, boot) + &without
}

fn done(failure: &Failure, boot: usize) -> String {
    let operation = format!(
        "{} {} of boot {boot}",
        failure.kind.name(),
        failure.operation
    );
    match &failure.extent {
        Extent::Whole => format!("after {operation}"),
        Extent::Bytes(bytes) => {
            format!("inside {operation}, {bytes} of {} bytes", failure.size)
        }
        Extent::Units(mask) => {
            let units: Vec<String> = (0..8 * mask.len())
                .filter(|unit| mask[unit / 8] >> (unit % 8) & 1 == 1)
                .map(|unit| (unit + 1).to_string())
                .collect();
            match units.is_empty() {
                true => format!("inside {operation}, nothing of {} bytes", failure.size),
                false => format!("inside {operation}, only part {}", units.join(", ")),
            }
        }
        Extent::Bits(bytes, _) => format!(
            "inside {operation}, {bytes} of {} bytes and some bits",
            failure.size
        ),
        Extent::Mixture(number) => match brownout_crash::mixture(*number) {
            (name, 0) => format!("inside {operation}, {name}"),
            (name, block) => format!("inside {operation}, block {}: {name}", block + 1),
        },
    }
}

/// The calls that lead to a place, if one is known.
pub(super) fn way(place: Option<&SourcePlace>) -> String {
    place.map_or_else(String::new, brownout_report::way)
}

/// What is said beside the failures.
fn notes(violation: &Violation, coverage: &Coverage) -> Vec<String> {
    let failures = violation.failures.len() as u32;
    let fewer = match failures {
        0 => None,
        1 if violation.fewest == 1 => None,
        _ if violation.fewest < failures => Some(match violation.fewest {
            0 => "it breaks without any failure, too".to_owned(),
            1 => "1 failure on another way does, too".to_owned(),
            fewest => format!("{fewest} failures on another way do, too"),
        }),
        2 => Some("neither failure alone breaks it".to_owned()),
        failures => Some(format!("no {} failures break it", failures - 1)),
    };
    let does = if violation.states == 1 { "does" } else { "do" };
    let (states, all) = (number(violation.states), number(coverage.states));
    let other_ways = match violation.all_states > violation.states {
        true => format!(", {} with other ways to it", number(violation.all_states)),
        false => String::new(),
    };
    let states = format!("{states} of {all} states {does}{other_ways}");
    match fewer {
        Some(fewer) => vec![format!("{fewer}; {states}")],
        None => vec![states],
    }
}

/// A violation as a finding.
pub(super) fn finding(violation: &Violation, coverage: &Coverage) -> Finding {
    let mut finding = Finding::new(
        Rule::CrashConsistency,
        Evidence::Confirmed,
        message(violation),
    );
    finding.consumer = violation.assertion.place.clone();
    let last = violation.failures.last();
    finding.producer = last.and_then(|failure| failure.place.clone());
    finding.related = (violation.failures.iter().zip(1..))
        .filter_map(|(failure, boot)| {
            Some(Related {
                event: Event::Other(format!("failure {boot}: {}", strike(failure, boot))),
                place: failure.place.clone()?,
            })
        })
        .collect();
    finding.notes = notes(violation, coverage);
    finding.replay = Some(Replay::Boots(violation.id.clone()));
    finding
}

/// What a finding of `crash` has in JSON beyond others.
pub(super) fn describe(image: &Image, violation: &Violation, value: &mut Value) {
    let assertion = &violation.assertion;
    let place = |place: &Option<SourcePlace>| {
        place
            .as_ref()
            .map_or(Value::Null, brownout_report::json_place)
    };
    value["assertion"] = json!({
        "name": assertion.name,
        "text": assertion.text,
        "place": place(&assertion.place),
    });
    let failures: Vec<Value> = (violation.failures.iter().zip(1..))
        .map(|(failure, boot)| {
            let mut value = json!({
                "boot": boot,
                "operation": failure.operation,
                "kind": failure.kind.name(),
                "of": failure.size,
                "place": place(&failure.place),
                "stack": failure.place.as_ref().map(|place| place.stack.clone()),
            });
            if !failure.missing.is_empty() {
                value["not_done"] = json!(failure.missing);
            }
            match failure.extent {
                Extent::Whole => value["bytes"] = failure.size.into(),
                Extent::Bytes(bytes) => value["bytes"] = bytes.into(),
                Extent::Units(_) | Extent::Bits(..) | Extent::Mixture(_) => {}
            }
            value
        })
        .collect();
    value["failures"] = failures.into();
    if !violation.workload.is_empty() {
        let names = &image.bindings().input_names;
        let inputs = violation.workload.iter().map(|(input, values)| {
            let values: Vec<i64> = values.iter().map(|&value| value as i64).collect();
            json!({ "input": names.get(*input as usize), "values": values })
        });
        value["workload"] = inputs.collect();
    }
    value["states"] = violation.states.into();
    value["all_states"] = violation.all_states.into();
}

/// Everything for people: what is broken, and a shortest way there. Other ways to break the same are a line each.
pub(super) fn human(
    image: &Image,
    explored: &Explored,
    arguments: &str,
    program: &ProgramOptions,
) -> String {
    let mut told: Vec<(&Violation, Vec<&Violation>)> = Vec::new();
    for violation in &explored.violations {
        let is_same = |first: &Violation| first.assertion.is_same(&violation.assertion);
        let known = told.iter_mut().find(|(first, _)| is_same(first));
        match known.filter(|_| !program.verbose) {
            Some((_, others)) => others.push(violation),
            None => told.push((violation, Vec::new())),
        }
    }
    let shown = match program.verbose {
        true => usize::MAX,
        false => SHOWN,
    };
    let mut text = String::new();
    for (first, others) in told.iter().take(shown) {
        text += &one(image, first, others, &explored.coverage, arguments);
        text += "\n";
    }
    if let Some(more) = told.len().checked_sub(shown).filter(|&more| more > 0) {
        let more = plural(more as u64, "further thing");
        text += &format!("{more} that power failures break (`-v` shows all)\n\n");
    }
    text
}

/// Other ways to break what a violation breaks.
fn also(others: &[&Violation]) -> Vec<String> {
    let line = |violation: &&Violation| {
        let count = violation.failures.len();
        let strike = (violation.failures.last()).map_or_else(String::new, |last| {
            let strike = strike(last, count);
            format!("{strike}, {}", way(last.place.as_ref()))
        });
        match count {
            0 | 1 => format!("  = also: {strike} (replay {})", violation.id),
            _ => format!(
                "  = also: {count} power failures, the last {strike} (replay {})",
                violation.id
            ),
        }
    };
    let mut lines: Vec<String> = others.iter().take(WAYS).map(line).collect();
    if let Some(more) = others.len().checked_sub(WAYS).filter(|&more| more > 0) {
        let more = plural(more as u64, "further way");
        lines.push(format!("  = also: {more} (`-v` shows all)"));
    }
    lines
}

fn one(
    image: &Image,
    violation: &Violation,
    others: &[&Violation],
    coverage: &Coverage,
    arguments: &str,
) -> String {
    let place = violation.assertion.place.as_ref();
    let place = place
        .filter(|place| place.line > 0)
        .map_or_else(String::new, |place| {
            format!(" ({}:{})", place.file, place.line)
        });
    let mut lines = vec![format!(
        "error[{}]: {}{place}",
        Rule::CrashConsistency,
        message(violation)
    )];
    let strikes: Vec<String> = (violation.failures.iter().zip(1..))
        .map(|(failure, boot)| strike(failure, boot))
        .collect();
    let width = strikes.iter().map(String::len).max().unwrap_or(0);
    for (index, (failure, strike)) in violation.failures.iter().zip(&strikes).enumerate() {
        let way = way(failure.place.as_ref());
        lines.push(format!("  failure {}: {strike:width$}   {way}", index + 1));
    }
    if !violation.workload.is_empty() {
        let workload = workload(image, &violation.workload);
        lines.push(format!("  = workload: {workload}"));
    }
    lines.extend(
        notes(violation, coverage)
            .iter()
            .map(|note| format!("  = note: {note}")),
    );
    lines.extend(also(others));
    lines.push(format!(
        "  = replay: brownout replay {} {arguments}",
        violation.id
    ));
    lines.join("\n") + "\n"
}

/// How much was explored, in one line.
pub(super) fn checked(coverage: &Coverage, seconds: f64) -> String {
    let states = match coverage.states {
        1 => "1 state".to_owned(),
        states => format!("{} states", number(states)),
    };
    let reach = match (coverage.closed, coverage.failures) {
        (true, _) | (false, None) => "any number of failures".to_owned(),
        (false, Some(failures)) => format!("up to {}", plural(failures, "failure")),
    };
    let whole = match coverage.complete {
        true => "complete".to_owned(),
        false => format!(
            "not complete: {} booted, {} left",
            number(coverage.booted),
            number(coverage.left)
        ),
    };
    let derived = match coverage.derived {
        0 => String::new(),
        derived => format!(", {} boots derived", number(derived)),
    };
    let repeated = match coverage.repeated {
        0 => String::new(),
        1 => ", 1 failure to a known state".to_owned(),
        repeated => format!(", {} failures to known states", number(repeated)),
    };
    let workloads = match coverage.workloads {
        None => String::new(),
        Some(1) => "1 workload, ".to_owned(),
        Some(workloads) => format!("{} workloads, ", number(workloads)),
    };
    format!("checked: {workloads}{states}, {reach}, {whole}{repeated}{derived}; {seconds:.1} s")
}

/// Why an exploration is not complete.
pub(super) fn shortfall(shortfall: &Shortfall) -> String {
    match shortfall {
        Shortfall::Interrupted => {
            "stopped before every state was booted; this is what was found so far".to_owned()
        }
        Shortfall::Memory => {
            "states take more memory than they may (`--memory-limit`); this is what was found so far"
                .to_owned()
        }
        Shortfall::Undecided { boots, limit } => format!(
            "{} came to no end within {} instructions, many times what the undisturbed one takes or `--max-instructions`",
            plural(*boots, "boot"),
            number(*limit)
        ),
        Shortfall::Silent => {
            "the program outputs nothing, so `--oracle atomic` has nothing to tell by whether an operation is done"
                .to_owned()
        }
        Shortfall::Sampled { operations } => format!(
            "{} can be torn in more ways than were tried (`tear`)",
            plural(*operations, "operation")
        ),
    }
}

/// How many operations before the end of a boot are told, and how many bytes of one.
pub(super) const OPERATIONS: usize = 6;
const BYTES: usize = 16;

/// Bytes as people read them, the first few.
pub(super) fn bytes(bytes: &[u8]) -> String {
    let shown: Vec<String> = bytes
        .iter()
        .take(BYTES)
        .map(|byte| format!("{byte:02x}"))
        .collect();
    match bytes.len() > BYTES {
        true => format!("{} … ({} bytes)", shown.join(" "), bytes.len()),
        false => shown.join(" "),
    }
}

/// What an operation does: `program disk+0x10: ff ff -> 00 01`.
pub(super) fn operation(operation: &Recorded) -> String {
    let place = match &operation.object {
        Some((name, 0)) => name.clone(),
        Some((name, inside)) => format!("{name}+{inside:#x}"),
        None => format!("{:#x}", operation.address),
    };
    let change = match operation.kind {
        Kind::Output => String::new(),
        Kind::Erase => format!(" {place}, {} bytes", operation.new.len()),
        Kind::Store | Kind::Copy | Kind::Ghost | Kind::Program => {
            format!(
                " {place}: {} -> {}",
                bytes(&operation.old),
                bytes(&operation.new)
            )
        }
    };
    format!("{}{change}", operation.kind.name())
}

/// How a boot ends that power does not end.
pub(super) fn ending(boot: &FollowedBoot) -> String {
    if let Some(broken) = &boot.broken {
        return match broken.is_stated() {
            true => format!("{} does not hold", broken.text),
            false => broken.text.clone(),
        };
    }
    match &boot.end {
        End::Exited { status } => format!("comes to its end, exit status {status}"),
        End::Arrived => "comes to where a boot is done".to_owned(),
        End::Settled(_) => "settles in a loop in which nothing changes".to_owned(),
        End::Died(assertion) => assertion.text.clone(),
        End::Undecided => "does not come to an end within the limit".to_owned(),
    }
}

/// A boot with its last operations, and flash parts before and after it.
pub(super) fn story(boot: FollowedBoot, number: usize) -> Boot {
    let skipped = boot.operations.len().saturating_sub(OPERATIONS);
    let operations = boot.operations[skipped..].iter().map(|told| BootStep {
        text: format!("{} {}", told.number, operation(told)),
        place: told.place.clone(),
    });
    let end = match (&boot.failure, &boot.broken) {
        (Some(failure), _) => BootStep {
            text: format!("power fails {}", strike(failure, number)),
            place: failure.place.clone(),
        },
        (None, broken) => BootStep {
            text: ending(&boot),
            place: broken.as_ref().and_then(|broken| broken.place.clone()),
        },
    };
    Boot {
        title: format!("boot {number}: {}", end.text),
        skipped: skipped as u64,
        operations: operations.collect(),
        end,
        parts: boot
            .parts
            .into_iter()
            .map(|part| FlashContents {
                name: part.name,
                block: part.block,
                erased: part.erased,
                before: part.before,
                after: part.after,
            })
            .collect(),
    }
}
