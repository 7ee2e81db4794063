//! What a proof is asked, and what is said of what it leaves open.
//!
//! `brownout_verify` proves; what it leaves open is searched for by [`check()`](crate::check()), which
//! replays every failure it reports. Only such a replay is a [counterexample](counterexamples).

mod necessity;
mod question;

pub use necessity::{despite_everything, without};
pub use question::{program, question, setting};

use std::collections::BTreeSet;
use std::fmt::Write as _;

use brownout_device::Prepared;
use brownout_diag::{Evidence, Finding, Rule, Severity, SourcePlace};
use brownout_flow::objects::Kind;
use brownout_flow::supergraph::Reason;
use brownout_flow::{Boundaries, Entries, Interrupt, Model, Setting, Stopped};
use brownout_ir::{Callee, Func, Global, Op, Service};
use brownout_solver::Solver;
use brownout_verify::{Difference, Open, Outcome, Prover, Why};

use crate::options::MakeSolver;

/// Proves, as far as that can be done. A solver is called for only if sets of reads and writes leave something open,
/// and without one it stays open.
///
/// # Errors
/// If the analysis that goes before was given up.
pub fn prove<'s>(
    prepared: &Prepared,
    setting: &Setting,
    solver: impl FnOnce() -> Option<&'s mut dyn Solver>,
) -> Result<Outcome, Stopped> {
    let program = program(prepared);
    let model = Model::new(&program, setting)?;
    let regions = brownout_flow::regions(&model)?;
    let mut question = question(prepared, setting);
    let by_sets = Prover::new(&model, &question, &regions).prove(None);
    if by_sets.is_proved() {
        return Ok(by_sets);
    }
    let Some(solver) = solver() else {
        return Ok(by_sets);
    };
    // What is not compared may differ, but only what was seen to: a proof may rely on the rest.
    let ignored = &prepared.scenario.compare.ignored;
    loop {
        let outcome = Prover::new(&model, &question, &regions).prove(Some(&mut *solver));
        let shown = outcome.open.iter().flat_map(|open| &open.shown);
        let differing = shown.filter_map(|difference| {
            let Difference::Cell(cell) = difference else {
                return None;
            };
            let object = model.accesses.cells[*cell as usize].object;
            match model.points_to.objects.data(object).kind {
                Kind::Global(global) => Some(global),
                _ => None,
            }
        });
        let may_differ = |global: &Global| {
            ignored.contains(&program.globals[*global].name) && !question.excluded.contains(global)
        };
        let new: Vec<Global> = differing.filter(may_differ).collect();
        if new.is_empty() {
            return Ok(outcome);
        }
        question.excluded.extend(new);
    }
}

/// The findings of a check that are counterexamples, the first of each region: power fails, and something shows.
pub fn counterexamples<'f>(findings: impl Iterator<Item = &'f Finding>) -> Vec<Finding> {
    // What changes nothing, such as an output that is called relative and is not, is no harm.
    let harm = findings.filter(|finding| {
        finding.severity == Severity::Error
            && finding.evidence == Evidence::Confirmed
            && finding.replay.is_some()
            && !finding.effects.is_empty()
            && is_about_repetition(finding.rule)
    });
    let mut harm: Vec<Finding> = harm.cloned().collect();
    harm.sort_by(|a, b| a.identity().cmp(&b.identity()));
    // The first of each region is enough.
    let mut regions = BTreeSet::new();
    harm.retain(|finding| regions.insert(finding.related.clone()));
    harm
}

