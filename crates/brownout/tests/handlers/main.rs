//! `brownout check` on random programs with interrupt handlers, held against a judge that tries every
//! moment and every power failure.
//!
//! What the judge surely blames with a handler at one place, every time it is passed, the tool confirms
//! or leaves open; what the tool confirms, the judge blames with handlers at some places; and static
//! analysis suspects every variable that a region reads and then writes, and that the judge blames. The
//! judge lets power fail once.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

mod judge;
mod program;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Duration;

use brownout_testkit::{Choices, Scratch, Tool, execute};
use serde_json::Value;

use judge::{Arrivals, Blame, Judge};
use program::{Coming, Policy, Program, name};

/// The name of the object of a finding about a handler that need not come again: it has none.
const HANDLERS: &str = "";
const LIMIT: Duration = Duration::from_secs(300);
/// How many programs one call of the tool is given.
const TOGETHER: usize = 20;

/// A number from two others, well mixed.
fn mixed(seed: u64, index: u64) -> u64 {
    let mut mixed = seed
        .wrapping_mul(0x9e37_79b9_7f4a_7c15)
        .wrapping_add(index.wrapping_mul(0xd1b5_4a32_d192_ed03))
        .wrapping_add(0x2545_f491_4f6c_dd1d);
    for shift in [30, 27, 31] {
        mixed = (mixed ^ mixed >> shift).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    }
    mixed
}

fn generate(policy: Policy, coming: Coming, seed: u64) -> Program {
    let choices = (0..200).map(|index| mixed(seed, index)).collect();
    Program::new(policy, coming, &mut Choices::new(choices))
}

/// What the tool says of one program.
#[derive(Default, Debug)]
struct Told {
    confirmed: BTreeSet<String>,
    open: BTreeSet<String>,
    possible: BTreeSet<String>,
}

/// What the tool says of some programs.
fn ask(programs: &[Program], arguments: &[&str], level: &str) -> Vec<Told> {
    let scratch = Scratch::new(Path::new(env!("CARGO_TARGET_TMPDIR"))).unwrap();
    let policy = programs[0].policy.name();
    let config = format!("[power]\npolicy = \"{policy}\"\n");
    scratch.file("brownout.toml", config).unwrap();
    let mut command = Tool::new(env!("CARGO_BIN_EXE_brownout")).command(["check"]);
    command.args(["--format", "json", "-q", "--failures", "1"]);
    command.args(arguments);
    let file = |number: usize| format!("p{number}.c");
    for (number, program) in programs.iter().enumerate() {
        scratch.file(&file(number), program.c()).unwrap();
        command.arg(file(number));
    }
    command.args(["--", level]);
    let ended = execute(command.current_dir(scratch.path()), LIMIT).unwrap();
    let document: Value = serde_json::from_slice(&ended.stdout)
        .unwrap_or_else(|_| panic!("{}\n{}", ended.stderr, programs[0].c()));
    let mut told: BTreeMap<String, Told> = BTreeMap::new();
    for finding in document["findings"].as_array().unwrap() {
        let place = match &finding["producer"]["file"] {
            Value::Null => &finding["consumer"]["file"],
            file => file,
        };
        let told = told.entry(place.as_str().unwrap().to_owned()).or_default();
        let object = finding["object"]["name"].as_str().unwrap_or_default();
        let is_note = finding["severity"] == "note";
        match finding["evidence"].as_str().unwrap() {
            "confirmed" => told.confirmed.insert(object.to_owned()),
            "located" if !is_note => told.open.insert(object.to_owned()),
            "possible" => told.possible.insert(object.to_owned()),
            _ => false,
        };
    }
    let of = |number: usize| told.remove(&file(number)).unwrap_or_default();
    (0..programs.len()).map(of).collect()
}

fn names(variables: &BTreeSet<usize>) -> BTreeSet<String> {
    variables.iter().map(|&variable| name(variable)).collect()
}

/// No handler, and one handler at one place every time it is passed.
fn one_at_a_time(judge: &Judge<'_>) -> Vec<Arrivals> {
    let moments = judge.moments();
    let single = moments
        .iter()
        .map(|&(at, handler)| Arrivals::from([((at, None), vec![handler])]));
    std::iter::once(Arrivals::new()).chain(single).collect()
}

/// What may be confirmed of a program: the variables that are blamed, and its handlers if one that is cut does harm.
fn confirmable(blame: &Blame) -> BTreeSet<String> {
    let mut names = names(&blame.at_all.union(&blame.otherwise).copied().collect());
    if !blame.otherwise.is_empty() {
        names.insert(HANDLERS.to_owned());
    }
    names
}

