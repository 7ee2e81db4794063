//! What the JSON documents of all commands have in common.

use brownout_scenario::Scenario;
use serde_json::{Value, json};

/// A document with these fields, and the version of its format and of the tool that all have.
pub(crate) fn of(mut fields: Value) -> Value {
    fields["format"] = 1.into();
    fields["tool"] = json!({ "name": "brownout", "version": env!("CARGO_PKG_VERSION") });
    fields
}

/// The assumptions in force.
pub(crate) fn scenario(scenario: &Scenario) -> Value {
    json!({
        "policy": scenario.power.policy.name(),
        "nonvolatile": scenario.memory.nonvolatile,
        "execution_depth": scenario.power.policy.execution_depth(),
        "target": scenario.target,
    })
}
