//! Device registers that are inputs or outputs: those that `mmio` says, for all or one by one, those of a chip, and those
//! that the program waits for.

use std::collections::{BTreeMap, BTreeSet};

use super::Resolver;
use crate::chips::{Chip, ChipRegister};
use crate::effect::Effect;
use crate::scenario::{Input, Memory, Mmio, Output, Source};
use crate::schema::Settings;
use crate::values::ValueSource;

/// What a register is.
#[derive(Clone, Copy)]
struct Kind {
    mmio: Mmio,
    /// The bits that are meant, if not all are.
    mask: Option<u64>,
    /// Whether nothing says so but that the program waits for these bits.
    is_awaited: bool,
}

impl Kind {
    const fn of(mmio: Mmio) -> Self {
        Self {
            mmio,
            mask: None,
            is_awaited: false,
        }
    }
}

/// Registers by name or address.
type Kinds = BTreeMap<String, Kind>;

/// Adds the registers that are inputs or outputs to those that are described; gives those of which nothing is known but
/// that the program waits for them.
pub(super) fn device_registers(
    resolver: &mut Resolver<'_>,
    settings: &Settings,
    memory: &Memory,
    inputs: &mut Vec<Input>,
    outputs: &mut Vec<Output>,
) -> BTreeSet<String> {
    let mut kinds = match (&settings.mmio, &settings.chip) {
        (Some(mmio), _) => of_all(resolver, mmio.value),
        (None, Some(chip)) => of_chip(resolver, chip.value, memory),
        (None, None) => of_family(resolver),
    };
    add_awaited(resolver, memory, &mut kinds);
    add_described(resolver, settings, &mut kinds);
    let (mut random, mut vectors, mut waits) = (Vec::new(), Vec::new(), Vec::new());
    for (name, kind) in kinds {
        let source = Source::register(&name);
        let described = inputs.iter().any(|input| input.source.is_same(&source))
            || outputs.iter().any(|output| output.source.is_same(&source));
        match kind.mmio {
            _ if described => {}
            Mmio::Input => {
                let seed = (random.len() + waits.len()) as u64;
                let values = values(&name, kind, seed);
                match (kind.is_awaited, is_vector(&name)) {
                    (true, _) => waits.push(name),
                    (false, true) => vectors.push(name),
                    (false, false) => random.push(name),
                }
                inputs.push(Input {
                    source,
                    values,
                    mask: kind.mask,
                    fills: None,
                    model: None,
                    is_declared: false,
                });
            }
            Mmio::Output => outputs.push(Output {
                source,
                semantics: None,
                mask: kind.mask,
                effect: Effect::default(),
                takes: None,
            }),
            Mmio::State => {}
        }
    }
    let awaited = waits.iter().cloned().collect();
    let given = [
        (random, "pseudo-random input over its type"),
        (
            vectors,
            "says which interrupt it was: 2, 4, 6 and so on in turn",
        ),
        (
            waits,
            "the hardware changes the bits that the program waits for",
        ),
    ];
    for (names, what) in given {
        if let Some(first) = names.first() {
            let more = match names.len() {
                1 => String::new(),
                count => format!(" and {} more", count - 1),
            };
            resolver.note(format!("device register `{first}`{more}: {what}"));
        }
    }
    awaited
}

/// All registers are of one kind.
fn of_all(resolver: &Resolver<'_>, mmio: Mmio) -> Kinds {
    let globals = resolver.globals.values();
    let external = globals.filter(|global| global.is_external);
    let names = external.map(|global| global.name.to_owned());
    let addresses = resolver.addresses.iter().map(|&address| spelled(address));
    let names = names.chain(addresses);
    names.map(|name| (name, Kind::of(mmio))).collect()
}

/// What a program reads and never writes comes from outside; what it writes may leave the chip.
fn of_chip(resolver: &Resolver<'_>, chip: &Chip, memory: &Memory) -> Kinds {
    let globals = resolver.globals.values();
    let globals = globals.filter(|global| global.is_external);
    let read = globals.clone().filter(|global| global.is_only_read);
    let read = read.filter(|global| !chip.computes(global.name));
    let read = read.map(|global| global.name.to_owned());
    let is_named = |register: Option<&ChipRegister>| {
        register.is_some_and(|register| resolver.globals.contains_key(register.name.as_str()))
    };
    let read_addresses = resolver.read_addresses.iter().copied();
    let read_addresses = read_addresses
        .filter(|&address| !memory.is_mapped(address) && !is_named(chip.register_at(address)));
    let read = read.chain(read_addresses.map(spelled));
    let leaves = |register: Option<&ChipRegister>| register.is_some_and(|one| one.output);
    let written = globals.filter(|global| !global.is_only_read);
    let written = written.filter(|global| leaves(chip.register(global.name)));
    let written = written.map(|global| global.name.to_owned());
    let addresses = resolver.addresses.iter().copied();
    let addresses = addresses.filter(|&address| leaves(chip.register_at(address)));
    let written = written.chain(addresses.map(spelled));
    let mut kinds: Kinds = read.map(|name| (name, Kind::of(Mmio::Input))).collect();
    kinds.extend(written.map(|name| (name, Kind::of(Mmio::Output))));
    kinds
}

