//! The static part of `brownout check`: a program and its scenario in, findings out.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;
use std::time::Instant;

use brownout_diag::{Evidence, Finding, Pair, Rule, SourcePlace};
use brownout_flow::summary::Summary;
use brownout_flow::{
    Boundaries, Commits, Entries, Fill, Findings, Length, Model, Region, Restart, Role, Saved,
    Setting,
};
use brownout_ir::source::Place;
use brownout_ir::{Func, Global, Id, Origin, Program, Terminator, reach};
use brownout_report::Sources;
use brownout_scenario::{Extent, Mmio, Policy, Saves, Scenario, Source, ValueSource};

use crate::check;
use crate::cli::{ProgramOptions, RestartAt};
use crate::console;
use crate::coverage::Settled;
use crate::error::Error;
use crate::guess::Guess;
use crate::interrupts;
use crate::prove;
use crate::ready::{self, Prepared};
use crate::unknown::{self, Unknown};

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
    /// What it took.
    pub(crate) seconds: f64,
}

/// Bytes behind pointer arguments that a function reads and never writes, by function and argument.
pub(crate) type Told = BTreeMap<(Func, u32), Vec<Range<u64>>>;

/// What the functions of a library are told by their callers through pointers.
pub(crate) fn told(prepared: &Prepared) -> Told {
    let setting = setting(prepared, None);
    let program = analysed_program(prepared);
    brownout_flow::passed::told_by_callers(&Model::new(&program, &setting))
}

/// A program as static analysis looks at it: handlers are called, and functions give what the scenario says.
fn analysed_program(prepared: &Prepared) -> Program {
    let interrupted = prepared.interrupts();
    let interrupted = interrupted.map(|found| interrupts::as_calls(&prepared.program, found));
    let program = interrupted.as_ref().unwrap_or(&prepared.program);
    with_constants(program, &prepared.scenario)
}

/// Whether the solver is asked what is impossible.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Refutation {
    Asked,
    NotAsked,
}

/// Analyses a program from `start`, or as a library.
pub(crate) fn analyse(prepared: &Prepared, setting: &Setting, refutation: Refutation) -> Static {
    let begun = Instant::now();
    let program = analysed_program(prepared);
    let model = Model::new(&program, setting);
    let mut regions = brownout_flow::regions(&model);
    let mut refuted = Vec::new();
    // The solver does not know interrupts.
    if refutation == Refutation::Asked && prepared.scenario.interrupts.is_empty() {
        let suspicions = |regions: &[_]| brownout_flow::findings(&model, regions).all();
        let before = suspicions(&regions);
        let proved = prove::refuted(prepared, &model);
        regions.retain(|region| !proved.contains(&region.start.reason));
        let left = suspicions(&regions);
        let dropped = before.into_iter().filter(|finding| {
            let mut left = left.iter();
            !left.any(|other| other.identity() == finding.identity())
        });
        refuted.extend(dropped.map(|finding| Finding {
            evidence: Evidence::Refuted,
            ..finding
        }));
    }
    Static {
        refuted,
        findings: brownout_flow::findings(&model, &regions),
        assumptions: brownout_flow::assumptions::assumptions(&model),
        unknown: Unknown {
            functions: brownout_flow::assumptions::unknown_functions(&model),
            through_pointers: brownout_flow::assumptions::calls_unknown_pointers(&model),
            asked: brownout_flow::assumptions::asks_unknown_pointers(&model),
        },
        private: brownout_flow::private(&model),
        told: brownout_flow::passed::told_by_callers(&model),
        suspected: suspected(prepared, setting, &model, &regions),
        // Registers at addresses are inputs that are not emulated.
        closed: !setting.device_inputs
            && matches!(&setting.entries, Entries::Program(_, others) if others.is_empty()),
        seconds: begun.elapsed().as_secs_f64(),
    }
}

