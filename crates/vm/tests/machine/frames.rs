//! Frames live in guest memory: return address and saved frame pointer can be
//! overwritten, by a stray store or by a later call after a power failure.
//!
//! From the frame pointer up: saved frame pointer, return address. Down: stack objects.

use brownout_ir::{Func, Id};
use brownout_vm::{Fault, Machine, Stop};

use crate::record::Recorder;
use crate::support::{LONG, Setup, global, image};

/// Functions bound to checkpoints pause the machine.
fn checkpointed(text: &str, checkpoint: usize, stack_nonvolatile: bool) -> Setup {
    let mut setup = Setup::new(text);
    setup.bindings.functions.insert(
        Func::from_index(checkpoint),
        brownout_vm::Binding::Checkpoint,
    );
    setup.plan.stack_nonvolatile = stack_nonvolatile;
    setup.plan.nonvolatile = setup.program.globals.ids().collect();
    setup
}

#[test]
fn an_overwritten_return_address_is_a_wild_return() {
    for pointer in [16u32, 32, 64] {
        let word = pointer / 8;
        let text = format!(
            "target \"t\" pointer {pointer}\nfunction fn0 \"main\" () {{\nb0:\n call fn1()\n return\n}}\n\
             function fn1 \"f\" () {{\n slot s0 size {word} align {word}\nb0:\n store i{pointer} 0x1234 to s0+{}\n return\n}}",
            2 * word
        );
        let image = image(&text);
        let mut machine = Machine::new(&image);
        assert_eq!(
            machine.advance(LONG),
            Stop::Faulted(Fault::WildReturn { found: 0x1234 })
        );
        let functions: Vec<Func> = machine.backtrace().iter().map(|(func, _)| *func).collect();
        assert_eq!(functions, [Id::from_index(1), Id::from_index(0)]);
    }
}

#[test]
fn an_overwritten_frame_pointer_moves_the_callers_locals() {
    // `f` takes two bytes off the frame pointer of `main`, whose variable then is
    // where the return address of `f` was.
    let text = "target \"t\" pointer 16\nglobal g0 \"seen\" size 2 align 2 = {}\nglobal g1 \"token\" size 2 align 2 = {}\n\
        function fn0 \"main\" () {\n slot s0 size 2 align 2\nb0:\n store i16 7 to s0\n call fn1()\n\
        v0 = load i16 s0\n store i16 v0 to g0\n return\n}\n\
        function fn1 \"f\" () {\n slot s0 size 2 align 2\nb0:\n v0 = service return_address(0)\n\
        v1 = ptrtoint ptr v0 to i16\n store i16 v1 to g1\n\
        v2 = load i16 s0+2\n v3 = sub i16 v2, 2\n store i16 v3 to s0+2\n return\n}";
    let image = image(text);
    let mut machine = Machine::new(&image);
    let stop = machine.advance(LONG);
    assert!(
        matches!(stop, Stop::Faulted(Fault::WildReturn { .. })),
        "{stop:?}"
    );
    assert_eq!(global(&machine, &image, 0), global(&machine, &image, 1));
    assert_ne!(global(&machine, &image, 0), [7, 0]);
}

#[test]
fn a_wild_frame_pointer_is_a_fault_at_the_next_local() {
    let text = "target \"t\" pointer 32\nfunction fn0 \"main\" () {\n slot s0 size 4 align 4\nb0:\n call fn1()\n\
        v0 = load i32 s0\n return\n}\nfunction fn1 \"f\" () {\n slot s0 size 4 align 4\nb0:\n store i32 0xfffffff0 to s0+4\n return\n}";
    let image = image(text);
    let stop = Machine::new(&image).advance(LONG);
    assert!(
        matches!(
            stop,
            Stop::Faulted(Fault::Unmapped {
                address: 0xffff_ffec,
                ..
            })
        ),
        "{stop:?}"
    );
}

/// `a` commits and returns; `b` reuses its frame; power fails: `a` returns to where `b` was called.
#[test]
fn a_reused_frame_in_nonvolatile_memory_returns_wildly() {
    let text = "target \"t\" pointer 16\nglobal g0 \"count\" size 2 align 2 = {}\n\
        function fn0 \"main\" () {\nb0:\n call fn1()\n call fn2()\n return\n}\n\
        function fn1 \"a\" () {\nb0:\n call fn3()\n return\n}\n\
        function fn2 \"b\" () {\nb0:\n v0 = load i16 g0\n v1 = add i16 v0, 1\n store i16 v1 to g0\n return\n}\n\
        function fn3 \"checkpoint\" ()";
    for nonvolatile in [true, false] {
        let setup = checkpointed(text, 3, nonvolatile);
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
        machine.commit(&[]);
        assert_eq!(machine.advance(LONG), Stop::Exited { status: 0 });
        machine.fail_power();
        let stop = machine.advance(LONG);
        if nonvolatile {
            assert!(
                matches!(stop, Stop::Faulted(Fault::WildReturn { .. })),
                "{stop:?}"
            );
            assert_eq!(global(&machine, &image, 0), [1, 0]);
            let functions: Vec<Func> = machine.backtrace().iter().map(|(func, _)| *func).collect();
            assert_eq!(functions, [Id::from_index(1), Id::from_index(0)]);
        } else {
            assert_eq!(stop, Stop::Exited { status: 0 });
            assert_eq!(global(&machine, &image, 0), [2, 0]);
        }
    }
}

/// The same call again: the return address is right, the local is the later call's.
#[test]
fn a_reused_frame_in_nonvolatile_memory_has_the_wrong_locals() {
    let text = "target \"t\" pointer 32\nglobal g0 \"seen\" size 8 align 4 = {}\n\
        function fn0 \"main\" () {\nb0:\n jump b1(0)\nb1(v0: i32):\n call fn1(i32 v0)\n v1 = add i32 v0, 1\n\
        v2 = icmp ult i32 v1, 2\n branch v2, b1(v1), b2\nb2:\n return\n}\n\
        function fn1 \"f\" (i32) {\n slot s0 size 4 align 4\nb0(v0: i32):\n v1 = add i32 v0, 40\n store i32 v1 to s0\n\
        v2 = icmp eq i32 v0, 0\n branch v2, b1, b2\nb1:\n call fn2()\n jump b2\nb2:\n v3 = load i32 s0\n\
        v4 = address g0, v0 * 4\n store i32 v3 to v4\n return\n}\nfunction fn2 \"checkpoint\" ()";
    for (nonvolatile, seen) in [(true, 41), (false, 40)] {
        let setup = checkpointed(text, 2, nonvolatile);
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
        machine.commit(&[]);
        for expected in [40, seen, seen] {
            assert_eq!(machine.advance(LONG), Stop::Exited { status: 0 });
            assert_eq!(
                global(&machine, &image, 0),
                [expected, 0, 0, 0, 41, 0, 0, 0]
            );
            machine.fail_power();
        }
    }
}
