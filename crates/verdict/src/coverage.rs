//! What the continuous execution of a check went through.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use brownout_diag::{Finding, SourcePlace};
use brownout_explore::{Exposure, Monitor};
use brownout_ir::source::Place;
use brownout_ir::{Func, Id, Op, Operand, Origin, Program};
use brownout_scenario::Scenario;
use brownout_trace::Suspects;
use brownout_vm::{Image, Moment, Observer};

/// How many commits are remembered: those that pictures can show.
const COMMITS: usize = 1 << 16;

/// Sees which functions are executed, which operations write, and when checkpoints are.
pub(crate) struct Coverage {
    called: Vec<bool>,
    wrote: Vec<bool>,
    /// When checkpoint functions were called.
    pub(crate) commits: Vec<u64>,
}

impl Observer for Coverage {
    fn accesses(&self) -> bool {
        true
    }

    fn store(&mut self, at: Moment, _: &[u8], _: u32, _: &[u8]) {
        if let Some(wrote) = self.wrote.get_mut(at.pc as usize) {
            *wrote = true;
        }
    }

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
            wrote: vec![false; image.operations()],
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

impl Coverage {
    /// The user's lines that write non-volatile variables and were never executed, neither here nor by operations
    /// that are `recovering`. Functions that were never called are told by their name.
    pub(crate) fn unwritten(
        &self,
        image: &Image,
        scenario: &Scenario,
        recovering: &BTreeSet<u32>,
        uncalled: &[String],
    ) -> Vec<String> {
        let program = image.program();
        let wrote = self.wrote.iter().enumerate();
        let wrote = wrote.filter_map(|(pc, &wrote)| wrote.then_some(pc as u32));
        let wrote = wrote.chain(recovering.iter().copied());
        let line = |place: Place| {
            let place = program.source.places.get(place)?;
            Some((program.source.files.get(place.file)?, place.line))
        };
        let executed: BTreeSet<_> = wrote.filter_map(|pc| line(image.place(pc)?)).collect();
        let functions = program.functions.values();
        let functions = functions.filter(|function| {
            function.origin == Origin::User && !uncalled.contains(&function.name)
        });
        let bodies = functions.filter_map(|function| function.body.as_ref());
        let insts = bodies.flat_map(|body| body.blocks.values().flat_map(|block| &block.insts));
        let writes = insts.filter(|inst| match inst.op {
            Op::Store {
                address: Operand::Global(global, _),
                ..
            } => {
                let name = &program.globals[global].name;
                scenario.memory.is_nonvolatile(name)
            }
            _ => false,
        });
        let lines: BTreeSet<_> = writes.filter_map(|inst| line(inst.place?)).collect();
        let lines = lines.difference(&executed);
        lines.map(|(file, line)| format!("{file}:{line}")).collect()
    }
}

/// What to say of counters that are written in parts, if no carry of theirs was executed.
pub(crate) fn uncarried(image: &Image, counters: &[u32]) -> Option<String> {
    let source = &image.program().source;
    let line = |&pc: &u32| {
        let place = source.places.get(image.place(pc)?)?;
        Some((source.files.get(place.file)?, place.line))
    };
    let lines: BTreeSet<_> = counters.iter().filter_map(line).collect();
    let lines: Vec<String> = lines
        .iter()
        .map(|(file, line)| format!("{file}:{line}"))
        .collect();
    let counts = match lines.len() {
        0 => return None,
        1 => "counts",
        _ => "count",
    };
    Some(format!(
        "{} {counts} in parts that are not written at once, and no carry into the next part was executed: that power fails in the middle of one was not checked (begin with a value that is close to it)",
        lines.join(", ")
    ))
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
