//! What things cost: a roll-back or a failure costs what was written since, not
//! what exists. The bounds are generous; copying memory misses them by far.

use std::time::{Duration, Instant};

use brownout_vm::Machine;

use crate::support::Setup;

/// Writes for ever to the first `bytes` (a power of two) of 64 megabytes of heap.
fn busy(bytes: u32) -> Setup {
    let mut setup = Setup::new(&format!(
        "target \"t\" pointer 32\nfunction fn0 \"main\" () {{\nb0:\n v0 = service heap_start()\n\
         service heap_allocated(v0, {bytes})\n jump b1(0)\n\
         b1(v1: i32):\n v2 = mul i32 v1, 40503\n v3 = and i32 v2, {}\n v4 = address v0, v3 * 1\n\
         v5 = load i64 v4\n v6 = add i64 v5, 1\n store i64 v6 to v4\n v7 = add i32 v1, 1\n jump b1(v7)\n}}",
        bytes - 8
    ));
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
    let setup = busy(64 << 20);
    let image = setup.image();
    let mut machine = Machine::new(&image);
    assert!(machine.memory().len() > 128 << 20);
    machine.keep_journal(true);
    machine.advance(1_000);
    let before: u64 = machine.memory().iter().map(|&byte| u64::from(byte)).sum();
    within(Duration::from_secs(10), "100,000 marks", || {
        for _ in 0..100_000 {
            let mark = machine.mark();
            let now = machine.now();
            machine.advance(now + 40);
            machine.rollback(&mark);
            assert_eq!(machine.now(), now);
        }
    });
    assert_eq!(
        machine
            .memory()
            .iter()
            .map(|&byte| u64::from(byte))
            .sum::<u64>(),
        before
    );
}

/// Starting again has to look at all of memory, but not byte by byte.
#[test]
fn rebooting_is_fast() {
    let setup = busy(1024);
    let image = setup.image();
    let mut machine = Machine::new(&image);
    let fresh = Machine::new(&image);
    within(Duration::from_secs(10), "100 reboots", || {
        for _ in 0..100 {
            let now = machine.now();
            machine.advance(now + 40);
            machine.fail_power();
        }
    });
    assert!(machine.memory() == fresh.memory());
}

#[test]
fn failing_costs_what_was_written() {
    let setup = busy(64 << 20);
    let image = setup.image();
    let mut machine = Machine::new(&image);
    machine.advance(1_000);
    machine.commit(&[]);
    within(Duration::from_secs(10), "50,000 failures", || {
        for round in 0..50_000 {
            let now = machine.now();
            machine.advance(now + 40);
            machine.fail_power();
            if round % 7 == 0 {
                machine.advance(now + 80);
                machine.commit(&[]);
            }
        }
    });
}
