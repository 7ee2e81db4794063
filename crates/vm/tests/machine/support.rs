//! Programs made ready, and the machine and the reference side by side.

use brownout_ir::{Func, Id, Program, parse, verify::verify};
pub(crate) use brownout_testkit::same;
use brownout_vm::{Bindings, Image, Machine, MemoryPlan, Stop, add_start};
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner};

use crate::generate::{Choices, generate};
use crate::reference::Reference;

/// Time enough for every program here.
pub(crate) const LONG: u64 = 1_000_000;

/// A program with everything its execution depends on.
pub(crate) struct Setup {
    pub(crate) program: Program,
    pub(crate) start: Func,
    pub(crate) plan: MemoryPlan,
    pub(crate) bindings: Bindings,
}

impl Setup {
    /// A program from text; function 0 is the entry.
    pub(crate) fn new(text: &str) -> Self {
        let mut program = parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        if let Err(errors) = verify(&program) {
            panic!("{}\n{program}", errors[0]);
        }
        let start = add_start(&mut program, Func::from_index(0));
        let plan = MemoryPlan {
            stack_size: Some(1024),
            heap_size: Some(256),
            ..MemoryPlan::default()
        };
        Self {
            program,
            start,
            plan,
            bindings: Bindings::default(),
        }
    }

    pub(crate) fn image(&self) -> Image {
        let image = Image::new(
            self.program.clone(),
            self.start,
            &self.plan,
            self.bindings.clone(),
        );
        image.unwrap_or_else(|error| panic!("{error}\n{}", self.program))
    }

    /// The reference at power-on.
    pub(crate) fn reference<'a>(&'a self, image: &'a Image) -> Reference<'a> {
        Reference::new(&self.program, self.start, image.layout(), &self.bindings)
    }
}

/// A ready program from text, without an environment.
pub(crate) fn image(text: &str) -> Image {
    Setup::new(text).image()
}

/// How a program from text ends.
pub(crate) fn run(text: &str) -> Stop {
    Machine::new(&image(text)).advance(LONG)
}

/// The bytes of a global.
pub(crate) fn global<'m>(machine: &'m Machine<'_>, image: &Image, number: usize) -> &'m [u8] {
    let global = Id::from_index(number);
    let offset = offset_of(image, image.layout().global(global));
    &machine.memory()
        [offset as usize..offset as usize + image.program().globals[global].size as usize]
}

/// The offset of an address that some segment has.
pub(crate) fn offset_of(image: &Image, address: u64) -> u32 {
    let segment = image.layout().segments().iter().find(|segment| {
        let size = u64::from(segment.offsets.end - segment.offsets.start);
        (segment.address..segment.address + size).contains(&address)
    });
    let segment = segment.expect("an address in memory");
    segment.offsets.start + (address - segment.address) as u32
}

/// Runs `test` on `cases` random programs; the same ones every time.
pub(crate) fn for_programs(
    cases: u32,
    seed: u8,
    test: impl Fn(&Setup, &mut Choices) -> Result<(), String>,
) {
    let config = Config {
        cases,
        max_shrink_iters: 20_000,
        failure_persistence: None,
        ..Config::default()
    };
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[seed; 32]);
    let mut runner = TestRunner::new_with_rng(config, rng);
    let lists = proptest::collection::vec(proptest::num::u64::ANY, 0..1800);
    let extra = proptest::collection::vec(proptest::num::u64::ANY, 40);
    let result = runner.run(&(lists, extra), |(list, extra)| {
        let setup = generate(&mut Choices::new(list));
        test(&setup, &mut Choices::new(extra)).map_err(TestCaseError::fail)
    });
    if let Err(TestError::Fail(reason, (list, extra))) = &result {
        let setup = generate(&mut Choices::new(list.clone()));
        panic!(
            "{reason}\n{}\nplan {:?}\nextra {extra:?}",
            setup.program, setup.plan
        );
    }
    result.unwrap();
}

/// Where the machine's memory is not the reference's.
pub(crate) fn same_memory(machine: &Machine<'_>, reference: &Reference<'_>) -> Result<(), String> {
    same_bytes(machine.memory(), &reference.memory, |offset| {
        reference.opaque.contains(&offset)
    })
}

/// Where two memories differ, apart from what `hidden` says.
pub(crate) fn same_bytes(
    ours: &[u8],
    theirs: &[u8],
    hidden: impl Fn(u32) -> bool,
) -> Result<(), String> {
    if ours == theirs {
        return Ok(());
    }
    let differ = (0..ours.len().max(theirs.len()))
        .find(|&at| ours.get(at) != theirs.get(at) && !hidden(at as u32));
    match differ {
        Some(at) => Err(format!(
            "memory at offset {at}: {:?}, expected {:?}",
            ours.get(at),
            theirs.get(at)
        )),
        None => Ok(()),
    }
}
