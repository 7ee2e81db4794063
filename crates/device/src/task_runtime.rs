//! Programs that a runtime of tasks leads from one to the next: a guess by how they ask for it.
//!
//! Such a program gives a function without a body, `transition_to` in most runtimes, the task that comes next: the
//! function itself, or a structure that names it.

use std::collections::BTreeSet;

use brownout_ir::{Callee, Func, Global, Op, Operand, Origin, Program, Symbol};

/// Parts of the names of functions that lead to another task.
const TRANSITIONS: &[&str] = &[
    "transition",
    "next_task",
    "nexttask",
    "goto_task",
    "switch_task",
];

/// What a program says of the runtime that its tasks are for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TaskRuntime {
    /// The function that leads to the next one.
    pub transition: String,
    /// The tasks, in the order of the program.
    pub tasks: Vec<String>,
    /// The function that leads to the first of them, if the program has no `main` and no transition leads to it.
    pub entry: Option<String>,
}

impl TaskRuntime {
    /// That of a program each of whose transitions names a task.
    pub fn of(program: &Program) -> Option<Self> {
        let is_transition = |func: Func| {
            let function = &program.functions[func];
            let name = function.name.to_lowercase();
            function.origin == Origin::User
                && function.body.is_none()
                && TRANSITIONS.iter().any(|part| name.contains(part))
        };
        let transition = program.functions.ids().find(|func| is_transition(*func))?;
        let (mut callers, mut next) = (BTreeSet::new(), BTreeSet::new());
        for (func, function) in program.functions.iter() {
            let blocks = function.body.iter().flat_map(|body| body.blocks.values());
            for inst in blocks.flat_map(|data| &data.insts) {
                let Op::Call { callee, args, .. } = &inst.op else {
                    continue;
                };
                if *callee != Callee::Direct(transition) {
                    continue;
                }
                callers.insert(func);
                let named: BTreeSet<Func> =
                    (args.iter()).flat_map(|arg| named(program, *arg)).collect();
                if named.is_empty() {
                    return None;
                }
                next.extend(named);
            }
        }
        let name = |func: &Func| program.functions[*func].name.clone();
        let mut first = callers.difference(&next).map(name);
        let entry = (first.next()).filter(|_| program.function("main").is_none());
        (!next.is_empty()).then(|| Self {
            transition: name(&transition),
            tasks: next.iter().map(name).chain(entry.clone()).collect(),
            entry: entry.filter(|_| first.next().is_none()),
        })
    }
}

/// The functions that an argument is, or that a structure names to which it points.
fn named(program: &Program, argument: Operand) -> Vec<Func> {
    match argument {
        Operand::Func(func) => vec![func],
        Operand::Global(global, _) => named_by(program, global),
        _ => Vec::new(),
    }
}

fn named_by(program: &Program, global: Global) -> Vec<Func> {
    let data = program
        .globals
        .get(global)
        .and_then(|data| data.init.as_ref());
    let relocations = data.into_iter().flat_map(|init| &init.relocations);
    let functions = relocations.filter_map(|relocation| match relocation.symbol {
        Symbol::Func(func) => Some(func),
        _ => None,
    });
    functions.collect()
}
