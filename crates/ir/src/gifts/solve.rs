//! Solves the constraints: which addresses every value and every place in memory can hold.

use std::collections::{BTreeMap, BTreeSet};

use super::constraints::is_followed;
use super::{Object, Offset, Place};
use crate::entity::Id;
use crate::inst::{Callee, Operand, Terminator};
use crate::program::{Block, Func, Program, Value};

/// How many places in one object an address can be before it is taken to be anywhere in it.
const PLACES: usize = 16;
/// How many places in one object hold addresses before they are not told apart any more.
const CELLS: usize = 256;

/// A call.
#[derive(Clone, Copy)]
pub(super) struct Call<'p> {
    /// Whom it calls.
    pub(super) callee: Callee,
    /// Where.
    pub(super) at: (Func, Block, usize),
    /// What it passes.
    pub(super) args: &'p [Operand],
    /// What it gives.
    pub(super) results: &'p [Value],
}

/// How an address changes on its way.
#[derive(Clone, Copy)]
pub(super) enum Shift {
    By(i64),
    Indexed(i64, i64),
    Anywhere,
}

impl Shift {
    /// Nobody computes with the addresses of functions.
    fn apply(self, (object, offset): Place) -> Option<Place> {
        let offset = match (self, object) {
            (Self::By(0), _) => offset,
            (_, Object::Function(_)) => return None,
            (Self::By(by), _) => offset.shifted(by),
            (Self::Indexed(scale, by), _) => offset.indexed(scale, by),
            (Self::Anywhere, _) => Offset::Anywhere,
        };
        Some((object, offset))
    }
}

/// Where addresses come from.
#[derive(Clone, Copy)]
pub(super) enum Source {
    Node(u32),
    Place(Place),
}

/// What happens with the addresses of a node. Accesses are so many bytes after them.
#[derive(Clone, Copy)]
pub(super) enum Use {
    Flow(u32, Shift),
    Load(u32, i64),
    Store(Source, i64),
    CopyTo(Source),
    CopyFrom(Place),
    Call(usize),
}

#[derive(Default)]
struct Node {
    places: Vec<Place>,
    known: BTreeSet<Place>,
    /// How many places have been passed on.
    done: usize,
    uses: Vec<Use>,
}

/// The memory of one object.
#[derive(Default)]
struct Memory {
    /// Where addresses are in it, and the nodes that hold them.
    cells: BTreeMap<Offset, u32>,
    /// Loads: from where, and to which node.
    loads: Vec<(Offset, u32)>,
    /// Copies: from where, and to where.
    copies: Vec<(Offset, Place)>,
}

pub(super) struct Solver<'p> {
    pub(super) program: &'p Program,
    pub(super) calls: Vec<Call<'p>>,
    /// The number of every function's first value among those of all functions.
    first: Vec<u32>,
    nodes: Vec<Node>,
    memory: BTreeMap<Object, Memory>,
    open: Vec<u32>,
    entered: BTreeSet<(usize, Func)>,
}

impl<'p> Solver<'p> {
    pub(super) fn new(program: &'p Program) -> Self {
        let mut count = 0;
        let functions = program.functions.iter();
        let first = functions.map(|(func, function)| {
            let first = count;
            if let Some(body) = function
                .body
                .as_ref()
                .filter(|_| is_followed(program, func))
            {
                count += body.values.len() as u32;
            }
            first
        });
        let first = first.collect();
        Self {
            program,
            calls: Vec::new(),
            first,
            nodes: (0..count).map(|_| Node::default()).collect(),
            memory: BTreeMap::new(),
            open: Vec::new(),
            entered: BTreeSet::new(),
        }
    }

    /// The node of a value.
    pub(super) fn node(&self, func: Func, value: Value) -> u32 {
        self.first[func.index()] + value.index() as u32
    }

    /// Where the addresses come from that an operand can be.
    pub(super) fn source(&self, func: Func, operand: Operand) -> Option<Source> {
        let place = match operand {
            Operand::Value(value) => return Some(Source::Node(self.node(func, value))),
            Operand::Global(global, offset) => (Object::Global(global), Offset::At(offset)),
            Operand::Slot(slot, offset) => (Object::Slot(func, slot), Offset::At(offset)),
            Operand::Func(func) => (Object::Function(func), Offset::At(0)),
            Operand::Bits(_) | Operand::BlockAddress(..) => return None,
        };
        Some(Source::Place(place))
    }

    /// The addresses that an operand can be, as far as they are known.
    pub(super) fn places(&self, func: Func, operand: Operand) -> Vec<Place> {
        match self.source(func, operand) {
            Some(Source::Node(node)) => self.nodes[node as usize].places.clone(),
            Some(Source::Place(place)) => vec![place],
            None => Vec::new(),
        }
    }

    /// The addresses in the memory of an object, with where they are.
    pub(super) fn held(&self, object: Object) -> impl Iterator<Item = (Offset, Place)> {
        let memory = self.memory.get(&object).into_iter();
        let cells = memory.flat_map(|memory| &memory.cells);
        cells.flat_map(|(&at, &node)| {
            let places = self.nodes[node as usize].places.iter();
            places.map(move |&place| (at, place))
        })
    }

    /// Lets a node hold an address.
    pub(super) fn add(&mut self, node: u32, place: Place) {
        let data = &mut self.nodes[node as usize];
        let anywhere = (place.0, Offset::Anywhere);
        if data.known.contains(&place) || data.known.contains(&anywhere) {
            return;
        }
        let first = (place.0, Offset::At(i64::MIN));
        let is_too_many = data.known.range(first..=anywhere).count() >= PLACES;
        let place = if is_too_many { anywhere } else { place };
        data.known.insert(place);
        data.places.push(place);
        self.open.push(node);
    }

