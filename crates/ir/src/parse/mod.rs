//! Text to program: the inverse of printing (see `print` for what the text
//! looks like).
//!
//! Parsing is total: any text gives a program or an error, in time and memory
//! linear in the text. Ids of files, places, types, globals, functions, blocks
//! and slots appear in order from zero; values in any order, each defined once
//! and none left out. References may point forward. Whether they point at
//! something, and everything else about meaning, is the verifier's business.

mod body;
mod lexer;
mod tokens;

use std::error::Error;
use std::fmt;

use crate::entity::Arena;
use crate::program::*;
use crate::source::{Field, PlaceData, SourceType, TypeKind};
use crate::types::Target;
use crate::verify::MAX_INITIALIZER_BYTES;
use tokens::Parser;

/// Reads a program.
///
/// # Errors
///
/// When `text` is not a program; the first place where it is not.
pub fn parse(text: &str) -> Result<Program, ParseError> {
    let mut parser = Parser::new(text);
    parser.program().map_err(|failure| {
        let before = text.get(..failure.at).unwrap_or(text);
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        ParseError {
            line: before.bytes().filter(|byte| *byte == b'\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
            problem: failure.problem,
        }
    })
}

/// Where and why a text is not a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseError {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// What is wrong there.
    pub problem: ParseProblem,
}

/// Why a text is not a program.
#[derive(Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the variant documents its fields")]
pub enum ParseProblem {
    /// Something else belongs there; `found` is cut short if it is long.
    Expected {
        expected: &'static str,
        found: String,
    },
    /// A number is larger than what it stands for can be.
    NumberTooLarge,
    /// A text has no closing quote.
    UnclosedText,
    /// A backslash is not followed by something we know.
    UnknownEscape,
    /// Ids must be defined in order from zero.
    OutOfOrder {
        prefix: &'static str,
        expected: usize,
        found: usize,
    },
    /// A value is defined a second time.
    DefinedTwice(Value),
    /// A function defines values with larger ids but not this one.
    NeverDefined(Value),
    /// The operation does not give this value a type and the text does not either.
    NoType(Value),
    /// The runs of zeros in the initialisers add up to too much memory.
    TooManyZeros,
}

impl Error for ParseError {}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.problem)
    }
}

impl fmt::Display for ParseProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Expected { expected, found } if is_keyword(expected) => {
                write!(f, "expected `{expected}`, found {found}")
            }
            Self::Expected { expected, found } => write!(f, "expected {expected}, found {found}"),
            Self::NumberTooLarge => f.write_str("number too large"),
            Self::UnclosedText => f.write_str("text without closing quote"),
            Self::UnknownEscape => f.write_str("unknown escape"),
            Self::OutOfOrder {
                prefix,
                expected,
                found,
            } => write!(
                f,
                "ids must be in order: expected `{prefix}{expected}`, found `{prefix}{found}`"
            ),
            Self::DefinedTwice(value) => write!(f, "`{value}` is defined twice"),
            Self::NeverDefined(value) => {
                write!(f, "`{value}` is left out: a larger id is defined")
            }
            Self::NoType(value) => write!(f, "the operation does not define `{value}`"),
            Self::TooManyZeros => write!(
                f,
                "initialisers hold more than {MAX_INITIALIZER_BYTES} zero bytes"
            ),
        }
    }
}

fn is_keyword(expected: &str) -> bool {
    expected.bytes().all(|byte| byte.is_ascii_lowercase())
}

/// What is wrong at which byte.
struct Failure {
    at: usize,
    problem: ParseProblem,
}

type Parsed<T> = Result<T, Failure>;

