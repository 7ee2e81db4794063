//! Mistakes in checkpoints, logs, idempotent regions and tasks.

#![allow(clippy::type_complexity, reason = "a table of functions")]

use brownout_calculus::basic::{self, Basic};
use brownout_calculus::claims::{self, Answer};
use brownout_calculus::correct::{Correctness, Scope};
use brownout_calculus::explore::explore;
use brownout_calculus::idempotent::Idempotent;
use brownout_calculus::program::Program;
use brownout_calculus::redo::Redo;
use brownout_calculus::rejection::accepted;
use brownout_calculus::state::{Configuration, Location, Memory, Observation};
use brownout_calculus::syntax::{Command, Name, Names, Value};
use brownout_calculus::system::System;
use brownout_calculus::tasks;
use brownout_calculus::undo::Undo;

use super::{caught, theorem_4};

type At<S> = Configuration<<S as System>::Context>;

/// A system of which some parts are wrong and the others right.
struct Broken<S: System> {
    right: S,
    load: Option<fn(&S, &At<S>, Location) -> Option<Value>>,
    store: Option<fn(&S, &mut At<S>, Location, Value)>,
    checkpoint: Option<fn(&S, &mut At<S>, &Names, &Command)>,
    reboot: Option<fn(&S, &mut At<S>)>,
    jump: Option<fn(&S, &mut At<S>, Name) -> Option<Vec<Observation>>>,
}

impl<S: System> Broken<S> {
    fn new(right: S) -> Self {
        Self {
            right,
            load: None,
            store: None,
            checkpoint: None,
            reboot: None,
            jump: None,
        }
    }
}

impl<S: System> System for Broken<S> {
    type Context = S::Context;

    fn start(&self, program: &Program) -> At<S> {
        self.right.start(program)
    }

    fn load(&self, at: &At<S>, location: Location) -> Option<Value> {
        match self.load {
            Some(wrong) => wrong(&self.right, at, location),
            None => self.right.load(at, location),
        }
    }

    fn store(&self, at: &mut At<S>, location: Location, value: Value) {
        match self.store {
            Some(wrong) => wrong(&self.right, at, location, value),
            None => self.right.store(at, location, value),
        }
    }

    fn checkpoint(&self, at: &mut At<S>, saved: &Names, rest: &Command) {
        match self.checkpoint {
            Some(wrong) => wrong(&self.right, at, saved, rest),
            None => self.right.checkpoint(at, saved, rest),
        }
    }

    fn power_failure(&self, at: &mut At<S>) {
        self.right.power_failure(at);
    }

    fn reboot(&self, at: &mut At<S>) {
        match self.reboot {
            Some(wrong) => wrong(&self.right, at),
            None => self.right.reboot(at),
        }
    }

    fn jump(&self, at: &mut At<S>, target: Name) -> Option<Vec<Observation>> {
        match self.jump {
            Some(wrong) => wrong(&self.right, at, target),
            None => self.right.jump(at, target),
        }
    }
}

/// Accepted programs are not correct in a basic system with this mistake.
fn basic_is_caught(mistake: &str, breaks: fn(&mut Broken<Basic>)) {
    caught(mistake, |program| {
        let mut system = Broken::new(Basic);
        breaks(&mut system);
        let scope = Scope::default();
        let mut space = Correctness {
            system,
            program,
            scope: &scope,
        };
        if accepted(program).is_ok() && !explore(&mut space, scope.states).holds() {
            Answer::Fails("accepted, but not correct".to_owned())
        } else {
            Answer::Holds
        }
    });
}

#[test]
fn broken_checkpoints() {
    basic_is_caught("a reboot restores nothing non-volatile", |system| {
        system.reboot = Some(|_, at| {
            at.volatile = at.context.volatile.clone();
            at.command = at.context.command.clone();
        });
    });
    basic_is_caught("a reboot does not restore volatile memory", |system| {
        system.reboot = Some(|_, at| {
            at.nonvolatile = at.nonvolatile.updated(&at.context.nonvolatile);
            at.command = at.context.command.clone();
        });
    });
    basic_is_caught("a checkpoint does not save ω", |system| {
        system.checkpoint = Some(|right, at, _, rest| right.checkpoint(at, &Names::new(), rest));
    });
    basic_is_caught(
        "a checkpoint keeps the volatile memory of the first",
        |system| {
            system.checkpoint = Some(|_, at, saved, rest| {
                at.context = basic::Context {
                    nonvolatile: at.nonvolatile.restricted(saved),
                    command: rest.clone(),
                    volatile: at.context.volatile.clone(),
                };
            });
        },
    );
    basic_is_caught("execution goes on at the first checkpoint", |system| {
        system.checkpoint = Some(|right, at, saved, rest| {
            let first = at.context.command.clone();
            right.checkpoint(at, saved, rest);
            at.context.command = first;
        });
    });
}

