//! A program that was read, and one with everything that the scenario puts into it.

use std::collections::BTreeSet;

use brownout_flow::Interrupt;
use brownout_ir::source::Place;
use brownout_ir::{Func, Program};
use brownout_scenario::Scenario;
use brownout_vm::{Bindings, Image};

/// Something the front end could not translate.
#[derive(Clone, Debug)]
pub struct Gap {
    /// What it is.
    pub what: String,
    /// The function it is in.
    pub function: Option<Func>,
    /// Where.
    pub place: Option<Place>,
}

/// A program that was read.
#[derive(Clone, Debug)]
pub struct Linked {
    /// What to call it, if there are several.
    pub name: Option<String>,
    /// Itself.
    pub program: Program,
    /// What could not be translated.
    pub gaps: Vec<Gap>,
}

/// The text of a source file, for those who can read it. A file that is gone says nothing.
pub type ReadSource<'r> = &'r dyn Fn(&str) -> Option<Vec<u8>>;

/// What whoever asks can do for a program that is prepared.
#[derive(Clone, Copy)]
pub struct Host<'h> {
    /// Reads sources.
    pub sources: ReadSource<'h>,
    /// Ends static analysis.
    pub interrupt: Interrupt,
}

/// Everything an execution needs.
pub struct Ready {
    /// What the user says of the device.
    pub scenario: Scenario,
    /// The program, placed in memory.
    pub image: Image,
}

/// What to call a program, if that is needed.
#[derive(Clone, Debug, Default)]
pub struct Title {
    /// Its name, if there are several.
    pub program: Option<String>,
    /// The function of it that is checked as the entry, if it is not the program's own.
    pub task: Option<String>,
    /// The program's own entry then.
    pub entry: Option<String>,
    /// The name and the function, as users see them.
    pub text: Option<String>,
}

impl Title {
    pub(crate) fn new(
        program: Option<String>,
        entry: Option<String>,
        task: Option<String>,
    ) -> Self {
        let text = match (&program, &task) {
            (Some(program), Some(task)) => Some(format!("{program}, {task}")),
            (program, task) => program.as_ref().or(task.as_ref()).cloned(),
        };
        Self {
            program,
            task,
            entry,
            text,
        }
    }

    /// What is said in front of something else.
    pub fn prefix(&self) -> String {
        let text = self.text.iter().map(|text| format!("{text}: "));
        text.collect()
    }
}

/// A program with everything that the scenario puts into it.
#[derive(Clone)]
pub struct Prepared {
    /// What to call it.
    pub title: Title,
    /// What is executed and analysed.
    pub program: Program,
    /// What the user says of the device.
    pub scenario: Scenario,
    /// Where execution begins; none in a library.
    pub start: Option<Func>,
    /// What the scenario says, in the terms of the machine.
    pub bindings: Bindings,
    /// Functions that the program gives to others, which call them when it is executed.
    pub callbacks: Vec<CalledBack>,
    /// What is called through pointers that nothing sets, of which only names and prototypes say what it is.
    pub guessed: Vec<Func>,
    /// What could not be translated.
    pub gaps: Vec<Gap>,
    /// Ends static analysis of it.
    pub interrupt: Interrupt,
}

/// A callback that is called when a program is executed.
#[derive(Clone, Debug)]
pub struct CalledBack {
    /// Its name.
    pub name: String,
    /// The functions that run when it is called, by name.
    pub runs: BTreeSet<String>,
    /// Variables that it reads and that others may write, whose order is not known.
    pub shared: BTreeSet<String>,
    /// These others.
    pub others: BTreeSet<String>,
    /// Whether it is given away with different things: it is called with the last of them.
    pub is_given_several: bool,
}

/// The entry of a program, unless somebody says another one.
pub(crate) const MAIN: &str = "main";

/// Functions that kernels start where others start `main`: ESP-IDF, and the drivers of TI's devices.
pub const STARTED_BY_KERNELS: [&str; 2] = ["app_main", "mainThread"];

/// Whether a program begins at `main`.
pub(crate) fn has_main(program: &Program) -> bool {
    let main = program.function(MAIN);
    main.is_some_and(|func| program.functions[func].body.is_some())
}
