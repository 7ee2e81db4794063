//! `brownout crash`: every state that power failures can leave, booted.

mod overflow;
mod replay;
mod schedule;
mod shards;
mod words;

pub(crate) use replay::{replay, test};
pub(crate) use schedule::schedule;

use std::borrow::Cow;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use brownout_crash::{End, Explored, Memo, Request, Shortfall};
use brownout_device::{Entry as Needs, Ready, unstarted};
use brownout_explore::Monitor;
use brownout_ir::{Function, Origin, Terminator};
use brownout_report::{Boot, Document, Entry, Overview, Standing};
use brownout_scenario::{Programming, Scenario, Tear};
use brownout_verdict as verdict;
use brownout_vm::Image;
use serde_json::{Value, json};

use crate::cli::{CheckFormat, CrashOptions, ProgramOptions, Setting, TearName};
use crate::console;
use crate::document;
use crate::error::Error;
use crate::limits;
use crate::present;
use crate::progress::Progress;
use crate::ready;
use crate::sources;

/// How many findings are told boot by boot.
const TOLD: usize = 20;

pub(crate) fn crash(options: &CrashOptions) -> Result<ExitCode, Error> {
    let begun = Instant::now();
    let progress = Progress::new(options.time_limit, options.program.quiet, begun);
    let (ready, mut request) = prepare(
        &options.program,
        &options.settings(),
        options.max_instructions,
    )?;
    let Ready { scenario, image } = &ready;
    if let Some(tear) = options.tear {
        let tear = match tear {
            TearName::None => Tear::None,
            TearName::Prefix => Tear::Prefix,
            TearName::AnyUnit => Tear::AnyUnit,
            TearName::Bits => Tear::Bits,
        };
        request.tears.iter_mut().for_each(|(each, _)| *each = tear);
    }
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    request.jobs = options.jobs.unwrap_or(cores).min(4 * cores.max(4));
    if options.no_memo {
        request.memo = Memo::Off;
    }
    if !options.program.quiet && options.format != CheckFormat::Concise {
        ready::tell(scenario, image.program());
    }
    let watched = Watched::new(&progress);
    request.shard = options.shard;
    if let Some(shard) = options.shard {
        refuse_shards(&request, shard)?;
    }
    let spill = overflow::Spill::default();
    let gathered = match (&options.store, options.merge) {
        (Some(folder), true) => shards::merge(folder, image, &request, &watched)?,
        _ => brownout_crash::gather(image, &request, Some(&spill), &watched),
    };
    if let (Some(folder), Some(shard)) = (&options.store, options.shard) {
        shards::write(folder, shard, image, &request, &gathered)?;
    }
    let explored = brownout_crash::conclude(image, &request, gathered);
    progress.end();
    let outcome = Outcome {
        scenario,
        image,
        request: &request,
        unknown: unknown((scenario, image), &request),
        explored,
        arguments: present::arguments(&options.program, None, &options.device()),
        seconds: begun.elapsed().as_secs_f64(),
    };
    let code = outcome.print(options.format, options.output.as_deref(), &options.program)?;
    if let (Some(path), Some(first)) = (&options.export, outcome.explored.violations.first()) {
        let id = first.id.to_string();
        replay::export(
            path,
            &id,
            &first.assertion,
            &options.program,
            &options.device(),
        )?;
    }
    Ok(code)
}

/// Shards divide workloads or, without these, the states that take as many failures as were asked for.
fn refuse_shards(request: &Request, shard: brownout_crash::Shard) -> Result<(), Error> {
    if request.failures.is_some() || !request.choices.is_empty() {
        return Ok(());
    }
    let what = format!(
        "any number of failures without workloads in shards (`--shard {}/{}`)",
        shard.index + 1,
        shard.count
    );
    Err(verdict::crash::Refusal::Cannot { what }.into())
}

