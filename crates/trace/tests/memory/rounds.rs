//! Loops without end: stopping when nothing new happens finds what ten times as much patience finds.
//!
//! Generated main loops do several jobs, each only every so many rounds, some only when another one
//! has been done so many times. None waits longer than patience lasts; what waits longer is not promised.

use std::collections::BTreeSet;
use std::fmt::Write;

use brownout_explore::{Exposure, Patience};
use brownout_trace::{Scope, locate};
use brownout_vm::{Image, Loops, Unobserved};
use proptest::prelude::{Strategy, any};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use crate::support::{Case, Keeps};

/// Enough for the periods that are generated, which nest.
const PATIENCE: Patience = Patience {
    rounds: 64,
    instructions: 1_000_000,
};

/// Something that a main loop does now and then.
#[derive(Clone, Debug)]
struct Job {
    /// It is done once in so many rounds, or once in so many times that the job before it is done.
    period: u16,
    /// Whether it counts how often the job before it was done.
    follows: bool,
    /// Which variables it reads and writes.
    reads: u8,
    writes: u8,
    /// Whether a checkpoint is called before or after it.
    commits: bool,
}

fn jobs() -> impl Strategy<Value = Vec<Job>> {
    let job = (1..40_u16, any::<bool>(), 0..3_u8, 0..3_u8, any::<bool>());
    let job = job.prop_map(|(period, follows, reads, writes, commits)| Job {
        period,
        follows,
        reads,
        writes,
        commits,
    });
    proptest::collection::vec(job, 1..5)
}

/// The text of a main loop. Globals 0 to 2 are non-volatile, the others count.
fn text(jobs: &[Job]) -> String {
    let mut text = String::from("target \"msp430\" pointer 16\n");
    for global in 0..3 + jobs.len() {
        let _ = writeln!(text, "global g{global} \"x{global}\" size 2 align 2 = {{}}");
    }
    text.push_str("function fn0 \"main\" () -> i16 exported {\nb0:\n  jump b1\nb1:\n");
    text.push_str("  call fn1()\n");
    let mut value = 0;
    // Where the blocks of nested jobs go on.
    let mut after = Vec::new();
    let mut next = 2;
    for (number, job) in jobs.iter().enumerate() {
        if !job.follows {
            while let Some(open) = after.pop() {
                let _ = writeln!(text, "  jump b{open}\nb{open}:");
            }
        }
        let counter = 3 + number;
        let (doing, done) = (next, next + 1);
        next += 2;
        let _ = writeln!(text, "  v{value} = load i16 g{counter}");
        let _ = writeln!(text, "  v{} = add i16 v{value}, 1", value + 1);
        let _ = writeln!(text, "  store i16 v{} to g{counter}", value + 1);
        let _ = writeln!(
            text,
            "  v{} = icmp uge i16 v{}, {}",
            value + 2,
            value + 1,
            job.period
        );
        let _ = writeln!(
            text,
            "  branch v{}, b{doing}, b{done}\nb{doing}:",
            value + 2
        );
        let _ = writeln!(text, "  store i16 0 to g{counter}");
        let _ = writeln!(text, "  v{} = load i16 g{}", value + 3, job.reads);
        let _ = writeln!(text, "  v{} = add i16 v{}, 3", value + 4, value + 3);
        if job.commits {
            text.push_str("  call fn1()\n");
        }
        let _ = writeln!(text, "  store i16 v{} to g{}", value + 4, job.writes);
        value += 5;
        after.push(done);
    }
    while let Some(open) = after.pop() {
        let _ = writeln!(text, "  jump b{open}\nb{open}:");
    }
    text.push_str("  jump b1\n}\nfunction fn1 \"checkpoint\" ()\n");
    in_order(&text)
}

/// The same program with its blocks numbered as they come.
fn in_order(text: &str) -> String {
    let labels = text.lines().filter_map(|line| line.strip_suffix(':'));
    let labels: Vec<&str> = labels.collect();
    let renamed = |word: &str| match labels.iter().position(|label| *label == word) {
        Some(number) => format!("b{number}"),
        None => word.to_owned(),
    };
    let is_end = |letter: char| !letter.is_ascii_alphanumeric();
    let pieces = text.split_inclusive(is_end);
    pieces
        .map(|piece| {
            let word = piece.trim_end_matches(is_end);
            renamed(word) + &piece[word.len()..]
        })
        .collect()
}

/// The pairs that are found, and whether the loop was ended because nothing new happened.
fn pairs(
    image: &Image,
    exposure: Exposure,
    patience: Patience,
) -> (BTreeSet<(u32, u32, bool)>, bool) {
    let scope = Scope {
        exposure,
        saved: &[],
        extra: None,
        detailed: brownout_trace::DETAILED,
        limit: 100_000_000,
        patience,
    };
    let located = locate(image, scope, &|| false, &mut Unobserved);
    let hazards = located.hazards.iter();
    let pairs = hazards.map(|hazard| (hazard.consumer, hazard.producer, hazard.silent));
    let is_ended = located.rounds.is_some() || located.standstill.is_some();
    (pairs.collect(), is_ended)
}

#[test]
fn stopping_early_misses_nothing() {
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[21; 32]);
    let config = Config {
        cases: 40,
        failure_persistence: None,
        ..Config::default()
    };
    let result = TestRunner::new_with_rng(config, rng).run(&jobs(), |jobs| {
        let keeps = Keeps {
            globals: vec![0, 1, 2],
            stack: false,
            heap: false,
            saved: Vec::new(),
        };
        let case = Case::with_loop_heads(&text(&jobs), &keeps);
        for exposure in [Exposure::Region, Exposure::Anywhere { depth: 200 }] {
            let (early, is_ended) = pairs(&case, exposure, PATIENCE);
            let (late, _) = pairs(&case, exposure, PATIENCE.times(10));
            assert!(is_ended, "{}", text(&jobs));
            assert_eq!(early, late, "{}", text(&jobs));
        }
        Ok(())
    });
    if let Err(error) = result {
        panic!("{error}");
    }
}

impl Case {
    /// A program whose loops are known, which need not end.
    fn with_loop_heads(text: &str, keeps: &Keeps) -> Image {
        Self::image(text, keeps, |program, start, bindings| {
            bindings.loop_heads = Loops::new(program, start).heads().clone();
        })
    }
}
