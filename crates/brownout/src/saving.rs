//! What checkpoints are to save, written down: as configuration, as a patch, in the files, as bitcode.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use brownout_diag::SourcePlace;
use brownout_flow::summary::Saver;
use brownout_report::Sources;

use crate::cli::FixOptions;
use crate::console;
use crate::diff::{self, Edit};
use crate::edited;
use crate::error::Error;
use crate::load;

/// How many objects one call of `brownout_checkpoint_with` takes.
pub(crate) const PAIRS: usize = 8;

/// What checkpoints have to save, by their places or tasks.
pub(crate) type Needed = BTreeMap<String, Names>;

/// The names of what one checkpoint has to save.
#[derive(Default)]
pub(crate) struct Names {
    /// Of non-volatile memory.
    pub(crate) saves: BTreeSet<String>,
    /// Of volatile state, if not all of it is to be restored.
    pub(crate) volatile: Option<BTreeSet<String>>,
    /// Whether this is said even if it is nothing, in the place of a section that restores too little.
    pub(crate) replaces: bool,
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
    for (at, names) in needed {
        let Names {
            saves,
            volatile,
            replaces,
        } = names;
        if saves.is_empty() && volatile.is_none() && !replaces {
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

/// Says that no file was changed, because the changed program would not save enough, and what configuration would.
pub(crate) fn tell_not_enough(needed: &Needed) {
    console::line(
        "error: with what brownout.toml says of checkpoints, the changed program was not seen to save enough: nothing was changed",
    );
    let configuration = configuration(needed);
    if !configuration.is_empty() {
        console::line(&format!(
            "this in brownout.toml, in the place of what it says of these checkpoints, is enough:\n\n{}",
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
    // Files that were changed on the way are what they are to be.
    let rewritten = match options.apply {
        true => Vec::new(),
        false => edited::rewritten(edited, sources),
    };
    let bitcode = load::bitcode(&options.program, &rewritten)?;
    std::fs::write(path, bitcode).map_err(|error| Error::File {
        path: path.clone(),
        error,
    })
}
