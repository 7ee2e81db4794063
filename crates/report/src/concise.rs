//! One line per finding, as editors and scripts parse it.

use brownout_diag::Finding;

use crate::effects;

/// `file:line:column: severity[rule]: message`.
pub fn concise(finding: &Finding) -> String {
    let place = finding.primary();
    let place = place.map_or_else(|| "<unknown>".to_owned(), ToString::to_string);
    let effect = match finding.effects.first() {
        Some(effect) => format!("; a power failure {}", effects::describe(effect)),
        None => String::new(),
    };
    format!(
        "{place}: {}[{}]: {}{effect}",
        finding.severity, finding.rule, finding.message
    )
}
