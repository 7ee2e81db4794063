//! Small programs that give callbacks to a kernel without a body: made at random, and written as C.

use std::fmt::Write;

use brownout_testkit::Choices;

/// The variables: the first [`KEPT`] are non-volatile, the last one is what `main` waits for.
pub(crate) const VARIABLES: usize = 6;
/// How many variables survive power failures.
pub(crate) const KEPT: usize = 3;
/// What `main` waits for.
pub(crate) const DONE: usize = VARIABLES - 1;

/// The name of a variable in C.
pub(crate) fn name(variable: usize) -> String {
    match variable {
        DONE => "done".to_owned(),
        _ if variable < KEPT => format!("n{variable}"),
        _ => format!("v{}", variable - KEPT),
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Value {
    Constant(i16),
    Sum(usize, i16),
}

/// `to = value;`, or the same if a variable has a value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Statement {
    pub(crate) only_if: Option<(usize, i16)>,
    pub(crate) to: usize,
    pub(crate) value: Value,
}

/// How a callback gets to the kernel.
#[derive(Clone, Copy, Debug)]
enum Way {
    Directly,
    Parameter,
    Variable,
    Structure,
    Table,
}

/// A program.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    pub(crate) set_up: Vec<Statement>,
    /// What the main loop does in each round, after it has waited.
    pub(crate) round: Vec<Statement>,
    pub(crate) callbacks: Vec<Vec<Statement>>,
    ways: Vec<Way>,
    /// Whether the main loop waits for the first callback in each round.
    pub(crate) waits: bool,
}

impl Program {
    /// The program of a list of choices.
    pub(crate) fn new(choices: &mut Choices) -> Self {
        let waits = choices.chance(3);
        let some = |choices: &mut Choices, least: u64, more: u64| -> Vec<Statement> {
            let length = least + choices.below(more);
            (0..length).map(|_| statement(choices)).collect()
        };
        let set_up = some(choices, 0, 2);
        let round = some(choices, 0, 3);
        let count = 1 + choices.below(2);
        let mut callbacks: Vec<Vec<Statement>> = (0..count).map(|_| some(choices, 1, 3)).collect();
        if waits {
            let done = Statement {
                only_if: None,
                to: DONE,
                value: Value::Constant(1),
            };
            callbacks[0].push(done);
        }
        let ways = callbacks.iter().map(|_| match choices.below(5) {
            0 => Way::Directly,
            1 => Way::Parameter,
            2 => Way::Variable,
            3 => Way::Structure,
            _ => Way::Table,
        });
        let ways = ways.collect();
        Self {
            set_up,
            round,
            callbacks,
            ways,
            waits,
        }
    }

    /// The program as C.
    pub(crate) fn c(&self) -> String {
        let mut text = String::from(
            "struct timer {\n    int period;\n    void (*call)(void);\n};\n\
             void kernel_call(void (*callback)(void));\nvoid kernel_start(const struct timer *timer);\nvoid kernel_wait(void);\n",
        );
        for variable in 0..VARIABLES {
            let section = match variable < KEPT {
                true => " __attribute__((section(\".nv\")))",
                false => "",
            };
            // Writing to a string never fails.
            let _ = writeln!(text, "volatile int {}{section};", name(variable));
        }
        for (number, callback) in self.callbacks.iter().enumerate() {
            let _ = writeln!(text, "static void callback{number}(void) {{");
            write(callback, 1, &mut text);
            text.push_str("}\n");
        }
        for (number, way) in self.ways.iter().enumerate() {
            text.push_str(&helper(number, *way));
        }
        text.push_str("int main(void) {\n");
        write(&self.set_up, 1, &mut text);
        for (number, way) in self.ways.iter().enumerate() {
            let _ = match way {
                Way::Directly => writeln!(text, "    kernel_call(callback{number});"),
                Way::Parameter | Way::Variable => {
                    writeln!(text, "    give{number}(callback{number});")
                }
                Way::Structure => {
                    writeln!(text, "    give{number}(&timer{number}, callback{number});")
                }
                Way::Table => writeln!(text, "    give{number}(timers{number}, 2);"),
            };
        }
        text.push_str("    for (;;) {\n");
        match self.waits {
            true => text
                .push_str("        done = 0;\n        while (!done)\n            kernel_wait();\n"),
            false => text.push_str("        kernel_wait();\n"),
        }
        write(&self.round, 2, &mut text);
        text.push_str("    }\n}\n");
        text
    }
}

/// What gives a callback away.
fn helper(number: usize, way: Way) -> String {
    match way {
        Way::Directly => String::new(),
        Way::Parameter => format!(
            "static void give{number}(void (*callback)(void)) {{ kernel_call(callback); }}\n"
        ),
        Way::Variable => format!(
            "static void (*kept{number})(void);\nstatic void give{number}(void (*callback)(void)) {{\n    kept{number} = callback;\n    kernel_call(kept{number});\n}}\n"
        ),
        Way::Structure => format!(
            "static struct timer timer{number};\nstatic void give{number}(struct timer *timer, void (*callback)(void)) {{\n    timer->period = 10;\n    timer->call = callback;\n    kernel_start(timer);\n}}\n"
        ),
        Way::Table => format!(
            "static const struct timer timers{number}[] = {{{{1, 0}}, {{10, callback{number}}}}};\nstatic void give{number}(const struct timer *timers, int count) {{\n    for (int i = 0; i < count; i++)\n        if (timers[i].call)\n            kernel_start(&timers[i]);\n}}\n"
        ),
    }
}

fn statement(choices: &mut Choices) -> Statement {
    let variable = |choices: &mut Choices| choices.below(DONE as u64) as usize;
    // Non-volatile memory is what it is about.
    let to = match choices.chance(3) {
        true => KEPT + choices.below((DONE - KEPT) as u64) as usize,
        false => choices.below(KEPT as u64) as usize,
    };
    let value = match choices.below(5) {
        0 => Value::Constant(1 + choices.below(3) as i16),
        1 | 2 => Value::Sum(to, 1),
        _ => Value::Sum(variable(choices), choices.below(2) as i16),
    };
    let only_if = choices
        .chance(5)
        .then(|| (variable(choices), choices.below(3) as i16));
    Statement { only_if, to, value }
}

fn write(statements: &[Statement], depth: usize, text: &mut String) {
    let indent = "    ".repeat(depth);
    for statement in statements {
        text.push_str(&indent);
        if let Some((variable, value)) = statement.only_if {
            let _ = write!(text, "if ({} == {value}) ", name(variable));
        }
        let to = name(statement.to);
        let _ = match statement.value {
            Value::Constant(value) => writeln!(text, "{to} = {value};"),
            Value::Sum(from, more) => writeln!(text, "{to} = {} + {more};", name(from)),
        };
    }
}
