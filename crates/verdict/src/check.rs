//! One program, checked: static analysis, one execution with its power failures, and a search for others.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Instant;

use brownout_device::{Calls, Error, Prepared, Ready, unknown, unstarted};
use brownout_diag::{Evidence, Finding, ObjectId, Rule};
use brownout_explore::{Monitor, Patience, Recovery};
use brownout_flow::Restart;
use brownout_ir::{Func, Global};
use brownout_scenario::Scenario;
use brownout_trace::{Broken, Checked, Outages, Request, Schedule};
use brownout_vm::{Image, Stop, Unobserved};

use crate::compared::{aware, ignored, meant, saved, tags};
use crate::confirm::{self, Search};
use crate::coverage::{self, Coverage, Settled};
use crate::endless;
use crate::environment::{self, Surroundings};
use crate::faults;
use crate::in_turn;
use crate::interrupts;
use crate::options::{Effort, Options};
use crate::outcome::Outcome;
use crate::static_check::{self, Static};
use crate::{alone, boots, flash, handlers, readings};

/// Checks a program.
///
/// # Errors
/// If the program cannot be executed, or there is nothing that could be wrong.
pub fn check(
    prepared: Prepared,
    options: &Options<'_>,
    monitor: &dyn Monitor,
) -> Result<Outcome, Error> {
    if options.only_static || prepared.start.is_none() {
        return analysed(options, prepared, monitor);
    }
    if prepared.scenario.power.policy.recovery() == Recovery::Restart
        && prepared.scenario.memory.is_assumed
        && options.restart_at.is_none()
    {
        return Err(Error::NothingNonvolatile(prepared.scenario.memory.doubts));
    }
    let title = prepared.title.clone();
    let is_at_addresses = prepared.scenario.memory.nonvolatile.is_empty()
        && prepared.scenario.power.policy.recovery() == Recovery::Restart;
    let analysed = match needs_suspicions(&prepared, options) {
        true => analyse(&prepared, options),
        false => static_check::unasked(&prepared, &brownout_device::setting(&prepared, None)),
    };
    let interrupt = || monitor.is_interrupted();
    let overrun = faults::overrun(&prepared, options.max_instructions, &interrupt);
    let callbacks = prepared.callbacks.clone();
    let ready = prepared.ready()?;
    // What `main` does before a task is checked with the program.
    let own = title.task.as_ref().and(callbacks.first());
    let own = own.map(|task| &task.runs);
    let mut outcome = emulated(options, ready, analysed, own, monitor);
    match (&title.entry, &title.task) {
        (Some(entry), Some(task)) if callbacks.is_empty() => {
            alone::judge(&mut outcome, entry, task);
        }
        _ => alone::judge_order(&mut outcome, &callbacks),
    }
    if is_at_addresses && outcome.checked.tests == 0 && outcome.checked.findings.is_empty() {
        outcome.unknown.push(
            "nothing is non-volatile but memory at fixed addresses, and no execution writes there: there was nothing to check".to_owned(),
        );
    }
    Ok(Outcome {
        title,
        overrun,
        ..outcome
    })
}

/// Asks static analysis.
fn analyse(prepared: &Prepared, options: &Options<'_>) -> Static {
    let setting = brownout_device::setting(prepared, options.restart_at);
    static_check::analyse(prepared, &setting, options.refute)
}

/// Whether anybody asks what static analysis suspects. Under `restart` every path from the entry is one region:
/// recovery is the program's own, and only executions tell whether it works.
fn needs_suspicions(prepared: &Prepared, options: &Options<'_>) -> bool {
    prepared.scenario.power.policy.recovery() != Recovery::Restart || options.restart_at.is_some()
}

/// That execution begins again before inputs, of which there are none.
fn without_inputs(scenario: &Scenario, options: &Options<'_>) -> Option<String> {
    let is_nothing = options.restart_at == Some(Restart::Input)
        && scenario.inputs.is_empty()
        && scenario.mmio.is_none();
    is_nothing.then(|| {
        "nothing was analysed: with `--restart-at input` execution begins again before inputs, and no input is known"
            .to_owned()
    })
}

