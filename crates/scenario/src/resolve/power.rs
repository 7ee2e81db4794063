//! When checkpoints commit: policy, checkpoint functions, execution depth.
//!
//! Without a policy, the configuration's tasks make it `tasks`; its checkpoints or placement, or a
//! checkpoint function that the program is known by, make it `static`; an execution depth makes it `reactive`; else it is `restart`.
//! The tool's own checkpoint functions always count, also when the configuration names others.

use super::Resolver;
use crate::config::Config;
use crate::error::{Place, Problem};
use crate::glob;
use crate::policy::Policy;
use crate::read::Located;
use crate::scenario::{Power, Saved, Saves, SavesAt};
use crate::schema::{PolicyName, PowerSettings};

/// The checkpoint functions of `brownout.h`, and what programs that declare one of them themselves call it.
const OWN_CHECKPOINTS: [&str; 3] = [
    "brownout_checkpoint",
    "__brownout_checkpoint_with",
    "brownout_checkpoint_with",
];
/// What others call theirs.
const KNOWN_CHECKPOINTS: [&str; 6] = [
    "checkpoint",
    "__mementos_checkpoint",
    // TI's "compute through power loss".
    "ctpl_enterShutdown",
    "ctpl_enterLpm35",
    "ctpl_enterLpm45",
    "ctpl_saveCpuStackEnterLpm",
];
/// One of the representative values of EWSN'21 §6.1.
const DEFAULT_DEPTH: u64 = 3_000;

/// Whether a function of this name commits, whatever the configuration says.
pub fn is_checkpoint(name: &str) -> bool {
    OWN_CHECKPOINTS.contains(&name) || KNOWN_CHECKPOINTS.contains(&name)
}

pub(super) fn resolve(resolver: &mut Resolver<'_>, config: &Config) -> Power {
    let settings = &config.settings.power;
    let list = |texts: &'_ Option<Vec<_>>| texts.clone().unwrap_or_default();
    let checkpoints = checkpoints(resolver, settings);
    let mut tasks = tasks(resolver, list(&settings.tasks));
    let (mut transitions, mut current_task) = transitions(resolver, &list(&settings.transitions));
    let placement = settings
        .placement
        .as_ref()
        .and_then(|located| located.value);
    let saves = saves(resolver, settings);
    let saves_at = saves_at(resolver, config);

    let given = settings.policy.as_ref();
    let name = match given {
        Some(given) => given.value,
        None if !(tasks.is_empty() && transitions.is_empty() && current_task.is_empty()) => {
            PolicyName::Tasks
        }
        None if !checkpoints.is_empty() || placement.is_some() => PolicyName::Static,
        // Only a device that commits by itself has an execution depth.
        None if settings.execution_depth.is_some() => PolicyName::Reactive,
        // Each call of a function of a library is a region of its own.
        None if resolver.is_library => PolicyName::Static,
        None => PolicyName::Restart,
    };
    let place = given.map_or(Place::Default, |given| given.place);
    let commits_nowhere = checkpoints.is_empty() && placement.is_none();
    let restarts_at_entry = restarts_at_entry(resolver, config, name);
    let mut restarted_tasks = Vec::new();
    let policy = match name {
        // The runtime's own code keeps the current task and finds it: nothing else commits.
        PolicyName::Tasks if restarts_at_entry => {
            restarted_tasks.clone_from(&tasks);
            for ends in [&mut tasks, &mut transitions, &mut current_task] {
                ends.clear();
            }
            Policy::Restart
        }
        PolicyName::Static => {
            if commits_nowhere && !resolver.is_library {
                resolver.note(
                    "policy is `static`, but no checkpoint function is known: every reboot starts from the entry"
                        .to_owned(),
                );
            }
            Policy::Static
        }
        PolicyName::Conditional => {
            if commits_nowhere {
                let wanted = "`power.checkpoints` or `power.place` with policy `conditional`";
                resolver.report(
                    "power",
                    place,
                    Problem::Missing {
                        wanted: wanted.to_owned(),
                    },
                );
            }
            let depth = execution_depth(resolver, config);
            Policy::Conditional { depth }
        }
        PolicyName::Reactive => Policy::Reactive {
            depth: execution_depth(resolver, config),
        },
        PolicyName::Restart => Policy::Restart,
        PolicyName::Tasks => {
            if tasks.is_empty() && transitions.is_empty() && current_task.is_empty() {
                let wanted = "`power.tasks` or `power.transition` with policy `tasks`";
                resolver.report(
                    "power",
                    place,
                    Problem::Missing {
                        wanted: wanted.to_owned(),
                    },
                );
            }
            Policy::Tasks
        }
    };
    Power {
        policy,
        checkpoints,
        tasks,
        restarted_tasks,
        transitions,
        current_task,
        placement,
        saves,
        saves_at,
    }
}

/// Whether a reboot of a program of tasks runs the entry first. Another function cannot be where a reboot begins.
fn restarts_at_entry(resolver: &mut Resolver<'_>, config: &Config, policy: PolicyName) -> bool {
    let Some(restart) = &config.settings.power.restart else {
        return false;
    };
    if policy != PolicyName::Tasks {
        resolver.note("`power.restart` is for policy `tasks`: it is not used".to_owned());
    }
    if restart.value != config.entry() {
        let problem = Problem::BadForm {
            found: restart.value.clone(),
            expected: "the entry, where every reboot begins",
        };
        resolver.report("power.restart", restart.place, problem);
    }
    true
}

