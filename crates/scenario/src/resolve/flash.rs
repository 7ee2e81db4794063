//! Flash parts: objects and functions that the program has.

use super::Resolver;
use crate::argument::ArgumentExpression;
use crate::config::Config;
use crate::error::{Place, Problem};
use crate::flash::{
    EraseTear, Explore, Flash, FlashAction, FlashFunction, Order, Programming, Reprogram, Tear,
};
use crate::read::Located;
use crate::schema::{CallSettings, ExploreSettings, FlashSettings};
use crate::suggest::nearest;

/// What an erased byte holds unless something else is said.
const ERASED: u8 = 0xff;

/// The function of `brownout.h` that erases.
const OWN_ERASE: &str = "brownout_flash_erase";

pub(super) fn parts(resolver: &mut Resolver<'_>, config: &Config) -> Vec<Flash> {
    let mut tables = config.settings.flash.clone().unwrap_or_default();
    agree(resolver, &mut tables);
    let orders = tables
        .iter()
        .map(|table| order_block(resolver, &tables, table));
    let orders: Vec<Result<Option<u32>, Place>> = orders.collect();
    let mut parts = Vec::new();
    for (settings, order) in tables.iter().zip(orders) {
        let order = order.unwrap_or_else(|place| {
            let problem = Problem::Missing {
                wanted: "`erase-block`: operations on one block stay in order, and without it all of the object is one"
                    .to_owned(),
            };
            resolver.report("flash.order", place, problem);
            None
        });
        parts.extend(part(resolver, config, settings, order));
    }
    parts
}

/// An object that several functions program has several tables. What one of them says of the part holds for
/// all of them, but for the unit, which each function has for itself.
fn agree(resolver: &mut Resolver<'_>, tables: &mut [FlashSettings]) {
    // What the last one says reaches all of them in the second round.
    for _ in 0..2 {
        for index in 1..tables.len() {
            let (earlier, rest) = tables.split_at_mut(index);
            let Some(table) = rest.first_mut() else { break };
            let first = earlier.iter_mut().find(|first| is_same_part(first, table));
            if let (Some(first), Some(object)) = (first, &table.object) {
                let name = object.value.clone();
                let mut report = |key: &str, place: Place| {
                    let problem = Problem::Contradiction { name: name.clone() };
                    resolver.report(&format!("flash.{key}"), place, problem);
                };
                join("image", &mut first.image, &mut table.image, &mut report);
                let blocks = (&mut first.erase_block, &mut table.erase_block);
                join("erase-block", blocks.0, blocks.1, &mut report);
                join("erased", &mut first.erased, &mut table.erased, &mut report);
                let programming = (&mut first.programming, &mut table.programming);
                join("program", programming.0, programming.1, &mut report);
                let reprogram = (&mut first.reprogram, &mut table.reprogram);
                join("reprogram", reprogram.0, reprogram.1, &mut report);
                join("tear", &mut first.tear, &mut table.tear, &mut report);
                let tears = (&mut first.erase_tear, &mut table.erase_tear);
                join("erase-tear", tears.0, tears.1, &mut report);
                join("order", &mut first.order, &mut table.order, &mut report);
            }
        }
    }
}

fn is_same_part(one: &FlashSettings, other: &FlashSettings) -> bool {
    let name = |table: &FlashSettings| table.object.as_ref().map(|object| object.value.clone());
    name(one) == name(other)
}

/// What only one of two tables says, the other one says as well.
fn join<T: Clone + PartialEq>(
    key: &str,
    first: &mut Option<Located<T>>,
    other: &mut Option<Located<T>>,
    report: &mut dyn FnMut(&str, Place),
) {
    if let (Some(first), Some(other)) = (&*first, &*other)
        && first.value != other.value
    {
        report(key, other.place);
    }
    if first.is_none() {
        first.clone_from(other);
    }
    other.clone_from(first);
}

/// Operations on how many bytes stay in order: nothing for all of the object. An error is the place of the key
/// that means nothing then.
fn order_block(
    resolver: &Resolver<'_>,
    tables: &[FlashSettings],
    settings: &FlashSettings,
) -> Result<Option<u32>, Place> {
    let Some(order) = settings.order.as_ref() else {
        return Ok(None);
    };
    let same = tables.iter().filter(|table| is_same_part(table, settings));
    let erases = resolver.functions.contains_key(OWN_ERASE)
        || same.clone().any(|table| table.erase.name.is_some());
    let unit = |table: &FlashSettings| table.program_unit.as_ref().map_or(1, |unit| unit.value);
    match (&settings.erase_block, order.value) {
        (_, Order::Strict) => Ok(None),
        (Some(block), Order::UntilSync) => Ok(Some(block.value)),
        (None, Order::UntilSync) if erases => Err(order.place),
        (None, Order::UntilSync) => Ok(same.map(unit).min()),
    }
}

fn part(
    resolver: &mut Resolver<'_>,
    config: &Config,
    settings: &FlashSettings,
    order_block: Option<u32>,
) -> Option<Flash> {
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
        let Some(function) = function(resolver, action, call, settings) else {
            continue;
        };
        check_arguments(resolver, call, &function);
        functions.push(function);
    }
    if let Some(sync) = &settings.sync {
        functions.push(FlashFunction {
            name: sync.value.clone(),
            action: FlashAction::Sync,
            address: None,
            data: None,
            value: None,
            length: None,
            returns: ArgumentExpression::number(0),
            place: sync.place,
        });
    }
    fn or<T: Copy>(given: &Option<Located<T>>, default: T) -> T {
        given.as_ref().map_or(default, |given| given.value)
    }
    let image = settings.image.as_ref();
    let programming = or(&settings.programming, Programming::And);
    Some(Flash {
        object: object.value.clone(),
        erase_block: settings.erase_block.as_ref().map(|block| block.value),
        order_block,
        program_unit: or(&settings.program_unit, 1),
        erased: or(&settings.erased, ERASED),
        programming,
        reprogram: or(
            &settings.reprogram,
            match programming {
                Programming::And => Reprogram::Error,
                Programming::Overwrite => Reprogram::Allow,
            },
        ),
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
    let others = resolver.spellings();
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

/// Checks that a function has the arguments that say what it does.
fn check_arguments(resolver: &mut Resolver<'_>, call: &CallSettings, function: &FlashFunction) {
    let operands = [
        ("address", &call.address, function.address.as_ref()),
        ("data", &call.data, function.data.as_ref()),
        ("value", &call.value, function.value.as_ref()),
        ("length", &call.length, function.length.as_ref()),
        ("returns", &call.returns, Some(&function.returns)),
    ];
    for (name, given, operand) in operands {
        let key = format!("flash.{}.{name}", function.action.key());
        let place = given.as_ref().map(|given| given.place);
        for argument in operand.into_iter().flat_map(ArgumentExpression::mentioned) {
            let is_default = place.is_none();
            let place = place.unwrap_or(function.place);
            resolver.check_argument(&key, place, &function.name, argument, is_default);
        }
    }
}

fn function(
    resolver: &Resolver<'_>,
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
    // What erases all of the part need not be told where.
    let known = resolver.functions.get(name.value.as_str());
    let takes_nothing = known.is_some_and(|function| function.arguments == Some(0));
    let address = match takes_nothing && action == FlashAction::Erase {
        true => ArgumentExpression::number(0),
        false => ArgumentExpression::argument(0),
    };
    Some(FlashFunction {
        name: name.value.clone(),
        action,
        address: operand(&call.address, address),
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
        returns: call.returns.as_ref().map_or_else(
            || ArgumentExpression::number(0),
            |returns| returns.value.clone(),
        ),
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