/// `--static`: all paths, without running any; and code without a `main`, where executions are
/// tried to confirm what was found.
fn analysed(
    options: &Options<'_>,
    mut prepared: Prepared,
    monitor: &dyn Monitor,
) -> Result<Outcome, Error> {
    let mut analysed = analyse(&prepared, options);
    let mut checked = Checked {
        findings: analysed.findings.all(),
        silent: Vec::new(),
        stop: None,
        endless: None,
        instructions: 0,
        emulated: 0,
        tests: 0,
        checkpoints: 0,
        interrupted: false,
        rounds: None,
        lost: Vec::new(),
        recovering: BTreeSet::new(),
        uncarried: Vec::new(),
    };
    choose(&mut checked.findings, options, &prepared.scenario);
    let unknown = options
        .looks_for(Rule::RepeatedInput)
        .then(|| {
            analysed
                .unknown
                .complaint(&prepared.program, &prepared.scenario, &analysed.suspected)
        })
        .flatten();
    let no_inputs = without_inputs(&prepared.scenario, options);
    let undefined = unstarted::data(&prepared.program, &prepared.scenario);
    let undefined = unstarted::undescribed(&prepared.program, &undefined);
    let nothing = unstarted::nothing(&prepared.program);
    let untranslated = match prepared.start {
        None => unknown::untranslated(&prepared.program, &prepared.gaps),
        Some(_) => Vec::new(),
    };
    let controller = unknown::memory_controller(&prepared.program, &prepared.scenario);
    let kept = unknown::kept_at_addresses(&prepared.program, &prepared.scenario);
    let kept = kept.map(|kept| format!("{kept} was not checked: static analysis does not know it"));
    let doubtful = unknown::doubtful(&prepared.scenario);
    let nothing_kept = unknown::nothing_kept(&prepared);
    let title = std::mem::take(&mut prepared.title);
    let started = Instant::now();
    let mut breakable = Vec::new();
    let mut surroundings = Surroundings::default();
    let mut unjudged = None;
    let mut faults = BTreeMap::new();
    let (scenario, image) = if options.only_static || !options.evaluate {
        (prepared.scenario, None)
    } else {
        if prepared.start.is_none() {
            let interrupt = || monitor.is_interrupted();
            let (found, made) = in_turn::check(&prepared, &analysed.told, options, &interrupt)?;
            surroundings = found;
            let (program, scenario) = (&prepared.program, &prepared.scenario);
            unjudged = in_turn::unjudged(program, scenario, &made, options);
        }
        let is_known = analysed.unknown.is_empty() && prepared.gaps.is_empty();
        let library = prepared.in_motion(&analysed.told, Calls::Chosen)?;
        analysed.assumptions.extend(library.left_out);
        let Ready { scenario, image } = library.ready;
        let is_private = |object: &ObjectId| {
            let globals = &image.program().globals;
            let mut private = analysed.private.iter();
            let is_it = |&global: &Global| object.variable() == Some(&globals[global].name);
            is_known && private.any(is_it)
        };
        let confirmed = confirm::confirm(
            &image,
            &scenario,
            Some(&library.invention),
            &Search {
                // Others can do to its variables what they like, unless nobody else knows them.
                reached: &|finding| {
                    let variables = finding.variables.iter().map(|variable| &variable.object);
                    let mut objects = variables.chain(&finding.object).chain(&finding.also);
                    library.invention.is_whole && objects.all(|object| is_private(&object.id))
                },
                private: &analysed.private,
                effort: options.effort,
            },
            options,
            &mut checked.findings,
            monitor,
        );
        monitor.end();
        checked.add(&[], confirmed.executions, confirmed.instructions);
        faults = confirmed.faults;
        checked.interrupted = confirmed.is_cut_short;
        checked.add(
            &surroundings.findings,
            surroundings.tests,
            surroundings.emulated,
        );
        breakable = confirmed.broken;
        (scenario, Some(image))
    };
    Ok(Outcome {
        title,
        scenario,
        image,
        checked,
        unexecuted: Vec::new(),
        unwritten: Vec::new(),
        last_boot: None,
        faults,
        commits: Vec::new(),
        except: analysed.assumptions,
        notes: surroundings.notes.clone(),
        refuted: analysed.refuted,
        unknown: (unknown.into_iter().chain(undefined))
            .chain(no_inputs)
            .chain(nothing)
            .chain(untranslated)
            .chain(controller)
            .chain(kept)
            .chain(doubtful)
            .chain(nothing_kept)
            .chain(unjudged)
            .collect(),
        breakable,
        broken: Vec::new(),
        is_unfinished: analysed.is_unfinished,
        death: None,
        overrun: None,
        surroundings,
        analysis_seconds: analysed.seconds,
        emulation_seconds: started.elapsed().as_secs_f64(),
    })
}

