//! Every intrinsic on every type that is translated computes what the processor does.
//!
//! `tests/intrinsics/translated.txt` has them all: a test of the crate that translates holds the list
//! complete. Here each is executed on several operands, by the tool and natively, and the bytes of
//! the results are compared; functions such as `sin` only have to be close, for the native ones
//! round otherwise.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests")]

use std::fmt::Write;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use brownout_testkit::{Scratch, Tool, execute, native};

const LIST: &str = include_str!("../../../tests/intrinsics/translated.txt");

/// Prints the bytes of results; compiled with the calls.
const SHOW: &str = "#include <stdio.h>\nextern unsigned char result[256];\n\
    void show(int number) {\n  printf(\"%d\", number);\n\
    for (int i = 0; i < 256; i++) if (result[i]) printf(\" %d:%02x\", i, result[i]);\n\
    printf(\"\\n\");\n  for (int i = 0; i < 256; i++) result[i] = 0;\n}\n";

/// Intrinsics whose results are only close to the native ones.
const CLOSE: &[&str] = &[
    "acos", "asin", "atan", "atan2", "cos", "cosh", "exp", "exp10", "exp2", "log", "log10", "log2",
    "pow", "powi", "sin", "sincos", "sinh", "tan", "tanh",
];

/// What LLVM has no native code for.
fn is_not_native(case: &Case<'_>) -> bool {
    let wide = ["x86_fp80", "fp128"].contains(&case.ty);
    match case.name {
        "llvm.maximum" | "llvm.minimum" => wide,
        "llvm.modf" => case.ty == "half",
        "llvm.llrint" | "llvm.lrint" => ["to-i8", "to-i32"].contains(&case.form),
        _ => false,
    }
}

/// Numbers of 128 bits and more have to come from more than one word.
fn integers(bits: u32) -> Vec<String> {
    let hex = |digit: &str| {
        format!(
            "u0x{}",
            digit.repeat((bits as usize).div_ceil(4) / digit.len() + 1)
        )
    };
    // Too many digits are cut by a shift in the text, not by LLVM: masks are simpler.
    let cut = |text: String| {
        let digits = &text[3..];
        let keep = (bits as usize).div_ceil(4);
        let (first, rest) = digits[..keep].split_at(1);
        let top = u32::from_str_radix(first, 16).unwrap();
        let spare = keep as u32 * 4 - bits;
        format!("u0x{:x}{rest}", top & (0xf >> spare))
    };
    let mut all = vec!["0".to_owned(), "1".to_owned(), "-1".to_owned()];
    if bits > 3 {
        all.push("3".to_owned());
        all.push(cut(hex("6b")));
        all.push(cut(hex("e5901")));
    }
    all
}

/// Operands of a scalar type.
fn operands(ty: &str) -> Vec<String> {
    let of = |texts: &[&str]| texts.iter().map(|&text| text.to_owned()).collect();
    match ty {
        "half" => of(&["0xH3C00", "0xHC100", "0xH4248", "0xH0000", "0xH7C00"]),
        "float" | "double" => of(&["1.0", "-2.5", "3.5", "0.0", "1.0e10"]),
        "x86_fp80" => of(&[
            "0xK3FFF8000000000000000",
            "0xKC000A000000000000000",
            "0xK4000E000000000000000",
            "0xK00000000000000000000",
        ]),
        "fp128" => of(&[
            "0xL00000000000000003FFF000000000000",
            "0xL0000000000000000C000400000000000",
            "0xL00000000000000000000000000000000",
        ]),
        _ => integers(ty[1..].parse().unwrap()),
    }
}

/// The `number`th choice of an operand of a type.
fn operand(ty: &str, number: usize) -> String {
    match ty.strip_prefix("<4 x ") {
        Some(element) => {
            let element = element.trim_end_matches('>');
            let values = operands(element);
            let parts: Vec<String> = (0..4)
                .map(|lane| format!("{element} {}", values[(number + lane * 2) % values.len()]))
                .collect();
            format!("<{}>", parts.join(", "))
        }
        None => {
            let values = operands(ty);
            values[number % values.len()].clone()
        }
    }
}

struct Case<'l> {
    form: &'l str,
    name: &'l str,
    ty: &'l str,
}

