//! The judge is held against the table of programs, at `-O0` and at `-O1`; and the table is known to
//! speak of every clause of the definition, because without it some row is judged wrongly.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "this is a test"
)]

mod clauses;
mod compile;

use brownout_oracle::table::{self, Entry, Row};

/// What a row is called in messages.
fn title(entry: &Entry, level: &str, row: &Row) -> String {
    let (name, policy) = (&entry.name, row.policy.name());
    format!("{name} {level} {policy} {:?}", row.repetition)
}

/// Set `ORACLE_PROGRAM` to part of a name to see every failure of those programs.
#[test]
fn every_row_is_judged_as_announced() {
    let mut wrong = Vec::new();
    let mut rows = 0;
    let wanted = std::env::var("ORACLE_PROGRAM").ok();
    for entry in table::entries().expect("the programs are understood") {
        if (wanted.as_ref()).is_some_and(|wanted| !entry.name.contains(wanted)) {
            continue;
        }
        for level in ["-O0", "-O1"] {
            let program = compile::compile(&entry.path, level);
            for row in &entry.rows {
                rows += 1;
                if wanted.is_some() {
                    show(&entry, row, &program);
                }
                if let Err(problem) = entry.check(&program, row, None) {
                    wrong.push(format!("{}:\n{problem}", title(&entry, level, row)));
                }
            }
        }
    }
    let count = wrong.len();
    assert!(
        wrong.is_empty(),
        "{count} of {rows} rows are wrong\n{}",
        wrong.join("\n\n")
    );
}

/// Prints every failure of a row with its verdict, for whoever looks at one program.
#[allow(clippy::print_stdout, reason = "only what was asked for is shown")]
fn show(entry: &Entry, row: &Row, program: &brownout_ir::Program) {
    let (setting, options) = entry.setting(program, row).expect("a setting");
    let subject = brownout_oracle::Subject::new(program, &setting).expect("a subject");
    println!("{} {:?} {:?}", entry.name, row.policy, row.repetition);
    for (judged, number) in brownout_oracle::judge(&subject, &options).iter().zip(0..) {
        println!("{number}: {judged:?}");
    }
}
