//! A device with a program, some inputs and an observer of taint.

use std::collections::{BTreeSet, VecDeque};
use std::ops::Range;

use brownout_confirm::Taint;
use brownout_ir::{Func, Global, Id, parse, verify::verify};
use brownout_scenario::{ArgumentExpression, Buffer, Extent, Fill, ValueSource};
use brownout_vm::{Binding, Bindings, Image, Machine, MemoryPlan, Stop, Witness, add_start};

/// Time enough for every program here.
const LONG: u64 = 100_000;

/// A program from text: function 0 is the entry; `input`, `fill`, `commit` and `checkpoint…` are bound. Globals
/// whose names do not begin with `ram` are non-volatile.
pub(crate) fn image(text: &str, inputs: &[i64]) -> Image {
    let mut program = parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    if let Err(errors) = verify(&program) {
        panic!("{}\n{text}", errors[0]);
    }
    let mut bindings = Bindings {
        inputs: vec![ValueSource::Cycle(inputs.to_vec())],
        ..Bindings::default()
    };
    for (func, function) in program.functions.iter() {
        let fill = Fill {
            buffers: vec![Buffer {
                pointer: ArgumentExpression::argument(0),
                length: Extent::Bytes(4),
                width: 2,
            }],
            place: None,
            returns: None,
        };
        let binding = match function.name.as_str() {
            "input" => Binding::Input(0),
            "fill" => Binding::Fill(0, fill, None),
            name if name.starts_with("commit") || name.starts_with("checkpoint") => {
                Binding::Checkpoint
            }
            _ => continue,
        };
        bindings.functions.insert(func, binding);
    }
    let globals = program.globals.iter();
    let plan = MemoryPlan {
        stack_size: Some(512),
        heap_size: Some(64),
        nonvolatile: globals
            .filter(|(_, global)| !global.name.starts_with("ram"))
            .map(|(global, _)| global)
            .collect(),
        stack_nonvolatile: false,
        heap_nonvolatile: false,
        ..MemoryPlan::default()
    };
    let start = add_start(&mut program, Func::from_index(0));
    Image::new(program, start, &plan, bindings).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// The bytes of a global.
pub(crate) fn bytes(image: &Image, global: Global) -> Range<u32> {
    let start = (image.layout().global(global) - image.layout().address(0)) as u32;
    start..start + image.program().globals[global].size as u32
}

/// An execution.
pub(crate) struct Device<'i> {
    image: &'i Image,
    pub(crate) machine: Machine<'i>,
    pub(crate) taint: Taint<'i>,
    /// What every checkpoint saves in addition.
    saved: Vec<Range<u32>>,
    /// What the next ones save, if that differs.
    pub(crate) planned: VecDeque<Vec<Range<u32>>>,
}

impl<'i> Device<'i> {
    pub(crate) fn new(image: &'i Image, saved: &[Range<u32>]) -> Self {
        Self {
            image,
            machine: Machine::new(image),
            taint: Taint::new(image),
            saved: saved.to_vec(),
            planned: VecDeque::new(),
        }
    }

    /// Runs until that time or until the program ends, and says whether it did.
    pub(crate) fn run(&mut self, until: u64) -> bool {
        loop {
            match self.machine.watch(&mut self.taint, until) {
                Stop::Paused => match self.taint.take_checkpoint() {
                    Some(_) => self.commit(),
                    None => return false,
                },
                Stop::Exited { .. } => return true,
                Stop::Faulted(fault) => panic!("{fault}"),
            }
        }
    }

    pub(crate) fn commit(&mut self) {
        let planned = self.planned.pop_front();
        let saved = planned.unwrap_or_else(|| self.saved.clone());
        self.machine.commit(&saved);
        self.taint.committed(&saved);
    }

    pub(crate) fn fail(&mut self) {
        self.machine.fail_power();
        self.taint.restarted();
    }

    /// The names of the globals that have tainted bytes.
    pub(crate) fn tainted(&self) -> Vec<&'i str> {
        let image = self.image;
        let globals = image.program().globals.iter();
        globals
            .filter(|&(global, _)| bytes(image, global).any(|byte| self.taint.is_tainted(byte)))
            .map(|(_, data)| data.name.as_str())
            .collect()
    }
}

/// What is tainted when an execution without power failures ends.
pub(crate) fn tainted(text: &str, inputs: &[i64]) -> Vec<String> {
    let image = image(text, inputs);
    let mut device = Device::new(&image, &[]);
    assert!(device.run(LONG), "it does not end");
    assert_eq!(device.taint.hits(), []);
    device.tainted().into_iter().map(str::to_owned).collect()
}

/// The globals that are read stale in executions with one power failure, wherever that is.
pub(crate) fn stale(text: &str, inputs: &[i64]) -> BTreeSet<String> {
    let image = image(text, inputs);
    let mut found = BTreeSet::new();
    for time in 1..LONG {
        let mut device = Device::new(&image, &[]);
        if device.run(time) {
            return found;
        }
        device.fail();
        assert!(device.run(LONG), "it does not end");
        for hit in device.taint.hits() {
            let Some(global) = hit.global else {
                panic!("{hit:?} is nowhere")
            };
            assert!(bytes(&image, global).contains(&hit.offset) && hit.count > 0);
            found.insert(image.program().globals[global].name.clone());
        }
    }
    panic!("it does not end")
}
