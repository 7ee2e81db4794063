//! One broken program for each invariant, and what the verifier says of it.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test helper may fail its test"
)]

mod by_hand;

use brownout_ir::verify::verify;
use brownout_ir::*;

/// Everything the verifier says, one line each.
fn errors(program: &Program) -> String {
    match verify(program) {
        Ok(()) => String::new(),
        Err(errors) => errors
            .iter()
            .map(|error| error.to_string())
            .collect::<Vec<_>>()
            .join("\n"),
    }
}

#[track_caller]
fn check(text: &str, expected: &str) {
    let program = parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(errors(&program), expected, "{text}");
}

/// Declarations on a 16-bit target with something of everything.
const DECLARATIONS: &[(&str, &str)] = &[
    ("", ""),
    ("constructors fn0", ""),
    ("constructors fn9", "program: no function `fn9`"),
    (
        "destructors fn1",
        "program: constructor or destructor `fn1` takes arguments",
    ),
    ("place p1 = f1:1:1 \"\"", "p1: no file `f1`"),
    ("place p1 = f0:1:1 \"\" inlined p0", ""),
    ("place p1 = f0:1:1 \"\" inlined p2", "p1: no place `p2`"),
    (
        "place p1 = f0:1:1 \"\" inlined p1",
        "p1: inlined into itself",
    ),
    (
        "place p1 = f0:1:1 \"\" inlined p2 place p2 = f0:1:1 \"\" inlined p3 place p3 = f0:1:1 \"\" inlined p2",
        "p2: inlined into itself",
    ),
    (
        "type t1 = struct \"\" size 2 { \"x\": t2 at 0 }",
        "t1: no source type `t2`",
    ),
    ("type t1 = struct \"\" size 2 { \"x\": t1 at 0 }", ""),
    (
        "type t1 = array \"\" size 2 of t7 count 1",
        "t1: no source type `t7`",
    ),
    (
        "global g1 \"g\" size 2 align 3",
        "g1: alignment 3 is not a power of two",
    ),
    (
        "global g1 \"g\" size 2 align 0",
        "g1: alignment 0 is not a power of two",
    ),
    (
        "global g1 \"g\" size 2 align 2 typed t1",
        "g1: no source type `t1`",
    ),
    ("global g1 \"g\" size 2 align 2 @p1", "g1: no place `p1`"),
    (
        "global g1 \"g\" size 2 align 2 = { hex 010203 }",
        "g1: initialiser of 3 bytes in an object of 2",
    ),
    (
        "global g1 \"g\" size 4 align 2 = { at 0 = g0 bytes 2 at 2 = fn0 bytes 2 }",
        "",
    ),
    (
        "global g1 \"g\" size 4 align 2 = { at 0 = g0 bytes 0 }",
        "g1: relocation of 0 bytes",
    ),
    (
        "global g1 \"g\" size 4 align 2 = { at 0 = g0 bytes 4 }",
        "g1: relocation of 4 bytes",
    ),
    (
        "global g1 \"g\" size 4 align 2 = { at 0 = fn1:b0 minus fn1:b0 bytes 4 }",
        "",
    ),
    (
        "global g1 \"g\" size 9 align 2 = { at 0 = g0 minus g0 bytes 9 }",
        "g1: relocation of 9 bytes",
    ),
    (
        "global g1 \"g\" size 4 align 2 = { at 3 = g0 bytes 2 }",
        "g1: relocation at 3 reaches past the end",
    ),
    (
        "global g1 \"g\" size 4 align 2 = { at 18446744073709551615 = g0 bytes 2 }",
        "g1: relocation at 18446744073709551615 reaches past the end",
    ),
    (
        "global g1 \"g\" size 4 align 2 = { at 2 = g0 bytes 2 at 1 = g0 bytes 2 }",
        "g1: relocation at 2 overlaps another",
    ),
    (
        "global g1 \"g\" size 4 align 2 = { at 0 = g2 bytes 2 }",
        "g1: no global `g2`",
    ),
    (
        "global g1 \"g\" size 4 align 2 = { at 0 = fn4 bytes 2 }",
        "g1: no function `fn4`",
    ),
    (
        "global g1 \"g\" size 4 align 2 = { at 0 = fn4:b0 bytes 2 }",
        "g1: no function `fn4`",
    ),
    (
        "global g1 \"g\" size 4 align 2 = { at 0 = fn1:b1 bytes 2 }",
        "g1: no block `b1` in `fn1`",
    ),
    (
        "global g1 \"g\" size 4 align 2 = { at 0 = fn0:b0 bytes 2 }",
        "g1: no block `b0` in `fn0`",
    ),
    (
        "global g1 \"g\" size 4 align 2 = { at 0 = g0 minus g2 bytes 2 }",
        "g1: no global `g2`",
    ),
    (
        "function fn2 \"f\" () variadic",
        "fn2: variadic, but the last parameter is not `ptr`",
    ),
    (
        "function fn2 \"f\" (ptr, i16) variadic",
        "fn2: variadic, but the last parameter is not `ptr`",
    ),
    ("function fn2 \"f\" (i16, ptr) variadic", ""),
    ("function fn2 \"f\" () @p1", "fn2: no place `p1`"),
    ("function fn2 \"f\" () {}", "fn2: body without blocks"),
    (
        "function fn2 \"f\" (i16) { b0: return }",
        "fn2 b0: parameters of the entry block differ from those of the function",
    ),
    (
        "function fn2 \"f\" () { b0(v0: i16): return }",
        "fn2 b0: parameters of the entry block differ from those of the function",
    ),
    (
        "function fn2 \"f\" (i16) { b0(v0: i8): return }",
        "fn2 b0: parameters of the entry block differ from those of the function",
    ),
    (
        "function fn2 \"f\" () { b0: jump b0 }",
        "fn2 b0 terminator: `b0` jumps to the entry block",
    ),
    (
        "function fn2 \"f\" () { b0: computed 0 [b0] }",
        "fn2 b0 terminator: `b0` jumps to the entry block",
    ),
    (
        "function fn2 \"f\" () { slot s0 size 2 align 6 b0: return }",
        "fn2 s0: alignment 6 is not a power of two",
    ),
    (
        "function fn2 \"f\" () { slot s0 size 2 align 2 typed t1 b0: return }",
        "fn2 s0: no source type `t1`",
    ),
    (
        "function fn2 \"f\" () { slot s0 size 2 align 2 @p1 b0: return }",
        "fn2 s0: no place `p1`",
    ),
    (
        "function fn2 \"f\" () -> i16 { b0: return }",
        "fn2 b0 terminator: returns 0 values, not 1",
    ),
    (
        "function fn2 \"f\" () { b0: return 1 }",
        "fn2 b0 terminator: returns 1 value, not 0",
    ),
    (
        "function fn2 \"f\" () -> i16, ptr { b0: return g0, 65536 }",
        "fn2 b0 terminator: address `g0` is `ptr`, not `i16`\n\
         fn2 b0 terminator: constant 0x10000 does not fit in `ptr`",
    ),
];

