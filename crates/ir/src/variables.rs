//! Variables by the names that users give them.

use crate::{Func, Global, GlobalData, Program, Slot};

/// A variable that is in memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Variable {
    /// One of the program, or a static one of a function.
    Global(Global),
    /// One on the stack.
    Local(Func, Slot),
}

/// The variable of a name: a global, or `function::local`.
pub fn named(program: &Program, name: &str) -> Option<Variable> {
    if let Some((function, local)) = name.split_once("::") {
        let func = program.function(function)?;
        let mut locals = in_function(program, func);
        return locals.find_map(|(known, variable)| (known == local).then_some(variable));
    }
    let find = |is_it: &dyn Fn(&GlobalData) -> bool| {
        let mut globals = program.globals.iter();
        globals.find_map(|(global, data)| is_it(data).then_some(global))
    };
    let global = find(&|data| data.name == name)
        .or_else(|| find(&|data| data.variable.as_deref() == Some(name)))?;
    Some(Variable::Global(global))
}

/// The names of the variables of a function that are in memory.
pub fn locals(program: &Program, func: Func) -> Vec<String> {
    let locals = in_function(program, func);
    locals.map(|(name, _)| name.to_owned()).collect()
}

/// The variables of a function that are in memory: those on the stack, and static ones, which are
/// globals called `function.variable`.
fn in_function(program: &Program, func: Func) -> impl Iterator<Item = (&str, Variable)> {
    let function = &program.functions[func];
    let slots = function.body.iter().flat_map(|body| body.slots.iter());
    let automatic = slots.filter_map(move |(slot, data)| {
        let name = data.name.as_deref()?;
        Some((name, Variable::Local(func, slot)))
    });
    let fixed = program.globals.iter().filter_map(move |(global, data)| {
        let name = data.variable.as_deref()?;
        let inside = data.name.strip_prefix(&function.name)?.strip_prefix('.')?;
        let is_its = inside
            .strip_prefix(name)
            .is_some_and(|further| further.is_empty() || further.starts_with('.'));
        is_its.then_some((name, Variable::Global(global)))
    });
    automatic.chain(fixed)
}