fn undo_is_caught(mistake: &str, breaks: fn(&mut Broken<Undo>)) {
    caught(mistake, |program| {
        let mut system = Broken::new(Undo);
        breaks(&mut system);
        claims::undo(&system, program)
    });
}

#[test]
fn broken_undo_logs() {
    undo_is_caught("the log gets the new value", |system| {
        system.store = Some(|right, at, location, value| {
            right.store(at, location, value);
            if at.context.saved.contains(&location.name) {
                at.context.log.set(location, value);
            }
        });
    });
    undo_is_caught("every write is logged, not only the first", |system| {
        system.store = Some(|right, at, location, value| {
            let old = right.load(at, location);
            right.store(at, location, value);
            if at.context.saved.contains(&location.name)
                && let Some(old) = old
            {
                at.context.log.set(location, old);
            }
        });
    });
    undo_is_caught("a checkpoint keeps the log", |system| {
        system.checkpoint = Some(|right, at, saved, rest| {
            let log = at.context.log.clone();
            right.checkpoint(at, saved, rest);
            at.context.log = log;
        });
    });
    undo_is_caught("a reboot does not play the log back", |system| {
        system.reboot = Some(|right, at| {
            let nonvolatile = at.nonvolatile.clone();
            right.reboot(at);
            at.nonvolatile = nonvolatile;
        });
    });
}

fn redo_is_caught(mistake: &str, breaks: fn(&mut Broken<Redo>)) {
    caught(mistake, |program| {
        let mut system = Broken::new(Redo::default());
        breaks(&mut system);
        claims::redo(&system, program)
    });
}

#[test]
fn broken_redo_logs() {
    redo_is_caught("reads do not look into the log", |system| {
        system.load = Some(|_, at, location| {
            at.nonvolatile
                .get(location)
                .or_else(|| at.volatile.get(location))
        });
    });
    redo_is_caught("writes go past the log", |system| {
        system.store = Some(|_, at, location, value| store_in_place(at, location, value));
    });
    redo_is_caught("a checkpoint throws the log away", |system| {
        system.checkpoint = Some(|right, at, saved, rest| {
            at.context.log = Memory::default();
            right.checkpoint(at, saved, rest);
        });
    });
    redo_is_caught("a reboot keeps the log", |system| {
        system.reboot = Some(|right, at| {
            let log = at.context.log.clone();
            right.reboot(at);
            at.context.log = log;
        });
    });
}

/// Writing to memory itself, in any system.
fn store_in_place<Context>(at: &mut Configuration<Context>, location: Location, value: Value) {
    if at.volatile.contains(location) {
        at.volatile.set(location, value);
    } else {
        at.nonvolatile.set(location, value);
    }
}

#[test]
fn broken_idempotent_regions() {
    fn is_caught(mistake: &str, breaks: fn(&mut Broken<Idempotent>)) {
        caught(mistake, |program| {
            let mut system = Broken::new(Idempotent);
            breaks(&mut system);
            claims::idempotent(&system, program)
        });
    }
    is_caught("a reboot does not restore volatile memory", |system| {
        system.reboot = Some(|right, at| {
            let volatile = at.volatile.clone();
            right.reboot(at);
            at.volatile = volatile;
        });
    });
    is_caught("execution goes on at the first checkpoint", |system| {
        system.checkpoint = Some(|right, at, saved, rest| {
            let first = at.context.command.clone();
            right.checkpoint(at, saved, rest);
            at.context.command = first;
        });
    });
    caught("regions are not cut", |program| {
        theorem_4(|_| true, &program.without_saves())
    });
}

#[test]
fn broken_tasks() {
    fn is_caught(mistake: &str, breaks: fn(&mut Broken<tasks::Tasks>)) {
        caught(mistake, |program| {
            let mut system = Broken::new(tasks::split(program).1);
            breaks(&mut system);
            claims::tasks(&system, program)
        });
    }
    is_caught("a reboot keeps private memory", |system| {
        system.reboot = Some(|right, at| {
            let private = at.context.private.clone();
            right.reboot(at);
            at.context.private = private;
        });
    });
    is_caught("a transition does not commit", |system| {
        system.jump = Some(|right, at, target| {
            at.context.private = Memory::default();
            right.jump(at, target)
        });
    });
    is_caught("a transition does not change the current task", |system| {
        system.jump = Some(|right, at, target| {
            let current = at.context.current;
            let observed = right.jump(at, target);
            at.context.current = current;
            observed
        });
    });
    is_caught("writes go past private memory", |system| {
        system.store = Some(|_, at, location, value| {
            if at.context.local.contains(location) {
                at.context.local.set(location, value);
            } else {
                store_in_place(at, location, value);
            }
        });
    });
}
