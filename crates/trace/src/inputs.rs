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
//! **False negatives.** Paths that were not executed; dependence through branches only; what is read
//! while the program already holds four million values that are made of different readings.

mod labels;
mod readings;
#[cfg(test)]
mod reference;
mod tags;
mod variables;
mod wording;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use brownout_diag::{Finding, InputBehaviour};
use brownout_explore::{Calls, Context, Objects};
use brownout_ir::Func;
use brownout_scenario::{Exposure, Scenario};
use brownout_vm::{Arrival, Bounds, Image, Machine, Moment, Observer, Register, Stop};
use rustc_hash::FxHashMap;

use self::readings::{Part, Reading, Readings, Subject};
use self::tags::{Tags, Variable};
use self::variables::Variables;
use crate::inputs::labels::{Join, Label, Labels};

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
/// The cache of judgements is emptied when it has grown to this many entries.
const JUDGEMENTS: usize = 1 << 14;

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

/// A use of an input's data: which input, read where, used where, held by which tagged variable.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Key {
    input: u32,
    read: u32,
    used: u32,
    variable: Option<Variable>,
}

/// The age of the data when it was used.
#[derive(Clone, Debug, Default)]
struct Ages {
    /// Whether it was used in the power cycle of its reading.
    here: bool,
    /// The first use in a later power cycle.
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

/// How an operation uses data.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Manner {
    /// It takes the data, perhaps from a tagged variable.
    Load(Option<Variable>),
    /// It stores the data, decides by it or puts it out: readings in it must agree.
    Spend,
}

/// A use of data with that label, by that operation of the user's code. What is found changes only
/// once: with the commit after which all readings in the data are old.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Judged {
    label: Label,
    used: u32,
    are_old: bool,
    manner: Manner,
}

/// The analysis.
struct Follow<'i> {
    objects: Objects<'i>,
    calls: Calls<'i>,
    tags: Tags,
    variables: Variables,
    labels: Labels,
    readings: Readings,
    /// Commits so far.
    clock: u32,
    /// The operations that committed, by clock.
    commits: Vec<u32>,
    /// The inputs that were read.
    read: BTreeSet<u32>,
    uses: BTreeMap<Key, Ages>,
    /// The members of an agreement that were used together and do not agree, by the number of the
    /// agreement and the operation.
    disagreements: BTreeMap<(u32, u32), Vec<Part>>,
    /// A cache: the label that data has after a use.
    judgements: FxHashMap<Judged, Label>,
}

impl<'i> Follow<'i> {
    fn new(image: &'i Image, scenario: &Scenario, bytes: usize) -> Self {
        let objects = Objects::new(image);
        let tags = Tags::new(image.program(), scenario);
        Self {
            calls: Calls::new(image),
            variables: Variables::new(image, &objects, &tags),
            objects,
            tags,
            labels: Labels::new(bytes),
            readings: Readings::new(),
            clock: 0,
            commits: Vec::new(),
            read: BTreeSet::new(),
            uses: BTreeMap::new(),
            disagreements: BTreeMap::new(),
            judgements: FxHashMap::default(),
        }
    }

    /// Drops sets of readings that no value is made of any more, now and then. Nobody may hold a
    /// label outside of [`Follow::labels`].
    #[inline(always)]
    fn sweep_if_many(&mut self) {
        if self.readings.are_many() {
            self.readings.sweep(&mut self.labels);
            self.judgements.clear();
        }
    }

    /// Data is used; gives its label from here on.
    #[inline(always)]
    fn judge(&mut self, pc: u32, label: Label, manner: Manner) -> Label {
        if label == Label::NONE {
            return label;
        }
        self.judge_readings(pc, label, manner)
    }

