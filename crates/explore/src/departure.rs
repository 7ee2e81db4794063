//! Where an attempt leaves the path of the continuous execution.
//!
//! Both are executed one operation of the user's code after the other, with all that the library
//! does for it; the paths part where the next operation is another one.

use std::ops::ControlFlow;

use brownout_vm::{Moment, Observer};

use super::attempt::Failing;
use super::compare::Pause;
use super::explorer::Explorer;
use super::reference::KnownRegion;
use crate::calls::{Calls, Follower, follow_calls, step};

/// Longer regions are not looked at.
const LONGEST: u64 = 100_000;

impl Explorer<'_> {
    /// The last operation of the user's code, after a failure, that is still on the path.
    pub(super) fn departure(
        &mut self,
        known: &mut KnownRegion,
        failing: &Failing<'_>,
    ) -> Option<u32> {
        if known.courses[0].end().length > LONGEST {
            return None;
        }
        self.machine.rollback(&known.mark);
        let mut path = Vec::new();
        self.walk(known, |_, next| {
            path.push(next);
            ControlFlow::Continue(())
        });
        self.machine.rollback(&known.mark);
        let begun = self.begin_last_attempt(known, failing);
        let mut departure = None;
        if begun.is_some() {
            let mut path = path.into_iter();
            self.walk(known, |last, next| match path.next() {
                Some(expected) if expected == next => ControlFlow::Continue(()),
                Some(_) => {
                    departure = Some(last);
                    ControlFlow::Break(())
                }
                None => ControlFlow::Break(()),
            });
        }
        self.machine.rollback(&known.mark);
        departure
    }

    /// Executes the region from its checkpoint on: `look` sees, after every operation of the user's
    /// code, which one it was and where execution goes on.
    fn walk(&mut self, known: &KnownRegion, mut look: impl FnMut(u32, u32) -> ControlFlow<()>) {
        let budget = known.courses[0].budget;
        let until = self.machine.now().saturating_add(budget);
        let mut steps = Steps {
            calls: self.calls.clone(),
            pause: self.pause_of(known.region),
            paused: false,
        };
        loop {
            let last = steps.calls.blame(self.machine.pc());
            let over = step(&mut self.machine, &mut steps, until).is_some();
            if over || look(last, self.machine.pc()).is_break() {
                return;
            }
        }
    }
}

/// Follows the calls.
struct Steps<'i> {
    calls: Calls<'i>,
    pause: Pause,
    paused: bool,
}

impl Observer for Steps<'_> {
    follow_calls!();

    fn checkpoint(&mut self, _: Moment, _: &[(u32, u32)]) -> ControlFlow<()> {
        match self.pause {
            Pause::Never => ControlFlow::Continue(()),
            Pause::AtNext => {
                self.paused = true;
                ControlFlow::Break(())
            }
        }
    }
}

impl Follower for Steps<'_> {
    fn in_library(&self) -> bool {
        self.calls.in_library()
    }

    fn is_over(&self) -> bool {
        self.paused
    }
}
