//! Calls through function pointers that the program never sets: `dev->read(dev, reg, buffer, length)` in a
//! driver whose user provides `read`.
//!
//! Such a call becomes one of a function without a body, which is named after where the pointer lies,
//! `struct dev.read`. From then on it is like every other function that somebody else provides.

use std::collections::{BTreeMap, BTreeSet};

use crate::source::{TypeId, TypeKind};
use crate::{
    Block, Body, Callee, Func, Function, Op, Operand, Origin, Program, Type, Value, reach,
};

/// Replaces the calls of the user's code through pointers for which the program has no function, if their
/// names are `wanted`. The functions that are called instead.
pub fn name_unset(program: &mut Program, wanted: &dyn Fn(&str) -> bool) -> Vec<Func> {
    let taken = reach::address_taken(program);
    // A pointer may be converted: only the number of arguments is sure.
    let arities: BTreeSet<usize> = taken
        .iter()
        .map(|&func| &program.functions[func])
        .filter(|function| function.body.is_some())
        .map(|function| function.params.len())
        .collect();
    let is_variadic = |func: &Func| program.functions[*func].variadic;
    if taken.iter().any(is_variadic) {
        return Vec::new();
    }
    let mut calls = Vec::new();
    for (caller, function) in program.functions.iter() {
        let Some(body) = function.body.as_ref() else {
            continue;
        };
        if function.origin != Origin::User {
            continue;
        }
        for (block, data) in body.blocks.iter() {
            for (index, inst) in data.insts.iter().enumerate() {
                if let Op::Call {
                    callee: Callee::Indirect(pointer),
                    arg_types,
                    result_types,
                    ..
                } = &inst.op
                    && !arities.contains(&arg_types.len())
                {
                    let name = name(program, function, body, *pointer);
                    if wanted(&name) {
                        let types = (arg_types.clone(), result_types.clone());
                        let prototype = prototype(program, body, *pointer);
                        calls.push(((caller, block, index), name, types, prototype));
                    }
                }
            }
        }
    }
    let mut named: BTreeMap<(String, Signature), Func> = BTreeMap::new();
    for (at, name, types, prototype) in calls {
        // One name with several prototypes is several functions.
        let known = named.get(&(name.clone(), types.clone())).copied();
        let func = known.unwrap_or_else(|| {
            let others = named.keys().filter(|(other, _)| *other == name).count();
            let symbol = match others {
                0 => name.clone(),
                _ => format!("{name}/{}", others + 1),
            };
            let func = program.functions.push(external(symbol, &types, prototype));
            named.insert((name, types), func);
            func
        });
        redirect(program, at, func);
    }
    named.into_values().collect()
}

/// Argument and result types.
type Signature = (Vec<Type>, Vec<Type>);

fn external(name: String, (params, results): &Signature, prototype: Option<String>) -> Function {
    Function {
        name,
        params: params.clone(),
        results: results.clone(),
        variadic: false,
        signed: Vec::new(),
        prototype,
        exported: true,
        origin: Origin::User,
        annotations: Vec::new(),
        place: None,
        body: None,
    }
}

fn redirect(program: &mut Program, (caller, block, index): (Func, Block, usize), to: Func) {
    let Some(body) = &mut program.functions[caller].body else {
        return;
    };
    if let Op::Call { callee, .. } = &mut body.blocks[block].insts[index].op {
        *callee = Callee::Direct(to);
    }
}

/// What a function is called by the place of the pointer to it.
fn name(program: &Program, function: &Function, body: &Body, pointer: Operand) -> String {
    let unknown = || format!("{}::pointer", function.name);
    let Some(Op::Load { address, .. }) = definition(body, pointer) else {
        return unknown();
    };
    let location = match address {
        Operand::Global(global, offset) => {
            let data = &program.globals[*global];
            let path = data.ty.map(|ty| member(program, ty, *offset));
            return match path {
                Some(Some(path)) => path,
                Some(None) | None => data.name.clone(),
            };
        }
        Operand::Slot(slot, offset) => {
            let data = &body.slots[*slot];
            let name = data.name.as_deref().unwrap_or("pointer");
            let path = data.ty.and_then(|ty| member(program, ty, *offset));
            return path.unwrap_or_else(|| format!("{}::{name}", function.name));
        }
        other => location(program, body, *other, 0),
    };
    location
        .and_then(|(ty, offset)| member(program, ty, offset))
        .unwrap_or_else(unknown)
}

