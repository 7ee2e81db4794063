//! Windows: memory at addresses that the program names by their numbers, where devices have their
//! registers.
//!
//! A number is an address if it is used as one. Drivers also pass the address of their device along,
//! as a pointer or as a number that an offset is added to; so in a program that accesses volatile
//! memory through pointers, numbers that may be such addresses count as well. What lies nowhere else
//! is still an error: a program without such accesses has windows only where it says so itself.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use brownout_ir::{Body, Function, Inst, Op, Operand, Origin, Program, Type, Value};

use crate::layout::{LARGE_BASE, SMALL_BASE};

/// What a target's addresses are like.
struct Addresses {
    page: u64,
    /// Nothing lies below.
    null: u64,
    /// Where a number that is passed along may be an address of a device. Programs of computers with
    /// an operating system have none.
    devices: Range<u64>,
    /// Where the memory of the program may be.
    memory: Range<u64>,
    bits: u32,
}

impl Addresses {
    fn of(program: &Program) -> Self {
        match program.target.pointer_bits {
            // The registers of 16-bit microcontrollers lie below all memory.
            16 => Self {
                page: 0x100,
                null: 16,
                devices: 16..0x1000,
                memory: SMALL_BASE..0x1_0000,
                bits: 16,
            },
            bits => Self {
                page: 0x1000,
                null: 0x1000,
                devices: match program.target.name.as_str() {
                    "x86_64" | "i386" => 0..0,
                    _ => 0x1_0000..1 << 32,
                },
                memory: LARGE_BASE..LARGE_BASE + 0x1000_0000,
                bits: u32::from(bits),
            },
        }
    }

    /// Whether a constant is an address, and not a mark that no address is like.
    fn is_address(&self, number: u64) -> bool {
        let end = 1u64.checked_shl(self.bits).unwrap_or(u64::MAX);
        number < end.saturating_sub(self.page)
    }

    /// Whether something is there that is no memory.
    fn is_device(&self, number: u64) -> bool {
        number >= self.null && self.is_address(number) && !self.memory.contains(&number)
    }
}

/// No program has more devices than this many pages of numbers that may be their addresses.
const PAGES: usize = 1 << 12;

/// Pages around the fixed addresses that the program has and those of registers, sorted, without
/// those of the main range.
pub(crate) fn windows(program: &Program, registers: &[u64], main: Range<u64>) -> Vec<Range<u64>> {
    let target = Addresses::of(program);
    let Addresses { page, null, .. } = target;
    let pages_of = |address: u64| {
        // The widest access may reach into the next page.
        [address, address.saturating_add(15)].map(|address| address / page * page)
    };
    let is_outside = |&address: &u64| {
        address >= null && !main.contains(&address) && address <= u64::MAX - 2 * page
    };
    let named = registers.iter().copied().chain(constants(program, &target));
    let mut pages: BTreeSet<u64> = named.filter(is_outside).flat_map(pages_of).collect();
    if has_devices(program) {
        let guessed = guesses(program, &target).into_iter().filter(is_outside);
        let guessed: BTreeSet<u64> = guessed.flat_map(pages_of).collect();
        pages.extend(guessed.into_iter().take(PAGES));
    }
    let mut ranges: Vec<Range<u64>> = Vec::new();
    for start in pages {
        // Pages that touch become one; what belongs to the main range stays there.
        let below = start.max(null)..(start + page).min(main.start);
        let above = start.max(main.end)..start + page;
        for range in [below, above].into_iter().filter(|range| !range.is_empty()) {
            match ranges.last_mut() {
                Some(last) if range.start == last.end => last.end = range.end,
                _ => ranges.push(range),
            }
        }
    }
    ranges
}

/// Numbers that the program may pass along as addresses, outside of where memory is. Sorted.
pub fn passed_addresses(program: &Program) -> Vec<u64> {
    let target = Addresses::of(program);
    let mut found = constants(program, &target);
    if has_devices(program) {
        found.extend(guesses(program, &target));
    }
    found.retain(|&address| target.is_device(address));
    found.sort_unstable();
    found.dedup();
    found
}

/// Addresses of device registers that the user's code names by their numbers: those of volatile
/// accesses, outside of where memory is. Sorted.
pub fn device_addresses(program: &Program) -> Vec<u64> {
    let target = Addresses::of(program);
    let accessed = own_bodies(program).flat_map(volatile_accesses);
    let outside = accessed.filter_map(number);
    let addresses: BTreeSet<u64> = outside
        .filter(|&address| target.is_device(address))
        .collect();
    addresses.into_iter().collect()
}

