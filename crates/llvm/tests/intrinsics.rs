//! Which intrinsics on which types are translated: all of LLVM's that compute something, by
//! enumeration.
//!
//! Every intrinsic that is not of one processor is called in every form of [`FORMS`] on every type
//! of [`TYPES`], as far as LLVM accepts that. What is translated without a gap must be listed in
//! `tests/intrinsics/translated.txt`; another test executes everything in that list and compares it
//! with the native processor. All the rest must be refused with its place. `BLESS=1` writes the list.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests")]

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;

use brownout_llvm::{Loader, Trust};

/// Shapes of calls: a name, the result and the arguments, where `T` is the type and `E` that of the
/// elements of a vector of four.
const FORMS: &[(&str, &str, &str)] = &[
    ("unary", "T", "T %a"),
    ("unary-flag", "T", "T %a, i1 false"),
    ("binary", "T", "T %a, T %b"),
    ("ternary", "T", "T %a, T %b, T %c"),
    ("overflow", "{ T, i1 }", "T %a, T %b"),
    ("fixed-point", "T", "T %a, T %b, i32 1"),
    ("three-way", "i8", "T %a, T %b"),
    ("fold", "T", "<4 x T> %v"),
    ("fold-from", "T", "T %a, <4 x T> %v"),
    ("with-int", "T", "T %a, i32 %n"),
    ("class", "i1", "T %a, i32 516"),
    ("to-i8", "i8", "T %a"),
    ("to-i32", "i32", "T %a"),
    ("to-i64", "i64", "T %a"),
    ("to-i200", "i200", "T %a"),
    ("pair", "{ T, T }", "T %a"),
    ("with-exponent", "{ T, i32 }", "T %a"),
];

const TYPES: &[&str] = &[
    "i1",
    "i8",
    "i13",
    "i16",
    "i32",
    "i48",
    "i64",
    "i65",
    "i96",
    "i128",
    "i129",
    "i192",
    "i200",
    "i256",
    "i512",
    "half",
    "bfloat",
    "float",
    "double",
    "x86_fp80",
    "fp128",
    "ptr",
    "<4 x i1>",
    "<4 x i8>",
    "<4 x i13>",
    "<4 x i32>",
    "<4 x i64>",
    "<4 x i128>",
    "<4 x i200>",
    "<4 x float>",
    "<4 x double>",
    "<4 x ptr>",
];

/// Intrinsics with a form of these that do not compute: they belong to the optimiser, the debugger
/// or the machine.
const NO_ARITHMETIC: &[&str] = &[
    "llvm.annotation",
    "llvm.arithmetic.fence",
    "llvm.expect",
    "llvm.launder.invariant.group",
    "llvm.ssa.copy",
    "llvm.strip.invariant.group",
    "llvm.threadlocal.address",
    "llvm.is.constant",
    "llvm.allow.runtime.check",
    "llvm.allow.ubsan.check",
    "llvm.invariant.start",
    "llvm.objectsize",
    "llvm.frameaddress",
    "llvm.returnaddress",
    "llvm.eh.typeid.for",
    "llvm.eh.sjlj.setjmp",
    "llvm.load.relative",
    "llvm.ptr.annotation",
    "llvm.fake.use",
    "llvm.ptrmask",
    "llvm.stacksave",
];

/// All intrinsics that are not of one processor; those come after them, in alphabetical order.
fn names() -> Vec<String> {
    let mut names = Vec::new();
    for id in 1.. {
        let mut length = 0;
        // SAFETY: the numbers go up to those of the processors, where this stops; the text is static.
        let name = unsafe {
            let data = llvm_sys_22::core::LLVMIntrinsicGetName(id, &raw mut length);
            String::from_utf8_lossy(std::slice::from_raw_parts(data.cast::<u8>(), length))
                .into_owned()
        };
        if name.starts_with("llvm.aarch64") {
            break;
        }
        // LLVM's reader does not survive these with arguments that they do not take.
        let is_fragile = ["llvm.dbg.", "llvm.lifetime."];
        if !is_fragile.iter().any(|prefix| name.starts_with(prefix)) {
            names.push(name);
        }
    }
    names
}

/// A call that LLVM may or may not accept.
struct Call {
    form: &'static str,
    name: String,
    ty: &'static str,
}

