//! Code that nobody starts, and data that nobody defines: what was not looked at is not fine
//! (SEMANTICS §3.5).
//!
//! **False negatives**: a function that some call through a pointer can mean counts as one that the program starts.

use std::collections::BTreeSet;

use brownout_ir::{
    Callee, Func, Global, Id, Inst, Op, Operand, Origin, Program, Symbol, Value, gifts, reach,
};
use brownout_scenario::{Scenario, Source, ValueSource};

use crate::callbacks;
use crate::unknown::{self, listed, volatile_globals};

/// Functions that others could be given and that write non-volatile memory, in a program that never calls
/// them: tasks of a kernel that is not there. `unexecuted` are the functions that no execution got to.
pub fn tasks(program: &Program, scenario: &Scenario, unexecuted: &[String]) -> Option<String> {
    let start = program.function(&scenario.entry)?;
    // Those that are given to others by name are entries of their own.
    let given = gifts::given_away(program);
    let checked: BTreeSet<Func> = given.into_iter().map(|(func, _)| func).collect();
    let handlers: BTreeSet<&str> = scenario
        .interrupts
        .iter()
        .map(|interrupt| interrupt.function.as_str())
        .chain(scenario.idle_handlers.iter().map(String::as_str))
        .collect();
    let handled = handlers.iter().filter_map(|name| program.function(name));
    let roots: Vec<Func> = handled.chain([start]).collect();
    let mentioned = reach::reachable(program, &roots);
    let through_pointers = gifts::called_through_pointers(program);
    let is_started = |func: Func| mentioned[func.index()] && through_pointers.contains(&func);
    let taken = reach::address_taken(program).into_iter();
    let names: Vec<String> = taken
        .filter(|&func| {
            let function = &program.functions[func];
            let name = &function.name;
            function.origin == Origin::User
                && function.body.is_some()
                && unexecuted.contains(name)
                && !checked.contains(&func)
                && !is_destructor(name)
                && !handlers.contains(name.as_str())
                && !name.ends_with("_Handler")
                && !is_started(func)
                && writes_nonvolatile(program, scenario, func)
        })
        .map(|func| format!("`{}`", program.functions[func].name))
        .collect();
    let first = names.first()?.trim_matches('`').to_owned();
    let (were, their, them) = match names.len() {
        1 => ("was", "its address is", "it"),
        _ => ("were", "their addresses are", "them"),
    };
    Some(format!(
        "{} {were} not checked: {their} in a table, and nothing that is known calls {them}\nhelp: check a task as an entry (`--entry {first}`), name tasks in `power.tasks`, or give the sources that call {them}",
        listed(&names)
    ))
}

/// Whether a function is a destructor of C++, by its name. Nobody can give its address away: tables of virtual functions have
/// it, and whoever deletes an object calls it.
fn is_destructor(name: &str) -> bool {
    name.starts_with("_ZN")
        && ["D0Ev", "D1Ev", "D2Ev"]
            .iter()
            .any(|end| name.ends_with(end))
}

/// Callbacks that do something lasting and that no execution called: where a program commits, nothing says when they come,
/// so that only static analysis looks at them.
pub fn callbacks(program: &Program, scenario: &Scenario, unexecuted: &[String]) -> Option<String> {
    if callbacks::are_executed(scenario) {
        return None;
    }
    let lasts = |name: &String| {
        let called = program
            .function(name)
            .map(|func| Called::from(program, func));
        let does = |func: Func| {
            let function = &program.functions[func];
            let mut inputs = scenario.inputs.iter().map(|input| input.source.name());
            let is_left_out = scenario.ignore.contains(&function.name)
                || inputs.any(|input| input == function.name);
            (function.body.is_none() && !is_left_out) || writes_nonvolatile(program, scenario, func)
        };
        called.is_some_and(|called| called.functions.into_iter().any(does))
    };
    let names = callbacks::tasks(program).into_iter();
    let names = names.filter(|name| unexecuted.contains(name) && lasts(name));
    let names: Vec<String> = names.map(|name| format!("`{name}`")).collect();
    let first = names.first()?.trim_matches('`').to_owned();
    let (was, they_are, them) = match names.len() {
        1 => ("was", "it is", "it"),
        _ => ("were", "they are", "them"),
    };
    Some(format!(
        "{} {was} not executed: {they_are} given to others, and nothing says when these call {them}; only static analysis looked at {them}\nhelp: give a file with a body for who is given {them}, which calls {them}, or check a callback as an entry: `--entry {first}`",
        listed(&names)
    ))
}

