//! The proof of a program, region by region.
//!
//! Sets of reads and writes settle what they can; regions of which something is left go to the
//! solver as a whole. A region that neither settles is open, with the reason.

use std::collections::{BTreeMap, BTreeSet};

use brownout_flow::contexts::Site;
use brownout_flow::objects::{Kind, Object};
use brownout_flow::sets::Cells;
use brownout_flow::supergraph::{END, Reason};
use brownout_flow::{Boundaries, Commits, Model, Region, Role, Saved};
use brownout_ir::{Callee, Op, Operand, Service, Terminator, Type};
use brownout_solver::Solver;

use crate::contents::{Contents, Kept, Lost};
use crate::dataflow::{self, Liveness, obstacle, touched};
use crate::known::{Fact, Known};
use crate::outputs::{ignored_registers, outputs, outputs_of};
use crate::question::{Effect, Open, Outcome, Question, Volatile, Why};
use crate::{handlers, region};

/// A program, made ready to be proved.
pub struct Prover<'m> {
    model: &'m Model<'m>,
    question: &'m Question,
    regions: &'m [Region],
    liveness: Liveness,
    known: Known,
    excluded: Cells,
    /// Volatile memory that somebody writes.
    written: Cells,
    /// Why nothing can be proved at all, whatever is saved.
    hopeless: Option<String>,
}

/// What became of one region.
pub struct Proved {
    /// How many obligations it has.
    pub obligations: usize,
    /// How many of them were settled without a solver.
    pub dataflow: usize,
    /// What is open.
    pub open: Option<Open>,
}

impl<'m> Prover<'m> {
    /// Makes a program ready. `regions` are those of `flow` for the same model.
    pub fn new(model: &'m Model<'m>, question: &'m Question, regions: &'m [Region]) -> Self {
        let none = Cells::with_capacity(model.accesses.cells.len());
        let (mut reads, mut writes) = (none.clone(), none);
        for node in 0..model.flow.nodes.len() as u32 {
            touched(model, node, &mut reads, &mut writes);
        }
        let mut volatile = writes;
        volatile.difference_with(&model.nonvolatile);
        Self {
            model,
            question,
            regions,
            liveness: Liveness::new(model),
            known: Known::new(model),
            excluded: dataflow::cells_of(model, &question.excluded),
            written: volatile,
            hopeless: hopeless(model, question),
        }
    }

    /// Proves all regions. Without a solver nothing is executed either: sets settle what they can.
    pub fn prove(&self, mut solver: Option<&mut dyn Solver>) -> Outcome {
        let mut outcome = Outcome {
            regions: self.regions.len(),
            checkpoints: self.checkpoints(),
            assumptions: self.assumptions(),
            ..Outcome::default()
        };
        if self.regions.is_empty() {
            // Nothing was looked at, so nothing is proved.
            let what = "a program without code".to_owned();
            outcome.open.push(Open {
                start: Reason::Entry,
                cells: Vec::new(),
                failure: None,
                why: Why::Unsupported(self.hopeless.clone().unwrap_or(what)),
                shown: Vec::new(),
                outputs: Vec::new(),
                example: Vec::new(),
            });
        }
        for region in self.regions {
            let solver: Option<&mut dyn Solver> = match &mut solver {
                Some(solver) => Some(&mut **solver),
                None => None,
            };
            let proved = self.region(region, &self.contents(region), solver);
            outcome.obligations.total += proved.obligations;
            outcome.obligations.dataflow += proved.dataflow;
            match proved.open {
                Some(open) => outcome.open.push(open),
                None => outcome.obligations.solver += proved.obligations - proved.dataflow,
            }
        }
        outcome
    }

    fn checkpoints(&self) -> usize {
        let sites: BTreeSet<_> = self
            .regions
            .iter()
            .filter_map(|region| match region.start.reason {
                Reason::Checkpoint(site) => Some((self.model.func(site.instance), site.at)),
                _ => None,
            })
            .collect();
        sites.len()
    }

