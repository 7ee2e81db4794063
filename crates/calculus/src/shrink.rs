//! Smaller programs that still show something.

use crate::program::Program;
use crate::state::Memory;
use crate::syntax::{Command, Expression, Form, Instruction, Names, Value};

/// A program that still has the property, and that no single simplification leaves with it.
pub fn shrink(program: &Program, has: &dyn Fn(&Program) -> bool) -> Program {
    let mut smallest = program.clone();
    while let Some(smaller) = simpler(&smallest).into_iter().find(|program| has(program)) {
        smallest = smaller;
    }
    smallest
}

/// Every program that is this one with one thing simplified.
fn simpler(program: &Program) -> Vec<Program> {
    let mut programs: Vec<Program> = commands(program.command())
        .iter()
        .map(|command| {
            Program::new(
                program.nonvolatile.clone(),
                program.volatile.clone(),
                command,
            )
        })
        .collect();
    let used = names(program.command());
    for (at, value) in program.nonvolatile.iter().chain(program.volatile.iter()) {
        let mut changed = program.clone();
        let zero = Value::Number(0);
        if !used.contains(&at.name) {
            changed.nonvolatile = without(&program.nonvolatile, &used);
            changed.volatile = without(&program.volatile, &used);
        } else if value != zero && program.volatile.contains(at) {
            changed.volatile.set(at, zero);
        } else if value != zero {
            changed.nonvolatile.set(at, zero);
        } else {
            continue;
        }
        programs.push(changed);
    }
    programs
}

fn without(memory: &Memory, used: &Names) -> Memory {
    memory.restricted(used)
}

/// All names that occur in a command.
pub fn names(command: &Command) -> Names {
    match command.form() {
        Form::Sequence(instruction, rest) => {
            let mut all = names(rest);
            match instruction {
                Instruction::Assign(name, value) => {
                    all.insert(*name);
                    all.extend(value.reads());
                }
                Instruction::AssignElement(array, index, value) => {
                    all.insert(array.name);
                    all.extend(index.reads());
                    all.extend(value.reads());
                }
                Instruction::Input(name) => {
                    all.insert(*name);
                }
                Instruction::Skip => {}
                Instruction::Checkpoint(saved) => all.extend(saved),
            }
            all
        }
        Form::Branch(condition, yes, no) => {
            let mut all = condition.reads();
            all.extend(names(yes));
            all.extend(names(no));
            all
        }
        Form::Skip | Form::Reboot(_) | Form::Goto(_) | Form::ToTask(_) => Names::new(),
    }
}

/// Every command that is this one with one thing simplified, the boldest first.
fn commands(command: &Command) -> Vec<Command> {
    match command.form() {
        Form::Skip | Form::Reboot(_) | Form::Goto(_) | Form::ToTask(_) => Vec::new(),
        Form::Sequence(instruction, rest) => {
            let mut simpler = vec![rest.clone()];
            simpler.extend(
                instructions(instruction)
                    .into_iter()
                    .map(|i| rest.clone().after(i)),
            );
            simpler.extend(
                commands(rest)
                    .into_iter()
                    .map(|rest| rest.after(instruction.clone())),
            );
            simpler
        }
        Form::Branch(condition, yes, no) => {
            let branch = |condition: &Expression, yes: &Command, no: &Command| {
                Command::new(Form::Branch(condition.clone(), yes.clone(), no.clone()))
            };
            let mut simpler = vec![yes.clone(), no.clone()];
            simpler.extend(
                expressions(condition)
                    .iter()
                    .map(|condition| branch(condition, yes, no)),
            );
            simpler.extend(commands(yes).iter().map(|yes| branch(condition, yes, no)));
            simpler.extend(commands(no).iter().map(|no| branch(condition, yes, no)));
            simpler
        }
    }
}

fn instructions(instruction: &Instruction) -> Vec<Instruction> {
    match instruction {
        Instruction::Skip | Instruction::Input(_) => Vec::new(),
        Instruction::Assign(name, value) => expressions(value)
            .into_iter()
            .map(|value| Instruction::Assign(*name, value))
            .collect(),
        Instruction::AssignElement(array, index, value) => {
            let values = expressions(value).into_iter();
            let indices = expressions(index).into_iter();
            values
                .map(|value| Instruction::AssignElement(*array, index.clone(), value))
                .chain(
                    indices.map(|index| Instruction::AssignElement(*array, index, value.clone())),
                )
                .collect()
        }
        Instruction::Checkpoint(saved) => saved
            .iter()
            .map(|name| {
                let mut fewer = saved.clone();
                fewer.remove(name);
                Instruction::Checkpoint(fewer)
            })
            .collect(),
    }
}

fn expressions(expression: &Expression) -> Vec<Expression> {
    let zero = Expression::number(0);
    match expression {
        Expression::Constant(Value::Number(0)) => Vec::new(),
        Expression::Constant(_) => vec![zero],
        Expression::Variable(_) => vec![Expression::number(1), zero],
        Expression::Element(array, index) => {
            let mut simpler = vec![zero, (**index).clone()];
            simpler.extend(
                expressions(index)
                    .into_iter()
                    .map(|index| Expression::Element(*array, Box::new(index))),
            );
            simpler
        }
        Expression::Binary(left, operator, right) => {
            let mut simpler = vec![(**left).clone(), (**right).clone()];
            simpler.extend(
                expressions(left)
                    .into_iter()
                    .map(|left| Expression::binary(left, *operator, (**right).clone())),
            );
            simpler.extend(
                expressions(right)
                    .into_iter()
                    .map(|right| Expression::binary((**left).clone(), *operator, right)),
            );
            simpler
        }
    }
}
