//! What the continuous execution of a check went through.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use brownout_diag::{Finding, Locus, Segment, SourcePlace};
use brownout_explore::{Exposure, Monitor};
use brownout_flow::Suspicion;
use brownout_ir::source::Place;
use brownout_ir::{Callee, Func, Global, Id, Inst, Op, Operand, Origin, Program, Symbol, Value};
use brownout_scenario::{Scenario, Semantics};
use brownout_trace::{Start, Suspects};
use brownout_vm::{Image, Moment, Observer};

/// How many commits are remembered: those that pictures can show.
const COMMITS: usize = 1 << 16;

/// Sees which functions are executed, which operations write or make outputs, and when checkpoints are.
pub(crate) struct Coverage {
    called: Vec<bool>,
    /// The operations that stored something or called a function.
    wrote: Vec<bool>,
    /// The operations that made outputs.
    made: BTreeSet<u32>,
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

    fn output(&mut self, at: Moment, _: u32, _: &[u64]) {
        self.made.insert(at.pc);
    }

    fn call(&mut self, at: Moment, function: Func, _: u32) {
        if let Some(wrote) = self.wrote.get_mut(at.pc as usize) {
            *wrote = true;
        }
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
            made: BTreeSet::new(),
            commits: Vec::new(),
        }
    }

    /// Outputs that another execution of the program made are not untold of.
    pub(crate) fn add_made(&mut self, other: Coverage) {
        self.made.extend(other.made);
    }

    /// Whether a function was executed: it was called, or something that it does was executed where it is copied to.
    fn has_called(
        &self,
        program: &Program,
        func: Func,
        executed: &BTreeSet<SourcePosition<'_>>,
    ) -> bool {
        let body = program.functions[func].body.iter();
        let mut insts = body.flat_map(|body| body.blocks.values().flat_map(|block| &block.insts));
        self.called[func.index()]
            || insts.any(|inst| {
                let writes = matches!(inst.op, Op::Store { .. } | Op::Call { .. });
                let position = inst.place.filter(|_| writes);
                let position = position.and_then(|place| position_of(program, place));
                position.is_some_and(|position| executed.contains(&position))
            })
    }

    /// The operations that stored something or called a function.
    fn wrote(&self) -> impl Iterator<Item = u32> {
        let wrote = self.wrote.iter().enumerate();
        wrote.filter_map(|(pc, &wrote)| wrote.then_some(pc as u32))
    }

    /// The user's functions that were never executed, neither here nor by operations that are `recovering`, nor copied by the
    /// compiler to where they are called and executed there. What the scenario describes never is. Functions of headers that
    /// come with the tool have no place, unlike all others of the file.
    pub(crate) fn unexecuted(
        &self,
        image: &Image,
        scenario: &Scenario,
        recovering: &BTreeSet<u32>,
    ) -> Vec<String> {
        let program = image.program();
        let recovered = positions(image, recovering.iter().copied());
        let called = called_at(program, &recovered);
        let mut executed = positions(image, self.wrote());
        executed.extend(recovered);
        let inputs = scenario.inputs.iter().map(|input| input.source.name());
        let outputs = scenario.outputs.iter().map(|output| output.source.name());
        let described: Vec<&str> = inputs
            .chain(outputs)
            .chain(scenario.ignore.iter().map(String::as_str))
            .chain(scenario.power.checkpoints.iter().map(String::as_str))
            .collect();
        let with_places = (program.functions.values())
            .any(|function| function.origin == Origin::User && function.place.is_some());
        let mut names: Vec<String> = program
            .functions
            .iter()
            .filter(|(func, function)| {
                function.origin == Origin::User
                    && (function.place.is_some() || !with_places)
                    && function.body.is_some()
                    && !called.contains(func)
                    && !self.has_called(program, *func, &executed)
                    && !described.contains(&function.name.as_str())
            })
            .map(|(_, function)| function.name.clone())
            .collect();
        names.sort_unstable();
        names
    }
}

impl Coverage {
    /// Whether every function of the user's, every store and every output was executed: nothing is left that a program which
    /// goes round without doing anything could still come to.
    pub(crate) fn is_everything(&self, image: &Image) -> bool {
        let program = image.program();
        let executed = positions(image, self.wrote().chain(self.made.iter().copied()));
        let is_output = |callee: Func| {
            let outputs = &image.bindings().outputs;
            let name = &program.functions[callee].name;
            outputs.iter().any(|output| output.name == *name)
        };
        let matters = |inst: &Inst| match inst.op {
            Op::Store { .. } => true,
            Op::Call {
                callee: Callee::Direct(callee),
                ..
            } => {
                let is_of_user = program.functions[callee].origin == Origin::User;
                is_of_user && program.functions[callee].body.is_some() || is_output(callee)
            }
            _ => false,
        };
        let is_executed = |inst: &Inst| {
            let position = inst.place.and_then(|place| position_of(program, place));
            position.is_none_or(|position| executed.contains(&position))
        };
        let mut functions = program.functions.iter();
        functions.all(|(func, function)| {
            let Some(body) = function
                .body
                .as_ref()
                .filter(|_| function.origin == Origin::User)
            else {
                return true;
            };
            let comes_with_tool = function.place.is_none();
            let mut insts = body.blocks.values().flat_map(|block| &block.insts);
            (comes_with_tool || self.has_called(program, func, &executed))
                && insts.all(|inst| !matters(inst) || is_executed(inst))
        })
    }

