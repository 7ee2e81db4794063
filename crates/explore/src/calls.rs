//! The guest's calls as an observer sees them: who owns which bytes of the
//! stack, and which line of the user's code is being executed.

use std::num::NonZeroU32;

use brownout_ir::{Func, Id, Origin};
use brownout_vm::{Image, Machine, Observer, Stop};
use rustc_hash::FxHashMap;

/// Which calls of the user's functions are in progress: a node in the tree of all call
/// paths that were seen. A function that is called again is where it was: a recursion
/// would have no end of paths.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Context(u32);

impl Context {
    /// Before the entry.
    pub const OUTSIDE: Self = Self(0);

    /// Its index among the call paths of the execution.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A call of a checkpoint, by its operation. None of them takes no more room than one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct CheckpointCall(NonZeroU32);

impl CheckpointCall {
    /// The call at an operation.
    pub const fn at(pc: u32) -> Self {
        Self(NonZeroU32::MIN.saturating_add(pc))
    }

    /// The operation.
    pub const fn pc(self) -> u32 {
        self.0.get() - 1
    }
}

/// One activation.
#[derive(Clone, Copy, Debug)]
pub struct Activation {
    /// Different for every call of the execution (modulo 2³²).
    pub number: u32,
    /// What was called.
    pub func: Func,
    /// Offset of the frame pointer.
    pub frame: u32,
    /// The lowest offset that belongs to it.
    low: u32,
    /// The operation of the user's code that is being executed, when this activation is the library's.
    user_pc: Option<u32>,
    /// Whether the entry itself is the library's: called from outside, by nobody the user knows.
    outside: bool,
    /// Whether this is the allocator at work.
    allocator: bool,
    /// Whether it is a function of the user.
    users: bool,
    context: Context,
}

impl Activation {
    /// No call at all: it owns nothing.
    fn none() -> Self {
        Self {
            number: 0,
            func: Func::from_index(0),
            frame: 0,
            low: u32::MAX,
            user_pc: None,
            outside: true,
            allocator: false,
            users: false,
            context: Context::OUTSIDE,
        }
    }
}

/// What matters here of a function.
#[derive(Clone, Copy, Debug)]
struct Nature {
    library: bool,
    /// Whether it keeps the heap's books.
    allocator: bool,
    frame_bytes: u32,
    /// From where it was called last, and what context that made.
    lately: Option<(Context, Context)>,
    /// Whether some context is that of a call of it.
    has_context: bool,
}

/// The calls in progress.
#[derive(Clone, Debug)]
pub struct Calls<'i> {
    image: &'i Image,
    functions: Vec<Nature>,
    /// The newest one; outside of all of them that of nobody.
    top: Activation,
    /// The others, the newest last. The first one is that of nobody, if there is a newest.
    outer: Vec<Activation>,
    next: u32,
    /// Bytes of the return address and saved frame pointer above the frame pointer.
    linkage: u32,
    /// The tree of call paths: from where, which function.
    contexts: Vec<(Context, Option<Func>)>,
    children: FxHashMap<(Context, Func), Context>,
}

impl<'i> Calls<'i> {
    /// No calls yet.
    pub fn new(image: &'i Image) -> Self {
        let linkage = 2 * image.program().target.pointer_bytes();
        let functions = image.program().functions.iter();
        let nature = |(func, function): (Func, &brownout_ir::Function)| {
            let library = function.origin == Origin::Library;
            Nature {
                library,
                allocator: library && brownout_vm::is_allocator(&function.name),
                frame_bytes: image.frame_bytes(func),
                lately: None,
                has_context: false,
            }
        };
        Self {
            image,
            functions: functions.map(nature).collect(),
            top: Activation::none(),
            outer: Vec::new(),
            next: 1,
            linkage,
            contexts: vec![(Context::OUTSIDE, None)],
            children: FxHashMap::default(),
        }
    }

