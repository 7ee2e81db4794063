//! What the world sees of an execution: text and outputs, in order.
//!
//! **Rule** (SEMANTICS §2). The world sees the outputs of all attempts. The last attempt has to
//! follow the list of the execution it is held against, in order; it may leave out what an earlier
//! attempt has output. Nothing else: no other arguments, nothing lost, no new order.
//!
//! Under `restart`, what a boot shows before it is back in its loop, and would not show if power had failed before
//! the round that was cut, need not have been shown by that round: a device that shows its state when it boots.
//!
//! An *absolute* output sets something: made twice in a row, with nothing else of its function in
//! between, it is made once. What a failure keeps from being set is not lost if the next boot sets it: absolute outputs
//! that the boot makes in the same order, the round that was cut need not have made.

use std::borrow::Cow;
use std::collections::BTreeMap;

use brownout_vm::Image;

/// One thing that the world sees.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Emission {
    /// Some text.
    Text(Vec<u8>),
    /// A call of an output function, or a write to an output register.
    Output {
        /// Which one.
        index: u32,
        /// Its arguments.
        args: Vec<u64>,
    },
}

/// What outputs mean to the world, by number.
#[derive(Clone, Debug, Default)]
pub struct Tags {
    /// Those that may get lost.
    pub optional: Vec<u32>,
    /// Those that set something: repeating them changes nothing.
    pub absolute: Vec<u32>,
    /// Those of which each one counts.
    pub relative: Vec<u32>,
}

impl Tags {
    /// None of them says anything.
    pub const NONE: Self = Self {
        optional: Vec::new(),
        absolute: Vec::new(),
        relative: Vec::new(),
    };
}

/// An emission, and how many instructions the region had executed before it.
pub(crate) type Timed = (u64, Emission);

/// What an attempt adds to text that is only part of a line counts byte by byte; whole lines and
/// outputs count as one thing each.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Item<'e> {
    Byte(u8),
    Line(&'e [u8]),
    Output(u32, &'e [u64]),
}

impl Item<'_> {
    fn to_emission(self) -> Emission {
        match self {
            Self::Byte(byte) => Emission::Text(vec![byte]),
            Self::Line(line) => Emission::Text(line.to_vec()),
            Self::Output(index, args) => Emission::Output {
                index,
                args: args.to_vec(),
            },
        }
    }

    fn as_text(self, image: &Image) -> Vec<u8> {
        match self {
            Self::Byte(byte) => vec![byte],
            Self::Line(line) => line.to_vec(),
            Self::Output(index, args) => image.output_text(index, args).into_bytes(),
        }
    }
}

/// Whether the `attempt` follows the list of the execution it is held against, given what the world
/// had seen `before`.
pub(crate) fn follows<'e>(
    list: impl IntoIterator<Item = &'e Emission, IntoIter: Clone>,
    before: &'e [Emission],
    attempt: impl IntoIterator<Item = &'e Emission, IntoIter: Clone>,
    tags: &Tags,
) -> bool {
    let (list, attempt) = (list.into_iter(), attempt.into_iter());
    if list.clone().eq(attempt.clone()) {
        return true;
    }
    let (list, before) = (joined(list, tags), joined(before, tags));
    let attempt = joined(attempt, tags);
    resumes(&bytes(&list), bytes(&before).len(), &bytes(&attempt))
        || leaves_out(
            &lines(&list),
            &lines(&before),
            &lines(&attempt),
            &tags.optional,
        )
}

/// What is wrong with what an attempt shows, as text.
pub(crate) struct Wrong {
    /// What does not belong there.
    pub(crate) unexpected: Vec<Vec<u8>>,
    /// What the world never sees.
    pub(crate) lost: Vec<Vec<u8>>,
}

