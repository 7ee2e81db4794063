//! What goes wrong in a region, and what a checkpoint has to save against it.
//!
//! Property (semantics §3.5, OOPSLA'20 §6–7): for a start `p` of re-execution,
//! * the *WAR set*: non-volatile cells that some path may read before it has surely overwritten
//!   them, and may write later;
//! * the *exclusive may-write set*: over every branch that an input of the region decides, what may
//!   be written between the branch and where its ways meet, without what is surely written from
//!   `p` to the end of the region on every side; plus the objects written through addresses that
//!   an input decides.
//!
//! Writes after the point where the ways meet again are not counted: they happen in every attempt
//! alike. A side that only dies (a failed assertion) asks for nothing, unless the setting takes deaths
//! for ends.
//!
//! False positives: paths that no execution takes; array elements with unknown indices stand for
//! the whole array. False negatives: what `points_to` does not see; code without a body.

use fixedbitset::FixedBitSet;

use crate::contexts::Site;
use crate::fixpoint::{Analysis, Results};
use crate::liveness::Liveness;
use crate::model::Model;
use crate::patience::Stopped;
use crate::sets::{Cells, Since, SinceStart, Until, since, until};
use crate::settled::Suspected;
use crate::supergraph::{END, Start};
use crate::taint::{Taint, taint};

/// A read that may come before a write of the same cell.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Pair {
    /// The cell.
    pub cell: u32,
    /// The write.
    pub write: Site,
    /// The closest read before it.
    pub read: Site,
}

/// A branch that an input decides.
#[derive(Clone, Debug)]
pub struct Decision {
    /// The node that ends with it.
    pub node: u32,
    /// The branch.
    pub site: Site,
    /// From the input to the branch.
    pub path: Vec<Site>,
    /// What may be written on some way, but surely not on every one.
    pub exclusive: Cells,
    /// For each edge of the branch, what may be written on its way.
    pub sides: Vec<Cells>,
    /// A write of each cell on some way.
    pub writes: Vec<(u32, Site)>,
    /// Of `exclusive`, what the attempt after the write does not decide about again.
    pub settled: Cells,
}

/// A write to an address that an input decides.
#[derive(Clone, Debug)]
pub struct Stray {
    /// The write.
    pub site: Site,
    /// From the input to the write.
    pub path: Vec<Site>,
    /// What it may write.
    pub cells: Cells,
}

/// Everything about one start.
#[derive(Debug)]
pub struct Region {
    /// Where re-execution starts.
    pub start: Start,
    /// What is restored then.
    pub saved: Cells,
    /// The WAR set.
    pub war: Cells,
    /// Its reads and writes, for cells that are not saved and do not settle themselves.
    pub pairs: Vec<Pair>,
    /// The branches that inputs decide.
    pub decisions: Vec<Decision>,
    /// The writes to addresses that inputs decide.
    pub strays: Vec<Stray>,
    /// What may be read before it is surely overwritten.
    pub exposed: Cells,
    /// What may be written.
    pub may_write: Cells,
    /// What is surely written.
    pub must_write: Cells,
    /// What depends on inputs.
    pub taint: Taint,
}

impl Region {
    /// The part of ω that repeated inputs ask for.
    pub fn exclusive(&self, model: &Model<'_>) -> Cells {
        let mut all = FixedBitSet::with_capacity(model.accesses.cells.len());
        self.decisions
            .iter()
            .for_each(|decision| all.union_with(&decision.exclusive));
        self.strays
            .iter()
            .for_each(|stray| all.union_with(&stray.cells));
        all
    }
}

/// Analyses every region.
///
/// # Errors
/// If that is not wanted any more.
pub fn regions(model: &Model<'_>) -> Result<Vec<Region>, Stopped> {
    let until = until(model)?;
    let mut liveness = Liveness::default();
    let starts = model.flow.starts.iter();
    starts
        .map(|&start| region(model, start, &until, &mut liveness))
        .collect()
}