/// A program without a function that others can call: nothing was looked at.
pub fn nothing(program: &Program) -> Option<String> {
    let mut functions = program.functions.values();
    let is_there =
        functions.any(|function| function.origin == Origin::User && function.body.is_some());
    (!is_there).then(|| {
        "nothing was analysed: there is no function that others can call\nhelp: what is `static`, `inline`, a template or left out by `#if` is analysed with what uses it: give that file, or define what is missing (`-- -DNAME`)".to_owned()
    })
}

/// A program that does nothing but call functions without a body that are said to do nothing.
pub fn idle(program: &Program, scenario: &Scenario) -> Option<String> {
    let start = program.function(&scenario.entry)?;
    let called = Called::from(program, start);
    let is_ignored = |func: &Func| scenario.ignore.contains(&program.functions[*func].name);
    let ignored: Vec<String> = called
        .functions
        .iter()
        .filter(|func| is_ignored(func) && program.functions[**func].body.is_none())
        .map(|&func| format!("`{}`", program.functions[func].name))
        .collect();
    let does_something = called.functions.iter().any(|&func| {
        let function = &program.functions[func];
        (func != start && function.origin == Origin::User && !is_ignored(&func))
            || (function.body.is_some() && writes_something(program, func))
    });
    let is_started_otherwise = !called.through_pointers.is_empty()
        || !callbacks::tasks(program).is_empty()
        || !scenario.interrupts.is_empty();
    if ignored.is_empty() || does_something || is_started_otherwise {
        return None;
    }
    let (name, called) = (&scenario.entry, listed(&ignored));
    let is = match ignored.len() {
        1 => "is",
        _ => "are",
    };
    Some(format!(
        "nothing was checked: `{name}` does nothing but call {called}, which {is} ignored\nhelp: give the sources of what runs then, or check a task as the entry: `--entry NAME`"
    ))
}

/// Constants that a library reads and that nobody defines: no value of theirs is known.
///
/// False positives: a constant whose address the program only passes on within itself.
pub fn data(program: &Program, scenario: &Scenario) -> BTreeSet<String> {
    let is_described = |name: &str| {
        let source = Source::Register(name.to_owned());
        scenario.inputs.iter().any(|input| input.source == source)
    };
    let mut read = BTreeSet::new();
    for inst in program.user_instructions() {
        let is_passed_out = match inst.op {
            Op::Call {
                callee: Callee::Direct(callee),
                ..
            } => program.functions[callee].body.is_none(),
            _ => false,
        };
        if is_passed_out {
            continue;
        }
        // Also where the address of an element is computed first.
        inst.op.visit_operands(&program.target, |operand, _| {
            if let Operand::Global(global, _) = operand {
                let global = &program.globals[global];
                let is_undefined = global.init.is_none() && global.constant;
                if is_undefined && global.origin == Origin::User && !is_described(&global.name) {
                    read.insert(global.name.clone());
                }
            }
        });
    }
    read
}

/// Data that nobody defines and that cannot change: constants that are no device registers.
fn fixed(program: &Program) -> BTreeSet<&str> {
    let devices = volatile_globals(program);
    let globals = program.globals.iter();
    globals
        .filter(|(id, global)| global.constant && global.init.is_none() && !devices.contains(id))
        .map(|(_, global)| global.name.as_str())
        .collect()
}

/// Takes away what says that constants are inputs: they are the same in every attempt. What gives them one value
/// stays.
pub(crate) fn keep_fixed(program: &Program, scenario: &mut Scenario) {
    let fixed = fixed(program);
    let mut left_out = Vec::new();
    scenario.inputs.retain(|input| {
        let is_fixed = match &input.source {
            Source::Register(name) => fixed.contains(name.as_str()),
            _ => false,
        };
        let one_value = match &input.values {
            ValueSource::Constant(_) => true,
            ValueSource::Cycle(values) => values.len() == 1,
            _ => false,
        };
        if is_fixed && !one_value {
            left_out.push(input.source.name().to_owned());
        }
        !is_fixed || one_value
    });
    for name in left_out {
        // What was said of it as an input is not so any more.
        let as_input = format!("input `{name}` ");
        scenario.notes.retain(|note| !note.starts_with(&as_input));
        scenario.notes.push(format!(
            "`{name}` is a constant, which no power failure changes: it is no input"
        ));
    }
}

