//! Which registers still matter: a register is *live* before an operation if some path from there
//! reads it before it writes it.
//!
//! Two machines at the same place with the same memory go on alike exactly if their live registers
//! are equal; what dead ones hold is of no consequence.
//!
//! **Algorithm.** Backward data flow over the operations of one function, when it is first asked
//! for. A function that calls `setjmp` can be entered again in the middle, with its registers as
//! they are then: there every register counts as live.

use std::sync::OnceLock;

use brownout_ir::{Func, Id, Service};

use crate::code::{
    Code, FunctionCode, Op, Packed, Slot, Slow, Source, SwitchTable, operation_table, words,
};
use crate::image::Image;
use crate::machine::Machine;

/// What is live before every operation of every function, found out on demand.
#[derive(Clone, Debug, Default)]
pub(crate) struct Liveness(Vec<OnceLock<FunctionLiveness>>);

/// Sets of registers, one before each operation of a function.
#[derive(Clone, Debug)]
struct FunctionLiveness {
    /// Words of 64 bits per set.
    words: usize,
    sets: Vec<u64>,
}

impl Liveness {
    pub(crate) fn new(functions: usize) -> Self {
        Self((0..functions).map(|_| OnceLock::new()).collect())
    }
}

impl Machine<'_> {
    /// Everything outside memory that decides how the execution goes on from this place: stack and
    /// frame pointers and the live registers of all calls in progress. Comparable between machines
    /// that are at the same operation of the same calls.
    pub fn live_registers(&self) -> Vec<u64> {
        let processor = &self.processor;
        let mut state = vec![processor.sp, processor.fp];
        let (mut at, mut window) = (processor.pc, processor.window);
        // Arguments of a call that is about to be made lie after the window; the calls that wait
        // for a result get that there.
        let mut end = u32::MAX;
        for frame in processor.frames.iter().rev() {
            state.push(frame.frame_pointer);
            for slot in self.image.live_before(frame.function as usize, at) {
                let register = window as usize + slot;
                if register < end as usize {
                    state.push(processor.registers.get(register).copied().unwrap_or(0));
                }
            }
            (at, end, window) = (frame.return_to, window, frame.caller_window);
        }
        state
    }
}

impl Image {
    /// The registers of a function's window that are live before one of its operations.
    pub(crate) fn live_before(&self, function: usize, pc: u32) -> Vec<usize> {
        let Some(code) = self.code.functions.get(function).and_then(Option::as_ref) else {
            return Vec::new();
        };
        let Some(known) = self.live.0.get(function) else {
            return Vec::new();
        };
        let known = known.get_or_init(|| {
            let results = &self.program.functions[Func::from_index(function)].results;
            let results = results.iter().map(|ty| ty.bits(&self.program.target));
            let words = results.map(|bits| 1 + usize::from(Slow::is_wide(bits)));
            analyse(&self.code, code, words.sum())
        });
        let Some(index) = pc.checked_sub(code.entry) else {
            return Vec::new();
        };
        let start = index as usize * known.words;
        let set = known.sets.get(start..start + known.words).unwrap_or(&[]);
        let bits = set.iter().enumerate().flat_map(|(word, &bits)| {
            (0..64)
                .filter(move |bit| bits >> bit & 1 != 0)
                .map(move |bit| word * 64 + bit)
        });
        bits.take_while(|&slot| slot < (code.window + code.outgoing) as usize)
            .collect()
    }
}

