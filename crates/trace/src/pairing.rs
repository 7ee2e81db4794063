//! One write, paired with the readers of a granule (SEMANTICS §3.1).

use std::ops::Range;

use brownout_diag::Rule;
use brownout_ir::{Func, Id};
use brownout_vm::SegmentKind;

use crate::blocks::Blocks;
use crate::granule::{Kind, Owner, Reach, Reader};
use crate::history::{History, bytes};
use crate::locate::Instance;
use crate::objects::{Object, Objects};
use crate::pairs::{Key, Occurrence, Pairs};
use crate::writers::{Pending, Settled, Whose, Writer};

/// A write that is being paired with readers.
pub(crate) struct Write<'a, 'i> {
    pub(crate) writer: Writer,
    pub(crate) owner: Owner,
    /// Offset of the granule.
    pub(crate) base: u32,
    /// What is stored, zero outside the mask.
    pub(crate) value: u64,
    pub(crate) checkpoint: Option<u32>,
    pub(crate) objects: &'a Objects<'i>,
    pub(crate) blocks: &'a Blocks,
    pub(crate) pairs: &'a mut Pairs,
    pub(crate) reach: Reach,
}

/// What is to be learnt of a pair.
#[derive(Default)]
struct News {
    /// Bytes that are stored otherwise than they were read.
    loud: u8,
    /// Bytes that are stored as they were read.
    silent: u8,
    /// Bytes of which nothing is to be learnt as long as they stay as they are.
    quiet: u8,
    /// Whether all reads are too old.
    asleep: bool,
}

impl Write<'_, '_> {
    /// Pairs the write with one reader, as far as something is to be learnt from that.
    #[inline]
    pub(crate) fn pair(&mut self, reader: &Reader, pending: &mut Pending) -> Settled {
        let same = reader.owner == self.owner.number;
        // Another block at the same address is another object; the map's change is the hazard.
        if self.owner.kind == Kind::Heap && !same {
            return Settled::default();
        }
        let mut settled = Settled::EVER;
        let (actual, imagined) = if same {
            (Whose::Same, Whose::Other)
        } else {
            (Whose::Other, Whose::Same)
        };
        self.learn(reader, &reader.own, actual, pending, &mut settled);
        if let Some(older) = &reader.older {
            self.learn(reader, older, Whose::Other, pending, &mut settled);
        }
        let news = self.news(&reader.own, imagined, pending);
        settle(&news, imagined, &mut settled);
        settled
    }

    /// What is to be learnt from pairing the write with reads for one owner.
    #[inline]
    fn news(&self, history: &History, whose: Whose, pending: &Pending) -> News {
        let mut news = News::default();
        let rest = pending.common & !pending.known.loud[whose as usize];
        if rest == 0 {
            return news;
        }
        if !self.reach.covers(history.latest()) {
            news.asleep = true;
            return news;
        }
        news.loud = history.differing(self.value, rest);
        for byte in bytes(history.varied() & rest & !news.loud) {
            if self.reach.covers(history.other(byte)) {
                news.loud |= 1 << byte;
            }
        }
        news.quiet = rest & !news.loud;
        news.silent = news.quiet & !pending.known.silent[whose as usize];
        news
    }

    /// Records what is to be learnt from the reads for one owner.
    #[inline]
    fn learn(
        &mut self,
        reader: &Reader,
        history: &History,
        whose: Whose,
        pending: &mut Pending,
        settled: &mut Settled,
    ) {
        let news = self.news(history, whose, pending);
        settle(&news, whose, settled);
        if news.loud | news.silent != 0 {
            self.record(reader, history, whose, (news.loud, news.silent), pending);
        }
    }

    /// Records bytes. Those of one object that were read together are recorded together.
    #[cold]
    #[inline(never)]
    fn record(
        &mut self,
        reader: &Reader,
        history: &History,
        whose: Whose,
        (loud, silent): (u8, u8),
        pending: &mut Pending,
    ) {
        let differing = history.differing(self.value, loud);
        let mut stretch: Option<Stretch> = None;
        for byte in bytes(loud | silent) {
            let (object, inside) = self.object(reader, byte as u32);
            let rule = match (object, whose) {
                (Object::Linkage(_), _) | (_, Whose::Other) => Rule::ActivationRecord,
                (_, Whose::Same) => Rule::WriteAfterRead,
            };
            let key = Key {
                rule,
                object,
                consumer: reader.pc,
                producer: self.writer.pc,
            };
            let read = if (loud & !differing) >> byte & 1 != 0 {
                history.other(byte)
            } else {
                history.latest()
            };
            let occurrence = if loud >> byte & 1 != 0 {
                Occurrence::Loud
            } else {
                Occurrence::Silent
            };
            let instance = Instance {
                commit: read.commit,
                checkpoint: self.checkpoint,
                consumed: read.time,
                produced: self.reach.now,
                consumer_calls: read.calls,
                producer_calls: self.writer.calls,
            };
            match &mut stretch {
                Some(stretch)
                    if (stretch.key, stretch.instance, stretch.occurrence)
                        == (key, instance, occurrence)
                        && stretch.inside.end == inside =>
                {
                    stretch.inside.end += 1;
                    stretch.mask |= 1 << byte;
                }
                stretch => {
                    let next = Stretch {
                        key,
                        inside: inside..inside + 1,
                        mask: 1 << byte,
                        instance,
                        occurrence,
                    };
                    if let Some(stretch) = stretch.replace(next) {
                        stretch.record(self.pairs, whose, pending);
                    }
                }
            }
        }
        if let Some(stretch) = stretch {
            stretch.record(self.pairs, whose, pending);
        }
    }

    /// The object of a byte of the granule, and the byte in it.
    fn object(&self, reader: &Reader, byte: u32) -> (Object, u64) {
        match self.owner.kind {
            Kind::Fixed => match self.objects.global(self.base + byte) {
                Some((global, inside)) => (Object::Global(global), inside),
                None => (Object::Segment(SegmentKind::Globals), 0),
            },
            Kind::Heap => self.blocks.object(self.base + byte),
            Kind::Stack if reader.frame.func == 0 => (Object::Segment(SegmentKind::Stack), 0),
            Kind::Stack => self.objects.local(
                Func::from_index(reader.frame.func as usize - 1),
                i64::from(reader.frame.distance) + i64::from(byte),
            ),
        }
    }
}

/// Nothing is learnt from the same write again if nothing is to be learnt from it now.
#[inline]
fn settle(news: &News, whose: Whose, settled: &mut Settled) {
    settled.whose[whose as usize] &= news.loud | news.silent == 0 && !news.asleep;
    settled.quiet |= news.quiet;
}

/// Bytes of one object, of which the same is to be recorded.
struct Stretch {
    key: Key,
    /// The bytes of the object.
    inside: Range<u64>,
    /// The bytes of the granule.
    mask: u8,
    instance: Instance,
    occurrence: Occurrence,
}

impl Stretch {
    fn record(self, pairs: &mut Pairs, whose: Whose, pending: &mut Pending) {
        let enough = pairs.record(self.key, self.inside, self.instance, self.occurrence);
        if enough.loud {
            pending.known.loud[whose as usize] |= self.mask;
        }
        if enough.silent {
            pending.known.silent[whose as usize] |= self.mask;
        }
    }
}
