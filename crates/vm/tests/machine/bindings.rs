//! The environment: bound functions, device registers, fixed addresses; and
//! calls whose two sides disagree about the arguments.

use brownout_ir::{Func, Global, Id};
use brownout_scenario::ValueSource;
use brownout_vm::{
    Binding, DeviceRegister, Fault, Machine, Moment, Observer, RegisterPlace, SegmentKind, Stop,
};

use crate::record::{Event, Outside, Recorder};
use crate::support::{LONG, Setup, run};

/// All bits of a register.
fn whole(global: Global, number: u32) -> DeviceRegister {
    DeviceRegister {
        place: RegisterPlace::Global(global),
        number,
        mask: u64::MAX,
    }
}

fn outputs(setup: &Setup) -> (Stop, Vec<(u32, Vec<u64>)>) {
    let image = setup.image();
    let mut outside = Outside::default();
    let stop = Machine::new(&image).watch(&mut outside, LONG);
    let outputs = outside.events.into_iter().filter_map(|event| match event {
        Event::Output { index, args, .. } => Some((index, args)),
        _ => None,
    });
    (stop, outputs.collect())
}

/// Each input has its own order, cut to the width of the result, direct or through a pointer.
#[test]
fn inputs_come_in_order() {
    for call in ["call fn1()", "call_indirect fn1()"] {
        let mut setup = Setup::new(&format!(
            "target \"t\" pointer 16\nfunction fn0 \"main\" () -> i16 {{\nb0:\n v0 = {call} -> i16\n v1 = call fn2() -> i8\n\
             v2 = {call} -> i16\n v3 = call fn2() -> i8\n v4 = {call} -> i16\n\
             call fn3(i16 v0, i8 v1, i16 v2, i8 v3, i16 v4)\n return v4\n}}\n\
             function fn1 \"a\" () -> i16\nfunction fn2 \"b\" () -> i8\nfunction fn3 \"out\" (i16, i8, i16, i8, i16)"
        ));
        setup
            .bindings
            .functions
            .insert(Func::from_index(1), Binding::Input(1));
        setup
            .bindings
            .functions
            .insert(Func::from_index(2), Binding::Input(0));
        setup
            .bindings
            .functions
            .insert(Func::from_index(3), Binding::Output(4));
        setup.bindings.inputs = vec![
            ValueSource::Cycle(vec![-1, 258]),
            ValueSource::Cycle(vec![70_000, 2]),
        ];
        let (stop, outputs) = outputs(&setup);
        assert_eq!(
            stop,
            Stop::Exited {
                status: 70_000 - 65_536
            }
        );
        assert_eq!(outputs, [(4, vec![4464, 0xff, 2, 2, 4464])]);
    }
}

/// An observer that decides what inputs give, except every third time.
#[derive(Default)]
struct Deciding {
    asked: u64,
    given: Vec<u64>,
}

impl Observer for Deciding {
    fn answer(&mut self, _: Moment, index: u32, bits: u32) -> Option<u64> {
        self.asked += 1;
        let value = 0x1_0000 + 100 * u64::from(index) + u64::from(bits) + self.asked;
        (!self.asked.is_multiple_of(3)).then_some(value)
    }

    fn input(&mut self, _: Moment, _: u32, value: u64) {
        self.given.push(value);
    }
}

/// An observer can decide what functions and registers give; its values are cut to the width of
/// the reading and count as readings.
#[test]
fn observers_can_answer_inputs() {
    for call in ["call fn1()", "call_indirect fn1()"] {
        let mut setup = Setup::new(&format!(
            "target \"t\" pointer 16\nglobal g0 \"P1IN\" size 1 align 1\n\
             function fn0 \"main\" () -> i16 {{\nb0:\n v0 = {call} -> i16\n v1 = load volatile i8 g0\n\
             v2 = {call} -> i16\n v3 = {call} -> i16\n return v3\n}}\n\
             function fn1 \"a\" () -> i16"
        ));
        let input = Binding::Input(1);
        setup.bindings.functions.insert(Func::from_index(1), input);
        setup.bindings.inputs = vec![
            ValueSource::Constant(0),
            ValueSource::Cycle(vec![5, 6, 7, 8]),
        ];
        setup
            .bindings
            .input_registers
            .push(whole(Global::from_index(0), 0));
        let image = setup.image();
        for watched in [false, true] {
            let mut deciding = Deciding::default();
            let mut machine = Machine::new(&image);
            let stop = match watched {
                false => machine.run(&mut deciding, LONG),
                true => machine.watch(&mut deciding, LONG),
            };
            // The third reading is the scenario's: its list stands at the second value by then.
            assert_eq!(deciding.given, [117, 10, 6, 120], "{call} {watched}");
            assert_eq!(stop, Stop::Exited { status: 120 });
        }
    }
}

