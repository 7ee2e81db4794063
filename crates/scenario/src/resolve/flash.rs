//! Flash parts: objects and functions that the program has.

use super::Resolver;
use crate::argument::ArgumentExpression;
use crate::config::Config;
use crate::error::Problem;
use crate::flash::{
    EraseTear, Explore, Flash, FlashAction, FlashFunction, Order, Programming, Reprogram, Tear,
};
use crate::read::Located;
use crate::schema::{CallSettings, ExploreSettings, FlashSettings};
use crate::suggest::nearest;

/// What an erased byte holds unless something else is said.
const ERASED: u8 = 0xff;

pub(super) fn parts(resolver: &mut Resolver<'_>, config: &Config) -> Vec<Flash> {
    let given = config.settings.flash.iter().flatten();
    given
        .filter_map(|settings| part(resolver, config, settings))
        .collect()
}

fn part(resolver: &mut Resolver<'_>, config: &Config, settings: &FlashSettings) -> Option<Flash> {
    let object = settings.object.as_ref()?;
    resolver.check_symbol("flash.object", object);
    let global = resolver.globals.get(object.value.as_str()).copied();
    if let Some(global) = global {
        if global.is_constant {
            let problem = Problem::BadForm {
                found: object.value.clone(),
                expected: "an array that is not `const`: the compiler takes its contents for known",
            };
            resolver.report("flash.object", object.place, problem);
        } else if global.is_external {
            let problem = Problem::BadForm {
                found: object.value.clone(),
                expected: "an array that the program defines",
            };
            resolver.report("flash.object", object.place, problem);
        }
        let block = settings.erase_block.as_ref();
        if let Some(block) = block.filter(|block| global.size % u64::from(block.value) != 0) {
            let problem = Problem::BadForm {
                found: block.value.to_string(),
                expected: "a size of which the object has a whole number",
            };
            resolver.report("flash.erase-block", block.place, problem);
        }
    }
    check_functions(resolver, config, settings);
    let mut functions = Vec::new();
    let calls = [
        (FlashAction::Program, &settings.program),
        (FlashAction::Erase, &settings.erase),
        (FlashAction::Read, &settings.read),
    ];
    for (action, call) in calls {
        functions.extend(function(action, call, settings));
    }
    if let Some(sync) = &settings.sync {
        functions.push(FlashFunction {
            name: sync.value.clone(),
            action: FlashAction::Sync,
            address: None,
            data: None,
            value: None,
            length: None,
            returns: 0,
            place: sync.place,
        });
    }
    fn or<T: Copy>(given: &Option<Located<T>>, default: T) -> T {
        given.as_ref().map_or(default, |given| given.value)
    }
    let image = settings.image.as_ref();
    Some(Flash {
        object: object.value.clone(),
        erase_block: settings.erase_block.as_ref().map(|block| block.value),
        program_unit: or(&settings.program_unit, 1),
        erased: or(&settings.erased, ERASED),
        programming: or(&settings.programming, Programming::And),
        reprogram: or(&settings.reprogram, Reprogram::Error),
        tear: or(&settings.tear, Tear::Prefix),
        erase_tear: or(&settings.erase_tear, EraseTear::Prefix),
        order: or(&settings.order, Order::Strict),
        image: image.and_then(|path| config.images.get(&path.value).cloned()),
        functions,
    })
}

/// The functions that a part has, with their keys.
fn named(settings: &FlashSettings) -> impl Iterator<Item = (&'static str, &Located<String>)> {
    let named = [
        ("flash.program-function", settings.program.name.as_ref()),
        ("flash.erase-function", settings.erase.name.as_ref()),
        ("flash.read-function", settings.read.name.as_ref()),
        ("flash.sync-function", settings.sync.as_ref()),
    ];
    let named = named.into_iter();
    named.filter_map(|(key, name)| Some((key, name?)))
}

/// A function that the program never calls is not in it: a driver may have more than one program needs.
/// It is an error if the program has none of them, or one that the name may have been meant for.
fn check_functions(resolver: &mut Resolver<'_>, config: &Config, settings: &FlashSettings) {
    let parts = config.settings.flash.iter().flatten();
    let known: Vec<&str> = parts
        .flat_map(named)
        .map(|(_, name)| name.value.as_str())
        .collect();
    let is_there = |name: &str| resolver.functions.contains_key(name);
    let has_any = named(settings).any(|(_, name)| is_there(&name.value));
    let others = resolver.functions.keys().copied();
    let others: Vec<&str> = others.filter(|name| !known.contains(name)).collect();
    let absent = named(settings).filter(|(_, name)| !is_there(&name.value));
    for (key, name) in absent.collect::<Vec<_>>() {
        match has_any && nearest(&name.value, others.iter().copied()).is_none() {
            true => resolver.note(format!(
                "`{key}` names `{}`, which the program never calls",
                name.value
            )),
            false => resolver.check_function(key, name),
        }
    }
}

fn function(
    action: FlashAction,
    call: &CallSettings,
    settings: &FlashSettings,
) -> Option<FlashFunction> {
    let name = call.name.as_ref()?;
    let operand = |given: &Option<Located<ArgumentExpression>>, default: ArgumentExpression| {
        Some(given.as_ref().map_or(default, |given| given.value.clone()))
    };
    let length = match (action, &settings.erase_block) {
        (FlashAction::Erase, Some(block)) => Some(ArgumentExpression::number(block.value.into())),
        // All of the object.
        (FlashAction::Erase, None) => None,
        (FlashAction::Program, _) if call.value.is_some() => {
            let unit = settings.program_unit.as_ref().map_or(1, |unit| unit.value);
            Some(ArgumentExpression::number(unit.into()))
        }
        _ => Some(ArgumentExpression::argument(2)),
    };
    Some(FlashFunction {
        name: name.value.clone(),
        action,
        address: operand(&call.address, ArgumentExpression::argument(0)),
        data: match action {
            FlashAction::Program if call.value.is_some() => None,
            FlashAction::Program | FlashAction::Read => {
                operand(&call.data, ArgumentExpression::argument(1))
            }
            FlashAction::Erase | FlashAction::Sync => None,
        },
        value: call.value.as_ref().map(|given| given.value.clone()),
        length: call
            .length
            .as_ref()
            .map(|given| given.value.clone())
            .or(length),
        returns: call.returns.as_ref().map_or(0, |returns| returns.value),
        place: name.place,
    })
}

pub(super) fn explore(resolver: &mut Resolver<'_>, settings: &ExploreSettings) -> Explore {
    let operations = settings.operations.as_deref().unwrap_or_default();
    for name in operations {
        resolver.check_function("explore.operations", name);
    }
    let default = Explore::default();
    let text = |given: &Option<Located<String>>| given.as_ref().map(|text| text.value.clone());
    Explore {
        failures: settings
            .failures
            .as_ref()
            .map_or(default.failures, |given| given.value),
        from: text(&settings.from),
        until: text(&settings.until),
        workload: settings.workload.as_ref().map_or(0, |given| given.value),
        oracle: (settings.oracle.as_ref()).map_or(default.oracle, |given| given.value),
        operations: operations.iter().map(|name| name.value.clone()).collect(),
    }
}
