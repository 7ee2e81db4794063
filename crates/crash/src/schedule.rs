//! Power failures again and again in one run, as file systems are tested: the first boot fails at its
//! first failure point, the next one at its second or at twice as many, until a boot has no more
//! points than that and comes to its end.
//!
//! A *failure point* is a state that power can leave inside or after an operation: what the tear
//! allows, in order. Each boot starts from the state that the failure before it left.

use brownout_diag::{CrashId, CrashPoint, Extent};
use brownout_scenario::splitmix64;
use brownout_vm::Image;

use crate::boot::{Booter, End, Interest, Patience};
use crate::closure::Setting;
use crate::gather::broken;
use crate::operation::Cuts;
use crate::report::Assertion;
use crate::scratch::Scratch;
use crate::state::States;
use crate::workload::Workload;
use crate::{Memo, Monitor, Request};

/// How the failure points follow each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rhythm {
    /// 1, 2, 3, …
    Linear,
    /// 1, 2, 4, …
    Log,
    /// Any, or none, of each boot.
    Random {
        /// Which random numbers.
        seed: u64,
    },
}

impl Rhythm {
    /// The point at which a boot fails, of which it has so many; boots and points from 1.
    fn point(self, boot: u64, points: u64) -> u64 {
        match self {
            Self::Linear => boot,
            Self::Log => 1u64.checked_shl(boot as u32 - 1).unwrap_or(u64::MAX),
            Self::Random { seed } => 1 + splitmix64(seed, boot) % (points + 1),
        }
    }
}

/// A run with power failures.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Scheduled {
    /// The failures.
    pub id: CrashId,
    /// Failure points of the first boot: none if there was nothing to try.
    pub points: u64,
    /// How the last boot ended.
    pub end: End,
    /// What it breaks.
    pub broken: Option<Assertion>,
    /// What the program printed, boot by boot, as far as each came.
    pub text: Vec<u8>,
    /// Instructions executed.
    pub instructions: u64,
    /// Whether it was stopped before a boot came to its end.
    pub is_interrupted: bool,
}

/// Runs a program with power failures in a rhythm.
pub fn schedule(
    image: &Image,
    request: &Request,
    rhythm: Rhythm,
    monitor: &dyn Monitor,
) -> Scheduled {
    let request = &Request {
        memo: Memo::Off,
        listens: true,
        ..request.clone()
    };
    Setting::with(image, request, None, monitor, |setting| {
        schedule_in(setting, rhythm)
    })
}

fn schedule_in(setting: Setting<'_>, rhythm: Rhythm) -> Scheduled {
    let Setting {
        image,
        request,
        nonvolatile,
        fresh,
        monitor,
        ..
    } = setting;
    let workload = Workload::first(&request.choices);
    let cuts = Cuts::new(image, request, nonvolatile);
    let mut states = States::new(None);
    let mut scratch = Scratch::new(nonvolatile, fresh, &mut states);
    let mut booter = Booter::new(setting, &workload, Interest::All);
    let outside = states.outside(fresh.environment().to_vec());
    let mut state = states.insert(0, std::iter::empty(), outside, None);
    let mut goal = None;
    let mut patience = Patience::first(request.instructions);
    let mut run = Scheduled {
        id: CrashId::default(),
        points: 0,
        end: End::Undecided,
        broken: None,
        text: Vec::new(),
        instructions: 0,
        is_interrupted: false,
    };
    for boot in 1.. {
        patience.limit = request.instructions.saturating_sub(run.instructions);
        let recording = booter.boot(&states, states.get(state), patience);
        run.instructions += recording.instructions;
        if boot == 1 {
            patience.usual = recording.instructions;
        }
        let goal = goal.get_or_insert_with(|| recording.end.clone());
        scratch.load(&states, states.get(state));
        // Where power can fail in this boot, with what it leaves.
        let mut points: Vec<(u32, Extent, Vec<u8>)> = Vec::new();
        let mut at = Vec::new();
        let before = if boot == 1 { recording.before } else { 0 };
        for (operation, number) in recording.operations.iter().zip(0..) {
            let new = recording.new_bytes(operation);
            let old = scratch.bytes(operation.offset, new.len());
            if number >= before {
                let extents = cuts.extents(operation.kind, operation.offset, &old, new);
                let both = (&old[..], new);
                for extent in extents.extents.into_iter().chain([Extent::Whole]) {
                    let left = cuts.torn(operation.kind, operation.offset, both, &extent);
                    points.extend(left.map(|left| (number, extent, left)));
                }
            }
            let outside = operation
                .outside
                .and_then(|index| recording.outside.get(index as usize));
            let outside = outside.map(|outside| states.outside(outside.clone()));
            at.push((scratch.pages().to_vec(), scratch.outside(), outside));
            scratch.apply(&mut states, operation.offset, new, outside);
        }
        let count = points.len() as u64;
        if boot == 1 {
            run.points = count;
        }
        let chosen = rhythm.point(boot, count);
        let said = recording.text.as_deref().unwrap_or_default();
        let Some((number, extent, left)) = points.into_iter().nth((chosen - 1) as usize) else {
            run.text.extend_from_slice(said);
            run.broken = broken(image, goal, &recording, boot == 1);
            run.is_interrupted = recording.end == End::Undecided;
            run.end = recording.end;
            break;
        };
        let length = recording.said.get(number as usize).copied().unwrap_or(0);
        run.text.extend_from_slice(&said[..length as usize]);
        let (pages, before, after) = &at[number as usize];
        let outside = match extent {
            Extent::Whole => after.unwrap_or(*before),
            _ => *before,
        };
        let base = states.insert(0, pages.iter().copied(), *before, None);
        scratch.load(&states, states.get(base));
        let offset = recording.operations[number as usize].offset;
        scratch.apply(&mut states, offset, &left, Some(outside));
        state = states.insert(0, scratch.pages().to_vec().into_iter(), outside, None);
        run.id.points.push(CrashPoint {
            operation: u64::from(number) + 1,
            extent,
            missing: Vec::new(),
        });
        if monitor.is_interrupted() || states.bytes() > request.memory {
            run.is_interrupted = true;
            break;
        }
    }
    run
}
