//! Where addresses of functions get to.

#![allow(clippy::unwrap_used, reason = "tests")]

use brownout_ir::gifts::{Way, called_through_pointers, gifts};
use brownout_ir::{Program, parse};

/// What a program gives away: the function, to whom, and how.
fn given(program: &Program) -> Vec<String> {
    let name = |func| program.functions[func].name.clone();
    let gifts = gifts(program).into_iter().map(|gift| {
        let way = match gift.way {
            Way::Itself => "itself".to_owned(),
            Way::Through { offsets, .. } => format!("{offsets:?}"),
            Way::Somehow => "somehow".to_owned(),
        };
        format!("{} to {} {way}", name(gift.function), name(gift.to))
    });
    gifts.collect()
}

fn program(text: &str) -> Program {
    let known = "target \"t\" pointer 32\n\
                 function fn0 \"kernel\" (ptr)\n\
                 function fn1 \"on_tick\" () { b0: return }\n\
                 function fn2 \"on_press\" () { b0: return }\n";
    parse(&format!("{known}{text}")).unwrap()
}

#[test]
fn through_parameters_and_results() {
    let program = program(
        "function fn3 \"begin\" (ptr) { b0(v0: ptr): call fn0(ptr v0) return }\n\
         function fn4 \"chosen\" () -> ptr { b0: return fn2 }\n\
         function fn5 \"main\" () { b0: call fn3(ptr fn1) v0 = call fn4() -> ptr call fn3(ptr v0) return }",
    );
    assert_eq!(
        given(&program),
        ["on_tick to kernel itself", "on_press to kernel itself"]
    );
}

#[test]
fn through_structures_and_variables() {
    let program = program(
        "global g0 \"timer\" size 8 align 4 = {}\n\
         global g1 \"handler\" size 4 align 4 = {}\n\
         function fn3 \"set\" (ptr, ptr) { b0(v0: ptr, v1: ptr): v2 = address v0, 0 * 1 + 4 store ptr v1 to v2 return }\n\
         function fn4 \"start\" (ptr) { b0(v0: ptr): call fn0(ptr v0) v1 = load ptr g1 call fn0(ptr v1) return }\n\
         function fn5 \"main\" () { b0: call fn3(ptr g0, ptr fn1) store ptr fn2 to g1 call fn4(ptr g0) return }",
    );
    assert_eq!(
        given(&program),
        ["on_tick to kernel [4]", "on_press to kernel itself"]
    );
}

#[test]
fn through_tables_behind_structures() {
    // A device, whose driver is a table: the second function.
    let program = program(
        "global g0 \"driver\" size 8 align 4 constant = { zeros 4 at 4 = fn1 bytes 4 }\n\
         global g1 \"device\" size 8 align 4 = {}\n\
         function fn3 \"main\" () { b0: store ptr g0 to g1 call fn0(ptr g1) return }",
    );
    assert_eq!(given(&program), ["on_tick to kernel [0, 4]"]);
}

#[test]
fn what_lies_before_a_member_is_not_given_with_it() {
    let program = program(
        "global g0 \"device\" size 16 align 4 = {}\n\
         function fn3 \"main\" () { b0: store ptr fn1 to g0 call fn0(ptr g0+8) return }",
    );
    assert_eq!(given(&program), [""; 0]);
}

#[test]
fn what_the_program_calls_itself() {
    let program = program(
        "function fn3 \"each\" (ptr) { b0(v0: ptr): call_indirect v0() return }\n\
         function fn4 \"main\" () { b0: call fn3(ptr fn1) call fn0(ptr fn2) return }",
    );
    let called = called_through_pointers(&program).into_iter();
    let called: Vec<&str> = called
        .map(|func| program.functions[func].name.as_str())
        .collect();
    assert_eq!(called, ["on_tick"]);
    assert_eq!(given(&program), ["on_press to kernel itself"]);
}
