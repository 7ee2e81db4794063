//! The paper's syntax as text.
//!
//! ```text
//! nonvolatile w = 4, x;  nonvolatile a[2] = 1, 0;  volatile t;   // zero if nothing is said
//! checkpoint(w);
//! if w > 0 then { x := w; w := 9 } else { t := IN(); a[t] := 1 };
//! x := x + 1                                                     // lifted into both sides
//! ```
//!
//! Variables that are not declared are non-volatile and zero: the paper's examples declare none.
//! Arrays have to be declared, for their length. `else` may be left out.

use std::collections::BTreeMap;
use std::fmt;

use crate::program::Program;
use crate::state::{Location, Memory};
use crate::syntax::{Array, Command, Expression, Form, Instruction, Name, Names, Operator, Value};

/// What is wrong with a text, and in which line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong.
    pub problem: Problem,
}

/// What can be wrong with a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Problem {
    /// Something else stands where this is expected.
    Expected(&'static str),
    /// No token begins like this.
    Character(char),
    /// The number or name is too long.
    TooLong,
    /// The array is not declared, or a variable has its name.
    NotAnArray(Name),
    /// The name belongs to an array.
    NotAVariable(Name),
    /// The name is declared twice.
    Twice(Name),
    /// What a checkpoint saves is volatile, or an array that is not declared.
    NotNonvolatile(Name),
    /// Expressions or branches are nested too deeply, or lifting makes the program too large.
    TooLarge,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: ", self.line)?;
        match &self.problem {
            Problem::Expected(what) => write!(f, "expected {what}"),
            Problem::Character(character) => write!(f, "unexpected `{character}`"),
            Problem::TooLong => f.write_str("the number or name is too long"),
            Problem::NotAnArray(name) => write!(f, "`{name}` is not declared as an array"),
            Problem::NotAVariable(name) => write!(f, "`{name}` is an array and needs an index"),
            Problem::Twice(name) => write!(f, "`{name}` is declared twice"),
            Problem::NotNonvolatile(name) => write!(f, "`{name}` is volatile"),
            Problem::TooLarge => f.write_str("the program is too large"),
        }
    }
}

impl std::error::Error for ParseError {}

/// Reads a program.
///
/// # Errors
/// The first thing that is wrong with the text.
pub fn parse(text: &str) -> Result<Program, ParseError> {
    let mut parser = Parser {
        tokens: tokens(text)?,
        at: 0,
        depth: 0,
        arrays: BTreeMap::new(),
        nonvolatile: Memory::default(),
        volatile: Memory::default(),
    };
    while parser.declaration()? {}
    let statements = parser.statements()?;
    if parser.peek() != &Token::End {
        return Err(parser.error(Problem::Expected("the end of the program")));
    }
    let mut size = 0;
    let command = lifted(&statements, &Command::skip(), &mut size)
        .ok_or_else(|| parser.error(Problem::TooLarge))?;
    Ok(Program::new(parser.nonvolatile, parser.volatile, &command))
}

/// The most tokens, the most commands that lifting may make, and the deepest nesting.
const LONGEST: usize = 10_000;
const LARGEST: usize = 2000;
const DEEPEST: usize = 100;

/// A statement as it is written: branches may be followed by others.
enum Statement {
    Instruction(Instruction),
    Branch(Expression, Vec<Statement>, Vec<Statement>),
}

/// Statements followed by a command, which is lifted into the sides of branches.
fn lifted(statements: &[Statement], rest: &Command, size: &mut usize) -> Option<Command> {
    let mut command = rest.clone();
    for statement in statements.iter().rev() {
        *size += 1;
        command = match statement {
            _ if *size > LARGEST => return None,
            Statement::Instruction(instruction) => command.after(instruction.clone()),
            Statement::Branch(condition, yes, no) => {
                // What follows is in both sides from here on.
                *size += length(&command);
                Command::new(Form::Branch(
                    condition.clone(),
                    lifted(yes, &command, size)?,
                    lifted(no, &command, size)?,
                ))
            }
        };
    }
    Some(command)
}

