//! Follows one sequence of power failures, boot by boot.

use std::collections::BTreeMap;

use brownout_diag::{CrashId, Extent, SourcePlace};
use brownout_vm::Image;

use crate::atomic;
use crate::boot::{Booter, End, Interest, Patience, Recording};
use crate::calls::Path;
use crate::closure::Setting;
use crate::gather::broken;
use crate::nonvolatile::offset;
use crate::operation::{Cuts, Kind};
use crate::report::{Assertion, Failure};
use crate::scratch::Scratch;
use crate::state::{StateId, States};
use crate::unsynced::Unsynced;
use crate::workload::Workload;
use crate::{Memo, Monitor, Request, places};

/// An operation of a boot, for people to read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Recorded {
    /// Its number, from 1.
    pub number: u64,
    /// What kind it is of.
    pub kind: Kind,
    /// The first byte that it changes, by address.
    pub address: u64,
    /// The object that it changes, and where in it.
    pub object: Option<(String, u64)>,
    /// What was there.
    pub old: Vec<u8>,
    /// What it leaves when nothing interrupts it.
    pub new: Vec<u8>,
    /// What is there when power has failed, if it fails here.
    pub left: Option<Vec<u8>>,
    /// Where, with the calls that led there.
    pub place: Option<SourcePlace>,
}

/// One boot.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FollowedBoot {
    /// Its operations, up to the one at which power fails.
    pub operations: Vec<Recorded>,
    /// The power failure that ends it.
    pub failure: Option<Failure>,
    /// How it ends if power does not fail.
    pub end: End,
    /// What it breaks.
    pub broken: Option<Assertion>,
    /// Flash parts before and after it.
    pub parts: Vec<PartContents>,
}

/// A flash part before and after a boot.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PartContents {
    /// The object that stands for it.
    pub name: String,
    /// Bytes that are erased at once.
    pub block: u32,
    /// What an erased byte holds.
    pub erased: u8,
    /// What it held when the boot began.
    pub before: Vec<u8>,
    /// What it held when the boot was over.
    pub after: Vec<u8>,
}

/// A sequence of power failures.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Followed {
    /// What inputs gave, where workloads vary that: the input by number, and its readings.
    pub workload: Vec<(u32, Vec<u64>)>,
    /// The boots, the last one without failure.
    pub boots: Vec<FollowedBoot>,
}

/// A boot has no such operation, or it cannot be left like that.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NoSuchFailure {
    /// The boot, from 1.
    pub boot: usize,
    /// How many operations it has.
    pub operations: u64,
}

/// Nobody stops a replay.
struct Unwatched;

impl Monitor for Unwatched {
    fn is_interrupted(&self) -> bool {
        false
    }

    fn advance(&self, _: u64, _: u64, _: u32) {}
}

/// Follows the power failures of an id.
///
/// # Errors
/// If a boot has no such operation.
pub fn replay(
    image: &Image,
    request: &Request,
    id: &CrashId,
    monitor: &dyn Monitor,
) -> Result<Followed, NoSuchFailure> {
    let request = &Request {
        memo: Memo::Off,
        ..request.clone()
    };
    Setting::with(image, request, None, monitor, |setting| follow(setting, id))
}

/// The failures of an id, told, and what inputs gave on the way.
pub(crate) fn told(
    image: &Image,
    request: &Request,
    id: &CrashId,
) -> (Vec<Failure>, Vec<(u32, Vec<u64>)>) {
    // What is judged beside is known already.
    let request = Request {
        atomic: None,
        ..request.clone()
    };
    let Ok(followed) = replay(image, &request, id, &Unwatched) else {
        return (Vec::new(), Vec::new());
    };
    let boots = followed.boots.into_iter();
    let failures = boots.filter_map(|boot| boot.failure).collect();
    (failures, followed.workload)
}

