//! What repeating an output does, against doing every region twice on paper.

use std::cell::Cell;
use std::fmt::Write as _;

use brownout_diag::Repetition;
use brownout_scenario::ValueSource;
use brownout_trace::check_outputs;

use crate::support::{
    INPUTS, LONG, OUTPUTS, Statement, for_lists, image, scenario, statements, text,
};

/// An effect: which of three values changes, and how.
#[derive(Clone, Copy)]
struct Change {
    value: usize,
    operator: &'static str,
}

impl Change {
    fn apply(self, values: &mut [i64; 3], arg: i64) {
        let value = &mut values[self.value];
        *value = match self.operator {
            "=" => arg,
            "+=" => value.wrapping_add(arg),
            "|=" => *value | arg,
            "^=" => *value ^ arg,
            other => panic!("{other}"),
        };
    }
}

/// The oracle: every region once and then again up to each output.
fn repetitions(statements: &[Statement], changes: &[Change]) -> Vec<Repetition> {
    let mut verdicts = Vec::new();
    let mut values = [0, 3, 5];
    let mut start = values;
    let mut region: Vec<(Change, i64)> = Vec::new();
    for statement in statements {
        match *statement {
            Statement::Checkpoint => {
                start = values;
                region.clear();
            }
            Statement::Output { arg } if verdicts.len() < OUTPUTS => {
                let change = changes[verdicts.len()];
                region.push((change, arg as i64));
                values = start;
                region
                    .iter()
                    .for_each(|(change, arg)| change.apply(&mut values, *arg));
                let mut again = values;
                region
                    .iter()
                    .for_each(|(change, arg)| change.apply(&mut again, *arg));
                verdicts.push(if again[change.value] == values[change.value] {
                    Repetition::Absolute
                } else {
                    Repetition::Relative
                });
            }
            _ => {}
        }
    }
    verdicts
}

#[test]
fn verdicts_are_those_of_executing_every_region_again() {
    let seen = Cell::new((0, 0));
    for_lists(300, 23, |list| {
        let statements = statements(list);
        let changes: Vec<Change> = (0..OUTPUTS)
            .map(|output| {
                let choice = list[output % list.len()] >> 40;
                Change {
                    value: (choice % 3) as usize,
                    operator: ["=", "+=", "|=", "^="][(choice / 3 % 4) as usize],
                }
            })
            .collect();
        let mut config = String::from(
            "[power]\ncheckpoints = ['checkpoint']\n[environment]\na = 0\nb = 3\nc = 5\n",
        );
        for (output, change) in changes.iter().enumerate() {
            let name = ["a", "b", "c"][change.value];
            let effect = format!("{name} {} arg0", change.operator);
            let _ = writeln!(
                config,
                "[[output]]\nfunction = 'out{output}'\neffect = '{effect}'"
            );
        }
        let scenario = scenario(&config);
        let values = vec![ValueSource::Constant(1); INPUTS];
        let image = image(&text(&statements), &scenario, values);
        let checked = check_outputs(&image, &scenario, &[], LONG, &|| false);
        if !checked.complete || !checked.falsified.is_empty() {
            return Err(format!("{checked:#?}"));
        }
        let theirs = repetitions(&statements, &changes);
        let mut ours: Vec<(usize, Repetition)> = checked
            .behaviours
            .iter()
            .map(|row| (row.output[3..].parse().expect("outN"), row.repetition))
            .collect();
        ours.sort_unstable();
        let theirs: Vec<(usize, Repetition)> = theirs.into_iter().enumerate().collect();
        if ours != theirs {
            return Err(format!("{ours:?}, expected {theirs:?}\n{config}"));
        }
        for (_, repetition) in ours {
            let (absolute, relative) = seen.get();
            seen.set(match repetition {
                Repetition::Absolute => (absolute + 1, relative),
                _ => (absolute, relative + 1),
            });
        }
        Ok(())
    });
    let (absolute, relative) = seen.get();
    assert!(absolute > 100 && relative > 100, "{absolute} {relative}");
}
