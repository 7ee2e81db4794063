//! What sets of reads and writes settle, before any solver is asked.
//!
//! Property (OOPSLA'20 §6–7, on the sets of `flow`): a cell that a region may write needs nothing if
//! it is saved, or if it is in neither the WAR set nor the exclusive may-write set of the region:
//! then every attempt writes it before anything reads it, or all attempts write it alike. It needs
//! nothing either if nobody reads what it holds: neither this region before it is surely
//! overwritten, nor anything after the region ([`Liveness`]).
//!
//! Algorithm: a backward fixpoint over the whole program, commits being passed; at the end of the
//! program, and where it stops for good, all non-volatile memory counts. So does what an execution without
//! end never overwrites: a greatest fixpoint over what counts after commits, around the least one between them.

use std::collections::{BTreeMap, BTreeSet};

use brownout_flow::contexts::{Instance, Site};
use brownout_flow::objects::Kind;
use brownout_flow::sets::Cells;
use brownout_flow::supergraph::{END, Reason};
use brownout_flow::{Boundaries, Entries, Model};
use brownout_ir::{Id, Op, Operand};

/// How often what counts after commits is computed from what counts after the next ones. It becomes less, and
/// is enough after every round.
const ROUNDS: usize = 16;

/// For every node, the cells that somebody may read before they are surely overwritten, or that are never
/// overwritten.
#[derive(Debug)]
pub struct Liveness {
    entering: Vec<Cells>,
    /// What is alive after a commit.
    pub commits: BTreeMap<Reason, Cells>,
    /// What counts at the end.
    pub end: Cells,
}

impl Liveness {
    /// Solves it for a program.
    pub fn new(model: &Model<'_>) -> Self {
        let count = model.flow.nodes.len();
        let end = counting(model);
        let none = Cells::with_capacity(model.accesses.cells.len());
        let continuations = continuations(model);
        let cyclic = model.flow.graph.cyclic();
        let mut leaving = vec![none; count];
        leaving[END as usize] = end.clone();
        for node in 0..count {
            // It stops there for good.
            if cyclic[node] && !model.flow.ends[node] {
                leaving[node] = end.clone();
            }
        }
        let mut edges = following(model);
        let mut entering = solve(model, &edges, &leaving);
        // An execution that commits again and again need not end: what it never overwrites stays what it is,
        // and counts. So after commits everything counts at first, and then what is left of that.
        let after = |node: u32| {
            let last = model.steps(node).last();
            let reason = last.map(|(site, _)| Reason::Checkpoint(site))?;
            continuations.get(&reason)
        };
        let committing = (0..count as u32).filter_map(|node| Some((node, after(node)?)));
        let committing: Vec<(u32, &Vec<u32>)> = committing.collect();
        for (node, nodes) in &committing {
            edges[*node as usize].clear();
            leaving[*node as usize] = united(&entering, nodes);
            leaving[*node as usize].union_with(&end);
        }
        for _ in 0..ROUNDS {
            entering = solve(model, &edges, &leaving);
            let mut is_stable = true;
            for (node, nodes) in &committing {
                let alive = united(&entering, nodes);
                is_stable &= leaving[*node as usize] == alive;
                leaving[*node as usize] = alive;
            }
            if is_stable {
                break;
            }
        }
        let commits = continuations.iter();
        let commits = commits.map(|(reason, nodes)| (*reason, united(&entering, nodes)));
        Self {
            commits: commits.collect(),
            entering,
            end,
        }
    }

    /// What is alive when a node is entered.
    pub fn entering(&self, node: u32) -> &Cells {
        &self.entering[node as usize]
    }
}

/// What is alive when one of some nodes is entered.
fn united(entering: &[Cells], nodes: &[u32]) -> Cells {
    let mut alive = Cells::new();
    let nodes = nodes.iter();
    nodes.for_each(|node| alive.union_with(&entering[*node as usize]));
    alive
}

