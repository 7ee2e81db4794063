//! Comparing an attempt with its references: at visits of loop heads, and at the end.

use std::collections::BTreeSet;

use brownout_vm::{Fault, Machine, Stop};

use super::attempt::{Access, Attempt};
use super::boot::{self, Arrived, Boot, Reference};
use super::{RestartExplorer, VISITS};
use crate::calls::user_operation;
use crate::emissions::{self, Emission, Shown, Tags};
use crate::objects::Object;
use crate::{Difference, Outcome, Undecided};

/// Executions that have read differently often go on alike if they were in the same state at so many visits in a row.
const ALIKE: usize = 8;

impl<'i> RestartExplorer<'_, 'i> {
    /// Compares at a visit of a loop head; whether the attempt is in the state of the reference there,
    /// or was at an earlier visit.
    pub(super) fn compare(
        &self,
        machine: &Machine<'i>,
        attempt: &Attempt,
        head: u32,
        side: &mut Side<'_>,
    ) -> bool {
        if side.are_followed_bytes_dead(attempt) {
            return true;
        }
        let nth = attempt.heads.get(&head).copied().unwrap_or(0) as usize;
        let mut same_head = side.boot.visits.iter().filter(|visit| visit.head == head);
        let Some(visit) = same_head.nth(nth) else {
            return false;
        };
        let bytes = side.boot.differing(visit, machine);
        let bytes = self.compared(machine, bytes, |&(offset, _)| offset);
        side.last.clone_from(&bytes);
        let compared = Compared {
            head: Some(head),
            seen: visit.seen,
            made: attempt.emissions.len(),
        };
        side.compared = Some(compared);
        let registers = machine.live_registers() == visit.registers
            && side.is_asked_as_often(visit.asked, machine);
        if !registers || !self.has_followed(attempt, side, compared) {
            side.followed = None;
            side.alike = 0;
            return false;
        }
        let is_in_step = side.is_in_step(visit.asked, machine);
        if bytes.is_empty() {
            return side.is_alike(is_in_step);
        }
        if side.followed.is_none() {
            side.followed = Some(bytes.into_iter().map(|(offset, _)| offset).collect());
            side.followed_in_step = is_in_step;
        }
        false
    }

    /// Whether the world has seen what it should where the two were compared.
    fn has_followed(&self, attempt: &Attempt, side: &Side<'_>, compared: Compared) -> bool {
        let Compared { head, seen, made } = compared;
        self.follows_boot(
            &attempt.emissions[..made],
            side,
            &side.boot.emissions[..seen],
        ) || head.is_some_and(|head| self.follows_from_loop(attempt, side, compared, head))
    }

    /// Whether the world has seen what it should if an attempt made some outputs, and a boot of the reference others.
    pub(super) fn follows_boot(
        &self,
        made: &[Emission],
        side: &Side<'_>,
        boot: &[Emission],
    ) -> bool {
        let is_right = |round| self.is_right((round, boot), side.before, made);
        is_right(side.round) || side.owed.len() < side.round.len() && is_right(&side.owed)
    }

    /// Whether an attempt shows what two lists say one after the other, given what the world had seen before. What was
    /// set when the round began need not be set again.
    fn is_right(
        &self,
        (list, more): (&[Emission], &[Emission]),
        before: &[Emission],
        made: &[Emission],
    ) -> bool {
        let tags = self.setting.tags;
        let list = list.iter().chain(more);
        emissions::follows(list.clone(), before, made, tags)
            || !self.shown.is_empty() && {
                let list = self.shown.iter().chain(list);
                emissions::follows(list, before, self.shown.iter().chain(made), tags)
            }
    }

    /// The same if what boots show before they come to the loop is held against each other, and the rest
    /// of the round that was cut comes after that: whoever prints a line when it boots prints it first.
    fn follows_from_loop(
        &self,
        attempt: &Attempt,
        side: &Side<'_>,
        Compared { seen, made, .. }: Compared,
        head: u32,
    ) -> bool {
        let first = side.boot.visits.iter().find(|visit| visit.head == head);
        let (Some(first), Some(&begun)) = (first, attempt.begun_loops.get(&head)) else {
            return false;
        };
        let (set_up, rest) = side.boot.emissions[..seen].split_at(first.seen.min(seen));
        let (own_set_up, own_rest) = attempt.emissions[..made].split_at(begun.min(made));
        let of_round = side.before.len() - attempt.shown_by_cut_boot.min(side.before.len());
        let (by_round, by_cut_boot) = side.before.split_at(of_round);
        !set_up.is_empty()
            && self.is_right((set_up, &[]), by_cut_boot, own_set_up)
            && self.is_right((side.round, rest), by_round, own_rest)
    }

    /// What is compared at all of bytes that differ: not what nobody can read any more.
    pub(super) fn compared<T>(
        &self,
        machine: &Machine<'i>,
        mut bytes: Vec<T>,
        offset: impl Fn(&T) -> u32,
    ) -> Vec<T> {
        bytes.retain(|byte| {
            let offset = offset(byte);
            let mut ignored = self.setting.ignored.iter();
            !ignored.any(|range| range.contains(&offset))
                && !machine.is_dead_local(offset)
                && !machine.is_gap_of_local(offset)
        });
        bytes
    }

    /// What is left of a reference that the attempt has not agreed with.
    pub(super) fn conclude(
        &self,
        machine: &Machine<'i>,
        attempt: &Attempt,
        arrived: &Arrived,
        side: &mut Side<'_>,
    ) -> Outcome {
        let end = side.boot.end.as_ref();
        match (arrived, end) {
            (Arrived::Stopped(Stop::Faulted(fault)), _)
                if end.is_none_or(|(stop, _)| *stop != Stop::Faulted(fault.clone()))
                    || self.first_boot.goes_on_without(fault) =>
            {
                Outcome::Differs(vec![self.crash(machine, fault)])
            }
            // Who stays where nothing happens any more does not come to the end.
            (Arrived::Stopped(Stop::Paused), Some((Stop::Exited { .. }, _)))
                if attempt.is_stuck =>
            {
                Outcome::Differs(vec![Difference::NoProgress {
                    budget: machine.now() - attempt.begun,
                }])
            }
            (Arrived::Stopped(stop), Some((other, memory))) => {
                self.at_end(machine, attempt, (stop, other), memory, side)
            }
            // One of the two comes to an end and the other one goes on.
            _ if attempt.is_stuck && side.boot.goes_on() && !side.boot.stays(arrived) => {
                Outcome::Differs(vec![Difference::NoProgress {
                    budget: machine.now() - attempt.begun,
                }])
            }
            (Arrived::Stopped(_), None) | (Arrived::AtHead(_) | Arrived::Nowhere, Some(_)) => {
                let is_late = attempt.visits > side.boot.visits.len() + VISITS;
                if matches!(arrived, Arrived::Nowhere)
                    || matches!(arrived, Arrived::AtHead(_)) && !is_late
                {
                    return Outcome::Undecided(Undecided::Budget {
                        budget: machine.now() - attempt.begun,
                    });
                }
                Outcome::Differs(vec![Difference::Path {
                    continuous: side.boot.visits.last().map_or(0, |visit| visit.head),
                    intermittent: user_operation(self.image, machine),
                }])
            }
            (Arrived::Nowhere, None) => Outcome::Undecided(Undecided::Budget {
                budget: machine.now() - attempt.begun,
            }),
            (Arrived::AtHead(_), None) => {
                if side.are_followed_bytes_dead(attempt) {
                    return Outcome::Converged;
                }
                if side.is_unread() {
                    return Outcome::Undecided(Undecided::Unread);
                }
                if side.compared.is_none() || self.first_boot.end.is_some() {
                    return Outcome::Undecided(Undecided::NoMeeting);
                }
                self.differs(machine, attempt, side)
            }
        }
    }

    /// Compares at the end of the program: all of non-volatile memory counts, and no stack.
    fn at_end(
        &self,
        machine: &Machine<'i>,
        attempt: &Attempt,
        (stop, other): (&Stop, &Stop),
        memory: &[u8],
        side: &mut Side<'_>,
    ) -> Outcome {
        let bytes = self.kept_bytes(machine, memory).into_iter();
        side.last = bytes
            .map(|offset| (offset, memory[offset as usize]))
            .collect();
        side.compared = Some(Compared {
            head: None,
            seen: side.boot.emissions.len(),
            made: attempt.emissions.len(),
        });
        // Whoever ends needs no registers. What was asked for again was not kept.
        side.alike = match side.is_asked_as_often(side.boot.asked, machine) {
            true => ALIKE,
            false => 0,
        };
        let mut outcome = self.differs(machine, attempt, side);
        if let (Stop::Exited { status: one }, Stop::Exited { status: two }) = (other, stop)
            && one != two
        {
            let status = Difference::exit_status(*one, *two);
            outcome = match outcome {
                Outcome::Differs(mut differences) => {
                    differences.push(status);
                    Outcome::Differs(differences)
                }
                _ => Outcome::Differs(vec![status]),
            };
        }
        outcome
    }

    /// What differs where the two were compared last.
    fn differs(&self, machine: &Machine<'i>, attempt: &Attempt, side: &Side<'_>) -> Outcome {
        let mut differences = Vec::new();
        // Where the two were never compared, nothing that the world sees is wrong.
        let wrong = (side.compared).filter(|&compared| !self.has_followed(attempt, side, compared));
        let lost = wrong.map_or_else(Vec::new, |compared| self.lost(attempt, side, compared));
        if let Some(Compared { seen, made, .. }) = wrong
            && lost.is_empty()
        {
            let (boot, own) = (&side.boot.emissions, &attempt.emissions);
            let list = with(side.round, &boot[..seen]);
            // From the boot on, if that is where they part; or else from the quiet moment before the failure on.
            let (continuous, intermittent) = match boot[..seen] == own[..made] {
                false => (boot.clone(), own.clone()),
                true if side.round.is_empty() => (with(side.before, boot), with(side.before, own)),
                true => (with(side.round, boot), with(side.before, own)),
            };
            let seen = (&list[..], side.before, &own[..made]);
            let (continuous, intermittent) = emissions::excerpts(&continuous, &intermittent);
            let emissions::Wrong { unexpected, lost } =
                emissions::wrong(self.image, seen, self.setting.tags);
            differences.push(Difference::Output {
                continuous: emissions::as_text(self.image, continuous),
                intermittent: emissions::as_text(self.image, intermittent),
                unexpected,
                lost,
            });
        }
        differences.extend(lost);
        differences.extend(self.values(machine, &side.last));
        match differences.is_empty() {
            false => Outcome::Differs(differences),
            true if side.alike >= ALIKE => Outcome::Converged,
            // Registers differ, or the two have not read the same.
            true => Outcome::Undecided(Undecided::Registers),
        }
    }

    /// The outputs of the round that was cut that the world never sees, if that is all that is wrong with
    /// what it sees.
    fn lost(
        &self,
        attempt: &Attempt,
        side: &Side<'_>,
        Compared { seen, made, .. }: Compared,
    ) -> Vec<Difference> {
        let Some(rest) = side.round.strip_prefix(side.before) else {
            return Vec::new();
        };
        let tags = self.setting.tags;
        let list = side.before.iter().chain(&side.boot.emissions[..seen]);
        let is_all = emissions::follows(list, side.before, &attempt.emissions[..made], tags);
        let mut lost = Vec::new();
        for emission in rest.iter().filter(|_| is_all) {
            match emission {
                Emission::Text(_) => return Vec::new(),
                Emission::Output { .. } if !side.owed.contains(emission) => {}
                Emission::Output { index, args, .. } if !tags.optional.contains(index) => {
                    let difference = Difference::Lost {
                        output: *index,
                        args: args.clone(),
                    };
                    if !lost.contains(&difference) {
                        lost.push(difference);
                    }
                }
                Emission::Output { .. } => {}
            }
        }
        lost
    }

    /// The scalars that these bytes belong to: those that survive, or else all.
    pub(super) fn values(&self, machine: &Machine<'i>, bytes: &[(u32, u8)]) -> Vec<Difference> {
        let is_kept = |offset: u32| {
            let segment = self.image.layout().segment(offset);
            segment.is_some_and(|segment| segment.nonvolatile)
        };
        let kept: Vec<(u32, u8)> = bytes
            .iter()
            .copied()
            .filter(|&(offset, _)| is_kept(offset))
            .collect();
        let bytes = if kept.is_empty() { bytes } else { &kept };
        let stack = machine.call_stack();
        let memory = machine.memory();
        let mut differences: Vec<Difference> = Vec::new();
        let mut told = 0..0;
        for &(offset, _) in bytes {
            if told.contains(&offset) {
                continue;
            }
            let frame = stack.owner(offset);
            let part = self.objects.scalar(offset, frame);
            let inside = match part.object {
                Object::Segment(_) => part.start,
                _ => self.objects.inside(offset, frame),
            };
            let start = offset - (inside.saturating_sub(part.start) as u32).min(offset);
            told = start..start + ((part.end - part.start) as u32).max(1);
            let continuous = told.clone().map(|at| {
                let known = bytes.iter().find(|&&(offset, _)| offset == at);
                known.map_or(memory[at as usize], |&(_, byte)| byte)
            });
            differences.push(Difference::Value {
                part,
                offset: start,
                continuous: continuous.collect(),
                intermittent: memory[told.start as usize..told.end as usize].to_vec(),
            });
        }
        differences
    }

    fn crash(&self, machine: &Machine<'i>, fault: &Fault) -> Difference {
        Difference::Crash {
            fault: fault.clone(),
            pc: user_operation(self.image, machine),
        }
    }
}

