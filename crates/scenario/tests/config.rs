//! Texts and settings with the errors that they give, as data.

#![expect(
    clippy::expect_used,
    reason = "test helpers outside of `#[test]` functions"
)]

use brownout_scenario::{Config, ConfigError};

/// The configuration of the interface, with everything that was added to it.
const FULL: &str = include_str!("full.toml");

fn render(error: &ConfigError) -> String {
    format!("{}: {error}", error.place)
}

fn errors(text: &str) -> Vec<String> {
    match Config::parse(text) {
        Ok(_) => Vec::new(),
        Err(errors) => errors.iter().map(render).collect(),
    }
}

#[track_caller]
fn check(text: &str, expected: &[&str]) {
    assert_eq!(errors(text), expected, "in\n{text}");
}

#[test]
fn the_documented_configuration_is_right() {
    check(FULL, &[]);
    check("", &[]);
    check("# nothing\n", &[]);
    check("\u{feff}entry = 'main'", &[]);
    check("[memory]\nnonvolatile = []\n[power]\nsaves = 'all'", &[]);
    check(
        "[memory]\nnonvolatile = ['stack', '!heap', 'section:.nv', '! symbol:tmp_*']",
        &[],
    );
    check("input = [{ function = 'read', constant = 5 }]", &[]);
    check("memory.stack-size = 0x800", &[]);
}

#[test]
fn unknown_keys() {
    let cases = [
        (
            "[memory]\nnonvolatil = ['globals']",
            "2:1: unknown key `memory.nonvolatil`, did you mean `memory.nonvolatile`?",
        ),
        (
            "[memory]\natomic_write = 2",
            "2:1: unknown key `memory.atomic_write`, did you mean `memory.atomic-write`?",
        ),
        (
            "[memroy]\nx = 1",
            "1:2: unknown key `memroy`, did you mean `memory`?",
        ),
        (
            "entri = 'main'",
            "1:1: unknown key `entri`, did you mean `entry`?",
        ),
        ("colour = 'red'", "1:1: unknown key `colour`"),
        (
            "execution-depth = 3",
            "1:1: unknown key `execution-depth`, did you mean `power.execution-depth`?",
        ),
        (
            "[power]\nentry = 'main'",
            "2:1: unknown key `power.entry`, did you mean `entry`?",
        ),
        (
            "[[input]]\nfunction = 'f'\nvalue = [1]",
            "3:1: unknown key `input.value`, did you mean `input.values`?",
        ),
        (
            "[[inputs]]\nfunction = 'f'",
            "1:3: unknown key `inputs`, did you mean `input`?",
        ),
    ];
    for (text, expected) in cases {
        check(text, &[expected]);
    }
}

#[test]
fn wrong_types() {
    let cases = [
        (
            "entry = 3",
            "1:9: `entry` must be a string, found an integer without quotes",
        ),
        ("entry = ''", "1:9: `entry` is empty"),
        (
            "memory = 3",
            "1:10: `memory` must be a table, found an integer",
        ),
        (
            "[memory]\nnonvolatile = 'globals'",
            "2:15: `memory.nonvolatile` must be a list of strings, found a string",
        ),
        (
            "[memory]\nnonvolatile = ['globals', 3]",
            "2:27: `memory.nonvolatile` must be a list of strings, found an integer",
        ),
        (
            "[memory]\nstack-size = 2.5",
            "2:14: `memory.stack-size` must be an integer, found a number with a fraction",
        ),
        (
            "[power]\nexecution-depth = '3000'",
            "2:19: `power.execution-depth` must be an integer, found a string",
        ),
        (
            "[power]\npolicy = true",
            "2:10: `power.policy` must be a string, found true or false",
        ),
        (
            "[power]\nsaves = 'some'",
            "2:9: `power.saves` must be a list of strings, found a string",
        ),
        (
            "[energy]\ncurrent = [1]",
            "2:11: `energy.current` must be a number or a string with a unit, found a list",
        ),
        (
            "[input]\nfunction = 'f'",
            "1:1: `input` must be a list of tables, as in `[[input]]`, found a table",
        ),
        (
            "input = [3]",
            "1:10: `input` must be a list of tables, as in `[[input]]`, found an integer",
        ),
        (
            "[[input]]\nfunction = 'f'\nvalues = 3",
            "3:10: `input.values` must be a list of integers, found an integer",
        ),
        (
            "[[input]]\nfunction = 'f'\nvalues = [1, 'b']",
            "3:14: `input.values` must be an integer, found a string",
        ),
        (
            "[environment]\nangle = 1.5",
            "2:9: `environment.angle` must be an integer, found a number with a fraction",
        ),
        (
            "[[variable]]\nname = 'n'\nintermittence-aware = 'yes'",
            "3:23: `variable.intermittence-aware` must be true or false, found a string",
        ),
        (
            "consistent = ['a', 1]",
            "1:20: `consistent` must be a list of lists of strings, found an integer",
        ),
        (
            "consistent = 3",
            "1:14: `consistent` must be a list of lists of strings, found an integer",
        ),
        (
            "entry = 2026-01-01",
            "1:9: `entry` must be a string, found a date",
        ),
    ];
    for (text, expected) in cases {
        check(text, &[expected]);
    }
}

