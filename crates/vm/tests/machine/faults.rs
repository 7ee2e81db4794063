//! Every way to die, reached by the smallest program that does, with the right
//! backtrace; and machines that do not panic whatever the guest does.

use brownout_ir::{Func, Id};
use brownout_vm::{Access, Assertion, Bounds, Fault, Image, Machine, SegmentKind, Stop};

use crate::support::{LONG, Setup, image, run};

/// A program whose `culprit` (fn1), called by `main`, has that body.
fn program(globals: &str, culprit: &str, rest: &str) -> String {
    format!(
        "target \"t\" pointer 16\nfile f0 = \"t.c\"\nplace p0 = f0:3:1 \"main\"\nplace p1 = f0:9:1 \"culprit\"\n{globals}\n\
         function fn0 \"main\" () {{\nb0:\n call fn1() @p0\n return\n}}\n\
         function fn1 \"culprit\" () {{\n{culprit}\n}}\n{rest}"
    )
}

fn address_of(image: &Image, kind: SegmentKind) -> u64 {
    image
        .layout()
        .segments()
        .iter()
        .find(|segment| segment.kind == kind)
        .unwrap()
        .address
}

/// Checks fault and backtrace, that the fault is final, and that a power failure ends it.
fn dies(globals: &str, culprit: &str, expected: impl Fn(&Image) -> Fault) {
    let text = program(globals, culprit, "");
    let image = image(&text);
    let expected = Stop::Faulted(expected(&image));
    let mut machine = Machine::new(&image);
    assert_eq!(machine.advance(LONG), expected, "{text}");
    let functions: Vec<Func> = machine.backtrace().iter().map(|(func, _)| *func).collect();
    assert_eq!(functions, [Id::from_index(1), Id::from_index(0)], "{text}");
    let lines: Vec<Option<u32>> = machine
        .backtrace()
        .iter()
        .map(|(_, pc)| {
            image
                .place(*pc)
                .map(|place| image.program().source.places[place].line)
        })
        .collect();
    assert_eq!(lines, [Some(9), Some(3)], "{text}");
    let now = machine.now();
    assert_eq!(machine.advance(LONG), expected, "{text}");
    assert_eq!(machine.step(), expected, "{text}");
    assert_eq!(machine.now(), now, "{text}");
    machine.fail_power();
    assert_eq!(machine.now(), now, "{text}");
    assert_eq!(machine.advance(LONG), expected, "{text}");
}

#[test]
fn null_pointers() {
    dies("", "b0:\n v0 = load i16 0 @p1\n return", |_| {
        Fault::NullAccess {
            address: 0,
            size: 2,
            access: Access::Read,
        }
    });
    dies("", "b0:\n store i32 1 to 4 @p1\n return", |_| {
        Fault::NullAccess {
            address: 4,
            size: 4,
            access: Access::Write,
        }
    });
    dies("", "b0:\n v0 = load f80 15 @p1\n return", |_| {
        Fault::NullAccess {
            address: 15,
            size: 10,
            access: Access::Read,
        }
    });
    // A fixed address in the same page does not make null pointers good.
    dies(
        "",
        "b0:\n v0 = load i16 0x20\n v1 = load i16 0 @p1\n return",
        |_| Fault::NullAccess {
            address: 0,
            size: 2,
            access: Access::Read,
        },
    );
}

#[test]
fn unmapped_addresses() {
    let unmapped = |address, size, access| {
        move |_: &Image| Fault::Unmapped {
            address,
            size,
            access,
        }
    };
    dies(
        "",
        "b0:\n v0 = inttoptr i16 0xf000 to ptr\n v1 = load i8 v0 @p1\n return",
        unmapped(0xf000, 1, Access::Read),
    );
    dies(
        "",
        "b0:\n v0 = inttoptr i16 0xffff to ptr\n store i128 0 to v0 @p1\n return",
        unmapped(0xffff, 16, Access::Write),
    );
    dies(
        "",
        "b0:\n v0 = inttoptr i16 0x1bff to ptr\n v1 = load i16 v0 @p1\n return",
        unmapped(0x1bff, 2, Access::Read),
    );
    let global = "global g0 \"x\" size 16 align 16 = {}";
    dies(
        global,
        "b0:\n copy g0 from g0 length 0xffff @p1\n return",
        unmapped(0x1c00, 0xffff, Access::Read),
    );
    dies(
        global,
        "b0:\n fill g0 with 1 length 0xffff @p1\n return",
        unmapped(0x1c00, 0xffff, Access::Write),
    );
    dies(
        global,
        "b0:\n v0 = inttoptr i16 0xe000 to ptr\n copy v0 from g0 length 2 @p1\n return",
        unmapped(0xe000, 2, Access::Write),
    );
    dies(
        global,
        "b0:\n v0 = inttoptr i16 0xe000 to ptr\n service write(1, v0, 3) @p1\n return",
        unmapped(0xe000, 3, Access::Read),
    );
    dies(
        "",
        "b0:\n v0 = service heap_start()\n service heap_allocated(v0, 0xffff) @p1\n return",
        |image| Fault::Unmapped {
            address: address_of(image, SegmentKind::Heap),
            size: 0xffff,
            access: Access::Write,
        },
    );
}

