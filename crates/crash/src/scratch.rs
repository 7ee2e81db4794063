//! Non-volatile memory of one state, written out, and the states that operations make of it.

use brownout_vm::Machine;

use crate::nonvolatile::{Nonvolatile, Page};
use crate::state::{Changed, Contents, Origin, State, StateId, States};

/// Memory of one state.
pub(crate) struct Scratch<'s> {
    nonvolatile: &'s Nonvolatile,
    /// What pages hold at the first power-on.
    base: Vec<Page>,
    base_contents: Vec<Contents>,
    pages: Vec<Page>,
    /// Pages that are not as at the first power-on, sorted.
    current: Vec<Changed>,
    sum: u64,
    outside: u32,
}

impl<'s> Scratch<'s> {
    pub(crate) fn new(
        nonvolatile: &'s Nonvolatile,
        fresh: &Machine<'_>,
        states: &mut States<'_>,
    ) -> Self {
        let pages: Vec<Page> = (0..nonvolatile.pages())
            .map(|page| nonvolatile.contents(fresh.memory(), page))
            .collect();
        Self {
            nonvolatile,
            base_contents: pages.iter().map(|page| states.contents(page)).collect(),
            base: pages.clone(),
            pages,
            current: Vec::new(),
            sum: 0,
            outside: 0,
        }
    }

    /// Makes memory that of a state.
    pub(crate) fn load(&mut self, states: &States<'_>, state: &State) {
        for &(page, _) in &self.current {
            self.pages[page as usize] = self.base[page as usize];
        }
        self.current.clear();
        self.current.extend_from_slice(&states.pages(state));
        self.sum = 0;
        for &(page, contents) in &self.current {
            self.pages[page as usize] = *states.page(contents);
            self.sum = self.sum.wrapping_add(states.share(page, contents));
        }
        self.outside = state.outside;
    }

    /// Pages that are not as at the first power-on, sorted.
    pub(crate) fn pages(&self) -> &[Changed] {
        &self.current
    }

    /// What is outside, by number.
    pub(crate) fn outside(&self) -> u32 {
        self.outside
    }

    /// One byte.
    pub(crate) fn byte(&self, offset: u32) -> u8 {
        let place = self.nonvolatile.page(offset);
        place.map_or(0, |(page, inside)| self.pages[page as usize][inside])
    }

