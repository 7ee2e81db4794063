//! The states that were found: what survives a power failure, each kept once.
//!
//! A state is the pages in which it differs from the device at its first power-on, by number and
//! contents; contents are kept once, whoever has them. Beside memory it has what is *outside*,
//! the environment. How far inputs were read is no state: every boot reads them from the start.
//! When memory has no room for more, the lists of pages move to where the [`Overflow`] puts them.
//!
//! **Invariant**: two states have the same number exactly if all of them is equal; the sum that
//! finds candidates only decides where to look. The sum depends on what the state holds and on
//! nothing else, so that several explorations agree on it.

use std::borrow::Cow;

use brownout_diag::Extent;
use rustc_hash::FxHashMap;

use crate::Overflow;
use crate::nonvolatile::Page;

/// The contents of a page, by number.
pub(crate) type Contents = u32;

/// A page that differs from the first power-on.
pub(crate) type Changed = (u32, Contents);

/// A state by its number, in the order of discovery.
pub(crate) type StateId = u32;

/// Nothing follows.
const NONE: u32 = u32::MAX;

/// Pages that differ from the first power-on, sorted by page.
#[derive(Debug)]
enum Pages {
    /// In memory.
    Here(Box<[Changed]>),
    /// Where the overflow is: from where on, how many.
    Elsewhere(u64, u32),
}

/// One state.
#[derive(Debug)]
pub(crate) struct State {
    pages: Pages,
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
    /// Which of the operations before it were not, see [`crate::unsynced`].
    pub(crate) missing: Vec<u8>,
    /// Which of the failures of this operation it is, from 0.
    pub(crate) cut: u32,
    /// The calls that led to it.
    pub(crate) path: u32,
}

/// What is outside of the device: the values of the environment.
pub(crate) type Outside = Vec<i64>;

/// All states.
pub(crate) struct States<'s> {
    contents: Vec<Page>,
    /// What contents add to sums.
    hashes: Vec<u64>,
    first_contents: FxHashMap<u64, Contents>,
    /// The next contents with the same hash.
    next_contents: Vec<Contents>,
    outsides: Vec<Outside>,
    outside_numbers: FxHashMap<Outside, u32>,
    states: Vec<State>,
    first_with_sum: FxHashMap<u64, StateId>,
    bytes: u64,

    overflow: Option<&'s dyn Overflow>,
    /// States whose pages were moved already.
    moved: usize,
    is_broken: std::sync::atomic::AtomicBool,
}