/// Whether a number can be the address of a device register: memory is elsewhere.
pub fn is_device_address(program: &Program, address: u64) -> bool {
    Addresses::of(program).is_device(address)
}

fn bodies(program: &Program) -> impl Iterator<Item = (&Function, &Body)> {
    let functions = program.functions.values();
    functions.filter_map(|function| Some((function, function.body.as_ref()?)))
}

/// Those of the user.
fn own_bodies(program: &Program) -> impl Iterator<Item = &Body> {
    let own = bodies(program).filter(|(function, _)| function.origin == Origin::User);
    own.map(|(_, body)| body)
}

fn insts(body: &Body) -> impl Iterator<Item = &Inst> {
    body.blocks.values().flat_map(|block| &block.insts)
}

/// The addresses of volatile accesses.
fn volatile_accesses(body: &Body) -> impl Iterator<Item = Operand> {
    insts(body).filter_map(Inst::volatile_address)
}

fn number(operand: Operand) -> Option<u64> {
    match operand {
        Operand::Bits(bits) => u64::try_from(bits).ok(),
        _ => None,
    }
}

/// Constants that are accessed, and those that have the type of an address.
fn constants(program: &Program, target: &Addresses) -> Vec<u64> {
    let mut found = Vec::new();
    for (_, body) in bodies(program) {
        for block in body.blocks.values() {
            for inst in &block.insts {
                let accessed = match inst.op {
                    Op::Load { address, .. } | Op::Store { address, .. } => vec![address],
                    Op::Address { base, .. } => vec![base],
                    Op::Copy { to, from, .. } => vec![to, from],
                    Op::Fill { to, .. } => vec![to],
                    // What is only compared is never accessed.
                    Op::IntCompare { .. } => continue,
                    _ => vec![],
                };
                found.extend(accessed.into_iter().filter_map(number));
                inst.op.visit_operands(&program.target, |operand, ty| {
                    let address = number(operand).filter(|&number| target.is_address(number));
                    found.extend(address.filter(|_| ty == Type::Ptr));
                });
            }
            for edge in block.terminator.edges() {
                let params = &body.blocks[edge.block].params;
                for (&param, &arg) in params.iter().zip(&edge.args) {
                    let address = number(arg).filter(|&number| target.is_address(number));
                    found.extend(address.filter(|_| body.values[param] == Type::Ptr));
                }
            }
        }
    }
    found
}

/// Whether the user's code accesses volatile memory through a pointer from elsewhere.
fn has_devices(program: &Program) -> bool {
    own_bodies(program).any(|body| {
        if volatile_accesses(body).next().is_none() {
            return false;
        }
        let bases: BTreeMap<Value, Operand> = insts(body)
            .filter_map(|inst| match inst.op {
                Op::Address { base, .. } => Some((*inst.results.first()?, base)),
                _ => None,
            })
            .collect();
        volatile_accesses(body).any(|mut at| {
            // Code that is never reached may go round in circles.
            for _ in 0..bases.len() {
                match at.value().and_then(|value| bases.get(&value)) {
                    Some(&base) => at = base,
                    None => break,
                }
            }
            at.value().is_some()
        })
    })
}

/// Numbers that may be addresses of devices.
fn guesses(program: &Program, target: &Addresses) -> Vec<u64> {
    if target.bits == 16 {
        return target
            .devices
            .clone()
            .step_by(target.page as usize)
            .collect();
    }
    let mut found = Vec::new();
    let mut add = |number: u64| {
        if target.devices.contains(&number) && number.is_multiple_of(4) {
            found.push(number);
        }
    };
    for body in own_bodies(program) {
        for block in body.blocks.values() {
            for inst in &block.insts {
                inst.op.visit_operands(&program.target, |operand, _| {
                    number(operand).into_iter().for_each(&mut add);
                });
            }
            block.terminator.visit_operands(|operand| {
                number(operand).into_iter().for_each(&mut add);
            });
        }
    }
    let globals = program.globals.values();
    let initialised = globals
        .filter(|global| global.origin == Origin::User)
        .filter_map(|global| global.init.as_ref());
    for init in initialised {
        for word in init.bytes.chunks_exact(4) {
            let word = word.iter().rev();
            add(word.fold(0, |number, &byte| number << 8 | u64::from(byte)));
        }
    }
    found
}
