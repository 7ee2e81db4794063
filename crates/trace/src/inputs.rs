//! Inputs under power failures (EWSN'21 §4.1, SEMANTICS §3.3): is data used in the power cycle in
//! which it was read?
//!
//! **Property.** Every value read from outside carries the commit clock of its reading. A use of
//! most-recent data whose clock is not the current one is `stale-input`; so is a value made of
//! readings of different power cycles that are declared to belong together.
//!
//! **Algorithm.** One continuous execution with a label for every register and byte ([`readings`]):
//! which inputs a value was made of, and when these were read. Labels travel through registers,
//! memory, arithmetic, calls and copies. A *use* is whatever first touches old data: a load, a copy,
//! a branch, a store or an output. What is made of data that has been reported is not reported
//! again. A tag on a variable holds for what is read from it and wins over the input's.
//!
//! Under the reactive policy a checkpoint may sit anywhere, so all inputs behave long-term: that is
//! said once.
//!
//! **False positives.** A use whose result does not matter; a value that depends on old data only
//! formally, as in `x - x`.
//!
//! **False negatives.** Paths that were not executed; dependence through branches only; values that
//! differ in what they are made of, from the 16 millionth on that the program holds at once.

mod made;
mod memo;
mod part;
mod readings;
#[cfg(test)]
mod reference;
mod shapes;
mod sights;
mod wording;

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use brownout_diag::{Finding, InputBehaviour};
use brownout_ir::Func;
use brownout_scenario::{Input, Model, Policy, Scenario};
use brownout_vm::{Arrival, Bounds, Image, Machine, Moment, Observer, Register, Stop};
use rustc_hash::FxHashSet;

use self::made::{Look, Made};
use self::part::Part;
use self::readings::Readings;
use self::sights::Sights;
use crate::calls::{Calls, Context};
use crate::labels::{Join, Labels};
use crate::objects::{Object, Objects};

/// What one execution shows about inputs.
#[derive(Debug)]
pub struct InputsChecked {
    /// Data that is too old, or never as old as it may be, in a stable order.
    pub findings: Vec<Finding>,
    /// How the inputs behave that are not tagged.
    pub behaviours: Vec<InputBehaviour>,
    /// Instructions executed.
    pub instructions: u64,
}

/// How many instructions are executed between two looks at `interrupt`.
const SLICE: u64 = 5_000_000;
/// How many commits that were crossed are listed.
const CROSSED: usize = 4;

/// Follows what `image` reads from outside through one execution of at most `limit` instructions.
pub fn check_inputs(
    image: &Image,
    scenario: &Scenario,
    limit: u64,
    interrupt: &dyn Fn() -> bool,
) -> InputsChecked {
    let mut machine = Machine::new(image);
    machine.set_bounds(Bounds::Strict);
    let mut observer = Follow::new(image, scenario, machine.memory().len());
    loop {
        let until = machine.now().saturating_add(SLICE).min(limit);
        match machine.run(&mut observer, until) {
            Stop::Paused if until < limit && !interrupt() => {}
            _ => break,
        }
    }
    InputsChecked {
        findings: wording::findings(image, scenario, &observer),
        behaviours: wording::behaviours(image, scenario, &observer),
        instructions: machine.now(),
    }
}

/// A variable that the scenario says something about.
#[derive(Clone, Copy, Debug)]
struct Tagged {
    object: Object,
    model: Option<Model>,
    /// Whether it belongs to a set: the number of its source.
    source: Option<u32>,
}

/// A use of an input's data: whose, read where, used where, held by which tagged variable.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
struct Key {
    input: u32,
    read: u32,
    used: u32,
    variable: Option<u32>,
}

/// How it was used.
#[derive(Clone, Debug, Default)]
struct Use {
    /// Whether it was used in the power cycle of the reading.
    here: bool,
    /// The first use in a later one.
    later: Option<Crossing>,
}

/// A use across commits.
#[derive(Clone, Debug)]
struct Crossing {
    /// How many commits lie between.
    commits: u32,
    /// The operations that committed, the first few.
    places: Vec<u32>,
    read_calls: Context,
    use_calls: Context,
}

/// A value made of readings that do not belong together: the set, and where it is used.
type MixtureKey = (u32, u32);

