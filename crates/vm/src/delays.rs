//! Delays: loops that do nothing but count, as `for (volatile unsigned i = 0; i < 30000; i++);`.
//!
//! A device spends most of its time in them, an emulator need not: nothing but the counter changes,
//! and what it is in the end is known. Such a loop becomes one that counts in a single step.
//!
//! **Invariant:** memory is after the loop what it would have been; only time is not.
//!
//! **Algorithm.** In a loop whose only store is `counter = counter ± 1`, to a variable of its own on
//! the stack whose address nobody has, and that is left when a comparison of the counter fails, with a constant or with
//! another such variable, the counter is set to the first value that fails it. A counter that is widened to be compared
//! (`i < 50000` where `int` has 16 bits) is compared as it is, if the constant is one of its values.

use std::collections::{BTreeMap, BTreeSet};

use brownout_ir::{
    Block, Body, Callee, CastOp, Func, Id, Inst, IntBinary, IntPredicate, Op, Operand, Program,
    Slot, Target, Terminator, Type, Value, eval,
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
            if let Some(last) = delay.last(delay.ty.bits(&target)) {
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
    /// Where the counter is stepped.
    step: (Block, usize),
    /// The type of the counter.
    ty: Type,
    /// The counter as it was before the step, and its value after it.
    old: Value,
    new: Value,
    /// The comparison of the counter with the bound that is true as long as the loop goes on.
    goes_on: IntPredicate,
    bound: Bound,
    /// Whether it is the counter before the step that is compared, after the step.
    is_late: bool,
    upwards: bool,
}

/// What a counter is compared with.
#[derive(Clone, Copy)]
enum Bound {
    Constant(u128),
    /// A variable of the function that the loop does not change.
    Variable(Slot),
}

/// Where a counter is when its loop ends, seen from the bound.
#[derive(Clone, Copy)]
enum Last {
    AtBound,
    Above,
    Below,
}

impl Delay {
    /// The first value of the counter that ends the loop, if every counter that goes on comes to it.
    fn last(&self, bits: u32) -> Option<Last> {
        let mask = eval::wide::mask(bits);
        // A loop that goes on up to the highest number never ends: then its end may be said to be anywhere.
        let is_constant = |value| match self.bound {
            Bound::Constant(bound) => bound & mask == value,
            Bound::Variable(_) => false,
        };
        let (up, signed_most) = (self.upwards, mask >> 1);
        match self.goes_on {
            IntPredicate::Ne => Some(Last::AtBound),
            IntPredicate::ULt | IntPredicate::SLt if up => Some(Last::AtBound),
            IntPredicate::ULe if up && !is_constant(mask) => Some(Last::Above),
            IntPredicate::SLe if up && !is_constant(signed_most) => Some(Last::Above),
            IntPredicate::UGt | IntPredicate::SGt if !up => Some(Last::AtBound),
            IntPredicate::UGe if !up && !is_constant(0) => Some(Last::Below),
            IntPredicate::SGe if !up && !is_constant(signed_most + 1) => Some(Last::Below),
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
    let mut loads: BTreeMap<Value, (Slot, Type)> = BTreeMap::new();
    let mut casts: BTreeMap<Value, (Value, CastOp)> = BTreeMap::new();
    let (mut store, mut step, mut compare) = (None, None, None);
    for &block in members {
        let data = &body.blocks[block];
        if !data.params.is_empty() {
            return None;
        }
        for (index, inst) in data.insts.iter().enumerate() {
            match &inst.op {
                &Op::Load {
                    address: Operand::Slot(slot, 0),
                    ty,
                    ..
                } => {
                    loads.insert(*inst.results.first()?, (slot, ty));
                }
                &Op::Store {
                    address: Operand::Slot(slot, 0),
                    value: Operand::Value(value),
                    ty,
                    ..
                } if store.is_none() => store = Some((block, slot, value, ty)),
                &Op::IntBinary { op, ty, a, b } if step.is_none() => {
                    let (Operand::Value(old), Operand::Bits(by)) = (a, b) else {
                        return None;
                    };
                    step = Some(((block, index), *inst.results.first()?, op, ty, old, by));
                }
                &Op::IntCompare { op, ty, a, b } if compare.is_none() => {
                    compare = Some((*inst.results.first()?, op, ty, a, b));
                }
                &Op::Cast {
                    op: op @ (CastOp::ZExt | CastOp::SExt),
                    a: Operand::Value(value),
                    ..
                } => {
                    casts.insert(*inst.results.first()?, (value, op));
                }
                Op::Call {
                    callee: Callee::Direct(callee),
                    ..
                } if empty.contains(callee) => {}
                _ => return None,
            }
        }
    }
    let (stored_in, counter, stored, ty) = store?;
    let (step, new, op, step_ty, old, by) = step?;
    let (condition, predicate, compared_ty, a, b) = compare?;
    let is_counter = |operand: Operand| match operand {
        Operand::Value(value) if value == new => Some(value),
        Operand::Value(value) => (loads.get(&value)? == &(counter, ty)).then_some(value),
        _ => None,
    };
    let bound = |operand: Operand| match operand {
        Operand::Bits(bound) => Some(Bound::Constant(bound)),
        Operand::Value(value) => {
            let &(slot, bound_ty) = loads.get(&value)?;
            let is_fixed = slot != counter && bound_ty == ty && is_private(body, slot, target);
            is_fixed.then_some(Bound::Variable(slot))
        }
        _ => None,
    };
    let widened = |operand: Operand| casts.get(&operand.value()?).copied();
    let narrow = |operand: Operand| widened(operand).map_or(operand, |(value, _)| value.into());
    let (predicate, wide, bound) = match (is_counter(narrow(a)), is_counter(narrow(b))) {
        (Some(_), None) => (predicate, a, bound(b)?),
        (None, Some(_)) => (predicate.swapped(), b, bound(a)?),
        _ => return None,
    };
    let compared = is_counter(narrow(wide))?;
    let (exit, goes_on) = exit(body, members, condition)?;
    let goes_on = if goes_on {
        predicate
    } else {
        predicate.negated()
    };
    let is_step = is_counter(old.into()) == Some(old) && old != new && stored == new;
    // Nothing else is loaded than the counter and what it is compared with.
    let is_known =
        |slot: Slot| slot == counter || matches!(bound, Bound::Variable(it) if it == slot);
    let (goes_on, bound) = match widened(wide) {
        None if compared_ty == ty => (goes_on, bound),
        None => return None,
        Some((_, how)) => {
            let Bound::Constant(bound) = bound else {
                return None;
            };
            let (from, to) = (ty.bits(target), compared_ty.bits(target));
            let (goes_on, bound) = as_narrow((goes_on, bound), how, from, to)?;
            (goes_on, Bound::Constant(bound))
        }
    };
    if !is_step
        || step_ty != ty
        || !loads.values().all(|&(slot, _)| is_known(slot))
        || !is_private(body, counter, target)
    {
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
    let is_stepped = stored_in == exit || stored_in == head;
    Some(Delay {
        step,
        ty,
        old,
        new,
        goes_on,
        bound,
        is_late: compared == old && is_stepped,
        upwards,
    })
}

/// A comparison of a number of `from` bits that was extended to `to` bits with a constant, as one of the number itself.
/// None if the constant is none of its values.
fn as_narrow(
    (predicate, bound): (IntPredicate, u128),
    how: CastOp,
    from: u32,
    to: u32,
) -> Option<(IntPredicate, u128)> {
    let (narrow, all) = (eval::wide::mask(from), eval::wide::mask(to));
    let bound = bound & all;
    match how {
        // What was extended has no sign.
        CastOp::ZExt => (bound <= narrow).then_some((unsigned(predicate), bound)),
        _ => {
            let number = bound & narrow;
            let extended = eval::wide::signed(from, number) as u128 & all;
            (extended == bound).then_some((predicate, number))
        }
    }
}

/// The same predicate of numbers without a sign.
const fn unsigned(predicate: IntPredicate) -> IntPredicate {
    match predicate {
        IntPredicate::SLt => IntPredicate::ULt,
        IntPredicate::SLe => IntPredicate::ULe,
        IntPredicate::SGt => IntPredicate::UGt,
        IntPredicate::SGe => IntPredicate::UGe,
        other => other,
    }
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

/// Lets a delay count in one step: a counter that goes on is where the loop ends.
fn shorten(body: &mut Body, delay: &Delay, last: Last) {
    let (block, index) = delay.step;
    let place = body.blocks[block].insts[index].place;
    let mut added: Vec<Inst> = Vec::new();
    let mut add = |body: &mut Body, op: Op, ty: Type| -> Operand {
        let result = body.values.push(ty);
        added.push(Inst {
            op,
            results: vec![result],
            place,
        });
        result.into()
    };
    let ty = delay.ty;
    let bound = match delay.bound {
        Bound::Constant(bound) => Operand::Bits(bound),
        Bound::Variable(slot) => {
            let load = Op::Load {
                ty,
                address: Operand::Slot(slot, 0),
                volatile: false,
            };
            add(body, load, ty)
        }
    };
    let beside = |op: IntBinary| Op::IntBinary {
        op,
        ty,
        a: bound,
        b: Operand::Bits(1),
    };
    let last = match last {
        Last::AtBound => bound,
        Last::Above => add(body, beside(IntBinary::Add), ty),
        Last::Below => add(body, beside(IntBinary::Sub), ty),
    };
    // A late comparison ends the loop one step after the counter is there.
    let compared = if delay.is_late { delay.old } else { delay.new };
    let compare = Op::IntCompare {
        op: delay.goes_on,
        ty,
        a: compared.into(),
        b: bound,
    };
    let condition = add(body, compare, Type::BOOL);
    let select = Op::Select {
        ty,
        condition,
        a: last,
        b: delay.new.into(),
    };
    let chosen = add(body, select, ty);
    // What is stored, and compared after the step, is the counter at the end.
    let at_end = |operand: &mut Operand| {
        if *operand == Operand::Value(delay.new) {
            *operand = chosen;
        }
    };
    for block in (0..body.blocks.len()).map(Block::from_index) {
        for inst in &mut body.blocks[block].insts {
            match &mut inst.op {
                Op::Store { value, .. } => at_end(value),
                Op::Cast { a, .. } => at_end(a),
                Op::IntCompare { a, b, .. } => {
                    at_end(a);
                    at_end(b);
                }
                _ => {}
            }
        }
    }
    body.blocks[block].insts.splice(index + 1..index + 1, added);
}
