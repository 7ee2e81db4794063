//! What is done with texts that anybody can hand to the tool.
//!
//! Each [`Target`] reads one kind of text, and asserts what holds for every text: reading it does not
//! panic, and what was read can be written and read again, or evaluated, with the same result. Two
//! things call them: `fuzz/` with libFuzzer, for as long as one likes (`cargo fuzz run ir-text`, with
//! a nightly compiler), and `tests/short.rs` with a fixed sequence of damaged texts, for a second
//! each, on every test run.
//!
//! **Invariant**: a target knows nothing of who calls it; the same text has the same result.

use brownout_diag::ReplayId;
use brownout_ir::verify::verify;
use brownout_scenario::{
    Config, Expression, FunctionFacts, GlobalFacts, ProgramFacts, Reading, Scenario, Script,
    Surroundings,
};

/// One kind of text.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// What it is called, here and under `fuzz/fuzz_targets`.
    pub name: &'static str,
    /// Reads a text and asserts what holds for all of them; whether the text was accepted.
    pub exercise: fn(&[u8]) -> bool,
    /// Texts that are accepted.
    pub seeds: &'static [&'static str],
    /// Pieces that keep damaged texts near the grammar.
    pub pieces: &'static [&'static str],
}

/// All kinds of text.
pub const TARGETS: &[Target] = &[
    Target {
        name: "ir-text",
        exercise: ir_text,
        seeds: &[include_str!("../../ir/tests/text/sample.ir")],
        pieces: &[
            "v0",
            "b1",
            "fn0",
            "g0",
            "s0",
            "i1",
            "i128",
            "ptr",
            "-1",
            "0x",
            "{",
            "}",
            "(",
            ")",
            "load i32 ",
            "store i32 ",
            "call ",
            "return",
            "branch ",
            "\"",
            "\n",
            "#",
        ],
    },
    Target {
        name: "config",
        exercise: config,
        seeds: &[include_str!("../../scenario/tests/full.toml")],
        pieces: &[
            "[",
            "]",
            "[[input]]",
            "[power]",
            "=",
            "\"",
            "'",
            "\n",
            "0x",
            "-1",
            "1e400",
            "nan",
            "range = [9, 0]",
            "true",
            "{",
            "}",
            "script = '1 +'",
            "effect = 'a += argh'",
            "*",
        ],
    },
    Target {
        name: "replay-id",
        exercise: replay_id,
        seeds: &[
            "c3:f41",
            "c3:f41:x2:b2:r",
            "c3:f41:f9:v40/30/20",
            "i120:f8:v40,41x3+3@7/+3@8",
            "c1:f6:x2:f9:v51//7/3",
        ],
        pieces: &[
            "c",
            "i",
            ":",
            "f",
            "x",
            "b",
            "r",
            "v",
            "/",
            ",",
            "@",
            "+",
            "0",
            "18446744073709551615",
            "-",
        ],
    },
    Target {
        name: "trace",
        exercise: trace,
        seeds: &[
            "1\n2\n-3\n",
            "time,value\n5,1\n9,0x2\n",
            "index,a,value\n0,1,7\n3,2,8\n",
            "# x\na,b\n1,2\n3\n",
        ],
        pieces: &[
            ",",
            "\n",
            "time",
            "index",
            "value",
            "#",
            "0x",
            "-",
            "99999999999999999999",
            "\u{feff}",
        ],
    },
    Target {
        name: "script",
        exercise: script,
        seeds: &[
            "level -= 1; if time > 5000 { 0 } else { level + index % 3 }",
            "let n = 5; let f = 1; while n > 1 { f *= n; n -= 1; } f // factorial",
            "if level == 0 || heat > 10 { level = index } else if 1 { heat <<= 2 }",
            "(heat + level) * 3 <= ~index && !(time % 7)",
        ],
        pieces: &[
            "let ",
            "if ",
            "else ",
            "while ",
            "{",
            "}",
            "(",
            ")",
            ";",
            "=",
            "+=",
            "/ 0",
            "heat",
            "level",
            "x",
            "0x",
            "-",
            "!",
            "9223372036854775807",
            "//",
            "\n",
            "<<",
            "%",
        ],
    },
];