    /// What to say of calls of outputs with a tag that were never made: whether they are what their tag says,
    /// only executions tell. Of one that may be repeated there is nothing to tell without an effect.
    pub(crate) fn unmade(&self, image: &Image, scenario: &Scenario) -> Vec<String> {
        let program = image.program();
        let tagged: Vec<&str> = (scenario.outputs.iter())
            .filter(|output| match output.semantics {
                Some(Semantics::AtMostOnce) => true,
                Some(Semantics::Absolute | Semantics::Relative) => !output.effect.is_empty(),
                None => false,
            })
            .map(|output| output.source.name())
            .collect();
        if tagged.is_empty() {
            return Vec::new();
        }
        let made = positions(image, self.made.iter().copied());
        let functions = program.functions.values();
        let users = functions.filter(|function| function.origin == Origin::User);
        let bodies = users.filter_map(|function| function.body.as_ref());
        let insts = bodies.flat_map(|body| body.blocks.values().flat_map(|block| &block.insts));
        let calls = insts.filter_map(|inst| match inst.op {
            Op::Call {
                callee: Callee::Direct(callee),
                ..
            } => Some((program.functions[callee].name.as_str(), inst.place?)),
            _ => None,
        });
        let unmade: BTreeSet<_> = calls
            .filter(|(name, _)| tagged.contains(name))
            .filter_map(|(name, place)| Some((name, position_of(program, place)?)))
            .filter(|(_, position)| !made.contains(position))
            .map(|(name, (file, line, _))| (file, line, name))
            .collect();
        unmade
            .into_iter()
            .map(|(file, line, name)| {
                format!(
                    "{file}:{line}: `{name}` was never called here: whether a power failure repeats it was not checked"
                )
            })
            .collect()
    }

    /// The user's lines that write non-volatile variables, or call functions that do, and were never executed, neither
    /// here nor by operations that are `recovering`. Functions that were never called are told by their name.
    pub(crate) fn unwritten(
        &self,
        image: &Image,
        scenario: &Scenario,
        recovering: &BTreeSet<u32>,
        uncalled: &[String],
    ) -> Vec<String> {
        let program = image.program();
        let executed = positions(image, self.wrote().chain(recovering.iter().copied()));
        let writes = writes(program, scenario).into_iter();
        let writes = writes.filter(|(func, _)| !uncalled.contains(&program.functions[*func].name));
        let lines: BTreeSet<_> = writes
            .filter_map(|(_, inst)| position_of(program, inst.place?))
            .filter(|position| !executed.contains(position))
            .map(|(file, line, _)| (file, line))
            .collect();
        let lines = lines.into_iter();
        lines.map(|(file, line)| format!("{file}:{line}")).collect()
    }
}

/// A place in the source: file, line, column.
type SourcePosition<'p> = (&'p str, u32, u32);

fn position_of(program: &Program, place: Place) -> Option<SourcePosition<'_>> {
    let place = program.source.places.get(place)?;
    let file = program.source.files.get(place.file)?;
    Some((file, place.line, place.column))
}

/// Where some operations stand in the source.
fn positions(image: &Image, operations: impl Iterator<Item = u32>) -> BTreeSet<SourcePosition<'_>> {
    let places = operations.filter_map(|pc| image.place(pc));
    let places = places.filter_map(|place| position_of(image.program(), place));
    places.collect()
}

/// The functions that are called at these places.
fn called_at(program: &Program, places: &BTreeSet<SourcePosition<'_>>) -> BTreeSet<Func> {
    let bodies = (program.functions.values()).filter_map(|function| function.body.as_ref());
    let insts = bodies.flat_map(|body| body.blocks.values().flat_map(|block| &block.insts));
    let calls = insts.filter_map(|inst| match inst.op {
        Op::Call {
            callee: Callee::Direct(callee),
            ..
        } => Some((callee, position_of(program, inst.place?)?)),
        _ => None,
    });
    calls
        .filter(|(_, position)| places.contains(position))
        .map(|(callee, _)| callee)
        .collect()
}

