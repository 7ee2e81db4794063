//! Functions in their calling contexts.
//!
//! The analyses see each function once per context, so that two callers of one helper do not mix.
//! A context is the string of calls that led to a function, cut to as many calls as the size of
//! the program allows; functions that call each other share one context per outside caller.
//!
//! **Invariant**: every execution of the program is a walk through instances: a call in an
//! instance leads to the instances that [`Contexts::callees`] lists.

use std::collections::{BTreeMap, BTreeSet};

use brownout_ir::verify::Dominators;
use brownout_ir::{Block, Body, Callee, Func, Function, Id, Op, Origin, Program};
use rustc_hash::FxHashMap;

use crate::decided::decided;
use crate::fills::{LoopFill, Natural, loop_fills, loops};
use crate::graph::Graph;
use crate::library;
use crate::patience::{Interrupt, Stopped};
use crate::promote::{Accesses, promote};
use crate::ranges::{Range, Ranges, Readings, ranges};
use crate::setting::{Entries, Restart, Setting};
use crate::threads::taken_apart;

brownout_ir::ids! {
    /// A function in a context.
    Instance "i";
}

/// An instruction of a function; the index behind the last one is the terminator.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct At {
    /// The block.
    pub block: Block,
    /// The position in it.
    pub index: u32,
}

/// An instruction in a context.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Site {
    /// The function in its context.
    pub instance: Instance,
    /// The instruction.
    pub at: At,
}

/// A function made ready.
#[derive(Debug)]
pub struct Code {
    /// Its body, with locals as values.
    pub body: Body,
    /// Which blocks are on every path to a block.
    pub dominators: Dominators,
    /// Its loops that store something.
    pub loops: Vec<Natural>,
    /// The blocks that can be executed again by the same activation.
    pub cyclic: Vec<bool>,
    /// How many instructions it has.
    pub size: usize,
}

/// What indirect calls may call, as far as it is known.
pub type Targets = BTreeMap<(Func, At), BTreeSet<Func>>;

/// Everything known of one function in one context.
#[derive(Debug)]
pub struct Activation {
    /// The function.
    pub func: Func,
    /// The call that leads here, if it is the only one.
    pub caller: Option<Site>,
    /// Whether two activations can exist at the same time.
    pub recursive: bool,
    /// The number of its first value among those of all instances.
    pub first_value: u32,
    /// What its values can be.
    pub ranges: Ranges,
    /// What its loops overwrite from end to end.
    pub fills: Vec<LoopFill>,
}

/// All functions in all their contexts.
#[derive(Debug)]
pub struct Contexts {
    /// The bodies, by function.
    pub code: Vec<Option<Code>>,
    /// The instances.
    pub instances: Vec<Activation>,
    /// The instances where execution begins.
    pub roots: Vec<Instance>,
    /// Whom each call calls.
    pub callees: FxHashMap<Site, Vec<Instance>>,
    /// How many values all instances have.
    pub values: usize,
    /// Whether each root is executed once.
    once: bool,
}

/// How long a call string can be, longest first.
const LENGTHS: [usize; 6] = [24, 8, 4, 2, 1, 0];
/// How many instructions instances may have in total, beyond those of the program.
const ROOM: usize = 200_000;

/// The bodies of all functions, prepared.
///
/// # Errors
/// If they are not wanted any more.
pub fn prepare(program: &Program, setting: &Setting) -> Result<Vec<Option<Code>>, Stopped> {
    let accesses = if setting.stack {
        Accesses::Keep
    } else {
        Accesses::Drop
    };
    let functions = program.functions.iter();
    functions
        .map(|(func, function)| {
            setting.interrupt.go_on()?;
            Ok(prepared(program, setting, func, function, accesses))
        })
        .collect()
}

fn prepared(
    program: &Program,
    setting: &Setting,
    func: Func,
    function: &Function,
    accesses: Accesses,
) -> Option<Code> {
    let body = function.body.as_ref()?;
    let modelled = function.origin == Origin::Library && library::model(&function.name).is_some();
    if setting.roles.contains_key(&func) || modelled || body.blocks.is_empty() {
        return None;
    }
    let body = match setting.unpromoted.contains(&func) {
        true => body.clone(),
        false => {
            let body = taken_apart(body, &program.target);
            let body = promote(&body, &program.target, accesses);
            match setting.follows_decided {
                true => decided(body, &program.target, accesses),
                false => body,
            }
        }
    };
    let size = body.blocks.values().map(|data| data.insts.len() + 1).sum();
    let dominators = Dominators::new(&body);
    Some(Code {
        loops: loops(&body, &dominators),
        cyclic: cyclic(&body),
        dominators,
        body,
        size,
    })
}

/// The blocks that can be reached from themselves.
fn cyclic(body: &Body) -> Vec<bool> {
    let mut graph = Graph::new(body.blocks.len());
    for (block, data) in body.blocks.iter() {
        for edge in data.terminator.edges() {
            graph.connect(block.index() as u32, edge.block.index() as u32);
        }
    }
    graph.cyclic()
}

