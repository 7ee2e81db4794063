//! One rule of taint at a time, in small programs.

use std::collections::BTreeSet;

use brownout_ir::Func;
use brownout_ir::Id;

use crate::device::{Device, image, stale, tainted};

/// A program with variables `x`, `y`, `z`, `ram`, an `array` of eight words and a constant table.
fn program(functions: &str) -> String {
    let mut text = String::from("target \"msp430\" pointer 16\n\n");
    for (number, (name, size)) in [("x", 2), ("y", 2), ("z", 2), ("ram", 2), ("array", 16)]
        .iter()
        .enumerate()
    {
        text += &format!("global g{number} \"{name}\" size {size} align 2 exported = {{}}\n");
    }
    text + "\n"
        + functions
        + "\nfunction fn1 \"input\" () -> i16 exported\n\nfunction fn2 \"commit\" () exported\n\n\
           function fn3 \"fill\" (ptr) exported\n"
}

/// A program whose `main` has no slots, and no other functions.
fn main_only(body: &str) -> String {
    program(&format!(
        "function fn0 \"main\" () -> i16 exported {{\n{body}}}\n"
    ))
}

/// The same with more functions, from number 4 on.
fn with(body: &str, more: &str) -> String {
    main_only(body) + "\n" + more
}

fn names(names: &[&str]) -> BTreeSet<String> {
    names.iter().map(|&name| name.to_owned()).collect()
}

#[test]
fn data_flows_through_registers_and_memory() {
    let text = main_only(
        "b0:\n  v0 = call fn1() -> i16\n  v1 = mul i16 v0, 3\n  store i16 v1 to g3\n\
         \x20 v2 = load i16 g3\n  v3 = add i16 v2, 1\n  store i16 v3 to g0\n\
         \x20 store i16 7 to g1\n  return 0\n",
    );
    assert_eq!(tainted(&text, &[5]), ["x", "ram"]);
}

#[test]
fn bytes_are_told_apart() {
    let text = main_only(
        "b0:\n  v0 = call fn1() -> i16\n  v1 = trunc i16 v0 to i8\n  store i8 v1 to g0\n\
         \x20 v2 = load i8 g0+1\n  store i8 v2 to g1\n  v3 = load i16 g0\n  store i16 v3 to g2\n  return 0\n",
    );
    assert_eq!(tainted(&text, &[5]), ["x", "z"]);
}

#[test]
fn a_tainted_address_taints_what_is_loaded_and_what_is_stored() {
    let text = main_only(
        "b0:\n  v0 = call fn1() -> i16\n  v1 = address g4, v0 * 2\n  v2 = load i16 v1\n\
         \x20 store i16 v2 to g0\n  store i16 1 to v1\n  v3 = load i16 g4+2\n\
         \x20 store i16 v3 to g1\n  v4 = load i16 g4+4\n  store i16 v4 to g2\n  return 0\n",
    );
    assert_eq!(tainted(&text, &[2]), ["x", "z", "array"]);
}

#[test]
fn what_is_chosen_is_tainted() {
    let text = main_only(
        "b0:\n  v0 = call fn1() -> i16\n  v1 = icmp ult i16 v0, 3\n  v2 = load i16 g1\n\
         \x20 v3 = select i16 v1, v2, 9\n  store i16 v3 to g0\n  return 0\n",
    );
    assert_eq!(tainted(&text, &[5]), ["x"]);
}

const BRANCH: &str = "b0:\n  v0 = call fn1() -> i16\n  v1 = icmp ult i16 v0, 3\n  branch v1, b1, b2\n\
     b1:\n  store i16 1 to g0\n  jump b3\nb2:\n  store i16 1 to g1\n  jump b3\n\
     b3:\n  store i16 1 to g2\n  return 0\n";

#[test]
fn control_dependence_ends_where_the_ways_meet() {
    assert_eq!(tainted(&main_only(BRANCH), &[1]), ["x"]);
    assert_eq!(tainted(&main_only(BRANCH), &[5]), ["y"]);
}

