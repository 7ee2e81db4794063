//! What the attempt after a power failure puts right by itself, although something is read and then overwritten.
//!
//! Property: if what is reported besides is restored, power failures after the writes of a settled cell do no harm
//! (semantics §2): the attempt after the failure leaves what the continuous execution leaves, which is given the
//! readings of that attempt and, where it did not ask, those of the failed one.
//!
//! Two things settle a cell:
//! * **Updates** ([`crate::updates`]): every write of it is an update of one lattice, or overwrites it, and no input
//!   decides about any of them. Then the reads of these updates do not count; a cell that no other read
//!   exposes before a write is settled.
//! * **A guard**: a branch on the cell alone, which the write makes go the other way (`if (!ready) { …;
//!   ready = 1; }`). A failure after the write finds everything done that the side does: the write is the last thing
//!   that it does, the other side does nothing, both go on alike, nothing that the side writes is written
//!   or restored on the way to the branch in the next attempt, and no input is read on that way. What inputs decide
//!   on the side is not decided again then: branches there do not decide about the cell.
//!
//! False positives: guards with another way of doing the work on their other side; those around something that has
//! to be saved itself.

use brownout_ir::{Id, IntBinary, Op, Operand, Terminator, Value, eval};
use fixedbitset::FixedBitSet;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::accesses::Touch;
use crate::contexts::Site;
use crate::fixpoint::{Analysis, Forward, solve};
use crate::model::Model;
use crate::objects::Kind;
use crate::patience::Stopped;
use crate::regions::{Decision, Pair, Stray};
use crate::rereads::{definitions, is_same};
use crate::sets::{Cells, Since, SinceStart};
use crate::setting::{Commits, Entries};
use crate::supergraph::END;
use crate::taint::Taint;
use crate::updates::{Lattice, is_quiet};

/// What is known of a region when it is asked what settles itself.
pub(crate) struct Suspected<'s> {
    pub(crate) model: &'s Model<'s>,
    pub(crate) start: u32,
    pub(crate) nodes: &'s [u32],
    pub(crate) taint: &'s Taint,
    pub(crate) saved: &'s Cells,
    pub(crate) war: &'s Cells,
    pub(crate) pairs: &'s [Pair],
    pub(crate) decisions: &'s [Decision],
    pub(crate) strays: &'s [Stray],
}

/// What settles itself.
pub(crate) struct Settled {
    /// The cells of which reads before writes do no harm.
    pub(crate) cells: Cells,
    /// For cells with a guard, the nodes in which branches do not decide about them.
    pub(crate) guarded: Vec<(u32, Vec<u32>)>,
}