    /// The program that is executed.
    pub fn image(&self) -> &'i Image {
        self.image
    }

    /// A function is called from an operation, with its frame pointer at this offset.
    pub fn enter(&mut self, pc: u32, func: Func, frame: u32) {
        let nature = self.functions[func.index()];
        let caller = &self.top;
        let outside = if self.outer.is_empty() {
            nature.library
        } else {
            caller.outside
        };
        // Library called by library is still on behalf of the same line.
        let user_pc = nature.library.then(|| caller.user_pc.unwrap_or(pc));
        let allocator = nature.library && (caller.allocator || nature.allocator);
        let outer = caller.context;
        let context = match nature.lately {
            _ if nature.library => outer,
            Some((from, to)) if from == outer => to,
            _ => self.descend(outer, func),
        };
        let callee = Activation {
            number: self.next,
            func,
            frame,
            low: frame.saturating_sub(nature.frame_bytes),
            user_pc,
            outside,
            allocator,
            users: !nature.library && !outside,
            context,
        };
        self.outer.push(std::mem::replace(&mut self.top, callee));
        self.next = self.next.wrapping_add(1).max(1);
    }

    /// The calls in progress.
    #[inline]
    pub fn context(&self) -> Context {
        self.top.context
    }

    #[cold]
    #[inline(never)]
    fn descend(&mut self, outer: Context, func: Func) -> Context {
        if let Some(&known) = self.children.get(&(outer, func)) {
            self.functions[func.index()].lately = Some((outer, known));
            return known;
        }
        let mut context = None;
        // A function without a context is not in progress: long chains of calls need not be searched.
        if self.functions[func.index()].has_context {
            context = self.above(outer, func);
        }
        let context = context.unwrap_or_else(|| {
            self.contexts.push((outer, Some(func)));
            self.functions[func.index()].has_context = true;
            Context(self.contexts.len() as u32 - 1)
        });
        self.children.insert((outer, func), context);
        context
    }

    /// How many call paths were seen.
    pub fn seen(&self) -> usize {
        self.contexts.len()
    }

    /// The call of a function that is in progress in a context, if there is one.
    fn above(&self, context: Context, func: Func) -> Option<Context> {
        let mut above = context;
        loop {
            match self.contexts[above.index()] {
                (_, Some(caller)) if caller == func => return Some(above),
                (further, Some(_)) => above = further,
                (_, None) => return None,
            }
        }
    }

    /// All call paths seen, outermost function first, by the index of their context.
    pub fn paths(&self) -> Vec<Vec<Func>> {
        let mut paths: Vec<Vec<Func>> = Vec::with_capacity(self.contexts.len());
        for &(outer, func) in &self.contexts {
            let mut path = paths.get(outer.index()).cloned().unwrap_or_default();
            path.extend(func);
            paths.push(path);
        }
        paths
    }

    /// The innermost function returns.
    pub fn leave(&mut self) {
        self.top = self.outer.pop().unwrap_or_else(Activation::none);
    }

    /// Forgets the calls that a `longjmp` left.
    pub fn unwind(&mut self, depth: usize) {
        if let Some(&newest) = self.outer.get(depth) {
            self.top = newest;
            self.outer.truncate(depth);
        }
    }

    /// The newest activation's objects now reach down to `pointer`.
    pub fn move_stack(&mut self, pointer: u32) {
        if !self.outer.is_empty() {
            self.top.low = pointer;
        }
    }

    /// The operation to blame: where the user's code is.
    #[inline]
    pub fn blame(&self, pc: u32) -> u32 {
        self.top.user_pc.unwrap_or(pc)
    }

    /// The number of the newest activation: no other has it.
    pub fn activation(&self) -> u32 {
        self.top.number
    }

    /// How many calls are in progress.
    pub fn depth(&self) -> usize {
        self.outer.len()
    }

    /// Whether the library is at work.
    pub fn in_library(&self) -> bool {
        self.top.user_pc.is_some()
    }

    /// The call of the library that the user's code is waiting for, by the number of its activation.
    pub fn library_call(&self) -> Option<u32> {
        let library = self.newest_first();
        let outermost = library.take_while(|activation| activation.user_pc.is_some());
        outermost.last().map(|activation| activation.number)
    }

    /// The newest activation of a function.
    pub fn newest(&self, func: Func) -> Option<&Activation> {
        self.newest_first()
            .find(|activation| activation.func == func)
    }

    /// All activations but that of nobody.
    fn newest_first(&self) -> impl Iterator<Item = &Activation> {
        let outer = self.outer.iter().rev();
        std::iter::once(&self.top)
            .chain(outer)
            .take(self.outer.len())
    }

    /// Whether the allocator is at work.
    pub fn in_allocator(&self) -> bool {
        self.top.allocator
    }

    /// Whether what happens is none of the user's code: before the entry, after it, and in the
    /// allocator.
    #[inline]
    pub fn is_hidden(&self) -> bool {
        self.top.outside || self.top.allocator
    }

    /// The operation to blame for an access, unless it is hidden.
    #[inline(always)]
    pub fn visible(&self, pc: u32) -> Option<u32> {
        if self.top.users {
            Some(pc)
        } else {
            self.visible_in_library(pc)
        }
    }

    #[inline(never)]
    fn visible_in_library(&self, pc: u32) -> Option<u32> {
        (!self.is_hidden()).then(|| self.blame(pc))
    }

    /// The owner of a stack byte. What lies below the newest frame belongs to
    /// the call that is just being made.
    #[inline(always)]
    pub fn owner(&self, offset: u32) -> (u32, Option<&Activation>) {
        // Frames grow down: the owner is the newest activation whose linkage ends above the byte.
        if offset >= self.top.frame + self.linkage {
            self.outer_owner(offset)
        } else if offset >= self.top.low {
            (self.top.number, Some(&self.top))
        } else {
            (self.next, None)
        }
    }

    #[inline(never)]
    fn outer_owner(&self, offset: u32) -> (u32, Option<&Activation>) {
        for activation in self.newest_first() {
            if offset < activation.frame + self.linkage {
                return if offset < activation.low {
                    (self.next, None)
                } else {
                    (activation.number, Some(activation))
                };
            }
        }
        (0, None)
    }
}

