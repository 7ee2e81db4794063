//! Where the last attempt meets the continuous execution, and what differs there.
//!
//! **Judging** (SEMANTICS §2). The last attempt goes to a point at which the continuous execution
//! was: the next commit, the end of the program or, where nothing commits, the same visit of the
//! same place. Whatever differs there is followed to its next access. If only registers differ, the
//! next such point decides. What no point decides is undecided.

use brownout_vm::{Both, Stop};

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
    /// own, and so may recovery: either of the two may be some commits further than the other.
    pub(super) fn at_commits(
        &mut self,
        known: &KnownRegion,
        attempt: &LastAttempt,
        first: End,
    ) -> Result<Trial, Need> {
        let course = &known.courses[attempt.course];
        let arrived = self.machine.mark();
        let mut end = first.clone();
        for extra in 0..POINTS {
            for number in 0..POINTS {
                let point = match course.points.get(number) {
                    Some(point) => point,
                    None if course.points.last().is_some_and(|last| last.end.committed) => {
                        return Err(Need::Point(attempt.course));
                    }
                    None => break,
                };
                if !end.is_where(&point.end) && !matches!(end.stop, Stop::Faulted(_)) {
                    continue;
                }
                let seen = match (extra, number) {
                    (0, 0) => Seen::AtItsEnd,
                    _ => Seen::Afterwards,
                };
                if let Some(trial) = self.judge(known, attempt, point, &end, seen)? {
                    return Ok(trial);
                }
                // Only registers differ: the next commit decides.
                break;
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
        self.machine.rollback(&arrived);
        let seen = Seen::AtItsEnd;
        let judged = self.judge(known, attempt, course.end(), &first, seen)?;
        Ok(judged.unwrap_or_else(|| {
            let undecided = Outcome::Undecided(Undecided::Registers);
            self.trial(attempt, course.end(), &first, seen, undecided)
        }))
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
                match &trial.outcome {
                    Outcome::Converged => return Ok(trial),
                    outcome if self.may_heal(outcome) => {
                        let lasts = differing.as_mut().is_some_and(|earlier: &mut Trial| {
                            earlier.outcome.drop_healed(outcome)
                        });
                        if !lasts {
                            differing = Some(trial);
                        }
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
    /// With other interrupts it is there at another time.
    fn own_time(&self, known: &KnownRegion, attempt: &LastAttempt, point: &Point) -> u64 {
        let points = known.courses[attempt.course].points.iter();
        let number = points.take_while(|other| other.time < point.time).count();
        let own = known.courses[0].points.get(number);
        let own = own.filter(|own| self.image.is_interruptible() && own.end.is_where(&point.end));
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
