//! `brownout fix`: what checkpoints have to save, as a patch and as configuration, or written into
//! the files.

use std::collections::BTreeSet;
use std::process::ExitCode;
use std::time::Instant;

use brownout_device::{self as device, Prepared};
use brownout_flow::summary::{Part, Saver, Summary};
use brownout_flow::{Model, Restart};
use brownout_verdict as verdict;

use crate::cli::{FixOptions, ProgramOptions, RestartAt};
use crate::console;
use crate::edited::{self, Call, Saved};
use crate::error::Error;
use crate::limits;
use crate::minimise;
use crate::ready;
use crate::saving::{
    Names, Needed, PAIRS, apply, configuration, named, patch, tell_not_enough, tell_unwritten,
    write_bitcode,
};
use crate::sources;
use crate::uncured;

pub(crate) fn fix(options: &FixOptions) -> Result<ExitCode, Error> {
    limits::time(options.time_limit, Instant::now());
    limits::keyboard();
    let mut options = options.clone();
    let device = options.device.settings();
    options.program.settings.extend(device);
    let options = &options;
    if options.minimise {
        return minimise::run(options);
    }
    let (prepared, all) = summaries(&options.program, options.restart_at)?;
    let sources = sources::read(&prepared.program);
    let lacking: Vec<&Summary> = all
        .iter()
        .filter(|summary| !summary.missing.is_empty())
        .collect();
    let calls: Vec<Call> = lacking.iter().filter_map(|summary| call(summary)).collect();
    let is_written = options.apply || options.bitcode.is_some();
    let mut edited = edited::edit(&options.program, &prepared, calls, &sources, is_written)?;
    let is_left = |summary: &&Summary| {
        let is_called = call(summary).is_some_and(|call| !edited.unwritten.contains(&call.place));
        !is_called || !summary.missing.iter().all(|part| part.global)
    };
    let left: Vec<&Summary> = (lacking.iter().copied())
        .filter(|summary| is_written && is_left(summary))
        .collect();
    let mut wanted = needed(&lacking);
    for summary in unrestored(&prepared, &all)? {
        let at = named(&summary.saver, summary.place.as_ref());
        let names = at.and_then(|at| Some((at.clone(), needed(&[summary]).remove(&at)?)));
        if let Some((at, names)) = names {
            let replaces = true;
            wanted.insert(at, Names { replaces, ..names });
        }
    }
    // Whatever configuration says of checkpoints holds for the changed program, too.
    let changed = edited.prepared(&prepared);
    let is_enough = |changed: &Prepared| -> Result<bool, Error> {
        if !left.is_empty() {
            return Ok(true);
        }
        let all = summaries_of(changed, options.restart_at)?;
        let is_whole = all.iter().all(|summary| summary.missing.is_empty());
        Ok(is_whole && unrestored(changed, &all)?.is_empty())
    };
    let is_seen = changed
        .as_ref()
        .is_ok_and(|it| is_enough(it).unwrap_or(false));
    if is_written && !is_seen {
        tell_not_enough(&wanted);
        return Ok(ExitCode::from(2));
    }
    match options.apply {
        true => apply(&edited.files, &sources)?,
        false => {
            let text = configuration(&wanted) + &patch(&edited.files, &sources);
            console::result(options.output.as_deref(), |out| {
                out.write_all(text.as_bytes())
            })?;
        }
    }
    write_bitcode(options, &edited.files, &sources)?;
    if !left.is_empty() {
        let places = left.iter().filter_map(|summary| summary.place.as_ref());
        tell_unwritten(places, &needed(&left));
        return Ok(ExitCode::from(2));
    }
    if lacking.is_empty() && wanted.is_empty() {
        console::note("nothing has to be saved that is not");
    }
    for summary in &lacking {
        let place = summary.place.as_ref();
        let at = place.map_or_else(String::new, |place| format!(" at {place}"));
        let names = names(&summary.missing).join(", ");
        let what = &summary.what;
        if summary.saver == Saver::Nothing {
            console::note(&format!(
                "{what}{at}: nothing was saved before that could be restored: {names}"
            ));
        } else if summary.missing.iter().any(|part| part.symbol.is_none()) {
            console::note(&format!("{what}{at}: not every object has a name: {names}"));
        }
    }
    let is_saved = wanted.is_empty() || is_written;
    let is_uncured = uncured::tell(options, changed?, is_saved)?;
    Ok(ExitCode::from(u8::from(is_uncured)))
}