/// One emission after the other.
pub(super) fn with(before: &[Emission], after: &[Emission]) -> Vec<Emission> {
    before.iter().chain(after).cloned().collect()
}

/// Where an attempt and the boot of a reference are compared.
#[derive(Clone, Copy)]
struct Compared {
    /// The head of the loop; none at the end of the program.
    head: Option<u32>,
    /// How much the world has seen of the reference's boot.
    seen: usize,
    /// How much it has seen of the attempt.
    made: usize,
}

/// How an attempt compares with one reference.
pub(super) struct Side<'b> {
    pub(super) boot: &'b Boot,
    /// What the world saw between the quiet moment before the failure and the failure.
    pub(super) before: &'b [Emission],
    /// When its quiet moment is.
    pub(super) time: u64,
    /// How many of its first readings are those that were kept when power failed.
    pub(super) kept: usize,
    /// How much of the end of what the world sees before it boots made in set-up, for each such boot.
    set_ups: &'b [usize],
    /// Bytes that are all that differs since an earlier visit, and that nobody has read since.
    pub(super) followed: Option<Vec<u32>>,
    /// Whether the two had read equally often at that visit.
    pub(super) followed_in_step: bool,
    /// The bytes that differed last, with what the reference has there.
    pub(super) last: Vec<(u32, u8)>,
    /// Where the two were compared last.
    compared: Option<Compared>,
    /// At how many visits in a row the two were in the same state, or one that was equal in all that matters.
    pub(super) alike: usize,
    /// Bytes that were read while they differed.
    pub(super) read: BTreeSet<u32>,
    /// What the world sees of the round in this reference: all of it, if power fails after it.
    pub(super) round: &'b [Emission],
    /// What is left of that without what the boot shows instead.
    pub(super) owed: Vec<Emission>,
}

