//! Loads and stores of a symbolic state.
//!
//! Memory is one byte array for each object that pointers are known to point to; where an address
//! can lie in several objects, it decides which one is meant. An access outside of its objects is
//! something that programs without faults do not do.

use brownout_flow::accesses::is_nonvolatile;
use brownout_flow::contexts::Site;
use brownout_flow::objects::{Kind, Object};
use brownout_ir::Operand;
use brownout_solver::{Binary, Bytes, Term};

use crate::execute::{Attempt, Failure, Obstacle};
use crate::instructions::STRETCH;
use crate::question::{Difference, Source};
use crate::state::State;
use crate::world::Side;

/// An object that an address may lie in.
struct Target {
    object: Object,
    /// How far from its start.
    offset: Term,
    /// Whether the address lies in it.
    inside: Term,
}

impl Attempt<'_, '_> {
    /// Whether nobody writes an object.
    pub(crate) fn is_constant(&self, object: Object) -> bool {
        let model = self.world.model;
        match model.points_to.objects.data(object).kind {
            Kind::Global(global) => {
                let data = &model.program.globals[global];
                data.constant && data.init.is_some()
            }
            _ => false,
        }
    }

    /// The objects that an access of so many bytes may touch.
    fn targets(
        &mut self,
        site: Site,
        operand: Operand,
        bytes: u64,
        state: &State,
    ) -> Result<Vec<Target>, Obstacle> {
        let model = self.world.model;
        let mut objects: Vec<Object> = Vec::new();
        for target in model.points_to.of(site.instance, operand) {
            if !objects.contains(&target.object) {
                objects.push(target.object);
            }
        }
        objects
            .retain(|object| !matches!(model.points_to.objects.data(*object).kind, Kind::Code(_)));
        if objects.is_empty() || model.accesses.lost.contains(&site) {
            return Err(self.unsupported("memory through a pointer made from a number", site));
        }
        let pointer = self.world.pointer;
        let address = self.operand(site.instance, operand, pointer, state);
        let mut found = Vec::new();
        let mut somewhere = self.world.terms.no();
        for object in objects {
            let data = model.points_to.objects.data(object);
            if !data.single || !matches!(data.kind, Kind::Global(_) | Kind::Slot(..)) {
                return Err(self.unsupported("memory that is allocated or passed", site));
            }
            let Some(size) = data.size.and_then(|size| u64::try_from(size).ok()) else {
                return Err(self.unsupported("memory of unknown size", site));
            };
            let base = self.world.base(data.kind);
            let terms = &mut self.world.terms;
            let offset = terms.sub(address, base);
            let inside = match size.checked_sub(bytes) {
                Some(room) => {
                    let end = terms.constant(pointer, u128::from(room) + 1);
                    terms.binary(Binary::ULess, offset, end)
                }
                None => terms.no(),
            };
            somewhere = terms.or(somewhere, inside);
            found.push(Target {
                object,
                offset,
                inside,
            });
        }
        self.require(Difference::Fault, state.guard, somewhere);
        Ok(found)
    }

    /// Reads a value of so many bits.
    pub(crate) fn load(
        &mut self,
        site: Site,
        address: Operand,
        width: u32,
        state: &State,
    ) -> Result<Term, Obstacle> {
        let bytes = self.load_bytes(site, address, u64::from(width.div_ceil(8)), state)?;
        let terms = &mut self.world.terms;
        let mut value = bytes
            .first()
            .copied()
            .unwrap_or_else(|| terms.constant(8, 0));
        for byte in bytes.iter().skip(1) {
            value = terms.concat(*byte, value);
        }
        Ok(terms.extract(value, 0, width))
    }

    fn load_bytes(
        &mut self,
        site: Site,
        address: Operand,
        count: u64,
        state: &State,
    ) -> Result<Vec<Term>, Obstacle> {
        let targets = self.targets(site, address, count, state)?;
        let mut bytes = Vec::new();
        for index in 0..count {
            let mut value = None;
            for target in targets.iter().rev() {
                let contents = state.memory(self.world, target.object);
                let world = &mut *self.world;
                let at = world.terms.offset(target.offset, u128::from(index));
                let byte = world.arrays.select(&mut world.terms, contents, at);
                value = Some(match value {
                    Some(other) => world.terms.choice(target.inside, byte, other),
                    None => byte,
                });
            }
            bytes.extend(value);
        }
        Ok(bytes)
    }

    /// Writes a value.
    pub(crate) fn store(
        &mut self,
        site: Site,
        address: Operand,
        value: Term,
        state: &mut State,
    ) -> Result<(), Obstacle> {
        let width = self.world.terms.width(value);
        let count = width.div_ceil(8);
        let whole = self.world.terms.zero_extend(value, 8 * count);
        let mut bytes = Vec::new();
        for index in 0..count {
            bytes.push(self.world.terms.extract(whole, 8 * index, 8));
        }
        let unit = match self.world.question.atomic_write {
            Some(unit) => unit.max(1),
            None => count,
        };
        self.store_bytes(site, address, &bytes, unit, state)?;
        self.emit_register(site, address, value, state)
    }