    /// Lets addresses go from an operand to a node.
    pub(super) fn flow(&mut self, func: Func, from: Operand, to: u32, shift: Shift) {
        if let Some(source) = self.source(func, from) {
            self.feed(source, to, shift);
        }
    }

    fn feed(&mut self, source: Source, to: u32, shift: Shift) {
        match source {
            Source::Node(from) => self.attach(from, Use::Flow(to, shift)),
            Source::Place(place) => self.shift(place, to, shift),
        }
    }

    fn shift(&mut self, place: Place, to: u32, shift: Shift) {
        if let Some(place) = shift.apply(place) {
            self.add(to, place);
        }
    }

    /// Lets something happen with the addresses that an operand can be.
    pub(super) fn at(&mut self, func: Func, operand: Operand, then: Use) {
        match self.source(func, operand) {
            Some(Source::Node(node)) => self.attach(node, then),
            Some(Source::Place(place)) => self.apply(then, place),
            None => {}
        }
    }

    fn attach(&mut self, node: u32, then: Use) {
        let data = &mut self.nodes[node as usize];
        data.uses.push(then);
        let known = data.places[..data.done].to_vec();
        for place in known {
            self.apply(then, place);
        }
    }

    pub(super) fn solve(&mut self) {
        while let Some(node) = self.open.pop() {
            let data = &mut self.nodes[node as usize];
            let news = data.places[data.done..].to_vec();
            data.done = data.places.len();
            for index in 0..data.uses.len() {
                let then = self.nodes[node as usize].uses[index];
                for &place in &news {
                    self.apply(then, place);
                }
            }
        }
    }

    fn apply(&mut self, then: Use, place: Place) {
        let (object, offset) = place;
        if let (Object::Function(_), Use::Load(..) | Use::Store(..)) = (object, then) {
            return;
        }
        match then {
            Use::Flow(to, shift) => self.shift(place, to, shift),
            Use::Load(to, by) => {
                let offset = offset.shifted(by);
                let memory = self.memory.entry(object).or_default();
                memory.loads.push((offset, to));
                let cells = memory.cells.iter().filter(|(at, _)| at.meets(offset));
                for cell in cells.map(|(_, &cell)| cell).collect::<Vec<u32>>() {
                    self.attach(cell, Use::Flow(to, Shift::By(0)));
                }
            }
            Use::Store(source, by) => {
                let cell = self.cell((object, offset.shifted(by)));
                self.feed(source, cell, Shift::By(0));
            }
            Use::CopyTo(Source::Node(from)) => self.attach(from, Use::CopyFrom(place)),
            Use::CopyTo(Source::Place(from)) => self.apply(Use::CopyFrom(place), from),
            Use::CopyFrom(to) => {
                let memory = self.memory.entry(object).or_default();
                memory.copies.push((offset, to));
                for (at, cell) in memory.cells.clone() {
                    self.copy(at, cell, offset, to);
                }
            }
            Use::Call(call) => {
                if let Object::Function(callee) = object
                    && is_followed(self.program, callee)
                {
                    self.enter(call, callee);
                }
            }
        }
    }

    /// The node that holds the addresses at a place in memory.
    pub(super) fn cell(&mut self, (object, offset): Place) -> u32 {
        let memory = self.memory.entry(object).or_default();
        let offset = match memory.cells.len() < CELLS || memory.cells.contains_key(&offset) {
            true => offset,
            false => Offset::Anywhere,
        };
        if let Some(&node) = memory.cells.get(&offset) {
            return node;
        }
        let node = self.nodes.len() as u32;
        self.nodes.push(Node::default());
        memory.cells.insert(offset, node);
        let loads = memory.loads.iter().filter(|(at, _)| at.meets(offset));
        let loads: Vec<u32> = loads.map(|&(_, to)| to).collect();
        let copies = memory.copies.clone();
        for to in loads {
            self.attach(node, Use::Flow(to, Shift::By(0)));
        }
        for (from, to) in copies {
            self.copy(offset, node, from, to);
        }
        node
    }

    /// Copies what lies in a cell behind a place to behind another one.
    fn copy(&mut self, at: Offset, cell: u32, from: Offset, (object, to): Place) {
        let to = match at.behind(from) {
            Some(by) if by < 0 => return,
            Some(by) => to.shifted(by),
            None => Offset::Anywhere,
        };
        let copied = self.cell((object, to));
        if copied != cell {
            self.attach(cell, Use::Flow(copied, Shift::By(0)));
        }
    }

    /// The functions that calls through pointers call.
    pub(super) fn called_through_pointers(&self) -> BTreeSet<Func> {
        let is_indirect = |entered: &&(usize, Func)| self.calls[entered.0].callee.named().is_none();
        let calls = self.entered.iter().filter(is_indirect);
        calls.map(|&(_, callee)| callee).collect()
    }

    /// Lets a call call a function.
    pub(super) fn enter(&mut self, call: usize, callee: Func) {
        let Call {
            at: (caller, ..),
            args,
            results,
            ..
        } = self.calls[call];
        let program = self.program;
        let Some(body) = &program.functions[callee].body else {
            return;
        };
        if !self.entered.insert((call, callee)) {
            return;
        }
        let params = &body.blocks[body.entry()].params;
        for (&param, &arg) in params.iter().zip(args) {
            let to = self.node(callee, param);
            self.flow(caller, arg, to, Shift::By(0));
        }
        for data in body.blocks.values() {
            if let Terminator::Return(values) = &data.terminator {
                for (&value, &result) in values.iter().zip(results) {
                    let to = self.node(caller, result);
                    self.flow(callee, value, to, Shift::By(0));
                }
            }
        }
    }
}
