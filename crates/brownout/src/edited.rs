//! Calls of checkpoints that are to be others, as changes of files.
//!
//! **Invariant**: a call is changed only if the changed program, compiled, is seen to save there what is
//! wanted: names can be hidden or unknown where the call is, and the text there need not be the call.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::PathBuf;

use brownout_device::{Entry, Linked, Prepared};
use brownout_diag::SourcePlace;
use brownout_ir::{Callee, Op, Operand, Program, Service};
use brownout_report::Sources;

use crate::cli::ProgramOptions;
use crate::config;
use crate::console;
use crate::diff::{self, Edit};
use crate::error::Error;
use crate::load;
use crate::ready;

/// The macro that saves what its arguments name.
const WITH: &str = "brownout_checkpoint_with";

/// A call of a checkpoint that is to be another one.
#[derive(Clone)]
pub(crate) struct Call {
    /// Where it is.
    pub(crate) place: SourcePlace,
    /// What it is to save, at most [`crate::saving::PAIRS`].
    pub(crate) saves: Vec<Saved>,
}

/// Something that a call saves.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Saved {
    /// What the source calls it.
    pub(crate) name: String,
    /// The symbol of the global that it is, or is a part of.
    pub(crate) symbol: String,
}

/// Files with calls changed.
#[derive(Default)]
pub(crate) struct Edited {
    /// The changes of each file.
    pub(crate) files: BTreeMap<String, Vec<Edit>>,
    /// The calls that could not be changed.
    pub(crate) unwritten: Vec<SourcePlace>,
    /// The changed program, if something was changed and that could be compiled.
    changed: Option<(Linked, config::Loaded)>,
}

impl Edited {
    /// The program as it is with the changes and with what configuration says of it.
    ///
    /// # Errors
    /// If they do not go together: lines that configuration names can be others.
    pub(crate) fn prepared(&mut self, unchanged: &Prepared) -> Result<Prepared, Error> {
        match self.changed.take() {
            Some((linked, loaded)) => ready::prepare_linked(linked, None, &loaded, Entry::Optional),
            None => Ok(unchanged.clone()),
        }
    }
}

/// Changes these calls, as far as that can be done. `is_tried` if only what was compiled and looked at is to be
/// changed, even if the program was not made of sources.
pub(crate) fn edit(
    options: &ProgramOptions,
    prepared: &Prepared,
    calls: Vec<Call>,
    sources: &Sources,
    is_tried: bool,
) -> Result<Edited, Error> {
    let known = Known(prepared);
    let mut unwritten = Vec::new();
    let mut calls: Vec<Call> = calls
        .into_iter()
        .filter(|call| !known.saves(&prepared.program, &call.place, call.place.column, call))
        .collect();
    let mut refuse = |calls: &mut Vec<Call>, is_wrong: &mut dyn FnMut(&Call) -> bool| {
        let wrong: Vec<bool> = calls.iter().map(is_wrong).collect();
        let mut all = wrong.iter();
        let places = calls.iter().zip(&wrong).filter(|(_, wrong)| **wrong);
        unwritten.extend(places.map(|(call, _)| call.place.clone()));
        calls.retain(|_| !all.next().copied().unwrap_or(false));
        wrong.contains(&true)
    };
    refuse(&mut calls, &mut |call| !known.are_declared(call));
    let mut compiled = None;
    let files = loop {
        let (files, columns) = known.changed(&calls, sources);
        let mut places = columns.iter();
        if refuse(&mut calls, &mut |_| {
            places.next().is_none_or(Option::is_none)
        }) {
            continue;
        }
        if files.is_empty() {
            break files;
        }
        let rewritten = rewritten(&files, sources);
        let (linked, loaded) = match load::rewritten(options, &rewritten) {
            Ok(Some(changed)) => changed,
            Ok(None) if !is_tried => break files,
            Ok(None) => {
                refuse(&mut calls, &mut |_| true);
                break BTreeMap::new();
            }
            Err(error) => {
                console::note(&format!("the changed program does not compile: {error}"));
                refuse(&mut calls, &mut |_| true);
                break BTreeMap::new();
            }
        };
        let mut columns = columns.into_iter().flatten();
        let is_wrong = &mut |call: &Call| {
            let inserted = files.get(&call.place.file).map_or(0, |edits| {
                edits.iter().filter(|edit| edit.is_insertion()).count() as u32
            });
            let place = SourcePlace {
                line: call.place.line + inserted,
                ..call.place.clone()
            };
            let column = columns.next().unwrap_or(call.place.column);
            !known.saves(&linked.program, &place, column, call)
        };
        if !refuse(&mut calls, is_wrong) {
            compiled = Some((linked, loaded));
            break files;
        }
    };
    Ok(Edited {
        files,
        unwritten,
        changed: compiled,
    })
}

