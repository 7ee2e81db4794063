//! The continuous execution of a region: what attempts are compared with.
//!
//! A [`KnownRegion`] is a region whose start the machine can go back to. Its [`Course`] is the
//! continuous execution from there, with the points at which attempts are compared: the end of the
//! region, and later ones as soon as somebody needs them. Where an attempt finds other contents in
//! what is not compared, or reads other inputs, it is held against a course that found and read the
//! same (SEMANTICS §2).

use std::ops::{ControlFlow, Range};
use std::sync::Arc;

use brownout_scenario::Occasion;
use brownout_vm::{Both, Loops, Mark, Moment, Observer, Readings, Stop, Stream, Unobserved};

use super::compare::{End, Pause, Point, Watch, ranges};
use super::explorer::Explorer;
use super::exposed::Exposed;
use super::heap::{Block, Blocks};
use super::region::Region;
use crate::calls::{Calls, follow_calls};
use crate::readings::{Turn, held};
use crate::rounds::{AtHead, NextHead, RegionRounds};

/// A region whose continuous execution is known.
pub(super) struct KnownRegion {
    pub(super) region: Region,
    /// Its start.
    pub(super) mark: Mark,
    /// The machine's time at the start.
    pub(super) begun: u64,
    /// What had come from outside then.
    pub(super) outside: Vec<u64>,
    /// The continuous execution as it is by itself comes first.
    pub(super) courses: Vec<Course>,
}

/// How many instructions a handler may take that comes at the start of a region.
const LONGEST_HANDLER: u64 = 1_000_000;

/// After so many instructions it is looked whether a region still does anything, and then later and later.
const FIRST_LOOK: u64 = 1 << 16;
/// Loops of up to so many operations in which nothing changes are recognised.
const LONGEST_LOOP: u32 = 1 << 12;
/// The head of a loop is looked for in so many instructions, at least.
const LEAST_ROUND: u64 = 1_000;

/// What a continuous execution finds otherwise than the program would by itself.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Variation {
    /// Contents of what is not compared, where they are others at the start of the region.
    pub(super) contents: Vec<(u32, u8)>,
    /// What inputs give, if that was chosen.
    pub(super) readings: Option<Arc<Readings>>,
    /// Handlers that come before anything else.
    pub(super) first: Vec<u64>,
}

/// One continuous execution of a region.
pub(super) struct Course {
    pub(super) variation: Variation,
    /// Where attempts are compared, in order.
    pub(super) points: Vec<Point>,
    /// What inputs gave, as far as the points go.
    pub(super) readings: Arc<Readings>,
    /// How often each input had been read at the end of the region.
    pub(super) read: Vec<u64>,
    /// A hash of all accesses.
    pub(super) footprints: u64,
    /// The most instructions it could have taken.
    pub(super) budget: u64,
}

impl Course {
    /// The end of the region.
    pub(super) fn end(&self) -> &Point {
        &self.points[0]
    }
}

