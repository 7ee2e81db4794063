//! What the continuous execution of a check went through.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use brownout_diag::SourcePlace;
use brownout_ir::{Func, Id, Origin, Program};
use brownout_scenario::Scenario;
use brownout_vm::{Image, Moment, Observer};

/// How many commits are remembered: those that pictures can show.
const COMMITS: usize = 1 << 16;

/// Sees which functions and calls are executed, and when checkpoints are.
pub(crate) struct Coverage {
    called: Vec<bool>,
    /// The operations that called something.
    calls: Vec<bool>,
    /// When checkpoint functions were called.
    pub(crate) commits: Vec<u64>,
}

impl Observer for Coverage {
    fn input(&mut self, at: Moment, _: u32, _: u64) {
        self.calls[at.pc as usize] = true;
    }

    fn call(&mut self, at: Moment, function: Func, _: u32) {
        self.calls[at.pc as usize] = true;
        if let Some(called) = self.called.get_mut(function.index()) {
            *called = true;
        }
    }

    fn checkpoint(&mut self, at: Moment, _: &[(u32, u32)]) -> ControlFlow<()> {
        if self.commits.len() < COMMITS {
            self.commits.push(at.time);
        }
        ControlFlow::Continue(())
    }
}

impl Coverage {
    pub(crate) fn new(image: &Image) -> Self {
        Self {
            called: vec![false; image.program().functions.values().count()],
            calls: vec![false; image.operations()],
            commits: Vec::new(),
        }
    }

    /// Where the execution called something or, by number of operation, accessed memory.
    pub(crate) fn executed(&self, image: &Image, accessed: &[bool]) -> Executed {
        let source = &image.program().source;
        let executed = (0..).zip(accessed).chain((0..).zip(&self.calls));
        let executed = executed.filter(|(_, executed)| **executed);
        let places = executed.filter_map(|(pc, _)| {
            let place = source.places.get(image.place(pc)?)?;
            let file = source.files.get(place.file)?;
            Some((file.clone(), place.line, place.column))
        });
        Executed {
            places: places.collect(),
        }
    }

    /// The user's functions that were never executed. What the scenario describes never is.
    pub(crate) fn unexecuted(&self, program: &Program, scenario: &Scenario) -> Vec<String> {
        let inputs = scenario.inputs.iter().map(|input| input.source.name());
        let outputs = scenario.outputs.iter().map(|output| output.source.name());
        let described: Vec<&str> = inputs
            .chain(outputs)
            .chain(scenario.ignore.iter().map(String::as_str))
            .chain(scenario.power.checkpoints.iter().map(String::as_str))
            .collect();
        let mut names: Vec<String> = program
            .functions
            .iter()
            .filter(|(func, function)| {
                function.origin == Origin::User
                    && function.body.is_some()
                    && !self.called[func.index()]
                    && !described.contains(&function.name.as_str())
            })
            .map(|(_, function)| function.name.clone())
            .collect();
        names.sort_unstable();
        names
    }
}

/// The places of accesses and calls that were executed.
pub(crate) struct Executed {
    places: BTreeSet<(String, u32, u32)>,
}

impl Executed {
    pub(crate) fn has(&self, place: &SourcePlace) -> bool {
        let (file, line, column) = place.position();
        self.places.contains(&(file.to_owned(), line, column))
    }
}
