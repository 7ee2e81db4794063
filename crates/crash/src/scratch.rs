//! Non-volatile memory of one state, written out, and the states that operations make of it.

use brownout_vm::Machine;

use crate::nonvolatile::{Nonvolatile, PAGE, Page};
use crate::state::{Contents, Origin, State, StateId, States, share};

/// Memory of one state.
pub(crate) struct Scratch<'s> {
    nonvolatile: &'s Nonvolatile,
    /// What pages hold at the first power-on.
    base: Vec<Page>,
    base_contents: Vec<Contents>,
    pages: Vec<Page>,
    /// Pages that are not as at the first power-on, sorted.
    current: Vec<(u32, Contents)>,
    sum: u64,
    outside: u32,
}

impl<'s> Scratch<'s> {
    pub(crate) fn new(
        nonvolatile: &'s Nonvolatile,
        fresh: &Machine<'_>,
        states: &mut States,
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
    pub(crate) fn load(&mut self, states: &States, state: &State) {
        for &(page, _) in &self.current {
            self.pages[page as usize] = self.base[page as usize];
        }
        self.current.clear();
        self.current.extend_from_slice(&state.pages);
        self.sum = 0;
        for &(page, contents) in &self.current {
            self.pages[page as usize] = *states.page(contents);
            self.sum = self.sum.wrapping_add(share(page, contents));
        }
        self.outside = state.outside;
    }

    /// Pages that are not as at the first power-on, sorted.
    pub(crate) fn pages(&self) -> &[(u32, Contents)] {
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
        (offset..).take(length).map(|at| self.byte(at)).collect()
    }

    /// The pages that hold something else with `bytes` at `offset`, with their new contents.
    fn changed(
        &self,
        states: &mut States,
        offset: u32,
        bytes: &[u8],
    ) -> Vec<(u32, Contents, Page)> {
        let mut changed: Vec<(u32, Contents, Page)> = Vec::new();
        let mut at = 0;
        while at < bytes.len() {
            let Some((page, inside)) = self.nonvolatile.page(offset + at as u32) else {
                break;
            };
            let length = (PAGE - inside).min(bytes.len() - at);
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

    /// Adds the state in which `bytes` are at `offset`, if there is none like it.
    pub(crate) fn child(
        &self,
        states: &mut States,
        offset: u32,
        bytes: &[u8],
        outside: Option<u32>,
        origin: impl FnOnce() -> Option<Origin>,
    ) -> Option<StateId> {
        let changed = self.changed(states, offset, bytes);
        let mut sum = self.sum;
        let mut changes: Vec<(u32, Contents)> = Vec::with_capacity(changed.len());
        for (page, contents, _) in changed {
            sum = sum.wrapping_sub(self.share_of(page));
            if contents != self.base_contents[page as usize] {
                sum = sum.wrapping_add(share(page, contents));
            }
            changes.push((page, contents));
        }
        let merged = Merged {
            old: &self.current,
            new: &changes,
            base: &self.base_contents,
        };
        states.insert(sum, merged, outside.unwrap_or(self.outside), origin)
    }

    /// What a page adds to the sum now.
    fn share_of(&self, page: u32) -> u64 {
        let found = self.current.binary_search_by_key(&page, |&(page, _)| page);
        found.map_or(0, |index| share(page, self.current[index].1))
    }

    /// Puts `bytes` at `offset`.
    pub(crate) fn apply(
        &mut self,
        states: &mut States,
        offset: u32,
        bytes: &[u8],
        outside: Option<u32>,
    ) {
        self.outside = outside.unwrap_or(self.outside);
        for (page, contents, bytes) in self.changed(states, offset, bytes) {
            self.sum = self.sum.wrapping_sub(self.share_of(page));
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
            self.sum = self.sum.wrapping_add(self.share_of(page));
        }
    }
}

/// The pages of a state with others in place of some.
#[derive(Clone)]
struct Merged<'m> {
    old: &'m [(u32, Contents)],
    new: &'m [(u32, Contents)],
    base: &'m [Contents],
}

impl Iterator for Merged<'_> {
    type Item = (u32, Contents);

    fn next(&mut self) -> Option<(u32, Contents)> {
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
