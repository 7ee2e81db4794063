//! `brownout fix`: what checkpoints have to save, as a patch and as configuration, or written into
//! the files.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::process::ExitCode;
use std::time::Instant;

use brownout_device as device;
use brownout_diag::SourcePlace;
use brownout_flow::summary::{Part, Saver, Summary};
use brownout_flow::{Model, Restart};
use brownout_report::Sources;

use crate::check;
use crate::cli::{FixOptions, ProgramOptions, RestartAt};
use crate::console;
use crate::diff::{self, Edit};
use crate::error::Error;
use crate::limits;
use crate::load;
use crate::minimise;
use crate::ready;

/// How many objects one call of `brownout_checkpoint_with` takes.
pub(crate) const PAIRS: usize = 8;

pub(crate) fn fix(options: &FixOptions) -> Result<ExitCode, Error> {
    limits::time(options.time_limit, Instant::now());
    limits::keyboard();
    if options.minimise {
        return minimise::run(options);
    }
    let (summaries, sources) = summaries(&options.program, options.restart_at)?;
    let lacking: Vec<&Summary> = summaries
        .iter()
        .filter(|summary| !summary.missing.is_empty())
        .collect();
    let calls: Vec<Call> = lacking.iter().filter_map(|summary| call(summary)).collect();
    let edited = edits(&calls, &sources);
    match options.apply {
        true => apply(&edited, &sources)?,
        false => {
            let text = configuration(&needed(&lacking)) + &patch(&edited, &sources);
            console::result(options.output.as_deref(), |out| {
                out.write_all(text.as_bytes())
            })?;
        }
    }
    write_bitcode(options, &edited, &sources)?;
    let left: Vec<&Summary> = (lacking.iter().copied())
        .filter(|summary| options.apply && !is_written(summary, &edited))
        .collect();
    if !left.is_empty() {
        let places = left.iter().filter_map(|summary| summary.place.as_ref());
        tell_unwritten(places, &needed(&left));
        return Ok(ExitCode::from(2));
    }
    if lacking.is_empty() {
        console::note("nothing has to be saved that is not");
        return Ok(ExitCode::SUCCESS);
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
    Ok(ExitCode::SUCCESS)
}

/// What the checkpoints of a program save and have to save, and its source.
pub(crate) fn summaries(
    options: &ProgramOptions,
    restart: Option<RestartAt>,
) -> Result<(Vec<Summary>, Sources), Error> {
    let prepared = ready::prepare(options, device::Entry::Optional)?;
    let setting = device::setting(&prepared, restart.map(Restart::from));
    let program = device::with_constants(&prepared.program, &prepared.scenario);
    let model = Model::new(&program, &setting)?;
    let regions = brownout_flow::regions(&model)?;
    if !options.quiet {
        console::note(&device::assumptions(&prepared.scenario, &prepared.program));
        for assumption in brownout_flow::assumptions::assumptions(&model) {
            console::note(&format!("sound except: {assumption}"));
        }
    }
    let summaries = brownout_flow::summary::summaries(&model, &regions)?;
    Ok((summaries, check::sources(&prepared.program)))
}

/// The changes of all files as one patch.
pub(crate) fn patch(edited: &BTreeMap<String, Vec<Edit>>, sources: &Sources) -> String {
    let files = edited.iter().map(|(file, edits)| {
        let source = sources.get(file).map_or("", String::as_str);
        diff::unified(file, source, edits)
    });
    files.collect()
}

/// Changes the files, all or, if one cannot be written, those before it.
pub(crate) fn apply(edited: &BTreeMap<String, Vec<Edit>>, sources: &Sources) -> Result<(), Error> {
    for (file, edits) in edited {
        let source = sources.get(file).map_or("", String::as_str);
        std::fs::write(file, diff::applied(source, edits)).map_err(|error| Error::File {
            path: file.into(),
            error,
        })?;
        let count = edits.len() as u64;
        console::note(&format!(
            "{file}: {} changed",
            brownout_diag::plural(count, "line")
        ));
    }
    Ok(())
}

/// Whether the changed files let a checkpoint save all that it lacks.
fn is_written(summary: &Summary, edited: &BTreeMap<String, Vec<Edit>>) -> bool {
    let call = call(summary).filter(|_| summary.missing.iter().all(|part| part.global));
    call.is_some_and(|Call { place, .. }| {
        let edits = edited.get(&place.file);
        edits.is_some_and(|edits| edits.iter().any(|edit| edit.is_of(place.line as usize)))
    })
}

/// Says which checkpoints still lack something after files were changed, and what configuration would let them save.
pub(crate) fn tell_unwritten<'p>(places: impl Iterator<Item = &'p SourcePlace>, needed: &Needed) {
    for place in places {
        console::line(&format!(
            "error: {place}: no call there can save all of it: the source does not show how, names are not known there, or there are more than {PAIRS} of them"
        ));
    }
    let configuration = configuration(needed);
    if !configuration.is_empty() {
        console::line(&format!(
            "brownout.toml can say it:\n\n{}",
            configuration.trim_end()
        ));
    }
}

