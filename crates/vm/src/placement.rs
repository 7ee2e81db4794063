//! Checkpoints that nobody wrote: Mementos' strategies, done on the IR.

use std::ops::Range;

use brownout_ir::verify::Dominators;
use brownout_ir::{
    Block, Body, Callee, Func, Global, Inst, Op, Operand, Origin, Program, Service, SlotData,
    Target, Type, Value,
};

/// Where checkpoints are put.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Placement {
    /// At the end of every loop body.
    LoopLatch,
    /// After the return of every call.
    FunctionReturn,
}

/// Puts checkpoints into the user's functions; how many. Calls of functions in
/// `except` (checkpoints, inputs, outputs) are not calls to return from.
pub fn place_checkpoints(
    program: &mut Program,
    placement: Placement,
    except: &dyn Fn(Func) -> bool,
) -> usize {
    let has_body: Vec<bool> = program
        .functions
        .values()
        .map(|function| function.body.is_some())
        .collect();
    let mut count = 0;
    for (func, function) in program.functions.iter_mut() {
        if function.origin != Origin::User || except(func) {
            continue;
        }
        let Some(body) = &mut function.body else {
            continue;
        };
        match placement {
            Placement::LoopLatch => {
                let dominators = Dominators::new(body);
                let is_latch = |block: Block| {
                    let edges = body.blocks[block].terminator.edges();
                    dominators.is_reachable(block)
                        && edges
                            .iter()
                            .any(|edge| dominators.dominates(edge.block, block))
                };
                let latches: Vec<Block> =
                    body.blocks.ids().filter(|&block| is_latch(block)).collect();
                for block in latches {
                    let data = &mut body.blocks[block];
                    data.insts.push(checkpoint(data.place));
                    count += 1;
                }
            }
            Placement::FunctionReturn => {
                for (_, data) in body.blocks.iter_mut() {
                    let insts = std::mem::take(&mut data.insts);
                    for inst in insts {
                        let returns = match inst.op {
                            Op::Call {
                                callee: Callee::Direct(callee),
                                ..
                            } => has_body[brownout_ir::Id::index(callee)] && !except(callee),
                            Op::Call {
                                callee: Callee::Indirect(_),
                                ..
                            } => true,
                            _ => false,
                        };
                        let place = inst.place;
                        data.insts.push(inst);
                        if returns {
                            data.insts.push(checkpoint(place));
                            count += 1;
                        }
                    }
                }
            }
        }
    }
    count
}

/// Puts a checkpoint at the entry of a function: that is where a task restarts.
pub fn checkpoint_at_entry(program: &mut Program, func: Func) {
    let function = &mut program.functions[func];
    let place = function.place;
    if let Some(body) = &mut function.body {
        let entry = body.entry();
        body.blocks[entry].insts.insert(0, checkpoint(place));
    }
}

/// Puts a checkpoint after every call of a function that commits and does something besides.
pub fn checkpoint_after_calls(program: &mut Program, committing: Func) {
    for (func, function) in program.functions.iter_mut() {
        let Some(body) = &mut function.body else {
            continue;
        };
        if func == committing {
            continue;
        }
        for (_, data) in body.blocks.iter_mut() {
            for inst in std::mem::take(&mut data.insts) {
                let commits = matches!(
                    inst.op,
                    Op::Call { callee: Callee::Direct(callee), .. } if callee == committing
                );
                let place = inst.place;
                data.insts.push(inst);
                if commits {
                    data.insts.push(checkpoint(place));
                }
            }
        }
    }
}

/// Puts a checkpoint before every store to a variable that names the current task: a device that
/// starts again there stores the same once more and goes on with the next task.
pub fn checkpoint_before_stores(program: &mut Program, variable: Global) {
    let is_variable =
        |operand: &Operand| matches!(operand, Operand::Global(global, _) if *global == variable);
    for (_, function) in program.functions.iter_mut() {
        let Some(body) = &mut function.body else {
            continue;
        };
        // Elements and fields with an index.
        let inside: Vec<Value> = body
            .blocks
            .values()
            .flat_map(|data| &data.insts)
            .filter(|inst| matches!(&inst.op, Op::Address { base, .. } if is_variable(base)))
            .flat_map(|inst| inst.results.iter().copied())
            .collect();
        for (_, data) in body.blocks.iter_mut() {
            let insts = std::mem::take(&mut data.insts);
            for inst in insts {
                let to = match &inst.op {
                    Op::Store { address, .. } => Some(*address),
                    Op::Copy { to, .. } | Op::Fill { to, .. } => Some(*to),
                    _ => None,
                };
                let ends = to.is_some_and(|to| {
                    is_variable(&to) || to.value().is_some_and(|value| inside.contains(&value))
                });
                if ends {
                    data.insts.push(checkpoint(inst.place));
                }
                data.insts.push(inst);
            }
        }
    }
}

