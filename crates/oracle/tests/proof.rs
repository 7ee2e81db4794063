//! The proof against the judge, on random programs under all policies: what is proved does no harm, and a
//! counterexample does.
//!
//! The judge executes; the proof does not, and quantifies over all inputs. They share the
//! intermediate representation and nothing else.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "this is a test"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use brownout_device::{Entry, Host, Linked, prepare};
use brownout_diag::{Finding, Replay};
use brownout_flow::{Boundaries, Commits, Entries, Model, Restart, Role, Saved, Setting, regions};
use brownout_ir::{Func, Global, Program};
use brownout_oracle::{Case, Policy, Repetition, Tag, Verdict, Why, generate};
use brownout_scenario::{Config, ValueSource, splitmix64};
use brownout_solver::{Limits, Process, Solver};
use brownout_verdict as verdict;
use brownout_verify::{Effect, Output, Prover, Question, Volatile};

fn globals(program: &Program, names: &[String]) -> BTreeSet<Global> {
    let all = program.globals.iter();
    all.filter(|(_, data)| names.contains(&data.name))
        .map(|(global, _)| global)
        .collect()
}

fn setting(case: &Case, program: &Program, start: Func) -> Setting {
    let theirs = &case.setting;
    let mut roles = BTreeMap::new();
    let mut give = |name: &String, role: Role| {
        if let Some(func) = program.function(name) {
            roles.insert(func, role);
        }
    };
    for name in &theirs.checkpoints {
        give(name, Role::Checkpoint);
    }
    for (name, _) in &theirs.outputs {
        give(name, Role::Silent);
    }
    for (name, _) in &theirs.inputs {
        give(name, Role::Input(vec![]));
    }
    let tasks = theirs.tasks.iter();
    let tasks: BTreeSet<Func> = tasks.filter_map(|name| program.function(name)).collect();
    Setting {
        entries: Entries::Program(start, tasks.iter().copied().collect()),
        roles,
        input_registers: BTreeSet::new(),
        input_addresses: BTreeSet::new(),
        readings: brownout_flow::ranges::Readings::default(),
        device_inputs: true,
        nonvolatile: globals(program, &theirs.nonvolatile),
        stack: theirs.nonvolatile_stack,
        heap: false,
        passed: true,
        saved: Saved::Globals(globals(program, &theirs.saves)),
        aware: globals(program, &theirs.aware),
        restart: match theirs.policy {
            Policy::Reactive { .. } => Restart::Input,
            _ => Restart::Boundary,
        },
        commits: match theirs.policy {
            Policy::Static | Policy::Tasks => Commits::Always,
            Policy::Conditional { .. } => Commits::Perhaps,
            Policy::Reactive { .. } => Commits::Anywhere,
            Policy::Restart => Commits::Never,
        },
        boundaries: match theirs.policy {
            Policy::Tasks => Boundaries::Tasks,
            _ => Boundaries::Checkpoints,
        },
        tasks,
        gaps: BTreeMap::new(),
        deaths_are_ends: true,
        unpromoted: BTreeSet::new(),
        atomic_write: None,
        follows_decided: false,
        interrupt: brownout_flow::Interrupt::NEVER,
    }
}

fn question(case: &Case, program: &Program) -> Question {
    let outputs = case.setting.outputs.iter().filter_map(|(name, tag)| {
        let effect = match tag {
            Tag::None => Effect::Repeatable,
            Tag::Absolute => Effect::Absolute,
            Tag::Relative => Effect::Relative,
            Tag::AtMostOnce => Effect::AtMostOnce,
        };
        let name = name.clone();
        Some((program.function(&name)?, Output { name, effect }))
    });
    Question {
        outputs: outputs.collect(),
        atomic_write: case.setting.atomic_write,
        volatile: match case.setting.policy {
            Policy::Tasks => Volatile::Initialised,
            Policy::Restart => Volatile::StartedOver,
            Policy::Static | Policy::Conditional { .. } | Policy::Reactive { .. } => {
                Volatile::Restored
            }
        },
        excluded: globals(program, &case.setting.aware),
        ..Question::default()
    }
}

/// Whether the program of a case is proved.
fn is_proved(case: &Case, solver: &mut dyn Solver) -> bool {
    let mut program = case.program.clone();
    let main = program.function("main").expect("a main");
    let start = brownout_vm::add_start(&mut program, main);
    for name in &case.setting.tasks {
        let task = program.function(name).expect("a task");
        brownout_vm::checkpoint_at_entry(&mut program, task);
    }
    let setting = setting(case, &program, start);
    let question = question(case, &program);
    let model = Model::new(&program, &setting).unwrap();
    let regions = regions(&model).unwrap();
    let prover = Prover::new(&model, &question, &regions);
    prover.prove(Some(solver)).is_proved()
}

/// A number of the environment.
fn number(name: &str, other: u64) -> u64 {
    let text = std::env::var(name).ok();
    text.and_then(|text| text.parse().ok()).unwrap_or(other)
}

fn z3(time: Duration) -> Process {
    let limits = Limits {
        time,
        ..Limits::default()
    };
    Process::new(vec!["z3".to_owned(), "-in".to_owned()], limits)
}