/// Why nothing was proved, in words. Whoever has waited for the proof gets its reason, however late it is.
///
/// # Errors
/// If the analysis that goes before was given up.
pub fn reasons(
    prepared: &Prepared,
    setting: &Setting,
    outcome: &Outcome,
) -> Result<String, Stopped> {
    let setting = Setting {
        interrupt: Interrupt::NEVER,
        ..setting.clone()
    };
    let program = program(prepared);
    let model = Model::new(&program, &setting)?;
    // What holds of the whole program is said once.
    let mut said = BTreeSet::new();
    let new = outcome.open.iter().filter(|open| match &open.why {
        Why::Unsupported(what) => said.insert(what),
        Why::Shows | Why::Limit(_) | Why::NoSolver => true,
    });
    let reasons = new.map(|open| match open.why {
        Why::Shows => reason(&model, open) + "; but no execution was found that shows harm",
        Why::Unsupported(_) | Why::Limit(_) | Why::NoSolver => reason(&model, open),
    });
    let reasons: Vec<String> = reasons.collect();
    Ok(reasons.join("; "))
}

/// The functions whose stack objects are to stay memory: those that may be in progress at a checkpoint,
/// if some checkpoint does not restore all volatile state.
fn unpromoted(prepared: &Prepared) -> BTreeSet<Func> {
    match prepared.bindings.retained.is_empty() {
        true => BTreeSet::new(),
        false => in_progress_at_checkpoints(prepared),
    }
}

/// The functions that may be in progress when a checkpoint commits.
pub fn in_progress_at_checkpoints(prepared: &Prepared) -> BTreeSet<Func> {
    let Prepared {
        program, scenario, ..
    } = prepared;
    let commits = |func: Func| {
        let name = &program.functions[func].name;
        scenario.power.checkpoints.contains(name)
    };
    let mut found: BTreeSet<Func> = BTreeSet::new();
    loop {
        let before = found.len();
        for (func, function) in program.functions.iter() {
            let blocks = function.body.iter().flat_map(|body| body.blocks.values());
            let mut insts = blocks.flat_map(|block| &block.insts);
            let leads_there = insts.any(|inst| match &inst.op {
                Op::Service { service, .. } => *service == Service::CheckpointWith,
                Op::Call { callee, .. } => match callee {
                    Callee::Direct(callee) => commits(*callee) || found.contains(callee),
                    Callee::Indirect(_) => true,
                },
                _ => false,
            });
            if leads_there {
                found.insert(func);
            }
        }
        if found.len() == before {
            return found;
        }
    }
}

/// Where checkpoints are that do not restore all volatile state that is used after them. Where nobody knows, they do not.
///
/// # Errors
/// If the analysis was given up.
pub fn unrestored(prepared: &Prepared) -> Result<Vec<SourcePlace>, Stopped> {
    if prepared.bindings.retained.is_empty() {
        return Ok(Vec::new());
    }
    let setting = setting(prepared);
    let program = program(prepared);
    let model = Model::new(&program, &setting)?;
    let regions = brownout_flow::regions(&model)?;
    let question = question(prepared, &setting);
    let prover = Prover::new(&model, &question, &regions);
    let lacking = regions.iter().filter(|region| !prover.is_restored(region));
    let places = lacking.filter_map(|region| match region.start.reason {
        Reason::Checkpoint(site) => model.source_place(site),
        Reason::Entry | Reason::Function(_) | Reason::Input(_) => None,
    });
    Ok(places.collect())
}

/// Whether a rule is about what repeating a region does; ages of readings and settings of peripherals
/// are assumptions of the proof.
fn is_about_repetition(rule: Rule) -> bool {
    !matches!(
        rule,
        Rule::StaleInput | Rule::PeripheralState | Rule::HeapLeak
    )
}

/// The starts of regions in which nothing that static analysis suspects of a program can happen.
pub(crate) fn refuted(
    prepared: &Prepared,
    suspected: &Model<'_>,
    solver: MakeSolver<'_>,
) -> Result<BTreeSet<Reason>, Stopped> {
    // A proof takes more for an input, and for an end, than a suspicion does.
    let setting = Setting {
        device_inputs: true,
        deaths_are_ends: true,
        unpromoted: unpromoted(prepared),
        ..suspected.setting.clone()
    };
    let model = Model::new(&prepared.program, &setting)?;
    if model.contexts.instances.len() != suspected.contexts.instances.len() {
        return Ok(BTreeSet::new());
    }
    let regions = brownout_flow::regions(&model)?;
    let question = question(prepared, &setting);
    let prover = Prover::new(&model, &question, &regions);
    let mut solver = solver();
    let proved = regions.iter().filter(|region| {
        let contents = prover.contents(region);
        let proved = prover.region(region, &contents, Some(&mut *solver));
        proved.open.is_none()
    });
    Ok(proved.map(|region| region.start.reason).collect())
}

