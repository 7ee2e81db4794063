//! The outermost loops of a program: where a device that never commits is at rest between two rounds
//! (SEMANTICS §2, `restart`).
//!
//! The *outermost* loops of a function are its strongly connected components: blocks that can all be
//! reached from one another. The *head* is the block at which a loop is entered. Optimising compilers, and
//! coroutines that go on where they were (`switch (at) { case 0: for (;;) { …; case 1: …`), make loops that
//! are entered at several blocks; then it is the one of them that rounds pass whatever way they came in: what
//! can be executed before it goes round as little as possible. Of several such blocks it is the first in the
//! source. A head that does nothing but go on to another block of the loop stands for
//! that block: where one loop goes on in two ways, compilers make two loops of it, one inside the other. If the program is known
//! to stay in the inner one for ever, its head is the one (`Loops::of` goes by the heads that an image pauses at).
//!
//! A loop of a function is outermost in the program if none of the calls that lead to it lies in a loop.

use std::collections::{BTreeMap, BTreeSet};

use brownout_ir::source::SourceMap;
use brownout_ir::verify::Dominators;
use brownout_ir::{
    Block, BlockData, Body, Callee, Func, Function, Id, Op, Origin, Program, Terminator,
    components, reach,
};

use crate::image::Image;
use crate::interrupts::{HANDLER, SLEEP};
use crate::machine::Machine;
use crate::tasks::TRANSITION;

/// The loops of the user's functions.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Loops {
    /// Heads of loops that lie in no other loop of their function.
    heads: BTreeSet<(Func, Block)>,
    /// Those of them that no path leaves: the program is in such a loop to the end.
    endless: BTreeSet<(Func, Block)>,
    /// For every function, the head of the outermost loop that each of its blocks is in.
    around: BTreeMap<Func, Vec<Option<Block>>>,
    /// Functions that go round and never return, so that it does not matter which loops they are called in:
    /// where the program sleeps, if nothing ends a sleep, and where it goes from task to task.
    last: BTreeSet<Func>,
}

impl Loops {
    /// Finds the loops of a program that starts at `start`. Heads are those that can be outermost.
    pub fn new(program: &Program, start: Func) -> Self {
        Self::with_heads(program, start, &BTreeSet::new())
    }

    /// The loops of an image, with the heads that it pauses at.
    pub fn of(image: &Image) -> Self {
        Self::with_heads(image.program(), image.start(), &image.bindings().loop_heads)
    }

    /// The same if these blocks are heads of the loops that they are in.
    fn with_heads(program: &Program, start: Func, known: &BTreeSet<(Func, Block)>) -> Self {
        let mut loops = Self::default();
        let has_handlers = (program.function(HANDLER))
            .is_some_and(|dispatch| program.functions[dispatch].body.is_some());
        let mut heads: BTreeMap<Func, Vec<Block>> = BTreeMap::new();
        for (func, function) in program.functions.iter() {
            let Some(body) = &function.body else { continue };
            let blocks = known
                .range((func, Block::from_index(0))..)
                .take_while(|it| it.0 == func);
            let known = blocks.map(|&(_, block)| block).collect();
            let mut found = outermost_loops(&program.source, body, &known);
            if !has_handlers {
                found.leave_out_rest(body);
            }
            loops.around.insert(func, found.around);
            // Where a program sleeps, it goes round from interrupt to interrupt.
            let sleeps = function.name == SLEEP;
            // Where nothing else leads from task to task, it goes round there.
            let goes_round = function.name == TRANSITION;
            if function.origin == Origin::User || sleeps || goes_round {
                let is_last = goes_round || sleeps && !wakes(program);
                if is_last {
                    loops.last.insert(func);
                }
                let endless = match is_last {
                    true => &found.heads,
                    false => &found.endless,
                };
                loops
                    .endless
                    .extend(endless.iter().map(|&head| (func, head)));
                heads.insert(func, found.heads);
            }
        }
        let mut entered = loops.entered_outside_loops(program, start);
        entered.extend(&loops.last);
        for func in entered {
            let outermost = heads.remove(&func).unwrap_or_default();
            let outermost = outermost.into_iter().map(|head| (func, head));
            loops.heads.extend(outermost);
        }
        loops
    }

