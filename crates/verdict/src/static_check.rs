//! The static part of `brownout check`: a program and its scenario in, findings out.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Instant;

use brownout_device::guess::Guess;
use brownout_device::unknown::{self, Unknown};
use brownout_device::{Prepared, Told, analysed_program, as_fills};
use brownout_diag::{Evidence, Finding, Named, ObjectId, Pair, Rule, SourcePlace};
use brownout_flow::{Entries, Fill, Findings, Length, Model, Region, Role, Setting, Stopped};
use brownout_ir::{Callee, Func, Global, Op, Operand};

use crate::coverage::Settled;
use crate::options::MakeSolver;
use crate::prove;

/// What static analysis says about a program.
pub(crate) struct Static {
    pub(crate) findings: Findings,
    /// What the results are sound except for.
    pub(crate) assumptions: Vec<String>,
    /// Functions without a body of which nothing is known, and whether pointers to unknown functions
    /// are called: either may read inputs.
    pub(crate) unknown: Unknown,
    /// Variables that nobody but the program's own functions can read.
    pub(crate) private: Vec<Global>,
    /// What functions are told by their callers through pointers.
    pub(crate) told: Told,
    /// What would be found besides if functions that nobody describes read inputs.
    pub(crate) suspected: Vec<Finding>,
    /// Whether nobody but the program itself calls its functions, and all inputs can be emulated.
    pub(crate) closed: bool,
    /// What the solver has shown to be impossible.
    pub(crate) refuted: Vec<Finding>,
    /// Whether it had to come to its end before it had a result; nothing is known then.
    pub(crate) is_unfinished: bool,
    /// What it took.
    pub(crate) seconds: f64,
}

/// Analyses a program from `start`, or as a library.
pub(crate) fn analyse(
    prepared: &Prepared,
    setting: &Setting,
    refute: Option<MakeSolver<'_>>,
) -> Static {
    let begun = Instant::now();
    let analysed = finished(prepared, setting, refute);
    let analysed = analysed.unwrap_or_else(|Stopped| Static {
        is_unfinished: true,
        ..unasked(prepared, setting)
    });
    Static {
        seconds: begun.elapsed().as_secs_f64(),
        ..analysed
    }
}

/// What is known if static analysis says nothing.
pub(crate) fn unasked(prepared: &Prepared, setting: &Setting) -> Static {
    Static {
        findings: Findings::default(),
        assumptions: Vec::new(),
        unknown: Unknown::default(),
        private: Vec::new(),
        told: Told::new(),
        suspected: Vec::new(),
        // Registers at addresses are inputs that are not emulated.
        closed: !setting.device_inputs && is_whole(prepared, setting),
        refuted: Vec::new(),
        is_unfinished: false,
        seconds: 0.0,
    }
}

/// Whether an execution starts all that is ever started. Tasks are, one after the other, where every transition is told by
/// its name which comes next.
fn is_whole(prepared: &Prepared, setting: &Setting) -> bool {
    let Entries::Program(_, others) = &setting.entries else {
        return false;
    };
    let Prepared {
        program, scenario, ..
    } = prepared;
    let power = &scenario.power;
    let is_task = |func: Func| power.tasks.contains(&program.functions[func].name);
    let names_task = |arg: &Operand| matches!(arg, Operand::Func(func) if is_task(*func));
    let bodies = program.functions.values().filter_map(|it| it.body.as_ref());
    let mut insts = bodies.flat_map(|body| body.blocks.values().flat_map(|block| &block.insts));
    let is_told = insts.all(|inst| match &inst.op {
        Op::Call {
            callee: Callee::Direct(callee),
            args,
            ..
        } if power.transitions.contains(&program.functions[*callee].name) => {
            args.iter().any(names_task)
        }
        _ => true,
    });
    let is_told = is_told && !power.transitions.is_empty();
    others.iter().all(|&func| is_told && is_task(func))
}

fn finished(
    prepared: &Prepared,
    setting: &Setting,
    refute: Option<MakeSolver<'_>>,
) -> Result<Static, Stopped> {
    let program = analysed_program(prepared);
    let model = Model::new(&program, setting)?;
    let mut regions = brownout_flow::regions(&model)?;
    let mut refuted = Vec::new();
    // The solver does not know interrupts.
    if let Some(solver) = refute
        && prepared.scenario.interrupts.is_empty()
    {
        let suspicions = |regions: &[_]| brownout_flow::findings(&model, regions);
        let before = suspicions(&regions)?.all();
        let proved = prove::refuted(prepared, &model, solver)?;
        regions.retain(|region| !proved.contains(&region.start.reason));
        let left = suspicions(&regions)?.all();
        let dropped = before.into_iter().filter(|finding| {
            let mut left = left.iter();
            !left.any(|other| other.identity() == finding.identity())
        });
        refuted.extend(dropped.map(|finding| Finding {
            evidence: Evidence::Refuted,
            ..finding
        }));
    }
    let mut findings = brownout_flow::findings(&model, &regions)?;
    if findings.are_about_inputs() {
        let closer = Setting {
            follows_decided: true,
            ..setting.clone()
        };
        let model = Model::new(&program, &closer)?;
        let regions = brownout_flow::regions(&model)?;
        findings.retain_inputs_in(&brownout_flow::findings(&model, &regions)?);
    }
    Ok(Static {
        refuted,
        findings,
        assumptions: brownout_flow::assumptions::assumptions(&model),
        unknown: Unknown {
            functions: brownout_flow::assumptions::unknown_functions(&model),
            through_pointers: brownout_flow::assumptions::calls_unknown_pointers(&model),
            asked: brownout_flow::assumptions::asks_unknown_pointers(&model),
        },
        private: brownout_flow::private(&model),
        told: brownout_flow::passed::told_by_callers(&model),
        suspected: suspected(prepared, setting, &model, &regions)?,
        ..unasked(prepared, setting)
    })
}

