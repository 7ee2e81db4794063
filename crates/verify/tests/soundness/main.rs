//! What is proved is true: power failures tried one by one find nothing in it.
//!
//! 2,000 programs in `cargo test`, 50,000 by `cargo xtask proofs`, which sets `BROWNOUT_CASES`; a quarter of them in
//! each test, so that these can be run side by side.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "tests"
)]

mod brute;
mod toy;

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use brownout_flow::supergraph::Reason;
use brownout_flow::{Boundaries, Commits, Entries, Model, Restart, Role, Saved, Setting, regions};
use brownout_ir::{Func, Id, Program, Retained, parse, verify};
use brownout_solver::{Limits, Process, Solver};
use brownout_verify::{
    Change, Contents, Effect, Given, Kept, Operand, Operator, Outcome, Output, Prover, Question,
    Values, Why,
};
use toy::{Generator, Random, Step};

fn setting(program: &Program, saved: Saved) -> Setting {
    let function = |name: &str| program.function(name).unwrap();
    let mut roles = BTreeMap::new();
    for input in 0..3 {
        roles.insert(function(&format!("in{input}")), Role::Input(vec![]));
    }
    for name in ["say", "turn", "set", "mark", "aim", "fire"] {
        roles.insert(function(name), Role::Silent);
    }
    Setting {
        entries: Entries::Program(Func::from_index(0), vec![]),
        roles,
        input_registers: BTreeSet::new(),
        input_addresses: BTreeSet::new(),
        readings: brownout_flow::ranges::Readings::default(),
        device_inputs: true,
        nonvolatile: program.globals.ids().collect(),
        stack: false,
        heap: false,
        passed: false,
        saved,
        aware: BTreeSet::new(),
        restart: Restart::Boundary,
        commits: Commits::Always,
        boundaries: Boundaries::Checkpoints,
        tasks: BTreeSet::new(),
        gaps: BTreeMap::new(),
        deaths_are_ends: true,
        unpromoted: BTreeSet::new(),
        atomic_write: None,
        follows_decided: false,
        interrupt: brownout_flow::Interrupt::NEVER,
    }
}

/// What is known of the world around a program.
#[derive(Clone, Copy)]
struct Surroundings {
    /// Whether a word is written in one piece.
    whole_words: bool,
    /// Whether the values of inputs are declared.
    declared: bool,
    /// Whether checkpoints need not commit.
    conditional: bool,
    /// Whether loops are not unrolled.
    rolled: bool,
}

const PLAIN: Surroundings = Surroundings {
    whole_words: true,
    declared: false,
    conditional: false,
    rolled: false,
};

fn question(program: &Program, surroundings: Surroundings) -> Question {
    let changes = |value, operator| {
        let operand = Operand::Argument(0);
        Effect::Changes(vec![Change {
            value,
            operator,
            operand,
        }])
    };
    let outputs = [
        ("say", Effect::Repeatable),
        ("turn", changes(0, Operator::Add)),
        ("set", changes(1, Operator::Assign)),
        ("mark", changes(2, Operator::Or)),
        ("aim", Effect::Absolute),
        ("fire", Effect::AtMostOnce),
    ];
    Question {
        outputs: outputs
            .into_iter()
            .map(|(name, effect)| {
                let output = Output {
                    name: name.to_owned(),
                    effect,
                };
                (program.function(name).unwrap(), output)
            })
            .collect(),
        inputs: (0..3)
            .filter(|_| surroundings.declared)
            .map(|input| {
                let name = format!("in{input}");
                let values = Values::OneOf(brute::VALUES.map(i64::from).to_vec());
                (program.function(&name).unwrap(), Given { name, values })
            })
            .collect(),
        environment: 3,
        rounds: surroundings.rolled.then_some(0),
        atomic_write: if surroundings.whole_words {
            Some(2)
        } else {
            Some(1)
        },
        ..Question::default()
    }
}