#[test]
fn bounds_and_words() {
    let cases = [
        (
            "[memory]\natomic-write = 0",
            "2:16: `memory.atomic-write` is 0, must be between 1 and 64",
        ),
        (
            "[memory]\natomic-write = -2",
            "2:16: `memory.atomic-write` is -2, must be between 1 and 64",
        ),
        (
            "[memory]\nstack-size = 99999999999",
            "2:14: `memory.stack-size` is 99999999999, must be between 1 and 1073741824",
        ),
        (
            "[memory]\nheap-size = 99999999999999999999999",
            "2:13: `memory.heap-size` is 99999999999999999999999, must be between 1 and 1073741824",
        ),
        (
            "[power]\nexecution-depth = 0",
            "2:19: `power.execution-depth` is 0, must be at least 1",
        ),
        (
            "[power]\npolicy = 'statik'",
            "2:10: `power.policy` is `statik`, must be one of `static`, `conditional`, `reactive`, `restart`, `tasks`, did you mean `static`?",
        ),
        (
            "[power]\nplace = 'latch'",
            "2:9: `power.place` is `latch`, must be one of `none`, `loop-latch`, `function-return`",
        ),
        (
            "mmio = 'inputs'",
            "1:8: `mmio` is `inputs`, must be one of `input`, `output`, `state`, did you mean `input`?",
        ),
        (
            "[memory]\nnonvolatile = ['global']",
            "2:16: `memory.nonvolatile` is `global`, must be one of `globals`, `stack`, `heap`, `section:NAME`, `symbol:GLOB`, did you mean `globals`?",
        ),
        (
            "[memory]\nnonvolatile = ['sections:.nv']",
            "2:16: `memory.nonvolatile` is `sections:.nv`, must be one of `globals`, `stack`, `heap`, `section:NAME`, `symbol:GLOB`, did you mean `section:NAME`?",
        ),
        (
            "[energy]\ncapacitance = '10uA'",
            "2:15: `energy.capacitance` is `10uA`, must be a number with unit `F`, `mF`, `uF`, `nF`, `pF`",
        ),
        (
            "[energy]\nclock = -1",
            "2:9: `energy.clock` is `-1`, must be a number with unit `Hz`, `kHz`, `MHz`, `GHz`",
        ),
        (
            "[[output]]\nfunction = 'f'\neffect = 'angle plus arg0'",
            "3:10: `output.effect` is `angle plus arg0`, must be a change such as `angle += arg0`: a value, one of `=`, `+=`, `-=`, `*=`, `&=`, `|=`, `^=`, and a value, an argument or a number; what that cannot say, `script` does",
        ),
        (
            "[[output]]\nfunction = 'f'\ntakes = 0",
            "3:9: `output.takes` is 0, must be at least 1",
        ),
        (
            "[[input]]\nfunction = 'f'\nfills = 'buffer'",
            "3:9: `input.fills` is `buffer`, must be an argument such as `arg0`, or a member such as `arg0->data`",
        ),
        (
            "[[input]]\nfunction = 'f'\nfills = 'arg0'\nlength = '0'",
            "4:10: `input.length` is `0`, must be `argN`, `result` or a number of bytes",
        ),
    ];
    for (text, expected) in cases {
        check(text, &[expected]);
    }
}

