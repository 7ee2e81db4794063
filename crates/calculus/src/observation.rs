//! §5: how the observations of an intermittent execution relate to those of a continuous one.
//!
//! ```text
//!              O1' ≤m O2                  O1 ≤m O2       O1 ≤m O2    O1' ≤cm O2'
//! ────────   ─────────────────────      ───────────   ──────────────────────────────
//!  O ≤m O     O1, reboot, O1' ≤m O2       O1 ≤cm O2     O1, checkpoint, O1' ≤cm O2, O2'
//! I-RB-BASE  I-RB-IND                    CP-BASE       CP-IND
//! ```

use crate::state::Observation;

/// `O1 ≤m O2`: what was observed after the last reboot is `O2`.
pub fn last_attempt_matches(intermittent: &[Observation], continuous: &[Observation]) -> bool {
    let reboot = intermittent
        .iter()
        .position(|observation| *observation == Observation::Reboot);
    match reboot {
        // I-RB-IND
        Some(reboot) => last_attempt_matches(&intermittent[reboot + 1..], continuous),
        // I-RB-BASE
        None => intermittent == continuous,
    }
}

/// `O1 ≤cm O2`: that holds of every stretch between checkpoints, one after the other.
pub fn every_region_matches(intermittent: &[Observation], continuous: &[Observation]) -> bool {
    let checkpoint = intermittent
        .iter()
        .position(|observation| *observation == Observation::Checkpoint);
    match checkpoint {
        // CP-IND: for some way of cutting the continuous observations in two
        Some(checkpoint) => (0..=continuous.len()).any(|cut| {
            last_attempt_matches(&intermittent[..checkpoint], &continuous[..cut])
                && every_region_matches(&intermittent[checkpoint + 1..], &continuous[cut..])
        }),
        // CP-BASE
        None => last_attempt_matches(intermittent, continuous),
    }
}

/// `O|in`: the inputs among observations, in order.
pub fn inputs(observations: &[Observation]) -> Vec<Observation> {
    observations
        .iter()
        .filter(|observation| matches!(observation, Observation::Input(..)))
        .copied()
        .collect()
}
