//! Calls whose results are known, because somebody says what a function always gives.
//!
//! **Invariant**: no instruction comes or goes; only uses of the results become constants.

use std::collections::BTreeMap;

use crate::entity::Id;
use crate::inst::{Callee, Op, Operand};
use crate::program::{Block, Body, Func, Program, Value};
use crate::types::{Target, Type};

/// The program with constants for what calls of the functions in `known` give. Functions that are called
/// through pointers are left alone, and so are results that are no numbers or addresses.
pub fn with_results(program: &Program, known: &BTreeMap<Func, i64>) -> Program {
    let mut program = program.clone();
    if known.is_empty() {
        return program;
    }
    let target = program.target.clone();
    let functions: Vec<Func> = program.functions.iter().map(|(func, _)| func).collect();
    for func in functions {
        if let Some(body) = &mut program.functions[func].body {
            replace(body, &target, known);
        }
    }
    program
}

fn replace(body: &mut Body, target: &Target, known: &BTreeMap<Func, i64>) {
    let mut constants: Vec<Option<Operand>> = vec![None; body.values.len()];
    let mut is_known = false;
    for inst in body.blocks.values().flat_map(|block| &block.insts) {
        let Op::Call {
            callee: Callee::Direct(callee),
            ..
        } = &inst.op
        else {
            continue;
        };
        if let (Some(&number), [result]) = (known.get(callee), &inst.results[..])
            && let Some(bits) = bits(number, body.values[*result], target)
        {
            constants[result.index()] = Some(Operand::Bits(bits));
            is_known = true;
        }
    }
    if !is_known {
        return;
    }
    let change = |operand: &mut Operand| {
        if let Operand::Value(value) = operand
            && let Some(constant) = constants[Value::index(*value)]
        {
            *operand = constant;
        }
    };
    let blocks: Vec<Block> = body.blocks.iter().map(|(block, _)| block).collect();
    for block in blocks {
        let block = &mut body.blocks[block];
        for inst in &mut block.insts {
            inst.op.change_operands(change);
        }
        block.terminator.change_operands(change);
    }
}

/// A number as a value of a type that holds numbers or addresses.
fn bits(number: i64, ty: Type, target: &Target) -> Option<u128> {
    let width = match ty {
        Type::Int(_) | Type::Ptr => ty.bits(target),
        _ => return None,
    };
    match width {
        1..=64 => Some(number as u128 & ((1 << width) - 1)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::with_results;
    use crate::parse;

    const PROGRAM: &str = r#"
target "msp430" pointer 16

function fn0 "get" () -> i8 exported {
b0():
  v0 = call fn1(i16 7) -> i8
  v1 = add i8 v0, 1
  v2 = call fn2() -> i8
  v3 = add i8 v1, v2
  return v3
}
function fn1 "status" (i16) -> i8 exported
function fn2 "read" () -> i8 exported
"#;

    #[test]
    fn only_uses_change() {
        let program = parse(PROGRAM).unwrap_or_else(|error| panic!("{error}"));
        let status = program.function("status").expect("declared");
        let seen = with_results(&program, &BTreeMap::from([(status, -1)])).to_string();
        assert!(seen.contains("v0 = call fn1(i16 7)"), "{seen}");
        assert!(!seen.contains("i8 v0"), "{seen}");
        assert!(seen.contains("255"), "{seen}");
        assert!(seen.contains("v1, v2"), "{seen}");
        assert_eq!(with_results(&program, &BTreeMap::new()), program);
    }
}
