//! What is executed in code without a `main`, and what has to hold.

use super::Resolver;
use crate::error::{ConfigError, Problem};
use crate::scenario::{Argument, Harness, Invariant};
use crate::schema::Settings;

pub(super) fn harnesses(resolver: &mut Resolver<'_>, settings: &Settings) -> Vec<Harness> {
    let mut harnesses = Vec::new();
    for settings in settings.harnesses.iter().flatten() {
        let function = settings.function.clone().into_iter().collect::<Vec<_>>();
        let functions = resolver.functions("harness.function", &function);
        let args = settings.args.as_deref().unwrap_or(&[]);
        for arg in args {
            if let Argument::Address(name) = &arg.value
                && !resolver.globals.contains_key(name.as_str())
            {
                let names = resolver.globals.keys().copied();
                let nearest = crate::suggest::nearest(name, names).map(str::to_owned);
                resolver.errors.push(ConfigError {
                    place: arg.place,
                    key: "harness.args".to_owned(),
                    problem: Problem::UnknownSymbol {
                        name: name.clone(),
                        nearest,
                    },
                });
            }
        }
        harnesses.extend(functions.into_iter().map(|function| Harness {
            function,
            args: args.iter().map(|arg| arg.value.clone()).collect(),
        }));
    }
    if !harnesses.is_empty() && !resolver.is_library {
        resolver.note("`[[harness]]` is for code without a `main`: it is not used".to_owned());
    }
    harnesses
}

pub(super) fn invariants(settings: &Settings) -> Vec<Invariant> {
    let given = settings.invariants.iter().flatten();
    given
        .filter_map(|settings| {
            let expr = settings.expr.as_ref()?;
            let (text, expression) = expr.value.clone();
            Some(Invariant {
                text,
                expression,
                at: settings.at.as_ref().map(|at| at.value),
                place: expr.place,
            })
        })
        .collect()
}
