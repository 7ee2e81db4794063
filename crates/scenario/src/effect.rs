//! How an output changes the environment: `angle += arg0` (semantics §3.4).
//!
//! Grammar: changes separated by `;`, each `NAME OPERATOR OPERAND`, where the operator is one of
//! `=`, `+=`, `-=`, `*=`, `&=`, `|=`, `^=`, and the operand is `argN`, an integer or a name of the
//! environment. For a register, `arg0` is the value written. What that cannot say, a script does.
//!
//! **Invariant**: applying a change is total; arithmetic wraps at 64 bits.

use std::sync::Arc;

use crate::script::{Script, ScriptError};
use crate::values::Surroundings;

/// What an output does to the environment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// These changes, one after the other.
    Changes(Vec<Change>),
    /// What a script says.
    Script(Arc<Script>),
}

impl Default for Effect {
    fn default() -> Effect {
        Effect::Changes(Vec::new())
    }
}

impl Effect {
    /// Changes the surroundings as an output with these arguments does.
    pub fn apply(
        &self,
        arguments: &[i64],
        surroundings: &mut Surroundings<'_>,
    ) -> Result<(), ScriptError> {
        let Surroundings { names, values } = surroundings;
        match self {
            Effect::Changes(changes) => {
                let index = |name: &String| names.binary_search(name).ok();
                for change in changes {
                    let operand = match &change.operand {
                        Operand::Argument(argument) => arguments.get(*argument as usize).copied(),
                        Operand::Number(number) => Some(*number),
                        Operand::Value(name) => index(name).map(|index| values[index]),
                    };
                    if let Some(index) = index(&change.name) {
                        let operand = operand.unwrap_or(0);
                        values[index] = change.operator.apply(values[index], operand);
                    }
                }
                Ok(())
            }
            Effect::Script(script) => {
                let named: Vec<(String, i64)> = (0..ARGUMENTS)
                    .map(|index| {
                        let argument = arguments.get(index).copied().unwrap_or(0);
                        (format!("arg{index}"), argument)
                    })
                    .collect();
                let locals: Vec<(&str, i64)> = named
                    .iter()
                    .map(|(name, argument)| (name.as_str(), *argument))
                    .collect();
                script.run(names, values, &locals).map(|_| ())
            }
        }
    }

    /// Whether it says nothing.
    pub fn is_empty(&self) -> bool {
        matches!(self, Effect::Changes(changes) if changes.is_empty())
    }

    /// The names of the values that it may change; `None` when that cannot be told.
    pub fn changed(&self) -> Option<Vec<&str>> {
        match self {
            Effect::Changes(changes) => {
                Some(changes.iter().map(|change| change.name.as_str()).collect())
            }
            Effect::Script(_) => None,
        }
    }
}

/// How many arguments a script can name.
pub(crate) const ARGUMENTS: usize = 8;

/// One change of one value of the environment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The value that changes.
    pub name: String,
    /// How it changes.
    pub operator: Operator,
    /// By what.
    pub operand: Operand,
}

/// How a change combines the old value with the operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    /// `=`
    Assign,
    /// `+=`
    Add,
    /// `-=`
    Subtract,
    /// `*=`
    Multiply,
    /// `&=`
    And,
    /// `|=`
    Or,
    /// `^=`
    ExclusiveOr,
}

/// What a change combines the old value with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operand {
    /// An argument of the output function, from 0.
    Argument(u32),
    /// A fixed number.
    Number(i64),
    /// Another value of the environment.
    Value(String),
}

impl Operator {
    /// The new value from the old one.
    pub fn apply(self, old: i64, operand: i64) -> i64 {
        match self {
            Operator::Assign => operand,
            Operator::Add => old.wrapping_add(operand),
            Operator::Subtract => old.wrapping_sub(operand),
            Operator::Multiply => old.wrapping_mul(operand),
            Operator::And => old & operand,
            Operator::Or => old | operand,
            Operator::ExclusiveOr => old ^ operand,
        }
    }
}