fn prove(
    steps: &[Step],
    surroundings: Surroundings,
    saved: Saved,
    solver: Option<&mut dyn Solver>,
) -> Outcome {
    let text = toy::ir(steps);
    let program = parse(&text).unwrap_or_else(|error| panic!("{error:?}\n{text}"));
    let problems = verify::verify(&program);
    assert!(problems.is_ok(), "{problems:?}\n{text}");
    let mut setting = setting(&program, saved);
    if surroundings.conditional {
        setting.commits = Commits::Perhaps;
    }
    let restores_all =
        |step: &Step| !matches!(step, Step::Checkpoint(_, kept) if *kept != toy::ALL_VOLATILE);
    if !steps.iter().all(restores_all) {
        setting.unpromoted = BTreeSet::from([Func::from_index(0)]);
    }
    let model = Model::new(&program, &setting).unwrap();
    let mut question = question(&program, surroundings);
    let regions = regions(&model).unwrap();
    for region in &regions {
        let Reason::Checkpoint(site) = region.start.reason else {
            continue;
        };
        // The first block is not a step.
        let Step::Checkpoint(_, kept) = steps[site.at.block.index() - 1] else {
            panic!("no checkpoint at {site:?}");
        };
        if kept != toy::ALL_VOLATILE {
            let main = Func::from_index(0);
            let is_kept = |element: &usize| kept & 1 << element != 0;
            let locals = (0..toy::LOCALS).filter(is_kept);
            let registers =
                (0..toy::REGISTERS).filter(|register| is_kept(&(toy::LOCALS + register)));
            let retained = Retained {
                slots: locals.map(|slot| (main, Id::from_index(slot))).collect(),
                values: registers
                    .map(|value| (main, Id::from_index(value)))
                    .collect(),
                ..Retained::default()
            };
            let contents = Contents {
                saved: region.saved.clone(),
                stack: false,
                volatile: Some(Kept::new(&model, &retained)),
            };
            question.contents.insert(region.start.reason, contents);
        }
    }
    Prover::new(&model, &question, &regions).prove(solver)
}

fn z3(time: Duration) -> Process {
    let command = ["z3", "-in"].map(str::to_owned).to_vec();
    Process::new(
        command,
        Limits {
            time,
            ..Limits::default()
        },
    )
}

fn generated(random: &mut Random) -> Vec<Step> {
    use toy::Output::{Absolute, Adds, Assigns, Once, Ors, Repeatable};
    let outputs = match random.below(4) {
        0 => vec![],
        1 => vec![Repeatable],
        2 => vec![Repeatable, Assigns, Ors],
        _ => vec![Adds, Assigns, Absolute, Once],
    };
    Generator {
        random,
        steps: Vec::new(),
        inputs: 0,
        outputs,
    }
    .program()
}

mod what_is_proved_is_true {
    #[test]
    fn first_quarter() {
        super::quarter(0);
    }

    #[test]
    fn second_quarter() {
        super::quarter(1);
    }

    #[test]
    fn third_quarter() {
        super::quarter(2);
    }

    #[test]
    fn fourth_quarter() {
        super::quarter(3);
    }
}

