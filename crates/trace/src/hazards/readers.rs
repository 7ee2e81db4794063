//! Who has read which granule lately: sets of places.
//!
//! A *place* is an operation, the bytes of a granule that it reads, and in whose frame. A [`Cell`]
//! knows of a granule which places have read it, whether they all got the same and whether all were
//! for one owner. It may know of more reads than matter, until that is in the way. Sets have
//! numbers, so that a set and one more place is a look into a table, and granules that the same
//! places read have the same set.

use rustc_hash::FxHashMap;

use crate::hazards::reads::{Frame, Reach, Reading, Window, different, spread};

/// A place that reads.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct Place {
    /// The operation.
    pub(crate) pc: u32,
    /// The bytes.
    pub(crate) mask: u8,
    /// In whose frame.
    pub(crate) frame: Frame,
}

impl Place {
    /// Where it is looked for among the sites.
    #[inline(always)]
    const fn slot(&self) -> usize {
        let bytes = self.frame.distance as u32 ^ self.mask.trailing_zeros();
        let mixed = (self.pc ^ bytes << 16 ^ bytes >> 16).wrapping_mul(0x9e37_79b1);
        (mixed >> 16) as usize % SITES
    }
}

/// The number of a place.
pub(crate) type PlaceNumber = u32;
/// The number of a set of places.
pub(crate) type SetNumber = u32;

/// The empty set.
pub(crate) const NOBODY: SetNumber = 0;

/// Which owners (activations, heap blocks) a granule had when it was read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Owners {
    /// Always the owner of what is written now.
    Same,
    /// Always other owners.
    Other,
    /// Perhaps both.
    Mixed,
}

/// What is known of a granule: above all its reads, or some more than those that matter.
#[derive(Clone, Copy, Default, Debug)]
#[repr(align(32))]
pub(crate) struct Cell {
    /// The bytes that are tracked.
    pub(crate) tracked: u8,
    /// The bytes that were written, or saved, in the region `epoch`.
    written: u8,
    epoch: u32,
    /// The value that was read last.
    value: u64,
    /// The lower bits of the number of the window of the last read. If an old window is taken for a recent one, that
    /// costs time only.
    window: u32,
    /// The position of the last read.
    pub(crate) head: u32,
    /// The places that have read.
    readers: SetNumber,
    /// The highest number of an owner at a read.
    newest: u32,
    /// Bytes that were read with different values.
    varied: u8,
    /// [`Cell::MIXED`], [`Cell::ASKED`].
    flags: u8,
}

// Two of them fill a line of the cache.
const _: () = assert!(size_of::<Cell>() == 32);

impl Cell {
    /// It was read with another owner than the highest, too.
    const MIXED: u8 = 1;
    /// Writes have asked who reads it: tables that are only read need no sets.
    const ASKED: u8 = 2;

    /// The cell of a granule that has not been read yet; these of its bytes are tracked.
    pub(crate) fn new(tracked: u8) -> Self {
        Self {
            tracked,
            ..Self::default()
        }
    }

    /// Which bytes were written in a region.
    #[inline(always)]
    pub(crate) const fn written(&self, epoch: u32) -> u8 {
        if self.epoch == epoch { self.written } else { 0 }
    }

    /// Notes that these bytes, and no others, were written in a region.
    #[inline(always)]
    pub(crate) const fn set_written(&mut self, epoch: u32, mask: u8) {
        (self.epoch, self.written) = (epoch, mask);
    }

    /// A set that has all places whose reads may still matter.
    #[inline(always)]
    pub(crate) const fn readers(&self, window: Window) -> SetNumber {
        if self.is_past(window) {
            NOBODY
        } else {
            self.readers
        }
    }

    /// Whether no read matters any more.
    #[inline(always)]
    const fn is_past(&self, window: Window) -> bool {
        (window.number as u32).wrapping_sub(self.window) > 1
    }