impl Explorer<'_> {
    /// Goes to the start of a region, commits there and executes it continuously; nothing if the
    /// program ends before.
    pub(super) fn enter(&mut self, region: Region) -> Option<KnownRegion> {
        self.read(Turn::Last);
        let saves = self.go_to(region)?;
        // From here on everything can be undone.
        self.machine.forget();
        self.machine.keep_journal(true);
        self.machine.commit(&saves);
        self.exposed.begin(&saves);
        let mut known = KnownRegion {
            region,
            mark: self.machine.mark(),
            begun: self.machine.now(),
            outside: self.machine.inputs_read(),
            courses: Vec::new(),
        };
        let course = self.course(&known, Variation::default());
        known.courses.push(course);
        Some(known)
    }

    pub(super) fn leave(&mut self, known: &KnownRegion) {
        self.machine.rollback(&known.mark);
        self.machine.keep_journal(false);
        self.machine.forget();
    }

    /// Runs to the start of a region; what its checkpoint saves, or nothing if the program ends
    /// before.
    fn go_to(&mut self, region: Region) -> Option<Vec<Range<u32>>> {
        let mut way = Way {
            calls: &mut self.calls,
            blocks: &mut self.blocks,
            wanted: None,
            saves: Vec::new(),
        };
        let until = match region {
            // Nothing has committed yet: the program starts again, and nothing is put back. A checkpoint
            // here that saves nothing is the same, and costs what was written instead of what exists.
            Region::ToCommit { commit: 0 } | Region::SinceCall { commit: 0, .. } => {
                return Some(Vec::new());
            }
            Region::ToCommit { commit } | Region::SinceCall { commit, .. } => {
                way.wanted = Some(commit);
                u64::MAX
            }
            Region::Anywhere { start, .. } => start,
        };
        match self.machine.watch(&mut way, until) {
            Stop::Paused => Some(self.saved.iter().cloned().chain(way.saves).collect()),
            Stop::Exited { .. } | Stop::Faulted(_) => None,
        }
    }

    /// Executes a region continuously from its start and comes back. The execution that the program
    /// makes by itself also tells which writes can matter.
    pub(super) fn course(&mut self, known: &KnownRegion, variation: Variation) -> Course {
        let budget = known.region.budget(known.begun);
        self.machine.rollback(&known.mark);
        let mut watch = Watch::new(self.pause_of(known.region), known.begun);
        self.begin_course(&variation, &mut watch);
        let mut seer = Seer {
            watch,
            calls: self.calls.clone(),
            blocks: Blocks::default(),
            exposed: known.courses.is_empty().then_some(&mut self.exposed),
            rounds: RegionRounds::new(self.image, known.begun),
        };
        let until = known.begun.saturating_add(budget);
        let mut slice = FIRST_LOOK;
        let mut is_over = false;
        let stop = loop {
            let look = self.machine.now().saturating_add(slice).min(until);
            let stop = self.machine.watch(&mut seer, look);
            let is_paused = seer.watch.paused || seer.rounds.head().is_some();
            if stop != Stop::Paused || is_paused || self.machine.now() >= until {
                break stop;
            }
            // Who does nothing any more need not be watched.
            if known.region.ends_at_commit()
                && let Some(standstill) = self.machine.standstill(LONGEST_LOOP)
            {
                is_over = true;
                let seen_at = standstill.is_seen_at(self.machine.now());
                break self.machine.watch(&mut seer, seen_at.min(until));
            }
            slice = slice.saturating_mul(4);
        };
        let mut head = seer.rounds.head();
        let mut budget = match head.is_some() || is_over {
            true => self.machine.now() - known.begun,
            false => budget,
        };
        // Where nothing commits, attempts are compared at the head of the loop that the program stays in, if it is near:
        // who goes round once more or less than the continuous execution comes to a place inside as often, perhaps.
        let mut stop = stop;
        // What is written on the way there is not of the region.
        let mut seer = Seer {
            exposed: None,
            ..seer
        };
        if stop == Stop::Paused && (is_over || !known.region.ends_at_commit()) {
            let within = budget.max(LEAST_ROUND);
            head = self.next_head(known, within, Heads::OfLoopsWithoutEnd);
            if let Some(wanted) = head {
                let mut both = Both {
                    first: &mut seer,
                    second: &mut AtHead::new(wanted),
                };
                let until = self.machine.now().saturating_add(within);
                stop = self.machine.watch(&mut both, until);
                budget = self.machine.now() - known.begun;
            }
        }
        let (watch, blocks) = (seer.watch, seer.blocks);
        self.spent += self.machine.now() - known.begun;
        let footprints = watch.footprints;
        let point = Point {
            head,
            ..self.point(known, stop, watch, blocks)
        };
        let readings = self.machine.end_readings();
        let read = self.machine.times_read().to_vec();
        self.machine.rollback(&known.mark);
        Course {
            variation,
            points: vec![point],
            readings: Arc::new(readings),
            read,
            footprints,
            budget,
        }
    }

    /// The machine, at the start of the region, finds what a variation says.
    fn begin_course(&mut self, variation: &Variation, observer: &mut dyn Observer) {
        for &(offset, byte) in &variation.contents {
            self.machine.tear(offset, &[byte]);
        }
        self.read(Turn::Last);
        // One that does not return is where the course goes on.
        let before = self.machine.now();
        self.machine
            .run_handlers(&variation.first, observer, LONGEST_HANDLER);
        self.spent += self.machine.now() - before;
        let given = variation.readings.clone().unwrap_or_default();
        self.machine.begin_readings(given);
        if variation.readings.is_some() {
            self.machine.give_interrupts();
        }
    }

    /// One more point of a course, later than those it has: the next commit, or a place some way on.
    pub(super) fn add_point(&mut self, known: &mut KnownRegion, course: usize) {
        let (number, length) = {
            let course = &known.courses[course];
            (course.points.len(), course.end().length)
        };
        let budget = known.courses[course].budget;
        self.machine.rollback(&known.mark);
        let variation = known.courses[course].variation.clone();
        let mut watch = Watch::new(self.pause_of(known.region), known.begun);
        self.begin_course(&variation, &mut watch);
        let mut seer = Seer {
            watch,
            calls: self.calls.clone(),
            blocks: Blocks::default(),
            exposed: None,
            rounds: RegionRounds::any_number(self.image),
        };
        let is_finished = known.courses[course].end().end.is_finished();
        let mut stop = if known.region.ends_at_commit() && is_finished {
            let mut stop = Stop::Paused;
            for _ in 0..=number {
                seer.watch.paused = false;
                let until = self.machine.now().saturating_add(budget);
                stop = self.machine.watch(&mut seer, until);
                if stop != Stop::Paused || !seer.watch.paused {
                    break;
                }
            }
            stop
        } else {
            // The end of the region, then further and further after it.
            let further = (length / 4).max(1) << (number - 1).min(40);
            let until = known.begun.saturating_add(budget).saturating_add(further);
            self.machine.watch(&mut seer, until)
        };
        // Of a region that stays in a loop all points are visits of its head. Of others some are: who goes round
        // more or less often in a loop inside comes to the head of the outer one as often.
        let mut head = known.courses[course].end().head;
        if head.is_none() && !known.region.ends_at_commit() && number.is_multiple_of(2) {
            head = self.next_head(known, length.max(LEAST_ROUND), Heads::OfAnyLoop);
        }
        if let Some(wanted) = head
            && stop == Stop::Paused
        {
            let mut at_head = AtHead::new(wanted);
            let mut both = Both {
                first: &mut seer,
                second: &mut at_head,
            };
            let until = self.machine.now().saturating_add(budget);
            stop = self.machine.watch(&mut both, until);
            head = head.filter(|_| at_head.is_there);
        }
        let (watch, blocks) = (seer.watch, seer.blocks);
        self.spent += self.machine.now() - known.begun;
        let point = Point {
            head,
            ..self.point(known, stop, watch, blocks)
        };
        let readings = self.machine.end_readings();
        self.machine.rollback(&known.mark);
        let course = &mut known.courses[course];
        course.points.push(point);
        course.readings = Arc::new(readings);
    }

    /// The head of a loop that the program visits next, within so many instructions.
    fn next_head(&mut self, known: &KnownRegion, within: u64, heads: Heads) -> Option<u32> {
        let mut next = NextHead::default();
        if heads == Heads::OfLoopsWithoutEnd {
            let image = self.image;
            let endless = || Loops::of(image).endless(image);
            next.of = Some(Arc::clone(
                self.endless.get_or_insert_with(|| Arc::new(endless())),
            ));
        }
        let start = self.machine.mark();
        let until = self.machine.now().saturating_add(within);
        self.machine.watch(&mut next, until);
        self.spent += self.machine.now().saturating_sub(known.begun);
        self.machine.rollback(&start);
        next.found
    }

    /// Counts how often a course has been at the place of one of its points.
    pub(super) fn count_visits(&mut self, known: &mut KnownRegion, course: usize, point: usize) {
        self.machine.rollback(&known.mark);
        let variation = known.courses[course].variation.clone();
        self.begin_course(&variation, &mut Unobserved);
        let (pc, calls, until, head) = {
            let point = &known.courses[course].points[point];
            let calls = point.end.calls.clone();
            (point.end.pc, calls, point.time, point.head)
        };
        let mut visits = 0;
        if let Some(head) = head {
            let mut at_head = AtHead::new(head);
            while self.machine.now() < until
                && self.machine.watch(&mut at_head, until) == Stop::Paused
            {
                let is_earlier = at_head.is_there && self.machine.now() < until;
                visits += u64::from(is_earlier && self.machine.backtrace() == calls);
                at_head.is_there = false;
            }
            // The point itself is a visit.
            visits += 1;
        }
        while self.machine.now() < until && self.machine.step() == Stop::Paused {
            let here = self.machine.pc() == pc && self.machine.backtrace() == calls;
            visits += u64::from(here);
        }
        let single = match head {
            Some(_) => 1,
            None => super::attempt::SINGLE,
        };
        self.spent += (until - known.begun) * single;
        self.machine.end_readings();
        self.machine.rollback(&known.mark);
        known.courses[course].points[point].visits = visits.max(1);
    }

    /// Finds out what becomes of bytes after a point of the continuous execution.
    pub(super) fn follow(&mut self, known: &KnownRegion, time: u64, bytes: &[u32]) {
        self.machine.rollback(&known.mark);
        self.read(Turn::Last);
        self.machine.end_readings();
        self.machine.advance(time);
        if let Some(readings) = &self.readings {
            // What inputs give later was not chosen: nothing that happens then may depend on it.
            self.machine.force_inputs(held(&readings.of(Turn::Last)));
        }
        self.spent += time.saturating_sub(known.begun);
        self.spent += self.future.follow(&mut self.machine, time, bytes);
        self.machine.rollback(&known.mark);
    }

    fn point(&self, known: &KnownRegion, stop: Stop, watch: Watch, blocks: Blocks) -> Point {
        let written = self
            .machine
            .written_since(&known.mark)
            .into_iter()
            .map(|offset| (offset, self.machine.memory()[offset as usize]))
            .collect();
        let time = self.machine.now();
        Point {
            written,
            blocks,
            end: self.end(stop, watch),
            stack: self.machine.call_stack(),
            registers: self.machine.live_registers(),
            time,
            length: time - known.begun,
            visits: 0,
            head: None,
        }
    }

    pub(super) fn end(&self, stop: Stop, watch: Watch) -> End {
        let broken = match (&stop, watch.paused) {
            (_, true) => self.machine.broken(Occasion::Checkpoint),
            (Stop::Exited { .. }, false) => self.machine.broken(Occasion::Exit),
            (Stop::Paused | Stop::Faulted(_), false) => Vec::new(),
        };
        End {
            stop,
            pc: self.machine.pc(),
            calls: self.machine.backtrace(),
            committed: watch.paused,
            emissions: watch.emissions,
            broken,
        }
    }

    /// Where executions of a region pause.
    pub(super) fn pause_of(&self, region: Region) -> Pause {
        if region.ends_at_commit() {
            Pause::AtNext
        } else {
            Pause::Never
        }
    }
}