    /// The heads, for [`crate::Bindings::loop_heads`].
    pub fn heads(&self) -> &BTreeSet<(Func, Block)> {
        &self.heads
    }

    /// The operations at which loops begin that no path leaves.
    pub fn endless(&self, image: &Image) -> BTreeSet<u32> {
        let heads = self.endless.intersection(&self.heads);
        heads
            .filter_map(|&(func, block)| image.blocks(func).get(block.index()).copied())
            .collect()
    }

    /// Functions that can be called with no loop around any of the calls.
    fn entered_outside_loops(&self, program: &Program, start: Func) -> BTreeSet<Func> {
        let mut found = BTreeSet::from([start]);
        let mut open = vec![start];
        let taken = reach::address_taken(program);
        while let Some(func) = open.pop() {
            let Some(body) = &program.functions[func].body else {
                continue;
            };
            for (block, data) in body.blocks.iter() {
                if self.contains(func, block) {
                    continue;
                }
                for inst in &data.insts {
                    let callees: Vec<Func> = match &inst.op {
                        Op::Call {
                            callee: Callee::Direct(callee),
                            ..
                        } => vec![*callee],
                        Op::Call {
                            callee: Callee::Indirect(_),
                            ..
                        } => taken.iter().copied().collect(),
                        _ => continue,
                    };
                    open.extend(callees.into_iter().filter(|&callee| found.insert(callee)));
                }
            }
        }
        found
    }

    /// Whether a block is the head of a loop that can be outermost.
    pub(crate) fn is_head(&self, func: Func, block: Block) -> bool {
        self.heads.contains(&(func, block))
    }

    fn contains(&self, func: Func, block: Block) -> bool {
        self.head_around(func, block).is_some()
    }

    /// The head of the outermost loop of a function that a block is in.
    fn head_around(&self, func: Func, block: Block) -> Option<Block> {
        self.around.get(&func)?.get(block.index()).copied()?
    }

    /// The operation at which the outermost loop begins that a machine is in, if it is in one.
    pub fn around(&self, machine: &Machine<'_>) -> Option<u32> {
        let calls = machine.backtrace();
        let is_last = (calls.first()).is_some_and(|(func, _)| self.last.contains(func));
        let outermost_first = calls.iter().rev();
        let decisive = outermost_first.skip(if is_last { calls.len() - 1 } else { 0 });
        decisive.copied().find_map(|(func, pc)| {
            let image = machine.image();
            let head = self.head_around(func, block_of(image, func, pc)?)?;
            image.blocks(func).get(head.index()).copied()
        })
    }

    /// The operations at which all loops around a machine begin, of each function the outermost one.
    pub fn all_around(&self, machine: &Machine<'_>) -> Vec<u32> {
        let image = machine.image();
        let calls = machine.backtrace().into_iter();
        let heads = calls.filter_map(|(func, pc)| {
            let head = self.head_around(func, block_of(image, func, pc)?)?;
            image.blocks(func).get(head.index()).copied()
        });
        heads.collect()
    }

    /// The head of the loop that a machine is in inside the outermost one around it, if all rounds of that pass it, too: with
    /// the head of the outermost one.
    pub fn inner_head(&self, machine: &Machine<'_>) -> Option<(Func, Block, Block)> {
        let image = machine.image();
        let calls = machine.backtrace();
        let mut outermost_first = calls.into_iter().rev();
        let (func, here, head) = outermost_first.find_map(|(func, pc)| {
            let here = block_of(image, func, pc)?;
            Some((func, here, self.head_around(func, here)?))
        })?;
        let body = image.program().functions[func].body.as_ref()?;
        let inner = inner_loop(body, head, here)?;
        let goes_round_without = |block: Block| {
            let bare = without(body, block);
            goes_round(&bare, head.index())
        };
        (!goes_round_without(inner)).then_some((func, head, inner))
    }

