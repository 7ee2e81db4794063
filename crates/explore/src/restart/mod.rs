//! Policy `restart`: nothing commits, every reboot starts at the entry (SEMANTICS §2).
//!
//! **Property.** A power failure is harmless if it looks as if it had struck at a *quiet moment*: the
//! visits of the head of the outermost loop around it, the one before and the one after it. A loop that
//! only computes (`FirstBoot`) does not count. Without such a loop: the entry, the last visit of a loop
//! that was left, and the end or, of a program that has none, the first visit of the loop that it stays
//! in. The undisturbed executions whose power fails at these moments are the references. From the boot
//! on, attempt and references get the same inputs. The failure is harmless if, from some visit of a loop
//! head on, the attempt is in the state in which one of the references is at the same visit, and the
//! world has seen nothing that this reference does not show it.
//!
//! **Algorithm.** A state decides the future, so one visit with equal states settles it. Bytes that
//! differ are followed: if all of them are overwritten before they are read, the states were equal in
//! all that matters. An attempt that has not agreed with either reference by the end of the program,
//! or within `VISITS` visits, stays different.
//!
//! **False positives.** Recovery that takes more than `VISITS` rounds.
//!
//! **False negatives.** Rounds that are not executed, and what the budget leaves out: the result says
//! so.

mod attempt;
mod blame;
mod boot;
mod circle;
mod compare;
mod completed;
mod dead_ends;
mod everywhere;
mod first_boot;
mod further;
mod next_boots;
mod once;
mod recovery;
mod round;
mod scene;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use brownout_vm::{
    Both, Bounds, Image, Loops, Machine, Observer, Readings, Standstill, Stop, Unobserved,
};

use rustc_hash::{FxHashMap, FxHashSet};

use self::boot::{After, Entry, Kept, References};
use self::first_boot::FirstBoot;
use self::round::{Ended, Round};
use super::emissions::Emission;
use super::{Emulated, Harm, Miss, PowerFailure, Setting, Undecided};
use crate::calls::{Calls, user_operation};
use crate::monitor::Monitor;
use crate::objects::Objects;
use crate::parts::DividedCounters;
use crate::rounds::{Patience, RoundCounter, Rounds};

/// So many visits of loop heads decide: who does not agree with a reference by then stays different.
const VISITS: usize = 24;
/// So many visits decide if what differs has not been accessed by then: a counter in volatile memory
/// may be between a program and what it left.
const LATE_VISITS: usize = 1 << 8;
/// How many visits of a reference are looked at first: recovery mostly takes a round.
const FIRST_VISITS: usize = 3;
/// The least instructions that a boot may take.
const LEAST_BUDGET: u64 = 1_000_000;
/// Loops of up to so many operations in which nothing changes are recognised.
const LONGEST_LOOP: u32 = 1 << 14;
/// So many different courses of a round are told apart.
const COURSES: usize = 64;
/// In so many rounds of one course failures do harm before others of it are believed to be like them, and
/// in so many if boots have other readings.
const HARMFUL_ROUNDS: u32 = 16;
const FURTHER_HARMFUL_ROUNDS: u32 = 2;
/// Power fails in so many rounds of every course, however rare it is: the first one may do nothing that the
/// boot does not do, too.
const ROUNDS_OF_A_COURSE: u32 = 4;

/// Power fails in every round that writes where none has written before, until so many instructions are spent: when a ring
/// is full for the first time, a boot may find something else in it.
const WRITTEN_ELSEWHERE: u64 = 4_000_000;

/// By how many readings boots after a failure are further than the first one, at most: the world need not
/// be as it was.
const LATER: u32 = 2;
/// Each of these may spend this part of the budget, and is over after so many instructions without
/// anything new.
const FURTHER_BUDGETS: u64 = 4;
const FURTHER_INSTRUCTIONS: u64 = 1 << 16;