/// One execution and the power failures in it, with what static analysis knows beyond it. That something was never
/// executed matters in functions of its own, if these are not all.
fn emulated(
    options: &Options<'_>,
    ready: Ready,
    analysed: Static,
    own: Option<&BTreeSet<String>>,
    monitor: &dyn Monitor,
) -> Outcome {
    let Ready { scenario, image } = ready;
    let request = Request {
        exposure: scenario.power.policy.exposure(),
        saved: saved(&image, &scenario),
        atomic_write: scenario.memory.atomic_write,
        aware: aware(image.program(), &scenario),
        evaluate: options.evaluate,
        failures: options.failures,
        jobs: options.jobs(),
        limit: options.max_instructions,
        ignored: ignored(&image, &scenario),
        meant: meant(&image, &scenario),
        tags: tags(&scenario),
        recovery: scenario.power.policy.recovery(),
        patience: Patience::default(),
    };
    let started = Instant::now();
    let interrupt = || monitor.is_interrupted();
    let mut coverage = Coverage::new(&image);
    let mut checked = match request.recovery {
        Recovery::Checkpoint | Recovery::Task => {
            brownout_trace::check(&image, &request, monitor, &mut coverage)
        }
        Recovery::Restart => {
            brownout_trace::check_restarts(&image, &request, monitor, &mut coverage)
        }
    };
    endless::settle(&mut checked, &coverage, &image);
    let (mut later, mut untried) = (boots::Later::default(), None);
    if request.recovery == Recovery::Restart && request.evaluate && !checked.interrupted {
        later = boots::check(&image, &request, &mut checked, monitor, &mut coverage);
    }
    if request.evaluate && !checked.interrupted {
        untried = interrupts::at_every_place(&image, &request, &mut checked, monitor);
    }
    // After that there is nothing new.
    let limit = match (&checked.endless, checked.rounds) {
        (None, None) => options.max_instructions,
        (_, Some(rounds)) => rounds.varied,
        (Some(_), None) => checked.instructions,
    };
    let tasks = match request.recovery {
        Recovery::Task => scenario.power.tasks.iter(),
        Recovery::Checkpoint | Recovery::Restart => scenario.power.restarted_tasks.iter(),
    };
    let tasks: Vec<Func> = tasks
        .filter_map(|name| image.program().function(name))
        .collect();
    let carried = match tasks.is_empty() {
        true => Vec::new(),
        false => brownout_trace::carried_between_tasks(&image, &tasks, limit, monitor),
    };
    let mut lost: BTreeSet<String> = std::mem::take(&mut checked.lost).into_iter().collect();
    lost.extend(carried.iter().map(|carried| carried.name.clone()));
    let broken = broken(&image, &scenario, limit, monitor);
    let surroundings = environment::check(&image, &scenario, options, limit, &interrupt);
    checked.add(
        &surroundings.findings,
        surroundings.tests,
        surroundings.emulated,
    );
    if request.evaluate && !checked.interrupted {
        let around = |image: &Image| {
            let mut around = environment::check(image, &scenario, options, limit, &interrupt);
            let lost = brownout_trace::check_unrestored(image, &request, &carried, limit, monitor);
            around.findings.extend(lost.findings);
            around.tests += lost.tests;
            around.emulated += lost.instructions;
            around
        };
        readings::check(
            &image,
            &request,
            &around,
            &mut checked,
            monitor,
            &mut coverage,
        );
    }
    if request.evaluate && !interrupt() {
        let found = brownout_trace::check_unrestored(&image, &request, &carried, limit, monitor);
        checked.add(&found.findings, found.tests, found.instructions);
        lost.retain(|name| !found.told.contains(name));
    }
    checked.lost = lost.into_iter().collect();
    checked.interrupted |= interrupt();
    monitor.end();
    let repeats = checked
        .rounds
        .and_then(|rounds| endless::repeats(&image, rounds));
    let rests = checked.endless.as_ref().and_then(endless::rests);
    let lost = checked.lost.iter().map(|name| {
        format!(
            "a reboot loses `{name}`, which is volatile and is not as it was when it is used again"
        )
    });
    let notes = surroundings.notes.iter().cloned();
    let notes = notes.chain(repeats).chain(rests).chain(later.tell());
    // Under `restart` nothing but executions tells anything.
    let kept = match request.recovery {
        Recovery::Restart => None,
        Recovery::Checkpoint | Recovery::Task => {
            unknown::kept_at_addresses(image.program(), &scenario)
        }
    };
    let kept = kept.map(|kept| {
        format!(
            "{kept} is checked where the execution gets there: static analysis does not know it"
        )
    });
    let notes: Vec<String> = notes.chain(lost).chain(kept).collect();
    let emulation_seconds = started.elapsed().as_secs_f64();
    let mut decided = Vec::new();
    // Under `restart` every path from the entry is one region: recovery is the program's own, and
    // only executions tell whether it works.
    if request.recovery != Recovery::Restart || options.restart_at.is_some() {
        let settled = Settled::of(
            &image,
            request.exposure,
            checked.instructions,
            analysed.findings.pairs(),
            &checked.findings,
            monitor,
        );
        decided = static_check::merge(&mut checked.findings, analysed.findings, &settled);
    }
    for findings in [&mut checked.findings, &mut decided] {
        choose(findings, options, &scenario);
    }
    let unexecuted = coverage.unexecuted(&image, &scenario, &checked.recovering);
    let unwritten = match request.recovery {
        // Static analysis looks at all lines.
        Recovery::Checkpoint | Recovery::Task => Vec::new(),
        Recovery::Restart => {
            let functions = image.program().functions.values();
            let names = functions.map(|function| &function.name);
            let others = names.filter(|name| own.is_some_and(|own| !own.contains(*name)));
            let others: Vec<String> = others.chain(&unexecuted).cloned().collect();
            coverage.unwritten(&image, &scenario, &checked.recovering, &others)
        }
    };
    let mut breakable = Vec::new();
    if options.evaluate {
        let mut findings = std::mem::take(&mut checked.findings);
        let is_reached = |finding: &Finding| {
            let mut places = finding.branch.iter().chain(&finding.producer);
            analysed.closed && !places.any(|place| unexecuted.contains(&place.function))
        };
        let mut confirm = |findings: &mut [Finding], effort: Effort| {
            let search = Search {
                reached: &is_reached,
                private: &[],
                effort,
            };
            let confirmed =
                confirm::confirm(&image, &scenario, None, &search, options, findings, monitor);
            checked.add(&[], confirmed.executions, confirmed.instructions);
            confirmed.broken
        };
        breakable = confirm(&mut findings, options.effort);
        decided.retain(|pair| !is_told_of_input(&findings, pair));
        confirm(&mut decided, Effort::Slight);
        keep_confirmed(&mut findings, decided);
        if request.recovery != Recovery::Restart {
            let mut cut = handlers::cut(&image);
            confirm(&mut cut, Effort::Slight);
            handlers::keep_confirmed(&mut findings, cut);
        }
        checked.findings = findings;
    }
    for finding in &mut checked.findings {
        // Pairs that were merged may be mended in the same way.
        let mut told = BTreeSet::new();
        finding.help.retain(|help| told.insert(help.clone()));
        flash::judge_by_recovery(finding, &scenario);
    }
    choose(&mut checked.silent, options, &scenario);
    let death = match &checked.stop {
        Some(Stop::Faulted(_)) => faults::death(&image, checked.instructions),
        Some(Stop::Exited { .. } | Stop::Paused) | None => later.death.take(),
    };
    let mut registers = match &checked.endless {
        // What is waited for is told as that.
        Some(endless) if endless.waits.is_some() => BTreeSet::new(),
        // A program comes to its end where a register that nobody describes gives the same for ever.
        Some(_) => brownout_trace::undescribed(&image, limit, &BTreeSet::new()),
        None => {
            let awaited = match scenario.memory.chip {
                Some(_) => &BTreeSet::new(),
                None => &scenario.awaited,
            };
            brownout_trace::undescribed(&image, limit, awaited)
        }
    };
    let death = death.map(|death| death.after_reading(&registers));
    let program = image.program();
    let unstarted = unstarted::tasks(program, &scenario, &unexecuted);
    let uncalled = unstarted::callbacks(program, &scenario, &unexecuted);
    let idle = unstarted::idle(program, &scenario);
    let last_boot = later.last();
    let chip = scenario.memory.chip;
    registers.retain(|name| !chip.is_some_and(|chip| chip.computes(name)));
    let unknown = unstarted::undescribed(program, &registers).into_iter();
    let never_ends = !matches!(checked.stop, Some(Stop::Exited { .. }));
    let unseen = (request.recovery == Recovery::Restart && never_ends).then_some(&scenario);
    let unseen = unseen.into_iter().flat_map(|scenario| &scenario.invariants);
    let unseen = unseen.map(|invariant| {
        format!(
            "whether `{}` holds was not checked: under `restart` that is looked at where the program ends, and it does not",
            invariant.text
        )
    });
    let unmade = match options.looks_for(Rule::OutputSemantics) {
        true => coverage.unmade(&image, &scenario),
        false => Vec::new(),
    };
    let unknown = unknown
        .chain(unmade)
        .chain(unseen)
        .chain(unstarted)
        .chain(uncalled)
        .chain(idle)
        .chain(unknown::doubtful(&scenario))
        .chain(unknown::memory_controller(program, &scenario))
        .chain(unknown::direct_memory_access(program, &scenario))
        .chain(unknown::computed_registers(program, &scenario))
        .chain(later.unchecked())
        .chain(coverage::uncarried(&image, &checked.uncarried))
        .chain(untried);
    let unknown: Vec<String> = unknown.collect();
    Outcome {
        title: brownout_device::Title::default(),
        scenario,
        image: Some(image),
        checked,
        unexecuted,
        unwritten,
        last_boot,
        faults: BTreeMap::new(),
        commits: coverage.commits,
        except: Vec::new(),
        notes,
        refuted: analysed.refuted,
        unknown,
        breakable,
        broken,
        is_unfinished: analysed.is_unfinished,
        death,
        overrun: None,
        surroundings,
        analysis_seconds: analysed.seconds,
        emulation_seconds,
    }
}

