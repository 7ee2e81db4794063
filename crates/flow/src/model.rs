//! Everything that is known of a program before a question is asked of it.

use std::collections::BTreeSet;

use brownout_ir::source::Place;
use brownout_ir::{Callee, Func, Inst, Op, Operand, Program, Service, Terminator, Type};
use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;

use crate::accesses::{Accesses, Cell, Effects, accesses, is_nonvolatile};
use crate::contexts::{At, Contexts, Instance, Site, Targets, contexts, prepare};
use crate::objects::{Kind, Object};
use crate::patience::Stopped;
use crate::points_to::{PointsTo, points_to};
use crate::rereads::rereads;
use crate::setting::{Saved, Setting};
use crate::supergraph::{Node, Reason, Supergraph, supergraph};
use crate::updates::Lattice;

/// A program, taken apart.
#[derive(Debug)]
pub struct Model<'p> {
    /// The program.
    pub program: &'p Program,
    /// What was told about it.
    pub setting: &'p Setting,
    /// Its functions in their contexts.
    pub contexts: Contexts,
    /// Where its pointers point.
    pub points_to: PointsTo,
    /// What its instructions do to memory.
    pub accesses: Accesses,
    /// Its flow of control.
    pub flow: Supergraph,
    /// The cells that keep their contents when power fails.
    pub nonvolatile: FixedBitSet,
    /// The loads that read what the same attempt has written.
    pub rereads: BTreeSet<Site>,
    /// The loads of updates, with the stores that go with them.
    pub updates: FxHashMap<Site, (Site, Lattice)>,
    /// The stores of updates of which the result is used besides.
    pub shown: BTreeSet<Site>,
}

impl<'p> Model<'p> {
    /// Takes a program apart. Calls through pointers are resolved as pointers become known.
    ///
    /// # Errors
    /// If it is not wanted any more.
    pub fn new(program: &'p Program, setting: &'p Setting) -> Result<Self, Stopped> {
        let mut targets = Targets::new();
        let mut code = prepare(program, setting)?;
        loop {
            let contexts = contexts(program, setting, code, &targets)?;
            let points_to = points_to(program, setting, &contexts)?;
            if !resolve(&contexts, &points_to, program, &mut targets) {
                return Self::assemble(program, setting, contexts, points_to);
            }
            code = contexts.code;
        }
    }

    fn assemble(
        program: &'p Program,
        setting: &'p Setting,
        contexts: Contexts,
        points_to: PointsTo,
    ) -> Result<Self, Stopped> {
        let accesses = accesses(program, setting, &contexts, &points_to)?;
        let flow = supergraph(program, setting, &contexts, &points_to, &accesses)?;
        let rereads = rereads(program, setting, &contexts, &accesses, &flow)?;
        let (mut updates, mut shown) = (FxHashMap::default(), BTreeSet::new());
        for instance in contexts.ids() {
            let found = contexts.body(instance).into_iter();
            for update in found.flat_map(|body| crate::updates::updates(&program.target, body)) {
                let site = |at: At| Site { instance, at };
                updates.insert(site(update.load), (site(update.store), update.lattice));
                shown.extend(update.shown.then(|| site(update.store)));
            }
        }
        let mut nonvolatile = FixedBitSet::with_capacity(accesses.cells.len());
        for (index, cell) in accesses.cells.iter().enumerate() {
            let kind = points_to.objects.data(cell.object).kind;
            nonvolatile.set(index, is_nonvolatile(setting, kind));
        }
        Ok(Self {
            program,
            setting,
            contexts,
            points_to,
            accesses,
            flow,
            nonvolatile,
            rereads,
            updates,
            shown,
        })
    }

    /// A node.
    pub fn node(&self, node: u32) -> &Node {
        &self.flow.nodes[node as usize]
    }

