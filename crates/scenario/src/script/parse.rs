//! Reads scripts.
//!
//! **Invariant**: never panics; depth and time are bounded, whatever the text.

use super::{Failure, Formula, Kind, Statement};
use crate::expression::{Binary, DEPTH, Parser};

/// The operators that can stand in front of the `=` of an assignment; longer ones first.
const ASSIGNMENTS: [(&str, Option<Binary>); 11] = [
    ("<<=", Some(Binary::ShiftLeft)),
    (">>=", Some(Binary::ShiftRight)),
    ("+=", Some(Binary::Add)),
    ("-=", Some(Binary::Subtract)),
    ("*=", Some(Binary::Multiply)),
    ("/=", Some(Binary::Divide)),
    ("%=", Some(Binary::Remainder)),
    ("&=", Some(Binary::BitAnd)),
    ("|=", Some(Binary::BitOr)),
    ("^=", Some(Binary::BitXor)),
    ("=", None),
];

/// How many bytes a script can have.
const LENGTH: usize = 1 << 16;

/// Words that are no names of variables.
const WORDS: [&str; 4] = ["let", "if", "else", "while"];

/// The variables of a script, the `known` ones first, and its statements.
pub(super) fn script(
    text: &str,
    known: Vec<String>,
) -> Result<(Vec<String>, Vec<Statement>), Failure> {
    if text.len() > LENGTH {
        return Err((0, format!("the script is longer than {LENGTH} bytes")));
    }
    let text = without_comments(text);
    let mut reader = Reader {
        text: &text,
        place: (0, 1),
        given: known.len(),
        parser: Parser::new(&text, known),
    };
    let body = reader.statements(DEPTH)?;
    match reader.parser.rest() {
        "" => Ok((reader.parser.names, body)),
        rest => Err(reader.failure(&format!("is not understood from `{}` on", start(rest)))),
    }
}

/// Comments become spaces, so that every character stays in its line.
fn without_comments(text: &str) -> String {
    let lines = text.lines().map(|line| match line.split_once("//") {
        Some((code, _)) => code,
        None => line,
    });
    lines.collect::<Vec<&str>>().join("\n")
}

/// The first few characters of what is not understood.
fn start(rest: &str) -> String {
    rest.chars()
        .take_while(|next| *next != '\n')
        .take(20)
        .collect()
}

/// A script that is being read.
struct Reader<'t> {
    text: &'t str,
    /// Where the parser was when somebody asked for the line last, and that line.
    place: (usize, u32),
    /// How many variables there were from the start.
    given: usize,
    parser: Parser<'t>,
}