/// The instructions that write non-volatile variables, or call functions that do, as far as these are accessed by their
/// names or by a pointer that has a name and points to them from the start, as that of Arduino's EEPROM does.
fn writes<'p>(program: &'p Program, scenario: &Scenario) -> Vec<(Func, &'p Inst)> {
    let is_nonvolatile = |global: Global| {
        scenario
            .memory
            .is_nonvolatile(&program.globals[global].name)
    };
    let points_there = |pointer: Global| {
        let init = program.globals[pointer].init.as_ref();
        let mut relocations = init.iter().flat_map(|init| &init.relocations);
        relocations.any(|it| matches!(it.symbol, Symbol::Global(global) if is_nonvolatile(global)))
    };
    let (mut writes, mut calls) = (Vec::new(), Vec::new());
    for (func, function) in program.functions.iter() {
        let (Some(body), Origin::User) = (&function.body, function.origin) else {
            continue;
        };
        // Values that are addresses of such variables.
        let mut addresses = BTreeSet::new();
        let is_there = |addresses: &BTreeSet<Value>, operand: Operand| match operand {
            Operand::Global(global, _) => is_nonvolatile(global),
            Operand::Value(value) => addresses.contains(&value),
            _ => false,
        };
        for inst in body.blocks.values().flat_map(|block| &block.insts) {
            match &inst.op {
                Op::Address { base, .. } if is_there(&addresses, *base) => {
                    addresses.extend(&inst.results);
                }
                Op::Load {
                    address: Operand::Global(pointer, _),
                    ..
                } if points_there(*pointer) => addresses.extend(&inst.results),
                Op::Store { address, .. } if is_there(&addresses, *address) => {
                    writes.push((func, inst));
                }
                Op::Call {
                    callee: Callee::Direct(callee),
                    ..
                } => calls.push((func, *callee, inst)),
                _ => {}
            }
        }
    }
    let mut writers: BTreeSet<Func> = writes.iter().map(|&(func, _)| func).collect();
    loop {
        let is_new =
            |call: &&(Func, Func, &Inst)| writers.contains(&call.1) && !writers.contains(&call.0);
        let more: Vec<Func> = calls.iter().filter(is_new).map(|call| call.0).collect();
        if more.is_empty() {
            break;
        }
        writers.extend(more);
    }
    let calls = calls
        .into_iter()
        .filter(|(_, callee, _)| writers.contains(callee));
    writes.extend(calls.map(|(func, _, inst)| (func, inst)));
    writes
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

/// The same, for those who keep it.
type Position = (String, u32, u32);

/// The suspected pairs of a read and a write that the execution went through, in regions that begin where they are
/// suspected.
pub(crate) struct Settled {
    pairs: BTreeSet<Suspects>,
    numbers: BTreeMap<Position, usize>,
}

impl Settled {
    pub(crate) fn of<'f>(
        image: &Image,
        exposure: Exposure,
        limit: u64,
        suspected: impl Iterator<Item = &'f Suspicion>,
        evaluated: &[Finding],
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
            .flat_map(|suspicion| settled.suspects(suspicion))
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
        let evaluated: Vec<Suspects> = evaluated
            .iter()
            .flat_map(|finding| settled.evaluated(finding))
            .collect();
        settled.pairs.extend(evaluated);
        settled
    }

    fn number(&self, place: &SourcePlace) -> Option<usize> {
        let (file, line, column) = place.position();
        self.numbers.get(&(file.to_owned(), line, column)).copied()
    }

    /// The pairs of a finding, which some execution has located: not only the one without interrupts at every
    /// place.
    fn evaluated(&self, finding: &Finding) -> Vec<Suspects> {
        let start = match finding.subject.as_ref().map(|subject| &subject.locus) {
            Some(Locus::Start) => Start::Entry,
            Some(Locus::Checkpoint(place)) => match self.number(place) {
                Some(place) => Start::Checkpoint(place),
                None => return Vec::new(),
            },
            Some(Locus::Function { .. }) | None => return Vec::new(),
        };
        let pairs = finding.pairs.iter().filter_map(|pair| {
            Some(Suspects {
                read: self.number(pair.consumer.as_ref()?)?,
                written: self.number(pair.producer.as_ref()?)?,
                is_local: is_local(finding),
                start,
            })
        });
        pairs.collect()
    }

    /// A suspicion for each of its regions; none if it has no places.
    fn suspects(&self, suspicion: &Suspicion) -> Vec<Suspects> {
        let Finding {
            consumer: Some(consumer),
            producer: Some(producer),
            ..
        } = &suspicion.finding
        else {
            return Vec::new();
        };
        let (Some(read), Some(written)) = (self.number(consumer), self.number(producer)) else {
            return Vec::new();
        };
        let is_local = is_local(&suspicion.finding);
        let starts = suspicion.starts.iter().map(|place| match place {
            None => Start::Entry,
            Some(place) => self
                .number(place)
                .map_or(Start::Anywhere, Start::Checkpoint),
        });
        let mut starts: Vec<Start> = starts.collect();
        if starts.is_empty() {
            starts.push(Start::Anywhere);
        }
        let suspects = |start: Start| Suspects {
            read,
            written,
            is_local,
            start,
        };
        starts.into_iter().map(suspects).collect()
    }

    pub(crate) fn has(&self, suspicion: &Suspicion) -> bool {
        let pairs = self.suspects(suspicion);
        !pairs.is_empty() && pairs.iter().all(|pair| self.pairs.contains(pair))
    }
}

/// Whether a local variable is read and written.
fn is_local(finding: &Finding) -> bool {
    let object = finding.object.as_ref();
    object.is_some_and(|object| object.segment == Segment::Stack)
}
