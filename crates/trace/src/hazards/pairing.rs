//! One write, paired with the reads of a granule (SEMANTICS §3.1).

use std::ops::Range;

use brownout_diag::Rule;
use brownout_explore::{Instance, Object, Objects};
use brownout_ir::{Func, Id};
use brownout_vm::SegmentKind;
use rustc_hash::FxHashMap;

use crate::hazards::blocks::Blocks;
use crate::hazards::known::{Couple, Memory, Whose, within};
use crate::hazards::pairs::{Occurrence, Pairs, Site};
use crate::hazards::readers::Place;
use crate::hazards::reads::{Frame, Reach, Reading, bytes, different};
use crate::hazards::settled::{Openness, Writer};

/// The owner of the bytes that are accessed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Owner {
    /// The activation or the heap block; 0 for none.
    pub(crate) number: u32,
    pub(crate) frame: Frame,
    /// What kind of memory it is.
    pub(crate) kind: Kind,
}

/// What can own bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// Bytes that always belong to the same object.
    Fixed,
    /// Bytes of activations.
    Stack,
    /// Bytes of blocks.
    Heap,
}

/// What is known of pairs, and what to look things up in.
#[derive(Debug)]
pub(crate) struct Findings<'i> {
    pub(crate) objects: Objects<'i>,
    pub(crate) blocks: Blocks,
    pub(crate) pairs: Pairs,
    pub(crate) memory: Memory,
    /// The reads that make a pair with the write at hand of which not enough is known.
    pub(crate) news: Vec<News>,
    /// Scratch memory of [`Write::learn`]: the bytes of each place that are recorded already.
    pub(crate) places: FxHashMap<(Place, Whose), Taken>,
}

/// The bytes of a granule for which a read by one place has been paired with the write at hand.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Taken {
    /// Bytes that some read gave with another value than is stored now.
    any_loud: u8,
    /// Bytes for which such a read has been recorded.
    loud: u8,
    /// Bytes for which a read with the value that is stored has been recorded.
    silent: u8,
}

/// A write that is being paired with reads.
pub(crate) struct Write<'a, 'i> {
    pub(crate) writer: Writer,
    pub(crate) owner: Owner,
    /// Offset of the granule.
    pub(crate) base: u32,
    /// What is stored, zero outside the mask.
    pub(crate) value: u64,
    pub(crate) checkpoint: Option<u32>,
    pub(crate) reach: Reach,
    pub(crate) findings: &'a mut Findings<'i>,
}

/// A read that makes a pair with the write at hand of which not enough is known.
#[derive(Clone, Copy, Debug)]
pub(crate) struct News {
    reading: Reading<Place>,
    whose: Whose,
    /// Bytes that are stored with another value than was read.
    loud: u8,
    /// Bytes that are stored with the value that was read.
    silent: u8,
}

impl Write<'_, '_> {
    /// Whether the bytes belonged to the same owner when they were read. No answer for another heap block at the same
    /// address: that is another object, and the hazard is the change of the memory map.
    #[inline(always)]
    pub(crate) fn whose(&self, reading: &Reading<Place>) -> Option<Whose> {
        if reading.owner == self.owner.number {
            Some(Whose::Same)
        } else if self.writer.kind == Kind::Heap {
            None
        } else {
            Some(Whose::Other)
        }
    }

    /// Compares the write with a read, and notes the read if not enough is known of their pair.
    #[inline(always)]
    pub(crate) fn look(&mut self, reading: &Reading<Place>) {
        let mut rest = reading.place.mask & self.writer.mask;
        if rest == 0 {
            return;
        }
        let Some(whose) = self.whose(reading) else {
            return;
        };
        let position = self.position(reading.place.frame);
        let couple = self.couple(reading.place.pc, reading.place.frame, whose);
        let mut known_silent = 0;
        if let Some(known) = self.findings.memory.of(&couple, position) {
            rest &= !within(&known.loud, position);
            known_silent = within(&known.silent, position);
        }
        let loud = different(reading.value, self.value) & rest;
        let silent = rest & !loud & !known_silent;
        if loud | silent != 0 {
            self.findings.news.push(News {
                reading: *reading,
                whose,
                loud,
                silent,
            });
        }
    }

    /// When a write like this one has to be compared with reads of one place that have some bytes in common with it.
    pub(crate) fn openness(&self, place: &Place, whose: Whose) -> Openness {
        let position = self.position(place.frame);
        let couple = self.couple(place.pc, place.frame, whose);
        let Some(known) = self.findings.memory.of(&couple, position) else {
            return Openness::Open;
        };
        let common = place.mask & self.writer.mask;
        let quiet = common & !within(&known.loud, position);
        if quiet & !within(&known.silent, position) != 0 {
            return Openness::Open;
        }
        let mut granules = 0..u32::MAX;
        if self.writer.kind != Kind::Stack {
            narrow(&mut granules, &known.loud, common & !quiet);
            narrow(&mut granules, &known.silent, quiet);
        }
        Openness::Quiet(quiet, granules)
    }

    /// The places of which a read and a write are paired.
    #[inline(always)]
    fn couple(&self, consumer: u32, frame: Frame, whose: Whose) -> Couple {
        Couple {
            consumer,
            producer: self.writer.pc,
            calls: self.writer.calls,
            region: self.writer.region,
            whose,
            domain: match self.writer.kind {
                Kind::Fixed => 0,
                // Functions are not that many: no block has the number of one.
                Kind::Stack => frame.func.wrapping_add(1),
                Kind::Heap => !self.owner.number,
            },
        }
    }

