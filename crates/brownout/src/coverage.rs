//! What the continuous execution of a check went through.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use brownout_diag::{Finding, SourcePlace};
use brownout_ir::{Func, Id, Origin, Program};
use brownout_scenario::Scenario;
use brownout_trace::{Exposure, Monitor, Suspects};
use brownout_vm::{Image, Moment, Observer};

/// How many commits are remembered: those that pictures can show.
const COMMITS: usize = 1 << 16;

/// Sees which functions are executed, and when checkpoints are.
pub(crate) struct Coverage {
    called: Vec<bool>,
    /// When checkpoint functions were called.
    pub(crate) commits: Vec<u64>,
}

impl Observer for Coverage {
    fn call(&mut self, _: Moment, function: Func, _: u32) {
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
            commits: Vec::new(),
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

/// A place in the source: file, line, column.
type Position = (String, u32, u32);

/// The suspected pairs of a read and a write that the execution went through in one region.
pub(crate) struct Settled {
    pairs: BTreeSet<Suspects>,
    numbers: BTreeMap<Position, usize>,
}

impl Settled {
    pub(crate) fn of<'f>(
        image: &Image,
        exposure: Exposure,
        limit: u64,
        suspected: impl Iterator<Item = &'f Finding>,
        monitor: &dyn Monitor,
    ) -> Self {
        let mut numbers = BTreeMap::new();
        let mut operations: Vec<Vec<u32>> = Vec::new();
        let source = &image.program().source;
        for pc in 0..image.operations() as u32 {
            let place = image.place(pc).and_then(|place| source.places.get(place));
            let Some((place, file)) =
                place.and_then(|place| Some((place, source.files.get(place.file)?)))
            else {
                continue;
            };
            let position = (file.clone(), place.line, place.column);
            let number = *numbers.entry(position).or_insert_with(|| {
                operations.push(Vec::new());
                operations.len() - 1
            });
            operations[number].push(pc);
        }
        let mut settled = Self {
            pairs: BTreeSet::new(),
            numbers,
        };
        let pairs: BTreeSet<Suspects> = suspected
            .filter_map(|finding| settled.suspects(finding))
            .collect();
        if pairs.is_empty() {
            return settled;
        }
        let pairs: Vec<Suspects> = pairs.into_iter().collect();
        let happened =
            brownout_trace::together(image, exposure, limit, &operations, &pairs, monitor);
        let happened = pairs.into_iter().zip(happened);
        settled.pairs = happened
            .filter_map(|(pair, happened)| happened.then_some(pair))
            .collect();
        settled
    }

    fn suspects(&self, finding: &Finding) -> Option<Suspects> {
        let number = |place: &Option<SourcePlace>| {
            let (file, line, column) = place.as_ref()?.position();
            self.numbers.get(&(file.to_owned(), line, column)).copied()
        };
        let object = finding.object.as_ref();
        Some(Suspects {
            read: number(&finding.consumer)?,
            written: number(&finding.producer)?,
            is_local: object.is_some_and(|object| object.segment == "stack"),
        })
    }

    pub(crate) fn has(&self, finding: &Finding) -> bool {
        let pair = self.suspects(finding);
        pair.is_some_and(|pair| self.pairs.contains(&pair))
    }
}
