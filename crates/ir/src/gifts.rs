//! Functions that a program gives to others, which have no body here and may call them whenever they like.
//!
//! Property: every function whose address gets to a call of such a function, and how it gets there. Algorithm:
//! inclusion constraints (Andersen 1994) over all of the user's code at once; fields are told apart by their offsets, the
//! elements of an array are not. What a callback is given is what the call passed that gave it away.
//!
//! False positives: callers of one function are not told apart, nor is what comes first. False negatives: addresses that
//! are made from numbers, copied in pieces, or given away by storing them in memory that others know, and those in
//! variables that are passed as numbers.

mod constraints;
mod solve;

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use crate::inst::Operand;
use crate::program::{Block, Func, Global, Program, Slot};
use crate::reach;
use crate::types::Type;
use constraints::{constraints, is_followed};
use solve::{Call, Solver};

/// A function that is given to another one.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Gift {
    /// What is given.
    pub function: Func,
    /// Who is given it.
    pub to: Func,
    /// Where: the function that makes the call, the block, and the number of the instruction in it.
    pub at: (Func, Block, usize),
    /// Which argument it is, or leads to it.
    pub argument: usize,
    /// How.
    pub way: Way,
}

/// How an argument leads to a function.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Way {
    /// It is its address.
    Itself,
    /// Through memory: from each pointer the bytes to the next one, the last of which is the function's address.
    Through {
        /// The bytes; at least one number.
        offsets: Vec<i64>,
        /// What the argument points to, if that is its start, or the start of an element.
        object: Option<Object>,
    },
    /// Through memory, it is not known where.
    Somehow,
}

/// What has an address.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Object {
    /// A function.
    Function(Func),
    /// A global.
    Global(Global),
    /// A stack object of a function.
    Slot(Func, Slot),
    /// What a call gives: memory of others, or a new block.
    Result(Func, Block, usize),
}

/// Where in an object an address is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Offset {
    /// So many bytes from its start.
    At(i64),
    /// So many bytes in an element of so many bytes, nobody knows which one.
    Each {
        /// The size of an element.
        stride: i64,
        /// Where in it.
        inside: i64,
    },
    /// Anywhere.
    Anywhere,
}

/// An address: in which object, and where.
type Place = (Object, Offset);

impl Offset {
    fn shifted(self, by: i64) -> Self {
        match self {
            Self::At(at) => Self::At(at.saturating_add(by)),
            Self::Each { stride, inside } => Self::each(stride, inside.saturating_add(by)),
            Self::Anywhere => Self::Anywhere,
        }
    }

    fn indexed(self, scale: i64, offset: i64) -> Self {
        match self {
            Self::At(at) if scale.unsigned_abs() > 1 => {
                Self::each(scale.saturating_abs(), at.saturating_add(offset))
            }
            Self::Each { stride, inside } if scale % stride == 0 => {
                Self::each(stride, inside.saturating_add(offset))
            }
            _ => Self::Anywhere,
        }
    }

    const fn each(stride: i64, at: i64) -> Self {
        Self::Each {
            stride,
            inside: at.rem_euclid(stride),
        }
    }

    /// Whether the two may be one place.
    const fn meets(self, other: Self) -> bool {
        match (self, other) {
            (Self::At(a), Self::At(b)) => a == b,
            (Self::At(at), Self::Each { stride, inside })
            | (Self::Each { stride, inside }, Self::At(at)) => at.rem_euclid(stride) == inside,
            (
                Self::Each { stride: a, inside },
                Self::Each {
                    stride: b,
                    inside: at,
                },
            ) => a != b || inside == at,
            (Self::Anywhere, _) | (_, Self::Anywhere) => true,
        }
    }

    /// How many bytes after an address in the same object this is. None if that is not known.
    fn behind(self, from: Self) -> Option<i64> {
        match (self, from) {
            (Self::At(at), Self::At(from)) => Some(at.saturating_sub(from)),
            (Self::At(at), Self::Each { stride, inside }) => Some((at - inside).rem_euclid(stride)),
            (
                Self::Each { stride: a, inside },
                Self::Each {
                    stride: b,
                    inside: from,
                },
            ) if a == b => Some((inside - from).rem_euclid(a)),
            _ => None,
        }
    }
}

/// How many pointers a way goes through at most.
const STEPS: usize = 3;

/// All calls that give functions to others.
pub fn gifts(program: &Program) -> Vec<Gift> {
    solved(program).map_or_else(Vec::new, |(gifts, _)| gifts)
}

/// Functions that are given to others, and to whom.
pub fn given_away(program: &Program) -> BTreeSet<(Func, Func)> {
    let gifts = gifts(program).into_iter();
    gifts.map(|gift| (gift.function, gift.to)).collect()
}