impl Parser<'_> {
    fn program(&mut self) -> Parsed<Program> {
        self.keyword("target")?;
        let name = self.text()?;
        self.keyword("pointer")?;
        let pointer_bits = self.number()?;
        let mut program = Program::new(Target { name, pointer_bits });
        while !self.at_end() {
            self.item(&mut program)?;
        }
        Ok(program)
    }

    fn item(&mut self, program: &mut Program) -> Parsed<()> {
        let source = &mut program.source;
        match self.word() {
            "file" => {
                self.bump();
                self.next_id(&source.files)?;
                self.mark('=')?;
                source.files.push(self.text()?);
            }
            "place" => {
                self.bump();
                self.next_id(&source.places)?;
                self.mark('=')?;
                source.places.push(self.place_data()?);
            }
            "type" => {
                self.bump();
                self.next_id(&source.types)?;
                self.mark('=')?;
                source.types.push(self.source_type()?);
            }
            "global" => {
                self.bump();
                self.next_id(&program.globals)?;
                program.globals.push(self.global()?);
            }
            "function" => {
                self.bump();
                self.next_id(&program.functions)?;
                program.functions.push(self.function(&program.target)?);
            }
            "constructors" => {
                self.bump();
                self.list(&mut program.constructors, Self::id)?;
            }
            "destructors" => {
                self.bump();
                self.list(&mut program.destructors, Self::id)?;
            }
            "undefined" => {
                self.bump();
                program.undefined_values = self.number()?;
            }
            _ => return Err(self.expected("a declaration such as `global` or `function`")),
        }
        Ok(())
    }

    fn place_data(&mut self) -> Parsed<PlaceData> {
        let file = self.id()?;
        self.mark(':')?;
        let line = self.number()?;
        self.mark(':')?;
        let column = self.number()?;
        let function = self.text()?;
        let inlined_at = self.after("inlined", Self::id)?;
        Ok(PlaceData {
            file,
            line,
            column,
            function,
            inlined_at,
        })
    }

    fn source_type(&mut self) -> Parsed<SourceType> {
        let at = self.at();
        let kind = self.word();
        self.bump();
        let name = self.text()?;
        self.keyword("size")?;
        let size = self.number()?;
        let kind = match kind {
            "unsigned" => TypeKind::Unsigned,
            "signed" => TypeKind::Signed,
            "char" => TypeKind::Char,
            "bool" => TypeKind::Bool,
            "float" => TypeKind::Float,
            "pointer" => TypeKind::Pointer(self.after("to", Self::id)?),
            "opaque" => TypeKind::Opaque,
            "struct" => TypeKind::Struct(self.enclosed('{', '}', Self::field)?),
            "union" => TypeKind::Union(self.enclosed('{', '}', Self::field)?),
            "enum" => TypeKind::Enum(self.enclosed('{', '}', |parser| {
                let name = parser.text()?;
                parser.mark('=')?;
                Ok((name, parser.signed()?))
            })?),
            "array" => {
                self.keyword("of")?;
                let element = self.id()?;
                self.keyword("count")?;
                let count = self.number()?;
                TypeKind::Array { element, count }
            }
            _ => {
                return Err(Failure {
                    at,
                    problem: ParseProblem::Expected {
                        expected: "a kind of type such as `signed` or `struct`",
                        found: tokens::quote(kind),
                    },
                });
            }
        };
        Ok(SourceType { name, size, kind })
    }

    fn field(&mut self) -> Parsed<Field> {
        let name = self.text()?;
        self.mark(':')?;
        let ty = self.id()?;
        self.keyword("at")?;
        let bit_offset = self.number()?;
        let bit_size = self.after("bits", Self::number)?;
        Ok(Field {
            name,
            ty,
            bit_offset,
            bit_size,
        })
    }

    fn global(&mut self) -> Parsed<GlobalData> {
        let name = self.text()?;
        self.keyword("size")?;
        let size = self.number()?;
        self.keyword("align")?;
        let mut global = GlobalData {
            name,
            size,
            align: self.number()?,
            section: None,
            constant: false,
            exported: false,
            origin: Origin::User,
            variable: None,
            ty: None,
            place: None,
            annotations: Vec::new(),
            init: None,
        };
        loop {
            if self.accept("section") {
                global.section = Some(self.text()?);
            } else if self.accept("constant") {
                global.constant = true;
            } else if self.accept("exported") {
                global.exported = true;
            } else if self.accept("library") {
                global.origin = Origin::Library;
            } else if self.accept("variable") {
                global.variable = Some(self.text()?);
            } else if self.accept("typed") {
                global.ty = Some(self.id()?);
            } else if self.accept("annotate") {
                global.annotations.push(self.text()?);
            } else {
                break;
            }
        }
        global.place = self.place()?;
        if self.accept_mark('=') {
            global.init = Some(self.initializer()?);
        }
        Ok(global)
    }

    fn initializer(&mut self) -> Parsed<Initializer> {
        let mut init = Initializer::default();
        self.mark('{')?;
        while !self.accept_mark('}') {
            if self.accept("hex") {
                self.hex(&mut init.bytes)?;
            } else if self.is_word("zeros") {
                let failure = self.failure(ParseProblem::TooManyZeros);
                self.bump();
                let count = self.number()?;
                self.zeros = self.zeros.saturating_add(count);
                if self.zeros > MAX_INITIALIZER_BYTES {
                    return Err(failure);
                }
                init.bytes.resize(init.bytes.len() + count, 0);
            } else if self.accept("at") {
                init.relocations.push(self.relocation()?);
            } else {
                return Err(self.expected("`hex`, `zeros`, `at` or `}`"));
            }
        }
        Ok(init)
    }

    fn hex(&mut self, bytes: &mut Vec<u8>) -> Parsed<()> {
        let digit = |byte: u8| (byte as char).to_digit(16);
        loop {
            let word = self.word();
            if word.is_empty() || !word.bytes().all(|byte| byte.is_ascii_hexdigit()) {
                return Ok(());
            }
            for pair in word.as_bytes().chunks(2) {
                match *pair {
                    [high, low] => match (digit(high), digit(low)) {
                        (Some(high), Some(low)) => bytes.push((high << 4 | low) as u8),
                        _ => return Err(self.expected("bytes")),
                    },
                    _ => return Err(self.expected("two hexadecimal digits for each byte")),
                }
            }
            self.bump();
        }
    }

    fn relocation(&mut self) -> Parsed<Relocation> {
        let offset = self.number()?;
        self.mark('=')?;
        let symbol = self.symbol()?;
        let minus = self.after("minus", Self::symbol)?;
        let addend = self.offset()?;
        self.keyword("bytes")?;
        let bytes = self.number()?;
        Ok(Relocation {
            offset,
            bytes,
            symbol,
            minus,
            addend,
        })
    }

    fn symbol(&mut self) -> Parsed<Symbol> {
        if self.is_id::<Global>() {
            return Ok(Symbol::Global(self.id()?));
        }
        if !self.is_id::<Func>() {
            return Err(self.expected("a global, function or block"));
        }
        let function = self.id()?;
        if self.accept_mark(':') {
            return Ok(Symbol::Block(function, self.id()?));
        }
        Ok(Symbol::Func(function))
    }

    fn function(&mut self, target: &Target) -> Parsed<Function> {
        let name = self.text()?;
        let mut function = Function {
            name,
            params: Vec::new(),
            results: Vec::new(),
            variadic: false,
            signed: Vec::new(),
            prototype: None,
            exported: false,
            origin: Origin::User,
            annotations: Vec::new(),
            place: None,
            body: None,
        };
        self.mark('(')?;
        if !self.accept_mark(')') {
            self.list(&mut function.params, Self::ty)?;
            self.mark(')')?;
        }
        function.results = self.results()?;
        loop {
            if self.accept("variadic") {
                function.variadic = true;
            } else if self.accept("signed") {
                self.mark('(')?;
                self.list(&mut function.signed, Self::number)?;
                self.mark(')')?;
            } else if self.accept("prototype") {
                function.prototype = Some(self.text()?);
            } else if self.accept("exported") {
                function.exported = true;
            } else if self.accept("library") {
                function.origin = Origin::Library;
            } else if self.accept("annotate") {
                function.annotations.push(self.text()?);
            } else {
                break;
            }
        }
        function.place = self.place()?;
        if self.accept_mark('{') {
            function.body = Some(self.body(target)?);
        }
        Ok(function)
    }

    /// The id that is due next in `arena`.
    fn next_id<I: crate::Id, T>(&mut self, arena: &Arena<I, T>) -> Parsed<()> {
        let at = self.at();
        let found = self.id::<I>()?.index();
        if found == arena.len() {
            return Ok(());
        }
        Err(Failure {
            at,
            problem: ParseProblem::OutOfOrder {
                prefix: I::PREFIX,
                expected: arena.len(),
                found,
            },
        })
    }
}
