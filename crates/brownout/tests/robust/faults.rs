//! What guests die of: each is told with the place in the source.

use std::ffi::OsStr;

use crate::{arguments, program, refused, refused_with, report, run, scratch};

/// The program must die of something whose message has all of `parts`, the place included.
#[track_caller]
fn dies(text: &str, options: &[&str], parts: &[&str]) {
    for target in ["msp430", "x86_64"] {
        let scratch = scratch();
        let source = program(&scratch, text);
        let mut arguments = arguments([&"run", &"--target", &target, &source]);
        arguments.extend(options.iter().map(OsStr::new));
        refused_with(&arguments, parts);
        let report = report(text, &[&["--target", target], options].concat());
        assert!(report.outcome.is_none());
        let fault = report.fault.unwrap();
        assert!(fault.contains(parts[0]), "{fault}");
    }
}

#[test]
fn deep_recursion() {
    let text = "int down(long n) {\n  volatile long keep = n;\n  return n ? down(n - 1) + (int)keep : 0;\n}\n\
                int main(void) { return down(1000000); }";
    dies(
        text,
        &[],
        &[
            "stack overflow; `memory.stack-size`",
            "program.c:3:14 in `down`",
        ],
    );
}

#[test]
fn deep_recursion_in_a_stack_that_suffices() {
    let text = "int down(long n) { volatile long keep = n; return n ? down(n - 1) + (int)(keep & 1) : 0; }\n\
                int main(void) { return down(1000000) == 500000 ? 7 : 8; }";
    let report = report(
        text,
        &["--target", "x86_64", "--set", "memory.stack-size=100000000"],
    );
    assert_eq!(report.outcome().unwrap().status, 7);
}

#[test]
fn allocating_everything_gives_null() {
    let text = "#include <stdint.h>\n#include <stdlib.h>\n\
                int main(void) {\n  void *volatile a = malloc(SIZE_MAX), *volatile b = malloc(SIZE_MAX - 40);\n\
                  void *volatile c = calloc(SIZE_MAX / 2, 4), *volatile d = malloc(SIZE_MAX / 2);\n\
                  void *volatile e = malloc(10), *volatile f = realloc(e, SIZE_MAX - 2);\n\
                  return (a || b || c || d || f) + 2 * (e != 0);\n}";
    for target in ["msp430", "riscv32", "thumbv6m", "i386", "x86_64"] {
        assert_eq!(
            report(text, &["--target", target])
                .outcome()
                .unwrap()
                .status,
            2,
            "{target}"
        );
    }
}

#[test]
fn allocating_until_nothing_is_left() {
    let text = "#include <stdlib.h>\nint main(void) { int n = 0; while (malloc(100)) n++; return n > 10; }";
    for target in ["msp430", "x86_64"] {
        assert_eq!(
            report(text, &["--target", target])
                .outcome()
                .unwrap()
                .status,
            1,
            "{target}"
        );
    }
}

#[test]
fn globals_that_do_not_fit() {
    let scratch = scratch();
    let source = program(
        &scratch,
        "char big[60000];\nint main(void) { return big[3]; }",
    );
    refused_with(
        &arguments([&"run", &source]),
        &["the program needs", "the target's address space has"],
    );
    let source = program(
        &scratch,
        "char big[1ull << 40];\nint main(void) { return big[3]; }",
    );
    refused_with(
        &arguments([&"run", &"--target", &"x86_64", &source]),
        &["the program needs"],
    );
}

#[test]
fn a_stack_and_a_heap_that_do_not_fit() {
    let scratch = scratch();
    let source = program(&scratch, "int main(void) { return 0; }");
    let settings = [
        "--set",
        "memory.stack-size=40000",
        "--set",
        "memory.heap-size=40000",
    ]
    .map(OsStr::new);
    refused_with(
        &[&arguments([&"run", &source]), &settings[..]].concat(),
        &["the program needs"],
    );
    let settings = [
        "--set",
        "memory.stack-size=1073741824",
        "--set",
        "memory.heap-size=1073741824",
    ]
    .map(OsStr::new);
    let ended = run(&[
        &arguments([&"run", &"--target", &"x86_64", &source]),
        &settings[..],
    ]
    .concat());
    assert_eq!(ended.status, Some(0), "{}", ended.stderr);
}

