//! What executions of a function are worth that others call, without all that runs before or in between.
//!
//! Where nobody else writes what the function reads, they are as good as any. Otherwise a failure that does harm may be
//! one that `main` repairs at the next boot, or one that comes at a moment at which the function is never called; and one
//! that does none may do some with what others have set.

use std::collections::BTreeSet;

use brownout_device::unknown::listed;
use brownout_device::{CalledBack, unstarted};
use brownout_diag::{Evidence, Finding, Severity};
use brownout_ir::Origin;

use crate::outcome::Outcome;

const HELP: &str = "help: give what runs it, for the check: a file with a body for the functions that it is given to and that wait, which keeps it and calls it";

/// Takes back what the executions of a function alone do not show.
pub(crate) fn judge(outcome: &mut Outcome, entry: &str, task: &str) {
    let Some(image) = &outcome.image else { return };
    let names = quoted(&unstarted::leaned_on(image.program(), entry, task));
    if names.is_empty() {
        return;
    }
    let names = listed(&names);
    let why = format!(
        "`{task}` was executed alone: `{entry}` runs first after a power failure, and may write {names}"
    );
    take_back(&mut outcome.checked.findings, &why);
    outcome.unknown.push(format!(
        "`{task}` was not checked as it runs: it was executed without `{entry}`, which may write {names} before\n{HELP}"
    ));
}

/// Takes back what executions do not show of callbacks that depend on the order in which they are called.
pub(crate) fn judge_order(outcome: &mut Outcome, callbacks: &[CalledBack]) {
    let Some(image) = &outcome.image else { return };
    let is_called = |callback: &&CalledBack| !outcome.unexecuted.contains(&callback.name);
    let (called, never): (Vec<_>, Vec<_>) = callbacks.iter().partition(is_called);
    outcome.unknown.extend(never.iter().map(|callback| {
        format!(
            "`{}` was not checked: no execution came to where it is given away\nhelp: inputs may decide about that: `[[input]]` with `values`",
            callback.name
        )
    }));
    let several = called.iter().filter(|callback| callback.is_given_several);
    outcome.unknown.extend(several.map(|callback| {
        format!(
            "`{}` was not checked with everything that it is given: it was called with what it was given last",
            callback.name
        )
    }));
    let functions = image.program().functions.values();
    let users = functions.filter(|function| function.origin == Origin::User);
    let mut independent: BTreeSet<&str> = users.map(|function| function.name.as_str()).collect();
    let dependent = called.iter().filter(|callback| !callback.shared.is_empty());
    for callback in dependent.clone() {
        independent.retain(|name| !callback.runs.contains(*name));
    }
    for callback in dependent {
        let name = &callback.name;
        let (shared, others) = (quoted(&callback.shared), quoted(&callback.others));
        let (shared, others) = (listed(&shared), listed(&others));
        let why = format!(
            "`{name}` reads {shared}, which {others} may write: in what order they are called is not known"
        );
        let its = outcome.checked.findings.iter_mut().filter(|finding| {
            let mut places = finding
                .producer
                .iter()
                .chain(&finding.consumer)
                .chain(&finding.branch);
            places.any(|place| !independent.contains(place.function.as_str()))
        });
        its.for_each(|finding| take_back(std::slice::from_mut(finding), &why));
        outcome.unknown.push(format!(
            "`{name}` was not checked as it runs: it reads {shared}, which {others} may write, and in what order they are called is not known\n{HELP}"
        ));
    }
}

fn quoted(names: &BTreeSet<String>) -> Vec<String> {
    names.iter().map(|name| format!("`{name}`")).collect()
}

/// Takes back that findings are confirmed.
fn take_back(findings: &mut [Finding], why: &str) {
    for finding in findings {
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
        finding.notes.push(why.to_owned());
    }
}
