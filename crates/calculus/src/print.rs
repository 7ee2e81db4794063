//! Programs, values, observations and schedules as text. What is printed is read as the same text
//! again.

use std::fmt;

use crate::explore::Choice;
use crate::program::Program;
use crate::state::{Memory, Observation};
use crate::syntax::{Command, Expression, Form, Instruction, Names, Operator, Value};

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => write!(f, "{number}"),
            Self::Boolean(truth) => write!(f, "{truth}"),
        }
    }
}

impl fmt::Display for Operator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Add => "+",
            Self::Subtract => "-",
            Self::Multiply => "*",
            Self::Or => "|",
            Self::Less => "<",
            Self::Greater => ">",
            Self::Equal => "=",
        })
    }
}

impl fmt::Display for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Variable(name) => write!(f, "{name}"),
            Self::Constant(value) => write!(f, "{value}"),
            Self::Binary(left, operator, right) => {
                operand(left, f)?;
                write!(f, " {operator} ")?;
                operand(right, f)
            }
            Self::Element(array, index) => write!(f, "{}[{index}]", array.name),
        }
    }
}

/// A part of an operation, in parentheses if it is one itself.
fn operand(expression: &Expression, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match expression {
        Expression::Binary(..) => write!(f, "({expression})"),
        Expression::Variable(_) | Expression::Constant(_) | Expression::Element(..) => {
            write!(f, "{expression}")
        }
    }
}

/// The names of a set, separated by commas.
pub fn names(set: &Names) -> String {
    let names: Vec<_> = set.iter().map(ToString::to_string).collect();
    names.join(", ")
}

impl fmt::Display for Instruction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Assign(name, expression) => write!(f, "{name} := {expression}"),
            Self::AssignElement(array, index, expression) => {
                write!(f, "{}[{index}] := {expression}", array.name)
            }
            Self::Input(name) => write!(f, "{name} := IN()"),
            Self::Skip => f.write_str("skip"),
            Self::Checkpoint(saved) => write!(f, "checkpoint({})", names(saved)),
        }
    }
}

/// The first thing that a command does.
pub fn head(command: &Command) -> String {
    match command.form() {
        Form::Skip => "skip".to_owned(),
        Form::Sequence(instruction, _) => instruction.to_string(),
        Form::Branch(condition, ..) => format!("if {condition}"),
        Form::Reboot(duration) => format!("reboot({duration})"),
        Form::Goto(label) => format!("goto {label}"),
        Form::ToTask(task) => format!("toTask({task})"),
    }
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_command(self, 0, f)
    }
}

fn write_command(command: &Command, depth: usize, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let indent = "    ".repeat(depth);
    match command.form() {
        Form::Sequence(instruction, rest) => {
            write!(f, "{indent}{instruction}")?;
            if rest.is_skip() {
                writeln!(f)
            } else {
                writeln!(f, ";")?;
                write_command(rest, depth, f)
            }
        }
        Form::Branch(condition, yes, no) => {
            writeln!(f, "{indent}if {condition} then {{")?;
            write_command(yes, depth + 1, f)?;
            writeln!(f, "{indent}}} else {{")?;
            write_command(no, depth + 1, f)?;
            writeln!(f, "{indent}}}")
        }
        Form::Skip | Form::Reboot(_) | Form::Goto(_) | Form::ToTask(_) => {
            writeln!(f, "{indent}{}", head(command))
        }
    }
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_memory("nonvolatile", &self.nonvolatile, f)?;
        write_memory("volatile", &self.volatile, f)?;
        write!(f, "{}", self.command())
    }
}

/// The declarations of a memory.
fn write_memory(kind: &str, memory: &Memory, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    for name in memory.names() {
        let cells: Vec<_> = memory.iter().filter(|(at, _)| at.name == name).collect();
        let values: Vec<_> = cells.iter().map(|(_, value)| value.to_string()).collect();
        match cells.first() {
            Some((at, _)) if at.index.is_some() => {
                writeln!(f, "{kind} {name}[{}] = {};", cells.len(), values.join(", "))?;
            }
            _ => writeln!(f, "{kind} {name} = {};", values.join(", "))?,
        }
    }
    Ok(())
}

impl fmt::Display for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cells: Vec<_> = self
            .iter()
            .map(|(location, value)| format!("{location} ↦ {value}"))
            .collect();
        f.write_str(&cells.join(", "))
    }
}

impl fmt::Debug for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for Observation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read(location, value) => write!(f, "rd {location} {value}"),
            Self::Input(time, value) => write!(f, "in({time}) = {value}"),
            Self::Reboot => f.write_str("reboot"),
            Self::Checkpoint => f.write_str("checkpoint"),
        }
    }
}

/// Observations, separated by commas.
pub fn observations(observed: &[Observation]) -> String {
    let observed: Vec<_> = observed.iter().map(ToString::to_string).collect();
    observed.join(", ")
}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Step => f.write_str("step"),
            Self::Read(value) => write!(f, "read {value}"),
            Self::Fail => f.write_str("power fails"),
        }
    }
}