    /// A stretch.
    pub(crate) fn bytes(&self, offset: u32, length: usize) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(length);
        while bytes.len() < length {
            let at = offset + bytes.len() as u32;
            let rest = self.rest(at, length - bytes.len());
            match rest.is_empty() {
                true => bytes.push(0),
                false => bytes.extend_from_slice(rest),
            }
        }
        bytes
    }

    /// The bytes from `offset` to the end of its page, at most so many.
    fn rest(&self, offset: u32, most: usize) -> &[u8] {
        let Some((page, inside)) = self.nonvolatile.page(offset) else {
            return &[];
        };
        let end = (inside + most).min(self.nonvolatile.offsets(page).len());
        &self.pages[page as usize][inside..end]
    }

    /// The first of these bytes at `offset` that is another one here.
    pub(crate) fn differs(&self, offset: u32, expected: &[u8]) -> Option<usize> {
        let mut done = 0;
        while done < expected.len() {
            let here = self.rest(offset + done as u32, expected.len() - done);
            if here.is_empty() {
                return Some(done);
            }
            let there = &expected[done..done + here.len()];
            if here != there {
                let same = here.iter().zip(there).take_while(|(a, b)| a == b);
                return Some(done + same.count());
            }
            done += here.len();
        }
        None
    }

    /// The pages that hold something else with `bytes` at `offset`, with their new contents.
    fn changed(
        &self,
        states: &mut States<'_>,
        offset: u32,
        bytes: &[u8],
    ) -> Vec<(u32, Contents, Page)> {
        let mut changed: Vec<(u32, Contents, Page)> = Vec::new();
        let mut at = 0;
        while at < bytes.len() {
            let Some((page, inside)) = self.nonvolatile.page(offset + at as u32) else {
                break;
            };
            let length = (self.nonvolatile.offsets(page).len() - inside).min(bytes.len() - at);
            let old = &self.pages[page as usize];
            let new = &bytes[at..at + length];
            if old[inside..inside + length] != *new {
                let mut contents = *old;
                contents[inside..inside + length].copy_from_slice(new);
                changed.push((page, states.contents(&contents), contents));
            }
            at += length;
        }
        changed
    }

    /// The state in which `bytes` are at `offset`.
    pub(crate) fn child(
        &self,
        states: &mut States<'_>,
        offset: u32,
        bytes: &[u8],
        outside: Option<u32>,
    ) -> Child {
        let changed = self.changed(states, offset, bytes);
        let mut sum = self.sum;
        let mut changes: Vec<Changed> = Vec::with_capacity(changed.len());
        for (page, contents, _) in changed {
            sum = sum.wrapping_sub(self.share_of(states, page));
            if contents != self.base_contents[page as usize] {
                sum = sum.wrapping_add(states.share(page, contents));
            }
            changes.push((page, contents));
        }
        let outside = outside.unwrap_or(self.outside);
        Child {
            sum: states.sum(sum, outside),
            changes,
            outside,
        }
    }

    /// The number of a child, if there is a state like it.
    pub(crate) fn find(&self, states: &States<'_>, child: &Child) -> Option<StateId> {
        states.find(child.sum, self.merged(child), child.outside)
    }

    /// Adds a child that there is not yet.
    pub(crate) fn insert(
        &self,
        states: &mut States<'_>,
        child: &Child,
        origin: Option<Origin>,
    ) -> StateId {
        states.insert(child.sum, self.merged(child), child.outside, origin)
    }

    fn merged<'m>(&'m self, child: &'m Child) -> Merged<'m> {
        Merged {
            old: &self.current,
            new: &child.changes,
            base: &self.base_contents,
        }
    }

    /// What a page adds to the sum now.
    fn share_of(&self, states: &States<'_>, page: u32) -> u64 {
        let found = self.current.binary_search_by_key(&page, |&(page, _)| page);
        found.map_or(0, |index| states.share(page, self.current[index].1))
    }

    /// Puts `bytes` at `offset`.
    pub(crate) fn apply(
        &mut self,
        states: &mut States<'_>,
        offset: u32,
        bytes: &[u8],
        outside: Option<u32>,
    ) {
        self.outside = outside.unwrap_or(self.outside);
        for (page, contents, bytes) in self.changed(states, offset, bytes) {
            self.sum = self.sum.wrapping_sub(self.share_of(states, page));
            self.pages[page as usize] = bytes;
            let found = self.current.binary_search_by_key(&page, |&(page, _)| page);
            match (found, contents == self.base_contents[page as usize]) {
                (Ok(index), true) => {
                    self.current.remove(index);
                }
                (Ok(index), false) => self.current[index].1 = contents,
                (Err(index), false) => self.current.insert(index, (page, contents)),
                (Err(_), true) => {}
            }
            self.sum = self.sum.wrapping_add(self.share_of(states, page));
        }
    }
}

/// A state that a power failure leaves.
pub(crate) struct Child {
    /// Where to look for it.
    pub(crate) sum: u64,
    /// Pages that hold something else than the memory it was made of.
    changes: Vec<Changed>,
    outside: u32,
}

/// The pages of a state with others in place of some.
#[derive(Clone)]
struct Merged<'m> {
    old: &'m [Changed],
    new: &'m [Changed],
    base: &'m [Contents],
}

impl Iterator for Merged<'_> {
    type Item = Changed;

    fn next(&mut self) -> Option<Changed> {
        loop {
            match (self.old.split_first(), self.new.split_first()) {
                (Some((&old, rest)), Some((new, _))) if old.0 < new.0 => {
                    self.old = rest;
                    return Some(old);
                }
                (old, Some((&new, rest))) => {
                    if let Some((_, old)) = old.filter(|(old, _)| old.0 == new.0) {
                        self.old = old;
                    }
                    self.new = rest;
                    if new.1 != self.base[new.0 as usize] {
                        return Some(new);
                    }
                }
                (Some((&old, rest)), None) => {
                    self.old = rest;
                    return Some(old);
                }
                (None, None) => return None,
            }
        }
    }
}
