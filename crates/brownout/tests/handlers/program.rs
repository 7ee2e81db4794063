//! Small programs with interrupt handlers: made at random, written as C, and flattened into steps that
//! access memory at most once each.

use std::fmt::Write;

use brownout_testkit::Choices;

/// The variables: the first [`KEPT`] are non-volatile.
pub(crate) const VARIABLES: usize = 5;
/// How many variables survive power failures.
pub(crate) const KEPT: usize = 3;

/// The name of a variable in C.
pub(crate) fn name(variable: usize) -> String {
    match variable < KEPT {
        true => format!("n{variable}"),
        false => format!("v{}", variable - KEPT),
    }
}

/// When the device commits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Policy {
    Static,
    Reactive,
    #[allow(
        dead_code,
        reason = "the judge knows it; the tool is not held against it yet"
    )]
    Restart,
}

impl Policy {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Static => "static",
            Self::Reactive => "reactive",
            Self::Restart => "restart",
        }
    }
}

/// When handlers come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Coming {
    /// Anywhere while interrupts are enabled.
    Anywhere,
    /// Once per sleep, in turns.
    Asleep,
}

#[derive(Clone, Debug)]
enum Value {
    Constant(i16),
    Sum(usize, i16),
}

#[derive(Clone, Debug)]
enum Statement {
    Set(usize, Value),
    If(usize, i16, Vec<Statement>),
    Checkpoint,
    Enable,
    Disable,
    Sleep,
}

/// One step of a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Step {
    Constant(i16),
    Load(usize),
    Add(i16),
    Store(usize),
    /// Goes on there unless the value is this one.
    Unless(i16, usize),
    Checkpoint,
    Enable,
    Disable,
    Sleep,
    /// The head of the main loop.
    Head,
    Jump(usize),
    Return,
    End,
}

impl Step {
    /// Whether a handler may come right before it.
    pub(crate) fn is_interruptible(self) -> bool {
        match self {
            Self::Load(_)
            | Self::Store(_)
            | Self::Checkpoint
            | Self::Enable
            | Self::Disable
            | Self::Sleep => true,
            Self::Constant(_)
            | Self::Add(_)
            | Self::Unless(..)
            | Self::Head
            | Self::Jump(_)
            | Self::Return
            | Self::End => false,
        }
    }
}

/// A program.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    pub(crate) policy: Policy,
    pub(crate) coming: Coming,
    is_endless: bool,
    main: Vec<Statement>,
    handlers: Vec<Vec<Statement>>,
    /// All steps: first those of `main`, then those of the handlers.
    pub(crate) steps: Vec<Step>,
    /// Where the main program ends.
    pub(crate) main_end: usize,
    /// Where each handler begins.
    pub(crate) entries: Vec<usize>,
}

impl Program {
    /// The program of a list of choices.
    pub(crate) fn new(policy: Policy, coming: Coming, choices: &mut Choices) -> Self {
        let is_endless = policy == Policy::Restart && choices.chance(2);
        let mut main = Vec::new();
        if !choices.chance(8) {
            main.push(Statement::Enable);
        }
        let length = 2 + choices.below(3);
        for number in 0..length {
            if policy == Policy::Static && (number == 0 || choices.chance(3)) {
                main.push(Statement::Checkpoint);
            }
            if coming == Coming::Asleep && (number == 0 || choices.chance(3)) {
                main.push(Statement::Sleep);
            }
            if coming == Coming::Anywhere && choices.chance(5) {
                main.push(Statement::Disable);
                main.push(assignment(choices));
                main.push(statement(choices));
                main.push(Statement::Enable);
            } else {
                main.push(statement(choices));
            }
        }
        let handlers = 1 + choices.below(2);
        let handlers = (0..handlers).map(|_| {
            let length = 1 + choices.below(2);
            (0..length).map(|_| statement(choices)).collect()
        });
        let handlers: Vec<Vec<Statement>> = handlers.collect();
        let mut program = Self {
            policy,
            coming,
            is_endless,
            main,
            handlers,
            steps: Vec::new(),
            main_end: 0,
            entries: Vec::new(),
        };
        program.flatten();
        program
    }

    fn flatten(&mut self) {
        let mut steps = Vec::new();
        // What is set up before a loop is not in it.
        let set_up = usize::from(matches!(self.main.first(), Some(Statement::Enable)));
        flatten(&self.main[..set_up], &mut steps);
        let head = steps.len();
        if self.is_endless {
            steps.push(Step::Head);
        }
        flatten(&self.main[set_up..], &mut steps);
        steps.push(match self.is_endless {
            true => Step::Jump(head),
            false => Step::End,
        });
        self.main_end = steps.len();
        for handler in &self.handlers {
            self.entries.push(steps.len());
            flatten(handler, &mut steps);
            steps.push(Step::Return);
        }
        self.steps = steps;
    }