/// What exploring a program under `restart` comes to.
#[derive(Clone, Debug)]
pub struct Restarted {
    /// Failures that do harm, in order.
    pub harm: Vec<Harm>,
    /// Those that do so only if boots find other readings than the first one, with these.
    pub later: Vec<(Arc<Readings>, Harm)>,
    /// Writes after which a failure was not settled: operation, first byte, why.
    pub undecided: Vec<(u32, u32, Undecided)>,
    /// Failures emulated.
    pub failures: u64,
    /// Instructions executed for them.
    pub emulated: u64,
    /// How the undisturbed execution ended.
    pub stop: Stop,
    /// Its instructions.
    pub instructions: u64,
    /// The rounds of a loop without end, if it was ended because nothing new happened.
    pub rounds: Option<Rounds>,
    /// The loop in which it does nothing any more, if it was ended for that reason.
    pub idle: Option<Standstill>,
    /// Whether a failure after every write of the execution was emulated.
    pub complete: bool,
    /// What boots read, by place.
    pub readings: Arc<Readings>,
    /// The operations that write something after a failure, or call a function.
    pub recovering: FxHashSet<u32>,
    /// The operations that count in parts, and that no carry was seen of.
    pub uncarried: Vec<u32>,
}

impl Restarted {
    /// Adds what boots with other readings come to.
    fn add(&mut self, more: Self) {
        let later = self.later.iter().map(|(_, harm)| harm);
        let known: BTreeSet<(u32, u32)> = (self.harm.iter().chain(later))
            .map(|harm| (harm.producer, harm.offset))
            .collect();
        for harm in more.harm {
            if !known.contains(&(harm.producer, harm.offset)) {
                self.later.push((Arc::clone(&more.readings), harm));
            }
        }
        for open in more.undecided {
            if !self.undecided.contains(&open) {
                self.undecided.push(open);
            }
        }
        self.failures += more.failures;
        self.emulated = more.emulated;
        self.complete &= more.complete;
    }
}

/// Explores a program that goes on at its entry after every power failure. What it does undisturbed
/// goes to `also`, too.
pub fn explore(
    image: &Image,
    setting: Setting<'_>,
    (limit, patience): (u64, Patience),
    budget: u64,
    monitor: &dyn Monitor,
    also: &mut dyn Observer,
) -> Restarted {
    let mut explorer = RestartExplorer::new(image, setting);
    let mut all = explorer.walk((limit, patience), budget, monitor, also);
    for later in explorer.further_readings() {
        explorer.begin_later(later);
        let budget = explorer.spent + budget / FURTHER_BUDGETS;
        let patience = Patience {
            instructions: patience.instructions.min(FURTHER_INSTRUCTIONS),
            ..patience
        };
        let more = explorer.walk((limit, patience), budget, monitor, &mut Unobserved);
        all.add(more);
    }
    all.recovering = explorer.recovering;
    all
}

/// Emulates one power failure, exactly as it is asked for.
pub fn emulate(
    image: &Image,
    setting: Setting<'_>,
    failure: PowerFailure,
    limit: u64,
) -> Result<Emulated, Miss> {
    let mut explorer = RestartExplorer::new(image, setting);
    let first = explorer.emulate(failure, limit)?;
    if !first.trial.differences().is_empty() {
        return Ok(first);
    }
    // As the search does: what does no harm with the first readings may do so with later ones.
    for later in explorer.further_readings() {
        explorer.begin_later(later);
        let emulated = explorer.emulate(failure, limit)?;
        if !emulated.trial.differences().is_empty() {
            return Ok(emulated);
        }
    }
    Ok(first)
}

/// Whether an output is made once more because power fails at a moment.
pub fn repeats(image: &Image, (failure, output): (u64, u32), limit: u64) -> bool {
    RestartExplorer::new(image, Setting::plain(limit)).repeats(failure, output, limit)
}

