//! The states that were found: what survives a power failure, each kept once.
//!
//! A state is the pages in which it differs from the device at its first power-on, by number and
//! contents; contents are kept once, whoever has them. Beside memory it has what is *outside*,
//! the environment. How far inputs were read is no state: every boot reads them from the start.
//!
//! **Invariant**: two states have the same number exactly if all of them is equal; the sum that
//! finds candidates only decides where to look.

use brownout_diag::Extent;
use rustc_hash::FxHashMap;

use crate::nonvolatile::Page;

/// The contents of a page, by number.
pub(crate) type Contents = u32;

/// Pages that differ from the first power-on, sorted by page.
pub(crate) type Pages = Box<[(u32, Contents)]>;

/// A state by its number, in the order of discovery.
pub(crate) type StateId = u32;

/// Nothing follows.
const NONE: u32 = u32::MAX;

/// One state.
#[derive(Clone, Debug)]
pub(crate) struct State {
    pub(crate) pages: Pages,
    /// What is outside, by number.
    pub(crate) outside: u32,
    /// How it came about; nothing for the first one.
    pub(crate) origin: Option<Origin>,
    /// The next state with the same sum.
    next: StateId,
}

/// How a state came about.
#[derive(Clone, Debug)]
pub(crate) struct Origin {
    /// The state that was booted.
    pub(crate) parent: StateId,
    /// The operation of that boot, from 0.
    pub(crate) operation: u32,
    /// How much of it was done.
    pub(crate) extent: Extent,
    /// The calls that led to it.
    pub(crate) path: u32,
}

/// What is outside of the device: the values of the environment.
pub(crate) type Outside = Vec<i64>;

/// All states.
#[derive(Default)]
pub(crate) struct States {
    contents: Vec<Page>,
    numbers: FxHashMap<Page, Contents>,
    outsides: Vec<Outside>,
    outside_numbers: FxHashMap<Outside, u32>,
    states: Vec<State>,
    first_with_sum: FxHashMap<u64, StateId>,
    bytes: u64,
}

/// What a page with these contents adds to the sum of a state.
pub(crate) fn share(page: u32, contents: Contents) -> u64 {
    let mut value = u64::from(page) << 32 | u64::from(contents);
    // Finalisation of splitmix64.
    value = (value ^ value >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    value = (value ^ value >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ value >> 31
}

impl States {
    /// The number of these contents.
    pub(crate) fn contents(&mut self, page: &Page) -> Contents {
        if let Some(&number) = self.numbers.get(page) {
            return number;
        }
        let number = self.contents.len() as Contents;
        self.contents.push(*page);
        self.numbers.insert(*page, number);
        self.bytes += 2 * size_of::<Page>() as u64 + 16;
        number
    }

    /// The contents of a number.
    pub(crate) fn page(&self, contents: Contents) -> &Page {
        &self.contents[contents as usize]
    }

    /// The number of what is outside.
    pub(crate) fn outside(&mut self, outside: Outside) -> u32 {
        if let Some(&number) = self.outside_numbers.get(&outside) {
            return number;
        }
        let number = self.outsides.len() as u32;
        self.outsides.push(outside.clone());
        self.outside_numbers.insert(outside, number);
        self.bytes += 128;
        number
    }

    /// What is outside, by its number.
    pub(crate) fn outside_of(&self, number: u32) -> &Outside {
        &self.outsides[number as usize]
    }

    /// Adds a state if there is none like it: its number, if it is new. The pages are those of
    /// `before` with `changed` (sorted) in place of some; contents `base` says a page is as at the
    /// first power-on.
    pub(crate) fn insert(
        &mut self,
        sum: u64,
        pages: impl Iterator<Item = (u32, Contents)> + Clone,
        outside: u32,
        origin: impl FnOnce() -> Option<Origin>,
    ) -> Option<StateId> {
        let sum = sum.wrapping_add(share(NONE, outside));
        let mut candidate = self.first_with_sum.get(&sum).copied().unwrap_or(NONE);
        let first = candidate;
        while candidate != NONE {
            let state = &self.states[candidate as usize];
            if state.outside == outside && state.pages.iter().copied().eq(pages.clone()) {
                return None;
            }
            candidate = state.next;
        }
        let id = self.states.len() as StateId;
        let pages: Pages = pages.collect();
        self.bytes += (pages.len() * size_of::<(u32, Contents)>() + size_of::<State>() + 32) as u64;
        self.states.push(State {
            pages,
            outside,
            origin: origin(),
            next: first,
        });
        self.first_with_sum.insert(sum, id);
        Some(id)
    }

    /// A state by its number.
    pub(crate) fn get(&self, id: StateId) -> &State {
        &self.states[id as usize]
    }

    /// How many states there are.
    pub(crate) fn len(&self) -> u64 {
        self.states.len() as u64
    }

    /// Bytes that they take, about.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }
}
