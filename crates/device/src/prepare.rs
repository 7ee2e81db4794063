//! A program ready to run: loaded, described by a scenario, placed in memory.

use std::sync::Arc;

use brownout_ir::{Callee, Func, Global, Inst, Op, Origin, Program, reach};
use brownout_scenario::{
    AtEnd, Config, ConfigError, Exposure, Policy, Problem, Recovery, Saved, Saves, SavesAt,
    Scenario, Trace, ValueSource, When,
};
use brownout_vm::{Bindings, Image, Interrupts, Ticks};

use crate::bindings::{bindings, invariants, keeps_body, memory_plan};
use crate::callbacks;
use crate::enabling::Unseen;
use crate::error::Error;
use crate::facts;
use crate::interrupts;
use crate::passed;
use crate::places::{describe, is_at};
use crate::prepared::{
    Gap, Host, Linked, MAIN, Prepared, Ready, STARTED_BY_KERNELS, Title, has_main,
};
use crate::results;
use crate::retained;
use crate::uninitialised;
use crate::unknown;
use crate::unstarted;

/// The assumptions in force, with how often checkpoints are called.
pub fn assumptions(scenario: &Scenario, program: &Program) -> String {
    scenario.assumptions_of(|name| calls_of(program, name))
}

/// How often the user's code calls a function, counted in the text.
fn calls_of(program: &Program, name: &str) -> u64 {
    let users = program
        .functions
        .values()
        .filter(|function| function.origin == Origin::User);
    let bodies = users.filter_map(|function| function.body.as_ref());
    let blocks = bodies.flat_map(|body| body.blocks.values());
    let calls = blocks.flat_map(|block| &block.insts).filter(|inst| {
        let Op::Call {
            callee: Callee::Direct(func),
            ..
        } = &inst.op
        else {
            return false;
        };
        program.functions[*func].name == name
    });
    calls.count() as u64
}

/// Whether a program has to have an entry.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Entry {
    /// It is going to be executed.
    Needed,
    /// Without one it is a library.
    Optional,
}