#[test]
fn what_the_ways_pass_on_is_tainted() {
    let text = main_only(
        "b0:\n  v0 = call fn1() -> i16\n  v1 = icmp ult i16 v0, 3\n  branch v1, b1, b2\n\
         b1:\n  jump b3(4)\nb2:\n  jump b3(5)\nb3(v2: i16):\n  store i16 v2 to g0\n\
         \x20 v3 = load i16 g2\n  v4 = add i16 v3, 1\n  store i16 v4 to g1\n  return 0\n",
    );
    assert_eq!(tainted(&text, &[1]), ["x"]);
    assert_eq!(tainted(&text, &[5]), ["x"]);
}

#[test]
fn branches_nest() {
    // The inner branch meets in b4, the outer one in b5.
    let text = main_only(
        "b0:\n  v0 = call fn1() -> i16\n  v1 = icmp ult i16 v0, 3\n  branch v1, b1, b5\n\
         b1:\n  v2 = icmp ult i16 v0, 2\n  branch v2, b2, b3\n\
         b2:\n  store i16 1 to g0\n  jump b4\nb3:\n  jump b4\n\
         b4:\n  store i16 1 to g1\n  jump b5\nb5:\n  store i16 1 to g2\n  return 0\n",
    );
    assert_eq!(tainted(&text, &[1]), ["x", "y"]);
    assert_eq!(tainted(&text, &[2]), ["y"]);
    assert_eq!(tainted(&text, &[7]), [""; 0]);
}

#[test]
fn calls_under_a_branch_depend_on_it() {
    let text = with(
        "b0:\n  v0 = call fn1() -> i16\n  v1 = icmp ult i16 v0, 3\n  branch v1, b1, b2\n\
         b1:\n  v2 = call fn4(i16 3) -> i16\n  store i16 v2 to g1\n  jump b2\n\
         b2:\n  v3 = call fn4(i16 0) -> i16\n  store i16 v3 to g2\n  return 0\n",
        // Calls itself; its own blocks are the same in all activations.
        "function fn4 \"deep\" (i16) -> i16 exported {\nb0(v0: i16):\n  store i16 1 to g0\n\
         \x20 v1 = icmp ne i16 v0, 0\n  branch v1, b1, b2\nb1:\n  v2 = sub i16 v0, 1\n\
         \x20 v3 = call fn4(i16 v2) -> i16\n  jump b2\nb2:\n  store i16 1 to g3\n  return 1\n}\n",
    );
    // The second call writes `x` and `ram` again.
    assert_eq!(tainted(&text, &[1]), ["y"]);
    let once = text.replace("  v3 = call fn4(i16 0) -> i16\n  store i16 v3 to g2\n", "");
    assert_eq!(tainted(&once, &[1]), ["x", "y", "ram"]);
}

#[test]
fn an_early_return_counts_to_the_end_of_its_call() {
    let text = with(
        "b0:\n  v0 = call fn1() -> i16\n  v1 = call fn4(i16 v0) -> i16\n  store i16 2 to g1\n\
         \x20 store i16 v1 to g2\n  return 0\n",
        "function fn4 \"early\" (i16) -> i16 exported {\nb0(v0: i16):\n  v1 = icmp ult i16 v0, 3\n\
         \x20 branch v1, b1, b2\nb1:\n  return 7\nb2:\n  store i16 1 to g0\n  return 8\n}\n",
    );
    assert_eq!(tainted(&text, &[1]), ["z"]);
    assert_eq!(tainted(&text, &[5]), ["x", "z"]);
}

#[test]
fn a_loop_depends_on_what_ends_it() {
    let text = main_only(
        "b0:\n  v0 = call fn1() -> i16\n  jump b1(0)\n\
         b1(v1: i16):\n  v2 = icmp ult i16 v1, v0\n  branch v2, b2, b3\n\
         b2:\n  store i16 v1 to g0\n  v3 = add i16 v1, 1\n  jump b1(v3)\n\
         b3:\n  store i16 1 to g1\n  store i16 v1 to g2\n  return 0\n",
    );
    // Rounds are counted in a register that is written under the branch.
    assert_eq!(tainted(&text, &[3]), ["x", "z"]);
    // Without a round nothing is written.
    assert_eq!(tainted(&text, &[0]), [""; 0]);
}

