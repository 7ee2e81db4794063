//! Programs that the command line means, read and made ready.

use std::collections::BTreeSet;

use brownout_device::{self as device, Calls, Entry, Linked, Prepared, Ready, assumptions};
use brownout_flow::Interrupt;
use brownout_ir::Program;
use brownout_scenario::{Recovery, Scenario};

use crate::cli::ProgramOptions;
use crate::config;
use crate::console;
use crate::error::Error;
use crate::limits;
use crate::load;

/// Tells the user what is assumed.
pub(crate) fn tell(scenario: &Scenario, program: &Program) {
    console::note(&assumptions(scenario, program));
    scenario.notes.iter().for_each(|text| console::note(text));
}

/// Loads a program and makes it ready.
pub(crate) fn ready(options: &ProgramOptions) -> Result<Ready, Error> {
    Ok(prepare(options, Entry::Needed)?.ready()?)
}

/// Loads a program, or code without a `main`, and makes it ready.
pub(crate) fn ready_or_in_motion(options: &ProgramOptions) -> Result<Ready, Error> {
    let prepared = prepare(options, Entry::Optional)?;
    Ok(match prepared.start {
        Some(_) => prepared.ready()?,
        None => {
            let told = device::told(&prepared);
            prepared.in_motion(&told, Calls::Chosen)?.ready
        }
    })
}

/// Loads a program and puts into it what the scenario says.
pub(crate) fn prepare(options: &ProgramOptions, needs: Entry) -> Result<Prepared, Error> {
    let (linked, loaded) = load::load(options)?;
    prepare_linked(linked, None, &loaded, needs)
}

/// The same for all programs that the command line means. Under `restart`, where only executions tell
/// anything, functions that a program gives to a kernel to call are checked as entries, too.
pub(crate) fn prepare_all(options: &ProgramOptions, needs: Entry) -> Result<Vec<Prepared>, Error> {
    let (linked, loaded) = load::load_all(options)?;
    let mut all = Vec::new();
    for linked in linked {
        let tasks = match options.entry {
            Some(_) => Vec::new(),
            None => device::tasks(&linked.program),
        };
        let others: Vec<(String, Linked)> = tasks
            .into_iter()
            .map(|task| (task, linked.clone()))
            .collect();
        let main = prepare_linked(linked, None, &loaded, needs)?;
        // Those that come as interrupts, or when `main` has run, are executed with the program.
        let handlers = main.handlers().into_iter();
        let handlers = handlers.map(|func| main.program.functions[func].name.clone());
        let called = main.callbacks.iter().map(|callback| callback.name.clone());
        let executed: BTreeSet<String> = handlers.chain(called).collect();
        let has_tasks =
            main.start.is_some() && main.scenario.power.policy.recovery() == Recovery::Restart;
        all.push(main);
        if has_tasks {
            for (task, linked) in others {
                if executed.contains(&task) {
                    continue;
                }
                all.push(prepare_linked(linked, Some(task), &loaded, needs)?);
            }
        }
    }
    Ok(all)
}

/// Puts into a program what the configuration says; a task is checked as its entry.
pub(crate) fn prepare_linked(
    linked: Linked,
    task: Option<String>,
    loaded: &config::Loaded,
    needs: Entry,
) -> Result<Prepared, Error> {
    let read = |file: &str| std::fs::read(file).ok();
    let host = device::Host {
        sources: &read,
        interrupt: Interrupt(limits::is_half_up),
    };
    device::prepare(linked, task, &loaded.config, needs, host).map_err(|error| match error {
        device::Error::Config(errors) => loaded.error(errors),
        error => error.into(),
    })
}
