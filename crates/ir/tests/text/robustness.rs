//! Parsing is total: broken text gives an error at a place in the text, never
//! a panic, and what still parses can be verified and printed.

use crate::generate::programs;
use brownout_ir::verify::verify;
use brownout_ir::*;
use proptest::prelude::*;

/// Parses and uses whatever comes out.
fn survive(text: &str) -> Result<(), TestCaseError> {
    match parse(text) {
        Ok(program) => {
            let printed = program.to_string();
            let _ = verify(&program);
            let again = parse(&printed);
            prop_assert_eq!(again.as_ref(), Ok(&program), "{}", printed);
        }
        Err(error) => {
            let line = text.split('\n').nth(error.line - 1);
            let length = line.map(|line| line.chars().count());
            prop_assert!(
                length.is_some_and(|length| error.column <= length + 1),
                "{error}"
            );
        }
    }
    Ok(())
}

/// Something to put into a text.
fn pieces() -> impl Strategy<Value = String> {
    const WORDS: &[&str] = &[
        "v0",
        "v1",
        "v4294967295",
        "v4294967296",
        "v99999999999999999999",
        "b0",
        "b7",
        "fn0",
        "fn9",
        "g0",
        "g1000000",
        "s0",
        "p0",
        "t0",
        "f0",
        "0",
        "1",
        "-1",
        "18446744073709551615",
        "340282366920938463463374607431768211455",
        "340282366920938463463374607431768211456",
        "0x",
        "0xffffffffffffffffffffffffffffffff",
        "i0",
        "i1",
        "i128",
        "i129",
        "ptr",
        "f32",
        "{",
        "}",
        "(",
        ")",
        "[",
        "]",
        ":",
        ",",
        "=",
        "@",
        "->",
        "-",
        "+",
        "*",
        ";",
        "\"",
        "\\",
        "\n",
        "add",
        "call",
        "load",
        "jump",
        "return",
        "function",
        "global",
        "hex",
        "zeros 1000000000000000",
        "at",
        "zeros 4096",
        "service",
        "switch",
        "slot",
        "é",
        "\u{0}",
        "\"\\u{d800}\"",
        "\"\\q\"",
        "type",
        "place",
        "file",
    ];
    prop_oneof![
        8 => prop::sample::select(WORDS).prop_map(|word| format!(" {word} ")),
        1 => any::<String>(),
        1 => any::<char>().prop_map(String::from),
    ]
}

/// Replaces `length` characters from `start`, taken modulo the text, with `piece`.
fn splice(text: &str, start: usize, length: usize, piece: &str) -> String {
    let characters: Vec<char> = text.chars().collect();
    let start = start % (characters.len() + 1);
    let end = (start + length).min(characters.len());
    let (before, after) = (&characters[..start], &characters[end..]);
    before
        .iter()
        .copied()
        .chain(piece.chars())
        .chain(after.iter().copied())
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, max_shrink_iters: 2000, ..ProptestConfig::default() })]

    #[test]
    fn mutated_samples(edits in prop::collection::vec((any::<usize>(), 0_usize..30, pieces()), 1..4)) {
        let mut text = include_str!("sample.ir").to_owned();
        for (start, length, piece) in edits {
            text = splice(&text, start, length, &piece);
        }
        survive(&text)?;
    }

    #[test]
    fn swapped_words(swaps in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>()), 1..4)) {
        let sample = include_str!("sample.ir");
        let mut words: Vec<&str> = sample.split(' ').collect();
        for (a, b) in swaps {
            let (a, b) = (a.index(words.len()), b.index(words.len()));
            words.swap(a, b);
        }
        survive(&words.join(" "))?;
    }

    #[test]
    fn cut_samples(end in any::<prop::sample::Index>()) {
        let characters: Vec<char> = include_str!("sample.ir").chars().collect();
        survive(&characters[..end.index(characters.len())].iter().collect::<String>())?;
    }

    #[test]
    fn nonsense(pieces in prop::collection::vec(pieces(), 0..30)) {
        survive(&pieces.concat())?;
        survive(&format!("target \"t\" pointer 16 function fn0 \"f\" () {{ b0: {}", pieces.concat()))?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, max_shrink_iters: 1000, ..ProptestConfig::default() })]

    #[test]
    fn mutated_programs(
        program in programs(),
        edits in prop::collection::vec((any::<usize>(), 0_usize..10, pieces()), 1..3),
    ) {
        let mut text = program.to_string();
        for (start, length, piece) in edits {
            text = splice(&text, start, length, &piece);
        }
        survive(&text)?;
    }
}

