//! Callbacks of a program with a `main`: functions that it gives to a kernel or a library that is not there, and what it
//! gives with them.
//!
//! What comes with a callback is an argument of the same call, or a member of the structure that holds the callback:
//! what has the type of the callback's parameter or, for a `void *`, the `void *` behind it, else the one before it.

use std::collections::BTreeSet;

use brownout_ir::gifts::{self, Gift, Object, Way};
use brownout_ir::source::{TypeId, TypeKind};
use brownout_ir::{Callee, Func, Id, Op, Operand, Origin, Program, Type, prototype, reach};
use brownout_scenario::{Recovery, Scenario};
use brownout_vm::{Callback, Passed, Registration};

use crate::prepared::{CalledBack, MAIN, has_main};
use crate::unknown::listed;
use crate::unstarted;

/// The functions that a program gives to others to call and never calls itself.
pub fn tasks(program: &Program) -> Vec<String> {
    let bodies = program.functions.values();
    let bodies = bodies.filter_map(|function| function.body.as_ref());
    let insts = bodies.flat_map(|body| body.blocks.values().flat_map(|block| &block.insts));
    let called: BTreeSet<Func> = insts
        .filter_map(|inst| match inst.op {
            Op::Call {
                callee: Callee::Direct(func),
                ..
            } => Some(func),
            _ => None,
        })
        .collect();
    let given = gifts::given_away(program);
    let given: BTreeSet<Func> = given.into_iter().map(|(func, _)| func).collect();
    given
        .difference(&called)
        .map(|&func| &program.functions[func])
        .filter(|function| function.body.is_some() && function.origin == Origin::User)
        .map(|function| function.name.clone())
        .collect()
}

/// Whether callbacks are called when a program is executed: where only executions tell anything.
pub(crate) fn are_executed(scenario: &Scenario) -> bool {
    scenario.power.policy.recovery() == Recovery::Restart
}

/// A function that is to be checked and that `main` gives to others to call, which do so when `main` has run.
pub(crate) fn task_of_main(program: &Program, scenario: &Scenario, task: &str) -> Option<Func> {
    let is_own = scenario.entry == MAIN || scenario.entry == task;
    if task == MAIN || !is_own || !has_main(program) || !are_executed(scenario) {
        return None;
    }
    let registered = registered(program, program.function(MAIN)?);
    let task = program.function(task)?;
    let mut functions = registered.iter().map(|callback| callback.function);
    functions.find(|&function| function == task)
}

/// The functions that a program gives to others to call, never calls itself, and may get to give away.
pub(crate) fn registered(program: &Program, main: Func) -> Vec<Callback> {
    let roots: Vec<Func> = program.constructors.iter().copied().chain([main]).collect();
    let reached = reach::reachable(program, &roots);
    let mut gifts = gifts::gifts(program);
    gifts.retain(|gift| reached[gift.at.0.index()]);
    let names = tasks(program).into_iter();
    let functions = names.filter_map(|name| program.function(&name));
    let callbacks = functions.map(|function| {
        let its = gifts.iter().filter(|gift| gift.function == function);
        let registrations = its.map(|gift| registration(program, gift)).collect();
        Callback {
            function,
            registrations,
        }
    });
    callbacks
        .filter(|callback| !callback.registrations.is_empty())
        .collect()
}

/// Whether all that a callback may want comes with it, wherever it is given away.
fn is_given_all(program: &Program, callback: &Callback) -> bool {
    let wanted = expected(program, callback.function);
    callback.registrations.iter().all(|registration| {
        let mut wanted = wanted.iter();
        wanted.all(|(index, _)| registration.passed.iter().any(|(given, _)| given == index))
    })
}

/// Whether a callback is one of those that are called together: it comes back, and is given all that it may want. Others are
/// checked one by one, so that what one of them does without its arguments hides nothing else.
fn is_called_with_others(program: &Program, callback: &Callback) -> bool {
    !brownout_vm::never_returns(program, callback.function) && is_given_all(program, callback)
}

