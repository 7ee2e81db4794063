//! `brownout check`: find everything.

use std::collections::BTreeSet;
use std::ops::Range;
use std::process::ExitCode;
use std::time::Instant;

use brownout_device::{Calls, Prepared, Ready, Title, unknown, unstarted};
use brownout_diag::{Evidence, Finding, ReplayId, Rule, Severity};
use brownout_explore::{Exposure, Monitor, Object, Patience, Tags};
use brownout_flow::Restart;
use brownout_ir::{Func, Global, Program};
use brownout_report::Sources;
use brownout_scenario::{Counts, Policy, Saves, Scenario, Semantics};
use brownout_trace::{Boots, Broken, Checked, Outages, Recovery, Request, Schedule};
use brownout_vm::{Image, Stop, Unobserved};
use serde_json::{Value, json};

use crate::boots;
use crate::brute_force;
use crate::cli::{CheckFormat, CheckOptions};
use crate::confirm::{self, Effort, Search};
use crate::console;
use crate::coverage::{Coverage, Settled};
use crate::endless;
use crate::environment::{self, Surroundings};
use crate::error::Error;
use crate::faults::{self, ProgramFault};
use crate::in_turn;
use crate::interrupts;
use crate::judge::{Judge, Judged};
use crate::limits;
use crate::present;
use crate::progress::Progress;
use crate::ready;
use crate::static_check::{self, Refutation, Static};

/// A program that was checked, with all there is to say about it.
pub(crate) struct Outcome {
    pub(crate) title: Title,
    pub(crate) scenario: Scenario,
    /// What was executed, unless nothing was.
    pub(crate) image: Option<Image>,
    pub(crate) sources: Sources,
    pub(crate) checked: Checked,
    pub(crate) judged: Judged,
    /// The user's functions that were never executed.
    pub(crate) unexecuted: Vec<String>,
    /// Lines that write non-volatile memory and were not executed, where nothing else is known of them.
    pub(crate) unwritten: Vec<String>,
    /// When checkpoints were called.
    pub(crate) commits: Vec<u64>,
    /// What the result holds except for.
    pub(crate) except: Vec<String>,
    /// What is not known, so that "nothing found" would not be true.
    pub(crate) unknown: Vec<String>,
    /// What has to hold and power failures break that no finding is about.
    pub(crate) breakable: Vec<(String, ReplayId)>,
    /// What has to hold and does not, even without a power failure.
    pub(crate) broken: Vec<Broken>,
    /// What the program does wrong by itself: how it dies.
    pub(crate) death: Option<ProgramFault>,
    /// And where it writes next to its objects.
    pub(crate) overrun: Option<ProgramFault>,
    /// What is known of inputs and outputs.
    pub(crate) surroundings: Surroundings,
    pub(crate) analysis_seconds: f64,
    pub(crate) emulation_seconds: f64,
    pub(crate) total_seconds: f64,
}

pub(crate) fn check(options: &CheckOptions) -> Result<ExitCode, Error> {
    let begun = Instant::now();
    let mut program_options = options.program.clone();
    program_options.settings.extend(options.device.settings());
    let mut judge = Judge::new(options)?;
    let progress = Progress::new(options.time_limit, options.program.quiet, begun);
    if options.brute_force {
        let ready = ready::ready(&program_options)?;
        if !options.program.quiet {
            console::note(&brownout_device::assumptions(
                &ready.scenario,
                ready.image.program(),
            ));
        }
        return brute_force::run(options, &ready.scenario, &ready.image, &progress);
    }
    let mut outcomes = Vec::new();
    for prepared in ready::prepare_all(&program_options, brownout_device::Entry::Optional)? {
        if !options.program.quiet && options.format != CheckFormat::Concise {
            let assumptions = brownout_device::assumptions(&prepared.scenario, &prepared.program);
            console::note(&format!("{}{assumptions}", prepared.title.prefix()));
        }
        outcomes.push(examine(options, prepared, &mut judge, &progress)?);
    }
    judge.write_baseline(&outcomes)?;
    present::present(options, &outcomes, &judge.remarks())?;
    let mut has_errors = outcomes.iter().any(Outcome::has_errors);
    let mut is_settled = !outcomes.iter().any(Outcome::is_undecided);
    for outcome in &outcomes {
        for (expression, id) in &outcome.breakable {
            console::line(&format!(
                "error: a power failure breaks {expression}, see `brownout replay {id}`"
            ));
            has_errors = true;
        }
        for broken in &outcome.broken {
            let place = broken.place.as_ref();
            let place = place.map_or_else(String::new, |place| {
                format!(" at {}:{}", place.file, place.line)
            });
            console::line(&format!(
                "error: {} does not hold{place}, even without a power failure",
                broken.expression
            ));
            is_settled = false;
        }
        for unknown in &outcome.unknown {
            console::line(&format!("error: {unknown}"));
            is_settled = false;
        }
        if let Some(overrun) = &outcome.overrun {
            overrun.print("warning");
        }
        let several = options.failures.is_some_and(|failures| failures > 1);
        if several && outcome.scenario.power.policy == Policy::Restart {
            console::line(
                "error: under policy `restart` power fails once per execution; more than that (`--failures`) was not checked",
            );
            is_settled = false;
        }
        if let Some(text) = unchecked(outcome, options) {
            console::line(&format!("error: {}{text}", outcome.title.prefix()));
            let places = outcome.death.iter().flat_map(|death| &death.backtrace);
            places.for_each(|line| console::line(line));
            is_settled = false;
        }
    }
    Ok(ExitCode::from(match (has_errors, is_settled) {
        (true, _) => 1,
        (false, false) => 2,
        (false, true) => 0,
    }))
}