/// What is alive when each node is entered, given what counts where it is left.
fn solve(model: &Model<'_>, following: &[Vec<u32>], leaving: &[Cells]) -> Vec<Cells> {
    let mut preceding: Vec<Vec<u32>> = vec![Vec::new(); following.len()];
    for (node, next) in following.iter().enumerate() {
        let next = next.iter();
        next.for_each(|to| preceding[*to as usize].push(node as u32));
    }
    let none = Cells::with_capacity(model.accesses.cells.len());
    let mut entering = vec![none; following.len()];
    let mut open: Vec<u32> = (0..following.len() as u32).collect();
    while let Some(node) = open.pop() {
        let mut alive = leaving[node as usize].clone();
        for &next in &following[node as usize] {
            alive.union_with(&entering[next as usize]);
        }
        pass(model, node, &mut alive);
        if !alive.is_subset(&entering[node as usize]) {
            entering[node as usize].union_with(&alive);
            open.extend(&preceding[node as usize]);
        }
    }
    entering
}

/// What counts at the end: non-volatile memory, and for a library all that its next call can read.
fn counting(model: &Model<'_>) -> Cells {
    let mut end = model.nonvolatile.clone();
    if let Entries::Library(_) = model.setting.entries {
        for (index, cell) in model.accesses.cells.iter().enumerate() {
            let kind = model.points_to.objects.data(cell.object).kind;
            end.set(index, !matches!(kind, Kind::Slot(..) | Kind::Stack(_)));
        }
    }
    end
}

/// For every commit, where execution goes on.
fn continuations(model: &Model<'_>) -> BTreeMap<Reason, Vec<u32>> {
    let mut found = BTreeMap::new();
    let roots: Vec<u32> = model
        .contexts
        .roots
        .iter()
        .filter_map(|root| model.flow.first(*root, model.contexts.body(*root)?.entry()))
        .collect();
    for start in &model.flow.starts {
        if let Reason::Checkpoint(_) = start.reason {
            let mut nodes = vec![start.node];
            // After a transition any task may come next.
            if model.setting.boundaries == Boundaries::Tasks {
                nodes.extend(&roots);
            }
            found.insert(start.reason, nodes);
        }
    }
    found
}

/// The edges of the whole program, commits being passed.
pub(crate) fn following(model: &Model<'_>) -> Vec<Vec<u32>> {
    let graph = &model.flow.graph;
    let continuations = continuations(model);
    let mut all: Vec<Vec<u32>> = Vec::with_capacity(graph.len());
    for node in 0..graph.len() as u32 {
        let last = model
            .steps(node)
            .last()
            .map(|(site, _)| Reason::Checkpoint(site));
        let commit = last.and_then(|reason| continuations.get(&reason));
        let mut next = graph.successors(node).to_vec();
        if let Some(nodes) = commit {
            next.retain(|to| *to != END);
            next.extend(nodes);
        }
        all.push(next);
    }
    all
}

/// What is alive before a node, given what is alive after it.
fn pass(model: &Model<'_>, node: u32, alive: &mut Cells) {
    let steps: Vec<Site> = model.steps(node).map(|(site, _)| site).collect();
    for site in steps.iter().rev() {
        let Some(effects) = model.effects(*site) else {
            continue;
        };
        for touch in effects.writes.iter().filter(|touch| touch.sure) {
            alive.remove_range(touch.cells.start as usize..touch.cells.end as usize);
        }
        for touch in &effects.reads {
            alive.insert_range(touch.cells.start as usize..touch.cells.end as usize);
        }
    }
    for touch in model.node(node).filled.iter().filter(|touch| touch.sure) {
        alive.remove_range(touch.cells.start as usize..touch.cells.end as usize);
    }
}