/// Lets callbacks be called once a program that begins at `main` has given them away: this one, or all that can be
/// called together. With what is assumed, in words.
pub(crate) fn install(
    program: &mut Program,
    main: Func,
    only: Option<Func>,
    handlers: &[Func],
) -> (Vec<CalledBack>, Vec<String>) {
    let mut callbacks = registered(program, main);
    callbacks.retain(|callback| !handlers.contains(&callback.function));
    let mut others: Vec<String> = tasks(program);
    others.retain(|name| {
        !handlers
            .iter()
            .any(|&it| program.functions[it].name == *name)
    });
    callbacks.retain(|callback| match only {
        Some(only) => callback.function == only,
        None => is_called_with_others(program, callback),
    });
    if callbacks.is_empty() {
        return (Vec::new(), Vec::new());
    }
    // The loop of `main` does not go on beside a task that never returns.
    let is_task = |it: &Callback| brownout_vm::never_returns(program, it.function);
    if callbacks.iter().any(is_task) && works_in_a_loop(program, main) {
        others.push(program.functions[main].name.clone());
    }
    let called = callbacks.iter();
    let called = called.map(|callback| called_back(program, callback, &others));
    let called = called.collect();
    let assumed = callbacks.iter().map(|it| assumed(program, main, it));
    let assumed = assumed.collect();
    brownout_vm::add_callbacks(program, main, &callbacks);
    (called, assumed)
}

fn called_back(program: &Program, callback: &Callback, others: &[String]) -> CalledBack {
    let name = |func: Func| program.functions[func].name.clone();
    let mut called = CalledBack {
        name: name(callback.function),
        runs: unstarted::called_from(program, callback.function)
            .into_iter()
            .map(name)
            .collect(),
        shared: BTreeSet::new(),
        others: BTreeSet::new(),
        is_given_several: is_given_several(program, callback),
    };
    for other in others.iter().filter(|other| **other != called.name) {
        let shared = unstarted::leaned_on(program, other, &called.name);
        if !shared.is_empty() {
            called.others.insert(other.clone());
        }
        called.shared.extend(shared);
    }
    called
}

/// Whether calls give a callback away with different things. One that gives itself away again is given what it has.
fn is_given_several(program: &Program, callback: &Callback) -> bool {
    let own = unstarted::called_from(program, callback.function);
    let registrations = callback.registrations.iter();
    let by_others = registrations.filter(|registration| !own.contains(&registration.at.0));
    let things: BTreeSet<String> = by_others
        .map(|registration| format!("{:?}", registration.passed))
        .collect();
    things.len() > 1
}

/// Whether a program does anything but wait in a loop that it never leaves.
fn works_in_a_loop(program: &Program, main: Func) -> bool {
    let functions = unstarted::called_from(program, main).into_iter();
    let mut bodies = functions.filter_map(|func| program.functions[func].body.as_ref());
    bodies.any(|body| {
        let heads = brownout_vm::endless_heads(&program.source, body);
        let loops = brownout_vm::loop_bodies(body);
        let mut rounds = heads.iter().filter_map(|head| loops.get(head)).flatten();
        rounds.any(|&block| {
            let mut insts = body.blocks[block].insts.iter();
            insts.any(|inst| match inst.op {
                Op::Call {
                    callee: Callee::Direct(callee),
                    ..
                } => program.functions[callee].body.is_some(),
                Op::Call { .. } | Op::Store { .. } | Op::Copy { .. } | Op::Fill { .. } => true,
                _ => false,
            })
        })
    })
}

