//! The steps of confirmed findings, for documents that show them.

use std::collections::BTreeMap;

use brownout_diag::{Finding, ReplayId, Story};
use brownout_trace::{Exposure, ReplayRequest};

use crate::check::{self, Outcome};
use crate::cli::CheckOptions;
use crate::replay;

/// A story is told by running up to it: so many instructions are spent on all of them, and so many
/// are told at least.
const BUDGET: u64 = 400_000_000;
const AT_LEAST: u64 = 5;
/// More than this nobody reads.
const AT_MOST: u64 = 200;

/// Stories by replay id.
#[derive(Default)]
pub(crate) struct Stories(BTreeMap<String, Story>);

impl Stories {
    /// The story of a finding.
    pub(crate) fn get(&self, finding: &Finding) -> Option<&Story> {
        self.0.get(finding.replay.as_ref()?)
    }
}

/// Replays the findings that can be, as many as can be afforded.
pub(crate) fn of(outcome: &Outcome, options: &CheckOptions) -> Stories {
    let mut stories = Stories::default();
    let Some(image) = &outcome.image else {
        return stories;
    };
    let Outcome {
        scenario, checked, ..
    } = outcome;
    let (inputs, outputs) = replay::surroundings(scenario);
    let saved = check::saved(image, scenario);
    let affordable = (BUDGET / checked.instructions.max(1)).clamp(AT_LEAST, AT_MOST) as usize;
    for finding in &checked.findings {
        let Some(text) = &finding.replay else {
            continue;
        };
        if stories.0.len() >= affordable || stories.0.contains_key(text) {
            continue;
        }
        let Ok(id) = text.parse::<ReplayId>() else {
            continue;
        };
        let request = ReplayRequest {
            id,
            exposure: Exposure::from(scenario.power.policy),
            saved: &saved,
            names: &[],
            inputs: &inputs,
            outputs: &outputs,
            limit: options.max_instructions,
        };
        // A failure that cannot be replayed is shown in outline, as one that was not emulated.
        if let Ok(replayed) = brownout_trace::replay(image, &request) {
            stories.0.insert(text.clone(), replayed.story);
        }
    }
    stories
}