/// Writes the changed program as bitcode, if that is wanted.
pub(crate) fn write_bitcode(
    options: &FixOptions,
    edited: &BTreeMap<String, Vec<Edit>>,
    sources: &Sources,
) -> Result<(), Error> {
    let Some(path) = &options.bitcode else {
        return Ok(());
    };
    let rewritten = edited.iter().map(|(file, edits)| {
        let source = sources.get(file).map_or("", String::as_str);
        (file.into(), diff::applied(source, edits))
    });
    // Files that were changed on the way are what they are to be.
    let rewritten: Vec<_> = rewritten.filter(|_| !options.apply).collect();
    let bitcode = load::bitcode(&options.program, &rewritten)?;
    std::fs::write(path, bitcode).map_err(|error| Error::File {
        path: path.clone(),
        error,
    })
}

fn names(parts: &[Part]) -> Vec<String> {
    parts.iter().map(|part| part.name.clone()).collect()
}

/// The globals of some parts that can be named in the source, without what comes after a dot or
/// bracket.
fn variables(parts: &[Part]) -> BTreeSet<&str> {
    let globals = parts.iter().filter(|part| part.global);
    globals
        .filter_map(|part| part.name.split(['.', '[']).next())
        .collect()
}

/// What checkpoints have to save, by their places or tasks.
pub(crate) type Needed = BTreeMap<String, Names>;

/// The names of what one checkpoint has to save.
#[derive(Default)]
pub(crate) struct Names {
    /// Of non-volatile memory.
    pub(crate) saves: BTreeSet<String>,
    /// Of volatile state, if not all of it is to be restored.
    pub(crate) volatile: Option<BTreeSet<String>>,
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

/// How configuration names a checkpoint.
pub(crate) fn named(saver: &Saver, place: Option<&SourcePlace>) -> Option<String> {
    match (saver, place) {
        (Saver::Task(name), _) => Some(name.clone()),
        (Saver::Call | Saver::Placed, Some(place)) => {
            Some(format!("{}:{}", place.file, place.line))
        }
        (Saver::Call | Saver::Placed, None) | (Saver::Nothing, _) => None,
    }
}

/// What checkpoints are to save, as configuration.
pub(crate) fn configuration(needed: &Needed) -> String {
    let mut text = String::new();
    let list = |names: &BTreeSet<String>| {
        let names: Vec<String> = names.iter().map(|name| format!("{name:?}")).collect();
        names.join(", ")
    };
    for (at, Names { saves, volatile }) in needed {
        if saves.is_empty() && volatile.is_none() {
            continue;
        }
        let _ = writeln!(
            text,
            "[[checkpoint]]\nat = {at:?}\nsaves = [{}]",
            list(saves)
        );
        if let Some(volatile) = volatile {
            let _ = writeln!(text, "volatile = [{}]", list(volatile));
        }
        text.push('\n');
    }
    match text.is_empty() {
        true => text,
        false => format!("# brownout.toml\n{text}"),
    }
}

/// A call of a checkpoint that is to be another one.
pub(crate) struct Call {
    /// Where it is.
    pub(crate) place: SourcePlace,
    /// What it is to save, at most [`PAIRS`].
    pub(crate) saves: Vec<String>,
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
    let wanted: BTreeSet<String> = declared
        .chain(&summary.missing)
        .filter(|part| part.global)
        .map(|part| part.name.split("..").next().unwrap_or_default().to_owned())
        .collect();
    // What cannot be named as a part, or is too much for one call, is saved as a whole.
    let whole = wanted.len() > PAIRS || wanted.iter().any(|name| name.contains('['));
    let saves: Vec<String> = if whole {
        let parts: Vec<Part> = [&summary.declared[..], &summary.missing[..]].concat();
        variables(&parts).into_iter().map(str::to_owned).collect()
    } else {
        wanted.into_iter().collect()
    };
    (1..=PAIRS).contains(&saves.len()).then(|| Call {
        place: place.clone(),
        saves,
    })
}

/// For each line, the columns of the calls to replace and what they are to save.
type Changes<'c> = BTreeMap<u32, Vec<(u32, &'c [String])>>;

