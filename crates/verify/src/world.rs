//! What all attempts of a region have in common: symbols for what nobody knows.
//!
//! The state at the start of a region is unknown but the same for the attempt that fails and for the
//! continuous execution; so are the readings of the last attempt and of the continuous execution.
//!
//! **Invariant**: a symbol is asked for by what it stands for, and made once.

use std::collections::{BTreeMap, BTreeSet};

use brownout_flow::Model;
use brownout_flow::contexts::{Instance, Site};
use brownout_flow::objects::{Kind, Object};
use brownout_flow::ranges::Range;
use brownout_flow::supergraph::{Reason, Start};
use brownout_ir::{Block, Func, Global, Initializer, Operand, Symbol, Value};
use brownout_solver::{Arrays, Binary, Bytes, Function, Node, Solver, Tables, Term, Terms};

use crate::known::Fact;
use crate::operators::Operators;
use crate::question::{Question, Source, Values};

/// How many numbers of an example are told.
const EXAMPLE: usize = 32;

/// Which execution of a region is meant.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Side {
    /// The one without a power failure.
    Continuous,
    /// An attempt that ends with a power failure.
    Failed,
    /// The attempt after it.
    Last,
}

/// Something with an address.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Place {
    Object(Kind),
    Block(Func, Block),
}

/// The symbols of a region.
pub struct World<'m> {
    /// The program.
    pub model: &'m Model<'m>,
    /// What is known beside it.
    pub question: &'m Question,
    /// The start of the region.
    pub start: Start,
    /// All terms.
    pub terms: Terms,
    /// All contents of memory.
    pub arrays: Arrays,
    /// Uninterpreted operators.
    pub operators: Operators,
    /// What is true of every layout of memory.
    pub facts: Vec<Term>,
    /// How many bits an address has.
    pub pointer: u32,
    /// Whether registers are in their ranges when the region starts: they are restored, so that this is so
    /// in every attempt.
    knows_ranges: bool,
    /// What memory holds when the region starts, in every attempt.
    known: &'m BTreeMap<Object, Vec<Fact>>,
    bases: BTreeMap<Place, Term>,
    values: BTreeMap<(Instance, Value), Term>,
    memory: BTreeMap<Object, Bytes>,
    inputs: BTreeMap<(Site, u32, bool, u32), Function>,
    /// What inputs give, each once, in the order in which it was asked for.
    readings: Vec<Term>,
    outputs: BTreeMap<(Source, Vec<u32>), Function>,
}

impl<'m> World<'m> {
    /// The symbols of the region with a start.
    pub fn new(
        model: &'m Model<'m>,
        question: &'m Question,
        start: Start,
        restores_registers: bool,
        known: &'m BTreeMap<Object, Vec<Fact>>,
        tables: Tables,
    ) -> Self {
        let pointer = u32::from(model.program.target.pointer_bits);
        Self {
            model,
            question,
            start,
            terms: Terms::new(),
            arrays: Arrays::new(pointer, tables),
            operators: Operators::default(),
            facts: Vec::new(),
            pointer,
            known,
            knows_ranges: restores_registers && matches!(start.reason, Reason::Checkpoint(_)),
            bases: BTreeMap::new(),
            values: BTreeMap::new(),
            memory: BTreeMap::new(),
            inputs: BTreeMap::new(),
            readings: Vec::new(),
            outputs: BTreeMap::new(),
        }
    }

    /// The address of an object, a function or a device register.
    pub fn base(&mut self, kind: Kind) -> Term {
        let place = Place::Object(kind);
        if let Some(&known) = self.bases.get(&place) {
            return known;
        }
        let base = self.terms.variable(self.pointer);
        self.bases.insert(place, base);
        // It is not null, and lies in memory in one piece.
        let zero = self.terms.constant(self.pointer, 0);
        let somewhere = self.terms.differ(base, zero);
        self.facts.push(somewhere);
        if let Some(size) = self.size(kind) {
            let end = self.terms.offset(base, u128::from(size));
            let wraps = self.terms.binary(Binary::ULess, end, base);
            let whole = self.terms.not(wraps);
            self.facts.push(whole);
        }
        base
    }

    /// Whether what is added to the pointers that an address is made of is a multiple of a number.
    pub fn is_multiple(&self, address: Term, number: u128) -> bool {
        match self.terms.node(address) {
            Node::Constant(value) => value.is_multiple_of(number),
            Node::Choice(_, a, b) => self.is_multiple(*a, number) && self.is_multiple(*b, number),
            Node::Sum(parts, rest) => {
                let others = parts.iter().filter(|(_, by)| !by.is_multiple_of(number));
                let others: Vec<_> = others.collect();
                // One of them is the pointer.
                rest.is_multiple_of(number)
                    && match others[..] {
                        [] => true,
                        [(term, 1)] => self.is_multiple(*term, number),
                        _ => false,
                    }
            }
            _ => true,
        }
    }

