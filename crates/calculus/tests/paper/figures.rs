//! The worked examples of the paper, with the sets and observations that it gives.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use brownout_calculus::attempts::Harm;
use brownout_calculus::basic::Basic;
use brownout_calculus::collect::{Printed, Taint, collect, collect_all, rewritten};
use brownout_calculus::continuous::Continuous;
use brownout_calculus::correct::{Flaw, Pauses, Scope, correct, corresponds, executions};
use brownout_calculus::example::{
    CALIBRATES_ONCE, COUNTS, FIG_2, FIG_9, IBIS_MISSES, PRINTED_RULE_FORGETS, SETS_A_FLAG,
    TRANSFERS,
};
use brownout_calculus::explore::{Choice, Outcome};
use brownout_calculus::harmless::{harmless, harmless_restart, repeatable, without_checkpoints};
use brownout_calculus::observation::every_region_matches;
use brownout_calculus::parse::parse;
use brownout_calculus::print::{names, observations};
use brownout_calculus::program::Program;
use brownout_calculus::rejection::accepted;
use brownout_calculus::report::report;
use brownout_calculus::rio::{Check, RepeatedInputs};
use brownout_calculus::state::{Configuration, Location, Observation};
use brownout_calculus::syntax::{Command, Form, Name, Names, Value};
use brownout_calculus::system::{System, asks};
use brownout_calculus::{claims, ibis, rio, war, writes};

fn program(text: &str) -> Program {
    parse(text).unwrap()
}

fn set(letters: &str) -> Names {
    letters
        .split_whitespace()
        .map(|name| Name::new(name).unwrap())
        .collect()
}

fn location(name: &str) -> Location {
    Location::variable(Name::new(name).unwrap())
}

/// The program with the same sets at all of its checkpoints.
fn saving(program: &Program, saved: &Names) -> Program {
    program.saving(&|_, _| saved.clone())
}

/// What the first checkpoint of a program saves.
fn saved(program: &Program) -> Names {
    program.command().checkpoints()[0].1.clone()
}

/// The `if` whose condition reads this.
fn branch_on(command: &Command, name: &str) -> Option<Command> {
    match command.form() {
        Form::Sequence(_, rest) => branch_on(rest, name),
        Form::Branch(condition, yes, no) => {
            if condition.reads() == set(name) {
                return Some(command.clone());
            }
            branch_on(yes, name).or_else(|| branch_on(no, name))
        }
        _ => None,
    }
}

/// §3.1, §3.2, §6.1 and Fig. 8: WAR variables {w, z}, must-writes {b, i, x}, exclusive may-writes
/// {w, y, z}, to be checkpointed {w, y, z}.
#[test]
fn the_sets_of_figures_2_and_8() {
    let fig_2 = program(FIG_2);
    assert_eq!(saved(&war::collect(&fig_2).0), set("w z"));
    assert_eq!(saved(&collect(&fig_2, Taint::Followed).0), set("w y z"));
    assert_eq!(saved(&collect_all(&fig_2).0), set("w y z"));

    let check = Check {
        volatile: Names::new(),
    };
    let branch = branch_on(fig_2.command(), "i").unwrap();
    assert_eq!(check.must_write(&set("b i"), &branch), set("b i x"));

    // Without taint, the branch on `a` counts as well: only `x` and `b` are written on all paths.
    assert_eq!(saved(&collect(&fig_2, Taint::Everywhere).0), set("i w y z"));
}

/// §6.1: to satisfy the check, N must include y, z, w; and nothing else.
#[test]
fn the_checks_ask_for_these_sets_and_no_others() {
    let fig_2 = program(FIG_2);
    assert_eq!(accepted(&saving(&fig_2, &set("w y z"))), Ok(()));
    for missing in ["w", "y", "z"] {
        let fewer = &set("w y z") - &set(missing);
        let rejection = accepted(&saving(&fig_2, &fewer)).unwrap_err();
        assert_eq!(names(&Names::from([rejection.name])), missing);
    }
    // A checkpoint of the WAR variables alone, which is what earlier systems save, misses `y`.
    let dino = saving(&fig_2, &set("w z"));
    assert_eq!(war::check(&dino), Ok(()));
    assert_eq!(rio::check(&dino).unwrap_err().rule, "RIO-Assign-Tainted");
}