    /// What is restored at the start of a region.
    pub fn contents(&self, region: &Region) -> Contents {
        if let Some(other) = self.question.contents.get(&region.start.reason) {
            return other.clone();
        }
        let place = match region.start.reason {
            Reason::Checkpoint(site) => self.model.inst(site).and_then(|inst| inst.place),
            Reason::Entry | Reason::Function(_) | Reason::Input(_) => None,
        };
        let retained = place.and_then(|place| self.question.retained.get(&place));
        Contents {
            saved: region.saved.clone(),
            stack: self.model.setting.saved == Saved::Everything,
            volatile: retained.map(|retained| Kept::new(self.model, retained)),
        }
    }

    /// Whether all volatile state that is used after a region starts is restored there, as far as that is known.
    pub fn is_restored(&self, region: &Region) -> bool {
        let contents = self.contents(region);
        let lost = Lost::new(self.model, region.start.reason, contents.volatile.as_ref());
        lost.is_ok_and(|lost| {
            let mut used = region.exposed.clone();
            used.union_with(&self.wanted(region));
            used.intersect_with(&lost.cells);
            lost.values.is_empty() && used.is_clear()
        })
    }

    /// Proves one region in which this is restored; by sets alone, if there is no solver.
    pub fn region(
        &self,
        region: &Region,
        contents: &Contents,
        solver: Option<&mut dyn Solver>,
    ) -> Proved {
        let saved = &contents.saved;
        let nodes = self.nodes(region);
        let outputs = outputs(self.model, self.question, &nodes);
        let written = region.may_write.count_ones(..);
        let obligations = written + outputs.len();
        let mut left = self.left(region, saved);
        let open_outputs = outputs.len();
        let dataflow = written - left.count_ones(..).min(written);
        let mut proved = Proved {
            obligations,
            dataflow,
            open: None,
        };
        let open = |cells: &Cells, failure, why| Open {
            start: region.start.reason,
            cells: cells.ones().map(|cell| cell as u32).collect(),
            failure,
            why,
            shown: Vec::new(),
            outputs: Vec::new(),
            example: Vec::new(),
        };
        let refused = self
            .hopeless
            .clone()
            .or_else(|| obstacle(self.model, &nodes));
        let refused = refused.or_else(|| self.refused(region, contents, &nodes));
        let volatile = Lost::new(self.model, region.start.reason, contents.volatile.as_ref());
        let refused = refused.or_else(|| match &volatile {
            // Handlers go on from what volatile memory holds.
            Ok(lost) if !lost.is_nothing() && !self.question.handlers.is_empty() => {
                Some("volatile state of handlers that is not restored".to_owned())
            }
            _ => None,
        });
        let (volatile, refused) = match (volatile, refused) {
            (Ok(volatile), None) => (volatile, None),
            (Ok(_), Some(what)) | (Err(what), _) => (Lost::nothing(self.model), Some(what)),
        };
        if let Some(what) = refused {
            proved.open = Some(open(&left, None, Why::Unsupported(what)));
            return proved;
        }
        let lost = self.lost(region, &volatile);
        let used = volatile.values.len();
        proved.obligations += lost.count_ones(..) + used;
        let settled = left.is_clear() && open_outputs == 0 && lost.is_clear() && used == 0;
        if settled && !dataflow::reads_unnoticed(self.model, &nodes) {
            return proved;
        }
        left.union_with(&lost);
        let Some(solver) = solver else {
            proved.open = Some(open(&left, None, Why::NoSolver));
            return proved;
        };
        let known = self.known(region, saved, &nodes, &volatile);
        let task = region::Region {
            model: self.model,
            question: self.question,
            start: region.start,
            saved,
            lost: &volatile,
            liveness: &self.liveness,
            known: &known,
        };
        match task.prove(solver) {
            Ok(true) => {}
            // What is executed is the same, whatever the state is.
            Ok(false) => proved.dataflow = proved.obligations,
            Err(unproved) => {
                proved.open = Some(Open {
                    outputs: outputs_of(self.model, self.question, &unproved.shown, &nodes),
                    shown: unproved.shown,
                    example: unproved.example,
                    ..open(&left, unproved.failure, unproved.why)
                });
            }
        }
        proved
    }