fn assumed(program: &Program, main: Func, callback: &Callback) -> String {
    let name = |func: Func| &program.functions[func].name;
    let to: BTreeSet<&String> = callback
        .registrations
        .iter()
        .map(|registration| name(registration.to))
        .collect();
    let to: Vec<String> = to.into_iter().map(|to| format!("`{to}`")).collect();
    let (function, main) = (name(callback.function), name(main));
    let often = match brownout_vm::never_returns(program, callback.function) {
        true => "once `{main}` is done or comes to its loop",
        false => {
            "again and again, between rounds of `{main}`'s loop, where it waits for that, or after its end"
        }
    };
    let often = often.replace("{main}", main);
    let params = &program.functions[callback.function].params;
    let with = match (params[..].is_empty(), is_given_all(program, callback)) {
        (true, _) => "",
        (false, true) => ", with what it was given last",
        (false, false) => ", with zero for arguments that it was not given",
    };
    format!("{} calls `{function}` {often}{with}", listed(&to))
}

/// What a call says of a callback.
fn registration(program: &Program, gift: &Gift) -> Registration {
    let (caller, block, index) = gift.at;
    let nothing = Registration {
        at: gift.at,
        to: gift.to,
        holder: None,
        passed: Vec::new(),
    };
    let body = program.functions[caller].body.as_ref();
    let call = body.and_then(|body| body.blocks[block].insts.get(index));
    let Some(Op::Call { args, .. }) = call.map(|call| &call.op) else {
        return nothing;
    };
    let itself = args[gift.argument];
    match (&gift.way, itself) {
        (Way::Itself, Operand::Func(_)) => Registration {
            passed: beside(program, gift, args),
            ..nothing
        },
        (Way::Itself, _) => Registration {
            holder: Some(Passed::itself(itself)),
            passed: beside(program, gift, args),
            ..nothing
        },
        (Way::Through { offsets, object }, _) => Registration {
            holder: Some(Passed::held(itself, offsets.clone())),
            passed: match offsets[..] {
                [place] => inside(program, gift, itself, *object, place),
                _ => of_type(program, gift, args),
            },
            ..nothing
        },
        (Way::Somehow, _) => Registration {
            passed: of_type(program, gift, args),
            ..nothing
        },
    }
}

/// What a callback expects for its parameters that are pointers.
fn expected(program: &Program, function: Func) -> Vec<(usize, Option<TypeId>)> {
    let params = program.functions[function].params.iter().enumerate();
    let pointers = params.filter(|(_, ty)| **ty == Type::Ptr);
    let pointers = pointers.filter_map(|(index, _)| {
        // What nobody asks for is nothing.
        let ty = program.parameter(function, index)?.ty?;
        match program.source.types.get(ty)?.kind {
            TypeKind::Pointer(to) => Some((index, to)),
            _ => None,
        }
    });
    pointers.collect()
}

/// Gives what fits to what is expected: things of a type that is asked for, and of those of no type the ones behind
/// the callback, in order, else the one before it.
fn fit<T: Clone>(
    expected: &[(usize, Option<TypeId>)],
    of_type: &dyn Fn(TypeId) -> Vec<T>,
    before: &[T],
    behind: &[T],
) -> Vec<(usize, T)> {
    let candidates = match behind {
        [] => &before[before.len().saturating_sub(1)..],
        _ => behind,
    };
    let untyped = expected.iter().filter(|(_, ty)| ty.is_none());
    let untyped = untyped
        .zip(candidates)
        .map(|(&(index, _), it)| (index, it.clone()));
    let typed = expected
        .iter()
        .filter_map(|&(index, ty)| match of_type(ty?)[..] {
            [ref only] => Some((index, only.clone())),
            _ => None,
        });
    untyped.chain(typed).collect()
}

