//! Checkpoints and power failures against full copies: the reference keeps a
//! copy of everything at each commit and builds the state after a failure from
//! it, byte by byte.

use std::ops::Range;

use brownout_ir::{Id, Op, Service};
use brownout_scenario::ValueSource;
use brownout_vm::{Binding, Machine, SegmentKind, Stop};

use crate::generate::Choices;
use crate::record::{Event, Outside, Recorder, first_difference};
use crate::reference::Reference;
use crate::support::{LONG, Setup, for_programs, global, offset_of, same, same_bytes, same_memory};

const LIMIT: u64 = 1_500;

/// The machine and the reference at the same instruction.
struct Pair<'a> {
    machine: Machine<'a>,
    recorder: Recorder,
    reference: Reference<'a>,
    commit: Option<(Reference<'a>, Vec<Range<u32>>, u32)>,
}

impl Pair<'_> {
    fn run(&mut self, until: u64) -> Result<Stop, String> {
        let stop = self.machine.run(&mut self.recorder, until);
        self.reference.run(self.machine.now());
        if stop != Stop::Paused && self.reference.stop.is_none() {
            self.reference.step();
        }
        same(
            "end",
            &stop,
            self.reference.stop.as_ref().unwrap_or(&Stop::Paused),
        )?;
        self.check()?;
        Ok(stop)
    }

    fn check(&self) -> Result<(), String> {
        same("time", self.machine.now(), self.reference.time)?;
        first_difference(&self.recorder.events, &self.reference.events).map_or(Ok(()), Err)?;
        same_memory(&self.machine, &self.reference)
    }

    fn commit(&mut self, saved: Vec<Range<u32>>) {
        self.machine.commit(&saved);
        self.commit = Some((self.reference.clone(), saved, self.machine.pc()));
    }

    fn fail(&mut self) -> Result<(), String> {
        let before = self.machine.now();
        self.machine.fail_power();
        same("time after the failure", self.machine.now(), before)?;
        match &self.commit {
            Some((commit, saved, pc)) => {
                self.reference.restore(commit, saved);
                same("place after the failure", self.machine.pc(), *pc)?;
            }
            None => self.reference.reboot(),
        }
        self.check()
            .map_err(|reason| format!("after the failure: {reason}"))
    }
}

fn life(setup: &Setup, extra: &mut Choices) -> Result<(), String> {
    let image = setup.image();
    let mut machine = Machine::new(&image);
    machine.keep_journal(extra.chance(2));
    let recorder = Recorder {
        pausing: true,
        ..Recorder::default()
    };
    let mut pair = Pair {
        machine,
        recorder,
        reference: setup.reference(&image),
        commit: None,
    };
    let size = pair.machine.memory().len() as u64;
    for _ in 0..10 {
        let until = pair.machine.now() + extra.below(150);
        match extra.below(6) {
            0..3 => _ = pair.run(until)?,
            3 => {
                let ranges = (0..extra.below(3)).map(|_| {
                    let start = extra.below(size - 1) as u32;
                    start..(start + extra.below(40) as u32).min(size as u32)
                });
                let ranges = ranges.collect();
                // A device that stopped does not commit.
                if pair.reference.stop.is_none() {
                    pair.commit(ranges);
                }
            }
            _ => pair.fail()?,
        }
    }
    let until = pair.machine.now() + LIMIT;
    while pair.machine.now() < until && pair.run(until)? == Stop::Paused {}
    Ok(())
}

#[test]
fn failures_are_what_full_copies_say() {
    for_programs(1_500, 7, life);
}

/// Fails over and over in the same region: the hundredth time like the first.
#[test]
fn repeated_failures_cost_the_same() {
    let text = "target \"t\" pointer 32\n\
        global g0 \"volatile\" size 64 align 4 = {}\n\
        function fn0 \"main\" () {\nb0:\n jump b1(0)\nb1(v0: i32):\n v1 = and i32 v0, 15\n\
        v2 = address g0, v1 * 4\n v3 = load i32 v2\n v4 = add i32 v3, 1\n store i32 v4 to v2\n\
        v5 = add i32 v0, 1\n v6 = icmp ne i32 v5, 0\n branch v6, b1(v5), b2\nb2:\n return\n}";
    let setup = Setup::new(text);
    let image = setup.image();
    let mut machine = Machine::new(&image);
    machine.advance(100);
    machine.commit(&[]);
    let committed = machine.memory().to_vec();
    let start = std::time::Instant::now();
    let mut after = None;
    for _ in 0..2_000 {
        let until = machine.now() + 200;
        machine.advance(until);
        let now = machine.memory().to_vec();
        assert_eq!(&now, after.get_or_insert(now.clone()));
        machine.fail_power();
        assert!(machine.memory() == committed.as_slice());
    }
    assert!(start.elapsed().as_secs() < 5, "{:?}", start.elapsed());
}