impl Suspected<'_> {
    pub(crate) fn settled(&self) -> Result<Settled, Stopped> {
        let mut settled = Settled {
            cells: self.updated()?,
            guarded: Vec::new(),
        };
        let setting = self.model.setting;
        let is_committed = setting.commits == Commits::Always
            || setting.commits == Commits::Never && matches!(setting.entries, Entries::Library(_));
        if is_committed {
            settled.guarded = self.guarded(&settled.cells);
            let cells = settled.guarded.iter().map(|(cell, _)| *cell as usize);
            settled.cells.extend(cells.collect::<Vec<_>>());
        }
        Ok(settled)
    }

    fn none(&self) -> Cells {
        Cells::with_capacity(self.model.accesses.cells.len())
    }

    /// Every write of the region.
    fn writes(&self) -> impl Iterator<Item = (Site, &Touch)> {
        let steps = self.nodes.iter().flat_map(|&node| self.model.steps(node));
        steps.flat_map(|(site, _)| {
            let effects = self.model.effects(site);
            let writes = effects.map_or(&[][..], |effects| &effects.writes);
            writes.iter().map(move |touch| (site, touch))
        })
    }

    /// The cells that only updates read before they are written.
    fn updated(&self) -> Result<Cells, Stopped> {
        let model = self.model;
        let stores: FxHashMap<Site, Lattice> = model
            .updates
            .values()
            .copied()
            .filter(|(store, _)| !self.taint.writes.contains_key(store))
            .collect();
        let mut eligible = self.none();
        if stores.is_empty() || model.setting.commits == Commits::Anywhere {
            return Ok(eligible);
        }
        for (site, touch) in self.writes() {
            if stores.contains_key(&site) {
                let cells = touch.cells.clone().map(|cell| cell as usize);
                eligible.extend(cells.filter(|&cell| self.war.contains(cell)));
            }
        }
        if eligible.is_clear() {
            return Ok(eligible);
        }
        let lattices = self.lattices(&stores);
        for (site, touch) in self.writes() {
            let is_tainted = self.taint.writes.contains_key(&site);
            for cell in touch.cells.clone() {
                let fits = match lattices.get(&cell) {
                    None | Some(None) => false,
                    Some(Some((Lattice::Bits, _))) => true,
                    // An order is that of the whole number: nobody may write a part of it, nor a power
                    // failure leave one.
                    Some(Some((_, whole))) => {
                        touch.sure
                            && !self.can_be_torn(touch)
                            && touch.cells.start <= whole.cells.start
                            && whole.cells.end <= touch.cells.end
                            && !model.accesses.changed.contains_key(&site)
                    }
                };
                if is_tainted || !fits {
                    eligible.set(cell as usize, false);
                }
            }
        }
        let again = WithUpdates {
            model,
            stores: &stores,
            eligible: &eligible,
        };
        let nothing = Since {
            written: self.none(),
            exposed: self.none(),
        };
        let start = [(self.start, nothing)];
        let since = solve(&model.flow.graph, &start, &again, model.setting.interrupt)?;
        let mut war = self.none();
        for &node in self.nodes {
            let Some(mut state) = since.entering(node).cloned() else {
                continue;
            };
            for (site, _) in model.steps(node) {
                // The result of an update is used after it.
                let before = stores.contains_key(&site).then(|| state.exposed.clone());
                again.step(site, &mut state);
                let exposed = before.as_ref().unwrap_or(&state.exposed);
                for touch in model.effects(site).map_or(&[][..], |it| &it.writes) {
                    let cells = touch.cells.clone().map(|cell| cell as usize);
                    war.extend(cells.filter(|&cell| exposed.contains(cell)));
                }
            }
        }
        eligible.difference_with(&war);
        Ok(eligible)
    }

    /// Whether a power failure can leave a part of what is written.
    fn can_be_torn(&self, touch: &Touch) -> bool {
        let cells =
            &self.model.accesses.cells[touch.cells.start as usize..touch.cells.end as usize];
        let bytes: i64 = cells.iter().map(|cell| cell.end - cell.start).sum();
        let unit = self.model.setting.atomic_write;
        unit.is_some_and(|unit| bytes > i64::from(unit))
    }

    /// For each cell that updates write, their lattice and what they touch, if that is the same for all.
    fn lattices(
        &self,
        stores: &FxHashMap<Site, Lattice>,
    ) -> FxHashMap<u32, Option<(Lattice, Touch)>> {
        let mut found: FxHashMap<u32, Option<(Lattice, Touch)>> = FxHashMap::default();
        for (site, touch) in self.writes() {
            let Some(&lattice) = stores.get(&site) else {
                continue;
            };
            for cell in touch.cells.clone() {
                let known = found
                    .entry(cell)
                    .or_insert_with(|| Some((lattice, touch.clone())));
                let is_same = known.as_ref().is_some_and(|(other, whole)| {
                    *other == lattice && (lattice == Lattice::Bits || whole == touch)
                });
                if !is_same || lattice != Lattice::Bits && !touch.sure {
                    *known = None;
                }
            }
        }
        found
    }

    /// The cells whose guards settle them, with the nodes of the guarded side.
    fn guarded(&self, settled: &Cells) -> Vec<(u32, Vec<u32>)> {
        let mut left = self.war.clone();
        for decision in self.decisions {
            left.union_with(&decision.exclusive);
        }
        for stray in self.strays {
            left.union_with(&stray.cells);
        }
        left.difference_with(settled);
        left.union_with(self.saved);
        let mut found: Vec<(u32, Vec<u32>)> = Vec::new();
        let cells: FxHashSet<u32> = self.pairs.iter().map(|pair| pair.cell).collect();
        let mut cells: Vec<u32> = cells.into_iter().collect();
        cells.sort_unstable();
        for cell in cells {
            if settled.contains(cell as usize) {
                continue;
            }
            let pairs = self.pairs.iter().filter(|pair| pair.cell == cell);
            let sides: Option<Vec<Vec<u32>>> =
                pairs.map(|pair| self.guarded_side(pair, &left)).collect();
            let Some(sides) = sides else { continue };
            let mut side: Vec<u32> = sides.into_iter().flatten().collect();
            side.sort_unstable();
            side.dedup();
            let decides = |decision: &Decision| {
                decision.exclusive.contains(cell as usize)
                    && side.binary_search(&decision.node).is_err()
            };
            let mut strays = self.strays.iter();
            let is_stray = strays.any(|stray| stray.cells.contains(cell as usize));
            if !is_stray && !self.decisions.iter().any(decides) {
                found.push((cell, side));
            }
        }
        found
    }

    /// The nodes of the side of a guard that a pair settles, if it is one.
    fn guarded_side(&self, pair: &Pair, left: &Cells) -> Option<Vec<u32>> {
        let model = self.model;
        let flow = &model.flow;
        let instance = pair.read.instance;
        let guard = self.node(pair.read)?;
        let written = self.node(pair.write)?;
        let is_decided = self.taint.branches.iter().any(|(node, _)| *node == guard);
        let then = self.made_of(pair).filter(|_| !is_decided)?;
        let (
            _,
            Terminator::Branch {
                then: t, otherwise, ..
            },
        ) = model.terminator(guard)?
        else {
            return None;
        };
        let (work, rest) = match then {
            true => (otherwise, t),
            false => (t, otherwise),
        };
        let successors = flow.graph.successors(guard);
        let node = |edge: &brownout_ir::Edge| {
            let first = flow.first(instance, edge.block)?;
            successors.contains(&first).then_some(first)
        };
        let (work, rest_node) = (node(work)?, node(rest)?);
        let meet = flow.post_dominators[guard as usize]?;
        let side = flow.ways(&[work], guard);
        let other = flow.ways(&[rest_node], guard);
        if side.binary_search(&written).is_err() || other.iter().any(|node| side.contains(node)) {
            return None;
        }
        // The way to the branch, which the next attempt takes again.
        let before = self.before(guard);
        if before.contains(written as usize) {
            return None;
        }
        let way: Vec<u32> = before.ones().map(|node| node as u32).collect();
        let after = self.after(pair.write, written, meet)?;
        let is_silent = other.iter().all(|&node| self.is_silent(node, 0))
            && after.iter().all(|&node| self.is_silent(node, 0));
        let mut steps = way.iter().flat_map(|&node| model.steps(node));
        let reads_inputs = steps.any(|(site, _)| model.accesses.inputs.contains(&site));
        if !is_silent || reads_inputs || self.is_read_besides(pair, &way, &side) {
            return None;
        }
        let (kept, lost) = self.written(&side);
        let (again, _) = self.written(&way);
        let mut endangered = kept.clone();
        endangered.set(pair.cell as usize, false);
        if !again.is_disjoint(&kept) || !left.is_disjoint(&endangered) {
            return None;
        }
        let mut lost = lost;
        lost.union_with(&self.written(&other).1);
        let later = match meet {
            END => Vec::new(),
            meet => flow.graph.reach(&[meet], |to| to != END),
        };
        let is_missed = later.iter().any(|&node| self.reads(node, &lost));
        let mut ends = after;
        ends.push(written);
        let mut others = other;
        others.push(guard);
        let goes_on_alike = self.passes_alike(&ends, &others, meet, pair.read);
        (!is_missed && goes_on_alike).then_some(side)
    }

    /// Which way a branch goes after the write of a pair, if it depends on the cell that is written and on
    /// nothing else, and nothing but the branch reads the cell for it.
    fn made_of(&self, pair: &Pair) -> Option<bool> {
        let model = self.model;
        let body = model.contexts.body(pair.read.instance)?;
        let (load, store) = (model.inst(pair.read)?, model.inst(pair.write)?);
        let Op::Load { ty, .. } = load.op else {
            return None;
        };
        let Op::Store {
            ty: stored, value, ..
        } = store.op
        else {
            return None;
        };
        let (read, write) = (model.effects(pair.read)?, model.effects(pair.write)?);
        let ([read], [write]) = (&read.reads[..], &write.writes[..]) else {
            return None;
        };
        let is_exact = read == write && read.sure && ty == stored && read.cells.len() == 1;
        // A power failure in the middle of the write may make the branch go the other way, too.
        if !is_exact || self.can_be_torn(write) || model.accesses.changed.contains_key(&pair.write)
        {
            return None;
        }
        let &loaded = load.results.first()?;
        let data = &body.blocks[pair.read.at.block];
        let Terminator::Branch { condition, .. } = &data.terminator else {
            return None;
        };
        let expression = Expression {
            model,
            definitions: definitions(body),
            loaded,
            stored: value,
            is_same_body: pair.read.instance == pair.write.instance,
        };
        let mut uses: FxHashMap<Value, usize> = FxHashMap::default();
        let mut count = |operand: Operand| {
            if let Operand::Value(value) = operand {
                *uses.entry(value).or_default() += 1;
            }
        };
        for data in body.blocks.values() {
            for inst in &data.insts {
                let target = &model.program.target;
                inst.op.visit_operands(target, |operand, _| count(operand));
            }
            data.terminator.visit_operands(&mut count);
        }
        let value = expression.value(*condition, 0)?;
        // Neither what was loaded nor what is made of it is used for anything else.
        let is_alone = expression.depends(*condition, 0) && expression.is_alone(*condition, &uses);
        is_alone.then_some(value & 1 == 1)
    }

    /// The node that an instruction is in.
    fn node(&self, site: Site) -> Option<u32> {
        let mut nodes = self.nodes.iter().copied();
        nodes.find(|&node| {
            let data = self.model.node(node);
            data.instance == Some(site.instance)
                && data.filled.is_empty()
                && data.block == site.at.block
                && (data.first..data.last).contains(&site.at.index)
        })
    }

    /// The nodes of the region from which a node can be reached, and that node.
    fn before(&self, node: u32) -> FixedBitSet {
        let graph = &self.model.flow.graph;
        let mut inside = FixedBitSet::with_capacity(graph.len());
        inside.extend(self.nodes.iter().map(|&node| node as usize));
        let mut found = FixedBitSet::with_capacity(graph.len());
        found.insert(node as usize);
        let mut open = vec![node];
        while let Some(at) = open.pop() {
            for &from in graph.predecessors(at) {
                if inside.contains(from as usize) && !found.put(from as usize) {
                    open.push(from);
                }
            }
        }
        found
    }

    /// The nodes between a write and where the ways meet, if nothing happens in the rest of its own node and the
    /// write does not come again.
    fn after(&self, write: Site, written: u32, meet: u32) -> Option<Vec<u32>> {
        let is_rest_silent = self.is_silent(written, write.at.index + 1);
        let graph = &self.model.flow.graph;
        let next = graph.successors(written).iter().copied();
        let next: Vec<u32> = next.filter(|&to| to != meet && to != END).collect();
        let found = graph.reach(&next, |to| to != meet && to != END);
        (is_rest_silent && !found.contains(&written)).then_some(found)
    }

    /// Whether a node does nothing from an instruction on that anybody could notice later: it writes locals at most.
    fn is_silent(&self, node: u32, from: u32) -> bool {
        let model = self.model;
        let is_local = |touch: &Touch| {
            touch.cells.clone().all(|cell| {
                let object = model.accesses.cells[cell as usize].object;
                let is_slot = matches!(model.points_to.objects.data(object).kind, Kind::Slot(..));
                is_slot && !model.nonvolatile.contains(cell as usize)
            })
        };
        let data = model.node(node);
        data.filled.is_empty()
            && model
                .steps(node)
                .filter(|(site, _)| site.at.index >= from)
                .all(|(site, inst)| match &inst.op {
                    Op::Load { .. } => !model.accesses.inputs.contains(&site),
                    Op::Store { .. } => model
                        .effects(site)
                        .is_some_and(|effects| effects.writes.iter().all(is_local)),
                    op => is_quiet(op),
                })
    }

    /// Whether anybody but a guard reads its cell on the way to it or on its side.
    fn is_read_besides(&self, pair: &Pair, way: &[u32], side: &[u32]) -> bool {
        let nodes = way.iter().chain(side);
        nodes
            .flat_map(|&node| self.model.steps(node))
            .any(|(site, _)| {
                let reads = self.model.effects(site).map_or(&[][..], |it| &it.reads);
                site != pair.read && reads.iter().any(|touch| touch.cells.contains(&pair.cell))
            })
    }

    /// What nodes may write: what keeps its contents, and what does not.
    fn written(&self, nodes: &[u32]) -> (Cells, Cells) {
        let mut all = self.none();
        for &node in nodes {
            let filled = self.model.node(node).filled.iter();
            let sites = self.model.steps(node).map(|(site, _)| site);
            let effects = sites.filter_map(|site| self.model.effects(site));
            for touch in effects.flat_map(|effects| &effects.writes).chain(filled) {
                all.insert_range(touch.cells.start as usize..touch.cells.end as usize);
            }
        }
        let mut kept = all.clone();
        kept.intersect_with(&self.model.nonvolatile);
        all.difference_with(&self.model.nonvolatile);
        (kept, all)
    }

    fn reads(&self, node: u32, cells: &Cells) -> bool {
        let mut sites = self.model.steps(node).map(|(site, _)| site);
        sites.any(|site| {
            let reads = self.model.effects(site).map_or(&[][..], |it| &it.reads);
            let mut touched = reads.iter().flat_map(|touch| touch.cells.clone());
            touched.any(|cell| cells.contains(cell as usize))
        })
    }

    /// Whether two sets of nodes hand the same values on to where the ways meet, or to a caller.
    fn passes_alike(&self, ends: &[u32], others: &[u32], meet: u32, guard: Site) -> bool {
        let model = self.model;
        let flow = &model.flow;
        let mut given: Option<Vec<Operand>> = None;
        for &node in ends.iter().chain(others) {
            if !flow.graph.successors(node).contains(&meet) {
                continue;
            }
            let is_own = model.node(node).instance == Some(guard.instance);
            let Some((_, terminator)) = model.terminator(node).filter(|_| is_own) else {
                return false;
            };
            let handed: Vec<Vec<Operand>> = match (terminator, meet) {
                (Terminator::Return(values), END) => vec![values.clone()],
                (Terminator::Jump(_) | Terminator::Branch { .. }, meet) if meet != END => {
                    let edges = terminator.edges().into_iter();
                    edges
                        .filter(|edge| flow.first(guard.instance, edge.block) == Some(meet))
                        .map(|edge| edge.args.clone())
                        .collect()
                }
                _ => return false,
            };
            if handed.is_empty() {
                return false;
            }
            for args in handed {
                if given.get_or_insert_with(|| args.clone()) != &args {
                    return false;
                }
            }
        }
        given.is_some()
    }
}

