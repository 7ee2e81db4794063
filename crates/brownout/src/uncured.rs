//! What is wrong with a program that no checkpoint mends by saving more.

use brownout_device::Prepared;
use brownout_diag::{Finding, Rule, Severity};
use brownout_verdict::Effort;

use crate::cli::{CheckFormat, CheckOptions, FixOptions};
use crate::console;
use crate::error::Error;
use crate::examined::searched;

/// After this many instructions enough was executed: `brownout check` executes more.
const MOST_INSTRUCTIONS: u64 = 20_000_000;

/// Checks a program whose checkpoints save all that they have to, and says which errors it has all the same. Whether there
/// are any. If the checkpoints do not save it yet, errors that this may mend are left out.
pub(crate) fn tell(
    options: &FixOptions,
    prepared: Prepared,
    is_saved: bool,
) -> Result<bool, Error> {
    let outcome = searched(&check(options), prepared)?;
    let left: Vec<&Finding> = outcome
        .counted()
        .filter(|finding| finding.severity == Severity::Error)
        .filter(|finding| is_saved || !is_cured(finding.rule))
        .collect();
    if left.is_empty() {
        return Ok(false);
    }
    console::line(&format!(
        "error: saving does not cure {}, see `brownout check`:",
        brownout_diag::plural(left.len() as u64, "error")
    ));
    for finding in &left {
        let place = finding.producer.as_ref().or(finding.consumer.as_ref());
        let at = place.map_or_else(String::new, |place| format!("{place}: "));
        console::line(&format!("  {at}[{}] {}", finding.rule, finding.message));
    }
    Ok(true)
}

/// Whether checkpoints that save more may be an answer.
fn is_cured(rule: Rule) -> bool {
    match rule {
        Rule::WriteAfterRead | Rule::TornWrite | Rule::RepeatedInput | Rule::TaintedAddress => true,
        Rule::ActivationRecord
        | Rule::MemoryMap
        | Rule::HeapLeak
        | Rule::StaleInput
        | Rule::OutputSemantics
        | Rule::PeripheralState
        | Rule::LostState
        | Rule::CrashConsistency => false,
    }
}

/// A check of the same program.
fn check(options: &FixOptions) -> CheckOptions {
    CheckOptions {
        program: options.program.clone(),
        suggested: None,
        effort: Effort::Slight,
        device: options.device.clone(),
        evaluate: false,
        no_evaluate: false,
        failures: None,
        brute_force: false,
        prove: false,
        only_static: false,
        restart_at: options.restart_at,
        show_silent: false,
        only: Vec::new(),
        skip: Vec::new(),
        baseline: None,
        write_baseline: None,
        only_changed: None,
        max_instructions: MOST_INSTRUCTIONS,
        time_limit: options.time_limit,
        format: CheckFormat::Human,
        output: None,
        jobs: None,
    }
}