fn analyse(code: &Code, function: &FunctionCode, results: usize) -> FunctionLiveness {
    let ops = &code.ops[function.entry as usize..function.end as usize];
    let words = ((function.window + function.outgoing) as usize + 1).div_ceil(64);
    let mut known = FunctionLiveness {
        words,
        sets: vec![0; ops.len() * words],
    };
    let sets_jump = ops.iter().any(|op| {
        matches!(op, Op::Slow { index } if matches!(
            code.slow[*index as usize],
            Slow::Service { service: Service::SetJump, .. }
        ))
    });
    if sets_jump {
        known.sets.fill(u64::MAX);
        return known;
    }
    let mut live = vec![0u64; words];
    loop {
        let mut changed = false;
        for (index, op) in ops.iter().enumerate().rev() {
            live.fill(0);
            for_each_successor(code, op, index as u32 + function.entry, |successor| {
                let at = (successor.saturating_sub(function.entry)) as usize * words;
                if let Some(set) = known.sets.get(at..at + words) {
                    live.iter_mut()
                        .zip(set)
                        .for_each(|(live, set)| *live |= set);
                }
            });
            let outgoing = function.window as usize..(function.window + function.outgoing) as usize;
            transfer(code, op, &mut live, outgoing, results);
            let set = &mut known.sets[index * words..(index + 1) * words];
            changed |= set != live.as_slice();
            set.copy_from_slice(&live);
        }
        if !changed {
            return known;
        }
    }
}

/// Where execution can go on after an operation, within its function.
fn for_each_successor(code: &Code, op: &Op, pc: u32, mut visit: impl FnMut(u32)) {
    macro_rules! successors {
        (
            sized: [$($sized:tt)*] plain: [$($plain:tt)*] loads: [$($load:tt)*] stores: [$($store:tt)*]
            compares: [$(($cop:ident, $cbits:literal, $cmp:ident, $cmp_imm:ident, $br:ident, $br_imm:ident))*]
            floats: [$($float:tt)*]
        ) => {
            match *op {
                $(Op::$br { then, .. } | Op::$br_imm { then, .. } => { visit(then); visit(pc + 1); })*
                Op::Jump { then, .. } => visit(then),
                Op::Switch { table, .. } => match &code.switches[table as usize] {
                    SwitchTable::Dense { targets, default, .. } => {
                        targets.iter().copied().chain([*default]).for_each(&mut visit);
                    }
                    SwitchTable::Sparse { cases, default } => {
                        cases.iter().map(|case| case.1).chain([*default]).for_each(&mut visit);
                    }
                    SwitchTable::Wide { cases, default } => {
                        cases.iter().map(|case| case.1).chain([*default]).for_each(&mut visit);
                    }
                },
                Op::Return { .. } => {}
                Op::Slow { index } => match &code.slow[index as usize] {
                    Slow::Computed { targets, .. } => {
                        targets.iter().for_each(|&(_, target)| visit(target));
                    }
                    Slow::Unreachable => {}
                    _ => visit(pc + 1),
                },
                _ => visit(pc + 1),
            }
        };
    }
    operation_table! { successors }
}

