//! Mistakes in `brownout.toml`, in `--set` and on the command line.

use crate::{arguments, program, refused_with, run, scratch};

/// A configuration must be refused with a message that has all of `parts`.
#[track_caller]
fn config_refused(config: &str, parts: &[&str]) {
    let scratch = scratch();
    let source = program(
        &scratch,
        "int count;\nint read_temp(void);\nint main(void) { return count = read_temp(); }",
    );
    scratch.file("brownout.toml", config).unwrap();
    refused_with(&arguments([&"run", &source]), parts);
}

/// A `--set` must be refused with a message that has all of `parts`.
#[track_caller]
fn setting_refused(setting: &str, parts: &[&str]) {
    let scratch = scratch();
    let source = program(&scratch, "int main(void) { return 0; }");
    refused_with(&arguments([&"run", &"--set", &setting, &source]), parts);
}

#[test]
fn an_unknown_key() {
    let parts = [
        "brownout.toml:3:1: unknown key `memory.stack-sise`",
        "did you mean `memory.stack-size`?",
    ];
    config_refused("\n[memory]\nstack-sise = 3\n", &parts);
}

#[test]
fn a_wrong_type() {
    config_refused(
        "[memory]\nstack-size = \"x\"\n",
        &["brownout.toml:2:14: `memory.stack-size` must be an integer"],
    );
    config_refused("memory = 3\n", &["`memory`"]);
    config_refused("[[memory]]\n", &["`memory`"]);
    config_refused("[input]\nfunction = \"read_temp\"\n", &["`input`"]);
}

#[test]
fn a_syntax_error() {
    config_refused("target = \n", &["brownout.toml:1:"]);
    config_refused("[memory\n", &["brownout.toml:1:8: unclosed table"]);
}

#[test]
fn a_number_out_of_range() {
    config_refused(
        "[memory]\nstack-size = 0\n",
        &["`memory.stack-size` is 0, must be"],
    );
    config_refused(
        "[memory]\nheap-size = 99999999999999999999\n",
        &["memory.heap-size"],
    );
}

#[test]
fn a_function_that_does_not_exist() {
    let config = "[[input]]\nfunction = \"read_tmp\"\n";
    config_refused(
        config,
        &[
            "brownout.toml:2:12",
            "`read_tmp`",
            "no such function",
            "did you mean `read_temp`?",
        ],
    );
    config_refused(
        "ignore = [\"raed_temp\"]\n",
        &["`raed_temp`", "did you mean `read_temp`?"],
    );
}

#[test]
fn a_symbol_that_does_not_exist() {
    config_refused(
        "[memory]\nnonvolatile = [\"symbol:cuont\"]\n",
        &["`cuont`", "did you mean `count`?"],
    );
}

#[test]
fn a_trace_that_does_not_exist() {
    config_refused(
        "[[input]]\nfunction = \"read_temp\"\ntrace = \"nowhere.csv\"\n",
        &["nowhere.csv"],
    );
}

#[test]
fn a_configuration_that_is_not_text() {
    let scratch = scratch();
    let source = program(&scratch, "int main(void) { return 0; }");
    let config = scratch.file("odd.toml", [0xff, 0xfe, 0x00]).unwrap();
    refused_with(
        &arguments([&"run", &source, &"--config", &config]),
        &["odd.toml", "utf-8"],
    );
}

#[test]
fn a_configuration_that_is_not_there() {
    let scratch = scratch();
    let source = program(&scratch, "int main(void) { return 0; }");
    let missing = ["nowhere.toml: no such file or directory"];
    refused_with(
        &arguments([&"run", &source, &"--config", &"nowhere.toml"]),
        &missing,
    );
    refused_with(
        &arguments([&"run", &source, &"--config", &scratch.path()]),
        &["is a directory"],
    );
}

#[test]
fn settings() {
    setting_refused(
        "memory.stack-sise=3",
        &[
            "unknown key `memory.stack-sise`",
            "did you mean `memory.stack-size`?",
        ],
    );
    setting_refused(
        "memory.stack-size=many",
        &["`memory.stack-size` must be an integer"],
    );
    setting_refused(
        "memory.stack-size=0",
        &["`memory.stack-size` is 0, must be"],
    );
    setting_refused(
        "power.policy=sometimes",
        &["`power.policy` is `sometimes`, must be one of `static`"],
    );
    for setting in ["memory", "=", "", "memory.stack-size", "=3"] {
        setting_refused(setting, &["is not a setting, write `section.key=value`"]);
    }
}

