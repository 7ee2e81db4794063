//! Stores next to the object they are meant for.
//!
//! **Property.** A store of the program, without any power failure, hits the bytes right after (or
//! right before) one of its own globals or locals.
//!
//! **Algorithm.** A copy of the program in which every object of the user is a few bytes longer than
//! it says ([`with_gaps`]) is executed once. Nothing that keeps to its objects ever touches these
//! bytes, so the first store that does is wrong. Addresses in the program that is checked stay what
//! they are: the copy is asked this one question.
//!
//! **False positives.** Programs that walk from one object into the next on purpose.
//! **False negatives.** Stores that jump over the gap, what needs other inputs, what comes after the
//! limit; loads.

use std::ops::Range;

use brownout_ir::{Func, Global, Id, Origin, Program, Slot};
use brownout_scenario::placed_at;
use brownout_vm::{Image, Machine, Moment, Observer};

/// The sizes of gaps that are tried, largest first: small devices have little room.
pub const GAPS: [u32; 3] = [32, 8, 2];

/// A store outside of every object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Overrun {
    /// What is next to it.
    pub object: String,
    /// How many bytes that has.
    pub size: u64,
    /// The first byte of the store that is not in it, counted from its start.
    pub at: i64,
    /// How many bytes are stored.
    pub stored: u64,
    /// When.
    pub moment: Moment,
}

impl std::fmt::Display for Overrun {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let bytes = |count: u64| match count {
            1 => "1 byte".to_owned(),
            count => format!("{count} bytes"),
        };
        let Self {
            object, at, size, ..
        } = self;
        let (stored, size) = (bytes(self.stored), bytes(*size));
        match self.at < 0 {
            true => write!(
                f,
                "write of {stored} before the start of `{object}`: at byte {at}"
            ),
            false => write!(
                f,
                "write of {stored} past the end of `{object}`: at byte {at}, and it has {size}"
            ),
        }
    }
}

/// Whether a global is one of the user's that can be written.
fn is_watched(program: &Program, global: Global) -> bool {
    let data = &program.globals[global];
    // What has an address of its own may have neighbours that were put there.
    let is_placed = data.section.as_deref().and_then(placed_at).is_some();
    let is_variable = data.init.is_some() && !data.constant && data.size > 0;
    data.origin == Origin::User && is_variable && !is_placed
}

/// The same program with `gap` bytes after every object of the user.
pub fn with_gaps(program: &Program, gap: u32) -> Program {
    let mut wider = program.clone();
    for index in 0..program.globals.len() {
        let global = Global::from_index(index);
        if is_watched(program, global) {
            wider.globals[global].size += u64::from(gap);
        }
    }
    for index in 0..program.functions.len() {
        let func = Func::from_index(index);
        let function = &mut wider.functions[func];
        let Some(body) = function
            .body
            .as_mut()
            .filter(|_| function.origin == Origin::User)
        else {
            continue;
        };
        for index in 0..body.slots.len() {
            let slot = &mut body.slots[Slot::from_index(index)];
            // What has no name is the compiler's.
            if slot.name.is_some() {
                slot.size = slot.size.saturating_add(gap);
            }
        }
    }
    wider
}

/// The first store next to an object, if there is one before `limit`. `image` is that of `program`
/// [with gaps](with_gaps) of so many bytes.
pub fn find_overrun(
    image: &Image,
    program: &Program,
    gap: u32,
    limit: u64,
    stop: &dyn Fn() -> bool,
) -> Option<Overrun> {
    /// Instructions between two looks at the clock.
    const STRETCH: u64 = 1 << 20;
    let mut guard = Guard::new(image, program, gap);
    let mut machine = Machine::new(image);
    while guard.found.is_none() && !stop() {
        let until = limit.min(machine.now() + STRETCH);
        let ended = machine.watch(&mut guard, until);
        if ended != brownout_vm::Stop::Paused || until >= limit {
            break;
        }
    }
    guard.found
}

struct Guard<'i> {
    program: &'i Program,
    gap: u32,
    /// The gaps after globals, in order, and whose they are.
    gaps: Vec<(Range<u32>, Global)>,
    /// The calls in progress: functions and the offsets of their frames.
    calls: Vec<(Func, u32)>,
    /// The locals of every function of the user.
    locals: Vec<Vec<Local>>,
    /// The part of memory that is the stack.
    stack: Range<u32>,
    found: Option<Overrun>,
}