/// Whether an input is known to do harm by deciding whether this is written.
fn is_told_of_input(findings: &[Finding], pair: &Finding) -> bool {
    let Some(object) = &pair.object else {
        return false;
    };
    findings.iter().any(|known| {
        let mut variables = known.variables.iter();
        known.rule == Rule::RepeatedInput
            && known.evidence == Evidence::Confirmed
            && variables.any(|variable| variable.object.id == object.id)
    })
}

/// Adds those that are confirmed, in place of what else is known of the same defect, unless that is confirmed, too.
fn keep_confirmed(findings: &mut Vec<Finding>, mut decided: Vec<Finding>) {
    decided.retain(|finding| {
        let mut confirmed = findings
            .iter()
            .filter(|known| known.evidence == Evidence::Confirmed && known.subject.is_some());
        finding.evidence == Evidence::Confirmed
            && !confirmed.any(|known| known.identity() == finding.identity())
    });
    for finding in &mut decided {
        let note = "an input decides what is written: other readings than those of the emulated execution do harm";
        finding.notes.insert(0, note.to_owned());
        findings.retain(|known| {
            known.evidence == Evidence::Confirmed
                || known.subject.is_none()
                || known.identity() != finding.identity()
        });
    }
    findings.append(&mut decided);
    findings.sort_by(|a, b| a.order().cmp(&b.order()));
}

