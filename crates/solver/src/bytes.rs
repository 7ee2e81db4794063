//! Byte arrays: contents of memory, layer by layer.
//!
//! The lowest layer is an uninterpreted function of the index (contents that nobody knows) or known
//! bytes. Above it lie stores, choices between two contents, and *overlays*: some unknown bytes
//! somewhere in known stretches. A read goes through the layers and becomes a term; solvers see no
//! arrays. Where indices are numbers or differ by one, layers are passed without a trace.
//!
//! Reads of a large table of known bytes can be *opaque*: a function of the index of which nothing else is
//! known. That holds of fewer things, so what is proved then is true of the table, too.
//!
//! **Invariant**: equal numbers mean equal contents; the contrary need not be true.

use rustc_hash::FxHashMap;

use crate::terms::{Function, Term, Terms};

/// Contents of memory.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Bytes(u32);

/// A stretch of indices: the first, and one past the last.
pub type Stretch = (Term, Term);

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Layer {
    Unknown(Function),
    Known(Vec<u8>),
    Store {
        below: Bytes,
        index: Term,
        byte: Term,
    },
    Choice {
        condition: Term,
        then: Bytes,
        otherwise: Bytes,
    },
    Overlay {
        below: Bytes,
        /// Which bytes are other than below, one bit each.
        changed: Function,
        /// What they are.
        values: Function,
        /// Where they can be; everywhere else it is what is below.
        may: Vec<Stretch>,
        /// Where they surely are.
        must: Vec<Stretch>,
    },
}

/// The smallest table whose reads can be opaque.
const TABLE: usize = 64;

/// How tables of known bytes are read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Tables {
    /// Byte by byte.
    #[default]
    Exact,
    /// Large ones as functions of the index.
    Opaque,
}

/// All byte arrays.
#[derive(Debug)]
pub struct Arrays {
    tables: Tables,
    opaque: FxHashMap<Bytes, Function>,
    /// How many bytes the tables of opaque reads have, each as often as it is read.
    hidden: usize,
    layers: Vec<Layer>,
    known: FxHashMap<Layer, Bytes>,
    read: FxHashMap<(Bytes, Term), Term>,
    index_width: u32,
}

impl Arrays {
    /// None yet; indices have so many bits.
    pub fn new(index_width: u32, tables: Tables) -> Self {
        Self {
            tables,
            opaque: FxHashMap::default(),
            hidden: 0,
            layers: Vec::new(),
            known: FxHashMap::default(),
            read: FxHashMap::default(),
            index_width,
        }
    }

    /// How many bytes opaque reads were of: what exact ones would take.
    pub fn hidden(&self) -> usize {
        self.hidden
    }

    fn intern(&mut self, layer: Layer) -> Bytes {
        if let Some(&known) = self.known.get(&layer) {
            return known;
        }
        let bytes = Bytes(self.layers.len() as u32);
        self.layers.push(layer.clone());
        self.known.insert(layer, bytes);
        bytes
    }

    /// Contents that nobody knows.
    pub fn unknown(&mut self, terms: &mut Terms) -> Bytes {
        let function = terms.function(&[self.index_width], 8);
        self.intern(Layer::Unknown(function))
    }

    /// These bytes, and zero from their end on.
    pub fn known(&mut self, bytes: Vec<u8>) -> Bytes {
        self.intern(Layer::Known(bytes))
    }

    /// The contents with one byte changed.
    pub fn store(&mut self, below: Bytes, index: Term, byte: Term) -> Bytes {
        if let Layer::Store {
            below: deeper,
            index: same,
            ..
        } = self.layers[below.0 as usize]
            && same == index
        {
            return self.intern(Layer::Store {
                below: deeper,
                index,
                byte,
            });
        }
        self.intern(Layer::Store { below, index, byte })
    }

    /// One of two contents.
    pub fn choice(
        &mut self,
        terms: &Terms,
        condition: Term,
        then: Bytes,
        otherwise: Bytes,
    ) -> Bytes {
        match terms.value(condition) {
            Some(0) => otherwise,
            Some(_) => then,
            None if then == otherwise => then,
            None => self.intern(Layer::Choice {
                condition,
                then,
                otherwise,
            }),
        }
    }

    /// The contents with unknown bytes somewhere in `may`, everywhere in `must`.
    pub fn overlay(
        &mut self,
        below: Bytes,
        changed: Function,
        values: Function,
        may: Vec<Stretch>,
        must: Vec<Stretch>,
    ) -> Bytes {
        self.intern(Layer::Overlay {
            below,
            changed,
            values,
            may,
            must,
        })
    }