    /// The instructions of a node.
    pub fn steps(&self, node: u32) -> impl Iterator<Item = (Site, &Inst)> {
        let data = self.node(node);
        let body = data
            .instance
            .and_then(|instance| self.contexts.body(instance));
        let insts = body.map_or(&[][..], |body| {
            &body.blocks[data.block].insts[data.first as usize..data.last as usize]
        });
        insts.iter().enumerate().filter_map(|(offset, inst)| {
            let at = At {
                block: data.block,
                index: data.first + offset as u32,
            };
            let instance = data.instance?;
            Some((Site { instance, at }, inst))
        })
    }

    /// The terminator of a node that has one.
    pub fn terminator(&self, node: u32) -> Option<(Site, &Terminator)> {
        let data = self.node(node);
        let instance = data.instance.filter(|_| data.terminates)?;
        let block = &self.contexts.body(instance)?.blocks[data.block];
        let at = At {
            block: data.block,
            index: block.insts.len() as u32,
        };
        Some((Site { instance, at }, &block.terminator))
    }

    /// What an instruction does to memory.
    pub fn effects(&self, site: Site) -> Option<&Effects> {
        self.accesses.of(site)
    }

    /// Whether an instruction calls a function that nothing is known of.
    pub fn is_unknown_call(&self, site: Site) -> bool {
        match self.inst(site).map(|inst| &inst.op) {
            Some(Op::Call {
                callee: Callee::Direct(func),
                ..
            }) => self.accesses.unknown.contains(func),
            _ => false,
        }
    }

    /// For a copy of one exact place to another: which cell goes to which.
    pub fn copied(&self, effects: &Effects) -> Option<Vec<(u32, u32)>> {
        let ([from], [to]) = (&effects.reads[..], &effects.writes[..]) else {
            return None;
        };
        if !from.sure || !to.sure {
            return None;
        }
        let cell = |index: u32| self.accesses.cells[index as usize];
        let (first, start) = (cell(from.cells.start), cell(to.cells.start));
        let by = start.start - first.start;
        let mut pairs = Vec::new();
        for target in to.cells.clone() {
            for source in from.cells.clone() {
                let (source_cell, target_cell) = (cell(source), cell(target));
                let overlaps = source_cell.start + by < target_cell.end
                    && target_cell.start < source_cell.end + by;
                if overlaps {
                    pairs.push((source, target));
                }
            }
        }
        Some(pairs)
    }

    /// What could not be translated, in code that can be reached, each once.
    pub fn gaps(&self) -> impl Iterator<Item = &str> {
        let reached: BTreeSet<(Func, Option<Place>)> = (0..self.flow.nodes.len() as u32)
            .flat_map(|node| self.steps(node))
            .filter(|(_, inst)| {
                matches!(
                    &inst.op,
                    Op::Service {
                        service: Service::Trap,
                        ..
                    }
                )
            })
            .map(|(site, inst)| (self.func(site.instance), inst.place))
            .collect();
        let gaps = self.setting.gaps.iter();
        gaps.filter(move |(at, _)| reached.contains(*at))
            .map(|(_, what)| what.as_str())
    }

    /// The instruction at a site, unless it is a terminator.
    pub fn inst(&self, site: Site) -> Option<&Inst> {
        let body = self.contexts.body(site.instance)?;
        body.blocks[site.at.block].insts.get(site.at.index as usize)
    }

    /// The source place of a site.
    pub fn place(&self, site: Site) -> Option<Place> {
        let body = self.contexts.body(site.instance)?;
        let block = &body.blocks[site.at.block];
        match block.insts.get(site.at.index as usize) {
            Some(inst) => inst.place,
            None => block.place,
        }
    }

    /// The function of an instance.
    pub fn func(&self, instance: Instance) -> Func {
        self.contexts.activation(instance).func
    }

    /// Instances that begin and end no region differ from others by who called them: the
    /// functions from the root to the instance.
    pub fn stack(&self, instance: Instance) -> Vec<Func> {
        let mut stack = vec![self.func(instance)];
        let mut at = instance;
        while let Some(caller) = self.contexts.activation(at).caller {
            at = caller.instance;
            stack.push(self.func(at));
        }
        stack.reverse();
        stack
    }