/// What to say of data that nobody describes and that was read: constants, of which no value is known, and device
/// registers.
pub fn undescribed(program: &Program, names: &BTreeSet<String>) -> Vec<String> {
    let fixed = fixed(program);
    let (constants, registers): (BTreeSet<String>, BTreeSet<String>) = names
        .iter()
        .cloned()
        .partition(|name| fixed.contains(name.split(['[', '.']).next().unwrap_or_default()));
    let mut texts: Vec<String> = unknown::registers(&registers).into_iter().collect();
    if let Some(first) = constants.first() {
        let quoted: Vec<String> = constants.iter().map(|name| format!("`{name}`")).collect();
        let (are, them, they) = match constants.len() {
            1 => ("is", "it", "it is a constant"),
            _ => ("are", "them", "they are constants"),
        };
        texts.push(format!(
            "{} {are} read, and nothing says what {} gives: taken to be 0\nhelp: {they}, the same in every attempt: give the file that defines {them}, or a value, which all elements of an array then have:\n\n    [[input]]\n    register = \"{first}\"\n    constant = 1\n",
            listed(&quoted),
            if constants.len() == 1 { "it" } else { "each" },
        ));
    }
    texts
}

/// What one function of a program may write and another one reads, both of which others call: without the one, an
/// execution of the other says little.
pub fn leaned_on(program: &Program, writer: &str, reader: &str) -> BTreeSet<String> {
    let (Some(writer), Some(reader)) = (program.function(writer), program.function(reader)) else {
        return BTreeSet::new();
    };
    let of_writer = Called::from(program, writer).functions;
    let of_reader = Called::from(program, reader).functions;
    let mut written = BTreeSet::new();
    let mut is_anything = false;
    for inst in of_writer.iter().flat_map(|&func| body(program, func)) {
        match written_place(program, inst) {
            Written::Globals(globals) => written.extend(globals),
            Written::Anything => is_anything = true,
            Written::Own => {}
        }
    }
    let mut read = BTreeSet::new();
    for &func in &of_reader {
        for inst in body(program, func) {
            // Handles of queues and timers: only whoever made them looks at them.
            let is_handle = matches!(inst.op, Op::Load { .. })
                && inst
                    .results
                    .iter()
                    .all(|&handle| is_only_given_away(program, func, handle));
            if is_handle {
                continue;
            }
            inst.op.visit_operands(&program.target, |operand, _| {
                if let Operand::Global(global, _) = operand {
                    read.insert(global);
                }
            });
        }
    }
    let names = read.into_iter().filter(|global| {
        let data = &program.globals[*global];
        let is_variable = data.origin == Origin::User && !data.constant && data.init.is_some();
        is_variable
            && (written.contains(global) || (is_anything && is_pointed_to(program, *global)))
    });
    names
        .map(|global| program.globals[global].name.clone())
        .collect()
}

/// Whether a value is nothing but an argument of functions that have no body.
fn is_only_given_away(program: &Program, func: Func, value: Value) -> bool {
    let is_it = |operand: Operand| operand == Operand::Value(value);
    let blocks = program.functions[func].body.iter();
    let mut blocks = blocks.flat_map(|body| body.blocks.values());
    blocks.all(|block| {
        let mut is_used = false;
        let terminator = &block.terminator;
        terminator.visit_operands(|operand| is_used |= is_it(operand));
        let others = block.insts.iter().filter(|inst| match inst.op {
            Op::Call {
                callee: Callee::Direct(callee),
                ..
            } => program.functions[callee].body.is_some(),
            _ => true,
        });
        for inst in others {
            let operands = |operand: Operand, _| is_used |= is_it(operand);
            inst.op.visit_operands(&program.target, operands);
        }
        !is_used
    })
}