/// What in a region neither the sets nor the solver can follow.
pub fn obstacle(model: &Model<'_>, nodes: &[u32]) -> Option<String> {
    let name = |func: brownout_ir::Func| format!("`{}`", model.program.functions[func].name);
    let gaps: BTreeSet<_> = model.setting.gaps.keys().collect();
    for &node in nodes {
        for (site, inst) in model.steps(node) {
            if model.accesses.lost.contains(&site) {
                return Some("memory through a pointer made from a number".to_owned());
            }
            if model.flow.unresolved.contains(&site) {
                return Some("a call of an unknown function".to_owned());
            }
            if gaps.contains(&(model.func(site.instance), inst.place)) {
                return Some("code that could not be translated".to_owned());
            }
            if is_at_address(model, site) && !is_volatile(&inst.op) {
                return Some("memory at a fixed address".to_owned());
            }
            match &inst.op {
                Op::Call {
                    callee: brownout_ir::Callee::Direct(func),
                    args,
                    ..
                } => {
                    if model.is_unknown_call(site) {
                        return Some(format!("{} has no body", name(*func)));
                    }
                    let code = model.contexts.code[func.index()].is_some();
                    if !code && !model.setting.roles.contains_key(func) {
                        let function = &model.program.functions[*func].name;
                        if reads_through_pointers(model, function, args) {
                            return Some(format!("{} is given text in memory", name(*func)));
                        }
                        let effects = brownout_flow::library::model(function).unwrap_or(&[]);
                        let heap = effects.contains(&brownout_flow::library::Effect::Allocates)
                            || function == "free"
                            || function == "cfree";
                        if heap && model.setting.heap {
                            return Some("allocation in non-volatile memory".to_owned());
                        }
                    }
                }
                Op::Call {
                    callee: brownout_ir::Callee::Indirect(address),
                    ..
                } => {
                    let functions = model.points_to.functions(site.instance, *address);
                    let bodies = &model.contexts.code;
                    if functions.iter().any(|func| bodies[func.index()].is_none()) {
                        return Some("a call of a function without a body".to_owned());
                    }
                }
                Op::Service {
                    service: brownout_ir::Service::SetJump | brownout_ir::Service::LongJump,
                    ..
                } => return Some("a jump across functions".to_owned()),
                _ => {}
            }
        }
    }
    None
}

/// Whether an instruction ends the program because something is wrong.
pub fn dies(model: &Model<'_>, op: &Op) -> bool {
    use brownout_ir::Service::{Abort, AssertFail, BadFree, Trap};
    match op {
        Op::Service { service, .. } => matches!(service, Abort | AssertFail | Trap | BadFree),
        Op::Call {
            callee: brownout_ir::Callee::Direct(func),
            ..
        } => {
            let known = brownout_flow::library::model(&model.program.functions[*func].name);
            let dies = brownout_flow::library::Effect::Dies;
            model.contexts.code[func.index()].is_none()
                && !model.setting.roles.contains_key(func)
                && known.is_some_and(|effects| effects.contains(&dies))
        }
        _ => false,
    }
}

/// Whether an instruction may access memory at an address that the program names by number.
fn is_at_address(model: &Model<'_>, site: Site) -> bool {
    let Some(effects) = model.effects(site) else {
        return false;
    };
    let mut touches = effects.reads.iter().chain(&effects.writes);
    touches.any(|touch| {
        let mut cells = touch.cells.clone();
        cells.any(|cell| {
            let object = model.accesses.cells[cell as usize].object;
            model.points_to.objects.data(object).kind == Kind::Absolute
        })
    })
}

fn is_volatile(op: &Op) -> bool {
    matches!(
        op,
        Op::Load { volatile: true, .. } | Op::Store { volatile: true, .. }
    )
}

/// Whether the program prints text.
pub fn prints(model: &Model<'_>) -> bool {
    const PRINTING: [&str; 9] = [
        "printf", "vprintf", "fprintf", "vfprintf", "puts", "fputs", "putchar", "putc", "fputc",
    ];
    let nodes = 0..model.flow.nodes.len() as u32;
    let mut steps = nodes.flat_map(|node| model.steps(node));
    steps.any(|(_, inst)| match &inst.op {
        Op::Service { service, .. } => *service == brownout_ir::Service::Write,
        Op::Call {
            callee: brownout_ir::Callee::Direct(func),
            ..
        } => {
            let name = model.program.functions[*func].name.as_str();
            !model.setting.roles.contains_key(func) && PRINTING.contains(&name)
        }
        _ => false,
    })
}

