//! What `cargo xtask model FILE` says of a program: its sets, whether the checks accept it, what each
//! definition says, and a failing schedule step by step.

use std::fmt::Write;

use crate::attempts::Harm;
use crate::bridge::{Sets, collected};
use crate::correct::{Difference, Flaw, Scope, correct, replay};
use crate::explore::{Choice, Outcome};
use crate::harmless::{harmless, harmless_restart, repeatable};
use crate::print::{head, names, observations};
use crate::program::Program;
use crate::rejection::{START, accepted};
use crate::state::Memory;
use crate::syntax::{Command, Form, Names, Value};

/// Everything about a program.
pub fn report(program: &Program, scope: &Scope) -> String {
    let mut text = numbered(program);
    text.push_str(&sets(program));
    line(
        &mut text,
        "checks",
        &match accepted(program) {
            Ok(()) => "accepted: ⊩WAR c : ok and ⊩RIO c : ok".to_owned(),
            Err(rejection) => format!("rejected by {rejection}"),
        },
    );
    let definition_1 = correct(program, scope);
    line(
        &mut text,
        "Definition 1",
        &match &definition_1 {
            Outcome::Holds(states) => format!("correct ({states} pairs of states)"),
            Outcome::Fails(..) => "not correct".to_owned(),
            Outcome::Undecided => "undecided: too many states".to_owned(),
        },
    );
    // Unlike pairs, attempts need not come to rest: three failures per region, if nothing is said.
    let scope = Scope {
        failures: scope.failures.or(Some(3)),
        ..scope.clone()
    };
    line(
        &mut text,
        "repeatable",
        &verdict(&repeatable(program, &scope)),
    );
    line(&mut text, "harmless", &verdict(&harmless(program, &scope)));
    line(
        &mut text,
        "under restart",
        &verdict(&harmless_restart(program, &scope)),
    );
    if let Outcome::Fails(schedule, flaw) = &definition_1 {
        text.push_str("\nA schedule that Definition 1 does not explain:\n\n");
        text.push_str(&story(program, schedule));
        text.push_str(&because(flaw));
    }
    text
}

fn line(text: &mut String, what: &str, says: &str) {
    let _infallible = writeln!(text, "{what:<14} {says}");
}

/// The commands with their points.
fn numbered(program: &Program) -> String {
    fn add(command: &Command, depth: usize, text: &mut String) {
        if command.is_skip() {
            return;
        }
        let indent = "    ".repeat(depth);
        let _infallible = writeln!(text, "{:>4}  {indent}{}", command.point(), head(command));
        match command.form() {
            Form::Sequence(_, rest) => add(rest, depth, text),
            Form::Branch(_, yes, no) => {
                add(yes, depth + 1, text);
                if !no.is_skip() {
                    let _infallible = writeln!(text, "      {indent}else");
                    add(no, depth + 1, text);
                }
            }
            Form::Skip | Form::Reboot(_) | Form::Goto(_) | Form::ToTask(_) => {}
        }
    }
    let mut text = format!("N: {}\n", program.nonvolatile);
    if !program.volatile.is_empty() {
        let _infallible = writeln!(text, "V: {}", program.volatile);
    }
    add(program.command(), 0, &mut text);
    text.push('\n');
    text
}

/// What has to be saved at each start, and what is.
fn sets(program: &Program) -> String {
    let checkpoints = program.command().checkpoints();
    let starts = std::iter::once((START.to_owned(), Names::new())).chain(
        checkpoints
            .into_iter()
            .map(|(point, saved)| (format!("checkpoint at point {point}"), saved.clone())),
    );
    let mut text = String::new();
    for ((start, saved), sets) in starts.zip(collected(program)) {
        let Sets {
            war,
            exclusive,
            everywhere,
        } = sets;
        let missing = &(&war | &exclusive) - &saved;
        let _infallible = writeln!(text, "{start}");
        for (what, set) in [
            ("saves", &saved),
            ("read, then overwritten (WAR)", &war),
            ("inputs decide (EMW with taint)", &exclusive),
            ("any branch decides (EMW)", &everywhere),
            ("missing", &missing),
        ] {
            let _infallible = writeln!(text, "  {what:<32}{}", some(set));
        }
        text.push('\n');
    }
    text
}

fn some(set: &Names) -> String {
    if set.is_empty() {
        "nothing".to_owned()
    } else {
        names(set)
    }
}

fn verdict(outcome: &Outcome<Harm>) -> String {
    match outcome {
        Outcome::Holds(_) => "yes".to_owned(),
        Outcome::Fails(_, Harm::Values(different)) => format!("no: {}", values(different)),
        Outcome::Fails(_, Harm::Path) => "no: another path, or other inputs".to_owned(),
        Outcome::Fails(_, Harm::Stuck) => "no: stuck".to_owned(),
        Outcome::Undecided => "undecided: too many states".to_owned(),
    }
}

fn values(different: &[Difference]) -> String {
    let shown =
        |value: Option<Value>| value.map_or_else(|| "nothing".to_owned(), |v| v.to_string());
    let different: Vec<_> = different
        .iter()
        .map(|one| {
            format!(
                "{} is {}, not {}",
                one.location,
                shown(one.intermittent),
                shown(one.continuous)
            )
        })
        .collect();
    different.join(", ")
}

fn because(flaw: &Flaw) -> String {
    match flaw {
        Flaw::Observes { continuous, .. } => format!(
            "\nA continuous execution with the inputs of this attempt observes {} there.\n",
            observations(continuous)
        ),
        Flaw::Ends(different) => format!(
            "\nHeld against the continuous execution with the inputs of the last attempts: {}.\n",
            values(different)
        ),
        Flaw::Stuck => "\nNo rule applies.\n".to_owned(),
    }
}

/// A schedule, step by step: time, what is done, what is observed, what changes.
pub fn story(program: &Program, schedule: &[Choice]) -> String {
    let steps = replay(program, schedule);
    let mut text = String::new();
    for (choice, pair) in schedule.iter().zip(steps.windows(2)) {
        let [(before, _), (after, observed)] = pair else {
            continue;
        };
        let does = match choice {
            Choice::Fail => "power fails".to_owned(),
            Choice::Step | Choice::Read(_) => head(&before.command),
        };
        let changed = [
            changes(&before.nonvolatile, &after.nonvolatile),
            changes(&before.volatile, &after.volatile),
        ];
        let changed: Vec<_> = changed.into_iter().filter(|one| !one.is_empty()).collect();
        let row = format!(
            "{:>5}  {does:<26} {:<24} {}",
            before.time,
            observations(observed),
            changed.join(", ")
        );
        text.push_str(row.trim_end());
        text.push('\n');
    }
    text
}

/// What is another value afterwards.
fn changes(before: &Memory, after: &Memory) -> String {
    let differing = after.differing(before);
    let changed = differing
        .into_iter()
        .filter_map(|at| Some((at, after.get(at)?)));
    changed.collect::<Memory>().to_string()
}