impl Reader<'_> {
    /// The line in which the parser is, from 1.
    fn line(&mut self) -> u32 {
        let now = self.text.len() - self.parser.rest().len();
        let (before, line) = self.place;
        let lines = self.text[before..now].matches('\n').count() as u32;
        self.place = (now, line + lines);
        line + lines
    }

    fn failure(&mut self, message: &str) -> Failure {
        (self.line(), format!("the script {message}"))
    }

    fn expect(&mut self, sign: &str) -> Result<(), Failure> {
        if self.parser.take(sign) {
            return Ok(());
        }
        let message = match self.parser.rest() {
            "" => format!("ends where a `{sign}` should be"),
            rest => format!("has `{}` where a `{sign}` should be", start(rest)),
        };
        Err(self.failure(&message))
    }

    /// All statements up to the end of the text, or of a block.
    fn statements(&mut self, depth: u32) -> Result<Vec<Statement>, Failure> {
        let mut statements = Vec::new();
        loop {
            while self.parser.take(";") {}
            if matches!(self.parser.rest().chars().next(), None | Some('}')) {
                return Ok(statements);
            }
            let statement = self.statement(depth)?;
            let is_block = matches!(statement.kind, Kind::If { .. } | Kind::While { .. });
            statements.push(statement);
            let rest = self.parser.rest();
            if !is_block && !rest.is_empty() && !rest.starts_with(['}', ';']) {
                self.expect(";")?;
            }
        }
    }

    fn block(&mut self, depth: u32) -> Result<Vec<Statement>, Failure> {
        if depth == 0 {
            return Err(self.failure("is nested too deeply"));
        }
        self.expect("{")?;
        let statements = self.statements(depth - 1)?;
        self.expect("}")?;
        Ok(statements)
    }

    fn statement(&mut self, depth: u32) -> Result<Statement, Failure> {
        let line = self.line();
        let kind = match self.parser.word() {
            "if" => self.branch(depth)?,
            "while" => {
                self.parser.take("while");
                Kind::While {
                    condition: self.formula()?,
                    body: self.block(depth)?,
                }
            }
            "let" => {
                self.parser.take("let");
                let name = self.parser.word().to_owned();
                if !is_name(&name) {
                    return Err(self.failure("lacks a name after `let`"));
                }
                self.parser.take(&name);
                self.expect("=")?;
                // The new variable cannot be part of its own first value.
                let value = self.formula()?;
                let variable = self.parser.variable(&name);
                if variable < self.given {
                    let message = format!("has the variable `{name}` without `let`");
                    return Err(self.failure(&message));
                }
                Kind::Assign {
                    variable,
                    operator: None,
                    value,
                }
            }
            name => {
                let name = name.to_owned();
                self.assignment(&name)?
            }
        };
        Ok(Statement { line, kind })
    }

    /// `if`, with all that follows it.
    fn branch(&mut self, depth: u32) -> Result<Kind, Failure> {
        self.parser.take("if");
        let condition = self.formula()?;
        let then = self.block(depth)?;
        let mut otherwise = Vec::new();
        if self.parser.word() == "else" {
            self.parser.take("else");
            if self.parser.word() != "if" {
                otherwise = self.block(depth)?;
            } else if depth == 0 {
                return Err(self.failure("is nested too deeply"));
            } else {
                let line = self.line();
                let kind = self.branch(depth - 1)?;
                otherwise = vec![Statement { line, kind }];
            }
        }
        Ok(Kind::If {
            condition,
            then,
            otherwise,
        })
    }

    /// An assignment to a variable of that name, or an expression.
    fn assignment(&mut self, name: &str) -> Result<Kind, Failure> {
        let after = self.parser.rest().strip_prefix(name).unwrap_or_default();
        let after = after.trim_start();
        let sign = ASSIGNMENTS.iter().find(|(sign, _)| after.starts_with(sign));
        let Some((sign, operator)) = sign.filter(|_| is_name(name) && !after.starts_with("=="))
        else {
            return self.formula().map(Kind::Value);
        };
        let count = self.parser.names.len();
        let variable = self.parser.variable(name);
        if variable == count {
            return Err(self.unknown(name));
        }
        self.parser.take(name);
        self.parser.take(sign);
        Ok(Kind::Assign {
            variable,
            operator: *operator,
            value: self.formula()?,
        })
    }

    fn formula(&mut self) -> Result<Formula, Failure> {
        let (line, count) = (self.line(), self.parser.names.len());
        let (node, size) = self.parser.expression().map_err(|message| {
            let line = self.line();
            (line, format!("the script {message}"))
        })?;
        match self.parser.names.get(count).cloned() {
            Some(unknown) => {
                let (_, message) = self.unknown(&unknown);
                Err((line, message))
            }
            None => Ok(Formula { node, size }),
        }
    }

    fn unknown(&mut self, name: &str) -> Failure {
        let message = match WORDS.contains(&name) {
            true => format!("has `{name}` where a variable or a number should be"),
            false => format!(
                "mentions `{name}`, which is neither in `[environment]` nor a variable of the script"
            ),
        };
        self.failure(&message)
    }
}

fn is_name(word: &str) -> bool {
    let begins_well = word.starts_with(|first: char| first.is_alphabetic() || first == '_');
    let is_part = |part: char| part.is_alphanumeric() || part == '_';
    begins_well && word.chars().all(is_part) && !WORDS.contains(&word)
}