    fn size(&self, kind: Kind) -> Option<u64> {
        match kind {
            Kind::Global(global) => Some(self.model.program.globals[global].size),
            Kind::Slot(instance, slot) => {
                let body = self.model.contexts.body(instance)?;
                Some(u64::from(body.slots.get(slot)?.size))
            }
            _ => None,
        }
    }

    /// The address of a block.
    pub fn block(&mut self, func: Func, block: Block) -> Term {
        let (terms, pointer) = (&mut self.terms, self.pointer);
        let place = Place::Block(func, block);
        *self
            .bases
            .entry(place)
            .or_insert_with(|| terms.variable(pointer))
    }

    /// What a value is when the region starts.
    pub fn value(&mut self, instance: Instance, value: Value) -> Term {
        if let Some(&known) = self.values.get(&(instance, value)) {
            return known;
        }
        let body = self.model.contexts.body(instance);
        let width = body.map_or(1, |body| {
            body.values[value].bits(&self.model.program.target)
        });
        let term = self.terms.variable(width);
        self.values.insert((instance, value), term);
        if self.knows_ranges {
            self.within_range(instance, value, term);
        }
        term
    }

    /// A value is in its range in every execution.
    fn within_range(&mut self, instance: Instance, value: Value, term: Term) {
        let width = self.terms.width(term);
        if width > 64 {
            return;
        }
        let ranges = &self.model.contexts.activation(instance).ranges;
        self.within(ranges.of(Operand::Value(value), width), term);
    }

    /// A term is in a range.
    fn within(&mut self, range: Range, term: Term) {
        let width = self.terms.width(term);
        let (low, high) = (u128::from(range.low), u128::from(range.high));
        if low == 0 && high >= brownout_solver::mask(width) {
            return;
        }
        let terms = &mut self.terms;
        let low = terms.constant(width, low);
        let high = terms.constant(width, high);
        for (less, more) in [(term, low), (high, term)] {
            let outside = terms.binary(Binary::ULess, less, more);
            let inside = terms.not(outside);
            self.facts.push(inside);
        }
    }

    /// What an object holds when the region starts.
    pub fn memory(&mut self, object: Object) -> Bytes {
        if let Some(&known) = self.memory.get(&object) {
            return known;
        }
        let kind = self.model.points_to.objects.data(object).kind;
        let bytes = match kind {
            Kind::Global(global) if self.holds_initial(global) => self.initial(global),
            _ => self.unknown(object),
        };
        self.memory.insert(object, bytes);
        bytes
    }

    /// Contents of which nothing is known but facts.
    fn unknown(&mut self, object: Object) -> Bytes {
        let mut bytes = self.arrays.unknown(&mut self.terms);
        for fact in self.known.get(&object).into_iter().flatten() {
            let indices = fact.start..fact.end;
            let indices = indices.map(|index| self.terms.constant(self.pointer, index as u128));
            let indices: Vec<Term> = indices.collect();
            if let Some(value) = fact.range.single() {
                for (byte, index) in indices.into_iter().enumerate() {
                    let byte = self.terms.constant(8, u128::from(value >> (8 * byte)));
                    bytes = self.arrays.store(bytes, index, byte);
                }
                continue;
            }
            let mut number: Option<Term> = None;
            for index in indices {
                let byte = self.arrays.select(&mut self.terms, bytes, index);
                number = Some(match number {
                    Some(low) => self.terms.concat(byte, low),
                    None => byte,
                });
            }
            if let Some(number) = number {
                self.within(fact.range, number);
            }
        }
        bytes
    }

    /// Whether a global has its initial contents when the region starts.
    fn holds_initial(&self, global: Global) -> bool {
        let program = self.model.program;
        let data = &program.globals[global];
        let fresh = self.start.reason == Reason::Entry
            && program.constructors.is_empty()
            && !self.model.setting.nonvolatile.contains(&global);
        data.init.is_some() && (data.constant || fresh)
    }

    /// What a global holds at power-on.
    pub fn initial(&mut self, global: Global) -> Bytes {
        let Some(init) = self.model.program.globals[global].init.clone() else {
            return self.arrays.unknown(&mut self.terms);
        };
        let Initializer { bytes, relocations } = init;
        let mut contents = self.arrays.known(bytes);
        for relocation in relocations {
            let mut address = self.symbol(relocation.symbol);
            if let Some(minus) = relocation.minus {
                let minus = self.symbol(minus);
                address = self.terms.sub(address, minus);
            }
            let address = self.terms.offset(address, relocation.addend as u128);
            for byte in 0..u32::from(relocation.bytes) {
                let index = u128::from(relocation.offset) + u128::from(byte);
                let index = self.terms.constant(self.pointer, index);
                let byte = match 8 * byte < self.pointer {
                    true => self.terms.extract(address, 8 * byte, 8),
                    false => self.terms.constant(8, 0),
                };
                contents = self.arrays.store(contents, index, byte);
            }
        }
        contents
    }

