//! Leaving out any one clause of the definition makes some row of the table wrong.

use brownout_oracle::{Clause, table};

use crate::compile::compile;

/// For each clause a program that needs it.
const NEEDED_BY: &[(Clause, &str)] = &[
    (Clause::QuietMoments, "calibration"),
    (Clause::MomentBefore, "one_job"),
    (Clause::MomentAfter, "count_and_open"),
    (Clause::LoopHeads, "set_up_reads"),
    (Clause::Computations, "sum_once"),
    (Clause::SetUp, "sum_of_samples"),
    (Clause::LaterVisits, "lost_minute"),
    (Clause::OtherRounds, "transfers_in_a_loop"),
    (Clause::SameInputsFromBoot, "set_up_reads"),
    (Clause::OtherReadings, "poll_not_asked_for"),
    (Clause::SentAgain, "sent_until_answer"),
    (Clause::LaterCommits, "formatted"),
    (Clause::Registers, "register"),
    (Clause::OverwrittenFirst, "left_over"),
    (Clause::Untouched, "count_and_open"),
    (Clause::LeftOver, "message_of_each_boot"),
    (Clause::NoStackAtEnd, "nonvolatile_stack"),
    (Clause::Ignored, "pages"),
    (Clause::Aware, "tries"),
    (Clause::AwareFlows, "boots"),
    (Clause::InputsByPlace, "alarm"),
    (Clause::ReadingsOfFailed, "calibration"),
    (Clause::LostReading, "three_samples"),
    (Clause::RestReadsAlike, "boots_then_calibration"),
    (Clause::ListsAreNoState, "calibration_early"),
    (Clause::OutputsRepeat, "sent_then_remembered"),
    (Clause::OutputsLeftOut, "sent_then_remembered"),
    (Clause::ShownInstead, "accounts_shown_at_boot"),
    (Clause::OutputsLost, "counted_then_messages"),
    (Clause::OutputsUnexpected, "reactive_levels_kept"),
    (Clause::OwnReadings, "reading_sent"),
    (Clause::AtMostOnce, "pill_then_remembered"),
    (Clause::TornStores, "torn"),
    (Clause::Saved, "count_saved_and_open"),
    (Clause::TasksLoseVolatile, "tasks_plain_global"),
    (Clause::AnyCheckpoint, "conditional"),
    (Clause::Cause, "count_and_open"),
];

#[test]
fn every_clause_is_needed() {
    let entries = table::entries().expect("the programs are understood");
    let mut problems = Vec::new();
    for clause in Clause::ALL {
        let named = NEEDED_BY.iter().find(|(needed, _)| *needed == clause);
        let entry = named.and_then(|(_, name)| entries.iter().find(|entry| entry.name == *name));
        let Some(entry) = entry else {
            problems.push(format!("no program is named for {clause:?}"));
            continue;
        };
        let is_wrong = ["-O0", "-O1"].into_iter().any(|level| {
            let program = compile(&entry.path, level);
            (entry.rows.iter()).any(|row| entry.check(&program, row, Some(clause)).is_err())
        });
        if !is_wrong {
            problems.push(format!("{} does not need {clause:?}", entry.name));
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}