    /// The position of the granule in the domain of its owner: in memory, or in the frame.
    #[inline(always)]
    fn position(&self, frame: Frame) -> i64 {
        match self.writer.kind {
            Kind::Fixed | Kind::Heap => self.base.into(),
            Kind::Stack => frame.distance.into(),
        }
    }

    /// Records the pairs with the reads that were noted.
    #[inline(always)]
    pub(crate) fn learn(&mut self) {
        if !self.findings.news.is_empty() {
            self.learn_all();
        }
    }

    /// Of all reads of one place, a byte that is stored makes a pair with the last one that gave another value; if there
    /// is none, a silent pair with the last one.
    #[cold]
    #[inline(never)]
    fn learn_all(&mut self) {
        let mut all = std::mem::take(&mut self.findings.news);
        let mut places = std::mem::take(&mut self.findings.places);
        for news in &all {
            let taken = places.entry((news.reading.place, news.whose)).or_default();
            taken.any_loud |= news.loud;
        }
        // All of them are reads of one granule, the last one first.
        for news in &all {
            let taken = places.entry((news.reading.place, news.whose)).or_default();
            let loud = news.loud & !taken.loud;
            let silent = news.silent & !taken.any_loud & !taken.silent;
            taken.loud |= news.loud;
            taken.silent |= news.silent;
            if loud | silent != 0 {
                self.record(&news.reading, news.whose, loud, silent);
            }
        }
        all.clear();
        places.clear();
        (self.findings.news, self.findings.places) = (all, places);
    }

    /// Records pairs with one read. Neighbouring bytes of one object are recorded together.
    fn record(&mut self, reading: &Reading<Place>, whose: Whose, loud: u8, silent: u8) {
        let mut stretch: Option<Stretch> = None;
        for byte in bytes(loud | silent) {
            let (object, inside) = self.object(reading, byte as u32);
            let occurrence = if loud >> byte & 1 != 0 {
                Occurrence::Loud
            } else {
                Occurrence::Silent
            };
            match &mut stretch {
                Some(stretch)
                    if (stretch.object, stretch.occurrence) == (object, occurrence)
                        && stretch.inside.end == inside =>
                {
                    stretch.inside.end += 1;
                }
                stretch => {
                    let next = Stretch {
                        object,
                        inside: inside..inside + 1,
                        byte: byte as i64,
                        occurrence,
                    };
                    if let Some(stretch) = stretch.replace(next) {
                        self.record_stretch(reading, whose, &stretch);
                    }
                }
            }
        }
        if let Some(stretch) = stretch {
            self.record_stretch(reading, whose, &stretch);
        }
    }

    fn record_stretch(&mut self, reading: &Reading<Place>, whose: Whose, stretch: &Stretch) {
        let rule = match (stretch.object, whose) {
            (Object::Linkage(_), _) | (_, Whose::Other) => Rule::ActivationRecord,
            (_, Whose::Same) => Rule::WriteAfterRead,
        };
        let site = Site {
            rule,
            object: stretch.object,
            producer: self.writer.pc,
            checkpoint: self.writer.region,
        };
        let instance = Instance {
            commit: reading.read.commit,
            checkpoint: self.checkpoint,
            consumed: reading.read.time,
            produced: self.reach.now,
            consumer_calls: reading.read.calls,
            producer_calls: self.writer.calls,
        };
        let inside = stretch.inside.clone();
        let enough = self.findings.pairs.record(
            site,
            reading.place.pc,
            inside,
            instance,
            stretch.occurrence,
        );
        // From bytes of the object to bytes of the domain.
        let place = self.position(reading.place.frame);
        let zero = place + stretch.byte - stretch.inside.start as i64;
        let moved = |range: Range<u64>| zero + range.start as i64..zero + range.end as i64;
        let couple = self.couple(reading.place.pc, reading.place.frame, whose);
        let (loud, silent) = (enough.loud.map(moved), enough.silent.map(moved));
        self.findings.memory.add(&couple, place, loud, silent);
    }

    /// The object of a byte of the granule, and the byte in it.
    fn object(&self, reading: &Reading<Place>, byte: u32) -> (Object, u64) {
        let Findings {
            objects, blocks, ..
        } = &*self.findings;
        let Frame { func, distance } = reading.place.frame;
        match self.writer.kind {
            Kind::Fixed => match objects.global(self.base + byte) {
                Some((global, inside)) => (Object::Global(global), inside),
                // Memory at a fixed address is told by that.
                None => {
                    let part = objects.scalar(self.base + byte, None);
                    (part.object, part.start)
                }
            },
            Kind::Heap => blocks.object(self.base + byte),
            Kind::Stack if func == 0 => (Object::Segment(SegmentKind::Stack), 0),
            Kind::Stack => objects.local(
                Func::from_index(func as usize - 1),
                i64::from(distance) + i64::from(byte),
            ),
        }
    }
}

/// Narrows `granules` to those whose bytes of `mask` lie in `known`.
fn narrow(granules: &mut Range<u32>, known: &Range<i64>, mask: u8) {
    if mask != 0 {
        let bound = |offset: i64| u32::try_from(offset.max(0)).unwrap_or(u32::MAX);
        let first = bound(known.start - i64::from(mask.trailing_zeros()));
        let end = bound(known.end - i64::from(mask.ilog2()));
        *granules = granules.start.max(first)..granules.end.min(end);
    }
}

/// Neighbouring bytes of one object that make pairs of the same kind.
struct Stretch {
    object: Object,
    /// The bytes of the object.
    inside: Range<u64>,
    /// The position of the first of them in the granule.
    byte: i64,
    occurrence: Occurrence,
}