/// Puts into a program what the scenario says; a task is checked as its entry.
pub fn prepare(
    linked: Linked,
    task: Option<String>,
    config: &Config,
    needs: Entry,
    Host { sources, interrupt }: Host<'_>,
) -> Result<Prepared, Error> {
    let Linked {
        name,
        mut program,
        gaps,
    } = linked;
    let is_started = has_main(&program) || STARTED_BY_KERNELS.contains(&config.entry());
    let is_library = needs == Entry::Optional && !is_started;
    // A whole program that calls through a pointer which nothing sets is wrong, unless somebody says what
    // that does.
    let pointers = brownout_ir::pointers::name_unset(&mut program, &|name| {
        is_library || config.describes_pointer(name)
    });
    let mut scenario = facts::resolve(&program, config, is_library, sources)?;
    unstarted::keep_fixed(&program, &mut scenario);
    uninitialised::fill(&mut program, &mut scenario);
    let guessed = unknown::describe_pointers(&program, &pointers, &mut scenario);
    let (mut own_entry, mut only) = (None, None);
    if let Some(task) = task.as_ref().or(Some(&scenario.entry)) {
        only = callbacks::task_of_main(&program, &scenario, task);
    }
    if let Some(task) = &task {
        own_entry = Some(scenario.entry.clone());
        if only.is_none() {
            scenario.entry.clone_from(task);
            scenario.notes.push(format!(
                "`{task}` is called by others: it is checked from its entry on, without what runs before"
            ));
        }
    }
    if only.is_some() {
        MAIN.clone_into(&mut scenario.entry);
    }
    let is_alone = task.is_some() && only.is_none();
    passed::measure(&program, &mut scenario);
    results::add(&program, &mut scenario);
    let mut main = None;
    let start = if scenario.entry.is_empty() {
        None
    } else {
        let entry = program
            .function(&scenario.entry)
            .filter(|&func| program.functions[func].body.is_some());
        let Some(entry) = entry else {
            return Err(Error::NoEntry {
                nearest: nearest(&program, &scenario.entry),
                name: scenario.entry,
            });
        };
        main = Some(entry);
        Some(brownout_vm::add_start(&mut program, entry))
    };
    let unseen = match gaps.is_empty() {
        true => Unseen::Nothing,
        false => Unseen::Something,
    };
    let interrupts = interrupts::install(&mut program, &mut scenario, start, unseen);
    crate::bindings::resolve_members(&program, &mut scenario).map_err(Error::Config)?;
    let mut bindings = bindings(&program, &scenario);
    bindings.interrupts = interrupts;
    let mut called = Vec::new();
    if let Some(main) = main.filter(|_| !is_alone && callbacks::are_executed(&scenario)) {
        let handlers = handlers(&program, &scenario, &bindings);
        let (callbacks, assumed) = callbacks::install(&mut program, main, only, &handlers);
        called = callbacks;
        scenario.notes.extend(assumed);
    }
    bindings.invariants = invariants(&program, &scenario).map_err(Error::Config)?;
    for name in &scenario.power.checkpoints {
        if let Some(func) = program.function(name)
            && keeps_body(&program, &scenario, func)
        {
            brownout_vm::checkpoint_after_calls(&mut program, func);
        }
    }
    if scenario.power.policy.recovery() == Recovery::Task {
        if scenario.power.tasks.is_empty() && !missing_transitions(&program, &scenario).is_empty() {
            let tasks = brownout_vm::nameable_tasks(&program).into_iter();
            let names = tasks.map(|task| program.functions[task].name.clone());
            scenario.power.tasks = names.collect();
        }
        let transitions = scenario.power.transitions.iter();
        for name in scenario.power.tasks.iter().chain(transitions) {
            if let Some(func) = program.function(name) {
                brownout_vm::checkpoint_at_entry(&mut program, func);
            }
        }
        if !known_tasks(&program, &scenario).is_empty() {
            let left = missing_transitions(&program, &scenario);
            brownout_vm::end_after_calls(&mut program, &left);
        }
        let current: Vec<Global> = program
            .globals
            .iter()
            .filter(|(_, global)| scenario.power.current_task.contains(&global.name))
            .map(|(id, _)| id)
            .collect();
        for variable in current {
            brownout_vm::checkpoint_before_stores(&mut program, variable);
        }
    }
    if let Some(placement) = scenario.power.placement {
        let placement = match placement {
            brownout_scenario::Placement::LoopLatch => brownout_vm::Placement::LoopLatch,
            brownout_scenario::Placement::FunctionReturn => brownout_vm::Placement::FunctionReturn,
        };
        let bound = |func: Func| bindings.functions.contains_key(&func);
        brownout_vm::place_checkpoints(&mut program, placement, &bound);
    }
    // Where checkpoints depend on how much was executed, delays take their time.
    let counts_time = scenario.power.policy.exposure() != Exposure::Region;
    let skips_delays = !counts_time && !scenario.memory.stack;
    if skips_delays {
        brownout_vm::skip_delays(&mut program);
    }
    for saves in &scenario.power.saves_at {
        save_at(&mut program, &scenario, saves)?;
    }
    bindings.retained =
        retained::retained(&program, &scenario).map_err(|error| Error::Config(vec![error]))?;
    if let Some(interrupts) = &mut bindings.interrupts {
        interrupts::place(&program, interrupts);
        interrupts.ticks = skips_delays.then(|| Ticks::new(&program, &interrupts.handlers));
    }
    let mut prepared = Prepared {
        title: Title::new(name, own_entry, task),
        program,
        scenario,
        start,
        bindings,
        callbacks: called,
        guessed,
        gaps,
        interrupt,
    };
    if results::take_back(&mut prepared) {
        prepared.bindings = prepared.rebound();
    }
    Ok(prepared)
}

/// The functions that come as interrupts while the program is executed.
fn handlers(program: &Program, scenario: &Scenario, bindings: &Bindings) -> Vec<Func> {
    let Some(interrupts) = &bindings.interrupts else {
        return Vec::new();
    };
    let all = scenario.interrupts.iter();
    let come = all.filter(|interrupt| interrupt.when != When::Never);
    come.filter_map(|interrupt| program.function(&interrupt.function))
        .filter(|func| interrupts.handlers.contains(func))
        .collect()
}