/// What would be found about inputs besides if the functions that nobody describes were some. In a program that
/// is executed nothing is unknown.
fn suspected(
    prepared: &Prepared,
    setting: &Setting,
    model: &Model<'_>,
    regions: &[Region],
) -> Vec<Finding> {
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
        return Vec::new();
    }
    let mut setting = setting.clone();
    setting.roles.extend(guessed);
    let known = brownout_flow::findings(model, regions).all();
    let model = Model::new(model.program, &setting);
    let regions = brownout_flow::regions(&model);
    let mut suspected = brownout_flow::findings(&model, &regions).all();
    suspected.retain(|finding| {
        let is_about_inputs = matches!(finding.rule, Rule::RepeatedInput | Rule::TaintedAddress);
        let mut known = known.iter();
        is_about_inputs && !known.any(|other| other.identity() == finding.identity())
    });
    suspected
}

/// How static analysis takes buffers that are filled.
fn as_fills(fill: Option<&brownout_scenario::Fill>) -> Vec<Fill> {
    let buffers = fill.into_iter().flat_map(|fill| &fill.buffers);
    let fills = buffers.filter_map(|buffer| {
        let (argument, members) = buffer.pointer.as_reference()?;
        Some(Fill {
            argument,
            members: members
                .iter()
                .map(|member| member.place.offset as i64)
                .collect(),
            length: match &buffer.length {
                Extent::Computed(length) => match length.as_multiple() {
                    Some((argument, factor)) => Length::Argument(argument, factor),
                    None => Length::Unknown,
                },
                Extent::Bytes(bytes) => Length::Bytes(*bytes),
                Extent::Result | Extent::Pointee => Length::Unknown,
            },
        })
    });
    fills.collect()
}

/// What the checkpoints of a program save and have to save, and its source.
pub(crate) fn summaries(
    options: &ProgramOptions,
    restart: Option<RestartAt>,
) -> Result<(Vec<Summary>, Sources), Error> {
    let prepared = ready::prepare(options, ready::Entry::Optional)?;
    let setting = setting(&prepared, restart);
    let program = with_constants(&prepared.program, &prepared.scenario);
    let model = Model::new(&program, &setting);
    let regions = brownout_flow::regions(&model);
    if !options.quiet {
        console::note(&ready::assumptions(&prepared.scenario, &prepared.program));
        for assumption in brownout_flow::assumptions::assumptions(&model) {
            console::note(&format!("sound except: {assumption}"));
        }
    }
    let summaries = brownout_flow::summary::summaries(&model, &regions);
    Ok((summaries, check::sources(&prepared.program)))
}

/// The program with what the scenario says that functions always give: constants, and the results of those
/// that fill buffers. Another reading gives the same, so nothing depends on it. It is handed on by functions that
/// return it.
pub(crate) fn with_constants(program: &Program, scenario: &Scenario) -> Program {
    let known = scenario.inputs.iter().filter_map(|input| {
        let Source::Function(name) = &input.source else {
            return None;
        };
        let constant = match (&input.fills, &input.values) {
            (Some(fill), _) => fill.returns?,
            (None, ValueSource::Constant(constant)) => *constant,
            (None, _) => return None,
        };
        Some((program.function(name)?, constant))
    });
    brownout_flow::constants::with_constants(program, known.collect())
}

