//! A program that is checked again under other circumstances: an interrupt comes at a certain place, or it is not
//! its first boot. What that shows belongs to the one result.

use std::sync::Arc;

use brownout_diag::{Evidence, Finding};
use brownout_trace::Checked;

/// Adds what another check of the program shows, to replay which takes one `part` of an id more.
pub(crate) fn add(checked: &mut Checked, more: Checked, part: &str) {
    checked.interrupted |= more.interrupted;
    checked.add(&[], more.tests, more.emulated);
    checked.recovering.extend(more.recovering);
    add_findings(checked, more.findings, part);
}

/// Adds what was found under other circumstances, to replay which takes one `part` of an id more.
pub(crate) fn add_findings(checked: &mut Checked, findings: Vec<Finding>, part: &str) {
    for mut finding in findings {
        let witnesses = finding.pairs.iter_mut();
        let witnesses = witnesses.filter_map(|pair| pair.witness.as_mut());
        let ids = witnesses.map(|witness| &mut Arc::make_mut(witness).replay);
        for id in ids.chain([&mut finding.replay]).flatten() {
            id.push_str(part);
        }
        merge(checked, finding);
    }
}

/// Adds a finding; of one defect the stronger evidence counts.
fn merge(checked: &mut Checked, finding: Finding) {
    let strength = |finding: &Finding| match finding.evidence {
        Evidence::Confirmed => 3,
        Evidence::Located => 2,
        Evidence::Possible => 1,
        Evidence::Benign | Evidence::Refuted => 0,
    };
    let mut known = checked.findings.iter_mut();
    match known.find(|known| known.identity() == finding.identity()) {
        Some(known) if strength(known) < strength(&finding) => *known = finding,
        Some(_) => {}
        None => checked.findings.push(finding),
    }
}
