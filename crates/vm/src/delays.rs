//! Delays: loops that do nothing but count, as `for (volatile unsigned i = 0; i < 30000; i++);`.
//!
//! A device spends most of its time in them, an emulator need not: nothing but the counter changes,
//! and what it is in the end is known. Such a loop becomes one that counts in a single step.
//!
//! **Invariant:** memory is after the loop what it would have been; only time is not.
//!
//! **Algorithm.** In a loop whose only store is `counter = counter ± 1`, to a variable of its own on
//! the stack whose address nobody has, and that is left when a comparison of the counter with a
//! constant fails, the counter is set to the first value that fails it.

use std::collections::BTreeSet;

use brownout_ir::{
    Block, Body, Callee, Func, Id, Inst, IntBinary, IntPredicate, Op, Operand, Program, Slot,
    Target, Terminator, Type, Value, eval,
};

use crate::loops::loop_bodies;

/// Makes delays of the user's code take no time; how many there are.
pub fn skip_delays(program: &mut Program) -> usize {
    let empty: BTreeSet<Func> = program
        .functions
        .iter()
        .filter(|(_, function)| function.body.as_ref().is_some_and(does_nothing))
        .map(|(func, _)| func)
        .collect();
    let target = program.target.clone();
    let mut count = 0;
    for func in (0..program.functions.len()).map(Func::from_index) {
        let Some(body) = &mut program.functions[func].body else {
            continue;
        };
        for (head, members) in loop_bodies(body) {
            let Some(delay) = recognise(body, (head, &members), &empty, &target) else {
                continue;
            };
            let bits = delay.ty.bits(&target);
            if let Some(last) = delay.last(bits) {
                shorten(body, &delay, last);
                count += 1;
            }
        }
    }
    count
}

/// Whether a function has no instructions.
fn does_nothing(body: &Body) -> bool {
    let mut blocks = body.blocks.values();
    let only = blocks.next();
    blocks.next().is_none()
        && only.is_some_and(|block| {
            block.insts.is_empty() && matches!(block.terminator, Terminator::Return(_))
        })
}

/// A loop that only counts.
struct Delay {
    /// Where the counter is stored.
    store: (Block, usize),
    /// The type of the counter.
    ty: Type,
    /// The counter as it was before the step, and its value after it.
    old: Value,
    new: Value,
    /// The comparison that is true as long as the loop goes on.
    goes_on: IntPredicate,
    bound: u128,
    /// Whether it is the counter before the step that is compared, after the step.
    is_late: bool,
    upwards: bool,
}

impl Delay {
    /// The first value of the counter that ends the loop, if every counter comes to it.
    fn last(&self, bits: u32) -> Option<u128> {
        let mask = eval::wide::mask(bits);
        let (bound, up) = (self.bound & mask, self.upwards);
        let above = bound.wrapping_add(1) & mask;
        let below = bound.wrapping_sub(1) & mask;
        let signed_most = mask >> 1;
        match self.goes_on {
            IntPredicate::Ne => Some(bound),
            IntPredicate::ULt | IntPredicate::SLt if up => Some(bound),
            IntPredicate::ULe if up && bound != mask => Some(above),
            IntPredicate::SLe if up && bound != signed_most => Some(above),
            IntPredicate::UGt | IntPredicate::SGt if !up => Some(bound),
            IntPredicate::UGe if !up && bound != 0 => Some(below),
            IntPredicate::SGe if !up && bound != signed_most + 1 => Some(below),
            _ => None,
        }
    }
}

/// The delay that a loop is, if it is one.
fn recognise(
    body: &Body,
    (head, members): (Block, &BTreeSet<Block>),
    empty: &BTreeSet<Func>,
    target: &Target,
) -> Option<Delay> {
    let mut counter: Option<Slot> = None;
    let mut loads: BTreeSet<Value> = BTreeSet::new();
    let mut store = None;
    let mut step = None;
    let mut compare = None;
    for &block in members {
        let data = &body.blocks[block];
        if !data.params.is_empty() {
            return None;
        }
        for (index, inst) in data.insts.iter().enumerate() {
            match &inst.op {
                Op::Load {
                    address: Operand::Slot(slot, 0),
                    ..
                } if counter.is_none_or(|counter| counter == *slot) => {
                    counter = Some(*slot);
                    loads.insert(*inst.results.first()?);
                }
                &Op::Store {
                    address: Operand::Slot(slot, 0),
                    value: Operand::Value(value),
                    ty,
                    ..
                } if store.is_none() && counter.is_none_or(|counter| counter == slot) => {
                    counter = Some(slot);
                    store = Some(((block, index), value, ty));
                }
                &Op::IntBinary { op, ty, a, b } if step.is_none() => {
                    let (Operand::Value(old), Operand::Bits(by)) = (a, b) else {
                        return None;
                    };
                    step = Some((*inst.results.first()?, op, ty, old, by));
                }
                &Op::IntCompare { op, a, b, .. } if compare.is_none() => {
                    let (Operand::Value(compared), Operand::Bits(bound)) = (a, b) else {
                        return None;
                    };
                    compare = Some((*inst.results.first()?, op, compared, bound));
                }
                Op::Call {
                    callee: Callee::Direct(callee),
                    ..
                } if empty.contains(callee) => {}
                _ => return None,
            }
        }
    }
    let (store, stored, ty) = store?;
    let (new, op, step_ty, old, by) = step?;
    let (condition, predicate, compared, bound) = compare?;
    let (exit, goes_on) = exit(body, members, condition)?;
    let goes_on = if goes_on {
        predicate
    } else {
        negated(predicate)?
    };
    let is_private = is_private(body, counter?, target);
    if stored != new || step_ty != ty || !loads.contains(&old) || !is_private {
        return None;
    }
    let bits = match ty {
        Type::Int(bits) => u32::from(bits),
        _ => return None,
    };
    let less = eval::wide::mask(bits);
    let by = by & less;
    let upwards = match op {
        IntBinary::Add if by == 1 => true,
        IntBinary::Add if by == less => false,
        IntBinary::Sub if by == 1 => false,
        IntBinary::Sub if by == less => true,
        _ => return None,
    };
    // Whether the step comes before the exit in a round.
    let is_stepped = store.0 == exit || store.0 == head;
    let is_late = compared == old && is_stepped;
    let is_counter = compared == new || loads.contains(&compared);
    is_counter.then_some(Delay {
        store,
        ty,
        old,
        new,
        goes_on,
        bound,
        is_late,
        upwards,
    })
}

