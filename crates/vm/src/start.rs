//! What runs before and after the entry function: constructors, arguments, exit.

use brownout_ir::{
    Arena, BlockData, Body, Callee, Func, Function, Global, GlobalData, Initializer, Inst, Op,
    Operand, Origin, Program, Relocation, Service, Symbol, Terminator, Type,
};

/// Name of the generated function.
const NAME: &str = "__brownout_start";

/// Adds the function execution starts at: it calls the constructors, then
/// `entry` with arguments that look like those of a program without any
/// (`argc` 1, `argv` `{"program", NULL}`, an empty environment), then `exit` or the destructors.
pub fn add_start(program: &mut Program, entry: Func) -> Func {
    let mut body = Body::default();
    let mut insts = Vec::new();
    let library = |program: &Program, name: &str, params: &[Type]| {
        let func = program.function(name)?;
        let function = &program.functions[func];
        (function.body.is_some() && function.params == params).then_some(func)
    };
    // `exit` runs what was registered last first, so destructors register before anything else, last one first.
    let at_exit = library(program, "atexit", &[Type::Ptr]);
    if let Some(at_exit) = at_exit {
        for func in program.destructors.clone().into_iter().rev() {
            call(
                program,
                &mut body,
                &mut insts,
                at_exit,
                vec![Operand::Func(func)],
            );
        }
    }
    for func in program.constructors.clone() {
        call(program, &mut body, &mut insts, func, vec![]);
    }
    let params = program.functions[entry].params.clone();
    let args = match params[..] {
        [Type::Int(_), Type::Ptr, ..] => {
            let arguments = argument_vector(program);
            // The environment ends where the arguments do.
            let end = program.target.pointer_bytes().into();
            vec![
                Operand::Bits(1),
                Operand::Global(arguments, 0),
                Operand::Global(arguments, end),
            ]
        }
        _ => vec![],
    };
    let results = call(program, &mut body, &mut insts, entry, args);
    let int = program.int();
    let status = match (results.first(), program.functions[entry].results.first()) {
        (Some(&value), Some(&ty)) if ty == int => value,
        _ => Operand::Bits(0),
    };
    // Without the library's `exit` nothing was registered.
    if let Some(exit) = library(program, "exit", &[int]) {
        call(program, &mut body, &mut insts, exit, vec![status]);
    }
    insts.push(Inst {
        op: Op::Service {
            service: Service::Exit,
            args: vec![status],
        },
        results: vec![],
        place: None,
    });
    let mut blocks = Arena::new();
    blocks.push(BlockData {
        params: vec![],
        insts,
        terminator: Terminator::Unreachable,
        place: None,
    });
    body.blocks = blocks;
    program.functions.push(Function {
        name: NAME.to_owned(),
        params: vec![],
        results: vec![],
        variadic: false,
        signed: vec![],
        prototype: None,
        exported: false,
        origin: Origin::Library,
        annotations: vec![],
        place: None,
        body: Some(body),
    })
}

fn call(
    program: &Program,
    body: &mut Body,
    insts: &mut Vec<Inst>,
    func: Func,
    args: Vec<Operand>,
) -> Vec<Operand> {
    let function = &program.functions[func];
    let (arg_types, result_types) = (function.params.clone(), function.results.clone());
    let results: Vec<brownout_ir::Value> = result_types
        .iter()
        .map(|&ty| body.values.push(ty))
        .collect();
    let operands = results.iter().map(|&value| value.into()).collect();
    let mut args = args;
    args.resize(arg_types.len(), Operand::Bits(0));
    let op = Op::Call {
        callee: Callee::Direct(func),
        args,
        arg_types,
        result_types,
    };
    insts.push(Inst {
        op,
        results,
        place: None,
    });
    operands
}

fn argument_vector(program: &mut Program) -> Global {
    let pointer = program.target.pointer_bytes();
    let mut data = |name: &str, size: u32, init: Initializer| {
        program.globals.push(GlobalData {
            name: name.to_owned(),
            size: size.into(),
            align: pointer,
            section: None,
            constant: false,
            exported: false,
            origin: Origin::Library,
            variable: None,
            ty: None,
            place: None,
            annotations: vec![],
            init: Some(init),
        })
    };
    let text = data(
        "__brownout_name",
        8,
        Initializer {
            bytes: b"program".to_vec(),
            relocations: vec![],
        },
    );
    let relocation = Relocation {
        offset: 0,
        bytes: pointer as u8,
        symbol: Symbol::Global(text),
        minus: None,
        addend: 0,
    };
    let init = Initializer {
        bytes: vec![],
        relocations: vec![relocation],
    };
    data("__brownout_arguments", 2 * pointer, init)
}