    /// Whether a machine that has just passed the head of a loop has passed an outermost one: none of
    /// the calls in progress lies in a loop.
    pub fn is_outermost(&self, machine: &Machine<'_>) -> bool {
        let calls = machine.backtrace();
        if (calls.first()).is_some_and(|(func, _)| self.last.contains(func)) {
            return true;
        }
        let mut callers = calls.iter().skip(1);
        callers.all(|&(func, pc)| {
            let block = block_of(machine.image(), func, pc);
            block.is_none_or(|block| !self.contains(func, block))
        })
    }
}

/// Whether the user's code can end a sleep.
fn wakes(program: &Program) -> bool {
    let mut users = program.functions.values();
    users.any(|function| ends_sleep(program, function))
}

/// Whether a handler can end a sleep, itself or in what it calls.
pub fn can_wake(program: &Program, handler: Func) -> bool {
    let reached = reach::reachable(program, &[handler]);
    let mut functions = program.functions.iter();
    functions.any(|(func, function)| reached[func.index()] && ends_sleep(program, function))
}

fn ends_sleep(program: &Program, function: &Function) -> bool {
    let body = function.body.as_ref();
    let body = body.filter(|_| function.origin == Origin::User);
    let mut insts = body
        .into_iter()
        .flat_map(|body| body.blocks.values().flat_map(|block| &block.insts));
    insts.any(|inst| match inst.op {
        Op::Call {
            callee: Callee::Direct(callee),
            ..
        } => is_end_of_sleep(program, callee),
        _ => false,
    })
}

/// Whether a function of the library is what a handler calls to end a sleep.
pub(crate) fn is_end_of_sleep(program: &Program, func: Func) -> bool {
    let name = program.functions[func].name.as_str();
    name.ends_with("_on_exit") || name == "_BIC_SR_IRQ"
}

/// The block that an operation belongs to.
pub(crate) fn block_of(image: &Image, func: Func, pc: u32) -> Option<Block> {
    let index = image.blocks(func).partition_point(|&start| start <= pc);
    index.checked_sub(1).map(Block::from_index)
}

/// The blocks of each natural loop, by its head, which is on every path into it.
pub fn loop_bodies(body: &Body) -> BTreeMap<Block, BTreeSet<Block>> {
    let dominators = Dominators::new(body);
    let count = body.blocks.len();
    let mut predecessors: Vec<Vec<Block>> = vec![Vec::new(); count];
    let mut latches: BTreeMap<Block, Vec<Block>> = BTreeMap::new();
    for (block, data) in body.blocks.iter() {
        if !dominators.is_reachable(block) {
            continue;
        }
        for edge in data.terminator.edges() {
            if let Some(predecessors) = predecessors.get_mut(edge.block.index()) {
                predecessors.push(block);
            }
            if dominators.dominates(edge.block, block) {
                latches.entry(edge.block).or_default().push(block);
            }
        }
    }
    let mut bodies: BTreeMap<Block, BTreeSet<Block>> = BTreeMap::new();
    for (head, latches) in latches {
        let mut members = BTreeSet::from([head]);
        let mut open = latches;
        while let Some(block) = open.pop() {
            if members.insert(block) {
                open.extend_from_slice(&predecessors[block.index()]);
            }
        }
        bodies.insert(head, members);
    }
    bodies
}

/// The heads of a function's outermost loops that no path leaves.
pub fn endless_heads(source: &SourceMap, body: &Body) -> Vec<Block> {
    outermost_loops(source, body, &BTreeSet::new()).endless
}

/// The outermost loops of one function.
struct OutermostLoops {
    heads: Vec<Block>,
    /// The heads of those that no path leaves, other than to the program's death.
    endless: Vec<Block>,
    /// For every block the head of the loop that it is in.
    around: Vec<Option<Block>>,
}