    /// What memory holds when a region starts, in all attempts alike: a power failure leaves it so where
    /// nobody writes it meanwhile, and puts back what is saved.
    fn known(
        &self,
        region: &Region,
        saved: &Cells,
        nodes: &[u32],
        volatile: &Lost,
    ) -> BTreeMap<Object, Vec<Fact>> {
        let model = self.model;
        let is_checkpoint = matches!(region.start.reason, Reason::Checkpoint(_));
        if !is_checkpoint || self.question.volatile != Volatile::Restored {
            return BTreeMap::new();
        }
        let none = Cells::with_capacity(model.accesses.cells.len());
        let (mut reads, mut changed) = (none.clone(), none);
        for node in nodes {
            touched(model, *node, &mut reads, &mut changed);
        }
        // What is volatile is restored with the checkpoint, unless it is lost.
        changed.intersect_with(&model.nonvolatile);
        changed.difference_with(saved);
        changed.union_with(&volatile.cells);
        changed.union_with(&self.excluded);
        self.known.lasting(model, region.start.node, &changed)
    }

    /// The nodes of a region.
    fn nodes(&self, region: &Region) -> Vec<u32> {
        self.model
            .flow
            .graph
            .reach(&[region.start.node], |to| to != END)
    }

    /// The cells that the sets do not settle.
    fn left(&self, region: &Region, saved: &Cells) -> Cells {
        let mut left = region.war.clone();
        left.union_with(&region.exclusive(self.model));
        left.intersect_with(&self.model.nonvolatile);
        left.difference_with(saved);
        let wanted = self.wanted(region);
        let dead: Vec<usize> = left
            .ones()
            .filter(|cell| !region.exposed.contains(*cell) && !wanted.contains(*cell))
            .collect();
        dead.into_iter().for_each(|cell| left.remove(cell));
        left
    }

    /// What somebody may read after the region.
    fn wanted(&self, region: &Region) -> Cells {
        let model = self.model;
        let cyclic = model.flow.graph.cyclic();
        let mut wanted = Cells::with_capacity(model.accesses.cells.len());
        for node in self.nodes(region) {
            let last = model
                .steps(node)
                .last()
                .map(|(site, _)| Reason::Checkpoint(site));
            let commit = last.and_then(|reason| self.liveness.commits.get(&reason));
            match commit {
                Some(alive) => wanted.union_with(alive),
                None if model.flow.graph.successors(node).contains(&END) => {
                    wanted.union_with(&self.liveness.end);
                }
                // It stops there for good.
                None if cyclic[node as usize] && !model.flow.ends[node as usize] => {
                    wanted.union_with(&self.liveness.end);
                }
                None => {}
            }
        }
        wanted
    }

    /// What a reboot takes away, and somebody wants: volatile memory of tasks, what checkpoints do not
    /// restore, and what may differ anyway.
    fn lost(&self, region: &Region, volatile: &Lost) -> Cells {
        let mut lost = self.excluded.clone();
        lost.intersect_with(&region.exposed);
        if !volatile.cells.is_clear() {
            let mut used = region.exposed.clone();
            used.union_with(&self.wanted(region));
            used.intersect_with(&volatile.cells);
            lost.union_with(&used);
        }
        if self.question.volatile == Volatile::Initialised {
            let mut used = region.exposed.clone();
            used.union_with(&self.wanted(region));
            used.intersect_with(&self.written);
            lost.union_with(&used);
        }
        lost
    }

