//! The objects a replay shows: where they are at a moment and what they hold.

use std::collections::BTreeMap;
use std::ops::Range;

use brownout_diag::{Compared, Continuous, Retention, Watched};
use brownout_explore::{Calls, Object, Objects, Part};
use brownout_ir::Func;
use brownout_ir::names;
use brownout_ir::source::TypeKind;
use brownout_vm::{Image, SegmentKind};

use super::error::ReplayError;
use super::position::Position;

/// How many objects are shown when the user does not say which.
const MOST: usize = 8;
/// An object of which more scalars than this are to be shown is shown as one.
const SCALARS: usize = 4;
/// How many elements of an array are spelled out.
const ELEMENTS: usize = 8;

/// One object to show.
#[derive(Clone, Debug)]
struct Watch {
    name: String,
    part: Part,
    anchor: Anchor,
}

/// Where an object is.
#[derive(Clone, Copy, Debug)]
enum Anchor {
    /// Always at this offset.
    Offset(u32),
    /// This far from the frame pointer of the newest activation.
    Frame { func: Func, distance: i64 },
}

/// The objects to show.
#[derive(Debug)]
pub(crate) struct WatchList<'i> {
    image: &'i Image,
    pub(crate) objects: Objects<'i>,
    watches: Vec<Watch>,
}

/// Bytes of a watched object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Touched {
    pub(crate) part: Part,
    /// Offset of its first byte.
    pub(crate) offset: u32,
}

impl Touched {
    /// Its bytes in memory.
    pub(crate) fn bytes(self, memory: &[u8]) -> &[u8] {
        let start = self.offset as usize;
        let end = start + (self.part.end - self.part.start) as usize;
        memory.get(start..end).unwrap_or(&[])
    }
}

impl<'i> WatchList<'i> {
    /// Nothing.
    pub(crate) fn empty(image: &'i Image) -> Self {
        Self {
            image,
            objects: Objects::new(image),
            watches: Vec::new(),
        }
    }

    /// What the user names.
    ///
    /// # Errors
    /// If a name means nothing.
    pub(crate) fn named(image: &'i Image, names: &[String]) -> Result<Self, ReplayError> {
        let mut list = Self::empty(image);
        for name in names {
            let parts =
                names::resolve(image.program(), name).map_err(|problem| ReplayError::Name {
                    name: name.clone(),
                    problem,
                })?;
            for part in parts {
                let part = Part {
                    object: part.object.into(),
                    start: part.start,
                    end: part.end,
                };
                list.add(part, Some(name.clone()));
            }
        }
        Ok(list)
    }

    /// What is worth looking at, the most important first: of the parts given, those that users know,
    /// globals before locals before memory without a name.
    pub(crate) fn chosen(
        image: &'i Image,
        parts: impl IntoIterator<Item = (Part, Option<u32>)>,
    ) -> Self {
        let mut list = Self::empty(image);
        let mut chosen: Vec<(u8, usize, Part)> = Vec::new();
        let mut offsets: BTreeMap<Part, u32> = BTreeMap::new();
        for (order, (part, offset)) in parts.into_iter().enumerate() {
            if let Some(offset) = offset {
                offsets.entry(part).or_insert(offset);
            }
            if let Some(rank) = list.rank(part.object)
                && !chosen.iter().any(|(_, _, other)| *other == part)
            {
                chosen.push((rank, order, part));
            }
        }
        chosen.sort_by_key(|&(rank, order, _)| (rank, order));
        let chosen: Vec<Part> = chosen.into_iter().map(|(_, _, part)| part).collect();
        for part in gathered(&chosen).into_iter().take(MOST) {
            // Blocks are where they were seen.
            match (part.object, offsets.get(&part)) {
                (Object::Block { .. }, Some(&offset)) => {
                    let name = list.name(part);
                    let anchor = Anchor::Offset(offset);
                    list.watches.push(Watch { name, part, anchor });
                }
                _ => list.add(part, None),
            }
        }
        list.distinguish();
        list
    }

    fn rank(&self, object: Object) -> Option<u8> {
        let program = self.image.program();
        match object {
            Object::Global(global) => match program.globals[global].origin {
                brownout_ir::Origin::User => Some(0),
                brownout_ir::Origin::Library => Some(4),
            },
            Object::Local(func, slot) => {
                let function = &program.functions[func];
                let slot = function.body.as_ref()?.slots.get(slot)?;
                let known = slot.name.is_some() && function.origin == brownout_ir::Origin::User;
                known.then_some(1)
            }
            Object::Block { .. } | Object::Segment(SegmentKind::Heap) => Some(2),
            Object::Linkage(_) => Some(3),
            Object::Segment(SegmentKind::Window) => Some(0),
            Object::Segment(_) | Object::Stack(_) => None,
        }
    }

