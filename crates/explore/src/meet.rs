//! Where the last attempt meets the continuous execution, and what differs there.
//!
//! **Judging** (SEMANTICS §2). The last attempt goes to a point at which the continuous execution
//! was: the next commit, the end of the program or, where nothing commits, the same visit of the
//! same place. Whatever differs there is followed to its next access. If registers or other locals differ, the next such
//! point shows what comes of that, besides what differs already. What no point decides is undecided.

use brownout_vm::{Both, SegmentKind, Stop};

use super::attempt::{LastAttempt, Need, SINGLE};
use super::compare::{Compared, Comparison, End, Pause, Point, Watch};
use super::explorer::Explorer;
use super::future::NextAccess;
use super::reference::KnownRegion;
use super::{Difference, Outcome, Reached, Seen, Trial, Undecided, attempt_budget};
use crate::rounds::AtHead;

/// At how many points an attempt is compared before it is given up.
const POINTS: usize = 5;
/// Loops of up to so many operations in which nothing changes are recognised: a counter of 16 bits
/// that missed its end has come round again by then.
const LONGEST_LOOP: u32 = 1 << 20;

impl Explorer<'_> {
    /// Compares at a commit that both come to. Work that is not repeated may have had commits of its
    /// own, and so may recovery: either of the two may be some commits further than the other. Who is at other commits
    /// than the continuous execution, and in its state at a later one, does no harm.
    pub(super) fn at_commits(
        &mut self,
        known: &KnownRegion,
        attempt: &LastAttempt,
        first: End,
    ) -> Result<Trial, Need> {
        let course = &known.courses[attempt.course];
        let arrived = self.machine.mark();
        let mut end = first.clone();
        // What differs where both came first, and besides at a later commit.
        let (mut differing, mut met): (Option<Trial>, Option<Trial>) = (None, None);
        // Whether both have come to the same commits so far.
        let mut is_in_step = true;
        for extra in 0..POINTS {
            for number in 0..POINTS {
                let point = match course.points.get(number) {
                    Some(point) => point,
                    None if course.points.last().is_some_and(|last| last.end.committed) => {
                        return Err(Need::Point(attempt.course));
                    }
                    None => break,
                };
                if is_in_step && number < extra {
                    continue;
                }
                let is_there = end.is_where(&point.end) || matches!(end.stop, Stop::Faulted(_));
                is_in_step &= is_there && number == extra;
                if !is_there {
                    continue;
                }
                let seen = match (extra, number) {
                    (0, 0) => Seen::AtItsEnd,
                    _ => Seen::Afterwards,
                };
                let trial = self.judge(known, attempt, point, &end, seen)?;
                if let Some(trial) = trial {
                    let is_first = is_in_step && differing.is_none();
                    let is_converged = trial.outcome == Outcome::Converged;
                    let is_local = self.is_in_locals_alone(&trial.outcome);
                    let is_open = self.looks_later || is_local || self.is_hidden(point, &end);
                    match &differing {
                        _ if is_first && !is_converged && is_open => differing = Some(trial),
                        None if is_in_step || is_converged => return Ok(trial),
                        // What differed in locals alone has come to nothing, or may still.
                        Some(first) if self.is_in_locals_alone(&first.outcome) && is_converged => {
                            return Ok(trial);
                        }
                        Some(first) if self.is_in_locals_alone(&first.outcome) && is_local => {}
                        Some(_) if is_in_step || is_converged => {
                            return Ok(self.with_others(differing, Some(&trial)));
                        }
                        _ => _ = met.get_or_insert(trial),
                    }
                }
                if is_in_step {
                    // Registers differ: the next commit shows what comes of that.
                    break;
                }
            }
            if end.stop != Stop::Paused {
                break;
            }
            let emissions = std::mem::take(&mut end.emissions);
            let (next, _) = self.advance(Pause::AtNext, attempt_budget(course.end().length));
            end = End {
                emissions: emissions.into_iter().chain(next.emissions).collect(),
                ..next
            };
            if !end.is_finished() {
                break;
            }
        }
        if differing.is_some() || met.is_some() {
            return Ok(self.with_others(differing, met.as_ref()));
        }
        self.machine.rollback(&arrived);
        let seen = Seen::AtItsEnd;
        let judged = self.judge(known, attempt, course.end(), &first, seen)?;
        Ok(judged.unwrap_or_else(|| {
            let undecided = Outcome::Undecided(Undecided::Registers);
            self.trial(attempt, course.end(), &first, seen, undecided)
        }))
    }

    /// Whether nothing differs but locals. A compiler may keep them in registers or in memory: as with registers, later
    /// points show what comes of that.
    fn is_in_locals_alone(&self, outcome: &Outcome) -> bool {
        let is_local = |one: &Difference| {
            let Difference::Value { offset, .. } = one else {
                return false;
            };
            let segment = self.image.layout().segment(*offset);
            segment.is_some_and(|segment| segment.kind == SegmentKind::Stack)
        };
        let differences = outcome.differences();
        !differences.is_empty() && differences.iter().all(is_local)
    }

    /// What differs at a first point, and what else does at a later one.
    fn with_others(&mut self, first: Option<Trial>, later: Option<&Trial>) -> Trial {
        let Some(mut all) = first.or_else(|| later.cloned()) else {
            return Trial::too_late();
        };
        if let Some(later) = later {
            self.added = all.outcome.add_others(&later.outcome);
        }
        if !self.added.is_empty() {
            all.seen = Seen::Afterwards;
        }
        all
    }

    /// Whether more may differ at a point than memory shows.
    pub(super) fn is_hidden(&self, point: &Point, end: &End) -> bool {
        let is_paused = end.stop == Stop::Paused && point.end.stop == Stop::Paused;
        is_paused && self.machine.live_registers() != point.registers
    }

    /// The attempt has not come to the commit that the continuous execution came to.
    pub(super) fn without_progress(
        &mut self,
        known: &KnownRegion,
        attempt: &LastAttempt,
        end: &End,
    ) -> Trial {
        let point = known.courses[attempt.course].end();
        let budget = attempt_budget(point.length);
        self.spent += u64::from(LONGEST_LOOP) * SINGLE;
        let outcome = match self.machine.standstill(LONGEST_LOOP) {
            Some(_) => Outcome::Differs(vec![Difference::NoProgress { budget }]),
            None => Outcome::Undecided(Undecided::Budget { budget }),
        };
        self.trial(attempt, point, end, Seen::AtItsEnd, outcome)
    }

    /// Compares at places where both executions are for the same number of times, from the given
    /// point on. The attempt is at its start. What differs at one of these places, or differed at an earlier
    /// one, and no longer at a later one has healed: the two go on alike from there, and the world has seen
    /// the same.
    pub(super) fn meet(
        &mut self,
        known: &KnownRegion,
        attempt: &LastAttempt,
        first: usize,
        mut differing: Option<Trial>,
    ) -> Result<Trial, Need> {
        let course = &known.courses[attempt.course];
        let start = self.machine.mark();
        for number in first..POINTS {
            let Some(point) = course.points.get(number) else {
                return Err(Need::Point(attempt.course));
            };
            let budget = point.length.saturating_mul(2).max(1000);
            let end = if point.end.stop == Stop::Paused {
                if point.visits == 0 {
                    return Err(Need::Visits(attempt.course, number));
                }
                self.go_to_visit(point, budget)
            } else {
                let end = self.advance(Pause::Never, attempt_budget(point.length)).0;
                (end.stop != Stop::Paused).then_some(end)
            };
            if let Some(end) = end
                && let Some(trial) = self.judge(known, attempt, point, &end, Seen::WhereTheyMeet)?
            {
                let is_hidden = self.is_hidden(point, &end);
                match (&trial.outcome, &mut differing) {
                    (Outcome::Converged, Some(_)) if !self.is_patient => {}
                    (Outcome::Converged, _) => return Ok(trial),
                    // What is in a register there has not healed.
                    (_, Some(_)) if is_hidden => {}
                    (_, None) if is_hidden || self.looks_later => differing = Some(trial),
                    (outcome, Some(earlier)) if self.may_heal(outcome) => {
                        if !earlier.outcome.drop_healed(outcome) {
                            differing = Some(trial);
                        }
                    }
                    (outcome, None) if self.may_heal(outcome) => differing = Some(trial),
                    (outcome, Some(earlier)) if !self.is_patient => {
                        self.added = earlier.outcome.add_others(outcome);
                        break;
                    }
                    _ => return Ok(differing.unwrap_or(trial)),
                }
            }
            self.machine.rollback(&start);
            if point.end.stop != Stop::Paused {
                break;
            }
        }
        if let Some(trial) = differing {
            return Ok(trial);
        }
        let (end, _) = self.advance(Pause::Never, course.budget);
        let outcome = match &end.stop {
            Stop::Faulted(_) => {
                let seen = Seen::WhereTheyMeet;
                return Ok(self
                    .judge(known, attempt, course.end(), &end, seen)?
                    .unwrap_or_else(|| {
                        self.trial(
                            attempt,
                            course.end(),
                            &end,
                            seen,
                            Outcome::Undecided(Undecided::Registers),
                        )
                    }));
            }
            _ => Outcome::Undecided(Undecided::NoMeeting),
        };
        Ok(self.trial(attempt, course.end(), &end, Seen::WhereTheyMeet, outcome))
    }

    /// Whether later places are to show that something has healed.
    pub(super) fn may_heal(&self, outcome: &Outcome) -> bool {
        self.is_patient && outcome.may_heal()
    }

    /// Runs to the place of a point, the time that is the same visit.
    pub(super) fn go_to_visit(&mut self, point: &Point, budget: u64) -> Option<End> {
        let now = self.machine.now();
        let mut watch = Watch::new(Pause::Never, now);
        let mut left = point.visits;
        let until = now.saturating_add(budget);
        let mut at_head = point.head.map(AtHead::new);
        while self.machine.now() < until {
            let from = self.machine.now();
            let stop = match &mut at_head {
                None => self.machine.run(&mut watch, from + 1),
                Some(at_head) => {
                    at_head.is_there = false;
                    let mut both = Both {
                        first: &mut watch,
                        second: at_head,
                    };
                    self.machine.watch(&mut both, until)
                }
            };
            self.spent += match at_head {
                None => SINGLE,
                Some(_) => self.machine.now() - from,
            };
            if stop != Stop::Paused {
                return matches!(stop, Stop::Faulted(_)).then(|| self.end(stop, watch));
            }
            let is_head = at_head.as_ref().is_none_or(|at_head| at_head.is_there);
            if is_head
                && self.machine.pc() == point.end.pc
                && self.machine.backtrace() == point.end.calls
            {
                left -= 1;
                if left == 0 {
                    return Some(self.end(Stop::Paused, watch));
                }
            }
        }
        None
    }

    /// Judges an attempt at a point; nothing if only registers differ, so that a later point has to
    /// decide.
    pub(super) fn judge(
        &self,
        known: &KnownRegion,
        attempt: &LastAttempt,
        point: &Point,
        end: &End,
        seen: Seen,
    ) -> Result<Option<Trial>, Need> {
        let comparison = Comparison {
            image: self.image,
            objects: &self.objects,
            machine: &self.machine,
            mark: &known.mark,
            blocks: &self.blocks,
            ignored: &self.ignored,
            tags: &self.tags,
        };
        let Compared {
            mut differences,
            bytes,
            registers,
        } = comparison.compare(point, end, &attempt.before);
        let mut lasting = Vec::new();
        let mut unknown = Vec::new();
        let mut open = Vec::new();
        let ended = point.end.stop != Stop::Paused;
        let time = self.own_time(known, attempt, point);
        for offset in bytes {
            let next = match ended {
                true => Some(NextAccess::Never),
                false => self.future.next(offset, time),
            };
            match next {
                Some(NextAccess::Read) => lasting.push(offset),
                Some(NextAccess::Overwritten) => {}
                Some(NextAccess::Never) if self.is_kept(offset) => lasting.push(offset),
                Some(NextAccess::Never) => {}
                Some(NextAccess::Unknown) => open.push(offset),
                None => unknown.push(offset),
            }
        }
        if !unknown.is_empty() {
            return Err(Need::Future(time, unknown));
        }
        differences.extend(comparison.values(point, &lasting));
        let outcome = if !differences.is_empty() {
            Outcome::Differs(differences)
        } else if !open.is_empty() {
            Outcome::Undecided(Undecided::Unread)
        } else if registers {
            return Ok(None);
        } else {
            Outcome::Converged
        };
        Ok(Some(self.trial(attempt, point, end, seen, outcome)))
    }

    /// When the execution that the program makes by itself is at a point: what becomes of bytes is known from that one.
    /// With other interrupts, or other contents of what is meant to change, it is there at another time.
    fn own_time(&self, known: &KnownRegion, attempt: &LastAttempt, point: &Point) -> u64 {
        let points = known.courses[attempt.course].points.iter();
        let number = points.take_while(|other| other.time < point.time).count();
        let own = known.courses[0].points.get(number);
        let own = own.filter(|own| own.end.is_where(&point.end));
        own.map_or(point.time, |own| own.time)
    }

    /// Whether a byte that nobody accesses any more is there for good: non-volatile, and no stack; or
    /// a register of a peripheral, which goes on working.
    fn is_kept(&self, offset: u32) -> bool {
        self.image.layout().outlasts_calls(offset)
            || self
                .cleared
                .iter()
                .any(|register| register.contains(&offset))
    }

    fn trial(
        &self,
        attempt: &LastAttempt,
        point: &Point,
        end: &End,
        seen: Seen,
        outcome: Outcome,
    ) -> Trial {
        Trial {
            outcome,
            seen,
            failures: attempt.failures,
            found: attempt.found.clone(),
            continuous: Reached {
                instructions: point.length,
                halt: point.end.halt(),
            },
            intermittent: Reached {
                instructions: self.machine.now().saturating_sub(attempt.begun),
                halt: end.halt(),
            },
        }
    }
}