#[test]
fn an_array_larger_than_the_stack() {
    dies(
        "int main(void) { char big[50000]; big[7] = 1; return big[7]; }",
        &["--set", "memory.stack-size=4096"],
        &["stack overflow", "program.c:1", "in `main`"],
    );
    dies(
        "int big(int n) { char big[50000]; big[n] = 1; return big[7]; }\nint main(void) { return big(7); }",
        &["--set", "memory.stack-size=4096"],
        &["stack overflow", "program.c:2:25 in `main`"],
    );
    dies(
        "int main(int n, char **v) { volatile char big[n * 30000]; big[7] = 1; return big[7]; }",
        &["--set", "memory.stack-size=4096"],
        &["stack overflow", "program.c:1"],
    );
}

#[test]
fn no_instructions_at_all() {
    let text = "int main(void) { return 0; }";
    dies(
        text,
        &["--max-instructions", "0"],
        &["the limit of 0 instructions was reached (`--max-instructions`)"],
    );
}

#[test]
fn a_limit_of_instructions() {
    let text = "int main(void) {\n  for (;;);\n}";
    for limit in ["1", "2", "3", "100", "50000"] {
        let unit = if limit == "1" {
            "instruction"
        } else {
            "instructions"
        };
        let message = format!("the limit of {limit} {unit} was reached");
        dies(text, &["--max-instructions", limit], &[&message]);
        let report = report(text, &["--max-instructions", limit]);
        assert_eq!(report.document["stats"]["instructions"].to_string(), limit);
        assert_eq!(report.document["complete"], false);
    }
}

#[test]
fn a_limit_of_time() {
    let text = "long long n;\nint main(void) {\n  for (;;) n++;\n}";
    for limit in ["0", "0.2"] {
        let options = ["--time-limit", limit, "--max-instructions", "1000000000000"];
        dies(
            text,
            &options,
            &["the time limit was reached (`--time-limit`)"],
        );
    }
}

/// A program that does nothing any more has come to its end; one that waits for what nothing changes has not.
#[test]
fn a_loop_in_which_nothing_happens() {
    let scratch = scratch();
    let text = "void loop(void) {}\nint main(void) {\n  for (;;) loop();\n}";
    let ended = run(&arguments([&"run", &program(&scratch, text)]));
    assert_eq!(ended.status, Some(0), "{}", ended.stderr);
    let said = "the program ends in a loop";
    assert!(ended.stderr.contains(said), "{}", ended.stderr);
    dies(
        "volatile int ready;\nint main(void) {\n  while (!ready);\n  return 0;\n}",
        &[],
        &["for `ready`, which nothing changes", "program.c:3"],
    );
}

#[test]
fn division_by_zero() {
    for operator in ["/", "%"] {
        for ty in ["int", "unsigned", "long long", "unsigned char"] {
            let text = format!(
                "{ty} zero;\nint main(void) {{ {ty} one = 1; return (int)(one {operator} zero); }}"
            );
            dies(
                &text,
                &[],
                &["division by zero", "program.c:2:", "in `main`"],
            );
        }
    }
}

#[test]
fn null_pointers() {
    dies(
        "int *p;\nint main(void) { return *p; }",
        &[],
        &["null pointer: read of", "program.c:2:25 in `main`"],
    );
    dies(
        "int *p;\nint main(void) { *p = 1; return 0; }",
        &[],
        &["null pointer: write of", "program.c:2:"],
    );
    dies(
        "struct s { int a, b; } *p;\nint main(void) { return p->b; }",
        &[],
        &["null pointer: read of", "program.c:2:"],
    );
    dies(
        "void (*p)(void);\nint main(void) { p(); return 0; }",
        &[],
        &["call of address 0x0, which is not a function"],
    );
    let copy = "#include <string.h>\nchar *p, b[9];\nint main(void) { memcpy(p, b, 9); return 0; }";
    dies(
        copy,
        &[],
        &["null pointer: write of", "program.c:3:18 in `main`"],
    );
    dies(
        "#include <string.h>\nchar *p;\nint main(void) { return strlen(p); }",
        &[],
        &["null pointer: read of", "program.c:3:"],
    );
}

