//! Follows one sequence of power failures, boot by boot.

use brownout_diag::{CrashId, Extent, SourcePlace};
use brownout_vm::{Image, Machine};

use crate::boot::{Booter, End, Recording};
use crate::closure::broken;
use crate::nonvolatile::Nonvolatile;
use crate::operation::{Cuts, Kind};
use crate::report::{Assertion, Failure};
use crate::scratch::Scratch;
use crate::state::States;
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
}

/// A sequence of power failures.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Followed {
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
    follow(image, request, id, request.instructions, monitor)
}

/// The failures of an id, told.
pub(crate) fn failures(image: &Image, request: &Request, id: &CrashId, limit: u64) -> Vec<Failure> {
    let followed = follow(image, request, id, limit, &Unwatched);
    let boots = followed.map(|followed| followed.boots).unwrap_or_default();
    boots.into_iter().filter_map(|boot| boot.failure).collect()
}

fn follow(
    image: &Image,
    request: &Request,
    id: &CrashId,
    limit: u64,
    monitor: &dyn Monitor,
) -> Result<Followed, NoSuchFailure> {
    let request = &Request {
        memo: Memo::Off,
        ..request.clone()
    };
    let nonvolatile = Nonvolatile::new(image, request);
    let fresh = Machine::new(image);
    let mut states = States::default();
    let mut scratch = Scratch::new(&nonvolatile, &fresh, &mut states);
    let cuts = Cuts::new(image, request, &nonvolatile);
    let mut booter = Booter::new(image, request, &nonvolatile, &fresh);
    let outside = states.outside(fresh.environment().to_vec());
    let mut state = states.insert(0, std::iter::empty(), outside, || None);
    let mut goal = None;
    let mut boots = Vec::new();
    for index in 0..=id.points.len() {
        let Some(id_of_state) = state else {
            break;
        };
        let current = states.get(id_of_state).clone();
        let recording = booter.boot(&states, &current, limit, monitor);
        scratch.load(&states, &current);
        let goal = goal.get_or_insert_with(|| recording.end.clone());
        let Some(point) = id.points.get(index) else {
            let operations = tell(image, &recording, &mut scratch, &mut states, u64::MAX);
            boots.push(FollowedBoot {
                operations,
                failure: None,
                broken: broken(image, goal, &recording, index == 0),
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
        let mut operations = tell(image, &recording, &mut scratch, &mut states, number - 1);
        let new = recording.new_bytes(operation).to_vec();
        let old = scratch.bytes(operation.offset, new.len());
        let both = (&old[..], &new[..]);
        let Some(left) = cuts.torn(operation.kind, operation.offset, both, &point.extent) else {
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
            size: new.len() as u32,
            place: told.place.clone(),
        };
        operations.push(told);
        let outside = match point.extent {
            Extent::Whole => operation.outside,
            _ => None,
        };
        let outside = outside.and_then(|index| recording.outside.get(index as usize));
        let outside = outside.map(|outside| states.outside(outside.clone()));
        scratch.apply(&mut states, operation.offset, &left, outside);
        let pages = scratch.pages().to_vec();
        let outside = scratch.outside();
        // A sum of its own keeps equal states apart: the same one may come twice.
        state = states.insert(index as u64 + 1, pages.iter().copied(), outside, || None);
        boots.push(FollowedBoot {
            operations,
            failure: Some(failure),
            end: recording.end,
            broken: None,
        });
    }
    Ok(Followed { boots })
}

/// The first operations of a boot; they are done in `scratch`.
fn tell(
    image: &Image,
    recording: &Recording,
    scratch: &mut Scratch<'_>,
    states: &mut States,
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
    let mut globals = image.program().globals.iter();
    let object = globals.find_map(|(global, data)| {
        let inside = address.checked_sub(image.layout().global(global))?;
        let name = data.variable.as_ref().unwrap_or(&data.name);
        (inside < data.size).then(|| (name.clone(), inside))
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