    /// A write of a device register that the world outside sees.
    fn emit_register(
        &mut self,
        site: Site,
        address: Operand,
        value: Term,
        state: &mut State,
    ) -> Result<(), Obstacle> {
        if self.world.question.registers.is_empty() {
            return Ok(());
        }
        let model = self.world.model;
        let targets = model.points_to.of(site.instance, address);
        let registers: Vec<_> = targets
            .iter()
            .filter_map(
                |target| match model.points_to.objects.data(target.object).kind {
                    Kind::Global(global) => {
                        let output = self.world.question.registers.get(&global)?;
                        Some((global, output.clone()))
                    }
                    _ => None,
                },
            )
            .collect();
        match &registers[..] {
            [] => Ok(()),
            [(global, output)] if targets.len() == 1 => {
                let signed = false;
                self.emit(
                    site,
                    Source::Register(*global),
                    output,
                    &[(value, signed)],
                    state,
                )
            }
            _ => Err(self.unsupported("a write of one of several registers", site)),
        }
    }

    /// Writes bytes, `unit` of them at once. Power can fail before all are written.
    pub(crate) fn store_bytes(
        &mut self,
        site: Site,
        address: Operand,
        bytes: &[Term],
        unit: u32,
        state: &mut State,
    ) -> Result<(), Obstacle> {
        let targets = self.targets(site, address, bytes.len() as u64, state)?;
        let model = self.world.model;
        let nonvolatile = targets.iter().any(|target| {
            let kind = model.points_to.objects.data(target.object).kind;
            is_nonvolatile(model.setting, kind)
        });
        // What does not lie in one unit may be written in pieces of any size.
        let length = bytes.len() as u128;
        let straddles = self.world.question.atomic_write.is_some()
            && length > 1
            && !self.is_aligned(site, address, &targets, length, state);
        let unit = match length > u128::from(unit) || straddles {
            true => 1,
            false => unit,
        };
        let torn = self.side == Side::Failed && nonvolatile && bytes.len() > unit as usize;
        if torn {
            // Any of its units may have been written.
            let mut bit = self.world.terms.yes();
            let mut kept = Vec::new();
            for index in 0..bytes.len() {
                if index % unit as usize == 0 {
                    bit = self.world.terms.variable(1);
                }
                kept.push(bit);
            }
            let mut memory = state.memory.clone();
            for target in &targets {
                let old = state.memory(self.world, target.object);
                let new = self.written(target, old, bytes, Some(&kept));
                memory.insert(target.object, new);
            }
            self.run.failures.push(Failure {
                site,
                guard: state.guard,
                memory,
                environment: state.environment.clone(),
                done: state.done.clone(),
            });
        }
        for target in &targets {
            let old = state.memory(self.world, target.object);
            let mut new = self.written(target, old, bytes, None);
            if targets.len() > 1 {
                new = self
                    .world
                    .arrays
                    .choice(&self.world.terms, target.inside, new, old);
            }
            state.memory.insert(target.object, new);
        }
        if nonvolatile && !torn {
            self.fails(site, state);
        }
        Ok(())
    }

    /// Whether the bytes at an address lie as values of that size do. That is taken for granted of pointers that
    /// are read from memory, and asked of what is added to them.
    fn is_aligned(
        &mut self,
        site: Site,
        address: Operand,
        targets: &[Target],
        length: u128,
        state: &State,
    ) -> bool {
        let model = self.world.model;
        let is_placed = |target: &Target| match model.points_to.objects.data(target.object).kind {
            Kind::Global(global) => {
                u128::from(model.program.globals[global].align).is_multiple_of(length)
            }
            _ => true,
        };
        let address = self.operand(site.instance, address, self.world.pointer, state);
        targets.iter().all(is_placed) && self.world.is_multiple(address, length)
    }

    /// The contents of an object with bytes written, those that `kept` says if it says so.
    fn written(
        &mut self,
        target: &Target,
        old: Bytes,
        bytes: &[Term],
        kept: Option<&[Term]>,
    ) -> Bytes {
        let world = &mut *self.world;
        let mut new = old;
        for (index, byte) in bytes.iter().enumerate() {
            let at = world.terms.offset(target.offset, index as u128);
            let byte = match kept {
                Some(kept) => {
                    let before = world.arrays.select(&mut world.terms, old, at);
                    let written = world.terms.and(kept[index], target.inside);
                    world.terms.choice(written, *byte, before)
                }
                None => *byte,
            };
            new = world.arrays.store(new, at, byte);
        }
        new
    }

    /// Copies a known number of bytes, in any order.
    pub(crate) fn copy(
        &mut self,
        site: Site,
        to: Operand,
        from: Operand,
        length: Operand,
        state: &mut State,
    ) -> Result<(), Obstacle> {
        let length = self.known_length(site, length, state)?;
        if length == 0 {
            return Ok(());
        }
        let bytes = self.load_bytes(site, from, length, state)?;
        self.store_bytes(site, to, &bytes, 1, state)
    }

    /// Fills a known number of bytes.
    pub(crate) fn fill(
        &mut self,
        site: Site,
        to: Operand,
        byte: Term,
        length: Operand,
        state: &mut State,
    ) -> Result<(), Obstacle> {
        let length = self.known_length(site, length, state)?;
        if length == 0 {
            return Ok(());
        }
        let bytes = vec![byte; usize::try_from(length).unwrap_or(0)];
        self.store_bytes(site, to, &bytes, 1, state)
    }

    fn known_length(
        &mut self,
        site: Site,
        length: Operand,
        state: &State,
    ) -> Result<u64, Obstacle> {
        let length = self.operand(site.instance, length, self.world.pointer, state);
        let known = self
            .world
            .terms
            .value(length)
            .and_then(|length| u64::try_from(length).ok());
        match known {
            Some(length) if length <= STRETCH => Ok(length),
            Some(_) => Err(self.unsupported("a copy of so many bytes", site)),
            None => Err(self.unsupported("a copy of an unknown number of bytes", site)),
        }
    }
}
