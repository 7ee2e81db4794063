//! Where it matters whether an interrupt comes: at accesses of the main program to memory that a
//! handler accesses, too, and at commits.
//!
//! **Property.** A handler that runs somewhere else does what it does at one of these places: nothing
//! that it shares with the main program is accessed in between.
//!
//! **Algorithm.** One execution, in which handlers come now and then. What they access is compared
//! with what operations of the main program access; of two accesses one has to be a write.
//!
//! **False negatives.** Places and handlers that this execution does not come to.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use brownout_ir::Func;
use brownout_vm::{Bounds, Image, InterruptSchedule, Machine, Moment, Observer, SegmentKind, Stop};

/// How many bytes of one operation are looked at: an array is as good as its first elements.
const BYTES: usize = 64;

/// The places and handlers, in the order of the places.
pub fn interrupt_places(image: &Image, limit: u64) -> Vec<InterruptSchedule> {
    let Some(interrupts) = image.bindings().interrupts.as_ref() else {
        return Vec::new();
    };
    if !image.is_interruptible() {
        return Vec::new();
    }
    let mut sharing = Sharing {
        image,
        handle: interrupts.handle,
        handlers: &interrupts.handlers,
        depth: 0,
        inside: None,
        by_handlers: BTreeMap::new(),
        by_main: BTreeMap::new(),
        commits: BTreeSet::new(),
    };
    let mut machine = Machine::new(image);
    machine.set_bounds(Bounds::Lenient);
    while machine.now() < limit && machine.watch(&mut sharing, limit) == Stop::Paused {}
    let periodic = interrupts.periodic.iter().map(|&(handler, _)| handler);
    let mut places = BTreeSet::new();
    for handler in interrupts.anywhere.iter().copied().chain(periodic) {
        let Some(own) = sharing.by_handlers.get(&handler) else {
            continue;
        };
        let shared = sharing.by_main.iter();
        let shared = shared.filter(|(_, accesses)| own.conflicts(accesses));
        let writes = !own.written.is_empty();
        let commits = sharing.commits.iter().filter(|_| writes);
        for &pc in shared.map(|(pc, _)| pc).chain(commits) {
            let point = image.interrupt_point_before(pc);
            places.extend(point.map(|pc| InterruptSchedule::At { pc, handler }));
        }
    }
    places.into_iter().collect()
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

/// Sees who accesses what.
struct Sharing<'i> {
    image: &'i Image,
    handle: Func,
    handlers: &'i [Func],
    /// How many calls are in progress since an interrupt came.
    depth: u32,
    /// The number of the handler that runs.
    inside: Option<u8>,
    by_handlers: BTreeMap<u8, Accesses>,
    by_main: BTreeMap<u32, Accesses>,
    commits: BTreeSet<u32>,
}

impl Sharing<'_> {
    fn note(&mut self, pc: u32, offset: u32, size: u32, kind: Kind) {
        let segment = self.image.layout().segment(offset);
        let is_stack = segment.is_none_or(|segment| segment.kind == SegmentKind::Stack);
        if is_stack {
            return;
        }
        match (self.depth, self.inside) {
            (0, _) => self.by_main.entry(pc).or_default().add(offset, size, kind),
            (_, Some(handler)) => {
                let accesses = self.by_handlers.entry(handler).or_default();
                accesses.add(offset, size, kind);
            }
            (_, None) => {}
        }
    }
}

impl Observer for Sharing<'_> {
    fn accesses(&self) -> bool {
        true
    }

    fn load(&mut self, at: Moment, offset: u32, bytes: &[u8]) {
        self.note(at.pc, offset, bytes.len() as u32, Kind::Read);
    }

    fn store(&mut self, at: Moment, _: &[u8], offset: u32, new: &[u8]) {
        self.note(at.pc, offset, new.len() as u32, Kind::Written);
    }

    fn call(&mut self, _: Moment, function: Func, _: u32) {
        if self.depth > 0 || function == self.handle {
            self.depth += 1;
        }
        if self.depth > 0
            && self.inside.is_none()
            && let Some(index) = self.handlers.iter().position(|&known| known == function)
        {
            self.inside = u8::try_from(index + 1).ok();
        }
    }

    fn ret(&mut self, _: Moment, function: Func) {
        self.depth = self.depth.saturating_sub(1);
        if self.handlers.contains(&function) {
            self.inside = None;
        }
    }

    fn checkpoint(&mut self, at: Moment, _: &[(u32, u32)]) -> ControlFlow<()> {
        if self.depth == 0 {
            self.commits.insert(at.pc);
        }
        ControlFlow::Continue(())
    }
}