impl<'i> Guard<'i> {
    fn new(image: &'i Image, program: &'i Program, gap: u32) -> Self {
        let layout = image.layout();
        let mut gaps = Vec::new();
        for index in 0..program.globals.len() {
            let global = Global::from_index(index);
            if is_watched(program, global) {
                let size = u32::try_from(program.globals[global].size).unwrap_or(u32::MAX);
                let end = layout.offset_of(global).saturating_add(size);
                let end = end.min(u32::MAX - gap);
                gaps.push((end..end + gap, global));
            }
        }
        gaps.sort_by_key(|(range, _)| range.start);
        let stack = layout.segments().iter();
        let stack = stack
            .filter(|segment| segment.kind == brownout_vm::SegmentKind::Stack)
            .map(|segment| segment.offsets.clone())
            .next()
            .unwrap_or(0..0);
        Self {
            program,
            gap,
            gaps,
            calls: Vec::new(),
            locals: (0..program.functions.len())
                .map(Func::from_index)
                .map(|func| match program.functions[func].origin {
                    Origin::User => locals(image, program, func),
                    Origin::Library => Vec::new(),
                })
                .collect(),
            stack,
            found: None,
        }
    }

    /// The gap after a global that a store hits.
    fn global(&self, stored: &Range<u32>, moment: Moment) -> Option<Overrun> {
        let next = self
            .gaps
            .partition_point(|(gap, _)| gap.end <= stored.start);
        let hit = self
            .gaps
            .get(next)
            .filter(|(gap, _)| gap.start < stored.end)?;
        let object = |(gap, global): &(Range<u32>, Global)| {
            let data = &self.program.globals[*global];
            let name = data.variable.as_ref().unwrap_or(&data.name).clone();
            (name, data.size, gap.start - data.size as u32)
        };
        let above = self.gaps.get(next + 1).map(object);
        Some(overrun(stored, moment, object(hit), above))
    }

    /// The gap after a local that a store hits.
    fn local(&self, stored: &Range<u32>, moment: Moment) -> Option<Overrun> {
        // Frames lie below the offset that a call tells; the innermost are the lowest.
        let mut calls = self.calls.iter().rev();
        let &(func, frame) = calls.find(|(_, frame)| stored.start < *frame)?;
        let locals = self.locals.get(func.index())?;
        let distance = |offset: u32| i64::from(offset) - i64::from(frame);
        let (from, to) = (distance(stored.start), distance(stored.end));
        let next = locals.partition_point(|local| local.end + i64::from(self.gap) <= from);
        let hit = locals.get(next).filter(|local| local.end < to)?;
        let body = self.program.functions[func].body.as_ref()?;
        let object = |local: &Local| {
            let slot = body.slots.get(local.slot)?;
            let end = u32::try_from(local.end + i64::from(frame)).ok()?;
            let name = slot.name.clone().unwrap_or_default();
            Some((name, u64::from(slot.size), end - slot.size))
        };
        let above = locals.get(next + 1).and_then(object);
        Some(overrun(stored, moment, object(hit)?, above))
    }
}

/// A local with a name.
struct Local {
    /// Where it ends, from the frame pointer.
    end: i64,
    slot: Slot,
}

/// The locals of a function, in the order of their addresses.
fn locals(image: &Image, program: &Program, func: Func) -> Vec<Local> {
    let Some(body) = &program.functions[func].body else {
        return Vec::new();
    };
    let starts = image.frame_slots(func).iter().enumerate();
    let mut locals: Vec<Local> = starts
        .filter_map(|(index, &start)| {
            let slot = Slot::from_index(index);
            let data = body.slots.get(slot).filter(|data| data.name.is_some())?;
            let end = i64::from(start) + i64::from(data.size);
            Some(Local { end, slot })
        })
        .collect();
    locals.sort_by_key(|local| local.end);
    locals
}

/// A store between two objects belongs to the nearer one.
fn overrun(
    stored: &Range<u32>,
    moment: Moment,
    below: (String, u64, u32),
    above: Option<(String, u64, u32)>,
) -> Overrun {
    let count = u64::from(stored.end - stored.start);
    let end = below.2 + below.1 as u32;
    if let Some((object, size, start)) = above
        && stored.start >= end
        && start.saturating_sub(stored.end) < stored.start - end
    {
        let at = i64::from(stored.start) - i64::from(start);
        return Overrun {
            object,
            size,
            at,
            stored: count,
            moment,
        };
    }
    let (object, size, start) = below;
    let at = i64::from(stored.start.max(end)) - i64::from(start);
    Overrun {
        object,
        size,
        at,
        stored: count,
        moment,
    }
}

impl Observer for Guard<'_> {
    fn accesses(&self) -> bool {
        true
    }

    fn store(&mut self, at: Moment, _: &[u8], offset: u32, new: &[u8]) {
        if self.found.is_some() {
            return;
        }
        let stored = offset..offset + new.len() as u32;
        self.found = match self.stack.contains(&offset) {
            true => self.local(&stored, at),
            false => self.global(&stored, at),
        };
    }

    fn call(&mut self, _: Moment, function: Func, frame: u32) {
        self.calls.push((function, frame));
    }

    fn ret(&mut self, _: Moment, _: Func) {
        self.calls.pop();
    }

    fn unwind(&mut self, _: Moment, depth: usize) {
        self.calls.truncate(depth);
    }
}
