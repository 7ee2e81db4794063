//! Profiles: what they say of the functions that a program has, and who wins.

#![allow(clippy::expect_used, reason = "tests")]

use brownout_scenario::{
    Config, FunctionFacts, Parameter, Profile, ProgramFacts, Scenario, Source, ValueSource,
};

use Parameter::{Pointer, Value};

/// A function without a body.
fn external<'a>(name: &'a str, parameters: &'a [Parameter]) -> FunctionFacts<'a> {
    FunctionFacts {
        name,
        parameters,
        ..FunctionFacts::default()
    }
}

fn defined(name: &str) -> FunctionFacts<'_> {
    FunctionFacts {
        name,
        defined: true,
        ..FunctionFacts::default()
    }
}

/// What a configuration with a profile of the user's own means for a library.
fn resolve(config: &str, profile: &str, functions: &[FunctionFacts<'_>]) -> Scenario {
    let mut config = Config::parse(config).expect("a right configuration");
    for name in config
        .missing_files()
        .into_iter()
        .map(str::to_owned)
        .collect::<Vec<_>>()
    {
        config.supply(&name, profile).expect("a right profile");
    }
    let facts = ProgramFacts {
        functions,
        is_library: true,
        ..ProgramFacts::default()
    };
    Scenario::resolve(&config, &facts).expect("a scenario")
}

fn inputs(scenario: &Scenario) -> Vec<&str> {
    let inputs = scenario.inputs.iter();
    inputs.map(|input| input.source.name()).collect()
}

const PROFILE: &str = "profile = ['mine.toml']";

#[test]
fn what_the_program_lacks_is_left_out() {
    let functions = [
        external("bus_read", &[Value, Pointer, Value]),
        defined("get"),
    ];
    let profile = "
        ignore = ['bus_wait', 'nowhere_*']
        [[input]]
        function = 'bus_read'
        fills = 'arg1'
        length = 'arg2'
        [[input]]
        function = 'other_read'
        [[output]]
        register = 'P1OUT'
    ";
    let scenario = resolve(PROFILE, profile, &functions);
    assert_eq!(inputs(&scenario), ["bus_read"]);
    assert!(scenario.ignore.is_empty() && scenario.outputs.is_empty());
    assert_eq!(scenario.profiles[0].describes, ["bus_read"]);
}

#[test]
fn a_body_says_more_than_a_profile() {
    let functions = [defined("bus_read"), defined("wait")];
    let profile = "ignore = ['wait']\n[[input]]\nfunction = 'bus_read'";
    let scenario = resolve(PROFILE, profile, &functions);
    assert!(scenario.inputs.is_empty() && scenario.ignore.is_empty());
    assert!(!scenario.profiles[0].is_recognised);
}

#[test]
fn what_is_said_wins_over_profiles_and_the_first_profile_over_others() {
    let functions = [external("a", &[]), external("b", &[]), external("c", &[])];
    let config = "
        profile = ['mine.toml', 'freertos']
        ignore = ['c']
        [[input]]
        function = 'a'
        constant = 7
    ";
    let profile = "
        [[input]]
        function = '?'
        constant = 1
    ";
    let scenario = resolve(config, profile, &functions);
    let values: Vec<(&str, &ValueSource)> = scenario
        .inputs
        .iter()
        .map(|input| (input.source.name(), &input.values))
        .collect();
    assert_eq!(
        values,
        [
            ("a", &ValueSource::Constant(7)),
            ("b", &ValueSource::Constant(1))
        ]
    );
    assert_eq!(scenario.ignore, ["c"]);
}

#[test]
fn of_several_prototypes_the_one_that_fits() {
    let old = [external(
        "struct bme280_dev.read",
        &[Value, Value, Pointer, Value],
    )];
    let new = [external(
        "struct bme280_dev.read",
        &[Value, Pointer, Value, Pointer],
    )];
    let neither = [external("struct bme280_dev.read", &[Value, Value])];
    let config = "profile = ['bosch']";
    let filled = |functions: &[FunctionFacts<'_>]| {
        let scenario = resolve(config, "", functions);
        let fill = scenario.inputs.first()?.fills.as_ref();
        fill.map(brownout_scenario::Fill::names)
    };
    assert_eq!(filled(&old).as_deref(), Some("arg2"));
    assert_eq!(filled(&new).as_deref(), Some("arg1"));
    assert_eq!(filled(&neither), None);
}

#[test]
fn marks_are_what_a_profile_is_recognised_by() {
    let config = "profile = ['arduino']";
    let only_delay = resolve(config, "", &[external("delay", &[Value])]);
    assert_eq!(only_delay.ignore, ["delay"]);
    assert!(!only_delay.profiles[0].is_recognised);
    let with_pins = [
        external("delay", &[Value]),
        external("analogRead", &[Value]),
    ];
    assert!(resolve(config, "", &with_pins).profiles[0].is_recognised);
}

#[test]
fn tasks_and_checkpoints_come_from_profiles_too() {
    let functions = [defined("task_a"), defined("main"), external("commit", &[])];
    let profile = "[power]\ncheckpoints = ['commit']";
    let scenario = resolve(PROFILE, profile, &functions);
    assert_eq!(scenario.power.checkpoints, ["commit"]);
    let profile = "[power]\ntasks = ['task_*']";
    let scenario = resolve(PROFILE, profile, &functions);
    assert_eq!(scenario.power.tasks, ["task_a"]);
}

#[test]
fn what_is_wrong_is_told_where_it_is() {
    let mut config = Config::parse(PROFILE).expect("right");
    let errors = config.supply("mine.toml", "ignore = []\n\nchip = 'x'");
    let errors = errors.expect_err("profiles have no chip");
    let error = errors.first().expect("one");
    assert_eq!(
        format!("{}: {error}", error.place),
        "3:1: unknown key `chip`"
    );
    assert!(matches!(
        error.place,
        brownout_scenario::Place::Profile { number: 0, .. }
    ));
    assert_eq!(config.profile(0), Some("mine.toml"));

    let errors = Config::parse("profile = ['stm32hal']").expect_err("no such profile");
    let text = errors[0].to_string();
    assert!(text.ends_with("did you mean `stm32-hal`?"), "{text}");
}

#[test]
fn members_need_no_struct_in_front() {
    let functions = [external(
        "struct stmdev_ctx_t.read_reg",
        &[Pointer, Value, Pointer, Value],
    )];
    let config = "[[input]]\npointer = 'stmdev_ctx_t.read_reg'\nconstant = 1";
    let scenario = resolve(config, "", &functions);
    let source = Source::Function("struct stmdev_ctx_t.read_reg".to_owned());
    assert_eq!(scenario.inputs[0].source, source);
}

#[test]
fn runtime_files() {
    let scenario = resolve("runtime = ['libchain/*']", "", &[defined("f")]);
    assert!(scenario.is_runtime("/src/libchain/chain.c"));
    assert!(!scenario.is_runtime("/src/app/main.c"));
}

#[test]
fn all_profiles_hold_together() {
    let names: Vec<&str> = Profile::all().iter().map(|profile| profile.name).collect();
    let config = format!("profile = {names:?}");
    // Patterns and names of one profile are no errors in any program.
    let scenario = resolve(
        &config,
        "",
        &[defined("main"), external("HAL_Delay", &[Value])],
    );
    assert_eq!(scenario.profiles.len(), names.len());
    assert_eq!(scenario.ignore, ["HAL_Delay"]);
}