/// Checks one program.
fn examine(
    options: &CheckOptions,
    prepared: Prepared,
    judge: &mut Judge<'_>,
    progress: &Progress,
) -> Result<Outcome, Error> {
    if options.only_static || prepared.start.is_none() {
        return analysed(options, prepared, judge, progress);
    }
    if prepared.scenario.power.policy == Policy::Restart
        && prepared.scenario.memory.is_assumed
        && options.restart_at.is_none()
    {
        return Err(brownout_device::Error::NothingNonvolatile.into());
    }
    let title = prepared.title.clone();
    let analysed = analyse(&prepared, options);
    let interrupt = || progress.is_interrupted();
    let overrun = faults::overrun(&prepared, options.max_instructions, &interrupt);
    let ready = prepared.ready()?;
    Ok(Outcome {
        title,
        overrun,
        ..emulated(options, ready, analysed, judge, progress)
    })
}

/// Checks a program of which something could not be proved: what it finds has been replayed.
pub(crate) fn searched(options: &CheckOptions, prepared: Prepared) -> Result<Outcome, Error> {
    let mut judge = Judge::new(options)?;
    let progress = Progress::new(options.time_limit, options.program.quiet, Instant::now());
    examine(options, prepared, &mut judge, &progress)
}

impl Outcome {
    /// Whether anything was left out.
    pub(crate) fn is_complete(&self) -> bool {
        let ended = match &self.checked.endless {
            Some(endless) => endless.waits.is_none(),
            None => match self.checked.rounds {
                Some(rounds) => !rounds.can_end,
                None => matches!(self.checked.stop, Stop::Exited { .. }),
            },
        };
        ended && !self.checked.interrupted
    }

    /// The findings that count.
    pub(crate) fn counted(&self) -> impl Iterator<Item = &Finding> {
        let findings = self.checked.findings.iter().zip(&self.judged.standings);
        findings
            .filter(|(_, standing)| standing.counts())
            .map(|(finding, _)| finding)
    }

    /// Whether power failures were emulated for a finding, and did not settle it.
    fn is_undecided(&self) -> bool {
        self.counted().any(|finding| {
            finding.severity == Severity::Warning
                && finding.evidence == Evidence::Located
                && !finding.pairs.is_empty()
        })
    }

    fn has_errors(&self) -> bool {
        self.counted()
            .any(|finding| finding.severity == Severity::Error)
    }
}

/// Asks static analysis.
fn analyse(prepared: &Prepared, options: &CheckOptions) -> Static {
    let setting = brownout_device::setting(prepared, options.restart_at.map(Restart::from));
    let refutation = match options.prove {
        true => Refutation::Asked,
        false => Refutation::NotAsked,
    };
    let analysed = static_check::analyse(prepared, &setting, refutation);
    if !analysed.refuted.is_empty() && !options.program.quiet {
        let count = brownout_diag::plural(analysed.refuted.len() as u64, "suspicion");
        console::note(&format!("{count} refuted: no power failure can show there"));
        for finding in analysed.refuted.iter().filter(|_| options.program.verbose) {
            let place = finding.producer.as_ref().or(finding.consumer.as_ref());
            let place = place.map_or_else(String::new, |place| format!(" at {place}"));
            let (evidence, message) = (finding.evidence, &finding.message);
            console::note(&format!("{evidence}: {message}{place}"));
        }
    }
    analysed
}

