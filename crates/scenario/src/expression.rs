//! What must hold, in the words of C: `alarm + ok <= 1 && cal.x > 0`.
//!
//! Integers of 64 bits that wrap, the operators of C without assignment, with C's precedence, and
//! names of variables, as far into them as needed: `cal.x`, `buf[3]`, `poll::last`. A division by
//! zero gives zero, so that evaluation is total; `&&`, `||` and comparisons give 0 or 1. Scripts
//! ([`crate::Script`]) are made of the same expressions, but a division by zero is an error there.
//!
//! **Invariant**: [`Expression::parse`] never panics, and neither its depth nor that of what it
//! gives depends on the length of the text.

/// An expression over variables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expression {
    names: Vec<String>,
    node: Node,
}

/// An expression without its names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Node {
    Number(i64),
    /// By its number among the names.
    Variable(usize),
    Unary(Unary, Box<Node>),
    Binary(Binary, Box<Node>, Box<Node>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unary {
    Not,
    Minus,
    Complement,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Binary {
    Or,
    And,
    BitOr,
    BitXor,
    BitAnd,
    Equal,
    Unequal,
    LessEqual,
    GreaterEqual,
    Less,
    Greater,
    ShiftLeft,
    ShiftRight,
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
}

/// The operators with how strongly they bind; longer ones first.
const OPERATORS: [(&str, Binary, u8); 18] = [
    ("||", Binary::Or, 1),
    ("&&", Binary::And, 2),
    ("==", Binary::Equal, 6),
    ("!=", Binary::Unequal, 6),
    ("<<", Binary::ShiftLeft, 8),
    (">>", Binary::ShiftRight, 8),
    ("<=", Binary::LessEqual, 7),
    (">=", Binary::GreaterEqual, 7),
    ("<", Binary::Less, 7),
    (">", Binary::Greater, 7),
    ("|", Binary::BitOr, 3),
    ("^", Binary::BitXor, 4),
    ("&", Binary::BitAnd, 5),
    ("+", Binary::Add, 9),
    ("-", Binary::Subtract, 9),
    ("*", Binary::Multiply, 10),
    ("/", Binary::Divide, 10),
    ("%", Binary::Remainder, 10),
];

/// How deep expressions, and the blocks of scripts, can be nested.
pub(crate) const DEPTH: u32 = 64;

/// How many operators and operands an expression can have: `1 + 1 + 1 + …` nests to the left.
const SIZE: usize = 1000;

impl Expression {
    /// Reads an expression; the error says what is wrong, as the end of a sentence about it.
    pub fn parse(text: &str) -> Result<Expression, String> {
        let mut parser = Parser::new(text, Vec::new());
        let (node, _) = parser.expression()?;
        match parser.rest() {
            "" => Ok(Expression {
                names: parser.names,
                node,
            }),
            rest => Err(format!("is not understood from `{rest}` on")),
        }
    }

    /// A number.
    pub fn number(value: i64) -> Expression {
        Expression {
            names: Vec::new(),
            node: Node::Number(value),
        }
    }

    /// Whether it is a variable and nothing else.
    pub(crate) fn is_variable(&self) -> bool {
        matches!(self.node, Node::Variable(_))
    }

    /// How many times a variable it is, if it is a variable or the product of one and a number.
    pub(crate) fn factor(&self) -> Option<i64> {
        match &self.node {
            Node::Variable(_) => Some(1),
            Node::Binary(Binary::Multiply, left, right) => match (&**left, &**right) {
                (Node::Variable(_), Node::Number(factor))
                | (Node::Number(factor), Node::Variable(_)) => Some(*factor),
                _ => None,
            },
            Node::Number(_) | Node::Unary(..) | Node::Binary(..) => None,
        }
    }

    /// The variables it mentions, each once.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Its value; `value` gives that of a variable by its number among the names.
    pub fn value(&self, value: &dyn Fn(usize) -> i64) -> i64 {
        self.node.value(value, Some(0)).unwrap_or(0)
    }
}

impl Node {
    /// Its value, where a division by zero gives `undefined`: none if that is nothing.
    pub(crate) fn value(
        &self,
        variable: &dyn Fn(usize) -> i64,
        undefined: Option<i64>,
    ) -> Option<i64> {
        Some(match self {
            Node::Number(number) => *number,
            Node::Variable(index) => variable(*index),
            Node::Unary(operator, operand) => {
                let operand = operand.value(variable, undefined)?;
                match operator {
                    Unary::Not => i64::from(operand == 0),
                    Unary::Minus => operand.wrapping_neg(),
                    Unary::Complement => !operand,
                }
            }
            Node::Binary(operator, left, right) => {
                let left = left.value(variable, undefined)?;
                let decided = match operator {
                    Binary::And => left == 0,
                    Binary::Or => left != 0,
                    _ => false,
                };
                if decided {
                    return Some(i64::from(left != 0));
                }
                let right = right.value(variable, undefined)?;
                operator.apply(left, right).or(undefined)?
            }
        })
    }
}

impl Binary {
    /// What two values give; nothing if that is not defined.
    pub(crate) fn apply(self, left: i64, right: i64) -> Option<i64> {
        Some(match self {
            Binary::Or => i64::from(left != 0 || right != 0),
            Binary::And => i64::from(left != 0 && right != 0),
            Binary::BitOr => left | right,
            Binary::BitXor => left ^ right,
            Binary::BitAnd => left & right,
            Binary::Equal => i64::from(left == right),
            Binary::Unequal => i64::from(left != right),
            Binary::LessEqual => i64::from(left <= right),
            Binary::GreaterEqual => i64::from(left >= right),
            Binary::Less => i64::from(left < right),
            Binary::Greater => i64::from(left > right),
            Binary::ShiftLeft => left.wrapping_shl(right as u32),
            Binary::ShiftRight => left.wrapping_shr(right as u32),
            Binary::Add => left.wrapping_add(right),
            Binary::Subtract => left.wrapping_sub(right),
            Binary::Multiply => left.wrapping_mul(right),
            Binary::Divide => (right != 0).then(|| left.wrapping_div(right))?,
            Binary::Remainder => (right != 0).then(|| left.wrapping_rem(right))?,
        })
    }
}

/// Reads expressions, and what else stands between them in a script.
pub(crate) struct Parser<'t> {
    rest: &'t str,
    /// The variables that were mentioned, and those that were known before.
    pub(crate) names: Vec<String>,
    /// Operators and operands of the expression that is being read.
    size: usize,
}

impl<'t> Parser<'t> {
    pub(crate) fn new(text: &'t str, names: Vec<String>) -> Self {
        Self {
            rest: text,
            names,
            size: 0,
        }
    }

    /// What was not read yet.
    pub(crate) fn rest(&mut self) -> &'t str {
        self.rest = self.rest.trim_start();
        self.rest
    }

    /// The letters and digits that come next.
    pub(crate) fn word(&mut self) -> &'t str {
        let rest = self.rest();
        let end = rest.find(|next: char| !next.is_alphanumeric() && next != '_');
        &rest[..end.unwrap_or(rest.len())]
    }

    /// Whether this comes next, which then has been read.
    pub(crate) fn take(&mut self, sign: &str) -> bool {
        let rest = self.rest().strip_prefix(sign);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    /// An expression, and how many operators and operands it has.
    pub(crate) fn expression(&mut self) -> Result<(Node, usize), String> {
        self.size = 0;
        let node = self.binary(0, DEPTH)?;
        Ok((node, self.size))
    }

    /// The number of a variable among the names.
    pub(crate) fn variable(&mut self, name: &str) -> usize {
        let known = self.names.iter().position(|known| known == name);
        known.unwrap_or_else(|| {
            self.names.push(name.to_owned());
            self.names.len() - 1
        })
    }

    /// One more operator or operand.
    fn grow(&mut self) -> Result<(), String> {
        self.size += 1;
        match self.size > SIZE {
            true => Err(format!("has more than {SIZE} operators and operands")),
            false => Ok(()),
        }
    }

    /// Operators that bind more strongly than `floor`.
    fn binary(&mut self, floor: u8, depth: u32) -> Result<Node, String> {
        let mut left = self.unary(depth)?;
        loop {
            self.rest = self.rest.trim_start();
            let found = OPERATORS
                .iter()
                .find_map(|(sign, operator, binding)| {
                    let rest = self.rest.strip_prefix(sign)?;
                    Some((rest, *operator, *binding))
                })
                .filter(|&(_, _, binding)| binding > floor);
            let Some((rest, operator, binding)) = found else {
                return Ok(left);
            };
            self.rest = rest;
            self.grow()?;
            let right = self.binary(binding, depth.saturating_sub(1))?;
            left = Node::Binary(operator, Box::new(left), Box::new(right));
        }
    }

    fn unary(&mut self, depth: u32) -> Result<Node, String> {
        if depth == 0 {
            return Err("is nested too deeply".to_owned());
        }
        self.rest = self.rest.trim_start();
        let signs = [
            ('!', Unary::Not),
            ('-', Unary::Minus),
            ('~', Unary::Complement),
        ];
        for (sign, operator) in signs {
            if let Some(rest) = self.rest.strip_prefix(sign) {
                self.rest = rest;
                self.grow()?;
                let operand = self.unary(depth - 1)?;
                return Ok(Node::Unary(operator, Box::new(operand)));
            }
        }
        if let Some(rest) = self.rest.strip_prefix('(') {
            self.rest = rest;
            let inner = self.binary(0, depth - 1)?;
            self.rest = self
                .rest
                .trim_start()
                .strip_prefix(')')
                .ok_or("lacks a `)`")?;
            return Ok(inner);
        }
        self.operand()
    }

    fn operand(&mut self) -> Result<Node, String> {
        self.grow()?;
        let is_part = |character: char| {
            character.is_alphanumeric() || matches!(character, '_' | '$' | '.' | '[' | ']' | ':')
        };
        let end = |text: &str| {
            text.find(|character| !is_part(character))
                .unwrap_or(text.len())
        };
        let mut length = end(self.rest);
        // What a pointer points to is part of the name.
        while length > 0 && self.rest[length..].starts_with("->") {
            length += 2 + end(&self.rest[length + 2..]);
        }
        let (word, rest) = self.rest.split_at(length);
        self.rest = rest;
        if word.is_empty() {
            return Err(match self.rest.chars().next() {
                Some(found) => format!("has `{found}` where a variable or a number should be"),
                None => "ends where a variable or a number should be".to_owned(),
            });
        }
        if word.starts_with(|first: char| first.is_ascii_digit()) {
            let number = match word.strip_prefix("0x").or_else(|| word.strip_prefix("0X")) {
                Some(digits) => u64::from_str_radix(digits, 16).map(|number| number as i64),
                None => word.parse(),
            };
            let number = number.map_err(|_| format!("has `{word}`, which is no number"))?;
            return Ok(Node::Number(number));
        }
        Ok(Node::Variable(self.variable(word)))
    }
}