#[test]
fn declarations() {
    for (text, expected) in DECLARATIONS {
        let text = format!(
            "target \"t\" pointer 16 file f0 = \"f.c\" place p0 = f0:1:1 \"\" type t0 = opaque \"\" size 0
            global g0 \"g\" size 2 align 2
            function fn0 \"callee\" () -> i16
            function fn1 \"main\" (i16) {{ b0(v0: i16): return }}
            {text}"
        );
        check(&text, expected);
    }
}

/// Instructions of the entry block, of a function with a parameter of each kind:
/// `v0: i16`, `v1: ptr`, `v2: f32`, `v3: i1`, `v4: i8`.
const INSTRUCTIONS: &[(&str, &str)] = &[
    // Operands.
    ("v5 = add i16 v0, 0xffff", ""),
    (
        "v5 = add i16 v0, 0x10000",
        "constant 0x10000 does not fit in `i16`",
    ),
    ("v5 = add i128 1, 0xffffffffffffffffffffffffffffffff", ""),
    ("v5 = add i16 v0, v4", "`v4` is `i8`, not `i16`"),
    ("v5 = add i16 v0, v9", "no value `v9`"),
    ("v5 = add i16 v0, g0", "address `g0` is `ptr`, not `i16`"),
    (
        "v5 = add i16 v0, s0+1",
        "address `s0+1` is `ptr`, not `i16`",
    ),
    ("v5 = add i16 v0, fn0", "address `fn0` is `ptr`, not `i16`"),
    (
        "v5 = add i16 v0, fn1:b0",
        "address `fn1:b0` is `ptr`, not `i16`",
    ),
    ("v5 = load i16 g1", "no global `g1`"),
    ("v5 = load i16 s1", "no slot `s1`"),
    ("v5 = load i16 fn2", "no function `fn2`"),
    ("v5 = load i16 fn2:b0", "no function `fn2`"),
    ("v5 = load i16 fn1:b2", "no block `b2` in `fn1`"),
    ("v5 = load i16 fn0:b0", "no block `b0` in `fn0`"),
    ("v5 = load i16 g0 @p0", "no place `p0`"),
    ("v5 = load i16 0xffff", ""),
    (
        "v5 = load i16 0x10000",
        "constant 0x10000 does not fit in `ptr`",
    ),
    (
        "v5 = add i16 v5, 1",
        "the definition of `v5` does not dominate this use",
    ),
    // Results.
    ("v5: i8 = add i16 v0, 1", "result `v5` is `i8`, not `i16`"),
    (
        "v5: i16 = icmp eq i16 v0, 1",
        "result `v5` is `i16`, not `i1`",
    ),
    (
        "v5: i16 = uadd_overflow i16 v0, 1",
        "result `v5` is `i16`, not `i1`",
    ),
    ("add i16 v0, 1", "defines 0 values, not 1"),
    ("v5, v6: i16 = add i16 v0, 1", "defines 2 values, not 1"),
    ("v5: i16 = store i16 v0 to v1", "defines 1 value, not 0"),
    // Types of operators.
    ("v5 = and ptr v1, 0xfffe", ""),
    ("v5 = icmp ult ptr v1, g0", ""),
    ("v5 = add f32 v2, v2", "`add` on `f32`"),
    ("v5 = icmp eq f32 v2, v2", "`eq` on `f32`"),
    ("v5 = popcount ptr v1", "`popcount` on `ptr`"),
    ("v5 = fshl ptr v1, v1, v1", "`fshl` on `ptr`"),
    ("v5 = bswap i24 1", ""),
    (
        "v5 = bswap i12 1",
        "`bswap` on `i12`, which is not whole bytes",
    ),
    ("v5 = fadd i16 v0, v0", "`fadd` on `i16`"),
    ("v5 = sqrt i16 v0", "`sqrt` on `i16`"),
    ("v5 = fma i16 v0, v0, v0", "`fma` on `i16`"),
    ("v5 = fcmp oeq ptr v1, v1", "`oeq` on `ptr`"),
    ("v5 = select i16 v0, 1, 2", "`v0` is `i16`, not `i1`"),
    ("v5 = select i16 v3, v1, 2", "`v1` is `ptr`, not `i16`"),
    // Casts.
    ("v5 = zext i16 v0 to i17", ""),
    ("v5 = zext i16 v0 to i16", "`zext` from `i16` to `i16`"),
    ("v5 = sext i16 v0 to i8", "`sext` from `i16` to `i8`"),
    ("v5 = zext i16 v0 to ptr", "`zext` from `i16` to `ptr`"),
    ("v5 = trunc i16 v0 to i8", ""),
    ("v5 = trunc i16 v0 to i16", "`trunc` from `i16` to `i16`"),
    ("v5 = fptoui f32 v2 to i3", ""),
    ("v5 = fptoui i16 v0 to i3", "`fptoui` from `i16` to `i3`"),
    ("v5 = fptosi f32 v2 to f64", "`fptosi` from `f32` to `f64`"),
    ("v5 = uitofp i16 v0 to f16", ""),
    ("v5 = uitofp f32 v2 to f16", "`uitofp` from `f32` to `f16`"),
    ("v5 = sitofp i16 v0 to ptr", "`sitofp` from `i16` to `ptr`"),
    ("v5 = fpext f32 v2 to f64", ""),
    ("v5 = fpext f32 v2 to f32", "`fpext` from `f32` to `f32`"),
    ("v5 = fptrunc f32 v2 to f16", ""),
    (
        "v5 = fptrunc f32 v2 to f64",
        "`fptrunc` from `f32` to `f64`",
    ),
    ("v5 = bitcast f32 v2 to i32", ""),
    (
        "v5 = bitcast f32 v2 to i31",
        "`bitcast` from `f32` to `i31`",
    ),
    (
        "v5 = bitcast ptr v1 to i16",
        "`bitcast` from `ptr` to `i16`",
    ),
    ("v5 = ptrtoint ptr v1 to i64", ""),
    (
        "v5 = ptrtoint i16 v0 to i64",
        "`ptrtoint` from `i16` to `i64`",
    ),
    ("v5 = inttoptr i8 v4 to ptr", ""),
    (
        "v5 = inttoptr i16 v0 to i16",
        "`inttoptr` from `i16` to `i16`",
    ),
    // Memory.
    ("v5 = address v1, v0 * 2 + 1", ""),
    ("v5 = address v0, v0 * 2 + 1", "`v0` is `i16`, not `ptr`"),
    ("v5 = address v1, v4 * 2 + 1", "`v4` is `i8`, not `i16`"),
    ("v5 = address v1, v1 * 2 + 1", "`v1` is `ptr`, not `i16`"),
    ("v5 = load i16 v0", "`v0` is `i16`, not `ptr`"),
    ("store i8 v0 to v1", "`v0` is `i16`, not `i8`"),
    ("store ptr fn0 to v1", ""),
    ("copy v1 from g0 length v0", ""),
    ("copy v1 from v0 length 2", "`v0` is `i16`, not `ptr`"),
    ("copy v1 from g0 length v1", "`v1` is `ptr`, not `i16`"),
    ("fill v1 with v4 length v0", ""),
    (
        "fill v1 with 256 length v0",
        "constant 0x100 does not fit in `i8`",
    ),
    ("fill v1 with v4 length v4", "`v4` is `i8`, not `i16`"),
    ("v5 = stack_alloc v0 align 2", ""),
    ("v5 = stack_alloc v1 align 2", "`v1` is `ptr`, not `i16`"),
    (
        "v5 = stack_alloc v0 align 3",
        "alignment 3 is not a power of two",
    ),
    ("stack_restore v0", "`v0` is `i16`, not `ptr`"),
    // Calls and services.
    ("v5 = call fn0(ptr v1) -> i16", ""),
    ("call fn2()", "no function `fn2`"),
    (
        "v5 = call fn0() -> i16",
        "call does not match the signature of `fn0`",
    ),
    (
        "v5 = call fn0(i16 v0) -> i16",
        "call does not match the signature of `fn0`",
    ),
    (
        "call fn0(ptr v1)",
        "call does not match the signature of `fn0`",
    ),
    ("v5 = call fn0(ptr v0) -> i16", "`v0` is `i16`, not `ptr`"),
    ("call fn0(ptr v1) -> i16", "defines 0 values, not 1"),
    ("v5, v6 = call_indirect v1(i16 v0) -> i16, f80", ""),
    ("call_indirect v0()", "`v0` is `i16`, not `ptr`"),
    ("service write(v0, v1, v0)", ""),
    ("service write(v0, v1, v1)", "`v1` is `ptr`, not `i16`"),
    ("service write(v0, v1)", "2 arguments, not 3"),
    ("v5 = service heap_size()", ""),
    (
        "v5: ptr = service heap_size()",
        "result `v5` is `ptr`, not `i16`",
    ),
    ("service clock()", "defines 0 values, not 1"),
];

