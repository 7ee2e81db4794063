//! When the places of findings were executed first: where they are in the picture of the run.

use std::collections::BTreeMap;

use brownout_diag::{Finding, SourcePlace};
use brownout_ir::Func;
use brownout_vm::{Image, Machine, Moment, Observer};

use crate::outcome::Outcome;

/// So many instructions are executed to find out; what comes first after them has no time.
const LIMIT: u64 = 400_000_000;

/// When each line that does something with memory, calls or the world outside did so first.
#[derive(Default)]
pub struct Occasions(BTreeMap<(String, u32), u64>);

impl Occasions {
    /// When one of the places of a finding was executed first, its most telling one if possible.
    pub fn of(&self, finding: &Finding) -> Option<u64> {
        let places = [
            finding.primary(),
            finding.branch.as_ref(),
            finding.producer.as_ref(),
            finding.consumer.as_ref(),
        ];
        let time = |place: &SourcePlace| self.0.get(&(place.file.clone(), place.line)).copied();
        places.into_iter().flatten().find_map(time)
    }
}

/// Executes the program once more, if some finding needs it.
pub fn occasions(outcome: &Outcome) -> Occasions {
    let findings = &outcome.checked.findings;
    let Some(image) = &outcome.image else {
        return Occasions::default();
    };
    if findings.iter().all(|finding| finding.replay.is_some()) {
        return Occasions::default();
    }
    let mut first = First::default();
    Machine::new(image).watch(&mut first, outcome.checked.instructions.min(LIMIT));
    Occasions(lines(image, &first.0))
}

fn lines(image: &Image, first: &[u64]) -> BTreeMap<(String, u32), u64> {
    let source = &image.program().source;
    let mut lines = BTreeMap::new();
    for (pc, &time) in (0..).zip(first) {
        if time == 0 {
            continue;
        }
        let place = image.place(pc).and_then(|place| source.places.get(place));
        let file = place.and_then(|place| source.files.get(place.file));
        if let (Some(place), Some(file)) = (place, file) {
            let known = lines.entry((file.clone(), place.line)).or_insert(time);
            *known = time.min(*known);
        }
    }
    lines
}

/// By operation, when it was executed first; 0 for never.
#[derive(Default)]
struct First(Vec<u64>);

impl First {
    fn note(&mut self, at: Moment) {
        let index = at.pc as usize;
        if index >= self.0.len() {
            self.0.resize(index + 1, 0);
        }
        if self.0[index] == 0 {
            self.0[index] = at.time;
        }
    }
}

impl Observer for First {
    fn accesses(&self) -> bool {
        true
    }

    fn load(&mut self, at: Moment, _: u32, _: &[u8]) {
        self.note(at);
    }

    fn store(&mut self, at: Moment, _: &[u8], _: u32, _: &[u8]) {
        self.note(at);
    }

    fn call(&mut self, at: Moment, _: Func, _: u32) {
        self.note(at);
    }

    fn allocate(&mut self, at: Moment, _: u32, _: u32) {
        self.note(at);
    }

    fn input(&mut self, at: Moment, _: u32, _: u64) {
        self.note(at);
    }

    fn output(&mut self, at: Moment, _: u32, _: &[u64]) {
        self.note(at);
    }
}
