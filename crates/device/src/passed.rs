//! What the calls of a program pass to functions, as far as that shows how much these may fill.

use brownout_ir::prototype::{self, PointeeKind};
use brownout_ir::source::TypeId;
use brownout_ir::{Callee, Func, Op, Operand, Origin, Program};
use brownout_scenario::{ArgumentExpression, Buffer, Extent, Fill, Input, Scenario};

/// A variable whose address is passed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Passed {
    /// How large it is.
    pub bytes: u64,
    /// What it is made of, if that is numbers.
    numbers: Option<PointeeKind>,
    /// Whether it is made of something else.
    has_pointers: bool,
}

/// The smallest variable whose address is given to a function as one of its arguments, if that is known of
/// any call.
pub fn least(program: &Program, func: Func, argument: usize) -> Option<Passed> {
    let all = variables(program, func, argument).into_iter();
    let (bytes, ty) = all.min_by_key(|(bytes, _)| *bytes)?;
    let numbers = ty.and_then(|ty| prototype::numbers_of(program, ty));
    Some(Passed {
        bytes,
        numbers,
        has_pointers: ty.is_some() && numbers.is_none(),
    })
}

/// How large the largest one is.
pub fn most_bytes(program: &Program, func: Func, argument: usize) -> Option<u64> {
    let all = variables(program, func, argument).into_iter();
    all.map(|(bytes, _)| bytes).max()
}

/// The variables whose addresses calls give to a function as one of its arguments: their sizes and types.
fn variables(program: &Program, func: Func, argument: usize) -> Vec<(u64, Option<TypeId>)> {
    let users = program.functions.values();
    let users = users.filter(|function| function.origin == Origin::User);
    let mut found: Vec<(u64, Option<TypeId>)> = Vec::new();
    for body in users.filter_map(|function| function.body.as_ref()) {
        let insts = body.blocks.values().flat_map(|block| &block.insts);
        for inst in insts {
            let Op::Call {
                callee: Callee::Direct(callee),
                args,
                ..
            } = &inst.op
            else {
                continue;
            };
            if *callee != func {
                continue;
            }
            found.extend(match args.get(argument) {
                Some(Operand::Slot(slot, 0)) => {
                    let slot = body.slots.get(*slot);
                    slot.map(|slot| (slot.size.into(), slot.ty))
                }
                Some(Operand::Global(global, 0)) => {
                    let global = &program.globals[*global];
                    Some((global.size, global.ty))
                }
                _ => None,
            });
        }
    }
    found
}

/// How far a function fills what a pointer of this kind points to, and how many bytes one value has: one
/// number or structure; of bytes, and where nobody says of what, as much as is passed to it.
pub fn extent(kind: Option<PointeeKind>, passed: Option<Passed>) -> (Extent, u64) {
    let bytes = |bytes: u64| Extent::Bytes(u32::try_from(bytes).unwrap_or(u32::MAX));
    match (kind, passed) {
        (
            Some(PointeeKind::Numbers {
                bytes: all, width, ..
            }),
            _,
        ) if all > 1 => (bytes(all), width),
        // Addresses are no readings.
        (_, Some(passed)) if passed.has_pointers => (bytes(0), 1),
        (_, Some(passed)) => {
            let width = match passed.numbers {
                Some(PointeeKind::Numbers { width, .. }) => width,
                _ => 1,
            };
            (bytes(passed.bytes), width)
        }
        (_, None) => (bytes(1), 1),
    }
}

/// A structure that an input returns is read like what others fill.
fn add_result(input: &mut Input) {
    const RESULT: u32 = 0;
    let fill = input.fills.get_or_insert_with(|| Fill {
        buffers: Vec::new(),
        returns: None,
        place: None,
    });
    let is_result = |buffer: &Buffer| {
        let reference = buffer.pointer.as_reference();
        reference.is_some_and(|(at, members)| at == RESULT && members.is_empty())
    };
    if !fill.buffers.iter().any(is_result) {
        let result = Buffer {
            pointer: ArgumentExpression::argument(RESULT),
            length: Extent::Pointee,
            width: 1,
        };
        fill.buffers.insert(0, result);
    }
}

/// Puts numbers in the place of what the types of the program say.
pub fn measure(program: &Program, scenario: &mut Scenario) {
    for input in &mut scenario.inputs {
        let Some(func) = program.function(input.source.name()) else {
            continue;
        };
        let function = &program.functions[func];
        if prototype::result_elsewhere(function).is_some() {
            add_result(input);
        }
        let pointees = prototype::pointees(program, function);
        for buffer in input.fills.iter_mut().flat_map(|fill| &mut fill.buffers) {
            let Some((at, members)) = buffer.pointer.as_reference() else {
                continue;
            };
            if buffer.length != Extent::Pointee || !members.is_empty() {
                continue;
            }
            let at = at as usize;
            let pointee = pointees.as_ref().and_then(|all| *all.get(at)?);
            let passed = least(program, func, at);
            let (length, width) = extent(pointee.map(|pointee| pointee.kind), passed);
            buffer.length = length;
            buffer.width = width as u32;
        }
    }
}