#[test]
fn contradictions() {
    let cases = [
        (
            "[[input]]\nfunction = 'f'\nvalues = [1]\nrange = [0, 9]",
            "4:9: `input.range` cannot be given together with `values`",
        ),
        (
            "[[input]]\nfunction = 'f'\nvalues = [1]\nseed = 3",
            "4:8: `input.seed` cannot be given together with `values`",
        ),
        (
            "[[input]]\nfunction = 'f'\nregister = 'R'",
            "3:12: `input.register` cannot be given together with `function`",
        ),
        (
            "[[input]]\nvalues = [1]",
            "1:1: `input` needs `function` or `register` or `pointer`",
        ),
        (
            "[[output]]\nsemantics = 'relative'",
            "1:1: `output` needs `function` or `register` or `pointer`",
        ),
        (
            "[[input]]\nfunction = 'f'\nrange = [9, 0]",
            "3:9: `input.range` ends at 0, before it begins at 9",
        ),
        (
            "[[input]]\nfunction = 'f'\nrange = [9]",
            "3:9: `input.range` is `[9]`, must be two integers, `[low, high]`",
        ),
        (
            "[[input]]\nfunction = 'f'\nvalues = []",
            "3:10: `input.values` is empty",
        ),
        (
            "[[input]]\nfunction = 'f'\nlength = 'arg1'",
            "3:10: `input.length` needs `fills`",
        ),
        (
            "[[input]]\nregister = 'R'\nfills = 'arg0'",
            "3:9: `input.fills` cannot be given together with `register`",
        ),
        (
            "[[variable]]\nmodel = 'long-term'",
            "1:1: `variable` needs `name`",
        ),
        (
            "[[peripheral]]\nused-by = ['f']",
            "1:1: `peripheral` needs `registers`",
        ),
    ];
    for (text, expected) in cases {
        check(text, &[expected]);
    }
}

#[test]
fn all_errors_are_collected_in_order() {
    check(
        "entri = 'main'\n[memory]\natomic-write = 0\nnonvolatile = ['global', 'hep']\n[[input]]\nvalues = [1]\nrange = [1, 0]\n",
        &[
            "1:1: unknown key `entri`, did you mean `entry`?",
            "3:16: `memory.atomic-write` is 0, must be between 1 and 64",
            "4:16: `memory.nonvolatile` is `global`, must be one of `globals`, `stack`, `heap`, `section:NAME`, `symbol:GLOB`, did you mean `globals`?",
            "4:26: `memory.nonvolatile` is `hep`, must be one of `globals`, `stack`, `heap`, `section:NAME`, `symbol:GLOB`, did you mean `heap`?",
            "5:1: `input` needs `function` or `register` or `pointer`",
            "7:9: `input.range` cannot be given together with `values`",
            "7:9: `input.range` ends at 0, before it begins at 1",
        ],
    );
}

#[test]
fn columns_count_characters() {
    check(
        "\"µ\" = 1\ninput = [{ function = 'ü', vlaues = [1] }]",
        &[
            "1:1: unknown key `µ`",
            "2:28: unknown key `input.vlaues`, did you mean `input.values`?",
        ],
    );
}

#[test]
fn settings() {
    let cases = [
        (
            "memory.nonvolatile=globals,stack",
            "[memory]\nnonvolatile = ['globals', 'stack']",
        ),
        (
            "memory.nonvolatile=stack",
            "[memory]\nnonvolatile = ['stack']",
        ),
        ("memory.nonvolatile=", "[memory]\nnonvolatile = []"),
        (
            "memory.nonvolatile=section:.nv, !symbol:a",
            "[memory]\nnonvolatile = ['section:.nv', '!symbol:a']",
        ),
        (
            "memory.nonvolatile=['heap']",
            "[memory]\nnonvolatile = ['heap']",
        ),
        ("memory.atomic-write=2", "[memory]\natomic-write = 2"),
        ("power.policy=static", "[power]\npolicy = 'static'"),
        ("power.policy='static'", "[power]\npolicy = 'static'"),
        ("power.saves=all", "[power]\nsaves = 'all'"),
        ("energy.capacitance=10uF", "[energy]\ncapacitance = '10uF'"),
        ("energy.v-trigger=2.2", "[energy]\nv-trigger = 2.2"),
        (" entry = start ", "entry = 'start'"),
        ("ignore=printf,puts", "ignore = ['printf', 'puts']"),
        ("environment.angle=-3", "[environment]\nangle = -3"),
        (
            "input=[{function='f', values=[1,2]}]",
            "[[input]]\nfunction = 'f'\nvalues = [1, 2]",
        ),
    ];
    for (setting, text) in cases {
        let mut config = Config::default();
        config.set(setting).expect(setting);
        // Only the places differ.
        let expected = Config::parse(text).expect(text);
        assert_eq!(
            without_places(&config),
            without_places(&expected),
            "{setting}"
        );
    }
}

