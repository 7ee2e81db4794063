//! The words that checkpoints of a random program have to save, according to static analysis.

use std::collections::{BTreeMap, BTreeSet};

use brownout_flow::ranges::{Range, Readings};
use brownout_flow::supergraph::Reason;
use brownout_flow::{Boundaries, Commits, Entries, Model, Restart, Role, Saved, Setting, regions};
use brownout_ir::{Callee, Func, Global, Id, Op, parse, verify::verify};

use crate::program::{ELEMENTS, SCALARS};

/// What has to be saved at a start: `None` is the start of the program.
pub(crate) type Sets = BTreeMap<Option<usize>, BTreeSet<usize>>;

/// What is asked of static analysis.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Question {
    /// What a checkpoint has to save so that the last attempt alone counts.
    Saved,
    /// The same, where a branch that an earlier one has decided goes one way only, and the values of inputs are
    /// declared.
    #[allow(dead_code, reason = "not every test asks this")]
    Decided,
    /// What is reported: what settles itself is not.
    Reported,
}

/// What static analysis says about the text of a random program.
pub(crate) fn static_sets(text: &str, checkpoints: usize, question: Question) -> Sets {
    sets_restarting(text, checkpoints, question, Restart::Boundary)
}

/// The same, where re-execution starts somewhere else. Regions of inputs are those of the checkpoint right before
/// them, and those of functions other than the first one are left out.
pub(crate) fn sets_restarting(
    text: &str,
    checkpoints: usize,
    question: Question,
    restart: Restart,
) -> Sets {
    let program = parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    if let Err(errors) = verify(&program) {
        panic!("{}\n{text}", errors[0]);
    }
    let mut roles: BTreeMap<Func, Role> = (0..checkpoints)
        .map(|number| (Func::from_index(4 + number), Role::Checkpoint))
        .collect();
    roles.insert(Func::from_index(1), Role::Input(vec![]));
    // What `sequences` tries.
    let declared = Range::between(0, 2, 16).map(|range| (Func::from_index(1), range));
    let declared = declared.filter(|_| question == Question::Decided);
    let setting = Setting {
        entries: Entries::Program(Func::from_index(0), vec![]),
        roles,
        input_registers: BTreeSet::new(),
        input_addresses: BTreeSet::new(),
        readings: Readings {
            functions: declared.into_iter().collect(),
            ..Readings::default()
        },
        device_inputs: false,
        nonvolatile: (0..=SCALARS).map(Global::from_index).collect(),
        stack: false,
        heap: false,
        passed: false,
        saved: Saved::Globals(BTreeSet::new()),
        aware: BTreeSet::new(),
        restart,
        commits: Commits::Always,
        boundaries: Boundaries::Checkpoints,
        tasks: BTreeSet::new(),
        gaps: BTreeMap::new(),
        deaths_are_ends: false,
        unpromoted: BTreeSet::new(),
        atomic_write: None,
        follows_decided: question == Question::Decided,
        interrupt: brownout_flow::Interrupt::NEVER,
    };
    let Ok(model) = Model::new(&program, &setting) else {
        panic!("nobody ends the analysis");
    };
    let Ok(regions) = regions(&model) else {
        panic!("nobody ends the analysis");
    };
    let mut sets = Sets::new();
    for region in regions {
        let checkpoint = |site| match model.inst(site).map(|inst| &inst.op) {
            Some(Op::Call {
                callee: Callee::Direct(func),
                ..
            }) => Some(func.index() - 4),
            other => panic!("a checkpoint is {other:?}"),
        };
        let number = match region.start.reason {
            Reason::Checkpoint(site) => checkpoint(site),
            Reason::Input(mut site) => {
                site.at.index -= 1;
                checkpoint(site)
            }
            Reason::Function(root) if model.func(root).index() != 0 => continue,
            Reason::Function(_) | Reason::Entry => None,
        };
        let mut cells = region.war.clone();
        cells.union_with(&region.exclusive(&model));
        if question == Question::Reported {
            cells.clear();
            cells.extend(region.pairs.iter().map(|pair| pair.cell as usize));
            for decision in &region.decisions {
                let mut exclusive = decision.exclusive.clone();
                exclusive.difference_with(&decision.settled);
                cells.union_with(&exclusive);
            }
            region
                .strays
                .iter()
                .for_each(|stray| cells.union_with(&stray.cells));
        }
        let words = sets.entry(number).or_default();
        for cell in cells.ones() {
            let cell = model.accesses.cells[cell];
            let global = match model.points_to.objects.data(cell.object).kind {
                brownout_flow::objects::Kind::Global(global) => global.index(),
                other => panic!("{other:?} is not non-volatile"),
            };
            if global < SCALARS {
                words.insert(global);
            } else {
                let elements = cell.start / 2..(cell.end / 2).min(ELEMENTS as i64);
                words.extend(elements.map(|element| SCALARS + element as usize));
            }
        }
    }
    sets
}
