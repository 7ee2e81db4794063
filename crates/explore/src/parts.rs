//! Counters that are written part by part: `EEPROM.put(0, count)` writes the bytes that change, the lowest first, and
//! a 16-bit processor writes a number of 32 bits in two halves.
//!
//! Almost all steps change the first part only. Where the next part changes as well, power can fail between the two. That
//! such a counter has not come to this place yet has to be known, so that the execution goes on until it does, or says
//! that it did not. A number that goes up and down is not a counter.

use std::collections::{BTreeMap, BTreeSet};

use brownout_ir::source::Place;
use brownout_vm::Image;
use rustc_hash::FxHashMap;

use crate::calls::Calls;
use crate::objects::Objects;

/// The longest number.
const LONGEST: u32 = 8;
/// So many steps in one direction make a counter.
const STEPS: u64 = 4;

/// What operations store and look at in parts, in one round or in one boot.
#[derive(Default)]
pub struct Parts {
    /// The last neighbours that each operation stored one after the other.
    stored: BTreeMap<u32, Stretch>,
    /// The last neighbouring bytes that were looked at from each place: from, and how far. A function that stores what
    /// has changed only looks at all of it, and happens at one place if it is one of the library's.
    looked: FxHashMap<Place, (u32, u32)>,
}

/// Bytes that were stored one after the other, as the numbers that they were and are.
struct Stretch {
    offset: u32,
    size: u32,
    /// How many of them are stored at once.
    unit: u32,
    old: u64,
    new: u64,
}

impl Stretch {
    fn end(&self) -> u32 {
        self.offset + self.size
    }

    /// The first part of a number.
    fn first(&self, number: u64) -> u64 {
        number & !(u64::MAX << (8 * self.unit))
    }

    /// Only its first bytes.
    fn cut_to(&self, size: u32) -> Self {
        let size = size.min(self.size);
        let cut = |number: u64| number & (u64::MAX >> (64 - 8 * size));
        Self {
            size,
            old: cut(self.old),
            new: cut(self.new),
            ..*self
        }
    }

    /// How far the first part goes up or down.
    fn step(&self) -> i64 {
        let unused = 64 - 8 * self.unit;
        (self.new.wrapping_sub(self.old) << unused) as i64 >> unused
    }

    /// How far the first part can go on in the direction of its step.
    fn left(&self) -> u64 {
        let number = self.first(self.new);
        match self.step() {
            step if step < 0 => number,
            _ => self.first(u64::MAX) - number,
        }
    }

    /// Whether more than the first part changes, so that power can fail between two of them.
    fn carries(&self) -> bool {
        self.old >> (8 * self.unit) != self.new >> (8 * self.unit)
    }

    /// Whether the first part goes over its end.
    fn wraps(&self) -> bool {
        let (old, new) = (self.first(self.old), self.first(self.new));
        match self.step() {
            step if step > 0 => new < old,
            step => step < 0 && new > old,
        }
    }
}

impl Parts {
    /// An operation stores something where it outlasts a call, of which no more than `unit` bytes are written at once.
    pub fn store(
        &mut self,
        calls: &Calls<'_>,
        (pc, offset): (u32, u32),
        (old, new): (&[u8], &[u8]),
        unit: u32,
    ) {
        let pc = calls.blame(pc);
        let size = (old.len() as u32).min(LONGEST);
        let number = |bytes: &[u8]| {
            let bytes = bytes[..size as usize].iter().rev();
            bytes.fold(0u64, |number, &byte| (number << 8) | u64::from(byte))
        };
        let (unit, old, new) = (unit.min(size), number(old), number(new));
        if unit == LONGEST {
            return;
        }
        match self.stored.get_mut(&pc) {
            Some(known)
                if unit == size && known.end() == offset && known.size + size <= LONGEST =>
            {
                known.old |= old << (8 * known.size);
                known.new |= new << (8 * known.size);
                known.size += size;
            }
            _ => {
                let stretch = Stretch {
                    offset,
                    size,
                    unit,
                    old,
                    new,
                };
                self.stored.insert(pc, stretch);
            }
        }
    }

