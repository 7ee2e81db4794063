//! Checkpoints that nobody wrote: Mementos' strategies, done on the IR.

use brownout_ir::verify::Dominators;
use brownout_ir::{Block, Callee, Func, Inst, Op, Operand, Origin, Program, Service};

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