/// Outputs see one number per argument, also for wide ones, also through pointers.
#[test]
fn outputs_see_their_arguments() {
    for call in ["call fn1", "call_indirect fn1"] {
        let mut setup = Setup::new(&format!(
            "target \"t\" pointer 32\nfunction fn0 \"main\" () -> i32 {{\nb0:\n\
             v0, v1 = {call}(i128 0x20000000000000005, i8 7, f80 9, ptr 0x44) -> i32, i64\n\
             v2 = trunc i64 v1 to i32\n v3 = add i32 v0, v2\n return v3\n}}\n\
             function fn1 \"out\" (i128, i8, f80, ptr) -> i32, i64"
        ));
        setup
            .bindings
            .functions
            .insert(Func::from_index(1), Binding::Output(0));
        // Whatever it is declared to give, an output gives zero.
        assert_eq!(
            outputs(&setup),
            (Stop::Exited { status: 0 }, vec![(0, vec![5, 7, 9, 0x44])]),
            "{call}"
        );
    }
}

/// The scenario takes over functions that have a body as well.
#[test]
fn bound_functions_are_not_executed() {
    for call in ["call fn1()", "call_indirect fn1()"] {
        let mut setup = Setup::new(&format!(
            "target \"t\" pointer 16\nfunction fn0 \"main\" () -> i16 {{\nb0:\n v0 = {call} -> i16\n return v0\n}}\n\
             function fn1 \"sense\" () -> i16 {{\nb0:\n unreachable\n}}"
        ));
        for (binding, status) in [
            (Binding::Ignore, 0),
            (Binding::Input(0), 9),
            (Binding::Checkpoint, 0),
        ] {
            setup
                .bindings
                .functions
                .insert(Func::from_index(1), binding);
            setup.bindings.inputs = vec![ValueSource::Constant(9)];
            assert_eq!(outputs(&setup).0, Stop::Exited { status });
        }
    }
}

#[test]
fn device_registers() {
    let mut setup = Setup::new(
        "target \"t\" pointer 16\nglobal g0 \"P1IN\" size 1 align 1\nglobal g1 \"P1OUT\" size 2 align 1\nglobal g2 \"OTHER\" size 1 align 1\n\
         function fn0 \"main\" () -> i16 {\nb0:\n v0 = load volatile i8 g0\n v1 = load volatile i8 g0\n\
         store volatile i8 v1 to g1\n store volatile i16 0x1234 to g1\n store volatile i8 5 to g1+1\n\
         store i8 9 to g2\n v2 = load i8 g2\n copy g1 from g0 length 1\n v3 = load i8 g1\n\
         v4 = zext i8 v3 to i16\n v5 = zext i8 v0 to i16\n v6 = mul i16 v4, 100\n v7 = add i16 v6, v5\n return v7\n}",
    );
    setup.bindings.inputs = vec![ValueSource::Cycle(vec![1, 2, 3])];
    setup
        .bindings
        .input_registers
        .push(whole(Global::from_index(0), 0));
    setup
        .bindings
        .output_registers
        .push(whole(Global::from_index(1), 6));
    let expected = [0x02, 0x1234, 5, 3].map(|value| (6, vec![value]));
    assert_eq!(
        outputs(&setup),
        (Stop::Exited { status: 301 }, expected.to_vec())
    );
}

/// Pages exist at the fixed addresses that a program names, and only there.
#[test]
fn fixed_addresses() {
    let gives = |body: &str, status: i32| {
        let last = if body.contains("v0") { "v1" } else { "v0" };
        let body = format!("{}\n return {last}", body.replace("RESULT", last));
        // Everything else ends at 0x2110.
        let text = format!(
            "target \"t\" pointer 16\nglobal g0 \"x\" size 16 align 16 = {{}}\n\
             function fn0 \"main\" () -> i16 {{\nb0:\n {body}\n}}"
        );
        assert_eq!(run(&text), Stop::Exited { status }, "{body}");
    };
    gives("store i16 7 to 0x200\n RESULT = load i16 0x200", 7);
    gives(
        "store i8 7 to 0x200\n v0 = address 0x200, 3 * 1\n store i8 1 to v0\n RESULT = load i16 0x200",
        7,
    );
    gives(
        "fill 0x1f0 with 1 length 8\n RESULT = load i16 0x1f6",
        0x101,
    );
    // A wide access reaches over the end of its page.
    gives(
        "store i64 0x0102030405060708 to 0x2fc\n RESULT = load i16 0x2fc",
        0x0708,
    );
    gives("store i32 5 to 0xfffc\n RESULT = load i16 0xfffc", 5);
    // Right behind everything else, in the same page as its end.
    gives("store i16 5 to 0x2118\n RESULT = load i16 0x2118", 5);
    let text = "target \"t\" pointer 16\nfunction fn0 \"main\" () {\nb0:\n store i16 7 to 0x200\n\
        v0 = inttoptr i16 0x300 to ptr\n v1 = load i8 v0\n return\n}";
    assert!(matches!(
        run(text),
        Stop::Faulted(Fault::Unmapped { address: 0x300, .. })
    ));
    // They are volatile.
    let setup = Setup::new(
        "target \"t\" pointer 32\nfunction fn0 \"main\" () {\nb0:\n store i16 7 to 0x40000200\n return\n}",
    );
    let image = setup.image();
    let windows: Vec<_> = image
        .layout()
        .segments()
        .iter()
        .filter(|segment| segment.kind == SegmentKind::Window)
        .collect();
    assert_eq!(windows.len(), 1);
    assert_eq!(windows[0].address, 0x4000_0000);
    assert!(!windows[0].nonvolatile);
    let at = (windows[0].offsets.start + 0x200) as usize;
    let mut machine = Machine::new(&image);
    machine.advance(LONG);
    assert_eq!(machine.memory()[at], 7);
    assert_eq!(image.layout().address(at as u32), 0x4000_0200);
    machine.fail_power();
    assert_eq!(machine.memory()[at], 0);
}