/// `--static`: all paths, without running any; and code without a `main`, where executions are
/// tried to confirm what was found.
fn analysed(
    options: &CheckOptions,
    mut prepared: Prepared,
    judge: &mut Judge<'_>,
    progress: &Progress,
) -> Result<Outcome, Error> {
    let mut analysed = analyse(&prepared, options);
    let mut checked = Checked {
        findings: analysed.findings.all(),
        silent: Vec::new(),
        stop: Stop::Exited { status: 0 },
        endless: None,
        instructions: 0,
        emulated: 0,
        tests: 0,
        checkpoints: 0,
        interrupted: false,
        rounds: None,
        lost: Vec::new(),
        recovering: BTreeSet::new(),
    };
    choose(&mut checked.findings, options, &prepared.scenario);
    let unknown = is_chosen(Rule::RepeatedInput, &options.only, &options.skip)
        .then(|| {
            analysed
                .unknown
                .complaint(&prepared.program, &prepared.scenario, &analysed.suspected)
        })
        .flatten();
    let undefined = unstarted::data(&prepared.program, &prepared.scenario);
    let undefined = unknown::registers(&undefined);
    let nothing = unstarted::nothing(&prepared.program);
    let untranslated = match prepared.start {
        None => unknown::untranslated(&prepared.program, &prepared.gaps),
        Some(_) => Vec::new(),
    };
    let sources = sources(&prepared.program);
    let title = std::mem::take(&mut prepared.title);
    let started = Instant::now();
    let mut breakable = Vec::new();
    let mut surroundings = Surroundings::default();
    let mut unjudged = None;
    let (scenario, image) = if options.only_static || options.no_evaluate {
        (prepared.scenario, None)
    } else {
        if prepared.start.is_none() {
            let interrupt = || progress.is_interrupted();
            let (found, made) = in_turn::check(&prepared, &analysed.told, options, &interrupt)?;
            surroundings = found;
            let (program, scenario) = (&prepared.program, &prepared.scenario);
            unjudged = in_turn::unjudged(program, scenario, &made, options);
        }
        let is_known = analysed.unknown.is_empty() && prepared.gaps.is_empty();
        let library = prepared.in_motion(&analysed.told, Calls::Chosen)?;
        analysed.assumptions.extend(library.left_out);
        let Ready { scenario, image } = library.ready;
        let is_private = |symbol: &str| {
            let globals = &image.program().globals;
            let mut private = analysed.private.iter();
            is_known && private.any(|&global| globals[global].name == symbol)
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
                    library.invention.is_whole && objects.all(|object| is_private(&object.symbol))
                },
                private: &analysed.private,
                effort: Effort::Full,
            },
            options,
            &mut checked.findings,
            progress,
        );
        progress.end();
        checked.add(&[], confirmed.executions, confirmed.instructions);
        checked.interrupted = confirmed.is_cut_short;
        checked.add(
            &surroundings.findings,
            surroundings.tests,
            surroundings.emulated,
        );
        breakable = confirmed.broken;
        (scenario, Some(image))
    };
    let judged = judge.judge(&mut checked, &sources);
    Ok(Outcome {
        title,
        scenario,
        image,
        sources,
        checked,
        judged,
        unexecuted: Vec::new(),
        unwritten: Vec::new(),
        commits: Vec::new(),
        except: analysed.assumptions,
        unknown: (unknown.into_iter().chain(undefined))
            .chain(nothing)
            .chain(untranslated)
            .chain(unjudged)
            .collect(),
        breakable,
        broken: Vec::new(),
        death: None,
        overrun: None,
        surroundings,
        analysis_seconds: analysed.seconds,
        emulation_seconds: started.elapsed().as_secs_f64(),
        total_seconds: progress.begun().elapsed().as_secs_f64(),
    })
}

