//! How inputs behave, against executing every region with other readings and looking what changes.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::ops::ControlFlow;

use brownout_diag::Behaviour;
use brownout_scenario::ValueSource;
use brownout_trace::check_inputs;
use brownout_vm::{Machine, Moment, Observer};

use crate::support::{INPUTS, LONG, for_lists, image, scenario, statements, text};

/// Everything an execution does to memory and puts out, with the region it does it in.
#[derive(Default)]
struct Events {
    region: u32,
    events: Vec<(u32, Vec<u8>)>,
    /// The region of every reading, by input.
    readings: BTreeMap<u32, Vec<u32>>,
}

impl Observer for Events {
    #[inline(always)]
    fn accesses(&self) -> bool {
        true
    }

    fn load(&mut self, _: Moment, _: u32, bytes: &[u8]) {
        self.events.push((self.region, bytes.to_vec()));
    }

    fn store(&mut self, _: Moment, _: &[u8], _: u32, new: &[u8]) {
        self.events.push((self.region, new.to_vec()));
    }

    fn input(&mut self, _: Moment, index: u32, _: u64) {
        self.readings.entry(index).or_default().push(self.region);
    }

    fn checkpoint(&mut self, _: Moment, _: &[(u32, u32)]) -> ControlFlow<()> {
        self.region += 1;
        ControlFlow::Continue(())
    }
}

fn events(text: &str, values: &[Vec<i64>]) -> Events {
    let sources = values.iter().cloned().map(ValueSource::Cycle).collect();
    let image = image(text, &scenario(""), sources, 0);
    let mut events = Events::default();
    Machine::new(&image).watch(&mut events, LONG);
    events
}

/// The oracle: the oldest region whose readings of an input an event depends on.
fn behaviour(text: &str, values: &[Vec<i64>], base: &Events, input: usize) -> Option<Behaviour> {
    let regions = base.readings.get(&(input as u32))?;
    let mut oldest: Vec<Option<u32>> = vec![None; base.events.len()];
    for region in (0..=base.region).rev() {
        for difference in [0x1234_5677, 0x0f0e_0d0d, 0x7abc_1235] {
            let mut changed = values.to_vec();
            for (value, _) in changed[input]
                .iter_mut()
                .zip(regions)
                .filter(|(_, other)| **other == region)
            {
                *value ^= difference;
            }
            let again = events(text, &changed);
            for (index, (one, other)) in base.events.iter().zip(&again.events).enumerate() {
                if one != other {
                    oldest[index] = Some(region);
                }
            }
        }
    }
    let uses = base.events.iter().zip(&oldest);
    let uses: Vec<bool> = uses
        .filter_map(|((region, _), oldest)| Some(oldest.as_ref()? == region))
        .collect();
    Some(match (uses.contains(&true), uses.contains(&false)) {
        (false, false) => Behaviour::Unused,
        (true, false) => Behaviour::MostRecent,
        (false, true) => Behaviour::LongTerm,
        (true, true) => Behaviour::Both,
    })
}

#[test]
fn behaviours_are_those_of_executing_every_region_again() {
    let seen = Cell::new([0; 4]);
    for_lists(2000, 11, |list| {
        let text = text(&statements(list));
        let values: Vec<Vec<i64>> = (0..INPUTS as i64)
            .map(|input| {
                let value = |index: i64| (index * 7919 + input * 104_729) * 0x9e37 % 0x7fff_ffff;
                (1..=40).map(value).collect()
            })
            .collect();
        let base = events(&text, &values);
        let config = "[power]\ncheckpoints = ['checkpoint']\n\
                      [[input]]\nfunction = 'in0'\nconstant = 1\n[[input]]\nfunction = 'in1'\nconstant = 1\n\
                      [[input]]\nfunction = 'in2'\nconstant = 1\n";
        let scenario = scenario(config);
        let sources = values.iter().cloned().map(ValueSource::Cycle).collect();
        let image = image(&text, &scenario, sources, 0);
        let checked = check_inputs(&image, &scenario, LONG, &|| false);
        for input in 0..INPUTS {
            let name = format!("in{input}");
            let ours = checked.behaviours.iter().find(|ours| ours.input == name);
            let ours = ours.map(|ours| ours.behaviour);
            let theirs = behaviour(&text, &values, &base, input);
            if ours != theirs {
                return Err(format!("{name}: {ours:?}, expected {theirs:?}"));
            }
            if let Some(behaviour) = ours {
                let mut counts = seen.get();
                counts[behaviour as usize] += 1;
                seen.set(counts);
            }
        }
        Ok(())
    });
    // Readings are always stored, so that none is unused.
    let [most_recent, _, both, unused] = seen.get();
    assert!(
        most_recent > 50 && both > 50 && unused == 0,
        "{:?}",
        seen.get()
    );
}
