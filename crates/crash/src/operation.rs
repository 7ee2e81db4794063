//! Operations on non-volatile memory, and what an interrupted one leaves (semantics §5).
//!
//! An operation is a stretch of bytes and what it leaves there. It is cut into *pieces* that are
//! done or not done: program units of a flash part, blocks of an erase, atomic writes of other
//! memory. What a failure inside it leaves is named by an [`Extent`], and made by [`torn`] alone,
//! for the exploration as for replays.
//!
//! **Invariant**: [`extents`] names every state that the tear allows between not done and done,
//! or says that it does not.

use std::ops::Range;

use brownout_diag::Extent;
use brownout_scenario::{EraseTear, FlashAction, Tear};
use brownout_vm::{FlashPart, Image};

use crate::Request;
use crate::nonvolatile::{Nature, Nonvolatile};

/// What kind an operation is of.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
    /// A store of one value.
    Store,
    /// A copy or fill, in the order of the addresses.
    Copy,
    /// A write to the notebook of the test.
    Ghost,
    /// A program operation.
    Program,
    /// An erase operation.
    Erase,
    /// An output that changes the environment.
    Output,
}

impl Kind {
    /// What messages call it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Store => "store",
            Self::Copy => "copy",
            Self::Ghost => "ghost",
            Self::Program => "program",
            Self::Erase => "erase",
            Self::Output => "output",
        }
    }
}

/// One operation of a boot.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Operation {
    pub(crate) kind: Kind,
    /// The first byte.
    pub(crate) offset: u32,
    /// What it leaves, in the bytes of its boot.
    pub(crate) new: Range<u32>,
    /// The calls that led to it.
    pub(crate) path: u32,
    /// What is outside after it, if that is something else, in the list of its boot.
    pub(crate) outside: Option<u32>,
}

/// How operations are cut.
pub(crate) struct Cuts<'c> {
    image: &'c Image,
    request: &'c Request,
    nonvolatile: &'c Nonvolatile,
}

/// More subsets of pieces than of so many are not tried one by one.
const MOST_PIECES: usize = 10;

/// More subsets of the bits of a unit than of so many are not tried one by one.
const MOST_BITS: usize = 8;

/// The cuts of one operation.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Extents {
    /// Each leaves something between not done and done.
    pub(crate) extents: Vec<Extent>,
    /// Whether there are more.
    pub(crate) is_sample: bool,
}

/// Which bits of a unit are erased already, by the number of the unit and how many there are.
type Erased = fn(usize, usize) -> u8;

/// How an erased block is mixed. The last units may be erased while the first ones, with their headers,
/// are not.
const MIXTURES: [(Erased, &str); 7] = [
    (
        |unit, _| if unit.is_multiple_of(2) { 0xff } else { 0 },
        "every second unit erased",
    ),
    (
        |unit, _| if unit.is_multiple_of(2) { 0 } else { 0xff },
        "every second unit erased, not the first one",
    ),
    (|_, _| 0x55, "every second bit erased"),
    (|_, _| 0xaa, "every second bit erased, not the first one"),
    (
        |unit, units| if 4 * unit >= units { 0xff } else { 0 },
        "its last three quarters erased",
    ),
    (
        |unit, units| if 2 * unit >= units { 0xff } else { 0 },
        "its last half erased",
    ),
    (
        |unit, units| if 4 * unit >= 3 * units { 0xff } else { 0 },
        "its last quarter erased",
    ),
];

/// What a mixture is, and in which of the blocks of the operation, from 0.
pub fn mixture(number: u32) -> (&'static str, usize) {
    let number = number as usize;
    let (_, name) = MIXTURES[number % MIXTURES.len()];
    (name, number / MIXTURES.len())
}

impl<'c> Cuts<'c> {
    pub(crate) fn new(
        image: &'c Image,
        request: &'c Request,
        nonvolatile: &'c Nonvolatile,
    ) -> Self {
        Self {
            image,
            request,
            nonvolatile,
        }
    }

    /// What kind a store is of.
    pub(crate) fn kind(&self, offset: u32, is_block: bool) -> Kind {
        match (self.nonvolatile.nature(offset), is_block) {
            (Nature::Ghost, _) => Kind::Ghost,
            (_, true) => Kind::Copy,
            (_, false) => Kind::Store,
        }
    }

    /// What kind an operation of a flash part is of; waiting is none.
    pub(crate) fn kind_of(action: FlashAction) -> Option<Kind> {
        match action {
            FlashAction::Program => Some(Kind::Program),
            FlashAction::Erase => Some(Kind::Erase),
            FlashAction::Read | FlashAction::Sync => None,
        }
    }

