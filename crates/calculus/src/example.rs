//! The programs of the paper's figures, reconstructed from its prose: the figures themselves are not
//! part of the text that we have.

/// Figs 2, 6 and 8. Line 0 of the paper is the checkpoint.
///
/// What the prose fixes: line 1 branches on `a`, line 2 reads `w` (4) into `x`, line 4 writes `w`; `b` is
/// written, then the input `i` is read (line 6) and decides (line 7) between `x`, `y` (lines 8, 9) and
/// `x`, `z`, `w` (lines 11 to 13), where `z` (3) is read and then written. Constants, and line 3, are
/// ours.
pub const FIG_2: &str = "\
nonvolatile a = 0, b = 0, i = 0, w = 4, x = 1, y = 2, z = 3;
checkpoint();
if a > 0 then {
    x := w;
    b := 1;
    w := 9
} else {
    b := 5;
    i := IN();
    if i > 1 then {
        x := 7;
        y := 8
    } else {
        x := 6;
        z := z + 1;
        w := 5
    }
}
";

/// Figs 9 and 10: `x` and `y` are swapped through the volatile `a`.
pub const FIG_9: &str = "\
nonvolatile x, y, z;
volatile a;
x := 1;
y := 2;
z := 3;
checkpoint(x, y);
a := x;
x := y;
y := a;
z := 4;
checkpoint(y, z);
z := z + y;
y := z
";

/// §9.3: both sides may write `x`, `y` and `z`, and only one of them must.
pub const IBIS_MISSES: &str = "\
nonvolatile e, e2 = 1, x, y = 5, z = 5;
checkpoint();
e := IN();
if e > 1 then {
    x := 1;
    if e2 = 1 then {
        y := 1
    } else {
        z := 1
    }
} else {
    x := 1;
    y := 1;
    z := 1
}
";

/// §7: I/O-If-Tainted as printed forgets that `a` was written under an index that depends on an input.
pub const PRINTED_RULE_FORGETS: &str = "\
nonvolatile i, a[2];
checkpoint();
i := IN();
a[i] := 1;
if i > 1 then {
    if i > 1 then {
        skip
    } else {
        skip
    }
} else {
    if i > 1 then {
        skip
    } else {
        skip
    }
}
";

/// Repeatable, but not correct by Definition 1: the second attempt reads another value and writes the
/// same.
pub const SETS_A_FLAG: &str = "\
nonvolatile flags = 1;
checkpoint();
flags := flags | 4
";

/// Harmless, but not repeatable: the second attempt does not read the sensor again.
pub const CALIBRATES_ONCE: &str = "\
nonvolatile done, cal;
checkpoint();
if done = 0 then {
    cal := IN();
    done := 1
} else {
    skip
}
";

/// Harmful with checkpoints, harmless under restart: a boot counts or does not.
pub const COUNTS: &str = "\
nonvolatile count;
checkpoint();
count := count + 1
";

/// Harmful with checkpoints and under restart.
pub const TRANSFERS: &str = "\
nonvolatile from = 9, to;
checkpoint();
from := from - 1;
to := to + 1
";
