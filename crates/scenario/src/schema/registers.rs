//! Device registers, and the peripherals that they belong to.

use super::{MASK, Text, Texts};
use crate::read::{Fields, Located};
use crate::reference::key;
use crate::scenario::Mmio;

#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct PeripheralSettings {
    pub(crate) name: Text,
    pub(crate) registers: Texts,
    pub(crate) used_by: Texts,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct RegisterSettings {
    pub(crate) name: Text,
    pub(crate) mmio: Option<Located<Mmio>>,
    pub(crate) mask: Option<Located<u64>>,
}

pub(super) fn peripheral(fields: &mut Fields<'_, '_, '_>, peripheral: &mut PeripheralSettings) {
    let name = key("name", "What messages call it.");
    fields.text(name, &mut peripheral.name);
    let registers = key(
        "registers",
        "Its registers, by name or by address. Globs are allowed for names.",
    );
    fields.texts(registers, &mut peripheral.registers);
    let used_by = key("used-by", "Functions that rely on it. Globs are allowed.");
    fields.texts(used_by, &mut peripheral.used_by);
    fields.require(&["registers"]);
}

pub(super) fn register(fields: &mut Fields<'_, '_, '_>, register: &mut RegisterSettings) {
    let name = key(
        "name",
        "The register, several by a glob, or one by its address.",
    );
    fields.text(name, &mut register.name);
    let mmio = key("mmio", "What it is.");
    fields.choice(mmio, &mut register.mmio);
    fields.integer(MASK, 1..=i64::MAX, &mut register.mask);
    fields.require(&["name"]);
    fields.require(&["mmio"]);
}
