//! What executions of a function are worth that others call, without the `main` that runs before.
//!
//! Where `main` writes nothing that the function reads, they are as good as any. Otherwise a failure that does harm may be
//! one that `main` repairs at the next boot, and one that does none may do some with what `main` has set.

use brownout_device::unknown::listed;
use brownout_device::unstarted;
use brownout_diag::{Evidence, Severity};

use crate::outcome::Outcome;

/// Takes back what the executions of a function alone do not show.
pub(crate) fn judge(outcome: &mut Outcome, entry: &str, task: &str) {
    let Some(image) = &outcome.image else { return };
    let names: Vec<String> = unstarted::leaned_on(image.program(), entry, task)
        .iter()
        .map(|name| format!("`{name}`"))
        .collect();
    if names.is_empty() {
        return;
    }
    let names = listed(&names);
    for finding in &mut outcome.checked.findings {
        if finding.evidence != Evidence::Confirmed {
            continue;
        }
        finding.evidence = Evidence::Possible;
        for pair in &mut finding.pairs {
            if pair.evidence == Evidence::Confirmed {
                pair.evidence = Evidence::Possible;
            }
        }
        if finding.severity == Severity::Error {
            finding.severity = Severity::Warning;
        }
        finding.notes.push(format!(
            "`{task}` was executed alone: `{entry}` runs first after a power failure, and may write {names}"
        ));
    }
    outcome.unknown.push(format!(
        "`{task}` was not checked as it runs: it was executed without `{entry}`, which may write {names} before\nhelp: give what runs it, for the check: a file with a body for the functions that it is given to and that wait, which keeps it and calls it"
    ));
}