    fn symbol(&mut self, symbol: Symbol) -> Term {
        match symbol {
            Symbol::Global(global) => self.base(Kind::Global(global)),
            Symbol::Func(func) => self.base(Kind::Code(func)),
            Symbol::Block(func, block) => self.block(func, block),
        }
    }

    /// What is read from outside: the `part`-th thing that a site reads, the `count`-th time, and
    /// for buffers which byte. The last attempt and the continuous execution read the same.
    pub fn reading(
        &mut self,
        side: Side,
        site: Site,
        part: u32,
        width: u32,
        operands: &[Term],
    ) -> Term {
        let key = (site, part, side == Side::Failed, width);
        let function = match self.inputs.get(&key) {
            Some(known) => *known,
            None => {
                let widths: Vec<u32> = operands
                    .iter()
                    .map(|operand| self.terms.width(*operand))
                    .collect();
                let new = self.terms.function(&widths, width);
                self.inputs.insert(key, new);
                new
            }
        };
        let reading = self.terms.apply(function, operands);
        if !self.readings.contains(&reading) {
            self.readings.push(reading);
        }
        reading
    }

    /// What an example is made of, each in parts, the lowest first: what inputs give, and what registers
    /// and variables hold when the region starts.
    fn parts(&mut self) -> Vec<Vec<Term>> {
        let single = self.readings.iter().chain(self.values.values());
        let mut parts: Vec<Vec<Term>> = single.map(|term| vec![*term]).collect();
        for (&object, &bytes) in &self.memory {
            for cell in self.model.accesses.cells(object, 0, i64::MAX) {
                let cell = self.model.accesses.cells[cell as usize];
                if !matches!(cell.end.saturating_sub(cell.start), 1..=8) {
                    continue;
                }
                let number = (cell.start..cell.end).map(|index| {
                    let index = self.terms.constant(self.pointer, index as u128);
                    self.arrays.select(&mut self.terms, bytes, index)
                });
                parts.push(number.collect());
            }
        }
        parts
    }

    /// The numbers that the solver's example is made of, each once, without a sign and with one: from
    /// them, inputs may lead to a state like that of the example.
    pub fn example(&mut self, solver: &mut dyn Solver) -> Vec<u64> {
        let mut numbers = Vec::new();
        for parts in self.parts() {
            let (mut number, mut width, mut is_used) = (0, 0, false);
            for part in parts {
                let value = solver.value(&self.terms, part);
                is_used |= value.is_some();
                let bits = self.terms.width(part);
                if width + bits <= 64 {
                    number |= (value.unwrap_or(0) as u64) << width;
                    width += bits;
                }
            }
            if !is_used || width == 0 {
                continue;
            }
            let signed = ((number << (64 - width)) as i64 >> (64 - width)) as u64;
            for number in [number, signed] {
                if !numbers.contains(&number) {
                    numbers.push(number);
                }
            }
            if numbers.len() >= EXAMPLE {
                break;
            }
        }
        numbers
    }

    /// A reading of which somebody said what it can be.
    pub fn given(&mut self, reading: Term, values: &Values) -> Term {
        let terms = &mut self.terms;
        let width = terms.width(reading);
        let possible = match values {
            Values::OneOf(values) => {
                let values: BTreeSet<u128> = values
                    .iter()
                    .map(|value| *value as u128 & brownout_solver::mask(width))
                    .collect();
                if values.len() == 1 {
                    let only = values.first().copied().unwrap_or(0);
                    return terms.constant(width, only);
                }
                let mut possible = terms.no();
                for value in values {
                    let value = terms.constant(width, value);
                    let is_it = terms.equal(reading, value);
                    possible = terms.or(possible, is_it);
                }
                possible
            }
            Values::Within(low, high) => {
                let count = u128::from(low.abs_diff((*high).max(*low))) + 1;
                if width >= 128 || count > brownout_solver::mask(width) {
                    return reading;
                }
                let low = terms.constant(width, *low as u128 & brownout_solver::mask(width));
                let above = terms.sub(reading, low);
                let count = terms.constant(width, count);
                terms.binary(Binary::ULess, above, count)
            }
        };
        self.facts.push(possible);
        reading
    }

    /// A value that stands for an output with operands, after others.
    pub fn output(&mut self, source: Source, operands: &[Term]) -> Term {
        let widths: Vec<u32> = operands
            .iter()
            .map(|operand| self.terms.width(*operand))
            .collect();
        let key = (source, widths);
        let function = match self.outputs.get(&key) {
            Some(known) => *known,
            None => {
                let new = self.terms.function(&key.1, 64);
                self.outputs.insert(key, new);
                new
            }
        };
        self.terms.apply(function, operands)
    }
}