    #[inline(never)]
    fn judge_readings(&mut self, pc: u32, label: Label, manner: Manner) -> Label {
        let judged = Judged {
            label,
            used: self.calls.blame(pc),
            are_old: self.readings.are_old(label, self.clock),
            manner,
        };
        // In hidden code the same operation of the user's is judged differently.
        let hidden = self.calls.is_hidden();
        if !hidden && let Some(&left) = self.judgements.get(&judged) {
            return left;
        }
        let mut left = label;
        if !hidden {
            left = self.judge_ages(&judged);
        }
        if manner == Manner::Spend {
            left = self.judge_agreements(judged.used, left);
        }
        if !hidden {
            if self.judgements.len() >= JUDGEMENTS {
                self.judgements.clear();
            }
            self.judgements.insert(judged, left);
        }
        left
    }

    /// Notes how old the readings in used data are; gives the label without the ages that are
    /// reported, if they are: those of old data that the variable's tag or the input's is about.
    fn judge_ages(&mut self, judged: &Judged) -> Label {
        let variable = match judged.manner {
            Manner::Load(variable) => variable,
            Manner::Spend => None,
        };
        for part in self.readings.parts(judged.label).to_vec() {
            if let Subject::Age(input) = part.subject {
                let key = Key {
                    input,
                    read: part.oldest.pc,
                    used: judged.used,
                    variable,
                };
                self.note_age(key, part.oldest);
            }
        }
        let model = variable.and_then(|variable| self.tags.variable_model(variable));
        let (tags, clock) = (&self.tags, self.clock);
        self.readings
            .retain(judged.label, |part| match part.subject {
                Subject::Age(input) => {
                    let is_tagged = model.or_else(|| tags.input_model(input)).is_some();
                    part.oldest.clock == clock || !is_tagged
                }
                Subject::Agreement { .. } | Subject::Everything => true,
            })
    }

    fn note_age(&mut self, key: Key, reading: Reading) {
        let ages = self.uses.entry(key).or_default();
        if reading.clock == self.clock {
            ages.here = true;
        } else if ages.later.is_none() {
            let mut places: Vec<u32> = Vec::new();
            for &commit in self.commits.iter().skip(reading.clock as usize) {
                if !places.contains(&commit) && places.len() < CROSSED {
                    places.push(commit);
                }
            }
            ages.later = Some(Crossing {
                commits: self.clock - reading.clock,
                places,
                read_calls: reading.calls,
                use_calls: self.calls.context(),
            });
        }
    }

    /// Notes which members of agreements in used data are of different power cycles; gives the label
    /// without these agreements.
    fn judge_agreements(&mut self, used: u32, label: Label) -> Label {
        let agreement = |part: &Part| part.subject.agreement();
        let mut broken: Vec<u32> = Vec::new();
        let parts = self.readings.parts(label);
        for members in parts.chunk_by(|one, other| agreement(one) == agreement(other)) {
            let [first, others @ ..] = members else {
                continue;
            };
            let agree =
                |part: &Part| part.oldest.clock == first.oldest.clock && part.later.is_none();
            if let Some(number) = agreement(first)
                && !others.is_empty()
                && !members.iter().all(agree)
            {
                let noted = self.disagreements.entry((number, used));
                noted.or_insert_with(|| members.to_vec());
                broken.push(number);
            }
        }
        let is_broken =
            |part: &Part| agreement(part).is_some_and(|number| broken.contains(&number));
        self.readings.retain(label, |part| !is_broken(part))
    }

    /// Data is kept at an offset from here on; gives its label there. All readings in it are those
    /// of the variable there, if that is a member of agreements.
    fn keep(&mut self, label: Label, offset: u32) -> Label {
        let variable = match label {
            Label::NONE => None,
            _ => self.variables.at(offset),
        };
        let agreements =
            variable.map_or(&[][..], |variable| self.tags.variable_agreements(variable));
        let parts = self.readings.parts(label);
        let everything = parts
            .iter()
            .find(|part| part.subject == Subject::Everything);
        let Some(&everything) = everything.filter(|_| !agreements.is_empty()) else {
            return label;
        };
        let others = parts
            .iter()
            .filter(|part| !agreements.contains(&part.subject));
        let own = agreements.iter().map(|&subject| Part {
            subject,
            ..everything
        });
        let mut parts: Vec<Part> = others.copied().chain(own).collect();
        parts.sort_unstable_by_key(|part| part.subject);
        self.readings.label(parts)
    }
}