fn region(
    model: &Model<'_>,
    start: Start,
    until: &Results<Until>,
    liveness: &mut Liveness,
) -> Result<Region, Stopped> {
    let since = since(model, start.node)?;
    let nodes = model.flow.graph.reach(&[start.node], |to| to != END);
    let taint = taint(model, start.node, liveness)?;
    let saved = model.saved(start.reason);
    let study = Study {
        model,
        since: &since,
        until,
        nodes: &nodes,
    };
    let (war, mut pairs) = study.war(&saved)?;
    let may_write = study.may_write(&nodes);
    let exposed = study.exposed();
    let mut must_write = until
        .leaving(&crate::sets::UntilEnd(model), start.node)
        .map_or_else(|| study.none(), |until| until.0);
    must_write.intersect_with(&model.nonvolatile);
    let mut decisions = study.decisions(&taint)?;
    let strays = study.strays(&taint);
    let suspected = Suspected {
        model,
        start: start.node,
        nodes: &nodes,
        taint: &taint,
        saved: &saved,
        war: &war,
        pairs: &pairs,
        decisions: &decisions,
        strays: &strays,
    };
    let settled = suspected.settled()?;
    pairs.retain(|pair| !settled.cells.contains(pair.cell as usize));
    for (cell, side) in settled.guarded {
        let inside = |decision: &&mut Decision| side.binary_search(&decision.node).is_ok();
        for decision in decisions.iter_mut().filter(inside) {
            decision.settled.insert(cell as usize);
        }
    }
    Ok(Region {
        start,
        saved,
        war,
        pairs,
        decisions,
        strays,
        exposed,
        may_write,
        must_write,
        taint,
    })
}

/// The exclusive may-write set of a region if every branch counted, input or not.
///
/// # Errors
/// If it is not wanted any more.
pub fn conservative(model: &Model<'_>, start: Start) -> Result<Cells, Stopped> {
    let until = until(model)?;
    let since = since(model, start.node)?;
    let nodes = model.flow.graph.reach(&[start.node], |to| to != END);
    let study = Study {
        model,
        since: &since,
        until: &until,
        nodes: &nodes,
    };
    Ok(study.any_exclusive())
}

struct Study<'s> {
    model: &'s Model<'s>,
    since: &'s Results<Since>,
    until: &'s Results<Until>,
    nodes: &'s [u32],
}