/// No access runs over the end of the stack, of the heap or of the registers.
#[test]
fn over_the_end_of_a_segment() {
    let register = "global g0 \"x\" size 16 align 16";
    for kind in [
        SegmentKind::Stack,
        SegmentKind::Heap,
        SegmentKind::Registers,
    ] {
        for (bits, size) in [(16, 2), (32, 4), (64, 8), (128, 16)] {
            for inside in 1..size {
                for (access, form) in [
                    (Access::Read, format!("v1 = load i{bits} v0")),
                    (Access::Write, format!("store i{bits} 1 to v0")),
                ] {
                    let body = |address: u64| {
                        format!("b0:\n v0 = inttoptr i16 {address} to ptr\n {form} @p1\n return")
                    };
                    let layout = image(&program(register, &body(0x1c00), ""));
                    let segments = layout.layout().segments();
                    let segment = segments.iter().find(|s| s.kind == kind).unwrap();
                    let end = segment.address + segment.offsets.len() as u64;
                    let text = program(register, &body(end - inside), "");
                    let image = image(&text);
                    let mut machine = Machine::new(&image);
                    machine.set_bounds(Bounds::Lenient);
                    let fault = Fault::Unmapped {
                        address: end - inside,
                        size: size as u32,
                        access,
                    };
                    let stop = machine.advance(LONG);
                    assert_eq!(stop, Stop::Faulted(fault), "{kind:?} {text}");
                    assert_eq!(machine.backtrace().len(), 2);
                }
            }
        }
    }
    // Up to the very end everything is good.
    for (bits, size) in [(8, 1), (16, 2), (32, 4), (64, 8), (128, 16)] {
        let body = format!(
            "b0:\n v0 = inttoptr i16 {} to ptr\n v1 = load i{bits} v0\n store i{bits} v1 to v0\n return",
            0x1c00 + 0x400 - size
        );
        let image = image(&program("", &body, ""));
        let segments = image.layout().segments();
        let stack = segments
            .iter()
            .find(|s| s.kind == SegmentKind::Stack)
            .unwrap();
        assert_eq!(
            stack.address..stack.address + stack.offsets.len() as u64,
            0x1c00..0x2000
        );
        assert_eq!(
            Machine::new(&image).advance(LONG),
            Stop::Exited { status: 0 },
            "{bits}"
        );
    }
}

/// Nothing is copied, so nothing is touched.
#[test]
fn empty_copies_are_harmless() {
    let text = program(
        "",
        "b0:\n copy 0 from 0 length 0\n fill 0 with 1 length 0\n service write(1, 0, 0)\n return",
        "",
    );
    assert_eq!(run(&text), Stop::Exited { status: 0 });
}

#[test]
fn heap_bounds() {
    let outside = |by: u64, size, access| {
        move |image: &Image| Fault::OutsideBlock {
            address: address_of(image, SegmentKind::Heap) + by,
            size,
            access,
        }
    };
    let block = "b0:\n v0 = service heap_start()\n v1 = address v0, 0 * 1 + 4\n service heap_allocated(v1, 6)\n";
    let cases = [
        ("v2 = load i16 v0", 0, 2, Access::Read),
        ("store i8 1 to v0", 0, 1, Access::Write),
        ("v2 = load i64 v1", 4, 8, Access::Read),
        ("v2 = load i128 v1", 4, 16, Access::Read),
        ("fill v1 with 0 length 7", 4, 7, Access::Write),
        ("copy v1 from v0 length 2", 0, 2, Access::Read),
    ];
    for (access, by, size, kind) in cases {
        let body = format!("{block} {access} @p1\n return");
        dies("", &body, outside(by, size, kind));
        // Hardware does not know blocks.
        let image = image(&program("", &body, ""));
        let mut machine = Machine::new(&image);
        machine.set_bounds(Bounds::Lenient);
        assert_eq!(
            machine.advance(LONG),
            Stop::Exited { status: 0 },
            "{access}"
        );
    }
    for good in [
        "v2 = load i32 v1",
        "fill v1 with 0 length 6",
        "v2 = load i48 v1",
    ] {
        assert_eq!(
            run(&program("", &format!("{block} {good}\n return"), "")),
            Stop::Exited { status: 0 },
            "{good}"
        );
    }
    let freed = format!("{block} service heap_freed(v1)\n v2 = load i8 v1 @p1\n return");
    dies("", &freed, outside(4, 1, Access::Read));
}