/// Nobody names the chip: what is written into a register of which some chip of the target says that it leaves the device
/// does so, and those that say which interrupt it was do that. Only names say which register is meant: addresses differ from
/// chip to chip.
fn of_family(resolver: &Resolver<'_>) -> Kinds {
    let processor = resolver.target.split('-').next();
    let family = Chip::all()
        .iter()
        .filter(|chip| Some(chip.target.as_str()) == processor);
    let registers = family.clone().flat_map(|chip| &chip.registers);
    let names = |registers: &mut dyn Iterator<Item = &'static ChipRegister>| -> BTreeSet<&str> {
        registers.map(|register| register.name.as_str()).collect()
    };
    let leaving = names(&mut registers.clone().filter(|register| register.output));
    let vectors = names(&mut registers.filter(|register| is_vector(&register.name)));
    let is_computed = |name: &str| family.clone().any(|chip| chip.computes(name));
    let globals = resolver.globals.values();
    let external = globals.filter(|global| global.is_external);
    let kinds = external.filter_map(|global| {
        let name = global.name;
        let mmio = match global.is_only_read {
            true if vectors.contains(name) && !is_computed(name) => Mmio::Input,
            false if leaving.contains(name) => Mmio::Output,
            _ => return None,
        };
        Some((name.to_owned(), Kind::of(mmio)))
    });
    kinds.collect()
}

/// What a program waits for comes from outside, also in registers that it writes.
fn add_awaited(resolver: &Resolver<'_>, memory: &Memory, kinds: &mut Kinds) {
    for (name, bits) in resolver.polled {
        let is_memory = match Source::register(name) {
            Source::Address { address, .. } => memory.is_mapped(address),
            _ => memory.is_nonvolatile(name),
        };
        if !is_memory && known(kinds, name).is_none() {
            let kind = Kind {
                mmio: Mmio::Input,
                mask: Some(*bits),
                is_awaited: true,
            };
            kinds.insert(name.clone(), kind);
        }
    }
}

/// `[[register]]` comes before everything else.
fn add_described(resolver: &mut Resolver<'_>, settings: &Settings, kinds: &mut Kinds) {
    for register in settings.registers.iter().flatten() {
        let (Some(name), Some(mmio)) = (&register.name, &register.mmio) else {
            continue;
        };
        let kind = Kind {
            mask: register.mask.as_ref().map(|mask| mask.value),
            ..Kind::of(mmio.value)
        };
        for name in resolver.registers("register.name", std::slice::from_ref(name)) {
            kinds.insert(known(kinds, &name).unwrap_or(name), kind);
        }
    }
}

/// How a register is called there, however its address is written.
fn known(kinds: &Kinds, name: &str) -> Option<String> {
    let source = Source::register(name);
    let mut names = kinds.keys();
    let known = names.find(|other| Source::register(other).is_same(&source));
    known.cloned()
}

fn spelled(address: u64) -> String {
    format!("{address:#06x}")
}

/// Of so many bits each means something by itself.
const FLAGS: u32 = 4;

/// Bits that come and go, together and one without the other, so that every wait ends soon.
const COMING_AND_GOING: [i64; 10] = [0, -1, 0x5555, -1, 0, 0x2aaa, -1, 0x5555, 0x2aaa, 0];

/// What a register gives of which nobody says it.
fn values(name: &str, kind: Kind, seed: u64) -> ValueSource {
    let flags = kind.mask.filter(|bits| bits.count_ones() <= FLAGS);
    match (kind.is_awaited, flags) {
        (true, Some(_)) => ValueSource::Cycle(COMING_AND_GOING.to_vec()),
        (false, _) if is_vector(name) => {
            ValueSource::Cycle((1..=reasons(name)).map(|reason| 2 * reason).collect())
        }
        _ => ValueSource::Random { seed },
    }
}

/// How many reasons a peripheral has to interrupt: its register gives an even number for each.
fn reasons(name: &str) -> i64 {
    match name {
        "ADC12IV" => 38,
        name if name.starts_with("UCB") => 15,
        _ => 8,
    }
}

/// Whether a register is one of these, by its name: `TA0IV`, `UCB0IV`, `P1IV` and so on.
fn is_vector(name: &str) -> bool {
    name.strip_suffix("IV").is_some_and(|peripheral| {
        peripheral
            .chars()
            .all(|c| c.is_ascii_uppercase() || c.is_ascii_digit())
    })
}
