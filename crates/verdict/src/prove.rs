//! What a proof is asked, and what is said of what it leaves open.
//!
//! `brownout_verify` proves; what it leaves open is searched for by [`check()`](crate::check()), which
//! replays every failure it reports. Only such a replay is a [counterexample](counterexamples).

use std::collections::BTreeSet;
use std::fmt::Write as _;

use brownout_device::Prepared;
use brownout_diag::{Evidence, Finding, Rule, Severity};
use brownout_flow::supergraph::Reason;
use brownout_flow::{Entries, Model, Setting};
use brownout_ir::{Callee, Func, Id, Op, Origin, Program, Service, reach};
use brownout_scenario::{
    Effect, Input, Operand, Operator, Policy, Scenario, Semantics, Source, ValueSource,
};
use brownout_solver::Solver;
use brownout_verify::{
    Change, Effect as Absorbed, Given, Open, Outcome, Output, Prover, Question, Values, Volatile,
    Why,
};

use crate::options::MakeSolver;

/// Proves, as far as that can be done.
pub fn prove(prepared: &Prepared, setting: &Setting, solver: &mut dyn Solver) -> Outcome {
    let model = Model::new(&prepared.program, setting);
    let regions = brownout_flow::regions(&model);
    let question = question(prepared, setting);
    Prover::new(&model, &question, &regions).prove(Some(solver))
}

/// The findings of a check that are counterexamples, the first of each region.
pub fn counterexamples<'f>(findings: impl Iterator<Item = &'f Finding>) -> Vec<Finding> {
    let harm = findings.filter(|finding| {
        finding.severity == Severity::Error
            && finding.evidence == Evidence::Confirmed
            && finding.replay.is_some()
            && is_about_repetition(finding.rule)
    });
    let mut harm: Vec<Finding> = harm.cloned().collect();
    harm.sort_by(|a, b| a.identity().cmp(&b.identity()));
    // The first of each region is enough.
    let mut regions = BTreeSet::new();
    harm.retain(|finding| regions.insert(finding.related.clone()));
    harm
}

/// Why nothing was proved, in words.
pub fn reasons(prepared: &Prepared, setting: &Setting, outcome: &Outcome) -> String {
    let model = Model::new(&prepared.program, setting);
    // What holds of the whole program is said once.
    let mut said = BTreeSet::new();
    let new = outcome.open.iter().filter(|open| match &open.why {
        Why::Unsupported(what) => said.insert(what),
        Why::Shows | Why::Limit(_) | Why::NoSolver => true,
    });
    let reasons: Vec<String> = new.map(|open| reason(&model, open)).collect();
    reasons.join("; ")
}