/// Freeing what was freed before is told apart from freeing what never was a block.
#[test]
fn frees_of_no_block() {
    let block = "b0:\n v0 = service heap_start()\n v1 = address v0, 0 * 1 + 4\n service heap_allocated(v1, 6)\n";
    let again = "service heap_freed(v1)\n service bad_free(v1)";
    dies("", &format!("{block} {again} @p1\n return"), |image| {
        let address = address_of(image, SegmentKind::Heap) + 4;
        Fault::AssertionFailed {
            assertion: Assertion::NotFreed { address },
        }
    });
    let cases = [
        ("service bad_free(v0)", 0),
        ("service bad_free(v1)", 4),
        ("service heap_freed(v1)\n service bad_free(v0)", 0),
        (
            "service heap_freed(v1)\n service heap_allocated(v0, 8)\n service bad_free(v1)",
            4,
        ),
    ];
    for (body, by) in cases {
        dies("", &format!("{block} {body} @p1\n return"), |image| {
            let address = address_of(image, SegmentKind::Heap) + by;
            Fault::AssertionFailed {
                assertion: Assertion::IsBlock { address },
            }
        });
    }
    dies("", "b0:\n service bad_free(0x10) @p1\n return", |_| {
        Fault::AssertionFailed {
            assertion: Assertion::IsBlock { address: 0x10 },
        }
    });
}

/// The allocator of the library keeps its books between the blocks.
#[test]
fn the_allocator_may_look_between_blocks() {
    for (name, origin, good) in [
        ("heap_walk", "library", true),
        ("heap_walk", "", false),
        ("walk", "library", false),
    ] {
        let text = format!(
            "target \"t\" pointer 32\nfunction fn0 \"main\" () {{\nb0:\n call fn1()\n return\n}}\n\
             function fn1 \"{name}\" () {origin} {{\nb0:\n v0 = service heap_start()\n store i32 1 to v0\n return\n}}"
        );
        assert_eq!(run(&text) == Stop::Exited { status: 0 }, good, "{text}");
    }
}

/// The block next door is not freed along.
#[test]
fn freeing_one_of_two_neighbours() {
    let blocks = "b0:\n v0 = service heap_start()\n v1 = address v0, 0 * 1 + 4\n service heap_allocated(v0, 4)\n \
                  service heap_allocated(v1, 4)\n service heap_freed(v0)\n v2 = load i32 v1\n";
    assert_eq!(
        run(&program("", &format!("{blocks} return"), "")),
        Stop::Exited { status: 0 }
    );
    dies(
        "",
        &format!("{blocks} v3 = load i8 v0 @p1\n return"),
        |image| Fault::OutsideBlock {
            address: address_of(image, SegmentKind::Heap),
            size: 1,
            access: Access::Read,
        },
    );
}

#[test]
fn read_only_data() {
    let constant = "global g0 \"k\" size 16 align 16 constant = { hex 01 }\nglobal g1 \"x\" size 4 align 2 = {}";
    for write in [
        "store i8 1 to g0",
        "store i128 1 to g0",
        "fill g0 with 2 length 3",
        "copy g0 from g1 length 4",
    ] {
        dies(constant, &format!("b0:\n {write} @p1\n return"), |_| {
            Fault::ReadOnly { address: 0x1c00 }
        });
    }
    dies(constant, "b0:\n store i64 1 to g0+15 @p1\n return", |_| {
        Fault::ReadOnly { address: 0x1c0f }
    });
}

