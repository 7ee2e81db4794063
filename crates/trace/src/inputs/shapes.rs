//! The shapes of sets of readings: their places without their clocks.
//!
//! **Invariant**: equal shapes have equal numbers; number 0 is that of no readings.

use std::hash::{Hash, Hasher};

use rustc_hash::{FxHashMap, FxHasher};

use super::part::Part;
use super::topics::{Kind, Topics};

/// A shape, by number.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Shape(u32);

impl Shape {
    /// What tells shapes apart.
    #[inline(always)]
    pub(super) fn number(self) -> u32 {
        self.0
    }
}

/// A part of a set, without its clocks.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Place {
    topic: u32,
    pc: u32,
}

impl From<&Part> for Place {
    fn from(part: &Part) -> Self {
        Self {
            topic: part.topic,
            pc: part.oldest.pc,
        }
    }
}

/// All shapes.
#[derive(Clone, Debug)]
pub(super) struct Shapes {
    /// The places of all shapes, one behind the other.
    places: Vec<Place>,
    /// Where those of a shape begin and end.
    shapes: Vec<(u32, u32)>,
    kinds: Vec<Kind>,
    /// Shapes by a hash of their places, or by the next number that was free.
    numbers: FxHashMap<u64, Shape>,
}

impl Shapes {
    pub(super) fn new() -> Self {
        Self {
            places: Vec::new(),
            shapes: vec![(0, 0)],
            kinds: vec![Kind::default()],
            numbers: FxHashMap::default(),
        }
    }

    /// What is to be known of all sets of a shape.
    pub(super) fn kind(&self, shape: Shape) -> Kind {
        self.kinds[shape.0 as usize]
    }

    /// The shape of these parts.
    pub(super) fn of(&mut self, parts: &[Part], topics: &Topics) -> Shape {
        if parts.is_empty() {
            return Shape::default();
        }
        let mut hasher = FxHasher::default();
        for part in parts {
            Place::from(part).hash(&mut hasher);
        }
        let mut hash = hasher.finish();
        while let Some(&shape) = self.numbers.get(&hash) {
            let (start, end) = self.shapes[shape.0 as usize];
            let places = &self.places[start as usize..end as usize];
            if places.iter().copied().eq(parts.iter().map(Place::from)) {
                return shape;
            }
            hash = hash.wrapping_add(1);
        }
        let shape = Shape(self.shapes.len() as u32);
        let start = self.places.len() as u32;
        self.places.extend(parts.iter().map(Place::from));
        self.shapes.push((start, self.places.len() as u32));
        let kind = topics.kind(parts.iter().map(|part| part.topic));
        self.kinds.push(kind);
        self.numbers.insert(hash, shape);
        shape
    }
}