/// What is passed beside a callback.
fn beside(program: &Program, gift: &Gift, args: &[Operand]) -> Vec<(usize, Passed)> {
    let expected = expected(program, gift.function);
    let Some(parameters) = prototype::spelled(&program.functions[gift.to]) else {
        return Vec::new();
    };
    let is_untyped = |index: &usize| parameters.get(*index) == Some(&Some("void*"));
    let itself = |index: usize| Passed::itself(args[index]);
    let before: Vec<Passed> = (0..gift.argument).filter(is_untyped).map(itself).collect();
    let behind = (gift.argument + 1..args.len()).filter(is_untyped);
    let behind: Vec<Passed> = behind.map(itself).collect();
    let of_type = |ty: TypeId| arguments_of_type(program, gift, args, ty);
    fit(&expected, &of_type, &before, &behind)
}

/// What is passed with a structure that leads to a callback, and has the type that this expects.
fn of_type(program: &Program, gift: &Gift, args: &[Operand]) -> Vec<(usize, Passed)> {
    let expected = expected(program, gift.function);
    let of_type = |ty: TypeId| arguments_of_type(program, gift, args, ty);
    fit(&expected, &of_type, &[], &[])
}

/// The arguments that are pointers to something of a type.
fn arguments_of_type(program: &Program, gift: &Gift, args: &[Operand], ty: TypeId) -> Vec<Passed> {
    let parameters = prototype::spelled(&program.functions[gift.to]);
    let parameters = parameters.unwrap_or_default();
    let name = pointer_to(program, ty);
    let given = args.iter().zip(&parameters);
    given
        .filter(|(_, parameter)| **parameter == Some(name.as_str()))
        .map(|(&arg, _)| Passed::itself(arg))
        .collect()
}

/// How a prototype spells a pointer to something of a type.
fn pointer_to(program: &Program, ty: TypeId) -> String {
    format!("{}*", program.source.types[ty].name)
}

/// What lies beside a callback in a structure that is passed, or that structure itself.
fn inside(
    program: &Program,
    gift: &Gift,
    structure: Operand,
    object: Option<Object>,
    place: i64,
) -> Vec<(usize, Passed)> {
    let expected = expected(program, gift.function);
    let mut untyped = Vec::new();
    if let Some(ty) = object.and_then(|object| element(program, object)) {
        untyped_members(program, ty, 0, &mut untyped);
    }
    let held = |&offset: &i64| Passed::held(structure, vec![offset]);
    let before: Vec<Passed> = untyped.iter().filter(|it| **it < place).map(held).collect();
    let behind: Vec<Passed> = untyped.iter().filter(|it| **it > place).map(held).collect();
    // The structure itself.
    let parameters = prototype::spelled(&program.functions[gift.to]);
    let parameter = parameters.and_then(|all| all.get(gift.argument).copied().flatten());
    let of_type = |wanted: TypeId| match parameter == Some(&pointer_to(program, wanted)) {
        true => vec![Passed::itself(structure)],
        false => Vec::new(),
    };
    fit(&expected, &of_type, &before, &behind)
}

/// The type of an object, of an array that of its elements.
fn element(program: &Program, object: Object) -> Option<TypeId> {
    let mut ty = match object {
        Object::Global(global) => program.globals[global].ty?,
        Object::Slot(func, slot) => program.functions[func].body.as_ref()?.slots[slot].ty?,
        Object::Function(_) | Object::Result(..) => return None,
    };
    while let TypeKind::Array { element, .. } = program.source.types.get(ty)?.kind {
        ty = element;
    }
    Some(ty)
}

/// Where members of a structure lie that are pointers to nothing in particular.
fn untyped_members(program: &Program, ty: TypeId, start: i64, found: &mut Vec<i64>) {
    let types = &program.source.types;
    let Some(TypeKind::Struct(fields)) = types.get(ty).map(|ty| &ty.kind) else {
        return;
    };
    for field in fields {
        let offset = start + (field.bit_offset / 8) as i64;
        match types.get(field.ty).map(|ty| &ty.kind) {
            Some(TypeKind::Pointer(None)) => found.push(offset),
            Some(TypeKind::Struct(_)) => untyped_members(program, field.ty, offset, found),
            _ => {}
        }
    }
}
