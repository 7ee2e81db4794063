//! Which objects a pointer can point to.
//!
//! Property: for every value and every place in memory, the addresses it can hold. Algorithm:
//! inclusion constraints (Andersen 1994), solved with difference propagation; field-sensitive by
//! byte offsets; one heap object per call that allocates, per context. Pointers that walk through
//! an object are widened to the array they walk in.
//!
//! False positives: flow-insensitive for pointers in memory. False negatives: pointers that are
//! made from integers the program computed otherwise, and those that unknown functions store.

mod constraints;

use std::collections::BTreeSet;

use brownout_ir::{Func, Id, Operand, Program, Type, Value};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::contexts::{Contexts, Instance};
use crate::objects::{Kind, Object, Objects, Target};
use crate::patience::Stopped;
use crate::setting::Setting;

/// How many exact addresses of one object a pointer has before it is taken to walk through it.
const WALK: usize = 8;

/// The solution.
#[derive(Debug)]
pub struct PointsTo {
    /// All objects that any pointer knows.
    pub objects: Objects,
    nodes: Vec<Vec<Target>>,
    first_values: Vec<u32>,
    /// For every object, where in its memory pointers are, and the nodes that hold them.
    contents: Vec<Vec<(Target, u32)>>,
}

impl PointsTo {
    /// The addresses that an operand can hold, sorted.
    pub fn of(&self, instance: Instance, operand: Operand) -> Vec<Target> {
        match operand {
            Operand::Value(value) => {
                let node = self.first_values[instance.index()] as usize + value.index();
                self.nodes[node].clone()
            }
            _ => self.constant(instance, operand).into_iter().collect(),
        }
    }

    /// The addresses that are in the memory that an operand points to, or in memory that these point to.
    pub fn inside(&self, instance: Instance, operand: Operand) -> BTreeSet<Target> {
        let near = self.of(instance, operand).into_iter();
        let near: BTreeSet<Target> = near.flat_map(|target| self.held(target)).collect();
        let far = near.iter().flat_map(|&target| self.held(target));
        far.chain(near.iter().copied()).collect()
    }

    /// These objects, and all that pointers in their memory lead to.
    pub fn reachable_from(&self, objects: impl IntoIterator<Item = Object>) -> BTreeSet<Object> {
        let mut found = BTreeSet::new();
        let mut open: Vec<Object> = objects.into_iter().collect();
        while let Some(object) = open.pop() {
            if found.insert(object) {
                open.extend(self.contents_of(object).map(|target| target.object));
            }
        }
        found
    }

    /// The addresses in the memory of what an address points to.
    fn held(&self, target: Target) -> impl Iterator<Item = Target> {
        self.contents_of(target.object)
    }

    /// The addresses in the memory of an object.
    fn contents_of(&self, object: Object) -> impl Iterator<Item = Target> {
        let cells = self.contents.get(object.index()).into_iter().flatten();
        cells.flat_map(|&(_, node)| self.nodes[node as usize].iter().copied())
    }

    /// The addresses to which a way leads that goes through pointers in memory, each so many bytes after what
    /// the one before it points to.
    pub fn through(&self, instance: Instance, operand: Operand, members: &[i64]) -> Vec<Target> {
        let mut targets = self.of(instance, operand);
        for &offset in members {
            let mut next = BTreeSet::new();
            for target in targets {
                let place = self.objects.shifted(target, offset);
                let cells = self
                    .contents
                    .get(place.object.index())
                    .into_iter()
                    .flatten();
                let cells = cells.filter(|(cell, _)| cell.meets(1, place, 1));
                next.extend(cells.flat_map(|&(_, node)| self.nodes[node as usize].iter().copied()));
                let behind = self.objects.known_behind(place);
                next.extend(behind.map(|object| Target::exactly(object, 0)));
            }
            targets = next.into_iter().collect();
        }
        targets
    }

    fn constant(&self, instance: Instance, operand: Operand) -> Option<Target> {
        let (kind, offset) = constant(instance, operand)?;
        Some(Target::exactly(self.objects.known(kind)?, offset))
    }

    /// The functions that an operand can be the address of.
    pub fn functions(&self, instance: Instance, operand: Operand) -> Vec<Func> {
        let targets = self.of(instance, operand).into_iter();
        targets
            .filter_map(|target| match self.objects.data(target.object).kind {
                Kind::Code(func) => Some(func),
                _ => None,
            })
            .collect()
    }
}

/// The object that a constant operand is an address in.
fn constant(instance: Instance, operand: Operand) -> Option<(Kind, i64)> {
    match operand {
        Operand::Global(global, offset) => Some((Kind::Global(global), offset)),
        Operand::Slot(slot, offset) => Some((Kind::Slot(instance, slot), offset)),
        Operand::Func(func) => Some((Kind::Code(func), 0)),
        // Null is no object.
        Operand::Bits(0) => None,
        Operand::Bits(address) => Some((Kind::Absolute, i64::try_from(address).ok()?)),
        Operand::Value(_) | Operand::BlockAddress(..) => None,
    }
}