/// Where an instruction may write.
enum Written {
    /// In objects of its own, or nowhere.
    Own,
    /// In these globals.
    Globals(Vec<Global>),
    /// Wherever pointers lead.
    Anything,
}

fn written_place(program: &Program, inst: &Inst) -> Written {
    match (written(inst), &inst.op) {
        (Some(Operand::Global(global, _)), _) => Written::Globals(vec![global]),
        (Some(Operand::Value(_)), _) => Written::Anything,
        (Some(_), _) => Written::Own,
        // A function may write what it is given, unless it was given it to keep: then others write it.
        (None, Op::Call { args, .. }) => Written::Globals(
            args.iter()
                .filter_map(|arg| match arg {
                    Operand::Global(global, _) if !program.globals[*global].constant => {
                        Some(*global)
                    }
                    _ => None,
                })
                .collect(),
        ),
        (None, _) => Written::Own,
    }
}

/// Whether the address of a global is more than the place of an access.
fn is_pointed_to(program: &Program, global: Global) -> bool {
    let is_it = |operand: Operand| matches!(operand, Operand::Global(other, _) if other == global);
    let mut held = program.globals.values().flat_map(|data| {
        let relocations = data.init.iter().flat_map(|init| &init.relocations);
        relocations.map(|relocation| relocation.symbol)
    });
    held.any(|symbol| symbol == Symbol::Global(global))
        || program.user_instructions().any(|inst| {
            let mut mentions = 0;
            inst.op.visit_operands(&program.target, |operand, _| {
                mentions += u32::from(is_it(operand))
            });
            let accessed = match inst.op {
                Op::Load { address, .. } | Op::Store { address, .. } => is_it(address),
                _ => false,
            };
            mentions > u32::from(accessed)
        })
}

/// The functions that a function calls, itself among them.
pub(crate) fn called_from(program: &Program, start: Func) -> BTreeSet<Func> {
    Called::from(program, start).functions
}

/// What code calls, from a function on.
struct Called {
    functions: BTreeSet<Func>,
    /// How many arguments are passed through pointers.
    through_pointers: BTreeSet<usize>,
}

impl Called {
    fn from(program: &Program, start: Func) -> Self {
        let mut called = Self {
            functions: BTreeSet::from([start]),
            through_pointers: BTreeSet::new(),
        };
        let mut work = vec![start];
        while let Some(func) = work.pop() {
            for inst in body(program, func) {
                let Op::Call {
                    callee, arg_types, ..
                } = &inst.op
                else {
                    continue;
                };
                match *callee {
                    Callee::Direct(callee) => {
                        let is_new = called.functions.insert(callee);
                        work.extend(is_new.then_some(callee));
                    }
                    Callee::Indirect(_) => _ = called.through_pointers.insert(arg_types.len()),
                }
            }
        }
        called
    }
}

fn body(program: &Program, func: Func) -> impl Iterator<Item = &Inst> {
    let body = program.functions[func].body.iter();
    let blocks = body.flat_map(|body| body.blocks.values());
    blocks.flat_map(|block| &block.insts)
}

/// Where an instruction writes.
fn written(inst: &Inst) -> Option<Operand> {
    match inst.op {
        Op::Store { address, .. } => Some(address),
        Op::Copy { to, .. } | Op::Fill { to, .. } => Some(to),
        _ => None,
    }
}

/// Whether a function, or what it calls, writes a variable that is non-volatile, or may do so through a pointer.
fn writes_nonvolatile(program: &Program, scenario: &Scenario, func: Func) -> bool {
    let reached = reach::reachable(program, &[func]);
    let reached = program
        .functions
        .iter()
        .filter(|(func, _)| reached[func.index()]);
    let mut insts = reached.flat_map(|(func, _)| body(program, func));
    insts.any(|inst| match written(inst) {
        Some(Operand::Global(global, _)) => {
            let name = &program.globals[global].name;
            scenario.memory.is_nonvolatile(name)
        }
        Some(Operand::Value(_)) => true,
        _ => false,
    })
}

/// Whether a function writes anything but its own objects.
fn writes_something(program: &Program, func: Func) -> bool {
    let mut places = body(program, func).filter_map(written);
    places.any(|place| !matches!(place, Operand::Slot(..)))
}