/// Proves a quarter of the programs, and tries power failures one by one in those that are proved.
fn quarter(number: u64) {
    let all: u64 = std::env::var("BROWNOUT_CASES").map_or(2000, |cases| cases.parse().unwrap());
    let first: u64 = std::env::var("BROWNOUT_SEED").map_or(0, |seed| seed.parse().unwrap());
    let cases = all / 4;
    let first = first + number * cases;
    // A few questions take a hundred times as long as the others: what is not answered is not proved.
    let mut solver = z3(Duration::from_millis(200));
    solver.answers().unwrap();
    let (mut proved, mut by_solver, mut harmful, mut missed) = (0, 0, 0, 0);
    let mut conditional = 0;
    let mut reasons: BTreeMap<String, usize> = BTreeMap::new();
    for case in first..first + cases {
        let mut random = Random(case.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        for _ in 0..8 {
            random.below(2);
        }
        let steps = generated(&mut random);
        let surroundings = Surroundings {
            whole_words: random.below(2) == 0,
            declared: random.below(2) == 0,
            conditional: random.below(3) == 0,
            rolled: random.below(3) == 0,
        };
        let outcome = prove(
            &steps,
            surroundings,
            Saved::Globals(BTreeSet::new()),
            Some(&mut solver),
        );
        let mut shows = Some(false);
        for memory in [[0; 9], [1, 2, 0, 1, 1, 3, 0, 1, 255]] {
            let mut search = brute::Search::new(&steps, surroundings, 4000);
            match search.shows(memory) {
                Some(true) => shows = Some(true),
                None if shows == Some(false) => shows = None,
                _ => {}
            }
        }
        if outcome.is_proved() {
            assert!(
                shows != Some(true),
                "case {case}: proved, but a power failure shows\n{steps:#?}\n{}",
                toy::ir(&steps)
            );
            proved += 1;
            conditional += usize::from(surroundings.conditional);
            by_solver += usize::from(outcome.obligations.solver > 0);
        } else {
            harmful += usize::from(shows == Some(true));
            if shows == Some(false) {
                missed += 1;
                let why = match &outcome.open[0].why {
                    Why::Shows => "shows from some state".to_owned(),
                    Why::Limit(why) | Why::Unsupported(why) => why.clone(),
                    Why::NoSolver => "no solver".to_owned(),
                };
                *reasons.entry(why).or_default() += 1;
            }
        }
    }
    let figures = format!(
        "{cases} programs: {proved} proved ({by_solver} with the solver, {conditional} conditional), {harmful} harmful, \
         {missed} neither: {reasons:?}"
    );
    println!("{figures}");
    // A proof that never comes about would be sound as well.
    assert!(
        proved * 5 > cases as usize && by_solver * 40 > cases as usize,
        "{figures}"
    );
    assert!(harmful * 10 > cases as usize, "{figures}");
}

#[test]
fn saving_everything_always_proves() {
    let mut solver = z3(Duration::from_secs(5));
    for case in 0..300 {
        let mut random = Random(case * 77 + 5);
        let generator = Generator {
            random: &mut random,
            steps: Vec::new(),
            inputs: 0,
            outputs: vec![],
        };
        let mut steps = generator.program();
        for step in &mut steps {
            // Jumps count steps: one more comes first.
            match step {
                Step::Jump(to) | Step::JumpUnless(_, to) => *to += 1,
                Step::Checkpoint(_, kept) => *kept = toy::ALL_VOLATILE,
                _ => {}
            }
        }
        steps.insert(0, Step::Checkpoint(0x1f, toy::ALL_VOLATILE));
        let torn = Surroundings {
            whole_words: false,
            ..PLAIN
        };
        let outcome = prove(&steps, torn, Saved::Everything, Some(&mut solver));
        assert!(
            outcome.is_proved(),
            "case {case}: {:?}\n{}",
            outcome.open,
            toy::ir(&steps)
        );
    }
}

#[test]
fn without_an_answer_nothing_is_proved() {
    let mut hurried = z3(Duration::from_millis(0));
    let mut missing = Process::new(vec!["no-such-solver".to_owned()], Limits::default());
    let mut patient = z3(Duration::from_millis(200));
    let mut needed = 0;
    for case in 0..400_u64 {
        let mut random = Random(case.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        let steps = generated(&mut random);
        let nothing = Saved::Globals(BTreeSet::new());
        let with = prove(&steps, PLAIN, nothing.clone(), Some(&mut patient));
        let without = prove(&steps, PLAIN, nothing.clone(), None);
        if with.obligations.solver == 0 || !with.is_proved() {
            continue;
        }
        assert!(!without.is_proved(), "case {case}");
        needed += 1;
        if needed > 20 {
            break;
        }
        for solver in [&mut hurried, &mut missing] {
            let outcome = prove(&steps, PLAIN, nothing.clone(), Some(solver));
            assert!(!outcome.is_proved(), "case {case}");
        }
    }
    assert!(needed > 5);
}