impl Call {
    /// A function that makes the call, in line `line` of a file.
    fn function(&self, number: usize) -> String {
        let &(_, result, arguments) = FORMS.iter().find(|form| form.0 == self.form).unwrap();
        let put = |text: &str| {
            // Only whole words are types.
            let words = text.split_inclusive([' ', ',', '}', '>']);
            words
                .map(|word| match word.strip_prefix('T') {
                    Some(rest) => format!("{}{rest}", self.ty),
                    None => word.to_owned(),
                })
                .collect::<String>()
        };
        let (result, arguments) = (put(result), put(arguments));
        let parameters: Vec<&str> = arguments
            .split(", ")
            .filter(|argument| argument.contains('%'))
            .collect();
        format!(
            "define {result} @f{number}({}) !dbg !{} {{\n  %r = call {result} @{}({arguments}), !dbg !{}\n  ret {result} %r\n}}\n",
            parameters.join(", "),
            10 + 2 * number,
            self.name,
            11 + 2 * number,
        )
    }

    fn debug(number: usize) -> String {
        format!(
            "!{} = distinct !DISubprogram(name: \"f{number}\", file: !1, line: {number}, type: !3, unit: !0, spFlags: DISPFlagDefinition)\n\
             !{} = !DILocation(line: {number}, column: 3, scope: !{})\n",
            10 + 2 * number,
            11 + 2 * number,
            10 + 2 * number,
        )
    }
}

const HEAD: &str = "target datalayout = \"e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128\"\n\
                    target triple = \"x86_64-unknown-linux-gnu\"\n";
const TAIL: &str = "!llvm.dbg.cu = !{!0}\n!llvm.module.flags = !{!2}\n\
                    !0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: FullDebug)\n\
                    !1 = !DIFile(filename: \"calls.c\", directory: \".\")\n\
                    !2 = !{i32 2, !\"Debug Info Version\", i32 3}\n\
                    !3 = !DISubroutineType(types: !4)\n!4 = !{}\n";

fn module<'c>(calls: impl Iterator<Item = (usize, &'c Call)>) -> String {
    let (mut functions, mut debug) = (String::new(), String::new());
    for (number, call) in calls {
        functions += &call.function(number);
        debug += &Call::debug(number);
    }
    format!("{HEAD}{functions}{TAIL}{debug}")
}

/// Whether LLVM takes the call for a correct one.
fn is_accepted(call: &Call) -> bool {
    let text = module(std::iter::once((0, call)));
    Loader::new()
        .add("call", text.as_bytes(), Trust::Foreign)
        .is_ok()
}

fn accepted() -> Vec<Call> {
    let mut calls = Vec::new();
    for name in names() {
        for &(form, ..) in FORMS {
            let call = |ty| Call {
                form,
                name: name.clone(),
                ty,
            };
            // A form that none of these fits is none of the intrinsic's.
            let probes = ["i32", "double", "ptr", "<4 x i32>", "<4 x double>"];
            if !probes.into_iter().any(|ty| is_accepted(&call(ty))) {
                continue;
            }
            let fitting = TYPES.iter().map(|&ty| call(ty)).filter(is_accepted);
            calls.extend(fitting);
        }
    }
    calls
}

#[test]
fn what_is_translated_is_listed_and_the_rest_refused_with_its_place() {
    let calls = accepted();
    assert!(calls.len() > 1500, "only {} calls", calls.len());
    let mut loader = Loader::new();
    let text = module((1..).zip(&calls));
    loader
        .add("calls.ll", text.as_bytes(), Trust::Foreign)
        .unwrap();
    let (program, unsupported) = loader.finish().unwrap();
    let mut refused: BTreeMap<String, bool> = BTreeMap::new();
    for gap in unsupported {
        let Some(func) = gap.function else { continue };
        let placed = refused
            .entry(program.functions[func].name.clone())
            .or_default();
        *placed |= gap.place.is_some();
    }
    let mut translated = BTreeSet::new();
    for (number, call) in (1..).zip(&calls) {
        match refused.get(&format!("f{number}")) {
            Some(true) => {}
            Some(false) => panic!("{} on {} is refused without a place", call.name, call.ty),
            None if NO_ARITHMETIC.contains(&call.name.as_str()) => {}
            None => {
                translated.insert((call.form, call.name.clone(), call.ty));
            }
        }
    }
    let mut list = String::new();
    for (form, name, ty) in &translated {
        writeln!(list, "{form} {name} {ty}").unwrap();
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/intrinsics/translated.txt");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, &list).unwrap();
    }
    let known = std::fs::read_to_string(&path).unwrap_or_default();
    let (known, found): (BTreeSet<&str>, BTreeSet<&str>) =
        (known.lines().collect(), list.lines().collect());
    let new: Vec<_> = found.difference(&known).collect();
    let gone: Vec<_> = known.difference(&found).collect();
    assert!(
        new.is_empty() && gone.is_empty(),
        "new: {new:#?}\ngone: {gone:#?}"
    );
}
