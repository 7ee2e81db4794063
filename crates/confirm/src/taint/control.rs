//! Where an execution is: under a branch that an input decides, and in which calls.
//!
//! One branch is enough to know about, the outermost one: what begins under it ends before it. Its
//! ways meet at the post-dominator, in the same call, or where that call ends.

use brownout_flow::meets::meets;
use brownout_ir::{Callee, Func, Id, Inst, Op, Origin, Service};
use brownout_vm::{Binding, Image};

use super::labels::Label;

/// No operation.
const NOWHERE: u32 = u32::MAX;
/// A function that was not looked at yet.
const UNKNOWN: u32 = u32::MAX - 1;

/// Control dependence on inputs, and calls.
#[derive(Clone, Debug)]
pub(super) struct Control<'i> {
    image: &'i Image,
    /// The label of everything that is written here: that of the condition.
    pub(super) label: Label,
    /// The operation where the ways of the branch meet.
    meet: u32,
    /// How many calls are in progress where that is; 0 if there is no branch.
    depth: usize,
    /// The operation of the user's code on whose behalf the library is at work.
    behalf: u32,
    /// The same for the callers, oldest first.
    callers: Vec<u32>,
    /// What a reboot comes back to.
    saved: (u32, Vec<u32>),
    /// By function: whether it is the library's.
    library: Vec<bool>,
    /// By operation: where the ways of its block meet.
    meets: Vec<u32>,
}

impl<'i> Control<'i> {
    pub(super) fn new(image: &'i Image) -> Self {
        let functions = image.program().functions.iter();
        Self {
            image,
            label: Label::NONE,
            meet: NOWHERE,
            depth: 0,
            behalf: NOWHERE,
            callers: Vec::new(),
            saved: (NOWHERE, Vec::new()),
            library: functions
                .map(|(_, function)| function.origin == Origin::Library)
                .collect(),
            meets: vec![UNKNOWN; image.operations()],
        }
    }

    /// The operation of the user's code that is being executed when `pc` is.
    #[inline(always)]
    pub(super) fn blame(&self, pc: u32) -> u32 {
        if self.behalf == NOWHERE {
            pc
        } else {
            self.behalf
        }
    }

    /// An operation is about to be executed.
    #[inline(always)]
    pub(super) fn execute(&mut self, pc: u32) {
        if pc == self.meet && self.depth == self.callers.len() {
            self.end();
        }
    }

    #[cold]
    fn end(&mut self) {
        self.label = Label::NONE;
        self.meet = NOWHERE;
        self.depth = 0;
    }

    /// An input with that label has decided what comes after `pc`.
    #[inline(never)]
    pub(super) fn branch(&mut self, pc: u32, label: Label) {
        if self.label != Label::NONE {
            return;
        }
        if self.meets.get(pc as usize) == Some(&UNKNOWN) {
            self.look(pc);
        }
        self.label = label;
        self.meet = self.meets.get(pc as usize).copied().unwrap_or(NOWHERE);
        self.depth = self.callers.len();
    }

    /// Finds out where the ways meet in the function of an operation.
    #[cold]
    fn look(&mut self, pc: u32) {
        let image = self.image;
        let Some(func) = image.function(pc) else {
            return;
        };
        let Some(body) = &image.program().functions[func].body else {
            return;
        };
        let functions = &image.bindings().functions;
        let commits = |inst: &Inst| match &inst.op {
            Op::Call {
                callee: Callee::Direct(func),
                ..
            } => functions.get(func) == Some(&Binding::Checkpoint),
            Op::Service { service, .. } => *service == Service::CheckpointWith,
            _ => false,
        };
        let bounds = image.blocks(func);
        for (block, meet) in bounds.windows(2).zip(meets(body, commits)) {
            let meet = meet.and_then(|meet| bounds.get(meet.index()).copied());
            for at in block[0]..block[1] {
                // A call through a pointer decides about its callee only.
                let meet = image.behind_computed_call(at).or(meet);
                self.meets[at as usize] = meet.unwrap_or(NOWHERE);
            }
        }
    }

    pub(super) fn call(&mut self, pc: u32, function: Func) {
        self.callers.push(self.behalf);
        let library = self.library.get(function.index()) == Some(&true);
        // Library called by library is still on behalf of the same line.
        self.behalf = match library {
            true => self.blame(pc),
            false => NOWHERE,
        };
    }

    pub(super) fn ret(&mut self) {
        self.behalf = self.callers.pop().unwrap_or(NOWHERE);
        self.leave();
    }

    pub(super) fn unwind(&mut self, depth: usize) {
        if let Some(&behalf) = self.callers.get(depth) {
            self.behalf = behalf;
        }
        self.callers.truncate(depth);
        self.leave();
    }

    /// Some calls have ended.
    fn leave(&mut self) {
        if self.depth > self.callers.len() {
            self.end();
        }
    }

    /// Commits where execution is: after it, no branch before it matters.
    pub(super) fn commit(&mut self) {
        self.end();
        self.saved.0 = self.behalf;
        self.saved.1.clone_from(&self.callers);
    }

    /// Goes back to where it was when it was committed.
    pub(super) fn reboot(&mut self) {
        self.end();
        self.behalf = self.saved.0;
        self.callers.clone_from(&self.saved.1);
    }
}
