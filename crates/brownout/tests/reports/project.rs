//! Projects as inputs: compilation databases, response files, several programs.

use std::fs;
use std::path::Path;

use brownout_testkit::Scratch;
use serde_json::json;

use crate::{document, list, printed, ran, scratch};

const COUNTER: &str = "\
#include <brownout.h>
#include \"step.h\"

BROWNOUT_NV int NAME;

int main(void)
{
    brownout_checkpoint();
    NAME = NAME + step();
    brownout_checkpoint();
    return 0;
}
";

/// A project with two programs that share a file, built in a folder of its own.
fn project() -> Scratch {
    let scratch = scratch();
    let folder = scratch.path();
    for inner in ["src", "inc", "build"] {
        fs::create_dir(folder.join(inner)).unwrap();
    }
    scratch.file("inc/step.h", "int step(void);\n").unwrap();
    scratch
        .file(
            "src/step.c",
            "#include \"step.h\"\nint step(void) { return STEP; }\n",
        )
        .unwrap();
    scratch.file("src/one.c", COUNTER).unwrap();
    scratch.file("src/two.c", COUNTER).unwrap();
    let build = folder.join("build");
    let entry = |file: &str, flags: &str| {
        json!({
            "directory": build,
            "file": format!("../src/{file}.c"),
            "command": format!(
                "msp430-elf-gcc -mmcu=msp430fr5994 -I../inc {flags} -Os -g -Wall -fno-tree-vectorize -fno-such-flag \
                 -MMD -MF {file}.d -o {file}.o -c ../src/{file}.c"
            ),
        })
    };
    let database = json!([
        entry("one", "-DNAME=first"),
        entry("step", "-DSTEP=2"),
        entry("two", "-DNAME=second"),
        { "directory": build, "file": "../src/other.S", "command": "g++ -c ../src/other.S" },
    ]);
    scratch
        .file("build/compile_commands.json", database.to_string())
        .unwrap();
    scratch
}

#[test]
fn a_database_makes_a_program_for_each_main() {
    let scratch = project();
    for arguments in [
        ["-p", "build"],
        ["--", ""],
        ["-p", "build/compile_commands.json"],
    ] {
        let mut words = vec!["check", "--format", "json"];
        if arguments[0] == "-p" {
            words.extend(arguments);
        } else {
            words.push("build/compile_commands.json");
        }
        let found = document(1, scratch.path(), &words);
        let objects: Vec<[&str; 4]> = list(&found["findings"])
            .iter()
            .map(|finding| {
                [
                    finding["program"].as_str().unwrap(),
                    finding["object"]["name"].as_str().unwrap(),
                    finding["producer"]["file"].as_str().unwrap(),
                    finding["effects"][0]["intermittent"].as_str().unwrap(),
                ]
            })
            .collect();
        assert_eq!(
            objects,
            [
                ["one", "first", "src/one.c", "4"],
                ["two", "second", "src/two.c", "4"]
            ]
        );
        assert_eq!(list(&found["programs"]).len(), 2);
    }
}

#[test]
fn what_is_left_out_is_noted_once() {
    let scratch = project();
    let ended = ran(1, scratch.path(), &["check", "-p", "build"]);
    let note =
        "note: flags that clang does not know are left out: -fno-tree-vectorize -fno-such-flag\n";
    assert_eq!(ended.stderr.matches(note).count(), 1, "{}", ended.stderr);
    let other = "left out because it is neither C nor C++: 1 file";
    assert!(ended.stderr.contains(other), "{}", ended.stderr);
    assert!(
        ended.stderr.contains("summary of one: 1 error"),
        "{}",
        ended.stderr
    );
    let quiet = ran(1, scratch.path(), &["check", "-q", "-p", "build"]);
    assert_eq!(quiet.stderr, "");
}

#[test]
fn one_of_several_programs_is_chosen() {
    let scratch = project();
    let folder = scratch.path();
    let found = printed(
        1,
        folder,
        &[
            "check",
            "-q",
            "--format",
            "concise",
            "-p",
            "build",
            "--program",
            "two",
        ],
    );
    assert!(
        found.lines().count() == 1 && found.contains("`second`"),
        "{found}"
    );
    let ended = ran(2, folder, &["run", "-p", "build"]);
    assert!(
        ended.stderr.contains("these are 2 programs"),
        "{}",
        ended.stderr
    );
    assert!(ended.stderr.contains("one of one, two"), "{}", ended.stderr);
    ran(0, folder, &["run", "-q", "-p", "build", "--program", "one"]);
    let ended = ran(2, folder, &["run", "-p", "build", "--program", "three"]);
    assert!(
        ended.stderr.contains("there is no program `three`"),
        "{}",
        ended.stderr
    );
    // A file with the flags of the database, as clang-tidy takes it.
    let found = printed(
        1,
        folder,
        &[
            "check",
            "-q",
            "--format",
            "concise",
            "-p",
            "build",
            "src/one.c",
            "src/step.c",
        ],
    );
    assert!(found.contains("`first`"), "{found}");
}

