//! `--format sarif`: valid, complete, stable, and its fixes mend.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use brownout_testkit::{execute, violations};
use serde_json::Value;

use crate::{LIMIT, SENSE, document, list, project, scratch, tool};

const PRINT: &str = "/partialFingerprints/brownout~1v2";

fn results(log: &Value) -> &[Value] {
    list(&log["runs"][0]["results"])
}

fn fingerprints(log: &Value) -> BTreeSet<String> {
    let print = |result: &Value| result.pointer(PRINT)?.as_str().map(str::to_owned);
    results(log).iter().filter_map(print).collect()
}

/// The log of a program that has findings.
#[track_caller]
fn log(folder: &Path, arguments: &[&str]) -> Value {
    let mut words = vec!["check", "--format", "sarif"];
    words.extend(arguments);
    document(1, folder, &words)
}

/// Programs with findings of all kinds, and the options that they need.
fn programs() -> Vec<(&'static str, Vec<&'static str>)> {
    vec![
        ("war/fail/struct_field.c", vec![]),
        ("war/fail/array_element.c", vec![]),
        ("war/fail/crash_wild_call.c", vec![]),
        ("war/fail/no_progress.c", vec![]),
        ("war/fail/benign_dead_read.c", vec![]),
        ("war/fail/path_taken.c", vec!["--policy", "reactive"]),
        ("war/fail/output_function.c", vec!["--no-evaluate"]),
        (
            "activation-record/fail/array_overwritten.c",
            vec!["--nv", "stack"],
        ),
        ("memory-map/fail/reuse.c", vec!["--nv", "heap"]),
        (
            "torn-write/fail/state_word.c",
            vec!["--set", "memory.atomic-write=2"],
        ),
        (
            "output-semantics/fail/servo.c",
            vec![
                "--set",
                "output=[{ function = 'rotate', semantics = 'absolute', effect = 'angle += arg0' }]",
                "--set",
                "environment.angle=0",
            ],
        ),
        ("repeated-input/fail/across_iterations.c", vec!["--static"]),
        ("tainted-address/fail/bit_in_map.c", vec!["--static"]),
    ]
}

#[test]
fn logs_follow_the_published_schema() {
    let schema = fs::read_to_string(project("tests/schemas/sarif-2.1.0.json")).unwrap();
    let schema: Value = serde_json::from_str(&schema).unwrap();
    let mut with_flow = 0;
    for (program, options) in programs() {
        let path = project("tests/ui").join(program);
        let mut arguments = vec!["check", "--format", "sarif", path.to_str().unwrap()];
        arguments.extend(options);
        let ended = execute(&mut tool(Path::new("."), &arguments), LIMIT).unwrap();
        let log: Value = serde_json::from_slice(&ended.stdout)
            .unwrap_or_else(|error| panic!("{program}: {error}\n{}", ended.stderr));
        assert_eq!(violations(&schema, &log), [] as [&str; 0], "{program}");
        assert!(!results(&log).is_empty(), "{program}");
        with_flow += results(&log)
            .iter()
            .filter(|result| result["codeFlows"].is_array())
            .count();
    }
    assert!(with_flow > 10);
}

#[test]
fn a_result_tells_the_whole_story() {
    let scratch = scratch();
    scratch.file("sense.c", SENSE).unwrap();
    let log = log(scratch.path(), &["sense.c"]);
    let [result] = results(&log) else {
        panic!("{log:#}");
    };
    assert_eq!(result["ruleId"], "war");
    let rules = list(&log["runs"][0]["tool"]["driver"]["rules"]);
    let rule = &rules[result["ruleIndex"].as_u64().unwrap() as usize];
    assert_eq!(rule["id"], "war");
    assert!(
        rule["help"]["markdown"]
            .as_str()
            .unwrap()
            .contains("## Repaired")
    );
    let place = |value: &Value| {
        let region = &value["physicalLocation"]["region"];
        assert_eq!(
            value["physicalLocation"]["artifactLocation"]["uri"],
            "sense.c"
        );
        ["startLine", "startColumn", "endColumn"].map(|name| region[name].as_u64().unwrap())
    };
    assert_eq!(place(&result["locations"][0])[0], 11);
    assert_eq!(place(&result["relatedLocations"][0]), [9, 13, 18]);
    assert_eq!(place(&result["relatedLocations"][1])[0], 8);
    let text = result["message"]["text"].as_str().unwrap();
    assert!(text.contains("[first read](1)"), "{text}");

    let stops = list(&result["codeFlows"][0]["threadFlows"][0]["locations"]);
    let kinds: Vec<&str> = stops
        .iter()
        .map(|stop| stop["kinds"][0].as_str().unwrap())
        .collect();
    assert_eq!(kinds.first(), Some(&"checkpoint"));
    assert_eq!(kinds.last(), Some(&"end"));
    let failure = kinds
        .iter()
        .position(|&kind| kind == "power-failure")
        .unwrap();
    assert_eq!(kinds[failure + 1], "restore");
    assert_eq!(stops[failure]["state"]["count"]["text"], "1");
    let second = stops[failure + 2]["location"]["message"]["text"]
        .as_str()
        .unwrap();
    assert_eq!(second, "second attempt: reads count: 1 (continuous run: 0)");
}