/// What static analysis needs to know; readings of device registers are never taken for granted, and
/// functions that nobody calls are called by the hardware.
pub fn setting(prepared: &Prepared) -> Setting {
    let mut setting = brownout_device::setting(prepared, None);
    setting.device_inputs = true;
    setting.unpromoted = unpromoted(prepared);
    if let Entries::Program(start, others) = &mut setting.entries {
        let program = &prepared.program;
        let mut roots = vec![*start];
        roots.extend(others.iter());
        let reached = reach::reachable(program, &roots);
        let unreached = program.functions.iter().filter(|(func, function)| {
            let is_code = function.origin == Origin::User && function.body.is_some();
            is_code && !reached[func.index()] && !setting.roles.contains_key(func)
        });
        others.extend(unreached.map(|(func, _)| func));
    }
    setting
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

/// What a scenario says that the proof does not follow.
fn unfollowed(scenario: &Scenario) -> Option<String> {
    if !scenario.flash.is_empty() {
        return Some("flash".to_owned());
    }
    if !scenario.memory.ghosts.is_empty() {
        return Some("ghosts".to_owned());
    }
    // Those at addresses are not seen, so their effect must not matter.
    let mut outputs = scenario.outputs.iter().filter(|output| {
        let unseen = matches!(
            output.source,
            Source::Address { .. } | Source::Result { .. }
        );
        unseen && (output.semantics.is_some() || !output.effect.is_empty())
    });
    if let Some(output) = outputs.next() {
        return Some(format!("output `{}` at an address", output.source.name()));
    }
    let handler = scenario.interrupts.first()?;
    Some(format!("interrupt `{}`", handler.function))
}

/// What the proof has to know beside the program.
pub fn question(prepared: &Prepared, setting: &Setting) -> Question {
    let Prepared {
        program, scenario, ..
    } = prepared;
    let names: Vec<&String> = scenario.environment.keys().collect();
    let mut question = Question {
        refused: unfollowed(scenario),
        environment: names.len(),
        atomic_write: scenario.memory.atomic_write,
        volatile: match scenario.power.policy {
            Policy::Tasks => Volatile::Initialised,
            Policy::Static | Policy::Conditional { .. } | Policy::Reactive { .. } => {
                Volatile::Restored
            }
            Policy::Restart => Volatile::StartedOver,
        },
        handlers: handlers(program, scenario, setting),
        excluded: setting.aware.clone(),
        retained: prepared.bindings.retained.clone(),
        ..Question::default()
    };
    for input in scenario.inputs.iter().filter(|input| input.is_declared) {
        let Some(values) = given(input) else { continue };
        let name = input.source.name().to_owned();
        match &input.source {
            Source::Function(function) => {
                if let Some(func) = program.function(function) {
                    question.inputs.insert(func, Given { name, values });
                }
            }
            Source::Register(register) if input.mask.is_none() => {
                let mut globals = program.globals.iter();
                if let Some((global, _)) = globals.find(|(_, data)| data.name == *register) {
                    question
                        .input_registers
                        .insert(global, Given { name, values });
                }
            }
            Source::Register(_) | Source::Address { .. } | Source::Result { .. } => {}
        }
    }
    for output in &scenario.outputs {
        let effect = absorbed(output, &names);
        match &output.source {
            Source::Function(name) => {
                if let Some(func) = program.function(name) {
                    question.outputs.insert(
                        func,
                        Output {
                            name: name.clone(),
                            effect,
                        },
                    );
                }
            }
            Source::Register(name) => {
                let mut globals = program.globals.iter();
                if let Some((global, _)) = globals.find(|(_, data)| data.name == *name) {
                    question.registers.insert(
                        global,
                        Output {
                            name: name.clone(),
                            effect,
                        },
                    );
                }
            }
            Source::Address { .. } | Source::Result { .. } => {}
        }
    }
    question
}

/// What an input gives, if the scenario says so for all readings. A function that fills a buffer gives
/// what it returns.
fn given(input: &Input) -> Option<Values> {
    match (&input.fills, &input.values) {
        (Some(fill), _) => Some(Values::OneOf(vec![fill.returns?])),
        (None, ValueSource::Constant(value)) => Some(Values::OneOf(vec![*value])),
        (None, ValueSource::Cycle(values)) if values.is_empty() => Some(Values::OneOf(vec![0])),
        (None, ValueSource::Cycle(values)) => Some(Values::OneOf(values.clone())),
        (None, ValueSource::Range { low, high, .. }) => Some(Values::Within(*low, *high)),
        // What it was, or what a script says, depends on more than is followed here.
        (None, _) => None,
    }
}

/// Functions that nobody in the program calls.
fn handlers(program: &Program, scenario: &Scenario, setting: &Setting) -> BTreeSet<Func> {
    let Entries::Program(_, others) = &setting.entries else {
        return BTreeSet::new();
    };
    let is_task = |func: &Func| {
        scenario
            .power
            .tasks
            .contains(&program.functions[*func].name)
    };
    others
        .iter()
        .copied()
        .filter(|func| !is_task(func))
        .collect()
}

/// How an output changes the environment.
fn absorbed(output: &brownout_scenario::Output, names: &[&String]) -> Absorbed {
    let changes = match &output.effect {
        Effect::Script(_) => return Absorbed::Unknown,
        Effect::Changes(changes) => changes,
    };
    let tagged = match output.semantics {
        Some(Semantics::Absolute) => Absorbed::Absolute,
        Some(Semantics::Relative) => Absorbed::Relative,
        Some(Semantics::AtMostOnce) => Absorbed::AtMostOnce,
        None => Absorbed::Repeatable,
    };
    if changes.is_empty() {
        return tagged;
    }
    let number = |name: &String| names.iter().position(|other| *other == name);
    let mut found = Vec::new();
    for change in changes {
        let operand = match &change.operand {
            Operand::Argument(index) => brownout_verify::Operand::Argument(*index),
            Operand::Number(number) => brownout_verify::Operand::Number(*number),
            Operand::Value(name) => match number(name) {
                Some(value) => brownout_verify::Operand::Value(value),
                None => return Absorbed::Unknown,
            },
        };
        let Some(value) = number(&change.name) else {
            return Absorbed::Unknown;
        };
        use brownout_verify::Operator as To;
        let operator = match change.operator {
            Operator::Assign => To::Assign,
            Operator::Add => To::Add,
            Operator::Subtract => To::Subtract,
            Operator::Multiply => To::Multiply,
            Operator::And => To::And,
            Operator::Or => To::Or,
            Operator::ExclusiveOr => To::ExclusiveOr,
        };
        found.push(Change {
            value,
            operator,
            operand,
        });
    }
    Absorbed::Changes(found)
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
) -> BTreeSet<Reason> {
    // A proof takes more for an input than a suspicion does.
    let setting = Setting {
        device_inputs: true,
        unpromoted: unpromoted(prepared),
        ..suspected.setting.clone()
    };
    let model = Model::new(&prepared.program, &setting);
    if model.contexts.instances.len() != suspected.contexts.instances.len() {
        return BTreeSet::new();
    }
    let regions = brownout_flow::regions(&model);
    let question = question(prepared, &setting);
    let prover = Prover::new(&model, &question, &regions);
    let mut solver = solver();
    let proved = regions.iter().filter(|region| {
        let contents = prover.contents(region);
        let proved = prover.region(region, &contents, Some(&mut *solver));
        proved.open.is_none()
    });
    proved.map(|region| region.start.reason).collect()
}

/// Why an obligation is open, in words.
pub fn reason(model: &Model<'_>, open: &Open) -> String {
    let place = match open.start {
        Reason::Checkpoint(site) => model.source_place(site),
        Reason::Entry | Reason::Function(_) | Reason::Input(_) => None,
    };
    let mut text = match (&open.start, place) {
        (Reason::Checkpoint(_), Some(place)) => {
            format!("after the checkpoint at {}:{}", place.file, place.line)
        }
        (Reason::Function(instance), _) => {
            format!(
                "in `{}`",
                model.program.functions[model.func(*instance)].name
            )
        }
        _ => "from the start of the program".to_owned(),
    };
    let names: BTreeSet<String> = open
        .cells
        .iter()
        .map(|cell| model.object(*cell).name)
        .collect();
    let names: Vec<String> = names
        .iter()
        .take(3)
        .map(|name| format!("`{name}`"))
        .collect();
    let about = match names.is_empty() {
        true => String::new(),
        false => format!(" ({})", names.join(", ")),
    };
    let _ = match &open.why {
        Why::Shows => {
            let failure = open.failure.and_then(|site| model.source_place(site));
            let at = failure.map_or_else(String::new, |place| format!(" at line {}", place.line));
            write!(
                text,
                ": not repeatable{about} when power fails{at}, but no execution was found that shows harm"
            )
        }
        Why::Limit(why) => write!(text, "{about}: the solver gave up: {why}"),
        Why::NoSolver => write!(text, "{about}: there is no solver"),
        Why::Unsupported(what) => write!(text, "{about}: {what}: not supported by the proof"),
    };
    text
}
