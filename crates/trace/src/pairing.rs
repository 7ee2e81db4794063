//! One write, paired with the reads of a granule (SEMANTICS §3.1).

use std::ops::Range;

use brownout_diag::Rule;
use brownout_ir::{Func, Id};
use brownout_vm::SegmentKind;

use crate::blocks::Blocks;
use crate::known::{Couple, Memory, Whose, within};
use crate::locate::Instance;
use crate::objects::{Object, Objects};
use crate::pairs::{Key, Occurrence, Pairs};
use crate::reads::{Frame, Reach, Reading, bytes, different};
use crate::settled::{Side, Verdict, Writer};

/// Whose bytes are accessed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Owner {
    /// The activation or the heap block; 0 for none.
    pub(crate) number: u32,
    pub(crate) frame: Frame,
    /// What kind of memory it is.
    pub(crate) kind: Kind,
}

/// What owners there are.
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
    /// What the write at hand has brought up.
    pub(crate) news: Vec<News>,
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

/// What is to be learnt of a read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct News {
    reading: Reading,
    whose: Whose,
    /// Bytes that are stored otherwise than they were read.
    loud: u8,
    /// Bytes that are stored as they were read.
    silent: u8,
}

/// Bytes of which something is to be learnt.
#[derive(Clone, Copy, Default)]
struct Unknown {
    /// They are stored otherwise than they were read.
    loud: u8,
    /// They are stored as they were read.
    silent: u8,
    /// Nothing is, or will be, to be learnt of these as long as they are stored as they were read.
    quiet: u8,
}

impl Unknown {
    #[inline(always)]
    const fn is_some(self) -> bool {
        self.loud | self.silent != 0
    }

    /// Whether it depends on values.
    #[inline(always)]
    const fn depends(self) -> bool {
        self.loud | self.quiet != 0
    }

    #[inline(always)]
    const fn tell(self, side: &mut Side) {
        side.settled &= !self.is_some();
        side.quiet |= self.quiet;
    }
}

/// For whom reads of one place must have been to matter, when one of them has been looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Matters {
    same: bool,
    other: bool,
}

impl Matters {
    pub(crate) const BOTH: Self = Self {
        same: true,
        other: true,
    };
    pub(crate) const NEITHER: Self = Self {
        same: false,
        other: false,
    };

    /// Whether one does that was for somebody.
    pub(crate) const fn includes(self, whose: Option<Whose>) -> bool {
        match whose {
            Some(Whose::Same) => self.same,
            Some(Whose::Other) => self.other,
            None => false,
        }
    }
}

impl Write<'_, '_> {
    /// For whom something was read. Another block at the same address is another object: the change
    /// of the map is the hazard.
    #[inline(always)]
    pub(crate) fn whose(&self, reading: &Reading) -> Option<Whose> {
        if reading.owner == self.owner.number {
            Some(Whose::Same)
        } else if self.owner.kind == Kind::Heap {
            None
        } else {
            Some(Whose::Other)
        }
    }

    /// Looks at a read, and keeps in mind what is to be learnt from it; whether earlier ones of the
    /// same place matter.
    #[inline(always)]
    pub(crate) fn look(&mut self, reading: &Reading, verdict: &mut Verdict) -> Matters {
        let common = reading.mask & self.writer.mask;
        if common == 0 {
            return Matters::NEITHER;
        }
        let Some(whose) = self.whose(reading) else {
            return Matters::BOTH;
        };
        let actual = self.unknown(reading, common, whose);
        if actual.is_some() {
            let Unknown { loud, silent, .. } = actual;
            self.findings.news.push(News {
                reading: *reading,
                whose,
                loud,
                silent,
            });
        }
        actual.tell(&mut verdict.own);
        if self.owner.kind != Kind::Stack {
            return Matters {
                same: actual.depends(),
                other: false,
            };
        }
        let (same, other) = match whose {
            Whose::Same => (actual, self.unknown(reading, common, Whose::Other)),
            Whose::Other => (self.unknown(reading, common, Whose::Same), actual),
        };
        same.tell(&mut verdict.same);
        other.tell(&mut verdict.other);
        Matters {
            same: same.depends(),
            other: other.depends(),
        }
    }

    /// Looks at a read that does not matter any more: whether something would be to be learnt from it,
    /// whoever owned the bytes.
    pub(crate) fn look_back(&self, reading: &Reading, side: &mut Side) {
        let common = reading.mask & self.writer.mask;
        self.unknown(reading, common, Whose::Same).tell(side);
        if self.owner.kind == Kind::Stack {
            self.unknown(reading, common, Whose::Other).tell(side);
        }
    }