impl<'b> Side<'b> {
    pub(super) fn new(reference: &'b Reference<'_>, before: &'b [Emission]) -> Self {
        Self {
            boot: &reference.boot,
            before,
            time: reference.time,
            kept: reference.kept,
            set_ups: &reference.set_ups,
            followed: None,
            followed_in_step: false,
            last: Vec::new(),
            compared: None,
            alike: 0,
            read: BTreeSet::new(),
            round: &[],
            owed: Vec::new(),
        }
    }

    /// Held against a failure after the round that was cut. `before` is the boot after a failure before it.
    pub(super) fn after(mut self, round: &'b [Emission], before: &Boot, tags: &Tags) -> Self {
        self.round = round;
        let by_boots = self.set_ups.iter().sum::<usize>().min(round.len());
        let (by_round, mut by_boots) = round.split_at(round.len() - by_boots);
        let mut shown = vec![Shown::ByRound(by_round)];
        for set_up in self.set_ups {
            let (by_boot, rest) = by_boots.split_at(*set_up.min(&by_boots.len()));
            shown.push(Shown::BySetUp(by_boot));
            by_boots = rest;
        }
        self.owed = emissions::not_shown_by(&shown, self.boot.set_up(), before.set_up(), tags);
        self
    }

    /// Whether the reference has read what was kept, and apart from that as often as the attempt: only
    /// then the two will go on to read the same.
    pub(super) fn is_asked_as_often(&self, asked: usize, machine: &Machine<'_>) -> bool {
        self.kept == 0 || asked == boot::asked(machine) + self.kept
    }