/// Which heads are looked for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Heads {
    OfAnyLoop,
    OfLoopsWithoutEnd,
}

/// On the way to a region.
struct Way<'w, 'i> {
    calls: &'w mut Calls<'i>,
    blocks: &'w mut Blocks,
    /// Pause at the checkpoint of this time.
    wanted: Option<u64>,
    saves: Vec<Range<u32>>,
}

impl Observer for Way<'_, '_> {
    follow_calls!();

    fn allocate(&mut self, at: Moment, offset: u32, size: u32) {
        let allocated_at = self.calls.blame(at.pc);
        self.blocks.allocate(offset, Block { size, allocated_at });
    }

    fn free(&mut self, _: Moment, offset: u32) {
        self.blocks.remove(offset);
    }

    fn checkpoint(&mut self, at: Moment, saves: &[(u32, u32)]) -> ControlFlow<()> {
        if self.wanted != Some(at.time) {
            return ControlFlow::Continue(());
        }
        self.saves = ranges(saves);
        ControlFlow::Break(())
    }
}

/// Watches a continuous execution.
struct Seer<'w, 'i> {
    watch: Watch,
    calls: Calls<'i>,
    /// What becomes of the blocks.
    blocks: Blocks,
    /// Notes what can matter, if that is wanted.
    exposed: Option<&'w mut Exposed>,
    rounds: RegionRounds<'i>,
}