/// One byte is not `1 bytes`.
#[test]
fn counts() {
    dies(
        "char *p;\nint main(void) { return *p; }",
        &[],
        &["null pointer: read of 1 byte at address 0x0"],
    );
    dies(
        "char *volatile p = (char *)-1;\nint main(void) { *p = 1; return 0; }",
        &[],
        &["write of 1 byte at address 0xff"],
    );
    dies(
        "#include <stdlib.h>\nint main(void) { char *p = malloc(3); return p[3]; }",
        &[],
        &["read of 1 byte at address"],
    );
    dies(
        "short *p;\nint main(void) { return *p; }",
        &[],
        &["null pointer: read of 2 bytes at address 0x0"],
    );
}

#[test]
fn addresses_where_nothing_is() {
    dies(
        "char *volatile p = (char *)-1;\nint main(void) { return *p; }",
        &[],
        &["where nothing is mapped", "program.c:2:"],
    );
    let wide = "long long *volatile p = (long long *)-4;\nint main(void) { return (int)*p; }";
    dies(wide, &[], &["where nothing is mapped", "program.c:2:"]);
    let copy = "#include <string.h>\nchar b[9];\nchar *volatile p = (char *)-3;\nint main(void) { memmove(b, p, 9); return 0; }";
    dies(copy, &[], &["where nothing is mapped"]);
    dies(
        "char b[9];\nint main(void) { void (*f)(void) = (void (*)(void))(b + 1); f(); return 0; }",
        &[],
        &["which is not a function"],
    );
}

#[test]
fn a_failed_assertion() {
    let text =
        "#include <assert.h>\nint count;\nint main(void) {\n  assert(count == 7);\n  return 0;\n}";
    dies(
        text,
        &[],
        &[
            "assertion `count == 7` failed at",
            "program.c:4:3 in `main`",
        ],
    );
}

#[test]
fn abort() {
    let text = "#include <stdlib.h>\nint main(void) {\n  abort();\n}";
    dies(
        text,
        &[],
        &["the program called `abort`", "program.c:3:3 in `main`"],
    );
    dies(
        "int main(void) {\n  __builtin_trap();\n}",
        &[],
        &["the program executed a trap", "program.c:2:3 in `main`"],
    );
}

#[test]
fn a_write_to_a_literal() {
    let text = "int main(void) {\n  char *text = \"text\";\n  text[1] = 'a';\n  return 0;\n}";
    dies(
        text,
        &[],
        &["write to read-only data", "program.c:3:11 in `main`"],
    );
    let text = "#include <string.h>\nint main(void) {\n  memset(\"text\", 0, 3);\n  return 0;\n}";
    dies(
        text,
        &[],
        &["write to read-only data", "program.c:3:3 in `main`"],
    );
}

#[test]
fn outside_of_heap_blocks() {
    let text = |use_: &str| {
        format!(
            "#include <stdlib.h>\nint main(void) {{\n  char *p = malloc(8);\n  {use_}\n  return 0;\n}}"
        )
    };
    let place = "program.c:4:";
    dies(
        &text("p[8] = 1;"),
        &[],
        &["outside every live heap block", "write of 1", place],
    );
    dies(
        &text("p[-1] = 1;"),
        &[],
        &["outside every live heap block", "write of 1", place],
    );
    dies(
        &text("return p[8];"),
        &[],
        &["outside every live heap block", "read of 1", place],
    );
    dies(
        &text("free(p); return p[1];"),
        &[],
        &["outside every live heap block", "read of 1", place],
    );
    dies(
        &text("malloc(8); char *q = realloc(p, 2000); *q = 0; p[1] = 1;"),
        &[],
        &["outside every live heap block", "write of 1", place],
    );
    dies(
        &text("__builtin_memset(p, 0, 9);"),
        &[],
        &["outside every live heap block", "write of", place],
    );
}

#[test]
fn blocks_that_cannot_be_freed() {
    let text = |use_: &str| {
        format!(
            "#include <stdlib.h>\nint main(void) {{\n  char *p = malloc(8), b[8];\n  {use_}\n  return b[0];\n}}"
        )
    };
    let again = ["double free: the heap block at address", "double-free"];
    let none = [
        "invalid free: no heap block begins at address",
        "invalid-free",
    ];
    for (use_, [message, name]) in [
        ("free(p); free(p);", again),
        ("char *q = malloc(8); free(p); free(q); free(p);", again),
        ("free(p); p = realloc(p, 9);", again),
        ("free(p + 1);", none),
        ("free(b);", none),
        ("free(p + 4);", none),
        ("p = realloc(b, 9);", none),
        ("free((void *)&main);", none),
    ] {
        dies(&text(use_), &[], &[message, "program.c:4:", "in `main`"]);
        let report = report(&text(use_), &[]);
        assert_eq!(report.document["fault"]["name"], name, "{use_}");
    }
}

