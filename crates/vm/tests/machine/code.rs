//! Corners of the decoder, one small program each: exit status by hand, and
//! everything else compared with the reference.

use brownout_ir::Id;
use brownout_vm::{Access, Fault, Layout, Machine, MemoryPlan, Stop};

use crate::record::{Recorder, first_difference};
use crate::support::{LONG, Setup, same, same_memory};

/// Runs a program on the machine and on the reference; how it ends.
fn both(text: &str) -> Stop {
    let setup = Setup::new(text);
    let image = setup.image();
    let mut machine = Machine::new(&image);
    let mut recorder = Recorder::default();
    let stop = machine.watch(&mut recorder, LONG);
    let mut reference = setup.reference(&image);
    reference.run(LONG);
    let check = || -> Result<(), String> {
        same("end", Some(&stop), reference.stop.as_ref())?;
        same("time", machine.now(), reference.time)?;
        first_difference(&recorder.events, &reference.events).map_or(Ok(()), Err)?;
        same_memory(&machine, &reference)
    };
    check().unwrap_or_else(|reason| panic!("{reason}\n{text}"));
    stop
}

/// A `main` with that body on that target gives that status.
fn gives(pointer: u32, rest: &str, status: i32) {
    let int = if pointer == 16 { "i16" } else { "i32" };
    let text = format!(
        "target \"t\" pointer {pointer}\n{}",
        rest.replace("INT", int)
    );
    assert_eq!(both(&text), Stop::Exited { status }, "{text}");
}

/// Exchanging results through the spare register must not lose one of them.
#[test]
fn many_results_in_a_circle() {
    gives(
        32,
        "function fn0 \"main\" () -> INT {\nb0:\n\
         v0, v1, v2, v3, v4, v5, v6, v7 = call fn1(i32 3, i32 4) -> i32, i32, i32, i32, i32, i32, i32, i32\n\
         v8 = mul i32 v0, 1000\n v9 = mul i32 v1, 100\n v10 = add i32 v8, v9\n v11 = add i32 v10, v5\n return v11\n}\n\
         function fn1 \"swap\" (i32, i32) -> i32, i32, i32, i32, i32, i32, i32, i32 {\nb0(v0: i32, v1: i32):\n\
         return v1, v0, 1, 2, 3, 77, 5, 6\n}",
        4377,
    );
}

/// `(unsigned char)pointer` is one byte, and a pointer made of a long one word.
#[test]
fn casts_of_pointers_cut() {
    let rest = "global g0 \"x\" size 600 align 16 = {}\nfunction fn0 \"main\" () -> INT {\nb0:\n\
         v0 = ptrtoint ptr g0+257 to i8\n v1 = zext i8 v0 to INT\n\
         v2 = inttoptr i64 0xa000000000000007 to ptr\n v3 = ptrtoint ptr v2 to i64\n v4 = lshr i64 v3, 63\n\
         v5 = trunc i64 v4 to INT\n v6 = mul INT v5, 100\n v7 = add INT v1, v6\n return v7\n}";
    gives(16, rest, 1);
    gives(32, rest, 1);
    gives(64, rest, 101);
    let variable = "global g0 \"x\" size 8 align 8 = { hex 0700000000000080 }\nfunction fn0 \"main\" () -> INT {\nb0:\n\
         v0 = load i64 g0\n v1 = inttoptr i64 v0 to ptr\n v2 = icmp eq ptr v1, 7\n v3 = zext i1 v2 to INT\n\
         v4 = load ptr g0\n v5 = ptrtoint ptr v4 to i3\n v6 = icmp eq i3 v5, 7\n v7 = select INT v6, 10, 0\n\
         v8 = add INT v3, v7\n return v8\n}";
    gives(16, variable, 11);
    gives(32, variable, 11);
    gives(64, variable, 10);
}

/// The block of the second return comes first, and what it needs was dead after it.
#[test]
fn set_jump_keeps_what_the_second_return_needs() {
    gives(
        32,
        "global g0 \"buffer\" size 40 align 8 = {}\nglobal g1 \"x\" size 4 align 4 = { hex 2a000000 }\n\
         function fn0 \"main\" () -> INT {\nb0:\n v0 = load i32 g1\n v1 = service setjmp(g0)\n\
         v2 = icmp eq i32 v1, 0\n branch v2, b2, b1\n\
         b1:\n v3 = add i32 v0, v1\n return v3\n\
         b2:\n v4 = load i32 g1\n v5 = add i32 v4, 1\n v6 = add i32 v5, v4\n v7 = add i32 v6, v5\n\
         store i32 v7 to g1\n call fn1()\n unreachable\n}\n\
         function fn1 \"throw\" () {\nb0:\n service longjmp(g0, 0)\n unreachable\n}",
        43,
    );
}

#[test]
fn parameters_in_circles() {
    // Three narrow ones go round, two wide ones change places.
    gives(
        16,
        "function fn0 \"main\" () -> INT {\nb0:\n jump b1(0, 1, 2, 3, 5, 0x10000000000000007)\n\
         b1(v0: i8, v1: i16, v2: i16, v3: i16, v4: i128, v5: i128):\n v6 = add i8 v0, 1\n\
         v7 = icmp ult i8 v6, 5\n branch v7, b1(v6, v2, v3, v1, v5, v4), b2\n\
         b2:\n v8 = mul i16 v1, 1000\n v9 = mul i16 v2, 100\n v10 = add i16 v8, v9\n v11 = add i16 v10, v3\n\
         v12 = lshr i128 v5, 64\n v13 = trunc i128 v12 to i16\n v14 = mul i16 v13, 10\n v15 = add i16 v11, v14\n\
         return v15\n}",
        2000 + 300 + 1 + 10,
    );
}