impl Case<'_> {
    /// The type of the result and the arguments of the `number`th call.
    fn call(&self, number: usize) -> (String, String) {
        let ty = self.ty;
        let at = |shift: usize| {
            // A shift by the width or more means nothing.
            let shifts = self.name.contains("shl.sat");
            let value = match shifts && shift > 0 {
                true if ty.starts_with('<') => {
                    let element = ty[5..].trim_end_matches('>');
                    let one = if element == "i1" { "0" } else { "1" };
                    format!("<{}>", vec![format!("{element} {one}"); 4].join(", "))
                }
                true => if ty == "i1" {
                    "0"
                } else {
                    ["0", "1", "3"][number % 3]
                }
                .to_owned(),
                false => operand(ty, number + shift * (1 + number / 5)),
            };
            format!("{ty} {value}")
        };
        let result = match self.form {
            "overflow" => format!("{{ {ty}, i1 }}"),
            "three-way" => "i8".to_owned(),
            "class" => "i1".to_owned(),
            "pair" => format!("{{ {ty}, {ty} }}"),
            form => form.strip_prefix("to-").unwrap_or(ty).to_owned(),
        };
        let small = ["0", "1", "3", "-2"][number % 4];
        let arguments = match self.form {
            "unary-flag" => format!("{}, i1 false", at(0)),
            "binary" | "overflow" | "three-way" => format!("{}, {}", at(0), at(1)),
            "ternary" => format!("{}, {}, {}", at(0), at(1), at(2)),
            "fixed-point" => format!("{}, {}, i32 1", at(0), at(1)),
            "fold" => format!("<4 x {ty}> {}", operand(&format!("<4 x {ty}>"), number)),
            "fold-from" => format!(
                "{}, <4 x {ty}> {}",
                at(0),
                operand(&format!("<4 x {ty}>"), number)
            ),
            "with-int" if self.name.contains("shl.sat") => format!("{}, i32 3", at(0)),
            "with-int" => format!("{}, i32 {small}", at(0)),
            "class" => format!("{}, i32 516", at(0)),
            _ => at(0),
        };
        (result, arguments)
    }

    /// Calls whose result nobody promises anything about.
    fn is_open(&self, number: usize) -> bool {
        let (_, arguments) = self.call(number);
        // Rounding to an integer that is too small for the number.
        let rounds = ["lrint", "lround"]
            .iter()
            .any(|name| self.name.contains(name));
        let zeros = self.name.contains("minnum") || self.name.contains("maxnum");
        (rounds
            && (arguments.contains("1.0e10") || arguments.contains("7C00") || self.form == "to-i8"))
            || (zeros && arguments.matches("0.0").count() > 1)
    }
}