/// Who reads first what the write before a failure left, after the boot.
pub fn reader(
    image: &Image,
    readings: &Arc<Readings>,
    failure: PowerFailure,
    offset: u32,
) -> Option<u32> {
    let mut machine = Machine::new(image);
    machine.set_bounds(Bounds::Lenient);
    machine.advance(failure.failure);
    machine.fail_power();
    machine.begin_boot(Arc::clone(readings));
    if let Some(again) = failure.again {
        machine.advance(machine.now() + again);
        machine.fail_power();
        machine.begin_boot(Arc::clone(readings));
    }
    let mut reader = super::explorer::FirstReader::new(image, offset);
    let until = machine.now() + LEAST_BUDGET;
    machine.watch(&mut reader, until);
    reader.found()
}

struct RestartExplorer<'s, 'i> {
    image: &'i Image,
    setting: Setting<'s>,
    loops: Loops,
    objects: Objects<'i>,
    first_boot: FirstBoot<'i>,
    /// In so many rounds of one course failures do harm before others of it are believed to be like them.
    harmful_rounds: u32,
    /// What boots read in the failure that was judged last.
    judged_with: Arc<Readings>,
    /// The last of each absolute output when the round began.
    shown: Vec<Emission>,
    /// The operations that have written something after a failure.
    recovering: FxHashSet<u32>,
    spent: u64,
    /// That part of it which second failures have taken.
    spent_on_seconds: u64,
    /// That part of it which looking for the next access has taken.
    spent_on_accesses: u64,
    /// How many attempts have not accessed an offset that they were looked at for long for.
    unaccessed: FxHashMap<u32, u32>,
    /// Whether attempts are followed further where what differs may still be overwritten, and whether one would have been.
    follows_late: bool,
    was_late: bool,
    /// How many boots that die at quiet moments were looked into.
    dying_boots: u32,
}

/// Where a round of the undisturbed execution begins.
#[derive(Clone, Copy, Default)]
struct Beginning {
    /// The head that is visited, unless it is the entry.
    head: Option<u32>,
    /// The activation of its function.
    activation: u32,
    /// How much the world had seen.
    seen: usize,
}

impl Beginning {
    /// Where the next round begins.
    fn next(self, machine: &Machine<'_>, round: &Round<'_>) -> Self {
        Self {
            head: Some(visited(machine)),
            activation: round.calls.activation(),
            seen: self.seen + round.emissions.len(),
        }
    }

    /// Whether a round that has come to the head of a loop is one of that loop: it has not been left, by a function that
    /// returns and is called again.
    fn is_of_loop_at(self, machine: &Machine<'_>, round: &Round<'_>) -> bool {
        self.head == Some(visited(machine)) && self.activation == round.calls.activation()
    }
}

/// The head of a loop that a machine has just passed.
fn visited(machine: &Machine<'_>) -> u32 {
    machine.pc().saturating_sub(1)
}

impl<'s, 'i> RestartExplorer<'s, 'i> {
    fn new(image: &'i Image, setting: Setting<'s>) -> Self {
        Self {
            image,
            setting,
            loops: Loops::of(image),
            objects: Objects::new(image),
            first_boot: FirstBoot::new(image),
            harmful_rounds: HARMFUL_ROUNDS,
            judged_with: Arc::default(),
            shown: Vec::new(),
            recovering: FxHashSet::default(),
            spent: 0,
            spent_on_seconds: 0,
            spent_on_accesses: 0,
            unaccessed: FxHashMap::default(),
            follows_late: true,
            was_late: false,
            dying_boots: 0,
        }
    }

    /// What boots find that are some readings further than the first one, where that makes a difference.
    fn further_readings(&self) -> Vec<Readings> {
        let all = &self.first_boot.all;
        let is_other = |later: &Readings| {
            let mut later = later.iter();
            later.any(|(place, value)| all.get(place) != Some(value))
        };
        match self.image.is_interruptible() {
            true => Vec::new(),
            false => (1..=LATER)
                .map(|by| self.readings_later(by))
                .filter(is_other)
                .collect(),
        }
    }