fn follow(setting: Setting<'_>, id: &CrashId) -> Result<Followed, NoSuchFailure> {
    let Setting { image, request, .. } = setting;
    let nowhere = NoSuchFailure {
        boot: 0,
        operations: 0,
    };
    let workload = match id.workload {
        Some(number) => Workload::of_number(&request.choices, number).ok_or(nowhere)?,
        None => Workload::first(&request.choices),
    };
    let mut states = States::new(None);
    let mut scratch = Scratch::new(setting.nonvolatile, setting.fresh, &mut states);
    let cuts = Cuts::new(image, request, setting.nonvolatile);
    let mut booter = Booter::new(setting, &workload, Interest::All);
    let outside = states.outside(setting.fresh.environment().to_vec());
    let mut state = states.insert(0, std::iter::empty(), outside, None);
    let mut goal = None;
    let mut patience = Patience::first(request.instructions);
    let mut boots = Vec::new();
    let mut readings: BTreeMap<u32, u32> = BTreeMap::new();
    let mut around = None;
    for index in 0..=id.points.len() {
        let recording = booter.boot(&states, states.get(state), patience);
        if index == 0 {
            patience.usual = recording.instructions;
        }
        for reading in &recording.readings {
            let made = readings.entry(reading.input).or_insert(0);
            *made = (reading.nth + 1).max(*made);
        }
        scratch.load(&states, states.get(state));
        let mut parts = contents(setting, &scratch);
        let goal = goal.get_or_insert_with(|| recording.end.clone());
        let Some(point) = id.points.get(index) else {
            let mut unsynced = Unsynced::new(image, request, setting.nonvolatile);
            let most = u64::MAX;
            let operations = tell(
                image,
                &recording,
                &mut scratch,
                &mut states,
                &mut unsynced,
                most,
            );
            let found = broken(image, goal, &recording, index == 0);
            let half = || {
                let around: Around = around.take()?;
                around.judge(&mut booter, patience, &states, &recording, goal, setting)
            };
            boots.push(FollowedBoot {
                operations,
                failure: None,
                broken: found.or_else(half),
                parts: after(setting, parts, &scratch),
                end: recording.end,
            });
            break;
        };
        let missing = NoSuchFailure {
            boot: index + 1,
            operations: recording.operations.len() as u64,
        };
        let number = point.operation;
        let Some(operation) = recording.operations.get(number as usize - 1) else {
            return Err(missing);
        };
        let mut unsynced = Unsynced::new(image, request, setting.nonvolatile);
        let most = number - 1;
        let mut operations = tell(
            image,
            &recording,
            &mut scratch,
            &mut states,
            &mut unsynced,
            most,
        );
        unsynced.wait(&recording, number as u32 - 1);
        let new = recording.new_bytes(operation).to_vec();
        let old = scratch.bytes(operation.offset, new.len());
        let both = (&old[..], &new[..]);
        let Some(left) = cuts.torn(operation.kind, operation.offset, both, &point.extent) else {
            return Err(missing);
        };
        // Where failures begin, the operation before may be missing itself.
        unsynced.begin(&recording, number as u32 - 1, old.clone());
        let Some(not_done) = unsynced.numbers(&point.missing) else {
            return Err(missing);
        };
        let mut told = recorded(image, &recording, number, &old);
        told.left = Some(left.clone());
        let of_kind = recording.operations[..number as usize]
            .iter()
            .filter(|other| other.kind == operation.kind)
            .count() as u64;
        let failure = Failure {
            operation: number,
            kind: operation.kind,
            of_kind,
            extent: point.extent.clone(),
            missing: not_done
                .iter()
                .map(|&number| u64::from(number) + 1)
                .collect(),
            size: new.len() as u32,
            place: told.place.clone(),
        };
        operations.push(told);
        if request.atomic.is_some() && index + 1 == id.points.len() {
            // What never ends is never done.
            let flight = recording.flights.get(number as usize - 1);
            let is_judged = flight.is_none() || flight.copied() != recording.unfinished;
            around = is_judged
                .then(|| Around::new(&recording, number, state, &mut scratch, &mut states));
        }
        let outside = match point.extent {
            Extent::Whole => operation.outside,
            _ => None,
        };
        let outside = outside.and_then(|index| recording.outside.get(index as usize));
        let outside = outside.map(|outside| states.outside(outside.clone()));
        scratch.apply(&mut states, operation.offset, &left, outside);
        unsynced.undo(&point.missing, &mut scratch, &mut states);
        state = keep(&scratch, &mut states);
        parts = after(setting, parts, &scratch);
        boots.push(FollowedBoot {
            operations,
            failure: Some(failure),
            end: recording.end,
            broken: None,
            parts,
        });
    }
    let given = id.workload.and_then(|number| request.choices.told(number));
    let mut workload = given.unwrap_or_default();
    for (input, values) in &mut workload {
        values.truncate(readings.get(input).copied().unwrap_or(0) as usize);
    }
    workload.retain(|(_, values)| !values.is_empty());
    Ok(Followed { boots, workload })
}

/// What flash parts hold, before and after a boot that has not begun.
fn contents(setting: Setting<'_>, scratch: &Scratch<'_>) -> Vec<PartContents> {
    let image = setting.image;
    let parts = image.bindings().parts.iter();
    parts
        .map(|part| {
            let data = &image.program().globals[part.global];
            let offset = offset(image, part.global);
            let bytes = scratch.bytes(offset, data.size as usize);
            PartContents {
                name: data.variable.as_ref().unwrap_or(&data.name).clone(),
                block: part.erase_block,
                erased: part.erased,
                before: bytes.clone(),
                after: bytes,
            }
        })
        .collect()
}