    /// Of which bytes something is to be learnt.
    #[inline(always)]
    fn unknown(&self, reading: &Reading, common: u8, whose: Whose) -> Unknown {
        let place = self.position(reading);
        let couple = self.couple(reading, whose);
        let (mut rest, mut known_silent) = (common, 0);
        if let Some(known) = self.findings.memory.of(&couple, place) {
            rest &= !within(&known.loud, place);
            if rest == 0 {
                return Unknown::default();
            }
            known_silent = within(&known.silent, place);
        }
        let loud = different(reading.value, self.value) & rest;
        let quiet = rest & !loud;
        Unknown {
            loud,
            silent: quiet & !known_silent,
            quiet,
        }
    }

    #[inline(always)]
    fn couple(&self, reading: &Reading, whose: Whose) -> Couple {
        Couple {
            consumer: reading.pc,
            producer: self.writer.pc,
            calls: self.writer.calls,
            whose,
            domain: match self.owner.kind {
                Kind::Fixed => 0,
                // Functions are not that many: no block has the number of one.
                Kind::Stack => reading.frame.func.wrapping_add(1),
                Kind::Heap => !self.owner.number,
            },
        }
    }

    /// Where the granule is, in its domain.
    #[inline(always)]
    fn position(&self, reading: &Reading) -> i64 {
        match self.owner.kind {
            Kind::Fixed | Kind::Heap => self.base.into(),
            Kind::Stack => reading.frame.distance.into(),
        }
    }

    /// Learns what has come up.
    #[inline(always)]
    pub(crate) fn learn(&mut self) {
        if !self.findings.news.is_empty() {
            self.learn_all();
        }
    }

    /// Of all reads of one place, a byte pairs with the last one that gave something else; if there
    /// is none, silently with the last.
    #[cold]
    #[inline(never)]
    fn learn_all(&mut self) {
        let all = std::mem::take(&mut self.findings.news);
        let alike = |one: &News, other: &News| {
            one.whose == other.whose && one.reading.is_by_place_of(&other.reading)
        };
        for (index, news) in all.iter().enumerate() {
            let (mut loud, mut silent) = (news.loud, news.silent);
            for (at, other) in all.iter().enumerate() {
                if at != index && alike(news, other) {
                    silent &= !other.loud;
                    if at < index {
                        loud &= !other.loud;
                        silent &= !other.silent;
                    }
                }
            }
            if loud | silent != 0 {
                self.record(&news.reading, news.whose, loud, silent);
            }
        }
        self.findings.news = all;
        self.findings.news.clear();
    }

    /// Records bytes. Those of one object that were read together are recorded together.
    fn record(&mut self, reading: &Reading, whose: Whose, loud: u8, silent: u8) {
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

    fn record_stretch(&mut self, reading: &Reading, whose: Whose, stretch: &Stretch) {
        let rule = match (stretch.object, whose) {
            (Object::Linkage(_), _) | (_, Whose::Other) => Rule::ActivationRecord,
            (_, Whose::Same) => Rule::WriteAfterRead,
        };
        let key = Key {
            rule,
            object: stretch.object,
            consumer: reading.pc,
            producer: self.writer.pc,
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
        let enough = self
            .findings
            .pairs
            .record(key, inside, instance, stretch.occurrence);
        // From bytes of the object to bytes of the domain.
        let place = self.position(reading);
        let zero = place + stretch.byte - stretch.inside.start as i64;
        let moved = |range: Range<u64>| zero + range.start as i64..zero + range.end as i64;
        let couple = self.couple(reading, whose);
        let (loud, silent) = (enough.loud.map(moved), enough.silent.map(moved));
        self.findings.memory.add(&couple, place, loud, silent);
    }

    /// The object of a byte of the granule, and the byte in it.
    fn object(&self, reading: &Reading, byte: u32) -> (Object, u64) {
        let Findings {
            objects, blocks, ..
        } = &*self.findings;
        let Frame { func, distance } = reading.frame;
        match self.owner.kind {
            Kind::Fixed => match objects.global(self.base + byte) {
                Some((global, inside)) => (Object::Global(global), inside),
                None => (Object::Segment(SegmentKind::Globals), 0),
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

/// Bytes of one object, of which the same is to be recorded.
struct Stretch {
    object: Object,
    /// The bytes of the object.
    inside: Range<u64>,
    /// The first of them in the granule.
    byte: i64,
    occurrence: Occurrence,
}