impl Observer for Seer<'_, '_> {
    #[inline(always)]
    fn accesses(&self) -> bool {
        true
    }

    fn load(&mut self, at: Moment, offset: u32, bytes: &[u8]) {
        self.watch.load(at, offset, bytes);
        if let Some(exposed) = &mut self.exposed {
            exposed.load(at, &self.calls, offset, bytes.len() as u32);
        }
    }

    fn store(&mut self, at: Moment, memory: &[u8], offset: u32, new: &[u8]) {
        self.watch.store(at, memory, offset, new);
        if let Some(exposed) = &mut self.exposed {
            let old = &memory[offset as usize..][..new.len()];
            exposed.store(at, &self.calls, offset, (old, new));
        }
    }

    follow_calls!();

    fn allocate(&mut self, at: Moment, offset: u32, size: u32) {
        let allocated_at = self.calls.blame(at.pc);
        self.blocks.allocate(offset, Block { size, allocated_at });
    }

    fn free(&mut self, _: Moment, offset: u32) {
        self.blocks.free(offset);
    }

    fn checkpoint(&mut self, at: Moment, saves: &[(u32, u32)]) -> ControlFlow<()> {
        self.watch.checkpoint(at, saves)
    }

    fn loop_head(&mut self, at: Moment) -> ControlFlow<()> {
        self.rounds.visit(at)
    }

    fn write(&mut self, at: Moment, stream: Stream, bytes: &[u8]) {
        self.watch.write(at, stream, bytes);
    }

    fn output(&mut self, at: Moment, index: u32, args: &[u64]) {
        self.watch.output(at, index, args);
    }
}
