//! What the continuous execution of a check went through.

use brownout_ir::{Func, Id, Origin, Program};
use brownout_scenario::Scenario;
use brownout_vm::{Moment, Observer};

/// Sees which functions are executed.
pub(crate) struct Coverage {
    called: Vec<bool>,
}

impl Observer for Coverage {
    fn call(&mut self, _: Moment, function: Func, _: u32) {
        if let Some(called) = self.called.get_mut(function.index()) {
            *called = true;
        }
    }
}

impl Coverage {
    pub(crate) fn new(program: &Program) -> Self {
        Self {
            called: vec![false; program.functions.values().count()],
        }
    }

    /// The user's functions that were never executed. What the scenario describes never is.
    pub(crate) fn unexecuted(&self, program: &Program, scenario: &Scenario) -> Vec<String> {
        let inputs = scenario.inputs.iter().map(|input| input.source.name());
        let outputs = scenario.outputs.iter().map(|output| output.source.name());
        let described: Vec<&str> = inputs
            .chain(outputs)
            .chain(scenario.ignore.iter().map(String::as_str))
            .chain(scenario.power.checkpoints.iter().map(String::as_str))
            .collect();
        let mut names: Vec<String> = program
            .functions
            .iter()
            .filter(|(func, function)| {
                function.origin == Origin::User
                    && function.body.is_some()
                    && !self.called[func.index()]
                    && !described.contains(&function.name.as_str())
            })
            .map(|(_, function)| function.name.clone())
            .collect();
        names.sort_unstable();
        names
    }
}
