//! What is executed in code without a `main`, and what has to hold.

use super::bad_form;
use crate::error::Problem;
use crate::expression::Expression;
use crate::read::{Choice, Fields, Located};
use crate::reference::key;
use crate::scenario::{Argument, Occasion};

#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct HarnessSettings {
    pub(crate) function: Option<Located<String>>,
    pub(crate) args: Option<Vec<Located<Argument>>>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct InvariantSettings {
    pub(crate) expr: Option<Located<(String, Expression)>>,
    pub(crate) at: Option<Located<Occasion>>,
}

impl Choice for Occasion {
    const NAMES: &'static [&'static str] = &["checkpoint", "exit"];
    const VALUES: &'static [Occasion] = &[Occasion::Checkpoint, Occasion::Exit];
}

pub(super) fn harness(fields: &mut Fields<'_, '_, '_>, harness: &mut HarnessSettings) {
    fields.text(key("function", "The function."), &mut harness.function);
    let args = key(
        "args",
        "What it is called with: a number, `any`, `null`, `buffer:BYTES` (memory of its own, zero at first) or `&NAME` (the address of a global).",
    )
    .default("`any`: numbers are tried, pointers point to memory of their own");
    const FORM: &str = r"^(any|null|buffer:[1-9][0-9]*|&.+|-?[0-9]+)$";
    fields.numbers_or_texts(args, FORM, &mut harness.args, argument);
    fields.require(&["function"]);
}

fn argument(text: &str) -> Result<Argument, Problem> {
    let wrong = || bad_form(text, "a number, `any`, `null`, `buffer:BYTES` or `&NAME`");
    match text {
        "any" => Ok(Argument::Any),
        "null" => Ok(Argument::Number(0)),
        _ => {
            if let Some(bytes) = text.strip_prefix("buffer:") {
                let bytes = bytes.parse().ok().filter(|&bytes| bytes > 0);
                return bytes.map(Argument::Buffer).ok_or_else(wrong);
            }
            match text.strip_prefix('&') {
                Some(name) if !name.is_empty() => Ok(Argument::Address(name.to_owned())),
                _ => text.parse().map(Argument::Number).map_err(|_| wrong()),
            }
        }
    }
}

pub(super) fn invariant(fields: &mut Fields<'_, '_, '_>, invariant: &mut InvariantSettings) {
    let expr = key(
        "expr",
        "A condition in C over variables, such as `alarm + ok <= 1`.",
    );
    fields.parsed(expr, None, &mut invariant.expr, |text| {
        let expression = Expression::parse(text);
        expression
            .map(|expression| (text.to_owned(), expression))
            .map_err(|problem| Problem::BadExpression {
                found: text.to_owned(),
                problem,
            })
    });
    let at = key("at", "Where it has to hold.").default("at both");
    fields.choice(at, &mut invariant.at);
    fields.require(&["expr"]);
}
