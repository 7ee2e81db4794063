//! What one instruction stores, and the states that a failure in the middle of it leaves
//! (`memory.atomic-write`).
//!
//! A store that is wider than what the device writes at once is made of such parts, which are aligned as the device has
//! them. A single store of up to [`WIDEST_STORE`] bytes writes them in any order, as compilers do; a longer one is a copy,
//! from its start. An instruction with several stores makes them in order.

use std::num::NonZeroU32;
use std::ops::Range;

use brownout_diag::Torn;
use brownout_vm::{Layout, Machine};

/// What is longer is copied.
const WIDEST_STORE: usize = 8;
/// Of how many parts that change every subset is tried; of more, the first and the last ones.
const PARTS: usize = 4;

/// One store: where, what it overwrites and by what.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Store {
    /// Where.
    pub offset: u32,
    /// What it overwrites.
    pub old: Vec<u8>,
    /// What it writes.
    pub new: Vec<u8>,
}

impl Store {
    /// Whether a part of it changes something.
    fn changes(&self, part: &Range<u32>) -> bool {
        let bytes = part.start as usize..part.end as usize;
        self.old[bytes.clone()] != self.new[bytes]
    }
}

/// What a torn instruction did not write.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tear {
    /// The bytes that it wrote.
    pub torn: Torn,
    /// Bytes that it was to write.
    pub size: u32,
    /// What to put back and where, the last store first.
    undone: Vec<(u32, Vec<u8>)>,
}

impl Tear {
    /// The tear that leaves this of `stores`; none if that is nothing or everything.
    pub fn new(stores: &[Store], torn: Torn) -> Option<Self> {
        let size = size(stores);
        let written = (0..size).filter(|&byte| torn.has(byte)).count() as u32;
        let is_inside = match torn {
            Torn::First(count) => count.get() < size,
            Torn::Bytes(bits) => stores.len() == 1 && u32::BITS - bits.leading_zeros() <= size,
        };
        if !is_inside || written == size {
            return None;
        }
        let mut before = 0;
        let mut undone = Vec::new();
        for store in stores {
            let length = store.old.len() as u32;
            let mut byte = 0;
            while byte < length {
                let start = byte;
                while byte < length && !torn.has(before + byte) {
                    byte += 1;
                }
                if start < byte {
                    let old = &store.old[start as usize..byte as usize];
                    undone.push((store.offset + start, old.to_vec()));
                }
                byte += u32::from(start == byte);
            }
            before += length;
        }
        undone.reverse();
        Some(Self { torn, size, undone })
    }

    /// What it did not write, byte by byte: where, and what stays there.
    pub fn undone(&self) -> impl Iterator<Item = (u32, u8)> {
        let stores = self.undone.iter();
        stores.flat_map(|(offset, old)| (*offset..).zip(old.iter().copied()))
    }

    /// Takes back, on a machine right after the instruction, what was not written.
    pub fn apply(&self, machine: &mut Machine<'_>) {
        for (offset, old) in &self.undone {
            machine.tear(*offset, old);
        }
    }
}

/// The bytes of all stores.
pub(super) fn size(stores: &[Store]) -> u32 {
    stores.iter().map(|store| store.old.len() as u32).sum()
}

/// How `stores` can be torn if `atomic` bytes are written at once, as far as what that leaves differs; one way if nothing does,
/// so that what can be torn is.
pub fn tears(layout: &Layout, stores: &[Store], atomic: u32) -> Vec<Torn> {
    // Where parts end, and where those do that change something.
    let (mut all_ends, mut ends) = (Vec::new(), Vec::new());
    let mut before = 0;
    for store in stores {
        let parts = parts(layout, store, atomic);
        all_ends.extend(parts.iter().map(|part| before + part.end));
        let changing = parts.into_iter().filter(|part| store.changes(part));
        ends.extend(changing.map(|part| before + part.end));
        before += store.old.len() as u32;
    }
    // After the last one all of it is there.
    all_ends.pop();
    ends.pop();
    if ends.is_empty() {
        ends.extend(all_ends.first());
    }
    let ends = ends.into_iter().filter_map(NonZeroU32::new);
    let mut tears: Vec<Torn> = ends.map(Torn::First).collect();
    if let [store] = stores
        && store.old.len() <= WIDEST_STORE
    {
        tears.extend(in_other_orders(store, &parts(layout, store, atomic)));
    }
    tears
}

/// The parts of a store that are written at once: each lies at a multiple of its size, also of a short store.
fn parts(layout: &Layout, store: &Store, atomic: u32) -> Vec<Range<u32>> {
    let atomic = atomic.max(1);
    let length = store.old.len() as u32;
    let inside = (layout.address(store.offset) % u64::from(atomic)) as u32;
    let mut starts = vec![0];
    starts.extend((atomic - inside..length).step_by(atomic as usize));
    let ends = starts.iter().skip(1).copied().chain([length]);
    starts
        .iter()
        .copied()
        .zip(ends)
        .map(|(start, end)| start..end)
        .collect()
}

/// What is left of a store that does not begin with its first part, as far as that makes a difference.
fn in_other_orders(store: &Store, parts: &[Range<u32>]) -> Vec<Torn> {
    let changing = parts.iter().filter(|part| store.changes(part));
    let parts: Vec<&Range<u32>> = changing.collect();
    let bits = |chosen: &dyn Fn(usize) -> bool| {
        let chosen = parts.iter().enumerate().filter(|(index, _)| chosen(*index));
        let bytes = chosen.flat_map(|(_, part)| (*part).clone());
        bytes.fold(0, |bits, byte| bits | 1_u32 << byte)
    };
    let count = parts.len();
    let subsets: Vec<u32> = match count {
        // The lowest bits are first parts.
        0..=PARTS => (1..(1_u32 << count) - 1)
            .filter(|subset| !(subset + 1).is_power_of_two())
            .map(|subset| bits(&|index| subset >> index & 1 == 1))
            .collect(),
        _ => (1..count)
            .map(|first| bits(&|index| index >= first))
            .collect(),
    };
    let subsets = subsets.into_iter().filter_map(NonZeroU32::new);
    subsets.map(Torn::Bytes).collect()
}
