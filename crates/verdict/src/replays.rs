//! Replays of power failures, as the scenario has them.

use std::num::NonZeroU32;
use std::ops::Range;

use brownout_diag::ReplayId;
use brownout_explore::{Recovery, Trial};
use brownout_scenario::Scenario;
use brownout_trace::{ReplayError, ReplayRequest, Replayed};
use brownout_vm::{Elsewhere, Image, InterruptSchedule};

use crate::compared;

/// All that replays of one program need.
pub struct Replays<'r> {
    image: &'r Image,
    scenario: &'r Scenario,
    saved: Vec<Range<u32>>,
    inputs: Vec<String>,
    outputs: Vec<String>,
    limit: u64,
    reach: u64,
}

/// So many instructions after the checkpoint are looked at for what a difference does: programs without end
/// have no last access.
const REACH: u64 = 20_000_000;

impl<'r> Replays<'r> {
    /// Replays in a program, of which so many instructions are executed at most.
    pub fn new(image: &'r Image, scenario: &'r Scenario, limit: u64) -> Self {
        let (inputs, outputs) = surroundings(scenario);
        Self {
            image,
            scenario,
            saved: compared::saved(image, scenario),
            inputs,
            outputs,
            limit,
            reach: REACH,
        }
    }

    /// The same, looking at so many instructions after the checkpoint only.
    #[must_use]
    pub fn within(self, reach: u64) -> Self {
        Self { reach, ..self }
    }

    /// Replays one failure, and shows these objects or those concerned.
    ///
    /// # Errors
    /// If there is no such failure in the program.
    pub fn replay(&self, id: &ReplayId, names: &[String]) -> Result<Replayed, ReplayError> {
        self.ask(id, names, brownout_trace::replay)
    }

    /// How one failure differs from the continuous execution, without what happened.
    ///
    /// # Errors
    /// If there is no such failure in the program.
    pub fn judge(&self, id: &ReplayId) -> Result<Trial, ReplayError> {
        self.ask(id, &[], brownout_trace::judge)
    }

    fn ask<A>(
        &self,
        id: &ReplayId,
        names: &[String],
        answer: fn(&Image, &ReplayRequest<'_>) -> Result<A, ReplayError>,
    ) -> Result<A, ReplayError> {
        let Self {
            image,
            scenario,
            limit,
            reach,
            ..
        } = *self;
        let later = id
            .skipped
            .map(|readings| image.reading_later(readings.get()));
        let image = later.as_ref().unwrap_or(image);
        let interrupted = id.interrupt.map(|interrupt| {
            image.with_interrupts(InterruptSchedule::At {
                pc: interrupt.operation,
                handler: interrupt.handler,
                elsewhere: match interrupt.with_others {
                    true => Elsewhere::NowAndThen,
                    false => Elsewhere::Absent,
                },
            })
        });
        let image = interrupted.as_ref().unwrap_or(image);
        let booted = match id.boot {
            Some(number) => Some(self.boot(image, number)?),
            None => None,
        };
        let image = booted.as_ref().unwrap_or(image);
        let registers = match id.resets_registers {
            true => brownout_trace::device_registers(image, scenario, id, limit),
            false => Vec::new(),
        };
        let request = ReplayRequest {
            id: id.clone(),
            exposure: scenario.power.policy.exposure(),
            saved: &self.saved,
            names,
            inputs: &self.inputs,
            outputs: &self.outputs,
            registers: &registers,
            limit,
            reach,
            ignored: &compared::ignored(image, scenario),
            meant: &compared::meant(image, scenario),
            tags: &compared::tags(scenario),
            once: &compared::once(scenario),
            recovery: scenario.power.policy.recovery(),
        };
        answer(image, &request)
    }
}

impl Replays<'_> {
    /// The program as a later boot finds it.
    fn boot(&self, image: &Image, number: NonZeroU32) -> Result<Image, ReplayError> {
        let begins_anew = self.scenario.power.policy.recovery() == Recovery::Restart;
        let booted = begins_anew.then(|| brownout_trace::boot(image, number, self.limit));
        booted.flatten().ok_or(ReplayError::NoSuchBoot { number })
    }
}

/// What inputs and outputs are called, by number.
pub(crate) fn surroundings(scenario: &Scenario) -> (Vec<String>, Vec<String>) {
    (
        scenario
            .inputs
            .iter()
            .map(|input| input.source.name().to_owned())
            .collect(),
        scenario
            .outputs
            .iter()
            .map(|output| output.source.name().to_owned())
            .collect(),
    )
}
