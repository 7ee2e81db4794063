//! One line per finding, as editors and scripts parse it.

use brownout_diag::{Finding, Rule};

use crate::effects;

/// `file:line:column: severity[rule]: message`.
pub fn concise(finding: &Finding) -> String {
    let place = finding.primary();
    // Editors want all three, also where debug information does not have them.
    let (file, line, column) = place.map_or(("<unknown>", 0, 0), |place| place.position());
    let place = format!("{file}:{}:{}", line.max(1), column.max(1));
    let effect = match finding.effects.first() {
        // The message is about the effect.
        Some(_) if finding.rule == Rule::OutputSemantics => String::new(),
        Some(effect) => format!("; a power failure {}", effects::describe(effect)),
        None => String::new(),
    };
    let pairs = match finding.pairs.len() {
        0 | 1 => String::new(),
        pairs => format!(" ({pairs} pairs)"),
    };
    format!(
        "{place}: {}[{}]: {}{effect}{pairs}",
        finding.severity, finding.rule, finding.message
    )
}