/// The analysis.
struct Follow<'i, 's> {
    objects: Objects<'i>,
    calls: Calls<'i>,
    inputs: &'s [Input],
    variables: Vec<Tagged>,
    /// Sets of sources that must agree: inputs, and behind them variables.
    sets: Vec<Vec<u32>>,
    labels: Labels<Made>,
    readings: Box<Readings>,
    /// The operations that committed, by clock.
    commits: Vec<u32>,
    uses: BTreeMap<Key, Use>,
    /// What is in [`Follow::uses`]: whether later.
    recorded: FxHashSet<(Key, bool)>,
    mixtures: BTreeMap<MixtureKey, Vec<Part>>,
    /// Uses that need no second look.
    lately: Box<Sights>,
}

impl<'i, 's> Follow<'i, 's> {
    fn new(image: &'i Image, scenario: &'s Scenario, bytes: usize) -> Self {
        let program = image.program();
        let inputs = scenario.inputs.as_slice();
        let mut variables: Vec<Tagged> = scenario
            .variables
            .iter()
            .filter(|variable| variable.model.is_some())
            .filter_map(|variable| {
                Some(Tagged {
                    object: Object::named(program, &variable.name)?,
                    model: variable.model,
                    source: None,
                })
            })
            .collect();
        let mut member = |name: &String| {
            let input = inputs.iter().position(|input| input.source.name() == name);
            if let Some(input) = input {
                return Some(input as u32);
            }
            let object = Object::named(program, name)?;
            let known = variables.iter().position(|tagged| tagged.object == object);
            let index = known.unwrap_or_else(|| {
                variables.push(Tagged {
                    object,
                    model: None,
                    source: None,
                });
                variables.len() - 1
            });
            let source = (inputs.len() + index) as u32;
            variables[index].source = Some(source);
            Some(source)
        };
        let sets: Vec<Vec<u32>> = scenario
            .consistent
            .iter()
            .map(|group| group.iter().filter_map(&mut member).collect())
            .collect();
        let sources = 0..(inputs.len() + variables.len()) as u32;
        let consistent = sources
            .map(|source| sets.iter().any(|set| set.contains(&source)))
            .collect();
        let mut lately = Box::new(Sights::new(image.operations()));
        lately.put_aside(!variables.is_empty());
        Self {
            objects: Objects::new(image),
            calls: Calls::new(image),
            inputs,
            variables,
            sets,
            labels: Labels::new(bytes),
            readings: Box::new(Readings::new(consistent)),
            commits: Vec::with_capacity(1 << 14),
            uses: BTreeMap::new(),
            recorded: FxHashSet::default(),
            mixtures: BTreeMap::new(),
            lately,
        }
    }

    /// The tagged variable that a byte belongs to.
    fn variable_at(&self, offset: u32) -> Option<u32> {
        if self.variables.is_empty() {
            None
        } else {
            self.tagged_at(offset)
        }
    }

    fn tagged_at(&self, offset: u32) -> Option<u32> {
        let object = match self.objects.global(offset) {
            Some((global, _)) => Object::Global(global),
            None => {
                let (_, owner) = self.calls.owner(offset);
                let owner = owner?;
                let distance = i64::from(offset) - i64::from(owner.frame);
                self.objects.local(owner.func, distance).0
            }
        };
        let mut variables = self.variables.iter();
        let found = variables.position(|tagged| tagged.object == object);
        found.map(|index| index as u32)
    }

    /// Another function is executed: an operation of the library stands for the line that called it,
    /// and a load for the variable it is from.
    #[inline(never)]
    fn look_round(&mut self) {
        let stands_for_itself = self.variables.is_empty() && !self.calls.in_library();
        self.lately.put_aside(!stands_for_itself);
    }

    /// Drops labels that nobody needs, now and then. Nobody may hold one outside of
    /// [`Follow::labels`].
    #[inline(always)]
    fn sweep_if_many(&mut self) {
        if self.readings.are_many() {
            self.sweep();
        }
    }

    #[cold]
    fn sweep(&mut self) {
        let old = self.readings.sweep(&mut self.labels, self.lately.old());
        self.lately.clear(old);
    }

    /// Data is touched, perhaps some that is held at an offset; gives its label from here on.
    #[inline(always)]
    fn touch(&mut self, pc: u32, made: Made, holder: Option<u32>) -> Made {
        if self.lately.knows_in_passing(made, pc) {
            return made;
        }
        self.look_at(pc, made, holder)
    }

