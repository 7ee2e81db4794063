//! Which register each value of a function lives in.

use std::collections::HashMap;

use brownout_ir::{Body, Id, Op as IrOp, Operand, Service, Value};

use crate::compile::allocate::{self, Assignment, Request};
use crate::compile::liveness::{self, BlockUses, Interval};
use crate::compile::values::{Values, is_wide};
use crate::compile::{Context, successor_blocks};

pub(super) fn registers(context: &Context<'_>, body: &Body, values: &Values) -> Assignment {
    let blocks: Vec<BlockUses> = body
        .blocks
        .iter()
        .map(|(block, data)| {
            let mut steps: Vec<(Vec<Value>, Vec<Value>)> = data
                .insts
                .iter()
                .map(|inst| {
                    let free = inst.results.iter().any(|&result| values.is_free(result));
                    if free {
                        (vec![], vec![])
                    } else {
                        (
                            values.reads(&context.program.target, &inst.op),
                            inst.results.clone(),
                        )
                    }
                })
                .collect();
            steps.push((values.terminator_reads(&data.terminator), vec![]));
            BlockUses {
                params: data.params.clone(),
                steps,
                successors: successor_blocks(body, block),
            }
        })
        .collect();
    let (mut intervals, _) = liveness::intervals(body, &blocks);
    if context.own_registers || calls_set_jump(body) {
        // A `longjmp` comes back to the middle of the function, where values are
        // needed again that were not any more: no register serves two.
        for interval in intervals.iter_mut().flatten() {
            *interval = Interval {
                start: 0,
                end: u32::MAX,
            };
        }
    }
    // Parameters and their arguments like to share.
    let mut hints: HashMap<Value, Vec<Value>> = HashMap::new();
    for data in body.blocks.values() {
        for edge in data.terminator.edges() {
            for (&param, &arg) in body.blocks[edge.block].params.iter().zip(&edge.args) {
                if let Operand::Value(arg) = values.resolve(arg) {
                    hints.entry(param).or_default().push(arg);
                    hints.entry(arg).or_default().push(param);
                }
            }
        }
    }
    let requests = body
        .values
        .ids()
        .filter_map(|value| {
            let interval = intervals[value.index()]?;
            let hints = hints.remove(&value).unwrap_or_default();
            Some(Request {
                value,
                interval,
                wide: is_wide(context, body, value),
                hints,
            })
        })
        .collect();
    let fixed: Vec<(Value, bool)> = body.blocks[body.entry()]
        .params
        .iter()
        .map(|&param| (param, is_wide(context, body, param)))
        .collect();
    allocate::assign(body.values.len(), &fixed, requests)
}

fn calls_set_jump(body: &Body) -> bool {
    let mut insts = body.blocks.values().flat_map(|block| &block.insts);
    insts.any(|inst| {
        matches!(
            inst.op,
            IrOp::Service {
                service: Service::SetJump,
                ..
            }
        )
    })
}
