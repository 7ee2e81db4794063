//! `brownout crash`: every state that power failures can leave, booted.

mod replay;
mod words;

pub(crate) use replay::{replay, test};

use std::process::ExitCode;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use brownout_crash::{End, Explored, Memo, Request, Shortfall};
use brownout_report::{Document, Entry, Overview, Standing};
use brownout_scenario::{Order, Policy, Scenario, Tear};
use brownout_trace::Monitor;
use brownout_vm::Image;
use serde_json::{Value, json};

use crate::check;
use crate::cli::{CheckFormat, CrashOptions, ProgramOptions, Setting, TearName};
use crate::console;
use crate::error::Error;
use crate::limits;
use crate::present;
use crate::progress::Progress;
use crate::ready::{self, Entry as Needs, Ready};

/// Stack and heap of targets with more than 64 KiB of memory, unless the scenario says more: every
/// boot starts with fresh ones.
const STACK: u32 = 64 << 10;
const HEAP: u32 = 256 << 10;

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
    let watched = Watched {
        progress: &progress,
        drawn: Mutex::new(Instant::now()),
    };
    let explored = brownout_crash::explore(image, &request, &watched);
    progress.end();
    let outcome = Outcome {
        scenario,
        image,
        explored: &explored,
        arguments: present::arguments(&options.program, None, &options.device()),
        seconds: begun.elapsed().as_secs_f64(),
    };
    outcome.print(options)?;
    if let (Some(path), Some(first)) = (&options.export, explored.violations.first()) {
        let id = first.id.to_string();
        replay::export(
            path,
            &id,
            &first.assertion,
            &options.program,
            &options.device(),
        )?;
    }
    Ok(ExitCode::from(outcome.code()))
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
    let mut prepared = ready::prepare(&program, Needs::Needed)?;
    if prepared.scenario.memory.is_assumed {
        return Err(Error::NothingNonvolatile);
    }
    let reorders = |part: &brownout_scenario::Flash| part.order == Order::UntilSync;
    if prepared.scenario.flash.iter().any(reorders) {
        return Err(Error::CannotCrash {
            what: "parts that reorder operations (`order = \"until-sync\"`)".to_owned(),
        });
    }
    if prepared.program.target.pointer_bits > 16 {
        let memory = &mut prepared.scenario.memory;
        memory.stack_size.get_or_insert(STACK);
        if uses_heap(&prepared.program) {
            memory.heap_size.get_or_insert(HEAP);
        }
    }
    let explore = prepared.scenario.explore.clone();
    let keys = [
        ("explore.from", &explore.from),
        ("explore.until", &explore.until),
    ];
    for (key, at) in keys {
        let Some(at) = at else { continue };
        let is_there = |file: &str, line: u32| ready::is_at(at, file, line);
        if brownout_crash::mark(&mut prepared.program, &is_there) == 0 {
            let at = at.clone();
            return Err(Error::NoLine { key, at });
        }
    }
    let ready = prepared.ready()?;
    let image = &ready.image;
    let operations = |at: &Option<String>| {
        let at = at.as_ref()?;
        let is_there = |file: &str, line: u32| ready::is_at(at, file, line);
        Some(brownout_crash::operations(image, &is_there))
    };
    let scenario = &ready.scenario;
    let ghosts = image.program().globals.iter();
    let ghosts = ghosts.filter(|(_, data)| scenario.memory.ghosts.contains(&data.name));
    let request = Request {
        failures: explore.failures,
        tears: scenario
            .flash
            .iter()
            .map(|part| (part.tear, part.erase_tear))
            .collect(),
        atomic_write: scenario.memory.atomic_write,
        ghosts: ghosts.map(|(ghost, _)| ghost).collect(),
        from: operations(&explore.from),
        until: operations(&explore.until),
        instructions,
        // The rest is for the program and what boots need.
        memory: limits::memory(program.memory_limit)? / 4 * 3,
        jobs: 1,
        memo: Memo::On,
    };
    debug_assert_eq!(scenario.power.policy, Policy::Restart);
    Ok((ready, request))
}