    /// Data is stored at an offset; gives its label there.
    #[inline(always)]
    fn put(&mut self, pc: u32, made: Made, offset: u32) -> Made {
        if self.lately.knows_in_passing(made, pc) {
            return made;
        }
        let made = self.look_at(pc, made, None);
        if self.sets.is_empty() {
            return made;
        }
        let made = self.mix(pc, made);
        self.held_at(offset, made)
    }

    #[inline(never)]
    fn look_at(&mut self, pc: u32, made: Made, holder: Option<u32>) -> Made {
        let look = self.lately.look(made);
        if self.lately.has_seen(look, pc) {
            return made;
        }
        self.look_closely(pc, (made, look), holder)
    }

    #[inline(never)]
    fn look_closely(&mut self, pc: u32, (made, look): (Made, Look), holder: Option<u32>) -> Made {
        let variable = holder.and_then(|offset| self.variable_at(offset));
        let used = self.calls.blame(pc);
        let looks = (self.readings.aspect(made), look);
        if self.lately.knows(looks, used, variable) || self.calls.is_hidden() {
            return made;
        }
        let tag = variable.and_then(|index| self.variables[index as usize].model);
        let mut said = false;
        for index in 0..self.readings.parts(made).len() {
            let part = self.readings.parts(made)[index];
            let Some(input) = self.inputs.get(part.source as usize) else {
                continue;
            };
            if part.said.age {
                continue;
            }
            let later = part.oldest.clock != self.readings.clock();
            self.record(used, &part, variable, later);
            said |= later && tag.or(input.model).is_some();
        }
        if said {
            return self.readings.told(made);
        }
        self.lately.remember(looks, used, variable);
        made
    }

    fn record(&mut self, pc: u32, part: &Part, variable: Option<u32>, later: bool) {
        let key = Key {
            input: part.source,
            read: part.oldest.pc,
            used: pc,
            variable,
        };
        // The same happens over and over: only the first time is news.
        if !self.recorded.insert((key, later)) {
            return;
        }
        let known = self.uses.entry(key).or_default();
        if !later {
            known.here = true;
        } else if known.later.is_none() {
            let (from, to) = (part.oldest.clock, self.readings.clock());
            let mut places: Vec<u32> = Vec::new();
            for &commit in self.commits.iter().skip(from as usize) {
                if !places.contains(&commit) && places.len() < CROSSED {
                    places.push(commit);
                }
            }
            known.later = Some(Crossing {
                commits: to - from,
                places,
                read_calls: part.oldest.calls,
                use_calls: self.calls.context(),
            });
        }
    }

    /// Data comes together; gives its label from here on.
    #[inline(always)]
    fn mix(&mut self, pc: u32, made: Made) -> Made {
        if self.sets.is_empty() || self.readings.is_even(made) {
            return made;
        }
        self.mix_parts(pc, made)
    }

    /// Data is stored at an offset, perhaps in a variable that belongs to a set; gives its label there.
    fn held_at(&mut self, offset: u32, made: Made) -> Made {
        let variable = self.variable_at(offset);
        match variable.and_then(|index| self.variables[index as usize].source) {
            Some(source) => self.readings.held_by(made, source),
            None => made,
        }
    }

    #[inline(never)]
    fn mix_parts(&mut self, pc: u32, made: Made) -> Made {
        let parts = self.readings.parts(made);
        let mut spoilt: Vec<u32> = Vec::new();
        for (number, set) in (0..).zip(&self.sets) {
            let members = || {
                let fresh = parts.iter().filter(|part| !part.said.mixture);
                fresh.filter(|part| set.contains(&part.source))
            };
            let Some(first) = members().next().map(|part| part.oldest.clock) else {
                continue;
            };
            let together = |part: &Part| part.oldest.clock == first && part.newest.clock == first;
            if members().count() < 2 || members().all(together) {
                continue;
            }
            let pc = self.calls.blame(pc);
            let found = members().copied().collect();
            self.mixtures.entry((number, pc)).or_insert(found);
            spoilt.extend(set);
        }
        if spoilt.is_empty() {
            self.readings.set_even(made);
            return made;
        }
        self.readings.changed(made, |part| {
            part.said.mixture |= spoilt.contains(&part.source);
        })
    }
}