impl Study<'_> {
    fn none(&self) -> Cells {
        FixedBitSet::with_capacity(self.model.accesses.cells.len())
    }

    /// The WAR set, and for what is not saved its closest reads and writes.
    fn war(&self, saved: &Cells) -> Result<(Cells, Vec<Pair>), Stopped> {
        let mut war = self.none();
        let mut pairs = Vec::new();
        let analysis = SinceStart(self.model);
        for &node in self.nodes {
            let Some(mut state) = self.since.entering(node).cloned() else {
                continue;
            };
            self.model.setting.interrupt.go_on()?;
            for (site, _) in self.model.steps(node) {
                let writes = self
                    .model
                    .effects(site)
                    .map_or(&[][..], |effects| &effects.writes);
                // What an unknown function reads before it writes is its own business.
                let unknown = self
                    .model
                    .is_unknown_call(site)
                    .then(|| state.exposed.clone());
                analysis.step(site, &mut state);
                let exposed = unknown.as_ref().unwrap_or(&state.exposed);
                for cell in writes.iter().flat_map(|touch| touch.cells.clone()) {
                    let index = cell as usize;
                    if exposed.contains(index) && self.model.nonvolatile.contains(index) {
                        war.insert(index);
                        if !saved.contains(index)
                            && let Some(read) = self.closest_read(cell, node, site)
                        {
                            pairs.push(Pair {
                                cell,
                                write: site,
                                read,
                            });
                        }
                    }
                }
            }
        }
        pairs.sort_unstable();
        pairs.dedup();
        Ok((war, pairs))
    }

    /// The exposed read that is the fewest nodes before a write.
    fn closest_read(&self, cell: u32, node: u32, write: Site) -> Option<Site> {
        let mut seen = FixedBitSet::with_capacity(self.model.flow.graph.len());
        let mut open = std::collections::VecDeque::from([(node, true)]);
        while let Some((at, first)) = open.pop_front() {
            if let Some(site) = self.exposed_read(cell, at, first.then_some(write)) {
                return Some(site);
            }
            for &from in self.model.flow.graph.predecessors(at) {
                if self.since.entering(from).is_some() && !seen.put(from as usize) {
                    open.push_back((from, false));
                }
            }
        }
        None
    }

    /// The last exposed read of a cell in a node, up to and with `last` if given.
    fn exposed_read(&self, cell: u32, node: u32, last: Option<Site>) -> Option<Site> {
        let mut state = self.since.entering(node)?.clone();
        let analysis = SinceStart(self.model);
        let mut found = None;
        for (site, _) in self.model.steps(node) {
            if let Some(effects) = self.model.effects(site)
                && effects
                    .reads
                    .iter()
                    .any(|touch| touch.cells.contains(&cell))
                && analysis.is_exposed(site, cell, &state)
            {
                found = Some(site);
            }
            analysis.step(site, &mut state);
            if last == Some(site) {
                break;
            }
        }
        found
    }

    fn exposed(&self) -> Cells {
        let mut all = self.none();
        for &node in self.nodes {
            if let Some(state) = self.since.leaving(&SinceStart(self.model), node) {
                all.union_with(&state.exposed);
            }
        }
        all
    }

    fn may_write(&self, nodes: &[u32]) -> Cells {
        let mut all = self.none();
        for &node in nodes {
            for (site, _) in self.model.steps(node) {
                if let Some(effects) = self.model.effects(site) {
                    for touch in &effects.writes {
                        all.insert_range(touch.cells.start as usize..touch.cells.end as usize);
                    }
                }
            }
        }
        all.intersect_with(&self.model.nonvolatile);
        all
    }

    /// What is surely written when an edge of a branch is taken, from the region's start to its end.
    fn surely(&self, branch: u32, side: u32) -> Option<Cells> {
        if side != END && !self.model.flow.ends[side as usize] {
            return None;
        }
        let mut written = self.since.leaving(&SinceStart(self.model), branch)?.written;
        let mut after = Until(self.none());
        if side != END {
            after = self.until.entering(side)?.clone();
            crate::sets::UntilEnd(self.model).pass(side, &mut after);
        }
        written.union_with(&after.0);
        Some(written)
    }

    /// What the ways from a branch write, and surely not all of them.
    fn exclusive(&self, branch: u32) -> (Cells, Vec<Cells>, Vec<u32>) {
        let flow = &self.model.flow;
        let influence = flow.influence(branch);
        let mut exclusive = self.may_write(&influence);
        let mut always: Option<Cells> = None;
        let mut sides = Vec::new();
        for &side in flow.graph.successors(branch) {
            let way = flow.ways(&[side], branch);
            sides.push(self.may_write(&way));
            if let Some(written) = self.surely(branch, side) {
                match &mut always {
                    Some(always) => always.intersect_with(&written),
                    none => *none = Some(written),
                }
            }
        }
        if let Some(always) = always {
            exclusive.difference_with(&always);
        }
        (exclusive, sides, influence)
    }

    fn decisions(&self, taint: &Taint) -> Result<Vec<Decision>, Stopped> {
        let mut decisions = Vec::new();
        for &(node, cause) in &taint.branches {
            self.model.setting.interrupt.go_on()?;
            let (exclusive, sides, influence) = self.exclusive(node);
            if exclusive.is_clear() {
                continue;
            }
            let path = taint.path(self.model, cause);
            let Some(&site) = path.last() else { continue };
            let writes = self.writes(&influence, &exclusive);
            decisions.push(Decision {
                node,
                site,
                path,
                exclusive,
                sides,
                writes,
                settled: self.none(),
            });
        }
        Ok(decisions)
    }

    /// One write of each cell.
    fn writes(&self, nodes: &[u32], cells: &Cells) -> Vec<(u32, Site)> {
        let mut found: Vec<(u32, Site)> = Vec::new();
        let mut missing = cells.clone();
        for &node in nodes {
            for (site, _) in self.model.steps(node) {
                let Some(effects) = self.model.effects(site) else {
                    continue;
                };
                for cell in effects.writes.iter().flat_map(|touch| touch.cells.clone()) {
                    if missing.contains(cell as usize) {
                        missing.remove(cell as usize);
                        found.push((cell, site));
                    }
                }
            }
        }
        found.sort_unstable();
        found
    }

    fn strays(&self, taint: &Taint) -> Vec<Stray> {
        let mut strays = Vec::new();
        for &(node, site, cause) in &taint.stores {
            let mut cells = self.none();
            if let Some(effects) = self.model.effects(site) {
                for touch in effects.writes.iter().filter(|touch| !touch.sure) {
                    cells.insert_range(touch.cells.start as usize..touch.cells.end as usize);
                }
            }
            cells.intersect_with(&self.model.nonvolatile);
            // What every attempt overwrites as a whole, before or after, does no harm.
            if let Some(written) = self.surely(node, node) {
                cells.difference_with(&written);
            }
            if !cells.is_clear() {
                strays.push(Stray {
                    site,
                    path: taint.path(self.model, cause),
                    cells,
                });
            }
        }
        strays
    }

    /// The exclusive may-write set if every branch counted.
    fn any_exclusive(&self) -> Cells {
        let mut all = self.none();
        for &node in self.nodes {
            let decides = self.model.terminator(node).is_some()
                && self.model.flow.graph.successors(node).len() > 1;
            if decides {
                all.union_with(&self.exclusive(node).0);
            }
        }
        all
    }
}
