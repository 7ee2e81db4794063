//! Turns a configuration and a program into a [`Scenario`]: defaults, annotations, names.
//!
//! What the configuration says wins over annotations, annotations win over defaults. Each part of
//! the scenario has its file; this one has what they share: the names of the program.
//!
//! **Invariant**: all errors are collected; a scenario is only made when there is none.

mod executions;
mod flash;
mod interrupts;
mod memory;
mod names;
mod power;
mod profiles;
mod registers;
mod surroundings;

pub use power::is_checkpoint;

use std::collections::BTreeMap;

use crate::config::{Config, DEFAULT_ENTRY};
use crate::error::{ConfigError, Place, Problem};
use crate::facts::{FunctionFacts, GlobalFacts, ProgramFacts};
use crate::glob;
use crate::read::Located;
use crate::scenario::{Compare, Counts, Scenario, fixed_address};
use crate::schema::{CompareSettings, Compared};
use crate::suggest::{near, nearest};

/// How many names like that of an entry that does not exist are told.
const NEAR_ENTRIES: usize = 3;

/// How many are told when there are none like it.
const DEFINED_ENTRIES: usize = 5;

impl Scenario {
    /// The scenario that `config` describes for the program of `facts`.
    pub fn resolve(
        config: &Config,
        facts: &ProgramFacts<'_>,
    ) -> Result<Scenario, Vec<ConfigError>> {
        let mut config = config.clone();
        let misnamed = names::link(&mut config.settings, facts);
        let (config, profiles) = profiles::merged(&config, facts);
        let config = &config;
        let settings = &config.settings;
        let target = facts.target.unwrap_or(config.target());
        let mut resolver = Resolver::new(facts, target);
        resolver.errors = misnamed;
        let entry = resolver.entry(settings.entry.as_ref());
        let flash = flash::parts(&mut resolver, config);
        let explore = flash::explore(&mut resolver, &config.settings.explore);
        let memory = memory::resolve(&mut resolver, config, &flash);
        let power = power::resolve(&mut resolver, config);
        let ignore = resolver.own_functions("ignore", settings.ignore.as_deref().unwrap_or(&[]));
        let pure = resolver.own_functions("pure", settings.pure.as_deref().unwrap_or(&[]));
        let runtime = settings.runtime.iter().flatten();
        let runtime: Vec<String> = runtime.map(|pattern| pattern.value.clone()).collect();
        if !runtime.is_empty() {
            let files = runtime.join("`, `");
            resolver.note(format!("nothing is reported of runtime code: `{files}`"));
        }
        let environment: BTreeMap<String, i64> = settings
            .environment
            .iter()
            .map(|(name, initial)| (name.clone(), initial.value))
            .collect();
        let mut inputs = surroundings::inputs(&mut resolver, config, &environment);
        let mut outputs = surroundings::outputs(&mut resolver, config, &environment);
        let awaited = registers::device_registers(
            &mut resolver,
            settings,
            &memory,
            &mut inputs,
            &mut outputs,
        );
        let variables = surroundings::variables(&mut resolver, settings);
        let consistent = surroundings::consistent(&mut resolver, settings, &inputs);
        let peripherals = surroundings::peripherals(&mut resolver, settings);
        surroundings::check_roles(&mut resolver, settings, &ignore, &pure);
        resolver.check_annotations();
        let harnesses = executions::harnesses(&mut resolver, settings);
        let invariants = executions::invariants(settings);
        let (interrupts, idle_handlers) = interrupts::interrupts(&mut resolver, config);
        let compare = resolver.compare(&settings.compare);
        if resolver.errors.is_empty() {
            Ok(Scenario {
                entry,
                target: target.to_owned(),
                memory,
                power,
                inputs,
                outputs,
                mmio: settings.mmio.as_ref().map(|mmio| mmio.value),
                ignore,
                pure,
                runtime,
                environment,
                variables,
                consistent,
                peripherals,
                harnesses,
                invariants,
                interrupts,
                idle_handlers,
                compare,
                flash,
                explore,
                awaited,
                profiles,
                notes: resolver.notes,
            })
        } else {
            resolver.errors.sort_by_key(|error| error.place);
            Err(resolver.errors)
        }
    }
}

/// The names of the program, and what was found while looking them up.
struct Resolver<'a> {
    /// What the program was compiled for.
    target: &'a str,
    is_library: bool,
    /// Whether the program sleeps until something happens.
    sleeps: bool,
    /// Functions in tables of interrupt vectors.
    vectors: &'a [String],
    dropped: &'a [String],
    functions: BTreeMap<&'a str, &'a FunctionFacts<'a>>,
    globals: BTreeMap<&'a str, &'a GlobalFacts<'a>>,
    addresses: &'a [u64],
    read_addresses: &'a [u64],
    passed_addresses: &'a [u64],
    polled: &'a [(String, u64)],
    errors: Vec<ConfigError>,
    notes: Vec<String>,
}