/// Solves the constraints of all instances.
///
/// # Errors
/// If the solution is not wanted any more.
pub fn points_to(
    program: &Program,
    setting: &Setting,
    contexts: &Contexts,
) -> Result<PointsTo, Stopped> {
    let mut solver = Solver {
        program,
        setting,
        contexts,
        objects: Objects::default(),
        nodes: (0..contexts.values).map(|_| Node::default()).collect(),
        contents: Vec::new(),
        open: Vec::new(),
    };
    for global in program.globals.ids() {
        solver.initial(global);
    }
    for instance in contexts.ids() {
        setting.interrupt.go_on()?;
        solver.instance(instance);
    }
    solver.parameters();
    solver.solve()?;
    let nodes = solver.nodes.into_iter();
    Ok(PointsTo {
        contents: (solver.contents.into_iter())
            .map(|contents| contents.cells)
            .collect(),
        objects: solver.objects,
        nodes: nodes
            .map(|mut node| {
                node.targets.sort_unstable();
                node.targets
            })
            .collect(),
        first_values: contexts.instances.iter().map(|it| it.first_value).collect(),
    })
}

#[derive(Default)]
struct Node {
    targets: Vec<Target>,
    known: FxHashSet<Target>,
    /// How many targets have been passed on.
    done: usize,
    uses: Vec<Use>,
    /// How many exact targets each object has, for widening.
    walks: FxHashMap<Object, usize>,
}

/// What happens with the addresses of a node.
#[derive(Clone, Copy)]
enum Use {
    Flow(u32, Shift),
    Load {
        to: u32,
        bytes: i64,
        pointer: Pointer,
    },
    Store(Source),
    CopyTo(Instance, Operand, i64),
    CopyFrom(Target, i64),
}

/// Whether what is loaded is used as an address.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Pointer {
    Yes,
    Perhaps,
}

#[derive(Clone, Copy)]
enum Source {
    Node(u32),
    Target(Target),
}

#[derive(Clone, Copy)]
enum Shift {
    By(i64),
    Indexed(i64, i64),
    Anywhere,
}

/// Pointers in the memory of one object.
#[derive(Default)]
struct Contents {
    /// Where in the object, and the node that holds what is there.
    cells: Vec<(Target, u32)>,
    /// Loads: from where, how many bytes, and to which node.
    loads: Vec<(Target, i64, u32)>,
    /// Copies: from where, how many bytes, and to where.
    copies: Vec<(Target, i64, Target)>,
}

struct Solver<'p> {
    program: &'p Program,
    setting: &'p Setting,
    contexts: &'p Contexts,
    objects: Objects,
    nodes: Vec<Node>,
    contents: Vec<Contents>,
    open: Vec<u32>,
}