    /// An output that is given a pointer to memory that can change: what the world sees of it is not
    /// followed.
    fn given_memory(&self, nodes: &[u32]) -> Option<&str> {
        let model = self.model;
        for (site, inst) in nodes.iter().flat_map(|node| model.steps(*node)) {
            let Op::Call {
                callee: Callee::Direct(func),
                args,
                ..
            } = &inst.op
            else {
                continue;
            };
            let Some(output) = self.question.outputs.get(func) else {
                continue;
            };
            let changes = |kind: Kind| match kind {
                Kind::Code(_) => false,
                Kind::Global(global) => !model.program.globals[global].constant,
                _ => true,
            };
            let objects = &model.points_to.objects;
            // Numbers are no addresses.
            let is_number = |arg: &Operand| match arg {
                Operand::Value(value) => {
                    let body = model.contexts.body(site.instance);
                    body.is_some_and(|body| body.values[*value] != Type::Ptr)
                }
                Operand::Bits(_) => true,
                _ => false,
            };
            let pointers = args.iter().filter(|arg| !is_number(arg));
            let mut targets = pointers.flat_map(|arg| model.points_to.of(site.instance, *arg));
            if targets.any(|target| changes(objects.data(target.object).kind)) {
                return Some(&output.name);
            }
        }
        None
    }

    /// What makes a region one that the proof does not apply to.
    fn refused(&self, region: &Region, contents: &Contents, nodes: &[u32]) -> Option<String> {
        let model = self.model;
        if self.question.volatile == Volatile::StartedOver && is_endless(model, nodes) {
            return Some("a program without an end under policy `restart`".to_owned());
        }
        if let Some(name) = self.given_memory(nodes) {
            return Some(format!("output `{name}` is given memory"));
        }
        // Return addresses and registers that calls keep there are no cells.
        if model.setting.stack && !contents.stack {
            return Some("the stack is in non-volatile memory".to_owned());
        }
        let tasks = model.setting.boundaries == Boundaries::Tasks;
        if let Reason::Checkpoint(site) = region.start.reason
            && tasks
            && !is_start_of_task(model, site)
        {
            // After a power failure the task itself starts again, not the code after the commit.
            let none = Cells::with_capacity(model.accesses.cells.len());
            let (mut reads, mut writes) = (none.clone(), none);
            nodes
                .iter()
                .for_each(|node| touched(model, *node, &mut reads, &mut writes));
            if !writes.is_clear() || !outputs(model, self.question, nodes).is_empty() {
                return Some("code after the transition of a task".to_owned());
            }
        }
        None
    }

    fn assumptions(&self) -> Vec<String> {
        let mut all = vec![
            "without power failures the program neither faults nor leaves its objects".to_owned(),
            "loops end, and power lasts long enough to get from one commit to the next".to_owned(),
            "peripherals keep their setting or are set up again, and readings may be old"
                .to_owned(),
        ];
        let outputs = self
            .question
            .outputs
            .values()
            .chain(self.question.registers.values());
        for output in outputs {
            let name = &output.name;
            match output.effect {
                Effect::Repeatable => all.push(format!("output `{name}` may be repeated")),
                Effect::Absolute => {
                    all.push(format!("output `{name}` replaces what it did before"))
                }
                Effect::Relative | Effect::AtMostOnce | Effect::Changes(_) | Effect::Unknown => {}
            }
        }
        let given = self.question.inputs.values();
        for given in given.chain(self.question.input_registers.values()) {
            all.push(format!("input `{}` gives {}", given.name, given.values));
        }
        let idle = self.question.idle.iter();
        all.extend(idle.map(|name| format!("nobody calls `{name}`")));
        all.extend(brownout_flow::assumptions::assumptions(self.model));
        if dataflow::prints(self.model) {
            all.push("printed text may be repeated".to_owned());
        }
        let ignored = ignored_registers(self.model, self.question);
        if !ignored.is_empty() {
            let names: Vec<&str> = ignored.iter().map(String::as_str).collect();
            let names = names.join(", ");
            all.push(format!("what is written to {names} is not looked at"));
        }
        if dataflow::has_registers_at_addresses(self.model) {
            all.push(
                "volatile accesses at fixed addresses are those of device registers".to_owned(),
            );
        }
        for &global in &self.question.excluded {
            let data = &self.model.program.globals[global];
            let name = data.variable.as_ref().unwrap_or(&data.name);
            all.push(format!("`{name}` may differ"));
        }
        all.dedup();
        all
    }
}

