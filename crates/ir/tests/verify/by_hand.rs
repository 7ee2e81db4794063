//! Programs that text cannot say: broken by hand.

use crate::errors;
use brownout_ir::verify::MAX_INITIALIZER_BYTES;
use brownout_ir::*;

/// A function whose body does nothing.
fn empty_function() -> Program {
    parse("target \"t\" pointer 16 function fn0 \"f\" () { b0: v0 = add i16 1, 2 return }").unwrap()
}

fn body(program: &mut Program) -> &mut Body {
    program.functions[Id::from_index(0)].body.as_mut().unwrap()
}

#[test]
fn values_are_defined_once() {
    let mut program = empty_function();
    let block = &mut body(&mut program).blocks[Id::from_index(0)];
    block.insts.push(block.insts[0].clone());
    assert_eq!(
        errors(&program),
        "fn0 b0 instruction 1: `v0` is defined twice"
    );

    let mut program = empty_function();
    body(&mut program).values.push(Type::Ptr);
    assert_eq!(errors(&program), "fn0: `v1` is never defined");

    let mut program = empty_function();
    body(&mut program).blocks[Id::from_index(0)].insts[0].results[0] = Id::from_index(7);
    assert_eq!(
        errors(&program),
        "fn0 b0 instruction 0: no value `v7`\nfn0: `v0` is never defined"
    );
}

#[test]
fn integers_have_1_to_128_bits() {
    for bits in [0, 129, 255] {
        let mut program = empty_function();
        program.functions[Id::from_index(0)]
            .results
            .push(Type::Int(bits));
        body(&mut program).blocks[Id::from_index(0)].terminator = Terminator::Unreachable;
        assert_eq!(
            errors(&program),
            format!("fn0: integer of {bits} bits, not of 1 to 128")
        );
        let mut program = empty_function();
        body(&mut program).values[Id::from_index(0)] = Type::Int(bits);
        assert!(
            errors(&program)
                .starts_with(&format!("fn0: integer of {bits} bits, not of 1 to 128\n"))
        );
    }
}

#[test]
fn calls_have_a_type_for_each_argument() {
    let mut program = empty_function();
    let call = Op::Call {
        callee: Callee::Indirect(Operand::Bits(0)),
        args: vec![Operand::Bits(1)],
        arg_types: vec![],
        result_types: vec![Type::Int(16)],
    };
    body(&mut program).blocks[Id::from_index(0)].insts[0].op = call;
    assert_eq!(
        errors(&program),
        "fn0 b0 instruction 0: 0 argument types for 1 argument"
    );
}

#[test]
fn initialisers_are_bounded() {
    let size = MAX_INITIALIZER_BYTES + 1;
    let mut program = parse(&format!(
        "target \"t\" pointer 64 global g0 \"g\" size {size} align 1 = {{}}"
    ))
    .unwrap();
    program.globals[Id::from_index(0)].init = Some(Initializer {
        bytes: vec![0; size],
        relocations: vec![],
    });
    assert_eq!(
        errors(&program),
        "program: initialisers of more than 67108864 bytes together"
    );
}
