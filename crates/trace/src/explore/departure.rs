//! Where an attempt leaves the path of the continuous execution.
//!
//! Both are executed one operation of the user's code after the other, with all that the library
//! does for it; the paths part where the next operation is another one.

use std::ops::ControlFlow;

use brownout_vm::{Moment, Observer};

use super::attempt::Blow;
use super::compare::Pause;
use super::scene::Scene;
use super::walker::Walker;
use crate::calls::{Calls, Follower, follow_calls, step};

/// Longer windows are not looked at.
const LONGEST: u64 = 100_000;

impl Walker<'_> {
    /// The last operation of the user's code, behind a strike, that is still on the path.
    pub(super) fn departure(&mut self, scene: &Scene, blow: &Blow<'_>) -> Option<u32> {
        if scene.reference.length > LONGEST {
            return None;
        }
        self.machine.rollback(&scene.mark);
        let mut path = Vec::new();
        self.walk(scene, |_, next| {
            path.push(next);
            ControlFlow::Continue(())
        });
        self.machine.rollback(&scene.mark);
        let pause = Pause::of(scene.window);
        self.advance(pause, blow.failure.saturating_sub(scene.begun));
        self.strike_down(scene, blow, *blow.failures.start());
        let mut departure = None;
        let mut path = path.into_iter();
        self.walk(scene, |last, next| match path.next() {
            Some(expected) if expected == next => ControlFlow::Continue(()),
            Some(_) => {
                departure = Some(last);
                ControlFlow::Break(())
            }
            None => ControlFlow::Break(()),
        });
        self.machine.rollback(&scene.mark);
        departure
    }

    /// Executes the window from its checkpoint on: `look` sees, behind every operation of the user's
    /// code, which one it was and where execution goes on.
    fn walk(&mut self, scene: &Scene, mut look: impl FnMut(u32, u32) -> ControlFlow<()>) {
        let until = self.machine.now().saturating_add(scene.reference.budget);
        let mut steps = Steps {
            calls: self.calls.clone(),
            pause: Pause::of(scene.window),
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
