//! `brownout dump memory`: where every object is, whether a power failure spares it and why, and
//! whether a checkpoint saves it.
//!
//! What `brownout_checkpoint_with` saves is seen by executing the program.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::ops::ControlFlow;

use brownout_ir::{Global, GlobalData, Origin};
use brownout_scenario::{Saves, Scenario};
use brownout_vm::{Image, Machine, Moment, Observer, SegmentKind, Stop};

use crate::check::plural;
use crate::ready::{self, Ready};

/// Instructions that are executed to see what checkpoints save.
const LIMIT: u64 = 20_000_000;

/// The table and the totals.
pub(crate) fn text(ready: &Ready) -> String {
    let Ready { scenario, image } = ready;
    let mut seen = Saved::default();
    let mut machine = Machine::new(image);
    let stop = machine.watch(&mut seen, LIMIT);
    let mut rows: Vec<[String; 6]> = Vec::new();
    let mut totals: BTreeMap<&'static str, (u64, u64)> = BTreeMap::new();
    for (global, data) in image.program().globals.iter() {
        // The texts of annotations are no objects of the device.
        if data.origin != Origin::User || data.section.as_deref() == Some("llvm.metadata") {
            continue;
        }
        let kind = Kind::of(data, scenario);
        let total = totals.entry(kind.name()).or_default();
        *total = (total.0 + 1, total.1 + data.size);
        rows.push([
            kind.segment(data),
            data.variable.clone().unwrap_or_else(|| data.name.clone()),
            data.size.to_string(),
            kind.name().to_owned(),
            kind.why(data, scenario),
            saved(global, data, kind, image, scenario, &seen),
        ]);
    }
    rows.sort();
    let (stack, heap) = machine.memory_use();
    for (kind, nonvolatile, used) in [
        (SegmentKind::Stack, scenario.memory.stack, stack),
        (SegmentKind::Heap, scenario.memory.heap, heap),
    ] {
        let name = match kind {
            SegmentKind::Stack => "stack",
            _ => "heap",
        };
        let size = size_of(image, kind);
        rows.push([
            name.to_owned(),
            format!("({used} bytes used in this run)"),
            size.to_string(),
            if nonvolatile {
                "non-volatile"
            } else {
                "volatile"
            }
            .to_owned(),
            if nonvolatile {
                format!("`{name}` is listed in memory.nonvolatile")
            } else {
                format!("`{name}` is not listed in memory.nonvolatile")
            },
            if nonvolatile {
                "never"
            } else {
                "every checkpoint"
            }
            .to_owned(),
        ]);
    }
    let mut text = table(&rows);
    text.push('\n');
    for (name, (count, bytes)) in totals {
        let _ = writeln!(
            text,
            "{name}: {} in {}",
            plural(bytes, "byte"),
            plural(count, "object")
        );
    }
    capacity(&mut text, image);
    if !matches!(stop, Stop::Exited { .. }) {
        let _ = writeln!(
            text,
            "note: what checkpoints save was seen in {} instructions, at the end of which the program had not exited",
            machine.now()
        );
    }
    text
}

/// How much of the address space is taken.
fn capacity(text: &mut String, image: &Image) {
    let segments = image.layout().segments().iter();
    let taken: u64 = segments
        .filter(|segment| !matches!(segment.kind, SegmentKind::Window | SegmentKind::Registers))
        .map(|segment| u64::from(segment.offsets.end - segment.offsets.start))
        .sum();
    let bits = u32::from(image.program().target.pointer_bits);
    match 1u64.checked_shl(bits) {
        Some(space) => {
            let _ = writeln!(
                text,
                "in all: {taken} of {space} bytes that the device can address"
            );
        }
        None => {
            let _ = writeln!(text, "in all: {taken} bytes");
        }
    }
}

fn size_of(image: &Image, kind: SegmentKind) -> u32 {
    let segments = image.layout().segments().iter();
    segments
        .filter(|segment| segment.kind == kind)
        .map(|segment| segment.offsets.end - segment.offsets.start)
        .sum()
}

/// What becomes of an object.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Constant,
    Register,
    Nonvolatile,
    Volatile,
}

impl Kind {
    fn of(data: &GlobalData, scenario: &Scenario) -> Self {
        match (&data.init, data.constant) {
            (None, _) => Self::Register,
            (_, true) => Self::Constant,
            _ if scenario.memory.is_nonvolatile(&data.name) => Self::Nonvolatile,
            _ => Self::Volatile,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Constant => "constant",
            Self::Register => "device register",
            Self::Nonvolatile => "non-volatile",
            Self::Volatile => "volatile",
        }
    }

