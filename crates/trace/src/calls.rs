//! The guest's calls as an observer sees them: who owns which bytes of the
//! stack, and which line of the user's code is being executed.

use brownout_ir::{Func, Origin};
use brownout_vm::Image;

/// One activation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Activation {
    /// Different for every call of the execution (modulo 2³²).
    pub(crate) number: u32,
    pub(crate) func: Func,
    /// Offset of the frame pointer.
    pub(crate) frame: u32,
    /// The lowest offset that belongs to it.
    low: u32,
    /// The operation of the user's code that is being executed, when this activation is the library's.
    user_pc: Option<u32>,
    /// Whether this is the allocator at work.
    allocator: bool,
}

/// The calls in progress.
#[derive(Debug)]
pub(crate) struct Calls<'i> {
    image: &'i Image,
    stack: Vec<Activation>,
    next: u32,
    /// Bytes of the return address and saved frame pointer above the frame pointer.
    linkage: u32,
}

impl<'i> Calls<'i> {
    pub(crate) fn new(image: &'i Image) -> Self {
        let linkage = 2 * image.program().target.pointer_bytes();
        Self {
            image,
            stack: Vec::new(),
            next: 1,
            linkage,
        }
    }

    pub(crate) fn enter(&mut self, pc: u32, func: Func, frame: u32) {
        let function = &self.image.program().functions[func];
        let caller = self.stack.last();
        let user_pc = match function.origin {
            Origin::User => None,
            // Library called by library is still on behalf of the same line.
            Origin::Library => Some(caller.and_then(|caller| caller.user_pc).unwrap_or(pc)),
        };
        let allocator = function.origin == Origin::Library
            && (caller.is_some_and(|caller| caller.allocator)
                || brownout_vm::is_allocator(&function.name));
        let low = frame.saturating_sub(self.image.frame_bytes(func));
        self.stack.push(Activation {
            number: self.next,
            func,
            frame,
            low,
            user_pc,
            allocator,
        });
        self.next = self.next.wrapping_add(1).max(1);
    }

    pub(crate) fn leave(&mut self) {
        self.stack.pop();
    }

    /// Forgets the calls that a `longjmp` left.
    pub(crate) fn unwind(&mut self, depth: usize) {
        self.stack.truncate(depth);
    }

    /// The newest activation's objects now reach down to `pointer`.
    pub(crate) fn move_stack(&mut self, pointer: u32) {
        if let Some(top) = self.stack.last_mut() {
            top.low = pointer;
        }
    }

    /// The operation to blame: where the user's code is.
    #[inline]
    pub(crate) fn blame(&self, pc: u32) -> u32 {
        self.stack.last().and_then(|top| top.user_pc).unwrap_or(pc)
    }

    /// Whether the library is at work.
    pub(crate) fn in_library(&self) -> bool {
        self.stack.last().is_some_and(|top| top.user_pc.is_some())
    }

    /// Whether none of the user's code is running: before the entry and after it.
    #[inline]
    pub(crate) fn outside(&self) -> bool {
        // The entry itself is called from outside, by nobody the user knows.
        self.stack
            .first()
            .is_none_or(|first| first.user_pc.is_some())
    }

    /// Whether the allocator is at work.
    #[inline]
    pub(crate) fn in_allocator(&self) -> bool {
        self.stack.last().is_some_and(|top| top.allocator)
    }

    /// The owner of a stack byte. What lies below the newest frame belongs to
    /// the call that is just being made.
    #[inline]
    pub(crate) fn owner(&self, offset: u32) -> (u32, Option<&Activation>) {
        // Frames grow down: the owner is the newest activation whose linkage ends above the byte.
        for activation in self.stack.iter().rev() {
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