#[test]
fn the_replay_that_is_printed_works() {
    let scratch = project();
    let found = printed(1, scratch.path(), &["check", "-q", "-p", "build"]);
    let commands: Vec<&str> = found
        .lines()
        .filter_map(|line| line.split_once("replay: brownout "))
        .map(|(_, rest)| rest)
        .collect();
    assert_eq!(commands.len(), 2, "{found}");
    for command in commands {
        let words: Vec<&str> = command.split_whitespace().collect();
        assert!(printed(1, scratch.path(), &words).contains("power fails"));
    }
}

#[test]
fn parts_of_a_cmake_build_stay_apart() {
    let scratch = scratch();
    let folder = scratch.path();
    let main = "#include <stdio.h>\nvoid own(void);\nint main(void) { own(); return 0; }\n";
    for part in ["a", "b"] {
        fs::create_dir(folder.join(part)).unwrap();
        scratch.file(&format!("{part}/main.c"), main).unwrap();
        let own = format!("#include <stdio.h>\nvoid own(void) {{ puts(\"{part}\"); }}\n");
        scratch.file(&format!("{part}/own.c"), own).unwrap();
    }
    let mut entries = Vec::new();
    for part in ["a", "b"] {
        for file in ["main", "own"] {
            entries.push(json!({
                "directory": folder, "file": format!("{part}/{file}.c"),
                "arguments": ["cc", "-c", format!("{part}/{file}.c"), "-o", format!("CMakeFiles/{part}.dir/{file}.c.o")],
            }));
        }
    }
    scratch
        .file("compile_commands.json", json!(entries).to_string())
        .unwrap();
    for part in ["a", "b"] {
        assert_eq!(
            printed(0, folder, &["run", "-q", "-p", ".", "--program", part]),
            format!("{part}\n")
        );
    }
}

#[test]
fn several_mains_on_the_command_line() {
    let scratch = scratch();
    scratch
        .file(
            "a.c",
            "int shared(void);\nint main(void) { return shared(); }\n",
        )
        .unwrap();
    scratch
        .file(
            "b.c",
            "int shared(void);\nint main(void) { return shared() + 1; }\n",
        )
        .unwrap();
    scratch
        .file("shared.c", "int shared(void) { return 3; }\n")
        .unwrap();
    let found = document(
        0,
        scratch.path(),
        &[
            "check", "--nv", "globals", "--format", "json", "a.c", "b.c", "shared.c",
        ],
    );
    let names: Vec<&str> = list(&found["programs"])
        .iter()
        .map(|program| program["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["a", "b"]);
    let sarif = document(
        0,
        scratch.path(),
        &[
            "check", "--nv", "globals", "--format", "sarif", "a.c", "b.c", "shared.c",
        ],
    );
    assert_eq!(list(&sarif["runs"]).len(), 2);
}

#[test]
fn response_files() {
    let scratch = scratch();
    fs::create_dir(scratch.path().join("a folder")).unwrap();
    scratch
        .file("a folder/x.c", "int main(void) { return VALUE; }\n")
        .unwrap();
    scratch
        .file("args", "run -q --format json\n\"a folder/x.c\"\n")
        .unwrap();
    scratch.file("flags", "-DVALUE=7").unwrap();
    let result = document(0, scratch.path(), &["@args", "--", "@flags"]);
    assert_eq!(result["exit_status"], 7);
    let ended = ran(2, scratch.path(), &["run", "@none"]);
    assert!(ended.stderr.contains("@none"), "{}", ended.stderr);
}

#[test]
fn damaged_databases_are_refused() {
    let scratch = scratch();
    let cases = [
        ("", "not JSON"),
        ("{}", "not a list"),
        ("[]", "compiles no C or C++ file"),
        (r#"[{"file":"a.c"}]"#, "entry 1 has no `arguments`"),
        (r#"[{"command":"cc a.c"}]"#, "entry 1 has no `file`"),
        (
            r#"[{"file":"gone.c","command":"cc gone.c","directory":"/"}]"#,
            "gone.c: no such file",
        ),
    ];
    for (text, expected) in cases {
        scratch.file("compile_commands.json", text).unwrap();
        let ended = ran(2, scratch.path(), &["check", "-p", "."]);
        assert!(ended.stderr.contains(expected), "{text}: {}", ended.stderr);
    }
    let ended = ran(2, Path::new("."), &["check", "-p", "no-such-folder"]);
    assert!(ended.stderr.contains("no such file"), "{}", ended.stderr);
}