/// Lets one checkpoint save what the scenario says.
fn save_at(program: &mut Program, scenario: &Scenario, saves: &SavesAt) -> Result<(), Error> {
    let mut saved = Vec::new();
    for Saved { symbol, path } in &saves.saved {
        let mut globals = program.globals.iter();
        let Some((global, data)) = globals.find(|(_, data)| data.name == *symbol) else {
            continue;
        };
        let part = data.ty.and_then(|ty| program.source.part(ty, path));
        let bytes = match (path.is_empty(), part) {
            (true, _) => 0..data.size,
            (false, Some((bytes, _))) if bytes.end <= data.size => bytes,
            (false, _) => {
                let problem = Problem::BadForm {
                    found: format!("{symbol}{path}"),
                    expected: "a part that the object has",
                };
                let error = ConfigError {
                    place: saves.place,
                    key: "checkpoint.saves".to_owned(),
                    problem,
                };
                return Err(Error::Config(vec![error]));
            }
        };
        saved.push((global, bytes));
    }
    let functions: Vec<Func> = scenario
        .power
        .checkpoints
        .iter()
        .chain(&scenario.power.transitions)
        .filter_map(|name| program.function(name))
        .collect();
    let source = program.source.clone();
    let task = scenario.power.tasks.contains(&saves.at);
    let task = program.function(&saves.at).filter(|_| task);
    let start = task.and_then(|task| program.functions[task].place);
    let is_there = |func: Func, inst: &Inst| match task {
        // A task starts with its checkpoint.
        Some(task) => task == func && inst.place == start,
        None => {
            let place = inst.place.and_then(|place| source.places.get(place));
            place.is_some_and(|place| {
                let file = source.files.get(place.file).map_or("", String::as_str);
                is_at(&saves.at, file, place.line)
            })
        }
    };
    let count = brownout_vm::save_at(
        program,
        &|func| functions.contains(&func),
        &is_there,
        &saved,
    );
    match count {
        0 => Err(Error::NoCheckpoint {
            at: saves.at.clone(),
        }),
        _ => Ok(()),
    }
}

/// The transitions of tasks that have no body.
fn missing_transitions(program: &Program, scenario: &Scenario) -> Vec<Func> {
    let named = scenario.power.transitions.iter();
    let named = named.filter_map(|name| program.function(name));
    named
        .filter(|&func| program.functions[func].body.is_none())
        .collect()
}

/// The tasks that have a body.
fn known_tasks(program: &Program, scenario: &Scenario) -> Vec<Func> {
    let named = scenario.power.tasks.iter();
    let named = named.filter_map(|name| program.function(name));
    named
        .filter(|&func| program.functions[func].body.is_some())
        .collect()
}

impl Prepared {
    /// The functions that come as interrupts while the program is executed.
    pub fn handlers(&self) -> Vec<Func> {
        handlers(&self.program, &self.scenario, &self.bindings)
    }

    /// The interrupts that may come between instructions, if there are any.
    pub fn interrupts(&self) -> Option<&Interrupts> {
        let interrupts = self.bindings.interrupts.as_ref();
        interrupts.filter(|interrupts| !interrupts.points.is_empty())
    }

    /// The tasks that the scenario names and the program has.
    pub fn tasks(&self) -> Vec<Func> {
        known_tasks(&self.program, &self.scenario)
    }

    /// Gives transitions without a body one that leads to the tasks, for those who execute the program.
    pub fn add_transitions(&mut self) {
        let is_of_tasks = self.scenario.power.policy.recovery() == Recovery::Task;
        let tasks = self.tasks();
        let transitions = missing_transitions(&self.program, &self.scenario);
        if !is_of_tasks || tasks.is_empty() || transitions.is_empty() {
            return;
        }
        brownout_vm::add_transitions(&mut self.program, &transitions, &tasks);
        for transition in transitions {
            self.bindings.functions.remove(&transition);
        }
    }

    /// The program placed in memory.
    pub fn ready(mut self) -> Result<Ready, Error> {
        self.add_transitions();
        let Some(start) = self.start else {
            return Err(Error::NoEntry {
                nearest: None,
                name: "main".to_owned(),
            });
        };
        refuse_what_cannot_run(&self.program, start, &self.bindings, &self.gaps)?;
        let plan = memory_plan(&self.program, &self.scenario);
        let mut bindings = self.bindings;
        let loops = brownout_vm::Loops::new(&self.program, start);
        bindings.loop_heads = loops.heads().clone();
        let image = Image::new(self.program, start, &plan, bindings).map_err(Error::Image)?;
        let image = match self.scenario.power.policy {
            Policy::Restart => {
                brownout_vm::with_rounds_of_inner_loop(image, &plan).map_err(Error::Image)?
            }
            _ => image,
        };
        Ok(Ready {
            scenario: self.scenario,
            image,
        })
    }
}

