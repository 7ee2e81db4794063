//! Code without a `main`, set in motion: somebody has to call its functions.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::harness::{self, Gives};
use brownout_ir::{Global, Initializer, Origin, Program, Type};
use brownout_scenario::{Argument, AtEnd, Effect, Input, Output, Source, Trace, ValueSource};
use brownout_vm::Binding;

use crate::answers;
use crate::error::Error;
use crate::prepare::refuse_what_cannot_run;
use crate::prepared::{Prepared, Ready};
use crate::setting::{self, Told};

/// What was made up to execute code without a `main`.
pub struct Invention {
    /// Its inputs.
    pub harness: harness::Harness,
    /// The number of the first of them.
    pub first: u32,
    /// Whether nothing of the library is left out: neither a function nor what it calls.
    pub is_whole: bool,
}

impl Invention {
    /// The numbers of those of its inputs that say what outputs return.
    pub fn answers(&self) -> Vec<u32> {
        let is_answer = |&input: &u32| matches!(self.gives(input), Some(Gives::Answer(_)));
        self.inputs().filter(is_answer).collect()
    }

    /// The numbers of its inputs.
    pub fn inputs(&self) -> std::ops::Range<u32> {
        self.first..self.first + self.harness.inputs.len() as u32
    }

    /// What one of its inputs gives if all functions are called in turn.
    pub fn in_turn(&self, input: u32) -> Vec<u64> {
        match self.gives(input) {
            Some(gives) => in_turn(gives),
            None => Vec::new(),
        }
    }

    /// What an input gives, if it is one of these.
    pub fn gives(&self, input: u32) -> Option<Gives> {
        let index = input.checked_sub(self.first)?;
        let invented = self.harness.inputs.get(index as usize)?;
        Some(invented.gives)
    }
}

/// Which calls code without a `main` gets.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Calls {
    /// Those that a search chooses: by itself none.
    Chosen,
    /// All of them, twice.
    InTurn,
}

/// What an input gives if all functions are called in turn: arguments are 1, then 0.
fn in_turn(gives: Gives) -> Vec<u64> {
    match gives {
        Gives::Calls(count) => (0..count).chain(0..count).chain([count]).collect(),
        Gives::Argument(_) => vec![1, 0],
        Gives::Answer(_) => vec![0],
    }
}

/// What an input gives as long as nobody wants anything else.
fn usual(gives: Gives, calls: Calls) -> ValueSource {
    match (calls, gives) {
        // Nothing more is called.
        (Calls::Chosen, Gives::Calls(count)) => ValueSource::Constant(count.cast_signed()),
        (Calls::Chosen, Gives::Argument(_)) | (_, Gives::Answer(_)) => ValueSource::Constant(0),
        (Calls::InTurn, gives) => {
            let values = in_turn(gives).into_iter().map(u64::cast_signed).collect();
            ValueSource::Trace(Arc::new(Trace::of_values(values, AtEnd::Hold)))
        }
    }
}

/// Code without a `main`, ready to be executed by calling its functions.
pub struct InMotion {
    /// The program with the calls.
    pub ready: Ready,
    /// What was made up for that.
    pub invention: Invention,
    /// Functions that cannot be called, and why.
    pub left_out: Vec<String>,
}

impl Prepared {
    /// The calls to make: those that the scenario describes, or else all that are possible.
    fn calls(&self, told: &Told) -> Vec<harness::Call> {
        let described = self.scenario.harnesses.iter().filter_map(|described| {
            Some(harness::Call {
                function: self.program.function(&described.function)?,
                args: described.args.clone(),
                told: BTreeMap::new(),
            })
        });
        let mut calls: Vec<harness::Call> = described.collect();
        if calls.is_empty() {
            let callable = setting::callable(&self.program).into_iter();
            calls.extend(callable.map(|function| harness::Call {
                function,
                args: Vec::new(),
                told: BTreeMap::new(),
            }));
        }
        for call in &mut calls {
            let own = told.iter().filter(|((func, _), _)| *func == call.function);
            let own = own.map(|((_, argument), bytes)| (*argument, bytes.clone()));
            call.told = own.collect();
        }
        calls
    }