/// §3.1: with nothing saved and `a` set, the second attempt reads the `w` of the first one into `x`.
#[test]
fn figure_2_a_goes_wrong_without_w() {
    let mut fig_2 = program(FIG_2);
    fig_2.nonvolatile.set(location("a"), Value::Number(1));
    let Outcome::Fails(
        schedule,
        Flaw::Observes {
            intermittent,
            continuous,
        },
    ) = correct(&fig_2, &Scope::default())
    else {
        panic!("it should read another `w`")
    };
    assert_eq!(
        schedule.iter().filter(|one| **one == Choice::Fail).count(),
        1
    );
    assert_eq!(observations(&continuous), "rd w 4");
    assert_eq!(observations(&intermittent), "rd w 9");
}

/// §3.2: with the WAR variables saved, `y` of a failed attempt is left behind.
#[test]
fn figure_2_b_goes_wrong_without_y() {
    let dino = saving(&program(FIG_2), &set("w z"));
    let Outcome::Fails(_, Flaw::Ends(differences)) = correct(&dino, &Scope::default()) else {
        panic!("it should end with another `y`")
    };
    assert_eq!(differences.len(), 1);
    assert_eq!(differences[0].location, location("y"));
    assert_eq!(differences[0].intermittent, Some(Value::Number(8)));
    assert_eq!(differences[0].continuous, Some(Value::Number(2)));
    let whole = saving(&program(FIG_2), &set("w y z"));
    assert!(correct(&whole, &Scope::default()).holds());
}

/// Takes steps as long as `go` says so, with this input.
fn walk<S: System>(
    system: &S,
    mut at: Configuration<S::Context>,
    input: i16,
    observed: &mut Vec<Observation>,
    go: impl Fn(&Configuration<S::Context>) -> bool,
) -> Configuration<S::Context> {
    while go(&at) {
        let Some((to, more)) = system.step(&at, Value::Number(input)) else {
            break;
        };
        at = to;
        observed.extend(more);
    }
    at
}

/// Fig. 6: an input at time 1, a failure after `y` for four ticks, an input at time 9; the continuous
/// execution starts at 8. The figure leaves out what conditions read.
#[test]
fn the_observations_of_figure_6() {
    let whole = saving(&program(FIG_2), &set("w y z"));
    let mut observed = Vec::new();
    let mut at = walk(&Basic, Basic.start(&whole), 0, &mut observed, |at| {
        at.time == 0
    });
    at.time = 0;
    let at = walk(&Basic, at, 2, &mut observed, |at| !at.command.is_skip());
    assert_eq!(at.time, 4, "b, i, x and y");
    let changed = at.nonvolatile.differing(&whole.nonvolatile);
    let changed: Names = changed.into_iter().map(|at| at.name).collect();
    assert_eq!(changed, set("b i x y"));

    let at = Basic.fail(&at, 3);
    let at = walk(&Basic, at, 0, &mut observed, |at| !at.command.is_skip());
    let reads = |one: &Observation| matches!(one, Observation::Read(at, _) if *at != location("z"));
    let without_conditions = |observed: &[Observation]| -> Vec<Observation> {
        observed.iter().filter(|one| !reads(one)).copied().collect()
    };
    assert_eq!(
        observations(&without_conditions(&observed)),
        "checkpoint, in(1) = 2, reboot, in(9) = 0, rd z 3"
    );

    let mut expected = Vec::new();
    let mut start = Continuous.start(&whole);
    let (after_checkpoint, _) = Continuous.step(&start, Value::Number(0)).unwrap();
    start = after_checkpoint;
    start.time = 8;
    let end = walk(&Continuous, start, 0, &mut expected, |_| true);
    assert_eq!(
        observations(&without_conditions(&expected)),
        "in(9) = 0, rd z 3"
    );
    assert!(every_region_matches(&observed, &expected));
    assert_eq!(end, at.erased());
}