/// Explores on behalf of another command.
fn explored<'o>(
    ready: &'o Ready,
    request: &'o Request,
    watched: &Watched<'_>,
    arguments: String,
    begun: Instant,
) -> Outcome<'o> {
    let spill = overflow::Spill::default();
    let explored = brownout_crash::explore(&ready.image, request, Some(&spill), watched);
    Outcome {
        scenario: &ready.scenario,
        image: &ready.image,
        request,
        unknown: unknown((&ready.scenario, &ready.image), request),
        explored,
        arguments,
        seconds: begun.elapsed().as_secs_f64(),
    }
}

/// What to say of registers that are read although nothing says what they give: those of a flash
/// controller, for one, whose commands are then not carried out. Memory that may be non-volatile is as unknown.
fn unknown((scenario, image): (&Scenario, &Image), request: &Request) -> Option<String> {
    let awaited = &scenario.awaited;
    let registers = brownout_trace::undescribed(image, request.instructions, awaited);
    let mut texts = unstarted::undescribed(image.program(), &registers);
    texts.extend(brownout_device::unknown::doubtful(scenario));
    (!texts.is_empty()).then(|| texts.join("\nerror: "))
}

/// Loads a program for boots from its entry, and says what to explore.
fn prepare(
    program: &ProgramOptions,
    settings: &[Setting],
    instructions: u64,
) -> Result<(Ready, Request), Error> {
    let mut program = program.clone();
    program.settings.extend_from_slice(settings);
    let policy = Setting::of_option("policy", "power.policy", "restart");
    program.settings.push(policy);
    let prepared = ready::prepare(&program, Needs::Needed)?;
    // The rest is for the program and what boots need.
    let memory =
        limits::memory(program.memory_limit).map_err(|error| Error::NoThread { error })? / 4 * 3;
    Ok(verdict::crash::request(prepared, instructions, memory)?)
}

/// Whether a program changes memory by operations of a flash part.
pub(crate) fn has_flash(scenario: &Scenario) -> bool {
    !scenario.flash.is_empty()
}

/// Shows how far the exploration has come.
struct Watched<'w> {
    progress: &'w Progress,
    drawn: Mutex<Instant>,
}

impl<'w> Watched<'w> {
    fn new(progress: &'w Progress) -> Self {
        Self {
            progress,
            drawn: Mutex::new(Instant::now()),
        }
    }
}

/// How often states are counted for people.
const TICK: Duration = Duration::from_millis(200);

impl brownout_crash::Monitor for Watched<'_> {
    fn is_interrupted(&self) -> bool {
        Monitor::is_interrupted(self.progress)
    }

    fn advance(&self, states: u64, booted: u64, failures: u32) {
        let Ok(mut drawn) = self.drawn.lock() else {
            return;
        };
        if drawn.elapsed() >= TICK {
            *drawn = Instant::now();
            self.progress.states(states, booted, failures);
        }
    }
}

/// A program that was explored.
struct Outcome<'o> {
    scenario: &'o Scenario,
    image: &'o Image,
    request: &'o Request,
    /// What the program depends on and nothing describes.
    unknown: Option<String>,
    explored: Explored,
    /// What `replay` needs to find the program.
    arguments: String,
    seconds: f64,
}