    /// The part that an operation is about.
    fn part(&self, kind: Kind, offset: u32) -> Option<(&'c FlashPart, (Tear, EraseTear))> {
        match (kind, self.nonvolatile.nature(offset)) {
            (Kind::Program | Kind::Erase, Nature::Part(number)) => {
                let part = self.image.bindings().parts.get(number as usize)?;
                Some((part, *self.request.tears.get(number as usize)?))
            }
            _ => None,
        }
    }

    /// Where the pieces of an operation end, but for the last.
    fn boundaries(&self, kind: Kind, offset: u32, length: usize) -> Vec<usize> {
        let (unit, start) = match (kind, self.part(kind, offset)) {
            (Kind::Ghost | Kind::Output, _) => return Vec::new(),
            (Kind::Program, Some((part, _))) => (part.program_unit, self.part_start(offset)),
            (Kind::Erase, Some((part, _))) => (part.erase_block, self.part_start(offset)),
            // Other memory: what is written at once is aligned as the device has it.
            _ => match self.request.atomic_write {
                None => return Vec::new(),
                Some(atomic) => (atomic, None),
            },
        };
        let unit = u64::from(unit.max(1));
        let begin = match start {
            None => self.image.layout().address(offset),
            Some(start) => u64::from(offset - start),
        };
        let first = (unit - begin % unit) as usize;
        (first..length).step_by(unit as usize).collect()
    }

    fn part_start(&self, offset: u32) -> Option<u32> {
        self.nonvolatile.object(offset).map(|object| object.start)
    }

    /// The pieces of an operation, in the order of the addresses.
    fn pieces(&self, kind: Kind, offset: u32, length: usize) -> Vec<Range<usize>> {
        let mut start = 0;
        let mut pieces = Vec::new();
        for end in self
            .boundaries(kind, offset, length)
            .into_iter()
            .chain([length])
        {
            pieces.push(start..end);
            start = end;
        }
        pieces
    }

    /// What a failure inside an operation can leave.
    pub(crate) fn extents(&self, kind: Kind, offset: u32, old: &[u8], new: &[u8]) -> Extents {
        if old == new {
            return Extents::default();
        }
        let length = new.len();
        match (kind, self.part(kind, offset)) {
            (Kind::Ghost | Kind::Output, _) => Extents::default(),
            (Kind::Store, _) => subsets(&self.pieces(kind, offset, length), old, new),
            (Kind::Copy, _) | (Kind::Program | Kind::Erase, None) => {
                prefixes(self.boundaries(kind, offset, length))
            }
            (Kind::Program, Some((_, (tear, _)))) => match tear {
                Tear::None => Extents::default(),
                Tear::Prefix => prefixes(self.boundaries(kind, offset, length)),
                Tear::AnyUnit => subsets(&self.pieces(kind, offset, length), old, new),
                Tear::Bits => {
                    let pieces = self.pieces(kind, offset, length);
                    let mut extents = subsets(&pieces, old, new);
                    for piece in pieces {
                        bits(&piece, old, new, &mut extents);
                    }
                    extents
                }
            },
            (Kind::Erase, Some((part, (_, tear)))) => {
                let blocks = self.pieces(kind, offset, length);
                let quarter = (part.erase_block as usize / 4).max(1);
                let mut extents = Extents::default();
                for (number, block) in blocks.iter().enumerate() {
                    if tear != EraseTear::None {
                        let quarters = (block.start..block.end).step_by(quarter).skip(1);
                        extents
                            .extents
                            .extend(quarters.map(|end| Extent::Bytes(end as u32)));
                    }
                    if tear == EraseTear::Garbage {
                        let first = (number * MIXTURES.len()) as u32;
                        let mixtures = first..first + MIXTURES.len() as u32;
                        extents.extents.extend(mixtures.map(Extent::Mixture));
                    }
                    if block.end < length {
                        extents.extents.push(Extent::Bytes(block.end as u32));
                    }
                }
                extents
            }
        }
    }