impl<'a> Resolver<'a> {
    fn new(facts: &ProgramFacts<'a>, target: &'a str) -> Resolver<'a> {
        Resolver {
            target,
            is_library: facts.is_library,
            sleeps: facts.sleeps,
            vectors: facts.vectors,
            dropped: facts.dropped,
            addresses: facts.addresses,
            read_addresses: facts.read_addresses,
            passed_addresses: facts.passed_addresses,
            polled: facts.polled,
            functions: facts
                .functions
                .iter()
                .map(|function| (function.name, function))
                .collect(),
            globals: facts
                .globals
                .iter()
                .map(|global| (global.name, global))
                .collect(),
            errors: Vec::new(),
            notes: Vec::new(),
        }
    }

    fn note(&mut self, note: String) {
        self.notes.push(note);
    }

    fn report(&mut self, key: &str, place: Place, problem: Problem) {
        self.errors.push(ConfigError {
            place,
            key: key.to_owned(),
            problem,
        });
    }

    fn entry(&mut self, entry: Option<&Located<String>>) -> String {
        let (name, place) = match entry {
            Some(entry) => (entry.value.as_str(), entry.place),
            None if self.is_library => return String::new(),
            None => (DEFAULT_ENTRY, Place::Default),
        };
        match self.functions.get(name) {
            Some(function) if function.defined => {}
            Some(_) => {
                let name = name.to_owned();
                self.report("entry", place, Problem::UndefinedFunction { name });
            }
            None => {
                let defined: Vec<&str> = self
                    .functions
                    .values()
                    .filter(|function| function.defined)
                    .map(|function| function.name)
                    .collect();
                let some = |names: Vec<&str>, most: usize| {
                    let names = names.into_iter().take(most);
                    names.map(str::to_owned).collect()
                };
                let problem = Problem::UnknownEntry {
                    name: name.to_owned(),
                    near: some(near(name, defined.iter().copied()), NEAR_ENTRIES),
                    defined: some(defined, DEFINED_ENTRIES),
                };
                self.report("entry", place, problem);
            }
        }
        name.to_owned()
    }

    /// What counts when executions are compared.
    fn compare(&mut self, settings: &CompareSettings) -> Compare {
        let symbols = |list: &Option<Vec<Located<Compared>>>| -> Vec<Located<String>> {
            let list = list.iter().flatten();
            list.filter_map(|one| match &one.value {
                Compared::Symbol(symbol) => Some(Located {
                    value: symbol.clone(),
                    place: one.place,
                }),
                Compared::Outputs | Compared::Invariants => None,
            })
            .collect()
        };
        let mut ignored = self.symbols("compare.ignore", &symbols(&settings.ignore));
        let only = settings.only.as_deref();
        let counts = |what: Compared| match only {
            Some(only) if only.iter().all(|one| one.value != what) => Counts::No,
            _ => Counts::Yes,
        };
        let (outputs, invariants) = (counts(Compared::Outputs), counts(Compared::Invariants));
        if only.is_some() {
            let counting = self.symbols("compare.only", &symbols(&settings.only));
            let others = self.globals.keys().copied();
            let others = others.filter(|name| !counting.iter().any(|counting| counting == name));
            ignored.extend(others.map(str::to_owned));
        }
        ignored.sort_unstable();
        ignored.dedup();
        Compare {
            ignored,
            outputs,
            invariants,
        }
    }

    /// Whether no address that the program names by its number or may pass along is in non-volatile memory.
    fn accesses_nowhere_nonvolatile(&self, memory: &crate::scenario::Memory) -> bool {
        let mut addresses = self.addresses.iter().chain(self.passed_addresses);
        !addresses.any(|&address| memory.is_nonvolatile_at(address))
    }

    /// The functions that names or patterns stand for, sorted; each must stand for one at least.
    fn functions(&mut self, key: &str, patterns: &[Located<String>]) -> Vec<String> {
        let names: Vec<&str> = self.functions.keys().copied().collect();
        self.select(key, patterns, &names, |name, nearest| {
            Problem::UnknownFunction { name, nearest }
        })
    }

    /// The functions that names or patterns stand for, but for those that are meant for other programs.
    fn own_functions(&mut self, key: &str, patterns: &[Located<String>]) -> Vec<String> {
        let own = patterns.iter();
        let own = own.filter(|pattern| !self.is_for_another_program(key, pattern));
        let own: Vec<Located<String>> = own.cloned().collect();
        self.functions(key, &own)
    }

    /// The globals that names or patterns stand for, sorted; each must stand for one at least.
    fn symbols(&mut self, key: &str, patterns: &[Located<String>]) -> Vec<String> {
        let names: Vec<&str> = self.globals.keys().copied().collect();
        self.select(key, patterns, &names, |name, nearest| {
            Problem::UnknownSymbol { name, nearest }
        })
    }

    /// The globals that names or patterns stand for, and the addresses among them, sorted.
    fn registers(&mut self, key: &str, patterns: &[Located<String>]) -> Vec<String> {
        let is_address = |pattern: &&Located<String>| fixed_address(&pattern.value).is_some();
        let (addresses, names): (Vec<_>, Vec<_>) = patterns.iter().partition(is_address);
        let names: Vec<Located<String>> = names.into_iter().cloned().collect();
        let mut registers = self.symbols(key, &names);
        registers.extend(addresses.into_iter().map(|address| address.value.clone()));
        registers
    }

    fn select(
        &mut self,
        key: &str,
        patterns: &[Located<String>],
        names: &[&str],
        unknown: impl Fn(String, Option<String>) -> Problem,
    ) -> Vec<String> {
        let mut selected = Vec::new();
        for pattern in patterns {
            let before = selected.len();
            let matching = names
                .iter()
                .filter(|name| glob::matches(&pattern.value, name));
            selected.extend(matching.map(|name| (*name).to_owned()));
            if selected.len() == before {
                let nearest = nearest(&pattern.value, names.iter().copied());
                let problem = unknown(pattern.value.clone(), nearest.map(str::to_owned));
                self.report(key, pattern.place, problem);
            }
        }
        selected.sort_unstable();
        selected.dedup();
        selected
    }

    /// Whether a name is meant for another program that shares the configuration, which is noted: this one has
    /// neither such a function nor one whose name it could be with a slip of the pen.
    fn is_for_another_program(&mut self, key: &str, name: &Located<String>) -> bool {
        let names: Vec<&str> = self.functions.keys().copied().collect();
        let is_here = names.iter().any(|known| glob::matches(&name.value, known));
        let is_other = !is_here && nearest(&name.value, names).is_none();
        if is_other {
            let name = &name.value;
            self.note(format!(
                "`{key}` names `{name}`, which this program does not have"
            ));
        }
        is_other
    }

    /// Everything that functions are called, by linkers and by people.
    fn spellings(&self) -> impl Iterator<Item = &'a str> {
        let functions = self.functions.values();
        functions.flat_map(|function| {
            let spellings = function.spellings.iter().map(String::as_str);
            std::iter::once(function.name).chain(spellings)
        })
    }

    /// Checks that exactly this function exists.
    fn check_function(&mut self, key: &str, name: &Located<String>) {
        if !self.functions.contains_key(name.value.as_str()) {
            let nearest = nearest(&name.value, self.spellings());
            let problem = Problem::UnknownFunction {
                name: name.value.clone(),
                nearest: nearest.map(str::to_owned),
            };
            self.report(key, name.place, problem);
        }
    }

    /// Checks that a function has an argument, if it is known which it has.
    fn check_argument(
        &mut self,
        key: &str,
        place: Place,
        function: &str,
        argument: u32,
        is_default: bool,
    ) {
        let known = self.functions.get(function);
        if let Some(count) = known.and_then(|function| function.arguments)
            && argument >= count
        {
            let problem = Problem::NoArgument {
                argument,
                is_default,
                function: function.to_owned(),
                count,
            };
            self.report(key, place, problem);
        }
    }

    /// Checks that exactly this global exists.
    fn check_symbol(&mut self, key: &str, name: &Located<String>) {
        if !self.globals.contains_key(name.value.as_str()) {
            let nearest = nearest(&name.value, self.globals.keys().copied());
            let problem = Problem::UnknownSymbol {
                name: name.value.clone(),
                nearest: nearest.map(str::to_owned),
            };
            self.report(key, name.place, problem);
        }
    }

    /// Checks that a global or a `function::local` exists.
    fn check_variable(&mut self, key: &str, name: &Located<String>) {
        if self.globals.contains_key(name.value.as_str()) {
            return;
        }
        match name.value.split_once("::") {
            Some((function, local)) => self.check_local(key, name, function, local),
            None => self.check_symbol(key, name),
        }
    }

    fn check_local(&mut self, key: &str, name: &Located<String>, function: &str, local: &str) {
        let Some(facts) = self.functions.get(function) else {
            let function = Located {
                value: function.to_owned(),
                place: name.place,
            };
            return self.check_function(key, &function);
        };
        if facts.locals.iter().any(|known| known == local) {
            return;
        }
        let nearest = nearest(local, facts.locals.iter().map(String::as_str));
        let problem = Problem::UnknownLocal {
            name: name.value.clone(),
            function: function.to_owned(),
            nearest: nearest.map(|nearest| format!("{function}::{nearest}")),
        };
        self.report(key, name.place, problem);
    }

    /// Reports annotations that begin like ours but are none.
    fn check_annotations(&mut self) {
        let functions = self
            .functions
            .values()
            .map(|function| (function.name, function.annotations));
        let globals = self
            .globals
            .values()
            .map(|global| (global.name, global.annotations));
        let locals = self.functions.values().flat_map(|function| {
            let locals = function.annotated_locals.iter();
            locals.map(|(name, texts)| (name.as_str(), &texts[..]))
        });
        let unknown: Vec<_> = functions
            .chain(globals)
            .chain(locals)
            .flat_map(|(name, texts)| {
                crate::facts::Annotation::all(texts)
                    .filter_map(move |annotation| Some((name, annotation.err()?)))
            })
            .collect();
        for (name, unknown) in unknown {
            let problem = Problem::UnknownAnnotation {
                annotation: unknown.annotation,
                nearest: unknown.nearest,
            };
            self.report(name, Place::Annotation, problem);
        }
    }
}
