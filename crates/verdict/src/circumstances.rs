//! A program that is checked again under other circumstances: an interrupt comes at a certain place, or it is not
//! its first boot. What that shows belongs to the one result.

use std::sync::Arc;

use brownout_diag::{Finding, Replay, ReplayId};
use brownout_trace::Checked;

/// Adds what another check of the program shows; `under` says its circumstances in what replays it.
pub(crate) fn add(checked: &mut Checked, more: Checked, under: &dyn Fn(&mut ReplayId)) {
    checked.interrupted |= more.interrupted;
    checked.add(&[], more.tests, more.emulated);
    checked.recovering.extend(more.recovering);
    add_findings(checked, more.findings, under);
}

/// Adds what was found under other circumstances; `under` says them in what replays it.
pub(crate) fn add_findings(
    checked: &mut Checked,
    findings: Vec<Finding>,
    under: &dyn Fn(&mut ReplayId),
) {
    for mut finding in findings {
        let witnesses = finding.pairs.iter_mut();
        let witnesses = witnesses.filter_map(|pair| pair.witness.as_mut());
        let ids = witnesses.filter_map(|witness| Arc::make_mut(witness).replay.as_mut());
        ids.for_each(under);
        if let Some(Replay::Failure(id)) = &mut finding.replay {
            under(id);
        }
        merge(checked, finding);
    }
}

/// Adds a finding; of one defect the graver evidence counts.
fn merge(checked: &mut Checked, finding: Finding) {
    let mut known = checked.findings.iter_mut();
    match known.find(|known| known.identity() == finding.identity()) {
        Some(known) if finding.evidence.is_graver_than(known.evidence) => *known = finding,
        Some(_) => {}
        None => checked.findings.push(finding),
    }
}
