//! `brownout dump memory`: where every object is, whether a power failure spares it and why, and
//! whether a checkpoint saves it.
//!
//! What `brownout_checkpoint_with` saves is seen by executing the program.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::ops::ControlFlow;

use brownout_device::Ready;
use brownout_diag::plural;
use brownout_ir::{Global, GlobalData, Origin};
use brownout_scenario::{Saves, Scenario};
use brownout_vm::{Image, Machine, Moment, Observer, SegmentKind, Stop};

/// Instructions that are executed to see what checkpoints save.
const LIMIT: u64 = 20_000_000;

/// The table and the totals.
pub(crate) fn text(ready: &Ready) -> String {
    let Ready { scenario, image } = ready;
    let mut seen = Saved::default();
    let mut machine = Machine::new(image);
    let stop = machine.watch(&mut seen, LIMIT);
    let mut rows: Vec<[String; 6]> = Vec::new();
    let mut segments: BTreeMap<String, (u64, u64)> = BTreeMap::new();
    let mut nonvolatile = 0;
    let mut literals = (0u64, 0);
    for (global, data) in image.program().globals.iter() {
        // The texts of annotations are no objects of the device.
        if data.origin != Origin::User || data.section.as_deref() == Some("llvm.metadata") {
            continue;
        }
        let kind = Kind::of(data, scenario);
        if kind == Kind::Nonvolatile {
            nonvolatile += data.size;
        }
        // Device registers take no memory.
        if kind != Kind::Register || data.section.is_some() {
            let segment = segments.entry(kind.segment(data)).or_default();
            *segment = (segment.0 + 1, segment.1 + data.size);
        }
        if is_literal(kind, data) {
            literals = (literals.0 + 1, literals.1 + data.size);
            continue;
        }
        rows.push([
            kind.segment(data),
            data.variable.clone().unwrap_or_else(|| data.name.clone()),
            data.size.to_string(),
            kind.name().to_owned(),
            kind.why(data, scenario),
            saved(global, data, kind, image, scenario, &seen),
        ]);
    }
    if literals.0 > 0 {
        rows.push([
            "constants".to_owned(),
            format!("({})", plural(literals.0, "text")),
            literals.1.to_string(),
            Kind::Constant.name().to_owned(),
            "never written".to_owned(),
            "needs none".to_owned(),
        ]);
    }
    rows.sort();
    let (stack, heap) = machine.memory_use();
    let stacks = [
        (SegmentKind::Stack, scenario.memory.stack, stack),
        (SegmentKind::Heap, scenario.memory.heap, heap),
    ];
    for (kind, survives, _) in stacks {
        let size = u64::from(size_of(image, kind));
        let (kept, why, saved) = if survives {
            nonvolatile += size;
            let why = format!("`{}` is non-volatile", name(kind));
            (Kind::Nonvolatile, why, "never")
        } else {
            let why = NOTHING_SAYS.to_owned();
            (Kind::Volatile, why, "every checkpoint")
        };
        rows.push([
            name(kind).to_owned(),
            String::new(),
            size.to_string(),
            kept.name().to_owned(),
            why,
            saved.to_owned(),
        ]);
    }
    let heading = [
        "segment", "object", "bytes", "kept as", "because", "saved by",
    ];
    let mut text = table(&heading, &rows);
    text.push('\n');
    text += &totals(image, segments, stacks);
    let _ = writeln!(text, "non-volatile: {}", plural(nonvolatile, "byte"));
    if !matches!(stop, Stop::Exited { .. }) {
        let _ = writeln!(
            text,
            "note: what checkpoints save was seen in {} instructions, at the end of which the program had not exited",
            machine.now()
        );
    }
    text
}

const NOTHING_SAYS: &str = "nothing says that it is non-volatile";

/// Texts between quotes have no name; nobody wants them one by one.
fn is_literal(kind: Kind, data: &GlobalData) -> bool {
    kind == Kind::Constant && data.variable.is_none() && data.name.contains(".str")
}

fn name(kind: SegmentKind) -> &'static str {
    match kind {
        SegmentKind::Stack => "stack",
        _ => "heap",
    }
}

/// A line for each segment, and how much of the address space they take.
fn totals(
    image: &Image,
    segments: BTreeMap<String, (u64, u64)>,
    stacks: [(SegmentKind, bool, u64); 2],
) -> String {
    let row = |name: &str, count: u64, bytes: u64, remark: String| {
        let count = match count {
            0 => String::new(),
            count => count.to_string(),
        };
        [name.to_owned(), count, bytes.to_string(), remark]
    };
    let of_program: u64 = segments.values().map(|(_, bytes)| bytes).sum();
    let mut rows: Vec<[String; 4]> = segments
        .iter()
        .map(|(name, &(count, bytes))| row(name, count, bytes, String::new()))
        .collect();
    let data = [SegmentKind::Constants, SegmentKind::Globals].map(|kind| size_of(image, kind));
    let data: u64 = data.into_iter().map(u64::from).sum();
    let library = data.saturating_sub(of_program);
    if library > 0 {
        rows.push(row("C library, alignment", 0, library, String::new()));
    }
    let mut all = data.max(of_program);
    for (kind, _, used) in stacks {
        let size = u64::from(size_of(image, kind));
        all += size;
        let remark = format!("{used} used in this run");
        rows.push(row(name(kind), 0, size, remark));
    }
    let bits = u32::from(image.program().target.pointer_bits);
    let space = 1u64.checked_shl(bits);
    let remark = space.map(|space| format!("of {space} that the device can address"));
    rows.push(row("in all", 0, all, remark.unwrap_or_default()));
    table(&["segment", "objects", "bytes", ""], &rows)
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
                match entry.map(|entry| (entry.as_str(), entry.split_once(':'))) {
                    Some(("globals", _)) => "all globals are non-volatile".to_owned(),
                    Some((_, Some(("section", name)))) => {
                        format!("section `{name}` is non-volatile")
                    }
                    Some((entry, _)) => format!("`{entry}` is non-volatile"),
                    None => "its section is non-volatile".to_owned(),
                }
            }
            Self::Volatile => {
                let taken_out = format!("!symbol:{}", data.name);
                if listed.contains(&taken_out) {
                    format!("`{taken_out}` takes it out")
                } else {
                    NOTHING_SAYS.to_owned()
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
        .filter_map(|&(_, _, pc)| Some(brownout_device::describe(source, image.place(pc)?)))
        .collect();
    if places.is_empty() {
        return "never".to_owned();
    }
    places.into_iter().collect::<Vec<_>>().join(", ")
}

/// Rows in columns, under a heading.
/// Columns under their headings; numbers to the right.
fn table<const COLUMNS: usize>(heading: &[&str; COLUMNS], rows: &[[String; COLUMNS]]) -> String {
    let mut widths = heading.map(|cell| cell.chars().count());
    for row in rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = cell.chars().count().max(*width);
        }
    }
    let mut text = String::new();
    let mut line = |cells: [&str; COLUMNS]| {
        let mut row = String::new();
        for ((cell, width), title) in cells.iter().zip(widths).zip(heading) {
            let _ = match *title {
                "bytes" | "objects" => write!(row, "{cell:>width$}  "),
                _ => write!(row, "{cell:<width$}  "),
            };
        }
        let _ = writeln!(text, "{}", row.trim_end());
    };
    line(*heading);
    for row in rows {
        line(row.each_ref().map(String::as_str));
    }
    text
}