    /// What inputs give so many readings later: what they gave the first boot then or, where it asked no more, what
    /// the scenario gives next.
    fn readings_later(&self, by: u32) -> Readings {
        let mut readings = Readings::new();
        for (&place, &value) in self.first_boot.all.iter() {
            let Some(source) = self.image.bindings().inputs.get(place.input as usize) else {
                readings.insert(place, value);
                continue;
            };
            readings.extend(place.earlier(by).map(|place| (place, value)));
            let is_last = !self.first_boot.all.contains_key(&place.later(1));
            for next in (1..=by).filter(|_| is_last).map(|next| place.later(next)) {
                let value = source.value_by_index(next.nth.into(), u64::BITS);
                readings.extend(next.earlier(by).zip(value));
            }
        }
        readings
    }

    /// From here on boots after a failure find these.
    fn begin_later(&mut self, readings: Readings) {
        self.first_boot.readings = Arc::new(readings);
        self.harmful_rounds = FURTHER_HARMFUL_ROUNDS;
    }

    fn walk(
        &mut self,
        (limit, patience): (u64, Patience),
        budget: u64,
        monitor: &dyn Monitor,
        also: &mut dyn Observer,
    ) -> Restarted {
        let mut machine = Machine::new(self.image);
        machine.set_bounds(Bounds::Lenient);
        self.shown.clear();
        let mut result = Restarted {
            harm: Vec::new(),
            later: Vec::new(),
            undecided: Vec::new(),
            failures: 0,
            emulated: 0,
            stop: Stop::Paused,
            instructions: 0,
            rounds: None,
            idle: None,
            complete: true,
            readings: Arc::clone(&self.first_boot.readings),
            recovering: FxHashSet::default(),
            uncarried: Vec::new(),
        };
        let mut calls = Calls::new(self.image);
        let mut counter = RoundCounter::new(self.image, &self.loops, patience);
        let mut events = BTreeSet::new();
        let mut changes = BTreeSet::new();
        // Where each operation has written.
        let mut written = FxHashSet::default();
        let mut divided = DividedCounters::default();
        // In how many rounds of each course power has failed.
        let mut courses: BTreeMap<u64, u32> = BTreeMap::new();
        // In how many rounds of each course failures do harm.
        let mut harmful: BTreeMap<u64, u32> = BTreeMap::new();
        // The operations that have accessed memory, and how many these are.
        let (mut accessed, mut places) = (vec![false; self.image.operations()], 0);
        let mut beginning = Beginning::default();
        let mut last_write: Option<u64> = None;
        let mut entry = self.entry(&machine);
        // A circle that the program stays in, and when it has been through it.
        let mut circle: Option<(u64, Standstill)> = None;
        loop {
            let mut round = Round {
                accessed: std::mem::take(&mut accessed),
                ..Round::new(calls, self.setting.atomic_write)
            };
            machine.forget();
            machine.keep_journal(true);
            self.note_readings(&mut machine);
            let start = machine.mark();
            let stop = self.run_round(&mut machine, also, &mut round, limit, monitor);
            accessed = std::mem::take(&mut round.accessed);
            places += round.places;
            events.extend(round.events());
            let course = round.course();
            let is_course_new = courses.len() < COURSES && !courses.contains_key(&course);
            if is_course_new {
                courses.insert(course, 0);
            }
            let is_rare = (courses.get(&course)).is_some_and(|&count| count < ROUNDS_OF_A_COURSE);
            let changed = changes.len();
            changes.extend(round.changes());
            let carried = divided.pass(self.image, &self.objects, &round.parts);
            let known = written.len();
            if self.spent < WRITTEN_ELSEWHERE {
                written.extend(round.written());
            }
            let is_new =
                is_course_new || carried || changes.len() > changed || written.len() > known;
            let is_repetitive = beginning
                .head
                .is_some_and(|head| counter.is_repetitive(head));
            let harmful_rounds = harmful.get(&course).copied().unwrap_or(0);
            let is_told = harmful_rounds >= self.harmful_rounds;
            let is_like_others =
                (is_repetitive && !is_rare || is_told) && round.places == 0 && !is_new;
            if !round.writings.is_empty() && !is_like_others {
                // A round that was not followed to its end has no quiet moment after it.
                let is_cut = stop == Some(Ended::Nowhere);
                if self.spent >= budget || monitor.is_interrupted() || is_cut {
                    result.complete = false;
                } else {
                    let mut after = self.after(&machine, stop.as_ref(), &round, beginning);
                    let next = machine.clone();
                    machine.rollback(&start);
                    let mut before = self.reference(&machine, FIRST_VISITS);
                    let known = result.harm.len();
                    if self.first_boot.never_comes_to(&before.boot)
                        && let Some(time) = last_write
                    {
                        self.fail_at_last_write(time, limit, &mut result);
                    }
                    let is_of_a_loop = stop.is_none() && beginning.is_of_loop_at(&next, &round);
                    let goal = self.goal(beginning.head.filter(|_| is_of_a_loop));
                    let is_at_entry = beginning.head.is_none();
                    let entry = Some(&mut entry).filter(|_| !is_of_a_loop && !is_at_entry);
                    let references = &mut References {
                        before: &mut before,
                        after: after.as_mut(),
                        entry,
                        goal,
                        kept: vec![Kept::at_beginning(&machine)],
                    };
                    let goes_on = |spent: u64| spent < budget && !monitor.is_interrupted();
                    self.fail_everywhere(&mut machine, &round, references, &goes_on, &mut result);
                    if let Some(count) = courses.get_mut(&course) {
                        *count += 1;
                    }
                    if result.harm.len() > known {
                        *harmful.entry(course).or_insert(0) += 1;
                    }
                    machine = next;
                }
            }
            monitor.advance(1);
            last_write = round
                .writings
                .last()
                .map(|writing| writing.time)
                .or(last_write);
            self.pass(&round);
            entry.pass(&round);
            beginning = beginning.next(&machine, &round);
            calls = round.calls;
            result.instructions = machine.now();
            if let Some(stop) = stop {
                result.complete &= stop != Ended::Nowhere;
                result.stop = stop.stop();
                if let Ended::Idle(standstill) = stop {
                    result.idle = Some(standstill);
                }
                break;
            }
            if monitor.is_interrupted() {
                result.complete = false;
                break;
            }
            let at = visited(&machine);
            // Where handlers come at any place, there is always another course.
            let told_apart = match self.image.is_interruptible() {
                true => 0,
                false => courses.len(),
            };
            let things = places + (events.len() + changes.len() + told_apart) as u64;
            let rounds = divided.passes_to_carry();
            result.rounds = counter.visit(at, machine.now(), things, rounds);
            if circle.is_none()
                && counter.is_quiet_for_a_power_of_two(at)
                && let Some(standstill) = machine.standstill(LONGEST_LOOP)
            {
                circle = Some((standstill.is_seen_at(machine.now()), standstill));
            }
            if let Some((seen_at, standstill)) = &circle {
                result.rounds = None;
                if machine.now() >= *seen_at {
                    result.idle = Some(standstill.clone());
                    break;
                }
            }
            if let Some(rounds) = &mut result.rounds {
                rounds.head = user_operation(self.image, &machine);
                break;
            }
        }
        result.emulated = self.spent;
        result.uncarried = divided.uncarried().collect();
        if !result.uncarried.is_empty() && result.rounds.is_some() && self.is_in_a_circle(&machine)
        {
            result.uncarried.clear();
        }
        result
    }

