//! All workloads, all shards: what their closures found, put together and told.
//!
//! **Invariant**: parts that were gathered apart and put together tell what one exploration tells.

use std::collections::BTreeMap;

use brownout_diag::{CrashId, CrashPoint};
use brownout_ir::Id;
use brownout_vm::{Image, Segment, SegmentKind};

use crate::boot::{End, Recording, Settled};
use crate::calls::Path;
use crate::closure::{Setting, close};
use crate::report::{Assertion, Coverage, Explored, Key, Shortfall, Violation};
use crate::workload::Walk;
use crate::{Memo, Monitor, Overflow, Request, places, replay};

/// A state whose boot breaks something.
pub(crate) struct Found {
    pub(crate) assertion: Assertion,
    pub(crate) points: Vec<CrashPoint>,
    pub(crate) paths: Vec<Path>,
    /// How many states this stands for.
    pub(crate) states: u64,
    /// The boot, the operation and the cut at which it was found.
    pub(crate) order: (u32, u32, u32),
}

/// Where in the order of explorations a state was found: failures, workload, boot, operation, cut.
pub type Order = (u32, u64, u32, u32, u32);

/// States that break the same along the same call paths.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Group {
    /// The calls that led to each failure, those that repeat the one before it left out: functions and
    /// operations of the machine, by number.
    pub paths: Vec<Vec<(u32, u32)>>,
    /// How many states.
    pub states: u64,
    /// When the first of them was found.
    pub order: Order,
    /// The failures that lead to the first one.
    pub id: CrashId,
    /// What it breaks.
    pub assertion: Assertion,
}

/// What explorations found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Gathered {
    /// How the undisturbed program ends.
    pub undisturbed: End,
    /// What is broken.
    pub groups: Vec<Group>,
    /// How much was explored.
    pub coverage: Coverage,
}

/// Boots every state that power failures can leave, under every workload.
pub fn explore(
    image: &Image,
    request: &Request,
    overflow: Option<&dyn Overflow>,
    monitor: &dyn Monitor,
) -> Explored {
    conclude(image, request, gather(image, request, overflow, monitor))
}

/// The same, without telling the failures: what one shard gives.
pub fn gather(
    image: &Image,
    request: &Request,
    overflow: Option<&dyn Overflow>,
    monitor: &dyn Monitor,
) -> Gathered {
    let request = &adapted(image, request);
    Setting::with(image, request, overflow, monitor, gather_in)
}

fn gather_in(setting: Setting<'_>) -> Gathered {
    let request = setting.request;
    let varies = !request.choices.is_empty();
    // Where there are workloads, shards divide these: each explores all states of its own.
    let whole = &Request {
        shard: request.shard.filter(|_| !varies),
        ..request.clone()
    };
    let undisturbed = &Request {
        failures: Some(0),
        ..whole.clone()
    };
    let shard = request.shard.filter(|_| varies);
    let mut walk = Walk::new(&request.choices);
    let mut all: Option<Gathered> = None;
    let mut goal = End::Undecided;
    loop {
        let workload = walk.workload();
        if let Some(shard) = shard {
            let alone = close(
                Setting {
                    request: undisturbed,
                    ..setting
                },
                &workload,
            );
            // Those that differ in what the undisturbed boot does not read belong together.
            let share = workload.share(&alone.readings, shard.count);
            let is_over = alone.coverage.shortfalls.contains(&Shortfall::Interrupted);
            goal = alone.goal;
            if share != shard.index && !is_over {
                match walk.advance(&alone.readings) {
                    true => continue,
                    false => break,
                }
            }
        }
        let setting = Setting {
            request: whole,
            ..setting
        };
        let number = varies.then(|| workload.number(&request.choices));
        let mut closed = close(setting, &workload);
        closed.coverage.workloads = varies.then_some(1);
        let is_over = closed.coverage.shortfalls.contains(&Shortfall::Interrupted);
        let gathered = Gathered {
            undisturbed: closed.goal,
            groups: grouped(closed.found, number),
            coverage: closed.coverage,
        };
        all = Some(match all {
            None => gathered,
            Some(before) => before.and(gathered),
        });
        if is_over || !varies || !walk.advance(&closed.readings) {
            break;
        }
    }
    // Workloads that all belong to others leave nothing to do.
    all.unwrap_or_else(|| Gathered {
        undisturbed: goal,
        groups: Vec::new(),
        coverage: Coverage {
            failures: request.failures,
            complete: true,
            closed: true,
            workloads: Some(0),
            ..Coverage::default()
        },
    })
}