    fn add(&mut self, part: Part, name: Option<String>) {
        let frame = |func: Func, slot: usize| {
            let start = self.image.frame_slots(func).get(slot)?;
            Some(i64::from(*start) + part.start as i64)
        };
        let anchor = match part.object {
            Object::Global(global) => self
                .objects
                .offset_of(global)
                .map(|offset| Anchor::Offset(offset + part.start as u32)),
            Object::Local(func, slot) => frame(func, brownout_ir::Id::index(slot))
                .map(|distance| Anchor::Frame { func, distance }),
            Object::Linkage(func) => Some(Anchor::Frame {
                func,
                distance: part.start as i64,
            }),
            Object::Segment(_) => Some(Anchor::Offset(part.start as u32)),
            Object::Stack(_) | Object::Block { .. } => None,
        };
        if let Some(anchor) = anchor {
            let name = name.unwrap_or_else(|| self.name(part));
            self.watches.push(Watch { name, part, anchor });
        }
    }

    /// Says which function locals of the same name belong to.
    fn distinguish(&mut self) {
        let names: Vec<String> = self
            .watches
            .iter()
            .map(|watch| watch.name.clone())
            .collect();
        for watch in &mut self.watches {
            let same = names.iter().filter(|name| **name == watch.name).count();
            if let (Object::Local(func, _), true) = (watch.part.object, same > 1) {
                let function = &self.image.program().functions[func].name;
                watch.name = format!("{function}::{}", watch.name);
            }
        }
    }

    /// The watched bytes of an access, as parts of objects: scalars where it has no more than one.
    pub(crate) fn touched(&self, offset: u32, size: u32, calls: &Calls<'_>) -> Option<Touched> {
        let end = offset.saturating_add(size);
        self.watches.iter().find_map(|watch| {
            let length = (watch.part.end - watch.part.start) as u32;
            let start = match watch.anchor {
                Anchor::Offset(start) => start,
                Anchor::Frame { func, distance } => {
                    // Of whichever activation owns the bytes, not only of the newest.
                    let (_, owner) = calls.owner(offset);
                    let owner = owner.filter(|owner| owner.func == func)?;
                    u32::try_from(i64::from(owner.frame) + distance).ok()?
                }
            };
            let (from, to) = (offset.max(start), end.min(start + length));
            (from < to).then(|| self.widened(watch.part, start, from, to))
        })
    }

    /// Bytes `from..to` of a part at `start`; a piece of a scalar is the whole scalar.
    fn widened(&self, whole: Part, start: u32, from: u32, to: u32) -> Touched {
        let inside = |at: u32| whole.start + u64::from(at - start);
        let (mut first, mut last) = (inside(from), inside(to));
        let source = &self.image.program().source;
        let leaf = |at: u64| {
            self.objects
                .type_of(whole.object)
                .and_then(|ty| source.leaf(ty, at))
        };
        if let Some((at, _, _)) = leaf(first) {
            first = at.max(whole.start);
        }
        if let Some((at, length, _)) = leaf(last - 1) {
            last = (at + length).min(whole.end);
        }
        Touched {
            part: Part {
                object: whole.object,
                start: first,
                end: last,
            },
            offset: start + (first - whole.start) as u32,
        }
    }

    /// What a user calls a part.
    pub(crate) fn name(&self, part: Part) -> String {
        match part.object {
            Object::Segment(_) => {
                let address = self.image.layout().address(part.start as u32);
                format!("{} at {address:#x}", self.objects.name(part))
            }
            _ => self.objects.name(part),
        }
    }