    /// From here on it is noted what is read, and which handlers come.
    fn note_readings(&self, machine: &mut Machine<'i>) {
        let bindings = self.image.bindings();
        if bindings.interrupts.is_some() || !bindings.inputs.is_empty() {
            machine.begin_readings(Arc::default());
        }
    }

    /// Runs to the next quiet moment: nothing if that is a visit of a loop head, how the execution
    /// ended otherwise.
    fn run_round(
        &self,
        machine: &mut Machine<'i>,
        also: &mut dyn Observer,
        round: &mut Round<'i>,
        limit: u64,
        monitor: &dyn Monitor,
    ) -> Option<Ended> {
        let mut circle: Option<(u64, Standstill)> = None;
        loop {
            let until = machine.now().saturating_add(SLICE).min(limit);
            let until = circle
                .as_ref()
                .map_or(until, |(seen_at, _)| until.min(*seen_at));
            let mut both = Both {
                first: also,
                second: round,
            };
            let stop = machine.watch(&mut both, until);
            if stop != Stop::Paused {
                return Some(Ended::Stopped(stop));
            }
            let passed = round.passes_head();
            if passed && self.is_quiet(machine) {
                return None;
            }
            if machine.now() >= limit || monitor.is_interrupted() {
                return Some(Ended::Nowhere);
            }
            match circle.take() {
                Some((seen_at, standstill)) if machine.now() >= seen_at => {
                    return Some(Ended::Idle(standstill));
                }
                None if !passed => {
                    let found = machine.standstill(LONGEST_LOOP);
                    circle = found.map(|found| (found.is_seen_at(machine.now()), found));
                }
                known => circle = known,
            }
        }
    }

