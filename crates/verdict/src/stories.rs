//! The steps of confirmed findings, for documents that show them.

use std::collections::BTreeMap;

use brownout_diag::{Finding, ReplayId, Story};

use crate::outcome::Outcome;
use crate::replays::Replays;

/// A story is told by running up to it: so many instructions are spent on all of them, and so many
/// are told at least.
const BUDGET: u64 = 400_000_000;
const AT_LEAST: u64 = 5;
/// More than this nobody reads.
const AT_MOST: u64 = 200;

/// Stories by replay id.
#[derive(Default)]
pub struct Stories(BTreeMap<ReplayId, Story>);

impl Stories {
    /// The story of a finding.
    pub fn get(&self, finding: &Finding) -> Option<&Story> {
        self.0.get(finding.failure()?)
    }
}

/// Replays the findings that can be, as many as can be afforded.
pub fn stories(outcome: &Outcome, max_instructions: u64) -> Stories {
    let mut stories = Stories::default();
    let Some(image) = &outcome.image else {
        return stories;
    };
    let Outcome {
        scenario, checked, ..
    } = outcome;
    let replays = Replays::new(image, scenario, max_instructions);
    let affordable = (BUDGET / checked.instructions.max(1)).clamp(AT_LEAST, AT_MOST) as usize;
    for finding in &checked.findings {
        let Some(id) = finding.failure() else {
            continue;
        };
        if stories.0.len() >= affordable || stories.0.contains_key(id) {
            continue;
        }
        // A failure that cannot be replayed is shown in outline, as one that was not emulated.
        if let Ok(replayed) = replays.replay(id, &[]) {
            stories.0.insert(id.clone(), replayed.story);
        }
    }
    stories
}
