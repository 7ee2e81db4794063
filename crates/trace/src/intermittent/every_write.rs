//! One power failure after each write to non-volatile memory, and inside those that the device does
//! not do at once: each in an execution of its own, compared with the continuous one.
//!
//! Executions have everything before the failure in common: one goes ahead from write to write, and
//! each failure begins with a copy of it. Under policies by which it depends on the failure what was
//! committed before it (`conditional`, `reactive`), each begins at the entry. The continuous
//! execution is made once for all that have read the same.
//!
//! **Invariant**: what is found does not depend on where executions begin.

use brownout_explore::{Exposure, Monitor};
use brownout_vm::{Bounds, Image, Machine, Moment, Observer, Stop, Unobserved};

use super::schedule::{self, Outage, is_nonvolatile};
use super::{Comparison, Continuous, Execution, Failed, Outages, Torn};

/// More parts of one store than so many are not left out in every combination.
const MOST_PARTS: usize = 4;

/// One execution for each write to non-volatile memory, with one power failure after or inside it.
pub struct EveryWrite {
    /// How many executions there were.
    pub executions: u64,
    /// How many of them had their failure inside the write.
    pub torn: u64,
    /// Instructions executed.
    pub instructions: u64,
    /// The failures that make a difference.
    pub harmful: Vec<(Failed, Comparison)>,
    /// Whether some were left out.
    pub interrupted: bool,
}

/// Lets power fail once after each write to non-volatile memory, and inside those of more than
/// `atomic` bytes.
pub fn every_write(
    image: &Image,
    outages: &Outages<'_>,
    atomic: Option<u32>,
    monitor: &dyn Monitor,
) -> EveryWrite {
    let mut result = EveryWrite {
        executions: 0,
        torn: 0,
        instructions: 0,
        harmful: Vec::new(),
        interrupted: false,
    };
    let mut scout = Machine::new(image);
    scout.set_bounds(Bounds::Lenient);
    let Some(times) = schedule::all_writes(scout, outages.limit, monitor) else {
        // Without an end there is nothing to compare.
        result.interrupted = true;
        return result;
    };
    let mut lead = match outages.exposure {
        Exposure::Region => Some(Execution::new(image, outages)),
        Exposure::Anywhere { .. } | Exposure::SinceCall { .. } => None,
    };
    let mut continuous: Option<Continuous<'_>> = None;
    for time in times {
        let mut write = LastWrite { image, last: None };
        let mut alone = None;
        let before = match &mut lead {
            Some(lead) => lead,
            None => alone.insert(Execution::new(image, outages)),
        };
        let begun = before.machine.now();
        let outage = Some(Outage {
            at: time,
            warning: None,
        });
        if let Some(stop) = before.until(outage, &mut write, &mut Unobserved, monitor) {
            result.interrupted |= stop == Stop::Paused;
            break;
        }
        result.instructions += before.machine.now() - begun;
        let torn = write.last.map_or_else(Vec::new, |last| last.cut(atomic));
        for torn in std::iter::once(None).chain(torn.into_iter().map(Some)) {
            if monitor.is_interrupted() {
                result.interrupted = true;
                return result;
            }
            let mut attempt = before.clone();
            let failed = match &torn {
                Some((torn, offset, bytes)) => {
                    attempt.machine.tear(*offset, bytes);
                    Failed {
                        torn: Some(*torn),
                        ..attempt.fail()
                    }
                }
                None => attempt.fail(),
            };
            let begun = attempt.machine.now();
            let stop = attempt.until(None, &mut Unobserved, &mut Unobserved, monitor);
            let ran = attempt.ran(stop.unwrap_or(Stop::Paused));
            result.instructions += ran.machine.now() - begun;
            let known = continuous.take().filter(|known| known.read_like(&ran.kept));
            let known = known.unwrap_or_else(|| {
                let new = ran.continuous(outages.limit, monitor);
                result.instructions += new.machine.now();
                new
            });
            let comparison = ran.compare_with(&known);
            continuous = Some(known);
            result.executions += 1;
            result.torn += u64::from(torn.is_some());
            result.interrupted |= ran.stop == Stop::Paused || comparison.stop == Stop::Paused;
            // Executions that were stopped are somewhere; one that faults is wrong if the other goes on.
            let is_comparable = match (&ran.stop, &comparison.stop) {
                (Stop::Faulted(_), Stop::Paused) => true,
                (one, other) => *one != Stop::Paused && *other != Stop::Paused,
            };
            if is_comparable && !comparison.effects.is_empty() {
                result.harmful.push((failed, comparison));
            }
        }
    }
    result
}