/// The same after the boot.
fn after(
    setting: Setting<'_>,
    parts: Vec<PartContents>,
    scratch: &Scratch<'_>,
) -> Vec<PartContents> {
    let now = contents(setting, scratch).into_iter();
    let both = parts.into_iter().zip(now);
    both.map(|(before, now)| PartContents {
        after: now.after,
        ..before
    })
    .collect()
}

/// Adds the state that memory is in. The same one may come twice: it has another number then.
fn keep(scratch: &Scratch<'_>, states: &mut States<'_>) -> StateId {
    let pages = scratch.pages().to_vec();
    states.insert(0, pages.into_iter(), scratch.outside(), None)
}

/// The states around the operation of the program that power fails inside of.
struct Around {
    path: Path,
    without: StateId,
    with: StateId,
}

impl Around {
    /// Those around an operation on non-volatile memory of a boot, from 1, whose memory is in
    /// `scratch` as it is before that; it stays so.
    fn new(
        recording: &Recording,
        number: u64,
        booted: StateId,
        scratch: &mut Scratch<'_>,
        states: &mut States<'_>,
    ) -> Self {
        let index = number as usize - 1;
        let spans = atomic::spans(recording);
        let span = spans.get(index).cloned();
        let span = span.unwrap_or(index as u32..index as u32 + 1);
        let before = keep(scratch, states);
        let mut reach = |end: u32| {
            scratch.load(states, states.get(booted));
            for operation in &recording.operations[..end as usize] {
                let outside = operation
                    .outside
                    .and_then(|index| recording.outside.get(index as usize));
                let outside = outside.map(|outside| states.outside(outside.clone()));
                let new = recording.new_bytes(operation);
                scratch.apply(states, operation.offset, new, outside);
            }
            keep(scratch, states)
        };
        let (without, with) = (reach(span.start), reach(span.end));
        scratch.load(states, states.get(before));
        let path = recording.operations[index].path;
        Self {
            path: recording.paths[path as usize].clone(),
            without,
            with,
        }
    }

    /// What is broken if a boot says neither what it says without the operation nor with it.
    fn judge(
        self,
        booter: &mut Booter<'_>,
        patience: Patience,
        states: &States<'_>,
        recording: &Recording,
        goal: &End,
        setting: Setting<'_>,
    ) -> Option<Assertion> {
        let without = booter.boot(states, states.get(self.without), patience);
        let with = booter.boot(states, states.get(self.with), patience);
        let says = atomic::said(recording)?;
        let (without, with) = (atomic::said(&without)?, atomic::said(&with)?);
        let agrees = |other: &[u8]| atomic::agree(says, other, goal);
        if agrees(without) || agrees(with) {
            return None;
        }
        let operations = setting.request.atomic.as_ref()?;
        let texts = (says, without, with);
        Some(atomic::assertion(
            setting.image,
            operations,
            &self.path,
            texts,
        ))
    }
}

/// The first operations of a boot; they are done in `scratch`.
fn tell(
    image: &Image,
    recording: &Recording,
    scratch: &mut Scratch<'_>,
    states: &mut States<'_>,
    unsynced: &mut Unsynced<'_>,
    most: u64,
) -> Vec<Recorded> {
    let mut told = Vec::new();
    for (operation, number) in recording.operations.iter().zip(1..) {
        if number > most {
            break;
        }
        let new = recording.new_bytes(operation);
        let old = scratch.bytes(operation.offset, new.len());
        told.push(recorded(image, recording, number, &old));
        unsynced.wait(recording, number as u32 - 1);
        unsynced.begin(recording, number as u32 - 1, old);
        let outside = operation
            .outside
            .and_then(|index| recording.outside.get(index as usize));
        let outside = outside.map(|outside| states.outside(outside.clone()));
        scratch.apply(states, operation.offset, new, outside);
    }
    told
}

fn recorded(image: &Image, recording: &Recording, number: u64, old: &[u8]) -> Recorded {
    let operation = &recording.operations[number as usize - 1];
    let address = image.layout().address(operation.offset);
    let object = image.object_at(address).map(|(global, inside)| {
        let data = &image.program().globals[global];
        (data.variable.as_ref().unwrap_or(&data.name).clone(), inside)
    });
    let path = recording.paths.get(operation.path as usize);
    Recorded {
        number,
        kind: operation.kind,
        address,
        object,
        old: old.to_vec(),
        new: recording.new_bytes(operation).to_vec(),
        left: None,
        place: path.and_then(|path| places::place(image, path)),
    }
}