/// One execution and the power failures in it, with what static analysis knows beyond it.
fn emulated(
    options: &CheckOptions,
    ready: Ready,
    analysed: Static,
    judge: &mut Judge<'_>,
    progress: &Progress,
) -> Outcome {
    let Ready { scenario, image } = ready;
    let request = Request {
        exposure: Exposure::from(scenario.power.policy),
        saved: saved(&image, &scenario),
        atomic_write: scenario.memory.atomic_write,
        aware: aware(image.program(), &scenario),
        evaluate: !options.no_evaluate,
        failures: options.failures.unwrap_or(1),
        jobs: jobs(options),
        limit: options.max_instructions,
        ignored: ignored(&image, &scenario),
        meant: meant(&image, &scenario),
        tags: tags(&scenario),
        recovery: Recovery::from(scenario.power.policy),
        patience: Patience::default(),
    };
    let started = Instant::now();
    let interrupt = || progress.is_interrupted();
    let mut coverage = Coverage::new(&image);
    let mut checked = match request.recovery {
        Recovery::Checkpoint => brownout_trace::check(&image, &request, progress, &mut coverage),
        Recovery::Restart => {
            brownout_trace::check_restarts(&image, &request, progress, &mut coverage)
        }
    };
    let mut boots = Boots::default();
    if request.recovery == Recovery::Restart && request.evaluate && !checked.interrupted {
        boots = boots::check(&image, &request, &mut checked, progress, &mut coverage);
    }
    if request.evaluate && !checked.interrupted {
        interrupts::at_every_place(&image, &request, &mut checked, progress);
    }
    // After that there is nothing new.
    let limit = match (&checked.endless, checked.rounds) {
        (None, None) => options.max_instructions,
        (_, Some(rounds)) => rounds.varied,
        (Some(_), None) => checked.instructions,
    };
    let tasks = match scenario.power.policy {
        Policy::Tasks => scenario.power.tasks.iter(),
        _ => scenario.power.restarted_tasks.iter(),
    };
    let tasks: Vec<Func> = tasks
        .filter_map(|name| image.program().function(name))
        .collect();
    if !tasks.is_empty() {
        let mut lost = brownout_trace::lost_between_tasks(&image, &tasks, limit);
        lost.extend(std::mem::take(&mut checked.lost));
        checked.lost = lost.into_iter().collect();
    }
    let broken = broken(&image, &scenario, limit, progress);
    let surroundings = environment::check(&image, &scenario, options, limit, &interrupt);
    checked.add(
        &surroundings.findings,
        surroundings.tests,
        surroundings.emulated,
    );
    if request.evaluate && !interrupt() {
        let found = brownout_trace::check_unrestored(&image, &request, limit, progress);
        checked.add(&found.findings, found.tests, found.instructions);
    }
    checked.interrupted |= interrupt();
    progress.end();
    let repeats = checked
        .rounds
        .and_then(|rounds| endless::repeats(&image, rounds));
    let rests = checked.endless.as_ref().and_then(endless::rests);
    if !options.program.quiet {
        let lost = checked.lost.iter().map(|name| {
            format!("a reboot loses `{name}`, which is volatile and is not as it was when it is used again")
        });
        let lost: Vec<String> = lost.collect();
        let followed = boots::tell(&boots);
        let texts = repeats.iter().chain(&rests).chain(&followed).chain(&lost);
        texts.for_each(|text| console::note(text));
    }
    let emulation_seconds = started.elapsed().as_secs_f64();
    let mut decided = Vec::new();
    // Under `restart` every path from the entry is one region: recovery is the program's own, and
    // only executions tell whether it works.
    if request.recovery == Recovery::Checkpoint || options.restart_at.is_some() {
        let settled = Settled::of(
            &image,
            request.exposure,
            checked.instructions,
            analysed.findings.pairs(),
            progress,
        );
        decided = static_check::merge(&mut checked.findings, analysed.findings, &settled);
    }
    // The notebook of a test is no part of the program.
    let ghosts = &scenario.memory.ghosts;
    let is_ghost = |finding: &Finding| {
        let object = finding.object.as_ref();
        let symbol = object.and_then(|object| object.name.split(['.', '[']).next());
        symbol.is_some_and(|symbol| ghosts.contains(symbol))
    };
    for findings in [&mut checked.findings, &mut decided] {
        findings.retain(|finding| !is_ghost(finding));
        choose(findings, options, &scenario);
    }
    let unexecuted = coverage.unexecuted(image.program(), &scenario);
    let unwritten = match request.recovery {
        // Static analysis looks at all lines.
        Recovery::Checkpoint => Vec::new(),
        Recovery::Restart => {
            coverage.unwritten(&image, &scenario, &checked.recovering, &unexecuted)
        }
    };
    let mut breakable = Vec::new();
    if !options.no_evaluate {
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
            let confirmed = confirm::confirm(
                &image, &scenario, None, &search, options, findings, progress,
            );
            checked.add(&[], confirmed.executions, confirmed.instructions);
            confirmed.broken
        };
        breakable = confirm(&mut findings, Effort::Full);
        confirm(&mut decided, Effort::Slight);
        keep_confirmed(&mut findings, decided);
        checked.findings = findings;
    }
    choose(&mut checked.silent, options, &scenario);
    let death = match &checked.stop {
        Stop::Faulted(_) => faults::death(&image, checked.instructions),
        Stop::Exited { .. } | Stop::Paused => None,
    };
    let registers = match checked.endless {
        // One that is waited for is told as that.
        Some(_) => BTreeSet::new(),
        None => brownout_trace::undescribed(&image, limit),
    };
    let death = death.map(|death| death.after_reading(&registers));
    let program = image.program();
    let unstarted = unstarted::tasks(program, &scenario, &unexecuted);
    let idle = unstarted::idle(program, &scenario);
    let unknown = unknown::registers(&registers).into_iter();
    let unknown = unknown
        .chain(unstarted)
        .chain(idle)
        .chain(boots::fault(&boots));
    let unknown: Vec<String> = unknown.collect();
    let sources = sources(image.program());
    let judged = judge.judge(&mut checked, &sources);
    Outcome {
        title: Title::default(),
        scenario,
        image: Some(image),
        sources,
        checked,
        judged,
        unexecuted,
        unwritten,
        commits: coverage.commits,
        except: Vec::new(),
        unknown,
        breakable,
        broken,
        death,
        overrun: None,
        surroundings,
        analysis_seconds: analysed.seconds,
        emulation_seconds,
        total_seconds: progress.begun().elapsed().as_secs_f64(),
    }
}

