//! Loops that wait: they go round until something outside is as they want it, and change nothing that lasts.
//!
//! `while (!ready());` reads an input in every round, and is no piece of work by itself: what comes before it and what
//! comes after it may belong together.

use std::collections::{BTreeMap, BTreeSet};

use brownout_ir::{Callee, Func, Id, Inst, Op, Operand, Program};

use crate::image::{Binding, Image};
use crate::layout::SegmentKind;
use crate::loops::{Loops, loop_bodies};

impl Loops {
    /// The operations at which loops begin that wait.
    pub fn waits(&self, image: &Image) -> BTreeSet<u32> {
        let program = image.program();
        let mut effects = Effects {
            image,
            program,
            known: BTreeMap::new(),
        };
        let mut found = BTreeSet::new();
        for (func, function) in program.functions.iter() {
            let Some(body) = &function.body else { continue };
            for (head, members) in loop_bodies(body) {
                let mut insts = members.iter().flat_map(|block| &body.blocks[*block].insts);
                if self.is_head(func, head)
                    && insts.all(|inst| !effects.lasts(inst))
                    && let Some(&operation) = image.blocks(func).get(head.index())
                {
                    found.insert(operation);
                }
            }
        }
        found
    }
}

/// What functions do that lasts, or that the world sees.
struct Effects<'i> {
    image: &'i Image,
    program: &'i Program,
    /// Whether a function does such a thing; while it is looked at, it is taken to.
    known: BTreeMap<Func, bool>,
}

impl Effects<'_> {
    fn lasts(&mut self, inst: &Inst) -> bool {
        match &inst.op {
            Op::Store { address, .. } => self.is_lasting(*address),
            Op::Copy { .. } | Op::Fill { .. } | Op::Service { .. } => true,
            Op::Call {
                callee: Callee::Indirect(_),
                ..
            } => true,
            Op::Call {
                callee: Callee::Direct(callee),
                ..
            } => self.of_function(*callee),
            _ => false,
        }
    }

    fn of_function(&mut self, func: Func) -> bool {
        match self.image.bindings().functions.get(&func) {
            Some(Binding::Input(_) | Binding::Ignore) => return false,
            Some(_) => return true,
            None => {}
        }
        if let Some(&known) = self.known.get(&func) {
            return known;
        }
        self.known.insert(func, true);
        let program = self.program;
        let lasts = match &program.functions[func].body {
            Some(body) => (body.blocks.values())
                .flat_map(|data| &data.insts)
                .any(|inst| self.lasts(inst)),
            None => true,
        };
        self.known.insert(func, lasts);
        lasts
    }

    /// Whether what is stored at an address may be there after the function has returned, or after a power failure.
    fn is_lasting(&self, address: Operand) -> bool {
        match address {
            Operand::Slot(..) => false,
            Operand::Global(global, _) => {
                let layout = self.image.layout();
                let segment = layout.segment(layout.offset_of(global));
                segment.is_none_or(|segment| {
                    segment.nonvolatile || segment.kind == SegmentKind::Registers
                })
            }
            _ => true,
        }
    }
}