/// What is explored in one program: the allocator's map of the heap is read by the machine itself,
/// which nobody sees, so boots are not derived where it survives.
fn adapted(image: &Image, request: &Request) -> Request {
    let keeps_heap =
        |segment: &Segment| segment.kind == SegmentKind::HeapMap && segment.nonvolatile;
    Request {
        memo: match image.layout().segments().iter().any(keeps_heap) {
            true => Memo::Off,
            false => request.memo,
        },
        ..request.clone()
    }
}

fn grouped(found: Vec<Found>, workload: Option<u64>) -> Vec<Group> {
    let mut groups: BTreeMap<GroupKey, Group> = BTreeMap::new();
    for found in found {
        let (boot, operation, cut) = found.order;
        let failures = found.points.len() as u32;
        let call = |path: &Path| {
            let calls = path.calls.iter();
            let calls = calls.map(|&(function, pc)| (function.index() as u32, pc));
            calls.chain([(u32::MAX, path.pc)]).collect()
        };
        // Failing at the same place again and again is one way, however often.
        let mut paths: Vec<Vec<(u32, u32)>> = found.paths.iter().map(call).collect();
        paths.dedup();
        let group = Group {
            paths,
            states: found.states,
            order: (failures, workload.unwrap_or(0), boot, operation, cut),
            id: CrashId {
                workload,
                points: found.points,
            },
            assertion: found.assertion,
        };
        put(&mut groups, group);
    }
    groups.into_values().collect()
}

type GroupKey = (Key, Vec<Vec<(u32, u32)>>);

fn put(groups: &mut BTreeMap<GroupKey, Group>, group: Group) {
    let key = (group.assertion.key(), group.paths.clone());
    match groups.get_mut(&key) {
        None => {
            groups.insert(key, group);
        }
        Some(known) => {
            let states = known.states + group.states;
            if group.order < known.order {
                *known = group;
            }
            known.states = states;
        }
    }
}

impl Gathered {
    /// What both found: of different workloads, or of different shards.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        let mut groups = BTreeMap::new();
        for group in self.groups.into_iter().chain(other.groups) {
            put(&mut groups, group);
        }
        let undisturbed = match (&self.undisturbed, &other.undisturbed) {
            // One that does not end is what has to be told.
            (_, End::Undecided) => End::Undecided,
            _ => self.undisturbed,
        };
        Self {
            undisturbed,
            groups: groups.into_values().collect(),
            coverage: self.coverage.and(&other.coverage),
        }
    }
}

impl Coverage {
    fn and(mut self, other: &Self) -> Self {
        self.states += other.states;
        self.booted += other.booted;
        self.derived += other.derived;
        self.repeated += other.repeated;
        self.left += other.left;
        self.moved += other.moved;
        self.complete &= other.complete;
        self.closed &= other.closed;
        self.deepest = self.deepest.max(other.deepest);
        self.operations = self.operations.max(other.operations);
        self.instructions += other.instructions;
        self.workloads = match (self.workloads, other.workloads) {
            (Some(one), Some(more)) => Some(one + more),
            (one, more) => one.or(more),
        };
        self.first_broken = match (self.first_broken, other.first_broken) {
            (None, Some(more)) => Some(self.booted - other.booted + more),
            (first, _) => first,
        };
        self.bypass = self.bypass.or_else(|| other.bypass.clone());
        self.passed.extend(&other.passed);
        for shortfall in &other.shortfalls {
            let same = self
                .shortfalls
                .iter_mut()
                .find(|known| std::mem::discriminant(*known) == std::mem::discriminant(shortfall));
            match (same, shortfall) {
                (None, _) => self.shortfalls.push(shortfall.clone()),
                (
                    Some(Shortfall::Undecided { boots, limit }),
                    Shortfall::Undecided {
                        boots: more,
                        limit: other,
                    },
                ) => {
                    *boots += more;
                    *limit = (*limit).max(*other);
                }
                (
                    Some(Shortfall::Sampled { operations }),
                    Shortfall::Sampled { operations: more },
                ) => *operations += more,
                (Some(_), _) => {}
            }
        }
        self
    }
}