/// Why an obligation is open, in words.
pub fn reason(model: &Model<'_>, open: &Open) -> String {
    let place = match open.start {
        Reason::Checkpoint(site) => model.source_place(site),
        Reason::Entry | Reason::Function(_) | Reason::Input(_) => None,
    };
    let mut text = match (&open.start, place) {
        (Reason::Checkpoint(_), Some(place)) => {
            let boundary = match model.setting.boundaries {
                Boundaries::Checkpoints => "checkpoint",
                Boundaries::Tasks => "transition",
            };
            format!("after the {boundary} at {}:{}", place.file, place.line)
        }
        (Reason::Function(instance), _) => {
            format!(
                "in `{}`",
                model.program.functions[model.func(*instance)].name
            )
        }
        _ => "from the start of the program".to_owned(),
    };
    let about = match listed(model, &open.cells) {
        names if names.is_empty() => String::new(),
        names => format!(" ({names})"),
    };
    let _ = match &open.why {
        Why::Shows => {
            let failure = open.failure.and_then(|site| model.source_place(site));
            let at = failure.map_or_else(String::new, |place| format!(" at line {}", place.line));
            let shown = shown(model, open).map_or_else(String::new, |it| format!(": {it}"));
            write!(
                text,
                ": not repeatable when power fails{at}, as far as the proof knows{shown}"
            )
        }
        Why::Limit(why) => write!(text, "{about}: the solver gave up: {why}"),
        Why::NoSolver => write!(text, "{about}: there is no solver"),
        Why::Unsupported(what) => write!(text, "{about}: {what}: not supported by the proof"),
    };
    text
}

/// The first names of some cells.
fn listed(model: &Model<'_>, cells: &[u32]) -> String {
    let names: BTreeSet<String> = cells.iter().map(|cell| model.object(*cell).name).collect();
    let names = names.iter().take(3).map(|name| format!("`{name}`"));
    names.collect::<Vec<_>>().join(", ")
}

/// What differs in the solver's example: what is in memory first, because users have a name for it.
fn shown(model: &Model<'_>, open: &Open) -> Option<String> {
    let cells = open.shown.iter().filter_map(|difference| match difference {
        Difference::Cell(cell) => Some(*cell),
        _ => None,
    });
    let cells: Vec<u32> = cells.collect();
    if !cells.is_empty() {
        return Some(format!("{} can differ", listed(model, &cells)));
    }
    let text = match open.shown.first()? {
        Difference::Cell(_) => return None,
        Difference::Register => "a value in a register can differ",
        Difference::Output(_) => return Some(outputs_differ(model, open)),
        Difference::Result => match model.setting.entries {
            Entries::Program(..) => "the exit status can differ",
            Entries::Library(_) => "what a function returns can differ",
        },
        Difference::Way => "another checkpoint can come next",
        Difference::Fault => "the next attempt can fault",
        Difference::Loop => "a loop of unknown length can find something else",
    };
    Some(text.to_owned())
}

/// That outputs can differ, and which, and where they are.
fn outputs_differ(model: &Model<'_>, open: &Open) -> String {
    let places = open.outputs.iter().map(|(name, site)| {
        let line = model.source_place(*site).map(|place| place.line);
        line.map_or_else(
            || format!("`{name}`"),
            |line| format!("`{name}` at line {line}"),
        )
    });
    let places: BTreeSet<String> = places.collect();
    let mut text = "outputs can differ".to_owned();
    for (number, place) in places.iter().take(3).enumerate() {
        text += if number == 0 { " (" } else { ", " };
        text += place;
    }
    if !places.is_empty() {
        text += if places.len() > 3 { ", …)" } else { ")" };
    }
    text
}