/// The calls of a program that prints all results, and which case each number belongs to.
fn program(cases: &[Case<'_>]) -> (String, Vec<usize>) {
    let (mut body, mut owners) = (String::new(), Vec::new());
    for (index, case) in cases.iter().enumerate() {
        for number in 0..5 {
            if case.is_open(number) {
                continue;
            }
            let id = owners.len();
            owners.push(index);
            let (result, arguments) = case.call(number);
            writeln!(body, "  %r{id} = call {result} @{}({arguments})", case.name).unwrap();
            let parts = match case.form {
                "overflow" => vec![(case.ty, 0), ("i1", 1)],
                "pair" => vec![(case.ty, 0), (case.ty, 1)],
                _ => vec![],
            };
            for (ty, part) in &parts {
                writeln!(
                    body,
                    "  %p{id}.{part} = extractvalue {result} %r{id}, {part}"
                )
                .unwrap();
                let to = format!("getelementptr (i8, ptr @result, i64 {})", part * 128);
                writeln!(body, "  store {ty} %p{id}.{part}, ptr {to}").unwrap();
            }
            if parts.is_empty() {
                writeln!(body, "  store {result} %r{id}, ptr @result").unwrap();
            }
            writeln!(body, "  call void @show(i32 {id})").unwrap();
        }
    }
    let text = format!(
        "target triple = \"x86_64-unknown-linux-gnu\"\n\
         target datalayout = \"e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128\"\n\
         @result = global [256 x i8] zeroinitializer, align 64\ndeclare void @show(i32)\n\
         define i32 @main() {{\n{body}  ret i32 0\n}}\n"
    );
    (text, owners)
}

/// The bytes of a result: `12 0:ff 1:80`.
fn bytes(line: &str) -> [u8; 256] {
    let mut bytes = [0; 256];
    for word in line.split(' ').skip(1) {
        let (at, value) = word.split_once(':').unwrap();
        bytes[at.parse::<usize>().unwrap()] = u8::from_str_radix(value, 16).unwrap();
    }
    bytes
}

/// Whether two results of a function are as close as the type allows.
fn is_close(ty: &str, a: &str, b: &str) -> bool {
    let (a, b) = (bytes(a), bytes(b));
    let numbers = |bytes: &[u8; 256]| -> Vec<f64> {
        let word = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap());
        match ty.trim_start_matches("<4 x ").trim_end_matches('>') {
            "float" => (0..64)
                .map(|i| {
                    f32::from_bits(
                        word((i * 4) & !7)
                            .checked_shr(if i % 2 == 1 { 32 } else { 0 })
                            .unwrap() as u32,
                    )
                    .into()
                })
                .collect(),
            "double" => (0..32).map(|i| f64::from_bits(word(i * 8))).collect(),
            // Sign, exponent and the first bits of the fraction are enough.
            "half" => (0..128)
                .map(|i| f64::from(u16::from_le_bytes([bytes[2 * i], bytes[2 * i + 1]]) >> 2))
                .collect(),
            // The sign of what is not a number means nothing.
            "x86_fp80" if bytes[8] == 0xff && bytes[9] & 0x7f == 0x7f && word(0) << 1 != 0 => {
                vec![f64::NAN]
            }
            "x86_fp80" => vec![
                f64::from(u16::from_le_bytes([bytes[8], bytes[9]])),
                (word(0) >> 24) as f64,
            ],
            _ => vec![
                f64::from(u16::from_le_bytes([bytes[14], bytes[15]])),
                (word(6) >> 24) as f64,
            ],
        }
    };
    numbers(&a).into_iter().zip(numbers(&b)).all(|(a, b)| {
        a == b
            || (a.is_nan() && b.is_nan())
            || (a - b).abs() <= 1e-5 * a.abs().max(b.abs()).max(1e-12)
            || (ty == "half" && (a - b).abs() <= 1.0)
    })
}

#[test]
fn translated_intrinsics_compute_what_the_processor_does() {
    let cases: Vec<Case<'_>> = LIST
        .lines()
        .map(|line| {
            let mut words = line.splitn(3, ' ');
            let mut next = || words.next().unwrap();
            Case {
                form: next(),
                name: next(),
                ty: next(),
            }
        })
        // The system's library has no functions of this type under names that LLVM calls.
        .filter(|case| !is_not_native(case))
        .filter(|case| {
            case.ty != "fp128" || !CLOSE.contains(&case.name.trim_start_matches("llvm."))
        })
        .collect();
    let scratch = Scratch::new(Path::new(env!("CARGO_TARGET_TMPDIR"))).unwrap();
    let (text, owners) = program(&cases);
    let sources = [
        scratch.file("calls.ll", &text).unwrap(),
        scratch.file("show.c", SHOW).unwrap(),
    ];
    let flags = ["-w", "-O0"].map(str::to_owned);
    let built = scratch.path().join("program");
    native::build(&sources, &flags, &built).unwrap();
    let limit = Duration::from_secs(120);
    let expected = execute(&mut Command::new(&built), limit).unwrap();
    let mut command =
        Tool::new(env!("CARGO_BIN_EXE_brownout")).command(["run", "-q", "--target", "x86_64"]);
    command.args(&sources);
    let found = execute(&mut command, limit).unwrap();
    assert_eq!(found.status, Some(0), "{}", found.stderr);
    let (expected, found) = (
        String::from_utf8_lossy(&expected.stdout).into_owned(),
        String::from_utf8_lossy(&found.stdout).into_owned(),
    );
    assert_eq!(expected.lines().count(), owners.len());
    assert_eq!(found.lines().count(), owners.len());
    let mut wrong = Vec::new();
    for ((a, b), &owner) in expected.lines().zip(found.lines()).zip(&owners) {
        let case = &cases[owner];
        // `long double` is computed through `double`.
        let long = case.name == "llvm.sqrt" && ["x86_fp80", "fp128"].contains(&case.ty);
        let close = long || CLOSE.contains(&case.name.trim_start_matches("llvm."));
        if a != b && !(close && is_close(case.ty, a, b)) {
            wrong.push(format!(
                "{} {} {}: native {a}, emulated {b}",
                case.form, case.name, case.ty
            ));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {} are wrong:\n{}",
        wrong.len(),
        owners.len(),
        wrong.join("\n")
    );
}
