//! Device registers that a program reads although nothing says what they give.
//!
//! The emulator has nothing to give but what lies there, which is zero. What depends on such a register
//! was therefore not executed as a device would, and "nothing found" would not be true. A register that
//! the program writes keeps what was written, as a device's control registers do.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use brownout_explore::Objects;
use brownout_vm::{Image, Machine, Moment, Observer, SegmentKind};

/// How many instructions are looked at: what is read in loops is read early.
const WATCHED: u64 = 5_000_000;

/// The bytes of registers that an execution reads and writes.
struct Accesses {
    /// Where the registers are.
    registers: Vec<Range<u32>>,
    /// The first byte of each one that was read, with the size of the widest read.
    read: BTreeMap<u32, u32>,
    written: BTreeSet<u32>,
}

impl Accesses {
    fn is_register(&self, offset: u32) -> bool {
        let mut ranges = self.registers.iter();
        ranges.any(|range| range.contains(&offset))
    }
}

impl Observer for Accesses {
    fn accesses(&self) -> bool {
        true
    }

    fn load(&mut self, _: Moment, offset: u32, bytes: &[u8]) {
        if self.is_register(offset) {
            let size = self.read.entry(offset).or_default();
            *size = (*size).max(bytes.len() as u32);
        }
    }

    fn store(&mut self, _: Moment, _: &[u8], offset: u32, new: &[u8]) {
        if self.is_register(offset) {
            self.written.extend(offset..offset + new.len() as u32);
        }
    }
}

/// The names, or else the addresses, of the registers that an execution of at most `limit` instructions
/// reads, that it never writes, and that are neither inputs nor outputs; and of those that are only known to be `awaited`.
pub fn undescribed(image: &Image, limit: u64, awaited: &BTreeSet<String>) -> BTreeSet<String> {
    let layout = image.layout();
    let is_device = |kind| matches!(kind, SegmentKind::Registers | SegmentKind::Window);
    let mut accesses = Accesses {
        registers: layout
            .segments()
            .iter()
            .filter(|segment| is_device(segment.kind) && !segment.nonvolatile)
            .map(|segment| segment.offsets.clone())
            .filter(|offsets| !offsets.is_empty())
            .collect(),
        read: BTreeMap::new(),
        written: BTreeSet::new(),
    };
    if accesses.registers.is_empty() {
        return BTreeSet::new();
    }
    Machine::new(image).watch(&mut accesses, limit.min(WATCHED));
    let objects = Objects::new(image);
    let Accesses { read, written, .. } = accesses;
    let is_written =
        |offset: u32, size: u32| (offset..offset + size).any(|byte| written.contains(&byte));
    let names = read.into_iter().filter_map(|(offset, size)| {
        let name = objects.name(objects.scalar(offset, None));
        let is_unknown = !image.describes(offset) && !is_written(offset, size);
        (is_unknown || awaited.contains(&name)).then_some(name)
    });
    names.collect()
}
