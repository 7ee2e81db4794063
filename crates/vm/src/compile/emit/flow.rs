//! Ends of blocks: jumps, branches, switches, and where they lead.

use brownout_ir::{Block, Edge, Func, Id, IntPredicate, Operand, Terminator, Type};

use super::{Emitter, Label};
use crate::code::{Op, Slot, Slow, Source, SwitchTable};
use crate::compile::moves::From;
use crate::compile::select::{self, BranchOperand};

impl Emitter<'_, '_> {
    pub(super) fn terminator(&mut self, terminator: &Terminator, next: Block) {
        let cost = self.tick;
        match terminator {
            Terminator::Jump(edge) => self.go(edge, next, cost),
            Terminator::Branch {
                condition,
                then,
                otherwise,
            } => self.branch(*condition, then, otherwise, next),
            Terminator::Switch {
                ty,
                value,
                cases,
                default,
            } => self.switch(*ty, *value, cases, default),
            Terminator::Computed { address, targets } => {
                let address = self.source(*address);
                let func = self.current_function_addresses(targets);
                self.slow(Slow::Computed {
                    address,
                    targets: func,
                    cost,
                });
            }
            Terminator::Return(values) => {
                let types: Vec<Type> = values
                    .iter()
                    .zip(self.result_types())
                    .map(|(_, ty)| ty)
                    .collect();
                let moves = self.moves_to(0, values, &types);
                self.emit_moves(moves);
                self.push(Op::Return { cost });
            }
            Terminator::Unreachable => self.slow(Slow::Unreachable),
        }
    }

    pub(super) fn result_types(&self) -> Vec<Type> {
        // The function being decoded is the next one without code.
        let func = Func::from_index(self.code.functions.len());
        self.context.program.functions[func].results.clone()
    }

    pub(super) fn current_function_addresses(&mut self, targets: &[Edge]) -> Vec<(u64, u32)> {
        let func = Func::from_index(self.code.functions.len());
        targets
            .iter()
            .map(|edge| {
                let address = self.context.layout.block(func, edge.block)
                    & self.context.layout.address_mask();
                (address, self.label(edge))
            })
            .collect()
    }

    pub(super) fn edge_moves(&self, edge: &Edge) -> Vec<(Slot, From)> {
        let mut moves = Vec::new();
        for (&param, &arg) in self.body.blocks[edge.block].params.iter().zip(&edge.args) {
            // A parameter that nobody reads has no register.
            if self.slots.slots[param.index()].is_some() {
                moves.extend(self.value_moves(self.register(param), arg, self.body.values[param]));
            }
        }
        moves.retain(|&(to, from)| from != From::Slot(to));
        moves
    }

    /// The label of an edge: its block, or a stub that makes the moves first.
    pub(super) fn label(&mut self, edge: &Edge) -> Label {
        if self.edge_moves(edge).is_empty() {
            return edge.block.index() as Label;
        }
        let label = self.labels.len() as Label;
        self.labels.push(None);
        self.stubs.push((label, edge.clone()));
        label
    }

    /// Moves and a jump, which is left out when the block follows anyway.
    pub(super) fn go(&mut self, edge: &Edge, next: Block, cost: u32) {
        let moves = self.edge_moves(edge);
        self.emit_moves(moves);
        if edge.block != next || cost > 0 {
            self.push(Op::Jump {
                then: edge.block.index() as Label,
                cost,
            });
        }
    }