    fn segment(self, data: &GlobalData) -> String {
        match (self, &data.section) {
            (_, Some(section)) => section.clone(),
            (Self::Constant, None) => "constants".to_owned(),
            (Self::Register, None) => "registers".to_owned(),
            (_, None) => "globals".to_owned(),
        }
    }

    fn why(self, data: &GlobalData, scenario: &Scenario) -> String {
        let listed = &scenario.memory.nonvolatile;
        match self {
            Self::Constant => "never written".to_owned(),
            Self::Register => "declared only".to_owned(),
            Self::Nonvolatile => {
                if data.annotations.iter().any(|text| text == "brownout:nv") {
                    return "BROWNOUT_NV".to_owned();
                }
                let section = data.section.as_ref().map(|name| format!("section:{name}"));
                let named = |entry: &&String| {
                    Some(*entry) == section.as_ref()
                        || entry.strip_prefix("symbol:") == Some(data.name.as_str())
                };
                let any = |entry: &&String| *entry == "globals" || entry.contains('*');
                let entry = listed
                    .iter()
                    .find(named)
                    .or_else(|| listed.iter().find(any));
                match entry {
                    Some(entry) => format!("`{entry}` is listed in memory.nonvolatile"),
                    None => "its section is non-volatile".to_owned(),
                }
            }
            Self::Volatile => {
                let taken_out = format!("!symbol:{}", data.name);
                if listed.contains(&taken_out) {
                    format!("`{taken_out}` is listed in memory.nonvolatile")
                } else {
                    "nothing says that it is non-volatile".to_owned()
                }
            }
        }
    }
}

/// What checkpoints save beyond volatile memory.
#[derive(Default)]
struct Saved {
    /// Offset, size, and the call.
    ranges: BTreeSet<(u32, u32, u32)>,
}

impl Observer for Saved {
    fn checkpoint(&mut self, at: Moment, saves: &[(u32, u32)]) -> ControlFlow<()> {
        let ranges = saves.iter().map(|&(offset, size)| (offset, size, at.pc));
        self.ranges.extend(ranges);
        ControlFlow::Continue(())
    }
}

fn saved(
    global: Global,
    data: &GlobalData,
    kind: Kind,
    image: &Image,
    scenario: &Scenario,
    seen: &Saved,
) -> String {
    match kind {
        Kind::Constant => return "needs none".to_owned(),
        Kind::Register => return "never".to_owned(),
        Kind::Volatile => return "every checkpoint".to_owned(),
        Kind::Nonvolatile => {}
    }
    match &scenario.power.saves {
        Saves::Everything => return "every checkpoint".to_owned(),
        Saves::Symbols(names) if names.contains(&data.name) => {
            return "every checkpoint".to_owned();
        }
        Saves::Symbols(_) => {}
    }
    let layout = image.layout();
    let address = layout.global(global);
    let end = address + data.size;
    let overlaps = |&&(offset, size, _): &&(u32, u32, u32)| {
        let start = layout.address(offset);
        start < end && address < start + u64::from(size)
    };
    let source = &image.program().source;
    let places: BTreeSet<String> = seen
        .ranges
        .iter()
        .filter(overlaps)
        .filter_map(|&(_, _, pc)| Some(ready::describe(source, image.place(pc)?)))
        .collect();
    if places.is_empty() {
        return "never".to_owned();
    }
    places.into_iter().collect::<Vec<_>>().join(", ")
}

/// Rows in columns, under a heading.
fn table(rows: &[[String; 6]]) -> String {
    let heading = [
        "segment", "object", "bytes", "kept as", "because", "saved by",
    ];
    let mut widths = heading.map(|cell| cell.chars().count());
    for row in rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = cell.chars().count().max(*width);
        }
    }
    let mut text = String::new();
    let mut line = |cells: [&str; 6]| {
        let mut row = String::new();
        for (column, (cell, width)) in cells.iter().zip(widths).enumerate() {
            // Numbers stand under each other.
            let _ = match column {
                2 => write!(row, "{cell:>width$}  "),
                _ => write!(row, "{cell:<width$}  "),
            };
        }
        let _ = writeln!(text, "{}", row.trim_end());
    };
    line(heading);
    for row in rows {
        line(row.each_ref().map(String::as_str));
    }
    text
}
