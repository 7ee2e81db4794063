//! Programs made ready, and many of them.

use std::cell::Cell;
use std::ops::Range;

use brownout_explore::{Exposure, Patience};
use brownout_ir::{Func, Global, Id, Program, parse, verify::verify};
use brownout_scenario::ValueSource;
pub(crate) use brownout_testkit::same;
use brownout_trace::{DETAILED, Scope};
use brownout_vm::{Binding, Bindings, Image, Machine, MemoryPlan, Stop, add_start};
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner};

use crate::generate::{Choices, GLOBALS, POINTERS, Taste, generate};

/// Time enough for every program here.
pub(crate) const LONG: u64 = 1_000_000;

/// A program with everything an analysis needs.
#[derive(Debug)]
pub(crate) struct Case {
    pub(crate) text: String,
    pub(crate) image: Image,
    pub(crate) saved: Vec<Range<u32>>,
    /// Instructions of its continuous execution.
    pub(crate) length: u64,
}

/// What of memory keeps its contents.
#[derive(Clone, Debug)]
pub(crate) struct Keeps {
    pub(crate) globals: Vec<usize>,
    pub(crate) stack: bool,
    pub(crate) heap: bool,
    /// Globals that every checkpoint saves.
    pub(crate) saved: Vec<usize>,
}

impl Case {
    /// A program from text; function 0 is the entry. Functions without a body are bound by their names.
    pub(crate) fn new(text: &str, keeps: &Keeps) -> Self {
        let image = Self::image(text, keeps, |_, _, _| {});
        let saved = keeps
            .saved
            .iter()
            .map(|&global| offsets(&image, global))
            .collect();
        let mut machine = Machine::new(&image);
        machine.advance(LONG);
        let length = machine.now();
        Self {
            text: text.to_owned(),
            image,
            saved,
            length,
        }
    }

    /// The same program ready to run, with what else is bound.
    pub(crate) fn image(
        text: &str,
        keeps: &Keeps,
        bind: impl Fn(&Program, Func, &mut Bindings),
    ) -> Image {
        let mut program = parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        if let Err(errors) = verify(&program) {
            panic!("{}\n{program}", errors[0]);
        }
        let start = add_start(&mut program, Func::from_index(0));
        let plan = MemoryPlan {
            stack_size: Some(256),
            heap_size: Some(40),
            nonvolatile: keeps
                .globals
                .iter()
                .map(|&global| Global::from_index(global))
                .collect(),
            stack_nonvolatile: keeps.stack,
            heap_nonvolatile: keeps.heap,
            ..MemoryPlan::default()
        };
        let mut bindings = Bindings {
            inputs: vec![ValueSource::Cycle(vec![1, 5, 2, 0, 9])],
            ..Bindings::default()
        };
        for (name, binding) in [
            ("checkpoint", Binding::Checkpoint),
            ("input", Binding::Input(0)),
            ("output", Binding::Output(0)),
        ] {
            if let Some(func) = program.function(name) {
                bindings.functions.insert(func, binding);
            }
        }
        bind(&program, start, &mut bindings);
        Image::new(program, start, &plan, bindings)
            .unwrap_or_else(|error| panic!("{error}\n{text}"))
    }
}

/// The offsets of a global.
pub(crate) fn offsets(image: &Image, global: usize) -> Range<u32> {
    let global = Global::from_index(global);
    let address = image.layout().global(global);
    let segment = image.layout().segments().iter().find(|segment| {
        let size = u64::from(segment.offsets.end - segment.offsets.start);
        (segment.address..segment.address + size).contains(&address)
    });
    let segment = segment.expect("an address in memory");
    let start = segment.offsets.start + (address - segment.address) as u32;
    start..start + image.program().globals[global].size as u32
}

/// How many programs, which, and how long.
#[derive(Clone, Copy)]
pub(crate) struct Plan {
    pub(crate) programs: u32,
    pub(crate) seed: u8,
    pub(crate) taste: Taste,
    /// Programs that execute more instructions are skipped.
    pub(crate) longest: u64,
    /// Whether some globals are saved by every checkpoint.
    pub(crate) saves: bool,
}

fn case(list: Vec<u64>, plan: Plan) -> (Case, Choices) {
    let mut choices = Choices::new(list);
    let keeps = Keeps {
        globals: (0..GLOBALS.len())
            .chain(plan.taste.heap.then_some(POINTERS))
            .filter(|_| !choices.chance(4))
            .collect(),
        stack: choices.chance(2),
        heap: plan.taste.heap,
        saved: (0..GLOBALS.len())
            .filter(|_| choices.chance(6) && plan.saves)
            .collect(),
    };
    let extra = Choices::new((0..4).map(|_| choices.any()).collect());
    let text = generate(&mut choices, plan.taste);
    (Case::new(&text, &keeps), extra)
}

/// Runs `test` on random programs that end, the same ones every time.
pub(crate) fn for_programs(plan: Plan, test: impl Fn(&Case, &mut Choices) -> Result<(), String>) {
    let config = Config {
        cases: plan.programs * 3,
        max_shrink_iters: 4_000,
        failure_persistence: None,
        ..Config::default()
    };
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[plan.seed; 32]);
    let mut runner = TestRunner::new_with_rng(config, rng);
    let lists = proptest::collection::vec(proptest::num::u64::ANY, 20..400);
    let done = Cell::new(0);
    let result = runner.run(&lists, |list| {
        if done.get() >= plan.programs {
            return Ok(());
        }
        let (case, mut extra) = case(list, plan);
        if case.length > plan.longest {
            return Ok(());
        }
        test(&case, &mut extra).map_err(TestCaseError::fail)?;
        done.set(done.get() + 1);
        Ok(())
    });
    if let Err(TestError::Fail(reason, list)) = &result {
        let (case, _) = case(list.clone(), plan);
        let nonvolatile: Vec<_> = case
            .image
            .layout()
            .segments()
            .iter()
            .filter(|segment| segment.nonvolatile)
            .collect();
        panic!(
            "{reason}\n{}\nnon-volatile {nonvolatile:?}\nsaved {:?}",
            case.text, case.saved
        );
    }
    result.expect("a verdict on every program");
    assert!(done.get() >= plan.programs, "only {} programs", done.get());
}

#[test]
fn programs_are_worth_testing() {
    let (ends, crashes, lengths) = (Cell::new(0), Cell::new(0), Cell::new(0));
    let taste = Taste {
        statements: 10,
        saving_checkpoints: true,
        inputs: true,
        heap: false,
    };
    for_programs(
        Plan {
            programs: 1_000,
            seed: 1,
            taste,
            longest: LONG,
            saves: true,
        },
        |case, _| {
            let mut machine = Machine::new(&case.image);
            match machine.advance(LONG) {
                Stop::Exited { .. } => ends.set(ends.get() + 1),
                Stop::Faulted(_) => crashes.set(crashes.get() + 1),
                Stop::Paused => return Err("endless".to_owned()),
            }
            lengths.set(lengths.get() + machine.now());
            Ok(())
        },
    );
    let _ = Exposure::Region;
    assert!(
        ends.get() > 800 && lengths.get() / 1_000 > 40,
        "{ends:?} {crashes:?} {lengths:?}"
    );
}

/// An execution from start to end.
pub(crate) fn scope(exposure: Exposure, saved: &[Range<u32>]) -> Scope<'_> {
    Scope {
        exposure,
        saved,
        extra: None,
        limit: LONG,
        patience: Patience::default(),
        detailed: DETAILED,
    }
}
