//! `N, V ⊢ e ⇓r v`: evaluating an expression, and the reads observed on the way (§4).
//!
//! The paper leaves these rules out as standard. Operands are evaluated from left to right, an index
//! before its element.

use crate::state::{Location, Observation};
use crate::syntax::{Expression, Operator, Value};

/// The value of an expression; its reads are appended to `reads`. Nothing if a location does not
/// exist: the configuration is stuck then.
pub fn evaluate(
    expression: &Expression,
    load: &dyn Fn(Location) -> Option<Value>,
    reads: &mut Vec<Observation>,
) -> Option<Value> {
    let read = |location, reads: &mut Vec<Observation>| {
        let value = load(location)?;
        reads.push(Observation::Read(location, value));
        Some(value)
    };
    match expression {
        Expression::Constant(value) => Some(*value),
        Expression::Variable(name) => read(Location::variable(*name), reads),
        Expression::Binary(left, operator, right) => {
            let left = evaluate(left, load, reads)?;
            let right = evaluate(right, load, reads)?;
            Some(apply(*operator, left, right))
        }
        Expression::Element(array, index) => {
            let index = evaluate(index, load, reads)?;
            read(Location::element(*array, index), reads)
        }
    }
}

/// `v1 bop v2`. Every operator takes every value, so no program is stuck for its types.
pub fn apply(operator: Operator, left: Value, right: Value) -> Value {
    let (left, right) = (left.number(), right.number());
    match operator {
        Operator::Add => Value::Number(left.wrapping_add(right)),
        Operator::Subtract => Value::Number(left.wrapping_sub(right)),
        Operator::Multiply => Value::Number(left.wrapping_mul(right)),
        Operator::Or => Value::Number(left | right),
        Operator::Less => Value::Boolean(left < right),
        Operator::Greater => Value::Boolean(left > right),
        Operator::Equal => Value::Boolean(left == right),
    }
}