#[test]
fn code_that_cannot_be_reached() {
    let text =
        "int one = 1;\nint main(void) {\n  if (one)\n    __builtin_unreachable();\n  return 0;\n}";
    dies(
        text,
        &[],
        &["execution reached code marked unreachable", "program.c:"],
    );
}

#[test]
fn a_return_address_that_was_overwritten() {
    let text = "__attribute__((noinline)) void smash(int *volatile p) { for (int i = 0; i < 64; i++) p[i] = 0x41; }\n\
                __attribute__((noinline)) void inner(void) { int a[2]; smash(a); }\n\
                int main(void) { volatile int room[200]; room[3] = 0; inner(); return room[3]; }";
    dies(
        text,
        &[],
        &["the return address in the stack was overwritten"],
    );
}

#[test]
fn a_call_that_makes_no_sense() {
    let text = "#include <stdarg.h>\n\
                int sum(int n, ...) { va_list l; va_start(l, n); int s = 0; while (n--) s += va_arg(l, int); va_end(l); return s; }\n\
                int main(void) {\n  int (*volatile f)(int, int, int) = (int (*)(int, int, int))sum;\n  return f(2, 3, 4);\n}";
    dies(
        text,
        &[],
        &[
            "`sum` is called with arguments that do not fit its definition",
            "program.c:5:10 in `main`",
        ],
    );
    assert_eq!(
        report(text, &[]).document["fault"]["name"],
        "wrong-signature"
    );
}

#[test]
fn a_jump_into_a_function_that_returned() {
    let text = "#include <setjmp.h>\njmp_buf there;\n\
                __attribute__((noinline)) int mark(void) { return setjmp(there); }\n\
                int main(void) {\n  if (mark()) return 0;\n  longjmp(there, 1);\n}";
    dies(
        text,
        &[],
        &[
            "`longjmp` to a function that has returned",
            "program.c:6:3 in `main`",
        ],
    );
}

#[test]
fn the_backtrace_is_in_the_report() {
    let text = "int *p;\nstatic int inner(void) { return *p; }\nint main(void) { return inner(); }";
    let report = report(text, &[]);
    let backtrace = report.document["fault"]["backtrace"]
        .as_array()
        .unwrap()
        .clone();
    assert_eq!(backtrace.len(), 2, "{backtrace:?}");
    assert!(
        backtrace[0]
            .as_str()
            .unwrap()
            .contains("program.c:2:33 in `inner`"),
        "{backtrace:?}"
    );
    assert!(
        backtrace[1]
            .as_str()
            .unwrap()
            .contains("program.c:3:25 in `main`"),
        "{backtrace:?}"
    );
}

#[test]
fn what_was_printed_before_is_not_lost() {
    let scratch = scratch();
    let text = "#include <stdio.h>\nint *p;\nint main(void) { printf(\"before\"); return *p; }";
    let source = program(&scratch, text);
    let ended = run(&arguments([&"run", &source]));
    assert_eq!(ended.stdout, b"before");
    assert!(refused(&arguments([&"run", &"-q", &source])).contains("null pointer"));
}

#[test]
fn what_a_later_boot_dies_of() {
    let scratch = scratch();
    let text = "__attribute__((section(\".nv\"))) unsigned n;\n\
        __attribute__((section(\".nv\"))) int t[3];\n\
        static void put(unsigned i) {\n  int *p = i < 3 ? &t[i] : 0;\n  *p = 1;\n}\n\
        int main(void) {\n  put(n);\n  n++;\n  return 0;\n}\n";
    let source = program(&scratch, text);
    let ended = run(&arguments([&"check", &source]));
    assert_eq!(ended.status, Some(2));
    assert_eq!(
        ended.stderr.matches("boot 4").count(),
        1,
        "{}",
        ended.stderr
    );
    for part in [
        "boot 4 ends in a fault, without any power failure in it: null pointer: write of 2 bytes",
        "; what comes after that was not checked",
        "program.c:5:6 in `put`",
        "program.c:8:3 in `main`",
    ] {
        assert!(ended.stderr.contains(part), "{}", ended.stderr);
    }
}
