//! What may have to be said about a value: that its readings of an input are old, and that its
//! readings do not belong together.
//!
//! **Invariant**: topics are numbers; first come the ages of all inputs, by the number of the input,
//! and behind them the members of sets that must agree, set by set.

use std::ops::Range;

use super::holders::Holder;

/// What a set that must agree consists of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Member {
    /// The readings of an input.
    Input(u32),
    /// What a variable holds.
    Variable(Holder),
}

/// All topics of a scenario.
#[derive(Clone, Debug)]
pub(super) struct Topics {
    /// By input: whether it is tagged, so that its age is said once.
    tagged: Vec<bool>,
    sets: Vec<Range<u32>>,
    /// The member that a topic is about, from the first behind those of age on.
    members: Vec<Member>,
    /// By input: what a reading of it is part of.
    of_inputs: Vec<Vec<u32>>,
    /// The readings in any value, which a variable that is a member will hold.
    held: Option<u32>,
}

impl Topics {
    /// The topics of inputs of which some are tagged, and of sets.
    pub(super) fn new(tagged: Vec<bool>, sets: &[Vec<Member>]) -> Self {
        let inputs = tagged.len() as u32;
        let mut of_inputs: Vec<Vec<u32>> = (0..inputs).map(|input| vec![input]).collect();
        let (mut ranges, mut members) = (Vec::new(), Vec::new());
        for set in sets {
            let start = inputs + members.len() as u32;
            for (index, &member) in set.iter().enumerate() {
                if set[..index].contains(&member) {
                    continue;
                }
                if let Member::Input(input) = member {
                    of_inputs[input as usize].push(inputs + members.len() as u32);
                }
                members.push(member);
            }
            ranges.push(start..inputs + members.len() as u32);
        }
        let has_variable = |member: &Member| matches!(member, Member::Variable(_));
        let held = members.iter().any(has_variable);
        let held = held.then_some(inputs + members.len() as u32);
        for topics in &mut of_inputs {
            topics.extend(held);
        }
        Self {
            tagged,
            sets: ranges,
            members,
            of_inputs,
            held,
        }
    }

    /// The topics of the members of each set.
    pub(super) fn sets(&self) -> &[Range<u32>] {
        &self.sets
    }

    /// What a reading of an input is part of.
    pub(super) fn of_input(&self, input: u32) -> &[u32] {
        self.of_inputs
            .get(input as usize)
            .map_or(&[], Vec::as_slice)
    }

    /// What a value is part of that a variable holds.
    pub(super) fn of_variable(&self, holder: Holder) -> impl Iterator<Item = u32> {
        let topics = (self.tagged.len() as u32..).zip(&self.members);
        topics
            .filter(move |(_, member)| **member == Member::Variable(holder))
            .map(|(topic, _)| topic)
    }

    /// The topic of all readings in a value, if variables are members of sets.
    pub(super) fn held(&self) -> Option<u32> {
        self.held
    }

    /// Whether a topic is the age of an input.
    #[inline]
    pub(super) fn is_age(&self, topic: u32) -> bool {
        (topic as usize) < self.tagged.len()
    }

    /// Whether a topic is the age of an input that is tagged.
    pub(super) fn is_tagged(&self, topic: u32) -> bool {
        self.tagged.get(topic as usize) == Some(&true)
    }

    /// What has to be known of any value that has parts of these topics.
    pub(super) fn kind(&self, topics: impl Iterator<Item = u32> + Clone) -> Kind {
        let is_member = |topic: &u32| !self.is_age(*topic) && Some(*topic) != self.held;
        Kind {
            ages: topics.clone().all(|topic| self.is_age(topic)),
            alone: topics.clone().filter(is_member).count() < 2,
            tagged: topics.clone().any(|topic| self.is_tagged(topic)),
        }
    }
}

/// What is to be known of values by their topics.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Kind {
    /// There is nothing but ages.
    pub(super) ages: bool,
    /// There are no two members of sets, that might not agree.
    pub(super) alone: bool,
    /// Some input is tagged.
    pub(super) tagged: bool,
}

#[cfg(test)]
mod tests {
    use super::{Holder, Member, Topics};

    #[test]
    fn every_member_of_every_set_is_a_topic() {
        let [a, b] = [0, 1].map(|index| Member::Variable(Holder::new(index)));
        let sets = [
            vec![Member::Input(1), a, Member::Input(1)],
            vec![a, b, Member::Input(1)],
        ];
        let topics = Topics::new(vec![false, true], &sets);
        assert_eq!(topics.sets(), [2..4, 4..7]);
        assert_eq!(topics.held(), Some(7));
        assert_eq!(topics.of_input(0), [0, 7]);
        assert_eq!(topics.of_input(1), [1, 2, 6, 7]);
        let of_a: Vec<u32> = topics.of_variable(Holder::new(0)).collect();
        assert_eq!(of_a, [3, 4]);
        let facts = |parts: &[u32]| {
            let kind = topics.kind(parts.iter().copied());
            (kind.ages, kind.alone, kind.tagged)
        };
        assert_eq!(facts(&[0]), (true, true, false));
        assert_eq!(facts(&[0, 1]), (true, true, true));
        assert_eq!(facts(&[0, 3, 7]), (false, true, false));
        assert_eq!(facts(&[3, 4]), (false, false, false));
        assert_eq!(Topics::new(vec![true], &[]).held(), None);
    }
}
