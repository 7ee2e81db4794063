//! What a region reads and writes: the sets of OOPSLA'20 §6–7, over cells.
//!
//! Property: from the start of a region, which cells every path has surely overwritten, which may
//! have been read before that (*exposed*), and to its end, which cells every path surely
//! overwrites. Algorithm: two instances of the one engine.

use fixedbitset::FixedBitSet;

use crate::accesses::Touch;
use crate::contexts::Site;
use crate::fixpoint::{Analysis, Backward, Forward, Lattice, Results, solve};
use crate::model::Model;
use crate::patience::Stopped;
use crate::setting::Commits;
use crate::supergraph::END;

/// Sets of cells by number.
pub type Cells = FixedBitSet;

/// What has happened since the start of a region.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Since {
    /// Overwritten on every path.
    pub written: Cells,
    /// Read on some path before it was surely overwritten.
    pub exposed: Cells,
}

impl Lattice for Since {
    fn join(&mut self, other: &Self) -> bool {
        let shrinks = !self.written.is_subset(&other.written);
        let grows = !other.exposed.is_subset(&self.exposed);
        if shrinks {
            self.written.intersect_with(&other.written);
        }
        if grows {
            self.exposed.union_with(&other.exposed);
        }
        shrinks || grows
    }
}

/// What is overwritten on every path to the end of a region.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Until(pub Cells);

impl Lattice for Until {
    fn join(&mut self, other: &Self) -> bool {
        let shrinks = !self.0.is_subset(&other.0);
        if shrinks {
            self.0.intersect_with(&other.0);
        }
        shrinks
    }
}

/// The forward analysis.
#[derive(Clone, Copy, Debug)]
pub struct SinceStart<'m>(pub &'m Model<'m>);

/// The backward analysis.
#[derive(Clone, Copy, Debug)]
pub struct UntilEnd<'m>(pub &'m Model<'m>);

impl Analysis for SinceStart<'_> {
    type Direction = Forward;
    type State = Since;

    fn pass(&self, node: u32, state: &mut Since) {
        for touch in &self.0.node(node).filled {
            write(touch, &mut state.written);
        }
        for (site, _) in self.0.steps(node) {
            self.step(site, state);
        }
    }
}

impl SinceStart<'_> {
    /// Whether a read of a cell can see what another attempt left.
    pub fn is_exposed(&self, site: Site, cell: u32, state: &Since) -> bool {
        let hidden = state.written.contains(cell as usize) || self.0.rereads.contains(&site);
        // A checkpoint that can sit anywhere can sit right before the read.
        !hidden || self.0.setting.commits == Commits::Anywhere
    }

    /// What one instruction does to a state.
    pub fn step(&self, site: Site, state: &mut Since) {
        let Some(effects) = self.0.effects(site) else {
            return;
        };
        for cell in effects.reads.iter().flat_map(|touch| touch.cells.clone()) {
            if self.is_exposed(site, cell, state) {
                state.exposed.insert(cell as usize);
            }
        }
        for touch in &effects.writes {
            write(touch, &mut state.written);
        }
    }
}

impl Analysis for UntilEnd<'_> {
    type Direction = Backward;
    type State = Until;

    fn pass(&self, node: u32, state: &mut Until) {
        for touch in &self.0.node(node).filled {
            write(touch, &mut state.0);
        }
        for (site, _) in self.0.steps(node) {
            if let Some(effects) = self.0.effects(site) {
                effects
                    .writes
                    .iter()
                    .for_each(|touch| write(touch, &mut state.0));
            }
        }
    }
}

fn write(touch: &Touch, written: &mut Cells) {
    if touch.sure {
        written.insert_range(touch.cells.start as usize..touch.cells.end as usize);
    }
}

/// Solves the forward analysis of a region.
///
/// # Errors
/// If the solution is not wanted any more.
pub fn since(model: &Model<'_>, start: u32) -> Result<Results<Since>, Stopped> {
    let none = Cells::with_capacity(model.accesses.cells.len());
    let nothing = Since {
        written: none.clone(),
        exposed: none,
    };
    let starts = [(start, nothing)];
    let interrupt = model.setting.interrupt;
    solve(&model.flow.graph, &starts, &SinceStart(model), interrupt)
}

/// Solves the backward analysis, for all regions at once: they all end in the same node.
///
/// # Errors
/// If the solution is not wanted any more.
pub fn until(model: &Model<'_>) -> Result<Results<Until>, Stopped> {
    let none = Cells::with_capacity(model.accesses.cells.len());
    let ends = [(END, Until(none))];
    let interrupt = model.setting.interrupt;
    solve(&model.flow.graph, &ends, &UntilEnd(model), interrupt)
}
