//! Which memory is non-volatile (semantics §1, "segment").
//!
//! Annotated objects are, always. A list in the configuration is then applied in order: each element
//! puts something in or takes it out again; a list that begins by taking out starts from the default.
//! The default is what lies in a section that is non-volatile by custom ([`crate::sections`]), and if
//! nothing does and nothing is annotated, all globals. What callers of a library pass is non-volatile unless
//! the configuration says that nothing is.
//!
//! `globals` means the objects that the program defines. External ones are device registers; only
//! a `symbol:` or an annotation makes them non-volatile. Constants are in flash anyway, so that they
//! count with `globals` but do not make the tool believe that the program uses such sections.

use std::collections::{BTreeMap, BTreeSet};

use super::Resolver;
use crate::chips::{Chip, Stretch};
use crate::config::Config;
use crate::error::Problem;
use crate::facts::{Annotation, GlobalFacts};
use crate::flash::Flash;
use crate::glob;
use crate::linker::Layout;
use crate::read::Located;
use crate::scenario::{Doubt, Memory};
use crate::schema::{MemorySettings, Segment, Selection};
use crate::sections::{Custom, custom, may_be_set_at_boot, placed_at};
use crate::suggest::nearest;

const KEY: &str = "memory.nonvolatile";

pub(super) fn resolve(resolver: &mut Resolver<'_>, config: &Config, flash: &[Flash]) -> Memory {
    let settings = &config.settings.memory;
    let chip = config.chip();
    let usual = || chip.map_or_else(|| word(resolver.target), |chip| chip.atomic_write);
    let mut memory = Memory {
        atomic_write: match &settings.atomic_write {
            Some(given) => given.value,
            None => Some(usual()),
        },
        chip,
        map: map(config, chip),
        is_atomic_given: settings.atomic_write.is_some(),
        noinit: settings.noinit.as_ref().map(|byte| byte.value),
        stack_size: match &settings.stack_size {
            Some(bytes) => Some(bytes.value),
            None => chip.and_then(|chip| chip.stack_size),
        },
        heap_size: match &settings.heap_size {
            Some(bytes) => Some(bytes.value),
            None => chip.and_then(|chip| chip.heap_size),
        },
        unloaded: (resolver.globals.values())
            .filter(|global| {
                global
                    .section
                    .is_some_and(|it| config.layout.is_unloaded(it))
            })
            .map(|global| global.name.to_owned())
            .collect(),
        ..Memory::default()
    };
    annotated(resolver, &mut memory);
    ghosts(resolver, settings, &mut memory);
    for part in flash {
        memory.nonvolatile_globals.insert(part.object.clone());
        memory.nonvolatile.push(format!("symbol:{}", part.object));
    }
    match settings.nonvolatile.as_deref() {
        None => {
            default(resolver, &mut memory, &config.layout);
            doubt(resolver, &mut memory, &config.layout, &[]);
            set_at_boot(resolver, &memory);
        }
        Some(selections) => {
            if let Some(Selection::TakeOut(_)) = selections.first().map(|first| &first.value) {
                default(resolver, &mut memory, &config.layout);
                doubt(resolver, &mut memory, &config.layout, selections);
            }
            for selection in selections {
                apply(resolver, &mut memory, selection);
            }
        }
    }
    memory.passed = settings.nonvolatile.is_none() || !memory.nonvolatile.is_empty();
    memory
}

/// The widest store that processors of a target do in one piece.
fn word(target: &str) -> u32 {
    match target.split('-').next() {
        Some("msp430") => 2,
        Some("x86_64") => 8,
        _ => 4,
    }
}

fn annotated(resolver: &Resolver<'_>, memory: &mut Memory) {
    for global in resolver.globals.values() {
        let mut annotations = Annotation::all(global.annotations);
        if annotations.any(|annotation| annotation == Ok(Annotation::Nonvolatile)) {
            memory.nonvolatile_globals.insert(global.name.to_owned());
            memory.nonvolatile.push(format!("symbol:{}", global.name));
        }
    }
}

/// What is at fixed addresses: what the configuration says comes first.
fn map(config: &Config, chip: Option<&Chip>) -> Vec<Stretch> {
    let given = config.settings.memory.map.iter().flatten();
    let given = given.filter_map(|stretch| {
        let (start, size) = (stretch.at.as_ref()?.value, stretch.size.as_ref()?.value);
        Some(Stretch {
            name: String::new(),
            addresses: start..start.saturating_add(size),
            nonvolatile: stretch.nonvolatile.as_ref().is_some_and(|is| is.value),
            image: (stretch.image.as_ref())
                .and_then(|path| config.images.get(&path.value).cloned()),
        })
    });
    let chips = chip
        .into_iter()
        .flat_map(|chip| chip.memory.iter().cloned());
    given.chain(chips).collect()
}