/// Whether a commit is that with which a task starts.
fn is_start_of_task(model: &Model<'_>, site: Site) -> bool {
    let body = model.contexts.body(site.instance);
    model.setting.tasks.contains(&model.func(site.instance))
        && body.is_some_and(|body| site.at.block == body.entry())
        && site.at.index == 0
}

/// Whether a region has a place from which no end of the program can be reached: neither a return
/// nor an exit, nor a place after which nothing happens any more.
fn is_endless(model: &Model<'_>, nodes: &[u32]) -> bool {
    let is_end = |node: u32| {
        let exits = model.steps(node).last().is_some_and(|(_, inst)| {
            let exit = Service::Exit;
            matches!(inst.op, Op::Service { service, .. } if service == exit)
                || dataflow::dies(model, &inst.op)
        });
        let returns = model.terminator(node).is_some_and(|(site, terminator)| {
            matches!(terminator, Terminator::Return(_))
                && model.contexts.roots.contains(&site.instance)
        });
        exits || returns || !model.flow.ends[node as usize]
    };
    let mut preceding: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for &node in nodes {
        for &next in model.flow.graph.successors(node) {
            preceding.entry(next).or_default().push(node);
        }
    }
    let mut open: Vec<u32> = nodes.iter().copied().filter(|node| is_end(*node)).collect();
    let mut ending: BTreeSet<u32> = open.iter().copied().collect();
    while let Some(node) = open.pop() {
        for &before in preceding.get(&node).into_iter().flatten() {
            if ending.insert(before) {
                open.push(before);
            }
        }
    }
    nodes.iter().any(|node| !ending.contains(node))
}

/// A function that commits, and does more than that: its body is not followed.
fn busy_checkpoint(model: &Model<'_>) -> Option<String> {
    let roles = model.setting.roles.iter();
    let mut checkpoints = roles.filter(|(_, role)| **role == Role::Checkpoint);
    let busy = checkpoints.find(|(func, _)| {
        let body = model.program.functions[**func].body.as_ref();
        let mut insts = body
            .into_iter()
            .flat_map(|body| body.blocks.values())
            .flat_map(|block| &block.insts);
        insts.any(|inst| match &inst.op {
            Op::Store { address, .. } => !matches!(address, Operand::Slot(..)),
            Op::Copy { .. } | Op::Fill { .. } | Op::Call { .. } | Op::Service { .. } => true,
            _ => false,
        })
    });
    let name = &model.program.functions[*busy?.0].name;
    Some(format!("`{name}` commits, and does more than that"))
}

/// Why nothing can be proved of a program.
fn hopeless(model: &Model<'_>, question: &Question) -> Option<String> {
    let program = model.program;
    if question.refused.is_some() {
        return question.refused.clone();
    }
    if let Some(why) = busy_checkpoint(model) {
        return Some(why);
    }
    if !program.constructors.is_empty() || !program.destructors.is_empty() {
        return Some("code before or after the entry".to_owned());
    }
    if model.contexts.instances.is_empty() {
        return Some("a program without code".to_owned());
    }
    if model.setting.commits == Commits::Anywhere
        && let Some(why) = anywhere(model)
    {
        return Some(why);
    }
    handlers::obstacle(model, question)
}

/// Under the reactive policy a checkpoint may sit before every instruction: nothing that is read may
/// be written anywhere.
fn anywhere(model: &Model<'_>) -> Option<String> {
    let none = Cells::with_capacity(model.accesses.cells.len());
    let (mut reads, mut writes) = (none.clone(), none);
    for node in 0..model.flow.nodes.len() as u32 {
        touched(model, node, &mut reads, &mut writes);
    }
    writes.intersect_with(&model.nonvolatile);
    reads.intersect_with(&writes);
    match reads.ones().next() {
        Some(cell) => {
            let name = model.object(cell as u32).name;
            Some(format!(
                "`{name}` is read and written, and checkpoints can be anywhere"
            ))
        }
        None => None,
    }
}