#[test]
fn what_is_proved_does_no_harm() {
    let (first, cases) = (number("BROWNOUT_SEED", 0), number("BROWNOUT_CASES", 500));
    // `BROWNOUT_POLICY` leaves out the programs of all policies but one.
    let policy = std::env::var("BROWNOUT_POLICY").ok();
    let mut solver = z3(Duration::from_secs(5));
    solver.answers().expect("a solver");
    let mut proved: BTreeMap<&str, u64> = BTreeMap::new();
    for seed in first..first + cases {
        let case = generate(seed);
        if policy
            .as_ref()
            .is_some_and(|policy| policy != case.setting.policy.name())
        {
            continue;
        }
        if !is_proved(&case, &mut solver) {
            continue;
        }
        *proved.entry(case.setting.policy.name()).or_default() += 1;
        let judged = case.judge().expect("a subject");
        let harm = judged
            .iter()
            .find(|judged| matches!(judged.verdict, Verdict::Harm(_)));
        assert!(
            harm.is_none(),
            "seed {seed} is proved, but {harm:#?}\n{:?}\n{}",
            case.setting,
            case.c
        );
    }
    eprintln!("{cases} programs, proved: {proved:?}");
    let all = proved.values().sum::<u64>();
    assert!(policy.is_some() || all * 20 > cases, "{proved:?}");
}

/// What `brownout prove` calls counterexamples of a case.
fn counterexamples(case: &Case, solver: &mut dyn Solver) -> Vec<Finding> {
    let config = Config::parse(&case.setting.toml()).expect("a configuration");
    let linked = Linked {
        name: None,
        program: case.program.clone(),
        gaps: Vec::new(),
    };
    let host = Host {
        sources: &|_| None,
        interrupt: brownout_flow::Interrupt::NEVER,
    };
    let prepared = prepare(linked, None, &config, Entry::Needed, host).expect("a program");
    let setting = verdict::prove::setting(&prepared);
    let proof = verdict::prove::prove(&prepared, &setting, || Some(solver)).expect("an outcome");
    if proof.is_proved() {
        return Vec::new();
    }
    let examples = proof.open.iter().flat_map(|open| &open.example);
    let options = verdict::Options {
        jobs: Some(1),
        suggested: Some(examples.copied().collect()),
        ..verdict::Options::default()
    };
    let outcome = verdict::check(prepared, &options, &|| false).expect("an outcome");
    verdict::prove::counterexamples(outcome.checked.findings.iter())
}

/// Whether the judge knows the failure of a counterexample: it looks at the beginning of the first boot, and lets power
/// fail again only where it has failed.
fn is_judged(case: &Case, finding: &Finding) -> bool {
    match &finding.replay {
        Some(Replay::Failure(id)) => {
            let is_first = id.boot.is_none() && id.skipped.is_none();
            is_first && id.further.is_empty() && id.distance <= case.options.instructions
        }
        _ => false,
    }
}

/// Whether the judge finds harm, with some readings of those that are declared. That something differs which it has
/// not seen anybody read or overwrite counts for `check`.
fn does_harm(case: &Case) -> bool {
    let lists = match case.setting.inputs.is_empty() {
        true => 1,
        false => 60,
    };
    (0..lists).any(|list| {
        let mut case = case.clone();
        for (input, (_, source)) in (0..).zip(&mut case.setting.inputs) {
            if let (ValueSource::Cycle(values), 1..) = (&*source, list) {
                let chosen = (0..12).map(|index| {
                    let random = splitmix64(list, 100 * input + index);
                    values[random as usize % values.len()]
                });
                *source = ValueSource::Cycle(chosen.collect());
            }
        }
        case.options.failing_rounds = 24;
        [Repetition::Same, Repetition::Fresh].into_iter().any(|it| {
            case.options.repetition = it;
            let judged = case.judge().expect("a subject");
            let mut verdicts = judged.iter().map(|judged| &judged.verdict);
            verdicts.any(|verdict| {
                matches!(
                    verdict,
                    Verdict::Harm(_) | Verdict::Undecided(Why::Untouched(_))
                )
            })
        })
    })
}

#[test]
fn counterexamples_do_harm() {
    let (first, cases) = (
        number("BROWNOUT_SEED", 0),
        number("BROWNOUT_CASES", 500) / 16,
    );
    let mut solver = z3(Duration::from_secs(2));
    solver.answers().expect("a solver");
    let mut found: BTreeMap<&str, u64> = BTreeMap::new();
    let mut wrong = Vec::new();
    for seed in first..first + cases {
        let case = generate(seed);
        let findings = counterexamples(&case, &mut solver);
        let Some(finding) = findings.iter().find(|finding| is_judged(&case, finding)) else {
            continue;
        };
        *found.entry(case.setting.policy.name()).or_default() += 1;
        if !does_harm(&case) {
            wrong.push(format!(
                "seed {seed}: {}\n{:?}\n{:?}\n{:?}\n{}",
                finding.message, finding.replay, finding.effects, case.setting, case.c
            ));
        }
    }
    eprintln!("{cases} programs, counterexamples: {found:?}");
    assert!(wrong.is_empty(), "{}: {}", wrong.len(), wrong.join("\n"));
    assert!(found.values().sum::<u64>() * 5 > cases, "{found:?}");
}