    /// A round is over: keeps in mind what its absolute outputs have set.
    fn pass(&mut self, round: &Round<'i>) {
        for emission in &round.emissions {
            if let Emission::Output { index, .. } = emission
                && self.setting.tags.absolute.contains(index)
            {
                let is_other = |other: &Emission| !matches!(other, Emission::Output { index: one, .. } if one == index);
                self.shown.retain(is_other);
                self.shown.push(emission.clone());
            }
        }
    }

    /// The entry, before anything has happened.
    fn entry(&mut self, machine: &Machine<'i>) -> Entry<'i> {
        Entry {
            reference: self.reference(machine, FIRST_VISITS),
            emissions: Vec::new(),
        }
    }

    /// The reference whose power fails at the quiet moment after a round, if there is one: where the
    /// round has come to or, if it is not a round of one loop, the end of the program or the loop that
    /// it stays in.
    fn after(
        &mut self,
        machine: &Machine<'i>,
        ended: Option<&Ended>,
        round: &Round<'i>,
        beginning: Beginning,
    ) -> Option<After<'i>> {
        let is_of_a_loop = ended.is_none() && beginning.is_of_loop_at(machine, round);
        if let (false, Some((end, emissions))) = (is_of_a_loop, &self.first_boot.end) {
            let (end, emissions) = (end.clone(), emissions.clone());
            return Some(After {
                reference: self.reference(&end, FIRST_VISITS),
                emissions: emissions.get(beginning.seen..)?.to_vec(),
            });
        }
        let is_settled = |settled: &Machine<'_>| beginning.head == Some(visited(settled));
        if let (false, Some((settled, emissions))) = (is_of_a_loop, &self.first_boot.settled)
            && !is_settled(settled)
        {
            let (settled, emissions) = (settled.clone(), emissions.clone());
            let emissions = emissions.get(beginning.seen..)?.to_vec();
            let reference = self.reference(&settled, FIRST_VISITS);
            return Some(After {
                reference: reference.after_set_ups(vec![emissions.len()]),
                emissions,
            });
        }
        match ended {
            Some(Ended::Nowhere | Ended::Stopped(Stop::Faulted(_))) => None,
            _ => Some(After {
                reference: self.reference(machine, FIRST_VISITS),
                emissions: round.emissions.clone(),
            }),
        }
    }
}

/// How many instructions are executed between two looks around.
const SLICE: u64 = 1 << 18;

/// An observer that pauses at loop heads.
trait Pauses: Observer {
    /// Whether it paused at one since it was asked last.
    fn passes_head(&mut self) -> bool;
}
