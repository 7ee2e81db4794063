//! The bridge to static analysis: what `brownout dump regions` prints for programs as C, held against
//! what the rules of §7 collect.
//!
//! Without arrays the WAR sets and both kinds of exclusive may-write sets have to be equal at every
//! start. With arrays the tool may know more (it tells elements with the same index apart, we never do),
//! so there its sets have to be contained in ours; and in every case they have to be enough: saved by
//! the checkpoints, they make the program correct by Definition 1.
//!
//! This module reads and compares text. Who runs the tool is somebody else.

use std::collections::BTreeMap;

use crate::c::{checkpoint_lines, function, library};
use crate::collect::{Taint, collect};
use crate::correct::{Scope, correct};
use crate::program::Program;
use crate::syntax::{Command, Form, Instruction, Name, Names};
use crate::war;

/// What has to be saved at one start, for three reasons.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Sets {
    /// What is read, then overwritten.
    pub war: Names,
    /// What inputs decide.
    pub exclusive: Names,
    /// What inputs would decide if they decided every branch.
    pub everywhere: Names,
}

/// The sets of a program: those of its start, then those of its checkpoints in the order of the text.
pub fn collected(program: &Program) -> Vec<Sets> {
    let bare = program.without_saves();
    let (war, at_start) = war::collect(&bare);
    let (exclusive, exclusive_at_start) = collect(&bare, Taint::Followed);
    let (everywhere, everywhere_at_start) = collect(&bare, Taint::Everywhere);
    let mut all = vec![Sets {
        war: at_start,
        exclusive: exclusive_at_start,
        everywhere: everywhere_at_start,
    }];
    let saved = |program: &Program| -> Vec<Names> {
        let checkpoints = program.command().checkpoints();
        checkpoints
            .into_iter()
            .map(|(_, saved)| saved.clone())
            .collect()
    };
    let sets = saved(&war)
        .into_iter()
        .zip(saved(&exclusive))
        .zip(saved(&everywhere));
    all.extend(sets.map(|((war, exclusive), everywhere)| Sets {
        war,
        exclusive,
        everywhere,
    }));
    all
}

/// What the tool printed for each start in the C file: by the function, or the line of the checkpoint.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Start {
    Function(String),
    Line(usize),
}

/// Reads what `dump regions` prints. Names have the number of their program.
fn regions(printed: &str) -> BTreeMap<Start, BTreeMap<String, Vec<String>>> {
    let mut regions = BTreeMap::new();
    for block in printed.split("\n\n") {
        let mut lines = block.lines();
        let Some(start) = lines.next().and_then(start) else {
            continue;
        };
        let sets = lines.filter_map(|line| {
            let (label, set) = line.trim_start().split_once("  ")?;
            let set = set.trim().split(" (").next()?;
            let names = set.split(", ").filter(|name| *name != "nothing");
            Some((label.to_owned(), names.map(str::to_owned).collect()))
        });
        regions.insert(start, sets.collect());
    }
    regions
}

/// The first line of a region.
fn start(line: &str) -> Option<Start> {
    if let Some(rest) = line.strip_prefix("start of `") {
        return Some(Start::Function(rest.split('`').next()?.to_owned()));
    }
    let rest = line.strip_prefix("checkpoint at ")?;
    let mut parts = rest.rsplit(':');
    let _column = parts.next()?;
    Some(Start::Line(parts.next()?.parse().ok()?))
}

