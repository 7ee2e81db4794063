//! Stores that change some bits of what is there and keep the others: those of bit-fields.
//!
//! Property: of a load and a store of the same number at the same address, the bits that are kept are the same
//! in memory afterwards, whatever they are, so the load reads nothing and the store writes the others.
//! Algorithm: the value that is stored is `(loaded & constant) | bits that the constant leaves out`, or the same
//! without the second part; nobody else uses what was loaded, and nothing is stored or called between the two.
//!
//! False negatives: code that an optimiser has put into another shape counts as a read and a write of all bits.

use brownout_ir::{Body, Inst, IntBinary, Op, Operand, Target, Value};
use rustc_hash::FxHashMap;

use crate::contexts::At;

/// The loads and stores of a body that keep bits, with the bits that the store changes.
pub(crate) fn keeping(target: &Target, body: &Body) -> FxHashMap<At, u64> {
    let mut uses: FxHashMap<Value, usize> = FxHashMap::default();
    let mut count = |operand: Operand| {
        if let Operand::Value(value) = operand {
            *uses.entry(value).or_default() += 1;
        }
    };
    for data in body.blocks.values() {
        for inst in &data.insts {
            inst.op.visit_operands(target, |operand, _| count(operand));
        }
        data.terminator.visit_operands(&mut count);
    }
    let mut found = FxHashMap::default();
    for (block, data) in body.blocks.iter() {
        for (index, inst) in data.insts.iter().enumerate() {
            let Op::Store {
                ty, address, value, ..
            } = &inst.op
            else {
                continue;
            };
            let before = &data.insts[..index];
            let is_used_once = |value: Value| uses.get(&value) == Some(&1);
            let definition = |operand: Operand| {
                let value = operand.value()?;
                let at = before
                    .iter()
                    .rposition(|inst| inst.results.contains(&value))?;
                Some((at, &before[at].op, value))
            };
            // A field that is cleared is `and` alone.
            let (masked, set) = match definition(*value) {
                Some((
                    _,
                    Op::IntBinary {
                        op: IntBinary::Or,
                        a,
                        b,
                        ..
                    },
                    _,
                )) => (definition(*a), possible(before, *b, 0)),
                other => (other, 0),
            };
            let Some((
                _,
                Op::IntBinary {
                    op: IntBinary::And,
                    a,
                    b,
                    ..
                },
                and,
            )) = masked
            else {
                continue;
            };
            let &Operand::Bits(kept) = b else { continue };
            let Some((
                at,
                Op::Load {
                    ty: loaded,
                    address: from,
                    volatile: false,
                },
                load,
            )) = definition(*a)
            else {
                continue;
            };
            let is_quiet = |op: &Op| {
                !matches!(
                    op,
                    Op::Store { .. }
                        | Op::Copy { .. }
                        | Op::Fill { .. }
                        | Op::Call { .. }
                        | Op::Service { .. }
                )
            };
            let is_same = loaded == ty && from == address && set & kept == 0;
            let is_same = is_same && is_used_once(load) && is_used_once(and);
            if is_same && before[at..].iter().all(|inst| is_quiet(&inst.op)) {
                let changed = !kept as u64 & mask(ty.bits(target)) as u64;
                for index in [at, index] {
                    found.insert(
                        At {
                            block,
                            index: index as u32,
                        },
                        changed,
                    );
                }
            }
        }
    }
    found
}

/// How many operations deep the bits of a value are looked for.
const DEPTH: u32 = 4;

/// The bits that a value may have.
fn possible(before: &[Inst], operand: Operand, depth: u32) -> u128 {
    let value = match operand {
        Operand::Bits(bits) => return bits,
        Operand::Value(value) if depth < DEPTH => value,
        _ => return u128::MAX,
    };
    let defines = |inst: &&Inst| inst.results.contains(&value);
    match before.iter().rfind(defines).map(|inst| &inst.op) {
        Some(Op::IntBinary {
            op: IntBinary::And,
            a,
            b,
            ..
        }) => possible(before, *a, depth + 1) & possible(before, *b, depth + 1),
        Some(Op::IntBinary {
            op: IntBinary::Shl,
            a,
            b: Operand::Bits(by),
            ..
        }) if *by < 64 => possible(before, *a, depth + 1) << by,
        _ => u128::MAX,
    }
}

/// As many bits.
const fn mask(bits: u32) -> u128 {
    match bits {
        128.. => u128::MAX,
        bits => (1 << bits) - 1,
    }
}