/// How the type of the function is spelled that a pointer in memory points to.
fn prototype(program: &Program, body: &Body, pointer: Operand) -> Option<String> {
    let Some(Op::Load { address, .. }) = definition(body, pointer) else {
        return None;
    };
    let (ty, offset) = location(program, body, *address, 0)?;
    let source = &program.source;
    let (_, _, leaf) = source.leaf(ty, u64::try_from(offset).ok()?)?;
    match source.types.get(leaf)?.kind {
        TypeKind::Pointer(Some(function)) => {
            let name = &source.types.get(function)?.name;
            (!name.is_empty()).then(|| name.clone())
        }
        _ => None,
    }
}

/// `struct dev.read`, for a member of a type that has a name; nothing for a pointer that is no member.
fn member(program: &Program, ty: TypeId, offset: i64) -> Option<String> {
    let offset = u64::try_from(offset).ok()?;
    let data = program.source.types.get(ty)?;
    let width = program.target.pointer_bytes().into();
    let path = program.source.path(ty, offset, width);
    match data.kind {
        TypeKind::Struct(_) | TypeKind::Union(_) if !path.is_empty() && !data.name.is_empty() => {
            Some(format!("struct {}{path}", data.name))
        }
        // A structure that has nothing else is as large as its member.
        TypeKind::Struct(ref fields) if !data.name.is_empty() => match &fields[..] {
            [only] => Some(format!("struct {}.{}", data.name, only.name)),
            _ => None,
        },
        // Elements of an array are one to whoever describes them.
        TypeKind::Array { element, .. } => member(program, element, 0),
        _ => None,
    }
}

/// So many steps lead from a pointer to the variable it came from.
const STEPS: u32 = 32;

/// The type of what lies at an address, and which byte of it is meant.
fn location(program: &Program, body: &Body, address: Operand, steps: u32) -> Option<(TypeId, i64)> {
    if steps > STEPS {
        return None;
    }
    match address {
        Operand::Global(global, offset) => Some((program.globals[global].ty?, offset)),
        Operand::Slot(slot, offset) => Some((body.slots[slot].ty?, offset)),
        _ => match definition(body, address)? {
            Op::Address {
                base,
                index: Operand::Bits(0),
                offset,
                ..
            } => {
                let (ty, start) = location(program, body, *base, steps + 1)?;
                Some((ty, start.checked_add(*offset)?))
            }
            Op::Load { address, .. } => {
                let (ty, offset) = location(program, body, *address, steps + 1)?;
                let source = &program.source;
                let (_, _, leaf) = source.leaf(ty, u64::try_from(offset).ok()?)?;
                match source.types.get(leaf)?.kind {
                    TypeKind::Pointer(Some(pointee)) => Some((pointee, 0)),
                    _ => None,
                }
            }
            _ => None,
        },
    }
}

/// What computes a value.
fn definition(body: &Body, operand: Operand) -> Option<&Op> {
    let Operand::Value(value) = operand else {
        return None;
    };
    let defines = |results: &[Value]| results.contains(&value);
    let insts = body.blocks.values().flat_map(|block| &block.insts);
    let mut insts = insts.filter(|inst| defines(&inst.results));
    insts.next().map(|inst| &inst.op)
}

#[cfg(test)]
mod tests {
    use super::name_unset;
    use crate::parse;

    const PROGRAM: &str = r#"
target "msp430" pointer 16

type t0 = pointer "" size 2
type t1 = struct "dev" size 4 { "id": t2 at 0, "read": t0 at 16 }
type t2 = unsigned "unsigned int" size 2
type t3 = pointer "" size 2 to t1

global g0 "hook" size 2 align 2 exported typed t0 = {}

function fn0 "get" (ptr) -> i16 exported {
  slot s0 size 2 align 2 name "dev" typed t3
b0(v0: ptr):
  store ptr v0 to s0
  v1 = load ptr s0
  v2 = address v1, 0 * 0 + 2
  v3 = load ptr v2
  v4 = call_indirect v3(i16 7) -> i16
  v5 = load ptr g0
  call_indirect v5()
  return v4
}
"#;

    #[test]
    fn calls_are_named_after_where_the_pointer_lies() {
        let mut program = parse(PROGRAM).unwrap_or_else(|error| panic!("{error}"));
        assert!(name_unset(&mut program, &|_| false).is_empty());
        let named = name_unset(&mut program, &|_| true);
        let mut names: Vec<&str> = named
            .iter()
            .map(|&func| program.functions[func].name.as_str())
            .collect();
        names.sort_unstable();
        assert_eq!(names, ["hook", "struct dev.read"]);
        assert!(!program.to_string().contains("call_indirect"));
        assert!(name_unset(&mut program, &|_| true).is_empty());
    }
}
