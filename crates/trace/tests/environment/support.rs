//! Random programs without branches, described and made ready.
//!
//! Variables are words in memory. Every operation on data is one that passes differences on, so that
//! a value depends on a reading exactly when it changes with it.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use brownout_ir::{Func, Global, Id, parse, verify::verify};
use brownout_scenario::{Config, FunctionFacts, ProgramFacts, Scenario, ValueSource};
use brownout_vm::{
    Binding, Bindings, EnvironmentPlan, Image, MemoryPlan, OutputBinding, add_start,
};
use proptest::test_runner::{
    Config as Cases, RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner,
};

pub(crate) const LONG: u64 = 1_000_000;
pub(crate) const INPUTS: usize = 3;
pub(crate) const OUTPUTS: usize = 12;
const VARIABLES: u64 = 5;

/// One statement.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Statement {
    /// A variable gets a reading.
    Read { input: u64, to: u64 },
    /// A variable gets what two others make, here or in a function.
    Mix { to: u64, a: u64, b: u64, call: bool },
    /// A variable gets the bytes of another.
    Copy { to: u64, from: u64 },
    /// A variable gets a constant.
    Set { to: u64 },
    /// What was last computed is stored again.
    Keep { to: u64 },
    /// A commit.
    Checkpoint,
    /// The next output function is called with a constant.
    Output { arg: u64 },
    /// The same with what a variable holds.
    Show { from: u64 },
}

/// A statement for each number.
pub(crate) fn statements(choices: &[u64]) -> Vec<Statement> {
    let statement = |&choice: &u64| {
        let part = |shift: u32, end: u64| (choice >> shift) % end;
        let to = part(8, VARIABLES);
        match part(0, 11) {
            0 | 1 => Statement::Read {
                input: part(16, INPUTS as u64),
                to,
            },
            2 | 3 => Statement::Mix {
                to,
                a: part(16, VARIABLES),
                b: part(24, VARIABLES),
                call: part(32, 2) == 0,
            },
            4 => Statement::Copy {
                to,
                from: part(16, VARIABLES),
            },
            5 => Statement::Set { to },
            6 => Statement::Keep { to },
            7 => Statement::Checkpoint,
            8 => Statement::Output { arg: part(16, 5) },
            9 => Statement::Show {
                from: part(16, VARIABLES),
            },
            // What makes repeating matter in non-volatile memory.
            _ => Statement::Mix {
                to,
                a: to,
                b: to,
                call: part(32, 2) == 0,
            },
        }
    };
    choices.iter().map(statement).collect()
}

fn place(variable: u64) -> String {
    match variable {
        0 => "s0".to_owned(),
        number => format!("g{}", number - 1),
    }
}

/// The text of a program. Functions: `main`, `mix`, `checkpoint`, inputs, outputs.
pub(crate) fn text(statements: &[Statement]) -> String {
    let mut body = String::from("slot s0 size 4 align 2\nb0:\n store i32 0 to s0\n");
    let mut values = 0;
    let mut last = None;
    let mut outputs = 0;
    for statement in statements {
        match *statement {
            Statement::Read { input, to } => {
                let _ = writeln!(body, " v{values} = call fn{}() -> i32", 3 + input);
                let _ = writeln!(body, " store i32 v{values} to {}", place(to));
                last = Some(values);
                values += 1;
            }
            Statement::Mix { to, a, b, call } => {
                let (x, y) = (values, values + 1);
                let _ = writeln!(body, " v{x} = load i32 {}", place(a));
                let _ = writeln!(body, " v{y} = load i32 {}", place(b));
                values += 2;
                if call {
                    let _ = writeln!(body, " v{values} = call fn1(i32 v{x}, i32 v{y}) -> i32");
                } else {
                    let _ = writeln!(body, " v{values} = mul i32 v{x}, 3");
                    let _ = writeln!(body, " v{} = mul i32 v{y}, 5", values + 1);
                    let (p, q) = (values, values + 1);
                    values += 2;
                    let _ = writeln!(body, " v{values} = xor i32 v{p}, v{q}");
                }
                let _ = writeln!(body, " store i32 v{values} to {}", place(to));
                last = Some(values);
                values += 1;
            }
            Statement::Copy { to, from } => {
                let _ = writeln!(body, " copy {} from {} length 4", place(to), place(from));
            }
            Statement::Set { to } => {
                let _ = writeln!(body, " store i32 77 to {}", place(to));
            }
            Statement::Keep { to } => {
                if let Some(value) = last {
                    let _ = writeln!(body, " store i32 v{value} to {}", place(to));
                }
            }
            Statement::Checkpoint => body.push_str(" call fn2()\n"),
            Statement::Output { arg } => {
                if outputs < OUTPUTS {
                    let _ = writeln!(body, " call fn{}(i32 {arg})", 3 + INPUTS + outputs);
                    outputs += 1;
                }
            }
            Statement::Show { from } => {
                if outputs < OUTPUTS {
                    let _ = writeln!(body, " v{values} = load i32 {}", place(from));
                    let _ = writeln!(body, " call fn{}(i32 v{values})", 3 + INPUTS + outputs);
                    values += 1;
                    outputs += 1;
                }
            }
        }
    }
    let mut text = String::from("target \"t\" pointer 16\n");
    for variable in 0..VARIABLES - 1 {
        let _ = writeln!(
            text,
            "global g{variable} \"x{variable}\" size 4 align 2 = {{ hex 00 }}"
        );
    }
    let _ = write!(
        text,
        "function fn0 \"main\" () -> i32 {{\n{body} return 0\n}}\n\
         function fn1 \"mix\" (i32, i32) -> i32 {{\nb0(v0: i32, v1: i32):\n v2 = mul i32 v0, 7\n v3 = mul i32 v1, 9\n\
         v4 = add i32 v2, 1\n v5 = xor i32 v4, v3\n return v5\n}}\nfunction fn2 \"checkpoint\" ()\n"
    );
    for input in 0..INPUTS {
        let _ = writeln!(text, "function fn{} \"in{input}\" () -> i32", 3 + input);
    }
    for output in 0..OUTPUTS {
        let number = 3 + INPUTS + output;
        let _ = writeln!(text, "function fn{number} \"out{output}\" (i32)");
    }
    text
}

