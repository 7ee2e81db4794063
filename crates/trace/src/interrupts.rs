//! Where it matters whether an interrupt comes: before and after what accesses memory that a handler
//! accesses, too, before commits, and where interrupts are enabled for the first time.
//!
//! **Property.** A handler that runs somewhere else does what it does at one of these places: nothing
//! that it shares with what it interrupts is accessed in between.
//!
//! **Algorithm.** One execution, in which handlers come now and then. All accesses from one moment at
//! which interrupts are enabled to the next belong to the first of them: a handler that comes while they
//! are disabled has to come before. What handlers access is found by running each of them at many
//! moments, on copies. Of two accesses one has to be a write.
//!
//! **False negatives.** Places that this execution does not come to, and what handlers access in states
//! other than those.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::{ControlFlow, Range};

use brownout_ir::Func;
use brownout_vm::{
    Bounds, Elsewhere, Image, InterruptSchedule, Machine, Moment, Observer, SegmentKind, Stop,
};

/// How many bytes of one operation are looked at: an array is as good as its first elements.
const BYTES: usize = 64;
/// Handlers are run after each of so many first instructions, and then after twice as many each time.
const FIRST: u64 = 64;
/// How many instructions a handler may take.
const LONGEST_HANDLER: u64 = 10_000;
/// What the names of the library's own variables begin with.
const LIBRARY: &str = "__brownout_";

/// The places and handlers, in the order of the places.
pub fn interrupt_places(image: &Image, limit: u64) -> Vec<InterruptSchedule> {
    let Some(interrupts) = image.bindings().interrupts.as_ref() else {
        return Vec::new();
    };
    if !image.is_interruptible() {
        return Vec::new();
    }
    let periodic = interrupts.periodic.iter().map(|&(handler, _)| handler);
    let handlers: Vec<u8> = (interrupts.anywhere.iter().copied())
        .chain(periodic)
        .collect();
    let library = library(image);
    let mut own: BTreeMap<u8, Accesses> = BTreeMap::new();
    let mut sharing = Sharing {
        image,
        library: &library,
        handle: interrupts.handle,
        points: vec![None],
        next: BTreeMap::new(),
        by_point: BTreeMap::new(),
        commits: BTreeSet::new(),
        first: None,
    };
    let mut machine = Machine::new(image);
    machine.set_bounds(Bounds::Lenient);
    let mut next = 1;
    loop {
        for &handler in &handlers {
            let mut copy = machine.clone();
            let mut seen = Seen {
                image,
                library: &library,
                accesses: own.entry(handler).or_default(),
            };
            copy.run_handlers(&[handler.into()], &mut seen, LONGEST_HANDLER);
        }
        let until = next.min(limit);
        while machine.now() < until && machine.watch(&mut sharing, until) == Stop::Paused {}
        if machine.now() < until || until == limit {
            break;
        }
        next = if next < FIRST { next + 1 } else { 2 * next };
    }
    let mut places = BTreeSet::new();
    for (&handler, own) in &own {
        let shared = sharing.by_point.iter();
        let shared = shared.filter(|(_, accesses)| own.conflicts(accesses));
        let writes = !own.written.is_empty();
        let commits = sharing.commits.iter().filter(|_| writes);
        let before: Vec<&Point> = shared.map(|(point, _)| point).collect();
        let after = before.iter().filter_map(|point| sharing.next.get(point));
        let after = after.flatten();
        // What was accessed before interrupts were enabled is followed by the first place, and a handler that shares
        // nothing has to come somewhere.
        let points = before.iter().copied().chain(after).chain(commits);
        let points = points.chain(&sharing.first);
        places.extend(points.map(|&(pc, elsewhere)| InterruptSchedule::At {
            pc,
            handler,
            elsewhere,
        }));
    }
    places.into_iter().collect()
}

/// The offsets of the library's own variables: whether interrupts are enabled is no data.
fn library(image: &Image) -> Vec<Range<u32>> {
    let globals = image.program().globals.iter();
    let globals = globals.filter(|(_, data)| data.name.starts_with(LIBRARY));
    globals
        .map(|(global, data)| {
            let start = image.layout().offset_of(global);
            start..start + data.size as u32
        })
        .collect()
}

