//! Scripts: inputs and effects that lists and formulas cannot describe.
//!
//! ```text
//! level -= 1;
//! if time > 5000 { 0 } else { level + index % 3 }
//! ```
//!
//! A script is a list of statements: `let NAME = EXPRESSION;`, an assignment (`=`, `+=`, `-=` and so
//! on for every operator of C that has one), `if … { … } else { … }`, `while … { … }`, or an
//! expression. Expressions are those of [`crate::Expression`]: integers of 64 bits that wrap, with
//! the operators of C. The value of a script is that of its last statement, where `if` has the value
//! of the branch that is taken. `//` begins a comment.
//!
//! A script sees the values of the environment as variables that it may change, and a few numbers:
//! `index` and `time` for an input (how often it was read before, and executed instructions),
//! `arg0`, `arg1`, … for an output.
//!
//! **Invariant**: a script has no state of its own, no files, no clock and no randomness, and it
//! ends: what it remembers is in the environment, which belongs to the machine. The same script
//! with the same environment does the same in every run and in every thread. Reading one is bounded
//! in depth, whatever the text.

mod parse;

use std::fmt;

use crate::expression::{Binary, Node};

/// How many operations one evaluation may take: statements, operators and operands.
const OPERATIONS: usize = 100_000;

/// A script that was understood.
#[derive(Clone, Debug)]
pub struct Script {
    /// The file it is in, or none if it stands in the configuration.
    file: Option<String>,
    text: String,
    /// The variables that it mentions: first those of the environment and the numbers that it is
    /// given, then its own.
    names: Vec<String>,
    body: Vec<Statement>,
}

/// A statement, and the line that it begins in.
#[derive(Clone, Debug)]
struct Statement {
    line: u32,
    kind: Kind,
}

#[derive(Clone, Debug)]
enum Kind {
    /// A variable gets a value, or its own combined with that.
    Assign {
        variable: usize,
        operator: Option<Binary>,
        value: Formula,
    },
    If {
        condition: Formula,
        then: Vec<Statement>,
        otherwise: Vec<Statement>,
    },
    While {
        condition: Formula,
        body: Vec<Statement>,
    },
    Value(Formula),
}

/// An expression, and how many operators and operands it has.
#[derive(Clone, Debug)]
struct Formula {
    node: Node,
    size: usize,
}

/// What is wrong with a script, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScriptError {
    /// The file, if the script is in one.
    pub file: Option<String>,
    /// The line in the script, from 1; 0 when it is not known.
    pub line: u32,
    /// What is wrong.
    pub message: String,
}

impl Script {
    /// Understands the text of a script. It may name the `values` of the environment and `locals`.
    pub fn compile<'n>(
        file: Option<&str>,
        text: &str,
        values: impl Iterator<Item = &'n str>,
        locals: &[&'n str],
    ) -> Result<Script, ScriptError> {
        let known = values.chain(locals.iter().copied()).map(str::to_owned);
        let parsed = parse::script(text, known.collect());
        let (names, body) = parsed.map_err(|(line, message)| ScriptError {
            file: file.map(str::to_owned),
            line,
            message,
        })?;
        Ok(Script {
            file: file.map(str::to_owned),
            text: text.to_owned(),
            names,
            body,
        })
    }

    /// The value of a reading.
    pub fn value(
        &self,
        names: &[String],
        values: &mut [i64],
        locals: &[(&str, i64)],
    ) -> Result<i64, ScriptError> {
        let value = self.run(names, values, locals)?;
        value.ok_or_else(|| self.failed(0, "an input needs a value, and this ends without one"))
    }

    /// Evaluates it; changes the values of the environment as it says.
    pub fn run(
        &self,
        names: &[String],
        values: &mut [i64],
        locals: &[(&str, i64)],
    ) -> Result<Option<i64>, ScriptError> {
        let environment = |name: &String| names.iter().position(|other| other == name);
        let local = |name: &String| {
            let found = locals.iter().find(|(local, _)| local == name);
            found.map_or(0, |(_, value)| *value)
        };
        let value = |name| environment(name).map_or_else(|| local(name), |index| values[index]);
        let mut execution = Execution {
            variables: self.names.iter().map(value).collect(),
            left: OPERATIONS,
        };
        let result = execution.body(&self.body);
        let result = result.map_err(|(line, message)| self.failed(line, &message))?;
        for (name, new) in self.names.iter().zip(execution.variables) {
            if let Some(index) = environment(name) {
                values[index] = new;
            }
        }
        Ok(result)
    }

    fn failed(&self, line: u32, message: &str) -> ScriptError {
        ScriptError {
            file: self.file.clone(),
            line,
            message: message.to_owned(),
        }
    }
}

/// What went wrong, and in which line.
type Failure = (u32, String);

/// A script at work.
struct Execution {
    variables: Vec<i64>,
    /// How many operations are left.
    left: usize,
}

impl Execution {
    /// Executes statements; gives the value of the last one, if it has one.
    fn body(&mut self, statements: &[Statement]) -> Result<Option<i64>, Failure> {
        let mut last = None;
        for statement in statements {
            last = self.statement(statement)?;
        }
        Ok(last)
    }

    fn statement(&mut self, statement: &Statement) -> Result<Option<i64>, Failure> {
        let line = statement.line;
        match &statement.kind {
            Kind::Value(formula) => self.value(formula, line).map(Some),
            Kind::Assign {
                variable,
                operator,
                value,
            } => {
                let value = self.value(value, line)?;
                let old = self.variables[*variable];
                self.variables[*variable] = match operator {
                    Some(operator) => operator.apply(old, value).ok_or_else(|| by_zero(line))?,
                    None => value,
                };
                Ok(None)
            }
            Kind::If {
                condition,
                then,
                otherwise,
            } => match self.value(condition, line)? {
                0 => self.body(otherwise),
                _ => self.body(then),
            },
            Kind::While { condition, body } => {
                while self.value(condition, line)? != 0 {
                    self.body(body)?;
                }
                Ok(None)
            }
        }
    }

    fn value(&mut self, formula: &Formula, line: u32) -> Result<i64, Failure> {
        let left = self.left.checked_sub(1 + formula.size);
        self.left = left.ok_or_else(|| {
            let message = format!("it does not end within {OPERATIONS} operations");
            (line, message)
        })?;
        let variables = &self.variables;
        let value = formula.node.value(&|index| variables[index], None);
        value.ok_or_else(|| by_zero(line))
    }
}

fn by_zero(line: u32) -> Failure {
    (line, "it divides by zero".to_owned())
}

impl fmt::Display for ScriptError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.file, self.line) {
            (Some(file), 0) => write!(formatter, "script {file}: ")?,
            (Some(file), line) => write!(formatter, "script {file}:{line}: ")?,
            (None, 0) => formatter.write_str("script: ")?,
            (None, line) => write!(formatter, "script, line {line}: ")?,
        }
        formatter.write_str(&self.message)
    }
}

impl std::error::Error for ScriptError {}

/// A script is its text.
impl PartialEq for Script {
    fn eq(&self, other: &Script) -> bool {
        self.file == other.file && self.text == other.text
    }
}

impl Eq for Script {}