/// Whether a program asks for memory from the heap.
fn uses_heap(program: &brownout_ir::Program) -> bool {
    let bodies = program
        .functions
        .values()
        .filter_map(|function| function.body.as_ref());
    let mut insts = bodies
        .flat_map(|body| body.blocks.values())
        .flat_map(|block| &block.insts);
    insts.any(|inst| {
        matches!(
            &inst.op,
            brownout_ir::Op::Service {
                service: brownout_ir::Service::HeapStart,
                ..
            }
        )
    })
}

/// Shows how far the exploration has come.
struct Watched<'w> {
    progress: &'w Progress,
    drawn: Mutex<Instant>,
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
    explored: &'o Explored,
    /// What `replay` needs to find the program.
    arguments: String,
    seconds: f64,
}

impl Outcome<'_> {
    /// Whether nothing was tried at all.
    fn is_idle(&self) -> bool {
        self.explored.coverage.operations == 0
    }

    fn code(&self) -> u8 {
        let is_complete = self.explored.coverage.complete && !self.is_idle();
        match (self.explored.violations.is_empty(), is_complete) {
            (false, _) => 1,
            (true, false) => 2,
            (true, true) => 0,
        }
    }

    fn print(&self, options: &CrashOptions) -> Result<(), Error> {
        let sources = check::sources(self.image.program());
        let findings: Vec<brownout_diag::Finding> = (self.explored.violations.iter())
            .map(words::finding)
            .collect();
        let text = match options.format {
            CheckFormat::Human => words::human(self.explored, &self.arguments, options),
            CheckFormat::Concise => findings
                .iter()
                .map(|finding| brownout_report::concise(finding) + "\n")
                .collect(),
            CheckFormat::Json => format!("{:#}\n", self.json()),
            CheckFormat::Sarif | CheckFormat::Html => {
                let fingerprints = brownout_report::fingerprints(&findings, &sources);
                let entries = findings.iter().zip(fingerprints);
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
                        .map(|(finding, fingerprint)| Entry {
                            finding,
                            fingerprint,
                            first_executed: None,
                            story: None,
                            standing: Standing::Open,
                        })
                        .collect(),
                };
                match options.format {
                    CheckFormat::Html => brownout_report::html(&[document]),
                    _ => format!("{:#}\n", brownout_report::sarif(&[document])),
                }
            }
        };
        console::result(options.output.as_deref(), |out| {
            out.write_all(text.as_bytes())
        })?;
        if options.format != CheckFormat::Concise && !options.program.quiet {
            if let End::Exited { status } = self.explored.undisturbed
                && status != 0
            {
                console::note(&format!(
                    "the undisturbed program exits with status {status}: the status of other boots is not judged"
                ));
            }
            let checked = words::checked(&self.explored.coverage, self.seconds);
            console::line(&checked);
        }
        let problems = self.problems();
        problems
            .iter()
            .for_each(|problem| console::line(&format!("error: {problem}")));
        Ok(())
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
        problems
    }

    /// What there is to say about the exploration as a whole.
    fn remarks(&self) -> Vec<String> {
        std::iter::once(self.scenario.assumptions())
            .chain(self.scenario.notes.iter().cloned())
            .chain([words::checked(&self.explored.coverage, self.seconds)])
            .chain(self.problems())
            .collect()
    }

    fn json(&self) -> Value {
        let coverage = &self.explored.coverage;
        let findings: Vec<Value> = (self.explored.violations.iter())
            .map(|violation| {
                let mut value = json!(brownout_report::json_finding(&words::finding(violation)));
                words::describe(violation, &mut value);
                value
            })
            .collect();
        let failures = coverage
            .failures
            .map_or_else(|| json!("all"), |most| json!(most));
        let shortfalls: Vec<String> = (coverage.shortfalls.iter()).map(words::shortfall).collect();
        json!({
            "format": 1,
            "tool": { "name": "brownout", "version": env!("CARGO_PKG_VERSION") },
            "scenario": check::scenario_json(self.scenario),
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
                "incomplete": shortfalls,
            },
            "findings": findings,
            "stats": {
                "instructions": coverage.instructions,
                "total_seconds": self.seconds,
            },
        })
    }
}