    /// What an operation leaves that was done to this extent. One that does not fit the operation
    /// leaves nothing: none.
    pub(crate) fn torn(
        &self,
        kind: Kind,
        offset: u32,
        (old, new): (&[u8], &[u8]),
        extent: &Extent,
    ) -> Option<Vec<u8>> {
        let mut torn = old.to_vec();
        match extent {
            Extent::Whole => torn.copy_from_slice(new),
            Extent::Bytes(bytes) => {
                let done = *bytes as usize;
                torn.get_mut(..done)?.copy_from_slice(new.get(..done)?);
            }
            Extent::Units(mask) => {
                let pieces = self.pieces(kind, offset, new.len());
                for (number, piece) in pieces.into_iter().enumerate() {
                    if bit(mask, number) {
                        torn[piece.clone()].copy_from_slice(&new[piece]);
                    }
                }
            }
            Extent::Bits(bytes, mask) => {
                let done = *bytes as usize;
                torn.get_mut(..done)?.copy_from_slice(new.get(..done)?);
                let mut pieces = self.pieces(kind, offset, new.len()).into_iter();
                let piece = pieces.find(|piece| piece.start == done)?;
                for (number, at) in piece.enumerate() {
                    let done = mask.get(number).copied().unwrap_or(0);
                    torn[at] = old[at] & !done | new[at] & done;
                }
            }
            Extent::Mixture(number) => {
                let (part, _) = self.part(kind, offset)?;
                let number = *number as usize;
                let blocks = self.pieces(kind, offset, new.len());
                let block = blocks.get(number / MIXTURES.len())?.clone();
                torn[..block.start].copy_from_slice(&new[..block.start]);
                let unit = part.program_unit.max(1) as usize;
                let units = block.len().div_ceil(unit);
                let (mixture, _) = MIXTURES[number % MIXTURES.len()];
                for at in block.clone() {
                    let done = mixture((at - block.start) / unit, units);
                    torn[at] = old[at] & !done | new[at] & done;
                }
            }
        }
        Some(torn)
    }
}

fn bit(mask: &[u8], number: usize) -> bool {
    mask.get(number / 8)
        .is_some_and(|byte| byte >> (number % 8) & 1 == 1)
}

fn prefixes(boundaries: Vec<usize>) -> Extents {
    let extents = boundaries.into_iter().map(|end| Extent::Bytes(end as u32));
    Extents {
        extents: extents.collect(),
        is_sample: false,
    }
}

/// Any of the pieces that change anything, but not none and not all.
fn subsets(pieces: &[Range<usize>], old: &[u8], new: &[u8]) -> Extents {
    let changing: Vec<usize> = (0..pieces.len())
        .filter(|&piece| old[pieces[piece].clone()] != new[pieces[piece].clone()])
        .collect();
    let (chosen, is_sample) = chosen(changing.len(), MOST_PIECES);
    let mask = |chosen: &Vec<bool>| {
        let mut mask = vec![0u8; pieces.len().div_ceil(8)];
        for (&piece, _) in changing.iter().zip(chosen).filter(|(_, chosen)| **chosen) {
            mask[piece / 8] |= 1 << (piece % 8);
        }
        while mask.last() == Some(&0) {
            mask.pop();
        }
        Extent::Units(mask)
    };
    Extents {
        extents: chosen.iter().map(mask).collect(),
        is_sample,
    }
}

/// Any of the bits of one piece that change, with all pieces before it done.
fn bits(piece: &Range<usize>, old: &[u8], new: &[u8], extents: &mut Extents) {
    let changing: Vec<(usize, u8)> = piece
        .clone()
        .flat_map(|at| {
            let difference = old[at] ^ new[at];
            let bits = (0..8).filter(move |bit| difference >> bit & 1 == 1);
            bits.map(move |bit| (at - piece.start, 1 << bit))
        })
        .collect();
    let (chosen, is_sample) = chosen(changing.len(), MOST_BITS);
    extents.is_sample |= is_sample;
    for chosen in chosen {
        let mut mask = vec![0u8; piece.len()];
        for (&(byte, bit), _) in changing.iter().zip(&chosen).filter(|(_, chosen)| **chosen) {
            mask[byte] |= bit;
        }
        while mask.last() == Some(&0) {
            mask.pop();
        }
        extents.extents.push(Extent::Bits(piece.start as u32, mask));
    }
}

/// All proper choices among `count` things, or some where there are too many: first ones, last
/// ones, one, all but one. Whether these are some.
fn chosen(count: usize, most: usize) -> (Vec<Vec<bool>>, bool) {
    if count <= most {
        let all = (1u32 << count).saturating_sub(1);
        let choice = |number: u32| (0..count).map(|bit| number >> bit & 1 == 1).collect();
        return ((1..all).map(choice).collect(), false);
    }
    let mut some: Vec<Vec<bool>> = Vec::new();
    for at in 0..count {
        some.push((0..count).map(|index| index == at).collect());
        some.push((0..count).map(|index| index != at).collect());
        if at > 1 && at < count - 1 {
            some.push((0..count).map(|index| index < at).collect());
            some.push((0..count).map(|index| index >= at).collect());
        }
    }
    (some, true)
}

#[cfg(test)]
mod tests {
    use super::chosen;

    #[test]
    fn few_things_are_chosen_in_every_way() {
        assert_eq!(chosen(0, 4), (vec![], false));
        assert_eq!(chosen(1, 4), (vec![], false));
        let (choices, is_sample) = chosen(4, 4);
        assert_eq!((choices.len(), is_sample), (14, false));
        let (choices, is_sample) = chosen(5, 4);
        assert!(is_sample && choices.len() < 30);
        assert!(
            choices
                .iter()
                .all(|choice| choice.contains(&true) && choice.contains(&false))
        );
    }
}