    /// The program as C.
    pub(crate) fn c(&self) -> String {
        let mut text = String::from("#include <msp430.h>\nvoid checkpoint(void);\n");
        for variable in 0..VARIABLES {
            let section = match variable < KEPT {
                true => " __attribute__((section(\".nv\")))",
                false => "",
            };
            // Writing to a string never fails.
            let _ = writeln!(text, "volatile int {}{section};", name(variable));
        }
        for (handler, number) in self.handlers.iter().zip(1..) {
            let vector = if number == 1 {
                "TIMER0_A0"
            } else {
                "TIMER1_A0"
            };
            let _ = writeln!(
                text,
                "void __attribute__((interrupt({vector}_VECTOR))) handler{number}(void) {{"
            );
            write(handler, 1, &mut text);
            if self.coming == Coming::Asleep {
                text.push_str("    __bic_SR_register_on_exit(LPM0_bits);\n");
            }
            text.push_str("}\n");
        }
        text.push_str("int main(void) {\n");
        let set_up = usize::from(matches!(self.main.first(), Some(Statement::Enable)));
        write(&self.main[..set_up], 1, &mut text);
        if self.is_endless {
            text.push_str("    while (1) {\n");
            write(&self.main[set_up..], 2, &mut text);
            text.push_str("    }\n}\n");
        } else {
            write(&self.main[set_up..], 1, &mut text);
            text.push_str("    return 0;\n}\n");
        }
        text
    }
}

fn statement(choices: &mut Choices) -> Statement {
    if choices.chance(5) {
        let variable = choices.below(VARIABLES as u64) as usize;
        return Statement::If(variable, choices.below(3) as i16, vec![assignment(choices)]);
    }
    assignment(choices)
}

fn assignment(choices: &mut Choices) -> Statement {
    // Non-volatile memory is what it is about.
    let to = match choices.chance(3) {
        true => KEPT + choices.below((VARIABLES - KEPT) as u64) as usize,
        false => choices.below(KEPT as u64) as usize,
    };
    let value = match choices.below(5) {
        0 => Value::Constant(1 + choices.below(3) as i16),
        1 | 2 => Value::Sum(to, 1),
        _ => Value::Sum(
            choices.below(VARIABLES as u64) as usize,
            choices.below(2) as i16,
        ),
    };
    Statement::Set(to, value)
}

fn flatten(statements: &[Statement], steps: &mut Vec<Step>) {
    for statement in statements {
        match statement {
            Statement::Set(to, value) => {
                match *value {
                    Value::Constant(value) => steps.push(Step::Constant(value)),
                    Value::Sum(from, more) => steps.extend([Step::Load(from), Step::Add(more)]),
                }
                steps.push(Step::Store(*to));
            }
            Statement::If(variable, value, then) => {
                steps.push(Step::Load(*variable));
                let branch = steps.len();
                steps.push(Step::End);
                flatten(then, steps);
                steps[branch] = Step::Unless(*value, steps.len());
            }
            Statement::Checkpoint => steps.push(Step::Checkpoint),
            Statement::Enable => steps.push(Step::Enable),
            Statement::Disable => steps.push(Step::Disable),
            Statement::Sleep => steps.push(Step::Sleep),
        }
    }
}

fn write(statements: &[Statement], depth: usize, text: &mut String) {
    let indent = "    ".repeat(depth);
    for statement in statements {
        let _ = match statement {
            Statement::Set(to, Value::Constant(value)) => {
                writeln!(text, "{indent}{} = {value};", name(*to))
            }
            Statement::Set(to, Value::Sum(from, more)) => {
                writeln!(text, "{indent}{} = {} + {more};", name(*to), name(*from))
            }
            Statement::If(variable, value, then) => {
                let _ = writeln!(text, "{indent}if ({} == {value}) {{", name(*variable));
                write(then, depth + 1, text);
                writeln!(text, "{indent}}}")
            }
            Statement::Checkpoint => writeln!(text, "{indent}checkpoint();"),
            Statement::Enable => writeln!(text, "{indent}__enable_interrupt();"),
            Statement::Disable => writeln!(text, "{indent}__disable_interrupt();"),
            Statement::Sleep => writeln!(text, "{indent}__bis_SR_register(LPM0_bits | GIE);"),
        };
    }
}