#[test]
fn division_by_zero() {
    for op in ["udiv", "sdiv", "urem", "srem"] {
        for ty in ["i1", "i8", "i16", "i24", "i32", "i64", "i65", "i128", "ptr"] {
            let zero = "global g0 \"zero\" size 16 align 8 = {}";
            for operands in ["v0, v0", "1, v0", "v0, 0", "1, 0"] {
                let body =
                    format!("b0:\n v0 = load {ty} g0\n v1 = {op} {ty} {operands} @p1\n return");
                dies(zero, &body, |_| Fault::DivisionByZero);
            }
        }
    }
}

#[test]
fn ends_on_purpose() {
    dies("", "b0:\n unreachable @p1", |_| Fault::Unreachable);
    dies("", "b0:\n service abort() @p1\n return", |_| Fault::Aborted);
    dies("", "b0:\n service trap() @p1\n return", |_| Fault::Trap);
    let texts = "global g0 \"e\" size 6 align 1 constant = { hex 78203e2030 }\nglobal g1 \"f\" size 4 align 1 constant = { hex 742e63 }";
    dies(
        texts,
        "b0:\n service assert_fail(g0, g1, 12, 0) @p1\n return",
        |_| Fault::AssertionFailed {
            assertion: Assertion::Written {
                expression: "x > 0".into(),
                place: "t.c:12".into(),
            },
        },
    );
    for (status, expected) in [(0, 0), (3, 3), (0xffff, -1), (0x8000, -32768)] {
        let text = program(
            "",
            &format!("b0:\n service exit({status})\n unreachable"),
            "",
        );
        assert_eq!(run(&text), Stop::Exited { status: expected });
    }
}

#[test]
fn stack_overflow() {
    dies(
        "",
        "b0:\n v0 = stack_alloc 0xf000 align 2 @p1\n return",
        |_| Fault::StackOverflow,
    );
    dies("", "b0:\n stack_restore 0x4000 @p1\n return", |_| {
        Fault::StackOverflow
    });
}

#[test]
fn endless_recursion_overflows() {
    let text = "target \"t\" pointer 32\nfunction fn0 \"main\" () {\n slot s0 size 20 align 4\nb0:\n call fn0()\n return\n}";
    let image = image(text);
    let mut machine = Machine::new(&image);
    assert_eq!(machine.advance(LONG), Stop::Faulted(Fault::StackOverflow));
    // A frame is 20 bytes and two words; 1,024 hold 36 of them.
    assert_eq!(machine.backtrace().len(), 1024 / 28);
    assert_eq!(machine.memory_use().0, 1024 / 28 * 28);
}

/// There is no other function to name than the one that does not fit.
#[test]
fn a_first_frame_that_does_not_fit() {
    let text = "target \"t\" pointer 16\nfunction fn0 \"main\" () {\n slot s0 size 4096 align 2\nb0:\n store i8 1 to s0\n return\n}";
    let image = image(text);
    let mut machine = Machine::new(&image);
    assert_eq!(machine.advance(LONG), Stop::Faulted(Fault::StackOverflow));
    let functions: Vec<Func> = machine.backtrace().iter().map(|(func, _)| *func).collect();
    assert_eq!(functions, [Id::from_index(0)]);
}

#[test]
fn wild_calls_and_jumps() {
    dies(
        "",
        "b0:\n v0 = inttoptr i16 0x1234 to ptr\n call_indirect v0() @p1\n return",
        |_| Fault::WildCall { address: 0x1234 },
    );
    dies("", "b0:\n call_indirect 0() @p1\n return", |_| {
        Fault::WildCall { address: 0 }
    });
    // Functions are two bytes apart.
    dies(
        "",
        "b0:\n v0 = address fn1, 0 * 1 + 1\n call_indirect v0() @p1\n return",
        |image| Fault::WildCall {
            address: image.layout().function(Id::from_index(1)) + 1,
        },
    );
    dies("", "b0:\n computed 0x77 [b1] @p1\nb1:\n return", |_| {
        Fault::WildJump { address: 0x77 }
    });
    let unbound = program(
        "",
        "b0:\n call fn2() @p1\n return",
        "function fn2 \"unknown\" ()",
    );
    let image = image(&unbound);
    let address = image.layout().function(Id::from_index(2));
    assert_eq!(run(&unbound), Stop::Faulted(Fault::WildCall { address }));
    let unbound = program(
        "",
        "b0:\n call_indirect fn2() @p1\n return",
        "function fn2 \"unknown\" ()",
    );
    assert_eq!(run(&unbound), Stop::Faulted(Fault::WildCall { address }));
}