/// The sets that the tool printed for each program of a [`library`], as [`collected`] has them. Nothing
/// for a program of which a start is missing.
pub fn printed(programs: &[Program], printed: &str) -> Vec<Option<Vec<Sets>>> {
    let regions = regions(printed);
    let text = library(programs);
    let mut lines = checkpoint_lines(&text).into_iter();
    let set = |number: usize, region: &BTreeMap<String, Vec<String>>, label: &str| {
        let suffix = format!("_{number}");
        let names = region.get(label)?.iter();
        names
            .map(|name| Name::new(name.strip_suffix(&suffix)?))
            .collect::<Option<Names>>()
    };
    let sets = |number: usize, start: &Start| {
        let region = regions.get(start)?;
        Some(Sets {
            war: set(number, region, "needs: read, then overwritten")?,
            exclusive: set(number, region, "needs: inputs decide")?,
            everywhere: set(number, region, "if inputs decided every branch")?,
        })
    };
    programs
        .iter()
        .enumerate()
        .map(|(number, program)| {
            let checkpoints = program.command().checkpoints().len();
            let mut starts = vec![Start::Function(function(number))];
            starts.extend(lines.by_ref().take(checkpoints).map(Start::Line));
            starts.iter().map(|start| sets(number, start)).collect()
        })
        .collect()
}

/// Holds the tool's sets against those of the paper; how many elements they have.
///
/// # Errors
/// What is wrong with them.
pub fn compare(program: &Program, tool: &[Sets]) -> Result<usize, String> {
    let ours = collected(program);
    if ours.len() != tool.len() {
        return Err(format!("{} starts, not {}", tool.len(), ours.len()));
    }
    let arrays = has_arrays(program.command());
    for (start, (ours, tool)) in ours.iter().zip(tool).enumerate() {
        for (which, ours, tool) in [
            ("read, then overwritten", &ours.war, &tool.war),
            ("inputs decide", &ours.exclusive, &tool.exclusive),
            ("every branch", &ours.everywhere, &tool.everywhere),
        ] {
            let agree = if arrays {
                tool.is_subset(ours)
            } else {
                tool == ours
            };
            if !agree {
                return Err(format!(
                    "{which}, start {start}: the rules collect {ours:?}, the tool {tool:?}"
                ));
            }
        }
    }
    is_enough(program, tool)?;
    let elements = |sets: &Sets| sets.war.len() + sets.exclusive.len() + sets.everywhere.len();
    Ok(tool.iter().map(elements).sum())
}

/// Whether a program is correct whose checkpoints save what the tool says.
fn is_enough(program: &Program, tool: &[Sets]) -> Result<(), String> {
    let needs = |sets: &Sets| &sets.war | &sets.exclusive;
    let (Some(start), points) = (tool.first(), program.command().checkpoints()) else {
        return Err("there is no start".to_owned());
    };
    if !needs(start).is_empty() {
        // The start of a program saves nothing, whatever it would need.
        return Ok(());
    }
    let saves: BTreeMap<u32, Names> = points
        .iter()
        .zip(&tool[1..])
        .map(|((point, _), sets)| (*point, needs(sets)))
        .collect();
    let saving = program.saving(&|point, _| saves.get(&point).cloned().unwrap_or_default());
    let outcome = correct(&saving, &Scope::default());
    if outcome.holds() {
        Ok(())
    } else {
        Err(format!("not enough:\n{saving}\n{outcome:?}"))
    }
}

/// Whether a command reads or writes an array.
pub fn has_arrays(command: &Command) -> bool {
    fn in_expression(expression: &crate::syntax::Expression) -> bool {
        use crate::syntax::Expression;
        match expression {
            Expression::Variable(_) | Expression::Constant(_) => false,
            Expression::Element(..) => true,
            Expression::Binary(left, _, right) => in_expression(left) || in_expression(right),
        }
    }
    match command.form() {
        Form::Skip | Form::Reboot(_) | Form::Goto(_) | Form::ToTask(_) => false,
        Form::Sequence(instruction, rest) => {
            let here = match instruction {
                Instruction::Assign(_, value) => in_expression(value),
                Instruction::AssignElement(..) => true,
                Instruction::Input(_) | Instruction::Skip | Instruction::Checkpoint(_) => false,
            };
            here || has_arrays(rest)
        }
        Form::Branch(condition, yes, no) => {
            in_expression(condition) || has_arrays(yes) || has_arrays(no)
        }
    }
}