/// A program, and what its checkpoints save and have to save.
pub(crate) fn summaries(
    options: &ProgramOptions,
    restart: Option<RestartAt>,
) -> Result<(Prepared, Vec<Summary>), Error> {
    let prepared = ready::prepare(options, device::Entry::Optional)?;
    let setting = device::setting(&prepared, restart.map(Restart::from));
    let program = device::with_constants(&prepared.program, &prepared.scenario);
    let model = Model::new(&program, &setting)?;
    if !options.quiet {
        console::note(&device::assumptions(&prepared.scenario, &prepared.program));
        for assumption in brownout_flow::assumptions::assumptions(&model) {
            console::note(&format!("sound except: {assumption}"));
        }
    }
    let summaries = summaries_of_model(&prepared, &model)?;
    Ok((prepared, summaries))
}

/// What the checkpoints of a program save and have to save.
fn summaries_of(prepared: &Prepared, restart: Option<RestartAt>) -> Result<Vec<Summary>, Error> {
    let setting = device::setting(prepared, restart.map(Restart::from));
    let program = device::with_constants(&prepared.program, &prepared.scenario);
    summaries_of_model(prepared, &Model::new(&program, &setting)?)
}

fn summaries_of_model(prepared: &Prepared, model: &Model<'_>) -> Result<Vec<Summary>, Error> {
    let regions = brownout_flow::regions(model)?;
    let mut summaries = brownout_flow::summary::summaries(model, &regions)?;
    // What is meant to change across power failures, and the notebook of a test: no checkpoint is to save these.
    let scenario = &prepared.scenario;
    let aware = (scenario.variables.iter()).filter(|variable| variable.intermittence_aware);
    let aware: BTreeSet<&String> = aware.map(|variable| &variable.name).collect();
    let is_kept = |name: &String| aware.contains(name) || scenario.memory.ghosts.contains(name);
    let is_kept = |part: &Part| part.symbol.as_ref().is_some_and(is_kept);
    for summary in &mut summaries {
        for parts in [
            &mut summary.war,
            &mut summary.inputs,
            &mut summary.any_branch,
            &mut summary.missing,
        ] {
            parts.retain(|part| !is_kept(part));
        }
    }
    Ok(summaries)
}

/// The checkpoints that do not restore all volatile state that is used after them.
fn unrestored<'s>(prepared: &Prepared, all: &'s [Summary]) -> Result<Vec<&'s Summary>, Error> {
    let places = verdict::prove::unrestored(prepared)?;
    let is_there = |summary: &&Summary| {
        let mut places = places.iter();
        summary.place.as_ref().is_some_and(|place| {
            places
                .any(|it| (&it.file, it.line, it.column) == (&place.file, place.line, place.column))
        })
    };
    Ok(all.iter().filter(is_there).collect())
}

fn names(parts: &[Part]) -> Vec<String> {
    parts.iter().map(|part| part.name.clone()).collect()
}

/// The objects that each checkpoint has to save, as a whole.
fn needed(lacking: &[&Summary]) -> Needed {
    let mut all = Needed::new();
    for summary in lacking {
        if let Some(at) = named(&summary.saver, summary.place.as_ref()) {
            let needed = summary.war.iter().chain(&summary.inputs);
            let symbols = needed.filter_map(|part| part.symbol.clone());
            all.entry(at).or_default().saves.extend(symbols);
        }
    }
    all
}

/// The call that saves what a checkpoint lacks, if one can.
fn call(summary: &Summary) -> Option<Call> {
    let place = summary
        .place
        .as_ref()
        .filter(|_| summary.saver == Saver::Call)?;
    let declared = summary
        .declared
        .iter()
        .filter(|part| !summary.superfluous.contains(part));
    let named = |part: &Part, name: &str| {
        let symbol = part.symbol.clone().filter(|_| part.global)?;
        let name = name.to_owned();
        Some(Saved { name, symbol })
    };
    let part = |part: &Part| named(part, part.name.split("..").next()?);
    let mut saves: BTreeSet<Saved> = declared.chain(&summary.missing).filter_map(part).collect();
    // What cannot be named as a part, or is too much for one call, is saved as a whole.
    if saves.len() > PAIRS || saves.iter().any(|saved| saved.name.contains('[')) {
        let parts = summary.declared.iter().chain(&summary.missing);
        let whole = |part: &Part| named(part, part.name.split(['.', '[']).next()?);
        saves = parts.filter_map(whole).collect();
    }
    let saves: Vec<Saved> = saves.into_iter().collect();
    (1..=PAIRS).contains(&saves.len()).then(|| Call {
        place: place.clone(),
        saves,
    })
}
