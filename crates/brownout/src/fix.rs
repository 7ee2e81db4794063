//! `brownout fix --print`: what checkpoints have to save, as a patch and as configuration.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::process::ExitCode;

use brownout_flow::summary::{Part, Saver, Summary};

use crate::cli::FixOptions;
use crate::console;
use crate::error::Error;
use crate::minimise;
use crate::static_check;

/// How many objects one call of `brownout_checkpoint_with` takes.
const PAIRS: usize = 8;

pub(crate) fn fix(options: &FixOptions) -> Result<ExitCode, Error> {
    if options.minimise {
        return minimise::run(options);
    }
    let (summaries, sources) = static_check::summaries(&options.program, options.restart_at)?;
    let lacking: Vec<&Summary> = summaries
        .iter()
        .filter(|summary| !summary.missing.is_empty())
        .collect();
    let text = configuration(&lacking) + patch(&lacking, &sources).as_str();
    console::result(options.output.as_deref(), |out| {
        out.write_all(text.as_bytes())
    })?;
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

fn names(parts: &[Part]) -> Vec<String> {
    parts.iter().map(|part| part.name.clone()).collect()
}

/// The globals of some parts that can be named in the source, without what is behind a dot or
/// bracket.
fn variables(parts: &[Part]) -> BTreeSet<&str> {
    let globals = parts.iter().filter(|part| part.global);
    globals
        .filter_map(|part| part.name.split(['.', '[']).next())
        .collect()
}

/// What each checkpoint is to save, as configuration.
fn configuration(lacking: &[&Summary]) -> String {
    let mut all: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    for summary in lacking {
        let at = match (&summary.saver, &summary.place) {
            (Saver::Task(name), _) => name.clone(),
            (Saver::Call | Saver::Placed, Some(place)) => format!("{}:{}", place.file, place.line),
            (Saver::Call | Saver::Placed, None) | (Saver::Nothing, _) => continue,
        };
        let needed = summary.war.iter().chain(&summary.inputs);
        let symbols = needed.filter_map(|part| part.symbol.as_deref());
        all.entry(at).or_default().extend(symbols);
    }
    let mut text = String::new();
    for (at, symbols) in all.iter().filter(|(_, symbols)| !symbols.is_empty()) {
        let list: Vec<String> = symbols.iter().map(|name| format!("{name:?}")).collect();
        let list = list.join(", ");
        let _ = writeln!(text, "[[checkpoint]]\nat = {at:?}\nsaves = [{list}]\n");
    }
    match text.is_empty() {
        true => text,
        false => format!("# brownout.toml\n{text}"),
    }
}

/// For each line, the columns of the calls to replace and what they are to save.
type Changes = BTreeMap<u32, Vec<(u32, Vec<String>)>>;

/// Calls of `brownout_checkpoint_with` instead of those that are there, as a unified diff.
fn patch(lacking: &[&Summary], sources: &brownout_report::Sources) -> String {
    let mut changes: BTreeMap<&str, Changes> = BTreeMap::new();
    for summary in lacking.iter().filter(|it| it.saver == Saver::Call) {
        let Some(place) = &summary.place else {
            continue;
        };
        let mut wanted: BTreeSet<String> = BTreeSet::new();
        let declared = summary
            .declared
            .iter()
            .filter(|part| !summary.superfluous.contains(part));
        for part in declared.chain(&summary.missing).filter(|part| part.global) {
            wanted.insert(part.name.split("..").next().unwrap_or_default().to_owned());
        }
        // What cannot be named as a part, or is too much for one call, is saved as a whole.
        let whole = wanted.len() > PAIRS || wanted.iter().any(|name| name.contains('['));
        let wanted: Vec<String> = if whole {
            let parts: Vec<Part> = [&summary.declared[..], &summary.missing[..]].concat();
            variables(&parts).into_iter().map(str::to_owned).collect()
        } else {
            wanted.into_iter().collect()
        };
        if (1..=PAIRS).contains(&wanted.len()) {
            let lines = changes.entry(&place.file).or_default();
            lines
                .entry(place.line)
                .or_default()
                .push((place.column, wanted));
        }
    }
    let mut text = String::new();
    for (file, lines) in changes {
        let Some(source) = sources.get(file) else {
            continue;
        };
        let mut hunks = String::new();
        // A file that has its own checkpoints does not know the header yet.
        let included = source.contains("brownout.h");
        let shift = u32::from(!included);
        for (line, mut calls) in lines {
            let Some(old) = source.lines().nth(line as usize - 1) else {
                continue;
            };
            calls.sort();
            let mut new = old.to_owned();
            // From the right, so that columns stay what they are.
            for (column, wanted) in calls.iter().rev() {
                if let Some(replaced) = replace_call(&new, *column, wanted) {
                    new = replaced;
                }
            }
            if new != old {
                let now = line + shift;
                let _ = writeln!(hunks, "@@ -{line} +{now} @@\n-{old}\n+{new}");
            }
        }
        if !hunks.is_empty() {
            let include = match included {
                true => "",
                false => "@@ -0,0 +1 @@\n+#include <brownout.h>\n",
            };
            let _ = write!(text, "--- {file}\n+++ {file}\n{include}{hunks}");
        }
    }
    text
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
    let call = format!("brownout_checkpoint_with({})", pairs.join(", "));
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
