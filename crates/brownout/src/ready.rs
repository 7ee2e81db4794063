//! Programs that the command line means, read and made ready.

use brownout_device::{self as device, Calls, Entry, Linked, Prepared, Ready, assumptions};
use brownout_flow::Interrupt;
use brownout_ir::Program;
use brownout_scenario::{Recovery, Scenario, When};

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
        // Those that come as interrupts are executed with the program.
        let handlers = handlers(&main);
        let has_tasks =
            main.start.is_some() && main.scenario.power.policy.recovery() == Recovery::Restart;
        all.push(main);
        if has_tasks {
            for (task, linked) in others {
                if handlers.contains(&task) {
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

/// The functions that come as interrupts while the program is executed.
fn handlers(prepared: &Prepared) -> Vec<String> {
    let Some(interrupts) = &prepared.bindings.interrupts else {
        return Vec::new();
    };
    let all = prepared.scenario.interrupts.iter();
    let names = all
        .filter(|interrupt| interrupt.when != When::Never)
        .map(|interrupt| interrupt.function.clone());
    let is_installed = |name: &String| {
        let func = prepared.program.function(name);
        func.is_some_and(|func| interrupts.handlers.contains(&func))
    };
    names.filter(is_installed).collect()
}