    /// Which owners the granule had when it was read, compared with the owner of a write.
    #[inline(always)]
    pub(crate) const fn owners(&self, owner: u32) -> Owners {
        if owner > self.newest {
            Owners::Other
        } else if self.flags & Self::MIXED != 0 {
            Owners::Mixed
        } else if owner == self.newest {
            Owners::Same
        } else {
            Owners::Other
        }
    }

    /// Whether all reads gave `value` in the bytes of `mask`.
    #[inline(always)]
    pub(crate) const fn always_gave(&self, value: u64, mask: u8) -> bool {
        self.varied & mask == 0 && (self.value ^ value) & spread(mask) == 0
    }
}

/// A place, and the last set that it was added to.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(32))]
struct Site {
    place: Place,
    number: PlaceNumber,
    from: SetNumber,
    to: SetNumber,
}

/// How many places the cache of places has. Where tables are small in debug builds, it is
/// for the tests: they see what happens when a table is full.
const SITES: usize = if cfg!(debug_assertions) {
    1 << 6
} else {
    1 << 13
};
/// How many additions of a place to a set are cached.
const GROWN: usize = if cfg!(debug_assertions) {
    1 << 6
} else {
    1 << 13
};
/// How many members all sets together may have.
const MEMBERS: usize = if cfg!(debug_assertions) {
    1 << 6
} else {
    1 << 20
};

/// All places that have read something, and the sets of them.
#[derive(Debug)]
pub(crate) struct Readers {
    sites: Box<[Site; SITES]>,
    numbers: FxHashMap<Place, PlaceNumber>,
    places: Vec<Place>,
    /// The [decisive](Read::decisive) moment of the last read of each operation.
    last: Vec<u64>,
    sets: Sets,
}

impl Readers {
    pub(crate) fn new() -> Self {
        Self {
            // No place has a mask without bytes.
            sites: Box::new([Site::default(); SITES]),
            numbers: FxHashMap::default(),
            places: Vec::new(),
            last: Vec::new(),
            sets: Sets::new(),
        }
    }

    /// Notes in `cell` that its granule is read at that decisive moment; the number of the place, and
    /// whether it is known to have read the granule before.
    #[inline(always)]
    pub(crate) fn note(
        &mut self,
        cell: &mut Cell,
        reading: &Reading<Place>,
        moment: u64,
        window: Window,
    ) -> (PlaceNumber, bool) {
        let place = &reading.place;
        let slot = place.slot();
        if self.sites[slot].place != *place {
            self.visit(slot, *place);
        }
        let site = &mut self.sites[slot];
        self.last[place.pc as usize] = moment;
        if cell.is_past(window) {
            cell.flags &= Cell::ASKED;
            cell.readers = if cell.flags == 0 { UNKNOWN } else { NOBODY };
            (cell.newest, cell.varied) = (reading.owner, 0);
        }
        cell.window = window.number as u32;
        if cell.newest != reading.owner {
            cell.newest = cell.newest.max(reading.owner);
            cell.flags |= Cell::MIXED;
        }
        let bits = spread(place.mask);
        if (cell.value ^ reading.value) & bits != 0 {
            cell.varied |= different(cell.value, reading.value) & place.mask;
            cell.value = cell.value & !bits | reading.value;
        }
        if site.from != cell.readers {
            site.from = cell.readers;
            site.to = self.sets.with(site.from, site.number);
        }
        cell.readers = site.to;
        (site.number, site.from == site.to)
    }

    /// Puts a place into the cache of places.
    #[cold]
    #[inline(never)]
    fn visit(&mut self, slot: usize, place: Place) {
        let number = *self.numbers.entry(place).or_insert_with(|| {
            self.places.push(place);
            self.places.len() as PlaceNumber - 1
        });
        if self.last.len() <= place.pc as usize {
            self.last.resize(place.pc as usize + 1, 0);
        }
        // Whatever is in an unknown set, one more does not make it known.
        self.sites[slot] = Site {
            place,
            number,
            from: UNKNOWN,
            to: UNKNOWN,
        };
    }