/// Splits functions into contexts.
///
/// # Errors
/// If they are not wanted any more.
pub fn contexts(
    program: &Program,
    setting: &Setting,
    code: Vec<Option<Code>>,
    targets: &Targets,
) -> Result<Contexts, Stopped> {
    let roots: Vec<Func> = match (&setting.entries, setting.restart) {
        (_, Restart::Function) => functions_to_start_at(program, &code, setting, targets),
        (entries, _) => entries.all(),
    };
    let calls = calls(&code, targets);
    let groups = groups(&calls);
    let total: usize = code.iter().flatten().map(|code| code.size).sum();
    let room = 2 * total + ROOM;
    for length in LENGTHS {
        let mut split = Split {
            program,
            readings: &setting.readings,
            code: &code,
            targets,
            groups: &groups,
            length,
            known: FxHashMap::default(),
            instances: Vec::new(),
            callees: FxHashMap::default(),
            size: 0,
            values: 0,
        };
        let room = if length == 0 { usize::MAX } else { room };
        let done = split.run(&roots, room, setting.interrupt)?;
        if let Some(starts) = done {
            let Split {
                instances,
                callees,
                values,
                ..
            } = split;
            return Ok(Contexts {
                code,
                instances,
                roots: starts,
                callees,
                values,
                once: matches!(setting.entries, Entries::Program(..))
                    && setting.restart != Restart::Function,
            });
        }
    }
    // The last length has all the room it wants.
    Ok(Contexts {
        code,
        instances: Vec::new(),
        roots: Vec::new(),
        callees: FxHashMap::default(),
        values: 0,
        once: false,
    })
}

impl Contexts {
    /// What is known of an instance.
    pub fn activation(&self, instance: Instance) -> &Activation {
        &self.instances[instance.index()]
    }

    /// The body of an instance.
    pub fn body(&self, instance: Instance) -> Option<&Body> {
        let func = self.activation(instance).func;
        self.code[func.index()].as_ref().map(|code| &code.body)
    }

    /// Whether an instruction is executed once at most, because nothing that leads there repeats.
    pub fn is_executed_once(&self, site: Site) -> bool {
        let mut site = site;
        loop {
            let activation = self.activation(site.instance);
            let code = self.code[activation.func.index()].as_ref();
            let repeats = code.is_none_or(|code| code.cyclic[site.at.block.index()]);
            if repeats || activation.recursive {
                return false;
            }
            match activation.caller {
                Some(caller) => site = caller,
                None => return self.once && self.roots.first() == Some(&site.instance),
            }
        }
    }

    /// Whom a call calls.
    pub fn callees(&self, site: Site) -> &[Instance] {
        self.callees.get(&site).map_or(&[], Vec::as_slice)
    }

    /// All instances.
    pub fn ids(&self) -> impl Iterator<Item = Instance> + use<> {
        (0..self.instances.len()).map(Instance::from_index)
    }
}

/// With a restart at every function: all that the program can get to, or all of a library.
fn functions_to_start_at(
    program: &Program,
    code: &[Option<Code>],
    setting: &Setting,
    targets: &Targets,
) -> Vec<Func> {
    let calls = calls(code, targets);
    let mut open = setting.entries.all();
    let mut found = BTreeSet::new();
    while let Some(func) = open.pop() {
        if code[func.index()].is_some() && found.insert(func) {
            open.extend(&calls[func.index()]);
        }
    }
    let user = |func: &Func| program.functions[*func].origin == Origin::User;
    found.into_iter().filter(user).collect()
}

/// For every function, those it can call.
fn calls(code: &[Option<Code>], targets: &Targets) -> Vec<Vec<Func>> {
    let mut calls: Vec<Vec<Func>> = vec![Vec::new(); code.len()];
    for (index, code) in code.iter().enumerate() {
        let Some(code) = code else { continue };
        for (block, data) in code.body.blocks.iter() {
            for (position, inst) in data.insts.iter().enumerate() {
                let at = At {
                    block,
                    index: position as u32,
                };
                calls[index].extend(called(Func::from_index(index), at, &inst.op, targets));
            }
        }
        calls[index].sort_unstable();
        calls[index].dedup();
    }
    calls
}

/// The functions that an instruction can call.
fn called(func: Func, at: At, op: &Op, targets: &Targets) -> Vec<Func> {
    match op {
        Op::Call {
            callee: Callee::Direct(callee),
            ..
        } => vec![*callee],
        Op::Call {
            callee: Callee::Indirect(_),
            ..
        } => {
            let found = targets.get(&(func, at)).into_iter();
            found.flatten().copied().collect()
        }
        _ => vec![],
    }
}