/// Whether the program accesses device registers by their addresses.
pub fn has_registers_at_addresses(model: &Model<'_>) -> bool {
    let nodes = 0..model.flow.nodes.len() as u32;
    nodes
        .flat_map(|node| model.steps(node))
        .any(|(site, _)| is_at_address(model, site))
}

/// Whether a region gets values from outside that the sets take for the same in every attempt: the
/// time, and what functions return whose calls are not followed.
pub fn reads_unnoticed(model: &Model<'_>, nodes: &[u32]) -> bool {
    let mut steps = nodes.iter().flat_map(|node| model.steps(*node));
    steps.any(|(_, inst)| match &inst.op {
        Op::Service { service, .. } => *service == brownout_ir::Service::Clock,
        Op::Call {
            callee: brownout_ir::Callee::Direct(func),
            ..
        } => {
            let silent = model.setting.roles.get(func) == Some(&brownout_flow::Role::Silent);
            silent && !inst.results.is_empty()
        }
        _ => false,
    })
}

/// Whether a function of the library reads memory that its arguments do not point to directly.
fn reads_through_pointers(model: &Model<'_>, name: &str, args: &[Operand]) -> bool {
    let format = match name {
        "printf" | "vprintf" => 0,
        "fprintf" | "vfprintf" | "sprintf" | "vsprintf" => 1,
        "snprintf" | "vsnprintf" => 2,
        _ => return false,
    };
    let Some(Operand::Global(global, offset)) = args.get(format) else {
        return true;
    };
    let data = &model.program.globals[*global];
    let (true, Some(init), Ok(offset)) = (data.constant, &data.init, usize::try_from(*offset))
    else {
        return true;
    };
    let text = init.bytes.get(offset..).unwrap_or(&[]);
    let mut letters = text.iter().copied().take_while(|byte| *byte != 0);
    while let Some(letter) = letters.next() {
        if letter != b'%' {
            continue;
        }
        let conversion = letters.find(|letter| {
            letter.is_ascii_alphabetic() && !b"hlLjztq".contains(letter) || *letter == b'%'
        });
        if matches!(conversion, Some(b's' | b'n' | b'S') | None) {
            return true;
        }
    }
    false
}

/// The code that a handler executes.
pub fn handler_nodes(model: &Model<'_>, handler: brownout_ir::Func) -> Vec<u32> {
    let roots = model.contexts.roots.iter();
    let roots = roots.filter(|root| model.func(**root) == handler);
    let first = |root: &Instance| model.flow.first(*root, model.contexts.body(*root)?.entry());
    let roots: Vec<u32> = roots.filter_map(first).collect();
    model.flow.graph.reach(&roots, |to| to != END)
}

/// Adds what a node may read and write.
pub fn touched(model: &Model<'_>, node: u32, reads: &mut Cells, writes: &mut Cells) {
    for (site, _) in model.steps(node) {
        if let Some(effects) = model.effects(site) {
            for touch in &effects.reads {
                reads.insert_range(touch.cells.start as usize..touch.cells.end as usize);
            }
            for touch in &effects.writes {
                writes.insert_range(touch.cells.start as usize..touch.cells.end as usize);
            }
        }
    }
}

/// The cells of globals that are excluded from comparison.
pub fn cells_of(model: &Model<'_>, globals: &BTreeSet<brownout_ir::Global>) -> Cells {
    let mut found = Cells::with_capacity(model.accesses.cells.len());
    for (index, cell) in model.accesses.cells.iter().enumerate() {
        let kind = model.points_to.objects.data(cell.object).kind;
        if matches!(kind, Kind::Global(global) if globals.contains(&global)) {
            found.insert(index);
        }
    }
    found
}