/// The changed texts of the files.
pub(crate) fn rewritten(
    files: &BTreeMap<String, Vec<Edit>>,
    sources: &Sources,
) -> Vec<(PathBuf, String)> {
    let texts = files.iter().map(|(file, edits)| {
        let source = sources.get(file).map_or("", String::as_str);
        (file.into(), diff::applied(source, edits))
    });
    texts.collect()
}

/// The program as it is.
struct Known<'p>(&'p Prepared);

impl Known<'_> {
    /// Whether a function commits, by its symbol.
    fn commits(&self, symbol: &str) -> bool {
        let mut checkpoints = self.0.scenario.power.checkpoints.iter();
        checkpoints.any(|checkpoint| checkpoint == symbol)
    }

    /// Whether the source has the word as the name of a function that commits. Symbols of C++ have it inside.
    fn is_name(&self, word: &str) -> bool {
        let mut checkpoints = self.0.scenario.power.checkpoints.iter();
        word == WITH
            || checkpoints.any(|name| name == word || name.starts_with("_Z") && name.contains(word))
    }

    /// Whether nothing that a call is to save is declared after it.
    fn are_declared(&self, call: &Call) -> bool {
        let program = &self.0.program;
        let source = &program.source;
        call.saves.iter().all(|saved| {
            let mut globals = program.globals.values();
            let place = globals
                .find(|data| data.name == saved.symbol)
                .and_then(|data| source.places.get(data.place?));
            place.is_none_or(|place| {
                source.files[place.file] != call.place.file || place.line < call.place.line
            })
        })
    }

    /// The bytes that a call is to save, if all of its parts are known.
    fn bytes(&self, call: &Call) -> Option<Extents> {
        let program = &self.0.program;
        let parts = call.saves.iter().map(|saved| {
            let mut globals = program.globals.values();
            let data = globals.find(|data| data.name == saved.symbol)?;
            let bytes = match saved.name.find(['.', '[']) {
                None => 0..data.size,
                Some(at) => program.source.part(data.ty?, &saved.name[at..])?.0,
            };
            Some((saved.symbol.clone(), bytes))
        });
        Some(joined(parts.collect::<Option<_>>()?))
    }

    /// Whether the calls at a place of a program save exactly what one is to save.
    fn saves(&self, program: &Program, place: &SourcePlace, column: u32, wanted: &Call) -> bool {
        let Some(wanted) = self.bytes(wanted) else {
            return false;
        };
        let is_there = |at: Option<brownout_ir::source::Place>| {
            let at = at.and_then(|at| program.source.places.get(at));
            at.is_some_and(|at| {
                (at.line, at.column) == (place.line, column)
                    && program.source.files[at.file] == place.file
            })
        };
        let bodies = program.functions.values().filter_map(|it| it.body.as_ref());
        let mut found = false;
        for insts in bodies.flat_map(|body| body.blocks.values().map(|block| &block.insts)) {
            for (index, inst) in insts.iter().enumerate() {
                let saved = match &inst.op {
                    _ if !is_there(inst.place) => continue,
                    Op::Service {
                        service: Service::CheckpointWith,
                        args,
                    } => listed(program, &insts[..index], args),
                    Op::Call {
                        callee: Callee::Direct(func),
                        ..
                    } if self.commits(&program.functions[*func].name) => Some(Extents::new()),
                    _ => continue,
                };
                if saved.as_ref() != Some(&wanted) {
                    return false;
                }
                found = true;
            }
        }
        found
    }

    /// The changes of all files, and for each call its new column; none if the text does not show it.
    fn changed(
        &self,
        calls: &[Call],
        sources: &Sources,
    ) -> (BTreeMap<String, Vec<Edit>>, Vec<Option<u32>>) {
        let mut columns: Vec<Option<u32>> = vec![None; calls.len()];
        let mut lines: BTreeMap<(&str, u32), Vec<usize>> = BTreeMap::new();
        for (number, Call { place, .. }) in calls.iter().enumerate() {
            let line = lines.entry((&place.file, place.line)).or_default();
            line.push(number);
        }
        let mut files: BTreeMap<String, Vec<Edit>> = BTreeMap::new();
        for ((file, line), mut numbers) in lines {
            let source = sources.get(file).map_or("", String::as_str);
            let Some(old) = source.lines().nth((line as usize).saturating_sub(1)) else {
                continue;
            };
            numbers.sort_by_key(|number| calls[*number].place.column);
            let (mut new, mut done) = (String::new(), 0);
            for number in numbers {
                let Call { place, saves } = &calls[number];
                let column = (place.column as usize).saturating_sub(1);
                let Some((start, end, word)) = called(old, column).filter(|call| call.0 >= done)
                else {
                    continue;
                };
                if !self.is_name(word) {
                    continue;
                }
                new.push_str(&old[done..start]);
                columns[number] = Some(new.len() as u32 + 1);
                new.push_str(&call_of(saves));
                done = end;
            }
            new.push_str(&old[done..]);
            if new != old {
                let edits = files.entry(file.to_owned()).or_default();
                edits.push(Edit::replace(line as usize, new));
            }
        }
        for (file, edits) in &mut files {
            // A file that has its own checkpoints does not know the header yet.
            if sources
                .get(file)
                .is_some_and(|source| !source.contains("brownout.h"))
            {
                edits.insert(0, Edit::insert("#include <brownout.h>".to_owned()));
            }
        }
        (files, columns)
    }
}