/// How many operations deep a condition is looked into.
const DEPTH: u32 = 8;

/// A condition on what was loaded, with what is stored later in its place.
struct Expression<'e> {
    model: &'e Model<'e>,
    definitions: Vec<Option<&'e Op>>,
    loaded: Value,
    stored: Operand,
    is_same_body: bool,
}

impl Expression<'_> {
    fn definition(&self, operand: Operand) -> Option<&Op> {
        self.definitions[operand.value()?.index()]
    }

    /// Whether an operand is made of what was loaded.
    fn depends(&self, operand: Operand, depth: u32) -> bool {
        if operand == self.loaded.into() {
            return true;
        }
        let again = |operand: Operand| depth < DEPTH && self.depends(operand, depth + 1);
        match self.definition(operand) {
            Some(Op::Cast { a, .. }) => again(*a),
            Some(Op::IntBinary { a, b, .. } | Op::IntCompare { a, b, .. }) => {
                again(*a) || again(*b)
            }
            _ => false,
        }
    }

    /// Whether everything in a condition that is made of what was loaded is used once.
    fn is_alone(&self, operand: Operand, uses: &FxHashMap<Value, usize>) -> bool {
        if !self.depends(operand, 0) {
            return true;
        }
        let count = operand.value().and_then(|value| uses.get(&value));
        count == Some(&1)
            && match self.definition(operand) {
                Some(Op::Cast { a, .. }) => self.is_alone(*a, uses),
                Some(Op::IntBinary { a, b, .. } | Op::IntCompare { a, b, .. }) => {
                    self.is_alone(*a, uses) && self.is_alone(*b, uses)
                }
                _ => true,
            }
    }

    /// The value of an operand after the store.
    fn value(&self, operand: Operand, depth: u32) -> Option<u128> {
        if operand == self.loaded.into() {
            return match self.stored {
                Operand::Bits(bits) => Some(bits),
                _ => None,
            };
        }
        if let Operand::Bits(bits) = operand {
            return Some(bits);
        }
        if depth == DEPTH {
            return None;
        }
        let bits = |ty: brownout_ir::Type| ty.bits(&self.model.program.target);
        let value = |operand: Operand| self.value(operand, depth + 1);
        match *self.definition(operand)? {
            Op::Cast { op, from, to, a } => {
                Some(eval::cast(op, from, bits(from), to, bits(to), value(a)?))
            }
            Op::IntBinary {
                op: op @ (IntBinary::And | IntBinary::Or | IntBinary::Xor),
                ty,
                a,
                b,
            } => eval::wide::binary(op, bits(ty), value(a)?, value(b)?).ok(),
            Op::IntCompare { op, ty, a, b } => {
                if let (Some(a), Some(b)) = (value(a), value(b)) {
                    return Some(eval::wide::compare(op, bits(ty), a, b).into());
                }
                // What is compared with itself.
                let is_it = self.is_stored(a, b) || self.is_stored(b, a);
                is_it.then(|| eval::wide::compare(op, bits(ty), 0, 0).into())
            }
            _ => None,
        }
    }

    /// Whether one operand is what was loaded and the other what is stored, both widened in the same way.
    fn is_stored(&self, loaded: Operand, other: Operand) -> bool {
        if !self.is_same_body {
            return false;
        }
        if loaded == self.loaded.into() {
            return is_same(&self.definitions, other, self.stored);
        }
        match (self.definition(loaded), self.definition(other)) {
            (
                Some(Op::Cast { op, from, to, a }),
                Some(Op::Cast {
                    op: cast,
                    from: narrow,
                    to: wide,
                    a: b,
                }),
            ) => {
                (op, from, to) == (cast, narrow, wide)
                    && *a == self.loaded.into()
                    && is_same(&self.definitions, *b, self.stored)
            }
            _ => false,
        }
    }
}