/// What would be found about inputs besides if the functions that nobody describes were some. In a program that
/// is executed nothing is unknown.
fn suspected(
    prepared: &Prepared,
    setting: &Setting,
    model: &Model<'_>,
    regions: &[Region],
) -> Result<Vec<Finding>, Stopped> {
    let unknown = brownout_flow::assumptions::unknown_functions(model).into_iter();
    let guessed: BTreeMap<Func, Role> = unknown
        .filter(|&func| unknown::may_be_input(&prepared.program, func))
        .map(|func| {
            let fills = match Guess::of(&prepared.program, func) {
                Guess::Reads(fill) => as_fills(fill.as_ref()),
                Guess::ReadsSomewhere(argument) => vec![Fill {
                    argument: argument as u32,
                    members: Vec::new(),
                    length: Length::Reachable,
                }],
                Guess::Waits | Guess::Acts => Vec::new(),
            };
            (func, Role::Input(fills))
        })
        .collect();
    if prepared.start.is_some() || guessed.is_empty() {
        return Ok(Vec::new());
    }
    let mut setting = setting.clone();
    setting.roles.extend(guessed);
    let known = brownout_flow::findings(model, regions)?.all();
    let model = Model::new(model.program, &setting)?;
    let regions = brownout_flow::regions(&model)?;
    let mut suspected = brownout_flow::findings(&model, &regions)?.all();
    suspected.retain(|finding| {
        let is_about_inputs = matches!(finding.rule, Rule::RepeatedInput | Rule::TaintedAddress);
        let mut known = known.iter();
        is_about_inputs && !known.any(|other| other.identity() == finding.identity())
    });
    Ok(suspected)
}

/// Adds what only static analysis found to what emulation found: one finding per defect.
///
/// The emulated execution says exactly which of its own reads and writes form a pair, and with what
/// effect: a pair that it went through in the regions in which it is suspected is its business (`settled`). So is another
/// read before a write that it has an error about. What is left of a defect that has a finding is
/// added to it. Gives the pairs of which an input decides the write: of these one execution says
/// nothing, and only other inputs can tell.
pub(crate) fn merge(
    findings: &mut Vec<Finding>,
    mut analysed: Findings,
    settled: &Settled,
) -> Vec<Finding> {
    // That one execution takes no harm says nothing of another.
    let is_error = |known: &&Finding| !known.evidence.is_harmless();
    let known: BTreeSet<Written<'_>> = findings.iter().filter(is_error).flat_map(written).collect();
    let is_new = |pair: &Finding| !written(pair).iter().any(|written| known.contains(written));
    // Where inputs decide what is read, one execution settles nothing.
    analysed.retain_pairs(|pair| {
        is_new(&pair.finding) && (!settled.has(pair) || !pair.finding.inputs.is_empty())
    });
    let decided = analysed.decided(is_new);
    drop(known);
    for mut finding in analysed.all() {
        if finding.rule == Rule::WriteAfterRead {
            let same = |known: &&mut Finding| {
                known.subject.is_some()
                    && !known.evidence.is_harmless()
                    && known.identity() == finding.identity()
            };
            if let Some(known) = findings.iter_mut().find(same) {
                // After what was seen, before what does no harm.
                let harmless = |pair: &Pair| pair.evidence.is_harmless();
                let end = known.pairs.iter().position(harmless);
                let end = end.unwrap_or(known.pairs.len());
                known.pairs.splice(end..end, finding.pairs);
                continue;
            }
            let text = match finding.inputs.is_empty() {
                true => {
                    "the execution without power failures does not do this: static analysis says that one may"
                }
                false => "an input decides whether they meet: static analysis says this",
            };
            finding.notes.push(text.to_owned());
        }
        findings.push(finding);
    }
    findings.sort_by(|a, b| a.order().cmp(&b.order()));
    decided
}

/// What a finding says is written, whichever part of it, and where: rule, object and place.
type Written<'f> = (Rule, &'f ObjectId, (&'f str, u32, u32));

fn written(finding: &Finding) -> Vec<Written<'_>> {
    let mut seen: BTreeSet<(*const SourcePlace, *const Named)> = BTreeSet::new();
    let pairs = finding.pairs.iter().filter_map(|pair| {
        let place = pair.producer.as_ref()?;
        // Places are shared: one that was seen need not be told again.
        let is_new = seen.insert((Arc::as_ptr(place), Arc::as_ptr(&pair.object)));
        is_new.then(|| (finding.rule, &pair.object.id, place.position()))
    });
    let mut all: Vec<Written<'_>> = pairs.collect();
    let own = finding.object.as_ref().zip(finding.producer.as_ref());
    all.extend(own.map(|(object, place)| (finding.rule, &object.id, place.position())));
    all
}
