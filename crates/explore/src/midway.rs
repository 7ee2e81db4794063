//! Outputs that take time, and power that fails in the middle of them.
//!
//! **Invariant**: an output changes the values of its surroundings evenly while it takes place.

use brownout_vm::{Image, Machine, Moment, Observer};

/// An output that was on its way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Midway {
    /// When it began: executed instructions, the first of the output included.
    begun: u64,
    /// Instructions that have passed since.
    pub done: u64,
    /// Instructions that it takes.
    pub takes: u64,
}

impl Midway {
    /// The output at `begun`, if it was on its way at `time`.
    pub fn at(image: &Image, (output, begun): (u32, u64), time: u64) -> Option<Self> {
        let takes = image.bindings().outputs.get(output as usize)?.takes;
        let done = time.checked_sub(begun)?;
        (0 < done && done < takes).then_some(Self { begun, done, takes })
    }

    /// What the surroundings are then, given what they are before and after it.
    pub fn environment(self, before: &[i64], after: &[i64]) -> Vec<i64> {
        let value = |(&old, &new): (&i64, &i64)| {
            let way = i128::from(new) - i128::from(old);
            let done = way * i128::from(self.done) / i128::from(self.takes);
            (i128::from(old) + done) as i64
        };
        before.iter().zip(after).map(value).collect()
    }
}

/// Runs `machine` to `time` and gives the surroundings at that moment. The machine itself stops
/// after an output that is on its way.
pub fn advance_midway(machine: &mut Machine<'_>, image: &Image, time: u64) -> Vec<i64> {
    let mut start = machine.clone();
    let mut last = Last(None);
    machine.watch(&mut last, time);
    let after = machine.environment();
    match last.0.and_then(|last| Midway::at(image, last, time)) {
        Some(midway) => {
            start.advance(midway.begun.saturating_sub(1));
            midway.environment(start.environment(), after)
        }
        None => after.to_vec(),
    }
}

/// The last output that was made, and when.
struct Last(Option<(u32, u64)>);

impl Observer for Last {
    fn output(&mut self, at: Moment, index: u32, _: &[u64]) {
        self.0 = Some((index, at.time));
    }
}

#[cfg(test)]
mod tests {
    use super::Midway;

    #[test]
    fn values_change_evenly() {
        let values = |done| {
            let midway = Midway {
                begun: 7,
                done,
                takes: 40,
            };
            midway.environment(&[0, 10, i64::MIN], &[100, -10, i64::MAX])
        };
        assert_eq!(values(1)[..2], [2, 10]);
        assert_eq!(values(20), [50, 0, -1]);
        assert_eq!(values(39)[..2], [97, -9]);
    }
}
