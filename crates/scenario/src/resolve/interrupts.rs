//! Which functions are interrupt handlers, and when they come.
//!
//! Handlers are found by what the program says of them: the interrupt attribute, tables of vectors,
//! and on Cortex-M the names that CMSIS gives them. Handlers of faults, of the reset and of whatever
//! has no handler of its own are none: they end a program or stand for what does not happen.

use std::collections::BTreeSet;

use super::Resolver;
use crate::chips::EnableBits;
use crate::config::Config;
use crate::facts::Annotation;
use crate::scenario::{Interrupt, When};
use crate::schema::WhenName;
use crate::suggest::nearest;

/// Names of CMSIS for what is no interrupt of a device.
const NO_INTERRUPTS: [&str; 11] = [
    "Reset_Handler",
    "NMI_Handler",
    "HardFault_Handler",
    "MemManage_Handler",
    "BusFault_Handler",
    "UsageFault_Handler",
    "SecureFault_Handler",
    "DebugMon_Handler",
    "SVC_Handler",
    "PendSV_Handler",
    "Default_Handler",
];

/// How urgent handlers are of which nobody says it: the least of all.
const USUAL_PRIORITY: u8 = 254;

/// What the clock is if nobody says it.
const DEFAULT_CLOCK: f64 = 1e6;

pub(super) fn interrupts(
    resolver: &mut Resolver<'_>,
    config: &Config,
) -> (Vec<Interrupt>, BTreeSet<String>) {
    let usual = match resolver.sleeps {
        true => When::Sleep,
        false => When::Enabled,
    };
    let shown = found(resolver);
    let mut all: Vec<Interrupt> = shown
        .into_iter()
        .map(|function| Interrupt {
            enables: enables(resolver, config, &function),
            function,
            when: usual,
            priority: USUAL_PRIORITY,
        })
        .collect();
    let clock = config.settings.energy.clock.as_ref();
    let clock = clock.map_or(DEFAULT_CLOCK, |clock| clock.value);
    for settings in config.settings.interrupts.iter().flatten() {
        let Some(function) = &settings.function else {
            continue;
        };
        let when = match (&settings.when, &settings.every) {
            (Some(when), _) => match when.value {
                WhenName::Sleep => When::Sleep,
                WhenName::Enabled => When::Enabled,
                WhenName::Never => When::Never,
            },
            (None, Some(every)) => When::Every((every.value * clock).max(1.0) as u64),
            (None, None) => usual,
        };
        let named = std::slice::from_ref(function);
        for function in resolver.functions("interrupt.function", named) {
            let priority = settings.priority.as_ref();
            let priority = priority.map_or(USUAL_PRIORITY, |priority| priority.value);
            let interrupt = Interrupt {
                enables: enables(resolver, config, &function),
                function,
                when,
                priority,
            };
            match all
                .iter_mut()
                .find(|known| known.function == interrupt.function)
            {
                Some(known) => *known = interrupt,
                None => all.push(interrupt),
            }
        }
    }
    let never = all.extract_if(.., |interrupt| interrupt.when == When::Never);
    let idle = never.map(|interrupt| interrupt.function).collect();
    all.sort();
    (all, idle)
}

/// The bits that let a handler come, as far as the chip knows the interrupt that it handles.
fn enables(resolver: &mut Resolver<'_>, config: &Config, handler: &str) -> Vec<EnableBits> {
    let Some(chip) = config.chip() else {
        return Vec::new();
    };
    // CMSIS names handlers after what they handle.
    let said = resolver.functions.get(handler).and_then(|one| one.vector);
    let word = said.unwrap_or(handler);
    match (chip.vector(word), said) {
        (Some(vector), _) => vector.enables.clone(),
        (None, Some(word)) if !chip.vectors.is_empty() => {
            let names = chip.vectors.iter().flat_map(|vector| &vector.names);
            let nearest = nearest(word, names.map(String::as_str));
            let nearest = nearest.map(|name| format!(" (`{name}` is near)"));
            resolver.note(format!(
                "`{handler}` handles `{word}`, which is no interrupt of {} that is known{}",
                chip.name,
                nearest.unwrap_or_default()
            ));
            Vec::new()
        }
        (None, _) => Vec::new(),
    }
}

/// The handlers that the program itself shows.
fn found(resolver: &Resolver<'_>) -> Vec<String> {
    let target = resolver.target;
    let is_cortex = target.starts_with("thumb") || target.starts_with("arm");
    let functions = resolver.functions.values();
    let handlers = functions.filter(|function| {
        let annotated = Annotation::all(function.annotations)
            .any(|annotation| annotation == Ok(Annotation::Interrupt));
        let by_name =
            is_cortex && function.name.ends_with("Handler") && function.name.contains('_');
        let listed = resolver.vectors.iter().any(|name| name == function.name);
        function.defined
            && (annotated || by_name || listed)
            && !NO_INTERRUPTS.contains(&function.name)
    });
    handlers.map(|function| function.name.to_owned()).collect()
}