impl Solver<'_> {
    fn node(&self, instance: Instance, value: Value) -> u32 {
        self.contexts.activation(instance).first_value + value.index() as u32
    }

    fn object(&mut self, kind: Kind) -> Object {
        let object = self.objects.object(kind, self.program, self.contexts);
        if self.contents.len() <= object.index() {
            self.contents
                .resize_with(object.index() + 1, Contents::default);
        }
        object
    }

    fn source(&mut self, instance: Instance, operand: Operand) -> Option<Source> {
        if let Operand::Value(value) = operand {
            return Some(Source::Node(self.node(instance, value)));
        }
        let (kind, offset) = constant(instance, operand)?;
        let object = self.object(kind);
        Some(Source::Target(Target::exactly(object, offset)))
    }

    fn add(&mut self, node: u32, target: Target) {
        let mut target = target;
        let data = &mut self.nodes[node as usize];
        if data.known.contains(&target) {
            return;
        }
        if target.is_exact() {
            let walk = data.walks.entry(target.object).or_default();
            *walk += 1;
            if *walk > WALK {
                let source = &self.program.source;
                let object = target.object;
                for &other in data.targets.iter().filter(|other| other.object == object) {
                    target = self.objects.covering(source, target, other);
                }
            }
        }
        if data.known.insert(target) {
            data.targets.push(target);
            self.open.push(node);
        }
    }

    fn feed(&mut self, source: Source, to: u32, shift: Shift) {
        match source {
            Source::Node(from) => self.attach(from, Use::Flow(to, shift)),
            Source::Target(target) => {
                let target = self.shifted(target, shift);
                self.add(to, target);
            }
        }
    }

    fn shifted(&self, target: Target, shift: Shift) -> Target {
        match shift {
            Shift::By(0) => target,
            Shift::By(by) => self.objects.shifted(target, by),
            Shift::Indexed(scale, offset) => {
                self.objects
                    .indexed(&self.program.source, target, scale, offset)
            }
            Shift::Anywhere => self.objects.anywhere(target),
        }
    }

    fn attach(&mut self, node: u32, then: Use) {
        self.nodes[node as usize].uses.push(then);
        let known = self.nodes[node as usize].targets[..self.nodes[node as usize].done].to_vec();
        for target in known {
            self.apply(then, target);
        }
    }

    fn at(&mut self, instance: Instance, address: Operand, then: Use) {
        match self.source(instance, address) {
            Some(Source::Node(node)) => self.attach(node, then),
            Some(Source::Target(target)) => self.apply(then, target),
            None => {}
        }
    }

    fn solve(&mut self) -> Result<(), Stopped> {
        while let Some(node) = self.open.pop() {
            self.setting.interrupt.go_on()?;
            let data = &mut self.nodes[node as usize];
            let news = data.targets[data.done..].to_vec();
            data.done = data.targets.len();
            let count = data.uses.len();
            for index in 0..count {
                let then = self.nodes[node as usize].uses[index];
                for &target in &news {
                    self.apply(then, target);
                }
            }
        }
        Ok(())
    }

    fn apply(&mut self, then: Use, target: Target) {
        match then {
            Use::Flow(to, shift) => {
                let target = self.shifted(target, shift);
                self.add(to, target);
            }
            Use::Load { to, bytes, pointer } => self.load(target, to, bytes, pointer),
            Use::Store(source) => {
                let cell = self.cell(target);
                self.feed(source, cell, Shift::By(0));
            }
            Use::CopyTo(instance, from, length) => {
                self.at(instance, from, Use::CopyFrom(target, length));
            }
            Use::CopyFrom(to, length) => self.copy(target, to, length),
        }
    }

    fn load(&mut self, target: Target, to: u32, bytes: i64, pointer: Pointer) {
        let contents = &mut self.contents[target.object.index()];
        contents.loads.push((target, bytes, to));
        for (at, cell) in contents.cells.clone() {
            if self.overlap(at, target, bytes) {
                self.attach(cell, Use::Flow(to, Shift::By(0)));
            }
        }
        if pointer == Pointer::Yes {
            let behind = self.objects.behind(target, self.program, self.contexts);
            if let Some(object) = behind {
                self.contents.resize_with(
                    self.contents.len().max(object.index() + 1),
                    Contents::default,
                );
                self.add(to, Target::exactly(object, 0));
            }
        }
    }

    /// Whether an access can touch a pointer in memory.
    fn overlap(&self, cell: Target, target: Target, bytes: i64) -> bool {
        let pointer = i64::from(Type::Ptr.bytes(&self.program.target));
        cell.meets(pointer, target, bytes)
    }

    /// The node that holds the pointers at a place in memory.
    fn cell(&mut self, target: Target) -> u32 {
        let cells = &self.contents[target.object.index()].cells;
        if let Some((_, node)) = cells.iter().find(|(at, _)| *at == target) {
            return *node;
        }
        let node = self.nodes.len() as u32;
        self.nodes.push(Node::default());
        self.contents[target.object.index()]
            .cells
            .push((target, node));
        for (from, bytes, to) in self.contents[target.object.index()].loads.clone() {
            if self.overlap(target, from, bytes) {
                self.attach(node, Use::Flow(to, Shift::By(0)));
            }
        }
        for copy in self.contents[target.object.index()].copies.clone() {
            self.copy_cell(target, node, copy);
        }
        node
    }

    fn copy(&mut self, from: Target, to: Target, length: i64) {
        let contents = &mut self.contents[from.object.index()];
        contents.copies.push((from, length, to));
        for (at, cell) in contents.cells.clone() {
            self.copy_cell(at, cell, (from, length, to));
        }
    }

    fn copy_cell(&mut self, at: Target, cell: u32, (from, length, to): (Target, i64, Target)) {
        if !self.overlap(at, from, length) {
            return;
        }
        let is_one = |target: Target| target.part.is_some_and(|part| part.width == 0);
        let place = if at.is_exact() && from.is_exact() && (to.is_exact() || is_one(to)) {
            self.objects.shifted(to, at.start - from.start)
        } else if let (Some(part), Some(other)) = (at.part, from.part)
            && part.stride == other.stride
            && at.start == from.start
            && part.width == 0
            && other.width == 0
        {
            // The same part of an element, wherever the element goes.
            self.objects.shifted(to, part.inside - other.inside)
        } else {
            self.objects.anywhere(to)
        };
        let copied = self.cell(place);
        if copied != cell {
            self.attach(cell, Use::Flow(copied, Shift::By(0)));
        }
    }
}