#[test]
fn instructions() {
    for (inst, expected) in INSTRUCTIONS {
        let text = format!(
            "target \"t\" pointer 16
            global g0 \"g\" size 2 align 2
            function fn0 \"callee\" (ptr) -> i16
            function fn1 \"f\" (i16, ptr, f32, i1, i8) {{
            slot s0 size 2 align 2
            b0(v0: i16, v1: ptr, v2: f32, v3: i1, v4: i8): {inst} unreachable }}"
        );
        let site = if expected.is_empty() {
            ""
        } else {
            "fn1 b0 instruction 0: "
        };
        check(&text, &format!("{site}{expected}"));
    }
}

/// Bodies of a function with parameters `v0: i16` and `v1: i1`.
const CONTROL_FLOW: &[(&str, &str)] = &[
    ("jump b1(v0) b1(v2: i16): return", ""),
    ("jump b1", "b0 terminator: no block `b1`"),
    (
        "jump b1 b1(v2: i16): return",
        "b0 terminator: 0 arguments for `b1`, which has 1 parameter",
    ),
    (
        "jump b1(v0, v0) b1(v2: i16): return",
        "b0 terminator: 2 arguments for `b1`, which has 1 parameter",
    ),
    (
        "jump b1(v1) b1(v2: i16): return",
        "b0 terminator: `v1` is `i1`, not `i16`",
    ),
    ("return @p0", "b0 terminator: no place `p0`"),
    ("branch v1, b1, b1 b1: return", ""),
    (
        "branch v0, b1, b1 b1: return",
        "b0 terminator: `v0` is `i16`, not `i1`",
    ),
    (
        "branch 2, b1, b1 b1: return",
        "b0 terminator: constant 0x2 does not fit in `i1`",
    ),
    ("switch i16 v0 [1: b1, 0xffff: b1] else b1 b1: return", ""),
    (
        "switch i16 v1 [1: b1] else b1 b1: return",
        "b0 terminator: `v1` is `i1`, not `i16`",
    ),
    (
        "switch ptr 0 [1: b1] else b1 b1: return",
        "b0 terminator: switch on `ptr`",
    ),
    (
        "switch f32 0 [1: b1] else b1 b1: return",
        "b0 terminator: switch on `f32`",
    ),
    (
        "switch i16 v0 [0x10000: b1] else b1 b1: return",
        "b0 terminator: case 0x10000 does not fit in `i16`",
    ),
    (
        "switch i16 v0 [1: b1, 2: b1, 1: b1] else b1 b1: return",
        "b0 terminator: case 0x1 occurs twice",
    ),
    (
        "switch i16 v0 [] else b2 b1: return",
        "b0 terminator: no block `b2`",
    ),
    (
        "computed fn0:b1 [b1, b2(v0)] b1: return b2(v2: i16): return",
        "",
    ),
    (
        "computed v0 [b1] b1: return",
        "b0 terminator: `v0` is `i16`, not `ptr`",
    ),
    (
        "computed 0 [b1, b2] b1: return",
        "b0 terminator: no block `b2`",
    ),
    (
        "computed 0 [b1] b1(v2: i16): return",
        "b0 terminator: 0 arguments for `b1`, which has 1 parameter",
    ),
    ("computed 0 [b1(1), b1(1)] b1(v2: i16): return", ""),
    (
        "computed 0 [b1(1), b1(2)] b1(v2: i16): return",
        "b0 terminator: computed target `b1` occurs with different arguments",
    ),
    // Dominance.
    (
        "branch v1, b1, b2 b1: v2 = add i16 v0, 1 jump b2 b2: v3 = add i16 v2, 1 return",
        "b2 instruction 0: the definition of `v2` does not dominate this use",
    ),
    (
        "branch v1, b1, b2 b1: v2 = add i16 v0, 1 jump b3(v2) b2: jump b3(v2) b3(v3: i16): return",
        "b2 terminator: the definition of `v2` does not dominate this use",
    ),
    (
        "jump b2 b1: v2 = add i16 v3, 1 return b2: v3 = add i16 v0, 1 jump b1",
        "",
    ),
    (
        "jump b1 b1: v2 = add i16 v3, 1 jump b2 b2: v3 = add i16 v2, 1 branch v1, b1, b3 b3: return",
        "b1 instruction 0: the definition of `v3` does not dominate this use",
    ),
    (
        "v2 = add i16 v3, 1 v3 = add i16 v0, 1 return",
        "b0 instruction 0: the definition of `v3` does not dominate this use",
    ),
    (
        "jump b1(v2) b1(v2: i16): return",
        "b0 terminator: the definition of `v2` does not dominate this use",
    ),
    (
        "return b1: v2 = add i16 v3, 1 v3 = add i16 v2, 1 jump b2(v3) b2(v4: i16): return",
        "",
    ),
    (
        "jump b2 b1: v2 = add i16 v0, 1 jump b2 b2: v3 = add i16 v2, 1 return",
        "b2 instruction 0: the definition of `v2` does not dominate this use",
    ),
    // A loop.
    (
        "jump b1(v0) b1(v2: i16): v3 = sub i16 v2, 1 v4 = icmp eq i16 v3, 0 branch v4, b2, b1(v3) b2: v5 = add i16 v3, v2 return",
        "",
    ),
];