    /// Whether bytes are followed that nobody has read yet.
    pub(super) fn is_unread(&self) -> bool {
        let followed = self.followed.as_ref();
        followed.is_some_and(|followed| !followed.iter().any(|offset| self.read.contains(offset)))
    }

    /// Whether the two have read equally often: in the same state they then go on alike for ever. Those that
    /// have read more or less than the other may part again.
    pub(super) fn is_in_step(&self, asked: usize, machine: &Machine<'_>) -> bool {
        self.kept > 0 || asked == boot::asked(machine)
    }

    /// Counts a visit at which the two were in the same state; whether that is enough.
    pub(super) fn is_alike(&mut self, is_in_step: bool) -> bool {
        self.alike += 1;
        is_in_step || self.alike >= ALIKE
    }

    /// Drops followed bytes that were overwritten; whether none is left, so that the states were equal
    /// in all that matters, and that is enough.
    pub(super) fn are_followed_bytes_dead(&mut self, attempt: &Attempt) -> bool {
        let Some(followed) = &mut self.followed else {
            return false;
        };
        let is_read = |offset: &&u32| attempt.accesses.get(*offset) == Some(&Some(Access::Read));
        let read = self.read.len();
        self.read.extend(followed.iter().filter(is_read));
        if self.read.len() > read || followed.iter().any(|offset| is_read(&offset)) {
            self.followed = None;
            self.alike = 0;
            return false;
        }
        followed.retain(|offset| attempt.accesses.get(offset) != Some(&Some(Access::Overwritten)));
        if !followed.is_empty() {
            return false;
        }
        self.followed = None;
        self.last.clear();
        self.is_alike(self.followed_in_step)
    }
}