/// From what is live after an operation to what is live before it.
fn transfer(
    code: &Code,
    op: &Op,
    live: &mut [u64],
    outgoing: std::ops::Range<usize>,
    results: usize,
) {
    let define = |live: &mut [u64], slot: usize| live[slot / 64] &= !(1 << (slot % 64));
    let read = |live: &mut [u64], slot: usize| live[slot / 64] |= 1 << (slot % 64);
    macro_rules! address {
        ($live:ident, Base, $at:ident) => {
            read($live, usize::from($at.base))
        };
        ($live:ident, Indexed, $at:ident) => {{
            read($live, usize::from($at.base));
            read($live, usize::from($at.index));
        }};
        ($live:ident, Absolute, $at:ident) => {{
            let _: Packed = $at;
        }};
        ($live:ident, AbsoluteIndexed, $at:ident) => {
            read($live, usize::from($at.index))
        };
        ($live:ident, Frame, $at:ident) => {{
            let _: Packed = $at;
        }};
        ($live:ident, FrameIndexed, $at:ident) => {
            read($live, usize::from($at.index))
        };
    }
    macro_rules! registers {
        (
            sized: [$(($sop:ident, $sbits:literal, $sized:ident, $sized_imm:ident, $sized_rev:ident))*]
            plain: [$(($pop:ident, $plain:ident, $plain_imm:ident))*]
            loads: [$(($load:ident, $lty:ident, $lmode:ident))*]
            stores: [$(($store:ident, $sty:ident, $smode:ident))*]
            compares: [$(($cop:ident, $cbits:literal, $cmp:ident, $cmp_imm:ident, $br:ident, $br_imm:ident))*]
            floats: [$(($fop:ident, $fkind:ident, $float:ident))*]
        ) => {
            match *op {
                $(Op::$sized { dst, a, b } => one_of_two(live, dst, a, b),
                  Op::$sized_imm { dst, a, .. } | Op::$sized_rev { dst, a, .. } => one_of_one(live, dst, a),)*
                $(Op::$plain { dst, a, b } => one_of_two(live, dst, a, b),
                  Op::$plain_imm { dst, a, .. } => one_of_one(live, dst, a),)*
                $(Op::$load { dst, at } => {
                    define(live, usize::from(dst));
                    address!(live, $lmode, at);
                })*
                $(Op::$store { src, at } => {
                    read(live, usize::from(src));
                    address!(live, $smode, at);
                })*
                $(Op::$cmp { dst, a, b } => one_of_two(live, dst, a, b),
                  Op::$cmp_imm { dst, a, .. } => one_of_one(live, dst, a),
                  Op::$br { a, b, .. } => {
                      read(live, usize::from(a));
                      read(live, usize::from(b));
                  }
                  Op::$br_imm { a, .. } => read(live, usize::from(a)),)*
                $(Op::$float { dst, a, b } => one_of_two(live, dst, a, b),)*
                Op::Const { dst, .. } | Op::FrameAddress { dst, .. } | Op::Input { dst, .. } => {
                    define(live, usize::from(dst));
                }
                Op::Move { dst, a } | Op::SignExtend { dst, a, .. } => one_of_one(live, dst, a),
                Op::Address { dst, base, index, .. } => one_of_two(live, dst, base, index),
                Op::Select { dst, condition, a, b } => {
                    one_of_two(live, dst, a, b);
                    read(live, usize::from(condition));
                }
                Op::SelectImm { dst, condition, a, .. } | Op::SelectRev { dst, condition, a, .. } => {
                    one_of_two(live, dst, condition, a);
                }
                Op::FloatCompare { dst, a, b, .. } => one_of_two(live, dst, a, b),
                Op::Jump { .. } | Op::Checkpoint | Op::LoopHead | Op::InterruptPoint => {}
                Op::Switch { a, table, .. } => {
                    read(live, usize::from(a));
                    if matches!(code.switches[table as usize], SwitchTable::Wide { .. }) {
                        read(live, usize::from(a) + 1);
                    }
                }
                // The callee reads its arguments where it leaves its results.
                Op::Call { function, .. } => {
                    let callee = code.functions[function as usize].as_ref();
                    let widths = callee.map_or(&[][..], |callee| &callee.param_bits);
                    let arguments = widths.iter().flat_map(|&bits| words(bits)).count();
                    let first = outgoing.start;
                    outgoing.for_each(|slot| define(live, slot));
                    (first..first + arguments).for_each(|slot| read(live, slot));
                }
                Op::CallIndirect { target, call, .. } => {
                    let arguments = usize::from(code.calls[call as usize].arg_slots);
                    let first = outgoing.start;
                    outgoing.for_each(|slot| define(live, slot));
                    (first..first + arguments).for_each(|slot| read(live, slot));
                    read(live, usize::from(target));
                }
                Op::Return { .. } => (0..results).for_each(|slot| read(live, slot)),
                Op::Slow { index } => rare(&code.slow[index as usize], live),
            }
        };
    }
    operation_table! { registers }
}

fn define(live: &mut [u64], slot: Slot, bits: u32) {
    for slot in usize::from(slot)..=usize::from(slot) + usize::from(Slow::is_wide(bits)) {
        live[slot / 64] &= !(1 << (slot % 64));
    }
}

fn read(live: &mut [u64], source: Source, bits: u32) {
    let Source::Slot(slot) = source else { return };
    for slot in usize::from(slot)..=usize::from(slot) + usize::from(Slow::is_wide(bits)) {
        live[slot / 64] |= 1 << (slot % 64);
    }
}

