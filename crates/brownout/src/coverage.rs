//! What the continuous execution of a check went through.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use brownout_diag::SourcePlace;
use brownout_ir::{Func, Id, Origin, Program};
use brownout_scenario::Scenario;
use brownout_vm::{Image, Moment, Observer};

/// How many commits are remembered: those that pictures can show.
const COMMITS: usize = 1 << 16;

/// Sees which functions, accesses and calls are executed, and when checkpoints are.
pub(crate) struct Coverage {
    called: Vec<bool>,
    /// The operations that accessed memory or called something.
    operations: Vec<bool>,
    /// When checkpoint functions were called.
    pub(crate) commits: Vec<u64>,
}

impl Observer for Coverage {
    #[inline(always)]
    fn load(&mut self, at: Moment, _: &[u8], _: u32, _: u32) {
        self.operation(at);
    }

    #[inline(always)]
    fn store(&mut self, at: Moment, _: &[u8], _: u32, _: &[u8]) {
        self.operation(at);
    }

    fn input(&mut self, at: Moment, _: u32, _: u64) {
        self.operation(at);
    }

    fn call(&mut self, at: Moment, function: Func, _: u32) {
        self.operation(at);
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
    pub(crate) fn new(program: &Program) -> Self {
        Self {
            called: vec![false; program.functions.values().count()],
            operations: Vec::new(),
            commits: Vec::new(),
        }
    }

    #[inline(always)]
    fn operation(&mut self, at: Moment) {
        match self.operations.get_mut(at.pc as usize) {
            Some(operation) => *operation = true,
            None => self.first_so_far(at),
        }
    }

    #[cold]
    fn first_so_far(&mut self, at: Moment) {
        self.operations.resize(at.pc as usize + 1, false);
        self.operations[at.pc as usize] = true;
    }

    /// Where the execution accessed memory or called something.
    pub(crate) fn executed(&self, image: &Image) -> Executed {
        let source = &image.program().source;
        let operations = self.operations.iter().enumerate();
        let executed = operations.filter(|(_, executed)| **executed);
        let places = executed.filter_map(|(pc, _)| {
            let place = source.places.get(image.place(pc as u32)?)?;
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
