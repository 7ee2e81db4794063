//! Fig. 3, right column: memories, configurations and observations.
//!
//! ```text
//! configuration Σ ::= (τ, κ, N, V, c)      memory  M : Loc → Val
//! continuous    σ ::= (τ, N, V, c)         context κ ::= (N, V, c)
//! observation   o ::= [r] | in(τ) | reboot | checkpoint      r ::= rd loc v | r, r
//! ```
//!
//! A [`Configuration`] leaves open what its context is: each system of §4 and §8 has its own, and
//! the continuous one has none (`()`).

use std::fmt;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

use crate::syntax::{Array, Command, Name, Names, Value};

/// A location: `x` or `a[n]`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Location {
    /// The variable or the array.
    pub name: Name,
    /// The element of the array.
    pub index: Option<u8>,
}

impl Location {
    /// `x`
    pub fn variable(name: Name) -> Self {
        Self { name, index: None }
    }

    /// `a[n]`; the index is taken modulo the length.
    pub fn element(array: Array, index: Value) -> Self {
        let index = i32::from(index.number()).rem_euclid(i32::from(array.length.max(1)));
        Self {
            name: array.name,
            index: u8::try_from(index).ok(),
        }
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.index {
            None => write!(f, "{}", self.name),
            Some(index) => write!(f, "{}[{index}]", self.name),
        }
    }
}

/// A memory `M`: a finite map from locations to values. Copies share their cells until one is changed,
/// because a search keeps thousands of them.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Memory {
    /// In the order of the locations, each at most once.
    cells: Rc<Vec<(Location, Value)>>,
}

impl Hash for Memory {
    /// Memories that are compared have the same locations most of the time.
    fn hash<H: Hasher>(&self, state: &mut H) {
        for (_, value) in self.cells.iter() {
            state.write_i16(value.number());
        }
    }
}

impl Memory {
    /// `M(loc)`
    pub fn get(&self, location: Location) -> Option<Value> {
        self.position(location).ok().map(|at| self.cells[at].1)
    }

    /// `M[loc ↦ v]`
    pub fn set(&mut self, location: Location, value: Value) {
        match self.position(location) {
            Ok(at) => Rc::make_mut(&mut self.cells)[at].1 = value,
            Err(at) => Rc::make_mut(&mut self.cells).insert(at, (location, value)),
        }
    }

    fn position(&self, location: Location) -> Result<usize, usize> {
        self.cells.binary_search_by(|(at, _)| at.cmp(&location))
    }

    /// Whether the location is in `dom(M)`.
    pub fn contains(&self, location: Location) -> bool {
        self.position(location).is_ok()
    }

    /// Whether anything of this name is in `dom(M)`.
    pub fn holds(&self, name: Name) -> bool {
        self.cells.iter().any(|(at, _)| at.name == name)
    }

    /// Its locations with their values.
    pub fn iter(&self) -> impl Iterator<Item = (Location, Value)> + '_ {
        self.cells.iter().copied()
    }

    /// Its variables and arrays.
    pub fn names(&self) -> Names {
        self.cells.iter().map(|(at, _)| at.name).collect()
    }

    /// Whether nothing is in `dom(M)`.
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// `M|ω`: the part whose domain is ω.
    #[must_use]
    pub fn restricted(&self, names: &Names) -> Self {
        let kept = |(at, _): &&(Location, Value)| names.contains(&at.name);
        Self {
            cells: Rc::new(self.cells.iter().filter(kept).copied().collect()),
        }
    }

    /// `self ◁ newer`: with the values that `newer` has for its locations.
    #[must_use]
    pub fn updated(&self, newer: &Self) -> Self {
        let mut memory = self.clone();
        for (location, value) in newer.iter() {
            memory.set(location, value);
        }
        memory
    }

    /// `reset(M)`: what a memory holds that has lost its power.
    #[must_use]
    pub fn reset(&self) -> Self {
        self.iter().map(|(at, _)| (at, Value::Number(0))).collect()
    }

    /// The locations at which two memories differ, and those that only one of them has.
    pub fn differing(&self, other: &Self) -> Vec<Location> {
        let ours = self
            .iter()
            .filter(|&(at, value)| other.get(at) != Some(value));
        let theirs = other.iter().filter(|&(at, _)| !self.contains(at));
        let mut differing: Vec<_> = ours.chain(theirs).map(|(at, _)| at).collect();
        differing.sort_unstable();
        differing
    }
}

impl FromIterator<(Location, Value)> for Memory {
    fn from_iter<T: IntoIterator<Item = (Location, Value)>>(cells: T) -> Self {
        let mut memory = Self::default();
        for (location, value) in cells {
            memory.set(location, value);
        }
        memory
    }
}

/// Logical time τ.
pub type Time = u32;

/// A configuration, with the context of a system: Σ, or σ if there is none.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Configuration<Context> {
    /// τ
    pub time: Time,
    /// κ
    pub context: Context,
    /// N
    pub nonvolatile: Memory,
    /// V
    pub volatile: Memory,
    /// c
    pub command: Command,
}

impl<Context> Configuration<Context> {
    /// `Σ⁻`, the erasure: without the context.
    pub fn erased(&self) -> Configuration<()> {
        Configuration {
            time: self.time,
            context: (),
            nonvolatile: self.nonvolatile.clone(),
            volatile: self.volatile.clone(),
            command: self.command.clone(),
        }
    }

    /// The same without its time: what a search over all schedules tells apart.
    #[must_use]
    pub fn timeless(mut self) -> Self {
        self.time = 0;
        self
    }
}

/// An observation `o`. A list `r` of reads is that many observations.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Observation {
    /// `rd loc v`
    Read(Location, Value),
    /// `in(τ)`, and what the environment had there.
    Input(Time, Value),
    /// `reboot`
    Reboot,
    /// `checkpoint`; a task's `transition`
    Checkpoint,
}

impl Observation {
    /// The same without its time.
    #[must_use]
    pub fn timeless(self) -> Self {
        match self {
            Self::Input(_, value) => Self::Input(0, value),
            Self::Read(..) | Self::Reboot | Self::Checkpoint => self,
        }
    }
}
