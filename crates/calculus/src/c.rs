//! Programs as C, for the tool.
//!
//! Non-volatile variables are globals, volatile ones locals of `main`; `IN()` is a function without a
//! body; a checkpoint is `brownout_checkpoint()`, or `brownout_checkpoint_with` what it saves. Sides of
//! branches never meet again before the end.

use std::fmt::Write;

use crate::program::Program;
use crate::state::Memory;
use crate::syntax::{Array, Command, Expression, Form, Instruction, Name, Names, Operator, Value};

/// The program as C. Checkpoints are one per line; [`checkpoint_lines`] says where.
pub fn c(program: &Program) -> String {
    let mut text = String::from("#include <brownout.h>\n\nint sense(void) BROWNOUT_INPUT;\n\n");
    text.push_str(&declarations(&program.nonvolatile, ""));
    text.push_str("\nint main(void) {\n");
    text.push_str(&declarations(&program.volatile, "    volatile "));
    command(program.command(), 1, &mut text);
    text.push_str("}\n");
    text
}

/// The line of each checkpoint in [`c`], with its point, in the order of the text.
pub fn checkpoint_lines(program: &Program) -> Vec<(usize, u32)> {
    let points = program.command().checkpoints();
    let text = c(program);
    let lines = text
        .lines()
        .enumerate()
        .filter(|(_, line)| line.trim_start().starts_with("brownout_checkpoint"))
        .map(|(number, _)| number + 1);
    lines
        .zip(points.into_iter().map(|(point, _)| point))
        .collect()
}

fn declarations(memory: &Memory, before: &str) -> String {
    let mut text = String::new();
    for name in memory.names() {
        let cells: Vec<_> = memory.iter().filter(|(at, _)| at.name == name).collect();
        let values: Vec<_> = cells
            .iter()
            .map(|(_, value)| value.number().to_string())
            .collect();
        let kind = if before.is_empty() {
            "BROWNOUT_NV "
        } else {
            before
        };
        let _infallible = match cells.first() {
            Some((at, _)) if at.index.is_some() => writeln!(
                text,
                "{kind}int {name}[{}] = {{ {} }};",
                cells.len(),
                values.join(", ")
            ),
            _ => writeln!(text, "{kind}int {name} = {};", values.join(", ")),
        };
    }
    text
}

fn command(command_here: &Command, depth: usize, text: &mut String) {
    let indent = "    ".repeat(depth);
    let _infallible = match command_here.form() {
        Form::Sequence(instruction, rest) => {
            let written = writeln!(text, "{indent}{};", statement(instruction));
            command(rest, depth, text);
            written
        }
        Form::Branch(condition, yes, no) => {
            let opened = writeln!(text, "{indent}if ({}) {{", expression(condition));
            command(yes, depth + 1, text);
            text.push_str(&indent);
            text.push_str("} else {\n");
            command(no, depth + 1, text);
            text.push_str(&indent);
            text.push_str("}\n");
            opened
        }
        Form::Skip | Form::Reboot(_) | Form::Goto(_) | Form::ToTask(_) => Ok(()),
    };
}

fn statement(instruction: &Instruction) -> String {
    match instruction {
        Instruction::Skip => String::new(),
        Instruction::Assign(name, value) => format!("{name} = {}", expression(value)),
        Instruction::AssignElement(array, index, value) => {
            format!("{} = {}", element(*array, index), expression(value))
        }
        Instruction::Input(name) => format!("{name} = sense()"),
        Instruction::Checkpoint(saved) => checkpoint(saved),
    }
}

fn checkpoint(saved: &Names) -> String {
    if saved.is_empty() {
        return "brownout_checkpoint()".to_owned();
    }
    let pair = |name: &Name| format!("&{name}, sizeof {name}");
    let pairs: Vec<_> = saved.iter().map(pair).collect();
    format!("brownout_checkpoint_with({})", pairs.join(", "))
}

fn element(array: Array, index: &Expression) -> String {
    let length = array.length;
    match index {
        Expression::Constant(value) => {
            let index = i32::from(value.number()).rem_euclid(i32::from(length));
            format!("{}[{index}]", array.name)
        }
        // A remainder that is never negative, as indices are taken here.
        Expression::Variable(_) | Expression::Binary(..) | Expression::Element(..) => {
            let index = expression(index);
            format!(
                "{}[(({index}) % {length} + {length}) % {length}]",
                array.name
            )
        }
    }
}

fn expression(expression_here: &Expression) -> String {
    match expression_here {
        Expression::Variable(name) => name.to_string(),
        Expression::Constant(Value::Number(number)) => number.to_string(),
        Expression::Constant(Value::Boolean(truth)) => u8::from(*truth).to_string(),
        Expression::Element(array, index) => element(*array, index),
        Expression::Binary(left, operator, right) => {
            let operator = match operator {
                Operator::Equal => "==".to_owned(),
                operator => operator.to_string(),
            };
            format!("({} {operator} {})", expression(left), expression(right))
        }
    }
}