#[test]
fn an_endless_loop_has_an_end_each_round() {
    let text = main_only(
        "b0:\n  jump b1(0)\nb1(v0: i16):\n  v1 = call fn1() -> i16\n  v2 = icmp ult i16 v1, 3\n\
         \x20 branch v2, b2, b3\nb2:\n  store i16 1 to g0\n  jump b4\nb3:\n  store i16 1 to g1\n  jump b4\n\
         b4:\n  store i16 v0 to g2\n  v3 = add i16 v0, 1\n  jump b1(v3)\n",
    );
    let image = image(&text, &[5, 1]);
    let mut device = Device::new(&image, &[]);
    assert!(!device.run(100));
    assert_eq!(device.tainted(), ["x", "y"]);
}

#[test]
fn a_tainted_pointer_to_a_function_counts_until_it_returns() {
    let text = with(
        "b0:\n  v0 = call fn1() -> i16\n  v1 = icmp ult i16 v0, 3\n  v2 = select ptr v1, fn4, fn5\n\
         \x20 call_indirect v2()\n  store i16 1 to g2\n  return 0\n",
        "function fn4 \"one\" () exported {\nb0:\n  store i16 1 to g0\n  return\n}\n\n\
         function fn5 \"other\" () exported {\nb0:\n  store i16 1 to g1\n  return\n}\n",
    );
    assert_eq!(tainted(&text, &[1]), ["x"]);
    assert_eq!(tainted(&text, &[5]), ["y"]);
}

#[test]
fn a_jump_to_an_outer_call_takes_its_value_along() {
    let text = with(
        "b0:\n  v0 = service setjmp(g4)\n  v1 = icmp eq i16 v0, 0\n  branch v1, b1, b2\n\
         b1:\n  call fn4()\n  return 1\nb2:\n  store i16 v0 to g0\n  store i16 1 to g1\n  return 0\n",
        "function fn4 \"jumps\" () exported {\nb0:\n  v0 = call fn1() -> i16\n\
         \x20 service longjmp(g4, v0)\n  unreachable\n}\n",
    );
    // The ways of the branch on the value never meet again.
    assert_eq!(tainted(&text, &[5]), ["x", "y"]);
}

#[test]
fn copies_take_taint_along() {
    let text = main_only(
        "b0:\n  v0 = call fn1() -> i16\n  store i16 v0 to g4+2\n  copy g4+8 from g4 length 8\n\
         \x20 v1 = load i16 g4+10\n  store i16 v1 to g0\n  v2 = load i16 g4+12\n  store i16 v2 to g1\n\
         \x20 store i16 0 to g4+2\n  return 0\n",
    );
    assert_eq!(tainted(&text, &[5]), ["x", "array"]);
    // Copying something clean over it clears.
    let clean = text.replace("  return 0", "  copy g4+8 from g4 length 8\n  return 0");
    assert_eq!(tainted(&clean, &[5]), ["x"]);
}

#[test]
fn a_tainted_length_or_place_taints_all_that_is_written() {
    let copied = main_only(
        "b0:\n  v0 = call fn1() -> i16\n  copy g4 from g4+8 length v0\n  v1 = load i16 g4\n\
         \x20 store i16 v1 to g0\n  v2 = load i16 g4+4\n  store i16 v2 to g1\n  return 0\n",
    );
    assert_eq!(tainted(&copied, &[4]), ["x", "array"]);
    let filled = copied.replace("copy g4 from g4+8 length v0", "fill g4 with 7 length v0");
    assert_eq!(tainted(&filled, &[4]), ["x", "array"]);
}

#[test]
fn a_buffer_that_an_input_fills_is_tainted() {
    let text = main_only(
        "b0:\n  call fn3(ptr g4+2)\n  v0 = load i16 g4+4\n  store i16 v0 to g0\n  v1 = load i16 g4+6\n\
         \x20 store i16 v1 to g1\n  v2 = load i16 g4\n  store i16 v2 to g2\n  return 0\n",
    );
    assert_eq!(tainted(&text, &[4]), ["x", "array"]);
}