    /// The bytes of a part as a user would write its value.
    pub(crate) fn value(&self, part: Part, bytes: &[u8]) -> String {
        let source = &self.image.program().source;
        let leaf = |at: u64| {
            self.objects
                .type_of(part.object)
                .and_then(|ty| source.leaf(ty, at))
        };
        match leaf(part.start) {
            Some((start, size, ty)) if part.start + size < part.end && start == part.start => {
                let kind = source.types.get(ty).map(|ty| &ty.kind);
                if size == 1 && kind == Some(&TypeKind::Char) {
                    let end = bytes.iter().position(|&byte| byte == 0);
                    let text = String::from_utf8_lossy(&bytes[..end.unwrap_or(bytes.len())]);
                    return format!("{text:?}");
                }
                let mut values = Vec::new();
                let mut at = part.start;
                while at < part.end && values.len() < ELEMENTS {
                    let Some((start, size, _)) = leaf(at) else {
                        // Padding.
                        at += 1;
                        continue;
                    };
                    let one = Part {
                        object: part.object,
                        start,
                        end: start + size,
                    };
                    let from = (start.saturating_sub(part.start)) as usize;
                    let to = (from + size as usize).min(bytes.len());
                    values.push(self.objects.value(one, &bytes[from.min(to)..to]));
                    at = start + size.max(1);
                }
                if at < part.end {
                    values.push("…".to_owned());
                }
                format!("{{{}}}", values.join(", "))
            }
            _ if bytes.len() > 8 => {
                let shown: Vec<String> = bytes
                    .iter()
                    .take(ELEMENTS)
                    .map(|byte| format!("{byte:02x}"))
                    .collect();
                let more = if bytes.len() > ELEMENTS { " …" } else { "" };
                format!("{}{more}", shown.join(" "))
            }
            _ => self.objects.value(part, bytes),
        }
    }

    /// All objects as they are, beside what the continuous execution has, if there is one to compare with.
    pub(crate) fn values(
        &self,
        here: (&[u8], &Calls<'_>),
        continuous: Beside<'_, '_>,
        position: &Position<'_>,
    ) -> Vec<Watched> {
        let value = |watch: &Watch, (memory, calls): (&[u8], &Calls<'_>)| {
            let touched = Touched {
                part: watch.part,
                offset: watch.anchor.offset(calls)?,
            };
            Some(self.value(watch.part, touched.bytes(memory)))
        };
        self.watches
            .iter()
            .map(|watch| {
                let offset = watch.anchor.offset(here.1);
                Watched {
                    object: watch.name.clone(),
                    value: value(watch, here).map(|intermittent| {
                        let other = match continuous {
                            Beside::Itself => Some(intermittent.clone()),
                            Beside::Other(memory, calls) => value(watch, (memory, calls)),
                            Beside::Nobody => None,
                        };
                        compared(intermittent, other)
                    }),
                    retention: self.retention(offset, position),
                }
            })
            .collect()
    }

    fn retention(&self, offset: Option<u32>, position: &Position<'_>) -> Retention {
        let is_in = |ranges: &[Range<u32>]| {
            offset.is_some_and(|offset| ranges.iter().any(|range| range.contains(&offset)))
        };
        let segment = offset.and_then(|offset| self.image.layout().segment(offset));
        if is_in(&position.cleared) {
            Retention::Lost
        } else if segment.is_some_and(|segment| segment.nonvolatile) && !is_in(&position.saves) {
            Retention::Kept
        } else {
            Retention::Restored
        }
    }
}

impl Anchor {
    fn offset(self, calls: &Calls<'_>) -> Option<u32> {
        match self {
            Self::Offset(offset) => Some(offset),
            Self::Frame { func, distance } => {
                u32::try_from(i64::from(calls.newest(func)?.frame) + distance).ok()
            }
        }
    }
}

/// What to compare with.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Beside<'a, 'i> {
    /// This is the continuous execution, so far.
    Itself,
    /// The continuous execution at the same point.
    Other(&'a [u8], &'a Calls<'i>),
    /// The continuous execution is elsewhere.
    Nobody,
}

/// A value beside that of the continuous execution, if there is one.
pub(crate) fn compared(intermittent: String, continuous: Option<String>) -> Compared {
    let continuous = match continuous {
        Some(other) if other == intermittent => Continuous::Same,
        Some(other) => Continuous::Other(other),
        None => Continuous::Elsewhere,
    };
    Compared {
        intermittent,
        continuous,
    }
}

/// Neighbouring scalars of an object as one part, where there are many.
fn gathered(parts: &[Part]) -> Vec<Part> {
    let mut result: Vec<Part> = Vec::new();
    for &part in parts {
        // Memory without a name is one thing as long as it hangs together.
        let is_raw = matches!(part.object, Object::Segment(_) | Object::Linkage(_));
        let of_object = parts.iter().filter(|other| other.object == part.object);
        let last = result
            .iter_mut()
            .find(|last| last.object == part.object && last.end == part.start);
        match last {
            Some(last) if is_raw || of_object.count() > SCALARS => last.end = part.end,
            _ => result.push(part),
        }
    }
    result
}