/// Every subset of {globals, stack, heap} non-volatile, before any commit.
#[test]
fn a_reboot_keeps_exactly_what_is_nonvolatile() {
    let text = "target \"t\" pointer 16\n\
        global g0 \"x\" size 2 align 2 = { hex 0500 }\n\
        global g1 \"y\" size 2 align 2 = { hex 0700 }\n\
        function fn0 \"main\" () -> i16 {\n slot s0 size 2 align 2\nb0:\n\
        v0 = load i16 g0\n v1 = add i16 v0, 1\n store i16 v1 to g0\n\
        v2 = load i16 g1\n v3 = add i16 v2, 1\n store i16 v3 to g1\n\
        v4 = load i16 s0\n v5 = add i16 v4, 1\n store i16 v5 to s0\n\
        v6 = service heap_start()\n service heap_allocated(v6, 2)\n\
        v7 = load i16 v6\n v8 = add i16 v7, 1\n store i16 v8 to v6\n\
        v9 = mul i16 v5, 100\n v10 = add i16 v9, v8\n return v10\n}";
    for subset in 0..16u32 {
        let mut setup = Setup::new(text);
        let keeps = |bit: u32| subset >> bit & 1 != 0;
        setup.plan.nonvolatile = (0..2)
            .filter(|&index| keeps(index))
            .map(|index| Id::from_index(index as usize))
            .collect();
        setup.plan.stack_nonvolatile = keeps(2);
        setup.plan.heap_nonvolatile = keeps(3);
        let image = setup.image();
        let mut machine = Machine::new(&image);
        for round in 1..4u16 {
            let Stop::Exited { status } = machine.advance(LONG) else {
                panic!("{subset}")
            };
            let times = |bit: u32| if keeps(bit) { round } else { 1 };
            assert_eq!(
                global(&machine, &image, 0),
                (5 + times(0)).to_le_bytes(),
                "{subset}"
            );
            assert_eq!(
                global(&machine, &image, 1),
                (7 + times(1)).to_le_bytes(),
                "{subset}"
            );
            assert_eq!(status, i32::from(times(2) * 100 + times(3)), "{subset}");
            machine.fail_power();
            for segment in image
                .layout()
                .segments()
                .iter()
                .filter(|segment| !segment.nonvolatile)
            {
                let fresh = Machine::new(&image);
                let range = segment.offsets.start as usize..segment.offsets.end as usize;
                assert!(
                    machine.memory()[range.clone()] == fresh.memory()[range],
                    "{subset} {:?}",
                    segment.kind
                );
            }
        }
    }
}

/// Time and inputs go on after a failure, and come back with a roll-back.
#[test]
fn the_environment_is_not_rolled_back_by_a_failure_but_by_a_rollback() {
    let mut setup = Setup::new(
        "target \"t\" pointer 16\nfunction fn0 \"main\" () -> i16 {\nb0:\n\
         call fn2()\n v0 = call fn1() -> i16\n v1 = call fn1() -> i16\n v2 = add i16 v0, v1\n return v2\n}\n\
         function fn1 \"read\" () -> i16\nfunction fn2 \"checkpoint\" ()",
    );
    setup
        .bindings
        .functions
        .insert(Id::from_index(1), Binding::Input(0));
    setup
        .bindings
        .functions
        .insert(Id::from_index(2), Binding::Checkpoint);
    setup.bindings.inputs = vec![ValueSource::Cycle(vec![1, 10, 100, 1_000, 10_000, 7])];
    let image = setup.image();
    let mut machine = Machine::new(&image);
    assert_eq!(
        machine.watch(
            &mut Recorder {
                pausing: true,
                ..Recorder::default()
            },
            LONG
        ),
        Stop::Paused
    );
    assert_eq!(machine.now(), 2);
    machine.commit(&[]);
    let mark = machine.mark();
    let finish = |machine: &mut Machine<'_>, status: i32, from: u64| {
        assert_eq!(machine.now(), from);
        let mut outside = Outside::default();
        assert_eq!(machine.watch(&mut outside, LONG), Stop::Exited { status });
        let times: Vec<u64> = outside
            .events
            .iter()
            .map(|event| match event {
                Event::Input { time, .. } => *time,
                other => panic!("{other:?}"),
            })
            .collect();
        assert_eq!(times, [from + 1, from + 2]);
        assert_eq!(machine.now(), from + 4);
    };
    finish(&mut machine, 11, 2);
    machine.fail_power();
    finish(&mut machine, 1_100, 6);
    machine.fail_power();
    finish(&mut machine, 10_007, 10);
    machine.rollback(&mark);
    finish(&mut machine, 11, 2);
    machine.rollback(&mark);
    // A failure right at the commit changes nothing.
    machine.fail_power();
    finish(&mut machine, 11, 2);
}

