//! All there is to say about a program that was checked.

use std::collections::BTreeMap;

use brownout_device::Title;
use brownout_diag::{Finding, ReplayId};
use brownout_scenario::Scenario;
use brownout_trace::{Broken, Checked};
use brownout_vm::{Image, Stop};

use crate::endless;
use crate::environment::Surroundings;
use crate::faults::ProgramFault;

/// A program that was checked, with all there is to say about it.
pub struct Outcome {
    /// What to call it.
    pub title: Title,
    /// What the user says of the device.
    pub scenario: Scenario,
    /// What was executed, unless nothing was.
    pub image: Option<Image>,
    /// What was found, in what was executed.
    pub checked: Checked,
    /// What the solver has shown to be impossible.
    pub refuted: Vec<Finding>,
    /// What else is worth saying.
    pub notes: Vec<String>,
    /// The user's functions that were never executed.
    pub unexecuted: Vec<String>,
    /// Lines that write non-volatile memory and were not executed, where nothing else is known of them.
    pub unwritten: Vec<String>,
    /// The last boot that was executed, if there are more which may do something new.
    pub last_boot: Option<u32>,
    /// How many executions of code without an entry a fault ended, by its kind.
    pub faults: BTreeMap<&'static str, u64>,
    /// When checkpoints were called.
    pub commits: Vec<u64>,
    /// What the result holds except for.
    pub except: Vec<String>,
    /// What is not known, so that "nothing found" would not be true.
    pub unknown: Vec<String>,
    /// What has to hold and power failures break that no finding is about.
    pub breakable: Vec<(String, ReplayId)>,
    /// What has to hold and does not, even without a power failure.
    pub broken: Vec<Broken>,
    /// Whether static analysis had to come to its end before it had a result: what other paths than the executed ones
    /// do was not checked.
    pub is_unfinished: bool,
    /// What the program does wrong by itself: how it dies.
    pub death: Option<ProgramFault>,
    /// And where it writes next to its objects.
    pub overrun: Option<ProgramFault>,
    /// What is known of inputs and outputs.
    pub surroundings: Surroundings,
    /// What static analysis took.
    pub analysis_seconds: f64,
    /// What executions took.
    pub emulation_seconds: f64,
}

impl Outcome {
    /// Whether anything was left out.
    pub fn is_complete(&self) -> bool {
        let ended = match &self.checked.endless {
            Some(endless) => endless.waits.is_none(),
            None => match self.checked.rounds {
                Some(rounds) => !rounds.can_end,
                None => matches!(self.checked.stop, Some(Stop::Exited { .. }) | None),
            },
        };
        let is_cut = self.checked.interrupted || self.is_unfinished || self.last_boot.is_some();
        ended && !is_cut && self.unwritten.is_empty() && self.unknown.is_empty()
    }

    /// What was not checked of a program that may execute so many instructions, and why.
    pub fn unchecked(&self, max_instructions: u64) -> Option<String> {
        let checked = &self.checked;
        if let Some(death) = &self.death {
            return Some(death.message.clone());
        }
        if checked.interrupted {
            return Some(
                "stopped before everything was checked; this is what was found so far".to_owned(),
            );
        }
        endless::unfinished(checked, self.image.as_ref()?, max_instructions)
    }
}
