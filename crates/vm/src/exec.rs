//! The interpreter: one loop over decoded operations.
//!
//! The hot state (program counter, register window, memory) lives in locals;
//! everything rare goes through [`Machine::slow`] with the state written back.
//!
//! # Safety
//! Register slots, jump targets and table indices are trusted: `compile`
//! guarantees them (see [`crate::code`]), and `enter` makes room for a window
//! and its outgoing arguments before it is used. Every memory access is checked
//! against the layout; memory has [`crate::machine::SLACK`] bytes behind its
//! end, so a checked start makes eight bytes safe.

use brownout_ir::{Func, Id, eval};

use crate::code::{Op, immediate, operation_table};
use crate::exit::Exit;
use crate::fault::{Access, Fault};
use crate::interrupts::RETURN_TOKEN;
use crate::machine::{Frame, Machine};
use crate::observer::{Arrival, Moment, Observer};
use crate::slow::Next;

/// Bytes of the widest access that the loop makes itself.
const WIDEST: u64 = 8;

/// Runs until something stops it. Without `FINE`, time is compared with `limit`
/// only where it is counted; with it, before every operation. With `ONE`, one
/// operation is executed, whatever the time.
pub(crate) fn run<O: Observer, const FINE: bool, const ONE: bool>(
    machine: &mut Machine<'_>,
    observer: &mut O,
    limit: u64,
) -> Exit {
    let image = machine.image;
    let code = &image.code;
    let ops = code.ops.as_slice();
    let base = image.layout.base;
    let address_mask = image.layout.address_mask();
    // One comparison serves reads below the heap, another writes behind the constants. What starts
    // so close to the end of the stack that it may run over it is looked at more closely.
    let constants_end = u64::from(image.layout.constants_end);
    let readable = u64::from(image.layout.stack.end).saturating_sub(WIDEST - 1);
    let writable_from = base + constants_end;
    let writable = readable.saturating_sub(constants_end);

    let Some(mut current) = machine.current_function() else {
        return Exit::Faulted(Fault::Unreachable);
    };
    let mut pc = machine.processor.pc as usize;
    let mut is_done = false;
    let mut time = machine.time;
    let mut fp = machine.processor.fp;
    let mut registers = machine
        .processor
        .registers
        .as_mut_ptr()
        .wrapping_add(machine.processor.window as usize);
    let mut memory = machine.memory.as_mut_ptr();

    macro_rules! get {
        ($slot:expr) => {
            // SAFETY: see the module's documentation.
            unsafe { *registers.add($slot as usize) }
        };
    }
    macro_rules! set {
        ($slot:expr, $value:expr) => {{
            let value: u64 = $value;
            // SAFETY: see the module's documentation.
            unsafe { *registers.add($slot as usize) = value }
        }};
    }
    // Writes the hot state back, and reads it again.
    macro_rules! leave {
        () => {
            machine.processor.pc = pc as u32;
            machine.processor.fp = fp;
            machine.time = time;
        };
    }
    macro_rules! come_back {
        () => {
            pc = machine.processor.pc as usize;
            fp = machine.processor.fp;
            time = machine.time;
            registers = machine
                .processor
                .registers
                .as_mut_ptr()
                .wrapping_add(machine.processor.window as usize);
            memory = machine.memory.as_mut_ptr();
        };
    }
    macro_rules! fault {
        ($fault:expr) => {{
            let fault = $fault;
            leave!();
            return Exit::Faulted(fault);
        }};
    }
    macro_rules! moment {
        () => {
            Moment {
                // SAFETY: there is one for every operation.
                time: time + u64::from(unsafe { *code.ticks.get_unchecked(pc) }),
                pc: pc as u32,
            }
        };
    }
    macro_rules! count {
        ($cost:expr) => {
            time += u64::from($cost);
            if !FINE && time >= limit {
                leave!();
                return Exit::Limit;
            }
        };
    }
    macro_rules! address {
        (Base, $at:ident) => {
            get!($at.base).wrapping_add($at.offset as i32 as u64) & address_mask
        };
        (Indexed, $at:ident) => {
            get!($at.base)
                .wrapping_add(get!($at.index).wrapping_mul(u64::from($at.scale)))
                .wrapping_add($at.offset as i32 as u64)
                & address_mask
        };
        (Absolute, $at:ident) => {
            u64::from($at.offset)
        };
        (AbsoluteIndexed, $at:ident) => {
            u64::from($at.offset).wrapping_add(get!($at.index).wrapping_mul(u64::from($at.scale)))
                & address_mask
        };
        (Frame, $at:ident) => {
            fp.wrapping_add($at.offset as i32 as u64) & address_mask
        };
        (FrameIndexed, $at:ident) => {
            fp.wrapping_add($at.offset as i32 as u64)
                .wrapping_add(get!($at.index).wrapping_mul(u64::from($at.scale)))
                & address_mask
        };
    }
    // The number of a register.
    macro_rules! register {
        ($slot:expr) => {
            machine.processor.window + u32::from($slot)
        };
    }
    macro_rules! derive {
        ($dst:expr; $($source:expr),*) => {
            if observer.flow() {
                observer.derive(register!($dst), &[$(register!($source)),*]);
            }
        };
    }
    macro_rules! decide {
        ($($source:expr),*) => {
            if observer.flow() {
                observer.decide(moment!(), &[$(register!($source)),*]);
            }
        };
    }
    // The registers that an address is made of.
    macro_rules! parts {
        (Base, $at:ident) => {
            &[register!($at.base)]
        };
        (Indexed, $at:ident) => {
            &[register!($at.base), register!($at.index)]
        };
        (Absolute, $at:ident) => {
            &[]
        };
        (AbsoluteIndexed, $at:ident) => {
            &[register!($at.index)]
        };
        (Frame, $at:ident) => {
            &[]
        };
        (FrameIndexed, $at:ident) => {
            &[register!($at.index)]
        };
    }
    macro_rules! load {
        ($ty:ty, $address:expr) => {
            load!($ty, $address, |_offset| {})
        };
        ($ty:ty, $address:expr, |$found:ident| $flow:expr) => {{
            let address: u64 = $address;
            let mut offset = address.wrapping_sub(base);
            if offset >= readable {
                leave!();
                match machine.read_slowly(address, size_of::<$ty>() as u32, moment!(), observer) {
                    Ok(resolved) => offset = resolved.into(),
                    Err(fault) => return Exit::of(fault),
                }
                memory = machine.memory.as_mut_ptr();
            }
            if observer.accesses() {
                // SAFETY: the offset was checked, and nobody writes meanwhile.
                let bytes =
                    unsafe { &*memory.add(offset as usize).cast::<[u8; size_of::<$ty>()]>() };
                observer.load(moment!(), offset as u32, bytes);
            }
            if observer.flow() {
                let $found = offset as u32;
                $flow;
            }
            // SAFETY: the offset was checked.
            unsafe { memory.add(offset as usize).cast::<$ty>().read_unaligned() }
        }};
    }
    macro_rules! store {
        ($ty:ty, $address:expr, $value:expr) => {
            store!($ty, $address, $value, None, &[])
        };
        ($ty:ty, $address:expr, $value:expr, $from:expr, $parts:expr) => {{
            let address: u64 = $address;
            let value: $ty = $value;
            let size = size_of::<$ty>() as u32;
            let mut before: $ty = 0;
            let mut offset = address.wrapping_sub(writable_from);
            if offset < writable {
                offset += constants_end;
            } else {
                leave!();
                match machine.resolve(address, size, Access::Write) {
                    Ok(resolved) => offset = resolved.into(),
                    Err(fault) => return Exit::Faulted(fault),
                }
                // SAFETY: the offset was checked.
                before = unsafe { memory.add(offset as usize).cast::<$ty>().read_unaligned() };
            }
            if observer.accesses() {
                observer.store(
                    moment!(),
                    &machine.memory,
                    offset as u32,
                    &value.to_le_bytes(),
                );
            }
            if machine.journaling {
                machine.journal.record(&machine.memory, offset as u32, size);
                memory = machine.memory.as_mut_ptr();
            }
            // SAFETY: the offset was checked.
            unsafe {
                memory
                    .add(offset as usize)
                    .cast::<$ty>()
                    .write_unaligned(value)
            }
            if observer.flow() {
                observer.stored(moment!(), $from, offset as u32, size, $parts);
            }
            if offset >= readable {
                leave!();
                let before = u64::from(before);
                let moment = moment!();
                match machine.wrote_slowly(
                    offset as u32,
                    before,
                    u64::from(value),
                    moment,
                    observer,
                ) {
                    Ok(()) => time = machine.time,
                    Err(fault) => return Exit::Faulted(fault),
                }
            }
        }};
    }
    // A word of the stack: return addresses and saved frame pointers.
    macro_rules! store_word {
        ($address:expr, $value:expr) => {
            match address_mask {
                0xffff => store!(u16, $address, $value as u16),
                0xffff_ffff => store!(u32, $address, $value as u32),
                _ => store!(u64, $address, $value),
            }
        };
    }
    macro_rules! load_word {
        ($address:expr) => {
            match address_mask {
                0xffff => u64::from(load!(u16, $address)),
                0xffff_ffff => u64::from(load!(u32, $address)),
                _ => load!(u64, $address),
            }
        };
    }
    macro_rules! enter {
        ($index:expr, $site:expr) => {{
            let index: usize = $index as usize;
            let Some(callee) = &code.functions[index] else {
                fault!(Fault::Unreachable)
            };
            let word = u64::from(image.layout.pointer_bits / 8);
            let caller_sp = machine.processor.sp;
            let frame_pointer =
                caller_sp.wrapping_sub(2 * word) & !u64::from(callee.frame_align - 1);
            let sp = frame_pointer.wrapping_sub(callee.frame_bytes.into());
            if sp < base + u64::from(image.layout.stack.start) || sp > caller_sp {
                fault!(Fault::StackOverflow);
            }
            let token = (u64::from($site) * 2 + 2) & address_mask;
            store_word!(frame_pointer + word, token);
            store_word!(frame_pointer, fp);
            let caller_window = machine.processor.window;
            let window = caller_window + current.window;
            machine.processor.frames.push(Frame {
                function: index as u32,
                caller_window,
                return_to: code.sites[$site as usize],
                caller_sp,
                frame_pointer,
                token,
            });
            machine.make_room(window, callee);
            machine.processor.window = window;
            machine.processor.sp = sp;
            machine.deepest = machine.deepest.min(sp);
            registers = machine
                .processor
                .registers
                .as_mut_ptr()
                .wrapping_add(window as usize);
            fp = frame_pointer;
            observer.call(
                moment!(),
                Func::from_index(index),
                (frame_pointer - base) as u32,
            );
            pc = callee.entry as usize;
            current = callee;
        }};
    }

    macro_rules! dispatch {
        (
            sized: [$(($sop:ident, $sbits:literal, $sized:ident, $sized_imm:ident, $sized_rev:ident))*]
            plain: [$(($pop:ident, $plain:ident, $plain_imm:ident))*]
            loads: [$(($load:ident, $lty:ident, $lmode:ident))*]
            stores: [$(($store:ident, $sty:ident, $smode:ident))*]
            compares: [$(($cop:ident, $cbits:literal, $cmp:ident, $cmp_imm:ident, $br:ident, $br_imm:ident))*]
            floats: [$(($fop:ident, $fkind:ident, $float:ident))*]
        ) => {
            loop {
                if ONE && std::mem::replace(&mut is_done, true) {
                    leave!();
                    return Exit::Limit;
                }
                if FINE && time + u64::from(code.ticks[pc].saturating_sub(1)) >= limit {
                    leave!();
                    return Exit::Limit;
                }
                if observer.flow() {
                    observer.execute(pc as u32);
                }
                // SAFETY: jump targets are operations, and every function ends with a terminator.
                let op = unsafe { ops.get_unchecked(pc) };
                match *op {
                    $(Op::$sized { dst, a, b } => {
                        match eval::narrow::binary(brownout_ir::IntBinary::$sop, $sbits, get!(a), get!(b)) {
                            Ok(value) => set!(dst, value),
                            Err(eval::DivisionByZero) => fault!(Fault::DivisionByZero),
                        }
                        derive!(dst; a, b);
                        pc += 1;
                    }
                    Op::$sized_imm { dst, a, imm } => {
                        match eval::narrow::binary(brownout_ir::IntBinary::$sop, $sbits, get!(a), imm) {
                            Ok(value) => set!(dst, value),
                            Err(eval::DivisionByZero) => fault!(Fault::DivisionByZero),
                        }
                        derive!(dst; a);
                        pc += 1;
                    }
                    Op::$sized_rev { dst, a, imm } => {
                        match eval::narrow::binary(brownout_ir::IntBinary::$sop, $sbits, imm, get!(a)) {
                            Ok(value) => set!(dst, value),
                            Err(eval::DivisionByZero) => fault!(Fault::DivisionByZero),
                        }
                        derive!(dst; a);
                        pc += 1;
                    })*
                    $(Op::$plain { dst, a, b } => {
                        if let Ok(value) = eval::narrow::binary(brownout_ir::IntBinary::$pop, 64, get!(a), get!(b)) {
                            set!(dst, value);
                        }
                        derive!(dst; a, b);
                        pc += 1;
                    }
                    Op::$plain_imm { dst, a, imm } => {
                        if let Ok(value) = eval::narrow::binary(brownout_ir::IntBinary::$pop, 64, get!(a), imm) {
                            set!(dst, value);
                        }
                        derive!(dst; a);
                        pc += 1;
                    })*
                    $(Op::$load { dst, at } => {
                        let value = u64::from(load!($lty, address!($lmode, at), |offset| {
                            let size = size_of::<$lty>() as u32;
                            observer.loaded(moment!(), register!(dst), offset, size, parts!($lmode, at))
                        }));
                        set!(dst, value);
                        pc += 1;
                    })*
                    $(Op::$store { src, at } => {
                        store!(
                            $sty, address!($smode, at), get!(src) as $sty,
                            Some(register!(src)), parts!($smode, at)
                        );
                        pc += 1;
                    })*
                    $(Op::$cmp { dst, a, b } => {
                        let holds = eval::narrow::compare(brownout_ir::IntPredicate::$cop, $cbits, get!(a), get!(b));
                        set!(dst, u64::from(holds));
                        derive!(dst; a, b);
                        pc += 1;
                    }
                    Op::$cmp_imm { dst, a, imm } => {
                        let holds = eval::narrow::compare(brownout_ir::IntPredicate::$cop, $cbits, get!(a), imm);
                        set!(dst, u64::from(holds));
                        derive!(dst; a);
                        pc += 1;
                    }
                    Op::$br { a, b, then, cost } => {
                        let holds = eval::narrow::compare(brownout_ir::IntPredicate::$cop, $cbits, get!(a), get!(b));
                        decide!(a, b);
                        pc = if holds { then as usize } else { pc + 1 };
                        count!(cost);
                    }
                    Op::$br_imm { a, imm, then, cost } => {
                        let imm = immediate(brownout_ir::IntPredicate::$cop, $cbits, imm);
                        let holds = eval::narrow::compare(brownout_ir::IntPredicate::$cop, $cbits, get!(a), imm);
                        decide!(a);
                        pc = if holds { then as usize } else { pc + 1 };
                        count!(cost);
                    })*
                    $(Op::$float { dst, a, b } => {
                        let value = eval::float_binary(
                            brownout_ir::FloatBinary::$fop, brownout_ir::FloatKind::$fkind,
                            get!(a).into(), get!(b).into(),
                        );
                        set!(dst, value as u64);
                        derive!(dst; a, b);
                        pc += 1;
                    })*
                    Op::Const { dst, imm } => {
                        set!(dst, imm);
                        derive!(dst;);
                        pc += 1;
                    }
                    Op::Move { dst, a } => {
                        set!(dst, get!(a));
                        derive!(dst; a);
                        pc += 1;
                    }
                    Op::FrameAddress { dst, offset } => {
                        set!(dst, fp.wrapping_add(offset as u64) & address_mask);
                        derive!(dst;);
                        pc += 1;
                    }
                    Op::Address { dst, base, index, offset, scale } => {
                        let scaled = get!(index).wrapping_mul(scale as u64);
                        set!(dst, get!(base).wrapping_add(scaled).wrapping_add(offset as u64) & address_mask);
                        derive!(dst; base, index);
                        pc += 1;
                    }
                    Op::SignExtend { dst, a, shift, mask } => {
                        set!(dst, (((get!(a) << shift) as i64) >> shift) as u64 & mask);
                        derive!(dst; a);
                        pc += 1;
                    }
                    Op::Select { dst, condition, a, b } => {
                        derive!(dst; condition, if get!(condition) != 0 { a } else { b });
                        set!(dst, if get!(condition) != 0 { get!(a) } else { get!(b) });
                        pc += 1;
                    }
                    Op::SelectImm { dst, condition, a, imm } => {
                        derive!(dst; condition, if get!(condition) != 0 { a } else { condition });
                        set!(dst, if get!(condition) != 0 { get!(a) } else { imm });
                        pc += 1;
                    }
                    Op::SelectRev { dst, condition, a, imm } => {
                        derive!(dst; condition, if get!(condition) != 0 { condition } else { a });
                        set!(dst, if get!(condition) != 0 { imm } else { get!(a) });
                        pc += 1;
                    }
                    Op::FloatCompare { dst, a, b, op, kind } => {
                        let holds = eval::float_compare(op, kind, get!(a).into(), get!(b).into());
                        set!(dst, u64::from(holds));
                        derive!(dst; a, b);
                        pc += 1;
                    }
                    Op::Jump { then, cost } => {
                        pc = then as usize;
                        count!(cost);
                    }
                    Op::Switch { a, table, cost } => {
                        decide!(a);
                        pc = code.switches[table as usize].target(get!(a), || get!(a + 1)) as usize;
                        count!(cost);
                    }
                    Op::Call { function, site, cost } => {
                        enter!(function, site);
                        count!(cost);
                    }
                    Op::CallIndirect { target, call, site, cost } => {
                        let address = get!(target);
                        decide!(target);
                        let call = &code.calls[call as usize];
                        let Some(func) = image.layout.function_at(address) else {
                            fault!(Fault::WildCall { address })
                        };
                        match &code.functions[func.index()] {
                            Some(callee) => {
                                if callee.signature != call.signature {
                                    // Old-style calls pass what they like.
                                    if let Some(fault) = machine.misfit(func, call) { fault!(fault) }
                                    machine.fit_arguments(current.window, call.arg_slots, &callee.param_bits);
                                }
                                enter!(func.index(), site);
                                count!(cost);
                            }
                            None => {
                                leave!();
                                match machine.call_external_indirectly(func, call, current.window, observer) {
                                    Ok(next) => {
                                        machine.processor.pc = code.sites[site as usize];
                                        machine.time += u64::from(cost);
                                        come_back!();
                                        if let Next::Pause = next {
                                            return Exit::Paused;
                                        }
                                        count!(0u32);
                                    }
                                    Err(fault) => return Exit::of(fault),
                                }
                            }
                        }
                    }
                    Op::Return { cost } => {
                        let word = u64::from(image.layout.pointer_bits / 8);
                        let found = load_word!(fp.wrapping_add(word) & address_mask);
                        let saved = load_word!(fp);
                        let Some(frame) = machine.processor.frames.pop() else { fault!(Fault::Unreachable) };
                        if found != frame.token {
                            machine.processor.frames.push(frame);
                            fault!(Fault::WildReturn { found });
                        }
                        observer.ret(moment!(), Func::from_index(frame.function as usize));
                        // SAFETY: the caller's outgoing area starts where this window does:
                        // results are already where the caller expects them.
                        machine.processor.window = frame.caller_window;
                        machine.processor.sp = frame.caller_sp;
                        registers = machine.processor.registers.as_mut_ptr().wrapping_add(frame.caller_window as usize);
                        fp = saved;
                        pc = frame.return_to as usize;
                        let Some(function) = machine.current_function() else { fault!(Fault::Unreachable) };
                        current = function;
                        time += u64::from(cost);
                        if frame.token == RETURN_TOKEN {
                            // In the middle of a stretch of code, of which some was executed before.
                            time -= machine.interrupted_ticks(frame.return_to);
                        }
                        count!(0u32);
                    }
                    Op::Checkpoint => {
                        let next = observer.checkpoint(moment!(), &[]);
                        pc += 1;
                        if next.is_break() {
                            leave!();
                            return Exit::Paused;
                        }
                    }
                    Op::LoopHead => {
                        let next = observer.loop_head(moment!());
                        pc += 1;
                        if next.is_break() {
                            leave!();
                            return Exit::Paused;
                        }
                    }
                    Op::InterruptPoint => {
                        leave!();
                        match machine.interrupt(observer) {
                            Ok(false) => pc += 1,
                            Ok(true) => {
                                come_back!();
                                let Some(function) = machine.current_function() else { fault!(Fault::Unreachable) };
                                current = function;
                                count!(0u32);
                            }
                            Err(fault) => return Exit::of(fault),
                        }
                    }
                    Op::Input { dst, bits, input } => {
                        let bits = u32::from(bits);
                        let read = match observer.answer(moment!(), input, bits) {
                            Some(value) => Ok(machine.count_reading(input, bits, value)),
                            None => machine.read_input(input, bits, moment!()),
                        };
                        match read {
                            Ok(value) => set!(dst, value),
                            Err(fault) => { leave!(); return Exit::of(fault) }
                        }
                        observer.input(moment!(), input, get!(dst));
                        observer.arrive(moment!(), input, Arrival::Register(register!(dst)));
                        pc += 1;
                    }
                    Op::Slow { index } => {
                        leave!();
                        match machine.slow(index, observer) {
                            Ok(Next::Operation) => machine.processor.pc += 1,
                            Ok(Next::Jump(to)) => machine.processor.pc = to,
                            Ok(Next::Pause) => {
                                machine.processor.pc += 1;
                                return Exit::Paused;
                            }
                            Ok(Next::Exit(status)) => return Exit::Exited(status),
                            Err(fault) => return Exit::of(fault),
                        }
                        come_back!();
                        let Some(function) = machine.current_function() else { fault!(Fault::Unreachable) };
                        current = function;
                        count!(0u32);
                    }
                }
            }
        };
    }
    operation_table! { dispatch }
}
