//! `brownout dump memory`: what people ask first.

use expect_test::expect;

use crate::{printed, ran, scratch};

#[test]
fn every_object_with_its_reason() {
    let scratch = scratch();
    let text = "\
#include <brownout.h>

BROWNOUT_NV int count;
__attribute__((section(\".fram\"))) long history[4];
__attribute__((section(\".fram\"))) int mode;
int scratchpad[8];
static const char name[6] = \"hello\";
extern volatile int P1OUT;

int main(void)
{
    brownout_checkpoint_with(&count, sizeof count);
    count = count + scratchpad[0] + name[count & 1];
    history[1] = count;
    P1OUT = mode;
    return 0;
}
";
    scratch.file("program.c", text).unwrap();
    let config = "[memory]\nnonvolatile = [\"section:.fram\", \"symbol:count\"]\nstack-size = 512\nheap-size = 256\n[power]\nsaves = [\"mode\"]\n";
    scratch.file("brownout.toml", config).unwrap();
    let table = printed(0, scratch.path(), &["dump", "memory", "program.c"]);
    expect![[r#"
        segment    object      bytes  kept as          because                               saved by
        .fram      history        16  non-volatile     section `.fram` is non-volatile       never
        .fram      mode            2  non-volatile     section `.fram` is non-volatile       every checkpoint
        constants  name            6  constant         never written                         needs none
        globals    count           2  non-volatile     BROWNOUT_NV                           program.c:12:5
        globals    scratchpad     16  volatile         nothing says that it is non-volatile  every checkpoint
        registers  P1OUT           2  device register  declared only                         never
        stack                    512  volatile         nothing says that it is non-volatile  every checkpoint
        heap                     256  volatile         nothing says that it is non-volatile  every checkpoint

        segment               objects  bytes
        .fram                       2     18
        constants                   1      6
        globals                     2     18
        C library, alignment              38
        stack                            512  10 used in this run
        heap                             256  0 used in this run
        in all                           848  of 65536 that the device can address
        non-volatile: 20 bytes
    "#]].assert_eq(&table);
}

#[test]
fn a_program_that_does_not_end_is_seen_in_part() {
    let scratch = scratch();
    scratch
        .file("program.c", "int n;\nint main(void) { for (;;) n++; }\n")
        .unwrap();
    let ended = ran(0, scratch.path(), &["dump", "memory", "program.c"]);
    let text = String::from_utf8(ended.stdout).unwrap();
    assert!(text.contains("the program had not exited"), "{text}");
    assert!(text.contains("all globals are non-volatile"), "{text}");
}
