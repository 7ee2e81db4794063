//! Which memory is non-volatile (semantics §1, "segment").
//!
//! Annotated objects are, always. A list in the configuration is then applied in order: each element
//! puts something in or takes it out again; a list that begins by taking out starts from the default.
//! The default is what lies in a section that is non-volatile by custom, and if nothing does and
//! nothing is annotated, all globals.
//!
//! `globals` means the objects that the program defines. External ones are device registers; only
//! a `symbol:` or an annotation makes them non-volatile. Constants are in flash anyway, so that they
//! count with `globals` but do not make the tool believe that the program uses such sections.

use std::collections::BTreeSet;

use super::Resolver;
use crate::error::Problem;
use crate::facts::{Annotation, GlobalFacts};
use crate::glob;
use crate::read::Located;
use crate::scenario::Memory;
use crate::schema::{MemorySettings, Segment, Selection};
use crate::suggest::nearest;

const KEY: &str = "memory.nonvolatile";

/// Sections that compilers, linkers and runtimes keep in non-volatile memory.
const SECTIONS: [&str; 7] = [
    ".nv",
    ".nv_vars",
    ".persistent",
    ".fram",
    ".noinit",
    ".NVM",
    ".TI.persistent",
];

pub(super) fn resolve(
    resolver: &mut Resolver<'_>,
    settings: &MemorySettings,
    target: &str,
) -> Memory {
    let mut memory = Memory {
        atomic_write: match &settings.atomic_write {
            Some(given) => given.value,
            None => Some(word(target)),
        },
        stack_size: settings.stack_size.as_ref().map(|bytes| bytes.value),
        heap_size: settings.heap_size.as_ref().map(|bytes| bytes.value),
        ..Memory::default()
    };
    annotated(resolver, &mut memory);
    match settings.nonvolatile.as_deref() {
        None => default(resolver, &mut memory),
        Some(selections) => {
            if let Some(Selection::TakeOut(_)) = selections.first().map(|first| &first.value) {
                default(resolver, &mut memory);
            }
            for selection in selections {
                apply(resolver, &mut memory, selection);
            }
        }
    }
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

fn default(resolver: &mut Resolver<'_>, memory: &mut Memory) {
    let mut sections = BTreeSet::new();
    for global in resolver
        .globals
        .values()
        .filter(|global| !global.is_constant)
    {
        if let Some(section) = global
            .section
            .filter(|section| is_nonvolatile_section(section))
        {
            memory.nonvolatile_globals.insert(global.name.to_owned());
            sections.insert(format!("section:{section}"));
        }
    }
    memory.nonvolatile.extend(sections);
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

/// Whether custom keeps a section in non-volatile memory.
///
/// A name of the list may be followed by anything that does not continue its last word
/// (`.persistent.count`, `.nv_2`), and may be in a part of the address space (`.lower.persistent`).
/// All of `.upper.` is: that part of an MSP430 is FRAM.
fn is_nonvolatile_section(section: &str) -> bool {
    if section.starts_with(".upper.") {
        return true;
    }
    let section = section
        .strip_prefix(".lower")
        .or_else(|| section.strip_prefix(".either"))
        .unwrap_or(section);
    SECTIONS.iter().any(|known| {
        let (Some(start), Some(rest)) = (section.get(..known.len()), section.get(known.len()..))
        else {
            return false;
        };
        start.eq_ignore_ascii_case(known) && !rest.starts_with(char::is_alphabetic)
    })
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

#[cfg(test)]
mod tests {
    use super::is_nonvolatile_section;

    #[test]
    fn sections_by_custom() {
        let cases = [
            (".nv", true),
            (".nv_vars", true),
            (".nv.count", true),
            (".nvic_table", false),
            (".persistent", true),
            (".persistent.count", true),
            (".persistent1", true),
            (".TI.persistent", true),
            (".fram_vars", true),
            (".FRAM", true),
            (".noinit", true),
            (".NVM", true),
            (".upper.data", true),
            (".upper.bss", true),
            (".lower.persistent", true),
            (".lower.data", false),
            (".either.noinit", true),
            (".data", false),
            (".bss", false),
            ("", false),
            (".pérsistent", false),
        ];
        for (section, expected) in cases {
            assert_eq!(is_nonvolatile_section(section), expected, "{section}");
        }
    }
}
