//! The registers that are watched: those that the scenario names, those that are external or at fixed
//! addresses if it says so, and those of which the chip says what a reset makes of them.

use std::collections::BTreeMap;
use std::ops::Range;

use brownout_explore::Objects;
use brownout_scenario::{Chip, ChipRegister, Scenario, Source, fixed_address};
use brownout_vm::{Image, SegmentKind};

/// A register that is watched.
struct Register {
    name: String,
    offsets: Range<u32>,
    /// Whether reading it relies on what was written.
    keeps: bool,
    /// Whether what it holds after a reset is known.
    is_reset_known: bool,
    /// Whether the scenario asks for it.
    is_wanted: bool,
    written: Option<Written>,
}

/// A write of a register.
#[derive(Clone, Copy)]
pub(super) struct Written {
    pub(super) pc: u32,
    pub(super) clock: u32,
    pub(super) time: u64,
    /// What it holds then.
    pub(super) value: u64,
}

/// All registers that are watched, by index.
pub(super) struct Registers<'i> {
    image: &'i Image,
    chip: Option<&'static Chip>,
    all: Vec<Register>,
    by_name: BTreeMap<String, usize>,
    /// All registers, and what needs them, lie in here.
    span: Range<u32>,
    /// What needs registers, by offset: its name, and theirs.
    users: BTreeMap<u32, &'static ChipRegister>,
    /// Inputs at fixed addresses, by offset.
    inputs: Vec<u32>,
    /// Whether all registers at fixed addresses are watched once they are written.
    watches_windows: bool,
}

impl<'i> Registers<'i> {
    pub(super) fn new(image: &'i Image, scenario: &Scenario) -> Self {
        let program = image.program();
        let chip = scenario.memory.chip;
        let objects = Objects::new(image);
        let inputs = scenario.inputs.iter();
        let inputs = inputs.filter_map(|input| match input.source {
            Source::Address { address, .. } => image.layout().fixed_offset(address),
            _ => None,
        });
        let mut registers = Self {
            image,
            chip,
            all: Vec::new(),
            by_name: BTreeMap::new(),
            span: 0..0,
            users: BTreeMap::new(),
            inputs: inputs.collect(),
            watches_windows: scenario.mmio.is_some(),
        };
        let declared = |name: &str| {
            let mut peripherals = scenario.peripherals.iter();
            peripherals.any(|peripheral| peripheral.registers.iter().any(|other| other == name))
        };
        let is_input = |name: &str| {
            let mut inputs = scenario.inputs.iter();
            inputs.any(|input| match &input.source {
                Source::Register(other) | Source::Address { name: other, .. } => other == name,
                Source::Function(_) | Source::Result { .. } => false,
            })
        };
        for (global, data) in program.globals.iter() {
            let Some(offset) = objects.offset_of(global) else {
                continue;
            };
            let is_external = data.init.is_none();
            let known = chip.and_then(|chip| chip.register(&data.name));
            let known = known.filter(|_| is_external);
            if let Some(known) = known.filter(|known| !known.needs.is_empty()) {
                registers.users.insert(offset, known);
            }
            let is_started = chip.is_some_and(|chip| chip.startup.contains(&data.name));
            let is_wanted =
                declared(&data.name) || is_external && scenario.mmio.is_some() && !is_started;
            if is_wanted || registers.is_relied_upon(known) {
                let size = data.size.max(1) as u32;
                registers.watch(Register {
                    name: data.name.clone(),
                    offsets: offset..offset + size,
                    keeps: !is_input(&data.name),
                    is_reset_known: known.is_some_and(|known| known.reset.is_some()),
                    is_wanted,
                    written: None,
                });
            }
        }
        let declared = scenario.peripherals.iter();
        for name in declared.flat_map(|peripheral| &peripheral.registers) {
            let offset =
                fixed_address(name).and_then(|address| image.layout().fixed_offset(address));
            if let (Some(offset), None) = (offset, registers.named(name)) {
                registers.watch(Register {
                    name: name.clone(),
                    offsets: offset..offset + 1,
                    keeps: !is_input(name),
                    is_reset_known: false,
                    is_wanted: true,
                    written: None,
                });
            }
        }
        registers.look_at_windows();
        let users = registers.users.keys().copied();
        let (first, last) = (users.clone().min(), users.max());
        registers.extend(first.unwrap_or(0)..last.map_or(0, |last| last + 1));
        registers
    }