/// §6.2 and §6.3: with `a` at zero the must-write and must-first-write sets of the example are the same.
/// (§6.2 says {b, x}; §6.1, §6.3 and Fig. 8 count the input's variable.)
#[test]
fn the_must_write_sets_of_section_6() {
    let fig_2 = program(FIG_2);
    let domain = Scope::default().domain;
    let mut start = Continuous.start(&fig_2);
    (start, _) = Continuous.step(&start, Value::Number(0)).unwrap();
    let written = writes::must_write(&start, &domain);
    let locations: Vec<_> = written.iter().map(ToString::to_string).collect();
    assert_eq!(locations, ["b", "i", "x"]);
    assert_eq!(writes::must_first_write(&start, &domain), written);
}

/// Fig. 9: what memory, log and checkpoint hold after line 8, and after the checkpoint at line 9.
#[test]
fn the_states_of_figure_9() {
    use brownout_calculus::redo::Redo;
    let fig_9 = program(FIG_9);
    assert!(correct(&fig_9, &Scope::default()).holds());
    let redo = Redo::default();
    let at = walk(&redo, redo.start(&fig_9), 0, &mut Vec::new(), |at| {
        at.time < 8
    });
    assert_eq!(at.nonvolatile.to_string(), "x ↦ 1, y ↦ 2, z ↦ 4");
    assert_eq!(at.context.log.to_string(), "x ↦ 2, y ↦ 1");
    let basic = walk(&Basic, Basic.start(&fig_9), 0, &mut Vec::new(), |at| {
        at.time < 8
    });
    assert_eq!(basic.nonvolatile.to_string(), "x ↦ 2, y ↦ 1, z ↦ 4");
    assert_eq!(basic.context.nonvolatile.to_string(), "x ↦ 1, y ↦ 2");

    let (rebooted, _) = redo.step(&redo.fail(&at, 1), Value::Number(0)).unwrap();
    assert!(rebooted.context.log.is_empty());
    assert_eq!(rebooted.nonvolatile.to_string(), "x ↦ 1, y ↦ 2, z ↦ 4");

    let (committed, _) = redo.step(&at, Value::Number(0)).unwrap();
    assert!(committed.context.log.is_empty());
    assert_eq!(committed.nonvolatile.to_string(), "x ↦ 2, y ↦ 1, z ↦ 4");
}

/// Fig. 10: the program as three tasks, of which `swap` initialises its local `a`.
#[test]
fn the_tasks_of_figure_10() {
    use brownout_calculus::tasks;
    let (memories, tasks) = tasks::split(&program(FIG_9));
    assert_eq!(tasks.map.len(), 3);
    assert!(tasks::initialises_locals(&tasks, &set("a")));
    assert_eq!(memories.volatile.names(), set("a"));
    let accepted = tasks::accepted(&tasks, &set("a"));
    assert_eq!(accepted, Ok(()));
    assert_eq!(
        claims::tasks(&tasks, &program(FIG_9)),
        claims::Answer::Holds
    );
}

/// §9.3: IBIS accepts, the check does not, and an execution shows why.
#[test]
fn ibis_misses_what_the_check_finds() {
    let misses = program(IBIS_MISSES);
    assert!(ibis::accepts(&misses));
    assert_eq!(rio::check(&misses).unwrap_err().rule, "RIO-Assign-Tainted");
    assert_eq!(saved(&collect(&misses, Taint::Followed).0), set("y z"));
    let Outcome::Fails(_, Flaw::Ends(differences)) = correct(&misses, &Scope::default()) else {
        panic!("`z` of a failed attempt should be left")
    };
    assert_eq!(differences[0].location, location("z"));
}

/// Lemma 5 does not hold for I/O-If-Tainted as printed.
#[test]
fn the_printed_rule_for_tainted_branches_forgets() {
    let forgets = program(PRINTED_RULE_FORGETS);
    let printed = Printed {
        volatile: Names::new(),
    };
    let (rewritten, start) = rewritten(&printed, &forgets);
    assert_eq!((saved(&rewritten), start), (set(""), set("")));
    assert_eq!(rio::check(&rewritten).unwrap_err().name, Name::letter(b'a'));
    assert!(correct(&rewritten, &Scope::default()).fails());
    assert_eq!(saved(&collect(&forgets, Taint::Followed).0), set("a"));
    assert!(matches!(
        claims::lemma_5_as_printed(&forgets),
        claims::Answer::Fails(_)
    ));
}