#[test]
fn control_flow() {
    for (body, expected) in CONTROL_FLOW {
        let text = format!(
            "target \"t\" pointer 16 function fn0 \"f\" (i16, i1) {{ b0(v0: i16, v1: i1): {body} }}"
        );
        let site = if expected.is_empty() { "" } else { "fn0 " };
        check(&text, &format!("{site}{expected}"));
    }
}

#[test]
fn pointer_width() {
    for bits in [16, 32, 64] {
        check(&format!("target \"t\" pointer {bits}"), "");
    }
    for bits in [0, 8, 24, 255] {
        let text = format!("target \"t\" pointer {bits} function fn0 \"f\" () {{ b0: jump b9 }}");
        check(
            &text,
            &format!("program: pointers of {bits} bits, not of 16, 32 or 64"),
        );
    }
}

#[test]
fn lengths_are_as_wide_as_pointers() {
    for bits in [16, 32, 64] {
        let int = if bits == 16 { 16 } else { 32 };
        check(
            &format!(
                "target \"t\" pointer {bits} global g0 \"g\" size 1 align 1
                function fn0 \"f\" (i{bits}, i{int}) {{
                b0(v0: i{bits}, v1: i{int}):
                v2 = address g0, v0 * 1
                copy g0 from v2 length v0
                fill g0 with 0 length v0
                v3 = stack_alloc v0 align 1
                v4 = service heap_size()
                service heap_allocated(g0, v4)
                service write(v1, g0, v0)
                v5 = service setjmp(g0)
                service longjmp(g0, v5)
                service exit(v5)
                return }}"
            ),
            "",
        );
    }
}