/// What a call through a pointer passes need not fit, unless the callee looks for it elsewhere.
#[test]
fn wrong_signatures() {
    let rest =
        "function fn2 \"sum\" (ptr, ptr) -> i16 variadic {\nb0(v0: ptr, v1: ptr):\n return 7\n}";
    for (args, good) in [
        ("ptr 0, ptr 0", true),
        ("i16 0, ptr 0", true),
        ("ptr 0", true),
        ("", true),
        ("ptr 0, i16 5", false),
        ("ptr 0, i64 5, i64 5", false),
        ("ptr 0, ptr 0, ptr 0", false),
    ] {
        let body = format!("b0:\n v0 = call_indirect fn2({args}) -> i32 @p1\n return");
        let expected = if good {
            Stop::Exited { status: 0 }
        } else {
            Stop::Faulted(Fault::WrongSignature {
                function: "sum".to_owned(),
            })
        };
        assert_eq!(run(&program("", &body, rest)), expected, "{args}");
    }
}

#[test]
fn dead_jumps() {
    let buffer = "global g0 \"buffer\" size 40 align 8 = {}";
    dies(buffer, "b0:\n service longjmp(g0, 1) @p1\n return", |_| {
        Fault::DeadJump
    });
    // The function that called `setjmp` is gone.
    let text = format!(
        "target \"t\" pointer 16\n{buffer}\nfunction fn0 \"main\" () {{\nb0:\n call fn1()\n service longjmp(g0, 1)\n return\n}}\n\
         function fn1 \"f\" () {{\nb0:\n v0 = service setjmp(g0)\n return\n}}"
    );
    assert_eq!(run(&text), Stop::Faulted(Fault::DeadJump));
}

/// The buffer is the guest's memory: whatever is in it, the machine stays whole.
#[test]
fn overwritten_jump_buffers() {
    for pointer in [16, 32, 64] {
        for at in 0..40 {
            for byte in [0u8, 1, 2, 3, 4, 5, 7, 0x7f, 0x80, 0xff] {
                let text = format!(
                    "target \"t\" pointer {pointer}\nglobal g0 \"buffer\" size 40 align 8 = {{}}\n\
                     function fn0 \"main\" () {{\nb0:\n v0 = service setjmp(g0)\n v1 = icmp ne i{} v0, 0\n branch v1, b1, b2\n\
                     b1:\n v2 = stack_alloc 4 align 2\n call fn1()\n return\n\
                     b2:\n store i8 {byte} to g0+{at}\n service longjmp(g0, 1)\n return\n}}\n\
                     function fn1 \"f\" () {{\nb0:\n return\n}}",
                    if pointer == 16 { 16 } else { 32 }
                );
                match run(&text) {
                    Stop::Exited { .. } | Stop::Faulted(Fault::DeadJump | Fault::StackOverflow) => {
                    }
                    other => panic!("{other:?} with {byte} at {at}\n{text}"),
                }
            }
        }
    }
}

/// The highest addresses wrap nowhere.
#[test]
fn the_end_of_the_address_space() {
    for pointer in [16, 32, 64] {
        let mask = u64::MAX >> (64 - pointer);
        for back in [0, 1, 7, 15] {
            for access in [
                "v2 = load i64 v1",
                "store i64 1 to v1",
                "v2 = load i128 v1",
                "fill v1 with 1 length 20",
                "v2 = load i8 v1",
            ] {
                // A fixed address makes a window, which is looked at first.
                let text = format!(
                    "target \"t\" pointer {pointer}\nfunction fn0 \"main\" () {{\nb0:\n v0 = load i8 0x1000\n\
                     v1 = inttoptr i{pointer} {} to ptr\n {access}\n return\n}}",
                    mask - back
                );
                assert!(
                    matches!(run(&text), Stop::Faulted(Fault::Unmapped { .. })),
                    "{text}"
                );
            }
        }
    }
}

/// Stopping is not an error of the tool: a machine that stopped can be asked again.
#[test]
fn stopped_machines_stay_stopped() {
    let setup =
        Setup::new("target \"t\" pointer 16\nfunction fn0 \"main\" () -> i16 {\nb0:\n return 5\n}");
    let image = setup.image();
    let mut machine = Machine::new(&image);
    for _ in 0..3 {
        assert_eq!(machine.advance(LONG), Stop::Exited { status: 5 });
        assert_eq!(machine.now(), 2);
    }
}