/// Functions that the program itself calls through pointers.
pub fn called_through_pointers(program: &Program) -> BTreeSet<Func> {
    let solved = solved(program);
    solved.map_or_else(BTreeSet::new, |(_, solver)| {
        solver.called_through_pointers()
    })
}

/// All gifts, and the solution. None where no function has an address that anybody mentions.
fn solved(program: &Program) -> Option<(Vec<Gift>, Solver<'_>)> {
    let taken = reach::address_taken(program);
    let mut taken = taken.iter();
    taken.find(|&&func| is_followed(program, func))?;
    let mut solver = constraints(program);
    let elsewhere: Vec<usize> = (0..solver.calls.len())
        .filter(|&call| {
            let callee = solver.calls[call].callee.named();
            callee.is_some_and(|callee| program.functions[callee].body.is_none())
        })
        .collect();
    let mut found = BTreeSet::new();
    loop {
        solver.solve();
        let known = found.len();
        for &call in &elsewhere {
            for gift in given(&solver, call) {
                let function = gift.function;
                if found.insert(gift) {
                    pass_on(&mut solver, call, function);
                }
            }
        }
        if found.len() == known {
            return Some((found.into_iter().collect(), solver));
        }
    }
}

/// What a call of a function without a body gives away.
fn given(solver: &Solver<'_>, call: usize) -> Vec<Gift> {
    let Call {
        callee, at, args, ..
    } = solver.calls[call];
    let Some(to) = callee.named() else {
        return Vec::new();
    };
    let gift = |argument: usize, function: Func, way: Way| Gift {
        function,
        to,
        at,
        argument,
        way,
    };
    let mut gifts = Vec::new();
    let params = &solver.program.functions[to].params;
    for (argument, &operand) in args.iter().enumerate() {
        // A number is an address only where the call itself says so.
        let is_number = matches!(params.get(argument), Some(Type::Int(_)));
        if is_number && !matches!(operand, Operand::Func(_)) {
            continue;
        }
        for (object, offset) in solver.places(at.0, operand) {
            match object {
                Object::Function(function) => gifts.push(gift(argument, function, Way::Itself)),
                _ => {
                    let ways = ways(solver, object, offset).into_iter();
                    gifts.extend(ways.map(|(function, way)| gift(argument, function, way)));
                }
            }
        }
    }
    gifts
}

/// The functions that can be found from a place on, and the shortest ways to them.
fn ways(solver: &Solver<'_>, object: Object, offset: Offset) -> Vec<(Func, Way)> {
    let is_start = match offset {
        Offset::At(at) => at == 0,
        Offset::Each { inside, .. } => inside == 0,
        Offset::Anywhere => false,
    };
    let start = is_start.then_some(object);
    let mut found = Vec::new();
    let mut lengths: BTreeMap<Func, usize> = BTreeMap::new();
    let mut seen = BTreeSet::from([object]);
    let mut open = VecDeque::from([(object, offset, Some(Vec::new()))]);
    while let Some((object, offset, way)) = open.pop_front() {
        for (cell, (next, to)) in solver.held(object) {
            let step = cell.behind(offset);
            // Whoever is given a member does not look at what lies before it.
            if step.is_some_and(|step| step < 0) {
                continue;
            }
            let way = way.as_ref().zip(step).and_then(|(way, step)| {
                let way: Vec<i64> = way.iter().copied().chain([step]).collect();
                (way.len() <= STEPS).then_some(way)
            });
            match next {
                Object::Function(function) => {
                    let length = way.as_ref().map_or(usize::MAX, Vec::len);
                    let shortest = *lengths.entry(function).or_insert(length);
                    let way = way.map_or(Way::Somehow, |offsets| Way::Through {
                        offsets,
                        object: start,
                    });
                    if length <= shortest {
                        found.push((function, way));
                    }
                }
                _ => {
                    if seen.insert(next) {
                        open.push_back((next, to, way));
                    }
                }
            }
        }
    }
    found
}

/// Lets a callback be called with what the call passes that gives it away.
fn pass_on(solver: &mut Solver<'_>, call: usize, function: Func) {
    let (caller, ..) = solver.calls[call].at;
    let args = solver.calls[call].args.to_vec();
    let Some(body) = &solver.program.functions[function].body else {
        return;
    };
    for &param in &body.blocks[body.entry()].params {
        let to = solver.node(function, param);
        for &arg in &args {
            for place in solver.places(caller, arg) {
                let held: Vec<Place> = solver.held(place.0).map(|(_, place)| place).collect();
                for place in held.into_iter().chain([place]) {
                    solver.add(to, place);
                }
            }
        }
    }
}