/// Whatever is said on the command line is blamed on the option that said it, not on a file.
#[test]
fn options_are_named() {
    let scratch = scratch();
    let source = program(
        &scratch,
        "int count;\nint step(void) { return 0; }\nint stop(void) { return 0; }\nint main(void) { return 0; }",
    );
    let cases: [(&[&str], &[&str]); 10] = [
        (
            &["run", "--entry", "nosuch"],
            &[
                "error: --entry nosuch: `entry` names `nosuch`, but the program has no such function",
                "it defines `main`, `step`, `stop`",
            ],
        ),
        (
            &["run", "--entry=stap"],
            &["error: --entry stap: ", "did you mean `step` or `stop`?"],
        ),
        (
            &["run", "--set", "entry=mian"],
            &["error: --set entry=mian: ", "`main`?"],
        ),
        (
            &["run", "--set", "power.x=1"],
            &["error: --set power.x=1: unknown key `power.x`"],
        ),
        (
            &[
                "run",
                "--set",
                "memory.nonvolatile=symbol:putz",
                "--set",
                "memory.stack-size=512",
                "--entry=main",
            ],
            &["error: --set memory.nonvolatile=symbol:putz: `memory.nonvolatile` names `putz`"],
        ),
        (
            &["run", "--set", "memory"],
            &["error: --set memory: `memory` is not a setting"],
        ),
        (
            &["run", "--target="],
            &["error: --target : `target` is empty"],
        ),
        (
            &["check", "--nv", "symbol:cuont"],
            &["error: --nv symbol:cuont: ", "did you mean `count`?"],
        ),
        (
            &["check", "--policy", "statik"],
            &["error: --policy statik: `power.policy` is `statik`"],
        ),
        (
            &["check", "--execution-depth", "0"],
            &["error: --execution-depth 0: `power.execution-depth` is 0"],
        ),
    ];
    for (options, parts) in cases {
        let mut list: Vec<&std::ffi::OsStr> = options.iter().map(std::ffi::OsStr::new).collect();
        list.push(source.as_os_str());
        refused_with(&list, parts);
        assert!(!crate::refused(&list).contains(".toml"), "{options:?}");
    }
    refused_with(
        &arguments([&"ed", &"--capacitance", &"10uX"]),
        &["error: --capacitance 10uX: `energy.capacitance` is `10uX`"],
    );
    let other = scratch
        .file("other.c", "int start(void) { return 0; }")
        .unwrap();
    refused_with(
        &arguments([&"run", &other]),
        &[
            "error: `entry` names `main`, but the program has no such function, it defines `start`",
            "help: `--entry NAME` chooses where execution starts",
        ],
    );
}

#[test]
fn arguments_that_are_wrong() {
    let scratch = scratch();
    let source = program(&scratch, "int main(void) { return 0; }");
    refused_with(&arguments([&"run"]), &["nothing says what to read"]);
    refused_with(
        &arguments([&"walk", &source]),
        &["unrecognized subcommand 'walk'"],
    );
    refused_with(
        &arguments([&"run", &"--max-instructions", &"many", &source]),
        &["invalid value 'many'"],
    );
    refused_with(
        &arguments([&"run", &"--max-instructions=-1", &source]),
        &["invalid value '-1'"],
    );
    refused_with(
        &arguments([&"run", &"--format", &"yaml", &source]),
        &["invalid value 'yaml'"],
    );
    refused_with(
        &arguments([&"run", &"--time-limit", &"soon", &source]),
        &["invalid value 'soon'"],
    );
    for command in ["run", "check"] {
        for limit in [
            "nan", "NaN", "inf", "-inf", "infinity", "-1", "-0.5", "1e300",
        ] {
            refused_with(
                &arguments([&command, &format!("--time-limit={limit}"), &source]),
                &[
                    &format!("invalid value '{limit}' for '--time-limit <SECONDS>'"),
                    "must be a number of seconds, 0 or more",
                ],
            );
        }
        for jobs in ["0", "-1", "many", "1.5"] {
            refused_with(
                &arguments([&command, &"--jobs", &jobs, &source]),
                &[
                    &format!("invalid value '{jobs}' for '--jobs <N>'"),
                    "must be a number of threads, 1 or more",
                ],
            );
        }
    }
    refused_with(
        &arguments([&"dump", &"everything", &source]),
        &["invalid value 'everything'"],
    );
    assert_eq!(run(&[]).status, Some(2));
}