/// The scenario of a configuration; all functions exist.
pub(crate) fn scenario(config: &str) -> Scenario {
    let mut names = vec!["main".to_owned(), "mix".to_owned(), "checkpoint".to_owned()];
    names.extend((0..INPUTS).map(|input| format!("in{input}")));
    names.extend((0..OUTPUTS).map(|output| format!("out{output}")));
    let functions: Vec<FunctionFacts<'_>> = names
        .iter()
        .map(|name| FunctionFacts {
            name,
            defined: name == "main" || name == "mix",
            ..FunctionFacts::default()
        })
        .collect();
    let facts = ProgramFacts {
        functions: &functions,
        ..ProgramFacts::default()
    };
    let config = Config::parse(config).unwrap_or_else(|errors| panic!("{errors:?}\n{config}"));
    Scenario::resolve(&config, &facts).unwrap_or_else(|errors| panic!("{errors:?}"))
}

/// A program bound to a scenario, with these values for its inputs and that many non-volatile
/// variables.
pub(crate) fn image(
    text: &str,
    scenario: &Scenario,
    values: Vec<ValueSource>,
    kept: usize,
) -> Image {
    let mut program = parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    if let Err(errors) = verify(&program) {
        panic!("{}\n{program}", errors[0]);
    }
    let start = add_start(&mut program, Func::from_index(0));
    let mut functions = BTreeMap::from([(Func::from_index(2), Binding::Checkpoint)]);
    for number in 0..INPUTS {
        functions.insert(Func::from_index(3 + number), Binding::Input(number as u32));
    }
    for number in 0..OUTPUTS {
        let func = Func::from_index(3 + INPUTS + number);
        functions.insert(func, Binding::Output(number as u32));
    }
    let bindings = Bindings {
        functions,
        inputs: values,
        outputs: (scenario.outputs.iter())
            .map(|output| OutputBinding {
                name: output.source.name().to_owned(),
                effect: output.effect.clone(),
                takes: output.takes.unwrap_or(0),
            })
            .collect(),
        environment: EnvironmentPlan {
            names: scenario.environment.keys().cloned().collect(),
            initial: scenario.environment.values().copied().collect(),
        },
        ..Bindings::default()
    };
    let plan = MemoryPlan {
        stack_size: Some(256),
        heap_size: Some(16),
        nonvolatile: (0..kept).map(Global::from_index).collect(),
        stack_nonvolatile: false,
        heap_nonvolatile: false,
        ..MemoryPlan::default()
    };
    Image::new(program, start, &plan, bindings).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// Runs `test` on random lists of numbers, the same ones every time.
pub(crate) fn for_lists(cases: u32, seed: u8, test: impl Fn(&[u64]) -> Result<(), String>) {
    let config = Cases {
        cases,
        failure_persistence: None,
        ..Cases::default()
    };
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[seed; 32]);
    let mut runner = TestRunner::new_with_rng(config, rng);
    let lists = proptest::collection::vec(proptest::num::u64::ANY, 1..40);
    let result = runner.run(&lists, |list| test(&list).map_err(TestCaseError::fail));
    if let Err(TestError::Fail(reason, list)) = &result {
        panic!("{reason}\n{}", text(&statements(list)));
    }
    result.expect("a verdict on every program");
}