fn one_of_one(live: &mut [u64], dst: Slot, a: Slot) {
    define(live, dst, 64);
    read(live, Source::Slot(a), 64);
}

fn one_of_two(live: &mut [u64], dst: Slot, a: Slot, b: Slot) {
    one_of_one(live, dst, a);
    read(live, Source::Slot(b), 64);
}

/// The same for rare operations.
fn rare(operation: &Slow, live: &mut [u64]) {
    match operation {
        &Slow::IntBinary {
            op,
            bits,
            dst,
            a,
            b,
        } => {
            let narrow = op.result(brownout_ir::Type::Ptr) == brownout_ir::Type::BOOL;
            define(live, dst, if narrow { 1 } else { bits });
            [a, b]
                .into_iter()
                .for_each(|source| read(live, source, bits));
        }
        &Slow::IntUnary { bits, dst, a, .. } => {
            define(live, dst, bits);
            read(live, a, bits);
        }
        &Slow::IntTernary {
            bits, dst, a, b, c, ..
        } => {
            define(live, dst, bits);
            [a, b, c]
                .into_iter()
                .for_each(|source| read(live, source, bits));
        }
        &Slow::IntCompare {
            bits, dst, a, b, ..
        } => {
            define(live, dst, 1);
            [a, b]
                .into_iter()
                .for_each(|source| read(live, source, bits));
        }
        &Slow::FloatBinary {
            kind, dst, a, b, ..
        } => {
            define(live, dst, kind.bits());
            [a, b]
                .into_iter()
                .for_each(|source| read(live, source, kind.bits()));
        }
        &Slow::FloatUnary { kind, dst, a, .. } => {
            define(live, dst, kind.bits());
            read(live, a, kind.bits());
        }
        &Slow::FloatFma { kind, dst, a, b, c } => {
            define(live, dst, kind.bits());
            [a, b, c]
                .into_iter()
                .for_each(|source| read(live, source, kind.bits()));
        }
        &Slow::FloatCompare {
            kind, dst, a, b, ..
        } => {
            define(live, dst, 1);
            [a, b]
                .into_iter()
                .for_each(|source| read(live, source, kind.bits()));
        }
        &Slow::Cast {
            from_bits,
            to_bits,
            dst,
            a,
            ..
        } => {
            define(live, dst, to_bits);
            read(live, a, from_bits);
        }
        &Slow::WideSelect {
            dst,
            condition,
            a,
            b,
        } => {
            define(live, dst, 128);
            read(live, condition, 1);
            [a, b]
                .into_iter()
                .for_each(|source| read(live, source, 128));
        }
        &Slow::Load { bits, dst, address } => {
            define(live, dst, bits);
            read(live, address, 64);
        }
        &Slow::Store {
            bits,
            address,
            value,
        } => {
            read(live, address, 64);
            read(live, value, bits);
        }
        &Slow::Copy { to, from, length } => {
            [to, from, length]
                .into_iter()
                .for_each(|source| read(live, source, 64));
        }
        &Slow::Fill { to, byte, length } => {
            [to, byte, length]
                .into_iter()
                .for_each(|source| read(live, source, 64));
        }
        &Slow::StackAlloc { dst, size, .. } => {
            define(live, dst, 64);
            read(live, size, 64);
        }
        &Slow::StackSave { dst } => define(live, dst, 64),
        &Slow::StackRestore { pointer } => read(live, pointer, 64),
        Slow::Service { dst, args, .. } => {
            dst.iter().for_each(|&dst| define(live, dst, 64));
            args.iter().for_each(|&source| read(live, source, 64));
        }
        Slow::External { args, dst, .. } => {
            dst.iter()
                .for_each(|&(slot, bits)| define(live, slot, bits));
            args.iter()
                .for_each(|&(source, bits)| read(live, source, bits));
        }
        &Slow::Computed { address, .. } => read(live, address, 64),
        Slow::Unreachable => {}
    }
}
