//! Occurrences as pairs of places, and which of them are emulated.

use std::collections::BTreeMap;

use brownout_explore::Object;

use crate::hazards::defects::{DefectKey, Defects};
use crate::hazards::findings::Group;
use crate::hazards::locate::{DETAILED, Hazard, Located};
use crate::hazards::places::Position;

/// Pairs of operations as pairs of places.
pub(crate) fn group(defects: &Defects<'_>, located: &Located) -> Vec<Group> {
    type Places = [Option<Position>; 2];
    let mut numbers: BTreeMap<(Object, DefectKey<'_>, Places), usize> = BTreeMap::new();
    let mut groups: Vec<Group> = Vec::new();
    for hazard in &located.hazards {
        let position = |pc| defects.places().position(pc);
        let key = (
            hazard.part.object,
            defects.of(hazard),
            [position(hazard.consumer), position(hazard.producer)],
        );
        match numbers.get(&key) {
            Some(&number) => groups[number].merge(hazard),
            None => {
                numbers.insert(key, groups.len());
                groups.push(Group::new(hazard));
            }
        }
    }
    groups
}

/// If there are no more pairs than this, all are emulated.
const EMULATED: usize = DETAILED;
/// If there are more, about how many are emulated, so that the result does not take long.
const CHOSEN: usize = 1 << 11;
/// The least and the most pairs of one defect that are emulated then.
const OF_A_DEFECT: (usize, usize) = (2, 64);

/// Takes out the pairs that are not emulated because there are too many. Of each defect, as many
/// different producers as possible are left, then as many different consumers.
pub(crate) fn spare(defects: &Defects<'_>, groups: &mut Vec<Group>) -> Vec<Group> {
    if groups.len() <= EMULATED {
        return Vec::new();
    }
    let mut by_defect: BTreeMap<DefectKey<'_>, Vec<usize>> = BTreeMap::new();
    for (number, group) in groups.iter().enumerate() {
        let numbers = by_defect.entry(defects.of(&group.hazard)).or_default();
        numbers.push(number);
    }
    let (least, most) = OF_A_DEFECT;
    let share = (CHOSEN / by_defect.len()).clamp(least, most);
    let mut chosen = vec![false; groups.len()];
    for numbers in by_defect.values() {
        let mut often: BTreeMap<u32, (usize, usize)> = BTreeMap::new();
        let mut ranked: Vec<((usize, usize), usize)> = Vec::with_capacity(numbers.len());
        for &number in numbers {
            let Hazard {
                consumer, producer, ..
            } = groups[number].hazard;
            let produced = often.entry(producer).or_default();
            produced.0 += 1;
            let produced = produced.0;
            let consumed = often.entry(consumer).or_default();
            consumed.1 += 1;
            ranked.push(((produced, consumed.1), number));
        }
        ranked.sort_unstable();
        for &(_, number) in ranked.iter().take(share) {
            chosen[number] = true;
        }
    }
    let mut chosen = chosen.into_iter();
    let (kept, spared) = std::mem::take(groups)
        .into_iter()
        .partition(|_| chosen.next().unwrap_or(true));
    *groups = kept;
    spared
}

impl Group {
    fn merge(&mut self, other: &Hazard) {
        self.operations.insert((other.consumer, other.producer));
        let hazard = &mut self.hazard;
        hazard.part.start = hazard.part.start.min(other.part.start);
        hazard.part.end = hazard.part.end.max(other.part.end);
        if hazard.silent && !other.silent {
            hazard.instances.clear();
            hazard.silent = false;
        }
        if hazard.silent == other.silent {
            hazard.instances.extend(other.instances.iter().copied());
            hazard.instances.sort_unstable();
            hazard.instances.dedup();
        }
        for path in &other.paths {
            if !hazard.paths.contains(path) {
                hazard.paths.push(*path);
            }
        }
    }
}
