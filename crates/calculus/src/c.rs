//! Programs as C, for the tool.
//!
//! Non-volatile variables are annotated globals, volatile ones plain globals or locals; `IN()` is a function without a
//! body; a checkpoint is `brownout_checkpoint()`, or `brownout_checkpoint_with` what it saves. Branches
//! do not meet again before the end of the function.
//!
//! There are two forms. [`whole`] is one program with a `main`, which can be executed. [`library`] is
//! many programs in one file, a function each, for static analysis: one run of the compiler for all of
//! them. There, constants are parameters, so that an analysis which knows the values of variables has
//! nothing to know: the paper's rules do not look at values either.

use crate::program::Program;
use crate::state::Memory;
use crate::syntax::{Array, Command, Expression, Form, Instruction, Name, Names, Operator, Value};

/// How variables and constants are written.
#[derive(Clone, Copy)]
enum Spelling {
    /// As they are.
    Plain,
    /// With the number of the program; constants are parameters.
    Numbered(usize),
}

/// What every file starts with.
const HEAD: &str = "#include <brownout.h>\n\nint sense(void) BROWNOUT_INPUT;\n\n";

/// One program, with a `main`.
pub fn whole(program: &Program) -> String {
    let spelling = Spelling::Plain;
    let mut text = HEAD.to_owned();
    text.push_str(&declarations(
        spelling,
        &program.nonvolatile,
        "BROWNOUT_NV ",
    ));
    text.push_str(&declarations(spelling, &program.volatile, ""));
    text.push_str("\nint main(void) {\n");
    spelling.command(program.command(), 1, &mut text);
    text.push_str("    return 0;\n}\n");
    text
}

/// The function of a program in [`library`].
pub fn function(number: usize) -> String {
    format!("p_{number}")
}

/// Programs as functions of one file, `p_0` and so on.
pub fn library(programs: &[Program]) -> String {
    let mut text = HEAD.to_owned();
    for (number, program) in programs.iter().enumerate() {
        let spelling = Spelling::Numbered(number);
        text.push_str(&declarations(
            spelling,
            &program.nonvolatile,
            "BROWNOUT_NV ",
        ));
        text.push_str(&format!(
            "\nvoid {}(int k0, int k1, int k2, int k3) {{\n",
            function(number)
        ));
        text.push_str(&declarations(spelling, &program.volatile, "    "));
        spelling.command(program.command(), 1, &mut text);
        text.push_str("}\n\n");
    }
    text
}

/// Each checkpoint of a file, by its line, in the order of the text.
pub fn checkpoint_lines(text: &str) -> Vec<usize> {
    let lines = text.lines().enumerate();
    lines
        .filter(|(_, line)| line.trim_start().starts_with("brownout_checkpoint"))
        .map(|(number, _)| number + 1)
        .collect()
}

fn declarations(spelling: Spelling, memory: &Memory, before: &str) -> String {
    let mut text = String::new();
    for name in memory.names() {
        let cells: Vec<_> = memory.iter().filter(|(at, _)| at.name == name).collect();
        let local = before.trim().is_empty();
        let value = |value: &Value| match spelling {
            Spelling::Numbered(_) if local => "k0".to_owned(),
            Spelling::Numbered(_) | Spelling::Plain => value.number().to_string(),
        };
        let values: Vec<_> = cells.iter().map(|(_, cell)| value(cell)).collect();
        let values = values.join(", ");
        let name = spelling.name(name);
        text.push_str(&match cells.first() {
            Some((at, _)) if at.index.is_some() => {
                format!("{before}int {name}[{}] = {{ {values} }};\n", cells.len())
            }
            _ => format!("{before}int {name} = {values};\n"),
        });
    }
    text
}

impl Spelling {
    fn name(self, name: Name) -> String {
        match self {
            Self::Plain => name.to_string(),
            Self::Numbered(number) => format!("{name}_{number}"),
        }
    }

    fn number(self, number: i16) -> String {
        match self {
            Self::Plain => number.to_string(),
            Self::Numbered(_) => format!("k{}", number.rem_euclid(4)),
        }
    }

    fn command(self, command: &Command, depth: usize, text: &mut String) {
        let indent = "    ".repeat(depth);
        match command.form() {
            Form::Sequence(instruction, rest) => {
                text.push_str(&format!("{indent}{};\n", self.statement(instruction)));
                self.command(rest, depth, text);
            }
            Form::Branch(condition, yes, no) => {
                text.push_str(&format!("{indent}if ({}) {{\n", self.expression(condition)));
                self.command(yes, depth + 1, text);
                text.push_str(&format!("{indent}}} else {{\n"));
                self.command(no, depth + 1, text);
                text.push_str(&format!("{indent}}}\n"));
            }
            Form::Skip | Form::Reboot(_) | Form::Goto(_) | Form::ToTask(_) => {}
        }
    }

    fn statement(self, instruction: &Instruction) -> String {
        match instruction {
            Instruction::Skip => String::new(),
            Instruction::Assign(name, value) => {
                format!("{} = {}", self.name(*name), self.expression(value))
            }
            Instruction::AssignElement(array, index, value) => format!(
                "{} = {}",
                self.element(*array, index),
                self.expression(value)
            ),
            Instruction::Input(name) => format!("{} = sense()", self.name(*name)),
            Instruction::Checkpoint(saved) => self.checkpoint(saved),
        }
    }

    fn checkpoint(self, saved: &Names) -> String {
        if saved.is_empty() {
            return "brownout_checkpoint()".to_owned();
        }
        let pair = |name: &Name| format!("&{0}, sizeof {0}", self.name(*name));
        let pairs: Vec<_> = saved.iter().map(pair).collect();
        format!("brownout_checkpoint_with({})", pairs.join(", "))
    }

    /// An index is a remainder that is never negative.
    fn element(self, array: Array, index: &Expression) -> String {
        let (name, length, index) = (self.name(array.name), array.length, self.expression(index));
        format!("{name}[(({index}) % {length} + {length}) % {length}]")
    }

    fn expression(self, expression: &Expression) -> String {
        match expression {
            Expression::Variable(name) => self.name(*name),
            Expression::Constant(value) => self.number(value.number()),
            Expression::Element(array, index) => self.element(*array, index),
            Expression::Binary(left, operator, right) => {
                let (left, right) = (self.expression(left), self.expression(right));
                let operator = match operator {
                    Operator::Equal => "==",
                    Operator::Add => "+",
                    Operator::Subtract => "-",
                    Operator::Multiply => "*",
                    Operator::Or => "|",
                    Operator::Less => "<",
                    Operator::Greater => ">",
                };
                format!("({left} {operator} {right})")
            }
        }
    }
}