    pub(super) fn branch(
        &mut self,
        condition: Operand,
        then: &Edge,
        otherwise: &Edge,
        next: Block,
    ) {
        let cost = self.tick;
        if let Some(known) = self.constant(condition) {
            return self.go(if known & 1 != 0 { then } else { otherwise }, next, cost);
        }
        let condition = self.values.resolve(condition);
        let folded = condition
            .value()
            .and_then(|value| self.values.compares.get(&value).copied());
        let (op, bits, a, b) = match folded {
            Some(folded) => (folded.op, folded.bits, folded.a, folded.b),
            None => (IntPredicate::Ne, 1, condition, Operand::Bits(0)),
        };
        // Falling through is cheaper than jumping.
        let (op, taken, fallen) = if then.block == next {
            (op.negated(), otherwise, then)
        } else {
            (op, then, otherwise)
        };
        let (op, a, b) = if self.constant(a).is_some() {
            (op.swapped(), b, a)
        } else {
            (op, a, b)
        };
        let a = self.in_register(a);
        let immediate = self.constant(b).and_then(|constant| {
            if op.is_signed() {
                i32::try_from(brownout_ir::eval::narrow::signed(bits, constant)).ok()
            } else {
                u32::try_from(constant).ok().map(|constant| constant as i32)
            }
        });
        let b = match immediate {
            Some(immediate) => BranchOperand::Immediate(immediate),
            None => BranchOperand::Register(self.in_register(b)),
        };
        let then = self.label(taken);
        if let Some(op) = select::branch(op, bits, a, b, then, cost) {
            self.push(op);
        }
        self.tick = 0;
        self.go(fallen, next, 0);
    }

    pub(super) fn switch(
        &mut self,
        ty: Type,
        value: Operand,
        cases: &[(u128, Edge)],
        default: &Edge,
    ) {
        let cost = self.tick;
        let mut labelled: Vec<(u128, u32)> = cases
            .iter()
            .map(|(case, edge)| (*case, self.label(edge)))
            .collect();
        labelled.sort_by_key(|(case, _)| *case);
        let default = self.label(default);
        let table = if self.context.is_wide(ty) {
            SwitchTable::Wide {
                cases: labelled,
                default,
            }
        } else {
            let (low, high) = (
                labelled.first().map_or(0, |case| case.0),
                labelled.last().map_or(0, |case| case.0),
            );
            if (high - low) < 4 * labelled.len() as u128 + 8 {
                let mut targets = vec![default; (high - low) as usize + 1];
                for (case, target) in labelled {
                    targets[(case - low) as usize] = target;
                }
                SwitchTable::Dense {
                    low: low as u64,
                    targets,
                    default,
                }
            } else {
                SwitchTable::Sparse {
                    cases: labelled
                        .into_iter()
                        .map(|(case, to)| (case as u64, to))
                        .collect(),
                    default,
                }
            }
        };
        let a = if self.context.is_wide(ty) && !matches!(self.source(value), Source::Slot(_)) {
            // A constant pair: put it where the table can read it.
            let slot = self.temporaries as Slot;
            for (to, from) in self.value_moves(slot, value, ty) {
                self.move_to(to, from);
            }
            slot
        } else {
            self.in_register(value)
        };
        let index = self.code.switches.len() as u32;
        self.code.switches.push(table);
        self.push(Op::Switch {
            a,
            table: index,
            cost,
        });
    }

    pub(super) fn edges_with_moves(&mut self) {
        self.tick = 0;
        for (label, edge) in std::mem::take(&mut self.stubs) {
            self.labels[label as usize] = Some(self.code.ops.len() as u32);
            let moves = self.edge_moves(&edge);
            self.emit_moves(moves);
            self.push(Op::Jump {
                then: edge.block.index() as Label,
                cost: 0,
            });
        }
    }

    pub(super) fn resolve_labels(&mut self, entry: u32) {
        let labels = std::mem::take(&mut self.labels);
        let at = |label: &mut u32| *label = labels[*label as usize].unwrap_or(0);
        for op in &mut self.code.ops[entry as usize..] {
            match op {
                Op::Switch { table, .. } => match &mut self.code.switches[*table as usize] {
                    SwitchTable::Dense {
                        targets, default, ..
                    } => {
                        targets.iter_mut().for_each(at);
                        at(default);
                    }
                    SwitchTable::Sparse { cases, default } => {
                        cases.iter_mut().for_each(|(_, target)| at(target));
                        at(default);
                    }
                    SwitchTable::Wide { cases, default } => {
                        cases.iter_mut().for_each(|(_, target)| at(target));
                        at(default);
                    }
                },
                Op::Slow { index } => {
                    if let Slow::Computed { targets, .. } = &mut self.code.slow[*index as usize] {
                        targets.iter_mut().for_each(|(_, target)| at(target));
                    }
                }
                op => {
                    if let Some(then) = select::target(op) {
                        at(then);
                    }
                }
            }
        }
    }
}