/// Adds what only static analysis found to what emulation found: one finding per defect.
///
/// The emulated execution says exactly which of its own reads and writes form a pair, and with what
/// effect: a pair that it went through in one region is its business (`settled`). So is another
/// read before a write that it has an error about. What is left of a defect that has a finding is
/// added to it. Gives the pairs of which an input decides the write: of these one execution says
/// nothing, and only other inputs can tell.
pub(crate) fn merge(
    findings: &mut Vec<Finding>,
    mut analysed: Findings,
    settled: &Settled,
) -> Vec<Finding> {
    // That one execution takes no harm says nothing of another.
    let is_error = |known: &&Finding| known.evidence <= Evidence::Confirmed;
    let known: BTreeSet<Written> = findings.iter().filter(is_error).flat_map(written).collect();
    let is_new = |pair: &Finding| !written(pair).iter().any(|written| known.contains(written));
    // Where inputs decide what is read, one execution settles nothing.
    analysed.retain_pairs(|pair| is_new(pair) && (!settled.has(pair) || !pair.inputs.is_empty()));
    let decided = analysed.decided(is_new);
    drop(known);
    for mut finding in analysed.all() {
        if finding.rule == Rule::WriteAfterRead {
            let same = |known: &&mut Finding| {
                known.subject.is_some()
                    && known.evidence <= Evidence::Confirmed
                    && known.identity() == finding.identity()
            };
            if let Some(known) = findings.iter_mut().find(same) {
                // After what was seen, before what does no harm.
                let harmless = |pair: &Pair| pair.evidence > Evidence::Confirmed;
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

/// What a finding says is written, without which part of it, and where: rule, symbol and place.
type Written = (Rule, String, (String, u32, u32));

fn written(finding: &Finding) -> Vec<Written> {
    let named = |name: &str, place: &SourcePlace| {
        let symbol = name.split(['.', '[', '-']).next().unwrap_or_default();
        let (file, line, column) = place.position();
        (
            finding.rule,
            symbol.to_owned(),
            (file.to_owned(), line, column),
        )
    };
    let mut seen: BTreeSet<(*const SourcePlace, *const str)> = BTreeSet::new();
    let pairs = finding.pairs.iter().filter_map(|pair| {
        let place = pair.producer.as_ref()?;
        // Places are shared: one that was seen need not be told again.
        let is_new = seen.insert((Arc::as_ptr(place), Arc::as_ptr(&pair.object)));
        is_new.then(|| named(&pair.object, place))
    });
    let mut all: Vec<Written> = pairs.collect();
    let own = finding.object.as_ref().zip(finding.producer.as_ref());
    all.extend(own.map(|(object, place)| named(&object.name, place)));
    all
}

/// What static analysis needs to know of a scenario. Without a start every function that others
/// can call is an entry.
pub(crate) fn setting(prepared: &Prepared, restart: Option<RestartAt>) -> Setting {
    let Prepared {
        program,
        scenario,
        start,
        ..
    } = prepared;
    let policy = scenario.power.policy;
    let commits = match (restart, policy) {
        (None, Policy::Reactive { .. }) => Commits::Anywhere,
        (_, Policy::Conditional { .. }) => Commits::Perhaps,
        (_, Policy::Restart) => Commits::Never,
        (_, Policy::Static | Policy::Reactive { .. } | Policy::Tasks) => Commits::Always,
    };
    let restart = match (restart, commits) {
        // Right before an input is where a checkpoint does least for it.
        (None, Commits::Anywhere) | (Some(RestartAt::Input), _) => Restart::Input,
        (Some(RestartAt::Function), _) => Restart::Function,
        (None | Some(RestartAt::Boundary), _) => Restart::Boundary,
    };
    let globals: BTreeMap<&str, Global> = program
        .globals
        .iter()
        .map(|(id, global)| (global.name.as_str(), id))
        .collect();
    let named = |name: &String| globals.get(name.as_str()).copied();
    Setting {
        entries: match *start {
            None => Entries::Library(callable(program)),
            Some(start) => Entries::Program(start, called_by_others(program, scenario, start)),
        },
        roles: roles(program, scenario),
        input_registers: input_registers(scenario, &globals),
        device_inputs: scenario.mmio == Some(Mmio::Input),
        nonvolatile: scenario
            .memory
            .nonvolatile_globals
            .iter()
            .filter_map(named)
            .collect(),
        stack: scenario.memory.stack,
        heap: scenario.memory.heap,
        passed: !scenario.memory.nonvolatile.is_empty(),
        saved: match &scenario.power.saves {
            Saves::Everything => Saved::Everything,
            Saves::Symbols(names) => Saved::Globals(names.iter().filter_map(named).collect()),
        },
        aware: scenario
            .variables
            .iter()
            .filter(|variable| variable.intermittence_aware)
            .filter_map(|variable| named(&variable.name))
            .collect(),
        restart,
        commits,
        boundaries: match policy {
            Policy::Tasks => Boundaries::Tasks,
            Policy::Static
            | Policy::Conditional { .. }
            | Policy::Reactive { .. }
            | Policy::Restart => Boundaries::Checkpoints,
        },
        gaps: gaps(prepared),
        unpromoted: BTreeSet::new(),
    }
}

/// What could not be translated, in words.
fn gaps(prepared: &Prepared) -> BTreeMap<(Func, Option<Place>), String> {
    let program = &prepared.program;
    let gaps = prepared.gaps.iter().filter_map(|gap| {
        let func = gap.function?;
        let what = format!("{} in `{}`", gap.what, program.functions[func].name);
        Some(((func, gap.place), what))
    });
    gaps.collect()
}

/// Functions of a program that it does not call itself: interrupt handlers, tasks.
fn called_by_others(program: &Program, scenario: &Scenario, start: Func) -> Vec<Func> {
    let reached = reach::reachable(program, &[start]);
    let given = reach::given_away(program);
    let is_given = |func: Func| given.iter().any(|&(callback, _)| callback == func);
    let functions = program.functions.iter().filter(|(func, function)| {
        let is_task = scenario.power.tasks.contains(&function.name);
        let is_code = function.origin == Origin::User && function.body.is_some();
        let is_unreached = function.exported && !reached[func.index()];
        is_code && (is_task || is_unreached || is_given(*func))
    });
    functions.map(|(func, _)| func).collect()
}

/// The functions that users of a library can call, by name or through a pointer that they may get hold
/// of: callbacks, tables of handlers. All of them if there are none.
pub(crate) fn callable(program: &Program) -> Vec<Func> {
    let defined = || {
        let functions = program.functions.iter();
        functions.filter(|(_, function)| function.origin == Origin::User && function.body.is_some())
    };
    let taken = reach::address_taken(program);
    let entries: Vec<Func> = defined()
        .filter(|(func, function)| function.exported || taken.contains(func))
        .map(|(func, _)| func)
        .collect();
    if entries.is_empty() {
        defined().map(|(func, _)| func).collect()
    } else {
        entries
    }
}

fn roles(program: &Program, scenario: &Scenario) -> BTreeMap<Func, Role> {
    let mut roles = BTreeMap::new();
    let mut give = |name: &str, role: Role| {
        if let Some(func) = program.function(name) {
            roles.insert(func, role);
        }
    };
    for name in &scenario.ignore {
        give(name, Role::Silent);
    }
    for name in &scenario.pure {
        give(name, Role::Pure);
    }
    for name in ["brownout_atomic_begin", "brownout_atomic_end"] {
        give(name, Role::Silent);
    }
    for name in &scenario.power.checkpoints {
        give(name, Role::Checkpoint);
    }
    for name in &scenario.power.transitions {
        let function = program.function(name).map(|func| &program.functions[func]);
        let body = function.and_then(|function| function.body.as_ref());
        // A runtime that never comes back goes on at tasks that are known by name.
        let is_left = body.is_none_or(|body| {
            let mut blocks = body.blocks.values();
            let returns = blocks.any(|data| matches!(data.terminator, Terminator::Return(_)));
            !returns && !scenario.power.tasks.is_empty()
        });
        if is_left {
            give(name, Role::Checkpoint);
        }
    }
    for output in &scenario.outputs {
        if let Source::Function(name) = &output.source {
            give(name, Role::Silent);
        }
    }
    for input in &scenario.inputs {
        if let Source::Function(name) = &input.source {
            give(name, Role::Input(as_fills(input.fills.as_ref())));
        }
    }
    roles
}

fn input_registers(scenario: &Scenario, globals: &BTreeMap<&str, Global>) -> BTreeSet<Global> {
    let inputs = scenario.inputs.iter();
    inputs
        .filter_map(|input| match &input.source {
            Source::Register(name) => globals.get(name.as_str()).copied(),
            Source::Function(_) | Source::Address { .. } | Source::Result { .. } => None,
        })
        .collect()
}