/// For every function, the number of the group of functions that call each other, and whether it
/// can call itself.
fn groups(calls: &[Vec<Func>]) -> Vec<(u32, bool)> {
    let mut graph = Graph::new(calls.len());
    for (from, callees) in calls.iter().enumerate() {
        for callee in callees {
            graph.connect(from as u32, callee.index() as u32);
        }
    }
    let recursive = graph.cyclic();
    graph.components().into_iter().zip(recursive).collect()
}

type CallString = Vec<(Func, At)>;

struct Split<'p> {
    program: &'p Program,
    readings: &'p Readings,
    code: &'p [Option<Code>],
    targets: &'p Targets,
    groups: &'p [(u32, bool)],
    length: usize,
    known: FxHashMap<(Func, CallString), Instance>,
    instances: Vec<Activation>,
    callees: FxHashMap<Site, Vec<Instance>>,
    size: usize,
    values: usize,
}

impl Split<'_> {
    /// Makes all instances; none if they would take more room than there is.
    fn run(
        &mut self,
        roots: &[Func],
        room: usize,
        interrupt: Interrupt,
    ) -> Result<Option<Vec<Instance>>, Stopped> {
        let mut open = Vec::new();
        let mut starts = Vec::new();
        for (index, &root) in roots.iter().enumerate() {
            // Each root has a context of its own: nobody calls it.
            let own = At {
                block: Block::from_index(index),
                index: u32::MAX,
            };
            let string = vec![(root, own)];
            if let Some(instance) = self.instance(root, string, None, &[], &mut open) {
                starts.push(instance);
            }
        }
        while let Some((instance, string)) = open.pop() {
            interrupt.go_on()?;
            if self.size > room {
                return Ok(None);
            }
            self.expand(instance, &string, &mut open);
        }
        Ok(Some(starts))
    }

    fn expand(
        &mut self,
        instance: Instance,
        string: &CallString,
        open: &mut Vec<(Instance, CallString)>,
    ) {
        let func = self.instances[instance.index()].func;
        let Some(code) = &self.code[func.index()] else {
            return;
        };
        for (block, data) in code.body.blocks.iter() {
            if !self.is_reached(instance, block) {
                continue;
            }
            for (index, inst) in data.insts.iter().enumerate() {
                let at = At {
                    block,
                    index: index as u32,
                };
                for callee in called(func, at, &inst.op, self.targets) {
                    let site = Site { instance, at };
                    let next = self.extended(func, callee, at, string);
                    let arguments = self.arguments(instance, &inst.op);
                    let alone = next.len() <= self.length && !self.groups[callee.index()].1;
                    let caller = alone.then_some(site);
                    if let Some(to) = self.instance(callee, next, caller, &arguments, open) {
                        let list = self.callees.entry(site).or_default();
                        if !list.contains(&to) {
                            list.push(to);
                        }
                    }
                }
            }
        }
    }

    fn is_reached(&self, instance: Instance, block: Block) -> bool {
        let ranges = &self.instances[instance.index()].ranges;
        ranges.is_reached(block)
    }

    /// The context of a callee. Functions that call each other stay in the context of the first.
    fn extended(&self, func: Func, callee: Func, at: At, string: &CallString) -> CallString {
        if self.groups[func.index()].0 == self.groups[callee.index()].0 {
            return string.clone();
        }
        let mut next = string.clone();
        next.push((func, at));
        let excess = next.len().saturating_sub(self.length + 1);
        next.drain(..excess);
        next
    }

    fn arguments(&self, caller: Instance, op: &Op) -> Vec<Range> {
        let Op::Call {
            args, arg_types, ..
        } = op
        else {
            return vec![];
        };
        let ranges = &self.instances[caller.index()].ranges;
        let types = args.iter().zip(arg_types);
        types
            .map(|(&arg, ty)| ranges.of(arg, ty.bits(&self.program.target)))
            .collect()
    }

    /// The instance of a function in a context, new or known.
    fn instance(
        &mut self,
        func: Func,
        string: CallString,
        caller: Option<Site>,
        arguments: &[Range],
        open: &mut Vec<(Instance, CallString)>,
    ) -> Option<Instance> {
        let code = self.code[func.index()].as_ref()?;
        if let Some(&known) = self.known.get(&(func, string.clone())) {
            self.instances[known.index()].caller = None;
            return Some(known);
        }
        let instance = Instance::from_index(self.instances.len());
        // What is passed is known only if there is one caller.
        let arguments = if caller.is_some() { arguments } else { &[] };
        let ranges = ranges(
            self.program,
            self.readings,
            &code.body,
            &code.dominators,
            arguments,
        );
        self.instances.push(Activation {
            func,
            caller,
            recursive: self.groups[func.index()].1,
            first_value: self.values as u32,
            fills: loop_fills(
                self.program,
                &code.body,
                &code.dominators,
                &code.loops,
                &ranges,
            ),
            ranges,
        });
        self.values += code.body.values.len();
        self.size += code.size;
        self.known.insert((func, string.clone()), instance);
        open.push((instance, string));
        Some(instance)
    }
}
