//! Stores in flash that recover by themselves.
//!
//! Where a record lies in a log, and which page holds it, may differ after a power failure and be right: what counts is
//! what the program makes of it. Comparing bytes cannot tell that from harm; `brownout crash` asks the program's own
//! assertions.

use brownout_diag::{Effect, Evidence, Finding, ObjectId, Severity};
use brownout_scenario::{Flash, Policy, Scenario};

/// A finding that says of nothing but the contents of a flash part that they differ is a warning.
pub(crate) fn judge_by_recovery(finding: &mut Finding, scenario: &Scenario) {
    if finding.evidence != Evidence::Confirmed || scenario.power.policy != Policy::Restart {
        return;
    }
    let Some(object) = &finding.object else {
        return;
    };
    let is_in = |part: &Flash, id: &ObjectId| id.variable() == Some(&part.object);
    let is_of = |part: &Flash, effect: &Effect| matches!(effect, Effect::Value { object, .. } if is_in(part, &object.id));
    let mut parts = scenario.flash.iter();
    let Some(part) = parts.find(|part| {
        is_in(part, &object.id) && finding.effects.iter().all(|effect| is_of(part, effect))
    }) else {
        return;
    };
    finding.severity = Severity::Warning;
    finding.help = vec![format!(
        "what lies where in `{0}` may differ and be right: `brownout crash` judges it by the program's own assertions and `[[invariant]]`; `[compare] ignore = [\"{0}\"]` leaves it out here",
        part.object
    )];
}
