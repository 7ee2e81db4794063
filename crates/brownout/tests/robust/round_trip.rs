//! Same input, same bytes; and the IR survives being written and read.

use std::path::Path;

use crate::{arguments, report, run, scratch};

fn sample(name: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../tests/run")
        .join(name)
}

/// Programs of every kind.
const SAMPLES: &[(&str, &str)] = &[
    ("abs_div.c", "x86_64"),
    ("computed_goto.c", "x86_64"),
    ("complex_numbers.c", "x86_64"),
    ("fnptr_tables.c", "x86_64"),
    ("int128_div.c", "x86_64"),
    ("constructor_priority.c", "x86_64"),
    ("long_double_arith.c", "x86_64"),
    ("portable/p_setjmp.c", "msp430"),
    ("portable/p_varargs.c", "msp430"),
    ("portable/p_printf_floats.c", "riscv32"),
    ("portable/p_malloc_list.c", "thumbv6m"),
    ("msp430/layout.c", "msp430"),
];

#[test]
fn the_same_run_twice() {
    for (name, target) in SAMPLES {
        let source = sample(name);
        for format in ["human", "json"] {
            let once = || {
                let ended = run(&arguments([
                    &"run",
                    &"--format",
                    &format,
                    &"--target",
                    target,
                    &source,
                ]));
                let timeless = |text: &str| {
                    let seconds = |line: &&str| {
                        !line.contains("_seconds\"") && !line.contains("instructions in")
                    };
                    text.lines().filter(seconds).collect::<Vec<_>>().join("\n")
                };
                (
                    ended.status,
                    timeless(&String::from_utf8_lossy(&ended.stdout)),
                    timeless(&ended.stderr),
                )
            };
            assert_eq!(once(), once(), "{name}");
        }
    }
}

#[test]
fn the_same_dump_twice() {
    for (name, target) in SAMPLES {
        let dump = || {
            run(&arguments([
                &"dump",
                &"ir",
                &"--target",
                target,
                &sample(name),
            ]))
            .stdout
        };
        assert!(dump() == dump(), "{name}");
    }
}

#[test]
fn a_dump_runs_like_its_program() {
    let scratch = scratch();
    for (name, target) in SAMPLES {
        for level in ["-O0", "-O2"] {
            let source = sample(name);
            let dump = run(&arguments([
                &"dump",
                &"ir",
                &"--target",
                target,
                &source,
                &"--",
                &"-w",
                &level,
            ]));
            assert_eq!(dump.status, Some(0), "{}", dump.stderr);
            let text = scratch.file("program.ir", &dump.stdout).unwrap();
            let again = run(&arguments([&"dump", &"ir", &text]));
            assert!(
                again.stdout == dump.stdout,
                "{name} {level}: the dump of a dump differs"
            );
            let direct = run(&arguments([
                &"run",
                &"-q",
                &"--target",
                target,
                &source,
                &"--",
                &"-w",
                &level,
            ]));
            let indirect = run(&arguments([&"run", &"-q", &text]));
            assert_eq!(indirect, direct, "{name} {level}");
        }
    }
}

#[test]
fn bitcode_and_assembly_run_like_their_source() {
    use brownout_testkit::native;
    let scratch = scratch();
    let source = sample("hash_map.c");
    let direct = run(&arguments([
        &"run",
        &"-q",
        &"--target",
        &"x86_64",
        &source,
        &"--",
        &"-O1",
    ]));
    for (form, name) in [("-c", "program.bc"), ("-S", "program.ll")] {
        let module = scratch.path().join(name);
        let mut command = std::process::Command::new(native::CLANG);
        native::clang(
            command
                .args(["-O1", "-emit-llvm", form, "-o"])
                .arg(&module)
                .arg(&source),
        )
        .unwrap();
        assert_eq!(
            run(&arguments([&"run", &"-q", &module])).stdout,
            direct.stdout
        );
    }
}

#[test]
fn counting_does_not_depend_on_limits() {
    let text =
        "int main(void) { volatile int s = 0; for (int i = 0; i < 1000; i++) s += i; return 0; }";
    let count = |options: &[&str]| {
        report(text, options).document["stats"]["instructions"]
            .as_u64()
            .unwrap()
    };
    let whole = count(&[]);
    let exact = whole.to_string();
    assert_eq!(count(&["--max-instructions", &exact]), whole);
    assert_eq!(count(&["--time-limit", "100"]), whole);
    let less = (whole - 1).to_string();
    let cut = report(text, &["--max-instructions", &less]);
    assert!(cut.fault.is_some());
}