impl Outcome<'_> {
    /// Whether nothing was tried at all.
    fn is_idle(&self) -> bool {
        let coverage = &self.explored.coverage;
        coverage.operations == 0 && coverage.states <= 1 && self.request.shard.is_none()
    }

    fn code(&self) -> u8 {
        let is_complete =
            self.explored.coverage.complete && !self.is_idle() && self.unknown.is_none();
        match (self.explored.violations.is_empty(), is_complete) {
            (false, _) => 1,
            (true, false) => 2,
            (true, true) => 0,
        }
    }

    fn print(
        &self,
        format: CheckFormat,
        output: Option<&Path>,
        program: &ProgramOptions,
    ) -> Result<ExitCode, Error> {
        let sources = sources::read(self.image.program());
        let coverage = &self.explored.coverage;
        let findings: Vec<brownout_diag::Finding> = (self.explored.violations.iter())
            .map(|violation| words::finding(violation, coverage))
            .collect();
        let text = match format {
            CheckFormat::Human => {
                words::human(self.image, &self.explored, &self.arguments, program)
            }
            CheckFormat::Concise => findings
                .iter()
                .map(|finding| brownout_report::concise(finding) + "\n")
                .collect(),
            CheckFormat::Json => format!("{:#}\n", self.json()),
            CheckFormat::Sarif | CheckFormat::Html => {
                let fingerprints = brownout_report::fingerprints(&findings, &sources);
                let entries = findings.iter().zip(fingerprints).enumerate();
                let boots = self.boots();
                let remarks = self.remarks();
                let document = Document {
                    program: None,
                    version: env!("CARGO_PKG_VERSION"),
                    complete: self.explored.coverage.complete,
                    remarks: &remarks,
                    sources: &sources,
                    overview: Overview {
                        instructions: self.explored.coverage.instructions,
                        failures: self.explored.coverage.states.saturating_sub(1),
                        ..Overview::default()
                    },
                    entries: entries
                        .map(|(number, (finding, fingerprint))| Entry {
                            finding,
                            fingerprint,
                            first_executed: None,
                            story: None,
                            boots: boots.get(number).map_or(&[], |boots| &boots[..]),
                            standing: Standing::Open,
                        })
                        .collect(),
                };
                match format {
                    CheckFormat::Html => brownout_report::html(&[document]),
                    _ => format!("{:#}\n", brownout_report::sarif(&[document])),
                }
            }
        };
        let text = match format {
            CheckFormat::Json | CheckFormat::Sarif => Cow::Borrowed(text.as_str()),
            CheckFormat::Human | CheckFormat::Concise | CheckFormat::Html => {
                brownout_ir::readable(&text)
            }
        };
        console::result(output, |out| out.write_all(text.as_bytes()))?;
        if format != CheckFormat::Concise && !program.quiet {
            self.tell_bypass();
            if !self.says_what_is_right() {
                console::note(
                    "the program asserts nothing, and there is no `[[invariant]]`: only boots that crash, hang or come to another end are found (`--oracle atomic` judges what boots print and output)",
                );
            }
            self.notes().iter().for_each(|note| console::note(note));
            if let End::Exited { status } = self.explored.undisturbed
                && status != 0
            {
                console::note(&format!(
                    "the undisturbed program exits with status {status}: the status of other boots is not judged"
                ));
            }
            if let End::Died(_) = self.explored.undisturbed {
                console::note(
                    "the program breaks without any power failure: other boots are judged by assertions, invariants and faults only, not by where they end",
                );
            }
            if let (Some(shard), 0) = (self.request.shard, self.code()) {
                console::note(&format!(
                    "this is shard {} of {}: `--merge` puts them together",
                    shard.index + 1,
                    shard.count
                ));
            }
            let checked = words::checked(&self.explored.coverage, self.seconds);
            console::line(&checked);
        }
        let problems = self.problems();
        problems
            .iter()
            .for_each(|problem| console::line(&format!("error: {problem}")));
        Ok(ExitCode::from(self.code()))
    }

    /// What the boots of the first findings do.
    fn boots(&self) -> Vec<Vec<Boot>> {
        let violations = self.explored.violations.iter().take(TOLD);
        violations
            .map(|violation| {
                let progress = Progress::new(None, true, Instant::now());
                let watched = Watched::new(&progress);
                let followed =
                    brownout_crash::replay(self.image, self.request, &violation.id, &watched);
                let boots = followed.map(|followed| followed.boots).unwrap_or_default();
                let boots = boots.into_iter().zip(1..);
                boots
                    .map(|(boot, number)| words::story(boot, number))
                    .collect()
            })
            .collect()
    }

    /// Whether the program or the scenario says what must hold. An assertion is a way that comes to no end.
    fn says_what_is_right(&self) -> bool {
        let mut functions = self.image.program().functions.values();
        let is_user = |function: &Function| function.origin == Origin::User;
        self.request.atomic.is_some()
            || !self.scenario.invariants.is_empty()
            || functions.any(|function| {
                let mut blocks = function.body.iter().flat_map(|body| body.blocks.values());
                is_user(function)
                    && blocks.any(|block| matches!(block.terminator, Terminator::Unreachable))
            })
    }

    /// A part that plain stores change is not what the user thinks it is.
    fn tell_bypass(&self) {
        let is_program = |part: &brownout_vm::FlashPart| part.programming == Programming::And;
        if let Some(place) = &self.explored.coverage.bypass
            && self.image.bindings().parts.iter().any(is_program)
        {
            console::note(&format!(
                "a flash part is changed by plain stores, which are torn like those to other memory: name the function in `[[flash]]` if it stands for an operation   {}",
                words::way(Some(place))
            ));
        }
    }

    /// What makes an exploration say less than it seems to.
    fn notes(&self) -> Vec<String> {
        let unexecuted = match self.request.shard {
            // Boots of other shards may come to it.
            Some(_) => None,
            None => words::unexecuted(self.image, &self.explored.coverage.passed),
        };
        let stays = match &self.explored.undisturbed {
            End::Settled(settled) => Some(words::stays(settled.place(self.image).as_ref())),
            End::Exited { .. } | End::Arrived | End::Died(_) | End::Undecided => None,
        };
        unexecuted.into_iter().chain(stays).collect()
    }

    /// What was not done, and why.
    fn problems(&self) -> Vec<String> {
        let shortfalls = self.explored.coverage.shortfalls.iter();
        let mut problems: Vec<String> = shortfalls
            .map(|shortfall| match shortfall {
                Shortfall::Undecided { .. } if self.explored.undisturbed == End::Undecided => {
                    "the program does not come to an end, even without a power failure: say where a boot is done (`explore.until`), or raise `--max-instructions`".to_owned()
                }
                shortfall => words::shortfall(shortfall),
            })
            .collect();
        if self.is_idle() && self.explored.undisturbed != End::Undecided {
            let place = self.scenario.explore.from.as_ref();
            let place = place.map_or_else(String::new, |at| format!(" from `{at}` on"));
            problems.push(format!(
                "the program changes no non-volatile memory{place}: there was no power failure to try"
            ));
        }
        problems.extend(self.unknown.clone());
        problems
    }

    /// What there is to say about the exploration as a whole.
    fn remarks(&self) -> Vec<String> {
        std::iter::once(self.scenario.assumptions())
            .chain(self.scenario.notes.iter().cloned())
            .chain(self.notes())
            .chain([words::checked(&self.explored.coverage, self.seconds)])
            .chain(self.problems())
            .collect()
    }

    fn json(&self) -> Value {
        let coverage = &self.explored.coverage;
        let findings: Vec<Value> = (self.explored.violations.iter())
            .map(|violation| {
                let finding = words::finding(violation, coverage);
                let mut value = json!(brownout_report::json_finding(&finding));
                words::describe(self.image, violation, &mut value);
                value
            })
            .collect();
        let failures = coverage
            .failures
            .map_or_else(|| json!("all"), |most| json!(most));
        let shortfalls: Vec<String> = (coverage.shortfalls.iter()).map(words::shortfall).collect();
        document::of(json!({
            "scenario": document::scenario(self.scenario),
            "complete": coverage.complete,
            "coverage": {
                "failures": failures,
                "states": coverage.states,
                "booted": coverage.booted,
                "derived": coverage.derived,
                "repeated": coverage.repeated,
                "left": coverage.left,
                "complete": coverage.complete,
                "closed": coverage.closed,
                "deepest": coverage.deepest,
                "operations": coverage.operations,
                "workloads": coverage.workloads,
                "first_violation": coverage.first_broken,
                "on_disk": coverage.moved,
                "shard": self.request.shard.map(|shard| format!("{}/{}", shard.index + 1, shard.count)),
                "incomplete": shortfalls,
            },
            "findings": findings,
            "stats": {
                "instructions": coverage.instructions,
                "total_seconds": self.seconds,
            },
        }))
    }
}