impl Observer for Follow<'_, '_> {
    #[inline(always)]
    fn flow(&self) -> bool {
        true
    }

    #[inline(always)]
    fn derive(&mut self, to: Register, from: &[Register]) {
        let made = self.labels.of(from, &mut *self.readings);
        self.labels.set(to, made);
    }

    #[inline(always)]
    fn loaded(&mut self, at: Moment, to: Register, offset: u32, size: u32, address: &[Register]) {
        let mut made = self.labels.bytes(offset, size, &mut *self.readings);
        if made != Made::OF_NOTHING {
            made = self.touch(at.pc, made, Some(offset));
        }
        let chosen = self.labels.of(address, &mut *self.readings);
        if chosen != Made::OF_NOTHING {
            let chosen = self.touch(at.pc, chosen, None);
            made = match made {
                Made::OF_NOTHING => chosen,
                made => self.readings.join(made, chosen),
            };
        }
        self.labels.set(to, made);
    }

    #[inline(always)]
    fn stored(
        &mut self,
        at: Moment,
        from: Option<Register>,
        offset: u32,
        size: u32,
        _: &[Register],
    ) {
        let mut made = match from {
            Some(from) => self.labels.of(&[from], &mut *self.readings),
            None => Made::OF_NOTHING,
        };
        if made != Made::OF_NOTHING {
            made = self.put(at.pc, made, offset);
        }
        self.labels.set_bytes(offset, size, made);
    }

    fn copied(&mut self, at: Moment, to: u32, from: u32, size: u32, _: &[Register]) {
        self.labels.copy(to, from, size);
        // Bytes that belong together mostly have one label.
        let mut last = (Made::OF_NOTHING, Made::OF_NOTHING);
        for index in 0..size {
            let Some(&made) = self.labels.bytes_mut(to + index, 1).first() else {
                return;
            };
            if made == Made::OF_NOTHING {
                continue;
            }
            if made != last.0 {
                last = (made, self.touch(at.pc, made, Some(from + index)));
            }
            self.labels.set_bytes(to + index, 1, last.1);
        }
    }

    #[inline(always)]
    fn decide(&mut self, at: Moment, on: &[Register]) {
        // However labels come to be many: a program that goes on for long decides to.
        self.sweep_if_many();
        let made = self.labels.of(on, &mut *self.readings);
        if made != Made::OF_NOTHING {
            let made = self.touch(at.pc, made, None);
            self.mix(at.pc, made);
        }
    }

    fn spend(&mut self, at: Moment, arguments: &[Register]) {
        let made = self.labels.of(arguments, &mut *self.readings);
        if made != Made::OF_NOTHING {
            let made = self.touch(at.pc, made, None);
            self.mix(at.pc, made);
        }
    }

    #[inline(always)]
    fn arrive(&mut self, at: Moment, index: u32, place: Arrival) {
        self.sweep_if_many();
        let made = if self.readings.are_many() {
            // Even after a sweep.
            Made::OF_NOTHING
        } else {
            let pc = self.calls.blame(at.pc);
            self.readings.single(index, pc, self.calls.context())
        };
        match place {
            Arrival::Register(register) => self.labels.set(register, made),
            Arrival::Memory { offset, size } => self.labels.set_bytes(offset, size, made),
        }
    }

    #[inline(always)]
    fn checkpoint(&mut self, at: Moment, _: &[(u32, u32)]) -> ControlFlow<()> {
        let old = self.readings.commit();
        let passing = if self.sets.is_empty() {
            old
        } else {
            Made::OF_NOTHING
        };
        self.lately.commit(old, passing);
        self.commits.push(self.calls.blame(at.pc));
        ControlFlow::Continue(())
    }

    fn call(&mut self, at: Moment, function: Func, frame: u32) {
        self.calls.enter(at.pc, function, frame);
        self.look_round();
    }

    fn ret(&mut self, _: Moment, _: Func) {
        self.calls.leave();
        self.look_round();
    }

    fn stack(&mut self, _: Moment, pointer: u32) {
        self.calls.move_stack(pointer);
    }

    fn unwind(&mut self, _: Moment, depth: usize) {
        self.calls.unwind(depth);
        self.look_round();
    }
}

/// Whether a checkpoint may sit between any two instructions.
fn is_reactive(scenario: &Scenario) -> bool {
    matches!(scenario.power.policy, Policy::Reactive { .. })
}
