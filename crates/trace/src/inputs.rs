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

mod holders;
mod made;
mod memo;
mod part;
mod readings;
#[cfg(test)]
mod reference;
mod shapes;
mod sights;
mod topics;
mod wording;

use std::collections::BTreeMap;
use std::ops::{ControlFlow, Range};

use brownout_diag::{Finding, InputBehaviour};
use brownout_ir::Func;
use brownout_scenario::{Model, Policy, Scenario};
use brownout_vm::{Arrival, Bounds, Image, Machine, Moment, Observer, Register, Stop};
use rustc_hash::FxHashSet;

use self::holders::{Holder, Holders};
use self::made::{Look, Made};
use self::part::Part;
use self::readings::Readings;
use self::sights::{Attention, Rest, Sights};
use self::topics::{Member, Topics};
use crate::calls::{Calls, Context};
use crate::labels::{Labels, joined};
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
// Profiles show it by name: `xtask eval following`.
#[inline(never)]
pub fn check_inputs(
    image: &Image,
    scenario: &Scenario,
    limit: u64,
    interrupt: &dyn Fn() -> bool,
) -> InputsChecked {
    let mut machine = Machine::new(image);
    machine.set_bounds(Bounds::Strict);
    let mut observer = Box::new(Follow::new(image, scenario, machine.memory().len()));
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
}

/// A use of an input's data: whose, read where, used where, held by which tagged variable.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
struct Key {
    input: u32,
    read: u32,
    used: u32,
    holder: Option<Holder>,
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
struct Follow<'i> {
    objects: Objects<'i>,
    calls: Calls<'i>,
    variables: Vec<Tagged>,
    holders: Holders,
    labels: Labels<Made>,
    readings: Readings,
    /// The operations that committed, by clock.
    commits: Vec<u32>,
    uses: BTreeMap<Key, Use>,
    /// What is in [`Follow::uses`]: whether later.
    recorded: FxHashSet<(Key, bool)>,
    mixtures: BTreeMap<MixtureKey, Vec<Part>>,
    /// Uses that need no second look.
    lately: Sights,
}

