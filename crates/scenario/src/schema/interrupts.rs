//! When interrupt handlers run.

use crate::energy::Dimension;
use crate::read::{Choice, Fields, Located};
use crate::reference::key;

#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct InterruptSettings {
    pub(crate) function: Option<Located<String>>,
    pub(crate) when: Option<Located<WhenName>>,
    pub(crate) every: Option<Located<f64>>,
    pub(crate) priority: Option<Located<u8>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WhenName {
    Sleep,
    Enabled,
    Never,
}

impl Choice for WhenName {
    const NAMES: &'static [&'static str] = &["sleep", "enabled", "never"];
    const VALUES: &'static [WhenName] = &[WhenName::Sleep, WhenName::Enabled, WhenName::Never];
}

pub(super) fn interrupt(fields: &mut Fields<'_, '_, '_>, interrupt: &mut InterruptSettings) {
    let function = key("function", "The handler.");
    let when = key(
        "when",
        "When it comes: once per sleep (`sleep`), anywhere while interrupts are enabled (`enabled`), or not at all (`never`).",
    )
    .default("`sleep` if the program sleeps, else `enabled`");
    let every = key(
        "every",
        "How much time is between two of them, instead of `when`; by `energy.clock`, one instruction per cycle.",
    );
    fields.text(function, &mut interrupt.function);
    fields.choice(when, &mut interrupt.when);
    fields.quantity(every, Dimension::Duration, &mut interrupt.every);
    let priority = key(
        "priority",
        "How urgent it is, 0 being the most urgent: a handler is interrupted by those that are more urgent than it.",
    )
    .default("all are equal");
    fields.integer(priority, 0..=254, &mut interrupt.priority);
    fields.require(&["function"]);
    fields.at_most_one(&["when", "every"]);
}
