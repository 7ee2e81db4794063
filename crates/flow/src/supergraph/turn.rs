//! What instructions are to the flow of control, and where regions can begin and end.

use brownout_ir::{Block, Callee, Id, Inst, Op, Service};
use rustc_hash::FxHashMap;

use super::Builder;
use crate::contexts::{At, Contexts, Instance, Site};
use crate::library::{self, Effect};
use crate::setting::{Restart, Role, Setting};

/// What an instruction is to the flow of control.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Turn {
    Plain,
    Call,
    Checkpoint,
    Input,
    SetJump,
    LongJump,
    Exit,
    Dies,
}

/// Whether each instance can commit, itself or in a call.
pub(super) fn instances_that_commit(setting: &Setting, contexts: &Contexts) -> Vec<bool> {
    let mut commits = vec![false; contexts.instances.len()];
    let mut callers: Vec<Vec<Instance>> = vec![Vec::new(); contexts.instances.len()];
    for (site, callees) in sorted(&contexts.callees) {
        for callee in callees {
            callers[callee.index()].push(site.instance);
        }
    }
    let mut open = Vec::new();
    for instance in contexts.ids() {
        let Some(body) = contexts.body(instance) else {
            continue;
        };
        let mut insts = body.blocks.values().flat_map(|data| &data.insts);
        if insts.any(|inst| is_checkpoint(setting, inst)) {
            open.push(instance);
        }
    }
    while let Some(instance) = open.pop() {
        if !std::mem::replace(&mut commits[instance.index()], true) {
            open.extend(&callers[instance.index()]);
        }
    }
    commits
}

fn sorted<T>(sites: &FxHashMap<Site, T>) -> Vec<(&Site, &T)> {
    let mut all: Vec<_> = sites.iter().collect();
    all.sort_unstable_by_key(|(site, _)| **site);
    all
}

/// Whether an instruction commits.
fn is_checkpoint(setting: &Setting, inst: &Inst) -> bool {
    match &inst.op {
        Op::Service { service, .. } => *service == Service::CheckpointWith,
        Op::Call {
            callee: Callee::Direct(func),
            ..
        } => setting.roles.get(func) == Some(&Role::Checkpoint),
        _ => false,
    }
}

impl Builder<'_> {
    pub(super) fn turn(&self, site: Site, inst: &Inst) -> Turn {
        if is_checkpoint(self.setting, inst) {
            return Turn::Checkpoint;
        }
        if self.accesses.inputs.contains(&site) && self.contexts.callees(site).is_empty() {
            return Turn::Input;
        }
        match &inst.op {
            Op::Call {
                callee: Callee::Direct(func),
                ..
            } => {
                let function = &self.program.functions[*func];
                let has_code = self.contexts.code[func.index()].is_some();
                let dies = library::model(&function.name)
                    .is_some_and(|effects| effects.contains(&Effect::Dies));
                match (has_code, dies && !self.setting.roles.contains_key(func)) {
                    (true, _) => Turn::Call,
                    (false, true) => Turn::Dies,
                    (false, false) => Turn::Plain,
                }
            }
            Op::Call { .. } => Turn::Call,
            Op::Service { service, .. } => match service {
                Service::Exit => Turn::Exit,
                Service::Trap if self.is_gap(site, inst) => Turn::Plain,
                Service::Abort | Service::AssertFail | Service::Trap | Service::BadFree => {
                    Turn::Dies
                }
                Service::SetJump => Turn::SetJump,
                Service::LongJump => Turn::LongJump,
                Service::CheckpointWith => Turn::Checkpoint,
                Service::Write
                | Service::HeapStart
                | Service::HeapSize
                | Service::HeapAllocated
                | Service::HeapFreed
                | Service::FrameAddress
                | Service::ReturnAddress
                | Service::AwaitInterrupt
                | Service::Clock => Turn::Plain,
            },
            _ => Turn::Plain,
        }
    }

    /// Whether a trap stands for something that could not be translated.
    fn is_gap(&self, site: Site, inst: &Inst) -> bool {
        let func = self.contexts.activation(site.instance).func;
        self.setting.gaps.contains_key(&(func, inst.place))
    }

    /// Whether a region can begin or end in a block.
    pub(super) fn cuts(&self, instance: Instance, block: Block) -> bool {
        let Some(body) = self.contexts.body(instance) else {
            return true;
        };
        body.blocks[block]
            .insts
            .iter()
            .enumerate()
            .any(|(index, inst)| {
                let at = At {
                    block,
                    index: index as u32,
                };
                match self.turn(Site { instance, at }, inst) {
                    Turn::Plain => false,
                    Turn::Input => self.setting.restart == Restart::Input,
                    Turn::Call => {
                        let callees = self.contexts.callees(Site { instance, at });
                        let inputs = self.setting.restart == Restart::Input;
                        inputs || callees.iter().any(|callee| self.commits[callee.index()])
                    }
                    Turn::Checkpoint | Turn::SetJump | Turn::LongJump | Turn::Exit | Turn::Dies => {
                        true
                    }
                }
            })
    }
}