impl OutermostLoops {
    /// Takes those without end in which nothing happens for no loops to pause at: a program that has come to one, whichever it
    /// is, is at its end.
    fn leave_out_rest(&mut self, body: &Body) {
        let is_rest = |head: &Block| {
            let blocks = body.blocks.values().zip(&self.around);
            let mut members = blocks.filter(|(_, its)| **its == Some(*head));
            members.all(|(block, _)| block.insts.iter().all(|inst| computes(&inst.op)))
        };
        let rest: BTreeSet<Block> = self.endless.iter().copied().filter(is_rest).collect();
        self.heads.retain(|head| !rest.contains(head));
        self.endless.retain(|head| !rest.contains(head));
    }
}

/// Whether an instruction does nothing but compute a value from others.
const fn computes(op: &Op) -> bool {
    matches!(
        op,
        Op::IntBinary { .. } | Op::IntCompare { .. } | Op::Cast { .. } | Op::Select { .. }
    )
}

fn outermost_loops(source: &SourceMap, body: &Body, known: &BTreeSet<Block>) -> OutermostLoops {
    let successors: Vec<Vec<u32>> = body.blocks.values().map(successors).collect();
    let component = components(&successors);
    // Round a loop there is an edge inside its component.
    let mut is_loop = vec![false; component.len()];
    for (block, successors) in successors.iter().enumerate() {
        let mut targets = successors.iter().map(|&to| component[to as usize]);
        let number = component[block];
        is_loop[number as usize] |= targets.any(|target| target == number);
    }
    // Whether a path leaves it, by its component.
    let dying = dying(body);
    let mut is_left = vec![false; component.len()];
    for (block, successors) in successors.iter().enumerate() {
        let number = component[block];
        let mut targets = successors.iter().map(|&to| to as usize);
        is_left[number as usize] |=
            targets.any(|target| component[target] != number && !dying[target]);
    }
    let (mut heads, mut endless) = (Vec::new(), Vec::new());
    let mut head_of = vec![None; component.len()];
    for (number, entries) in entries(&successors, &component) {
        if !is_loop[number as usize] {
            continue;
        }
        let candidates = entries.iter().copied();
        let head = candidates.min_by_key(|&head| match entries.len() {
            1 => (0, NOWHERE, head),
            _ => {
                let before = going_round_before(body, &successors, &component, head);
                (
                    before,
                    position(source, &body.blocks[Block::from_index(head)]),
                    head,
                )
            }
        });
        let Some(head) = head else { continue };
        let is_here = |block: &&Block| component[block.index()] == number;
        let head = match known.iter().find(is_here) {
            Some(&head) => head,
            None => first_that_acts(body, Block::from_index(head)),
        };
        heads.push(head);
        head_of[number as usize] = Some(head);
        if !is_left[number as usize] {
            endless.push(head);
        }
    }
    let around = component.iter().map(|&number| head_of[number as usize]);
    OutermostLoops {
        heads,
        endless,
        around: around.collect(),
    }
}

/// Where each block goes on in a function without one of them.
fn without(body: &Body, left_out: Block) -> Vec<Vec<u32>> {
    let left_out = left_out.index();
    let rest = body.blocks.values().enumerate().map(|(from, block)| {
        let mut targets = successors(block);
        targets.retain(|&to| from != left_out && to as usize != left_out);
        targets
    });
    rest.collect()
}

/// Whether a path leads from a block back to it.
fn goes_round(successors: &[Vec<u32>], block: usize) -> bool {
    let component = components(successors);
    let mut targets = successors[block].iter();
    targets.any(|&to| component[to as usize] == component[block])
}

/// The head of the loop that a block is in without the head of the loop around it.
fn inner_loop(body: &Body, head: Block, here: Block) -> Option<Block> {
    let inside = without(body, head);
    if here == head || !goes_round(&inside, here.index()) {
        return None;
    }
    let component = components(&inside);
    let all: Vec<Vec<u32>> = body.blocks.values().map(successors).collect();
    let entered = entries(&all, &component);
    let entered = entered.get(&component[here.index()])?;
    match entered.len() {
        1 => entered.first().map(|&block| Block::from_index(block)),
        _ => None,
    }
}