/// Adds those that are confirmed, in place of what else is known of the same defect.
fn keep_confirmed(findings: &mut Vec<Finding>, mut decided: Vec<Finding>) {
    decided.retain(|finding| finding.evidence == Evidence::Confirmed);
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
fn broken(image: &Image, scenario: &Scenario, limit: u64, progress: &Progress) -> Vec<Broken> {
    if scenario.invariants.is_empty() {
        return Vec::new();
    }
    let outages = Outages {
        exposure: Exposure::from(scenario.power.policy),
        saved: &[],
        schedule: Schedule::default(),
        limit,
    };
    let nobody = (&mut Unobserved, &mut Unobserved);
    brownout_trace::intermittent(image, outages, nobody.0, nobody.1, progress).broken
}

/// How many threads to use.
pub(crate) fn jobs(options: &CheckOptions) -> usize {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    // More threads than this only wait for one another.
    let most = 4 * cores.max(4);
    options.jobs.unwrap_or(cores).min(most)
}

/// The variables that are meant to change across power failures.
fn aware(program: &Program, scenario: &Scenario) -> Vec<Object> {
    let aware = scenario
        .variables
        .iter()
        .filter(|variable| variable.intermittence_aware);
    aware
        .filter_map(|variable| Object::named(program, &variable.name))
        .collect()
}

/// What outputs mean to the world.
pub(crate) fn tags(scenario: &Scenario) -> Tags {
    let optional = match scenario.compare.outputs {
        Counts::No => (0..)
            .zip(&scenario.outputs)
            .map(|(number, _)| number)
            .collect(),
        Counts::Yes => tagged(scenario, Semantics::AtMostOnce),
    };
    Tags {
        optional,
        absolute: tagged(scenario, Semantics::Absolute),
    }
}

/// The outputs that must not be made twice, by number.
pub(crate) fn once(scenario: &Scenario) -> Vec<u32> {
    tagged(scenario, Semantics::AtMostOnce)
}

fn tagged(scenario: &Scenario, semantics: Semantics) -> Vec<u32> {
    let outputs = (0..).zip(&scenario.outputs);
    outputs
        .filter(|(_, output)| output.semantics == Some(semantics))
        .map(|(number, _)| number)
        .collect()
}

/// The offsets whose contents may differ after a power failure.
pub(crate) fn ignored(image: &Image, scenario: &Scenario) -> Vec<Range<u32>> {
    let globals = image.program().globals.iter();
    let ignored = globals.filter(|(_, data)| {
        let is_ghost = scenario.memory.ghosts.contains(&data.name);
        is_ghost || scenario.compare.ignored.contains(&data.name)
    });
    let ignored = ignored.map(|(global, _)| extent(image, global));
    ignored
        .chain(meant(image, scenario))
        .chain(image.input_registers())
        .collect()
}

/// The offsets of what is meant to change across power failures.
pub(crate) fn meant(image: &Image, scenario: &Scenario) -> Vec<Range<u32>> {
    let aware = aware(image.program(), scenario).into_iter();
    let globals = aware.filter_map(|object| match object {
        Object::Global(global) => Some(extent(image, global)),
        _ => None,
    });
    globals.collect()
}

/// The offsets of a global.
pub(crate) fn extent(image: &Image, global: Global) -> Range<u32> {
    let start = offset(image, global);
    start..start + image.program().globals[global].size as u32
}

/// What was not checked, and why.
pub(crate) fn unchecked(outcome: &Outcome, options: &CheckOptions) -> Option<String> {
    let checked = &outcome.checked;
    if let Some(death) = &outcome.death {
        return Some(death.message.clone());
    }
    if checked.interrupted && limits::is_full() {
        return Some(
            "stopped by `--memory-limit` before everything was checked; this is what was found so far".to_owned(),
        );
    }
    if checked.interrupted {
        return Some(
            "stopped before everything was checked; this is what was found so far".to_owned(),
        );
    }
    if let Some(endless) = &checked.endless {
        return endless::waits(endless);
    }
    match &checked.stop {
        Stop::Exited { .. } => None,
        Stop::Paused if let Some(rounds) = checked.rounds => {
            let image = outcome.image.as_ref()?;
            endless::stays(image, rounds)
        }
        Stop::Paused => Some(format!(
            "the limit of {} instructions was reached (`--max-instructions`); the rest was not checked",
            options.max_instructions
        )),
        Stop::Faulted(fault) => Some(format!(
            "the program dies even without a power failure: {fault}; it is checked up to there"
        )),
    }
}

/// Leaves the findings that are looked for, and that are about code of the user's own.
fn choose(findings: &mut Vec<Finding>, options: &CheckOptions, scenario: &Scenario) {
    findings.retain(|finding| {
        let places = [&finding.consumer, &finding.producer, &finding.branch];
        let mut places = places.into_iter().flatten().peekable();
        let is_runtime = places.peek().is_some() && places.all(|at| scenario.is_runtime(&at.file));
        is_chosen(finding.rule, &options.only, &options.skip) && !is_runtime
    });
}

/// Whether a rule is looked for.
pub(crate) fn is_chosen(rule: Rule, only: &[Rule], skip: &[Rule]) -> bool {
    (only.is_empty() || only.contains(&rule)) && !skip.contains(&rule)
}

/// Where a global is.
pub(crate) fn offset(image: &Image, global: Global) -> u32 {
    image.layout().offset_of(global)
}

/// The offsets that every checkpoint saves.
pub(crate) fn saved(image: &Image, scenario: &Scenario) -> Vec<Range<u32>> {
    let globals = image.program().globals.iter();
    match &scenario.power.saves {
        Saves::Everything => std::iter::once(0..u32::MAX).collect(),
        Saves::Symbols(names) => globals
            .filter(|(_, data)| names.contains(&data.name))
            .map(|(global, _)| extent(image, global))
            .collect(),
    }
}

/// The texts of the source files that can still be read.
pub(crate) fn sources(program: &Program) -> Sources {
    program
        .source
        .files
        .values()
        .filter_map(|name| Some((name.clone(), shown(&std::fs::read(name).ok()?))))
        .collect()
}

/// A source as it is shown. Compilers count bytes: what is no UTF-8, as in comments of old files, is one
/// question mark for each, so that columns stay what they are.
fn shown(bytes: &[u8]) -> String {
    let chunks = bytes.utf8_chunks();
    let texts =
        chunks.flat_map(|chunk| [chunk.valid().to_owned(), "?".repeat(chunk.invalid().len())]);
    texts.collect()
}

/// The assumptions in force, for documents.
pub(crate) fn scenario_json(scenario: &Scenario) -> Value {
    json!({
        "policy": scenario.power.policy.name(),
        "nonvolatile": scenario.memory.nonvolatile,
        "execution_depth": scenario.power.policy.execution_depth(),
        "target": scenario.target,
    })
}