    /// Notes in `cell` that only these reads of its granule, the newest first, matter.
    pub(crate) fn tighten<'r>(
        &mut self,
        cell: &mut Cell,
        reads: impl Iterator<Item = &'r Reading>,
        window: Window,
    ) {
        let (mut known, mut owner) = (0, None);
        let mut members = Vec::new();
        let mut tight = Cell {
            window: window.number as u32,
            readers: NOBODY,
            newest: 0,
            varied: 0,
            flags: Cell::ASKED,
            ..*cell
        };
        for reading in reads {
            let mask = self.place(reading.place).mask;
            members.push(reading.place);
            tight.varied |= different(tight.value, reading.value) & mask & known;
            let bits = spread(mask & !known);
            tight.value = tight.value & !bits | reading.value & bits;
            known |= mask;
            if *owner.get_or_insert(reading.owner) != reading.owner {
                tight.flags |= Cell::MIXED;
            }
            tight.newest = tight.newest.max(reading.owner);
        }
        members.sort_unstable();
        members.dedup();
        if !members.is_empty() {
            tight.readers = self.sets.number(members.into());
        }
        *cell = tight;
    }

    /// The place with a number.
    #[inline]
    pub(crate) fn place(&self, number: PlaceNumber) -> Place {
        self.places[number as usize]
    }

    /// The places of a set; none if it is not known.
    pub(crate) fn places(&self, set: SetNumber) -> Option<impl Iterator<Item = Place>> {
        let members = self.sets.members(set)?.iter();
        Some(members.map(|&number| self.place(number)))
    }

    /// Whether an operation has read something that matters.
    #[inline(always)]
    pub(crate) fn is_in_reach(&self, pc: u32, reach: Reach) -> bool {
        reach.covers_since(self.last[pc as usize])
    }
}

/// The number of a set whose members are not known: it may have any.
const UNKNOWN: SetNumber = 1;

/// Sets of places.
#[derive(Debug)]
struct Sets {
    /// The members of each set, in order, from the set with the number `first` on. Earlier sets are forgotten.
    members: Vec<Box<[PlaceNumber]>>,
    first: SetNumber,
    numbers: FxHashMap<Box<[PlaceNumber]>, SetNumber>,
    /// A cache: a set, a place, and the set with that place added.
    grown: Vec<(SetNumber, PlaceNumber, SetNumber)>,
    /// How many members all sets have together.
    size: usize,
}

impl Sets {
    fn new() -> Self {
        Self {
            members: Vec::new(),
            first: UNKNOWN + 1,
            numbers: FxHashMap::default(),
            grown: vec![(UNKNOWN, 0, UNKNOWN); GROWN],
            size: 0,
        }
    }

    fn members(&self, set: SetNumber) -> Option<&[PlaceNumber]> {
        match set.checked_sub(self.first) {
            _ if set == NOBODY => Some(&[]),
            Some(index) => self.members.get(index as usize).map(|members| &members[..]),
            None => None,
        }
    }

    /// The set that has one more place.
    #[inline(never)]
    fn with(&mut self, set: SetNumber, place: PlaceNumber) -> SetNumber {
        if set == UNKNOWN {
            return UNKNOWN;
        }
        let mixed = (set ^ place << 16 ^ place >> 16).wrapping_mul(0x9e37_79b1);
        let slot = (mixed >> 16) as usize % GROWN;
        let (from, by, to) = self.grown[slot];
        if (from, by) == (set, place) {
            return to;
        }
        let Some(members) = self.members(set) else {
            return UNKNOWN;
        };
        let grown = match members.binary_search(&place) {
            Ok(_) => set,
            Err(index) => {
                let mut members = members.to_vec();
                members.insert(index, place);
                self.number(members.into())
            }
        };
        self.grown[slot] = (set, place, grown);
        grown
    }

