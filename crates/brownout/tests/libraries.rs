//! What `check` confirms of code without a `main` is what brute force over inputs shows, of the very
//! branch, write and bytes that the finding is about. The libraries, and the naive interpreter that judges them, are
//! in `crates/testkit/src/libraries.rs`: tests of this package are not optimised.

#![allow(clippy::panic, clippy::unwrap_used, reason = "tests")]

use std::collections::BTreeSet;
use std::path::Path;

use brownout_testkit::{Library, Scratch, Tool};
use serde_json::Value;

/// Checks a library, and how many suspicions were confirmed of those that brute force shows.
fn check(seed: u64, level: &str) -> (usize, usize) {
    let library = Library::random(seed);
    let harm = library.harm();
    let scratch = Scratch::new(Path::new(env!("CARGO_TARGET_TMPDIR"))).unwrap();
    let source = scratch.file("library.c", &library.text).unwrap();
    let config = "[[input]]\nfunction = \"in\"\nrange = [0, 2]\n[[output]]\nfunction = \"out\"\n";
    scratch.file("brownout.toml", config).unwrap();
    let tool = Tool::new(env!("CARGO_BIN_EXE_brownout"));
    let source = source.to_string_lossy().into_owned();
    let arguments = [
        "check",
        "-q",
        &source,
        "--failures",
        "1",
        "--format",
        "json",
        "--",
        level,
    ];
    let ended = tool.run(arguments).unwrap();
    let document: Value = serde_json::from_slice(&ended.stdout)
        .unwrap_or_else(|error| panic!("{error}\n{}\n{}", ended.stderr, library.text));
    let (mut confirmed, mut shown) = (0, 0);
    for finding in document["findings"].as_array().unwrap() {
        let (place, wrong) = match finding["rule"].as_str() {
            Some("repeated-input" | "tainted-address") => (&finding["branch"], &harm.branches),
            Some("war") => (&finding["producer"], &harm.writes),
            _ => continue,
        };
        let line = place["line"].as_u64().unwrap_or_default() as u32;
        let own: BTreeSet<&str> = wrong
            .iter()
            .filter(|(at, _)| *at == line)
            .map(|(_, name)| *name)
            .collect();
        let variables = finding["variables"].as_array().into_iter().flatten();
        let objects = variables.chain([&finding["object"]]);
        let names = objects.filter_map(|object| object["name"].as_str());
        let is_shown = names.clone().any(|name| own.contains(name));
        shown += usize::from(is_shown || own.contains(Library::RESULT));
        if finding["evidence"] != "confirmed" {
            continue;
        }
        confirmed += 1;
        let effects = finding["effects"].as_array().unwrap().iter();
        let objects = effects.filter_map(|effect| match effect["kind"].as_str() {
            Some("output") => Some(Library::RESULT),
            _ => effect["object"].as_str(),
        });
        let objects: BTreeSet<&str> = objects.collect();
        assert!(
            !objects.is_empty() && objects.is_subset(&own),
            "seed {seed} at {level}: confirmed by {objects:?}, brute force has {own:?}\n{finding:#}\n{}",
            library.text
        );
        let names: Vec<&str> = names.collect();
        // A write may harm others than what it writes.
        assert!(
            finding["rule"] == "war"
                || objects.contains(Library::RESULT)
                || names.iter().any(|name| objects.contains(name)),
            "seed {seed} at {level}: none of {names:?} is wrong, but {objects:?}\n{}",
            library.text
        );
    }
    (confirmed, shown)
}

fn check_all(seeds: std::ops::Range<u64>) {
    let (mut confirmed, mut shown) = (0, 0);
    for seed in seeds {
        let (more, of) = check(seed, "-O0");
        confirmed += more;
        shown += of;
    }
    assert!(shown > 8, "brute force shows {shown} suspicions only");
    // Memory that is passed holds what earlier calls of the function left there, nothing else.
    assert!(
        confirmed * 10 >= shown * 8,
        "only {confirmed} of {shown} suspicions that brute force shows are confirmed"
    );
}

#[test]
fn what_is_confirmed_is_so() {
    check_all(0..8);
}

#[test]
fn what_is_confirmed_is_so_too() {
    check_all(100..108);
}
