//! What the world saw (semantics §2, *Outputs*).
//!
//! Each attempt follows the list of the execution that it is held against, in order; it may begin
//! again at any earlier point, and leave out what has been output before. Nothing else.

use std::collections::BTreeSet;

use crate::clause::Clause;
use crate::device::Output;
use crate::judge::Options;
use crate::setting::{Setting, Tag};
use crate::verdict::Effect;

/// Whether an attempt got to the end of its list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extent {
    /// It did: what is missing is lost.
    Whole,
    /// Power failed before: it follows the beginning of the list.
    Beginning,
}

/// What is wrong with the outputs of an attempt: `made`, held against `list`, when the world has
/// seen `before` of the attempts before it.
pub(crate) fn wrong(
    list: &[Output],
    made: &[Output],
    before: &[Output],
    extent: Extent,
    setting: &Setting,
    options: &Options,
) -> Vec<Effect> {
    let [list, made, before] = [list, made, before].map(|outputs| once_in_a_row(outputs, setting));
    let (list, made, before) = (&list[..], &made[..], &before[..]);
    if let Some(repeated) = repeated(list, made, before, setting, options) {
        return vec![repeated];
    }
    if options.lacks(Clause::OutputsRepeat) && extent == Extent::Whole {
        let seen: Vec<&Output> = before.iter().chain(made).collect();
        let extra = seen
            .iter()
            .find(|output| count(&seen, output) > count(list, output));
        if let Some(extra) = extra {
            return vec![Effect::Unexpected((**extra).clone())];
        }
    }
    if follows(list, made, before, extent, setting, options) {
        return Vec::new();
    }
    let mut effects = explain(list, made, before, extent, setting);
    effects.retain(|effect| !is_excused(effect, options));
    effects
}

/// Outputs without those that do what was done already: absolute ones that are repeated with nothing
/// else of their function in between.
fn once_in_a_row(outputs: &[Output], setting: &Setting) -> Vec<Output> {
    let mut kept: Vec<Output> = Vec::new();
    for output in outputs {
        let is_absolute = tag(setting, output) == Tag::Absolute;
        let latest = kept.iter().rev().find(|kept| kept.name == output.name);
        if !is_absolute || latest != Some(output) {
            kept.push(output.clone());
        }
    }
    kept
}

/// What is executed again after a power failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Piece {
    /// A round of a loop.
    Round,
    /// What a boot does before the loop that it stays in.
    SetUp,
}

/// The numbers of the outputs of a piece of work that need not be made if a boot makes them again in the same order, as
/// late ones as there are: absolute ones; and of set-up, which the boot does as well, all but those that count.
pub(crate) fn made_again(
    outputs: &[Output],
    piece: Piece,
    boot: &[Output],
    setting: &Setting,
) -> BTreeSet<usize> {
    let mut again = BTreeSet::new();
    let mut end = boot.len();
    for number in (0..outputs.len()).rev() {
        let output = &outputs[number];
        let tag = tag(setting, output);
        let is_enough = match piece {
            Piece::Round => tag == Tag::Absolute,
            Piece::SetUp => tag != Tag::Relative,
        };
        let made = (0..end).rev().find(|&place| boot[place] == *output);
        if let Some(place) = made.filter(|_| is_enough) {
            again.insert(number);
            end = place;
        }
    }
    again
}

fn is_excused(effect: &Effect, options: &Options) -> bool {
    match effect {
        Effect::Lost(_) => options.lacks(Clause::OutputsLost),
        Effect::Unexpected(_) | Effect::Reordered => options.lacks(Clause::OutputsUnexpected),
        _ => false,
    }
}

fn count<'o>(
    outputs: impl IntoIterator<Item = &'o (impl std::borrow::Borrow<Output> + 'o)>,
    one: &Output,
) -> usize {
    let outputs = outputs.into_iter();
    outputs.filter(|output| (*output).borrow() == one).count()
}

fn tag(setting: &Setting, output: &Output) -> Tag {
    let mut outputs = setting.outputs.iter();
    let found = outputs.find(|(name, _)| *name == output.name);
    found.map_or(Tag::None, |&(_, tag)| tag)
}

/// An output that must happen at most once and happens more often than in the list, whatever its
/// arguments are.
fn repeated(
    list: &[Output],
    made: &[Output],
    before: &[Output],
    setting: &Setting,
    options: &Options,
) -> Option<Effect> {
    if options.lacks(Clause::AtMostOnce) {
        return None;
    }
    let times = |outputs: &[Output], name: &str| {
        outputs.iter().filter(|output| output.name == name).count()
    };
    let again = made.iter().find(|output| {
        let name = output.name.as_str();
        // A failed attempt may have had readings that ask for it where the last one's do not.
        let allowed = times(list, name).max(times(before, name));
        tag(setting, output) == Tag::AtMostOnce && times(made, name) + times(before, name) > allowed
    });
    again.map(|output| Effect::Repeated(output.clone()))
}

/// Whether `made` is `list` without outputs that are in `before`, each of which excuses one.
fn follows(
    list: &[Output],
    made: &[Output],
    before: &[Output],
    extent: Extent,
    setting: &Setting,
    options: &Options,
) -> bool {
    // For every number of outputs made that the list so far can account for: how many of those
    // before are needed for that, at least.
    let mut needed: Vec<Option<usize>> = vec![None; made.len() + 1];
    needed[0] = Some(0);
    if extent == Extent::Beginning && needed[made.len()].is_some() {
        return true;
    }
    for wanted in list {
        let mut next = vec![None; made.len() + 1];
        for (number, &used) in needed.iter().enumerate() {
            let Some(used) = used else { continue };
            if made.get(number) == Some(wanted) {
                next[number + 1] = smaller(next[number + 1], used);
            }
            let excused = if tag(setting, wanted) == Tag::AtMostOnce {
                Some(used)
            } else if options.lacks(Clause::OutputsLeftOut) {
                None
            } else {
                let rest = before.iter().skip(used);
                let found = rest.zip(used + 1..).find(|(output, _)| *output == wanted);
                found.map(|(_, used)| used)
            };
            if let Some(used) = excused {
                next[number] = smaller(next[number], used);
            }
        }
        needed = next;
        if extent == Extent::Beginning && needed[made.len()].is_some() {
            return true;
        }
    }
    needed[made.len()].is_some()
}

fn smaller(found: Option<usize>, other: usize) -> Option<usize> {
    Some(found.map_or(other, |found| found.min(other)))
}

/// What to say of outputs that do not follow the list: each output that does not belong there, and each that the
/// world never sees; if there is none, they come in another order.
fn explain(
    list: &[Output],
    made: &[Output],
    before: &[Output],
    extent: Extent,
    setting: &Setting,
) -> Vec<Effect> {
    let is_unexpected = |output: &&Output| count(made, output) > count(list, output);
    let seen: Vec<&Output> = before.iter().chain(made).collect();
    let is_lost = |output: &&Output| {
        extent == Extent::Whole
            && count(&seen, output) < count(list, output)
            && tag(setting, output) != Tag::AtMostOnce
    };
    let unexpected = made.iter().filter(is_unexpected).cloned();
    let lost = list.iter().filter(is_lost).cloned();
    let effects = unexpected.map(Effect::Unexpected);
    let effects: BTreeSet<Effect> = effects.chain(lost.map(Effect::Lost)).collect();
    match effects.is_empty() {
        true => vec![Effect::Reordered],
        false => effects.into_iter().collect(),
    }
}