impl Observer for Follow<'_> {
    #[inline(always)]
    fn flow(&self) -> bool {
        true
    }

    #[inline(always)]
    fn derive(&mut self, to: Register, from: &[Register]) {
        let label = self.labels.of(from, &mut self.readings);
        self.labels.set(to, label);
    }

    #[inline(always)]
    fn loaded(&mut self, at: Moment, to: Register, offset: u32, size: u32, address: &[Register]) {
        let mut label = self.labels.bytes(offset, size, &mut self.readings);
        if label != Label::NONE {
            let manner = Manner::Load(self.variables.at(offset));
            label = self.judge(at.pc, label, manner);
        }
        let chosen = self.labels.of(address, &mut self.readings);
        let chosen = self.judge(at.pc, chosen, Manner::Load(None));
        self.labels.set(to, self.readings.joined(label, chosen));
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
        let label = self.labels.of(from.as_slice(), &mut self.readings);
        let label = self.judge(at.pc, label, Manner::Spend);
        let label = self.keep(label, offset);
        self.labels.set_bytes(offset, size, label);
    }

    fn copied(&mut self, at: Moment, to: u32, from: u32, size: u32, _: &[Register]) {
        self.labels.copy(to, from, size);
        for index in 0..size {
            let label = self.labels.bytes(to + index, 1, &mut self.readings);
            if label != Label::NONE {
                let manner = Manner::Load(self.variables.at(from + index));
                let label = self.judge(at.pc, label, manner);
                let label = self.keep(label, to + index);
                self.labels.set_bytes(to + index, 1, label);
            }
        }
    }

    #[inline(always)]
    fn decide(&mut self, at: Moment, on: &[Register]) {
        // Whatever makes many sets of readings: a program that goes on for long decides to.
        self.sweep_if_many();
        let label = self.labels.of(on, &mut self.readings);
        self.judge(at.pc, label, Manner::Spend);
    }

    fn spend(&mut self, at: Moment, arguments: &[Register]) {
        let label = self.labels.of(arguments, &mut self.readings);
        self.judge(at.pc, label, Manner::Spend);
    }

    fn arrive(&mut self, at: Moment, index: u32, place: Arrival) {
        self.sweep_if_many();
        self.read.insert(index);
        let reading = Reading {
            clock: self.clock,
            input: index,
            pc: self.calls.blame(at.pc),
            calls: self.calls.context(),
        };
        let subjects = self.tags.subjects(index).iter();
        let parts = subjects
            .map(|&subject| Part::new(subject, reading))
            .collect();
        let label = self.readings.label(parts);
        match place {
            Arrival::Register(register) => self.labels.set(register, label),
            Arrival::Memory { offset, size } => {
                for byte in offset..offset.saturating_add(size) {
                    let label = self.keep(label, byte);
                    self.labels.set_bytes(byte, 1, label);
                }
            }
        }
    }

    fn checkpoint(&mut self, at: Moment, _: &[(u32, u32)]) -> ControlFlow<()> {
        self.clock = self.clock.saturating_add(1);
        self.commits.push(self.calls.blame(at.pc));
        ControlFlow::Continue(())
    }

    fn call(&mut self, at: Moment, function: Func, frame: u32) {
        self.calls.enter(at.pc, function, frame);
        self.variables.enter(function, frame, self.calls.depth());
    }

    fn ret(&mut self, _: Moment, _: Func) {
        self.calls.leave();
        self.variables.leave(self.calls.depth());
    }

    fn stack(&mut self, _: Moment, pointer: u32) {
        self.calls.move_stack(pointer);
    }

    fn unwind(&mut self, _: Moment, depth: usize) {
        self.calls.unwind(depth);
        self.variables.leave(self.calls.depth());
    }
}

/// Whether a checkpoint may sit between any two instructions.
fn is_reactive(scenario: &Scenario) -> bool {
    matches!(scenario.power.policy.exposure(), Exposure::Anywhere { .. })
}