/// Calls of `brownout_checkpoint_with` instead of those that are there, by file.
pub(crate) fn edits(calls: &[Call], sources: &Sources) -> BTreeMap<String, Vec<Edit>> {
    let mut changes: BTreeMap<&str, Changes<'_>> = BTreeMap::new();
    for Call { place, saves } in calls {
        let lines = changes.entry(&place.file).or_default();
        let line = lines.entry(place.line).or_default();
        line.push((place.column, saves));
    }
    let mut edited = BTreeMap::new();
    for (file, lines) in changes {
        let Some(source) = sources.get(file) else {
            continue;
        };
        let mut edits = Vec::new();
        for (line, mut calls) in lines {
            let Some(old) = source.lines().nth(line as usize - 1) else {
                continue;
            };
            calls.sort();
            let mut new = old.to_owned();
            // From the right, so that columns stay what they are.
            for (column, wanted) in calls.iter().rev() {
                let is_plain = wanted.is_empty() && !old.contains("brownout_checkpoint_with");
                if is_plain {
                    continue;
                }
                if let Some(replaced) = replace_call(&new, *column, wanted) {
                    new = replaced;
                }
            }
            if new != old {
                edits.push(Edit::replace(line as usize, new));
            }
        }
        if edits.is_empty() {
            continue;
        }
        // A file that has its own checkpoints does not know the header yet.
        if !source.contains("brownout.h") {
            edits.insert(0, Edit::insert("#include <brownout.h>".to_owned()));
        }
        edited.insert(file.to_owned(), edits);
    }
    edited
}

/// The line with the call at `column` replaced.
fn replace_call(line: &str, column: u32, wanted: &[String]) -> Option<String> {
    let start = (column as usize).checked_sub(1)?;
    let rest = line.get(start..)?;
    let open = rest.find('(')?;
    let mut depth = 0;
    let end = rest[open..].char_indices().find_map(|(at, letter)| {
        match letter {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        (depth == 0).then_some(open + at + 1)
    })?;
    let pairs: Vec<String> = wanted
        .iter()
        .map(|name| format!("&{name}, sizeof {name}"))
        .collect();
    let call = match pairs.is_empty() {
        true => "brownout_checkpoint()".to_owned(),
        false => format!("brownout_checkpoint_with({})", pairs.join(", ")),
    };
    Some(format!("{}{call}{}", &line[..start], &rest[end..]))
}

#[cfg(test)]
mod tests {
    use super::replace_call;

    #[test]
    fn calls_are_replaced_where_they_are() {
        let wanted = ["count".to_owned()];
        assert_eq!(
            replace_call("    checkpoint(); x = f(1);", 5, &wanted).as_deref(),
            Some("    brownout_checkpoint_with(&count, sizeof count); x = f(1);")
        );
        assert_eq!(
            replace_call("if (a) save((int)b);", 8, &wanted).as_deref(),
            Some("if (a) brownout_checkpoint_with(&count, sizeof count);")
        );
        assert_eq!(replace_call("checkpoint(", 1, &wanted), None);
        assert_eq!(replace_call("", 9, &wanted), None);
    }
}