/// The block with the only exit of a loop, and whether the loop goes on if its condition holds.
fn exit(body: &Body, members: &BTreeSet<Block>, condition: Value) -> Option<(Block, bool)> {
    let mut found = None;
    for &block in members {
        match &body.blocks[block].terminator {
            Terminator::Jump(edge) if members.contains(&edge.block) => {}
            Terminator::Branch {
                condition: Operand::Value(decides),
                then,
                otherwise,
            } if *decides == condition && found.is_none() => {
                let stays = [then, otherwise].map(|edge| members.contains(&edge.block));
                found = match stays {
                    [true, false] => Some((block, true)),
                    [false, true] => Some((block, false)),
                    _ => return None,
                };
            }
            _ => return None,
        }
    }
    found
}

/// Whether nobody has the address of a variable.
fn is_private(body: &Body, slot: Slot, target: &Target) -> bool {
    let is_it = |operand: &Operand| matches!(operand, Operand::Slot(other, _) if *other == slot);
    let mut blocks = body.blocks.values();
    blocks.all(|block| {
        let mut insts = block.insts.iter();
        let hidden = insts.all(|inst| match &inst.op {
            Op::Load { .. } => true,
            Op::Store { value, .. } => !is_it(value),
            op => {
                let mut used = false;
                op.visit_operands(target, |operand, _| used |= is_it(&operand));
                !used
            }
        });
        let mut used = false;
        block
            .terminator
            .visit_operands(|operand| used |= is_it(&operand));
        hidden && !used
    })
}

/// The comparison that holds where the other one does not.
fn negated(predicate: IntPredicate) -> Option<IntPredicate> {
    Some(match predicate {
        IntPredicate::Eq => IntPredicate::Ne,
        IntPredicate::ULt => IntPredicate::UGe,
        IntPredicate::ULe => IntPredicate::UGt,
        IntPredicate::UGt => IntPredicate::ULe,
        IntPredicate::UGe => IntPredicate::ULt,
        IntPredicate::SLt => IntPredicate::SGe,
        IntPredicate::SLe => IntPredicate::SGt,
        IntPredicate::SGt => IntPredicate::SLe,
        IntPredicate::SGe => IntPredicate::SLt,
        IntPredicate::Ne => return None,
    })
}

/// Lets a delay count in one step.
fn shorten(body: &mut Body, delay: &Delay, last: u128) {
    let (block, index) = delay.store;
    let place = body.blocks[block].insts[index].place;
    let last = Operand::Bits(last);
    let stored = match delay.is_late {
        false => last,
        // The counter that ends the loop is stepped once more.
        true => {
            let goes_on = body.values.push(Type::BOOL);
            let chosen = body.values.push(delay.ty);
            let compare = Inst {
                op: Op::IntCompare {
                    op: delay.goes_on,
                    ty: delay.ty,
                    a: delay.old.into(),
                    b: Operand::Bits(delay.bound),
                },
                results: vec![goes_on],
                place,
            };
            let select = Inst {
                op: Op::Select {
                    ty: delay.ty,
                    condition: goes_on.into(),
                    a: last,
                    b: delay.new.into(),
                },
                results: vec![chosen],
                place,
            };
            body.blocks[block]
                .insts
                .splice(index..index, [compare, select]);
            chosen.into()
        }
    };
    let index = if delay.is_late { index + 2 } else { index };
    if let Op::Store { value, .. } = &mut body.blocks[block].insts[index].op {
        *value = stored;
    }
    // What is compared after the step is the counter itself.
    if !delay.is_late {
        for block in (0..body.blocks.len()).map(Block::from_index) {
            for inst in &mut body.blocks[block].insts {
                if let Op::IntCompare { a, .. } = &mut inst.op
                    && *a == Operand::Value(delay.new)
                {
                    *a = last;
                }
            }
        }
    }
}