/// Time in Definition 1: unless continuous executions may pause (§11.2), a failure between two inputs
/// in different regions can never be explained.
#[test]
fn definition_1_needs_pauses() {
    let two = program("x := IN(); checkpoint(); y := IN()");
    let domain = Scope::default().domain;
    let executions = executions(&two, &domain, 1);
    let explained = |pauses| {
        executions
            .iter()
            .filter(|execution| corresponds(&two, execution, &domain, pauses))
            .count()
    };
    assert_eq!(explained(Pauses::Anywhere), executions.len());
    let without = explained(Pauses::Never);
    assert!(0 < without && without < executions.len());
    assert!(correct(&two, &Scope::default()).holds());
}

fn verdicts(text: &str) -> [bool; 4] {
    let program = program(text);
    let scope = Scope {
        failures: Some(3),
        ..Scope::default()
    };
    [
        correct(&program, &scope).holds(),
        repeatable(&program, &scope).holds(),
        harmless(&program, &scope).holds(),
        harmless_restart(&program, &scope).holds(),
    ]
}

/// The definitions differ: correct, repeatable, harmless, harmless under restart.
#[test]
fn the_definitions_are_told_apart() {
    assert_eq!(verdicts(SETS_A_FLAG), [false, true, true, true]);
    assert_eq!(verdicts(CALIBRATES_ONCE), [false, false, true, true]);
    assert_eq!(verdicts(COUNTS), [false, false, false, true]);
    assert_eq!(verdicts(TRANSFERS), [false, false, false, false]);
    assert_eq!(verdicts("x := 1; checkpoint(); y := 2"), [true; 4]);
}

/// `if sense() > 5 then alarm := 1` with 10, a failure, 3 is held against 3.
#[test]
fn an_alarm_of_a_failed_attempt_is_harm() {
    let alarm = program("checkpoint(); s := IN(); if s > 1 then { alarm := 1 } else { skip }");
    let Outcome::Fails(schedule, Harm::Values(differences)) = harmless(&alarm, &Scope::default())
    else {
        panic!("the alarm should be left")
    };
    assert!(schedule.contains(&Choice::Fail));
    assert_eq!(differences[0].location, location("alarm"));
}

/// A checkpoint that the second attempt goes round, with nothing lost, is no harm.
#[test]
fn a_commit_is_not_state() {
    let round = "nonvolatile w = 1; checkpoint(); if w = 1 then { w := 0; checkpoint() }";
    assert_eq!(verdicts(round)[..3], [false, false, true]);
    let lost = "nonvolatile w = 1; checkpoint(); if w = 1 then { w := 0; checkpoint(); x := 1 }";
    assert_eq!(verdicts(lost)[..3], [false, false, false]);
}

/// What the policy `restart` makes of checkpoints.
#[test]
fn restart_ignores_checkpoints() {
    let restarted = without_checkpoints(&program(FIG_9));
    assert!(restarted.command().checkpoints().is_empty());
    assert!(!asks(restarted.command()));
}

/// What `cargo xtask model FILE` says of Fig. 2 with its WAR variables saved.
#[test]
fn the_report_tells_what_is_missing_and_why() {
    let dino = saving(&program(FIG_2), &set("w z"));
    let told = report(&dino, &Scope::default());
    for line in [
        "checkpoint at point 0",
        "  saves                           w, z",
        "  read, then overwritten (WAR)    w, z",
        "  inputs decide (EMW with taint)  w, y, z",
        "  any branch decides (EMW)        i, w, y, z",
        "  missing                         y",
        "Definition 1   not correct",
        "repeatable     no: y is 8, not 2",
        "harmless       no: y is 8, not 2",
        "    2  i := IN()                  in(2) = 3                i ↦ 3",
        "    5  power fails",
    ] {
        assert!(
            told.lines().any(|one| one == line),
            "{line}\nnot in\n{told}"
        );
    }
    let whole = report(&saving(&program(FIG_2), &set("w y z")), &Scope::default());
    assert!(whole.contains("accepted: ⊩WAR c : ok and ⊩RIO c : ok"));
    assert!(!whole.contains("A schedule"));
}