/// Finalisation of splitmix64.
fn mix(mut value: u64) -> u64 {
    value = (value ^ value >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    value = (value ^ value >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ value >> 31
}

fn hash(page: &Page) -> u64 {
    let mut words = page.chunks_exact(8);
    words.by_ref().fold(0x9e37_79b9_7f4a_7c15, |hash, word| {
        let mut bytes = [0; 8];
        bytes.copy_from_slice(word);
        mix(hash ^ u64::from_le_bytes(bytes))
    })
}

/// What a page adds to the sum of a state.
fn share(page: u32, hash: u64) -> u64 {
    mix(hash.wrapping_add(u64::from(page) << 32 | 1))
}

impl<'s> States<'s> {
    pub(crate) fn new(overflow: Option<&'s dyn Overflow>) -> Self {
        Self {
            contents: Vec::new(),
            hashes: Vec::new(),
            first_contents: FxHashMap::default(),
            next_contents: Vec::new(),
            outsides: Vec::new(),
            outside_numbers: FxHashMap::default(),
            states: Vec::new(),
            first_with_sum: FxHashMap::default(),
            bytes: 0,
            overflow,
            moved: 0,
            is_broken: std::sync::atomic::AtomicBool::new(false),
        }
    }

    /// The number of these contents.
    pub(crate) fn contents(&mut self, page: &Page) -> Contents {
        let hash = hash(page);
        let first = self.first_contents.get(&hash).copied().unwrap_or(NONE);
        let mut candidate = first;
        while candidate != NONE {
            if self.contents[candidate as usize] == *page {
                return candidate;
            }
            candidate = self.next_contents[candidate as usize];
        }
        let number = self.contents.len() as Contents;
        self.contents.push(*page);
        self.hashes.push(hash);
        self.next_contents.push(first);
        self.first_contents.insert(hash, number);
        self.bytes += size_of::<Page>() as u64 + 32;
        number
    }

    /// The contents of a number.
    pub(crate) fn page(&self, contents: Contents) -> &Page {
        &self.contents[contents as usize]
    }

    /// What a page with these contents adds to the sum of a state.
    pub(crate) fn share(&self, page: u32, contents: Contents) -> u64 {
        share(page, self.hashes[contents as usize])
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

    /// The sum of a state with these pages and this outside.
    pub(crate) fn sum(&self, pages: u64, outside: u32) -> u64 {
        let values = self.outsides[outside as usize].iter();
        let outside = values.fold(0, |sum, &value| mix(sum ^ value as u64));
        pages.wrapping_add(mix(outside))
    }

    /// The state with these pages, if there is one.
    pub(crate) fn find(
        &self,
        sum: u64,
        pages: impl Iterator<Item = Changed> + Clone,
        outside: u32,
    ) -> Option<StateId> {
        let mut candidate = self.first_with_sum.get(&sum).copied().unwrap_or(NONE);
        while candidate != NONE {
            let state = &self.states[candidate as usize];
            if state.outside == outside && self.pages(state).iter().copied().eq(pages.clone()) {
                return Some(candidate);
            }
            candidate = state.next;
        }
        None
    }

    /// Adds a state that there is not yet.
    pub(crate) fn insert(
        &mut self,
        sum: u64,
        pages: impl Iterator<Item = Changed>,
        outside: u32,
        origin: Option<Origin>,
    ) -> StateId {
        let id = self.states.len() as StateId;
        let pages: Box<[Changed]> = pages.collect();
        let list = (pages.len() * size_of::<Changed>()) as u64;
        self.bytes += list + (size_of::<State>() + 32) as u64;
        let next = self.first_with_sum.insert(sum, id).unwrap_or(NONE);
        self.states.push(State {
            pages: Pages::Here(pages),
            outside,
            origin,
            next,
        });
        id
    }

    /// A state by its number.
    pub(crate) fn get(&self, id: StateId) -> &State {
        &self.states[id as usize]
    }

    /// The pages in which a state differs from the first power-on, sorted.
    pub(crate) fn pages<'a>(&'a self, state: &'a State) -> Cow<'a, [Changed]> {
        match (&state.pages, self.overflow) {
            (Pages::Here(pages), _) => Cow::Borrowed(pages),
            (Pages::Elsewhere(at, count), Some(overflow)) => {
                let mut bytes = vec![0; *count as usize * size_of::<Changed>()];
                if !overflow.read(*at, &mut bytes) {
                    self.is_broken
                        .store(true, std::sync::atomic::Ordering::Relaxed);
                }
                let word = |bytes: &[u8]| {
                    let mut word = [0; 4];
                    word.copy_from_slice(bytes);
                    u32::from_le_bytes(word)
                };
                let pages = bytes.chunks_exact(8);
                let pages = pages.map(|pair| (word(&pair[..4]), word(&pair[4..])));
                Cow::Owned(pages.collect())
            }
            (Pages::Elsewhere(..), None) => Cow::Borrowed(&[]),
        }
    }

    /// Whether something that was moved could not be read back.
    pub(crate) fn is_broken(&self) -> bool {
        self.is_broken.load(std::sync::atomic::Ordering::Relaxed)
    }

    /// Moves lists of pages to where there is more room. Whether that gave any.
    pub(crate) fn make_room(&mut self) -> bool {
        let Some(overflow) = self.overflow else {
            return false;
        };
        let mut given = 0;
        for state in &mut self.states[self.moved..] {
            let Pages::Here(pages) = &state.pages else {
                continue;
            };
            let bytes: Vec<u8> = pages
                .iter()
                .flat_map(|&(page, contents)| [page.to_le_bytes(), contents.to_le_bytes()])
                .flatten()
                .collect();
            let Some(at) = overflow.write(&bytes) else {
                break;
            };
            given += bytes.len() as u64;
            state.pages = Pages::Elsewhere(at, pages.len() as u32);
            self.moved += 1;
        }
        self.bytes -= given;
        given > 0
    }

    /// How many states there are.
    pub(crate) fn len(&self) -> u64 {
        self.states.len() as u64
    }

    /// Bytes that they take, about.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// How many states are kept elsewhere.
    pub(crate) fn moved(&self) -> u64 {
        self.moved as u64
    }
}