    /// A library that is executed by calling its functions.
    pub fn in_motion(mut self, told: &Told, calls: Calls) -> Result<InMotion, Error> {
        let mut entries = Vec::new();
        let mut left_out = Vec::new();
        for (func, function) in self.program.functions.iter() {
            let is_unknown =
                function.body.is_none() && !self.bindings.functions.contains_key(&func);
            // One that gets a pointer may be there to put something right.
            let is_harmless = function.results.is_empty() && !function.params.contains(&Type::Ptr);
            // What the library calls is known.
            let is_own = function.name.starts_with("__brownout_");
            if is_unknown && is_harmless && function.origin == Origin::User && !is_own {
                self.bindings.functions.insert(func, Binding::Ignore);
                self.scenario.ignore.push(function.name.clone());
                left_out.push(format!(
                    "`{}` has no body: it is executed as if it did nothing",
                    function.name
                ));
            }
        }
        for call in self.calls(told) {
            let func = call.function;
            fits(&self.program, &call)?;
            match refuse_what_cannot_run(&self.program, func, &self.bindings, &self.gaps) {
                Ok(()) => entries.push(call),
                Err(Error::Missing { names, .. }) => left_out.push(format!(
                    "`{}` is not executed: {} has no body and is no input",
                    self.program.functions[func].name,
                    names
                        .iter()
                        .map(|name| format!("`{name}`"))
                        .collect::<Vec<_>>()
                        .join(", "),
                )),
                Err(Error::Unsupported { gaps }) => left_out.push(format!(
                    "`{}` is not executed: {}",
                    self.program.functions[func].name,
                    gaps.join(", "),
                )),
                Err(error) => return Err(error),
            }
        }
        // Variables that other files define.
        let globals: Vec<Global> = self.program.globals.ids().collect();
        for id in globals {
            let global = &mut self.program.globals[id];
            if global.init.is_none() && self.scenario.memory.is_nonvolatile(&global.name) {
                global.init = Some(Initializer {
                    bytes: Vec::new(),
                    relocations: Vec::new(),
                });
            }
        }
        let outputs = self.bindings.functions.iter();
        let outputs = outputs.filter(|(_, binding)| matches!(binding, Binding::Output(_)));
        let outputs = outputs.map(|(&func, _)| func).collect();
        let answers = answers::add(&mut self.program, &outputs);
        let harness = harness::add(&mut self.program, &entries, answers);
        let first = self.scenario.inputs.len() as u32;
        for input in &harness.inputs {
            self.scenario.inputs.push(Input {
                is_declared: false,
                source: Source::Function(input.name.clone()),
                values: usual(input.gives, calls),
                mask: None,
                fills: None,
                model: None,
            });
        }
        for output in &harness.outputs {
            self.scenario.outputs.push(Output {
                source: Source::Function(output.clone()),
                semantics: None,
                mask: None,
                effect: Effect::default(),
                takes: None,
            });
        }
        if self.scenario.memory.passed {
            self.scenario
                .memory
                .nonvolatile_globals
                .extend(harness.buffers.iter().cloned());
        }
        self.bindings = self.rebound();
        let invented = self.program.globals.iter();
        let invented = invented.filter(|(_, global)| harness.buffers.contains(&global.name));
        self.bindings.invented = invented.map(|(global, _)| global).collect();
        self.start = Some(harness.start);
        let is_described = !self.scenario.harnesses.is_empty();
        Ok(InMotion {
            ready: self.ready()?,
            invention: Invention {
                is_whole: harness.is_complete && left_out.is_empty() && !is_described,
                harness,
                first,
            },
            left_out,
        })
    }
}

/// Whether a call that the user described can be made.
fn fits(program: &Program, call: &harness::Call) -> Result<(), Error> {
    let function = &program.functions[call.function];
    let wrong = |problem: String| {
        Err(Error::Harness {
            function: function.name.clone(),
            problem,
        })
    };
    let (takes, given) = (function.params.len(), call.args.len());
    if given > takes {
        return wrong(format!("takes {takes}, {given} are given"));
    }
    for (index, (argument, ty)) in call.args.iter().zip(&function.params).enumerate() {
        let is_pointer = *ty == Type::Ptr;
        match argument {
            Argument::Buffer(_) | Argument::Address(_) if !is_pointer => {
                return wrong(format!("takes no pointer as argument {}", index + 1));
            }
            _ => {}
        }
    }
    Ok(())
}