/// The block itself or, if it does nothing but go on to one that nobody else goes to, that one. The head of a loop inside,
/// with which an outer one may begin, is where the rounds of the inner one begin as well.
fn first_that_acts(body: &Body, block: Block) -> Block {
    let mut block = block;
    let is_only_way = |to: Block| {
        let ways = body
            .blocks
            .values()
            .flat_map(|data| data.terminator.edges());
        ways.filter(|edge| edge.block == to).count() == 1
    };
    // Blocks that only lead to each other in a circle do not act at all.
    for _ in 0..body.blocks.len() {
        match &body.blocks[block] {
            BlockData {
                insts,
                terminator: Terminator::Jump(edge),
                ..
            } if insts.is_empty()
                && body.blocks[edge.block].params.is_empty()
                && is_only_way(edge.block) =>
            {
                block = edge.block;
            }
            _ => break,
        }
    }
    block
}

fn successors(block: &BlockData) -> Vec<u32> {
    let edges = block.terminator.edges();
    edges.iter().map(|edge| edge.block.index() as u32).collect()
}

/// For each component that can be reached, the blocks at which paths from the beginning enter it.
fn entries(successors: &[Vec<u32>], component: &[u32]) -> BTreeMap<u32, BTreeSet<usize>> {
    let mut entries: BTreeMap<u32, BTreeSet<usize>> = BTreeMap::new();
    let mut found = vec![false; successors.len()];
    let mut open = Vec::new();
    if let (Some(first), Some(&number)) = (found.first_mut(), component.first()) {
        *first = true;
        entries.entry(number).or_default().insert(0);
        open.push(0);
    }
    while let Some(block) = open.pop() {
        for &to in &successors[block] {
            let to = to as usize;
            if component[to] != component[block] {
                entries.entry(component[to]).or_default().insert(to);
            }
            if !std::mem::replace(&mut found[to], true) {
                open.push(to);
            }
        }
    }
    entries
}

/// How many blocks of a loop can be executed before one of its entries, over and over.
fn going_round_before(
    body: &Body,
    successors: &[Vec<u32>],
    component: &[u32],
    entry: usize,
) -> usize {
    let dominators = Dominators::new(body);
    let is_before = |block: usize| {
        component[block] == component[entry]
            && !dominators.dominates(Block::from_index(entry), Block::from_index(block))
    };
    let before: Vec<Vec<u32>> = (successors.iter().enumerate())
        .map(|(from, successors)| {
            let targets = successors.iter().copied();
            let targets = targets.filter(|&to| is_before(from) && is_before(to as usize));
            targets.collect()
        })
        .collect();
    let loops = components(&before);
    let goes_round = |(from, successors): (usize, &Vec<u32>)| {
        let mut targets = successors.iter();
        targets.any(|&to| loops[to as usize] == loops[from])
    };
    before
        .iter()
        .enumerate()
        .filter(|&it| goes_round(it))
        .count()
}

/// A position that is after all others.
const NOWHERE: (u32, u32) = (u32::MAX, u32::MAX);

/// Where a block begins in the source of its function, by line and column.
fn position(source: &SourceMap, block: &BlockData) -> (u32, u32) {
    let places = block.insts.iter().map(|inst| inst.place);
    let mut place = places.chain([block.place]).flatten().next();
    let mut position = NOWHERE;
    while let Some(data) = place.and_then(|place| source.places.get(place)) {
        if data.line > 0 {
            position = (data.line, data.column);
        }
        place = data.inlined_at;
    }
    position
}

/// For every block whether all paths from it come to where the program dies, such as a failed
/// assertion.
fn dying(body: &Body) -> Vec<bool> {
    let mut dying = vec![false; body.blocks.len()];
    loop {
        let mut changed = false;
        for (block, data) in body.blocks.iter() {
            let edges = data.terminator.edges();
            let all = match data.terminator {
                Terminator::Unreachable => true,
                _ => !edges.is_empty() && edges.iter().all(|edge| dying[edge.block.index()]),
            };
            changed |= all && !std::mem::replace(&mut dying[block.index()], all);
        }
        if !changed {
            return dying;
        }
    }
}
