//! `brownout fix --minimise`: the least that checkpoints have to save, proved to be enough.
//!
//! **Invariant**: what is written into files or printed as a patch is exactly what was proved; where
//! a call or a line of configuration would save more than that, there is none.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::process::ExitCode;

use brownout_device::Prepared;
use brownout_diag::SourcePlace;
use brownout_flow::sets::Cells;
use brownout_flow::summary::{Part, Saver, parts, summaries};
use brownout_flow::{Model, Region, Setting, Stopped};
use brownout_solver::Solver;
use brownout_verdict as verdict;
use brownout_verify::minimise::{Baselines, ElementKind, Minimised, Minimum, minimise};
use brownout_verify::{Prover, Why};
use serde_json::{Value, json};

use crate::cli::{CheckFormat, FixOptions};
use crate::console;
use crate::edited::{self, Call, Edited, Saved};
use crate::error::Error;
use crate::limits;
use crate::ready;
use crate::saving::{self, Needed};
use crate::solvers;
use crate::sources;

pub(crate) fn run(options: &FixOptions) -> Result<ExitCode, Error> {
    let prepared = ready::prepare(&options.program, brownout_device::Entry::Optional)?;
    if !options.program.quiet {
        console::note(&brownout_device::assumptions(
            &prepared.scenario,
            &prepared.program,
        ));
    }
    let plain = verdict::prove::setting(&prepared);
    let program = verdict::prove::program(&prepared);
    let mut solver = solvers::solver(options.solver.as_deref(), None);
    // Locals that stay memory can be chosen among; as values, more can be proved.
    let chosen = Setting {
        unpromoted: verdict::prove::in_progress_at_checkpoints(&prepared),
        ..plain.clone()
    };
    let search = |setting: &Setting, solver: &mut dyn Solver| -> Result<Minimum, Stopped> {
        let model = Model::new(&program, setting)?;
        let regions = brownout_flow::regions(&model)?;
        let question = verdict::prove::question(&prepared, setting);
        let prover = Prover::new(&model, &question, &regions);
        Ok(minimise(&model, &prover, &regions, solver))
    };
    let first = search(&chosen, &mut *solver)?;
    let (setting, found) = match first {
        Minimum::Open(_) if !chosen.unpromoted.is_empty() => {
            let second = search(&plain, &mut *solver)?;
            (plain, second)
        }
        first => (chosen, first),
    };
    let model = Model::new(&program, &setting)?;
    let regions = brownout_flow::regions(&model)?;
    let found = match found {
        Minimum::Found(found) => found,
        Minimum::Open(open) => {
            let reasons = open.iter().map(|open| verdict::prove::reason(&model, open));
            let harm = verdict::prove::despite_everything(&prepared, &limits::is_up);
            let (verdict, reason, code) = match harm {
                Some(harm) => {
                    let place = harm.producer.as_ref().or(harm.consumer.as_ref());
                    let at =
                        place.map_or_else(String::new, |at| format!("{}:{}: ", at.file, at.line));
                    let reason = format!("{at}{}, whatever checkpoints save", harm.message);
                    ("counterexample", reason, 1)
                }
                None => ("unknown", reasons.collect::<Vec<_>>().join("; "), 2),
            };
            let text = match options.format {
                CheckFormat::Json => {
                    let document = json!({
                        "format": 1, "verdict": verdict, "reason": reason, "checkpoints": [],
                    });
                    format!("{document:#}\n")
                }
                _ => format!("{verdict}: {reason}\n"),
            };
            console::result(options.output.as_deref(), |out| {
                out.write_all(text.as_bytes())
            })?;
            return Ok(ExitCode::from(code));
        }
    };
    let mut written = Written::new(&model, &regions, &found)?;
    let sources = sources::read(&prepared.program);
    let is_changed = options.apply || options.bitcode.is_some();
    let mut edited = Edited::default();
    if is_changed || options.print {
        let calls = written.calls;
        edited = edited::edit(&options.program, &prepared, calls, &sources, is_changed)?;
    }
    // Whatever configuration says of checkpoints holds for the changed program, too.
    let is_told = !written.unwritten.is_empty() || !edited.unwritten.is_empty();
    let is_enough = !is_changed
        || (edited.prepared(&prepared))
            .is_ok_and(|changed| is_told || is_proved(&changed, &mut *solver));
    let unwritten = [written.unwritten, edited.unwritten].concat();
    let mut text = match options.format {
        CheckFormat::Json => format!("{:#}\n", document(&prepared, &model, &found)),
        _ => human(&model, &found),
    };
    if options.print && options.format != CheckFormat::Json {
        text += &saving::configuration(&written.needed);
        text += &saving::patch(&edited.files, &sources);
    }
    console::result(options.output.as_deref(), |out| {
        out.write_all(text.as_bytes())
    })?;
    if !is_enough {
        for names in written.needed.values_mut() {
            names.replaces = true;
        }
        saving::tell_not_enough(&written.needed);
        return Ok(ExitCode::from(2));
    }
    if options.apply {
        saving::apply(&edited.files, &sources)?;
    }
    saving::write_bitcode(options, &edited.files, &sources)?;
    if is_changed && !unwritten.is_empty() {
        saving::tell_unwritten(unwritten.iter(), &written.needed);
        return Ok(ExitCode::from(2));
    }
    if options.print || is_changed {
        for place in unwritten.iter().filter(|_| options.print) {
            console::note(&format!(
                "{place}: no call there can save exactly this: the source does not show how, names are not known there, or there are more than {} of them",
                saving::PAIRS
            ));
        }
        if !prepared.scenario.power.saves_at.is_empty() || saves_everywhere(&prepared) {
            console::note("what brownout.toml saves besides is not needed");
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Whether no power failure shows in a program. What the proof of it cannot follow is not proved.
fn is_proved(prepared: &Prepared, solver: &mut dyn Solver) -> bool {
    let plain = verdict::prove::setting(prepared);
    let chosen = Setting {
        unpromoted: verdict::prove::in_progress_at_checkpoints(prepared),
        ..plain.clone()
    };
    [plain, chosen].iter().any(|setting| {
        let solver = &mut *solver;
        let outcome = verdict::prove::prove(prepared, setting, move || Some(solver));
        outcome.is_ok_and(|outcome| outcome.is_proved())
    })
}

/// Whether configuration lets every checkpoint save something.
fn saves_everywhere(prepared: &Prepared) -> bool {
    match &prepared.scenario.power.saves {
        brownout_scenario::Saves::Everything => true,
        brownout_scenario::Saves::Symbols(symbols) => !symbols.is_empty(),
    }
}

/// What was found, as changes of the program and as configuration.
struct Written {
    calls: Vec<Call>,
    /// Of those that can be configured.
    needed: Needed,
    /// The places of checkpoints that save by no call.
    unwritten: Vec<SourcePlace>,
}

impl Written {
    fn new(model: &Model<'_>, regions: &[Region], found: &[Minimised]) -> Result<Self, Stopped> {
        let mut written = Self {
            calls: Vec::new(),
            needed: Needed::new(),
            unwritten: Vec::new(),
        };
        let savers: BTreeMap<(String, u32, u32), Saver> = summaries(model, regions)?
            .into_iter()
            .filter_map(|summary| {
                let place = summary.place?;
                Some(((place.file, place.line, place.column), summary.saver))
            })
            .collect();
        for checkpoint in found {
            let Some(place) = model.source_place(checkpoint.site) else {
                continue;
            };
            let key = (place.file.clone(), place.line, place.column);
            let saver = savers.get(&key).unwrap_or(&Saver::Nothing);
            let parts = parts(model, &checkpoint.cells);
            let configured = |part: &Part| {
                let path = part.name.find(['.', '[']).map_or("", |at| &part.name[at..]);
                let symbol = part.symbol.as_ref().filter(|_| !path.contains(".."))?;
                Some(format!("{symbol}{path}"))
            };
            let is_nameable =
                |part: &Part| part.global && !part.name.contains('[') && !part.name.contains("..");
            let names: Option<Vec<String>> = parts.iter().map(configured).collect();
            if let (Some(at), Some(names)) = (saving::named(saver, Some(&place)), names) {
                let volatile = volatile(model, checkpoint, &configured);
                let written = written.needed.entry(at).or_default();
                written.saves.extend(names);
                // Several checkpoints of one line restore what each of them needs.
                let others = written.volatile.take().unwrap_or_default();
                written.volatile = volatile.map(|names| &names | &others);
            }
            if *saver == Saver::Call
                && parts.len() <= saving::PAIRS
                && parts.iter().all(is_nameable)
            {
                let saved = |part: Part| {
                    let (name, symbol) = (part.name, part.symbol?);
                    Some(Saved { name, symbol })
                };
                let saves = parts.into_iter().filter_map(saved).collect();
                written.calls.push(Call { place, saves });
            } else if !parts.is_empty() {
                written.unwritten.push(place);
            }
        }
        Ok(written)
    }
}

/// What configuration calls the volatile state that a checkpoint has to restore; none: all of it is.
fn volatile(
    model: &Model<'_>,
    checkpoint: &Minimised,
    configured: &dyn Fn(&Part) -> Option<String>,
) -> Option<BTreeSet<String>> {
    if checkpoint.volatile.is_some() {
        return None;
    }
    let mut names = BTreeSet::new();
    for element in &checkpoint.saved {
        match element.kind {
            ElementKind::Nonvolatile => {}
            ElementKind::Volatile if !element.name.contains("::") => {
                let mut cells = Cells::with_capacity(model.accesses.cells.len());
                cells.extend(element.cells.iter().map(|cell| *cell as usize));
                for part in parts(model, &cells) {
                    names.insert(configured(&part)?);
                }
            }
            ElementKind::Volatile | ElementKind::Register(..) => {
                names.insert(element.name.clone());
            }
        }
    }
    Some(names)
}

/// Bytes of registers and volatile memory that a checkpoint has to restore.
fn volatile_bytes(checkpoint: &Minimised) -> u64 {
    let elements = checkpoint.saved.iter();
    let elements = elements.filter(|element| element.kind != ElementKind::Nonvolatile);
    let chosen: u64 = elements.map(|element| element.bytes).sum();
    checkpoint.volatile.unwrap_or(chosen)
}

/// Bytes that a checkpoint has to save, registers and live locals included.
fn bytes(checkpoint: &Minimised) -> u64 {
    let elements = checkpoint.saved.iter();
    let elements = elements.filter(|element| element.kind == ElementKind::Nonvolatile);
    volatile_bytes(checkpoint) + elements.map(|element| element.bytes).sum::<u64>()
}

fn baselines(baselines: &Baselines) -> Value {
    json!({
        "everything": baselines.everything, "dino": baselines.dino, "emw": baselines.exclusive,
    })
}

fn document(prepared: &Prepared, model: &Model<'_>, found: &[Minimised]) -> Value {
    let mut sum = Baselines::default();
    let mut all = Vec::new();
    for (index, checkpoint) in found.iter().enumerate() {
        sum.everything += checkpoint.baselines.everything;
        sum.dino += checkpoint.baselines.dino;
        sum.exclusive += checkpoint.baselines.exclusive;
        let saves: Vec<Value> = checkpoint
            .saved
            .iter()
            .enumerate()
            .map(|(number, element)| {
                let offset = element.cells.first().map(|cell| model.object(*cell).offset);
                let symbol = element.name.split(['.', '[']).next();
                let is_over = || limits::is_up();
                let harm =
                    verdict::prove::without(prepared, model, found, (index, number), &is_over);
                let (needed, reason) = match (harm, &element.without) {
                    (Some(finding), _) => ("counterexample", finding.message),
                    // What is known is that the proof fails, and why.
                    (None, Why::Shows) => ("unknown", "not repeatable from some state".to_owned()),
                    (None, Why::Limit(why) | Why::Unsupported(why)) => ("unknown", why.clone()),
                    (None, Why::NoSolver) => ("unknown", "there is no solver".to_owned()),
                };
                json!({
                    "name": element.name, "object": symbol, "offset": offset,
                    "bytes": element.bytes,
                    "nonvolatile": element.kind == ElementKind::Nonvolatile,
                    "needed": needed,
                    "reason": reason,
                })
            })
            .collect();
        let place = model.source_place(checkpoint.site);
        let place = place.as_ref();
        all.push(json!({
            "file": place.map(|place| &place.file),
            "line": place.map(|place| place.line),
            "function": place.map(|place| &place.function),
            "saves": saves,
            "volatile": volatile_bytes(checkpoint),
            "bytes": bytes(checkpoint),
            "of": checkpoint.baselines.everything,
            "baselines": baselines(&checkpoint.baselines),
        }));
    }
    json!({
        "format": 1, "verdict": "proved", "checkpoints": all,
        "bytes": found.iter().map(bytes).sum::<u64>(), "baselines": baselines(&sum),
    })
}

fn human(model: &Model<'_>, found: &[Minimised]) -> String {
    let mut text = String::new();
    for checkpoint in found {
        let place = model.source_place(checkpoint.site);
        let place = place.map_or_else(String::new, |place| {
            format!("{}:{}", place.file, place.line)
        });
        let names = checkpoint.saved.iter().map(|element| element.name.as_str());
        let names: Vec<&str> = names.collect();
        let names = match names.is_empty() {
            true => "nothing".to_owned(),
            false => names.join(", "),
        };
        let _ = writeln!(
            text,
            "checkpoint {place}  saves {names}  {} of {} bytes (registers and live locals included)",
            bytes(checkpoint),
            checkpoint.baselines.everything,
        );
    }
    if text.is_empty() {
        text.push_str("no checkpoints\n");
    }
    text
}