    /// An operation loads something.
    pub fn load(&mut self, image: &Image, (pc, offset): (u32, u32), bytes: &[u8]) {
        if bytes.len() != 1 || !image.layout().outlasts_calls(offset) {
            return;
        }
        let Some(place) = image.place(pc) else {
            return;
        };
        let looked = self.looked.entry(place).or_insert((offset, offset));
        *looked = match looked.1 == offset {
            true => (looked.0, offset + 1),
            false => (offset, offset + 1),
        };
    }
}

/// What is known of a number that an operation writes.
#[derive(Default)]
struct Known {
    /// Whether that has several parts, as far as was seen.
    is_divided: bool,
    /// Steps in one direction, one after the other; negative downwards.
    steps: i64,
    /// How far all of them went, and how far the first part can still go before it carries.
    moved: u64,
    left: u64,
    /// Whether it does not count, or its carries have been seen.
    is_done: bool,
}

/// An operation, and where the number is that it writes.
type Number = (u32, u32);

/// Operations that may count in parts.
#[derive(Default)]
pub struct DividedCounters {
    numbers: FxHashMap<Number, Known>,
    /// How many rounds or boots were looked at.
    passes: u64,
    /// Those that count and have not carried.
    uncarried: BTreeSet<Number>,
}

impl DividedCounters {
    /// Looks at what a round or a boot has done. Whether one of the counters has carried in it for the first time.
    pub fn pass(&mut self, image: &Image, objects: &Objects<'_>, parts: &Parts) -> bool {
        self.passes += 1;
        let mut carried = false;
        for (&pc, stretch) in &parts.stored {
            // Bytes may be parts of anything; wider elements of an array are numbers of their own.
            let unit = stretch.unit;
            let width = objects.number_at(stretch.offset);
            let stretch = match width.unwrap_or(LONGEST) {
                width if width > unit => stretch.cut_to(width),
                _ if unit > 1 => continue,
                _ => stretch.cut_to(LONGEST),
            };
            let number = (pc, stretch.offset);
            let known = self.numbers.entry(number).or_default();
            if known.is_done {
                continue;
            }
            let looked = image.place(pc).and_then(|place| parts.looked.get(&place));
            let looked = looked
                .filter(|looked| looked.0 == stretch.offset && looked.1 <= looked.0 + LONGEST);
            let end = looked.map_or(stretch.end(), |looked| looked.1.max(stretch.end()));
            known.is_divided |= end - stretch.offset > unit;
            let carries = known.steps != 0 && (stretch.carries() || stretch.wraps());
            carried |= carries;
            known.is_done |= carries || stretch.wraps();
            let step = stretch.step();
            match known.steps.signum() * step.signum() {
                -1 => known.is_done = true,
                _ => known.steps += step.signum(),
            }
            known.moved += step.unsigned_abs();
            known.left = stretch.left();
            if known.is_done {
                self.uncarried.remove(&number);
            } else if known.is_divided && known.steps.unsigned_abs() >= STEPS {
                self.uncarried.insert(number);
            }
        }
        carried
    }

    /// Whether something that is written in parts has moved in one direction, and too seldom to be known for a counter.
    pub fn may_count(&self) -> bool {
        let mut numbers = self.numbers.values();
        let is_few = |steps: u64| (1..STEPS).contains(&steps);
        numbers
            .any(|known| known.is_divided && !known.is_done && is_few(known.steps.unsigned_abs()))
    }

    /// After how many more rounds or boots like those before one of the counters carries.
    pub fn passes_to_carry(&self) -> Option<u64> {
        let counters = self.uncarried.iter().map(|number| &self.numbers[number]);
        counters
            .map(|known| known.left.saturating_mul(self.passes) / known.moved.max(1))
            .min()
    }

    /// The operations that count and have not carried.
    pub fn uncarried(&self) -> impl Iterator<Item = u32> {
        self.uncarried.iter().map(|&(pc, _)| pc)
    }
}