/// Those of these that may not be confirmed when handlers come more often, either.
fn explained(judge: &Judge<'_>, mut rest: BTreeSet<String>) -> BTreeSet<String> {
    let moments = judge.moments();
    let mut tried = Vec::new();
    for (number, &(at, handler)) in moments.iter().enumerate() {
        for &(other, second) in &moments[number + 1..] {
            let mut arrivals = Arrivals::from([((at, None), vec![handler])]);
            arrivals.entry((other, None)).or_default().push(second);
            tried.push(arrivals);
        }
    }
    // Now and then, as the world likes.
    for seed in 0..3_000 {
        let mut arrivals = Arrivals::new();
        for (number, &(at, handler)) in moments.iter().enumerate() {
            for nth in 0..4 {
                let number = number as u64 * 4 + u64::from(nth);
                if mixed(seed, number).is_multiple_of(2 + seed % 7) {
                    arrivals
                        .entry((at, Some(nth)))
                        .or_insert_with(|| vec![handler]);
                }
            }
        }
        tried.push(arrivals);
    }
    for arrivals in tried {
        if rest.is_empty() {
            break;
        }
        let known = confirmable(&judge.blame(&arrivals));
        rest.retain(|name| !known.contains(name));
    }
    rest
}

/// Holds the tool against the judge; what is wrong with which program.
fn compare(policy: Policy, coming: Coming, cases: u64) -> Vec<String> {
    let cases = match std::env::var("CASES") {
        Ok(text) => text.parse().unwrap(),
        Err(_) => cases,
    };
    let first = std::env::var("FIRST").map_or(0, |text| text.parse().unwrap());
    let programs: Vec<(u64, Program)> = (first..first + cases)
        .map(|seed| (seed, generate(policy, coming, seed)))
        .collect();
    let (mut wrong, mut blamed) = (Vec::new(), 0);
    for batch in programs.chunks(TOGETHER) {
        let batch_programs: Vec<Program> = batch.iter().map(|(_, one)| one.clone()).collect();
        let blames: Vec<Blame> = batch_programs
            .iter()
            .map(|program| {
                let judge = Judge::new(program);
                let mut blame = Blame::default();
                for arrivals in one_at_a_time(&judge) {
                    blame.join(judge.blame(&arrivals));
                }
                blame
            })
            .collect();
        for level in ["-O0", "-O1"] {
            let told = ask(&batch_programs, &[], level);
            let suspected = match policy {
                Policy::Static => Some(ask(&batch_programs, &["--static"], level)),
                Policy::Reactive | Policy::Restart => None,
            };
            for (number, (seed, program)) in batch.iter().enumerate() {
                let (blame, told) = (&blames[number], &told[number]);
                blamed += blame.surely.len();
                let missed: Vec<String> = names(&blame.surely)
                    .into_iter()
                    .filter(|name| !told.confirmed.contains(name) && !told.open.contains(name))
                    .collect();
                let known = confirmable(blame);
                let more = told.confirmed.difference(&known).cloned().collect();
                let invented = explained(&Judge::new(program), more);
                let unsuspected: Vec<String> = suspected.as_ref().map_or_else(Vec::new, |all| {
                    let harmful = blame.pairs.intersection(&blame.at_all).copied().collect();
                    names(&harmful)
                        .into_iter()
                        .filter(|name| !all[number].possible.contains(name))
                        .collect()
                });
                if missed.is_empty() && invented.is_empty() && unsuspected.is_empty() {
                    continue;
                }
                wrong.push(format!(
                    "{policy:?} {level}, program {seed}: missed {missed:?}, invented {invented:?}, not suspected {unsuspected:?}\n{told:?}\n{blame:?}\n{}",
                    program.c()
                ));
            }
        }
    }
    // Programs in which nothing is to blame would show nothing.
    assert!(blamed as u64 * 8 > cases, "{blamed} in {cases} programs");
    wrong
}

fn hold(policy: Policy, coming: Coming, cases: u64) {
    let wrong = compare(policy, coming, cases);
    assert!(wrong.is_empty(), "{}: {}", wrong.len(), wrong.join("\n"));
}

#[test]
fn anywhere_with_checkpoints() {
    hold(Policy::Static, Coming::Anywhere, 20);
}

#[test]
fn anywhere_with_checkpoints_everywhere() {
    hold(Policy::Reactive, Coming::Anywhere, 20);
}

#[test]
fn asleep_with_checkpoints() {
    hold(Policy::Static, Coming::Asleep, 20);
}

#[test]
fn anywhere_with_restarts() {
    hold(Policy::Restart, Coming::Anywhere, 10);
}

#[test]
fn asleep_with_restarts() {
    hold(Policy::Restart, Coming::Asleep, 10);
}