/// How many commands a command consists of.
fn length(command: &Command) -> usize {
    match command.form() {
        Form::Sequence(_, rest) => 1 + length(rest),
        Form::Branch(_, yes, no) => 1 + length(yes) + length(no),
        Form::Skip | Form::Reboot(_) | Form::Goto(_) | Form::ToTask(_) => 1,
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Token {
    Word(Name),
    Number(i16),
    Symbol(&'static str),
    End,
}

const SYMBOLS: [&str; 17] = [
    ":=", "(", ")", "[", "]", "{", "}", ";", ",", "+", "-", "*", "|", "<", ">", "==", "=",
];

fn tokens(text: &str) -> Result<Vec<(usize, Token)>, ParseError> {
    let mut tokens = Vec::new();
    for (line, text) in text.lines().enumerate() {
        let line = line + 1;
        let error = |problem| ParseError { line, problem };
        let mut rest = text.split("//").next().unwrap_or_default().trim_start();
        while let Some(first) = rest.chars().next() {
            let word: usize = rest
                .bytes()
                .take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
                .count();
            let (token, length) = if first.is_ascii_digit() {
                let number = rest[..word].parse();
                let number = number.map_err(|_| error(Problem::TooLong))?;
                (Token::Number(number), word)
            } else if word > 0 {
                let name = Name::new(&rest[..word]).ok_or_else(|| error(Problem::TooLong))?;
                (Token::Word(name), word)
            } else {
                let symbol = SYMBOLS.iter().find(|symbol| rest.starts_with(**symbol));
                let symbol = symbol.ok_or_else(|| error(Problem::Character(first)))?;
                (Token::Symbol(symbol), symbol.len())
            };
            if tokens.len() == LONGEST {
                return Err(error(Problem::TooLarge));
            }
            tokens.push((line, token));
            rest = rest[length..].trim_start();
        }
    }
    tokens.push((text.lines().count().max(1), Token::End));
    Ok(tokens)
}

struct Parser {
    tokens: Vec<(usize, Token)>,
    at: usize,
    depth: usize,
    arrays: BTreeMap<Name, u8>,
    nonvolatile: Memory,
    volatile: Memory,
}

impl Parser {
    fn peek(&self) -> &Token {
        &self.tokens[self.at].1
    }

    fn next(&mut self) -> Token {
        let token = self.peek().clone();
        if token != Token::End {
            self.at += 1;
        }
        token
    }

    fn error(&self, problem: Problem) -> ParseError {
        ParseError {
            line: self.tokens[self.at].0,
            problem,
        }
    }

    fn take(&mut self, symbol: &'static str) -> bool {
        let found = self.peek() == &Token::Symbol(symbol);
        if found {
            self.at += 1;
        }
        found
    }

    fn expect(&mut self, symbol: &'static str) -> Result<(), ParseError> {
        if self.take(symbol) {
            Ok(())
        } else {
            Err(self.error(Problem::Expected(symbol)))
        }
    }

    fn take_word(&mut self, word: &str) -> bool {
        let found = matches!(self.peek(), Token::Word(name) if Name::new(word) == Some(*name));
        if found {
            self.at += 1;
        }
        found
    }

    fn name(&mut self) -> Result<Name, ParseError> {
        match self.next() {
            Token::Word(name) => Ok(name),
            Token::Number(_) | Token::Symbol(_) | Token::End => {
                Err(self.error(Problem::Expected("a name")))
            }
        }
    }

    fn value(&mut self) -> Result<Value, ParseError> {
        if self.take_word("true") {
            return Ok(Value::Boolean(true));
        }
        if self.take_word("false") {
            return Ok(Value::Boolean(false));
        }
        let negative = self.take("-");
        match self.next() {
            Token::Number(number) => Ok(Value::Number(if negative { -number } else { number })),
            Token::Word(_) | Token::Symbol(_) | Token::End => {
                Err(self.error(Problem::Expected("a value")))
            }
        }
    }

    /// Whether there was one.
    fn declaration(&mut self) -> Result<bool, ParseError> {
        let volatile = self.take_word("volatile");
        if !volatile && !self.take_word("nonvolatile") {
            return Ok(false);
        }
        loop {
            let name = self.name()?;
            if self.nonvolatile.holds(name) || self.volatile.holds(name) {
                return Err(self.error(Problem::Twice(name)));
            }
            let mut length = None;
            if self.take("[") {
                let number = self.value()?.number();
                let in_bounds = u8::try_from(number).ok().filter(|&number| number > 0);
                length = Some(
                    in_bounds
                        .ok_or_else(|| self.error(Problem::Expected("a length from 1 to 255")))?,
                );
                self.expect("]")?;
            }
            let mut values = Vec::new();
            if self.take("=") {
                values.push(self.value()?);
                while values.len() < usize::from(length.unwrap_or(1)) && self.take(",") {
                    values.push(self.value()?);
                }
            }
            self.declare(volatile, name, length, &values);
            if !self.take(",") {
                break;
            }
        }
        self.expect(";")?;
        Ok(true)
    }

    fn declare(&mut self, volatile: bool, name: Name, length: Option<u8>, values: &[Value]) {
        let memory = if volatile {
            &mut self.volatile
        } else {
            &mut self.nonvolatile
        };
        let value = |index: u8| values.get(usize::from(index)).copied();
        let zero = Value::Number(0);
        match length {
            None => memory.set(Location::variable(name), value(0).unwrap_or(zero)),
            Some(length) => {
                self.arrays.insert(name, length);
                for index in 0..length {
                    let location = Location {
                        name,
                        index: Some(index),
                    };
                    memory.set(location, value(index).unwrap_or(zero));
                }
            }
        }
    }

    fn statements(&mut self) -> Result<Vec<Statement>, ParseError> {
        self.nested()?;
        let mut statements = Vec::new();
        loop {
            // The last statement may be followed by a semicolon as well.
            let done = matches!(self.peek(), Token::End | Token::Symbol("}"));
            if done && !statements.is_empty() {
                break;
            }
            statements.push(self.statement()?);
            let branch = matches!(statements.last(), Some(Statement::Branch(..)));
            if !self.take(";") && !branch {
                break;
            }
        }
        self.depth -= 1;
        // A lone `skip` is the end, not an instruction in front of it.
        if let [Statement::Instruction(Instruction::Skip)] = statements[..] {
            statements.clear();
        }
        Ok(statements)
    }

    fn nested(&mut self) -> Result<(), ParseError> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(self.error(Problem::TooLarge));
        }
        Ok(())
    }

    fn statement(&mut self) -> Result<Statement, ParseError> {
        if self.take_word("skip") {
            return Ok(Statement::Instruction(Instruction::Skip));
        }
        if self.take_word("checkpoint") {
            return self.checkpoint().map(Statement::Instruction);
        }
        if self.take_word("if") {
            let condition = self.expression()?;
            if !self.take_word("then") {
                return Err(self.error(Problem::Expected("then")));
            }
            let yes = self.block()?;
            let no = if self.take_word("else") {
                self.block()?
            } else {
                Vec::new()
            };
            return Ok(Statement::Branch(condition, yes, no));
        }
        let name = self.name()?;
        if self.take("[") {
            let array = self.array(name)?;
            let index = self.expression()?;
            self.expect("]")?;
            self.expect(":=")?;
            let value = self.expression()?;
            return Ok(Statement::Instruction(Instruction::AssignElement(
                array, index, value,
            )));
        }
        self.variable(name)?;
        self.expect(":=")?;
        if self.take_word("IN") {
            self.expect("(")?;
            self.expect(")")?;
            return Ok(Statement::Instruction(Instruction::Input(name)));
        }
        let value = self.expression()?;
        Ok(Statement::Instruction(Instruction::Assign(name, value)))
    }

    fn block(&mut self) -> Result<Vec<Statement>, ParseError> {
        self.expect("{")?;
        let statements = self.statements()?;
        self.expect("}")?;
        Ok(statements)
    }

    fn checkpoint(&mut self) -> Result<Instruction, ParseError> {
        let mut saved = Names::new();
        self.expect("(")?;
        while self.peek() != &Token::Symbol(")") {
            let name = self.name()?;
            if !self.arrays.contains_key(&name) {
                self.variable(name)?;
            }
            if self.volatile.holds(name) {
                return Err(self.error(Problem::NotNonvolatile(name)));
            }
            saved.insert(name);
            if !self.take(",") {
                break;
            }
        }
        self.expect(")")?;
        Ok(Instruction::Checkpoint(saved))
    }

    /// The array of this name.
    fn array(&self, name: Name) -> Result<Array, ParseError> {
        match self.arrays.get(&name) {
            Some(&length) => Ok(Array { name, length }),
            None => Err(self.error(Problem::NotAnArray(name))),
        }
    }

    /// A variable of this name is there from here on.
    fn variable(&mut self, name: Name) -> Result<(), ParseError> {
        if self.arrays.contains_key(&name) {
            return Err(self.error(Problem::NotAVariable(name)));
        }
        if !self.nonvolatile.holds(name) && !self.volatile.holds(name) {
            self.declare(false, name, None, &[]);
        }
        Ok(())
    }

    /// Operators bind from left to right and have no precedence, except that comparisons come last.
    fn expression(&mut self) -> Result<Expression, ParseError> {
        self.nested()?;
        let mut left = self.sum()?;
        while let Some(operator) = self.operator(&[
            ("<", Operator::Less),
            (">", Operator::Greater),
            ("==", Operator::Equal),
            ("=", Operator::Equal),
        ]) {
            left = Expression::binary(left, operator, self.sum()?);
        }
        self.depth -= 1;
        Ok(left)
    }

    fn sum(&mut self) -> Result<Expression, ParseError> {
        let mut left = self.primary()?;
        while let Some(operator) = self.operator(&[
            ("+", Operator::Add),
            ("-", Operator::Subtract),
            ("*", Operator::Multiply),
            ("|", Operator::Or),
        ]) {
            left = Expression::binary(left, operator, self.primary()?);
        }
        Ok(left)
    }

    fn operator(&mut self, known: &[(&'static str, Operator)]) -> Option<Operator> {
        known
            .iter()
            .find(|(symbol, _)| self.take(symbol))
            .map(|(_, operator)| *operator)
    }

    fn primary(&mut self) -> Result<Expression, ParseError> {
        if self.take("(") {
            let inner = self.expression()?;
            self.expect(")")?;
            return Ok(inner);
        }
        let truth = ["true", "false"].map(Name::new);
        match self.peek() {
            Token::Word(name) if !truth.contains(&Some(*name)) => {
                let name = self.name()?;
                if self.take("[") {
                    let array = self.array(name)?;
                    let index = self.expression()?;
                    self.expect("]")?;
                    return Ok(Expression::Element(array, Box::new(index)));
                }
                self.variable(name)?;
                Ok(Expression::Variable(name))
            }
            Token::Word(_) | Token::Number(_) | Token::Symbol(_) | Token::End => {
                Ok(Expression::Constant(self.value()?))
            }
        }
    }
}