/// What an attempt shows more often than the list does, and what the world sees less often, each once.
pub(crate) fn wrong(
    image: &Image,
    (list, before, attempt): (&[Emission], &[Emission], &[Emission]),
    tags: &Tags,
) -> Wrong {
    let [list, before, attempt] = [list, before, attempt].map(|emissions| joined(emissions, tags));
    let [list, before, attempt] = [&list, &before, &attempt].map(|pieces| counts(pieces));
    let count = |counts: &Counts<'_>, item: &Item<'_>| counts.get(item).copied().unwrap_or(0);
    let is_optional =
        |item: &Item<'_>| matches!(item, Item::Output(index, _) if tags.optional.contains(index));
    let unexpected = attempt
        .iter()
        .filter(|(item, made)| **made > count(&list, item));
    let lost = list.iter().filter(|(item, wanted)| {
        !is_optional(item) && count(&before, item) + count(&attempt, item) < **wanted
    });
    let as_text = |(item, _): (&Item<'_>, &usize)| item.as_text(image);
    Wrong {
        unexpected: unexpected.map(as_text).collect(),
        lost: lost.map(as_text).collect(),
    }
}

/// How often things were shown.
type Counts<'e> = BTreeMap<Item<'e>, usize>;

fn counts<'p>(pieces: &'p [Piece<'p>]) -> Counts<'p> {
    let mut counts = Counts::new();
    for item in lines(pieces) {
        *counts.entry(item).or_default() += 1;
    }
    counts
}

/// What the world sees of something that is executed again after a power failure.
#[derive(Clone, Copy)]
pub(crate) enum Shown<'e> {
    /// Of a round of a loop.
    ByRound(&'e [Emission]),
    /// Of set-up, which every boot does.
    BySetUp(&'e [Emission]),
}

/// What is left of these without what a boot shows in its stead: what it shows in its `set_up`, and what `another` boot does
/// not show there; and of each what it shows again in the same order, whatever other boots do: of a round what sets
/// something, of set-up all but what counts.
pub(crate) fn not_shown_by(
    all: &[Shown<'_>],
    set_up: &[Emission],
    another: &[Emission],
    tags: &Tags,
) -> Vec<Emission> {
    let [set_up, another] = [set_up, another].map(|emissions| joined(emissions, &Tags::NONE));
    let (set_up, another) = (lines(&set_up), lines(&another));
    let mut left = Vec::new();
    for shown in all {
        let (Shown::ByRound(emissions) | Shown::BySetUp(emissions)) = shown;
        let emissions = joined(*emissions, &Tags::NONE);
        // What the boot shows before what it has shown in the stead of something later.
        let mut again = &set_up[..];
        let mut left_of_these = Vec::new();
        for item in lines(&emissions).into_iter().rev() {
            let is_one_of =
                |list: &[u32]| matches!(item, Item::Output(index, _) if list.contains(&index));
            let is_enough = match shown {
                Shown::ByRound(_) => is_one_of(&tags.absolute),
                Shown::BySetUp(_) => !is_one_of(&tags.relative),
            };
            let position = again.iter().rposition(|shown| *shown == item);
            if let Some(position) = position.filter(|_| is_enough) {
                again = &again[..position];
            } else if !set_up.contains(&item) || another.contains(&item) {
                left_of_these.push(item.to_emission());
            }
        }
        left.extend(left_of_these.into_iter().rev());
    }
    left
}

/// Something that the world sees as one.
enum Piece<'e> {
    Text(Cow<'e, [u8]>),
    Output(u32, &'e [u64]),
}

/// Neighbouring texts as one: how a program cuts its text into pieces nobody sees. Absolute outputs once
/// if they are repeated with nothing else of their function in between.
fn joined<'e>(emissions: impl IntoIterator<Item = &'e Emission>, tags: &Tags) -> Vec<Piece<'e>> {
    let emissions = emissions.into_iter();
    let mut joined: Vec<Piece<'e>> = Vec::with_capacity(emissions.size_hint().0);
    let mut set: BTreeMap<u32, &[u64]> = BTreeMap::new();
    for emission in emissions {
        match (joined.last_mut(), emission) {
            (Some(Piece::Text(last)), Emission::Text(more)) => {
                last.to_mut().extend_from_slice(more);
            }
            (_, Emission::Text(text)) => joined.push(Piece::Text(Cow::Borrowed(text))),
            (_, Emission::Output { index, args }) => {
                let is_set = tags.absolute.contains(index)
                    && set.insert(*index, args).is_some_and(|set| set == args);
                if !is_set {
                    joined.push(Piece::Output(*index, args));
                }
            }
        }
    }
    joined
}

fn bytes<'p>(pieces: &'p [Piece<'p>]) -> Vec<Item<'p>> {
    items(pieces, |text, items| {
        items.extend(text.iter().map(|&byte| Item::Byte(byte)));
    })
}

fn lines<'p>(pieces: &'p [Piece<'p>]) -> Vec<Item<'p>> {
    items(pieces, |text, items| {
        let lines = text.split_inclusive(|&byte| byte == b'\n');
        items.extend(lines.map(Item::Line));
    })
}

fn items<'p>(pieces: &'p [Piece<'p>], cut: impl Fn(&'p [u8], &mut Vec<Item<'p>>)) -> Vec<Item<'p>> {
    let mut items = Vec::with_capacity(pieces.len());
    for piece in pieces {
        match piece {
            Piece::Text(text) => cut(text, &mut items),
            Piece::Output(index, args) => items.push(Item::Output(*index, args)),
        }
    }
    items
}

/// Whether the attempt goes on with the list at a point up to which the world has seen it.
fn resumes(list: &[Item<'_>], seen: usize, attempt: &[Item<'_>]) -> bool {
    let Some(left_out) = list.len().checked_sub(attempt.len()) else {
        return false;
    };
    left_out <= seen && list[left_out..] == *attempt
}

/// Whether the attempt is the list without some of what was seen before. Looks from the end: what is
/// missing there is what matters.
fn leaves_out(
    list: &[Item<'_>],
    before: &[Item<'_>],
    attempt: &[Item<'_>],
    optional: &[u32],
) -> bool {
    let (mut before, mut attempt) = (before, attempt);
    for item in list.iter().rev() {
        if let Some((last, rest)) = attempt.split_last()
            && last == item
        {
            attempt = rest;
            continue;
        }
        if matches!(item, Item::Output(index, _) if optional.contains(index)) {
            continue;
        }
        match before.iter().rposition(|seen| seen == item) {
            Some(index) => before = &before[..index],
            None => return false,
        }
    }
    attempt.is_empty()
}

/// Around the first place where two long lists differ; short ones as they are.
pub(crate) fn excerpts<'e>(
    one: &'e [Emission],
    other: &'e [Emission],
) -> (&'e [Emission], &'e [Emission]) {
    const SHORT: usize = 8;
    const AROUND: usize = 3;
    if one.len() <= SHORT && other.len() <= SHORT {
        return (one, other);
    }
    let equal = one
        .iter()
        .zip(other)
        .take_while(|(one, other)| one == other);
    let differ = equal.count();
    let part = |list: &'e [Emission]| {
        let end = list.len().min(differ + AROUND);
        &list[differ.saturating_sub(AROUND).min(end)..end]
    };
    (part(one), part(other))
}

/// Emissions as text for people.
pub(crate) fn as_text(image: &Image, emissions: &[Emission]) -> Vec<u8> {
    let mut text = Vec::new();
    for emission in emissions {
        match emission {
            Emission::Text(bytes) => text.extend_from_slice(bytes),
            Emission::Output { index, args, .. } => {
                text.extend_from_slice(image.output_text(*index, args).as_bytes());
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{Emission, Shown, Tags, follows, not_shown_by};

    /// Letters are outputs, everything between quotes is text.
    fn emissions(text: &str) -> Vec<Emission> {
        let pieces = text.split('\'').enumerate();
        pieces
            .flat_map(|(index, piece)| match index % 2 {
                0 => piece
                    .bytes()
                    .map(|letter| Emission::Output {
                        index: letter.into(),
                        args: Vec::new(),
                    })
                    .collect(),
                _ => vec![Emission::Text(piece.as_bytes().to_vec())],
            })
            .collect()
    }

    #[test]
    fn what_the_world_may_see() {
        // List, seen before, attempt, whether that is fine.
        let cases = [
            ("abc", "", "abc", true),
            ("abc", "ab", "abc", true),
            ("abc", "ab", "c", true),
            ("abc", "ab", "bc", true),
            ("abc", "ab", "ac", true),
            ("abc", "a", "ac", false),
            ("abc", "ab", "ab", false),
            ("abc", "ab", "acb", false),
            ("abc", "abc", "", true),
            ("abc", "abc", "abcd", false),
            ("abc", "ab", "xc", false),
            ("aba", "ab", "a", true),
            ("abab", "ab", "ab", true),
            ("'reading 0\n'", "'reading 0\n'", "'reading 0\n'", true),
            ("'reading 0\n'", "'reading 0\n'", "'reading 1\n'", false),
            ("'count 12\n'", "'count 12\n'", "'count 1\n'", false),
            ("'hello\n'", "'hel'", "'lo\n'", true),
            ("'hello\n'", "'hel'", "'hello\n'", true),
            ("'hello\n'", "'hel'", "'o\n'", false),
            ("'one\n''two\n'", "'one\n'", "'o''ne\ntwo\n'", true),
        ];
        for (list, before, attempt, fine) in cases {
            let found = follows(
                &emissions(list),
                &emissions(before),
                &emissions(attempt),
                &Tags::default(),
            );
            assert_eq!(found, fine, "{list}, {before}, {attempt}");
        }
        // What may get lost may get lost.
        let tags = Tags {
            optional: vec![b'b'.into()],
            ..Tags::default()
        };
        assert!(follows(&emissions("abc"), &[], &emissions("ac"), &tags));
    }

    #[test]
    fn what_sets_something() {
        let light = |color: u64| Emission::Output {
            index: 7,
            args: vec![color],
        };
        let tags = Tags {
            absolute: vec![7],
            ..Tags::default()
        };
        let (red, green) = (light(1), light(2));
        let (once, twice) = ([red.clone()], [red.clone(), red.clone()]);
        assert!(follows(&once, &[], &twice, &tags));
        assert!(follows(&twice, &[], &once, &tags));
        assert!(!follows(&twice, &[], &once, &Tags::default()));
        assert!(!follows(&once, &[], std::slice::from_ref(&green), &tags));
        let blinks = [red.clone(), green.clone(), red.clone(), green.clone()];
        assert!(!follows(&blinks, &[], &[red, green], &tags));
    }

    #[test]
    fn what_a_boot_shows_again() {
        let tags = Tags {
            relative: vec![u32::from(b'p')],
            ..Tags::default()
        };
        // The round, the set-up of two boots after it, that of the last boot, and what is still to be shown of the round
        // and of each of the two.
        let cases = [
            ("", "ab", "ab", "", ""),
            ("a", "a", "a", "a", ""),
            ("", "ab", "ba", "", "a"),
            ("", "ap", "ap", "", "p"),
            ("", "'hello\n'", "'hello\n'", "", ""),
        ];
        for (round, own, boot, left, own_left) in cases {
            let [round, own, boot, left, own_left] =
                [round, own, boot, left, own_left].map(emissions);
            let shown = [
                Shown::ByRound(&round),
                Shown::BySetUp(&own),
                Shown::BySetUp(&own),
            ];
            let left = [left.clone(), own_left.clone(), own_left].concat();
            assert_eq!(not_shown_by(&shown, &boot, &boot, &tags), left);
        }
    }

    #[test]
    fn what_the_boot_shows_instead() {
        let tags = Tags {
            absolute: b"rg".map(u32::from).to_vec(),
            ..Tags::default()
        };
        // The round, the boot, a boot without that round, what the round still has to show.
        let cases = [
            ("rg", "rg", "rg", ""),
            ("rg", "gr", "gr", "r"),
            ("rg", "g", "g", "r"),
            ("rgrg", "rg", "rg", "rg"),
            ("rgb", "rgb", "rgb", "b"),
            ("rgb", "rgb", "rg", ""),
        ];
        for (round, boot, another, left) in cases {
            let [round, boot, another, left] = [round, boot, another, left].map(emissions);
            let shown = [Shown::ByRound(&round)];
            assert_eq!(not_shown_by(&shown, &boot, &another, &tags), left);
        }
    }
}