/// Objects at addresses that are known to be non-volatile.
fn placed(resolver: &mut Resolver<'_>, memory: &mut Memory) {
    let mut found = Vec::new();
    for global in resolver.globals.values() {
        let address = global.section.and_then(placed_at);
        if address.is_some_and(|address| memory.is_nonvolatile_at(address)) {
            found.push(global.name.to_owned());
        }
    }
    for name in found {
        memory.nonvolatile.push(format!("symbol:{name}"));
        memory.nonvolatile_globals.insert(name);
    }
}

/// The notebook of a test: what annotations and `memory.ghost` say.
fn ghosts(resolver: &mut Resolver<'_>, settings: &MemorySettings, memory: &mut Memory) {
    for global in resolver.globals.values() {
        let mut annotations = Annotation::all(global.annotations);
        if annotations.any(|annotation| annotation == Ok(Annotation::Ghost)) {
            memory.ghosts.insert(global.name.to_owned());
        }
    }
    let named = settings.ghost.as_deref().unwrap_or(&[]);
    let named = resolver.symbols("memory.ghost", named);
    memory.ghosts.extend(named);
}

/// Whether a section keeps its contents without power, as far as its address or a linker script says so.
fn by_place(section: &str, memory: &Memory, layout: &Layout) -> Option<bool> {
    if let Some(address) = placed_at(section) {
        let is_known = memory.is_mapped(address);
        return is_known.then(|| memory.is_nonvolatile_at(address));
    }
    let region = layout.region(section)?;
    match region.origin.filter(|&origin| memory.is_mapped(origin)) {
        Some(origin) => Some(memory.is_nonvolatile_at(origin)),
        // That a region does not sound non-volatile proves nothing.
        None => (custom(&region.name) == Custom::Nonvolatile).then_some(true),
    }
}

fn default(resolver: &mut Resolver<'_>, memory: &mut Memory, layout: &Layout) {
    placed(resolver, memory);
    let mut sections = BTreeSet::new();
    for global in resolver
        .globals
        .values()
        .filter(|global| !global.is_constant)
    {
        // What is at an address is known better than by the name of its section.
        let is_kept = |section: &&str| match by_place(section, memory, layout) {
            Some(is_kept) => is_kept && placed_at(section).is_none(),
            None => custom(section) == Custom::Nonvolatile,
        };
        if let Some(section) = global.section.filter(is_kept) {
            memory.nonvolatile_globals.insert(global.name.to_owned());
            sections.insert(format!("section:{section}"));
        }
    }
    memory.nonvolatile.extend(sections);
    if memory.nonvolatile.is_empty() && memory.map.iter().any(|stretch| stretch.nonvolatile) {
        // What memory is made of is known: plain globals are in RAM. Whoever writes a map means it; a chip has more
        // than its program uses.
        let mut map = memory.map.iter();
        let is_given = map.any(|stretch| stretch.nonvolatile && stretch.is_given());
        memory.is_assumed = !is_given && resolver.accesses_nowhere_nonvolatile(memory);
        return;
    }
    if memory.nonvolatile.is_empty() {
        put(
            memory,
            &Segment::Globals,
            resolver.globals.values().copied(),
        );
        memory.nonvolatile.push("globals".to_owned());
        memory.is_assumed = true;
        resolver.note(
            "no object is in a non-volatile section: all globals are taken to be non-volatile"
                .to_owned(),
        );
    }
}

/// Whether this is no section, but the pragma or the attribute that would say which one it is.
fn is_not_understood(section: &str) -> bool {
    section.starts_with("#pragma ") || section.starts_with("__attribute__")
}

/// Points out sections that may be non-volatile and are not taken to be, but for those that the configuration names.
fn doubt(
    resolver: &mut Resolver<'_>,
    memory: &mut Memory,
    layout: &Layout,
    selections: &[Located<Selection>],
) {
    let mut doubtful: BTreeMap<&str, Vec<&GlobalFacts<'_>>> = BTreeMap::new();
    for global in resolver.globals.values() {
        let Some(section) = global.section else {
            continue;
        };
        let kept = !memory.is_assumed && memory.nonvolatile_globals.contains(global.name);
        let is_known = by_place(section, memory, layout).is_some();
        let is_named = selections.iter().any(|selection| match &selection.value {
            Selection::Put(segment) | Selection::TakeOut(segment) => contains(segment, global),
        });
        if !kept
            && !is_known
            && !is_named
            && !global.is_constant
            && matches!(custom(section), Custom::Suspect | Custom::Unknown)
        {
            doubtful.entry(section).or_default().push(global);
        }
    }
    let mut notes = Vec::new();
    for (section, globals) in doubtful {
        let is_section = !is_not_understood(section);
        // What nobody writes is the same after every boot.
        let written = globals.iter().filter(|global| !global.is_only_read);
        let written: Vec<String> = written.map(|global| global.name.to_owned()).collect();
        if !written.is_empty() {
            memory.doubts.push(Doubt {
                words: section.to_owned(),
                objects: written,
                is_section,
                is_at_address: placed_at(section).is_some(),
                is_serious: !is_section || custom(section) == Custom::Suspect,
            });
        }
        let names: Vec<String> = (globals.iter())
            .map(|global| format!("`{}`", global.name))
            .collect();
        let looks = match custom(section) {
            Custom::Suspect => ", although its name looks non-volatile",
            Custom::Nonvolatile | Custom::Unknown | Custom::Volatile => "",
        };
        if !is_section {
            notes.push(format!(
                "what `{section}` says of {} is not understood: taken to be volatile, `--nv symbol:{}` if it is not",
                names.join(", "),
                names[0].trim_matches('`')
            ));
            continue;
        }
        if memory.is_assumed {
            notes.push(format!(
                "section `{section}` ({}) is not known: `--nv section:{section}` if it is non-volatile",
                names.join(", ")
            ));
            continue;
        }
        notes.push(format!(
            "section `{section}` ({}) is taken to be volatile{looks}: `--nv section:{section}` if it is not",
            names.join(", ")
        ));
    }
    for note in notes {
        resolver.note(note);
    }
}