    /// The byte at an index.
    pub fn select(&mut self, terms: &mut Terms, bytes: Bytes, index: Term) -> Term {
        if let Some(&known) = self.read.get(&(bytes, index)) {
            return known;
        }
        // Stores that may be meant, from the top: their condition and byte.
        let mut passed: Vec<(Bytes, Term, Term)> = Vec::new();
        let mut at = bytes;
        let mut found = loop {
            if let Some(&known) = self.read.get(&(at, index)) {
                break known;
            }
            match self.layers[at.0 as usize].clone() {
                Layer::Store {
                    below,
                    index: stored,
                    byte,
                } => {
                    let same = terms.equal(stored, index);
                    match terms.value(same) {
                        Some(0) => {}
                        Some(_) => break byte,
                        None => passed.push((at, same, byte)),
                    }
                    at = below;
                }
                layer => break self.through(terms, at, layer, index),
            }
        };
        for (layer, same, byte) in passed.into_iter().rev() {
            found = terms.choice(same, byte, found);
            self.read.insert((layer, index), found);
        }
        self.read.insert((bytes, index), found);
        found
    }

    fn through(&mut self, terms: &mut Terms, at: Bytes, layer: Layer, index: Term) -> Term {
        match layer {
            Layer::Unknown(function) => terms.apply(function, &[index]),
            Layer::Known(bytes) if self.is_opaque(terms, &bytes, index) => {
                self.hidden += bytes.len();
                let width = self.index_width;
                let table = self.opaque.entry(at);
                let table = *table.or_insert_with(|| terms.function(&[width], 8));
                terms.apply(table, &[index])
            }
            Layer::Known(bytes) => known(terms, &bytes, index, self.index_width),
            Layer::Choice {
                condition,
                then,
                otherwise,
            } => {
                let then = self.select(terms, then, index);
                let otherwise = self.select(terms, otherwise, index);
                terms.choice(condition, then, otherwise)
            }
            Layer::Overlay {
                below,
                changed,
                values,
                may,
                must,
            } => {
                let may = within(terms, &may, index);
                let must = within(terms, &must, index);
                let changed = terms.apply(changed, &[index]);
                let changed = terms.or(must, changed);
                let changed = terms.and(may, changed);
                let below = match terms.value(changed) {
                    Some(1) => terms.constant(8, 0),
                    _ => self.select(terms, below, index),
                };
                let value = terms.apply(values, &[index]);
                terms.choice(changed, value, below)
            }
            // Stores are passed by the caller.
            Layer::Store {
                below,
                index: stored,
                byte,
            } => {
                let same = terms.equal(stored, index);
                let below = self.select(terms, below, index);
                terms.choice(same, byte, below)
            }
        }
    }
}

impl Arrays {
    /// Whether a read of known bytes is a function of its index, and nothing more is said of it.
    fn is_opaque(&self, terms: &Terms, bytes: &[u8], index: Term) -> bool {
        let varies = bytes.iter().any(|byte| *byte != bytes[0]);
        let is_table = bytes.len() > TABLE && varies;
        self.tables == Tables::Opaque && is_table && terms.value(index).is_none()
    }
}

/// Whether an index lies in one of some stretches.
pub fn within(terms: &mut Terms, stretches: &[Stretch], index: Term) -> Term {
    let mut inside = terms.no();
    for &(start, end) in stretches {
        let from = terms.sub(index, start);
        let length = terms.sub(end, start);
        let here = terms.binary(crate::Binary::ULess, from, length);
        inside = terms.or(inside, here);
    }
    inside
}

/// A byte of known ones, as a tree of choices over the bits of the index.
fn known(terms: &mut Terms, bytes: &[u8], index: Term, width: u32) -> Term {
    if let Some(index) = terms.value(index) {
        let byte = usize::try_from(index)
            .ok()
            .and_then(|index| bytes.get(index));
        return terms.constant(8, u128::from(byte.copied().unwrap_or(0)));
    }
    let bits = usize::BITS - bytes.len().saturating_sub(1).leading_zeros();
    let mut level: Vec<Term> = bytes
        .iter()
        .map(|byte| terms.constant(8, u128::from(*byte)))
        .collect();
    let zero = terms.constant(8, 0);
    for bit in 0..bits {
        let chosen = terms.extract(index, bit, 1);
        level = level
            .chunks(2)
            .map(|pair| {
                let high = pair.get(1).copied().unwrap_or(zero);
                terms.choice(chosen, high, pair[0])
            })
            .collect();
    }
    let inside = terms.constant(width, bytes.len() as u128);
    let inside = terms.binary(crate::Binary::ULess, index, inside);
    let found = level.first().copied().unwrap_or(zero);
    terms.choice(inside, found, zero)
}