/// The changes that a text describes; `None` when it is not of the grammar above.
pub(crate) fn parse(text: &str) -> Option<Vec<Change>> {
    text.split(';')
        .map(|part| parse_change(part.trim()))
        .collect()
}

fn parse_change(text: &str) -> Option<Change> {
    let (left, right) = text.split_once('=')?;
    let (name, operator) = match left.chars().last()? {
        '+' => (&left[..left.len() - 1], Operator::Add),
        '-' => (&left[..left.len() - 1], Operator::Subtract),
        '*' => (&left[..left.len() - 1], Operator::Multiply),
        '&' => (&left[..left.len() - 1], Operator::And),
        '|' => (&left[..left.len() - 1], Operator::Or),
        '^' => (&left[..left.len() - 1], Operator::ExclusiveOr),
        _ => (left, Operator::Assign),
    };
    let (name, right) = (name.trim(), right.trim());
    let operand = if let Some(argument) = parse_argument(right) {
        Operand::Argument(argument)
    } else if let Ok(number) = right.parse() {
        Operand::Number(number)
    } else if is_name(right) {
        Operand::Value(right.to_owned())
    } else {
        return None;
    };
    is_name(name).then(|| Change {
        name: name.to_owned(),
        operator,
        operand,
    })
}

/// The number of an argument written `argN`.
pub(crate) fn parse_argument(text: &str) -> Option<u32> {
    let digits = text.strip_prefix("arg")?;
    (digits.len() <= 3 && digits.bytes().all(|digit| digit.is_ascii_digit()))
        .then(|| digits.parse().ok())
        .flatten()
}

fn is_name(text: &str) -> bool {
    let begins_well = text.starts_with(|first: char| first.is_alphabetic() || first == '_');
    begins_well
        && text
            .chars()
            .all(|letter| letter.is_alphanumeric() || letter == '_' || letter == '-')
}

#[cfg(test)]
mod tests {
    use super::{Change, Operand, Operator, parse};

    fn change(name: &str, operator: Operator, operand: Operand) -> Change {
        Change {
            name: name.into(),
            operator,
            operand,
        }
    }

    #[test]
    fn texts() {
        use Operand::{Argument, Number, Value};
        use Operator::{Add, Assign, ExclusiveOr};
        let cases = [
            (
                "angle += arg0",
                Some(vec![change("angle", Add, Argument(0))]),
            ),
            ("led=1", Some(vec![change("led", Assign, Number(1))])),
            (
                "led ^= mask",
                Some(vec![change("led", ExclusiveOr, Value("mask".into()))]),
            ),
            (
                "x = -3; y = x",
                Some(vec![
                    change("x", Assign, Number(-3)),
                    change("y", Assign, Value("x".into())),
                ]),
            ),
            ("", None),
            ("angle", None),
            ("= 3", None),
            ("angle +=", None),
            ("angle == 3", None),
            ("1 = arg0", None),
            ("angle += arg0 + 1", None),
            ("angle += arg0;", None),
            ("é+=ü", Some(vec![change("é", Add, Value("ü".into()))])),
        ];
        for (text, expected) in cases {
            assert_eq!(parse(text), expected, "{text:?}");
        }
    }

    #[test]
    fn operators_are_total() {
        assert_eq!(Operator::Add.apply(i64::MAX, 1), i64::MIN);
        assert_eq!(Operator::Multiply.apply(i64::MIN, -1), i64::MIN);
        assert_eq!(Operator::Subtract.apply(3, 5), -2);
        assert_eq!(Operator::Assign.apply(3, 5), 5);
        assert_eq!(Operator::ExclusiveOr.apply(6, 3), 5);
        assert_eq!(Operator::And.apply(6, 3), 2);
        assert_eq!(Operator::Or.apply(6, 3), 7);
    }
}