/// Says that sections which some start-up code sets at every boot are taken to keep what they hold.
fn set_at_boot(resolver: &mut Resolver<'_>, memory: &Memory) {
    let mut assumed: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for global in resolver.globals.values() {
        let Some(section) = global.section.filter(|it| may_be_set_at_boot(it)) else {
            continue;
        };
        if memory.nonvolatile_globals.contains(global.name) {
            let names = assumed.entry(section).or_default();
            names.push(format!("`{}`", global.name));
        }
    }
    for (section, names) in assumed {
        resolver.note(format!(
            "section `{section}` ({}) is taken to keep what it holds: `--nv '!section:{section}'` if start-up code sets \
             it at every boot, as GCC's does",
            names.join(", ")
        ));
    }
}

fn apply(resolver: &mut Resolver<'_>, memory: &mut Memory, selection: &Located<Selection>) {
    let (Selection::Put(segment) | Selection::TakeOut(segment)) = &selection.value;
    check(resolver, segment, selection);
    let globals = resolver.globals.values().copied();
    let words = match &selection.value {
        Selection::Put(segment) => {
            put(memory, segment, globals);
            describe(segment)
        }
        Selection::TakeOut(segment) => {
            take_out(memory, segment);
            for global in globals.filter(|global| contains(segment, global)) {
                memory.nonvolatile_globals.remove(global.name);
            }
            format!("!{}", describe(segment))
        }
    };
    if !memory.nonvolatile.contains(&words) {
        memory.nonvolatile.push(words);
    }
}

/// A section or symbol that the program does not have is a slip.
fn check(resolver: &mut Resolver<'_>, segment: &Segment, selection: &Located<Selection>) {
    if resolver
        .globals
        .values()
        .any(|global| contains(segment, global))
    {
        return;
    }
    let problem = match segment {
        Segment::Globals | Segment::Stack | Segment::Heap => return,
        Segment::Section(name) => {
            let sections = resolver
                .globals
                .values()
                .filter_map(|global| global.section);
            let nearest = nearest(name, sections).map(str::to_owned);
            let name = name.clone();
            Problem::UnknownSection { name, nearest }
        }
        Segment::Symbol(name) => {
            let nearest = nearest(name, resolver.globals.keys().copied()).map(str::to_owned);
            let name = name.clone();
            Problem::UnknownSymbol { name, nearest }
        }
    };
    resolver.report(KEY, selection.place, problem);
}

fn put<'a>(
    memory: &mut Memory,
    segment: &Segment,
    globals: impl Iterator<Item = &'a GlobalFacts<'a>>,
) {
    match segment {
        Segment::Stack => memory.stack = true,
        Segment::Heap => memory.heap = true,
        Segment::Globals | Segment::Section(_) | Segment::Symbol(_) => {}
    }
    let chosen = globals.filter(|global| contains(segment, global));
    let names = chosen.map(|global| global.name.to_owned());
    memory.nonvolatile_globals.extend(names);
}

fn take_out(memory: &mut Memory, segment: &Segment) {
    match segment {
        Segment::Stack => memory.stack = false,
        Segment::Heap => memory.heap = false,
        Segment::Globals | Segment::Section(_) | Segment::Symbol(_) => {}
    }
}

fn contains(segment: &Segment, global: &GlobalFacts<'_>) -> bool {
    match segment {
        Segment::Globals => !global.is_external,
        Segment::Stack | Segment::Heap => false,
        Segment::Section(pattern) => global
            .section
            .is_some_and(|section| glob::matches(pattern, section)),
        Segment::Symbol(pattern) => glob::matches(pattern, global.name),
    }
}

fn describe(segment: &Segment) -> String {
    match segment {
        Segment::Globals => "globals".to_owned(),
        Segment::Stack => "stack".to_owned(),
        Segment::Heap => "heap".to_owned(),
        Segment::Section(name) => format!("section:{name}"),
        Segment::Symbol(name) => format!("symbol:{name}"),
    }
}
