//! Where two restart points describe the same start, they report the same (semantics §3.5).
//!
//! The random programs keep a checkpoint right before every input, and read some of their variables through a getter.
//! With a restart at every function, `main` and the checkpoints start the regions that they start anyway: a function that
//! is called belongs to whoever calls it. With a restart at every input, the region of an input is the one after the
//! checkpoint right before it: at least that is asked for. That the sets of the regions between checkpoints are enough is what the other tests show.

use std::fmt::Write;

use brownout_flow::Restart;

use crate::program::{Program, Random};
use crate::sets::{Question, Sets, sets_restarting};
use crate::text::text;

const PROGRAMS: u64 = 1_000;

/// The text with a checkpoint before every input and loads of variables in `main` through a getter, and how many
/// checkpoints it has.
fn changed(program: &Program) -> (String, usize) {
    let before = text(program);
    let mut checkpoints = program.checkpoints;
    let mut after = String::new();
    let mut loads = 0_usize;
    let inputs = before.matches("= call fn1() -> i16").count();
    let getter = 4 + program.checkpoints + inputs;
    for line in before.lines() {
        if line.contains("= call fn1() -> i16") {
            let _ = writeln!(after, "  call fn{}()", 4 + checkpoints);
            checkpoints += 1;
        }
        match line.split_once(" = load i16 g") {
            Some((result, global)) => {
                loads += 1;
                let _ = match loads % 2 {
                    0 => writeln!(after, "{line}"),
                    _ => writeln!(after, "{result} = call fn{getter}(ptr g{global}) -> i16"),
                };
            }
            None => {
                let _ = writeln!(after, "{line}");
            }
        }
    }
    for number in program.checkpoints..checkpoints {
        let _ = writeln!(
            after,
            "function fn{} \"checkpoint{number}\" () exported\n",
            4 + number
        );
    }
    let _ = writeln!(
        after,
        "function fn{getter} \"get\" (ptr) -> i16 {{\nb0(v0: ptr):\n  v1 = load i16 v0\n  return v1\n}}"
    );
    (after, checkpoints)
}

#[test]
fn restart_points_that_coincide_report_the_same() {
    let (mut words, mut more) = (0, 0);
    for seed in 0..PROGRAMS {
        let mut random = Random::new(seed + 1);
        let program = match seed % 2 {
            0 => Program::random(&mut random),
            _ => Program::repeating(&mut random),
        };
        let (text, checkpoints) = changed(&program);
        for question in [Question::Saved, Question::Reported] {
            let sets = |restart| sets_restarting(&text, checkpoints, question, restart);
            let boundary = sets(Restart::Boundary);
            assert_eq!(sets(Restart::Function), boundary, "program {seed}\n{text}");
            let is_input = |at: &Option<usize>| at.is_some_and(|at| at >= program.checkpoints);
            let before_inputs: Sets = boundary
                .iter()
                .filter(|(at, _)| is_input(at))
                .map(|(at, words)| (*at, words.clone()))
                .collect();
            let input = sets(Restart::Input);
            assert!(
                input.keys().eq(before_inputs.keys()),
                "program {seed}\n{text}"
            );
            for (at, needed) in &before_inputs {
                assert!(
                    needed.is_subset(&input[at]),
                    "program {seed}: {input:?} instead of {before_inputs:?}\n{text}"
                );
                words += needed.len();
                more += input[at].difference(needed).count();
            }
        }
    }
    // The programs are worth testing: many inputs need a checkpoint that saves something.
    assert!(words > 1_000, "only {words} words are asked for");
    // A region that begins inside a loop does not know what the loop as a whole overwrites.
    assert!(more * 100 < words, "{more} words more than {words}");
}
