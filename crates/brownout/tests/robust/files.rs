//! Inputs that are missing, of the wrong kind, or do not fit together.

use crate::{arguments, program, refused, refused_with, run, scratch};
use brownout_testkit::native;
use std::process::Command;

#[test]
fn a_missing_file() {
    refused_with(
        &arguments([&"run", &"nowhere.c"]),
        &["nowhere.c: no such file or directory"],
    );
}

#[test]
fn a_folder() {
    let scratch = scratch();
    refused_with(&arguments([&"run", &scratch.path()]), &["is a directory"]);
}

#[test]
fn an_empty_c_file() {
    let scratch = scratch();
    refused_with(
        &arguments([&"run", &program(&scratch, "")]),
        &["`main`", "the program has no"],
    );
}

#[test]
fn empty_modules() {
    let scratch = scratch();
    for name in ["empty.ll", "empty.bc"] {
        for contents in ["", "\n \n"] {
            let path = scratch.file(name, contents).unwrap();
            refused_with(&arguments([&"run", &path]), &[name, "the file is empty"]);
        }
    }
}

#[test]
fn an_empty_text_of_our_own() {
    let scratch = scratch();
    let path = scratch.file("empty.ir", "").unwrap();
    refused_with(
        &arguments([&"run", &path]),
        &["empty.ir:1:1: expected `target`"],
    );
}

#[test]
fn an_unknown_kind_of_file() {
    let scratch = scratch();
    for name in ["firmware.doc", "firmware", "firmware.py"] {
        let path = scratch.file(name, "int main(void) { return 0; }").unwrap();
        refused_with(
            &arguments([&"run", &path]),
            &[
                "not a kind of file brownout reads",
                "help: inputs are C and C++ files",
            ],
        );
    }
}

#[test]
fn our_own_ir_with_something_else() {
    let scratch = scratch();
    let source = program(&scratch, "int main(void) { return 0; }");
    let text = scratch.file("a.ir", "").unwrap();
    refused_with(&arguments([&"run", &text, &source]), &["give it alone"]);
}

#[test]
fn a_c_file_among_modules_keeps_its_name() {
    let scratch = scratch();
    let module = scratch.path().join("module.bc");
    let other = scratch
        .file("other.c", "int f(void) { return 1; }")
        .unwrap();
    let mut command = Command::new(native::CLANG);
    native::clang(
        command
            .args(["--target=msp430", "-emit-llvm", "-c", "-o"])
            .arg(&module)
            .arg(&other),
    )
    .unwrap();
    let source = program(
        &scratch,
        "int f(void) { return 2; }\nint main(void) { return f(); }",
    );
    for (target, part) in [
        ("msp430", "program.c: cannot be linked"),
        ("x86_64", "program.c: compiled for `x86_64"),
    ] {
        let message = refused(&arguments([&"run", &"--target", &target, &module, &source]));
        assert!(message.contains(part), "`{part}` is not in:\n{message}");
        assert!(!message.contains("brownout-lift"), "{message}");
    }
}

#[test]
fn what_clang_says_is_passed_on() {
    let scratch = scratch();
    let ended = run(&arguments([
        &"run",
        &program(&scratch, "int main(void) {\n  return x;\n}\n"),
    ]));
    assert_eq!(ended.status, Some(2));
    assert!(
        ended
            .stderr
            .contains("program.c:2:10: error: use of undeclared identifier 'x'"),
        "{}",
        ended.stderr
    );
    assert!(
        ended.stderr.contains("clang could not compile it"),
        "{}",
        ended.stderr
    );
}

#[test]
fn what_clang_warns_of_is_passed_on() {
    let scratch = scratch();
    let ended = run(&arguments([
        &"run",
        &program(
            &scratch,
            "#warning mind the gap\nint main(void) { return 0; }\n",
        ),
    ]));
    assert_eq!(ended.status, Some(0));
    assert!(
        ended.stderr.contains("warning: mind the gap"),
        "{}",
        ended.stderr
    );
}

#[test]
fn an_entry_that_does_not_exist() {
    let scratch = scratch();
    let source = program(&scratch, "int main(void) { return 0; }");
    refused_with(
        &arguments([&"run", &"--entry", &"mian", &source]),
        &["`mian`", "did you mean `main`?"],
    );
    refused_with(
        &arguments([&"run", &"--entry", &"something_else", &source]),
        &["`something_else`"],
    );
    refused_with(
        &arguments([&"run", &"--entry", &"", &source]),
        &["`entry` is empty"],
    );
}

#[test]
fn a_function_to_dump_that_does_not_exist() {
    let scratch = scratch();
    let source = program(&scratch, "int main(void) { return 0; }");
    refused_with(
        &arguments([&"dump", &"ir", &"--function", &"mian", &source]),
        &["no function `mian`"],
    );
}

#[test]
fn an_unknown_target() {
    let scratch = scratch();
    let ended = run(&arguments([
        &"run",
        &"--target",
        &"pdp11",
        &program(&scratch, "int main(void) { return 0; }"),
    ]));
    assert_eq!(ended.status, Some(2));
    assert!(ended.stderr.contains("pdp11"), "{}", ended.stderr);
}