#[cfg(test)]
mod tests {
    use super::Expression;

    fn value(text: &str) -> Result<i64, String> {
        let expression = Expression::parse(text)?;
        let names = expression.names().to_vec();
        Ok(expression.value(&|index| match names[index].as_str() {
            "one" => 1,
            "two.x[2]" => 2,
            _ => -7,
        }))
    }

    /// As a C compiler has it.
    #[test]
    fn values() {
        let cases = [
            ("1 + 2 * 3", 7),
            ("(1 + 2) * 3", 9),
            ("10 - 4 - 3", 3),
            ("one + two.x[2] <= 3", 1),
            ("one+two.x[2]<3", 0),
            ("4 | 2 ^ 3 & 2", 4),
            ("1 << 2 + 1", 8),
            ("5 & 3 == 3", 1),
            ("!one || two.x[2] > 1", 1),
            ("!!7 && -3 < ~1", 1),
            ("0x10 % 7 / 2", 1),
            ("minus", -7),
            ("1 / 0 + 5 % 0", 0),
            ("(-9223372036854775807 - 1) / -1 < 0", 1),
            ("1 == 1 == 1", 1),
        ];
        for (text, expected) in cases {
            assert_eq!(value(text), Ok(expected), "{text}");
        }
    }

    #[test]
    fn mistakes() {
        for text in ["", "1 +", "(1", "1 2", "a = 1", "1x", "* 2", "a ? 1 : 2"] {
            assert!(value(text).is_err(), "{text}");
        }
        assert!(value(&"(".repeat(100_000)).is_err());
        assert!(value(&"-".repeat(100_000)).is_err());
        assert!(value(&"1+".repeat(100_000)).is_err());
    }
}
