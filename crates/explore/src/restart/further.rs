//! Attempts that differ from a reference only in what nobody has accessed for many rounds.
//!
//! A counter of hours is read once in thousands of rounds. Attempt and reference go on alike until then,
//! so it is enough to look at the attempt. If what differs is overwritten first, the two were equal in all
//! that matters; if it is read, they are compared side by side from there on; and if nobody accesses it
//! any more, it is a difference where it is non-volatile.

use brownout_vm::Machine;

use super::attempt::Attempt;
use super::boot::{Arrived, Reference, World, asked, differing};
use super::compare::Side;
use super::{RestartExplorer, VISITS};
use crate::Outcome;
use crate::emissions::Emission;

/// So many instructions are executed to the next access.
pub(super) const FAR: u64 = 1_000_000;
/// So many may be spent on it in all.
const BUDGET: u64 = 25_000_000;
/// What is volatile and so many attempts have not accessed for that long is accessed by none.
const ATTEMPTS: u32 = 4;

impl<'i> RestartExplorer<'_, 'i> {
    /// Follows what nobody has accessed yet, for so many instructions: what that says of each reference, if
    /// it does. An attempt at rest reads nothing any more.
    pub(super) fn look_further(
        &mut self,
        machine: &mut Machine<'i>,
        attempt: &mut Attempt,
        sides: &mut [Side<'_>],
        references: &[(&mut Reference<'i>, &[Emission], &[Emission])],
        (far, is_at_rest): (u64, bool),
    ) -> Vec<Option<Outcome>> {
        let mut found: Vec<Option<Outcome>> = vec![None; sides.len()];
        let begun = machine.now();
        let until = begun + far;
        for (side, found) in sides.iter().zip(&mut found) {
            if side.is_unread() && side.followed_in_step && self.is_never_accessed(side) {
                *found = Some(Outcome::Converged);
            }
        }
        while sides.iter().any(Side::is_unread)
            && !found.contains(&Some(Outcome::Converged))
            && self.spent_on_accesses < BUDGET
        {
            let head = match self.to_head(machine, attempt, until) {
                Arrived::AtHead(head) => head,
                Arrived::Nowhere => {
                    for (side, found) in sides.iter().zip(&mut found) {
                        *found = found
                            .take()
                            .or_else(|| self.untouched(machine, side, is_at_rest));
                    }
                    break;
                }
                Arrived::Stopped(_) => break,
            };
            for (number, side) in sides.iter_mut().enumerate() {
                if !side.is_unread() {
                    continue;
                }
                if side.are_followed_bytes_dead(attempt) {
                    found[number] = Some(Outcome::Converged);
                } else if side.followed.is_none() {
                    let (reference, ..) = &references[number];
                    found[number] = self.side_by_side(machine, attempt, head, side, reference);
                }
            }
            attempt.follow(head, sides);
        }
        self.spent += machine.now() - begun;
        self.spent_on_accesses += machine.now() - begun;
        found
    }

    /// What it means that nobody accesses what differs, now that nothing new happens: non-volatile memory is
    /// there for good, and other programs and people may read it.
    fn untouched(
        &mut self,
        machine: &Machine<'i>,
        side: &Side<'_>,
        is_at_rest: bool,
    ) -> Option<Outcome> {
        let followed = side.followed.as_ref()?;
        if !side.is_unread() || !side.followed_in_step && !is_at_rest {
            return None;
        }
        let layout = self.image.layout();
        let differing = side.last.iter().copied();
        let kept = differing
            .filter(|(offset, _)| followed.contains(offset) && layout.outlasts_calls(*offset));
        let kept: Vec<(u32, u8)> = kept.collect();
        for offset in followed {
            *self.unaccessed.entry(*offset).or_default() += 1;
        }
        Some(match kept.is_empty() {
            true => Outcome::Converged,
            false => Outcome::Differs(self.values(machine, &kept)),
        })
    }

    /// Whether all that differs is volatile and known to be accessed by no attempt.
    fn is_never_accessed(&self, side: &Side<'_>) -> bool {
        let layout = self.image.layout();
        let is_never_accessed = |offset: &u32| {
            let attempts = self.unaccessed.get(offset).copied().unwrap_or(0);
            attempts >= ATTEMPTS && !layout.outlasts_calls(*offset)
        };
        let mut followed = side.followed.iter().flatten();
        side.followed.is_some() && followed.all(is_never_accessed)
    }

    /// Compares with a reference from a visit of a loop head on.
    fn side_by_side(
        &mut self,
        machine: &Machine<'i>,
        attempt: &Attempt,
        head: u32,
        side: &mut Side<'_>,
        reference: &Reference<'i>,
    ) -> Option<Outcome> {
        let (mut machine, mut attempt) = (machine.clone(), attempt.clone());
        let mut other = reference.begin();
        let mut world = World::default();
        let begun = other.now();
        let mut left = attempt.heads.get(&head).copied().unwrap_or(0) + 1;
        while left > 0 {
            match self.to_head(&mut other, &mut world, begun + 2 * FAR) {
                Arrived::AtHead(at) => left -= u32::from(at == head),
                _ => return None,
            }
        }
        let mut last = Vec::new();
        for _ in 0..VISITS {
            let bytes = self.compared(&machine, differing(&machine, other.memory()), |&offset| {
                offset
            });
            let is_equal = bytes.is_empty()
                && machine.live_registers() == other.live_registers()
                && side.is_asked_as_often(asked(&other), &machine);
            match is_equal && self.follows_boot(&attempt.emissions, side, &world.emissions) {
                true if side.is_alike(side.is_in_step(asked(&other), &machine)) => {
                    return Some(Outcome::Converged);
                }
                true => {}
                false => side.alike = 0,
            }
            let memory = other.memory();
            let bytes = bytes.into_iter().map(|at| (at, memory[at as usize]));
            last = self.values(&machine, &bytes.collect::<Vec<_>>());
            let (until, end) = (machine.now() + FAR, other.now() + FAR);
            let one = self.to_head(&mut machine, &mut attempt, until);
            let two = self.to_head(&mut other, &mut world, end);
            let (Arrived::AtHead(one), Arrived::AtHead(two)) = (one, two) else {
                return None;
            };
            if one != two {
                return None;
            }
        }
        self.spent += other.now() - begun;
        self.spent_on_accesses += other.now() - begun;
        (!last.is_empty()).then_some(Outcome::Differs(last))
    }
}