#[test]
fn a_target_that_only_clang_knows() {
    let scratch = scratch();
    let source = program(&scratch, "int main(void) { return 0; }");
    refused_with(
        &arguments([&"run", &"--target", &"sparc", &source]),
        &["target `sparc", "is not supported"],
    );
}

#[test]
fn two_definitions() {
    let scratch = scratch();
    let first = scratch
        .file("a.c", "int twice(void) { return 1; }")
        .unwrap();
    let second = scratch
        .file(
            "b.c",
            "int twice(void) { return 2; }\nint main(void) { return twice(); }",
        )
        .unwrap();
    refused_with(
        &arguments([&"run", &first, &second]),
        &["b.c", "`twice` is defined twice"],
    );
    refused_with(
        &arguments([&"run", &second, &second]),
        &["is defined twice"],
    );
}

#[test]
fn modules_for_different_targets() {
    let scratch = scratch();
    let other = scratch
        .file("other.c", "int other(void) { return 1; }")
        .unwrap();
    let source = program(
        &scratch,
        "int other(void);\nint main(void) { return other(); }",
    );
    for name in ["other.ll", "other.bc"] {
        let module = scratch.path().join(name);
        let form = if name.ends_with("ll") { "-S" } else { "-c" };
        let mut command = Command::new(native::CLANG);
        native::clang(
            command
                .args(["--target=riscv32", "-emit-llvm", form, "-o"])
                .arg(&module)
                .arg(&other),
        )
        .unwrap();
        refused_with(
            &arguments([&"run", &source, &module]),
            &[name, "compiled for `riscv32", "for `msp430`"],
        );
        refused_with(
            &arguments([&"run", &module, &source]),
            &["compiled for `msp430`", "for `riscv32"],
        );
    }
}

#[test]
fn a_program_in_pieces_of_every_kind() {
    let scratch = scratch();
    let pieces = [
        ("one", "int one(void) { return 1; }"),
        ("two", "int two(void) { return 2; }"),
        (
            "main",
            "int one(void), two(void);\nint main(void) { return one() + two() - 3; }",
        ),
    ];
    let [one, two, main] =
        pieces.map(|(name, text)| scratch.file(&format!("{name}.c"), text).unwrap());
    for (source, form, extension) in [(&one, "-S", "ll"), (&two, "-c", "bc")] {
        let mut command = Command::new(native::CLANG);
        let module = source.with_extension(extension);
        native::clang(
            command
                .args(["--target=msp430", "-emit-llvm", form, "-o"])
                .arg(module)
                .arg(source),
        )
        .unwrap();
    }
    let (one, two) = (one.with_extension("ll"), two.with_extension("bc"));
    let ended = run(&arguments([&"run", &"-q", &one, &two, &main]));
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(0), ""));
}

#[test]
fn undefined_functions_are_all_listed() {
    let scratch = scratch();
    let text = "void start(int); int level(void); double scale(double);\n\
                int unused(void); int never(void) { return unused(); }\n\
                int main(void) { start(level()); return scale(1) > 2; }";
    let message = refused(&arguments([&"run", &program(&scratch, text)]));
    assert!(
        message.contains("3 functions are called but neither defined nor described"),
        "{message}"
    );
    for part in [
        "`start`",
        "`level`",
        "`scale`",
        "[[input]]",
        "[[output]]",
        "ignore =",
    ] {
        assert!(message.contains(part), "`{part}` is not in:\n{message}");
    }
    assert!(!message.contains("unused"), "{message}");
}

#[test]
fn assembly_that_is_not_understood() {
    let scratch = scratch();
    let source = program(
        &scratch,
        "int main(void) {\n  __asm__ volatile(\"mov r4, r5\");\n  return 0;\n}\n",
    );
    let parts = [
        "not supported yet: inline assembly `mov r4, r5` in `main`",
        "program.c:2:3",
    ];
    refused_with(&arguments([&"run", &source]), &parts);
}

#[test]
fn assembly_that_is_never_reached_does_not_matter() {
    let scratch = scratch();
    let text =
        "void other(void) { __asm__ volatile(\"mov r4, r5\"); }\nint main(void) { return 0; }\n";
    let ended = run(&arguments([&"run", &program(&scratch, text)]));
    assert_eq!(ended.status, Some(0), "{}", ended.stderr);
}

#[test]
fn without_clang() {
    let scratch = scratch();
    let source = program(&scratch, "int main(void) { return 0; }");
    let ended = crate::tool()
        .command(["run"])
        .arg(&source)
        .env("BROWNOUT_CLANG", "no-such-clang")
        .output()
        .unwrap();
    let stderr = String::from_utf8_lossy(&ended.stderr);
    assert_eq!(ended.status.code(), Some(2));
    assert!(
        stderr.contains("`no-such-clang` cannot be started"),
        "{stderr}"
    );
    assert!(
        stderr.contains("help: install the Debian package `clang-22`"),
        "{stderr}"
    );
}