/// What has to hold and does not in the continuous execution.
fn broken(image: &Image, scenario: &Scenario, limit: u64, monitor: &dyn Monitor) -> Vec<Broken> {
    if scenario.invariants.is_empty() {
        return Vec::new();
    }
    let outages = Outages {
        exposure: scenario.power.policy.exposure(),
        saved: &[],
        schedule: Schedule::default(),
        limit,
        compared: Arc::default(),
    };
    let nobody = (&mut Unobserved, &mut Unobserved);
    brownout_trace::intermittent(image, outages, nobody.0, nobody.1, monitor).broken
}

/// Leaves the findings that are looked for, and that are about code of the user's own.
fn choose(findings: &mut Vec<Finding>, options: &Options<'_>, scenario: &Scenario) {
    // The notebook of a test is no part of the program.
    let ghosts = &scenario.memory.ghosts;
    findings.retain(|finding| {
        let object = finding.object.as_ref();
        let variable = object.and_then(|object| object.id.variable());
        !variable.is_some_and(|variable| ghosts.contains(variable))
    });
    findings.retain(|finding| {
        let places = [&finding.consumer, &finding.producer, &finding.branch];
        let mut places = places.into_iter().flatten().peekable();
        let is_runtime = places.peek().is_some() && places.all(|at| scenario.is_runtime(&at.file));
        options.looks_for(finding.rule) && !is_runtime
    });
}