/// Bytes of objects: symbols, where parts of them begin and where these end. No two parts touch.
type Extents = BTreeSet<(String, u64, u64)>;

/// The same bytes, with what touches taken together.
fn joined(mut parts: Vec<(String, Range<u64>)>) -> Extents {
    parts.sort_by(|(a, one), (b, other)| (a, one.start).cmp(&(b, other.start)));
    let mut found: Vec<(String, Range<u64>)> = Vec::new();
    for (symbol, bytes) in parts {
        match found.last_mut() {
            Some((last, before)) if *last == symbol && bytes.start <= before.end => {
                before.end = before.end.max(bytes.end);
            }
            _ => found.push((symbol, bytes)),
        }
    }
    let extents = found.into_iter();
    extents
        .map(|(symbol, bytes)| (symbol, bytes.start, bytes.end))
        .collect()
}

/// The bytes that a call lists, if they are of objects that have symbols.
fn listed(program: &Program, before: &[brownout_ir::Inst], args: &[Operand]) -> Option<Extents> {
    let (Operand::Slot(list, _), Operand::Bits(count)) = (*args.first()?, *args.get(1)?) else {
        return None;
    };
    let mut entries: BTreeMap<i64, Operand> = BTreeMap::new();
    for inst in before {
        if let Op::Store {
            address: Operand::Slot(slot, offset),
            value,
            ..
        } = inst.op
            && slot == list
        {
            entries.insert(offset, value);
        }
    }
    // Addresses and sizes take turns.
    let pairs = usize::try_from(count).ok()?;
    let values: Vec<Operand> = entries.into_values().collect();
    let parts = values.chunks_exact(2).take(pairs).map(|pair| match *pair {
        [Operand::Global(global, start), Operand::Bits(size)] => {
            let start = u64::try_from(start).ok()?;
            let end = start.checked_add(u64::try_from(size).ok()?)?;
            Some((program.globals[global].name.clone(), start..end))
        }
        _ => None,
    });
    let parts: Vec<(String, Range<u64>)> = parts.collect::<Option<_>>()?;
    (parts.len() == pairs).then(|| joined(parts))
}

/// Where the call at a column of a line starts and ends, and the name of what is called.
fn called(line: &str, start: usize) -> Option<(usize, usize, &str)> {
    let rest = line.get(start..)?;
    let open = rest.find('(')?;
    let mut depth = 0;
    let end = rest[open..].char_indices().find_map(|(at, letter)| {
        match letter {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        (depth == 0).then_some(start + open + at + 1)
    })?;
    let path = rest[..open].trim_end();
    let word = path.rsplit(|letter: char| !letter.is_alphanumeric() && letter != '_');
    Some((start, end, word.into_iter().next()?))
}

/// The call that saves this.
fn call_of(saves: &[Saved]) -> String {
    let pairs = saves
        .iter()
        .map(|Saved { name, .. }| format!("&{name}, sizeof {name}"));
    let pairs: Vec<String> = pairs.collect();
    match pairs.is_empty() {
        true => "brownout_checkpoint()".to_owned(),
        false => format!("{WITH}({})", pairs.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::called;

    #[test]
    fn calls_are_found_where_they_are() {
        let found = |line: &'static str, column: usize| {
            let (start, end, word) = called(line, column - 1)?;
            Some((&line[start..end], word))
        };
        assert_eq!(
            found("    checkpoint(); x = f(1);", 5),
            Some(("checkpoint()", "checkpoint"))
        );
        assert_eq!(
            found("if (a) io::save((int)b);", 8),
            Some(("io::save((int)b)", "save"))
        );
        assert_eq!(found("checkpoint(", 1), None);
        assert_eq!(found("", 9), None);
    }
}