    /// Watches the registers of the chip at fixed addresses that the program has something at.
    fn look_at_windows(&mut self) {
        let Some(chip) = self.chip else { return };
        for known in &chip.registers {
            let Some(offset) = self.image.layout().fixed_offset(known.address) else {
                continue;
            };
            if !known.needs.is_empty() {
                self.users.insert(offset, known);
            }
            if self.is_relied_upon(Some(known)) && self.at(offset).is_none() {
                self.watch(Register {
                    name: known.name.clone(),
                    offsets: offset..offset + known.width as u32,
                    keeps: !self.inputs.contains(&offset),
                    is_reset_known: true,
                    is_wanted: false,
                    written: None,
                });
            }
        }
    }

    fn is_relied_upon(&self, known: Option<&ChipRegister>) -> bool {
        let both = self.chip.zip(known);
        both.is_some_and(|(chip, known)| chip.is_relied_upon(known))
    }

    fn watch(&mut self, register: Register) {
        self.extend(register.offsets.clone());
        let known = self.by_name.entry(register.name.clone());
        known.or_insert(self.all.len());
        self.all.push(register);
    }

    fn extend(&mut self, offsets: Range<u32>) {
        if offsets.is_empty() {
            return;
        }
        self.span = match self.span.is_empty() {
            true => offsets,
            false => self.span.start.min(offsets.start)..self.span.end.max(offsets.end),
        };
    }

    /// The register of that name.
    pub(super) fn named(&self, name: &str) -> Option<usize> {
        self.by_name.get(name).copied()
    }

    /// Whether an offset may be that of a register; most are not.
    pub(super) fn are_near(&self, offset: u32) -> bool {
        self.span.contains(&offset)
    }

    /// The register that an offset lies in.
    pub(super) fn at(&self, offset: u32) -> Option<usize> {
        let mut all = self.all.iter();
        all.position(|register| register.offsets.contains(&offset))
    }

    /// A register at an address, whose name is that, is written for the first time.
    pub(super) fn discover(&mut self, offset: u32) -> Option<usize> {
        if !self.watches_windows {
            return None;
        }
        let layout = self.image.layout();
        layout
            .segment(offset)
            .filter(|segment| segment.kind == SegmentKind::Window)?;
        let address = layout.address(offset);
        let known = self.chip.and_then(|chip| chip.register_at(address));
        let is_started =
            (self.chip.zip(known)).is_some_and(|(chip, known)| chip.startup.contains(&known.name));
        if is_started {
            return None;
        }
        self.watch(Register {
            name: format!("{address:#06x}"),
            offsets: offset..offset + 1,
            keeps: !self.inputs.contains(&offset),
            is_reset_known: known.is_some_and(|known| known.reset.is_some()),
            is_wanted: true,
            written: None,
        });
        Some(self.all.len() - 1)
    }

    /// The registers that the one at an offset needs, each with its name.
    pub(super) fn needed_at(&self, offset: u32) -> Vec<(usize, String)> {
        let Some(user) = self.users.get(&offset) else {
            return Vec::new();
        };
        let needed = user.needs.iter().filter_map(|name| self.named(name));
        needed.map(|needed| (needed, user.name.clone())).collect()
    }

    /// Some bytes of a register are written.
    pub(super) fn write(&mut self, index: usize, written: Written, offset: u32, new: &[u8]) {
        let register = &mut self.all[index];
        // How wide a register at an address is, the accesses tell.
        register.offsets.end = register.offsets.end.max(offset + new.len() as u32);
        let before = register.written.map_or(0, |written| written.value);
        let mut bytes = before.to_le_bytes();
        let start = (offset - register.offsets.start) as usize;
        for (byte, new) in bytes.iter_mut().skip(start).zip(new) {
            *byte = *new;
        }
        register.written = Some(Written {
            value: u64::from_le_bytes(bytes),
            ..written
        });
        let offsets = register.offsets.clone();
        self.extend(offsets);
    }

    /// The last write of a register.
    pub(super) fn written(&self, index: usize) -> Option<Written> {
        self.all[index].written
    }

    /// Whether reading a register relies on what was written.
    pub(super) fn keeps(&self, index: usize) -> bool {
        self.all[index].keeps
    }

    /// Whether what a register holds after a reset is known.
    pub(super) fn is_reset_known(&self, index: usize) -> bool {
        self.all[index].is_reset_known
    }

    /// Whether the scenario asks for a register, and not only the chip.
    pub(super) fn is_wanted(&self, index: usize) -> bool {
        self.all[index].is_wanted
    }

    /// What a register is called.
    pub(super) fn name(&self, index: usize) -> &str {
        &self.all[index].name
    }

    /// Where a register is.
    pub(super) fn offsets_of(&self, index: usize) -> Range<u32> {
        self.all[index].offsets.clone()
    }

    /// Where all registers are.
    pub(super) fn offsets(&self) -> Vec<Range<u32>> {
        let all = self.all.iter();
        all.map(|register| register.offsets.clone()).collect()
    }
}