    fn number(&mut self, members: Box<[PlaceNumber]>) -> SetNumber {
        if let Some(&known) = self.numbers.get(&members) {
            return known;
        }
        if self.size > MEMBERS {
            self.first = self.first.saturating_add(self.members.len() as u32);
            (self.members, self.size) = (Vec::new(), 0);
            self.numbers.clear();
            self.grown.fill((UNKNOWN, 0, UNKNOWN));
        }
        let number = self.first.saturating_add(self.members.len() as u32);
        if number == SetNumber::MAX {
            return UNKNOWN;
        }
        self.size += members.len();
        self.members.push(members.clone());
        self.numbers.insert(members, number);
        number
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::hazards::reads::Read;
    use brownout_explore::Exposure;

    /// What happens: a read by one of some places, or a look at what matters.
    type Step = (u32, u8, u64, bool, u64, bool);

    fn steps() -> impl Strategy<Value = Vec<Step>> {
        let step = (
            0..12u32,
            1..4u8,
            0..3u64,
            prop::bool::weighted(0.1),
            1..9u64,
            prop::bool::weighted(0.2),
        );
        proptest::collection::vec(step, 1..80)
    }

    proptest! {
        /// A cell knows at least of the reads that matter, and of no others right after a look.
        #[test]
        fn a_cell_covers_the_reads_in_reach(steps in steps(), depth in 1..60u64) {
            let mut readers = Readers::new();
            let mut cell = Cell::default();
            let mut all: Vec<Reading<Place>> = Vec::new();
            let (mut now, mut owner) = (0, 1);
            for (pc, mask, value, renewed, later, tightens) in steps {
                now += later;
                owner += u32::from(renewed);
                let reading = Reading {
                    read: Read { time: now, ..Read::default() },
                    value: (value * 0x0101) & spread(mask),
                    owner,
                    place: Place { pc, mask, ..Place::default() },
                    ..Reading::default()
                };
                let window = Window::at(now, depth);
                readers.note(&mut cell, &reading, now, window);
                all.push(reading);
                let reach = Reach { exposure: Exposure::Anywhere { depth }, commit: 0, now };
                all.retain(|reading| reach.covers(reading.read));
                if tightens {
                    let number = |reading: &Reading<Place>| reading.by(readers.numbers[&reading.place]);
                    let kept: Vec<Reading> = all.iter().rev().map(number).collect();
                    readers.tighten(&mut cell, kept.iter(), window);
                }
                if let Some(places) = readers.places(cell.readers(window)) {
                    let places: Vec<Place> = places.collect();
                    let known = |reading: &Reading<Place>| places.contains(&reading.place);
                    prop_assert!(all.iter().all(known));
                    let read = |place: &Place| all.iter().any(|read| read.place == *place);
                    prop_assert!(!tightens || places.iter().all(read));
                }
                prop_assert!(all.iter().all(|reading| readers.is_in_reach(reading.place.pc, reach)));
                for byte in 0..2 {
                    let of_byte = |reading: &&Reading<Place>| reading.place.mask >> byte & 1 != 0;
                    for value in 0..3u64 {
                        let gave = |reading: &Reading<Place>| reading.value >> (8 * byte) & 0xff == value;
                        let always = all.iter().filter(of_byte).all(gave);
                        let claimed = cell.always_gave(value << (8 * byte), 1 << byte);
                        let was_read = all.iter().any(|reading| of_byte(&reading));
                        prop_assert!(!was_read || !claimed || always);
                        prop_assert!(!was_read || !tightens || claimed == always);
                    }
                }
                for writer in [owner - 1, owner, owner + 1] {
                    let mut same = all.iter().map(|reading| reading.owner == writer);
                    match cell.owners(writer) {
                        Owners::Same => prop_assert!(same.all(|same| same)),
                        Owners::Other => prop_assert!(!same.any(|same| same)),
                        Owners::Mixed => {}
                    }
                }
            }
        }
    }
}
