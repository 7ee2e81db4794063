//! Scripts: inputs and effects that lists and formulas cannot describe.
//!
//! The language is Rhai. A script sees the values of the environment as variables that it may
//! change, and a few numbers: `index` and `time` for an input (how often it was read before, and
//! executed instructions), `arg0`, `arg1`, … for an output. What an input's script evaluates to is
//! the value read.
//!
//! **Invariant**: a script has no state of its own, no files, no clock and no randomness, and it
//! ends: what it remembers is in the environment, which belongs to the machine. The same script
//! with the same environment does the same in every run and in every thread.

use std::fmt;

use rhai::{AST, Dynamic, Engine, EvalAltResult, ParseError, Position, Scope};

/// Operations of the engine that one evaluation may take.
const OPERATIONS: u64 = 100_000;

/// Calls in progress at once.
const CALLS: usize = 32;

/// Nesting of expressions, outside and inside of functions.
const NESTING: usize = 64;

/// Elements of an array, letters of a text.
const SIZE: usize = 10_000;

/// A script that was understood.
pub struct Script {
    /// The file it is in, or none if it stands in the configuration.
    file: Option<String>,
    text: String,
    engine: Engine,
    syntax: AST,
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
    pub(crate) fn compile<'n>(
        file: Option<&str>,
        text: &str,
        values: impl Iterator<Item = &'n str>,
        locals: &[&'n str],
    ) -> Result<Script, ScriptError> {
        let mut engine = Engine::new();
        engine
            .set_max_operations(OPERATIONS)
            .set_max_call_levels(CALLS)
            .set_max_expr_depths(NESTING, NESTING)
            .set_max_array_size(SIZE)
            .set_max_string_size(SIZE)
            .set_strict_variables(true)
            .disable_symbol("eval")
            .on_print(|_| {})
            .on_debug(|_, _, _| {});
        let mut scope = Scope::new();
        for name in values.chain(locals.iter().copied()) {
            scope.push(name, 0i64);
        }
        let syntax = engine.compile_with_scope(&scope, text).map_err(|error| {
            let ParseError(kind, position) = &error;
            ScriptError::at(file, *position, kind.to_string())
        })?;
        Ok(Script {
            file: file.map(str::to_owned),
            text: text.to_owned(),
            engine,
            syntax,
        })
    }

    /// The value of a reading.
    pub(crate) fn value(
        &self,
        names: &[String],
        values: &mut [i64],
        locals: &[(&str, i64)],
    ) -> Result<i64, ScriptError> {
        let result = self.run(names, values, locals)?;
        let kind = result.type_name().to_owned();
        result.as_int().map_err(|_| {
            let message = format!("an input needs an integer, this gives `{kind}`");
            ScriptError::at(self.file.as_deref(), Position::NONE, message)
        })
    }

    /// Evaluates it; changes the values of the environment as it says.
    pub(crate) fn run(
        &self,
        names: &[String],
        values: &mut [i64],
        locals: &[(&str, i64)],
    ) -> Result<Dynamic, ScriptError> {
        let mut scope = Scope::new();
        for (name, value) in names.iter().zip(values.iter()) {
            scope.push(name.as_str(), *value);
        }
        for &(name, value) in locals {
            scope.push(name, value);
        }
        let result = self
            .engine
            .eval_ast_with_scope::<Dynamic>(&mut scope, &self.syntax)
            .map_err(|error| self.failed(&error))?;
        for (name, value) in names.iter().zip(values) {
            let new = scope.get_value::<Dynamic>(name).unwrap_or_default();
            *value = new.as_int().map_err(|kind| {
                let message = format!("`{name}` of the environment is an integer, not `{kind}`");
                ScriptError::at(self.file.as_deref(), Position::NONE, message)
            })?;
        }
        Ok(result)
    }

    fn failed(&self, error: &EvalAltResult) -> ScriptError {
        let message = match error.unwrap_inner() {
            EvalAltResult::ErrorTooManyOperations(_) => {
                format!("it does not end within {OPERATIONS} operations")
            }
            EvalAltResult::ErrorRuntime(thrown, _) => format!("it throws `{thrown}`"),
            other => {
                let text = other.to_string();
                // The position is told apart.
                text.split(" (line ").next().unwrap_or(&text).to_owned()
            }
        };
        ScriptError::at(self.file.as_deref(), error.position(), message)
    }
}

impl ScriptError {
    fn at(file: Option<&str>, position: Position, message: String) -> ScriptError {
        let line = position.line().unwrap_or(0);
        ScriptError {
            file: file.map(str::to_owned),
            line: u32::try_from(line).unwrap_or(0),
            message,
        }
    }
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

impl fmt::Debug for Script {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("Script").field(&self.text).finish()
    }
}