/// Lets the checkpoints that `is_there` picks save these bytes of globals beyond what they save; how
/// many.
///
/// `checkpoints` are the functions that commit.
pub fn save_at(
    program: &mut Program,
    checkpoints: &dyn Fn(Func) -> bool,
    is_there: &dyn Fn(Func, &Inst) -> bool,
    saved: &[(Global, Range<u64>)],
) -> usize {
    let target = program.target.clone();
    let mut count = 0;
    for (func, function) in program.functions.iter_mut() {
        let Some(body) = &mut function.body else {
            continue;
        };
        for block in body.blocks.ids().collect::<Vec<_>>() {
            let insts = std::mem::take(&mut body.blocks[block].insts);
            for inst in insts {
                let commits = match &inst.op {
                    Op::Call {
                        callee: Callee::Direct(callee),
                        ..
                    } => checkpoints(*callee),
                    Op::Service { service, .. } => *service == Service::CheckpointWith,
                    _ => false,
                };
                if commits && is_there(func, &inst) {
                    count += 1;
                    let replaced = saving(body, &target, inst, saved);
                    body.blocks[block].insts.extend(replaced);
                } else {
                    body.blocks[block].insts.push(inst);
                }
            }
        }
    }
    count
}

/// Takes from checkpoints what the program lets them save.
pub fn save_nothing(program: &mut Program) {
    for (_, function) in program.functions.iter_mut() {
        let Some(body) = &mut function.body else {
            continue;
        };
        for block in body.blocks.ids().collect::<Vec<_>>() {
            for inst in &mut body.blocks[block].insts {
                if let Op::Service {
                    service: Service::CheckpointWith,
                    ..
                } = inst.op
                {
                    *inst = checkpoint(inst.place);
                }
            }
        }
    }
}

/// A checkpoint that saves these bytes as well: stores to its list, then the service.
fn saving(
    body: &mut Body,
    target: &Target,
    inst: Inst,
    saved: &[(Global, Range<u64>)],
) -> Vec<Inst> {
    let pointer = Type::Ptr.bytes(target);
    // `unsigned long` has four bytes on the smallest targets.
    let number = pointer.max(4);
    let entry = pointer + number;
    let place = inst.place;
    let known = match &inst.op {
        Op::Service { args, .. } => match args[..] {
            [Operand::Slot(list, 0), Operand::Bits(count)] => Some((list, count as u32)),
            _ => None,
        },
        _ => None,
    };
    let (list, before) = known.unwrap_or_else(|| {
        let list = body.slots.push(SlotData {
            size: 0,
            align: pointer,
            name: None,
            ty: None,
            place: None,
            annotations: vec![],
        });
        (list, 0)
    });
    let count = before + saved.len() as u32;
    let room = &mut body.slots[list].size;
    *room = (*room).max(count * entry);
    let mut insts = Vec::new();
    let mut store = |offset: u32, ty: Type, value: Operand| {
        insts.push(Inst {
            op: Op::Store {
                ty,
                address: Operand::Slot(list, i64::from(offset)),
                value,
                volatile: false,
            },
            results: vec![],
            place,
        });
    };
    for (index, (global, bytes)) in saved.iter().enumerate() {
        let at = (before + index as u32) * entry;
        store(at, Type::Ptr, Operand::Global(*global, bytes.start as i64));
        let size = bytes.end - bytes.start;
        let bits = Type::Int(8 * number as u8);
        store(at + pointer, bits, Operand::Bits(u128::from(size)));
    }
    // What a checkpoint function returns is still wanted.
    insts.extend(Some(inst).filter(|inst| !inst.results.is_empty()));
    insts.push(Inst {
        op: Op::Service {
            service: Service::CheckpointWith,
            args: vec![Operand::Slot(list, 0), Operand::Bits(u128::from(count))],
        },
        results: vec![],
        place,
    });
    insts
}

fn checkpoint(place: Option<brownout_ir::source::Place>) -> Inst {
    let args = vec![Operand::Bits(0), Operand::Bits(0)];
    Inst {
        op: Op::Service {
            service: Service::CheckpointWith,
            args,
        },
        results: vec![],
        place,
    }
}