/// The target of a name.
pub fn target(name: &str) -> Option<&'static Target> {
    TARGETS.iter().find(|target| target.name == name)
}

/// Programs as text: how untrusted bitcode comes from the child process.
fn ir_text(data: &[u8]) -> bool {
    let Ok(text) = str::from_utf8(data) else {
        return false;
    };
    let Ok(program) = brownout_ir::parse(text) else {
        return false;
    };
    let _ = verify(&program);
    let printed = program.to_string();
    assert_eq!(
        brownout_ir::parse(&printed).as_ref(),
        Ok(&program),
        "{printed}"
    );
    true
}

/// A program for configurations to speak of.
fn resolve(config: &Config) -> Option<Scenario> {
    let functions = ["main", "read_temp", "valve", "checkpoint"].map(|name| FunctionFacts {
        name,
        defined: name == "main",
        ..FunctionFacts::default()
    });
    let globals = [GlobalFacts {
        name: "count",
        ..GlobalFacts::default()
    }];
    let facts = ProgramFacts {
        functions: &functions,
        globals: &globals,
        addresses: &[],
        is_library: false,
    };
    let errors = match Scenario::resolve(config, &facts) {
        Ok(scenario) => return Some(scenario),
        Err(errors) => errors,
    };
    assert!(!errors.is_empty());
    errors.iter().for_each(|error| drop(error.to_string()));
    None
}

/// `brownout.toml`, and `--set`.
fn config(data: &[u8]) -> bool {
    let Ok(text) = str::from_utf8(data) else {
        return false;
    };
    let _ = Config::default().set(text);
    match Config::parse(text) {
        Ok(config) => {
            let _ = config.energy();
            resolve(&config);
            true
        }
        Err(errors) => {
            assert!(!errors.is_empty());
            errors.iter().for_each(|error| drop(error.to_string()));
            false
        }
    }
}

/// What `brownout replay` is given.
fn replay_id(data: &[u8]) -> bool {
    let Ok(text) = str::from_utf8(data) else {
        return false;
    };
    let Ok(id) = text.parse::<ReplayId>() else {
        return false;
    };
    let printed = id.to_string();
    assert_eq!(printed.parse::<ReplayId>().as_ref(), Ok(&id), "{printed}");
    true
}

/// Recordings: CSV files.
fn trace(data: &[u8]) -> bool {
    let Ok(text) = str::from_utf8(data) else {
        return false;
    };
    let _ = brownout_scenario::columns(text);
    let config = "[[input]]\nfunction = 'read_temp'\ntrace = 't.csv'";
    let Ok(mut config) = Config::parse(config) else {
        return false;
    };
    if config.supply("t.csv", text).is_err() {
        return false;
    }
    let Some(scenario) = resolve(&config) else {
        return false;
    };
    for input in &scenario.inputs {
        for index in [0, 1, 5, u64::MAX] {
            let reading = Reading {
                index,
                time: index,
                bits: 16,
            };
            let mut nothing = Surroundings {
                names: &[],
                values: &mut [],
            };
            let _ = input.values.value(reading, &mut nothing);
        }
    }
    true
}

/// Scripts of inputs and outputs, and the expressions of invariants.
fn script(data: &[u8]) -> bool {
    let Ok(text) = str::from_utf8(data) else {
        return false;
    };
    if let Ok(expression) = Expression::parse(text) {
        expression.value(&|index| index as i64 - 1);
    }
    let names = ["heat", "level"];
    let locals = ["index", "time"];
    let Ok(script) = Script::compile(None, text, names.into_iter(), &locals) else {
        return false;
    };
    let names = names.map(str::to_owned);
    let run = || {
        let mut values = [10, 3];
        let result = script.run(&names, &mut values, &[("index", 2), ("time", 6000)]);
        (result, values)
    };
    assert_eq!(run(), run());
    true
}
