//! Which interrupts a program for a Cortex-M enables in the interrupt controller (NVIC).
//!
//! A handler whose interrupt has a known number does not come if the program enables others, by constant numbers,
//! and never this one. Whatever is not understood lets it come: numbers that are computed, addresses of the
//! controller that are kept somewhere, functions without a body.

use std::collections::BTreeSet;
use std::ops::Range;

use brownout_ir::source::TypeKind;
use brownout_ir::{Body, Callee, IntBinary, Op, Operand, Origin, Program, Symbol};

use crate::vectors;

/// Functions that enable the interrupt with the number that they are given.
const ENABLING: [&str; 4] = [
    "NVIC_EnableIRQ",
    "__NVIC_EnableIRQ",
    "HAL_NVIC_EnableIRQ",
    "nvic_enable_irq",
];
/// Functions that compute where a bit of the enabling registers is, and only look at it.
const LOOKING: [&str; 2] = ["NVIC_GetEnableIRQ", "__NVIC_GetEnableIRQ"];
/// The registers of which each bit that is written as one enables an interrupt (ISER).
const SET_ENABLE: Range<u128> = 0xe000_e100..0xe000_e120;
/// The space of the processor's own registers, from which pointers to them may be computed.
const SYSTEM_SPACE: u128 = 0xe000_e000;
/// The first interrupt of a device in a table of vectors: before it are the processor's own exceptions.
const FIRST_OF_DEVICE: u64 = 16;

/// The numbers of the interrupts that the program enables. None if it enables none that is seen, or others may be
/// enabled that are not seen.
pub(crate) fn enabled(program: &Program) -> Option<BTreeSet<u64>> {
    let mut numbers = BTreeSet::new();
    for function in program.functions.values() {
        let name = function.name.as_str();
        let is_known = ENABLING.contains(&name) || LOOKING.contains(&name);
        if function.origin != Origin::User || is_known {
            continue;
        }
        if let Some(body) = &function.body {
            numbers.extend(enabled_by(program, body)?);
        }
    }
    let keeps_address = program.globals.values().any(|global| {
        global.init.as_ref().is_some_and(|init| {
            let mut words = init.bytes.chunks_exact(4);
            let mut symbols = init.relocations.iter().map(|relocation| relocation.symbol);
            words.any(|word| {
                is_controller(
                    word.iter()
                        .rev()
                        .fold(0, |sum, &byte| sum << 8 | u128::from(byte)),
                )
            }) || symbols.any(|symbol| match symbol {
                Symbol::Func(func) => is_enabling(program, func),
                _ => false,
            })
        })
    });
    (!keeps_address && !numbers.is_empty()).then_some(numbers)
}

/// The numbers that the code of a function enables, unless it is not clear which these are.
fn enabled_by(program: &Program, body: &Body) -> Option<BTreeSet<u64>> {
    let mut numbers = BTreeSet::new();
    let mut is_clear = true;
    for block in body.blocks.values() {
        for inst in &block.insts {
            match &inst.op {
                Op::Call {
                    callee: Callee::Direct(callee),
                    args,
                    ..
                } if is_enabling(program, *callee) => match args.first() {
                    Some(&Operand::Bits(number)) => {
                        numbers.extend(u64::try_from(number).ok());
                    }
                    _ => return None,
                },
                Op::Load {
                    address: Operand::Bits(_),
                    ..
                } => {}
                Op::Store {
                    address: Operand::Bits(address),
                    value,
                    ..
                } if SET_ENABLE.contains(address) => {
                    let bits = written(body, *value)?;
                    let first = 8 * (address - SET_ENABLE.start) as u64;
                    let set = (0..32).filter(|bit| bits >> bit & 1 != 0);
                    numbers.extend(set.map(|bit| first + bit));
                }
                op => op.visit_operands(&program.target, |operand, _| {
                    is_clear &= !is_mentioned(program, operand);
                }),
            }
        }
        block.terminator.visit_operands(|operand| {
            is_clear &= !is_mentioned(program, operand);
        });
    }
    is_clear.then_some(numbers)
}

/// The bits that are written as one: a constant, or one beside what the register held, which is enabled already.
fn written(body: &Body, value: Operand) -> Option<u128> {
    let made_by = |value: Operand| {
        let value = value.value()?;
        let mut insts = body.blocks.values().flat_map(|block| &block.insts);
        insts.find(|inst| inst.results.contains(&value))
    };
    let is_held = |value: Operand| {
        let op = made_by(value).map(|inst| &inst.op);
        matches!(op, Some(Op::Load { address: Operand::Bits(address), .. }) if SET_ENABLE.contains(address))
    };
    match (value, made_by(value).map(|inst| &inst.op)) {
        (Operand::Bits(bits), _) => Some(bits),
        (
            _,
            Some(&Op::IntBinary {
                op: IntBinary::Or,
                a,
                b,
                ..
            }),
        ) => match (a, b) {
            (held, Operand::Bits(bits)) | (Operand::Bits(bits), held) if is_held(held) => {
                Some(bits)
            }
            _ => None,
        },
        _ => None,
    }
}

/// Whether an operand is an address of the controller, or a function that enables interrupts.
fn is_mentioned(program: &Program, operand: Operand) -> bool {
    match operand {
        Operand::Bits(bits) => is_controller(bits),
        Operand::Func(func) => is_enabling(program, func),
        _ => false,
    }
}

fn is_controller(number: u128) -> bool {
    SET_ENABLE.contains(&number) || number == SYSTEM_SPACE
}

fn is_enabling(program: &Program, func: brownout_ir::Func) -> bool {
    ENABLING.contains(&program.functions[func].name.as_str())
}

/// The number of the interrupt that a handler is for: by its entry in a table of vectors, or by the name that CMSIS
/// gives the number (`TIM2_IRQHandler` handles `TIM2_IRQn`). None if that is not known, or there are several.
pub(crate) fn number(program: &Program, handler: &str) -> Option<u64> {
    let entries = vectors::entries(program);
    let entries = entries.filter(|&(_, name)| name == handler);
    let listed: BTreeSet<u64> = entries
        .filter_map(|(entry, _)| entry.checked_sub(FIRST_OF_DEVICE))
        .collect();
    let stem = handler.strip_suffix("_IRQHandler");
    let stem = stem.or_else(|| handler.strip_suffix("_Handler"));
    let named = stem.into_iter().flat_map(|stem| {
        let wanted = format!("{stem}_IRQn");
        let types = program.source.types.values();
        let names = types.flat_map(|ty| match &ty.kind {
            TypeKind::Enum(names) => names.as_slice(),
            _ => &[],
        });
        let numbers = names.filter(move |(name, _)| *name == wanted);
        numbers.filter_map(|&(_, number)| u64::try_from(number).ok())
    });
    let all: BTreeSet<u64> = listed.into_iter().chain(named).collect();
    match all.first() {
        Some(&number) if all.len() == 1 => Some(number),
        _ => None,
    }
}