/// Calls through pointers with other arguments than the callee has: missing ones
/// are zero, those too many are dropped, wide ones lose what does not fit.
#[test]
fn calls_that_do_not_match() {
    let gives = |call: &str, callee: &str, status: i32| {
        let text = format!(
            "target \"t\" pointer 32\nfunction fn0 \"main\" () -> i32 {{\nb0:\n v0 = {call}\n return v0\n}}\nfunction fn1 \"f\" {callee}"
        );
        assert_eq!(run(&text), Stop::Exited { status }, "{text}");
    };
    let sum = "(i32, i32, i32) -> i32 {\nb0(v0: i32, v1: i32, v2: i32):\n v3 = mul i32 v0, 100\n v4 = mul i32 v1, 10\n\
               v5 = add i32 v3, v4\n v6 = add i32 v5, v2\n return v6\n}";
    gives("call_indirect fn1(i32 1, i32 2, i32 3) -> i32", sum, 123);
    gives("call_indirect fn1(i32 1, i32 2) -> i32", sum, 120);
    gives("call_indirect fn1() -> i32", sum, 0);
    gives(
        "call_indirect fn1(i32 1, i32 2, i32 3, i32 4, i32 5) -> i32",
        sum,
        123,
    );
    gives(
        "call_indirect fn1(i64 0x500000001, i64 0xf00000002, i64 3) -> i32",
        sum,
        123,
    );
    // Values must be clean: these operators look at the upper bits.
    let zeros = "(i16) -> i32 {\nb0(v0: i16):\n v1 = clz i16 v0\n v2 = udiv i16 v0, 2\n v3 = add i16 v1, v2\n v4 = zext i16 v3 to i32\n return v4\n}";
    gives(
        "call_indirect fn1(i64 0xffffffff00000004) -> i32",
        zeros,
        15,
    );
    // Results, too.
    let wide = "() -> i64 {\nb0:\n return 0xffffffff00000008\n}";
    let text = format!(
        "target \"t\" pointer 32\nfunction fn0 \"main\" () -> i32 {{\nb0:\n v0 = call_indirect fn1() -> i8\n v1 = clz i8 v0\n\
         v2 = udiv i8 v0, 2\n v3 = add i8 v1, v2\n v4 = zext i8 v3 to i32\n return v4\n}}\nfunction fn1 \"f\" {wide}"
    );
    assert_eq!(run(&text), Stop::Exited { status: 8 });
}

/// Arguments that nobody passed are zero, not what an earlier call left there.
#[test]
fn missing_arguments_are_zero_every_time() {
    let many: Vec<String> = (0..100).map(|index| format!("v{index}: i32")).collect();
    let types = vec!["i32"; 100].join(", ");
    let full: Vec<String> = (0..100).map(|index| format!("i32 {}", index + 1)).collect();
    let text = format!(
        "target \"t\" pointer 32\nfunction fn0 \"main\" () -> i32 {{\nb0:\n v0 = call fn1({}) -> i32\n\
         v1 = call_indirect fn1(i32 1) -> i32\n v2 = add i32 v0, v1\n return v2\n}}\n\
         function fn1 \"last\" ({types}) -> i32 {{\nb0({}):\n v100 = add i32 v99, v98\n return v100\n}}",
        full.join(", "),
        many.join(", ")
    );
    assert_eq!(run(&text), Stop::Exited { status: 199 });
}

/// A checkpoint pauses right after its call, also through a pointer.
#[test]
fn checkpoints_pause() {
    for call in ["call fn1()", "call_indirect fn1()"] {
        let mut setup = Setup::new(&format!(
            "target \"t\" pointer 16\nfunction fn0 \"main\" () -> i16 {{\nb0:\n {call}\n {call}\n return 3\n}}\nfunction fn1 \"checkpoint\" ()"
        ));
        setup
            .bindings
            .functions
            .insert(Func::from_index(1), Binding::Checkpoint);
        let image = setup.image();
        let mut machine = Machine::new(&image);
        let mut recorder = Recorder {
            pausing: true,
            ..Recorder::default()
        };
        for now in [2, 3] {
            assert_eq!(machine.watch(&mut recorder, LONG), Stop::Paused);
            assert_eq!(machine.now(), now);
            let last = Event::Checkpoint {
                time: now,
                saves: vec![],
            };
            assert_eq!(recorder.events.last(), Some(&last));
        }
        assert_eq!(
            machine.watch(&mut recorder, LONG),
            Stop::Exited { status: 3 }
        );
    }
}
