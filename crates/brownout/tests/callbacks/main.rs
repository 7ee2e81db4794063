//! `brownout check` on random programs that give callbacks to a kernel, held against a judge that tries every power
//! failure.
//!
//! What the judge surely blames the tool tells; what the tool confirms, the judge blames. The judge lets power fail
//! once.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

mod judge;
mod program;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Duration;

use brownout_testkit::{Choices, Scratch, Tool, execute};
use serde_json::Value;

use judge::{Blame, blame};
use program::{Program, name};

const LIMIT: Duration = Duration::from_secs(300);
/// How many programs one call of the tool is given.
const TOGETHER: usize = 20;
const CONFIG: &str = "ignore = [\"kernel_*\"]\n[power]\npolicy = \"restart\"\n";

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

fn generate(seed: u64) -> Program {
    let choices = (0..200).map(|index| mixed(seed, index)).collect();
    Program::new(&mut Choices::new(choices))
}

/// What the tool says of one program.
#[derive(Default, Debug)]
struct Told {
    confirmed: BTreeSet<String>,
    others: BTreeSet<String>,
}

/// What the tool says of some programs.
fn ask(programs: &[Program], level: &str) -> Vec<Told> {
    let scratch = Scratch::new(Path::new(env!("CARGO_TARGET_TMPDIR"))).unwrap();
    scratch.file("brownout.toml", CONFIG).unwrap();
    let mut command = Tool::new(env!("CARGO_BIN_EXE_brownout")).command(["check"]);
    command.args(["--format", "json", "-q", "--failures", "1"]);
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
        match finding["evidence"].as_str().unwrap() {
            "confirmed" => told.confirmed.insert(object.to_owned()),
            "located" | "possible" => told.others.insert(object.to_owned()),
            _ => false,
        };
    }
    let of = |number: usize| told.remove(&file(number)).unwrap_or_default();
    (0..programs.len()).map(of).collect()
}

fn names(variables: &BTreeSet<usize>) -> BTreeSet<String> {
    variables.iter().map(|&variable| name(variable)).collect()
}

#[test]
fn callbacks_are_judged_as_by_hand() {
    let number = |name: &str, otherwise: u64| match std::env::var(name) {
        Ok(text) => text.parse().unwrap(),
        Err(_) => otherwise,
    };
    let (first, cases) = (number("FIRST", 0), number("CASES", 40));
    let programs: Vec<(u64, Program)> = (first..first + cases)
        .map(|seed| (seed, generate(seed)))
        .collect();
    let (mut wrong, mut blamed) = (Vec::new(), 0);
    for batch in programs.chunks(TOGETHER) {
        let batch_programs: Vec<Program> = batch.iter().map(|(_, one)| one.clone()).collect();
        let blames: Vec<Blame> = batch_programs.iter().map(blame).collect();
        for level in ["-O0", "-O1"] {
            let told = ask(&batch_programs, level);
            for ((blame, told), (seed, program)) in blames.iter().zip(&told).zip(batch) {
                blamed += blame.surely.len() as u64;
                let surely = names(&blame.surely);
                let is_told = |name: &&String| {
                    !told.confirmed.contains(*name) && !told.others.contains(*name)
                };
                let missed: Vec<&String> = surely.iter().filter(is_told).collect();
                let at_all = names(&blame.at_all);
                let invented: Vec<&String> = told.confirmed.difference(&at_all).collect();
                if !missed.is_empty() || !invented.is_empty() {
                    wrong.push(format!(
                        "{level}, program {seed}: missed {missed:?}, invented {invented:?}\n{told:?}\n{blame:?}\n{}",
                        program.c()
                    ));
                }
            }
        }
    }
    // Programs in which nothing is to blame would show nothing.
    assert!(blamed * 10 > cases, "{blamed} in {cases} programs");
    assert!(wrong.is_empty(), "{}: {}", wrong.len(), wrong.join("\n"));
}