#[test]
fn two_edges_to_one_block() {
    for (condition, status) in [("1", 5), ("0", 7)] {
        gives(
            16,
            &format!(
                "global g0 \"c\" size 1 align 1 = {{ hex 0{condition} }}\nfunction fn0 \"main\" () -> INT {{\nb0:\n\
                 v0 = load i1 g0\n branch v0, b1(5), b1(7)\nb1(v1: i16):\n return v1\n}}"
            ),
            status,
        );
    }
}

#[test]
fn switches_find_their_case() {
    let cases = [
        ("i8", "0xff", "1: b1(1), 0xff: b1(2), 0x80: b1(3)", 2),
        (
            "i16",
            "0x8000",
            "0x7fff: b1(1), 0x8000: b1(2), 0x8001: b1(3)",
            2,
        ),
        (
            "i64",
            "0xffffffffffffffff",
            "0: b1(1), 0xffffffffffffffff: b1(2)",
            2,
        ),
        (
            "i64",
            "0xfffffffffffffffe",
            "0xffffffffffffffff: b1(1), 0xfffffffffffffffe: b1(2)",
            2,
        ),
        (
            "i64",
            "3",
            "0xffffffffffffffff: b1(1), 0xfffffffffffffffe: b1(2)",
            9,
        ),
        (
            "i128",
            "0x10000000000000000",
            "0: b1(1), 0x10000000000000000: b1(2)",
            2,
        ),
        (
            "i65",
            "0x10000000000000001",
            "1: b1(1), 0x10000000000000001: b1(2)",
            2,
        ),
        ("i32", "4", "", 9),
        ("i32", "70000", "1: b1(1), 70000: b1(2), 140000: b1(3)", 2),
        ("i1", "1", "0: b1(1), 1: b1(2)", 2),
    ];
    for (ty, value, table, status) in cases {
        // As a constant and from memory.
        gives(
            16,
            &format!(
                "function fn0 \"main\" () -> INT {{\nb0:\n switch {ty} {value} [{table}] else b1(9)\nb1(v0: i16):\n return v0\n}}"
            ),
            status,
        );
        gives(
            16,
            &format!(
                "global g0 \"x\" size 16 align 8 = {{}}\nfunction fn0 \"main\" () -> INT {{\nb0:\n store {ty} {value} to g0\n\
                 v1 = load {ty} g0\n switch {ty} v1 [{table}] else b1(9)\nb1(v0: i16):\n return v0\n}}"
            ),
            status,
        );
    }
}

/// A distance that no operation can hold must not become a short one.
#[test]
fn far_addresses_stay_far() {
    for base in ["g0", "s0", "v0"] {
        let text = format!(
            "target \"t\" pointer 64\nglobal g0 \"x\" size 8 align 8 = {{}}\nfunction fn0 \"main\" () -> i32 {{\n\
             slot s0 size 8 align 8\nb0:\n v0 = service frame_address(0)\n\
             v1 = address {base}, 0x100000000 * 1\n v2 = load i8 v1\n return 0\n}}"
        );
        assert!(
            matches!(
                both(&text),
                Stop::Faulted(Fault::Unmapped {
                    access: Access::Read,
                    ..
                })
            ),
            "{text}"
        );
        let text = text
            .replace("0x100000000 * 1", "1 * 1 + 0x100000000")
            .replace("0x100000000", "4294967296");
        assert!(
            matches!(both(&text), Stop::Faulted(Fault::Unmapped { .. })),
            "{text}"
        );
    }
}

/// Offsets have 32 bits: a heap whose map does not fit is refused, not wrapped.
#[test]
fn too_much_heap_is_refused() {
    let setup = Setup::new("target \"t\" pointer 32\nfunction fn0 \"main\" () {\nb0:\n return\n}");
    let plan = |heap_size| MemoryPlan {
        heap_size: Some(heap_size),
        ..MemoryPlan::default()
    };
    assert!(Layout::new(&setup.program, &plan(0x9000_0000)).is_err());
    assert!(Layout::new(&setup.program, &plan(u32::MAX)).is_err());
    assert!(Layout::new(&setup.program, &plan(0x4000_0000)).is_ok());
}

/// The same image gives the same code, and the same code the same run.
#[test]
fn decoding_is_deterministic() {
    crate::support::for_programs(100, 9, |setup, _| {
        let (first, second) = (setup.image(), setup.image());
        let (mut one, mut two) = (Machine::new(&first), Machine::new(&second));
        for until in [50, 500, 5_000] {
            same("end", one.advance(until), two.advance(until))?;
            same("place", one.pc(), two.pc())?;
            same("trace", one.backtrace(), two.backtrace())?;
        }
        same(
            "function",
            first.function(one.pc()),
            second.function(two.pc()),
        )?;
        same(
            "address",
            first.layout().global(Id::from_index(0)),
            second.layout().global(Id::from_index(0)),
        )
    });
}