    /// The cells that are restored when execution goes on there.
    pub fn saved(&self, reason: Reason) -> FixedBitSet {
        let mut saved = FixedBitSet::with_capacity(self.accesses.cells.len());
        // Before the first checkpoint nothing has been saved.
        let Reason::Checkpoint(site) = reason else {
            return saved;
        };
        match &self.setting.saved {
            Saved::Everything => saved.insert_range(..),
            Saved::Globals(globals) => {
                for &global in globals {
                    if let Some(object) = self.points_to.objects.known(Kind::Global(global)) {
                        self.save(&mut saved, object, 0, i64::MAX);
                    }
                }
            }
        }
        for (object, start, end) in self.listed(site) {
            self.save(&mut saved, object, start, end);
        }
        saved
    }

    fn save(&self, saved: &mut FixedBitSet, object: Object, start: i64, end: i64) {
        for index in self.accesses.cells(object, start, end) {
            let Cell {
                start: first,
                end: last,
                ..
            } = self.accesses.cells[index as usize];
            if start <= first && last <= end {
                saved.insert(index as usize);
            }
        }
    }

    /// The objects that a checkpoint names: pairs of an address and a size, stored to a list right
    /// before.
    fn listed(&self, site: Site) -> Vec<(Object, i64, i64)> {
        let Some(body) = self.contexts.body(site.instance) else {
            return vec![];
        };
        let insts = &body.blocks[site.at.block].insts;
        let Some(Op::Service { args, .. }) = insts.get(site.at.index as usize).map(|inst| &inst.op)
        else {
            return vec![];
        };
        let Some(&Operand::Slot(list, _)) = args.first() else {
            return vec![];
        };
        // What a longer list before left behind is not saved.
        let ranges = &self.contexts.activation(site.instance).ranges;
        let bits = self.program.int().bits(&self.program.target);
        let count = args
            .get(1)
            .and_then(|&count| ranges.of(count, bits).single());
        let count = count
            .and_then(|count| usize::try_from(count).ok())
            .unwrap_or(0);
        let mut entries: Vec<(i64, Type, Operand)> = Vec::new();
        for inst in &insts[..site.at.index as usize] {
            if let Op::Store {
                ty,
                address: Operand::Slot(slot, offset),
                value,
                ..
            } = inst.op
                && slot == list
            {
                entries.retain(|(at, ..)| *at != offset);
                entries.push((offset, ty, value));
            }
        }
        entries.sort_unstable_by_key(|(offset, ..)| *offset);
        let pairs = entries
            .windows(2)
            .filter(|pair| pair[0].1 == Type::Ptr && pair[1].1 != Type::Ptr);
        pairs
            .take(count)
            .filter_map(|pair| {
                let targets = self.points_to.of(site.instance, pair[0].2);
                let &[target] = &targets[..] else { return None };
                let ranges = &self.contexts.activation(site.instance).ranges;
                let bits = pair[1].1.bits(&self.program.target);
                let size = i64::try_from(ranges.of(pair[1].2, bits).single()?).ok()?;
                target
                    .is_exact()
                    .then_some((target.object, target.start, target.start + size))
            })
            .collect()
    }
}

/// Adds what calls through pointers can call; whether that is news.
fn resolve(
    contexts: &Contexts,
    points_to: &PointsTo,
    program: &Program,
    targets: &mut Targets,
) -> bool {
    let mut news = false;
    for instance in contexts.ids() {
        let Some(body) = contexts.body(instance) else {
            continue;
        };
        let func = contexts.activation(instance).func;
        for (block, data) in body.blocks.iter() {
            for (index, inst) in data.insts.iter().enumerate() {
                let Op::Call {
                    callee: Callee::Indirect(address),
                    args,
                    ..
                } = &inst.op
                else {
                    continue;
                };
                let at = At {
                    block,
                    index: index as u32,
                };
                for callee in points_to.functions(instance, *address) {
                    // A call with too few arguments is not a call of that function.
                    let function = &program.functions[callee];
                    if function.params.len() <= args.len() + usize::from(function.variadic) {
                        news |= targets.entry((func, at)).or_default().insert(callee);
                    }
                }
            }
        }
    }
    news
}