/// What has happened since the start of a region, if updates neither read nor surely overwrite what they are for.
struct WithUpdates<'m> {
    model: &'m Model<'m>,
    /// The stores of the updates that count.
    stores: &'m FxHashMap<Site, Lattice>,
    /// The cells that they count for.
    eligible: &'m Cells,
}

impl Analysis for WithUpdates<'_> {
    type Direction = Forward;
    type State = Since;

    fn pass(&self, node: u32, state: &mut Since) {
        for touch in &self.model.node(node).filled {
            let cells = touch.cells.clone().filter(|_| touch.sure);
            // What a loop updates is not overwritten.
            let cells = cells.filter(|&cell| !self.eligible.contains(cell as usize));
            state.written.extend(cells.map(|cell| cell as usize));
        }
        for (site, _) in self.model.steps(node) {
            self.step(site, state);
        }
    }
}

impl WithUpdates<'_> {
    fn step(&self, site: Site, state: &mut Since) {
        let Some(effects) = self.model.effects(site) else {
            return;
        };
        let update = self.model.updates.get(&site);
        let is_update = update.is_some_and(|(store, _)| self.stores.contains_key(store));
        for cell in effects.reads.iter().flat_map(|touch| touch.cells.clone()) {
            let is_exposed = match self.eligible.contains(cell as usize) {
                // What an update has written is made of what was there before.
                true => !is_update && !state.written.contains(cell as usize),
                false => SinceStart(self.model).is_exposed(site, cell, state),
            };
            if is_exposed {
                state.exposed.insert(cell as usize);
            }
        }
        let is_store = self.stores.contains_key(&site);
        if is_store && self.model.shown.contains(&site) {
            let cells = effects.writes.iter().flat_map(|touch| touch.cells.clone());
            let seen = cells
                .map(|cell| cell as usize)
                .filter(|&cell| self.eligible.contains(cell) && !state.written.contains(cell));
            state.exposed.extend(seen.collect::<Vec<_>>());
        }
        let sure = effects.writes.iter().filter(|touch| touch.sure);
        for cell in sure.flat_map(|touch| touch.cells.clone()) {
            if !is_store || !self.eligible.contains(cell as usize) {
                state.written.insert(cell as usize);
            }
        }
    }
}