#[test]
fn overwriting_and_committing_clear() {
    let text = main_only(
        "b0:\n  v0 = call fn1() -> i16\n  store i16 v0 to g0\n  store i16 v0 to g1\n\
         \x20 store i16 3 to g0\n  return 0\n",
    );
    assert_eq!(tainted(&text, &[5]), ["y"]);
    let text = main_only(
        "b0:\n  v0 = call fn1() -> i16\n  store i16 v0 to g0\n  v1 = icmp ult i16 v0, 3\n\
         \x20 branch v1, b1, b2\nb1:\n  call fn2()\n  store i16 1 to g1\n  jump b2\n\
         b2:\n  store i16 v0 to g2\n  return 0\n",
    );
    // Neither memory nor registers nor the branch are read again.
    assert_eq!(tainted(&text, &[1]), [""; 0]);
}

#[test]
fn a_reboot_makes_stale() {
    // First `x` is written, then, with another input, `y`; what `x` holds is read in the end.
    let text = main_only(&BRANCH.replace(
        "store i16 1 to g2",
        "v2 = load i16 g0\n  store i16 v2 to g2",
    ));
    assert_eq!(stale(&text, &[1, 5]), names(&["x"]));
    // The same way again overwrites it before it is read.
    assert_eq!(stale(&text, &[1, 1]), names(&[]));
    assert_eq!(stale(&text, &[5, 1]), names(&[]));
}

#[test]
fn a_commit_between_makes_it_good() {
    let text = main_only(
        "b0:\n  v0 = call fn1() -> i16\n  v1 = icmp ult i16 v0, 3\n  branch v1, b1, b2\n\
         b1:\n  store i16 1 to g0\n  jump b2\nb2:\n  call fn2()\n  v2 = load i16 g0\n\
         \x20 store i16 v2 to g2\n  return 0\n",
    );
    // Before the commit it is not read; behind it, it is what the attempt that committed left.
    assert_eq!(stale(&text, &[1, 5]), names(&[]));
}

#[test]
fn what_is_restored_is_not_stale() {
    let text = main_only(
        "b0:\n  call fn2()\n  v0 = call fn1() -> i16\n  v1 = icmp ult i16 v0, 3\n  branch v1, b1, b2\n\
         b1:\n  store i16 1 to g0\n  store i16 1 to g3\n  jump b2\nb2:\n  v2 = load i16 g0\n\
         \x20 v3 = load i16 g3\n  v4 = add i16 v2, v3\n  store i16 v4 to g2\n  return 0\n",
    );
    // `ram` comes back from the checkpoint, `x` does not.
    assert_eq!(stale(&text, &[1, 5]), names(&["x"]));
    let image = image(&text, &[1, 5]);
    let x = crate::device::bytes(&image, Id::from_index(0));
    for time in 1..20 {
        let mut device = Device::new(&image, std::slice::from_ref(&x));
        device.run(time);
        device.fail();
        device.run(1_000);
        assert_eq!(device.taint.hits(), []);
    }
}

#[test]
fn a_hit_says_who_wrote_and_what_was_read() {
    let text = with(
        "b0:\n  v0 = call fn1() -> i16\n  v1 = icmp ult i16 v0, 3\n  branch v1, b1, b2\n\
         b1:\n  call fn4()\n  jump b2\nb2:\n  jump b3(0)\nb3(v2: i16):\n  v3 = load i16 g0\n  v4 = add i16 v2, 1\n\
         \x20 v5 = icmp ult i16 v4, 3\n  branch v5, b3(v4), b4\nb4:\n  return 0\n",
        "function fn4 \"writes\" () exported {\nb0:\n  store i16 1 to g0\n  return\n}\n",
    );
    let image = image(&text, &[1, 5]);
    let mut device = Device::new(&image, &[]);
    device.run(8);
    assert_eq!(device.tainted(), ["x"]);
    device.fail();
    assert!(device.run(1_000));
    let [hit] = device.taint.hits() else {
        panic!("{:?}", device.taint.hits())
    };
    assert_eq!(hit.count, 3);
    assert_eq!(image.function(hit.load), Some(Func::from_index(0)));
    assert_eq!(image.function(hit.write), Some(Func::from_index(4)));
    let input = hit.input.map(|(pc, number)| (image.function(pc), number));
    assert_eq!(input, Some((Some(Func::from_index(0)), 0)));
    let writes = device.taint.tainted_writes();
    assert!(writes.by_control > 0 && writes.by_data == 0, "{writes:?}");
}