/// Those groups that are not another one with failures before it, between its failures or after it:
/// these add nothing to what is known, and their states count for the shorter one.
fn shortest(mut groups: Vec<Group>) -> Vec<Group> {
    groups.sort_by_key(|group| group.order);
    let mut kept: Vec<Group> = Vec::new();
    let mut same: BTreeMap<Key, Vec<usize>> = BTreeMap::new();
    for group in groups {
        let same = same.entry(group.assertion.key()).or_default();
        let shorter = same
            .iter()
            .find(|&&index| is_within(&kept[index].paths, &group.paths));
        match shorter {
            Some(&index) => kept[index].states += group.states,
            None => {
                same.push(kept.len());
                kept.push(group);
            }
        }
    }
    kept
}

/// Whether all of the short sequence comes in the long one, in its order.
fn is_within<T: PartialEq>(short: &[T], long: &[T]) -> bool {
    let mut rest = long.iter();
    short.iter().all(|one| rest.any(|other| other == one))
}

/// Tells what was gathered, shortest first.
pub fn conclude(image: &Image, request: &Request, gathered: Gathered) -> Explored {
    let mut all: BTreeMap<Key, (u64, u32)> = BTreeMap::new();
    for group in &gathered.groups {
        let failures = group.id.points.len() as u32;
        let (states, fewest) = all.entry(group.assertion.key()).or_insert((0, failures));
        *states += group.states;
        *fewest = failures.min(*fewest);
    }
    let violation = |group: Group| {
        let found = all.get(&group.assertion.key()).copied();
        let (all_states, fewest) = found.unwrap_or((group.states, 0));
        let (failures, workload) = replay::told(image, request, &group.id);
        Violation {
            failures,
            workload,
            assertion: group.assertion,
            id: group.id,
            states: group.states,
            all_states,
            fewest,
        }
    };
    Explored {
        undisturbed: gathered.undisturbed,
        violations: shortest(gathered.groups)
            .into_iter()
            .map(violation)
            .collect(),
        coverage: gathered.coverage,
    }
}

/// What a boot breaks.
pub(crate) fn broken(
    image: &Image,
    goal: &End,
    recording: &Recording,
    is_first: bool,
) -> Option<Assertion> {
    let assertion = |name: &'static str, text: String, place| Some(Assertion { name, text, place });
    if let Some(&number) = recording.broken.first() {
        let invariant = image.bindings().invariants.get(number as usize);
        let text = invariant.map_or_else(String::new, |invariant| invariant.text.clone());
        return assertion("invariant", format!("`{text}`"), None);
    }
    match (&recording.end, goal) {
        (End::Died(assertion), _) => Some((**assertion).clone()),
        (End::Undecided | End::Arrived, _) => None,
        (End::Exited { .. } | End::Settled(_), _) if is_first => None,
        (End::Exited { status }, End::Exited { status: 0 }) if *status != 0 => {
            assertion("exit-status", format!("exit status {status}"), None)
        }
        (End::Exited { .. }, End::Exited { .. }) => None,
        // What breaks by itself is nothing to hold others against.
        (End::Exited { .. } | End::Settled(_), End::Died(_)) => None,
        (End::Settled(settled), End::Settled(goal)) if settled.meets(goal) => None,
        (End::Settled(settled), _) => assertion(
            "endless-boot",
            "a boot that never ends".to_owned(),
            settled.place(image),
        ),
        (End::Exited { status }, _) => assertion(
            "other-end",
            format!(
                "an end of the program (status {status}) that the undisturbed one does not come to"
            ),
            None,
        ),
    }
}

impl Settled {
    /// Whether two loops are the same.
    fn meets(&self, other: &Self) -> bool {
        self.0.intersection(&other.0).next().is_some()
    }

    /// Where it is.
    pub fn place(&self, image: &Image) -> Option<brownout_diag::SourcePlace> {
        let known = self.0.iter().filter(|&&pc| image.place(pc).is_some());
        let &pc = known.chain(&self.0).next()?;
        let function = image
            .function(pc)
            .filter(|function| function.index() < usize::MAX)?;
        places::frames(image, &[(function, pc)])
    }
}