/// Blocks of a volatile heap are gone after a failure; those of a non-volatile one pile up.
#[test]
fn heap_in_use_after_failures() {
    let text = "target \"t\" pointer 16\nfunction fn0 \"main\" () {\nb0:\n v0 = service heap_start()\n\
        service heap_allocated(v0, 10)\n v1 = address v0, 0 * 1 + 10\n call fn1()\n service heap_allocated(v1, 5)\n return\n}\n\
        function fn1 \"checkpoint\" ()";
    for (nonvolatile, rebooted, restored) in [(false, 15, 15), (true, 30, 35)] {
        let mut setup = Setup::new(text);
        setup.plan.heap_nonvolatile = nonvolatile;
        setup
            .bindings
            .functions
            .insert(Id::from_index(1), Binding::Checkpoint);
        let image = setup.image();
        let mut machine = Machine::new(&image);
        machine.advance(LONG);
        assert_eq!(machine.memory_use().1, 15);
        machine.fail_power();
        assert_eq!(
            machine.watch(
                &mut Recorder {
                    pausing: true,
                    ..Recorder::default()
                },
                LONG
            ),
            Stop::Paused
        );
        machine.commit(&[]);
        machine.advance(LONG);
        assert_eq!(machine.memory_use().1, rebooted);
        machine.fail_power();
        machine.advance(LONG);
        assert_eq!(machine.memory_use().1, restored);
    }
}

/// Ranges saved with the checkpoint come back, the rest of the NVM stays.
#[test]
fn saved_ranges_are_restored() {
    let mut setup = Setup::new(
        "target \"t\" pointer 16\n\
         global g0 \"a\" size 4 align 2 = { hex 01020304 }\n\
         global g1 \"list\" size 12 align 2 = { hex 0000 02000000 at 0 = g0+1 bytes 2 }\n\
         function fn0 \"main\" () {\nb0:\n service checkpoint_with(g1, 1)\n store i32 0xffffffff to g0\n return\n}",
    );
    setup.plan.nonvolatile = vec![Id::from_index(0)];
    let image = setup.image();
    let mut machine = Machine::new(&image);
    let mut recorder = Recorder {
        pausing: true,
        ..Recorder::default()
    };
    assert_eq!(machine.watch(&mut recorder, LONG), Stop::Paused);
    let Some(Event::Checkpoint { saves, .. }) = recorder.events.last() else {
        panic!("{:?}", recorder.events)
    };
    let offset = offset_of(&image, image.layout().global(Id::from_index(0)));
    assert_eq!(saves, &[(offset + 1, 2)]);
    let ranges: Vec<Range<u32>> = saves
        .iter()
        .map(|&(start, size)| start..start + size)
        .collect();
    machine.commit(&ranges);
    for _ in 0..3 {
        assert_eq!(machine.advance(LONG), Stop::Exited { status: 0 });
        assert_eq!(global(&machine, &image, 0), [0xff; 4]);
        machine.fail_power();
        assert_eq!(global(&machine, &image, 0), [0xff, 2, 3, 0xff]);
    }
    let kinds: Vec<SegmentKind> = image
        .layout()
        .segments()
        .iter()
        .map(|segment| segment.kind)
        .collect();
    assert!(kinds.is_sorted(), "{kinds:?}");
}

/// A program that begins as a boot finds it goes on as that boot does.
fn begun_as_a_boot(setup: &Setup, extra: &mut Choices) -> Result<(), String> {
    // What the time is, is another thing.
    let functions = setup.program.functions.values();
    let blocks = functions
        .flat_map(|function| &function.body)
        .flat_map(|body| body.blocks.values());
    let mut insts = blocks.flat_map(|block| &block.insts);
    let is_clock = |op: &Op| {
        matches!(
            op,
            Op::Service {
                service: Service::Clock,
                ..
            }
        )
    };
    if insts.any(|inst| is_clock(&inst.op)) {
        return Ok(());
    }
    let image = setup.image();
    let mut whole = Machine::new(&image);
    whole.advance(2_000);
    let mut machine = Machine::new(&image);
    machine.advance(extra.below(whole.now() + 1));
    // Nothing has committed: power comes back, and the program starts again.
    machine.forget();
    let later = image.booted_after(&machine);
    machine.fail_power();
    let mut begun = Machine::new(&later);
    same_bytes(begun.memory(), machine.memory(), |_| false)?;
    same("environment", begun.environment(), machine.environment())?;
    let start = machine.now();
    for step in [1, 10, 100, 1_000] {
        let stop = machine.advance(start + step);
        same("stop", begun.advance(step), stop.clone())?;
        same("time", begun.now(), machine.now() - start)?;
        same_bytes(begun.memory(), machine.memory(), |_| false)?;
        if stop != Stop::Paused {
            break;
        }
    }
    Ok(())
}

#[test]
fn a_program_can_begin_as_a_boot_finds_it() {
    for_programs(1_000, 23, begun_as_a_boot);
}
