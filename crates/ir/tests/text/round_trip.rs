//! `parse(print(p)) == p` and `print(parse(t)) == t` for printed texts.

use crate::generate::programs;
use brownout_ir::verify::verify;
use brownout_ir::*;
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, max_shrink_iters: 4000, ..ProptestConfig::default() })]

    #[test]
    fn printing_and_parsing_are_inverse(program in programs()) {
        let text = program.to_string();
        match parse(&text) {
            Ok(parsed) => {
                prop_assert_eq!(&parsed, &program, "{}", text);
                prop_assert_eq!(parsed.to_string(), text);
            }
            Err(error) => prop_assert!(false, "{error}\n{text}"),
        }
    }

    #[test]
    fn generated_programs_verify(program in programs()) {
        if let Err(errors) = verify(&program) {
            prop_assert!(false, "{}\n{program}", errors[0]);
        }
    }

    #[test]
    fn a_function_is_printed_as_in_its_program(program in programs()) {
        let text = program.to_string();
        for function in program.functions.ids() {
            prop_assert!(text.contains(&print_function(&program, function)));
        }
    }

    #[test]
    fn line_breaks_do_not_matter(program in programs()) {
        let text = program.to_string();
        let code: Vec<&str> = text.lines().map(without_comment).collect();
        prop_assert_eq!(parse(&code.join(" ")), Ok(program));
    }
}

fn without_comment(line: &str) -> &str {
    let mut quoted = false;
    let mut escaped = false;
    for (at, c) in line.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => quoted = !quoted,
            ';' if !quoted => return &line[..at],
            _ => {}
        }
    }
    line
}

/// A sample with everything a reader meets, as it must look.
#[test]
fn looks_like_this() {
    let text = include_str!("sample.ir");
    let program = parse(text).unwrap_or_else(|error| panic!("sample.ir:{error}"));
    assert_eq!(program.to_string(), text);
    if let Err(errors) = verify(&program) {
        panic!("{}", errors[0]);
    }
}

#[test]
fn every_operator_has_one_spelling() {
    let mut names: Vec<&str> = Vec::new();
    names.extend(IntBinary::ALL.iter().map(|op| op.name()));
    names.extend(IntUnary::ALL.iter().map(|op| op.name()));
    names.extend(IntTernary::ALL.iter().map(|op| op.name()));
    names.extend(FloatBinary::ALL.iter().map(|op| op.name()));
    names.extend(FloatUnary::ALL.iter().map(|op| op.name()));
    names.extend(CastOp::ALL.iter().map(|op| op.name()));
    names.extend(OTHER_WORDS);
    let count = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), count);
}

#[test]
fn result_types_are_written_where_the_operation_does_not_imply_them() {
    let text = "target \"t\" pointer 16\n\nfunction fn0 \"f\" () {\nb0:\n  v0: i32 = add i16 1, 2\n  return\n}\n";
    let program = parse(text).unwrap();
    assert_eq!(program.to_string(), text);
    assert!(verify(&program).is_err());
}

/// The properties above mean little if the generator leaves something out.
#[test]
fn generated_programs_use_everything() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let mut words = std::collections::BTreeSet::new();
    for _ in 0..400 {
        let program =
            proptest::strategy::ValueTree::current(&programs().new_tree(&mut runner).unwrap());
        let text = program.to_string();
        words.extend(text.split([' ', '\n', '(']).map(str::to_owned));
    }
    let mut expected: Vec<&str> = Vec::new();
    expected.extend(IntBinary::ALL.iter().map(|op| op.name()));
    expected.extend(IntUnary::ALL.iter().map(|op| op.name()));
    expected.extend(IntTernary::ALL.iter().map(|op| op.name()));
    expected.extend(FloatBinary::ALL.iter().map(|op| op.name()));
    expected.extend(FloatUnary::ALL.iter().map(|op| op.name()));
    expected.extend(IntPredicate::ALL.iter().map(|op| op.name()));
    expected.extend(FloatPredicate::ALL.iter().map(|op| op.name()));
    expected.extend(CastOp::ALL.iter().map(|op| op.name()));
    expected.extend(Service::ALL.iter().map(|service| service.name()));
    expected.extend(OTHER_WORDS);
    let missing: Vec<&str> = expected
        .into_iter()
        .filter(|word| !words.contains(*word))
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
}

/// The words of operations and terminators that are not a family.
const OTHER_WORDS: &[&str] = &[
    "load",
    "store",
    "address",
    "icmp",
    "fcmp",
    "select",
    "fma",
    "copy",
    "fill",
    "stack_alloc",
    "stack_save",
    "stack_restore",
    "call",
    "call_indirect",
    "service",
    "jump",
    "branch",
    "switch",
    "computed",
    "return",
    "unreachable",
];