/// Texts and the first thing wrong with them.
#[test]
fn says_what_is_wrong_and_where() {
    const CASES: &[(&str, &str)] = &[
        ("", "1:1: expected `target`, found the end"),
        ("target", "1:7: expected a text in quotes, found the end"),
        ("target \"t", "1:8: text without closing quote"),
        ("target \"é\\q\" pointer 16", "1:10: unknown escape"),
        ("target \"\\u{110000}\" pointer 16", "1:9: unknown escape"),
        ("target \"t\" pointer 256", "1:20: number too large"),
        (
            "target \"t\" pointer -1",
            "1:20: expected a number, found `-`",
        ),
        (
            "target \"t\" pointer 0x",
            "1:20: expected a number, found `0x`",
        ),
        (
            "target \"t\" pointer 16 wibble",
            "1:23: expected a declaration such as `global` or `function`, found `wibble`",
        ),
        (
            "target \"t\" pointer 16\nfile f1 = \"a\"",
            "2:6: ids must be in order: expected `f0`, found `f1`",
        ),
        (
            "target \"t\" pointer 16\nfile f99999999999 = \"a\"",
            "2:6: number too large",
        ),
        (
            "target \"t\" pointer 16\ntype t0 = number \"n\" size 2",
            "2:11: expected a kind of type such as `signed` or `struct`, found `number`",
        ),
        (
            "target \"t\" pointer 16\nglobal g0 \"g\" size 2 align 2 = { hex 010 }",
            "2:38: expected two hexadecimal digits for each byte, found `010`",
        ),
        (
            "target \"t\" pointer 16\nglobal g0 \"g\" size 2 align 2 = { zeros 99999999999 }",
            "2:34: initialisers hold more than 67108864 zero bytes",
        ),
        (
            "target \"t\" pointer 16\nglobal g0 \"g\" size 2 align 2 = { at 0 = s1 bytes 2 }",
            "2:41: expected a global, function or block, found `s1`",
        ),
        (
            "target \"t\" pointer 16\nglobal g0 \"g\" size 2 align 2 = { 01 }",
            "2:34: expected `hex`, `zeros`, `at` or `}`, found `01`",
        ),
        (
            "target \"t\" pointer 16\nfunction fn0 \"f\" (i129)",
            "2:19: expected a type, found `i129`",
        ),
    ];
    for (text, expected) in CASES {
        assert_eq!(parse(text).unwrap_err().to_string(), *expected, "{text}");
    }
    const BODIES: &[(&str, &str)] = &[
        (
            "b1: return",
            "ids must be in order: expected `b0`, found `b1`",
        ),
        (
            "b0: return slot s0 size 1 align 1",
            "expected a block such as `b0`, found `slot`",
        ),
        (
            "b0: v0 = wibble i16 1 return",
            "expected an operation, found `wibble`",
        ),
        (
            "b0: v0 = icmp wibble i16 1, 2 return",
            "expected an integer comparison, found `wibble`",
        ),
        (
            "b0: v0 = fcmp ult f32 1, 2 return",
            "expected a floating-point comparison, found `ult`",
        ),
        (
            "b0: service wibble() return",
            "expected the name of a service, found `wibble`",
        ),
        ("b0: v0 = add i16 1 2 return", "expected `,`, found `2`"),
        (
            "b0: v0 = add i16 1, x return",
            "expected an operand, found `x`",
        ),
        ("b0: store i16 1, 2 return", "expected `to`, found `,`"),
        (
            "b0: v0 = add i16 1, 2 v0 = add i16 1, 2 return",
            "`v0` is defined twice",
        ),
        ("b0(v0: i16, v0: i16): return", "`v0` is defined twice"),
        (
            "b0: v4000000000 = add i16 1, 2 return",
            "`v0` is left out: a larger id is defined",
        ),
        (
            "b0: v0, v1 = add i16 1, 2 return",
            "the operation does not define `v1`",
        ),
        (
            "b0: v0 = store i16 1 to g0 return",
            "the operation does not define `v0`",
        ),
        (
            "b0: v0 = load i16 g0+9223372036854775808 return",
            "number too large",
        ),
        (
            "b0: v0 = load i16 g0-9223372036854775809 return",
            "number too large",
        ),
        ("b0: jump v0", "expected a block such as `b0`, found `v0`"),
        ("b0: return @x", "expected a place such as `p0`, found `x`"),
        ("b0: v0 = add i16 1, 2", "expected an operation, found `}`"),
        (
            "b0: wibblewibblewibblewibblewibblewibblewibble",
            "expected an operation, found `wibblewibblewibblewibblewibblewibblewibb…`",
        ),
    ];
    for (body, expected) in BODIES {
        let text = format!("target \"t\" pointer 16 function fn0 \"f\" () {{ {body} }}");
        assert_eq!(
            parse(&text).unwrap_err().problem.to_string(),
            *expected,
            "{body}"
        );
    }
}

#[test]
fn huge_numbers_are_only_numbers() {
    let text = "target \"t\" pointer 64\n\n\
        global g0 \"g\" size 1152921504606846976 align 2147483648 = {}\n\n\
        function fn0 \"f\" () {\n  slot s0 size 4294967295 align 1\n\
        b0:\n  store i8 0 to g4294967295-9223372036854775808\n  jump b4294967295\n}\n";
    let program = parse(text).unwrap();
    assert_eq!(program.to_string(), text);
    assert_eq!(verify(&program).unwrap_err().len(), 2);
}

#[test]
fn deep_nesting_is_an_error_not_a_crash() {
    for piece in ["{", "(", "[", "-", "\"", "\\", "@", "-> ", "i16,"] {
        let text = format!(
            "target \"t\" pointer 16 function fn0 \"f\" {}",
            piece.repeat(1 << 20)
        );
        assert!(parse(&text).is_err());
    }
}