#[test]
fn fixes_mend_what_they_are_for() {
    let scratch = scratch();
    scratch.file("sense.c", SENSE).unwrap();
    let log = log(scratch.path(), &["sense.c"]);
    let fixes = list(&results(&log)[0]["fixes"]);
    assert_eq!(fixes.len(), 2, "{fixes:#?}");
    for fix in fixes {
        let change = &fix["artifactChanges"][0]["replacements"][0];
        let region = &change["deletedRegion"];
        let byte = |line: &str, column: &str| {
            let line = region[line].as_u64().unwrap() as usize;
            let before: usize = SENSE
                .split_inclusive('\n')
                .take(line - 1)
                .map(str::len)
                .sum();
            before + region[column].as_u64().unwrap() as usize - 1
        };
        let mut text = SENSE.to_owned();
        text.replace_range(
            byte("startLine", "startColumn")..byte("endLine", "endColumn"),
            change["insertedContent"]["text"].as_str().unwrap(),
        );
        scratch.file("fixed.c", &text).unwrap();
        let left = document(0, scratch.path(), &["check", "--format", "json", "fixed.c"]);
        assert_eq!(list(&left["findings"]), &[] as &[Value], "{text}");
    }
}

#[test]
fn fingerprints_survive_edits_elsewhere() {
    let scratch = scratch();
    scratch.file("sense.c", SENSE).unwrap();
    let before = fingerprints(&log(scratch.path(), &["sense.c"]));
    assert_eq!(before.len(), 1);
    let edited = SENSE
        .replace(
            "BROWNOUT_NV",
            "static int unrelated = 3;\n\n// more\nBROWNOUT_NV",
        )
        .replace(
            "  int i = count;",
            "    unrelated++;\n  int  i = count; // read",
        );
    scratch.file("sense.c", &edited).unwrap();
    assert_eq!(fingerprints(&log(scratch.path(), &["sense.c"])), before);
    let other = SENSE.replace("count", "counter");
    scratch.file("sense.c", &other).unwrap();
    assert_ne!(fingerprints(&log(scratch.path(), &["sense.c"])), before);
}

#[test]
fn fingerprints_of_every_rule_survive_edits_elsewhere() {
    for (program, options) in programs() {
        let scratch = scratch();
        let text = fs::read_to_string(project("tests/ui").join(program)).unwrap();
        let name = Path::new(program).file_name().unwrap().to_str().unwrap();
        let prints = |text: &str| {
            scratch.file(name, text).unwrap();
            let mut arguments = vec!["check", "--format", "sarif", name];
            arguments.extend(&options);
            let ended = execute(&mut tool(scratch.path(), &arguments), LIMIT).unwrap();
            fingerprints(&serde_json::from_slice(&ended.stdout).unwrap())
        };
        let before = prints(&text);
        assert!(!before.is_empty(), "{program}");
        let edited = format!(
            "// A new head.\nstruct unrelated {{ int a, b; }};\n\n{}\nint unrelated(int x)\n{{\n    return x;\n}}\n",
            text.replace("\n    ", "\n\n\t  ")
        );
        assert_eq!(prints(&edited), before, "{program}");
    }
}

#[test]
fn an_incomplete_check_says_so() {
    let scratch = scratch();
    scratch.file("sense.c", SENSE).unwrap();
    let arguments = [
        "check",
        "--format",
        "sarif",
        "--max-instructions",
        "5",
        "sense.c",
    ];
    let log = document(1, scratch.path(), &arguments);
    let invocation = &log["runs"][0]["invocations"][0];
    assert_eq!(invocation["executionSuccessful"], false);
    let notes = invocation["toolExecutionNotifications"].to_string();
    assert!(notes.contains("--max-instructions"), "{notes}");
}
