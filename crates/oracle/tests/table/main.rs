//! The judge is held against the table of programs, at `-O0` and at `-O1`.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "this is a test"
)]

mod compile;

use brownout_oracle::table;

#[test]
fn every_row_is_judged_as_announced() {
    let mut wrong = Vec::new();
    let mut rows = 0;
    let wanted = std::env::var("ORACLE_PROGRAM").ok();
    for entry in table::entries().expect("the programs are understood") {
        if wanted
            .as_ref()
            .is_some_and(|wanted| !entry.name.contains(wanted))
        {
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
                    let policy = row.policy.name();
                    let name = &entry.name;
                    let repetition = row.repetition;
                    wrong.push(format!(
                        "{name} {level} {policy} {repetition:?}:\n{problem}"
                    ));
                }
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {rows} rows are wrong\n{}",
        wrong.len(),
        wrong.join("\n\n")
    );
}

/// Prints every failure of a row with its verdict, for whoever looks at one program.
#[allow(
    clippy::print_stdout,
    reason = "only the program that was asked for is shown"
)]
fn show(entry: &table::Entry, row: &table::Row, program: &brownout_ir::Program) {
    let (setting, options) = entry.setting(program, row).expect("a setting");
    let subject = brownout_oracle::Subject::new(program, &setting).expect("a subject");
    println!("{} {:?} {:?}", entry.name, row.policy, row.repetition);
    for (judged, number) in brownout_oracle::judge(&subject, &options).iter().zip(0..) {
        println!("{number}: {judged:?}");
    }
}