/// Whether others may see what happens to a byte.
fn is_shared(image: &Image, library: &[Range<u32>], offset: u32) -> bool {
    let segment = image.layout().segment(offset);
    let is_stack = segment.is_none_or(|segment| segment.kind == SegmentKind::Stack);
    !is_stack && !library.iter().any(|range| range.contains(&offset))
}

/// What somebody accesses.
#[derive(Default)]
struct Accesses {
    read: BTreeSet<u32>,
    written: BTreeSet<u32>,
}

impl Accesses {
    fn add(&mut self, offset: u32, size: u32, kind: Kind) {
        let set = match kind {
            Kind::Read => &mut self.read,
            Kind::Written => &mut self.written,
        };
        if set.len() < BYTES {
            set.extend(offset..offset + size);
        }
    }

    /// Whether one of the two writes what the other accesses.
    fn conflicts(&self, other: &Self) -> bool {
        let meets = |one: &BTreeSet<u32>, other: &BTreeSet<u32>| !one.is_disjoint(other);
        meets(&self.written, &other.read)
            || meets(&self.read, &other.written)
            || meets(&self.written, &other.written)
    }
}

#[derive(Clone, Copy)]
enum Kind {
    Read,
    Written,
}

/// Sees what a handler accesses.
struct Seen<'s> {
    image: &'s Image,
    library: &'s [Range<u32>],
    accesses: &'s mut Accesses,
}

impl Observer for Seen<'_> {
    fn accesses(&self) -> bool {
        true
    }

    fn load(&mut self, _: Moment, offset: u32, bytes: &[u8]) {
        if is_shared(self.image, self.library, offset) {
            self.accesses.add(offset, bytes.len() as u32, Kind::Read);
        }
    }

    fn store(&mut self, _: Moment, _: &[u8], offset: u32, new: &[u8]) {
        if is_shared(self.image, self.library, offset) {
            self.accesses.add(offset, new.len() as u32, Kind::Written);
        }
    }
}

/// Sees what is accessed after which place at which interrupts were enabled.
struct Sharing<'i> {
    image: &'i Image,
    library: &'i [Range<u32>],
    handle: Func,
    /// The last such place in the main program and in each interrupt in progress.
    points: Vec<Option<u32>>,
    /// The places that came right after a place.
    next: BTreeMap<Point, BTreeSet<Point>>,
    by_point: BTreeMap<Point, Accesses>,
    commits: BTreeSet<Point>,
    /// The first such place of all.
    first: Option<Point>,
}

/// A place, and what other handlers must do for execution to come there.
type Point = (u32, Elsewhere);

impl Sharing<'_> {
    fn point(&self) -> Option<Point> {
        // Who interrupts a handler comes after that one has come.
        let elsewhere = match self.points.len() {
            0 | 1 => Elsewhere::Absent,
            _ => Elsewhere::NowAndThen,
        };
        let point = self.points.last().copied().flatten();
        point.map(|pc| (pc, elsewhere))
    }

    fn note(&mut self, offset: u32, size: u32, kind: Kind) {
        if let Some(point) = self.point()
            && is_shared(self.image, self.library, offset)
        {
            let accesses = self.by_point.entry(point).or_default();
            accesses.add(offset, size, kind);
        }
    }
}

impl Observer for Sharing<'_> {
    fn accesses(&self) -> bool {
        true
    }

    fn interruptible(&mut self, at: Moment) {
        let before = self.point();
        if let Some(point) = self.points.last_mut() {
            *point = Some(at.pc);
        }
        let now = self.point();
        self.first = self.first.or(now);
        if let (Some(before), Some(now)) = (before, now) {
            self.next.entry(before).or_default().insert(now);
        }
    }

    fn load(&mut self, _: Moment, offset: u32, bytes: &[u8]) {
        self.note(offset, bytes.len() as u32, Kind::Read);
    }

    fn store(&mut self, _: Moment, _: &[u8], offset: u32, new: &[u8]) {
        self.note(offset, new.len() as u32, Kind::Written);
    }

    fn call(&mut self, _: Moment, function: Func, _: u32) {
        if function == self.handle {
            self.points.push(None);
        }
    }

    fn ret(&mut self, _: Moment, function: Func) {
        if function == self.handle && self.points.len() > 1 {
            self.points.pop();
        }
    }

    fn checkpoint(&mut self, _: Moment, _: &[(u32, u32)]) -> ControlFlow<()> {
        let point = self.point();
        self.commits.extend(point);
        ControlFlow::Continue(())
    }
}
