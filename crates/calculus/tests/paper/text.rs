//! Reading and printing programs.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use brownout_calculus::generate::{Random, SMALL, generate};
use brownout_calculus::parse::{Problem, parse};
use brownout_calculus::syntax::Name;

#[test]
fn what_is_printed_is_read_again() {
    for seed in 0..5000 {
        let text = generate(seed, SMALL).to_string();
        let read = parse(&text).unwrap_or_else(|error| panic!("{error}:\n{text}"));
        assert_eq!(read.to_string(), text);
    }
}

#[test]
fn what_follows_a_branch_is_lifted_into_both_sides() {
    let merged = parse("if x > 0 then { y := 1 } else { y := 2 } z := y").unwrap();
    let lifted = parse("if x > 0 then { y := 1; z := y } else { y := 2; z := y }").unwrap();
    assert_eq!(merged.to_string(), lifted.to_string());
    let without_else = parse("if x > 0 then { y := 1 }; z := y").unwrap();
    let with_skip = parse("if x > 0 then { y := 1; z := y } else { z := y }").unwrap();
    assert_eq!(without_else.to_string(), with_skip.to_string());
}

#[test]
fn mistakes_are_told_with_their_line() {
    let problem = |text: &str| {
        let error = parse(text).unwrap_err();
        (error.line, error.problem)
    };
    let a = Name::letter(b'a');
    assert_eq!(problem("x := 1;\na[0] := 1"), (2, Problem::NotAnArray(a)));
    assert_eq!(
        problem("nonvolatile a[2]; x := a"),
        (1, Problem::NotAVariable(a))
    );
    assert_eq!(
        problem("volatile a; checkpoint(a)"),
        (1, Problem::NotNonvolatile(a))
    );
    assert_eq!(problem("volatile a, a; skip"), (1, Problem::Twice(a)));
    assert_eq!(problem("x := 1 ?"), (1, Problem::Character('?')));
    assert_eq!(problem("x := 99999"), (1, Problem::TooLong));
    assert_eq!(
        problem("nonvolatile a[0]; skip"),
        (1, Problem::Expected("a length from 1 to 255"))
    );
}

/// Nothing panics, hangs or overflows, whatever the text is.
#[test]
fn any_text_is_read_or_refused() {
    const PIECES: [&str; 24] = [
        "if",
        "then",
        "else",
        "{",
        "}",
        "(",
        ")",
        "[",
        "]",
        ";",
        ",",
        ":=",
        "IN",
        "x",
        "a",
        "1",
        "+",
        "<",
        "checkpoint",
        "nonvolatile",
        "volatile",
        "skip",
        "=",
        "-",
    ];
    for seed in 0..20_000 {
        let mut random = Random::new(seed);
        let length = random.below(40);
        let pieces: Vec<_> = (0..length)
            .map(|_| PIECES[random.below(PIECES.len())])
            .collect();
        let _read_or_refused = parse(&pieces.join(" "));
    }
    for deep in [
        "(",
        "if x then {",
        "a[",
        "x := x + ",
        "if 1 then { skip } ",
        "x := 1; ",
    ] {
        let text = format!("nonvolatile a[2]; {}1", deep.repeat(100_000));
        let _read_or_refused = parse(&text);
    }
}