fn without_places(config: &Config) -> String {
    let mut text = format!("{config:?}");
    text.truncate(text.find(", applied: ").expect("the last field"));
    while let Some(start) = text.find(", place: ") {
        let end = start + text[start..].find('}').expect("place ends") + 1;
        text.replace_range(start..end, "");
    }
    text
}

#[test]
fn wrong_settings() {
    let cases = [
        (
            "entry",
            "--set:1: `entry` is not a setting, write `section.key=value`",
        ),
        (
            "=3",
            "--set:1: `=3` is not a setting, write `section.key=value`",
        ),
        (
            "memory..x=3",
            "--set:1: `memory..x=3` is not a setting, write `section.key=value`",
        ),
        (
            "memory.nonvolatil=globals",
            "--set:1: unknown key `memory.nonvolatil`, did you mean `memory.nonvolatile`?",
        ),
        (
            "memory.nonvolatile=global",
            "--set:20: `memory.nonvolatile` is `global`, must be one of `globals`, `stack`, `heap`, `section:NAME`, `symbol:GLOB`, did you mean `globals`?",
        ),
        (
            "power.execution-depth=0",
            "--set:23: `power.execution-depth` is 0, must be at least 1",
        ),
        (
            "power.execution-depth=many",
            "--set:23: `power.execution-depth` must be an integer, found a string",
        ),
        (
            "memory=globals",
            "--set:8: `memory` must be a table, found a string",
        ),
        (
            "input.values=3",
            "--set:1: `input` must be a list of tables, as in `[[input]]`, found a table",
        ),
        (
            "power.policy=x\npower.place=y",
            "--set:14: `power.policy` is `x\npower.place=y`, must be one of `static`, `conditional`, `reactive`, `restart`, `tasks`",
        ),
        ("a.b.c.d.e=1", "--set:1: unknown key `a`"),
        (
            "environment.a.b.c=1",
            "--set:1: `environment.a` must be an integer, found a table",
        ),
    ];
    for (setting, expected) in cases {
        let mut config = Config::parse(FULL).expect("right");
        let before = config.clone();
        let error = config.set(setting).expect_err(setting);
        assert_eq!(render(&error), expected);
        assert_eq!(
            config, before,
            "a failed setting changes nothing: {setting}"
        );
    }
}

#[test]
fn energy_gives_the_execution_depth() {
    let config = Config::parse(FULL).expect("right");
    let energy = config.energy().expect("complete").expect("given");
    assert_eq!(energy.execution_depth(), Some(10_451));
    assert_eq!(Config::default().energy(), Ok(None));

    let cases = [
        (
            "[energy]\nclock = '1MHz'\ncurrent = 1\ncapacitance = 1",
            vec![
                "2:9: `energy` needs `v-trigger`",
                "2:9: `energy` needs `v-min`",
            ],
        ),
        (
            "[energy]\nclock = 1\ncurrent = 1\ncapacitance = 1\nv-min = 2\nv-trigger = 1",
            vec![
                "2:9: `energy` leaves no instruction after a checkpoint, raise `capacitance` or `v-trigger`",
            ],
        ),
    ];
    for (text, expected) in cases {
        let found = Config::parse(text).expect("right").energy();
        let found: Vec<_> = found.expect_err(text).iter().map(render).collect();
        assert_eq!(found, expected, "{text}");
    }
}

#[test]
fn traces_are_supplied_by_the_caller() {
    let text =
        "[[input]]\nfunction = 'f'\ntrace = 't.csv'\n[[input]]\nfunction = 'g'\ntrace = 't.csv'";
    let mut config = Config::parse(text).expect("right");
    assert_eq!(config.missing_files(), ["t.csv"]);
    let wrong = config.supply("t.csv", "1\ntwo").expect_err("no number");
    assert_eq!(
        render(&wrong[0]),
        "3:9: `input.trace`: t.csv:2 has no integer as its value"
    );
    let empty = config.supply("t.csv", "").expect_err("no values");
    assert_eq!(render(&empty[0]), "3:9: `input.trace`: t.csv has no values");
    config
        .supply("t.csv", "time,value\n0,5\n")
        .expect("numbers");
    assert!(config.missing_files().is_empty());
}