/// The functions that are tasks. One that does nothing may have been dropped by the compiler.
fn tasks(resolver: &mut Resolver<'_>, mut named: Vec<Located<String>>) -> Vec<String> {
    let dropped = resolver.dropped;
    named.retain(|name| {
        let is_dropped = dropped.contains(&name.value);
        if is_dropped {
            let name = &name.value;
            resolver.note(format!(
                "task `{name}` does nothing: the compiler has dropped it"
            ));
        }
        !is_dropped
    });
    resolver.functions("power.tasks", &named)
}

/// The functions that end a task, and the variables that a task ends by being assigned.
fn transitions(
    resolver: &mut Resolver<'_>,
    patterns: &[Located<String>],
) -> (Vec<String>, Vec<String>) {
    let globals: Vec<&str> = resolver.globals.keys().copied().collect();
    let names_variable = |pattern: &Located<String>| {
        let mut names = globals.iter();
        names.any(|name| glob::matches(&pattern.value, name))
    };
    let names_function = |pattern: &Located<String>| {
        let mut names = resolver.functions.keys();
        names.any(|name| glob::matches(&pattern.value, name))
    };
    let (variables, functions): (Vec<_>, Vec<_>) = patterns
        .iter()
        .cloned()
        .partition(|pattern| names_variable(pattern) && !names_function(pattern));
    (
        resolver.functions("power.transition", &functions),
        resolver.symbols("power.transition", &variables),
    )
}

fn checkpoints(resolver: &mut Resolver<'_>, settings: &PowerSettings) -> Vec<String> {
    let mut names = match &settings.checkpoints {
        Some(patterns) => resolver.functions("power.checkpoints", patterns),
        None => present(resolver, &KNOWN_CHECKPOINTS),
    };
    names.extend(present(resolver, &OWN_CHECKPOINTS));
    names.sort_unstable();
    names.dedup();
    names
}

fn present(resolver: &Resolver<'_>, names: &[&str]) -> Vec<String> {
    let known = names
        .iter()
        .filter(|name| resolver.functions.contains_key(*name));
    known.map(|name| (*name).to_owned()).collect()
}

fn saves(resolver: &mut Resolver<'_>, settings: &PowerSettings) -> Saves {
    let symbols = settings.saves.as_deref().unwrap_or(&[]);
    if symbols.iter().any(|symbol| symbol.value == "all") {
        Saves::Everything
    } else {
        Saves::Symbols(resolver.symbols("power.saves", symbols))
    }
}

fn saves_at(resolver: &mut Resolver<'_>, config: &Config) -> Vec<SavesAt> {
    let mut all: Vec<SavesAt> = Vec::new();
    for settings in config.settings.checkpoints.iter().flatten() {
        let Some(at) = &settings.at else {
            continue;
        };
        let symbols = settings.saves.as_deref().unwrap_or(&[]);
        // What is not used again is overwritten before anybody reads it: whether it is restored makes
        // no difference.
        let is_word = |name: &Located<String>| ["all", "live"].contains(&name.value.as_str());
        let volatile = settings.volatile.as_ref();
        let volatile = volatile.filter(|names| !names.iter().any(is_word));
        if all.iter().any(|known| known.at == at.value) {
            let problem = Problem::Duplicate {
                name: at.value.clone(),
            };
            resolver.report("checkpoint", at.place, problem);
        }
        all.push(SavesAt {
            at: at.value.clone(),
            saved: saved(resolver, symbols),
            volatile: volatile.map(|names| names.iter().map(|name| name.value.clone()).collect()),
            place: at.place,
        });
    }
    all
}

/// What a checkpoint saves: objects by name or pattern, or else parts of objects.
fn saved(resolver: &mut Resolver<'_>, patterns: &[Located<String>]) -> Vec<Saved> {
    let (parts, wholes): (Vec<_>, Vec<_>) = patterns.iter().cloned().partition(|pattern| {
        let mut names = resolver.globals.keys();
        let is_whole = names.any(|name| glob::matches(&pattern.value, name));
        !is_whole && part(resolver, &pattern.value).is_some()
    });
    let wholes = resolver.symbols("checkpoint.saves", &wholes);
    let wholes = wholes.into_iter().map(|symbol| Saved {
        symbol,
        path: String::new(),
    });
    let parts = (parts.iter()).filter_map(|pattern| part(resolver, &pattern.value));
    let mut saved: Vec<Saved> = wholes.chain(parts).collect();
    saved.sort_unstable();
    saved.dedup();
    saved
}

/// The part of an object that a name such as `cal.x` means: symbols may have dots themselves.
fn part(resolver: &Resolver<'_>, name: &str) -> Option<Saved> {
    let ends = name.match_indices(['.', '[']).map(|(end, _)| end);
    let mut symbols = ends.filter(|&end| resolver.globals.contains_key(&name[..end]));
    symbols.next_back().map(|end| Saved {
        symbol: name[..end].to_owned(),
        path: name[end..].to_owned(),
    })
}

fn execution_depth(resolver: &mut Resolver<'_>, config: &Config) -> u64 {
    if let Some(depth) = &config.settings.power.execution_depth {
        return depth.value;
    }
    match config.energy() {
        Ok(Some(energy)) => energy.execution_depth().unwrap_or(DEFAULT_DEPTH),
        Ok(None) => {
            resolver.note(format!(
                "no execution depth is given: {DEFAULT_DEPTH} instructions"
            ));
            DEFAULT_DEPTH
        }
        Err(errors) => {
            resolver.errors.extend(errors);
            DEFAULT_DEPTH
        }
    }
}