impl<'i> Follow<'i> {
    fn new(image: &'i Image, scenario: &Scenario, bytes: usize) -> Self {
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
                })
            })
            .collect();
        let mut member = |name: &String| {
            let input = inputs.iter().position(|input| input.source.name() == name);
            if let Some(input) = input {
                return Some(Member::Input(input as u32));
            }
            let object = Object::named(program, name)?;
            let known = variables.iter().position(|tagged| tagged.object == object);
            let index = known.unwrap_or_else(|| {
                let model = None;
                variables.push(Tagged { object, model });
                variables.len() - 1
            });
            Some(Member::Variable(Holder::new(index)))
        };
        let sets: Vec<Vec<Member>> = scenario
            .consistent
            .iter()
            .map(|group| group.iter().filter_map(&mut member).collect())
            .collect();
        let tagged = inputs.iter().map(|input| input.model.is_some()).collect();
        let topics = Topics::new(tagged, &sets);
        let objects = Objects::new(image);
        let held: Vec<Object> = variables.iter().map(|tagged| tagged.object).collect();
        let attention = if topics.held().is_some() {
            Attention::Stores
        } else if !held.is_empty() {
            Attention::Loads
        } else {
            Attention::Nothing
        };
        let lately = Sights::new(image.operations(), attention);
        Self {
            holders: Holders::new(image, &objects, &held, bytes),
            objects,
            calls: Calls::new(image),
            variables,
            labels: Labels::new(bytes),
            readings: Readings::new(topics),
            commits: Vec::with_capacity(1 << 14),
            uses: BTreeMap::new(),
            recorded: FxHashSet::default(),
            mixtures: BTreeMap::new(),
            lately,
        }
    }

    /// Another function is executed: an operation of the library stands for the line that called it.
    #[inline(never)]
    fn look_round(&mut self) {
        self.lately.put_aside(self.calls.in_library());
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

    /// Data is touched that no variable holds; gives its label from here on.
    #[inline(always)]
    fn touch(&mut self, pc: u32, made: Made) -> Made {
        if self.lately.knows_in_passing(made, pc) {
            return made;
        }
        self.look_at(pc, made, None)
    }

    /// Data is touched that is held at an offset; gives its label from here on.
    #[inline(always)]
    fn touch_at(&mut self, pc: u32, made: Made, offset: u32) -> Made {
        if self.lately.knows_in_passing_anywhere(made, pc) {
            return made;
        }
        match self.holders.at(offset) {
            None => self.touch(pc, made),
            Some(holder) if self.lately.drops_in_passing(made, pc, holder) => Made::OF_NOTHING,
            holder => self.look_at(pc, made, holder),
        }
    }

    /// Data is stored at an offset; gives its label there.
    #[inline(always)]
    fn put(&mut self, pc: u32, made: Made, offset: u32) -> Made {
        if self.lately.knows_in_passing(made, pc) {
            return made;
        }
        let made = if self.lately.has_seen(self.lately.look(made), pc) {
            made
        } else {
            self.bring_together(pc, made)
        };
        self.hold(made, offset)
    }

    /// Data is held at an offset from here on; gives its label there.
    #[inline(always)]
    fn hold(&mut self, made: Made, offset: u32) -> Made {
        match self.holders.at(offset) {
            Some(holder) => self.readings.held_by(made, holder),
            None => made,
        }
    }

    /// Data decides, or leaves.
    #[inline(always)]
    fn spend_on(&mut self, pc: u32, made: Made) {
        if !self.lately.knows_in_passing(made, pc) {
            self.spend_closely(pc, made);
        }
    }

    #[inline(never)]
    fn spend_closely(&mut self, pc: u32, made: Made) {
        if !self.lately.has_seen(self.lately.look(made), pc) {
            self.bring_together(pc, made);
        }
    }

    #[inline(never)]
    fn bring_together(&mut self, pc: u32, made: Made) -> Made {
        let used = self.calls.blame(pc);
        match self.readings.parted_lately(made, used) {
            Some(parted) => parted,
            None => self.bring_together_anew(pc, made),
        }
    }

    #[inline(never)]
    fn bring_together_anew(&mut self, pc: u32, made: Made) -> Made {
        let is_old = self.lately.is_old(made);
        let rest = self.look_at(pc, made, None);
        if self.readings.is_even(rest) {
            return rest;
        }
        let used = self.calls.blame(pc);
        let parted = self.mix(used, rest);
        if is_old && parted != rest && !self.calls.is_hidden() {
            // It will not age any more: the next time there will be nothing else to say.
            self.readings.remember_parted(made, used, parted);
        }
        parted
    }

    #[inline(never)]
    fn look_at(&mut self, pc: u32, made: Made, holder: Option<Holder>) -> Made {
        let look = self.lately.look(made);
        match self.lately.rest(look, pc, holder) {
            Some(Rest::All | Rest::Disputed) => made,
            Some(Rest::Less) => self.fade(made, holder),
            Some(Rest::Nothing) => Made::OF_NOTHING,
            None => self.look_closely(pc, (made, look), holder),
        }
    }

    #[inline(never)]
    fn look_closely(
        &mut self,
        pc: u32,
        (made, look): (Made, Look),
        holder: Option<Holder>,
    ) -> Made {
        if self.calls.is_hidden() {
            return made;
        }
        let used = self.calls.blame(pc);
        let aspect = self.readings.aspect(made);
        if !self.lately.knows(aspect, used, holder) {
            let topics = self.readings.topics();
            let parts = self.readings.parts(made);
            let ages: Vec<Part> = parts.filter(|part| topics.is_age(part.topic)).collect();
            for part in &ages {
                self.record(used, part, holder);
            }
            self.lately.remember(aspect, used, holder);
        }
        let faded = self.fade(made, holder);
        let rest = match faded {
            Made::OF_NOTHING => Rest::Nothing,
            _ if faded != made => Rest::Less,
            _ if self.readings.is_alone(made) => Rest::All,
            _ => Rest::Disputed,
        };
        self.lately.expect(rest, look, used, holder);
        faded
    }

    /// It has been said how old data is, perhaps some that a variable holds; gives its label from
    /// here on.
    #[inline(always)]
    fn fade(&mut self, made: Made, holder: Option<Holder>) -> Made {
        let tagged = holder.is_some_and(|holder| self.variables[holder.index()].model.is_some());
        self.readings.faded(made, tagged)
    }

    fn record(&mut self, pc: u32, part: &Part, holder: Option<Holder>) {
        let later = part.oldest.clock != self.readings.clock();
        let key = Key {
            input: part.topic,
            read: part.oldest.pc,
            used: pc,
            holder,
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

    /// Data comes together that may not agree; gives its label from here on.
    #[inline(never)]
    fn mix(&mut self, used: u32, made: Made) -> Made {
        let mut spoilt: Vec<Range<u32>> = Vec::new();
        for (number, set) in (0..).zip(self.readings.topics().sets()) {
            let parts = self.readings.parts(made);
            let members = || parts.clone().filter(|part| set.contains(&part.topic));
            let Some(first) = members().next().map(|part| part.oldest.clock) else {
                continue;
            };
            let together = |part: Part| part.oldest.clock == first && part.later.clock == first;
            if members().count() < 2 || members().all(together) {
                continue;
            }
            let found = || members().collect();
            self.mixtures.entry((number, used)).or_insert_with(found);
            spoilt.push(set.clone());
        }
        if spoilt.is_empty() {
            self.readings.set_even(made);
            return made;
        }
        self.readings.parted(made, &spoilt)
    }
}

impl Observer for Follow<'_> {
    #[inline(always)]
    fn flow(&self) -> bool {
        true
    }

    #[inline(always)]
    fn derive(&mut self, to: Register, from: &[Register]) {
        let made = self.labels.of(from, &mut self.readings);
        self.labels.set(to, made);
    }

    #[inline(always)]
    fn loaded(&mut self, at: Moment, to: Register, offset: u32, size: u32, address: &[Register]) {
        let mut made = self.labels.bytes(offset, size, &mut self.readings);
        if made != Made::OF_NOTHING {
            made = self.touch_at(at.pc, made, offset);
        }
        let chosen = self.labels.of(address, &mut self.readings);
        if chosen != Made::OF_NOTHING {
            let chosen = self.touch(at.pc, chosen);
            made = joined(made, chosen, &mut self.readings);
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
            Some(from) => self.labels.of(&[from], &mut self.readings),
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
            let made = self.labels.byte(to + index);
            if made == Made::OF_NOTHING {
                continue;
            }
            if made != last.0 {
                last = (made, self.touch_at(at.pc, made, from + index));
            }
            let held = self.hold(last.1, to + index);
            self.labels.set_bytes(to + index, 1, held);
        }
    }

    #[inline(always)]
    fn decide(&mut self, at: Moment, on: &[Register]) {
        // However labels come to be many: a program that goes on for long decides to.
        self.sweep_if_many();
        let made = self.labels.of(on, &mut self.readings);
        if made != Made::OF_NOTHING {
            self.spend_on(at.pc, made);
        }
    }

    fn spend(&mut self, at: Moment, arguments: &[Register]) {
        let made = self.labels.of(arguments, &mut self.readings);
        if made != Made::OF_NOTHING {
            self.spend_on(at.pc, made);
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
            Arrival::Memory { offset, size } => {
                for byte in offset..offset.saturating_add(size) {
                    let held = self.hold(made, byte);
                    self.labels.set_bytes(byte, 1, held);
                }
            }
        }
    }

    #[inline(always)]
    fn checkpoint(&mut self, at: Moment, _: &[(u32, u32)]) -> ControlFlow<()> {
        let old = self.readings.commit();
        self.lately.commit(old);
        self.commits.push(self.calls.blame(at.pc));
        ControlFlow::Continue(())
    }

    fn call(&mut self, at: Moment, function: Func, frame: u32) {
        self.calls.enter(at.pc, function, frame);
        self.holders.enter(function, frame, self.calls.depth());
        self.look_round();
    }

    fn ret(&mut self, _: Moment, _: Func) {
        self.calls.leave();
        self.holders.leave(self.calls.depth());
        self.look_round();
    }

    fn stack(&mut self, _: Moment, pointer: u32) {
        self.calls.move_stack(pointer);
    }

    fn unwind(&mut self, _: Moment, depth: usize) {
        self.calls.unwind(depth);
        self.holders.leave(self.calls.depth());
        self.look_round();
    }
}

/// Whether a checkpoint may sit between any two instructions.
fn is_reactive(scenario: &Scenario) -> bool {
    matches!(scenario.power.policy, Policy::Reactive { .. })
}
