//! What things cost: a roll-back or a failure costs what was written since, not
//! what exists. The bounds are generous; copying memory misses them by far.

use std::time::{Duration, Instant};

use brownout_vm::{Machine, Unobserved};

use crate::support::Setup;

/// Writes to 64 megabytes of heap for ever.
fn busy() -> Setup {
    let mut setup = Setup::new(
        "target \"t\" pointer 32\nfunction fn0 \"main\" () {\nb0:\n v0 = service heap_start()\n\
         v1 = service heap_size()\n service heap_allocated(v0, v1)\n jump b1(0)\n\
         b1(v2: i32):\n v3 = mul i32 v2, 40503\n v4 = and i32 v3, 0x3fffff8\n v5 = address v0, v4 * 1\n\
         v6 = load i64 v5\n v7 = add i64 v6, 1\n store i64 v7 to v5\n v8 = add i32 v2, 1\n jump b1(v8)\n}",
    );
    setup.plan.heap_size = None;
    setup.plan.stack_size = None;
    setup
}

fn within(limit: Duration, what: &str, action: impl FnOnce()) {
    let start = Instant::now();
    action();
    assert!(start.elapsed() < limit, "{what} took {:?}", start.elapsed());
}

#[test]
fn rolling_back_costs_what_was_written() {
    let setup = busy();
    let image = setup.image();
    let mut machine = Machine::new(&image);
    assert!(machine.memory().len() > 128 << 20);
    machine.keep_journal(true);
    machine.run(&mut Unobserved, 1_000);
    let before: u64 = machine.memory().iter().map(|&byte| u64::from(byte)).sum();
    within(Duration::from_secs(10), "100,000 marks", || {
        for _ in 0..100_000 {
            let mark = machine.mark();
            let now = machine.now();
            machine.run(&mut Unobserved, now + 40);
            machine.rollback(&mark);
            assert_eq!(machine.now(), now);
        }
    });
    assert_eq!(machine.memory().iter().map(|&byte| u64::from(byte)).sum::<u64>(), before);
}

#[test]
fn failing_costs_what_was_written() {
    let setup = busy();
    let image = setup.image();
    let mut machine = Machine::new(&image);
    machine.run(&mut Unobserved, 1_000);
    machine.commit(&[]);
    within(Duration::from_secs(10), "50,000 failures", || {
        for round in 0..50_000 {
            let now = machine.now();
            machine.run(&mut Unobserved, now + 40);
            machine.fail_power();
            if round % 7 == 0 {
                machine.run(&mut Unobserved, now + 80);
                machine.commit(&[]);
            }
        }
    });
}