/// An observer that knows whose code is executed.
pub trait Follower: Observer {
    /// Whether the library is at work.
    fn in_library(&self) -> bool;

    /// Whether it asked for a pause that ends the execution.
    fn is_over(&self) -> bool;
}

/// Executes one operation of the user's code, with all that the library does for it; how the
/// execution ended, if it did.
pub fn step(machine: &mut Machine<'_>, follower: &mut dyn Follower, until: u64) -> Option<Stop> {
    loop {
        let next = machine.now().saturating_add(1).min(until);
        let stop = machine.watch(follower, next);
        if stop != Stop::Paused || follower.is_over() || machine.now() >= until {
            return Some(stop);
        }
        if !follower.in_library() {
            return None;
        }
    }
}

/// The operation of the user's code that a machine is at.
pub fn user_operation(image: &Image, machine: &Machine<'_>) -> u32 {
    let functions = &image.program().functions;
    let calls = machine.backtrace();
    let user = calls
        .iter()
        .find(|(func, _)| functions[*func].origin == Origin::User);
    user.map_or(machine.pc(), |&(_, pc)| pc)
}

/// The hooks of an observer that keep its `calls` up to date.
#[macro_export]
macro_rules! follow_calls {
    () => {
        fn call(&mut self, at: brownout_vm::Moment, function: brownout_ir::Func, frame: u32) {
            self.calls.enter(at.pc, function, frame);
        }

        fn ret(&mut self, _: brownout_vm::Moment, _: brownout_ir::Func) {
            self.calls.leave();
        }

        fn stack(&mut self, _: brownout_vm::Moment, pointer: u32) {
            self.calls.move_stack(pointer);
        }

        fn unwind(&mut self, _: brownout_vm::Moment, depth: usize) {
            self.calls.unwind(depth);
        }
    };
}

pub(crate) use follow_calls;
