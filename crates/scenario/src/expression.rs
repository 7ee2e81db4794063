//! What must hold, in the words of C: `alarm + ok <= 1 && cal.x > 0`.
//!
//! Integers of 64 bits that wrap, the operators of C without assignment, with C's precedence, and
//! names of variables, as far into them as needed: `cal.x`, `buf[3]`, `poll::last`. A division by
//! zero gives zero, so that evaluation is total; `&&`, `||` and comparisons give 0 or 1.
//!
//! **Invariant**: [`Expression::parse`] never panics and is bounded in depth.

/// An expression over variables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expression {
    names: Vec<String>,
    node: Node,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Node {
    Number(i64),
    /// By its number among the names.
    Variable(usize),
    Unary(Unary, Box<Node>),
    Binary(Binary, Box<Node>, Box<Node>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unary {
    Not,
    Minus,
    Complement,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Binary {
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

/// How deep expressions can be.
const DEPTH: u32 = 64;

impl Expression {
    /// Reads an expression; the error says what is wrong, as the end of a sentence about it.
    pub fn parse(text: &str) -> Result<Expression, String> {
        let mut parser = Parser {
            rest: text,
            names: Vec::new(),
        };
        let node = parser.binary(0, DEPTH)?;
        match parser.rest.trim_start() {
            "" => Ok(Expression {
                names: parser.names,
                node,
            }),
            rest => Err(format!("is not understood from `{rest}` on")),
        }
    }

    /// The variables it mentions, each once.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Its value; `value` gives that of a variable by its number among the names.
    pub fn value(&self, value: &dyn Fn(usize) -> i64) -> i64 {
        self.node.value(value)
    }
}

impl Node {
    fn value(&self, variable: &dyn Fn(usize) -> i64) -> i64 {
        match self {
            Node::Number(number) => *number,
            Node::Variable(index) => variable(*index),
            Node::Unary(operator, operand) => {
                let operand = operand.value(variable);
                match operator {
                    Unary::Not => i64::from(operand == 0),
                    Unary::Minus => operand.wrapping_neg(),
                    Unary::Complement => !operand,
                }
            }
            Node::Binary(operator, left, right) => {
                operator.apply(left.value(variable), right.value(variable))
            }
        }
    }
}

impl Binary {
    fn apply(self, left: i64, right: i64) -> i64 {
        match self {
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
            Binary::Divide => left.checked_div(right).unwrap_or(0),
            Binary::Remainder => left.checked_rem(right).unwrap_or(0),
        }
    }
}

struct Parser<'t> {
    rest: &'t str,
    names: Vec<String>,
}

impl Parser<'_> {
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
        let is_part = |character: char| {
            character.is_alphanumeric() || matches!(character, '_' | '$' | '.' | '[' | ']' | ':')
        };
        let end = self.rest.find(|character| !is_part(character));
        let (word, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
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
        let index = match self.names.iter().position(|name| name == word) {
            Some(index) => index,
            None => {
                self.names.push(word.to_owned());
                self.names.len() - 1
            }
        };
        Ok(Node::Variable(index))
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
    }
}