/// A write to non-volatile memory.
struct Wrote {
    offset: u32,
    old: Vec<u8>,
    new: Vec<u8>,
    /// Whether it is a copy or fill, which goes from one end to the other.
    is_block: bool,
}

impl Wrote {
    /// What a failure inside it leaves: how much of it is done, where, and the bytes.
    fn cut(&self, atomic: Option<u32>) -> Vec<(Torn, u32, Vec<u8>)> {
        let Some(unit) = atomic.filter(|&unit| unit > 0) else {
            return Vec::new();
        };
        // Which part each byte is in.
        let part = |index: usize| (self.offset as usize + index) / unit as usize;
        let differs = |index: &usize| self.old[*index] != self.new[*index];
        let mut parts: Vec<usize> = (0..self.new.len()).filter(differs).map(part).collect();
        parts.dedup();
        let count = parts.len();
        let firsts = (1..count).map(|first| parts[..first].to_vec());
        let chosen: Vec<Vec<usize>> = match self.is_block || count > MOST_PARTS {
            true => firsts.collect(),
            false => (1..(1u32 << count).saturating_sub(1))
                .map(|mask| {
                    let chosen = parts.iter().zip(0..);
                    let chosen = chosen.filter(|(_, bit)| mask >> bit & 1 == 1);
                    chosen.map(|(&part, _)| part).collect()
                })
                .collect(),
        };
        chosen
            .into_iter()
            .map(|chosen| {
                let is_done = |index: &usize| chosen.contains(&part(*index));
                let mut bytes = self.old.clone();
                for index in (0..bytes.len()).filter(is_done) {
                    bytes[index] = self.new[index];
                }
                let torn = Torn {
                    bytes: (0..bytes.len()).filter(is_done).count() as u32,
                    of: bytes.len() as u32,
                };
                (torn, self.offset, bytes)
            })
            .collect()
    }
}

/// Keeps the last write to non-volatile memory.
struct LastWrite<'i> {
    image: &'i Image,
    last: Option<Wrote>,
}

impl Observer for LastWrite<'_> {
    fn accesses(&self) -> bool {
        true
    }

    fn store(&mut self, at: Moment, memory: &[u8], offset: u32, new: &[u8]) {
        if is_nonvolatile(self.image, offset) {
            let range = offset as usize..offset as usize + new.len();
            self.last = Some(Wrote {
                offset,
                old: memory.get(range).unwrap_or_default().to_vec(),
                new: new.to_vec(),
                is_block: self.image.is_block(at.pc),
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Wrote;

    fn cuts(offset: u32, old: &[u8], new: &[u8], is_block: bool, atomic: u32) -> Vec<Vec<u8>> {
        let wrote = Wrote {
            offset,
            old: old.to_vec(),
            new: new.to_vec(),
            is_block,
        };
        let cut = wrote.cut(Some(atomic)).into_iter();
        cut.map(|(_, _, bytes)| bytes).collect()
    }

    #[test]
    fn stores_are_left_with_any_of_their_parts_and_copies_with_first_ones() {
        let (old, new) = ([0; 6], [1; 6]);
        assert_eq!(
            cuts(0, &old[..2], &new[..2], false, 2),
            Vec::<Vec<u8>>::new()
        );
        assert_eq!(
            cuts(0, &old[..4], &new[..4], false, 2),
            [[1, 1, 0, 0], [0, 0, 1, 1]]
        );
        assert_eq!(
            cuts(0, &old, &new, true, 2),
            [[1, 1, 0, 0, 0, 0], [1, 1, 1, 1, 0, 0]]
        );
        assert_eq!(cuts(0, &old, &new, false, 2).len(), 6);
        // Parts lie where the device has them, and those that do not change are none.
        assert_eq!(cuts(1, &old[..2], &new[..2], false, 2), [[1, 0], [0, 1]]);
        assert_eq!(
            cuts(0, &[1, 1, 0, 0], &new[..4], false, 2),
            Vec::<Vec<u8>>::new()
        );
    }
}