impl Prepared {
    /// The program with checkpoints that save this and nothing else.
    ///
    /// # Errors
    /// If a checkpoint or something that it is to save does not exist.
    pub fn saving_only(&self, saves_at: Vec<SavesAt>) -> Result<Self, Error> {
        let mut changed = self.clone();
        brownout_vm::save_nothing(&mut changed.program);
        changed.scenario.power.saves = Saves::Symbols(Vec::new());
        for saves in &saves_at {
            save_at(&mut changed.program, &changed.scenario, saves)?;
        }
        changed.scenario.power.saves_at = saves_at;
        changed.bindings.retained = retained::retained(&changed.program, &changed.scenario)
            .map_err(|error| Error::Config(vec![error]))?;
        changed.bindings = changed.rebound();
        Ok(changed)
    }

    /// What binds the program to a scenario that has changed since.
    pub(crate) fn rebound(&self) -> Bindings {
        Bindings {
            invariants: self.bindings.invariants.clone(),
            interrupts: self.bindings.interrupts.clone(),
            retained: self.bindings.retained.clone(),
            ..bindings(&self.program, &self.scenario)
        }
    }

    /// Lets inputs give what a table says, one after the other; after its end the last value stays.
    pub fn with_inputs(mut self, text: &str) -> Result<Self, Error> {
        let wrong = |problem: String| Error::Inputs { problem };
        let columns = brownout_scenario::columns(text).map_err(|(line, _)| {
            wrong(format!(
                "line {line}: must have a whole number for each input"
            ))
        })?;
        if columns.is_empty() {
            return Err(wrong("has no values".to_owned()));
        }
        let names: Vec<String> = (self.scenario.inputs.iter())
            .map(|input| input.source.name().to_owned())
            .collect();
        let count = columns.len();
        for (name, values) in columns {
            let index = match &name {
                Some(name) => names.iter().position(|input| input == name),
                None => (count == 1 && names.len() == 1).then_some(0),
            };
            let Some(index) = index else {
                let inputs = match names[..] {
                    [] => "the program has no inputs".to_owned(),
                    _ => format!("inputs are {}", names.join(", ")),
                };
                return Err(wrong(match name {
                    Some(name) => format!("there is no input `{name}`; {inputs}"),
                    None => format!("the first line must name the inputs; {inputs}"),
                }));
            };
            if values.is_empty() {
                let name = &names[index];
                return Err(wrong(format!("there are no values of `{name}`")));
            }
            let trace = Trace::of_values(values, AtEnd::Hold);
            self.scenario.inputs[index].values = ValueSource::Trace(Arc::new(trace));
        }
        self.bindings = self.rebound();
        Ok(self)
    }
}

fn nearest(program: &Program, name: &str) -> Option<String> {
    let defined = program.functions.values().filter(|function| {
        function.body.is_some() && function.exported && function.origin == Origin::User
    });
    let names = defined.map(|function| function.name.as_str());
    brownout_scenario::nearest(name, names).map(str::to_owned)
}

/// An error if code can be reached that cannot be executed.
pub fn refuse_what_cannot_run(
    program: &Program,
    start: Func,
    bindings: &Bindings,
    gaps: &[Gap],
) -> Result<(), Error> {
    let mut program_view = program.clone();
    // A bound function's body is never executed: what it mentions does not count.
    for &func in bindings.functions.keys() {
        program_view.functions[func].body = None;
    }
    let handle = bindings.interrupts.as_ref();
    let roots: Vec<Func> = std::iter::once(start)
        .chain(handle.map(|interrupts| interrupts.handle))
        .collect();
    let reached = reach::reachable(&program_view, &roots);
    let is_reached = |func: Func| reached[brownout_ir::Id::index(func)];
    let missing: Vec<String> = program
        .functions
        .iter()
        .filter(|&(func, function)| {
            is_reached(func) && function.body.is_none() && !bindings.functions.contains_key(&func)
        })
        .map(|(_, function)| function.name.clone())
        .collect();
    if !missing.is_empty() {
        let part = bindings.parts.first();
        return Err(Error::Missing {
            names: missing,
            part: part.map(|part| program.globals[part.global].name.clone()),
        });
    }
    let gaps: Vec<String> = gaps
        .iter()
        .filter(|gap| {
            gap.function
                .is_none_or(|func| is_reached(func) && !bindings.functions.contains_key(&func))
        })
        .map(|gap| {
            let function = gap.function.map_or_else(String::new, |func| {
                format!(" in `{}`", program.functions[func].name)
            });
            match gap.place {
                Some(place) => format!(
                    "{}{function}, {}",
                    gap.what,
                    describe(&program.source, place)
                ),
                None => format!("{}{function}", gap.what),
            }
        })
        .collect();
    if gaps.is_empty() {
        Ok(())
    } else {
        Err(Error::Unsupported { gaps })
    }
}
